import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withCellsSetOnce } from "./zeroed-elements.js";

const after = (text: string): string => afterPass(text, (fn) => withCellsSetOnce(fn, surroundings));

test("a cell that is emptied and filled", () => {
  expect(
    after(`function f(n: number): Float64Array {
      const x_ = new Float64Array(n);
      const y_ = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        const t_ = x_[i]!;
        x_[i] = 0;
        const u_ = y_[i]!;
        y_[i] = 0;
        x_[i]! += t_ * 2;
        x_[i]! += u_;
        y_[i]! += u_;
      }
      return x_;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(n: number): Float64Array {
      const x_ = new Float64Array(n);
      const y_ = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        const t_ = x_[i]!;
        const u_ = y_[i]!;
        x_[i]! = t_ * 2;
        x_[i]! += u_;
        y_[i]! = u_;
      }
      return x_;
    }
    "
  `);
});

test("not where it is read, may be another, or may be changed in between", () => {
  expect(
    after(`function f(x_: Float64Array, y_: Float64Array, n: number): Float64Array {
      const z_ = new Float64Array(n);
      x_[0] = 0;
      y_[0] = 2;
      x_[0]! += 1;
      z_[0] = 0;
      g(z_[0]!);
      z_[0]! += 1;
      z_[1] = 0;
      z_[2]! += z_[1]!;
      z_[1]! += 1;
      return z_;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x_: Float64Array, y_: Float64Array, n: number): Float64Array {
      const z_ = new Float64Array(n);
      x_[0] = 0;
      y_[0] = 2;
      x_[0]! += 1;
      z_[0] = 0;
      g(z_[0]!);
      z_[0]! += 1;
      z_[1] = 0;
      z_[2]! += z_[1]!;
      z_[1]! += 1;
      return z_;
    }
    "
  `);
});
