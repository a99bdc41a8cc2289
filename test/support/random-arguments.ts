// Random arguments of a program, and smaller ones.

import { propertyName } from "../../src/emit/interface/public-names.js";
import { chance, pick, type Dice } from "./random-dice.js";
import type { Maker } from "./random-scope.js";
import { sameType, type Constructor, type Type } from "./random-types.js";

/** A value as emitted modules take and give it. */
export type Value =
  number | boolean | null | Float64Array | readonly Value[] | { readonly [key: string]: Value | string };

/** Random arguments, of reals that are pairwise different, but for those of a value that is there twice, and that literals do not meet. */
export class RandomArguments {
  #count = 0;
  /** Objects and arrays so far: any may stand in a second place. */
  readonly #made: { readonly type: Type; readonly value: Value }[] = [];

  constructor(
    private readonly dice: Dice,
    private readonly maker: Maker,
  ) {}

  random(type: Type, depth: number): Value {
    const known = this.#made.filter((made) => sameType(made.type, type));
    if (known.length > 0 && chance(this.dice, 0.15)) return pick(this.dice, known).value;
    const value = this.#new(type, depth);
    if (value !== null && typeof value === "object") this.#made.push({ type, value });
    return value;
  }

  #new(type: Type, depth: number): Value {
    const { dice } = this;
    switch (type.kind) {
      case "real":
        this.#count += 1;
        return Math.round((dice.fraction() * 4 - 2) * 64) / 64 + 0.0013 * this.#count + 0.0004;
      case "integer":
        return dice.int(-3, 5);
      case "boolean":
        return chance(dice, 0.5);
      case "tuple":
        return type.items.length === 0 ? null : type.items.map((item) => this.random(item, depth));
      case "array": {
        const length = depth > 0 ? dice.int(chance(dice, 0.8) ? 1 : 0, 4) : 0;
        const items = Array.from({ length }, () => this.random(type.element, depth - 1));
        return type.element.kind === "real" ? Float64Array.from(items, Number) : items;
      }
      case "data": {
        const constructors = this.maker.constructorsOf(type);
        // More often a later constructor, which holds more
        const likely =
          constructors.length > 1 && type.name !== "+" && chance(dice, 0.7) ? constructors.slice(1) : constructors;
        return this.#object(pick(dice, depth > 0 ? likely : constructors.slice(0, 1)), constructors.length, depth - 1);
      }
      case "function":
      case "variable":
        throw new Error("an entry's parameter is first-order");
    }
  }

  #object({ name, names, fields }: Constructor, constructors: number, depth: number): Value {
    const values = fields.map((field) => this.random(field, depth));
    const entries = values.map((value, i) => [keyOf(names, i), value] as const);
    const isRecord = names !== null && constructors === 1;
    return { ...(isRecord ? {} : { tag: name }), ...Object.fromEntries(entries) };
  }
}

/** Shorter arrays and lists, and smaller trees: a field in the place of its parent where both are of one type. */
export function* smallerValues(maker: Maker, value: Value, type: Type): Iterable<Value> {
  if (value === null || typeof value !== "object") return;
  if (value instanceof Float64Array) {
    for (const at of value.keys()) yield value.filter((_, i) => i !== at);
  } else if (isList(value)) {
    const elements = type.kind === "array" ? value.map(() => type.element) : type.kind === "tuple" ? type.items : [];
    if (type.kind === "array") for (const at of value.keys()) yield value.filter((_, i) => i !== at);
    for (const [at, of] of elements.entries()) {
      for (const smaller of smallerValues(maker, value[at] ?? null, of)) yield value.map((old, i) => (i === at ? smaller : old)); // prettier-ignore
    }
  } else if (type.kind === "data") {
    const constructors = maker.constructorsOf(type);
    const constructor = constructors.find(({ name }) => name === value["tag"]) ?? constructors[0];
    for (const [at, of] of (constructor?.fields ?? []).entries()) {
      const key = keyOf(constructor?.names ?? null, at);
      const field = value[key];
      if (typeof field === "string" || field === undefined) continue;
      if (sameType(of, type)) yield field;
      for (const smaller of smallerValues(maker, field, of)) yield { ...value, [key]: smaller };
    }
  }
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

function keyOf(names: readonly string[] | null, at: number): string {
  return names === null ? `_${at}` : propertyName(names[at] ?? "");
}
