// The types of emitted interfaces: what must compile compiles, and what must not does not. `fixtures/interfaces` holds models and what
// their users write; a line that is wrong says so with the codes of TypeScript's errors.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compile, type CompileOptions } from "../src/driver/compile.js";
import { isStageName } from "../src/driver/stages.js";
import { fixtureNames, fixturesFolder } from "./support/fixture.js";
import { isRecord } from "./support/values.js";
import { typeErrorsIn } from "./support/typecheck.js";

const names = fixtureNames("interfaces");
const targets = ["ts", "js"] as const;

/** `12 TS2345`, for each error that the comments of a text announce. */
function announced(usage: string): readonly string[] {
  return usage.split("\n").flatMap((line, index) => {
    const [, codes = ""] = /\/\/ error((?: TS\d+)+)$/.exec(line) ?? [];
    return codes.split(" ").filter((code) => code !== "").map((code) => `${index + 1} ${code}`); // prettier-ignore
  });
}

/** The errors in a text that uses a model's module as `./model.js`. */
function found(model: string, usage: string, target: "ts" | "js"): readonly string[] {
  const compiled = compile({ name: "model.lam", text: model }, { ...optionsOf(usage), target });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  const { code, declarations } = compiled.value;
  const module = target === "ts" ? { "/model.ts": code } : { "/model.d.ts": declarations ?? "" };
  return typeErrorsIn({ ...module, "/usage.ts": usage }).map(({ file, line, code: error, message }) =>
    file === "/usage.ts" ? `${line} ${error}` : `${file}:${line}: ${message}`,
  );
}

function optionsOf(usage: string): CompileOptions {
  const [, json = "{}"] = /^\/\/ options: (.*)/.exec(usage) ?? [];
  const options: unknown = JSON.parse(json);
  if (!isRecord(options)) throw new Error(`no options: ${json}`);
  const { wrt = [], stage } = options;
  if (!Array.isArray(wrt)) throw new Error(`no parameters: ${json}`);
  return {
    wrt: wrt.map(String),
    ...(typeof stage === "string" && isStageName(stage) ? { stage } : {}),
  };
}

const read = (file: string): string => readFileSync(`${fixturesFolder}interfaces/${file}`, "utf8");

describe.each(names)("%s", (name) => {
  test.each(targets)("is used as its types allow, and not otherwise, with --target %s", (target) => {
    const usage = read(`${name}.usage.ts`);
    expect(found(read(`${name}.lam`), usage, target)).toEqual(announced(usage));
    expect(announced(usage).length).toBeGreaterThan(3);
  });
});

test("an error that is not announced is found, and one that does not happen", () => {
  const model = "def f (x : R) : R = x";
  const usage = 'import { f } from "./model.js";\nf("1");\nf(1); // error TS2345\n';
  expect(found(model, usage, "ts")).toEqual(["2 TS2345"]);
  expect(announced(usage)).toEqual(["3 TS2345"]);
});
