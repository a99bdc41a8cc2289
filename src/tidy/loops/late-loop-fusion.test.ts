import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withJoinedLoops } from "./late-loop-fusion.js";

const after = (text: string): string => afterPass(text, (fn, bindings) => withJoinedLoops(fn, bindings, surroundings));

test("what one loop saves for the next one is not saved", () => {
  expect(
    after(`function f(x_: Float64Array, n: number, t: number, d: number): number {
      const pSaved = new Float64Array(n);
      let p = 1;
      for (let i = 0; i < n; i++) {
        pSaved[i] = p;
        p = p * t;
      }
      const c = 2 * d;
      for (let j = 0; j < n; j++) {
        const e = c * pSaved[j]!;
        x_[j]! += e;
      }
      return p;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x_: Float64Array, n: number, t: number, d: number): number {
      const pSaved = new Float64Array(n);
      let p = 1;
      const c = 2 * d;
      for (let i = 0; i < n; i++) {
        const p1 = p;
        const e = c * p1;
        x_[i]! += e;
        p = p * t;
      }
      return p;
    }
    "
  `);
});

test("a sum over data has both sweeps in one loop, which reads what both need once", () => {
  expect(
    after(`function f(rows: readonly Float64Array[], v: Float64Array): readonly [number, Float64Array] {
      const n = rows.length;
      let sum = 0;
      for (let i = 0; i < n; i++) {
        const row = rows[i]!;
        const m = sameLength(row.length, v.length, "f");
        let acc = 0;
        for (let j = 0; j < m; j++) {
          acc += row[j]! * v[j]!;
        }
        sum += acc;
      }
      const mean = sum / n;
      const v_ = new Float64Array(v.length);
      const seed = 1 / n;
      for (let k = 0; k < n; k++) {
        const again = rows[k]!;
        const size = v.length;
        for (let l = 0; l < size; l++) {
          v_[l]! += seed * again[l]!;
        }
      }
      return [mean, v_];
    }`),
  ).toMatchInlineSnapshot(`
    "function f(
      rows: readonly Float64Array[],
      v: Float64Array,
    ): readonly [number, Float64Array] {
      const n = rows.length;
      let sum = 0;
      const v_ = new Float64Array(v.length);
      const seed = 1 / n;
      for (let i = 0; i < n; i++) {
        const row = rows[i]!;
        const m = sameLength(row.length, v.length, "f");
        let acc = 0;
        for (let j = 0; j < m; j++) {
          acc += row[j]! * v[j]!;
          v_[j]! += seed * row[j]!;
        }
        sum += acc;
      }
      const mean = sum / n;
      return [mean, v_];
    }
    "
  `);
});

test("what is saved in a branch is kept in a variable, and arrays that an iteration makes stay with it", () => {
  expect(
    after(`function f(x: Float64Array, x_: Float64Array, d: number): number {
      const n = x.length;
      const rowsSaved: Array<readonly Float64Array[]> = new Array(n);
      const pSaved = new Float64Array(n);
      const qSaved: Array<Float64Array> = new Array(n);
      let sum = 0;
      for (let i = 0; i < n; i++) {
        const rows: Array<Float64Array> = new Array(2);
        rowsSaved[i] = rows;
        for (let j = 0; j < 2; j++) {
          const row = new Float64Array(2);
          row[j] = x[i]!;
          rows[j] = row;
        }
        if (x[i]! > 1) {
          const q = new Float64Array(1);
          q[0] = x[i]!;
          qSaved[i] = q;
          pSaved[i] = 2 * sum;
          sum += 1;
        }
      }
      for (let k = 0; k < n; k++) {
        const both = rowsSaved[k]!;
        const first = both[0]!;
        let e = first[0]! * d;
        if (x[k]! > 1) {
          const q = qSaved[k]!;
          e += q[0]! * pSaved[k]!;
        }
        x_[k]! += e;
      }
      return sum;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array, x_: Float64Array, d: number): number {
      const n = x.length;
      const rowsSaved: Array<readonly Float64Array[]> = new Array(n);
      const pSaved = new Float64Array(n);
      const qSaved: Array<Float64Array> = new Array(n);
      let sum = 0;
      for (let i = 0; i < n; i++) {
        const rows: Array<Float64Array> = new Array(2);
        for (let j = 0; j < 2; j++) {
          const row = new Float64Array(2);
          row[j] = x[i]!;
          rows[j] = row;
        }
        if (x[i]! > 1) {
          const q = new Float64Array(1);
          q[0] = x[i]!;
          qSaved[i] = q;
          pSaved[i] = 2 * sum;
          sum += 1;
        }
        const first = rows[0]!;
        let e = first[0]! * d;
        if (x[i]! > 1) {
          const q = qSaved[i]!;
          e += q[0]! * pSaved[i]!;
        }
        x_[i]! += e;
      }
      return sum;
    }
    "
  `);
});

test("not where one loop needs all of the other one, or another iteration of it", () => {
  const body = (first: string, between: string, second: string): string => `
    function f(x: Float64Array, n: number, m: number): Float64Array {
      const rows: Float64Array[] = new Array(n);
      const y = new Float64Array(n);
      const saved = new Float64Array(n);
      let sum = 0;
      for (let i = 0; i < n; i++) {
        saved[i] = Math.exp(i);
        ${first}
      }
      ${between}
      for (let j = 0; j < n; j++) {
        ${second}
      }
      return y;
    }`;
  const isJoined = (first: string, between: string, second: string): boolean =>
    after(body(first, between, second)).split("for (").length === 2;
  expect(isJoined("", "", "y[j]! += saved[j]!;")).toBe(true);
  expect(isJoined("sum += 1;", "const c = 2 * m;", "y[j]! += c * saved[j]!;")).toBe(true);
  expect(isJoined("sum += 1;", "", "y[j]! += sum * saved[j]!;")).toBe(false);
  expect(isJoined("sum += 1;", "const c = 2 * sum;", "y[j]! += c * saved[j]!;")).toBe(false);
  expect(isJoined("sum += y[i]!;", "", "y[j]! += saved[j]!;")).toBe(true);
  expect(isJoined("sum += y[n - 1 - i]!;", "", "y[j]! += saved[j]!;")).toBe(false);
  expect(isJoined("sum += saved[0]!;", "", "y[j]! += saved[j]!;")).toBe(true);
  expect(isJoined("", "", "y[j]! += saved[n - 1 - j]!;")).toBe(false);
  expect(isJoined("", "", "y[j]! += saved[j]!; saved[j] = 0;")).toBe(true);
  expect(isJoined("", "", "y[j]! += saved[j]!; saved[0] = 0;")).toBe(false);
  expect(isJoined("", "sum = m;", "y[j]! += saved[j]!;")).toBe(true);
  expect(isJoined("", "sum = m;", "y[j]! += sum * saved[j]!;")).toBe(true);
  expect(isJoined("sum += 1;", "sum = m;", "y[j]! += sum * saved[j]!;")).toBe(false);
  expect(isJoined('sum += sameLength(m, i, "f");', "", "y[j]! += saved[j]!;")).toBe(true);
  expect(isJoined("", "", 'y[j]! += saved[j]!; sum += sameLength(m, j, "f");')).toBe(false);
  expect(isJoined("rows[i] = x;", "", "y[j]! += saved[j]!;")).toBe(true);
  expect(isJoined("rows[i] = x;", "const rows_ = zeroRows(rows);", "y[j]! += saved[j]!;")).toBe(true);
  expect(isJoined("rows[i] = x;", "const rows_ = zeroRows(rows);", "rows_[j]![0]! += saved[j]!;")).toBe(false);
  expect(isJoined("", "const rows_ = zeroRows(rows);", "rows_[j]![0]! += saved[j]!;")).toBe(true);
  const iterations = (exit: string): string =>
    `const all: number[] = []; let k = m; while (k < n) { all.push(k); if (k > i) { ${exit} } k += 1; }`;
  expect(isJoined(iterations("break;"), "", "y[j]! += saved[j]!;")).toBe(true);
  expect(isJoined(iterations("continue;"), "", "y[j]! += saved[j]!;")).toBe(true);
  expect(isJoined(iterations("return y;"), "", "y[j]! += saved[j]!;")).toBe(false);
  expect(isJoined("if (m > i) { break; }", "", "y[j]! += saved[j]!;")).toBe(false);
  expect(isJoined("if (m > i) { continue; }", "", "y[j]! += saved[j]!;")).toBe(false);
  expect(isJoined("rows.push(x);", "", "y[j]! += saved[j]!;")).toBe(true);
  expect(isJoined("rows.push(x);", "", "y[j]! += saved[j]! * rows.length;")).toBe(false);
  const branch = (then: string): string => `if (m > i) { ${then} }`;
  expect(isJoined(branch("saved[i] = m; sum += 1;"), "", "y[j]! += saved[j]!;")).toBe(true);
  expect(isJoined(branch("y[i] = m; sum += 1;"), "", "y[j]! += saved[j]!;")).toBe(true);
  expect(isJoined(branch("rows[i] = x;"), "", "x[j]! += saved[j]!;")).toBe(true);
  expect(isJoined(branch("rows[i] = x; x[0] = 1;"), "", "rows[j]![1]! += saved[j]!;")).toBe(false);
  expect(isJoined("", "g(saved);", "y[j]! += saved[j]!;")).toBe(false);
  expect(isJoined("g(sum);", "", "y[j]! += saved[j]!;")).toBe(false);
  expect(isJoined("", "", "y[j]! += x[j]!;")).toBe(false);
});

test("a loop whose iterations have nothing to do with each other goes the way of the other one", () => {
  expect(
    after(`function f(x_: Float64Array, x: Float64Array, n: number): number {
      let sum = 0;
      for (let i = n - 1; i >= 0; i--) {
        sum = x[i]! + sum;
      }
      for (let j = 0; j < n; j++) {
        x_[j] = 2 * x[j]!;
      }
      return sum;
    }
    function g(x: Float64Array, n: number): readonly Float64Array[] {
      const y = new Float64Array(n);
      const x_ = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        y[i] = x[i]! * x[i]!;
      }
      for (let j = n - 1; j >= 0; j--) {
        x_[0]! += x[j]!;
      }
      return [y, x_];
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x_: Float64Array, x: Float64Array, n: number): number {
      let sum = 0;
      for (let i = n - 1; i >= 0; i--) {
        sum = x[i]! + sum;
        x_[i] = 2 * x[i]!;
      }
      return sum;
    }

    function g(x: Float64Array, n: number): readonly Float64Array[] {
      const y = new Float64Array(n);
      const x_ = new Float64Array(n);
      for (let i = n - 1; i >= 0; i--) {
        y[i] = x[i]! * x[i]!;
        x_[0]! += x[i]!;
      }
      return [y, x_];
    }
    "
  `);
});

test("not where each has to go another way", () => {
  const text = `function f(x_: Float64Array, x: Float64Array, n: number): number {
  let sum = 0;
  for (let i = n - 1; i >= 0; i--) {
    sum = x[i]! + sum;
  }
  for (let j = 0; j < n; j++) {
    x_[0]! += x[j]!;
  }
  return sum;
}
`;
  expect(after(text)).toBe(text);
});

test("loops within loops that have become one", () => {
  expect(
    after(`function f(v: Float64Array, rows: readonly Float64Array[], n: number, m: number): Float64Array {
      const v_ = new Float64Array(m);
      let sum = 0;
      for (let i = n - 1; i >= 0; i--) {
        const row = rows[i]!;
        for (let j = 0; j < m; j++) {
          const x = v[j]!;
          sum += row[j]! * x;
        }
      }
      for (let k = n - 1; k >= 0; k--) {
        const again = rows[k]!;
        for (let l = 0; l < m; l++) {
          v_[l]! += again[l]! * v[l]!;
        }
      }
      v_[0]! += sum;
      return v_;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(
      v: Float64Array,
      rows: readonly Float64Array[],
      n: number,
      m: number,
    ): Float64Array {
      const v_ = new Float64Array(m);
      let sum = 0;
      for (let i = n - 1; i >= 0; i--) {
        const row = rows[i]!;
        for (let j = 0; j < m; j++) {
          const x = v[j]!;
          sum += row[j]! * x;
          v_[j]! += row[j]! * v[j]!;
        }
      }
      v_[0]! += sum;
      return v_;
    }
    "
  `);
});

test("past other loops, which stand in front or behind", () => {
  expect(
    after(`function f(xs: Float64Array, ws: Float64Array, n: number, m: number): number {
      const saved = new Float64Array(n);
      const x_ = new Float64Array(n);
      let acc = 0;
      let norm = 0;
      for (let i = 0; i < n; i++) {
        const x = Math.exp(xs[i]!);
        saved[i] = x;
        acc += x;
      }
      for (let j = 0; j < m; j++) {
        norm += ws[j]!;
      }
      for (let i = 0; i < n; i++) {
        x_[i] = saved[i]!;
      }
      return acc + norm;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(xs: Float64Array, ws: Float64Array, n: number, m: number): number {
      const saved = new Float64Array(n);
      const x_ = new Float64Array(n);
      let acc = 0;
      let norm = 0;
      for (let j = 0; j < m; j++) {
        norm += ws[j]!;
      }
      for (let i = 0; i < n; i++) {
        const x = Math.exp(xs[i]!);
        acc += x;
        x_[i] = x;
      }
      return acc + norm;
    }
    "
  `);
});

test("cases of a sample, of which each saves something else", () => {
  const text = (way: string): string =>
    `function f(xs: readonly Shape[], k: number, n: number): readonly [number, number] {
      const rSaved = new Float64Array(n);
      let sum = 0;
      for (let i = 0; i < n; i++) {
        const x = xs[i]!;
        switch (x.tag) {
          case "Circle": {
            const r = x._0 * k;
            rSaved[i] = r;
            sum += r * r;
            break;
          }
          case "Box": {
            ${way}
          }
        }
      }
      let k_ = 0;
      for (let j = 0; j < n; j++) {
        const x = xs[j]!;
        if (x.tag === "Circle") k_ += 2 * rSaved[j]! * x._0;
      }
      return [sum, k_];
    }`;
  expect(after(text("sum += k; break;")).match(/for \(/g)).toHaveLength(1);
  // It would leave out the other sweep of the sample
  expect(after(text("continue;")).match(/for \(/g)).toHaveLength(2);
});

test("what the second loop reads stands before the steps to the next iteration; an element behind all iterations is set behind the loop", () => {
  expect(
    after(`function f(k: number, n: number, y_: Float64Array): Float64Array {
      const states = new Float64Array(n + 1);
      let s = 1;
      for (let i = 0; i < n; i++) {
        states[i] = s;
        s = k * s;
      }
      states[n] = s;
      for (let i = 0; i < n; i++) {
        y_[i]! += 2 * states[i]!;
      }
      return states;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(k: number, n: number, y_: Float64Array): Float64Array {
      const states = new Float64Array(n + 1);
      let s = 1;
      for (let i = 0; i < n; i++) {
        states[i] = s;
        y_[i]! += 2 * states[i]!;
        s = k * s;
      }
      states[n] = s;
      return states;
    }
    "
  `);
});
