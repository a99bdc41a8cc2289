// A module of adjoint code: the exported functions hold both sweeps of their definitions; what they call follows.

import type * as Source from "../core/term.js";
import { sumDecl } from "../core/type.js";
import type { DataDecl, Type } from "../core/type.js";
import { headerOf, renamingFor, typeDeclarations } from "../emit/emit.js";
import type { LeftOut } from "../emit/left-out.js";
import { emitInterface, leavesOf, type WithRespectTo } from "../emit/interface/interface.js";
import { Shapes } from "../emit/interface/shape-table.js";
import { type Derived, exportedNames } from "../emit/interface/public-names.js";
import { PublicTypes, type Alias } from "../emit/interface/public-types.js";
import type { Leaves } from "../flat/leaves.js";
import type { NameFacts } from "../flat/naming.js";
import type { Program, Var } from "../flat/program.js";
import { InternalError } from "../internal-error.js";
import { runSchedule, type Around } from "../pass.js";
import { fragmentDeclaration } from "../emit/rename.js";
import { effects, externCall } from "../runtime/effects.js";
import { embeddedDeclarations } from "../runtime/embedded.js";
import { fragmentFile, fragmentName, fragmentsFor } from "../runtime/fragments.js";
import { id } from "../typescript/build.js";
import { namesMentioned } from "../typescript/mentioned.js";
import { identifier, Scope } from "../typescript/naming.js";
import type { TsDeclaration, TsModule } from "../typescript/tree.js";
import { AcceptFunctions } from "./accept-functions.js";
import { CallGraph } from "./call-graph.js";
import { withCounting } from "./counting.js";
import { hasFillableLists, type Earlier } from "./earlier-lists.js";
import { emitGradient, emitValue, emitVjp, type EntryRequest } from "./entry.js";
import { arrayNames, widthOf, type ListLeaves } from "./entry-lists.js";
import { emitFunctions, neededBy } from "./functions.js";
import { innerNames } from "./inner-names.js";
import { ListFillers } from "./list-fillers.js";
import { ListReaders } from "./list-readers.js";
import { ModuleContext } from "./module.js";
import { PassedBack } from "./passed-back.js";
import type { Prepared } from "./prepare.js";
import { adjointStage } from "./stage.js";
import { QuickTests } from "./quick-tests.js";
import { ExternFunctions } from "../emit/externs.js";
import { exponential } from "../tidy/expressions/exponentials.js";
import { earlyModuleSchedule, lateModuleSchedule } from "./passes.js";
import { tidied, type AroundFunction } from "../tidy/tidy.js";
import { partMaker } from "../tidy/arrays/growable-buffers.js";
import { keeper } from "../tidy/arrays/limited-arrays.js";
import { bufferLeaver, bufferTaker } from "../tidy/arrays/buffer-pool.js";
import { blockMakers } from "../tidy/arrays/residual-block.js";
import { rowMakers } from "../tidy/arrays/row-buffering.js";
import { workArrayMaker, workRowsMaker, workspaceArrayMaker } from "../tidy/arrays/arena.js";
import { AdjointTypes } from "./types.js";
import { Mirrors } from "./shadow-constructors.js";

export interface AdjointRequest {
  readonly version: string;
  /** The `.lam` file's name, without folders. */
  readonly file: string;
  /** The program as it was elaborated: its interface. */
  readonly program: Source.Program;
  readonly prepared: Prepared;
  readonly aliases: readonly Alias[];
  readonly leftOut: readonly LeftOut[];
  readonly wrt: WithRespectTo;
  readonly wanted: ReadonlySet<Derived>;
  /** With counting instructions, for `dualrev cost`. */
  readonly counted: boolean;
  /** How the passes over emitted functions, and over the module, run. */
  readonly around: { readonly function: AroundFunction; readonly module: Around<readonly TsDeclaration[]> };
}

/** A module. */
export function emitAdjointModule(request: AdjointRequest): TsModule {
  const { declarations, runtime } = emitParts(request, false);
  return {
    header: headerOf({ ...request, stage: adjointStage, links: [] }),
    declarations: [...declarations, ...runtime],
  };
}

/** For readers: the gradients with their sweeps alone, or pullbacks where results are no scalars, and what the compiler has resolved in them. */
export function emitSweeps(request: AdjointRequest): AdjointParts {
  return emitParts(request, true);
}

export interface AdjointParts {
  readonly declarations: readonly TsDeclaration[];
  /** What of the runtime they use. */
  readonly runtime: readonly TsDeclaration[];
  /** For readers: a line for each function that has been written with both sweeps. */
  readonly resolved: readonly string[];
}

/** The files of the runtime that adjoint code mentions. What is in those of other stages has names that are free here. */
const runtimeFiles: ReadonlySet<string> = new Set(["adjoint", "arrays", "buffers", "compressed", "debug", "deep-generators", "inside", "limits", "lists", "numbers", "rows", "values", "workspace"]); // prettier-ignore

/** What counts, in modules that do. */
const countingFile = "cost";

function runtimeNames(isOfRuntime: (reference: string) => boolean): readonly string[] {
  return embeddedDeclarations.flatMap(({ reference }) => (isOfRuntime(reference) ? [fragmentName(reference)] : []));
}

function emitParts(request: AdjointRequest, isBare: boolean): AdjointParts {
  const { program, wrt, counted } = request;
  const isOfRuntime = (reference: string): boolean => {
    const file = fragmentFile(reference);
    return runtimeFiles.has(file) || (counted && file === countingFile);
  };
  const publicTypes = new PublicTypes(program.data, request.aliases);
  const exported = program.entries.flatMap((entry) => exportedNames(entry, adjointStage.mode, request.wanted));
  const runtime = runtimeNames(isOfRuntime);
  const typeNames = Scope.types([...publicTypes.taken(), ...runtime]);
  // Parameters of exported functions keep their names, which callers see, and the runtime gives way
  const parameters = parameterNames(program);
  const seen = [...exported, ...parameters];
  const renaming = renamingFor(seen, publicTypes.taken(), Scope.values([...seen, ...runtime]), typeNames);
  const inside = runtime.map((name) => renaming.values.get(name) ?? name);
  const values = Scope.values([...exported, ...inside], { avoided: parameters, variables: request.prepared.variables });
  const names = innerNames(values);
  const externNames = new Map([...program.externs.keys()].map((name) => [name, values.fresh(identifier(name))]));
  const shapes = new Shapes(values.fresh("dataTypes"), program.data, publicTypes);
  const externs = new ExternFunctions({ externs: program.externs, values, types: publicTypes, shapes });
  const references = new Set<string>();
  const refer = (reference: string) => {
    if (!isOfRuntime(reference)) throw new InternalError("emit", `adjoint code mentions ${reference}`);
    references.add(reference);
    const name = fragmentName(reference);
    // Classes are values and types
    return { kind: "id", name: renaming.values.get(name) ?? renaming.types.get(name) ?? name } as const;
  };
  const { flat, active, pullbacks, values: valueEntries } = request.prepared;
  const { leaves } = active;
  const graph = new CallGraph(flat, active, pullbacks);
  const types = new AdjointTypes(leaves, graph, publicTypes, typeNames, refer, values.fresh("insideTypes"), isBare ? null : shapes); // prettier-ignore
  const setting = { types, outside: publicTypes, values, refer };
  const accepts = new AcceptFunctions(setting);
  const readers = new ListReaders(setting);
  const fillers = new ListFillers(setting);
  const tests = new QuickTests(setting);
  const [zeros, takes, copies] = [new Mirrors("zeros", setting), new Mirrors("take", setting), new Mirrors("copy", setting)]; // prettier-ignore
  const mirrors = { zeros, takes, copies };
  const parts = { program: flat, active, leaves, graph, names, pullbacks, externs: externNames };
  const passedBack = PassedBack.of(active, graph, (passed) => {
    const scopes = { values: values.inner(), typeNames: typeNames.inner() };
    const nowhere = (reference: string) => id(fragmentName(reference));
    const types = new AdjointTypes(leaves, graph, publicTypes, scopes.typeNames, nowhere, "", null);
    const zeros = new Mirrors("zeros", { types, outside: publicTypes, values: scopes.values, refer: nowhere });
    return neededBy(new ModuleContext({ ...parts, ...scopes, types, zeros, refer: nowhere, passedBack: passed }));
  });
  const module = new ModuleContext({ ...parts, types, zeros, values, typeNames, refer, passedBack });
  for (const { type } of isBare
    ? []
    : program.entries.flatMap(({ params }) => leavesOf(params)).map(({ leaf }) => leaf)) {
    readers.functions.reserve(type);
    fillers.functions.reserve(type);
    tests.reserve(type);
    accepts.reserve(type);
    zeros.reserve(type);
    takes.reserve(type);
    copies.reserve(type);
  }
  if (!isBare) for (const { result } of program.entries) copies.reserve(result);
  const inner = emitInterface({
    entries: program.entries,
    data: program.data,
    types: publicTypes,
    wrt,
    wanted: request.wanted,
    shapes,
    callees: [],
    renamed: renaming,
    primal: new Map(),
    derived: null,
    inline: {
      isBare,
      scope: () => values.inner(),
      test: (type, value) => tests.call(type, value),
      copy: (type, name) => (isBare ? null : copies.ofVariable(type, name)),
      accept: (type, value, name) => accepts.call(type, value, name),
      list: (entry, index, name) => {
        const { type, lists, params } = parameterOf(entry, index, leaves, flat);
        const list = lists[0] ?? null;
        if (list === null || !readers.functions.has(type)) return null;
        return {
          names: arrayNames(list, name, params),
          read: (workspace) => readers.call(type, id(name), workspace),
          usesWorkspace: readers.usesWorkspace(type),
        };
      },
      fills: (entry, index) => {
        const { type, lists } = parameterOf(entry, index, leaves, flat);
        return hasFillableLists(type, lists, module.types, fillers);
      },
      value: (entry, inputs, scope, buffers) => {
        const alone = { ...entry, name: valueEntries.get(entry.name) ?? entry.name };
        // Parameters are read for both alike
        const isAlike = JSON.stringify(listsOf(alone, flat)) === JSON.stringify(listsOf(entry, flat));
        return emitValue(module, requestOf(isAlike ? alone : entry, inputs, mirrors, scope, flat), buffers);
      },
      gradient: (entry, inputs, scope, buffers) => {
        const earlier = buffers === null ? null : { buffers, fillers };
        return emitGradient(module, requestOf(entry, inputs, mirrors, scope, flat, earlier));
      },
      vjp: (entry, inputs, scope) => emitVjp(module, requestOf(entry, inputs, mirrors, scope, flat)),
    },
  });
  const functions = emitFunctions(module, mirrors);
  const conversions = types.conversions.declarations();
  const forValues = [
    ...readers.declarations(),
    ...fillers.declarations(),
    ...tests.declarations(),
    ...accepts.declarations(),
    ...zeros.declarations(),
    ...takes.declarations(),
    ...copies.declarations(),
  ];
  const table = isBare ? [] : shapes.declaration(refer("values.ShapeTable").name);
  const exportedTypes = typeDeclarations(program, publicTypes, true);
  // Tidying may put them in the place of others
  refer(partMaker);
  refer(keeper);
  refer(bufferTaker);
  refer(bufferLeaver);
  refer(workArrayMaker);
  refer(workRowsMaker);
  for (const maker of Object.values(rowMakers)) refer(maker);
  for (const maker of blockMakers) refer(maker);
  refer(workspaceArrayMaker);
  refer(exponential);
  if (inner.references.has("values.acceptNumbersCopy")) refer("values.acceptNumbers");
  const used = [...references, ...inner.references];
  const called = new Map([
    ...used.map((reference) => [refer(reference).name, reference] as const),
    ...tests.names().map((name) => [name, "values.isPresent"] as const),
    ...readers.functions.names().map((name) => [name, "workspace.numbersRead"] as const),
    ...fillers.functions.names().map((name) => [name, "buffers.noteFilled"] as const),
    ...accepts.names().map((name) => [name, "values.acceptCopy"] as const),
    ...zeros.names().map((name) => [name, "adjoint.zeroStore"] as const),
    ...takes.names().map((name) => [name, "adjoint.takeStore"] as const),
    ...copies.names().map((name) => [name, "values.copyValue"] as const),
    ...[...externNames.values()].map((name) => [name, externCall] as const),
    ...module.listMakers().map((name) => [name, "values.copyValue"] as const),
  ]);
  const { around } = request;
  const context = {
    limit: renaming.values.get("stackLimit") ?? "stackLimit",
    fresh: (name: string) => values.fresh(name),
    products: {
      derived: new Set(program.entries.flatMap(({ name, isValueOnly }) => (isValueOnly === true ? [identifier(name)] : []))), // prettier-ignore
      scale: refer("numbers.scale").name,
      ratio: refer("numbers.ratio").name,
      holdsNaN: refer("numbers.holdsNaN").name,
      givesNew: (name: string) => (effects.get(called.get(name) ?? "")?.gives ?? "anything") !== "anything",
      isEarlier: (name: string) => called.get(name) === "buffers.earlierArrays",
      isSeen: (name: string) => called.get(name)?.startsWith("debug.") === true,
      isCopy: (name: string) =>
        ["values.copyValue", "buffers.refill", "compressed.mergedRows"].includes(called.get(name) ?? ""),
    },
  };
  const written = [
    ...exportedTypes,
    ...inner.functions,
    ...table,
    ...otherTypes(program, publicTypes, exportedTypes),
    ...types.declarations(),
    ...conversions,
    ...functions,
  ];
  const early = runSchedule(earlyModuleSchedule, written, context, around.module);
  const options = {
    wishes: wishesFor(request.prepared),
    temporary: request.prepared.names.temporary,
    called: values.called,
    pullbacks: module.pullbackNames,
    around: around.function,
  };
  const all = [...tidied(early, called, options), ...forValues];
  const tidy = runSchedule(lateModuleSchedule, all, context, around.module);
  const own = namesMentioned(tidy);
  const external = [...externNames].filter(([, name]) => own.has(name));
  const callers = external.flatMap(([extern, name]) => externs.caller(extern, name, "numbers", refer));
  const boundary = new Set([readers.functions, fillers.functions, tests, accepts].flatMap((each) => each.names()));
  const counting = { refer, called, depth: names.depth, boundary };
  const last = counted ? withCounting(tidy, counting) : tidy;
  const declarations = [...externs.imports(external.map(([extern]) => extern)), ...last, ...callers];
  const mentioned = namesMentioned(declarations);
  const direct = new Set([...used, ...references].filter((reference) => mentioned.has(refer(reference).name)));
  const fragments = fragmentsFor(direct, { counted });
  return {
    declarations,
    runtime: fragments.map((fragment) => fragmentDeclaration(fragment, renaming, direct.has(fragment.reference))),
    resolved: isBare ? module.resolved() : [],
  };
}

/** What the exported functions call their parameters. */
function parameterNames({ entries }: Source.Program): readonly string[] {
  return entries.flatMap(({ params }) => leavesOf(params)).map(({ leaf }) => identifier(leaf.name));
}

function requestOf(
  entry: Source.Entry,
  inputs: EntryRequest["inputs"],
  mirrors: EntryRequest["mirrors"],
  scope: Scope,
  flat: Program,
  earlier: Earlier | null = null,
): EntryRequest {
  return { procedure: entry.name, inputs, result: entry.result, mirrors, scope, lists: listsOf(entry, flat), earlier };
}

/** What variables would be called, by the names that emitted code gives them. */
function wishesFor({ names }: Prepared): NameFacts["wishes"] {
  return new Map([...names.wishes].map(([name, wish]) => [identifier(name), wish]));
}

/** Where lists of an entry are arrays inside. */
function listsOf(entry: Source.Entry, flat: Program): EntryRequest["lists"] {
  return flat.entries.find((each) => each.entry.name === entry.name)?.arrays ?? { params: [], results: [] };
}

/** The type of a parameter, where its leaves are arrays inside that are lists outside, and what the procedure has for it. */
function parameterOf(
  entry: Source.Entry,
  index: number,
  leaves: Leaves,
  flat: Program,
): { readonly type: Type; readonly lists: ListLeaves; readonly params: readonly Var[] } {
  const types = leavesOf(entry.params).map(({ leaf }) => leaf.type);
  const place = types.slice(0, index).reduce((sum, type) => sum + leaves.of(type).length, 0);
  const [type] = types.slice(index);
  if (type === undefined) throw new InternalError("adjoint", `${entry.name} has no parameter ${index}`);
  const lists = listsOf(entry, flat).params;
  const end = place + leaves.of(type).length;
  const startIn = (leaf: number): number =>
    [...Array(leaf).keys()].reduce((sum, each) => sum + widthOf(lists, each), 0);
  const procedure = flat.procedures.find(({ name }) => name === entry.name);
  const params = procedure?.params.slice(startIn(place), startIn(end)) ?? [];
  return { type, lists: lists.slice(place, end), params };
}

/** Data types and cotangents that the interface does not mention: what is inside may. */
function otherTypes(
  program: Source.Program,
  types: PublicTypes,
  exported: readonly TsDeclaration[],
): readonly TsDeclaration[] {
  const known = new Set(exported.flatMap((declaration) => (declaration.kind === "type" ? [declaration.name] : [])));
  const all: readonly DataDecl[] = [...program.data, sumDecl];
  const applied = all.map(({ name, params }) => ({ kind: "data", name, args: params.map(() => ({ kind: "real" }) as const) }) as const); // prettier-ignore
  return types.declarations(applied, applied).flatMap((declaration): TsDeclaration[] => {
    if (declaration.kind !== "type" || known.has(declaration.name)) return [];
    return [{ ...declaration, exported: false }];
  });
}
