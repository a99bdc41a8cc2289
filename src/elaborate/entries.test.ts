import { describe, expect, test } from "vitest";
import { elaborateText } from "../../test/support/elaborated.js";
import { explainEntries, explainLeftOut } from "../diagnostics/explain-entries.js";
import type { EntryParam } from "../core/term.js";

const leftOut = (text: string) => elaborateText(text).value.leftOut.map(explainLeftOut);

/** The mistakes that naming an entry gives, in words. */
function complaints(text: string, ...entries: readonly string[]): readonly string[] {
  return elaborateText(text, entries).mistakes.map((mistake) => {
    const { code, title, span, label, notes, hint } = explainEntries(mistake);
    return [
      `${code} ${title}`,
      `${text.slice(span.start, span.end)}: ${label}`,
      ...notes,
      `hint: ${hint ?? "none"}`,
    ].join("\n");
  });
}

const names = (param: EntryParam): unknown => (param.kind === "tuple" ? param.items.map(names) : param.name);

describe("without a request", () => {
  test("first-order definitions are exported in the order of the file, the others are left out with a reason", () => {
    const text = `
      data Layer = Layer R (R -> R)
      data Net = End | Then Layer Net
      def apply (f : R -> R) (x : R) : R = f x
      def square x = x * x
      def first (xs : List a) (d : a) : a = case xs of { Nil -> d; x :: _ -> x }
      def run (net : Net) (x : R) : R = case net of { End -> x; Then (Layer w f) rest -> run rest (f (w * x)) }
      def adder (x : R) = (x, \\(y : R). x + y)
      def two = 2.0
      def id = \\(x : R). x`;
    const { program } = elaborateText(text).value;
    expect(program.entries.map(({ name }) => name)).toEqual(["square", "two", "id"]);
    expect(leftOut(text)).toMatchInlineSnapshot(`
      [
        {
          "name": "apply",
          "reason": "its parameter f is a function: R -> R",
        },
        {
          "name": "first",
          "reason": "is polymorphic: List a -> a -> a",
        },
        {
          "name": "run",
          "reason": "its parameter net holds a function, field 2 of Layer of field 1 of Then: R -> R",
        },
        {
          "name": "adder",
          "reason": "its result holds a function, component 2: R -> R",
        },
      ]
    `);
  });

  test("a recursive data type is looked through once", () => {
    expect(
      leftOut(
        "data Tree a = Leaf a | Node (Forest a)\ndata Forest a = Forest (List (Tree a))\ndef f (t : Tree R) : R = 1",
      ),
    ).toEqual([]);
    expect(leftOut("data Tree a = Leaf a | Node (Tree a) (Tree a)\ndef f (t : Tree (R -> R)) : R = 1")).toEqual([
      { name: "f", reason: "its parameter t holds a function, field 1 of Leaf: R -> R" },
    ]);
  });
});

test("a definition whose value is a function is exported with the parameters of its lambdas, or new ones", () => {
  const text = `
    def f = \\(x : R, y : R). let z = x + y in x * z
    def g : R -> R -> R = \\a b. a * b
    def h (n : Z) = \\(x : R). x * toReal n
    def k = g`;
  const { program } = elaborateText(text).value;
  expect(program.entries.map(({ name, params }) => [name, params.map(names)])).toEqual([
    ["f", [["x", "y"]]],
    ["g", ["a", "b"]],
    ["h", ["n", "x"]],
    ["k", ["arg1", "arg2"]],
  ]);
});

describe("a request", () => {
  test("names definitions that exist", () => {
    expect(complaints("def loss (x : R) : R = x", "los", "listSum")).toMatchInlineSnapshot(`
      [
        "E0501 there is no definition \`los\`
      : 
      There are \`loss\`.
      hint: did you mean \`loss\`?",
        "E0501 there is no definition \`listSum\`
      : 
      There are \`loss\`.
      hint: none",
      ]
    `);
  });

  test("names monomorphic definitions", () => {
    expect(complaints("def swap (x, y) = (y, x)", "swap")).toMatchInlineSnapshot(`
      [
        "E0502 \`swap\` is polymorphic: it cannot be called from outside the model
      swap: has the type (a, b) -> (b, a)
      What is called from outside works at one type, but nothing says what \`a\`, \`b\` stand for.
      hint: annotate its parameters, or write a definition that uses \`swap\` at the types that you need",
      ]
    `);
  });

  test("names first-order definitions", () => {
    const text = `
      data Net = End | Then (R, R -> R) Net
      def f (x : R) (net : List Net) : R = x
      def g (x : R) = let z = x * x in \\(y : R). z * y
      def h (k : R -> Z, x : R) : R = x
      data Layer = Layer { weights : [[R]], activations : [(R, R -> R)] }
      def k (layers : [Layer]) : R = 0`;
    expect(complaints(text, "f", "g", "h", "k")).toMatchInlineSnapshot(`
      [
        "E0503 \`f\` cannot be called from outside the model: its parameter \`net\` holds a function
      net: has the type List Net
      The function, R -> R, is component 2 of field 1 of Then of field 1 of Cons.
      hint: \`f\` may use functions inside, but what goes in and comes out must be made of numbers, tuples, arrays and data",
        "E0503 \`g\` cannot be called from outside the model: its result is a function
      g: gives a value of type R -> R
      hint: \`g\` may use functions inside, but what goes in and comes out must be made of numbers, tuples, arrays and data",
        "E0503 \`h\` cannot be called from outside the model: its parameter \`k\` is a function
      k: has the type R -> Z
      hint: \`h\` may use functions inside, but what goes in and comes out must be made of numbers, tuples, arrays and data",
        "E0503 \`k\` cannot be called from outside the model: its parameter \`layers\` holds a function
      layers: has the type [Layer]
      The function, R -> R, is component 2 of an element of field activations of Layer of an element.
      hint: \`k\` may use functions inside, but what goes in and comes out must be made of numbers, tuples, arrays and data",
      ]
    `);
  });
});

test("parameters are called as their patterns call them", () => {
  const text = `
    data Vec = Vec R R
    def f (x : R) ((a, (_, b)) : (R, (Z, R))) (Vec _ _ : Vec) (_ : R) () (arg4 : R) ((p, q), r) : R = x + p + q + r`;
  const [entry] = elaborateText(text).value.program.entries;
  expect(entry?.params.map(names)).toEqual(["x", ["a", ["arg3", "b"]], "arg5", "arg6", [], "arg4", [["p", "q"], "r"]]);
});
