import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withFirstRoundsOutside } from "./loop-peeling.js";

const after = (text: string): string =>
  afterPass(text, (fn, bindings) => withFirstRoundsOutside(fn, bindings, surroundings));

test("the round that took the way out", () => {
  expect(
    after(`function f(x: number, saved: Float64Array): number {
      let rounds = 0;
      while (g()) rounds += 1;
      let x_ = 0;
      for (let round = rounds; round >= 0; round--) {
        const t = saved[round]!;
        let x_1 = 0;
        if (round === rounds) {
          x_1 += x;
        } else {
          x_1 += x_ * t;
        }
        x_ = x_1;
      }
      return x_;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number, saved: Float64Array): number {
      let rounds = 0;
      while (g()) {
        rounds += 1;
      }
      let x_ = 0;
      const t = saved[rounds]!;
      let x_1 = 0;
      x_1 += x;
      x_ = x_1;
      for (let round = rounds - 1; round >= 0; round--) {
        const t = saved[round]!;
        let x_1 = 0;
        x_1 += x_ * t;
        x_ = x_1;
      }
      return x_;
    }
    "
  `);
});

test("not where there may be no round, or the count changes", () => {
  expect(
    after(`function f(x: number, count: number): number {
      let x_ = 0;
      for (let round = count; round >= 0; round--) {
        if (round === count) x_ = x;
        else x_ = x_ * 2;
      }
      let rounds = 0;
      for (let round = rounds; round >= 0; round--) {
        if (round === rounds) x_ = x;
        else rounds += 1;
      }
      return x_;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number, count: number): number {
      let x_ = 0;
      for (let round = count; round >= 0; round--) {
        if (round === count) {
          x_ = x;
        } else {
          x_ = x_ * 2;
        }
      }
      let rounds = 0;
      for (let round = rounds; round >= 0; round--) {
        if (round === rounds) {
          x_ = x;
        } else {
          rounds += 1;
        }
      }
      return x_;
    }
    "
  `);
});

test("where the count has been saved in an array that nothing else has", () => {
  const text = (use: string): string =>
    `function f(n: number, seed: number): number {
      const roundsSaved: Array<number> = new Array(n);
      for (let i = 0; i < n; i++) {
        let rounds = 0;
        while (g()) rounds += 1;
        roundsSaved[i] = rounds;
      }
      ${use}
      let x_ = 0;
      for (let i = 0; i < n; i++) {
        const rounds = roundsSaved[i]!;
        for (let round = rounds; round >= 0; round--) {
          if (round === rounds) x_ = seed;
          else x_ = x_ * 2;
        }
      }
      return x_;
    }`;
  expect(after(text(""))).toContain(`    x_ = seed;
    for (let round = rounds - 1; round >= 0; round--) {
      x_ = x_ * 2;
    }`);
  for (const use of ["h(roundsSaved);", "roundsSaved[0] = n;", "roundsSaved[0]! += 1;", "const other = roundsSaved;"])
    expect(after(text(use))).toContain("for (let round = rounds; round >= 0; round--)");
});
