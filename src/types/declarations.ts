// Data types and aliases: what their names mean, and that they are well-formed.

import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import { components, shortestCycle } from "../components.js";
import { type Files, uniqueNames } from "./files.js";
import { meantNames } from "./imported-names.js";
import type { Named, TypeMistake } from "./mistakes.js";
import { type AliasInfo, type TypeNames, type TypeReader, isBuiltinType, readType, typeNamesIn } from "./read-type.js";
import { resolvedType } from "./snapshot.js";
import { type ConstructorInfo, type DataInfo, type Ty, type Variable, prune, sumInfo, variableTy } from "./ty.js";
import type { Unifier } from "./unify.js";

/** The types and constructors that a file can name: its own, those that it imports, and those of the prelude that it does not shadow. */
export interface Declarations extends TypeNames {
  readonly constructors: ReadonlyMap<string, ConstructorInfo>;
  /** The data types in scope with each field. */
  readonly fields: ReadonlyMap<string, readonly DataInfo[]>;
  /** The file's own, in source order. */
  readonly ownData: readonly DeclaredData[];
  readonly ownAliases: readonly DeclaredAlias[];
}

export const noDeclarations: Declarations = {
  data: new Map(),
  aliases: new Map(),
  constructors: new Map(sumInfo.constructors.map((constructor) => [constructor.name, constructor])),
  fields: new Map(),
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

/** Reads the declarations of every file. */
export function declareAll(
  files: Files,
  unifier: Unifier,
  mistakes: TypeMistake[],
): ReadonlyMap<Tree.Module, Declarations> {
  const unique = uniqueNames(files, (file) => typeItems(file).map((item) => item.name.name));
  const all = new Map<Tree.Module, Declarations>();
  const prelude = declare({ file: files.prelude, outer: noDeclarations, own: false, unique }, unifier, mistakes);
  all.set(files.prelude, prelude);
  for (const file of files.user) {
    const imports = files.importsOf(file);
    const named = [
      ...imports.map((each) => ({ from: each.file, names: meantNames(each) })),
      ...imports.map((each) => ({ from: each.file, names: each.item.names.map(({ name }) => name) })),
    ];
    const outer = named.reduce(
      (sees, { from, names }) => withImported(sees, all.get(from) ?? noDeclarations, names),
      prelude,
    );
    all.set(file, declare({ file, outer, own: file === files.main, unique }, unifier, mistakes));
  }
  return all;
}

function typeItems(file: Tree.Module): readonly (Tree.DataItem | Tree.AliasItem)[] {
  return file.items.filter((item) => item.kind === "data" || item.kind === "alias");
}

/** `outer` with the types of another file that are named; a data type brings its constructors. */
function withImported(outer: Declarations, from: Declarations, names: readonly string[]): Declarations {
  const data = from.ownData.filter(({ info }) => names.includes(info.name)).map(({ info }) => info);
  const aliases = from.ownAliases.filter(({ info }) => names.includes(info.name)).map(({ info }) => info);
  const constructors = data.flatMap((info) => info.constructors);
  // A name that is not there is told once, at the import: it may be an alias of anything
  const declared = new Set([...data, ...aliases].map(({ name }) => name));
  const missing = names.filter((name) => /^\p{Lu}/u.test(name) && !declared.has(name));
  aliases.push(...missing.map((name): AliasInfo => ({ name, params: [], type: null })));
  return { ...outer, ...visible(outer, data, aliases), constructors: added(outer.constructors, constructors) };
}

/** What is seen where `data` and `aliases` are declared. */
function visible(
  outer: Declarations,
  data: readonly DataInfo[],
  aliases: readonly AliasInfo[],
): Pick<Declarations, "data" | "aliases"> {
  const declared = new Set([...data, ...aliases].map(({ name }) => name));
  const rest = <T>(entries: ReadonlyMap<string, T>): [string, T][] =>
    [...entries].filter(([name]) => !declared.has(name));
  return {
    data: new Map([...rest(outer.data), ...data.map((info): [string, DataInfo] => [info.name, info])]),
    aliases: new Map([...rest(outer.aliases), ...aliases.map((info): [string, AliasInfo] => [info.name, info])]),
  };
}

function added<T extends { readonly name: string }>(
  known: ReadonlyMap<string, T>,
  more: readonly T[],
): ReadonlyMap<string, T> {
  return new Map([...known, ...more.map((each): [string, T] => [each.name, each])]);
}

/** The data types with each field. */
function fieldsOf(data: Iterable<DataInfo>): ReadonlyMap<string, readonly DataInfo[]> {
  const fields = new Map<string, DataInfo[]>();
  for (const info of data) {
    const names = new Set(info.constructors.flatMap(({ fieldNames }) => fieldNames ?? []).map(({ name }) => name));
    for (const name of names) {
      const known = fields.get(name);
      if (known === undefined) fields.set(name, [info]);
      else known.push(info);
    }
  }
  return fields;
}

interface FileToDeclare {
  readonly file: Tree.Module;
  readonly outer: Declarations;
  readonly own: boolean;
  readonly unique: (file: Tree.Module, name: string) => string;
}

function declare(declared: FileToDeclare, unifier: Unifier, mistakes: TypeMistake[]): Declarations {
  const { outer } = declared;
  const { declaredData, declaredAliases } = collect(declared, mistakes);
  const data = declaredData.map(({ info }) => info);
  const aliases = declaredAliases.map(({ info }) => info);
  const constructors = new Map(outer.constructors);
  const names = visible(outer, data, aliases);
  const seen: TypeNames = { ...names, constructors };
  readAliases(declaredAliases, seen, unifier, mistakes);
  const first = new Map<string, Span>();
  for (const { item, info } of declaredData) {
    const reader = readerFor(info.params, seen, unifier, mistakes);
    info.constructors = item.constructors.map(({ name, fields, fieldNames }): ConstructorInfo => {
      checkFieldNames(fieldNames ?? [], mistakes);
      const before = mistakes.length;
      const types = fields.map((field) => readType(field, reader));
      if (fieldNames === null) noteMissingBars(mistakes, before);
      return { name: name.name, data: info, fields: types, fieldNames, span: name.span };
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
  const fields = fieldsOf(names.data.values());
  return { ...names, constructors, fields, ownData: declaredData, ownAliases: declaredAliases };
}

function checkFieldNames(names: readonly Tree.Ident[], mistakes: TypeMistake[]): void {
  const first = new Map<string, Span>();
  for (const { name, span } of names) {
    const earlier = first.get(name);
    if (earlier === undefined) first.set(name, span);
    else mistakes.push({ kind: "duplicate", what: "field", name, span, first: earlier });
  }
}

function collect(
  { file, own, unique }: FileToDeclare,
  mistakes: TypeMistake[],
): { readonly declaredData: readonly DeclaredData[]; readonly declaredAliases: readonly DeclaredAlias[] } {
  const first = new Map<string, Span>();
  const declaredData: DeclaredData[] = [];
  const declaredAliases: DeclaredAlias[] = [];
  for (const item of typeItems(file)) {
    const { name, span } = item.name;
    const params = readParams(item.params, mistakes);
    const earlier = first.get(name);
    if (isBuiltinType(name)) mistakes.push({ kind: "reservedName", what: "type", name, span });
    else if (earlier !== undefined) mistakes.push({ kind: "duplicate", what: "type", name, span, first: earlier });
    else {
      first.set(name, span);
      if (item.kind === "alias") declaredAliases.push({ item, info: { name, params, type: null } });
      else {
        const info: DataInfo = { name, unique: unique(file, name), params, constructors: [], doc: item.doc, own };
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
    return { name, variable: variableTy(0, "any", { name, owners: new Map() }) };
  });
}

function readerFor(
  params: DataInfo["params"],
  names: TypeNames,
  unifier: Unifier,
  mistakes: TypeMistake[],
): TypeReader {
  const unbound = new Set<string>();
  const variable = ({ name, span }: Tree.Ident): Variable | null => {
    const param = params.find((candidate) => candidate.name === name);
    if (param !== undefined) return param.variable;
    if (unbound.has(name)) return null;
    unbound.add(name);
    const suggestions = params.map((candidate) => candidate.name);
    mistakes.push({
      kind: "unbound",
      what: "type variable",
      name,
      span,
      suggestions,
      elsewhere: null,
      isApplied: false,
      clue: null,
    });
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

/** Among the fields of a constructor the name of an unknown type may be another constructor. */
function noteMissingBars(mistakes: TypeMistake[], from: number): void {
  mistakes.slice(from).forEach((mistake, i) => {
    if (mistake.kind === "unbound" && mistake.what === "type") mistakes[from + i] = { ...mistake, clue: { kind: "field" } }; // prettier-ignore
  });
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
    else if (part.kind === "array") todo.push(part.element);
  }
  return [...seen];
}
