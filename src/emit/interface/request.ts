// What the interface of a module is made from, and what it is.

import type { Derived } from "./public-names.js";
import type { Entry } from "../../core/term.js";
import type { DataDecl, Type } from "../../core/type.js";
import type { Stage } from "../../stages/stage.js";
import type { Scope } from "../../typescript/naming.js";
import type { TsDeclaration, TsExpr, TsStmt } from "../../typescript/tree.js";
import type { Renaming } from "../rename-text.js";
import type { PublicTypes } from "./public-types.js";
import type { Shapes } from "./shape-table.js";

/** The definitions' parameters that derivatives are taken for; all of a definition that is not in it. */
export type WithRespectTo = ReadonlyMap<string, readonly string[]>;

export interface InterfaceRequest {
  readonly entries: readonly Entry[];
  readonly data: readonly DataDecl[];
  readonly types: PublicTypes;
  readonly wrt: WithRespectTo;
  /** The derivatives that are exported, where they exist; a stage of forward mode has one alone. */
  readonly wanted: ReadonlySet<Derived>;
  /** The table of data types in the module. */
  readonly shapes: Shapes;
  /** Names of the module's functions that may be called, which parameters must not hide. */
  readonly callees: readonly string[];
  /** What functions and types of the runtime are called in the module, where that is not their own name. */
  readonly renamed: Renaming;
  /** By entry: calls the program itself. */
  readonly primal: ReadonlyMap<string, Call>;
  /** The derived program, by entry; null in the primal stage. */
  readonly derived: {
    readonly stage: Stage;
    readonly wrappers: ReadonlyMap<string, DerivedCalls>;
    /** The function that makes constants be computed anew, if there are any. */
    readonly reset: string | null;
    /** Whether it needs no more of the JavaScript stack than it has. */
    readonly isShallow: boolean;
  } | null;
  /** In place of calls of programs: the code itself, which is written into the exported functions; null where there are programs. */
  readonly inline: InlineCode | null;
}

/** Code that is written into the exported functions, for arguments that have been checked. `scope` hands out the function's names. */
export interface InlineCode {
  /** For readers: of each definition the derivative alone, and no checks of arguments. */
  readonly isBare: boolean;
  /** The names of a function that are taken from the start. */
  scope(): Scope;
  /** Whether a value is what its type says, and needs no conversion: true only of such; null where there is no quick test. */
  test(type: Type, value: TsExpr): TsExpr | null;
  /** A checked copy of an argument, which errors call `name`; null where there is no function for the type. */
  accept(type: Type, value: TsExpr, name: TsExpr): TsExpr | null;
  /** A copy of the value of a variable, which has been checked; null where there is no function for the type. */
  copy(type: Type, name: string): TsExpr | null;
  /** For a parameter that is a list outside and arrays inside; null for everything else. */
  list(entry: Entry, index: number, name: string): ListInput | null;
  /** Whether a parameter has lists that are filled again where a gradient is given an earlier one. */
  fills(entry: Entry, index: number): boolean;
  /** `buffers`: the parameter that an earlier result is passed for, where there is one. */
  value(entry: Entry, inputs: readonly InlineInput[], scope: Scope, buffers: string | null): InlineValue;
  /** `buffers`: the parameter that an earlier gradient is passed for. */
  gradient(
    entry: Entry,
    inputs: readonly InlineInput[],
    scope: Scope,
    buffers: string | null,
  ): InlineValue & InlineCotangents;
  vjp(
    entry: Entry,
    inputs: readonly InlineInput[],
    scope: Scope,
  ): InlineValue & {
    /** The pullback's body. */
    readonly pullback: (cotangent: TsExpr) => InlineCotangents & { readonly stmts: readonly TsStmt[] };
  };
}

/** A list that is read into arrays. */
export interface ListInput {
  /** What to call the arrays. */
  readonly names: readonly string[];
  /** Makes them, which gives null where an argument is no such list: in a workspace, or in memory of their own where that is null. */
  readonly read: (workspace: TsExpr) => TsExpr;
  /** Whether any of them is in the workspace. */
  readonly usesWorkspace: boolean;
}

export interface InlineInput {
  readonly type: Type;
  readonly value: TsExpr;
  /** The arrays that a list has been read into; null where it is used as it is. */
  readonly items: readonly TsExpr[] | null;
  readonly isActive: boolean;
  /** A name for what is made of it. */
  readonly hint: string;
}

export interface InlineValue {
  readonly stmts: readonly TsStmt[];
  readonly value: TsExpr;
}

/** By parameter; null where none is asked for. */
export interface InlineCotangents {
  readonly cotangents: readonly (TsExpr | null)[];
}

/** A call of one of the module's functions. */
export type Call = (args: readonly TsExpr[]) => TsExpr;

/** How the derivative of a definition is called. */
export interface DerivedCalls {
  /** Gives [value, pullback] in a reverse stage, [value, tangent] in a forward stage. */
  readonly wrapper: Call;
  /** Applies a pullback. */
  readonly pullback: (pullback: TsExpr, cotangent: TsExpr) => TsExpr;
  /** Gives [value, gradient], where the stage has a shorter way to it. */
  readonly gradient: Call | null;
}

export interface Interface {
  readonly functions: readonly TsDeclaration[];
  /** What of the runtime they use: `file.name`. */
  readonly references: ReadonlySet<string>;
}
