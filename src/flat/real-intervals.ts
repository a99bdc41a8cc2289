// The intervals of all reals of a program: a least fixed point over its flows. What is in an array has one interval, and so has a field of a type.

import { assuming, point, widened, type Interval } from "../core/intervals.js";
import { primitive } from "../core/primitives.js";
import { intervalOf, partialInterval } from "../core/primitives/ranges.js";
import { sameAtom } from "./build.js";
import { type Assumptions, type Flow, type Flows, type Place, type Primitive } from "./number-flows.js";
import { Largest } from "./largest.js";
import type { Atom, Program } from "./program.js";

export class RealIntervals {
  readonly #intervals: Map<Place, Interval>;
  readonly #largest: Largest;

  constructor(program: Program, { flows, sources }: Flows) {
    this.#largest = new Largest(program);
    this.#intervals = new Map(sources);
    for (let isDone = false; !isDone;) isDone = flows.filter((flow) => this.#follow(flow)).length === 0;
  }

  /** Null for what is never computed. */
  of(atom: Atom | Place): Interval | null {
    if (typeof atom === "string") return this.#intervals.get(atom) ?? null;
    switch (atom.kind) {
      case "var":
        return this.of(atom.variable.name);
      case "real":
      case "int":
        return point(atom.value);
      case "bool":
        return null;
    }
  }

  /** What the partial derivative of an operation may be; null where it is never computed. */
  ofPartial({ op, to, assumed }: Flow & { readonly kind: "prim" }, index: number): Interval | null {
    const partial = primitive(op.op).partials[index] ?? null;
    const [args, value] = [this.#args(op, assumed), this.of(to.name)];
    return partial === null || args === null || value === null ? null : partialInterval(partial, args, value, isSame(op)); // prettier-ignore
  }

  /** Whether that tells anything new. */
  #follow(flow: Flow): boolean {
    const [to, next] = flow.kind === "move" ? [flow.to, this.of(flow.from)] : [flow.to.name, this.#computed(flow)];
    if (next === null) return false;
    const old = this.#intervals.get(to);
    const joined = old === undefined ? next : widened(old, next);
    this.#intervals.set(to, joined);
    return old?.low !== joined.low || old.high !== joined.high;
  }

  #computed({ op, assumed }: Flow & { readonly kind: "prim" }): Interval | null {
    const args = this.#args(op, assumed);
    if (args === null) return null;
    const found = intervalOf(op.op, args, isSame(op));
    const [left, right] = op.args;
    const isBelow = op.op === "sub" && this.#largest.isOf(right, left);
    return isBelow ? { low: Math.min(found.low, 0), high: Math.min(found.high, 0) } : found;
  }

  #args({ args }: Primitive, assumed: Assumptions): readonly Interval[] | null {
    const found = args.flatMap((arg) => {
      const interval = this.of(arg);
      if (interval === null) return [];
      return arg.kind === "var" ? (assumed.get(arg.variable.name) ?? []).reduce(assuming, interval) : interval;
    });
    return found.length === args.length ? found : null;
  }
}

function isSame({ args: [left, right] }: Primitive): boolean {
  return left !== undefined && right !== undefined && sameAtom(left, right);
}
