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
import { FlatNames } from "./naming.js";
import { int, type Atom, type Block, type End, type Operation, type Program, type Stmt, type Var } from "./program.js";
import { withLoopsRewritten, type For, type Loop } from "./rewrite-loops.js";
import { allBlocks, allNames, atomsOf, boundBy, endsOf, mapBlocks } from "./traverse.js";

type OperationOf = (atom: Atom | undefined) => Operation | undefined;

/** The program, with the same meaning. `names` are those of the program. */
export function withSlicesInPlace(program: Program, names = new FlatNames(allNames(program))): Program {
  const definitions = new Map<string, Operation>();
  for (const { body } of program.procedures)
    for (const { stmts } of allBlocks(body))
      for (const stmt of stmts) if (stmt.kind === "let") definitions.set(stmt.result.name, stmt.op);
  const operation: OperationOf = (atom) => (atom?.kind === "var" ? definitions.get(atom.variable.name) : undefined);
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
  for (const { stmts } of allBlocks(loop.body)) {
    for (const stmt of stmts)
      if (stmt.kind === "for") for (const [name, slice] of slicesIn(stmt, param, operation)) slices.set(name, slice);
  }
  const next = iterationsOf(loop).map(({ values }) => values[at]);
  const isSlice = next.every((value) => value?.kind === "var" && slices.has(value.variable.name));
  if (!isSlice || next.every((value) => isVariable(value, param)) || !isOnlyRead(loop, param, at)) return null;
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

/** Whether a loop does no more with a parameter than to read elements, to ask for its length, and to hand it on in its place. */
function isOnlyRead(loop: Loop | For, { name }: Var, at: number): boolean {
  const isIt = (atom: Atom): boolean => atom.kind === "var" && atom.variable.name === name;
  const isFine = (stmt: Stmt): boolean =>
    stmt.kind === "check" ||
    (stmt.kind === "let" && (stmt.op.kind === "length" || (stmt.op.kind === "cell" && !isIt(stmt.op.index)))) ||
    !atomsOf(stmt).some(isIt);
  const iterations: readonly End[] = iterationsOf(loop);
  return [...allBlocks(loop.body)].every(({ stmts, end }) => {
    const ends = [end, ...stmts.flatMap((stmt) => (stmt.kind === "choose" ? [stmt.end] : []))];
    const handed = ends.flatMap((each) =>
      each.kind !== "yield" && each.kind !== "next" ? [] : iterations.includes(each) ? each.values.toSpliced(at, 1) : each.values,
    );
    return stmts.every(isFine) && !handed.some(isIt);
  }); // prettier-ignore
}

function iterationsOf(loop: Loop | For): readonly (End & { readonly kind: "yield" | "next" })[] {
  return [...endsOf(loop.body)].filter(({ kind }) => kind === (loop.kind === "for" ? "yield" : "next"));
}

/** The loop with a place and a length in place of the array. `before`, `after`: what comes to stand around it. */
function inPlace<L extends Loop | For>(
  loop: L,
  { param, init, result, slices }: Carried,
  names: FlatNames,
  before: Stmt[],
  after: Stmt[],
): L {
  // prettier-ignore
  const integer = (stem: string): Var => ({ name: names.fresh({ stem, suffix: "" }), rep: int });
  const [from, length, whole] = [integer("from"), integer("size"), integer("size")];
  before.push(letOf(whole, { kind: "length", array: init }));
  /** Where the element at an index of a part stands, and the statement that computes it. */
  const placeOf = (start: Var, index: Atom, out: Stmt[]): Atom => {
    const place = integer("t");
    out.push(letOf(place, { kind: "prim", op: "addZ", args: [atomOf(start), index], site: null }));
    return atomOf(place);
  };
  const block = (inner: Block): Block => ({ stmts: inner.stmts.flatMap(statement), end: mapBlocks(inner.end, block) });
  const statement = (stmt: Stmt): readonly Stmt[] => {
    switch (stmt.kind) {
      case "let": {
        const { op } = stmt;
        if (op.kind === "length" && isVariable(op.array, param))
          return [{ ...stmt, op: { kind: "copy", value: atomOf(length) } }];
        if (op.kind !== "cell" || !isVariable(op.array, param)) return [stmt];
        const out: Stmt[] = [];
        const index = placeOf(from, op.index, out);
        return [...out, { ...stmt, op: { ...op, array: init, index } }];
      }
      case "check":
        return stmt.check.kind === "inRange" && isVariable(stmt.check.array, param)
          ? [{ ...stmt, check: { ...stmt.check, array: atomOf(length) } }]
          : [stmt];
      case "choose":
        return [{ ...stmt, end: mapBlocks(stmt.end, block) }];
      case "loop":
      case "for":
        return [{ ...stmt, body: block(stmt.body) }];
      case "call":
      case "apply":
        return [stmt];
    }
  };
  const at = loop.params.indexOf(param);
  const iterations = new Set<End>(iterationsOf(loop));
  const ended = (inner: Block): Block => {
    const { end } = inner;
    if (end.kind !== "yield" && end.kind !== "next") return { ...inner, end: mapBlocks(end, ended) };
    if (!iterations.has(end)) return inner;
    const value = end.values[at];
    const slice = value?.kind === "var" ? (slices.get(value.variable.name) ?? null) : null;
    const out: Stmt[] = [];
    const next = slice === null ? [atomOf(from), atomOf(length)] : [placeOf(from, slice.from, out), slice.length];
    return { stmts: [...inner.stmts, ...out], end: { ...end, values: end.values.toSpliced(at, 1, ...next) } };
  };
  const body = block(ended(loop.body));
  const params = loop.params.toSpliced(at, 1, from, length);
  const starts = loop.init.toSpliced(at, 1, intAtom(0), atomOf(whole));
  if (loop.kind === "loop" || result === null || param.rep.kind !== "array")
    return { ...loop, params, init: starts, body };
  // What is left in the end is made there
  const [last, left, index] = [integer("from"), integer("size"), integer("i")];
  const element: Var = { name: names.fresh({ stem: "t", suffix: "" }), rep: param.rep.element };
  const stmts: Stmt[] = [];
  const read = placeOf(last, atomOf(index), stmts);
  stmts.push(letOf(element, { kind: "cell", array: init, index: read }));
  after.push({ kind: "for", index, count: atomOf(left), params: [], init: [], results: [], arrays: [result], body: yieldOf(stmts, [atomOf(element)]) }); // prettier-ignore
  return { ...loop, params, init: starts, body, results: loop.results.toSpliced(at, 1, last, left) };
}
