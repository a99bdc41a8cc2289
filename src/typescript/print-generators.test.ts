import prettier from "prettier";
import { expect, test } from "vitest";
import { printModule } from "./print-module.js";
import { binary, callOf, id, member, typeName } from "./build.js";
import type { TsExpr, TsModule, TsStmt } from "./tree.js";

const given = (value: TsExpr): TsExpr => ({ kind: "yield", value });
const long = ["theFirstArgument", "theSecondArgument", "theThirdArgument", "theFourthArgument"].map(id);
const number = typeName("number");

const body: readonly TsStmt[] = [
  { kind: "const", target: "a", type: number, init: given(callOf(id("f"), id("x"))) },
  { kind: "const", target: "b", type: number, init: given(callOf(id("aFunctionWithALongName"), ...long)) },
  { kind: "const", target: "c", type: number, init: given(callOf(member(id("closure"), "callDeep"), id("closure"), id("tape"), id("xs"))) },
  { kind: "const", target: ["d", null, "e"], type: { kind: "tuple", items: [number, number, number] }, init: given(callOf(id("aFunction"), ...long.slice(1))) },
  { kind: "const", target: "anInstanceWithAVeryLongNameIndeedThatFillsALine", type: number, init: given(callOf(id("another"), id("x"))) },
  { kind: "expr", expr: given(callOf(id("f"))) },
  { kind: "expr", expr: { kind: "assign", op: "+=", target: id("s"), value: given(callOf(id("f"), ...long)) } },
  { kind: "return", value: binary("+", given(callOf(id("f"))), { kind: "as", expr: given(id("y")), type: number }) },
  { kind: "return", value: given(callOf(id("aFunctionWithALongName"), ...long)) },
]; // prettier-ignore

const module: TsModule = {
  header: [],
  declarations: [
    {
      kind: "generator",
      doc: "In steps.",
      fn: {
        name: "fDeep",
        typeParams: [],
        params: [{ name: "x", type: number, optional: false }],
        result: typeName("Deep", number),
        body,
        isGenerator: true,
      },
    },
    {
      kind: "generator",
      doc: "",
      fn: { name: "aGeneratorFunctionWithALongName", typeParams: [], params: ["self", "tape", "first"].map((name) => ({ name, type: number, optional: false })), result: typeName("Deep", number), body: [], isGenerator: true },
    },
  ],
}; // prettier-ignore

test.each(["ts", "js"] as const)("prettier leaves generator functions alone: %s", async (target) => {
  const printed = printModule(module, target);
  expect(await prettier.format(printed, { parser: target === "ts" ? "typescript" : "babel" })).toBe(printed);
  expect(printed).toMatchSnapshot();
});
