// Text of a function as the compiler's TypeScript tree: what tests of passes over that tree start from.

import ts from "typescript";
import type { TsBinaryOp, TsExpr, TsFunction, TsStmt, TsType } from "../../src/typescript/tree.js";

/** The functions of a module. */
export function functionsIn(text: string): readonly TsFunction[] {
  const source = ts.createSourceFile("/tree.ts", text, ts.ScriptTarget.ES2022, true);
  return source.statements.map((node) => {
    if (ts.isFunctionDeclaration(node)) return functionOf(node);
    throw unexpected(node);
  });
}

function unexpected(node: ts.Node): Error {
  return new Error(`not in the tree: ${node.getText()}`);
}

function functionOf(node: ts.FunctionDeclaration): TsFunction {
  return {
    name: node.name?.text ?? "",
    typeParams: [],
    params: node.parameters.map((param) => ({ name: param.name.getText(), type: typeOf(param.type), optional: false })),
    result: typeOf(node.type),
    body: blockOf(node.body),
  };
}

function typeOf(node: ts.TypeNode | undefined): TsType {
  if (node === undefined) return { kind: "name", name: "number", args: [] };
  if (ts.isTypeOperatorNode(node) && ts.isArrayTypeNode(node.type)) return typeOf(node.type);
  if (ts.isArrayTypeNode(node)) return { kind: "array", element: typeOf(node.elementType) };
  if (ts.isUnionTypeNode(node)) return { kind: "union", members: node.types.map(typeOf) };
  if (ts.isTypeReferenceNode(node)) {
    return { kind: "name", name: node.typeName.getText(), args: (node.typeArguments ?? []).map(typeOf) };
  }
  return { kind: "name", name: node.getText(), args: [] };
}

function blockOf(node: ts.Statement | undefined): readonly TsStmt[] {
  if (node === undefined) return [];
  return ts.isBlock(node) ? node.statements.flatMap(statementsOf) : statementsOf(node);
}

/** A statement, after the comments before it. */
function statementsOf(node: ts.Statement): readonly TsStmt[] {
  const text = node.getSourceFile().text;
  const comments = (ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []).map(({ pos, end }): TsStmt => ({
    kind: "comment",
    text: text.slice(pos + 2, end).trim(),
  }));
  return [...comments, ...declarationsOf(node)];
}

function declarationsOf(node: ts.Statement): readonly TsStmt[] {
  if (!ts.isVariableStatement(node)) return [statementOf(node)];
  const isConst = (node.declarationList.flags & ts.NodeFlags.Const) !== 0;
  return node.declarationList.declarations.map(({ name, type, initializer }): TsStmt => {
    const declared = type === undefined ? null : typeOf(type);
    if (!isConst) return { kind: "let", name: name.getText(), type: declared, init: initializer === undefined ? null : exprOf(initializer) }; // prettier-ignore
    if (initializer === undefined) throw unexpected(node);
    const target = ts.isArrayBindingPattern(name)
      ? name.elements.map((element) => (ts.isOmittedExpression(element) ? null : element.name.getText()))
      : name.getText();
    return { kind: "const", target, type: declared, init: exprOf(initializer) };
  });
}

function statementOf(node: ts.Statement, label: string | null = null): TsStmt {
  if (ts.isExpressionStatement(node)) return { kind: "expr", expr: exprOf(node.expression) };
  if (ts.isReturnStatement(node)) return { kind: "return", value: node.expression === undefined ? null : exprOf(node.expression) }; // prettier-ignore
  if (ts.isThrowStatement(node)) return { kind: "throw", value: exprOf(node.expression) };
  if (ts.isIfStatement(node)) return { kind: "if", test: exprOf(node.expression), then: blockOf(node.thenStatement), else: blockOf(node.elseStatement) }; // prettier-ignore
  if (ts.isWhileStatement(node)) return { kind: "while", test: exprOf(node.expression), body: blockOf(node.statement) };
  if (ts.isBlock(node)) return { kind: "block", body: blockOf(node) };
  if (ts.isLabeledStatement(node)) return statementOf(node.statement, node.label.text);
  if (ts.isBreakStatement(node)) return { kind: "break", label: node.label?.text ?? null };
  if (ts.isContinueStatement(node)) return { kind: "continue", label: node.label?.text ?? null };
  if (ts.isForStatement(node)) return forOf(node, label);
  if (ts.isFunctionDeclaration(node)) return { kind: "function", fn: functionOf(node) };
  if (ts.isTryStatement(node)) return { kind: "try", body: blockOf(node.tryBlock), param: node.catchClause?.variableDeclaration?.name.getText() ?? "", handler: blockOf(node.catchClause?.block) }; // prettier-ignore
  if (ts.isSwitchStatement(node)) {
    const cases = node.caseBlock.clauses.map((clause) => ({
      test: ts.isCaseClause(clause) ? exprOf(clause.expression) : null,
      // A case's braces are the printer's
      body: clause.statements.flatMap((stmt) => blockOf(stmt)),
    }));
    return { kind: "switch", subject: exprOf(node.expression), cases };
  }
  throw unexpected(node);
}

function forOf(node: ts.ForStatement, label: string | null): TsStmt {
  const { initializer, condition, incrementor, statement } = node;
  if (initializer === undefined || condition === undefined || incrementor === undefined) {
    return { kind: "loop", label, body: blockOf(statement) };
  }
  if (!ts.isVariableDeclarationList(initializer)) throw unexpected(node);
  const [declaration] = initializer.declarations;
  if (declaration?.initializer === undefined) throw unexpected(node);
  return {
    kind: "for",
    name: declaration.name.getText(),
    from: exprOf(declaration.initializer),
    test: exprOf(condition),
    step: exprOf(incrementor),
    body: blockOf(statement),
  };
}

const assignments: ReadonlyMap<string, (TsExpr & { readonly kind: "assign" })["op"]> = new Map(
  (["=", "+=", "-=", "??="] as const).map((op) => [op, op]),
);

const operators: ReadonlyMap<string, TsBinaryOp> = new Map(
  (["+", "-", "*", "/", "%", "**", "===", "!==", "<", "<=", ">", ">=", "&&", "||", "??"] as const).map((op) => [op, op]), // prettier-ignore
);

function exprOf(node: ts.Expression): TsExpr {
  if (ts.isParenthesizedExpression(node)) return exprOf(node.expression);
  if (ts.isIdentifier(node)) return node.text === "undefined" ? { kind: "undefined" } : { kind: "id", name: node.text };
  if (ts.isNumericLiteral(node)) return { kind: "number", value: Number(node.text) };
  if (ts.isStringLiteral(node)) return { kind: "string", value: node.text };
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { kind: "boolean", value: true };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { kind: "boolean", value: false };
  if (node.kind === ts.SyntaxKind.NullKeyword) return { kind: "null" };
  if (ts.isBinaryExpression(node)) return binaryOf(node);
  if (ts.isPrefixUnaryExpression(node)) {
    const arg = exprOf(node.operand);
    if (node.operator === ts.SyntaxKind.ExclamationToken) return { kind: "unary", op: "!", arg };
    if (node.operator !== ts.SyntaxKind.MinusToken) throw unexpected(node);
    return arg.kind === "number" ? { kind: "number", value: -arg.value } : { kind: "unary", op: "-", arg };
  }
  if (ts.isPostfixUnaryExpression(node)) {
    const op = node.operator === ts.SyntaxKind.PlusPlusToken ? "+=" : "-=";
    return { kind: "assign", op, target: exprOf(node.operand), value: { kind: "number", value: 1 } };
  }
  if (ts.isConditionalExpression(node)) return { kind: "cond", test: exprOf(node.condition), then: exprOf(node.whenTrue), else: exprOf(node.whenFalse) }; // prettier-ignore
  if (ts.isCallExpression(node)) return { kind: "call", fn: exprOf(node.expression), args: node.arguments.map(exprOf) };
  if (ts.isNewExpression(node)) return { kind: "new", fn: exprOf(node.expression), args: (node.arguments ?? []).map(exprOf) }; // prettier-ignore
  if (ts.isPropertyAccessExpression(node)) return { kind: "member", object: exprOf(node.expression), name: node.name.text }; // prettier-ignore
  if (ts.isElementAccessExpression(node)) return { kind: "index", object: exprOf(node.expression), index: exprOf(node.argumentExpression), certain: false }; // prettier-ignore
  if (ts.isNonNullExpression(node)) {
    const expr = exprOf(node.expression);
    return expr.kind === "index" ? { ...expr, certain: true } : expr;
  }
  if (ts.isAsExpression(node)) return { kind: "as", expr: exprOf(node.expression), type: typeOf(node.type) };
  if (ts.isArrayLiteralExpression(node)) return { kind: "array", items: node.elements.map(exprOf) };
  if (ts.isObjectLiteralExpression(node)) {
    const fields = node.properties.map((property) => {
      if (ts.isShorthandPropertyAssignment(property)) return { name: property.name.text, value: exprOf(property.name) };
      if (!ts.isPropertyAssignment(property)) throw unexpected(property);
      return { name: property.name.getText(), value: exprOf(property.initializer) };
    });
    return { kind: "object", fields };
  }
  if (ts.isArrowFunction(node)) {
    const params = node.parameters.map(({ name, type }) => ({ name: name.getText(), type: type === undefined ? null : typeOf(type) })); // prettier-ignore
    return {
      kind: "arrow",
      params,
      result: null,
      body: ts.isBlock(node.body) ? blockOf(node.body) : exprOf(node.body),
    };
  }
  throw unexpected(node);
}

function binaryOf(node: ts.BinaryExpression): TsExpr {
  const text = node.operatorToken.getText();
  const assignment = assignments.get(text);
  const [left, right] = [exprOf(node.left), exprOf(node.right)];
  if (assignment !== undefined) return { kind: "assign", op: assignment, target: left, value: right };
  const op = operators.get(text);
  if (op === undefined) throw unexpected(node);
  return { kind: "binary", op, left, right };
}
