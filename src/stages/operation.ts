// What the rules for `op(t1, .., tn)` share: its value, and the partial derivatives that contribute, at the values of its arguments.

import type { Names } from "../core/names.js";
import { primitive } from "../core/primitives.js";
import type { OpName, Partial } from "../core/primitives.js";
import type * as Source from "../core/term.js";
import * as b from "../target-calculus/build.js";
import type { Term } from "../target-calculus/term.js";

/** What is differentiated as a whole, of result type R: a primitive operation, or a fused definition. */
export interface Operation {
  /** Binds what the value and the partial derivatives at these arguments need. */
  at(values: readonly Term[], names: Names, rest: (applied: Applied) => Term): Term;
}

export interface Applied {
  /** `op(x1, .., xn)`, bound to a variable where a partial derivative uses it. */
  readonly result: Term;
  /** Those that pass a cotangent on: of parameters of type R, and not the constant 0. */
  readonly partials: readonly PartialDerivative[];
}

export interface PartialDerivative {
  /** Of which parameter, counted from 0. */
  readonly index: number;
  readonly isOne: boolean;
  /** The cotangent times the partial derivative, where zero times anything is zero. */
  readonly times: (cotangent: Term) => Term;
}

export type OpTerm = Source.Term & { readonly kind: "op" };

export function primitiveOperation({ op, site }: OpTerm): Operation {
  const active = activeParams(op);
  return {
    at: (values, names, rest) => {
      const applied = b.op(op, values, site);
      const given = (result: Term): Term =>
        rest({
          result,
          partials: active.map((index) => ({
            index,
            isOne: isOne(primitive(op).partials[index]),
            times: (cotangent) => ({ kind: "partial", op, index, args: values, result, cotangent }),
          })),
        });
      if (!usesResult(op)) return given(applied);
      const y = names.fresh("y");
      return b.letIn(y, b.real, applied, given(b.variable(y)));
    },
  };
}

/** KR22 Fig. 14: `let (y, p1, .., pk) = partials(x1, .., xn) in ..`, with a partial derivative for each of these parameters. */
export function fusedOperation(partials: string, reals: readonly number[]): Operation {
  return {
    at: (values, names, rest) => {
      const y = names.fresh("y");
      const slopes = reals.map((index) => ({ index, name: names.fresh("p") }));
      const params = [y, ...slopes.map(({ name }) => name)].map((name) => b.param(name, b.real));
      const applied = {
        result: b.variable(y),
        partials: slopes.map(({ index, name }) => ({
          index,
          isOne: false,
          times: (cotangent: Term) => scaled(cotangent, b.variable(name)),
        })),
      };
      return b.letTuple(params, b.call(partials, ...values), rest(applied));
    },
  };
}

function scaled(cotangent: Term, partial: Term): Term {
  return cotangent.kind === "real" && cotangent.value === 1 ? partial : b.op("scaled", [cotangent, partial], null);
}

/** The parameters of type R whose partial derivative is not the constant 0: those that pass a cotangent on. */
export function activeParams(op: OpName): readonly number[] {
  return primitive(op).partials.flatMap((partial, index) =>
    partial === null || (partial.kind === "number" && partial.value === 0) ? [] : [index],
  );
}

function isOne(partial: Partial | null | undefined): boolean {
  return partial?.kind === "number" && partial.value === 1;
}

/** Whether a partial derivative of the operation is written with the operation's result. */
export function usesResult(op: OpName): boolean {
  return activeParams(op).some((index) => {
    const partial = primitive(op).partials[index];
    return partial !== undefined && partial !== null && mentionsResult(partial);
  });
}

function mentionsResult(partial: Partial): boolean {
  switch (partial.kind) {
    case "result":
      return true;
    case "arg":
    case "number":
      return false;
    case "op":
      return partial.args.some(mentionsResult);
    case "if":
      return [partial.cond, partial.then, partial.else].some(mentionsResult);
  }
}
