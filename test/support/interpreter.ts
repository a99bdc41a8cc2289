// The meaning of core programs, written down a second time: evaluates a term directly, with every real carrying its gradient. What
// the stages give is compared with this; it also says what a comparison needs to know: the partials behind each gradient entry, how
// far the nearest kink is, and how often D1 would call backpropagators.

import { applyPrimitive } from "./interpreter-primitives.js";
import type { OpName } from "../../src/core/primitives.js";
import type { Entry, EntryParam, Fn, Program, Site, Term } from "../../src/core/term.js";
import { sumDecl, type Type } from "../../src/core/type.js";
import { Layouts, type Layout } from "../../src/emit/layouts.js";
import { literal, type Real } from "./real.js";
import type { Value } from "./random-arguments.js";

/** A run-time value; integers are numbers, reals carry their derivatives. */
export type Meaning = Real | number | boolean | readonly Meaning[] | Elements | Built | Applicable;

export interface Built {
  readonly tag: string;
  readonly fields: readonly Meaning[];
  readonly layout: Layout;
}

/** An array; `isNumbers` where it is one of reals. */
export interface Elements {
  readonly elements: readonly Meaning[];
  readonly isNumbers: boolean;
}

interface Applicable {
  readonly apply: (arg: Meaning) => Meaning;
}

/** A function of `let rec`; `group` gives the scope that holds it. */
interface Known {
  readonly fn: Fn;
  readonly group: { readonly scope: Scope | null };
}

interface Scope {
  readonly name: string;
  readonly is: Meaning | Known;
  readonly outer: Scope | null;
}

/** The program does more than `budget` steps. */
export class BudgetExceeded extends Error {}

export interface Outcome {
  readonly value: Meaning;
  /** The reals of the result, in order. */
  readonly reals: readonly Real[];
  /** How far the inputs are, at least, from where a branch, a tie or a rounding changes. */
  readonly margin: number;
  readonly steps: number;
  /** Operations on reals that depend on the inputs, whether they reach the result or not. */
  readonly operations: number;
}

/** The program ends in a run-time error, at a place in its text. */
export class Failure extends Error {
  constructor(
    readonly what: string,
    readonly site: Site | null,
  ) {
    super(what);
  }
}

/** Runs an entry of a program; `args` by the names of its interface. */
export function interpret(
  program: Program,
  entry: Entry,
  args: Readonly<Record<string, Value>>,
  budget: number,
): Outcome {
  const machine = new Machine(program, budget);
  const inputs = new Inputs(program, countReals(program, entry, args));
  const definition = program.definitions.find((d) => d.name === entry.name);
  if (definition === undefined) throw new Error(`no definition ${entry.name}`);
  const meanings = entry.params.map((param) => inputs.ofParam(param, args));
  const value = machine.call(definition, null, meanings);
  return { value, reals: realsOf(value), margin: machine.margin, steps: machine.steps, operations: machine.operations };
}

/** The reals of a first-order value, in order. */
export function realsOf(meaning: Meaning): readonly Real[] {
  if (typeof meaning !== "object") return [];
  if (isTuple(meaning)) return meaning.flatMap(realsOf);
  if ("elements" in meaning) return meaning.elements.flatMap(realsOf);
  if ("tag" in meaning) return meaning.fields.flatMap(realsOf);
  return "gradient" in meaning ? [meaning] : [];
}

/** As emitted modules give it; `real` says what stands for each real, counted from 0. */
export function plain(meaning: Meaning, real: (value: Real, index: number) => number = (r) => r.value): Value {
  let count = 0;
  const go = (m: Meaning): Value => {
    if (typeof m !== "object") return m;
    if (isTuple(m)) return m.length === 0 ? null : m.map(go);
    if ("elements" in m) {
      const elements = m.elements.map(go);
      return m.isNumbers ? Float64Array.from(elements.map(Number)) : elements;
    }
    if ("tag" in m) {
      const fields: { readonly [key: string]: Value } = Object.fromEntries(
        m.fields.map((field, i) => [m.layout.keys[i] ?? "", go(field)] as const),
      );
      return m.layout.isTagged ? { tag: m.tag, ...fields } : fields;
    }
    if ("gradient" in m) return real(m, count++);
    throw new Error("a function is not a first-order value");
  };
  return go(meaning);
}

function isTuple(meaning: Meaning): meaning is readonly Meaning[] {
  return Array.isArray(meaning);
}

function countReals(program: Program, entry: Entry, args: Readonly<Record<string, Value>>): number {
  const inputs = new Inputs(program, 0);
  entry.params.forEach((param) => inputs.ofParam(param, args));
  return inputs.count;
}

/** Makes the meanings of arguments: the k-th real has the k-th unit vector as its gradient. */
class Inputs {
  count = 0;
  private readonly layouts: Layouts;

  constructor(
    private readonly program: Program,
    private readonly total: number,
  ) {
    this.layouts = new Layouts(program.data);
  }

  ofParam(param: EntryParam, args: Readonly<Record<string, Value>>): Meaning {
    if (param.kind === "tuple") return param.items.map((item) => this.ofParam(item, args));
    const value = args[param.name];
    if (value === undefined) throw new Error(`no argument ${param.name}`);
    return this.of(param.type, value);
  }

  private of(type: Type, value: Value): Meaning {
    if (type.kind === "real" && typeof value === "number") return this.input(value);
    if (type.kind === "int" && typeof value === "number") return value;
    if (type.kind === "bool" && typeof value === "boolean") return value;
    if (type.kind === "tuple" && type.items.length === 0) return [];
    if (type.kind === "tuple" && isArray(value)) return type.items.map((item, i) => this.of(item, value[i] ?? null));
    if (type.kind === "array" && (isArray(value) || value instanceof Float64Array)) {
      const elements = Array.from<Value, Meaning>(value, (item) => this.of(type.element, item));
      return { elements, isNumbers: type.element.kind === "real" };
    }
    if (
      type.kind === "data" &&
      typeof value === "object" &&
      value !== null &&
      !isArray(value) &&
      !(value instanceof Float64Array)
    ) {
      const declaration = [...this.program.data, sumDecl].find((d) => d.name === type.name);
      const tag = this.layouts.isRecord(type.name) ? declaration?.constructors[0]?.name : value["tag"];
      const con = declaration?.constructors.find((c) => c.name === tag);
      if (declaration === undefined || con === undefined)
        throw new Error(`no constructor for ${JSON.stringify(value)}`);
      const at = new Map(declaration.params.map((param, i) => [param, type.args[i]]));
      const layout = this.layouts.of(type.name, con.name);
      const fields = con.fields.map((field, i) =>
        this.of(instance(field, at), fieldValue(value[layout.keys[i] ?? ""])),
      );
      return { tag: con.name, fields, layout };
    }
    throw new Error(`${JSON.stringify(value)} is not of type ${type.kind}`);
  }

  private input(value: number): Real {
    const k = this.count;
    this.count += 1;
    const unit = Array.from({ length: this.total }, (_, i) => (i === k ? 1 : 0));
    return { value, gradient: unit, partials: unit, calls: 1, operands: [] };
  }
}

function fieldValue(value: Value | string | undefined): Value {
  return typeof value === "string" || value === undefined ? null : value;
}

function isArray(value: Value): value is readonly Value[] {
  return Array.isArray(value);
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

class Machine {
  margin = Infinity;
  steps = 0;
  operations = 0;
  readonly #constants = new Map<string, Meaning>();
  readonly #layouts: Layouts;

  constructor(
    private readonly program: Program,
    private readonly budget: number,
  ) {
    this.#layouts = new Layouts(program.data);
  }

  call(fn: Fn, scope: Scope | null, args: readonly Meaning[]): Meaning {
    let inner = scope;
    for (const [i, param] of fn.params.entries()) inner = { name: param.name, is: args[i] ?? [], outer: inner };
    return this.value(fn.body, inner);
  }

  private known(name: string, args: readonly Meaning[], scope: Scope | null): Meaning {
    const local = find(scope, name);
    if (local !== undefined) {
      if (typeof local !== "object" || !("fn" in local)) throw new Error(`${name} is not a known function`);
      return this.call(local.fn, local.group.scope, args);
    }
    const definition = this.program.definitions.find((d) => d.name === name);
    if (definition === undefined) throw new Error(`no definition ${name}`);
    if (definition.params.length > 0) return this.call(definition, null, args);
    const value = this.#constants.get(name) ?? this.call(definition, null, []);
    this.#constants.set(name, value);
    return value;
  }

  #layoutOf(term: Term & { readonly kind: "con" }): Layout {
    if (term.type.kind !== "data") throw new Error("not data");
    return this.#layouts.of(term.type.name, term.name);
  }

  #operation(op: OpName, args: readonly Meaning[], site: Site | null): Meaning {
    try {
      const result = applyPrimitive(op, args, (distance) => {
        this.margin = Math.min(this.margin, distance);
      });
      if (typeof result === "object" && "gradient" in result && result.gradient.length > 0) this.operations += 1;
      return result;
    } catch (error) {
      if (error instanceof RangeError) throw new Failure(error.message, site);
      throw error;
    }
  }

  private value(term: Term, scope: Scope | null): Meaning {
    this.steps += 1;
    if (this.steps > this.budget) throw new BudgetExceeded("too much work");
    const value = (t: Term): Meaning => this.value(t, scope);
    switch (term.kind) {
      case "var": {
        const found = find(scope, term.name);
        if (found === undefined || (typeof found === "object" && "fn" in found))
          throw new Error(`unbound ${term.name}`);
        return found;
      }
      case "real":
        return literal(term.value);
      case "int":
      case "bool":
        return term.value;
      case "tuple":
      case "parallel":
        return term.items.map(value);
      case "proj": {
        const tuple = value(term.tuple);
        const item = typeof tuple === "object" && isTuple(tuple) ? tuple[term.index] : undefined;
        if (item === undefined) throw new Error("not a tuple");
        return item;
      }
      case "lam":
        return { apply: (arg) => this.value(term.body, { name: term.param, is: arg, outer: scope }) };
      case "app": {
        const fn = value(term.fn);
        if (typeof fn !== "object" || !("apply" in fn)) throw new Error("not a function");
        return fn.apply(value(term.arg));
      }
      case "call":
        return this.known(term.fn, term.args.map(value), scope);
      case "let":
        return this.value(term.body, { name: term.name, is: value(term.bound), outer: scope });
      case "letRec": {
        const group: { scope: Scope | null } = { scope };
        for (const fn of term.functions) group.scope = { name: fn.name, is: { fn, group }, outer: group.scope };
        return this.value(term.body, group.scope);
      }
      case "op":
        return this.#operation(term.op, term.args.map(value), term.site);
      case "con":
        return { tag: term.name, fields: term.args.map(value), layout: this.#layoutOf(term) };
      case "array":
        return { elements: term.items.map(value), isNumbers: term.element.kind === "real" };
      case "build": {
        const size = value(term.size);
        if (typeof size !== "number" || size < 0) throw new Failure("not a size", term.site);
        if (size > this.budget) throw new BudgetExceeded("too large an array");
        const element = (index: number): Meaning =>
          this.value(term.body, { name: term.index, is: index, outer: scope });
        return {
          elements: Array.from({ length: size }, (_, i) => element(i)),
          isNumbers: term.element.kind === "real",
        };
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
        const inner = branch.vars.reduce<Scope | null>(
          (outer, name, i) => ({ name, is: scrutinee.fields[i] ?? [], outer }),
          scope,
        );
        return this.value(branch.body, inner);
      }
      case "if":
        return value(value(term.cond) === true ? term.then : term.else);
    }
  }
}

function elementsOf(meaning: Meaning): readonly Meaning[] {
  if (typeof meaning !== "object" || !("elements" in meaning)) throw new Error("not an array");
  return meaning.elements;
}

function find(scope: Scope | null, name: string): Meaning | Known | undefined {
  for (let at = scope; at !== null; at = at.outer) if (at.name === name) return at.is;
  return undefined;
}
