// The types of a definition's terms and variables, found in one walk: what the emitter annotates, and what it knows unknown functions by.

import { InternalError, unreachable } from "../../internal-error.js";
import { scalarType } from "../../core/build.js";
import { primitive } from "../../core/primitives.js";
import { bool, int, real, unit } from "../../core/type.js";
import { matchType, substitute } from "../../target-calculus/data.js";
import type { DataTypes } from "../../target-calculus/data.js";
import type { Branch, Fn, Operation, Term } from "../../target-calculus/term.js";
import type { Type } from "../../target-calculus/type.js";

/** What holds for a whole program: its data types, its definitions by name, and the operations of the stage. */
export interface Signatures {
  readonly data: DataTypes;
  readonly functions: ReadonlyMap<string, Fn>;
  readonly operations: ReadonlyMap<string, Operation>;
}

/** The types of everything in one definition. */
export class Typing {
  readonly #signatures: Signatures;
  readonly #terms = new Map<Term, Type>();
  readonly #variables = new Map<string, Type>();
  readonly #functions = new Map<string, Fn>();

  constructor(definition: Fn, signatures: Signatures) {
    this.#signatures = signatures;
    this.enter(definition);
  }

  /** A term's type; that of a computation is the type of its result. */
  of(term: Term): Type {
    return plainType(this.whole(term));
  }

  /** Whether a term is a computation in the stage's monad. */
  isComputation(term: Term): boolean {
    return this.whole(term).kind === "computation";
  }

  /** A term's type as it is. */
  whole(term: Term): Type {
    const type = this.#terms.get(term) ?? (term.kind === "var" ? this.#variables.get(term.name) : undefined);
    if (type === undefined) throw new InternalError("emit", "a term was not typed", JSON.stringify(term));
    return type;
  }

  /** A variable's type. */
  variable(name: string): Type {
    const type = this.#variables.get(name);
    if (type === undefined) throw new InternalError("emit", `the variable ${name} is not bound`);
    return type;
  }

  /** Types another function in the same scope. */
  enter(fn: Fn): void {
    for (const { name, type } of fn.params) this.bind(name, type);
    this.#walk(fn.body);
  }

  /** Gives a variable its type: one of the definition, or one that a pass has made. */
  bind(name: string, type: Type): void {
    this.#variables.set(name, plainType(type));
  }

  /** Types a term and all its parts; chains of bindings are followed without recursion. */
  #walk(term: Term): Type {
    const spine: Term[] = [];
    let last = term;
    for (;;) {
      const body = this.#walkBinding(last);
      if (body === null) break;
      spine.push(last);
      last = body;
    }
    const type = this.#walkLast(last);
    this.#terms.set(last, type);
    for (const binding of spine) this.#terms.set(binding, type);
    return type;
  }

  /** For a binding: types what is bound, and gives its body. */
  #walkBinding(term: Term): Term | null {
    switch (term.kind) {
      case "let":
      case "bind":
        this.#walk(term.bound);
        this.bind(term.name, term.type);
        return term.body;
      case "letTuple": {
        this.#walk(term.bound);
        term.names.forEach((name, index) => {
          this.bind(name, term.types[index] ?? unit);
        });
        return term.body;
      }
      case "letRec":
        for (const fn of term.functions) this.#functions.set(fn.name, fn);
        for (const fn of term.functions) this.enter(fn);
        return term.body;
      default:
        return null;
    }
  }

  #walkLast(term: Term): Type {
    switch (term.kind) {
      case "var":
        return this.variable(term.name);
      case "real":
        return real;
      case "int":
        return int;
      case "bool":
        return bool;
      case "tuple":
        return { kind: "tuple", items: term.items.map((item) => this.#walk(item)) };
      case "parallel": {
        const items = term.items.map((item) => this.#walk(item));
        const tuple: Type = { kind: "tuple", items: items.map(plainType) };
        return items.some(({ kind }) => kind === "computation") ? { kind: "computation", result: tuple } : tuple;
      }
      case "proj":
        return component(this.#walk(term.tuple), term.index);
      case "lam":
      case "linLam":
        this.bind(term.param, term.type);
        return { kind: term.kind === "lam" ? "fn" : "linear", from: plainType(term.type), to: this.#walk(term.body) };
      case "app": {
        const fn = this.#walk(term.fn);
        this.#walk(term.arg);
        if (fn.kind !== "fn" && fn.kind !== "linear")
          throw new InternalError("emit", "what is applied is not a function", JSON.stringify(term));
        return fn.to;
      }
      case "call": {
        term.args.forEach((arg) => this.#walk(arg));
        const fn = this.#functions.get(term.fn) ?? this.#signatures.functions.get(term.fn);
        if (fn === undefined) throw new InternalError("emit", `there is no function ${term.fn}`);
        return fn.result;
      }
      case "op":
        term.args.forEach((arg) => this.#walk(arg));
        return scalarType(primitive(term.op).result);
      case "con":
        term.args.forEach((arg) => this.#walk(arg));
        return plainType(term.type);
      case "array":
        term.items.forEach((item) => this.#walk(item));
        return { kind: "array", element: plainType(term.element) };
      case "build": {
        const array: Type = { kind: "array", element: plainType(term.element) };
        return this.#walkLoop(term).kind === "computation" ? { kind: "computation", result: array } : array;
      }
      case "scan": {
        this.#walk(term.start);
        this.bind(term.carried, term.type);
        const array: Type = { kind: "array", element: plainType(term.element) };
        const whole: Type = { kind: "tuple", items: [plainType(term.type), array] };
        return this.#walkLoop(term).kind === "computation" ? { kind: "computation", result: whole } : whole;
      }
      case "sum":
        this.#walkLoop(term);
        return term.type;
      case "index": {
        this.#walk(term.index);
        const array = unwrapSparse(this.#walk(term.array));
        if (array.kind !== "array")
          throw new InternalError("emit", "an index of what is no array", JSON.stringify(term));
        return array.element;
      }
      case "length":
        this.#walk(term.array);
        return int;
      case "case":
        return this.#walkCase(term);
      case "if": {
        this.#walk(term.cond);
        this.#walk(term.else);
        return this.#walk(term.then);
      }
      case "partial":
        [...term.args, term.result, term.cotangent].forEach((part) => this.#walk(part));
        return real;
      case "zero":
      case "impossible":
        return term.type;
      case "plus":
        this.#walk(term.left);
        this.#walk(term.right);
        return term.type;
      case "return":
        return { kind: "computation", result: this.#walk(term.value) };
      case "ext": {
        const args = term.args.map((arg) => this.#walk(arg));
        const operation = this.#signatures.operations.get(term.name);
        if (operation === undefined) throw new InternalError("emit", `the stage has no operation ${term.name}`);
        const at = new Map<string, Type>();
        operation.params.forEach((param, index) => {
          matchType(param, args[index] ?? unit, at);
        });
        return substitute(operation.result, at);
      }
      case "let":
      case "bind":
      case "letTuple":
      case "letRec":
        return this.#walk(term);
      default:
        return unreachable(term);
    }
  }

  /** The type of the body. */
  #walkLoop({ size, index, body }: Term & { readonly kind: "build" | "sum" | "scan" }): Type {
    this.#walk(size);
    this.bind(index, int);
    return this.#walk(body);
  }

  #walkCase(term: Term & { readonly kind: "case" }): Type {
    const scrutinee = unwrapSparse(this.#walk(term.scrutinee));
    if (scrutinee.kind !== "data") throw new InternalError("emit", "a case of what is not data", JSON.stringify(term));
    const constructors = new Map(
      this.#signatures.data.constructorsOf(scrutinee).map(({ name, fields }) => [name, fields]),
    );
    const walkBranch = ({ con, vars, body }: Branch): Type => {
      const fields = constructors.get(con);
      vars.forEach((name, index) => {
        this.bind(name, fields?.[index] ?? unit);
      });
      return this.#walk(body);
    };
    const [first = unit] = term.branches.map(walkBranch);
    return first;
  }
}

function component(type: Type, index: number): Type {
  const tuple = unwrapSparse(type);
  const item = tuple.kind === "tuple" ? tuple.items[index] : undefined;
  if (item === undefined) throw new InternalError("emit", `no component ${index}`, JSON.stringify(type));
  return plainType(item);
}

function unwrapSparse(type: Type): Type {
  return type.kind === "sparse" ? type.of : type;
}

/** The type of what a term gives where it is evaluated: of a computation, of its result. */
export function plainType(type: Type): Type {
  return type.kind === "computation" ? type.result : type;
}

/** A text that two types share when they are equal. */
export function typeKey(type: Type): string {
  switch (type.kind) {
    case "real":
    case "int":
    case "bool":
      return type.kind;
    case "tuple":
      return `(${type.items.map(typeKey).join(",")})`;
    case "fn":
      return `(${typeKey(type.from)}->${typeKey(type.to)})`;
    case "linear":
      return `(${typeKey(type.from)}-o${typeKey(type.to)})`;
    case "data":
      return `[${[type.name, ...type.args.map(typeKey)].join(" ")}]`;
    case "array":
      return `${typeKey(type.element)}[]`;
    case "typeVar":
      return `'${type.name}`;
    case "computation":
      return `M${typeKey(type.result)}`;
    case "sparse":
      return `0|${typeKey(type.of)}`;
    case "opaque":
      return `{${type.name}}`;
  }
}
