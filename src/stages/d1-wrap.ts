// SV25 §5.2, Fig. 7: Interleave1 and Wrap1, with §11 for sums and data types.
// Interleave1_T : (T, _T -o c) -> D1[T]          Wrap1 : (S -> T) ~> (S -> (T, _T -o _S))

import type * as Source from "../core/term.js";
import type { Names } from "../core/names.js";
import * as b from "../target-calculus/build.js";
import { DataTypes } from "../target-calculus/data.js";
import type { Fn, Term, Wrapped } from "../target-calculus/term.js";
import type { Type } from "../target-calculus/type.js";
import { isDiscrete, mapArray, nameIt } from "./arrays.js";
import { Deinterleave } from "./deinterleave.js";
import type { DualTypes } from "./dual-types.js";
import { oneHots } from "./one-hot.js";
import { TypeIndexed } from "./type-indexed.js";
import type { DataType } from "./type-indexed.js";
import { undefinedAt } from "./unsupported.js";
import { wrapEntries } from "./wrappers.js";

/** What the wrappers of a program are made of: the family members that they use, and the wrappers themselves. */
export interface Wrapping {
  readonly functions: readonly Fn[];
  readonly wrappers: readonly Wrapped[];
}

export function wrap1(program: Source.Program, types: DualTypes, c: Type, names: Names): Wrapping {
  const data = new DataTypes(program.data);
  const members = new TypeIndexed("interleave", names, interleaveData);

  /** Interleave1_type (x, d), with `d : 0|type -o c`. */
  function interleave(type: Type, x: Term, d: Term): Term {
    switch (type.kind) {
      // R = \(x, d). (x, d)
      case "real":
        return b.tuple(x, d);
      // Z = \(n, d). n
      case "int":
      case "bool":
        return x;
      // (S, T) = \((x, y), d). (Interleave1_S (x, \_z. d (z, 0)), Interleave1_T (y, \_z. d (0, z)))
      case "tuple": {
        const shared = names.fresh(`d${b.nameOf(x, "x")}`);
        const parts = oneHots(type.items, names, (items) => b.app(b.variable(shared), b.tuple(...items)));
        const items = type.items.map((item, i) => interleave(item, b.proj(i, x), parts[i] ?? d));
        return b.letIn(shared, b.linear(b.sparse(type), c), d, b.tuple(...items));
      }
      // [T] = \(x, d). build (length x) (\i. Interleave1_T (x ! i, \_z. d (oneHot i z)))
      case "array": {
        if (isDiscrete(type)) return x;
        const [shared, z] = [names.fresh(`d${b.nameOf(x, "x")}`), names.fresh("z")];
        const into = (i: Term): Term => b.app(b.variable(shared), b.ext("oneHot", i, b.variable(z)));
        const elements = nameIt(x, type, names, (xs) =>
          mapArray(xs, type.element, types.of(type.element), names, (element, i) =>
            interleave(type.element, element, b.linLam(z, b.sparse(type.element), into(i))),
          ),
        );
        return b.letIn(shared, b.linear(b.sparse(type), c), d, elements);
      }
      case "data":
        return b.call(members.at(type), x, d);
      default:
        return undefinedAt("Interleave1", type);
    }
  }

  // S + T = \(inl x, d). inl (Interleave1_S (x, \_z. d (inl z))); likewise inr, and every constructor
  function interleaveData(name: string, type: DataType): Fn {
    const [x, d] = [names.fresh("x"), names.fresh("dx")];
    const branches = data.constructorsOf(type).map(({ name: con, fields }) => {
      const vars = fields.map(() => names.fresh("x"));
      const parts = oneHots(fields, names, (items) => b.app(b.variable(d), b.con(con, b.sparse(type), items)));
      const args = fields.map((field, i) => interleave(field, b.variable(vars[i] ?? x), parts[i] ?? b.variable(d)));
      return { con, vars, body: b.con(con, types.of(type), args) };
    });
    const params = [b.param(x, type), b.param(d, b.linear(b.sparse(type), c))];
    return b.fn(name, params, types.of(type), b.caseOf(b.variable(x), type.name, branches));
  }

  const deinterleave = new Deinterleave(data, types, names, {
    codomain: c,
    // R = \(x, d). (x, d)
    real: (x) => x,
  });

  // Wrap1[\(x : S). t] = \(x : S). let x : D1_S[S] = Interleave1_S (x, \_z. z) in Deinterleave1_T (D1_S[t])
  // and, beyond the paper, the formal zeros of the gradient filled in from the input's shape.
  const wrappers = wrapEntries(
    program,
    names,
    ({ definition, params, input, whole }) => {
      const [zero, y, x, d, z] = [
        names.fresh("zero"),
        names.fresh("y"),
        names.fresh("y"),
        names.fresh("dy"),
        names.fresh("z"),
      ];
      const duals = params.map((param) => ({ name: names.fresh(param.name), type: types.of(param.type) }));
      const parts = oneHots(
        params.map((param) => param.type),
        names,
        whole,
      );
      const gradient = b.ext("fill", b.variable(zero), b.app(b.variable(d), b.variable(z)));
      const result = b.letIn(
        y,
        types.of(definition.result),
        b.call(definition.name, ...duals.map(({ name }) => b.variable(name))),
        b.letTuple(
          [b.param(x, definition.result), b.param(d, b.linear(definition.result, c))],
          deinterleave.at(definition.result, b.variable(y)),
          b.tuple(b.variable(x), b.linLam(z, definition.result, gradient)),
        ),
      );
      const bound = params.reduceRight((rest, param, i) => {
        const dual = duals[i] ?? param;
        return b.letIn(dual.name, dual.type, interleave(param.type, b.variable(param.name), parts[i] ?? rest), rest);
      }, result);
      return {
        fn: {
          params,
          result: b.tupleType(definition.result, b.linear(definition.result, input)),
          body: b.letIn(zero, input, b.ext("zeroOf", whole(params.map(({ name }) => b.variable(name)))), bound),
        },
        gradient: null,
        collector: b.sparse(input),
      };
    },
    "Reverse",
  );

  return { functions: [...members.functions, ...deinterleave.functions], wrappers };
}
