// Through the parts of the TypeScript tree, in the order in which they are evaluated. What does not change stays the same object, so that a pass can tell
// whether it has done anything.

import { inPlaceOf } from "../location.js";
import { mapSame, sameItems } from "../same.js";
import { isBlock } from "./facts.js";
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
    case "binary": {
      const left = map(expr.left);
      const right = map(expr.right);
      return left === expr.left && right === expr.right ? expr : inPlaceOf<TsExpr>({ ...expr, left, right }, expr);
    }
    case "unary": {
      const arg = map(expr.arg);
      return arg === expr.arg ? expr : inPlaceOf<TsExpr>({ kind: "unary", op: expr.op, arg }, expr);
    }
    case "cond": {
      const test = map(expr.test);
      const then = map(expr.then);
      const otherwise = map(expr.else);
      const isSame = test === expr.test && then === expr.then && otherwise === expr.else;
      return isSame ? expr : inPlaceOf<TsExpr>({ kind: "cond", test, then, else: otherwise }, expr);
    }
    case "call":
    case "new": {
      const fn = map(expr.fn);
      const args = mapSame(expr.args, map);
      return fn === expr.fn && args === expr.args ? expr : inPlaceOf<TsExpr>({ kind: expr.kind, fn, args }, expr);
    }
    case "member": {
      const object = map(expr.object);
      return object === expr.object ? expr : inPlaceOf<TsExpr>({ kind: "member", object, name: expr.name }, expr);
    }
    case "index": {
      const object = map(expr.object);
      const index = map(expr.index);
      const isSame = object === expr.object && index === expr.index;
      return isSame ? expr : inPlaceOf<TsExpr>({ kind: "index", object, index, certain: expr.certain }, expr);
    }
    case "arrow": {
      const body = isBlock(expr.body) ? block(expr.body) : map(expr.body);
      return body === expr.body ? expr : { ...expr, body };
    }
    case "object": {
      const fields = mapSame(expr.fields, (field) => {
        const value = map(field.value);
        return value === field.value ? field : { name: field.name, value };
      });
      return fields === expr.fields ? expr : inPlaceOf<TsExpr>({ kind: "object", fields }, expr);
    }
    case "array": {
      const items = mapSame(expr.items, map);
      return items === expr.items ? expr : inPlaceOf<TsExpr>({ kind: "array", items }, expr);
    }
    case "as": {
      const inner = map(expr.expr);
      return inner === expr.expr ? expr : inPlaceOf<TsExpr>({ kind: "as", expr: inner, type: expr.type }, expr);
    }
    case "yield": {
      const value = map(expr.value);
      return value === expr.value ? expr : { ...expr, value };
    }
    case "assign": {
      const target = expr.target.kind === "id" ? map(expr.target) : mapParts(expr.target, rewriting);
      const value = map(expr.value);
      return target === expr.target && value === expr.value
        ? expr
        : inPlaceOf<TsExpr>({ kind: "assign", op: expr.op, target, value }, expr);
    }
  }
}

/** A statement with rewritten parts. */
export function mapStmt(stmt: TsStmt, rewriting: Rewriting): TsStmt {
  const { expr: map, block } = rewriting;
  switch (stmt.kind) {
    case "const": {
      const init = map(stmt.init);
      return init === stmt.init
        ? stmt
        : inPlaceOf<TsStmt>({ kind: "const", target: stmt.target, type: stmt.type, init }, stmt);
    }
    case "let": {
      const init = stmt.init === null ? null : map(stmt.init);
      return init === stmt.init
        ? stmt
        : inPlaceOf<TsStmt>({ kind: "let", name: stmt.name, type: stmt.type, init }, stmt);
    }
    case "expr": {
      const expr = map(stmt.expr);
      return expr === stmt.expr ? stmt : inPlaceOf<TsStmt>({ kind: "expr", expr }, stmt);
    }
    case "return": {
      const value = stmt.value === null ? null : map(stmt.value);
      return value === stmt.value ? stmt : inPlaceOf<TsStmt>({ kind: "return", value }, stmt);
    }
    case "if": {
      const test = map(stmt.test);
      const then = block(stmt.then);
      const otherwise = block(stmt.else);
      const isSame = test === stmt.test && then === stmt.then && otherwise === stmt.else;
      return isSame ? stmt : inPlaceOf<TsStmt>({ kind: "if", test, then, else: otherwise }, stmt);
    }
    case "loop": {
      const body = block(stmt.body);
      return body === stmt.body ? stmt : inPlaceOf<TsStmt>({ kind: "loop", label: stmt.label, body }, stmt);
    }
    case "while": {
      const test = map(stmt.test);
      const body = block(stmt.body);
      return test === stmt.test && body === stmt.body ? stmt : inPlaceOf<TsStmt>({ kind: "while", test, body }, stmt);
    }
    case "for": {
      const from = map(stmt.from);
      const test = map(stmt.test);
      const step = map(stmt.step);
      const body = block(stmt.body);
      const isSame = from === stmt.from && test === stmt.test && step === stmt.step && body === stmt.body;
      return isSame ? stmt : inPlaceOf<TsStmt>({ kind: "for", name: stmt.name, from, test, step, body }, stmt);
    }
    case "switch": {
      const cases = mapSame(stmt.cases, (one) => {
        const test = one.test === null ? null : map(one.test);
        const body = block(one.body);
        return test === one.test && body === one.body ? one : { test, body };
      });
      const subject = map(stmt.subject);
      return subject === stmt.subject && cases === stmt.cases
        ? stmt
        : inPlaceOf<TsStmt>({ kind: "switch", subject, cases }, stmt);
    }
    case "throw": {
      const value = map(stmt.value);
      return value === stmt.value ? stmt : inPlaceOf<TsStmt>({ kind: "throw", value }, stmt);
    }
    case "try": {
      const body = block(stmt.body);
      const handler = block(stmt.handler);
      const isSame = body === stmt.body && handler === stmt.handler;
      return isSame ? stmt : inPlaceOf<TsStmt>({ kind: "try", body, param: stmt.param, handler }, stmt);
    }
    case "block": {
      const body = block(stmt.body);
      return body === stmt.body ? stmt : inPlaceOf<TsStmt>({ kind: "block", body }, stmt);
    }
    case "function": {
      const body = block(stmt.fn.body);
      return body === stmt.fn.body ? stmt : inPlaceOf<TsStmt>({ kind: "function", fn: { ...stmt.fn, body } }, stmt);
    }
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
        return mapSame(body, (stmt) => (hasBlocks(stmt) ? mapStmt(stmt, ofBlocks) : stmt));
      case "functions":
        return mapSame(body, (stmt) => mapStmt(stmt, rewriting));
    }
  };
  return withBody(fn, rewriting.block(fn.body));
}

export function withBody(fn: TsFunction, body: readonly TsStmt[]): TsFunction {
  return body === fn.body ? fn : { ...fn, body };
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

/** Whether statements stand in an expression: in functions in it. */
export function hasStatements(expr: TsExpr): boolean {
  switch (expr.kind) {
    case "id":
    case "number":
    case "string":
    case "boolean":
    case "null":
    case "undefined":
      return false;
    case "binary":
      return hasStatements(expr.left) || hasStatements(expr.right);
    case "unary":
      return hasStatements(expr.arg);
    case "cond":
      return hasStatements(expr.test) || hasStatements(expr.then) || hasStatements(expr.else);
    case "call":
    case "new":
      return hasStatements(expr.fn) || expr.args.some(hasStatements);
    case "member":
      return hasStatements(expr.object);
    case "index":
      return hasStatements(expr.object) || hasStatements(expr.index);
    case "arrow":
      return isBlock(expr.body) || hasStatements(expr.body);
    case "object":
      return expr.fields.some(({ value }) => hasStatements(value));
    case "array":
      return expr.items.some(hasStatements);
    case "as":
      return hasStatements(expr.expr);
    case "yield":
      return hasStatements(expr.value);
    case "assign":
      return hasStatements(expr.target) || hasStatements(expr.value);
  }
}

/** Where statements stand within those of a block: in blocks alone, or in functions in expressions, too. */
type Inside = "nothing" | "blocks" | "functions";

/** By block, read once: most passes leave most blocks as they are, and have nothing to do with expressions. */
const inside = new WeakMap<readonly TsStmt[], Inside>();

function insideOf(body: readonly TsStmt[]): Inside {
  const known = inside.get(body);
  if (known !== undefined) return known;
  const found = body.some(hasFunctions) ? "functions" : body.some(hasBlocks) ? "blocks" : "nothing";
  inside.set(body, found);
  return found;
}

/** Whether statements stand in an expression of a statement. */
function hasFunctions(stmt: TsStmt): boolean {
  let found = false;
  visitStmt(stmt, {
    expr: (expr) => {
      found ||= hasStatements(expr);
    },
    block: () => undefined,
  });
  return found;
}

function hasBlocks({ kind }: TsStmt): boolean {
  switch (kind) {
    case "if":
    case "loop":
    case "while":
    case "for":
    case "switch":
    case "try":
    case "block":
    case "function":
      return true;
    case "const":
    case "let":
    case "expr":
    case "return":
    case "throw":
    case "continue":
    case "break":
    case "comment":
      return false;
  }
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
        else if (found === "blocks" && hasBlocks(stmt)) visitStmt(stmt, ofBlocks);
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
