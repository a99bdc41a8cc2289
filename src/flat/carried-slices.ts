// Slices that a loop hands on.
//
// An array that a loop carries, and of which each iteration hands on a part as it is, is the one that the loop begins with, from a place on, and of a length.
//
//   loop (v = u).. { .. v ! i ..; m = length v; k = m - 1; [w] = for j < k { t = j + 1; x = v ! t; yield x }; next w, .. }
//     =>
//   loop (from = 0, m = length u).. { .. u ! (from + i) ..; k = m - 1; next from + 1, k, .. }
//
// So a recursion that takes elements off an array copies none.

import { atomOf, intAtom, isVariable, letOf, yieldOf } from "./build.js";
import { isOnlyRead, operationsIn, withoutArray, type OperationOf } from "./element-reads.js";
import { FlatNames } from "./naming.js";
import { int, type Atom, type Block, type End, type Program, type Stmt, type Var } from "./program.js";
import { withLoopsRewritten, type For, type Loop } from "./rewrite-loops.js";
import { allNames, allStmts, boundBy, endsOf, mapBlocks } from "./traverse.js";

/** The program, with the same meaning. `names` are those of the program. */
export function withSlicesInPlace(program: Program, names = new FlatNames(allNames(program))): Program {
  const operation = operationsIn(program);
  return withLoopsRewritten(program, (loop) => {
    const [before, after]: [Stmt[], Stmt[]] = [[], []];
    let changed = loop;
    for (const param of loop.params) {
      const carried = carriedIn(changed, param, operation);
      if (carried !== null) changed = inPlace(changed, carried, names, before, after);
    }
    return changed === loop ? null : [...before, changed, ...after];
  });
}

/** A part of an array: from a place on, so many elements. */
interface Slice {
  readonly from: Atom;
  readonly length: Atom;
}

/** A parameter that is an array, of which every iteration hands on a part. */
interface Carried {
  readonly param: Var;
  readonly init: Atom;
  /** What a loop that counts has of it in the end. */
  readonly result: Var | null;
  /** By the name of what an iteration may hand on which part of the parameter that is; null for the parameter itself. */
  readonly slices: ReadonlyMap<string, Slice | null>;
}

function carriedIn(loop: Loop | For, param: Var, operation: OperationOf): Carried | null {
  const at = loop.params.indexOf(param);
  const [init, result = null] = [loop.init[at], loop.kind === "for" ? loop.results[at] : null];
  if (param.rep.kind !== "array" || init === undefined) return null;
  const slices = new Map<string, Slice | null>([[param.name, null]]);
  for (const stmt of allStmts(loop.body))
    if (stmt.kind === "for") for (const [name, slice] of slicesIn(stmt, param, operation)) slices.set(name, slice);
  const next = iterationsOf(loop).map(({ values }) => values[at]);
  const isSlice = next.every((value) => value?.kind === "var" && slices.has(value.variable.name));
  if (
    !isSlice ||
    next.every((value) => isVariable(value, param)) ||
    !isOnlyRead(
      handingOn(loop, at, () => []),
      param,
    )
  )
    return null;
  return { param, init, result, slices };
}

/** The parts of an array that a loop makes, by what they are called. */
function slicesIn(loop: For, array: Var, operation: OperationOf): readonly (readonly [string, Slice])[] {
  const { index, count, params, arrays, body } = loop;
  const { end } = body;
  if (params.length > 0 || end.kind !== "yield") return [];
  const own = new Set(body.stmts.flatMap(boundBy).map(({ name }) => name));
  /** From where on the elements of another array are read, one in each iteration; null where they are not. */
  const fromOf = (element: Atom | undefined): Atom | null => {
    const read = element?.kind === "var" && own.has(element.variable.name) ? operation(element) : undefined;
    if (read?.kind !== "cell" || !isVariable(read.array, array)) return null;
    if (isVariable(read.index, index)) return intAtom(0);
    const place = operation(read.index);
    if (place?.kind !== "prim" || place.op !== "addZ" || !place.args.some((arg) => isVariable(arg, index))) return null;
    const from = place.args.find((arg) => !isVariable(arg, index));
    const isOutside = from?.kind === "int" || (from?.kind === "var" && !own.has(from.variable.name));
    return from !== undefined && isOutside ? from : null;
  };
  return arrays.flatMap(({ name }, place) => {
    const from = fromOf(end.values[place]);
    return from === null ? [] : [[name, { from, length: count }] as const];
  });
}

function iterationsOf(loop: Loop | For): readonly Iteration[] {
  return [...endsOf(loop.body)].filter(({ kind }) => kind === (loop.kind === "for" ? "yield" : "next"));
}

type Iteration = End & { readonly kind: "yield" | "next" };

/** The body of a loop that hands on other values at a place; `values` gives them, and adds the statements that compute them. */
function handingOn(
  loop: Loop | For,
  at: number,
  values: (value: Atom | undefined, out: Stmt[]) => readonly Atom[],
): Block {
  const iterations = new Set<End>(iterationsOf(loop));
  const ended = ({ stmts, end }: Block): Block => {
    if (end.kind !== "yield" && end.kind !== "next") return { stmts, end: mapBlocks(end, ended) };
    if (!iterations.has(end)) return { stmts, end };
    const out: Stmt[] = [];
    const next = end.values.toSpliced(at, 1, ...values(end.values[at], out));
    return { stmts: [...stmts, ...out], end: { ...end, values: next } };
  };
  return ended(loop.body);
}

/** The loop with a place and a length for the array. `before`, `after`: what comes to stand around it. */
function inPlace<L extends Loop | For>(
  loop: L,
  { param, init, result, slices }: Carried,
  names: FlatNames,
  before: Stmt[],
  after: Stmt[],
): L {
  const integer = (stem: string): Var => ({ name: names.own(stem), rep: int });
  const [from, length, whole] = [integer("from"), integer("size"), integer("size")];
  before.push(letOf(whole, { kind: "length", array: init }));
  /** Where the element at an index of a part stands that begins at a place. */
  const placeOf = (start: Var, index: Atom, out: Stmt[]): Atom => {
    if (index.kind === "int" && index.value === 0) return atomOf(start);
    const place = integer(names.temporary);
    out.push(letOf(place, { kind: "prim", op: "addZ", args: [atomOf(start), index], site: null }));
    return atomOf(place);
  };
  const elementFrom =
    (start: Var) =>
    (element: Var, at: Atom, out: Stmt[]): void => {
      const index = placeOf(start, at, out);
      out.push(letOf(element, { kind: "cell", array: init, index }));
    };
  const at = loop.params.indexOf(param);
  const handed = handingOn(loop, at, (value, out) => {
    const slice = value?.kind === "var" ? slices.get(value.variable.name) : undefined;
    return slice == null ? [atomOf(from), atomOf(length)] : [placeOf(from, slice.from, out), slice.length];
  });
  const changed: L = {
    ...loop,
    params: loop.params.toSpliced(at, 1, from, length),
    init: loop.init.toSpliced(at, 1, intAtom(0), atomOf(whole)),
    body: withoutArray(handed, param, { length: atomOf(length), elementAt: elementFrom(from) }),
  };
  if (result === null || param.rep.kind !== "array") return changed;
  // What is left in the end is made there
  const [last, left, index] = [integer("from"), integer("size"), integer("i")];
  const element: Var = { name: names.fresh({ stem: names.temporary, suffix: "" }), rep: param.rep.element };
  const stmts: Stmt[] = [];
  elementFrom(last)(element, atomOf(index), stmts);
  after.push({ kind: "for", index, count: atomOf(left), params: [], init: [], results: [], arrays: [result], body: yieldOf(stmts, [atomOf(element)]) }); // prettier-ignore
  return { ...changed, results: loop.results.toSpliced(at, 1, last, left) };
}
