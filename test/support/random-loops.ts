// Random models over arrays: sums of elements inside sums, folds, iterations, stencils. Much in them is the same in all iterations of some loop, many loops do
// the same, and arrays go through loops that keep their lengths.

import { chance, pick, type Dice } from "./random-dice.js";

/** Variables in scope, by type; those that are bound further in stand several times. */
interface Scope {
  readonly numbers: readonly string[];
  readonly arrays: readonly string[];
}

/** How deep terms are. */
const depth = 5;

/** Arguments that a model is run on: some with elements, some without. */
export const argumentsOfLoops = [
  { k: 0.7, a: -0.4, xs: [0.5, -1.2, 0.9], ys: [1.1, 0.3], rows: [[0.2, 0.8], [], [1.5, -0.3, 0.6]] },
  { k: 1.3, a: 0.6, xs: [], ys: [], rows: [] },
  { k: -0.8, a: 1.9, xs: [2.1], ys: [-0.7, 0.4, 1.2, 0.1], rows: [[0.5]] },
];

/** A model with one definition, `entry`. */
export function randomLoops(dice: Dice): string {
  const body = new Terms(dice).number({ numbers: ["k", "a"], arrays: ["xs", "ys"] }, depth);
  return `def entry (k : R) (a : R) (xs : [R]) (ys : [R]) (rows : [[R]]) : R = ${body}\n`;
}

class Terms {
  #names = 0;

  constructor(private readonly dice: Dice) {}

  number(scope: Scope, fuel: number): string {
    if (fuel <= 0) return chance(this.dice, 0.8) ? pick(this.dice, scope.numbers) : "0.75";
    const inner = (): string => this.number(scope, fuel - 1);
    const [x, y] = [this.#fresh("x"), this.#fresh("y")];
    const withBoth: Scope = { ...scope, numbers: [...scope.numbers, x, y] };
    const array = pick(this.dice, scope.arrays);
    return pick(this.dice, [
      () => `(${inner()} + ${inner()})`,
      () => `(${inner()} * ${inner()})`,
      () => `exp (0.3 * sin (${inner()}))`,
      () => `(${inner()} / (2 + (${inner()}) ^ 2))`,
      // Of a sine: the sine of a large power is ill-conditioned
      () => `sqrt (1 + (sin (${inner()})) ^ ${pick(this.dice, ["2", "4", "6"])})`,
      () => `(if ${this.#condition(scope, fuel - 1)} then ${inner()} else ${inner()})`,
      () => `(if length ${array} > 0 then ${array} ! (length ${array} - 1) else ${inner()})`,
      () => `sum ${this.#array(scope, fuel)}`,
      () => `sum (map (\\${x}. ${this.number({ ...scope, numbers: [...scope.numbers, x, x] }, fuel - 1)}) ${this.#array(scope, fuel - 1)})`,
      () => `sum (zipWith (\\${x} ${y}. ${this.number(withBoth, fuel - 1)}) ${array} ${array})`,
      () => `sum (map (\\${x}. ${this.number({ ...scope, arrays: [...scope.arrays, x, x] }, fuel - 1)}) rows)`,
      () => `(foldl (\\${x} ${y}. 0.5 * ${x} + ${this.number(withBoth, fuel - 1)}) (${inner()}) ${this.#array(scope, fuel - 1)})`,
      () => `(iterate 2 (\\${x}. 0.3 * ${x} + ${this.number({ ...scope, numbers: [...scope.numbers, x] }, fuel - 2)}) (${inner()}))`,
      () => `(let ${x} = ${this.#array(scope, fuel - 1)} in ${this.number({ ...scope, arrays: [...scope.arrays, x, x] }, fuel - 1)})`,
      () => `sum (iterate 2 (\\${x}. ${this.#stencil(x, scope, fuel - 1)}) ${this.#array(scope, fuel - 1)})`,
      () => `(let ${y} = iterate 3 (\\${x}. 0.5 * ${x} + sin ${x}) (${inner()}) in iterate 2 (\\${x}. ${pick(this.dice, [y, `(if ${x} > 0.3 then ${x} else ${y})`])}) (${inner()}))`,
      () => this.#pairs(scope, fuel - 1),
      () => this.#recurrence(scope, fuel - 1),
      () => this.#sequences(scope, fuel - 1),
      () => this.#growing(scope, fuel - 1),
      () => this.#growingRows(scope, fuel - 1),
      () => this.#matrices(scope, fuel - 1),
      () => this.#shrinking(scope, fuel - 1),
      () => this.#shrinkingRows(scope, fuel - 1),
      () => this.#shrinkingPairs(scope, fuel - 1),
      () => this.#branching(scope, fuel - 1),
      () => this.#loop(scope, fuel - 2),
      () => this.#counting(scope, fuel - 2),
      () => this.#painted(scope, fuel - 2),
      () => this.#setting(scope, fuel - 1),
      () => this.#settingRows(scope, fuel - 1),
      () => this.#searching(scope, fuel - 1),
      () => this.#integers(scope, fuel - 1),
      () => `sum (map (\\${x}. sum (build (length ${array} - 1) (\\${y}. toReal ${y} + ${inner()}))) ${array})`,
    ])(); // prettier-ignore
  }

  #loop(scope: Scope, fuel: number): string {
    const [i, x] = [this.#fresh("i"), this.#fresh("x")];
    const within: Scope = { ...scope, numbers: [...scope.numbers, x] };
    const [end, next] = [this.number(within, fuel), this.number(within, fuel)];
    return `(let rec go ${i} ${x} = if ${i} >= 3 || ${x} > 40 then ${end} else go (${i} + 1) (0.4 * ${x} + ${next}) in go 0 (${this.number(scope, fuel)}))`;
  }

  /** A loop that goes up to the length of an array, or down from it, and uses the counter behind it. */
  #counting(scope: Scope, fuel: number): string {
    const [i, s] = [this.#fresh("i"), this.#fresh("s")];
    const array = pick(this.dice, scope.arrays);
    const next = `(0.4 * ${s} + ${array} ! ${i} * ${this.number({ ...scope, numbers: [...scope.numbers, s] }, fuel)})`;
    const end = `0.2 * ${s} * toReal ${i} + ${this.number(scope, fuel)}`;
    const start = this.number(scope, fuel);
    return chance(this.dice, 0.5)
      ? `(let rec go ${i} ${s} = if ${i} ${pick(this.dice, [">=", "=="])} length ${array} then ${end} else go (${i} + 1) ${next} in go 0 (${start}))`
      : `(let rec go ${i} ${s} = if ${i} < 0 then ${end} else go (${i} - 1) ${next} in go (length ${array} - 1) (${start}))`;
  }

  /** A search in what is left between two indices, each time in less of it, which may look outside of its array. */
  #searching(scope: Scope, fuel: number): string {
    const [find, low, high, middle, k] = ["find", "low", "high", "middle", "k"].map((stem) => this.#fresh(stem));
    if (find === undefined || low === undefined || high === undefined || middle === undefined || k === undefined) return "0.5"; // prettier-ignore
    const array = pick(this.dice, scope.arrays);
    const half = `div (${low} + ${high}) 2`;
    const part = pick(this.dice, [half, `${low} + div (${high} - ${low}) ${this.dice.int(2, 4)}`, `div (3 * ${low} + ${high}) 4`]); // prettier-ignore
    const below = pick(this.dice, [middle, `(${middle} - 1)`]);
    const [between, end, up, down] = pick(this.dice, [
      [half, pick(this.dice, [`${high} - ${low} <= 1`, `${high} < ${low} + 2`]), middle, middle],
      [part, `${low} >= ${high}`, `(${middle} + 1)`, below],
    ] as const);
    const next = `if ${array} ! ${middle} < ${this.number(scope, fuel - 1)} then ${find} ${up} ${high} else ${find} ${low} ${down}`;
    const search = `let rec ${find} ${low} ${high} = if ${end} then ${pick(this.dice, [low, high])} else let ${middle} = ${between} in ${next}`;
    const from = pick(this.dice, ["0", "(-1)", "1"]);
    const to = pick(this.dice, [`(length ${array} - 1)`, `(length ${array})`, "2"]);
    const [there, otherwise] = [this.number(scope, fuel - 2), this.number(scope, fuel - 2)];
    return `(${search} in let ${k} = ${find} ${from} ${to} in if ${k} >= 0 && ${k} < length ${array} then ${array} ! ${k} * ${there} else toReal ${k} + 0.5 * ${otherwise})`;
  }

  /** A few iterations that carry two integers, and use them as indices or in tests. */
  #integers(scope: Scope, fuel: number): string {
    const [go, t, i, k, s, a] = ["go", "t", "i", "k", "s", "a"].map((stem) => this.#fresh(stem));
    if (go === undefined || t === undefined || i === undefined || k === undefined || s === undefined || a === undefined) return "0.5"; // prettier-ignore
    const array = pick(this.dice, scope.arrays);
    const operand = (): string => pick(this.dice, [i, k, t, `${this.dice.int(0, 4)}`, `(length ${array})`]);
    const made = pick(this.dice, [
      () => `min ${operand()} ${operand()}`,
      () => `max ${operand()} (${operand()} - ${operand()})`,
      () => `mod ${operand()} ${this.dice.int(1, 4)}`,
      () => `div (${operand()} - ${operand()}) ${pick(this.dice, [2, 3, 4])}`,
      () => `abs (${operand()} - ${operand()})`,
    ])();
    const next = (): string => pick(this.dice, [a, i, k, `(${i} - ${a})`, `(${a} - ${k})`, `(2 * ${i} + 1)`, `(${i} + 1)`, `(if ${s} > 1 then ${i} else ${a})`]); // prettier-ignore
    const index = pick(this.dice, [i, k, a]);
    const inside: Scope = { ...scope, numbers: [...scope.numbers, s] };
    const used = pick(this.dice, [
      `(if ${index} >= 0 && ${index} < length ${array} then ${array} ! ${index} else 0.5)`,
      `(if ${index} ${pick(this.dice, ["==", "<", ">="])} ${this.dice.int(0, 3)} then 0.7 else ${this.number(inside, fuel)})`,
      `${array} ! ${index}`,
    ]);
    return `(let rec ${go} ${t} ${i} ${k} ${s} = if ${t} <= 0 then ${s} else let ${a} = ${made} in ${go} (${t} - 1) ${next()} ${next()} (0.4 * ${s} + ${used}) in ${go} ${this.dice.int(1, 5)} ${this.dice.int(0, 2)} 0 (${this.number(scope, fuel - 2)}))`;
  }

  /** Iterations that leave some elements as they are, and put something else in the place of others. */
  #painted(scope: Scope, fuel: number): string {
    const [p, t, x] = [this.#fresh("p"), this.#fresh("t"), this.#fresh("x")];
    const inside: Scope = { ...scope, numbers: [...scope.numbers, t, x] };
    const other = pick(this.dice, ["2", "k", t, `0.5 * ${x}`, this.number(inside, fuel)]);
    return `sum (foldl (\\${p} ${t}. map (\\${x}. if ${this.#condition(inside, fuel)} then ${x} else ${other}) ${p}) ${this.#array(scope, fuel)} ${this.#array(scope, fuel)})`;
  }

  /** Iterations that set elements of an array that they carry, all of them or some, in one loop or in loops inside of others. */
  #setting(scope: Scope, fuel: number): string {
    const [v, i, w, all] = ["v", "i", "w", "all"].map((stem) => this.#fresh(stem));
    if (v === undefined || i === undefined || w === undefined || all === undefined) return "0.5";
    const place = pick(this.dice, [i, `(length ${v} - 1 - ${i})`, `(mod (${i} + 1) (length ${v}))`, "0"]);
    const other = pick(this.dice, [i, `(mod (2 * ${i}) (length ${v}))`, "0"]);
    const inside: Scope = { ...scope, arrays: [...scope.arrays, v] };
    const value = pick(this.dice, ["1", "k", `0.5 * ${v} ! ${other}`, `0.4 * ${v} ! ${place} + 0.1 * ${this.number(scope, fuel - 2)}`, `0.1 * ${this.number(inside, fuel - 2)}`]); // prettier-ignore
    const set = `set ${place} (${value}) ${v}`;
    const isLarger = `${v} ! ${place} > ${v} ! ${other}`;
    const step = pick(this.dice, [
      set,
      `(if ${isLarger} then ${set} else ${v})`,
      `(if ${this.#condition(inside, fuel - 2)} then ${v} else ${set})`,
      `(if ${isLarger} then set ${place} (${v} ! ${other}) (set ${other} (${v} ! ${place}) ${v}) else ${v})`,
      `(let ${w} = ${set} in if ${w} ! ${other} > 0.3 then set ${other} (0.5 * ${w} ! ${place}) ${w} else ${w})`,
      `(if ${isLarger} then ${set} else map (\\e. 0.9 * e) ${v})`,
    ]);
    const loop = (array: string): string => `foldl (\\${v} ${i}. ${step}) ${array} (range 0 (length ${array} - 1))`;
    const array = pick(this.dice, scope.arrays);
    const after = this.number({ ...scope, arrays: [...scope.arrays, all, all] }, fuel - 2);
    return pick(this.dice, [
      `sum (${loop(array)})`,
      `(let ${all} = ${loop(array)} in sum ${all} + 0.5 * ${after})`,
      `(let ${all} = iterate 3 (\\u. ${loop("u")}) ${array} in sum ${all} + 0.5 * ${after})`,
      `(let ${all} = foldl (\\u row. zipWith (\\p q. 0.5 * p + q) (${loop("u")}) u) ${array} rows in sum ${all} + 0.5 * ${after})`,
      `sum (map (\\row. sum (${loop("row")})) rows)`,
    ]);
  }

  /** A fold that sets rows of a matrix, to what is made of its rows or to others. */
  #settingRows(scope: Scope, fuel: number): string {
    const [m, i, all] = ["m", "i", "all"].map((stem) => this.#fresh(stem));
    if (m === undefined || i === undefined || all === undefined) return "0.5";
    const place = pick(this.dice, [i, `(length ${m} - 1 - ${i})`, `(mod (2 * ${i}) (length ${m}))`, "0"]);
    const other = pick(this.dice, [i, `(mod (${i} + 1) (length ${m}))`, "0"]);
    const inside: Scope = { ...scope, arrays: [...scope.arrays, `(${m} ! ${other})`] };
    const row = pick(this.dice, [
      `(${m} ! ${other})`,
      `(rows ! ${other})`,
      `(map (\\e. 0.5 * e + ${this.number(scope, fuel - 2)}) (${m} ! ${place}))`,
      `(zipWith (\\p q. 0.5 * p * q + q) (${m} ! ${place}) (${m} ! ${other}))`,
      `(set 0 (${this.number(inside, fuel - 2)}) (${m} ! ${place}))`,
    ]);
    const set = `set ${place} ${row} ${m}`;
    const step = pick(this.dice, [
      set,
      `(if ${m} ! ${place} ! 0 > ${m} ! ${other} ! 0 then ${set} else ${m})`,
      `(let ${all} = ${set} in set ${other} (map (\\e. 0.7 * e) (${all} ! ${place})) ${all})`,
    ]);
    const loop = (rows: string): string => `foldl (\\${m} ${i}. ${step}) ${rows} (range 0 (length rows - 1))`;
    const after = this.number({ ...scope, arrays: [...scope.arrays, `(${all} ! 0)`] }, fuel - 2);
    const sum = `sum (map (\\row. sum (map tanh row)) ${all}) + 0.5 * ${after}`;
    return pick(this.dice, [
      `(let ${all} = ${loop("rows")} in ${sum})`,
      `(let ${all} = iterate 3 (\\u. ${loop("u")}) rows in ${sum})`,
      `(let ${all} = ${loop("(map (map (\\e. 0.5 * e)) rows)")} in ${sum})`,
    ]);
  }

  /** A fold over rows whose state is an array that each iteration makes anew. */
  #recurrence(scope: Scope, fuel: number): string {
    const [h, row, i] = [this.#fresh("h"), this.#fresh("row"), this.#fresh("i")];
    const inside = this.number({ ...scope, arrays: [...scope.arrays, h, row] }, fuel - 1);
    const start = pick(this.dice, [
      "[0, 0, 0]",
      `build 3 (\\${i}. ${this.number(scope, fuel - 2)})`,
      "build 3 (\\_. 0)",
    ]);
    return `sum (foldl (\\${h} ${row}. build 3 (\\${i}. sin (${h} ! ${i} * ${h} ! mod (${i} + 1) 3 + sum ${row}) + 0.1 * ${inside})) (${start}) rows)`;
  }

  /** For each row a fold over its elements, all of which begin with the same array. */
  #sequences(scope: Scope, fuel: number): string {
    const [start, row, h, y, i] = ["start", "row", "h", "y", "i"].map((stem) => this.#fresh(stem));
    if (start === undefined || row === undefined || h === undefined || y === undefined || i === undefined) return "0.5"; // prettier-ignore
    const first = pick(this.dice, [this.#array(scope, fuel - 1), `(build 3 (\\${i}. 0.5 * toReal ${i}))`, "[0, 0, 0]"]);
    const inside: Scope = { numbers: [...scope.numbers, y, y], arrays: [...scope.arrays, row] };
    const last = pick(this.dice, [`sum ${h}`, `sum (softmax ${h})`, `dot ${h} ${start}`]);
    return `(let ${start} = ${first} in sum (map (\\${row}. let ${h} = foldl (\\${h} ${y}. ${this.#stencil(h, inside, fuel - 1)}) ${start} ${row} in ${last}) rows))`;
  }

  /** An array that each iteration makes longer by a number, out of those that are there. */
  #growing(scope: Scope, fuel: number): string {
    const [acc, x, all] = [this.#fresh("acc"), this.#fresh("x"), this.#fresh("all")];
    const inside = this.number({ numbers: [...scope.numbers, x], arrays: [...scope.arrays, acc, acc] }, fuel - 1);
    const start = pick(this.dice, ["[]", "[0.5]", `[${this.number(scope, fuel - 2)}]`, this.#array(scope, fuel - 2)]);
    const old = `(if length ${acc} > 0 then ${acc} ! mod ${this.dice.int(0, 5)} (length ${acc}) else k)`;
    const after: Scope = { ...scope, arrays: [...scope.arrays, all, all] };
    return `(let ${all} = foldl (\\${acc} ${x}. append ${acc} [0.3 * ${inside} + 0.2 * ${old}]) (${start}) ${this.#array(scope, fuel - 2)} in sum ${all} + 0.5 * ${this.number(after, fuel - 1)})`;
  }

  /** Rows that each iteration makes longer by one, out of those that are there. */
  #growingRows(scope: Scope, fuel: number): string {
    const [acc, row, all] = [this.#fresh("acc"), this.#fresh("row"), this.#fresh("all")];
    const inside: Scope = { ...scope, arrays: [...scope.arrays, row, row] };
    const old = `(if length ${acc} > 0 then sum (${acc} ! mod ${this.dice.int(0, 5)} (length ${acc})) else k)`;
    const start = pick(this.dice, ["[]", `[${this.#array(scope, fuel - 2)}]`, "rows"]);
    const next = `map (\\y. 0.3 * y + 0.1 * ${old} + 0.1 * ${this.number(inside, fuel - 2)}) ${pick(this.dice, [row, `(append ${row} [0.5])`])}`;
    return `(let ${all} = foldl (\\${acc} ${row}. append ${acc} [${next}]) (${start}) rows in sum (map sum ${all}))`;
  }

  /** Iterations that carry rows, and make them anew, hand some on, or both. */
  #matrices(scope: Scope, fuel: number): string {
    const [m, row, last] = [this.#fresh("m"), this.#fresh("row"), this.#fresh("last")];
    const start = pick(this.dice, ["rows", "[xs, ys]", `[${this.#array(scope, fuel - 2)}, xs]`, `(build 2 (\\i. build 3 (\\j. toReal (i + j) * ${this.number(scope, fuel - 2)})))`]); // prettier-ignore
    const inside: Scope = { ...scope, arrays: [...scope.arrays, row] };
    const loop = pick(this.dice, [
      () => `iterate 3 (\\${m}. ${this.#nextRows(m, scope, fuel)}) ${start}`,
      () => `foldl (\\${m} ${row}. ${this.#nextRows(m, inside, fuel)}) ${start} rows`,
      () => `foldl (\\${m} ${row}. iterate 2 (\\g. ${this.#nextRows("g", inside, fuel)}) ${m}) ${start} rows`,
    ])();
    const kept = pick(this.dice, [`sum (map sum ${last})`, `(if length ${last} > 0 then sum (${last} ! 0) else a)`]);
    return `(let ${last} = ${loop} in ${kept})`;
  }

  #nextRows(m: string, scope: Scope, fuel: number): string {
    const [row, x] = [this.#fresh("row"), this.#fresh("x")];
    const inside: Scope = { numbers: [...scope.numbers, x], arrays: [...scope.arrays, row] };
    const element = this.number(inside, fuel - 2);
    return pick(this.dice, [
      () => `map (\\${row}. map (\\${x}. 0.3 * ${x} + 0.1 * ${element}) ${row}) ${m}`,
      () => `build (length ${m}) (\\i. map (\\${x}. 0.3 * ${x} + 0.1 * sin (sum (${m} ! mod (i + 1) (length ${m})))) (${m} ! i))`,
      () => `build (length ${m}) (\\i. ${m} ! (length ${m} - 1 - i))`,
      () => `map (\\${row}. map (\\${x}. 0.5 * ${x}) (${m} ! 0)) ${m}`,
      () => `map (\\${row}. ${m} ! 0) ${m}`,
      () => `zipWith (\\${row} q. zipWith (\\${x} y. 0.5 * ${x} * y + 0.1 * ${element}) ${row} q) ${m} ${m}`,
      () => `map (\\${row}. build (length ${row}) (\\j. 0.4 * ${row} ! (length ${row} - 1 - j))) ${m}`,
      () => `(if ${this.#condition(scope, fuel - 2)} then ${m} else ${this.#nextRows(m, scope, fuel - 1)})`,
      () => `build 2 (\\i. build 2 (\\j. toReal (i - j) + 0.1 * sum (map sum ${m})))`,
      () => `(let ${row} = ${this.#nextRows(m, scope, fuel - 1)} in zipWith (\\p q. append p q) ${row} ${row})`,
    ])(); // prettier-ignore
  }

  /** A recursion that takes an element away, from one end or from the other, until there is none, or one. */
  #shrinking(scope: Scope, fuel: number): string {
    const [go, v, x] = [this.#fresh("go"), this.#fresh("v"), this.#fresh("x")];
    const inside: Scope = { numbers: [...scope.numbers, x], arrays: [...scope.arrays, v] };
    const element = this.number(inside, fuel - 2);
    const rest = pick(this.dice, [
      `map (\\${x}. 0.4 * ${x} + 0.1 * ${element}) (slice 1 (length ${v}) ${v})`,
      `build (length ${v} - 1) (\\i. 0.3 * ${v} ! i * ${v} ! (i + 1))`,
      `slice 0 (length ${v} - 1) ${v}`,
    ]);
    return this.#recursion(go, v, `0.4 * ${v} ! 0`, rest, this.number({ ...scope, arrays: [...scope.arrays, v] }, fuel - 2), pick(this.dice, scope.arrays)); // prettier-ignore
  }

  /** The same of rows. */
  #shrinkingRows(scope: Scope, fuel: number): string {
    const [go, m, row, x] = [this.#fresh("go"), this.#fresh("m"), this.#fresh("row"), this.#fresh("x")];
    const inside: Scope = { numbers: [...scope.numbers, x], arrays: [...scope.arrays, row] };
    const element = this.number(inside, fuel - 2);
    const rest = pick(this.dice, [
      `map (\\${row}. map (\\${x}. 0.4 * ${x} + 0.1 * ${element} * sum (${m} ! 0)) ${row}) (slice 1 (length ${m}) ${m})`,
      `build (length ${m} - 1) (\\i. map (\\${x}. 0.3 * ${x} + sum (${m} ! (i + 1))) (${m} ! i))`,
      `build (length ${m} - 1) (\\i. build (length ${m} - 1) (\\j. 0.1 * toReal (i * j) * sum (${m} ! i)))`,
      `slice 1 (length ${m}) ${m}`,
      `map (\\${row}. append ${row} [${element.replaceAll(x, "k")}]) (slice 0 (length ${m} - 1) ${m})`,
    ]);
    const start = pick(this.dice, ["rows", "rows", "[xs, ys]", "(map (\\r. map sin r) rows)"]);
    return this.#recursion(go, m, `0.3 * sum (${m} ! 0)`, rest, this.number(scope, fuel - 2), start);
  }

  /** The same of pairs. */
  #shrinkingPairs(scope: Scope, fuel: number): string {
    const [go, v, p, q] = [this.#fresh("go"), this.#fresh("v"), this.#fresh("p"), this.#fresh("q")];
    const inside: Scope = { ...scope, numbers: [...scope.numbers, p, q] };
    const rest = pick(this.dice, [
      `slice 1 (length ${v}) ${v}`,
      `drop 2 ${v}`,
      `map (\\(${p}, ${q}). (0.3 * ${q}, ${p} + 0.1 * ${this.number(inside, fuel - 2)})) (drop 1 ${v})`,
      `build (length ${v} - 1) (\\i. (fst (${v} ! i), 0.5 * snd (${v} ! (i + 1))))`,
    ]);
    const array = pick(this.dice, scope.arrays);
    return this.#recursion(go, v, `0.4 * fst (${v} ! 0) * snd (${v} ! 0)`, rest, this.number(scope, fuel - 2), `(zip ${array} ${array})`); // prettier-ignore
  }

  #recursion(go: string, v: string, first: string, rest: string, end: string, start: string): string {
    const s = this.#fresh("s");
    const isEmpty = `length ${v} ${pick(this.dice, ["== 0", "< 1", "<= 0"])}`;
    return pick(this.dice, [
      () => `(let rec ${go} ${v} = if ${isEmpty} then ${end} else ${first} + 0.5 * ${go} (${rest}) in ${go} ${start})`,
      () =>
        `(let rec ${go} ${v} ${s} = if ${isEmpty} then ${s} * ${end} else ${go} (${rest}) (0.5 * ${s} + ${first}) in ${go} ${start} a)`,
      () =>
        `(if length ${start} == 0 then k else let rec ${go} ${v} = if length ${v} ${pick(this.dice, ["== 1", "<= 1", "< 2"])} then ${first} * ${end} else ${first} + ${go} (${rest}) in ${go} ${start})`,
      () =>
        `(if length ${start} > 0 then let rec ${go} ${v} ${s} = let x = ${first} + ${s} in if length ${v} == 1 then x * ${end} else ${go} (${rest}) (0.5 * x) in ${go} ${start} 0.5 else a)`,
      () =>
        `(let (${v}, ${s}) = foldl (\\(${v}, ${s}) _. (${rest}, 0.5 * ${s} + ${first})) (${start}, k) ${start} in ${s} * ${end})`,
    ])();
  }

  /** A recursion that calls itself several times, with arrays or rows that it has made, and with those that it has got. */
  #branching(scope: Scope, fuel: number): string {
    const [go, d, v, s, x] = ["go", "d", "v", "s", "x"].map((stem) => this.#fresh(stem));
    if (go === undefined || d === undefined || v === undefined || s === undefined || x === undefined) return "0.5";
    const isOfRows = chance(this.dice, 0.5);
    const numbers = [...scope.numbers, s];
    const inside: Scope = isOfRows ? { ...scope, numbers } : { numbers, arrays: [...scope.arrays, v, v] };
    const number = (): string => this.number(inside, fuel - 2);
    const all = isOfRows ? `sum (map sum ${v})` : `sum ${v}`;
    const first = isOfRows
      ? `(if length ${v} > 0 then sum (${v} ! 0) else k)`
      : `(if length ${v} > 0 then ${v} ! 0 else k)`;
    const arrays = [
      v,
      `map (\\${x}. 0.5 * ${x} + ${number()}) ${v}`,
      `build (max 0 (length ${v} - 1)) (\\${x}. if ${x} < ${d} then ${v} ! ${x} else ${v} ! (${x} + 1))`,
      `(if ${this.#condition(inside, fuel - 2)} then ${v} else map (\\${x}. 0.4 * ${x}) ${v})`,
      `append ${v} [0.5 * ${s}]`,
      `(let w = ${go} 0 ${s} ${v} in map (\\${x}. 0.3 * ${x} * w) ${v})`,
    ];
    const rows = [
      v,
      `map (\\r. map (\\${x}. 0.5 * ${x} + 0.1 * ${number()}) r) ${v}`,
      `build (max 0 (length ${v} - 1)) (\\i. build (max 0 (length (${v} ! (i + 1)) - 1)) (\\${x}. if ${x} < ${d} then ${v} ! (i + 1) ! ${x} else 0.4 * ${v} ! (i + 1) ! (${x} + 1)))`,
      `slice 0 (min 2 (length ${v})) ${v}`,
      `(if ${this.#condition(inside, fuel - 2)} then ${v} else map (\\r. map (\\${x}. 0.4 * ${x}) r) ${v})`,
      `build (length ${v}) (\\i. ${v} ! (length ${v} - 1 - i))`,
    ];
    const call = (): string => `${go} (${d} - 1) (0.5 * ${number()}) (${pick(this.dice, isOfRows ? rows : arrays)})`;
    const next = pick(this.dice, [
      () => `0.4 * ${call()} + 0.3 * ${call()}`,
      () => `${first} * ${call()} - ${call()}`,
      () => `sum (build 2 (\\i. toReal (i + 1) * ${call()}))`,
      () => `(let u = ${call()} in u * 0.2 * ${first} + ${call()})`,
      () => `(if ${this.#condition(inside, fuel - 2)} then ${call()} * ${s} else 0.5 * ${all} + ${call()})`,
    ])();
    const end = pick(this.dice, [s, all, first, `${s} * ${all}`]);
    const start = isOfRows ? pick(this.dice, ["rows", "(map (\\r. map sin r) rows)", "[xs, ys]"]) : this.#array(scope, fuel - 2); // prettier-ignore
    const used = isOfRows ? `sum (map sum m)` : `m ! 0`;
    const made = isOfRows ? `map (\\r. map (\\e. e * q) r) rows` : `build 3 (\\j. q + toReal j)`;
    const whole = pick(this.dice, [
      `${go} 2 (${this.number(scope, fuel - 2)}) ${start}`,
      `sum (map (\\q. let m = ${made} in ${go} 1 q m * ${used}) xs)`,
    ]);
    return `(let rec ${go} ${d} ${s} ${v} = if ${d} <= 0 then ${end} else ${next} in ${whole})`;
  }

  /** Iterations that carry two arrays, and make one or both of them anew. */
  #pairs(scope: Scope, fuel: number): string {
    const [f, i, u, v, p, q] = ["f", "i", "u", "v", "p", "q"].map((stem) => this.#fresh(stem));
    if (f === undefined || i === undefined || u === undefined || v === undefined || p === undefined || q === undefined) return "0.5"; // prettier-ignore
    const inner: Scope = { ...scope, arrays: [...scope.arrays, u, v] };
    const iteration = pick(this.dice, [
      () => `(${v}, ${this.#stencil(u, inner, fuel)})`,
      () => `(${this.#stencil(v, inner, fuel)}, ${u})`,
      () => `(${this.#array(inner, fuel)}, ${this.#stencil(v, inner, fuel)})`,
      () => `(let ${i} = ${this.#array(inner, fuel)} in (${i}, ${i}))`,
      () => `(if ${this.#condition(inner, fuel - 2)} then (${v}, ${u}) else (${u}, ${this.#stencil(v, inner, fuel)}))`,
      () => `(iterate 2 (\\${i}. ${this.#stencil(i, inner, fuel - 1)}) ${u}, ${v})`,
      () => `(map (\\${i}. 0.5 * ${i}) ${u}, build (length ${u}) (\\${i}. 0.1 * toReal ${i} + ${this.number(inner, fuel - 2)}))`,
      () => `(let ${i} = iterate 2 (\\g. map (\\e. e + 0.1 * sum g) g) ${v} in (build (length ${v}) (\\_. 0.2 * sum ${i}), append ${u} ${v}))`,
      () => `(let (g, h) = iterate 2 (\\(g, h). (map sin g, build (length g) (\\e. if e < length h then 0.5 * h ! e else 0.4))) (${u}, ${v}) in (g, append ${v} h))`,
      () => `(build (length ${v} + 1) (\\${i}. if ${i} > 0 then 0.3 * ${v} ! (${i} - 1) else ${this.number(inner, fuel - 2)}), ${u})`,
    ])(); // prettier-ignore
    const start = this.#array(scope, fuel - 2);
    const other = chance(this.dice, 0.5) ? start : this.#array(scope, fuel - 2);
    const after: Scope = { ...scope, arrays: [...scope.arrays, p, q, p, q] };
    return `(let ${f} (${u}, ${v}) = ${iteration} in let (${p}, ${q}) = iterate 3 ${f} (${start}, ${other}) in sum ${p} + 0.5 * ${this.number(after, fuel - 1)})`;
  }

  /** The next array of an iteration: the ends in one way, the others with their neighbours; or all of them on a ring. */
  #stencil(array: string, scope: Scope, fuel: number): string {
    const [n, i] = [this.#fresh("n"), this.#fresh("i")];
    const inside = this.number({ ...scope, arrays: [...scope.arrays, array] }, fuel - 1);
    if (chance(this.dice, 0.4)) {
      const [left, right] = [pick(this.dice, [1, 2]), pick(this.dice, [1, 5])];
      return `let ${n} = length ${array} in build ${n} (\\${i}. 0.3 * ${array} ! mod (${i} - ${left}) ${n} * sin (${array} ! mod (${i} + ${right}) ${n}) + 0.1 * ${inside})`;
    }
    return `let ${n} = length ${array} in build ${n} (\\${i}. if ${i} == 0 || ${i} == ${n} - 1 then 0.5 * ${array} ! ${i} else 0.2 * (${array} ! (${i} - 1) + ${array} ! (${i} + 1)) + 0.1 * ${inside})`;
  }

  #array(scope: Scope, fuel: number): string {
    const array = pick(this.dice, scope.arrays);
    if (fuel <= 0) return array;
    const x = this.#fresh("x");
    const element = (name: string): string => this.number({ ...scope, numbers: [...scope.numbers, name, name] }, fuel - 1); // prettier-ignore
    return pick(this.dice, [
      () => array,
      () => `(softmax ${array})`,
      () => `(map (\\${x}. ${element(x)}) ${this.#array(scope, fuel - 1)})`,
      () => `(build (length ${array}) (\\${x}. ${array} ! ${x} * ${this.number(scope, fuel - 1)}))`,
      () => `[${this.number(scope, fuel - 1)}, ${this.number(scope, fuel - 2)}]`,
    ])();
  }

  #condition(scope: Scope, fuel: number): string {
    const test = (): string => `${this.number(scope, fuel - 1)} ${pick(this.dice, ["<", ">"])} ${this.number(scope, 0)}`; // prettier-ignore
    if (fuel <= 0 || chance(this.dice, 0.5)) return test();
    return `(${this.#condition(scope, fuel - 1)} ${pick(this.dice, ["&&", "||"])} ${this.#condition(scope, fuel - 1)})`;
  }

  #fresh(stem: string): string {
    this.#names += 1;
    return `${stem}${this.#names}`;
  }
}
