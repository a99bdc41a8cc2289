// What is known of a name, beside the pointer.

import type { Analysis } from "../driver/analyse.js";
import { explainLeftOut } from "../diagnostics/explain-entries.js";
import { exportsOf } from "../elaborate/elaborate.js";
import { entryOf } from "../elaborate/entries.js";
import { PublicTypes } from "../emit/interface/public-types.js";
import { leavesOf } from "../emit/interface/parameters.js";
import type { Span } from "../syntax/source.js";
import { printOverload } from "../typescript/print-module.js";
import { identifier } from "../typescript/naming.js";
import { type Entity, textIn } from "./entities.js";
import { occurrencesIn } from "./occurrences.js";
import { documentationOf, signatureOf } from "./types.js";

export interface Hover {
  readonly span: Span;
  /** In the notation of the language. */
  readonly code: string;
  /** The exported function in TypeScript; null where it is none. */
  readonly typescript: string | null;
  /** Text of the comment above the definition; "" where there is none. */
  readonly doc: string;
  /** Why a definition of the file is not exported; null where it is. */
  readonly notExported: string | null;
}

/** What to say of the name at a place; null where there is none. */
export function hoverAt(analysis: Analysis, offset: number): Hover | null {
  const here = occurrencesIn(analysis).filter(({ span }) => span.start <= offset && offset <= span.end);
  const found = here.find(({ span }) => offset < span.end) ?? here[0];
  if (found === undefined) return null;
  const { entity, span } = found;
  const exported = exportOf(analysis, entity);
  return {
    span,
    code: declarationOf(analysis, entity),
    doc: documentationOf(entity),
    typescript: exported?.typescript ?? null,
    notExported: exported?.reason ?? null,
  };
}

/** A type as it is declared, anything else by its type. */
function declarationOf(analysis: Analysis, entity: Entity): string {
  if (entity.kind !== "type") return signatureOf(analysis, entity);
  const { span } = entity.item;
  const text = textIn(analysis, span.file)?.slice(span.start, span.end) ?? "";
  return text.length > 0 && text.length < 1000 ? text : signatureOf(analysis, entity);
}

/** The exported function of a definition of the file, or why there is none; null for anything else. */
function exportOf(
  analysis: Analysis,
  entity: Entity,
): { readonly typescript: string | null; readonly reason: string | null } | null {
  if (entity.kind !== "function" || entity.symbol.definition === null) return null;
  const { nameSpan, name } = entity.symbol;
  if (nameSpan.file !== analysis.source.name) return null;
  const { typed } = analysis;
  const { exported, mistakes } = exportsOf(typed);
  const found = exported.find(({ binding }) => binding.sourceName === name);
  if (found === undefined) {
    const why = mistakes.find((mistake) => "name" in mistake && mistake.name === name);
    return why === undefined ? null : { typescript: null, reason: explainLeftOut(why).reason };
  }
  const entry = entryOf(found);
  const types = new PublicTypes(typed.data, typed.aliases);
  const params = leavesOf(entry.params).map(({ leaf }) => ({ name: identifier(leaf.name), type: types.input(leaf.type), optional: false })); // prettier-ignore
  const fn = { name: identifier(name), typeParams: [], params, result: types.value(entry.result), body: [] };
  return { typescript: printOverload(fn, "", 80), reason: null };
}
