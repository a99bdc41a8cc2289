// SV25 §9, Fig. 10: D4, mutable arrays: collector and staged calls are arrays, written in place. The term rules are those of Fig. 8 over the
// monoid `Staged c -> IO ()`, whose zero does nothing and whose plus does one after the other.
// Checked after this pass: G |- t : T implies D4[G] |- D4[t] : Z -> (D4[T], Z).
//
// And §10.1, without the collector: an input's cotangent is the argument accumulated for its ID. Outputs must then be staged too.

import type * as Source from "../core/term.js";
import type { Names } from "../core/names.js";
import * as b from "../target-calculus/build.js";
import { reduceProgram } from "../target-calculus/reduce.js";
import type { Program, Term } from "../target-calculus/term.js";
import type { Type } from "../target-calculus/type.js";
import { stagedRules, stagedTag, stagedTypes } from "./d2.js";
import { ids, interfaceOf, named } from "./interface.js";
import { Monadic } from "./monadic.js";
import type { Stage } from "./stage.js";
import { idMonad, wrapRebuild } from "./wrap-rebuild.js";
import type { RebuildWrap } from "./wrap-rebuild.js";

const staged = b.opaque("Staged c");
const io = b.opaque("IO ()");
const collector = b.opaque("IArray R");
/** `Staged c -> IO ()`. */
export const m = b.fnType(staged, io);

/** `id` is the type of IDs, and `forks` says whether tasks fork. */
export function stagedInArrays(
  { suffix, id, forks }: { readonly suffix: string; readonly id: Type; readonly forks: boolean },
  rules: (names: Names) => RebuildWrap,
): Stage["transform"] {
  return (program: Source.Program, names: Names): Program => {
    const types = stagedTypes(program, m, suffix, names, id);
    const monadic = new Monadic(program, types, { ...stagedRules(m, names, id), forks }, names);
    const definitions = program.definitions.map(monadic.definition);
    const { functions, wrappers } = wrapRebuild(program, types, names, rules(names));
    return reduceProgram({
      data: [...program.data, ...types.declarations],
      definitions: [...definitions, ...functions],
      wrappers,
    });
  };
}

const inOrder = { suffix: "D4", id: b.int, forks: false };

/** `\_z. name tag z`. */
export function linearIn(names: Names, name: string, tag: Term): Term {
  const z = names.fresh("z");
  return b.linLam(z, b.real, b.ext(name, tag, b.variable(z)));
}

const read = (a: Term, i: Term): Term => b.ext("index", a, i);

export const d4: Stage = {
  name: "d4",
  title: "D4: mutable arrays (SV25 Fig. 10)",
  change:
    "Both maps become arrays indexed by ID, allocated once their size is known and updated in place: the logarithmic factor is gone, and " +
    "the gradient costs a constant times the program.",
  mode: "reverse",
  suffix: "D4",
  ofInput: "c",
  deep: false,
  ownsInput: false,
  operations: interfaceOf([
    ...ids,
    { name: "SOneHot", params: [b.int, b.real], result: m, runtime: "d4.sOneHot" },
    { name: "SCall", params: [stagedTag(m), b.real], result: m, runtime: "d4.sCall" },
    { name: "run", params: [b.int, b.int, m], result: collector, runtime: "d4.run" },
    { name: "index", params: [collector, b.int], result: b.real, runtime: "d4.cotangentAt" },
  ]),
  opaqueTypes: new Map([
    ["Staged c", { type: named("Staged"), runtime: "d4.Staged" }],
    ["IO ()", { type: named("void"), runtime: null }],
    ["IArray R", { type: named("Float64Array"), runtime: null }],
  ]),
  monoids: [
    { type: m, zero: "d4.nothing", plus: "d4.both", sum: "d4.allOf", symbols: { zero: "\\_. return ()", plus: ">>" } },
  ],
  monad: "state",
  dual: { name: "D4[R]", type: b.tupleType(b.real, stagedTag(m)) },
  transform: stagedInArrays(inOrder, (names) => ({
    m,
    monad: idMonad,
    input: {
      collector,
      // R = \x. \i. (((x, (i, SOneHot i)), \a. a[i]), i + 1)
      tagged: (i) => b.tuple(i, linearIn(names, "SOneHot", i)),
      read,
    },
    // R = \(x, (i, d)). (x, d)
    output: (tagged) => b.proj(1, tagged),
    // run (SAlloc i i' >>= \s. d z s >> SResolve i' s)
    run: (inputs, all, calls) => b.ext("run", inputs, all, calls),
  })),
};

export const d4OneArray: Stage = {
  name: "d4-one-array",
  title: "D4 without the collector (SV25 §10.1)",
  change:
    "The cotangent collected for an input equals the argument accumulated for its ID, so the collector goes. What the outputs call must " +
    "now be staged as well: an output that is an input would lose its cotangent.",
  mode: "reverse",
  suffix: "D4",
  // Departs from SV25 §10.1 in a name alone: without the collector no `c` is left in `Staged c`
  ofInput: null,
  deep: false,
  ownsInput: false,
  operations: interfaceOf([
    ...ids,
    { name: "SCall", params: [stagedTag(m), b.real], result: m, runtime: "d4-one-array.sCall" },
    { name: "run", params: [b.int, m], result: collector, runtime: "d4-one-array.run" },
    { name: "index", params: [collector, b.int], result: b.real, runtime: "d4-one-array.cotangentAt" },
  ]),
  opaqueTypes: new Map([
    ["Staged c", { type: named("Staged"), runtime: "d4-one-array.Staged" }],
    ["IO ()", { type: named("void"), runtime: null }],
    ["IArray R", { type: named("Float64Array"), runtime: null }],
  ]),
  monoids: [
    {
      type: m,
      zero: "d4-one-array.nothing",
      plus: "d4-one-array.both",
      sum: "d4-one-array.allOf",
      symbols: { zero: "\\_. return ()", plus: ">>" },
    },
  ],
  monad: "state",
  dual: { name: "D4[R]", type: b.tupleType(b.real, stagedTag(m)) },
  transform: stagedInArrays(inOrder, (names) => ({
    m,
    monad: idMonad,
    input: {
      collector,
      // R = \x. \i. (((x, (i, \_z. return ())), \a. a[i]), i + 1)
      tagged: (i) => b.tuple(i, b.linLam(names.fresh("z"), b.real, b.zero(m))),
      read,
    },
    // R = \(x, d). (x, SCall d)
    output: (tagged) => linearIn(names, "SCall", tagged),
    run: (_inputs, all, calls) => b.ext("run", all, calls),
  })),
};
