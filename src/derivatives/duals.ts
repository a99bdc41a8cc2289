// The duals of definitions: one for each list of activities that arguments have. Which parts of their results are active is a least fixed point over all of them.

import * as b from "../core/build.js";
import { InternalError } from "../internal-error.js";
import type { Names } from "../core/names.js";
import type { Extern, Fn, Pullback, Term } from "../core/term.js";
import type { TypeOf } from "../core/type-of.js";
import { locatedFn } from "../core/locate.js";
import { inPlaceOf } from "../location.js";
import { copyFn } from "../optimise/copy.js";
import { dualType, fullActivity, join, sameActivity, type Activity } from "./activity.js";
import { DualBody, type Surroundings } from "./dual-body.js";
import type { DualData } from "./dual-data.js";
import { comesTo, type Definitions } from "./reached.js";
import type { Values } from "./values.js";

interface Instance {
  readonly name: string;
  /** What it is the dual of. */
  readonly of: string;
  readonly fn: Fn;
  readonly params: readonly Activity[];
  readonly body: DualBody;
  result: Activity;
  isWritten: boolean;
}

/** No derivative is left in its definitions. */
export interface DualsSetting extends Definitions {
  readonly data: DualData;
  readonly values: Values;
  readonly names: Names;
  readonly types: TypeOf;
  readonly define: (fn: Fn) => void;
  readonly externs: ReadonlyMap<string, Extern>;
  readonly pullbacks: Map<string, Pullback>;
  /** By the name of a definition with a rule the one that gives, at a point, in a direction, and with the value there, its derivative. */
  readonly rules: ReadonlyMap<string, string>;
}

/** Something of the caller's is differentiated that has no rule. */
export class Unruled extends Error {
  constructor(readonly extern: Extern) {
    super(extern.name);
  }
}

export class Duals {
  readonly #setting: DualsSetting;
  readonly #instances = new Map<string, Instance>();
  readonly #around: Surroundings;
  /** The definitions of rules that duals use, and that may still be unresolved. */
  readonly #said: string[] = [];

  constructor(setting: DualsSetting) {
    this.#setting = setting;
    this.#around = {
      ...setting,
      isExtern: (fn) => this.#isExtern(fn),
      paramsOf: (fn, params) => this.#paramsOf(fn, params),
      resultOf: (fn, params) => this.#instance(fn, params).result,
      dualOf: (fn, params) => this.#instance(fn, params).name,
    };
  }

  /** The dual of a term, given the activities of its free variables, and what is active in its value. */
  of(term: Term, variables: ReadonlyMap<string, Activity>): { readonly term: Term; readonly activity: Activity } {
    const body = new DualBody(this.#around, term, variables);
    const activity = this.#settle(body);
    const written = body.term(activity);
    for (const instance of this.#instances.values()) if (!instance.isWritten) this.#write(instance);
    // A rule that takes the derivative of what it is for has no end
    for (let said = this.#said.pop(); said !== undefined; said = this.#said.pop()) this.#setting.definition(said);
    return { term: written, activity };
  }

  #settle(body: DualBody): Activity {
    for (;;) {
      const { result, isSettled } = body.analyse();
      // Of those that are written nothing changes any more
      const all = [...this.#instances.values()].filter(({ isWritten }) => !isWritten);
      if (all.map((instance) => this.#step(instance)).every(Boolean) && isSettled && all.length === this.#waiting()) return result; // prettier-ignore
    }
  }

  #waiting(): number {
    return [...this.#instances.values()].filter(({ isWritten }) => !isWritten).length;
  }

  /** Whether an instance is as it was. */
  #step(instance: Instance): boolean {
    const { result, isSettled } = instance.body.analyse();
    const after = join(instance.result, result);
    const isSame = sameActivity(after, instance.result);
    instance.result = after;
    return isSame && isSettled;
  }

  /** Whether it is the caller's; throws where its numbers would have derivatives. */
  #isExtern(name: string): boolean {
    const extern = this.#setting.externs.get(name);
    if (extern !== undefined && this.#setting.data.hasReal(extern.result)) throw new Unruled(extern);
    return extern !== undefined;
  }

  /** A rule is one for its whole argument. A pullback is dualised with its point and its cotangent active: then its dual is a pullback, too. */
  #paramsOf(name: string, params: readonly Activity[]): readonly Activity[] {
    const { data, definition, rules, pullbacks } = this.#setting;
    if (rules.has(name)) return definition(name).params.map(({ type }) => fullActivity(type, data));
    if (!pullbacks.has(name)) return params;
    const last = params.length - 1;
    return definition(name).params.map(({ type }, index) => (index === 0 || index === last ? fullActivity(type, data) : (params[index] ?? "passive"))); // prettier-ignore
  }

  /** Notes that the dual of a pullback is a pullback, of the dual of what that is of. */
  #notePullback(name: string, { name: dual, params }: Instance): void {
    const pullback = this.#setting.pullbacks.get(name);
    // A rule's own second derivatives need not commute
    if (pullback === undefined || comesTo(pullback.of, (each) => this.#setting.rules.has(each), this.#setting)) return;
    const of = this.#instance(pullback.of, params.slice(0, -1));
    const { data, names, define, values, pullbacks } = this.#setting;
    const { result: to } = of.fn;
    const full = fullActivity(to, data);
    const given = of.fn.params.map((param, i) => b.param(names.fresh(param.name), dualType(param.type, params[i] ?? "passive", data))); // prettier-ignore
    const value = b.call(of.name, given.map((param) => b.variable(param.name))); // prettier-ignore
    const whole = b.fn(names.fresh(`${pullback.of}Dual`), given, dualType(to, full, data), values.lift(to, of.result, full, value)); // prettier-ignore
    define(inPlaceOf(whole, of.fn));
    pullbacks.set(dual, { of: whole.name, level: pullback.level + 1, reverse: null, site: pullback.site });
  }

  #instance(name: string, params: readonly Activity[]): Instance {
    const key = `${name} ${JSON.stringify(params)}`;
    const known = this.#instances.get(key);
    if (known !== undefined) return known;
    const { names, definition } = this.#setting;
    const fn = copyFn(definition(name), names.fresh(`${name}Dual`), names);
    this.#around.types.enter(fn);
    const variables = new Map(fn.params.map((param, index) => [param.name, params[index] ?? "passive"]));
    const rule = this.#setting.rules.get(name);
    if (rule !== undefined) return this.#ruled(name, rule, key);
    const pullback = this.#setting.pullbacks.get(name);
    const result = pullback === undefined ? "passive" : fullActivity(fn.result, this.#setting.data);
    const made: Instance = { name: fn.name, of: name, fn, params, body: new DualBody(this.#around, fn.body, variables), result, isWritten: false }; // prettier-ignore
    this.#instances.set(key, made);
    if (pullback !== undefined) this.#instance(pullback.of, params.slice(0, -1));
    return made;
  }

  // D[f](x) = let y = f(the values of x) in (y, rule(these, the tangents of x, y))
  #ruled(name: string, tangent: string, key: string): Instance {
    const { definition, names, data, values, define } = this.#setting;
    const fn = definition(name);
    const [param] = fn.params;
    if (param === undefined) throw new InternalError("derivatives", "a rule for nothing");
    const { type } = param;
    const [full, result] = [fullActivity(type, data), fullActivity(fn.result, data)];
    const [both, x, dx, dual] = [names.fresh("x"), names.fresh("x"), names.fresh("dx"), names.fresh(`${name}Dual`)];
    this.#said.push(tangent);
    const slope = (y: Term): Term => b.call(tangent, [b.variable(x), b.variable(dx), y]);
    const pair = values.bind("y", fn.result, b.call(name, [b.variable(x)]), (y) => values.zip(fn.result, y, slope(y), null)); // prettier-ignore
    const tangents = b.letIn(dx, type, values.tangent(type, full, b.variable(both)), pair);
    const body = b.letIn(x, type, values.primal(type, full, b.variable(both)), tangents);
    define(locatedFn(b.fn(dual, [b.param(both, dualType(type, full, data))], dualType(fn.result, result, data), body), fn)); // prettier-ignore
    const made: Instance = { name: dual, of: name, fn, params: [full], body: new DualBody(this.#around, b.tuple(), new Map()), result, isWritten: true }; // prettier-ignore
    this.#instances.set(key, made);
    return made;
  }

  #write(instance: Instance): void {
    const { fn, params, body, result, name, of } = instance;
    const { data, define } = this.#setting;
    instance.isWritten = true;
    const dualParams = fn.params.map((param, i) => b.param(param.name, dualType(param.type, params[i] ?? "passive", data))); // prettier-ignore
    define(inPlaceOf(b.fn(name, dualParams, dualType(fn.result, result, data), body.term(result)), fn));
    this.#notePullback(of, instance);
  }
}
