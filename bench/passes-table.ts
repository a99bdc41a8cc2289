// What each pass of the stage `adjoint` is worth: gradients without it, divided by those with it.

import { passesToLeaveOut } from "../src/driver/registry.js";
import type { LeftOut } from "./left-out.js";
import { inProcess } from "./process.js";
import type { Measurement } from "./process.js";
import { printTable, ratio } from "./table.js";
import { modelNames } from "./workloads/passes.js";

export const leftOut: Measurement<readonly LeftOut[]> = {
  file: "left-out",
  isResult: (value): value is readonly LeftOut[] => Array.isArray(value),
};

const passes = passesToLeaveOut;

/** What cannot be left out, and why. */
const needed: readonly (readonly [pass: string, reason: string])[] = [
  ["names", "makes names of the source out of those of the passes before it"],
  ["flatten", "makes the program whose sweeps are written"],
  ["stores", "says where cotangents live"],
  ["separated, named, comments", "make each variable one of its own, then name it; without them there is no module, or none with its comments"],
]; // prettier-ignore

/** Smaller differences are not believed. */
const noticeable = 0.05;

const larger = ({ bytes }: LeftOut): number => bytes.without / bytes.with;

/** What a pass is worth on one model: two processes have to agree, and the smaller effect is believed. */
interface Worth {
  readonly pass: string;
  readonly model: string;
  readonly slower: number;
}

function agreed(first: LeftOut, second: LeftOut): Worth {
  const [a, b] = [first.slower, second.slower];
  const isSlower = Math.min(a, b) > 1 + noticeable;
  const isFaster = Math.max(a, b) < 1 - noticeable;
  return { pass: first.pass, model: first.model, slower: isSlower ? Math.min(a, b) : isFaster ? Math.max(a, b) : 1 };
}

function largest<T>(rows: readonly T[], worth: (row: T) => number): T | null {
  return rows.reduce<T | null>((best, row) => (best === null || worth(row) > worth(best) ? row : best), null);
}

/** Passes take turns on each model; then those models on which one seems to be worth most and least are measured again with that one alone. */
export function measurePasses(wanted: (name: string) => boolean): readonly LeftOut[] {
  const names = modelNames.filter((name) => wanted(`passes ${name}`));
  if (names.length === 0) return [];
  const first = names.flatMap((name) => inProcess(leftOut, [name, "9", ...passes]));
  const worth = passes.flatMap((pass) => {
    const rows = first.filter((row) => row.pass === pass);
    const inOrder = [...rows].sort((a, b) => b.slower - a.slower);
    const chosen = inOrder.filter(({ slower }, i) => (i === 0 && slower > 1) || (i === rows.length - 1 && slower < 0.9));
    return chosen.flatMap((row) => inProcess(leftOut, [row.model, "25", pass]).map((again) => agreed(row, again)));
  }); // prettier-ignore
  show(first, worth, names.length);
  return first;
}

function show(first: readonly LeftOut[], worth: readonly Worth[], models: number): void {
  const head = ["", "models", "time at most", "", "time at least", "", "bytes at most", ""];
  const cells = (value: number, model: string | undefined): string[] =>
    value === 1 ? ["1", ""] : [ratio(value, 1), model ?? ""];
  const rows = passes.map((pass) => {
    const [rows, times] = [first.filter((row) => row.pass === pass), worth.filter((row) => row.pass === pass)];
    const most = largest(times, ({ slower }) => slower);
    const least = largest(times, ({ slower }) => -slower);
    const bytes = largest(rows, larger);
    return [
      pass,
      `${rows.length} of ${models}`,
      ...cells(Math.max(1, most?.slower ?? 1), most?.model),
      ...cells(Math.min(1, least?.slower ?? 1), least?.model),
      ...cells(bytes === null ? 1 : larger(bytes), bytes?.model),
    ];
  }); // prettier-ignore
  printTable("Passes of the stage adjoint: gradients without one, divided by those with all", head, rows);
  for (const [pass, reason] of needed) console.log(`  ${pass}: cannot be left out, ${reason}`);
  console.log("");
}
