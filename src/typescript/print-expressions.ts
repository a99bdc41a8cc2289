// Expressions, laid out as prettier lays them out.

import type { Doc } from "./print-docs.js";
import type { Place } from "./print-place.js";
import type { Printer } from "./print-printer.js";
import type { Binary } from "./print-shapes.js";
import type { TsExpr, TsProperty } from "./tree.js";
import { printAssignment } from "./print-assignments.js";
import { printArrow } from "./print-arrows.js";
import { isMemberChain, printCall, printLookup, printNew } from "./print-calls.js";
import { align, fill, group, ifBreak, indent, join, line, softline, trailingComma } from "./print-docs.js";
import { printKey } from "./print-literals.js";
import { flattens, isDeclared, isLogical, needsParens, under } from "./print-place.js";
import { inlinesEveryRight, inlinesRight, isNumberArray, isShorthand, literalText } from "./print-shapes.js";
import { printType } from "./print-types.js";

export function printExpression(printer: Printer, expr: TsExpr, place: Place): Doc {
  if (expr.kind === "binary") return printBinary(printer, expr, place);
  return withParens(printWithoutParens(printer, expr, place), expr, place);
}

function withParens(doc: Doc, expr: TsExpr, place: Place): Doc {
  return needsParens(expr, place) ? ["(", doc, ")"] : doc;
}

function printWithoutParens(printer: Printer, expr: TsExpr, place: Place): Doc {
  switch (expr.kind) {
    case "unary":
      return [expr.op, printer.expression(expr.arg, under("unary", expr, place))];
    case "binary":
      return printBinary(printer, expr, place);
    case "cond":
      return printConditional(printer, expr, place);
    case "call":
      return printCall(printer, expr, place);
    case "new":
      return printNew(printer, expr, place);
    case "member":
    case "index":
      return printMember(printer, expr, place);
    case "arrow":
      return printArrow(printer, expr, place, null).normal;
    case "object":
      return printObject(printer, expr, place);
    case "array":
      return printArray(printer, expr, place);
    case "as":
      return printAs(printer, expr, place);
    case "yield":
      return [
        expr.delegates === true ? "yield* " : "yield ",
        printer.expression(expr.value, under("yield", expr, place)),
      ];
    case "assign":
      return printAssignment(
        printer,
        { kind: "assign", assign: expr },
        printer.expression(expr.target, under("assign.target", expr, place)),
        ` ${expr.op}`,
        expr.value,
        under("assign.value", expr, place),
      );
    default:
      return literalText(expr) ?? "";
  }
}

/** Operands that are laid out as one list: `a + b - c`, from the outermost operation inwards. */
interface Operands {
  readonly nodes: readonly Binary[];
  readonly places: readonly Place[];
}

function operandsOf(expr: Binary, place: Place): Operands {
  const nodes = [expr];
  const places = [place];
  let node = expr;
  let at = place;
  while (node.left.kind === "binary" && flattens(node.op, node.left.op)) {
    at = under("binary.left", node, at);
    node = node.left;
    nodes.push(node);
    places.push(at);
  }
  return { nodes, places };
}

/** Walks down the left operands with a loop: chains may be longer than the stack is deep. */
function printBinary(printer: Printer, expr: Binary, place: Place): Doc {
  const lists: Operands[] = [];
  let left: TsExpr = expr;
  let leftPlace = place;
  while (left.kind === "binary") {
    const operands = operandsOf(left, leftPlace);
    lists.push(operands);
    const innermost: Binary = operands.nodes.at(-1) ?? left;
    leftPlace = under("binary.left", innermost, operands.places.at(-1) ?? leftPlace);
    left = innermost.left;
  }
  let doc = printer.expression(left, leftPlace);
  for (const { nodes, places } of lists.reverse()) {
    const [outermost = expr] = nodes;
    const [outerPlace = place] = places;
    const parts = printOperands(printer, nodes, places, doc);
    doc = withParens(layOutOperands(outermost, outerPlace, parts), outermost, outerPlace);
  }
  return doc;
}

/** The first operand, then each operator with its operand. */
function printOperands(printer: Printer, nodes: readonly Binary[], places: readonly Place[], first: Doc): Doc[] {
  const parts: Doc[] = [group(first)];
  for (const [index, node] of [...nodes.entries()].reverse()) {
    const place = places[index];
    if (place === undefined) continue;
    const right = printer.expression(node.right, under("binary.right", node, place));
    const part: Doc = [node.op, inlinesRight(node) ? " " : line, right];
    parts.push(" ", groupsOperand(node, place) ? group(part) : part);
  }
  return parts;
}

function groupsOperand(node: Binary, place: Place): boolean {
  const type = binaryType(node);
  if (isTest(place) && type === "logical") return false;
  return ![place.parent, node.left, node.right].some((near) => near !== null && binaryType(near) === type);
}

function binaryType(expr: TsExpr): "logical" | "arithmetic" | null {
  if (expr.kind !== "binary") return null;
  return isLogical(expr.op) ? "logical" : "arithmetic";
}

function isTest({ role }: Place): boolean {
  return role === "if" || role === "while" || role === "switch";
}

function layOutOperands(expr: Binary, place: Place, parts: Doc[]): Doc {
  const { role } = place;
  if (isTest(place)) return parts;
  if (role === "call.fn" || role === "new.fn" || role === "unary" || role === "member") {
    return group([indent([softline, ...parts]), softline]);
  }
  const assigned = place.parent?.kind === "assign" || isDeclared(role) || role === "property";
  if (isIndentedAround(place) || inlinesEveryRight(expr) || (!inlinesRight(expr) && assigned)) return group(parts);
  const [first = "", ...rest] = parts;
  return group([first, indent(rest)]);
}

/** What stands around the operation indents its lines already. */
function isIndentedAround(place: Place): boolean {
  switch (place.role) {
    case "return":
    case "throw":
    case "arrow.body":
    case "for.test":
    case "for.step":
      return true;
    case "cond.test":
    case "cond.then":
    case "cond.else": {
      const around = place.up?.role ?? "statement";
      return !(around === "return" || around === "throw" || around.startsWith("call.") || around.startsWith("new."));
    }
    case "call.arg":
      return place.parent?.kind === "call" && place.parent.args.length === 1 && isNamed(place.parent.fn, "Boolean");
    default:
      return false;
  }
}

function isNamed(expr: TsExpr, name: string): boolean {
  return expr.kind === "id" && expr.name === name;
}

function printConditional(printer: Printer, expr: Extract<TsExpr, { kind: "cond" }>, place: Place): Doc {
  const test = printer.expression(expr.test, under("cond.test", expr, place));
  const then = align(2, printer.expression(expr.then, under("cond.then", expr, place)));
  const otherwise = align(2, printer.expression(expr.else, under("cond.else", expr, place)));
  const nested = expr.then.kind === "cond";
  const branches: Doc = [
    line,
    "? ",
    nested ? ifBreak("", "(") : "",
    then,
    nested ? ifBreak("", ")") : "",
    line,
    ": ",
    otherwise,
  ];
  const { role } = place;
  const isBranch = role === "cond.then" || role === "cond.else";
  const extraIndent = startsAssignedChain(place);
  const parts: Doc = [
    role === "cond.else" ? align(2, test) : test,
    isBranch ? (role === "cond.else" ? branches : align(0, branches)) : indent(branches),
    role === "member" && !extraIndent ? softline : "",
  ];
  const doc = isBranch ? parts : group(parts);
  return role === "cond.test" || extraIndent ? group([indent([softline, doc]), softline]) : doc;
}

/** `x = (a ? b : c).d()`, and the same for what is returned, thrown or negated. */
function startsAssignedChain(place: Place): boolean {
  let at: Place = place;
  while (at.role === "call.fn" || at.role === "member" || at.role === "index.object") {
    if (at.up === null) return false;
    at = at.up;
  }
  if ((at.role === "new.fn" || at.role === "as") && at.up !== null) at = at.up;
  if (at === place) return false;
  return ["assign.value", "const", "let", "return", "throw", "unary"].includes(at.role);
}

function printMember(printer: Printer, expr: Extract<TsExpr, { kind: "member" | "index" }>, place: Place): Doc {
  const role = expr.kind === "member" ? "member" : "index.object";
  const object = printer.expression(expr.object, under(role, expr, place));
  const lookup = printLookup(printer, expr, place);
  return [object, keepsLookup(expr, place) ? lookup : group(indent([softline, lookup]))];
}

function keepsLookup(expr: Extract<TsExpr, { kind: "member" | "index" }>, place: Place): boolean {
  if (expr.kind === "index") return true;
  const { parent, role } = place;
  if (expr.object.kind === "id" && parent?.kind !== "member" && parent?.kind !== "index") return true;
  let at: Place | null = place;
  while (at?.parent?.kind === "member" || at?.parent?.kind === "index") at = at.up;
  if (at?.parent?.kind === "assign" && at.parent.target.kind !== "id") return true;
  if (isConstructor(place)) return true;
  if (parent?.kind !== "assign" && !isDeclared(role)) return false;
  return (expr.object.kind === "call" && expr.object.args.length > 0) || endsInMemberChain(expr.object);
}

function endsInMemberChain(expr: TsExpr): boolean {
  let node = expr;
  while (node.kind === "member" || node.kind === "index") node = node.object;
  return isMemberChain(node, false);
}

function isConstructor(place: Place): boolean {
  let at: Place | null = place;
  while (at?.role === "member" || at?.role === "index.object") at = at.up;
  return at?.role === "new.fn";
}

function printObject(printer: Printer, expr: Extract<TsExpr, { kind: "object" }>, place: Place): Doc {
  const { mark, broken } = printer.objects.enter();
  if (expr.fields.length === 0) return "{}";
  const docs = expr.fields.map((field) => printProperty(printer, field, under("property", expr, place)));
  const inner: Doc = ["{", ifBreak(mark), indent([line, join([",", line], docs)]), trailingComma, line, "}"];
  return group(inner, { shouldBreak: broken });
}

function printProperty(printer: Printer, field: TsProperty, place: Place): Doc {
  if (isShorthand(field)) return field.name;
  const key = printKey(field.name, printer.target);
  return printAssignment(printer, { kind: "property", key }, key, ":", field.value, place);
}

function printArray(printer: Printer, expr: Extract<TsExpr, { kind: "array" }>, place: Place): Doc {
  const { items } = expr;
  if (items.length === 0) return "[]";
  const docs = items.map((item) => printer.expression(item, under("item", expr, place)));
  if (isNumberArray(expr)) return printNumberArray(docs);
  const inner = join(
    [",", line],
    docs.map((doc) => group(doc)),
  );
  return group(["[", indent([softline, inner, trailingComma]), softline, "]"], { shouldBreak: isMatrix(items) });
}

function printNumberArray(docs: readonly Doc[]): Doc {
  const id = Symbol("array");
  const parts: Doc[] = [];
  for (const [index, doc] of docs.entries()) {
    const isLast = index === docs.length - 1;
    parts.push([doc, isLast ? ifBreak(",", "", { groupId: id }) : ","]);
    if (!isLast) parts.push(line);
  }
  return group(["[", indent([softline, fill(parts)]), softline, "]"], { id });
}

/** Several arrays, or several objects, each of more than one: always one on a line. */
function isMatrix(items: readonly TsExpr[]): boolean {
  if (items.length <= 1) return false;
  const [first] = items;
  return items.every((item) => {
    if (item.kind !== first?.kind) return false;
    return (item.kind === "array" && item.items.length > 1) || (item.kind === "object" && item.fields.length > 1);
  });
}

function printAs(printer: Printer, expr: Extract<TsExpr, { kind: "as" }>, place: Place): Doc {
  const inner = printer.expression(expr.expr, under("as", expr, place));
  const parts: Doc[] = [inner, " as ", printType(printer, expr.type, "annotation")];
  const { role } = place;
  if (role === "call.fn" || role === "new.fn" || role === "member" || role === "index.object") {
    return group([indent([softline, ...parts]), softline]);
  }
  return parts;
}
