import { defaultStage } from "./stages.js";
import type { StageName } from "./stages.js";
import type { SourceFile } from "../syntax/source.js";
import { answer, failure, type Answer } from "./answer.js";
import { callable, type Callable } from "./callable.js";
import { allReals, differentiate, gradientOf, withAllReals, type Differentiated } from "./differentiate.js";
import type { Gradient } from "./gradient.js";
import { contract, disagreements, stopsLine, testWeights } from "./finite-differences.js";
import { assertCall, assertEntry } from "./options.js";
import type { RunOptions } from "./load-options.js";
import { withEarlier } from "./pipeline.js";
import { noGradient, readArguments, readCotangent, running } from "./run-failures.js";
import { realsOf, scalarLeaves } from "./values.js";

export interface GradOptions extends RunOptions {
  /** The transformation that makes the derivative; `defaultStage` where left out. */
  readonly stage?: StageName;
  /** The cotangent of the result, a plain value as `args` are; left out or undefined: 1 for a scalar, else the whole Jacobian is computed. */
  readonly cotangent?: unknown;
  /** Whether to compare with finite differences. */
  readonly check?: boolean;
}

export interface GradResult {
  /** `jacobian`: a gradient for each real number of the result. */
  readonly document:
    | { readonly value: unknown; readonly grad: Gradient }
    | { readonly value: unknown; readonly jacobian: readonly Gradient[] };
  /** Where finite differences say otherwise, as lines of text; empty where they agree or were not asked for. */
  readonly differences: readonly string[];
}

/** The value and the gradient of a definition; `args` as for `run`. */
export function grad(source: SourceFile, entry: string, args: unknown, options: GradOptions = {}): Answer<GradResult> {
  assertCall("grad", source, options, ["check", "cotangent", "externs", "load", "stage"]);
  assertEntry("grad", entry);
  const stage = options.stage ?? defaultStage;
  const found = callable(source, entry, stage, { load: options.load ?? null, externs: options.externs ?? null });
  if (!found.ok) return found;
  const definition = found.value;
  if (definition.vjp === null && definition.jvp === null) return failure(noGradient(definition));
  const given = readArguments(definition, args);
  if (!given.ok) return withEarlier(found.diagnostics, given);
  const point = given.value;
  const forward = running(definition, () => differentiate(definition, point));
  if (!forward.ok) return withEarlier(found.diagnostics, forward);
  const weights = weightsOf(definition, forward.value.value, options.cotangent);
  if (!weights.ok) return withEarlier(found.diagnostics, weights);
  const result = running(definition, () => pulled(definition, point, forward.value, weights.value));
  if (!result.ok) return withEarlier(found.diagnostics, result);
  const { document, compared } = result.value;
  const differences = options.check === true ? compare(definition, point, compared) : [];
  return answer({ document, differences }, found.diagnostics);
}

/** Weights of the result's real numbers, and the gradient of that weighted sum. */
interface Weighted {
  readonly weights: readonly number[];
  readonly gradient: Gradient;
}

/** The answer to weights of the result's real numbers; null: the whole Jacobian. */
function pulled(
  definition: Callable,
  point: readonly unknown[],
  { value, pull }: Differentiated,
  weights: readonly number[] | null,
): { readonly document: GradResult["document"]; readonly compared: Weighted } {
  if (weights !== null) {
    const gradient = pull(weights);
    return { document: { value, grad: gradient }, compared: { weights, gradient } };
  }
  const scalars = realsOf(value, definition.result).length;
  const jacobian = Array.from({ length: scalars }, (_, k) => pull(oneHotReals(scalars, k)));
  const some = testWeights(scalars);
  const gradient = combine(definition, point, jacobian, some);
  return { document: { value, jacobian }, compared: { weights: some, gradient } };
}

/** The weights of the result's real numbers that a cotangent stands for; null where the whole Jacobian is wanted. */
function weightsOf(definition: Callable, value: unknown, cotangent: unknown): Answer<readonly number[] | null> {
  const { result } = definition;
  if (cotangent === undefined) return answer(result.kind === "real" ? [1] : null, []);
  const read = readCotangent(definition, cotangent, value);
  return read.ok ? answer(realsOf(read.value, result), []) : read;
}

function oneHotReals(count: number, position: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => (i === position ? 1 : 0));
}

/** The weighted sum of a Jacobian's rows. */
function combine(
  { params }: Callable,
  point: readonly unknown[],
  jacobian: readonly Gradient[],
  weights: readonly number[],
): Gradient {
  const rows = jacobian.map((row) => params.map(({ name, type }) => realsOf(row[name], type)));
  const reals = params.map(({ type }, i) =>
    realsOf(point[i], type).map((_, position) =>
      contract(
        rows.map((row) => row[i]?.[position] ?? 0),
        weights,
      ),
    ),
  );
  return gradientOf(params, point, reals);
}

/** Where a gradient differs from finite differences. */
function compare(definition: Callable, point: readonly unknown[], { weights, gradient }: Weighted): readonly string[] {
  const { params, result, primal, stage, stops } = definition;
  const f = (reals: readonly number[]): number => {
    const value = running(definition, () => primal(...withAllReals(params, point, reals)));
    return value.ok ? contract(realsOf(value.value, result), weights) : NaN;
  };
  const exact = allReals(params, params.map(({ name }) => gradient[name])); // prettier-ignore
  const paths = params.flatMap(({ name, type }, i) => scalarLeaves(point[i], type, name).map(({ path }) => path));
  const lines = disagreements(f, allReals(params, point), exact).map(
    ({ index, exact: entry, differences }) =>
      `${paths[index] ?? "?"}: ${stage} says ${entry}, finite differences say ${differences}`,
  );
  return [...lines, ...stopsLine(lines, stops)];
}
