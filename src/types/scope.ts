// Which binder each variable means. Walks with a list of what is still to do and no recursion, since programs nest deeply.

import { builtInNames, isBuiltInName, type BuiltInName } from "./built-in.js";
import { isOverloadedName, type OverloadedName, overloadedNames } from "../core/primitives.js";
import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import type { TypeMistake } from "./mistakes.js";
import { type FieldsOf, meantFields, patternNames } from "./pattern-names.js";
import { suggest } from "./suggest.js";
import { type Ty, type Variable, holeTy } from "./ty.js";

/** A variable bound by a pattern: of one type. */
export interface LocalSymbol {
  readonly kind: "local";
  readonly name: string;
  type: Ty;
}

/** A definition or a local function: of a type that may be polymorphic in `variables`. */
export interface FunctionSymbol {
  readonly kind: "function";
  readonly name: string;
  /** In the typed tree: differs from `name` where the file shadows a definition of the prelude. */
  readonly unique: string;
  /** Null for local functions. */
  readonly definition: Definition | null;
  readonly nameSpan: Span;
  type: Ty;
  variables: readonly Variable[];
  /** Its group is being inferred: uses are at one type. */
  open: boolean;
}

/** A top-level definition. */
export interface Definition {
  readonly item: Tree.DefItem;
  readonly file: Tree.Module;
}

export type Use =
  | LocalSymbol
  | FunctionSymbol
  | { readonly kind: "primitive"; readonly name: OverloadedName }
  | { readonly kind: "projection"; readonly index: 0 | 1 }
  | { readonly kind: "builtIn"; readonly name: BuiltInName };

/** What the names of a file mean. */
export interface Scope {
  /** For each variable; none for one that is not bound. */
  readonly uses: ReadonlyMap<Tree.Expr, Use>;
  /** For each name in a pattern, and each name of a local function. */
  readonly locals: ReadonlyMap<Tree.Ident, LocalSymbol>;
  readonly functions: ReadonlyMap<Tree.Ident, FunctionSymbol>;
  /** The definitions that each definition mentions. */
  readonly references: ReadonlyMap<FunctionSymbol, ReadonlySet<FunctionSymbol>>;
  /** The names behind dots that functions in scope have, too. */
  readonly fieldsLikeFunctions: ReadonlySet<Tree.Ident>;
  /** The uses of functions that hide one of the prelude. */
  readonly hiding: ReadonlySet<Tree.Expr>;
  /** What is wrong with the names of each definition. */
  readonly inDefinition: ReadonlyMap<FunctionSymbol, readonly TypeMistake[]>;
}

export type TopLevel = ReadonlyMap<string, FunctionSymbol>;

/** What a file sees from outside of its definitions. */
export interface VisibleNames {
  /** The nearest first. */
  readonly topLevels: readonly TopLevel[];
  readonly fieldsOf: FieldsOf;
  /** What the imported files define and no import names, with the path of the file. */
  readonly notImported: ReadonlyMap<string, string>;
}

export function isLambda(expr: Tree.Expr): expr is Extract<Tree.Expr, { kind: "lambda" }> {
  return expr.kind === "lambda";
}

/** The functions that a local binding binds: those of `let f x = ..`, and of `let f = \x. ..`; null for a `let` of a value. */
export function localFunctions(
  expr: Extract<Tree.Expr, { kind: "let" | "letFunction" }>,
): readonly Tree.FunctionBinding[] | null {
  if (expr.kind === "letFunction") return expr.bindings;
  if (expr.pattern.kind !== "variable" || !isLambda(expr.bound)) return null;
  const { name } = expr.pattern;
  const { params, body } = expr.bound;
  return [
    { name, params, result: null, body, span: { ...expr.span, start: name.span.start, end: expr.bound.span.end } },
  ];
}

type Step =
  | { readonly kind: "visit"; readonly expr: Tree.Expr; readonly isApplied: boolean }
  /** `meant` are names that the pattern seems to bind, next to those that it does. */
  | { readonly kind: "bindPatterns"; readonly names: readonly Tree.Ident[]; readonly meant: readonly Tree.Ident[] }
  /** What stands between the two are bodies that do not know the functions. */
  | { readonly kind: "beginBodies"; readonly bindings: readonly Tree.FunctionBinding[] }
  | { readonly kind: "bindFunctions"; readonly bindings: readonly Tree.FunctionBinding[] }
  | { readonly kind: "unbind"; readonly names: readonly Tree.Ident[] };

class Resolver {
  readonly uses = new Map<Tree.Expr, Use>();
  readonly locals = new Map<Tree.Ident, LocalSymbol>();
  readonly functions = new Map<Tree.Ident, FunctionSymbol>();
  readonly references = new Map<FunctionSymbol, Set<FunctionSymbol>>();
  readonly fieldsLikeFunctions = new Set<Tree.Ident>();
  readonly hiding = new Set<Tree.Expr>();
  readonly inDefinition = new Map<FunctionSymbol, readonly TypeMistake[]>();
  readonly #bound = new Map<string, (LocalSymbol | FunctionSymbol)[]>();
  readonly #todo: Step[] = [];
  #mentioned = new Set<FunctionSymbol>();
  #unbound = new Set<string>();
  #fieldsOf: FieldsOf = () => [];
  #notImported: ReadonlyMap<string, string> = new Map();
  /** Where the definition has bound names, so far. */
  readonly #binders = new Map<string, Span>();
  /** The names of local functions whose bodies do not know them, and are being resolved. */
  readonly #unknownInside = new Set<Tree.Ident>();

  constructor(readonly mistakes: TypeMistake[]) {}

  resolve(
    symbol: FunctionSymbol,
    item: Tree.DefItem,
    { topLevels, fieldsOf, notImported }: VisibleNames,
  ): ReadonlySet<FunctionSymbol> {
    this.#fieldsOf = fieldsOf;
    this.#notImported = notImported;
    this.#mentioned = new Set();
    this.#unbound = new Set();
    this.#binders.clear();
    this.references.set(symbol, this.#mentioned);
    const before = this.mistakes.length;
    this.#function(item.binding);
    for (let step = this.#todo.pop(); step !== undefined; step = this.#todo.pop()) this.#take(step, topLevels);
    this.inDefinition.set(symbol, this.mistakes.slice(before));
    return this.#mentioned;
  }

  #take(step: Step, topLevels: readonly TopLevel[]): void {
    switch (step.kind) {
      case "visit":
        this.#visit(step.expr, step.isApplied, topLevels);
        return;
      case "bindPatterns":
        this.#bindPatterns(step.names, step.meant);
        return;
      case "beginBodies":
        for (const { name } of step.bindings) this.#unknownInside.add(name);
        return;
      case "bindFunctions":
        this.#bindFunctions(step.bindings);
        return;
      case "unbind":
        for (const { name } of step.names) this.#bound.get(name)?.pop();
    }
  }

  /** Does `steps` next, the first of them first. */
  #next(steps: readonly Step[]): void {
    for (let i = steps.length - 1; i >= 0; i -= 1) {
      const step = steps[i];
      if (step !== undefined) this.#todo.push(step);
    }
  }

  #inside(patterns: readonly Tree.Pattern[], body: Tree.Expr): readonly Step[] {
    const names = patternNames(patterns);
    const meant = meantFields(patterns, this.#fieldsOf);
    return [
      { kind: "bindPatterns", names, meant },
      { kind: "visit", expr: body, isApplied: false },
      { kind: "unbind", names: [...names, ...meant] },
    ];
  }

  #function(binding: Tree.FunctionBinding): void {
    this.#next(this.#inside(binding.params, binding.body));
  }

  #visit(expr: Tree.Expr, isApplied: boolean, topLevels: readonly TopLevel[]): void {
    const visit = (part: Tree.Expr): Step => ({ kind: "visit", expr: part, isApplied: false });
    switch (expr.kind) {
      case "variable":
        this.#variable(expr, isApplied, topLevels);
        return;
      case "tuple":
      case "parallel":
      case "array":
        this.#next(expr.items.map(visit));
        return;
      case "lambda":
        this.#next(this.#inside(expr.params, expr.body));
        return;
      case "apply":
        this.#next([{ kind: "visit", expr: expr.fn, isApplied: true }, visit(expr.arg)]);
        return;
      case "let":
      case "letFunction":
        this.#binding(expr);
        return;
      case "if":
        this.#next([visit(expr.cond), visit(expr.then), visit(expr.else)]);
        return;
      case "case":
        this.#next([visit(expr.scrutinee), ...expr.branches.flatMap((b) => this.#inside([b.pattern], b.body))]);
        return;
      case "ascribed":
      case "negate":
        this.#next([visit(expr.expr)]);
        return;
      case "binary":
        this.#next([visit(expr.left), visit(expr.right)]);
        return;
      case "index":
        this.#next([visit(expr.array), visit(expr.index)]);
        return;
      case "field":
        if (isFunction(this.#named(expr.name.name, topLevels))) this.fieldsLikeFunctions.add(expr.name);
        this.#next([visit(expr.record)]);
        return;
      case "record":
        this.#next(expr.fields.map(({ value }) => visit(value)));
        return;
      case "update":
        this.#next([visit(expr.record), ...expr.fields.map(({ value }) => visit(value))]);
        return;
      case "constructor":
      case "real":
      case "number":
      case "boolean":
      case "operator":
    }
  }

  #binding(expr: Extract<Tree.Expr, { kind: "let" | "letFunction" }>): void {
    const bindings = localFunctions(expr);
    if (bindings === null) {
      if (expr.kind === "let") {
        this.#next([{ kind: "visit", expr: expr.bound, isApplied: false }, ...this.#inside([expr.pattern], expr.body)]);
      }
      return;
    }
    const bodies = bindings.flatMap((binding) => this.#inside(binding.params, binding.body));
    const bind: Step = { kind: "bindFunctions", bindings };
    const recursive = expr.kind === "letFunction" && expr.recursive;
    this.#next([
      ...(recursive ? [bind, ...bodies] : [{ kind: "beginBodies", bindings } as const, ...bodies, bind]),
      { kind: "visit", expr: expr.body, isApplied: false },
      { kind: "unbind", names: bindings.map((binding) => binding.name) },
    ]);
  }

  #bindPatterns(names: readonly Tree.Ident[], meant: readonly Tree.Ident[]): void {
    this.#distinct(names, "variable of a pattern");
    for (const { name } of meant) this.#bind({ kind: "local", name, type: holeTy });
    for (const ident of names) {
      const { name, span } = ident;
      const symbol: LocalSymbol = { kind: "local", name, type: holeTy };
      this.locals.set(ident, symbol);
      this.#binders.set(name, span);
      this.#bind(symbol);
    }
  }

  #bindFunctions(bindings: readonly Tree.FunctionBinding[]): void {
    this.#distinct(
      bindings.map(({ name }) => name),
      "local function",
    );
    for (const { name } of bindings) {
      const symbol = functionSymbol(name, name.name, null);
      this.#unknownInside.delete(name);
      this.functions.set(name, symbol);
      this.#binders.set(name.name, name.span);
      this.#bind(symbol);
    }
  }

  #bind(symbol: LocalSymbol | FunctionSymbol): void {
    const stack = this.#bound.get(symbol.name);
    if (stack === undefined) this.#bound.set(symbol.name, [symbol]);
    else stack.push(symbol);
  }

  #distinct(names: readonly Tree.Ident[], what: "variable of a pattern" | "local function"): void {
    if (names.length < 2) return;
    const first = new Map<string, Span>();
    for (const { name, span } of names) {
      const earlier = first.get(name);
      if (earlier === undefined) first.set(name, span);
      else this.mistakes.push({ kind: "duplicate", what, name, span, first: earlier });
    }
  }

  #variable(expr: Extract<Tree.Expr, { kind: "variable" }>, isApplied: boolean, topLevels: readonly TopLevel[]): void {
    const { name, span } = expr.name;
    const use = (expr.label === undefined ? undefined : failing.get(name)) ?? this.#named(name, topLevels);
    if (use !== null) {
      this.uses.set(expr, use);
      const hidden = topLevels.at(-1)?.get(name);
      if (hidden !== undefined && hidden !== use) this.hiding.add(expr);
      if (use.kind === "function" && use.definition !== null) this.#mentioned.add(use);
      return;
    }
    if (this.#unbound.has(name)) return;
    this.#unbound.add(name);
    const itself = [...this.#unknownInside].findLast((ident) => ident.name === name);
    const bound = itself?.span ?? this.#binders.get(name);
    if (bound !== undefined) {
      this.mistakes.push({ kind: "outOfScope", name, span, bound, lacksRec: itself !== undefined });
      return;
    }
    const suggestions = suggest(name, this.#namesInScope(topLevels));
    const path = this.#notImported.get(name);
    const clue = path === undefined ? null : ({ kind: "import", path } as const);
    this.mistakes.push({
      kind: "unbound",
      what: "variable",
      name,
      span,
      suggestions,
      elsewhere: null,
      isApplied,
      clue,
    });
  }

  #named(name: string, topLevels: readonly TopLevel[]): Use | null {
    return this.#bound.get(name)?.at(-1) ?? globalNamed(name, topLevels);
  }

  *#namesInScope(topLevels: readonly TopLevel[]): Iterable<string> {
    for (const [name, stack] of this.#bound) if (stack.length > 0) yield name;
    for (const topLevel of topLevels)
      for (const [name, symbol] of topLevel) if (isAdvice(symbol, topLevels)) yield name;
    for (const name of overloadedNames) if (/^[a-z]/.test(name)) yield name;
    yield* ["fst", "snd", ...builtInNames.filter((name) => name !== "index" && !name.includes(" "))];
  }
}

/** Neither what an import names that is not there, nor what the prelude has for its own use, without documentation. */
function isAdvice({ definition, name }: FunctionSymbol, topLevels: readonly TopLevel[]): boolean {
  if (definition === null) return false;
  return definition.item.doc !== "" || topLevels.at(-1)?.get(name)?.definition !== definition;
}

/** Whether a name is seen to mean a function: a definition without parameters, and a variable of a pattern, may be a number. */
function isFunction(use: Use | null): boolean {
  if (use?.kind !== "function") return use !== null && use.kind !== "local";
  const binding = use.definition?.item.binding;
  return binding === undefined || binding.params.length > 0 || isLambda(binding.body);
}

/** What `fail "text"` is. */
const failing = new Map<string, Use>([
  ["fail", { kind: "builtIn", name: "fail text" }],
  ["failAt", { kind: "builtIn", name: "failAt text" }],
]);

function globalNamed(name: string, topLevels: readonly TopLevel[]): Use | null {
  for (const topLevel of topLevels) {
    const symbol = topLevel.get(name);
    if (symbol !== undefined) return symbol;
  }
  if (name === "fst") return { kind: "projection", index: 0 };
  if (name === "snd") return { kind: "projection", index: 1 };
  if (name !== "index" && isBuiltInName(name)) return { kind: "builtIn", name };
  if (name === "!") return { kind: "builtIn", name: "index" };
  return isOverloadedName(name) ? { kind: "primitive", name } : null;
}

export function functionSymbol(name: Tree.Ident, unique: string, definition: Definition | null): FunctionSymbol {
  return {
    kind: "function",
    name: name.name,
    unique,
    definition,
    nameSpan: name.span,
    type: holeTy,
    variables: [],
    open: false,
  };
}

/** Resolves some definitions alone, as they stand in `items`. */
export function resolveAgain(
  items: ReadonlyMap<FunctionSymbol, Tree.DefItem>,
  visible: (file: Tree.Module) => VisibleNames,
): Scope {
  const resolver = new Resolver([]);
  for (const [symbol, item] of items)
    if (symbol.definition !== null) resolver.resolve(symbol, item, visible(symbol.definition.file));
  return resolver;
}

/**
 * Resolves the definitions of the files, and those of the prelude that they reach. `visible` gives the names that a file sees.
 */
export function resolveNames(
  definitions: readonly FunctionSymbol[],
  visible: (file: Tree.Module) => VisibleNames,
  mistakes: TypeMistake[],
): Scope {
  const resolver = new Resolver(mistakes);
  const todo = [...definitions].reverse();
  const seen = new Set(todo);
  for (let symbol = todo.pop(); symbol !== undefined; symbol = todo.pop()) {
    if (symbol.definition === null) continue;
    const { item, file } = symbol.definition;
    for (const mentioned of resolver.resolve(symbol, item, visible(file))) {
      if (seen.has(mentioned)) continue;
      seen.add(mentioned);
      todo.push(mentioned);
    }
  }
  return resolver;
}
