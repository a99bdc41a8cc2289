// A buffer pool.
//
// A buffer that numbers are collected in is used again by the next call, or the next function: V8 gets memory for each that grows, and the collector has to give it back.
//
//   let buffer = new Float64Array(8);                              let buffer = takeBuffer();
//   while (..) {                                                 while (..) {
//     if (count === buffer.length) buffer = grown(buffer);       =>      if (count === buffer.length) buffer = grown(buffer);
//     buffer[count] = e; count += 1;                                 buffer[count] = e; count += 1;
//   }                                                            }
//   for (let i = 0; i < count; i++) .. buffer[i] ..                for (let i = 0; i < count; i++) .. buffer[i] ..
//                                                                leaveBuffer(buffer);
//
// Where a call fails, or returns before that, its buffer is the collector's.

import { callOf, effect, id, member } from "../../typescript/build.js";
import { mapBlocks, visitExpressions, visitStatements } from "../../typescript/traverse.js";
import type { TsFunction, TsStmt } from "../../typescript/tree.js";
import { growthIn, grownIn } from "../analysis/growths.js";
import { mentionsIn } from "../analysis/mentions.js";
import type { Surroundings } from "../analysis/purity.js";
import { isNewBuffer, usesOf } from "./growable-buffers.js";

/** The functions of the runtime that give a buffer, and take it back. */
export const bufferTaker = "adjoint.takeBuffer";
export const bufferLeaver = "adjoint.leaveBuffer";

export function withSpareBuffers(fn: TsFunction, surroundings: Surroundings): TsFunction {
  const [taker, leaver] = [surroundings.nameOf(bufferTaker), surroundings.nameOf(bufferLeaver)];
  const measures = measuresIn(fn, surroundings);
  if (taker === null || leaver === null || measures.size === 0) return fn;
  return mapBlocks(fn, (body) => {
    const buffers = buffersIn(body, measures, surroundings);
    if (buffers.length === 0) return body;
    const taken = new Map(buffers.map(({ made, measure }) => [made, measure === made.name ? [] : [member(id(measure), "length")]])); // prettier-ignore
    return body.flatMap((stmt) => {
      const size = stmt.kind === "let" ? taken.get(stmt) : undefined;
      const made = size === undefined ? stmt : { ...stmt, init: callOf(id(taker), ...size) };
      const left = buffers.filter(({ last }) => last === stmt);
      return [made, ...left.map((buffer) => effect(callOf(id(leaver), id(buffer.made.name))))];
    });
  });
}

type Let = TsStmt & { readonly kind: "let" };

interface Buffer {
  readonly made: Let;
  /** The buffer that is as long, or shorter: it is looked at to see whether there is room for more. */
  readonly measure: string;
  /** The last statement of the block that mentions it. */
  readonly last: TsStmt;
}

/**
 * By buffer the one whose length is looked at before it is made larger: itself, or one that is made larger with it. Without those of which, or of one of which, more is asked than
 * that: they may be longer than others then.
 */
function measuresIn(fn: TsFunction, surroundings: Surroundings): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const bad = new Set<string>();
  // What is something else than growing, or looking at the length for that
  const others = new Map<string, number>();
  const count = (name: string, step: number): void => {
    others.set(name, (others.get(name) ?? 0) + step);
  };
  visitStatements(fn.body, (stmt) => {
    const growth = growthIn(stmt, surroundings);
    if (growth === null) return;
    const { measure, buffers } = growth;
    count(measure, -1);
    for (const buffer of buffers) {
      count(buffer, -1);
      if ((found.get(buffer) ?? measure) !== measure) bad.add(measure).add(found.get(buffer) ?? measure);
      found.set(buffer, measure);
    }
  });
  visitExpressions(fn.body, (expr) => {
    const grown = grownIn(expr, surroundings);
    if (grown !== null) count(grown, 1);
    if (expr.kind === "member" && expr.name === "length" && expr.object.kind === "id") count(expr.object.name, 1);
    // What is added to what is there needs zeros
    if (expr.kind === "assign" && expr.op !== "=" && expr.target.kind === "index" && expr.target.object.kind === "id")
      count(expr.target.object.name, 1);
  });
  for (const [buffer, measure] of found) if (others.get(buffer) !== 0) bad.add(measure);
  return new Map([...found].filter(([, measure]) => !bad.has(measure)));
}

/** The buffers that a block makes for itself: those that are made larger together all, or none of them. */
function buffersIn(
  body: readonly TsStmt[],
  measures: ReadonlyMap<string, string>,
  surroundings: Surroundings,
): readonly Buffer[] {
  const buffers = body.flatMap((made, at): readonly Buffer[] => {
    const measure = made.kind === "let" && isNewBuffer(made) ? (measures.get(made.name) ?? null) : null;
    if (made.kind !== "let" || measure === null) return [];
    const behind = body.slice(at + 1);
    const last = behind.findLast((stmt) => mentionsIn([stmt], made.name));
    if (last === undefined || endsIn(last) || usesOf(made.name, behind, surroundings).others > 0) return [];
    return [{ made, measure, last }];
  });
  return buffers.filter(({ measure }) => {
    const together = [...measures].filter(([, other]) => other === measure).map(([buffer]) => buffer);
    const first = buffers.find((buffer) => together.includes(buffer.made.name));
    return first?.made.name === measure && together.every((name) => buffers.some(({ made }) => made.name === name));
  });
}

function endsIn({ kind }: TsStmt): boolean {
  return kind === "return" || kind === "throw" || kind === "break" || kind === "continue";
}
