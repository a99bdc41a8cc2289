import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { flatOf } from "../../test/support/flat-passes.js";
import { optimised } from "../../test/support/optimised.js";
import { assertFlat } from "./check.js";
import { printProcedure } from "./print.js";

/** The procedures when loops say what they select. */
function after(text: string): string {
  const program = flatOf(optimised(coreOf(text)), "argmax-derivatives");
  assertFlat(program);
  return program.procedures.map(printProcedure).join("\n");
}

/** Whether the loop of a program says what it selects. */
function selects(text: string): boolean {
  return after(text).includes("with the derivative of");
}

test("the iteration that has replaced numbers last is made again behind the loop", () => {
  expect(
    after(
      "def entry (xs : [R]) (w : [R]) : R = let (top, y) = foldl (\\(top, y) (x, k). if x * k > top then (x * k, sin x) else (top, y)) (0, 1) (zip xs w) in top * y",
    ),
  ).toMatchInlineSnapshot(`
    "function entry(xs : [R], w : [R]) : R =
      t = length xs
      t1 = length w
      n = sameLength?(t, t1)
      top3, y4, last = for i < n (top = 0.0, y = 1.0, last1 = -1)
        x = xs ! i
        k = w ! i
        product = x * k
        t3 = product > top
        top2, y2, last2 = if t3 then
          y3 = sin(x)
          yield product, y3, i
        else
          yield top, y, last1
        yield top2, y2, last2
      some = last >= 0
      top4, y5 = if some then
        x1 = xs ! last
        k1 = w ! last
        product1 = x1 * k1
        y6 = sin(x1)
        yield product1, y6
      else
        yield 0.0, 1.0
      top1 = top3 with the derivative of top4
      y1 = y4 with the derivative of y5
      t4 = top1 * y1
      yield t4
    "
  `);
});

test("of several ways to replace them the loop says the way", () => {
  expect(after("def entry (xs : [R]) : R = foldl (\\m x. if x > m then x else if -x > m then x * x else m) 0 xs"))
    .toMatchInlineSnapshot(`
      "function entry(xs : [R]) : R =
        n = length xs
        t5, last, way = for i < n (m = 0.0, last1 = -1, way1 = 0)
          x = xs ! i
          t2 = x > m
          m1, last2, way2 = if t2 then
            yield x, i, 0
          else
            t3 = -x
            t4 = t3 > m
            if t4 then
              m2 = x * x
              yield m2, i, 1
            else
              yield m, last1, way1
          yield m1, last2, way2
        some = last >= 0
        t6 = if some then
          isThis = way == 0
          if isThis then
            x1 = xs ! last
            yield x1
          else
            x2 = xs ! last
            m3 = x2 * x2
            yield m3
        else
          yield 0.0
        t = t5 with the derivative of t6
        yield t
      "
    `);
});

test("what an operation selects is told beside it", () => {
  expect(after("def entry (xs : [R]) (u : R) : R = foldl (\\m x. max m (x * x)) u xs")).toMatchInlineSnapshot(`
    "function entry(xs : [R], u : R) : R =
      n = length xs
      t3, last = for i < n (m = u, last1 = -1)
        x = xs ! i
        t2 = x * x
        isFirst = m >= t2
        last2 = if isFirst then
          yield last1
        else
          yield i
        m1 = max(m, t2)
        yield m1, last2
      some = last >= 0
      t4 = if some then
        x1 = xs ! last
        t5 = x1 * x1
        yield t5
      else
        yield u
      t = t3 with the derivative of t4
      yield t
    "
  `);
});

test("loops in the iteration are run again, where nothing can fail any more", () => {
  expect(
    after(`
      def entry (rows : [[R]]) (w : [R]) : R =
        foldl (\\m row. let s = dot row w + row ! 1 in if s > m then s else m) 0 rows
    `),
  ).toMatchInlineSnapshot(`
    "function entry(rows : [[R]], w : [R]) : R =
      n = length rows
      t11, last = for i < n (m = 0.0, last1 = -1)
        row = rows ! i
        t2 = length row
        t3 = length w
        n1 = sameLength?(t2, t3)
        t4 = for i1 < n1 (acc = 0.0)
          t6 = row ! i1
          t7 = w ! i1
          t8 = t6 * t7
          acc1 = acc + t8
          yield acc1
        check 1 in row
        t9 = row ! 1
        s = t4 + t9
        t10 = s > m
        m1, last2 = if t10 then
          yield s, i
        else
          yield m, last1
        yield m1, last2
      some = last >= 0
      t12 = if some then
        row1 = rows ! last
        t13 = length row1
        t17 = for i4 < t13 (acc2 = 0.0)
          t14 = row1 ! i4
          t15 = w ! i4
          t16 = t14 * t15
          acc3 = acc2 + t16
          yield acc3
        t18 = row1 ! 1
        s1 = t17 + t18
        yield s1
      else
        yield 0.0
      t = t11 with the derivative of t12
      yield t
    "
  `);
});

test("several numbers one by one, where each is replaced in iterations of its own", () => {
  expect(after("def entry (xs : [R]) : R = let (l, h) = foldl (\\(l, h) x. (min l x, max h x)) (9, -9) xs in h - l"))
    .toMatchInlineSnapshot(`
    "function entry(xs : [R]) : R =
      n = length xs
      l3, h3, last, last3 = for i < n (l = 9.0, h = -9.0, last1 = -1, last4 = -1)
        x = xs ! i
        isFirst = l <= x
        last2 = if isFirst then
          yield last1
        else
          yield i
        l2 = min(l, x)
        isFirst2 = h >= x
        last5 = if isFirst2 then
          yield last4
        else
          yield i
        h2 = max(h, x)
        yield l2, h2, last2, last5
      some1 = last3 >= 0
      h4 = if some1 then
        x2 = xs ! last3
        yield x2
      else
        yield -9.0
      h1 = h3 with the derivative of h4
      some = last >= 0
      l4 = if some then
        x1 = xs ! last
        yield x1
      else
        yield 9.0
      l1 = l3 with the derivative of l4
      t1 = h1 - l1
      yield t1
    "
  `);
});

test("not where more than a test uses it, where one is made of the other, or where every iteration replaces it", () => {
  expect(selects("def entry (xs : [R]) : R = foldl (\\m x. if x > m then x else m) 0 xs")).toBe(true);
  const running = "let (m, s) = foldl (\\(m, s) x. let n = max m x in (n, s + n)) (0, 0) xs in m + s";
  const two = "let (a, b) = foldl (\\(a, b) x. if x > a then (x, a) else (a, b)) (0, 0) xs in a * b";
  for (const body of [
    running,
    two,
    "foldl (\\m x. if x > m then x + m else m) 0 xs",
    "foldl (\\m x. if x > 1 then x else 2 * x) 0 xs",
    "foldl (\\m x. let y = if m > 3 then x else -x in if y > m then y else m) 0 xs",
  ])
    expect(selects(`def entry (xs : [R]) : R = ${body}`), body).toBe(false);
});
