// From the typed tree to the source calculus (SV25 Fig. 4 with §11 and §12): monomorphic, with flat cases, distinct binders and known functions
// that are called with all their arguments.
//
//   entries      which definitions are exported           instances    one copy of a function for each list of type arguments
//   expressions  terms                                    decision     nested patterns as decision trees
//   match        decision trees as flat cases             nesting      how deep a tree is, where passes recurse
//   expansion    which functions of the prelude are expanded where they are used

import type { Outcome } from "../outcome.js";
import type { Span } from "../syntax/source.js";
import type * as Typed from "../types/typed.js";
import { chooseEntries, entryOf, exportableForm } from "./entries.js";
import { Elaborator } from "./expressions.js";
import { callableOf, Instances, type Instance, type KnownFunction, type Scope } from "./instances.js";
import { defaultLimits, type Limits } from "./limits.js";
import type { EntryMistake } from "./mistakes.js";
import { Names } from "../core/names.js";
import { referencesOf } from "./nesting.js";
import { Bindings } from "./scope.js";
import { Session, type CoreForm } from "./session.js";
import { nestingDepth } from "../core/traverse.js";
import * as b from "../core/build.js";
import type { Fn, Link, Program, Site } from "../core/term.js";
import type { Type } from "../core/type.js";
import { locate } from "../location.js";
import { DataTypes } from "../core/type-parts.js";
import { ScopeNames } from "./scope-names.js";

export interface Request {
  /** The definitions to export, also of those that the file imports by name; null for all of its own that can be. */
  readonly entries: readonly string[] | null;
  /** A place in a file as run-time errors name it: `model.lam:3:5`. */
  readonly position: (span: Span) => string;
  /** The name of the file that is the prelude. */
  readonly prelude: string;
  readonly limits?: Limits;
  readonly form?: CoreForm;
  /** Whether a file is compiled apart from those that import it; left out: none is. */
  readonly isApart?: (file: string) => boolean;
  /** Whether terms are told where they are from. */
  readonly isLocated?: boolean;
}

export interface Elaborated {
  readonly program: Program;
  /** The definitions that are fused. */
  readonly fused: ReadonlySet<string>;
  /** Without a request: why the file's other definitions are not exported. */
  readonly leftOut: readonly EntryMistake[];
  /** Whether the program has a `debug "text"`. */
  readonly usesDebug: boolean;
  /** For a trace: by the name of a variable what `debug` calls it, and where. */
  readonly labels: Labels;
}

export type Labels = ReadonlyMap<string, { readonly label: string; readonly site: Site | null }>;

/** The program that the entries of a module reach. With mistakes the program is of no use. */
export function elaborateProgram(module: Typed.Module, request: Request): Outcome<Elaborated, EntryMistake> {
  const data = new DataTypes(module.data);
  const isApart = request.isApart ?? ((): boolean => false);
  const bindings = exportableBindings(module, data, isApart);
  const { exported, mistakes } = entriesOf(module, bindings, request.entries, data);
  const called = bindings.filter((binding) => binding.own && binding.extern === null && isLinked(binding, isApart));

  const names = new Names(reachable(bindings, [...exported.map(({ binding }) => binding), ...called].map(({ name }) => name))); // prettier-ignore
  const session = new Session(
    names,
    data,
    request.limits ?? defaultLimits,
    request.position,
    request.prelude,
    request.form ?? "plain",
    request.isLocated ?? false,
  );
  const instances = new Instances(session, (name) => name);
  const scope = topScope(bindings, instances, ScopeNames.within(names, true));
  const elaborator = new Elaborator(session);
  for (const { binding, typeArgs } of [
    ...exported,
    ...called.map((each) => ({ binding: each, typeArgs: atReals(each) })),
  ]) {
    const known = scope.functions.get(binding.name);
    if (known !== undefined) instances.request(known, typeArgs, binding.nameSpan);
  }
  const order = new Map(bindings.map((binding, index) => [binding, index]));
  const place = (known: KnownFunction): number => order.get(known.binding) ?? 0;
  const made = [...instances.drain((instance) => elaborator.instance(instance))];
  for (const { instance, fn } of made) {
    // Patterns nest more deeply as cases than as they are written
    const { name, nameSpan } = instance.known.binding;
    const { nesting } = session.limits;
    if (nestingDepth(fn.body) > 2 * nesting) session.exceed("nestedTooDeeply", name, nesting, nameSpan);
  }
  made.sort((left, right) => place(left.instance.known) - place(right.instance.known));

  const isAll = request.entries === null;
  return {
    value: {
      program: {
        data: module.data,
        definitions: made.map(({ fn }) => fn),
        entries: exported.map((each) =>
          locate(entryOf(each), session.locationOf(scope, each.binding.nameSpan, each.binding.sourceName)),
        ),
        given: session.given,
        derivatives: session.derivatives,
        externs: session.externs,
        pullbacks: new Map(),
        checkpoints: new Map(),
        partials: new Map(),
        texts: new Map(),
        links: new Map(made.flatMap(({ instance, fn }) => linkOf(instance, fn, isApart))),
      },
      fused: new Set(made.flatMap(({ instance, fn }) => (instance.known.binding.isFused ? [fn.name] : []))),
      leftOut: isAll ? mistakes : [],
      usesDebug: session.usesDebug,
      labels: session.labels,
    },
    mistakes: [...(isAll ? [] : mistakes), ...session.mistakes],
  };
}

/** The definitions of a module that can be exported. */
export function exportableNames(module: Typed.Module): ReadonlySet<string> {
  return new Set(exportsOf(module).exported.map(({ binding }) => binding.sourceName));
}

/** The definitions of a module that can be exported, and what stands in the way of the others. */
export function exportsOf(module: Typed.Module): ReturnType<typeof chooseEntries> {
  const data = new DataTypes(module.data);
  return entriesOf(
    module,
    exportableBindings(module, data, () => false),
    null,
    data,
  );
}

/** All definitions, those of the file, and of files that are compiled apart, in the form in which they can be exported. */
function exportableBindings(
  module: Typed.Module,
  data: DataTypes,
  isApart: (file: string) => boolean,
): readonly Typed.Binding[] {
  const written = module.groups.flatMap((group) => group.bindings);
  const params = new Map(written.map((binding) => [binding.name, binding.params.length]));
  const withParams = exportableForm(data, (name) => params.get(name) ?? 0);
  return written.map((each) => (each.own || isApart(each.span.file) ? withParams(each) : each));
}

function entriesOf(
  module: Typed.Module,
  bindings: readonly Typed.Binding[],
  requested: readonly string[] | null,
  data: DataTypes,
): ReturnType<typeof chooseEntries> {
  const own = bindings.filter((binding) => binding.own).sort((left, right) => left.span.start - right.span.start);
  const imported = bindings.filter((binding) => module.imported.includes(binding.name));
  return chooseEntries({ file: module.file, own, imported }, requested, data);
}

/** Whether other modules can call a definition: it is one function, with its numeric types at R. */
function isLinked({ span, typeParams }: Typed.Binding, isApart: (file: string) => boolean): boolean {
  return isApart(span.file) && typeParams.every(({ numeric }) => numeric);
}

function atReals({ typeParams }: Typed.Binding): readonly Type[] {
  return typeParams.map(() => b.real);
}

/** Where an instance of a definition is from, if from a file that is compiled apart. */
function linkOf(
  { known, types }: Instance,
  fn: Fn,
  isApart: (file: string) => boolean,
): readonly (readonly [string, Link])[] {
  const { binding } = known;
  if (!isApart(binding.span.file)) return [];
  const isCalled = isLinked(binding, isApart) && [...types.values()].every(({ kind }) => kind === "real");
  const kind = !isCalled ? "included" : binding.own ? "own" : "imported";
  return [[fn.name, { kind, name: binding.sourceName, file: binding.span.file }]];
}

/** The names of the definitions that some definitions refer to, and of these; a local function of the same name counts too. */
function reachable(bindings: readonly Typed.Binding[], start: readonly string[]): ReadonlySet<string> {
  const byName = new Map(bindings.map((binding) => [binding.name, binding]));
  const reached = new Set(start);
  for (const name of reached) {
    const binding = byName.get(name);
    if (binding === undefined) continue;
    for (const reference of referencesOf(binding)) if (byName.has(reference)) reached.add(reference);
  }
  return reached;
}

function topScope(bindings: readonly Typed.Binding[], instances: Instances, names: ScopeNames): Scope {
  const params = new Map(bindings.map((binding) => [binding.name, binding.params.length]));
  const known = bindings.map((binding): readonly [string, KnownFunction] => {
    const callable = callableOf(binding, (name) => params.get(name) ?? 0);
    return [binding.name, { binding, callable, scope: () => scope, instances, local: false }];
  });
  const functions = Bindings.of(known);
  const scope: Scope = {
    definition: "",
    origin: { kind: "file" },
    types: new Map(),
    variables: Bindings.of([]),
    functions,
    names,
  };
  return scope;
}
