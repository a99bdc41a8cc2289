// The extension for VS Code: built, packed, and looked into.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { Folder } from "./command-line.js";

const extension = join(import.meta.dirname, "../packages/vscode");

/** The files of an archive, as its directory at the end has them. */
function unzipped(archive: Buffer): ReadonlyMap<string, string> {
  const end = archive.lastIndexOf("PK\x05\x06");
  const files = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, size] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const content = archive.subarray(start, start + size);
    files.set(archive.toString("utf8", at + 46, at + 46 + (name ?? 0)), String(method === 0 ? content : inflateRawSync(content))); // prettier-ignore
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}

test("the archive has the extension, the grammar of the repository, and what the manifest names", () => {
  const folder = new Folder();
  const vsce = join(dirname(createRequire(import.meta.url).resolve("@vscode/vsce/package.json")), "vsce");
  const options = { cwd: extension, encoding: "utf8", stdio: "pipe" } as const;
  execFileSync(process.execPath, ["build.mjs"], options);
  execFileSync(process.execPath, [vsce, "package", "--allow-missing-repository", "--no-dependencies", "--no-yarn", "--out", folder.at("dualrev.vsix")], options); // prettier-ignore
  const files = unzipped(readFileSync(folder.at("dualrev.vsix")));
  folder.remove();
  expect([...files.keys()].filter((name) => name.startsWith("extension/")).sort()).toEqual(
    ["LICENSE.txt", "dist/extension.cjs", "dist/lam.tmLanguage.json", "language-configuration.json", "package.json", "readme.md", "snippets.json"].map((name) => `extension/${name}`).sort(), // prettier-ignore
  );
  const grammar = readFileSync(join(extension, "../../grammar/lam.tmLanguage.json"), "utf8");
  expect(files.get("extension/dist/lam.tmLanguage.json")).toBe(grammar);
  const code = files.get("extension/dist/extension.cjs") ?? "";
  // Nothing but VS Code and Node is looked for at run time
  const required = Array.from(code.matchAll(/\brequire\("([^"]+)"\)/g), ([, name]) => name);
  expect(required).toContain("vscode");
  expect(required.filter((name) => /^[.@]|^vscode-/.test(name ?? ""))).toEqual([]);
  for (const name of ["language-configuration.json", "snippets.json"])
    expect(() => void JSON.parse(files.get(`extension/${name}`) ?? "")).not.toThrow();
});
