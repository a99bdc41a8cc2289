// Arrays that grow in place.
//
// An array that a loop carries, and that each iteration makes longer by an element, is one that the loop makes.
//
//   ys = for i < n (xs = []) { m = length xs; .. xs ! k ..; [next] = for j < m + 1 { if j < m then xs ! j else e }; next }
//     =>
//   [ys] = for i < n { .. ys ! k ..; e }                                                                      with i for m
//
// What an array begins with, where that is anything, stands in front of what the loop makes: a read looks which of both has the element, and behind the loop they are joined.
//
// Iterations read elements that those before them have made: nothing is copied, and nothing saved but the array. Loops have this form from here on only: other passes take what
// a loop makes to be there behind it.

import type { OpName } from "../core/primitives.js";
import { atomOf, intAtom, isVariable, letOf, repOf, yieldOf } from "./build.js";
import { isLengthOf, isOnlyRead, operationsIn, withoutArray, type OperationOf } from "./element-reads.js";
import { FlatNames } from "./naming.js";
import { bool, int, type Atom, type Block, type End, type Operation, type Program, type Rep, type Stmt, type Var } from "./program.js"; // prettier-ignore
import { withLoopsRewritten, type For } from "./rewrite-loops.js";
import { allBlocks, allNames, atomsOf } from "./traverse.js";

/** The program, with the same meaning. `names` are those of the program. */
export function withArraysGrown(program: Program, names = new FlatNames(allNames(program))): Program {
  const operation = operationsIn(program);
  return withLoopsRewritten(program, (loop) => {
    if (loop.kind !== "for") return null;
    const [before, after]: [Stmt[], Stmt[]] = [[], []];
    let grown = loop;
    for (const param of loop.params) {
      const growing = growingIn(grown, param, operation);
      if (growing !== null) grown = grownIn(grown, growing, { names, operation, before, after });
    }
    return grown === loop ? null : [...before, grown, ...after];
  });
}

/** A parameter that is an array, in a loop whose iterations make it longer by an item. */
interface Growing {
  readonly param: Var;
  readonly init: Atom;
  readonly result: Var;
  readonly item: Atom;
  /** The body without what makes the longer array; its end without the next values. */
  readonly stmts: readonly Stmt[];
}

function growingIn(loop: For, param: Var, operation: OperationOf): Growing | null {
  const at = loop.params.indexOf(param);
  const { stmts, end } = loop.body;
  const [init, result] = [loop.init[at], loop.results[at]];
  const next = end.kind === "yield" ? end.values[at] : undefined;
  if (end.kind !== "yield" || next === undefined || result === undefined || init === undefined) return null;
  const growth = stmts.find((stmt): stmt is For => stmt.kind === "for" && stmt.arrays.some((made) => isVariable(next, made))); // prettier-ignore
  const item = growth === undefined ? null : addedBy(growth, param, operation);
  const others = stmts.filter((stmt) => stmt !== growth);
  const isAlone = usesOf({ stmts: others, end }, next) === 1 && isOnlyRead({ stmts: others, end }, param);
  return item === null || !isAlone ? null : { param, init, result, item, stmts: others };
}

interface Around {
  readonly names: FlatNames;
  readonly operation: OperationOf;
  /** What comes to stand in front of the loop, and behind it. */
  readonly before: Stmt[];
  readonly after: Stmt[];
}

/** The loop that makes all that is added: behind what the array begins with, where that is anything. */
function grownIn(loop: For, { param, init, result, item, stmts }: Growing, around: Around): For {
  const { names, operation, before, after } = around;
  const computed = (stem: string, op: Operation, rep: Rep, out: Stmt[]): Atom => {
    const variable: Var = { name: names.own(stem), rep };
    out.push(letOf(variable, op));
    return atomOf(variable);
  };
  const arithmetic = (op: OpName, left: Atom, right: Atom, rep: Rep, out: Stmt[]): Atom =>
    computed(names.temporary, { kind: "prim", op, args: [left, right], site: null }, rep, out);
  const start = operation(init);
  const first = start?.kind === "array" ? intAtom(start.items.length) : computed("size", { kind: "length", array: init }, int, before); // prettier-ignore
  const isEmpty = first.kind === "int" && first.value === 0;
  const count = isSize(loop.count, operation) ? loop.count : arithmetic("maxZ", loop.count, intAtom(0), int, before);
  const made: Var = isEmpty ? result : { name: names.fresh({ stem: result.name, suffix: "" }), rep: result.rep };
  const index = atomOf(loop.index);
  const top: Stmt[] = [];
  const length = isEmpty ? index : arithmetic("addZ", index, first, int, top);
  /** An element: of what the array begins with, or of what is added. */
  const elementAt = (element: Var, at: Atom, out: Stmt[]): void => {
    if (isEmpty) {
      out.push(letOf(element, { kind: "cell", array: atomOf(made), index: at }));
      return;
    }
    const isFirst = arithmetic("ltZ", at, first, bool, out);
    const [old, added]: [Stmt[], Stmt[]] = [[], []];
    const there = computed(names.temporary, { kind: "cell", array: init, index: at }, element.rep, old);
    const behind = arithmetic("subZ", at, first, int, added);
    const later = computed(names.temporary, { kind: "cell", array: atomOf(made), index: behind }, element.rep, added);
    const end: End = { kind: "if", cond: isFirst, then: yieldOf(old, [there]), else: yieldOf(added, [later]) };
    out.push({ kind: "choose", results: [element], end });
  };
  const place = loop.params.indexOf(param);
  const without = <T>(list: readonly T[]): readonly T[] => list.filter((_, each) => each !== place);
  const values = loop.body.end.kind === "yield" ? loop.body.end.values : [];
  const inside = withoutArray(yieldOf(stmts, [...without(values), item]), param, { length, elementAt });
  if (!isEmpty) {
    const at: Var = { name: names.fresh({ stem: "i", suffix: "" }), rep: int };
    const element: Var = { name: names.fresh({ stem: names.temporary, suffix: "" }), rep: repOf(item) };
    const body: Stmt[] = [];
    elementAt(element, atomOf(at), body);
    const total = arithmetic("addZ", count, first, int, after);
    after.push({ kind: "for", index: at, count: total, params: [], init: [], results: [], arrays: [result], body: yieldOf(body, [atomOf(element)]) }); // prettier-ignore
  }
  return {
    ...loop,
    count,
    params: without(loop.params),
    init: without(loop.init),
    results: without(loop.results),
    arrays: [...loop.arrays, made],
    body: { stmts: [...top, ...inside.stmts], end: inside.end },
  };
}

/** Whether a count is the size of an array, never negative. */
function isSize(count: Atom, operation: OperationOf): boolean {
  if (count.kind === "int") return count.value >= 0;
  const op = operation(count);
  return op?.kind === "length" || (op?.kind === "prim" && op.op === "sameLength");
}

/** The element by which a loop's array is longer than another one; null where it is another array. */
function addedBy({ index, count, params, arrays, body }: For, array: Var, operation: OperationOf): Atom | null {
  const size = operation(count);
  const [length, one] = size?.kind === "prim" && size.op === "addZ" ? size.args : [];
  const isLonger = one?.kind === "int" && one.value === 1 && isLengthOf(array, operation(length));
  const { end } = body;
  if (!isLonger || params.length > 0 || arrays.length > 1 || end.kind !== "if") return null;
  const test = operation(end.cond);
  const [left, right] = test?.kind === "prim" && test.op === "ltZ" ? test.args : [];
  if (!isVariable(left, index) || !isLengthOf(array, operation(right))) return null;
  const old = operation(yielded(end.then));
  if (old?.kind !== "cell" || !isVariable(old.array, array) || !isVariable(old.index, index)) return null;
  const item = yielded(end.else);
  const from = operation(item);
  if (from?.kind !== "cell") return end.else.stmts.length === 0 ? (item ?? null) : null;
  const items = operation(from.array);
  return items?.kind === "array" && items.items.length === 1 ? (items.items[0] ?? null) : null;
}

function yielded({ end }: Block): Atom | undefined {
  return end.kind === "yield" ? end.values[0] : undefined;
}

function usesOf(block: Block, atom: Atom): number {
  if (atom.kind !== "var") return 0;
  const { name } = atom.variable;
  const isIt = (each: Atom): boolean => each.kind === "var" && each.variable.name === name;
  const inEnd = (end: End): number =>
    end.kind === "yield" || end.kind === "next" ? end.values.filter(isIt).length : 0;
  return [...allBlocks(block)].reduce(
    (count, { stmts, end }) =>
      count +
      inEnd(end) +
      stmts.reduce(
        (sum, stmt) => sum + atomsOf(stmt).filter(isIt).length + (stmt.kind === "choose" ? inEnd(stmt.end) : 0),
        0,
      ),
    0,
  );
}
