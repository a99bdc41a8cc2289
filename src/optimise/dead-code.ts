// Dead code: bindings that nothing uses, where evaluating them ends and cannot fail, and functions that nothing calls.

import { withParts } from "../same.js";
import { rootsOf, type Fn, type Program, type Term } from "../core/term.js";
import { contentsOf, isTotal } from "./term-facts.js";
import { isBinding, mapDefinitions, mapSubterms, withBindings, withBody, type Binding } from "./rewrite.js";

/** Removes unused bindings in every definition, then the definitions that no entry needs. */
export function removeDeadCode(program: Program): Program {
  const pruned = mapDefinitions(program, (fn) => withBody(fn, new Pruning().term(fn.body)), settled);
  const needed = reachable(pruned);
  const definitions = pruned.definitions.filter(({ name }) => needed.has(name));
  if (definitions.length === pruned.definitions.length) return pruned;
  const pullbacks = new Map([...pruned.pullbacks].filter(([name]) => needed.has(name)));
  const checkpoints = new Map([...pruned.checkpoints].filter(([name]) => needed.has(name)));
  const partials = new Map([...pruned.partials].filter(([name]) => needed.has(name)));
  const texts = new Map([...pruned.texts].filter(([name]) => needed.has(name)));
  return { ...pruned, definitions, pullbacks, checkpoints, partials, texts };
}

/** Definitions without dead code. */
const settled = new WeakSet<Fn>();

function reachable(program: Program): ReadonlySet<string> {
  const byName = new Map(program.definitions.map((fn) => [fn.name, fn]));
  const needed = new Set<string>();
  const waiting = [...rootsOf(program)];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const fn = byName.get(name);
    if (fn === undefined || needed.has(name)) continue;
    needed.add(name);
    waiting.push(...contentsOf(fn.body).calls.keys());
    const pullback = program.pullbacks.get(name);
    const checkpoint = program.checkpoints.get(name);
    const text = program.texts.get(name);
    const partials = program.partials.get(name);
    if (partials !== undefined) waiting.push(partials);
    if (text !== undefined) waiting.push(text);
    if (checkpoint !== undefined) waiting.push(checkpoint.reverse, ...[checkpoint.value, checkpoint.text].filter((each) => each !== null)); // prettier-ignore
    if (pullback !== undefined) waiting.push(pullback.of, ...(pullback.reverse === null ? [] : [pullback.reverse]));
  }
  return needed;
}

/** From the end of a term to its beginning, so that all uses of a binding are met before it. */
class Pruning {
  /** The variables and functions used in what was met and stays. */
  readonly #used = new Set<string>();

  readonly term = (start: Term): Term => {
    const around: Binding[] = [];
    let term = start;
    while (isBinding(term)) {
      around.push(term);
      term = term.body;
    }
    if (term.kind === "var") this.#used.add(term.name);
    if (term.kind === "call") this.#used.add(term.fn);
    let done: Term = mapSubterms(term, this.term);
    for (const binding of around.reverse()) {
      const kept = this.#binding(binding);
      if (kept !== null) done = withBindings([kept], done);
    }
    return done;
  };

  #binding(binding: Binding): Binding | null {
    if (binding.kind === "letRec") return this.#functions(binding);
    if (!this.#used.has(binding.name) && isTotal(binding.bound)) return null;
    return withParts(binding, { bound: this.term(binding.bound) });
  }

  /** The functions that are called: by what follows, or by one that is. */
  #functions(binding: Binding & { readonly kind: "letRec" }): Binding | null {
    const kept = new Map<Fn, Fn>();
    for (let grows = true; grows;) {
      grows = false;
      for (const fn of binding.functions) {
        if (kept.has(fn) || !this.#used.has(fn.name)) continue;
        kept.set(fn, withBody(fn, this.term(fn.body)));
        grows = true;
      }
    }
    if (kept.size === 0) return null;
    const functions = binding.functions.flatMap((fn) => kept.get(fn) ?? []);
    const isSame =
      functions.length === binding.functions.length && functions.every((fn, i) => fn === binding.functions[i]);
    return isSame ? binding : { ...binding, functions };
  }
}
