// The functions of a module for its list types, or for arrays of lists too, one for each.

import type { Type } from "../core/type.js";
import { InternalError } from "../internal-error.js";
import { id } from "../typescript/build.js";
import type { Scope } from "../typescript/naming.js";
import type { TsDeclaration, TsExpr, TsParam, TsStmt, TsType } from "../typescript/tree.js";
import { ValueFunctions, ValueTypes, type ValueFunction, type ValueSetting } from "./value-types.js";

interface ListFunction<T extends Type> extends ValueFunction {
  readonly type: T;
}

/** What a function for values of a type is, but for its name. */
export interface ListFunctionCode {
  readonly params: readonly TsParam[];
  readonly result: TsType;
  readonly body: readonly TsStmt[];
}

export class ListFunctions<T extends Type> {
  readonly #setting: ValueSetting;
  readonly #graph: ValueTypes;
  readonly #prefix: string;
  readonly #isWanted: (type: Type) => type is T;
  readonly #functions = new ValueFunctions<ListFunction<T>>();

  /** `prefix`: what names begin with; `isWanted`: for which types there are functions. */
  constructor(setting: ValueSetting, prefix: string, isWanted: (type: Type) => type is T) {
    this.#setting = setting;
    this.#graph = new ValueTypes(setting.types);
    this.#prefix = prefix;
    this.#isWanted = isWanted;
  }

  /** Takes the names of the functions for a type and what is in it, before other names inside functions are given. */
  reserve(type: Type): void {
    for (const part of this.#graph.within(type) ?? []) {
      const key = JSON.stringify(part);
      if (this.#functions.get(key) !== undefined || !this.#isWanted(part)) continue;
      const name = this.#setting.values.fresh(this.#prefix + this.#graph.nameOf(part));
      this.#functions.add(key, { name, type: part, isUsed: false });
    }
  }

  has(type: Type): boolean {
    return this.#functions.get(JSON.stringify(type)) !== undefined;
  }

  /** The function for a type, to be called. */
  use(type: Type): TsExpr {
    const found = this.#functions.get(JSON.stringify(type));
    if (found === undefined) throw new InternalError("adjoint", "a list has no function", JSON.stringify(type));
    found.isUsed = true;
    return id(found.name);
  }

  names(): readonly string[] {
    return this.#functions.names();
  }

  /** The functions that are called; `code` is given the names inside each. */
  declarations(code: (type: T, scope: Scope) => ListFunctionCode): readonly TsDeclaration[] {
    return this.#functions.declarations(({ name, type }) => {
      const fn = { name, typeParams: [], ...code(type, this.#setting.values.inner()) };
      return { kind: "function", doc: "", exported: false, fn };
    });
  }
}
