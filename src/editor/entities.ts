// What a name in a text means: something with one place where it is defined, or something that is built in.

import { standardFiles } from "../driver/standard-files.js";
import { preludeSource } from "../driver/load-options.js";
import type { Analysis } from "../driver/analyse.js";
import { standardName } from "../syntax/loaded-file.js";
import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import type { FunctionSymbol, LocalSymbol, Use } from "../types/scope.js";
import type { ConstructorInfo } from "../types/ty.js";

/** What a name means. */
export type Entity =
  /** A definition of a file, or a local function. */
  | { readonly kind: "function"; readonly symbol: FunctionSymbol }
  | { readonly kind: "local"; readonly symbol: LocalSymbol; readonly span: Span }
  | { readonly kind: "builtIn"; readonly name: string; readonly use: Use }
  | { readonly kind: "constructor"; readonly info: ConstructorInfo }
  | { readonly kind: "field"; readonly info: ConstructorInfo; readonly name: string; readonly span: Span }
  | { readonly kind: "type"; readonly item: Tree.DataItem | Tree.AliasItem }
  | { readonly kind: "builtInType"; readonly name: string }
  | { readonly kind: "typeVariable"; readonly name: string; readonly span: Span }
  | { readonly kind: "file"; readonly file: string };

/** A name where it stands. */
export interface Occurrence {
  readonly span: Span;
  readonly entity: Entity;
  readonly isDefinition: boolean;
  /** `{ focal }` in a pattern stands for the field, and for the variable that it binds. */
  readonly isShort: boolean;
}

/** Where an entity is defined; null for what is built in. */
export function definitionOf(entity: Entity): Span | null {
  switch (entity.kind) {
    case "function":
      return entity.symbol.nameSpan;
    case "local":
    case "field":
    case "typeVariable":
      return entity.span;
    case "constructor":
      return entity.info.span;
    case "type":
      return entity.item.name.span;
    case "file":
      return { file: entity.file, start: 0, end: 0 };
    case "builtIn":
    case "builtInType":
      return null;
  }
}

/** The name by which an entity goes. */
export function nameOf(entity: Entity): string {
  switch (entity.kind) {
    case "function":
    case "local":
      return entity.symbol.name;
    case "constructor":
      return entity.info.name;
    case "type":
      return entity.item.name.name;
    case "file":
      return entity.file;
    case "field":
    case "typeVariable":
    case "builtIn":
    case "builtInType":
      return entity.name;
  }
}

/** The same for two names that mean the same, also in analyses of different files. */
export function keyOf(entity: Entity): string {
  const span = definitionOf(entity);
  return span === null ? `${entity.kind} ${nameOf(entity)}` : `${span.file}:${span.start}`;
}

/** The text of a file of an analysis, the prelude and `std/` included. */
export function textIn(analysis: Analysis, file: string): string | null {
  if (file === preludeSource.name) return preludeSource.text;
  const own = analysis.files.find(({ name }) => name === file);
  if (own !== undefined) return own.text;
  return standardTexts.get(file) ?? null;
}

/** The files that come with the compiler, by the names that diagnostics show. */
export const standardTexts: ReadonlyMap<string, string> = new Map([
  [preludeSource.name, preludeSource.text],
  ...[...standardFiles].map(([path, text]): [string, string] => [standardName(path), text]),
]);

export function holds(span: Span, offset: number): boolean {
  return span.start <= offset && offset <= span.end;
}
