import { describe, expect, test } from "vitest";
import { infer } from "../../test/typed.js";

/** What is suggested for each unknown name of a text. */
function suggested(text: string): readonly string[] {
  return infer(text).mistakes.flatMap((mistake) =>
    mistake.kind === "unbound" ? [`${mistake.name}: ${mistake.suggestions.join(", ")}`] : [],
  );
}

describe("a misspelt function with a second mistake in its argument has its suggestion", () => {
  test.each([
    ["unknown names, each with its own", "def f (x : R) : R = sqrtt (coss (xx + summ 1) + foo)", ["sqrtt: sqrt", "coss: cos, cosh", "xx: x", "summ: ", "foo: "]],
    ["one that has a repair", "def f (n : Z) : R = sqrtt (toReal n + n)", ["sqrtt: sqrt"]],
    ["one that is told otherwise where the type is known", "def f (x : R) : R = sqrtt (if x > 0 then 1 else true)", ["sqrtt: sqrt"]],
    ["one of a call", "def f (x : R) : R = sqrtt (sin x x)", ["sqrtt: sqrt"]],
    ["a Z for an R", "def f (n : Z) : R = sqrtt n", ["sqrtt: sqrt"]],
    ["a field", "data P = P { a : R }\ndef f (p : P) : R = sqrtt p.ab", ["sqrtt: sqrt"]],
  ])("%s", (_, text, names) => {
    expect(suggested(text)).toEqual(names);
  }); // prettier-ignore
});

test("what does not fit in its place is not suggested", () => {
  expect(suggested("def f (x : R) : R = lenght x")).toEqual(["lenght: "]);
  expect(suggested("def f (x : R) : R = lenght (x + true)")).toEqual(["lenght: length"]);
  // `count` would take a Z, and `counts` fits
  const text = "def counts (x : R) : R = x\ndef county (n : Z) : R = 2\ndef f (x : R) : R = countz x";
  expect(suggested(text)).toEqual(["countz: counts"]);
});
