// npm run search -- [PROGRAMS] [SUITE..]: the random suites under fresh seeds, on all cores, in chunks, until so many programs (10000) of each suite have shown no failure or one has.
// Prints the seed of each chunk: `DUALREV_SEED=.. DUALREV_RUNS=.. npx vitest run test/..` does it again. Most of the time of a program (0.5 to 1.4 s) is compiling it in eleven
// stages, and again for each parameter; nothing in that stands out.

import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const [programs = "10000", ...suites] = process.argv.slice(2);
const chunk = 250;
const all =
  suites.length > 0 ? suites : ["properties", "overflow.random", "singular.random", "walks.random", "loops.random"];

let isClean = true;
for (const suite of all) {
  let [begun, passed] = [0, 0];
  const total = Number(programs);
  const search = async () => {
    while (isClean && begun < total) {
      const runs = Math.min(chunk, total - begun);
      begun += runs;
      const seed = Math.floor(Math.random() * 2 ** 31);
      const output = await run(suite, seed, runs);
      if (output === null) {
        passed += runs;
        console.log(`${suite}: ${passed} programs, seed ${seed}`);
        continue;
      }
      isClean = false;
      console.log(`${suite}: DUALREV_SEED=${seed} DUALREV_RUNS=${runs}\n${output}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, search));
  if (!isClean) break;
}
process.exitCode = isClean ? 0 : 1;

/** The output of a suite that fails; null of one that passes. */
function run(suite, seed, runs) {
  return new Promise((resolve) => {
    const child = spawn("npx", ["vitest", "run", `test/${suite}.test.ts`, "--project=source"], {
      cwd: root,
      env: { ...process.env, DUALREV_SEED: String(seed), DUALREV_RUNS: String(runs), DUALREV_STATISTICS: "1" },
      shell: process.platform === "win32",
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    child.on("close", (code) => resolve(code === 0 ? null : output));
  });
}
