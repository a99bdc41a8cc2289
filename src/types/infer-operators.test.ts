import { describe, expect, test } from "vitest";
import { mistakesOf } from "../../test/typed.js";

describe("mistakes around operators", () => {
  test("the two sides of an operator", () => {
    const text = `
def f (x : R) (n : Z) = x + n
def g (n : Z) = n / 2
def h (n : Z) = n * 1.5`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: the two sides of \`+\` have different types
       --> m.lam:1:29
        |
      1 | def f (x : R) (n : Z) = x + n
        |                         -   ^ has the type Z
        |                         |
        |                         has the type R
        |
        = note: expected R
                found    Z
        = hint: \`toReal\` makes an R of a Z: \`x + toReal n\`

      error[E0301]: \`/\` divides real numbers
       --> m.lam:2:17
        |
      2 | def g (n : Z) = n / 2
        |                 ^ has the type Z
        |
        = note: expected R
                found    Z
        = hint: \`div\` divides integers; \`toReal\` makes an R of a Z

      error[E0301]: the two sides of \`*\` have different types
       --> m.lam:3:21
        |
      3 | def h (n : Z) = n * 1.5
        |                 -   ^^^ has the type R
        |                 |
        |                 has the type Z
        |
        = note: expected Z
                found    R
        = hint: \`toReal\` makes an R of a Z: \`toReal n * 1.5\`
      "
    `);
  });

  test("an operator on what is no number", () => {
    const text = `
def f x = 1 + true
def g = (1, 2) < (3, 4)
def h = -(1, 2)
def i = (1, 2) == (1, 2)`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: \`+\` works on numbers
       --> m.lam:1:15
        |
      1 | def f x = 1 + true
        |               ^^^^ has the type Bool
        |
        = note: expected a number
                found    Bool
        = hint: \`if b then 1 else 0\` makes a number of a \`Bool\`

      error[E0301]: \`<\` works on numbers
       --> m.lam:2:9
        |
      2 | def g = (1, 2) < (3, 4)
        |         ^^^^^^ has the type (number, number)
        |
        = note: expected a number
                found    (number, number)

      error[E0301]: \`-\` works on numbers
       --> m.lam:3:10
        |
      3 | def h = -(1, 2)
        |          ^^^^^^ has the type (number, number)
        |
        = note: expected a number
                found    (number, number)

      error[E0301]: \`==\` compares numbers and \`Bool\`s
       --> m.lam:4:9
        |
      4 | def i = (1, 2) == (1, 2)
        |         ^^^^^^ has the type (number, number)
        |
        = note: expected a number
                found    (number, number)
        = hint: take both apart and compare the components: \`let (a, b) = p in ..\`
      "
    `);
  });

  test("logical operators", () => {
    const text = `
def f x = x > 1 && 2`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: the right side of \`&&\` has the wrong type
       --> m.lam:1:20
        |
      1 | def f x = x > 1 && 2
        |                    ^ is a number
        |
        = note: expected Bool
                found    number
        = note: \`number\` is R or Z
        = hint: compare it with something, as in \`x /= 0\`
      "
    `);
  });

  test("a condition", () => {
    const text = `
def f (n : Z) = if n then 1 else 2`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: the condition of an \`if\` must be a \`Bool\`
       --> m.lam:1:20
        |
      1 | def f (n : Z) = if n then 1 else 2
        |                    ^ has the type Z
        |
        = note: expected Bool
                found    Z
        = hint: compare it with something, as in \`x /= 0\`
      "
    `);
  });

  test("branches of an if", () => {
    const text = `
def f x = if x > 0 then (x, 1) else (x, true)`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: the branches of this \`if\` have different types
       --> m.lam:1:41
        |
      1 | def f x = if x > 0 then (x, 1) else (x, true)
        |                         ------          ^^^^ has the type Bool
        |                         |
        |                         the first branch
        |
        = note: expected a number
                found    Bool
        = hint: \`if b then 1 else 0\` makes a number of a \`Bool\`
      "
    `);
  });

  test("branches of a case", () => {
    const text = `
def f xs = case xs of { Nil -> 0; x :: _ -> x > 1 }`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: the branches of this \`case\` have different types
       --> m.lam:1:45
        |
      1 | def f xs = case xs of { Nil -> 0; x :: _ -> x > 1 }
        |                                -            ^^^^^ has the type Bool
        |                                |
        |                                this one is a number
        |
        = note: expected a number
                found    Bool
        = hint: \`if b then 1 else 0\` makes a number of a \`Bool\`
      "
    `);
  });

  test("elements of lists", () => {
    const text = `
def f = 1 :: true :: Nil
def g = 1.5 :: 2.5
def h = 1.5 :: true :: (Nil : List R)`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: this element does not fit into its list
       --> m.lam:1:14
        |
      1 | def f = 1 :: true :: Nil
        |              ^^^^ has the type Bool
        |
        = note: expected a number
                found    Bool
        = hint: \`if b then 1 else 0\` makes a number of a \`Bool\`

      error[E0301]: \`::\` puts an element before a list of such elements
       --> m.lam:2:16
        |
      2 | def g = 1.5 :: 2.5
        |         ---    ^^^ has the type R
        |         |
        |         has the type R
        |
        = note: expected List R
                found    R
        = hint: a list ends in \`Nil\`: \`x :: y :: Nil\`

      error[E0301]: this element does not fit into its list
       --> m.lam:3:16
        |
      3 | def h = 1.5 :: true :: (Nil : List R)
        |                ^^^^ has the type Bool
        |
        = note: expected R
                found    Bool
        = hint: \`if b then 1 else 0\` makes a number of a \`Bool\`
      "
    `);
  });
});
