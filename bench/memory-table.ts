// The group `memory`: what pullbacks hold, how times grow, and how deep recursion may be.

import type { Depth } from "./deep.js";
import type { Saving } from "./memory.js";
import { inProcess } from "./process.js";
import type { Measurement } from "./process.js";
import { printTable, ratio } from "./table.js";
import { deepFamilies, savingFamilies } from "./workloads/memory.js";

export const saving: Measurement<Saving> = {
  file: "memory",
  // Code that is thrown away after some collections would look like memory given back
  flags: ["--expose-gc", "--no-flush-bytecode"],
  isResult: (value): value is Saving => typeof value === "object" && value !== null && "held" in value,
};

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
  const held = rowsOf(savingFamilies, saving, (name) => wanted(`memory ${name}`));
  if (held.length > 0) showSaving(held);
  const deep = rowsOf(deepFamilies, depth, (name) => wanted(`memory deep ${name}`));
  if (deep.length > 0) showDeep(deep);
  return { saving: held, deep };
}

function rowsOf<T>(
  families: readonly { readonly name: string; readonly sizes: readonly number[] }[],
  measurement: Measurement<T>,
  wanted: (name: string) => boolean,
): readonly T[] {
  return families
    .flatMap(({ name, sizes }) => sizes.map((size) => [name, String(size)] as const))
    .filter(([name, size]) => wanted(`${name} ${size}`))
    .map((args) => inProcess(measurement, args));
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
