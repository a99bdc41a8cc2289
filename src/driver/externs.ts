// The caller's functions, where a model is run instead of compiled: they come with the call, by the files that they are from.

import type { Extern } from "../core/term.js";
import { loadProgram } from "../syntax/load.js";
import type { Load } from "../syntax/loaded-file.js";
import { externPath } from "../syntax/paths.js";
import type { SourceFile } from "../syntax/source.js";
import type { TsModule } from "../typescript/tree.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { standardFiles } from "./standard-files.js";
import { answer, failure, type Answer } from "./answer.js";
import type { EmittedFunction } from "./evaluate.js";

/** By path, from the folder of the model, what a file exports. */
export type ExternModules = Readonly<Record<string, object>>;

/** The files that a model has functions from, as the option `externs` names them: paths from its own folder, and packages. */
export function externFiles(source: SourceFile, load: Load | null = null): readonly string[] {
  const { files } = loadProgram(source, load, standardFiles).value;
  const items = files.flatMap(({ name, tree }) => tree.items.map((item) => ({ name, item })));
  return [...new Set(items.flatMap(({ name, item }) => (item.kind === "extern" ? [externPath(source.name, name, item.path)] : [])))]; // prettier-ignore
}

/** What a module imports, by the names that it has for it. */
export function importedFunctions(
  { declarations }: TsModule,
  externs: Iterable<Extern>,
  modules: ExternModules | null,
): Answer<ReadonlyMap<string, EmittedFunction>> {
  const known = [...externs];
  const found = new Map<string, EmittedFunction>();
  const missing: Diagnostic[] = [];
  for (const declaration of declarations) {
    if (declaration.kind !== "import") continue;
    const { from, names } = declaration;
    const module = modules !== null && Object.hasOwn(modules, from) ? modules[from] : undefined;
    for (const { name, as } of names) {
      const extern = known.find((each) => each.name === name && each.path === from);
      const value: unknown = module === undefined ? undefined : Reflect.get(module, name);
      if (isFunction(value)) found.set(as, value);
      else if (extern !== undefined) missing.push(missingFunction(extern, module ?? null, modules ?? {}));
    }
  }
  return missing.length > 0 ? failure(...missing) : answer(found, []);
}

function missingFunction({ name, path, span }: Extern, module: object | null, modules: ExternModules): Diagnostic {
  const file = JSON.stringify(path);
  const isLoaded = module !== null;
  const given = isLoaded ? Object.keys(module) : Object.keys(modules).map((key) => JSON.stringify(key));
  const has = isLoaded ? "It exports" : "The option `externs` has";
  return {
    code: "E0607",
    severity: "error",
    title: isLoaded
      ? `${file} exports no function \`${name}\``
      : `\`${name}\` is not here: ${file} has not been loaded`,
    span,
    label: "it is declared here",
    related: [],
    notes: given.length === 0 ? [] : [`${has} ${given.join(", ")}.`],
    hint: isLoaded ? null : "the option `externs` has what such files export, by their paths",
  };
}

/** Functions that say in what they throw that they are the caller's, by the names that they have in the model: for what makes diagnostics of it. */
export function reported(
  { declarations }: TsModule,
  imported: ReadonlyMap<string, EmittedFunction>,
): ReadonlyMap<string, EmittedFunction> {
  const names = new Map(declarations.flatMap((each) => each.kind === "import" ? each.names.map(({ name, as }) => [as, name] as const) : [])); // prettier-ignore
  return new Map(Array.from(imported, ([as, fn]) => [as, reporting(names.get(as) ?? as, fn)]));
}

function reporting(name: string, fn: EmittedFunction): EmittedFunction {
  return (...args) => {
    try {
      return fn(...args);
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      throw new RangeError(`${name}: it has thrown: ${what}`, { cause: error });
    }
  };
}

function isFunction(value: unknown): value is EmittedFunction {
  return typeof value === "function";
}
