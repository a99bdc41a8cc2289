import { describe, expect, test } from "vitest";
import { infer, parsed, preludeText, printBinding, typesOf } from "../../test/typed.js";
import { inferModule } from "./infer.js";

describe("types", () => {
  test("SV25, Fig. 1", () => {
    expect(typesOf("def f (x : R, y : R) : R = let z = x + y in x * z")).toMatchInlineSnapshot(`"f : (R, R) -> R"`);
  });

  test("numbers are R where nothing decides, and overloaded in functions", () => {
    expect(
      typesOf(`
        def two = 2
        def half = 0.5
        def square x = x * x
        def cube (x : Z) = x * square x
        def third x = x / 3
        def power x n = x ^ n
        def larger x y = if x >= y then x else y
        def magnitude x = abs (min x (negate x))
        def unused = let n = 1 in true`),
    ).toMatchInlineSnapshot(`
      "two : R
      half : R
      square : a number. a -> a
      cube : Z -> Z
      third : R -> R
      power : a number. a -> Z -> a
      larger : a number. a -> a -> a
      magnitude : a number. a -> a
      unused : Bool"
    `);
  });

  test("a constant's number is decided by its uses in the whole file", () => {
    expect(typesOf("def n = 10\ndef f (x : R) = x ^ n")).toMatchInlineSnapshot(`
      "n : Z
      f : R -> R"
    `);
  });

  test("equality works at one type for each definition", () => {
    expect(
      typesOf(`
        def same x y = x == y
        def sameBool x y = x == (y && true)
        def other x y = x /= y
        def asked b = if other b true then 1.0 else 2.0`),
    ).toMatchInlineSnapshot(`
      "same : R -> R -> Bool
      sameBool : Bool -> Bool -> Bool
      other : Bool -> Bool -> Bool
      asked : Bool -> R"
    `);
  });

  test("let-polymorphism", () => {
    expect(
      typesOf(`
        def pair = let id x = x in (id true, id 1.5, id ())
        def lambda = let id = \\x. x in (id true, id 1.5)
        def both = let rec even n = if n == 0 then true else odd (n - 1) and odd n = if n == 0 then false else even (n - 1) in (even 4, odd (5 : Z))
        def numbers = let double x = x + x in (double (1 : Z), double 1.5)
        def const x y = x
        def flip f x y = f y x
        def compose f g x = f (g x)
        def empty = Nil
        def lists = (1.5 :: empty, true :: empty)`),
    ).toMatchInlineSnapshot(`
      "pair : (Bool, R, ())
      lambda : (Bool, R)
      both : (Bool, Bool)
      numbers : (Z, R)
      const : a. b. a -> b -> a
      flip : a. b. c. (a -> b -> c) -> b -> a -> c
      compose : a. b. c. (a -> b) -> (c -> a) -> c -> b
      empty : a. List a
      lists : (List R, List Bool)"
    `);
  });

  test("a let of a value is monomorphic", () => {
    expect(typesOf("def f x = let e = (x, Nil) in let (a, b) = e in 1.5 :: b")).toMatchInlineSnapshot(
      `"f : a. a -> List R"`,
    );
  });

  test("recursion, in any order", () => {
    expect(
      typesOf(`
        def f x = if x < 10 then g (0.6 * x) + 1 else g (0.1 * x) + 2
        def g x = if x < 1 then x else f (x - 1) + 2
        def evens (xs : List a) : List a = case xs of { Nil -> Nil; x :: rest -> x :: odds rest }
        def odds (ys : List b) : List b = case ys of { Nil -> Nil; _ :: rest -> evens rest }`),
    ).toMatchInlineSnapshot(`
      "f : R -> R
      g : R -> R
      evens : a. List a -> List a
      odds : b. List b -> List b"
    `);
  });

  test("annotated variables belong to the definition", () => {
    expect(
      typesOf(
        `
        def first (x : a) (y : b) : a = let z : a = x in (z : a)
        def local (x : a) = let g (y : b) : (a, b) = (x, y) in (g true, g 1.5)
        def named (x : t) (f : t -> List t) = f x`.replaceAll("let z : a =", "let (z : a) ="),
      ),
    ).toMatchInlineSnapshot(`
      "first : a. b. a -> b -> a
      local : a. a -> ((a, Bool), (a, R))
      named : t. t -> (t -> List t) -> List t"
    `);
  });

  test("data, aliases, sums and tuples", () => {
    expect(
      typesOf(`
        data Shape = Circle R | Box R R
        data Tree a = Leaf a | Node (Forest a)
        data Forest b = Empty | Grow (Tree b) (Forest b)
        type Vec = (R, R, R)
        type Pair a = (a, a)
        def area s = case s of { Circle r -> pi * r ^ 2; Box w h -> w * h }
        def leaf x = Node (Grow (Leaf x) Empty)
        def dot (a : Vec) (b : Vec) = let (x, y, z) = a in let (u, v, w) = b in x * u + y * v + z * w
        def swap (p : Pair a) : Pair a = let (x, y) = p in (y, x)
        def either s = case s of { inl x -> x; inr n -> toReal n }
        def left x = inl (fst x)
        def right = inr true`),
    ).toMatchInlineSnapshot(`
      "area : Shape -> R
      leaf : a. a -> Tree a
      dot : (R, R, R) -> (R, R, R) -> R
      swap : a. (a, a) -> (a, a)
      either : R + Z -> R
      left : a. b. c. (a, b) -> a + c
      right : a. a + Bool"
    `);
  });

  test("operators as functions, parallel tuples, literals in patterns", () => {
    expect(
      typesOf(`
        def total xs = listFoldl (+) 0 xs
        def cons = (::)
        def both = (&&)
        def par x = (x * 2 |*| x > 1 |*| true)
        def name n = case n of { 0 -> true; -1 -> false; _ -> true }`),
    ).toMatchInlineSnapshot(`
      "total : a number. List a -> a
      cons : a. a -> List a -> List a
      both : Bool -> Bool -> Bool
      par : a number. a -> (a, Bool, Bool)
      name : Z -> Bool"
    `);
  });

  test("undecided types are ()", () => {
    expect(typesOf("def n = listLength Nil")).toMatchInlineSnapshot(`"n : Z"`);
    const { value } = infer("def n = listLength Nil");
    expect(value.groups.at(-1)?.bindings[0]?.body).toMatchObject({
      kind: "apply",
      fn: { kind: "reference", name: "listLength", typeArgs: [{ kind: "tuple", items: [] }] },
    });
  });

  test("a primitive, a definition and a type of the prelude can be shadowed", () => {
    const { value, mistakes } = infer(`
      data List a = Nil | Cons R (List a)
      def listFoldl x = x + 1.5
      def relu x = (x, x)
      def f x = (listSum, listFoldl x, 1 :: (Nil : List Bool), relu x)`);
    expect(mistakes).toEqual([]);
    expect(value.data.map(({ name }) => name)).toEqual(["List1", "List"]);
    expect(
      value.groups
        .flatMap((group) => group.bindings)
        .map(printBinding)
        .join("\n"),
    ).toMatchInlineSnapshot(`
      "listFoldl : R -> R
      relu : a. a -> (a, a)
      listFoldl1 : b. a. (b -> a -> b) -> b -> List1 a -> b
      listSum : a number. List1 a -> a
      f : a number. R -> (List1 a -> a, R, List Bool, (R, R))"
    `);
  });

  test("only what is used of the prelude is there, before its uses", () => {
    const { value } = infer("def f x = listSum (listMap sin x)");
    expect(value.groups.map((group) => group.bindings.map(({ name }) => name).join())).toEqual([
      "listMap",
      "listFoldl",
      "listSum",
      "f",
    ]);
    expect(infer("def f x = x + 1").value).toMatchObject({ data: [], groups: [{ recursive: false }] });
  });

  test("the prelude", () => {
    const prelude = inferModule(parsed("prelude.lam", preludeText), parsed("none", ""));
    expect(prelude.mistakes).toEqual([]);
    expect(
      prelude.value.groups
        .flatMap((group) => group.bindings)
        .map(printBinding)
        .join("\n"),
    ).toMatchInlineSnapshot(`
      "pi : R
      infinity : R
      nan : R
      isFinite : R -> Bool
      ceil : R -> Z
      square : a number. a -> a
      clamp : a number. a -> a -> a -> a
      logit : R -> R
      logAddExp : R -> R -> R
      not : Bool -> Bool
      map : a. b. (a -> b) -> [a] -> [b]
      mapi : a. b. (Z -> a -> b) -> [a] -> [b]
      pairsOf : a. b. Z -> [a] -> [b] -> [(a, b)]
      zip : a. b. [a] -> [b] -> [(a, b)]
      combined : a. b. c. Z -> (a -> b -> c) -> [a] -> [b] -> [c]
      zipWith : a. b. c. (a -> b -> c) -> [a] -> [b] -> [c]
      combined3 : a. b. c. d. Z -> (a -> b -> c -> d) -> [a] -> [b] -> [c] -> [d]
      zipWith3 : a. b. c. d. (a -> b -> c -> d) -> [a] -> [b] -> [c] -> [d]
      zip3 : a. b. c. [a] -> [b] -> [c] -> [(a, b, c)]
      unzip : a. b. [(a, b)] -> ([a], [b])
      foldl : b. a. (b -> a -> b) -> b -> [a] -> b
      foldr : a. b. (a -> b -> b) -> b -> [a] -> b
      scan : s. a. b. (s -> a -> (s, b)) -> s -> [a] -> (s, [b])
      scanl : b. a. (b -> a -> b) -> b -> [a] -> [b]
      cumsum : a number. [a] -> [a]
      cumprod : a number. [a] -> [a]
      diff : a number. [a] -> [a]
      parallel : a. [() -> a] -> [a]
      parMap : a. b. (a -> b) -> [a] -> [b]
      sum : a number. [a] -> a
      sumFrom : a. Z -> Z -> (a -> R) -> [a] -> R
      parSum : a. (a -> R) -> [a] -> R
      product : a number. [a] -> a
      largestFrom : a number. a -> [a] -> Z
      maximum : a number. [a] -> a
      smallestFrom : a number. a -> [a] -> Z
      minimum : a number. [a] -> a
      argmaxFrom : a number. a -> [a] -> Z
      argmax : a number. [a] -> Z
      argminFrom : a number. a -> [a] -> Z
      argmin : a number. [a] -> Z
      sumOfProducts : a number. Z -> [a] -> [a] -> a
      dot : a number. [a] -> [a] -> a
      scaledNorm : R -> [R] -> R
      norm : [R] -> R
      replicate : a. Z -> a -> [a]
      append : a. [a] -> [a] -> [a]
      rowsWith : Z -> [Z] -> [Z]
      concat : a. [[a]] -> [a]
      reverse : a. [a] -> [a]
      slice : a. Z -> Z -> [a] -> [a]
      take : a. Z -> [a] -> [a]
      drop : a. Z -> [a] -> [a]
      gather : a. [Z] -> [a] -> [a]
      replaced : a. Z -> a -> [a] -> [a]
      set : a. Z -> a -> [a] -> [a]
      scatterAdd : a number. [Z] -> [a] -> [a] -> [a]
      segmentSum : a number. Z -> [Z] -> [a] -> [a]
      range : Z -> Z -> [Z]
      linspaceAt : R -> R -> Z -> Z -> R
      linspace : R -> R -> Z -> [R]
      iterate : a. Z -> (a -> a) -> a -> a
      all : a. (a -> Bool) -> [a] -> Bool
      any : a. (a -> Bool) -> [a] -> Bool
      count : a. (a -> Bool) -> [a] -> Z
      find : a. (a -> Bool) -> [a] -> a + ()
      keptAt : Z -> [Z] -> Z
      filter : a. (a -> Bool) -> [a] -> [a]
      isBefore : a number. a -> a -> Bool
      merged : a number. Z -> [Z] -> [a] -> [Z]
      argsort : a number. [a] -> [Z]
      sort : a number. [a] -> [a]
      sortBy : a. b number. (a -> b) -> [a] -> [a]
      quantileOf : R -> R -> [R] -> R
      median : [R] -> R
      quantile : R -> [R] -> R
      width : a. [[a]] -> Z
      columnsOf : a. Z -> [[a]] -> [[a]]
      transpose : a. [[a]] -> [[a]]
      matVec : a number. [[a]] -> [a] -> [a]
      rowOfProduct : a number. Z -> Z -> [a] -> [[a]] -> [a]
      matMul : a number. [[a]] -> [[a]] -> [[a]]
      outer : a number. [a] -> [a] -> [[a]]
      softmax : [R] -> [R]
      logSumExpFrom : R -> [R] -> R
      logSumExp : [R] -> R
      mean : [R] -> R
      variance : [R] -> R
      std : [R] -> R
      toList : a. [a] -> List a
      listFoldl : b. a. (b -> a -> b) -> b -> List a -> b
      listLength : a. List a -> Z
      fromList : a. List a -> [a]
      listMap : a. b. (a -> b) -> List a -> List b
      listZipWith : a. b. c. (a -> b -> c) -> List a -> List b -> List c
      listFoldr : a. b. (a -> b -> b) -> b -> List a -> b
      listSum : a number. List a -> a
      listProduct : a number. List a -> a
      listAppend : a. List a -> List a -> List a
      listReverse : a. List a -> List a
      listConcat : a. List (List a) -> List a
      listReplicate : a. Z -> a -> List a
      listRange : Z -> Z -> List Z
      listMaximum : a number. a -> List a -> a
      listMinimum : a number. a -> List a -> a
      listFilter : a. (a -> Bool) -> List a -> List a
      listAll : a. (a -> Bool) -> List a -> Bool
      listAny : a. (a -> Bool) -> List a -> Bool
      grad : a. (a -> R) -> a -> a
      valueGrad : a. (a -> R) -> a -> (R, a)
      derivative : (R -> R) -> R -> R
      hvp : a. (a -> R) -> a -> a -> a
      unitVector : Z -> Z -> [R]
      jacobian : ([R] -> [R]) -> [R] -> [[R]]
      hessian : ([R] -> R) -> [R] -> [[R]]
      segmentOf : Z -> Z
      partOf : a. Z -> Z -> [a] -> [a]
      foldlCheckpointed : b. a. (b -> a -> b) -> b -> [a] -> b
      debug : a. a -> a"
    `);
  });
});
