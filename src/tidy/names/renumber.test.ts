import { expect, test } from "vitest";
import { functionsIn } from "../../../test/support/typescript-tree.js";
import { calledInText, printed } from "../../../test/support/tidied.js";
import { Bindings, separated } from "../analysis/bindings.js";
import { named } from "./naming.js";
import { Renumbering } from "./renumber.js";

const wishes = new Map([
  ["x17", { stem: "x", suffix: "" }],
  ["x23", { stem: "x", suffix: "" }],
  ["t4", { stem: "t", suffix: "" }],
  ["p12", { stem: "p", suffix: "0" }],
  ["p13", { stem: "p", suffix: "0" }],
  ["i14", { stem: "i1", suffix: "" }],
  ["i15", { stem: "i1", suffix: "" }],
  ["i20", { stem: "i", suffix: "" }],
  ["i21", { stem: "i", suffix: "" }],
  ["i22", { stem: "i", suffix: "" }],
  ["j7", { stem: "j", suffix: "" }],
]);

function renumbered(text: string, keepsParams: boolean): string {
  const renumbering = new Renumbering(wishes);
  return printed(
    functionsIn(text).map((fn) => {
      const bindings = new Bindings("t", calledInText);
      const apart = separated(fn, bindings);
      renumbering.run(apart, bindings, keepsParams);
      return named(apart, bindings);
    }),
  );
}

test("variables lose their numbers, or get smaller ones, with what belongs to them", () => {
  expect(
    renumbered(
      `function f(t: number, p12: number, n: Float64Array): number {
      const x17 = t + p12;
      const x23 = Math.sin(x17);
      const t4Saved = n.slice();
      const p13 = x23 * x17;
      let x17_ = 0;
      let x23_ = p13;
      x17_ += x23_ * Math.cos(x17);
      const x17_1 = x17_ + t4Saved[0]!;
      const y1 = x17_1;
      const i14 = y1 + 1;
      const i15 = i14 + 1;
      return i15;
    }`,
      false,
    ),
  ).toMatchInlineSnapshot(`
    "function f(t: number, p0: number, n: Float64Array): number {
      const x = t + p0;
      const x1 = Math.sin(x);
      const tSaved = n.slice();
      const p0_1 = x1 * x;
      let x_ = 0;
      let x1_ = p0_1;
      x_ += x1_ * Math.cos(x);
      const x_1 = x_ + tSaved[0]!;
      const y1 = x_1;
      const i1 = y1 + 1;
      const i2 = i1 + 1;
      return i2;
    }
    "
  `);
});

test("parameters of exported functions are as the source has them", () => {
  expect(
    renumbered(
      `function f(x17: number): number {
      const x23 = x17 + 1;
      return x23;
    }`,
      true,
    ),
  ).toMatchInlineSnapshot(`
    "function f(x17: number): number {
      const x = x17 + 1;
      return x;
    }
    "
  `);
});

test("a variable has one name in all functions of a module", () => {
  expect(
    renumbered(
      `function f(x17: number): number {
      const x23 = x17 + 1;
      return x23;
    }
    function fReverse(result_: number): number {
      const x23 = result_ * 2;
      const x23_ = x23 + 1;
      const x17_ = x23_;
      return x17_;
    }`,
      false,
    ),
  ).toMatchInlineSnapshot(`
    "function f(x: number): number {
      const x1 = x + 1;
      return x1;
    }

    function fReverse(result_: number): number {
      const x1 = result_ * 2;
      const x1_ = x1 + 1;
      const x_ = x1_;
      return x_;
    }
    "
  `);
});

test("variables of scopes that are apart are called the same, and counters that nobody has named by how deep they are", () => {
  expect(
    renumbered(
      `function f(n: number, x: Float64Array): number {
      let sum = 0;
      for (let i20 = 0; i20 < n; i20++) {
        const x17 = x[i20]! * 2;
        for (let i21 = 0; i21 < n; i21++) {
          const t4 = x17 * x[i21]!;
          sum += t4;
        }
      }
      for (let i22 = 0; i22 < n; i22++) {
        const x23 = x[i22]! * 3;
        for (let j7 = 0; j7 < n; j7++) {
          for (let i21 = 0; i21 < n; i21++) {
            sum += x23 * j7 * i21;
          }
        }
      }
      return sum;
    }`,
      true,
    ),
  ).toMatchInlineSnapshot(`
    "function f(n: number, x: Float64Array): number {
      let sum = 0;
      for (let i = 0; i < n; i++) {
        const x1 = x[i]! * 2;
        for (let k = 0; k < n; k++) {
          const t = x1 * x[k]!;
          sum += t;
        }
      }
      for (let i = 0; i < n; i++) {
        const x1 = x[i]! * 3;
        for (let j = 0; j < n; j++) {
          for (let k = 0; k < n; k++) {
            sum += x1 * j * k;
          }
        }
      }
      return sum;
    }
    "
  `);
});

test("a cotangent whose variable has gone is not called after another variable", () => {
  expect(
    renumbered(
      `function f(n: number, y: Float64Array): number {
      let sum = 0;
      for (let i20 = 0; i20 < n; i20++) {
        const x17 = y[i20]! * 2;
        sum += x17;
      }
      for (let i20 = n - 1; i20 >= 0; i20--) {
        const x23_ = sum * i20;
        y[i20] = x23_ * x23_;
      }
      return sum;
    }`,
      true,
    ),
  ).toMatchInlineSnapshot(`
    "function f(n: number, y: Float64Array): number {
      let sum = 0;
      for (let i = 0; i < n; i++) {
        const x = y[i]! * 2;
        sum += x;
      }
      for (let i = n - 1; i >= 0; i--) {
        const x1_ = sum * i;
        y[i] = x1_ * x1_;
      }
      return sum;
    }
    "
  `);
});

test("how far the reverse sweep is in what is saved is called as that", () => {
  expect(
    renumbered(
      `function f(n: Float64Array): number {
      const x17Saved = n.slice();
      let x17At = x17Saved.length;
      x17At -= 1;
      return x17Saved[x17At]!;
    }`,
      false,
    ),
  ).toMatchInlineSnapshot(`
    "function f(n: Float64Array): number {
      const xSaved = n.slice();
      let xAt = xSaved.length;
      xAt -= 1;
      return xSaved[xAt]!;
    }
    "
  `);
});
