// A definition and its derivative at a point, in a stage that has one.

import type { Callable } from "./callable.js";
import { functionOf, propertyOf } from "./evaluate.js";
import { contract } from "./finite-differences.js";
import type { Gradient } from "./gradient.js";
import type { ValueType } from "./value-types.js";
import { oneHotCotangent, realsOf, withReals } from "./values.js";

/** The value at a point, and the map from weights of the result's real numbers to a gradient. */
export interface Differentiated {
  readonly value: unknown;
  readonly pull: (weights: readonly number[]) => Gradient;
}

/** In a stage that has a derivative. */
export function differentiate(definition: Callable, point: readonly unknown[]): Differentiated {
  return definition.vjp === null ? forwardAt(definition, point) : reverseAt(definition, point);
}

function reverseAt({ vjp, params, result }: Callable, point: readonly unknown[]): Differentiated {
  const pair = functionOf(vjp)(...point);
  const value = propertyOf(pair, "value");
  const pullback = functionOf(propertyOf(pair, "pullback"));
  return {
    value,
    pull: (weights) => {
      const cotangents = pullback(withReals(value, result, weights, "cotangent"));
      return Object.fromEntries(params.map(({ name }) => [name, propertyOf(cotangents, name)]));
    },
  };
}

/** One run for each real number of the arguments. */
function forwardAt({ jvp, primal, params, result }: Callable, point: readonly unknown[]): Differentiated {
  const value = primal(...point);
  const zeros = params.map(({ type }, i) => withReals(point[i], type, zerosFor(point[i], type), "cotangent"));
  const columns = params.map(({ type }, i) =>
    realsOf(point[i], type).map((_, position) => {
      const tangents = zeros.with(i, oneHotCotangent(point[i], type, position));
      return realsOf(propertyOf(functionOf(jvp)(...point, ...tangents), "tangent"), result);
    }),
  );
  return {
    value,
    pull: (weights) => {
      const reals = columns.map((column) => column.map((tangent) => contract(tangent, weights)));
      return gradientOf(params, point, reals);
    },
  };
}

function zerosFor(value: unknown, type: ValueType): readonly number[] {
  return realsOf(value, type).map(() => 0);
}

export function gradientOf(
  params: Callable["params"],
  point: readonly unknown[],
  reals: readonly (readonly number[])[],
): Gradient {
  return Object.fromEntries(
    params.map(({ name, type }, i) => [name, withReals(point[i], type, reals[i] ?? [], "cotangent")]),
  );
}

/** All real numbers of values of the parameters, in order. */
export function allReals(params: Callable["params"], values: readonly unknown[]): readonly number[] {
  return params.flatMap(({ type }, i) => realsOf(values[i], type));
}

/** A point like another one with other real numbers, given in order. */
export function withAllReals(
  params: Callable["params"],
  point: readonly unknown[],
  reals: readonly number[],
): readonly unknown[] {
  let next = 0;
  return params.map(({ type }, i) => {
    const own = reals.slice(next, (next += realsOf(point[i], type).length));
    return withReals(point[i], type, own, "value");
  });
}
