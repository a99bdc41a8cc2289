// Monomorphisation: one copy of a known function for each list of type arguments that it is used at.

import type { Span } from "../syntax/source.js";
import { builtInArity } from "../types/built-in.js";
import type { Binding, Expr, Pattern } from "../types/typed.js";
import { uncurry } from "../core/build.js";
import { spineOf } from "./nesting.js";
import { printType } from "../core/print-type.js";
import type { Bindings, Variable } from "./scope.js";
import type { Whereabouts } from "./origin.js";
import type { Session } from "./session.js";
import type { Fn } from "../core/term.js";
import type { Type } from "../core/type.js";
import type { ScopeNames } from "./scope-names.js";

/** What the names around an expression stand for. */
export interface Scope extends Whereabouts {
  /** The type variables of the instance. */
  readonly types: ReadonlyMap<string, Type>;
  readonly variables: Bindings<Variable>;
  readonly functions: Bindings<KnownFunction>;
  /** Names for the variables of this definition. */
  readonly names: ScopeNames;
}

/** A definition or local function of the typed tree. */
export interface KnownFunction {
  readonly binding: Binding;
  readonly callable: Callable;
  /** Where it is defined, with itself in scope if it is recursive. */
  readonly scope: () => Scope;
  readonly instances: Instances;
  readonly local: boolean;
}

/** A function's parameters: those it is written with, and `extra` ones that its body is applied to. */
export interface Callable {
  readonly params: readonly Pattern[];
  readonly extra: number;
  readonly body: Expr;
}

export interface Instance {
  readonly name: string;
  readonly known: KnownFunction;
  readonly types: ReadonlyMap<string, Type>;
}

/** How many arguments a known function takes at once; 0 for a constant. */
export function arity({ params, extra }: Callable): number {
  return params.length + extra;
}

/**
 * How a binding is called. A constant that is a function is eta-expanded where that repeats no work: `def f = \x y. t` and
 * `def twice = compose g g` become functions of two and of one parameter. `paramsOf` tells how many parameters a definition is written with.
 */
export function callableOf({ params, body, result }: Binding, paramsOf: (name: string) => number): Callable {
  if (params.length > 0 || result.kind !== "fn") return { params, extra: 0, body };
  if (body.kind === "lambda") return { params: body.params, extra: 0, body: body.body };
  return { params, extra: isCheap(body, paramsOf) ? Math.max(1, missingArguments(body, paramsOf)) : 0, body };
}

/** Whether evaluating a function again costs next to nothing: a name, a lambda, or an application of a name to such. */
export function isCheap(expr: Expr, paramsOf: (name: string) => number): boolean {
  const { head, args } = spineOf(expr);
  return (
    isName(head) &&
    args.every(
      (arg) => isName(arg) || arg.kind === "lambda" || (missingArguments(arg, paramsOf) > 0 && isCheap(arg, paramsOf)),
    )
  );
}

function isName({ kind }: Expr): boolean {
  switch (kind) {
    case "variable":
    case "reference":
    case "constructor":
    case "projection":
    case "primitive":
    case "builtIn":
    case "number":
    case "boolean":
      return true;
    default:
      return false;
  }
}

/** How many arguments a partial application lacks; not above 0 for any other expression. */
function missingArguments(expr: Expr, paramsOf: (name: string) => number): number {
  const { head, args } = spineOf(expr);
  switch (head.kind) {
    case "reference":
      return paramsOf(head.name) - args.length;
    case "constructor":
      return head.arity - args.length;
    case "projection":
      return 1 - args.length;
    case "builtIn":
      return builtInArity(head.name) - args.length;
    case "primitive":
      return uncurry(head.type, Infinity).params.length - args.length;
    default:
      return 0;
  }
}

/** The instances of one group of bindings, or of all definitions: made as they are asked for. */
export class Instances {
  readonly #byKey = new Map<string, Instance>();
  readonly #named = new Set<string>();
  readonly #waiting: Instance[] = [];
  readonly #session: Session;
  /** The name of a binding's first instance. */
  readonly #firstName: (name: string) => string;

  constructor(session: Session, firstName: (name: string) => string) {
    this.#session = session;
    this.#firstName = firstName;
  }

  /** The instance at `typeArgs`, the first one under the binding's own name. */
  request(known: KnownFunction, typeArgs: readonly Type[], span: Span): Instance {
    const { name } = known.binding;
    const key = JSON.stringify([name, ...typeArgs.map(printType)]);
    const found = this.#byKey.get(key);
    if (found !== undefined) return found;
    const isFirst = !this.#named.has(name);
    const suffix = typeArgs.map(typeSuffix).join("_");
    const instance: Instance = {
      name: isFirst
        ? this.#firstName(name)
        : this.#session.names.fresh(`${name}_${suffix.length > 30 ? "at" : suffix}`),
      known,
      types: typeArgumentsOf(known.binding, typeArgs),
    };
    this.#named.add(name);
    this.#byKey.set(key, instance);
    if (isFirst || this.#session.spendInstance(name, span)) this.#waiting.push(instance);
    return instance;
  }

  /** Makes all instances that were asked for, and those that these ask for in turn. */
  drain(make: (instance: Instance) => Fn): readonly { readonly instance: Instance; readonly fn: Fn }[] {
    const made: { instance: Instance; fn: Fn }[] = [];
    for (let instance = this.#waiting.shift(); instance !== undefined; instance = this.#waiting.shift()) {
      made.push({ instance, fn: make(instance) });
    }
    return made;
  }
}

/** The arguments by the names of the type parameters. */
export function typeArgumentsOf({ typeParams }: Binding, typeArgs: readonly Type[]): ReadonlyMap<string, Type> {
  return new Map(typeArgs.map((type, index) => [typeParams[index]?.name ?? "", type]));
}

/** A type as part of an identifier: `R`, `ListR`, `RxZ`, `RtoR`. */
function typeSuffix(type: Type): string {
  switch (type.kind) {
    case "real":
      return "R";
    case "int":
      return "Z";
    case "bool":
      return "Bool";
    case "tuple":
      return type.items.length === 0 ? "Unit" : type.items.map(typeSuffix).join("x");
    case "array":
      return `Array${typeSuffix(type.element)}`;
    case "fn":
      return `${typeSuffix(type.from)}to${typeSuffix(type.to)}`;
    case "data":
      return type.name === "+"
        ? type.args.map(typeSuffix).join("or")
        : `${type.name}${type.args.map(typeSuffix).join("")}`;
    case "typeVar":
      return type.name;
  }
}
