// Between values as the exported interface has them and their leaves. Most leaves are parts of the value as they stand; arrays of what is split (pairs,
// records) are taken apart into arrays of the leaves, and put together again.

import type { Type } from "../core/type.js";
import type { Leaves } from "../flat/leaves.js";
import { leafName, leafNames, partNames, type LeafName } from "../flat/naming.js";
import type { Rep } from "../flat/program.js";
import { InternalError } from "../internal-error.js";
import type { Refer } from "../emit/lower/lower-operators.js";
import { assign, callOf, id, member, number } from "../typescript/build.js";
import { identifier, type Scope } from "../typescript/naming.js";
import type { TsExpr, TsStmt, TsType } from "../typescript/tree.js";
import { cellOf, countingUp } from "./code.js";
import { asType, follow, realArray, type ZeroStores } from "./operations.js";
import type { AdjointTypes } from "./types.js";
import type { Mirrors } from "./shadow-constructors.js";

export interface BoundarySetting {
  readonly types: AdjointTypes;
  readonly leaves: Leaves;
  readonly zeros: ZeroStores;
  readonly copies: Mirrors;
  readonly refer: Refer;
  /** The names that are in use. */
  readonly scope: Scope;
  /** Whether what is put together is a cotangent. */
  readonly isCotangent: boolean;
}

/** The leaves of a value; `out` receives the statements that make them. */
export function takeApart(
  type: Type,
  value: TsExpr,
  hint: string,
  out: TsStmt[],
  setting: BoundarySetting,
): readonly TsExpr[] {
  const { types, leaves } = setting;
  const hints = partNames(hint, type, leaves);
  switch (type.kind) {
    case "real":
    case "int":
    case "bool":
      return [value];
    case "tuple":
      return type.items.flatMap((item, index) => takeApart(item, follow(value, [index]), hints[index] ?? hint, out, setting)); // prettier-ignore
    case "data": {
      if (!leaves.isSplit(type)) {
        const inside = types.of({ kind: "object", type }, "adjoint");
        return [types.shapes.isSame(type) ? value : asType(types.conversions.call("inward", type, value), inside)];
      }
      const con = types.shapes.onlyConstructor(type);
      const { keys, fields } = types.shapes.record(type, con);
      return fields.flatMap((field, index) => takeApart(field, follow(value, [keys[index] ?? ""]), hints[index] ?? hint, out, setting)); // prettier-ignore
    }
    case "array": {
      if (types.shapes.isSame(type)) return [value];
      return takeArrayApart(type, value, hint, out, setting);
    }
    case "fn":
    case "typeVar":
      throw new InternalError("adjoint", `a ${type.kind} in the interface`);
  }
}

function takeArrayApart(
  type: Type & { readonly kind: "array" },
  value: TsExpr,
  hint: string,
  out: TsStmt[],
  setting: BoundarySetting,
): readonly TsExpr[] {
  const { leaves, types, scope } = setting;
  const reps = leaves.of(type.element);
  if (reps.length === 0) return [member(value, "length")];
  const whole = named(value, () => scope.fresh(hint), out);
  const names = leafNames(hint, type, leaves);
  const arrays = reps.map((rep, index) => ({ name: scope.fresh(nameOf(names[index], hint)), rep }));
  // Once: it is the length of all of them
  const length = named(member(whole, "length"), () => scope.own("size"), out);
  for (const { name, rep } of arrays) out.push(newArray(name, rep, length, types));
  const [index, item] = [scope.fresh("i"), scope.fresh("item")];
  const body: TsStmt[] = [{ kind: "const", target: item, type: null, init: cellOf(whole, id(index)) }];
  const parts = takeApart(type.element, id(item), hint, body, setting);
  parts.forEach((part, place) => {
    const array = arrays[place];
    if (array !== undefined)
      body.push(assign({ kind: "index", object: id(array.name), index: id(index), certain: false }, part));
  });
  out.push(countingUp(index, length, body));
  return arrays.map(({ name }) => id(name));
}

/** The value that leaves make; they are taken from the front of `parts`. */
export function putTogether(
  type: Type,
  parts: TsExpr[],
  hint: string,
  out: TsStmt[],
  setting: BoundarySetting,
): TsExpr {
  const { types, leaves, scope, isCotangent } = setting;
  const made = (name: string): string => (isCotangent ? scope.after(identifier(name), "cotangent") : scope.fresh(name));
  const hints = partNames(hint, type, leaves);
  switch (type.kind) {
    case "tuple":
      if (type.items.length === 0) return { kind: "null" };
      return { kind: "array", items: type.items.map((item, index) => putTogether(item, parts, hints[index] ?? hint, out, setting)) }; // prettier-ignore
    case "data": {
      if (!leaves.isSplit(type)) break;
      const con = types.shapes.onlyConstructor(type);
      const { keys, fields, isTagged } = types.shapes.record(type, con);
      const properties = fields.map((field, index) => ({
        name: keys[index] ?? "",
        value: putTogether(field, parts, hints[index] ?? hint, out, setting),
      }));
      const tag = { name: "tag", value: { kind: "string", value: con } } as const;
      return { kind: "object", fields: isTagged ? [tag, ...properties] : properties };
    }
    case "array": {
      if (types.shapes.isSame(type)) break;
      const reps = leaves.of(type.element);
      const names = leafNames(hint, type, leaves);
      const own = parts.splice(0, Math.max(reps.length, 1));
      // Of integers the cotangents are zero: only where there is nothing else are they needed, for their number
      const isLength = areLengths(type.element, setting);
      const isZero = reps.map((rep, index) => isCotangent && rep.kind === "int" && isLength[index] !== true);
      const first = Math.max(isZero.indexOf(false), 0);
      const arrays = own.map((part, index) => {
        if (isZero[index] === true && index !== first) return null;
        return named(part, () => made(nameOf(names[index], hint)), out);
      });
      const whole = arrays[first] ?? null;
      if (whole === null) throw new InternalError("adjoint", "an array has no leaves");
      const length = reps.length === 0 ? whole : member(whole, "length");
      const [name, index] = [made(hint), scope.fresh("i")];
      out.push({ kind: "const", target: name, type: { kind: "name", name: "Array", args: [types.outside(type.element, setting.isCotangent)] }, init: { kind: "new", fn: id("Array"), args: [length] } }); // prettier-ignore
      const body: TsStmt[] = [];
      const items = reps.length === 0 ? [] : arrays.map((array, at) => array === null || isZero[at] === true ? number(0) : cellOf(array, id(index))); // prettier-ignore
      const item = putTogether(type.element, items, hint, body, setting);
      body.push(assign({ kind: "index", object: id(name), index: id(index), certain: false }, item));
      out.push(countingUp(index, length, body));
      return id(name);
    }
    default:
  }
  const part = parts.shift();
  if (part === undefined) throw new InternalError("adjoint", "a leaf is missing");
  if (type.kind !== "data" || types.shapes.isSame(type)) return part;
  return asType(types.conversions.call("outward", type, part), types.outside(type, setting.isCotangent));
}

function newArray(name: string, rep: Rep, length: TsExpr, types: AdjointTypes): TsStmt {
  if (rep.kind === "real") return { kind: "const", target: name, type: null, init: realArray(length) };
  const type: TsType = { kind: "name", name: "Array", args: [types.of(rep, "adjoint")] };
  return { kind: "const", target: name, type, init: { kind: "new", fn: id("Array"), args: [length] } };
}

/** Of each leaf of a type, whether it stands for an array whose elements have no leaves, or for several: a length is no cotangent. */
export function areLengths(type: Type, setting: BoundarySetting): readonly boolean[] {
  const { types, leaves } = setting;
  if (type.kind === "tuple") return type.items.flatMap((item) => areLengths(item, setting));
  if (type.kind === "data" && leaves.isSplit(type)) {
    return types.shapes
      .record(type, types.shapes.onlyConstructor(type))
      .fields.flatMap((field) => areLengths(field, setting));
  }
  if (type.kind !== "array") return [false];
  return leaves.of(type.element).length === 0 ? [true] : areLengths(type.element, setting);
}

function nameOf(name: LeafName | undefined, hint: string): string {
  return name === undefined ? hint : leafName(name);
}

function named(value: TsExpr, fresh: () => string, out: TsStmt[]): TsExpr {
  if (value.kind === "id") return value;
  const name = fresh();
  out.push({ kind: "const", target: name, type: null, init: value });
  return id(name);
}

/** A leaf as a value that shares no memory with another. */
export function cloneOf(rep: Rep, value: TsExpr, { types, copies }: BoundarySetting): TsExpr {
  if (rep.kind === "real" || rep.kind === "int" || rep.kind === "bool") return value;
  if (rep.kind === "array" && rep.element.kind === "real") return callOf(member(value, "slice"));
  return copies.call(rep, value) ?? asType(types.callOn("values.copyValue", rep, value), types.of(rep, "adjoint"));
}
