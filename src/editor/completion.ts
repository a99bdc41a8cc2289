// What can be written at the cursor.

import type { Analysis } from "../driver/analyse.js";
import { standardFiles } from "../driver/standard-files.js";
import { Nesting } from "../syntax/nesting.js";
import { importPath, isStandardPath, resolveImport } from "../syntax/paths.js";
import { standardName } from "../syntax/loaded-file.js";
import { parseModule } from "../syntax/parse.js";
import { keywords, tokenize } from "../syntax/tokens.js";
import { prune } from "../types/ty.js";
import { cursorAt, type Reanalyse, wordBefore } from "./cursor.js";
import { globalsOf, importableFrom, localsAt, typesOf, type Visible } from "./scope-at.js";
import { shownType } from "./types.js";

export interface Completion {
  readonly name: string;
  readonly kind: Visible["kind"] | "field" | "keyword" | "file";
  /** Its type, as far as it is known. */
  readonly detail: string;
  readonly doc: string;
  /** The order in which they are shown, the nearest first. */
  readonly rank: number;
}

/** What a completion may need beside the file. */
export interface Surroundings {
  readonly reanalyse: Reanalyse;
  /** The other models that there are, by the paths that `load` takes. */
  readonly files: readonly string[];
  readonly textOf: (file: string) => string | null;
}

/** What can stand at a place; the word before it is a part of that. */
export function completionsAt(analysis: Analysis, offset: number, around: Surroundings): readonly Completion[] {
  const { text, name: file } = analysis.source;
  const before = text.slice(0, offset);
  const { comments, tokens } = tokenize(text);
  if (comments.some(({ startOffset, image }) => startOffset < offset && offset <= startOffset + image.length))
    return [];
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const path = /^\s*import\s+"([^"]*)$/.exec(line)?.[1];
  if (path !== undefined) return pathsFrom(file, around.files);
  const imported = /(?:^|\n)import\s+"([^"\n]*)"\s*\([^()]*$/.exec(before)?.[1];
  if (imported !== undefined) return namesIn(file, imported, around);
  const word = wordBefore(text, offset);
  const start = offset - word.length;
  const nesting = new Nesting();
  const all = tokens.filter((token) => token.startOffset < start);
  const first = all.findLastIndex(({ startOffset, tokenType }) => (startOffset === 0 || text[startOffset - 1] === "\n") && /^(?:def|data|type|import|extern def|fused def|rule \w+)$/.test(tokenType.name)); // prettier-ignore
  const inItem = all.slice(Math.max(0, first));
  for (const token of inItem.slice(0, -1)) nesting.read(token);
  const isInLambda = nesting.innermost?.construct === "lambda";
  const last = inItem.at(-1);
  if (last !== undefined) nesting.read(last);
  if (last?.tokenType.name === "." && !isInLambda && last.startOffset + 1 === start)
    return fieldsAt(text, offset, around.reanalyse);
  if (last?.tokenType.name === "real" || last?.tokenType.name === "integer") if (last.startOffset + last.image.length === start) return []; // prettier-ignore
  if (nesting.inType) return typesOf(analysis).map((each) => shown(each, 0));
  if (nesting.entries.length === 0)
    return words(["def", "data", "type", "import", "fused def", "extern def", "rule derivative", "rule pullback"]);
  const whole = localsAt(analysis, offset);
  const isParsed = analysis.tree.items.some(({ span }) => span.start <= start && offset <= span.end);
  const locals = isParsed ? whole : localsIn(text, offset, around.reanalyse);
  return distinct([
    ...[...locals].reverse().map((each) => shown(each, 0)),
    ...globalsOf(analysis).map((each) => shown(each, each.doc === "" ? 2 : 1)),
    ...words(keywords.map(({ name }) => name).filter((name) => !/^(?:def|data|type|import)$/.test(name))),
  ]);
}

function shown({ name, kind, type, doc }: Visible, rank: number): Completion {
  return { name, kind, detail: type, doc, rank };
}

function words(names: readonly string[]): readonly Completion[] {
  return names.map((name) => ({ name, kind: "keyword", detail: "", doc: "", rank: 3 }));
}

/** Of several with one name the first is what the name means. */
function distinct(all: readonly Completion[]): readonly Completion[] {
  const seen = new Set<string>();
  return all.filter(({ name }) => !seen.has(name) && seen.add(name));
}

function localsIn(text: string, offset: number, reanalyse: Reanalyse): readonly Visible[] {
  const cursor = cursorAt(text, offset, reanalyse);
  return cursor === null ? [] : localsAt(cursor.analysis, offset);
}

/** The fields of the record in front of the dot; of any record in scope where its type is not known. */
function fieldsAt(text: string, offset: number, reanalyse: Reanalyse): readonly Completion[] {
  const cursor = cursorAt(text, offset, reanalyse);
  const access = cursor?.path.at(-1);
  if (cursor === null || access?.kind !== "field") return [];
  const { program, tree } = cursor.analysis;
  const type = program?.cx.types.get(access.record);
  const end = type === undefined ? null : prune(type);
  const inScope = [...(program?.declarations.get(tree)?.data.values() ?? [])];
  const owners =
    end?.kind === "data" ? [end.data] : end === null || end.kind === "variable" || end.kind === "hole" ? inScope : [];
  return distinct(
    owners.flatMap(({ name, doc, constructors }) => {
      const [only] = constructors;
      if (constructors.length !== 1 || only?.fieldNames == null) return [];
      return only.fieldNames.map((field, i): Completion => {
        const fieldType = only.fields[i];
        const detail = `${fieldType === undefined ? "" : shownType(fieldType)}${owners.length > 1 ? ` (${name})` : ""}`;
        return { name: field.name, kind: "field", detail, doc, rank: 0 };
      });
    }),
  );
}

function pathsFrom(file: string, files: readonly string[]): readonly Completion[] {
  const path = (name: string, doc: string): Completion => ({ name, kind: "file", detail: "", doc, rank: 0 });
  const others = files
    .filter((other) => other !== file)
    .map((other) => path(importPath(file, other).replace(/^\.\//, ""), ""));
  return [...others, ...[...standardFiles.keys()].map((each) => path(each, "comes with dualrev"))];
}

function namesIn(file: string, path: string, { textOf }: Surroundings): readonly Completion[] {
  const name = isStandardPath(path) ? standardName(path) : resolveImport(file, path);
  const text = textOf(name);
  return text === null ? [] : importableFrom(parseModule({ name, text }).value, name).map((each) => shown(each, 0));
}
