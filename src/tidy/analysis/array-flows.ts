// Where arrays of numbers go in a function: to other variables, into arrays of arrays (of arrays ..) and out of them again; or somewhere else, where they
// are not followed.

import { visitParts, visitStmt, type Visiting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { isCallOf, isCopyingCall, isFillingCall, type Surroundings } from "./purity.js";

/** Arrays of arrays of .. of numbers are followed that are so deep. */
const deepest = 4;

interface Place {
  readonly name: string;
  /** How many indices behind the name the array is. */
  readonly level: number;
  /** Whether it has been put there: then it is behind all names of what holds it. Else this is one of the names that the array, or what holds it, is given. */
  readonly isHolder: boolean;
}

export class Flows {
  readonly #surroundings: Surroundings;
  /** By variable those that it is assigned to, those that it becomes an element of, and those that its elements are assigned to. */
  readonly #same = new Edges();
  readonly #into = new Edges();
  readonly #out = new Edges();
  /** By variable how many indices are behind it at least where something else is done with what is there than with elements and lengths. */
  readonly #lost = new Map<string, number>();
  /** Variables of the function, and those of them that may be something that the function has not made. */
  readonly #declared = new Set<string>();
  readonly #foreign = new Set<string>();

  constructor(fn: TsFunction, surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.#visiting.block(fn.body);
  }

  /**
   * The variables that an array of numbers may get to, and those that may have it in them; null where it may get elsewhere. `depth`: behind how many indices
   * of the variable it is.
   */
  from(array: string, depth = 0): ReadonlySet<string> | null {
    const found = new Set<string>();
    const seen = new Set<string>();
    const pending: Place[] = [];
    const reach = (names: Iterable<string>, level: number, isHolder: boolean): void => {
      for (const name of names) {
        const key = `${name} ${level} ${isHolder}`;
        if (!seen.has(key)) pending.push({ name, level, isHolder });
        seen.add(key);
        found.add(name);
      }
    };
    reach([array], depth, depth > 0);
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      const { name, level, isHolder } = at;
      const isLost = (this.#lost.get(name) ?? Infinity) <= level;
      const isOwn = level === 0 || (this.#declared.has(name) && !(isHolder && this.#foreign.has(name)));
      if (isLost || !isOwn || level > deepest) return null;
      reach(this.#same.from(name), level, false);
      reach(this.#into.from(name), level + 1, true);
      if (level > 0) reach(this.#out.from(name), level - 1, false);
      if (!isHolder) continue;
      // What it is put into has other names
      reach(this.#same.to(name), level, true);
      reach(this.#out.to(name), level + 1, true);
    }
    return found;
  }

  readonly #visiting: Visiting = {
    expr: (expr) => {
      this.#expr(expr);
    },
    block: (body) => {
      for (const stmt of body) this.#stmt(stmt);
    },
  };

  #stmt(stmt: TsStmt): void {
    const name = stmt.kind === "let" ? stmt.name : stmt.kind === "const" ? stmt.target : null;
    const init = stmt.kind === "let" || stmt.kind === "const" ? stmt.init : null;
    if (typeof name === "string") this.#declared.add(name);
    if (typeof name === "string" && init !== null) this.#given(name, init);
    else visitStmt(stmt, this.#visiting);
  }

  /** A variable is given a value. */
  #given(name: string, value: TsExpr): void {
    if (value.kind === "as") this.#given(name, value.expr);
    else if (value.kind === "id") this.#same.add(value.name, name);
    else if (value.kind === "index" && value.object.kind === "id") {
      this.#out.add(value.object.name, name);
      this.#visiting.expr(value.index);
    } else if (value.kind === "array") for (const item of value.items) this.#stored(item, name);
    else {
      if (!makesArray(value) && !isCallOf(value, "adjoint.zeroRows", this.#surroundings) && value.kind !== "undefined")
        this.#foreign.add(name);
      this.#visiting.expr(value);
    }
  }

  #expr(expr: TsExpr): void {
    switch (expr.kind) {
      case "id":
        this.#lose(expr, 0);
        return;
      case "index":
        this.#lose(expr, 0);
        this.#part(expr.object);
        this.#visiting.expr(expr.index);
        return;
      case "member":
        if (expr.name === "length") this.#part(expr.object);
        else visitParts(expr, this.#visiting);
        return;
      case "assign":
        this.#assign(expr);
        return;
      case "call":
        this.#call(expr);
        return;
      default:
        visitParts(expr, this.#visiting);
    }
  }

  /** Something is done with what is behind so many indices of a value. */
  #lose(value: TsExpr, indices: number): void {
    if (value.kind === "index") this.#lose(value.object, indices + 1);
    else if (value.kind === "id") this.#lost.set(value.name, Math.min(this.#lost.get(value.name) ?? Infinity, indices));
  }

  /** An array of which an element or the length is used; it may be an element itself. */
  #part(array: TsExpr): void {
    if (array.kind === "id") return;
    if (array.kind !== "index") {
      this.#visiting.expr(array);
      return;
    }
    this.#part(array.object);
    this.#visiting.expr(array.index);
  }

  #assign({ op, target, value }: TsExpr & { readonly kind: "assign" }): void {
    if (target.kind === "id" && op === "=") {
      this.#given(target.name, value);
      return;
    }
    if (target.kind !== "index") {
      visitParts({ kind: "assign", op, target, value }, this.#visiting);
      return;
    }
    this.#part(target.object);
    this.#visiting.expr(target.index);
    if (target.object.kind === "id") this.#stored(value, target.object.name);
    else this.#visiting.expr(value);
  }

  /** A value becomes an element of an array. */
  #stored(value: TsExpr, array: string): void {
    if (value.kind === "id") this.#into.add(value.name, array);
    else this.#visiting.expr(value);
  }

  #call(expr: TsExpr & { readonly kind: "call" }): void {
    const { fn, args } = expr;
    if (fn.kind === "member" && (fn.name === "slice" || fn.name === "set")) {
      // A copy of an array of arrays has the same elements
      this.#lose(fn.object, 1);
      this.#part(fn.object);
      for (const arg of args) this.#part(arg);
    } else if (fn.kind === "member" && fn.name === "push" && fn.object.kind === "id") {
      for (const arg of args) this.#stored(arg, fn.object.name);
    } else if (
      ["arrays.outside", "adjoint.zeroRows"].some((name) => isCallOf(expr, name, this.#surroundings)) ||
      isCopyingCall(fn, this.#surroundings) ||
      isFillingCall(fn, this.#surroundings)
    ) {
      for (const arg of args) this.#part(arg);
    } else visitParts(expr, this.#visiting);
  }
}

function makesArray(expr: TsExpr): boolean {
  return expr.kind === "new" && expr.fn.kind === "id" && expr.fn.name === "Array";
}

/** What goes from variables to variables. */
class Edges {
  readonly #from = new Map<string, Set<string>>();
  readonly #to = new Map<string, Set<string>>();

  add(from: string, to: string): void {
    this.#from.set(from, (this.#from.get(from) ?? new Set()).add(to));
    this.#to.set(to, (this.#to.get(to) ?? new Set()).add(from));
  }

  from(name: string): Iterable<string> {
    return this.#from.get(name) ?? [];
  }

  to(name: string): Iterable<string> {
    return this.#to.get(name) ?? [];
  }
}
