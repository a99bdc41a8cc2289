// SV25 §8: D3 with the collector as a map from the numbers of the input's scalars to their cotangents. Adding to it takes logarithmic time,
// where D3's updates walk through the whole structure of the input; a function made by Interleave rebuilds the gradient from it.

import type * as Source from "../core/term.js";
import type { Names } from "../core/names.js";
import * as b from "../target-calculus/build.js";
import { reduceProgram } from "../target-calculus/reduce.js";
import type { Program } from "../target-calculus/term.js";
import { stagedRules, stagedTag, stagedTypes } from "./d2.js";
import { ids, interfaceOf, named } from "./interface.js";
import { Monadic } from "./monadic.js";
import type { Stage } from "./stage.js";
import { idMonad, wrapRebuild } from "./wrap-rebuild.js";

const staged = b.opaque("Staged");
const collector = b.opaque("Map Z R");
/** `Staged -> Staged`. */
const m = b.fnType(staged, staged);

function transform(program: Source.Program, names: Names): Program {
  const types = stagedTypes(program, m, "D3", names);
  const monadic = new Monadic(program, types, stagedRules(m, names), names);
  const definitions = program.definitions.map(monadic.definition);
  const { functions, wrappers } = wrapRebuild(program, types, names, {
    m,
    monad: idMonad,
    input: {
      collector,
      // R = \x. \i. (((x, (i, \_z. SOneHot i z)), \a. a[i]), i + 1)
      tagged: (i) => {
        const z = names.fresh("z");
        return b.tuple(i, b.linLam(z, b.real, b.ext("SOneHot", i, b.variable(z))));
      },
      read: (a, i) => b.ext("lookup", a, i),
    },
    output: (tagged) => b.proj(1, tagged),
    // SResolve (d z ({}, {}))
    run: (_inputs, _all, calls) => b.ext("SResolve", b.app(calls, b.ext("0Staged"))),
  });
  return reduceProgram({
    data: [...program.data, ...types.declarations],
    definitions: [...definitions, ...functions],
    wrappers,
  });
}

export const d3Map: Stage = {
  name: "d3-map",
  title: "D3 with the collector as a map of scalars (SV25 §8)",
  change:
    "The gradient is collected in a map by the numbers of the input's scalars, so that adding to it no longer walks through the input; a " +
    "function made while the input is numbered rebuilds the gradient from the map.",
  mode: "reverse",
  suffix: "D3",
  ofInput: null,
  deep: false,
  ownsInput: false,
  operations: interfaceOf([
    ...ids,
    { name: "SOneHot", params: [b.int, b.real], result: m, runtime: "d3-map.sOneHot" },
    { name: "SCall", params: [stagedTag(m), b.real], result: m, runtime: "d3-map.sCall" },
    { name: "0Staged", params: [], result: staged, runtime: "d3-map.emptyStaged" },
    { name: "SResolve", params: [staged], result: collector, runtime: "d3-map.sResolve" },
    { name: "lookup", params: [collector, b.int], result: b.real, runtime: "d3-map.lookupCotangent" },
  ]),
  opaqueTypes: new Map([
    ["Staged", { type: named("Staged"), runtime: "d3-map.Staged" }],
    ["Map Z R", { type: named("Collector"), runtime: "d3-map.Collector" }],
  ]),
  monoids: [
    {
      type: m,
      zero: "d3-map.identity",
      plus: "d3-map.compose",
      sum: "d3-map.composeAll",
      symbols: { zero: "id", plus: "." },
    },
  ],
  monad: "state",
  dual: { name: "D3[R]", type: b.tupleType(b.real, stagedTag(m)) },
  transform,
};
