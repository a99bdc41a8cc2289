import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withSparseCotangents } from "./sparse-cotangents.js";

const after = (text: string): string =>
  afterPass(text, (fn, bindings) => withSparseCotangents(fn, bindings, surroundings));

const reverse = (write: string, body: string, size = "n"): string => `function f(x: Float64Array, x_: Float64Array, n: number, at: number, y_: number): number {
  const ys_ = new Float64Array(${size});
  ${write}
  let acc_ = 0;
  for (let i = 0; i < n; i++) {
    ${body}
  }
  return acc_;
}`; // prettier-ignore

test("of a loop over cotangents of which one is not zero one iteration is left", () => {
  expect(
    after(
      reverse(
        "ys_[at] -= 2 * y_;",
        `const t_ = ys_[i]!;
    const u_ = scale(t_, x[i]!);
    for (let j = 0; j < n; j++) {
      x_[j] += u_ * 2;
    }
    x_[i] -= scale(u_, 1 / x[i]!) + t_ * 3;
    acc_ = acc_ - u_;`,
      ),
    ),
  ).toMatchInlineSnapshot(`
    "function f(
      x: Float64Array,
      x_: Float64Array,
      n: number,
      at: number,
      y_: number,
    ): number {
      const t_ = -(2 * y_);
      let acc_ = 0;
      const t_1 = t_;
      const u_ = scale(t_1, x[at]!);
      for (let j = 0; j < n; j++) {
        x_[j] += u_ * 2;
      }
      x_[at] -= scale(u_, 1 / x[at]!) + t_1 * 3;
      acc_ = acc_ - u_;
      return acc_;
    }
    "
  `);
});

test("no iteration is left out that does more, and no array that is used elsewhere", () => {
  const adding = "x_[i] += scale(ys_[i]!, x[i]!);";
  expect(after(reverse("ys_[at] += y_;", adding))).not.toContain("for (");
  for (const [write, body] of [
    ["ys_[at] += y_;", `${adding} acc_ += 1;`],
    ["ys_[at] += y_;", "x_[i] = scale(ys_[i]!, x[i]!);"],
    ["ys_[at] += y_;", "x_[i] += scale(ys_[i]! + 1, x[i]!);"],
    ["ys_[at] += y_;", "x_[i] += Math.exp(ys_[i]!);"],
    ["ys_[at] += y_;", "x_[i] += ys_[0]!;"],
    ["ys_[at] += y_; ys_[0] += 1;", adding],
    ["ys_[at] = y_;", adding],
    ["for (let j = 0; j < n; j++) { ys_[j] += y_; }", adding],
  ] as const)
    expect(after(reverse(write, body))).toContain("ys_");
  expect(after(reverse("ys_[at] += y_;", adding, "at"))).toContain("ys_");
});
