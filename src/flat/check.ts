// The invariants of flat programs. They find our mistakes, not the user's.

import { isRecurrent } from "./free-variables.js";
import { scalarType } from "../core/build.js";
import { primitive } from "../core/primitives.js";
import type { DataDecl, Type } from "../core/type.js";
import { InternalError } from "../internal-error.js";
import { arrayOf, repOf } from "./build.js";
import { Leaves } from "./leaves.js";
import { printOperation, printProcedure, printRep } from "./print.js";
import * as rep from "./program.js";
import type { Atom, Block, End, Operation, Procedure, Program, Rep, Stmt, Var } from "./program.js";

/** Throws an `InternalError` that names the procedure if a program is not as `program.ts` says. */
export function assertFlat(program: Program): void {
  const checker = new FlatChecker(program.data, program.procedures);
  for (const procedure of program.procedures) checker.procedure(procedure);
  for (const { entry, procedure } of program.entries) {
    if (!checker.has(procedure)) throw new InternalError("flat check", `the entry ${entry.name} has no procedure`);
  }
}

/** What a block may end with: what it yields, and what the next iteration of its loop takes (null outside of loops). */
interface Ends {
  readonly yields: readonly Rep[];
  readonly next: readonly Rep[] | null;
}

/** `callable`: what can be called. */
export class FlatChecker {
  readonly #leaves: Leaves;
  readonly #procedures = new Map<string, Procedure>();
  /** All variables so far: each is bound once in a program. */
  readonly #bound = new Set<string>();
  readonly #scope = new Map<string, Rep>();
  #current: Procedure | null = null;

  /** `hasStores`: arguments and results of closures are followed by their stores. */
  constructor(
    data: readonly DataDecl[],
    callable: readonly Procedure[],
    private readonly hasStores = false,
  ) {
    this.#leaves = new Leaves(data);
    for (const procedure of callable) {
      if (this.#procedures.has(procedure.name)) this.#fail(`${procedure.name} is defined twice`);
      this.#procedures.set(procedure.name, procedure);
    }
  }

  has(procedure: string): boolean {
    return this.#procedures.has(procedure);
  }

  procedure(procedure: Procedure): void {
    this.#current = procedure;
    const { captured, params, results, body, kind } = procedure;
    if (kind === "constant" && params.length > 0) this.#fail("a constant with parameters");
    if (kind !== "lambda" && captured.length > 0) this.#fail("captured variables outside of a lambda");
    const bound = [...captured, ...params];
    this.#bind(bound);
    this.#block(body, { yields: results, next: null });
    this.#leave(bound);
  }

  #block({ stmts, end }: Block, ends: Ends): void {
    const bound: Var[] = [];
    for (const stmt of stmts) {
      const results = this.#stmt(stmt);
      this.#bind(results);
      bound.push(...results);
    }
    this.#end(end, ends);
    this.#leave(bound);
  }

  #end(end: End, ends: Ends): void {
    switch (end.kind) {
      case "yield":
        this.#all(end.values, ends.yields, "yield");
        return;
      case "next":
        this.#all(end.values, ends.next ?? this.#fail("a next iteration outside of a loop"), "next");
        return;
      case "if":
        this.#atom(end.cond, rep.bool, "the condition");
        this.#block(end.then, ends);
        this.#block(end.else, ends);
        return;
      case "switch": {
        this.#atom(end.object, { kind: "object", type: end.type }, "what is switched on");
        const constructors = this.#constructors(end.type);
        if (constructors.length !== end.branches.length) this.#fail("not one branch for each constructor");
        end.branches.forEach(({ con, body }, index) => {
          if (constructors[index] !== con) this.#fail(`branch ${index + 1} is not for ${con}`);
          this.#block(body, ends);
        });
        return;
      }
    }
  }

  /** The variables that a statement binds for those that follow. */
  #stmt(stmt: Stmt): readonly Var[] {
    switch (stmt.kind) {
      case "let":
        this.#let(stmt.result, stmt.op);
        return [stmt.result];
      case "check":
        if (stmt.check.kind === "size") this.#atom(stmt.check.size, rep.int, "a size");
        else {
          this.#atom(stmt.check.index, rep.int, "an index");
          this.#array(stmt.check.array, true);
        }
        return [];
      case "choose":
        this.#end(stmt.end, { yields: repsOf(stmt.results), next: null });
        return stmt.results;
      case "call": {
        const callee = this.#procedures.get(stmt.fn) ?? this.#fail(`there is no procedure ${stmt.fn}`);
        if (callee.kind === "lambda") this.#fail(`${stmt.fn} is the code of a lambda`);
        this.#all(stmt.args, repsOf(callee.params), `the arguments of ${stmt.fn}`);
        this.#every(repsOf(stmt.results), callee.results, `the results of ${stmt.fn}`);
        return stmt.results;
      }
      case "apply": {
        const fn = this.#known(stmt.fn);
        if (fn.kind !== "closure") return this.#fail("an application of something else than a closure");
        this.#all(stmt.args, this.#withStores(fn.from), "the arguments of a closure");
        this.#results(repsOf(stmt.results), fn.to, "the results of a closure");
        return stmt.results;
      }
      case "loop": {
        const params = repsOf(stmt.params);
        const elements = stmt.arrays.map((array) => this.#element(array));
        this.#all(stmt.init, params, "the start of a loop");
        this.#bind(stmt.params);
        this.#block(stmt.body, { yields: repsOf(stmt.results), next: [...params, ...elements] });
        this.#leave(stmt.params);
        return [...stmt.results, ...stmt.arrays];
      }
      case "for": {
        const params = repsOf(stmt.params);
        const elements = stmt.arrays.map((array) => this.#element(array));
        this.#same(stmt.index.rep, rep.int, "the index of a loop");
        this.#atom(stmt.count, rep.int, "the count of a loop");
        this.#all(stmt.init, params, "the start of a loop");
        this.#every(repsOf(stmt.results), params, "the results of a loop");
        const inside = [stmt.index, ...stmt.params];
        const isOwn = isRecurrent(stmt);
        this.#bind(isOwn ? [...inside, ...stmt.arrays] : inside);
        this.#block(stmt.body, { yields: [...params, ...elements], next: null });
        this.#leave(inside);
        return isOwn ? stmt.results : [...stmt.results, ...stmt.arrays];
      }
    }
  }

  #let(result: Var, op: Operation): void {
    if (op.kind === "closure") this.#closure(result.rep, op);
    else this.#same(this.#operation(op), result.rep, `${result.name} = ${printOperation(op)}`);
  }

  /** A closure has the type of the variable that it is bound to; its code has the leaves of that. */
  #closure(held: Rep, { code: name, captured }: Operation & { readonly kind: "closure" }): void {
    const code = this.#procedures.get(name) ?? this.#fail(`there is no procedure ${name}`);
    if (code.kind !== "lambda") this.#fail(`${name} is not the code of a lambda`);
    if (held.kind !== "closure") return this.#fail(`a closure as a ${held.kind}`);
    this.#all(captured, repsOf(code.captured), `what ${name} captures`);
    this.#every(repsOf(code.params), this.#withStores(held.from), `the parameters of ${name}`);
    this.#results(code.results, held.to, `the results of ${name}`);
  }

  /** The leaves of what a closure takes, with stores for those that can have one. */
  #withStores(type: Type): readonly Rep[] {
    const leaves = this.#leaves.of(type);
    const stored = this.hasStores ? leaves.filter((leaf) => this.#leaves.hasStore(leaf)) : [];
    return [...leaves, ...stored.map(storeOf)];
  }

  /** What a closure gives: leaves, then stores of those that are active. */
  #results(found: readonly Rep[], type: Type, what: string): void {
    const leaves = this.#leaves.of(type);
    this.#every(found.slice(0, leaves.length), leaves, what);
    const possible = this.#withStores(type).slice(leaves.length).map(printRep);
    for (const rep of found.slice(leaves.length).map(printRep)) {
      const place = possible.indexOf(rep);
      if (place === -1) this.#fail(`${what}: ${rep} is one too many`);
      possible.splice(0, place + 1);
    }
  }

  #operation(op: Exclude<Operation, { readonly kind: "closure" }>): Rep {
    switch (op.kind) {
      case "copy":
        return this.#known(op.value);
      case "known":
        this.#all([op.value, op.from], [rep.real, rep.real], "a known number");
        return rep.real;
      case "prim": {
        const { params, result, mayFail } = primitive(op.op);
        this.#all(op.args, params.map((param) => this.#leaf(scalarType(param))), op.op); // prettier-ignore
        if (op.site !== null && !mayFail) this.#fail(`${op.op} has no site`);
        return this.#leaf(scalarType(result));
      }
      case "field": {
        const known = this.#known(op.object);
        const object = known.kind === "store" ? known.of : known;
        if (object.kind !== "object") return this.#fail("a field of something else than an object");
        const field = this.#fields(object.type, op.con)[op.index] ?? this.#fail(`${op.con} has no leaf ${op.index}`);
        return known.kind === "store" ? storeOf(field) : field;
      }
      case "cell":
        this.#atom(op.index, rep.int, "an index");
        return this.#array(op.array, false);
      case "length":
        this.#array(op.array, false);
        return rep.int;
      case "object":
        this.#all(op.args, this.#fields(op.type, op.con), op.con);
        return { kind: "object", type: op.type };
      case "extern":
        for (const arg of op.args) this.#known(arg);
        return op.result;
      case "array":
        for (const item of op.items) this.#atom(item, op.element, "an item");
        return arrayOf(op.element);
      case "realStore":
        this.#atom(op.size, rep.int, "a size");
        return { kind: "store", of: { kind: "array", element: rep.real } };
      case "objectStore": {
        const fields = this.#fields(op.type, op.con);
        if (fields.length !== op.args.length) this.#fail(`${op.args.length} stores for ${op.con}`);
        for (const arg of op.args) if (arg !== null) this.#known(arg);
        return { kind: "store", of: { kind: "object", type: op.type } };
      }
      case "zeroStore":
        return { kind: "store", of: this.#known(op.value) };
    }
  }

  #constructors(type: Type): readonly string[] {
    if (type.kind !== "data" || this.#leaves.isSplit(type)) return this.#fail("an object of a type that is split");
    return this.#leaves.types.constructorsOf(type).map(({ name }) => name);
  }

  #fields(type: Type, con: string): readonly Rep[] {
    this.#constructors(type);
    return this.#leaves.fieldsOf(type, con).flat();
  }

  #array(atom: Atom, orLength: boolean): Rep {
    const array = this.#known(atom);
    if (array.kind === "array") return array.element;
    if (array.kind === "store" && array.of.kind === "array") return storeOf(array.of.element);
    return orLength && array.kind === "int" ? array : this.#fail("an array that is none");
  }

  #element({ name, rep: held }: Var): Rep {
    if (held.kind === "store" && held.of.kind === "array") return storeOf(held.of.element);
    return held.kind === "array" ? held.element : this.#fail(`${name} is not an array`);
  }

  #leaf(type: Type): Rep {
    return this.#leaves.of(type)[0] ?? this.#fail("a type without leaves");
  }

  #all(atoms: readonly Atom[], reps: readonly Rep[], what: string): void {
    this.#every(atoms.map((atom) => this.#known(atom)), reps, what); // prettier-ignore
  }

  #every(found: readonly Rep[], expected: readonly Rep[], what: string): void {
    if (found.length !== expected.length) this.#fail(`${what}: ${found.length} instead of ${expected.length}`);
    found.forEach((one, index) => {
      this.#same(one, expected[index] ?? one, `${what}, ${index + 1}`);
    });
  }

  #atom(atom: Atom, expected: Rep, what: string): void {
    this.#same(this.#known(atom), expected, what);
  }

  /** What an atom that is in scope holds. */
  #known(atom: Atom): Rep {
    if (atom.kind !== "var") return repOf(atom);
    const { name } = atom.variable;
    const bound = this.#scope.get(name) ?? this.#fail(`${name} is not in scope`);
    this.#same(atom.variable.rep, bound, name);
    return bound;
  }

  #same(found: Rep, expected: Rep, what: string): void {
    if (found !== expected && printRep(found) !== printRep(expected)) {
      this.#fail(`${what}: ${printRep(found)} instead of ${printRep(expected)}`);
    }
  }

  #bind(variables: readonly Var[]): void {
    for (const { name, rep: held } of variables) {
      if (this.#bound.has(name) || this.#procedures.has(name)) this.#fail(`${name} is bound twice`);
      this.#bound.add(name);
      this.#scope.set(name, held);
    }
  }

  #leave(variables: readonly Var[]): void {
    for (const { name } of variables) this.#scope.delete(name);
  }

  #fail(message: string): never {
    if (this.#current === null) throw new InternalError("flat check", message);
    throw new InternalError("flat check", `[${this.#current.name}] ${message}`, printProcedure(this.#current));
  }
}

function repsOf(variables: readonly Var[]): readonly Rep[] {
  return variables.map((variable) => variable.rep);
}

function storeOf(held: Rep): Rep {
  return { kind: "store", of: held };
}
