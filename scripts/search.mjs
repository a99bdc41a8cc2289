// npm run search -- [--minutes M | --programs N] [--seed S] [SUITE..]: the random suites in turn, under fresh seeds, on all cores, until the time is over (30 minutes) or so many programs of
// each have run. What fails is written to search/, shrunk, once for each kind: with the seed, and the command that shows it again. Exit code 1 where something failed.

import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs, stripVTControlCharacters } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: "string" },
    programs: { type: "string" },
    seed: { type: "string" },
    // Where failures go, and what runs a suite: for the test of this script
    out: { type: "string", default: join(root, "search") },
    command: { type: "string", default: "npx vitest run" },
  },
});
const suites = positionals.length > 0 ? positionals : ["properties", "overflow.random", "singular.random", "walks.random", "loops.random", "derivatives.random", "fused.random", "lowering.random", "tidy", "flat", "optimise", "fuzz", "values", "print-typescript"]; // prettier-ignore
const most = number("programs") ?? Infinity;
const end = Date.now() + 60_000 * (number("minutes") ?? (most === Infinity ? 30 : Infinity));
/** So many programs of a suite at a time: a run that has begun ends. */
const chunk = 200;
let seed = number("seed") ?? Math.floor(Math.random() * 2 ** 31);

const programs = new Map(suites.map((suite) => [suite, 0]));
const kinds = new Map();
await Promise.all(Array.from({ length: availableParallelism() }, search));

for (const [suite, count] of programs) console.log(`${suite}: ${count} programs`);
console.log(`${kinds.size} kinds of failures${kinds.size === 0 ? "" : `, in ${values.out}`}`);
process.exitCode = kinds.size === 0 ? 0 : 1;

function number(option) {
  const text = values[option];
  if (text === undefined) return null;
  if (!(Number(text) >= 0)) throw new Error(`--${option} ${text} is no number`);
  return Number(text);
}

/** Runs one chunk after the other: of the suite that has had the fewest programs. */
async function search() {
  while (Date.now() < end) {
    const [suite, count] = [...programs].sort((one, other) => one[1] - other[1])[0];
    const runs = Math.min(chunk, most - count);
    if (runs <= 0) return;
    programs.set(suite, count + runs);
    const own = seed++;
    const output = await run(suite, own, runs);
    if (output !== null) note(suite, own, runs, output);
  }
}

/** Writes a failure, unless one of its kind is there: the same message of the same suite, whatever its names and numbers are. */
function note(suite, own, runs, output) {
  const message =
    /^(?:Caused by: )?(?:\w*Error|Error): (?!Property failed)(.*)$/m.exec(output)?.[1] ?? "a failure without a message";
  const kind = `${suite}: ${message.replace(/[-+]?\d[\d.e+-]*/g, "#").replace(/`[^`]*`|"[^"]*"/g, "_")}`;
  if (kinds.has(kind)) return;
  mkdirSync(values.out, { recursive: true });
  const file = join(values.out, `${suite}-${own}.txt`);
  kinds.set(kind, file);
  const again = `DUALREV_SEED=${own} DUALREV_RUNS=${runs} ${values.command} test/${suite}.test.ts`;
  writeFileSync(file, `${kind}\n${again}\n\n${output}`);
  console.log(`${kind}\n  ${again}\n  ${file}`);
}

/** The output of a suite that fails; null of one that passes. */
function run(suite, own, runs) {
  return new Promise((resolve) => {
    const child = spawn(`${values.command} test/${suite}.test.ts`, {
      cwd: root,
      env: { ...process.env, DUALREV_SEED: String(own), DUALREV_RUNS: String(runs) },
      shell: true,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    child.on("close", (code) => resolve(code === 0 ? null : stripVTControlCharacters(output)));
  });
}
