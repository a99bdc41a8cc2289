import { describe, expect, test } from "vitest";
import { mistakesOf } from "../../test/typed.js";

describe("names", () => {
  test("an unbound variable", () => {
    const text = `
def f x = siin x + y`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0201]: there is no variable \`siin\`
       --> m.lam:1:11
        |
      1 | def f x = siin x + y
        |           ^^^^ not defined
        |
        = hint: did you mean \`sign\` or \`sin\`?

      error[E0201]: there is no variable \`y\`
       --> m.lam:1:20
        |
      1 | def f x = siin x + y
        |                    ^ not defined
      "
    `);
  });

  test("a local name", () => {
    const text = `
def f total = let count = 2 in totl * cuont`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0201]: there is no variable \`totl\`
       --> m.lam:1:32
        |
      1 | def f total = let count = 2 in totl * cuont
        |                                ^^^^ not defined
        |
        = hint: did you mean \`total\`?

      error[E0201]: there is no variable \`cuont\`
       --> m.lam:1:39
        |
      1 | def f total = let count = 2 in totl * cuont
        |                                       ^^^^^ not defined
        |
        = hint: did you mean \`count\`?
      "
    `);
  });

  test("an unbound constructor", () => {
    const text = `
data Shape = Circle R | Box R R
def f = Cirle 1.0
def g = Shape 1.0`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0202]: there is no constructor \`Cirle\`
       --> m.lam:2:9
        |
      2 | def f = Cirle 1.0
        |         ^^^^^ not defined
        |
        = hint: did you mean \`Circle\`?

      error[E0202]: there is no constructor \`Shape\`
       --> m.lam:3:9
        |
      3 | def g = Shape 1.0
        |         ^^^^^ not defined
        |
        = note: \`Shape\` is a type, not a constructor.
      "
    `);
  });

  test("an unbound constructor in a pattern", () => {
    const text = `
def f xs = case xs of { Nill -> 1; x :: _ -> x }`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0202]: there is no constructor \`Nill\`
       --> m.lam:1:25
        |
      1 | def f xs = case xs of { Nill -> 1; x :: _ -> x }
        |                         ^^^^ not defined
        |
        = hint: did you mean \`Nil\`?
      "
    `);
  });

  test("an unbound type", () => {
    const text = `
data Shape = Circle R
def f (x : Real) (i : Int) (s : shape) (t : Shap) (n : Nil) = x`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0203]: there is no type \`Real\`
       --> m.lam:2:12
        |
      2 | def f (x : Real) (i : Int) (s : shape) (t : Shap) (n : Nil) = x
        |            ^^^^ not defined
        |
        = hint: did you mean \`R\`?

      error[E0203]: there is no type \`Int\`
       --> m.lam:2:23
        |
      2 | def f (x : Real) (i : Int) (s : shape) (t : Shap) (n : Nil) = x
        |                       ^^^ not defined
        |
        = hint: did you mean \`Z\`?

      error[E0203]: there is no type \`Shap\`
       --> m.lam:2:45
        |
      2 | def f (x : Real) (i : Int) (s : shape) (t : Shap) (n : Nil) = x
        |                                             ^^^^ not defined
        |
        = hint: did you mean \`Shape\`?

      error[E0203]: there is no type \`Nil\`
       --> m.lam:2:56
        |
      2 | def f (x : Real) (i : Int) (s : shape) (t : Shap) (n : Nil) = x
        |                                                        ^^^ not defined
        |
        = note: \`Nil\` is a constructor, not a type.
      "
    `);
  });

  test("an unbound type variable", () => {
    const text = `
data Box a = Box b`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0204]: the type variable \`b\` is not a parameter
       --> m.lam:1:18
        |
      1 | data Box a = Box b
        |                  ^ not declared
        |
        = hint: did you mean \`a\`?
      "
    `);
  });

  test("definitions twice", () => {
    const text = `
def f x = x
def f x = 2 * x`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0205]: the definition \`f\` is defined twice
       --> m.lam:2:5
        |
      1 | def f x = x
        |     - first here
      2 | def f x = 2 * x
        |     ^ again here
        |
        = hint: rename or remove one of them
      "
    `);
  });

  test("a data type twice, a constructor twice", () => {
    const text = `
data T = A | B
type T = R
data U = B | C`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0205]: the type \`T\` is defined twice
       --> m.lam:2:6
        |
      1 | data T = A | B
        |      - first here
      2 | type T = R
        |      ^ again here
        |
        = hint: rename or remove one of them

      error[E0205]: the constructor \`B\` is defined twice
       --> m.lam:3:10
        |
      1 | data T = A | B
        |              - first here
      2 | type T = R
      3 | data U = B | C
        |          ^ again here
        |
        = hint: constructors of all data types share their names: rename one of them
      "
    `);
  });

  test("a name twice in a pattern", () => {
    const text = `
def f (x, y) = let (a, a) = (x, y) in a
def g x x = x`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0205]: \`a\` is bound twice
       --> m.lam:1:24
        |
      1 | def f (x, y) = let (a, a) = (x, y) in a
        |                     -  ^ again here
        |                     |
        |                     first here
        |
        = hint: rename one of them; where both must be equal, compare them with \`==\`

      error[E0205]: \`x\` is bound twice
       --> m.lam:2:9
        |
      2 | def g x x = x
        |       - ^ again here
        |       |
        |       first here
        |
        = hint: rename one of them; where both must be equal, compare them with \`==\`
      "
    `);
  });

  test("a type parameter twice, a local function twice", () => {
    const text = `
data P a a = P a
def f x = let rec g y = y and g z = z in g x`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0205]: the type parameter \`a\` is defined twice
       --> m.lam:1:10
        |
      1 | data P a a = P a
        |        - ^ again here
        |        |
        |        first here
        |
        = hint: rename one of them

      error[E0205]: the local function \`g\` is defined twice
       --> m.lam:2:31
        |
      2 | def f x = let rec g y = y and g z = z in g x
        |                   -           ^ again here
        |                   |
        |                   first here
        |
        = hint: rename one of them
      "
    `);
  });

  test("built-in types", () => {
    const text = `
data R = Real
data T = T`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0206]: the name \`R\` is taken
       --> m.lam:1:6
        |
      1 | data R = Real
        |      ^ built in
        |
        = hint: give your type another name
      "
    `);
  });

  test("constants in a cycle", () => {
    const text = `
def a = 1 + f 2
def f x = x * b
def b = a + 1`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0207]: the constant \`a\` is defined by itself
       --> m.lam:1:5
        |
      1 | def a = 1 + f 2
        |     ^ needs its own value
      2 | def f x = x * b
        |     - \`f\` is on the way
      3 | def b = a + 1
        |     - \`b\` is on the way
        |
        = note: The cycle is \`a\` -> \`f\` -> \`b\` -> \`a\`.
        = hint: a definition without parameters is computed once; with a parameter it is a function, and may be recursive
      "
    `);
  });

  test("a constant defined by itself", () => {
    const text = `
def a = 2 * a`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0207]: the constant \`a\` is defined by itself
       --> m.lam:1:5
        |
      1 | def a = 2 * a
        |     ^ needs its own value
        |
        = hint: a definition without parameters is computed once; with a parameter it is a function, and may be recursive
      "
    `);
  });
});
