import { expect, test } from "vitest";
import { afterPass } from "../../../test/support/tidied.js";
import { withoutSameSaves } from "./same-saves.js";

const after = (text: string): string => afterPass(text, withoutSameSaves);

test("what is saved twice is saved once, by rows too", () => {
  expect(
    after(`function f(n: number, x: Float64Array): number {
      // t of each iteration, for the reverse sweep
      const tSavedRows: Array<Float64Array> = new Array(n);
      // u of each iteration, for the reverse sweep
      const uSavedRows: Array<Float64Array> = new Array(n);
      for (let i = 0; i < n; i++) {
        const tSaved = new Float64Array(n);
        tSavedRows[i] = tSaved;
        // u of each iteration, for the reverse sweep
        const uSaved = new Float64Array(n);
        uSavedRows[i] = uSaved;
        for (let j = 0; j < n; j++) {
          const t = Math.exp(x[j]! * i);
          tSaved[j] = t;
          uSaved[j] = t;
        }
      }
      let s = 0;
      for (let i = n - 1; i >= 0; i--) {
        const tSaved = tSavedRows[i]!;
        const uSaved = uSavedRows[i]!;
        for (let j = 0; j < n; j++) {
          const t = tSaved[j]!;
          const u = uSaved[j]!;
          s += t * u;
        }
      }
      return s;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(n: number, x: Float64Array): number {
      // t of each iteration, for the reverse sweep
      const tSavedRows: Array<Float64Array> = new Array(n);
      for (let i = 0; i < n; i++) {
        const tSaved = new Float64Array(n);
        tSavedRows[i] = tSaved;
        for (let j = 0; j < n; j++) {
          const t = Math.exp(x[j]! * i);
          tSaved[j] = t;
        }
      }
      let s = 0;
      for (let i = n - 1; i >= 0; i--) {
        const tSaved = tSavedRows[i]!;
        for (let j = 0; j < n; j++) {
          const t = tSaved[j]!;
          const u = tSaved[j]!;
          s += t * u;
        }
      }
      return s;
    }
    "
  `);
});

test("not where a value changes in between, or one of the arrays does", () => {
  const text = `function f(n: number): readonly Float64Array[] {
  const a = new Float64Array(n);
  const b = new Float64Array(n);
  const c = new Float64Array(n);
  const d = new Float64Array(n);
  const e = new Float64Array(n);
  let s = 0;
  for (let i = 0; i < n; i++) {
    a[i] = s;
    c[i] = s;
    d[i] = s;
    s = s + 1;
    b[i] = s;
    e[n] = s;
  }
  d[0]! += 1;
  const x = new Float64Array([a[0]!, b[0]!, d[0]!, e[n]!]);
  return [c, x];
}
`;
  expect(after(text)).toBe(text);
});

test("elements at an index that has moved on are two", () => {
  const text = `function f(n: number, x: Float64Array): number {
    const tSaved = new Float64Array(n);
    const uSaved = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      const t = Math.exp(x[i]!);
      tSaved[i] = t;
      uSaved[i] = t;
    }
    let s = 0;
    let at = n - 1;
    while (at > 0) {
      const t = tSaved[at]!;
      at -= 1;
      const u = uSaved[at]!;
      s += t * u;
    }
    return s;
  }`;
  expect(after(text)).toMatch(/const t = tSaved\[at\]!;\s+at -= 1;\s+const u = tSaved\[at\]!;/);
});
