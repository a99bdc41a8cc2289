// `vjp f x` as the value and a function that calls the pullback; where only one of them is used, that alone.
//
//   vjp f x   =>   let g = f in let y = x in (g y, \w. pullback g y w)

import * as b from "../core/build.js";
import type { Names } from "../core/names.js";
import type { Derivative, Fn, Program, Term } from "../core/term.js";
import { allTerms } from "../core/traverse.js";
import { copyTerm } from "../optimise/copy.js";
import { mapSame, withParts } from "../same.js";
import { InternalError } from "../internal-error.js";
import { mapDefinitions, rewriteUp, withBody } from "../optimise/rewrite.js";

export function withPullbacks(program: Program, names: Names): Program {
  const derivatives = new Map(program.derivatives);
  const expansion = new Expansion(derivatives, names);
  const mapped = mapDefinitions(program, (given) => {
    const fn = Expansion.knownLambdas(given, derivatives, names);
    const used = withBody(
      fn,
      rewriteUp(fn.body, (term) => expansion.of(term)),
    );
    return withBody(
      used,
      rewriteUp(used.body, (term) => expansion.rest(term)),
    );
  });
  return mapped === program ? program : { ...mapped, derivatives };
}

type Parts = "both" | 0 | 1;

class Expansion {
  readonly #derivatives: Map<string, Derivative>;
  readonly #names: Names;
  readonly #pullbacks = new Map<string, string>();

  constructor(derivatives: Map<string, Derivative>, names: Names) {
    this.#derivatives = derivatives;
    this.#names = names;
  }

  /** What variables are bound to lambdas under derivatives. */
  static knownLambdas(fn: Fn, derivatives: ReadonlyMap<string, Derivative>, names: Names): Fn {
    const lambdas = new Map(allTerms(fn.body).flatMap((term) => (term.kind === "let" && term.bound.kind === "lam" ? [[term.name, term.bound] as const] : []))); // prettier-ignore
    return withBody(
      fn,
      rewriteUp(fn.body, (term) => {
        if (term.kind !== "call" || !derivatives.has(term.fn)) return term;
        const args = mapSame(term.args, (arg) => {
          const lambda = arg.kind === "var" ? lambdas.get(arg.name) : undefined;
          return lambda === undefined ? arg : copyTerm(lambda, names);
        });
        return withParts(term, { args });
      }),
    );
  }

  /** A term whose parts are done: inside of projections and `let`s the derivative is still there. */
  of(term: Term): Term {
    if (term.kind === "proj" && this.#isVjp(term.tuple)) return this.#expanded(term.tuple, term.index === 0 ? 0 : 1);
    if (term.kind === "let" && this.#isVjp(term.bound)) {
      const used = usedParts(term.name, term.body);
      if (used === "both") return { ...term, bound: this.#expanded(term.bound, "both") };
      const part = this.#expanded(term.bound, used);
      const type = term.type.kind === "tuple" ? term.type.items[used] : undefined;
      if (type === undefined) return term;
      const body = rewriteUp(term.body, (each) => (isPartOf(term.name, each) ? b.variable(term.name) : each));
      return b.letIn(term.name, type, part, body);
    }
    return term;
  }

  /** All that are left. */
  rest(term: Term): Term {
    return this.#isVjp(term) ? this.#expanded(term, "both") : term;
  }

  #isVjp(term: Term): term is Term & { readonly kind: "call" } {
    return term.kind === "call" && this.#derivatives.get(term.fn)?.kind === "vjp";
  }

  #expanded({ fn, args: [of, at] }: Term & { readonly kind: "call" }, parts: Parts): Term {
    const derivative = this.#derivatives.get(fn);
    if (derivative === undefined || of === undefined || at === undefined)
      throw new InternalError("derivatives", "a derivative lacks an argument");
    const { from, to } = derivative;
    const [f, x, w] = [this.#names.fresh("f"), this.#names.fresh("x"), this.#names.fresh("w")];
    // A lambda stands where it is used
    const function_ = (): Term => (of.kind === "lam" ? copyTerm(of, this.#names) : b.variable(f));
    const value = b.app(function_(), b.variable(x));
    const pullback = b.call(this.#pullback(fn, derivative), [function_(), b.variable(x), b.variable(w)]);
    const back = b.lam(w, to, pullback);
    const whole = parts === "both" ? b.tuple(value, back) : parts === 0 ? value : back;
    const inside = b.letIn(x, from, at, whole);
    return of.kind === "lam" ? inside : b.letIn(f, b.fnType(from, to), of, inside);
  }

  #pullback(vjp: string, derivative: Derivative): string {
    const known = this.#pullbacks.get(vjp);
    if (known !== undefined) return known;
    const name = this.#names.fresh("pullback");
    this.#pullbacks.set(vjp, name);
    this.#derivatives.set(name, { ...derivative, kind: "pullback" });
    return name;
  }
}

/** Which components of a variable a term uses. */
function usedParts(name: string, body: Term): Parts {
  const terms = allTerms(body);
  const parts = [0, 1].map((index) => terms.filter((each) => isPartOf(name, each) && each.kind === "proj" && each.index === index)); // prettier-ignore
  const all = terms.filter((each) => each.kind === "var" && each.name === name);
  const [first = [], second = []] = parts;
  if (all.length !== first.length + second.length || (first.length > 0 && second.length > 0)) return "both";
  return first.length > 0 ? 0 : 1;
}

function isPartOf(name: string, term: Term): boolean {
  return term.kind === "proj" && term.tuple.kind === "var" && term.tuple.name === name;
}
