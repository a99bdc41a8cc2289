// `npm run search` writes a failure once for each kind, with what shows it again.

import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";

const script = join(import.meta.dirname, "../scripts/search.mjs");
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A search by a suite that is a program of its own; `body` sees `seed`. */
async function search(
  body: string,
): Promise<{ readonly code: number; readonly out: string; readonly files: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), "dualrev-search-"));
  folders.push(folder);
  const suite = join(folder, "suite.mjs");
  writeFileSync(suite, `const seed = Number(process.env.DUALREV_SEED);\n${body}`);
  const found = join(folder, "found");
  const args = [script, "--programs", "800", "--seed", "5", "--out", found, "--command", `node ${suite}`, "made-up"];
  return new Promise((resolve) => {
    execFile(process.execPath, args, (error, out) => {
      const code = error === null ? 0 : 1;
      resolve({
        code,
        out,
        files: code === 0 ? [] : readdirSync(found).map((file) => readFileSync(join(found, file), "utf8")),
      });
    });
  });
}

test("two failures that differ in names and numbers are one, others are others", async () => {
  const { code, out, files } = await search(`
    if (seed === 5) { console.log("Error: number 7 of \`x\` is 1e-3, not 2"); process.exitCode = 1; }
    if (seed === 6) { console.log("Error: number 8 of \`y\` is 4, not -2.5"); process.exitCode = 1; }
    if (seed === 7) { console.log("Error: no value"); process.exitCode = 1; }`);
  expect(code).toBe(1);
  expect(out).toContain("made-up: 800 programs\n2 kinds of failures");
  expect(files.length).toBe(2);
  expect(files.join("")).toMatch(/^DUALREV_SEED=[56] DUALREV_RUNS=200 node /m);
});

test("a search that finds nothing", async () => {
  const { code, out } = await search("");
  expect(code).toBe(0);
  expect(out).toBe("made-up: 800 programs\n0 kinds of failures\n");
});
