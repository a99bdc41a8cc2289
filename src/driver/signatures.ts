import { printType } from "../core/print-type.js";
import type { SourceFile, Span } from "../syntax/source.js";
import { typeOf } from "../types/binding-type.js";
import { answer, type Answer } from "./answer.js";
import { assertCall } from "./options.js";
import type { LoadOptions } from "./load-options.js";
import { Passes } from "./passes.js";
import { toCore, withEarlier } from "./pipeline.js";
import { warningsOf } from "./warnings.js";

/** A definition of a model, as those who use it see it. */
export interface Signature {
  readonly name: string;
  /** In the notation of the language; numeric variables have `numeric` beside them. */
  readonly type: string;
  /** The type variables of its type that stand for R and Z alone. */
  readonly numeric: readonly string[];
  /** Text of the comment above it; "" where there is none. */
  readonly doc: string;
  /** Whether a compiled module exports it. */
  readonly exported: boolean;
  /** Why it is not exported, as half a sentence; null where it is. */
  readonly reason: string | null;
  /** Where its name stands. */
  readonly span: Span;
}

/** The definitions of a model, in the order of the file. */
export function signatures(source: SourceFile, options: LoadOptions = {}): Answer<readonly Signature[]> {
  assertCall("signatures", source, options, ["load"]);
  const core = toCore(source, null, new Passes(null), options.load ?? null);
  if (!core.ok) return core;
  const reasons = new Map(core.value.leftOut.map(({ name, reason }) => [name, reason]));
  const entries = new Set(core.value.program.entries.map(({ name }) => name));
  const own = core.value.typed.groups.flatMap(({ bindings }) => bindings.filter((binding) => binding.own));
  const all = own
    .sort((one, other) => one.span.start - other.span.start)
    .map((binding): Signature => ({
      name: binding.sourceName,
      type: printType(typeOf(binding)),
      numeric: binding.typeParams.filter(({ numeric }) => numeric).map(({ name }) => name),
      doc: binding.doc,
      exported: entries.has(binding.name),
      reason: entries.has(binding.name) ? null : (reasons.get(binding.name) ?? "it is not asked for"),
      span: binding.nameSpan,
    }));
  return withEarlier(core.diagnostics, answer(all, warningsOf(core.value, source, core.diagnostics)));
}
