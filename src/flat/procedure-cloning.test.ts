import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { afterFlat, flatOf } from "../../test/support/flat-passes.js";
import { assertFlat } from "./check.js";
import type { Procedure, Program } from "./program.js";

const lists = `
  data List a = Nil | Cons a (List a)
  def total (l : List R) : R = case l of { Nil -> 0; Cons x xs -> x + total xs }
  def square (l : List R) : List R = case l of { Nil -> Nil; Cons x xs -> Cons (x * x) (square xs) }
  def power (l : List R) : R = total (square l)
  def halves (l : List R) : R = case l of { Nil -> 0; Cons x xs -> 0.5 * x + rests xs }
  def rests (l : List R) : R = case l of { Nil -> 0; Cons x xs -> x * x + halves xs }`;

/** Keeps a list that gets longer iteration by iteration. */
const stack = (last: string): string =>
  `let rec go (kept : List R) (l : List R) : R = case l of { Nil -> ${last}; Cons x xs -> case kept of { Nil -> go (Cons x kept) xs; Cons a more -> if x > a then go more xs else go (Cons x kept) xs } } in go Nil l`;

/** The program of the last definition, each procedure in as many versions as its callers need. */
function versions(entry: string): Program {
  const core = coreOf(`${lists}\ndef entry (l : List R) : R = ${entry}`);
  const program = flatOf({ ...core, entries: core.entries.filter(({ name }) => name === "entry") }, "linear-recursion", "procedure-cloning"); // prettier-ignore
  assertFlat(program);
  assertFlat(afterFlat(program, "list-arrays", "joint-exits", "array-copies"));
  return program;
}

function called(name: string, { procedures }: Program): readonly Procedure[] {
  return procedures.filter((procedure) => new RegExp(`^${name}\\d*$`).test(procedure.name));
}

/** What the lists that a procedure is given are in the end. */
function given(procedure: Procedure, program: Program): readonly string[] {
  const found = afterFlat(program, "list-arrays", "joint-exits", "array-copies").procedures.find(
    ({ name }) => name === procedure.name,
  );
  return found?.params.map(({ rep }) => rep.kind) ?? [];
}

test("a procedure is there twice where one caller has arrays and another one cells", () => {
  const program = versions(`total l + (${stack("total kept")})`);
  const both = called("total", program);
  expect(both.map((procedure) => given(procedure, program))).toEqual([["array"], ["object"]]);
});

test("so is what it calls, where that is given these lists", () => {
  const program = versions(`power l + (${stack("power kept")})`);
  expect(called("power", program).map((procedure) => given(procedure, program))).toEqual([["array"], ["object"]]);
  expect(called("square", program).map((procedure) => given(procedure, program))).toEqual([["array"], ["object"]]);
  // The squares are an array for both
  expect(called("total", program).map((procedure) => given(procedure, program))).toEqual([["array"]]);
});

test("so are procedures that call each other", () => {
  const program = versions(`halves l + rests l + (${stack("halves kept")})`);
  const kinds = [...called("halves", program), ...called("rests", program)].map((each) => given(each, program));
  expect(kinds.filter((each) => each.includes("array")).length).toBeGreaterThan(0);
  expect(kinds.filter((each) => each.includes("object")).length).toBeGreaterThan(0);
  expect(kinds.filter((each) => each.includes("array") && each.includes("object"))).toEqual([]);
});

test("a program is as it was where all callers have arrays, or none", () => {
  expect(called("total", versions("total l + total (square l)"))).toHaveLength(1);
  expect(called("total", versions(stack("total kept")))).toHaveLength(1);
});
