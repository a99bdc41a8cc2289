// Lists that arrays can stand for, as callers have them: chains of cells that hold nothing but numbers, truth values and such lists, in tuples and records.

import type { Type } from "../core/type.js";
import { tellsApart } from "../emit/interface/quick-test.js";
import { ListTypes } from "../flat/list-types.js";
import { leafName } from "../flat/naming.js";
import type { Rep } from "../flat/program.js";
import { InternalError } from "../internal-error.js";
import { binary, callOf, member, number, string } from "../typescript/build.js";
import type { TsExpr, TsStmt } from "../typescript/tree.js";
import { follow } from "./operations.js";
import { all, isScalar } from "./quick-tests.js";
import { chainOf, formsOf, type DataType, type Form, type ValueSetting } from "./value-types.js";

/** The constructors of a list, and the property of a cell that is the rest of the list. */
export interface Chain {
  readonly cell: Form;
  readonly next: string;
  readonly end: Form;
}

export type ArrayType = Type & { readonly kind: "array" };

/** A list, or an array of such. */
export type ListOrArrays = DataType | ArrayType;

/** What a cell holds: a number or truth value, or a list. */
export interface Item {
  readonly type: Type & { readonly kind: "real" | "int" | "bool" | "data" };
  /** The properties that lead to it. */
  readonly path: readonly (string | number)[];
  readonly value: TsExpr;
}

export class ListLayouts {
  readonly #setting: ValueSetting;
  readonly #lists: ListTypes;

  constructor(setting: ValueSetting) {
    this.#setting = setting;
    this.#lists = new ListTypes(setting.types.leaves);
  }

  /** Whether a type is that of such lists. */
  has(type: Type): type is DataType {
    const leaves = type.kind === "data" ? this.#lists.of(repOf(type))?.leaves : undefined;
    const isItem = ({ kind }: Rep, of: Type | null): boolean =>
      kind === "real" || kind === "int" || kind === "bool" || (of !== null && this.has(of));
    return leaves?.every(({ rep }) => isItem(rep, rep.kind === "object" ? rep.type : null)) ?? false;
  }

  /** Whether a type is that of such lists, or of arrays of them. */
  hasOrHolds(type: Type): type is ListOrArrays {
    return type.kind === "array" ? this.hasOrHolds(type.element) : this.has(type);
  }

  /** What the arrays are of that stand for a list, or for an array of lists. */
  columns(type: Type): readonly Rep[] {
    return this.#lists.columns(repOf(type));
  }

  /** What to call them. */
  names(type: Type): readonly string[] {
    return this.#lists.suffixes(repOf(type)).map((suffix) => leafName({ stem: "items", suffix }));
  }

  chain(type: DataType): Chain {
    const forms = formsOf(type, this.#setting.types);
    const chain = chainOf(forms, type);
    const end = forms.find((form) => form !== chain?.form);
    const next = chain?.form.keys[chain.place];
    if (chain === null || end === undefined || next === undefined)
      throw new InternalError("adjoint", "a list has no chain of cells", JSON.stringify(type));
    return { cell: chain.form, next, end };
  }

  /** Whether a value, of which nothing is known, is an object of a constructor. */
  isOf(form: Form, value: TsExpr): TsExpr {
    return all([this.#runtime("isPresent", value), binary("===", member(value, "tag"), string(form.name))]);
  }

  /** What a cell holds but for the rest of the list, in order; `tests` receives what must hold of it. */
  items(type: DataType, cell: TsExpr, tests: TsExpr[] | null): readonly Item[] {
    const chain = this.chain(type);
    return chain.cell.fields.flatMap((field, index) => {
      const key = chain.cell.keys[index] ?? "";
      return key === chain.next ? [] : this.#items(field, [key], member(cell, key), tests);
    });
  }

  /** Before a cell is looked at, the `steps`-th one: what brings rows near where it is one of a list of lists, as the prelude's are laid out. */
  fetchingRows({ cell, next }: Chain, rest: TsExpr, steps: TsExpr): readonly TsStmt[] {
    const [row] = cell.fields;
    const isOfRows = row?.kind === "data" && this.has(row) && cell.keys[0] === "_0" && next === "_1" && this.chain(row).next === "_1"; // prettier-ignore
    return isOfRows ? [{ kind: "expr", expr: callOf(this.#setting.refer("rows.fetchRows"), rest, steps) }] : [];
  }

  #items(type: Type, path: Item["path"], value: TsExpr, tests: TsExpr[] | null): readonly Item[] {
    const { types } = this.#setting;
    const part = (of: Type, step: string | number): readonly Item[] =>
      this.#items(of, [...path, step], follow(value, [step]), tests);
    switch (type.kind) {
      case "real":
      case "int":
      case "bool":
        tests?.push(isScalar(type, value, this.#setting.refer));
        return [{ type, path, value }];
      case "tuple":
        tests?.push(type.items.length === 0 ? binary("===", value, { kind: "null" }) : this.#runtime("isTuple", value, number(type.items.length))); // prettier-ignore
        return type.items.flatMap(part);
      case "data": {
        if (!types.leaves.isSplit(type)) return [{ type, path, value }];
        const con = types.shapes.onlyConstructor(type);
        const { keys, fields, isTagged } = types.shapes.record(type, con);
        tests?.push(this.#runtime(isTagged || tellsApart(keys) ? "isPresent" : "isRecord", value));
        if (isTagged) tests?.push(binary("===", member(value, "tag"), string(con)));
        return fields.flatMap((field, index) => part(field, keys[index] ?? ""));
      }
      default:
        throw new InternalError("adjoint", `a list that arrays stand for holds a ${type.kind}`);
    }
  }

  #runtime(name: string, ...args: readonly TsExpr[]): TsExpr {
    return callOf(this.#setting.refer(`values.${name}`), ...args);
  }
}

/** The only one of some items; null where there are others. */
export function soleOf<T>(items: readonly T[]): T | null {
  const [only] = items;
  return items.length === 1 && only !== undefined ? only : null;
}

function repOf(type: Type): Rep {
  return type.kind === "array" ? { kind: "array", element: repOf(type.element) } : { kind: "object", type };
}
