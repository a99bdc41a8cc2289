// Destination passing.
//
// The arrays that a gradient, or another derivative, is made of are those of an earlier one, where that is handed back.
//
//   earlierArrays(buffers, { xs, m }, ys);               const m1 = buffers ? m.slice() : m;
//                                                        const earlier = buffers && earlierArrays(buffers, { xs, m: m1 }, ys);
//   const xs_ = new Float64Array(n);                     const xs_ = earlier ? earlier.xs.fill(0) : new Float64Array(n);
//   const m_ = zeroRows(m);                         =>   const m_ = earlier ? earlier.m.map((row) => row.fill(0)) : zeroRows(m1);
//   ..                                                   ..
//   return .. refill({ xs: xs_, m: m_ }, buffers)        return .. { xs: xs_, m: m_ }
//
// What is in them is zero first only where it is not set before it is read. All of the gradient's arrays are, or none: what `refill` looks at may call anything, and
// that must not find them half-way. For the same reason the rows of an argument are those of an array that nobody else has, which has no getters.
//
// Of other results than gradients the lengths are not known before they are computed, and some arrays are made where this pass does not see it: these are moved at the end.
//
//   earlierArrays(buffers, { a: anyLength, b: anyLength });    const earlier = buffers && earlierArrays(buffers, { a: anyLength });
//   const a = new Float64Array(n);                          => const a = earlier && earlier.a.length === n ? earlier.a.fill(0) : new Float64Array(n);
//   return refill({ a, b: f(a) }, buffers)                     return refill({ a, b: f(a) }, buffers)

import { arrow, binary, callOf, cond, constant, id, index as at, member, number } from "../../typescript/build.js";
import { mapParts, mapStmt, visitExpressions, withBody, type Rewriting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { ArrayLengths } from "../analysis/array-lengths.js";
import type { Bindings } from "../analysis/bindings.js";
import {
  elementsOf,
  filledFrom,
  isElement,
  isNewArray,
  iterationsOf,
  setsEach,
  type For,
} from "../analysis/counting.js";
import { jumps, mentionsIn, namesIn } from "../analysis/mentions.js";
import { isCallOf, type Surroundings } from "../analysis/purity.js";
import { numbersIn } from "./arena.js";

type Const = TsStmt & { readonly kind: "const"; readonly target: string };

/** An array of the gradient: what it is as long as, how one comes to it, and the constant that makes it. */
interface Place {
  readonly like: TsExpr & { readonly kind: "id" };
  readonly path: readonly string[];
  readonly made: Const;
  readonly isOfRows: boolean;
  /** Where the length of an earlier one may be any, that of the new one. */
  readonly size: TsExpr | null;
  /** The constants that it is. */
  readonly names: ReadonlySet<string>;
}

/** The call, taken apart. */
interface Request {
  readonly stmt: TsStmt;
  readonly call: TsExpr & { readonly kind: "call" };
  readonly buffers: TsExpr;
  readonly like: TsExpr;
  readonly read: readonly TsExpr[];
}

/** What a request asks for, as far as it can be had. */
interface Found {
  readonly places: readonly Place[];
  readonly like: TsExpr;
  readonly isComplete: boolean;
}

export function withEarlierArrays(fn: TsFunction, bindings: Bindings, surroundings: Surroundings): TsFunction {
  const asked = requestIn(fn, surroundings);
  const found = asked === null ? null : placesOf(fn, asked, surroundings);
  if (asked === null || found === null) return fn;
  const { places, like: fitting } = found;
  const request: Request = { ...asked, call: { ...asked.call, args: [asked.buffers, fitting, ...asked.read] } };
  const fills = fillsOf(fn, surroundings);
  const earlier = id(bindings.fresh("earlier"));

  // Arguments with rows, where that is easily written in the constant, and what others are called then
  const copied = new Set<string>();
  const copies = new Map<string, string>();
  const position = fn.body.indexOf(request.stmt);
  for (const { like, isOfRows } of places) {
    if (!isOfRows) continue;
    const isPath = fn.body.slice(0, position).some((stmt) => isConst(stmt, like.name) && stmt.init.kind === "member");
    if (isPath) copied.add(like.name);
    else copies.set(like.name, bindings.fresh(bindings.wanted(like.name)));
  }
  const copyOf = (whole: TsExpr): TsExpr => cond(request.buffers, callOf(member(whole, "slice")), whole);
  const renaming = renamed((name) => copies.get(name) ?? name);
  const made = new Map<TsStmt, Place>(places.map((place) => [place.made, place]));

  const reused = (place: Place, init: TsExpr): TsExpr => {
    const { path, isOfRows, size } = place;
    const array = path.reduce<TsExpr>((whole, key) => (/^\d+$/.test(key) ? at(whole, Number(key)) : member(whole, key)), earlier); // prettier-ignore
    const emptied = (part: TsExpr): TsExpr => callOf(member(part, "fill"), number(0));
    const row = bindings.fresh("row");
    const zeros = isOfRows ? callOf(member(array, "map"), arrow([row], emptied(id(row)))) : emptied(array);
    const fits = size === null ? earlier : binary("&&", earlier, binary("===", member(array, "length"), size));
    return cond(fits, fills(place) ? array : zeros, init);
  };
  const body = fn.body.flatMap((stmt, index): readonly TsStmt[] => {
    if (stmt === request.stmt) {
      return [
        ...[...copies].map(([name, copy]) => constant(copy, null, copyOf(id(name)))),
        renaming.statement(constant(earlier.name, null, binary("&&", request.buffers, request.call))),
      ];
    }
    if (index < position)
      return isConst(stmt) && copied.has(stmt.target) ? [{ ...stmt, init: copyOf(stmt.init) }] : [stmt];
    const place = made.get(stmt);
    const next = place === undefined ? stmt : { ...place.made, init: reused(place, place.made.init) };
    const last = index === fn.body.length - 1 && found.isComplete ? withoutRefill(next, surroundings) : next;
    return [renaming.statement(last)];
  });
  return withBody(fn, body);
}

/** A function without the call that asks for earlier arrays: where they are not used. */
export function withoutCallsForEarlierArrays(fn: TsFunction, surroundings: Surroundings): TsFunction {
  const request = requestIn(fn, surroundings);
  return request === null ? fn : withBody(fn, fn.body.filter((stmt) => stmt !== request.stmt)); // prettier-ignore
}

function requestIn(fn: TsFunction, surroundings: Surroundings): Request | null {
  for (const stmt of fn.body) {
    if (stmt.kind !== "expr" || !isCallOf(stmt.expr, "buffers.earlierArrays", surroundings)) continue;
    const [buffers, like, ...read] = stmt.expr.args;
    return buffers === undefined || like === undefined ? null : { stmt, call: stmt.expr, buffers, like, read };
  }
  return null;
}

/** The arrays of a result that constants behind the call make; null where one of a gradient is not made so, or is there twice. */
function placesOf(fn: TsFunction, request: Request, surroundings: Surroundings): Found | null {
  const result = resultIn(fn, surroundings);
  if (result === null) return null;
  const isNumber = numbersIn(fn, surroundings);
  const consts = new Map(fn.body.slice(fn.body.indexOf(request.stmt)).flatMap((stmt) => isConst(stmt) ? [[stmt.target, stmt]] : [])); // prettier-ignore
  const rootOf = (name: string): Const | null => {
    const found = consts.get(name) ?? null;
    return found?.init.kind === "id" ? rootOf(found.init.name) : found;
  };
  const places: Place[] = [];
  const placeOf = (like: TsExpr, part: TsExpr | undefined, path: readonly string[]): Place | null => {
    const made = part?.kind === "id" ? rootOf(part.name) : null;
    if (like.kind !== "id" || made === null || places.some((place) => place.made === made)) return null;
    const isOfRows = isCallOf(made.init, "adjoint.zeroRows", surroundings);
    const [size = null, ...others] = isNewArray(made.init) ? made.init.args : [];
    if (!isOfRows && (size === null || others.length > 0 || !isNumber(size))) return null;
    const names = new Set([...consts.keys()].filter((name) => rootOf(name) === made));
    const isAny = isAnyLength(like, surroundings);
    if (isOfRows && (isAny || isAssignedTo(fn, names))) return null;
    return { like, path, made, isOfRows, size: isAny ? size : null, names };
  };
  let [isComplete, isWhole] = [true, true];
  /** What is found of it. */
  const collect = (like: TsExpr, part: TsExpr | undefined, path: readonly string[]): TsExpr | null => {
    if (like.kind === "object") {
      const fields = like.fields.flatMap(({ name, value }) => {
        const found = collect(value, partOf(part, name), [...path, name]);
        return found === null ? [] : [{ name, value: found }];
      });
      return fields.length === 0 ? null : { ...like, fields };
    }
    const place = placeOf(like, part, path);
    if (place === null) isComplete = false;
    if (place === null && !isAnyLength(like, surroundings)) isWhole = false;
    if (place !== null) places.push(place);
    return place === null ? null : like;
  };
  const like = collect(request.like, result, []);
  return like === null || !isWhole ? null : { places, like, isComplete };
}

function isAnyLength(like: TsExpr, surroundings: Surroundings): boolean {
  return like.kind === "id" && surroundings.reference(like.name) === "buffers.anyLength";
}

/** What a function gives as a gradient, or another result; null where it does so in several places. */
function resultIn(fn: TsFunction, surroundings: Surroundings): TsExpr | null {
  const found: TsExpr[] = [];
  visitExpressions(fn.body, (expr) => {
    if (isCallOf(expr, "buffers.refill", surroundings)) found.push(...expr.args.slice(0, 1));
  });
  const [gradient, ...others] = found;
  return others.length > 0 || fn.body.at(-1)?.kind !== "return" ? null : (gradient ?? null);
}

function withoutRefill(stmt: TsStmt, surroundings: Surroundings): TsStmt {
  const rewriting: Rewriting = {
    expr: (expr) => {
      const [gradient] = isCallOf(expr, "buffers.refill", surroundings) ? expr.args : [];
      return gradient ?? mapParts(expr, rewriting);
    },
    block: (body) => body,
  };
  return mapStmt(stmt, rewriting);
}

/** Whether an element of an array becomes another one. */
function isAssignedTo(fn: TsFunction, names: ReadonlySet<string>): boolean {
  let isAssigned = false;
  visitExpressions(fn.body, (expr) => {
    if (expr.kind !== "assign" || expr.target.kind !== "index") return;
    if (expr.target.object.kind === "id" && names.has(expr.target.object.name)) isAssigned = true;
  });
  return isAssigned;
}

/** Tells of an array whether all of its elements are set before anything else is done with it. */
function fillsOf(fn: TsFunction, surroundings: Surroundings): (place: Place) => boolean {
  const lengths = new ArrayLengths(fn, surroundings);
  const lengthOf = (array: string): TsExpr => member(id(array), "length");
  /** Whether a number is the length of an array, as far as statements before say. */
  const isLength = (size: TsExpr, array: string, before: readonly TsStmt[]): boolean =>
    lengths.areSame(size, lengthOf(array)) ||
    before.some(
      (stmt) => isConst(stmt) && lengths.areSame(size, id(stmt.target)) && lengths.arraysAsLongAs(id(stmt.target))?.has(array) === true, // prettier-ignore
    );

  /** Whether the first thing that statements do with an array is to set all of it. */
  const isFilled = (name: string, size: TsExpr, body: readonly TsStmt[], begin: number): boolean => {
    const first = body.findIndex((stmt, index) => index >= begin && mentionsIn([stmt], name));
    const stmt = body[first];
    if (stmt === undefined) return false;
    const from = filledFrom(stmt, name);
    if (from !== null) return isLength(size, from, body.slice(0, first));
    return stmt.kind === "for" && hasIterations(stmt, size) && setsEach(stmt, name) && elementsOf(stmt, name) === namesIn([stmt], name); // prettier-ignore
  };
  const hasIterations = (loop: For, size: TsExpr): boolean => {
    const iterations = iterationsOf(loop);
    return iterations !== null && lengths.areSame(size, iterations);
  };

  /** Whether each iteration of a loop fills the row at its index. */
  const fillsRows = (loop: For, name: string, like: string): boolean => {
    if (!hasIterations(loop, lengthOf(like)) || jumps(loop.body) || namesIn([loop], name) !== 1) return false;
    const rowOf = (array: string): Const | undefined =>
      loop.body.filter((stmt) => isConst(stmt)).find(({ init }) => isElement(init, array, loop.name));
    const [row, model] = [rowOf(name), rowOf(like)];
    if (row === undefined || model === undefined) return false;
    return isFilled(row.target, lengthOf(model.target), loop.body, loop.body.indexOf(row) + 1);
  };

  return ({ made, names, isOfRows, like }) => {
    const begin = fn.body.indexOf(made) + 1;
    const uses = fn.body.slice(begin).filter((stmt) => [...names].some((name) => mentionsIn([stmt], name)));
    const isAlias = (stmt: TsStmt): boolean => isConst(stmt) && stmt.init.kind === "id";
    const first = uses.find((stmt) => !isAlias(stmt));
    const used = [...names].filter((name) => first !== undefined && mentionsIn([first], name));
    const [name] = used;
    if (first === undefined || name === undefined || used.length > 1) return false;
    if (isOfRows) return first.kind === "for" && fillsRows(first, name, like.name);
    const [size] = isNewArray(made.init) ? made.init.args : [];
    return size !== undefined && isFilled(name, size, fn.body, fn.body.indexOf(first));
  };
}

function isConst(stmt: TsStmt, name: string | null = null): stmt is Const {
  return stmt.kind === "const" && typeof stmt.target === "string" && (name === null || stmt.target === name);
}

/** What an object or a tuple has at a key. */
function partOf(whole: TsExpr | undefined, key: string): TsExpr | undefined {
  if (whole?.kind === "array") return whole.items[Number(key)];
  return whole?.kind === "object" ? whole.fields.find(({ name }) => name === key)?.value : undefined;
}

function renamed(nameOf: (name: string) => string): { readonly statement: (stmt: TsStmt) => TsStmt } {
  const rewriting: Rewriting = {
    expr: (expr) => {
      if (expr.kind !== "id") return mapParts(expr, rewriting);
      const name = nameOf(expr.name);
      return name === expr.name ? expr : id(name);
    },
    block: (body) => body.map((stmt) => mapStmt(stmt, rewriting)),
  };
  return { statement: (stmt) => mapStmt(stmt, rewriting) };
}
