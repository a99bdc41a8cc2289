// The values of fixtures, as their JSON files write them (fixtures/README.md): shorthand for lists, and values too large to write down.

/** A list of the prelude. */
export function listOf(items: readonly unknown[]): unknown {
  return items.reduceRight<unknown>((rest, item) => ({ tag: "Cons", _0: item, _1: rest }), { tag: "Nil" });
}

type Numbers = Readonly<Record<string, number>>;

const numbered = (count: number, item: (i: number) => unknown): unknown =>
  listOf(Array.from({ length: count }, (_, i) => item(i)));
const sine = (x: number): number => Math.sin(x);

/** `count` numbers from -scale to scale, by a linear congruential generator of 32 bits. */
function draws(count: number, seed: number, scale: unknown = 1): number[] {
  if (typeof scale !== "number") throw new Error('"scale" is no number');
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (1664525 * state + 1013904223) % 2 ** 32;
    return ((2 * state) / 2 ** 32 - 1) * scale;
  });
}

/** What `"$make"` can make. */
const makers: Readonly<Record<string, (p: Readonly<Record<string, unknown>>) => unknown>> = {
  /** first, first + step, .. */
  arithmetic: (p) => {
    const { first, step, count } = numbers(p, ["first", "step", "count"]);
    return numbered(count, (i) => first + i * step);
  },
  /** The rows of a square matrix of 1, 2, 3, .. */
  blocks: (p) => {
    const { size } = numbers(p, ["size"]);
    return numbered(size, (row) => numbered(size, (column) => row * size + column + 1));
  },
  /** sin 0, sin step, sin (2 step), .. */
  sines: (p) => {
    const { count, step } = numbers(p, ["count", "step"]);
    return numbered(count, (i) => sine(step * i));
  },
  /** sin (row + column) */
  sineMatrix: (p) => {
    const { rows, columns } = numbers(p, ["rows", "columns"]);
    return numbered(rows, (row) => numbered(columns, (column) => sine(row + column)));
  },
  /** An array of numbers, pseudo-random. */
  vec: (p) => {
    const { count, seed } = numbers(p, ["count", "seed"]);
    return draws(count, seed, p["scale"]);
  },
  /** The same as the rows of a matrix. */
  matrix: (p) => {
    const { rows, columns, seed } = numbers(p, ["rows", "columns", "seed"]);
    const all = draws(rows * columns, seed, p["scale"]);
    return Array.from({ length: rows }, (_, row) => all.slice(row * columns, (row + 1) * columns));
  },
  /** The same as the fields of an array of records. */
  records: (p) => {
    const { count, seed } = numbers(p, ["count", "seed"]);
    const fields: readonly unknown[] = Array.isArray(p["fields"]) ? p["fields"] : [];
    const all = draws(count * fields.length, seed, p["scale"]);
    const record = (i: number): unknown =>
      Object.fromEntries(fields.map((field, k) => [String(field), all[i * fields.length + k]]));
    return Array.from({ length: count }, (_, i) => record(i));
  },
  /** `Node l 1 r`, as deep as `count`, on the given side; `Leaf 1` elsewhere. */
  spine: (p) => {
    const { count } = numbers(p, ["count"]);
    const leaf = { tag: "Leaf", _0: 1 };
    let tree: unknown = leaf;
    for (let i = 0; i < count; i += 1) {
      tree =
        p["side"] === "left" ? { tag: "Node", _0: tree, _1: 1, _2: leaf } : { tag: "Node", _0: leaf, _1: 1, _2: tree };
    }
    return tree;
  },
  /** `Odd 1 (Even 1 (Odd 1 ..))` */
  alternating: (p) => {
    const { count } = numbers(p, ["count"]);
    let list: unknown = { tag: count % 2 === 0 ? "NoOdds" : "NoEvens" };
    for (let i = count; i > 0; i -= 1) list = { tag: i % 2 === 1 ? "Odd" : "Even", _0: 1, _1: list };
    return list;
  },
};

function numbers<K extends string>(
  p: Readonly<Record<string, unknown>>,
  keys: readonly K[],
): { readonly [key in K]: number };
function numbers(p: Readonly<Record<string, unknown>>, keys: readonly string[]): Numbers {
  return Object.fromEntries(keys.map((key) => {
    const value = p[key];
    if (typeof value !== "number") throw new Error(`"$make" needs the number "${key}"`);
    return [key, value];
  })); // prettier-ignore
}

/** The JSON document that a fixture's shorthand stands for. */
export function expand(document: unknown): unknown {
  if (Array.isArray(document)) return document.map(expand);
  if (!isRecord(document)) return document;
  const { $list: list, $make: make } = document;
  if (Array.isArray(list)) return listOf(list.map(expand));
  if (typeof make === "string") {
    const maker = Object.hasOwn(makers, make) ? makers[make] : undefined;
    if (maker === undefined) throw new Error(`nothing makes "${make}"`);
    return maker(document);
  }
  // `JSON.parse` makes `__proto__` an own property; so does this.
  return Object.fromEntries(Object.entries(document).map(([key, value]) => [key, expand(value)]));
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
