// Which parts of a point an element of a result reads, where that shows in its text: `point ! i`, fields of a record, numbers. Each is a variable of its own then, and the element
// a function of these alone.
//
//   \o. f (cameras ! o.camera) - o.x    =>    f c - o.x    with c for the numbers of `cameras ! o.camera`, which are columns of a Jacobian from a place on
//
// What is read in a branch alone has no place in others.

import * as b from "../core/build.js";
import type { Names } from "../core/names.js";
import type { Fn, Term } from "../core/term.js";
import type { Type } from "../core/type.js";
import { printSourceTerm } from "../core/print.js";
import { copyFn, copyTerm } from "../optimise/copy.js";
import { mapSubterms } from "../optimise/rewrite.js";
import { freeIn } from "../optimise/term-facts.js";
import { at, found, sumZ } from "./by-type.js";
import type { DualData } from "./dual-data.js";
import type { Values } from "./values.js";

/** A part of the point: the column of its first number, and what type it is of; or several of them, of which some are not differentiated. */
export type Part =
  | { readonly kind: "part"; readonly type: Type; readonly start: Term }
  | { readonly kind: "tuple"; readonly items: readonly (Part | null)[] };

/** What an element reads: of a type that has a known number of reals. */
export interface Read {
  /** What stands for it in the element. */
  readonly variable: string;
  readonly type: Type;
  readonly size: number;
  readonly value: Term;
  /** The column of its first number; below zero where it is not read. */
  readonly start: Term;
  readonly isAlways: boolean;
}

export interface SparseElement {
  readonly reads: readonly Read[];
  readonly body: Term;
}

/** More columns in a row make code that nobody wants to read. */
const mostColumns = 64;
/** So deep calls are looked into. */
const deepest = 8;

export interface SparseTools {
  /** The text of a definition; null where it has none, or is one that calls itself. */
  readonly definition: (name: string) => Fn | null;
  readonly data: DualData;
  readonly names: Names;
  readonly values: Values;
}

/** An element as a function of what it reads; null where it reads anything in another way. `parts`: by variable what of the point it is. */
export function sparseElement(body: Term, parts: ReadonlyMap<string, Part>, tools: SparseTools): SparseElement | null {
  const walk = new Walk(tools);
  const instead = walk.term(body, { parts, around: [] });
  const { reads } = walk;
  const width = reads.reduce((sum, { size }) => sum + size, 0);
  return walk.isSparse && width > 0 && width <= mostColumns ? { reads, body: instead } : null;
}

/** What stands around a term: a binding, or a choice that is made. */
interface Around {
  readonly isChoice: boolean;
  readonly with: (inner: Term, otherwise: Term) => Term;
}

interface Place {
  readonly parts: ReadonlyMap<string, Part>;
  readonly around: readonly Around[];
}

interface Found extends Read {
  readonly key: string;
  readonly choices: readonly Around[];
}

class Walk {
  readonly reads: Found[] = [];
  isSparse = true;
  #depth = 0;
  readonly #tools: SparseTools;

  constructor(tools: SparseTools) {
    this.#tools = tools;
  }

  /** A term with variables for what it reads. */
  term(term: Term, place: Place): Term {
    const part = this.#part(term, place);
    if (part !== null) return this.#read(term, part, place);
    const inner = (sub: Term): Term => this.term(sub, place);
    switch (term.kind) {
      case "length":
        return this.#part(term.array, place) === null ? mapSubterms(term, inner) : term;
      case "let": {
        const bound = this.#part(term.bound, place);
        const around: Around = { isChoice: false, with: (rest) => ({ ...term, body: rest }) };
        const within = { parts: bound === null ? place.parts : new Map([...place.parts, [term.name, bound]]), around: [...place.around, around] }; // prettier-ignore
        return { ...term, bound: bound === null ? inner(term.bound) : term.bound, body: this.term(term.body, within) };
      }
      case "if": {
        const branch = (isThen: boolean): Place => {
          const around: Around = { isChoice: true, with: (one, other) => (isThen ? b.ifThenElse(term.cond, one, other) : b.ifThenElse(term.cond, other, one)) }; // prettier-ignore
          return { ...place, around: [...place.around, around] };
        };
        return { ...term, cond: inner(term.cond), then: this.term(term.then, branch(true)), else: this.term(term.else, branch(false)) }; // prettier-ignore
      }
      case "case":
        return this.#case(term, place);
      case "letRec": {
        for (const { body } of term.functions) this.#passesBy(body, place);
        const around: Around = { isChoice: false, with: (rest) => ({ ...term, body: rest }) };
        return { ...term, body: this.term(term.body, { ...place, around: [...place.around, around] }) };
      }
      case "lam":
      case "build":
      case "scan":
        this.#passesBy(term, place);
        return term;
      case "call":
        return this.#call(term, place);
      default:
        return mapSubterms(term, inner);
    }
  }

  /** A function that is given more of the point than it can read reads what its text does. */
  #call(term: Term & { readonly kind: "call" }, place: Place): Term {
    const isWhole = (arg: Term): boolean => {
      const part = this.#part(arg, place);
      return part !== null && (part.kind === "tuple" || this.#tools.values.sizeOf(part.type) === null);
    };
    const fn = term.args.some(isWhole) && this.#depth < deepest ? this.#tools.definition(term.fn) : null;
    if (fn === null) return mapSubterms(term, (arg) => this.term(arg, place));
    const own = copyFn(fn, fn.name, this.#tools.names);
    const opened = own.params.reduceRight((rest, { name, type }, i) => b.letIn(name, type, at(term.args, i), rest), own.body); // prettier-ignore
    this.#depth += 1;
    const read = this.term(opened, place);
    this.#depth -= 1;
    return read;
  }

  /** What runs any number of times may read none of the point. */
  #passesBy(term: Term, { parts }: Place): void {
    if ([...freeIn(term).variables].some((name) => parts.has(name))) this.isSparse = false;
  }

  #case(term: Term & { readonly kind: "case" }, place: Place): Term {
    const { scrutinee, branches } = term;
    const part = this.#part(scrutinee, place);
    return {
      ...term,
      scrutinee: part === null ? this.term(scrutinee, place) : scrutinee,
      branches: branches.map((branch) => {
        const instead = (one: Term, other: Term): Term => b.caseOf(scrutinee, term.data, branches.map((each) => (each === branch ? { ...branch, body: one } : { ...each, vars: each.vars.map((name) => this.#tools.names.fresh(name)), body: other }))); // prettier-ignore
        const around = [...place.around, { isChoice: branches.length > 1, with: instead }];
        const fields = part?.kind === "part" ? this.#fields(part.type, branch.con, branch.vars, part.start) : [];
        return { ...branch, body: this.term(branch.body, { parts: new Map([...place.parts, ...fields]), around }) };
      }),
    };
  }

  /** The parts that variables are which a record is taken apart into. */
  #fields(type: Type, con: string, vars: readonly string[], start: Term): readonly (readonly [string, Part])[] {
    if (type.kind !== "data") return [];
    const constructors = this.#tools.data.types.constructorsOf(type);
    if (constructors.length > 1) this.isSparse = false;
    const types = constructors.find(({ name }) => name === con)?.fields ?? [];
    return vars.map((name, i) => [name, { kind: "part", type: found(types[i]), start: this.#behind(start, types, vars.map(b.variable), i) }]); // prettier-ignore
  }

  /** The part of the point that a term is; null where it is none. */
  #part(term: Term, place: Place): Part | null {
    switch (term.kind) {
      case "var":
        return place.parts.get(term.name) ?? null;
      case "proj": {
        const whole = this.#part(term.tuple, place);
        if (whole?.kind === "tuple") return whole.items[term.index] ?? null;
        if (whole?.type.kind !== "tuple") return null;
        const { items } = whole.type;
        const start = this.#behind(whole.start, items, items.map((_, i) => b.proj(i, term.tuple)), term.index); // prettier-ignore
        return { kind: "part", type: found(items[term.index]), start };
      }
      case "index": {
        const whole = this.#part(term.array, place);
        const element = whole?.kind === "part" && whole.type.kind === "array" ? whole.type.element : null;
        const size = element === null ? null : this.#tools.values.sizeOf(element);
        if (whole?.kind !== "part" || element === null || size === null) return null;
        const before = size === 1 ? term.index : b.op("mulZ", [term.index, b.intLit(size)], null);
        return { kind: "part", type: element, start: sumZ([whole.start, before]) };
      }
      default:
        return null;
    }
  }

  /** The place of one of several values, whose numbers are those after all before. */
  #behind(start: Term, types: readonly Type[], values: readonly Term[], index: number): Term {
    const { values: tools } = this.#tools;
    return sumZ([start, ...types.slice(0, index).map((type, i) => {
      const size = tools.sizeOf(type);
      return size === null ? tools.count(type, at(values, i)) : b.intLit(size);
    })]); // prettier-ignore
  }

  #read(term: Term, part: Part, { around }: Place): Term {
    const size = part.kind === "part" ? this.#tools.values.sizeOf(part.type) : null;
    if (size === 0) return term;
    const choices = around.filter(({ isChoice }) => isChoice);
    const zero = part.kind === "part" ? this.#zero(part.type) : null;
    if (part.kind === "tuple" || size === null || (zero === null && choices.length > 0)) {
      this.isSparse = false;
      return term;
    }
    const key = `${printSourceTerm(part.start)} ${JSON.stringify(part.type)}`;
    // In a branch a part that has been read around it is the same
    const known = this.reads.find((read) => read.key === key && read.choices.every((each, i) => each === choices[i]));
    if (known !== undefined) return b.variable(known.variable);
    const { names } = this.#tools;
    const whole = (inner: Term, otherwise: Term): Term =>
      copyTerm(
        around.reduceRight((rest, each) => each.with(rest, otherwise), inner),
        names,
      );
    const variable = names.fresh("read");
    this.reads.push({
      variable,
      type: part.type,
      size,
      value: whole(term, zero ?? term),
      start: whole(part.start, b.intLit(-1)),
      isAlways: choices.length === 0,
      key,
      choices,
    });
    return b.variable(variable);
  }

  /** A value of a type, all numbers zero; null where there is none without another value of it. */
  #zero(type: Type): Term | null {
    switch (type.kind) {
      case "real":
        return b.realLit(0);
      case "int":
        return b.intLit(0);
      case "bool":
        return { kind: "bool", value: false };
      case "tuple": {
        const items = type.items.map((item) => this.#zero(item));
        return items.every((item) => item !== null) ? b.tuple(...items) : null;
      }
      case "data": {
        const [only, ...others] = this.#tools.data.types.constructorsOf(type);
        const fields = only?.fields.map((field) => this.#zero(field)) ?? [];
        return only !== undefined && others.length === 0 && fields.every((field) => field !== null) ? b.con(only.name, type, fields) : null; // prettier-ignore
      }
      default:
        return null;
    }
  }
}
