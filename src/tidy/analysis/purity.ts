// What is known of the functions that emitted code calls, and of expressions that call them.

import { effects, type Effect } from "../../runtime/effects.js";
import { isMath, partsOf } from "../../typescript/facts.js";
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
  /** Whether a function of the module keeps nothing of its argument at an index, an array of numbers or of such rows (lending.ts). */
  readonly isLent: (fn: string, index: number) => boolean;
}

/** What is known of a function that is called; null where it may do anything. */
function effectOf(fn: TsExpr, { reference }: Surroundings): Effect | null {
  return fn.kind === "id" ? (effects.get(reference(fn.name) ?? "") ?? null) : null;
}

/** Whether an expression calls a function of the runtime, `file.name`. */
export function isCallOf(
  expr: TsExpr,
  name: string,
  { reference }: Pick<Surroundings, "reference">,
): expr is TsExpr & { readonly kind: "call" } {
  return expr.kind === "call" && expr.fn.kind === "id" && reference(expr.fn.name) === name;
}

/** Whether a call gives a number, whatever it is given, and does nothing else. */
export function isTotalCall(fn: TsExpr, surroundings: Surroundings): boolean {
  const effect = effectOf(fn, surroundings);
  return isMath(fn) || (effect?.gives === "number" && !effect.mayFail);
}

/** Whether a call is given numbers and texts alone, and does nothing but give a number, or end in an error. */
export function isNumberCall(fn: TsExpr, surroundings: Surroundings): boolean {
  return isMath(fn) || effectOf(fn, surroundings)?.gives === "number";
}

/** Whether a call leaves what it is given as it is. */
export function isReadingCall(fn: TsExpr, surroundings: Surroundings): boolean {
  return isMath(fn) || effectOf(fn, surroundings)?.given === "left";
}

/** Whether a call leaves what it is given as it is, and gives something that shares no memory with it. */
export function isCopyingCall(fn: TsExpr, surroundings: Surroundings): boolean {
  return effectOf(fn, surroundings)?.gives === "copy";
}

/** Whether a call leaves what it is given as it is, and nothing has memory of it afterwards. */
export function isBorrowingCall(fn: TsExpr, surroundings: Surroundings): boolean {
  return isReadingCall(fn, surroundings) && effectOf(fn, surroundings)?.gives !== "anything";
}

/** Whether what a call is given is not used any more: no two of it need to be told apart from then on. */
export function isLastCall(fn: TsExpr, surroundings: Surroundings): boolean {
  return effectOf(fn, surroundings)?.isLast === true;
}

/** Whether a call moves numbers, keeps nothing of what it is given, and gives whether it did. */
export function isFillingCall(fn: TsExpr, surroundings: Surroundings): boolean {
  return effectOf(fn, surroundings)?.given === "moved";
}

/** Whether a function of the runtime changes all of what it is given. */
export function isChangingCall(fn: TsExpr, surroundings: Surroundings): boolean {
  const given = effectOf(fn, surroundings)?.given;
  return given === "changed" || given === "moved";
}

/** Whether an expression is a value that can be computed anywhere, as long as what it reads is the same: it does nothing, and makes no object. */
export function isTotal(expr: TsExpr, surroundings: Surroundings): boolean {
  switch (expr.kind) {
    case "arrow":
    case "object":
    case "array":
    case "new":
    case "yield":
    case "assign":
      return false;
    case "call":
      return isTotalCall(expr.fn, surroundings) && expr.args.every((arg) => isTotal(arg, surroundings));
    default:
      return partsOf(expr).every((part) => isTotal(part, surroundings));
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
      return (
        effectOf(expr.fn, surroundings)?.gives === "zeros" &&
        expr.args.every((arg) => isTotalOrFresh(arg, surroundings))
      );
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
