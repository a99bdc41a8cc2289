// Emitted JavaScript whose every access to an array is checked: its text with calls in the place of accesses. A number that nobody has put where it is read fails,
// in memory that has been used before or has been given back; so does a write outside of an array, and one of nothing. What is read outside is as in JavaScript:
// what loops have in common is read in front of them, also where no iteration uses it, and what uses it is NaN.

import ts from "typescript";
import { loadModule, type LoadedModule } from "../../src/driver/evaluate.js";
import { rewritten } from "./rewritten.js";

/** A module that throws an `Error` that begins with `memory:` where it reads or writes what it may not. */
export function loadChecked(code: string): LoadedModule {
  return loadModule(withChecks(code));
}

/** What stands in memory whose numbers mean nothing: no program computes it. */
const nobodys = "-6.02214076e-217";

const checks = `
function accessFailed(array, index, what) { throw new Error("memory: " + what + " at " + String(index) + " of " + String(array.length)); }
function elementRead(array, index) {
  const element = array[index];
  if (element === ${nobodys}) accessFailed(array, index, "a read of what nobody has put there,");
  return element;
}
function elementWritten(array, index, value) {
  if (typeof index === "string") return (array[index] = value);
  if (!Number.isInteger(index) || index < 0 || index >= array.length + (Array.isArray(array) ? 1 : 0)) accessFailed(array, index, "a write outside,");
  if (value === undefined) accessFailed(array, index, "a write of undefined,");
  return (array[index] = value);
}
function elementUpdated(array, index, update) { return elementWritten(array, index, update(elementRead(array, index))); }
function zerosAgain(numbers) { return numbers.fill(0); }
function leftAsZeros(numbers) {
  const place = numbers.findIndex((number) => number !== 0);
  if (place !== -1) accessFailed(numbers, place, "zeros were promised, not what is left");
  ofNobody(numbers);
}
function ofNobody(numbers) { if (numbers instanceof Float64Array) numbers.fill(${nobodys}); return numbers; }
function grownFrom(before, after) { return after === before ? after : (after instanceof Float64Array && after.fill(${nobodys}, before.length), after); }
`;

/** What functions of the runtime do besides with the memory that they give, or are given back: `body;` is what they do. */
const besides: ReadonlyMap<string, (param: string) => string> = new Map([
  ["takeRoom", () => "return zerosAgain((() => { body; })());"],
  ["leaveRoom", (room: string) => `{ body; } leftAsZeros(${room});`],
  ["takeBuffer", () => "return ofNobody((() => { body; })());"],
  ["leaveBuffer", (buffer: string) => `ofNobody(${buffer}); { body; }`],
  ["grown", (numbers: string) => `return grownFrom(${numbers}, (() => { body; })());`],
  ["rowAgain", () => "return ofNobody((() => { body; })());"],
]);

const { factory } = ts;

function withChecks(code: string): string {
  return rewritten(code, visited) + checks;
}

function visited(node: ts.Node, context: ts.TransformationContext): ts.Node {
  const inside = (child: ts.Node): ts.Node => visited(child, context);
  if (ts.isFunctionDeclaration(node)) return functionVisited(node, context);
  if (isAssignment(node) && ts.isElementAccessExpression(node.left)) {
    const [array, index, value] = [node.left.expression, node.left.argumentExpression, node.right].map((part) => expression(inside(part))); // prettier-ignore
    if (array === undefined || index === undefined || value === undefined) return node;
    const operator = operators.get(node.operatorToken.kind) ?? null;
    if (operator === null) return called("elementWritten", array, index, value);
    return updated(array, index, (before) => factory.createBinaryExpression(before, operator, factory.createParenthesizedExpression(value))); // prettier-ignore
  }
  if (isStep(node) && ts.isElementAccessExpression(node.operand)) {
    const [array, index] = [node.operand.expression, node.operand.argumentExpression].map((part) => expression(inside(part))); // prettier-ignore
    if (array === undefined || index === undefined || !ts.isExpressionStatement(node.parent)) throw new Error(`a step inside of an expression: ${node.getText()}`); // prettier-ignore
    const operator = node.operator === ts.SyntaxKind.PlusPlusToken ? ts.SyntaxKind.PlusToken : ts.SyntaxKind.MinusToken;
    return updated(array, index, (before) =>
      factory.createBinaryExpression(before, operator, factory.createNumericLiteral(1)),
    );
  }
  const made = ts.visitEachChild(node, inside, context);
  return ts.isElementAccessExpression(made) && made.questionDotToken === undefined && !isAsked(node)
    ? called("elementRead", made.expression, made.argumentExpression)
    : made;
}

/** Whether a read is a question whether there is something. */
function isAsked(node: ts.Node): boolean {
  const { parent } = node;
  if (!ts.isBinaryExpression(parent)) return false;
  const { kind } = parent.operatorToken;
  if (kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.QuestionQuestionEqualsToken) return parent.left === node; // prettier-ignore
  return ts.isIdentifier(parent.right) && parent.right.text === "undefined";
}

function functionVisited(node: ts.FunctionDeclaration, context: ts.TransformationContext): ts.Node {
  const made = ts.visitEachChild(node, (child) => visited(child, context), context);
  const name = node.name?.text ?? "";
  const params = node.parameters.map((param) => param.name.getText());
  const text = besides.get(name)?.(params[0] ?? "");
  return text === undefined ? made : withBody(made, text);
}

/** A function with a text for its body, in which `body;` stands for what it was. */
function withBody(node: ts.FunctionDeclaration, text: string): ts.FunctionDeclaration {
  const own = node.body?.statements ?? [];
  const replaced = (context: ts.TransformationContext) => (file: ts.SourceFile) => {
    const visit = (child: ts.Node): ts.Node =>
      ts.isBlock(child) && child.statements.some((stmt) => stmt.getText() === "body;")
        ? factory.createBlock(own)
        : ts.visitEachChild(child, visit, context);
    return ts.visitNode(file, visit, ts.isSourceFile);
  };
  const source = ts.createSourceFile("/body.js", text, ts.ScriptTarget.ES2022, true);
  const [file] = ts.transform(source, [replaced]).transformed;
  const body = factory.createBlock(file?.statements ?? []);
  return factory.updateFunctionDeclaration(node, node.modifiers, node.asteriskToken, node.name, undefined, node.parameters, undefined, body); // prettier-ignore
}

function updated(
  array: ts.Expression,
  index: ts.Expression,
  update: (before: ts.Expression) => ts.Expression,
): ts.Expression {
  const before = factory.createUniqueName("before");
  const param = factory.createParameterDeclaration(undefined, undefined, before);
  return called("elementUpdated", array, index, factory.createArrowFunction(undefined, undefined, [param], undefined, undefined, update(before))); // prettier-ignore
}

function called(name: string, ...args: readonly ts.Expression[]): ts.Expression {
  return factory.createCallExpression(factory.createIdentifier(name), undefined, args);
}

function expression(node: ts.Node): ts.Expression {
  if (!ts.isExpression(node)) throw new Error("no expression");
  return node;
}

/** The operators that assignments have before their `=`; null: none. What is assigned where there is nothing yet, `??=`, asks before. */
const operators: ReadonlyMap<ts.SyntaxKind, ts.BinaryOperator | null> = new Map<ts.SyntaxKind, ts.BinaryOperator | null>([
  [ts.SyntaxKind.EqualsToken, null],
  [ts.SyntaxKind.PlusEqualsToken, ts.SyntaxKind.PlusToken],
  [ts.SyntaxKind.MinusEqualsToken, ts.SyntaxKind.MinusToken],
  [ts.SyntaxKind.AsteriskEqualsToken, ts.SyntaxKind.AsteriskToken],
  [ts.SyntaxKind.SlashEqualsToken, ts.SyntaxKind.SlashToken],
]); // prettier-ignore

function isAssignment(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && operators.has(node.operatorToken.kind);
}

function isStep(node: ts.Node): node is ts.PrefixUnaryExpression | ts.PostfixUnaryExpression {
  return (
    (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) &&
    (node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken)
  );
}
