import { expect, test } from "vitest";
import { atomOf, intAtom, letOf, yieldOf } from "./build.js";
import { assertFlat } from "./check.js";
import { int, real, type Block, type Procedure, type Stmt, type Var } from "./program.js";

const x: Var = { name: "x", rep: real };
const y: Var = { name: "y", rep: real };
const n: Var = { name: "n", rep: int };

function check(body: Block, more: readonly Procedure[] = []): void {
  const f: Procedure = { name: "f", definition: "f", captured: [], params: [x, n], results: [real], body, kind: "function" }; // prettier-ignore
  assertFlat({ data: [], procedures: [f, ...more], entries: [] });
}

const copy = (result: Var, of: Var): Stmt => letOf(result, { kind: "copy", value: atomOf(of) });
const loop = (body: Block): Stmt => ({ kind: "loop", params: [y], init: [atomOf(x)], body, results: [{ name: "r", rep: real }], arrays: [] }); // prettier-ignore

test("a program as it should be", () => {
  expect(() => {
    check(yieldOf([copy(y, x)], [atomOf(y)]));
  }).not.toThrow();
});

test.each<[string, Block]>([
  ["y is not in scope", yieldOf([], [atomOf(y)])],
  ["x is bound twice", yieldOf([copy(x, x)], [atomOf(x)])],
  ["y is bound twice", yieldOf([copy(y, x), copy(y, x)], [atomOf(y)])],
  ["R instead of Z", yieldOf([copy({ name: "m", rep: int }, x)], [atomOf(x)])],
  ["yield: 0 instead of 1", yieldOf([], [])],
  ["a next iteration outside of a loop", { stmts: [], end: { kind: "next", values: [atomOf(x)] } }],
  ["next: 2 instead of 1", yieldOf([loop({ stmts: [], end: { kind: "next", values: [atomOf(x), atomOf(x)] } })], [atomOf(x)])],
  ["y is not in scope", yieldOf([loop(yieldOf([], [atomOf(y)]))], [atomOf(y)])],
  ["there is no procedure g", yieldOf([{ kind: "call", fn: "g", args: [], results: [] }], [atomOf(x)])],
  ["the arguments of f: 1 instead of 2", yieldOf([{ kind: "call", fn: "f", args: [atomOf(x)], results: [y] }], [atomOf(y)])],
  ["an array that is none", yieldOf([letOf(y, { kind: "cell", array: atomOf(x), index: intAtom(0) })], [atomOf(y)])],
  ["the condition: Z instead of Bool", { stmts: [], end: { kind: "if", cond: atomOf(n), then: yieldOf([], [atomOf(x)]), else: yieldOf([], [atomOf(x)]) } }],
])("%s", (message, body) => {
  expect(() => {
    check(body);
  }).toThrow(message);
}); // prettier-ignore
