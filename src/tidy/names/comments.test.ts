import { expect, test } from "vitest";
import { printed } from "../../../test/support/tidied.js";
import { functionsIn } from "../../../test/support/typescript-tree.js";
import { withComments } from "./comments.js";

test("comments say what is saved", () => {
  expect(
    printed(
      functionsIn(`function f(n: number, x: Float64Array): void {
        // t of each iteration, for the reverse sweep
        const saved = new Float64Array(n);
        // t1 of each iteration, for the reverse sweep
        const others: Array<number> = [];
        // Something else
        const kept = new Float64Array(n);
        for (let i = 0; i < n; i++) {
          saved[i] = x[i]! * 2;
          others.push(n);
          kept[i] = n;
        }
        g(saved, others, kept);
      }`).map((fn) => withComments(fn, null)),
    ),
  ).toMatchInlineSnapshot(`
    "function f(n: number, x: Float64Array): void {
      // Computed in each iteration, for the reverse sweep
      const saved = new Float64Array(n);
      // n of each iteration, for the reverse sweep
      const others: Array<number> = [];
      // Something else
      const kept = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        saved[i] = x[i]! * 2;
        others.push(n);
        kept[i] = n;
      }
      g(saved, others, kept);
    }
    "
  `);
});

test("what is no longer saved is not spoken of", () => {
  expect(
    printed(
      functionsIn(`function f(n: number, x: Float64Array): void {
        // t of each iteration, for the reverse sweep
        // t1 of each iteration, for the reverse sweep
        let acc = 0;
        // tSaved of each iteration, for the reverse sweep
        const tSavedRows: Array<Float64Array> = new Array(n);
        for (let i = 0; i < n; i++) {
          // t of each iteration, row by row
          const tSaved = new Float64Array(n);
          tSavedRows[i] = tSaved;
          // Sum
          acc += tSaved[i]!;
        }
        // t of each iteration, row by row
      }`).map((fn) => withComments(fn, null)),
    ),
  ).toMatchInlineSnapshot(`
    "function f(n: number, x: Float64Array): void {
      let acc = 0;
      // t of each iteration, for the reverse sweep
      const tSavedRows: Array<Float64Array> = new Array(n);
      for (let i = 0; i < n; i++) {
        // t of each iteration, row by row
        const tSaved = new Float64Array(n);
        tSavedRows[i] = tSaved;
        // Sum
        acc += tSaved[i]!;
      }
    }
    "
  `);
});
