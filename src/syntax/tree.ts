// The surface language as written (docs/language.md, grammar/lam.ebnf). Every node has its span; where the author can choose between
// an ASCII and a Unicode spelling the node remembers which, so that the formatter keeps it.
//
//   module  ::= item*
//   item    ::= data T a.. = C t.. | C { x : t, .. } | ..   |   type T a.. = t   |   def f p.. : t = e   |   fused def f p.. : t = e   |   import "path" (f, ..)
//             | extern def f (x : t).. : t from "path"   |   rule derivative f p.. = e   |   rule pullback f p.. = e
//   t       ::= R | Z | Bool | T t.. | a | (t, ..) | t -> t | t + t | [t]
//   p       ::= x | _ | C p.. | C { x = p, y, .. } | n | true | false | (p, ..) | (p : t)
//   e       ::= x | C | 1.5 | 2 | true | (e, ..) | (op) | \p.. . e | e e | let p = e in e | let f p.. = e in e
//             | let rec f p.. = e and .. in e | if e then e else e | case e of { p -> e; .. } | (e : t) | e op e | -e
//             | [e, ..] | e ! e | e.x | C { x = e, .. } | { e | x = e, .. }

import type { Span } from "./source.js";

/** A name as it stands in the text, in Unicode normal form C. */
export interface Ident {
  readonly name: string;
  readonly span: Span;
}

/** Which spelling the author chose where there are two. */
export type Spelling = "ascii" | "unicode";

/** Text between tokens that only the formatter needs. */
export interface Comment {
  readonly kind: "line" | "block" | "doc";
  /** With its delimiters. */
  readonly text: string;
  readonly span: Span;
}

export interface Module {
  readonly items: readonly Item[];
  /** All comments in source order, documentation comments too. */
  readonly comments: readonly Comment[];
  readonly span: Span;
}

export type Item = DataItem | AliasItem | DefItem | ExternItem | RuleItem | ImportItem;

/** `import "other.lam" (f, g)`. */
export interface ImportItem {
  readonly kind: "import";
  /** The path as written, relative to the file. */
  readonly path: string;
  readonly names: readonly Ident[];
  readonly pathSpan: Span;
  readonly span: Span;
}

export interface DataItem {
  readonly kind: "data";
  readonly name: Ident;
  readonly params: readonly Ident[];
  readonly constructors: readonly ConstructorDecl[];
  /** Text of the `---` comment above, without the dashes; "" where there is none. */
  readonly doc: string;
  readonly span: Span;
}

export interface ConstructorDecl {
  readonly name: Ident;
  readonly fields: readonly TypeExpr[];
  /** One for each field of a record, `Camera { focal : R, .. }`; null where fields have no names. */
  readonly fieldNames: readonly Ident[] | null;
  readonly span: Span;
}

export interface AliasItem {
  readonly kind: "alias";
  readonly name: Ident;
  readonly params: readonly Ident[];
  readonly type: TypeExpr;
  readonly doc: string;
  readonly span: Span;
}

export interface DefItem {
  readonly kind: "def";
  /** `fused def`: to a reverse stage its call is one operation. */
  readonly isFused: boolean;
  readonly binding: FunctionBinding;
  readonly doc: string;
  readonly span: Span;
}

/** `extern def f (x : t).. : t from "path"`: a function of whoever uses the module. */
export interface ExternItem {
  readonly kind: "extern";
  readonly name: Ident;
  /** Names with types. */
  readonly params: readonly Pattern[];
  readonly result: TypeExpr;
  /** The path as written. */
  readonly path: string;
  readonly pathSpan: Span;
  readonly doc: string;
  readonly span: Span;
}

/**
 * `rule derivative f p1 .. pn q1 .. qn = body` or `rule pullback f p1 .. pn q = body`: a derivative of f as its author says it. In front of `=` may stand `given r`, which
 * counts as two more parameters here.
 */
export interface RuleItem {
  readonly kind: "rule";
  readonly mode: "derivative" | "pullback";
  /** The definition. */
  readonly name: Ident;
  readonly params: readonly Pattern[];
  readonly body: Expr;
  readonly span: Span;
}

/** `f p1 .. pn : t = body`; a constant where there are no parameters. `result` is null where it is not annotated. */
export interface FunctionBinding {
  readonly name: Ident;
  readonly params: readonly Pattern[];
  readonly result: TypeExpr | null;
  readonly body: Expr;
  readonly span: Span;
}

// Types

export type TypeExpr =
  /** `R`, `Z`, `Bool`, a data type or an alias, with its arguments. */
  | {
      readonly kind: "named";
      readonly name: Ident;
      readonly args: readonly TypeExpr[];
      readonly spelling: Spelling;
      readonly span: Span;
    }
  | { readonly kind: "variable"; readonly name: Ident; readonly span: Span }
  /** `()` where there are no items; `spelling` "unicode" for `a × b`. */
  | { readonly kind: "tuple"; readonly items: readonly TypeExpr[]; readonly spelling: Spelling; readonly span: Span }
  | {
      readonly kind: "function";
      readonly from: TypeExpr;
      readonly to: TypeExpr;
      readonly spelling: Spelling;
      readonly span: Span;
    }
  | { readonly kind: "sum"; readonly left: TypeExpr; readonly right: TypeExpr; readonly span: Span }
  | { readonly kind: "array"; readonly element: TypeExpr; readonly span: Span };

// Patterns

export type Pattern =
  | { readonly kind: "variable"; readonly name: Ident; readonly span: Span }
  | { readonly kind: "wildcard"; readonly span: Span }
  | { readonly kind: "tuple"; readonly items: readonly Pattern[]; readonly span: Span }
  /** `C p1 .. pn`, and `p :: q` as the constructor `Cons` with `infix`; `inl p` and `inr p` too. */
  | {
      readonly kind: "constructor";
      readonly name: Ident;
      readonly args: readonly Pattern[];
      readonly infix: boolean;
      readonly span: Span;
    }
  /** `Camera { focal = f, rotation }`: some of a record's fields, in any order; a name alone binds that name. */
  | {
      readonly kind: "record";
      readonly name: Ident;
      readonly fields: readonly FieldPattern[];
      readonly span: Span;
    }
  /** An integer literal, possibly negative. */
  | { readonly kind: "integer"; readonly text: string; readonly span: Span }
  | { readonly kind: "boolean"; readonly value: boolean; readonly span: Span }
  | { readonly kind: "ascribed"; readonly pattern: Pattern; readonly type: TypeExpr; readonly span: Span };

/** `name = pattern`, or the name alone. */
export interface FieldPattern {
  readonly name: Ident;
  readonly pattern: Pattern;
}

// Expressions

export type BinaryOperator =
  | "+" | "-" | "*" | "/" | "^" | "::" | "==" | "/=" | "<" | "<=" | ">" | ">=" | "&&" | "||"; // prettier-ignore

export type Expr =
  /** `(!)`, indexing as a function, is the variable `!`. `label`: the text in `debug "text"`, `fail "text"` and `failAt "text"`; `extern`: what has no text. */
  | {
      readonly kind: "variable";
      readonly name: Ident;
      readonly label?: string;
      readonly extern?: ExternItem;
      readonly span: Span;
    }
  /** A data constructor; `inl` and `inr` too. */
  | { readonly kind: "constructor"; readonly name: Ident; readonly span: Span }
  /** A literal with a point or an exponent: of type R. */
  | { readonly kind: "real"; readonly text: string; readonly span: Span }
  /** A literal without: overloaded at R and Z. */
  | { readonly kind: "number"; readonly text: string; readonly span: Span }
  | { readonly kind: "boolean"; readonly value: boolean; readonly span: Span }
  | { readonly kind: "tuple"; readonly items: readonly Expr[]; readonly span: Span }
  /** An operator in parentheses, `(*)`, as a function of two arguments. */
  | { readonly kind: "operator"; readonly operator: BinaryOperator; readonly spelling: Spelling; readonly span: Span }
  | {
      readonly kind: "lambda";
      readonly params: readonly Pattern[];
      readonly body: Expr;
      readonly spelling: Spelling;
      readonly span: Span;
    }
  | { readonly kind: "apply"; readonly fn: Expr; readonly arg: Expr; readonly span: Span }
  | { readonly kind: "let"; readonly pattern: Pattern; readonly bound: Expr; readonly body: Expr; readonly span: Span }
  /** `let f x = s in t` (not recursive, one binding) and `let rec .. and .. in t`. */
  | {
      readonly kind: "letFunction";
      readonly recursive: boolean;
      readonly bindings: readonly FunctionBinding[];
      readonly body: Expr;
      readonly span: Span;
    }
  | { readonly kind: "if"; readonly cond: Expr; readonly then: Expr; readonly else: Expr; readonly span: Span }
  | { readonly kind: "case"; readonly scrutinee: Expr; readonly branches: readonly Branch[]; readonly span: Span }
  | { readonly kind: "ascribed"; readonly expr: Expr; readonly type: TypeExpr; readonly span: Span }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expr;
      readonly right: Expr;
      readonly spelling: Spelling;
      readonly operatorSpan: Span;
      readonly span: Span;
    }
  | { readonly kind: "array"; readonly items: readonly Expr[]; readonly span: Span }
  /** `a ! i`. */
  | {
      readonly kind: "index";
      readonly array: Expr;
      readonly index: Expr;
      readonly operatorSpan: Span;
      readonly span: Span;
    }
  /** `record.name`. */
  | { readonly kind: "field"; readonly record: Expr; readonly name: Ident; readonly span: Span }
  /** `Camera { focal = 2, .. }`: every field, in any order. */
  | { readonly kind: "record"; readonly name: Ident; readonly fields: readonly FieldValue[]; readonly span: Span }
  /** `{ record | focal = 2 }`. */
  | { readonly kind: "update"; readonly record: Expr; readonly fields: readonly FieldValue[]; readonly span: Span }
  /** `s |*| t |*| u`: one n-ary parallel tuple. */
  | { readonly kind: "parallel"; readonly items: readonly Expr[]; readonly spelling: Spelling; readonly span: Span }
  | { readonly kind: "negate"; readonly expr: Expr; readonly span: Span };

/** `name = value`. */
export interface FieldValue {
  readonly name: Ident;
  readonly value: Expr;
}

export interface Branch {
  readonly pattern: Pattern;
  readonly body: Expr;
  readonly spelling: Spelling;
  readonly span: Span;
}
