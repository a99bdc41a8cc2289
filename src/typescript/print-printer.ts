// What the parts of the printer share: each lays out some kinds of nodes, and asks the printer for those below.

import type { Doc } from "./print-docs.js";
import type { Target } from "./print-normal.js";
import type { Place } from "./print-place.js";
import type { TsExpr, TsStmt } from "./tree.js";

export interface Printer {
  readonly target: Target;
  /** An expression in normal form, with parentheses where it needs them. */
  expression(expr: TsExpr, place: Place): Doc;
  /** An expression of a statement, in any form. */
  statementExpression(expr: TsExpr, place: Place): Doc;
  /** `{ .. }`; `emptyOnOneLine`: `{}` where there are no statements, as prettier has it after some heads. */
  block(statements: readonly TsStmt[], emptyOnOneLine: boolean): Doc;
  readonly objects: ObjectBreaks;
}

/** Where the right side of an assignment goes. */
export type Layout =
  | "break-after-operator"
  | "never-break-after-operator"
  | "fluid"
  | "break-left"
  | "chain"
  | "chain-tail"
  | "chain-tail-arrow-chain";

/** Starts the mark that a broken object leaves in the text; all characters of a mark have no width. */
const markStart = "\u0001";
const markDigits = 0x0e;
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const marks = /\u0001([\u000e-\u0017]+)/g;

/**
 * prettier keeps an object literal or object type broken where its first key stands on a line of its own. So a layout is final only when it is
 * prettier's layout of a text with just the objects broken that are broken in it. Objects are numbered in the order in which they are printed.
 */
export class ObjectBreaks {
  readonly #broken: ReadonlySet<number>;
  #next = 0;

  constructor(broken: ReadonlySet<number>) {
    this.#broken = broken;
  }

  /** A mark that shows in the text when the object's group is broken, and whether it must be broken. */
  enter(): { readonly mark: string; readonly broken: boolean } {
    const id = this.#next;
    this.#next += 1;
    const digits = String(id).replace(/\d/g, (digit) => String.fromCharCode(markDigits + Number(digit)));
    return { mark: markStart + digits, broken: this.#broken.has(id) };
  }

  /** The numbers of the objects that are broken in a text with marks. */
  static brokenIn(text: string): ReadonlySet<number> {
    const ids = new Set<number>();
    for (const [, digits = ""] of text.matchAll(marks)) {
      ids.add(Number(digits.replace(/./gs, (digit) => String(digit.charCodeAt(0) - markDigits))));
    }
    return ids;
  }

  static withoutMarks(text: string): string {
    return text.replace(marks, "");
  }
}
