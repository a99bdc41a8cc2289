// The group `parallel`: gradients of `openLossPool` with as many threads as there are cores, against the module's own gradient. The module is written to a
// folder and imported, as a program would; medians of many calls, each kind in turn.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { functionOf, propertyOf, type EmittedFunction } from "../src/driver/evaluate.js";
import { compile } from "../src/index.js";
import { duration, printTable, ratio } from "./table.js";

const model = `
data Particle = Particle { x : R, y : R, vx : R, vy : R }

--- Particles on springs with friction, in explicit Euler steps (SV25, Table 1), each a task.
def particles (steps : Z) (ps : [Particle]) : R =
  let step p =
    let ax = -0.5 * p.x - 0.2 * p.vx in
    let ay = -0.5 * p.y - 0.2 * p.vy in
    Particle { x = p.x + 0.0005 * p.vx, y = p.y + 0.0005 * p.vy, vx = p.vx + 0.0005 * ax, vy = p.vy + 0.0005 * ay }
  in
  sum (parMap (\\p. let q = iterate steps step p in q.x * q.y) ps)

data Curve = Curve { a : R, b : R, c : R }

--- Robust residuals of a curve with three parameters.
def residuals (m : Curve) (xs : [R]) (ys : [R]) : R =
  parSum
    (\\(x, y). let e = m.a * exp (m.b * x) + m.c * sin x - y in sqrt (1 + e * e) - 1)
    (zip xs ys)
`;

interface Row {
  readonly name: string;
  readonly threads: number;
  /** Nanoseconds of the module's gradient, and of the pool's, waited for and awaited. */
  readonly alone: number;
  readonly sync: number;
  readonly async: number;
}

interface Case {
  readonly name: string;
  readonly entry: string;
  /** Arguments, the arrays of numbers shared. */
  readonly args: (share: EmittedFunction) => readonly unknown[];
}

const particles = Array.from({ length: 4 }, (_, i) => ({ x: 1 + i / 4, y: 1.5 - i / 4, vx: 0.5 - i / 8, vy: i / 8 }));
const curve = { a: 1.2, b: -0.3, c: 0.5 };

const cases: readonly Case[] = [
  ...[10, 100, 1000, 10_000, 100_000].map((steps): Case => ({ name: `particles ${steps}`, entry: "particles", args: () => [steps, particles] })), // prettier-ignore
  ...[100, 1000, 10_000, 100_000].map((count): Case => ({
    name: `residuals ${count}`,
    entry: "residuals",
    args: (share) => {
      const xs = Array.from({ length: count }, (_, i) => (i % 1000) / 200);
      return [curve, share(xs), share(xs.map((x, i) => Math.exp(-0.25 * x) + 0.1 * Math.sin(i)))];
    },
  })),
];

export async function measureParallel(wanted: (name: string) => boolean): Promise<readonly Row[]> {
  const chosen = cases.filter(({ name }) => wanted(`parallel ${name}`));
  if (chosen.length === 0) return [];
  const compiled = compile({ name: "parallel.lam", text: model }, { target: "js", threads: "./parallel.worker.js", wrt: ["residuals.m"] }); // prettier-ignore
  if (!compiled.ok) throw new Error("the model does not compile");
  const folder = mkdtempSync(join(tmpdir(), "dualrev-"));
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  writeFileSync(join(folder, "parallel.js"), compiled.value.code);
  writeFileSync(join(folder, "parallel.worker.js"), compiled.value.worker ?? "");
  const loaded: unknown = await import(pathToFileURL(join(folder, "parallel.js")).href);
  const rows: Row[] = [];
  for (const each of chosen) rows.push(await measured(loaded, each));
  rmSync(folder, { recursive: true });
  printTable(
    "Gradients on several threads, against one",
    ["", "threads", "one thread", "waited for", "awaited", "faster, waited for", "awaited"],
    rows.map(({ name, threads, alone, sync, async }) => [
      name,
      String(threads),
      duration(alone),
      duration(sync),
      duration(async),
      ratio(alone, sync),
      ratio(alone, async),
    ]),
  );
  return rows;
}

async function measured(loaded: unknown, { name, entry, args }: Case): Promise<Row> {
  const threads = availableParallelism();
  const open = functionOf(propertyOf(loaded, `open${entry.charAt(0).toUpperCase()}${entry.slice(1)}Pool`));
  const pool: unknown = await open({ threads });
  const given = args(functionOf(propertyOf(pool, "share")));
  const grad = functionOf(propertyOf(loaded, `${entry}Grad`));
  const [awaited, waited] = [`${entry}Grad`, `${entry}GradSync`].map((of) => functionOf(propertyOf(pool, of)));
  if (awaited === undefined || waited === undefined) throw new Error(`no pool for ${entry}`);
  const times: Record<"alone" | "sync" | "async", number[]> = { alone: [], sync: [], async: [] };
  const end = performance.now() + 4000;
  for (let round = 0; round < 15 || performance.now() < end; round++) {
    times.alone.push(await timed(() => grad(...given)));
    times.sync.push(await timed(() => waited(...given)));
    times.async.push(await timed(() => awaited(...given)));
  }
  await functionOf(propertyOf(pool, "close"))();
  const [alone, sync, async] = [times.alone, times.sync, times.async].map(median);
  return { name, threads, alone: alone ?? NaN, sync: sync ?? NaN, async: async ?? NaN };
}

async function timed(call: () => unknown): Promise<number> {
  const start = performance.now();
  await call();
  return (performance.now() - start) * 1e6;
}

function median(times: readonly number[]): number {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
