import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withJoinedLoops } from "./late-loop-fusion.js";

const after = (text: string): string => afterPass(text, (fn, bindings) => withJoinedLoops(fn, bindings, surroundings));

test("what may fail between two loops stands in front of them, or they stay two", () => {
  const between = (stmts: string, first = "sum += x[i]!;"): string =>
    after(`function f(x: Float64Array, w: Float64Array): readonly [number, Float64Array] {
      const n = x.length;
      const x_ = new Float64Array(n);
      const w_ = new Float64Array(w.length);
      let sum = 0;
      for (let i = 0; i < n; i++) {
        ${first}
      }
      ${stmts}
      for (let k = 0; k < n; k++) {
        x_[k] = x[k]!;
        w_[0]! += 1;
      }
      return [sum, x_];
    }`);
  expect(
    between(`if (w.length <= 0) {
        outside(w, 0, "f");
      }
      let top: number;
      if (w[0]! > 1) {
        top = w[0]!;
        w_[0]! += 2;
      } else {
        top = 1;
      }
      const m = sameLength(w.length, 3, "f");
      sum += top * m;`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array, w: Float64Array): readonly [number, Float64Array] {
      const n = x.length;
      const x_ = new Float64Array(n);
      const w_ = new Float64Array(w.length);
      let sum = 0;
      if (w.length <= 0) {
        outside(w, 0, "f");
      }
      let top: number;
      if (w[0]! > 1) {
        top = w[0]!;
        w_[0]! += 2;
      } else {
        top = 1;
      }
      const m = sameLength(w.length, 3, "f");
      for (let i = 0; i < n; i++) {
        sum += x[i]!;
        x_[i] = x[i]!;
        w_[0]! += 1;
      }
      sum += top * m;
      return [sum, x_];
    }
    "
  `);
  const loops = (text: string): number => text.split("for (").length - 1;
  expect(loops(between('if (w.length <= 0) { outside(w, 0, "f"); }'))).toBe(1);
  expect(loops(between('if (sum <= 0) { outside(w, 0, "f"); }'))).toBe(2);
  expect(loops(between('const m = sameLength(sum, 3, "f"); sum += m;'))).toBe(2);
  expect(loops(between("if (sum <= 0) { sum = 1; }"))).toBe(1);
  expect(loops(between("if (sum <= 0) { w_[0] = 1; }"))).toBe(2);
  expect(loops(between("if (w[0]! <= 0) { return [0, x]; }"))).toBe(2);
});
