// `dualrev compile --source-map`.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { TraceMap } from "@jridgewell/trace-mapping";
import { afterAll, describe, expect, test } from "vitest";
import { Folder } from "./command-line.js";
import { sharesOf } from "./support/source-maps.js";

const model = ["def picked (xs : [R]) (i : Z) : R =", "  let scale = sum xs in", "  scale * sin (xs ! i)", ""].join(
  "\n",
);
const use = 'import { pickedGrad } from "./gen/m.mjs"; pickedGrad([1, 2], 5);';
const fork = "def f (w : R) (xs : [R]) : R = parSum (\\x. (x - w) ^ 2) xs\n";

describe("--source-map", () => {
  const at = new Folder({ "m.lam": model, "fork.lam": fork, "use.mjs": use, "gen/own.ts.map": '{"version":3}' });
  afterAll(() => {
    at.remove();
  });

  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, err } = await at.run(["compile", ...args, "--source-map"]);
    return `${code ?? ""} ${err.split("\n")[0] ?? ""}`;
  };
  const text = (name: string): string => readFileSync(at.at(name), "utf8");

  test("writes the map beside the module, and a stack trace of Node shows the model", async () => {
    expect(await run("m.lam", "-o", "gen/m.mjs")).toBe("0 ");
    expect(text("gen/m.mjs")).toMatch(/\n\/\/# sourceMappingURL=m\.mjs\.map\n$/);
    expect(text("gen/m.mjs")).toContain("-o m.mjs --source-map");
    const { file, sources, sourcesContent } = new TraceMap(text("gen/m.mjs.map"));
    expect([file, sources, sourcesContent]).toEqual(["m.mjs", ["../m.lam"], [model]]);
    const { stderr } = spawnSync(process.execPath, ["--enable-source-maps", "use.mjs"], { cwd: at.path });
    expect(stderr.toString()).toMatch(/m\.lam:3:1[56]\)?\n/);
    // The runtime's function that throws is shown where it is, and not as the definition that the module has last
    expect(stderr.toString()).toMatch(/^ +at outside \(file:.*\/gen\/m\.mjs:\d+:\d+\)$/m);
    expect(stderr.toString().match(/^ +at .*m\.lam/gm)).toHaveLength(1);
    expect(await run("m.lam", "-o", "gen/m.mjs", "--check")).toBe("0 ");
  });

  test("goes with --threads and other stages", async () => {
    expect(await run("fork.lam", "-o", "gen/fork.ts", "--threads")).toBe("0 ");
    expect(sharesOf(text("gen/fork.ts"), text("gen/fork.ts.map")).mapped).toBeGreaterThan(0.5);
    expect(await run("m.lam", "-o", "gen/d4.js", "--stage", "d4")).toBe("0 ");
    expect(sharesOf(text("gen/d4.js"), text("gen/d4.js.map")).mapped).toBeGreaterThan(0.9);
    const apart = ["--library", "--stage", "delta-let", "--runtime", "gen/runtime.ts"];
    expect(await run("m.lam", "-o", "gen/apart.ts", ...apart)).toBe("0 ");
    expect(sharesOf(text("gen/apart.ts"), text("gen/apart.ts.map")).mapped).toBeGreaterThan(0.9);
  });

  test("says where there can be none", async () => {
    expect(await run("m.lam")).toBe("2 error: --source-map needs -o or --out-dir: it writes a second file beside the module"); // prettier-ignore
    expect(await run("m.lam", "-o", "gen/own.ts")).toBe("2 error: -o gen/own.ts would overwrite gen/own.ts.map, which dualrev has not written"); // prettier-ignore
    expect(await run("m.lam", "--dump", "inline")).toBe("2 error: --dump prints a program: --source-map does not go with it"); // prettier-ignore
  });
});
