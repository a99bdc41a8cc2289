// What counts as a loop over indices:
//
//   let rec go(.., i, ..) = if i == n then t else .. go(.., i + 1, ..) in go(.., 0, ..)
//
// where `go` is called nowhere else. The test may be `i >= n` as well, or `i < n` and `i /= n` with the branches changed iteration.

import type { OpName } from "../core/primitives.js";
import type { Fn, Term } from "../core/term.js";
import { allTerms } from "../core/traverse.js";

export interface CountingLoop {
  readonly index: string;
  /** Where it ends: an atom that is the same in all iterations, or the length of such. */
  readonly limit: Term;
  /** One iteration: the branch in which the index is below the limit. */
  readonly iteration: Term;
  /** Whether all iterations take place, up to the limit: each ends in the next. */
  readonly isFull: boolean;
}

/** A `let rec` as a loop; null where it is none. */
export function countingLoop(term: Term & { readonly kind: "letRec" }): CountingLoop | null {
  const [go, ...others] = term.functions;
  if (go === undefined || others.length > 0 || go.body.kind !== "if") return null;
  const { body: start } = term;
  const { cond, then, else: otherwise } = go.body;
  if (start.kind !== "call" || start.fn !== go.name || cond.kind !== "op") return null;
  const stopsWhere = stops.get(cond.op);
  const [index, limit] = cond.args;
  if (stopsWhere === undefined || index?.kind !== "var" || limit === undefined) return null;
  const position = go.params.findIndex(({ name }) => name === index.name);
  const [last, iteration] = stopsWhere ? [then, otherwise] : [otherwise, then];
  const begin = start.args[position];
  if (begin?.kind !== "int" || begin.value !== 0 || !isInvariant(limit, go)) return null;
  const ends = endsOf(iteration);
  const next = ends.filter(
    (end) => end.kind === "call" && end.fn === go.name && isNext(end.args[position], index.name),
  );
  // Every call is one of these, so that the index goes up by one
  if (next.length !== callsOf(iteration, go.name) || callsOf(last, go.name) > 0) return null;
  if (start.args.some((arg) => callsOf(arg, go.name) > 0)) return null;
  return { index: index.name, limit, iteration, isFull: next.length === ends.length };
}

/** The tests, and whether a loop stops where they hold. */
const stops: ReadonlyMap<OpName, boolean> = new Map([
  ["eqZ", true],
  ["geZ", true],
  ["ltZ", false],
  ["neZ", false],
]);

function isInvariant(limit: Term, go: Fn): boolean {
  if (limit.kind === "length") return isInvariant(limit.array, go);
  const { params } = go;
  return limit.kind === "int" || (limit.kind === "var" && params.every(({ name }) => name !== limit.name));
}

/** `i + 1`. */
function isNext(term: Term | undefined, index: string): boolean {
  if (term?.kind !== "op" || term.op !== "addZ") return false;
  const [left, right] = term.args;
  return left?.kind === "var" && left.name === index && right?.kind === "int" && right.value === 1;
}

/** What stands in tail position. */
function endsOf(start: Term): readonly Term[] {
  const ends: Term[] = [];
  const waiting = [start];
  for (let term = waiting.pop(); term !== undefined; term = waiting.pop()) {
    if (term.kind === "let" || term.kind === "letRec") waiting.push(term.body);
    else if (term.kind === "if") waiting.push(term.then, term.else);
    else if (term.kind === "case") waiting.push(...term.branches.map(({ body }) => body));
    else ends.push(term);
  }
  return ends;
}

function callsOf(root: Term, name: string): number {
  let calls = 0;
  for (const term of allTerms(root)) if (term.kind === "call" && term.fn === name) calls += 1;
  return calls;
}
