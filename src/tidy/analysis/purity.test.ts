import { describe, expect, test } from "vitest";
import { surroundings } from "../../../test/support/tidied.js";
import { functionsIn } from "../../../test/support/typescript-tree.js";
import type { TsExpr } from "../../typescript/tree.js";
import { isFresh, isTotal } from "./purity.js";

function expression(text: string): TsExpr {
  const end = functionsIn(`function f(): number { return ${text}; }`)[0]?.body[0];
  if (end?.kind !== "return" || end.value === null) throw new Error(text);
  return end.value;
}

/** What an expression is: a value that can be computed anywhere, an object that nothing else has, or neither. */
function kindOf(text: string): string {
  const expr = expression(text);
  return isTotal(expr, surroundings) ? "total" : isFresh(expr, surroundings) ? "fresh" : "neither";
}

/** The forms with one part (`_`) that can be anything: what they are if the part is `x`, a new array, and a call that may do anything. */
const kindsOf = (form: string): string =>
  ["x", "new Float64Array(n)", "g(x)"].map((part) => kindOf(form.replace("_", part))).join(" ");

describe("an expression can be computed anywhere if all of its parts can", () => {
  test.each(
    "-_|_ + x|x + _|_ ? x : y|x ? _ : y|x ? y : _|_.length|_[x]|xs[_]|Math.exp(_)|Math.min(_, x)|Math.min(x, _)|scale(x, _)".split("|"), // prettier-ignore
  )("%s", (form) => {
    expect(kindsOf(form)).toBe("total neither neither");
  });
});

describe("an object is new if its parts are values, or new", () => {
  test.each(
    "[_, x]|[x, _]|({ a: _, b: x })|({ a: x, b: _ })|new Array(_)|new Float64Array(_)|zerosLike(_, x)|zerosLike(x, _)".split("|"), // prettier-ignore
  )("%s", (form) => {
    expect(kindsOf(form)).toBe("fresh fresh neither");
  });
});

test("a stack of saved values is new", () => {
  expect(kindOf("new SavedValues()")).toBe("fresh");
});

test("what does something, or may fail, is neither", () => {
  for (const text of ["g(x)", "x.f(y)", "outside(xs, i)", "takeStore(xs)", "(x = y)", "new Map(x)", "sameLength(x, y)"])
    expect(kindOf(text), text).toBe("neither");
});
