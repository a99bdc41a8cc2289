import { describe, expect, test } from "vitest";
import { mistakesOf } from "../../test/typed.js";

describe("patterns", () => {
  test("numbers of fields", () => {
    const text = `
data Shape = Circle R | Box R R | Dot
def f s = case s of { Circle -> 1; Box w -> w; Dot x -> x }
def g (inl x y) = x`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0403]: \`Circle\` has 1 field
       --> m.lam:2:23
        |
      1 | data Shape = Circle R | Box R R | Dot
        |              ------ declared here
      2 | def f s = case s of { Circle -> 1; Box w -> w; Dot x -> x }
        |                       ^^^^^^ has no pattern for it here
        |
        = hint: write \`Circle _\`

      error[E0403]: \`Box\` has 2 fields
       --> m.lam:2:36
        |
      1 | data Shape = Circle R | Box R R | Dot
        |                         --- declared here
      2 | def f s = case s of { Circle -> 1; Box w -> w; Dot x -> x }
        |                                    ^^^^^ has 1 pattern here
        |
        = hint: write \`Box _ _\`

      error[E0403]: \`Dot\` has no fields
       --> m.lam:2:48
        |
      1 | data Shape = Circle R | Box R R | Dot
        |                                   --- declared here
      2 | def f s = case s of { Circle -> 1; Box w -> w; Dot x -> x }
        |                                                ^^^^^ has 1 pattern here
        |
        = hint: write \`Dot\`

      error[E0403]: \`inl\` has 1 field
       --> m.lam:3:7
        |
      3 | def g (inl x y) = x
        |       ^^^^^^^^^ has 2 patterns here
        |
        = hint: write \`inl _\`
      "
    `);
  });

  test("a case without a constructor", () => {
    const text = `
data Shape = Circle R | Box R R | Dot
def f s = case s of { Box w h -> w * h }`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0401]: this \`case\` does not cover every value
       --> m.lam:2:11
        |
      2 | def f s = case s of { Box w h -> w * h }
        |           ^^^^^^ not every value is matched
        |
        = note: Missing: \`Circle _\`, \`Dot\`.
        = hint: add branches for them, or a last branch \`_\`
      "
    `);
  });

  test("nested cases", () => {
    const text = `
def f x y = case (x, y) of { (Nil, _) -> 1; (_ :: _ :: _, true) -> 2 }`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0401]: this \`case\` does not cover every value
       --> m.lam:1:13
        |
      1 | def f x y = case (x, y) of { (Nil, _) -> 1; (_ :: _ :: _, true) -> 2 }
        |             ^^^^^^^^^^^ not every value is matched
        |
        = note: Missing: \`(_ :: Nil, _)\`, \`(_ :: _ :: _, false)\`.
        = hint: add branches for them, or a last branch \`_\`
      "
    `);
  });

  test("infix and prefix", () => {
    const text = `
def f x = case x of { Nil -> 1; (Nil :: _) :: _ -> 2 }
def g x = case x of { Nil -> 1; Cons (Cons true _) _ -> 2 }`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0401]: this \`case\` does not cover every value
       --> m.lam:1:11
        |
      1 | def f x = case x of { Nil -> 1; (Nil :: _) :: _ -> 2 }
        |           ^^^^^^ not every value is matched
        |
        = note: Missing: \`Nil :: _\`, \`((_ :: _) :: _) :: _\`.
        = hint: add branches for them, or a last branch \`_\`

      error[E0401]: this \`case\` does not cover every value
       --> m.lam:2:11
        |
      2 | def g x = case x of { Nil -> 1; Cons (Cons true _) _ -> 2 }
        |           ^^^^^^ not every value is matched
        |
        = note: Missing: \`Cons Nil _\`, \`Cons (Cons false _) _\`.
        = hint: add branches for them, or a last branch \`_\`
      "
    `);
  });

  test("literals", () => {
    const text = `
def f n = case n of { 0 -> 1; 1 -> 2 }
def g p = case p of { (true, 0) -> 1; (false, _) -> 2 }`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0401]: this \`case\` does not cover every value
       --> m.lam:1:11
        |
      1 | def f n = case n of { 0 -> 1; 1 -> 2 }
        |           ^^^^^^ not every value is matched
        |
        = note: Missing: \`_\`.
        = hint: add a branch for all others: \`_ -> t\`

      error[E0401]: this \`case\` does not cover every value
       --> m.lam:2:11
        |
      2 | def g p = case p of { (true, 0) -> 1; (false, _) -> 2 }
        |           ^^^^^^ not every value is matched
        |
        = note: Missing: \`(true, _)\`.
        = hint: add a branch for it
      "
    `);
  });

  test("many missing", () => {
    const text = `
data T = A | B | C | D | E
def f t = case t of { A -> 1 }`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0401]: this \`case\` does not cover every value
       --> m.lam:2:11
        |
      2 | def f t = case t of { A -> 1 }
        |           ^^^^^^ not every value is matched
        |
        = note: Missing: \`B\`, \`C\`, \`D\`, and more.
        = hint: add branches for them, or a last branch \`_\`
      "
    `);
  });

  test("a let and a parameter", () => {
    const text = `
def f xs = let x :: _ = xs in x
def g (inl x) = x
def h = \\(Cons x Nil). x`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0401]: the pattern of a \`let\` must match every value
       --> m.lam:1:16
        |
      1 | def f xs = let x :: _ = xs in x
        |                ^^^^^^ does not match every value
        |
        = note: Missing: \`Nil\`.
        = hint: use \`case\`, with a branch for what is missing

      error[E0401]: the pattern of a parameter must match every value
       --> m.lam:2:7
        |
      2 | def g (inl x) = x
        |       ^^^^^^^ does not match every value
        |
        = note: Missing: \`inr _\`.
        = hint: take a variable, and look at it with \`case\`

      error[E0401]: the pattern of a parameter must match every value
       --> m.lam:3:10
        |
      3 | def h = \\(Cons x Nil). x
        |          ^^^^^^^^^^^^ does not match every value
        |
        = note: Missing: \`Nil\`, \`Cons _ (Cons _ _)\`.
        = hint: take a variable, and look at it with \`case\`
      "
    `);
  });

  test("redundant branches", () => {
    const text = `
def f x = case x of { (a, 0) -> a; _ -> 1; (b, 2) -> b }
def g x = case x of { true -> 1; false -> 2; _ -> 3 }
def h n = case n of { 1 -> 1; 1 -> 2; _ -> 3 }`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "warning[E0402]: this branch is never reached
       --> m.lam:1:44
        |
      1 | def f x = case x of { (a, 0) -> a; _ -> 1; (b, 2) -> b }
        |                                    -       ^^^^^^ matches nothing that gets here
        |                                    |
        |                                    matches all of it before
        |
        = hint: remove it, or put it before the more general one

      warning[E0402]: this branch is never reached
       --> m.lam:2:46
        |
      2 | def g x = case x of { true -> 1; false -> 2; _ -> 3 }
        |                                              ^ matches nothing that gets here
        |
        = note: The branches before it match every such value.
        = hint: remove it, or put it before the more general one

      warning[E0402]: this branch is never reached
       --> m.lam:3:31
        |
      3 | def h n = case n of { 1 -> 1; 1 -> 2; _ -> 3 }
        |                       -       ^ matches nothing that gets here
        |                       |
        |                       matches all of it before
        |
        = hint: remove it, or put it before the more general one
      "
    `);
  });

  test("`::` with another Cons", () => {
    const text = `
data T = Cons R
def f x = x :: x`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0404]: \`::\` needs a constructor \`Cons\` with two fields
       --> m.lam:2:13
        |
      1 | data T = Cons R
        |          ---- this \`Cons\` has 1 field
      2 | def f x = x :: x
        |             ^^ stands for \`Cons\`
        |
        = hint: give your constructor another name, and \`::\` makes the prelude's lists again
      "
    `);
  });
});
