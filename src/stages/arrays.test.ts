// Arrays and records in every stage: each stage's output has the types that its figure states.

import { describe, expect, test } from "vitest";
import { DataTypes } from "../target-calculus/data.js";
import { assertTarget } from "../target-calculus/check.js";
import { printTargetProgram } from "../target-calculus/print.js";
import { stagedOf } from "../../test/support/core.js";
import { notationOf, stageNamed, stageNames } from "./index.js";
import type { StageName } from "./stage.js";

const programs = {
  "arrays of scalars": `
    def scale (c : R) (xs : [R]) : [R] = build (length xs) (\\i. c * xs ! i)
    def literal (x : R) : [R] = [x, 2, x * x]
    def empty (x : R) : [R] = []`,
  "integers and truth values, which have no cotangent": `
    def main (xs : [R], ns : [Z], bs : [[Bool]]) : ([R], [Z], [[Bool]]) =
      (build (length ns) (\\i. if bs ! i ! 0 then xs ! (ns ! i) else 0), build (length xs) (\\i. floor (xs ! i)), bs)`,
  "arrays of tuples": `
    def main (ps : [(R, Z, (R, R))]) : ([(R, Bool)], R) = (build (length ps) (\\i.
      let (x, n, (y, z)) = ps ! i in (x * y + toReal n * z, x < y)), 1)`,
  "nested ragged arrays": `
    def main (rows : [[R]]) (k : Z) : [[[R]]] =
      build (length rows) (\\i. build k (\\j. build (length (rows ! i)) (\\l. rows ! i ! l * rows ! j ! 0)))`,
  "arrays of closures inside": `
    def main (xs : [R]) (x : R) : [R] =
      let fs = build (length xs) (\\i y. y * xs ! i) in
      let gs = [sin, \\y. y * x, fs ! 0] in
      let at = \\i. (fs ! i) ((gs ! 1) x) in
      build (length fs) at`,
  "arrays of data, in data": `
    data Tree = Node R [Tree] | Leaf
    data Mesh a = Mesh [(a, a)] [Z]
    def total t = case t of { Leaf -> 0; Node x ts -> let rec go i = if i == length ts then x else total (ts ! i) + go (i + 1) in go 0 }
    def main (ts : [Tree]) (m : Mesh R) : (R, [Tree], Mesh [R]) = case m of {
      Mesh ps ns -> (total (ts ! 0), [Node 1 ts, Leaf], Mesh (build (length ns) (\\i. ([fst (ps ! (ns ! i))], []))) ns) }`,
  records: `
    data Camera = Camera { rotation : (R, R), focal : R, points : [(R, R)] }
    data Shape a = Circle { radius : a } | Box { width : a, height : a } | Dot
    def make (x : R) : Camera = Camera { focal = exp x, points = [(x, 1), (sin x, 2)], rotation = (x, x) }
    def zoom (c : Camera) : Camera = { c | points = [], focal = c.focal * fst c.rotation }
    def area (s : Shape R) : (R, Shape [R]) = case s of {
      Circle { radius } -> (pi * radius ^ 2, Dot); Box { height = h } -> (h, Circle { radius = [h] }); Dot -> (0, Dot) }`,
  "the functions as values": `
    def main (xs : [R]) (n : Z) : R =
      let at = (!) in let three = build 3 in let size = length in
      at (three (\\i. at xs i)) n + toReal (size xs) + build (size xs) (at xs) ! 0`,
};

describe("typing statements", () => {
  describe.each(stageNames)("%s", (name) => {
    test.each(Object.entries(programs))("%s", (_, text) => {
      const stage = stageNamed(name);
      const program = stagedOf(text, name);
      assertTarget(program, stage, new DataTypes(program.data));
    });
  });
});

const scale = "def scale (c : R) (xs : [R]) : [R] = build (length xs) (\\i. c * xs ! i)";

function printed(name: StageName): string {
  return printTargetProgram(stagedOf(scale, name), notationOf(stageNamed(name)));
}

describe("the rules at [T]", () => {
  test("forward", () => {
    expect(printed("forward")).toMatchInlineSnapshot(`
      "scale(c : (R, R), xs : [(R, R)]) : [(R, R)] =
        build (length xs)
          (\\i.
             let (c1, dc) = c in
             let (t, dt) = xs ! i in
             (c1 * t, d1_(*)(c1, t)(dc) + d2_(*)(c1, t)(dt)))

      Wrap[scale](c2 : R, xs1 : [R], dc2 : R, dxs1 : [R]) : ([R], [R]) =
        let y : [(R, R)] =
          scale((c2, dc2), build (length xs1) (\\k. (xs1 ! k, dxs1 ! k)))
        in
        (build (length y) (\\k2. fst (y ! k2)), build (length y) (\\k3. snd (y ! k3)))
      "
    `);
  });

  test("D1", () => {
    expect(printed("d1")).toMatchInlineSnapshot(`
      "D1[R] = (R, _R -o c)

      scale(c : D1[R], xs : [D1[R]]) : [D1[R]] =
        build (length xs)
          (\\i.
             let (c1, dc) = c in
             let (t, dt) = xs ! i in
             (c1 * t, \\_(z : R). dc (d1_(*)(c1, t)(z)) +c dt (d2_(*)(c1, t)(z))))

      Wrap[scale](c2 : R, xs1 : [R]) : ([R], [R] -o (R, [R])) =
        let zero : (R, [R]) = zeroOf((c2, xs1)) in
        let c3 : D1[R] = (c2, \\_(z2 : R). (z2, 0)) in
        let dxs1 : (0 | [R]) -o c = \\_(z3 : 0 | [R]). (0, z3) in
        let xs2 : [D1[R]] =
          build (length xs1) (\\k3. (xs1 ! k3, \\_(z5 : R). dxs1 oneHot(k3, z5)))
        in
        let y : [D1[R]] = scale(c3, xs2) in
        let y1 : [R] = build (length y) (\\k2. fst (y ! k2)) in
        (y1, \\_(z1 : [R]). fill(zero, sum (length y) (\\k. snd (y ! k) (z1 ! k))))
      "
    `);
  });

  test("D2", () => {
    expect(printed("d2")).toMatchInlineSnapshot(`
      "D2[R] = (R, (Z, _R -o Staged c))

      scale(c : D2[R], xs : [D2[R]]) : Z -> ([D2[R]], Z) =
        \\i1.
          build (length xs)
            (\\i.
               \\i2.
                 let (c1, dc) = c in
                 let (t, dt) = xs ! i in
                 (
                   (
                     c1 * t,
                     (
                       i2,
                       \\_(z : R).
                         SCall(dc, d1_(*)(c1, t)(z)) +Staged
                         SCall(dt, d2_(*)(c1, t)(z))
                     )
                   ),
                   i2 + 1
                 )) i1

      Wrap[scale](c2 : R, xs1 : [R]) : ([R], [R] -o (R, [R])) =
        let zero : (R, [R]) = zeroOf((c2, xs1)) in
        let i = 0 in
        let c3 : D2[R] = (c2, (i, \\_(z2 : R). SCotan((z2, 0)))) in
        let dxs1 : (0 | [R]) -o Staged c = \\_(z3 : 0 | [R]). SCotan((0, z3)) in
        let (xs2 : [D2[R]], i1) =
          build (length xs1)
            (\\k.
               \\i2.
                 ((xs1 ! k, (i2, \\_(z4 : R). dxs1 oneHot(k, z4))), i2 + 1)) (i + 1)
        in
        let y : [D2[R]] = fst (scale(c3, xs2) i1) in
        let ps : [(R, _R -o Staged c)] =
          build (length y)
            (\\k2.
               let x : D2[R] = y ! k2 in
               (fst x, snd (snd x)))
        in
        let y1 : [R] = build (length ps) (\\k3. fst (ps ! k3)) in
        (
          y1,
          \\_(z1 : [R]).
            fill(zero, SResolve(sum (length ps) (\\k1. snd (ps ! k1) (z1 ! k1))))
        )
      "
    `);
  });

  test("D3", () => {
    expect(printed("d3")).toMatchInlineSnapshot(`
      "D3[R] = (R, (Z, _R -o (Staged c -> Staged c)))

      scale(c : D3[R], xs : [D3[R]]) : Z -> ([D3[R]], Z) =
        \\i1.
          build (length xs)
            (\\i.
               \\i2.
                 let (c1, dc) = c in
                 let (t, dt) = xs ! i in
                 (
                   (
                     c1 * t,
                     (
                       i2,
                       \\_(z : R).
                         SCall(dc, d1_(*)(c1, t)(z)) . SCall(dt, d2_(*)(c1, t)(z))
                     )
                   ),
                   i2 + 1
                 )) i1

      Wrap[scale](c2 : R, xs1 : [R]) : ([R], [R] -o (R, [R])) =
        let zero : (R, [R]) = zeroOf((c2, xs1)) in
        let i = 0 in
        let c4 : D3[R] =
          (
            c2,
            (
              i,
              \\_(z3 : R).
                SCotan(
                  \\(c3 : (R, [R])).
                    let (v, v1) = c3 in
                    ((\\(a : R). z3 + a) v, v1)
                )
            )
          )
        in
        let dxs1 : ([R] -> [R]) -o (Staged c -> Staged c) =
          \\_(z4 : [R] -> [R]).
            SCotan(
              \\(c5 : (R, [R])).
                let (v2, v3) = c5 in
                (v2, z4 v3)
            )
        in
        let (xs2 : [D3[R]], i1) =
          build (length xs1)
            (\\k.
               \\i2.
                 (
                   (
                     xs1 ! k,
                     (
                       i2,
                       \\_(z6 : R).
                         dxs1 (\\(c6 : [R]). update(k, \\(a1 : R). z6 + a1, c6))
                     )
                   ),
                   i2 + 1
                 )) (i + 1)
        in
        let y : [D3[R]] = fst (scale(c4, xs2) i1) in
        let ps : [(R, _R -o (Staged c -> Staged c))] =
          build (length y)
            (\\k2.
               let x : D3[R] = y ! k2 in
               (fst x, snd (snd x)))
        in
        let y1 : [R] = build (length ps) (\\k3. fst (ps ! k3)) in
        (
          y1,
          \\_(z1 : [R]).
            SResolve(
              sum (length ps) (\\k1. snd (ps ! k1) (z1 ! k1)) 0Staged(zeroOf(zero))
            )
        )
      "
    `);
  });

  test("D4", () => {
    expect(printed("d4")).toMatchInlineSnapshot(`
      "D4[R] = (R, (Z, _R -o (Staged c -> IO ())))

      scale(c : D4[R], xs : [D4[R]]) : Z -> ([D4[R]], Z) =
        \\i1.
          build (length xs)
            (\\i.
               \\i2.
                 let (c1, dc) = c in
                 let (t, dt) = xs ! i in
                 (
                   (
                     c1 * t,
                     (
                       i2,
                       \\_(z : R).
                         SCall(dc, d1_(*)(c1, t)(z)) >> SCall(dt, d2_(*)(c1, t)(z))
                     )
                   ),
                   i2 + 1
                 )) i1

      Wrap[scale](c2 : R, xs1 : [R]) : ([R], [R] -o (R, [R])) =
        let i = 0 in
        let p : (D4[R], IArray R -> R) =
          ((c2, (i, \\_(z2 : R). SOneHot(i, z2))), \\(a : IArray R). index(a, i))
        in
        let (c3, rebuild) = p in
        let (ps : [(D4[R], IArray R -> R)], i1) =
          build (length xs1)
            (\\k.
               \\i2.
                 (
                   (
                     (xs1 ! k, (i2, \\_(z3 : R). SOneHot(i2, z3))),
                     \\(a1 : IArray R). index(a1, i2)
                   ),
                   i2 + 1
                 )) (i + 1)
        in
        let p1 : ([D4[R]], IArray R -> [R]) =
          (
            build (length ps) (\\k2. fst (ps ! k2)),
            \\(a2 : IArray R). build (length ps) (\\k1. snd (ps ! k1) a2)
          )
        in
        let (xs2, rebuild1) = p1 in
        let (y1 : [D4[R]], i3) = scale(c3, xs2) i1 in
        let ps1 : [(R, _R -o (Staged c -> IO ()))] =
          build (length y1)
            (\\k4.
               let x : D4[R] = y1 ! k4 in
               (fst x, snd (snd x)))
        in
        let y : [R] = build (length ps1) (\\k5. fst (ps1 ! k5)) in
        (
          y,
          \\_(z1 : [R]).
            let collector : IArray R =
              run(i1, i3, sum (length ps1) (\\k3. snd (ps1 ! k3) (z1 ! k3)))
            in
            (rebuild collector, rebuild1 collector)
        )
      "
    `);
  });

  test("tape", () => {
    expect(printed("tape")).toMatchInlineSnapshot(`
      "D[R] = Node

      scale(c : D[R], xs : [D[R]]) : M [D[R]] =
        build (length xs)
          (\\i.
             let c1 : R = value(c) in
             let i1 : D[R] = xs ! i in
             let x : R = value(i1) in
             push2(c1 * x, d1_(*)(c1, x)(1.0), c, d2_(*)(c1, x)(1.0), i1))

      Wrap[scale](c2 : R, xs1 : [R]) : M ([R], [R] -o M (R, [R])) =
        do done2 : () <- start;
        do c3 : D[R] <- leaf(c2);
        do xs2 : [D[R]] <- build (length xs1) (\\k. leaf(xs1 ! k));
        do y : [D[R]] <- scale(c3, xs2);
        let value : [R] = build (length y) (\\k2. value(y ! k2)) in
        do tape : Tape <- save;
        return (
          value,
          \\_(z : [R]).
            do cots : Cotangents <- cotangents(tape);
            do done : () <- sum (length y) (\\k1. seed(cots, y ! k1, z ! k1));
            do done1 : () <- sweep(tape, cots);
            return (cotangentOf(cots, c3), cotangentsOf(cots, xs2))
        )
      "
    `);
  });
});
