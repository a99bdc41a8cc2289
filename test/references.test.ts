// Values and partial derivatives of the primitives, and of functions of the prelude, as emitted modules compute them, over the whole range of doubles: against those that
// scripts/references.mjs has computed with 400 digits.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile } from "../src/driver/compile.js";
import { exportOf, functionOf, loadModule, propertyOf } from "../src/driver/evaluate.js";

/** A double, or one that JSON has no number for. */
type Double = number | string;
/** A number, and the error that is allowed in it, in units in the last place. */
type Reference = readonly [value: Double, ulps: Double];

type Row = readonly [point: readonly Double[], ...Reference[]];

function isTable(value: unknown): value is Readonly<Record<string, readonly Row[]>> {
  return typeof value === "object" && value !== null && Object.values(value).every(Array.isArray);
}

const references: unknown = JSON.parse(readFileSync(new URL("references.json", import.meta.url), "utf8"));
if (!isTable(references)) throw new Error("test/references.json holds no references");

/** Functions of two numbers. */
const binary: Readonly<Record<string, string>> = {
  div: "x / y",
  atan2: "atan2 x y",
  pow: "pow x y",
  hypot: "hypot x y",
  norm: "norm [x, y]",
  mean: "mean [x, y]",
  variance: "variance [x, y]",
  logSumExp: "logSumExp [x, y]",
  softmax: "softmax [x, y] ! 0",
};

/** Operations at an integer. */
const unary: Readonly<Record<string, string>> = { trigamma: "polygamma 1 x", polygamma4: "polygamma 4 x" };

function sourceOf(name: string): string {
  const body = binary[name];
  return body === undefined
    ? `def ${name}Of (x : R) : R = ${unary[name] ?? `${name} x`}`
    : `def ${name}Of (x : R) (y : R) : R = ${body}`;
}

/** The distance from a double to the next one. */
function ulp(x: number): number {
  const size = Math.abs(x);
  return size < 2 ** -1022 ? 2 ** -1074 : 2 ** (Math.floor(Math.log2(size)) - 52);
}

/** `least`: an error of so much does not count, whatever the number is. */
function isNear(found: number, value: number, ulps: number, least: number): boolean {
  if (Object.is(found, value) || found === value) return true;
  if (!Number.isFinite(found) || !Number.isFinite(value)) return largestOf(found, value, ulps);
  return Math.abs(found - value) <= Math.max(ulps * ulp(value), least);
}

/** The largest numbers may be rounded to infinity, where the error allows it. */
function largestOf(found: number, value: number, ulps: number): boolean {
  const [finite, other] = Number.isFinite(found) ? [found, value] : [value, found];
  return Number.isFinite(finite) && other === Math.sign(finite) * Infinity && 1.79e308 - Math.abs(finite) < ulps * ulp(finite); // prettier-ignore
}

test.each(Object.entries(references))("%s is right over the whole range of doubles", (name, rows) => {
  const compiled = compile({ name: "reference.lam", text: sourceOf(name) }, { target: "js" });
  if (!compiled.ok) throw new Error(`${name} does not compile`);
  const gradient = functionOf(exportOf(loadModule(compiled.value.code), `${name}OfGrad`));
  const wrong: string[] = [];
  for (const row of rows) {
    const [point, ...expected] = row;
    const args = point.map(Number);
    const result = gradient(...args);
    const grad = propertyOf(result, "grad");
    const found = [propertyOf(result, "value"), propertyOf(grad, "x"), ...(args.length > 1 ? [propertyOf(grad, "y")] : [])].map(Number); // prettier-ignore
    // Where there is no value there is no derivative either
    const compared = Number.isNaN(Number(expected[0]?.[0])) ? expected.slice(0, 1) : expected;
    // In the gradient of a function of arrays, what is next to nothing beside the largest entry may be lost
    const largest = Math.max(...compared.slice(1).map(([value]) => Math.abs(Number(value))));
    compared.forEach(([value, ulps], i) => {
      const number = found[i] ?? NaN;
      const least = i > 0 && name === "norm" ? 4 * ulp(largest) : 0;
      if (!isNear(number, Number(value), Number(ulps), least)) wrong.push(`${i === 0 ? "value" : `partial ${String(i)}`} at ${args.join(", ")}: ${String(number)}, not ${String(value)} (${String(ulps)} ulps)`); // prettier-ignore
    });
  }
  expect(wrong).toEqual([]);
});
