// What is known of integers: linear forms, bounds, lengths of arrays. Sound, not complete: a few steps of substituting bounds for variables.

import { commonShape, constant, isExact, minus, most, plus, shifted, times, variable, type Linear } from "./linear.js";
import { isIntegerOp, relationOf, type Relation } from "../core/primitives.js";
import type { Atom, Check, Operation, Var } from "./program.js";

/** No array is longer. */
export const longest = 2 ** 27 - 1;

/** How many bounds of one variable are remembered, how many are substituted one after the other, and how many variables a form may have. */
const bounds = 4;
const steps = 3;
const width = 4;

/** By larger literals nothing is known of quotients but that. */
const largestDivisor = 2 ** 16;

/** The numbers from one to another, both included. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly lower: readonly Linear[];
  readonly upper: readonly Linear[];
}

const unbounded: Bounds = { low: -most, high: most, lower: [], upper: [] };

/** A comparison of two integers. */
export interface Comparison {
  readonly relation: Relation;
  readonly left: Atom;
  readonly right: Atom;
}

/** The comparison of integers that an operation is, if it is one. */
export function comparisonOf(op: Operation): Comparison | null {
  if (op.kind !== "prim") return null;
  const [left, right] = op.args;
  const relation = relationOf(op.op, "Z");
  return relation === null || left === undefined || right === undefined ? null : { relation, left, right };
}

export class Ranges {
  /** What variables are, whatever is assumed. */
  readonly #forms = new Map<string, Linear>();
  readonly #lengths = new Map<string, Linear>();
  /** By variable of a form that is the length of an array, this array. */
  readonly #measured = new Map<string, string>();
  /** Of arrays whose elements are equally long arrays, how long these are, their elements are, and so on. */
  readonly #elements = new Map<string, readonly Linear[]>();
  readonly #comparisons = new Map<string, Comparison>();
  /** Conditions that are two: both hold where `and` does, neither where `or` does not. */
  readonly #pairs = new Map<string, { readonly both: boolean; readonly parts: readonly Atom[] }>();
  readonly #bounds = new Map<string, Bounds>();
  /** What is a minimum or a maximum is one of two. */
  readonly #alternatives = new Map<string, readonly Linear[]>();
  /** What is the quotient of a form by a positive literal, rounded down. */
  readonly #quotients = new Map<string, { readonly dividend: Linear; readonly divisor: number }>();
  /** Variables in scope, by their forms. */
  readonly #named = new Map<string, Atom>();
  /** How to forget what is known within a block, the last first. */
  readonly #undo: (() => void)[] = [];

  #unused = 0;

  /** `textOf`: a text for the length of an array, which other arrays of that length have too. */
  constructor(private readonly textOf: (array: Var) => string = ({ name }) => name) {}

  /** A name that no variable has, and that is given once. */
  unused(stem: string): string {
    this.#unused += 1;
    return `${stem}#${this.#unused}`;
  }

  /** What is assumed within `f` is forgotten after it; what variables are, as `define` learns it, is not. */
  within<T>(f: () => T): T {
    const start = this.#undo.length;
    const result = f();
    while (this.#undo.length > start) this.#undo.pop()?.();
    return result;
  }

  /** The literal or the variable in scope that an integer variable is always equal to; null where there is none, and from then on it is that one. */
  known(atom: Atom): Atom | null {
    const form = this.form(atom);
    if (form.terms.size === 0 && Number.isSafeInteger(form.constant)) return { kind: "int", value: form.constant };
    const key = keyOfForm(form);
    const same = this.#named.get(key);
    if (same !== undefined) return same;
    this.#named.set(key, atom);
    this.#undo.push(() => this.#named.delete(key));
    return null;
  }

  /** From here on an integer is the one that others which are the same are known as. */
  prefer(atom: Atom): void {
    const key = keyOfForm(this.form(atom));
    const before = this.#named.get(key);
    this.#named.set(key, atom);
    this.#undo.push(() => (before === undefined ? this.#named.delete(key) : this.#named.set(key, before)));
  }

  form(atom: Atom): Linear {
    if (atom.kind === "int") return constant(atom.value);
    return atom.kind === "var" ? (this.#forms.get(atom.variable.name) ?? variable(atom.variable.name)) : constant(0);
  }

  /** A variable is always this. */
  setForm({ name }: Var, form: Linear): void {
    if (form.terms.size <= width && isExact(form)) this.#forms.set(name, form);
  }

  lengthOf(array: Atom): Linear {
    if (array.kind !== "var") return this.form(array);
    const { variable: own } = array;
    const { name, rep } = own;
    // An array of values without leaves is its length
    if (rep.kind === "int") return this.form(array);
    const known = this.#lengths.get(name);
    if (known !== undefined) return known;
    const text = `length ${this.textOf(own)}`;
    const length = variable(text);
    this.#lengths.set(name, length);
    if (!this.#measured.has(text)) this.#measured.set(text, name);
    if (!this.#bounds.has(text)) this.#bounds.set(text, { ...unbounded, low: 0, high: longest });
    return length;
  }

  /** An array that is just made has this length, if that can be one. */
  setLength({ name }: Var, length: Linear): void {
    if (this.proves(length)) this.#lengths.set(name, length);
  }

  /** How long an array is, its elements are, and so on, as far as these are known to be equally long. */
  shapeOf(array: Atom): readonly Linear[] {
    return [this.lengthOf(array), ...this.#elementsOf(array)];
  }

  /** The shape of an item of an array, which is none where that is no array. */
  #shapeOfItem(item: Atom, { rep }: Var): readonly Linear[] {
    return rep.kind === "array" && rep.element.kind === "array" ? this.shapeOf(item) : [];
  }

  #elementsOf(array: Atom): readonly Linear[] {
    return array.kind === "var" ? (this.#elements.get(array.variable.name) ?? []) : [];
  }

  /** An array that is just made has this shape. */
  setShape(array: Var, [length, ...elements]: readonly Linear[]): void {
    if (length !== undefined) this.setLength(array, length);
    if (elements.length > 0) this.#elements.set(array.name, elements);
  }

  /** Whether a form has a variable, or the length of an array, among these. */
  mentions({ terms }: Linear, names: ReadonlySet<string>): boolean {
    return [...terms.keys()].some((term) => names.has(this.#measured.get(term) ?? term));
  }

  /** The smallest and the largest value that a form may have, as far as is known of its variables one by one. */
  interval(form: Linear): Interval {
    return { low: this.#low(form), high: -this.#low(times(form, -1)) };
  }

  /** Whether `form >= 0`. */
  proves(form: Linear, left = steps): boolean {
    if (this.#low(form) >= 0) return true;
    if (left === 0 || form.terms.size > width) return false;
    for (const [name, coefficient] of form.terms) {
      const { lower, upper } = this.#boundsOf(name);
      for (const bound of coefficient > 0 ? lower : upper) {
        if (this.proves(plus(minus(form, times(variable(name), coefficient)), bound, coefficient), left - 1))
          return true;
      }
      const rest = minus(form, times(variable(name), coefficient));
      const quotient = this.#quotients.get(name);
      if (quotient !== undefined && this.proves(without(quotient, coefficient, rest), left - 1)) return true;
      const alternatives = this.#alternatives.get(name);
      if (alternatives?.every((value) => this.proves(plus(rest, value, coefficient), left - 1)) === true) return true;
    }
    return false;
  }

  /** From here on, within the innermost `within`, `form >= 0`. */
  assume(form: Linear): void {
    if (form.terms.size > width) return;
    for (const [name, coefficient] of form.terms) {
      if (Math.abs(coefficient) !== 1) continue;
      // coefficient * v + rest >= 0
      const rest = minus(form, times(variable(name), coefficient));
      const before = this.#boundsOf(name);
      this.#undo.push(() => this.#bounds.set(name, before));
      if (coefficient > 0) {
        const bound = times(rest, -1);
        const low = Math.max(before.low, this.#low(bound));
        this.#bounds.set(name, { ...before, low, lower: remembered(before.lower, bound) });
      } else {
        const high = Math.min(before.high, -this.#low(times(rest, -1)));
        this.#bounds.set(name, { ...before, high, upper: remembered(before.upper, rest) });
      }
    }
  }

  /** What is not negative where a check holds. */
  neededBy(check: Check): readonly Linear[] {
    const [index, end] = check.kind === "size" ? [check.size, constant(longest + 1)] : [check.index, this.lengthOf(check.array)]; // prettier-ignore
    const form = this.form(index);
    return [form, shifted(minus(end, form), -1)];
  }

  /** Variables have what one of some ways gives: each integer is between the smallest and the largest that it may be on any of them. */
  assumeOneOf(variables: readonly Var[], ways: readonly (readonly Interval[])[]): void {
    variables.forEach((variable, index) => {
      const intervals = ways.flatMap((way) => way[index] ?? []);
      if (variable.rep.kind !== "int" || intervals.length === 0) return;
      const form = this.form({ kind: "var", variable });
      this.assume(shifted(form, -Math.min(...intervals.map(({ low }) => low))));
      this.assume(minus(constant(Math.max(...intervals.map(({ high }) => high))), form));
    });
  }

  /** Between which numbers each of some values is. */
  intervals(values: readonly Atom[]): readonly Interval[] {
    return values.map((value) => this.interval(this.form(value)));
  }

  assumeEqual(a: Linear, b: Linear): void {
    this.assume(minus(a, b));
    this.assume(minus(b, a));
  }

  /** A condition holds, or does not. */
  assumeCondition(cond: Atom, holds: boolean): void {
    if (cond.kind !== "var") return;
    const pair = this.#pairs.get(cond.variable.name);
    if (pair?.both === holds) for (const part of pair.parts) this.assumeCondition(part, holds);
    const comparison = this.#comparisons.get(cond.variable.name);
    if (comparison === undefined) return;
    const difference = minus(this.form(comparison.left), this.form(comparison.right));
    const opposite = times(difference, -1);
    switch (comparison.relation) {
      case "eq":
      case "ne":
        if ((comparison.relation === "eq") === holds) {
          this.assume(difference);
          this.assume(opposite);
        } else if (this.proves(difference)) this.assume(shifted(difference, -1));
        else if (this.proves(opposite)) this.assume(shifted(opposite, -1));
        return;
      case "lt":
        this.assume(holds ? shifted(opposite, -1) : difference);
        return;
      case "le":
        this.assume(holds ? opposite : shifted(difference, -1));
        return;
      case "gt":
        this.assume(holds ? shifted(difference, -1) : opposite);
        return;
      case "ge":
        this.assume(holds ? difference : shifted(opposite, -1));
        return;
    }
  }

  /** What a comparison of integers always gives; null where either may be. */
  decided(op: Operation): boolean | null {
    const comparison = comparisonOf(op);
    if (comparison === null) return null;
    const difference = minus(this.form(comparison.left), this.form(comparison.right));
    const opposite = times(difference, -1);
    const isGe = this.proves(difference) ? true : this.proves(shifted(opposite, -1)) ? false : null;
    const isLe = this.proves(opposite) ? true : this.proves(shifted(difference, -1)) ? false : null;
    const isEqual = isGe === false || isLe === false ? false : isGe === true && isLe === true ? true : null;
    switch (comparison.relation) {
      case "eq":
        return isEqual;
      case "ne":
        return not(isEqual);
      case "ge":
        return isGe;
      case "le":
        return isLe;
      case "lt":
        return not(isGe);
      case "gt":
        return not(isLe);
    }
  }

  /** Whether an operation on integers cannot fail. */
  isSafe(op: Operation): boolean {
    if (op.kind !== "prim" || !isIntegerOp(op.op)) return false;
    const [left, right] = op.args;
    if (left === undefined || right === undefined) return false;
    switch (op.op) {
      case "addZ":
      case "subZ":
      case "mulZ": {
        // 0 * -1 is -0, which is no integer
        if (op.op === "mulZ" && !this.#hasPlainProduct(left, right)) return false;
        const form = this.#arithmetic(op.op, left, right);
        if (form !== null) return this.proves(minus(constant(most), form)) && this.proves(shifted(form, most));
        const { low, high } = this.#product(left, right);
        return low >= -most && high <= most;
      }
      case "sameLength": {
        const difference = minus(this.form(left), this.form(right));
        return this.proves(difference) && this.proves(times(difference, -1));
      }
      case "divZ":
      case "modZ": {
        const divisor = this.form(right);
        const { low, high } = this.interval(divisor);
        return low > 0 || high < 0 || this.proves(shifted(divisor, -1));
      }
      case "remZ":
      case "shrZ":
        return true;
      case "negZ":
      case "absZ":
      case "minZ":
      case "maxZ":
      case "powZ":
        return false;
    }
  }

  /** Learns what `result = op` says, once it has not failed. */
  define(result: Var, op: Operation): void {
    const { name } = result;
    const comparison = comparisonOf(op);
    if (comparison !== null) this.#comparisons.set(name, comparison);
    if (op.kind === "prim" && (op.op === "and" || op.op === "or")) this.#pairs.set(name, { both: op.op === "and", parts: op.args }); // prettier-ignore
    if (op.kind === "length") this.#forms.set(name, this.lengthOf(op.array));
    if (op.kind === "array") this.setShape(result, [constant(op.items.length), ...commonShape(op.items.map((item) => this.#shapeOfItem(item, result)))]); // prettier-ignore
    if (op.kind === "cell" && result.rep.kind === "array") this.setShape(result, this.#elementsOf(op.array));
    if (op.kind === "copy" && result.rep.kind === "int") this.#forms.set(name, this.form(op.value));
    if (op.kind !== "prim" || !isIntegerOp(op.op)) return;
    const [left, right] = op.args;
    if (left === undefined) return;
    const within = (low: number, high: number): void => {
      this.#bounds.set(name, { ...unbounded, low: Math.max(low, -most), high: Math.min(high, most) });
    };
    const first = this.form(left);
    const { low, high } = this.interval(first);
    if (right === undefined) {
      if (op.op === "negZ") this.#forms.set(name, times(first, -1));
      if (op.op === "absZ") within(low > 0 ? low : Math.max(0, -high), Math.max(Math.abs(low), Math.abs(high)));
      return;
    }
    const second = this.form(right);
    const other = this.interval(second);
    switch (op.op) {
      case "addZ":
      case "subZ":
      case "mulZ": {
        const form = this.#arithmetic(op.op, left, right);
        const product = this.#product(left, right);
        if (form !== null && form.terms.size <= width && isExact(form)) this.#forms.set(name, form);
        else if (op.op === "mulZ") within(product.low, product.high);
        return;
      }
      case "sameLength":
        this.#forms.set(name, first);
        this.assumeEqual(first, second);
        return;
      case "minZ":
        within(Math.min(low, other.low), Math.min(high, other.high));
        for (const form of [first, second]) this.assume(minus(form, variable(name)));
        this.#isOneOf(name, minus(second, first), first, second);
        return;
      case "maxZ":
        within(Math.max(low, other.low), Math.max(high, other.high));
        for (const form of [first, second]) this.assume(minus(variable(name), form));
        this.#isOneOf(name, minus(first, second), first, second);
        return;
      case "divZ":
        this.#divided(name, first, second.terms.size === 0 ? second.constant : 0);
        if (other.low > 0) within(Math.floor(low / (low < 0 ? other.low : other.high)), Math.floor(high / (high < 0 ? other.high : other.low))); // prettier-ignore
        if (other.low > 0 && this.proves(first)) this.assume(minus(first, variable(name)));
        return;
      case "shrZ":
        this.#divided(name, first, 2 ** second.constant);
        within(Math.floor(low / 2 ** other.high), Math.floor(high / 2 ** other.low));
        return;
      case "modZ":
      case "remZ":
        this.#remainder(name, first, second);
        return;
      case "negZ":
      case "absZ":
      case "powZ":
    }
  }

  #divided(name: string, dividend: Linear, divisor: number): void {
    if (divisor > 0 && divisor <= largestDivisor && Number.isInteger(divisor))
      this.#quotients.set(name, { dividend, divisor });
  }

  /** What is known of `first mod second`. */
  #remainder(name: string, first: Linear, second: Linear): void {
    if (!this.proves(shifted(second, -1))) return;
    const isNatural = this.proves(first);
    if (isNatural && this.proves(shifted(minus(second, first), -1))) {
      this.#forms.set(name, first);
      return;
    }
    this.#bounds.set(name, { ...unbounded, low: 0, high: this.interval(second).high - 1 });
    this.assume(shifted(minus(second, variable(name)), -1));
    if (isNatural) this.assume(minus(first, variable(name)));
  }

  /** What has the same remainder as the first of two, and is not negative, where the second is known to be positive: itself, or both of them added. */
  dividend(left: Atom, right: Atom): "left" | "sum" | null {
    const [first, second] = [this.form(left), this.form(right)];
    if (!this.proves(shifted(second, -1))) return null;
    if (this.proves(first)) return "left";
    const sum = plus(first, second);
    return this.proves(sum) && this.proves(minus(constant(most), sum)) ? "sum" : null;
  }

  /** The result of a minimum or maximum is one of two where their `difference` is known not to be negative, the other where it is not positive. */
  #isOneOf(name: string, difference: Linear, where: Linear, otherwise: Linear): void {
    if (this.proves(difference)) this.#forms.set(name, where);
    else if (this.proves(times(difference, -1))) this.#forms.set(name, otherwise);
    else this.#alternatives.set(name, [where, otherwise]);
  }

  /** The sum, the difference, or a product with a constant. */
  #arithmetic(op: "addZ" | "subZ" | "mulZ", left: Atom, right: Atom): Linear | null {
    const [a, b] = [this.form(left), this.form(right)];
    if (op === "addZ") return plus(a, b);
    if (op === "subZ") return minus(a, b);
    if (a.terms.size === 0) return times(b, a.constant);
    return b.terms.size === 0 ? times(a, b.constant) : null;
  }

  #hasPlainProduct(left: Atom, right: Atom): boolean {
    const [a, b] = [this.interval(this.form(left)).low, this.interval(this.form(right)).low];
    return a > 0 || b > 0 || (a === 0 && b === 0);
  }

  #product(left: Atom, right: Atom): Interval {
    const [a, b] = [this.interval(this.form(left)), this.interval(this.form(right))];
    const corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
    return { low: Math.min(...corners), high: Math.max(...corners) };
  }

  #boundsOf(name: string): Bounds {
    return this.#bounds.get(name) ?? unbounded;
  }

  /** A lower bound; where the sums are too large to be exact, one that is low enough. */
  #low(form: Linear): number {
    let sum = form.constant;
    let isExact = Math.abs(sum) <= most;
    for (const [name, coefficient] of form.terms) {
      const { low, high } = this.#boundsOf(name);
      sum += coefficient * (coefficient > 0 ? low : high);
      isExact &&= Math.abs(sum) <= most;
    }
    return isExact ? sum : sum - Math.abs(sum) * 2 ** -48;
  }
}

/**
 * A form that is not negative only where `rest + coefficient * quotient` is not, the quotient times the divisor being the dividend less what remains: of integers
 * what is more than -1 is 0 at least.
 */
function without(
  { dividend, divisor }: { readonly dividend: Linear; readonly divisor: number },
  coefficient: number,
  rest: Linear,
): Linear {
  const whole = shifted(times(rest, divisor), divisor - 1);
  return plus(whole, coefficient < 0 ? dividend : shifted(dividend, 1 - divisor), coefficient);
}

function remembered(known: readonly Linear[], bound: Linear): readonly Linear[] {
  return bound.terms.size === 0 ? known : [bound, ...known.slice(0, bounds - 1)];
}

function not(truth: boolean | null): boolean | null {
  return truth === null ? null : !truth;
}

function keyOfForm({ constant, terms }: Linear): string {
  return JSON.stringify([constant, ...[...terms].sort()]);
}
