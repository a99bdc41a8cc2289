// Functions that accept arguments: for each type that no value of it contains again, one that checks a value and copies it, with arrays of numbers as
// Float64Arrays. They do what `acceptCopy` of the runtime does for every type, in much less code where a module has few types.

import type { Type } from "../core/type.js";
import { InternalError } from "../internal-error.js";
import {
  binary,
  callOf,
  constant,
  effect,
  id,
  member,
  number,
  returned,
  string,
  typeName,
} from "../typescript/build.js";
import type { Scope } from "../typescript/naming.js";
import type { TsDeclaration, TsExpr, TsParam, TsStmt } from "../typescript/tree.js";
import { follow } from "./operations.js";
import {
  formsOf,
  ValueFunctions,
  ValueTypes,
  type DataType,
  type Form,
  type ValueFunction,
  type ValueSetting,
} from "./value-types.js";

/** So many names of keys or tags are shown in a message. */
const shownNames = 6;

export class AcceptFunctions {
  readonly #setting: ValueSetting;
  readonly #graph: ValueTypes;
  readonly #functions = new ValueFunctions<ValueFunction>();

  constructor(setting: ValueSetting) {
    this.#setting = setting;
    this.#graph = new ValueTypes(setting.types);
  }

  /** Takes the names of the functions for values of a type, before other names inside functions are given. */
  reserve(type: Type): void {
    const parts = this.#graph.everythingIn(type);
    if (parts === null || parts.some((part) => this.#isRecursive(part))) return;
    for (const part of parts) {
      const key = JSON.stringify(part);
      if (this.#functions.get(key) !== undefined || this.#runtimeName(part) !== null) continue;
      const name = this.#setting.values.fresh(`accept${this.#graph.nameOf(part)}`);
      this.#functions.add(key, { name, type: part, isUsed: false });
    }
  }

  /** A checked copy of an argument, which errors call `path`; null where there is no function for the type. */
  call(type: Type, value: TsExpr, path: TsExpr): TsExpr | null {
    return this.#functions.get(JSON.stringify(type)) !== undefined
      ? callOf(this.#functionFor(type), value, path)
      : null;
  }

  /** The functions that are called. */
  declarations(): readonly TsDeclaration[] {
    return this.#functions.declarations((fn) => this.#declare(fn));
  }

  names(): readonly string[] {
    return this.#functions.names();
  }

  #isRecursive(type: Type): boolean {
    if (type.kind !== "data") return false;
    const key = JSON.stringify(type);
    return formsOf(type, this.#setting.types).some(({ fields }) =>
      fields.some((field) => (this.#graph.within(field) ?? []).some((part) => JSON.stringify(part) === key)),
    );
  }

  /** What accepts values of a type: a function of the runtime, or one of its own. */
  #functionFor(type: Type): TsExpr {
    const known = this.#runtimeName(type);
    if (known !== null) return this.#runtime(known);
    const accepting = this.#functions.get(JSON.stringify(type));
    if (accepting === undefined) throw new InternalError("adjoint", "a type has no function that accepts it", JSON.stringify(type)); // prettier-ignore
    accepting.isUsed = true;
    return id(accepting.name);
  }

  #runtimeName(type: Type): string | null {
    switch (type.kind) {
      case "real":
        return "acceptNumber";
      case "int":
        return "acceptInteger";
      case "bool":
        return "acceptBoolean";
      case "tuple":
        return type.items.length === 0 ? "acceptNull" : null;
      case "array":
        return type.element.kind === "real" ? "acceptNumbersCopy" : null;
      case "data":
      case "fn":
      case "typeVar":
        return null;
    }
  }

  #declare({ name, type }: ValueFunction): TsDeclaration {
    const scope = this.#setting.values.inner();
    const [value, path] = [scope.fresh("value"), scope.fresh("name")];
    const params: readonly TsParam[] = [
      { name: value, type: this.#setting.outside.input(type), optional: false },
      { name: path, type: typeName("string"), optional: false },
    ];
    const result = this.#setting.outside.value(type);
    const body = this.#body(type, id(value), id(path), scope);
    return { kind: "function", doc: "", exported: false, fn: { name, typeParams: [], params, result, body } };
  }

  #body(type: Type, value: TsExpr, path: TsExpr, scope: Scope): readonly TsStmt[] {
    switch (type.kind) {
      case "array":
        if (type.element.kind === "array" && type.element.element.kind === "real")
          return [returned(this.#runtime("acceptRows", value, path))];
        return [returned(this.#runtime("acceptArray", value, path, this.#functionFor(type.element)))];
      case "tuple": {
        const items = type.items.map((item, index) => this.#part(item, follow(value, [index]), path, `[${index}]`));
        const check = this.#runtime("checkTuple", value, path, number(type.items.length));
        return [effect(check), returned({ kind: "array", items })];
      }
      case "data":
        return this.#ofData(type, value, path, scope);
      default:
        throw new InternalError("adjoint", `a ${type.kind} has no function of its own`);
    }
  }

  #ofData(type: DataType, value: TsExpr, path: TsExpr, scope: Scope): readonly TsStmt[] {
    const forms = formsOf(type, this.#setting.types);
    const [only, ...others] = forms;
    if (only !== undefined && others.length === 0 && !only.isTagged) {
      const keys = shown(only.keys, ", ");
      const expected = only.keys.length === 0 ? "an object" : `an object with ${keys}`;
      return [
        effect(this.#runtime("checkRecord", value, path, string(expected))),
        ...this.#object(only, value, path, scope),
      ];
    }
    const tags = forms.map(({ name }) => name);
    const expected = `an object with tag ${shown(tags.map((tag) => JSON.stringify(tag)), " or ")}`; // prettier-ignore
    const check = effect(this.#runtime("checkTag", value, path, { kind: "array", items: tags.map(string) }, string(expected))); // prettier-ignore
    if (only !== undefined && others.length === 0) return [check, ...this.#object(only, value, path, scope)];
    return [
      check,
      {
        kind: "switch",
        subject: member(value, "tag"),
        cases: forms.map((form) => ({ test: string(form.name), body: this.#object(form, value, path, scope.inner()) })),
      },
    ];
  }

  /** Returns an object with the fields of a constructor, each accepted: first those that are looked at as a whole, as `checkValue` does. */
  #object({ name, keys, fields, isTagged }: Form, value: TsExpr, path: TsExpr, scope: Scope): readonly TsStmt[] {
    const tag = isTagged ? [{ name: "tag", value: string(name) }] : [];
    const isLeaf = (field: Type): boolean => this.#runtimeName(field) !== null;
    const firstWhole = fields.findIndex((field) => !isLeaf(field));
    const before: TsStmt[] = [];
    const parts = fields.map((field, place) => {
      const key = keys[place] ?? "";
      const accepted = this.#part(field, member(value, key), path, `.${key}`);
      if (firstWhole === -1 || place < firstWhole || !isLeaf(field)) return { name: key, value: accepted };
      const leaf = scope.fresh(key);
      before.push(constant(leaf, null, accepted));
      return { name: key, value: id(leaf) };
    });
    return [...before, returned({ kind: "object", fields: [...tag, ...parts] })];
  }

  #part(type: Type, value: TsExpr, path: TsExpr, step: string): TsExpr {
    return callOf(this.#functionFor(type), value, binary("+", path, string(step)));
  }

  #runtime(name: string, ...args: readonly TsExpr[]): TsExpr {
    const fn = this.#setting.refer(`values.${name}`);
    return args.length === 0 ? fn : callOf(fn, ...args);
  }
}

function shown(names: readonly string[], separator: string): string {
  return names.slice(0, shownNames).join(separator) + (names.length > shownNames ? ", .." : "");
}
