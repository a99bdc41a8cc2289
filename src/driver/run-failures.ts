// What goes wrong when a model runs, as diagnostics: arguments that do not fit, and the model's own run-time errors.

import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { InternalError } from "../internal-error.js";
import { answer, failure, type Answer } from "./answer.js";
import type { Callable, PointForm } from "./callable.js";
import { cotangentMistake, resultCotangent } from "./cotangents.js";
import { defaultStage } from "./stages.js";
import type { ValueType } from "./value-types.js";
import { siteIn } from "./error-sites.js";
import { decodeArguments, decodeValue, withReals, type ValueMistake } from "./values.js";

/** The arguments of a definition from a parsed JSON document: one object by parameter name. */
export function readArguments(callable: Callable, document: unknown): Answer<readonly unknown[]> {
  const decoded = decodeArguments(document, callable.params);
  return decoded.ok ? answer(decoded.value, []) : failure(misfit(callable, "argument", decoded.mistake));
}

/**
 * A tangent of a definition's arguments, which are at `point`, from a parsed JSON document: one object by parameter name. Of parameters that have no real numbers the tangent
 * may be left out.
 */
export function readTangent(
  callable: Callable,
  document: unknown,
  point: readonly unknown[],
): Answer<readonly unknown[]> {
  const { params } = callable;
  const isGiven = (name: string): boolean => typeof document === "object" && document !== null && Object.hasOwn(document, name); // prettier-ignore
  const given = params.filter(({ isActive, name }) => isActive || isGiven(name));
  const decoded = decodeArguments(document, given, "the tangent");
  if (!decoded.ok) return failure(misfit(callable, "tangent", decoded.mistake));
  const tangents = new Map(given.map(({ name }, i) => [name, decoded.value[i]]));
  for (const [i, { name, type }] of params.entries()) {
    if (!tangents.has(name)) continue;
    const mistake = cotangentMistake(tangents.get(name), point[i], type, { name, what: "tangent", of: "argument" });
    if (mistake !== null) return failure(misfit(callable, "tangent", mistake));
  }
  const zero = (value: unknown, type: ValueType): unknown => withReals(value, type, [], "cotangent");
  return answer(params.map(({ name, type }, i) => (tangents.has(name) ? tangents.get(name) : zero(point[i], type))), []); // prettier-ignore
}

/** A cotangent of a definition's result, which has come out as `value`, from a parsed JSON document. */
export function readCotangent(callable: Callable, document: unknown, value: unknown): Answer<unknown> {
  const decoded = decodeValue(document, callable.result, "cotangent");
  if (!decoded.ok) return failure(misfit(callable, "cotangent", decoded.mistake));
  const mistake = cotangentMistake(decoded.value, value, callable.result, resultCotangent);
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

/** What the derivatives of a form are called. */
const formWords: Readonly<Record<PointForm, string>> = {
  jvp: "directional derivative",
  hvp: "Hessian",
  jacobian: "Jacobian",
  hessian: "Hessian",
};

/** A definition that takes no real numbers, of which a derivative is asked for. */
export function noReals({ entry, span }: Callable, form: PointForm): Diagnostic {
  const isConstant = entry.params.length === 0;
  const title = isConstant
    ? `\`${entry.name}\` is a constant: it has`
    : `\`${entry.name}\` takes no real numbers: it has`;
  return {
    code: "E0604",
    severity: "error",
    title: `${title} no ${formWords[form]}`,
    span,
    label: isConstant ? "it has no parameters" : `\`${entry.name}\` is defined here`,
    related: [],
    notes: [],
    hint: null,
  };
}

const misfits = {
  argument: "arguments do",
  cotangent: "cotangent does",
  tangent: "tangent does",
} as const;

function misfit({ entry, span }: Callable, what: keyof typeof misfits, mistake: ValueMistake): Diagnostic {
  return {
    code: "E0602",
    severity: "error",
    title: `the ${misfits[what]} not fit \`${entry.name}\``,
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
  // Of another file, the library's or one's own: which definition of the model led there
  const isElsewhere = site !== null && site.span.file !== span.file;
  return {
    ...base,
    related: isElsewhere ? [{ span, label: `while \`${entry.name}\` was evaluated` }] : [],
    code: "E0601",
    title:
      site === null
        ? thrown.message
        : `run-time error in \`${site.definition}\`: ${site.problem.replace(`${site.definition}: `, "")}`,
    span: site === null ? span : site.span,
    label: site === null ? `while \`${entry.name}\` was evaluated` : "it happened here",
  };
}
