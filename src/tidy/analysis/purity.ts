// What is known of the functions that emitted code calls, and of expressions that call them.

import { isMath } from "../../typescript/facts.js";
import type { TsExpr } from "../../typescript/tree.js";

/** What tidying knows of the module around a function. */
export interface Surroundings {
  /** What of the runtime (`file.name`) an identifier stands for; null where it is something else. */
  readonly reference: (name: string) => string | null;
  /** The identifier that stands for something of the runtime; null where the module has none. */
  readonly nameOf: (reference: string) => string | null;
  /** The properties that some function of the module assigns to; "[]" where it assigns to elements. */
  readonly written: ReadonlySet<string>;
  /** The constructors whose objects have types of their own, by the names of these types. */
  readonly constructors: ReadonlyMap<string, string>;
  /** By constructor all constructors of its data type. */
  readonly alternatives: ReadonlyMap<string, readonly string[]>;
}

/** Functions of the runtime that give a number for any numbers. */
const total: ReadonlySet<string> = new Set(
  [
    "scale",
    "relu",
    "exp",
    "exp2",
    "hypot",
    "overLength",
    "sigmoid",
    "softplus",
    "lgamma",
    "digamma",
    "polygamma",
    "overSquares",
    "powSlope",
    "powRate",
    "erf",
    "erfc",
    "negInt",
  ].map((name) => `numbers.${name}`),
);

/** Files of the runtime whose functions leave what they are given as it is, and functions that do so. */
const reading: ReadonlySet<string> = new Set(["numbers", "values"]);
const alsoReading: ReadonlySet<string> = new Set([
  "adjoint.zerosLike",
  "adjoint.zeroStore",
  "adjoint.zeroRows",
  "adjoint.workArray",
  "adjoint.workRows",
  "buffers.earlierArrays",
  "workspace.leaveWorkspace",
  "workspace.numbersRead",
  "workspace.zerosIn",
  "arrays.arraySize",
  "arrays.outside",
  "limits.endless",
]);

/** Functions of the runtime that give a copy of what they are given, which has memory of its own. */
const copying: ReadonlySet<string> = new Set(["values.copyValue"]);

/** Functions of the runtime that call what they are given. */
const calling: ReadonlySet<string> = new Set(["values.withinStack"]);

/** Functions of the runtime that change what they are given, all of it. */
const changing: ReadonlySet<string> = new Set(["adjoint.takeStore", "adjoint.addToStore", "buffers.refill"]);

/** Functions of the runtime that are given something for the last time. */
const last: ReadonlySet<string> = new Set(["buffers.refill"]);

/** Functions that move numbers from the arrays that they are given into objects that they are given, and keep nothing; and those of a module that do so. */
const filling: ReadonlySet<string> = new Set(["buffers.noteFilled"]);

/** Functions of the runtime that make arrays of zeros. */
const zeros: ReadonlySet<string> = new Set([
  "adjoint.zerosLike",
  "adjoint.zeroStore",
  "adjoint.zeroRows",
  "adjoint.workArray",
  "adjoint.workRows",
  "workspace.zerosIn",
]);

/** Whether a call gives a number, whatever it is given, and does nothing else. */
export function isTotalCall(fn: TsExpr, { reference }: Surroundings): boolean {
  return isMath(fn) || (fn.kind === "id" && total.has(reference(fn.name) ?? ""));
}

/** Whether a call is given numbers and texts alone, and does nothing but give a number, or end in an error. */
export function isNumberCall(fn: TsExpr, surroundings: Surroundings): boolean {
  if (isTotalCall(fn, surroundings)) return true;
  const found = fn.kind === "id" ? (surroundings.reference(fn.name) ?? "") : "";
  return (
    found.startsWith("numbers.") ||
    found === "arrays.outside" ||
    found === "arrays.arraySize" ||
    found === "limits.endless"
  );
}

/** Whether a call leaves what it is given as it is. */
export function isReadingCall(fn: TsExpr, { reference }: Surroundings): boolean {
  if (isMath(fn)) return true;
  const found = fn.kind === "id" ? reference(fn.name) : null;
  if (found === null || calling.has(found)) return false;
  return alsoReading.has(found) || reading.has(found.slice(0, found.indexOf(".")));
}

/** Whether a call leaves what it is given as it is, and gives something that shares no memory with it. */
export function isCopyingCall(fn: TsExpr, { reference }: Surroundings): boolean {
  return fn.kind === "id" && copying.has(reference(fn.name) ?? "");
}

/** Whether what a call is given is not used any more: no two of it need to be told apart from then on. */
export function isLastCall(fn: TsExpr, { reference }: Surroundings): boolean {
  return fn.kind === "id" && last.has(reference(fn.name) ?? "");
}

/** Whether a call moves numbers, keeps nothing of what it is given, and gives whether it did. */
export function isFillingCall(fn: TsExpr, { reference }: Surroundings): boolean {
  return fn.kind === "id" && filling.has(reference(fn.name) ?? "");
}

/** Whether a function of the runtime changes all of what it is given. */
export function isChangingCall(fn: TsExpr, { reference }: Surroundings): boolean {
  const found = fn.kind === "id" ? (reference(fn.name) ?? "") : "";
  return changing.has(found) || filling.has(found);
}

/** Whether an expression is a value that can be computed anywhere, as long as what it reads is the same: it does nothing, and makes no object. */
export function isTotal(expr: TsExpr, surroundings: Surroundings): boolean {
  switch (expr.kind) {
    case "id":
    case "number":
    case "string":
    case "boolean":
    case "null":
    case "undefined":
      return true;
    case "binary":
      return isTotal(expr.left, surroundings) && isTotal(expr.right, surroundings);
    case "unary":
      return isTotal(expr.arg, surroundings);
    case "cond":
      return isTotal(expr.test, surroundings) && isTotal(expr.then, surroundings) && isTotal(expr.else, surroundings); // prettier-ignore
    case "call":
      return isTotalCall(expr.fn, surroundings) && expr.args.every((arg) => isTotal(arg, surroundings));
    case "member":
      return isTotal(expr.object, surroundings);
    case "index":
      return isTotal(expr.object, surroundings) && isTotal(expr.index, surroundings);
    case "as":
      return isTotal(expr.expr, surroundings);
    case "arrow":
    case "object":
    case "array":
    case "new":
    case "yield":
    case "assign":
      return false;
  }
}

/** Whether an expression makes an object that nothing else has, and does nothing else. */
export function isFresh(expr: TsExpr, surroundings: Surroundings): boolean {
  switch (expr.kind) {
    case "arrow":
      return true;
    case "object":
      return expr.fields.every(({ value }) => isTotalOrFresh(value, surroundings));
    case "array":
      return expr.items.every((item) => isTotalOrFresh(item, surroundings));
    case "new":
      if (expr.fn.kind !== "id" || !isClass(expr.fn.name, surroundings)) return false;
      return expr.args.every((arg) => isTotalOrFresh(arg, surroundings));
    case "call":
      if (expr.fn.kind !== "id" || !zeros.has(surroundings.reference(expr.fn.name) ?? "")) return false;
      return expr.args.every((arg) => isTotalOrFresh(arg, surroundings));
    case "as":
      return isFresh(expr.expr, surroundings);
    default:
      return false;
  }
}

/** Whether a class makes objects and does nothing else. */
function isClass(name: string, { reference }: Surroundings): boolean {
  return name === "Float64Array" || name === "Array" || reference(name) === "adjoint.SavedValues";
}

function isTotalOrFresh(expr: TsExpr, surroundings: Surroundings): boolean {
  return isTotal(expr, surroundings) || isFresh(expr, surroundings);
}
