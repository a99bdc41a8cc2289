// Where variables may be named: two whose extents are apart may be called the same.

import { mapNames } from "../../typescript/scopes.js";
import type { TsFunction } from "../../typescript/tree.js";

/** The scope of a variable, in the order of the text: of two extents one lies within the other, or they are apart. */
export interface Extent {
  readonly from: number;
  readonly to: number;
}

/** By variable the scope that it is declared in. */
export function extentsOf(fn: TsFunction): ReadonlyMap<string, Extent> {
  const extents = new Map<string, Extent>();
  let position = 0;
  let declared: string[] = [];
  mapNames(fn, {
    enter: (_, inside) => {
      const outer = declared;
      const from = position++;
      declared = [];
      const result = inside();
      const to = position++;
      for (const name of declared) extents.set(name, { from, to });
      declared = outer;
      return result;
    },
    declare: (name) => {
      declared.push(name);
      return name;
    },
    use: (name) => name,
  });
  return extents;
}

/** Names, and where they are taken. */
export class TakenNames {
  /** By name the extents in which it stands for a variable, in the order of the text. */
  readonly #extents = new Map<string, Extent[]>();

  isFree(name: string, extent: Extent): boolean {
    const taken = this.#extents.get(name);
    if (taken === undefined) return true;
    const after = firstAfter(taken, extent.from);
    const [before, next] = [taken[after - 1], taken[after]];
    return (before === undefined || before.to < extent.from) && (next === undefined || next.from > extent.to);
  }

  add(name: string, extent: Extent): void {
    const taken = this.#extents.get(name) ?? [];
    taken.splice(firstAfter(taken, extent.from), 0, extent);
    this.#extents.set(name, taken);
  }
}

/** The place of the first extent that begins after a place in the text. */
function firstAfter(extents: readonly Extent[], position: number): number {
  let [low, high] = [0, extents.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((extents[middle]?.from ?? Infinity) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}
