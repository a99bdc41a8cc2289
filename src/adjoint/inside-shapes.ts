// What the runtime's copies go by where no function of the module makes them: the shapes of values as adjoint code has them, in the table of the
// interface. What callers pass may have fields that its type does not tell of, which no copy may look at.

import type { Type } from "../core/type.js";
import { rowOf, type Shapes as TableShapes } from "../emit/interface/shape-table.js";
import type { Rep } from "../flat/program.js";
import { InternalError } from "../internal-error.js";
import { string } from "../typescript/build.js";
import type { TsExpr } from "../typescript/tree.js";
import type { Shapes } from "./object-layouts.js";

type DataType = Type & { readonly kind: "data" };

export class InsideShapes {
  readonly #shapes: Shapes;
  readonly #table: TableShapes;
  /** The names of rows for types that the interface has in another form, by type. */
  readonly #rows = new Map<string, string>();

  constructor(shapes: Shapes, table: TableShapes) {
    this.#shapes = shapes;
    this.#table = table;
  }

  /** What a function of the runtime takes for a leaf: its shape, and the table where that names data types. */
  arguments(rep: Rep): readonly TsExpr[] {
    let of = rep;
    while (of.kind === "array") of = of.element;
    return [this.#ofRep(rep), this.#table.table(of.kind === "object")];
  }

  #ofRep(rep: Rep): TsExpr {
    switch (rep.kind) {
      case "real":
        return string("number");
      case "int":
        return string("integer");
      // Functions hold their own slots: they stay as they are, as booleans do
      case "bool":
      case "closure":
        return string("boolean");
      case "array":
        if (rep.element.kind === "real") return string("numbers");
        return { kind: "object", fields: [{ name: "each", value: this.#ofRep(rep.element) }] };
      case "object":
        return this.#ofData(rep.type);
      case "store":
        throw new InternalError("adjoint", "a store has no shape");
    }
  }

  #ofData(type: Type): TsExpr {
    if (type.kind !== "data") throw new InternalError("adjoint", `an object of a ${type.kind} type`);
    if (this.#shapes.isSame(type)) return this.#table.shape(type);
    const key = JSON.stringify(type);
    const name = this.#rows.get(key) ?? `${type.name}, inside ${this.#rows.size}`;
    this.#rows.set(key, name);
    return this.#table.named(name, () => this.#row(type));
  }

  #row(type: DataType): TsExpr {
    return rowOf(
      this.#shapes.leaves.types.constructorsOf(type).map(({ name }) => {
        const { keys, fields, isTagged } = this.#shapes.record(type, name);
        const shaped = fields.map((field, place) => ({ key: keys[place] ?? "", shape: this.#ofField(field) }));
        return { name, isTagged, fields: shaped };
      }),
    );
  }

  /** A value as a field of an object holds it. */
  #ofField(type: Type): TsExpr {
    const { leaves } = this.#shapes;
    if (type.kind === "tuple") {
      if (type.items.length === 0) return string("null");
      return { kind: "array", items: type.items.map((item) => this.#ofField(item)) };
    }
    if (type.kind === "data" && leaves.isSplit(type)) return this.#ofData(type);
    const shapes = leaves.of(type).map((leaf) => this.#ofRep(leaf));
    const [only, ...others] = shapes;
    return only !== undefined && others.length === 0 ? only : { kind: "array", items: shapes };
  }
}
