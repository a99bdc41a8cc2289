// The definitions that pullbacks are, and what reverse passes do for these and for checkpoints. All of them are programs that any stage runs; what adjoint code does
// in their place is noted beside them (core/term.ts, `Pullback`).

import { locatedFn } from "../core/locate.js";
import * as b from "../core/build.js";
import type { Names } from "../core/names.js";
import type { Checkpoint, Entry, Fn, Param, Site, Term } from "../core/term.js";
import type { Type } from "../core/type.js";
import { InternalError } from "../internal-error.js";
import { copyFn } from "../optimise/copy.js";
import { contentsOf } from "../optimise/term-facts.js";
import { dualType, fullActivity } from "./activity.js";
import type { Duals, DualsSetting } from "./duals.js";
import { pointOf, taken } from "./point.js";

export interface PullbackSetting extends DualsSetting {
  readonly duals: Duals;
  readonly checkpoints: Map<string, Checkpoint>;
}

export class PullbackDefinitions {
  readonly #setting: PullbackSetting;

  constructor(setting: PullbackSetting) {
    this.#setting = setting;
  }

  // p(x, c.., w) = the gradient in dx of <the tangent of D[of] at ((x, dx), c..), w>, one direction after the other
  /** The name of the pullback in a definition's first parameter; a cotangent of another shape than the result fails at `site`. */
  of(of: Fn, site: Site | null = null): string {
    const { values, names, define, pullbacks } = this.#setting;
    const { first, captured } = this.#paramsOf(of);
    const { type: from } = first;
    const dual = this.#dualOf(of, first, captured);
    const [name, slope] = [names.fresh("pullback"), names.fresh("along")];
    const [x, w, dx] = [
      b.param(names.fresh("x"), from),
      b.param(names.fresh("w"), of.result),
      b.param(names.fresh("dx"), from),
    ];
    const along = values.dot(of.result, values.tangent(of.result, dual.full, dual.term), variable(w), site);
    const body = b.letIn(first.name, dual.type, values.zip(from, variable(x), variable(dx), null), along);
    const gradient = values.each(from, variable(x), (tangent) => b.call(slope, [tangent]));
    const loop = b.letRec([b.fn(slope, [dx], b.real, body)], gradient);
    define(locatedFn(b.fn(name, [x, ...captured, w], from, loop), of));
    pullbacks.set(name, { of: of.name, level: 0, reverse: null, site });
    return name;
  }

  // r(x, c.., v) = p((x, c..), v)    p the pullback in all that is taken
  /** Notes for a definition that reverse passes run it again: the cotangents of all that it takes are those of a pullback. */
  rerun(of: Fn): void {
    const { names, define, checkpoints } = this.#setting;
    const params = fresh(of.params, names);
    const point = pointOf(params.map(({ type }) => type));
    const v = b.param(names.fresh("v"), of.result);
    const pullback = this.of(this.#ofPoint(of.params, of.result, of.body));
    const name = names.fresh("reverse");
    const body = b.call(pullback, [point.of(params.map(variable)), variable(v)]);
    define(locatedFn(b.fn(name, [...params, v], point.type, body), of));
    checkpoints.set(of.name, { reverse: name, isGiven: false, value: null, text: null });
  }

  /** Gives pullbacks that reverse passes go through what these call: those in what is differentiated, and in what other pullbacks are of. */
  reverses(entries: readonly Entry[]): void {
    const { pullbacks, checkpoints, definition, isDefinition } = this.#setting;
    const made = new Map<string, string>();
    const seen = new Set<string>();
    const waiting: { readonly name: string; readonly isDifferentiated: boolean }[] = [];
    const visit = (name: string, isDifferentiated: boolean): void => {
      const key = `${String(isDifferentiated)} ${name}`;
      if (seen.has(key)) return;
      seen.add(key);
      waiting.push({ name, isDifferentiated });
    };
    for (const { name, isValueOnly } of entries) {
      visit(name, false);
      if (isValueOnly !== true) visit(name, true);
    }
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { name, isDifferentiated } = next;
      const pullback = pullbacks.get(name);
      if (pullback === undefined) {
        const again = checkpoints.get(name);
        if (isDifferentiated && again !== undefined) visit(again.reverse, false);
        for (const callee of contentsOf(definition(name).body).calls.keys()) if (isDefinition(callee)) visit(callee, isDifferentiated); // prettier-ignore
        continue;
      }
      visit(pullback.of, true);
      if (!isDifferentiated) continue;
      const reverse = made.get(pullback.of) ?? this.#reverseOf(definition(pullback.of));
      made.set(pullback.of, reverse);
      pullbacks.set(name, { ...pullback, reverse });
      visit(reverse, false);
    }
  }

  // r(x, c.., w, v) = let g = p(((x, v), c..), (0, w)) in (the values of g's first part, g's other parts, the tangent of D[of] at ((x, v), c..))
  //                   p the pullback of D[of] in all that it takes
  #reverseOf(of: Fn): string {
    const { values, names, define } = this.#setting;
    const { first, captured } = this.#paramsOf(of);
    const dual = this.#dualOf(of, first, captured);
    const whole = this.#ofPoint([b.param(first.name, dual.type), ...captured], dual.result, dual.term);
    const pullback = this.of(whole);
    const [x, w, v] = [
      b.param(names.fresh("x"), first.type),
      b.param(names.fresh("w"), of.result),
      b.param(names.fresh("v"), first.type),
    ];
    const others = fresh(captured, names);
    const point = pointOf([dual.type, ...captured.map(({ type }) => type)]);
    const [at, all, y] = [names.fresh("at"), names.fresh("g"), names.fresh("y")];
    const seed = values.zip(of.result, values.zero(of.result, variable(w)), variable(w), null);
    const part = (index: number): Term => point.part(b.variable(all), index);
    const cotangents = b.tuple(
      values.primal(first.type, fullActivity(first.type, this.#setting.data), part(0)),
      ...others.map((_, index) => part(index + 1)),
      values.tangent(of.result, dual.full, b.variable(y)),
    );
    const both = point.of([values.zip(first.type, variable(x), variable(v), null), ...others.map(variable)]);
    const body = [
      { name: at, type: point.type, bound: both },
      { name: all, type: point.type, bound: b.call(pullback, [b.variable(at), seed]) },
      { name: y, type: dual.result, bound: b.call(whole.name, [b.variable(at)]) },
    ].reduceRight<Term>((rest, { name, type, bound }) => b.letIn(name, type, bound, rest), cotangents);
    const params = [x, ...others, w, v];
    const name = names.fresh("reverse");
    define(locatedFn(b.fn(name, params, b.tupleType(...params.slice(0, -1).map(({ type }) => type)), body), of));
    return name;
  }

  /** A definition's first parameter, and the others, under other names. */
  #paramsOf(of: Fn): { readonly first: Param; readonly captured: readonly Param[] } {
    const [first, ...captured] = fresh(of.params, this.#setting.names);
    if (first === undefined) throw new InternalError("derivatives", "a function takes nothing");
    return { first, captured };
  }

  /** A call of the dual of a definition, at pairs in the place of the first of these parameters; all of its result is active. */
  #dualOf(of: Fn, first: Param, captured: readonly Param[]) {
    const { data, values, types, duals } = this.#setting;
    const call = b.call(of.name, [first, ...captured].map(variable));
    for (const param of [first, ...captured]) types.enterBinders(b.lam(param.name, param.type, call));
    const from = fullActivity(first.type, data);
    const { term, activity } = duals.of(call, new Map([[first.name, from]]));
    const full = fullActivity(of.result, data);
    return {
      term: values.lift(of.result, activity, full, term),
      full,
      type: dualType(first.type, from, data),
      result: dualType(of.result, full, data),
    };
  }

  /** The definition of a body as a function of one value, which holds its parameters. */
  #ofPoint(params: readonly Param[], result: Type, body: Term): Fn {
    const { names, define } = this.#setting;
    const all = names.fresh("all");
    const { type } = pointOf(params.map((param) => param.type));
    const whole = b.fn("", [b.param(all, type)], result, taken(params, b.variable(all), body));
    const fn = copyFn(whole, names.fresh("differentiated"), names);
    define(fn);
    return fn;
  }
}

function variable({ name }: Param): Term {
  return b.variable(name);
}

function fresh(params: readonly Param[], names: Names): readonly Param[] {
  return params.map(({ name, type }) => b.param(names.fresh(name), type));
}
