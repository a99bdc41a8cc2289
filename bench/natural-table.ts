// The group `natural`: models as users write them on the first day, against value and gradient by hand.

import { naturalModels, type NaturalModel } from "./natural/index.js";
import { emittedCode } from "./model.js";
import { inProcess, type Measurement } from "./process.js";
import { agreement, timesOf, tolerance } from "./row.js";
import { duration, printTable, ratio } from "./table.js";
import type { Workload } from "./workload.js";

export const allocated: Measurement<number> = {
  file: "allocated",
  // Half a gigabyte of young objects: nothing is collected within a call
  flags: ["--expose-gc", "--max-semi-space-size=512", "--min-semi-space-size=512"],
  isResult: (value): value is number => typeof value === "number",
};

/** One model at one size. Times in nanoseconds, bytes of one gradient. */
export interface NaturalRow {
  readonly name: string;
  readonly half: NaturalModel["half"];
  readonly value: number;
  readonly handValue: number;
  readonly gradient: number;
  readonly handGradient: number;
  readonly bytes: number;
  readonly handBytes: number;
  /** Characters of the emitted module. */
  readonly code: number;
}

export function measureNatural(wanted: (name: string) => boolean): readonly NaturalRow[] {
  const rows = naturalModels.flatMap(({ workloads, half }) =>
    workloads.filter(({ name }) => wanted(`natural ${name}`)).map(({ make }) => measured(make(), half)),
  );
  if (rows.length === 0) return [];
  printTable(
    "Models in plain style; w: for work, j: for judging, l: by the library",
    ["", "", "value by hand", "value/hand", "gradient by hand", "gradient/hand", "by hand: gradient/value", "bytes by hand", "bytes/hand", "code"],
    rows.map((row) => [
      row.name,
      row.half.slice(0, 1),
      duration(row.handValue),
      ratio(row.value, row.handValue),
      duration(row.handGradient),
      ratio(row.gradient, row.handGradient),
      ratio(row.handGradient, row.handValue),
      String(row.handBytes),
      ratio(bytesCounted(row.bytes), bytesCounted(row.handBytes)),
      String(row.code),
    ]),
  ); // prettier-ignore
  const means = (half: NaturalModel["half"]): string[] => {
    const of = rows.filter((row) => row.half === half);
    return [half, ...[
      of.map(({ value, handValue }) => value / handValue),
      of.map(({ gradient, handGradient }) => gradient / handGradient),
      of.map(({ bytes, handBytes }) => bytesCounted(bytes) / bytesCounted(handBytes)),
    ].map((ratios) => `${geometricMean(ratios).toFixed(2)}, ${Math.max(...ratios).toPrecision(3)}`)];
  }; // prettier-ignore
  printTable("Geometric mean, and the worst", ["", "value/hand", "gradient/hand", "bytes/hand"], (["work", "judging", "library"] as const).filter((half) => rows.some((row) => row.half === half)).map(means)); // prettier-ignore
  return rows;
}

function measured(workload: Workload, half: NaturalModel["half"]): NaturalRow {
  const { name } = workload;
  const code = emittedCode(workload, "adjoint");
  const error = inProcess(agreement, ["natural", name], code);
  if (!(error <= tolerance)) throw new Error(`${name}: differs from what is written by hand, by ${error}`);
  const [handValue, handGradient, value, gradient] = timesOf(
    "natural",
    name,
    [
      { part: "primal by hand", code: "" },
      { part: "gradient by hand", code: "" },
      { part: "primal", code },
      { part: "gradient", code },
    ],
    // There are many
    1,
  ).map(({ median }) => median);
  const [bytes, handBytes] = [code, ""].map((text) => inProcess(allocated, ["natural", name], text));
  if (handValue === undefined || handGradient === undefined || value === undefined || gradient === undefined || bytes === undefined || handBytes === undefined) throw new Error("nothing was measured"); // prettier-ignore
  return { name, half, value, handValue, gradient, handGradient, bytes, handBytes, code: code.length };
}

/** What is allocated beyond 64 KB counts: the engine's own objects are among it. */
function bytesCounted(bytes: number): number {
  return Math.max(0, bytes) + 65536;
}

function geometricMean(ratios: readonly number[]): number {
  return Math.exp(ratios.reduce((sum, each) => sum + Math.log(each), 0) / ratios.length);
}
