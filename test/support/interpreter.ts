// Programs with every real carrying its gradient: what the stages give is compared with this; it also says what a comparison needs to know: the
// partials behind each gradient entry, how far the nearest kink is, and how often D1 would call backpropagators.

import { applyPrimitive } from "./interpreter-primitives.js";
import { primitive, type OpName } from "../../src/core/primitives.js";
import type { Entry, Program } from "../../src/core/term.js";
import * as machine from "../../src/trace/machine.js";
import { literal, type Real } from "./real.js";
import type { Value } from "./random-arguments.js";

export { BudgetExceeded, Failure } from "../../src/trace/machine.js";

/** A run-time value; integers are numbers, reals carry their derivatives. */
export type Meaning = machine.Meaning<Real>;

export interface Outcome {
  readonly value: Meaning;
  /** The reals of the result, in order. */
  readonly reals: readonly Real[];
  /** How far the inputs are, at least, from where a branch, a tie or a rounding changes. */
  readonly margin: number;
  readonly steps: number;
  /** Operations on reals that depend on the inputs, whether they reach the result or not. */
  readonly operations: number;
}

/** Whether an operation is a function of the library, which need not give the nearest number. */
function isRounded(op: OpName): boolean {
  const { typescript } = primitive(op);
  return typescript.kind !== "infix" && typescript.kind !== "prefix" && typescript.kind !== "same";
}

/** Runs an entry of a program; `args` by the names of its interface, all reals of which are changed by `nudge` of themselves, as are the results of functions of the library. */
export function interpret(
  program: Program,
  entry: Entry,
  args: Readonly<Record<string, Value>>,
  budget: number,
  nudge = 0,
): Outcome {
  let [margin, operations] = [Infinity, 0];
  const domain: machine.Domain<Real> = {
    literal,
    operation: (op, operands) => {
      const result = applyPrimitive(op, operands, (distance) => {
        margin = Math.min(margin, distance);
      });
      if (typeof result !== "object" || !("gradient" in result)) return result;
      if (result.gradient.length > 0) operations += 1;
      // What is made of literals alone is rounded, too
      return nudge !== 0 && isRounded(op) ? { ...result, value: result.value * (1 + nudge) } : result;
    },
  };
  const total = countReals(program, entry, args);
  let count = 0;
  const inputs = new machine.Inputs<Real>(program, (value) => {
    const k = count++;
    const unit = Array.from({ length: total }, (_, i) => (i === k ? 1 : 0));
    return { value: value * (1 + nudge), gradient: unit, partials: unit, calls: 1, operands: [] };
  });
  const run = new machine.Machine(program, domain, budget);
  const meanings = entry.params.map((param) => inputs.ofParam(param, args));
  const value = run.entry(entry, meanings);
  return { value, reals: machine.realsOf(value), margin, steps: run.steps, operations };
}

function countReals(program: Program, entry: Entry, args: Readonly<Record<string, Value>>): number {
  let count = 0;
  const inputs = new machine.Inputs<Real>(program, (value) => {
    count += 1;
    return literal(value);
  });
  for (const param of entry.params) inputs.ofParam(param, args);
  return count;
}

/** As emitted modules give it; `real` says what stands for each real, counted from 0. */
export function plain(meaning: Meaning, real: (value: Real, index: number) => number = (r) => r.value): Value {
  let count = 0;
  const go = (m: Meaning): Value => {
    if (typeof m !== "object") return m;
    if (machine.isTuple(m)) return m.length === 0 ? null : m.map(go);
    if ("elements" in m) {
      const elements = m.elements.map(go);
      return m.isNumbers ? Float64Array.from(elements.map(Number)) : elements;
    }
    if ("tag" in m) {
      const fields: { readonly [key: string]: Value } = Object.fromEntries(
        m.fields.map((field, i) => [m.layout.keys[i] ?? "", go(field)] as const),
      );
      return m.layout.isTagged ? { tag: m.tag, ...fields } : fields;
    }
    if ("gradient" in m) return real(m, count++);
    throw new Error("a function is not a first-order value");
  };
  return go(meaning);
}
