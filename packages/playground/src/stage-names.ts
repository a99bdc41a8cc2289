// The stages, as the page names them: the compiler itself is not there yet when they are shown.

import type { StageName } from "dualrev";

const titles: Readonly<Record<StageName, string>> = {
  primal: "Fig. 4: the program",
  forward: "Forward mode (KR22)",
  "delta-vector": "Gradient vectors (KR22)",
  delta: "Delta terms (KR22)",
  "delta-let": "Delta, shared (KR22)",
  "delta-let-array": "Delta, arrays (KR22)",
  d1: "D1: backpropagators",
  d2: "D2: IDs, staging",
  d3: "D3: Cayley",
  "d3-map": "D3: map of scalars",
  d4: "D4: mutable arrays",
  "d4-one-array": "D4: one array",
  contrib: "Contributions as data",
  tape: "Tape",
  parallel: "D5: parallel",
  adjoint: "Adjoint: ahead of time",
};

/** D, as rules of the stage are written. */
const transformations: Readonly<Partial<Record<string, string>>> = {
  d1: "D1",
  d2: "D2",
  d3: "D3",
  "d3-map": "D3",
  d4: "D4",
  "d4-one-array": "D4",
  contrib: "D",
  tape: "D",
  parallel: "D5",
};

/** The left side of the rule for each kind of term. */
const rules: Readonly<Record<string, string>> = {
  real: "[r]",
  int: "[k]",
  bool: "[b]",
  op: "[op(t1, .., tn)]",
  let: "[let x : T = s in t]",
  letRec: "[letrec f x = s in t]",
  tuple: "[(s, t)]",
  proj: "[fst t]",
  lam: "[\\x. t]",
  app: "[s t]",
  call: "[f(t1, .., tn)]",
  con: "[C t1 .. tn]",
  case: "[case s of ..]",
  if: "[if s then t else u]",
  array: "[[t1, .., tn]]",
  build: "[build n (\\i. t)]",
  index: "[s ! t]",
  length: "[length t]",
  parallel: "[s |*| t]",
};

/** `D2[op(t1, .., tn)]`: the rule that has made a stage's term of a source term of some kind; null where the stage is none of rules. */
export function ruleOf(stage: string, kind: string): string | null {
  const rule = rules[kind];
  if (rule === undefined || stage === "adjoint") return null;
  return stage === "primal" ? rule.slice(1, -1) : `${transformations[stage] ?? "D"}${rule}`;
}

export function isStageName(name: string): name is StageName {
  return Object.hasOwn(titles, name);
}

export const stages: readonly { readonly value: string; readonly text: string }[] = Object.entries(titles).map(([value, text]) => ({ value, text })); // prettier-ignore
