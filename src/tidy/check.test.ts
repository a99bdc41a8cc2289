// For each invariant of a function that is tidied one that breaks it alone.

import { expect, test } from "vitest";
import { assigned, constant, effect, id, number, returned, thunk, typeName } from "../typescript/build.js";
import type { TsStmt } from "../typescript/tree.js";
import { assertFunction } from "./check.js";

function check(...body: readonly TsStmt[]): () => void {
  const params = [{ name: "x#1", type: typeName("number"), optional: false }];
  return () => {
    assertFunction({ name: "f", typeParams: [], params, result: typeName("number"), body });
  };
}

const declared = (name: string): TsStmt => ({ kind: "let", name, type: null, init: number(0) });
const block = (...body: readonly TsStmt[]): TsStmt => ({ kind: "block", body });
const loop = (label: string | null, ...body: readonly TsStmt[]): TsStmt => ({ kind: "loop", label, body });
const leave = (kind: "break" | "continue", label: string | null): TsStmt => ({ kind, label });

test("a function as it should be", () => {
  const inner = loop("outer#", declared("y#2"), assigned("y#2", id("x#1")), loop(null, leave("break", null), leave("continue", "outer#"))); // prettier-ignore
  expect(check(inner, constant("z#3", null, id("x#1")), returned(id("z#3")))).not.toThrow();
  expect(check(effect(thunk([returned(id("x#1"))])), returned(id("global")))).not.toThrow();
});

test.each<[string, readonly TsStmt[]]>([
  ["x#1 is declared twice", [declared("x#1")]],
  ["y#2 is declared twice", [block(declared("y#2")), block(declared("y#2"))]],
  ["y#2 is used where it is not declared", [returned(id("y#2")), declared("y#2")]],
  ["y#2 is used where it is not declared", [block(declared("y#2")), returned(id("y#2"))]],
  ["y#2 is used where it is not declared", [constant("y#2", null, id("y#2"))]],
  ["y#2 is used where it is not declared", [effect(thunk([declared("y#2")])), returned(id("y#2"))]],
  ["the constant y#2 is assigned to", [constant("y#2", null, number(1)), assigned("y#2", number(2))]],
  ["a break outside of its loop", [leave("break", null)]],
  ["a continue outside of its loop", [{ kind: "switch", subject: id("x#1"), cases: [{ test: null, body: [leave("continue", null)] }] }]],
  ["a break outside of its loop", [loop("outer#", leave("break", "other#"))]],
  ["a break outside of its loop", [loop(null, effect(thunk([leave("break", null)])))]],
])("%s", (message, body) => {
  expect(check(...body)).toThrow(message);
}); // prettier-ignore
