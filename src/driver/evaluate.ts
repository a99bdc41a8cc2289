// Runs emitted JavaScript: for `run`, `grad` and `cost`, and for the tests.

import { InternalError } from "../internal-error.js";

/** A function of an emitted module. */
export type EmittedFunction = (...args: readonly unknown[]) => unknown;

/** The counters of a module that was emitted with counting instructions: an object that it writes to. */
export type Counters = object;

/** An emitted module, loaded. */
export interface LoadedModule {
  readonly exports: ReadonlyMap<string, EmittedFunction>;
  readonly counters: Counters | null;
}

const exportedDeclaration = /^export (function ([\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*))/gmu;

/**
 * Loads the text of an emitted JavaScript module (`--target js`), which exports functions alone and imports `imported`. Synchronous: an `import`
 * would not be, and would keep the module for ever. `comments`: what debuggers are told of it, in lines of their own.
 */
export function loadModule(
  code: string,
  imported: ReadonlyMap<string, EmittedFunction> = new Map(),
  comments = "",
): LoadedModule {
  const names: string[] = [];
  const body = code.replace(exportedDeclaration, (_, declaration: string, name: string) => {
    names.push(name);
    // Columns stay what they are, for source maps
    return `${" ".repeat("export ".length)}${declaration}`;
  });
  const entries = names.map((name) => `[${JSON.stringify(name)}, ${name}]`).join(", ");
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- what is evaluated is what dualrev has just emitted, and nothing else
  const load = new Function(
    ...imported.keys(),
    `"use strict";\n${body}\nreturn [typeof cost === "object" ? cost : null, [${entries}]];\n${comments}`,
  );
  const loaded: unknown = Reflect.apply(load, undefined, [...imported.values()]);
  const [counters, exported] = isPair(loaded) ? loaded : [];
  const found = new Map<string, EmittedFunction>();
  for (const entry of Array.isArray(exported) ? exported : []) {
    if (isPair(entry) && typeof entry[0] === "string" && isFunction(entry[1])) found.set(entry[0], entry[1]);
  }
  return { exports: found, counters: typeof counters === "object" ? counters : null };
}

/** How many lines stand before a module's own when it is evaluated: two of `Function`, by ECMAScript, and one that makes it strict. */
export const linesBefore = 3;

/** The function that a module exports under a name. */
export function exportOf(module: LoadedModule, name: string | undefined): EmittedFunction {
  const found = name === undefined ? undefined : module.exports.get(name);
  if (found === undefined) throw new InternalError("evaluate", `the module has no export ${String(name)}`);
  return found;
}

/** A property of an object that emitted code has returned. */
export function propertyOf(object: unknown, name: string): unknown {
  if (typeof object !== "object" || object === null) throw new InternalError("evaluate", `no object with ${name}`);
  const value: unknown = Reflect.get(object, name);
  return value;
}

/** A function that emitted code has returned. */
export function functionOf(value: unknown): EmittedFunction {
  if (!isFunction(value)) throw new InternalError("evaluate", "not a function");
  return value;
}

function isPair(value: unknown): value is readonly [unknown, unknown] {
  return Array.isArray(value) && value.length === 2;
}

function isFunction(value: unknown): value is EmittedFunction {
  return typeof value === "function";
}
