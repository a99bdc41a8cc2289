// The gradients of programs with arrays and records: every stage agrees with forward mode, and with finite differences.

import { describe, expect, test } from "vitest";
import { grad } from "../driver/grad.js";
import { stageNames } from "./index.js";
import type { StageName } from "./stage.js";

const programs: Readonly<Record<string, { readonly text: string; readonly args: object }>> = {
  "arrays of scalars": {
    text: "def main (c : R) (xs : [R]) : [R] = build (length xs) (\\i. c * xs ! i ^ 2)",
    args: { c: 2, xs: [1, 2, 3] },
  },
  "an array that is empty": {
    text: "def main (c : R) (xs : [R]) : ([R], R) = (build (length xs) (\\i. c * xs ! i), c)",
    args: { c: 2, xs: [] },
  },
  "integers and truth values, which have no cotangent": {
    text: `def main (xs : [R], ns : [Z], bs : [[Bool]]) : ([R], [Z], [[Bool]]) =
      (build (length ns) (\\i. if bs ! i ! 0 then xs ! (ns ! i) else 0), build (length xs) (\\i. floor (xs ! i)), bs)`,
    args: { xs: [1.5, 2.5], ns: [1, 0, 1], bs: [[true], [true], [false]] },
  },
  "arrays of tuples": {
    text: `def main (ps : [(R, Z, (R, R))]) : ([(R, Bool)], R) = (build (length ps) (\\i.
      let (x, n, (y, z)) = ps ! i in (x * y + toReal n * z, x < y)), 1)`,
    args: {
      ps: [
        [1, 2, [3, 4]],
        [5, 6, [7, 8]],
      ],
    },
  },
  "nested ragged arrays": {
    text: `def main (rows : [[R]]) (k : Z) : [[[R]]] =
      build (length rows) (\\i. build k (\\j. build (length (rows ! i)) (\\l. rows ! i ! l * rows ! j ! 0)))`,
    args: { rows: [[1, 2], [3]], k: 2 },
  },
  "arrays of closures": {
    text: `def main (xs : [R]) (x : R) : [R] =
      let fs = build (length xs) (\\i y. y * xs ! i) in
      let gs = [sin, \\y. y * x, fs ! 0] in
      let at = \\i. (fs ! i) ((gs ! 1) x) in
      build (length fs) at`,
    args: { xs: [1, 2, 3], x: 0.5 },
  },
  "arrays of data, in data": {
    text: `data Tree = Node R [Tree] | Leaf
    data Mesh a = Mesh [(a, a)] [Z]
    def total t = case t of {
      Leaf -> 0;
      Node x ts -> let rec go i = if i == length ts then x else total (ts ! i) * x + go (i + 1) in go 0 }
    def main (ts : [Tree]) (m : Mesh R) : (R, [Tree], Mesh [R]) = case m of {
      Mesh ps ns -> (
        total (ts ! 0), [Node 1 ts, Leaf],
        Mesh (build (length ns) (\\i. ([fst (ps ! (ns ! i))], []))) ns) }`,
    args: {
      ts: [{ tag: "Node", _0: 2, _1: [{ tag: "Node", _0: 3, _1: [] }, { tag: "Leaf" }] }],
      m: {
        tag: "Mesh",
        _0: [
          [1, 2],
          [3, 4],
        ],
        _1: [1, 0, 1],
      },
    },
  },
  "a record": {
    text: `data Camera = Camera { rotation : (R, R), focal : R, points : [(R, R)] }
    def turn (c : Camera) : Camera = { c | points = [(c.focal, 1), c.points ! 0], focal = c.focal * fst c.rotation }
    def main (c : Camera) (x : R) : (Camera, R) = case turn c of {
      Camera { focal } -> (Camera { focal = exp focal, points = [(x, 1), (sin x, 2)], rotation = (x, x) }, focal) }`,
    args: { c: { rotation: [0.5, 2], focal: 1.5, points: [[1, 2]] }, x: 0.25 },
  },
  "records of several constructors": {
    text: `data Shape a = Circle { radius : a } | Box { width : a, height : a } | Dot
    def area s = case s of { Circle { radius } -> (pi * radius ^ 2, Dot); Box { height = h, width } -> (h * width, Circle { radius = [h] }); Dot -> (0, Dot) }
    def main (s : [Shape R]) : [(R, Shape [R])] = build (length s) (\\i. area (s ! i))`,
    args: { s: [{ tag: "Box", width: 1, height: 2 }, { tag: "Circle", radius: 3 }, { tag: "Dot" }] },
  },
  "the built-in functions as values": {
    text: `def main (xs : [R]) (n : Z) : R =
      let at = (!) in let three = build 3 in let size = length in
      at (three (\\i. at xs i)) n + toReal (size xs) + build (size xs) (at xs) ! 0`,
    args: { xs: [1, 2, 3], n: 1 },
  },
};

function gradient(text: string, args: object, stage: StageName): unknown {
  const answer = grad({ name: "model.lam", text }, "main", args, { stage, check: true });
  if (!answer.ok) throw new Error(JSON.stringify(answer.diagnostics));
  expect(answer.value.differences).toEqual([]);
  return answer.value.document;
}

describe.each(Object.entries(programs))("%s", (_, { text, args }) => {
  const reverse = stageNames.filter((name) => name !== "primal" && name !== "forward");

  test.each(reverse)("%s", (stage) => {
    expect(gradient(text, args, stage)).toEqual(gradient(text, args, "forward"));
  });
});
