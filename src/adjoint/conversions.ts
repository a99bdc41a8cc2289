// Calls of the runtime's conversions for objects that callers have in another form than adjoint code, and the table of what they consist of.

import type { Type } from "../core/type.js";
import type { Refer } from "../emit/lower/lower-operators.js";
import type { Rep } from "../flat/program.js";
import { InternalError } from "../internal-error.js";
import { callOf, id, number, string } from "../typescript/build.js";
import type { TsDeclaration, TsExpr } from "../typescript/tree.js";
import type { Shapes } from "./object-layouts.js";

export class Conversions {
  readonly #shapes: Shapes;
  readonly #table: string;
  readonly #refer: Refer;
  /** By key, in the order of the table. */
  readonly #rows = new Map<string, Type & { readonly kind: "data" }>();

  constructor(shapes: Shapes, table: string, refer: Refer) {
    this.#shapes = shapes;
    this.#table = table;
    this.#refer = refer;
  }

  /** An object of a type, as callers have it, for adjoint code (`inward`), or the other way. */
  call(direction: "inward" | "outward", type: Type & { readonly kind: "data" }, value: TsExpr): TsExpr {
    return callOf(this.#refer(`inside.${direction}`), value, number(this.#row(type)), id(this.#table));
  }

  /** A cotangent of an argument, with the lengths that its value has: those of arrays whose elements hold nothing, which no store keeps. */
  withLengths(rep: Rep, cotangent: TsExpr, value: TsExpr): TsExpr {
    let [of, depth] = [rep, 0];
    for (; of.kind === "array"; depth += 1) of = of.element;
    if (of.kind !== "object" || of.type.kind !== "data" || !this.#holdsLengths(of.type, new Set())) return cotangent;
    const row = this.#row(of.type);
    return callOf(this.#refer("inside.withLengths"), cotangent, value, number(depth), number(row), id(this.#table));
  }

  /** Whether values of a type hold arrays whose elements hold nothing; `above`: types that are being looked at. */
  #holdsLengths(type: Type, above: Set<string>): boolean {
    const { leaves } = this.#shapes;
    if (type.kind === "tuple") return type.items.some((item) => this.#holdsLengths(item, above));
    if (type.kind === "array") return leaves.of(type.element).length === 0 || this.#holdsLengths(type.element, above);
    const key = JSON.stringify(type);
    if (type.kind !== "data" || above.has(key)) return false;
    above.add(key);
    const constructors = leaves.types.constructorsOf(type);
    return constructors.some(({ fields }) => fields.some((field) => this.#holdsLengths(field, above)));
  }

  /** The table; none where nothing is converted. */
  declarations(): readonly TsDeclaration[] {
    if (this.#rows.size === 0) return [];
    const items: TsExpr[] = [];
    // Fields add rows
    for (const type of this.#rows.values()) items.push(this.#constructors(type));
    const type = { kind: "name", name: this.#refer("inside.InsideTable").name, args: [] } as const;
    const doc = "The data types whose arrays of tuples or records are held as arrays of numbers.";
    const init: TsExpr = { kind: "array", items };
    return [{ kind: "statement", doc, stmt: { kind: "const", target: this.#table, type, init } }];
  }

  #row(type: Type & { readonly kind: "data" }): number {
    const key = JSON.stringify(type);
    if (!this.#rows.has(key)) this.#rows.set(key, type);
    return [...this.#rows.keys()].indexOf(key);
  }

  #constructors(type: Type & { readonly kind: "data" }): TsExpr {
    const fields = this.#shapes.leaves.types.constructorsOf(type).map(({ name }) => ({
      name: this.#shapes.isTagged(type, name) ? name : "",
      value: this.#fields(type, name),
    }));
    return { kind: "object", fields };
  }

  #fields(type: Type, con: string): TsExpr {
    const { keys, fields } = this.#shapes.record(type, con);
    const items = fields.map((field, index): TsExpr => ({ kind: "array", items: [string(keys[index] ?? ""), this.#shape(field)] })); // prettier-ignore
    return { kind: "array", items };
  }

  #shape(type: Type): TsExpr {
    switch (type.kind) {
      case "real":
        return string("number");
      case "int":
      case "bool":
        return string("same");
      case "tuple":
        return this.#object("items", { kind: "array", items: type.items.map((item) => this.#shape(item)) });
      case "array":
        return this.#shapes.isSame(type) ? string("same") : this.#object("each", this.#shape(type.element));
      case "data": {
        if (this.#shapes.leaves.isSplit(type)) {
          const con = this.#shapes.onlyConstructor(type);
          const tag = string(this.#shapes.isTagged(type, con) ? con : "");
          return { kind: "object", fields: [{ name: "tag", value: tag }, { name: "fields", value: this.#fields(type, con) }] }; // prettier-ignore
        }
        return this.#shapes.isSame(type) ? string("same") : number(this.#row(type));
      }
      case "fn":
      case "typeVar":
        throw new InternalError("adjoint", `a ${type.kind} in the interface`);
    }
  }

  #object(name: string, value: TsExpr): TsExpr {
    return { kind: "object", fields: [{ name, value }] };
  }
}
