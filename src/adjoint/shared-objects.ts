// Hash-consing of constants.
//
// What a constructor without fields makes is made once where it stays in the module.
//
//   let best: Hit = { tag: "Miss" }; ..                 const miss = { tag: "Miss" } as const; .. let best: Hit = miss; ..
//
// A caller may change what it gets: where a function's result may hold such an object, this function and those that it calls make new ones.

import { withParts } from "../same.js";
import { constant, id, string, typeName } from "../typescript/build.js";
import { identifier, uncapitalised } from "../typescript/naming.js";
import { mapExpressions, mapParts, typePartsOf, visitExpressions, visitNames, visitStatements } from "../typescript/traverse.js"; // prettier-ignore
import type { TsDeclaration, TsExpr, TsFunction, TsStmt, TsType } from "../typescript/tree.js";
import { namesOf } from "../tidy/analysis/bindings.js";

type WithFunction = TsDeclaration & { readonly kind: "function" | "generator" };

/** Declarations with a constant for each constructor without fields that is used more than once; `fresh` gives names for values of the module. */
export function withSharedObjects(
  declarations: readonly TsDeclaration[],
  fresh: (name: string) => string,
): readonly TsDeclaration[] {
  const leaving = leavingTags(declarations);
  const isShared = (fn: TsFunction, tag: string): boolean => leaving.get(fn.name)?.has(tag) !== true;
  const counts = new Map<string, number>();
  for (const declaration of declarations) {
    if (!isFunction(declaration)) continue;
    visitExpressions(declaration.fn.body, (expr) => {
      const tag = tagAlone(expr);
      if (tag !== null && isShared(declaration.fn, tag)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    });
  }
  const often = [...counts].flatMap(([tag, count]) => (count > 1 ? [tag] : []));
  if (often.length === 0) return declarations;
  const taken = allNames(declarations);
  const names = new Map(often.map((tag) => [tag, freeName(tag, fresh, taken)]));
  const made = [...names].map(([tag, name]): TsDeclaration => {
    const init: TsExpr = { kind: "object", fields: [{ name: "tag", value: string(tag) }] };
    return { kind: "statement", doc: "", stmt: constant(name, null, { kind: "as", expr: init, type: typeName("const") }) }; // prettier-ignore
  });
  const shared = declarations.map((declaration) => {
    if (!isFunction(declaration)) return declaration;
    const fn = mapExpressions(declaration.fn, (expr, rewriting) => {
      const tag = tagAlone(expr);
      const name = tag === null || !isShared(declaration.fn, tag) ? undefined : names.get(tag);
      return name === undefined ? mapParts(expr, rewriting) : id(name);
    });
    return withParts(declaration, { fn });
  });
  const place = shared.findLastIndex((declaration) => declaration.kind === "function" && declaration.exported) + 1;
  return [...shared.slice(0, place), ...made, ...shared.slice(place)];
}

function isFunction(declaration: TsDeclaration): declaration is WithFunction {
  return "fn" in declaration;
}

/** The constructor that an object consists of; null for other expressions. */
function tagAlone(expr: TsExpr): string | null {
  const [tag, ...others] = expr.kind === "object" ? expr.fields : [];
  return tag?.name === "tag" && tag.value.kind === "string" && others.length === 0 ? tag.value.value : null;
}

/** By the name of a function the constructors of what may leave the module through it, or through what calls it. */
function leavingTags(declarations: readonly TsDeclaration[]): ReadonlyMap<string, ReadonlySet<string>> {
  const types = new Map(declarations.flatMap((each) => (each.kind === "type" ? [[each.name, each.type]] : [])));
  const bodies = new Map(declarations.flatMap(bodiesOf));
  const leaving = new Map<string, Set<string>>();
  for (const declaration of declarations) {
    if (declaration.kind !== "function" || !declaration.exported) continue;
    const tags = tagsIn(declaration.fn.result, types);
    const seen = new Set([declaration.fn.name]);
    for (const name of seen) {
      const known = leaving.get(name) ?? new Set();
      for (const tag of tags) known.add(tag);
      leaving.set(name, known);
      visitNames(bodies.get(name) ?? [], (mentioned) => {
        if (bodies.has(mentioned)) seen.add(mentioned);
      });
    }
  }
  return leaving;
}

/** What a declaration gives a name to: the statements of a function, or what a variable is. */
function bodiesOf(declaration: TsDeclaration): readonly (readonly [string, readonly TsStmt[]])[] {
  if (isFunction(declaration)) return [[declaration.fn.name, declaration.fn.body]];
  if (declaration.kind !== "statement") return [];
  const { stmt } = declaration;
  const names = stmt.kind === "const" ? namesOf(stmt.target) : stmt.kind === "let" ? [stmt.name] : [];
  return names.map((name) => [name, [stmt]] as const);
}

/** The constructors of what a value of a type may hold. */
function tagsIn(type: TsType, types: ReadonlyMap<string, TsType>): ReadonlySet<string> {
  const tags = new Set<string>();
  const seen = new Set<string>();
  const pending = [type];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    pending.push(...typePartsOf(next));
    if (next.kind === "object")
      for (const { name, type: field } of next.fields)
        if (name === "tag" && field.kind === "literal" && typeof field.value === "string") tags.add(field.value);
    const declared = next.kind === "name" ? types.get(next.name) : undefined;
    if (next.kind !== "name" || declared === undefined || seen.has(next.name)) continue;
    seen.add(next.name);
    pending.push(declared);
  }
  return tags;
}

function freeName(tag: string, fresh: (name: string) => string, taken: ReadonlySet<string>): string {
  for (;;) {
    const name = fresh(uncapitalised(identifier(tag)));
    if (!taken.has(name)) return name;
  }
}

/** Every name that functions bind or mention. */
export function allNames(declarations: readonly TsDeclaration[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const declaration of declarations) {
    if (!isFunction(declaration)) continue;
    const { params, body } = declaration.fn;
    for (const { name } of params) names.add(name);
    visitNames(body, (name) => names.add(name));
    visitExpressions(body, (expr) => {
      if (expr.kind === "arrow") for (const { name } of expr.params) names.add(name);
    });
    visitStatements(body, (stmt) => {
      if (stmt.kind === "const") for (const name of namesOf(stmt.target)) names.add(name);
      if (stmt.kind === "let" || stmt.kind === "for") names.add(stmt.name);
      if (stmt.kind === "function") names.add(stmt.fn.name);
    });
  }
  return names;
}
