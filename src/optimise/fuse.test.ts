import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { optimised, optimisedText } from "../../test/support/optimised.js";
import { allTerms } from "../core/traverse.js";

test("a sum of products makes no array", () => {
  expect(optimisedText("def f (x : [R]) (y : [R]) : R = sum (zipWith (*) x y)")).toMatchInlineSnapshot(`
    "f(x : [R], y : [R]) : R =
      let n : Z = sameLength(length x, length y) in
      let rec go(i : Z, acc : R) : R =
        if i == n
        then acc
        else let x1 : R = x ! i in
          let y1 : R = y ! i in
          go(i + 1, acc + x1 * y1)
      in
      go(0, 0.0)
    "
  `);
});

test("a matrix times a vector is fused into the sum of its elements, checks and all", () => {
  expect(optimisedText("def f (m : [[R]]) (v : [R]) : R = sum (matVec m v)")).toMatchInlineSnapshot(`
    "f(m : [[R]], v : [R]) : R =
      let n : Z = length m in
      let rec go(i : Z, acc : R) : R =
        if i == n
        then acc
        else let row : [R] = m ! i in
          let n1 : Z = sameLength(length row, length v) in
          go(
            i + 1,
            acc +
            (let rec go1(i1 : Z, acc1 : R) : R =
               if i1 == n1 then acc1 else go1(i1 + 1, acc1 + row ! i1 * v ! i1)
             in
             go1(0, 0.0))
          )
      in
      go(0, 0.0)
    "
  `);
});

test("an element that costs something is computed once", () => {
  expect(optimisedText("def f (xs : [R]) : R = let ys = map exp xs in sum ys * product ys")).toMatchInlineSnapshot(`
    "f(xs : [R]) : R =
      let n : Z = length xs in
      let ys : [R] =
        build n
          (\\i.
             let x : R = xs ! i in
             exp(x))
      in
      (let rec go(i1 : Z, acc : R) : R =
         if i1 == n then acc else go(i1 + 1, acc + ys ! i1)
       in
       go(0, 0.0)) *
      (let rec go1(i2 : Z, acc1 : R) : R =
         if i2 == n then acc1 else go1(i2 + 1, acc1 * ys ! i2)
       in
       go1(0, 1.0))
    "
  `);
});

test("elements that may fail are computed where not all of them are reached", () => {
  expect(
    optimisedText(
      "def f (xs : [R]) (b : Bool) : R = let ys = mapi (\\i x. xs ! (i * i)) xs in if b then sum ys else 0",
    ),
  ).toMatchInlineSnapshot(`
    "f(xs : [R], b : Bool) : R =
      let n : Z = length xs in
      let ys : [R] = build n (\\i. xs ! (i * i)) in
      if b
      then let rec go(i1 : Z, acc : R) : R =
          if i1 == n then acc else go(i1 + 1, acc + ys ! i1)
        in
        go(0, 0.0)
      else 0.0
    "
  `);
});

test("an index that may be outside is a read", () => {
  expect(optimisedText("def f (xs : [R]) (k : Z) : R = let ys = map (\\x. x + 1) xs in ys ! k")).toMatchInlineSnapshot(`
    "f(xs : [R], k : Z) : R =
      let ys : [R] =
        build (length xs)
          (\\i.
             let x : R = xs ! i in
             x + 1.0)
      in
      ys ! k
    "
  `);
});

test("a size that may be negative still fails", () => {
  expect(optimisedText("def f (n : Z) (x : R) : R = sum (build n (\\i. x * toReal i))")).toMatchInlineSnapshot(`
    "f(n : Z, x : R) : R =
      let xs : [()] = build n (\\i. ()) in
      let rec go(i1 : Z, acc : R) : R =
        if i1 == n then acc else go(i1 + 1, acc + x * toReal(i1))
      in
      go(0, 0.0)
    "
  `);
});

test("a loop over all of an array reads it without checks", () => {
  const program = optimised(
    coreOf(`
      def f (xs : [R]) (ys : [R]) : [R] = build (length xs) (\\i. xs ! i * ys ! i)
      def g (xs : [R]) : R = let rec go i acc = if i < length xs then go (i + 1) (acc + xs ! i) else acc in go 0 0
      def h (xs : [R]) : R = let rec go i acc = if i < length xs then go (i + 1) acc else acc + xs ! i in go 0 0`),
  );
  const checked = program.definitions.flatMap(({ name, body }) =>
    [...allTerms(body)].flatMap((term) => {
      if (term.kind !== "index" || term.array.kind !== "var") return [];
      return `${name}: ${term.array.name}, ${term.site === null ? "not checked" : "checked"}`;
    }),
  );
  expect(checked.sort()).toEqual(["f: xs, not checked", "f: ys, checked", "g: xs, not checked", "h: xs, checked"]);
});

test("a chain of arrays ends", () => {
  const lines = Array.from({ length: 1000 }, (_, i) => `let x${i + 1} = map (\\v. v * ${i}) x${i} in`);
  expect(() => optimisedText(`def f (x0 : [R]) : R =\n${lines.join("\n")}\nsum x1000`)).not.toThrow();
});
