// Changes of a model that its author would take for harmless: the same function, written another way. Each is a change of text, at a place that the surface tree names.

import { partsOf } from "../../src/syntax/edit.js";
import { parseModule } from "../../src/syntax/parse.js";
import type { Span } from "../../src/syntax/source.js";
import type { DefItem, Expr, Item, Pattern } from "../../src/syntax/tree.js";
import { patternNames } from "../../src/types/pattern-names.js";

export interface Rewriting {
  /** What is done. */
  readonly change: string;
  /** To what: an excerpt of the model. */
  readonly at: string;
  readonly text: string;
  /** Whether it is done around one expression, whatever that is. */
  readonly isLocal: boolean;
}

/** An expression, and what is in scope there beside definitions. */
interface Site {
  readonly expr: Expr;
  readonly locals: ReadonlySet<string>;
  /** Local functions among them. */
  readonly functions: ReadonlySet<string>;
  readonly item: DefItem;
}

/** All rewritings of a model by one change at one place, or everywhere where that says so. */
export function rewritingsOf(text: string): readonly Rewriting[] {
  const { items } = parseModule({ name: "model.lam", text }).value;
  const sites = items.flatMap(sitesIn);
  return [
    ...reordered(text, items),
    ...sites.flatMap((site) => [...around(text, site), ...equivalents(text, site)]),
    ...items.flatMap((item) => withoutAnnotations(text, item)),
  ];
}

/** The model with a comment in front of each expression. */
export function withComments(text: string): string {
  const starts = parseModule({ name: "model.lam", text }).value.items.flatMap(sitesIn).map(({ expr }) => expr.span.start); // prettier-ignore
  const sorted = [...new Set(starts)].sort((a, b) => b - a);
  return `-- first\n${sorted.reduce((all, at) => `${all.slice(0, at)}{- here -} ${all.slice(at)}`, text)}\n-- last\n`;
}

function sitesIn(item: Item): readonly Site[] {
  if (item.kind !== "def") return [];
  const sites: Site[] = [];
  const visit = (expr: Expr, outer: ReadonlySet<string>, functions: ReadonlySet<string>): void => {
    sites.push({ expr, locals: outer, functions, item });
    const named = expr.kind === "letFunction" ? expr.bindings.map(({ name }) => name.name) : [];
    const bound = patternNames(boundBy(expr)).map(({ name }) => name);
    const isBody = (part: Expr): boolean => expr.kind === "letFunction" && part === expr.body;
    for (const part of partsOf(expr)) {
      visit(part, new Set([...outer, ...named, ...(isBody(part) ? [] : bound)]), new Set([...functions, ...named]));
    }
  };
  visit(item.binding.body, new Set(patternNames(item.binding.params).map(({ name }) => name)), new Set());
  return sites;
}

function boundBy(expr: Expr): readonly Pattern[] {
  if (expr.kind === "lambda") return expr.params;
  if (expr.kind === "let") return [expr.pattern];
  if (expr.kind === "letFunction") return expr.bindings.flatMap(({ params }) => params);
  return expr.kind === "case" ? expr.branches.map(({ pattern }) => pattern) : [];
}

/** The variables that an expression mentions, but for those that are known in it alone. */
function mentioned(expr: Expr): readonly string[] {
  const own = expr.kind === "variable" ? [expr.name.name] : [];
  const bound = new Set(patternNames(boundBy(expr)).map(({ name }) => name));
  return [...new Set([...own, ...partsOf(expr).flatMap(mentioned)])].filter((name) => !bound.has(name));
}

const at = (text: string, { start, end }: Span): string => text.slice(start, end);

function replaced(text: string, { start, end }: Span, by: string): string {
  return `${text.slice(0, start)}(${by})${text.slice(end)}`;
}

const plain: ReadonlySet<Expr["kind"]> = new Set(["variable", "constructor", "real", "number", "boolean", "operator", "lambda"]); // prettier-ignore

/** Whether an expression is a function that is being applied, which stands for no value of its own. */
function isApplied(site: Site): boolean {
  const search = (expr: Expr): boolean =>
    (expr.kind === "apply" && expr.fn === site.expr) || partsOf(expr).some((part) => search(part));
  return search(site.item.binding.body);
}

/** A `let` or a function for an expression. */
function around(text: string, site: Site): readonly Rewriting[] {
  const { expr, locals, functions } = site;
  if (plain.has(expr.kind) || isApplied(site)) return [];
  const own = at(text, expr.span);
  const free = mentioned(expr).filter((name) => locals.has(name));
  const changed = (change: string, by: string): Rewriting => ({
    change,
    at: own,
    text: replaced(text, expr.span, by),
    isLocal: true,
  });
  const given = free.length === 0 ? "()" : free.join(" ");
  const helper = (body: string, params: string): string => `${text}\ndef helper ${params} = ${body}\n`;
  const isHelper = !free.some((name) => functions.has(name));
  const call = changed("a definition for an expression", `helper ${given}`);
  return [
    changed("a let around an expression", `let named = ${own} in named`),
    changed("a local function for an expression", `let helper ${given} = ${own} in helper ${given}`),
    changed("a lambda for an expression", `(\\${given}. ${own}) ${given}`),
    changed("a tuple around an expression", `fst (${own}, ())`),
    ...(isHelper ? [{ ...call, text: replaced(helper(own, given), expr.span, `helper ${given}`) }] : []),
  ];
}

/** The arguments of a function of the prelude, or of one that the model has. */
function argumentsOf(expr: Expr, name: string): readonly Expr[] {
  const args: Expr[] = [];
  let head = expr;
  for (; head.kind === "apply"; head = head.fn) args.unshift(head.arg);
  return head.kind === "variable" && head.name.name === name ? args : [];
}

/** Other ways to write what an expression says. */
function equivalents(text: string, { expr, locals }: Site): readonly Rewriting[] {
  const found: Rewriting[] = [];
  const source = (part: Expr): string => `(${at(text, part.span)})`;
  const changed = (change: string, by: string, more = ""): void => {
    found.push({ change, at: at(text, expr.span), text: replaced(text, expr.span, by) + more, isLocal: false });
  };
  const box = "\ndata Box a = Box { inside : a }\n";
  const [f, start, last] = argumentsOf(expr, "foldl");
  if (f !== undefined && start !== undefined && last !== undefined) {
    const [step, from, xs] = [source(f), source(start), source(last)];
    changed("a record around a state", `(foldl (\\state item. Box { inside = ${step} state.inside item }) (Box { inside = ${from} }) ${xs}).inside`, box); // prettier-ignore
    changed(
      "a tuple around a state",
      `fst (foldl (\\(state, none) item. (${step} state item, none)) (${from}, ()) ${xs})`,
    );
    if (locals.has("flags"))
      changed(
        "a step inside a choice",
        `foldl (\\state (item, flag). if flag then ${step} state item else state) ${from} (zip ${xs} flags)`,
      );
    if (locals.has("size"))
      changed(
        "a step inside a choice by a number",
        `foldl (\\state item. if size > 0 then ${step} state item else state) ${from} ${xs}`,
      );
    changed(
      "steps that name their arguments",
      `foldl (\\state item. let next = ${step} state item in next) ${from} ${xs}`,
    );
  }
  const [times, g, begin] = argumentsOf(expr, "iterate");
  if (times !== undefined && g !== undefined && begin !== undefined) {
    changed(
      "a fold for an iteration",
      `foldl (\\state _. ${source(g)} state) ${source(begin)} (range 1 ${source(times)})`,
    );
    changed("a record around a state", `(iterate ${source(times)} (\\state. Box { inside = ${source(g)} state.inside }) (Box { inside = ${source(begin)} })).inside`, box); // prettier-ignore
    if (locals.has("size")) changed("a step inside a choice by a number", `iterate ${source(times)} (\\state. if size > 0 then ${source(g)} state else state) ${source(begin)}`); // prettier-ignore
  }
  const [combine, left, right] = argumentsOf(expr, "zipWith");
  if (combine !== undefined && left !== undefined && right !== undefined)
    changed(
      "a map of pairs",
      `map (\\(one, other). ${source(combine)} one other) (zip ${source(left)} ${source(right)})`,
    );
  const [each, over] = argumentsOf(expr, "map");
  if (each !== undefined && over !== undefined) {
    changed("a map by index", `mapi (\\_ item. ${source(each)} item) ${source(over)}`);
    changed(
      "a build for a map",
      `let items = ${source(over)} in build (length items) (\\i. ${source(each)} (items ! i))`,
    );
  }
  const [summed] = argumentsOf(expr, "sum");
  if (summed !== undefined) changed("a fold for a sum", `foldl (+) 0 ${source(summed)}`);
  const [one, other] = argumentsOf(expr, "dot");
  if (one !== undefined && other !== undefined)
    changed("a sum of products", `sum (zipWith (*) ${source(one)} ${source(other)})`);
  if (expr.kind === "let" && expr.body.kind === "let") found.push(...swapped(text, expr, expr.body));
  return found;
}

type Let = Extract<Expr, { kind: "let" }>;

/** Two definitions that do not need each other, the other way around. */
function swapped(text: string, outer: Let, inner: Let): readonly Rewriting[] {
  const [first, second] = [outer, inner].map(({ pattern }) => patternNames([pattern]).map(({ name }) => name));
  const needed = [...mentioned(inner.bound), ...(second ?? [])];
  if (first?.some((name) => needed.includes(name)) === true) return [];
  if (second?.some((name) => mentioned(outer.bound).includes(name)) === true) return [];
  const binding = ({ pattern, bound }: Let): string => `let ${at(text, pattern.span)} = ${at(text, bound.span)} in`;
  const by = `${binding(inner)} ${binding(outer)} ${at(text, inner.body.span)}`;
  return [
    {
      change: "two lets swapped",
      at: at(text, outer.pattern.span),
      text: replaced(text, outer.span, by),
      isLocal: false,
    },
  ];
}

/** The definitions the other way around. */
function reordered(text: string, items: readonly Item[]): readonly Rewriting[] {
  if (items.length < 2) return [];
  const reverse = [...items].reverse().map(({ span }) => at(text, span));
  return [{ change: "definitions in another order", at: "all", text: reverse.join("\n\n"), isLocal: false }];
}

/** A definition that does not say the types of its parameters. */
function withoutAnnotations(text: string, item: Item): readonly Rewriting[] {
  if (item.kind !== "def" || item.binding.name.name === "loss") return [];
  const params = item.binding.params.flatMap((param) => (param.kind === "ascribed" ? [param] : []));
  const bare = [...params].reverse().reduce((all, { span, pattern }) => replaced(all, span, at(text, pattern.span)), text); // prettier-ignore
  return bare === text ? [] : [{ change: "no annotations", at: item.binding.name.name, text: bare, isLocal: false }];
}
