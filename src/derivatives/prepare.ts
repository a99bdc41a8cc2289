// What comes before derivatives are resolved: functions that they are taken of become known, by the passes that make functions known for `adjoint`.

import * as b from "../core/build.js";
import type { Derivative, Fn, Program } from "../core/term.js";
import { allTerms } from "../core/traverse.js";
import type { Outcome } from "../outcome.js";
import { removeDeadCode } from "../optimise/dead-code.js";
import { copyFn } from "../optimise/copy.js";
import { knownFunctions, namesGiven } from "../optimise/passes.js";
import { simplify } from "../optimise/simplify.js";
import { withOwnNames, type VariableNames } from "../optimise/variable-names.js";
import { closuresAsData } from "./closures-as-data.js";
import type { DerivativeMistake } from "../core/derivative.js";
import { withJointDirections } from "./fused.js";
import { takesFunctions, withoutFunctionArguments } from "./function-arguments.js";
import { withLinearRules } from "./linearity.js";
import { withPullbacks } from "./pullbacks.js";
import { resolveDerivatives } from "./resolve.js";

/** The program without derivatives; itself where it has none. */
export function withoutDerivatives(program: Program): Outcome<Program, DerivativeMistake> {
  if (program.derivatives.size === 0) return { value: program, mistakes: [] };
  const { program: own, names } = withOwnNames(program);
  const { value: known, mistakes: endless } = withFunctionsKnown(knownFunctions(own, names), names);
  if (endless.length > 0) return { value: program, mistakes: endless };
  const prepared = closuresAsData(withDistinctNames(known, names), names);
  const { value: linear, mistakes: wrong } = withLinearRules(prepared);
  if (wrong.length > 0) return { value: program, mistakes: wrong };
  const { value, mistakes } = resolveDerivatives(linear, names);
  if (mistakes.length > 0) return { value, mistakes };
  return { value: namesGiven(withJointDirections(simplify(value, names), names), names), mistakes };
}

function firstRuleWithFunctions({ definitions, derivatives }: Program): Derivative | null {
  const calls = definitions.flatMap(({ body }) => allTerms(body)).flatMap((term) => (term.kind === "call" ? [term.fn] : [])); // prettier-ignore
  return calls.map((name) => derivatives.get(name)).find(takesFunctions) ?? null;
}

/** The program with functions known where they are used, as far as that goes. */
export function withKnownFunctions(program: Program): Program {
  const { program: own, names } = withOwnNames(program);
  return namesGiven(knownFunctions(own, names), names);
}

/** How often rules for functions that take functions may use further ones. */
const deepestRules = 6;

/** What derivatives are taken of is known, as far as it can be. */
function withFunctionsKnown(program: Program, names: VariableNames): Outcome<Program, DerivativeMistake> {
  let known = knownFunctions(withPullbacks(program, names), names);
  for (let depth = 0; depth < deepestRules; depth += 1) {
    if (firstRuleWithFunctions(known) === null) return { value: known, mistakes: [] };
    const values = withoutFunctionArguments(withDistinctNames(known, names), names);
    known = knownFunctions(withPullbacks(knownFunctions(values, names), names), names);
  }
  const rule = firstRuleWithFunctions(known);
  return { value: known, mistakes: rule === null ? [] : [{ kind: "ownRule", at: "functions", span: rule.span }] };
}

function withDistinctNames(program: Program, names: VariableNames): Program {
  return { ...program, definitions: program.definitions.map((fn): Fn => copyFn(fn, fn.name, names)) };
}

/** The program without rules, for values alone. */
export function withoutRules(program: Program): Program {
  const { texts } = program;
  if (texts.size === 0) return program;
  const definitions = program.definitions.map((fn): Fn => {
    const text = texts.get(fn.name);
    return text === undefined ? fn : { ...fn, body: b.call(text, fn.params.map(({ name }) => b.variable(name))) }; // prettier-ignore
  });
  return { ...program, definitions, texts: new Map() };
}

/** The program without what only adjoint code uses. */
export function withoutPullbackCode(program: Program): Program {
  const { pullbacks, checkpoints } = program;
  return pullbacks.size + checkpoints.size === 0 ? program : removeDeadCode({ ...program, pullbacks: new Map(), checkpoints: new Map() }); // prettier-ignore
}
