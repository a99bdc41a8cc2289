// The terms of random programs: text with holes, each with its type and the names it binds, so that one shrinker serves every
// construct. No two binders of a program have the same name, so a subterm can be lifted out of its place where it uses nothing bound
// on the way.

import { sameType, type Type } from "./random-types.js";

export interface Binder {
  readonly name: string;
  readonly type: Type;
}

export interface Hole {
  readonly term: Term;
  /** What the surrounding text binds here. */
  readonly binders: readonly Binder[];
  /** Whether the place asks for parentheses around anything but an atom. */
  readonly tight: boolean;
}

export interface Term {
  readonly type: Type;
  /** One string more than there are holes. */
  readonly texts: readonly string[];
  readonly holes: readonly Hole[];
  readonly atom: boolean;
  /** The variable or definition that this term is, or applies. */
  readonly uses: readonly string[];
  /** Nodes, the measure that shrinking lowers. */
  readonly size: number;
  /** What of the language it shows, for statistics; "" for what stands everywhere. */
  readonly construct: string;
}

/** A term from its text and holes in order. */
export function term(
  type: Type,
  pieces: readonly (string | Hole)[],
  options: { readonly atom?: boolean; readonly uses?: readonly string[] } = {},
): Term {
  const texts = [""];
  const holes: Hole[] = [];
  for (const piece of pieces) {
    if (typeof piece === "string") texts.push((texts.pop() ?? "") + piece);
    else {
      holes.push(piece);
      texts.push("");
    }
  }
  const size = 1 + holes.reduce((sum, hole) => sum + hole.term.size, 0);
  return { type, texts, holes, atom: options.atom ?? false, uses: options.uses ?? [], size, construct: "" };
}

/** The term as one that shows a construct, unless it already shows another. */
export function showing(construct: string, of: Term): Term {
  return of.construct === "" ? { ...of, construct } : of;
}

/** The constructs that a term and its subterms show. */
export function* constructsIn(of: Term): Iterable<string> {
  if (of.construct !== "") yield of.construct;
  for (const hole of of.holes) yield* constructsIn(hole.term);
}

export const atom = (type: Type, text: string, uses: readonly string[] = []): Term =>
  term(type, [text], { atom: true, uses });

/** A hole at the end of its construct, or between its own delimiters. */
export const open = (of: Term, ...binders: readonly Binder[]): Hole => ({ term: of, binders, tight: false });

/** An operand or argument. */
export const tight = (of: Term): Hole => ({ term: of, binders: [], tight: true });

export function printTerm(of: Term): string {
  return of.holes.reduce((text, hole, i) => {
    const inner = printTerm(hole.term);
    return text + (hole.tight && !hole.term.atom ? `(${inner})` : inner) + (of.texts[i + 1] ?? "");
  }, of.texts[0] ?? "");
}

/** The names that a term uses and does not bind. */
export function freeNames(of: Term): ReadonlySet<string> {
  const names = new Set(of.uses);
  for (const hole of of.holes) {
    const bound = new Set(hole.binders.map((b) => b.name));
    for (const name of freeNames(hole.term)) if (!bound.has(name)) names.add(name);
  }
  return names;
}

/** Smaller terms of the same type, the boldest first. `simplest` gives the least term of a type. */
export function* smallerTerms(of: Term, scope: readonly Binder[], simplest: (type: Type) => Term): Iterable<Term> {
  const least = simplest(of.type);
  if (least.size < of.size || (least.size === of.size && of.uses.length > 0)) yield least;
  if (of.holes.length > 0) {
    for (const binder of scope) {
      if (sameType(binder.type, of.type)) yield atom(of.type, binder.name, [binder.name]);
    }
    yield* liftable(of, of.type, new Set());
  }
  for (const [i, hole] of of.holes.entries()) {
    for (const smaller of smallerTerms(hole.term, [...scope, ...hole.binders], simplest)) {
      const holes = of.holes.map((other, k) => (k === i ? { ...hole, term: smaller } : other));
      yield { ...of, holes, size: of.size - hole.term.size + smaller.size };
    }
  }
}

/** Subterms of the given type that use nothing bound between them and the top. */
function* liftable(of: Term, type: Type, bound: ReadonlySet<string>): Iterable<Term> {
  for (const hole of of.holes) {
    const inner = new Set([...bound, ...hole.binders.map((b) => b.name)]);
    if (sameType(hole.term.type, type) && [...freeNames(hole.term)].every((name) => !inner.has(name))) yield hole.term;
    yield* liftable(hole.term, type, inner);
  }
}
