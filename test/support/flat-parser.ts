// Flat programs from text, in the notation of `print.ts`: what tests of passes begin with.

import { scalarType } from "../../src/core/build.js";
import { opNames, primitive, type OpName } from "../../src/core/primitives.js";
import type { Site } from "../../src/core/term.js";
import type { DataDecl, Type } from "../../src/core/type.js";
import { arrayOf, atomOf, repOf } from "../../src/flat/build.js";
import { Leaves } from "../../src/flat/leaves.js";
import { printRep } from "../../src/flat/print.js";
import * as rep from "../../src/flat/program.js";
import type {
  Atom,
  Block,
  End,
  FlatEntry,
  Operation,
  Procedure,
  Program,
  Rep,
  Stmt,
  Var,
} from "../../src/flat/program.js";
import { endsOf } from "../../src/flat/traverse.js";

/** Where an operation that may fail stands: the text does not say. */
const site: Site = { definition: "", position: "", via: "" };

/** A text that is no flat program. */
export class NotFlat extends Error {}

/** Reads a program whose data types are `data`. Throws `NotFlat`. What checks a program is `assertFlat`. */
export function parseFlat(text: string, data: readonly DataDecl[] = []): Program {
  const heads = [...text.matchAll(/^(function|lambda|constant) (\S+?)(?:\[(.*?)\])?\((.*?)\) : (.*) =$/gm)];
  const signatures = new Map(
    heads.map(
      ([, kind = "", name = "", captured = "", params = "", results = ""]): [string, Omit<Procedure, "body">] => {
        const reps = (list: string): readonly Rep[] => new Parser(list, new Map(), data).reps();
        const variables = (list: string): readonly Var[] => new Parser(list, new Map(), data).params();
        const isKind = kind === "lambda" || kind === "constant" ? kind : "function";
        return [name, { name, definition: name, captured: variables(captured), params: variables(params), results: reps(results), kind: isKind }]; // prettier-ignore
      },
    ),
  );
  const bodies = text.split(/^(?:function|lambda|constant) .*=$/m).slice(1).map((body) => body.replace(/^entry .*$/gm, "")); // prettier-ignore
  const procedures = [...signatures.values()].map((signature, index): Procedure => {
    const scope = new Map([...signature.captured, ...signature.params].map((variable) => [variable.name, variable]));
    return { ...signature, body: new Parser(bodies[index] ?? "", signatures, data, scope).whole() };
  });
  const entries = [...text.matchAll(/^entry (\S+) = (\S+)$/gm)].map(([, name = "", procedure = ""]): FlatEntry => {
    const params = signatures.get(procedure)?.params ?? [];
    const [result = rep.real] = signatures.get(procedure)?.results ?? [];
    const named = params.map((param) => ({ kind: "named" as const, name: param.name, type: typeOf(param.rep) }));
    return { entry: { name, doc: "", params: named, result: typeOf(result), resultAlias: "" }, procedure };
  });
  return { data, procedures, entries };
}

const token =
  /\s*([\p{L}_][\p{L}\p{N}_']*!?|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|-?(?:Infinity|NaN)|->|[-+*/<>=&|^]+|[?~!]|[()[\]{},.:])/uy;
const literal = /^-?(?:\d|Infinity|NaN)/;

class Parser {
  readonly #tokens: string[] = [];
  readonly #leaves: Leaves;
  #at = 0;

  constructor(
    text: string,
    private readonly procedures: ReadonlyMap<string, Omit<Procedure, "body">>,
    private readonly data: readonly DataDecl[],
    private readonly scope = new Map<string, Var>(),
  ) {
    this.#leaves = new Leaves(data);
    token.lastIndex = 0;
    for (let found = token.exec(text); found !== null; found = token.exec(text)) {
      const [, word = ""] = found;
      this.#tokens.push(word);
      // Nothing behind the last one
      if (text.slice(token.lastIndex).trim() === "") break;
    }
  }

  whole(): Block {
    const block = this.#block();
    if (this.#at < this.#tokens.length) this.#fail("the end");
    return block;
  }

  reps(): readonly Rep[] {
    // Several are written as a tuple, which no single one is
    const type = this.#type();
    return type.kind === "tuple" ? type.items.map(repOfType) : [repOfType(type)];
  }

  params(): readonly Var[] {
    const params: Var[] = [];
    while (this.#at < this.#tokens.length) {
      if (params.length > 0) this.#take(",");
      const name = this.#next();
      this.#take(":");
      params.push({ name, rep: this.#rep() });
    }
    return params;
  }

  #block(): Block {
    const stmts: Stmt[] = [];
    while (!this.#isWord("yield", "next", "if", "switch")) stmts.push(this.#stmt());
    return { stmts, end: this.#end() };
  }

  #end(): End {
    const word = this.#next();
    switch (word) {
      case "yield":
      case "next":
        return { kind: word, values: this.#isAtom() ? this.#atoms() : [] };
      case "if": {
        const cond = this.#atom();
        this.#take("then");
        const then = this.#block();
        this.#take("else");
        return { kind: "if", cond, then, else: this.#block() };
      }
      case "switch": {
        const object = this.#atom();
        const held = repOf(object);
        if (held.kind !== "object") return this.#fail("an object");
        this.#take("{");
        const branches: { con: string; body: Block }[] = [];
        while (!this.#is("}")) {
          const con = this.#next();
          this.#take("->");
          branches.push({ con, body: this.#block() });
        }
        this.#take("}");
        return { kind: "switch", object, type: held.type, branches };
      }
      default:
        return this.#fail("an end");
    }
  }

  #stmt(): Stmt {
    if (this.#isWord("check")) return this.#check();
    const { names, arrays, annotation } = this.#left();
    this.#take("=");
    if (this.#is("if") || this.#is("switch")) {
      const end = this.#end();
      return { kind: "choose", results: this.#bind(names, yieldedBy({ stmts: [], end })), end };
    }
    if (this.#is("loop") || this.#is("for")) return this.#loop(names, arrays);
    const called = this.#peek();
    const isCall = this.#tokens[this.#at + 1] === "(";
    const procedure = this.procedures.get(called);
    if (isCall && procedure !== undefined && procedure.kind !== "lambda") {
      this.#next();
      const args = this.#arguments();
      return { kind: "call", fn: called, args, results: this.#bind(names, procedure.results) };
    }
    const fn = this.scope.get(called);
    if (isCall && fn?.rep.kind === "closure") {
      this.#next();
      const args = this.#arguments();
      return { kind: "apply", fn: atomOf(fn), args, results: this.#bind(names, this.#leaves.of(fn.rep.to)) };
    }
    const { op, held } = this.#operation(annotation);
    const [result] = this.#bind(names, [held]);
    return result === undefined ? this.#fail("a variable") : { kind: "let", result, op };
  }

  /** `x, y, [zs]`, `()`, or `x : T`. */
  #left(): { readonly names: readonly string[]; readonly arrays: readonly string[]; readonly annotation: Rep | null } {
    const [names, arrays]: [string[], string[]] = [[], []];
    if (this.#is("(")) {
      this.#take("(");
      this.#take(")");
      return { names, arrays, annotation: null };
    }
    for (;;) {
      if (this.#is("[")) {
        this.#take("[");
        arrays.push(this.#next());
        this.#take("]");
      } else names.push(this.#next());
      if (!this.#is(",")) break;
      this.#take(",");
    }
    if (!this.#is(":")) return { names, arrays, annotation: null };
    this.#take(":");
    return { names, arrays, annotation: this.#rep() };
  }

  #check(): Stmt {
    this.#take("check");
    if (this.#is("size")) {
      this.#take("size");
      return { kind: "check", check: { kind: "size", size: this.#atom() }, site };
    }
    const index = this.#atom();
    this.#take("in");
    return { kind: "check", check: { kind: "inRange", index, array: this.#atom() }, site };
  }

  #loop(names: readonly string[], arrays: readonly string[]): Stmt {
    const isFor = this.#next() === "for";
    const index: Var = { name: isFor ? this.#next() : "", rep: rep.int };
    if (isFor) this.#take("<");
    const count = isFor ? this.#atom() : null;
    const [names_, init]: [string[], Atom[]] = [[], []];
    if (this.#is("(") && this.#tokens[this.#at + 1] !== ")") {
      this.#take("(");
      for (;;) {
        names_.push(this.#next());
        this.#take("=");
        init.push(this.#atom());
        if (this.#is(")")) break;
        this.#take(",");
      }
      this.#take(")");
    }
    const params = this.#bind(names_, init.map(repOf));
    if (isFor) this.scope.set(index.name, index);
    const body = isFor ? this.#ownBody(arrays, params.length) : this.#block();
    const went = isFor ? yieldedBy(body) : nextOf(body);
    const made = this.#bind(arrays, went.slice(params.length).map(arrayOf));
    if (count === null) return { kind: "loop", params, init, body, results: this.#bind(names, yieldedBy(body)), arrays: made }; // prettier-ignore
    return { kind: "for", index, count, params, init, body, results: this.#bind(names, params.map((param) => param.rep)), arrays: made }; // prettier-ignore
  }

  /** The body of a loop, which may read elements of its own arrays: what these are is known where it ends, and taken for something before. */
  #ownBody(arrays: readonly string[], carried: number): Block {
    const start = this.#at;
    for (const guess of [null, rep.real, arrayOf(rep.real), rep.int]) {
      this.#at = start;
      if (guess !== null) for (const name of arrays) this.scope.set(name, { name, rep: arrayOf(guess) });
      try {
        const body = this.#block();
        const isRight = yieldedBy(body).slice(carried).every((each) => guess === null || printRep(each) === printRep(guess)); // prettier-ignore
        if (isRight) return body;
      } catch (error) {
        if (!(error instanceof NotFlat)) throw error;
      }
    }
    return this.#fail("a body");
  }

  #operation(annotation: Rep | null): { readonly op: Operation; readonly held: Rep } {
    const word = this.#peek();
    const of = (op: Operation, held: Rep): { readonly op: Operation; readonly held: Rep } => ({ op, held });
    if (word === "closure" || word === "extern") {
      this.#next();
      const name = this.#next();
      this.#take(word === "closure" ? "[" : "(");
      const args = this.#list(word === "closure" ? "]" : ")", () => this.#atom());
      const held = annotation ?? this.#fail(`the type of a ${word}`);
      return of(word === "closure" ? { kind: word, code: name, captured: args } : { kind: word, fn: name, args, result: held }, held); // prettier-ignore
    }
    if (word === "length" && this.scope.has(this.#tokens[this.#at + 1] ?? "") && this.#tokens[this.#at + 2] !== "=") {
      this.#next();
      return of({ kind: "length", array: this.#atom() }, rep.int);
    }
    if (word === "[") {
      this.#next();
      const items = this.#list("]", () => this.#atom());
      const element = items[0] === undefined ? elementOf(annotation) : repOf(items[0]);
      if (element === null) return this.#fail("the type of an empty array");
      return of({ kind: "array", element, items }, arrayOf(element));
    }
    if (word === "-") {
      this.#next();
      const marks = this.#marks(false);
      return this.#primitive("-", [this.#atom()], marks);
    }
    const isCall = this.#tokens[this.#at + 1] === "(" || /^[?~!]$/.test(this.#tokens[this.#at + 1] ?? "") || word.endsWith("!"); // prettier-ignore
    if (isCall && this.#declaring(word) !== undefined && !this.scope.has(word)) {
      this.#next();
      const args = this.#arguments();
      const type = annotation?.kind === "object" ? annotation.type : this.#typeOf(word, args);
      return of({ kind: "object", type, con: word, args }, { kind: "object", type });
    }
    if (isCall && !this.scope.has(word)) {
      this.#next();
      const marks = this.#marks(word.endsWith("!"));
      return this.#primitive(word.replace(/!$/, ""), this.#arguments(), marks);
    }
    const left = this.#atom();
    const next = this.#peek();
    if (next === "with") {
      for (const each of ["with", "the", "derivative", "of"]) this.#take(each);
      return of({ kind: "known", value: left, from: this.#atom() }, rep.real);
    }
    if (next === ".") return this.#field(left);
    if (next === "!") {
      this.#next();
      const held = elementOf(repOf(left));
      return held === null ? this.#fail("an array") : of({ kind: "cell", array: left, index: this.#atom() }, held);
    }
    if (/^[-+*/<>=&|^]+$/.test(next) && next !== "=") {
      this.#next();
      const marks = this.#marks(false);
      return this.#primitive(next, [left, this.#atom()], marks);
    }
    return of({ kind: "copy", value: left }, repOf(left));
  }

  #field(object: Atom): { readonly op: Operation; readonly held: Rep } {
    const held = repOf(object);
    if (held.kind !== "object") return this.#fail("an object");
    this.#take(".");
    const con = this.#next();
    this.#take(".");
    const index = Number(this.#next());
    const field = this.#leaves.fieldsOf(held.type, con).flat()[index];
    return field === undefined ? this.#fail("a field") : { op: { kind: "field", object, con, index }, held: field };
  }

  /** `?`: it may fail; `~`: it is computed early; `!`: its partial derivatives may be infinite. */
  #marks(isOverflowing: boolean): Marks {
    const marks = { mayFail: false, isEarly: false, isOverflowing };
    for (; /^[?~!]$/.test(this.#peek()); this.#next()) {
      if (this.#is("?")) marks.mayFail = true;
      if (this.#is("~")) marks.isEarly = true;
      if (this.#is("!")) marks.isOverflowing = true;
    }
    return marks;
  }

  #primitive(
    notation: string,
    args: readonly Atom[],
    marks: Marks = { mayFail: false, isEarly: false, isOverflowing: false },
  ): { readonly op: Operation; readonly held: Rep } {
    const reps = args.map((arg) => printRep(repOf(arg))).join();
    const op = opNames.find((name): name is OpName => {
      const row = primitive(name);
      return (
        row.notation === notation &&
        row.params.map((param) => printRep(this.#scalar(scalarType(param)))).join() === reps
      );
    });
    if (op === undefined) return this.#fail(`a primitive ${notation} of ${reps}`);
    const overflowing = args.flatMap((arg, index) => (repOf(arg).kind === "real" ? [index] : []));
    return {
      op: {
        kind: "prim",
        op,
        args,
        site: marks.mayFail ? site : null,
        ...(marks.isEarly ? { isEarly: true as const } : {}),
        ...(marks.isOverflowing ? { overflowing } : {}),
      },
      held: this.#scalar(scalarType(primitive(op).result)),
    };
  }

  #scalar(type: Type): Rep {
    return this.#leaves.of(type)[0] ?? this.#fail("a scalar");
  }

  /** The data type that has a constructor. */
  #declaring(con: string): Pick<DataDecl, "name" | "params"> | undefined {
    if (con === "inl" || con === "inr") return { name: "+", params: ["a", "b"] };
    return this.data.find(({ constructors }) => constructors.some(({ name }) => name === con));
  }

  /** The type of what a constructor makes: without parameters, or that of one of its fields. */
  #typeOf(con: string, args: readonly Atom[]): Type {
    const declaration = this.#declaring(con);
    if (declaration === undefined) return this.#fail(`a constructor, not ${con}`);
    if (declaration.params.length === 0) return { kind: "data", name: declaration.name, args: [] };
    for (const arg of args) {
      const held = repOf(arg);
      if (held.kind === "object" && held.type.kind === "data" && held.type.name === declaration.name) return held.type;
    }
    return this.#fail(`the type of ${con}`);
  }

  #arguments(): readonly Atom[] {
    this.#take("(");
    return this.#list(")", () => this.#atom());
  }

  #list<T>(end: string, item: () => T): readonly T[] {
    const items: T[] = [];
    while (!this.#is(end)) {
      if (items.length > 0) this.#take(",");
      items.push(item());
    }
    this.#take(end);
    return items;
  }

  #atoms(): readonly Atom[] {
    const atoms = [this.#atom()];
    while (this.#is(",")) {
      this.#take(",");
      atoms.push(this.#atom());
    }
    return atoms;
  }

  #isAtom(): boolean {
    const word = this.#peek();
    // A name that something is bound to begins the next statement
    const follows = this.#tokens[this.#at + 1];
    return literal.test(word) || word === "true" || word === "false" || (this.scope.has(word) && follows !== "=");
  }

  #atom(): Atom {
    const word = this.#next();
    if (word === "true" || word === "false") return { kind: "bool", value: word === "true" };
    if (/^-?\d+$/.test(word)) return { kind: "int", value: word === "-0" ? 0 : Number(word) };
    if (literal.test(word)) return { kind: "real", value: Number(word) };
    const variable = this.scope.get(word);
    return variable === undefined ? this.#fail(`a variable, not ${word}`) : atomOf(variable);
  }

  #bind(names: readonly string[], reps: readonly Rep[]): readonly Var[] {
    return names.map((name, index) => {
      const variable: Var = { name, rep: reps[index] ?? rep.real };
      this.scope.set(name, variable);
      return variable;
    });
  }

  #rep(): Rep {
    return repOfType(this.#type());
  }

  #type(): Type {
    let from = this.#application();
    while (this.#is("+")) {
      this.#take("+");
      from = { kind: "data", name: "+", args: [from, this.#application()] };
    }
    if (!this.#is("->")) return from;
    this.#take("->");
    return { kind: "fn", from, to: this.#type() };
  }

  #application(): Type {
    if (!/^\p{Lu}/u.test(this.#peek()) || ["R", "Z", "Bool"].includes(this.#peek())) return this.#simple();
    const name = this.#next();
    const args: Type[] = [];
    while (/^(?:\p{Lu}|\[|\()/u.test(this.#peek())) args.push(this.#simple());
    return { kind: "data", name, args };
  }

  #simple(): Type {
    const word = this.#next();
    switch (word) {
      case "R":
        return { kind: "real" };
      case "Z":
        return { kind: "int" };
      case "Bool":
        return { kind: "bool" };
      case "[": {
        const element = this.#type();
        this.#take("]");
        return { kind: "array", element };
      }
      case "(": {
        const items = this.#list(")", () => this.#type());
        const [only] = items;
        return items.length === 1 && only !== undefined ? only : { kind: "tuple", items };
      }
      default:
        return /^\p{Lu}/u.test(word) ? { kind: "data", name: word, args: [] } : this.#fail(`a type, not ${word}`);
    }
  }

  /** Whether one of some words comes, and not a variable that is called so and bound here. */
  #isWord(...words: readonly string[]): boolean {
    return words.includes(this.#peek()) && !/^[=,:]$/.test(this.#tokens[this.#at + 1] ?? "");
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? "";
  }

  #is(word: string): boolean {
    return this.#peek() === word;
  }

  #next(): string {
    const word = this.#peek();
    if (word === "") this.#fail("more");
    this.#at += 1;
    return word;
  }

  #take(word: string): void {
    if (this.#next() !== word) {
      this.#at -= 1;
      this.#fail(word);
    }
  }

  #fail(expected: string): never {
    const before = this.#tokens.slice(Math.max(0, this.#at - 8), this.#at).join(" ");
    throw new NotFlat(`expected ${expected} behind "${before}", found "${this.#peek()}"`);
  }
}

interface Marks {
  readonly mayFail: boolean;
  readonly isEarly: boolean;
  readonly isOverflowing: boolean;
}

/** What the values of a block hold. */
function yieldedBy(block: Block): readonly Rep[] {
  for (const end of endsOf(block)) if (end.kind === "yield") return end.values.map(repOf);
  return [];
}

/** What the next iteration of a loop, and its arrays, get from a body. */
function nextOf(block: Block): readonly Rep[] {
  for (const end of endsOf(block)) if (end.kind === "next") return end.values.map(repOf);
  return [];
}

function elementOf(held: Rep | null): Rep | null {
  return held?.kind === "array" ? held.element : null;
}

function repOfType(type: Type): Rep {
  switch (type.kind) {
    case "real":
      return rep.real;
    case "int":
      return rep.int;
    case "bool":
      return rep.bool;
    case "array":
      return { kind: "array", element: repOfType(type.element) };
    case "fn":
      return { kind: "closure", from: type.from, to: type.to };
    default:
      return { kind: "object", type };
  }
}

function typeOf(held: Rep): Type {
  switch (held.kind) {
    case "real":
    case "int":
    case "bool":
      return { kind: held.kind };
    case "array":
      return { kind: "array", element: typeOf(held.element) };
    case "object":
      return held.type;
    case "closure":
      return { kind: "fn", from: held.from, to: held.to };
    case "store":
      throw new NotFlat("programs with stores are not read");
  }
}
