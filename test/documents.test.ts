// What documents show is what happens: their listings are compiled and their commands run.
//
//   ```lam file=m.lam        a file of the document's folder; `.lam` files must also pass `check`
//   ```lam                   a model that must pass `check`; with error=E0401, one that must fail with that code
//   ```console               lines `$ command`, each with its output below it
//   ```ts excerpt=m.ts       parts of a file that a command has written, separated by lines `// ..`

import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { check } from "../src/driver/check.js";
import { bin, Folder } from "./command-line.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(root, "docs")).map((name) => join("docs", name)),
];

interface Block {
  readonly language: string;
  readonly options: ReadonlyMap<string, string>;
  readonly text: string;
  readonly line: number;
}

function blocksOf(document: string): readonly Block[] {
  const text = readFileSync(join(root, document), "utf8");
  return [...text.matchAll(/^```(\S*)(.*)\n([^]*?)^```$/gm)].map((match) => {
    const [, language = "", options = "", content = ""] = match;
    const pairs = options
      .trim()
      .split(/\s+/)
      .map((option): [string, string] => {
        const [key = "", value = ""] = option.split("=");
        return [key, value];
      });
    const line = text.slice(0, match.index).split("\n").length;
    return { language, options: new Map(pairs), text: content, line };
  });
}

/** A folder in which `dualrev` and `tsx` are commands. */
function workshop(): { readonly folder: Folder; readonly run: (command: string) => string } {
  const folder = new Folder();
  mkdirSync(folder.at("bin"));
  writeFileSync(folder.at("bin/dualrev"), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  chmodSync(folder.at("bin/dualrev"), 0o755);
  mkdirSync(folder.at("node_modules"));
  symlinkSync(root, folder.at("node_modules/dualrev"));
  const path = [folder.at("bin"), join(root, "node_modules/.bin"), process.env["PATH"] ?? ""].join(delimiter);
  const env: NodeJS.ProcessEnv = { ...process.env, PATH: path, NO_COLOR: "1" };
  delete env["FORCE_COLOR"];
  const run = (command: string) => {
    const { stdout, stderr } = spawnSync("bash", ["-c", command], { cwd: folder.path, env });
    return `${stdout.toString()}${stderr.toString()}`;
  };
  return { folder, run };
}

/** The commands of a console block, each with what stands below it. */
function commandsOf(text: string): readonly { readonly command: string; readonly output: string }[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf("\n");
      return { command: part.slice(0, end), output: part.slice(end + 1) };
    });
}

describe.each(documents)("%s", (document) => {
  const blocks = blocksOf(document);

  test("models pass or fail as they should", () => {
    for (const { language, options, text, line } of blocks) {
      if (language !== "lam") continue;
      const codes = check({ name: document, text }).diagnostics.map(({ code }) => code);
      expect([line, codes]).toEqual([line, options.has("error") ? [options.get("error")] : []]);
    }
  });

  test("commands print what is shown", () => {
    const { folder, run } = workshop();
    try {
      writeFileSync(folder.at("package.json"), '{"type": "module"}');
      for (const { language, options, text, line } of blocks) {
        const file = options.get("file");
        const excerpt = options.get("excerpt");
        if (file !== undefined) writeFileSync(folder.at(file), text);
        if (language === "console") {
          for (const { command, output } of commandsOf(text))
            expect([line, command, run(command)]).toEqual([line, command, output]);
        }
        if (excerpt !== undefined) {
          const whole = readFileSync(folder.at(excerpt), "utf8");
          for (const part of text.split(/^\/\/ \.\.\n/m)) expect(whole).toContain(part.trim());
        }
      }
    } finally {
      folder.remove();
    }
  }, 120_000);

  test("links lead somewhere, and files that are named are there", () => {
    const text = readFileSync(join(root, document), "utf8");
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target = ""]) => target);
    const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root });
    const known = new Set(files.toString().split("\n"));
    const named = [...text.matchAll(/`((?:src|test|fixtures|grammar|docs)\/[\w/.-]+)`/g)].map(([, path = ""]) => path);
    const missing = links
      .map((target) => join(document, "..", target).replaceAll("\\", "/").replace(/\/$/, ""))
      .concat(named.map((path) => path.replace(/\/$/, "")))
      .filter((target) => !known.has(target) && ![...known].some((file) => file.startsWith(`${target}/`)));
    expect(missing).toEqual([]);
  });
});
