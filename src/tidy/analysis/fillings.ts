// Arrays of which all elements are set before anything else is done with them.

import { isSameExpr } from "../../typescript/facts.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { oneMoreIn } from "./array-sizes.js";
import { elementsOf, fillingOf } from "./counting.js";
import { definitionsIn } from "./definitions.js";
import type { Surroundings } from "./purity.js";
import { surveyed } from "./survey.js";
import { usesIn } from "./uses.js";

export interface Fillings {
  /** Whether a number is a literal, or a variable that nothing changes. */
  readonly isFixed: (count: TsExpr) => boolean;
  /** Whether the first thing that statements do with an array of a size is to set all its elements, one by one. */
  readonly isFilledWhole: (body: readonly TsStmt[], array: string, size: TsExpr) => boolean;
}

export function fillingsIn(fn: TsFunction, surroundings: Surroundings): Fillings {
  const { variables } = surveyed(fn);
  const isOneMore = oneMoreIn(fn);
  const definitions = definitionsIn(fn);
  const isFixed = (count: TsExpr): boolean =>
    count.kind === "number" ||
    (count.kind === "id" && (variables.get(count.name)?.writes === 0 || definitions.has(count.name)));
  const isFilledWhole = (body: readonly TsStmt[], array: string, size: TsExpr): boolean => {
    const filling = fillingOf(body, array);
    if (filling === null || !isFixed(filling.iterations)) return false;
    const isWhole = isSameExpr(filling.iterations, size) || (filling.isOneMore && isOneMore(size, filling.iterations));
    return isWhole && usesIn(array, [filling.loop], surroundings).elements === elementsOf(filling.loop, array);
  };
  return { isFixed, isFilledWhole };
}
