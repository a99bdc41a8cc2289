// Compile time of a long model, as the first thing that a process does, as on the command line. Arguments: LINES check|STAGE; prints milliseconds
// as JSON.

import { expectShortRun } from "../src/cli/short-run.js";
import { check, compile } from "../src/index.js";
import { isStageName } from "../src/driver/stages.js";
import { longModel } from "./long-model.js";

export interface Compilation {
  readonly lines: number;
  readonly total: number;
  /** By pass, as `--time` prints them; none of a check. */
  readonly passes: Readonly<Record<string, number>>;
  /** Characters of the emitted module; 0 of a check. */
  readonly emitted: number;
}

const [lines = "", stage = ""] = process.argv.slice(2);
const source = { name: "long.lam", text: longModel(Number(lines)) };
const passes: Record<string, number> = {};
const onPass = (pass: string, milliseconds: number): void => {
  passes[pass] = (passes[pass] ?? 0) + milliseconds;
};

function run(): { readonly ok: boolean; readonly emitted: number } {
  if (!isStageName(stage)) return { ok: check(source).ok, emitted: 0 };
  const compiled = compile(source, { stage, onPass });
  return { ok: compiled.ok, emitted: compiled.ok ? compiled.value.code.length : 0 };
}

expectShortRun();
const start = performance.now();
const { ok, emitted } = run();
const total = performance.now() - start;
if (!ok) throw new Error("the model has mistakes");
const result: Compilation = { lines: source.text.split("\n").length, total, passes, emitted };
console.log(JSON.stringify(result));
