// Arguments of every kind, well formed and not, in adjoint code, which tests them by functions of its own, as in the stage `tape`, which does not.

import { describe, expect, test } from "vitest";
import { compile } from "../driver/compile.js";
import { exportOf, functionOf, loadModule, propertyOf, type LoadedModule } from "../driver/evaluate.js";
import type { StageName } from "../driver/stages.js";

const program = `
data Tree = Leaf R | Node Tree R Tree
data Rose = Rose { weight: R, label: Z, kids: [Rose] }
data Layer = Layer { weights: [[R]], bias: [R] }
data Expr = Lit R | Neg Expr | Add Expr Expr | Vec [R] (R, Bool)
data Chain a = End a | More Bool a (Chain a) | Stop

def tree (t : Tree) : R = case t of { Leaf x -> x * x; Node l x r -> tree l * x + tree r }
def rose (t : Rose) : R = case t of { Rose { weight, label, kids } -> weight * toReal label + sum (map rose kids) }
def layers (ls : [Layer]) : R = sum (map (\\l. case l of { Layer { weights, bias } -> sum (map sum weights) * sum bias }) ls)
def expr (e : Expr) : R =
  case e of { Lit x -> x * x; Neg f -> 0 - expr f; Add f g -> expr f * expr g; Vec v p -> sum v * fst p }
def chain (c : Chain (R, [R])) : R =
  case c of { End p -> fst p * sum (snd p); More b p rest -> (if b then fst p * fst p else sum (snd p)) + chain rest; Stop -> 1 }
def total (l : List R) : R = case l of { Nil -> 0; x :: xs -> x * x + total xs }
def lists (l : List (List R)) : R = case l of { Nil -> 0; x :: xs -> total x + lists xs }
def counts (l : List Z) : R = case l of { Nil -> 0; n :: ns -> toReal n + counts ns }
def pairs (a : [(R, Z)], b : (R, [R], Bool)) : R =
  sum (map (\\p. fst p * toReal (snd p)) a) * (case b of { (x, y, z) -> x * sum y })
def wide (l : List [R]) : R = case l of { Nil -> 0; x :: xs -> sum x + wide xs }
def rows (m : [[R]]) : R = sum (map sum m)
`;

function load(stage: StageName): LoadedModule {
  const result = compile({ name: "model.lam", text: program }, { stage, target: "js" });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return loadModule(result.value.code);
}

const [adjoint, tape] = [load("adjoint"), load("tape")];

/** What a call gives, or the error that it throws. */
function outcome(module: LoadedModule, name: string, args: readonly unknown[]): unknown {
  try {
    return exportOf(module, name)(...args);
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : error;
  }
}

function expectSame(name: string, ...args: readonly unknown[]): void {
  for (const exported of [name, `${name}Grad`]) {
    expect(outcome(adjoint, exported, args), exported).toEqual(outcome(tape, exported, args));
  }
  expect(pulled(adjoint, name, args), `${name}Vjp`).toEqual(pulled(tape, name, args));
}

function pulled(module: LoadedModule, name: string, args: readonly unknown[]): unknown {
  const made = outcome(module, `${name}Vjp`, args);
  if (typeof made !== "object" || made === null || !("pullback" in made)) return made;
  const pullback = functionOf(made.pullback);
  return [pullback(2), pullback(1)];
}

interface Cell {
  readonly tag: "Cons";
  readonly _0: unknown;
  _1: unknown;
}

const nil = { tag: "Nil" };
const listOf = (items: readonly unknown[], end: unknown = nil): unknown =>
  items.reduceRight<unknown>((rest, item) => ({ tag: "Cons", _0: item, _1: rest }), end);
const leaf = (x: unknown): unknown => ({ tag: "Leaf", _0: x });
const node = (left: unknown, x: unknown, right: unknown): unknown => ({ tag: "Node", _0: left, _1: x, _2: right });
const floats = (...numbers: readonly number[]): Float64Array => new Float64Array(numbers);

/** The last cell leads back to the cell at \`to\`. */
function cycle(length: number, to: number): unknown {
  const cells = Array.from({ length }, (_, i): Cell => ({ tag: "Cons", _0: i, _1: nil }));
  cells.forEach((cell, i) => (cell._1 = cells[i + 1] ?? cells[to]));
  return cells[0];
}

const malformed: readonly unknown[] = [
  undefined,
  null,
  1,
  "x",
  [],
  {},
  { tag: "Other" },
  { tag: 1 },
  () => 0,
  floats(1),
];

describe("lists", () => {
  test("of numbers", () => {
    expectSame("total", nil);
    expectSame("total", listOf([1, 2.5, -3]));
    for (const item of [...malformed, "1"]) {
      if (item !== 1) expectSame("total", listOf([1, item, 2]));
      expectSame("total", listOf([1, 2], item));
      expectSame("total", item);
    }
  });

  test("of integers have cotangents of zeros", () => {
    expectSame("counts", listOf([1, 2, 3]));
    expectSame("counts", listOf([1, 2.5]));
    expectSame("counts", listOf([2 ** 60]));
  });

  test("of lists, and of arrays", () => {
    expectSame("lists", listOf([listOf([1, 2]), nil, listOf([3])]));
    expectSame("lists", listOf([listOf([1, 2]), listOf(["3"])]));
    expectSame("wide", listOf([floats(1, 2), floats()]));
    expectSame("wide", listOf([floats(1, 2), [3, 4]]));
    expectSame("wide", listOf([floats(1, 2), ["3"]]));
  });

  test("that contain themselves", () => {
    for (const [length, to] of [
      [1, 0],
      [2, 0],
      [7, 6],
      [1000, 400],
    ] as const) {
      expect(outcome(adjoint, "totalGrad", [cycle(length, to)])).toMatch(
        /^RangeError: totalGrad: l.* contains itself$/,
      );
      expect(outcome(adjoint, "lists", [listOf([nil, cycle(length, to)])])).toMatch(/^RangeError: .* contains itself$/);
    }
  });

  test("of a million cells", () => {
    const list = listOf(Array.from({ length: 1e6 }, (_, i) => i % 7));
    const made = outcome(adjoint, "totalGrad", [list]);
    let rest = propertyOf(propertyOf(made, "grad"), "l");
    for (let i = 0; i < 1e6; i++) {
      const found = propertyOf(rest, "_0");
      if (found !== 2 * (i % 7)) expect(found).toBe(2 * (i % 7));
      rest = propertyOf(rest, "_1");
    }
    expect(rest).toEqual(nil);
  });
});

describe("other values", () => {
  test("trees", () => {
    const tree = node(node(leaf(1), 2, leaf(3)), 4, leaf(5));
    expectSame("tree", tree);
    expectSame("tree", leaf(2));
    for (const part of [...malformed, nil]) {
      expectSame("tree", node(tree, 2, part));
      expectSame("tree", node(part, 2, tree));
      if (part !== 1) expectSame("tree", node(tree, part, tree));
    }
  });

  test("trees that are deep on one side, or contain themselves", () => {
    for (const grow of [(t: unknown) => node(t, 1, leaf(0.5)), (t: unknown) => node(leaf(0.5), 1, t)]) {
      let deep = leaf(3);
      for (let i = 0; i < 3000; i++) deep = grow(deep);
      const [found, wanted] = [adjoint, tape].map((module) => alongSides(outcome(module, "treeGrad", [deep])));
      expect(found).toEqual(wanted);
    }
    for (const key of ["_0", "_2"]) {
      const self = { tag: "Node", _0: leaf(1), _1: 2, _2: leaf(3) };
      Reflect.set(self, key, self);
      expect(outcome(adjoint, "tree", [self])).toMatch(/contains itself$/);
    }
  });

  test("records in arrays in records", () => {
    const rose = (weight: unknown, label: unknown, kids: unknown): unknown => ({ weight, label, kids });
    expectSame("rose", rose(1, 2, [rose(3, 4, []), rose(5, 6, [rose(7, 8, [])])]));
    expectSame("rose", rose(1, 2, [rose(3, 4.5, [])]));
    for (const kids of malformed) expectSame("rose", rose(1, 2, kids));
    for (const kid of malformed) expectSame("rose", rose(1, 2, [rose(1, 1, []), kid]));
    expectSame("rose", rose(1, 2, new Array(2)));
  });

  test("records of arrays", () => {
    const layer = (weights: unknown, bias: unknown): unknown => ({ weights, bias });
    expectSame("layers", [layer([floats(1, 2), floats(3)], floats(4))]);
    expectSame("layers", [layer([floats(1, 2), [3]], floats(4)), layer([], [])]);
    expectSame("layers", []);
    for (const part of malformed) {
      expectSame("layers", part);
      expectSame("layers", [part]);
      expectSame("layers", [layer([floats(1)], part)]);
      expectSame("layers", [layer(part, floats(1))]);
    }
  });

  test("sums with several recursive constructors", () => {
    const vec = { tag: "Vec", _0: floats(1, 2), _1: [3, true] };
    const add = { tag: "Add", _0: { tag: "Neg", _0: { tag: "Lit", _0: 3 } }, _1: vec };
    expectSame("expr", add);
    expectSame("expr", { tag: "Neg", _0: { ...vec, _0: [1, 2] } });
    for (const part of malformed) {
      expectSame("expr", { tag: "Neg", _0: part });
      expectSame("expr", { ...vec, _1: part });
      expectSame("expr", { ...vec, _1: [1, part] });
    }
  });

  test("chains with several ends", () => {
    const more = (flag: unknown, item: unknown, rest: unknown): unknown => ({
      tag: "More",
      _0: flag,
      _1: item,
      _2: rest,
    });
    const end = { tag: "End", _0: [1, floats(2, 3)] };
    expectSame("chain", more(true, [2, floats(1)], more(false, [3, floats(4, 5)], end)));
    expectSame("chain", more(true, [2, [1]], { tag: "Stop" }));
    expectSame("chain", { tag: "Stop" });
    for (const part of malformed) {
      expectSame("chain", more(part, [2, floats(1)], end));
      expectSame("chain", more(true, part, end));
      expectSame("chain", more(true, [2, floats(1)], part));
    }
  });

  test("tuples, and arrays of them", () => {
    expectSame(
      "pairs",
      [
        [1, 2],
        [3, 4],
      ],
      [5, floats(6, 7), true],
    );
    expectSame(
      "pairs",
      [
        [1, 2],
        [3, 4],
      ],
      [5, [6, 7], false],
    );
    expectSame("pairs", [[1, 2.5]], [5, floats(6, 7), true]);
    expectSame("pairs", [[1, 2, 3]], [5, floats(6, 7), true]);
    expectSame("pairs", [], [5, floats(6, 7), 1]);
  });

  test("rows", () => {
    expectSame("rows", [floats(1, 2), floats(3)]);
    expectSame("rows", [floats(1, 2), [3]]);
    for (const part of malformed) {
      expectSame("rows", part);
      expectSame("rows", [floats(1), part]);
    }
  });
});

/** The numbers along the first fields, and along the last, of a gradient that is too deep to compare. */
function alongSides(result: unknown): readonly unknown[] {
  return ["_0", "_2"].flatMap((key) => {
    const numbers: unknown[] = [];
    let part = propertyOf(propertyOf(result, "grad"), "t");
    for (; propertyOf(part, "tag") === "Node"; part = propertyOf(part, key)) numbers.push(propertyOf(part, "_1"));
    return [...numbers, propertyOf(part, "_0")];
  });
}
