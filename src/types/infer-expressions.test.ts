import { describe, expect, test } from "vitest";
import { mistakesOf } from "../../test/typed.js";

describe("mistakes in types", () => {
  test("an annotation of a result", () => {
    const text = `
def f (x : R) : Z = if x > 0 then x else 2`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: the result of \`f\` is not of the type in its annotation
       --> m.lam:1:35
        |
      1 | def f (x : R) : Z = if x > 0 then x else 2
        |                 -                 ^ has the type R
        |                 |
        |                 the annotation
        |
        = note: expected Z
                found    R
        = hint: \`round\`, \`floor\` or \`truncate\` makes a Z of an R
      "
    `);
  });

  test("an annotation of an expression, of a let", () => {
    const text = `
def f x = (x > 1 : R)
def g = let (n : Z) = 2.5 in n`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: this is not of the type in its annotation
       --> m.lam:1:12
        |
      1 | def f x = (x > 1 : R)
        |            ^^^^^   - the annotation
        |            |
        |            has the type Bool
        |
        = note: expected R
                found    Bool
        = hint: \`if b then 1 else 0\` makes a number of a \`Bool\`

      error[E0301]: this is not of the type in its annotation
       --> m.lam:2:23
        |
      2 | def g = let (n : Z) = 2.5 in n
        |                  -    ^^^ has the type R
        |                  |
        |                  the annotation
        |
        = note: expected Z
                found    R
        = hint: \`round\`, \`floor\` or \`truncate\` makes a Z of an R
      "
    `);
  });

  test("patterns", () => {
    const text = `
def f xs = case xs of { Nil -> 1; (x, y) -> 2 }
def g x = let (a, b) = (1, 2, 3) in a
def h x = case x + 1.5 of { 1 -> 2; _ -> 3 }`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: this pattern does not fit what is matched
       --> m.lam:1:35
        |
      1 | def f xs = case xs of { Nil -> 1; (x, y) -> 2 }
        |                 --                ^^^^^^ matches values of type (b, c)
        |                 |
        |                 what is matched
        |
        = note: expected List a
                found    (b, c)

      error[E0301]: this pattern does not fit what is bound to it
       --> m.lam:2:15
        |
      2 | def g x = let (a, b) = (1, 2, 3) in a
        |               ^^^^^^   --------- what is bound
        |               |
        |               matches values of type (a, b)
        |
        = note: expected (number, number, number)
                found    (a, b)
        = hint: a tuple of 3 components is expected, and the one here has 2

      error[E0301]: this pattern does not fit what is matched
       --> m.lam:3:29
        |
      3 | def h x = case x + 1.5 of { 1 -> 2; _ -> 3 }
        |                -------      ^ matches values of type Z
        |                |
        |                what is matched
        |
        = note: expected R
                found    Z
        = hint: only integers can be matched: compare real numbers with \`==\` or \`<\`
      "
    `);
  });

  test("fields of constructors", () => {
    const text = `
data Shape = Circle R
def f s = case s of { Circle true -> 1; _ -> 2 }`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: the 1st field of \`Circle\` has another type
       --> m.lam:2:30
        |
      1 | data Shape = Circle R
        |              ------ declared here
      2 | def f s = case s of { Circle true -> 1; _ -> 2 }
        |                              ^^^^ matches values of type Bool
        |
        = note: expected R
                found    Bool
      "
    `);
  });

  test("rigid type variables", () => {
    const text = `
def f (x : a) : a = 1.5
def g (x : a) : a = x * x
def h (x : a) (y : b) : b = x`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: the result of \`f\` is not of the type in its annotation
       --> m.lam:1:21
        |
      1 | def f (x : a) : a = 1.5
        |                 -   ^^^ has the type R
        |                 |
        |                 the annotation
        |
        = note: expected a
                found    R
        = note: the type variable \`a\` of the annotation stands for every type, so it cannot be R
        = hint: write R in the annotation in place of \`a\`, or leave the annotation off

      error[E0301]: \`*\` works on numbers
       --> m.lam:2:21
        |
      2 | def g (x : a) : a = x * x
        |                     ^ has the type a
        |
        = note: expected a number
                found    a
        = hint: \`a\` stands for every type: leave its annotation off, or write R in its place

      error[E0301]: the result of \`h\` is not of the type in its annotation
       --> m.lam:3:29
        |
      3 | def h (x : a) (y : b) : b = x
        |                         -   ^ has the type a
        |                         |
        |                         the annotation
        |
        = note: expected b
                found    a
        = note: the type variable \`b\` of the annotation stands for every type, so it cannot be a
        = hint: \`b\` and \`a\` are different: where both are meant to be the same type, give them one name
      "
    `);
  });

  test("a rigid variable that gets out", () => {
    const text = `
def f x = let g (y : a) = if true then x else y in g`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0303]: the type variable \`a\` stands for every type, and cannot be tied to one outside
       --> m.lam:1:47
        |
      1 | def f x = let g (y : a) = if true then x else y in g
        |                                               ^ has the type a
        |
        = note: \`a\` is annotated inside a local definition, and stands for another type in each of its uses; here it would have to be the type of something outside, which is fixed.
        = hint: leave the annotation with \`a\` off, or use a type variable of the outer definition
      "
    `);
  });

  test("annotated variables of definitions in one another, and of those that use each other", () => {
    const text = `
def f (x : a) : a = let rec g (y : b) : b = x in g x
def even (x : c) (n : Z) : c = if n == 0 then x else odd x (n - 1)
def odd (y : d) (n : Z) : d = even y n
def first (x : e) (n : Z) : e = if n == 0 then x else second x x
def second (y : g) (z : h) : g = if true then first y 1 else z`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: the result of \`g\` is not of the type in its annotation
       --> m.lam:1:45
        |
      1 | def f (x : a) : a = let rec g (y : b) : b = x in g x
        |                                         -   ^ has the type a
        |                                         |
        |                                         the annotation
        |
        = note: expected b
                found    a
        = note: the type variable \`b\` of the annotation stands for every type, so it cannot be a
        = hint: \`b\` and \`a\` are different: where both are meant to be the same type, give them one name

      error[E0301]: the 2nd argument of \`second\` has the wrong type
       --> m.lam:4:64
        |
      4 | def first (x : e) (n : Z) : e = if n == 0 then x else second x x
        |                                                                ^ has the type e
        |
        = note: expected h
                found    e
        = note: the type variable \`h\` of the annotation stands for every type, so it cannot be e
        = hint: inside its own definition \`second\` is used at one type alone

      error[E0301]: the result of \`second\` is not of the type in its annotation
       --> m.lam:5:62
        |
      5 | def second (y : g) (z : h) : g = if true then first y 1 else z
        |                              -                               ^ has the type h
        |                              |
        |                              the annotation
        |
        = note: expected g
                found    h
        = note: the type variable \`g\` of the annotation stands for every type, so it cannot be h
        = hint: \`g\` and \`h\` are different: where both are meant to be the same type, give them one name
      "
    `);
  });

  test("what belongs to something outside stays one type, wherever it stands in it", () => {
    const text = `
data Both a b = Both a b
def f x = let g y z = let w = if true then x else Both y z in z in (g 1.0 2.0, g 1.0 true)
def twice = \\x. x + x
def uses y = twice y
def h (n : Z) (r : R) = (uses n, uses r)
def endless x = (1, endless x)`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: the 2nd argument of \`g\` has the wrong type
       --> m.lam:2:86
        |
      2 | def f x = let g y z = let w = if true then x else Both y z in z in (g 1.0 2.0, g 1.0 true)
        |                                                                                      ^^^^ has the type Bool
        |
        = note: expected R
                found    Bool
        = hint: \`if b then 1 else 0\` makes a number of a \`Bool\`

      error[E0301]: the argument of \`uses\` has the wrong type
       --> m.lam:5:39
        |
      5 | def h (n : Z) (r : R) = (uses n, uses r)
        |                                       ^ has the type R
        |
        = note: expected Z
                found    R
        = hint: \`round\`, \`floor\` or \`truncate\` makes a Z of an R

      error[E0302]: this would need an infinite type
       --> m.lam:6:17
        |
      6 | def endless x = (1, endless x)
        |                 ^^^^^^^^^^^^^^ cannot have a finite type
        |
        = note: For this to fit, the type \`a\` would have to be \`(number, a)\`, which contains it.
        = hint: look for an argument too many or too few, or for a recursive call whose result is wrapped once more
      "
    `);
  });

  test("infinite types", () => {
    const text = `
def f x = x x
def g xs = g (xs :: Nil) :: Nil
def h x = (h x, 1)`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0302]: this would need an infinite type
       --> m.lam:1:11
        |
      1 | def f x = x x
        |           ^ cannot have a finite type
        |
        = note: For this to fit, the type \`a\` would have to be \`a -> b\`, which contains it.
        = hint: a function cannot be applied to itself

      error[E0302]: this would need an infinite type
       --> m.lam:2:12
        |
      2 | def g xs = g (xs :: Nil) :: Nil
        |            ^^^^^^^^^^^^^ cannot have a finite type
        |
        = note: For this to fit, the type \`a\` would have to be \`List a\`, which contains it.
        = hint: look for an argument too many or too few, or for a recursive call whose result is wrapped once more

      error[E0302]: this would need an infinite type
       --> m.lam:2:15
        |
      2 | def g xs = g (xs :: Nil) :: Nil
        |               ^^ cannot have a finite type
        |
        = note: For this to fit, the type \`a\` would have to be \`List a\`, which contains it.
        = hint: look for an argument too many or too few, or for a recursive call whose result is wrapped once more

      error[E0302]: this would need an infinite type
       --> m.lam:3:11
        |
      3 | def h x = (h x, 1)
        |           ^^^^^^^^ cannot have a finite type
        |
        = note: For this to fit, the type \`a\` would have to be \`(a, number)\`, which contains it.
        = hint: look for an argument too many or too few, or for a recursive call whose result is wrapped once more
      "
    `);
  });

  test("one mistake does not lead to others", () => {
    const text = `
def f x = let y = nope x in y + 1 > 2 && y
def g x = f (true :: x) + f 1
def h (x : Nope) = x + 1
def i = let (a, b) = nope in a b`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0201]: there is no variable \`nope\`
       --> m.lam:1:19
        |
      1 | def f x = let y = nope x in y + 1 > 2 && y
        |                   ^^^^ not defined

      error[E0301]: \`+\` works on numbers
       --> m.lam:2:11
        |
      2 | def g x = f (true :: x) + f 1
        |           ^^^^^^^^^^^^^ has the type Bool
        |
        = note: expected a number
                found    Bool
        = hint: \`if b then 1 else 0\` makes a number of a \`Bool\`

      error[E0203]: there is no type \`Nope\`
       --> m.lam:3:12
        |
      3 | def h (x : Nope) = x + 1
        |            ^^^^ not defined

      error[E0201]: there is no variable \`nope\`
       --> m.lam:4:22
        |
      4 | def i = let (a, b) = nope in a b
        |                      ^^^^ not defined
      "
    `);
  });
});
