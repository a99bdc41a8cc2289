// Lists that are arrays inside: what comes in is made into arrays, what goes out into lists.

import type { ArraysForList, Var } from "../flat/program.js";
import { leafName } from "../flat/naming.js";
import { id } from "../typescript/build.js";
import { identifier, type Scope } from "../typescript/naming.js";
import type { TsExpr, TsStmt } from "../typescript/tree.js";
import type { ModuleContext } from "./module.js";
import { asType } from "./operations.js";

/** By leaf; leaves beyond the end are as they are. */
export type ListLeaves = readonly (ArraysForList | null)[];

/** How many variables stand for a leaf. */
export function widthOf(lists: ListLeaves, leaf: number): number {
  return lists[leaf]?.suffixes.length ?? 1;
}

/**
 * What to call the arrays that stand for a list. Several are called after the parameters of the procedure that takes them, so that they and their
 * cotangents have the same names.
 */
export function arrayNames({ suffixes }: ArraysForList, list: string, params: readonly Var[]): readonly string[] {
  return suffixes.map((suffix, index) => {
    const param = params[index];
    return suffixes.length > 1 && param !== undefined ? identifier(param.name) : leafName({ stem: list, suffix });
  });
}

/** Leaves from outside, with arrays in place of lists for `params`, if they are arguments; `out` receives the statements that make them. */
export function withArrays(
  leaves: readonly TsExpr[],
  lists: ListLeaves,
  params: readonly Var[],
  module: ModuleContext,
  scope: Scope,
  out: TsStmt[],
): readonly TsExpr[] {
  let place = 0;
  return leaves.flatMap((leaf, index): readonly TsExpr[] => {
    const conversion = lists[index] ?? null;
    const own = params.slice(place, (place += widthOf(lists, index)));
    if (conversion === null) return [leaf];
    const names = arrayNames(conversion, leaf.kind === "id" ? leaf.name : "list", own).map((name) => scope.fresh(name));
    const [only] = names;
    const target = names.length === 1 && only !== undefined ? only : names;
    out.push({ kind: "const", target, type: null, init: module.call(conversion.arrays, [leaf]) });
    return names.map(id);
  });
}

/** Leaves for outside, with lists in place of arrays, or with their cotangents. */
export function withLists(
  parts: readonly TsExpr[],
  lists: ListLeaves,
  maker: "list" | "cotangents",
  module: ModuleContext,
): TsExpr[] {
  const out: TsExpr[] = [];
  for (let place = 0; place < parts.length;) {
    const conversion = lists[out.length] ?? null;
    const group = parts.slice(place, place + (conversion?.suffixes.length ?? 1));
    out.push(...(conversion === null ? group : [listOf(conversion, group, maker, module)]));
    place += group.length;
  }
  return out;
}

function listOf(
  conversion: ArraysForList,
  arrays: readonly TsExpr[],
  maker: "list" | "cotangents",
  module: ModuleContext,
): TsExpr {
  const call = module.call(conversion[maker], arrays);
  // Procedures have types of values, where a cotangent of an integer is any integer
  const isOther = conversion[maker] !== conversion.list;
  return isOther ? asType(call, module.types.outside(conversion.type, true)) : call;
}
