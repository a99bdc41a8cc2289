// KR22 §5.3, Figs. 9 to 11 and 16: reverse mode: R becomes (R, Delta), where a Delta that is not Zero stands for what a monad M has bound to its ID: it may be used
// again and again, and is evaluated once. The term rules are those of SV25 Fig. 8, in M.
// Checked after this pass: G |- t : T implies D[G] |- D[t] : M D[T].
//
// And §5.3.3, with an array in place of the map.

import type * as Source from "../core/term.js";
import type { Names } from "../core/names.js";
import * as b from "../target-calculus/build.js";
import { reduceProgram } from "../target-calculus/reduce.js";
import type { Program, Term } from "../target-calculus/term.js";
import type { Type } from "../target-calculus/type.js";
import { addDeltas, delta, deltaMonoid, deltaOperations, deltaType, outputDelta, slotOperations, slots, slotsType, zero } from "./deltas.js"; // prettier-ignore
import { DualTypes } from "./dual-types.js";
import { ids, interfaceOf, named } from "./interface.js";
import { Monadic, type MonadicRules } from "./monadic.js";
import { bindOperands } from "./operands.js";
import type { Stage } from "./stage.js";
import { startedBy, wrapRebuild, type RunMonad } from "./wrap-rebuild.js";

const state = b.opaque("DeltaState");
const map = b.opaque("DeltaMap");

function deltaRules(names: Names): MonadicRules {
  return {
    // D[r] = pure (r, Zero)
    literal: (value) => b.ret(b.tuple(b.realLit(value), zero)),
    // D[op(t1, .., tn)] = do (x1, u1) <- D[t1]; .. i <- deltaLet (Add (Scale (d1_op(x1..xn)(1)) u1) ..); pure (op(x1..xn), Var i)
    operation: (operation, operands) =>
      bindOperands(operation, operands, delta, names, (bound) => {
        const i = names.fresh("i");
        const dual = b.ret(b.tuple(bound.result, b.ext("Var", b.variable(i))));
        return b.bind(i, b.int, b.ext("deltaLet", addDeltas(bound)), dual);
      }),
    primal: (dual) => b.proj(0, dual),
    keepsLiterals: false,
    forks: false,
  };
}

const monad: RunMonad = { state, hint: "state", ...startedBy("startDelta"), read: "deltaState", lift: (call) => call };

/** `eval`, from an empty map for a run's final state, is in a map of a type. */
function transformWith(collector: Type, empty: (final: Term) => Term): Stage["transform"] {
  return (program: Source.Program, names: Names): Program => {
    const types = new DualTypes(program.data, { real: b.tupleType(b.real, delta), arrow: b.effectful }, "Delta", names);
    const monadic = new Monadic(program, types, deltaRules(names), names);
    const definitions = program.definitions.map(monadic.definition);
    const { functions, wrappers } = wrapRebuild(program, types, names, {
      m: delta,
      monad,
      // initVars and lookup
      input: { collector, tagged: (i) => b.ext("Var", i), read: (um, i) => b.ext("lookup", um, i) },
      output: (u) => outputDelta(u, "Scale", names),
      // eval 1 (runDelta (D[..] s0)) emptyMap
      run: (_inputs, final, u) => b.ext("eval", b.realLit(1), b.ext("runDelta", final, u), empty(final)),
    });
    return reduceProgram({
      data: [...program.data, ...types.declarations],
      definitions: [...definitions, ...functions],
      wrappers,
    });
  };
}

const operations = [
  ...ids,
  { name: "startDelta", params: [], result: b.computation(b.unitType), runtime: "delta-let.startDeltas" },
  ...deltaOperations,
  { name: "Var", params: [b.int], result: delta, runtime: "delta.varDelta" },
  { name: "deltaLet", params: [delta], result: b.computation(b.int), runtime: "delta-let.deltaLet" },
  { name: "deltaState", params: [], result: b.computation(state), runtime: "delta-let.deltaState" },
  { name: "runDelta", params: [state, delta], result: delta, runtime: "delta-let.runDelta" },
];

const stateType = ["DeltaState", { type: named("DeltaState"), runtime: "delta-let.DeltaState" }] as const;

const shared = {
  mode: "reverse",
  suffix: "Delta",
  ofInput: null,
  deep: true,
  ownsInput: false,
  monoids: [deltaMonoid],
  monad: "named",
  dual: { name: "D[R]", type: b.tupleType(b.real, delta) },
} as const;

export const deltaLet: Stage = {
  ...shared,
  name: "delta-let",
  title: "Reverse mode: shared Deltas (KR22 Figs. 9 to 11 and 16)",
  change:
    "The result of an operation carries a variable that its Delta is bound to, by a monad that gives IDs and gathers bindings. `eval` goes through them from " +
    "the newest to the oldest, when all that is to be multiplied with each is known: sharing no longer costs anything.",
  operations: interfaceOf([
    ...operations,
    { name: "emptyMap", params: [], result: map, runtime: "delta-let.emptyMap" },
    { name: "eval", params: [b.real, delta, map], result: map, runtime: "delta-let.evalInMap" },
    { name: "lookup", params: [map, b.int], result: b.real, runtime: "delta-let.lookupOrZero" },
  ]),
  opaqueTypes: new Map([
    deltaType,
    stateType,
    ["DeltaMap", { type: named("DeltaMap"), runtime: "delta-let.DeltaMap" }],
  ]),
  transform: transformWith(map, () => b.ext("emptyMap")),
};

export const deltaLetArray: Stage = {
  ...shared,
  name: "delta-let-array",
  title: "Shared Deltas with an array (KR22 §5.3.3)",
  change:
    "The map that `eval` adds to becomes an array by ID, made once all IDs are known and updated in place, so that nothing is looked up or deleted.",
  operations: interfaceOf([
    ...operations,
    { name: "size", params: [state], result: b.int, runtime: "delta-let.slotsOf" },
    ...slotOperations,
  ]),
  opaqueTypes: new Map([deltaType, stateType, slotsType]),
  transform: transformWith(slots, (final) => b.ext("zeros", b.ext("size", final))),
};
