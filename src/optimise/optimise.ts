// From core program to core program: the same values, failures and derivatives with less work, before a stage that resolves at compile time what it
// can see. Each pass stands in its own file, and may be run by itself.

import type { Program } from "../core/term.js";
import { borrowNames } from "./borrowed-names.js";
import { shareSubexpressions } from "./cse.js";
import { fuse } from "./fuse.js";
import { inline } from "./inline.js";
import { contentsOf } from "./measure.js";
import { reduceParameters } from "./parameters.js";
import { expandPowers } from "./powers.js";
import { simplify } from "./simplify.js";
import { specialise } from "./specialise.js";
import { tidyNames } from "./tidy-names.js";
import { withOwnNames, type VariableNames } from "./variable-names.js";

export interface Optimisation {
  readonly name: string;
  /** One line: what the pass does. */
  readonly title: string;
  run(program: Program, names: VariableNames): Program;
}

/** The passes, in the order in which they run; `optimise` repeats them. */
export const optimisations = [
  { name: "inline", title: "Small functions and known lambdas in place of their calls", run: inline },
  { name: "simplify", title: "What is known of values used, and what nothing uses removed", run: simplify },
  {
    name: "specialise",
    title: "Functions that take functions copied for the lambdas they are called with",
    run: specialise,
  },
  { name: "parameters", title: "Unused parameters dropped, tuples passed as their components", run: reduceParameters },
  { name: "fuse", title: "Elements of arrays computed where they are read", run: fuse },
  { name: "powers", title: "Powers with small exponents as products", run: expandPowers },
  { name: "cse", title: "What has been computed already not computed again", run: shareSubexpressions },
] as const satisfies readonly Optimisation[];

/** Told what the program is after each run of a pass, and, as "optimise", at the end. */
export type OptimiseListener = (pass: (typeof optimisations)[number]["name"] | "optimise", program: Program) => void;

/** How often the passes are repeated at most; nearly all programs are done after three times. */
const mostRounds = 8;

/** How large programs get by passes that copy, in nodes: beyond that, and beyond so many times the size that they had, these are left out. */
const largest = { nodes: 20_000, times: 6 } as const;
const copying: ReadonlySet<string> = new Set(["inline", "specialise"]);

/** The program with all passes run until nothing changes, but `without` some. */
export function optimise(
  program: Program,
  onPass: OptimiseListener = () => undefined,
  without: ReadonlySet<string> = new Set(),
): Program {
  const passes = optimisations.filter(({ name }) => !without.has(name));
  const room = Math.max(largest.nodes, largest.times * sizeIn(program));
  const own = withOwnNames(program);
  let current = own.program;
  for (let round = 0; round < mostRounds; round += 1) {
    const before = current;
    for (const { name, run } of passes) {
      if (copying.has(name) && round > 0 && sizeIn(current) > room) continue;
      current = run(current, own.names);
      onPass(name, current);
    }
    if (current === before) break;
  }
  borrowNames(current, own.names);
  const result = tidyNames(current, own.names);
  onPass("optimise", result);
  return result;
}

function sizeIn({ definitions }: Program): number {
  return definitions.reduce((sum, { body }) => sum + contentsOf(body).size, 0);
}
