// Expressions that stand alone, beside a model or the lines of a session: their values, types and gradients.

import { printType } from "../core/print-type.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { InternalError } from "../internal-error.js";
import type { Load } from "../syntax/loaded-file.js";
import { parseModule } from "../syntax/parse.js";
import type { SourceFile, Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import { typeOf } from "../types/binding-type.js";
import type * as Typed from "../types/typed.js";
import { answer, failure, type Answer } from "./answer.js";
import type { ExternModules } from "./externs.js";
import { grad, type GradResult } from "./grad.js";
import { textOf } from "./load-options.js";
import { Passes } from "./passes.js";
import { typeCheck } from "./pipeline.js";
import { run } from "./run.js";
import { shownValues } from "./shown-values.js";

/** A value and its type. */
export interface Evaluated {
  readonly type: string;
  /** As emitted modules have it; undefined for a function, which has no such form. */
  readonly value: unknown;
  /** What `debug` shows of it, as lines. */
  readonly shown: readonly string[];
}

/** The definition of an expression, typed, in its program. */
interface TypedProgram {
  readonly name: string;
  readonly source: SourceFile;
  readonly binding: Typed.Binding;
  readonly module: Typed.Module;
}

/** A definition, data type or alias of a session, as it was typed, or a name that it has from a file. */
interface Item {
  readonly text: string;
  readonly name: string;
}

/** What has been defined so far, and expressions that use it. */
export class Session {
  readonly #name: string;
  readonly #load: Load;
  /** What is of the files that functions are from: `program` names them. */
  externs: ExternModules | null = null;
  #loaded: { readonly path: string; readonly names: readonly string[] } | null = null;
  #items: readonly Item[] = [];
  /** What diagnostics may point into, by name. */
  readonly #texts = new Map<string, string>();

  /** `name`: what diagnostics call the session; imports are relative to it. */
  constructor(name: string, load: Load) {
    this.#name = name;
    this.#load = load;
  }

  /** Everything that a model defines can be used from now on. */
  loadModel(source: SourceFile): Answer<null> {
    const checked = typeCheck(source, new Passes(null), this.#load);
    if (!checked.ok) return checked;
    this.#loaded = { path: source.name, names: checked.value.tree.items.flatMap((item) => nameOf(item) ?? []) };
    return answer(null, checked.diagnostics);
  }

  /** Adds definitions; they take the place of others with their names. Gives what was defined, with types. */
  define(text: string): Answer<readonly string[]> {
    const source = this.#source(`${text}\n`);
    const { value: tree } = parseModule(source);
    const items = tree.items.map((item) => ({
      text: text.slice(item.span.start, item.span.end),
      name: nameOf(item) ?? text.slice(item.span.start, item.span.end),
    }));
    const names = new Set(items.map(({ name }) => name));
    const kept = this.#items.filter(({ name }) => !names.has(name));
    const checked = typeCheck(this.#source(`${text}\n\n${this.#itemsText(kept, names)}`), new Passes(null), this.#load);
    if (!checked.ok) return checked;
    this.#items = [...kept, ...items];
    const bindings = checked.value.typed.groups.flatMap((group) => group.bindings);
    const told = items.map(({ name }) => {
      const binding = bindings.find((each) => each.own && each.sourceName === name);
      return binding === undefined ? name : `${name} : ${printType(typeOf(binding))}`;
    });
    return answer(told, checked.diagnostics);
  }

  /** The value of an expression. */
  evaluate(expression: string): Answer<Evaluated> {
    const typed = this.#typed(expression);
    if (!typed.ok) return typed;
    const { name, source, binding } = typed.value;
    const type = typeOf(binding);
    if (type.kind === "fn") return answer({ type: printType(type), value: undefined, shown: [] }, typed.diagnostics);
    const shown = shownValues(source, name, {}, { load: this.#load, externs: this.externs });
    const value = run(source, name, {}, { load: this.#load, externs: this.externs });
    return value.ok
      ? answer({ type: printType(type), value: value.value, shown: shown.ok ? shown.value : [] }, value.diagnostics)
      : value;
  }

  /** The type of an expression. */
  typeOf(expression: string): Answer<string> {
    const typed = this.#typed(expression);
    return typed.ok ? answer(printType(typeOf(typed.value.binding)), typed.diagnostics) : typed;
  }

  /** Value and gradient of an application, `loss w x`, in all arguments: each is called what the function calls it. */
  gradient(expression: string): Answer<GradResult["document"]> {
    const typed = this.#typed(expression);
    if (!typed.ok) return typed;
    const { name, source, binding, module } = typed.value;
    const { fn, args } = applicationOf(binding.body);
    if (args.length === 0) return failure(noApplication(binding.body.span));
    const inParentheses = ({ start, end }: Span): string => `(${source.text.slice(start, end)})`;
    const names = parameterNames(fn, args.length, module);
    const parts = args.map(({ span, type }, i) => ({
      param: names[i] ?? "",
      type: printType(type),
      text: inParentheses(span),
      value: freeName(`argument${i + 1}`, source.text),
    }));
    const params = parts.map(({ param, type }) => `(${param} : ${type})`).join(" ");
    const program = this.#source(
      [
        `def ${name} ${params} = ${inParentheses(fn.span)} ${names.join(" ")}`,
        ...parts.map(({ value, type, text }) => `def ${value} : ${type} = ${text}`),
        this.#itemsText(),
      ].join("\n\n"),
      " gradient",
    );
    const options = { load: this.#load, externs: this.externs };
    const point: Record<string, unknown> = {};
    for (const { param, value } of parts) {
      const given = run(program, value, {}, options);
      if (!given.ok) return given;
      point[param] = given.value;
    }
    const result = grad(program, name, point, options);
    return result.ok ? answer(result.value.document, result.diagnostics) : result;
  }

  /** All that is defined, as a model. */
  get program(): SourceFile {
    return this.#source(this.#itemsText());
  }

  /** The text of a file that a diagnostic points into. */
  textOf(file: string): string | null {
    return this.#texts.get(file) ?? textOf({ name: "", text: "" }, this.#load)(file);
  }

  /** The expression is the definition of a name: diagnostics about it point into the first line. */
  #typed(expression: string): Answer<TypedProgram> {
    const items = this.#itemsText();
    const name = freeName("it", `${expression} ${items}`);
    const source = this.#source(`def ${name} = ${expression}\n\n${items}`);
    const checked = typeCheck(source, new Passes(null), this.#load);
    if (!checked.ok) return checked;
    const module = checked.value.typed;
    const bindings = module.groups.flatMap((group) => group.bindings);
    const binding = bindings.find((each) => each.own && each.sourceName === name);
    if (binding === undefined) throw new InternalError("expressions", `there is no ${name}`);
    return answer({ name, source, binding, module }, checked.diagnostics);
  }

  #source(text: string, kind = ""): SourceFile {
    const name = this.#name.replace(/>$/, `${kind}>`);
    this.#texts.set(name, text);
    return { name, text };
  }

  /** All that can be used, but for what is about to be defined again. */
  #itemsText(items = this.#items, without: ReadonlySet<string> = new Set()): string {
    const own = new Set([...items.map(({ name }) => name), ...without]);
    const names = this.#loaded?.names.filter((name) => !own.has(name)) ?? [];
    const imported = names.length === 0 ? [] : [`import ${JSON.stringify(this.#loaded?.path)} (${names.join(", ")})`];
    return [...imported, ...items.map(({ text }) => text)].join("\n\n");
  }
}

/** Whether text of a session defines something, and is no expression. */
export function isDefinition(text: string): boolean {
  return /^\s*(?:def|data|type|import|(?:extern|fused)\s+def|rule\s+(?:derivative|pullback))\b/.test(text);
}

/** Whether text of a session ends before what it begins does. */
export function isIncomplete(text: string): boolean {
  const source = { name: "", text: isDefinition(text) ? text : `def it = ${text}` };
  return parseModule(source).mistakes.some(
    (mistake) => mistake.kind === "unterminatedComment" || (mistake.kind === "unexpected" && mistake.found === "end"),
  );
}

/** What an item defines; null for an import. */
function nameOf(item: Tree.Item): string | null {
  if (item.kind === "import" || item.kind === "rule") return null;
  return item.kind === "def" ? item.binding.name.name : item.name.name;
}

/** A function and what it is applied to. */
function applicationOf(expr: Typed.Expr): { readonly fn: Typed.Expr; readonly args: readonly Typed.Expr[] } {
  const args: Typed.Expr[] = [];
  let fn = expr;
  while (fn.kind === "apply") {
    args.unshift(fn.arg);
    fn = fn.fn;
  }
  return { fn, args };
}

/** What a definition calls its parameters, or `x1`, `x2`, .. where that is no name or says nothing. */
function parameterNames(fn: Typed.Expr, count: number, { groups }: Typed.Module): readonly string[] {
  const called = fn.kind === "reference" ? fn.name : null;
  const binding = groups.flatMap(({ bindings }) => bindings).find(({ name }) => name === called);
  const own = binding?.params.map((param) => (param.kind === "variable" ? param.name : null)) ?? [];
  const names = Array.from({ length: count }, (_, i) => own[i] ?? `x${i + 1}`);
  const areClear = new Set(names).size === count && !names.includes(binding?.sourceName ?? "");
  return areClear ? names : names.map((_, i) => `x${i + 1}`);
}

function freeName(wish: string, text: string): string {
  const taken = new Set(text.match(/[\p{ID_Start}_][\p{ID_Continue}']*/gu));
  let name = wish;
  for (let i = 1; taken.has(name); i++) name = `${wish}${i}`;
  return name;
}

function noApplication(span: Span): Diagnostic {
  return {
    code: "E0605",
    severity: "error",
    title: "only a function that is applied has a gradient here",
    span,
    label: "is not applied to anything",
    related: [],
    notes: [],
    hint: "write the point behind the function, as in `loss [0, 1] 2`",
  };
}
