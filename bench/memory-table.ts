// The group `memory`: what pullbacks hold, how times grow, and how deep recursion may be.

import type { Depth } from "./deep.js";
import { summary } from "./measure.js";
import type { Time } from "./measure.js";
import type { Held } from "./memory.js";
import { emittedCode } from "./model.js";
import { inProcess } from "./process.js";
import type { Measurement } from "./process.js";
import { timesOf } from "./row.js";
import { printTable, ratio } from "./table.js";
import { deepFamilies, findSavingModel, savingFamilies } from "./workloads/memory.js";

export const holding: Measurement<Held> = {
  file: "memory",
  // Code that is made or thrown away meanwhile would look like memory that is held or given back
  flags: ["--expose-gc", "--predictable-gc-schedule", "--no-opt", "--no-sparkplug", "--no-flush-bytecode"],
  isResult: (value): value is Held => typeof value === "object" && value !== null && "held" in value,
};

/** What a pullback holds, and the times of value and gradient. */
export interface Saving extends Held {
  readonly name: string;
  readonly operations: number;
  readonly primal: Time;
  readonly gradient: Time;
}

export const depth: Measurement<Depth> = {
  file: "deep",
  isResult: (value): value is Depth => typeof value === "object" && value !== null && "levels" in value,
};

export interface MemoryResults {
  readonly saving: readonly Saving[];
  readonly deep: readonly Depth[];
}

const allowed = 64 * 1024;

export function measureMemory(wanted: (name: string) => boolean): MemoryResults {
  const saving = rowsOf(savingFamilies, (row) => wanted(`memory ${row}`)).map(measureSaving);
  if (saving.length > 0) showSaving(saving);
  const deep = rowsOf(deepFamilies, (row) => wanted(`memory deep ${row}`)).map((row) => inProcess(depth, row));
  if (deep.length > 0) showDeep(deep);
  return { saving, deep };
}

type FamilyAndSize = readonly [string, string];

function rowsOf(
  families: readonly { readonly name: string; readonly sizes: readonly number[] }[],
  wanted: (row: string) => boolean,
): readonly FamilyAndSize[] {
  return families
    .flatMap(({ name, sizes }) => sizes.map((size): FamilyAndSize => [name, String(size)]))
    .filter((row) => wanted(row.join(" ")));
}

function measureSaving(row: FamilyAndSize): Saving {
  const model = findSavingModel(row.join(" "));
  const code = emittedCode(model, "adjoint");
  const [primal, gradient] = timesOf("memory", row.join(" "), [{ part: "primal", code }, { part: "gradient", code }], 3); // prettier-ignore
  if (!primal || !gradient) throw new Error("nothing was measured");
  const runs = [1, 2, 3].map(() => inProcess(holding, row));
  const middle = (part: keyof Held): number => summary(runs.map((run) => run[part])).median;
  return { saved: middle("saved"), data: middle("data"), held: middle("held"), name: row[0], operations: model.operations, primal, gradient }; // prettier-ignore
}

function showSaving(rows: readonly Saving[]): void {
  const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(0)} KB`;
  const head = ["", "operations", "ns/operation", "/primal", "saved by hand", "data", "held", "bytes/scalar", "8 bytes + 64 KB"]; // prettier-ignore
  const cells = rows.map(({ name, operations, saved, data, held, primal, gradient }) => {
    const beyondData = held - data;
    const bound = 8 * saved + allowed;
    return [
      name,
      operations.toExponential(1),
      (gradient.median / operations).toPrecision(3),
      ratio(gradient.median, primal.median),
      kilobytes(8 * saved),
      kilobytes(data),
      kilobytes(held),
      saved === 0 ? "-" : (beyondData / saved).toFixed(1),
      beyondData <= bound ? "kept" : `${ratio(beyondData, bound)} times`,
    ];
  });
  printTable("Memory between lossVjp and pullback, and growth", head, cells);
}

function showDeep(rows: readonly Depth[]): void {
  const head = ["", "levels", "primal, ns/level", "adjoint, ns/level", "tape, ns/level", "adjoint/primal", "adjoint/tape"]; // prettier-ignore
  const perLevel = (time: number, levels: number): string => (time / levels).toPrecision(3);
  const cells = rows.map(({ name, levels, primal, gradients: { adjoint, tape } }) => [
    name,
    String(levels),
    ...[primal, adjoint, tape].map((time) => perLevel(time, levels)),
    ratio(adjoint, primal),
    ratio(adjoint, tape),
  ]);
  printTable("Deep recursion: one gradient", head, cells);
}
