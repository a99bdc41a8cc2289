// Code sinking of declarations.
//
// A variable that one branch of a choice alone reads is declared there.
//
//   let t: number; if (c) { t = x * x; sum += t; } else { t = 0; }     =>     if (c) { let t = x * x; sum += t; }

import { sameItems } from "../../same.js";
import { reads } from "../../typescript/facts.js";
import { mapBlocks, visitNames } from "../../typescript/traverse.js";
import type { TsFunction, TsStmt } from "../../typescript/tree.js";
import { isTotal, type Surroundings } from "../analysis/purity.js";

type Declaration = TsStmt & { readonly kind: "let" };
type Choice = TsStmt & { readonly kind: "if" };

export function withNarrowScopes(fn: TsFunction, surroundings: Surroundings): TsFunction {
  return mapBlocks(fn, (body) => {
    let current = body;
    for (const stmt of body) {
      if (stmt.kind === "let" && stmt.init === null) current = narrowed(current, stmt, surroundings);
    }
    return sameItems(body, current);
  });
}

function narrowed(body: readonly TsStmt[], declared: Declaration, surroundings: Surroundings): readonly TsStmt[] {
  const { name } = declared;
  const using = body.filter((stmt) => stmt !== declared && mentions([stmt], name));
  const [choice, ...others] = using;
  if (choice?.kind !== "if" || others.length > 0 || reads(choice.test, name)) return body;
  const made = inOneBranch(choice, declared, surroundings);
  if (made === null) return body;
  return body.flatMap((stmt) => (stmt === declared ? [] : stmt === choice ? [made] : [stmt]));
}

/** A choice one of whose branches declares a variable, where the other one does nothing but to set it; null elsewhere. */
function inOneBranch(choice: Choice, declared: Declaration, surroundings: Surroundings): Choice | null {
  const { then, else: otherwise } = choice;
  const [shorterThen, shorterElse] = [then, otherwise].map((branch) =>
    withoutSets(branch, declared.name, surroundings),
  );
  const own = declaring(then, declared);
  if (own !== null && shorterElse !== null && shorterElse !== undefined)
    return { ...choice, then: own, else: shorterElse };
  const other = declaring(otherwise, declared);
  if (other !== null && shorterThen !== null && shorterThen !== undefined)
    return { ...choice, then: shorterThen, else: other };
  return null;
}

/** Statements without assignments to a variable; null where they do something else with it. */
function withoutSets(body: readonly TsStmt[], name: string, surroundings: Surroundings): readonly TsStmt[] | null {
  const kept = body.filter((stmt) => {
    const value = valueSet(stmt, name);
    return value === null || reads(value, name) || !isTotal(value, surroundings);
  });
  return mentions(kept, name) ? null : kept;
}

/** Statements of which the first that mentions a variable declares it; null where that does not set it. */
function declaring(body: readonly TsStmt[], { name, type }: Declaration): readonly TsStmt[] | null {
  const first = body.find((stmt) => mentions([stmt], name));
  const init = first === undefined ? null : valueSet(first, name);
  if (first === undefined || init === null || reads(init, name)) return null;
  return body.map((stmt) => (stmt === first ? { kind: "let", name, type, init } : stmt));
}

/** What a statement sets a variable to, if that is all that it does. */
function valueSet(stmt: TsStmt, name: string): (TsStmt & { readonly kind: "expr" })["expr"] | null {
  if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.op !== "=") return null;
  const { target, value } = stmt.expr;
  return target.kind === "id" && target.name === name ? value : null;
}

function mentions(body: readonly TsStmt[], name: string): boolean {
  let found = false;
  visitNames(body, (each) => (found ||= each === name));
  return found;
}
