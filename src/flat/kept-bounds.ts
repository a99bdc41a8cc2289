// Integers that a loop carries and that stay between bounds. One that only goes up, or only down, stays on one side of where it starts; others may be handed on in
// any way, as those of a search by halves:
//
//   loop (low = 0, high = n - 1).. { .. if t < xs ! middle then next low middle else next middle high }         0 <= low, high <= n - 1
//
// What holds of what a parameter begins with is taken to hold in every iteration; what an iteration does not keep is given up, until the rest is kept.

import { Copy } from "./copy.js";
import type { Definitions } from "./counted.js";
import type { Known } from "./kept-shapes.js";
import { constant, minus, most, shifted, type Linear } from "./linear.js";
import type { Atom, Block, End, Stmt, Var } from "./program.js";
import type { Interval } from "./ranges.js";
import { endsOf, mapCheck, mapOperands } from "./traverse.js";

type Loop = Stmt & { readonly kind: "loop" | "for" };

/** A form of a parameter's value that is not negative. */
interface Bound {
  readonly index: number;
  readonly of: (value: Linear) => Linear;
}

/** What is given up one by one takes a walk each: so many at most. */
const mostWalks = 6;

/** What steps of 1 do not get beyond while anybody waits: 2^51 iterations take a month. */
const reach = 2 ** 51;

/** Assumes what holds of a loop's integers in every iteration; `init` is what they begin with in the place of the loop. */
export function assumeBounds(loop: Loop, init: readonly Atom[], known: Known): void {
  const ends = [...endsOf(loop.body)].filter(({ kind }) => kind === (loop.kind === "for" ? "yield" : "next"));
  const stepsOf = (param: Var, index: number): readonly (number | null)[] =>
    ends.map(({ values }) => stepTo(values[index], param, known.definitions));
  const integers = loop.params.flatMap((param, index) => {
    const start = init[index];
    return param.rep.kind === "int" && start !== undefined ? [{ param, start, steps: stepsOf(param, index) }] : [];
  });
  for (const { param, start, steps } of integers) assumeSteps(param, start, steps, known);
  if (integers.every(({ steps }) => !steps.includes(null))) return;
  for (const form of keptBounds(loop, init, known)) known.ranges.assume(form);
}

/** A parameter that only goes up, or only down, stays on one side of where it starts. */
function assumeSteps(param: Var, start: Atom, steps: readonly (number | null)[], { ranges }: Known): void {
  const [form, from] = [ranges.form({ kind: "var", variable: param }), ranges.form(start)];
  const { low, high } = ranges.interval(from);
  if (steps.every((step) => step !== null && step >= 0)) {
    ranges.assume(minus(form, from));
    if (steps.every((step) => step === 0 || step === 1) && high <= reach) ranges.assume(minus(constant(2 * reach), form)); // prettier-ignore
  } else if (steps.every((step) => step !== null && step <= 0)) {
    ranges.assume(minus(from, form));
    if (steps.every((step) => step === 0 || step === -1) && low >= -reach) ranges.assume(shifted(form, 2 * reach));
  }
}

/** What is added to a parameter; null where that is not known. */
export function stepTo(value: Atom | undefined, param: Var, definitions: Definitions): number | null {
  if (value?.kind !== "var") return null;
  if (value.variable.name === param.name) return 0;
  const op = definitions.get(value.variable.name);
  if (op?.kind !== "prim" || (op.op !== "addZ" && op.op !== "subZ")) return null;
  const [left, right] = op.args;
  if (left?.kind !== "var" || left.variable.name !== param.name || right?.kind !== "int") return null;
  return op.op === "addZ" ? right.value : -right.value;
}

/** What of a loop's integers is not negative in every iteration, as far as a few walks tell. */
function keptBounds(loop: Loop, init: readonly Atom[], known: Known): readonly Linear[] {
  const { ranges } = known;
  let bounds = candidates(loop.params, init, known);
  for (let walk = 0; walk < mostWalks && bounds.length > 0; walk++) {
    // What is learned of variables stays: these are of this walk alone
    const copy = new Copy({ fresh: ({ stem }) => ranges.unused(stem) }, new Map());
    const params = loop.params.map(copy.bind);
    const body = copy.block(loop.body);
    const taken = bounds;
    const kept = ranges.within(() => {
      for (const { index, of } of taken) ranges.assume(of(formOf(params[index], known)));
      let left = taken;
      new Walk(known, (kind, values) => {
        if (kind !== (loop.kind === "for" ? "yield" : "next")) return;
        left = left.filter(({ index, of }) => {
          const value = values[index];
          return value !== undefined && ranges.proves(of(ranges.form(value)));
        });
      }).block(body);
      return left;
    });
    if (kept.length === taken.length) return kept.map(({ index, of }) => of(formOf(loop.params[index], known)));
    bounds = kept;
  }
  return [];
}

function formOf(param: Var | undefined, { ranges }: Known): Linear {
  return param === undefined ? constant(0) : ranges.form({ kind: "var", variable: param });
}

/** What each parameter begins with, from below and from above, and numbers that none of them is beyond in the beginning. */
function candidates(params: readonly Var[], init: readonly Atom[], { ranges }: Known): readonly Bound[] {
  const starts = params.map(({ rep }, index) => {
    const start = init[index];
    return rep.kind === "int" && start !== undefined ? ranges.form(start) : null;
  });
  const intervals = starts.flatMap((start) => (start === null ? [] : [ranges.interval(start)]));
  const low = Math.min(...intervals.map((interval) => interval.low));
  const high = Math.max(...intervals.map((interval) => interval.high));
  return starts.flatMap((start, index): readonly Bound[] => {
    if (start === null) return [];
    return [
      { index, of: (value) => minus(value, start) },
      { index, of: (value) => minus(start, value) },
      ...(low > -most ? [{ index, of: (value: Linear) => shifted(value, -low) }] : []),
      ...(high < most ? [{ index, of: (value: Linear) => minus(constant(high), value) }] : []),
    ];
  });
}

/** Learns what the statements of a block say, in the order of evaluation; loops in it may give anything. */
class Walk {
  constructor(
    private readonly known: Known,
    private readonly atEnd: (kind: "yield" | "next", values: readonly Atom[]) => void,
  ) {}

  block({ stmts, end }: Block): void {
    this.known.ranges.within(() => {
      for (const stmt of stmts) this.#stmt(stmt);
      this.#end(end);
    });
  }

  #stmt(stmt: Stmt): void {
    const { ranges, atom } = this.known;
    if (stmt.kind === "let") ranges.define(stmt.result, mapOperands(stmt.op, atom));
    else if (stmt.kind === "check") {
      for (const form of ranges.neededBy(mapCheck(stmt.check, atom))) ranges.assume(form);
    } else if (stmt.kind === "choose") {
      const ways: (readonly Interval[])[] = [];
      new Walk(this.known, (_, values) => ways.push(ranges.intervals(values))).#end(stmt.end);
      ranges.assumeOneOf(stmt.results, ways);
    }
  }

  #end(end: End): void {
    const { ranges, atom } = this.known;
    switch (end.kind) {
      case "yield":
      case "next":
        this.atEnd(end.kind, end.values.map(atom));
        return;
      case "if": {
        const cond = atom(end.cond);
        for (const [block, holds] of [[end.then, true], [end.else, false]] as const) {
          ranges.within(() => {
            ranges.assumeCondition(cond, holds);
            this.block(block);
          });
        } // prettier-ignore
        return;
      }
      case "switch":
        for (const { body } of end.branches) this.block(body);
    }
  }
}
