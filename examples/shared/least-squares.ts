// Nonlinear least squares by ml-levenberg-marquardt, with exact Jacobians.

import { levenbergMarquardt, type LevenbergMarquardtOptions } from "ml-levenberg-marquardt";
import { numbersOf, withNumbers } from "./numbers.js";

export interface Residuals {
  readonly residuals: ArrayLike<number>;
  /** The gradient of each residual. */
  readonly jacobian: () => readonly (readonly number[])[];
}

export interface Fit<T> {
  readonly at: T;
  /** The sum of the squares of the residuals. */
  readonly error: number;
}

/** Where the residuals are small, from a start. */
export function leastSquares<T>(
  start: T,
  evaluate: (at: T) => Residuals,
  options: Pick<LevenbergMarquardtOptions, "maxIterations" | "errorTolerance" | "minValues" | "maxValues">,
): Fit<T> {
  // The library fits curves, a number at each of several places: here the places are the indices of the residuals
  const first = numbersOf(start);
  let last = { numbers: first, ...evaluate(start) };
  // It asks for a point up to three times running
  const at = (numbers: readonly number[]) => {
    if (numbers.some((number, i) => number !== last.numbers[i]))
      last = { numbers: [...numbers], ...evaluate(withNumbers(start, numbers)) };
    return last;
  };
  const places = Array.from(last.residuals, (_, i) => i);
  const { parameterValues, parameterError } = levenbergMarquardt(
    { x: places, y: places.map(() => 0) },
    (numbers) => {
      const { residuals } = at(numbers);
      return (i) => residuals[i] ?? NaN;
    },
    {
      errorTolerance: 0,
      ...options,
      initialValues: first,
      jacobianFunction: (numbers) => {
        const jacobian = at(numbers).jacobian();
        return (i) => [...(jacobian[i] ?? [])];
      },
    },
  );
  return { at: withNumbers(start, parameterValues), error: parameterError };
}
