import { expect, test } from "vitest";
import { id, returned } from "../typescript/build.js";
import type { TsDeclaration, TsExpr, TsParam } from "../typescript/tree.js";
import { withUnreadParamsMarked } from "./used-types.js";

/** A function with the parameters, of which it gives back one. */
function giving(value: TsExpr, params: readonly TsParam[]): TsDeclaration {
  const fn = {
    name: "f",
    typeParams: [],
    params,
    result: { kind: "name", name: "number", args: [] },
    body: [returned(value)],
  } as const;
  return { kind: "function", doc: "", exported: true, fn };
}

const param = (name: string, optional: boolean): TsParam => ({
  name,
  type: { kind: "name", name: "number", args: [] },
  optional,
});

function paramsOf(declarations: readonly TsDeclaration[]): readonly string[] {
  return declarations.flatMap((each) => (each.kind === "function" ? each.fn.params.map(({ name }) => name) : []));
}

test("an optional parameter that nothing reads is marked, under a name that is free", () => {
  const params = [param("x", false), param("_buffers", false), param("buffers", true)];
  expect(paramsOf(withUnreadParamsMarked([giving(id("x"), params)]))).toEqual(["x", "_buffers", "__buffers"]);
});

test("what is read, or must be handed over, keeps its name", () => {
  const params = [param("x", false), param("y", false), param("buffers", true)];
  expect(paramsOf(withUnreadParamsMarked([giving(id("buffers"), params)]))).toEqual(["x", "y", "buffers"]);
});
