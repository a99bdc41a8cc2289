import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { flatOf } from "../../test/support/flat-passes.js";
import { optimised } from "../../test/support/optimised.js";
import { assertFlat } from "./check.js";
import { printProcedure } from "./print.js";
import { hoistInvariants } from "./loop-invariants.js";

/** The procedures when what is the same in every iteration stands in front of their loops. */
function after(text: string): string {
  const program = flatOf(optimised(coreOf(text)), "loop-invariants");
  assertFlat(program);
  return program.procedures.map(printProcedure).join("\n");
}

test("what is expensive, with what it is computed from; what is cheap stays", () => {
  expect(after("def entry (k : R) (xs : [R]) : [R] = map (\\x. sin (2 * k) * x + (k + 1)) xs")).toMatchInlineSnapshot(`
    "function entry(k : R, xs : [R]) : [R] =
      t = length xs
      t1 = 2.0 *~ k
      t2 = sin~(t1)
      [t6] = for i < t
        x = xs ! i
        t3 = t2 * x
        t4 = k + 1.0
        t5 = t3 + t4
        yield t5
      yield t6
    "
  `);
});

test("out of as many loops as do not change it", () => {
  expect(
    after(
      "def entry (k : R) (rows : [(R, [R])]) : R = sum (map (\\(s, row). sum (map (\\x. x * exp s / exp k) row)) rows)",
    ),
  ).toMatchInlineSnapshot(`
    "function entry(k : R, rows0 : [R], rows1 : [[R]]) : R =
      n = length rows0
      t6 = exp~(k)
      t = for i < n (acc = 0.0)
        s = rows0 ! i
        row = rows1 ! i
        n1 = length row
        t4 = exp~(s)
        t2 = for i2 < n1 (acc1 = 0.0)
          x = row ! i2
          t5 = x * t4
          t7 = t5 / t6
          acc2 = acc1 + t7
          yield acc2
        acc3 = acc + t2
        yield acc3
      yield t
    "
  `);
});

test("what a loop computes in any case does so no earlier than the program", () => {
  const printed = after(
    "def entry (k : R) (x : R) : R = let rec go y = if y > exp k then y else go (y * sqrt k) in go x",
  );
  expect(printed).toMatchInlineSnapshot(`
    "function entry(k : R, x : R) : R =
      t1 = exp(k)
      t3 = sqrt~(k)
      t = loop (y = x)
        t2 = y > t1
        if t2 then
          yield y
        else
          y1 = y * t3
          next y1
      yield t
    "
  `);
});

test("whole loops, and arrays; they have no iterations where the loop behind them has none", () => {
  expect(
    after(
      "def entry (w : [R]) (xs : [R]) : R = sum (map (\\x. x * sum (map exp w) + [x, 1] ! 0 + [1, 2] ! length xs) xs)",
    ),
  ).toMatchInlineSnapshot(`
    "function entry(w : [R], xs : [R]) : R =
      n = length xs
      n1 = length w
      some = n > 0
      count = if some then
        yield n1
      else
        yield 0
      t2 = for i2 < count (acc1 = 0.0)
        x1 = w ! i2
        t4 = exp(x1)
        acc2 = acc1 + t4
        yield acc2
      t7 = [1.0, 2.0]
      t = for i < n (acc = 0.0)
        x = xs ! i
        t5 = x * t2
        t6 = t5 + x
        check n in t7
        t8 = t7 ! n
        t9 = t6 + t8
        acc3 = acc + t9
        yield acc3
      yield t
    "
  `);
});

test("a loop that hands cotangents on as they are needs no test", () => {
  expect(after("def entry (w : [R]) (xs : [R]) : R = sum (map (\\x. x * sum w) xs)")).toMatchInlineSnapshot(`
    "function entry(w : [R], xs : [R]) : R =
      n = length xs
      n1 = length w
      t2 = for i2 < n1 (acc1 = 0.0)
        t4 = w ! i2
        acc2 = acc1 + t4
        yield acc2
      t = for i < n (acc = 0.0)
        x = xs ! i
        t5 = x * t2
        acc3 = acc + t5
        yield acc3
      yield t
    "
  `);
});

test("not a loop that only some iterations come to", () => {
  const printed = after("def entry (w : [R]) (xs : [R]) : R = sum (map (\\x. if x > 0 then x * sum w else exp x) xs)");
  expect(printed.indexOf("length w")).toBeGreaterThan(printed.indexOf("if "));
});

test("not what may fail, or what changes", () => {
  const isKept = (body: string): boolean => {
    const text = `def entry (k : R) (n : Z) (xs : [R]) : R = sum (map (\\x. ${body}) xs)`;
    const flat = flatOf(optimised(coreOf(text)));
    return hoistInvariants(flat).procedures.every((procedure) => flat.procedures.includes(procedure));
  };
  expect(isKept("x * exp k")).toBe(false);
  expect(isKept("x * exp (k * x)")).toBe(true);
  expect(isKept("x * toReal (n * n)")).toBe(true);
  expect(isKept("x * xs ! 0")).toBe(true);
  expect(isKept("x * k * k")).toBe(true);
});

test("arrays of a size that the loop tests have no elements where that is none", () => {
  expect(
    after(
      "def entry (m : Z) (n : Z) (x : R) : [R] = let rec go i xs = if i >= n then xs else go (i + 1) (build m (\\j. x)) in go 0 []",
    ),
  ).toMatchInlineSnapshot(`
    "function entry(m : Z, n : Z, x : R) : [R] =
      xs : [R] = []
      some = n >~ 0
      some1 = m >=~ 0
      some2 = m <=~ 134217727
      some3 = some &&~ some1
      some4 = some3 &&~ some2
      count = if some4 then
        yield m
      else
        yield 0
      [xs2] = for j < count
        yield x
      t = for i < n (xs1 = xs)
        check size m
        yield xs2
      yield t
    "
  `);
  const never = after("def entry (x : R) : [R] = iterate 3 (\\xs. build (-2) (\\j. x)) []");
  expect(never).toContain("= for j < 0");
  expect(never).toContain("check size -2");
});

test("a matrix that no iteration changes is measured once, and transposed once, where there is an iteration", () => {
  const text = after("def entry (a : [[R]]) (x : [R]) : R = foldl (\\s x. s + sum (map (\\row. dot row x) (transpose a))) 0 [x, x]"); // prettier-ignore
  expect(text).toMatchInlineSnapshot(`
    "function entry(a : [[R]], x : [R]) : R =
      xs = [x, x]
      n = length a
      t2 = n == 0
      m = if t2 then
        yield 0
      else
        t3 = a ! 0
        first = length t3
        t4 = for i1 < n (acc = first)
          row = a ! i1
          n1 = length row
          t6 = n1 == first
          acc1 = if t6 then
            yield acc
          else
            yield n1
          yield acc1
        m1 = sameLength?(first, t4)
        yield m1
      t = for i < 2 (s = 0.0)
        x1 = xs ! i
        t7 = for i4 < m (acc2 = 0.0)
          t9 = length x1
          n2 = sameLength?(n, t9)
          t10 = for i6 < n (acc3 = 0.0)
            t12 = a ! i6
            t13 = t12 ! i4
            t14 = x1 ! i6
            t15 = t13 * t14
            acc4 = acc3 + t15
            yield acc4
          acc5 = acc2 + t10
          yield acc5
        s1 = s + t7
        yield s1
      yield t
    "
  `);
});

test("what the author's own test is before stays behind it", () => {
  const text = after(`def entry (a : [[R]]) (x : [R]) : R =
    foldl (\\s x. let ok = if x > 0 then x else fail "too small" in s + ok * toReal (width a)) 0 x`);
  expect(text.indexOf("for i <")).toBeLessThan(text.indexOf("sameLength"));
});

test("what begins with the first element of an array is computed where there is one, in front of loops over it", () => {
  const text = after("def entry (a : [[R]]) : R = sum (map (\\row. sum (map (\\x. x * toReal (width a)) row)) a)");
  expect(text).toMatchInlineSnapshot(`
    "function entry(a : [[R]]) : R =
      n = length a
      some = n > 0
      first, t6 = if some then
        t13 = a ! 0
        first1 = length t13
        t15 = for i6 < n (acc6 = first1)
          row2 = a ! i6
          n3 = length row2
          t14 = n3 == first1
          acc7 = if t14 then
            yield acc6
          else
            yield n3
          yield acc7
        yield first1, t15
      else
        yield 0, 0
      t = for i < n (acc = 0.0)
        row = a ! i
        n1 = length row
        t2 = for i2 < n1 (acc1 = 0.0)
          x = row ! i2
          t9 = sameLength?(first, t6)
          t11 = toReal(first)
          t12 = x * t11
          acc4 = acc1 + t12
          yield acc4
        acc5 = acc + t2
        yield acc5
      yield t
    "
  `);
});

test("an array that is made of the first element stays in the loop", () => {
  const text = after("def entry (a : [[R]]) : R = sum (map (\\row. dot row (map exp (a ! 0))) a)");
  expect(text.indexOf("exp")).toBeGreaterThan(text.indexOf("for i <"));
});
