// The lists of a gradient, in the cells of an earlier one's lists where all of these are as long:
//
//   const earlier = buffers ?? null;
//   const earlierXs = earlier === null ? null : earlier.xs;
//   const filled = new Set();
//   const isFilled = earlierXs !== null && fillListOfNumbers(earlierXs, xs_, filled) && ..;
//   .. { xs: isFilled ? earlierXs : listOf(xs_) } ..

import type { Type } from "../core/type.js";
import { binary, callOf, cond, constant, id } from "../typescript/build.js";
import { capitalised, type Scope } from "../typescript/naming.js";
import type { TsExpr, TsStmt } from "../typescript/tree.js";
import { widthOf, withLists, type ListLeaves } from "./entry-lists.js";
import type { ListFillers } from "./list-fillers.js";
import type { ModuleContext } from "./module.js";
import { follow } from "./operations.js";
import { all } from "./quick-tests.js";
import type { Path } from "./object-layouts.js";
import type { AdjointTypes } from "./types.js";

const nothing: TsExpr = { kind: "null" };

/** Where a gradient is asked for with an earlier one: the parameter for that, and the functions that fill lists. */
export interface Earlier {
  readonly buffers: string;
  readonly fillers: ListFillers;
}

/** A leaf of a parameter, and the properties that lead to it. */
interface Leaf {
  readonly type: Type;
  readonly path: Path;
}

/** The leaves of a value that are parts of it as it stands; null in the place of others. */
function leavesIn(type: Type, path: Path, types: AdjointTypes): readonly (Leaf | null)[] {
  const { leaves, shapes } = types;
  if (type.kind === "tuple") return type.items.flatMap((item, index) => leavesIn(item, [...path, index], types));
  if (type.kind === "data" && leaves.isSplit(type)) {
    const { keys, fields } = shapes.record(type, shapes.onlyConstructor(type));
    return fields.flatMap((field, index) => leavesIn(field, [...path, keys[index] ?? ""], types));
  }
  if (type.kind === "array") return leaves.of(type).map(() => null);
  return [{ type, path }];
}

/** The leaves of a parameter whose lists can be filled again. */
function fillableLeaves(
  type: Type,
  lists: ListLeaves,
  types: AdjointTypes,
  fillers: ListFillers,
): readonly (Leaf | null)[] {
  return leavesIn(type, [], types).map((leaf, index) =>
    leaf !== null && (lists[index] ?? null) !== null && fillers.functions.has(leaf.type) ? leaf : null,
  );
}

/** Whether a parameter has lists that can be filled again; `lists`: from its first leaf on, where lists are arrays inside. */
export function hasFillableLists(type: Type, lists: ListLeaves, types: AdjointTypes, fillers: ListFillers): boolean {
  return fillableLeaves(type, lists, types, fillers).some((leaf) => leaf !== null);
}

/** A list of the earlier gradient: its variable, what it is read from, and the call that fills it. */
interface EarlierList {
  readonly name: string;
  readonly read: TsExpr;
  readonly fill: TsExpr;
}

export class EarlierLists {
  readonly #module: ModuleContext;
  readonly #earlier: Earlier | null;
  readonly #scope: Scope;
  readonly #lists: EarlierList[] = [];
  #names: { readonly earlier: string; readonly isFilled: string; readonly filled: string } | null = null;

  constructor(module: ModuleContext, earlier: Earlier | null, scope: Scope) {
    this.#module = module;
    this.#earlier = earlier;
    this.#scope = scope;
  }

  /** The leaves of a parameter's cotangent with lists in place of arrays; `key`: where the gradient has it. */
  withLists(type: Type, key: string, parts: readonly TsExpr[], lists: ListLeaves): TsExpr[] {
    const made = withLists(parts, lists, "cotangents", this.#module);
    if (this.#earlier === null) return made;
    const { fillers } = this.#earlier;
    const leaves = fillableLeaves(type, lists, this.#module.types, fillers);
    let place = 0;
    return made.map((list, index) => {
      const columns = parts.slice(place, (place += widthOf(lists, index)));
      const leaf = leaves[index] ?? null;
      if (leaf === null) return list;
      const names = this.#namesOf();
      const name = this.#scope.fresh(`earlier${capitalised(key)}`);
      const read = this.#read(names.earlier, [key, ...leaf.path]);
      this.#lists.push({ name, read, fill: fillers.call(leaf.type, id(name), columns, id(names.filled)) });
      return cond(id(names.isFilled), id(name), list);
    });
  }

  /** Fills the lists: to be done when all else has been read, since the earlier gradient may be an argument too. */
  statements(): readonly TsStmt[] {
    if (this.#names === null || this.#earlier === null) return [];
    const { earlier, filled, isFilled } = this.#names;
    const areThere = this.#lists.map(({ name }) => binary("!==", id(name), nothing));
    return [
      constant(earlier, null, binary("??", id(this.#earlier.buffers), nothing)),
      ...this.#lists.map(({ name, read }) => constant(name, null, read)),
      constant(filled, null, { kind: "new", fn: id("Set"), args: [] }),
      constant(isFilled, null, all([...areThere, ...this.#lists.map(({ fill }) => fill)])),
    ];
  }

  #namesOf(): { readonly earlier: string; readonly isFilled: string; readonly filled: string } {
    const fresh = (hint: string): string => this.#scope.fresh(hint);
    return (this.#names ??= { earlier: fresh("earlier"), isFilled: fresh("isFilled"), filled: fresh("filled") });
  }

  /** What is at a path, once: what a getter gives may be another list each time. Null where the earlier gradient has another form. */
  #read(earlier: string, path: Path): TsExpr {
    const above = path.slice(0, -1).map((_, depth) => follow(id(earlier), path.slice(0, depth + 1)));
    const isThere = above.map((part) => callOf(this.#module.refer("values.isPresent"), part));
    return cond(all([binary("!==", id(earlier), nothing), ...isThere]), follow(id(earlier), path), nothing);
  }
}
