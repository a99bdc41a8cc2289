// Arrays and records in every stage: each stage's output has the types that its figure states.

import { describe, expect, test } from "vitest";
import { DataTypes } from "../target/data.js";
import { assertTarget } from "../target/check.js";
import { printTargetProgram } from "../target/print.js";
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
