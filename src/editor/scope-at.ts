// The names that a place sees, with their types.

import type { Analysis } from "../driver/analyse.js";
import type * as Tree from "../syntax/tree.js";
import { partsOf } from "../syntax/edit.js";
import { patternNames } from "../types/pattern-names.js";
import { builtInNames } from "../types/built-in.js";
import { overloadedNames } from "../core/primitives.js";
import type { FunctionSymbol, Use } from "../types/scope.js";
import { preludeSource } from "../driver/load-options.js";
import { builtInUseType, functionType, shownType } from "./types.js";

export interface Visible {
  readonly name: string;
  readonly kind: "variable" | "function" | "constructor" | "type";
  readonly type: string;
  readonly doc: string;
}

/** The variables and local functions of a definition that its expression at a place sees, the nearest last. */
export function localsAt(analysis: Analysis, offset: number): readonly Visible[] {
  const { program, tree } = analysis;
  const item = tree.items.findLast(({ span }) => span.start <= offset);
  if (program === null || (item?.kind !== "def" && item?.kind !== "rule")) return [];
  const symbol = program.definitions.get(tree)?.get(item.kind === "def" ? item.binding.name.name : item.name.name);
  const definition = symbol?.definition ?? null;
  if (definition === null) return [];
  const found: Visible[] = [];
  const variables = (patterns: readonly Tree.Pattern[]): void => {
    for (const ident of patternNames(patterns)) {
      const local = program.scope.locals.get(ident);
      found.push({
        name: ident.name,
        kind: "variable",
        type: local === undefined ? "" : shownType(local.type),
        doc: "",
      });
    }
  };
  const functions = (bindings: readonly Tree.FunctionBinding[]): void => {
    for (const { name } of bindings) {
      const local = program.scope.functions.get(name);
      found.push({ name: name.name, kind: "function", type: local === undefined ? "" : functionType(analysis, local), doc: "" }); // prettier-ignore
    }
  };
  const isIn = ({ span }: Tree.Expr): boolean => span.start <= offset && offset <= span.end;
  if (item.kind === "def") variables(definition.item.binding.params);
  else variables(item.params);
  const todo: Tree.Expr[] = [item.kind === "def" ? item.binding.body : item.body];
  for (let expr = todo.pop(); expr !== undefined; expr = todo.pop()) {
    switch (expr.kind) {
      case "lambda":
        if (isIn(expr.body)) variables(expr.params);
        todo.push(...[expr.body].filter(isIn));
        break;
      case "let":
        if (isIn(expr.body)) variables([expr.pattern]);
        todo.push(...[isIn(expr.body) ? expr.body : expr.bound].filter(isIn));
        break;
      case "letFunction": {
        const inside = expr.bindings.find(({ body }) => isIn(body));
        if (expr.recursive || inside === undefined) functions(expr.bindings);
        if (inside !== undefined) variables(inside.params);
        todo.push(...[inside?.body ?? expr.body].filter(isIn));
        break;
      }
      case "case": {
        const branch = expr.branches.find(({ body }) => isIn(body));
        if (branch !== undefined) variables([branch.pattern]);
        todo.push(...[branch?.body ?? expr.scrutinee].filter(isIn));
        break;
      }
      default:
        todo.push(...partsHolding(expr, isIn));
    }
  }
  return found;
}

function partsHolding(expr: Tree.Expr, isIn: (expr: Tree.Expr) => boolean): readonly Tree.Expr[] {
  const [first] = partsOf(expr).filter(isIn).slice(-1);
  return first === undefined ? [] : [first];
}

/** The definitions of the file, what it imports, the prelude's, and what is built in; constructors. */
export function globalsOf(analysis: Analysis): readonly Visible[] {
  const { program, tree } = analysis;
  if (program === null) return [];
  const { files, definitions, declarations } = program;
  const shown = (symbol: FunctionSymbol): Visible => ({
    name: symbol.name,
    kind: "function",
    type: functionType(analysis, symbol),
    doc: symbol.definition?.item.doc ?? "",
  });
  const own = [...(definitions.get(tree)?.values() ?? [])].map(shown);
  const imported = files.importsOf(tree).flatMap(({ item, file }) =>
    item.names.flatMap(({ name }) => {
      const symbol = definitions.get(file)?.get(name);
      return symbol === undefined ? [] : [shown(symbol)];
    }),
  );
  const prelude = [...(definitions.get(files.prelude)?.values() ?? [])];
  const documented = prelude.filter(({ definition }) => definition !== null && definition.item.doc !== "").map(shown);
  const builtIn = (name: string, use: Use): Visible => ({ name, kind: "function", type: builtInUseType(use), doc: "" });
  const constructors = [...(declarations.get(tree)?.constructors.values() ?? [])].map((info): Visible => {
    const type = info.fieldNames === null ? info.data.name : `${info.data.name} { ${info.fieldNames.map(({ name }) => name).join(", ")} }`; // prettier-ignore
    return { name: info.name, kind: "constructor", type, doc: info.data.doc };
  });
  return [
    ...own,
    ...imported,
    ...documented,
    ...[...overloadedNames]
      .filter((name) => /^[a-z]/.test(name))
      .map((name) => builtIn(name, { kind: "primitive", name })),
    ...builtInNames.filter((name) => name !== "index" && !name.includes(" ")).map((name) => builtIn(name, { kind: "builtIn", name })), // prettier-ignore
    builtIn("fst", { kind: "projection", index: 0 }),
    builtIn("snd", { kind: "projection", index: 1 }),
    ...constructors,
  ];
}

/** The types that a file can name. */
export function typesOf({ program, tree }: Analysis): readonly Visible[] {
  const declared = program?.declarations.get(tree);
  const type = (name: string, doc = "", shown = ""): Visible => ({ name, kind: "type", type: shown, doc });
  return [
    ...["R", "Z", "Bool"].map((name) => type(name)),
    ...[...(declared?.data.values() ?? [])].filter(({ name }) => name !== "+").map(({ name, doc }) => type(name, doc)),
    ...[...(declared?.aliases.values() ?? [])].map((alias) => type(alias.name, "", alias.type === null ? "" : shownType(alias.type))), // prettier-ignore
  ];
}

/** What a file defines that another one can import. */
export function importableFrom(file: Tree.Module, source: string): readonly Visible[] {
  return file.items.flatMap((item): readonly Visible[] => {
    if (item.kind === "import" || item.kind === "rule") return [];
    const { name } = item.kind === "def" ? item.binding.name : item.name;
    const isType = item.kind === "data" || item.kind === "alias";
    // What the library has for its own use has no documentation
    if (source !== preludeSource.name && source.startsWith("<") && item.doc === "") return [];
    return [{ name, kind: isType ? "type" : "function", type: "", doc: item.doc }];
  });
}
