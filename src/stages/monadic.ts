// The term rules of SV25 Fig. 8, with §11 and §12's parallel tuple, in the notation of a monad M: `Z -> (-, Z)` in Figs. 8 to 10,
// the growing tape in §10.3. `return x` is `\i. (x, i)`, `do x <- s; t` is `\i. let (x, i') = s i in t i'`.
// Checked after this pass: G |- t : T implies D[G] |- D[t] : M D[T].
//
// A stage hands in its rules for literals and operations; the difference between two stages' files is the difference of two figures.

import { inPlaceOf } from "../location.js";
import type * as Source from "../core/term.js";
import type { Names } from "../core/names.js";
import { scalarType } from "../core/build.js";
import { primitive } from "../core/primitives.js";
import { TypeOf } from "../core/type-of.js";
import * as b from "../target-calculus/build.js";
import type { Fn, Term } from "../target-calculus/term.js";
import { alongBindings } from "./along-bindings.js";
import type { Binding } from "./along-bindings.js";
import type { DualTypes } from "./dual-types.js";
import { FusedDefinitions } from "./fused.js";
import type { Operand } from "./operands.js";
import { primitiveOperation, type Operation, type OpTerm } from "./operation.js";

export interface MonadicRules {
  /** D[r] : M D[R]. */
  readonly literal: (value: number) => Term;
  /** D[op(t1, .., tn)] : M D[R], the arguments' values given. */
  readonly operation: (operation: Operation, operands: readonly Operand[]) => Term;
  /** The primal value of a dual number. */
  readonly primal: (dual: Term) => Term;
  /** Whether literal arguments of operations come to `operation` as they are, without a dual number of their own. */
  readonly keepsLiterals: boolean;
  /** Whether `s |*| t` is a fork in the monad; where it is not, s and t are evaluated in order. */
  readonly forks: boolean;
}

export class Monadic {
  readonly #types: DualTypes;
  readonly #rules: MonadicRules;
  readonly #names: Names;
  readonly #typeOf: TypeOf;
  readonly #externs: Source.Program["externs"];
  readonly #fused: FusedDefinitions;

  constructor(program: Source.Program, types: DualTypes, rules: MonadicRules, names: Names) {
    this.#types = types;
    this.#rules = rules;
    this.#names = names;
    this.#typeOf = new TypeOf(program);
    this.#externs = program.externs;
    this.#fused = new FusedDefinitions(program, types, names);
  }

  /** D[f(x : S, ..) : T = t] = f(x : D[S], ..) : M D[T] = D[t]. */
  readonly definition = (fn: Source.Fn): Fn => {
    this.#typeOf.enter(fn);
    const params = fn.params.map(({ name, type }) => b.param(name, this.#types.of(type)));
    const body = this.#fused.body(fn, this.#rules.operation) ?? this.term(fn.body);
    return inPlaceOf(b.fn(fn.name, params, b.computation(this.#types.of(fn.result)), body), fn);
  };

  /** D[t]. */
  readonly term = (t: Source.Term): Term => alongBindings(t, this.#binding, this.#unbound);

  readonly #binding = (t: Binding): ((body: Term) => Term) => {
    this.#typeOf.enterBinders(t);
    // D[let x : T = s in t] = \i. let (x : D[T], i') = D[s] i in D[t] i'
    if (t.kind === "let") {
      const [type, bound] = [this.#types.of(t.type), this.term(t.bound)];
      return (body) => b.bind(t.name, type, bound, body);
    }
    // §11: D[letrec f x = s in t] = letrec f x = D[s] in D[t]
    const functions = t.functions.map(this.definition);
    return (body) => ({ kind: "letRec", functions, body });
  };

  readonly #unbound = (t: Exclude<Source.Term, Binding>): Term => {
    const { of } = this.#types;
    const d = this.term;
    this.#typeOf.enterBinders(t);
    switch (t.kind) {
      case "real":
        return this.#rules.literal(t.value);
      case "op":
        return this.#operation(t);
      // D[x] = \i. (x, i)
      case "var":
      case "int":
      case "bool":
        return b.ret(t);
      // D[(s, t)] = \i. let (x, i') = D[s] i in let (y, i'') = D[t] i' in ((x, y), i'')
      case "tuple":
        return this.#inOrder(t.items, (items) => b.ret(b.tuple(...items)));
      // §12: D[s |*| t] = D[s] |*|' D[t]; sequential stages evaluate in order
      case "parallel":
        if (this.#rules.forks) return { kind: "parallel", items: t.items.map(d) };
        return this.#inOrder(t.items, (items) => b.ret({ kind: "parallel", items }));
      // D[fst t] = \i. let (p, i') = D[t] i in (fst p, i')
      case "proj":
        return this.#inOrder([t.tuple], ([p = t]) => b.ret(b.proj(t.index, p)));
      // D[\x. t] = \i. (\x. D[t], i)
      case "lam":
        return b.ret(b.lam(t.param, of(t.type), d(t.body)));
      // D[s t] = \i. let (f, i') = D[s] i in let (a, i'') = D[t] i' in f a i''
      case "app":
        return this.#inOrder([t.fn, t.arg], ([f = t, a = t]) => b.app(f, a));
      case "call":
        // What has no text computes without a monad
        if (this.#externs.has(t.fn)) return this.#inOrder(t.args, (args) => b.ret(b.call(t.fn, ...args)));
        return this.#inOrder(t.args, (args) => b.call(t.fn, ...args));
      case "con":
        return this.#inOrder(t.args, (args) => b.ret(b.con(t.name, of(t.type), args)));
      // D[case s of {inl x -> t; inr y -> u}] = \i. let (v, i') = D[s] i in case v of {inl x -> D[t] i'; inr y -> D[u] i'}
      case "case":
        return this.#inOrder([t.scrutinee], ([v = t]) =>
          b.caseOf(
            v,
            this.#types.dataName(t.data),
            t.branches.map(({ con, vars, body }) => ({ con, vars, body: d(body) })),
          ),
        );
      // KR22 §8.3: D[build n (\i. t)] = do n <- D[n]; build n (\i. D[t]), the elements one after the other, of `parBuild` each a task
      case "build":
        return this.#inOrder([t.size], ([size = t]) => {
          const built = { ...b.build(size, t.index, of(t.element), d(t.body)), site: t.site };
          return this.#rules.forks && t.inParallel === true ? { ...built, inParallel: true } : built;
        });
      // D[scan n s (\i x. t)] = do n <- D[n]; s <- D[s]; scan n s (\i x. D[t]), one iteration after the other
      case "scan":
        return this.#inOrder([t.size, t.start], ([size = t, start = t]) => {
          return { ...t, size, start, type: of(t.type), element: of(t.element), body: d(t.body) };
        });
      case "array":
        return this.#inOrder(t.items, (items) => b.ret({ kind: "array", element: of(t.element), items }));
      case "index":
        return this.#inOrder([t.array, t.index], ([array = t, index = t]) => b.ret({ ...t, array, index }));
      case "length":
        return this.#inOrder([t.array], ([array = t]) => b.ret(b.length(array)));
      case "if":
        return this.#inOrder([t.cond], ([cond = t]) => ({ kind: "if", cond, then: d(t.then), else: d(t.else) }));
    }
  };

  /** Binds the dual of each term, first to last, to a name; a variable stands for itself. */
  #inOrder(terms: readonly Source.Term[], rest: (duals: readonly Term[]) => Term): Term {
    return this.#bindAll(
      terms.map((term) => ({ term, dual: this.term(term) })),
      rest,
    );
  }

  #bindAll(operands: readonly Bindable[], rest: (duals: readonly Term[]) => Term): Term {
    const bindings = operands.map(({ term, dual }) => {
      if (dual.kind === "return") return { value: dual.value, wrap: (body: Term): Term => body };
      const name = this.#names.fresh(hintOf(term));
      const type = this.#types.of(this.#typeOf.of(term));
      return { value: b.variable(name), wrap: (body: Term): Term => b.bind(name, type, dual, body) };
    });
    return bindings.reduceRight((body, { wrap }) => wrap(body), rest(bindings.map(({ value }) => value)));
  }

  #operation(t: OpTerm): Term {
    const { params, result } = primitive(t.op);
    const kinds = t.args.map((arg, index): Operand["kind"] =>
      params[index] !== "R" ? "discrete" : arg.kind === "real" && this.#rules.keepsLiterals ? "literal" : "dual",
    );
    const terms = t.args.map((term, index) => ({
      term,
      dual: kinds[index] === "literal" ? b.ret(term) : this.term(term),
    }));
    return this.#bindAll(terms, (duals) => {
      if (result === "R") {
        return this.#rules.operation(
          primitiveOperation(t),
          duals.map((term, index) => ({ kind: kinds[index] ?? "dual", term, type: scalarType(params[index] ?? "R") })),
        );
      }
      // §11: D[sign t] = sign (fst D[t]), and so for every operation whose result is not of type R
      const values = duals.map((dual, index) => (kinds[index] === "dual" ? this.#rules.primal(dual) : dual));
      return b.ret(b.op(t.op, values, t.site));
    });
  }
}

interface Bindable {
  readonly term: Source.Term;
  readonly dual: Term;
}

function hintOf(term: Source.Term): string {
  switch (term.kind) {
    case "call":
      return term.fn;
    case "app":
      return "y";
    case "con":
    case "tuple":
    case "parallel":
    case "scan":
      return "p";
    case "array":
    case "build":
      return "a";
    default:
      return "t";
  }
}
