// Projects of several models: `dualrev build`, modules that share their runtime, and the command in the header of a module.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { bin, Folder } from "./command-line.js";

const line = "def loss (w : [R]) (x : R) : R = norm w * x\n";
const chain = "def g (x : R) (n : Z) : R = if n == 0 then x else sin (g x (n - 1))\n";

describe("projects", () => {
  const folders: Folder[] = [];
  const folder = (content: Readonly<Record<string, string>>): Folder => {
    const made = new Folder(content);
    folders.push(made);
    return made;
  };
  afterEach(() => {
    for (const used of folders.splice(0)) used.remove();
  });
  const text = (at: Folder, name: string): string => readFileSync(at.at(name), "utf8");

  const project = {
    "models/line.lam": line,
    "models/deep/chain.lam": chain,
    "models/shared/lib.lam": "def half (x : R) : R = x / 2\n",
    "dualrev.config.json": `{
      // Comments are taken
      "models": ["models/**/*.lam", "!models/shared/*"],
      "outDir": "gen",
      "with": ["grad"],
      "target": "js",
      "runtime": "gen/runtime.js",
      "overrides": [{ "models": ["models/line.lam"], "wrt": ["loss.w"] }],
    }`,
  };

  test("build makes a module of each model, and --check compares", async () => {
    const at = folder(project);
    expect(await at.run(["build"])).toEqual({ code: 0, out: "", err: "" });
    expect(text(at, "gen/line.grad.js")).toContain(
      "// Made by: dualrev build --config ../dualrev.config.json\n// Differentiated with respect to: loss (w)\n",
    );
    expect(text(at, "gen/deep/chain.grad.js")).toContain('} from "../runtime.js";');
    const use =
      'import { lossGrad } from "./gen/line.grad.js"; import { gGrad } from "./gen/deep/chain.grad.js";' +
      "console.log(JSON.stringify([lossGrad([3, 4], 2), gGrad(0, 2)]));";
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", use], { cwd: at.path });
    expect(JSON.parse(stdout.toString())).toEqual([
      { value: 10, grad: { w: { 0: 1.2000000000000002, 1: 1.6 } } },
      { value: 0, grad: { x: 1, n: 0 } },
    ]);
    expect((await at.run(["build", "--check"])).code).toBe(0);
    // In a folder of the project, the same
    const inside = spawnSync(process.execPath, [bin, "build", "--check"], { cwd: at.at("models/deep") });
    expect(inside.status).toBe(0);
    writeFileSync(at.at("models/deep/chain.lam"), chain.replace("sin", "cos"));
    const stale = await at.run(["build", "--check"]);
    expect([stale.code, stale.err]).toEqual([
      1,
      "error: gen/deep/chain.grad.js is not up to date: compile models/deep/chain.lam again, without --check\n",
    ]);
  });

  test("modules that share their runtime are written together, or not at all", async () => {
    const at = folder({ ...project, "models/deep/chain.lam": "def g (x : R) : R = y\n" });
    const { code, err } = await at.run(["build"]);
    expect([code, err]).toEqual([1, expect.stringContaining("there is no variable `y`")]);
    expect(existsSync(at.at("gen"))).toBe(false);
  });

  test("what a project file says wrong is located", async () => {
    const at = folder({ "a.lam": line });
    const tell = async (config: string): Promise<string> => {
      writeFileSync(at.at("p.json"), config);
      const { code, out, err } = await at.run(["build", "--config", "p.json"]);
      expect([code, out]).toEqual([2, ""]);
      return err;
    };
    expect(await tell('{ "models": ["*.lam"],\n  "outdir": "gen" }')).toBe(
      'error: p.json:2:13: there is no setting "outdir": did you mean `outDir`?\n',
    );
    expect(await tell('{ "outDir": "gen" }')).toBe('error: p.json:1:1: "models" is missing\n');
    expect(await tell('{ "models": "*.lam" }')).toBe('error: p.json:1:13: "models" must be a list of strings\n');
    expect(await tell('{ "models": ["*.lam"], "target": "py" }')).toBe(
      'error: p.json:1:34: "target" must be "ts" or "js"\n',
    );
    expect(await tell('{ "models": ["*.lam"], "overrides": [{ "models": ["a.lam"], "entri": [] }] }')).toContain(
      'there is no setting "entri": did you mean `entry`?',
    );
    expect(await tell("[]")).toBe("error: p.json:1:1: a project file must be an object\n");
    expect(await tell('{ "models": [ }')).toContain("error: p.json:1:15: this is not JSON");
    expect(await tell('{ "models": ["b/*.lam"] }')).toBe("error: p.json: no file fits b/*.lam\n");
    expect(await tell('{ "models": ["a.lam"], "overrides": [{ "models": ["b.lam"] }] }')).toBe(
      "error: p.json: no model of the project fits b.lam of an override\n",
    );
    expect(await tell('{ "models": ["a.lam"], "runtime": "a.grad.ts" }')).toBe(
      "error: --runtime a.grad.ts is where a model is compiled to\n",
    );
    expect((await at.run(["build", "--config", "none.json"])).err).toContain("cannot read none.json");
    expect((await at.run(["build"])).err).toContain("there is no dualrev.config.json here or in a folder around");
  });

  test("--watch goes by the project file, and by the models that come and go", async () => {
    const at = folder({ ...project, "dualrev.config.json": '{ "models": ["models/*.lam"], "outDir": "gen" }' });
    const child = spawn(process.execPath, [bin, "build", "--watch"], { cwd: at.path });
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (told: string) => (err += told));
    const until = async (part: string): Promise<void> => {
      for (let i = 0; i < 300 && !err.includes(part); i++) await sleep(50);
      expect(err).toContain(part);
      err = "";
    };
    try {
      await until("models/line.lam: compiled");
      writeFileSync(at.at("models/new.lam"), chain);
      await until("models/new.lam: compiled");
      expect(text(at, "gen/new.grad.ts")).toContain("export function gVjp(");
      writeFileSync(at.at("dualrev.config.json"), "{");
      await until("this is not JSON");
      rmSync(at.at("models/new.lam"));
      writeFileSync(at.at("dualrev.config.json"), '{ "models": ["models/*.lam"], "outDir": "gen", "with": ["grad"] }');
      await until("models/line.lam: compiled");
      expect(text(at, "gen/line.grad.ts")).not.toContain("lossVjp");
    } finally {
      child.kill();
    }
  });

  test("the header says the command in one form, relative to the module", async () => {
    const at = folder({ "src/a b.lam": line, "src/c.lam": chain });
    const header = (name: string): string => text(at, name).split("\n")[1] ?? "";
    await at.run(["compile", "src/a b.lam", "--wrt", "loss.w", "--stage", "adjoint", "--out-dir", "gen", "--time"]);
    expect(header("gen/a b.grad.ts")).toBe(
      "// Made by: dualrev compile '../src/a b.lam' -o 'a b.grad.ts' --wrt loss.w",
    );
    const again = ["compile", "../src/a b.lam", "-o", "a b.grad.ts", "--wrt", "loss.w", "--check"];
    expect(spawnSync(process.execPath, [bin, ...again], { cwd: at.at("gen") }).status).toBe(0);
    await at.run(["compile", "src/c.lam", "src/a b.lam", "--out-dir", "gen", "--runtime", "gen/rt.ts"]);
    expect(header("gen/c.grad.ts")).toBe(
      "// Made by: dualrev compile ../src/c.lam '../src/a b.lam' --out-dir . --runtime rt.ts",
    );
    const { out } = await at.run(["compile", "src/c.lam", "--with", "vjp", "--target", "js", "--debug"]);
    expect(out).toContain("// Made by: dualrev compile c.lam --with vjp --target js --debug\n");
  });

  test("--runtime needs a place that can be imported, and overwrites nothing", async () => {
    const at = folder({ "m.lam": line, "own.ts": "export const own = 1;\n" });
    const tell = async (...args: readonly string[]): Promise<string> => {
      const { code, err } = await at.run(["compile", "m.lam", ...args]);
      expect(code).toBe(2);
      return err;
    };
    expect(await tell("--runtime", "rt.ts")).toContain("--runtime needs -o or --out-dir");
    expect(await tell("--runtime", "rt.js", "-o", "m.ts")).toContain("not written in the language of m.ts");
    expect(await tell("--runtime", "m.ts", "-o", "m.ts")).toContain("is where a model is compiled to");
    expect(await tell("--runtime", "own.ts", "-o", "m.ts")).toContain("would overwrite own.ts");
    expect(text(at, "own.ts")).toBe("export const own = 1;\n");
  });
});
