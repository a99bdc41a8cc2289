// Functions that fill lists of an earlier gradient again: for each list type that is arrays inside, one that puts numbers into the cells. It gives false where
// a list is not as long, or has been filled already.

import type { Type } from "../core/type.js";
import { InternalError } from "../internal-error.js";
import { assign, callOf, constant, id, member, not, objectType, returned, typeName } from "../typescript/build.js"; // prettier-ignore
import type { Scope } from "../typescript/naming.js";
import type { TsDeclaration, TsExpr, TsField, TsParam, TsStmt } from "../typescript/tree.js";
import { cellOf, countingUp } from "./code.js";
import { ListFunctions, type ListFunctionCode } from "./list-functions.js";
import { ListLayouts } from "./list-layouts.js";
import { all } from "./quick-tests.js";
import type { DataType, ValueSetting } from "./value-types.js";

const no: TsExpr = { kind: "boolean", value: false };
const none: TsExpr = { kind: "null" };

export class ListFillers {
  readonly functions: ListFunctions<DataType>;
  readonly #setting: ValueSetting;
  readonly #lists: ListLayouts;
  /** By constructor the property of its cells that is the rest of the list. */
  readonly #rests = new Map<string, string>();

  constructor(setting: ValueSetting) {
    this.#setting = setting;
    this.#lists = new ListLayouts(setting);
    this.functions = new ListFunctions(setting, "fill", (type): type is DataType => this.#lists.has(type) && this.#isFillable(type)); // prettier-ignore
  }

  /** Puts what is in the arrays that stand for a list into a list, whose last cell goes to `filled`; whether it is that list now. */
  call(type: Type, list: TsExpr, columns: readonly TsExpr[], filled: TsExpr): TsExpr {
    return callOf(this.functions.use(type), list, ...columns, filled);
  }

  declarations(): readonly TsDeclaration[] {
    return this.functions.declarations((type, scope) => this.#code(type, scope));
  }

  /** Whether a list holds numbers alone, which are the cells' own, since other objects may be in several cells; and no cell is also one of another list, with another rest. */
  #isFillable(type: DataType): boolean {
    const { cell, next } = this.#lists.chain(type);
    const known = this.#rests.get(cell.name) ?? next;
    if (known !== next) return false;
    this.#rests.set(cell.name, next);
    const items = this.#lists.items(type, none, null);
    return items.every(({ type: of, path }) => of.kind === "data" ? this.#isFillable(of) : of.kind === "real" && path.length === 1); // prettier-ignore
  }

  #code(type: DataType, scope: Scope): ListFunctionCode {
    const list = { name: scope.fresh("list"), type: this.#setting.outside.cotangent(type), optional: false };
    const names = this.#lists.names(type);
    const columns = this.#lists.columns(type).map((rep, index): TsParam => ({ name: scope.fresh(names[index] ?? "items"), type: this.#setting.types.of(rep, "adjoint"), optional: false })); // prettier-ignore
    const filled = { name: scope.fresh("filled"), type: typeName("Set", typeName("unknown")), optional: false };
    const body = this.#body(type, list, columns, filled.name, scope);
    return { params: [list, ...columns, filled], result: typeName("boolean"), body };
  }

  #body(type: DataType, list: TsParam, columns: readonly TsParam[], filled: string, scope: Scope): readonly TsStmt[] {
    const chain = this.#lists.chain(type);
    const { cell, next, end } = chain;
    const [rest, last, at] = [scope.fresh("rest"), scope.fresh("last"), scope.fresh("at")];
    const [first] = columns;
    if (first === undefined) throw new InternalError("adjoint", "no arrays stand for a list");
    const items = columns.map(({ name }) => cellOf(id(name), id(at)));
    const isFirst = callOf(this.#setting.refer("buffers.noteFilled"), id(last), id(filled));
    const walk = countingUp(at, member(id(first.name), "length"), [
      ...this.#lists.fetchingRows(chain, id(rest), id(at)),
      stops(this.#lists.isOf(cell, id(rest))),
      ...this.#fillCell(type, id(rest), items, id(filled), scope),
      assign(id(last), id(rest)),
      assign(id(rest), member(id(rest), next)),
    ]);
    return [
      { kind: "let", name: rest, type: list.type, init: id(list.name) },
      { kind: "let", name: last, type: typeName("unknown"), init: none },
      // A frozen cell cannot be filled
      { kind: "try", body: [walk], param: scope.fresh("frozen"), handler: [returned(no)] },
      returned(all([this.#lists.isOf(end, id(rest)), isFirst])),
    ];
  }

  /** Puts the items into a cell, where it has the form. */
  #fillCell(type: DataType, cell: TsExpr, items: TsExpr[], filled: TsExpr, scope: Scope): readonly TsStmt[] {
    const open = scope.fresh("cell");
    const fields: TsField[] = [];
    const tests: TsExpr[] = [];
    const stmts = this.#lists.items(type, cell, tests).map(({ type: of, path, value }): TsStmt => {
      if (of.kind === "data") return stops(this.call(of, value, items.splice(0, this.#lists.columns(of).length), filled)); // prettier-ignore
      const [key, item] = [String(path[0]), ...items.splice(0, 1)];
      if (item === undefined) throw new InternalError("adjoint", "a list has too few arrays");
      fields.push({ name: key, type: { kind: "slot", type: typeName("number") } });
      return assign(member(id(open), key), item);
    });
    const isOfForm = tests.length === 0 ? [] : [stops(all(tests))];
    // Callers do not write to cells: that is what their type says
    return [...isOfForm, ...(fields.length === 0 ? stmts : [constant(open, objectType(fields), cell), ...stmts])];
  }
}

function stops(unless: TsExpr): TsStmt {
  return { kind: "if", test: not(unless), then: [returned(no)], else: [] };
}
