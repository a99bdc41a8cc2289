// Random models over lists: functions that look at the first cells of a list or at several, and go on at any of the places behind them, by themselves, by each
// other and by functions of the prelude; lists of numbers, of pairs, of lists, and of numbers with a label and a count.

import type { Value } from "./random-arguments.js";
import { chance, pick, weighted, type Dice } from "./random-dice.js";

/** Variables in scope: numbers, and places in lists. */
interface Scope {
  readonly numbers: readonly string[];
  readonly lists: readonly string[];
}

/** A function over lists: `f s l m`, of a number, a list that it goes along, and another one. */
interface Walk {
  readonly name: string;
  readonly result: "number" | "list";
}

/** How deep terms are. */
const depth = 3;

/** Arguments that a model is run on: some lists with cells, some without. */
export const argumentsOfWalks: readonly Readonly<Record<string, Value>>[] = [
  { k: 0.7, l: listOf([0.5, -1.2, 0.9, 0.31]), m: listOf([1.1, 0.3, -0.4]), ls: listOf([listOf([0.2, 0.8]), listOf([]), listOf([1.5, -0.3, 0.6])]), ps: listOf([[0.4, 1.3], [-0.6, 0.25]]), qs: listOf([[0.6, true, 2], [-1.1, false, 0], [0.35, true, -1], [1.4, false, 3]]) },
  { k: -0.4, l: listOf([1.7]), m: listOf([]), ls: listOf([listOf([0.45])]), ps: listOf([[0.9, -0.8]]), qs: listOf([[0.8, false, 1]]) },
  { k: 1.3, l: listOf([]), m: listOf([-0.7, 0.35]), ls: listOf([]), ps: listOf([]), qs: listOf([]) },
]; // prettier-ignore

function listOf(items: readonly Value[]): Value {
  return items.reduceRight<Value>((rest, item) => ({ tag: "Cons", _0: item, _1: rest }), { tag: "Nil" });
}

/** A model whose last definition is `entry`. */
export function randomWalks(dice: Dice): string {
  const walks: Walk[] = [];
  const lines: string[] = [];
  for (let count = dice.int(1, 3); count > 0; count--) {
    const walk: Walk = { name: `f${walks.length}`, result: chance(dice, 0.6) ? "number" : "list" };
    lines.push(new Terms(dice, walks).definition(walk));
    walks.push(walk);
  }
  const terms = new Terms(dice, walks);
  const stack = chance(dice, 0.4) ? [terms.stack()] : [];
  const marks = chance(dice, 0.4) ? [terms.marks()] : [];
  return [...lines, ...stack, ...marks, terms.entry(stack.length > 0, marks.length > 0)].join("\n") + "\n";
}

class Terms {
  #names = 0;

  constructor(
    private readonly dice: Dice,
    private readonly walks: readonly Walk[],
  ) {}

  definition(walk: Walk): string {
    const result = walk.result === "list" ? "List R" : "R";
    const scope: Scope = { numbers: ["s"], lists: ["l", "m"] };
    return `def ${walk.name} (s : R) (l : List R) (m : List R) : ${result} = ${this.#walking(walk, scope)}`;
  }

  /** A function over a list that gets longer and shorter, which stays one; what it calls may be what others call with lists that are arrays. */
  stack(): string {
    const last = this.#number({ numbers: ["s"], lists: ["kept", "kept", "m"] }, depth);
    const shorter = "case kept of { a :: b :: more -> stack s rest (a * b :: more) m; _ -> stack s rest kept m }";
    return `def stack (s : R) (l : List R) (kept : List R) (m : List R) : R = case l of { x :: rest -> (if x > 0.2 * s then stack s rest (x * s :: kept) m else ${shorter}); Nil -> ${last} }`;
  }

  /** A function over cells with a label and a count, some of which it makes, keeps or skips. */
  marks(): string {
    const scope: Scope = { numbers: ["s", "x", "x"], lists: ["m"] };
    const test = (): string => pick(this.dice, ["on", "n > 1", "not on && n == 0", this.#condition(scope), "(case kept of { (_, was, _) :: _ -> was; Nil -> on })"]); // prettier-ignore
    const cell = (): string => `(${this.#number(scope, 1)}, ${pick(this.dice, ["on", "not on", "n > 0"])}, ${pick(this.dice, ["n", "1", "n + 1"])})`; // prettier-ignore
    const iteration = (fuel: number): string =>
      weighted(this.dice, [
        [2, () => `marks (${this.#number(scope, 1)}) rest kept m`],
        [2, () => `marks s rest (${cell()} :: kept) m`],
        [1, () => `(case kept of { (y, _, count) :: more -> x * y * toReal count + marks s rest more m; Nil -> marks s rest kept m })`], // prettier-ignore
        [2, () => `${this.#number(scope, 1)} + 0.5 * marks s rest kept m`],
        [fuel > 0 ? 4 : 0, () => `(if ${test()} then ${iteration(fuel - 1)} else ${iteration(fuel - 1)})`],
      ]);
    const end = pick(this.dice, [
      "s",
      "listSum (listMap (\\(x, on, n). if on then x * toReal n else s) kept)",
      "listSum m",
    ]);
    return `def marks (s : R) (qs : List (R, Bool, Z)) (kept : List (R, Bool, Z)) (m : List R) : R = case qs of { (x, on, n) :: rest -> ${iteration(2)}; Nil -> ${end} }`;
  }

  /** A list of what cells with a label and a count are. */
  #marked(): string {
    const scope: Scope = { numbers: ["k", "x"], lists: ["l"] };
    return pick(this.dice, [
      () => "qs",
      () => `(listFilter (\\(x, on, n). ${pick(this.dice, ["on", "n > 0", this.#condition(scope)])}) qs)`,
      () => `(listMap (\\(x, on, n). (${this.#number(scope, 2)}, not on, n * 2)) qs)`,
    ])();
  }

  entry(hasStack: boolean, hasMarks: boolean): string {
    const [row, x, y] = [this.#fresh("row"), this.#fresh("x"), this.#fresh("y")];
    const scope: Scope = { numbers: ["k"], lists: ["l", "m"] };
    const ofRow = this.#number({ ...scope, lists: [...scope.lists, row, row] }, depth - 1);
    const ofPair = this.#number({ ...scope, numbers: [...scope.numbers, x, y] }, depth - 1);
    const ofLabelled = this.#number({ ...scope, numbers: [...scope.numbers, x, x, "toReal n"] }, depth - 1);
    const parts = [
      this.#number(scope, depth),
      `listSum (listMap (\\${row}. ${ofRow}) ls)`,
      `listFoldl (\\s (${x}, ${y}). 0.5 * s + ${ofPair}) k ps`,
      `listFoldl (\\s (${x}, on, n). if on then 0.5 * s + ${ofLabelled} else s * toReal n) k ${this.#marked()}`,
      "(case ls of { a :: rest -> (case rest of { b :: _ -> listSum (listZipWith (\\x y. x * y) a b); Nil -> listSum a }); Nil -> k })",
      "(case ps of { (x, y) :: rest -> (case rest of { (u, v) :: _ -> x * v - u * y; Nil -> x + y }); Nil -> 0.5 })",
    ];
    const some = parts.filter(() => chance(this.dice, 0.5));
    if (hasStack) some.push("stack k l Nil m");
    if (hasMarks) some.push(`marks k ${this.#marked()} ${pick(this.dice, ["Nil", "qs"])} m`);
    const sum = some.length === 0 ? (parts[0] ?? "k") : some.join(" + ");
    return `def entry (k : R) (l : List R) (m : List R) (ls : List (List R)) (ps : List (R, R)) (qs : List (R, Bool, Z)) : R = ${sum}`;
  }

  /** What a function does with `l`, which has to get shorter. */
  #walking(walk: Walk, scope: Scope): string {
    const [x, rest] = [this.#fresh("x"), this.#fresh("rest")];
    const inside: Scope = { numbers: [...scope.numbers, x, x], lists: [...scope.lists, rest] };
    return `case l of { Nil -> ${this.#end(walk, scope)}; ${x} :: ${rest} -> ${this.#iteration(walk, inside, [rest], 2)} }`;
  }

  /** `further`: the places behind the first cell of `l`. */
  #iteration(walk: Walk, scope: Scope, further: readonly string[], fuel: number): string {
    const again = (more: Scope = scope): string =>
      `${walk.name} (${this.#number(more, 1)}) ${pick(this.dice, further)} ${pick(this.dice, more.lists)}`;
    const next = (): string => this.#iteration(walk, scope, further, fuel - 1);
    const choices: (readonly [number, () => string])[] = [[1, () => this.#end(walk, scope)]];
    if (walk.result === "list") choices.push([3, () => `${this.#number(scope, 1)} :: ${again()}`], [2, again]);
    else {
      choices.push([3, again]);
      choices.push([2, () => `0.5 * ${pick(this.dice, scope.numbers)} + ${this.#number(scope, 1)} * ${again()}`]);
      choices.push([1, () => `sin (${again()}) * 0.3 + 0.2 * ${again()}`]);
    }
    if (fuel > 0) {
      choices.push([2, () => `if ${this.#condition(scope)} then ${next()} else ${next()}`]);
      choices.push([3, () => this.#ahead(walk, scope, further, fuel)]);
      choices.push([
        1,
        () => {
          const x = this.#fresh("x");
          const inside: Scope = { ...scope, numbers: [...scope.numbers, x] };
          return `let ${x} = ${this.#number(scope, 2)} in ${this.#iteration(walk, inside, further, fuel - 1)}`;
        },
      ]);
    }
    return `(${weighted(this.dice, choices)})`;
  }

  /** Looks at a further cell. */
  #ahead(walk: Walk, scope: Scope, further: readonly string[], fuel: number): string {
    const [y, more] = [this.#fresh("y"), this.#fresh("more")];
    const [list, last] = [pick(this.dice, scope.lists), pick(this.dice, further)];
    const at = chance(this.dice, 0.6) ? last : list;
    const inside: Scope = { numbers: [...scope.numbers, y, y], lists: [...scope.lists, more] };
    const behind = at === last ? [...further, more] : further;
    const without = this.#iteration(walk, scope, further, 0);
    return `case ${at} of { ${y} :: ${more} -> ${this.#iteration(walk, inside, behind, fuel - 1)}; Nil -> ${chance(this.dice, 0.6) ? this.#end(walk, scope) : without} }`;
  }

  #end({ result }: Walk, scope: Scope): string {
    if (result === "number") return chance(this.dice, 0.5) ? "s" : this.#number(scope, 1);
    return chance(this.dice, 0.8) ? "Nil" : pick(this.dice, scope.lists);
  }

  #number(scope: Scope, fuel: number): string {
    const known = pick(this.dice, scope.numbers);
    if (fuel <= 0) return chance(this.dice, 0.8) ? known : "0.75";
    const inner = (): string => this.#number(scope, fuel - 1);
    const list = pick(this.dice, scope.lists);
    const [x, y] = [this.#fresh("x"), this.#fresh("y")];
    const within = (...names: readonly string[]): string => this.#number({ ...scope, numbers: [...scope.numbers, ...names] }, fuel - 1); // prettier-ignore
    return pick(this.dice, [
      () => known,
      () => `(${inner()} + ${inner()})`,
      () => `(${inner()} * ${inner()})`,
      () => `sin (${inner()})`,
      () => `(${inner()} / (2 + (${inner()}) ^ 2))`,
      () => `(if ${this.#condition(scope)} then ${inner()} else ${inner()})`,
      () => `listSum ${this.#list(scope, fuel)}`,
      () => `listSum (listMap (\\${x}. ${within(x)}) ${this.#list(scope, fuel - 1)})`,
      () => `(listFoldl (\\${x} ${y}. 0.5 * ${x} + ${within(x, y)}) (${inner()}) ${this.#list(scope, fuel - 1)})`,
      () => `(case ${list} of { ${x} :: ${y} -> ${within(x)} * listSum ${y}; Nil -> ${inner()} })`,
      () => this.#call("number", scope, fuel) ?? known,
    ])();
  }

  #list(scope: Scope, fuel: number): string {
    const list = pick(this.dice, scope.lists);
    if (fuel <= 0) return list;
    const [x, y] = [this.#fresh("x"), this.#fresh("y")];
    const within = (...names: readonly string[]): string => this.#number({ ...scope, numbers: [...scope.numbers, ...names] }, fuel - 1); // prettier-ignore
    return pick(this.dice, [
      () => list,
      () => `(listMap (\\${x}. ${within(x)}) ${list})`,
      () => `(listFilter (\\${x}. ${this.#condition({ ...scope, numbers: [...scope.numbers, x, x] })}) ${list})`,
      () => `(listZipWith (\\${x} ${y}. ${within(x, y)}) ${list} ${pick(this.dice, scope.lists)})`,
      () => this.#call("list", scope, fuel) ?? list,
      () => (chance(this.dice, 0.3) ? `(${within()} :: ${list})` : list),
    ])();
  }

  /** A call of a function that stands before. */
  #call(result: Walk["result"], scope: Scope, fuel: number): string | null {
    const known = this.walks.filter((walk) => walk.result === result);
    if (known.length === 0) return null;
    const [first, second] = [pick(this.dice, scope.lists), pick(this.dice, scope.lists)];
    return `(${pick(this.dice, known).name} (${this.#number(scope, fuel - 1)}) ${first} ${second})`;
  }

  #condition(scope: Scope): string {
    return `${this.#number(scope, 1)} ${pick(this.dice, ["<", ">"])} ${pick(this.dice, scope.numbers)}`;
  }

  #fresh(stem: string): string {
    this.#names += 1;
    return `${stem}${this.#names}`;
  }
}
