// Files compiled apart, by way of the command line.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { Folder } from "./command-line.js";

const lib = "--- A half.\ndef half (x : R) : R = x / 2.0\n";
const app = 'import "lib/lib.lam" (half)\ndef loss (x : R) : R = half x * x\n';

describe("compile --library", () => {
  const folders: Folder[] = [];
  const folder = (): Folder => {
    const made = new Folder({ "app.lam": app, "lib/lib.lam": lib, "package.json": '{ "type": "module" }' });
    folders.push(made);
    return made;
  };
  afterEach(() => {
    for (const used of folders.splice(0)) used.remove();
  });
  const text = (at: Folder, name: string): string => readFileSync(at.at(name), "utf8");
  const gradient = (at: Folder, module: string): string => {
    const use = `import { lossGrad } from "./${module}"; console.log(JSON.stringify(lossGrad(4)));`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", use], { cwd: at.path });
    return stdout.toString() + stderr.toString();
  };
  const shared = ["--library", "--stage", "delta-let", "--runtime", "shared.js"];
  const done = { code: 0, out: "", err: "" };

  test("each file is compiled by itself, and again without those that import it", async () => {
    const at = folder();
    expect(await at.run(["compile", "app.lam", ...shared, "-o", "app.js"])).toEqual(done);
    expect(await at.run(["compile", "lib/lib.lam", ...shared, "-o", "lib/lib.js"])).toEqual(done);
    expect(text(at, "app.js")).toContain("  half$deltaLet,\n  $reset$deltaLet as $reset$deltaLet1,\n  half$primal,\n} from \"./lib/lib.js\";"); // prettier-ignore
    expect(text(at, "app.js")).not.toContain("/ 2");
    expect(text(at, "lib/lib.d.ts")).toContain("export declare function half$deltaLet(");
    const runtime = text(at, "shared.js");
    expect(gradient(at, "app.js")).toBe('{"value":8,"grad":{"x":4}}\n');
    const before = text(at, "app.js");
    writeFileSync(at.at("lib/lib.lam"), lib.replace("x / 2.0", "if x > 100.0 then half (x / 2.0) else x * x"));
    expect(await at.run(["compile", "lib/lib.lam", ...shared, "-o", "lib/lib.js"])).toEqual(done);
    expect([text(at, "app.js"), text(at, "shared.js")]).toEqual([before, runtime]);
    expect(gradient(at, "app.js")).toBe('{"value":64,"grad":{"x":48}}\n');
    // The header's command makes the same module again
    const command = /^\/\/ Made by: dualrev (.*)$/m.exec(before)?.[1]?.split(" ") ?? [];
    expect(await at.run([...command, "--check"])).toEqual(done);
  });

  test("several files go to one folder, with their runtime", async () => {
    const at = folder();
    const both = ["compile", "app.lam", "lib/lib.lam", "--library", "--stage", "tape", "--target", "js"];
    expect(await at.run([...both, "--out-dir", "gen"])).toEqual(done);
    expect(gradient(at, "gen/app.grad.js")).toBe('{"value":8,"grad":{"x":4}}\n');
    expect(text(at, "gen/app.grad.js")).toContain('from "./runtime.js";');
  });

  test("what does not go together is told", async () => {
    const at = folder();
    const told = async (...args: string[]): Promise<string> => {
      const { code, err } = await at.run(["compile", "app.lam", "--library", ...args]);
      expect(code).toBe(2);
      return err;
    };
    expect([
      await told("-o", "a.ts"),
      await told("--stage", "d1", "-o", "a.ts"),
      await told("--stage", "delta-vector", "-o", "a.ts"),
      await told("--stage", "delta-let", "-o", "a.ts"),
    ]).toMatchInlineSnapshot(`
      [
        "error: --library: the stage adjoint resolves backpropagators over the whole program; --stage can be primal, forward, delta, delta-let, delta-let-array, d3-map, d4-one-array, contrib, tape
      ",
        "error: --library: in the stage d1 the type of a dual number, D1[R], mentions c, which depends on the input of the program; --stage can be primal, forward, delta, delta-let, delta-let-array, d3-map, d4-one-array, contrib, tape
      ",
        "error: --library: in the stage delta-vector the type of a dual number, D1[R], mentions dS, which depends on the input of the program; --stage can be primal, forward, delta, delta-let, delta-let-array, d3-map, d4-one-array, contrib, tape
      ",
        "error: --library needs --runtime: modules that are compiled apart share what a run keeps there
      ",
      ]
    `);
  });
});
