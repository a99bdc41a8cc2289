// The part of TypeScript that dualrev emits, as a tree. The printer lays it out as prettier would; the `js` target leaves types out.

import type { Located } from "../location.js";

export type TsType =
  /** `number`, `Float64Array`, `List<number>`, .. */
  | { readonly kind: "name"; readonly name: string; readonly args: readonly TsType[] }
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  /** `readonly [A, B]`; `[A, B]` where an item may be assigned. */
  | { readonly kind: "tuple"; readonly items: readonly TsType[] }
  /** `readonly A[]`. */
  | { readonly kind: "array"; readonly element: TsType }
  | { readonly kind: "object"; readonly fields: readonly TsField[] }
  /** Of a field, or an item of a tuple, that may be assigned. */
  | { readonly kind: "slot"; readonly type: TsType }
  | { readonly kind: "union"; readonly members: readonly TsType[] }
  | {
      readonly kind: "function";
      readonly typeParams: readonly string[];
      readonly params: readonly TsParam[];
      readonly result: TsType;
    };

export interface TsField {
  /** Any string: quoted where it is not an identifier. */
  readonly name: string;
  readonly type: TsType;
  readonly optional?: true;
}

export interface TsParam {
  readonly name: string;
  readonly type: TsType;
  readonly optional: boolean;
}

export type TsExpr = Located &
  (
    | { readonly kind: "id"; readonly name: string }
    /** Any double; the printer writes negative ones, NaN and infinities correctly. */
    | { readonly kind: "number"; readonly value: number }
    | { readonly kind: "string"; readonly value: string }
    | { readonly kind: "boolean"; readonly value: boolean }
    | { readonly kind: "null" }
    | { readonly kind: "undefined" }
    /** `isOrdered`: neither side is NaN, so that of `<` and `>=` one holds. */
    | {
        readonly kind: "binary";
        readonly op: TsBinaryOp;
        readonly left: TsExpr;
        readonly right: TsExpr;
        readonly isOrdered?: true;
      }
    | { readonly kind: "unary"; readonly op: "-" | "!"; readonly arg: TsExpr }
    | { readonly kind: "cond"; readonly test: TsExpr; readonly then: TsExpr; readonly else: TsExpr }
    | { readonly kind: "call"; readonly fn: TsExpr; readonly args: readonly TsExpr[] }
    | { readonly kind: "new"; readonly fn: TsExpr; readonly args: readonly TsExpr[] }
    | { readonly kind: "member"; readonly object: TsExpr; readonly name: string }
    /** `object[index]`; `certain`: TypeScript is told that there is such an element, `object[index]!`. */
    | { readonly kind: "index"; readonly object: TsExpr; readonly index: TsExpr; readonly certain: boolean }
    | {
        readonly kind: "arrow";
        readonly params: readonly TsArrowParam[];
        readonly result: TsType | null;
        readonly body: TsExpr | readonly TsStmt[];
      }
    | { readonly kind: "object"; readonly fields: readonly TsProperty[] }
    | { readonly kind: "array"; readonly items: readonly TsExpr[] }
    | { readonly kind: "as"; readonly expr: TsExpr; readonly type: TsType }
    /** In a generator function; `delegates`: to another generator, `yield* value`. */
    | { readonly kind: "yield"; readonly value: TsExpr; readonly delegates?: true }
    | {
        readonly kind: "assign";
        readonly op: "=" | "+=" | "-=" | "??=";
        readonly target: TsExpr;
        readonly value: TsExpr;
      }
  );

export type TsBinaryOp =
  | "+" | "-" | "*" | "/" | "%" | "**" | ">>" | "===" | "!==" | "<" | "<=" | ">" | ">=" | "&&" | "||" | "??"; // prettier-ignore

/** `type` null: inferred. A pattern `[a, b]` where `name` is a list. */
export interface TsArrowParam {
  readonly name: string;
  readonly type: TsType | null;
}

/** `name: value`, printed as `name` alone where the value is that identifier. */
export interface TsProperty {
  readonly name: string;
  readonly value: TsExpr;
}

/** What a declaration binds: a name, or `[a, b]` (null leaves a hole out). */
export type TsTarget = string | readonly (string | null)[];

export type TsStmt = Located &
  (
    | { readonly kind: "const"; readonly target: TsTarget; readonly type: TsType | null; readonly init: TsExpr }
    | { readonly kind: "let"; readonly name: string; readonly type: TsType | null; readonly init: TsExpr | null }
    | { readonly kind: "expr"; readonly expr: TsExpr }
    | { readonly kind: "return"; readonly value: TsExpr | null }
    /** `else` empty: none. An `else` that is a single `if` is printed as `else if`. */
    | { readonly kind: "if"; readonly test: TsExpr; readonly then: readonly TsStmt[]; readonly else: readonly TsStmt[] }
    /** `for (;;) { .. }` */
    | { readonly kind: "loop"; readonly label: string | null; readonly body: readonly TsStmt[] }
    | { readonly kind: "while"; readonly test: TsExpr; readonly body: readonly TsStmt[] }
    /** `for (let name = from; name < to; name++)`; downwards where `down`: `for (let name = from - 1; name >= to; name--)` is the caller's to spell. */
    | {
        readonly kind: "for";
        readonly name: string;
        readonly from: TsExpr;
        readonly test: TsExpr;
        readonly step: TsExpr;
        readonly body: readonly TsStmt[];
      }
    | { readonly kind: "switch"; readonly subject: TsExpr; readonly cases: readonly TsCase[] }
    | { readonly kind: "continue"; readonly label: string | null }
    | { readonly kind: "break"; readonly label: string | null }
    | { readonly kind: "throw"; readonly value: TsExpr }
    | {
        readonly kind: "try";
        readonly body: readonly TsStmt[];
        readonly param: string;
        readonly handler: readonly TsStmt[];
      }
    | { readonly kind: "block"; readonly body: readonly TsStmt[] }
    | { readonly kind: "function"; readonly fn: TsFunction }
    /**
     * A line; `on`: said of what the array that is declared behind it saves, or has as its rows, which its text then leaves out: "x of each iteration";
     * `subject` is the variable that the array has that of.
     */
    | { readonly kind: "comment"; readonly text: string; readonly on?: "saved" | "rows"; readonly subject?: string }
  );

/** `case test: { body }`; the default where `test` is null. */
export interface TsCase {
  readonly test: TsExpr | null;
  readonly body: readonly TsStmt[];
}

export interface TsFunction extends Located {
  readonly name: string;
  readonly typeParams: readonly string[];
  readonly params: readonly TsParam[];
  readonly result: TsType;
  readonly body: readonly TsStmt[];
  /** `function*` */
  readonly isGenerator?: true;
}

/** A declaration of the module, separated from the next by a blank line. `doc` becomes a JSDoc comment; "" where there is none. */
export type TsDeclaration =
  | {
      readonly kind: "function";
      readonly doc: string;
      readonly exported: boolean;
      readonly fn: TsFunction;
      /** What callers see in place of the function's own signature, if anything. */
      readonly overloads?: readonly Pick<TsFunction, "params" | "result">[];
    }
  /** `function* name(..) { .. }` */
  | { readonly kind: "generator"; readonly doc: string; readonly fn: TsFunction }
  | {
      readonly kind: "type";
      readonly doc: string;
      readonly exported: boolean;
      readonly name: string;
      readonly typeParams: readonly string[];
      readonly type: TsType;
    }
  | { readonly kind: "statement"; readonly doc: string; readonly stmt: TsStmt }
  /** Text of the runtime, laid out already: with types for `ts`, without for `js`. Not exported, so absent from a `.d.ts`. */
  | TsFragment
  /** Names of another module. */
  | { readonly kind: "import"; readonly names: readonly TsImported[]; readonly from: string }
  /** All that the module gives to others, where its declarations do not say so. */
  | { readonly kind: "export"; readonly names: readonly { readonly name: string; readonly isType: boolean }[] };

/** A declaration of the runtime, as the module has it. */
export interface TsFragment {
  readonly kind: "fragment";
  readonly ts: string;
  /** "" where it is a type. */
  readonly js: string;
  /** `file.name` in the runtime. */
  readonly reference: string;
  /** What the module calls it. */
  readonly name: string;
  /** Whether the module's own declarations mention it, and not only other parts of the runtime. */
  readonly isDirect: boolean;
}

export interface TsImported {
  readonly name: string;
  /** What this module calls it. */
  readonly as: string;
  readonly isType: boolean;
}

export interface TsModule {
  /** Lines of the comment at the top, without slashes. */
  readonly header: readonly string[];
  readonly declarations: readonly TsDeclaration[];
}
