// The table of data types that the run-time checks of an emitted module read (`ShapeTable` of src/runtime/values.ts).

import { DataTypes, typeParts } from "../../core/type-parts.js";
import type { DataDecl, Type } from "../../core/type.js";
import { InternalError } from "../../internal-error.js";
import { layoutsOf } from "../layouts.js";
import type { PublicTypes } from "./public-types.js";
import { string } from "../../typescript/build.js";
import type { TsDeclaration, TsExpr, TsProperty } from "../../typescript/tree.js";

export class Shapes {
  readonly name: string;
  readonly #data: DataTypes;
  readonly #types: PublicTypes;
  /** By their names: `List<number>`. */
  readonly #entries = new Map<string, () => TsExpr>();

  /** `name` is that of the table in the module. */
  constructor(name: string, decls: readonly DataDecl[], types: PublicTypes) {
    this.name = name;
    this.#data = new DataTypes(decls);
    this.#types = types;
  }

  /** What the run-time functions take for a first-order type: its shape, and the table where the shape names data types. */
  arguments(type: Type): readonly TsExpr[] {
    return [this.shape(type), this.table(hasData(type))];
  }

  /** The table, or an empty one where a shape names no data type. */
  table(isNeeded: boolean): TsExpr {
    return isNeeded ? { kind: "id", name: this.name } : { kind: "object", fields: [] };
  }

  shape(type: Type): TsExpr {
    if (type.kind === "tuple" && type.items.length > 0) {
      return { kind: "array", items: type.items.map((item) => this.shape(item)) };
    }
    if (type.kind === "array" && type.element.kind !== "real") {
      return { kind: "object", fields: [{ name: "each", value: this.shape(type.element) }] };
    }
    return type.kind === "data" ? this.named(this.#key(type), () => this.#row(type)) : string(this.#key(type));
  }

  /** The shape of what a row of the table describes; `row` is asked for it once, when the table is written. */
  named(name: string, row: () => TsExpr): TsExpr {
    if (!this.#entries.has(name)) this.#entries.set(name, row);
    return string(name);
  }

  /** The declaration of the table, whose type has the given name; none where no type with a data type in it was asked for. */
  declaration(typeName: string): readonly TsDeclaration[] {
    const fields: TsProperty[] = [];
    // Shapes of fields add entries while the table is written.
    for (const [name, row] of this.#entries) fields.push({ name, value: row() });
    if (fields.length === 0) return [];
    const type = { kind: "name", name: typeName, args: [] } as const;
    const init: TsExpr = { kind: "object", fields };
    return [
      {
        kind: "statement",
        doc: "The data types that arguments and results consist of, for the checks at run time.",
        stmt: { kind: "const", target: this.name, type, init },
      },
    ];
  }

  #row(type: Type & { readonly kind: "data" }): TsExpr {
    const layouts = layoutsOf(this.#data.decl(type.name));
    return rowOf(
      this.#data.constructorsOf(type).map(({ name, fields }, index) => ({
        name,
        isTagged: layouts[index]?.isTagged ?? true,
        fields: fields.map((field, place) => ({ key: layouts[index]?.keys[place] ?? "", shape: this.shape(field) })),
      })),
    );
  }

  #key(type: Type): string {
    switch (type.kind) {
      case "real":
        return "number";
      case "int":
        return "integer";
      case "bool":
        return "boolean";
      case "tuple":
        return type.items.length === 0 ? "null" : `[${type.items.map((item) => this.#key(item)).join(", ")}]`;
      case "data": {
        const name = this.#types.nameOf(type.name);
        return type.args.length === 0 ? name : `${name}<${type.args.map((arg) => this.#key(arg)).join(", ")}>`;
      }
      case "array":
        return type.element.kind === "real" ? "numbers" : `${this.#key(type.element)}[]`;
      case "fn":
      case "typeVar":
        throw new InternalError("interface", "a shape of what is not first-order", JSON.stringify(type));
    }
  }
}

/** A constructor with the shapes of its fields. */
export interface ShapedForm {
  readonly name: string;
  readonly isTagged: boolean;
  readonly fields: readonly { readonly key: string; readonly shape: TsExpr }[];
}

/** The row of a data type: by tag, or that of a record. */
export function rowOf(forms: readonly ShapedForm[]): TsExpr {
  const cases = forms.map(({ name, isTagged, fields }) => {
    const items = fields.flatMap(({ key, shape }) => [string(key), shape]);
    return { name, isTagged, value: { kind: "array", items } as const };
  });
  const record = cases.find(({ isTagged }) => !isTagged);
  return record?.value ?? { kind: "object", fields: cases.map(({ name, value }) => ({ name, value })) };
}

function hasData(type: Type): boolean {
  return type.kind === "data" || typeParts(type).some(hasData);
}
