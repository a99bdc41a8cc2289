// Programs of the target calculus as TypeScript declarations.

import { Names } from "../../core/names.js";
import { InternalError } from "../../internal-error.js";
import { fragmentName, fragmentsFor, isFragment } from "../../runtime/fragments.js";
import type { Stage } from "../../stages/stage.js";
import { sumDecl } from "../../core/type.js";
import type { Fn, Program } from "../../target-calculus/term.js";
import type { DataDecl, Type } from "../../target-calculus/type.js";
import { allBinders } from "./binders.js";
import { CallGraph } from "./call-graph.js";
import { plainConvention } from "./convention.js";
import { arrayParamsOf } from "../interface/array-params.js";
import { openLoops } from "./deep-loops.js";
import type { Convention } from "./convention.js";
import { Facts } from "./facts.js";
import { callKnown, depthArgument } from "./frame.js";
import type { DefinitionContext, KnownFunction, ModuleContext } from "./frame.js";
import { Layouts } from "../layouts.js";
import { liftCycles } from "./lift-cycles.js";
import type { Linked } from "./linked.js";
import { lowerConstant } from "./lower-constants.js";
import { knownFunction, lowerFunction } from "./lower-function.js";
import type { Refer } from "./lower-operators.js";
import { TypeLowering } from "./lower-types.js";
import type { Scope } from "../../typescript/naming.js";
import { functionsOf, ProgramTyping } from "./program-typing.js";
import { OccurrenceTable } from "./occurrences.js";
import { OpenConvention } from "./open-convention.js";
import * as ts from "../../typescript/build.js";
import type { TsDeclaration, TsExpr, TsFunction } from "../../typescript/tree.js";
import { plainType } from "./typing.js";
import type { Typing } from "./typing.js";

export interface LowerOptions {
  /** With counting instructions, for `dualrev cost`. */
  readonly counted: boolean;
  /** The module's values; names that the interface needs are taken already. */
  readonly values: Scope;
  /** The module's types; those of `dataNames` are taken already. */
  readonly types: Scope;
  /** Data types that are declared elsewhere, by their names in the calculus. */
  readonly dataNames: ReadonlyMap<string, string>;
  /** What definitions should be called, where that is not their own name. */
  readonly wishes: ReadonlyMap<string, string>;
  /** What has to do with other modules; null: the program is the whole one. */
  readonly linked: Linked | null;
}

export interface Lowered {
  readonly declarations: readonly TsDeclaration[];
  /** The declarations of the runtime that are mentioned, as `file.name`. */
  readonly references: ReadonlySet<string>;
  /** Calls a definition or wrapper, by its name in the calculus, from the module's interface. */
  call(name: string, args: readonly TsExpr[]): TsExpr;
  /** Applies a function value of the calculus, such as a pullback, from the module's interface. */
  apply(type: Type, fn: TsExpr, arg: TsExpr): TsExpr;
  /** The name of a definition's or wrapper's function. */
  readonly functionNames: ReadonlyMap<string, string>;
  readonly types: TypeLowering;
  /** The function that makes constants be computed anew; null where nothing needs it. */
  readonly resetConstants: string | null;
}

/** A program ready to be written: what its terms' types are, and how its functions are called. */
interface Prepared {
  readonly program: Program;
  readonly typing: ProgramTyping;
  readonly convention: Convention;
}

/** Writes a program's definitions and wrappers, and those of its data types that are not declared elsewhere. */
export function lowerProgram(program: Program, stage: Stage, options: LowerOptions): Lowered {
  const prepared = prepare(program, stage, options.linked);
  // What the runtime is asked for is known only afterwards, and variables must not hide it: hence twice
  const trial = { ...options, values: options.values.inner(), types: options.types.inner() };
  const first = lowerPrepared(prepared, stage, trial, []);
  return lowerPrepared(prepared, stage, options, mentionedNames(first.references, options.counted));
}

/** Opens loops that recurse and lifts out what recurses, in a stage that must recurse beyond the JavaScript stack. */
function prepare(program: Program, stage: Stage, linked: Linked | null): Prepared {
  const imported = [...(linked?.imported.values() ?? [])].map(({ fn }) => fn);
  const typing = new ProgramTyping(program, stage, imported);
  if (!stage.deep) return { program, typing, convention: plainConvention };
  const graph = new CallGraph(program, typing);
  if (!graph.hasCycles) return { program, typing, convention: conventionOf(null, linked) };
  const opened = openLoops(program, graph, typing);
  const openedTyping = opened === program ? typing : new ProgramTyping(opened, stage, imported, typing);
  const openedGraph = opened === program ? graph : new CallGraph(opened, openedTyping);
  const lifted = liftCycles(opened, openedGraph, openedTyping);
  if (lifted === opened)
    return { program: opened, typing: openedTyping, convention: conventionOf(openedGraph, linked) };
  const liftedTyping = new ProgramTyping(lifted, stage, imported, openedTyping);
  return {
    program: lifted,
    typing: liftedTyping,
    convention: conventionOf(new CallGraph(lifted, liftedTyping), linked),
  };
}

function conventionOf(graph: CallGraph | null, linked: Linked | null): Convention {
  const own = graph ?? plainConvention;
  return linked === null ? own : new OpenConvention(own, (name) => linked.own.has(name) || linked.imported.has(name));
}

function lowerPrepared(
  { program, typing, convention }: Prepared,
  stage: Stage,
  options: LowerOptions,
  mentioned: Iterable<string>,
): Lowered {
  for (const name of mentioned) options.values.reserve(name);
  const references = new Set<string>();
  const refer: Refer = (reference) => {
    references.add(reference);
    return ts.id(fragmentName(reference));
  };
  const dataNames = new Map(options.dataNames);
  const ownData = [sumDecl, ...program.data].filter(({ name }) => !dataNames.has(name));
  for (const { name } of ownData) dataNames.set(name, options.types.fresh(name === "+" ? "Sum" : name));
  const types = new TypeLowering(
    stage,
    options.types.fresh("Dual"),
    dataNames,
    arrayParamsOf(program.data),
    refer,
    (type) => convention.typeTakesDepth(type),
  );
  const layouts = new Layouts(program.data);
  const fns = functionsOf(program);
  const wrapperFns = fns.slice(program.definitions.length);
  const functions = new Map<string, KnownFunction>();
  const { linked } = options;
  for (const fn of program.definitions) {
    const name = linked?.own.get(fn.name) ?? options.values.fresh(options.wishes.get(fn.name) ?? fn.name);
    functions.set(fn.name, knownFunction(fn, name, options.values, convention));
  }
  for (const { name, fn } of linked?.imported.values() ?? []) {
    functions.set(fn.name, { fn, name, deepName: null, takesDepth: convention.takesDepth(fn), isValue: false });
  }
  const aliases = new Map<string, string>();
  for (const fn of wrapperFns) {
    const callee = calleeOfSame(fn);
    if (callee !== null && functions.has(callee)) aliases.set(fn.name, callee);
    else functions.set(fn.name, knownFunction(fn, options.values.fresh(fn.name), options.values, convention));
  }
  const known = (name: string): KnownFunction => knownAs(aliases.get(name) ?? name, functions);
  const depthName = convention === plainConvention ? "depth" : options.values.fresh("depth");
  const module: ModuleContext = {
    stage,
    counted: options.counted,
    convention,
    types,
    layouts,
    refer,
    depthName,
    functions,
  };
  const memos: string[] = [];
  const declarations = fns.flatMap((fn): readonly TsDeclaration[] => {
    if (aliases.has(fn.name)) return [];
    const context = definitionContext(fn, module, typing.of(fn));
    // In a stage of tasks a constant is computed where it is used: remembered, its IDs would be those of a job that runs beside others
    if (fn.params.length > 0 || wrapperFns.includes(fn) || stage.tasks !== undefined) {
      return lowerFunction(known(fn.name), context, options.values, 0).map(functionDeclaration);
    }
    const constant = lowerConstant(known(fn.name), context, options.values, linked?.own.has(fn.name) === true);
    if (constant.memo === null) functions.set(fn.name, { ...known(fn.name), isValue: true, takesDepth: false });
    else memos.push(constant.memo);
    return constant.declarations;
  });
  const isNeeded = stage.mode !== "primal" && memos.length > 0;
  const reset = linked?.reset?.own ?? (isNeeded ? options.values.fresh("resetConstants") : null);
  const ownTypes = mentionedData(ownData, types);
  return {
    declarations: [
      ...types.dualDeclarations(),
      ...ownTypes,
      ...declarations,
      ...(reset === null ? [] : [resetFunction(reset, memos, linked?.reset?.imported ?? [])]),
    ],
    references,
    call: (name, args) => callKnown(known(name), args, { kind: "start" }, module),
    apply: (type, fn, arg) => {
      const plain = plainType(type);
      const takesDepth = (plain.kind === "fn" || plain.kind === "linear") && convention.typeTakesDepth(plain);
      return ts.callOf(fn, arg, ...(takesDepth ? [depthArgument({ kind: "start" }, refer)] : []));
    },
    functionNames: new Map([...functions.keys(), ...aliases.keys()].map((name) => [name, known(name).name])),
    types,
    resetConstants: reset,
  };
}

/** The names of the declarations of the runtime that a module needs, as far as they are there. */
function mentionedNames(references: Iterable<string>, counted: boolean): readonly string[] {
  const all = [...references];
  const fragments = fragmentsFor(all.filter(isFragment), { counted });
  return [...all, ...fragments.map(({ reference }) => reference)].map(fragmentName);
}

function definitionContext(fn: Fn, module: ModuleContext, typing: Typing): DefinitionContext {
  return {
    module,
    typing,
    occurrences: new OccurrenceTable(fn),
    variables: new Map(),
    localFunctions: new Map(),
    facts: new Facts(),
    names: new Names(allBinders(fn)),
  };
}

/** The declarations of the data types that types mention, and of those that these mention. */
function mentionedData(own: readonly DataDecl[], types: TypeLowering): readonly TsDeclaration[] {
  const declared = new Map<string, TsDeclaration>();
  for (let before = -1; before < declared.size;) {
    before = declared.size;
    for (const decl of own) {
      if (types.mentions(decl.name) && !declared.has(decl.name))
        declared.set(decl.name, types.declaration(decl, false));
    }
  }
  return own.flatMap(({ name }) => declared.get(name) ?? []);
}

/** For a function that hands its parameters on to another as they are: that function. */
function calleeOfSame({ params, body }: Fn): string | null {
  if (body.kind !== "call" || body.args.length !== params.length) return null;
  return body.args.every((arg, index) => arg.kind === "var" && arg.name === params[index]?.name) ? body.fn : null;
}

function functionDeclaration(fn: TsFunction): TsDeclaration {
  return { kind: "function", doc: "", exported: false, fn };
}

/** Makes memoised constants be computed anew, and those of other modules. */
function resetFunction(name: string, memos: readonly string[], others: readonly string[]): TsDeclaration {
  const body = [
    ...memos.map((memo) => ts.assigned(memo, { kind: "undefined" })),
    ...others.map((other) => ts.effect(ts.callOf(ts.id(other)))),
  ];
  return functionDeclaration({ name, typeParams: [], params: [], result: ts.typeName("void"), body });
}

function knownAs(name: string, functions: ReadonlyMap<string, KnownFunction>): KnownFunction {
  const known = functions.get(name);
  if (known === undefined) throw new InternalError("emit", `there is no function ${name}`);
  return known;
}
