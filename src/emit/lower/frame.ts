// What is known while the body of one TypeScript function is being written.

import { InternalError } from "../../internal-error.js";
import type { Names } from "../../core/names.js";
import type { Stage } from "../../stages/stage.js";
import type { Fn, Param, Term } from "../../target-calculus/term.js";
import type { Type } from "../../target-calculus/type.js";
import type { Convention, Lambda } from "./convention.js";
import type { DeepCalls } from "./deep-normal.js";
import type { Facts } from "./facts.js";
import type { Layouts } from "../layouts.js";
import type { Refer } from "./lower-operators.js";
import type { TypeLowering } from "./lower-types.js";
import type { Scope } from "../../typescript/naming.js";
import type { OccurrenceTable } from "./occurrences.js";
import { binary, callOf, id, number } from "../../typescript/build.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import type { Typing } from "./typing.js";

/** A definition or local function, and how it is called. */
export interface KnownFunction {
  readonly fn: Fn;
  readonly name: string;
  /** Its version for when the JavaScript stack is used up. */
  readonly deepName: string | null;
  readonly takesDepth: boolean;
  /** A constant that is a `const` of the module. */
  readonly isValue: boolean;
}

/** The program around the definitions. */
export interface ModuleContext {
  readonly stage: Stage;
  readonly counted: boolean;
  readonly convention: Convention;
  readonly types: TypeLowering;
  readonly layouts: Layouts;
  readonly refer: Refer;
  /** The parameter that says how deep the stack is. */
  readonly depthName: string;
  readonly functions: ReadonlyMap<string, KnownFunction>;
}

/** One definition, in one of its versions. */
export interface DefinitionContext {
  readonly module: ModuleContext;
  readonly typing: Typing;
  readonly occurrences: OccurrenceTable;
  /** What stands for each variable in scope. */
  readonly variables: Map<string, TsExpr>;
  readonly localFunctions: Map<string, KnownFunction>;
  readonly facts: Facts;
  /** Names that the definition does not bind. */
  readonly names: Names;
}

/** How a function tells those that it calls how deep the stack is. */
export type Depth =
  /** Not called by anything that recurses: the stack is still shallow. */
  | { readonly kind: "start" }
  /** By its own depth and the size of its frame. */
  | { readonly kind: "add"; readonly name: string; readonly words: number }
  /** As `add`, where it does not recurse itself but may have been called from the deep version. */
  | { readonly kind: "addFinite"; readonly name: string; readonly words: number }
  /** The stack is used up: calls in the same cycle are made by the trampoline. */
  | DeepDepth;

/** What the deep version of a function is written with. */
export interface DeepDepth {
  readonly kind: "deep";
  readonly cycle: number;
  readonly calls: DeepCalls;
  /** All that the function binds, and what stands for the variables around it. */
  readonly own: readonly string[];
  readonly outer: ReadonlyMap<string, TsExpr>;
  /** The type of the values that it returns. */
  readonly result: Type;
  /** Its name, the scope that it stands in, and the functions that go on where it leaves off. */
  readonly name: string;
  readonly around: Scope;
  readonly resumptions: TsFunction[];
  /** Whether this is one of these: the trampoline calls it, so that its own tail calls can be calls. */
  readonly isResumption: boolean;
}

/** One TypeScript function. */
export interface Frame {
  readonly scope: Scope;
  readonly depth: Depth;
  /** The function whose tail calls start the loop's next iteration; its parameters' names. */
  readonly self: { readonly fn: string; readonly params: readonly string[] } | null;
  /** Functions around this one. */
  readonly level: number;
}

/** Where the value of a term goes. */
export type Destination =
  | { readonly kind: "return" }
  /** A new constant. */
  | { readonly kind: "declare"; readonly name: string; readonly term: Term; readonly examined: boolean }
  /** A variable declared before. */
  | { readonly kind: "assign"; readonly name: string; readonly term: Term; readonly examined: boolean }
  /** An item of an array that is being filled. */
  | { readonly kind: "store"; readonly array: string; readonly index: string }
  /** What a loop carries on, a variable declared before it, and an item of an array that it fills: the parts of a pair. */
  | { readonly kind: "carry"; readonly name: string; readonly array: string; readonly index: string }
  /** Nowhere: the term is evaluated for its effect. */
  | { readonly kind: "discard" };

/** `let x = s in t`. */
export type Binding = Term & { readonly kind: "let" };

/** A function that goes on with a value that the trampoline gives it, and the variables that are saved for it, in this order. */
export interface Resumption {
  readonly name: string;
  readonly saved: readonly string[];
}

/** A computation that has not begun, by its name. */
export interface Task {
  readonly name: string;
  readonly params: readonly Param[];
  readonly body: Term;
  /** Whether it is a function of the program, whose calls count. */
  readonly isLambda: boolean;
}

/** How a lambda and local functions are written: what the terms of a body need from the functions around them. */
export interface FunctionLowering {
  lambda(lambda: Lambda, context: DefinitionContext, frame: Frame): TsExpr;
  /** What is evaluated where it is called, without being a function of the program. */
  thunk(body: Term, context: DefinitionContext, frame: Frame): TsExpr;
  /** A computation of a stage of tasks as a generator function. */
  generator(task: Task, context: DefinitionContext, frame: Frame): TsFunction;
  resumption(binding: Binding, context: DefinitionContext, depth: DeepDepth, level: number): Resumption;
  locals(functions: readonly Fn[], context: DefinitionContext, frame: Frame): readonly TsStmt[];
}

/** What writes the body of one TypeScript function, for what is written elsewhere. */
export interface BodyWriter {
  readonly context: DefinitionContext;
  readonly frame: Frame;
  block(term: Term, destination: Destination): readonly TsStmt[];
  expression(term: Term, out: TsStmt[], hint: string): TsExpr;
  /** Several terms, evaluated first to last. */
  expressions(terms: readonly Term[], hints: readonly string[], out: TsStmt[]): readonly TsExpr[];
  /** A value by a name: `value` is that of `term`. */
  named(value: TsExpr, hint: string, term: Term, out: TsStmt[]): TsExpr;
}

/** The function that a call names. */
export function resolve(name: string, context: DefinitionContext): KnownFunction {
  const known = context.localFunctions.get(name) ?? context.module.functions.get(name);
  if (known === undefined) throw new InternalError("emit", `there is no function ${name}`);
  return known;
}

/** The depth that a function hands on to one that takes it and is not of its own cycle. */
export function depthArgument(depth: Depth, refer: Refer): TsExpr {
  switch (depth.kind) {
    case "start":
      return number(0);
    case "add":
      return binary("+", id(depth.name), number(depth.words));
    case "addFinite":
      return binary("+", callOf(refer("deep.finiteDepth"), id(depth.name)), number(depth.words));
    case "deep":
      return refer("deep.deepDepth");
  }
}

/** The call of a known function with lowered arguments. */
export function callKnown(known: KnownFunction, args: readonly TsExpr[], depth: Depth, context: ModuleContext): TsExpr {
  if (known.isValue) return id(known.name);
  if (depth.kind === "deep" && known.deepName !== null && context.convention.cycleOf(known.fn) === depth.cycle) {
    return callOf(id(known.deepName), ...args);
  }
  return callOf(id(known.name), ...args, ...(known.takesDepth ? [depthArgument(depth, context.refer)] : []));
}
