import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryItem, propertyRuns } from "../../test/support/arbitrary-tree.js";
import { formatModule, lineWidth } from "./format.js";
import { parseModule } from "./parse.js";
import { tokenize } from "./tokens.js";
import type { Item, Module } from "./tree.js";

/** A tree without places, for comparison. */
function bare(items: readonly Item[]): unknown {
  return JSON.parse(
    JSON.stringify(items, (key, value: unknown) => (/^(span|operatorSpan|pathSpan)$/.test(key) ? undefined : value)),
  );
}

function parsed(text: string): Module {
  const { value, mistakes } = parseModule({ name: "test.lam", text });
  expect(mistakes, text).toEqual([]);
  return value;
}

function formatted(text: string): string {
  return formatModule({ name: "test.lam", text }, parsed(text));
}

const span = { file: "test.lam", start: 0, end: 0 };
const sorted = (module: Module): readonly string[] => module.comments.map(({ text }) => text).sort();

describe("layout", () => {
  test("what fits stands on one line, with spaces where they belong", () => {
    expect(formatted("def f(x:R,y:R):R=let z=x+y in x*z")).toBe(
      "def f (x : R, y : R) : R =\n  let z = x + y in\n  x * z\n",
    );
    expect(formatted("data List a=Nil|Cons a(List a)")).toBe("data List a = Nil | Cons a (List a)\n");
    expect(formatted("def f x=if x<1 then-x else x^2")).toBe("def f x = if x < 1 then -x else x ^ 2\n");
    expect(formatted("def f=case x of{A->1;B->2;}")).toBe("def f = case x of { A -> 1; B -> 2 }\n");
    expect(formatted("")).toBe("");
  });

  test("parentheses stay only where they mean something", () => {
    const cases: readonly (readonly [string, string])[] = [
      ["(a + b) + c", "a + b + c"],
      ["a + (b + c)", "a + (b + c)"],
      ["(a :: (b :: c))", "a :: b :: c"],
      ["((a * b)) + ((c))", "a * b + c"],
      ["(-x) ^ 2", "(-x) ^ 2"],
      ["-(x ^ 2)", "-x ^ 2"],
      ["-(-x)", "- -x"],
      ["(\\x. x) y", "(\\x. x) y"],
      ["a + (\\x. x)", "a + \\x. x"],
      ["(a + (\\x. x)) + b", "a + (\\x. x) + b"],
      ["f (g x) (h)", "f (g x) h"],
      ["(f x) y", "f x y"],
      ["(a < b) == (c < d)", "(a < b) == (c < d)"],
      ["(a |*| b) |*| c", "(a |*| b) |*| c"],
      ["(if a then b else c) + d", "(if a then b else c) + d"],
      ["((\\x. x) : R -> R)", "((\\x. x) : R -> R)"],
      ["((x + 1) : R)", "(x + 1 : R)"],
      ["(a ! i) ! (f j)", "a ! i ! f j"],
      ["a ! (i ! j)", "a ! (i ! j)"],
      ["(a ! i) ^ 2 + (f x) ! (-1)", "a ! i ^ 2 + f x ! (-1)"],
      ["(a ! i).x ! (j.y)", "(a ! i).x ! j.y"],
      ["(f c).x + (f (c.x)) + (c.d).x", "(f c).x + f c.x + c.d.x"],
      ["f (A { x = (1) }) ([(1)]) ({ (c) | x = (\\y. y) })", "f A { x = 1 } [1] { c | x = \\y. y }"],
      ["(!)", "(!)"],
    ];
    for (const [written, meant] of cases) expect(formatted(`def t = ${written}`)).toBe(`def t = ${meant}\n`);
  });

  test("the author's spelling stays", () => {
    const text = "def f (x : ℝ × ℝ) : ℤ → ℝ = λy. x × y ≤ z ∧ (×) ⋆ case x of { A → 1 }\n";
    expect(formatted(text)).toBe(text);
  });

  test("long chains, tuples and branches are broken", () => {
    const name = "quiteALongNameForAVariable";
    expect(formatted(`def f = ${name} + ${name} * ${name} - ${name}`)).toMatchInlineSnapshot(`
      "def f =
        quiteALongNameForAVariable
          + quiteALongNameForAVariable * quiteALongNameForAVariable
          - quiteALongNameForAVariable
      "
    `);
    expect(formatted(`def f = (${name}, ${name}, ${name}, ${name})`)).toMatchInlineSnapshot(`
      "def f =
        (
          quiteALongNameForAVariable,
          quiteALongNameForAVariable,
          quiteALongNameForAVariable,
          quiteALongNameForAVariable
        )
      "
    `);
    expect(
      formatted(`def f x = case x of { Cons a b -> if ${name} then ${name} else if ${name} then a else b; Nil -> 0 }`),
    ).toMatchInlineSnapshot(`
        "def f x =
          case x of {
            Cons a b ->
              if quiteALongNameForAVariable then
                quiteALongNameForAVariable
              else if quiteALongNameForAVariable then
                a
              else
                b;
            Nil -> 0
          }
        "
      `);
  });

  test("arrays, records and imports", () => {
    const name = "quiteALongNameForAVariable";
    const plain = [
      "def f = [1, 2 + x, [], [y]] ! 0 ! n",
      "data Vec = Vec { x : R, y : R -> R } | Null | Pair R (List R)",
      "def g (Vec { x = 0, y }) c = { c.inner | focal = Vec { x = y, y = 2 }.x, k = \\z. z }",
      'import "shapes.lam" (area, Shape)',
    ];
    for (const text of plain) expect(formatted(text.replaceAll(" ", "  "))).toBe(`${text}\n`);
    expect(formatted("def f (Vec { x = x, y = (z) }) = x")).toBe("def f (Vec { x, y = z }) = x\n");
    expect(
      formatted("data Camera = Camera {\n rotation : Vec3, focal : R }\ndef f = Camera {\n focal = 1, rotation = r }"),
    ).toMatchInlineSnapshot(`
      "data Camera = Camera {
        rotation : Vec3,
        focal : R
      }

      def f =
        Camera {
          focal = 1,
          rotation = r
        }
      "
    `);
    const long = `{ ${name} | first = ${name}, second = ${name}, third = [${name}, ${name}, ${name}, ${name}] }`;
    expect(formatted(`def f = ${long}\ndef g = f Camera ${long.replace(/^.*? \|/, "{")} ! ${name}`))
      .toMatchInlineSnapshot(`
      "def f =
        { quiteALongNameForAVariable |
          first = quiteALongNameForAVariable,
          second = quiteALongNameForAVariable,
          third =
            [
              quiteALongNameForAVariable,
              quiteALongNameForAVariable,
              quiteALongNameForAVariable,
              quiteALongNameForAVariable
            ]
        }

      def g =
        f
          Camera {
            first = quiteALongNameForAVariable,
            second = quiteALongNameForAVariable,
            third =
              [
                quiteALongNameForAVariable,
                quiteALongNameForAVariable,
                quiteALongNameForAVariable,
                quiteALongNameForAVariable
              ]
          }
          ! quiteALongNameForAVariable
      "
    `);
    const list = Array.from({ length: 5 }, () => name).join(", ");
    expect(formatted(`import "shapes.lam" (${list})`)).toMatchInlineSnapshot(`
      "import "shapes.lam" (
        quiteALongNameForAVariable,
        quiteALongNameForAVariable,
        quiteALongNameForAVariable,
        quiteALongNameForAVariable,
        quiteALongNameForAVariable
      )
      "
    `);
  });

  test("comments in records", () => {
    const text = `data Vec = Vec {
  -- before a field
  x : R, -- behind it
  y : R
  -- at the end
}

def f (v : Vec) : Vec =
  { v | -- behind the record
    x = 1, -- behind a value
    -- before a field
    y = 2
  }
`;
    expect(formatted(text)).toBe(text);
  });

  test("new lines behind a definition's sign and before the first branch stay", () => {
    const text = "def f x =\n  x + 1\n\ndef g x =\n  case x of {\n    A -> 1;\n    B -> 2\n  }\n";
    expect(formatted(text)).toBe(text);
    expect(formatted("def f x\n = x + 1")).toBe("def f x = x + 1\n");
  });

  test("let rec and nested lets", () => {
    expect(formatted("def f x = let rec g y = h y and h y = g y in let a = let b = 1 in b in g a"))
      .toMatchInlineSnapshot(`
      "def f x =
        let rec g y = h y
        and h y = g y
        in
        let a =
          let b = 1 in
          b
        in
        g a
      "
    `);
  });

  test("empty lines: one for many between items and lets, one around items of several lines", () => {
    const text = "type A = R\ntype B = R\n\n\n\ndef f = let x = 1 in\n\n  let y = 2 in x\ndef g = 1\n";
    expect(formatted(text)).toBe(
      "type A = R\ntype B = R\n\ndef f =\n  let x = 1 in\n\n  let y = 2 in\n  x\n\ndef g = 1\n",
    );
  });
});

describe("comments", () => {
  test("stay where they were", () => {
    const text = `-- the file

{- a block
     of lines -}

--- Documentation.
--- Two lines of it.
def f x = -- behind the head
  let y = x + 1 in -- behind a let
  -- before the body
  case y of {
    -- before a branch
    0 -> 1; -- behind a branch
    n ->
      -- before a value
      n {- in the line -} + 2
    -- at the end
  } -- behind the item

-- last
`;
    expect(formatted(text)).toBe(text);
  });

  test("a comment that ends an item's line is no documentation of the next", () => {
    const [, second] = parsed("def f = 1 --- no\ndef g = 2").items;
    expect(second?.kind === "def" && second.doc).toBe("");
  });

  test("Windows line ends become plain ones", () => {
    expect(formatted("-- a\r\ndef f = 1 -- b\r\n{- c\r\n d -}\r\n")).toBe("-- a\ndef f = 1 -- b\n{- c\n d -}\n");
  });
});

describe("properties", () => {
  test("what is printed parses to the same tree, and is printed alike", () => {
    fc.assert(
      fc.property(fc.array(arbitraryItem, { maxLength: 3 }), (items) => {
        const text = formatModule({ name: "test.lam", text: "" }, { items, comments: [], span });
        const again = parsed(text);
        expect(bare(again.items), text).toEqual(bare(items));
        expect(formatModule({ name: "test.lam", text }, again)).toBe(text);
      }),
      { numRuns: propertyRuns },
    );
  });

  test("comments in any place stay, and the second time changes nothing", () => {
    const gap = fc.constantFrom(
      "",
      " ",
      "\n",
      "\n\n  ",
      " -- c\n",
      "\n  -- own\n",
      " {- b -} ",
      "\n{- b\n  c -}\n",
      " --- d\n",
      "\n--- d\n",
    );
    fc.assert(
      fc.property(fc.array(arbitraryItem, { minLength: 1, maxLength: 2 }), fc.infiniteStream(gap), (items, gaps) => {
        const plain = formatModule({ name: "test.lam", text: "" }, { items, comments: [], span });
        const tokens = tokenize(plain).tokens.map(({ image }) => image);
        const text = tokens.map((image) => `${image} ${gaps.next().value ?? ""}`).join("");
        const module = parsed(text);
        const once = formatModule({ name: "test.lam", text }, module);
        const again = parsed(once);
        expect(bare(again.items), text).toEqual(bare(module.items));
        expect(sorted(again), text).toEqual(sorted(module));
        expect(formatModule({ name: "test.lam", text: once }, again)).toBe(once);
      }),
      { numRuns: propertyRuns },
    );
  });

  test("long chains and deep nests are no problem", () => {
    const links = 10_000;
    const texts = [
      `def f = ${"1 :: ".repeat(links)}Nil`, `def f = ${"a + ".repeat(links)}a`, `def f = ${"let x = 1 in ".repeat(links)}x`,
      `def f = f${" x".repeat(links)}`, `def f = ${"\\x. ".repeat(links)}x`, `def f = ${"- ".repeat(links)}x`,
      `def f = a${" ! i".repeat(links)}`, `def f = a${".x".repeat(links)}`, `def f = [${"1, ".repeat(links)}1]`,
      `def f : ${"R -> ".repeat(links)}R = x`, `def f = ${"if a then b else ".repeat(links)}x`, `def f = ${"a ^ - ".repeat(links)}x`,
    ]; // prettier-ignore
    for (const text of texts) {
      const once = formatted(text);
      expect(formatted(once)).toBe(once);
    }
    expect(
      Math.max(
        ...formatted(texts[0] ?? "")
          .split("\n")
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(lineWidth);
  });
});
