// What nothing mentions is left out of modules: types, and parts of the runtime that had uses before the module was tidied.

import type { TsDeclaration, TsFunction, TsStmt, TsType } from "../typescript/tree.js";
import { typePartsOf } from "../typescript/traverse.js";
import { visitNames, visitParts, visitStmt, type Visiting } from "../typescript/traverse.js";

/** Declarations without the types that are neither exported nor mentioned, by others that are. */
export function withoutUnusedTypes(declarations: readonly TsDeclaration[]): readonly TsDeclaration[] {
  const declared = new Map<string, TsType>();
  const used = new Set<string>();
  const pending: TsType[] = [];
  for (const declaration of declarations) {
    if (declaration.kind !== "type") pending.push(...typesIn(declaration));
    else if (declaration.exported) pending.push(declaration.type);
    else declared.set(declaration.name, declaration.type);
  }
  for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
    pending.push(...typePartsOf(type));
    if (type.kind !== "name") continue;
    // `Closure["call"]`
    const name = type.name.replace(/\[.*/, "");
    const mentioned = declared.get(name);
    if (mentioned === undefined || used.has(name)) continue;
    used.add(name);
    pending.push(mentioned);
  }
  return declarations.filter(
    (declaration) => declaration.kind !== "type" || declaration.exported || used.has(declaration.name),
  );
}

/** All names of values and types that declarations mention. */
export function namesMentioned(declarations: readonly TsDeclaration[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const declaration of declarations) {
    const types = declaration.kind === "type" ? [declaration.type] : [...typesIn(declaration)];
    for (let type = types.pop(); type !== undefined; type = types.pop()) {
      types.push(...typePartsOf(type));
      if (type.kind === "name") names.add(type.name.replace(/\[.*/, ""));
    }
    if (declaration.kind === "statement") visitNames([declaration.stmt], (name) => names.add(name));
    if ("fn" in declaration) visitNames(declaration.fn.body, (name) => names.add(name));
  }
  return names;
}

/** The types that are written in a declaration of a value. */
function typesIn(declaration: Exclude<TsDeclaration, { readonly kind: "type" }>): readonly TsType[] {
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
  if (declaration.kind === "statement") visiting.block([declaration.stmt]);
  if (declaration.kind === "function" || declaration.kind === "generator") {
    addFunction(declaration.fn);
    visiting.block(declaration.fn.body);
  }
  return found;
}
