// What carries a value along and makes an array at once takes one step an element, in every stage: its derivative grows as that of a fold does, which makes no
// array (some stages take n log n or n^2 steps for that, by what they are). Counted in emitted code.

import { describe, expect, test } from "vitest";
import { compile } from "../src/driver/compile.js";
import { stageNamed, stageNames, type StageName } from "../src/driver/stages.js";
import { countedCall } from "./support/counted-work.js";

const fold = "let (_, total) = foldl (\\(acc, total) x. (0.5 * acc + x, total + acc)) (1, 0) xs in total";

const scans: Readonly<Record<string, string>> = {
  scanl: "sum (scanl (\\acc x. 0.5 * acc + x) 1 xs)",
  scan: "let (acc, ys) = scan (\\acc x. (0.5 * acc + x, acc)) 1 xs in acc + sum ys",
  buildScan: "sum (snd (buildScan (length xs) 1 (\\i acc. (0.5 * acc + xs ! i, acc))))",
  cumsum: "sum (cumsum xs)",
  cumprod: "sum (cumprod xs)",
  fromList: "sum (fromList (toList xs))",
  concat: "sum (concat [xs, xs])",
  "concat of rows": "sum (concat (map (\\x. [x, 2 * x]) xs))",
};

/** Stages with persistent maps, in which a step takes longer the more there are. */
const inMaps = /^d[23]/;

const sizes = [32, 128, 512] as const;

/** The work of a derivative at each size. */
function workOf(body: string, stage: StageName): readonly number[] {
  const compiled = compile({ name: "m.lam", text: `def f (xs : [R]) : R = ${body}` }, { target: "js", stage });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  const { code } = compiled.value;
  const { mode } = stageNamed(stage);
  return sizes.map((n) => {
    const xs = Float64Array.from({ length: n }, (_, i) => 0.5 + ((i * 7) % 11) / 20);
    if (mode === "primal") return countedCall(code, "f", [xs]).work;
    return mode === "forward" ? countedCall(code, "fJvp", [xs, xs]).work : countedCall(code, "fGrad", [xs]).work;
  });
}

describe.each(stageNames)("%s", (stage) => {
  const folded = workOf(fold, stage);
  test.each(Object.entries(scans))("%s", (_, body) => {
    const [small = NaN, ...larger] = workOf(body, stage).map((work, i) => work / (folded[i] ?? NaN));
    for (const ratio of larger) expect(ratio).toBeLessThan((inMaps.test(stage) ? 1.25 : 1.05) * small);
  });
});
