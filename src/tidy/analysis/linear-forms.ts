// Expressions as sums of products, each of a variable and what does not depend on any of these variables.

import { binary, id, number, unary } from "../../typescript/build.js";
import { isNumber } from "../../typescript/facts.js";
import { visitParts } from "../../typescript/traverse.js";
import type { TsExpr } from "../../typescript/tree.js";

/** The sum of `variable * factor` for each factor, and of `rest`; null for 0. */
export interface LinearForm {
  readonly factors: ReadonlyMap<string, TsExpr>;
  readonly rest: TsExpr | null;
}

/** `variable * factor`. */
interface Product {
  readonly variable: string;
  readonly factor: TsExpr;
}

/** A constant that is a product, and what to call its factor. */
export interface NamedFactor extends Product {
  readonly name: string;
  readonly partial: string;
}

const none: LinearForm = { factors: new Map(), rest: null };
const one = number(1);

/** Linear forms in some variables, of expressions that may mention constants. */
export class LinearForms {
  readonly #depends = new Map<string, boolean>();
  readonly #depths = new Map<string, number>();
  readonly #products = new Map<string, Product | null>();
  readonly #partials: NamedFactor[] = [];

  /** `isSettled`: whether a name stands for one value wherever the expressions stand; `fresh`: a name for a factor. */
  constructor(
    private readonly variables: ReadonlySet<string>,
    private readonly constants: ReadonlyMap<string, TsExpr>,
    private readonly isSettled: (name: string) => boolean,
    private readonly fresh: () => string,
  ) {}

  /** The constants whose factors have got names, which the forms mention. */
  get partials(): readonly NamedFactor[] {
    return this.#partials;
  }

  /** Null where an expression is not linear, or not known to be. */
  of(expr: TsExpr): LinearForm | null {
    if (!this.#isDependent(expr)) return { ...none, rest: expr };
    switch (expr.kind) {
      case "id":
        return this.#ofName(expr.name);
      case "unary":
        return expr.op === "-" ? this.#scaled(this.of(expr.arg), negated) : null;
      case "binary":
        return this.#ofBinary(expr);
      default:
        return null;
    }
  }

  #ofName(name: string): LinearForm | null {
    if (this.variables.has(name)) return { ...none, factors: new Map([[name, one]]) };
    const product = this.#product(name);
    return product === null ? null : { ...none, factors: new Map([[product.variable, product.factor]]) };
  }

  /** A constant as a product with one of the variables, by the name of the factor; null where it is none. */
  #product(name: string): Product | null {
    const known = this.#products.get(name);
    const init = this.constants.get(name);
    if (known !== undefined || init === undefined) return known ?? null;
    const form = this.of(init);
    const [term, ...others] = form?.factors ?? [];
    const product = term === undefined || others.length > 0 || form?.rest !== null ? null : this.#named(name, ...term);
    this.#products.set(name, product);
    return product;
  }

  #named(name: string, variable: string, factor: TsExpr): Product {
    if (this.#isShort(factor)) return { variable, factor };
    const partial = this.fresh();
    this.#partials.push({ name, variable, factor, partial });
    return { variable, factor: id(partial) };
  }

  /** Whether a factor may be written wherever it is needed. */
  #isShort(factor: TsExpr): boolean {
    switch (factor.kind) {
      case "number":
        return true;
      case "id":
        return this.isSettled(factor.name);
      case "unary":
        return this.#isShort(factor.arg);
      case "binary":
        return factor.left.kind === "number" && factor.right.kind === "number";
      default:
        return false;
    }
  }

  #ofBinary({ op, left, right }: TsExpr & { readonly kind: "binary" }): LinearForm | null {
    switch (op) {
      case "+":
      case "-":
        return summed(op, this.of(left), this.of(right));
      case "*":
        if (!this.#isDependent(right)) return this.#scaled(this.of(left), (factor) => times(factor, right));
        return this.#isDependent(left) ? null : this.#scaled(this.of(right), (factor) => times(left, factor));
      case "/":
        return this.#isDependent(right) ? null : this.#scaled(this.of(left), (factor) => binary("/", factor, right));
      default:
        return null;
    }
  }

  #scaled(form: LinearForm | null, scale: (factor: TsExpr) => TsExpr): LinearForm | null {
    if (form === null) return null;
    const factors = new Map([...form.factors].map(([name, factor]) => [name, scale(factor)]));
    return { factors, rest: form.rest === null ? null : scale(form.rest) };
  }

  #isDependent(expr: TsExpr): boolean {
    if (expr.kind === "id") {
      if (this.variables.has(expr.name)) return true;
      const known = this.#depends.get(expr.name);
      const init = this.constants.get(expr.name);
      if (known !== undefined || init === undefined) return known ?? false;
      const depends = this.#isDependent(init);
      this.#depends.set(expr.name, depends);
      return depends;
    }
    let found = false;
    visitParts(expr, { expr: (part) => (found ||= this.#isDependent(part)), block: () => (found = true) });
    return found;
  }

  /** How long the longest chain of operations is that leads from a variable to a linear expression. */
  depth(expr: TsExpr): number {
    if (expr.kind === "id") {
      const known = this.#depths.get(expr.name);
      const init = this.constants.get(expr.name);
      if (known !== undefined || init === undefined) return known ?? (this.variables.has(expr.name) ? 0 : -Infinity);
      const depth = this.depth(init);
      this.#depths.set(expr.name, depth);
      return depth;
    }
    let deepest = -Infinity;
    visitParts(expr, { expr: (part) => (deepest = Math.max(deepest, this.depth(part))), block: () => undefined });
    return deepest + (expr.kind === "binary" ? (latencies.get(expr.op) ?? 1) : 0);
  }
}

/** In those of additions. */
const latencies: ReadonlyMap<string, number> = new Map([["/", 3]]);

/** A linear form as an expression. */
export function valueOf({ factors, rest }: LinearForm): TsExpr {
  const terms = [...factors].map(([name, factor]) => times(id(name), factor));
  const all = rest === null ? terms : [...terms, rest];
  return all.reduce<TsExpr | null>((sum, term) => added("+", sum, term), null) ?? number(0);
}

function summed(op: "+" | "-", left: LinearForm | null, right: LinearForm | null): LinearForm | null {
  if (left === null || right === null) return null;
  const factors = new Map(left.factors);
  for (const [name, factor] of right.factors) factors.set(name, added(op, factors.get(name) ?? null, factor));
  return { factors, rest: right.rest === null ? left.rest : added(op, left.rest, right.rest) };
}

function added(op: "+" | "-", left: TsExpr | null, right: TsExpr): TsExpr {
  if (left === null) return op === "+" ? right : negated(right);
  if (right.kind === "unary" && right.op === "-") return binary(op === "+" ? "-" : "+", left, right.arg);
  return left.kind === "unary" && left.op === "-" && op === "+"
    ? binary("-", right, left.arg)
    : binary(op, left, right);
}

function times(left: TsExpr, right: TsExpr): TsExpr {
  if (isNumber(left, 1)) return right;
  if (isNumber(right, 1)) return left;
  if (isNumber(left, -1)) return negated(right);
  if (isNumber(right, -1)) return negated(left);
  if (left.kind === "unary" && left.op === "-") return negated(times(left.arg, right));
  if (right.kind === "unary" && right.op === "-") return negated(times(left, right.arg));
  return binary("*", left, right);
}

function negated(expr: TsExpr): TsExpr {
  if (expr.kind === "number") return number(-expr.value);
  return expr.kind === "unary" && expr.op === "-" ? expr.arg : unary("-", expr);
}
