// npm run bench [-- FILTER]: docs/benchmark.md says what is measured and how to read it. Prints tables, and writes the same as JSON to
// bench/results.json where nothing is filtered.

import { writeFileSync } from "node:fs";
import { derivative, measureDerivatives } from "./derivatives-table.js";
import { depth, holding, measureMemory } from "./memory-table.js";
import { measureParallel } from "./parallel-table.js";
import { allocated, measureNatural } from "./natural-table.js";
import { installedPeers, peers, repositoryRoot, type PeerRow } from "./peers.js";
import { leftOut, measurePasses } from "./passes-table.js";
import { bundle, inProcess } from "./process.js";
import type { Measurement } from "./process.js";
import { agreement, measureRow, timing, type Row } from "./row.js";
import type { Size } from "./size.js";
import { duration, printTable, ratio } from "./table.js";
import { stageNamed, stageNames } from "../src/driver/stages.js";
import type { Compilation } from "./compile-time.js";
import { findWorkload, workloads } from "./workloads/index.js";

/** The stages whose gradients are compared with those written by hand. */
const defaultStage = "adjoint";
const reverseStages = [defaultStage, "tape"] as const;

/** The stages that are compared with each other on one workload that all of them reach. */
const [firstReverseStage = defaultStage, ...otherReverseStages] = stageNames.filter(
  (name) => stageNamed(name).mode === "reverse",
);
const reachedByAll = "dot 1000";

const compilation: Measurement<Compilation> = {
  file: "compile-time",
  isResult: (value): value is Compilation => has(value, "passes"),
};
const peerRow: Measurement<PeerRow> = { file: "peer", isResult: (value): value is PeerRow => has(value, "peer") };
const sizes: Measurement<readonly Size[]> = {
  file: "size",
  isResult: (value): value is readonly Size[] => Array.isArray(value),
};

function has(value: unknown, key: string): boolean {
  return typeof value === "object" && value !== null && key in value;
}

/** A row with the peers that are installed. */
interface ComparedRow extends Row {
  readonly peers: readonly PeerRow[];
}

const installed = installedPeers(repositoryRoot);
const filter = process.argv[2] ?? "";
const wanted = (name: string): boolean => name.includes(filter);

function gradientTable(title: string, elsewhere: string | null, rows: readonly ComparedRow[]): void {
  const gradientHead = reverseStages.flatMap((stage) => [
    stage,
    "/hand",
    "/primal",
    "ns/element",
    ...(elsewhere === null ? [] : [`${elsewhere}/${stage}`]),
    ...(stage === defaultStage ? ["again", "/primal"] : []),
  ]);
  const peerNames = [...new Set(rows.flatMap((row) => row.peers.map(({ peer }) => peer)))];
  printTable(
    title,
    [
      "",
      "primal by hand",
      "primal",
      "/hand",
      "gradient by hand",
      ...gradientHead,
      ...peerNames.map((peer) => `${peer}/hand`),
    ],
    rows.map(({ peers, ...row }) => [
      row.name,
      duration(row.handPrimal.median),
      duration(row.primal.median),
      ratio(row.primal.median, row.handPrimal.median),
      duration(row.handGradient.median),
      ...reverseStages.flatMap((stage) => {
        const time = row.gradients[stage]?.median ?? NaN;
        const cells = [
          duration(time),
          ratio(time, row.handGradient.median),
          ratio(time, row.primal.median),
          (time / row.elements).toPrecision(3),
        ];
        if (elsewhere !== null) cells.push(row.elsewhere === null ? "" : ratio(row.elsewhere, time));
        if (stage !== defaultStage) return cells;
        const again = row.again?.median ?? null;
        return again === null ? [...cells, "-", "-"] : [...cells, duration(again), ratio(again, row.primal.median)];
      }),
      ...peerNames.map((peer) => {
        const found = peers.find((other) => other.peer === peer);
        return found?.kind === "time" ? ratio(found.time.median, found.handGradient.median) : "-";
      }),
    ]),
  );
  for (const { name, peers: of } of rows) {
    for (const found of of) if (found.kind === "absent") console.log(`  ${name}, ${found.peer}: ${found.reason}`);
  }
  if (rows.some((row) => row.peers.some(({ kind }) => kind === "absent"))) console.log("");
}

function measurePeer(group: string, name: string, peer: string): PeerRow {
  try {
    return inProcess(peerRow, [group, name, peer]);
  } catch {
    return { kind: "absent", peer, reason: "its process fails" };
  }
}

function measureGradients(): readonly ComparedRow[] {
  return workloads.flatMap(({ group, title, elsewhere, workloads: part }) => {
    const rows = part
      .filter(({ name }) => wanted(`${group} ${name}`))
      .map(({ name, make }): ComparedRow => {
        const compared = group === "gradients" ? installed : [];
        const row = measureRow(group, make(), reverseStages);
        return { ...row, peers: compared.map((peer) => measurePeer(group, name, peer.name)) };
      });
    if (rows.length > 0) gradientTable(title, elsewhere, rows);
    return rows;
  });
}

function measureStages(): Row | null {
  if (!wanted(`stages ${reachedByAll}`)) return null;
  const result = measureRow("table1", findWorkload("table1", reachedByAll), [firstReverseStage, ...otherReverseStages]);
  printTable(
    `${reachedByAll} with lists, one gradient in every stage`,
    ["stage", "time", "/hand", "ns/element"],
    Object.entries(result.gradients).map(([stage, { median }]) => [
      stage,
      duration(median),
      ratio(median, result.handGradient.median),
      (median / result.elements).toPrecision(3),
    ]),
  );
  return result;
}

/** The median of a few processes: each compiles once, as the command line does. */
function compileInProcess(lines: number, stage: string): Compilation {
  const runs = [1, 2, 3].map(() => inProcess(compilation, [String(lines), stage]));
  const median = [...runs].sort((a, b) => a.total - b.total)[1];
  if (median === undefined) throw new Error("nothing was measured");
  return median;
}

function measureCompilation(): Readonly<Record<string, readonly Compilation[]>> {
  const lines = [1000, 3000, 10_000].filter((count) => wanted(`compile ${count}`));
  if (lines.length === 0) return {};
  const columns = lines.map((count) => `${count} lines`);
  const line = (name: string, milliseconds: readonly number[]): string[] => [
    name,
    ...milliseconds.map((time) => duration(time * 1e6)),
    ...milliseconds.map((time, i) => ((time * 1e3) / (lines[i] ?? NaN)).toFixed(0)),
  ];
  const results = Object.fromEntries(
    ["check", ...reverseStages].map((stage) => [stage, lines.map((count) => compileInProcess(count, stage))]),
  );
  printTable(
    "Compile time of a long model, all definitions exported",
    ["", ...columns, ...lines.map((count) => `µs/line of ${count}`)],
    Object.entries(results).flatMap(([stage, of]) => [
      line(
        stage === "check" ? "check" : `compile ${stage}`,
        of.map(({ total }) => total),
      ),
      ...Object.keys(of[0]?.passes ?? {}).map((pass) =>
        line(
          `  ${pass}`,
          of.map(({ passes }) => passes[pass] ?? 0),
        ),
      ),
    ]),
  );
  return results;
}

function measureSizes(): readonly Size[] {
  if (!wanted("size")) return [];
  const rows = inProcess(sizes, [...reverseStages]);
  printTable(
    "Emitted code of one gradient, bundled and minified by esbuild",
    ["", "bytes", "gzipped"],
    rows.map(({ name, bytes, gzipped }) => [name, String(bytes), String(gzipped)]),
  );
  return rows;
}

bundle([timing, agreement, derivative, peerRow, compilation, sizes, holding, depth, leftOut, allocated]);
const missing = peers.filter((peer) => !installed.includes(peer)).map((peer) => peer.package);
if (missing.length > 0)
  console.log(`Not compared with, since not installed (npm run bench:peers): ${missing.join(", ")}\n`);
const results = {
  gradients: measureGradients(),
  natural: measureNatural(wanted),
  derivatives: measureDerivatives(wanted),
  stages: measureStages(),
  compilation: measureCompilation(),
  sizes: measureSizes(),
  memory: measureMemory(wanted),
  passes: measurePasses(wanted),
  parallel: await measureParallel(wanted),
};
if (filter === "") {
  writeFileSync(new URL("results.json", import.meta.url), `${JSON.stringify(results, null, 2)}\n`);
}
