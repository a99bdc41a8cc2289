// The homomorphic cases of SV25 Fig. 6 (and §11), shared by the stages that stay pure: D1 and forward mode.

import type * as Source from "../core/term.js";
import type { Term } from "../target/term.js";
import type { DualTypes } from "./dual-types.js";

/** Translates a term of any kind but `real` and `op` part by part. */
export function congruence(
  term: Exclude<Source.Term, { readonly kind: "real" | "op" }>,
  d: (term: Source.Term) => Term,
  types: DualTypes,
): Term {
  // prettier-ignore
  switch (term.kind) {
    case "var":
    case "int":
    case "bool":     return term;
    case "tuple":    return { kind: "tuple", items: term.items.map(d) };
    case "proj":     return { kind: "proj", index: term.index, tuple: d(term.tuple) };
    case "lam":      return { kind: "lam", param: term.param, type: types.of(term.type), body: d(term.body) };
    case "app":      return { kind: "app", fn: d(term.fn), arg: d(term.arg) };
    case "call":     return { kind: "call", fn: term.fn, args: term.args.map(d) };
    case "let":      return { kind: "let", name: term.name, type: types.of(term.type), bound: d(term.bound), body: d(term.body) };
    case "letRec":   return { kind: "letRec", functions: term.functions.map((f) => congruentFn(f, d, types)), body: d(term.body) };
    case "con":      return { kind: "con", name: term.name, type: types.of(term.type), args: term.args.map(d) };
    case "case":     return {
      kind: "case",
      scrutinee: d(term.scrutinee),
      data: types.dataName(term.data),
      branches: term.branches.map(({ con, vars, body }) => ({ con, vars, body: d(body) })),
    };
    case "if":       return { kind: "if", cond: d(term.cond), then: d(term.then), else: d(term.else) };
    case "parallel": return { kind: "parallel", items: term.items.map(d) };
  }
}

/** A known function, part by part. */
export function congruentFn(
  fn: Source.Fn,
  d: (term: Source.Term) => Term,
  types: DualTypes,
): {
  name: string;
  params: { name: string; type: ReturnType<DualTypes["of"]> }[];
  result: ReturnType<DualTypes["of"]>;
  body: Term;
} {
  return {
    name: fn.name,
    params: fn.params.map(({ name, type }) => ({ name, type: types.of(type) })),
    result: types.of(fn.result),
    body: d(fn.body),
  };
}
