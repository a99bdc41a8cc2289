// From core programs to what adjoint code is written of.

import { storePass } from "../adjoint/passes.js";
import type { Prepared } from "../adjoint/prepare.js";
import { withPullbackEntries } from "../adjoint/pullback-functions.js";
import type * as Core from "../core/term.js";
import { withValueEntries } from "../derivatives/value-entries.js";
import { leavesOf, type WithRespectTo } from "../emit/interface/interface.js";
import { namesFor } from "../flat/flatten.js";
import { flattenPass, optimiseFlat } from "../flat/passes.js";
import { optimise } from "../optimise/passes.js";
import type { Passes } from "./passes.js";

/** A core program made ready for adjoint code. `wrt` decides which values have stores. */
export function toAdjoint(own: Core.Program, wrt: WithRespectTo, passes: Passes): Prepared {
  const { program, values } = withValueEntries(withPullbackEntries(own), ({ name, params }, index) => {
    const names = wrt.get(name);
    return (
      names === undefined || leavesOf(params.slice(index, index + 1)).some(({ leaf }) => names.includes(leaf.name))
    );
  });
  const core = optimise(program, passes.core);
  const names = namesFor(core);
  const flat = passes.flat(flattenPass, null, () => flattenPass.run(core, names));
  const last = optimiseFlat(flat, names, passes.flat);
  return passes.stores(storePass, null, () => storePass.run(last, { source: program, wrt, names, values }));
}
