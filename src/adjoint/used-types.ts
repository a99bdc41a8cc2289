// Dead-declaration elimination.
//
// What nothing mentions is left out of modules: types, and what had uses before the module was tidied: functions, tables and parts of the runtime.

import { fragmentsFor } from "../runtime/fragments.js";
import { namesMentioned, statementsOf, typesIn } from "../typescript/mentioned.js";
import type { TsDeclaration, TsType } from "../typescript/tree.js";
import { typePartsOf } from "../typescript/traverse.js";
import { visitNames } from "../typescript/traverse.js";

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

/** Declarations without the functions and constants that are neither exported nor mentioned, by others that are. */
export function withoutUnusedValues(declarations: readonly TsDeclaration[]): readonly TsDeclaration[] {
  const declared = new Map<string, TsDeclaration>();
  const used = new Set<TsDeclaration>();
  const pending: TsDeclaration[] = [];
  const use = (declaration: TsDeclaration | undefined): void => {
    if (declaration === undefined || used.has(declaration)) return;
    used.add(declaration);
    pending.push(declaration);
  };
  for (const declaration of declarations) {
    const name = ownName(declaration);
    if (name === null) use(declaration);
    else declared.set(name, declaration);
  }
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    visitNames(statementsOf(next), (name) => {
      use(declared.get(name));
    });
  }
  return declarations.filter((declaration) => used.has(declaration));
}

/** Declarations without the parts of the runtime that neither others mention, nor such parts as they mention need. */
export function withoutUnusedFragments(declarations: readonly TsDeclaration[]): readonly TsDeclaration[] {
  const mentioned = namesMentioned(declarations);
  const roots = declarations.flatMap((each) => (each.kind === "fragment" && mentioned.has(each.name) ? [each.reference] : [])); // prettier-ignore
  const needed = new Set(fragmentsFor(roots, { counted: false }).map(({ reference }) => reference));
  return declarations.filter((each) => each.kind !== "fragment" || needed.has(each.reference));
}

/** The name that a declaration is only there for: of a value that is not exported. */
function ownName(declaration: TsDeclaration): string | null {
  switch (declaration.kind) {
    case "function":
      return declaration.exported ? null : declaration.fn.name;
    case "generator":
      return declaration.fn.name;
    case "statement":
      return declaration.stmt.kind === "const" && typeof declaration.stmt.target === "string"
        ? declaration.stmt.target
        : null;
    default:
      return null;
  }
}

/**
 * Optional parameters that nothing reads, `buffers` of a gradient that fails before it needs them, with an underscore in front, which tells TypeScript and readers
 * that it is so: callers may hand them over all the same.
 */
export function withUnreadParamsMarked(declarations: readonly TsDeclaration[]): readonly TsDeclaration[] {
  return declarations.map((declaration) => {
    if (declaration.kind !== "function" || !declaration.fn.params.some(({ optional }) => optional)) return declaration;
    const { fn } = declaration;
    const read = new Set<string>();
    visitNames(fn.body, (name) => read.add(name));
    const names = new Set(fn.params.map(({ name }) => name));
    const params = fn.params.map((param) => {
      if (!param.optional || read.has(param.name)) return param;
      let name = `_${param.name}`;
      while (names.has(name)) name = `_${name}`;
      return { ...param, name };
    });
    return { ...declaration, fn: { ...fn, params } };
  });
}
