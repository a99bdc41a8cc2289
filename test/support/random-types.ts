// The types of random programs, and the random choices that everything here is made from.

/** `data` covers the prelude's `List`, the sum `+`, and the data types that a random program declares. */
export type Type =
  | { readonly kind: "real" | "integer" | "boolean" }
  | { readonly kind: "tuple"; readonly items: readonly Type[] }
  | { readonly kind: "function"; readonly from: Type; readonly to: Type }
  | AppliedData
  | { readonly kind: "variable"; readonly name: string };

export interface AppliedData {
  readonly kind: "data";
  readonly name: string;
  readonly args: readonly Type[];
}

export interface Constructor {
  readonly name: string;
  readonly fields: readonly Type[];
}

/** The first constructor holds nothing recursive. `inner`: holds functions, so that it cannot be in an entry's interface. */
export interface DataType {
  readonly name: string;
  readonly params: readonly string[];
  readonly constructors: readonly Constructor[];
  readonly inner: boolean;
}

export const real: Type = { kind: "real" };
export const integer: Type = { kind: "integer" };
export const boolean: Type = { kind: "boolean" };
export const tuple = (...items: readonly Type[]): Type => ({ kind: "tuple", items });
export const fn = (from: Type, to: Type): Type => ({ kind: "function", from, to });
export const data = (name: string, ...args: readonly Type[]): AppliedData => ({ kind: "data", name, args });
export const listOf = (element: Type): AppliedData => data("List", element);
export const variable = (name: string): Type => ({ kind: "variable", name });

export const listType: DataType = {
  name: "List",
  params: ["a"],
  constructors: [
    { name: "Nil", fields: [] },
    { name: "Cons", fields: [variable("a"), listOf(variable("a"))] },
  ],
  inner: false,
};

export const sumType: DataType = {
  name: "+",
  params: ["a", "b"],
  constructors: [
    { name: "inl", fields: [variable("a")] },
    { name: "inr", fields: [variable("b")] },
  ],
  inner: false,
};

export const treeType: DataType = {
  name: "Tree",
  params: ["a"],
  constructors: [
    { name: "Leaf", fields: [] },
    { name: "Node", fields: [data("Tree", variable("a")), variable("a"), data("Tree", variable("a"))] },
  ],
  inner: false,
};

/** A source of random choices; the same seed gives the same choices. */
export interface Dice {
  /** Both ends included. */
  int(low: number, high: number): number;
  /** Between 0 and 1. */
  fraction(): number;
}

export function chance(dice: Dice, probability: number): boolean {
  return dice.fraction() < probability;
}

export function pick<T>(dice: Dice, items: readonly T[]): T {
  const item = items[dice.int(0, items.length - 1)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

/** Picks among thunks by weight. */
export function weighted<T>(dice: Dice, choices: readonly (readonly [weight: number, make: () => T])[]): T {
  const total = choices.reduce((sum, [weight]) => sum + weight, 0);
  let left = dice.fraction() * total;
  for (const [weight, make] of choices) {
    left -= weight;
    if (left < 0) return make();
  }
  return pick(dice, choices)[1]();
}

/** As it stands in a program. */
export function printType(type: Type): string {
  switch (type.kind) {
    case "real":
      return "R";
    case "integer":
      return "Z";
    case "boolean":
      return "Bool";
    case "variable":
      return type.name;
    case "tuple":
      return `(${type.items.map(printType).join(", ")})`;
    case "function":
      return `(${printType(type.from)} -> ${printType(type.to)})`;
    case "data":
      if (type.name === "+") return `(${type.args.map(printType).join(" + ")})`;
      return type.args.length === 0 ? type.name : `(${[type.name, ...type.args.map(printType)].join(" ")})`;
  }
}

export function sameType(a: Type, b: Type): boolean {
  return a === b || printType(a) === printType(b);
}

/** The constructors of a data type at its arguments. */
export function constructorsAt(declaration: DataType, args: readonly Type[]): readonly Constructor[] {
  const at = new Map(declaration.params.map((param, i) => [param, args[i] ?? real]));
  return declaration.constructors.map(({ name, fields }) => ({ name, fields: fields.map((f) => substitute(f, at)) }));
}

function substitute(type: Type, at: ReadonlyMap<string, Type>): Type {
  switch (type.kind) {
    case "variable":
      return at.get(type.name) ?? type;
    case "tuple":
      return { ...type, items: type.items.map((item) => substitute(item, at)) };
    case "function":
      return fn(substitute(type.from, at), substitute(type.to, at));
    case "data":
      return { ...type, args: type.args.map((arg) => substitute(arg, at)) };
    default:
      return type;
  }
}

/** A random type of about the given depth; `functions` says whether it may hold functions. */
export function randomType(dice: Dice, depth: number, declared: readonly DataType[], functions: boolean): Type {
  const smaller = (): Type => randomType(dice, depth - 1, declared, functions);
  const scalar: readonly (readonly [number, () => Type])[] = [
    [6, () => real],
    [1, () => integer],
    [1, () => boolean],
  ];
  if (depth <= 0) return weighted(dice, scalar);
  const usable = declared.filter((d) => functions || !d.inner);
  return weighted<Type>(dice, [
    ...scalar,
    [2, () => tuple(smaller(), smaller())],
    [1, () => (chance(dice, 0.2) ? tuple() : tuple(smaller(), smaller(), smaller()))],
    [2, () => listOf(smaller())],
    [1, () => data("+", smaller(), smaller())],
    [functions ? 3 : 0, () => fn(smaller(), smaller())],
    [
      usable.length === 0 ? 0 : 3,
      () => {
        const declaration = pick(dice, usable);
        return data(declaration.name, ...declaration.params.map(smaller));
      },
    ],
  ]);
}

/** Zero to two data types of the program's own, which may be mutually recursive, and `Tree`. */
export function randomDataTypes(dice: Dice): readonly DataType[] {
  const names = ["Alpha", "Beta"].slice(0, dice.int(0, 2));
  const heads = names.map((name) => ({ name, params: chance(dice, 0.3) ? ["a"] : [], inner: chance(dice, 0.2) }));
  const declared = heads.map(({ name, params, inner }, index): DataType => {
    const field = (recursive: boolean): Type =>
      weighted<Type>(dice, [
        [5, () => real],
        [1, () => integer],
        [1, () => boolean],
        [2, () => tuple(real, real)],
        [1, () => listOf(real)],
        [params.length * 3, () => variable("a")],
        [inner ? 3 : 0, () => fn(real, real)],
        [
          recursive ? 3 : 0,
          () => {
            // Regular recursion: at the same parameters; other types of the group at R.
            const other = pick(dice, inner ? heads : heads.filter((head) => !head.inner));
            return data(other.name, ...other.params.map(() => (other.name === name ? variable("a") : real)));
          },
        ],
      ]);
    const constructors = Array.from({ length: dice.int(1, 3) }, (_, k) => ({
      name: `${name.charAt(0)}${k}`,
      fields: Array.from({ length: dice.int(k === 0 && index > 0 ? 0 : 1, 3) }, () => field(k > 0)),
    }));
    return { name, params, constructors, inner };
  });
  return [treeType, ...declared];
}
