// Do the patterns of a match cover every value, and is each of them of use? After Maranget, "Warnings for pattern matching" (JFP 2007):
// matrices of patterns, one row a branch, specialised by the constructors of their first column.

import type { Span } from "../syntax/source.js";
import type { TypeMistake } from "./mistakes.js";
import { type Witness, printWitness } from "./print-witness.js";
import type { Pattern } from "./typed.js";

/** A place where a value must match one of the patterns: several in a `case`, one elsewhere. */
export interface Match {
  readonly where: "case" | "let" | "parameter";
  /** What to underline when a pattern is missing. */
  readonly span: Span;
  readonly patterns: readonly Pattern[];
  /** The author writes `x :: xs` for the constructor `Cons`. */
  readonly infix: boolean;
}

/** The constructors of a data type in the order of their declaration. */
export type ConstructorsOf = (
  data: string,
) => readonly { readonly name: string; readonly arity: number; readonly fieldNames: readonly string[] | null }[];

/** What a value is at its outside. */
type Head =
  | {
      readonly kind: "constructor";
      readonly name: string;
      readonly arity: number;
      readonly fieldNames: readonly string[] | null;
    }
  | { readonly kind: "tuple"; readonly arity: number }
  | { readonly kind: "literal"; readonly text: string; readonly arity: 0 };

type Row = readonly Pattern[];

/** Rows that may be looked at for one match, and how far the search may nest. */
const maxWork = 2_000_000;
const maxDepth = 1_500;
/** Missing patterns to show. */
const maxMissing = 3;

/** The mistakes of one match. `isUsed`: whether a variable of that name is used somewhere. */
export function checkMatch(
  match: Match,
  constructorsOf: ConstructorsOf,
  isUsed: (name: string) => boolean,
): readonly TypeMistake[] {
  const { patterns, where, span } = match;
  if (patterns.every(isIrrefutable) && patterns.length === 1) return [];
  const search = new Search(constructorsOf);
  const missing: string[] = [];
  const rows: Row[] = patterns.map((pattern) => [pattern]);
  const found: Row[] = [];
  let more = false;
  for (;;) {
    const witness = search.missing([...rows, ...found], 1, 0)?.[0];
    if (witness === undefined) break;
    more = missing.length === maxMissing;
    if (more) break;
    missing.push(printWitness(witness, match.infix));
    found.push([asPattern(witness, span)]);
  }
  const mistakes: TypeMistake[] = missing.length === 0 ? [] : [{ kind: "notExhaustive", where, span, missing, more }];
  for (const [i, pattern] of patterns.entries()) {
    if (i === 0 || search.useful(rows.slice(0, i), [pattern], 0)) continue;
    const alone = patterns.slice(0, i).find((earlier) => !search.useful([[earlier]], [pattern], 0));
    const coveredBy = alone === undefined ? [] : [alone.span];
    mistakes.push({ kind: "redundantBranch", span: pattern.span, coveredBy });
  }
  const unused = where === "case" ? patterns.flatMap((pattern) => variablesForConstructors(pattern, constructorsOf, isUsed)) : []; // prettier-ignore
  return search.gaveUp ? [{ kind: "matchTooComplex", span }] : [...unused, ...mistakes];
}

/** Variables of a pattern that nothing uses, called like a constructor of their type: the author may have meant that. */
function variablesForConstructors(
  pattern: Pattern,
  constructorsOf: ConstructorsOf,
  isUsed: (name: string) => boolean,
): readonly TypeMistake[] {
  switch (pattern.kind) {
    case "variable": {
      const { name, type, span } = pattern;
      if (type.kind !== "data" || isUsed(name)) return [];
      const meant = constructorsOf(type.name).find((constructor) => withSmallInitial(constructor.name) === name);
      return meant === undefined ? [] : [{ kind: "variableForConstructor", span, name, constructor: meant.name }];
    }
    case "tuple":
      return pattern.items.flatMap((item) => variablesForConstructors(item, constructorsOf, isUsed));
    case "constructor":
      return pattern.args.flatMap((arg) => variablesForConstructors(arg, constructorsOf, isUsed));
    case "wildcard":
    case "integer":
    case "boolean":
      return [];
  }
}

function withSmallInitial(name: string): string {
  return `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
}

/** Matches whatever comes, at first sight. */
function isIrrefutable(pattern: Pattern): boolean {
  const todo = [pattern];
  for (let part = todo.pop(); part !== undefined; part = todo.pop()) {
    if (part.kind === "tuple") todo.push(...part.items);
    else if (part.kind !== "variable" && part.kind !== "wildcard") return false;
  }
  return true;
}

class Search {
  gaveUp = false;
  #work = 0;

  constructor(readonly constructorsOf: ConstructorsOf) {}

  /** Values, as patterns, that no row matches; null where there are none. */
  missing(rows: readonly Row[], width: number, depth: number): readonly Witness[] | null {
    if (!this.#spend(rows.length, depth)) return null;
    if (width === 0) return rows.length === 0 ? [] : null;
    const { heads, all } = this.#heads(rows);
    const isComplete = all !== null;
    if (!isComplete) {
      const rest = this.missing(withoutFirst(rows), width - 1, depth + 1);
      if (rest !== null) return [{ kind: "any" }, ...rest];
    }
    for (const head of all ?? heads) {
      if (!heads.some((other) => sameHead(head, other))) {
        const rest = this.missing(withoutFirst(rows), width - 1, depth + 1);
        if (rest !== null) return [rebuild(head, []), ...rest];
        continue;
      }
      const inside = this.missing(specialise(rows, head), head.arity + width - 1, depth + 1);
      if (inside !== null) return [rebuild(head, inside.slice(0, head.arity)), ...inside.slice(head.arity)];
    }
    return null;
  }

  /** Whether some value matches `query` and none of the rows. */
  useful(rows: readonly Row[], query: Row, depth: number): boolean {
    if (!this.#spend(rows.length, depth)) return true;
    const [first, ...rest] = query;
    if (first === undefined) return rows.length === 0;
    if (rows.length === 0) return true;
    const head = headOf(first);
    if (head !== null) {
      const inside = specialise([query], head)[0] ?? [];
      return this.useful(specialise(rows, head), inside, depth + 1);
    }
    const { heads, all } = this.#heads(rows);
    if (all === null || all.some((one) => !heads.some((other) => sameHead(one, other)))) {
      return this.useful(withoutFirst(rows), rest, depth + 1);
    }
    return all.some((one) => {
      const inside = [...anything(one.arity, first), ...rest];
      return this.useful(specialise(rows, one), inside, depth + 1);
    });
  }

  #spend(steps: number, depth: number): boolean {
    this.#work += steps + 1;
    if (this.#work > maxWork || depth > maxDepth) this.gaveUp = true;
    return !this.gaveUp;
  }

  /** The heads in the first column, each once, and all that values there can have: null where those are infinitely many or unknown. */
  #heads(rows: readonly Row[]): { readonly heads: readonly Head[]; readonly all: readonly Head[] | null } {
    const heads = new Map<string, Head>();
    let all: readonly Head[] | null = null;
    for (const [first] of rows) {
      if (first === undefined) continue;
      const head = headOf(first);
      if (head === null) continue;
      heads.set(head.kind === "tuple" ? "tuple" : head.kind === "constructor" ? head.name : head.text, head);
      if (all !== null) continue;
      if (head.kind === "tuple") all = [head];
      else if (first.kind === "boolean") all = [literal("true"), literal("false")];
      else if (first.kind === "constructor" && first.data !== "") {
        all = this.constructorsOf(first.data).map((each): Head => ({ kind: "constructor", ...each }));
      }
    }
    return { heads: [...heads.values()], all };
  }
}

function literal(text: string): Head {
  return { kind: "literal", text, arity: 0 };
}

/** Null for a pattern that matches everything. */
function headOf(pattern: Pattern): Head | null {
  switch (pattern.kind) {
    case "variable":
    case "wildcard":
      return null;
    case "tuple":
      return { kind: "tuple", arity: pattern.items.length };
    case "constructor":
      return { kind: "constructor", name: pattern.name, arity: pattern.args.length, fieldNames: null };
    case "integer":
    case "boolean":
      return literal(String(pattern.value));
  }
}

function sameHead(left: Head, right: Head): boolean {
  if (left.kind === "tuple") return right.kind === "tuple";
  if (left.kind === "literal") return right.kind === "literal" && left.text === right.text;
  return right.kind === "constructor" && left.name === right.name;
}

/** The rows that match values with the given head, with the value's parts in place of the first column. */
function specialise(rows: readonly Row[], head: Head): readonly Row[] {
  return rows.flatMap((row): readonly Row[] => {
    const [first, ...rest] = row;
    if (first === undefined) return [];
    const own = headOf(first);
    if (own === null) return [[...anything(head.arity, first), ...rest]];
    if (!sameHead(own, head)) return [];
    const parts = first.kind === "tuple" ? first.items : first.kind === "constructor" ? first.args : [];
    return [[...parts, ...rest]];
  });
}

/** The rows that match every value in the first column, without it. */
function withoutFirst(rows: readonly Row[]): readonly Row[] {
  return rows.flatMap(([first, ...rest]) => (first !== undefined && headOf(first) === null ? [rest] : []));
}

function anything(count: number, { type, span }: Pattern): readonly Pattern[] {
  return Array.from({ length: count }, () => ({ kind: "wildcard", type, span }) as const);
}

function rebuild(head: Head, parts: readonly Witness[]): Witness {
  switch (head.kind) {
    case "literal":
      return { kind: "literal", text: head.text };
    case "tuple":
      return { kind: "tuple", items: filled(parts, head.arity) };
    case "constructor":
      return { kind: "constructor", name: head.name, fieldNames: head.fieldNames, args: filled(parts, head.arity) };
  }
}

function filled(parts: readonly Witness[], arity: number): readonly Witness[] {
  return Array.from({ length: arity }, (_, i) => parts[i] ?? { kind: "any" });
}

/** A witness as one more row, to find what else is missing. */
function asPattern(witness: Witness, span: Span): Pattern {
  const type = { kind: "bool" } as const;
  switch (witness.kind) {
    case "any":
      return { kind: "wildcard", type, span };
    case "literal":
      if (witness.text !== "true" && witness.text !== "false") {
        return { kind: "integer", value: Number(witness.text), type, span };
      }
      return { kind: "boolean", value: witness.text === "true", type, span };
    case "tuple":
      return { kind: "tuple", items: witness.items.map((item) => asPattern(item, span)), type, span };
    case "constructor": {
      const args = witness.args.map((arg) => asPattern(arg, span));
      return { kind: "constructor", data: "", name: witness.name, args, type, span };
    }
  }
}
