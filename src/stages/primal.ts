// SV25 §5.1, Fig. 4: the program itself. Source terms are target terms.

import type * as Source from "../core/term.js";
import type { Names } from "../core/names.js";
import * as b from "../target-calculus/build.js";
import type { Program } from "../target-calculus/term.js";
import { interfaceOf } from "./interface.js";
import type { Stage } from "./stage.js";
import { wrapEntries } from "./wrappers.js";

function transform(program: Source.Program, names: Names): Program {
  const wrappers = wrapEntries(
    program,
    names,
    ({ definition, params }) => {
      const body = b.call(definition.name, ...params.map(({ name }) => b.variable(name)));
      return { fn: { params, result: definition.result, body }, gradient: null, collector: null };
    },
    "Primal",
  );
  return { data: program.data, definitions: program.definitions, wrappers };
}

export const primal: Stage = {
  name: "primal",
  title: "The program itself (SV25 Fig. 4)",
  change:
    "Names are resolved, patterns compiled, polymorphism and overloading gone: the small calculus that every stage starts from.",
  mode: "primal",
  suffix: "",
  ofInput: null,
  deep: true,
  ownsInput: false,
  operations: interfaceOf([]),
  opaqueTypes: new Map(),
  monoids: [],
  monad: "named",
  dual: null,
  transform,
};
