// `extern def`: a definition whose text is a built-in function.
//
//   extern def f (x : S) (y : T) : U from "path"     =>   def f (x : S) (y : T) : U = extern def (x, y)

import type { Type } from "../core/type.js";
import type * as Tree from "../syntax/tree.js";
import { argumentOf, together } from "./arguments.js";
import type { TypeMistake } from "./mistakes.js";

export function definitionOfExtern(item: Tree.ExternItem, mistakes: TypeMistake[]): Tree.DefItem {
  const { name, params, result, doc, span } = item;
  // TypeScript has no such names
  if (name.name.includes("'")) mistakes.push({ kind: "extern", problem: "name", name: name.name, span: name.span });
  if (item.path === "") mistakes.push({ kind: "extern", problem: "path", name: name.name, span: item.pathSpan });
  const given = together(
    params.flatMap((param) => argumentOf(param) ?? []),
    (items): Tree.Expr => ({ kind: "tuple", items, span: name.span }),
  );
  const fn: Tree.Expr = { kind: "variable", name: { name: "extern def", span: name.span }, extern: item, span: name.span }; // prettier-ignore
  const body: Tree.Expr = { kind: "apply", fn, arg: given, span: name.span };
  return { kind: "def", isFused: false, binding: { name, params, result, body, span }, doc, span };
}

/** What is wrong with the types of a function of the caller, from one type to another. */
export function externMistakes({ name, params, result }: Tree.ExternItem, type: Type): readonly TypeMistake[] {
  const { from, to } = type.kind === "fn" ? type : { from: type, to: type };
  const given = params.length === 1 || from.kind !== "tuple" ? [from] : from.items;
  const parts = [...params.map((param, index) => ({ span: param.span, type: given[index] ?? from })), { span: result.span, type: to }]; // prettier-ignore
  return parts.flatMap(({ span, type: part }): TypeMistake[] =>
    isOfNumbers(part) ? [] : [{ kind: "externType", name: name.name, type: part, span }],
  );
}

/** Numbers, truth values, and arrays of such. */
function isOfNumbers(type: Type): boolean {
  if (type.kind === "array") return isOfNumbers(type.element);
  return type.kind === "real" || type.kind === "int" || type.kind === "bool";
}
