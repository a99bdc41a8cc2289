import { describe, expect, test } from "vitest";
import { infer, mistakesOf, typesOf } from "../../test/typed.js";

const shapes = `
data Vec3 = Vec3 { x : R, y : R, z : R }
type Scale = R
def scaled (k : Scale) (v : Vec3) = Vec3 { x = times k v.x, y = times k v.y, z = times k v.z }
def times a b = a * b
def unused = Vec3 0 0 0`;

describe("imports", () => {
  test("definitions, data types with their constructors, aliases", () => {
    const text = `
import "shapes.lam" (Vec3, Scale, scaled)
def f (v : Vec3) (s : Scale) = (scaled s v).x
def g (Vec3 { x }) = x
def h = Vec3 1 2 3`;
    const files = { "shapes.lam": shapes };
    expect(typesOf(text, files)).toMatchInlineSnapshot(`
      "f : Vec3 -> R -> R
      g : Vec3 -> R
      h : Vec3"
    `);
    const { value } = infer(text, files);
    expect(value.data.map(({ name }) => name)).toEqual(["Vec3"]);
    expect(value.aliases.map(({ name }) => name)).toEqual(["Scale"]);
    const names = value.groups.flatMap(({ bindings }) => bindings.map(({ name, own }) => (own ? name : `(${name})`)));
    expect(names).toEqual(["(times)", "(scaled)", "f", "g", "h"]);
  });

  test("what is not named is not in scope, and its names are free", () => {
    const text = `
import "shapes.lam" (scaled)
data Vec3 = Mine R
def times (Mine r) = r
def f v = scaled 2 v`;
    const { value, mistakes } = infer(text, { "shapes.lam": shapes });
    expect(mistakes).toEqual([]);
    expect(value.data.map(({ name }) => name)).toEqual(["Vec3_", "Vec3"]);
    expect(value.groups.flatMap(({ bindings }) => bindings.map(({ name }) => name))).toEqual([
      "times1",
      "scaled",
      "times",
      "f",
    ]);
  });

  test("files that import files, one of them twice", () => {
    const files = {
      "a.lam": `import "base.lam" (one)\ndef two = one + one`,
      "b.lam": `import "base.lam" (one)\nimport "a.lam" (two)\ndef three = one + two`,
      "base.lam": "def one : R = 1",
    };
    const text = `import "b.lam" (three)\nimport "a.lam" (two)\ndef main x = x + two + three`;
    expect(typesOf(text, files)).toBe("main : R -> R");
    const names = infer(text, files).value.groups.flatMap(({ bindings }) => bindings.map(({ name }) => name));
    expect(names).toEqual(["one", "two", "three", "main"]);
  });

  test("an imported name shadows the prelude's", () => {
    const files = { "a.lam": "def sum x y = x + y" };
    expect(typesOf(`import "a.lam" (sum)\ndef f = sum 1.0 2`, files)).toBe("f : R");
  });

  test("mistakes in an imported file, also where nothing reaches them", () => {
    const files = { "a.lam": "def f = 1.0\ndef g = if 1 then 2 else 3\ndef h b = case b of { true -> 1 }" };
    expect(mistakesOf(`import "a.lam" (f)\ndef main = f + true`, files)).toMatchInlineSnapshot(`
      "error[E0301]: the condition of an \`if\` must be a \`Bool\`
       --> a.lam:2:12
        |
      2 | def g = if 1 then 2 else 3
        |            ^ is a number
        |
        = note: expected Bool
                found    number
        = note: \`number\` is R or Z
        = hint: compare it with something, as in \`x /= 0\`

      error[E0401]: this \`case\` does not cover every value
       --> a.lam:3:11
        |
      3 | def h b = case b of { true -> 1 }
        |           ^^^^^^ not every value is matched
        |
        = note: Missing: \`false\`.
        = hint: add a branch for it

      error[E0301]: the two sides of \`+\` have different types
       --> m.lam:2:16
        |
      2 | def main = f + true
        |            -   ^^^^ has the type Bool
        |            |
        |            has the type R
        |
        = note: expected R
                found    Bool
        = hint: \`if b then 1 else 0\` makes a number of a \`Bool\`
      "
    `);
  });

  test("names that are not there", () => {
    const files = {
      "shapes.lam": `import "base.lam" (one)\n${shapes}`,
      "base.lam": "def one = 1",
    };
    const text = `
import "shapes.lam" (scale, one, Mine, map, Vec3, Point)
data Mine = Mine R
def f x = scale x + Point
def g (p : Point) = p.x`;
    expect(mistakesOf(text.trim(), files)).toMatchInlineSnapshot(`
      "error[E0211]: \`shapes.lam\` does not define \`scale\`
       --> m.lam:1:22
        |
      1 | import "shapes.lam" (scale, one, Mine, map, Vec3, Point)
        |                      ^^^^^ not defined there
        |
        = hint: did you mean \`scaled\`?

      error[E0211]: \`shapes.lam\` does not define \`one\`
       --> m.lam:1:29
        |
      1 | import "shapes.lam" (scale, one, Mine, map, Vec3, Point)
        |                             ^^^ not defined there
        |
        = hint: \`shapes.lam\` imports it itself: import it from where it is defined

      error[E0211]: \`shapes.lam\` does not define \`Mine\`
       --> m.lam:1:34
        |
      1 | import "shapes.lam" (scale, one, Mine, map, Vec3, Point)
        |                                  ^^^^ not defined there

      error[E0211]: \`shapes.lam\` does not define \`map\`
       --> m.lam:1:40
        |
      1 | import "shapes.lam" (scale, one, Mine, map, Vec3, Point)
        |                                        ^^^ not defined there
        |
        = hint: it is in the prelude, which needs no import

      error[E0211]: \`shapes.lam\` does not define \`Point\`
       --> m.lam:1:51
        |
      1 | import "shapes.lam" (scale, one, Mine, map, Vec3, Point)
        |                                                   ^^^^^ not defined there
      "
    `);
  });

  test("a constructor comes with its type", () => {
    const files = { "a.lam": "data Shape = Circle R | Square R" };
    expect(mistakesOf(`import "a.lam" (Circle)\ndef f = 1`, files)).toMatchInlineSnapshot(`
      "error[E0211]: \`a.lam\` does not define \`Circle\`
       --> m.lam:1:17
        |
      1 | import "a.lam" (Circle)
        |                 ^^^^^^ not defined there
        |
        = hint: it is a constructor, and comes with its data type: import \`Shape\`
      "
    `);
  });

  test("names that are taken", () => {
    const files = { "a.lam": "def f = 1\ndef g = 2", "b.lam": "def g = 3" };
    const text = `
import "a.lam" (f, g)
import "b.lam" (g)
def f x = x`;
    expect(mistakesOf(text.trim(), files)).toMatchInlineSnapshot(`
      "error[E0212]: \`f\` is imported, and defined here as well
       --> m.lam:1:17
        |
      1 | import "a.lam" (f, g)
        |                 ^ imported here
      2 | import "b.lam" (g)
      3 | def f x = x
        |     - defined here
        |
        = hint: rename one of them, or leave it out of the import

      error[E0205]: \`g\` is imported twice
       --> m.lam:2:17
        |
      1 | import "a.lam" (f, g)
        |                    - first here
      2 | import "b.lam" (g)
        |                 ^ again here
        |
        = hint: leave one of them out
      "
    `);
  });

  test("cycles", () => {
    const files = {
      "a.lam": `import "b.lam" (b)\ndef a = b`,
      "b.lam": `import "a.lam" (a)\ndef b = a`,
    };
    expect(mistakesOf(`import "a.lam" (a)\ndef main = a`, files)).toMatchInlineSnapshot(`
      "error[E0210]: these files import each other
       --> a.lam:1:8
        |
      1 | import "b.lam" (b)
        |        ^^^^^^^ begins a cycle
       ::: b.lam:1:8
        |
      1 | import "a.lam" (a)
        |        ------- imports \`a.lam\`
        |
        = note: The cycle is \`a.lam\` -> \`b.lam\` -> \`a.lam\`.
        = hint: put what both need into a third file, which imports neither
      "
    `);
    expect(mistakesOf(`import "m.lam" (f)\ndef f = 1`)).toMatchInlineSnapshot(`
      "error[E0210]: this file imports itself
       --> m.lam:1:8
        |
      1 | import "m.lam" (f)
        |        ^^^^^^^ is this file
        |
        = hint: a file sees its own definitions without an import
      "
    `);
  });
});
