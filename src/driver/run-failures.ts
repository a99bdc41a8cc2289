// What goes wrong when a model runs, as diagnostics: arguments that do not fit, and the model's own run-time errors.

import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { InternalError } from "../internal-error.js";
import type { SourceFile, Span } from "../syntax/source.js";
import { answer, failure, type Answer } from "./answer.js";
import type { Callable } from "./callable.js";
import { baseName } from "./pipeline.js";
import { decodeArguments, decodeValue, type ValueMistake } from "./values.js";

/** The arguments of a definition from a parsed JSON document: one object by parameter name. */
export function readArguments(callable: Callable, document: unknown): Answer<readonly unknown[]> {
  const decoded = decodeArguments(document, callable.params);
  return decoded.ok ? answer(decoded.value, []) : failure(misfit(callable, "argument", decoded.mistake));
}

/** A cotangent of a definition's result from a parsed JSON document. */
export function readCotangent(callable: Callable, document: unknown): Answer<unknown> {
  const decoded = decodeValue(document, callable.result, "cotangent");
  return decoded.ok ? answer(decoded.value, []) : failure(misfit(callable, "cotangent", decoded.mistake));
}

function misfit({ entry, span }: Callable, what: "argument" | "cotangent", mistake: ValueMistake): Diagnostic {
  return {
    code: "E0602",
    severity: "error",
    title: `the JSON ${what === "argument" ? "arguments do" : "cotangent does"} not fit \`${entry.name}\``,
    span,
    label: `\`${entry.name}\` is defined here`,
    related: [],
    notes: [`at ${mistake.path}\nexpected ${mistake.expected}\nfound    ${mistake.found}`],
    hint: null,
  };
}

/** Runs emitted code; what the model throws becomes a diagnostic. */
export function running<T>(callable: Callable, run: () => T): Answer<T> {
  try {
    return answer(run(), []);
  } catch (error) {
    return failure(explainThrown(callable, error));
  }
}

function explainThrown(callable: Callable, error: unknown): Diagnostic {
  const { entry, source, span, stage } = callable;
  const thrown = error instanceof Error ? error : new Error(String(error));
  const base = { severity: "error", related: [], notes: [], hint: null } as const;
  if (/call stack/.test(thrown.message) || /deeper than the JavaScript stack/.test(thrown.message)) {
    return {
      ...base,
      code: "E0603",
      title: `\`${entry.name}\` recurses deeper than the JavaScript stack in stage ${stage}`,
      span,
      label: `while \`${entry.name}\` was evaluated`,
      hint: "the stages primal and tape have no such limit",
    };
  }
  // Checks of arguments name the exported function first: `lossGrad: x must be a number`
  const isOwn = thrown instanceof RangeError || (thrown instanceof TypeError && /^\S+: /.test(thrown.message));
  if (!isOwn) throw new InternalError(`run ${stage}`, thrown.message, thrown.stack ?? "");
  const place = placeIn(source, thrown.message);
  return {
    ...base,
    code: "E0601",
    title: thrown.message,
    span: place ?? span,
    label: place === null ? `while \`${entry.name}\` was evaluated` : "it happened here",
  };
}

/** The place that a run-time error names, as in `f (model.lam:3:5): ..`; null where it is not of this file. */
function placeIn(source: SourceFile, message: string): Span | null {
  const [, file = "", line = "", column = ""] = /\(([^()]*):(\d+):(\d+)\)/.exec(message) ?? [];
  if (file !== baseName(source.name)) return null;
  const lines = source.text.split("\n");
  const before = lines.slice(0, Number(line) - 1);
  const start = before.reduce((sum, text) => sum + text.length + 1, 0) + Number(column) - 1;
  return { file: source.name, start, end: start + 1 };
}
