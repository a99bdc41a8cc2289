// The bodies of linear lambdas, SV25 Fig. 5:
//   b ::= () | (b, b) | fst b | snd b | z | x b | di_op(x1, .., xn)(b) | b + b | 0
// with `scale(b, p)`, b times a partial derivative that another definition gives, constructors and case (§11), arrays, `build n (\i. b)`, `b ! i` and `sum n (\i. b)`, operations of the stage's interface in their last argument, or one of those of KR22, and the updates of Fig. 9: `\a. b + a`, and a
// function of the whole that applies z to one component.

import { InternalError } from "../internal-error.js";
import { plainNotation, printTerm } from "./print.js";
import { eachSubterm } from "./traverse.js";
import type { Term } from "./term.js";

/** KR22 Figs. 5, 8 and 11: `z (x) ds`, `Scale z u` and `eval z u um` are linear in each argument. */
const multilinear: ReadonlySet<string> = new Set(["scale", "Scale", "eval"]);

/** Throws an `InternalError` if the body of a linear lambda is not linear in what it binds. */
export function assertLinear(lambda: Term & { readonly kind: "linLam" }): void {
  if (!linearIn(new Set([lambda.param]), lambda.body)) {
    const message = `the body is not linear in ${lambda.param}`;
    throw new InternalError("target check", `[linear lambda] ${message}`, printTerm(lambda, plainNotation));
  }
}

/** Whether a term is linear in the variables `zs` taken together (several where a case has taken z apart). */
function linearIn(zs: ReadonlySet<string>, term: Term): boolean {
  const linear = (part: Term): boolean => linearIn(zs, part);
  const free = (part: Term): boolean => !mentions(zs, part);
  const linearInLast = (args: readonly Term[]): boolean =>
    args.slice(0, -1).every(free) && args.slice(-1).every((arg) => linear(arg) || isUpdate(zs, arg));
  const linearInFirst = ([first, ...others]: readonly Term[]): boolean => first !== undefined && linear(first) && others.every(free); // prettier-ignore
  switch (term.kind) {
    case "var":
      return zs.has(term.name);
    case "zero":
    case "impossible":
      return true;
    case "tuple":
    case "array":
      return term.items.every(linear);
    case "build":
    case "sum":
      return free(term.size) && linear(term.body);
    case "scan":
      return free(term.size) && linear(term.start) && linearIn(new Set([...zs, term.carried]), term.body);
    case "index":
      return linear(term.array) && free(term.index);
    case "con":
      return term.args.every(linear);
    case "proj":
      return linear(term.tuple);
    case "plus":
      return linear(term.left) && linear(term.right);
    case "partial":
      return term.args.every(free) && free(term.result) && linear(term.cotangent);
    case "op":
      return (term.op === "scaled" || term.op === "ratio") && linearInFirst(term.args);
    case "app":
      return isUpdate(zs, term) || (free(term.fn) && linear(term.arg)) || (linear(term.fn) && free(term.arg));
    case "ext":
      if (!multilinear.has(term.name)) return linearInLast(term.args);
      return term.args.some((arg) => linear(arg) && term.args.every((other) => other === arg || free(other)));
    case "call":
      return linearInLast(term.args);
    case "case":
      return linear(term.scrutinee)
        ? term.branches.every(({ vars, body }) => linearIn(new Set([...zs, ...vars]), body))
        : free(term.scrutinee) && term.branches.every(({ body }) => linear(body));
    case "let":
      return linear(term.bound)
        ? linearIn(new Set([...zs, term.name]), term.body)
        : free(term.bound) && linear(term.body);
    case "linLam":
    case "lam":
      return isUpdate(zs, term);
    default:
      return false;
  }
}

// Fig. 9: `d (\a. z + a)` and `d (\(v, w). (f v, w))`: the lambda is the image of z, or of f, under a homomorphism into functions
function isUpdate(zs: ReadonlySet<string>, term: Term): boolean {
  return term.kind === "lam" && countUses(zs, term.body) === 1;
}

function mentions(zs: ReadonlySet<string>, term: Term): boolean {
  return countUses(zs, term) > 0;
}

function countUses(zs: ReadonlySet<string>, term: Term): number {
  if (term.kind === "var") return zs.has(term.name) ? 1 : 0;
  let uses = 0;
  eachSubterm(term, (part) => {
    uses += countUses(zs, part);
  });
  return uses;
}
