// Derivatives of a definition at one point, as the functions that `compile` exports give them: `jvp` and `hvp` along a tangent, `jacobian` and `hessian` as a whole.

import { InternalError } from "../internal-error.js";
import type { SourceFile } from "../syntax/source.js";
import { answer, failure, type Answer } from "./answer.js";
import { callable, type Callable, type PointForm } from "./callable.js";
import { allReals, differentiate, withAllReals } from "./differentiate.js";
import { functionOf, propertyOf } from "./evaluate.js";
import { disagreementsAlong, largestOf, stopsLine } from "./finite-differences.js";
import type { Gradient } from "./gradient.js";
import type { RunOptions } from "./load-options.js";
import { assertCall, assertEntry } from "./options.js";
import { withEarlier } from "./pipeline.js";
import { noReals, readArguments, readTangent, running } from "./run-failures.js";
import { defaultStage, stageNamed } from "./stages.js";
import type { StageName } from "./stages.js";
import { realsOf, scalarLeaves } from "./values.js";

export interface PointOptions extends RunOptions {
  /** The transformation that makes the derivative; `defaultStage` where left out. */
  readonly stage?: StageName;
  /** Whether to compare with finite differences. */
  readonly check?: boolean;
}

/** Derivatives at a point. */
export interface PointResult<Document> {
  readonly document: Document;
  /** Where finite differences say otherwise, as lines of text; empty where they agree or were not asked for. */
  readonly differences: readonly string[];
}

export interface Jvp {
  readonly value: unknown;
  /** In the shape of the value. */
  readonly tangent: unknown;
}

export interface Hvp {
  readonly value: unknown;
  readonly grad: Gradient;
  /** The Hessian times the tangent, in the shape of the gradient. */
  readonly hvp: Gradient;
}

export interface Jacobian {
  readonly value: unknown;
  readonly rows: number;
  readonly columns: number;
  /** Row by row: a row for each real number of the value, a column for each of the arguments. */
  readonly jacobian: Float64Array;
}

export interface Hessian {
  readonly value: unknown;
  readonly grad: Gradient;
  /** How many rows and columns there are: the real numbers of the arguments. */
  readonly size: number;
  /** Row by row. */
  readonly hessian: Float64Array;
}

/**
 * The value of a definition and its directional derivative; `args` as for `run`. `tangent` is an object of plain values by parameter name, each in the shape of the
 * argument; parameters without real numbers need none.
 */
export function jvp(
  source: SourceFile,
  entry: string,
  args: unknown,
  tangent: unknown,
  options: PointOptions = {},
): Answer<PointResult<Jvp>> {
  return derived("jvp", { source, entry, args, tangent, options }, (made, at) => {
    const out = propertyOf(made, "tangent");
    const paths = scalarLeaves(out, at.definition.result, "tangent").map(({ path }) => path);
    return {
      document: { value: propertyOf(made, "value"), tangent: out },
      comparisons: [along(at, paths, realsOf(out, at.definition.result))],
    };
  });
}

/** The value of a definition that gives one number, its gradient, and its Hessian times a tangent, which is as for `jvp`. */
export function hvp(
  source: SourceFile,
  entry: string,
  args: unknown,
  tangent: unknown,
  options: PointOptions = {},
): Answer<PointResult<Hvp>> {
  return derived("hvp", { source, entry, args, tangent, options }, (made, at) => {
    const product = gradientIn(made, "hvp", at);
    return {
      document: { value: propertyOf(made, "value"), grad: gradientIn(made, "grad", at), hvp: product },
      comparisons: [along(at, pathsOf(at), realsOfGradient(product, at))],
    };
  });
}

/** The value of a definition, and all its partial derivatives; `args` as for `run`. */
export function jacobian(
  source: SourceFile,
  entry: string,
  args: unknown,
  options: PointOptions = {},
): Answer<PointResult<Jacobian>> {
  return derived("jacobian", { source, entry, args, tangent: null, options }, (made, at) => {
    const value = propertyOf(made, "value");
    const [rows, columns] = [numberIn(made, "rows"), numberIn(made, "columns")];
    const entries = numbersIn(made, "jacobian");
    const paths = scalarLeaves(value, at.definition.result, "value").map(({ path }) => path);
    return { document: { value, rows, columns, jacobian: entries }, comparisons: byColumn(at, paths, entries) };
  });
}

/** The value of a definition that gives one number, its gradient, and all its second partial derivatives; `args` as for `run`. */
export function hessian(
  source: SourceFile,
  entry: string,
  args: unknown,
  options: PointOptions = {},
): Answer<PointResult<Hessian>> {
  return derived("hessian", { source, entry, args, tangent: null, options }, (made, at) => {
    const entries = numbersIn(made, "hessian");
    const [value, grad] = [propertyOf(made, "value"), gradientIn(made, "grad", at)];
    return {
      document: { value, grad, size: numberIn(made, "size"), hessian: entries },
      comparisons: byColumn(at, pathsOf(at), entries),
    };
  });
}

interface Request {
  readonly source: SourceFile;
  readonly entry: string;
  readonly args: unknown;
  readonly tangent: unknown;
  readonly options: PointOptions;
}

/** A definition where its derivative is taken. */
interface Place {
  readonly definition: Callable;
  readonly point: readonly unknown[];
  /** All numbers of the point, and of the tangent, which is zero where there is none. */
  readonly reals: readonly number[];
  readonly direction: readonly number[];
}

/** What a derivative says of a curve of points: the derivatives at `center`, and what each is called. */
interface Comparison {
  readonly center: number;
  readonly pointAt: (t: number) => readonly number[];
  readonly exact: readonly number[];
  readonly paths: readonly string[];
  /** The largest number that the entries stand beside. */
  readonly size: number;
}

interface Read<Document> {
  readonly document: Document;
  readonly comparisons: readonly Comparison[];
}

function derived<Document>(
  form: PointForm,
  { source, entry, args, tangent, options }: Request,
  read: (made: unknown, at: Place) => Read<Document>,
): Answer<PointResult<Document>> {
  assertCall(form, source, options, ["check", "externs", "load", "stage"]);
  assertEntry(form, entry);
  const stage = options.stage ?? defaultStage;
  const { load = null, externs = null } = options;
  const found = callable(source, entry, stage, { load, externs, form });
  if (!found.ok) return found;
  const definition = found.value;
  if (!definition.params.some(({ isActive }) => isActive))
    return withEarlier(found.diagnostics, failure(noReals(definition, form)));
  const given = readArguments(definition, args);
  if (!given.ok) return withEarlier(found.diagnostics, given);
  const point = given.value;
  const tangents = form === "jvp" || form === "hvp" ? readTangent(definition, tangent, point) : answer([], []);
  if (!tangents.ok) return withEarlier(found.diagnostics, tangents);
  const made = running(definition, () => called(definition, point, tangents.value));
  if (!made.ok) return withEarlier(found.diagnostics, made);
  const reals = allReals(definition.params, point);
  const direction = tangents.value.length === 0 ? [] : allReals(definition.params, tangents.value);
  const { document, comparisons } = read(made.value, { definition, point, reals, direction });
  if (options.check !== true) return answer({ document, differences: [] }, found.diagnostics);
  const below =
    form === "jvp" || form === "jacobian" ? valuesOf(definition) : gradientsOf(source, entry, stage, { load, externs });
  if (!below.ok) return withEarlier(found.diagnostics, below);
  const numbersAt = (all: readonly number[]): readonly number[] => {
    const numbers = running(definition, () => below.value(withAllReals(definition.params, point, all)));
    return numbers.ok ? numbers.value : [];
  };
  const lines = comparisons.flatMap((each) => differencesOf(each, definition, numbersAt));
  return answer({ document, differences: [...lines, ...stopsLine(lines, definition.stops)] }, found.diagnostics);
}

/** What the function of the form gives; that of a stage of forward mode takes a tangent of every parameter. */
function called(
  { derived: own, jvp: forward, params }: Callable,
  point: readonly unknown[],
  tangents: readonly unknown[],
): unknown {
  if (own !== null) return own(...point, ...tangents.filter((_, i) => params[i]?.isActive));
  return functionOf(forward)(...point, ...tangents);
}

type NumbersOf = (args: readonly unknown[]) => readonly number[];

function valuesOf({ primal, result }: Callable): Answer<NumbersOf> {
  return answer((args) => realsOf(primal(...args), result), []);
}

/** The gradient by the stage itself, or the default one where the stage has none. */
function gradientsOf(
  source: SourceFile,
  entry: string,
  stage: StageName,
  { load = null, externs = null }: RunOptions,
): Answer<NumbersOf> {
  const own = stageNamed(stage).mode === "primal" ? defaultStage : stage;
  const found = callable(source, entry, own, { load, externs });
  if (!found.ok) return found;
  const { params } = found.value;
  return answer((args) => {
    const gradient = differentiate(found.value, args).pull([1]);
    return allReals(params, params.map(({ name }) => gradient[name])); // prettier-ignore
  }, []);
}

function differencesOf(
  { center, pointAt, exact, paths, size }: Comparison,
  { stage }: Callable,
  numbersAt: (reals: readonly number[]) => readonly number[],
): readonly string[] {
  return disagreementsAlong((t) => numbersAt(pointAt(t)), center, exact, size).map(
    ({ index, exact: entry, differences }) =>
      `${paths[index] ?? "?"}: ${stage} says ${entry}, finite differences say ${differences}`,
  );
}

/** Along the tangent, from the point on. */
function along({ reals, direction }: Place, paths: readonly string[], exact: readonly number[]): Comparison {
  return {
    center: 0,
    pointAt: (t) => reals.map((x, i) => x + t * (direction[i] ?? 0)),
    exact,
    paths,
    size: 0,
  };
}

/** Along each number of the point. */
function byColumn(at: Place, rows: readonly string[], entries: Float64Array): readonly Comparison[] {
  const columns = pathsOf(at);
  const size = largestOf([...entries]);
  return at.reals.map((x, column) => ({
    center: x,
    pointAt: (t) => at.reals.with(column, t),
    exact: rows.map((_, row) => entries[row * columns.length + column] ?? NaN),
    paths: rows.map((row) => `${row} by ${columns[column] ?? "?"}`),
    size,
  }));
}

function pathsOf({ definition, point }: Place): readonly string[] {
  return definition.params.flatMap(({ name, type }, i) => scalarLeaves(point[i], type, name).map(({ path }) => path));
}

/** The gradient that a result holds: one by parameter, of those that have real numbers. */
function gradientIn(made: unknown, key: string, { definition }: Place): Gradient {
  const whole = propertyOf(made, key);
  const active = definition.params.filter(({ isActive }) => isActive);
  return Object.fromEntries(active.map(({ name }) => [name, propertyOf(whole, name)]));
}

function realsOfGradient(gradient: Gradient, { definition }: Place): readonly number[] {
  const active = definition.params.filter(({ isActive }) => isActive);
  return allReals(active, active.map(({ name }) => gradient[name])); // prettier-ignore
}

function numberIn(made: unknown, key: string): number {
  const found = propertyOf(made, key);
  if (typeof found !== "number") throw new InternalError("derivatives", `${key} is no number`);
  return found;
}

function numbersIn(made: unknown, key: string): Float64Array {
  const found = propertyOf(made, key);
  if (!(found instanceof Float64Array)) throw new InternalError("derivatives", `${key} is no array of numbers`);
  return found;
}
