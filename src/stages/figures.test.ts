// SV25 Fig. 1's program in every stage, in the figures' notation: what a reader of the paper compares with the page.

import { describe, expect, test } from "vitest";
import { DataTypes } from "../target-calculus/data.js";
import { assertTarget } from "../target-calculus/check.js";
import { printTargetProgram } from "../target-calculus/print.js";
import { coreOf, stagedOf } from "../../test/support/core.js";
import { notationOf, stageNamed, stageNames } from "./index.js";
import type { StageName } from "./stage.js";

const figure1 = "def f (x : R) (y : R) : R = let z = x + y in x * z";

function definitionsIn(text: string, name: StageName): string {
  const { data, definitions } = stagedOf(text, name);
  return printTargetProgram({ data, definitions, wrappers: [] }, notationOf(stageNamed(name)));
}

describe("SV25 Fig. 1", () => {
  test("D1 (Fig. 6)", () => {
    expect(definitionsIn(figure1, "d1")).toMatchInlineSnapshot(`
      "D1[R] = (R, _R -o c)

      f(x : D1[R], y : D1[R]) : D1[R] =
        let (x1, dx) = x in
        let (y1, dy) = y in
        let z : D1[R] =
          (x1 + y1, \\_(z1 : R). dx (d1_(+)(x1, y1)(z1)) +c dy (d2_(+)(x1, y1)(z1)))
        in
        let (x2, dx1) = x in
        let (z2, dz) = z in
        (x2 * z2, \\_(z3 : R). dx1 (d1_(*)(x2, z2)(z3)) +c dz (d2_(*)(x2, z2)(z3)))
      "
    `);
  });

  test("D2 (Fig. 8)", () => {
    expect(definitionsIn(figure1, "d2")).toMatchInlineSnapshot(`
      "D2[R] = (R, (Z, _R -o Staged c))

      f(x : D2[R], y : D2[R]) : Z -> (D2[R], Z) =
        \\i.
          let (x1, dx) = x in
          let (y1, dy) = y in
          let z : D2[R] =
            (
              x1 + y1,
              (
                i,
                \\_(z1 : R).
                  SCall(dx, d1_(+)(x1, y1)(z1)) +Staged SCall(dy, d2_(+)(x1, y1)(z1))
              )
            )
          in
          let (x2, dx1) = x in
          let (z2, dz) = z in
          let i1 = i + 1 in
          (
            (
              x2 * z2,
              (
                i1,
                \\_(z3 : R).
                  SCall(dx1, d1_(*)(x2, z2)(z3)) +Staged SCall(dz, d2_(*)(x2, z2)(z3))
              )
            ),
            i1 + 1
          )
      "
    `);
  });

  test("D3 (Fig. 9)", () => {
    expect(definitionsIn(figure1, "d3")).toMatchInlineSnapshot(`
      "D3[R] = (R, (Z, _R -o (Staged c -> Staged c)))

      f(x : D3[R], y : D3[R]) : Z -> (D3[R], Z) =
        \\i.
          let (x1, dx) = x in
          let (y1, dy) = y in
          let z : D3[R] =
            (
              x1 + y1,
              (
                i,
                \\_(z1 : R).
                  SCall(dx, d1_(+)(x1, y1)(z1)) . SCall(dy, d2_(+)(x1, y1)(z1))
              )
            )
          in
          let (x2, dx1) = x in
          let (z2, dz) = z in
          let i1 = i + 1 in
          (
            (
              x2 * z2,
              (
                i1,
                \\_(z3 : R).
                  SCall(dx1, d1_(*)(x2, z2)(z3)) . SCall(dz, d2_(*)(x2, z2)(z3))
              )
            ),
            i1 + 1
          )
      "
    `);
  });

  test("D4 (Fig. 10)", () => {
    expect(definitionsIn(figure1, "d4")).toMatchInlineSnapshot(`
      "D4[R] = (R, (Z, _R -o (Staged c -> IO ())))

      f(x : D4[R], y : D4[R]) : Z -> (D4[R], Z) =
        \\i.
          let (x1, dx) = x in
          let (y1, dy) = y in
          let z : D4[R] =
            (
              x1 + y1,
              (
                i,
                \\_(z1 : R).
                  SCall(dx, d1_(+)(x1, y1)(z1)) >> SCall(dy, d2_(+)(x1, y1)(z1))
              )
            )
          in
          let (x2, dx1) = x in
          let (z2, dz) = z in
          let i1 = i + 1 in
          (
            (
              x2 * z2,
              (
                i1,
                \\_(z3 : R).
                  SCall(dx1, d1_(*)(x2, z2)(z3)) >> SCall(dz, d2_(*)(x2, z2)(z3))
              )
            ),
            i1 + 1
          )
      "
    `);
  });

  test("contributions (§10.2)", () => {
    expect(definitionsIn(figure1, "contrib")).toMatchInlineSnapshot(`
      "D[R] = (R, (Z, Contrib))

      f(x : D[R], y : D[R]) : Z -> (D[R], Z) =
        \\i.
          let (x1, dx) = x in
          let (y1, dy) = y in
          let z : D[R] =
            (
              x1 + y1,
              (i, contributions((d1_(+)(x1, y1)(1.0), dx), (d2_(+)(x1, y1)(1.0), dy)))
            )
          in
          let (x2, dx1) = x in
          let (z1, dz) = z in
          let i1 = i + 1 in
          (
            (
              x2 * z1,
              (
                i1,
                contributions((d1_(*)(x2, z1)(1.0), dx1), (d2_(*)(x2, z1)(1.0), dz))
              )
            ),
            i1 + 1
          )
      "
    `);
  });

  test("the tape (§10.3)", () => {
    expect(definitionsIn(figure1, "tape")).toMatchInlineSnapshot(`
      "D[R] = Node

      f(x : D[R], y : D[R]) : M D[R] =
        let x1 : R = value(x) in
        let y1 : R = value(y) in
        do z : D[R] <- push2(x1 + y1, d1_(+)(x1, y1)(1.0), x, d2_(+)(x1, y1)(1.0), y);
        let x2 : R = value(x) in
        let z1 : R = value(z) in
        push2(x2 * z1, d1_(*)(x2, z1)(1.0), x, d2_(*)(x2, z1)(1.0), z)
      "
    `);
  });

  test("forward mode (KR22 Fig. 3)", () => {
    expect(definitionsIn(figure1, "forward")).toMatchInlineSnapshot(`
      "f(x : (R, R), y : (R, R)) : (R, R) =
        let (x1, dx) = x in
        let (y1, dy) = y in
        let z : (R, R) = (x1 + y1, d1_(+)(x1, y1)(dx) + d2_(+)(x1, y1)(dy)) in
        let (x2, dx1) = x in
        let (z1, dz) = z in
        (x2 * z1, d1_(*)(x2, z1)(dx1) + d2_(*)(x2, z1)(dz))
      "
    `);
  });

  test("reverse mode #1 (KR22 Fig. 5)", () => {
    expect(definitionsIn(figure1, "delta-vector")).toMatchInlineSnapshot(`
      "D1[R] = (R, dS)

      f(x : D1[R], y : D1[R]) : D1[R] =
        let (x1, dx) = x in
        let (y1, dy) = y in
        let z : D1[R] = (x1 + y1, dx (+) dy) in
        let (x2, dx1) = x in
        let (z1, dz) = z in
        (x2 * z1, scale(d1_(*)(x2, z1)(1.0), dx1) (+) scale(d2_(*)(x2, z1)(1.0), dz))
      "
    `);
  });

  test("reverse mode #2 (KR22 Fig. 7)", () => {
    expect(definitionsIn(figure1, "delta")).toMatchInlineSnapshot(`
      "D2[R] = (R, Delta)

      f(x : D2[R], y : D2[R]) : D2[R] =
        let (x1, dx) = x in
        let (y1, dy) = y in
        let z : D2[R] = (x1 + y1, Add(dx, dy)) in
        let (x2, dx1) = x in
        let (z1, dz) = z in
        (
          x2 * z1,
          Add(Scale(d1_(*)(x2, z1)(1.0), dx1), Scale(d2_(*)(x2, z1)(1.0), dz))
        )
      "
    `);
  });

  test("reverse mode (KR22 Fig. 9)", () => {
    expect(definitionsIn(figure1, "delta-let")).toMatchInlineSnapshot(`
      "D[R] = (R, Delta)

      f(x : D[R], y : D[R]) : M D[R] =
        let (x1, dx) = x in
        let (y1, dy) = y in
        do i : Z <- deltaLet(Add(dx, dy));
        let z : D[R] = (x1 + y1, Var(i)) in
        let (x2, dx1) = x in
        let (z1, dz) = z in
        do i1 : Z <-
          deltaLet(
            Add(Scale(d1_(*)(x2, z1)(1.0), dx1), Scale(d2_(*)(x2, z1)(1.0), dz))
          );
        return (x2 * z1, Var(i1))
      "
    `);
  });
});

describe("typing statements", () => {
  const programs = {
    "closures and recursion": `
      def compose f g = \\x. f (g x)
      def iterate (n : Z) (f : R -> R) : R -> R = if n == 0 then \\x. x else compose f (iterate (n - 1) f)
      def main (x : R) (n : Z) : R = iterate n (\\y. y * x + sin y) x`,
    "data with scalars, sums, functions inside": `
      data Shape = Circle R | Box (R, R) | Both Shape Shape | Lazy (() -> Shape)
      def area s = case s of { Circle r -> pi * r ^ 2; Box (w, h) -> w * h; Both a b -> area a + area b; Lazy f -> area (f ()) }
      data Flat = Flat R Z Bool
      def main (e : Flat + R) (b : Bool) : (R, Flat + List R) = case e of {
        inl (Flat x n c) -> (area (Both (Circle x) (Lazy (\\u. Box (x, toReal n)))), inl (Flat (x * x) (n + 1) (c == b)));
        inr x -> (x, inr (x :: x * x :: Nil)) }`,
    "parallel tuples": "def main (x : R, y : R) = let (a, b, c) = x * y |*| (y |*| x) |*| sin x in (a * c, b)",
  };

  test.each(stageNames)("%s", (name) => {
    for (const text of Object.values(programs)) {
      const stage = stageNamed(name);
      const program = stagedOf(text, name);
      assertTarget(program, stage, new DataTypes(program.data));
    }
  });

  test("a stage leaves the source program as it was", () => {
    const before = coreOf(figure1);
    const copy = structuredClone(before);
    for (const name of stageNames) stagedOf(figure1, name);
    expect(before).toEqual(copy);
  });
});
