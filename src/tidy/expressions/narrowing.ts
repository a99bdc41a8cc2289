// What TypeScript knows of objects beyond their types. It takes a variable for what has been assigned to it, calls the test of a literal's constructor
// unintended, and finds nothing behind it. So where constructors are tested, literals stand for any object of their type.
//
//   const xs: List = { tag: "Nil" }; .. if (xs.tag === "Nil")      const xs = { tag: "Nil" } as List
//   for (;;) { const rest = xs._1; .. xs = rest; }                 const rest: List = xs._1, whose type would depend on itself
//   let xs: List = ys; .. const next = xs._1; .. xs = next._1;     xs = next._1 as List, where ys is known to be a cell: for the same reason
//   if (l.tag === "Nil") { let xs: List = l; while (xs.tag !== "Nil") .. }      let xs = l as List
//   (c ? 1 : 2) === 0                                              ((c ? 1 : 2) as number) === 0
//   outside(..); ..                                                outside(..), which never returns

import { mapSame, withParts } from "../../same.js";
import { typeName } from "../../typescript/build.js";
import {
  mapParts,
  mapStmt,
  visitParts,
  visitStmt,
  withBody,
  type Rewriting,
  type Visiting,
} from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt, TsType } from "../../typescript/tree.js";
import { isCallOf, type Surroundings } from "../analysis/purity.js";
import { surveyed } from "../analysis/survey.js";

export function withDeclaredTypes(fn: TsFunction, surroundings: Surroundings): TsFunction {
  const { types, flows, looks, parts, starts, tests } = flowsOf(fn, surroundings);
  const looked = [...looks].map(([con, names]) => ({ con, names: reaching(names, flows) }));

  /** What tests around a statement have told: by variable the constructor. */
  const told = new Map<string, string>();
  /** Whether a variable begins with one of which a test around has told the constructor that a test of its own asks for. */
  const isExcluded = (init: TsExpr, name: string): boolean => {
    const con = init.kind === "id" ? told.get(init.name) : undefined;
    return con !== undefined && (tests.get(name) ?? []).some((test) => test.con === con);
  };

  /** Whether TypeScript knows more of a value than the type of the variable that it is assigned to, where that matters. */
  const isNarrow = (value: TsExpr, name: string): boolean => {
    if (value.kind === "cond") return isNarrow(value.then, name) || isNarrow(value.else, name);
    if (value.kind !== "object" && value.kind !== "yield") return false;
    const made = value.kind === "object" ? tagOf(value) : null;
    return looked.some(({ con, names }) => names.has(name) && (con === any || con !== made));
  };

  /** The type of a variable that is assigned what a constant of a loop is, from round to iteration; null where there is none. */
  const carriedType = (name: string): TsType | null => {
    for (const target of flows.get(name) ?? []) {
      const type = types.get(target);
      if (type?.kind !== "name" || plain.has(type.name)) continue;
      const { variables } = surveyed(fn);
      const nest = variables.get(name)?.nest ?? 0;
      if (nest !== 0 && variables.get(target)?.nest !== nest) return type;
    }
    return null;
  };
  /** Whether TypeScript may know more of what a variable begins with than its type. */
  const startsNarrow = (name: string): boolean => {
    const start = starts.get(name);
    if (start === undefined || start.kind === "member") return false;
    return start.kind !== "id" || [...looks.values()].some((names) => names.has(start.name));
  };
  /** Whether a value is a part of a constant that is a part of what a variable is. */
  const isPartOfPart = (value: TsExpr, name: string): boolean => {
    if (value.kind === "cond") return isPartOfPart(value.then, name) || isPartOfPart(value.else, name);
    const whole = value.kind === "member" ? parts.get(ownerOf(value) ?? "") : undefined;
    return whole !== undefined && (whole === name || parts.get(whole) === name);
  };
  const widened = (name: string, value: TsExpr): TsExpr => {
    const type = types.get(name);
    if (type === undefined) return value;
    const isCircular = type.kind === "name" && !plain.has(type.name) && startsNarrow(name) && isPartOfPart(value, name);
    return isCircular || isNarrow(value, name) ? { kind: "as", expr: value, type } : value;
  };

  /** The constants that TypeScript takes for literals: what type these have. */
  const literals = new Map<string, string>();
  const literalType = (expr: TsExpr): string | null => {
    switch (expr.kind) {
      case "number":
      case "boolean":
        return expr.kind;
      case "id":
        return literals.get(expr.name) ?? null;
      case "unary":
        return literalType(expr.arg);
      case "cond":
        return literalType(expr.then) === null ? null : literalType(expr.else);
      default:
        return null;
    }
  };
  /** A comparison of two literals, of which TypeScript may know the outcome. */
  const compared = (expr: TsExpr & { readonly kind: "binary" }): TsExpr => {
    const [left, right] = [literalType(expr.left), literalType(expr.right)];
    if (left === null || right === null) return expr;
    if (expr.left.kind !== "number") return { ...expr, left: { kind: "as", expr: expr.left, type: typeName(left) } };
    return { ...expr, right: { kind: "as", expr: expr.right, type: typeName(right) } };
  };

  const testOf = new Map<readonly TsStmt[], TagBranch>();
  const rewriting: Rewriting = {
    expr: (expr) => {
      const mapped = mapParts(expr, rewriting);
      if (mapped.kind === "binary" && (mapped.op === "===" || mapped.op === "!==")) return compared(mapped);
      if (mapped.kind !== "assign" || mapped.op !== "=" || mapped.target.kind !== "id") return mapped;
      return withParts(mapped, { value: widened(mapped.target.name, mapped.value) });
    },
    block: (body) => {
      const end = 1 + endOf(body, surroundings);
      const reached = end < body.length ? body.slice(0, end) : body;
      const test = testOf.get(body);
      const before = told.get(test?.name ?? "");
      if (test !== undefined) told.set(test.name, test.con);
      const found = mapSame(reached, (stmt) => {
        for (const each of branchesBy(stmt)) testOf.set(each.body, each);
        return declared(mapStmt(stmt, rewriting));
      });
      if (test !== undefined && before === undefined) told.delete(test.name);
      else if (test !== undefined && before !== undefined) told.set(test.name, before);
      return found;
    },
  };
  const declared = (stmt: TsStmt): TsStmt => {
    if ((stmt.kind !== "const" && stmt.kind !== "let") || stmt.init === null) return stmt;
    const name = stmt.kind === "let" ? stmt.name : stmt.target;
    const names = typeof name === "string" ? [name] : name.flatMap((part) => part ?? []);
    if (stmt.type === null) {
      const literal = stmt.kind === "const" && typeof name === "string" ? literalType(stmt.init) : null;
      if (literal !== null) literals.set(names[0] ?? "", literal);
      const isTold = stmt.kind === "let" || typeof name !== "string" || stmt.init.kind === "as" || stmt.init.kind === "call"; // prettier-ignore
      const type = isTold ? null : carriedType(name);
      return type === null ? stmt : { ...stmt, type };
    }
    const { init } = stmt;
    return names.some((part) => isNarrow(init, part) || isExcluded(init, part))
      ? { ...stmt, type: null, init: { kind: "as", expr: stmt.init, type: stmt.type } }
      : stmt;
  };
  return withBody(fn, rewriting.block(fn.body));
}

/** Types of which TypeScript knows no more than they say. */
const plain: ReadonlySet<string> = new Set(["number", "Float64Array"]);

interface Flows {
  /** The types that variables are declared with. */
  readonly types: ReadonlyMap<string, TsType>;
  /** The variables that are assigned what a variable is. */
  readonly flows: ReadonlyMap<string, ReadonlySet<string>>;
  /** The variables that are taken for what a constructor has made, by its name; under `any` those that may be made by several. */
  readonly looks: ReadonlyMap<string, ReadonlySet<string>>;
  /** Constants that are parts of variables: of which one. */
  readonly parts: ReadonlyMap<string, string>;
  /** What variables begin with. */
  readonly starts: ReadonlyMap<string, TsExpr>;
  /** By variable the constructors that its own is compared with. */
  readonly tests: ReadonlyMap<string, readonly TagTest[]>;
}

/** `name.tag === con`, or `!==`. */
interface TagTest {
  readonly name: string;
  readonly con: string;
  readonly isEqual: boolean;
}

function tagTest(expr: TsExpr): TagTest | null {
  if (expr.kind !== "binary" || (expr.op !== "===" && expr.op !== "!==")) return null;
  const { left, right, op } = expr;
  if (left.kind !== "member" || left.name !== "tag" || left.object.kind !== "id" || right.kind !== "string")
    return null;
  return { name: left.object.name, con: right.value, isEqual: op === "===" };
}

/** A branch in which a variable is known to be made by a constructor. */
interface TagBranch {
  readonly body: readonly TsStmt[];
  readonly name: string;
  readonly con: string;
}

function branchesBy(stmt: TsStmt): readonly TagBranch[] {
  if (stmt.kind === "if") {
    const test = tagTest(stmt.test);
    return test === null ? [] : [{ ...test, body: test.isEqual ? stmt.then : stmt.else }];
  }
  if (stmt.kind !== "switch" || stmt.subject.kind !== "member" || stmt.subject.object.kind !== "id") return [];
  const { name } = stmt.subject.object;
  return stmt.cases.flatMap(({ test, body }) => (test?.kind === "string" ? [{ body, name, con: test.value }] : []));
}

const any = "";

function flowsOf(fn: TsFunction, { constructors }: Surroundings): Flows {
  const types = new Map<string, TsType>();
  const flows = new Map<string, Set<string>>();
  const looks = new Map<string, Set<string>>();
  const parts = new Map<string, string>();
  const starts = new Map<string, TsExpr>();
  const tests = new Map<string, readonly TagTest[]>();
  const look = (con: string, name: string): void => {
    looks.set(con, (looks.get(con) ?? new Set()).add(name));
  };
  const flow = (from: TsExpr, to: string): void => {
    if (from.kind === "cond") {
      flow(from.then, to);
      flow(from.else, to);
    } else if (from.kind === "id") flows.set(from.name, (flows.get(from.name) ?? new Set()).add(to));
  };
  const visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind === "member" && expr.name === "tag" && expr.object.kind === "id") look(any, expr.object.name);
      if (expr.kind === "as" && expr.expr.kind === "id" && expr.type.kind === "name") {
        const con = constructors.get(expr.type.name);
        if (con !== undefined) look(con, expr.expr.name);
      }
      if (expr.kind === "assign" && expr.op === "=" && expr.target.kind === "id") flow(expr.value, expr.target.name);
      const test = tagTest(expr);
      if (test !== null) tests.set(test.name, [...(tests.get(test.name) ?? []), test]);
      visitParts(expr, visiting);
    },
    block: (body) => {
      for (const stmt of body) {
        const name = stmt.kind === "let" ? stmt.name : stmt.kind === "const" ? stmt.target : null;
        if (typeof name === "string" && (stmt.kind === "let" || stmt.kind === "const")) {
          if (stmt.type !== null) types.set(name, stmt.type);
          if (stmt.init !== null) flow(stmt.init, name);
          if (stmt.kind === "let" && stmt.init !== null) starts.set(name, stmt.init);
          const owner = stmt.kind === "const" && stmt.type === null ? ownerOf(stmt.init) : null;
          if (owner !== null) parts.set(name, owner);
        }
        visitStmt(stmt, visiting);
      }
    },
  };
  visiting.block(fn.body);
  return { types, flows, looks, parts, starts, tests };
}

/** The variable that an expression is a part of. */
function ownerOf(expr: TsExpr): string | null {
  if (expr.kind !== "member") return null;
  return expr.object.kind === "id" ? expr.object.name : ownerOf(expr.object);
}

/** The variables from which something gets to one of `ends`, these among them. */
function reaching(ends: ReadonlySet<string>, flows: Flows["flows"]): ReadonlySet<string> {
  const sources = new Map<string, string[]>();
  for (const [from, targets] of flows) for (const to of targets) sources.set(to, [...(sources.get(to) ?? []), from]);
  const found = new Set(ends);
  const pending = [...ends];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    for (const source of sources.get(name) ?? []) {
      if (found.has(source)) continue;
      found.add(source);
      pending.push(source);
    }
  }
  return found;
}

/** The constructor that a written object names. */
function tagOf({ fields }: TsExpr & { readonly kind: "object" }): string | null {
  const tag = fields.find(({ name }) => name === "tag")?.value;
  return tag?.kind === "string" ? tag.value : null;
}

/** Where a block ends in an error, which TypeScript knows, too; the number of its statements where it does not. */
function endOf(body: readonly TsStmt[], surroundings: Surroundings): number {
  const end = body.findIndex((stmt) => stmt.kind === "expr" && isCallOf(stmt.expr, "arrays.outside", surroundings));
  return end === -1 ? body.length : end;
}
