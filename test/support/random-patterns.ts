// Random patterns: such that always match, and sets that cover a type.

import { chance } from "./random-dice.js";
import type { Maker } from "./random-scope.js";
import type { Binder } from "./random-terms.js";
import { real, type Constructor, type Type } from "./random-types.js";

export interface Pattern {
  readonly text: string;
  readonly binders: readonly Binder[];
  readonly atom: boolean;
}

/** A pattern that always matches. */
export function irrefutable(maker: Maker, type: Type, depth: number): Pattern {
  const { dice } = maker;
  if (depth > 0 && type.kind === "tuple" && chance(dice, 0.6)) {
    return tuplePattern(type.items.map((item) => irrefutable(maker, item, depth - 1)));
  }
  if (depth > 0 && type.kind === "data" && chance(dice, 0.3)) {
    const [only, ...others] = maker.constructorsOf(type);
    if (only !== undefined && others.length === 0) {
      return { ...constructorPattern(maker, only, only.fields.map((field) => irrefutable(maker, field, 0))), atom: false }; // prettier-ignore
    }
  }
  if (chance(dice, 0.03)) return { text: "_", binders: [], atom: true };
  const binder = maker.fresh(type);
  return { text: binder.name, binders: [binder], atom: true };
}

/** As an argument, or below another pattern. */
export function atomText({ text, atom }: Pattern): string {
  return atom ? text : `(${text})`;
}

/** Patterns that together match every value of a type. */
export function cover(maker: Maker, type: Type, depth: number): readonly Pattern[] {
  if (depth === 0) return [irrefutable(maker, type, 1)];
  const { dice } = maker;
  switch (type.kind) {
    case "boolean":
      return [{ text: "true", binders: [], atom: true }, chance(dice, 0.5) ? { text: "false", binders: [], atom: true } : irrefutable(maker, type, 0)]; // prettier-ignore
    case "integer":
      return [...["0", "-1", "2"].slice(0, dice.int(1, 3)).map((text) => ({ text, binders: [], atom: text !== "-1" })), irrefutable(maker, type, 0)]; // prettier-ignore
    case "tuple":
      return coverOne(maker, type.items, depth).map(tuplePattern);
    case "data":
      return maker
        .constructorsOf(type)
        .flatMap((constructor) =>
          coverOne(maker, constructor.fields, depth - 1).map((args) => constructorPattern(maker, constructor, args)),
        );
    default:
      return [irrefutable(maker, type, 0)];
  }
}

/** Rows of patterns that cover one of the columns in depth. */
function coverOne(maker: Maker, types: readonly Type[], depth: number): readonly (readonly Pattern[])[] {
  if (types.length === 0 || depth === 0) return [types.map((type) => irrefutable(maker, type, 0))];
  const deep = maker.dice.int(0, types.length - 1);
  return cover(maker, types[deep] ?? real, depth).map((pattern) =>
    types.map((type, i) => (i === deep ? pattern : irrefutable(maker, type, 0))),
  );
}

function tuplePattern(items: readonly Pattern[]): Pattern {
  return { text: `(${items.map((p) => p.text).join(", ")})`, binders: items.flatMap((p) => p.binders), atom: true };
}

/** `Con p q`, or with the fields by name, where they have names: in another order, and without those that bind nothing. */
export function constructorPattern(maker: Maker, { name, names }: Constructor, args: readonly Pattern[]): Pattern {
  const binders = args.flatMap((p) => p.binders);
  if (names !== null && chance(maker.dice, 0.6)) {
    const fields = args.flatMap((p, i) => (p.text === "_" ? [] : [`${names[i] ?? ""} = ${p.text}`]));
    if (fields.length > 0) {
      if (chance(maker.dice, 0.5)) fields.reverse();
      return { text: `${name} { ${fields.join(", ")} }`, binders, atom: false };
    }
  }
  const texts = args.map(atomText);
  const text = name === "Cons" ? texts.join(" :: ") : [name, ...texts].join(" ");
  return { text, binders, atom: args.length === 0 };
}
