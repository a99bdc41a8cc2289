import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withEarlierArrays, withoutCallsForEarlierArrays } from "./earlier-arrays.js";

const after = (text: string): string =>
  afterPass(text, (fn, bindings) => withEarlierArrays(fn, bindings, surroundings));

/** What the constants of a function are after the pass. */
function constants(text: string): ReadonlyMap<string, string> {
  const found = after(text).matchAll(/^ {2}const (\w+) = ([^]*?);$/gm);
  return new Map([...found].map(([, name, init]) => [name ?? "", (init ?? "").replaceAll(/\s+/g, " ")]));
}

test("arrays, rows, records and tuples", () => {
  expect(
    after(`function f(m: readonly Float64Array[], p: readonly [Layer, number], ys: Float64Array, buffers?: G): R {
      const weights = p[0].weights;
      const bias = p[0].bias;
      earlierArrays(buffers, { m: m, p: { 0: { weights: weights, bias: bias } } }, ys);
      const n = m.length;
      let acc = 0;
      const m_ = zeroRows(m);
      const weights_ = zeroRows(weights);
      const t = new Float64Array(bias.length);
      for (let i = 0; i < n; i++) {
        const row = m[i]!;
        const n1 = sameLength(row.length, ys.length, "f");
        const row_ = m_[i]!;
        for (let j = 0; j < n1; j++) {
          acc += row[j]! * ys[j]!;
        }
        row_.set(ys);
      }
      for (let i = 0; i < n; i++) {
        t[i]! += acc;
      }
      const bias_ = t;
      return { value: acc, grad: refill({ m: m_, p: [{ weights: weights_, bias: bias_ }, 0] }, buffers) };
    }`),
  ).toMatchInlineSnapshot(`
    "function f(
      m: readonly Float64Array[],
      p: readonly [Layer, number],
      ys: Float64Array,
      buffers: G,
    ): R {
      const weights = buffers ? p[0].weights.slice() : p[0].weights;
      const bias = p[0].bias;
      const m1 = buffers ? m.slice() : m;
      const earlier =
        buffers &&
        earlierArrays(buffers, { m: m1, p: { "0": { weights, bias } } }, ys);
      const n = m1.length;
      let acc = 0;
      const m_ = earlier ? earlier.m : zeroRows(m1);
      const weights_ = earlier
        ? earlier.p[0].weights.map((row) => row.fill(0))
        : zeroRows(weights);
      const t = earlier ? earlier.p[0].bias.fill(0) : new Float64Array(bias.length);
      for (let i = 0; i < n; i++) {
        const row = m1[i]!;
        const n1 = sameLength(row.length, ys.length, "f");
        const row_ = m_[i]!;
        for (let j = 0; j < n1; j++) {
          acc += row[j]! * ys[j]!;
        }
        row_.set(ys);
      }
      for (let i = 0; i < n; i++) {
        t[i]! += acc;
      }
      const bias_ = t;
      return {
        value: acc,
        grad: { m: m_, p: [{ weights: weights_, bias: bias_ }, 0] },
      };
    }
    "
  `);
});

/** A function that ends in a gradient `x_` of an array x. */
const ending = (body: string): string => `function f(x: Float64Array, y: Float64Array, b: boolean, buffers?: G): R {
  earlierArrays(buffers, { x: x });
  const n = x.length;
  const x_ = new Float64Array(n);
  ${body}
  return { value: 0, grad: refill({ x: x_ }, buffers) };
}`;

test("zeros where not all is set first", () => {
  const made = (body: string): string | undefined => constants(ending(body)).get("x_");
  const [kept, zeros] = ["earlier ? earlier.x : new Float64Array(n)", "earlier ? earlier.x.fill(0) : new Float64Array(n)"]; // prettier-ignore
  expect(made("for (let i = 0; i < n; i++) { x_[i] = y[i]!; }")).toBe(kept);
  expect(made("for (let i = n - 1; i >= 0; i--) { if (b) { x_[i] = 1; } else { x_[i] = y[i]!; } }")).toBe(kept);
  expect(made('const k = sameLength(n, y.length, "f"); x_.set(y);')).toBe(kept);
  expect(made("x_.set(y);")).toBe(zeros);
  expect(made("")).toBe(zeros);
  expect(made("for (let i = 0; i < n; i++) { x_[i]! += y[i]!; }")).toBe(zeros);
  expect(made("for (let i = 1; i < n; i++) { x_[i] = y[i]!; }")).toBe(zeros);
  expect(made("for (let i = 0; i < y.length; i++) { x_[i] = y[i]!; }")).toBe(zeros);
  expect(made("for (let i = 0; i < n; i++) { if (b) { x_[i] = y[i]!; } }")).toBe(zeros);
  expect(made("for (let i = 0; i < n; i++) { if (b) break; x_[i] = y[i]!; }")).toBe(zeros);
  expect(made("for (let i = 0; i < n; i++) { x_[i] = y[i]!; y[i] = x_[0]!; }")).toBe(zeros);
  expect(made("if (b) { for (let i = 0; i < n; i++) { x_[i] = y[i]!; } }")).toBe(zeros);
});

test("rows with zeros where not all of each is set first", () => {
  const made = (body: string): string | undefined =>
    constants(`function f(m: readonly Float64Array[], y: Float64Array, b: boolean, buffers?: G): R {
      earlierArrays(buffers, { m: m });
      const n = m.length;
      const m_ = zeroRows(m);
      for (let i = 0; i < n; i++) { const row = m[i]!; const k = row.length; ${body} }
      return { value: 0, grad: refill({ m: m_ }, buffers) };
    }`).get("m_");
  const [kept, zeros] = ["earlier ? earlier.m : zeroRows(m1)", "earlier ? earlier.m.map((row) => row.fill(0)) : zeroRows(m1)"]; // prettier-ignore
  expect(made("const r = m_[i]!; for (let j = 0; j < k; j++) { r[j] = row[j]!; }")).toBe(kept);
  expect(made("const r = m_[i]!; for (let j = 0; j < k; j++) { r[j]! += row[j]!; }")).toBe(zeros);
  expect(made("const r = m_[i]!; for (let j = 0; j < n; j++) { r[j] = row[j]!; }")).toBe(zeros);
  expect(made("const r = m_[i]!; r.set(y);")).toBe(zeros);
  expect(made("const r = m_[0]!; for (let j = 0; j < k; j++) { r[j] = row[j]!; }")).toBe(zeros);
  expect(made("if (b) continue; const r = m_[i]!; for (let j = 0; j < k; j++) { r[j] = row[j]!; }")).toBe(zeros);
  expect(made("if (b) { const r = m_[i]!; for (let j = 0; j < k; j++) { r[j] = row[j]!; } }")).toBe(zeros);
});

test("nothing where one array of the gradient is not made by itself, or in front of the call", () => {
  const text = (
    gradient: string,
    before = "",
  ): string => `function f(x: Float64Array, y: Float64Array, buffers?: G): R {
  ${before}
  earlierArrays(buffers, { x: x, y: y });
  const x_ = new Float64Array(x.length);
  const copy = new Float64Array(x);
  return { value: 0, grad: refill(${gradient}, buffers) };
}`;
  for (const gradient of [
    "{ x: x_, y: x_ }",
    "{ x: x_, y: g(x_) }",
    "{ x: x_, y: copy }",
    "{ x: x_ }",
    "{ x: x_, y: y_ }",
  ]) {
    const whole = text(gradient, "const y_ = new Float64Array(y.length);");
    expect(after(whole)).toBe(afterPass(whole, (fn) => fn));
    expect(after(whole)).toContain("earlierArrays(");
    expect(afterPass(whole, (fn) => withoutCallsForEarlierArrays(fn, surroundings))).not.toContain("earlierArrays(");
  }
});
