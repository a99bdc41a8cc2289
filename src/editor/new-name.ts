// Whether a program still means the same once something in it has another name.

import type { Analysis } from "../driver/analyse.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { baseName } from "../syntax/paths.js";
import { positionAt, type Span } from "../syntax/source.js";
import { tokenize } from "../syntax/tokens.js";
import { definitionOf, keyOf, nameOf, textIn, type Entity, type Occurrence } from "./entities.js";
import type { TextEdit } from "./names.js";
import { occurrencesIn } from "./occurrences.js";

/** A text with changes of it made. */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  const fromBehind = [...edits].sort((one, other) => other.span.start - one.span.start);
  return fromBehind.reduce((so, { span, text: put }) => so.slice(0, span.start) + put + so.slice(span.end), text);
}

/** Why it is not known where in a file an entity is named, as a sentence: its name stands in a part that cannot be read; null where it is. */
export function unreadName(analysis: Analysis, entity: Entity): string | null {
  // What is named only within one item has been found in it
  if (entity.kind === "local" || entity.kind === "typeVariable") return null;
  if (entity.kind === "function" && entity.symbol.definition === null) return null;
  const { source, tree } = analysis;
  const name = nameOf(entity);
  const isRead = (offset: number): boolean => tree.items.some(({ span }) => span.start <= offset && offset < span.end);
  const unread = tokenize(source.text).tokens.find((token) => token.image === name && !isRead(token.startOffset));
  if (unread === undefined) return null;
  const mistake = analysis.diagnostics().find(({ code, span }) => code.startsWith("E01") && span.file === source.name);
  const at = placeOf(analysis, mistake?.span ?? spanAt(source.name, unread.startOffset));
  return `the file does not parse at ${at}, and names \`${name}\` there: mend it first`;
}

function spanAt(file: string, start: number): Span {
  return { file, start, end: start };
}

/** A place for a sentence, of a file of the analysis. */
function placeOf(analysis: Analysis, { file, start }: Span): string {
  const { line, column } = positionAt(textIn(analysis, file) ?? "", start);
  return `${baseName(file)}:${line}:${column}`;
}

/** A file before and after some have been changed. */
interface Renamed {
  readonly before: Analysis;
  readonly after: Analysis;
  /** Names of the files that have been changed. */
  readonly edited: ReadonlySet<string>;
}

/** Why what has one of the keys must not be called `name`, as a sentence: some name of the file would mean something else, or there would be a mistake; null where all is as before. */
export function meaningChanged(renamed: Renamed, keys: ReadonlySet<string>, name: string): string | null {
  const [were, are] = [inOrder(renamed.before), inOrder(renamed.after)];
  const mistake = (): string | null => newMistake(renamed, name);
  if (were.length === are.length) return nameChanged(renamed, were, are, keys, name) ?? mistake();
  return mistake() ?? `there is a \`${name}\` that means nothing yet, and would mean this one`;
}

function nameChanged(
  { before, edited }: Renamed,
  were: readonly Occurrence[],
  are: readonly Occurrence[],
  keys: ReadonlySet<string>,
  name: string,
): string | null {
  const [becomes, came] = [new Map<string, string>(), new Map<string, string>()];
  for (const [index, was] of were.entries()) {
    const is = are[index];
    if (is === undefined) return null;
    const [from, to] = [keyOf(was.entity), keyOf(is.entity)];
    const isFixed = !edited.has(definitionOf(was.entity)?.file ?? "");
    const isSame = (becomes.get(from) ?? to) === to && (came.get(to) ?? from) === from && (!isFixed || from === to);
    becomes.set(from, to);
    came.set(to, from);
    if (isSame) continue;
    const at = placeOf(before, was.span);
    const isOwn = keys.has(from);
    const other = isOwn ? defined(renamedFrom(were, are, to), is.entity, edited) : definitionOf(was.entity);
    const where = other === null ? "" : ` (${placeOf(before, other)})`;
    return isOwn
      ? `there is another \`${name}\`${where}, which would be meant at ${at} in the place of this one`
      : `there is another \`${name}\`${where}, and this one would be meant in its place at ${at}`;
  }
  return null;
}

/** The names of a file; of `{ focal }` the field first, since it stands first where the two have different names. */
function inOrder(analysis: Analysis): readonly Occurrence[] {
  const rank = ({ entity }: Occurrence): number => Number(entity.kind !== "field");
  return [...occurrencesIn(analysis)].sort((one, other) => one.span.start - other.span.start || rank(one) - rank(other)); // prettier-ignore
}

/** Where something was defined in the file that has a key now. */
function renamedFrom(were: readonly Occurrence[], are: readonly Occurrence[], key: string): Span | null {
  const index = are.findIndex((each) => each.isDefinition && keyOf(each.entity) === key);
  return were[index]?.span ?? null;
}

/** Where something is defined, as long as that is a place in a file that has not been changed. */
function defined(found: Span | null, entity: Entity, edited: ReadonlySet<string>): Span | null {
  const span = found ?? definitionOf(entity);
  return found === null && edited.has(span?.file ?? "") ? null : span;
}

function newMistake({ before, after }: Renamed, name: string): string | null {
  const known = errorsOf(before);
  const found = errorsOf(after);
  const count = (all: readonly Diagnostic[], code: string): number => all.filter((each) => each.code === code).length;
  const added = found.filter(({ code }) => count(found, code) > count(known, code));
  const told = new Set(known.map(({ title }) => title));
  const mistake = added.find(({ title }) => !told.has(title)) ?? added[0];
  if (mistake === undefined) return null;
  // The same line as in the text before, since names have no lines
  const { file, start } = mistake.span;
  const { line } = positionAt(textIn(after, file) ?? "", start);
  return `with \`${name}\`, line ${line} of ${baseName(file)} would be wrong: ${mistake.title}`;
}

function errorsOf(analysis: Analysis): readonly Diagnostic[] {
  return analysis.diagnostics().filter(({ severity }) => severity === "error");
}
