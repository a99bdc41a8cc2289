// Models that have one definition of `std/` as `f`, for its references.

import type { Data, Row } from "./std-references.js";

/** Where it is not the definition applied to all arguments. */
const expressions: Readonly<Record<string, { readonly uses: string; readonly body: string }>> = {
  logSoftmax0: { uses: "logSoftmax", body: "logSoftmax [x0, x1, x2] ! 0" },
};

/** Definitions of counts: the first so many arguments. */
const counts: Readonly<Record<string, number>> = {
  poissonLogPmf: 1,
  poissonCdf: 1,
  binomialLogPmf: 2,
  binomialCdf: 2,
  negativeBinomialLogPmf: 1,
  negativeBinomialCdf: 1,
  categoricalLogPmf: 1,
  categoricalLogitLogPmf: 1,
  correlationCholeskyTransform: 1,
};

export function sourceOf(module: string, name: string, rows: readonly Row[]): string {
  const args = rows[0]?.[0] ?? [];
  const params = args.map((arg, i) => `(x${String(i)} : ${i < (counts[name] ?? 0) ? "Z" : typeOf(arg)})`);
  const applied = `${name} ${args.map((_, i) => `x${String(i)}`).join(" ")}`;
  const { uses, body } = expressions[name] ?? { uses: name, body: name.endsWith("Transform") ? seen(applied) : applied };
  return `import "std/${module}.lam" (${uses})\n\ndef f ${params.join(" ")} : R = ${body}\n`;
}

function typeOf(arg: Data): string {
  return typeof arg === "number" ? "R" : `[${typeOf(arg[0] ?? 0)}]`;
}

/** The numbers of a transform's value, each times its number, and the logarithm of its determinant. */
function seen(applied: string): string {
  return `let (value, logJacobian) = ${applied} in sum (mapi (\\i x. toReal (i + 1) * x) (pack value)) + logJacobian`;
}
