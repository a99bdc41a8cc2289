// What it costs the reverse sweep to do a statement of the forward sweep again: a choice between operations, or a loop that makes an array.

import { cheapEnough, operationCost } from "../flat/costs.js";
import { isRecurrent } from "../flat/free-variables.js";
import type { Atom, Block, End, Stmt } from "../flat/program.js";
import { boundBy, boundInside, branchesOf, operands } from "../flat/traverse.js";
import { again } from "./rematerialised-operations.js";

/** Costs that are added up, as long as they are not too much. */
export class Bill {
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

export class StatementCosts {
  readonly #inside = new Set<string>();

  /** `costOf`: what a value from outside of the statement costs; what costs more than `most` may cost anything. */
  constructor(
    private readonly costOf: (atom: Atom, most: number) => number,
    private readonly hasLoops: boolean,
  ) {}

  /** Whether a bill pays for all operations of a statement. A loop pays for each of its iterations, which each make an element that would be saved. */
  isPaid(stmt: Stmt, bill: Bill): boolean {
    for (const { name } of [...boundBy(stmt), ...boundInside(stmt)]) this.#inside.add(name);
    switch (stmt.kind) {
      case "check":
        return true;
      case "let": {
        const { result, op } = stmt;
        // The store of an array inside is the reverse sweep's own
        if (result.rep.kind === "store") return true;
        return bill.pay(operationCost(again(op, () => true))) && operands(op).every((atom) => this.#isHad(atom, bill));
      }
      case "choose":
        return this.#end(stmt.end, bill);
      case "for":
        if (!this.hasLoops || stmt.params.length > 0 || stmt.arrays.length !== 1 || isRecurrent(stmt)) return false;
        return this.#isHad(stmt.count, bill) && this.#block(stmt.body, new Bill(cheapEnough));
      default:
        return false;
    }
  }

  #block({ stmts, end }: Block, bill: Bill): boolean {
    return stmts.every((stmt) => this.isPaid(stmt, bill)) && this.#end(end, bill);
  }

  #end(end: End, bill: Bill): boolean {
    if (end.kind === "yield") return end.values.every((value) => this.#isHad(value, bill));
    if (end.kind !== "if" || !bill.pay(1) || !this.#isHad(end.cond, bill)) return false;
    return branchesOf(end).every((branch) => this.#block(branch, bill));
  }

  #isHad(atom: Atom, bill: Bill): boolean {
    return (atom.kind === "var" && this.#inside.has(atom.variable.name)) || bill.pay(this.costOf(atom, bill.left));
  }
}
