// Random types, and the data types that a random program declares.

import { chance, pick, weighted, type Dice } from "./random-dice.js";
import * as T from "./random-types.js";
import type { Constructor, DataType, Type } from "./random-types.js";

/** A random type of about the given depth; `functions` says whether it may hold functions. */
export function randomType(dice: Dice, depth: number, declared: readonly DataType[], functions: boolean): Type {
  const smaller = (): Type => randomType(dice, depth - 1, declared, functions);
  const scalar: readonly (readonly [number, () => Type])[] = [
    [6, () => T.real],
    [1, () => T.integer],
    [1, () => T.boolean],
  ];
  if (depth <= 0) return weighted(dice, scalar);
  const usable = declared.filter((d) => functions || !d.inner);
  return weighted<Type>(dice, [
    ...scalar,
    [2, () => T.tuple(smaller(), smaller())],
    [1, () => (chance(dice, 0.2) ? T.tuple() : T.tuple(smaller(), smaller(), smaller()))],
    [2, () => T.arrayOf(T.real)],
    [3, () => T.arrayOf(smaller())],
    [2, () => T.listOf(smaller())],
    [1, () => T.data("+", smaller(), smaller())],
    [functions ? 3 : 0, () => T.fn(smaller(), smaller())],
    [
      usable.length === 0 ? 0 : 4,
      () => {
        const declaration = pick(dice, usable);
        return T.data(declaration.name, ...declaration.params.map(smaller));
      },
    ],
  ]);
}

/** A data type that is still to be given its constructors. */
interface Head {
  readonly name: string;
  readonly params: readonly string[];
  readonly inner: boolean;
  readonly isRecord: boolean;
}

/** Zero to three data types of the program's own, which may be mutually recursive, records among them, and `Tree`. */
export function randomDataTypes(dice: Dice): readonly DataType[] {
  const names = ["Alpha", "Beta", "Gamma"].slice(0, dice.int(0, 3));
  const heads = names.map((name): Head => {
    return { name, params: chance(dice, 0.3) ? ["a"] : [], inner: chance(dice, 0.2), isRecord: chance(dice, 0.6) };
  });
  return [T.treeType, ...heads.map((head, index) => declare(dice, head, heads, index))];
}

function declare(dice: Dice, head: Head, heads: readonly Head[], index: number): DataType {
  const { name, params, inner } = head;
  const letter = name.charAt(0);
  if (head.isRecord) {
    // Of the types before it, so that its values end; of its own in an array, which may be empty.
    const earlier = heads.slice(0, index).filter((other) => inner || !other.inner);
    const fields = Array.from({ length: dice.int(1, 4) }, () => recordField(dice, head, earlier));
    const constructor = { name: chance(dice, 0.5) ? name : `${letter}0`, fields, names: fieldNames(letter, fields) };
    return { name, params, constructors: [constructor], inner: inner || earlier.some((other) => other.inner) };
  }
  const constructors = Array.from({ length: dice.int(1, 3) }, (_, k): Constructor => {
    const least = k === 0 && index > 0 ? 0 : 1;
    const fields = Array.from({ length: dice.int(least, 3) }, () => field(dice, head, heads, k > 0));
    const named = fields.length > 0 && chance(dice, 0.2);
    return { name: `${letter}${k}`, fields, names: named ? fieldNames(`${letter}${k}`, fields) : null };
  });
  return { name, params, constructors, inner };
}

function fieldNames(stem: string, fields: readonly Type[]): readonly string[] {
  return fields.map((_, i) => `${stem.toLowerCase()}_${["first", "second", "third", "fourth"][i] ?? ""}`);
}

function simpleField(dice: Dice, { params, inner }: Head): Type {
  return weighted<Type>(dice, [
    [6, () => T.real],
    [1, () => T.integer],
    [1, () => T.boolean],
    [2, () => T.tuple(T.real, T.real)],
    [1, () => T.listOf(T.real)],
    [2, () => T.arrayOf(T.real)],
    [1, () => T.arrayOf(T.arrayOf(T.real))],
    [params.length * 3, () => T.variable("a")],
    [params.length * 2, () => T.arrayOf(T.variable("a"))],
    [inner ? 3 : 0, () => T.fn(T.real, T.real)],
    [inner ? 2 : 0, () => T.arrayOf(T.fn(T.real, T.real))],
  ]);
}

function recordField(dice: Dice, head: Head, earlier: readonly Head[]): Type {
  const own = T.data(head.name, ...head.params.map(T.variable));
  return weighted<Type>(dice, [
    [12, () => simpleField(dice, head)],
    [1, () => T.arrayOf(own)],
    [
      earlier.length === 0 ? 0 : 3,
      () => {
        const other = pick(dice, earlier);
        return T.data(other.name, ...other.params.map(() => T.real));
      },
    ],
  ]);
}

function field(dice: Dice, head: Head, heads: readonly Head[], recursive: boolean): Type {
  return weighted<Type>(dice, [
    [12, () => simpleField(dice, head)],
    [
      recursive ? 3 : 0,
      () => {
        // Regular recursion: at the same parameters; other types of the group at R.
        const other = pick(dice, head.inner ? heads : heads.filter((one) => !one.inner));
        return T.data(other.name, ...other.params.map(() => (other.name === head.name ? T.variable("a") : T.real)));
      },
    ],
  ]);
}
