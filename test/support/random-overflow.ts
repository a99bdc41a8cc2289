// Random models in which numbers overflow and are then cut off, divide another, or stand in a branch that is not taken: what is infinite has no part in
// the result.

import { opNames, primitive } from "../../src/core/primitives.js";
import { chance, pick, type Dice } from "./random-dice.js";

/** Variables in scope, by type; those that are bound further in stand several times. */
interface Scope {
  readonly numbers: readonly string[];
  readonly arrays: readonly string[];
  /** Whether the function `shared` may be called: it does not call itself. */
  readonly isEntry: boolean;
}

/** Numbers of which exponentials overflow, or are zero. */
const numbers = [800, -800, 0, 1, -1, 400, 1000, -1000, 2, 0.5, 0.001];

/** The functions of one real that have a derivative everywhere. */
const everywhere: readonly string[] = opNames.flatMap((name) => {
  const { source, params, result, singular } = primitive(name);
  return source !== null && params.join() === "R" && result === "R" && singular === null ? [source] : [];
});

/** A model with the definition `entry`, which is of two reals and two arrays. */
export function randomOverflow(dice: Dice): string {
  const terms = new Terms(dice);
  const shared = terms.number({ numbers: ["a", "b"], arrays: ["[a, b]"], isEntry: false }, 2);
  const entry = terms.number({ numbers: ["x", "y"], arrays: ["xs", "ys"], isEntry: true }, 5);
  return [
    "data Either = One R | Two R R",
    `def shared (a : R) (b : R) : R = ${shared}`,
    `def entry (x : R) (y : R) (xs : [R]) (ys : [R]) : R = ${entry}\n`,
  ].join("\n");
}

export function argumentsOfOverflow(dice: Dice): readonly unknown[] {
  const number = (): number => pick(dice, numbers);
  const array = (): Float64Array => Float64Array.from({ length: 3 }, number);
  return [number(), number(), array(), array()];
}

class Terms {
  #names = 0;

  constructor(private readonly dice: Dice) {}

  number(scope: Scope, fuel: number): string {
    if (fuel <= 0) return chance(this.dice, 0.8) ? pick(this.dice, scope.numbers) : pick(this.dice, ["1", "2", "0.5", "1000", "0"]); // prettier-ignore
    const inner = (): string => this.number(scope, fuel - this.dice.int(1, 2));
    const array = (): string => this.#array(scope, fuel - 1);
    const [x, y] = [this.#fresh(), this.#fresh()];
    const within = (...names: readonly string[]): string => this.number({ ...scope, numbers: [...scope.numbers, ...names] }, fuel - 1); // prettier-ignore
    const product = (): string => `(${inner()} * ${inner()})`;
    const exponential = (): string => `(exp ${inner()})`;
    const quotient = (): string => `(${inner()} / ${inner()})`;
    return pick(this.dice, [
      product,
      product,
      exponential,
      exponential,
      quotient,
      quotient,
      () => `(${inner()} ${pick(this.dice, ["+", "-"])} ${inner()})`,
      () => `(${pick(this.dice, ["min", "max"])} ${inner()} ${inner()})`,
      () => `(${pick(this.dice, everywhere)} ${inner()})`,
      () => `(${pick(this.dice, ["sqrt", "log"])} (1 + abs ${inner()}))`,
      () => `(${inner()} ^ ${pick(this.dice, ["2", "3"])})`,
      () => `(if ${inner()} > ${inner()} then ${inner()} else ${inner()})`,
      () => `(let ${x} = ${inner()} in ${within(x, x)})`,
      () => `(sum (map (\\${x}. ${within(x, x)}) ${array()}))`,
      () => `(foldl (\\${y} ${x}. ${within(x, y)}) ${inner()} ${array()})`,
      () => `(iterate ${pick(this.dice, ["0", "1", "3"])} (\\${x}. ${within(x)}) ${inner()})`,
      () => `(${pick(this.dice, ["maximum", "minimum", "logSumExp"])} ${array()})`,
      () => `(${array()} ! 1)`,
      () => `(let ${x} = ${array()} in ${this.number({ ...scope, arrays: [...scope.arrays, x, x] }, fuel - 1)})`,
      () =>
        `(let (${x}, ${y}) = if ${inner()} > 0 then (${inner()}, ${inner()}) else (${inner()}, 1) in ${within(x, y)})`,
      () =>
        `(case if ${inner()} > 0 then One ${inner()} else Two ${inner()} ${inner()} of { One ${x} -> ${within(x)}; Two ${x} ${y} -> ${within(x, y)} })`,
      () => (scope.isEntry ? `(shared ${inner()} ${inner()})` : product()),
    ])();
  }

  #array(scope: Scope, fuel: number): string {
    if (fuel <= 0 || chance(this.dice, 0.3)) return pick(this.dice, scope.arrays);
    const [x, y] = [this.#fresh(), this.#fresh()];
    const within = (...names: readonly string[]): string => this.number({ ...scope, numbers: [...scope.numbers, ...names] }, fuel - 1); // prettier-ignore
    // Of one length with itself
    const named = pick(this.dice, scope.arrays);
    return pick(this.dice, [
      () => `(map (\\${x}. ${within(x, x)}) ${this.#array(scope, fuel - 1)})`,
      () => `[${within()}, ${within()}]`,
      () => `(build 3 (\\${x}. ${within(`(toReal ${x})`)}))`,
      () => `(zipWith (\\${x} ${y}. ${within(x, y)}) ${named} ${named})`,
    ])();
  }

  #fresh(): string {
    this.#names += 1;
    return `v${String(this.#names)}`;
  }
}
