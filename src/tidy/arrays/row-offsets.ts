// Arrays that are rows of another array are told apart by where they begin.

import { keyOf } from "../../key.js";
import { binary, callOf, constant, effect, id, member, number } from "../../typescript/build.js";
import { isNumber } from "../../typescript/facts.js";
import { mapParts, mapStmt, withBody, type Rewriting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import type { ArrayMade, For } from "../analysis/counting.js";
import { isCopy } from "../analysis/parts.js";

type Const = TsStmt & { readonly kind: "const" };
type Let = TsStmt & { readonly kind: "let" };

/** Where iterations keep an array under their number. */
export interface Keeping {
  readonly stmt: TsStmt;
  readonly saved: Const;
  readonly store: string;
  readonly count: TsExpr;
}

/** What the iterations of a loop keep. */
export interface Trajectory {
  readonly loop: For;
  /** The array of an iteration. */
  readonly made: ArrayMade;
  /** Where an iteration keeps the one that it begins with, or else its own: this becomes the array of all. */
  readonly main: Keeping;
  /** Where it keeps its own, too. */
  readonly own: Keeping | null;
  /** What an iteration begins with, if it keeps that: where it begins, and where the array of the iteration becomes that of the next. */
  readonly carried: { readonly name: string; readonly first: Let; readonly handing: TsStmt } | null;
  /** By variable that they are taken out to, their number. */
  readonly taken: ReadonlyMap<string, TsExpr>;
}

/** The same with one array, and indices in the place of its rows. */
export function inOneArray(
  { loop, made, main, own, carried, taken }: Trajectory,
  body: readonly TsStmt[],
  fresh: (wanted: string) => string,
): readonly TsStmt[] {
  const { array, size } = made;
  const { store, count } = main;
  const row = fresh("row");
  const next = carried === null ? row : fresh("next");
  const last = fresh("last");
  const starts = new Map([...taken.keys()].map((name) => [name, fresh("row")]));
  const rowAt = (name: string, index: TsExpr): TsStmt => constant(name, null, binary("*", index, size));
  const taking = (stmt: TsStmt): readonly TsStmt[] | null => {
    const name = stmt.kind === "const" && typeof stmt.target === "string" ? stmt.target : "";
    const [index, start] = [taken.get(name), starts.get(name)];
    return index === undefined || start === undefined ? null : [rowAt(start, index)];
  };
  const gone = new Set([main.saved, main.stmt, own?.saved, own?.stmt, carried?.first, carried?.handing]);
  for (const stmt of [main.saved, own?.saved]) gone.add(commentOn(stmt, body));
  gone.add(commentOn(made.stmt, loop.body));
  const inIteration = withStarts(starts, [array, next], [carried?.name, row]);
  const inStore = (starts: ReadonlyMap<string, string>): ReadonlyMap<string, Row> =>
    new Map([...starts].map(([name, start]) => [name, { store, start, size }]));
  const iteration = withRowOffsets(loop.body, inStore(inIteration), (stmt) => {
    if (gone.has(stmt)) return [];
    if (stmt === made.stmt) return carried === null ? [] : [constant(next, null, binary("+", id(row), size))];
    return taking(stmt) ?? stmt;
  });

  const which = carried === null ? "each iteration" : "all iterations";
  const comment: TsStmt = { kind: "comment", on: "rows", text: `${which}, row by row` };
  const rows = carried === null ? count : binary("+", count, number(1));
  const buffer = rowsTogether(store, rows, size);
  const first = carried?.first.init ?? null;
  // Those of a new array are zeros anyway
  const begun = first?.kind === "id" ? [effect(callOf(member(id(store), "set"), first))] : [];
  const behind = carried === null ? [] : [rowAt(last, count)];
  const together = [comment, buffer, ...begun, { ...loop, body: [rowAt(row, id(loop.name)), ...iteration] }, ...behind];
  return withRowOffsets(body, inStore(withStarts(starts, [carried?.name, last])), (stmt) => {
    if (gone.has(stmt)) return [];
    return stmt === loop ? together : (taking(stmt) ?? stmt);
  });
}

/** What makes the array of so many rows; `mayBeLess`: than none, which is an error later on. */
export function rowsTogether(store: string, rows: TsExpr, size: TsExpr, mayBeLess = false): TsStmt {
  const all = binary("*", rows, size);
  const most = mayBeLess ? callOf(member(id("Math"), "max"), number(0), all) : all;
  return constant(store, null, { kind: "new", fn: id("Float64Array"), args: [most] });
}

/** Constants of a block that are the same index are one. */
export function withoutTwins(fn: TsFunction, indices: ReadonlySet<string>): TsFunction {
  const twins = new Map<string, string>();
  const twin: Rewriting = {
    expr: (expr) => (expr.kind === "id" ? id(twins.get(expr.name) ?? expr.name) : mapParts(expr, twin)),
    block: (body) => {
      const known = new Map<string, string>();
      return body.flatMap((stmt) => {
        const next = mapStmt(stmt, twin);
        if (next.kind !== "const" || typeof next.target !== "string" || !indices.has(next.target)) return [next];
        // What it is computed from has been replaced by its own twin
        const init = keyOf(next.init);
        const same = known.get(init);
        if (same === undefined) known.set(init, next.target);
        else twins.set(next.target, same);
        return same === undefined ? [next] : [];
      });
    },
  };
  return withBody(fn, twin.block(fn.body));
}

/** The comment right before a statement, if there is one. */
export function commentOn(stmt: TsStmt | undefined, body: readonly TsStmt[]): TsStmt | undefined {
  const before = stmt === undefined ? undefined : body[body.indexOf(stmt) - 1];
  return before?.kind === "comment" ? before : undefined;
}

function withStarts(
  starts: ReadonlyMap<string, string>,
  ...others: readonly (readonly [name: string | undefined, start: string])[]
): ReadonlyMap<string, string> {
  const all = new Map(starts);
  for (const [name, start] of others) if (name !== undefined) all.set(name, start);
  return all;
}

/** Where a row is. */
export interface Row {
  /** The array that it is a row of, the variable that is the index of its first element, and how many it has. */
  readonly store: string;
  readonly start: string;
  readonly size: TsExpr;
}

/** Statements with elements of other arrays in the place of those of rows; `replace` says what is to become of a statement otherwise. */
export function withRowOffsets(
  stmts: readonly TsStmt[],
  rows: ReadonlyMap<string, Row>,
  replace: (stmt: TsStmt) => TsStmt | readonly TsStmt[],
): readonly TsStmt[] {
  const rowOf = (object: TsExpr): Row | undefined => (object.kind === "id" ? rows.get(object.name) : undefined);
  const rewriting: Rewriting = {
    expr: (expr) => {
      if (expr.kind === "assign" && expr.target.kind === "index" && rowOf(expr.target.object) !== undefined) {
        const target = rewriting.expr(expr.target);
        return target.kind === "index" ? { ...expr, target, value: rewriting.expr(expr.value) } : expr;
      }
      const object =
        expr.kind === "index" || expr.kind === "member" ? expr.object : isCopy(expr) ? expr.fn.object : null;
      const row = object === null ? undefined : rowOf(object);
      if (row === undefined) return mapParts(expr, rewriting);
      const [store, start] = [id(row.store), id(row.start)];
      if (expr.kind === "index") return { ...expr, object: store, index: plus(start, rewriting.expr(expr.index)) };
      return expr.kind === "member" ? row.size : callOf(member(store, "slice"), start, binary("+", start, row.size));
    },
    block: (body) =>
      body.flatMap((stmt) => {
        const next = replace(stmt);
        return "kind" in next ? [mapStmt(next, rewriting)] : next;
      }),
  };
  return rewriting.block(stmts);
}

/** `start + index`, without parentheses. */
export function plus(start: TsExpr, index: TsExpr): TsExpr {
  if (isNumber(index, 0)) return start;
  const isSum = index.kind === "binary" && (index.op === "+" || index.op === "-");
  return isSum ? { ...index, left: plus(start, index.left) } : binary("+", start, index);
}
