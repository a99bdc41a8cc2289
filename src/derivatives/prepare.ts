// What comes before derivatives are resolved: functions that they are taken of become known, by the passes that make functions known for `adjoint`.

import type { Fn, Program } from "../core/term.js";
import type { Outcome } from "../outcome.js";
import { removeDeadCode } from "../optimise/dead-code.js";
import { copyFn } from "../optimise/copy.js";
import { knownFunctions, namesGiven } from "../optimise/passes.js";
import { simplify } from "../optimise/simplify.js";
import { withOwnNames } from "../optimise/variable-names.js";
import { closuresAsData } from "./closures-as-data.js";
import type { DerivativeMistake } from "../core/derivative.js";
import { withPullbacks } from "./pullbacks.js";
import { resolveDerivatives } from "./resolve.js";

/** The program without derivatives; itself where it has none. */
export function withoutDerivatives(program: Program): Outcome<Program, DerivativeMistake> {
  if (program.derivatives.size === 0) return { value: program, mistakes: [] };
  const { program: own, names } = withOwnNames(program);
  const known = knownFunctions(withPullbacks(knownFunctions(own, names), names), names);
  const copied = { ...known, definitions: known.definitions.map((fn): Fn => copyFn(fn, fn.name, names)) };
  const { value, mistakes } = resolveDerivatives(closuresAsData(copied, names), names);
  if (mistakes.length > 0) return { value, mistakes };
  return { value: namesGiven(simplify(value, names), names), mistakes };
}

/** The program without what only adjoint code uses. */
export function withoutPullbackCode(program: Program): Program {
  const { pullbacks, checkpoints } = program;
  return pullbacks.size + checkpoints.size === 0 ? program : removeDeadCode({ ...program, pullbacks: new Map(), checkpoints: new Map() }); // prettier-ignore
}
