// JSON documents that nearly fit a type: mutations of valid ones, and a second reading of which fit.

import fc from "fast-check";
import type { ValuePart, ValueType } from "../../src/driver/value-types.js";

/** What is put in the place of some part of a document. */
const others: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 2 ** 53, 1e308, "", "NaN", "nan", "Infinity", "x", [], {}, [[]], [1, "x"], [null]),
  fc.constantFrom<unknown>({ tag: "Nil" }, { tag: "Red" }, { tag: "constructor" }, { tag: 1 }, { tag: "inl", _0: 1 }, { tag: "__proto__" }),
  fc.constantFrom<unknown>({ tag: "Cons", _0: 1, _1: { tag: "Nil" } }, { length: 2, 0: 1, 1: 2 }, "-Infinity", [NaN], JSON.parse('{"__proto__": 1}')),
); // prettier-ignore

type Change =
  | { readonly kind: "replace"; readonly by: unknown }
  | { readonly kind: "remove" }
  | { readonly kind: "add"; readonly key: string; readonly value: unknown };

const changes: fc.Arbitrary<Change> = fc.oneof(
  others.map((by): Change => ({ kind: "replace", by })),
  fc.constant<Change>({ kind: "remove" }),
  fc.tuple(fc.constantFrom("tag", "_0", "_2", "extra", "__proto__", "0"), others).map(([key, value]): Change => ({ kind: "add", key, value })),
); // prettier-ignore

/** Documents like a given one but for one to three changes, anywhere. */
export function mutations(document: unknown): fc.Arbitrary<unknown> {
  const one = fc.tuple(fc.nat({ max: 9999 }), changes);
  return fc
    .array(one, { minLength: 1, maxLength: 3 })
    .map((all) => all.reduce<unknown>((now, [at, change]) => changed(now, at % count(now), change), document));
}

/** The parts of a document, itself included. */
function count(document: unknown): number {
  return entriesOf(document).reduce((sum, [, part]) => sum + count(part), 1);
}

function entriesOf(document: unknown): readonly (readonly [string, unknown])[] {
  return typeof document === "object" && document !== null ? Object.entries(document) : [];
}

/** The document with a change at its part number `at`, counted from 0 on the way down. */
function changed(document: unknown, at: number, change: Change): unknown {
  if (at === 0) return changedHere(document, change);
  let left = at - 1;
  const entries = entriesOf(document).flatMap(([key, part]): readonly (readonly [string, unknown])[] => {
    const own = count(part);
    const here = left;
    left -= own;
    if (here < 0 || here >= own) return [[key, part]];
    return here === 0 && change.kind === "remove" ? [] : [[key, changed(part, here, change)]];
  });
  return Array.isArray(document) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}

function changedHere(document: unknown, change: Change): unknown {
  switch (change.kind) {
    case "replace":
      return change.by;
    case "remove":
      return undefined;
    case "add": {
      if (Array.isArray(document)) return [...document.map((item: unknown) => item), change.value];
      return Object.fromEntries([...entriesOf(document), [change.key, change.value]]);
    }
  }
}

/** Whether a document stands for a value of a type. */
export function fits(document: unknown, type: ValueType): boolean {
  switch (type.kind) {
    case "real":
      return typeof document === "number" || ["NaN", "Infinity", "-Infinity"].some((text) => text === document);
    case "int":
      return typeof document === "number" && Number.isInteger(document) && Math.abs(document) < 2 ** 53;
    case "bool":
      return document === true || document === false;
    case "unit":
      return document === null;
    case "array":
      return Array.isArray(document) && document.every((item) => fits(item, type.element));
    case "tuple":
      return Array.isArray(document) && document.length === type.parts.length && type.parts.every(({ type: part }, i) => fits(document[i], part)); // prettier-ignore
    case "record":
      return fitsFields(document, type.parts, 0);
    case "data": {
      const tag = entriesOf(document).find(([key]) => key === "tag")?.[1];
      const parts = [...type.cases].find(([name]) => name === tag)?.[1];
      return parts !== undefined && fitsFields(document, parts, 1);
    }
  }
}

function fitsFields(document: unknown, parts: readonly ValuePart[], others: number): boolean {
  if (typeof document !== "object" || document === null || Array.isArray(document)) return false;
  const entries = entriesOf(document);
  return (
    entries.length === parts.length + others &&
    parts.every(({ key, type }) => entries.some(([name, part]) => name === key && fits(part, type)))
  );
}
