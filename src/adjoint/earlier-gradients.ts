// The arrays of an earlier gradient, where the parameters of a definition are numbers, arrays of numbers, rows of them, and records and tuples of these:
//
//   earlierArrays(buffers, { net: { weights: netWeights, bias: netBias } }, ys);
//
// with the arguments that there are cotangents for, where the gradient has these, and those that are only read. The last pass of src/tidy makes use of the call, or
// takes it away.

import type { Type } from "../core/type.js";
import type { Refer } from "../emit/lower/lower-operators.js";
import { callOf, id, object } from "../typescript/build.js";
import type { TsExpr, TsProperty, TsStmt } from "../typescript/tree.js";
import type { AdjointTypes } from "./types.js";

/** A parameter, as far as it matters here. */
interface Input {
  readonly type: Type;
  /** The arrays that it has been read into where it is a list. */
  readonly items: readonly TsExpr[] | null;
  readonly isActive: boolean;
  readonly hint: string;
}

/** The call for an entry whose parameters have `leaves`; null where parameters are of other types, or have no arrays. */
export function earlierArraysCall(
  buffers: string,
  inputs: readonly Input[],
  leaves: readonly TsExpr[],
  types: AdjointTypes,
  refer: Refer,
): TsStmt | null {
  const read: TsExpr[] = [];
  let place = 0;
  const unfit = new Set<Type>();

  const parts = (keys: readonly string[], inner: readonly Type[], isActive: boolean): TsExpr | null => {
    const fields = inner.flatMap((type, index): TsProperty[] => {
      const value = like(type, isActive);
      return value === null ? [] : [{ name: keys[index] ?? "", value }];
    });
    return fields.length === 0 ? null : object(fields);
  };

  const arrayLike = (type: Type & { readonly kind: "array" }, isActive: boolean): TsExpr | null => {
    const { element } = type;
    const leaf = leaves[place++];
    const isOfRows = element.kind === "array" && element.element.kind === "real";
    if (leaf === undefined) unfit.add(type);
    else if (isActive && (isOfRows || element.kind === "real")) return leaf;
    else if (element.kind === "real") read.push(leaf);
    // To look at the memory of all rows that are data would take longer than it spares; and the items of other arrays may have getters, which call anything
    else unfit.add(type);
    return null;
  };

  const like = (type: Type, isActive: boolean): TsExpr | null => {
    switch (type.kind) {
      case "real":
      case "int":
      case "bool":
        place++;
        return null;
      case "array":
        return arrayLike(type, isActive);
      case "tuple":
        return parts([...type.items.keys()].map(String), type.items, isActive);
      case "data": {
        const { shapes } = types;
        if (types.leaves.isSplit(type)) {
          const { keys, fields } = shapes.record(type, shapes.onlyConstructor(type));
          return parts(keys, fields, isActive);
        }
        unfit.add(type);
        return null;
      }
      case "fn":
      case "typeVar":
        unfit.add(type);
        return null;
    }
  };

  const fields = inputs.flatMap(({ type, items, isActive, hint }): TsProperty[] => {
    if (items === null) {
      const value = like(type, isActive);
      return value === null ? [] : [{ name: hint, value }];
    }
    place += items.length;
    if (isActive) unfit.add(type);
    return [];
  });
  if (unfit.size > 0 || fields.length === 0) return null;
  const expr = callOf(refer("buffers.earlierArrays"), id(buffers), object(fields), ...read);
  return { kind: "expr", expr };
}
