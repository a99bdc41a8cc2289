// Which loops have a count that can be the size of an array as it is: one that is known not to be negative where the loop stands, by what has been computed, tested and
// checked in front of it.

import { atomOf } from "./build.js";
import { minus, shifted } from "./linear.js";
import type { Atom, Block, End, Operation, Stmt } from "./program.js";
import { Ranges } from "./ranges.js";

type For = Stmt & { readonly kind: "for" };

export function loopsWithSizes(body: Block): ReadonlySet<Stmt> {
  const found = new Set<Stmt>();
  new Walk(found).block(body);
  return found;
}

class Walk {
  readonly #ranges = new Ranges();

  constructor(private readonly found: Set<Stmt>) {}

  block({ stmts, end }: Block): void {
    this.#ranges.within(() => {
      for (const stmt of stmts) this.#stmt(stmt);
      this.#end(end);
    });
  }

  #end(end: End): void {
    switch (end.kind) {
      case "yield":
      case "next":
        return;
      case "if":
        this.#branch(end.cond, true, end.then);
        this.#branch(end.cond, false, end.else);
        return;
      case "switch":
        for (const { body } of end.branches) this.block(body);
        return;
    }
  }

  #branch(cond: Atom, holds: boolean, body: Block): void {
    this.#ranges.within(() => {
      this.#ranges.assumeCondition(cond, holds);
      this.block(body);
    });
  }

  #stmt(stmt: Stmt): void {
    switch (stmt.kind) {
      case "let":
        if (isAsComputed(stmt.op)) this.#ranges.define(stmt.result, stmt.op);
        return;
      case "check": {
        for (const form of this.#ranges.neededBy(stmt.check)) this.#ranges.assume(form);
        return;
      }
      case "choose":
        this.#end(stmt.end);
        return;
      case "loop":
        this.block(stmt.body);
        return;
      case "for":
        this.#for(stmt);
        return;
      case "call":
      case "apply":
        return;
    }
  }

  #for(loop: For): void {
    const count = this.#ranges.form(loop.count);
    if (this.#ranges.proves(count)) this.found.add(loop);
    this.#ranges.within(() => {
      const index = this.#ranges.form(atomOf(loop.index));
      this.#ranges.assume(index);
      this.#ranges.assume(shifted(minus(count, index), -1));
      this.block(loop.body);
    });
  }
}

/** Whether an integer is what its operation says: one that is computed early need not be safe, though the larger one of two is one of them. */
function isAsComputed(op: Operation): boolean {
  return op.kind !== "prim" || op.isEarly !== true || op.op === "maxZ";
}
