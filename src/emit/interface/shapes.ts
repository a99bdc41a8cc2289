// The table of data types that the run-time checks of an emitted module read (`ShapeTable` of src/runtime/values.ts).

import { DataTypes, typeParts } from "../../core/type-parts.js";
import type { DataDecl, Type } from "../../core/type.js";
import { InternalError } from "../../internal-error.js";
import { layoutsOf } from "../layouts.js";
import type { PublicTypes } from "./public-types.js";
import type { TsDeclaration, TsExpr } from "../../typescript/tree.js";

export class Shapes {
  readonly #name: string;
  readonly #data: DataTypes;
  readonly #types: PublicTypes;
  /** By their names: `List<number>`. */
  readonly #entries = new Map<string, Type & { readonly kind: "data" }>();

  /** `name` is that of the table in the module. */
  constructor(name: string, decls: readonly DataDecl[], types: PublicTypes) {
    this.#name = name;
    this.#data = new DataTypes(decls);
    this.#types = types;
  }

  /** What the run-time functions take for a first-order type: its shape, and the table where the shape names data types. */
  arguments(type: Type): readonly TsExpr[] {
    const table: TsExpr = hasData(type) ? { kind: "id", name: this.#name } : { kind: "object", fields: [] };
    return [this.#shape(type), table];
  }

  #shape(type: Type): TsExpr {
    if (type.kind === "tuple" && type.items.length > 0) {
      return { kind: "array", items: type.items.map((item) => this.#shape(item)) };
    }
    if (type.kind === "array" && type.element.kind !== "real") {
      return { kind: "object", fields: [{ name: "each", value: this.#shape(type.element) }] };
    }
    if (type.kind === "data") this.#entries.set(this.#key(type), type);
    return { kind: "string", value: this.#key(type) };
  }

  /** The declaration of the table, whose type has the given name; none where no type with a data type in it was asked for. */
  declaration(typeName: string): readonly TsDeclaration[] {
    // Shapes of fields add entries while the table is written.
    const fields = [...this.#rows()];
    if (fields.length === 0) return [];
    const type = { kind: "name", name: typeName, args: [] } as const;
    const init: TsExpr = { kind: "object", fields };
    return [
      {
        kind: "statement",
        doc: "The data types that arguments and results consist of, for the checks at run time.",
        stmt: { kind: "const", target: this.#name, type, init },
      },
    ];
  }

  *#rows(): Generator<{ name: string; value: TsExpr }> {
    for (const [name, type] of this.#entries) {
      const layouts = layoutsOf(this.#data.decl(type.name));
      const cases = this.#data.constructorsOf(type).map((constructor, index) => ({
        name: constructor.name,
        isTagged: layouts[index]?.isTagged ?? true,
        value: {
          kind: "array",
          items: constructor.fields.flatMap((field, place): TsExpr[] => [
            { kind: "string", value: layouts[index]?.keys[place] ?? "" },
            this.#shape(field),
          ]),
        } as const,
      }));
      const record = cases.find(({ isTagged }) => !isTagged);
      const fields = cases.map(({ name: tag, value }) => ({ name: tag, value }));
      yield { name, value: record?.value ?? { kind: "object", fields } };
    }
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

function hasData(type: Type): boolean {
  return type.kind === "data" || typeParts(type).some(hasData);
}
