// The typed tree: what inference makes of the surface tree, and what elaboration makes the core program from. Every node has its type;
// names are resolved; operators are resolved up to the choice between R, Z and Bool, which may still be a type variable of an
// enclosing polymorphic binding and is fixed when elaboration makes its instances.

import type { Span } from "../syntax/source.js";
import type { ExternItem } from "../syntax/tree.js";
import type { DataDecl, Type } from "../core/type.js";
import type { OverloadedName } from "../core/primitives.js";
import type { BuiltInName } from "./built-in.js";

export type { Type };

export interface Module {
  /** Without the built-in sum. Only well-formed declarations, aliases expanded. */
  readonly data: readonly DataDecl[];
  readonly aliases: readonly Alias[];
  /** The name of the file. */
  readonly file: string;
  /** The definitions of other files that the file imports by name. */
  readonly imported: readonly string[];
  /** Every definition of the file and those that it imports by name, with what they reach; each group of mutual recursion after the groups it uses. */
  readonly groups: readonly Group[];
}

export interface Alias {
  readonly name: string;
  readonly params: readonly string[];
  readonly type: Type;
  readonly doc: string;
}

export interface Group {
  readonly recursive: boolean;
  readonly bindings: readonly Binding[];
}

/** A polymorphic definition or local function. `params` empty: a constant. */
export interface Binding {
  readonly name: string;
  /** Its name in its file; `name` differs where another file defines the same one. */
  readonly sourceName: string;
  /** The names of the quantified type variables; `numeric` ones range over R and Z alone. */
  readonly typeParams: readonly TypeParam[];
  readonly params: readonly Pattern[];
  readonly result: Type;
  readonly body: Expr;
  readonly doc: string;
  readonly span: Span;
  readonly nameSpan: Span;
  /** Defined in the file that is compiled, not in one that it imports or in the prelude. */
  readonly own: boolean;
  /** What it is of the caller's; null where it has a text. */
  readonly extern: ExternItem | null;
  /** To a reverse stage its call is one operation. */
  readonly isFused: boolean;
}

export interface TypeParam {
  readonly name: string;
  readonly numeric: boolean;
}

export type Pattern = { readonly type: Type; readonly span: Span } & (
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "wildcard" }
  | { readonly kind: "tuple"; readonly items: readonly Pattern[] }
  | { readonly kind: "constructor"; readonly data: string; readonly name: string; readonly args: readonly Pattern[] }
  | { readonly kind: "integer"; readonly value: number }
  | { readonly kind: "boolean"; readonly value: boolean }
);

export type Expr = { readonly type: Type; readonly span: Span } &
  /** A variable bound by a pattern: monomorphic. */
  (
    | { readonly kind: "variable"; readonly name: string }
    /** A definition or local function, at the given instance of its type parameters. */
    | {
        readonly kind: "reference";
        readonly name: string;
        readonly typeArgs: readonly Type[];
        /** The text in `debug "text"`. */
        readonly label?: string;
      }
    /** A constructor as a function of its fields (`inl` and `inr` are those of the data type `+`). */
    | { readonly kind: "constructor"; readonly data: string; readonly name: string; readonly arity: number }
    /** A function that is built in, of arrays or of derivatives. */
    /** `label`: the text in `fail "text"` and `failAt "text"`. */
    | {
        readonly kind: "builtIn";
        readonly name: BuiltInName;
        readonly label?: string;
        readonly extern?: ExternItem;
      }
    | { readonly kind: "array"; readonly items: readonly Expr[] }
    /** A field of a record, by its position. */
    | {
        readonly kind: "field";
        readonly record: Expr;
        readonly data: string;
        readonly constructor: string;
        readonly index: number;
      }
    /** A record with some fields replaced. */
    | {
        readonly kind: "update";
        readonly record: Expr;
        readonly data: string;
        readonly constructor: string;
        readonly arity: number;
        readonly fields: readonly { readonly index: number; readonly value: Expr }[];
      }
    /** `fst` or `snd`, as a function. */
    | { readonly kind: "projection"; readonly index: 0 | 1 }
    /** A built-in function, operators included, at the operand type that decides the overloading (R for those without). */
    | { readonly kind: "primitive"; readonly name: OverloadedName; readonly operand: Type }
    /** `type` decides: R, Z, or a numeric type variable. */
    | { readonly kind: "number"; readonly value: number }
    | { readonly kind: "boolean"; readonly value: boolean }
    | { readonly kind: "tuple"; readonly items: readonly Expr[] }
    | { readonly kind: "lambda"; readonly params: readonly Pattern[]; readonly body: Expr }
    | { readonly kind: "apply"; readonly fn: Expr; readonly arg: Expr }
    | { readonly kind: "let"; readonly pattern: Pattern; readonly bound: Expr; readonly body: Expr }
    | { readonly kind: "letFunction"; readonly group: Group; readonly body: Expr }
    | { readonly kind: "if"; readonly cond: Expr; readonly then: Expr; readonly else: Expr }
    | { readonly kind: "case"; readonly scrutinee: Expr; readonly branches: readonly Branch[] }
    /** `&&` and `||`, which do not evaluate their second argument without need. */
    | { readonly kind: "logical"; readonly operator: "&&" | "||"; readonly left: Expr; readonly right: Expr }
    | { readonly kind: "parallel"; readonly items: readonly Expr[] }
  );

export interface Branch {
  readonly pattern: Pattern;
  readonly body: Expr;
}
