// npm run bench [-- FILTER]: generated code against code written by hand, in one run. Values are checked before anything is timed. Prints a
// table, and writes the same as JSON to bench/results.json. Only ratios taken in one run mean anything elsewhere.

import { writeFileSync } from "node:fs";
import type { StageName } from "../src/index.js";
import { distance } from "./compare.js";
import { lastResult, measure } from "./measure.js";
import type { Time } from "./measure.js";
import { loadModel } from "./model.js";
import type { Workload } from "./workload.js";
import { table1 } from "./workloads/table1.js";

interface Row {
  readonly name: string;
  readonly primal: Time;
  readonly handPrimal: Time;
  readonly gradient: Time;
  readonly handGradient: Time;
  readonly elements: number;
  readonly haskell: number | null;
}

/** The largest relative difference from what is written by hand that is let through: sums are added up in different orders. */
const tolerance = 1e-9;

function check(name: string, found: unknown, expected: unknown): void {
  const error = distance(found, expected);
  if (!(error <= tolerance)) throw new Error(`${name}: differs from what is written by hand, by ${error}`);
}

function handWritten({ primal, gradient, args }: Workload): { primal: () => unknown; gradient: () => unknown } {
  return {
    primal: (): unknown => Reflect.apply(primal, null, args),
    gradient: (): unknown => Reflect.apply(gradient, null, args),
  };
}

function benchmark(workload: Workload): Row {
  const hand = handWritten(workload);
  const model = loadModel(workload, "tape");
  check(workload.name, model.primal(), hand.primal());
  check(`${workload.name}, gradient`, model.gradient(), hand.gradient());
  const big = workload.elements >= 100_000;
  const [primal, handPrimal, gradient, handGradient] = measure(
    [model.primal, hand.primal, model.gradient, hand.gradient],
    big ? 1 : 4,
    big ? 7 : 15,
  );
  if (!primal || !handPrimal || !gradient || !handGradient) throw new Error("nothing was measured");
  return {
    name: workload.name,
    primal,
    handPrimal,
    gradient,
    handGradient,
    elements: workload.elements,
    haskell: workload.haskell,
  };
}

const reverseStages: readonly StageName[] = ["d1", "d2", "d3", "d3-map", "d4", "d4-one-array", "contrib", "tape"];

/** One gradient in each stage, at a size that all of them reach. */
function stagesAt(workload: Workload): Record<string, number> {
  const expected = handWritten(workload).gradient();
  return Object.fromEntries(
    reverseStages.map((stage) => {
      const model = loadModel(workload, stage);
      check(`${workload.name} in ${stage}`, model.gradient(), expected);
      return [stage, measure([model.gradient], 2, 5)[0]?.median ?? NaN];
    }),
  );
}

function duration(nanoseconds: number): string {
  if (nanoseconds < 1e3) return `${nanoseconds.toPrecision(3)} ns`;
  if (nanoseconds < 1e6) return `${(nanoseconds / 1e3).toPrecision(3)} µs`;
  return nanoseconds < 1e9 ? `${(nanoseconds / 1e6).toPrecision(3)} ms` : `${(nanoseconds / 1e9).toPrecision(3)} s`;
}

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  ");
  console.log([line(head), ...rows.map(line)].join("\n"), "\n");
}

const filter = process.argv[2] ?? "";
const rows = table1.filter(({ name }) => name.includes(filter)).map(({ make }) => benchmark(make()));
console.log("SV25 Table 1, lists and closures as in the paper: value and gradient\n");
printTable(
  ["", "primal", "by hand", "ratio", "tape", "by hand", "ratio", "tape/primal", "ns/element", "Haskell/tape"],
  rows.map((row) => [
    row.name,
    duration(row.primal.median),
    duration(row.handPrimal.median),
    (row.primal.median / row.handPrimal.median).toFixed(2),
    duration(row.gradient.median),
    duration(row.handGradient.median),
    (row.gradient.median / row.handGradient.median).toFixed(2),
    (row.gradient.median / row.primal.median).toFixed(2),
    (row.gradient.median / row.elements).toFixed(1),
    row.haskell === null ? "" : (row.haskell / row.gradient.median).toFixed(1),
  ]),
);
const stageWorkload = table1.find(({ name }) => name === "dot 1000");
const stages = stageWorkload?.name.includes(filter) === true ? stagesAt(stageWorkload.make()) : {};
if (Object.keys(stages).length > 0) {
  console.log("dot 1000, one gradient in every stage\n");
  printTable(
    ["stage", "time", "ns/element"],
    Object.entries(stages).map(([stage, time]) => [stage, duration(time), (time / 1000).toFixed(1)]),
  );
}
writeFileSync(new URL("results.json", import.meta.url), `${JSON.stringify({ table1: rows, stages }, null, 2)}\n`);
if (lastResult() === undefined) throw new Error("results were thrown away");
