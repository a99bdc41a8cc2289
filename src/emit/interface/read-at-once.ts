// An argument with its tuples and records read at once. While a stage's function runs, tape and IDs belong to that run; a property may be a function of the
// caller's, which calls the module again.
//
//   fReverse(p)      fReverse({ x: p.x, y: p.y })

import { DataTypes } from "../../core/type-parts.js";
import type { DataDecl, Type } from "../../core/type.js";
import { array, index, member, object, string } from "../../typescript/build.js";
import type { TsExpr } from "../../typescript/tree.js";
import { layoutsOf } from "../layouts.js";
import { isTreeOf } from "./ownership.js";

/** The value itself where it is no tuple or record, or one that is too large to be written out. */
export function readAtOnce(type: Type, value: TsExpr, decls: readonly DataDecl[]): TsExpr {
  return isTreeOf(type, decls, ["real", "int", "bool", "array"]) ? readAll(type, value, new DataTypes(decls)) : value;
}

function readAll(type: Type, value: TsExpr, data: DataTypes): TsExpr {
  if (type.kind === "tuple" && type.items.length > 0) {
    return array(type.items.map((item, place) => readAll(item, index(value, place), data)));
  }
  if (type.kind !== "data") return value;
  const [layout] = layoutsOf(data.decl(type.name));
  const [constructor] = data.constructorsOf(type);
  if (layout === undefined || constructor === undefined) return value;
  const tag = layout.isTagged ? [{ name: "tag", value: string(constructor.name) }] : [];
  const fields = constructor.fields.map((field, place) => {
    const name = layout.keys[place] ?? "";
    return { name, value: readAll(field, member(value, name), data) };
  });
  return object([...tag, ...fields]);
}
