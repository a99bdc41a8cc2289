// A model that has all definitions of a file of `std/` that there are references for.

import type { Data, Row } from "./std-references.js";

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

/** What takes arrays, by the elements of the result. */
const elements: Readonly<Record<string, { readonly uses: string; readonly body: string }>> = {
  logSoftmax0: { uses: "logSoftmax", body: "logSoftmax [x0, x1, x2] ! 0" },
};

export function countsOf(name: string): number {
  return counts[name] ?? 0;
}

/** Definitions `nameOf` of numbers, with the arguments of the references. */
export function modelOf(file: string, references: readonly (readonly [string, readonly Row[]])[]): string {
  const definitions = references.map(([name, rows]) => {
    const args = rows[0]?.[0] ?? [];
    const params = args.map((arg, i) => `(x${String(i)} : ${i < countsOf(name) ? "Z" : typeOf(arg)})`);
    const applied = elements[name]?.body ?? `${name} ${args.map((_, i) => `x${String(i)}`).join(" ")}`;
    return `def ${name}Of ${params.join(" ")} : R = ${name.endsWith("Transform") ? seen(applied) : applied}\n`;
  });
  return `import "std/${file}.lam" (${references.map(([name]) => elements[name]?.uses ?? name).join(", ")})\n\n${definitions.join("\n")}`;
}

function typeOf(arg: Data): string {
  return typeof arg === "number" ? "R" : `[${typeOf(arg[0] ?? 0)}]`;
}

/** The numbers of a transform's value, each times its number, and the logarithm of its determinant. */
function seen(applied: string): string {
  return `let (value, logJacobian) = ${applied} in sum (mapi (\\i x. toReal (i + 1) * x) (pack value)) + logJacobian`;
}
