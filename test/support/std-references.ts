// What scripts/references-std.py has computed, and how far what emitted modules compute is from it.

import { readFileSync } from "node:fs";

/** An argument, or a result: numbers, and arrays of them. */
export type Data = number | readonly Data[];
/** A number, NaN where it is not known, and what errors of 4 units in the last place of the arguments make of it, relative to it. */
export type Reference = readonly [value: number, error: number];

/** The arguments, the value, and the partial derivative by each number of the arguments that has one. */
export type Row = readonly [args: readonly Data[], value: Reference, ...partials: Reference[]];

export type Table = Readonly<Record<string, readonly Row[]>>;

/** What JSON has no numbers for. */
const names = new Set(["NaN", "Infinity", "-Infinity"]);

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && Object.values(value).every(Array.isArray);
}

/** The references of a module of `std/`. */
export function referencesOf(name: string): Table {
  const table: unknown = JSON.parse(
    readFileSync(new URL(`../references-${name}.json`, import.meta.url), "utf8"),
    (_, part: unknown) => (typeof part === "string" && names.has(part) ? Number(part) : part),
  );
  if (!isTable(table)) throw new Error(`test/references-${name}.json holds no references`);
  return table;
}

/** The fields, or the components, of a value. */
export function partsOf(value: unknown): readonly unknown[] {
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}

/** The numbers of a value, in order. */
export function numbersOf(value: unknown): readonly number[] {
  if (typeof value === "number") return [value];
  if (value instanceof Float64Array) return [...value];
  if (Array.isArray(value)) return value.flatMap(numbersOf);
  return partsOf(value).flatMap(numbersOf);
}

/** The relative error of a number, as far as its condition does not allow it; relative to `least` where it is smaller. */
export function errorOf(found: number, [value, allowed]: Reference, least = 0): number {
  if (Number.isNaN(value)) return 0;
  // What cancels to zero has the rounding of what it is the difference of
  if (found === value || (value === 0 && Math.abs(found) < 1e-14)) return 0;
  // The smallest numbers have few digits
  const size = Math.max(Math.abs(value), least, 1e-300);
  const error = Math.abs(found - value) / size;
  return Number.isNaN(error) ? Infinity : Math.max(0, error - allowed);
}
