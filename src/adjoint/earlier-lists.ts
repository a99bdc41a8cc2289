// The lists of a gradient, in the cells of an earlier one's lists where all of these are as long:
//
//   const filled = new Set();
//   const isFilled = buffers !== undefined && fillListOfNumbers(buffers.xs, xs_, filled) && ..;
//   .. { xs: isFilled ? buffers.xs : listOf(xs_) } ..

import type { Type } from "../core/type.js";
import { binary, callOf, cond, constant, id } from "../typescript/build.js";
import type { Scope } from "../typescript/naming.js";
import type { TsExpr, TsStmt } from "../typescript/tree.js";
import { widthOf, withLists, type ListLeaves } from "./entry-lists.js";
import type { ListFillers } from "./list-fillers.js";
import type { ModuleContext } from "./module.js";
import { follow } from "./operations.js";
import { all } from "./quick-tests.js";
import type { Path } from "./shapes.js";
import type { AdjointTypes } from "./types.js";

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

export class EarlierLists {
  readonly #module: ModuleContext;
  readonly #earlier: Earlier | null;
  readonly #scope: Scope;
  readonly #tests: TsExpr[] = [];
  #names: { readonly isFilled: string; readonly filled: string } | null = null;

  constructor(module: ModuleContext, earlier: Earlier | null, scope: Scope) {
    this.#module = module;
    this.#earlier = earlier;
    this.#scope = scope;
  }

  /** The leaves of a parameter's cotangent with lists in place of arrays; `key`: where the gradient has it. */
  withLists(type: Type, key: string, parts: readonly TsExpr[], lists: ListLeaves): TsExpr[] {
    const made = withLists(parts, lists, this.#module);
    if (this.#earlier === null) return made;
    const { buffers, fillers } = this.#earlier;
    const leaves = fillableLeaves(type, lists, this.#module.types, fillers);
    let place = 0;
    return made.map((list, index) => {
      const columns = parts.slice(place, (place += widthOf(lists, index)));
      const leaf = leaves[index] ?? null;
      if (leaf === null) return list;
      const names = (this.#names ??= { isFilled: this.#scope.fresh("isFilled"), filled: this.#scope.fresh("filled") });
      const old = follow(id(buffers), [key, ...leaf.path]);
      // The earlier gradient may be of another form
      for (let above = 1; above <= leaf.path.length; above++)
        this.#tests.push(callOf(this.#module.refer("values.isPresent"), follow(id(buffers), [key, ...leaf.path].slice(0, above)))); // prettier-ignore
      this.#tests.push(fillers.call(leaf.type, old, columns, id(names.filled)));
      return cond(id(names.isFilled), old, list);
    });
  }

  /** Fills the lists: to be done when all else has been read, since the earlier gradient may be an argument too. */
  statements(): readonly TsStmt[] {
    if (this.#names === null || this.#earlier === null) return [];
    const buffers = id(this.#earlier.buffers);
    const isGiven = [binary("!==", buffers, { kind: "undefined" }), binary("!==", buffers, { kind: "null" })];
    return [
      constant(this.#names.filled, null, { kind: "new", fn: id("Set"), args: [] }),
      constant(this.#names.isFilled, null, all([...isGiven, ...this.#tests])),
    ];
  }
}
