// Flat programs: core programs in which every value is split into what one JavaScript variable holds, control flow is structured, and loops are
// loops. Adjoint code is made of them, and so is the primal beside it.
//
//   block ::= stmt* end
//   end   ::= yield a..                                           the values of the block
//           | next a..                                            the next iteration of the loop that the block is the body of
//           | if a then block else block
//           | switch a { C -> block; .. }
//   stmt  ::= x = op                                              one variable, one operation
//           | x.. = end                                           a choice: its blocks yield the values
//           | x.. = f(a..)                                        a procedure
//           | x.. = a(a..)                                        an unknown function
//           | x.., [y].. = loop (p = a).. block                   until a block yields; a `next` says what it adds to the arrays y.., too
//           | x.., [y].. = for i < a (p = a).. block              i = 0, 1, .., a - 1; an iteration yields the next p.. and what it adds to the arrays y..
//           | check ..                                            fails at run time where it does not hold
//
// In text a type follows a variable where its operation does not say it, and marks an operation's name: `?` it may fail, `~` it is computed early, `!` a partial
// derivative may be infinite. `print.ts` writes programs, `parse.ts` reads them.
//
// Each variable is bound once in a program. Tuples, and data types with one constructor that are not recursive, are split into their components
// (`leaves.ts`), also in arrays: an array of pairs is a pair of arrays. Operations are pure but for `prim` with a site, which may fail.

import type { OpName } from "../core/primitives.js";
import type { Entry, Site } from "../core/term.js";
import type { DataDecl, Type } from "../core/type.js";
import type { Located } from "../location.js";

/** What a variable holds. */
export type Rep =
  | { readonly kind: "real" }
  | { readonly kind: "int" }
  | { readonly kind: "bool" }
  /** A `Float64Array` where the elements are real, an ordinary array otherwise. */
  | { readonly kind: "array"; readonly element: Rep }
  /** A value of a data type that is not split: `{ tag, fields }` (`fieldsOf` in leaves.ts). */
  | { readonly kind: "object"; readonly type: Type }
  /** A function as a value. */
  | { readonly kind: "closure"; readonly from: Type; readonly to: Type }
  /** In adjoint code: the cotangents of an array or object, one slot for each of its reals, in a value of the same shape. */
  | { readonly kind: "store"; readonly of: Rep };

export interface Var {
  readonly name: string;
  readonly rep: Rep;
}

export type Atom =
  | { readonly kind: "var"; readonly variable: Var }
  | { readonly kind: "real"; readonly value: number }
  | { readonly kind: "int"; readonly value: number }
  | { readonly kind: "bool"; readonly value: boolean };

export type Operation = Located &
  (
    | { readonly kind: "copy"; readonly value: Atom }
    /** A number that is known to be `value`, with the derivative of `from`: nothing asks for that of `value`. */
    | { readonly kind: "known"; readonly value: Atom; readonly from: Atom }
    /** `site` is null where it cannot fail. */
    | {
        readonly kind: "prim";
        readonly op: OpName;
        readonly args: readonly Atom[];
        readonly site: Site | null;
        /**
         * Also computed where the program does not come to it: its integers may not be safe there, its cotangent is zero, and so is all that it contributes.
         * Of a power with a negative exponent the last is true as well: its factors may be infinite.
         */
        readonly isEarly?: true;
        /** The places of the arguments whose partial derivatives may be infinite where the cotangent is zero. */
        readonly overflowing?: readonly number[];
      }
    /** Leaf `index` of an object that is known to be made by `con`. */
    | { readonly kind: "field"; readonly object: Atom; readonly con: string; readonly index: number }
    /** An element; the index is in range. */
    | { readonly kind: "cell"; readonly array: Atom; readonly index: Atom }
    | { readonly kind: "length"; readonly array: Atom }
    | { readonly kind: "object"; readonly type: Type; readonly con: string; readonly args: readonly Atom[] }
    | { readonly kind: "array"; readonly element: Rep; readonly items: readonly Atom[] }
    /** A function of the caller's, called: pure, and without a derivative. What it gives is new. */
    | { readonly kind: "extern"; readonly fn: string; readonly args: readonly Atom[]; readonly result: Rep }
    /** The function `code`, a procedure, with the values of its `captured`. */
    | { readonly kind: "closure"; readonly code: string; readonly captured: readonly Atom[] }
    /** In adjoint code: slots, all zero, for `size` reals. */
    | { readonly kind: "realStore"; readonly size: Atom }
    /** In adjoint code: the store of an object; of its leaves, null for those that have no store. */
    | {
        readonly kind: "objectStore";
        readonly type: Type;
        readonly con: string;
        readonly args: readonly (Atom | null)[];
      }
    /** In adjoint code: a store for a value that has none, since nothing that it is made of is differentiated. */
    | { readonly kind: "zeroStore"; readonly value: Atom }
  );

export type Stmt = Located &
  (
    | { readonly kind: "let"; readonly result: Var; readonly op: Operation }
    | { readonly kind: "check"; readonly check: Check; readonly site: Site }
    | { readonly kind: "choose"; readonly results: readonly Var[]; readonly end: End }
    | { readonly kind: "call"; readonly fn: string; readonly args: readonly Atom[]; readonly results: readonly Var[] }
    | { readonly kind: "apply"; readonly fn: Atom; readonly args: readonly Atom[]; readonly results: readonly Var[] }
    | {
        readonly kind: "loop";
        readonly params: readonly Var[];
        readonly init: readonly Atom[];
        /** Yields `results`; a `next` has the next values of `params`, then one element for each of `arrays`. */
        readonly body: Block;
        readonly results: readonly Var[];
        /** Arrays of as many elements as there were iterations that asked for a next one; only `linearRecursion` makes them. */
        readonly arrays: readonly Var[];
      }
    | {
        readonly kind: "for";
        readonly index: Var;
        /** How many iterations: none where it is not positive. */
        readonly count: Atom;
        readonly params: readonly Var[];
        readonly init: readonly Atom[];
        /** Yields the next values of `params`, then one element for each of `arrays`. */
        readonly body: Block;
        /** The last values of `params`. */
        readonly results: readonly Var[];
        /** Arrays of `count` elements. */
        readonly arrays: readonly Var[];
      }
  );

export type Check =
  /** 0 <= index < length of the array; an array whose elements have no leaves is an int, its length. */
  | { readonly kind: "inRange"; readonly index: Atom; readonly array: Atom }
  /** 0 <= size. */
  | { readonly kind: "size"; readonly size: Atom };

export interface Block {
  readonly stmts: readonly Stmt[];
  readonly end: End;
}

export type End = Located &
  (
    | { readonly kind: "yield"; readonly values: readonly Atom[] }
    | { readonly kind: "next"; readonly values: readonly Atom[] }
    | { readonly kind: "if"; readonly cond: Atom; readonly then: Block; readonly else: Block }
    | {
        readonly kind: "switch";
        readonly object: Atom;
        readonly type: Type;
        /** One for each constructor, in the order of the declaration. */
        readonly branches: readonly { readonly con: string; readonly body: Block }[];
      }
  );

/** A definition, a local function with what it captures as further parameters, or the code of a lambda. */
export interface Procedure extends Located {
  readonly name: string;
  /** A word for readers: the source's name of the definition that it is part of. */
  readonly definition: string;
  /** In the code of a lambda: what its closure holds, before the parameters. */
  readonly captured: readonly Var[];
  readonly params: readonly Var[];
  readonly results: readonly Rep[];
  readonly body: Block;
  readonly kind: "function" | "lambda" | "constant";
}

export interface Program {
  readonly data: readonly DataDecl[];
  readonly procedures: readonly Procedure[];
  readonly entries: readonly FlatEntry[];
}

export interface FlatEntry {
  readonly entry: Entry;
  /** Its parameters are the leaves of the entry's parameters, in order, but for those that are arrays in place of a list; so are its results. */
  readonly procedure: string;
  /** By leaf of the parameters and of the result; null where the leaf is as it is. Not there where all of them are. */
  readonly arrays?: {
    readonly params: readonly (ArraysForList | null)[];
    readonly results: readonly (ArraysForList | null)[];
  };
}

/** Arrays stand for a list: the procedures that make them from it, and it from them. */
export interface ArraysForList {
  /** Of a list, or of an array of lists. */
  readonly type: Type;
  readonly arrays: string;
  readonly list: string;
  /** Makes a list's cotangents from those of the arrays: with zeros for integers. The same as `list` where there are none. */
  readonly cotangents: string;
  /** What tells the arrays apart, one for each. */
  readonly suffixes: readonly string[];
  /** Whether the list holds arrays, which it has in common with the arrays that stand for it. */
  readonly hasArrays: boolean;
}

export const real: Rep = { kind: "real" };
export const int: Rep = { kind: "int" };
export const bool: Rep = { kind: "bool" };
