// The type checker of the source calculus: SV25 Fig. 4 with §11 and §12. It finds our mistakes, not the user's: every program that
// elaboration makes has to pass.

import { InternalError } from "../internal-error.js";
import { scalarType, scanType } from "./build.js";
import { primitive } from "./primitives.js";
import { printSourceTerm } from "./print.js";
import { printType } from "./print-type.js";
import { signatureOf, type Signature } from "./derivative.js";
import type { Fn, Program, Term } from "./term.js";
import { DataTypes, sameType, typeParts } from "./type-parts.js";
import { bool, int, real } from "./type.js";
import type { Type } from "./type.js";

/** Throws an `InternalError` that names the typing rule and the term if the program is not well typed or binds a name twice. */
export function assertProgram(program: Program, isTraced = false): void {
  const checker = new Checker(program, isTraced);
  for (const fn of program.definitions) checker.definition(fn);
  for (const { name } of program.entries) checker.entry(name);
}

class Checker {
  readonly #data: DataTypes;
  readonly #functions = new Map<string, Signature>();
  /** The variables in scope, with their types. */
  readonly #variables = new Map<string, Type>();
  /** The names of definitions and local functions; distinct throughout the program. */
  readonly #functionNames = new Set<string>();
  /** The variables of one definition. */
  #binders = new Set<string>();

  constructor(
    program: Program,
    private readonly isTraced: boolean,
  ) {
    this.#data = new DataTypes(program.data);
    for (const fn of program.definitions) {
      this.#bindFunction(fn.name, fn.body);
      this.#functions.set(fn.name, fn);
    }
    for (const [name, extern] of program.externs) this.#functions.set(name, extern);
    for (const [name, derivative] of program.derivatives) this.#functions.set(name, signatureOf(derivative));
  }

  definition(fn: Fn): void {
    this.#binders = new Set();
    this.fn(fn);
  }

  entry(name: string): void {
    if (!this.#functions.has(name)) throw new InternalError("core check", `the entry ${name} has no definition`);
  }

  /** G, x1 : T1, .., xn : Tn |- t : T   =>   G |- f(x1 : T1, .., xn : Tn) : T = t */
  fn({ name, params, result, body }: Fn): void {
    for (const param of params) {
      this.#closed(param.type, body);
      this.#bindVariable(param.name, param.type, body);
    }
    this.#closed(result, body);
    this.#expect("function", body, this.#typeOf(body), result, `the body of ${name}`);
    for (const param of params) this.#variables.delete(param.name);
  }

  /** Along the bodies of `let` and `let rec` in a loop; what they bind leaves the scope at the end. */
  #typeOf(start: Term): Type {
    const variables: string[] = [];
    const functions: string[] = [];
    let term = start;
    while (term.kind === "let" || term.kind === "letRec") {
      if (term.kind === "let") {
        // G |- s : S    G, x : S |- t : T   =>   G |- let x : S = s in t : T
        this.#closed(term.type, term);
        this.#expect("let", term, this.#typeOf(term.bound), term.type, `what ${term.name} is bound to`);
        this.#bindVariable(term.name, term.type, term);
        variables.push(term.name);
      } else {
        for (const fn of term.functions) {
          this.#bindFunction(fn.name, term);
          this.#functions.set(fn.name, fn);
          functions.push(fn.name);
        }
        for (const fn of term.functions) this.fn(fn);
      }
      term = term.body;
    }
    const type = this.#simple(term);
    for (const name of variables) this.#variables.delete(name);
    for (const name of functions) this.#functions.delete(name);
    return type;
  }

  #simple(term: Exclude<Term, { readonly kind: "let" | "letRec" }>): Type {
    switch (term.kind) {
      case "var":
        return this.#variables.get(term.name) ?? fail("var", `${term.name} is not in scope`, term);
      case "real":
        return real;
      case "int":
        return Number.isSafeInteger(term.value) ? int : fail("int", "not an integer", term);
      case "bool":
        return bool;
      case "tuple":
      case "parallel":
        if (term.items.length === 1) fail(term.kind, "a tuple of one component", term);
        return { kind: "tuple", items: term.items.map((item) => this.#typeOf(item)) };
      // G |- t : (T1, .., Tn)   =>   G |- t.i : Ti
      case "proj": {
        const type = this.#typeOf(term.tuple);
        const item = type.kind === "tuple" ? type.items[term.index] : undefined;
        return item ?? fail("proj", `component ${term.index} of a value of type ${printType(type)}`, term);
      }
      // G, x : S |- t : T   =>   G |- \(x : S). t : S -> T
      case "lam": {
        this.#closed(term.type, term);
        this.#bindVariable(term.param, term.type, term);
        const to = this.#typeOf(term.body);
        this.#variables.delete(term.param);
        return { kind: "fn", from: term.type, to };
      }
      // G |- s : S -> T    G |- t : S   =>   G |- s t : T
      case "app": {
        const fn = this.#typeOf(term.fn);
        if (fn.kind !== "fn") return fail("app", `applies a value of type ${printType(fn)}`, term);
        this.#expect("app", term, this.#typeOf(term.arg), fn.from, "the argument");
        return fn.to;
      }
      case "call": {
        const fn = this.#functions.get(term.fn) ?? fail("call", `the function ${term.fn} is not in scope`, term);
        this.#expectAll("call", term, term.args, fn.params.map(({ type }) => type)); // prettier-ignore
        return fn.result;
      }
      case "op": {
        const { params, result, mayFail } = primitive(term.op);
        this.#expectAll("op", term, term.args, params.map(scalarType));
        if (!mayFail && term.site !== null && !this.isTraced) fail("op", `${term.op} has no site`, term);
        return scalarType(result);
      }
      case "con": {
        if (term.type.kind !== "data") return fail("con", `builds a value of type ${printType(term.type)}`, term);
        this.#closed(term.type, term);
        const constructor = this.#data.constructorsOf(term.type).find(({ name }) => name === term.name);
        if (constructor === undefined) return fail("con", `${term.type.name} has no constructor ${term.name}`, term);
        this.#expectAll("con", term, term.args, constructor.fields);
        return term.type;
      }
      case "case":
        return this.#case(term);
      case "array":
        this.#closed(term.element, term);
        for (const item of term.items) this.#expect("array", term, this.#typeOf(item), term.element, "an element");
        return { kind: "array", element: term.element };
      // G |- n : Z    G, i : Z |- t : T   =>   G |- build n (\i. t) : [T]
      case "build": {
        this.#expect("build", term, this.#typeOf(term.size), int, "the size");
        this.#bindVariable(term.index, int, term);
        this.#expect("build", term, this.#typeOf(term.body), term.element, "the body");
        this.#variables.delete(term.index);
        return { kind: "array", element: term.element };
      }
      // G |- n : Z    G |- s : S    G, i : Z, x : S |- t : (S, T)   =>   G |- scan n s (\i x. t) : (S, [T])
      case "scan": {
        const { type, element } = term;
        this.#expect("scan", term, this.#typeOf(term.size), int, "the size");
        this.#expect("scan", term, this.#typeOf(term.start), type, "the start");
        this.#bindVariable(term.index, int, term);
        this.#bindVariable(term.carried, type, term);
        this.#expect("scan", term, this.#typeOf(term.body), { kind: "tuple", items: [type, element] }, "the body");
        this.#variables.delete(term.index);
        this.#variables.delete(term.carried);
        return scanType(term);
      }
      // G |- s : [T]    G |- t : Z   =>   G |- s ! t : T
      case "index": {
        const type = this.#typeOf(term.array);
        this.#expect("index", term, this.#typeOf(term.index), int, "the index");
        return type.kind === "array" ? type.element : fail("index", `an index into ${printType(type)}`, term);
      }
      case "length": {
        const type = this.#typeOf(term.array);
        return type.kind === "array" ? int : fail("length", `the length of ${printType(type)}`, term);
      }
      case "if": {
        this.#expect("if", term, this.#typeOf(term.cond), bool, "the condition");
        const type = this.#typeOf(term.then);
        this.#expect("if", term, this.#typeOf(term.else), type, "the second branch");
        return type;
      }
    }
  }

  // G |- s : D    G, x1.. : the fields of Ci |- ti : T for each constructor Ci of D   =>   G |- case s of { Ci x1.. -> ti; .. } : T
  #case(term: Term & { readonly kind: "case" }): Type {
    const scrutinee = this.#typeOf(term.scrutinee);
    if (scrutinee.kind !== "data" || scrutinee.name !== term.data) {
      return fail("case", `a value of type ${printType(scrutinee)} as one of ${term.data}`, term);
    }
    const constructors = this.#data.constructorsOf(scrutinee);
    if (term.branches.length !== constructors.length) fail("case", "not one branch for each constructor", term);
    const types = constructors.map(({ name, fields }, index) => {
      const branch = term.branches[index];
      if (branch?.con !== name) return fail("case", `branch ${index + 1} is not for ${name}`, term);
      if (branch.vars.length !== fields.length) fail("case", `${name} has ${fields.length} fields`, term);
      fields.forEach((field, position) => {
        const variable = branch.vars[position];
        if (variable !== undefined) this.#bindVariable(variable, field, term);
      });
      const type = this.#typeOf(branch.body);
      for (const variable of branch.vars) this.#variables.delete(variable);
      return type;
    });
    const [first = fail("case", "no branches", term), ...rest] = types;
    for (const type of rest) this.#expect("case", term, type, first, "a branch");
    return first;
  }

  #expectAll(rule: string, term: Term, args: readonly Term[], types: readonly Type[]): void {
    if (args.length !== types.length) fail(rule, `${args.length} arguments instead of ${types.length}`, term);
    args.forEach((arg, index) => {
      const type = types[index];
      if (type !== undefined) this.#expect(rule, term, this.#typeOf(arg), type, `argument ${index + 1}`);
    });
  }

  #expect(rule: string, term: Term, found: Type, expected: Type, what: string): void {
    if (!sameType(found, expected)) {
      fail(rule, `${what} has the type ${printType(found)} and should have ${printType(expected)}`, term);
    }
  }

  /** Types of terms are monomorphic, and their data types declared with as many parameters. */
  #closed(type: Type, term: Term): void {
    const stack = [type];
    for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
      if (part.kind === "typeVar") fail("type", `the type variable ${part.name} is left`, term);
      if (part.kind === "data") this.#data.constructorsOf(part);
      stack.push(...typeParts(part));
    }
  }

  #bindVariable(name: string, type: Type, term: Term): void {
    if (this.#binders.has(name) || this.#functionNames.has(name)) fail("binder", `${name} is bound twice`, term);
    this.#binders.add(name);
    this.#variables.set(name, type);
  }

  #bindFunction(name: string, term: Term): void {
    if (this.#functionNames.has(name) || this.#binders.has(name)) fail("binder", `${name} is defined twice`, term);
    this.#functionNames.add(name);
  }
}

function fail(rule: string, message: string, term: Term): never {
  throw new InternalError("core check", `[${rule}] ${message}`, printSourceTerm(term));
}
