// A recursion without its base case, a loop without its end: each ends in the model's own error, in bounded memory.

import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { Folder } from "./command-line.js";

const model = `
def decay (n : Z) (x : R) : R = if n == 1 then x else x * 0.9 + decay (n - 1) x

def nested (n : Z) (x : R) : R = if n == 1 then x else sin (nested (n - 1) x) * 0.9

def loop (n : Z) (x : R) : R = if n == 1 then x else loop (n - 1) (sin x)

def branched (n : Z) (x : R) : R = if n == 1 then sin x else branched (n - 1) x + tree (n - 1) x

def tree (n : Z) (x : R) : R = if n < 5 then x else sin (tree (n - 1) x * tree (n - 3) x)

def repeated (n : Z) (x : R) : R = iterate (9000000000 - n) sin x

def long (n : Z) (x : R) : [R] = build (900000000 - n) (\\i. x)
`;

/** Has a process write down in the end how many kilobytes of memory it has had. */
const memory = `process.on("exit", () => {
  require("node:fs").writeFileSync(require("node:path").join(__dirname, "kilobytes"), String(process.resourceUsage().maxRSS));
});`;

const folder = new Folder({ "model.lam": model, "memory.cjs": memory });
afterAll(() => { folder.remove(); }); // prettier-ignore

const gigabyte = 2 ** 20;

test.each([
  ["run", "primal", "decay", "recursion is more than 8388608 calls deep"],
  ["grad", "adjoint", "decay", "more than 67108864 iterations or calls to save"],
  ["grad", "tape", "decay", "recursion is more than 8388608 calls deep"],
  ["grad", "adjoint", "nested", "more than 67108864 iterations or calls to save"],
  ["grad", "adjoint", "loop", "more than 67108864 iterations or calls to save"],
  ["grad", "adjoint", "branched", "more than 33554432 iterations or calls to save"],
  ["grad", "d4", "loop", "more than 4194304 iterations or calls to save"],
  ["grad", "adjoint", "repeated", "more than 9000000000 iterations or calls to save"],
  ["run", "primal", "long", "an array cannot have the size 900000000"],
])("%s, stage %s: %s ends in an error", { timeout: 120_000 }, async (command, stage, entry, problem) => {
  const args = [command, "model.lam", entry, '{ "n": 0, "x": 1 }', ...(command === "run" ? [] : ["--stage", stage])];
  const { code, err } = await folder.run(args, { env: { NODE_OPTIONS: `--require=${folder.at("memory.cjs")}` } });
  expect(code).toBe(1);
  expect(err).toContain("error[E0601]");
  expect(err).toContain(problem);
  expect(err).toMatch(/model\.lam:\d+:\d+/);
  expect(Number(readFileSync(folder.at("kilobytes"), "utf8"))).toBeLessThan(1.5 * gigabyte);
});
