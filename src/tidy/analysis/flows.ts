// Where arrays of numbers go in a function: to other variables, into arrays of arrays and out of them again; or somewhere else, where they are not followed.

import { visitParts, visitStmt, type Visiting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import type { Surroundings } from "./purity.js";

export class Flows {
  readonly #surroundings: Surroundings;
  /** By variable those that it is assigned to, those that it becomes an element of, and those that its elements are assigned to. */
  readonly #same = new Map<string, Set<string>>();
  readonly #into = new Map<string, Set<string>>();
  readonly #out = new Map<string, Set<string>>();
  /** Variables with which something else is done than with elements and lengths; and those with whose elements that is done. */
  readonly #lost = new Set<string>();
  readonly #lostElements = new Set<string>();
  /** Constants that begin with an array of arrays of their own. */
  readonly #made = new Set<string>();

  constructor(fn: TsFunction, surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.#visiting.block(fn.body);
  }

  /** The variables that an array of numbers may get to, and those that may have it as an element; null where it may get elsewhere. */
  from(array: string): ReadonlySet<string> | null {
    const arrays = new Set([array]);
    const holders = new Set<string>();
    const add = (to: Set<string>, names: ReadonlySet<string> | undefined): void =>
      names?.forEach((name) => to.add(name));
    for (let size = -1; size !== arrays.size + holders.size;) {
      size = arrays.size + holders.size;
      for (const name of arrays) {
        add(arrays, this.#same.get(name));
        add(holders, this.#into.get(name));
      }
      for (const name of holders) {
        add(holders, this.#same.get(name));
        add(arrays, this.#out.get(name));
      }
    }
    const isLost = [...arrays, ...holders].some((name) => this.#lost.has(name));
    const isKnown = (name: string): boolean => this.#made.has(name) && !this.#lostElements.has(name) && !this.#into.has(name); // prettier-ignore
    const isElementLost = ![...holders].every(isKnown);
    return isLost || isElementLost ? null : new Set([...arrays, ...holders]);
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
    if (stmt.kind === "const" && typeof name === "string" && init !== null && makesArray(init)) this.#made.add(name);
    if (typeof name === "string" && init !== null) this.#given(name, init);
    else visitStmt(stmt, this.#visiting);
  }

  /** A variable is given a value. */
  #given(name: string, value: TsExpr): void {
    if (value.kind === "as") this.#given(name, value.expr);
    else if (value.kind === "id") flow(this.#same, value.name, name);
    else if (value.kind === "index" && value.object.kind === "id") {
      flow(this.#out, value.object.name, name);
      this.#visiting.expr(value.index);
    } else this.#visiting.expr(value);
  }

  #expr(expr: TsExpr): void {
    switch (expr.kind) {
      case "id":
        this.#lost.add(expr.name);
        return;
      case "index":
        if (expr.object.kind === "id") this.#lostElements.add(expr.object.name);
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
    if (value.kind === "id") flow(this.#into, value.name, array);
    else this.#visiting.expr(value);
  }

  #call(expr: TsExpr & { readonly kind: "call" }): void {
    const { fn, args } = expr;
    const isFailure = fn.kind === "id" && this.#surroundings.reference(fn.name) === "arrays.outside";
    if (fn.kind === "member" && (fn.name === "slice" || fn.name === "set")) {
      // A copy of an array of arrays has the same elements
      if (fn.object.kind === "id") this.#lostElements.add(fn.object.name);
      this.#part(fn.object);
      for (const arg of args) this.#part(arg);
    } else if (fn.kind === "member" && fn.name === "push" && fn.object.kind === "id") {
      for (const arg of args) this.#stored(arg, fn.object.name);
    } else if (isFailure) {
      for (const arg of args) this.#part(arg);
    } else visitParts(expr, this.#visiting);
  }
}

function makesArray(expr: TsExpr): boolean {
  return (expr.kind === "new" && expr.fn.kind === "id" && expr.fn.name === "Array") || (expr.kind === "array" && expr.items.length === 0); // prettier-ignore
}

function flow(edges: Map<string, Set<string>>, from: string, to: string): void {
  edges.set(from, (edges.get(from) ?? new Set()).add(to));
}
