// Growable buffers in place of copies.
//
// The numbers of a loop that does not know how many there will be stay where they have been collected, and where such a loop is in another one, all iterations of that
// one collect them in the same place.
//
//   for (..) {                                                   let t = new Float64Array(8);
//     let buffer = new Float64Array(8);                           for (..) {
//     let count = 0;                                               let count = 0;
//     while (..) {                                                 while (..) {
//       if (count === buffer.length) buffer = grown(buffer);      =>       if (count === t.length) t = grown(t);
//       buffer[count] = e; count += 1;                                 t[count] = e; count += 1;
//     }                                                            }
//     const t = buffer.subarray(0, count);
//     for (let i = 0; i < t.length; i++) .. t[i] ..                for (let i = 0; i < count; i++) .. t[i] ..
//   }                                                            }
//
// What others look at as well is `collected(buffer, count)`.

import { callOf, id } from "../../typescript/build.js";
import { isName, isNumber } from "../../typescript/facts.js";
import {
  mapBlocks,
  mapExpressions,
  mapParts,
  mapStmt,
  replaced,
  visitParts,
  visitStatements,
  visitStmt,
  type Rewriting,
  type Visiting,
} from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import type { Bindings } from "../analysis/bindings.js";
import { arrayMadeBy } from "../analysis/counting.js";
import { grownIn } from "../analysis/growths.js";
import { isLoop } from "../analysis/loops.js";
import type { Surroundings } from "../analysis/purity.js";
import { isSettled, surveyed } from "../analysis/survey.js";

/** The function of the runtime that makes an array of what a buffer holds. */
export const partMaker = "adjoint.collected";

export function withBuffersShared(fn: TsFunction, bindings: Bindings, surroundings: Surroundings): TsFunction {
  return withCollected(withBuffersInPlace(fn, bindings, surroundings), surroundings);
}

function withBuffersInPlace(fn: TsFunction, bindings: Bindings, surroundings: Surroundings): TsFunction {
  const parts = partsOfBuffers(fn, surroundings);
  if (parts.size === 0) return fn;
  for (const [name, { buffer }] of parts) bindings.rename(buffer, bindings.wanted(name));
  const buffers = new Set([...parts.values()].map(({ buffer }) => buffer));
  const lengths = lengthsOf(fn, parts);
  const inPlace = mapExpressions(withoutDeclarations(fn, [parts, lengths]), (expr, rewriting) => {
    const part = parts.get(measuredIn(expr) ?? "");
    if (part !== undefined) return id(part.count);
    const other = expr.kind === "id" ? (parts.get(expr.name)?.buffer ?? lengths.get(expr.name)) : undefined;
    return other === undefined ? mapParts(expr, rewriting) : id(other);
  });
  return mapBlocks(inPlace, (body) => replaced(body, (stmt) => outside(stmt, buffers)));
}

/** `name`, of `name.length` */
function measuredIn(expr: TsExpr): string | null {
  return expr.kind === "member" && expr.name === "length" && expr.object.kind === "id" ? expr.object.name : null;
}

/** By variable that is the length of a part the one that says how many numbers there are, where that stays so. */
function lengthsOf(fn: TsFunction, parts: ReadonlyMap<string, Part>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const survey = surveyed(fn);
  visitStatements(fn.body, (stmt) => {
    if (stmt.kind !== "const" || typeof stmt.target !== "string") return;
    const part = parts.get(measuredIn(stmt.init) ?? "");
    if (part !== undefined && isSettled(survey, part.count, stmt)) found.set(stmt.target, part.count);
  });
  return found;
}

/** The part of a buffer that numbers have been put into. */
interface Part {
  readonly buffer: string;
  /** The variable that says how many they are. */
  readonly count: string;
}

/** By variable the part of a buffer that it is, where it may be the buffer itself. */
function partsOfBuffers(fn: TsFunction, surroundings: Surroundings): ReadonlyMap<string, Part> {
  const found = new Map<string, Part>();
  const survey = surveyed(fn);
  const parts = (body: readonly TsStmt[]): void => {
    body.forEach((stmt, at) => {
      const part = stmt.kind === "const" ? partOf(stmt.init) : null;
      if (part === null || stmt.kind !== "const" || typeof stmt.target !== "string") return;
      const { buffer, count } = part;
      const made = body.slice(0, at).findIndex((other) => other.kind === "let" && other.name === buffer && isNewBuffer(other)); // prettier-ignore
      const behind = body.slice(at + 1);
      if (made === -1 || !isSettled(survey, buffer, stmt) || !isSettled(survey, count, stmt)) return;
      const isOwn = usesOf(buffer, body.slice(made + 1, at), surroundings).others === 0 && usesOf(buffer, behind, surroundings).all === 0; // prettier-ignore
      if (isOwn && usesOf(stmt.target, behind, surroundings).others === 0) found.set(stmt.target, part);
    });
  };
  mapBlocks(fn, (body) => {
    parts(body);
    return body;
  });
  return found;
}

/** A function in which the parts of buffers that are left are made by the runtime. */
function withCollected(fn: TsFunction, { nameOf }: Surroundings): TsFunction {
  const maker = nameOf(partMaker);
  const buffers = new Set<string>();
  visitStatements(fn.body, (stmt) => {
    if (stmt.kind === "let" && isNewBuffer(stmt)) buffers.add(stmt.name);
  });
  if (maker === null || buffers.size === 0) return fn;
  return mapExpressions(fn, (expr, rewriting) => {
    const part = partOf(expr);
    if (part === null || !buffers.has(part.buffer)) return mapParts(expr, rewriting);
    return callOf(id(maker), id(part.buffer), id(part.count));
  });
}

/** `buffer.subarray(0, count)` */
function partOf(expr: TsExpr): Part | null {
  if (expr.kind !== "call" || expr.fn.kind !== "member") return null;
  const { fn, args } = expr;
  const [from, to] = args;
  if (fn.name !== "subarray" || fn.object.kind !== "id" || from === undefined || !isNumber(from, 0)) return null;
  return to?.kind === "id" ? { buffer: fn.object.name, count: to.name } : null;
}

export function isNewBuffer(stmt: TsStmt & { readonly kind: "let" }): boolean {
  return stmt.init !== null && arrayMadeBy({ kind: "const", target: stmt.name, type: null, init: stmt.init })?.size.kind === "number"; // prettier-ignore
}

export interface BufferUses {
  readonly all: number;
  /** Those but for elements, lengths, and growing. */
  readonly others: number;
}

/** What statements do with an array; what functions in them do, which may be called later, is something else. */
export function usesOf(name: string, stmts: readonly TsStmt[], surroundings: Surroundings): BufferUses {
  let [all, own, functions] = [0, 0, 0];
  const inside = (isFunction: boolean, visit: () => void): void => {
    functions += isFunction ? 1 : 0;
    visit();
    functions -= isFunction ? 1 : 0;
  };
  const visiting: Visiting = {
    expr: (expr) => {
      if (isName(expr, name)) all++;
      const isElement = expr.kind === "index" && isName(expr.object, name);
      const isLength = expr.kind === "member" && expr.name === "length" && isName(expr.object, name);
      if (functions === 0 && (isElement || isLength)) own++;
      if (functions === 0 && grownIn(expr, surroundings) === name) own += 2;
      inside(expr.kind === "arrow", () => {
        visitParts(expr, visiting);
      });
    },
    block: (body) => {
      for (const stmt of body)
        inside(stmt.kind === "function", () => {
          visitStmt(stmt, visiting);
        });
    },
  };
  visiting.block(stmts);
  return { all, others: all - own };
}

/** A function without the declarations of variables that are in one of several maps. */
function withoutDeclarations(fn: TsFunction, variables: readonly ReadonlyMap<string, unknown>[]): TsFunction {
  const isOne = (stmt: TsStmt): boolean => {
    const target = stmt.kind === "const" && typeof stmt.target === "string" ? stmt.target : null;
    return target !== null && variables.some((map) => map.has(target));
  };
  return mapBlocks(fn, (body) => (body.some(isOne) ? body.filter((stmt) => !isOne(stmt)) : body));
}

/** A loop behind the declarations of the buffers that are in its body; loops in it have theirs in front of them by then. */
function outside(stmt: TsStmt, buffers: ReadonlySet<string>): TsStmt | readonly TsStmt[] {
  if (!isLoop(stmt)) return stmt;
  const declared: TsStmt[] = [];
  const rewriting: Rewriting = {
    expr: (expr) => expr,
    block: (body) =>
      body.flatMap((inner) => {
        if (inner.kind !== "let" || !buffers.has(inner.name))
          return isLoop(inner) ? [inner] : [mapStmt(inner, rewriting)];
        declared.push(inner);
        return [];
      }),
  };
  const rest = mapStmt(stmt, rewriting);
  return declared.length === 0 ? stmt : [...declared, rest];
}
