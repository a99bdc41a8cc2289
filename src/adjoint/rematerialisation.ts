// Whether the reverse sweep computes a value of the forward sweep again, and how.

import type { Atom, Operation, Var } from "../flat/program.js";
import { cheapEnough, operationCost } from "../flat/costs.js";
import { isScalar } from "../flat/build.js";
import { operands } from "../flat/traverse.js";
import { again } from "./rematerialised-operations.js";
import { Bill, StatementCosts } from "./rematerialised-statements.js";
import type { BlockPlace, Definition, Places, Sole } from "./places.js";

type IsGiven = (definition: Definition) => boolean;

const nothing: IsGiven = () => false;

export class Recomputation {
  readonly #places: Places;
  readonly #isThere: IsGiven;
  readonly #isAlias: (variable: Var) => boolean;
  readonly #buildsIn: (block: BlockPlace) => boolean;

  /** `isThere`: whether a variable is in scope in both sweeps. `isAlias`: whether it is another one all along. `buildsIn`: whether arrays of a block may be made again. */
  constructor(
    places: Places,
    isThere: IsGiven,
    isAlias: (variable: Var) => boolean,
    buildsIn: (block: BlockPlace) => boolean,
  ) {
    this.#places = places;
    this.#isThere = isThere;
    this.#isAlias = isAlias;
    this.#buildsIn = buildsIn;
  }

  /** Whether computing a value again costs less than saving it; `isGiven`: what of its loop is there in any case. */
  isCheap(definition: Definition, isGiven: IsGiven = nothing): boolean {
    return this.#cost(definition, isGiven, cheapEnough) <= cheapEnough;
  }

  /**
   * Those of some definitions, all of which the reverse sweep needs, that are expensive to compute even given the others, saved or computed again: of `y`, `r * y`
   * and `1 - y` the first. `isGiven`: what is there besides.
   */
  savedOf(definitions: readonly Definition[], isGiven: IsGiven): ReadonlySet<Definition> {
    const saved = new Set<Definition>();
    const needed = new Set(definitions);
    const isThere = (other: Definition): boolean => needed.has(other) || isGiven(other);
    // What one is computed from is defined, and decided, before it
    for (const definition of [...definitions].sort((a, b) => a.order - b.order)) {
      if (!this.isCheap(definition, isThere)) saved.add(definition);
    }
    return saved;
  }

  /**
   * Numbers that are not needed themselves, but of each of which two or more of those that are saved can be computed: `t`, where `3 * t` and `t - 1` are
   * saved. `isGiven`: what is there besides.
   */
  sourcesOf(saved: ReadonlySet<Definition>, isGiven: IsGiven): readonly Definition[] {
    const users = new Map<Definition, Definition[]>();
    for (const each of saved) {
      for (const source of this.#operandsOf(each, isGiven)) users.set(source, [...(users.get(source) ?? []), each]);
    }
    const rest = new Set(saved);
    const sources: Definition[] = [];
    for (const [source, all] of users) {
      if (saved.has(source) || all.length < 2) continue;
      const isThere = (other: Definition): boolean => other === source || isGiven(other);
      const computed = all.filter((each) => rest.has(each) && this.isCheap(each, isThere));
      if (computed.length < 2) continue;
      sources.push(source);
      for (const each of computed) rest.delete(each);
    }
    return sources;
  }

  /** The numbers of its loop that a value is computed of in a few operations, nearest first. */
  #operandsOf(value: Definition, isGiven: IsGiven): ReadonlySet<Definition> {
    const found = new Set<Definition>();
    const queue = [value];
    for (const { op } of queue) {
      for (const operand of op === null || found.size > cheapEnough ? [] : operands(op)) {
        if (operand.kind !== "var" || (operand.variable.rep.kind !== "real" && operand.variable.rep.kind !== "int")) continue; // prettier-ignore
        const definition = this.#places.definition(operand.variable);
        if (definition.block.loop !== value.block.loop || found.has(definition) || isGiven(definition)) continue;
        found.add(definition);
        queue.push(definition);
      }
    }
    return found;
  }

  /** An operation as it is computed again: of two lengths that are the same it takes the one from outside of the loop. */
  operation(op: Operation, block: BlockPlace): Operation {
    const isOutside = (atom: Atom): boolean => {
      if (atom.kind !== "var") return true;
      const { block: place, op: own } = this.#places.definition(atom.variable);
      return place.loop !== block.loop || (own?.kind === "length" && isOutside(own.array));
    };
    return again(op, isOutside);
  }

  /** In operations; infinite where it cannot be done, or costs more than `most`: a chain of definitions is followed no further than that. */
  #cost({ op: given, origin, block, stmt }: Definition, isGiven: IsGiven, most: number): number {
    if (origin === "index") return 0;
    if (origin === "captured") return 1;
    if (stmt !== null) return this.#statementCost(stmt, block, isGiven, most);
    if (given === null) return Infinity;
    const op = this.operation(given, block);
    if (op.kind === "length" && op.array.kind === "var" && this.#isAlias(op.array.variable)) return 1;
    const bill = new Bill(most);
    const isPaid =
      bill.pay(operationCost(given)) &&
      operands(op).every((operand) => bill.pay(this.#operandCost(operand, block, isGiven, bill.left)));
    return isPaid ? bill.sum : Infinity;
  }

  /** `isOfArray`: of an array, a number of which is saved for less than the array. Of a number: it is not worth an array that is made again. */
  #operandCost(operand: Atom, { loop }: BlockPlace, isGiven: IsGiven, most: number, isOfArray = false): number {
    if (operand.kind !== "var") return 0;
    const other = this.#places.definition(operand.variable);
    // Outside of the loop it is saved once, if at all
    if (other.block.loop !== loop || this.#isThere(other) || isGiven(other)) return 0;
    if (isOfArray && isScalar(other.variable.rep)) return 0;
    return !isOfArray && other.stmt?.kind === "for" ? Infinity : this.#cost(other, isGiven, most);
  }

  #statementCost(stmt: Sole, block: BlockPlace, isGiven: IsGiven, most: number): number {
    const isOfArray = stmt.kind === "for";
    if (isOfArray && !this.#buildsIn(block)) return Infinity;
    const bill = new Bill(most);
    const costs = new StatementCosts((atom, left) => this.#operandCost(atom, block, isGiven, left, isOfArray), isOfArray); // prettier-ignore
    return costs.isPaid(stmt, bill) ? bill.sum : Infinity;
  }
}
