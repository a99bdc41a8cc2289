// Type inference: Hindley-Milner with let-polymorphism and overloaded numbers, from the surface tree to the typed tree.

import { definitionsWithRules } from "./rules.js";
import { DataTypes } from "../core/type-parts.js";
import { type DataDecl, type Type, unit } from "../core/type.js";
import type { Outcome } from "../outcome.js";
import type * as Tree from "../syntax/tree.js";
import { TypedBuilder } from "./build-typed.js";

import { Context } from "./context.js";
import { type Declarations, type DeclaredData, declareAll, noDeclarations } from "./declarations.js";
import { type Match, checkMatch } from "./exhaustiveness.js";
import { type Files, type ImportedFiles, orderFiles, uniqueNames } from "./files.js";
import { meantNames, placesIn } from "./imported-names.js";
import { checkImports } from "./imports.js";
import {
  type DefinitionGroup,
  declarationsOf,
  enter,
  groupsOf,
  inferDefinitions,
  type ProgramScope,
} from "./definition-groups.js";
import { mistakesWith } from "./infer-again.js";
import { placeOf, type TypeMistake } from "./mistakes.js";
import { fusedMistakes } from "./fused.js";
import { withFittingSuggestions } from "./fitting-suggestions.js";
import type { FieldsOf } from "./pattern-names.js";
import { repaired } from "./repairs.js";
import {
  type FunctionSymbol,
  type Scope,
  type TopLevel,
  type VisibleNames,
  functionSymbol,
  resolveNames,
} from "./scope.js";
import { type DataInfo, type Ty, sumInfo } from "./ty.js";
import type * as Typed from "./typed.js";
import { Unifier } from "./unify.js";
import { Zonker } from "./zonk.js";

/**
 * The typed module of the file `own`, which may use and shadow what `prelude` defines, and uses what its imports name. Definitions with
 * mistakes in them are left out; the only mistakes that allow to go on are redundant branches.
 */
export function inferModule(
  own: Tree.Module,
  prelude: Tree.Module,
  trees: ImportedFiles = new Map(),
): Outcome<Typed.Module, TypeMistake> {
  const { value, mistakes } = inferAll(own, prelude, trees);
  return { value, mistakes: mistakes() };
}

/** What inference finds out, also about a file with mistakes. */
export interface Inferred {
  readonly value: Typed.Module;
  /** The mistakes with what would mend them, which is looked for when they are asked for. */
  readonly mistakes: () => readonly TypeMistake[];
  /** What the names and nodes of the trees mean; null where files import each other. */
  readonly program: InferredProgram | null;
}

/** As `inferModule`, with what is known of the trees. */
export function inferAll(own: Tree.Module, prelude: Tree.Module, trees: ImportedFiles): Inferred {
  const found: TypeMistake[] = [];
  const program = inferProgram(own, prelude, trees, found);
  const value = program === null ? emptyModule(own) : buildModule(own, program, found);
  const told = program === null ? found : sorted(found, program.files);
  const mistakesOf = (changed: Tree.Module): readonly TypeMistake[] =>
    (program === null ? null : mistakesWith(program, changed)) ?? namesAndTypes(changed, prelude, trees);
  const mistakes = (): readonly TypeMistake[] =>
    withFittingSuggestions(own, repaired(own, told, mistakesOf), told, mistakesOf);
  return { value, mistakes, program };
}

/** The mistakes of a program in its names and types, without what would mend them. */
export function namesAndTypes(own: Tree.Module, prelude: Tree.Module, trees: ImportedFiles): readonly TypeMistake[] {
  const mistakes: TypeMistake[] = [];
  inferProgram(own, prelude, trees, mistakes);
  return mistakes;
}

function emptyModule({ span }: Tree.Module): Typed.Module {
  return { data: [], aliases: [], file: span.file, imported: [], groups: [] };
}

/** What is known of a program's names and types. */
export interface InferredProgram extends ProgramScope {
  readonly cx: Context;
  /** The groups without mistakes. */
  readonly sound: readonly DefinitionGroup[];
}

/** The names and types of all definitions; null where the files import each other. */
function inferProgram(
  own: Tree.Module,
  prelude: Tree.Module,
  trees: ImportedFiles,
  mistakes: TypeMistake[],
): InferredProgram | null {
  const files = orderFiles(own, prelude, trees, mistakes);
  if (files === null) return null;
  const unifier = new Unifier();
  const declarations = declareAll(files, unifier, mistakes);
  const definitions = declareDefinitions(files, mistakes);
  checkImports(files, definitions, declarations, mistakes);
  const outside = [...mistakes];
  const visibleIn = visibleNames(files, definitions, declarations);
  const all = files.user.flatMap((file) => [...(definitions.get(file)?.values() ?? [])]);
  const scope = resolveNames(all, visibleIn, mistakes);
  const cx = new Context(unifier, scope, declarations.get(own) ?? noDeclarations, mistakes);
  const groups = groupsOf(files, scope);
  const program: ProgramScope = {
    files,
    declarations,
    definitions,
    scope,
    visibleIn,
    outside,
    groups,
    inGroup: new Map(),
  };
  const inGroup = new Map<DefinitionGroup, readonly TypeMistake[]>();
  for (const group of groups) {
    const before = mistakes.length;
    inferDefinitions(cx, group, program);
    inGroup.set(group, mistakes.slice(before));
  }
  return { ...program, inGroup, cx, sound: groups.filter((group) => inGroup.get(group)?.length === 0) };
}

/** The typed module of the groups without mistakes, once every type is known; finds what is wrong with their patterns. */
function buildModule(own: Tree.Module, program: InferredProgram, mistakes: TypeMistake[]): Typed.Module {
  const { files, declarations, definitions, cx, sound } = program;
  const named = importedDefinitions(files, definitions);
  const reached = reachedFrom([...(definitions.get(own)?.values() ?? []), ...named], program.scope);
  const zonker = new Zonker();
  const builder = new TypedBuilder(cx, zonker);
  // What the file does not reach is checked all the same
  const restBuilder = new TypedBuilder(cx, new Zonker());
  const typedGroups: Typed.Group[] = [];
  for (const group of sound) {
    enter(cx, group, program);
    if (group.symbols.some((symbol) => reached.has(symbol))) {
      typedGroups.push(builder.group(group.members, group.recursive));
    } else restBuilder.group(group.members, group.recursive);
  }
  const typed = buildDeclarations(program, zonker, mistakes);
  const isUsed = (name: string): boolean => [builder, restBuilder].some(({ variablesUsed }) => variablesUsed.has(name));
  checkMatches([...builder.matches, ...restBuilder.matches], declarations, isUsed, mistakes);
  const dataTypes = new DataTypes(typed.data);
  for (const { bindings } of typedGroups)
    for (const binding of bindings) if (binding.isFused) mistakes.push(...fusedMistakes(binding, dataTypes));
  const imported = named.map(({ unique }) => unique);
  return { ...typed, file: own.span.file, imported, groups: typedGroups };
}

/** By place, the files in the order in which they use each other. */
function sorted(mistakes: readonly TypeMistake[], files: Files): readonly TypeMistake[] {
  const order = new Map([files.prelude, ...files.user].map((file, i) => [file.span.file, i]));
  const key = (mistake: TypeMistake): readonly [number, number] => {
    const span = placeOf(mistake);
    return span === null ? [0, 0] : [order.get(span.file) ?? 0, span.start];
  };
  const keyed = mistakes.map((mistake) => ({ mistake, at: key(mistake) }));
  return keyed.sort((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1]).map(({ mistake }) => mistake);
}

function declareDefinitions(files: Files, mistakes: TypeMistake[]): ReadonlyMap<Tree.Module, TopLevel> {
  const withRules = new Map([...files.user, files.prelude].map((file) => [file, definitionsWithRules(file, mistakes)]));
  const defItems = (file: Tree.Module): readonly Tree.DefItem[] => withRules.get(file) ?? [];
  const unique = uniqueNames(files, (file) => defItems(file).map((item) => item.binding.name.name));
  const collect = (file: Tree.Module): TopLevel => {
    const symbols = new Map<string, FunctionSymbol>();
    for (const item of defItems(file)) {
      const ident = item.binding.name;
      const earlier = symbols.get(ident.name);
      if (earlier === undefined) {
        symbols.set(ident.name, functionSymbol(ident, unique(file, ident.name), { item, file }));
      } else mistakes.push({ kind: "duplicate", what: "definition", ...ident, first: earlier.nameSpan });
    }
    return symbols;
  };
  return new Map([...files.user, files.prelude].map((file) => [file, collect(file)]));
}

/** The names that each of the user's files sees, and the prelude. */
function visibleNames(
  files: Files,
  definitions: ReadonlyMap<Tree.Module, TopLevel>,
  declarations: ReadonlyMap<Tree.Module, Declarations>,
): (file: Tree.Module) => VisibleNames {
  const topLevel = (file: Tree.Module): TopLevel => definitions.get(file) ?? new Map<string, FunctionSymbol>();
  const visible = new Map<Tree.Module, readonly TopLevel[]>([[files.prelude, [topLevel(files.prelude)]]]);
  for (const file of files.user) {
    const imports = files.importsOf(file);
    const named = imports.flatMap(({ item, file: target }) =>
      // A name that is not there is told once, at the import
      item.names.map((ident): [string, FunctionSymbol] => {
        return [ident.name, topLevel(target).get(ident.name) ?? functionSymbol(ident, ident.name, null)];
      }),
    );
    const meant = imports.flatMap((each) =>
      meantNames(each).flatMap((name): [string, FunctionSymbol][] => {
        const symbol = topLevel(each.file).get(name);
        return symbol === undefined ? [] : [[name, symbol]];
      }),
    );
    visible.set(file, [topLevel(file), new Map(named), new Map(meant), topLevel(files.prelude)]);
  }
  return (file) => {
    const constructors = declarations.get(file)?.constructors;
    const fieldsOf: FieldsOf = (name) => constructors?.get(name)?.fieldNames?.map((field) => field.name) ?? [];
    const notImported = new Map(
      files.importsOf(file).flatMap(({ item, file: target }) => {
        const named = new Set(item.names.map(({ name }) => name));
        return [...placesIn(target).keys()].flatMap((name): [string, string][] => (named.has(name) ? [] : [[name, item.path]])); // prettier-ignore
      }),
    );
    return { topLevels: visible.get(file) ?? [], fieldsOf, notImported };
  };
}

/** The definitions that the main file's imports name. */
function importedDefinitions(
  { main, importsOf }: Files,
  definitions: ReadonlyMap<Tree.Module, TopLevel>,
): readonly FunctionSymbol[] {
  return importsOf(main).flatMap(({ item, file }) =>
    item.names.flatMap(({ name }) => definitions.get(file)?.get(name) ?? []),
  );
}

function reachedFrom(start: Iterable<FunctionSymbol>, { references }: Scope): ReadonlySet<FunctionSymbol> {
  const reached = new Set(start);
  for (const symbol of reached) for (const mentioned of references.get(symbol) ?? []) reached.add(mentioned);
  return reached;
}

/** The data types and aliases, but for the types of other files that nothing uses. */
function buildDeclarations(
  program: ProgramScope,
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
    constructors: info.constructors.map(({ name, fields, fieldNames }) => ({
      name,
      fields: fields.map((field) => zonk(field, info.params, item.name)),
      fieldNames: fieldNames?.map((field) => field.name) ?? null,
    })),
    doc: info.doc,
  });
  const { files } = program;
  const own = declarationsOf(program, files.main);
  const data = own.ownData.map(build);
  const importedAliases = files.importsOf(files.main).flatMap(({ item, file }) => {
    const names = new Set(item.names.map(({ name }) => name));
    return declarationsOf(program, file).ownAliases.filter(({ info }) => names.has(info.name));
  });
  const aliases = [...importedAliases, ...own.ownAliases].map(({ info, item }): Typed.Alias => {
    const type = info.type === null ? unit : zonk(info.type, info.params, item.name);
    return { name: info.name, params: info.params.map((param) => param.name), type, doc: item.doc };
  });
  // The fields of one type may be the first to mention another
  const others = [files.prelude, ...files.user].filter((file) => file !== files.main);
  const rest = new Set(others.flatMap((file) => declarationsOf(program, file).ownData));
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
  matches: readonly Match[],
  declarations: ReadonlyMap<Tree.Module, Declarations>,
  isUsed: (name: string) => boolean,
  mistakes: TypeMistake[],
): void {
  const declared = [...declarations.values()].flatMap(({ ownData }) => ownData);
  const all: readonly DataInfo[] = [sumInfo, ...declared.map(({ info }) => info)];
  const byName = new Map(
    all.map((data) => [
      data.unique,
      data.constructors.map(({ name, fields, fieldNames }) => ({
        name,
        arity: fields.length,
        fieldNames: fieldNames?.map((field) => field.name) ?? null,
      })),
    ]),
  );
  for (const match of matches) mistakes.push(...checkMatch(match, (data) => byName.get(data) ?? [], isUsed));
}
