// Forward mode from core to core (KR22 Figs. 3 and 16): an active R becomes (R, R), everything else is homomorphic. What is passive stays as it is.

import * as b from "../core/build.js";
import type { Names } from "../core/names.js";
import { isQuotient, primitive, type OpName, type Partial } from "../core/primitives.js";
import type { Fn, Term } from "../core/term.js";
import type { TypeOf } from "../core/type-of.js";
import { locateAll } from "../core/locate.js";
import { inPlaceOf, location } from "../location.js";
import type { Type } from "../core/type.js";
import { InternalError } from "../internal-error.js";
import { isBinding, type Binding, type Simple } from "../optimise/rewrite.js";
import { activeParams, usesResult } from "../stages/operation.js";
import {
  activityOfArray,
  activityOfTuple,
  dualType,
  fullActivity,
  join,
  ofElement,
  ofItem,
  sameActivity,
  type Activity,
} from "./activity.js";
import type { DualData } from "./dual-data.js";
import type { Values } from "./values.js";

type Call = Term & { readonly kind: "call" };
type Operation = Term & { readonly kind: "op" };

/** What dual code needs from outside. */
export interface Surroundings {
  readonly data: DualData;
  readonly values: Values;
  readonly names: Names;
  readonly types: TypeOf;
  /** Whether a function with active arguments has no text, and gives nothing that is active. */
  readonly isExtern: (fn: string) => boolean;
  /** The activities of the parameters for which there is a dual that arguments of these activities are passed to. */
  readonly paramsOf: (fn: string, args: readonly Activity[]) => readonly Activity[];
  /** The activity of what a definition gives for arguments of these activities, as far as it is known. */
  readonly resultOf: (fn: string, params: readonly Activity[]) => Activity;
  /** The name of the definition's dual for them. */
  readonly dualOf: (fn: string, params: readonly Activity[]) => string;
}

/** A term whose binders have one place in the program, with what is active in it. */
export class DualBody {
  readonly #around: Surroundings;
  readonly #body: Term;
  readonly #variables: Map<string, Activity>;
  /** The local functions. */
  readonly #functions = new Map<string, Fn>();
  readonly #results = new Map<string, Activity>();
  readonly #activities = new Map<Term, Activity>();
  #revision = 0;

  constructor(around: Surroundings, body: Term, variables: ReadonlyMap<string, Activity>) {
    this.#around = around;
    this.#body = body;
    this.#variables = new Map(variables);
  }

  /** One step towards the fixed point; whether it is there, as far as this body knows. */
  analyse(): { readonly result: Activity; readonly isSettled: boolean } {
    const before = this.#revision;
    const result = this.#analyse(this.#body);
    return { result, isSettled: before === this.#revision };
  }

  /** The dual of the body, of this activity; to be called when all is settled. */
  term(activity: Activity): Term {
    return this.#term(this.#body, activity);
  }

  // What is active

  #analyse(start: Term): Activity {
    let term = start;
    const passed: Term[] = [];
    while (isBinding(term)) {
      this.#around.types.enterBinders(term);
      if (term.kind === "let") this.#joinVariable(term.name, this.#analyse(term.bound));
      else {
        for (const fn of term.functions) this.#functions.set(fn.name, fn);
        for (const { name, body } of term.functions) this.#joinResult(name, this.#analyse(body));
      }
      passed.push(term);
      term = term.body;
    }
    const activity = this.#activityOf(term);
    for (const each of [...passed, term]) this.#activities.set(each, activity);
    return activity;
  }

  #activityOf(term: Simple): Activity {
    const { types, data } = this.#around;
    types.enterBinders(term);
    const all = (terms: readonly Term[]): readonly Activity[] => terms.map((each) => this.#analyse(each));
    switch (term.kind) {
      case "var":
        return this.#variables.get(term.name) ?? "passive";
      case "real":
      case "int":
      case "bool":
        return "passive";
      case "tuple":
      case "parallel":
        return activityOfTuple(all(term.items));
      case "proj":
        return ofItem(this.#analyse(term.tuple), term.index);
      case "call": {
        const args = all(term.args);
        const local = this.#functions.get(term.fn);
        if (local === undefined) {
          const isPassive = args.every((arg) => arg === "passive");
          return isPassive || this.#around.isExtern(term.fn)
            ? "passive"
            : this.#around.resultOf(term.fn, this.#around.paramsOf(term.fn, args));
        }
        local.params.forEach(({ name }, index) => {
          this.#joinVariable(name, args[index] ?? "passive");
        });
        return this.#results.get(term.fn) ?? "passive";
      }
      case "op": {
        const args = all(term.args);
        return activeParams(term.op).some((index) => args[index] === "active") ? "active" : "passive";
      }
      case "con":
        return all(term.args).every((arg) => arg === "passive") ? "passive" : fullActivity(term.type, data);
      case "case": {
        const isPassive = this.#analyse(term.scrutinee) === "passive";
        return term.branches
          .map(({ vars, body }) => {
            if (!isPassive) for (const name of vars) this.#joinVariable(name, fullActivity(types.of(b.variable(name)), data)); // prettier-ignore
            return this.#analyse(body);
          })
          .reduce(join, "passive");
      }
      case "if":
        this.#analyse(term.cond);
        return join(this.#analyse(term.then), this.#analyse(term.else));
      case "array":
        return activityOfArray(all(term.items).reduce(join, "passive"));
      case "build":
        this.#analyse(term.size);
        return activityOfArray(this.#analyse(term.body));
      case "scan": {
        this.#analyse(term.size);
        this.#joinVariable(term.carried, this.#analyse(term.start));
        const body = this.#analyse(term.body);
        this.#joinVariable(term.carried, ofItem(body, 0));
        return activityOfTuple([this.#ofVariable(term.carried), activityOfArray(ofItem(body, 1))]);
      }
      case "index":
        this.#analyse(term.index);
        return ofElement(this.#analyse(term.array));
      case "length":
        this.#analyse(term.array);
        return "passive";
      case "lam":
      case "app":
        throw new InternalError("derivatives", "an unknown function is differentiated");
    }
  }

  #joinVariable(name: string, activity: Activity): void {
    this.#join(this.#variables, name, activity);
  }

  #joinResult(name: string, activity: Activity): void {
    this.#join(this.#results, name, activity);
  }

  #join(table: Map<string, Activity>, name: string, activity: Activity): void {
    const before = table.get(name) ?? "passive";
    const after = join(before, activity);
    if (sameActivity(before, after)) return;
    table.set(name, after);
    this.#revision += 1;
  }

  #of(term: Term): Activity {
    return this.#activities.get(term) ?? "passive";
  }

  #ofVariable(name: string): Activity {
    return this.#variables.get(name) ?? "passive";
  }

  // Dual terms

  /** The dual of a term, of at least its own activity. */
  #term(start: Term, wanted: Activity): Term {
    const around: ((body: Term) => Term)[] = [];
    let term = start;
    while (isBinding(term)) {
      const [whole, wrap] = [term, this.#binding(term)];
      around.push((body) => inPlaceOf(wrap(body), whole));
      term = term.body;
    }
    return b.wrapAll(around, locateAll(this.#simple(term, wanted), term[location]));
  }

  #binding(term: Binding): (body: Term) => Term {
    const { data } = this.#around;
    if (term.kind === "let") {
      const activity = this.#ofVariable(term.name);
      const bound = this.#term(term.bound, activity);
      return (body) => b.letIn(term.name, dualType(term.type, activity, data), bound, body);
    }
    const functions = term.functions.map((fn): Fn => {
      const result = this.#results.get(fn.name) ?? "passive";
      const params = fn.params.map(({ name, type }) => b.param(name, dualType(type, this.#ofVariable(name), data)));
      return inPlaceOf(b.fn(fn.name, params, dualType(fn.result, result, data), this.#term(fn.body, result)), fn);
    });
    return (body) => b.letRec(functions, body);
  }

  #simple(term: Simple, wanted: Activity): Term {
    const own = this.#of(term);
    const lifted = (made: Term): Term =>
      sameActivity(own, wanted) ? made : this.#around.values.lift(this.#type(term), own, wanted, made);
    switch (term.kind) {
      case "var":
      case "real":
      case "int":
      case "bool":
        return lifted(term);
      case "tuple":
      case "parallel":
        return { ...term, items: term.items.map((item, i) => this.#term(item, ofItem(wanted, i))) };
      case "proj":
        return lifted(b.proj(term.index, this.#own(term.tuple)));
      case "call":
        return lifted(this.#call(term));
      case "op":
        return lifted(own === "passive" ? this.#discrete(term) : this.#operation(term));
      case "con": {
        if (wanted === "passive" || term.type.kind !== "data") return { ...term, args: term.args.map((arg) => this.#own(arg)) }; // prettier-ignore
        const { data } = this.#around;
        const fields = data.types.constructorsOf(term.type).find(({ name }) => name === term.name)?.fields ?? [];
        const args = term.args.map((arg, i) => this.#term(arg, fields[i] === undefined ? "passive" : fullActivity(fields[i], data))); // prettier-ignore
        return b.con(term.name, data.dual(term.type), args);
      }
      case "case": {
        const isPassive = this.#of(term.scrutinee) === "passive";
        const branches = term.branches.map(({ con, vars, body }) => ({ con, vars, body: this.#term(body, wanted) }));
        const name = isPassive ? term.data : this.#around.data.dualName(term.data);
        return b.caseOf(this.#own(term.scrutinee), name, branches);
      }
      case "if":
        return b.ifThenElse(this.#own(term.cond), this.#term(term.then, wanted), this.#term(term.else, wanted));
      case "array": {
        const element = ofElement(wanted);
        const type = dualType(term.element, element, this.#around.data);
        return b.array(type, term.items.map((item) => this.#term(item, element))); // prettier-ignore
      }
      case "build": {
        const element = ofElement(wanted);
        const type = dualType(term.element, element, this.#around.data);
        return { ...term, size: this.#own(term.size), element: type, body: this.#term(term.body, element) };
      }
      case "scan": {
        const carried = this.#ofVariable(term.carried);
        const element = ofElement(ofItem(own, 1));
        return lifted({
          ...term,
          size: this.#own(term.size),
          start: this.#term(term.start, carried),
          type: dualType(term.type, carried, this.#around.data),
          element: dualType(term.element, element, this.#around.data),
          body: this.#term(term.body, activityOfTuple([carried, element])),
        });
      }
      case "index":
        return lifted({ ...term, array: this.#own(term.array), index: this.#own(term.index) });
      case "length":
        return b.length(this.#own(term.array));
      case "lam":
      case "app":
        throw new InternalError("derivatives", "an unknown function is differentiated");
    }
  }

  #own(term: Term): Term {
    return this.#term(term, this.#of(term));
  }

  #type(term: Term): Type {
    return this.#around.types.of(term);
  }

  #call(term: Call): Term {
    const local = this.#functions.get(term.fn);
    if (local !== undefined) {
      const args = term.args.map((arg, i) => this.#term(arg, this.#ofVariable(local.params[i]?.name ?? "")));
      return b.call(term.fn, args);
    }
    const own = term.args.map((arg) => this.#of(arg));
    if (own.every((each) => each === "passive")) return b.call(term.fn, term.args.map((arg) => this.#own(arg))); // prettier-ignore
    const { values } = this.#around;
    if (this.#around.isExtern(term.fn)) return b.call(term.fn, term.args.map((arg, i) => values.primal(this.#type(arg), own[i] ?? "passive", this.#own(arg)))); // prettier-ignore
    const activities = this.#around.paramsOf(term.fn, own);
    const args = term.args.map((arg, i) => this.#term(arg, activities[i] ?? "passive"));
    return b.call(this.#around.dualOf(term.fn, activities), args);
  }

  /** Of values alone: that of active arguments is taken. */
  #discrete(term: Operation): Term {
    return { ...term, args: term.args.map((arg) => (this.#of(arg) === "active" ? b.proj(0, this.#own(arg)) : this.#own(arg))) }; // prettier-ignore
  }

  // F[op(t1, .., tn)] = let (x1, dx1) = F[t1] in .. (op(x1..xn), d1_op(x1..xn)(dx1) + .. + dn_op(x1..xn)(dxn))
  #operation(term: Operation): Term {
    const { values } = this.#around;
    const { params } = primitive(term.op);
    const from = (index: number, args: readonly Term[], tangents: readonly (Term | null)[]): Term => {
      const arg = term.args[index];
      if (arg === undefined) return this.#result(term, args, tangents);
      const isActive = this.#of(arg) === "active";
      const type = b.scalarType(params[index] ?? "R");
      return values.bind(
        ["x", "y", "z"][index] ?? "x",
        isActive ? b.tupleType(type, type) : type,
        this.#own(arg),
        (atom) =>
          isActive
            ? from(index + 1, [...args, b.proj(0, atom)], [...tangents, b.proj(1, atom)])
            : from(index + 1, [...args, atom], [...tangents, null]),
      );
    };
    return from(0, [], []);
  }

  #result(term: Operation, args: readonly Term[], tangents: readonly (Term | null)[]): Term {
    const { partials } = primitive(term.op);
    const value: Term = { ...term, args };
    const whole = (result: Term): Term => {
      if (isQuotient(term.op)) return b.tuple(result, quotientTangent(args, tangents, result));
      const parts = activeParams(term.op).flatMap((index) => {
        const [partial, tangent] = [partials[index] ?? null, tangents[index] ?? null];
        return partial === null || tangent === null ? [] : [times(partialAt(term, partial), tangent, { args, result })];
      });
      return b.tuple(result, parts.reduceRight<Term | null>(plus, null) ?? b.realLit(0));
    };
    return usesResult(term.op) ? this.#around.values.bind("r", b.real, value, whole) : whole(value);
  }
}

// d(x / y) = (dx - r dy) / y
/** The tangent of a quotient r. */
function quotientTangent([, y]: readonly Term[], [dx = null, dy = null]: readonly (Term | null)[], r: Term): Term {
  if (y === undefined) throw new InternalError("derivatives", "a quotient without a divisor");
  if (dy === null) return dx === null ? b.realLit(0) : divided(dx, y);
  if (dx === null) return negated(scaled(divided(dy, y), r));
  return divided(b.op("sub", [dx, scaled(dy, r)], null), y);
}

/** A tangent divided by a number. */
function divided(tangent: Term, by: Term): Term {
  const isPlain = by.kind === "real" && by.value !== 0 && Number.isFinite(by.value);
  return b.op(isPlain ? "div" : "ratio", [tangent, by], null);
}

/** A partial derivative, that of a power with a literal exponent as a power with a literal exponent. */
function partialAt({ op, args }: Operation, partial: Partial): Partial {
  const [, exponent] = args;
  if (op !== "powInt" || exponent?.kind !== "int") return partial;
  const n = exponent.value;
  if (n === 0 || n === 1) return { kind: "number", value: n };
  const base: Partial = { kind: "arg", index: 0 };
  const power: Partial = n === 2 ? base : { kind: "op", op: "powInt", args: [base, { kind: "number", value: n - 1 }] };
  return { kind: "op", op: "mul", args: [{ kind: "number", value: n }, power] };
}

/** What partial derivatives are written with. */
interface Operands {
  readonly args: readonly Term[];
  readonly result: Term;
}

/** A partial derivative times a tangent; null where it is 0. */
function times(partial: Partial, tangent: Term, operands: Operands): Term | null {
  if (partial.kind === "number" && partial.value === 0) return null;
  if (partial.kind === "number" && Math.abs(partial.value) === 1)
    return partial.value === 1 ? tangent : negated(tangent);
  if (partial.kind === "if") {
    const [then, otherwise] = [times(partial.then, tangent, operands), times(partial.else, tangent, operands)];
    return b.ifThenElse(termOf(partial.cond, operands), then ?? b.realLit(0), otherwise ?? b.realLit(0));
  }
  if (partial.kind === "op" && partial.op === "neg" && partial.args[0] !== undefined) {
    const inner = times(partial.args[0], tangent, operands);
    return inner === null ? null : negated(inner);
  }
  const [first, second] = partial.kind === "op" && partial.op === "div" ? partial.args : [];
  if (first?.kind === "number" && first.value === 1 && second !== undefined)
    return divided(tangent, termOf(second, operands));
  return scaled(tangent, termOf(partial, operands));
}

function scaled(tangent: Term, factor: Term): Term {
  return b.op("scaled", [tangent, factor], null);
}

function negated(term: Term): Term {
  return b.op("neg", [term], null);
}

function plus(left: Term | null, right: Term | null): Term | null {
  if (left === null || right === null) return left ?? right;
  if (right.kind === "op" && right.op === "neg" && right.args[0] !== undefined)
    return b.op("sub", [left, right.args[0]], null);
  return b.op("add", [left, right], null);
}

/** A number in the place of an integer. */
function literalOf(partial: Partial, op: OpName, index: number): Term | null {
  return partial.kind === "number" && primitive(op).params[index] === "Z" ? b.intLit(partial.value) : null;
}

function termOf(partial: Partial, operands: Operands): Term {
  switch (partial.kind) {
    case "arg": {
      const arg = operands.args[partial.index];
      if (arg === undefined) throw new InternalError("derivatives", "a partial derivative lacks an argument");
      return arg;
    }
    case "result":
      return operands.result;
    case "number":
      return b.realLit(partial.value);
    case "op":
      return b.op(partial.op, partial.args.map((arg, index) => literalOf(arg, partial.op, index) ?? termOf(arg, operands)), null); // prettier-ignore
    case "if":
      return b.ifThenElse(termOf(partial.cond, operands), termOf(partial.then, operands), termOf(partial.else, operands)); // prettier-ignore
  }
}
