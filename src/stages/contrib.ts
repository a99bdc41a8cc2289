// SV25 §10.2: backpropagators defunctionalised. What a backpropagator does is call others with multiples of its argument, so it is the list
// of these: Contrib = [(_R, (Z, Contrib))], partial derivative and target. Inputs and literals have no contributions. The resolver walks
// the array of cotangents and lists downwards, adding multiples.
// Checked after this pass: G |- t : T implies D[G] |- D[t] : Z -> (D[T], Z), with D[R] = (R, (Z, Contrib)).

import type * as Source from "../core/term.js";
import type { Names } from "../core/names.js";
import * as b from "../target-calculus/build.js";
import { reduceProgram } from "../target-calculus/reduce.js";
import type { Program, Term } from "../target-calculus/term.js";
import { DualTypes } from "./dual-types.js";
import { ids, interfaceOf, named } from "./interface.js";
import { Monadic } from "./monadic.js";
import type { MonadicRules } from "./monadic.js";
import { bindOperands } from "./operands.js";
import type { Stage } from "./stage.js";
import { idMonad, wrapRebuild } from "./wrap-rebuild.js";

const contrib = b.opaque("Contrib");
const staged = b.opaque("Staged");
const io = b.opaque("IO ()");
const collector = b.opaque("IArray R");
const m = b.fnType(staged, io);
/** (Z, Contrib). */
const tagged = b.tupleType(b.int, contrib);

function contribRules(names: Names): MonadicRules {
  const numbered = (value: Term, contributions: Term): Term => {
    const i = names.fresh("i");
    return b.bind(i, b.int, b.ext("genID"), b.ret(b.tuple(value, b.tuple(b.variable(i), contributions))));
  };
  return {
    // D[r] = \i. ((r, (i, [])), i + 1)
    literal: (value) => numbered(b.realLit(value), b.ext("contributions")),
    // D[op(t1..tn)] = .. ((op(x1..xn), (i, [(d1_op(x1..xn)(1), d1), .., (dn_op(x1..xn)(1), dn)])), i + 1)
    operation: (operation, operands) =>
      bindOperands(operation, operands, tagged, names, ({ backs, result, partials }) => {
        const contributions = partials.map(({ index, times }) =>
          b.tuple(times(b.realLit(1)), backs[index] ?? b.tuple()),
        );
        return numbered(result, b.ext("contributions", ...contributions));
      }),
    primal: (dual) => b.proj(0, dual),
    keepsLiterals: false,
    forks: false,
  };
}

function transform(program: Source.Program, names: Names): Program {
  const rules = { real: b.tupleType(b.real, tagged), arrow: b.effectful };
  const types = new DualTypes(program.data, rules, "Contrib", names);
  const monadic = new Monadic(program, types, contribRules(names), names);
  const definitions = program.definitions.map(monadic.definition);
  const { functions, wrappers } = wrapRebuild(program, types, names, {
    m,
    monad: idMonad,
    input: {
      collector,
      tagged: (i) => b.tuple(i, b.ext("contributions")),
      read: (a, i) => b.ext("index", a, i),
    },
    // An output stages its own cell
    output: (tag) => {
      const z = names.fresh("z");
      return b.linLam(z, b.real, b.ext("SCall", tag, b.variable(z)));
    },
    run: (_inputs, all, calls) => b.ext("run", all, calls),
  });
  return reduceProgram({
    data: [...program.data, ...types.declarations],
    definitions: [...definitions, ...functions],
    wrappers,
  });
}

export const contribStage: Stage = {
  name: "contrib",
  title: "Backpropagators defunctionalised (SV25 §10.2)",
  change:
    "A backpropagator only ever calls others with multiples of its argument, so it becomes data: the list of partial derivatives and " +
    "targets. The resolver is now a loop over an array, with a multiplication and an addition for each entry.",
  mode: "reverse",
  suffix: "Contrib",
  ofInput: null,
  deep: false,
  ownsInput: false,
  operations: interfaceOf([
    ...ids,
    {
      name: "contributions",
      params: [],
      rest: b.tupleType(b.real, tagged),
      result: contrib,
      runtime: "contrib.contributions",
    },
    { name: "SCall", params: [tagged, b.real], result: m, runtime: "contrib.sCall" },
    { name: "run", params: [b.int, m], result: collector, runtime: "contrib.run" },
    { name: "index", params: [collector, b.int], result: b.real, runtime: "contrib.cotangentAt" },
  ]),
  opaqueTypes: new Map([
    ["Contrib", { type: named("Contrib"), runtime: "contrib.Contrib" }],
    ["Staged", { type: named("Staged"), runtime: "contrib.Staged" }],
    ["IO ()", { type: named("void"), runtime: null }],
    ["IArray R", { type: named("Float64Array"), runtime: null }],
  ]),
  monoids: [
    {
      type: m,
      zero: "contrib.nothing",
      plus: "contrib.both",
      sum: "contrib.allOf",
      symbols: { zero: "\\_. return ()", plus: ">>" },
    },
  ],
  monad: "state",
  dual: { name: "D[R]", type: b.tupleType(b.real, tagged) },
  transform,
};
