// Functions that stay unknown under a derivative become data with a definition that applies them (defunctionalisation), which is differentiated like any other: what a
// function has captured is passive where its argument is active.
//
//   \x. t : S -> T        =>   Closure y1 .. yn        y1 .. yn the variables that it captures
//   f s                   =>   apply(f, s)             apply(f, x) = case f of { Closure y1 .. yn -> t; .. }
//
// Local functions become definitions that take what they use.

import { inPlaceOf } from "../location.js";
import * as b from "../core/build.js";
import { Names } from "../core/names.js";
import { takesFunction } from "../core/derivative.js";
import type { Fn, Program, Term } from "../core/term.js";
import { allTerms } from "../core/traverse.js";
import { TypeOf } from "../core/type-of.js";
import { DataTypes, mapTypeParts, typeParts } from "../core/type-parts.js";
import type { ConstructorF, DataDecl, Type } from "../core/type.js";
import { InternalError } from "../internal-error.js";
import { copyTerm } from "../optimise/copy.js";
import { mapSubterms } from "../optimise/rewrite.js";
import { freeIn } from "../optimise/term-facts.js";
import { localFunctionsLifted } from "./lifted.js";

type FunctionType = Type & { readonly kind: "fn" };
type Lambda = Term & { readonly kind: "lam" };

export function closuresAsData(program: Program, names: Names): Program {
  return isNeeded(program) ? new Closures(localFunctionsLifted(program), names).program() : program;
}

/** Whether a derivative meets a function as a value. */
function isNeeded({ definitions, derivatives }: Program): boolean {
  const byName = new Map(definitions.map((fn) => [fn.name, fn]));
  const isUnder = (fn: Fn): boolean =>
    allTerms(fn.body).some((term) => term.kind === "call" && derivatives.has(term.fn));
  const reached = new Set(definitions.filter(isUnder).map(({ name }) => name));
  for (const name of reached) {
    const body = byName.get(name)?.body;
    if (body === undefined) continue;
    for (const term of allTerms(body)) if (term.kind === "call") reached.add(term.fn);
  }
  return [...reached].some((name) => {
    const terms = allTerms(byName.get(name)?.body ?? b.tuple());
    const taken = terms.flatMap((term) => functionsOf(term, derivatives));
    const direct = new Set(taken.flatMap(withInner));
    const isValue = (term: Term): boolean => term.kind === "app" || (term.kind === "lam" && !direct.has(term));
    return terms.some(isValue) || taken.some(({ kind }) => kind !== "lam");
  });
}

/** The functions that a derivative is taken of, or that a rule is made of. */
function functionsOf(term: Term, derivatives: Program["derivatives"]): readonly Term[] {
  if (term.kind !== "call") return [];
  const kind = derivatives.get(term.fn)?.kind;
  if (kind === undefined || !takesFunction(kind)) return [];
  return term.args.slice(0, kind === "tangentRule" || kind === "functionRule" || kind === "pullbackRule" ? 2 : 1);
}

/** A lambda, and those that it gives. */
function withInner(term: Term): readonly Term[] {
  return term.kind === "lam" ? [term, ...withInner(term.body)] : [];
}

/** The functions of one type as data. */
interface Closure {
  readonly data: string;
  readonly apply: string;
  readonly type: FunctionType;
  readonly constructors: ConstructorF<Type>[];
  readonly branches: ((argument: string) => { readonly con: string; readonly vars: readonly string[]; readonly body: Term })[]; // prettier-ignore
}

class Closures {
  readonly #program: Program;
  readonly #names: Names;
  readonly #typeNames: Names;
  readonly #types: TypeOf;
  readonly #data: DataTypes;
  readonly #closures = new Map<string, Closure>();
  /** By the text of a data type with functions inside what it is without. */
  readonly #instances = new Map<string, string>();
  readonly #declarations: DataDecl[] = [];

  constructor(program: Program, names: Names) {
    this.#program = program;
    this.#names = names;
    this.#typeNames = new Names(program.data.map(({ name }) => name));
    this.#types = new TypeOf(program);
    this.#data = new DataTypes(program.data);
  }

  program(): Program {
    const definitions = this.#program.definitions.map((fn) => this.#fn(fn));
    const derivatives = new Map([...this.#program.derivatives].map(([name, each]) => [name, { ...each, from: this.#type(each.from), to: this.#type(each.to) }] as const)); // prettier-ignore
    const applies: Fn[] = [];
    // The types of arguments and results may hold functions of further types, which come after
    for (const { apply, type, data, branches } of this.#closures.values()) {
      const [f, x] = [this.#names.fresh("f"), this.#names.fresh("x")];
      const made = branches.map((branch) => branch(x));
      const body = b.caseOf(b.variable(f), data, made.length > 0 ? made : [{ con: unmade(data), vars: [], body: never(this.#type(type.to)) }]); // prettier-ignore
      applies.push(b.fn(apply, [b.param(f, b.dataType(data)), b.param(x, this.#type(type.from))], this.#type(type.to), body)); // prettier-ignore
    }
    const declared = [...this.#closures.values()].map(({ data, constructors }): DataDecl => ({ name: data, params: [], constructors: constructors.length > 0 ? constructors : [{ name: unmade(data), fields: [], fieldNames: null }], doc: "" })); // prettier-ignore
    const kept = this.#program.data.filter((decl) => !this.#holdsFunctions(b.dataType(decl.name, ...decl.params.map(() => b.unit)))); // prettier-ignore
    return { ...this.#program, data: [...kept, ...this.#declarations, ...declared], definitions: [...definitions, ...applies], derivatives }; // prettier-ignore
  }

  #fn(fn: Fn): Fn {
    this.#types.enter(fn);
    for (const term of allTerms(fn.body)) this.#types.enterBinders(term);
    const params = fn.params.map(({ name, type }) => b.param(name, this.#type(type)));
    return inPlaceOf(b.fn(fn.name, params, this.#type(fn.result), this.#term(fn.body)), fn);
  }

  #term(start: Term): Term {
    const around: ((body: Term) => Term)[] = [];
    let term = start;
    for (; term.kind === "let"; term = term.body) {
      const { name, type, bound } = term;
      const done = this.#term(bound);
      around.push((body) => b.letIn(name, this.#type(type), done, body));
    }
    return b.wrapAll(around, this.#simple(term));
  }

  #simple(term: Term): Term {
    const inside = (part: Term): Term => this.#term(part);
    switch (term.kind) {
      case "let":
      case "letRec":
        throw new InternalError("derivatives", "a local function is left");
      case "lam":
        return this.#lambda(term);
      case "app":
        return b.call(this.#closure(this.#functionType(term.fn)).apply, [inside(term.fn), inside(term.arg)]);
      case "call":
        return this.#call(term);
      case "con":
        return b.con(term.name, this.#type(term.type), term.args.map(inside));
      case "array":
        return b.array(this.#type(term.element), term.items.map(inside));
      case "build":
        return { ...term, size: inside(term.size), element: this.#type(term.element), body: inside(term.body) };
      case "scan": {
        const [type, element] = [this.#type(term.type), this.#type(term.element)];
        return { ...term, size: inside(term.size), start: inside(term.start), type, element, body: inside(term.body) };
      }
      case "case": {
        const type = this.#types.of(term.scrutinee);
        const data = type.kind === "data" && this.#holdsFunctions(type) ? this.#instance(type) : term.data;
        const branches = term.branches.map(({ con, vars, body }) => ({ con, vars, body: inside(body) }));
        return b.caseOf(inside(term.scrutinee), data, branches);
      }
      default:
        return mapSubterms(term, inside);
    }
  }

  /** What a derivative is taken of stays a lambda. */
  #call({ fn, args }: Term & { readonly kind: "call" }): Term {
    const derivative = this.#program.derivatives.get(fn);
    const [of, ...others] = args;
    if (derivative === undefined || of === undefined || !takesFunction(derivative.kind))
      return b.call(
        fn,
        args.map((arg) => this.#term(arg)),
      );
    const rest = others.map((arg) => this.#term(arg));
    if (derivative.kind === "tangentRule" || derivative.kind === "pullbackRule") return b.call(fn, args.map((arg) => this.#text(arg))); // prettier-ignore
    if (of.kind === "lam") return b.call(fn, [this.#text(of), ...rest]);
    const [f, x] = [this.#names.fresh("f"), this.#names.fresh("x")];
    const { data, apply } = this.#closure({ kind: "fn", from: derivative.from, to: derivative.to });
    const applied = b.lam(x, this.#type(derivative.from), b.call(apply, [b.variable(f), b.variable(x)]));
    return b.letIn(f, b.dataType(data), this.#term(of), b.call(fn, [applied, ...rest]));
  }

  /** A lambda, and one in that, as they stand. */
  #text(term: Term): Term {
    return term.kind === "lam"
      ? { ...term, type: this.#type(term.type), body: this.#text(term.body) }
      : this.#term(term);
  }

  #lambda(term: Lambda): Term {
    const closure = this.#closure(this.#functionType(term));
    const captured = [...freeIn(term).variables];
    const fields = captured.map((name) => this.#type(this.#types.of(b.variable(name))));
    // Lambdas inside come first: branches stand in the order of the constructors
    const body = this.#term(term.body);
    const con = `${closure.data}${closure.constructors.length + 1}`;
    closure.constructors.push({ name: con, fields, fieldNames: null });
    closure.branches.push((argument) => {
      const vars = captured.map((name) => this.#names.fresh(name));
      const values = new Map([...captured, term.param].map((name, i) => [name, b.variable(vars[i] ?? argument)]));
      return { con, vars, body: copyTerm(body, this.#names, { values }) };
    });
    return b.con(con, b.dataType(closure.data), captured.map(b.variable));
  }

  #functionType(term: Term): FunctionType {
    const type = this.#types.of(term);
    if (type.kind !== "fn") throw new InternalError("derivatives", "what is applied is no function");
    return type;
  }

  #type(type: Type): Type {
    if (type.kind === "fn") return b.dataType(this.#closure(type).data);
    if (type.kind === "data" && this.#holdsFunctions(type)) return b.dataType(this.#instance(type));
    return mapTypeParts(type, (part) => this.#type(part));
  }

  #closure(type: FunctionType): Closure {
    const key = JSON.stringify(type);
    const known = this.#closures.get(key);
    if (known !== undefined) return known;
    const made: Closure = { data: this.#typeNames.fresh("Closure"), apply: this.#names.fresh("apply"), type, constructors: [], branches: [] }; // prettier-ignore
    this.#closures.set(key, made);
    return made;
  }

  #instance(type: Type & { readonly kind: "data" }): string {
    const key = JSON.stringify(type);
    const known = this.#instances.get(key);
    if (known !== undefined) return known;
    const name = this.#typeNames.fresh(type.name === "+" ? "Sum" : type.name);
    this.#instances.set(key, name);
    const constructors = this.#data.constructorsOf(type).map((each) => ({ ...each, fields: each.fields.map((field) => this.#type(field)) })); // prettier-ignore
    this.#declarations.push({ name, params: [], constructors, doc: "" });
    return name;
  }

  #holdsFunctions(root: Type): boolean {
    const seen = new Set<string>();
    const within = (type: Type): boolean => {
      if (type.kind === "fn") return true;
      if (typeParts(type).some(within)) return true;
      if (type.kind !== "data") return false;
      const key = JSON.stringify(type);
      if (seen.has(key)) return false;
      seen.add(key);
      return this.#data.constructorsOf(type).some(({ fields }) => fields.some(within));
    };
    return within(root);
  }
}

/** The constructor where there are no functions of a type, which are applied all the same: those of an empty array. */
function unmade(data: string): string {
  return `${data}0`;
}

/** A term of any type that is never evaluated: `[] ! 0`. */
function never(type: Type): Term {
  return b.indexOf(b.array(type, []), b.intLit(0), { definition: "apply", position: "", via: "" });
}
