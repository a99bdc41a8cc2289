// Simplification: what is known of a value is used where the value is.
//
//   let x = a in t                              =>  t[a/x]                       a a variable or a literal
//   let x = (let y = s in t) in u               =>  let y = s in let x = t in u  likewise where another term is evaluated first
//   let x = (s1, .., sn) in .. x.i ..           =>  let x1 = s1 in .. let x = (x1, .., xn) in .. xi ..
//   case C s1 .. sn of { .. C x1 .. xn -> t .. }  =>  let x1 = s1 in .. t        also where it is known that a variable is C a1 .. an
//   length (build n (\i. t))                    =>  n                            of a variable bound to it; likewise of [t1, .., tn]
//   if true then s else t                       =>  s                            also where it is known that a variable is true
//   if s then true else false                   =>  s
//   if s then true else true                    =>  let y = s in true            for `s || true`; likewise of false
//   op(literals)                                =>  a literal                    and other laws of `constants.ts`
//
// What nothing uses any more goes in `dead-code.ts`, which ends this pass.

import * as b from "../core/build.js";
import type { Branch, Fn, Program, Term } from "../core/term.js";
import { allTerms } from "../core/traverse.js";
import { DataTypes } from "../core/type-parts.js";
import type { Type } from "../core/type.js";
import { foldOperation } from "./constants.js";
import { removeDeadCode } from "./dead-code.js";
import { isTotal } from "./term-facts.js";
import { mapSame, withParts } from "../same.js";
import { mapBinding, mapDefinitions, mapSubterms, withBindings, withBody } from "./rewrite.js";
import type { Binding, Simple } from "./rewrite.js";
import type { VariableNames } from "./variable-names.js";

export function simplify(program: Program, names: VariableNames): Program {
  const types = new DataTypes(program.data);
  return removeDeadCode(mapDefinitions(program, (fn) => new Simplification(fn, types, names).fn(), settled));
}

/** Definitions that are simple. */
const settled = new WeakSet<Fn>();

/** What a variable is known to be: made of atoms. */
type Known = Term & { readonly kind: "tuple" | "con" | "array" | "build" };

class Simplification {
  readonly #fn: Fn;
  readonly #types: DataTypes;
  readonly #names: VariableNames;
  readonly #uses: PartUses;
  /** What variables are replaced by. */
  readonly #values = new Map<string, Term>();
  readonly #known = new Map<string, Known>();

  constructor(fn: Fn, types: DataTypes, names: VariableNames) {
    this.#fn = fn;
    this.#types = types;
    this.#names = names;
    this.#uses = findPartUses(fn.body);
  }

  fn(): Fn {
    return withBody(this.#fn, this.#term(this.#fn.body));
  }

  readonly #term = (start: Term): Term => {
    const around: Binding[] = [];
    let term = start;
    for (;;) {
      if (term.kind === "let") {
        this.#let(term, around);
        term = term.body;
      } else if (term.kind === "letRec") {
        around.push(mapBinding(term, this.#term));
        term = term.body;
      } else {
        const step = this.#step(term, around);
        if (step.done) return withBindings(around, step.term);
        term = step.term;
      }
    }
  };

  // Bindings

  #let(term: Binding & { readonly kind: "let" }, around: Binding[]): void {
    this.#bind(term, this.#term(term.bound), around);
  }

  /** A `let` of what is simple already. */
  #bind(term: Binding & { readonly kind: "let" }, simple: Term, around: Binding[]): void {
    const bound = this.#hoisted(simple, around);
    const whole = this.#withAtoms(bound, term, around);
    if (b.isAtom(whole)) {
      this.#replace(term.name, whole);
      return;
    }
    if (isKnown(whole)) this.#known.set(term.name, whole);
    around.push(withParts(term, { bound: whole }));
  }

  #replace(name: string, atom: Term): void {
    if (atom.kind === "var") this.#names.merge(atom.name, name);
    this.#values.set(name, atom);
  }

  /** Moves the `let`s at the top of a term that is evaluated next. A `let rec` stays with what calls it: together they are a loop. */
  #hoisted(start: Term, around: Binding[]): Term {
    let term = start;
    for (; term.kind === "let"; term = term.body) around.push(term);
    return term;
  }

  /** A tuple, constructor or size whose parts are used by themselves, with these bound to variables. */
  #withAtoms(bound: Term, { name, type }: Binding & { readonly kind: "let" }, around: Binding[]): Term {
    const parts = this.#uses.get(name);
    if (parts === undefined) return bound;
    if (bound.kind === "tuple") {
      const types = type.kind === "tuple" ? type.items : [];
      return withParts(bound, { items: this.#atoms(bound.items, types, parts.names, "part", around) });
    }
    if (bound.kind === "con") {
      return withParts(bound, { args: this.#atoms(bound.args, this.#fields(bound), parts.names, "field", around) });
    }
    if (bound.kind === "build") {
      const [size = bound.size] = this.#atoms([bound.size], [b.int], [], "n", around);
      return withParts(bound, { size });
    }
    return bound;
  }

  #atoms(
    terms: readonly Term[],
    types: readonly Type[],
    hints: readonly (string | undefined)[],
    otherwise: string,
    around: Binding[],
  ): readonly Term[] {
    return mapSame(terms, (term, index) => {
      const type = types[index];
      if (b.isAtom(term) || type === undefined) return term;
      const name = this.#names.fresh(hints[index] ?? otherwise);
      around.push({ kind: "let", name, type, bound: term, body: term });
      if (isKnown(term)) this.#known.set(name, term);
      return b.variable(name);
    });
  }

  /** The types of a constructor's fields. */
  #fields({ name, type }: Term & { readonly kind: "con" }): readonly Type[] {
    if (type.kind !== "data") return [];
    return this.#types.constructorsOf(type).find((constructor) => constructor.name === name)?.fields ?? [];
  }

  // The end of a chain of bindings

  /** Either what it is, or another term that is still to be simplified. `around` takes what is evaluated before. */
  #step(term: Simple, around: Binding[]): { readonly done: boolean; readonly term: Term } {
    const done = (result: Term) => ({ done: true, term: result });
    switch (term.kind) {
      case "var":
        return done(this.#values.get(term.name) ?? term);
      case "if":
        return this.#if(term, around);
      case "case":
        return this.#case(term, around);
      case "lam":
      case "parallel":
        return done(mapSubterms(term, this.#term));
      case "build": {
        const size = this.#hoisted(this.#term(term.size), around);
        const body = this.#term(term.body);
        return done(withParts(term, { size, body }));
      }
      case "scan": {
        const operand = this.#evaluatedNext(around);
        const [size, start] = [operand(term.size), operand(term.start)];
        const body = this.#term(term.body);
        return done(withParts(term, { size, start, body }));
      }
      default:
        return done(this.#reduced(mapSubterms(term, this.#evaluatedNext(around))));
    }
  }

  /** For the operands of a term, from the first: the `let`s of one are moved as long as those before it do nothing that may fail. */
  #evaluatedNext(around: Binding[]): (part: Term) => Term {
    let mayMove = true;
    return (part) => {
      const simple = this.#term(part);
      if (!mayMove) return simple;
      const rest = this.#hoisted(simple, around);
      mayMove = isTotal(rest);
      return rest;
    };
  }

  /** A term whose parts are simple. */
  #reduced(term: Simple): Term {
    switch (term.kind) {
      case "op":
        return foldOperation(term) ?? term;
      case "proj": {
        const tuple = this.#knownAs(term.tuple);
        if (tuple?.kind !== "tuple") return term;
        const item = tuple.items[term.index];
        if (item === undefined) return term;
        // What stands in a tuple that is written here is evaluated here
        return (tuple === term.tuple ? isOnlyTotal(tuple.items, item) : b.isAtom(item)) ? item : term;
      }
      case "length": {
        const array = this.#knownAs(term.array);
        if (array?.kind === "array" && isTotal(array)) return b.intLit(array.items.length);
        return array?.kind === "build" && array !== term.array && b.isAtom(array.size) ? array.size : term;
      }
      case "index": {
        const array = this.#knownAs(term.array);
        if (array?.kind !== "array" || term.index.kind !== "int") return term;
        const item = array.items[term.index.value];
        return item !== undefined && b.isAtom(item) && isTotal(array) ? item : term;
      }
      default:
        return term;
    }
  }

  /** A term, or what a variable is known to be. */
  #knownAs(term: Term): Known | null {
    if (term.kind === "var") return this.#known.get(term.name) ?? null;
    return isKnown(term) ? term : null;
  }

  #if(term: Term & { readonly kind: "if" }, around: Binding[]): { readonly done: boolean; readonly term: Term } {
    const cond = this.#hoisted(this.#term(term.cond), around);
    if (cond.kind === "bool") return { done: false, term: cond.value ? term.then : term.else };
    const then = this.#where(cond, true, term.then);
    const otherwise = this.#where(cond, false, term.else);
    if (then.kind === "bool" && otherwise.kind === "bool") {
      if (then.value === otherwise.value) return { done: true, term: this.#after(cond, then, around) };
      if (then.value) return { done: true, term: cond };
    }
    if (isNegation(cond)) return { done: true, term: { ...term, cond: cond.cond, then: otherwise, else: then } };
    return { done: true, term: withParts(term, { cond, then, else: otherwise }) };
  }

  /** What does not depend on a condition, which is evaluated all the same: it may fail. */
  #after(cond: Term, term: Term, around: Binding[]): Term {
    if (isTotal(cond)) return term;
    around.push({ kind: "let", name: this.#names.fresh("unused"), type: b.bool, bound: cond, body: cond });
    return term;
  }

  /** A branch, in which the condition has one value. */
  #where(cond: Term, value: boolean, branch: Term): Term {
    if (cond.kind !== "var") return this.#term(branch);
    this.#values.set(cond.name, b.boolLit(value));
    const simple = this.#term(branch);
    this.#values.delete(cond.name);
    return simple;
  }

  #case(term: Term & { readonly kind: "case" }, around: Binding[]): { readonly done: boolean; readonly term: Term } {
    const scrutinee = this.#hoisted(this.#term(term.scrutinee), around);
    const known = this.#knownAs(scrutinee);
    const branch = known?.kind === "con" ? term.branches.find(({ con }) => con === known.name) : undefined;
    if (known?.kind === "con" && branch !== undefined && (known === scrutinee || known.args.every(b.isAtom))) {
      this.#bindFields(branch, known, around);
      return { done: false, term: branch.body };
    }
    const branches = mapSame(term.branches, (each) => this.#branch(each, scrutinee));
    return { done: true, term: withParts(term, { scrutinee, branches }) };
  }

  #bindFields({ vars }: Branch, con: Term & { readonly kind: "con" }, around: Binding[]): void {
    const types = this.#fields(con);
    vars.forEach((name, index) => {
      const [bound, type] = [con.args[index], types[index]];
      if (bound === undefined) return;
      if (b.isAtom(bound)) this.#replace(name, bound);
      else if (type !== undefined) this.#bind({ kind: "let", name, type, bound, body: bound }, bound, around);
    });
  }

  /** A branch, in which the scrutinee is one constructor. Its type is that of the scrutinee, which nothing asks for. */
  #branch(branch: Branch, scrutinee: Term): Branch {
    const simple = (): Branch => {
      return withParts(branch, { body: this.#term(branch.body) });
    };
    if (scrutinee.kind !== "var") return simple();
    const before = this.#known.get(scrutinee.name);
    this.#known.set(scrutinee.name, { kind: "con", name: branch.con, type: b.unit, args: branch.vars.map(b.variable) });
    const result = simple();
    if (before === undefined) this.#known.delete(scrutinee.name);
    else this.#known.set(scrutinee.name, before);
    return result;
  }
}

function isKnown(term: Term): term is Known {
  return term.kind === "tuple" || term.kind === "con" || term.kind === "array" || term.kind === "build";
}

/** Whether all terms but one can be left out. */
function isOnlyTotal(terms: readonly Term[], one: Term): boolean {
  return terms.every((term) => term === one || isTotal(term));
}

/** `if c then false else true`. */
function isNegation(term: Term): term is Term & { readonly kind: "if" } {
  return (
    term.kind === "if" && term.then.kind === "bool" && !term.then.value && term.else.kind === "bool" && term.else.value
  );
}

/** The variables whose parts are used by themselves, with what the source calls the parts. */
type PartUses = ReadonlyMap<string, { readonly names: readonly (string | undefined)[] }>;

function findPartUses(root: Term): PartUses {
  const uses = new Map<string, { readonly names: (string | undefined)[] }>();
  const partsOf = (name: string): (string | undefined)[] => {
    const known = uses.get(name)?.names ?? [];
    uses.set(name, { names: known });
    return known;
  };
  for (const term of allTerms(root)) {
    if (term.kind === "let" && term.bound.kind === "proj" && term.bound.tuple.kind === "var") {
      partsOf(term.bound.tuple.name)[term.bound.index] ??= term.name;
    }
    if (term.kind === "proj" && term.tuple.kind === "var") partsOf(term.tuple.name);
    if (term.kind === "length" && term.array.kind === "var") partsOf(term.array.name);
    if (term.kind === "case" && term.scrutinee.kind === "var") {
      const names = partsOf(term.scrutinee.name);
      for (const { vars } of term.branches) {
        vars.forEach((name, index) => {
          if (!name.startsWith("_")) names[index] ??= name;
        });
      }
    }
  }
  return uses;
}
