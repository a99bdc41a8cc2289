import { describe, expect, test } from "vitest";
import { mistakesOf, typesOf } from "../../test/typed.js";

describe("arrays", () => {
  test("literals, build, index, length", () => {
    const text = `
def literal = [1, 2.0]
def empty = []
def nested (xs : [[R]]) i = xs ! i ! 0
def built n = build n (\\i. toReal i)
def polymorphic n f = build n f
def size xs = length xs
def functions = (build, (!), length)
def partial xs = build (length xs) ((!) xs)
def precedence xs = -xs ! 0 ^ 2 + f xs ! 1
def f xs = xs
def numbers x = [x, 1]
def local = let length = \\x. x + 1 in length 2`;
    expect(typesOf(text)).toMatchInlineSnapshot(`
      "literal : [R]
      empty : a. [a]
      nested : [[R]] -> Z -> R
      built : Z -> [R]
      polymorphic : a. Z -> (Z -> a) -> [a]
      size : a. [a] -> Z
      functions : a. b. c. (Z -> (Z -> a) -> [a], [b] -> Z -> b, [c] -> Z)
      partial : a. [a] -> [a]
      f : a. a -> a
      precedence : a number. [a] -> a
      numbers : a number. a -> [a]
      local : R"
    `);
  });

  test("elements of different types", () => {
    const text = `
def a = [1, 2.5, true, 3]
def b = [[1, 2], [3.5, false]]
def c = ([1, true] : [R])
def d = sum [1, (2, 3)]
def e (x : a) = [x, 1]`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: the elements of an array must have one type
       --> m.lam:1:18
        |
      1 | def a = [1, 2.5, true, 3]
        |          -       ^^^^ has the type Bool
        |          |
        |          this one has the type R
        |
        = note: expected R
                found    Bool
        = hint: \`if b then 1 else 0\` makes a number of a \`Bool\`

      error[E0301]: the elements of an array must have one type
       --> m.lam:2:24
        |
      2 | def b = [[1, 2], [3.5, false]]
        |          ------        ^^^^^ has the type Bool
        |          |
        |          the first element
        |
        = note: expected R
                found    Bool
        = hint: \`if b then 1 else 0\` makes a number of a \`Bool\`

      error[E0301]: element 2 of this is not of the type in its annotation
       --> m.lam:3:14
        |
      3 | def c = ([1, true] : [R])
        |              ^^^^    --- the annotation
        |              |
        |              has the type Bool
        |
        = note: expected R
                found    Bool
        = hint: \`if b then 1 else 0\` makes a number of a \`Bool\`

      error[E0301]: element 2 of the argument of \`sum\` has the wrong type
       --> m.lam:4:17
        |
      4 | def d = sum [1, (2, 3)]
        |                 ^^^^^^ has the type (number, number)
        |
        = note: expected a number
                found    (number, number)

      error[E0301]: the elements of an array must have one type
       --> m.lam:5:21
        |
      5 | def e (x : a) = [x, 1]
        |                  -  ^ is a number
        |                  |
        |                  this one has the type a
        |
        = note: expected a
                found    number
        = note: \`number\` is R or Z
      "
    `);
  });

  test("indices", () => {
    const text = `
def a (xs : [R]) = xs ! 1.0
def b (xs : [R]) x = xs ! (x / 2)
def c (x : R) = x ! 0
def d (xs : List R) = xs ! 0
def e (xs : [[R]]) = xs ! (0, 1)
def f xs i = (xs ! i) + 1 == xs`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: an index must be an integer
       --> m.lam:1:25
        |
      1 | def a (xs : [R]) = xs ! 1.0
        |                         ^^^ has the type R
        |
        = note: expected Z
                found    R
        = hint: write \`1\`, without a point

      error[E0301]: an index must be an integer
       --> m.lam:2:27
        |
      2 | def b (xs : [R]) x = xs ! (x / 2)
        |                           ^^^^^^^ has the type R
        |
        = note: expected Z
                found    R
        = hint: \`round\`, \`floor\` or \`truncate\` makes a Z of an R

      error[E0301]: what stands left of \`!\` must be an array
       --> m.lam:3:17
        |
      3 | def c (x : R) = x ! 0
        |                 ^ has the type R
        |
        = note: expected [a]
                found    R

      error[E0301]: what stands left of \`!\` must be an array
       --> m.lam:4:23
        |
      4 | def d (xs : List R) = xs ! 0
        |                       ^^ has the type List R
        |
        = note: expected [a]
                found    List R
        = hint: a list has no indices: take it apart with \`case\`, or use an array

      error[E0301]: an index must be an integer
       --> m.lam:5:27
        |
      5 | def e (xs : [[R]]) = xs ! (0, 1)
        |                           ^^^^^^ has the type (number, number)
        |
        = note: expected Z
                found    (number, number)
        = hint: an element of an element is \`xs ! 0 ! 1\`

      error[E0301]: \`==\` works on numbers
       --> m.lam:6:30
        |
      6 | def f xs i = (xs ! i) + 1 == xs
        |                              ^^ has the type [number]
        |
        = note: expected a number
                found    [number]
      "
    `);
  });

  test("arrays and lists", () => {
    const text = `
def a = length (1 :: Nil)
def b = listSum [1, 2]
def c x = x :: [1, 2]
def d = build 3.5 (\\i. i)
def e = build 3 [1]`;
    expect(mistakesOf(text.trim())).toMatchInlineSnapshot(`
      "error[E0301]: the argument of \`length\` has the wrong type
       --> m.lam:1:16
        |
      1 | def a = length (1 :: Nil)
        |                ^^^^^^^^^^ has the type List b
        |
        = note: expected [a]
                found    List b
        = hint: for lists it is \`listLength (1 :: Nil)\`

      error[E0301]: the argument of \`listSum\` has the wrong type
       --> m.lam:2:17
        |
      2 | def b = listSum [1, 2]
        |                 ^^^^^^ has the type [number]
        |
        = note: expected List number
                found    [number]
        = hint: for arrays it is \`sum [1, 2]\`

      error[E0301]: \`::\` puts an element before a list of such elements
       --> m.lam:3:16
        |
      3 | def c x = x :: [1, 2]
        |           -    ^^^^^^ has the type [number]
        |           |
        |           has the type a
        |
        = note: expected List a
                found    [number]
        = hint: \`::\` makes lists; an array with one more element is \`append [x] [1, 2]\`

      error[E0301]: the 1st argument of \`build\` has the wrong type
       --> m.lam:4:15
        |
      4 | def d = build 3.5 (\\i. i)
        |               ^^^ has the type R
        |
        = note: expected Z
                found    R
        = hint: \`round\`, \`floor\` or \`truncate\` makes a Z of an R

      error[E0301]: the 2nd argument of \`build\` has the wrong type
       --> m.lam:5:17
        |
      5 | def e = build 3 [1]
        |                 ^^^ has the type [number]
        |
        = note: expected Z -> a
                found    [number]
        = hint: the arguments of \`build\` are, in this order, of type Z and Z -> a
      "
    `);
  });
});
