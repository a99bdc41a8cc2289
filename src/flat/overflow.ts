// Where a cotangent of zero meets a partial derivative that may be infinite, since something has overflowed: of a number that is cut off, or divides
// another, nothing reaches the result then. Without a test `0 * Infinity` would be NaN.
//
//   e = exp(x)                     x_ += e_ === 0 ? 0 : e_ * e
//   t = a * e                      a_ += t_ === 0 ? 0 : t_ * e
//   y = min(t, 1000)
//
// And where a cotangent that may be infinite meets a partial derivative that may be zero: the square root is steep at 0, and flat is what is squared there.
//
//   s = x * x                      x_ += 2 * (s_ === 0 || x === 0 ? 0 : s_ * x)
//   y = sqrt(s)
//
// In the program itself, where it has tangents, such a product is `scale`: a plain one where neither factor may be infinite.

import { any, mayBeInfinite, mayBeZero } from "../core/intervals.js";
import { primitive } from "../core/primitives.js";
import { literalsOf } from "./build.js";
import { flowsOf, outcome, type Flow, type Flows, type Place, type Primitive } from "./number-flows.js";
import type { Atom, Block, Operation, Program, Stmt } from "./program.js";
import { RealIntervals } from "./real-intervals.js";
import { mapBlocks } from "./traverse.js";

/** The program, with its operations marked. */
export function markOverflow(program: Program): Program {
  const flows = flowsOf(program);
  const intervals = new RealIntervals(program, flows);
  const absorbed = absorbedIn(flows);
  const steep = steepIn(flows, intervals, absorbed);
  const marked = new Map<Operation, Operation & { readonly kind: "prim" }>();
  for (const flow of flows.flows) {
    if (flow.kind !== "prim" || flow.to.rep.kind !== "real") continue;
    if (flow.op.op === "scaled" && flow.op.args.every((arg) => !mayBeInfinite(intervals.of(arg) ?? any))) marked.set(flow.op, { ...flow.op, op: "mul" }); // prettier-ignore
    const [, divisor] = flow.op.op === "ratio" ? flow.op.args : [];
    const by = divisor === undefined ? null : (intervals.of(divisor) ?? any);
    if (by !== null && !mayBeZero(by) && !mayBeInfinite(by)) marked.set(flow.op, { ...flow.op, op: "div" });
    // Of what a program scales itself, by a rule, nothing comes where its cotangent is zero either
    const isScaled = flow.op.op === "scaled" || flow.op.op === "ratio";
    const [isAbsorbed, isSteep] = [isScaled || absorbed.has(flow.to.name), steep.has(flow.to.name)];
    if (!isAbsorbed && !isSteep) continue;
    const overflowing = flow.op.args.flatMap((_, index) => {
      const partial = intervals.ofPartial(flow, index);
      if (partial === null) return [];
      return (isAbsorbed && mayBeInfinite(partial)) || (isSteep && mayBeZero(partial)) ? [index] : [];
    });
    if (overflowing.length > 0) marked.set(flow.op, { ...(marked.get(flow.op) ?? flow.op), overflowing });
  }
  return marked.size === 0 ? program : withOperations(program, marked);
}

/** The program with some operations in the place of others. */
function withOperations(program: Program, operations: ReadonlyMap<Operation, Operation>): Program {
  const block = ({ stmts, end }: Block): Block => ({ stmts: stmts.map(stmt), end: mapBlocks(end, block) });
  const stmt = (each: Stmt): Stmt => {
    switch (each.kind) {
      case "choose":
        return { ...each, end: mapBlocks(each.end, block) };
      case "loop":
      case "for":
        return { ...each, body: block(each.body) };
      case "let":
        return { ...each, op: operations.get(each.op) ?? each.op };
      default:
        return each;
    }
  };
  return { ...program, procedures: program.procedures.map((each) => ({ ...each, body: block(each.body) })) };
}

/** The places of numbers that may be infinite without any part in the result: on their way something takes what is infinite for nothing, or takes another way. */
function absorbedIn({ flows }: Flows): ReadonlySet<Place> {
  const used = new Set<Place>([outcome]);
  const absorbed: Place[] = [];
  const others: Way[] = [];
  for (const way of flows.flatMap(ways)) {
    used.add(way.from);
    if (way.isAbsorbing) absorbed.push(way.from);
    else others.push(way);
  }
  return upstream([...absorbed, ...flows.map(placeOf).filter((to) => !used.has(to))], others);
}

/** The places of numbers whose cotangents may be infinite: what goes to where a derivative is, though the result may be finite. */
function steepIn({ flows }: Flows, intervals: RealIntervals, absorbed: ReadonlySet<Place>): ReadonlySet<Place> {
  const start = flows.flatMap((flow) => {
    if (flow.kind !== "prim") return [];
    if (primitive(flow.op.op).singular !== "slope" && !absorbed.has(flow.to.name)) return [];
    return flow.op.args.flatMap((arg, index) => {
      const partial = arg.kind === "var" ? intervals.ofPartial(flow, index) : null;
      return arg.kind === "var" && partial !== null && mayBeInfinite(partial) ? [arg.variable.name] : [];
    });
  });
  return upstream(start, flows.flatMap(ways));
}

/** These places, and all from which numbers go there. */
function upstream(start: readonly Place[], ways: readonly Way[]): ReadonlySet<Place> {
  const sources = new Map<Place, Place[]>();
  for (const { from, to } of ways) {
    const known = sources.get(to);
    if (known === undefined) sources.set(to, [from]);
    else known.push(from);
  }
  const found = new Set(start);
  const waiting = [...found];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    for (const from of sources.get(place) ?? []) {
      if (found.has(from)) continue;
      found.add(from);
      waiting.push(from);
    }
  }
  return found;
}

interface Way {
  readonly from: Place;
  readonly to: Place;
  readonly isAbsorbing: boolean;
}

function placeOf(flow: Flow): Place {
  return flow.kind === "move" ? flow.to : flow.to.name;
}

function ways(flow: Flow): readonly Way[] {
  const to = placeOf(flow);
  const way = (from: Atom | Place, isAbsorbing: boolean): readonly Way[] => {
    if (typeof from === "string") return [{ from, to, isAbsorbing }];
    return from.kind === "var" ? [{ from: from.variable.name, to, isAbsorbing }] : [];
  };
  if (flow.kind === "move") return flow.share === "none" ? [] : way(flow.from, flow.share === "some");
  return flow.op.args.flatMap((arg, index) => way(arg, flow.partly.has(index) || absorbs(flow.op, index)));
}

/** Whether the partial derivative of an operation is zero where an argument is infinite, and its result is not. */
function absorbs({ op, args }: Primitive, index: number): boolean {
  return primitive(op).absorbs[index]?.(literalsOf(args)) ?? false;
}
