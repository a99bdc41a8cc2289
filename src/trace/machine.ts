// The meaning of core programs, written down a second time: evaluates a term as it stands, with whatever stands for a real. Slow, and as deep as
// JavaScript's stack; for explaining single runs, and for tests.

import type { OpName } from "../core/primitives.js";
import type { Entry, EntryParam, Fn, Program, Site, Term } from "../core/term.js";
import { sumDecl, type Type } from "../core/type.js";
import { Layouts, type Layout } from "../emit/layouts.js";

/** What stands for a real number. */
export interface RealLike {
  readonly value: number;
}

/** A run-time value; integers are numbers. */
export type Meaning<Real extends RealLike> =
  Real | number | boolean | readonly Meaning<Real>[] | Elements<Real> | Built<Real> | Applicable<Real>;

export interface Built<Real extends RealLike> {
  readonly tag: string;
  readonly fields: readonly Meaning<Real>[];
  readonly layout: Layout;
}

/** An array; `isNumbers` where it is one of reals. */
export interface Elements<Real extends RealLike> {
  readonly elements: readonly Meaning<Real>[];
  readonly isNumbers: boolean;
}

export interface Applicable<Real extends RealLike> {
  readonly apply: (arg: Meaning<Real>) => Meaning<Real>;
}

/** What is computed with reals. */
export interface Domain<Real extends RealLike> {
  literal(value: number): Real;
  /** Throws a RangeError where integers leave their range. */
  operation(op: OpName, args: readonly Meaning<Real>[], site: Site | null): Meaning<Real>;
  /** Runs the tasks of a fork; left out: one after the other. */
  inParallel?(tasks: readonly (() => Meaning<Real>)[]): readonly Meaning<Real>[];
}

/** The program does more than `budget` steps. */
export class BudgetExceeded extends Error {}

/** The program ends in a run-time error, at a place in its text. */
export class Failure extends Error {
  constructor(
    readonly what: string,
    readonly site: Site | null,
  ) {
    super(what);
  }
}

/** A function of `let rec`; `group` gives the scope that holds it. */
interface Known<Real extends RealLike> {
  readonly fn: Fn;
  readonly group: { readonly scope: Scope<Real> | null };
}

interface Scope<Real extends RealLike> {
  readonly name: string;
  readonly is: Meaning<Real> | Known<Real>;
  readonly outer: Scope<Real> | null;
}

/** The reals of a first-order value, in order. */
export function realsOf<Real extends RealLike>(meaning: Meaning<Real>): readonly Real[] {
  if (typeof meaning !== "object") return [];
  if (isTuple(meaning)) return meaning.flatMap((item) => realsOf(item));
  if ("elements" in meaning) return meaning.elements.flatMap((item) => realsOf(item));
  if ("tag" in meaning) return meaning.fields.flatMap((item) => realsOf(item));
  return "value" in meaning ? [meaning] : [];
}

export function isTuple<Real extends RealLike>(meaning: Meaning<Real>): meaning is readonly Meaning<Real>[] {
  return Array.isArray(meaning);
}

/** A value as emitted modules have it. */
type Plain = unknown;

/** Makes the meanings of arguments; `input` of each real, in order. */
export class Inputs<Real extends RealLike> {
  readonly #layouts: Layouts;

  constructor(
    private readonly program: Program,
    private readonly input: (value: number, path: string) => Real,
  ) {
    this.#layouts = new Layouts(program.data);
  }

  /** The parameter of a definition; `args` by the names of its interface. */
  ofParam(param: EntryParam, args: Readonly<Record<string, Plain>>): Meaning<Real> {
    if (param.kind === "tuple") return param.items.map((item) => this.ofParam(item, args));
    const value = args[param.name];
    if (value === undefined) throw new Error(`no argument ${param.name}`);
    return this.#of(param.type, value, param.name);
  }

  #of(type: Type, value: Plain, path: string): Meaning<Real> {
    switch (type.kind) {
      case "real":
        if (typeof value === "number") return this.input(value, path);
        break;
      case "int":
        if (typeof value === "number") return value;
        break;
      case "bool":
        if (typeof value === "boolean") return value;
        break;
      case "tuple":
        if (type.items.length === 0) return [];
        if (isList(value)) return type.items.map((item, i) => this.#of(item, value[i], `${path}[${i}]`));
        break;
      case "array":
        if (isList(value) || value instanceof Float64Array) {
          const items = Array.from<Plain>(value);
          const elements = items.map((item, i) => this.#of(type.element, item, `${path}[${i}]`));
          return { elements, isNumbers: type.element.kind === "real" };
        }
        break;
      case "data":
        if (isRecord(value)) return this.#data(type, value, path);
        break;
      case "fn":
      case "typeVar":
        break;
    }
    throw new Error(`${JSON.stringify(value)} is not of type ${type.kind}`);
  }

  #data(type: Type & { kind: "data" }, value: Readonly<Record<string, Plain>>, path: string): Meaning<Real> {
    const declaration = [...this.program.data, sumDecl].find(({ name }) => name === type.name);
    const tag = this.#layouts.isRecord(type.name) ? declaration?.constructors[0]?.name : value["tag"];
    const con = declaration?.constructors.find(({ name }) => name === tag);
    if (declaration === undefined || con === undefined) throw new Error(`no constructor for ${JSON.stringify(value)}`);
    const at = new Map(declaration.params.map((param, i) => [param, type.args[i]]));
    const layout = this.#layouts.of(type.name, con.name);
    const fields = con.fields.map((field, i) => {
      const key = layout.keys[i] ?? "";
      return this.#of(instance(field, at), value[key], `${path}.${key}`);
    });
    return { tag: con.name, fields, layout };
  }
}

function isList(value: Plain): value is readonly Plain[] {
  return Array.isArray(value);
}

function isRecord(value: Plain): value is Readonly<Record<string, Plain>> {
  return typeof value === "object" && value !== null && !isList(value) && !ArrayBuffer.isView(value);
}

function instance(type: Type, at: ReadonlyMap<string, Type | undefined>): Type {
  switch (type.kind) {
    case "typeVar":
      return at.get(type.name) ?? type;
    case "tuple":
      return { kind: "tuple", items: type.items.map((item) => instance(item, at)) };
    case "data":
      return { kind: "data", name: type.name, args: type.args.map((arg) => instance(arg, at)) };
    case "array":
      return { kind: "array", element: instance(type.element, at) };
    default:
      return type;
  }
}

/** Told the name of a variable, and what it is bound to. */
export type BindingListener<Real extends RealLike> = (name: string, meaning: Meaning<Real>) => void;

/** What is called and has no text: a derivative that is not resolved. */
export type Foreign<Real extends RealLike> = (name: string, args: readonly Meaning<Real>[]) => Meaning<Real>;

/** Evaluates the definitions of a program. */
export class Machine<Real extends RealLike> {
  steps = 0;
  readonly #constants = new Map<string, Meaning<Real>>();
  readonly #layouts: Layouts;

  constructor(
    private readonly program: Program,
    private readonly domain: Domain<Real>,
    private readonly budget: number,
    private readonly onBinding: BindingListener<Real> = () => undefined,
    private readonly foreign: Foreign<Real> = (name) => {
      throw new Error(`no definition ${name}`);
    },
  ) {
    this.#layouts = new Layouts(program.data);
  }

  /** The value of an entry. */
  entry({ name }: Entry, args: readonly Meaning<Real>[]): Meaning<Real> {
    const definition = this.program.definitions.find((each) => each.name === name);
    if (definition === undefined) throw new Error(`no definition ${name}`);
    return this.#call(definition, null, args);
  }

  #call(fn: Fn, scope: Scope<Real> | null, args: readonly Meaning<Real>[]): Meaning<Real> {
    let inner = scope;
    for (const [i, param] of fn.params.entries()) inner = this.#bound(param.name, args[i] ?? [], inner);
    return this.#value(fn.body, inner);
  }

  #bound(name: string, is: Meaning<Real>, outer: Scope<Real> | null): Scope<Real> {
    this.onBinding(name, is);
    return { name, is, outer };
  }

  #known(name: string, args: readonly Meaning<Real>[], scope: Scope<Real> | null): Meaning<Real> {
    const local = find(scope, name);
    if (local !== undefined) {
      if (typeof local !== "object" || !("fn" in local)) throw new Error(`${name} is not a known function`);
      return this.#call(local.fn, local.group.scope, args);
    }
    const definition = this.program.definitions.find((each) => each.name === name);
    if (definition === undefined) return this.foreign(name, args);
    if (definition.params.length > 0) return this.#call(definition, null, args);
    const value = this.#constants.get(name) ?? this.#call(definition, null, []);
    this.#constants.set(name, value);
    return value;
  }

  #layoutOf(term: Term & { readonly kind: "con" }): Layout {
    if (term.type.kind !== "data") throw new Error("not data");
    return this.#layouts.of(term.type.name, term.name);
  }

  #tasks(tasks: readonly (() => Meaning<Real>)[]): readonly Meaning<Real>[] {
    return this.domain.inParallel?.(tasks) ?? tasks.map((task) => task());
  }

  #operation(op: OpName, args: readonly Meaning<Real>[], site: Site | null): Meaning<Real> {
    try {
      return this.domain.operation(op, args, site);
    } catch (error) {
      // No regular expression: where the stack is full it is a `SyntaxError`
      if (error instanceof RangeError && !error.message.includes("call stack")) throw new Failure(error.message, site);
      throw error;
    }
  }

  #size(size: Meaning<Real>, site: Site | null): number {
    if (typeof size !== "number" || size < 0) throw new Failure("not a size", site);
    if (size > this.budget) throw new BudgetExceeded("too large an array");
    return size;
  }

  #value(term: Term, scope: Scope<Real> | null): Meaning<Real> {
    this.steps += 1;
    if (this.steps > this.budget) throw new BudgetExceeded("too much work");
    const value = (t: Term): Meaning<Real> => this.#value(t, scope);
    switch (term.kind) {
      case "var": {
        const found = find(scope, term.name);
        if (found === undefined || (typeof found === "object" && "fn" in found))
          throw new Error(`unbound ${term.name}`);
        return found;
      }
      case "real":
        return this.domain.literal(term.value);
      case "int":
      case "bool":
        return term.value;
      case "tuple":
        return term.items.map(value);
      case "parallel":
        return this.#tasks(term.items.map((item) => () => value(item)));
      case "proj": {
        const tuple = value(term.tuple);
        const item = typeof tuple === "object" && isTuple(tuple) ? tuple[term.index] : undefined;
        if (item === undefined) throw new Error("not a tuple");
        return item;
      }
      case "lam":
        return { apply: (arg) => this.#value(term.body, this.#bound(term.param, arg, scope)) };
      case "app": {
        const fn = value(term.fn);
        if (typeof fn !== "object" || !("apply" in fn)) throw new Error("not a function");
        return fn.apply(value(term.arg));
      }
      case "call":
        return this.#known(term.fn, term.args.map(value), scope);
      case "let":
        return this.#value(term.body, this.#bound(term.name, value(term.bound), scope));
      case "letRec": {
        const group: { scope: Scope<Real> | null } = { scope };
        for (const fn of term.functions) group.scope = { name: fn.name, is: { fn, group }, outer: group.scope };
        return this.#value(term.body, group.scope);
      }
      case "op":
        return this.#operation(term.op, term.args.map(value), term.site);
      case "con":
        return { tag: term.name, fields: term.args.map(value), layout: this.#layoutOf(term) };
      case "array":
        return { elements: term.items.map(value), isNumbers: term.element.kind === "real" };
      case "build": {
        const size = this.#size(value(term.size), term.site);
        const element = (index: number): Meaning<Real> => this.#value(term.body, this.#bound(term.index, index, scope));
        const tasks = Array.from({ length: size }, (_, i) => () => element(i));
        return {
          elements: term.inParallel === true ? this.#tasks(tasks) : tasks.map((task) => task()),
          isNumbers: term.element.kind === "real",
        };
      }
      case "scan": {
        const given = value(term.size);
        let carried = value(term.start);
        const elements: Meaning<Real>[] = [];
        for (let index = 0, size = this.#size(given, term.site); index < size; index += 1) {
          const inner = this.#bound(term.carried, carried, this.#bound(term.index, index, scope));
          const pair = this.#value(term.body, inner);
          const [next, element] = typeof pair === "object" && isTuple(pair) ? pair : [];
          if (next === undefined || element === undefined) throw new Error("not a pair");
          carried = next;
          elements.push(element);
        }
        return [carried, { elements, isNumbers: term.element.kind === "real" }];
      }
      case "index": {
        const elements = elementsOf(value(term.array));
        const item = elements[Number(value(term.index))];
        if (item === undefined) throw new Failure("outside of the array", term.site);
        return item;
      }
      case "length":
        return elementsOf(value(term.array)).length;
      case "case": {
        const scrutinee = value(term.scrutinee);
        if (typeof scrutinee !== "object" || !("tag" in scrutinee)) throw new Error("not data");
        const branch = term.branches.find((b) => b.con === scrutinee.tag);
        if (branch === undefined) throw new Error(`no branch for ${scrutinee.tag}`);
        const inner = branch.vars.reduce(
          (outer, name, i) => this.#bound(name, scrutinee.fields[i] ?? [], outer),
          scope,
        );
        return this.#value(branch.body, inner);
      }
      case "if":
        return value(value(term.cond) === true ? term.then : term.else);
    }
  }
}

function elementsOf<Real extends RealLike>(meaning: Meaning<Real>): readonly Meaning<Real>[] {
  if (typeof meaning !== "object" || !("elements" in meaning)) throw new Error("not an array");
  return meaning.elements;
}

function find<Real extends RealLike>(scope: Scope<Real> | null, name: string): Meaning<Real> | Known<Real> | undefined {
  for (let at = scope; at !== null; at = at.outer) if (at.name === name) return at.is;
  return undefined;
}
