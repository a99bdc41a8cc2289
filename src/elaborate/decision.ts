// Nested patterns as decision trees: which test comes next, and which rows it leaves. A row's right-hand side may be reached from several
// leaves; matches are exhaustive, as inference has checked.

import { InternalError } from "../internal-error.js";
import type { Pattern } from "../types/typed.js";
import { Variable } from "./scope.js";
import type { DataTypes } from "../core/type-parts.js";
import type { Type } from "../core/type.js";
import type { ScopeNames } from "./scope-names.js";

/** A branch of a `case` on its way down the tree: the tests it still asks for, and the source variables that it has bound so far. */
export interface Row {
  readonly tests: readonly Test[];
  readonly bound: readonly (readonly [string, Variable])[];
  /** The branch's position in the `case`. */
  readonly index: number;
}

/** Neither a variable nor a wildcard. */
interface Test {
  readonly on: Variable;
  readonly pattern: Exclude<Pattern, { readonly kind: "variable" | "wildcard" }>;
}

export type Decision =
  | { readonly kind: "leaf"; readonly row: Row }
  | { readonly kind: "project"; readonly on: Variable; readonly items: readonly Variable[]; readonly next: Decision }
  | { readonly kind: "switch"; readonly on: Variable; readonly data: string; readonly arms: readonly Arm[] }
  | { readonly kind: "boolean"; readonly on: Variable; readonly then: Decision; readonly else: Decision }
  | { readonly kind: "integer"; readonly on: Variable; readonly value: number; readonly then: Decision; readonly else: Decision }; // prettier-ignore

export interface Arm {
  readonly con: string;
  readonly fields: readonly Variable[];
  readonly next: Decision;
}

export interface DecisionContext {
  readonly data: DataTypes;
  readonly names: ScopeNames;
  /** Called once for each node, with its depth; false stops the growth, and the answer is then of no use. */
  readonly grow: (depth: number) => boolean;
}

/** A row that matches `patterns` against the variables at the same positions. */
export function row(index: number, on: readonly Variable[], patterns: readonly Pattern[]): Row {
  return refine({ tests: [], bound: [], index }, on, patterns);
}

function refine(start: Row, on: readonly Variable[], patterns: readonly Pattern[]): Row {
  const tests: Test[] = [];
  const bound = [...start.bound];
  patterns.forEach((pattern, index) => {
    const variable = on[index];
    if (variable === undefined) throw new InternalError("decision", "more patterns than values");
    if (pattern.kind === "variable") bound.push([pattern.name, variable]);
    else if (pattern.kind !== "wildcard") tests.push({ on: variable, pattern });
  });
  return { tests: [...tests, ...start.tests], bound, index: start.index };
}

/** The decision tree of rows of which the first that matches is taken. */
export function decide(rows: readonly Row[], context: DecisionContext, depth = 0): Decision {
  const [first] = rows;
  if (first === undefined) throw new InternalError("decision", "a match is not exhaustive");
  if (!context.grow(depth)) return { kind: "leaf", row: first };
  const test = mostShared(first.tests, rows);
  if (test === null) return { kind: "leaf", row: first };
  const { on, pattern } = test;
  const next = (remaining: readonly Row[]): Decision => decide(remaining, context, depth + 1);
  /** What follows where the value of `on` is known to match `accepts`, its parts being `parts`. */
  const where = (accepts: (pattern: Test["pattern"]) => boolean, parts: readonly Variable[]): Decision =>
    next(
      rows.flatMap((candidate) => {
        const own = candidate.tests.find((other) => other.on === on);
        if (own === undefined) return [candidate];
        if (!accepts(own.pattern)) return [];
        const rest = { ...candidate, tests: candidate.tests.filter((other) => other !== own) };
        return [refine(rest, parts, subpatterns(own.pattern))];
      }),
    );

  switch (pattern.kind) {
    case "tuple": {
      const types = on.type.kind === "tuple" ? on.type.items : [];
      const items = types.map((type, index) => part(rows, on, index, type, context.names));
      return { kind: "project", on, items, next: where(() => true, items) };
    }
    case "constructor": {
      if (on.type.kind !== "data")
        throw new InternalError("decision", "a constructor pattern on something else than data");
      const arms = context.data.constructorsOf(on.type).map(({ name, fields }): Arm => {
        const same = (other: Test["pattern"]) => other.kind === "constructor" && other.name === name;
        const variables = fields.map((type, index) => part(rows, on, index, type, context.names, same));
        return { con: name, fields: variables, next: where(same, variables) };
      });
      return { kind: "switch", on, data: pattern.data, arms };
    }
    case "boolean":
      return {
        kind: "boolean",
        on,
        then: where((other) => other.kind === "boolean" && other.value, []),
        else: where((other) => other.kind === "boolean" && !other.value, []),
      };
    case "integer": {
      const same = (other: Test["pattern"]) => other.kind === "integer" && other.value === pattern.value;
      const others = rows.filter(({ tests }) => !tests.some((other) => other.on === on && same(other.pattern)));
      return { kind: "integer", on, value: pattern.value, then: where(same, []), else: next(others) };
    }
  }
}

/** How many leaves reach each row. */
export function countLeaves(decision: Decision, counts: Map<number, number> = new Map()): ReadonlyMap<number, number> {
  switch (decision.kind) {
    case "leaf":
      counts.set(decision.row.index, (counts.get(decision.row.index) ?? 0) + 1);
      break;
    case "project":
      countLeaves(decision.next, counts);
      break;
    case "switch":
      for (const arm of decision.arms) countLeaves(arm.next, counts);
      break;
    case "boolean":
    case "integer":
      countLeaves(decision.then, counts);
      countLeaves(decision.else, counts);
      break;
  }
  return counts;
}

/** The test that most rows ask for, the leftmost of them: it leaves the fewest copies. */
function mostShared(tests: readonly Test[], rows: readonly Row[]): Test | null {
  let best: Test | null = null;
  let bestCount = 0;
  for (const test of tests) {
    const count = rows.filter((other) => other.tests.some(({ on }) => on === test.on)).length;
    if (count > bestCount) [best, bestCount] = [test, count];
  }
  return best;
}

function subpatterns(pattern: Pattern): readonly Pattern[] {
  switch (pattern.kind) {
    case "tuple":
      return pattern.items;
    case "constructor":
      return pattern.args;
    default:
      return [];
  }
}

/** Part `index` of what `on` holds, named as the first row names it that does. */
function part(
  rows: readonly Row[],
  on: Variable,
  index: number,
  type: Type,
  names: ScopeNames,
  accepts: (pattern: Test["pattern"]) => boolean = () => true,
): Variable {
  for (const { tests } of rows) {
    for (const test of tests) {
      const pattern = test.on === on && accepts(test.pattern) ? subpatterns(test.pattern)[index] : undefined;
      if (pattern?.kind === "variable") return Variable.named(type, pattern.name, names);
    }
  }
  return Variable.unnamed(type, names);
}
