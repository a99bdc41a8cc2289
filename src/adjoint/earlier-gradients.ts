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

/**
 * Adds the call for a function whose result has arrays, of lengths that are not known where it begins: `earlierArrays(buffers, { jacobian: anyLength }, xs)`; none where
 * parameters are of other types. It stands behind what its arguments are, and in front of the loops that read others, which may become one with those behind.
 */
export function addEarlierResult(
  stmts: TsStmt[],
  buffers: string,
  result: Type,
  inputs: readonly Input[],
  leaves: readonly TsExpr[],
  types: AdjointTypes,
  refer: Refer,
): void {
  const read = arraysRead(inputs, leaves, types);
  if (read === null) return;
  const like = placesIn(result, refer("buffers.anyLength"), types);
  const names = new Set(read.flatMap((array) => (array.kind === "id" ? [array.name] : [])));
  const last = stmts.findLastIndex((stmt) => stmt.kind === "const" && typeof stmt.target === "string" && names.has(stmt.target)); // prettier-ignore
  stmts.splice(last + 1, 0, { kind: "expr", expr: callOf(refer("buffers.earlierArrays"), id(buffers), like, ...read) });
}

/** The arrays that are read, of all leaves; null where rows, or what is in lists, has the memory of arrays. */
function arraysRead(
  inputs: readonly Input[],
  leaves: readonly TsExpr[],
  types: AdjointTypes,
): readonly TsExpr[] | null {
  const read: TsExpr[] = [];
  let place = 0;
  const isRead = (type: Type): boolean => {
    if (!types.isWide(type)) {
      place += types.leaves.of(type).length;
      return true;
    }
    const parts = partsOf(type, types);
    if (parts !== null) return parts.every(([, part]) => isRead(part));
    if (type.kind === "array" && type.element.kind === "real") read.push(...leaves.slice(place, ++place));
    return type.kind === "array" && type.element.kind === "real";
  };
  const areRead = inputs.every(({ type, items }) => {
    place += items?.length ?? 0;
    return items === null ? isRead(type) : !types.isWide(type);
  });
  return areRead ? read : null;
}

/** An object with `array` in the places of all arrays in a result, and of what holds them in another way than tuples and records do. */
function placesIn(type: Type, array: TsExpr, types: AdjointTypes): TsExpr {
  const parts = partsOf(type, types);
  if (parts === null) return array;
  const wide = parts.filter(([, part]) => types.isWide(part));
  return object(wide.map(([name, part]) => ({ name, value: placesIn(part, array, types) })));
}

/** The parts of tuples and records, by their keys. */
function partsOf(type: Type, { leaves, shapes }: AdjointTypes): readonly (readonly [key: string, Type])[] | null {
  if (type.kind === "tuple") return type.items.map((item, index) => [String(index), item]);
  if (type.kind !== "data" || !leaves.isSplit(type)) return null;
  const { keys, fields } = shapes.record(type, shapes.onlyConstructor(type));
  return fields.map((field, index) => [keys[index] ?? "", field]);
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
