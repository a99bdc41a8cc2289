// Quick tests of arguments: for each type a function that is true only of values that `checkValue` accepts and that need no conversion. What
// fails a test is looked at again, slowly and without recursion: for the message, or because it is too deep to be tested quickly.

import type { Type } from "../core/type.js";
import { tellsApart } from "../emit/interface/quick-test.js";
import type { Refer } from "../emit/lower/lower-operators.js";
import { binary, callOf, constant, id, member, not, number, returned, string, typeName } from "../typescript/build.js";
import { InternalError } from "../internal-error.js";
import type { TsDeclaration, TsExpr, TsParam, TsStmt, TsType } from "../typescript/tree.js";
import { chainWalk } from "./chain-walk.js";
import { cellOf, countingUp } from "./code.js";
import { follow } from "./operations.js";
import {
  chainOf,
  formsOf,
  levelIn,
  levelLimit,
  ValueFunctions,
  ValueTypes,
  type ValueFunction,
  type Caller,
  type DataType,
  type Form,
  type ValueSetting,
} from "./value-types.js";

const boolean = typeName("boolean");
const yes: TsExpr = { kind: "boolean", value: true };
const no: TsExpr = { kind: "boolean", value: false };

export class QuickTests {
  readonly #setting: ValueSetting;
  readonly #graph: ValueTypes;
  readonly #tests = new ValueFunctions<ValueFunction>();

  constructor(setting: ValueSetting) {
    this.#setting = setting;
    this.#graph = new ValueTypes(setting.types);
  }

  /** Takes the names of the tests for values of a type, before other names inside functions are given. */
  reserve(type: Type): void {
    const parts = this.#graph.within(type);
    if (parts === null || parts.length === 0) return;
    for (const part of [...parts, type]) {
      const key = JSON.stringify(part);
      if (this.#tests.get(key) !== undefined || isNumbers(part)) continue;
      const name = this.#setting.values.fresh(`is${this.#graph.nameOf(part)}`);
      this.#tests.add(key, { name, type: part, isUsed: false });
    }
  }

  /** Whether a value, of which the type is known to callers in TypeScript, is what its type says; null where there is no test. */
  call(type: Type, value: TsExpr): TsExpr | null {
    return this.#tests.get(JSON.stringify(type)) !== undefined ? this.#callOf(type, value, null) : null;
  }

  names(): readonly string[] {
    return this.#tests.names();
  }

  /** The tests that are called. */
  declarations(): readonly TsDeclaration[] {
    return this.#tests.declarations((fn) => this.#declare(fn));
  }

  #callOf(type: Type, value: TsExpr, caller: Caller | null): TsExpr {
    const test = this.#tests.get(JSON.stringify(type));
    if (test === undefined) throw new InternalError("adjoint", "a type has no test", JSON.stringify(type));
    test.isUsed = true;
    if (!this.#graph.isDeep(type)) return callOf(id(test.name), value);
    return callOf(id(test.name), value, levelIn(caller, type, this.#graph));
  }

  #declare({ name, type }: ValueFunction): TsDeclaration {
    const scope = this.#setting.values.inner();
    const value = scope.fresh("value");
    const level = this.#graph.isDeep(type) ? scope.fresh("level") : null;
    const given = this.#setting.outside.input(type);
    const caller: Caller = { type, level, scope };
    const params: TsParam[] = [{ name: value, type: given, optional: false }];
    if (level !== null) params.push({ name: level, type: typeName("number"), optional: false });
    const stop: readonly TsStmt[] = level === null ? [] : [stops(binary("===", id(level), number(levelLimit)))];
    const body = [...stop, ...this.#body(type, value, given, caller)];
    return { kind: "function", doc: "", exported: false, fn: { name, typeParams: [], params, result: boolean, body } };
  }

  #body(type: Type, value: string, given: TsType, caller: Caller): readonly TsStmt[] {
    if (type.kind === "data") return this.#ofData(type, value, given, caller);
    if (type.kind === "array") return this.#ofArray(type.element, value, caller);
    return [returned(all(this.#conjuncts(type, id(value), caller)))];
  }

  #ofArray(element: Type, value: string, caller: Caller): readonly TsStmt[] {
    const index = caller.scope.fresh("i");
    const cell = cellOf(id(value), id(index));
    const item = element.kind === "tuple" ? caller.scope.fresh("item") : null;
    const tests = this.#conjuncts(element, item === null ? cell : id(item), caller);
    const bound = item === null ? [] : [constant(item, null, cell)];
    return [
      stops(not(this.#runtime("isArray", id(value)))),
      countingUp(index, member(id(value), "length"), [...bound, stops(negated(tests))]),
      returned(yes),
    ];
  }

  #ofData(type: DataType, value: string, given: TsType, caller: Caller): readonly TsStmt[] {
    const forms = formsOf(type, this.#setting.types);
    const chain = chainOf(forms, type);
    if (chain !== null) return this.#ofChain(forms, chain, value, given, caller);
    const [only] = forms;
    if (forms.length === 1 && only !== undefined) {
      const isSome = this.#runtime(only.isTagged || tellsApart(only.keys) ? "isPresent" : "isRecord", id(value));
      return [returned(all([isSome, ...this.#ofForm(only, id(value), caller)]))];
    }
    const last = forms.at(-1);
    return [
      stops(not(this.#runtime("isPresent", id(value)))),
      ...forms.slice(0, -1).map((form): TsStmt => {
        const [tag = yes, ...fields] = this.#ofForm(form, id(value), caller);
        return { kind: "if", test: tag, then: [returned(all(fields))], else: [] };
      }),
      returned(last === undefined ? no : all(this.#ofForm(last, id(value), caller))),
    ];
  }

  /** Along the field that leads on to the next object of the type. */
  #ofChain(
    forms: readonly Form[],
    { form, place }: { readonly form: Form; readonly place: number },
    value: string,
    given: TsType,
    caller: Caller,
  ): readonly TsStmt[] {
    const walk = chainWalk(
      value,
      form.keys[place] ?? "",
      given,
      {
        test: (rest) => all([this.#runtime("isPresent", rest), ...this.#ofForm(form, rest, caller, place)]),
        at: () => [],
      },
      returned(no),
      caller.scope,
    );
    const ends = forms
      .filter((other) => other !== form)
      .map((other) => all(this.#ofForm(other, walk.rest, caller)))
      .reduce((before, other) => binary("||", before, other));
    return [...walk.stmts, returned(all([this.#runtime("isPresent", walk.rest), ends]))];
  }

  /** That an object is of the constructor, then its fields; but for the one at `except`. */
  #ofForm(form: Form, value: TsExpr, caller: Caller, except = -1): readonly TsExpr[] {
    const tag = form.isTagged ? [binary("===", member(value, "tag"), string(form.name))] : [];
    const fields = form.fields.flatMap((field, place) =>
      place === except ? [] : this.#conjuncts(field, member(value, form.keys[place] ?? ""), caller),
    );
    return [...tag, ...fields];
  }

  #conjuncts(type: Type, value: TsExpr, caller: Caller): readonly TsExpr[] {
    switch (type.kind) {
      case "real":
      case "int":
      case "bool":
        return [isScalar(type, value, this.#setting.refer)];
      case "tuple": {
        if (type.items.length === 0) return [binary("===", value, { kind: "null" })];
        const items = type.items.flatMap((item, index) => this.#conjuncts(item, follow(value, [index]), caller));
        return [this.#runtime("isTuple", value, number(type.items.length)), ...items];
      }
      case "array":
        if (isNumbers(type)) return [this.#runtime("isFloat64Array", value)];
        return [this.#callOf(type, value, caller)];
      case "data":
        return [this.#callOf(type, value, caller)];
      case "fn":
      case "typeVar":
        throw new InternalError("adjoint", `a ${type.kind} in the interface`);
    }
  }

  #runtime(name: string, ...args: readonly TsExpr[]): TsExpr {
    return callOf(this.#setting.refer(`values.${name}`), ...args);
  }
}

/** Whether a value, of which nothing is known, is a number or truth value of a type. */
export function isScalar(
  { kind }: Type & { readonly kind: "real" | "int" | "bool" },
  value: TsExpr,
  refer: Refer,
): TsExpr {
  if (kind === "int") return callOf(member(id("Number"), "isSafeInteger"), value);
  return callOf(refer(kind === "real" ? "values.isNumber" : "values.isBoolean"), value);
}

function isNumbers(type: Type): boolean {
  return type.kind === "array" && type.element.kind === "real";
}

function stops(test: TsExpr): TsStmt {
  return { kind: "if", test, then: [returned(no)], else: [] };
}

/** Whether all tests hold. */
export function all(tests: readonly TsExpr[]): TsExpr {
  const [first, ...rest] = tests;
  return first === undefined ? yes : rest.reduce((before, test) => binary("&&", before, test), first);
}

function negated(tests: readonly TsExpr[]): TsExpr {
  const [first = yes, ...rest] = tests.map(not);
  return rest.reduce((before, test) => binary("||", before, test), first);
}
