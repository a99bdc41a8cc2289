import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { coreText, elaborateText } from "../../test/support/elaborated.js";
import { allTerms } from "../core/traverse.js";

const fixture = (name: string): string => readFileSync(new URL(`../../fixtures/${name}.lam`, import.meta.url), "utf8");

describe("the paper's programs", () => {
  test("SV25 Fig. 1", () => {
    expect(coreText(fixture("paper/fig1"))).toMatchInlineSnapshot(`
      "f(pair : (R, R)) : R =
        let x : R = fst pair in
        let y : R = snd pair in
        let z : R = x + y in
        x * z
      "
    `);
  });

  test("SV25 Fig. 2", () => {
    expect(coreText(fixture("paper/fig2-n4"))).toMatchInlineSnapshot(`
      "f(x0 : R) : R =
        let x1 : R = x0 + x0 in
        let x2 : R = x1 + x1 in
        let x3 : R = x2 + x2 in
        let x4 : R = x3 + x3 in
        let x5 : R = x4 + x4 in
        x5
      "
    `);
  });

  test("SV25 Fig. 13", () => {
    expect(coreText(fixture("paper/fig13"))).toMatchInlineSnapshot(`
      "f(a : R, b : R) : R =
        let pair1 : (R, R) =
          (let x : R = a * b + sin(b) in
           let pair : (R, R) = x * a + a |*| cos(x) in
           let y1 : R = fst pair in
           let y2 : R = snd pair in
           x + y1 * y2)
            |*| exp(a) + b
        in
        let z1 : R = fst pair1 in
        let z2 : R = snd pair1 in
        z1 * z2
      "
    `);
  });
});

describe("patterns", () => {
  test("nested ones become flat cases, and a right-hand side that is reached twice a join point", () => {
    expect(
      coreText(`
        data Shape = Circle R | Box R R
        def f (p : (Shape, Shape)) : R = case p of {
          (Circle r, Circle s) -> r * s;
          (Box w h, _) -> w * h;
          (a, b) -> case (b, a) of { (Box w _, _) -> w + w; _ -> 0 }
        }`),
    ).toMatchInlineSnapshot(`
      "data Shape = Circle R | Box R R

      f(p : (Shape, Shape)) : R =
        let a : Shape = fst p in
        let b : Shape = snd p in
        case a of {
          Circle r ->
            case b of {
              Circle s -> r * s;
              Box _2 _3 -> case b of { Circle _ -> 0.0; Box w1 _1 -> w1 + w1 }
            };
          Box w h -> w * h
        }
      "
    `);
  });

  test("a default that several leaves reach takes the variables that it uses", () => {
    expect(
      coreText(`
        def f (xs : List R) (y : R) : R = case xs of {
          a :: b :: Nil -> a * b;
          rest -> listSum rest * y
        }`),
    ).toMatchInlineSnapshot(`
      "data List a = Nil | Cons a (List a)

      listFoldl(f1 : R -> R -> R, start : R, xs : List R) : R =
        case xs of { Nil -> start; Cons y ys -> listFoldl(f1, f1 start y, ys) }

      listSum(xs : List R) : R =
        listFoldl(\\(x : R). \\(y : R). x + y, 0.0, xs)

      f(xs : List R, y : R) : R =
        let rec matched(rest : List R) : R =
          listSum(rest) * y
        in
        case xs of {
          Nil -> matched(xs);
          Cons a list ->
            case list of {
              Nil -> matched(xs);
              Cons b list1 -> case list1 of { Nil -> a * b; Cons _ _1 -> matched(xs) }
            }
        }
      "
    `);
  });

  test("literals become tests", () => {
    expect(
      coreText(
        `def f (n : Z) (b : Bool) (x : R) : R = case (n, b) of { (0, _) -> x; (-1, true) -> x * x; (_, false) -> 2; _ -> 3 }`,
      ),
    ).toMatchInlineSnapshot(`
      "f(n : Z, b : Bool, x : R) : R =
        if n == 0 then x else if b then if n == -1 then x * x else 3.0 else 2.0
      "
    `);
  });

  test("irrefutable ones are projections; what is not used is not taken", () => {
    expect(
      coreText(`
        data Vec = Vec R R R
        def f ((x, _) : (R, R)) (Vec a _ c : Vec) (_ : Z) : R =
          let (p, (q, _)) = (x * a, (c, x)) in
          (\\(u, v). u - v) (p, q)`),
    ).toMatchInlineSnapshot(`
      "data Vec = Vec R R R

      f(pair : (R, R), data : Vec, _1 : Z) : R =
        let x : R = fst pair in
        case data of {
          Vec a _ c ->
            let p : R = x * a in
            p - c
        }
      "
    `);
  });

  test("a scrutinee is evaluated once", () => {
    expect(
      coreText(`def f (x : R) : R = case (\\y. (y, y * y)) x of { (a, b) -> a + b }
                def g (x : R) : R = case exp x > 1 of { true -> x; false -> 0 }`),
    ).toMatchInlineSnapshot(`
      "f(x : R) : R =
        let pair : (R, R) = (x, x * x) in
        let a : R = fst pair in
        let b : R = snd pair in
        a + b

      g(x : R) : R =
        if exp(x) > 1.0 then x else 0.0
      "
    `);
  });
});

describe("functions", () => {
  test("calls take all arguments; what lacks some is a lambda; what has more is applied", () => {
    expect(
      coreText(`
        def affine a b x : R = a * x + b
        def pick (b : Bool) = if b then affine 2 3 else sin
        def f (x : R) : R =
          let g = affine (exp x) in
          g 1 x + pick true x + (\\h. h 1 2) (*) + snd (fst (fst, x) (x, x), x)`),
    ).toMatchInlineSnapshot(`
      "affine(a : R, b : R, x : R) : R =
        a * x + b

      pick(b : Bool) : R -> R =
        if b then \\(x : R). affine(2.0, 3.0, x) else \\(x1 : R). sin(x1)

      f(x : R) : R =
        let g : R -> R -> R =
          let a : R = exp(x) in
          \\(b : R). \\(x1 : R). affine(a, b, x1)
        in
        g 1.0 x + pick(true) x +
        (let h : R -> R -> R = \\(x2 : R). \\(y : R). x2 * y in
         h 1.0 2.0) +
        snd (fst (\\(pair : (R, R)). fst pair, x) (x, x), x)
      "
    `);
  });

  test("constants that are functions get parameters, unless that repeats work", () => {
    expect(
      coreText(`
        def compose g h x = g (h x)
        def square = \\(x : R). x * x
        def twice = compose square square
        def add = (+)
        def shifted = let by = exp 1 in \\x. x + by
        def table = (square, twice)
        def f (x : R) : R = twice (add x 1.0) + shifted x + fst table x`),
    ).toMatchInlineSnapshot(`
      "compose(g : R -> R, h : R -> R, x : R) : R =
        g (h x)

      square(x : R) : R =
        x * x

      twice(arg1 : R) : R =
        compose(\\(x : R). square(x), \\(x1 : R). square(x1), arg1)

      add(arg1 : R, arg2 : R) : R =
        arg1 + arg2

      shifted : R -> R =
        let by : R = exp(1.0) in
        \\(x : R). x + by

      table : (R -> R, R -> R) =
        (\\(x : R). square(x), \\(arg1 : R). twice(arg1))

      f(x : R) : R =
        twice(add(x, 1.0)) + shifted x + fst table x
      "
    `);
  });

  test("mutual recursion, at top level and local", () => {
    expect(
      coreText(`
        def f (x : R) : R = if x < 10 then g (0.6 * x) + 1 else g (0.1 * x) + 2
        def g (x : R) : R =
          let rec even n y = if n == 0 then y else odd (n - 1) (y * x)
              and odd n y = if n == 0 then 1 else even (n - 1) y in
          if x < 1 then x else f (x - 1) + even 4 x`),
    ).toMatchInlineSnapshot(`
      "f(x : R) : R =
        if x < 10.0 then g(0.6 * x) + 1.0 else g(0.1 * x) + 2.0

      g(x : R) : R =
        let rec even(n : R, y : R) : R =
          if n == 0.0 then y else odd(n - 1.0, y * x)
        and odd(n1 : R, y1 : R) : R =
          if n1 == 0.0 then 1.0 else even(n1 - 1.0, y1)
        in
        if x < 1.0 then x else f(x - 1.0) + even(4.0, x)
      "
    `);
  });

  test("a polymorphic definition has one copy for each type that it is used at", () => {
    expect(
      coreText(`
        def map (f : a -> b) (xs : List a) : List b = case xs of { Nil -> Nil; x :: rest -> f x :: map f rest }
        def map_Z (x : R) : R = x
        def total (xs : List R) (ns : List Z) : List R =
          let rec keep x = x in
          let pair = keep (map (\\x. x * 2) xs, keep true) in
          map toReal (map (\\n. n + 1) ns)`),
    ).toMatchInlineSnapshot(`
      "data List a = Nil | Cons a (List a)

      map(f : R -> R, xs : List R) : List R =
        case xs of { Nil -> Nil; Cons x rest -> Cons (f x) map(f, rest) }

      map_Z_R(f : Z -> R, xs : List Z) : List R =
        case xs of { Nil -> Nil; Cons x rest -> Cons (f x) map_Z_R(f, rest) }

      map_Z_Z(f : Z -> Z, xs : List Z) : List Z =
        case xs of { Nil -> Nil; Cons x rest -> Cons (f x) map_Z_Z(f, rest) }

      map_Z(x : R) : R =
        x

      total(xs : List R, ns : List Z) : List R =
        let rec keep(x2 : (List R, Bool)) : (List R, Bool) =
          x2
        and keep_Bool(x3 : Bool) : Bool =
          x3
        in
        let pair : (List R, Bool) =
          keep((map(\\(x : R). x * 2.0, xs), keep_Bool(true)))
        in
        map_Z_R(\\(x1 : Z). toReal(x1), map_Z_Z(\\(n : Z). n + 1, ns))
      "
    `);
  });

  test("overloaded definitions are exported at R", () => {
    expect(coreText("def square x = x * x\ndef area n = toReal (square n)")).toMatchInlineSnapshot(`
      "square(x : R) : R =
        x * x

      square_Z(x : Z) : Z =
        x * x

      area(n : Z) : R =
        toReal(square_Z(n))
      "
    `);
  });

  test("arguments of a partial application are evaluated once, before it", () => {
    expect(
      coreText(`def mul3 a b c : R = a * b * c
                def f (x : R) : R = let g = mul3 (exp x) x in g 1 + g 2`),
    ).toMatchInlineSnapshot(`
      "mul3(a : R, b : R, c : R) : R =
        a * b * c

      f(x : R) : R =
        let g : R -> R =
          let a : R = exp(x) in
          \\(c : R). mul3(a, x, c)
        in
        g 1.0 + g 2.0
      "
    `);
  });
});

describe("arrays", () => {
  test("build with a lambda holds its body; another function is evaluated once, after the size", () => {
    expect(
      coreText(`
        def f (xs : [R]) (k : Z) : [R] =
          let pick b = if b then \\i. xs ! i else \\i. 0 in
          let ys = build k (\\i. let x = xs ! i in x * x) in
          if k == 0 then [ys ! 0, toReal (length ys)] else build (length xs + 1) (pick (k > 3))`),
    ).toMatchInlineSnapshot(`
      "f(xs : [R], k : Z) : [R] =
        let rec pick(b : Bool) : Z -> R =
          if b then \\(i2 : Z). xs ! i2 else \\(i3 : Z). 0.0
        in
        let ys : [R] =
          build k
            (\\i.
               let x : R = xs ! i in
               x * x)
        in
        if k == 0
        then [ys ! 0, toReal(length ys)]
        else let n : Z = length xs + 1 in
          let f1 : Z -> R = pick(k > 3) in
          build n (\\i1. f1 i1)
      "
    `);
  });

  test("the built-in functions are values", () => {
    expect(
      coreText(`
        def at = (!)
        def apply (f : [R] -> Z -> R) (xs : [R]) : R = f xs 0
        def f (xs : [R]) (n : Z) : R =
          let three = build 3 in
          let first = build (n * n) in
          apply at (three (at xs)) + apply (!) (first (\\i. xs ! i)) + toReal (length xs)`),
    ).toMatchInlineSnapshot(`
      "at(array : [R], n : Z) : R =
        array ! n

      apply(f1 : [R] -> Z -> R, xs : [R]) : R =
        f1 xs 0

      f(xs : [R], n : Z) : R =
        let three : (Z -> R) -> [R] = \\(f1 : Z -> R). build 3 (\\i. f1 i) in
        let first : (Z -> R) -> [R] =
          let n1 : Z = n * n in
          \\(f2 : Z -> R). build n1 (\\i1. f2 i1)
        in
        apply(
          \\(array : [R]). \\(n2 : Z). at(array, n2),
          three (\\(n3 : Z). at(xs, n3))
        ) +
        apply(\\(array1 : [R]). \\(n4 : Z). array1 ! n4, first (\\(i2 : Z). xs ! i2)) +
        toReal(length xs)
      "
    `);
  });
});

describe("records", () => {
  const camera = "data Camera = Camera { rotation : (R, R), focal : R, points : [R] }";

  test("are made by name in the order of writing", () => {
    expect(
      coreText(`${camera}
        def f (x : R) : Camera = Camera { points = [x], rotation = (exp x, 1), focal = sin x }
        def g (x : R) : Camera = Camera { rotation = (x, x), focal = sin x, points = [] }
        def h (x : R) : Camera = Camera (x, x) x []`),
    ).toMatchInlineSnapshot(`
      "data Camera = Camera { rotation : (R, R), focal : R, points : [R] }

      f(x : R) : Camera =
        let points : [R] = [x] in
        let rotation : (R, R) = (exp(x), 1.0) in
        let focal : R = sin(x) in
        Camera rotation focal points

      g(x : R) : Camera =
        Camera (x, x) sin(x) []

      h(x : R) : Camera =
        Camera (x, x) x []
      "
    `);
  });

  test("are read and updated by a case with one branch", () => {
    expect(
      coreText(`${camera}
        def f (c : Camera) : R = c.focal * fst c.rotation + c.points ! 0
        def g (c : Camera) : Camera = { c | rotation = (c.focal, 0), points = [1] }
        def h (c : Camera) : Camera = { g c | points = [c.focal], focal = c.focal + 1 }`),
    ).toMatchInlineSnapshot(`
      "data Camera = Camera { rotation : (R, R), focal : R, points : [R] }

      f(c : Camera) : R =
        case c of { Camera _ focal _1 -> focal } *
        fst case c of { Camera rotation _2 _3 -> rotation } +
        case c of { Camera _4 _5 points -> points } ! 0

      g(c : Camera) : Camera =
        case c of {
          Camera _2 focal1 _3 ->
            Camera (case c of { Camera _ focal _1 -> focal }, 0.0) focal1 [1.0]
        }

      h(c : Camera) : Camera =
        case g(c) of {
          Camera rotation _4 _5 ->
            let points : [R] = [case c of { Camera _ focal _1 -> focal }] in
            let focal2 : R = case c of { Camera _2 focal1 _3 -> focal1 } + 1.0 in
            Camera rotation focal2 points
        }
      "
    `);
  });

  test("are taken apart by some of their fields", () => {
    expect(
      coreText(`${camera}
        data Shape = Circle { radius : R } | Box { width : R, height : R }
        def f (Camera { focal, rotation = (a, _) } : Camera) : R = focal * a
        def g (s : Shape) (t : Shape) : R = case (s, t) of {
          (Circle { radius = r }, Box { height }) -> r * height;
          (Box { height = h, width = w }, Circle _) -> h - w;
          _ -> 0 }`),
    ).toMatchInlineSnapshot(`
      "data Camera = Camera { rotation : (R, R), focal : R, points : [R] }

      data Shape = Circle { radius : R } | Box { width : R, height : R }

      f(data : Camera) : R =
        case data of {
          Camera pair focal _ ->
            let a : R = fst pair in
            focal * a
        }

      g(s : Shape, t : Shape) : R =
        case s of {
          Circle r -> case t of { Circle _ -> 0.0; Box _1 height -> r * height };
          Box w h -> case t of { Circle _2 -> h - w; Box _3 _4 -> 0.0 }
        }
      "
    `);
  });
});

test("what may fail at run time knows where it stands", () => {
  const { program } = elaborateText("def half (n : Z) (x : R) : Z =\n  let g = \\k. div k 2 in\n  g n + floor x").value;
  const sites = program.definitions.flatMap(({ body }) =>
    [...allTerms(body)].flatMap((term) => (term.kind === "op" && term.site !== null ? [[term.op, term.site]] : [])),
  );
  expect(sites).toEqual([
    ["divZ", { definition: "half", position: "model.lam:2:15", via: "" }],
    ["addZ", { definition: "half", position: "model.lam:3:3", via: "" }],
    ["floor", { definition: "half", position: "model.lam:3:9", via: "" }],
  ]);
});

test("a function of the prelude fails where the file uses it, under its name in the prelude", () => {
  const { program } = elaborateText(`
def dot (a : [R]) (b : [R]) : R = sum a * sum b
def f (m : [[R]]) (v : [R]) : [R] = matVec m v
def g (m : [[R]]) (v : [R]) : [R] = map (zipWith (+) v) m ! 0
def total (ns : [Z]) : Z = sum ns`).value;
  const sites = program.definitions.flatMap(({ body }) =>
    [...allTerms(body)].flatMap((term) => {
      if (term.kind !== "op" && term.kind !== "index") return [];
      const { site } = term;
      return site === null
        ? []
        : [`${term.kind === "op" ? term.op : "!"} ${site.definition} ${site.position} ${site.via}`];
    }),
  );
  expect(sites).toEqual([
    "sameLength f model.lam:3:37 matVec",
    "! g model.lam:4:37 ",
    "sameLength g model.lam:4:42 zipWith",
    "addZ total model.lam:5:28 sum",
    "addZ total model.lam:5:28 sum",
    "! total model.lam:5:28 sum",
  ]);
});

test("arrays know where they stand", () => {
  const text = "def f (xs : [R]) (n : Z) : [R] =\n  let get = (!) xs in\n  build n (\\i. xs ! i + get 0)";
  const sites = elaborateText(text).value.program.definitions.flatMap(({ body }) =>
    [...allTerms(body)].flatMap((term) =>
      term.kind === "build" || term.kind === "index" ? [[term.kind, term.site]] : [],
    ),
  );
  expect(sites).toEqual([
    ["index", { definition: "f", position: "model.lam:2:13", via: "" }],
    ["build", { definition: "f", position: "model.lam:3:3", via: "" }],
    ["index", { definition: "f", position: "model.lam:3:16", via: "" }],
  ]);
});

test("only what the entries reach is kept, in the order of use", () => {
  const text = "def a (x : R) : R = b x\ndef b (x : R) : R = c * x\ndef c = 2.0\ndef d (x : R) : R = x";
  expect(elaborateText(text, ["a"]).value.program.definitions.map(({ name }) => name)).toEqual(["c", "b", "a"]);
  expect(elaborateText(text, ["d", "c", "d"]).value.program.entries.map(({ name }) => name)).toEqual(["d", "c"]);
});

const folder = new URL("../../fixtures/", import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".lam") && !file.startsWith("diagnostics") && !file.startsWith("imports"),
);

test.each(files)("%s is well typed", (file) => {
  expect(coreText(readFileSync(new URL(file, folder), "utf8"))).not.toBe("");
});
