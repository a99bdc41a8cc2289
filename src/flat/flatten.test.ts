import { describe, expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { flatOf } from "../../test/support/flat-passes.js";
import { assertFlat } from "./check.js";
import { printProcedure } from "./print.js";

/** The procedures of one definition, as text. */
function flat(text: string, definition: string): string {
  const program = flatOf(coreOf(text));
  assertFlat(program);
  return program.procedures.filter((one) => one.definition === definition).map(printProcedure).join("\n"); // prettier-ignore
}

describe("values are split", () => {
  test("tuples and records are their components, also in arrays", () => {
    const text = `
      data Vec = Vec { x : R, y : R }
      data Camera = Camera { position : Vec, focal : R }
      def f (c : Camera) (ps : [(R, Vec)]) : (Vec, R) = (c.position, c.focal * fst (ps ! 0))`;
    expect(flat(text, "f")).toMatchInlineSnapshot(`
      "function f(cPositionX : R, cPositionY : R, cFocal : R, ps0 : [R], ps1X : [R], ps1Y : [R]) : (R, R, R) =
        check 0 in ps0
        t0 = ps0 ! 0
        t = cFocal * t0
        yield cPositionX, cPositionY, t
      "
    `);
  });

  test("parameters that are taken apart are named after their parts", () => {
    expect(flat("def f (x : R, (y : R, z : R)) : R = x * y - z", "f")).toMatchInlineSnapshot(`
      "function f(x : R, y : R, z : R) : R =
        t = x * y
        t1 = t - z
        yield t1
      "
    `);
  });

  test("components are named after what they are bound to, further inside, too, or passed to", () => {
    const text = `
      def f (n : Z) (p : (R, R)) : R =
        let next = if n > 0 then (toReal n, fst p) else p in
        let square = fst p * fst p in
        let (low, high) = next in
        square + low * high`;
    expect(flat(text, "f")).toMatchInlineSnapshot(`
      "function f(n : Z, p0 : R, p1 : R) : R =
        t = n > 0
        low, high = if t then
          low1 = toReal(n)
          yield low1, p0
        else
          yield p0, p1
        square = p0 * p0
        t1 = low * high
        t2 = square + t1
        yield t2
      "
    `);
  });

  test("an array of nothing is its length", () => {
    expect(flat("def f (u : [()]) (i : Z) : Z = let x = u ! i in length u", "f")).toMatchInlineSnapshot(`
      "function f(u : Z, i : Z) : Z =
        check i in u
        yield u
      "
    `);
  });
});

describe("functions", () => {
  test("a lambda captures the leaves that it uses", () => {
    const text = `
      def twice (f : R -> R) (x : R) : R = f (f x)
      def f (p : (R, R)) (q : R) : R = twice (\\x. x * fst p) q`;
    expect(flat(text, "f")).toMatchInlineSnapshot(`
      "lambda fCode[p2 : R, p3 : R](x1 : R) : R =
        t2 = x1 * p2
        yield t2

      function f(p0 : R, p1 : R, q : R) : R =
        f2 : R -> R = closure fCode[p0, p1]
        t3 = twice(f2, q)
        yield t3
      "
    `);
  });

  test("a local function that is recursive gets what it captures as parameters", () => {
    const text = "def f (k : R) (n : Z) : R = let rec go i = if i == 0 then 1 else k * go (i - 1) * go (i - 2) in go n";
    expect(flat(text, "f")).toMatchInlineSnapshot(`
      "function go(i : Z, k1 : R) : R =
        t = i == 0
        if t then
          yield 1.0
        else
          i1 = i -? 1
          t1 = go(i1, k1)
          t2 = k1 * t1
          i2 = i -? 2
          t3 = go(i2, k1)
          t4 = t2 * t3
          yield t4

      function f(k : R, n : Z) : R =
        t5 = go(n, k)
        yield t5
      "
    `);
  });

  test("a function that is called once stands where it is called", () => {
    const text = "def f (x : R) : R = let g y = sin y * x in g (x + 1)";
    expect(flat(text, "f")).toMatchInlineSnapshot(`
      "function f(x : R) : R =
        y = x + 1.0
        t = sin(y)
        t1 = t * x
        yield t1
      "
    `);
  });

  test("a lambda that is applied at once is a binding", () => {
    expect(flat("def f (x : R) : R = (\\y z. y * z) (x + 1) x", "f")).toMatchInlineSnapshot(`
      "function f(x : R) : R =
        y = x + 1.0
        t = y * x
        yield t
      "
    `);
  });

  test("functions that call each other once become one", () => {
    const text = `
      def f (n : Z) : R =
        let rec up k x = if k == n then x else across (k + 1) (x + 1)
        and across k x = if k == n then -x else up k (x * 2)
        in up 0 1`;
    expect(flat(text, "f")).toMatchInlineSnapshot(`
      "function f(n : Z) : R =
        t = loop (k = 0, x = 1.0)
          t1 = k == n
          if t1 then
            yield x
          else
            k1 = k + 1
            x1 = x + 1.0
            t2 = k1 == n
            if t2 then
              t3 = -x1
              yield t3
            else
              x2 = x1 * 2.0
              next k1, x2
        yield t
      "
    `);
  });
});

describe("loops", () => {
  test("what counts to the length of an array is counted, and its elements are in range", () => {
    const text = `
      def f (xs : [R]) (ys : [R]) : R =
        let rec go i acc = if i >= length xs then acc else go (i + 1) (acc + xs ! i * ys ! i) in
        go 0 0`;
    expect(flat(text, "f")).toMatchInlineSnapshot(`
      "function f(xs : [R], ys : [R]) : R =
        t1 = length xs
        t = for i < t1 (acc = 0.0)
          t3 = xs ! i
          check i in ys
          t4 = ys ! i
          t5 = t3 * t4
          acc1 = acc + t5
          yield acc1
        yield t
      "
    `);
  });

  test("down, and beyond the limit", () => {
    const text = `
      def f (xs : [R]) : R =
        let rec go i acc = if i < 0 then acc else go (i - 1) (acc * 2 + xs ! i) in
        go (length xs - 1) 0`;
    expect(flat(text, "f")).toMatchInlineSnapshot(`
      "function f(xs : [R]) : R =
        t = length xs
        i = t - 1
        t1 = for i3 < t (acc = 0.0)
          i1 = i - i3
          t3 = acc * 2.0
          t4 = xs ! i1
          acc1 = t3 + t4
          yield acc1
        yield t1
      "
    `);
  });

  test("what might count past its end is a plain loop", () => {
    const text = "def f (n : Z) (x : R) : R = let rec go i y = if i == n then y else go (i + 1) (y * x) in go 0 1";
    expect(flat(text, "f")).toMatchInlineSnapshot(`
      "function f(n : Z, x : R) : R =
        t = loop (i = 0, y = 1.0)
          t1 = i == n
          if t1 then
            yield y
          else
            i1 = i + 1
            y1 = y * x
            next i1, y1
        yield t
      "
    `);
  });

  test("parameters that no iteration changes are none", () => {
    const text = "def f (n : Z) (x : R) (y : R) : R = if n == 0 then y else f (n - 1) x (x * y)";
    expect(flat(text, "f")).toMatchInlineSnapshot(`
      "function f(n : Z, x : R, y : R) : R =
        t = loop (n1 = n, y1 = y)
          t1 = n1 == 0
          if t1 then
            yield y1
          else
            n2 = n1 -? 1
            y2 = x * y1
            next n2, y2
        yield t
      "
    `);
  });

  test("a loop through a shared branch", () => {
    const text = `
      data List a = Nil | Cons a (List a)
      def f (xs : List R) (ys : List R) (acc : R) : R =
        case (xs, ys) of {
          (Cons x xs', Cons y ys') -> f xs' ys' (acc + x * y);
          (Cons x xs', Nil) -> f xs' Nil (acc + x);
          _ -> acc
        }`;
    expect(flat(text, "f")).toMatch(/= loop \(/);
    expect(flat(text, "f")).not.toMatch(/= f\(/);
  });

  test("what ends a loop elsewhere, too, is kept", () => {
    const text = `
      def f (xs : [R]) : Bool =
        let n = length xs in
        let rec go i = if i == n then true else if xs ! i > 0 then go (i + 1) else false in
        go 0`;
    expect(flat(text, "f")).toMatchInlineSnapshot(`
      "function f(xs : [R]) : Bool =
        n = length xs
        t = loop (i = 0)
          t1 = i == n
          if t1 then
            yield true
          else
            check i in xs
            t2 = xs ! i
            t3 = t2 > 0.0
            if t3 then
              i1 = i + 1
              next i1
            else
              yield false
        yield t
      "
    `);
  });
});

describe("checks", () => {
  test("an index is checked once, and not where a comparison has done so", () => {
    const text = `
      def f (xs : [R]) (k : Z) : R = xs ! k * xs ! k + (if k > 0 then xs ! (k - 1) else 0)`;
    expect(flat(text, "f")).toMatchInlineSnapshot(`
      "function f(xs : [R], k : Z) : R =
        check k in xs
        t = xs ! k
        t1 = xs ! k
        t2 = t * t1
        t3 = k > 0
        t6 = if t3 then
          t4 = k - 1
          t5 = xs ! t4
          yield t5
        else
          yield 0.0
        t7 = t2 + t6
        yield t7
      "
    `);
  });

  test("arrays of one length by sameLength, reversed indices, neighbours", () => {
    const text = `
      def f (xs : [R]) (ys : [R]) : [R] =
        let n = sameLength (length xs) (length ys) in
        build n (\\i. ys ! i - xs ! (n - 1 - i) + (if i + 1 < n then xs ! (i + 1) else 0))`;
    expect(flat(text, "f")).not.toContain(" in ");
  });

  test("integers that may be too large keep their site", () => {
    expect(flat("def f (n : Z) (xs : [R]) : Z = n * 2 + length xs * 2", "f")).toMatchInlineSnapshot(`
      "function f(n : Z, xs : [R]) : Z =
        t = n *? 2
        t1 = length xs
        t2 = t1 * 2
        t3 = t +? t2
        yield t3
      "
    `);
  });

  test("what is expensive is computed once, loops too, where it is in scope", () => {
    const loop = "(let rec go i acc = if i >= length xs then acc else go (i + 1) (acc + xs ! i) in go 0 0)";
    const text = `def f (xs : [R]) (b : Bool) : R = ${loop} / exp 2 + (if b then ${loop} * exp 2 else 1)`;
    const printed = flat(text, "f");
    expect(printed).not.toContain("check");
    expect(printed.match(/ = for /g)?.length).toBe(1);
    expect(printed.match(/exp\(/g)?.length).toBe(1);
  });

  test("a condition of two is one where both are cheap, and says what both do", () => {
    const text = "def f (xs : [R]) (i : Z) : R = if i < 1 || i >= length xs then 0 else xs ! (i - 1) + xs ! i";
    const printed = flat(text, "f");
    expect(printed).toMatch(/ = t\w* \|\| t\w*\n/);
    expect(printed).not.toContain("check");
    expect(flat("def f (x : R) (y : R) : Bool = x > 1 && exp y > 2", "f")).not.toContain("&&");
  });

  test("arrays that a loop carries keep their lengths", () => {
    const text = (size: string): string => `
      def f (n : Z) (u : [R]) (w : [R]) : [R] =
        let m = length u in
        let rec go k v = if k >= n then v else go (k + 1) (build (${size}) (\\i. v ! i + u ! (m - 1 - i))) in
        go 0 u`;
    expect(flat(text("m"), "f")).not.toContain("check");
    expect(flat(text("length v"), "f")).not.toContain("check");
    expect(flat(text("length w"), "f")).toContain("check");
    expect(flat(text("m - 1"), "f")).toContain("check");
  });
});

test("remainders of what is not negative, and those that are as far as what is added to it", () => {
  const text =
    "def f (xs : [R]) (k : Z) : [R] = let n = length xs in build n (\\i. xs ! mod (i + 1) n + xs ! mod (i - 1) n + xs ! mod (i - k) n + xs ! mod i n)";
  expect(flat(text, "f")).toMatchInlineSnapshot(`
    "function f(xs : [R], k : Z) : [R] =
      n = length xs
      [t14] = for i < n
        t = i + 1
        t1 = rem(t, n)
        t2 = xs ! t1
        t3 = i - 1
        t15 = t3 + n
        t4 = rem(t15, n)
        t5 = xs ! t4
        t6 = t2 + t5
        t7 = i -? k
        t8 = mod(t7, n)
        t9 = xs ! t8
        t10 = t6 + t9
        t12 = xs ! i
        t13 = t10 + t12
        yield t13
      yield t14
    "
  `);
});

test("an array of the fields of records is the array that holds them", () => {
  const text = (size: string, xs: string): string => `
    data Component = Component { weight : R, mean : R }
    def f (cs : [Component]) (ds : [Component]) (n : Z) : R =
      let weights = build (${size}) (\\i. (${xs} ! i).weight) in
      weights ! n + sum weights`;
  expect(flat(text("length cs", "cs"), "f")).not.toContain("[weights] = for");
  expect(flat(text("n", "cs"), "f")).toContain("[weights] = for");
  expect(flat(text("length cs", "ds"), "f")).toContain("[weights] = for");
});

test("elements of arrays that are written out are what is written", () => {
  const text = `def f (x : R) (n : Z) : R =
    let m = [[1, x], [0, 2 * x]] in
    sum (build n (\\k. toReal k * (m ! 0 ! 1) * (m ! 1 ! 1) + toReal (length (m ! 0)))) + m ! 1 ! 0`;
  const found = flat(text, "f");
  expect(found).not.toContain(" ! ");
  expect(found).not.toContain("length");
});
