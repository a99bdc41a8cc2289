import { describe, expect, test } from "vitest";
import { mistakesOf } from "../../test/typed.js";

describe("mistakes in calls", () => {
  test("an argument", () => {
    const text = `
def f (x : R) (y : Bool) : R = if y then x else 0
def g x = f x 2.5
def h = not 1.5`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: the 2nd argument of \`f\` has the wrong type
       --> m.lam:2:15
        |
      2 | def g x = f x 2.5
        |               ^^^ has the type R
        |
        = note: expected Bool
                found    R
        = hint: the arguments fit in this order: \`f 2.5 x\`

      error[E0301]: the argument of \`not\` has the wrong type
       --> m.lam:3:13
        |
      3 | def h = not 1.5
        |             ^^^ has the type R
        |
        = note: expected Bool
                found    R
      "
    `);
  });

  test("a component of an argument", () => {
    const text = `
def f (x : R, b : Bool) = if b then x else 0
def g = f (1, 2)`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: component 2 of the argument of \`f\` has the wrong type
       --> m.lam:2:15
        |
      2 | def g = f (1, 2)
        |               ^ is a number
        |
        = note: expected Bool
                found    number
        = note: \`number\` is R or Z
      "
    `);
  });

  test("Z where R is expected", () => {
    const text = `
def f (n : Z) = sin n`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: the argument of \`sin\` has the wrong type
       --> m.lam:1:21
        |
      1 | def f (n : Z) = sin n
        |                     ^ has the type Z
        |
        = note: expected R
                found    Z
        = hint: \`toReal\` makes an R of a Z
      "
    `);
  });

  test("R where Z is expected", () => {
    const text = `
def f (x : R) = x ^ x
def g (n : Z) = div n 2.0
def h (x : R) = listReplicate x 1`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: the exponent of \`^\` must be an integer
       --> m.lam:1:21
        |
      1 | def f (x : R) = x ^ x
        |                     ^ has the type R
        |
        = note: expected Z
                found    R
        = hint: \`pow x y\` takes an exponent of type R

      error[E0301]: the 2nd argument of \`div\` has the wrong type
       --> m.lam:2:23
        |
      2 | def g (n : Z) = div n 2.0
        |                       ^^^ has the type R
        |
        = note: expected Z
                found    R
        = hint: write \`2\`, without a point

      error[E0301]: the 1st argument of \`listReplicate\` has the wrong type
       --> m.lam:3:31
        |
      3 | def h (x : R) = listReplicate x 1
        |                               ^ has the type R
        |
        = note: expected Z
                found    R
        = hint: \`round\`, \`floor\` or \`truncate\` makes a Z of an R; or are the arguments in the wrong order? This fits: \`listReplicate 1 x\`
      "
    `);
  });

  test("too many arguments", () => {
    const text = `
def f (x : R) = x
def g = f 1 2
def h = 2 3
def i = not true false true`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0304]: \`f\` takes 1 argument, and gets 2
       --> m.lam:2:13
        |
      2 | def g = f 1 2
        |             ^ one too many
        |
        = note: \`f : R -> R\`
        = hint: is a comma or an operator missing?

      error[E0304]: this is not a function
       --> m.lam:3:11
        |
      3 | def h = 2 3
        |         - ^ given as an argument
        |         |
        |         is a number
        |
        = hint: a product is written with \`*\`: \`2 * 3\`

      error[E0304]: \`not\` takes 1 argument, and gets 3
       --> m.lam:4:18
        |
      4 | def i = not true false true
        |                  ^^^^^^^^^^ 2 too many
        |
        = note: \`not : Bool -> Bool\`
        = hint: is a comma or an operator missing?
      "
    `);
  });

  test("too few arguments", () => {
    const text = `
def f (x : R) (y : R) = x * y
def g = 1 + f 2
def h : R = f`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: \`+\` works on numbers
       --> m.lam:2:13
        |
      2 | def g = 1 + f 2
        |             ^^^ has the type R -> R
        |
        = note: expected a number
                found    R -> R
        = hint: \`f\` still waits for one more argument, of type R

      error[E0301]: the result of \`h\` is not of the type in its annotation
       --> m.lam:3:13
        |
      3 | def h : R = f
        |         -   ^ has the type R -> R -> R
        |         |
        |         the annotation
        |
        = note: expected R
                found    R -> R -> R
        = hint: \`f\` still waits for 2 arguments, of type R and R
      "
    `);
  });

  test("a tuple for curried parameters", () => {
    const text = `
def f (x : R) (y : R) = x * y
def g = f (1, 2)`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: the argument of \`f\` has the wrong type
       --> m.lam:2:11
        |
      2 | def g = f (1, 2)
        |           ^^^^^^ has the type (number, number)
        |
        = note: expected R
                found    (number, number)
        = hint: it takes its arguments one by one: \`f 1 2\`
      "
    `);
  });

  test("arguments one by one for a tuple", () => {
    const text = `
def f (x : R, y : R) = x * y
def g = f 1 2`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0304]: \`f\` takes one tuple, and gets 2 arguments
       --> m.lam:2:11
        |
      2 | def g = f 1 2
        |           ^^^ these are one by one
        |
        = note: \`f : (R, R) -> R\`
        = hint: one tuple is expected: \`f (1, 2)\`
      "
    `);
  });

  test("recursion is monomorphic", () => {
    const text = `
def f x = let y = f true in f 1.5`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: the argument of \`f\` has the wrong type
       --> m.lam:1:31
        |
      1 | def f x = let y = f true in f 1.5
        |                               ^^^ has the type R
        |
        = note: expected Bool
                found    R
        = hint: inside its own definition \`f\` is used at one type alone
      "
    `);
  });

  test("an inner part", () => {
    const text = `
def f (p : (R, List (Z, R))) = p
def g (xs : List (R, R)) = f (1, xs)`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: component 2 of the argument of \`f\` has the wrong type
       --> m.lam:2:34
        |
      2 | def g (xs : List (R, R)) = f (1, xs)
        |                                  ^^ has the type List (R, R)
        |
        = note: expected List (Z, R)
                found    List (R, R)
        = note: they differ in a part: Z is expected where R is found
      "
    `);
  });

  test("a parameter of a lambda", () => {
    const text = `
def f (g : R -> R) = g 1
def h = f (\\(x, y). x)`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: this parameter does not have the expected type
       --> m.lam:2:13
        |
      2 | def h = f (\\(x, y). x)
        |             ^^^^^^ has the type (a, b)
        |
        = note: expected R
                found    (a, b)
      "
    `);
  });
});
