// `--over n=1,2,4`: the sizes that work is counted for.

import type { Sizes } from "../driver/cost-over.js";
import { UsageError } from "./usage-error.js";

/** `n=1,2,4`, or `x,y=10,20`. */
export function sizesOf(text: string): Sizes {
  const [names = "", values = "", ...more] = text.split("=");
  const params = names.split(",").map((name) => name.trim());
  const sizes = values.split(",").map((value) => value.trim());
  const wrong = sizes.find((size) => !/^\d{1,9}$/.test(size));
  if (params.includes("") || values === "" || more.length > 0 || wrong !== undefined)
    throw new UsageError(`--over ${text} is not understood: it is written n=1,2,4, with sizes that are whole numbers`);
  return {
    names: params,
    values: [...new Set(sizes.map(Number))].sort((one, other) => one - other),
  };
}

/** Elements that an array is repeated to: no run takes as many, and far more do not fit into memory. */
const mostElements = 10_000_000;

/** Throws `UsageError` where an argument that is to be varied has no size, or cannot have one of these. */
export function assertSized(args: unknown, { names, values }: Sizes): void {
  const largest = Math.max(...values);
  for (const name of names) {
    const value: unknown = typeof args === "object" && args !== null ? Reflect.get(args, name) : undefined;
    if (value === undefined) throw new UsageError(`--over ${name}: the arguments have no ${name}`);
    if (typeof value === "number") continue;
    if (Array.isArray(value) && value.length > 0) {
      if (largest <= mostElements) continue;
      throw new UsageError(`--over ${name}: an array gets up to ${mostElements} elements, and not ${largest}`);
    }
    throw new UsageError(`--over ${name}: ${name} is neither a number nor an array with elements to repeat`);
  }
}
