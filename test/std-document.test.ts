// docs/std.md has a table of each file that comes with the compiler: its definitions with types and documentation. `DUALREV_UPDATE=1` writes it.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { expect, test } from "vitest";
import { check } from "../src/driver/check.js";
import { compile } from "../src/driver/compile.js";
import { standardFiles } from "../src/driver/standard-files.js";

const document = join(import.meta.dirname, "../docs/std.md");

test("docs/std.md has all that std/ has, as its files say", async () => {
  const before = readFileSync(document, "utf8");
  const listed = new Set<string>();
  const filled = before.replaceAll(
    /(<!-- definitions: (std\/\w+\.lam) -->\n)(?:\n(?:\|.*\n)+)?/g,
    (_, mark: string, file: string) => {
      listed.add(file);
      return `${mark}\n${tableOf(file)}\n`;
    },
  );
  const text = await format(filled, { parser: "markdown", proseWrap: "never" });
  if (process.env["DUALREV_UPDATE"] === undefined) expect(before).toBe(text);
  else writeFileSync(document, text);
  expect([...listed].sort()).toEqual([...standardFiles.keys()].sort());
});

test.each([...standardFiles])("%s has no warnings", (name, text) => {
  const load = (path: string): string | null => standardFiles.get(path) ?? null;
  expect(check({ name, text }, { load })).toMatchObject({ ok: true, diagnostics: [] });
});

test("a module has of std/ what it uses, and nothing else", () => {
  const text = 'import "std/special.lam" (logNormalCdf)\n\ndef f (x : R) : R = logNormalCdf x\n';
  const compiled = compile({ name: "m.lam", text });
  if (!compiled.ok) throw new Error("it does not compile");
  const declared = [...compiled.value.code.matchAll(/^(?:export )?function (\w+)/gm)].map(([, name = ""]) => name);
  expect(declared.filter((name) => /normal|erfc/i.test(name))).not.toEqual([]);
  expect(declared.filter((name) => /bessel|gamma|beta|quantile|softmax|xlog/i.test(name))).toEqual([]);
});

/** The documented definitions and data types of a file, with their parameters. */
function tableOf(file: string): string {
  const documented = (standardFiles.get(file) ?? "").matchAll(
    /((?:^--- .*\n)+)(?:def ([^=]+?) =$|def ([^=]+?) = .*$|(data .+)$)/gm,
  );
  const rows = [...documented].map(([, doc = "", def, short, data]) => {
    const cells = [
      `\`${(def ?? short ?? data ?? "").replaceAll(/\s+/g, " ")}\``,
      doc.replaceAll(/^--- /gm, "").replaceAll(/\s+/g, " ").trim(),
    ];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  return ["| | |", "| - | - |", ...rows].join("\n");
}
