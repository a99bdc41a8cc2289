// A run-time error names the definition and the place in the file of its author, also where a function of the prelude finds it. So those functions
// of the prelude that may fail are expanded where the file uses them, checks and all: they check, and call another function that cannot fail. In the
// rest of the prelude nothing can, and nothing is checked there: no index, no size, no sum of indices. So are the files of `std/` made that checking-files.ts lists.

import { checkingIn } from "./checking-files.js";
import type { KnownFunction } from "./instances.js";
import type { Session } from "./session.js";
import type { Type } from "../core/type.js";

/** The functions of the prelude that may fail whatever their types are. */
const checking: ReadonlySet<string> = new Set([
  "zip",
  "zipWith",
  "zipWith3",
  "maximum",
  "minimum",
  "argmax",
  "argmin",
  "zip3",
  "take",
  "drop",
  "gather",
  "set",
  "scatterAdd",
  "segmentSum",
  "median",
  "quantile",
  "ceil",
  "dot",
  "replicate",
  "slice",
  "range",
  "linspace",
  "width",
  "transpose",
  "matVec",
  "matMul",
  "logSumExp",
]);

/** Those of derivatives, so that a mistake in what is differentiated stands where the file asks for it. */
const differentiating: ReadonlySet<string> = new Set(["grad", "valueGrad", "derivative", "hvp"]);

/** Whether a function is expanded: its arithmetic may fail at Z, too. */
export function isExpanded({ binding, local }: KnownFunction, typeArgs: readonly Type[], session: Session): boolean {
  if (local) return false;
  if (checkingIn(binding.span.file)?.has(binding.sourceName) === true) return true;
  if (!session.isOfPrelude(binding)) return false;
  const isAtZ = binding.typeParams.some(({ numeric }, index) => numeric && typeArgs[index]?.kind === "int");
  return isAtZ || checking.has(binding.sourceName) || differentiating.has(binding.sourceName);
}
