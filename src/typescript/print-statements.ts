// Statements and functions, laid out as prettier lays them out.

import type { Doc } from "./print-docs.js";
import type { Role } from "./print-place.js";
import type { Printer } from "./print-printer.js";
import type { TsCase, TsExpr, TsFunction, TsStmt, TsTarget, TsType } from "./tree.js";
import { printPattern } from "./print-arrows.js";
import { printAssignment } from "./print-assignments.js";
import { group, hardline, ifBreak, indent, join, line, softline } from "./print-docs.js";
import { printComment } from "./print-literals.js";
import { normalExpr, normalFunction, normalTarget, normalType } from "./print-normal.js";
import { underStatement } from "./print-place.js";
import { groupsParams, parenthesized, printParams, printType, printTypeParams } from "./print-types.js";

export function printStatement(printer: Printer, statement: TsStmt): Doc {
  switch (statement.kind) {
    case "const":
      return [printDeclared(printer, "const", statement.target, statement.type, statement.init), ";"];
    case "let":
      return [printDeclared(printer, "let", statement.name, statement.type, statement.init), ";"];
    case "expr":
      return [printer.statementExpression(statement.expr, underStatement("statement")), ";"];
    case "return":
      return statement.value === null ? "return;" : printReturn(printer, "return", statement.value);
    case "throw":
      return printReturn(printer, "throw", statement.value);
    case "if":
      return printIf(printer, statement);
    case "loop":
      return [statement.label === null ? "" : `${statement.label}: `, "for (;;) ", printer.block(statement.body, true)];
    case "while":
      return group(["while (", printTest(printer, statement.test, "while"), ") ", printer.block(statement.body, true)]);
    case "for":
      return printFor(printer, statement);
    case "switch":
      return printSwitch(printer, statement);
    case "continue":
    case "break":
      return statement.label === null ? `${statement.kind};` : `${statement.kind} ${statement.label};`;
    case "try":
      return [
        "try ",
        printer.block(statement.body, false),
        statement.param === "" ? " catch " : ` catch (${statement.param}) `,
        printer.block(statement.handler, true),
      ];
    case "block":
      return printer.block(statement.body, false);
    case "function":
      return printFunction(printer, statement.fn);
    case "comment":
      return join(hardline, [...printComment(statement.text)]);
  }
}

function printDeclared(
  printer: Printer,
  keyword: "const" | "let",
  target: TsTarget,
  type: TsType | null,
  init: TsExpr | null,
): Doc {
  const names = normalTarget(target);
  const shownType = printer.target === "js" || type === null ? null : normalType(type);
  const value = init === null ? null : normalExpr(init, printer.target);
  const role = value?.kind === "arrow" ? "arrowVariable" : "annotation";
  const left: Doc = [
    typeof names === "string" ? names : printPattern(names),
    shownType === null ? "" : [": ", printType(printer, shownType, role)],
  ];
  if (value === null) return group([keyword, " ", left]);
  const place = underStatement(keyword);
  const declarator = { kind: "declarator", type: shownType } as const;
  return group([keyword, " ", printAssignment(printer, declarator, left, " =", value, place)]);
}

/** An operation that takes several lines stands in parentheses. */
function printReturn(printer: Printer, keyword: "return" | "throw", value: TsExpr): Doc {
  const normal = normalExpr(value, printer.target);
  const doc = printer.expression(normal, underStatement(keyword));
  if (normal.kind !== "binary") return [keyword, " ", doc, ";"];
  return [keyword, " ", group([ifBreak("("), indent([softline, doc]), softline, ifBreak(")")]), ";"];
}

function printTest(printer: Printer, test: TsExpr, role: Role): Doc {
  const normal = normalExpr(test, printer.target);
  const doc = printer.expression(normal, underStatement(role));
  return role !== "switch" && isNegatedLogical(normal) ? doc : group([indent([softline, doc]), softline]);
}

/** `!(a && b)` keeps its parentheses with those of the statement. */
function isNegatedLogical(test: TsExpr): boolean {
  if (test.kind !== "unary" || test.op !== "!") return false;
  const inner = test.arg.kind === "unary" && test.arg.op === "!" ? test.arg.arg : test.arg;
  return inner.kind === "binary" && (inner.op === "&&" || inner.op === "||" || inner.op === "??");
}

type IfStatement = Extract<TsStmt, { kind: "if" }>;

/** A chain of `else if` is walked with a loop. */
function printIf(printer: Printer, statement: IfStatement): Doc {
  const parts: Doc[] = [];
  let current: IfStatement | null = statement;
  while (current !== null) {
    const test = printTest(printer, current.test, "if");
    parts.push(group(["if (", test, ") ", printer.block(current.then, false)]));
    const [only]: readonly TsStmt[] = current.else;
    if (current.else.length === 0) {
      current = null;
    } else if (current.else.length === 1 && only?.kind === "if") {
      parts.push(" else ");
      current = only;
    } else {
      parts.push(" else ", group(printer.block(current.else, false)));
      current = null;
    }
  }
  return parts;
}

function printFor(printer: Printer, statement: Extract<TsStmt, { kind: "for" }>): Doc {
  const head: Doc = [
    printDeclared(printer, "let", statement.name, null, statement.from),
    ";",
    line,
    printer.statementExpression(statement.test, underStatement("for.test")),
    ";",
    line,
    printStep(printer, statement.step),
  ];
  const block = printer.block(statement.body, true);
  return group(["for (", group([indent([softline, head]), softline]), ") ", block]);
}

/** `i += 1` is written `i++`. */
function printStep(printer: Printer, step: TsExpr): Doc {
  if (step.kind === "assign" && step.value.kind === "number" && step.value.value === 1) {
    const target = (): Doc => printer.statementExpression(step.target, underStatement("for.step"));
    if (step.op === "+=") return [target(), "++"];
    if (step.op === "-=") return [target(), "--"];
  }
  return printer.statementExpression(step, underStatement("for.step"));
}

function printSwitch(printer: Printer, statement: Extract<TsStmt, { kind: "switch" }>): Doc {
  const head = group(["switch (", printTest(printer, statement.subject, "switch"), ")"]);
  const cases = statement.cases.map((one) => printCase(printer, one));
  return [head, " {", cases.length === 0 ? "" : indent([hardline, join(hardline, cases)]), hardline, "}"];
}

function printCase(printer: Printer, one: TsCase): Doc {
  const head: Doc =
    one.test === null ? "default:" : ["case ", printer.statementExpression(one.test, underStatement("case")), ":"];
  return [head, " ", printer.block(one.body, false)];
}

/** `function f(x: A): B { .. }`. */
export function printFunction(printer: Printer, fn: TsFunction): Doc {
  return [printSignature(printer, fn), " ", printer.block(fn.body, true)];
}

/** `function f(x: A): B`. */
export function printSignature(printer: Printer, fn: TsFunction): Doc {
  const keyword = fn.isGenerator === true ? "function*" : "function";
  if (printer.target === "js") {
    return [keyword, " ", fn.name, group(parenthesized(fn.params.map((param) => param.name)))];
  }
  const normal = normalFunction(fn);
  const result: Doc = [": ", printType(printer, normal.result, "annotation")];
  const params = printParams(printer, normal.params);
  const signature = group([groupsParams(normal, result) ? group(params) : params, result]);
  return [keyword, " ", fn.name, printTypeParams(fn.typeParams), signature];
}
