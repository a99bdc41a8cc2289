import type { Doc } from "prettier";
import { printer } from "prettier/doc";
import { Comments } from "./format-comments.js";
import { termDoc } from "./format-terms.js";
import { patternDoc, patternLevel } from "./format-types.js";
import type { Expr, Pattern } from "./tree.js";

/** What takes more characters than this is left out, calls and tuples where they take more than that. */
const longest = 24;
const longestCall = 120;

/** Lambdas, calls and tuples are shown in others down to this depth. */
const maxDepth = 5;

/** An expression on one line, with `..` for the long parts of it. What does not stand in the text has an empty span. */
export function sketch(expr: Expr): string {
  return onOneLine(termDoc(shorten(expr, 0), new Comments("")));
}

/** An expression with all of its parts, without comments. */
export function wholeText(expr: Expr): string {
  return onOneLine(termDoc(expr, new Comments("")));
}

/** A pattern on one line; null for a long one. */
export function sketchPattern(pattern: Pattern): string | null {
  const { start, end } = pattern.span;
  return end - start > longestCall ? null : onOneLine(patternDoc(pattern, patternLevel.any, new Comments("")));
}

function onOneLine(printed: Doc): string {
  return printer.printDocToString(printed, { printWidth: Infinity, tabWidth: 2 }).formatted;
}

function shorten(expr: Expr, depth: number): Expr {
  const dots: Expr = { kind: "variable", name: { name: "..", span: expr.span }, span: expr.span };
  const length = expr.span.end - expr.span.start;
  if (depth > maxDepth || (length > longestCall && expr.kind !== "lambda")) return dots;
  const inside = (part: Expr): Expr => shorten(part, depth + 1);
  switch (expr.kind) {
    case "apply":
      // The arguments of one call are at one depth
      return { ...expr, fn: shorten(expr.fn, depth), arg: inside(expr.arg) };
    case "lambda":
      return { ...expr, body: inside(expr.body) };
    case "tuple":
      return { ...expr, items: expr.items.map(inside) };
    case "index":
      return { ...expr, array: inside(expr.array), index: inside(expr.index) };
    case "negate":
      return { ...expr, expr: inside(expr.expr) };
    case "binary":
      if (length > 0) return length > longest ? dots : expr;
      return { ...expr, left: inside(expr.left), right: inside(expr.right) };
    // Set on several lines
    case "let":
    case "letFunction":
    case "case":
      return dots;
    default:
      return length > longest ? dots : expr;
  }
}
