// What a rule says along a direction, where its point has no derivative: functions with rules are called for their values alone there. Rules may name each other, and
// themselves, as those of sine and cosine do: as terms of their derivatives they would be computed without an end.

import type { Names } from "../core/names.js";
import type { Fn, Pullback, Term } from "../core/term.js";
import { binders, subterms } from "../core/traverse.js";
import { copyFn } from "../optimise/copy.js";
import { rewriteUp } from "../optimise/rewrite.js";
import { contentsOf, freeIn } from "../optimise/term-facts.js";
import type { Rule } from "./duals.js";

interface Setting {
  readonly names: Names;
  readonly definition: (name: string) => Fn;
  readonly isDefinition: (name: string) => boolean;
  readonly define: (fn: Fn) => void;
  readonly pullbacks: ReadonlyMap<string, Pullback>;
  readonly rules: ReadonlyMap<string, Rule>;
}

export class RuleValues {
  readonly #setting: Setting;
  readonly #versions = new Map<string, string>();

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  /** The definition of a tangent, under another name, of which the point has no derivative: only the last parameter, the direction, has. */
  tangent(of: Fn, name: string): Fn {
    const copy = copyFn(of, name, this.#setting.names);
    const direction = copy.params.at(-1)?.name ?? "";
    const moving = dependentOn(direction, copy.body);
    const isStill = (term: Term): boolean => [...freeIn(term).variables].every((variable) => !moving.has(variable));
    return { ...copy, body: rewriteUp(copy.body, (term) => (term.kind === "call" && isStill(term) ? this.#called(term) : term)) }; // prettier-ignore
  }

  #called(call: Term & { readonly kind: "call" }): Term {
    const fn = this.#setting.isDefinition(call.fn) ? this.#version(call.fn) : call.fn;
    return fn === call.fn ? call : { ...call, fn };
  }

  /** The name of a definition that computes the same, and whose derivative nobody asks for. */
  #version(name: string): string {
    const { rules, pullbacks, definition, define, names } = this.#setting;
    const known = this.#versions.get(name);
    if (known !== undefined) return known;
    if (pullbacks.has(name) || !this.#hasRule(name)) return name;
    const rule = rules.get(name);
    if (rule !== undefined) return this.#version(rule.value);
    const version = names.fresh(name);
    this.#versions.set(name, version);
    const copy = copyFn(definition(name), version, names);
    define({ ...copy, body: rewriteUp(copy.body, (term) => (term.kind === "call" ? this.#called(term) : term)) });
    return version;
  }

  /** Whether a definition comes to one with a rule. */
  #hasRule(start: string): boolean {
    const { rules, definition, isDefinition } = this.#setting;
    const seen = new Set([start]);
    for (const name of seen) {
      if (rules.has(name)) return true;
      for (const callee of contentsOf(definition(name).body).calls.keys()) if (isDefinition(callee)) seen.add(callee);
    }
    return false;
  }
}

/** The variables of a term that may depend on one; all parameters of local functions may. */
function dependentOn(name: string, body: Term): ReadonlySet<string> {
  const dependent = new Set([name]);
  const visit = (start: Term): void => {
    const waiting = [start];
    for (let term = waiting.pop(); term !== undefined; term = waiting.pop()) {
      const source = term.kind === "let" ? term.bound : term.kind === "case" ? term.scrutinee : term;
      const isMoving = term.kind === "letRec" || term.kind === "lam" || [...freeIn(source).variables].some((each) => dependent.has(each)); // prettier-ignore
      if (isMoving && term.kind !== "build") for (const bound of binders(term)) dependent.add(bound);
      waiting.push(...subterms(term));
    }
  };
  // Bindings come before their uses but for local functions, whose parameters are taken for dependent
  for (let before = -1; before < dependent.size;) {
    before = dependent.size;
    visit(body);
  }
  return dependent;
}
