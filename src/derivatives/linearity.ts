// Rules have to be linear in their tangents or cotangents (RA23 §4): sums, products with one linear factor, choices by what is not linear, and functions made of such.
// A least fixed point: what is zero may be either.

import type { Fn, Term } from "../core/term.js";
import type { NotLinearReason } from "../core/derivative.js";
import type { TypeOf } from "../core/type-of.js";
import { isBinding } from "../optimise/rewrite.js";
import type { DualData } from "./dual-data.js";

/** How a value depends on what it has to be linear in. */
type Dependence = "zero" | "linear" | "constant";

export class NotLinear extends Error {
  constructor(readonly reason: NotLinearReason) {
    super(reason.kind);
  }
}

export interface LinearitySetting {
  readonly data: DualData;
  readonly types: TypeOf;
  /** Null of what is no definition. */
  readonly definition: (name: string) => Fn | null;
  /** The definition of the value of one with a rule. */
  readonly valueOf: (name: string) => string | null;
  readonly isPullback: (name: string) => boolean;
}

/** Throws `NotLinear` unless what a definition gives is linear in its second parameter. */
export function assertLinear(fn: Fn, setting: LinearitySetting): void {
  const result = new Linearity(setting).of(fn, fn.params.map((_, index) => (index === 1 ? "linear" : "constant"))); // prettier-ignore
  if (result === "constant") throw new NotLinear({ kind: "constant" });
}

class Linearity {
  readonly #setting: LinearitySetting;
  readonly #results = new Map<string, Dependence>();
  readonly #open = new Set<string>();

  constructor(setting: LinearitySetting) {
    this.#setting = setting;
  }

  of(fn: Fn, params: readonly Dependence[]): Dependence {
    const key = `${fn.name} ${params.join()}`;
    const known = this.#results.get(key) ?? "zero";
    if (this.#open.has(key)) return known;
    this.#open.add(key);
    this.#setting.types.enter(fn);
    const variables = new Map(fn.params.map(({ name }, index) => [name, params[index] ?? "constant"]));
    for (let before: Dependence | null = null; before !== this.#results.get(key);) {
      before = this.#results.get(key) ?? null;
      this.#results.set(key, new Body(this.#setting, this, variables).settled(fn.body));
    }
    this.#open.delete(key);
    return this.#results.get(key) ?? "zero";
  }
}

class Body {
  readonly #setting: LinearitySetting;
  readonly #whole: Linearity;
  readonly #variables: Map<string, Dependence>;
  readonly #functions = new Map<string, Fn>();
  readonly #results = new Map<string, Dependence>();
  #revision = 0;

  constructor(setting: LinearitySetting, whole: Linearity, variables: ReadonlyMap<string, Dependence>) {
    this.#setting = setting;
    this.#whole = whole;
    this.#variables = new Map(variables);
  }

  settled(body: Term): Dependence {
    for (;;) {
      const before = this.#revision;
      const result = this.#of(body);
      if (before === this.#revision) return result;
    }
  }

  #of(start: Term): Dependence {
    let term = start;
    for (; isBinding(term); term = term.body) {
      this.#setting.types.enterBinders(term);
      if (term.kind === "let") this.#note(this.#variables, term.name, this.#of(term.bound));
      else {
        for (const fn of term.functions) this.#functions.set(fn.name, fn);
        for (const { name, body } of term.functions) this.#note(this.#results, name, this.#of(body));
      }
    }
    this.#setting.types.enterBinders(term);
    const found = this.#simple(term);
    return found === "linear" || this.#setting.data.hasReal(this.#setting.types.of(term)) ? found : "zero";
  }

  #simple(term: Exclude<Term, { readonly kind: "let" | "letRec" }>): Dependence {
    const all = (terms: readonly Term[]): Dependence => terms.map((each) => this.#of(each)).reduce(join, "zero");
    switch (term.kind) {
      case "var":
        return this.#variables.get(term.name) ?? "zero";
      case "real":
        return term.value === 0 ? "zero" : "constant";
      case "int":
      case "bool":
        return "zero";
      case "tuple":
      case "parallel":
      case "array":
        return all(term.items);
      case "con":
        return all(term.args);
      case "proj":
        return this.#of(term.tuple);
      case "build":
        this.#constant(term.size, "size");
        return this.#of(term.body);
      case "index":
        this.#constant(term.index, "index");
        return this.#of(term.array);
      case "length":
        this.#of(term.array);
        return "zero";
      case "if":
        this.#constant(term.cond, "condition");
        return join(this.#of(term.then), this.#of(term.else));
      case "case": {
        const scrutinee = this.#of(term.scrutinee);
        if (scrutinee === "linear" && term.branches.length > 1) throw new NotLinear({ kind: "constructor" }); // prettier-ignore
        return term.branches
          .map(({ vars, body }) => {
            for (const name of vars) this.#note(this.#variables, name, scrutinee);
            return this.#of(body);
          })
          .reduce(join, "zero");
      }
      case "op":
        return this.#operation(term);
      case "call":
        return this.#call(term);
      case "lam":
      case "app":
        throw new NotLinear({ kind: "function" });
    }
  }

  #operation({ op, args }: Term & { readonly kind: "op" }): Dependence {
    const of = args.map((arg) => this.#of(arg));
    const [left = "constant", right = "constant"] = of;
    const linear = of.filter((each) => each === "linear").length;
    switch (op) {
      case "add":
      case "sub":
        return join(left, right);
      case "neg":
        return left;
      case "mul":
      case "scaled":
        if (linear > 1) throw new NotLinear({ kind: "product" });
        return linear === 1 ? "linear" : of.includes("zero") ? "zero" : "constant";
      case "div":
        if (right === "linear") throw new NotLinear({ kind: "divisor" });
        return left;
      default:
        if (linear > 0) throw new NotLinear({ kind: "operation", op });
        return "constant";
    }
  }

  #call({ fn, args }: Term & { readonly kind: "call" }): Dependence {
    const of = args.map((arg) => this.#of(arg));
    const local = this.#functions.get(fn);
    if (local !== undefined) {
      local.params.forEach(({ name }, index) => {
        this.#note(this.#variables, name, of[index] ?? "constant");
      });
      return this.#results.get(fn) ?? "zero";
    }
    if (!of.includes("linear")) return "constant";
    if (this.#setting.isPullback(fn)) {
      if (of.slice(0, -1).includes("linear")) throw new NotLinear({ kind: "point" });
      return "linear";
    }
    const definition = this.#setting.definition(this.#setting.valueOf(fn) ?? fn);
    if (definition === null) throw new NotLinear({ kind: "function" });
    return this.#whole.of(definition, of);
  }

  #constant(term: Term, decides: "size" | "index" | "condition"): void {
    if (this.#of(term) === "linear") throw new NotLinear({ kind: decides });
  }

  #note(table: Map<string, Dependence>, name: string, dependence: Dependence): void {
    const before = table.get(name) ?? "zero";
    const after = join(before, dependence);
    if (before === after && table.has(name)) return;
    table.set(name, after);
    this.#revision += 1;
  }
}

/** Of parts of one value, or of two ways to it. */
function join(a: Dependence, b: Dependence): Dependence {
  if (a === "zero") return b;
  if (b === "zero" || a === b) return a;
  throw new NotLinear({ kind: "affine" });
}
