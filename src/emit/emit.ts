// A whole module: the exported interface first, then the programs it calls, then what they use of the runtime.

import type * as Source from "../core/term.js";
import { sumDecl } from "../core/type.js";
import { InternalError } from "../internal-error.js";
import { embeddedDeclarations } from "../runtime/embedded.js";
import { fragmentName, fragmentsFor } from "../runtime/fragments.js";
import { primal as primalStage } from "../stages/primal.js";
import type { Mode, Stage } from "../stages/stage.js";
import type * as Target from "../target-calculus/term.js";
import type { DataDecl, Type } from "../target-calculus/type.js";
import { ExternFunctions } from "./externs.js";
import { mayRecurse, reachable, withoutConstants } from "./derived-program.js";
import { emitInterface, type Call, type DerivedCalls, type WithRespectTo } from "./interface/interface.js";
import { Linking, type Apart, type PathOf } from "./linking.js";
import { leavesOf } from "./interface/parameters.js";
import { runtimeReferences } from "./interface/runtime-names.js";
import { Shapes } from "./interface/shape-table.js";
import { lowerProgram, type Lowered } from "./lower/lower.js";
import type { Refer } from "./lower/lower-operators.js";
import type { LeftOut } from "./left-out.js";
import { Scope } from "../typescript/naming.js";
import { PublicTypes, type Alias } from "./interface/public-types.js";
import { type Derived, differentiated, exportedNames, withSuffix } from "./interface/public-names.js";
import { fragmentDeclaration, renameIn } from "./rename.js";
import type { Renaming } from "./rename-text.js";
import { callOf, effect, id, typeName } from "../typescript/build.js";
import type { TsDeclaration, TsExpr, TsModule, TsParam } from "../typescript/tree.js";
import { plainType } from "./lower/typing.js";

export interface EmitRequest {
  readonly version: string;
  /** The `.lam` file's name, without folders. */
  readonly file: string;
  readonly stage: Stage;
  readonly program: Source.Program;
  /** The functions of the caller's that programs call, and by which names: `plain` in the core program `name`. */
  readonly plain: readonly { readonly name: string; readonly plain: string }[];
  readonly primal: Target.Program;
  /** What the stage makes of the program; null in the primal stage. */
  readonly derived: Target.Program | null;
  readonly aliases: readonly Alias[];
  readonly leftOut: readonly LeftOut[];
  readonly wrt: WithRespectTo;
  /** With counting instructions, for `dualrev cost`. */
  readonly counted: boolean;
  readonly wanted: ReadonlySet<Derived>;
  /** How files that are compiled apart are imported; null: all that is needed is in the module. */
  readonly pathOf: PathOf | null;
}

/** What a module's header tells. */
export interface HeaderParts {
  readonly version: string;
  readonly file: string;
  readonly stage: { readonly name: string; readonly mode: Mode };
  readonly program: Source.Program;
  readonly leftOut: readonly LeftOut[];
  readonly wrt: WithRespectTo;
  readonly wanted: ReadonlySet<Derived>;
  /** What it has to do with other modules. */
  readonly links: readonly string[];
}

/** The module of a program in a stage. Its names have been found free of clashes (`checkNames`). */
export function emitModule(request: EmitRequest): TsModule {
  const { program, stage } = request;
  const publicTypes = new PublicTypes(program.data, request.aliases);
  const exported = program.entries.flatMap((entry) => exportedNames(entry, stage.mode, request.wanted));
  const values = Scope.values([...exported, ...ownRuntimeNames()]);
  const types = Scope.types(publicTypes.taken());
  const shapes = new Shapes(values.fresh("dataTypes"), program.data, publicTypes);
  const externs = new ExternFunctions({ externs: program.externs, values, types: publicTypes, shapes });
  const renaming = renamingFor(exported, publicTypes.taken(), values, types);
  // While programs are lowered, a name that both the interface and the runtime have stands for the runtime's
  const dataNames = new Map(
    [...program.data, sumDecl].map(({ name }) => [name, internalName(publicTypes.nameOf(name), renaming)]),
  );
  const linking = request.pathOf === null ? null : new Linking(program.links, request.pathOf, values, [primalStage, ...(request.derived === null ? [] : [stage])]); // prettier-ignore
  const derivedWhole = request.derived === null ? null : withoutConstants(request.derived, program.links);
  const primalWhole = linking === null ? request.primal : reachable(request.primal, program.links);
  const derivedApart = derivedWhole === null ? null : (linking?.apart(derivedWhole, stage) ?? null);
  const primalApart = linking?.apart(primalWhole, primalStage) ?? null;
  const derivedProgram = derivedApart?.program ?? derivedWhole;
  const primalProgram = primalApart?.program ?? primalWhole;
  const lower = (target: Target.Program, of: Stage, apart: Apart | null): Lowered =>
    lowerProgram(target, of, {
      counted: request.counted,
      values,
      types,
      dataNames,
      wishes: wishesFor(program, of),
      linked: apart?.linked ?? null,
    });
  // The derived program first: what it mentions of the runtime keeps its name, and the primal program's definitions go out of its way
  const derived = derivedProgram === null ? null : lower(derivedProgram, stage, derivedApart);
  const primal = lower(primalProgram, primalStage, primalApart);
  const { functions, references } = emitInterface({
    entries: program.entries,
    data: program.data,
    types: publicTypes,
    wrt: request.wrt,
    wanted: request.wanted,
    shapes,
    callees: [...wrapperNames(primalProgram, primal), ...wrapperNames(derivedProgram, derived)],
    renamed: renaming,
    primal: callsOf(primalProgram, primal),
    derived:
      derivedProgram === null || derived === null
        ? null
        : {
            stage,
            wrappers: derivedCallsOf(derivedProgram, derived),
            reset: derived.resetConstants,
            // What other modules have may recurse
            isShallow: stage.deep || !((derivedApart?.linked.imported.size ?? 0) > 0 || mayRecurse(derivedProgram, program.data)), // prettier-ignore
          },
    inline: null,
  });
  const called = new Set<string>();
  const refer: Refer = (reference) => {
    called.add(reference);
    const name = fragmentName(reference);
    return { kind: "id", name: renaming.values.get(name) ?? name };
  };
  const inside = [
    { lowered: derived, apart: derivedApart, of: stage },
    { lowered: primal, apart: primalApart, of: primalStage },
  ].flatMap(({ lowered, apart, of }) => {
    const declarations = withCallers(lowered, request.plain, externs, refer);
    return linking === null || apart === null ? declarations : linking.exported(declarations, apart.linked, of);
  });
  const scheduling =
    stage.tasks === undefined ? [] : [scheduleFunction(values.fresh("setSchedule"), refer(stage.tasks.schedule))];
  const table = shapes.declaration(renaming.types.get("ShapeTable") ?? "ShapeTable");
  const exportedTypes = typeDeclarations(program, publicTypes, request.derived !== null);
  const isExported = ({ name }: DataDecl): boolean =>
    exportedTypes.some((type) => type.kind === "type" && type.name === publicTypes.nameOf(name));
  const ownTypes = typesWithin(
    [...program.data, sumDecl].filter((decl) => !isExported(decl)),
    [primal, derived],
  );
  const direct = new Set([
    ...references,
    ...called,
    ...(table.length > 0 ? ["values.ShapeTable"] : []),
    ...primal.references,
    ...(derived?.references ?? []),
  ]);
  const fragments = fragmentsFor(direct, { counted: request.counted });
  const left = new Set([primalProgram, derivedProgram].flatMap((each) => each?.definitions.map(({ name }) => name) ?? [])); // prettier-ignore
  const links = linking?.header([primalWhole, ...(derivedWhole === null ? [] : [derivedWhole])]) ?? [];
  return {
    header: headerOf({ ...request, links }),
    declarations: [
      ...externs.imports(request.plain.flatMap(({ name, plain }) => (left.has(plain) ? [name] : []))),
      ...[...(derivedApart?.imports ?? []), ...(primalApart?.imports ?? [])],
      ...exportedTypes,
      ...functions,
      ...scheduling,
      ...table,
      ...renameIn([...ownTypes, ...inside], withInternalNames(renaming)),
      ...fragments.map((fragment) => fragmentDeclaration(fragment, renaming, direct.has(fragment.reference))),
    ],
  };
}

/** What has the tasks of a module take turns. */
function scheduleFunction(name: string, takeTurns: TsExpr): TsDeclaration {
  const seed: TsParam = {
    name: "seed",
    type: { kind: "union", members: [typeName("number"), { kind: "literal", value: null }] },
    optional: false,
  };
  const doc =
    "Has the tasks of every fork take turns at random, by a seed, at every ID and every backpropagator; null: has them run in order. No result depends " +
    "on it, but for the rounding of sums.";
  const body = [effect(callOf(takeTurns, id(seed.name)))];
  const fn = { name, typeParams: [], params: [seed], result: typeName("void"), body };
  return { kind: "function", doc, exported: true, fn };
}

/** The declarations of a program, in which what stands for functions of the caller's calls them. */
function withCallers(
  lowered: Lowered | null,
  plain: EmitRequest["plain"],
  externs: ExternFunctions,
  refer: Refer,
): readonly TsDeclaration[] {
  if (lowered === null) return [];
  const calls = new Map(plain.map((each) => [lowered.functionNames.get(each.plain), each.name]));
  return lowered.declarations.flatMap((declaration): readonly TsDeclaration[] => {
    const name = declaration.kind === "function" ? declaration.fn.name : undefined;
    const extern = calls.get(name);
    return name === undefined || extern === undefined ? [declaration] : externs.caller(extern, name, "plain", refer);
  });
}

/** What the functions of definitions are to be called: exported names belong to the interface. */
function wishesFor(program: Source.Program, stage: Stage): ReadonlyMap<string, string> {
  const isDerived = stage.mode !== "primal";
  const names = isDerived ? program.definitions.map(({ name }) => name) : program.entries.map(({ name }) => name);
  return new Map(names.map((name) => [name, withSuffix(name, isDerived ? stage.suffix : "Primal")]));
}

function ownRuntimeNames(): readonly string[] {
  return fragmentsFor(runtimeReferences, { counted: false }).map(({ reference }) => fragmentName(reference));
}

export function typeDeclarations(
  program: Source.Program,
  types: PublicTypes,
  isDerived: boolean,
): readonly TsDeclaration[] {
  const inputs = program.entries.flatMap((entry) => leavesOf(entry.params).map(({ leaf }) => leaf.type));
  const results = program.entries.map((entry) => entry.result);
  const all = [...inputs, ...results];
  return types.declarations(all, isDerived ? all : []);
}

/** Of the given data types those that programs use: the interface does not mention them. */
function typesWithin(data: readonly DataDecl[], programs: readonly (Lowered | null)[]): readonly TsDeclaration[] {
  const declared = new Map<string, TsDeclaration>();
  for (const program of programs) {
    // What a declaration mentions comes in turn
    for (const name of program?.types.mentioned ?? []) {
      const decl = data.find((other) => other.name === name);
      if (program === null || decl === undefined || declared.has(name)) continue;
      declared.set(name, program.types.declaration(decl, false));
    }
  }
  return [...declared.values()];
}

/** New names for the parts of the runtime whose names are those of exported functions or types. */
export function renamingFor(
  functions: readonly string[],
  dataTypes: readonly string[],
  values: Scope,
  types: Scope,
): Renaming {
  const runtime = new Set(embeddedDeclarations.map(({ reference }) => fragmentName(reference)));
  // `push1` must not become `push2`, which the runtime has too
  const free = (name: string, scope: Scope): string => {
    const found = scope.fresh(name);
    return runtime.has(found) ? free(name, scope) : found;
  };
  const renamed = (names: readonly string[], scope: Scope): ReadonlyMap<string, string> =>
    new Map(names.filter((name) => runtime.has(name)).map((name) => [name, free(name, scope)]));
  return { values: renamed(functions, values), types: renamed(dataTypes, types) };
}

function internalName(typeName: string, { types }: Renaming): string {
  return types.has(typeName) ? `${typeName}$` : typeName;
}

function withInternalNames({ values, types }: Renaming): Renaming {
  return { values, types: new Map([...types, ...[...types.keys()].map((name) => [`${name}$`, name] as const)]) };
}

function wrapperNames(target: Target.Program | null, lowered: Lowered | null): readonly string[] {
  const wrappers = target?.wrappers.flatMap(({ fn, gradient }) => (gradient === null ? [fn] : [fn, gradient])) ?? [];
  return wrappers.flatMap(({ name }) => lowered?.functionNames.get(name) ?? []);
}

function callsOf({ wrappers }: Target.Program, lowered: Lowered): ReadonlyMap<string, Call> {
  return new Map(wrappers.map(({ entry, fn }) => [entry.name, (args) => lowered.call(fn.name, args)]));
}

function derivedCallsOf({ wrappers }: Target.Program, lowered: Lowered): ReadonlyMap<string, DerivedCalls> {
  return new Map(
    wrappers.map(({ entry, fn, gradient }) => [
      entry.name,
      {
        wrapper: (args) => lowered.call(fn.name, args),
        pullback: (pullback, cotangent) => lowered.apply(pullbackType(fn), pullback, cotangent),
        gradient: gradient === null ? null : (args) => lowered.call(gradient.name, args),
      },
    ]),
  );
}

function pullbackType(wrapper: Target.Fn): Type {
  const result = plainType(wrapper.result);
  const pullback = result.kind === "tuple" ? result.items[1] : undefined;
  if (pullback === undefined) throw new InternalError("emit", `${wrapper.name} does not give a pullback`);
  return pullback;
}

export function headerOf({
  version,
  file,
  stage,
  program,
  leftOut,
  wrt,
  wanted,
  links,
}: HeaderParts): readonly string[] {
  const lines = [`@generated by dualrev ${version} (stage ${stage.name}) from ${file}`];
  const functions = differentiated(program.entries, stage.mode, wanted).filter(({ isInner }) => isInner !== true);
  const constants = program.entries.filter((entry) => entry.params.length === 0);
  if (functions.length > 0) {
    const withParams = functions.map((entry) => {
      const all = leavesOf(entry.params).map(({ leaf }) => leaf.name);
      const active = wrt.get(entry.name);
      return `${entry.name} (${all.filter((name) => active?.includes(name) ?? true).join(", ")})`;
    });
    lines.push(`Differentiated with respect to: ${withParams.join(", ")}`);
    if (constants.length > 0)
      lines.push(`Constants, without derivatives: ${constants.map(({ name }) => name).join(", ")}`);
  }
  for (const { name, reason } of leftOut) lines.push(`Left out: ${name}, ${reason}`);
  lines.push(...links);
  // Generated code is not laid out by the rules of whatever project it becomes part of
  return [...lines, "/* eslint-disable */"];
}
