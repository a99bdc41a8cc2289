// Fixtures as typed data; fixtures/README.md describes their files.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { isStageName } from "../../src/driver/stages.js";
import type { StageName } from "../../src/driver/stages.js";
import type { Load } from "../../src/syntax/loaded-file.js";
import type { SourceFile } from "../../src/syntax/source.js";
import { expand, isRecord } from "./values.js";

export const fixturesFolder = fileURLToPath(new URL("../../fixtures/", import.meta.url));

export interface Fixture {
  readonly group: string;
  readonly name: string;
  readonly source: SourceFile;
  /** What it imports. */
  readonly load: Load;
  readonly cases: readonly Case[];
}

export interface Case {
  readonly entry: string;
  /** By parameter, as a JSON document. */
  readonly args: unknown;
  readonly expected: Expected;
  /** Of the largest entry that is compared, or of `scale` where that is larger. */
  readonly relative: number;
  readonly scale: number;
  /** Stages that this case is not run through, each with the reason. */
  readonly without: ReadonlyMap<StageName, string>;
  /** Where it is not null: the only stages that it is run through. */
  readonly only: readonly StageName[] | null;
}

export type Expected =
  /** The message of the error that the program ends with. */
  | { readonly kind: "error"; readonly message: string }
  | { readonly kind: "value"; readonly value: unknown; readonly derivative: Derivative };

export type Derivative =
  /** A gradient for each real of the result, by parameter. */
  | { readonly kind: "rows"; readonly rows: readonly unknown[] }
  /** One gradient, for a cotangent of the result. */
  | { readonly kind: "pullback"; readonly cotangent: unknown; readonly gradient: unknown }
  /** Of the gradient of a scalar (`cotangent` null) or for a cotangent: the sum of its entries, and of their squares (null: not checked). */
  | { readonly kind: "sums"; readonly cotangent: unknown; readonly sum: number; readonly squares: number | null };

/** The groups of fixtures with cases, and the names in each. */
export function fixtureNames(group: string): readonly string[] {
  return readdirSync(new URL(`${group}/`, `file://${fixturesFolder}`))
    .filter((file) => file.endsWith(".lam"))
    .map((file) => file.slice(0, -".lam".length));
}

/** Loads imports from the files below a folder. */
export function loadFrom(folder: string): Load {
  return (path) => {
    const file = join(folder, path);
    if (!existsSync(file)) return null;
    if (statSync(file).isDirectory()) throw new Error("it is a directory");
    return { text: readFileSync(file, "utf8"), id: relative(folder, file) };
  };
}

export function readFixture(group: string, name: string): Fixture {
  const text = readFileSync(`${fixturesFolder}${group}/${name}.lam`, "utf8");
  const document: unknown = JSON.parse(readFileSync(`${fixturesFolder}${group}/${name}.json`, "utf8"));
  const fail = (problem: string): never => {
    throw new Error(`fixtures/${group}/${name}.json: ${problem}`);
  };
  if (!isRecord(document) || !Array.isArray(document["cases"])) return fail('"cases" is missing');
  const unknownKey = Object.keys(document).find((key) => !["cases", "except", "only"].includes(key));
  if (unknownKey !== undefined) return fail(`"${unknownKey}" means nothing here`);
  const shared = { except: document["except"], only: document["only"] };
  const cases = document["cases"].map((item: unknown, i): Case => {
    if (!isRecord(item)) return fail(`case ${i} is no object`);
    return readCase({ ...shared, ...item }, (problem) => fail(`case ${i}: ${problem}`));
  });
  return { group, name, source: { name: `${name}.lam`, text }, load: loadFrom(`${fixturesFolder}${group}`), cases };
}

const caseKeys = [
  "entry", "args", "value", "grad", "jacobian", "cotangent", "gradSum", "gradSquares", "error", "relative", "scale", "except", "only",
]; // prettier-ignore

function readCase(item: Readonly<Record<string, unknown>>, fail: (problem: string) => never): Case {
  const unknownKey = Object.keys(item).find((key) => !caseKeys.includes(key));
  if (unknownKey !== undefined) return fail(`"${unknownKey}" means nothing here`);
  const { entry, args, relative = 1e-12, scale = 0, except = {}, only } = item;
  if (typeof entry !== "string" || typeof relative !== "number" || typeof scale !== "number" || !isRecord(except)) {
    return fail('"entry", "relative", "scale" or "except" is not what it should be');
  }
  const stage = (name: unknown): StageName =>
    typeof name === "string" && isStageName(name) ? name : fail(`there is no stage ${JSON.stringify(name)}`);
  const without = new Map(Object.entries(except).map(([name, reason]) => {
    if (typeof reason !== "string") return fail(`"except" gives no reason for ${name}`);
    return [stage(name), reason];
  })); // prettier-ignore
  const stages = isRecord(only) ? only["stages"] : undefined;
  if (only !== undefined && !(isRecord(only) && Array.isArray(stages) && typeof only["because"] === "string")) {
    return fail('"only" needs "stages" and "because"');
  }
  return {
    entry,
    args: expand(args),
    expected: readExpected(item, fail),
    relative,
    scale,
    without,
    only: Array.isArray(stages) ? stages.map(stage) : null,
  };
}

function readExpected(item: Readonly<Record<string, unknown>>, fail: (problem: string) => never): Expected {
  const { error, value, grad, jacobian, cotangent, gradSum, gradSquares = null } = item;
  if (typeof error === "string") return { kind: "error", message: error };
  if (value === undefined) return fail('"value" or "error" is missing');
  const expected = (derivative: Derivative): Expected => ({ kind: "value", value: expand(value), derivative });
  if (typeof gradSum === "number" && (gradSquares === null || typeof gradSquares === "number")) {
    return expected({ kind: "sums", cotangent: expand(cotangent ?? null), sum: gradSum, squares: gradSquares });
  }
  if (Array.isArray(jacobian)) return expected({ kind: "rows", rows: jacobian.map(expand) });
  if (grad === undefined) return fail('"grad", "jacobian" or "gradSum" is missing');
  if (cotangent === undefined) return expected({ kind: "rows", rows: [expand(grad)] });
  return expected({ kind: "pullback", cotangent: expand(cotangent), gradient: expand(grad) });
}
