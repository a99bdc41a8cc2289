// By hand: f = w0 + x (w1 + x w2) + w4 exp(-w3 x) - w5 y for six parameters from a place on, whose columns and derivatives are written row after row.

import { vec } from "../inputs.js";
import type { DerivativeModel } from "./model.js";

interface Sample {
  readonly at: number;
  readonly x: number;
  readonly y: number;
}

function jacobian(w: Float64Array, samples: readonly Sample[]) {
  const rows = samples.length;
  const value = new Float64Array(rows);
  const rowStart = new Int32Array(rows + 1);
  const column = new Int32Array(6 * rows);
  const values = new Float64Array(6 * rows);
  let k = 0;
  samples.forEach(({ at, x, y }, row) => {
    const part = (i: number): number => w[at + i] ?? 0;
    const decay = Math.exp(-part(3) * x);
    value[row] = part(0) + x * (part(1) + x * part(2)) + decay * part(4) - part(5) * y;
    for (let i = 0; i < 6; i++) column[k + i] = at + i;
    values[k] = 1;
    values[k + 1] = x;
    values[k + 2] = x * x;
    values[k + 3] = -x * decay * part(4);
    values[k + 4] = decay;
    values[k + 5] = -y;
    k += 6;
    rowStart[row + 1] = k;
  });
  return { value, rows, columns: w.length, rowStart, column, values };
}

const numbers = vec(10_000, 3, 1);
const samples = Array.from(numbers, (x, i): Sample => ({
  at: (i * 37) % (numbers.length - 6),
  x,
  y: 0.5 + (i % 3) / 3,
}));
const args = [vec(10_000, 4, 1), samples, { sparse: true }];

export const local: DerivativeModel = {
  name: "local residuals",
  entry: "localSum",
  wrt: ["w"],
  args: args.slice(0, 2),
  direction: [],
  jvp: null,
  hvp: null,
  jacobian: { entry: "local", args, byHand: jacobian, sum: "localSum" },
};
