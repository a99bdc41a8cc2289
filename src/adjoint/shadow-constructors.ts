// Mirrors of values: for each type a function that makes a store of zeros for a value, one that makes a copy of a value, and one that takes what is in
// such a store as a value of its own and leaves the store at zero. All objects of one constructor are made by one literal, with
// the properties in the order that values have them in, so that sweeps see objects of one shape.

import type { Type } from "../core/type.js";
import type { Rep } from "../flat/program.js";
import { InternalError } from "../internal-error.js";
import {
  assign,
  binary,
  callOf,
  constant,
  id,
  member,
  number,
  returned,
  string,
  typeName,
} from "../typescript/build.js";
import type { TsDeclaration, TsExpr, TsParam, TsProperty, TsStmt, TsType } from "../typescript/tree.js";
import { cellOf, countingUp, unset } from "./code.js";
import { asType, follow, realArray } from "./operations.js";
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

interface Maker extends ValueFunction {
  readonly rep: Rep;
}

/** Whether functions make stores for values, take out what is in stores, or copy values. */
type Purpose = "zeros" | "take" | "copy";

const prefixes: Readonly<Record<Purpose, string>> = { zeros: "zerosOf", take: "take", copy: "copyOf" };

export class Mirrors {
  readonly #setting: ValueSetting;
  readonly #graph: ValueTypes;
  readonly #purpose: Purpose;
  /** By rep. */
  readonly #makers = new ValueFunctions<Maker>();

  constructor(purpose: Purpose, setting: ValueSetting) {
    this.#purpose = purpose;
    this.#setting = setting;
    this.#graph = new ValueTypes(setting.types);
  }

  /** Takes the names of the functions for a type, before other names inside functions are given. */
  reserve(type: Type): void {
    const parts = this.#graph.within(type) ?? [];
    if (this.#purpose === "take" && !parts.every((part) => this.#isTakeable(part))) return;
    for (const part of parts) {
      const rep = this.#repOf(part);
      if (rep === null || this.#makers.get(JSON.stringify(rep)) !== undefined) continue;
      const name = this.#setting.values.fresh(prefixes[this.#purpose] + this.#graph.nameOf(part));
      this.#makers.add(JSON.stringify(rep), { name, type: part, rep, isUsed: false });
    }
  }

  /** A store or copy of a leaf, or what is in a leaf's store; null where no function makes it. */
  call(rep: Rep, value: TsExpr): TsExpr | null {
    const maker = this.#makers.get(JSON.stringify(rep));
    return maker === undefined ? null : this.#callOf(maker, value, null);
  }

  /** The mirror of the value of a variable, as the interface has it; null where functions do not make all of it. */
  ofVariable(type: Type, name: string): TsExpr | null {
    const parts = this.#graph.within(type);
    const isMade = (part: Type): boolean => {
      const rep = this.#repOf(part);
      return this.#isWritten(part) || (rep !== null && this.#makers.get(JSON.stringify(rep)) !== undefined);
    };
    return parts?.every(isMade) === true ? this.#part(type, id(name), null) : null;
  }

  names(): readonly string[] {
    return this.#makers.names();
  }

  /** The functions that are called. */
  declarations(): readonly TsDeclaration[] {
    return this.#makers.declarations((fn) => this.#declare(fn));
  }

  /** The only leaf of a type that has a store which a function makes. */
  #repOf(type: Type): Rep | null {
    const { leaves } = this.#setting.types;
    const [rep, ...others] = leaves.of(type);
    if (rep === undefined || others.length > 0 || !this.#setting.types.shapes.isSame(type)) return null;
    if (this.#isWritten(type)) return null;
    return this.#purpose === "copy" || leaves.hasStore(rep) ? rep : null;
  }

  /** Whether the mirror of a part needs no function of its own. */
  #isWritten(type: Type): boolean {
    if (type.kind === "data") return this.#setting.types.leaves.isSplit(type);
    return isNumbers(type) || (isRows(type) && this.#purpose !== "copy");
  }

  /** Whether all that a value consists of is in its store, but for integers. */
  #isTakeable(type: Type): boolean {
    const { types } = this.#setting;
    if (!this.#isWritten(type) && this.#repOf(type) === null) return false;
    const hasBoolean = (part: Type): boolean => part.kind === "bool" || (part.kind === "tuple" && part.items.some(hasBoolean)); // prettier-ignore
    return type.kind !== "data" || !formsOf(type, types).some(({ fields }) => fields.some(hasBoolean));
  }

  #callOf(maker: Maker, value: TsExpr, caller: Caller | null): TsExpr {
    maker.isUsed = true;
    if (!this.#graph.isDeep(maker.type)) return callOf(id(maker.name), value);
    return callOf(id(maker.name), value, levelIn(caller, maker.type, this.#graph));
  }

  #declare({ name, type, rep }: Maker): TsDeclaration {
    const { types, values } = this.#setting;
    const scope = values.inner();
    const value = scope.fresh("value");
    const level = this.#graph.isDeep(type) ? scope.fresh("level") : null;
    const result = this.#purpose === "copy" ? types.of(rep, "adjoint") : types.store(rep);
    const caller: Caller = { type, level, scope };
    const params: TsParam[] = [{ name: value, type: this.#givenType(type, result), optional: false }];
    const body: TsStmt[] = [];
    if (level !== null) {
      params.push({ name: level, type: typeName("number"), optional: false });
      const rest = asType(this.#generically(rep, id(value)), result);
      body.push({ kind: "if", test: binary("===", id(level), number(levelLimit)), then: [returned(rest)], else: [] });
    }
    if (type.kind === "data") body.push(...this.#ofData(type, value, result, caller));
    else if (type.kind === "array") body.push(...this.#ofArray(type.element, value, caller));
    else throw new InternalError("adjoint", `zeros of a ${type.kind}`);
    return { kind: "function", doc: "", exported: false, fn: { name, typeParams: [], params, result, body } };
  }

  /** A call of the function of the runtime that does the same for all types. */
  #generically(rep: Rep, value: TsExpr): TsExpr {
    const { types, refer } = this.#setting;
    if (this.#purpose === "take") return callOf(refer("adjoint.takeStore"), value);
    return types.callOn(this.#purpose === "copy" ? "values.copyValue" : "adjoint.zerosLike", rep, value);
  }

  /** The type of a part of what functions make. */
  #partType(type: Type): TsType {
    const { types, outside } = this.#setting;
    return this.#purpose === "copy" ? outside.value(type) : types.storePart(type);
  }

  #givenType(type: Type, store: TsType): TsType {
    return this.#purpose === "take" ? store : this.#setting.outside.value(type);
  }

  #ofArray(element: Type, value: string, caller: Caller): readonly TsStmt[] {
    const [made, index] = [caller.scope.fresh(this.#made), caller.scope.fresh("i")];
    const length = member(id(value), "length");
    const cell = this.#part(element, cellOf(id(value), id(index)), caller);
    const target: TsExpr = { kind: "index", object: id(made), index: id(index), certain: false };
    return [
      { kind: "const", target: made, type: typeName("Array", this.#partType(element)), init: { kind: "new", fn: id("Array"), args: [length] } }, // prettier-ignore
      countingUp(index, length, [assign(target, cell)]),
      returned(id(made)),
    ];
  }

  /** What variables are called that hold what functions make. */
  get #made(): string {
    return this.#purpose === "copy" ? "copy" : "store";
  }

  #ofData(type: DataType, value: string, result: TsType, caller: Caller): readonly TsStmt[] {
    const forms = formsOf(type, this.#setting.types);
    const chain = chainOf(forms, type);
    if (chain !== null) return this.#ofChain(type, forms, chain, value, result, caller);
    return this.#byForm(forms, value, caller, (store, resets) => {
      if (resets.length === 0) return [returned(store)];
      const taken = caller.scope.fresh("taken");
      return [constant(taken, result, store), ...resets, returned(id(taken))];
    });
  }

  /** What is to be done with the store of an object, by its constructor. */
  #byForm(
    forms: readonly Form[],
    value: string,
    caller: Caller,
    use: (store: TsExpr, resets: readonly TsStmt[]) => readonly TsStmt[],
  ): readonly TsStmt[] {
    const [form, ...others] = forms;
    if (form === undefined) return [];
    const made = use(this.#ofForm(form, id(value), caller), this.#resetsOf(form, id(value)));
    if (others.length === 0) return made;
    const otherwise = this.#byForm(others, value, caller, use);
    const test = binary("===", member(id(value), "tag"), string(form.name));
    if (made.at(-1)?.kind === "return") return [{ kind: "if", test, then: made, else: [] }, ...otherwise];
    return [{ kind: "if", test, then: made, else: otherwise }];
  }

  /** Along the field that leads on to the next object of the type: the store of each is put into the store of the one before. */
  #ofChain(
    type: DataType,
    forms: readonly Form[],
    { form, place }: { readonly form: Form; readonly place: number },
    value: string,
    result: TsType,
    caller: Caller,
  ): readonly TsStmt[] {
    const { types } = this.#setting;
    const { scope } = caller;
    const [before, last, rest, store] = [scope.fresh("before"), scope.fresh("last"), scope.fresh("rest"), scope.fresh(this.#made)]; // prettier-ignore
    const key = form.keys[place] ?? "";
    const linkType = this.#purpose === "copy" ? types.linkOf(type, form.name) : types.storeOf(type, form.name);
    const link = (object: string): TsExpr => member(id(object), key);
    const empty = form.fields.map((field, index) => (index === place ? unset : unsetOf(field)));
    const fields = form.fields.map((field, index) =>
      index === place ? unset : this.#part(field, member(id(rest), form.keys[index] ?? ""), caller),
    );
    const ends = forms.filter((other) => other !== form);
    return [
      { kind: "comment", text: `The ${this.#made} of the value is what comes after this one` },
      constant(before, linkType, literalOf(form, empty)),
      { kind: "let", name: last, type: linkType, init: id(before) },
      { kind: "let", name: rest, type: this.#givenType(type, result), init: id(value) },
      {
        kind: "while",
        test: binary("===", member(id(rest), "tag"), string(form.name)),
        body: [
          constant(store, linkType, literalOf(form, fields)),
          ...this.#resetsOf(form, id(rest), place),
          assign(link(last), id(store)),
          assign(id(last), id(store)),
          assign(id(rest), link(rest)),
        ],
      },
      ...this.#byForm(ends, rest, caller, (end, resets) => [assign(link(last), end), ...resets]),
      returned(link(before)),
    ];
  }

  #ofForm(form: Form, value: TsExpr, caller: Caller | null): TsExpr {
    return literalOf(
      form,
      form.fields.map((field, index) => this.#part(field, member(value, form.keys[index] ?? ""), caller)),
    );
  }

  /** Statements that set the numbers of an object to zero once they have been taken; not those of the field at `except`. */
  #resetsOf(form: Form, value: TsExpr, except = -1): readonly TsStmt[] {
    if (this.#purpose !== "take") return [];
    const { types } = this.#setting;
    const resets = (type: Type, part: TsExpr): readonly TsStmt[] => {
      if (type.kind === "real") return [assign(part, number(0))];
      if (type.kind === "tuple") return type.items.flatMap((item, index) => resets(item, follow(part, [index])));
      const [only] = type.kind === "data" && types.leaves.isSplit(type) ? formsOf(type, types) : [];
      return only === undefined ? [] : this.#resetsOf(only, part);
    };
    return form.fields.flatMap((field, index) =>
      index === except ? [] : resets(field, member(value, form.keys[index] ?? "")),
    );
  }

  #part(type: Type, value: TsExpr, caller: Caller | null): TsExpr {
    const { refer, types } = this.#setting;
    switch (type.kind) {
      case "real":
        return this.#purpose === "zeros" ? number(0) : value;
      case "int":
        return this.#purpose === "copy" ? value : number(0);
      case "bool":
        return value;
      case "tuple":
        if (type.items.length === 0) return { kind: "null" };
        return { kind: "array", items: type.items.map((item, index) => this.#part(item, follow(value, [index]), caller)) }; // prettier-ignore
      case "data":
      case "array": {
        const [form] = type.kind === "data" && types.leaves.isSplit(type) ? formsOf(type, types) : [];
        if (form !== undefined) return this.#ofForm(form, value, caller);
        if (this.#purpose === "take" && isNumbers(type)) return callOf(refer("adjoint.takeNumbers"), value);
        if (isNumbers(type)) return this.#purpose === "copy" ? callOf(member(value, "slice")) : realArray(member(value, "length")); // prettier-ignore
        if (isRows(type) && this.#purpose === "zeros") return callOf(refer("adjoint.zeroRows"), value);
        const [rep] = types.leaves.of(type);
        if (rep === undefined) throw new InternalError("adjoint", "an object has no leaf", JSON.stringify(type));
        const maker = this.#makers.get(JSON.stringify(rep));
        return maker === undefined ? asType(this.#generically(rep, value), this.#partType(type)) : this.#callOf(maker, value, caller); // prettier-ignore
      }
      case "fn":
      case "typeVar":
        throw new InternalError("adjoint", `a ${type.kind} in the interface`);
    }
  }
}

/** A field of an object that is never read: it is a number where others have one, which keeps their fields quick. */
function unsetOf(type: Type): TsExpr {
  if (type.kind === "bool") return { kind: "boolean", value: false };
  return type.kind === "real" || type.kind === "int" ? number(0) : unset;
}

function literalOf({ name, keys, isTagged }: Form, values: readonly TsExpr[]): TsExpr {
  const fields = values.map((value, index): TsProperty => ({ name: keys[index] ?? "", value }));
  return { kind: "object", fields: isTagged ? [{ name: "tag", value: string(name) }, ...fields] : fields };
}

function isNumbers(type: Type): boolean {
  return type.kind === "array" && type.element.kind === "real";
}

function isRows(type: Type): boolean {
  return type.kind === "array" && isNumbers(type.element);
}
