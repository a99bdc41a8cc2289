// What the compiler has resolved in the sweeps of a procedure, in words.

import type { Procedure, Var } from "../flat/program.js";
import { allStmts, boundBy } from "../flat/traverse.js";
import type { Definition } from "./places.js";
import type { Strategy } from "./strategy.js";

/** What is known of a procedure when its sweeps are written. */
export interface Resolution {
  readonly name: string;
  /** Variables that the reverse sweep needs, with the names that they have in the code. */
  readonly strategies: readonly {
    readonly definition: Definition;
    readonly name: string;
    readonly strategy: Strategy;
  }[];
  /** The indices of loops that both sweeps go through at once. */
  readonly byIteration: readonly string[];
  /** Variables that cotangents do not reach, though their type could have some. */
  readonly inactive: readonly { readonly variable: Var; readonly name: string }[];
}

/** More names than this are counted only. */
const mostNames = 12;

/** One line: `f: saved: e of each iteration; recomputed: x, y; swept back round by round: i; no store for: m`. */
export function describeResolution({ name, strategies, byIteration, inactive }: Resolution): string {
  const saved = new Map<string, string[]>([...savedPlaces.values()].map((where) => [where, []]));
  const recomputed: string[] = [];
  const ordered = [...strategies].sort((a, b) => a.definition.order - b.definition.order);
  for (const { definition, name: variable, strategy } of ordered) {
    const isValue = definition.variable.rep.kind !== "store";
    if (strategy.kind === "again" && definition.origin !== "captured" && isValue) recomputed.push(variable);
    // An array of saved values that is saved in turn is no value of the program
    if (definition.origin !== "saved") saved.get(savedPlaces.get(strategy.kind) ?? "")?.push(variable);
  }
  const savedText = [...saved]
    .flatMap(([where, names]) => (names.length === 0 ? [] : [`${listed(names)} ${where}`]))
    .join(", ");
  const of = (keep: (variable: Var) => boolean): readonly string[] =>
    inactive.filter(({ variable }) => keep(variable)).map((each) => each.name);
  const stored = of(({ rep }) => rep.kind !== "real");
  const scalars = of(({ rep }) => rep.kind === "real");
  const parts = [
    `saved: ${savedText === "" ? "nothing" : savedText}`,
    ...(recomputed.length === 0 ? [] : [`recomputed: ${listed(recomputed)}`]),
    ...(byIteration.length === 0 ? [] : [`swept back iteration by iteration: ${listed(byIteration)}`]),
    ...(stored.length === 0 ? [] : [`no store for: ${listed(stored)}`]),
    ...(scalars.length === 0 ? [] : [`no cotangent for: ${listed(scalars)}`]),
  ];
  return `${name}: ${parts.join("; ")}`;
}

/** Where values are saved, by the strategy; values of other strategies are not. */
const savedPlaces: ReadonlyMap<string, string> = new Map([
  ["array", "of each iteration"],
  ["element", "in an array that is there anyway"],
  ["outside", "in front of its branch"],
  ["tape", "on the tape"],
]);

function listed(names: readonly string[]): string {
  if (names.length <= mostNames) return names.join(", ");
  return `${names.slice(0, mostNames).join(", ")} and ${names.length - mostNames} more`;
}

/** All variables of a procedure but the indices of loops, parameters first. */
export function variablesOf({ params, captured, body }: Procedure): readonly Var[] {
  const inside = allStmts(body).flatMap((stmt) => [
    ...boundBy(stmt),
    ...(stmt.kind === "loop" || stmt.kind === "for" ? stmt.params : []),
  ]);
  return [...captured, ...params, ...inside];
}
