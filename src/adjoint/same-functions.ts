// Merging of identical functions.
//
// Functions that do the same are one: a forward sweep that saves nothing is the plain code of its definition.
//
//   total(t, depth) { .. total(t._1, depth + 47) .. }               total(t, depth) { .. total(t._1, depth + 53) .. }
//   totalForward(t, depth) { .. totalForward(t._1, depth + 53) .. }
//
// Two functions do the same where they are written the same but for the functions that they call, and these do the same. The words of stack that a call
// is taken to need may differ: the larger number is right for both. Functions of different definitions stay apart, for readers.

import { renameIn } from "../emit/rename.js";
import { keyOf } from "../key.js";
import { Bindings, separated } from "../tidy/analysis/bindings.js";
import { surveyed } from "../tidy/analysis/survey.js";
import { named } from "../tidy/names/naming.js";
import { id, number } from "../typescript/build.js";
import { isName, isSameExpr } from "../typescript/facts.js";
import { mapExpressions, mapParts, visitExpressions, visitNames } from "../typescript/traverse.js";
import type { TsDeclaration, TsExpr, TsFunction } from "../typescript/tree.js";

type Inner = TsDeclaration & { readonly kind: "function" | "generator" };

/** The functions that others may be twins of, and what the runtime's limit of the stack is called. */
interface Module {
  readonly inner: ReadonlyMap<string, Inner>;
  readonly limit: string;
}

/** Declarations in which of functions that do the same one alone is called; `limit` is what the runtime's limit of the stack is called. */
export function withoutTwins(declarations: readonly TsDeclaration[], limit: string): readonly TsDeclaration[] {
  const module: Module = { inner: new Map(declarations.filter(isInner).map((each) => [each.fn.name, each])), limit };
  const names = new Map<string, string>();
  const words = new Map<string, number>();
  for (const twins of twinsAmong(module)) {
    const [chosen, ...others] = [...twins].sort((a, b) => a.fn.name.length - b.fn.name.length);
    if (chosen === undefined || others.length === 0) continue;
    for (const { fn } of others) names.set(fn.name, chosen.fn.name);
    words.set(chosen.fn.name, Math.max(...twins.map(({ fn }) => wordsOf(fn, module))));
  }
  if (names.size === 0) return declarations;
  const roomy = declarations.map((declaration) => {
    const needed = isInner(declaration) ? words.get(declaration.fn.name) : undefined;
    return needed === undefined || !isInner(declaration) ? declaration : { ...declaration, fn: withWords(declaration.fn, needed, module) }; // prettier-ignore
  });
  return roomy.flatMap((declaration) => {
    if ("fn" in declaration) return [{ ...declaration, fn: withNames(declaration.fn, names) }];
    return renameIn([declaration], { values: names, types: new Map() });
  });
}

/** A function that mentions others of the module by other names: its own variables may have any of these names. */
function withNames(fn: TsFunction, names: ReadonlyMap<string, string>): TsFunction {
  const concerned: string[] = [];
  visitNames(fn.body, (name) => {
    if (names.has(name)) concerned.push(name);
  });
  if (concerned.length === 0) return fn;
  const bindings = new Bindings();
  const renamed = mapExpressions(separated(fn, bindings), (expr, rewriting) => {
    const name = expr.kind === "id" ? names.get(expr.name) : undefined;
    return name === undefined ? mapParts(expr, rewriting) : id(name);
  });
  return named(renamed, bindings);
}

function isInner(declaration: TsDeclaration): declaration is Inner {
  return declaration.kind === "generator" || (declaration.kind === "function" && !declaration.exported);
}

/** The functions, those of a definition together that do the same: as few groups as there can be. */
function twinsAmong(module: Module): readonly (readonly Inner[])[] {
  const { inner } = module;
  const calls = new Map<string, readonly string[]>();
  let classes = new Map<string, string>();
  for (const [name, { kind, fn }] of inner) {
    const called: string[] = [];
    const own = variablesOf(fn);
    const isCalled = (mentioned: string): boolean => inner.has(mentioned) && !own.has(mentioned);
    visitNames(fn.body, (mentioned) => {
      if (isCalled(mentioned)) called.push(mentioned);
    });
    calls.set(name, called);
    const { typeParams, params, result, body } = withWords(fn, 0, module);
    const text = keyOf({ kind, typeParams, params, result, body });
    classes.set(name, text.replace(/\{"kind":"id","name":"([^"]*)"\}/g, (id, mentioned: string) => isCalled(mentioned) ? "called" : id)); // prettier-ignore
  }
  for (;;) {
    const numbers = new Map<string, number>();
    const next = new Map<string, string>();
    for (const text of classes.values()) if (!numbers.has(text)) numbers.set(text, numbers.size);
    const numberOf = (name: string): number => numbers.get(classes.get(name) ?? "") ?? 0;
    for (const name of inner.keys()) next.set(name, [name, ...(calls.get(name) ?? [])].map(numberOf).join(" "));
    classes = next;
    if (new Set(next.values()).size === numbers.size) break;
  }
  const groups = new Map<string, Inner[]>();
  for (const [name, declaration] of inner) {
    const key = `${classes.get(name) ?? ""} ${definitionOf(name)}`;
    groups.set(key, [...(groups.get(key) ?? []), declaration]);
  }
  return [...groups.values()];
}

/** The names of a function's parameters and variables. */
function variablesOf(fn: TsFunction): ReadonlySet<string> {
  return new Set(surveyed(fn).variables.keys());
}

/** What the functions of a definition have in common: `total` for `total1`, `totalForward` and `totalForwardDeep`. */
function definitionOf(name: string): string {
  return name.replace(/\d*(?:Forward|Reverse)?(?:Deep)?$/, "");
}

/** The words of stack that a function counts for its own calls; 0 where it counts none. */
function wordsOf(fn: TsFunction, module: Module): number {
  let words = 0;
  visitExpressions(fn.body, (expr) => {
    words = Math.max(words, depthOf(expr, fn, module)?.words ?? 0);
  });
  return words;
}

/** A function that counts so many words of stack for its calls. */
function withWords(fn: TsFunction, words: number, module: Module): TsFunction {
  return mapExpressions(fn, (expr, rewriting) => {
    const found = depthOf(expr, fn, module);
    if (found === null || expr.kind !== "call") return mapParts(expr, rewriting);
    const args = [...expr.args.slice(0, -1), { ...found.depth, right: number(words) }];
    return mapParts({ ...expr, args }, rewriting);
  });
}

/** What a call of a function hands on as its depth, which is that of the function around it and so many words; null for other expressions. */
function depthOf(
  expr: TsExpr,
  { body: [guard] }: TsFunction,
  { inner, limit }: Module,
): { readonly depth: TsExpr & { readonly kind: "binary" }; readonly words: number } | null {
  if (guard?.kind !== "if" || guard.test.kind !== "binary" || !isName(guard.test.right, limit)) return null;
  if (expr.kind !== "call" || expr.fn.kind !== "id" || !inner.has(expr.fn.name)) return null;
  const depth = expr.args.at(-1);
  if (depth?.kind !== "binary" || depth.op !== "+" || depth.right.kind !== "number") return null;
  return isSameExpr(depth.left, guard.test.left) ? { depth, words: depth.right.value } : null;
}
