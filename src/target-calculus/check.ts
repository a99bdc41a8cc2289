// The type checker of the target calculus: SV25 Fig. 5, with what Figs. 8 to 10 add. It proves each stage's typing statement on its output:
// if G |- t : T then D[G] |- D[t] : D[T]. What it finds is a mistake of ours.

import { InternalError } from "../internal-error.js";
import { scalarType } from "../core/build.js";
import { primitive } from "../core/primitives.js";
import { bool, int, real } from "../core/type.js";
import type { DataTypes } from "./data.js";
import { mapType, matchType, sameType, substitute } from "./data.js";
import { assertLinear } from "./linear.js";
import { plainNotation, printTerm } from "./print.js";
import { printTargetType } from "./print-type.js";
import type { Fn, Operation, Program, Term } from "./term.js";
import type { Type } from "./type.js";

/** What the checker must know of a stage. */
export interface Interface {
  readonly name: string;
  readonly operations: ReadonlyMap<string, Operation>;
}

/**
 * Throws an `InternalError` with the typing rule and the term if a definition does not have its type. In a wrapper `c` stands for what the
 * wrapper says; everywhere else it is abstract.
 */
export function assertTarget(program: Program, stage: Interface, data: DataTypes): void {
  const functions = new Map(program.definitions.map((fn) => [fn.name, fn]));
  for (const fn of program.definitions) new TargetChecker(stage, data, functions, null).fn(fn);
  for (const { fn, gradient, collector } of program.wrappers) {
    const checker = new TargetChecker(stage, data, functions, collector);
    checker.fn(fn);
    if (gradient !== null) checker.fn(gradient);
  }
}

class TargetChecker {
  readonly #stage: Interface;
  readonly #data: DataTypes;
  readonly #functions: Map<string, Fn>;
  readonly #collector: Type | null;
  readonly #variables = new Map<string, Type>();

  constructor(stage: Interface, data: DataTypes, functions: ReadonlyMap<string, Fn>, collector: Type | null) {
    this.#stage = stage;
    this.#data = data;
    this.#functions = new Map(functions);
    this.#collector = collector;
  }

  /** G, x1 : T1, .., xn : Tn |- t : T   =>   G |- f(x1 : T1, .., xn : Tn) : T = t */
  fn({ name, params, result, body }: Fn): void {
    for (const param of params) this.#variables.set(param.name, this.#concrete(param.type));
    this.#expect("function", body, this.#typeOf(body), result, `the body of ${name}`);
  }

  /** Follows bindings in a loop, so that a program may be as long as it likes. */
  readonly #typeOf = (start: Term): Type => {
    let term = start;
    let monadic = false;
    for (;;) {
      if (term.kind === "let") {
        // G |- s : S    G, x : S |- t : T   =>   G |- let x : S = s in t : T
        this.#expect("let", term, this.#typeOf(term.bound), term.type, `what ${term.name} is bound to`);
        this.#variables.set(term.name, this.#concrete(term.type));
      } else if (term.kind === "letTuple") {
        this.#expect(
          "let",
          term,
          this.#typeOf(term.bound),
          { kind: "tuple", items: term.types },
          "what is taken apart",
        );
        this.#enterComponents(term);
      } else if (term.kind === "bind") {
        // G |- s : M S    G, x : S |- t : M T   =>   G |- do x : S <- s; t : M T
        const bound: Type = { kind: "computation", result: term.type };
        this.#expect("bind", term, this.#typeOf(term.bound), bound, `what ${term.name} is bound to`);
        this.#variables.set(term.name, this.#concrete(term.type));
        monadic = true;
      } else if (term.kind === "letRec") {
        for (const fn of term.functions) this.#functions.set(fn.name, fn);
        for (const fn of term.functions) this.fn(fn);
      } else {
        break;
      }
      term = term.body;
    }
    const type = this.#simple(term);
    if (monadic && type.kind !== "computation") return this.#fail("bind", "its body is not a computation", term);
    return type;
  };

  #enterComponents(term: Term & { readonly kind: "letTuple" }): void {
    term.names.forEach((name, index) => {
      const type = term.types[index] ?? this.#fail("let", "more names than types", term);
      this.#variables.set(name, this.#concrete(type));
    });
  }

  #simple(term: Term): Type {
    switch (term.kind) {
      case "var":
        return this.#variables.get(term.name) ?? this.#fail("var", `${term.name} is not in scope`, term);
      case "real":
        return real;
      case "int":
        return int;
      case "bool":
        return bool;
      case "tuple":
        return { kind: "tuple", items: term.items.map(this.#typeOf) };
      // G |- s : S      G |- t : T     =>   G |- s |*| t : (S, T)
      // G |- s : M S    G |- t : M T   =>   G |- s |*| t : M (S, T)
      case "parallel": {
        const items = term.items.map(this.#typeOf);
        const results = items.flatMap((item) => (item.kind === "computation" ? [item.result] : []));
        if (results.length === 0) return { kind: "tuple", items };
        if (results.length < items.length)
          this.#fail("parallel", "some tasks are computations, and some are not", term);
        return { kind: "computation", result: { kind: "tuple", items: results } };
      }
      case "proj": {
        const type = this.#typeOf(term.tuple);
        const item = type.kind === "tuple" ? type.items[term.index] : undefined;
        return item ?? this.#fail("proj", `${this.#print(type)} has no component ${term.index}`, term);
      }
      // G, x : S |- t : T   =>   G |- \(x : S). t : S -> T
      case "lam":
        this.#variables.set(term.param, this.#concrete(term.type));
        return { kind: "fn", from: this.#concrete(term.type), to: this.#typeOf(term.body) };
      // G, z : S |- b : T, b linear in z   =>   G |- \_(z : S). b : S -o T
      case "linLam": {
        this.#variables.set(term.param, this.#concrete(term.type));
        const to = this.#typeOf(term.body);
        if (to.kind !== "computation") assertLinear(term);
        return { kind: "linear", from: this.#concrete(term.type), to };
      }
      // G |- s : S -> T or S -o T    G |- t : S   =>   G |- s t : T
      case "app": {
        const fn = this.#typeOf(term.fn);
        if (fn.kind !== "fn" && fn.kind !== "linear") return this.#fail("app", `${this.#print(fn)} is applied`, term);
        this.#expect("app", term, this.#typeOf(term.arg), fn.from, "the argument");
        return fn.to;
      }
      case "call": {
        const fn = this.#functions.get(term.fn);
        if (fn === undefined) return this.#fail("call", `there is no function ${term.fn}`, term);
        this.#expectAll(
          "call",
          term,
          term.args,
          fn.params.map(({ type }) => type),
        );
        return this.#concrete(fn.result);
      }
      case "op": {
        const { params, result } = primitive(term.op);
        this.#expectAll("op", term, term.args, params.map(scalarType));
        return scalarType(result);
      }
      case "con":
        return this.#construction(term);
      case "case":
        return this.#case(term);
      case "array":
        for (const item of term.items) this.#expect("array", term, this.#typeOf(item), term.element, "an element");
        return { kind: "array", element: this.#concrete(term.element) };
      case "build":
        return this.#build(term);
      case "scan":
        return this.#scan(term);
      // G |- s : [T]    G |- t : Z   =>   G |- s ! t : T
      case "index": {
        const type = this.#typeOf(term.array);
        this.#expect("index", term, this.#typeOf(term.index), int, "the index");
        return type.kind === "array" ? type.element : this.#fail("index", `${this.#print(type)} has no elements`, term);
      }
      case "length": {
        const type = this.#typeOf(term.array);
        return type.kind === "array" ? int : this.#fail("length", `${this.#print(type)} has no length`, term);
      }
      case "if": {
        this.#expect("if", term, this.#typeOf(term.cond), bool, "the condition");
        const type = this.#typeOf(term.then);
        this.#expect("if", term, this.#typeOf(term.else), type, "the second branch");
        return type;
      }
      // G |- xi : the type of parameter i    G |- b : _R   =>   G |- di_op(x1, .., xn)(b) : _R
      case "partial": {
        const { params } = primitive(term.op);
        this.#expectAll("partial", term, term.args, params.map(scalarType));
        if (params[term.index] !== "R") this.#fail("partial", "a parameter that is not of type R", term);
        this.#expect("partial", term, this.#typeOf(term.result), real, "the result");
        this.#expect("partial", term, this.#typeOf(term.cotangent), real, "the cotangent");
        return real;
      }
      case "zero":
        return this.#concrete(term.type);
      case "plus":
        this.#expect("plus", term, this.#typeOf(term.left), term.type, "the left operand");
        this.#expect("plus", term, this.#typeOf(term.right), term.type, "the right operand");
        return this.#concrete(term.type);
      // G |- n : Z    G, i : Z |- t : M   =>   G |- sum n (\i. t) : M
      case "sum":
        this.#expect("sum", term, this.#typeOf(term.size), int, "the size");
        this.#variables.set(term.index, int);
        this.#expect("sum", term, this.#typeOf(term.body), term.type, "the body");
        return this.#concrete(term.type);
      case "return":
        return { kind: "computation", result: this.#typeOf(term.value) };
      case "ext":
        return this.#operation(term);
      case "impossible":
        return this.#concrete(term.type);
      case "let":
      case "letTuple":
      case "letRec":
      case "bind":
        return this.#typeOf(term);
    }
  }

  // G |- n : Z    G, i : Z |- t : T     =>   G |- build n (\i. t) : [T]
  // G |- n : Z    G, i : Z |- t : M T   =>   G |- build n (\i. t) : M [T]
  #build(term: Term & { readonly kind: "build" }): Type {
    this.#expect("build", term, this.#typeOf(term.size), int, "the size");
    this.#variables.set(term.index, int);
    const body = this.#typeOf(term.body);
    const isMonadic = body.kind === "computation" && term.element.kind !== "computation";
    this.#expect("build", term, isMonadic ? body.result : body, term.element, "the body");
    const array: Type = { kind: "array", element: this.#concrete(term.element) };
    return isMonadic ? { kind: "computation", result: array } : array;
  }

  // G |- n : Z    G |- s : S    G, i : Z, x : S |- t : (S, T)     =>   G |- scan n s (\i x. t) : (S, [T])
  // G |- n : Z    G |- s : S    G, i : Z, x : S |- t : M (S, T)   =>   G |- scan n s (\i x. t) : M (S, [T])
  #scan(term: Term & { readonly kind: "scan" }): Type {
    this.#expect("scan", term, this.#typeOf(term.size), int, "the size");
    this.#expect("scan", term, this.#typeOf(term.start), term.type, "the start");
    this.#variables.set(term.index, int);
    this.#variables.set(term.carried, this.#concrete(term.type));
    const body = this.#typeOf(term.body);
    const isMonadic = body.kind === "computation";
    const pair = (elements: Type): Type => ({ kind: "tuple", items: [term.type, elements] });
    this.#expect("scan", term, isMonadic ? body.result : body, pair(term.element), "the body");
    const whole = this.#concrete(pair({ kind: "array", element: term.element }));
    return isMonadic ? { kind: "computation", result: whole } : whole;
  }

  // At type `0 | D` the fields are cotangents of the fields, each possibly a formal zero
  #construction(term: Term & { readonly kind: "con" }): Type {
    const type = this.#concrete(term.type);
    const built = type.kind === "sparse" ? type.of : type;
    if (built.kind !== "data") return this.#fail("con", `${this.#print(type)} has no constructors`, term);
    const constructor = this.#data.constructorsOf(built).find(({ name }) => name === term.name);
    if (constructor === undefined) return this.#fail("con", `${built.name} has no constructor ${term.name}`, term);
    const fields = constructor.fields.map((field): Type =>
      type.kind === "sparse" ? { kind: "sparse", of: field } : field,
    );
    this.#expectAll("con", term, term.args, fields);
    return type;
  }

  #case(term: Term & { readonly kind: "case" }): Type {
    const scrutinee = this.#typeOf(term.scrutinee);
    if (scrutinee.kind !== "data" || scrutinee.name !== term.data) {
      return this.#fail("case", `a value of type ${this.#print(scrutinee)} as one of ${term.data}`, term);
    }
    const constructors = this.#data.constructorsOf(scrutinee);
    if (constructors.length !== term.branches.length) this.#fail("case", "not one branch for each constructor", term);
    const types = constructors.map(({ name, fields }, index) => {
      const branch = term.branches[index];
      if (branch?.con !== name) return this.#fail("case", `branch ${index + 1} is not for ${name}`, term);
      branch.vars.forEach((variable, i) =>
        this.#variables.set(variable, fields[i] ?? this.#fail("case", "too many variables", term)),
      );
      return this.#typeOf(branch.body);
    });
    const [first] = types;
    if (first === undefined) return this.#fail("case", "no branches", term);
    for (const type of types) this.#expect("case", term, type, first, "a branch");
    return first;
  }

  #operation(term: Term & { readonly kind: "ext" }): Type {
    const operation = this.#stage.operations.get(term.name);
    if (operation === undefined) return this.#fail("ext", `the stage has no operation ${term.name}`, term);
    const at = new Map<string, Type>();
    term.args.forEach((arg, index) => {
      const expected = operation.params[index] ?? operation.rest;
      if (expected === null) return this.#fail("ext", "too many arguments", term);
      const found = this.#typeOf(arg);
      matchType(expected, found, at);
      this.#expect("ext", term, found, substitute(expected, at), `argument ${index + 1}`);
      return found;
    });
    if (term.args.length < operation.params.length) this.#fail("ext", "too few arguments", term);
    return this.#concrete(substitute(operation.result, at));
  }

  #expectAll(rule: string, term: Term, args: readonly Term[], types: readonly Type[]): void {
    if (args.length !== types.length) this.#fail(rule, `${args.length} arguments instead of ${types.length}`, term);
    args.forEach((arg, index) => {
      const type = types[index];
      if (type !== undefined) this.#expect(rule, term, this.#typeOf(arg), type, `argument ${index + 1}`);
    });
  }

  #expect(rule: string, term: Term, found: Type, expected: Type, what: string): void {
    const wanted = this.#concrete(expected);
    if (!conforms(this.#concrete(found), wanted)) {
      this.#fail(rule, `${what} has the type ${this.#print(found)} and should have ${this.#print(wanted)}`, term);
    }
  }

  /** A type with what `c` stands for in place of it. */
  readonly #concrete = (type: Type): Type => {
    if (this.#collector === null) return type;
    if (type.kind === "opaque" && type.name === "c") return this.#collector;
    return mapType(type, this.#concrete);
  };

  #print(type: Type): string {
    return printTargetType(type, plainNotation);
  }

  #fail(rule: string, message: string, term: Term): never {
    throw new InternalError(
      `target check of ${this.#stage.name}`,
      `[${rule}] ${message}`,
      printTerm(term, plainNotation),
    );
  }
}

/**
 * Equality of types, but for cotangents with formal zeros: `(0 | S, 0 | T)` conforms to `0 | (S, T)`, and so does whatever is no bigger; a
 * linear function from more cotangents serves as one from fewer.
 */
function conforms(found: Type, expected: Type): boolean {
  if (sameType(found, expected)) return true;
  if (expected.kind === "sparse") {
    const { of } = expected;
    if (found.kind === "sparse") return conforms(found.of, of) || conforms(found.of, expected);
    if (found.kind === "tuple" && of.kind === "tuple" && found.items.length === of.items.length) {
      return found.items.every((item, index) => {
        const component = of.items[index];
        return component !== undefined && conforms(item, { kind: "sparse", of: component });
      });
    }
    if (found.kind === "array" && of.kind === "array") {
      return conforms(found.element, { kind: "sparse", of: of.element });
    }
    return conforms(found, of);
  }
  if (found.kind === "sparse")
    return (found.of.kind === "real" || found.of.kind === "int") && conforms(found.of, expected);
  if (found.kind === "linear" && expected.kind === "linear") {
    return conforms(expected.from, found.from) && conforms(found.to, expected.to);
  }
  if (found.kind === "tuple" && expected.kind === "tuple" && found.items.length === expected.items.length) {
    return found.items.every((item, index) => {
      const component = expected.items[index];
      return component !== undefined && conforms(item, component);
    });
  }
  if (found.kind === "array" && expected.kind === "array") return conforms(found.element, expected.element);
  if (found.kind === "computation" && expected.kind === "computation") return conforms(found.result, expected.result);
  return false;
}
