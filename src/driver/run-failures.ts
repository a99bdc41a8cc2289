// What goes wrong when a model runs, as diagnostics: arguments that do not fit, and the model's own run-time errors.

import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { InternalError } from "../internal-error.js";
import type { ProgramFile } from "../syntax/load.js";
import type { Span } from "../syntax/source.js";
import { answer, failure, type Answer } from "./answer.js";
import type { Callable } from "./callable.js";
import { cotangentMistake } from "./cotangents.js";
import { defaultStage } from "./stages.js";
import { decodeArguments, decodeValue, type ValueMistake } from "./values.js";

/** The arguments of a definition from a parsed JSON document: one object by parameter name. */
export function readArguments(callable: Callable, document: unknown): Answer<readonly unknown[]> {
  const decoded = decodeArguments(document, callable.params);
  return decoded.ok ? answer(decoded.value, []) : failure(misfit(callable, "argument", decoded.mistake));
}

/** A cotangent of a definition's result, which has come out as `value`, from a parsed JSON document. */
export function readCotangent(callable: Callable, document: unknown, value: unknown): Answer<unknown> {
  const decoded = decodeValue(document, callable.result, "cotangent");
  if (!decoded.ok) return failure(misfit(callable, "cotangent", decoded.mistake));
  const mistake = cotangentMistake(decoded.value, value, callable.result);
  return mistake === null ? answer(decoded.value, []) : failure(misfit(callable, "cotangent", mistake));
}

/** A definition of which there is no derivative. */
export function noGradient({ entry, span, stage }: Callable): Diagnostic {
  const isConstant = entry.params.length === 0;
  return {
    code: "E0604",
    severity: "error",
    title: isConstant ? `\`${entry.name}\` is a constant: it has no gradient` : `stage ${stage} computes no derivative`,
    span,
    label: isConstant ? "it has no parameters" : `\`${entry.name}\` is defined here`,
    related: [],
    notes: [],
    hint: isConstant ? null : `choose another stage: ${defaultStage} is the default`,
  };
}

function misfit({ entry, span }: Callable, what: "argument" | "cotangent", mistake: ValueMistake): Diagnostic {
  return {
    code: "E0602",
    severity: "error",
    title: `the ${what === "argument" ? "arguments do" : "cotangent does"} not fit \`${entry.name}\``,
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
  const { entry, files, span, stage } = callable;
  const thrown = error instanceof Error ? error : new Error(String(error));
  const base = { severity: "error", related: [], notes: [], hint: null } as const;
  if (/call stack/.test(thrown.message) || /deeper than the JavaScript stack/.test(thrown.message)) {
    return {
      ...base,
      code: "E0603",
      title: `\`${entry.name}\` recurses deeper than the JavaScript stack in stage ${stage}`,
      span,
      label: `while \`${entry.name}\` was evaluated`,
      hint: "the stages primal, tape and adjoint have no such limit",
    };
  }
  // Checks of arguments name the exported function first: `lossGrad: x must be a number`
  const isOwn = thrown instanceof RangeError || (thrown instanceof TypeError && /^\S+: /.test(thrown.message));
  if (!isOwn) throw new InternalError(`run ${stage}`, thrown.message, thrown.stack ?? "");
  const site = siteIn(files, thrown.message);
  return {
    ...base,
    code: "E0601",
    title: site === null ? thrown.message : `run-time error in \`${site.definition}\`: ${site.problem}`,
    span: site === null ? span : site.span,
    label: site === null ? `while \`${entry.name}\` was evaluated` : "it happened here",
  };
}

export interface ErrorSite {
  readonly definition: string;
  readonly problem: string;
  /** The first word of what failed. */
  readonly span: Span;
}

/** The parts of a run-time error, `f (model.lam:3:5): ..`; null where its place is in none of these files, or could be in several. */
export function siteIn(files: readonly Omit<ProgramFile, "tree">[], message: string): ErrorSite | null {
  const [, definition = "", place = "", line = "", column = "", problem = ""] =
    /^(.+?) \(([^()]*):(\d+):(\d+)\): ([^]*)$/.exec(message) ?? [];
  const [file, another] = files.filter((each) => each.place === place);
  if (file === undefined || another !== undefined) return null;
  const lines = file.text.split("\n");
  const before = lines.slice(0, Number(line) - 1);
  const start = before.reduce((sum, text) => sum + text.length + 1, 0) + Number(column) - 1;
  const [word = ""] = /^[\p{L}\p{N}_']+|^[^]/u.exec(file.text.slice(start)) ?? [];
  return { definition, problem, span: { file: file.name, start, end: start + word.length } };
}
