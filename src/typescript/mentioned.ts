// What declarations mention.

import type { TsDeclaration, TsFunction, TsStmt, TsType } from "./tree.js";
import { typePartsOf, visitNames, visitParts, visitStmt, type Visiting } from "./traverse.js";

/** All names of values and types that declarations mention. */
export function namesMentioned(declarations: readonly TsDeclaration[]): ReadonlySet<string> {
  const names = new Set(typesMentioned(declarations));
  for (const declaration of declarations) visitNames(statementsOf(declaration), (name) => names.add(name));
  return names;
}

/** All names of types that declarations mention. */
export function typesMentioned(declarations: readonly TsDeclaration[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const declaration of declarations) {
    const types = declaration.kind === "type" ? [declaration.type] : [...typesIn(declaration)];
    for (let type = types.pop(); type !== undefined; type = types.pop()) {
      types.push(...typePartsOf(type));
      if (type.kind === "name") names.add(type.name.replace(/\[.*/, ""));
    }
  }
  return names;
}

export function statementsOf(declaration: TsDeclaration): readonly TsStmt[] {
  if (declaration.kind === "statement") return [declaration.stmt];
  return "fn" in declaration ? declaration.fn.body : [];
}

/** The types that are written in a declaration of a value. */
export function typesIn(declaration: Exclude<TsDeclaration, { readonly kind: "type" }>): readonly TsType[] {
  const found: TsType[] = [];
  const add = (type: TsType | null): void => {
    if (type !== null) found.push(type);
  };
  const addFunction = ({ params, result }: TsFunction): void => {
    for (const { type } of params) add(type);
    add(result);
  };
  const visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind === "as") add(expr.type);
      if (expr.kind === "arrow") {
        for (const { type } of expr.params) add(type);
        add(expr.result);
      }
      visitParts(expr, visiting);
    },
    block: (body: readonly TsStmt[]) => {
      for (const stmt of body) {
        if (stmt.kind === "const" || stmt.kind === "let") add(stmt.type);
        if (stmt.kind === "function") addFunction(stmt.fn);
        visitStmt(stmt, visiting);
      }
    },
  };
  if ("fn" in declaration) addFunction(declaration.fn);
  visiting.block(statementsOf(declaration));
  return found;
}

/** The names that a declaration gives to functions, values or types. */
export function declaredNames(declaration: TsDeclaration): readonly string[] {
  switch (declaration.kind) {
    case "function":
    case "generator":
      return [declaration.fn.name];
    case "type":
    case "fragment":
      return [declaration.name];
    case "statement": {
      const { stmt } = declaration;
      if (stmt.kind === "let") return [stmt.name];
      if (stmt.kind !== "const") return [];
      return typeof stmt.target === "string" ? [stmt.target] : stmt.target.flatMap((name) => name ?? []);
    }
    case "import":
    case "export":
      return [];
  }
}
