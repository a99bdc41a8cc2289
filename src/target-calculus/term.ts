// The target calculus: SV25 Fig. 5 and what Figs. 8-10, §8, §10 and KR22 Fig. 16 add to it.
//
//   s, t ::= source terms | \_(z : T). b | s t                 linear lambda; application covers both arrows
//          | di_op(x1, .., xn)(b) | b + b | 0                  at the codomain of backpropagators: the stage's monoid
//          | sum n (\i. t)                                     t at i = 0, .., n - 1, added up in the monoid
//          | return t | do x <- s; t                           the stage's monad
//          | ext(t1, .., tn)                                   an operation of the stage's interface (`SCall`, `SResolve`, ..)
//          | impossible                                        a branch that well-formed input never takes
//
// `build n (\i. t)` with t : M T is a computation of type M [T]: that of each element in order (KR22 §8.3). Its `element` is T all the same. So is
// `scan n s (\i x. t)` with t : M (S, T).

import type { BranchF, FunctionF, ParamF, TermF, Entry } from "../core/term.js";
import type { OpName } from "../core/primitives.js";
import type { Located } from "../location.js";
import type { Calculus } from "../core/type.js";
import type { DataDecl, Type } from "./type.js";

export interface TargetCalculus extends Calculus {
  readonly term: Term;
  readonly type: Type;
}

export type Term = Located &
  (
    | TermF<TargetCalculus>
    /** `let (x1, .., xn) = bound in body`. */
    | {
        readonly kind: "letTuple";
        readonly names: readonly string[];
        readonly types: readonly Type[];
        readonly bound: Term;
        readonly body: Term;
      }
    | { readonly kind: "linLam"; readonly param: string; readonly type: Type; readonly body: Term }
    /**
     * `d_index op(args)(cotangent)`: the cotangent times the partial derivative, where a zero cotangent gives zero whatever the partial is.
     * `index` counts from 0; `args` and `result`, the value of `op(args)`, are atoms (variables or literals) where the partial uses them.
     */
    | {
        readonly kind: "partial";
        readonly op: OpName;
        readonly index: number;
        readonly args: readonly Term[];
        readonly result: Term;
        readonly cotangent: Term;
      }
    /** The monoid's unit at `type`: a codomain of backpropagators, or a cotangent type. */
    | { readonly kind: "zero"; readonly type: Type }
    /** The monoid's operation at `type`. */
    | { readonly kind: "plus"; readonly type: Type; readonly left: Term; readonly right: Term }
    /**
     * `body(0) + .. + body(size - 1)` in the monoid at `type`, its unit where `size` is 0; `index` is bound in `body`. `type` is a codomain of
     * backpropagators, or `M ()`, whose monoid is `return ()` and `>>`: then one computation after the other.
     */
    | { readonly kind: "sum"; readonly type: Type; readonly size: Term; readonly index: string; readonly body: Term }
    | { readonly kind: "return"; readonly value: Term }
    | { readonly kind: "bind"; readonly name: string; readonly type: Type; readonly bound: Term; readonly body: Term }
    | { readonly kind: "ext"; readonly name: string; readonly args: readonly Term[] }
    | { readonly kind: "impossible"; readonly type: Type }
  );

export type Fn = FunctionF<TargetCalculus>;
export type Param = ParamF<TargetCalculus>;
export type Branch = BranchF<TargetCalculus>;

/** An operation of a stage's interface: its type, and its name in the runtime. */
export interface Operation {
  readonly name: string;
  readonly params: readonly Type[];
  /** The type of any further arguments; null where their number is fixed. */
  readonly rest: Type | null;
  readonly result: Type;
  /** The runtime's function that implements it: `file.function`, as in `d2.sCall` for `sCall` of `src/runtime/d2.ts`. */
  readonly runtime: string;
}

/** A definition after the stage's transformation, with its wrapper for the outside world. */
export interface Wrapped {
  readonly entry: Entry;
  /**
   * `Wrap[f]`: takes the parameters of the core definition (those of a forward stage: and their tangents); gives (value, pullback) in
   * a reverse stage, (value, tangent) in a forward stage, the value in `primal`.
   */
  readonly fn: Fn;
  /**
   * Where the result is R and a stage can do better than calling the pullback with 1: takes the same parameters, gives (value, gradient).
   */
  readonly gradient: Fn | null;
  /** What the codomain of backpropagators, `c`, stands for in this wrapper; null in a stage that has none. */
  readonly collector: Type | null;
}

/** What a stage makes of a program: the transformed definitions, helpers indexed by type (Interleave, ..), and one wrapper an entry. */
export interface Program {
  readonly data: readonly DataDecl[];
  readonly definitions: readonly Fn[];
  readonly wrappers: readonly Wrapped[];
}
