// Where arrays are read, and how often: what fusion has to know before it moves anything.

import type { Site, Term } from "../core/term.js";
import { subterms } from "../core/traverse.js";
import { countingLoop } from "./counting-loops.js";

export interface ArrayUses {
  readonly reads: Read[];
  /** Uses but reads and the length. */
  others: number;
}

/** A place where an element is read. */
export interface Read {
  readonly site: Site | null;
  /** The loop around it whose index it reads at. */
  readonly loop: { readonly limit: Term } | null;
  /** Each element is read once at most: in one loop, at its index. */
  readonly isOnce: boolean;
  /** The place is reached for each index of the loop, wherever the array's binding is. */
  readonly isCertain: boolean;
  /** The arrays whose elements it is part of. */
  readonly inside: readonly string[];
}

/** What stands between a term and the definition that it is part of, the innermost first. */
interface Place {
  readonly kind: "branch" | "loop" | "function" | "array";
  readonly outer: Place | null;
  /** Of a loop. */
  readonly index: string;
  readonly limit: Term | null;
  readonly isFull: boolean;
  /** Of an array that is built: the variable that it is bound to. */
  readonly name: string;
}

interface Waiting {
  readonly term: Term;
  readonly place: Place | null;
}

/** The uses of the variables that are bound to a `build`. */
export function findReads(root: Term): ReadonlyMap<string, ArrayUses> {
  return new Reads(root).uses;
}

class Reads {
  readonly uses = new Map<string, ArrayUses & { readonly at: Place | null }>();
  readonly #waiting: Waiting[];

  constructor(root: Term) {
    this.#waiting = [{ term: root, place: null }];
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) this.#visit(next);
  }

  #visit({ term, place }: Waiting): void {
    switch (term.kind) {
      case "var": {
        const uses = this.uses.get(term.name);
        if (uses !== undefined) uses.others += 1;
        return;
      }
      case "index":
        this.#waiting.push({ term: term.index, place });
        if (term.array.kind === "var") this.#read(term.array.name, term.index, term.site, place);
        else this.#waiting.push({ term: term.array, place });
        return;
      case "length":
        if (term.array.kind !== "var") this.#waiting.push({ term: term.array, place });
        return;
      case "let":
        // The body comes after what is bound, for which the array is not there yet
        this.#waiting.push({ term: term.body, place });
        if (term.bound.kind === "build") {
          this.uses.set(term.name, { reads: [], others: 0, at: place });
          this.#waiting.push({ term: term.bound, place: { ...nowhere, kind: "array", outer: place, name: term.name } });
        } else {
          this.#waiting.push({ term: term.bound, place });
        }
        return;
      case "letRec":
        this.#functions(term, place);
        return;
      case "scan":
        this.#waiting.push({ term: term.start, place });
        this.#loop(term, place);
        return;
      case "build":
        this.#loop(term, place);
        return;
      case "lam":
        this.#waiting.push({ term: term.body, place: { ...nowhere, kind: "function", outer: place } });
        return;
      case "if":
        this.#waiting.push({ term: term.cond, place });
        this.#branches([term.then, term.else], place);
        return;
      case "case":
        this.#waiting.push({ term: term.scrutinee, place });
        this.#branches(
          term.branches.map(({ body }) => body),
          place,
        );
        return;
      default:
        for (const part of subterms(term)) this.#waiting.push({ term: part, place });
    }
  }

  #loop({ size, index, body }: Term & { readonly kind: "build" | "scan" }, outer: Place | null): void {
    this.#waiting.push({ term: size, place: outer });
    this.#waiting.push({ term: body, place: { ...nowhere, kind: "loop", outer, index, limit: size, isFull: true } });
  }

  #branches(terms: readonly Term[], place: Place | null): void {
    for (const term of terms) this.#waiting.push({ term, place: { ...nowhere, kind: "branch", outer: place } });
  }

  #functions(term: Term & { readonly kind: "letRec" }, place: Place | null): void {
    this.#waiting.push({ term: term.body, place });
    const loop = countingLoop(term);
    for (const { body } of term.functions) {
      const inside: Place = { ...nowhere, kind: "function", outer: place };
      if (loop === null || body.kind !== "if") {
        this.#waiting.push({ term: body, place: inside });
        continue;
      }
      const { index, limit, isFull, iteration } = loop;
      for (const part of [body.cond, body.then, body.else]) {
        const at: Place =
          part === iteration ? { ...nowhere, kind: "loop", outer: place, index, limit, isFull } : inside;
        this.#waiting.push({ term: part, place: at });
      }
    }
  }

  #read(name: string, index: Term, site: Site | null, place: Place | null): void {
    const inside: string[] = [];
    const loops: Place[] = [];
    let isOnce = true;
    let isStraight = true;
    const uses = this.uses.get(name);
    let at = place;
    for (; at !== null && at !== (uses?.at ?? null); at = at.outer) {
      if (at.kind === "function") isOnce = false;
      if (at.kind === "branch") isStraight = false;
      if (at.kind === "loop") loops.push(at);
      if (at.kind === "array") inside.push(at.name);
    }
    if (uses === undefined) return;
    const loop = index.kind === "var" ? loops.find((each) => each.index === index.name) : undefined;
    uses.reads.push({
      site,
      loop: loop?.limit == null ? null : { limit: loop.limit },
      isOnce: isOnce && loops.length === 1 && loop !== undefined,
      isCertain: isOnce && isStraight && loops.length === 1 && loop?.isFull === true,
      inside,
    });
  }
}

const nowhere = { outer: null, index: "", limit: null, isFull: false, name: "" } as const;
