// Models of several files, by way of the command line.

import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { bin, Folder } from "./command-line.js";
import { args, base, document, files, model, vectors } from "./support/several-files.js";

describe("the command line", () => {
  const folders: Folder[] = [];
  const folder = (content: Readonly<Record<string, string>>): Folder => {
    const made = new Folder(content);
    folders.push(made);
    return made;
  };
  afterEach(() => {
    for (const used of folders.splice(0)) used.remove();
  });

  test("imports are relative to the importing file; those of standard input to the working directory", async () => {
    const at = folder({ ...files, "args.json": JSON.stringify(args) });
    mkdirSync(at.at("elsewhere"));
    const grads = [
      await at.run(["grad", "m.lam", "f", "args.json"]),
      await at.run(["grad", at.at("m.lam"), "f", "args.json"]),
      await at.run(["grad", "./elsewhere/../m.lam", "f", "args.json"]),
      await at.run(["grad", "-", "f", "args.json"], { stdin: model }),
    ];
    for (const { code, out, err } of grads) {
      expect([code, err]).toEqual([0, ""]);
      expect(JSON.parse(out)).toEqual(document);
    }
    expect((await at.run(["check", "m.lam", "lib/vectors.lam"])).code).toBe(0);
    expect((await at.run(["run", "m.lam", "f", "args.json"])).out).toBe('{ "value": 140 }\n');
    expect((await at.run(["steps", "m.lam"])).code).toBe(0);
    expect((await at.run(["cost", "m.lam", "f", "args.json"])).code).toBe(0);
  });

  test("the output is the same from everywhere, and names no folders of the machine", async () => {
    const at = folder(files);
    const [near, far] = [await at.run(["compile", "m.lam"]), await folder({}).run(["compile", at.at("m.lam")])];
    expect([near.code, near.err]).toEqual([0, ""]);
    expect(far.out).toBe(near.out);
    expect(near.out).not.toContain(at.path);
  });

  test("what is wrong with a file is told where it is imported", async () => {
    const at = folder({ "m.lam": "" });
    mkdirSync(at.at("folder.lam"));
    writeFileSync(at.at("latin.lam"), Buffer.from([0x64, 0xe9]));
    writeFileSync(at.at("secret.lam"), "def x = 1");
    chmodSync(at.at("secret.lam"), 0);
    symlinkSync("loop.lam", at.at("loop.lam"));
    symlinkSync("nowhere", at.at("dangling.lam"));
    const names = ["none", "folder", "latin", "m.lam/x", "loop", "dangling", "/dev/null"];
    writeFileSync(
      at.at("all.lam"),
      names.map((name) => `import "${name}${/[./]/.test(name) ? "" : ".lam"}" (x)\n`).join(""),
    );
    const { code, out, err } = await at.run(["check", "all.lam"]);
    expect([code, out]).toEqual([1, ""]);
    expect([...err.matchAll(/^error.*$|--> .*$|\^+ .*$/gm)].map(([line]) => line)).toMatchInlineSnapshot(`
      [
        "error[E0209]: there is no file \`none.lam\`",
        "--> all.lam:1:8",
        "^^^^^^^^^^ not found",
        "error[E0213]: \`folder.lam\` cannot be read",
        "--> all.lam:2:8",
        "^^^^^^^^^^^^ it is a directory",
        "error[E0213]: \`latin.lam\` cannot be read",
        "--> all.lam:3:8",
        "^^^^^^^^^^^ it is not valid UTF-8 (first wrong byte at offset 1)",
        "error[E0213]: \`m.lam/x\` cannot be read",
        "--> all.lam:4:8",
        "^^^^^^^^^ a part of the path is not a directory",
        "error[E0213]: \`loop.lam\` cannot be read",
        "--> all.lam:5:8",
        "^^^^^^^^^^ too many symbolic links",
        "error[E0209]: there is no file \`dangling.lam\`",
        "--> all.lam:6:8",
        "^^^^^^^^^^^^^^ not found",
        "error[E0213]: \`/dev/null\` cannot be read",
        "--> all.lam:7:8",
        "^^^^^^^^^^^ it is not a file",
      ]
    `);
    writeFileSync(at.at("one.lam"), 'import "secret.lam" (x)\n');
    const secret = await at.run(["check", "one.lam"]);
    // The superuser may read everything
    if (process.getuid?.() === 0) expect(secret.code).toBe(0);
    else expect(secret.err).toContain("^ permission denied");
  });

  test("mistakes in an imported file name it, also for tools", async () => {
    const at = folder({ ...files, "base.lam": "-- numbers\ndef times (a : R) (b : R) : R = a * true\n" });
    const { code, err } = await at.run(["check", "m.lam"]);
    expect(code).toBe(1);
    expect(err).toContain(" --> base.lam:2:37\n");
    expect(err).toContain("2 | def times (a : R) (b : R) : R = a * true\n");
    const json = await at.run(["check", "m.lam", "--json"]);
    expect(JSON.parse(json.out)).toMatchObject({ file: "base.lam", start: { line: 2, column: 37 } });
  });

  test("links to one file are one import, and a folder inside itself is a cycle", async () => {
    const at = folder({
      "lib/t.lam": "data T = T R\ndef make (x : R) : T = T x\n",
      "m.lam": 'import "lib/t.lam" (T)\nimport "again/t.lam" (make)\ndef f (x : R) : R = case make x of { T y -> y }\n',
      "round/r.lam": 'import "round/r.lam" (f)\ndef f (x : R) : R = x\n',
      "link.lam": 'import "model.lam" (f)\ndef g (x : R) : R = f x\n',
    });
    symlinkSync("lib", at.at("again"));
    symlinkSync(".", at.at("round/round"));
    symlinkSync("link.lam", at.at("model.lam"));
    expect(await at.run(["check", "m.lam"])).toEqual({ code: 0, out: "", err: "" });
    for (const file of ["round/r.lam", "link.lam"]) {
      const { code, err } = await at.run(["check", file]);
      expect([code, err]).toEqual([1, expect.stringContaining("error[E0210]: this file imports itself")]);
    }
  });

  test("-o does not overwrite what is imported", async () => {
    const at = folder(files);
    symlinkSync("lib/vectors.lam", at.at("vectors.ts"));
    const { code, err } = await at.run(["compile", "m.lam", "-o", "vectors.ts"]);
    expect([code, err]).toEqual([2, "error: -o vectors.ts would overwrite lib/vectors.lam, which the model imports\n"]);
    expect(readFileSync(at.at("lib/vectors.lam"), "utf8")).toBe(vectors);
  });

  test("--check notices a change in an imported file; fmt looks at the one file", async () => {
    const at = folder({ ...files, "gone.lam": 'import "nowhere.lam" (f)\n' });
    expect((await at.run(["compile", "m.lam", "-o", "m.ts"])).code).toBe(0);
    expect((await at.run(["compile", "m.lam", "-o", "m.ts", "--check"])).code).toBe(0);
    writeFileSync(at.at("base.lam"), base.replace("a * b", "a + b"));
    expect((await at.run(["compile", "m.lam", "-o", "m.ts", "--check"])).code).toBe(1);
    expect(await at.run(["fmt", "--check", "gone.lam"])).toEqual({ code: 0, out: "", err: "" });
  });

  test("--watch follows imports", async () => {
    const at = folder({ "m.lam": 'import "a.lam" (a)\ndef f (x : R) : R = a * x\n' });
    const child = spawn(process.execPath, [bin, "compile", "m.lam", "-o", "m.ts", "--watch"], { cwd: at.path });
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    const builds = (): number => err.split("watching for changes").length - 1;
    const next = async (change: () => void, state: string) => {
      const before = builds();
      change();
      for (let i = 0; i < 400 && builds() === before; i++) await new Promise((resolve) => setTimeout(resolve, 50));
      expect(err.split("\n").at(-2)).toContain(`m.lam: ${state}`);
    };
    try {
      await next(() => undefined, "not compiled");
      expect(err).toContain("there is no file `a.lam`");
      await next(() => {
        writeFileSync(at.at("a.lam"), 'import "b.lam" (b)\ndef a = 7 * b\n');
      }, "not compiled");
      await next(() => {
        writeFileSync(at.at("b.lam"), "def b = 3.0\n");
      }, "compiled");
      await next(() => {
        writeFileSync(at.at("b.lam"), "def b = 5.0\n");
      }, "compiled");
      expect(readFileSync(at.at("m.ts"), "utf8")).toContain("5");
      await next(() => {
        rmSync(at.at("b.lam"));
      }, "not compiled");
      expect(err).toContain("there is no file `b.lam`");
    } finally {
      child.kill();
    }
  });

  test("--watch sees a file that is there the moment it is asked for", async () => {
    const at = folder({ "m.lam": 'import "a0.lam" (a0)\ndef f (x : R) : R = a0 * x\n' });
    const child = spawn(process.execPath, [bin, "compile", "m.lam", "-o", "m.ts", "--watch"], { cwd: at.path });
    const last = 5;
    let [err, told] = ["", 0];
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
      if (!err.slice(told).includes("watching for changes")) return;
      const missing = /there is no file `a(\d)\.lam`/.exec(err.slice(told))?.[1];
      told = err.length;
      if (missing === undefined) return;
      // At once, before the command can do anything more
      const [i, next] = [Number(missing), Number(missing) + 1];
      const content = i === last ? `def a${i} = 2.0\n` : `import "a${next}.lam" (a${next})\ndef a${i} = a${next}\n`;
      writeFileSync(at.at(`a${i}.lam`), content);
    });
    try {
      for (let i = 0; i < 400 && !err.includes("m.lam: compiled"); i++)
        await new Promise((resolve) => setTimeout(resolve, 50));
      expect(err).toContain("m.lam: compiled");
      expect(err.split("watching for changes").length - 1).toBe(last + 2);
    } finally {
      child.kill();
    }
  });
});
