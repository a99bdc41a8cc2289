import { expect, test } from "vitest";
import { afterPass } from "../../../test/support/tidied.js";
import { renameSaved } from "./saved-names.js";

const after = (text: string): string =>
  afterPass(text, (fn, bindings) => {
    renameSaved(fn, bindings, null);
    return fn;
  });

test("places are called after what is in them, and what is read from there too", () => {
  expect(
    after(`function f(x: Float64Array, n: number): number {
      let t2Kept = 0;
      const t1SavedSaved: Array<Float64Array> = new Array(n);
      for (let i = 0; i < n; i++) {
        const t1Saved = new Float64Array(n);
        t1SavedSaved[i] = t1Saved;
        let total = 0;
        for (let j = 0; j < n; j++) {
          t1Saved[j] = total;
          total += x[j]!;
        }
        t2Kept = total;
      }
      const t2 = t2Kept;
      let x_ = t2;
      for (let i = 0; i < n; i++) {
        const t1Saved = t1SavedSaved[i]!;
        for (let j = 0; j < n; j++) {
          const t1 = t1Saved[j]!;
          x_ += t1;
        }
      }
      return x_;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array, n: number): number {
      let totalKept = 0;
      const totalSavedRows: Array<Float64Array> = new Array(n);
      for (let i = 0; i < n; i++) {
        const totalSaved = new Float64Array(n);
        totalSavedRows[i] = totalSaved;
        let total = 0;
        for (let j = 0; j < n; j++) {
          totalSaved[j] = total;
          total += x[j]!;
        }
        totalKept = total;
      }
      const total = totalKept;
      let x_ = total;
      for (let i = 0; i < n; i++) {
        const totalSaved = totalSavedRows[i]!;
        for (let j = 0; j < n; j++) {
          const total = totalSaved[j]!;
          x_ += total;
        }
      }
      return x_;
    }
    "
  `);
});

test("names of the source stay, and those of what has none", () => {
  const text = `function f(x: Float64Array, n: number): number {
  const sumSaved = new Float64Array(n);
  const t1Saved = new Float64Array(n);
  const t3 = new Float64Array(n);
  let acc = 0;
  for (let i = 0; i < n; i++) {
    sumSaved[i] = acc;
    const t1 = x[i]!;
    t1Saved[i] = t1;
    t3[i] = acc;
    acc += t1;
  }
  return acc;
}
`;
  expect(after(text)).toBe(text);
});
