// Files compiled apart, for tests.

import { compile, printRuntime, renderDiagnostics, textOf, type CompileOptions } from "../../src/index.js";

/** Texts by the names of files. */
export type Files = Readonly<Record<string, string>>;

/** Each file as a module of its own, and what they share. `entries`: what a file exports, where that is not all it can. */
export function apart(
  files: Files,
  options: CompileOptions,
  entries: Readonly<Record<string, readonly string[]>> = {},
): Files {
  const target = options.target ?? "js";
  const load = (path: string): string | undefined => files[path];
  const modules = Object.entries(files).map(([name, text]) => {
    const source = { name, text };
    const up = name.split("/").slice(1).map(() => "../").join(""); // prettier-ignore
    const result = compile(source, {
      load,
      target,
      library: true,
      runtime: `${up || "./"}shared.js`,
      ...options,
      entries: entries[name] ?? null,
    });
    if (!result.ok) throw new Error(renderDiagnostics(result.diagnostics, textOf(source, load)));
    return { name: name.replace(/\.lam$/, `.${target}`), ...result.value };
  });
  const texts = modules.map(({ name, code }): [string, string] => [name, code]);
  return { ...Object.fromEntries(texts), [`shared.${target}`]: printRuntime(modules, target) };
}
