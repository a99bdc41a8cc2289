// Guards decided behind the loops.
//
// A function that gives derivatives runs with plain products first. Where none of its numbers is NaN, no product was one that a zero has to win.
//
//   function fHvp(x, dx) { .. for (..) y += scale(a, b) ..; return r }
//     =>   function fHvp(x, dx) { .. for (..) y += a * b ..; const found = r; return holdsNaN(found) ? fHvpGuarded(x, dx) : found }
//          function fHvpGuarded(x, dx) { .. for (..) y += scale(a, b) ..; return r }
//
// A NaN stays one in sums, products and what else is computed from it, up to the result. Nothing that such a product is in may decide which way a program takes.

import { isBlock, isMath } from "../typescript/facts.js";
import { binary, callOf, constant, id, returned } from "../typescript/build.js";
import { mapExpressions, mapParts, visitParts, visitStmt, type Visiting } from "../typescript/traverse.js";
import type { TsDeclaration, TsExpr, TsFunction, TsStmt } from "../typescript/tree.js";
import { Names } from "../core/names.js";
import { namesOf } from "../tidy/analysis/bindings.js";
import { allNames } from "./shared-objects.js";

export interface PlainProducts {
  /** The exported functions that give derivatives. */
  readonly derived: ReadonlySet<string>;
  /** What the module calls the guarded product and quotient, and the test for NaN. */
  readonly scale: string;
  readonly ratio: string;
  readonly holdsNaN: string;
  /** Whether what a function of the module gives is no part of what it is given. */
  readonly givesNew: (name: string) => boolean;
  /** Whether its caller sees each call of it: it must not be called again. */
  readonly isSeen: (name: string) => boolean;
  /** Whether it gives the arrays of an earlier result: each is looked at where it becomes one of the new result's, and nowhere else. */
  readonly isEarlier: (name: string) => boolean;
  /** Whether it copies what it is given. */
  readonly isCopy: (name: string) => boolean;
  readonly fresh: (name: string) => string;
}

export function withPlainProducts(
  declarations: readonly TsDeclaration[],
  setting: PlainProducts,
): readonly TsDeclaration[] {
  return declarations.flatMap((declaration): readonly TsDeclaration[] => {
    if (declaration.kind !== "function" || !setting.derived.has(declaration.fn.name)) return [declaration];
    const { fn } = declaration;
    const plain = plainly(fn, setting);
    const last = plain.body.at(-1);
    if (last?.kind !== "return" || last.value === null || !scalesInLoops(fn, setting)) return [declaration];
    if (!new Spread(setting).isHarmless(fn)) return [declaration];
    const name = setting.fresh(`${fn.name}Guarded`);
    const again = callOf(id(name), ...fn.params.map((param) => id(param.name)));
    const found = new Names(allNames([declaration])).fresh("found");
    const end: readonly TsStmt[] = [
      constant(found, fn.result, last.value),
      returned({ kind: "cond", test: callOf(id(setting.holdsNaN), id(found)), then: again, else: id(found) }),
    ];
    const doc = `As \`${fn.name}\`, for where something is infinite or NaN: a product is 0 where a factor is.`;
    return [
      { ...declaration, fn: { ...plain, body: [...plain.body.slice(0, -1), ...end] } },
      { ...declaration, doc, exported: false, fn: { ...fn, name } },
    ];
  });
}

function plainly(fn: TsFunction, setting: PlainProducts): TsFunction {
  return mapExpressions(fn, (expr, rewriting) => {
    const inner = mapParts(expr, rewriting);
    const op = operatorOf(inner, setting);
    const [cotangent, other] = op !== null && inner.kind === "call" ? inner.args : [];
    return op === null || cotangent === undefined || other === undefined ? inner : binary(op, cotangent, other);
  });
}

/** What a guarded product or quotient is without its guard; null of other expressions. */
function operatorOf(expr: TsExpr, { scale, ratio }: PlainProducts): "*" | "/" | null {
  return isCallOf(expr, scale) ? "*" : isCallOf(expr, ratio) ? "/" : null;
}

function isCallOf(expr: TsExpr, name: string): boolean {
  return expr.kind === "call" && expr.fn.kind === "id" && expr.fn.name === name;
}

/** Whether there are such products in loops: those outside take no time that is felt. */
function scalesInLoops(fn: TsFunction, setting: PlainProducts): boolean {
  let [depth, found] = [0, false];
  const visiting: Visiting = {
    expr: (expr) => {
      if (depth > 0 && operatorOf(expr, setting) !== null) found = true;
      visitParts(expr, visiting);
    },
    block: (body) => {
      for (const stmt of body) {
        const isLoop = stmt.kind === "for" || stmt.kind === "while" || stmt.kind === "loop";
        if (isLoop) depth++;
        visitStmt(stmt, visiting);
        if (isLoop) depth--;
      }
    },
  };
  visiting.block(fn.body);
  return found;
}

/** Functions of `Math` that give NaN for NaN, whatever else they are given. */
const spreading = new Set("sqrt cbrt exp expm1 log log1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh abs atan2".split(" ")); // prettier-ignore

/** Where the products of a function go. Variables are taken for arrays where they may be: what is written to one may be read from another. */
class Spread {
  readonly #setting: PlainProducts;
  readonly #reached = new Set<string>();
  /** What holds the arrays of an earlier result. */
  readonly #earlier = new Set<string>();
  #isHarmless = true;

  constructor(setting: PlainProducts) {
    this.#setting = setting;
  }

  /** Whether they go through arithmetic alone, into arrays and the result. */
  isHarmless(fn: TsFunction): boolean {
    for (let before = -1; before < this.#reached.size && this.#isHarmless;) {
      before = this.#reached.size;
      this.#block(fn.body);
    }
    return this.#isHarmless;
  }

  #block(body: readonly TsStmt[]): void {
    for (const stmt of body) this.#stmt(stmt);
  }

  #stmt(stmt: TsStmt): void {
    switch (stmt.kind) {
      case "const":
        this.#bind(namesOf(stmt.target), stmt.init);
        return;
      case "let":
        if (stmt.init !== null) this.#bind([stmt.name], stmt.init);
        return;
      case "expr":
        this.#value(stmt.expr);
        return;
      case "return":
        if (stmt.value !== null) this.#value(stmt.value);
        return;
      case "if":
        this.#decides(stmt.test);
        this.#block(stmt.then);
        this.#block(stmt.else);
        return;
      case "loop":
        this.#block(stmt.body);
        return;
      case "while":
        this.#decides(stmt.test);
        this.#block(stmt.body);
        return;
      case "for":
        for (const bound of [stmt.from, stmt.test, stmt.step]) this.#decides(bound);
        this.#block(stmt.body);
        return;
      case "block":
        this.#block(stmt.body);
        return;
      case "break":
      case "continue":
      case "comment":
        return;
      default:
        this.#isHarmless = false;
    }
  }

  #bind(names: readonly string[], init: TsExpr): void {
    const isReached = this.#value(init);
    const call = init.kind === "binary" ? init.right : init;
    if (call.kind === "call" && call.fn.kind === "id" && this.#setting.isEarlier(call.fn.name)) {
      for (const name of names) this.#earlier.add(name);
      return;
    }
    for (const name of names) this.#joins(name, init, isReached);
  }

  #assign({ target, value }: TsExpr & { readonly kind: "assign" }): boolean {
    const isReached = this.#value(value);
    if (target.kind === "index") this.#decides(target.index);
    const root = rootOf(target);
    if (root === null) this.#isHarmless = false;
    else this.#joins(root, value, isReached);
    return isReached;
  }

  /** A variable is given a value, or an array an element. What may be the same array as another one is reached as soon as that is. */
  #joins(name: string, value: TsExpr, isReached: boolean): void {
    if (isReached) this.#reach(name);
    if (this.#reached.has(name)) for (const other of this.#sharedIn(value)) this.#reach(other);
  }

  /** The variables of which a value may be a part. */
  #sharedIn(value: TsExpr): readonly string[] {
    const all = (parts: readonly TsExpr[]): readonly string[] => parts.flatMap((part) => this.#sharedIn(part));
    switch (value.kind) {
      case "cond":
        return all([value.then, value.else]);
      case "call":
        return value.fn.kind === "id" && !this.#setting.givesNew(value.fn.name) ? all(value.args) : [];
      case "new":
        return [];
      case "array":
        return all(value.items);
      case "object":
        return all(value.fields.map((field) => field.value));
      default: {
        const root = rootOf(value);
        return root === null || this.#earlier.has(root) ? [] : [root];
      }
    }
  }

  #reach(name: string): void {
    this.#reached.add(name);
  }

  #decides(expr: TsExpr): void {
    if (this.#value(expr)) this.#isHarmless = false;
  }

  /** Whether a product is in a value. */
  #value(expr: TsExpr): boolean {
    switch (expr.kind) {
      case "id":
        return this.#reached.has(expr.name);
      case "number":
      case "string":
      case "boolean":
      case "null":
      case "undefined":
        return false;
      case "binary": {
        const isReached = this.#any([expr.left, expr.right]);
        if (isReached && !["+", "-", "*", "/"].includes(expr.op)) this.#isHarmless = false;
        return isReached;
      }
      case "unary":
        if (expr.op === "!") this.#decides(expr.arg);
        return this.#value(expr.arg);
      case "cond":
        this.#decides(expr.test);
        return this.#any([expr.then, expr.else]);
      case "index":
        this.#decides(expr.index);
        return this.#value(expr.object);
      case "member":
        // A length
        return expr.name === "length" ? false : this.#value(expr.object);
      case "as":
        return this.#value(expr.expr);
      case "array":
        return this.#any(expr.items);
      case "object":
        return this.#any(expr.fields.map(({ value }) => value));
      case "call":
      case "new":
        return this.#call(expr);
      case "assign":
        return this.#assign(expr);
      case "arrow":
        if (isBlock(expr.body)) this.#isHarmless = false;
        else this.#decides(expr.body);
        return false;
      default:
        this.#isHarmless = false;
        return false;
    }
  }

  #call({ fn, args }: TsExpr & { readonly kind: "call" | "new" }): boolean {
    const isReached = this.#any(args);
    if (fn.kind === "id" && [this.#setting.scale, this.#setting.ratio].includes(fn.name)) return true;
    // Its numbers are those of the array that it is made of
    if (fn.kind === "id" && fn.name === "Float64Array") return isReached;
    if (fn.kind === "id" && this.#setting.isSeen(fn.name)) this.#isHarmless = false;
    if (fn.kind === "id") return isReached && this.#kept(this.#setting.isCopy(fn.name));
    if (isMath(fn) && fn.kind === "member") return isReached && this.#kept(spreading.has(fn.name));
    if (fn.kind !== "member") return this.#kept(!isReached);
    const root = rootOf(fn.object);
    const [given] = args;
    if (["set", "fill"].includes(fn.name) && root !== null && given !== undefined) this.#joins(root, given, isReached);
    else if (fn.name !== "slice") this.#isHarmless = false;
    return isReached || this.#value(fn.object);
  }

  #kept(isHarmless: boolean): boolean {
    if (!isHarmless) this.#isHarmless = false;
    return true;
  }

  #any(exprs: readonly TsExpr[]): boolean {
    return exprs.map((expr) => this.#value(expr)).includes(true);
  }
}

/** The variable of a place, or of an array in it; null for what is computed. */
function rootOf(expr: TsExpr): string | null {
  if (expr.kind === "id") return expr.name;
  if (expr.kind === "index" || expr.kind === "member") return rootOf(expr.object);
  return expr.kind === "as" ? rootOf(expr.expr) : null;
}
