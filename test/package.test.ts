// What npm would publish: unpacked in a project that has nothing but the declared dependencies, it works, and there is nothing else in it.

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
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

  test("is the command and the library, with documents and licences", () => {
    expect(readdirSync(unpacked).sort()).toEqual(
      ["CHANGELOG.md", "LICENSE", "README.md", "bin", "dist", "docs", "grammar", "package.json"].sort(),
    );
    const files = readdirSync(unpacked, { recursive: true, encoding: "utf8" });
    expect(files.filter((name) => /\.test\.|tsbuildinfo|\.lam$|(?<!\.d)\.ts$/.test(name))).toEqual([]);
  });

  test("has the licence of each package that the command contains", () => {
    const command = readFileSync(join(unpacked, "dist/command.js"), "utf8");
    // The bundler writes where each part comes from
    const sources = command.matchAll(/^\/\/ .*\bnode_modules\/((?:@[^/]+\/)?[^/]+)\//gm);
    const contained = new Set(Array.from(sources, ([, name = ""]) => name));
    const notices = readFileSync(join(unpacked, "dist/THIRD-PARTY.txt"), "utf8");
    const named = Array.from(notices.matchAll(/^(\S+) \d+\.\d+\.\d+ \(.+\)$/gm), ([, name]) => name);
    expect(named.sort()).toEqual([...contained].sort());
    expect(contained).toContain("lodash-es");
    expect(notices).toContain("Apache License");
  });

  test("runs, by its command and as a library", () => {
    expect(run("node", "node_modules/dualrev/bin/dualrev.js", "compile", "m.lam")).toContain("export function fGrad(");
    writeFileSync(
      project.at("use.js"),
      'import { grad } from "dualrev";\nconst source = { name: "m.lam", text: "def f (x : R) : R = x * x" };\n' +
        'console.log(grad(source, "f", { x: 3 }).value.document.grad.x);\n' +
        'console.log(import.meta.resolve("dualrev/grammar/lam.tmLanguage.json").split("/").slice(-3).join("/"));\n',
    );
    expect(run("node", "use.js")).toBe("6\ndualrev/grammar/lam.tmLanguage.json\n");
  });
});

function dependenciesOf(path: string): readonly string[] {
  const manifest: unknown = JSON.parse(readFileSync(path, "utf8"));
  const hasThem = typeof manifest === "object" && manifest !== null && "dependencies" in manifest;
  return Object.keys(hasThem ? (manifest.dependencies ?? {}) : {});
}
