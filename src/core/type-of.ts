// The type of a source term. Binders are distinct, so one table holds the types of all variables seen so far.

import { InternalError } from "../internal-error.js";
import { scalarType, scanType } from "./build.js";
import { primitive } from "./primitives.js";
import { signatureOf } from "./derivative.js";
import type { Fn, Program, Term } from "./term.js";
import { DataTypes } from "./type-parts.js";
import { bool, int, real } from "./type.js";
import type { Type } from "./type.js";

export class TypeOf {
  readonly #data: () => DataTypes;
  readonly #functions = new Map<string, Type>();
  readonly #variables = new Map<string, Type>();

  /** `data`: where declarations are added while types are asked for. */
  constructor(program: Program, data: (() => DataTypes) | null = null) {
    const own = new DataTypes(program.data);
    this.#data = data ?? (() => own);
    program.definitions.forEach(this.enter);
    for (const [name, { result }] of program.externs) this.#functions.set(name, result);
    for (const [name, derivative] of program.derivatives) this.#functions.set(name, signatureOf(derivative).result);
  }

  /** Makes a known function's result and parameters known. */
  readonly enter = (fn: Fn): void => {
    this.#functions.set(fn.name, fn.result);
    for (const { name, type } of fn.params) this.#variables.set(name, type);
  };

  /** Makes the variables known that a term binds at its top. */
  readonly enterBinders = (term: Term): void => {
    switch (term.kind) {
      case "lam":
        this.#variables.set(term.param, term.type);
        return;
      case "let":
        this.#variables.set(term.name, term.type);
        return;
      case "build":
        this.#variables.set(term.index, int);
        return;
      case "scan":
        this.#variables.set(term.index, int);
        this.#variables.set(term.carried, term.type);
        return;
      case "letRec":
        term.functions.forEach(this.enter);
        return;
      case "case":
        for (const { vars, fields } of this.#branchTypes(term)) {
          vars.forEach((name, index) => this.#variables.set(name, fields[index] ?? real));
        }
        return;
      default:
    }
  };

  /** The type of a term whose free variables were met before: as parameters, or in a term this was asked for. */
  readonly of = (start: Term): Type => {
    let term = start;
    while (term.kind === "let" || term.kind === "letRec") {
      this.enterBinders(term);
      term = term.body;
    }
    switch (term.kind) {
      case "var":
        return this.#lookup(this.#variables, term.name);
      case "real":
        return real;
      case "int":
        return int;
      case "bool":
        return bool;
      case "tuple":
      case "parallel":
        return { kind: "tuple", items: term.items.map(this.of) };
      case "proj": {
        const type = this.of(term.tuple);
        const item = type.kind === "tuple" ? type.items[term.index] : undefined;
        return item ?? fail("a projection of something else than a tuple", term);
      }
      case "lam":
        this.enterBinders(term);
        return { kind: "fn", from: term.type, to: this.of(term.body) };
      case "app": {
        const type = this.of(term.fn);
        return type.kind === "fn" ? type.to : fail("an application of something else than a function", term);
      }
      case "call":
        return this.#lookup(this.#functions, term.fn);
      case "op":
        return scalarType(primitive(term.op).result);
      case "con":
        return term.type;
      case "array":
      case "build":
        return { kind: "array", element: term.element };
      case "scan":
        return scanType(term);
      case "index": {
        const type = this.of(term.array);
        return type.kind === "array" ? type.element : fail("an index into something else than an array", term);
      }
      case "length":
        return int;
      case "case": {
        this.enterBinders(term);
        const [first] = term.branches;
        return first === undefined ? fail("a case without branches", term) : this.of(first.body);
      }
      case "if":
        return this.of(term.then);
    }
  };

  /** For each branch of a case its variables and the types of the constructor's fields. */
  #branchTypes(
    term: Term & { readonly kind: "case" },
  ): readonly { vars: readonly string[]; fields: readonly Type[] }[] {
    const type = this.of(term.scrutinee);
    if (type.kind !== "data") return fail("a case on something else than data", term);
    const constructors = new Map(
      this.#data()
        .constructorsOf(type)
        .map(({ name, fields }) => [name, fields]),
    );
    return term.branches.map(({ con, vars }) => ({ vars, fields: constructors.get(con) ?? [] }));
  }

  #lookup(table: ReadonlyMap<string, Type>, name: string): Type {
    return table.get(name) ?? fail(`${name} is not in scope`, null);
  }
}

function fail(message: string, term: Term | null): never {
  throw new InternalError("type-of", message, JSON.stringify(term));
}
