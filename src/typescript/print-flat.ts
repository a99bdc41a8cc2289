// What fits on one line is written as text at once: prettier would lay it out flat. Most statements do.

import type { Target } from "./print-normal.js";
import type { Place, Role } from "./print-place.js";
import type { TsExpr, TsStmt, TsTarget, TsType } from "./tree.js";
import { printKey } from "./print-literals.js";
import { normalExpr, normalTarget } from "./print-normal.js";
import { needsParens, under, underStatement } from "./print-place.js";
import { isShorthand, literalText } from "./print-shapes.js";

/** No line holds expressions that are nested deeper. */
const deepest = 40;

/** The text of a statement on one line; null where it may take several, whatever its width. */
export function flatStatement(statement: TsStmt, target: Target): string | null {
  switch (statement.kind) {
    case "const":
      return flatDeclaration("const", statement.target, statement.type, statement.init, target);
    case "let":
      return flatDeclaration("let", statement.name, statement.type, statement.init, target);
    case "expr":
      return ended(flatNormal(statement.expr, "statement", target));
    case "return":
      return statement.value === null ? "return;" : ended(flatNormal(statement.value, "return", target), "return ");
    case "throw":
      return ended(flatNormal(statement.value, "throw", target), "throw ");
    case "continue":
    case "break":
      return statement.label === null ? `${statement.kind};` : `${statement.kind} ${statement.label};`;
    default:
      return null;
  }
}

/** A line that opens a block, and what stands in the block. */
export interface Opened {
  /** The statement, or the one that stands in the place of its `else`. */
  readonly stmt: TsStmt;
  readonly head: string;
  readonly body: readonly TsStmt[];
}

/** A statement as blocks, the last of which a brace on a line of its own closes; null where it has none, or where a head may take several lines. */
export function flatBlocks(statement: TsStmt, target: Target): readonly Opened[] | null {
  switch (statement.kind) {
    case "if":
      return flatBranches(statement, target);
    case "while":
      return opened(statement, flatTest("while", statement.test, target), statement.body);
    case "for":
      return opened(statement, flatFor(statement, target), statement.body);
    case "loop":
      return opened(statement, `${statement.label === null ? "" : `${statement.label}: `}for (;;) {`, statement.body);
    case "block":
      return [{ stmt: statement, head: "{", body: statement.body }];
    default:
      return null;
  }
}

/** Loops without a body stand on one line. */
function opened(stmt: TsStmt, head: string | null, body: readonly TsStmt[]): readonly Opened[] | null {
  return head === null || body.length === 0 ? null : [{ stmt, head, body }];
}

function flatTest(keyword: "if" | "while", test: TsExpr, target: Target): string | null {
  const text = flatNormal(test, keyword, target);
  return text === null ? null : `${keyword} (${text}) {`;
}

/** A chain of `else if` is walked with a loop. */
function flatBranches(statement: TsStmt & { readonly kind: "if" }, target: Target): readonly Opened[] | null {
  const branches: Opened[] = [];
  for (let current = statement; ;) {
    const test = flatTest("if", current.test, target);
    if (test === null) return null;
    branches.push({ stmt: current, head: branches.length === 0 ? test : `} else ${test}`, body: current.then });
    const [only] = current.else;
    if (current.else.length === 1 && only?.kind === "if") current = only;
    else {
      if (only !== undefined) branches.push({ stmt: current, head: "} else {", body: current.else });
      return branches;
    }
  }
}

function flatFor(statement: TsStmt & { readonly kind: "for" }, target: Target): string | null {
  const from = flatDeclaration("let", statement.name, null, statement.from, target);
  const test = flatNormal(statement.test, "for.test", target);
  const step = flatStep(statement.step, target);
  return from === null || test === null || step === null ? null : `for (${from} ${test}; ${step}) {`;
}

/** `i += 1` is written `i++`. */
function flatStep(step: TsExpr, target: Target): string | null {
  const isByOne = step.kind === "assign" && step.value.kind === "number" && step.value.value === 1;
  if (!isByOne || (step.op !== "+=" && step.op !== "-=")) return flatNormal(step, "for.step", target);
  const variable = flatNormal(step.target, "for.step", target);
  return variable === null ? null : `${variable}${step.op === "+=" ? "++" : "--"}`;
}

function ended(text: string | null, start = ""): string | null {
  return text === null ? null : `${start}${text};`;
}

function flatNormal(expr: TsExpr, role: Role, target: Target): string | null {
  return flatExpression(normalExpr(expr, target), underStatement(role), target, 0);
}

function flatDeclaration(
  keyword: "const" | "let",
  names: TsTarget,
  type: TsType | null,
  init: TsExpr | null,
  target: Target,
): string | null {
  const bound = normalTarget(names);
  const left = typeof bound === "string" ? bound : `[${bound.map((name) => name ?? "").join(", ")}]`;
  const shown = target === "js" || type === null ? "" : flatType(type, ": ");
  if (shown === null) return null;
  if (init === null) return `${keyword} ${left}${shown};`;
  return ended(flatNormal(init, keyword, target), `${keyword} ${left}${shown} = `);
}

/** A type that is made of names, behind some text. */
function flatType(type: TsType, start: string): string | null {
  if (type.kind === "array") return type.element.kind === "name" ? flatType(type.element, `${start}readonly `)?.concat("[]") ?? null : null; // prettier-ignore
  if (type.kind !== "name") return null;
  const args: string[] = [];
  for (const arg of type.args) {
    const text = flatType(arg, "");
    if (text === null) return null;
    args.push(text);
  }
  return start + type.name + (args.length === 0 ? "" : `<${args.join(", ")}>`);
}

/** The text of an expression in normal form; null where it holds what may take several lines, whatever its width. */
function flatExpression(expr: TsExpr, place: Place, target: Target, depth: number): string | null {
  const text = depth > deepest ? null : flatWithoutParens(expr, place, target, depth + 1);
  return text !== null && needsParens(expr, place) ? `(${text})` : text;
}

function flatWithoutParens(expr: TsExpr, place: Place, target: Target, depth: number): string | null {
  const part = (role: Role, inner: TsExpr): string | null =>
    flatExpression(inner, under(role, expr, place), target, depth);
  switch (expr.kind) {
    case "unary": {
      const arg = part("unary", expr.arg);
      return arg === null ? null : expr.op + arg;
    }
    case "binary": {
      const left = part("binary.left", expr.left);
      const right = left === null ? null : part("binary.right", expr.right);
      return left === null || right === null ? null : `${left} ${expr.op} ${right}`;
    }
    case "cond": {
      const test = part("cond.test", expr.test);
      const then = test === null ? null : part("cond.then", expr.then);
      const otherwise = then === null ? null : part("cond.else", expr.else);
      if (test === null || then === null || otherwise === null) return null;
      return `${test} ? ${expr.then.kind === "cond" ? `(${then})` : then} : ${otherwise}`;
    }
    case "member": {
      const object = part("member", expr.object);
      return object === null ? null : `${object}.${expr.name}`;
    }
    case "index": {
      const object = part("index.object", expr.object);
      const index = object === null ? null : part("index.index", expr.index);
      return object === null || index === null ? null : `${object}[${index}]${expr.certain ? "!" : ""}`;
    }
    case "call": {
      const fn = holdsCall(expr.fn) ? null : part("call.fn", expr.fn);
      const args = fn === null ? null : flatList(expr.args, "call.arg", part);
      return fn === null || args === null ? null : `${fn}(${args})`;
    }
    case "new": {
      const fn = part("new.fn", expr.fn);
      const args = fn === null ? null : flatList(expr.args, "new.arg", part);
      return fn === null || args === null ? null : `new ${fn}(${args})`;
    }
    case "array": {
      // Several arrays or objects stand on lines of their own
      const isMatrix = expr.items.some(({ kind }) => kind === "array" || kind === "object");
      const items = isMatrix ? null : flatList(expr.items, "item", part);
      return items === null ? null : `[${items}]`;
    }
    case "object":
      return flatObject(expr, part, target);
    case "assign": {
      if (expr.value.kind === "assign") return null;
      const assigned = part("assign.target", expr.target);
      const value = assigned === null ? null : part("assign.value", expr.value);
      return assigned === null || value === null ? null : `${assigned} ${expr.op} ${value}`;
    }
    case "as": {
      const inner = part("as", expr.expr);
      return inner === null ? null : flatType(expr.type, `${inner} as `);
    }
    case "yield": {
      const value = part("yield", expr.value);
      return value === null ? null : `yield${expr.delegates === true ? "*" : ""} ${value}`;
    }
    case "arrow":
      return null;
    default:
      return literalText(expr);
  }
}

/** Whether what is called is part of a chain of calls, which has a layout of its own. */
function holdsCall(fn: TsExpr): boolean {
  let node = fn;
  while (node.kind === "member" || node.kind === "index") node = node.object;
  return node.kind === "call";
}

type Part = (role: Role, inner: TsExpr) => string | null;

function flatList(exprs: readonly TsExpr[], role: Role, part: Part): string | null {
  const texts: string[] = [];
  for (const expr of exprs) {
    const text = part(role, expr);
    if (text === null) return null;
    texts.push(text);
  }
  return texts.join(", ");
}

function flatObject(expr: TsExpr & { readonly kind: "object" }, part: Part, target: Target): string | null {
  const texts: string[] = [];
  for (const field of expr.fields) {
    const value = isShorthand(field) ? "" : part("property", field.value);
    if (value === null) return null;
    texts.push(isShorthand(field) ? field.name : `${printKey(field.name, target)}: ${value}`);
  }
  return texts.length === 0 ? "{}" : `{ ${texts.join(", ")} }`;
}
