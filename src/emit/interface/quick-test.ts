// The quick test that an argument is what its type says, for tuples and records of reals: what fails it is looked at again, for the message.

import { DataTypes } from "../../core/type-parts.js";
import type { DataDecl, Type } from "../../core/type.js";
import { layoutsOf } from "../layouts.js";
import { binary, member, number, string } from "../../typescript/build.js";
import type { TsExpr } from "../../typescript/tree.js";
import { isTreeOf } from "./ownership.js";

/** Calls a function of the runtime. */
type Call = (name: "isNumber" | "isPresent" | "isRecord" | "isTuple", args: readonly TsExpr[]) => TsExpr;

/** An expression that is true only of values of the type; null where there is no short one. */
export function quickTest(type: Type, value: TsExpr, decls: readonly DataDecl[], call: Call): TsExpr | null {
  if (type.kind === "real" || !isTreeOf(type, decls, ["real"])) return null;
  const tests = testsOf(type, value, new DataTypes(decls), call);
  if (tests === null) return null;
  const [first, ...rest] = tests;
  return first === undefined ? null : rest.reduce((all, test) => binary("&&", all, test), first);
}

function testsOf(type: Type, value: TsExpr, data: DataTypes, call: Call): readonly TsExpr[] | null {
  if (type.kind === "real") return [call("isNumber", [value])];
  if (type.kind === "tuple") {
    const items = type.items.map((item, index) =>
      testsOf(item, { kind: "index", object: value, index: number(index), certain: false }, data, call),
    );
    return type.items.length === 0 ? null : together([call("isTuple", [value, number(items.length)])], items);
  }
  if (type.kind !== "data") return null;
  const [layout] = layoutsOf(data.decl(type.name));
  const [constructor] = data.constructorsOf(type);
  // A field of that name has to be the object's own
  if (layout === undefined || constructor === undefined || layout.keys.includes("__proto__")) return null;
  const tag = layout.isTagged ? [binary("===", member(value, "tag"), string(constructor.name))] : [];
  const fields = constructor.fields.map((field, index) => testsOf(field, member(value, layout.keys[index] ?? ""), data, call)); // prettier-ignore
  return together(
    [call(layout.isTagged || tellsApart(layout.keys) ? "isPresent" : "isRecord", [value]), ...tag],
    fields,
  );
}

/** Whether the tests of a record's fields fail for what is no object, and for arrays, which have a length. */
export function tellsApart(keys: readonly string[]): boolean {
  return keys.some((key) => key !== "length");
}

function together(own: readonly TsExpr[], parts: readonly (readonly TsExpr[] | null)[]): readonly TsExpr[] | null {
  const all = [...own];
  for (const part of parts) {
    if (part === null) return null;
    all.push(...part);
  }
  return all;
}
