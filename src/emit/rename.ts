// Renames what a module's programs mention: parts of the runtime whose names the interface needs for itself.

import { fragmentName, type Fragment } from "../runtime/fragments.js";
import { renameInText, type Renaming } from "./rename-text.js";
import { isBlock } from "../typescript/facts.js";
import type { TsDeclaration, TsExpr, TsFragment, TsFunction, TsParam, TsStmt, TsType } from "../typescript/tree.js";

function isEmpty({ values, types }: Renaming): boolean {
  return values.size === 0 && types.size === 0;
}

/** Declarations with other names for what they mention. Nothing in them binds one of the names itself. */
export function renameIn(declarations: readonly TsDeclaration[], renaming: Renaming): readonly TsDeclaration[] {
  if (isEmpty(renaming)) return declarations;
  const renamer = new Renamer(renaming);
  return declarations.map(renamer.declaration);
}

/** A part of the runtime with other names for itself and for what it needs. Its own variables keep theirs. `isDirect`: more than other parts mention it. */
export function fragmentDeclaration(
  { reference, ts, js, needs }: Fragment,
  renaming: Renaming,
  isDirect: boolean,
): TsFragment {
  const mentioned = new Set([reference, ...needs].map(fragmentName));
  const among = (names: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
    new Map([...names].filter(([name]) => mentioned.has(name)));
  const own = { values: among(renaming.values), types: among(renaming.types) };
  const name = fragmentName(reference);
  return {
    kind: "fragment",
    ts: renameInText(ts, own),
    js: renameInText(js, own),
    reference,
    name: own.values.get(name) ?? own.types.get(name) ?? name,
    isDirect,
  };
}

class Renamer {
  readonly #renaming: Renaming;

  constructor(renaming: Renaming) {
    this.#renaming = renaming;
  }

  readonly declaration = (declaration: TsDeclaration): TsDeclaration => {
    switch (declaration.kind) {
      case "function":
      case "generator":
        return { ...declaration, fn: this.#fn(declaration.fn) };
      case "type": {
        const name = this.#renaming.types.get(declaration.name) ?? declaration.name;
        return { ...declaration, name, type: this.#type(declaration.type) };
      }
      case "statement":
        return { ...declaration, stmt: this.#stmt(declaration.stmt) };
      case "import":
      case "export":
        return declaration;
      case "fragment":
        // A text of the runtime may have variables with these names: `fragmentDeclaration` tells them apart
        return declaration;
    }
  };

  #fn(fn: TsFunction): TsFunction {
    const { params, result, body } = fn;
    return { ...fn, params: params.map(this.#param), result: this.#type(result), body: body.map(this.#stmt) };
  }

  readonly #param = (param: TsParam): TsParam => ({ ...param, type: this.#type(param.type) });

  readonly #type = (type: TsType): TsType => {
    switch (type.kind) {
      case "name":
        return {
          kind: "name",
          name: this.#renaming.types.get(type.name) ?? type.name,
          args: type.args.map(this.#type),
        };
      case "literal":
        return type;
      case "tuple":
        return { kind: "tuple", items: type.items.map(this.#type) };
      case "array":
        return { kind: "array", element: this.#type(type.element) };
      case "object":
        return { kind: "object", fields: type.fields.map((field) => ({ ...field, type: this.#type(field.type) })) };
      case "slot":
        return { kind: "slot", type: this.#type(type.type) };
      case "union":
        return { kind: "union", members: type.members.map(this.#type) };
      case "function":
        return { ...type, params: type.params.map(this.#param), result: this.#type(type.result) };
    }
  };

  #typeOrNone(type: TsType | null): TsType | null {
    return type === null ? null : this.#type(type);
  }

  readonly #stmt = (stmt: TsStmt): TsStmt => {
    const block = (body: readonly TsStmt[]): readonly TsStmt[] => body.map(this.#stmt);
    switch (stmt.kind) {
      case "const":
        return { ...stmt, type: this.#typeOrNone(stmt.type), init: this.#expr(stmt.init) };
      case "let":
        return { ...stmt, type: this.#typeOrNone(stmt.type), init: stmt.init === null ? null : this.#expr(stmt.init) };
      case "expr":
        return { kind: "expr", expr: this.#expr(stmt.expr) };
      case "return":
        return { kind: "return", value: stmt.value === null ? null : this.#expr(stmt.value) };
      case "if":
        return { kind: "if", test: this.#expr(stmt.test), then: block(stmt.then), else: block(stmt.else) };
      case "loop":
        return { ...stmt, body: block(stmt.body) };
      case "while":
        return { kind: "while", test: this.#expr(stmt.test), body: block(stmt.body) };
      case "for": {
        const [from, test, step] = [this.#expr(stmt.from), this.#expr(stmt.test), this.#expr(stmt.step)];
        return { ...stmt, from, test, step, body: block(stmt.body) };
      }
      case "switch": {
        const cases = stmt.cases.map(({ test, body }) => ({
          test: test === null ? null : this.#expr(test),
          body: block(body),
        }));
        return { kind: "switch", subject: this.#expr(stmt.subject), cases };
      }
      case "throw":
        return { kind: "throw", value: this.#expr(stmt.value) };
      case "try":
        return { ...stmt, body: block(stmt.body), handler: block(stmt.handler) };
      case "block":
        return { kind: "block", body: block(stmt.body) };
      case "function":
        return { kind: "function", fn: this.#fn(stmt.fn) };
      case "continue":
      case "break":
      case "comment":
        return stmt;
    }
  };

  readonly #expr = (expr: TsExpr): TsExpr => {
    switch (expr.kind) {
      case "id":
        return { kind: "id", name: this.#renaming.values.get(expr.name) ?? expr.name };
      case "number":
      case "string":
      case "boolean":
      case "null":
      case "undefined":
        return expr;
      case "binary":
        return { ...expr, left: this.#expr(expr.left), right: this.#expr(expr.right) };
      case "unary":
        return { ...expr, arg: this.#expr(expr.arg) };
      case "cond":
        return { kind: "cond", test: this.#expr(expr.test), then: this.#expr(expr.then), else: this.#expr(expr.else) };
      case "call":
      case "new":
        return { ...expr, fn: this.#expr(expr.fn), args: expr.args.map(this.#expr) };
      case "member":
        return { ...expr, object: this.#expr(expr.object) };
      case "index":
        return { ...expr, object: this.#expr(expr.object), index: this.#expr(expr.index) };
      case "arrow": {
        const params = expr.params.map((param) => ({ ...param, type: this.#typeOrNone(param.type) }));
        const body = isBlock(expr.body) ? expr.body.map(this.#stmt) : this.#expr(expr.body);
        return { kind: "arrow", params, result: this.#typeOrNone(expr.result), body };
      }
      case "object":
        return { kind: "object", fields: expr.fields.map(({ name, value }) => ({ name, value: this.#expr(value) })) };
      case "array":
        return { kind: "array", items: expr.items.map(this.#expr) };
      case "as":
        return { kind: "as", expr: this.#expr(expr.expr), type: this.#type(expr.type) };
      case "yield":
        return { ...expr, value: this.#expr(expr.value) };
      case "assign":
        return { ...expr, target: this.#expr(expr.target), value: this.#expr(expr.value) };
    }
  };
}
