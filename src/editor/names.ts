// Where a name is defined and used, and what changes with it.

import type { Analysis } from "../driver/analyse.js";
import { tokenize, Lower, Upper } from "../syntax/tokens.js";
import type { Span } from "../syntax/source.js";
import { definitionOf, keyOf, nameOf, type Entity, type Occurrence } from "./entities.js";
import { occurrenceAt, occurrencesIn } from "./occurrences.js";

/** A place in a text, and what is to stand there. */
export interface TextEdit {
  readonly span: Span;
  readonly text: string;
}

/** Where what stands at a place is defined; null for what is built in. */
export function definitionAt(analysis: Analysis, offset: number): Span | null {
  const found = meantAt(analysis, offset);
  return found === null ? null : definitionOf(found.entity);
}

/** The name at a place; of `{ focal }` the field. */
function meantAt(analysis: Analysis, offset: number): Occurrence | null {
  return occurrenceAt(analysis, offset);
}

/** The name at a place, where it has a definition. */
export function entityAt(analysis: Analysis, offset: number): Entity | null {
  const entity = meantAt(analysis, offset)?.entity ?? null;
  return entity === null || definitionOf(entity) === null ? null : entity;
}

/** The names in the file of `analysis` that mean `entity`, which may be from the analysis of another file. */
export function referencesIn(analysis: Analysis, entity: Entity): readonly Occurrence[] {
  const key = keyOf(entity);
  return occurrencesIn(analysis).filter(({ entity: other }) => definitionOf(other) !== null && keyOf(other) === key);
}

/** Why an entity cannot get a name, as a sentence; null where it can. */
export function renameProblem(entity: Entity, name: string, isLibrary: (file: string) => boolean): string | null {
  const defined = definitionOf(entity);
  if (defined === null || entity.kind === "file") return "this has no name of yours";
  if (isLibrary(defined.file)) return "this name is the library's";
  const { tokens, unknown } = tokenize(name);
  const [token] = tokens;
  const isUpper = entity.kind === "type" || entity.kind === "constructor";
  const isOne = tokens.length === 1 && unknown.length === 0 && token?.image === name;
  if (isOne && token.tokenType === (isUpper ? Upper : Lower)) return null;
  const isWord = isOne && /^\p{L}/u.test(name) && token.tokenType !== Upper && token.tokenType !== Lower;
  if (isWord) return `\`${name}\` is a word of the language`;
  return `\`${name}\` is no name that begins with ${isUpper ? "a capital" : "a small letter"}`;
}

/**
 * The keys of what has a new name when an entity has one: its own, and of a data type with one constructor, of the same name, that of the other one. Whoever writes
 * `data Point = Point { x : R }` has one name for both.
 */
export function renamedTogether({ program }: Analysis, entity: Entity): ReadonlySet<string> {
  const keys = new Set([keyOf(entity)]);
  if (entity.kind !== "type" && entity.kind !== "constructor") return keys;
  const all = [...(program?.declarations.values() ?? [])].flatMap(({ ownData }) => ownData);
  const declared = all.find(({ info, item }) => (entity.kind === "type" ? item === entity.item : info === entity.info.data)); // prettier-ignore
  const [constructor, ...others] = declared?.info.constructors ?? [];
  if (declared === undefined || constructor === undefined || others.length > 0) return keys;
  if (constructor.name !== declared.info.name) return keys;
  return new Set([keyOf({ kind: "type", item: declared.item }), keyOf({ kind: "constructor", info: constructor })]);
}

/** The changes of a file with which all that has one of the keys has another name there. */
export function renameIn(analysis: Analysis, keys: ReadonlySet<string>, name: string): readonly TextEdit[] {
  const found = occurrencesIn(analysis).filter(
    ({ entity }) => definitionOf(entity) !== null && keys.has(keyOf(entity)),
  );
  return found.map(({ entity, span, isShort }): TextEdit => {
    if (!isShort) return { span, text: name };
    const old = nameOf(entity);
    return { span, text: entity.kind === "field" ? `${name} = ${old}` : `${old} = ${name}` };
  });
}
