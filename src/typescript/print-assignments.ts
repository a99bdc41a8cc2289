// Where the right side of `=` and `:` goes: prettier's assignment layouts.

import type { Doc } from "./print-docs.js";
import type { Place } from "./print-place.js";
import type { Layout, Printer } from "./print-printer.js";
import type { TsExpr, TsType } from "./tree.js";
import { printArrow } from "./print-arrows.js";
import { isMemberChain } from "./print-calls.js";
import { canBreak, group, indent, indentIfBreak, line } from "./print-docs.js";
import { isDeclared, needsParens } from "./print-place.js";
import { inlinesRight, isShortArgument, shortKeyWidth } from "./print-shapes.js";

/** What stands on the left. */
export type Assignment =
  | { readonly kind: "assign"; readonly assign: Extract<TsExpr, { kind: "assign" }> }
  | { readonly kind: "declarator"; readonly type: TsType | null }
  | { readonly kind: "property"; readonly key: string };

/** `left operator right`, where `operator` carries the space before it. */
export function printAssignment(
  printer: Printer,
  assignment: Assignment,
  left: Doc,
  operator: string,
  right: TsExpr,
  place: Place,
): Doc {
  const layout = chooseLayout(assignment, left, right, place);
  return layOutAssignment(layout, left, operator, printRight(printer, right, place, layout));
}

function printRight(printer: Printer, right: TsExpr, place: Place, layout: Layout): Doc {
  if (right.kind !== "arrow" || needsParens(right, place)) return printer.expression(right, place);
  return printArrow(printer, right, place, layout).normal;
}

export function layOutAssignment(layout: Layout, left: Doc, operator: string, right: Doc): Doc {
  switch (layout) {
    case "break-after-operator":
      return group([group(left), operator, group(indent([line, right]))]);
    case "never-break-after-operator":
      return group([group(left), operator, " ", right]);
    case "fluid": {
      const id = Symbol("assignment");
      return group([group(left), operator, group(indent(line), { id }), indentIfBreak(right, { groupId: id })]);
    }
    case "break-left":
      return group([left, operator, " ", group(right)]);
    case "chain":
      return [group(left), operator, line, right];
    case "chain-tail":
      return [group(left), operator, indent([line, right])];
    case "chain-tail-arrow-chain":
      return [group(left), operator, group(right)];
  }
}

function chooseLayout(assignment: Assignment, left: Doc, right: TsExpr, place: Place): Layout {
  if (isInChain(assignment, right, place)) return chainLayout(right);
  if (right.kind === "assign" && right.value.kind === "assign") return "break-after-operator";
  if (right.kind === "call" && right.fn.kind === "id" && right.fn.name === "require") {
    return "never-break-after-operator";
  }
  const leftBreaks = canBreak(left);
  if (assignment.kind === "declarator") {
    if (isComplexType(assignment.type) || (right.kind === "arrow" && leftBreaks)) return "break-left";
  }
  const shortKey = assignment.kind === "property" && assignment.key.length < shortKeyWidth;
  if (breaksAfterOperator(right, shortKey)) return "break-after-operator";
  if (!leftBreaks && (shortKey || right.kind === "boolean" || right.kind === "number")) {
    return "never-break-after-operator";
  }
  return "fluid";
}

/** `a = b = c = d`. */
function isInChain(assignment: Assignment, right: TsExpr, place: Place): boolean {
  if (assignment.kind !== "assign" || place.up === null) return false;
  const { role, up } = place.up;
  const isAssigned = isDeclared(role) || role === "assign.value" || role === "assign.target";
  if (!isAssigned) return false;
  return right.kind === "assign" || (!isDeclared(role) && up?.role !== "statement");
}

function chainLayout(right: TsExpr): Layout {
  if (right.kind === "assign") return "chain";
  const isArrowChain = right.kind === "arrow" && "kind" in right.body && right.body.kind === "arrow";
  return isArrowChain ? "chain-tail-arrow-chain" : "chain-tail";
}

/** `Map<A, List<B>>`: several arguments, one of them with arguments of its own. */
function isComplexType(type: TsType | null): boolean {
  if (type?.kind !== "name" || type.args.length <= 1) return false;
  return type.args.some((arg) => arg.kind === "name" && arg.args.length > 0);
}

function breaksAfterOperator(right: TsExpr, shortKey: boolean): boolean {
  if (right.kind === "binary" && !inlinesRight(right)) return true;
  if (right.kind === "cond") return right.test.kind === "binary" && !inlinesRight(right.test);
  if (shortKey) return false;
  let node: TsExpr = right;
  while (node.kind === "unary" || node.kind === "yield") node = node.kind === "unary" ? node.arg : node.value;
  return node.kind === "string" || isPlainChain(node);
}

/** Names, members and calls with at most one short argument: nothing inside is worth a break. */
function isPlainChain(expr: TsExpr): boolean {
  let node = expr;
  for (let depth = 0; ; depth += 1) {
    switch (node.kind) {
      case "call": {
        if (isMemberChain(node, false)) return false;
        const [only] = node.args;
        if (node.args.length > 1 || (only !== undefined && !isShortArgument(only))) return false;
        node = node.fn;
        break;
      }
      case "member":
      case "index":
        node = node.object;
        break;
      default:
        return depth > 0 && node.kind === "id";
    }
  }
}
