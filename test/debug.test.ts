// Modules that are compiled with `debug`: they show what `debug "text"` is given, as often as the program comes to it, and in a gradient the derivative.

import { expect, test, vi } from "vitest";
import { compile, shownValues } from "../src/index.js";
import { exportOf, loadModule } from "../src/driver/evaluate.js";
import { stageNames } from "../src/driver/stages.js";
import { typeErrors } from "./support/typecheck.js";

/** The lines that a function of a module shows. */
function shown(text: string, name: string, args: readonly unknown[], stage: (typeof stageNames)[number] = "adjoint") {
  const compiled = compile({ name: "m.lam", text }, { debug: true, target: "js", stage });
  if (!compiled.ok) throw new Error("it does not compile");
  const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  try {
    exportOf(loadModule(compiled.value.code), name)(...args);
    return said.mock.calls.map(([line]) => String(line));
  } finally {
    said.mockRestore();
  }
}

const numbers = `def step (x : R) : R = debug "step" (x * 2)
def power (n : Z) (x : R) : R = if n == 0 then 1 else debug "power" (x * power (n - 1) x)
def twice (f : R -> R) (x : R) : R = f (f x)
def f (x : R) (y : R) : R =
  let u = debug "u" (sin x) in
  let w = if u > 0 then debug "positive" (exp y) else y in
  u * step x + power 3 y + twice (\\a. debug "a" (a * u)) w + foldl (\\s i. s + debug "term" (s * toReal i)) w (range 1 3)
`;

test("shows numbers and their derivatives as `grad` does", () => {
  const lines = shownValues({ name: "m.lam", text: numbers }, "f", { x: 1, y: 2 }, { derivatives: true });
  if (!lines.ok) throw new Error("it does not run");
  const rounded = shown(numbers, "fGrad", [1, 2]).map((line) =>
    line.replace(/[-+\d.e]+$/, (number) => String(Number(Number(number).toPrecision(7)))),
  );
  expect(rounded.toSorted()).toEqual(lines.value.toSorted());
  expect(rounded.filter((line) => line.includes("term"))).toEqual(lines.value.filter((line) => line.includes("term")));
});

test("each stage shows the values", () => {
  const values = shown(numbers, "f", [1, 2]);
  expect(values).toHaveLength(11);
  for (const stage of stageNames) expect(shown(numbers, "f", [1, 2], stage), stage).toEqual(values);
});

test("what is shown is neither left out nor shared", () => {
  const text = `def f (x : R) : R =
  let _ = debug "unused" (x * 2) in
  let _ = debug "unused" (x * 2) in
  sum (build 2 (\\_. debug "same" (x + 1)))
`;
  const place = (line: number, column: number) => `debug m.lam:${line}:${column}`;
  expect(shown(text, "f", [1])).toEqual([
    `${place(2, 11)} "unused": 2`,
    `${place(3, 11)} "unused": 2`,
    `${place(4, 21)} "same": 2`,
    `${place(4, 21)} "same": 2`,
  ]);
});

test("shows the numbers and truth values that data is made of, with their place in it", () => {
  const text = `data Tree = Leaf | Node Tree R Tree
data P = P { mass : R, where : (R, Bool) }
def total (t : Tree) : R = case t of { Leaf -> 0; Node a x b -> total a + x * x + total b }
def f (t : Tree) (p : P) (n : Z) (rows : [[R]]) : R =
  let q = debug "p" p in
  total (debug "t" t) + q.mass * toReal (debug "n" n) + (debug "rows" rows ! 1 ! 0) ^ 2 + (debug "g" (\\x. x)) 1
`;
  const leaf = { tag: "Leaf" };
  const tree = { tag: "Node", _0: { tag: "Node", _0: leaf, _1: 2, _2: leaf }, _1: 3, _2: leaf };
  const lines = shown(text, "fGrad", [tree, { mass: 5, where: [6, true] }, 7, [[8, 9], [10]]]);
  expect(lines.toSorted()).toEqual(
    [
      'debug m.lam:5:11 "p".mass: 5',
      'debug m.lam:5:11 "p".where.0: 6',
      'debug m.lam:5:11 "p".where.1: true',
      'debug m.lam:6:10 "t".Node._1: 2',
      'debug m.lam:6:10 "t".Node._1: 3',
      'debug m.lam:6:42 "n": 7',
      'debug m.lam:6:58 "rows"[][0]: 8',
      'debug m.lam:6:58 "rows"[][1]: 9',
      'debug m.lam:6:58 "rows"[][0]: 10',
      'debug m.lam:5:11 "p".mass, derivative: 7',
      'debug m.lam:6:10 "t".Node._1, derivative: 4',
      'debug m.lam:6:10 "t".Node._1, derivative: 6',
      'debug m.lam:6:58 "rows"[][0], derivative: 0',
      'debug m.lam:6:58 "rows"[][1], derivative: 0',
      'debug m.lam:6:58 "rows"[][0], derivative: 20',
    ].toSorted(),
  );
});

test("such a module compiles under strict settings; what a label says is no code", () => {
  const text = `def f (x : R) : R = debug "*/ ' \`{x} \\\\" x\n`;
  const compiled = compile({ name: "m.lam", text }, { debug: true });
  expect(compiled.ok && typeErrors(compiled.value.code)).toEqual([]);
});
