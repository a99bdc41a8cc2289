// What declarations mention.

import type { TsDeclaration, TsFunction, TsStmt, TsType } from "./tree.js";
import { typePartsOf, visitParts, visitStmt, type Visiting } from "./traverse.js";

/** All names of values and types outside of functions that declarations mention: a variable of a function's own may be called as one of them is. */
export function namesMentioned(declarations: readonly TsDeclaration[]): ReadonlySet<string> {
  const names = new Set(typesMentioned(declarations));
  for (const declaration of declarations) {
    const params = "fn" in declaration ? declaration.fn.params : [];
    visitFree(statementsOf(declaration), params, (name) => names.add(name));
  }
  return names;
}

/** Tells of every identifier in the statements of a function that stands for none of its parameters or variables. */
function visitFree(stmts: readonly TsStmt[], params: readonly Named[], visit: (name: string) => void): void {
  /** How many of the scopes around declare a name. */
  const declared = new Map<string, number>();
  const add = (names: readonly string[], by: 1 | -1): void => {
    for (const name of names) declared.set(name, (declared.get(name) ?? 0) + by);
  };
  const within = (names: readonly string[], body: () => void): void => {
    add(names, 1);
    body();
    add(names, -1);
  };
  const visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind === "id") {
        if ((declared.get(expr.name) ?? 0) === 0) visit(expr.name);
      } else if (expr.kind === "arrow") {
        within(namesOf(expr.params), () => {
          visitParts(expr, visiting);
        });
      } else visitParts(expr, visiting);
    },
    block: (body) => {
      within(body.flatMap(namesDeclared), () => {
        body.forEach(visitOne);
      });
    },
  };
  const visitOne = (stmt: TsStmt): void => {
    within(namesWithin(stmt), () => {
      visitStmt(stmt, visiting);
    });
  };
  within(namesOf(params), () => {
    visiting.block(stmts);
  });
}

interface Named {
  readonly name: string;
}

function namesOf(params: readonly Named[]): readonly string[] {
  return params.map(({ name }) => name);
}

/** The names that a statement gives to what the rest of its block may use. */
function namesDeclared(stmt: TsStmt): readonly string[] {
  switch (stmt.kind) {
    case "const":
      return typeof stmt.target === "string" ? [stmt.target] : stmt.target.flatMap((name) => name ?? []);
    case "let":
      return [stmt.name];
    case "function":
      return [stmt.fn.name];
    default:
      return [];
  }
}

/** The names that a statement gives to what only its own parts may use. */
function namesWithin(stmt: TsStmt): readonly string[] {
  switch (stmt.kind) {
    case "for":
      return [stmt.name];
    case "try":
      return [stmt.param];
    case "function":
      return namesOf(stmt.fn.params);
    default:
      return [];
  }
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
    case "statement":
      return namesDeclared(declaration.stmt);
    case "import":
    case "export":
      return [];
  }
}
