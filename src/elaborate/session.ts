// What one elaboration shares: fresh names, data types, the budget, and the mistakes found so far.

import type { Location } from "../location.js";
import type { Span } from "../syntax/source.js";
import type { Binding } from "../types/typed.js";
import { checkingIn } from "./checking-files.js";
import type { Origin, Whereabouts } from "./origin.js";
import type { EntryMistake } from "./mistakes.js";
import { FunctionSearch } from "./function-search.js";
import type { Limits } from "./limits.js";
import type { Names } from "../core/names.js";
import { type OpName, primitive } from "../core/primitives.js";
import type { Derivative, Extern, Term, Site } from "../core/term.js";
import * as b from "../core/build.js";
import { mapTypeParts, typeParts, type DataTypes } from "../core/type-parts.js";
import type { Type } from "../core/type.js";

/** The limits that end in a mistake of the same name. */
type LimitMistake = Extract<EntryMistake, { readonly limit: number }>["kind"];

/** What a program is for: to be compiled, to be followed in a trace, where all operations have sites, or to show what `debug "text"` is given when it runs. */
export type CoreForm = "plain" | "traced" | "shown";

export class Session {
  readonly mistakes: EntryMistake[] = [];
  /** By definition, what its author calls its variables. */
  readonly given = new Map<string, ReadonlyMap<string, string>>();
  /** By name. */
  readonly derivatives = new Map<string, Derivative>();
  /** By name. */
  readonly externs = new Map<string, Extern>();
  /** The spans of what stands for a function of the caller's: it has no lines of the model, and its calls are from where they stand. */
  readonly unlocated = new Set<Span>();
  /** Whether there is a `debug "text"`. */
  usesDebug = false;
  /** For a trace: by the name of a variable what `debug` calls it, and where. */
  readonly labels = new Map<string, { readonly label: string; readonly site: Site | null }>();
  readonly #functions: FunctionSearch;
  readonly #sizes = new WeakMap<Type, number>();
  readonly #reported = new Set<string>();
  #expressions = 0;
  #instances = 0;

  constructor(
    readonly names: Names,
    readonly data: DataTypes,
    readonly limits: Limits,
    private readonly position: (span: Span) => string,
    private readonly prelude: string,
    readonly form: CoreForm,
    /** Whether terms are told where they are from. */
    private readonly isLocated: boolean,
  ) {
    this.#functions = new FunctionSearch(data);
  }

  /** Whether all operations have sites, and not only those that may fail. */
  get isTraced(): boolean {
    return this.form === "traced";
  }

  /** The site of an operation, whose name or operator stands at `head`; null where it cannot fail. */
  siteOf(op: OpName, scope: Whereabouts, span: Span, head: Span): Site | null {
    if (primitive(op).mayFail) return this.site(scope, span);
    return this.isTraced ? this.site(scope, head) : null;
  }

  /** The site of a term that may fail; null in what the prelude has made sure of. */
  site(whereabouts: Whereabouts, span: Span): Site | null {
    return whereabouts.origin.kind === "prelude" && !this.isTraced ? null : this.siteOfFailure(whereabouts, span);
  }

  /** The site of a term that fails, wherever it stands. */
  siteOfFailure({ definition, origin }: Whereabouts, span: Span): Site {
    return origin.kind === "expansion" ? origin.site : { definition, position: this.position(span), via: "" };
  }

  /** Where a term is from: what the prelude computes where it is expanded, from there. Nowhere in the rest of the prelude, and where nobody asks. */
  locationOf({ origin }: Whereabouts, span: Span, name: string | null = null): Location | undefined {
    if (!this.isLocated || this.unlocated.has(span)) return undefined;
    const isExpanded = span.file === this.prelude && origin.kind === "expansion";
    const { file, start, end } = isExpanded ? origin.span : span;
    if (file === this.prelude) return undefined;
    return { file, start, end, variable: name === null || isExpanded ? null : { name, file, start } };
  }

  /** The origin of a function's text that is expanded where it is used. */
  expansionOf({ sourceName }: Binding, scope: Whereabouts, span: Span): Origin {
    if (scope.origin.kind !== "file") return scope.origin;
    return {
      kind: "expansion",
      span,
      site: { definition: scope.definition, position: this.position(span), via: sourceName },
    };
  }

  /** Whether it is the prelude's `debug`. */
  isDebug(binding: Binding): boolean {
    return binding.sourceName === "debug" && this.isOfPrelude(binding);
  }

  isOfPrelude({ span }: Binding): boolean {
    return span.file === this.prelude;
  }

  /** Where a definition stands. One that checks for others of its file is, by itself, like one of the author's. */
  originOf(binding: Binding): Origin {
    const checking = checkingIn(binding.span.file);
    const isSure = checking !== null && !checking.has(binding.sourceName);
    return isSure || this.isOfPrelude(binding) ? { kind: "prelude" } : { kind: "file" };
  }

  /** What stands in for a term that a limit has cut off: the program is not used then. */
  get cutOff(): Term {
    return b.tuple();
  }

  /** Counts one expression; false where there have been too many. */
  spendExpression(definition: string, span: Span): boolean {
    this.#expressions += 1;
    return this.#expressions <= this.limits.expressions || this.exceed("tooMuchCode", definition, this.limits.expressions, span); // prettier-ignore
  }

  /** Counts one more instance of a definition that has one already; false where there have been too many. */
  spendInstance(definition: string, span: Span): boolean {
    this.#instances += 1;
    return this.#instances <= this.limits.instances || this.exceed("tooManyInstances", definition, this.limits.instances, span); // prettier-ignore
  }

  /** Notes a function in what a derivative is taken of, or gives. */
  mustBeFirstOrder({ kind, from, to, span }: Derivative, name: string, otherwise: Span): void {
    const parts = kind === "stop" ? [] : ([["argument", from], ["result", to]] as const); // prettier-ignore
    for (const [part, type] of parts) {
      const found = this.#functions.firstIn(
        kind === "functionRule" && part === "argument" ? withoutFunctions(type) : type,
      );
      if (found === null) continue;
      this.mistakes.push({ kind: "derivativeOfFunctions", name, part, type, path: found.path, function: found.type, span: span ?? otherwise }); // prettier-ignore
      return;
    }
  }

  /** The name of a derivative as a known function. */
  derivative(derivative: Derivative): string {
    const name = this.names.fresh(derivative.kind === "stop" ? "stopGradient" : derivative.kind);
    this.derivatives.set(name, derivative);
    return name;
  }

  /** The name of a function of the caller's as a known function. */
  extern(extern: Extern): string {
    for (const [name, { span }] of this.externs) if (span === extern.span) return name;
    const name = this.names.fresh(`${extern.name}Extern`);
    this.externs.set(name, extern);
    return name;
  }

  /** Notes that a limit was reached, once a limit. */
  exceed(kind: LimitMistake, name: string, limit: number, span: Span): false {
    if (!this.#reported.has(kind)) {
      this.#reported.add(kind);
      this.mistakes.push({ kind, name, limit, span });
    }
    return false;
  }

  /** A type at an instance. Variables that nothing determines become `()`: no value depends on them. */
  instantiate(type: Type, at: ReadonlyMap<string, Type>, definition: string, span: Span): Type {
    const fits = (candidate: Type): boolean => this.#size(candidate) <= this.limits.typeSize;
    const replace = (part: Type): Type =>
      part.kind === "typeVar" ? (at.get(part.name) ?? b.unit) : mapTypeParts(part, replace);
    if (fits(type)) {
      const instance = replace(type);
      if (instance === type || fits(instance)) return instance;
    }
    this.exceed("typeTooLarge", definition, this.limits.typeSize, span);
    return b.unit;
  }

  /** How many nodes a type has as a tree, though it may be shared in memory. */
  #size(type: Type): number {
    const known = this.#sizes.get(type);
    if (known !== undefined) return known;
    let size = 1;
    for (const part of typeParts(type)) size += this.#size(part);
    this.#sizes.set(type, size);
    return size;
  }
}

/** What the parameters of a rule are made of: of one that is a function itself, what that takes and gives. */
function withoutFunctions(type: Type): Type {
  const within = (part: Type): Type => {
    if (part.kind !== "fn") return part;
    const { params, result } = b.uncurry(part, Infinity);
    return b.tupleType(...params, result);
  };
  return type.kind === "tuple" ? b.tupleType(...type.items.map(within)) : within(type);
}
