// Reassociation along a recurrence (the critical path of a loop).
//
// A cotangent that a loop carries is multiplied last: what an iteration multiplies it with does not wait for the iteration before.
//
//   const t_ = y_ * (1 - y);                    const partial = 1 - y;
//   r_ += t_ * y;                               r_ += y_ * partial * y;
//   y_ = t_ * r - y_ * (r * y);                 y_ = y_ * (partial * r - r * y);
//
// A loop of arithmetic alone takes as long as the chain of operations that leads from what an iteration is handed to what it hands on: all else fits beside it.

import { binary, constant, id } from "../../typescript/build.js";
import { mapBlocks, replaced, visitExpressions, visitParts } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import type { Bindings } from "../analysis/bindings.js";
import type { For } from "../analysis/counting.js";
import { LinearForms, valueOf } from "../analysis/linear-forms.js";

/** A statement of an iteration that computes what is carried into the next one. */
interface Next {
  readonly stmt: TsStmt;
  readonly value: TsExpr;
}

/** What an iteration of arithmetic computes: its constants by name, and what becomes of the cotangents that it carries. */
interface Iteration {
  readonly constants: ReadonlyMap<string, TsExpr>;
  readonly nexts: ReadonlyMap<string, Next>;
  /** The variables that it assigns to. */
  readonly changed: ReadonlySet<string>;
}

/** `isCarried`: whether a variable is a cotangent that a loop of the reverse sweep carries. */
export function withShortRecurrences(
  fn: TsFunction,
  bindings: Bindings,
  isCarried: (name: string) => boolean,
): TsFunction {
  return mapBlocks(fn, (body) =>
    replaced(body, (stmt) => {
      if (stmt.kind !== "for") return stmt;
      const iteration = iterationOf(stmt, isCarried);
      const cycles = iteration === null ? [] : cyclesOf(iteration);
      return cycles.reduce<For>((loop, cycle) => withShortRecurrence(loop, cycle, bindings, isCarried), stmt);
    }),
  );
}

/** Null where an iteration is more than arithmetic, or changes what it carries more than once. */
function iterationOf({ body }: For, isCarried: (name: string) => boolean): Iteration | null {
  const constants = new Map<string, TsExpr>();
  const nexts = new Map<string, Next>();
  const changed = new Set<string>();
  for (const stmt of body) {
    if (stmt.kind === "const" && typeof stmt.target === "string") {
      constants.set(stmt.target, stmt.init);
      continue;
    }
    if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.op === "??=") return null;
    const { op, target, value } = stmt.expr;
    if (target.kind !== "id") continue;
    changed.add(target.name);
    if (!isCarried(target.name)) continue;
    if (nexts.has(target.name)) return null;
    nexts.set(target.name, op === "=" ? nextIn(body, stmt, value) : { stmt, value: binary(op === "+=" ? "+" : "-", target, value) }); // prettier-ignore
  }
  return isArithmetic(body) ? { constants, nexts, changed } : null;
}

/** Where several cotangents are carried, the next ones have names of their own first. */
function nextIn(body: readonly TsStmt[], stmt: TsStmt, value: TsExpr): Next {
  if (value.kind !== "id") return { stmt, value };
  const named = body.find((other) => other.kind === "const" && other.target === value.name);
  return named?.kind === "const" ? { stmt: named, value: named.init } : { stmt, value };
}

function isArithmetic(body: readonly TsStmt[]): boolean {
  let found = true;
  visitExpressions(body, ({ kind }) => {
    if (kind === "call" || kind === "new" || kind === "arrow" || kind === "yield") found = false;
  });
  return found;
}

function withShortRecurrence(
  loop: For,
  { name, variables }: Cycle,
  bindings: Bindings,
  isCarried: (name: string) => boolean,
): For {
  const iteration = iterationOf(loop, isCarried);
  const next = iteration?.nexts.get(name);
  if (iteration === null || next === undefined) return loop;
  const { constants, changed } = iteration;
  const fresh = (): string => bindings.fresh("partial");
  const forms = new LinearForms(variables, constants, (each) => !changed.has(each), fresh);
  const form = isEarly(next, loop, variables, iteration) ? forms.of(next.value) : null;
  if (form === null) return loop;
  const value = valueOf(form);
  const products = new Map(forms.partials.map((each) => [each.name, binary("*", id(each.variable), id(each.partial))]));
  const factors = new Map(forms.partials.map(({ name, partial, factor }) => [name, constant(partial, null, factor)]));
  const before = [next.value, ...[...products.keys()].map((each) => constants.get(each))];
  const after = [value, ...products.values(), ...forms.partials.map(({ factor }) => factor)];
  const saved = forms.depth(next.value) - forms.depth(value);
  if (saved <= 0 || operationsIn(after) > operationsIn(before) + saved) return loop;
  const body = loop.body.flatMap((stmt) => {
    if (stmt === next.stmt) return [withValue(stmt, value)];
    const name = stmt.kind === "const" && typeof stmt.target === "string" ? stmt.target : "";
    const [factor, product] = [factors.get(name), products.get(name)];
    return factor === undefined || product === undefined ? [stmt] : [factor, withValue(stmt, product)];
  });
  return { ...loop, body };
}

/** A carried cotangent, with all those that its next one depends on and whose next ones depend on it. */
interface Cycle {
  readonly name: string;
  readonly variables: ReadonlySet<string>;
}

function cyclesOf({ constants, nexts }: Iteration): readonly Cycle[] {
  const sources = new Map([...nexts].map(([name, { value }]) => [name, sourcesOf(value, constants)]));
  const depends = (name: string, on: string): boolean => sources.get(name)?.has(on) ?? false;
  const names = [...nexts.keys()];
  return names.map((name) => {
    const variables = names.filter((other) => depends(name, other) && (other === name || depends(other, name)));
    return { name, variables: new Set(variables) };
  });
}

/** The names that an expression mentions, by itself or through constants. */
function sourcesOf(expr: TsExpr, constants: Iteration["constants"]): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (part: TsExpr): void => {
    visitParts(part, { expr: visit, block: () => undefined });
    if (part.kind !== "id" || found.has(part.name)) return;
    found.add(part.name);
    const constant = constants.get(part.name);
    if (constant !== undefined) visit(constant);
  };
  visit(expr);
  return found;
}

/** Whether none of the variables has got its next value by the time when the next one is computed. */
function isEarly(next: Next, { body }: For, variables: ReadonlySet<string>, { nexts }: Iteration): boolean {
  const at = body.indexOf(next.stmt);
  return body.slice(0, at).every((stmt) => {
    if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.target.kind !== "id") return true;
    return !(variables.has(stmt.expr.target.name) && nexts.has(stmt.expr.target.name));
  });
}

function withValue(stmt: TsStmt, value: TsExpr): TsStmt {
  if (stmt.kind === "const") return { ...stmt, init: value };
  if (stmt.kind !== "expr" || stmt.expr.kind !== "assign") return stmt;
  return { kind: "expr", expr: { ...stmt.expr, op: "=", value } };
}

function operationsIn(exprs: readonly (TsExpr | undefined)[]): number {
  let count = 0;
  const visit = (expr: TsExpr): void => {
    if (expr.kind === "binary") count++;
    visitParts(expr, { expr: visit, block: () => undefined });
  };
  for (const expr of exprs) if (expr !== undefined) visit(expr);
  return count;
}
