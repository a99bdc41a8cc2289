// Fusion: the elements of an array computed where they are read, and no array.
//
//   let a = build n (\i. e) in .. length a .. a ! j ..   =>   .. n .. e[j/i] ..
//
// where `a` has no other uses, and either e is cheap and total, or `a` is read at one place, which is reached once for each element at most.
// In the second case the place is in the iteration of one loop whose index is j; where e may fail, that loop must be reached, run over all of
// `a`, and read it in every iteration, so that what fails still does. An index that may be outside of the array stays a read.
//
// Reads that cannot be outside of an array, since the loop around them ends at its length, lose their site here, too.

import { withParts } from "../same.js";
import * as b from "../core/build.js";
import { primitive } from "../core/primitives.js";
import type { Fn, Program, Term } from "../core/term.js";
import { allTerms, nestingDepth } from "../core/traverse.js";
import { copyTerm } from "./copy.js";
import { countingLoop } from "./counting-loops.js";
import { isTotal, sizeOf } from "./term-facts.js";
import { findReads, type ArrayUses, type Read } from "./reads.js";
import { isBinding, mapBinding, mapDefinitions, mapSubterms, withBindings, withBody } from "./rewrite.js";
import type { Binding, Simple } from "./rewrite.js";
import { Sizes } from "./array-lengths.js";
import type { VariableNames } from "./variable-names.js";

/** An element of at most this size may be computed at several places, which have at most `cheapTotal` nodes together. */
const cheapSize = 9;
const cheapTotal = 40;

/** What grows beyond this by fusion is left alone: terms must not get as deep as programs are long. */
const largestElement = 600;
const deepestElement = 60;

/** Array after array: a chain of them is fused from both ends, a part of it each time. */
const mostTimes = 12;

export function fuse(program: Program, names: VariableNames): Program {
  return mapDefinitions(program, (fn) => fused(fn, names), settled);
}

/** Definitions in which nothing is left to fuse. */
const settled = new WeakSet<Fn>();

function fused(fn: Fn, names: VariableNames): Fn {
  // Without reads there is nothing to fuse, nor a site to drop
  if (!allTerms(fn.body).some(({ kind }) => kind === "index")) return fn;
  let current = fn;
  for (let time = 0; time < mostTimes; time += 1) {
    const next = withBody(current, new Fusion(current, names).term(current.body));
    if (next === current) break;
    current = next;
  }
  return current;
}

type Build = Term & { readonly kind: "build" };

class Fusion {
  readonly #names: VariableNames;
  readonly #fn: Fn;
  /** Found when they are asked for. */
  #uses: ReadonlyMap<string, ArrayUses> | null = null;
  readonly #sizes = new Sizes();
  /** The sizes of arrays that were built with an atom for size. */
  readonly #sizeOf = new Map<string, Term>();
  /** Indices of loops, where they are below the limits. */
  readonly #limits = new Map<string, Term>();
  /** Arrays that are gone. */
  readonly #fused = new Map<string, Build>();
  /** Arrays that others were fused into: their turn is next time. */
  readonly #grown = new Set<string>();

  constructor(fn: Fn, names: VariableNames) {
    this.#names = names;
    this.#fn = fn;
    for (const term of allTerms(fn.body)) if (term.kind === "let") this.#sizes.learn(term.name, term.bound);
  }

  readonly term = (start: Term): Term => {
    const around: Binding[] = [];
    let term = start;
    while (isBinding(term)) {
      this.#binding(term, around);
      term = term.body;
    }
    return withBindings(around, this.#simple(term));
  };

  #binding(term: Binding, around: Binding[]): void {
    if (term.kind === "letRec") {
      const loop = countingLoop(term);
      if (loop !== null) this.#limits.set(loop.index, loop.limit);
      const [only] = term.functions;
      // The limit holds in the iteration alone, not where the loop ends
      const inside = (body: Term): Term =>
        loop !== null && body === only?.body ? this.#loopBody(body, loop.index, loop.iteration) : this.term(body);
      around.push(mapBinding(term, inside));
      return;
    }
    if (term.bound.kind === "build" && b.isAtom(term.bound.size)) {
      this.#sizeOf.set(term.name, term.bound.size);
      if (this.#mayFuse(term.name, term.bound)) {
        this.#fused.set(term.name, term.bound);
        const { size, site } = term.bound;
        // What is left of it: that a negative size fails
        if (site !== null && !this.#sizes.isNatural(size)) around.push(this.#sizeCheck(term, term.bound));
        return;
      }
    }
    around.push(mapBinding(term, this.term));
  }

  #sizeCheck(term: Binding & { readonly kind: "let" }, build: Build): Binding {
    const bound = b.build(build.size, build.index, b.unit, b.tuple(), build.site);
    return { ...term, type: b.arrayType(b.unit), bound };
  }

  #loopBody(body: Term, index: string, iteration: Term): Term {
    if (body.kind !== "if") return this.term(body);
    const limit = this.#limits.get(index);
    const branch = (part: Term): Term => {
      if (part === iteration && limit !== undefined) this.#limits.set(index, limit);
      else this.#limits.delete(index);
      return this.term(part);
    };
    return withParts(body, { cond: branch(body.cond), then: branch(body.then), else: branch(body.else) });
  }

  #simple(term: Simple): Term {
    switch (term.kind) {
      case "build": {
        const size = this.term(term.size);
        this.#limits.set(term.index, size);
        const body = this.term(term.body);
        return withParts(term, { size, body });
      }
      case "scan": {
        const [size, start] = [this.term(term.size), this.term(term.start)];
        this.#limits.set(term.index, size);
        const body = this.term(term.body);
        return withParts(term, { size, start, body });
      }
      case "length": {
        const fused = term.array.kind === "var" ? this.#fused.get(term.array.name) : undefined;
        return fused === undefined ? mapSubterms(term, this.term) : fused.size;
      }
      case "index":
        return this.#read(term);
      default:
        return mapSubterms(term, this.term);
    }
  }

  #read(term: Term & { readonly kind: "index" }): Term {
    const fused = term.array.kind === "var" ? this.#fused.get(term.array.name) : undefined;
    const index = this.term(term.index);
    if (fused === undefined) {
      const array = this.term(term.array);
      const site = array.kind === "var" && this.#isInside(array.name, index) ? null : term.site;
      return array === term.array && index === term.index && site === term.site
        ? term
        : { ...term, array, index, site };
    }
    if (index.kind === "var") this.#names.merge(index.name, fused.index);
    if (b.isAtom(index)) return copyTerm(fused.body, this.#names, { values: new Map([[fused.index, index]]) });
    const name = this.#names.fresh(fused.index);
    const element = copyTerm(fused.body, this.#names, { values: new Map([[fused.index, b.variable(name)]]) });
    return b.letIn(name, b.int, index, element);
  }

  /** Whether an index is that of a loop over all of an array. */
  #isInside(array: string, index: Term): boolean {
    const limit = index.kind === "var" ? this.#limits.get(index.name) : undefined;
    return limit !== undefined && this.#sizes.isLength(limit, array, this.#sizeOf.get(array) ?? null);
  }

  #mayFuse(name: string, { body, size }: Build): boolean {
    this.#uses ??= findReads(this.#fn.body);
    const uses = this.#uses.get(name);
    if (sizeOf(body, largestElement) > largestElement || nestingDepth(body) > deepestElement) return false;
    if (uses === undefined || uses.others > 0 || uses.reads.length === 0 || this.#grown.has(name)) return false;
    const covers = (read: Read): boolean => read.loop !== null && this.#sizes.isLength(read.loop.limit, name, size);
    if (!uses.reads.every((read) => read.site === null || covers(read))) return false;
    const mayFuse = isCheap(body, uses.reads.length) || this.#isReadOnce(body, uses.reads, covers);
    // What the elements are fused into has grown, so that it may be no longer cheap
    if (mayFuse) for (const { inside } of uses.reads) for (const array of inside) this.#grown.add(array);
    return mayFuse;
  }

  #isReadOnce(body: Term, reads: readonly Read[], covers: (read: Read) => boolean): boolean {
    const [read, ...others] = reads;
    if (read === undefined || others.length > 0 || !read.isOnce) return false;
    return isTotal(body) || (read.isCertain && covers(read));
  }
}

/** Whether an element costs no more than reading it would, or a little more. */
function isCheap(body: Term, reads: number): boolean {
  const size = sizeOf(body, cheapSize);
  if (size > cheapSize || size * reads > cheapTotal || !isTotal(body) || !isPlain(body)) return false;
  if (reads === 1) return true;
  // What is read more than once pays for each time, in derivatives twice
  const parts = [...allTerms(body)];
  const arithmetic = parts.filter((part) => part.kind === "op" && primitive(part.op).result === "R").length;
  return arithmetic === 0 || (arithmetic === 1 && parts.filter(({ kind }) => kind === "index").length <= 1);
}

/** Made of what is fast: no loop, no function of the runtime or of `Math`. */
function isPlain(root: Term): boolean {
  return allTerms(root).every((term) =>
    term.kind === "op" ? plainOperations.has(term.op) : plainTerms.has(term.kind),
  );
}

const plainTerms: ReadonlySet<Term["kind"]> = new Set(["var", "real", "int", "bool", "let", "tuple", "proj", "index"]);

const plainOperations: ReadonlySet<string> = new Set([
  "add", "sub", "mul", "neg", "toReal", "addZ", "subZ", "mulZ", "eq", "ne", "lt", "le", "gt", "ge", "eqZ", "neZ", "ltZ", "leZ", "gtZ", "geZ",
]); // prettier-ignore
