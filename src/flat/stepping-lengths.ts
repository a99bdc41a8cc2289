// Arrays that a loop carries and that have fewer elements in each iteration, as where a recursion takes its first row away:
//
//   for i < n (v = u).. { m = length v; k = m - 1; [w] = for j < k ..; yield w }          v has length u - i elements, if that is not below n
//
// A loop that ends by the length of such an array is one that counts it:
//
//   loop (v = u).. { m = length v; c = m == 0; if c then E else { k = m - 1; [w] = for j < k ..; next w, .. } }
//     =>   loop (v = u, m = length u).. { c = m == 0; if c then E else { k = m - 1; [w] = for j < k ..; next w, k, .. } }
//
// Where that is a test for one element, and an iteration fails at once on an array without any, the array that the loop begins with is checked in front of it.

import { atomOf, intAtom, letOf, sameAtom } from "./build.js";
import { Copy } from "./copy.js";
import type { Definitions } from "./counted.js";
import type { Known } from "./kept-shapes.js";
import { constant, isSame, minus, plus, shifted, variable, type Linear } from "./linear.js";
import type { FlatNames } from "./naming.js";
import { int, type Atom, type Block, type Stmt, type Var } from "./program.js";
import { isPure } from "./pure.js";
import { comparisonOf } from "./ranges.js";
import { allStmts, boundBy, boundInside, endsOf, mapEnds } from "./traverse.js";

type Loop = Stmt & { readonly kind: "loop" };
type For = Stmt & { readonly kind: "for" };

/** How many elements fewer an array has in each iteration: by place among the parameters, null where it is none, or that is not known. `index`: the loop's own. */
export function steppingLengths(loop: For, known: Known, index: Linear): readonly (number | null)[] {
  const { params, init, body } = loop;
  const lengths = new Lengths(loop, known);
  const count = known.ranges.form(known.atom(loop.count));
  return params.map((param, place) => {
    const [first, end] = [init[place], body.end];
    if (param.rep.kind !== "array" || first === undefined || end.kind !== "yield") return null;
    const next = lengths.of(end.values[place]);
    if (next === null) return null;
    // Told by the length in the iteration, or by the loop's index
    const byLength = minus(next, variable(lengths.textOf(param)));
    const [name = ""] = index.terms.keys();
    const step = byLength.terms.size === 0 ? byLength.constant : (next.terms.get(name) ?? 0);
    if (step >= 0) return null;
    const start = known.ranges.lengthOf(known.atom(first));
    const here = plus(start, index, step);
    const isStep = isSame(lengths.where(next, param, here), shifted(here, step));
    return isStep && known.ranges.proves(plus(start, count, step)) ? -step : null;
  });
}

/** How long the arrays of a loop's body are, by its parameters' lengths and its integers. */
class Lengths {
  readonly #known: Known;
  readonly #makers = new Map<string, Stmt>();
  readonly #own = new Set<string>();
  readonly #params: ReadonlySet<string>;

  constructor(loop: For, known: Known) {
    this.#known = known;
    this.#params = new Set(loop.params.map(({ name }) => name));
    for (const { name } of boundInside(loop)) this.#own.add(name);
    for (const stmt of allStmts(loop.body)) {
      for (const { name } of boundBy(stmt)) this.#makers.set(name, stmt);
      for (const { name } of [...boundBy(stmt), ...boundInside(stmt)]) this.#own.add(name);
    }
  }

  /** What the length of a parameter is in forms. */
  textOf({ name }: Var): string {
    return `length of ${name}`;
  }

  /** A form, where a parameter is so long. */
  where(form: Linear, param: Var, length: Linear): Linear {
    const text = this.textOf(param);
    const times = form.terms.get(text) ?? 0;
    return plus(plus(form, variable(text), -times), length, times);
  }

  of(array: Atom | undefined): Linear | null {
    if (array?.kind !== "var") return null;
    const { name } = array.variable;
    if (this.#params.has(name)) return variable(this.textOf(array.variable));
    if (!this.#own.has(name)) return this.#known.ranges.lengthOf(this.#known.atom(array));
    const maker = this.#makers.get(name);
    if (maker?.kind === "for")
      return maker.arrays.some((made) => made.name === name) ? this.#integer(maker.count) : null;
    if (maker?.kind !== "let") return null;
    if (maker.op.kind === "copy") return this.of(maker.op.value);
    return maker.op.kind === "array" ? constant(maker.op.items.length) : null;
  }

  #integer(atom: Atom): Linear | null {
    const maker =
      atom.kind === "var" && this.#own.has(atom.variable.name) ? this.#makers.get(atom.variable.name) : null;
    if (maker === null) return this.#known.ranges.form(this.#known.atom(atom));
    if (maker?.kind !== "let") return this.#known.ranges.form(atom);
    const { op } = maker;
    if (op.kind === "length") return this.of(op.array);
    if (op.kind === "copy") return this.#integer(op.value);
    const [left = null, right = null] = op.kind === "prim" ? op.args.map((arg) => this.#integer(arg)) : [];
    if (op.kind !== "prim" || left === null) return null;
    // Of two that are compared, and the same
    if (op.op === "sameLength") return left;
    if (right === null || (op.op !== "addZ" && op.op !== "subZ")) return null;
    return plus(left, right, op.op === "addZ" ? 1 : -1);
  }
}

/** A loop that carries the length of an array that it carries, too. */
export interface LengthCarried {
  readonly loop: Loop;
  /** Its parameter for the length. */
  readonly length: Var;
  /** What the length is of in front of the loop. */
  readonly array: Atom;
  /** What fails in front of it, where the first iteration would. */
  readonly checks: readonly Stmt[];
}

/** The loop with a parameter for the length that its first test is about; null where it tests none, or does not know the next one. */
export function withLengthCarried(loop: Loop, definitions: Definitions, names: FlatNames): LengthCarried | null {
  const { params, init, body } = loop;
  const tested = testedLength(loop, definitions);
  if (tested === null) return null;
  const place = params.findIndex(({ name }) => name === tested.array.name);
  const array = init[place];
  const counts = new Map<string, Atom>();
  for (const stmt of allStmts(body))
    if (stmt.kind === "for") for (const made of stmt.arrays) counts.set(made.name, stmt.count);
  const nextOf = ({ values }: { readonly values: readonly Atom[] }): Atom | undefined => {
    const value = values[place];
    const count = value?.kind === "var" ? counts.get(value.variable.name) : undefined;
    const op = count?.kind === "var" ? definitions.get(count.variable.name) : undefined;
    return op?.kind === "prim" && op.op === "subZ" ? count : undefined;
  };
  const iterations = [...endsOf(body)].filter(({ kind }) => kind === "next");
  if (array === undefined || iterations.some((end) => nextOf(end) === undefined)) return null;
  const longer = mapEnds(body, (end) => {
    const next = end.kind === "next" ? nextOf(end) : undefined;
    return next === undefined ? end : { kind: "next", values: [next, ...end.values] };
  });
  const stmts = longer.stmts.filter((stmt) => stmt.kind !== "let" || stmt.result !== tested.length);
  const length: Var = { name: names.own("size"), rep: int };
  return {
    loop: { ...loop, params: [tested.length, ...params], init: [atomOf(length), ...init], body: { ...longer, stmts } },
    length,
    array,
    checks: new Copy(names, new Map([[tested.length.name, atomOf(length)], [tested.array.name, array]])).stmts(tested.checks), // prettier-ignore
  };
}

/** A length that the test at the head of a loop compares with a literal, such that no iteration goes on with an empty array. */
interface TestedLength {
  readonly length: Var;
  /** The parameter that it is of. */
  readonly array: Var;
  /** What fails first in an iteration for an array without elements; none where that does not come to an iteration. */
  readonly checks: readonly Stmt[];
}

function testedLength({ params, body }: Loop, definitions: Definitions): TestedLength | null {
  const { end } = body;
  const definition = end.kind === "if" && end.cond.kind === "var" ? definitions.get(end.cond.variable.name) : undefined;
  const comparison = definition === undefined ? null : comparisonOf(definition);
  if (comparison === null || end.kind !== "if") return null;
  const { left, right, relation } = comparison;
  const [side, limit] = right.kind === "int" ? [left, right] : [right, left];
  if (side.kind !== "var" || limit.kind !== "int") return null;
  const made = body.stmts.find((stmt) => stmt.kind === "let" && stmt.result.name === side.variable.name);
  if (made?.kind !== "let" || made.op.kind !== "length" || made.op.array.kind !== "var") return null;
  const { variable: array } = made.op.array;
  // Where it may go on at the limit, that is at least 1
  const goesOnBelow = side === left ? ["lt", "ge"] : ["gt", "le"];
  if (limit.value < (goesOnBelow.includes(relation) ? 1 : 0) || !params.some(({ name }) => name === array.name)) return null; // prettier-ignore
  const tested = { length: made.result, array };
  if (limit.value === 0 || (relation !== "eq" && relation !== "ne")) return { ...tested, checks: [] };
  // An empty array is never as long as the limit
  const checks = limit.value === 1 ? firstCheck(relation === "eq" ? end.else : end.then, tested, definitions) : null;
  return checks === null ? null : { ...tested, checks };
}

/**
 * The check by which a block fails first, where it fails for an empty array and for no other one, with what it asks for: the first element, the last one, or a size that is
 * one less; null where it is another one.
 */
function firstCheck(
  { stmts }: Block,
  { length, array }: Pick<TestedLength, "length" | "array">,
  definitions: Definitions,
): readonly Stmt[] | null {
  const first = stmts.find((stmt) => !isPure(stmt));
  if (first?.kind !== "check") return null;
  const { check } = first;
  if (check.kind === "inRange" && !sameAtom(check.array, atomOf(array))) return null;
  const asked = check.kind === "size" ? check.size : check.index;
  if (asked.kind !== "var") return check.kind === "inRange" && sameAtom(asked, intAtom(0)) ? [first] : null;
  const op = definitions.get(asked.variable.name);
  const [left, right] = op?.kind === "prim" && op.op === "subZ" ? op.args : [];
  const isLast = left !== undefined && right !== undefined && sameAtom(left, atomOf(length)) && sameAtom(right, intAtom(1)); // prettier-ignore
  return op?.kind === "prim" && isLast ? [letOf(asked.variable, { ...op, site: null }), first] : null;
}
