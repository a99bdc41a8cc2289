// What documents show is what happens: their listings are compiled and their commands run.
//
//   ```lam file=m.lam                   a file of the document's folder; models must pass `check`, TypeScript must type-check
//   ```lam                              a model that must pass `check`; with error=E0401, one that must fail with that code
//   ```lam values                       lines `expression -- value`
//   ```console                          lines `$ command`, each with its output below it
//   ```ts excerpt=m.ts names=f,g        the declarations f and g of a file that a command has written
//   ![..](p.svg)                        a picture in the document's folder, which a command has written
//
// DUALREV_UPDATE=1 writes outputs, values and excerpts into the documents, and pictures beside them.

import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { check } from "../src/driver/check.js";
import { printJson } from "../src/driver/json.js";
import { run as evaluate } from "../src/driver/run.js";
import { commandSocket, Folder } from "./command-line.js";
import { type Block, commandsOf, declarationsOf, Document, printCommands, programErrors } from "./document.js";
import { preludeText, typesOf } from "./typed.js";

const updates = process.env["DUALREV_UPDATE"] === "1";
const root = fileURLToPath(new URL("..", import.meta.url));
const names = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];

/** What settings of editors are written in. */
const settings = ["json", "lua", "toml"];

/** What listings import beside `dualrev`: packages that a reader would install. */
const packages = ["@types", "ml-levenberg-marquardt", "ml-matrix", "numeric"];

/** A folder in which `dualrev`, `tsx` and `esbuild` are commands. */
function workshop(): { readonly folder: Folder; readonly run: (command: string) => Promise<string> } {
  const folder = new Folder();
  mkdirSync(folder.at("bin"));
  const client = join(root, "test/commands/client.mjs");
  writeFileSync(
    folder.at("bin/dualrev"),
    `#!/bin/sh\nexec "${process.execPath}" "${client}" "${commandSocket()}" "$@"\n`,
  );
  chmodSync(folder.at("bin/dualrev"), 0o755);
  mkdirSync(folder.at("node_modules"));
  symlinkSync(root, folder.at("node_modules/dualrev"));
  for (const name of packages) symlinkSync(join(root, "node_modules", name), folder.at(`node_modules/${name}`));
  writeFileSync(folder.at("package.json"), '{"type": "module"}');
  const path = [folder.at("bin"), join(root, "node_modules/.bin"), process.env["PATH"] ?? ""].join(delimiter);
  const env: NodeJS.ProcessEnv = { ...process.env, PATH: path, NO_COLOR: "1" };
  delete env["FORCE_COLOR"];
  const run = (command: string) =>
    new Promise<string>((resolve, reject) => {
      const child = spawn("bash", ["-c", command], { cwd: folder.path, env, stdio: ["ignore", "pipe", "pipe"] });
      let [out, err] = ["", ""];
      child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
      child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
      child.on("error", reject);
      child.on("close", () => {
        resolve(out + err);
      });
    });
  return { folder, run };
}

/** What a block should contain, after those before it; null for a block that is as it is. */
async function textNow(
  block: Block,
  folder: Folder,
  run: (command: string) => Promise<string>,
): Promise<string | null> {
  if (block.language === "console") {
    const commands = [];
    for (const { command } of commandsOf(block.text)) commands.push({ command, output: await run(command) });
    return printCommands(commands);
  }
  const excerpt = block.options.get("excerpt");
  if (excerpt !== undefined) {
    return declarationsOf(readFileSync(folder.at(excerpt), "utf8"), block.options.get("names")?.split(",") ?? []);
  }
  return block.options.has("values") ? valuesOf(block.text) : null;
}

/** Lines `expression -- value` with the values that the expressions have. */
function valuesOf(text: string): string {
  const expressions = text
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/ +-- .*/, ""));
  const width = Math.max(...expressions.map((expression) => expression.length));
  return expressions
    .map((expression) => {
      const source = { name: "value.lam", text: `def value = ${expression}` };
      const result = evaluate(source, "value", {});
      const value = result.ok
        ? printJson(result.value).replaceAll(/"(NaN|-?Infinity)"/g, "$1")
        : result.diagnostics.map(({ title }) => title).join();
      return `${expression.padEnd(width)} -- ${value}\n`;
    })
    .join("");
}

/** The anchors of a document's headings. */
function anchorsOf(path: string): readonly string[] {
  const headings = readFileSync(join(root, path), "utf8").matchAll(/^#+ (.*)$/gm);
  return Array.from(headings, ([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

describe.concurrent.each(names)("%s", (name) => {
  const document = new Document(join(root, name));

  test("models pass or fail as they should", () => {
    const load = (path: string) =>
      document.blocks.find(({ options }) => join(name, "..", options.get("file") ?? "") === path)?.text;
    for (const { language, options, text, line } of document.blocks) {
      if (language !== "lam" || options.has("values")) continue;
      const codes = check({ name, text }, { load }).diagnostics.map(({ code }) => code);
      expect([line, codes]).toEqual([line, options.get("error")?.split(",") ?? []]);
    }
  });

  test("listings and commands give what is shown", async () => {
    const { folder, run } = workshop();
    const programs: string[] = [];
    try {
      for (const block of document.blocks) {
        const file = block.options.get("file");
        if (file !== undefined) writeFileSync(folder.at(file), block.text);
        if (file?.endsWith(".ts") === true) programs.push(folder.at(file));
        const now = await textNow(block, folder, run);
        if (now === null) continue;
        if (updates) document.replace(block, now);
        else expect([block.line, block.text]).toEqual([block.line, now]);
      }
      for (const picture of document.pictures) {
        const drawn = readFileSync(folder.at(picture), "utf8");
        const path = join(root, name, "..", picture);
        if (updates) writeFileSync(path, drawn);
        else expect(readFileSync(path, "utf8"), picture).toBe(drawn);
      }
      expect(programErrors(programs)).toEqual([]);
    } finally {
      folder.remove();
    }
  }, 400_000);

  test("every listing is looked at", () => {
    const unseen = document.blocks.filter(
      ({ language, options }) =>
        !["", "lam", "console", "sh", ...settings].includes(language) &&
        !options.has("file") &&
        !options.has("excerpt"),
    );
    expect(unseen.map(({ line }) => line)).toEqual([]);
  });

  test("links lead somewhere, and files that are named are there", () => {
    const text = readFileSync(join(root, name), "utf8");
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(#[^)]*)?\)/g)].map(([, path = "", anchor = ""]) => {
      const target = path === "" ? name : join(name, "..", path).replaceAll("\\", "/");
      return { target: target.replace(/\/$/, ""), anchor: anchor.slice(1) };
    });
    const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root });
    const known = new Set(files.toString().split("\n"));
    const folders = /`((?:src|test|fixtures|grammar|docs|examples)\/[\w/.-]+)`/g;
    const named = [...text.matchAll(folders)].map(([, path = ""]) => path.replace(/\/$/, ""));
    const missing = links
      .map(({ target }) => target)
      .concat(named)
      .filter((target) => !known.has(target) && ![...known].some((file) => file.startsWith(`${target}/`)));
    expect(missing).toEqual([]);
    const loose = links.filter(({ target, anchor }) => anchor !== "" && !anchorsOf(target).includes(anchor));
    expect(loose).toEqual([]);
  });

  afterAll(() => {
    if (updates) document.save();
  });
});

test("the reference of the language has what the prelude documents, and every function's type", () => {
  const reference = readFileSync(join(root, "docs/language.md"), "utf8");
  const [section = ""] = /^## The prelude$[^]*?^## /m.exec(reference) ?? [];
  const rows = [...section.matchAll(/^\| `(\w+)` +\| `([^`]+)`/gm)];
  const shown = rows.map(([, name = "", type = ""]) => `${name} : ${type}`);
  const types = new Set(typesOf(preludeText).split("\n").map(withoutNumbers));
  const documented = [...preludeText.matchAll(/^--- .*\ndef (\w+)/gm)].map(([, name = ""]) => name);
  expect(shown.filter((row) => !types.has(row))).toEqual([]);
  expect(documented.filter((name) => !rows.some((row) => row[1] === name))).toEqual([]);
});

/** `number -> number` for what `a number. a -> a` stands for. */
function withoutNumbers(line: string): string {
  const [, name = "", variable = "", type = ""] = /^(\w+) : (?:\w+\. )*(\w+) number\. (.*)$/.exec(line) ?? [];
  return name === ""
    ? line.replace(/(?<=: )(\w+\. )+/, "")
    : `${name} : ${type.replaceAll(new RegExp(`\\b${variable}\\b`, "g"), "number")}`;
}
