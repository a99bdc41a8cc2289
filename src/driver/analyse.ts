// A file as an editor sees it: what its names and nodes mean, as far as that is known, also where it has mistakes.

import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { explainLoading } from "../diagnostics/explain-imports.js";
import { explainTypes } from "../diagnostics/explain-types.js";
import { loadProgram, type Parse, type ProgramFile } from "../syntax/load.js";
import type { Load } from "../syntax/loaded-file.js";
import { parseModule } from "../syntax/parse.js";
import type { SourceFile } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import { inferAll, type InferredProgram } from "../types/infer.js";
import type { TypeMistake } from "../types/mistakes.js";
import type * as Typed from "../types/typed.js";
import { answer } from "./answer.js";
import { preludeSource } from "./load-options.js";
import { Passes } from "./passes.js";
import { explained, guarded, mentionsDerivatives, mistakesInDerivatives, preludeModule } from "./pipeline.js";
import { warningsOf } from "./warnings.js";
import { standardFiles } from "./standard-files.js";

/** A file with what is known of it. */
export interface Analysis {
  readonly source: SourceFile;
  /** The file and those that it imports. */
  readonly files: readonly ProgramFile[];
  readonly tree: Tree.Module;
  /** What its names and nodes mean; null where its files import each other, or it is too deep for the compiler. */
  readonly program: InferredProgram | null;
  /** Its definitions without mistakes, and what these use. */
  readonly typed: Typed.Module;
  /** What `check` finds; worked out when it is asked for first. */
  readonly diagnostics: () => readonly Diagnostic[];
  /** What is wrong with names and types, with what would mend it. */
  readonly mistakes: () => readonly TypeMistake[];
}

/** Reads and infers a file. `parse` may know what it has read before. */
export function analyse(source: SourceFile, load: Load | null, parse: Parse = parseModule): Analysis {
  const passes = new Passes(null);
  const found = guarded(source, () => answer(read(source, load, parse, passes), []));
  if (found.ok) return found.value;
  const { diagnostics } = found;
  const empty = { file: source.name, start: 0, end: 0 };
  return {
    source,
    files: [],
    tree: { items: [], comments: [], span: empty },
    program: null,
    typed: { data: [], aliases: [], file: source.name, imported: [], groups: [] },
    diagnostics: () => diagnostics,
    mistakes: () => [],
  };
}

function read(source: SourceFile, load: Load | null, parse: Parse, passes: Passes): Analysis {
  const loaded = passes.run("parse", () => loadProgram(source, load, standardFiles, parse, true));
  const { files, imported } = loaded.value;
  const [{ tree }] = files;
  const isPrelude = source.name === preludeSource.name;
  const prelude = isPrelude ? { ...tree, items: [] } : preludeModule(passes);
  const { value: typed, mistakes: found, program } = passes.run("infer", () => inferAll(tree, prelude, imported));
  let wrong: readonly TypeMistake[] | null = null;
  const mistakes = (): readonly TypeMistake[] => (wrong ??= passes.run("infer", found));
  const told = (): readonly Diagnostic[] => {
    const loading = explained(loaded, explainLoading);
    if (!loading.ok) return loading.diagnostics;
    const types = explained({ value: typed, mistakes: mistakes() }, explainTypes);
    const soFar = [...loading.diagnostics, ...types.diagnostics];
    if (!types.ok) return soFar;
    const checked = { files, tree, typed, usesDerivatives: mentionsDerivatives(program) };
    return [...soFar, ...warningsOf(checked, source, soFar), ...mistakesInDerivatives(checked, source)];
  };
  let known: readonly Diagnostic[] | null = null;
  const diagnostics = (): readonly Diagnostic[] =>
    (known ??= guarded<null>(source, () => ({ ok: false, diagnostics: told() })).diagnostics);
  return { source, files, tree, program, typed, diagnostics, mistakes };
}
