import { describe, expect, test } from "vitest";
import { mistakesOf, typesOf } from "../../test/typed.js";

const records = `data Vec3 = Vec3 { x : R, y : R, z : R }
data Camera = Camera { rotation : Vec3, focal : R }
data Lens = Lens { focal : R, count : Z }
data Pair a b = Pair { first : a, second : b }
data Shape = Circle { radius : R } | Box { w : R, h : R } | Dot R`;

const typesIn = (text: string): string => typesOf(`${records}\n${text.trim()}`);
const mistakesIn = (text: string): string => mistakesOf(`${records}\n${text.trim()}`);

describe("records", () => {
  test("construction, access, update and patterns", () => {
    const text = `
def made = Camera { focal = 2, rotation = Vec3 0 1 2 }
def read c = c.rotation.x
def updated v = { v | x = v.y, z = 1 }
def matched (Camera { focal, rotation = Vec3 { x = a } }) = focal + a
def polymorphic p = { p | first = p.second }
def generic p = p.first
def area s = case s of { Circle { radius } -> radius; Box { h, w } -> w * h; Dot _ -> 0 }
def someShape = Box { h = 1, w = 2 }
def applied f v = f v.x v.y
def reader = \\v. v.x`;
    expect(typesIn(text)).toMatchInlineSnapshot(`
      "made : Camera
      read : Camera -> R
      updated : Vec3 -> Vec3
      matched : Camera -> R
      polymorphic : a. Pair a a -> Pair a a
      generic : a. b. Pair a b -> a
      area : Shape -> R
      someShape : Shape
      applied : a. (R -> R -> a) -> Vec3 -> a
      reader : Vec3 -> R"
    `);
  });

  test("a field of several types, where the type of the record is known", () => {
    const text = `
def annotated (c : Camera) = c.focal
def updated (l : Lens) = { l | focal = 1 }
def byOther l = { l | focal = 1, count = 2 }
def later (cs : [Camera]) = listLike (\\c. c.focal) cs
def listLike f xs = build (length xs) (\\i. f (xs ! i))
def inner (cs : [Camera]) = let g c = c.focal + read c in g (cs ! 0)
def read (c : Camera) = c.rotation.x
def laterUpdate (ls : [Lens]) = listLike (\\l. { l | focal = l.focal + 1 }) ls`;
    expect(typesIn(text)).toMatchInlineSnapshot(`
      "annotated : Camera -> R
      updated : Lens -> Lens
      byOther : Lens -> Lens
      listLike : a. b. (a -> b) -> [a] -> [b]
      later : [Camera] -> [R]
      read : Camera -> R
      inner : [Camera] -> R
      laterUpdate : [Lens] -> [Lens]"
    `);
  });

  test("fields that are not there", () => {
    const text = `
def a (l : Lens) = l.focl + l.x
def b c = c.rotatoin
def c c = c.nothing
def d = Lens { focal = 1, coumt = 2 }
def e (l : Lens) = { l | focl = 2 }
def f (Vec3 { w }) = w`;
    expect(mistakesIn(text)).toMatchInlineSnapshot(`
      "error[E0208]: \`Lens\` has no field \`focl\`
       --> m.lam:6:22
        |
      3 | data Lens = Lens { focal : R, count : Z }
        |             ---- declared here
      ...
      6 | def a (l : Lens) = l.focl + l.x
        |                      ^^^^ not a field of \`Lens\`
        |
        = note: Its fields are \`focal\` and \`count\`.
        = hint: did you mean \`focal\`?

      error[E0208]: \`Lens\` has no field \`x\`
       --> m.lam:6:31
        |
      3 | data Lens = Lens { focal : R, count : Z }
        |             ---- declared here
      ...
      6 | def a (l : Lens) = l.focl + l.x
        |                               ^ not a field of \`Lens\`
        |
        = note: Its fields are \`focal\` and \`count\`.
        = note: A field \`x\` belongs to \`Vec3\`.

      error[E0208]: no data type has a field \`rotatoin\`
       --> m.lam:7:13
        |
      7 | def b c = c.rotatoin
        |             ^^^^^^^^ not a field
        |
        = hint: did you mean \`rotation\`?

      error[E0208]: no data type has a field \`nothing\`
       --> m.lam:8:13
        |
      8 | def c c = c.nothing
        |             ^^^^^^^ not a field

      error[E0208]: \`Lens\` has no field \`coumt\`
       --> m.lam:9:27
        |
      3 | data Lens = Lens { focal : R, count : Z }
        |             ---- declared here
      ...
      9 | def d = Lens { focal = 1, coumt = 2 }
        |                           ^^^^^ not a field of \`Lens\`
        |
        = note: Its fields are \`focal\` and \`count\`.
        = hint: did you mean \`count\`?

      error[E0208]: \`Lens\` has no field \`focl\`
        --> m.lam:10:26
         |
       3 | data Lens = Lens { focal : R, count : Z }
         |             ---- declared here
      ...
      10 | def e (l : Lens) = { l | focl = 2 }
         |                          ^^^^ not a field of \`Lens\`
         |
         = note: Its fields are \`focal\` and \`count\`.
         = hint: did you mean \`focal\`?

      error[E0208]: \`Vec3\` has no field \`w\`
        --> m.lam:11:15
         |
       1 | data Vec3 = Vec3 { x : R, y : R, z : R }
         |             ---- declared here
      ...
      11 | def f (Vec3 { w }) = w
         |               ^ not a field of \`Vec3\`
         |
         = note: Its fields are \`x\`, \`y\` and \`z\`.
         = note: A field \`w\` belongs to \`Shape\`.
      "
    `);
  });

  test("fields missing, given twice, of another type", () => {
    const text = `
def a = Vec3 { x = 1 }
def b = Lens { focal = 1, count = 2, focal = 3 }
def c = Lens { focal = 1, count = 2.5 }
def d (l : Lens) = { l | count = true, count = 2 }
def e (Lens { count = 1.5 }) = 1
def f (Lens { count = true, count }) = 1
def g = Lens { count = 1 }`.replace("1.5 })", "(n : R) })");
    expect(mistakesIn(text)).toMatchInlineSnapshot(`
      "error[E0315]: fields of \`Vec3\` have no value
       --> m.lam:6:9
        |
      1 | data Vec3 = Vec3 { x : R, y : R, z : R }
        |             ---- declared here
      ...
      6 | def a = Vec3 { x = 1 }
        |         ^^^^ \`y\` and \`z\` are missing
        |
        = note: Missing:
                  y : R
                  z : R
        = hint: add \`y = .., z = ..\`; to change some fields of a record that you have, write \`{ record | field = .. }\`

      error[E0205]: the field \`focal\` is given twice
       --> m.lam:7:38
        |
      7 | def b = Lens { focal = 1, count = 2, focal = 3 }
        |                -----                 ^^^^^ again here
        |                |
        |                first here
        |
        = hint: leave one of them out

      error[E0301]: the field \`count\` of \`Lens\` has another type
       --> m.lam:8:35
        |
      3 | data Lens = Lens { focal : R, count : Z }
        |                               ----- declared here
      ...
      8 | def c = Lens { focal = 1, count = 2.5 }
        |                                   ^^^ has the type R
        |
        = note: expected Z
                found    R
        = hint: \`round\`, \`floor\` or \`truncate\` makes a Z of an R

      error[E0301]: the field \`count\` of \`Lens\` has another type
       --> m.lam:9:34
        |
      3 | data Lens = Lens { focal : R, count : Z }
        |                               ----- declared here
      ...
      9 | def d (l : Lens) = { l | count = true, count = 2 }
        |                                  ^^^^ has the type Bool
        |
        = note: expected Z
                found    Bool
        = hint: \`if b then 1 else 0\` makes a number of a \`Bool\`

      error[E0205]: the field \`count\` is given twice
       --> m.lam:9:40
        |
      9 | def d (l : Lens) = { l | count = true, count = 2 }
        |                          -----         ^^^^^ again here
        |                          |
        |                          first here
        |
        = hint: leave one of them out

      error[E0301]: the field \`count\` of \`Lens\` has another type
        --> m.lam:10:23
         |
       3 | data Lens = Lens { focal : R, count : Z }
         |                               ----- declared here
      ...
      10 | def e (Lens { count = (n : R) }) = 1
         |                       ^^^^^^^ matches values of type R
         |
         = note: expected Z
                 found    R
         = hint: \`round\`, \`floor\` or \`truncate\` makes a Z of an R

      error[E0301]: the field \`count\` of \`Lens\` has another type
        --> m.lam:11:23
         |
       3 | data Lens = Lens { focal : R, count : Z }
         |                               ----- declared here
      ...
      11 | def f (Lens { count = true, count }) = 1
         |                       ^^^^ has the type Bool
         |
         = note: expected Z
                 found    Bool
         = hint: \`if b then 1 else 0\` makes a number of a \`Bool\`

      error[E0205]: the field \`count\` is given twice
        --> m.lam:11:29
         |
      11 | def f (Lens { count = true, count }) = 1
         |               -----         ^^^^^ again here
         |               |
         |               first here
         |
         = hint: leave one of them out

      error[E0315]: a field of \`Lens\` has no value
        --> m.lam:12:9
         |
       3 | data Lens = Lens { focal : R, count : Z }
         |             ---- declared here
      ...
      12 | def g = Lens { count = 1 }
         |         ^^^^ \`focal\` is missing
         |
         = note: Missing:
                   focal : R
         = hint: add \`focal = ..\`; to change some fields of a record that you have, write \`{ record | field = .. }\`
      "
    `);
  });

  test("what is no record", () => {
    const text = `
def a (c : R) = c.x
def b (p : (Lens, Z)) = p.count
def c (xs : [Vec3]) = xs.x
def d (p : a) = p.focal
def e = Dot { r = 1 }
def f s = case s of { Nil {a} -> 1; _ -> 2 }
def g (s : Shape) = s.radius
def h s = { s | w = 2 }`;
    expect(mistakesIn(text)).toMatchInlineSnapshot(`
      "error[E0311]: this is not a record, and has no field \`x\`
       --> m.lam:6:19
        |
      6 | def a (c : R) = c.x
        |                 - ^ only records have fields
        |                 |
        |                 has the type R
        |
        = note: A field \`x\` belongs to \`Vec3\`.
        = hint: a dot belongs to what stands right in front of it: the field of a call is \`(f x).x\`

      error[E0311]: this is not a record, and has no field \`count\`
       --> m.lam:7:27
        |
      7 | def b (p : (Lens, Z)) = p.count
        |                         - ^^^^^ only records have fields
        |                         |
        |                         has the type (Lens, Z)
        |
        = note: A field \`count\` belongs to \`Lens\`.
        = hint: a tuple of 2 components is taken apart by a pattern, \`let (a, b) = p in ..\`, or as \`fst p\` and \`snd p\`

      error[E0311]: this is not a record, and has no field \`x\`
       --> m.lam:8:26
        |
      8 | def c (xs : [Vec3]) = xs.x
        |                       -- ^ only records have fields
        |                       |
        |                       has the type [Vec3]
        |
        = note: A field \`x\` belongs to \`Vec3\`.
        = hint: an element is read by its index: \`a ! i\`; the number of elements is \`length a\`

      error[E0311]: this is not a record, and has no field \`focal\`
       --> m.lam:9:19
        |
      9 | def d (p : a) = p.focal
        |                 - ^^^^^ only records have fields
        |                 |
        |                 has the type a
        |
        = note: A field \`focal\` belongs to \`Camera\` and \`Lens\`.
        = hint: annotate it with the data type that has the field

      error[E0314]: the fields of \`Dot\` have no names
        --> m.lam:10:9
         |
       5 | data Shape = Circle { radius : R } | Box { w : R, h : R } | Dot R
         |                                                             --- declared here
      ...
      10 | def e = Dot { r = 1 }
         |         ^^^ takes 1 field by position
         |
         = hint: write \`Dot a\`, or give the fields names where it is declared: \`Dot { a : .., .. }\`

      error[E0314]: \`Nil\` has no fields
        --> m.lam:11:23
         |
      11 | def f s = case s of { Nil {a} -> 1; _ -> 2 }
         |                       ^^^ stands alone
        ::: prelude.lam
         |
         = hint: write \`Nil\` alone

      error[E0312]: a field of \`Shape\` cannot be read by its name alone
        --> m.lam:12:23
         |
      12 | def g (s : Shape) = s.radius
         |                       ^^^^^^ \`Shape\` has several constructors
         |
         = note: A value of \`Shape\` is made by \`Circle\`, \`Box\` or \`Dot\`.
         = hint: say what to do for each: \`case .. of { Circle { radius } -> ..; Box _ _ -> ..; Dot _ -> .. }\`

      error[E0312]: a field of \`Shape\` cannot be updated by its name alone
        --> m.lam:13:17
         |
      13 | def h s = { s | w = 2 }
         |                 ^ \`Shape\` has several constructors
         |
         = note: A value of \`Shape\` is made by \`Circle\`, \`Box\` or \`Dot\`.
         = hint: say what to do for each: \`case .. of { Circle _ -> ..; Box { w } -> ..; Dot _ -> .. }\`
      "
    `);
  });

  test("a field of several types, where nothing tells which", () => {
    expect(mistakesIn("def a c = c.focal\ndef b c = { c | focal = 2 }")).toMatchInlineSnapshot(`
      "error[E0313]: several data types have a field \`focal\`
       --> m.lam:6:13
        |
      6 | def a c = c.focal
        |           - ^^^^^ which type is meant is not known here
        |           |
        |           this could be any of them
        |
        = note: They are \`Camera\` and \`Lens\`.
        = hint: say which, with an annotation where it is bound, as in \`(c : Camera)\`

      error[E0313]: several data types have a field \`focal\`
       --> m.lam:7:17
        |
      7 | def b c = { c | focal = 2 }
        |             -   ^^^^^ which type is meant is not known here
        |             |
        |             this could be any of them
        |
        = note: They are \`Camera\` and \`Lens\`.
        = hint: say which, with an annotation where it is bound, as in \`(c : Camera)\`
      "
    `);
  });

  test("a field that is decided outside of a local function is of one type in it", () => {
    const used = (local: string, body: string): string =>
      mistakesIn(`def a (c : Camera) = (\\r. let ${local} in let cs = [c, r] in ${body}) c`);
    expect(used("g y = r.focal", "g 1 + g true")).toBe("");
    expect(used("g y = r.focal", "g 1 && true")).toContain("has the type R");
    expect(used("g y = { r | focal = y }", "[g 1, g 2]")).toBe("");
    expect(used("g y = { r | focal = y }", "g true")).toContain("the field `focal` of `Camera` has another type");
  });

  test("a field that turns out not to fit", () => {
    expect(mistakesIn("def a (cs : [Camera]) = let f g = g (cs ! 0) in f (\\c. c.focal && true)"))
      .toMatchInlineSnapshot(`
        "error[E0301]: the left side of \`&&\` has the wrong type
         --> m.lam:6:56
          |
        6 | def a (cs : [Camera]) = let f g = g (cs ! 0) in f (\\c. c.focal && true)
          |                                                        ^^^^^^^ has the type R
          |
          = note: expected Bool
                  found    R
          = hint: compare it with something, as in \`x /= 0\`
        "
      `);
  });

  test("patterns that do not cover everything", () => {
    const text = `
data Tagged = Tagged { on : Bool, value : R }
def a s = case s of { Circle { radius } -> radius; Box _ _ -> 1 }
def b t = case t of { Tagged { on = true, value } -> value }
def c t = case t of { Tagged { value } -> value; Tagged { on } -> 1 }`;
    expect(mistakesIn(text)).toMatchInlineSnapshot(`
      "error[E0401]: this \`case\` does not cover every value
       --> m.lam:7:11
        |
      7 | def a s = case s of { Circle { radius } -> radius; Box _ _ -> 1 }
        |           ^^^^^^ not every value is matched
        |
        = note: Missing: \`Dot _\`.
        = hint: add a branch for it

      error[E0401]: this \`case\` does not cover every value
       --> m.lam:8:11
        |
      8 | def b t = case t of { Tagged { on = true, value } -> value }
        |           ^^^^^^ not every value is matched
        |
        = note: Missing: \`Tagged { on = false }\`.
        = hint: add a branch for it

      warning[E0402]: this branch is never reached
       --> m.lam:9:50
        |
      9 | def c t = case t of { Tagged { value } -> value; Tagged { on } -> 1 }
        |                       ----------------           ^^^^^^^^^^^^^ matches nothing that gets here
        |                       |
        |                       matches all of it before
        |
        = hint: remove it, or put it before the more general one
      "
    `);
  });

  test("declarations", () => {
    expect(mistakesOf("data T = A { x : R, y : R, x : Z } | B { x : R }")).toMatchInlineSnapshot(`
      "error[E0205]: the field \`x\` is defined twice
       --> m.lam:1:28
        |
      1 | data T = A { x : R, y : R, x : Z } | B { x : R }
        |              -             ^ again here
        |              |
        |              first here
        |
        = hint: rename one of them
      "
    `);
  });
});
