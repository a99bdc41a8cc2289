// Target terms and programs in the notation of SV25 Figs. 5 to 10 (papers' text form: `\_(z : _R).` is a linear lambda). Where the monad is
// ID generation it is written out as state passing, as the figures do: a term of type `M T` is printed as it reads when given an ID.

import { builders } from "prettier/doc";
import type { Doc } from "prettier";
import { commas, dataDoc, fit, letHead, loopDoc, place, render, sharedDoc } from "../core/layout.js";
import type { Layout, Place } from "../core/layout.js";
import { Names } from "../core/names.js";
import { primitive } from "../core/primitives.js";
import { printTargetType } from "./print-type.js";
import type { Abbreviation, TypeNotation } from "./print-type.js";
import { ascii, respelt, type Spelling } from "./spelling.js";
import type { Marked } from "./marked.js";
import { Marks } from "./marks.js";
import { eachSubterm } from "./traverse.js";
import type { Fn, Program, TargetCalculus, Term } from "./term.js";
import type { Type } from "./type.js";

const { group, hardline, indent, join, line } = builders;

/** What a target program is printed with. */
export interface Notation extends TypeNotation {
  /** How zero and plus are written at a type; null for `0` and `+`. */
  readonly monoid: (type: Type) => { readonly zero: string; readonly plus: string } | null;
}

export const plainNotation: Notation = { spelling: ascii, monad: "named", dual: null, monoid: () => null };

/** A term, without a line break at the end. */
export function printTerm(term: Term, notation: Notation): string {
  return render(new Printer(notation, namesIn({ params: [], body: term })).term(term, place.any));
}

/** Data types, definitions and wrappers, with blank lines between. */
export function printTargetProgram(program: Program, notation: Notation): string {
  const parts = printTargetParts(program, notation);
  return parts.length === 0 ? "" : `${parts.map(({ text }) => text).join("\n\n")}\n`;
}

/** What is printed of a program: a definition, a wrapper, or a type; without a line break at the end. */
export interface PrintedPart {
  readonly kind: "dual" | "data" | "definition" | "wrapper";
  readonly name: string;
  readonly text: string;
  /** The functions that it calls. */
  readonly calls: readonly string[];
  /** Where the terms stand whose place in the model is known, the outer before the inner; empty where nobody asks for it. */
  readonly marks: readonly Marked[];
}

/** The same, part by part; with marks where `isMarked`. */
export function printTargetParts(program: Program, notation: Notation, isMarked = false): readonly PrintedPart[] {
  const marks = isMarked ? new Marks() : null;
  return partsOf(program, notation, marks).map((part) => ({ ...part, marks: [], ...marks?.read(part.text) }));
}

function partsOf(program: Program, notation: Notation, marks: Marks | null): readonly Omit<PrintedPart, "marks">[] {
  const printer = new Printer(notation, new Set());
  const dual = notation.dual === null ? [] : [{ name: notation.dual.name, text: printDual(notation.dual, notation) }];
  return [
    ...dual.map((part) => ({ kind: "dual" as const, ...part, calls: [] })),
    ...program.data.map((decl) => ({
      kind: "data" as const,
      name: decl.name,
      text: render(dataDoc(decl, (type) => printer.type(type))),
      calls: [],
    })),
    ...program.definitions.map((fn) => ({
      kind: "definition" as const,
      name: fn.name,
      text: render(new Printer(notation, namesIn(fn), marks).fn(fn)),
      calls: calledBy(fn),
    })),
    ...program.wrappers.map(({ entry, fn }) => ({
      kind: "wrapper" as const,
      name: `Wrap[${entry.name}]`,
      text: render(new Printer(notation, namesIn(fn), marks).wrapper({ ...fn, name: `Wrap[${entry.name}]` })),
      calls: calledBy(fn),
    })),
  ];
}

/** `D2[R] = (R, (Z, _R -o Staged c))`. */
function printDual({ name, type }: Abbreviation, notation: Notation): string {
  return `${respelt(name, notation.spelling)} = ${printTargetType(type, { ...notation, dual: null })}`;
}

class Printer {
  readonly #notation: Notation;
  readonly #marks: Marks | null;
  readonly #names: Names;
  readonly #layout: Layout<TargetCalculus>;
  /** What IDs are printed as: the state that they were drawn from, or the next of its names. */
  readonly #renamed = new Map<string, string>();

  constructor(notation: Notation, taken: ReadonlySet<string>, marks: Marks | null = null) {
    this.#notation = notation;
    this.#marks = marks;
    this.#names = new Names(taken);
    this.#layout = { term: (term, at) => this.term(term, at), type: (type) => this.type(type), width: () => null };
  }

  get #spelling(): Spelling {
    return this.#notation.spelling;
  }

  type(type: Type): string {
    return printTargetType(type, this.#notation);
  }

  /** `f(x : T, ..) : T = body`; `\i.` in front of the body of a computation in state-passing notation. */
  fn({ name, params, result, body }: Fn): Doc {
    const list = params.length === 0 ? "" : commas(params.map((param) => `${param.name} : ${this.type(param.type)}`));
    return [name, list, ` : ${this.type(result)} =`, indent([hardline, this.#body(body, result)])];
  }

  /** The same for a wrapper, which runs the computation from ID 0 and keeps its result: `Wrap[f] : S -> (T, _T -o S)`. */
  wrapper(fn: Fn): Doc {
    const { result } = fn;
    if (result.kind !== "computation" || !this.#passesState(result)) return this.fn(fn);
    const list = commas(fn.params.map((param) => `${param.name} : ${this.type(param.type)}`));
    const head = [fn.name, fn.params.length === 0 ? "" : list, ` : ${this.type(result.result)} =`];
    return [...head, indent([hardline, this.#at(fn.body, "0", false)])];
  }

  /** The body of a function with the given result type. */
  #body(body: Term, result: Type): Doc {
    if (!this.#passesState(result)) return this.term(body, place.any);
    const state = this.#names.fresh("i");
    return [`${this.#spelling.lambda}${state}.`, indent([hardline, this.#at(body, state)])];
  }

  #passesState(type: Type): boolean {
    return type.kind === "computation" && this.#notation.monad === "state";
  }

  term(start: Term, at: Place): Doc {
    const lines: Doc[] = [];
    let term = start;
    for (;;) {
      const head = this.#head(term);
      if (head === null || !("body" in term)) break;
      lines.push(head, hardline);
      term = term.body;
    }
    const last = this.#simple(term, lines.length === 0 ? at : place.any);
    return lines.length === 0 ? last : fit(place.any, at, [...lines, last]);
  }

  #marked(term: Term, doc: Doc): Doc {
    return this.#marks?.marked(term, doc) ?? doc;
  }

  /** What stands before the body of a binding; null for other terms. */
  #head(term: Term): Doc | null {
    const head = this.#unmarkedHead(term);
    return head === null ? null : this.#marked(term, head);
  }

  #unmarkedHead(term: Term): Doc | null {
    switch (term.kind) {
      case "let":
        return letHead(term.name, term.type, term.bound, this.#layout);
      case "letTuple":
        return this.#letTuple(`(${term.names.join(", ")})`, this.term(term.bound, place.any));
      case "letRec": {
        const functions = term.functions.map((fn, index) => [index === 0 ? "let rec " : "and ", this.fn(fn)]);
        return [join(hardline, functions), " in"];
      }
      case "bind":
        return group([
          `do ${term.name} : ${this.type(term.type)} <-`,
          indent([line, this.term(term.bound, place.any)]),
          ";",
        ]);
      default:
        return null;
    }
  }

  #letTuple(pattern: string, bound: Doc): Doc {
    return group([`let ${pattern} =`, indent([line, bound]), line, "in"]);
  }

  #simple(term: Term, at: Place): Doc {
    return this.#marked(term, this.#unmarkedSimple(term, at));
  }

  #unmarkedSimple(term: Term, at: Place): Doc {
    const open = (part: Term): Doc => this.term(part, place.any);
    const argument = (part: Term): Doc => this.term(part, place.argument);
    switch (term.kind) {
      case "var":
        return this.#renamed.get(term.name) ?? term.name;
      case "lam":
        return fit(
          place.any,
          at,
          group([
            `${this.#spelling.lambda}(${term.param} : ${this.type(term.type)}).`,
            indent([line, this.#lambdaBody(term.body)]),
          ]),
        );
      case "linLam":
        return fit(
          place.any,
          at,
          group([
            `${this.#spelling.linearLambda}(${term.param} : ${this.type(term.type)}).`,
            indent([line, open(term.body)]),
          ]),
        );
      case "partial": {
        const { notation } = primitive(term.op);
        const name = /^\w+$/.test(notation) ? notation : `(${notation})`;
        const parts = [
          `${this.#spelling.partial(term.index + 1)}${name}`,
          commas(term.args.map(open)),
          "(",
          open(term.cotangent),
          ")",
        ];
        return fit(place.application, at, group(parts));
      }
      case "zero":
        return respelt(this.#notation.monoid(term.type)?.zero ?? "0", this.#spelling);
      case "plus": {
        const plus = this.#notation.monoid(term.type)?.plus ?? "+";
        const [left, right] = [this.term(term.left, place.sum), this.term(term.right, place.product)];
        return fit(place.sum, at, group([left, ` ${plus}`, line, right]));
      }
      case "build":
      case "sum":
      case "scan":
        return loopDoc(term, at, (part) => argument(part), this.#lambdaBody(term.body), this.#spelling.lambda);
      case "return":
        return fit(place.application, at, ["return ", argument(term.value)]);
      case "ext":
        return term.args.length === 0 ? term.name : [term.name, commas(term.args.map(open))];
      case "impossible":
        return "impossible";
      case "letTuple":
      case "bind":
        return this.term(term, at);
      default:
        return sharedDoc(term, at, this.#layout);
    }
  }

  /** A lambda's body; in state-passing notation a monadic one takes an ID. */
  #lambdaBody(body: Term): Doc {
    if (this.#notation.monad !== "state" || !isMonadic(body)) return this.term(body, place.any);
    const state = this.#names.fresh("i");
    return [`${this.#spelling.lambda}${state}.`, indent([line, this.#at(body, state)])];
  }

  /** A computation given an ID: `t i`, a pair of its result and the next ID; `keeps` false: its result alone. */
  #at(start: Term, from: string, keeps = true): Doc {
    const lines: Doc[] = [];
    let [term, state] = [start, from];
    for (;;) {
      if (term.kind === "bind") {
        const next = this.#bindAt(term, state, keeps);
        lines.push(this.#marked(term, [...next.lines]));
        [term, state] = [term.body, next.state];
      } else {
        const head = this.#head(term);
        if (head === null || !("body" in term)) break;
        lines.push(head, hardline);
        term = term.body;
      }
    }
    return [...lines, this.#lastAt(term, state, keeps)];
  }

  #bindAt(
    term: Term & { readonly kind: "bind" },
    state: string,
    keeps: boolean,
  ): { readonly lines: readonly Doc[]; readonly state: string } {
    const { name, type, bound } = term;
    if (bound.kind === "ext" && bound.name === "startIDs") return { lines: [], state: "0" };
    if (drawsID(bound)) {
      const isName = /^\w+$/.test(state) && !/^\d/.test(state);
      const shown = isName ? state : this.#names.fresh("i");
      this.#renamed.set(name, shown);
      const next = bound.name === "genID" ? `${shown} + 1` : shown;
      if (isName) return { lines: [], state: next };
      return { lines: [`let ${shown} = ${state} in`, hardline], state: next };
    }
    if (!keeps && isPure(term.body)) {
      const run = group(["fst (", this.#at(bound, state), ")"]);
      return {
        lines: [group([`let ${name} : ${this.type(type)} =`, indent([line, run]), line, "in"]), hardline],
        state,
      };
    }
    const next = this.#names.fresh("i");
    const head = this.#letTuple(`(${name} : ${this.type(type)}, ${next})`, this.#at(bound, state));
    return { lines: [head, hardline], state: next };
  }

  #lastAt(term: Term, state: string, keeps: boolean): Doc {
    return this.#marked(term, this.#unmarkedLastAt(term, state, keeps));
  }

  #unmarkedLastAt(term: Term, state: string, keeps: boolean): Doc {
    switch (term.kind) {
      case "return":
        return keeps ? commas([this.term(term.value, place.any), state]) : this.term(term.value, place.any);
      case "if": {
        const branch = (body: Term): Doc => indent([line, this.#at(body, state, keeps)]);
        const parts = [
          "if ",
          this.term(term.cond, place.any),
          line,
          "then",
          branch(term.then),
          line,
          "else",
          branch(term.else),
        ];
        return group(parts);
      }
      case "case": {
        const branches = term.branches.map(({ con, vars, body }) =>
          group([[con, ...vars].join(" "), " ->", indent([line, this.#at(body, state, keeps)])]),
        );
        const scrutinee = this.term(term.scrutinee, place.any);
        return group(["case ", scrutinee, " of {", indent([line, join([";", line], branches)]), line, "}"]);
      }
      case "impossible":
        return "impossible";
      default: {
        const argument = state.includes(" ") ? `(${state})` : state;
        const applied = [this.#simple(term, place.application), " ", argument];
        return keeps ? applied : ["fst (", applied, ")"];
      }
    }
  }
}

/** Whether a computation draws an ID, or asks for the next one. */
function drawsID(term: Term): term is Term & { readonly kind: "ext" } {
  return term.kind === "ext" && (term.name === "genID" || term.name === "countIDs");
}

/** Whether a computation is over but for bindings and its result. */
function isPure(start: Term): boolean {
  let term = start;
  while (term.kind === "let" || term.kind === "letTuple") term = term.body;
  return term.kind === "return";
}

/** Whether a term is a computation, as far as its form shows it: enough for the bodies of lambdas that stages make. */
function isMonadic(term: Term): boolean {
  switch (term.kind) {
    case "return":
    case "bind":
      return true;
    case "let":
    case "letTuple":
    case "letRec":
      return isMonadic(term.body);
    case "if":
      return isMonadic(term.then) || isMonadic(term.else);
    case "case":
      return term.branches.some(({ body }) => isMonadic(body));
    case "build":
    case "scan":
      return isMonadic(term.body);
    case "ext":
      return term.name === "genID" || term.name === "countIDs";
    default:
      return false;
  }
}

/** The functions that a function calls, once each. */
function calledBy({ body }: Fn): readonly string[] {
  const names = new Set<string>();
  const waiting = [body];
  for (let term = waiting.pop(); term !== undefined; term = waiting.pop()) {
    if (term.kind === "call") names.add(term.fn);
    eachSubterm(term, (part) => waiting.push(part));
  }
  return [...names];
}

/** The names of variables that a function binds, but for IDs, which have other names when they are printed; and of functions. */
function namesIn({ params, body }: Pick<Fn, "params" | "body">): ReadonlySet<string> {
  const names = new Set(params.map(({ name }) => name));
  const waiting = [body];
  for (let term = waiting.pop(); term !== undefined; term = waiting.pop()) {
    if (term.kind === "let" || (term.kind === "bind" && !drawsID(term.bound))) names.add(term.name);
    if (term.kind === "letTuple") for (const name of term.names) names.add(name);
    if (term.kind === "call") names.add(term.fn);
    if (term.kind === "letRec") {
      for (const fn of term.functions) for (const { name } of [fn, ...fn.params]) names.add(name);
    }
    if (term.kind === "case") for (const { vars } of term.branches) for (const name of vars) names.add(name);
    if (term.kind === "lam" || term.kind === "linLam") names.add(term.param);
    if (term.kind === "build" || term.kind === "sum" || term.kind === "scan") names.add(term.index);
    if (term.kind === "scan") names.add(term.carried);
    eachSubterm(term, (part) => waiting.push(part));
  }
  return names;
}
