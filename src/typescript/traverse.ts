// Through the parts of the TypeScript tree, in the order in which they are evaluated. What does not change stays the same object, so that a pass can tell
// whether it has done anything.

import { mapSame, sameItems, withParts } from "../same.js";
import { isBlock, partsOf } from "./facts.js";
import type { TsExpr, TsFunction, TsStmt, TsType } from "./tree.js";

/** What is done with the parts of a statement or an expression. */
export interface Rewriting {
  readonly expr: (expr: TsExpr) => TsExpr;
  readonly block: (body: readonly TsStmt[]) => readonly TsStmt[];
}

/** An expression with rewritten parts; what an assignment assigns to keeps its outermost form. */
export function mapParts(expr: TsExpr, rewriting: Rewriting): TsExpr {
  const { expr: map, block } = rewriting;
  switch (expr.kind) {
    case "id":
    case "number":
    case "string":
    case "boolean":
    case "null":
    case "undefined":
      return expr;
    case "binary":
      return withParts(expr, { left: map(expr.left), right: map(expr.right) });
    case "unary":
      return withParts(expr, { arg: map(expr.arg) });
    case "cond":
      return withParts(expr, { test: map(expr.test), then: map(expr.then), else: map(expr.else) });
    case "call":
    case "new":
      return withParts(expr, { fn: map(expr.fn), args: mapSame(expr.args, map) });
    case "member":
      return withParts(expr, { object: map(expr.object) });
    case "index":
      return withParts(expr, { object: map(expr.object), index: map(expr.index) });
    case "arrow":
      return withParts(expr, { body: isBlock(expr.body) ? block(expr.body) : map(expr.body) });
    case "object":
      return withParts(expr, {
        fields: mapSame(expr.fields, (field) => withParts(field, { value: map(field.value) })),
      });
    case "array":
      return withParts(expr, { items: mapSame(expr.items, map) });
    case "as":
      return withParts(expr, { expr: map(expr.expr) });
    case "yield":
      return withParts(expr, { value: map(expr.value) });
    case "assign": {
      const { target, value } = expr;
      return withParts(expr, { target: target.kind === "id" ? map(target) : mapParts(target, rewriting), value: map(value) }); // prettier-ignore
    }
  }
}

/** A statement with rewritten parts. */
export function mapStmt(stmt: TsStmt, rewriting: Rewriting): TsStmt {
  const { expr: map, block } = rewriting;
  switch (stmt.kind) {
    case "const":
      return withParts(stmt, { init: map(stmt.init) });
    case "let":
      return stmt.init === null ? stmt : withParts(stmt, { init: map(stmt.init) });
    case "expr":
      return withParts(stmt, { expr: map(stmt.expr) });
    case "return":
      return stmt.value === null ? stmt : withParts(stmt, { value: map(stmt.value) });
    case "throw":
      return withParts(stmt, { value: map(stmt.value) });
    case "if":
      return withParts(stmt, { test: map(stmt.test), then: block(stmt.then), else: block(stmt.else) });
    case "loop":
    case "block":
      return withParts(stmt, { body: block(stmt.body) });
    case "while":
      return withParts(stmt, { test: map(stmt.test), body: block(stmt.body) });
    case "for":
      return withParts(stmt, {
        from: map(stmt.from),
        test: map(stmt.test),
        step: map(stmt.step),
        body: block(stmt.body),
      });
    case "switch": {
      const cases = mapSame(stmt.cases, (one) =>
        withParts(one, { test: one.test === null ? null : map(one.test), body: block(one.body) }),
      );
      return withParts(stmt, { subject: map(stmt.subject), cases });
    }
    case "try":
      return withParts(stmt, { body: block(stmt.body), handler: block(stmt.handler) });
    case "function":
      return withParts(stmt, { fn: withBody(stmt.fn, block(stmt.fn.body)) });
    case "continue":
    case "break":
    case "comment":
      return stmt;
  }
}

/** A function with rewritten expressions; `rewrite` says what becomes of their parts. */
export function mapExpressions(fn: TsFunction, rewrite: (expr: TsExpr, rewriting: Rewriting) => TsExpr): TsFunction {
  const rewriting: Rewriting = {
    expr: (expr) => rewrite(expr, rewriting),
    block: (body) => mapSame(body, (stmt) => mapStmt(stmt, rewriting)),
  };
  return withBody(fn, rewriting.block(fn.body));
}

/** A function in which `rewrite` has been applied to every block, to those within others first. */
export function mapBlocks(fn: TsFunction, rewrite: Rewriting["block"]): TsFunction {
  const rewriting: Rewriting = {
    expr: (expr) => (hasStatements(expr) ? mapParts(expr, rewriting) : expr),
    block: (body) => {
      const inside = withInside(body);
      return sameItems(inside, rewrite(inside));
    },
  };
  const ofBlocks: Rewriting = { expr: (expr) => expr, block: rewriting.block };
  const withInside = (body: readonly TsStmt[]): readonly TsStmt[] => {
    switch (insideOf(body)) {
      case "nothing":
        return body;
      case "blocks":
        return mapSame(body, (stmt) => mapStmt(stmt, ofBlocks));
      case "functions":
        return mapSame(body, (stmt) => mapStmt(stmt, rewriting));
    }
  };
  return withBody(fn, rewriting.block(fn.body));
}

export function withBody(fn: TsFunction, body: readonly TsStmt[]): TsFunction {
  return withParts(fn, { body });
}

/** Statements with others in the place of some; the same where nothing changes. */
export function replaced(
  body: readonly TsStmt[],
  replacement: (stmt: TsStmt) => TsStmt | readonly TsStmt[],
): readonly TsStmt[] {
  let out: TsStmt[] | null = null;
  let index = 0;
  for (const stmt of body) {
    const next = replacement(stmt);
    if (next !== stmt) out ??= body.slice(0, index);
    if ("kind" in next) out?.push(next);
    else out?.push(...next);
    index++;
  }
  return out ?? body;
}

/** What is told of the parts of a statement or an expression. */
export interface Visiting {
  readonly expr: (expr: TsExpr) => void;
  readonly block: (body: readonly TsStmt[]) => void;
}

export function visitParts(expr: TsExpr, { expr: visit, block }: Visiting): void {
  if (expr.kind === "arrow" && isBlock(expr.body)) block(expr.body);
  else for (const part of partsOf(expr)) visit(part);
}

export function visitStmt(stmt: TsStmt, { expr: visit, block }: Visiting): void {
  switch (stmt.kind) {
    case "const":
      visit(stmt.init);
      return;
    case "let":
      if (stmt.init !== null) visit(stmt.init);
      return;
    case "expr":
      visit(stmt.expr);
      return;
    case "return":
      if (stmt.value !== null) visit(stmt.value);
      return;
    case "if":
      visit(stmt.test);
      block(stmt.then);
      block(stmt.else);
      return;
    case "loop":
      block(stmt.body);
      return;
    case "while":
      visit(stmt.test);
      block(stmt.body);
      return;
    case "for":
      visit(stmt.from);
      visit(stmt.test);
      visit(stmt.step);
      block(stmt.body);
      return;
    case "switch":
      visit(stmt.subject);
      for (const { test, body } of stmt.cases) {
        if (test !== null) visit(test);
        block(body);
      }
      return;
    case "throw":
      visit(stmt.value);
      return;
    case "try":
      block(stmt.body);
      block(stmt.handler);
      return;
    case "block":
      block(stmt.body);
      return;
    case "function":
      block(stmt.fn.body);
      return;
    case "continue":
    case "break":
    case "comment":
      return;
  }
}

/** Whether statements stand in an expression: in functions in it. */
export function hasStatements(expr: TsExpr): boolean {
  return (expr.kind === "arrow" && isBlock(expr.body)) || partsOf(expr).some(hasStatements);
}

/** Where statements stand within those of a block: in blocks alone, or in functions in expressions, too. */
type Inside = "nothing" | "blocks" | "functions";

/** By block, read once: most passes leave most blocks as they are, and have nothing to do with expressions. */
const inside = new WeakMap<readonly TsStmt[], Inside>();

function insideOf(body: readonly TsStmt[]): Inside {
  let found = inside.get(body) ?? null;
  if (found !== null) return found;
  found = "nothing";
  const visiting: Visiting = {
    expr: (expr) => {
      if (hasStatements(expr)) found = "functions";
    },
    block: () => {
      if (found === "nothing") found = "blocks";
    },
  };
  for (const stmt of body) visitStmt(stmt, visiting);
  inside.set(body, found);
  return found;
}

/** Tells of every statement, of each before those within it. */
export function visitStatements(stmts: readonly TsStmt[], visit: (stmt: TsStmt) => void): void {
  const visiting: Visiting = {
    expr: (expr) => {
      if (hasStatements(expr)) visitParts(expr, visiting);
    },
    block: (body) => {
      const found = insideOf(body);
      for (const stmt of body) {
        visit(stmt);
        if (found === "functions") visitStmt(stmt, visiting);
        else if (found === "blocks") visitStmt(stmt, ofBlocks);
      }
    },
  };
  const ofBlocks: Visiting = { expr: () => undefined, block: visiting.block };
  visiting.block(stmts);
}

/** Tells of every identifier in statements, those that are assigned to among them. */
export function visitNames(stmts: readonly TsStmt[], visit: (name: string) => void): void {
  const visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind === "id") visit(expr.name);
      else visitParts(expr, visiting);
    },
    block: (body) => {
      for (const stmt of body) visitStmt(stmt, visiting);
    },
  };
  visiting.block(stmts);
}

/** Visits every expression of statements, those within others after them. */
export function visitExpressions(stmts: readonly TsStmt[], visit: (expr: TsExpr) => void): void {
  const visiting: Visiting = {
    expr: (expr) => {
      visit(expr);
      visitParts(expr, visiting);
    },
    block: (body) => {
      for (const stmt of body) visitStmt(stmt, visiting);
    },
  };
  visiting.block(stmts);
}

/** The types that a type is directly made of. */
export function typePartsOf(type: TsType): readonly TsType[] {
  // prettier-ignore
  switch (type.kind) {
    case "name": return type.args;
    case "literal": return [];
    case "tuple": return type.items;
    case "array": return [type.element];
    case "object": return type.fields.map((field) => field.type);
    case "slot": return [type.type];
    case "union": return type.members;
    case "function": return [...type.params.map((param) => param.type), type.result];
  }
}
