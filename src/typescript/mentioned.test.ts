// What a module takes of the runtime is what its functions mention; a function may call a variable of its own as something of the runtime is called.

import { expect, test } from "vitest";
import { arrow, array, assigned, callOf, constant, effect, id, number, returned, typeName } from "./build.js";
import { namesMentioned } from "./mentioned.js";
import type { TsStmt } from "./tree.js";

function mentioned(...body: readonly TsStmt[]): readonly string[] {
  const params = [{ name: "param", type: typeName("Float64Array"), optional: false }];
  const fn = { name: "f", typeParams: [], params, result: typeName("number"), body };
  return [...namesMentioned([{ kind: "function", doc: "", exported: false, fn }])].sort();
}

const types = ["Float64Array", "number"];

test("variables and parameters of functions are no names of the module", () => {
  expect(mentioned(constant("scale", null, callOf(id("outer"), id("param"))), returned(id("scale")))).toEqual([...types, "outer"]); // prettier-ignore
  expect(mentioned(returned(callOf(id("map"), arrow(["scale"], id("scale")))))).toEqual([
    "Float64Array",
    "map",
    "number",
  ]);
});

test("a name of a block's own is the module's outside of the block", () => {
  const block: TsStmt = { kind: "block", body: [constant("scale", null, number(1)), assigned("scale", number(2))] };
  expect(mentioned(block)).toEqual(types);
  expect(mentioned(block, returned(id("scale")))).toEqual([...types, "scale"]);
});

test("counters, caught errors and functions are known within what they are for", () => {
  const loop = (name: string, mention: string): TsStmt => ({
    kind: "for",
    name,
    from: number(0),
    test: id(name),
    step: number(1),
    body: [effect(id(mention))],
  });
  expect(mentioned(loop("i", "i"), effect(array([id("i")])))).toEqual([...types, "i"].sort());
  const caught: TsStmt = { kind: "try", body: [effect(id("error"))], param: "error", handler: [effect(id("error"))] };
  expect(mentioned({ ...caught, body: [] })).toEqual(types);
});
