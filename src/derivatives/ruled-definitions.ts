// A function with a rule is a definition, in which a reverse pass finds what the rule says:
//
//   f(x) = let y = text(stop x) in (y, with the derivative of tangent(stop x, dx, y) along dx, the direction in which x moves)
//
// where `tangent` is the rule, or what follows from one for the pullback, whose pullback it is: a pullback is linear in its cotangent. Duals have f(x) and the tangent side by
// side (duals.ts); adjoint code goes back by a rule for the pullback itself. Where such a rule gives the derivative of the text, f(x) = text(x): all but adjoint code goes by that.

import { locatedFn } from "../core/locate.js";
import * as b from "../core/build.js";
import type { Checkpoint, Derivative, Fn, Site, Term } from "../core/term.js";
import { typeParts } from "../core/type-parts.js";
import type { Type } from "../core/type.js";
import { InternalError } from "../internal-error.js";
import { copyFn } from "../optimise/copy.js";
import { rewriteUp, withBody } from "../optimise/rewrite.js";
import { freeIn } from "../optimise/term-facts.js";
import { found } from "./by-type.js";
import type { DualsSetting } from "./duals.js";
import { PassiveCalls } from "./passive-calls.js";
import type { PullbackDefinitions } from "./pullback-definitions.js";

export interface RuledSetting extends Omit<DualsSetting, "rules"> {
  readonly rules: Map<string, string>;
  readonly backward: PullbackDefinitions;
  readonly checkpoints: Map<string, Checkpoint>;
}

export class RuledDefinitions {
  readonly #setting: RuledSetting;
  /** By the name of a definition with a rule, that of its text, and of what a rule for the pullback says. */
  readonly #texts = new Map<string, string>();
  readonly #cotangents = new Map<string, string>();
  /** By the name of a tangent what makes it: rules may use the definitions that they are for. */
  readonly #said = new Map<string, () => Fn>();

  constructor(setting: RuledSetting) {
    this.#setting = setting;
  }

  /** The name of the definition for a function with this text, and a rule in which derivatives are left until `resolved`. */
  add(
    { kind, from, to, within: of = "ruled", site, isOfText }: Derivative,
    text: Fn,
    rule: Fn,
    resolved: () => Fn,
  ): string {
    const { names, values, types, define, rules } = this.#setting;
    define(text);
    if (isOfText === true) {
      const [name, x] = [names.fresh(of), names.fresh("x")];
      define(locatedFn(b.fn(name, [b.param(x, from)], to, b.call(text.name, [b.variable(x)])), text));
      this.#said.set(rule.name, () => this.#fitting(resolved(), 0, site));
      this.#texts.set(name, text.name);
      this.#cotangents.set(name, rule.name);
      return name;
    }
    const [name, tangent] = [names.fresh(of), names.fresh(`${of}Tangent`)];
    types.enter(b.fn(tangent, [], to, b.tuple()));
    const isForward = kind === "tangentRule";
    this.#said.set(tangent, () => {
      const own = this.#fitting(resolved(), isForward ? 2 : 0, site);
      return isForward ? { ...own, name: tangent } : this.#tangentOf(text, own, tangent);
    });
    const [x, stopped, y] = [names.fresh("x"), names.fresh("x"), names.fresh("y")];
    const along = values.direction(from, b.variable(x));
    const linked = values.linked(to, b.variable(y), b.call(tangent, [b.variable(stopped), along, b.variable(y)]));
    const known = b.letIn(y, to, b.call(text.name, [b.variable(stopped)]), linked);
    const body = b.letIn(stopped, from, values.stopped(from, b.variable(x)), known);
    define(copyFn(locatedFn(b.fn(name, [b.param(x, from)], to, body), text), name, names));
    rules.set(name, tangent);
    this.#texts.set(name, text.name);
    if (!isForward) this.#cotangents.set(name, rule.name);
    return name;
  }

  /** Whether a rule says the definition of this name. */
  says(name: string): boolean {
    return this.#said.has(name);
  }

  said(name: string): Fn {
    return found(this.#said.get(name))();
  }

  /** To be called when all else is resolved. By name the texts alone: where nothing is differentiated, rules are left out, which may come back to what they are for. */
  settle(): ReadonlyMap<string, string> {
    const { definition, define, rules } = this.#setting;
    for (const name of this.#said.keys()) definition(name);
    const passive = new PassiveCalls({ ...this.#setting, values: this.#texts });
    return new Map(
      [...this.#texts].map(([name, text]) => {
        const alone = passive.of(text, [false]);
        const ruled = definition(name);
        const tangent = rules.get(name);
        if (tangent !== undefined) {
          const instead = new Map([[text, alone], [tangent, passive.of(tangent, [false, true, false])]]); // prettier-ignore
          define(withBody(ruled, rewriteUp(ruled.body, (term) => (term.kind === "call" ? b.call(instead.get(term.fn) ?? term.fn, term.args) : term)))); // prettier-ignore
        }
        const cotangent = this.#cotangents.get(name);
        if (cotangent !== undefined) this.#pulledBack(ruled, alone, passive.of(cotangent, [false, false, false]));
        return [name, alone];
      }),
    );
  }

  /** What a rule gives has the shape of one of its parameters: of the value, or of the point. */
  #fitting(rule: Fn, place: 0 | 2, site: Site | null): Fn {
    const like = b.variable(found(rule.params[place]).name);
    return withBody(rule, this.#setting.values.fitting(rule.result, rule.body, like, site));
  }

  // tangent(x, dx, y) = p(0, x, y, dx)    p the pullback of \w. rule(x, w, y), at any w
  #tangentOf(text: Fn, rule: Fn, name: string): Fn {
    const { names, values, define, backward } = this.#setting;
    define(rule);
    const [first, second] = rule.params.map(({ type }) => type);
    if (first === undefined || second === undefined) throw new InternalError("derivatives", "a rule takes too little");
    const [x, dx, y] = [b.param(names.fresh("x"), first), b.param(names.fresh("dx"), first), b.param(names.fresh("y"), text.result)]; // prettier-ignore
    const w = b.param(names.fresh("w"), second);
    const turned = b.fn("", [w, x, y], rule.result, b.call(rule.name, [x, w, y].map(variable)));
    const own = copyFn(turned, names.fresh(`${name}OfCotangent`), names);
    define(own);
    const body = b.call(backward.of(own), [values.zero(text.result, variable(y)), ...[x, y, dx].map(variable)]);
    return locatedFn(b.fn(name, [x, dx, y], text.result, body), rule);
  }

  // r(x, y, w) = rule(x, w, y)    v(x) = text(stop x), each number of it with a derivative in all of x: there is one, and r says it
  /** Reverse passes do what a rule for the pullback says. Objects, whose cotangents are in stores, go by the derivative that follows from it. */
  #pulledBack({ name, params: [param], result }: Fn, text: string, cotangent: string): void {
    const { names, values, define, definition, checkpoints } = this.#setting;
    if (param === undefined || holdsData(param.type) || holdsData(result)) return;
    const { type } = param;
    const [x, w] = [b.param(names.fresh("x"), type), b.param(names.fresh("w"), result)];
    const of = name.replace(/\d+$/, "");
    const [reverse, value, y, sum] = [names.fresh(`${of}Pullback`), names.fresh(`${of}Stopped`), names.fresh("y"), names.fresh("sum")]; // prettier-ignore
    const rule = definition(cotangent);
    // A value that the rule does not ask for is not kept
    const isGiven = freeIn(rule.body).variables.has(found(rule.params[2]).name);
    const given = b.param(names.fresh("y"), result);
    const back = b.call(cotangent, [variable(x), variable(w), isGiven ? variable(given) : values.zero(result, variable(w))]); // prettier-ignore
    define(locatedFn(b.fn(reverse, isGiven ? [x, given, w] : [x, w], type, back), rule));
    const linked = b.letIn(sum, b.real, values.dot(type, variable(x), variable(x), null), values.linkedTo(result, b.variable(y), b.variable(sum))); // prettier-ignore
    const body = b.letIn(y, result, b.call(text, [values.stopped(type, variable(x))]), linked);
    define(copyFn(locatedFn(b.fn(value, [x], result, body), definition(text)), value, names));
    checkpoints.set(name, { reverse, isGiven, value, text: holdsArray(type) || holdsArray(result) ? text : null });
  }
}

function variable({ name }: { readonly name: string }): Term {
  return b.variable(name);
}

function holdsArray(type: Type): boolean {
  return type.kind === "array" || typeParts(type).some(holdsArray);
}

function holdsData(type: Type): boolean {
  return type.kind === "data" || typeParts(type).some(holdsData);
}
