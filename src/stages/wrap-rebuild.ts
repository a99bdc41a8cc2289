// Wrap4 of SV25 Fig. 10, which §8 and §10 keep:
//   Wrap4[\(x : S). t] = \(x : S). let ((x : D4_S[S], rebuild), i) = Interleave4_S x 0 in let (y', i') = D4_S[t] i
//                        in let (y, d) = Deinterleave4_T y' in (y, \_z. rebuild (run (SAlloc i i' >>= \s. d z s >> SResolve i' s)))

import type * as Source from "../core/term.js";
import type { Names } from "../core/names.js";
import * as b from "../target-calculus/build.js";
import { DataTypes } from "../target-calculus/data.js";
import type { Term } from "../target-calculus/term.js";
import type { Type } from "../target-calculus/type.js";
import type { Wrapping } from "./d1-wrap.js";
import { Deinterleave } from "./deinterleave.js";
import type { DualTypes } from "./dual-types.js";
import { InterleaveRebuild } from "./interleave-rebuild.js";
import type { InputRules } from "./interleave-rebuild.js";
import { wrapEntries } from "./wrappers.js";

export interface RebuildWrap {
  /** The codomain of backpropagators. */
  readonly m: Type;
  readonly input: InputRules;
  /** The backpropagator of an output scalar, from the second half of its dual number. */
  readonly output: (tagged: Term) => Term;
  /** The finished collector, from the number of input IDs, that of all IDs, and the outputs' calls. */
  readonly run: (inputs: Term, all: Term, calls: Term) => Term;
}

export function wrapRebuild(program: Source.Program, types: DualTypes, names: Names, rules: RebuildWrap): Wrapping {
  const data = new DataTypes(program.data);
  const interleave = new InterleaveRebuild(data, types, names, rules.input);
  const deinterleave = new Deinterleave(data, types, names, {
    codomain: rules.m,
    // R = \(x, d). (x, d)
    real: (x) => b.tuple(b.proj(0, x), rules.output(b.proj(1, x))),
  });

  const wrappers = wrapEntries(
    program,
    names,
    ({ definition, params, input, whole }) => {
      const value = b.param(names.fresh("y"), definition.result);
      const back = b.param(names.fresh("dy"), b.linear(definition.result, rules.m));
      const [inputs, all, y, z] = [names.fresh("inputs"), names.fresh("all"), names.fresh("y"), names.fresh("z")];
      const collector = b.param(names.fresh("collector"), rules.input.collector);
      const duals = params.map(({ name, type }) => ({
        type,
        bound: interleave.at(type, b.variable(name)),
        both: names.fresh("p"),
        dual: b.param(names.fresh(name), types.of(type)),
        rebuild: b.param(names.fresh("rebuild"), interleave.rebuildType(type)),
      }));
      const gradient = whole(duals.map(({ rebuild }) => b.app(b.variable(rebuild.name), b.variable(collector.name))));
      const calls = b.app(b.variable(back.name), b.variable(z));
      const resolved = rules.run(b.variable(inputs), b.variable(all), calls);
      const pullback = b.linLam(z, definition.result, b.letIn(collector.name, collector.type, resolved, gradient));
      const result = b.bind(
        y,
        types.of(definition.result),
        b.call(definition.name, ...duals.map(({ dual }) => b.variable(dual.name))),
        b.bind(
          all,
          b.int,
          b.ext("countIDs"),
          b.letTuple(
            [value, back],
            deinterleave.at(definition.result, b.variable(y)),
            b.ret(b.tuple(b.variable(value.name), pullback)),
          ),
        ),
      );
      const interleaved = duals.reduceRight(
        (rest, { type, bound, both, dual, rebuild }) =>
          b.bind(both, interleave.result(type), bound, b.letTuple([dual, rebuild], b.variable(both), rest)),
        b.bind(inputs, b.int, b.ext("countIDs"), result),
      );
      const body = b.bind(names.fresh("started"), b.unitType, b.ext("startIDs"), interleaved);
      const type = b.computation(b.tupleType(definition.result, b.linear(definition.result, input)));
      return { fn: { params, result: type, body }, gradient: null, collector: input };
    },
    "Reverse",
  );
  return { functions: [...interleave.functions, ...deinterleave.functions], wrappers };
}
