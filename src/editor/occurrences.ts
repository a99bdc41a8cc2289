// All names of a file, with what they mean: what hovers, definitions, references, new names and colours are made of. Walks with a list of what is still to do
// and no recursion, since programs nest deeply.

import type { Analysis } from "../driver/analyse.js";
import { resolveImport, isStandardPath } from "../syntax/paths.js";
import { standardName } from "../syntax/loaded-file.js";
import { partsOf } from "../syntax/edit.js";
import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import { isBuiltinType } from "../types/read-type.js";
import type { InferredProgram } from "../types/infer.js";
import type { FunctionSymbol, LocalSymbol, Use } from "../types/scope.js";
import type { ConstructorInfo, DataInfo } from "../types/ty.js";
import { definitionOf, holds, type Entity, type Occurrence } from "./entities.js";

const known = new WeakMap<Analysis, Map<Tree.Module, readonly Occurrence[]>>();

/** The names of a file of the analysis, in the order of the text. */
export function occurrencesIn(analysis: Analysis, file: Tree.Module = analysis.tree): readonly Occurrence[] {
  let files = known.get(analysis);
  if (files === undefined) known.set(analysis, (files = new Map<Tree.Module, readonly Occurrence[]>()));
  let found = files.get(file);
  if (found === undefined)
    files.set(file, (found = analysis.program === null ? [] : new Walk(analysis.program, file).all()));
  return found;
}

/** The name at a place in the file: that which begins there rather than that which ends there. */
export function occurrenceAt(analysis: Analysis, offset: number): Occurrence | null {
  const here = occurrencesIn(analysis).filter(({ span }) => holds(span, offset));
  return here.find(({ span }) => span.start === offset) ?? here[0] ?? null;
}

type Part =
  | { readonly kind: "expr"; readonly expr: Tree.Expr }
  | { readonly kind: "pattern"; readonly pattern: Tree.Pattern }
  | { readonly kind: "type"; readonly type: Tree.TypeExpr; readonly owner: Span | null };

class Walk {
  readonly #found: Occurrence[] = [];
  readonly #todo: Part[] = [];
  /** Where each local variable is bound. */
  readonly #bound: ReadonlyMap<LocalSymbol, Span>;
  readonly #types: ReadonlyMap<DataInfo, Tree.DataItem>;
  /** The first place of each type variable of the definition that is walked through. */
  #variables = new Map<string, Span>();

  constructor(
    readonly program: InferredProgram,
    readonly file: Tree.Module,
  ) {
    const { scope, declarations } = program;
    this.#bound = new Map([...scope.locals].map(([ident, symbol]) => [symbol, ident.span]));
    this.#types = new Map(
      [...declarations.values()].flatMap(({ ownData }) => ownData.map(({ info, item }) => [info, item] as const)),
    );
  }

  all(): readonly Occurrence[] {
    for (const item of this.file.items) {
      this.#variables = new Map();
      this.#item(item);
      for (let part = this.#todo.pop(); part !== undefined; part = this.#todo.pop()) this.#part(part);
    }
    const seen = new Set<string>();
    return this.#found
      .sort((one, other) => one.span.start - other.span.start || Number(other.isDefinition) - Number(one.isDefinition))
      .filter(({ span, entity }) => {
        const key = `${span.start} ${span.end} ${entity.kind}`;
        return span.file === this.file.span.file && span.end > span.start && !seen.has(key) && seen.add(key);
      });
  }

  #add(span: Span, entity: Entity | null, isDefinition = false, isShort = false): void {
    if (entity !== null) this.#found.push({ span, entity, isDefinition, isShort });
  }

  #item(item: Tree.Item): void {
    switch (item.kind) {
      case "import":
        this.#import(item);
        return;
      case "data":
        this.#add(item.name.span, { kind: "type", item }, true);
        for (const param of item.params) this.#typeVariable(param);
        for (const { name, fields, fieldNames } of item.constructors) {
          const info = this.#declarations?.ownData.find((each) => each.item === item)?.info;
          const constructor = info?.constructors.find((each) => each.span?.start === name.span.start);
          if (constructor !== undefined) {
            this.#add(name.span, { kind: "constructor", info: constructor }, true);
            for (const field of fieldNames ?? []) this.#field(field, constructor, true);
          }
          for (const type of fields) this.#type(type);
        }
        return;
      case "alias":
        this.#add(item.name.span, { kind: "type", item }, true);
        for (const param of item.params) this.#typeVariable(param);
        this.#type(item.type);
        return;
      case "def":
        this.#definition(item.binding.name);
        return;
      case "extern":
        this.#definition(item.name);
        for (const param of item.params) this.#pattern(param);
        this.#type(item.result);
        return;
      case "rule":
        this.#add(item.name.span, this.#functionNamed(item.name.name));
    }
  }

  get #declarations() {
    return this.program.declarations.get(this.file);
  }

  #functionNamed(name: string, file = this.file): Entity | null {
    const symbol = this.program.definitions.get(file)?.get(name);
    return symbol === undefined ? null : { kind: "function", symbol };
  }

  #import(item: Tree.ImportItem): void {
    const file = isStandardPath(item.path) ? standardName(item.path) : resolveImport(this.file.span.file, item.path);
    const target = this.program.files.importsOf(this.file).find((each) => each.item === item)?.file;
    this.#add(item.pathSpan, { kind: "file", file: target?.span.file ?? file });
    for (const { name, span } of item.names) {
      const declared = target?.items.find((each) => (each.kind === "data" || each.kind === "alias") && each.name.name === name); // prettier-ignore
      if (declared?.kind === "data" || declared?.kind === "alias") this.#add(span, { kind: "type", item: declared });
      else this.#add(span, this.#functionNamed(name, target));
    }
  }

  /** A definition, with its rule in it. */
  #definition(name: Tree.Ident): void {
    const symbol = this.program.definitions.get(this.file)?.get(name.name);
    if (symbol === undefined || symbol.nameSpan.start !== name.span.start) return;
    this.#add(name.span, { kind: "function", symbol }, true);
    if (symbol.definition !== null) this.#binding(symbol.definition.item.binding);
  }

  #binding({ params, result, body }: Tree.FunctionBinding): void {
    for (const param of params) this.#pattern(param);
    if (result !== null) this.#type(result);
    this.#expr(body);
  }

  #expr(expr: Tree.Expr): void {
    this.#todo.push({ kind: "expr", expr });
  }

  #pattern(pattern: Tree.Pattern): void {
    this.#todo.push({ kind: "pattern", pattern });
  }

  #type(type: Tree.TypeExpr): void {
    this.#todo.push({ kind: "type", type, owner: null });
  }

  #part(part: Part): void {
    switch (part.kind) {
      case "expr":
        this.#inExpr(part.expr);
        return;
      case "pattern":
        this.#inPattern(part.pattern);
        return;
      case "type":
        this.#inType(part.type);
    }
  }

  #inExpr(expr: Tree.Expr): void {
    const { scope, cx } = this.program;
    const constructor = cx.constructors.get(expr);
    switch (expr.kind) {
      case "variable":
        if (expr.name.name !== "extern def") this.#add(expr.name.span, this.#meaning(scope.uses.get(expr)));
        break;
      case "constructor":
        if (constructor !== undefined) this.#add(expr.name.span, { kind: "constructor", info: constructor });
        break;
      case "field":
        if (constructor !== undefined) this.#field(expr.name, constructor);
        break;
      case "record":
      case "update":
        if (constructor !== undefined) {
          if (expr.kind === "record") this.#add(expr.name.span, { kind: "constructor", info: constructor });
          for (const { name } of expr.fields) this.#field(name, constructor);
        }
        break;
      case "lambda":
        for (const param of expr.params) this.#pattern(param);
        break;
      case "let": {
        // `let f = \x. ..` binds a function
        const symbol = expr.pattern.kind === "variable" ? scope.functions.get(expr.pattern.name) : undefined;
        if (symbol === undefined) this.#pattern(expr.pattern);
        else this.#add(symbol.nameSpan, { kind: "function", symbol }, true);
        break;
      }
      case "letFunction":
        for (const { name, params, result } of expr.bindings) {
          this.#add(name.span, this.#localFunction(scope.functions.get(name)), true);
          for (const param of params) this.#pattern(param);
          if (result !== null) this.#type(result);
        }
        break;
      case "case":
        for (const { pattern } of expr.branches) this.#pattern(pattern);
        break;
      case "ascribed":
        this.#type(expr.type);
        break;
      default:
        break;
    }
    for (const each of partsOf(expr)) this.#expr(each);
  }

  #localFunction(symbol: FunctionSymbol | undefined): Entity | null {
    return symbol === undefined ? null : { kind: "function", symbol };
  }

  #meaning(use: Use | undefined): Entity | null {
    switch (use?.kind) {
      case undefined:
        return null;
      case "function":
        return { kind: "function", symbol: use };
      case "local": {
        const span = this.#bound.get(use);
        return span === undefined ? null : { kind: "local", symbol: use, span };
      }
      case "primitive":
      case "builtIn":
        return { kind: "builtIn", name: use.name, use };
      case "projection":
        return { kind: "builtIn", name: use.index === 0 ? "fst" : "snd", use };
    }
  }

  #inPattern(pattern: Tree.Pattern): void {
    const constructor = this.program.cx.constructors.get(pattern);
    switch (pattern.kind) {
      case "variable":
        this.#local(pattern.name, false);
        return;
      case "tuple":
        for (const item of pattern.items) this.#pattern(item);
        return;
      case "constructor":
        if (constructor !== undefined && !pattern.infix)
          this.#add(pattern.name.span, { kind: "constructor", info: constructor });
        for (const arg of pattern.args) this.#pattern(arg);
        return;
      case "record":
        if (constructor !== undefined) this.#add(pattern.name.span, { kind: "constructor", info: constructor });
        for (const { name, pattern: inner } of pattern.fields) {
          const isShort = inner.kind === "variable" && inner.name.span.start === name.span.start;
          if (constructor !== undefined) this.#field(name, constructor, false, isShort);
          if (isShort) this.#local(inner.name, true);
          else this.#pattern(inner);
        }
        return;
      case "ascribed":
        this.#pattern(pattern.pattern);
        this.#type(pattern.type);
        return;
      case "wildcard":
      case "integer":
      case "boolean":
    }
  }

  #local(name: Tree.Ident, isShort: boolean): void {
    const symbol = this.program.scope.locals.get(name);
    if (symbol !== undefined) this.#add(name.span, { kind: "local", symbol, span: name.span }, true, isShort);
  }

  #field({ name, span }: Tree.Ident, info: ConstructorInfo, isDefinition = false, isShort = false): void {
    const declared = info.fieldNames?.find((field) => field.name === name);
    if (declared !== undefined)
      this.#add(span, { kind: "field", info, name, span: declared.span }, isDefinition, isShort);
  }

  #typeVariable({ name, span }: Tree.Ident): void {
    const first = this.#variables.get(name);
    if (first === undefined) this.#variables.set(name, span);
    this.#add(span, { kind: "typeVariable", name, span: first ?? span }, first === undefined);
  }

  #inType(type: Tree.TypeExpr): void {
    switch (type.kind) {
      case "named":
        this.#add(type.name.span, this.#typeNamed(type.name.name));
        for (const arg of type.args) this.#type(arg);
        return;
      case "variable":
        this.#typeVariable(type.name);
        return;
      case "tuple":
        for (const item of [...type.items].reverse()) this.#type(item);
        return;
      case "function":
        this.#type(type.to);
        this.#type(type.from);
        return;
      case "sum":
        this.#type(type.right);
        this.#type(type.left);
        return;
      case "array":
        this.#type(type.element);
    }
  }

  #typeNamed(name: string): Entity | null {
    const data = this.#declarations?.data.get(name);
    if (data !== undefined) {
      const item = this.#types.get(data);
      return item === undefined ? null : { kind: "type", item };
    }
    const alias = this.#declarations?.aliases.get(name);
    if (alias !== undefined) {
      for (const { ownAliases } of this.program.declarations.values())
        for (const { info, item } of ownAliases) if (info === alias) return { kind: "type", item };
    }
    return isBuiltinType(name) ? { kind: "builtInType", name } : null;
  }
}

/** The names in the file that mean the same as one that is defined at a place. */
export function occurrencesOf(
  analysis: Analysis,
  key: string,
  keyOf: (entity: Entity) => string,
): readonly Occurrence[] {
  return occurrencesIn(analysis).filter(({ entity }) => definitionOf(entity) !== null && keyOf(entity) === key);
}
