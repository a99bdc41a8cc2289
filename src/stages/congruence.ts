// The homomorphic cases of SV25 Fig. 6 (and §11), shared by the stages that stay pure: D1 and forward mode.

import type * as Source from "../core/term.js";
import { inPlaceOf } from "../location.js";
import type { Fn, Term } from "../target-calculus/term.js";
import { alongBindings } from "./along-bindings.js";
import type { Binding } from "./along-bindings.js";
import type { DualTypes } from "./dual-types.js";

/** The kinds of terms for which a figure has a rule of its own. */
type Special = Source.Term & { readonly kind: "real" | "op" };

/** Translates a term part by part, but for what has a rule of its own. */
export function congruence(start: Source.Term, special: (term: Special) => Term, types: DualTypes): Term {
  const d = (term: Source.Term): Term => congruence(term, special, types);

  // D1[let x : T = s in t] = let x : D1[T] = D1[s] in D1[t]
  const binding = (term: Binding) => {
    if (term.kind === "let") {
      const [type, bound] = [types.of(term.type), d(term.bound)];
      return (body: Term): Term => ({ kind: "let", name: term.name, type, bound, body });
    }
    const functions = term.functions.map((f) => congruentFn(f, d, types));
    return (body: Term): Term => ({ kind: "letRec", functions, body });
  };

  return alongBindings(start, binding, (term) => {
    // prettier-ignore
    switch (term.kind) {
      case "real":
      case "op":       return special(term);
      case "var":
      case "int":
      case "bool":     return term;
      case "tuple":    return { kind: "tuple", items: term.items.map(d) };
      case "proj":     return { kind: "proj", index: term.index, tuple: d(term.tuple) };
      case "lam":      return { kind: "lam", param: term.param, type: types.of(term.type), body: d(term.body) };
      case "app":      return { kind: "app", fn: d(term.fn), arg: d(term.arg) };
      case "call":     return { kind: "call", fn: term.fn, args: term.args.map(d) };
      case "con":      return { kind: "con", name: term.name, type: types.of(term.type), args: term.args.map(d) };
      case "case":     return {
        kind: "case",
        scrutinee: d(term.scrutinee),
        data: types.dataName(term.data),
        branches: term.branches.map(({ con, vars, body }) => ({ con, vars, body: d(body) })),
      };
      case "if":       return { kind: "if", cond: d(term.cond), then: d(term.then), else: d(term.else) };
      case "array":    return { kind: "array", element: types.of(term.element), items: term.items.map(d) };
      case "build":    return { ...term, size: d(term.size), element: types.of(term.element), body: d(term.body) };
      case "scan":     return {
        ...term,
        size: d(term.size),
        start: d(term.start),
        type: types.of(term.type),
        element: types.of(term.element),
        body: d(term.body),
      };
      case "index":    return { ...term, array: d(term.array), index: d(term.index) };
      case "length":   return { kind: "length", array: d(term.array) };
      case "parallel": return { kind: "parallel", items: term.items.map(d) };
    }
  });
}

/** A known function, part by part, or with a body that is given. */
export function congruentFn(
  fn: Source.Fn,
  d: (term: Source.Term) => Term,
  types: DualTypes,
  body: Term | null = null,
): Fn {
  const params = fn.params.map(({ name, type }) => ({ name, type: types.of(type) }));
  return inPlaceOf<Fn>({ name: fn.name, params, result: types.of(fn.result), body: body ?? d(fn.body) }, fn);
}
