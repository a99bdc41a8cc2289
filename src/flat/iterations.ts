// The iterations of a loop, one after the other.

import { atomOf, intAtom, letOf, repOf } from "./build.js";
import { Copy } from "./copy.js";
import type { FlatNames } from "./naming.js";
import type { Atom, End, Stmt, Var } from "./program.js";
import type { For } from "./rewrite-loops.js";
import { allStmts, endsOf, sizeOf } from "./traverse.js";

/** How long a loop may be to be written out: its iterations, and the statements that it becomes. */
export interface IterationLimits {
  readonly iterations: number;
  readonly statements: number;
}

/** Whether a loop is short, and holds no others. */
export function isShort({ count, body }: For, { iterations, statements }: IterationLimits): boolean {
  if (count.kind !== "int" || count.value < 1 || count.value > iterations) return false;
  if (sizeOf(body) * count.value > statements) return false;
  return allStmts(body).every(({ kind }) => kind !== "loop" && kind !== "for");
}

/** What a loop does in a number of iterations that is known, without a loop. */
export function iterationsOf(
  { index, count, params, init, body, results, arrays }: For,
  names: FlatNames,
): readonly Stmt[] {
  const stmts: Stmt[] = [];
  const elements = arrays.map((): Atom[] => []);
  let values = init;
  for (let iteration = 0; count.kind === "int" && iteration < count.value; iteration++) {
    const own = values.flatMap((value, place): [string, Atom][] => {
      const param = params[place];
      return param === undefined ? [] : [[param.name, value]];
    });
    const copy = new Copy(names, new Map([...own, [index.name, intAtom(iteration)]]));
    stmts.push(...copy.stmts(body.stmts));
    const given = givenBy(copy.end(body.end), [...results, ...arrays], names, stmts);
    values = given.slice(0, params.length);
    for (const [place, each] of elements.entries()) {
      const element = given[params.length + place];
      if (element !== undefined) each.push(element);
    }
  }
  const last = results.flatMap((result, place) => {
    const value = values[place];
    return value === undefined ? [] : [letOf(result, { kind: "copy", value })];
  });
  const made = arrays.flatMap((array, place) =>
    array.rep.kind === "array"
      ? [letOf(array, { kind: "array", element: array.rep.element, items: elements[place] ?? [] })]
      : [],
  );
  return [...stmts, ...last, ...made];
}

/** What an iteration hands on; `variables` are called as it is. */
function givenBy(end: End, variables: readonly Var[], names: FlatNames, out: Stmt[]): readonly Atom[] {
  if (end.kind === "yield") return end.values;
  const [first] = endsOf({ stmts: [], end });
  const results = (first?.values ?? []).map((value, index): Var => {
    const stem = variables[index]?.name ?? names.temporary;
    return { name: names.fresh({ stem, suffix: "" }), rep: repOf(value) };
  });
  out.push({ kind: "choose", results, end });
  return results.map(atomOf);
}
