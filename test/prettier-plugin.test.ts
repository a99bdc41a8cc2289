// packages/prettier-plugin: prettier lays models out as `dualrev fmt` does.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { check, format as formatted } from "prettier";
import { globSync } from "tinyglobby";
import { afterAll, describe, expect, test } from "vitest";
import { format } from "../src/index.js";
import { Folder } from "./command-line.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const plugins = [pathToFileURL(join(root, "packages/prettier-plugin/dist/index.js")).href];

const models = globSync(["src/**/*.lam", "examples/**/*.lam", "fixtures/**/*.lam"], {
  cwd: root,
  ignore: "**/node_modules/**",
})
  .map((path) => ({ path, answer: format({ name: path, text: readFileSync(join(root, path), "utf8") }) }))
  .flatMap(({ path, answer }) => (answer.ok ? [{ path, text: answer.value }] : []));

describe("prettier on models", () => {
  test("gives what dualrev fmt gives, for every model of the repository that parses, and leaves that alone", async () => {
    expect(models.length).toBeGreaterThan(300);
    for (const { path, text } of models) {
      const written = readFileSync(join(root, path), "utf8");
      expect([path, await formatted(written, { filepath: path, plugins })]).toEqual([path, text]);
      expect([path, await check(text, { filepath: path, plugins })]).toEqual([path, true]);
    }
  });

  test("has line ends as they are asked for, and takes any", async () => {
    const text = "def f (x:R) : R =\r\n  x*x\r\n\r\n\r\ndef g = 1";
    const options = { parser: "lam", plugins };
    expect(await formatted(text, options)).toBe("def f (x : R) : R =\n  x * x\n\ndef g = 1\n");
    expect(await formatted(text, { ...options, endOfLine: "crlf" })).toContain("x * x\r\n\r\ndef g");
    expect(await formatted("", options)).toBe("");
  });

  test("says where a mistake is", async () => {
    const mistake = formatted("def f (x : R) : R =\n  x * * x\n", { filepath: "m.lam", plugins });
    await expect(mistake).rejects.toMatchObject({ name: "SyntaxError", loc: { start: { line: 2, column: 7 } } });
    await expect(mistake).rejects.toThrowErrorMatchingInlineSnapshot(`
      [SyntaxError: E0120: \`**\` is no operator: a power is \`x ^ n\`
        1 | def f (x : R) : R =
      > 2 |   x * * x
          |       ^
        3 |]
    `);
  });

  test("formats listings in Markdown, and leaves those with mistakes", async () => {
    const page = [
      "- a list",
      "",
      "  ```lam file=m.lam",
      "  def f (x:R) : R =",
      "    x*x",
      "  ```",
      "",
      "```lam",
      "def f (",
      "```",
      "",
    ];
    const laid = [
      "- a list",
      "",
      "  ```lam file=m.lam",
      "  def f (x : R) : R =",
      "    x * x",
      "  ```",
      "",
      "```lam",
      "def f (",
      "```",
      "",
    ];
    expect(await formatted(page.join("\n"), { filepath: "page.md", plugins })).toBe(laid.join("\n"));
  });
});

describe("prettier on the command line", () => {
  const folder = new Folder({ "m.lam": "def f (x:R) : R = x*x\n", "wrong.lam": "def f (x : R) : R = x +\n" });
  const prettier = (...args: readonly string[]): string =>
    execFileSync(process.execPath, [join(root, "node_modules/prettier/bin/prettier.cjs"), ...args], { cwd: folder.path, encoding: "utf8", stdio: "pipe", env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" } }); // prettier-ignore

  afterAll(() => {
    folder.remove();
  });

  test("finds models by their ending", () => {
    writeFileSync(folder.at(".prettierrc"), JSON.stringify({ plugins }));
    expect(() => prettier("--check", "m.lam")).toThrow("Code style issues found");
    prettier("--write", "m.lam");
    expect(readFileSync(folder.at("m.lam"), "utf8")).toBe("def f (x : R) : R = x * x\n");
    expect(() => prettier("--write", "wrong.lam")).toThrow(
      "wrong.lam: SyntaxError: E0101: this definition is not finished\n[error] > 1 | def f",
    );
    expect(readFileSync(folder.at("wrong.lam"), "utf8")).toBe("def f (x : R) : R = x +\n");
  });
});
