// Type inference: Hindley-Milner with let-polymorphism and overloaded numbers, from the surface tree to the typed tree.

import { Names } from "../core/names.js";
import { type DataDecl, type Type, unit } from "../core/type.js";
import type { Outcome } from "../diagnostics/diagnostic.js";
import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import { TypedBuilder } from "./build-typed.js";
import { components, shortestCycle } from "./components.js";
import { Context } from "./context.js";
import { type Declarations, type DeclaredData, declareAll } from "./declarations.js";
import { checkMatch } from "./exhaustiveness.js";
import { inferExpr } from "./infer-expressions.js";
import { type GroupMember, inferGroup } from "./infer-groups.js";
import type { TypeMistake } from "./mistakes.js";
import { type FunctionSymbol, type Scope, type TopLevel, functionSymbol, resolveNames } from "./scope.js";
import { type DataInfo, type Ty, sumInfo } from "./ty.js";
import type * as Typed from "./typed.js";
import { Unifier } from "./unify.js";
import { Zonker } from "./zonk.js";

/**
 * The typed module of the file `own`, which may use and shadow what `prelude` defines. Definitions with mistakes in them are left out; the
 * only mistakes that allow to go on are redundant branches.
 */
export function inferModule(own: Tree.Module, prelude: Tree.Module): Outcome<Typed.Module, TypeMistake> {
  const mistakes: TypeMistake[] = [];
  const unifier = new Unifier();
  const declarations = declareAll(own, prelude, unifier, mistakes);
  const definitions = declareDefinitions(own, prelude, mistakes);
  const scope = resolveNames(definitions.own, definitions.prelude, mistakes);
  const cx = new Context(unifier, scope, declarations.own, mistakes);

  const groups = groupsOf(scope);
  const sound = groups.filter((group) => inferDefinitions(cx, group, scope, declarations));
  const zonker = new Zonker();
  const builder = new TypedBuilder(cx, zonker);
  const typedGroups = sound.map((group) => {
    enter(cx, group, declarations);
    return builder.group(group.members, group.recursive);
  });
  const typed = buildDeclarations(declarations, zonker, mistakes);
  checkMatches(builder, declarations, mistakes);
  const value: Typed.Module = { ...typed, groups: typedGroups };
  return { value, mistakes: mistakes.sort((a, b) => compareSpans(spanOf(a), spanOf(b))) };
}

/** The place of a mistake, for the order in which they are told. */
function spanOf(mistake: TypeMistake): Span | null {
  return "span" in mistake ? mistake.span : (mistake.cycle[0]?.span ?? null);
}

function compareSpans(left: Span | null, right: Span | null): number {
  return (left?.start ?? 0) - (right?.start ?? 0);
}

function declareDefinitions(
  own: Tree.Module,
  prelude: Tree.Module,
  mistakes: TypeMistake[],
): { readonly own: TopLevel; readonly prelude: TopLevel } {
  const ownItems = own.items.filter((item) => item.kind === "def");
  const preludeItems = prelude.items.filter((item) => item.kind === "def");
  const ownNames = new Set(ownItems.map((item) => item.binding.name.name));
  const names = new Names([...ownNames, ...preludeItems.map((item) => item.binding.name.name)]);
  const collect = (items: readonly Tree.DefItem[], isOwn: boolean): TopLevel => {
    const symbols = new Map<string, FunctionSymbol>();
    for (const item of items) {
      const ident = item.binding.name;
      const earlier = symbols.get(ident.name);
      if (earlier === undefined) {
        const unique = !isOwn && ownNames.has(ident.name) ? names.fresh(ident.name) : ident.name;
        symbols.set(ident.name, functionSymbol(ident, unique, { item, own: isOwn }));
      } else mistakes.push({ kind: "duplicate", what: "definition", ...ident, first: earlier.nameSpan });
    }
    return symbols;
  };
  return { own: collect(ownItems, true), prelude: collect(preludeItems, false) };
}

interface DefinitionGroup {
  readonly members: readonly GroupMember[];
  readonly symbols: readonly FunctionSymbol[];
  readonly recursive: boolean;
}

/** The definitions that depend on each other, each group after those that it uses. */
function groupsOf({ references }: Scope): readonly DefinitionGroup[] {
  const mentioned = (symbol: FunctionSymbol): ReadonlySet<FunctionSymbol> => references.get(symbol) ?? new Set();
  return components([...references.keys()], mentioned).map((symbols) => {
    const [first] = symbols;
    const recursive = symbols.length > 1 || (first !== undefined && mentioned(first).has(first));
    const members = symbols.flatMap((symbol): GroupMember[] => {
      const { definition } = symbol;
      if (definition === null) return [];
      const { item, own } = definition;
      return [{ binding: item.binding, symbol, origin: { doc: item.doc, own } }];
    });
    return { members, symbols, recursive };
  });
}

function enter(
  cx: Context,
  { members }: Pick<DefinitionGroup, "members">,
  declarations: { readonly own: Declarations; readonly prelude: Declarations },
): void {
  const [first] = members;
  if (first === undefined) return;
  cx.enterDefinition(first.symbol.name, first.origin.own ? declarations.own : declarations.prelude);
}

/** Whether there is no mistake in the group. */
function inferDefinitions(
  cx: Context,
  { members, symbols, recursive }: DefinitionGroup,
  { references }: Scope,
  declarations: { readonly own: Declarations; readonly prelude: Declarations },
): boolean {
  const before = cx.mistakes.length;
  enter(cx, { members }, declarations);
  const constant = members.find(({ binding }) => binding.params.length === 0);
  if (recursive && constant !== undefined) {
    const cycle = shortestCycle(constant.symbol, symbols, (symbol) => references.get(symbol) ?? []);
    cx.mistakes.push({
      kind: "constantCycle",
      cycle: cycle.map(({ name, nameSpan }) => ({ name, span: nameSpan })),
      constant: constant.binding.name,
    });
  }
  inferGroup(cx, members, recursive, (body, expected) => {
    inferExpr(cx, body, expected);
  });
  return cx.mistakes.length === before;
}

/** The data types and aliases, but for the prelude's types that nothing uses. */
function buildDeclarations(
  declarations: { readonly own: Declarations; readonly prelude: Declarations },
  zonker: Zonker,
  mistakes: TypeMistake[],
): Pick<Typed.Module, "data" | "aliases"> {
  const zonk = (type: Ty, params: DataInfo["params"], { name, span }: Tree.Ident): Type => {
    const names = params.map((param) => [param.variable, param.name] as const);
    const result = zonker.quantified(names, () => zonker.zonk(type));
    const isTold = mistakes.some((mistake) => mistake.kind === "typeTooLarge");
    if (result === null && !isTold) mistakes.push({ kind: "typeTooLarge", span, definition: name });
    return result ?? unit;
  };
  const build = ({ info, item }: DeclaredData): DataDecl => ({
    name: info.unique,
    params: info.params.map((param) => param.name),
    constructors: info.constructors.map(({ name, fields }) => ({
      name,
      fields: fields.map((field) => zonk(field, info.params, item.name)),
    })),
    doc: info.doc,
  });
  const data = declarations.own.ownData.map(build);
  const aliases = declarations.own.ownAliases.map(({ info, item }): Typed.Alias => {
    const type = info.type === null ? unit : zonk(info.type, info.params, item.name);
    return { name: info.name, params: info.params.map((param) => param.name), type, doc: item.doc };
  });
  // The fields of one type may be the first to mention another
  const rest = new Set(declarations.prelude.ownData);
  const used: DataDecl[] = [];
  for (let found = true; found;) {
    found = false;
    for (const declared of rest) {
      if (!zonker.data.has(declared.info)) continue;
      rest.delete(declared);
      used.push(build(declared));
      found = true;
    }
  }
  return { data: [...used, ...data], aliases };
}

function checkMatches(
  builder: TypedBuilder,
  declarations: { readonly own: Declarations; readonly prelude: Declarations },
  mistakes: TypeMistake[],
): void {
  const declared = [...declarations.prelude.ownData, ...declarations.own.ownData];
  const all: readonly DataInfo[] = [sumInfo, ...declared.map(({ info }) => info)];
  const byName = new Map(
    all.map((data) => [data.unique, data.constructors.map(({ name, fields }) => ({ name, arity: fields.length }))]),
  );
  for (const match of builder.matches) mistakes.push(...checkMatch(match, (data) => byName.get(data) ?? []));
}
