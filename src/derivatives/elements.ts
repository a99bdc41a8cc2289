// A result that is made element by element, and its elements: as functions of what is differentiated, or of what each of them reads.

import * as b from "../core/build.js";
import type { Names } from "../core/names.js";
import type { Entry, EntryParam, Fn, Program, Term } from "../core/term.js";
import type { Type } from "../core/type.js";
import { copyTerm } from "../optimise/copy.js";
import { freeIn } from "../optimise/term-facts.js";
import { rewriteUp, withBindings, withBody } from "../optimise/rewrite.js";
import { found } from "./by-type.js";
import type { DualData } from "./dual-data.js";
import { pointOf } from "./point.js";
import { rowsOf, type Rows } from "./rows.js";
import { sparseElement, type Part, type Read } from "./sparse-element.js";
import type { Values } from "./values.js";

export type Leaf = EntryParam & { readonly kind: "named" };

/** A parameter of a derivative, and what it is called inside. */
export type InnerLeaf = Leaf & { readonly inner: string };

/** The elements of a result, each of `width` numbers: functions of what is differentiated, where `around` binds what they have in common. */
export interface Elements {
  readonly width: number;
  readonly element: Type;
  readonly around: (inside: Term) => Term;
  readonly at: (index: Term) => Term;
}

/** Elements as functions of a type that has a known number of reals. */
export interface SizedElements extends Elements {
  readonly from: Type;
}

/** The elements of a result as functions of what each of them reads. */
export interface SparseElements extends SizedElements {
  readonly point: (index: Term) => Term;
  /** Its columns, for each part that it reads. */
  readonly places: (index: Term) => readonly ReadPlace[];
}

/** So many columns, from one on; it is below zero where they are not read, which some always are. */
export type ReadPlace = Pick<Read, "start" | "size" | "isAlways">;

/** A definition whose result is made element by element, each of so many numbers. */
export interface MadeByElement {
  readonly fn: Fn;
  readonly entry: Entry;
  readonly rows: Rows;
  readonly width: number;
}

export class ElementFunctions {
  readonly #program: Program;
  readonly #names: Names;
  readonly #dual: DualData;
  readonly #values: Values;

  constructor(program: Program, names: Names, dual: DualData, values: Values) {
    this.#program = program;
    this.#names = names;
    this.#dual = dual;
    this.#values = values;
  }

  /** What a definition gives, element by element, each of so many numbers. */
  madeByElement(entry: Entry, active: readonly string[]): MadeByElement | null {
    const fn = this.#program.definitions.find(({ name }) => name === entry.name);
    if (fn === undefined) return null;
    const isActive = (param: EntryParam): boolean => leavesOf(param).some(({ name }) => active.includes(name));
    const rows = rowsOf(fn, entry.params.map(isActive), this.#dual);
    const width = rows === null ? null : this.#values.sizeOf(rows.element);
    if (rows === null || width === null || width === 0) return null;
    // What fails does so where the value is computed
    return { fn, entry, rows: { ...rows, body: withoutSites(rows.body) }, width };
  }

  /** The elements as functions of what is differentiated, one for each index; `around` has what they have in common. */
  ofPoint(
    made: MadeByElement,
    from: Type,
    leaves: readonly InnerLeaf[],
    partsOf: (value: Term) => ReadonlyMap<string, Term>,
  ): Elements {
    const { rows, width } = made;
    const own = variablesOf(leaves);
    const point = this.#names.fresh("x");
    const body = withParameters(made, new Map([...own, ...partsOf(b.variable(point))]), rows.body);
    return {
      width,
      element: rows.element,
      around: (inside) => withParameters(made, own, withBindings(rows.outside, inside)),
      at: (index) => copyTerm(b.lam(point, from, b.letIn(rows.index, b.int, index, body)), this.#names),
    };
  }

  /** The text of a definition that does not call itself. */
  #definition(name: string): Fn | null {
    const fn = this.#program.definitions.find((each) => each.name === name);
    if (fn === undefined || freeIn(fn.body).functions.has(name)) return null;
    // What fails does so where the value is computed
    return withBody(fn, withoutSites(fn.body));
  }

  /** The elements as functions of what each of them reads; null where that does not show. */
  ofReads(made: MadeByElement, leaves: readonly InnerLeaf[], chosen: readonly InnerLeaf[]): SparseElements | null {
    const { fn, entry, rows, width } = made;
    const starts = chosen.map(({ name, inner, type }) => ({ name, start: this.#names.fresh("start"), size: this.#values.count(type, b.variable(inner)) })); // prettier-ignore
    const partOf = (param: EntryParam): Part | null => {
      if (param.kind === "tuple") return { kind: "tuple", items: param.items.map(partOf) };
      const own = starts.find(({ name }) => name === param.name);
      return own === undefined ? null : { kind: "part", type: param.type, start: b.variable(own.start) };
    };
    const parts = new Map(fn.params.flatMap(({ name }, index) => {
      const param = entry.params[index];
      const part = param === undefined ? null : partOf(param);
      return part === null ? [] : [[name, part] as const];
    })); // prettier-ignore
    const element = sparseElement(rows.body, parts, {
      data: this.#dual,
      names: this.#names,
      values: this.#values,
      definition: (name) => this.#definition(name),
    });
    if (element === null) return null;
    const { reads, body } = element;
    const point = pointOf(reads.map(({ type }) => type));
    const around = (inside: Term): Term => {
      const bound = withParameters(made, variablesOf(leaves), withBindings(rows.outside, inside));
      return starts.reduceRight((rest, { start }, index) => {
        const before = starts[index - 1];
        const place = before === undefined ? b.intLit(0) : b.op("addZ", [b.variable(before.start), before.size], null);
        return b.letIn(start, b.int, place, rest);
      }, bound);
    };
    const atIndex = (index: Term, term: Term): Term => copyTerm(b.letIn(rows.index, b.int, index, term), this.#names);
    const z = this.#names.fresh("z");
    const taken = reads.reduceRight((rest, { variable, type }, i) => b.letIn(variable, type, point.part(b.variable(z), i), rest), body); // prettier-ignore
    return {
      width,
      element: rows.element,
      around,
      from: point.type,
      at: (index) => copyTerm(b.lam(z, point.type, b.letIn(rows.index, b.int, index, taken)), this.#names),
      point: (index) => point.of(reads.map(({ value }) => atIndex(index, value))),
      places: (index) => reads.map(({ start, size, isAlways }) => ({ start: atIndex(index, start), size, isAlways })),
    };
  }
}

/** Operations that are of integers, and of lengths: without a place, they are what they are where nothing fails. */
const unfailing: ReadonlySet<string> = new Set(["addZ", "subZ", "mulZ", "sameLength"]);

/** A term that has been computed before: nothing in it is out of bounds. */
function withoutSites(term: Term): Term {
  return rewriteUp(term, (part) => {
    const isChecked =
      part.kind === "index" ||
      part.kind === "build" ||
      part.kind === "scan" ||
      (part.kind === "op" && unfailing.has(part.op));
    return isChecked ? { ...part, site: null } : part;
  });
}

function variablesOf(leaves: readonly InnerLeaf[]): ReadonlyMap<string, Term> {
  return new Map(leaves.map(({ name, inner }) => [name, b.variable(inner)]));
}

/** A term with the parameters of a definition bound to values of the entry's. */
function withParameters({ fn, entry }: MadeByElement, values: ReadonlyMap<string, Term>, inside: Term): Term {
  const given = (param: EntryParam): Term => (param.kind === "tuple" ? b.tuple(...param.items.map(given)) : found(values.get(param.name))); // prettier-ignore
  return fn.params.reduceRight((rest, { name, type }, index) => b.letIn(name, type, given(found(entry.params[index])), rest), inside); // prettier-ignore
}

export function leavesOf(param: EntryParam): readonly Leaf[] {
  return param.kind === "named" ? [param] : param.items.flatMap(leavesOf);
}
