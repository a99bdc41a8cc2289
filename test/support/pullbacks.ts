// The pullbacks of two reverse stages, called in all the ways in which they can be: again and again, in turn with those of another point, after
// the arguments were written over, after an earlier gradient was.

import { propertyOf } from "../../src/driver/evaluate.js";
import { propertyName } from "../../src/emit/interface/public-names.js";
import { realsOf, withReals } from "../../src/driver/values.js";
import { testWeights } from "../../src/driver/finite-differences.js";
import type { StageName } from "../../src/driver/stages.js";
import { firstDifference, largest } from "./compare.js";
import { BudgetExceeded, Failure, interpret, type Outcome } from "./interpreter.js";
import type { ValueType } from "../../src/driver/value-types.js";
import { sharing } from "./sharing.js";
import { sameValue, type Model, type Run } from "./model.js";
import type { Value } from "./random-arguments.js";

const relative = 1e-12;

/** A value to call a definition with, and what the interpreter makes of it. */
interface Point {
  readonly args: Readonly<Record<string, Value>>;
  readonly meant: Outcome;
}

/** A pullback that was called, and what it gave. */
interface Pulled {
  readonly what: string;
  readonly point: Point;
  readonly weights: readonly number[];
  readonly gradient: readonly number[];
}

/** Where the pullbacks of two stages differ, beyond 1e-12 of the partial derivatives behind them; null where they do not. */
export function differenceOfPullbacks(
  model: Model,
  entry: string,
  args: Readonly<Record<string, Value>>,
  [reference, other]: readonly [StageName, StageName],
  budget: number,
): string | null {
  if (model.parameters(entry).length === 0) return null;
  const first = pointAt(model, entry, args, budget);
  if (first === null) return null;
  const second = pointAt(model, entry, moved(model, entry, args), budget) ?? first;
  const wanted = pulls(model, entry, reference, [first, second]);
  const got = pulls(model, entry, other, [first, second]);
  for (const [i, { what, gradient, point, weights }] of wanted.entries()) {
    const scale = scaleOf(point.meant, weights);
    const at = scale === null ? null : firstDifference(got[i]?.gradient ?? [], gradient, relative, scale);
    if (at !== null)
      return `${what}: input ${at} has ${String(got[i]?.gradient[at])}, and ${String(gradient[at])} in ${reference}`;
  }
  return unstable(reference, wanted) ?? unstable(other, got);
}

function pointAt(model: Model, entry: string, args: Readonly<Record<string, Value>>, budget: number): Point | null {
  try {
    return { args, meant: interpret(model.core.program, model.entry(entry), args, budget) };
  } catch (error) {
    if (error instanceof Failure || error instanceof BudgetExceeded) return null;
    throw error;
  }
}

/** Arguments of the same shape, at another point. */
function moved(model: Model, entry: string, args: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    model.parameters(entry).map(({ name, type }) => {
      const reals = realsOf(args[name], type).map((x, i) => 0.75 * x + 0.11 * (i + 1));
      return [name, valueOf(withReals(args[name], type, reals, "value"))];
    }),
  );
}

/** The same sequence of calls in any stage. */
function pulls(
  model: Model,
  entry: string,
  stage: StageName,
  [first, second]: readonly [Point, Point],
): readonly Pulled[] {
  const params = model.parameters(entry);
  // What is there twice in the arguments stays so
  const own = structuredClone(params.map(({ name }) => first.args[name]));
  const others = params.map(({ name, type }) => copyOf(second.args[name], type));
  const [one, two] = [model.run(entry, stage, own), model.run(entry, stage, others)];
  const values = [one, two].map(({ value }) => copyOf(value, model.result(entry)));
  const done: Pulled[] = [];
  const shape = params.map(({ name, type }) => copyOf(first.args[name], type));
  const pull = (what: string, point: Point, run: Run, weights: readonly number[]): unknown => {
    if (run.kind !== "reverse") throw new Error(`${stage} has no pullbacks`);
    const value = point === first ? values[0] : values[1];
    const cotangent = withReals(value, model.result(entry), weights, "cotangent");
    const before = structuredClone(cotangent);
    const result = run.pullback(cotangent);
    if (!sameValue(before, cotangent)) throw new Error(`${stage}, ${what}: the cotangent has been changed`);
    const shared = sharing([own, others, one.value, two.value, cotangent], result);
    if (shared !== null) throw new Error(`${stage}, ${what}: the gradient ${shared}`);
    const like = point === first ? shape : others;
    const parts = params.map(({ name }) => propertyOf(result, propertyName(name)));
    done.push({ what, point, weights, gradient: model.realsOfGradient(entry, like, parts) });
    return result;
  };
  const weightsAt = ({ meant }: Point, from: number): readonly number[] => testWeights(meant.reals.length + from).slice(from); // prettier-ignore
  const [w, v] = [weightsAt(first, 0), weightsAt(first, 3)];
  const ones = meantOnes(second);
  const shared = sharing([own, others], [one.value, two.value]);
  if (shared !== null) throw new Error(`${stage}: the value ${shared}`);
  const gradient = pull("first pullback", first, one, w);
  pull("pullback of another point", second, two, ones);
  pull("another cotangent", first, one, v);
  scribble(gradient);
  scribble(one.value);
  pull("after the gradient and the value were written over", first, one, w);
  // The second point's arguments keep: what is compared with their shape
  for (const part of own) scribble(part);
  pull("after the arguments were written over", first, one, w);
  pull("other point, again", second, two, ones);
  pull("zero cotangent", first, one, w.map(() => 0)); // prettier-ignore
  return done;
}

function meantOnes({ meant }: Point): readonly number[] {
  return meant.reals.map(() => 1);
}

/** Calls of one pullback with one cotangent must give the same bits. */
function unstable(stage: StageName, done: readonly Pulled[]): string | null {
  for (const [i, now] of done.entries()) {
    const before = done.slice(0, i).find((old) => old.point === now.point && same(old.weights, now.weights));
    if (before !== undefined && !same(before.gradient, now.gradient))
      return `${stage}, ${now.what}: ${String(now.gradient)}, and before ${String(before.gradient)}`;
  }
  return null;
}

function same(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((x, i) => x === right[i] || Object.is(x, right[i]));
}

/** What rounding is relative to; null where a partial is not finite. */
function scaleOf({ reals }: Outcome, weights: readonly number[]): number | null {
  if (!reals.every(({ partials }) => partials.every(Number.isFinite))) return null;
  return reals.reduce((sum, { partials }, k) => sum + Math.abs(weights[k] ?? 0) * largest(partials), 0);
}

function copyOf(value: unknown, type: ValueType): unknown {
  return withReals(value, type, realsOf(value, type), "value");
}

/** Writes over all that can be written over. */
function scribble(value: unknown): void {
  if (value instanceof Float64Array) value.fill(NaN);
  else if (typeof value === "object" && value !== null) {
    for (const key of Object.keys(value)) {
      const part: unknown = Reflect.get(value, key);
      scribble(part);
      Reflect.set(value, key, null);
    }
  }
}

/** `withReals` keeps the shape of what it was given, a value. */
function valueOf(made: unknown): Value {
  if (isValue(made)) return made;
  throw new Error("not a value");
}

function isValue(made: unknown): made is Value {
  return made === null || ["number", "boolean", "object"].includes(typeof made);
}
