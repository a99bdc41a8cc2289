// Operator expressions. The grammar has them as a flat sequence of heads (`-`, and what ends in a body that extends as far right as
// possible: `\p.`, `let .. in`, `if .. else`), operands and infix operators; here the table of precedences makes a tree of it, without
// recursion, so that a chain may be as long as a program.

import type { IToken } from "chevrotain";
import { InternalError } from "../internal-error.js";
import { joinSpans, type Span } from "./source.js";
import type { BinaryOperator, Expr, FunctionBinding, Pattern, Spelling } from "./tree.js";

export type Associativity = "left" | "right" | "none";

export interface Fixity {
  /** Higher binds tighter. */
  readonly precedence: number;
  readonly associativity: Associativity;
}

/** The operator table of grammar/lam.ebnf. `|*|` has 1, unary minus 8, `!` 10, application 11. */
export const fixities: Readonly<Record<BinaryOperator, Fixity>> = {
  "||": { precedence: 2, associativity: "left" },
  "&&": { precedence: 3, associativity: "left" },
  "==": { precedence: 4, associativity: "none" },
  "/=": { precedence: 4, associativity: "none" },
  "<": { precedence: 4, associativity: "none" },
  "<=": { precedence: 4, associativity: "none" },
  ">": { precedence: 4, associativity: "none" },
  ">=": { precedence: 4, associativity: "none" },
  "::": { precedence: 5, associativity: "right" },
  "+": { precedence: 6, associativity: "left" },
  "-": { precedence: 6, associativity: "left" },
  "*": { precedence: 7, associativity: "left" },
  "/": { precedence: 7, associativity: "left" },
  "^": { precedence: 9, associativity: "right" },
};
export const parallelPrecedence = 1;
export const negatePrecedence = 8;
/** `a ! i` associates to the left. */
export const indexPrecedence = 10;

const spellings: readonly (readonly [string, BinaryOperator, Spelling])[] = [
  ["||", "||", "ascii"], ["∨", "||", "unicode"], ["&&", "&&", "ascii"], ["∧", "&&", "unicode"], ["==", "==", "ascii"],
  ["/=", "/=", "ascii"], ["≠", "/=", "unicode"], ["<", "<", "ascii"], ["<=", "<=", "ascii"], ["≤", "<=", "unicode"],
  [">", ">", "ascii"], [">=", ">=", "ascii"], ["≥", ">=", "unicode"], ["::", "::", "ascii"], ["+", "+", "ascii"],
  ["-", "-", "ascii"], ["*", "*", "ascii"], ["×", "*", "unicode"], ["/", "/", "ascii"], ["^", "^", "ascii"],
]; // prettier-ignore

const written = new Map(spellings.map(([text, operator, spelling]) => [text, { operator, spelling }]));

/** Whether a text is an infix operator. */
export function isOperator(text: string): boolean {
  return written.has(text);
}

/** The operator that a token of the category `infix` writes. */
export function operatorOf(token: IToken): { readonly operator: BinaryOperator; readonly spelling: Spelling } {
  const found = written.get(token.image);
  if (found === undefined) throw new InternalError("parse", `no infix operator: ${token.image}`);
  return found;
}

/** How the operator is written in the given spelling. */
export function operatorText(operator: BinaryOperator, spelling: Spelling): string {
  return spellings.find(([, name, how]) => name === operator && how === spelling)?.[0] ?? operator;
}

/** What stands before an expression and takes all of it that its precedence allows. */
export type Head =
  | { readonly kind: "negate"; readonly span: Span }
  | { readonly kind: "lambda"; readonly params: readonly Pattern[]; readonly spelling: Spelling; readonly span: Span }
  | { readonly kind: "let"; readonly pattern: Pattern; readonly bound: Expr; readonly span: Span }
  | {
      readonly kind: "letFunction";
      readonly recursive: boolean;
      readonly bindings: readonly FunctionBinding[];
      readonly span: Span;
    }
  | { readonly kind: "if"; readonly cond: Expr; readonly then: Expr; readonly span: Span };

/** One step of an operator expression, in the order of the text: heads and an operand, then an operator, and so on. */
export type Step =
  | { readonly kind: "head"; readonly head: Head }
  | { readonly kind: "operand"; readonly expr: Expr }
  | { readonly kind: "infix"; readonly operator: BinaryOperator; readonly spelling: Spelling; readonly span: Span }
  | { readonly kind: "parallel"; readonly spelling: Spelling; readonly span: Span }
  | { readonly kind: "index"; readonly span: Span };

/** What waits on the stack for its (last) operand. */
type Pending =
  | { readonly kind: "head"; readonly head: Head }
  | { readonly kind: "infix"; readonly step: Extract<Step, { kind: "infix" }>; readonly left: Expr }
  | { readonly kind: "parallel"; readonly items: Expr[]; readonly spelling: Spelling }
  | { readonly kind: "index"; readonly array: Expr; readonly operatorSpan: Span };

export interface ComparisonChain {
  readonly first: Span;
  readonly second: Span;
}

/** The tree of an operator expression, and the comparisons in it that have another comparison as their operand. */
export function resolveOperators(steps: readonly Step[]): { expr: Expr; chains: readonly ComparisonChain[] } {
  const pending: Pending[] = [];
  const chains: ComparisonChain[] = [];
  let current: Expr | null = null;

  const operand = (): Expr => {
    if (current === null) throw new InternalError("parse", "an operator without operand");
    return current;
  };
  const reduceWhile = (waits: (top: Pending) => boolean): void => {
    for (let top = pending.at(-1); top !== undefined && waits(top); top = pending.at(-1)) {
      pending.pop();
      current = complete(top, operand());
    }
  };

  for (const step of steps) {
    switch (step.kind) {
      case "head":
        pending.push(step);
        break;
      case "operand":
        current = step.expr;
        break;
      case "infix": {
        const { precedence, associativity } = fixities[step.operator];
        reduceWhile((top) => precedenceOf(top) > precedence);
        const top = pending.at(-1);
        if (top?.kind === "infix" && precedenceOf(top) === precedence) {
          if (associativity === "none") chains.push({ first: top.step.span, second: step.span });
          if (associativity !== "right") reduceWhile((next) => next === top);
        }
        pending.push({ kind: "infix", step, left: operand() });
        break;
      }
      case "index":
        reduceWhile((top) => precedenceOf(top) >= indexPrecedence);
        pending.push({ kind: "index", array: operand(), operatorSpan: step.span });
        break;
      case "parallel": {
        reduceWhile((top) => precedenceOf(top) > parallelPrecedence);
        const top = pending.at(-1);
        if (top?.kind === "parallel") top.items.push(operand());
        else pending.push({ kind: "parallel", items: [operand()], spelling: step.spelling });
        break;
      }
    }
  }
  reduceWhile(() => true);
  return { expr: operand(), chains };
}

function precedenceOf(pending: Pending): number {
  switch (pending.kind) {
    case "infix":
      return fixities[pending.step.operator].precedence;
    case "parallel":
      return parallelPrecedence;
    case "index":
      return indexPrecedence;
    case "head":
      return pending.head.kind === "negate" ? negatePrecedence : 0;
  }
}

function complete(pending: Pending, last: Expr): Expr {
  switch (pending.kind) {
    case "head":
      return completeHead(pending.head, last);
    case "infix": {
      const { operator, spelling, span } = pending.step;
      const { left } = pending;
      return {
        kind: "binary", operator, left, right: last, spelling, operatorSpan: span, span: joinSpans(left.span, last.span),
      }; // prettier-ignore
    }
    case "index": {
      const { array, operatorSpan } = pending;
      return { kind: "index", array, index: last, operatorSpan, span: joinSpans(array.span, last.span) };
    }
    case "parallel": {
      const items = [...pending.items, last];
      return {
        kind: "parallel",
        items,
        spelling: pending.spelling,
        span: joinSpans(items[0]?.span ?? last.span, last.span),
      };
    }
  }
}

function completeHead(head: Head, last: Expr): Expr {
  const span = joinSpans(head.span, last.span);
  switch (head.kind) {
    case "negate":
      return { kind: "negate", expr: last, span };
    case "lambda":
    case "let":
    case "letFunction":
      return { ...head, body: last, span };
    case "if":
      return { ...head, else: last, span };
  }
}
