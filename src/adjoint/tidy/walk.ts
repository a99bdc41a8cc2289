// Through the parts of statements and expressions, in the order in which they are evaluated.

import { isBlock } from "../../typescript/traverse.js";
import type { TsExpr, TsStmt } from "../../typescript/tree.js";

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
      return { kind: "binary", op: expr.op, left: map(expr.left), right: map(expr.right) };
    case "unary":
      return { kind: "unary", op: expr.op, arg: map(expr.arg) };
    case "cond":
      return { kind: "cond", test: map(expr.test), then: map(expr.then), else: map(expr.else) };
    case "call":
    case "new":
      return { kind: expr.kind, fn: map(expr.fn), args: expr.args.map(map) };
    case "member":
      return { kind: "member", object: map(expr.object), name: expr.name };
    case "index":
      return { kind: "index", object: map(expr.object), index: map(expr.index), certain: expr.certain };
    case "arrow":
      return { ...expr, body: isBlock(expr.body) ? block(expr.body) : map(expr.body) };
    case "object":
      return { kind: "object", fields: expr.fields.map(({ name, value }) => ({ name, value: map(value) })) };
    case "array":
      return { kind: "array", items: expr.items.map(map) };
    case "as":
      return { kind: "as", expr: map(expr.expr), type: expr.type };
    case "yield":
      return { kind: "yield", value: map(expr.value) };
    case "assign": {
      const target = expr.target.kind === "id" ? map(expr.target) : mapParts(expr.target, rewriting);
      return { kind: "assign", op: expr.op, target, value: map(expr.value) };
    }
  }
}

/** A statement with rewritten parts. */
export function mapStmt(stmt: TsStmt, rewriting: Rewriting): TsStmt {
  const { expr: map, block } = rewriting;
  switch (stmt.kind) {
    case "const":
      return { kind: "const", target: stmt.target, type: stmt.type, init: map(stmt.init) };
    case "let":
      return { kind: "let", name: stmt.name, type: stmt.type, init: stmt.init === null ? null : map(stmt.init) };
    case "expr":
      return { kind: "expr", expr: map(stmt.expr) };
    case "return":
      return { kind: "return", value: stmt.value === null ? null : map(stmt.value) };
    case "if":
      return { kind: "if", test: map(stmt.test), then: block(stmt.then), else: block(stmt.else) };
    case "loop":
      return { kind: "loop", label: stmt.label, body: block(stmt.body) };
    case "while":
      return { kind: "while", test: map(stmt.test), body: block(stmt.body) };
    case "for":
      return { kind: "for", name: stmt.name, from: map(stmt.from), test: map(stmt.test), step: map(stmt.step), body: block(stmt.body) }; // prettier-ignore
    case "switch": {
      const cases = stmt.cases.map(({ test, body }) => ({ test: test === null ? null : map(test), body: block(body) }));
      return { kind: "switch", subject: map(stmt.subject), cases };
    }
    case "throw":
      return { kind: "throw", value: map(stmt.value) };
    case "try":
      return { kind: "try", body: block(stmt.body), param: stmt.param, handler: block(stmt.handler) };
    case "block":
      return { kind: "block", body: block(stmt.body) };
    case "function":
      return { kind: "function", fn: { ...stmt.fn, body: block(stmt.fn.body) } };
    case "continue":
    case "break":
    case "comment":
      return stmt;
  }
}

/** What is told of the parts of a statement or an expression. */
export interface Visiting {
  readonly expr: (expr: TsExpr) => void;
  readonly block: (body: readonly TsStmt[]) => void;
}

export function visitParts(expr: TsExpr, { expr: visit, block }: Visiting): void {
  switch (expr.kind) {
    case "id":
    case "number":
    case "string":
    case "boolean":
    case "null":
    case "undefined":
      return;
    case "binary":
      visit(expr.left);
      visit(expr.right);
      return;
    case "unary":
      visit(expr.arg);
      return;
    case "cond":
      visit(expr.test);
      visit(expr.then);
      visit(expr.else);
      return;
    case "call":
    case "new":
      visit(expr.fn);
      expr.args.forEach(visit);
      return;
    case "member":
      visit(expr.object);
      return;
    case "index":
      visit(expr.object);
      visit(expr.index);
      return;
    case "arrow":
      if (isBlock(expr.body)) block(expr.body);
      else visit(expr.body);
      return;
    case "object":
      for (const { value } of expr.fields) visit(value);
      return;
    case "array":
      expr.items.forEach(visit);
      return;
    case "as":
      visit(expr.expr);
      return;
    case "yield":
      visit(expr.value);
      return;
    case "assign":
      visit(expr.target);
      visit(expr.value);
      return;
  }
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
