// What the functions for values of one type have in common (quick-tests.ts, accept-functions.ts, shadow-constructors.ts): their names, and where they loop or recurse.

import type { Type } from "../core/type.js";
import type { PublicTypes } from "../emit/interface/public-types.js";
import type { Refer } from "../emit/lower/lower-operators.js";
import { InternalError } from "../internal-error.js";
import { capitalised, type Scope } from "../typescript/naming.js";
import { binary, id, number } from "../typescript/build.js";
import type { TsDeclaration, TsExpr } from "../typescript/tree.js";
import type { AdjointTypes } from "./types.js";

/** What functions for values need of their module. */
export interface ValueSetting {
  readonly types: AdjointTypes;
  readonly outside: PublicTypes;
  /** The values of the module. */
  readonly values: Scope;
  readonly refer: Refer;
}

export type DataType = Type & { readonly kind: "data" };

/** How deep functions for values recurse; beyond that iterative ones take over. */
export const levelLimit = 200;

/** A type with more parts than this has no functions of its own. */
const partLimit = 32;

/** A constructor with the properties of its objects. */
export interface Form {
  readonly name: string;
  readonly keys: readonly string[];
  readonly fields: readonly Type[];
  readonly isTagged: boolean;
}

/** The constructors of a data type, as their objects are laid out. */
export function formsOf(type: DataType, types: AdjointTypes): readonly Form[] {
  return types.leaves.types.constructorsOf(type).map(({ name }) => ({ name, ...types.shapes.record(type, name) }));
}

/** The only constructor whose objects contain objects of the type directly, and the last field that does. */
export function chainOf(forms: readonly Form[], type: Type): { readonly form: Form; readonly place: number } | null {
  const key = JSON.stringify(type);
  const isSame = (field: Type): boolean => JSON.stringify(field) === key;
  const [form, ...others] = forms.filter(({ fields }) => fields.some(isSame));
  if (form === undefined || others.length > 0 || forms.length < 2) return null;
  return { form, place: form.fields.findLastIndex(isSame) };
}

/** The function that calls another one. */
export interface Caller {
  readonly type: Type;
  /** Its parameter that says how deep it is; null where it cannot be deep. */
  readonly level: string | null;
  readonly scope: Scope;
}

/** How deep the function of a type is when it is called. */
export function levelIn(caller: Caller | null, type: Type, graph: ValueTypes): TsExpr {
  const level = caller !== null && graph.areMutual(caller.type, type) ? caller.level : null;
  return level === null ? number(0) : binary("+", id(level), number(1));
}

/** A function of the module for values of one type. */
export interface ValueFunction {
  readonly name: string;
  readonly type: Type;
  /** Whether something calls it. */
  isUsed: boolean;
}

/** Functions for values, by what they are for; those that are called are declared. */
export class ValueFunctions<F extends ValueFunction> {
  readonly #functions = new Map<string, F>();

  get(key: string): F | undefined {
    return this.#functions.get(key);
  }

  add(key: string, fn: F): void {
    this.#functions.set(key, fn);
  }

  names(): readonly string[] {
    return [...this.#functions.values()].map(({ name }) => name);
  }

  /** The declarations of the functions that are called, also by each other. */
  declarations(declare: (fn: F) => TsDeclaration): readonly TsDeclaration[] {
    const written = new Map<F, TsDeclaration>();
    for (let before = -1; before < written.size;) {
      before = written.size;
      for (const fn of this.#functions.values()) if (fn.isUsed && !written.has(fn)) written.set(fn, declare(fn));
    }
    return [...this.#functions.values()].flatMap((fn) => written.get(fn) ?? []);
  }
}

/** The types for which there are functions of their own, as a graph. */
export class ValueTypes {
  readonly #types: AdjointTypes;
  readonly #callees = new Map<string, ReadonlySet<string>>();

  constructor(types: AdjointTypes) {
    this.#types = types;
  }

  /** Data types and arrays that a value of the type may contain, itself included where it is such; null where they are too many or too strange. */
  within(type: Type): readonly Type[] | null {
    return this.everythingIn(type)?.filter(({ kind }) => kind === "data" || kind === "array") ?? null;
  }

  /** All types of what a value of the type consists of, itself included. */
  everythingIn(type: Type): readonly Type[] | null {
    const found = new Map<string, Type>();
    const pending = [type];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const key = JSON.stringify(next);
      if (found.has(key)) continue;
      if (next.kind === "fn" || next.kind === "typeVar" || found.size === partLimit) return null;
      // A field of that name has to be the object's own
      if (next.kind === "data" && formsOf(next, this.#types).some(({ keys }) => keys.includes("__proto__")))
        return null;
      found.set(key, next);
      pending.push(...this.#parts(next));
    }
    return [...found.values()];
  }

  /** Whether the function of a type may call itself, apart from where it loops. */
  isDeep(type: Type): boolean {
    return [...this.#called(type)].some((key) => this.#reaches(key, JSON.stringify(type)));
  }

  /** Whether two types may contain each other. */
  areMutual(one: Type, other: Type): boolean {
    const [first, second] = [JSON.stringify(one), JSON.stringify(other)];
    return this.#reaches(first, second) && this.#reaches(second, first);
  }

  #reaches(from: string, to: string): boolean {
    const seen = new Set<string>();
    const pending = [from];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (next === to) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      pending.push(...(this.#callees.get(next) ?? []));
    }
    return false;
  }

  /** What the function of a type calls. */
  #called(type: Type): ReadonlySet<string> {
    const key = JSON.stringify(type);
    const known = this.#callees.get(key);
    if (known !== undefined) return known;
    const called = new Set<string>();
    this.#callees.set(key, called);
    const add = (part: Type): void => {
      if (part.kind === "tuple") part.items.forEach(add);
      if (part.kind !== "data" && part.kind !== "array") return;
      called.add(JSON.stringify(part));
      this.#called(part);
    };
    const chain = type.kind === "data" ? chainOf(formsOf(type, this.#types), type) : null;
    if (type.kind !== "data") this.#parts(type).forEach(add);
    else
      for (const form of formsOf(type, this.#types))
        form.fields.forEach((field, place) => {
          if (chain?.form.name !== form.name || place !== chain.place) add(field);
        });
    return called;
  }

  #parts(type: Type): readonly Type[] {
    if (type.kind === "tuple") return type.items;
    if (type.kind === "array") return [type.element];
    return type.kind === "data" ? formsOf(type, this.#types).flatMap(({ fields }) => fields) : [];
  }

  /** A type in words, as part of a name: `ListOfNumbers`. */
  nameOf(type: Type): string {
    const name = this.#words(type);
    return name.length <= 40 || type.kind !== "data" ? name.slice(0, 40) : capitalised(type.name);
  }

  #words(type: Type): string {
    switch (type.kind) {
      case "real":
        return "Number";
      case "int":
        return "Integer";
      case "bool":
        return "Boolean";
      case "tuple":
        return type.items.length === 0 ? "Null" : type.items.map((item) => this.#words(item)).join("And");
      case "array":
        return type.element.kind === "real" ? "Numbers" : `ArrayOf${this.#plural(type.element)}`;
      case "data":
        return type.name + (type.args.length === 0 ? "" : `Of${type.args.map((arg) => this.#plural(arg)).join("And")}`);
      case "fn":
      case "typeVar":
        throw new InternalError("adjoint", `a ${type.kind} in the interface`);
    }
  }

  #plural(type: Type): string {
    const name = this.#words(type);
    return name.endsWith("s") ? name : `${name}s`;
  }
}
