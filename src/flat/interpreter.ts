// The meaning of flat programs: runs them statement by statement. What is still to be done stands on a stack of its own, so that recursion
// may be as deep as memory allows.

import { isRecurrent } from "./free-variables.js";
import { primitive } from "../core/primitives.js";
import type { Entry, EntryParam } from "../core/term.js";
import type { Type } from "../core/type.js";
import { siteText } from "../emit/lower/lower-operators.js";
import { valueOf as primitiveValue } from "./primitive-values.js";
import type { Atom, Block, End, Operation, Procedure, Program, Stmt, Var } from "./program.js";
import * as arrays from "../runtime/arrays.js";
import { builtOf, elementsOf, FlatValues, type FlatValue } from "./values.js";

/** A run has taken more statements than it may. */
export class TooManySteps extends Error {}

export interface RunOptions {
  /** Statements, before `TooManySteps` is thrown; no limit where left out. */
  readonly budget?: number;
  /** In a program with stores: whether a parameter is followed by its store. */
  readonly hasStore?: (param: Var) => boolean;
  /** What a number that is `known` is taken for: its value, or what it has the derivative of, which is the same but for rounding. */
  readonly known?: "value" | "from";
}

/**
 * The value of an entry at arguments as emitted modules take them, in the order of its interface; of a program with stores, too, whose results are followed by
 * theirs. Throws the model's own `RangeError`s, and `TooManySteps`.
 */
export function runFlat(
  program: Program,
  entry: Entry,
  args: readonly unknown[],
  result: Type,
  { budget = Infinity, hasStore = () => false, known = "value" }: RunOptions = {},
): unknown {
  const { procedure = "", arrays = { params: [], results: [] } } = program.entries.find((one) => one.entry.name === entry.name) ?? {}; // prettier-ignore
  const values = new FlatValues(program.data);
  const types = entry.params.flatMap(namedTypes);
  const machine = new Machine(program, budget, known);
  const leaves = types.flatMap((type, index) => values.taken(args[index], type));
  const inside = leaves.flatMap((leaf, index) => {
    const list = arrays.params[index] ?? null;
    return list === null ? [leaf] : machine.run(list.arrays, [leaf]);
  });
  const params = program.procedures.find(({ name }) => name === procedure)?.params ?? [];
  const stores = inside.filter((_, index) => params[index] !== undefined && hasStore(params[index]));
  const results = [...machine.run(procedure, [...inside, ...stores])];
  const outside: FlatValue[] = [];
  const wanted = values.countOf(result);
  while (outside.length < wanted && results.length > 0) {
    const list = arrays.results[outside.length] ?? null;
    const part = results.splice(0, list?.suffixes.length ?? 1);
    outside.push(...(list === null ? part : machine.run(list.list, part)));
  }
  return values.given(outside, result);
}

function namedTypes(param: EntryParam): readonly Type[] {
  return param.kind === "named" ? [param.type] : param.items.flatMap(namedTypes);
}

type Env = Map<string, FlatValue>;

/** A block that is being run. */
interface Activation {
  readonly env: Env;
  stmts: readonly Stmt[];
  at: number;
  end: End;
  /** Takes what the block yields. */
  readonly done: (values: readonly FlatValue[]) => void;
  /** Takes what the next iteration of the loop gets; null outside of loops. */
  readonly next: ((values: readonly FlatValue[]) => void) | null;
}

class Machine {
  readonly #procedures: ReadonlyMap<string, Procedure>;
  readonly #constants = new Map<string, readonly FlatValue[]>();
  readonly #stack: Activation[] = [];

  constructor(
    program: Program,
    private budget: number,
    private readonly known: "value" | "from",
  ) {
    this.#procedures = new Map(program.procedures.map((procedure) => [procedure.name, procedure]));
  }

  run(procedure: string, args: readonly FlatValue[]): readonly FlatValue[] {
    let result: readonly FlatValue[] = [];
    this.#call(procedure, args, (values) => (result = values));
    for (let top = this.#stack.at(-1); top !== undefined; top = this.#stack.at(-1)) {
      const stmt = top.stmts[top.at];
      top.at += 1;
      this.budget -= 1;
      if (this.budget < 0) throw new TooManySteps();
      if (stmt === undefined) this.#finish(top);
      else this.#stmt(stmt, top.env);
    }
    return result;
  }

  #call(name: string, args: readonly FlatValue[], done: (values: readonly FlatValue[]) => void): void {
    const procedure = this.#procedures.get(name);
    if (procedure === undefined) throw new Error(`no procedure ${name}`);
    const known = this.#constants.get(name);
    if (known !== undefined) {
      done(known);
      return;
    }
    const env: Env = new Map();
    bind([...procedure.captured, ...procedure.params], args, env);
    this.#start(procedure.body, env, (values) => {
      if (procedure.kind === "constant") this.#constants.set(name, values);
      done(values);
    });
  }

  #start({ stmts, end }: Block, env: Env, done: Activation["done"], next: Activation["next"] = null): void {
    this.#stack.push({ env, stmts, at: 0, end, done, next });
  }

  #finish(top: Activation): void {
    const { end, env } = top;
    const enter = ({ stmts, end: last }: Block): void => {
      top.stmts = stmts;
      top.at = 0;
      top.end = last;
    };
    switch (end.kind) {
      case "yield":
        this.#stack.pop();
        top.done(all(end.values, env));
        return;
      case "next":
        if (top.next === null) throw new Error("a next iteration outside of a loop");
        this.#stack.pop();
        top.next(all(end.values, env));
        return;
      case "if":
        enter(valueOf(end.cond, env) === true ? end.then : end.else);
        return;
      case "switch": {
        const { con } = builtOf(valueOf(end.object, env));
        const branch = end.branches.find((one) => one.con === con);
        if (branch === undefined) throw new Error(`no branch for ${con}`);
        enter(branch.body);
        return;
      }
    }
  }

  #stmt(stmt: Stmt, env: Env): void {
    switch (stmt.kind) {
      case "let":
        env.set(stmt.result.name, operation(stmt.op, env, this.known));
        return;
      case "check":
        if (stmt.check.kind === "size") arrays.arraySize(integer(stmt.check.size, env), siteText(stmt.site));
        else {
          const array = valueOf(stmt.check.array, env);
          const length = typeof array === "number" ? array : elementsOf(array).length;
          const index = integer(stmt.check.index, env);
          if (!(index >= 0 && index < length)) arrays.outside({ length }, index, siteText(stmt.site));
        }
        return;
      case "choose":
        this.#start({ stmts: [], end: stmt.end }, env, (values) => {
          bind(stmt.results, values, env);
        });
        return;
      case "call":
        this.#call(stmt.fn, all(stmt.args, env), (values) => {
          bind(stmt.results, values, env);
        });
        return;
      case "apply": {
        const fn = valueOf(stmt.fn, env);
        if (typeof fn !== "object" || fn.kind !== "closure") throw new Error("not a closure");
        this.#call(fn.code, [...fn.captured, ...all(stmt.args, env)], (values) => {
          bind(stmt.results, values, env);
        });
        return;
      }
      case "loop": {
        const made = stmt.arrays.map((): FlatValue[] => []);
        const iteration = (values: readonly FlatValue[]): void => {
          bind(stmt.params, values.slice(0, stmt.params.length), env);
          this.#start(stmt.body, env, done, (next) => {
            made.forEach((items, which) => items.push(there(next[stmt.params.length + which], "element")));
            iteration(next);
          });
        };
        const done = (values: readonly FlatValue[]): void => {
          bind(stmt.results, values, env);
          bind(stmt.arrays, made.map((items) => ({ kind: "array", items })), env); // prettier-ignore
        };
        iteration(all(stmt.init, env));
        return;
      }
      case "for": {
        const count = integer(stmt.count, env);
        const made = stmt.arrays.map((): FlatValue[] => []);
        if (isRecurrent(stmt)) bind(stmt.arrays, made.map((items) => ({ kind: "array", items })), env); // prettier-ignore
        const iteration = (index: number, values: readonly FlatValue[]): void => {
          if (index >= count) {
            bind(stmt.results, values, env);
            bind(stmt.arrays, made.map((items) => ({ kind: "array", items })), env); // prettier-ignore
            return;
          }
          env.set(stmt.index.name, index);
          bind(stmt.params, values, env);
          this.#start(stmt.body, env, (yielded) => {
            made.forEach((items, which) => items.push(yielded[stmt.params.length + which] ?? 0));
            iteration(index + 1, yielded.slice(0, stmt.params.length));
          });
        };
        iteration(0, all(stmt.init, env));
        return;
      }
    }
  }
}

function operation(op: Operation, env: Env, known: "value" | "from"): FlatValue {
  switch (op.kind) {
    case "copy":
      return valueOf(op.value, env);
    case "known":
      return valueOf(op[known], env);
    case "prim":
      return applied(op, all(op.args, env));
    case "field": {
      const { con, fields } = builtOf(valueOf(op.object, env));
      if (con !== op.con) throw new Error(`a field of ${op.con} in ${con}`);
      return there(fields[op.index], "field");
    }
    case "cell":
      return there(elementsOf(valueOf(op.array, env))[integer(op.index, env)], "cell");
    case "length":
      return elementsOf(valueOf(op.array, env)).length;
    case "object":
      return { kind: "object", con: op.con, fields: all(op.args, env) };
    case "array":
      return { kind: "array", items: all(op.items, env) };
    case "extern":
      throw new Error("a function of the caller has no text");
    case "closure":
      return { kind: "closure", code: op.code, captured: all(op.captured, env) };
    // What a store holds nobody asks here: it has the shape of what it belongs to
    case "realStore":
      return { kind: "array", items: Array.from({ length: integer(op.size, env) }, () => 0) };
    case "objectStore":
      return { kind: "object", con: op.con, fields: op.args.map((arg) => (arg === null ? 0 : valueOf(arg, env))) };
    case "zeroStore":
      return valueOf(op.value, env);
  }
}

function applied(
  { op, site, isEarly }: Operation & { readonly kind: "prim" },
  args: readonly FlatValue[],
): number | boolean {
  const scalars = args.map((arg) => (typeof arg === "boolean" ? arg : Number(arg)));
  try {
    return primitiveValue(op, scalars, siteText(site));
  } catch (error) {
    // Nobody asks for it then
    if (isEarly === true) return NaN;
    const isSure = primitive(op).mayFail && site === null;
    throw isSure ? new Error(`${op} fails where it cannot`, { cause: error }) : error;
  }
}

function valueOf(atom: Atom, env: Env): FlatValue {
  return atom.kind === "var" ? there(env.get(atom.variable.name), atom.variable.name) : atom.value;
}

function all(atoms: readonly Atom[], env: Env): FlatValue[] {
  return atoms.map((atom) => valueOf(atom, env));
}

function integer(atom: Atom, env: Env): number {
  const value = valueOf(atom, env);
  if (typeof value !== "number") throw new Error("not an integer");
  return value;
}

function there(value: FlatValue | undefined, what: string): FlatValue {
  if (value === undefined) throw new Error(`no ${what}`);
  return value;
}

function bind(variables: readonly Var[], values: readonly FlatValue[], env: Env): void {
  if (variables.length !== values.length) throw new Error(`${values.length} values for ${variables.length} variables`);
  variables.forEach(({ name }, index) => {
    env.set(name, there(values[index], name));
  });
}
