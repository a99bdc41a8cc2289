// Whether the reverse sweep computes a value of the forward sweep again, and how.

import type { Atom, Block, End, Operation, Var } from "../flat/program.js";
import { cheapEnough, operationCost } from "../flat/costs.js";
import { operands } from "../flat/traverse.js";
import { again } from "./rematerialised-operations.js";
import type { BlockPlace, Definition, Places } from "./places.js";

type IsGiven = (definition: Definition) => boolean;

const nothing: IsGiven = () => false;

export class Recomputation {
  readonly #places: Places;
  readonly #isThere: IsGiven;
  readonly #isAlias: (variable: Var) => boolean;

  /** `isThere`: whether a variable is in scope in both sweeps. `isAlias`: whether it is another one all along. */
  constructor(places: Places, isThere: IsGiven, isAlias: (variable: Var) => boolean) {
    this.#places = places;
    this.#isThere = isThere;
    this.#isAlias = isAlias;
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
  #cost({ op: given, origin, block, choice }: Definition, isGiven: IsGiven, most: number): number {
    if (origin === "index") return 0;
    if (origin === "captured") return 1;
    if (choice !== null) return this.#choiceCost(choice, block, isGiven, most);
    if (given === null) return Infinity;
    const op = this.operation(given, block);
    if (op.kind === "length" && op.array.kind === "var" && this.#isAlias(op.array.variable)) return 1;
    const bill = new Bill(most);
    const isPaid =
      bill.pay(operationCost(given)) &&
      operands(op).every((operand) => bill.pay(this.#operandCost(operand, block, isGiven, bill.left)));
    return isPaid ? bill.sum : Infinity;
  }

  #operandCost(operand: Atom, { loop }: BlockPlace, isGiven: IsGiven, most: number): number {
    if (operand.kind !== "var") return 0;
    const other = this.#places.definition(operand.variable);
    // Outside of the loop it is saved once, if at all
    return other.block.loop !== loop || this.#isThere(other) || isGiven(other) ? 0 : this.#cost(other, isGiven, most);
  }

  /** Of a choice between operations alone: of all of them, which are computed where they were. */
  #choiceCost(choice: End, block: BlockPlace, isGiven: IsGiven, most: number): number {
    const inside = new Set<string>();
    const bill = new Bill(most);
    const pay = (atom: Atom): boolean =>
      (atom.kind === "var" && inside.has(atom.variable.name)) ||
      bill.pay(this.#operandCost(atom, block, isGiven, bill.left));
    const payEnd = (end: End): boolean => {
      if (end.kind === "yield") return end.values.every(pay);
      return end.kind === "if" && bill.pay(1) && pay(end.cond) && [end.then, end.else].every(payBlock);
    };
    const payBlock = ({ stmts, end }: Block): boolean => {
      for (const stmt of stmts) {
        if (stmt.kind === "check") continue;
        if (stmt.kind !== "let") return false;
        inside.add(stmt.result.name);
        if (!bill.pay(operationCost(stmt.op)) || !operands(stmt.op).every(pay)) return false;
      }
      return payEnd(end);
    };
    return payEnd(choice) ? bill.sum : Infinity;
  }
}

/** Costs that are added up, as long as they are not too much. */
class Bill {
  sum = 0;

  constructor(private readonly most: number) {}

  get left(): number {
    return this.most - this.sum;
  }

  /** Whether that is still to be had. */
  pay(cost: number): boolean {
    this.sum += cost;
    return this.sum <= this.most;
  }
}
