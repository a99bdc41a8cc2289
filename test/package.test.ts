// What npm would publish: unpacked in a project that has nothing but the declared dependencies, it works, and there is nothing else in it.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Folder } from "./command-line.js";

const root = fileURLToPath(new URL("..", import.meta.url));

describe("the package", () => {
  const project = new Folder({ "package.json": '{"type": "module"}', "m.lam": "def f (x : R) : R = x * sin x\n" });
  const unpacked = project.at("node_modules/dualrev");
  const run = (command: string, ...args: readonly string[]) =>
    execFileSync(command, args, { cwd: project.path, encoding: "utf8", shell: process.platform === "win32" });

  beforeAll(() => {
    run("npm", "pack", root, "--ignore-scripts", "--loglevel=error");
    const [archive = ""] = readdirSync(project.path).filter((name) => name.endsWith(".tgz"));
    mkdirSync(unpacked, { recursive: true });
    run("tar", "-xzf", archive, "-C", "node_modules/dualrev", "--strip-components=1");
    for (const name of dependenciesOf(join(unpacked, "package.json"))) {
      const link = project.at(join("node_modules", name));
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(root, "node_modules", name), link);
    }
  });

  afterAll(() => {
    project.remove();
  });

  const files = (): readonly string[] =>
    readdirSync(unpacked, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  test("is the command and the library, with documents, examples and licences, in less than 3 MB", () => {
    expect(readdirSync(unpacked).sort()).toEqual(
      [
        ...["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md"],
        ...["bin", "dist", "docs", "examples", "grammar", "package.json", "schema"],
      ].sort(),
    );
    const code = files().filter((name) => !name.startsWith(join(unpacked, "examples")));
    expect(code.filter((name) => /\.test\.|tsbuildinfo|\.lam$|\.map$|(?<!\.d)\.ts$/.test(name))).toEqual([]);
    expect(files().reduce((sum, name) => sum + statSync(name).size, 0)).toBeLessThan(3 * 1024 * 1024);
  });

  test("has no script that an installer would run, or ask about", () => {
    const manifest: unknown = JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8"));
    for (const name of ["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"])
      expect(manifest).not.toHaveProperty(["scripts", name]);
  });

  test("has the schema of project files", () => {
    const schema: unknown = JSON.parse(readFileSync(join(unpacked, "schema/config.json"), "utf8"));
    expect(schema).toMatchObject({ required: ["models"], properties: { overrides: { type: "array" } } });
  });

  test("holds every page that its documents link to", () => {
    const broken = files()
      .filter((name) => name.endsWith(".md"))
      .flatMap((page) => {
        const links = readFileSync(page, "utf8").matchAll(/\]\(([^)#\s]+)(?:#[^)\s]*)?\)/g);
        return Array.from(links, ([, link = ""]) => link)
          .filter((link) => !/^\w+:/.test(link) && !existsSync(join(dirname(page), link)))
          .map((link) => `${page}: ${link}`);
      });
    expect(broken).toEqual([]);
  });

  test("has the licence of each package that is put into its modules", () => {
    const notices = readFileSync(join(unpacked, "dist/THIRD-PARTY.txt"), "utf8");
    const named = Array.from(notices.matchAll(/^(\S+) \d+\.\d+\.\d+ \((.+)\)$/gm), ([, name]) => name);
    expect(named).toEqual(expect.arrayContaining(["chevrotain", "jsonc-parser", "lodash-es", "prettier"]));
    expect(notices).toContain("Apache License");
    // What is not put in is declared
    const modules = files().filter((name) => name.endsWith(".js") && name.startsWith(join(unpacked, "dist")));
    const imported = modules.flatMap((name) =>
      Array.from(readFileSync(name, "utf8").matchAll(/\bfrom\s*"([\w@][\w@/:.-]*)"/g), ([, from = ""]) => from),
    );
    const outside = new Set(imported.filter((name) => !isBuiltin(name)));
    expect([...outside].sort()).toEqual(dependenciesOf(join(unpacked, "package.json")));
  });

  test("runs, by its command and as a library", () => {
    expect(run("node", "node_modules/dualrev/bin/dualrev.js", "compile", "m.lam")).toContain("export function fGrad(");
    writeFileSync(
      project.at("use.js"),
      'import { grad } from "dualrev";\nconst source = { name: "m.lam", text: "def f (x : R) : R = x * x" };\n' +
        'console.log(grad(source, "f", { x: 3 }).value.document.grad.x);\n' +
        'import { EditedModel } from "dualrev/editor";\n' +
        'console.log(new EditedModel({ name: "m.lam", text: "def f (x : R) : R = y" }).diagnostics()[0].code);\n' +
        'console.log(import.meta.resolve("dualrev/grammar/lam.tmLanguage.json").split("/").slice(-3).join("/"));\n',
    );
    expect(run("node", "use.js")).toBe("6\nE0201\ndualrev/grammar/lam.tmLanguage.json\n");
  });

  test("shows an error that nothing catches without much of its own text", () => {
    writeFileSync(project.at("wrong.js"), 'import { compile } from "dualrev";\ncompile(3);\n');
    const { status, stderr } = spawnSync("node", ["wrong.js"], { cwd: project.path, encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toContain("TypeError: compile: a model is an object with the strings name and text\n");
    expect(stderr.length).toBeLessThan(2000);
  });
});

describe("the library in a page", () => {
  test("needs nothing of Node, and is no larger than docs/library.md says", async () => {
    const bundled = await build({
      stdin: {
        contents: `import { grad } from "dualrev";
          const source = { name: "m.lam", text: "def f (x : R) : R = x * x" };
          globalThis.answer = JSON.stringify(grad(source, "f", { x: 3 }, { check: true }).value);`,
        resolveDir: root,
      },
      alias: { dualrev: join(root, "dist/index.js") },
      bundle: true,
      minify: true,
      platform: "browser",
      format: "iife",
      write: false,
    });
    const text = bundled.outputFiles[0]?.text ?? "";
    // What pages have, and no more
    const page = createContext({ performance, TextEncoder, TextDecoder });
    runInContext(text, page);
    expect(JSON.parse(String(runInContext("answer", page)))).toEqual({
      document: { value: 9, grad: { x: 6 } },
      differences: [],
    });
    expect(gzipSync(text).length).toBeLessThan(540_000);
  });
});

function dependenciesOf(path: string): readonly string[] {
  const manifest: unknown = JSON.parse(readFileSync(path, "utf8"));
  const hasThem = typeof manifest === "object" && manifest !== null && "dependencies" in manifest;
  return Object.keys(hasThem ? (manifest.dependencies ?? {}) : {});
}
