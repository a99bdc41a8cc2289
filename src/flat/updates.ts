// Arrays of which each iteration of a loop hands on a copy with some other elements, `foldl (\u i. set i x u) u0 is`.
//
//   for .. (u = u0) { ..; [u1] = for j < n { if j == i then yield x else { t = u ! j; yield t } }; yield u1 }

import { isVariable } from "./build.js";
import type { Atom, Procedure, Stmt, Var } from "./program.js";
import { allStmts, endsOf } from "./traverse.js";

type For = Stmt & { readonly kind: "for" };

/** The names of the parameters of counted loops that are such arrays, or their stores. */
export function updatedArrays({ body }: Procedure): ReadonlySet<string> {
  const loops = allStmts(body).filter((stmt) => stmt.kind === "for");
  return new Set(loops.flatMap(updatedBy));
}

function updatedBy({ params, body: { stmts, end } }: For): readonly string[] {
  const updated = params.filter((param, index) => {
    const next = end.kind === "yield" ? end.values[index] : undefined;
    const isNext = (array: Var): boolean => isVariable(next, array);
    const maker = stmts.find((stmt): stmt is For => stmt.kind === "for" && stmt.arrays.some(isNext));
    if (maker === undefined) return false;
    const at = maker.params.length + maker.arrays.findIndex(isNext);
    const elements = [...endsOf(maker.body)].map(({ values }) => values[at]);
    return elements.length > 1 && elements.some((value) => isElement(maker, value, param));
  });
  return updated.map(({ name }) => name);
}

/** Whether a value is, in each iteration of a loop, the element of an array at its index. */
function isElement({ index, body }: For, value: Atom | undefined, array: Var): boolean {
  return allStmts(body).some(
    (stmt) =>
      stmt.kind === "let" &&
      isVariable(value, stmt.result) &&
      stmt.op.kind === "cell" &&
      isVariable(stmt.op.array, array) &&
      isVariable(stmt.op.index, index),
  );
}
