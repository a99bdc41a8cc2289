// Wrap2 and Wrap3 of SV25 Figs. 8 and 9:
//   Wrap[\(x : S). t] = \(x : S). let (x : D_S[S], i) = Interleave_S (x, SCotan) 0 in let (y, d) = Deinterleave_T (fst (D_S[t] i))
//                       in (y, \_z. SResolve (d z))

import type * as Source from "../core/term.js";
import type { Names } from "../core/names.js";
import * as b from "../target-calculus/build.js";
import { DataTypes } from "../target-calculus/data.js";
import type { Term } from "../target-calculus/term.js";
import type { Type } from "../target-calculus/type.js";
import type { Wrapping } from "./d1-wrap.js";
import { Deinterleave } from "./deinterleave.js";
import type { DualTypes } from "./dual-types.js";
import { InterleaveStaged } from "./interleave-staged.js";
import type { Injections } from "./interleave-staged.js";
import { wrapEntries } from "./wrappers.js";

export interface StagedWrap {
  /** The monoid of staged calls: the codomain of backpropagators. */
  readonly m: Type;
  readonly inject: Injections;
  /** What `c` stands for in the wrapper of a program with the given input type. */
  readonly collector: (input: Type) => Type;
  /** The gradient, from the input's shape and the staged calls. */
  readonly resolve: (shape: Term, calls: Term) => Term;
}

export function wrapStaged(program: Source.Program, types: DualTypes, names: Names, rules: StagedWrap): Wrapping {
  const data = new DataTypes(program.data);
  const interleave = new InterleaveStaged(data, types, rules.m, names, rules.inject);
  const deinterleave = new Deinterleave(data, types, names, {
    codomain: rules.m,
    // R = \(x, (i, d)). (x, d)
    real: (x) => b.tuple(b.proj(0, x), b.proj(1, b.proj(1, x))),
  });

  const wrappers = wrapEntries(
    program,
    names,
    ({ definition, params, input, whole }) => {
      const [zero, y, d, z] = [names.fresh("zero"), names.fresh("y"), names.fresh("dy"), names.fresh("z")];
      const value = b.param(names.fresh("y"), definition.result);
      const back = b.param(d, b.linear(definition.result, rules.m));
      const paramTypes = params.map((param) => param.type);
      const duals = params.map((param, index) => {
        const into = (part: Term): Term =>
          params.length === 1 ? part : rules.inject.intoTuple(paramTypes, index, part);
        const w = names.fresh("z");
        const seed = b.linLam(w, rules.inject.domain(param.type), b.ext("SCotan", into(b.variable(w))));
        const bound = interleave.at(param.type, b.variable(param.name), seed);
        return { name: names.fresh(param.name), type: types.of(param.type), bound };
      });
      const pullback = b.linLam(
        z,
        definition.result,
        rules.resolve(b.variable(zero), b.app(b.variable(d), b.variable(z))),
      );
      const result = b.bind(
        y,
        types.of(definition.result),
        b.call(definition.name, ...duals.map(({ name }) => b.variable(name))),
        b.letTuple(
          [value, back],
          deinterleave.at(definition.result, b.variable(y)),
          b.ret(b.tuple(b.variable(value.name), pullback)),
        ),
      );
      const inputs = whole(params.map(({ name }) => b.variable(name)));
      const body = b.letIn(
        zero,
        input,
        b.ext("zeroOf", inputs),
        b.bind(
          names.fresh("started"),
          b.unitType,
          b.ext("startIDs"),
          duals.reduceRight((rest, dual) => b.bind(dual.name, dual.type, dual.bound, rest), result),
        ),
      );
      return {
        fn: { params, result: b.computation(b.tupleType(definition.result, b.linear(definition.result, input))), body },
        gradient: null,
        collector: rules.collector(input),
      };
    },
    "Reverse",
  );
  return { functions: [...interleave.functions, ...deinterleave.functions], wrappers };
}
