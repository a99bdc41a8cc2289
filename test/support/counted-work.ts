// What emitted JavaScript does when it runs: its text with counters in it. Every operation counts the same, whatever its time; what is compared is one program with
// another, not with a clock.

import ts from "typescript";
import { exportOf, loadModule } from "../../src/driver/evaluate.js";
import { rewritten } from "./rewritten.js";

export interface Counted {
  /** Operations on numbers, tests, calls of Math, and elements read and written. */
  readonly work: number;
  /** Objects, closures and arrays made: what they hold, and two words for each itself. */
  readonly allocated: number;
}

/** What one call of an export of a JavaScript module gives and does, after a first one, which may have made what the module keeps. */
export function countedCall(
  code: string,
  name: string,
  args: readonly unknown[],
): Counted & { readonly result: unknown } {
  const module = loadModule(withCounters(code));
  const [run, counts] = [exportOf(module, name), exportOf(module, "countsTaken")];
  run(...args);
  counts();
  const result = run(...args);
  const taken = counts();
  if (!Array.isArray(taken)) throw new Error("no counts");
  const [work, allocated] = taken.map(Number);
  return { work: work ?? NaN, allocated: allocated ?? NaN, result };
}

const counters = `
var workDone = 0, wordsMade = 0;
export function countsTaken() { const taken = [workDone, wordsMade]; workDone = wordsMade = 0; return taken; }
function counting(made) { wordsMade += 2 + (made.length ?? (made.byteLength ?? 0) / 8); return made; }
function countingAll(made) { workDone += made.length ?? 0; return made; }
function countingLike(made) { workDone += made.length; return counting(made); }
`;

/** The text of a module with its counters. Work on whole arrays counts once an element. */
function withCounters(code: string): string {
  return rewritten(code, visited) + counters;
}

const { factory } = ts;

/** The expression after an amount is added to a counter. */
function after(counter: "workDone" | "wordsMade", amount: number, expr: ts.Expression): ts.Expression {
  const added = factory.createBinaryExpression(factory.createIdentifier(counter), ts.SyntaxKind.PlusEqualsToken, factory.createNumericLiteral(amount)); // prettier-ignore
  return factory.createParenthesizedExpression(factory.createComma(added, expr));
}

function called(counter: "counting" | "countingAll" | "countingLike", expr: ts.Expression): ts.Expression {
  return factory.createCallExpression(factory.createIdentifier(counter), [], [expr]);
}

function visited(node: ts.Node, context: ts.TransformationContext): ts.Node {
  // Of its block, which others share, what is asked for counts
  if (ts.isFunctionDeclaration(node) && node.name?.text === "workArray") return counting(node, "wordsMade += 2 + length;"); // prettier-ignore
  // A guarded product, or quotient, is one operation
  if (ts.isFunctionDeclaration(node) && ["scale", "ratio"].includes(node.name?.text ?? "")) return counting(node, "workDone++;"); // prettier-ignore
  const inside = ts.visitEachChild(node, (child) => visited(child, context), context);
  if (!ts.isExpression(inside)) return inside;
  // What is assigned to stays what it is
  const isTarget = ts.isElementAccessExpression(node) && isAssigned(node);
  return isTarget ? inside : counted(node, inside);
}

/** A function that counts in this way alone. */
function counting(node: ts.FunctionDeclaration, text: string): ts.Node {
  const statement = ts.createSourceFile("/counting.js", text, ts.ScriptTarget.ES2022).statements;
  const body = factory.createBlock([...statement, ...(node.body?.statements ?? [])]);
  return factory.updateFunctionDeclaration(node, node.modifiers, node.asteriskToken, node.name, undefined, node.parameters, undefined, body); // prettier-ignore
}

function isAssigned(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return parent.left === node && assigns(parent.operatorToken.kind);
  return (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent)) && steps(parent.operator);
}

function assigns(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

function steps(kind: ts.SyntaxKind): boolean {
  return kind === ts.SyntaxKind.PlusPlusToken || kind === ts.SyntaxKind.MinusMinusToken;
}

const connectives: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.CommaToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

/** Methods by what they do: to each element, or to each of a new array. */
const overElements: ReadonlySet<string> = new Set(["fill", "copyWithin", "reverse"]);
const ofNewArray: ReadonlySet<string> = new Set(["slice", "map", "concat"]);

function counted(node: ts.Node, expr: ts.Expression): ts.Expression {
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    if (connectives.has(kind)) return expr;
    const elements = ts.isElementAccessExpression(node.left) && assigns(kind) ? 1 : 0;
    if (kind === ts.SyntaxKind.EqualsToken) return elements === 0 ? expr : after("workDone", elements, expr);
    return after("workDone", 1 + 2 * elements, expr);
  }
  if (ts.isPrefixUnaryExpression(node)) return ts.isNumericLiteral(node.operand) ? expr : after("workDone", 1, expr);
  if (ts.isPostfixUnaryExpression(node) || ts.isElementAccessExpression(node)) return after("workDone", 1, expr);
  if (ts.isObjectLiteralExpression(node))
    return isPattern(node) ? expr : after("wordsMade", 2 + node.properties.length, expr);
  if (ts.isArrayLiteralExpression(node)) return isPattern(node) ? expr : after("wordsMade", 2 + node.elements.length, expr); // prettier-ignore
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return after("wordsMade", 4, expr);
  // With more arguments it is a part of memory that was counted
  if (ts.isNewExpression(node)) return node.arguments?.length === 1 ? called("counting", expr) : after("wordsMade", 2, expr); // prettier-ignore
  if (!ts.isCallExpression(node)) return expr;
  if (!ts.isPropertyAccessExpression(node.expression)) return expr;
  const { name, expression } = node.expression;
  if (ts.isIdentifier(expression) && expression.text === "Math") return after("workDone", 1, expr);
  if (name.text === "subarray") return after("wordsMade", 2, expr);
  if (overElements.has(name.text)) return called("countingAll", expr);
  return ofNewArray.has(name.text) ? called("countingLike", expr) : expr;
}

/** Whether a literal is what values are taken apart into. */
function isPattern(node: ts.ArrayLiteralExpression | ts.ObjectLiteralExpression): boolean {
  return ts.isBinaryExpression(node.parent) && node.parent.left === node;
}
