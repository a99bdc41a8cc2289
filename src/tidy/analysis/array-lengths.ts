// What is known of the lengths of arrays: numbers that are the length of some, and arrays that are as long as others.

import { isSameExpr } from "../../typescript/facts.js";
import { visitStatements } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { isNewArray } from "./counting.js";
import { isCallOf, type Surroundings } from "./purity.js";
import { isSettled, surveyed, type Survey } from "./survey.js";
import { grownIn } from "./uses.js";

export class ArrayLengths {
  readonly #surroundings: Surroundings;
  readonly #survey: Survey;
  readonly #grown: ReadonlySet<string>;
  /** Numbers: what loops count to, and lengths. By each the arrays that are as long. */
  readonly #lengths = new Map<string, ReadonlySet<string>>();

  constructor(fn: TsFunction, surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.#survey = surveyed(fn);
    this.#grown = grownIn(fn.body);
    this.#learn(fn.body);
  }

  /** The arrays whose length a number is; null where it is not known to be a length. */
  arraysAsLongAs(size: TsExpr): ReadonlySet<string> | null {
    if (size.kind === "id") return this.#lengths.get(size.name) ?? null;
    if (size.kind === "member" && size.name === "length" && size.object.kind === "id") {
      // Of an array that gets longer, it is the length for a while
      return new Set(this.#grown.has(size.object.name) ? [] : [size.object.name]);
    }
    if (!isCallOf(size, "numbers.sameLength", this.#surroundings)) return null;
    const [left, right] = size.args.map((arg) => this.arraysAsLongAs(arg));
    return new Set([...(left ?? []), ...(right ?? [])]);
  }

  /** Whether two numbers, where they are sizes of arrays, are the same wherever they are computed. */
  areSame(left: TsExpr, right: TsExpr): boolean {
    if (this.#isFixed(left) && isSameExpr(left, right)) return true;
    const others = this.arraysAsLongAs(right);
    return [...(this.arraysAsLongAs(left) ?? [])].some((name) => this.#isFixedName(name) && others?.has(name) === true);
  }

  #isFixed(size: TsExpr): boolean {
    return size.kind === "number" || (size.kind === "id" && this.#isFixedName(size.name));
  }

  #isFixedName(name: string): boolean {
    return this.#survey.variables.get(name)?.writes === 0;
  }

  #learn(stmts: readonly TsStmt[]): void {
    visitStatements(stmts, (stmt) => {
      if (stmt.kind === "const" && typeof stmt.target === "string") {
        const arrays = this.arraysAsLongAs(stmt.init);
        // Of a variable that becomes another array, it is not the length for ever
        const same = arrays === null ? null : [...arrays].filter((name) => isSettled(this.#survey, name, stmt));
        if (same !== null) this.#lengths.set(stmt.target, new Set(same));
        this.#learnNew(stmt.target, stmt.init);
      }
      if (stmt.kind === "for" && stmt.test.kind === "binary" && stmt.test.right.kind === "id") {
        const { name } = stmt.test.right;
        this.#lengths.set(name, this.#lengths.get(name) ?? new Set());
      }
    });
  }

  /** A new array of a size is as long as others of that size. */
  #learnNew(name: string, init: TsExpr): void {
    const size = isNewArray(init) ? init.args[0] : undefined;
    const known = size?.kind === "id" ? this.#lengths.get(size.name) : undefined;
    if (size?.kind === "id" && known !== undefined && this.#isFixedName(size.name))
      this.#lengths.set(size.name, new Set([...known, name]));
  }
}
