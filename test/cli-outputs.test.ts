// What `dualrev compile` calls what it writes.

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { Folder } from "./command-line.js";

const model = "def f (x : R, y : R) : R =\n  let z = x + y in\n  x * z\n";

describe("outputs", () => {
  const folders: Folder[] = [];
  const folder = (content: Readonly<Record<string, string>>): Folder => {
    const made = new Folder(content);
    folders.push(made);
    return made;
  };
  afterEach(() => {
    for (const used of folders.splice(0)) used.remove();
  });

  test("--threads writes a second file beside the module, which Node runs, and says where there can be none", async () => {
    const sum = "def f (w : R) (xs : [R]) : R = parSum (\\x. (x - w) ^ 2) xs\n";
    const use = 'import { openFPool } from "./m.mjs"; const pool = await openFPool({ threads: 2, minWork: 1 }); const { value, grad } = await pool.fGrad(1, [1, 2, 3, 4]); console.log(pool.mode, value, grad.w);'; // prettier-ignore
    const at = folder({ "m.lam": sum, "own.worker.ts": "export const own = 1;\n", "use.mjs": use });
    const run = async (...more: readonly string[]): Promise<string> => {
      const { code, err } = await at.run(["compile", "m.lam", "--threads", ...more]);
      return `${code ?? ""} ${err.split("\n")[0] ?? ""}`;
    };
    expect(await run("-o", "m.mjs")).toBe("0 ");
    expect(readdirSync(at.path).sort()).toEqual([
      "m.d.mts",
      "m.lam",
      "m.mjs",
      "m.worker.mjs",
      "own.worker.ts",
      "use.mjs",
    ]);
    const { stdout } = spawnSync(process.execPath, ["use.mjs"], { cwd: at.path });
    expect(stdout.toString()).toBe("workers 14 -12\n");
    expect(await run("-o", "m.mjs", "--check")).toBe("0 ");
    expect(await run()).toBe("2 error: --threads needs -o or --out-dir: it writes a second file beside the module");
    expect(await run("-o", "a.ts", "--stage", "d4")).toMatch(/^2 error: --threads does not go with the stage d4/);
    expect(await run("-o", "a.ts", "--debug")).toBe("2 error: --threads does not go with --debug");
    expect(await run("-o", "own.ts")).toBe("2 error: -o own.ts would overwrite own.worker.ts, which dualrev has not written"); // prettier-ignore
  });

  test("--target js gives .js and .d.ts that Node runs", async () => {
    const at = folder({ "m.lam": model });
    expect((await at.run(["compile", "m.lam", "-o", "m.mjs"])).code).toBe(0);
    expect(readFileSync(at.at("m.d.mts"), "utf8")).toContain("export declare function fGrad(");
    const use = 'import { fGrad } from "./m.mjs"; console.log(JSON.stringify(fGrad(3, 4)));';
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", use], { cwd: at.path });
    expect(JSON.parse(stdout.toString())).toEqual({ value: 21, grad: { x: 10, y: 3 } });
    const clash = await at.run(["compile", "m.lam", "-o", "m.js", "--target", "ts"]);
    expect([clash.code, clash.err]).toEqual([2, "error: --target ts does not go with an output named m.js\n"]);
  });

  test("declarations that somebody has written are not overwritten", async () => {
    const at = folder({ "m.lam": model, "m.d.ts": "export declare const own: number;\n" });
    const { code, err } = await at.run(["compile", "m.lam", "-o", "m.js"]);
    expect([code, err]).toEqual([2, "error: -o m.js would overwrite m.d.ts, which dualrev has not written\n"]);
    expect(readFileSync(at.at("m.d.ts"), "utf8")).toBe("export declare const own: number;\n");
    expect(readdirSync(at.path).sort()).toEqual(["m.d.ts", "m.lam"]);
    expect((await at.run(["compile", "m.lam", "-o", "other.js"])).code).toBe(0);
    expect((await at.run(["compile", "m.lam", "-o", "other.js", "--entry", "f"])).code).toBe(0);
  });

  test("-o takes the names of ES modules", async () => {
    const at = folder({ "m.lam": model });
    for (const out of ["m.cjs", "m.jsx", "m.py", "m.grad"]) {
      for (const target of [[], ["--target", "js"], ["--target", "ts"]]) {
        const { code, err } = await at.run(["compile", "m.lam", "-o", out, ...target]);
        expect([code, err]).toEqual([
          2,
          `error: -o ${out} is no name of an ES module: it has to end in .ts, .mts, .js or .mjs\n`,
        ]);
      }
    }
    const declarations = await at.run(["compile", "m.lam", "-o", "m.d.mts"]);
    expect([declarations.code, declarations.err]).toEqual([
      2,
      "error: -o m.d.mts is a name of declarations: -o m.mjs writes them beside the module\n",
    ]);
    expect(readdirSync(at.path)).toEqual(["m.lam"]);
    expect((await at.run(["compile", "m.lam", "-o", "m.mts"])).code).toBe(0);
    expect((await at.run(["compile", "m.lam", "-o", "plain", "--target", "js"])).code).toBe(0);
    expect(readdirSync(at.path)).toEqual(["m.lam", "m.mts", "plain", "plain.d.ts"]);
    expect((await at.run(["compile", "m.lam", "-o", "-", "--target", "js"])).out).toContain(
      "export function fGrad(x, y)",
    );
  });
});
