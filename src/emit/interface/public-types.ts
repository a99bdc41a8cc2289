// The types of the emitted interface: how types of the source calculus and their cotangents are written in TypeScript.

import type { DataDecl, Type } from "../../core/type.js";
import { sumDecl } from "../../core/type.js";
import { InternalError } from "../../internal-error.js";
import { DataTypes, typeParts } from "../../core/type-parts.js";
import type { TsDeclaration, TsField, TsType } from "../../typescript/tree.js";
import { arrayParamsOf, type ArrayParams } from "./array-params.js";
import { layoutsOf } from "../layouts.js";
import { capitalised, identifier, Scope } from "../../typescript/naming.js";
import { typePartsOf } from "../../typescript/traverse.js";

export const tsNumber: TsType = { kind: "name", name: "number", args: [] };
export const tsBoolean: TsType = { kind: "name", name: "boolean", args: [] };
const tsNull: TsType = { kind: "literal", value: null };
const tsNumbers: TsType = { kind: "name", name: "Float64Array", args: [] };
const tsNumbersInput: TsType = { kind: "name", name: "ArrayLike", args: [tsNumber] };
const tsZero: TsType = { kind: "literal", value: 0 };

/** What a type is written for: what is returned or accepted, as a value or as a cotangent. */
type Form = "value" | "input" | "cotangent" | "cotangentInput";

/** The names of a declaration's type variables, and of those that stand for arrays of them. */
interface TypeVariables {
  readonly names: ReadonlyMap<string, string>;
  readonly arrays: ReadonlyMap<string, string>;
}

const noVariables: TypeVariables = { names: new Map(), arrays: new Map() };

/** A name for a type that the author wrote: `type Vec3 = (R, R, R)`. */
export interface Alias {
  readonly name: string;
  readonly params: readonly string[];
  readonly type: Type;
  readonly doc: string;
}

/** An alias as a data type with one field. */
function asData({ name, params, type, doc }: Alias): DataDecl {
  return { name, params, constructors: [{ name, fields: [type], fieldNames: null }], doc };
}

/** The names of an emitted module's types. */
export class PublicTypes {
  readonly #decls: readonly DataDecl[];
  readonly #data: DataTypes;
  readonly #names = new Map<string, string>();
  readonly #aliases: ReadonlyMap<string, Alias>;
  /** Data types whose cotangents are of another type: an integer, whose cotangent is 0, stands in their declaration. */
  readonly #distinct: ReadonlySet<string>;
  /** Data types of which arguments may have another type: an array of numbers stands in their declaration. */
  readonly #wide: ReadonlySet<string>;
  readonly #arrayParams: ArrayParams;

  constructor(decls: readonly DataDecl[], aliases: readonly Alias[]) {
    this.#decls = decls;
    this.#data = new DataTypes(decls);
    this.#aliases = new Map(aliases.map((alias) => [alias.name, alias]));
    this.#distinct = declsWith(
      decls,
      (type, found) => type.kind === "int" || (type.kind === "data" && found.has(type.name)),
    );
    this.#arrayParams = arrayParamsOf([...decls, ...aliases.map(asData)]);
    this.#wide = declsWith(
      decls,
      (type, found) => this.#holdsNumbers(type) || (type.kind === "data" && found.has(type.name)),
    );
    const scope = Scope.types();
    for (const { name } of [...decls, ...aliases]) if (name !== sumDecl.name) this.#names.set(name, scope.fresh(name));
    for (const { name } of this.#derivedNames()) scope.reserve(name);
    this.#names.set(sumDecl.name, scope.fresh("Sum"));
  }

  /** The names that types of the module have, as far as they stem from the program. */
  taken(): readonly string[] {
    return [...this.#names.values(), ...this.#derivedNames().map(({ name }) => name)];
  }

  /** What the types that the module may export stem from. */
  claims(): readonly {
    readonly what: "data" | "alias" | "cotangent" | "input";
    readonly source: string;
    readonly name: string;
  }[] {
    const data = this.#decls.filter((decl) => decl.name !== sumDecl.name);
    return [
      ...data.map(({ name }) => ({ what: "data", source: name, name: identifier(name) }) as const),
      ...[...this.#aliases.keys()].map((source) => ({ what: "alias", source, name: identifier(source) }) as const),
      ...this.#derivedNames().map(
        ({ what, source, suffix }) => ({ what, source, name: identifier(source) + suffix }) as const,
      ),
    ];
  }

  /** The types beside those of the source: of cotangents and of arguments. */
  #derivedNames(): readonly {
    readonly what: "cotangent" | "input";
    readonly source: string;
    readonly suffix: string;
    readonly name: string;
  }[] {
    const wideAliases = [...this.#aliases.values()].filter(({ type }) => this.isWide(type)).map(({ name }) => name);
    const derived = (what: "cotangent" | "input", suffix: string) => (source: string) => ({
      what,
      source,
      suffix,
      name: `${this.nameOf(source)}${suffix}`,
    });
    const both = [...this.#distinct].filter((name) => this.#wide.has(name));
    return [
      ...[...this.#distinct].map(derived("cotangent", "Cotangent")),
      ...[...this.#wide, ...wideAliases].map(derived("input", "Input")),
      ...both.map(derived("input", "CotangentInput")),
    ];
  }

  /** Whether more is accepted as a value of the type than is returned: arrays of numbers stand in it. */
  isWide(type: Type): boolean {
    return (type.kind === "data" && this.#wide.has(type.name)) || this.#holdsNumbers(type) || typeParts(type).some((part) => this.isWide(part)); // prettier-ignore
  }

  #holdsNumbers(type: Type): boolean {
    if (type.kind === "array") return type.element.kind === "real";
    return (
      type.kind === "data" &&
      (this.#arrayParams.get(type.name) ?? []).some((place) => type.args[place]?.kind === "real")
    );
  }

  /** The name of a data type or alias in TypeScript. */
  nameOf(name: string): string {
    const found = this.#names.get(name);
    if (found === undefined) throw new InternalError("interface", `there is no type ${name}`);
    return found;
  }

  /** The name of a data type's values, cotangents or arguments. */
  #formName(name: string, form: Form): string {
    const isCotangent = form.startsWith("cotangent") && this.#distinct.has(name);
    const isInput = isInputForm(form) && this.#wide.has(name);
    return `${this.nameOf(name)}${isCotangent ? "Cotangent" : ""}${isInput ? "Input" : ""}`;
  }

  /** The type of the values of a type. */
  value(type: Type): TsType {
    return this.#write(type, "value", noVariables);
  }

  /** The type of what is accepted as a value of a type. */
  input(type: Type): TsType {
    return this.#write(type, "input", noVariables);
  }

  /** The type of the cotangents of a type. */
  cotangent(type: Type): TsType {
    return this.#write(type, "cotangent", noVariables);
  }

  /** The type of what is accepted as a cotangent of a type. */
  cotangentInput(type: Type): TsType {
    return this.#write(type, "cotangentInput", noVariables);
  }

  #write(type: Type, form: Form, variables: TypeVariables): TsType {
    const part = (inner: Type): TsType => this.#write(inner, form, variables);
    switch (type.kind) {
      case "real":
        return tsNumber;
      case "int":
        return form.startsWith("cotangent") ? tsZero : tsNumber;
      case "bool":
        return tsBoolean;
      case "tuple":
        return type.items.length === 0 ? tsNull : { kind: "tuple", items: type.items.map(part) };
      case "data": {
        const arrays = (this.#arrayParams.get(type.name) ?? []).flatMap((place) => type.args[place] ?? []);
        const args = [...type.args.map(part), ...arrays.map((element) => this.#writeArray(element, form, variables))];
        return { kind: "name", name: this.#formName(type.name, form), args };
      }
      case "array":
        return this.#writeArray(type.element, form, variables);
      case "typeVar":
        return { kind: "name", name: variables.names.get(type.name) ?? type.name, args: [] };
      case "fn":
        return {
          kind: "function",
          typeParams: [],
          params: [{ name: "x", type: part(type.from), optional: false }],
          result: part(type.to),
        };
    }
  }

  #writeArray(element: Type, form: Form, variables: TypeVariables): TsType {
    if (element.kind === "real") return isInputForm(form) ? tsNumbersInput : tsNumbers;
    const array = element.kind === "typeVar" ? variables.arrays.get(element.name) : undefined;
    if (array !== undefined) return { kind: "name", name: array, args: [] };
    return { kind: "array", element: this.#write(element, form, variables) };
  }

  /** The type of a definition's result, by the alias that the author wrote where it is one. */
  result(type: Type, alias: string): TsType {
    const written = this.#aliases.get(alias);
    return written?.params.length === 0 ? { kind: "name", name: this.nameOf(alias), args: [] } : this.value(type);
  }

  /** The exported types: those of `types` and what their declarations mention, aliases, and the cotangents in `cotangents`. */
  declarations(types: readonly Type[], cotangents: readonly Type[]): readonly TsDeclaration[] {
    const aliases = [...this.#aliases.values()];
    const data = this.#mentioned([...types, ...cotangents, ...aliases.map((alias) => alias.type)]);
    const withCotangent = this.#mentioned(cotangents);
    const isFirstOrder = (alias: Alias): boolean => !hasFunction(alias.type);
    return [
      ...this.#decls.filter((decl) => data.has(decl.name)).flatMap((decl) => this.#declare(decl, withCotangent)),
      ...(data.has(sumDecl.name) ? [this.#dataType(sumDecl, "value")] : []),
      ...aliases.filter(isFirstOrder).flatMap((alias) => this.#aliasTypes(alias)),
    ];
  }

  #declare(decl: DataDecl, withCotangent: ReadonlySet<string>): readonly TsDeclaration[] {
    const { name } = decl;
    const isDistinct = this.#distinct.has(name) && withCotangent.has(name);
    const isWide = this.#wide.has(name);
    return [
      this.#dataType(decl, "value"),
      ...(isWide ? [this.#dataType(decl, "input")] : []),
      ...(isDistinct ? [this.#dataType(decl, "cotangent")] : []),
      ...(isDistinct && isWide ? [this.#dataType(decl, "cotangentInput")] : []),
    ];
  }

  #dataType(decl: DataDecl, form: Form): TsDeclaration {
    const variables = this.#variables(decl.params, this.#arrayParams.get(decl.name) ?? []);
    const layouts = layoutsOf(decl);
    const members = decl.constructors.map(({ name, fields }, index): TsType => {
      const tag: TsField = { name: "tag", type: { kind: "literal", value: name } };
      const rest = fields.map((type, place): TsField => ({
        name: layouts[index]?.keys[place] ?? "",
        type: this.#write(type, form, variables),
      }));
      return { kind: "object", fields: layouts[index]?.isTagged === false ? rest : [tag, ...rest] };
    });
    const [only, ...others] = members;
    const type: TsType = only !== undefined && others.length === 0 ? only : { kind: "union", members };
    return {
      kind: "type",
      doc: form === "value" ? decl.doc : docOf(form, this.nameOf(decl.name)),
      exported: true,
      name: this.#formName(decl.name, form),
      typeParams: typeParamsOf(variables, type),
      type,
    };
  }

  #aliasTypes(alias: Alias): readonly TsDeclaration[] {
    const variables = this.#variables(alias.params, this.#arrayParams.get(alias.name) ?? []);
    const declare = (name: string, doc: string, form: Form): TsDeclaration => {
      const type = this.#write(alias.type, form, variables);
      return { kind: "type", doc, exported: true, name, typeParams: typeParamsOf(variables, type), type };
    };
    const name = this.nameOf(alias.name);
    const value = declare(name, alias.doc, "value");
    return this.isWide(alias.type) ? [value, declare(`${name}Input`, docOf("input", name), "input")] : [value];
  }

  /** `a` becomes `A`, and arrays of it `As`; names of types are left free. */
  #variables(params: readonly string[], arrayPlaces: readonly number[]): TypeVariables {
    const scope = Scope.types(this.taken());
    const names = new Map(params.map((param) => [param, scope.fresh(capitalised(param))]));
    const arrays = arrayPlaces.flatMap((place) => params[place] ?? []);
    return { names, arrays: new Map(arrays.map((param) => [param, scope.fresh(`${names.get(param) ?? param}s`)])) };
  }

  /** The data types in types, and those in their declarations. */
  #mentioned(types: readonly Type[]): ReadonlySet<string> {
    const found = new Set<string>();
    const pending = [...types];
    for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
      pending.push(...typeParts(type));
      if (type.kind !== "data" || found.has(type.name)) continue;
      found.add(type.name);
      for (const { fields } of this.#data.decl(type.name).constructors) pending.push(...fields);
    }
    return found;
  }
}

/** The type parameters of a declaration; they begin with `_` where it does not mention them, which TypeScript takes for intended. */
function typeParamsOf({ names, arrays }: TypeVariables, type: TsType): readonly string[] {
  const all = [...names.values(), ...arrays.values()];
  return all.map((name) => (isMentioned(name, type) || all.includes(`_${name}`) ? name : `_${name}`));
}

function isMentioned(name: string, type: TsType): boolean {
  return (type.kind === "name" && type.name === name) || typePartsOf(type).some((part) => isMentioned(name, part));
}

/** Whether a function type stands in a type, apart from the declarations of its data types. */
export function hasFunction(type: Type): boolean {
  return type.kind === "fn" || typeParts(type).some(hasFunction);
}

/** Data types with a part for which `holds`, given those found so far, in their declarations. */
function declsWith(
  decls: readonly DataDecl[],
  holds: (type: Type, found: ReadonlySet<string>) => boolean,
): ReadonlySet<string> {
  const found = new Set<string>();
  const holdsWithin = (type: Type): boolean => holds(type, found) || typeParts(type).some(holdsWithin);
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const { name, constructors } of decls) {
      if (constructors.some(({ fields }) => fields.some(holdsWithin))) found.add(name);
    }
  }
  return found;
}

function isInputForm(form: Form): boolean {
  return form === "input" || form === "cotangentInput";
}

function docOf(form: Form, name: string): string {
  switch (form) {
    case "cotangent":
      return `A cotangent of \`${name}\`: the cotangent of an integer is 0.`;
    case "cotangentInput":
      return `What is accepted as a cotangent of \`${name}\`.`;
    default:
      return `What is accepted as \`${name}\`.`;
  }
}
