// Terms in the notation of SV25, as documents for prettier's printer: what source and target calculus share.

import type { Doc } from "prettier";
import { builders, printer } from "prettier/doc";
import { primitive, type OpName } from "./primitives.js";
import type { FunctionF, TermF } from "./term.js";
import type { Calculus, DataDeclF } from "./type.js";

export type { Doc };

const { align, group, hardline, indent, join, line, softline } = builders;

/** How tightly the place of a term binds: what binds less needs parentheses there. */
export const place = {
  any: 0,
  parallel: 1,
  comparison: 2,
  sum: 3,
  product: 4,
  negation: 5,
  power: 6,
  indexed: 7,
  application: 8,
  argument: 9,
} as const;

export type Place = (typeof place)[keyof typeof place];

/** How a calculus lays out what this file does not know. */
export interface Layout<K extends Calculus> {
  readonly term: (term: K["term"], at: Place) => Doc;
  readonly type: (type: K["type"]) => string;
  /** The number of a tuple's components where it is known. */
  readonly width: (tuple: K["term"]) => number | null;
}

/** A document as text, at most 80 columns wide where that is possible. */
export function render(doc: Doc): string {
  return printer.printDocToString(doc, { printWidth: 80, tabWidth: 2, useTabs: false }).formatted;
}

/** A document in parentheses if its place binds tighter than it does. */
export function fit(own: Place, at: Place, doc: Doc): Doc {
  return at > own ? ["(", align(1, doc), ")"] : doc;
}

/** `(a, b, c)`. */
export function commas(docs: readonly Doc[]): Doc {
  return group(["(", indent([softline, join([",", line], [...docs])]), softline, ")"]);
}

/** What stands before the body of a `let`: `let x : T = s in`. */
export function letHead<K extends Calculus>(name: string, type: K["type"], bound: K["term"], layout: Layout<K>): Doc {
  const body = layout.term(bound, place.any);
  return group([`let ${name} : ${layout.type(type)} =`, indent([line, body]), line, "in"]);
}

/** What stands before the body of a `let rec`. */
export function letRecHead<K extends Calculus>(functions: readonly FunctionF<K>[], layout: Layout<K>): Doc {
  const all = functions.map((fn, index) => [index === 0 ? "let rec " : "and ", functionDoc(fn, layout)]);
  return [join(hardline, all), hardline, "in"];
}

/** `f(x : T, ..) : T = body`, the body on lines of its own. */
export function functionDoc<K extends Calculus>(fn: FunctionF<K>, layout: Layout<K>): Doc {
  const params = fn.params.map(({ name, type }) => `${name} : ${layout.type(type)}`);
  const head = [fn.name, params.length === 0 ? "" : commas(params), ` : ${layout.type(fn.result)} =`];
  return [...head, indent([hardline, layout.term(fn.body, place.any)])];
}

/** `data D a = C t.. | ..`. */
export function dataDoc<T>({ name, params, constructors }: DataDeclF<T>, type: (type: T) => string): Doc {
  const alternatives = constructors.map(({ name: con, fields, fieldNames }): Doc => {
    if (fieldNames === null) return [con, ...fields.map((field) => argumentText(type(field)))].join(" ");
    const named = fields.map((field, index) => `${fieldNames[index] ?? "_"} : ${type(field)}`);
    return group([`${con} {`, indent([line, join([",", line], named)]), line, "}"]);
  });
  const head = `data ${[name, ...params].join(" ")}`;
  return group([head, indent([line, "= ", join([line, "| "], alternatives)])]);
}

function argumentText(type: string): string {
  return type.includes(" ") && !isEnclosed(type) ? `(${type})` : type;
}

/** Whether a text is one parenthesised group. */
function isEnclosed(text: string): boolean {
  if (!text.startsWith("(")) return false;
  let depth = 0;
  for (let i = 0; i < text.length - 1; i += 1) {
    if (text[i] === "(") depth += 1;
    if (text[i] === ")") depth -= 1;
    if (depth === 0) return false;
  }
  return true;
}

/** A term of the shape that the calculi share. */
export function sharedDoc<K extends Calculus>(term: TermF<K>, at: Place, layout: Layout<K>): Doc {
  const open = (part: K["term"]): Doc => layout.term(part, place.any);
  switch (term.kind) {
    case "var":
      return term.name;
    case "real":
      return literal(realText(term.value), at);
    case "int":
      return literal(String(term.value), at);
    case "bool":
      return String(term.value);
    case "tuple":
      return commas(term.items.map(open));
    case "proj":
      return projection(term, at, layout);
    case "lam": {
      const head = `\\(${term.param} : ${layout.type(term.type)}).`;
      return fit(place.any, at, group([head, indent([line, open(term.body)])]));
    }
    case "app": {
      const fn = layout.term(term.fn, place.application);
      return fit(place.application, at, group([fn, indent([line, layout.term(term.arg, place.argument)])]));
    }
    case "call":
      return term.args.length === 0 ? term.fn : [term.fn, commas(term.args.map(open))];
    case "let":
      return fit(place.any, at, [letHead(term.name, term.type, term.bound, layout), hardline, open(term.body)]);
    case "letRec":
      return fit(place.any, at, [letRecHead(term.functions, layout), hardline, open(term.body)]);
    case "op":
      return operation(term.op, term.args, at, layout);
    case "con": {
      const args = term.args.map((arg) => layout.term(arg, place.argument));
      if (args.length === 0) return term.name;
      return fit(place.application, at, group([term.name, indent(args.map((arg) => [line, arg]))]));
    }
    case "case": {
      const branches = term.branches.map(({ con, vars, body }) =>
        group([[con, ...vars].join(" "), " ->", indent([line, open(body)])]),
      );
      const body = [indent([line, join([";", line], branches)]), line];
      return group(["case ", open(term.scrutinee), " of {", ...body, "}"]);
    }
    case "if": {
      const parts = [
        ["if ", indent(layout.term(term.cond, place.comparison))],
        ["then ", indent(open(term.then))],
        ["else ", indent(open(term.else))],
      ];
      return fit(place.any, at, group(join(line, parts)));
    }
    case "array":
      return group(["[", indent([softline, join([",", line], term.items.map(open))]), softline, "]"]);
    case "build":
    case "scan":
      return loopDoc(term, at, (part) => layout.term(part, place.argument), open(term.body));
    case "index": {
      const [array, index] = [layout.term(term.array, place.indexed), layout.term(term.index, place.application)];
      return fit(place.indexed, at, group([array, " !", indent([line, index])]));
    }
    case "length":
      return fit(place.application, at, ["length ", layout.term(term.array, place.argument)]);
    case "parallel": {
      const [first = "", ...rest] = term.items.map((item) => layout.term(item, place.comparison));
      return fit(place.parallel, at, group([first, indent(rest.map((item) => [line, "|*| ", item]))]));
    }
  }
}

type Loop<T> = { readonly size: T; readonly index: string } & (
  | { readonly kind: "build" | "sum"; readonly inParallel?: true }
  | { readonly kind: "scan"; readonly start: T; readonly carried: string }
);

/** `build n (\i. body)`; `parBuild` and `sum` likewise; `scan n s (\i x. body)`. */
export function loopDoc<T>(loop: Loop<T>, at: Place, term: (part: T) => Doc, body: Doc, sign = "\\"): Doc {
  const { kind, size, index } = loop;
  const [name, given, params] =
    kind === "scan"
      ? [kind, [term(size), " ", term(loop.start)], `${index} ${loop.carried}`]
      : [loop.inParallel === true ? "parBuild" : kind, term(size), index];
  const lambda = group(["(", align(1, [`${sign}${params}.`, indent([line, body])]), ")"]);
  return fit(place.application, at, group([`${name} `, given, indent([line, lambda])]));
}

/** `fst t` and `snd t` of a pair; `t.2` for other tuples, counted from 0 as in `TermF`. */
function projection<K extends Calculus>(
  { index, tuple }: TermF<K> & { readonly kind: "proj" },
  at: Place,
  layout: Layout<K>,
): Doc {
  const argument = layout.term(tuple, place.argument);
  if ((layout.width(tuple) ?? 2) > 2 || index > 1) return [argument, `.${index}`];
  return fit(place.application, at, [index === 0 ? "fst " : "snd ", argument]);
}

const infixPlaces: {
  readonly [notation: string]: { readonly own: Place; readonly left: Place; readonly right: Place };
} = {
  "==": { own: place.comparison, left: place.sum, right: place.sum },
  "/=": { own: place.comparison, left: place.sum, right: place.sum },
  "<": { own: place.comparison, left: place.sum, right: place.sum },
  "<=": { own: place.comparison, left: place.sum, right: place.sum },
  ">": { own: place.comparison, left: place.sum, right: place.sum },
  ">=": { own: place.comparison, left: place.sum, right: place.sum },
  "+": { own: place.sum, left: place.sum, right: place.product },
  "-": { own: place.sum, left: place.sum, right: place.product },
  "*": { own: place.product, left: place.product, right: place.negation },
  "/": { own: place.product, left: place.product, right: place.negation },
  "^": { own: place.power, left: place.indexed, right: place.power },
};

/** `s + t`, `-t`, or `op(t1, .., tn)`. */
export function operation<K extends Calculus>(
  op: OpName,
  args: readonly K["term"][],
  at: Place,
  layout: Layout<K>,
): Doc {
  const { notation } = primitive(op);
  const [left, right] = args;
  const places = infixPlaces[notation];
  if (places !== undefined && args.length === 2) {
    const operands = [layout.term(left, places.left), ` ${notation}`, line, layout.term(right, places.right)];
    return fit(places.own, at, group(operands));
  }
  if (notation === "-" && args.length === 1) return fit(place.negation, at, ["-", layout.term(left, place.power)]);
  return [notation, commas(args.map((arg) => layout.term(arg, place.any)))];
}

function literal(text: string, at: Place): Doc {
  return text.startsWith("-") ? fit(place.negation, at, text) : text;
}

/** A real number, never in the spelling of an integer. */
function realText(value: number): string {
  const text = Object.is(value, -0) ? "-0" : String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}
