// One program for each kind of mistake, with the diagnostics as a terminal shows them.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { toJson, renderDiagnostics } from "../src/diagnostics/render.js";
import { compile } from "../src/driver/compile.js";
import { textOf } from "../src/driver/load-options.js";
import { isDerived } from "../src/emit/interface/public-names.js";
import type { SourceFile } from "../src/syntax/source.js";
import { fixtureNames, fixturesFolder, loadFrom } from "./support/fixture.js";
import { expectGolden } from "./support/golden.js";
import { isRecord } from "./support/values.js";

const folder = `${fixturesFolder}diagnostics/`;
const load = loadFrom(folder);

function diagnose(name: string): { readonly source: SourceFile; readonly answer: ReturnType<typeof compile> } {
  const source = { name: `${name}.lam`, text: readFileSync(`${folder}${name}.lam`, "utf8") };
  const file = `${folder}${name}.json`;
  const options: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const texts = (key: string): readonly string[] | null => {
    const value = isRecord(options) ? options[key] : undefined;
    return Array.isArray(value) ? value.map(String) : null;
  };
  const wanted = texts("with")?.filter(isDerived);
  return { source, answer: compile(source, { entries: texts("entries"), wrt: texts("wrt") ?? [], load, ...(wanted === undefined ? {} : { with: wanted }) }) }; // prettier-ignore
}

test.each(fixtureNames("diagnostics"))("%s", (name) => {
  const { source, answer } = diagnose(name);
  expect(answer.diagnostics).not.toEqual([]);
  const texts = textOf(source, load);
  const text = renderDiagnostics(answer.diagnostics, texts, { colors: false, limit: 20 });
  expectGolden(`${folder}${name}.txt`, text);
  for (const diagnostic of answer.diagnostics) {
    const { file, start, end } = diagnostic.span;
    expect(start).toBeLessThanOrEqual(end);
    expect(end).toBeLessThanOrEqual(texts(file)?.length ?? -1);
    expect(JSON.stringify(toJson(diagnostic, texts))).not.toContain("\n");
  }
});

test("every code of a mistake in a program, and of a warning, has a fixture", () => {
  const sources = readdirSync(new URL("../src/diagnostics/", import.meta.url)).filter((f) =>
    /^explain-.*(?<!\.test)\.ts$/.test(f),
  );
  const known = sources.flatMap((file) => {
    const text = readFileSync(new URL(`../src/diagnostics/${file}`, import.meta.url), "utf8");
    return [...text.matchAll(/"([EW]0\d{3})"/g)].map((match) => match[1] ?? "");
  });
  const shown = new Set(
    fixtureNames("diagnostics").flatMap((name) => diagnose(name).answer.diagnostics.map((d) => d.code)),
  );
  expect([...new Set(known)].filter((code) => !shown.has(code)).sort()).toEqual(withoutFixture);
});

/** Limits that take megabytes, or a thousand files, to reach: unit tests show them. */
const withoutFixture: readonly string[] = ["E0702", "E0706"];
