// Loops that carry integers: what adjoint code knows of these is true in every iteration, and it fails where the program does.

import { expect, test } from "vitest";
import { grad } from "../src/index.js";

function outcome(text: string, args: Readonly<Record<string, unknown>>, stage: "adjoint" | "tape"): unknown {
  const result = grad({ name: "m.lam", text }, "f", args, { stage });
  return result.ok ? result.value : "an error";
}

const go = "let rec go t i k s = if t <= 0 then s else";
const ho = "let rec ho t i k s = if t <= 0 then s else";

test.each([
  // What one walk over the body has taken for true is nothing that the next one knows
  `${go} let a = mod i 3 in go (t - 1) (2 * i + 1) (i - a) (if k == 0 then s * x else s + 1) in go 4 0 0 x`,
  "let rec go i k s = if i >= 12 then s else let a = min i 3 in go (i + abs d) (i - a) (0.5 * s + xs ! k) in if d == 0 then x else go 0 0 x",
  "let rec go i j k s = if i >= 12 then s else go (2 * i + 1) (j + d) (i - min i j) (if k > 0 then s * x else s + 1) in go 0 0 0 x",
  // Nor does the walk over another loop
  `${go} let a = i - i in let b = div a 2 in go (t - 1) (3 * i - 2) b (if k < 0 then s * x else s + 2) in
   ${ho} let a = min d i in ho (t - 1) a (mod a 4) (if k == 0 then s * x else s + 1) in go 5 0 0 x + ho 4 0 0 x`,
  `${go} let a = i - 1 in let b = div a 2 in go (t - 1) i (a - b) (if b > 0 then s * x else s + x) in
   ${ho} let a = min i k in let b = div a 2 in ho (t - 1) (2 * i + 1) (a - b) (s * x + xs ! b) in go 5 0 0 x + ho 4 0 0 x`,
  // A shift has places for 31 bits
  "x * toReal (div (length xs) 4294967296 + div (length xs - 7) 4294967296 + div (length xs - 7) 2147483648)",
  "x * toReal (div (length xs - 7) 4 + div (length xs - 7) 1 + div (7 - length xs) 2)",
])("%s", (body) => {
  const text = `def f (xs : [R]) (x : R) (d : Z) : R = ${body}\n`;
  for (const xs of [[], [1], [2, 0.5, 3, 1, 4, 2]]) {
    for (const d of [-2, 0, 1]) {
      const args = { xs, x: 0.5, d };
      expect(outcome(text, args, "adjoint"), JSON.stringify(args)).toEqual(outcome(text, args, "tape"));
    }
  }
});
