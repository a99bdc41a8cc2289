// What TypeScript knows without being told: behind the test of an object's constructor, and where it has been made, the type of what the constructor makes.
//
//   if (x_.tag === "A") { (x_ as StoreA)._0 += y_; }          if (x_.tag === "A") { x_._0 += y_; }
//   const x_: Store = { tag: "A", _0: 0 }; .. (x_ as StoreA)._0         x_._0
//
// Only of variables that keep what they are, and whose types do not depend on variables of loops, which would have to be known first.

import { mapSame, withParts } from "../../same.js";
import { endsInJump } from "../../typescript/facts.js";
import { mapParts, mapStmt, withBody, type Rewriting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { namesOf } from "../analysis/bindings.js";
import type { Surroundings } from "../analysis/purity.js";
import { surveyed } from "../analysis/survey.js";

/** What is known of the constructor of an object. */
type Fact = { readonly name: string; readonly con: string; readonly isOf: boolean };

export function withoutKnownCasts(fn: TsFunction, { constructors, alternatives }: Surroundings): TsFunction {
  const { variables } = surveyed(fn);
  /** Constants and parameters whose types do not depend on those of variables that are assigned to. */
  const typed = new Set(fn.params.map(({ name }) => name).filter((name) => variables.get(name)?.writes === 0));
  let facts: readonly Fact[] = [];

  const knowing = <T>(more: readonly Fact[], body: () => T): T => {
    const before = facts;
    facts = [...facts, ...more];
    const result = body();
    facts = before;
    return result;
  };
  const isKnown = (name: string, con: string): boolean => {
    const about = facts.filter((fact) => fact.name === name);
    if (about.some((fact) => fact.isOf && fact.con === con)) return true;
    const others = (alternatives.get(con) ?? []).filter((other) => other !== con);
    return others.length > 0 && others.every((other) => about.some((fact) => !fact.isOf && fact.con === other));
  };
  const isTyped = (expr: TsExpr): boolean => {
    switch (expr.kind) {
      case "id":
        return typed.has(expr.name);
      case "call":
      case "as":
        return true;
      case "member":
      case "index":
        return isTyped(expr.object);
      default:
        return false;
    }
  };
  /** What is known where a test has gone one way. */
  const learned = (test: TsExpr, holds: boolean): readonly Fact[] => {
    if (test.kind === "unary") return learned(test.arg, !holds);
    if (test.kind !== "binary") return [];
    if (test.op === (holds ? "&&" : "||")) return [...learned(test.left, holds), ...learned(test.right, holds)];
    if (test.op !== "===" && test.op !== "!==") return [];
    const [name, con] = [taggedBy(test.left), test.right];
    if (name === null || con.kind !== "string" || !typed.has(name)) return [];
    return [{ name, con: con.value, isOf: holds === (test.op === "===") }];
  };

  const rewriting: Rewriting = {
    expr: (expr) => {
      switch (expr.kind) {
        case "as": {
          const con = expr.type.kind === "name" ? constructors.get(expr.type.name) : undefined;
          const isSaid = con !== undefined && expr.expr.kind === "id" && isKnown(expr.expr.name, con);
          return isSaid ? expr.expr : mapParts(expr, rewriting);
        }
        case "cond": {
          const test = rewriting.expr(expr.test);
          const then = knowing(learned(expr.test, true), () => rewriting.expr(expr.then));
          const otherwise = knowing(learned(expr.test, false), () => rewriting.expr(expr.else));
          const isSame = test === expr.test && then === expr.then && otherwise === expr.else;
          return isSame ? expr : { kind: "cond", test, then, else: otherwise };
        }
        case "binary": {
          if (expr.op !== "&&" && expr.op !== "||") return mapParts(expr, rewriting);
          const left = rewriting.expr(expr.left);
          const right = knowing(learned(expr.left, expr.op === "&&"), () => rewriting.expr(expr.right));
          return withParts(expr, { left, right });
        }
        default:
          return mapParts(expr, rewriting);
      }
    },
    block: (body) =>
      knowing([], () =>
        mapSame(body, (stmt) => {
          const next = statement(stmt);
          facts = [...facts, ...leftBehind(stmt)];
          return next;
        }),
      ),
  };
  const statement = (stmt: TsStmt): TsStmt => {
    if (stmt.kind === "if") {
      const test = rewriting.expr(stmt.test);
      const then = knowing(learned(stmt.test, true), () => rewriting.block(stmt.then));
      const otherwise = knowing(learned(stmt.test, false), () => rewriting.block(stmt.else));
      return withParts(stmt, { test, then, else: otherwise });
    }
    if (stmt.kind === "switch") {
      const name = taggedBy(stmt.subject);
      const cases = mapSame(stmt.cases, (one) => {
        const con = one.test?.kind === "string" ? one.test.value : null;
        const fact = name === null || con === null || !typed.has(name) ? [] : [{ name, con, isOf: true }];
        return withParts(one, { body: knowing(fact, () => rewriting.block(one.body)) });
      });
      return withParts(stmt, { cases });
    }
    return mapStmt(stmt, rewriting);
  };
  /** What is known behind a statement. */
  const leftBehind = (stmt: TsStmt): readonly Fact[] => {
    if (stmt.kind === "const") {
      if (stmt.type !== null || isTyped(stmt.init)) for (const name of namesOf(stmt.target)) typed.add(name);
      const tag = stmt.init.kind === "object" ? stmt.init.fields.find(({ name }) => name === "tag")?.value : undefined;
      const isMade = stmt.type !== null && typeof stmt.target === "string" && tag?.kind === "string";
      return isMade ? [{ name: stmt.target, con: tag.value, isOf: true }] : [];
    }
    if (stmt.kind !== "if") return [];
    if (endsInJump(stmt.then)) return learned(stmt.test, false);
    return endsInJump(stmt.else) ? learned(stmt.test, true) : [];
  };
  return withBody(fn, rewriting.block(fn.body));
}

/** The variable whose constructor an expression tells. */
function taggedBy(expr: TsExpr): string | null {
  return expr.kind === "member" && expr.name === "tag" && expr.object.kind === "id" ? expr.object.name : null;
}
