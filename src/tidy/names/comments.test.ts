import { expect, test } from "vitest";
import { calledInText, printed } from "../../../test/support/tidied.js";
import { functionsIn } from "../../../test/support/typescript-tree.js";
import { mapBlocks } from "../../typescript/traverse.js";
import type { TsFunction } from "../../typescript/tree.js";
import { Bindings, separated } from "../analysis/bindings.js";
import { named } from "./naming.js";
import { withComments } from "./comments.js";

/** A function whose comments on what is saved say so of what they are on. */
function commented(fn: TsFunction): TsFunction {
  const marked = mapBlocks(fn, (body) =>
    body.map((stmt) => {
      const [, text, rows] = stmt.kind === "comment" ? (/ of (each iteration, (row by row|.*))$/.exec(stmt.text) ?? []) : []; // prettier-ignore
      return text === undefined ? stmt : { kind: "comment", text, on: rows === "row by row" ? "rows" : "saved" };
    }),
  );
  const bindings = new Bindings("t", calledInText);
  return named(withComments(separated(marked, bindings), bindings, null), bindings);
}

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
      }`).map(commented),
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
      }`).map(commented),
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
