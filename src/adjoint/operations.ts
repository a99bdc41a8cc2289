// Operations of flat programs as expressions.

import { longest } from "../flat/ranges.js";
import type { OpName, Partial } from "../core/primitives.js";
import { primitive } from "../core/primitives.js";
import { InternalError } from "../internal-error.js";
import { lowerOp, lowerPartial, siteText, type Refer } from "../emit/lower/lower-operators.js";
import { repOf, sameAtom } from "../flat/build.js";
import type { Atom, Check, Operation, Rep, Var } from "../flat/program.js";
import { binary, callOf, id, lengthAlone, member, number, string, unary } from "../typescript/build.js";
import type { TsExpr, TsStmt, TsType } from "../typescript/tree.js";
import { cellOf } from "./code.js";
import type { Path } from "./object-layouts.js";
import type { AdjointTypes, Universe } from "./types.js";

/** Makes stores of zeros by functions of the module. */
export interface ZeroStores {
  /** A store of zeros for a value; null for a type that has no such function. */
  call(rep: Rep, value: TsExpr): TsExpr | null;
}

/** What operations need of the place where they are written. */
export interface Place {
  readonly types: AdjointTypes;
  readonly universe: Universe;
  readonly zeros: ZeroStores;
  readonly refer: Refer;
  /** The identifier of a variable. */
  name(variable: Var): string;
  /** What calls a function of the caller's. */
  extern(fn: string): TsExpr;
  /** The function that a closure's code is. */
  closure(code: string, captured: readonly Atom[]): TsExpr;
  /** Whether an object's constructor has been tested, so that TypeScript knows it here. */
  isKnown(object: Var): boolean;
}

export function atomExpr(atom: Atom, place: Place): TsExpr {
  switch (atom.kind) {
    case "var":
      return id(place.name(atom.variable));
    case "real":
    case "int":
      return number(atom.value);
    case "bool":
      return { kind: "boolean", value: atom.value };
  }
}

export function lowerOperation(op: Operation, result: Var, place: Place): TsExpr {
  const { types, refer } = place;
  const atom = (value: Atom): TsExpr => atomExpr(value, place);
  switch (op.kind) {
    case "copy":
    case "known":
      return atom(op.value);
    case "prim":
      return lowerOp(op.op, op.args.map(atom), op.site, refer);
    case "field":
      return leafOf(op.object, op.con, op.index, place);
    case "cell":
      return cellOf(atom(op.array), atom(op.index));
    case "length":
      return member(atom(op.array), "length");
    case "object":
      return types.shapes.build(op.type, op.con, op.args.map(atom));
    case "array":
      return arrayOf(op.element, op.items.map(atom));
    case "extern":
      return callOf(place.extern(op.fn), ...op.args.map(atom));
    case "closure":
      return place.closure(op.code, op.captured);
    case "realStore":
      return realArray(atom(op.size));
    case "objectStore": {
      return types.buildStore(op.type, op.con, op.args.map((arg) => (arg === null ? null : atom(arg)))); // prettier-ignore
    }
    case "zeroStore": {
      const value = atom(op.value);
      return zeroStoreOf(storedRep(result.rep), value, place);
    }
  }
}

/** A store of zeros for a leaf. */
export function zeroStoreOf(
  rep: Rep,
  value: TsExpr,
  { types, zeros, refer }: Pick<Place, "types" | "zeros" | "refer">,
): TsExpr {
  const own = zerosOf(rep, value, refer) ?? zeros.call(rep, value);
  return own ?? asType(types.callOn("adjoint.zerosLike", rep, value), types.store(rep));
}

/** What a store is one of; for an array of numbers or rows of them it is such an array itself. */
function storedRep(rep: Rep): Rep {
  return rep.kind === "store" ? rep.of : rep;
}

/** A store of zeros for an array of numbers, or for rows of them; null for other values. */
export function zerosOf(rep: Rep, value: TsExpr, refer: Refer): TsExpr | null {
  if (rep.kind !== "array") return null;
  if (rep.element.kind === "real") return realArray(member(value, "length"));
  const isRows = rep.element.kind === "array" && rep.element.element.kind === "real";
  return isRows ? callOf(refer("adjoint.zeroRows"), value) : null;
}

/** Leaf `index` of an object or of its store. */
export function leafOf(object: Atom, con: string, index: number, place: Place): TsExpr {
  if (object.kind !== "var") throw new InternalError("adjoint", "a literal is no object");
  const { rep } = object.variable;
  const isStore = rep.kind === "store";
  const of = isStore ? rep.of : rep;
  if (of.kind !== "object") throw new InternalError("adjoint", `a ${of.kind} has no fields`);
  const path = place.types.shapes.pathsOf(of.type, con)[index];
  if (path === undefined) throw new InternalError("adjoint", `${con} has no leaf ${index}`);
  const whole = atomExpr(object, place);
  const isOnly = place.types.isOnly(of.type, con);
  if (isStore) return follow(isOnly ? whole : asType(whole, place.types.storeOf(of.type, con)), path);
  const isMade = isOnly || place.isKnown(object.variable);
  return follow(isMade ? whole : asType(whole, place.types.madeBy(of.type, con, place.universe)), path);
}

export function follow(object: TsExpr, path: Path): TsExpr {
  return path.reduce<TsExpr>(
    (inner, step) =>
      typeof step === "string"
        ? member(inner, step)
        : { kind: "index", object: inner, index: number(step), certain: false },
    object,
  );
}

export function asType(expr: TsExpr, type: TsType): TsExpr {
  return { kind: "as", expr, type };
}

export function realArray(size: TsExpr): TsExpr {
  return { kind: "new", fn: id("Float64Array"), args: [size] };
}

function arrayOf(element: Rep, items: readonly TsExpr[]): TsExpr {
  if (element.kind !== "real") return { kind: "array", items };
  return realArray(items.length === 0 ? number(0) : { kind: "array", items });
}

export function lowerCheck(check: Check, site: string, place: Place): TsStmt {
  const { refer } = place;
  const fails = (test: TsExpr, otherwise: TsExpr): TsStmt => ({
    kind: "if",
    test,
    then: [{ kind: "expr", expr: otherwise }],
    else: [],
  });
  if (check.kind === "size") {
    const size = atomExpr(check.size, place);
    const isBad = binary("||", binary("<", size, number(0)), binary(">=", size, number(longest + 1)));
    return fails(isBad, callOf(refer("arrays.arraySize"), size, string(site)));
  }
  const [index, array] = [atomExpr(check.index, place), atomExpr(check.array, place)];
  const length = repOf(check.array).kind === "int" ? array : member(array, "length");
  const isBad = binary("||", binary("<", index, number(0)), binary(">=", index, length));
  const shown: TsExpr = length === array ? lengthAlone(length) : array;
  return fails(isBad, callOf(refer("arrays.outside"), shown, index, string(site)));
}

export { siteText };

export type Primitive = Operation & { readonly kind: "prim" };

/** Whether an operation is a number times itself, whose derivative is one product and not two. */
export function isSquare({ op, args: [left, right] }: Primitive): boolean {
  return op === "mul" && left?.kind === "var" && right !== undefined && sameAtom(left, right);
}

/**
 * The cotangent of a number of which there is the square: the product is doubled and no factor, which might become infinite where the other one is zero.
 * `guard`: the number may be infinite there itself.
 */
export function timesTwice(value: TsExpr, cotangent: TsExpr, guard: Refer | null): TsExpr {
  const product = guard === null ? binary("*", cotangent, value) : callOf(guard("numbers.scale"), cotangent, value);
  return binary("*", number(2), product);
}

/** What of an operation's arguments and result a partial derivative is computed from. */
export interface Needs {
  readonly args: ReadonlySet<number>;
  readonly result: boolean;
}

export function needsOf(op: OpName, index: number): Needs {
  const args = new Set<number>();
  let result = false;
  const visit = (partial: Partial): void => {
    switch (partial.kind) {
      case "arg":
        args.add(partial.index);
        return;
      case "result":
        result = true;
        return;
      case "number":
        return;
      case "op":
        partial.args.forEach(visit);
        return;
      case "if":
        [partial.cond, partial.then, partial.else].forEach(visit);
    }
  };
  const partial = primitive(op).partials[index];
  if (partial !== undefined && partial !== null) visit(partial);
  return { args, result };
}

/** The cotangent of argument `index`; null where it is always zero. */
export function partialOf(
  op: OpName,
  index: number,
  args: readonly TsExpr[],
  result: TsExpr,
  cotangent: TsExpr,
  refer: Refer,
  isGuarded: boolean,
): TsExpr | null {
  const partial = primitive(op).partials[index];
  if (partial === undefined || partial === null || (partial.kind === "number" && partial.value === 0)) return null;
  return lowerPartial(op, index, args, result, cotangent, refer, isGuarded);
}

/** Of a function of one number, the function that its derivative is, up to the sign: of sin it is cos. Null for others, and where that may be infinite. */
export function derivativeOf(op: OpName): { readonly op: OpName; readonly isNegative: boolean } | null {
  const { partials, singular } = primitive(op);
  const [partial, ...others] = partials;
  if (singular !== null || partial?.kind !== "op" || others.length > 0) return null;
  const [inner] = partial.args;
  const isNegative = partial.op === "neg" && inner?.kind === "op";
  const value = isNegative ? inner : partial;
  const [arg, ...more] = value.args;
  return arg?.kind === "arg" && more.length === 0 ? { op: value.op, isNegative } : null;
}

/** The cotangent of a number, where the derivative of the function is a value that is there. */
export function timesDerivative(derivative: TsExpr, isNegative: boolean, cotangent: TsExpr): TsExpr {
  const isOne = cotangent.kind === "number" && cotangent.value === 1;
  const product = isOne ? derivative : binary("*", cotangent, derivative);
  return isNegative ? unary("-", product) : product;
}
