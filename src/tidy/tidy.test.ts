import { expect, test } from "vitest";
import { printed, surroundings } from "../../test/support/tidied.js";
import { functionsIn } from "../../test/support/typescript-tree.js";
import type { TsExpr, TsStmt } from "../typescript/tree.js";
import { tidiedFunction } from "./tidy.js";

const after = (text: string): string => printed(functionsIn(text).map((fn) => tidiedFunction(fn, surroundings)));

test("both sweeps of a dot product", () => {
  expect(
    after(`function dotGrad(x: Float64Array, y: Float64Array): Result {
      const x_ = new Float64Array(x.length);
      const y_ = new Float64Array(y.length);
      const t = x.length;
      const t1 = y.length;
      const n = sameLength(t, t1, "dot");
      let acc = 0;
      for (let i = 0; i < n; i++) {
        const x2 = x[i]!;
        const y2 = y[i]!;
        const t3 = x2 * y2;
        const acc1 = acc + t3;
        acc = acc1;
      }
      const t4 = acc;
      let acc_ = 1;
      for (let i = n - 1; i >= 0; i--) {
        const x2 = x[i]!;
        const y2 = y[i]!;
        y_[i]! += acc_ * x2;
        x_[i]! += acc_ * y2;
      }
      return { value: t4, grad: { x: x_, y: y_ } };
    }`),
  ).toMatchInlineSnapshot(`
    "function dotGrad(x: Float64Array, y: Float64Array): Result {
      const x_ = new Float64Array(x.length);
      const y_ = new Float64Array(y.length);
      const n = sameLength(x.length, y.length, "dot");
      let acc = 0;
      for (let i = 0; i < n; i++) {
        const x2 = x[i]!;
        const y2 = y[i]!;
        acc += x2 * y2;
      }
      y_.set(x);
      x_.set(y);
      return { value: acc, grad: { x: x_, y: y_ } };
    }
    "
  `);
});

test("both sweeps of a maximum", () => {
  expect(
    after(`function maximumGrad(xs: Float64Array): Result {
      const xs_ = new Float64Array(xs.length);
      if (0 < 0 || 0 >= xs.length) outside(xs, 0, "maximum");
      const first = xs[0]!;
      const n = xs.length;
      const count = n - 1;
      // best of each iteration, for the reverse sweep
      const bestSaved = new Float64Array(count);
      let best = first;
      for (let i8 = 0; i8 < count; i8++) {
        bestSaved[i8] = best;
        const i = 1 + i8;
        const t1 = xs[i]!;
        const best1 = Math.max(best, t1);
        best = best1;
      }
      const top = best;
      let best_ = 1;
      for (let i8 = count - 1; i8 >= 0; i8--) {
        const best = bestSaved[i8]!;
        const i = 1 + i8;
        const t1 = xs[i]!;
        xs_[i]! += best >= t1 ? 0 : best_;
        best_ = best >= t1 ? best_ : 0;
      }
      xs_[0]! += best_;
      return { value: top, grad: { xs: xs_ } };
    }`),
  ).toMatchInlineSnapshot(`
    "function maximumGrad(xs: Float64Array): Result {
      const xs_ = new Float64Array(xs.length);
      if (xs.length <= 0) {
        outside(xs, 0, "maximum");
      }
      const count = xs.length - 1;
      // best of each iteration, for the reverse sweep
      const bestSaved = workArray(count);
      let best = xs[0]!;
      for (let i8 = 0; i8 < count; i8++) {
        bestSaved[i8] = best;
        best = Math.max(best, xs[1 + i8]!);
      }
      let best_ = 1;
      for (let i8 = count - 1; i8 >= 0; i8--) {
        const best = bestSaved[i8]!;
        const i = 1 + i8;
        const t1 = xs[i]!;
        xs_[i]! += best >= t1 ? 0 : best_;
        best_ = best >= t1 ? best_ : 0;
      }
      xs_[0]! += best_;
      return { value: best, grad: { xs: xs_ } };
    }
    "
  `);
});

test("a loop that counts its iterations, which its reverse sweep does not need", () => {
  expect(
    after(`function loopVjp(n: number, x: number): Result {
      let rounds = 0;
      let n1 = n;
      let x1 = x;
      let result: number;
      for (;;) {
        const t = n1 === 0;
        if (t) {
          result = x1;
          break;
        } else {
          const n2 = subInt(n1, 1, "loop");
          const x2 = x1 * 3;
          n1 = n2;
          x1 = x2;
          rounds += 1;
        }
      }
      const value = result;
      return {
        value,
        pullback: (cotangent) => {
          const given = cotangent;
          let x1_ = 0;
          for (let round = rounds; round >= 0; round--) {
            let x1_1 = 0;
            if (round === rounds) {
              x1_1 += given;
            } else {
              x1_1 += x1_ * 3;
            }
            x1_ = x1_1;
          }
          return { n: 0, x: x1_ };
        },
      };
    }`),
  ).toMatchInlineSnapshot(`
    "function loopVjp(n: number, x: number): Result {
      let rounds = 0;
      let n1 = n;
      let x1 = x;
      while (n1 !== 0) {
        n1 = subInt(n1, 1, "loop");
        x1 = x1 * 3;
        rounds += 1;
      }
      return {
        value: x1,
        pullback: (cotangent) => {
          let x1_ = cotangent;
          for (let round = rounds - 1; round >= 0; round--) {
            x1_ = x1_ * 3;
          }
          return { n: 0, x: x1_ };
        },
      };
    }
    "
  `);
});

test("functions of a hundred thousand statements", { timeout: 60_000 }, () => {
  const id = (name: string): TsExpr => ({ kind: "id", name });
  const times = (left: TsExpr, right: TsExpr): TsExpr => ({ kind: "binary", op: "*", left, right });
  const body: TsStmt[] = [{ kind: "let", name: "z", type: null, init: { kind: "number", value: 0 } }];
  const count = 50_000;
  for (let i = 0; i < count; i++) {
    const before = i === 0 ? id("x") : id(`t${i - 1}`);
    body.push({ kind: "const", target: `t${i}`, type: null, init: times(before, id("x")) });
    const target = { kind: "index", object: id("a"), index: { kind: "number", value: i }, certain: true } as const;
    body.push({ kind: "expr", expr: { kind: "assign", op: "+=", target, value: id(`t${i}`) } });
  }
  body.push({ kind: "return", value: id("z") });
  const number = { kind: "name", name: "number", args: [] } as const;
  const params = ["x", "a"].map((name) => ({ name, type: number, optional: false }));
  const fn = tidiedFunction({ name: "f", typeParams: [], params, result: number, body }, surroundings);
  expect(fn.body.length).toBe(2 * count);
});
