// Lists that are arrays inside: what comes in is made into arrays, what goes out into lists.

import type { ArraysForList } from "../flat/program.js";
import { id } from "../typescript/build.js";
import type { TsExpr, TsStmt } from "../typescript/tree.js";
import type { ModuleContext } from "./module.js";

/** By leaf; leaves beyond the end are as they are. */
export type ListLeaves = readonly (ArraysForList | null)[];

/** How many variables stand for a leaf. */
export function widthOf(lists: ListLeaves, leaf: number): number {
  return lists[leaf]?.count ?? 1;
}

/** Leaves from outside, with arrays in place of lists; `out` receives the statements that make them. */
export function withArrays(
  leaves: readonly TsExpr[],
  lists: ListLeaves,
  module: ModuleContext,
  fresh: (hint: string) => string,
  out: TsStmt[],
): readonly TsExpr[] {
  return leaves.flatMap((leaf, index): readonly TsExpr[] => {
    const conversion = lists[index] ?? null;
    if (conversion === null) return [leaf];
    const hint = leaf.kind === "id" ? leaf.name : "list";
    const names = Array.from({ length: conversion.count }, () => fresh(`${hint}Items`));
    const [only] = names;
    const target = names.length === 1 && only !== undefined ? only : names;
    out.push({ kind: "const", target, type: null, init: module.call(conversion.arrays, [leaf]) });
    return names.map(id);
  });
}

/** Leaves for outside, with lists in place of arrays. */
export function withLists(parts: readonly TsExpr[], lists: ListLeaves, module: ModuleContext): TsExpr[] {
  const out: TsExpr[] = [];
  for (let place = 0; place < parts.length;) {
    const conversion = lists[out.length] ?? null;
    const group = parts.slice(place, place + (conversion?.count ?? 1));
    out.push(...(conversion === null ? group : [module.call(conversion.list, group)]));
    place += group.length;
  }
  return out;
}
