import { describe, expect, test } from "vitest";
import { mistakesOf } from "../../test/typed.js";

describe("declarations", () => {
  test("numbers of arguments of types", () => {
    const text = `
data Tree a = Leaf a
def f (x : Tree) (y : R Z) (z : Tree R Z) (xs : List) = x`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0305]: the type \`Tree\` takes 1 argument
       --> m.lam:2:12
        |
      2 | def f (x : Tree) (y : R Z) (z : Tree R Z) (xs : List) = x
        |            ^^^^ has none here
        |
        = hint: say of what: as in \`Tree R\`

      error[E0305]: the type \`R\` takes no arguments
       --> m.lam:2:23
        |
      2 | def f (x : Tree) (y : R Z) (z : Tree R Z) (xs : List) = x
        |                       ^ has 1 here

      error[E0305]: the type \`Tree\` takes 1 argument
       --> m.lam:2:33
        |
      2 | def f (x : Tree) (y : R Z) (z : Tree R Z) (xs : List) = x
        |                                 ^^^^ has 2 here

      error[E0305]: the type \`List\` takes 1 argument
       --> m.lam:2:49
        |
      2 | def f (x : Tree) (y : R Z) (z : Tree R Z) (xs : List) = x
        |                                                 ^^^^ has none here
        |
        = hint: say of what: as in \`List R\`
      "
    `);
  });

  test("what a name that means nothing entails is not told", () => {
    expect(mistakesOf("def f (x : R U) = x\ndata T = Leaf a | Node a\ndef g X = X")).toMatchInlineSnapshot(`
      "error[E0203]: there is no type \`U\`
       --> m.lam:1:14
        |
      1 | def f (x : R U) = x
        |              ^ not defined

      error[E0204]: the type variable \`a\` is not a parameter
       --> m.lam:2:15
        |
      2 | data T = Leaf a | Node a
        |               ^ not declared
        |
        = hint: write it as a parameter of the type, before the \`=\`

      error[E0202]: there is no constructor \`X\`
       --> m.lam:3:7
        |
      3 | def g X = X
        |       ^ not defined
        |
        = hint: constructors are declared by \`data\`; the name of a variable begins with a small letter: \`x\`
      "
    `);
  });

  test("recursive aliases", () => {
    const text = `
type A = (R, B)
type B = C
type C = List A
type D = D`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0306]: the type alias \`A\` is defined by itself
       --> m.lam:1:6
        |
      1 | type A = (R, B)
        |      ^ stands for an infinite type
      2 | type B = C
        |      - \`B\` is on the way
      3 | type C = List A
        |      - \`C\` is on the way
        |
        = note: The cycle is \`A\` -> \`B\` -> \`C\` -> \`A\`.
        = hint: an alias is only another name: a recursive type needs \`data\`

      error[E0306]: the type alias \`D\` is defined by itself
       --> m.lam:4:6
        |
      4 | type D = D
        |      ^ stands for an infinite type
        |
        = hint: an alias is only another name: a recursive type needs \`data\`
      "
    `);
  });

  test("an irregular data type", () => {
    const text = `
data Nest a = Flat a | Deep (Nest (a, a))`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0307]: the data type \`Nest\` is not regular
       --> m.lam:1:6
        |
      1 | data Nest a = Flat a | Deep (Nest (a, a))
        |      ^^^^ grows inside itself
        |
        = note: Inside its own declaration it is used as \`Nest (a, a)\`.
        = note: A recursive data type may use itself at its own parameters, or at types without parameters: then it has finitely many instances.
      "
    `);
  });
});

describe("literals", () => {
  test("integers that are not exact", () => {
    const text = `
def f = 9007199254740993
def g n = case n of { -9007199254740993 -> 1; _ -> 2 }`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0309]: this integer is too large to be exact
       --> m.lam:1:9
        |
      1 | def f = 9007199254740993
        |         ^^^^^^^^^^^^^^^^ beyond the safe integers
        |
        = note: The integers go from -9007199254740991 to 9007199254740991.
        = hint: for a real number, write it with a point or an exponent: \`9007199254740993.0\`

      error[E0309]: this integer is too large to be exact
       --> m.lam:2:23
        |
      2 | def g n = case n of { -9007199254740993 -> 1; _ -> 2 }
        |                       ^^^^^^^^^^^^^^^^^ beyond the safe integers
        |
        = note: The integers go from -9007199254740991 to 9007199254740991.
        = hint: for a real number, write it with a point or an exponent: \`-9007199254740993.0\`
      "
    `);
  });

  test("infinite numbers", () => {
    const text = `
def f = 1e999`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0310]: this number is too large
       --> m.lam:1:9
        |
      1 | def f = 1e999
        |         ^^^^^ would be infinite
        |
        = note: The largest real number is about 1.7977e+308.
      "
    `);
  });
});
