// Data types and aliases: what their names mean, and that they are well-formed.

import { Names } from "../core/names.js";
import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import { components, shortestCycle } from "./components.js";
import type { Named, TypeMistake } from "./mistakes.js";
import { type AliasInfo, type TypeNames, type TypeReader, isBuiltinType, readType, typeNamesIn } from "./read-type.js";
import { resolvedType } from "./snapshot.js";
import { type ConstructorInfo, type DataInfo, type Ty, type Variable, prune, sumInfo, variableTy } from "./ty.js";
import type { Unifier } from "./unify.js";

/** The types and constructors that a file can name, its own and those of the prelude that it does not shadow. */
export interface Declarations extends TypeNames {
  readonly constructors: ReadonlyMap<string, ConstructorInfo>;
  /** The file's own, in source order. */
  readonly ownData: readonly DeclaredData[];
  readonly ownAliases: readonly DeclaredAlias[];
}

const noDeclarations: Declarations = {
  data: new Map(),
  aliases: new Map(),
  constructors: new Map(sumInfo.constructors.map((constructor) => [constructor.name, constructor])),
  ownData: [],
  ownAliases: [],
};

export interface DeclaredData {
  readonly item: Tree.DataItem;
  readonly info: DataInfo;
}

export interface DeclaredAlias {
  readonly item: Tree.AliasItem;
  readonly info: AliasInfo;
}

/** Reads the prelude's declarations and then the file's. */
export function declareAll(
  own: Tree.Module,
  prelude: Tree.Module,
  unifier: Unifier,
  mistakes: TypeMistake[],
): { readonly prelude: Declarations; readonly own: Declarations } {
  const ownNames = own.items.flatMap((item) => (item.kind === "def" ? [] : [item.name.name]));
  const preludeNames = prelude.items.flatMap((item) => (item.kind === "def" ? [] : [item.name.name]));
  const names = new Names([...ownNames, ...preludeNames]);
  const shadowed = new Set(ownNames);
  const unique = (name: string): string => (shadowed.has(name) ? names.fresh(name) : name);
  const preludeDeclarations = declare(prelude, noDeclarations, false, unique, unifier, mistakes);
  const ownDeclarations = declare(own, preludeDeclarations, true, (name) => name, unifier, mistakes);
  return { prelude: preludeDeclarations, own: ownDeclarations };
}

function declare(
  module: Tree.Module,
  outer: Declarations,
  own: boolean,
  unique: (name: string) => string,
  unifier: Unifier,
  mistakes: TypeMistake[],
): Declarations {
  const { declaredData, declaredAliases } = collect(module, own, unique, mistakes);
  const declared = new Set([...declaredData, ...declaredAliases].map(({ info }) => info.name));
  const visible = <T>(entries: ReadonlyMap<string, T>): [string, T][] =>
    [...entries].filter(([name]) => !declared.has(name));
  const constructors = new Map(outer.constructors);
  const declarations: Declarations = {
    data: new Map([...visible(outer.data), ...declaredData.map(({ info }): [string, DataInfo] => [info.name, info])]),
    aliases: new Map([
      ...visible(outer.aliases),
      ...declaredAliases.map(({ info }): [string, AliasInfo] => [info.name, info]),
    ]),
    constructors,
    ownData: declaredData,
    ownAliases: declaredAliases,
  };
  readAliases(declaredAliases, declarations, unifier, mistakes);
  const first = new Map<string, Span>();
  for (const { item, info } of declaredData) {
    const reader = readerFor(info.params, declarations, unifier, mistakes);
    info.constructors = item.constructors.map(({ name, fields }): ConstructorInfo => {
      return { name: name.name, data: info, fields: fields.map((f) => readType(f, reader)), span: name.span };
    });
    for (const [i, { name }] of item.constructors.entries()) {
      const constructor = info.constructors[i];
      if (constructor === undefined) continue;
      const earlier = first.get(name.name);
      if (earlier !== undefined) {
        mistakes.push({ kind: "duplicate", what: "constructor", name: name.name, span: name.span, first: earlier });
      } else if (name.name === "inl" || name.name === "inr") {
        mistakes.push({ kind: "reservedName", what: "constructor", name: name.name, span: name.span });
      } else {
        first.set(name.name, name.span);
        constructors.set(name.name, constructor);
      }
    }
  }
  checkRegular(declaredData, mistakes);
  return declarations;
}

function collect(
  module: Tree.Module,
  own: boolean,
  unique: (name: string) => string,
  mistakes: TypeMistake[],
): { readonly declaredData: readonly DeclaredData[]; readonly declaredAliases: readonly DeclaredAlias[] } {
  const first = new Map<string, Span>();
  const declaredData: DeclaredData[] = [];
  const declaredAliases: DeclaredAlias[] = [];
  for (const item of module.items) {
    if (item.kind === "def") continue;
    const { name, span } = item.name;
    const params = readParams(item.params, mistakes);
    const earlier = first.get(name);
    if (isBuiltinType(name)) mistakes.push({ kind: "reservedName", what: "type", name, span });
    else if (earlier !== undefined) mistakes.push({ kind: "duplicate", what: "type", name, span, first: earlier });
    else {
      first.set(name, span);
      if (item.kind === "alias") declaredAliases.push({ item, info: { name, params, type: null } });
      else {
        const info: DataInfo = { name, unique: unique(name), params, constructors: [], doc: item.doc, own };
        declaredData.push({ item, info });
      }
    }
  }
  return { declaredData, declaredAliases };
}

function readParams(params: readonly Tree.Ident[], mistakes: TypeMistake[]): DataInfo["params"] {
  const first = new Map<string, Span>();
  return params.map(({ name, span }) => {
    const earlier = first.get(name);
    if (earlier === undefined) first.set(name, span);
    else mistakes.push({ kind: "duplicate", what: "type parameter", name, span, first: earlier });
    return { name, variable: variableTy(0, "any", { name, owners: new Set() }) };
  });
}

function readerFor(
  params: DataInfo["params"],
  names: TypeNames,
  unifier: Unifier,
  mistakes: TypeMistake[],
): TypeReader {
  const variable = ({ name, span }: Tree.Ident): Variable | null => {
    const param = params.find((candidate) => candidate.name === name);
    if (param !== undefined) return param.variable;
    const suggestions = params.map((candidate) => candidate.name);
    mistakes.push({ kind: "unbound", what: "type variable", name, span, suggestions, elsewhere: null });
    return null;
  };
  return { names, unifier, mistakes, variable };
}

function readAliases(
  declared: readonly DeclaredAlias[],
  names: TypeNames,
  unifier: Unifier,
  mistakes: TypeMistake[],
): void {
  const byName = new Map(declared.map((alias) => [alias.info.name, alias]));
  const mentioned = ({ item }: DeclaredAlias): DeclaredAlias[] =>
    typeNamesIn(item.type).flatMap(({ name }) => byName.get(name) ?? []);
  for (const component of components(declared, mentioned)) {
    const [alias] = component;
    if (alias === undefined) continue;
    if (component.length > 1 || mentioned(alias).includes(alias)) {
      const cycle = shortestCycle(alias, component, mentioned).map(({ item }): Named => item.name);
      mistakes.push({ kind: "recursiveAlias", cycle });
      continue;
    }
    alias.info.type = readType(alias.item.type, readerFor(alias.info.params, names, unifier, mistakes));
  }
}

/**
 * Recursive occurrences of data types must be at type variables or closed types: then the instances of each type are finitely many. The
 * irregular fields lose their type, so that nothing that follows meets infinitely many instances.
 */
function checkRegular(declared: readonly DeclaredData[], mistakes: TypeMistake[]): void {
  const infos = declared.map(({ info }) => info);
  const mentioned = (info: DataInfo): Set<DataInfo> => {
    const found = new Set<DataInfo>();
    for (const type of partsOf(info.constructors.flatMap(({ fields }) => fields))) {
      if (type.kind === "data") found.add(type.data);
    }
    return found;
  };
  for (const component of components(infos, mentioned)) {
    const members = new Set(component);
    for (const info of component) {
      const irregular = partsOf(info.constructors.flatMap(({ fields }) => fields)).find(
        (type) => type.kind === "data" && members.has(type.data) && !type.args.every(isVariableOrClosed),
      );
      if (irregular === undefined) continue;
      const item = declared.find((candidate) => candidate.info === info)?.item;
      if (item === undefined) continue;
      mistakes.push({ kind: "irregularData", ...item.name, type: resolvedType(irregular) });
    }
  }
}

function isVariableOrClosed(type: Ty): boolean {
  return prune(type).kind === "variable" || partsOf([type]).every((part) => part.kind !== "variable");
}

/** Every type inside, each once. */
function partsOf(types: readonly Ty[]): readonly Ty[] {
  const seen = new Set<Ty>();
  const todo = [...types];
  for (let type = todo.pop(); type !== undefined; type = todo.pop()) {
    const part = prune(type);
    if (seen.has(part)) continue;
    seen.add(part);
    if (part.kind === "tuple") todo.push(...part.items);
    else if (part.kind === "fn") todo.push(part.to, part.from);
    else if (part.kind === "data") todo.push(...part.args);
  }
  return [...seen];
}
