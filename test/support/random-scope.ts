// What the makers of random terms share: the scope, and terms assembled from pieces of text and types.

import type { Polymorphic } from "./random-catalogue.js";
import { catalogue } from "./random-catalogue.js";
import type { Dice } from "./random-dice.js";
import { open, term, type Binder, type Term } from "./random-terms.js";
import type { AppliedData, Constructor, DataType, Type } from "./random-types.js";

/** What a term may use: variables, and polymorphic functions under the names they have here. */
export interface Scope {
  readonly variables: readonly Binder[];
  readonly polymorphic: readonly { readonly name: string; readonly what: Polymorphic }[];
}

export const topScope: Scope = {
  variables: [],
  polymorphic: catalogue.map((what) => ({ name: what.name, what })),
};

export function extend(scope: Scope, binders: readonly Binder[]): Scope {
  return { ...scope, variables: [...scope.variables, ...binders] };
}

/** Makes random terms; `generate.ts` has the one that knows every construct. */
export interface Maker {
  readonly dice: Dice;
  readonly declared: readonly DataType[];
  /** Whether the program may end in a run-time error. */
  readonly mayFail: boolean;
  /** A name of its own, after the kind of its type. */
  fresh(type: Type): Binder;
  randomType(depth: number, functions: boolean): Type;
  constructorsOf(type: AppliedData): readonly Constructor[];
  /** A term of the given type, of about `fuel` nodes. */
  term(type: Type, scope: Scope, fuel: number): Term;
  /** A term without much to it; `depth` bounds how far data is built. */
  leaf(type: Type, scope: Scope, depth?: number): Term;
  /** A real made of whatever a variable holds. */
  realOf(binder: Binder, scope: Scope, depth: number): Term;
  /** A construct that the type itself suggests. */
  ofItsType(type: Type, scope: Scope, fuel: number): Term;
}

/** A way to make a term of a type; null where there is none of the type. */
export type Production = (maker: Maker, type: Type, scope: Scope, fuel: number) => Term | null;

/** A hole for a term of a type: with names bound in it, or as an operand (without). */
export type Piece =
  string | Type | Term | { readonly of: Type; readonly under: readonly Binder[]; readonly tight?: boolean };

/** The nodes that each of `among` subterms may have. */
export function share({ dice }: Maker, fuel: number, among: number): number {
  return Math.max(0, Math.floor(((fuel - 1) / Math.max(1, among)) * (0.6 + 0.8 * dice.fraction())));
}

export function terms(maker: Maker, types: readonly Type[], scope: Scope, fuel: number): readonly Term[] {
  return types.map((type) => maker.term(type, scope, share(maker, fuel, types.length)));
}

/** A term of a type from text and holes: a type stands for an operand of that type, a term for an operand that is there already. */
export function assemble(
  maker: Maker,
  type: Type,
  pieces: readonly Piece[],
  scope: Scope,
  fuel: number,
  uses: readonly string[] = [],
): Term {
  const among = pieces.filter((piece) => typeof piece !== "string" && !("texts" in piece)).length;
  const made = pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    if ("texts" in piece) return { term: piece, binders: [], tight: true };
    const own = share(maker, fuel, among);
    if ("kind" in piece) return { term: maker.term(piece, scope, own), binders: [], tight: true };
    const inner = body(maker, piece.of, extend(scope, piece.under), own, piece.under);
    return { ...open(inner, ...piece.under), tight: piece.tight ?? false };
  });
  return term(type, made, { uses });
}

/** A term in which `binders` have just been bound: a real uses one of them, more often than not. */
export function body(maker: Maker, type: Type, scope: Scope, fuel: number, binders: readonly Binder[]): Term {
  return using(maker, maker.term(type, scope, fuel), scope, binders);
}

/** A real that depends on one of `binders` where it does not yet, more often than not. */
export function using(maker: Maker, made: Term, scope: Scope, binders: readonly Binder[]): Term {
  const { dice } = maker;
  if (made.type.kind !== "real" || binders.length === 0 || dice.fraction() < 0.15) return made;
  const unused = binders.filter(({ name }) => !mentions(made, name));
  const added = unused[dice.int(0, Math.max(0, unused.length - 1))];
  if (added === undefined) return made;
  const piece = maker.realOf(added, { ...scope, variables: [added] }, 2);
  return term(made.type, [{ ...open(made), tight: true }, dice.fraction() < 0.5 ? " + " : " * ", { ...open(piece), tight: true }]); // prettier-ignore
}

function mentions(of: Term, name: string): boolean {
  return of.uses.includes(name) || of.holes.some((hole) => mentions(hole.term, name));
}

/** A name, as a term. */
export function named({ name, type }: Binder): Term {
  return term(type, [name], { atom: true, uses: [name] });
}
