// For each invariant of a program with stores one that breaks it alone.

import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { flatten } from "../flat/flatten.js";
import { FlatNames } from "../flat/naming.js";
import type { Block, Operation, Procedure, Stmt } from "../flat/program.js";
import { mapBlocks } from "../flat/traverse.js";
import { assertStores } from "./check.js";
import { prepare, type Prepared } from "./prepare.js";

const text = `data Tree = Leaf R | Node Tree Tree
def total (t : Tree) : R = case t of { Leaf x -> x * x; Node l r -> total l + total r }
def f (x : R) (xs : [R]) : R =
  let ys = build 3 (\\i. x * toReal i) in
  total (Node (Leaf x) (Leaf (ys ! 0))) + sum (map (\\y. y * y) xs)`;

const prepared = ((): Prepared => {
  const core = coreOf(text);
  return prepare(flatten(core), { source: core, wrt: new Map(), names: new FlatNames([]), values: new Map() });
})();

/** The program with other statements in place of some, in the active version of `f`. */
function withStmts(rewrite: (stmt: Stmt) => readonly Stmt[]): () => void {
  const block = ({ stmts, end }: Block): Block => ({ stmts: stmts.flatMap(rewrite), end: mapBlocks(end, block) });
  return changed((procedure) => ({ ...procedure, body: block(procedure.body) }));
}

function changed(change: (procedure: Procedure) => Procedure): () => void {
  const { active } = prepared;
  const procedures = new Map([...active.procedures].map(([name, one]) => [name, name === "f!" ? { ...one, procedure: change(one.procedure) } : one])); // prettier-ignore
  return () => {
    assertStores({ ...prepared, active: { ...active, procedures } });
  };
}

function withOperation(kind: Operation["kind"], change: (op: Operation) => Operation): () => void {
  return withStmts((stmt) => [stmt.kind === "let" && stmt.op.kind === kind ? { ...stmt, op: change(stmt.op) } : stmt]);
}

test("a program as it should be", () => {
  expect(changed((procedure) => procedure)).not.toThrow();
});

test("a value without its store", () => {
  expect(withStmts((stmt) => (stmt.kind === "let" && stmt.op.kind === "realStore" ? [] : [stmt]))).toThrow(/not in scope|has no store/); // prettier-ignore
});

test("an object's store that lacks one of what the object holds", () => {
  const without = (op: Operation): Operation => (op.kind === "objectStore" ? { ...op, args: op.args.map(() => null) } : op); // prettier-ignore
  expect(withOperation("objectStore", without)).toThrow(/lacks the store/);
});

test("an object's store of another number of leaves", () => {
  const fewer = (op: Operation): Operation => (op.kind === "objectStore" ? { ...op, args: op.args.slice(1) } : op);
  expect(withOperation("objectStore", fewer)).toThrow(/stores for/);
});

test("a call of an active procedure without the store of an argument", () => {
  const fewer = (stmt: Stmt): readonly Stmt[] => (stmt.kind === "call" && stmt.fn === "total!" ? [{ ...stmt, args: stmt.args.slice(0, 1) }] : [stmt]); // prettier-ignore
  expect(withStmts(fewer)).toThrow("the arguments of total!: 1 instead of 2");
});

test("a store where a value belongs", () => {
  const other = (stmt: Stmt): readonly Stmt[] => (stmt.kind === "call" && stmt.fn === "total!" ? [{ ...stmt, args: [...stmt.args].reverse() }] : [stmt]); // prettier-ignore
  expect(withStmts(other)).toThrow(/store Tree instead of Tree/);
});
