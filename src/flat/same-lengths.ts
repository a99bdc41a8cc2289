// Which arrays are equally long: the leaves of one array of pairs, arrays that one loop makes, those whose lengths have been compared, and what a loop
// makes of these in each iteration.

import type { Entry, EntryParam } from "../core/term.js";
import type { Type } from "../core/type.js";
import { keyOf } from "../key.js";
import { Leaves } from "./leaves.js";
import type { Atom, Block, End, FlatEntry, Operation, Procedure, Program, Stmt, Var } from "./program.js";

type Loop = Stmt & { readonly kind: "loop" };
type For = Stmt & { readonly kind: "for" };

const known = new WeakMap<Program, SameLengths>();

/** What is known of lengths is kept as long as its program: passes that change nothing hand the program on, and several ask. */
export function sameLengths(program: Program): SameLengths {
  const found = known.get(program) ?? new SameLengths(program);
  known.set(program, found);
  return found;
}

/** The lengths of the arrays of a program, as far as its text tells which of them are the same. */
export class SameLengths {
  readonly #leaves: Leaves;
  /** By variable a text for the length of an array, or for a number: the same text, the same length. */
  readonly #classes = new Map<string, string>();
  /** Texts that are the same as another one where we are: they have been compared. */
  readonly #compared = new Map<string, string>();
  /** Parameters of loops that count: each iteration hands on what is as long as what it has got. */
  readonly #kept = new Set<string>();
  /** Those that have turned out not to do so: nothing that is found later can make them do so. */
  readonly #dropped = new Set<string>();
  /** Loops that count, by their indices, that begin with arrays of one length. */
  readonly #alike = new Set<string>();
  /** Short texts for what choices give, by what that is made of. */
  readonly #choices = new Map<string, string>();

  constructor(program: Program) {
    this.#leaves = new Leaves(program.data);
    const entries = new Map(program.entries.map((each) => [each.procedure, each]));
    for (const procedure of program.procedures) {
      const entry = entries.get(procedure.name);
      if (entry !== undefined) this.#params(procedure, entry);
      this.#scope(() => {
        this.#block(procedure.body);
      });
    }
  }

  /** Whether what a loop begins with is known to be equally long. */
  areAlike({ index }: For): boolean {
    return this.#alike.has(index.name);
  }

  /** Whether each iteration of a loop is known to hand on an array that is as long as this parameter. */
  isKept(param: Var): boolean {
    return this.#kept.has(param.name);
  }

  /** A text for the length of an array, or for a number: the same text, the same length. */
  textOf(atom: Atom): string {
    return this.#of(atom);
  }

  /** The parameters of an entry: the leaves of an array, or the arrays that stand for a list. */
  #params({ params }: Procedure, { entry, arrays }: FlatEntry): void {
    let place = 0;
    for (const [leaf, group] of leafGroups(entry, this.#leaves).entries()) {
      const list = arrays?.params[leaf] ?? null;
      const next = place + (list?.suffixes.length ?? 1);
      const text = list === null ? group : `list ${String(leaf)}`;
      for (const param of params.slice(place, next)) this.#classes.set(param.name, text);
      place = next;
    }
  }

  #of(atom: Atom): string {
    let text = atom.kind === "var" ? (this.#classes.get(atom.variable.name) ?? atom.variable.name) : keyOf(atom);
    for (let next = this.#compared.get(text); next !== undefined; next = this.#compared.get(text)) text = next;
    return text;
  }

  /** What has been compared within `visit` need not have been after it. */
  #scope(visit: () => void): void {
    const before = new Set(this.#compared.keys());
    visit();
    for (const text of [...this.#compared.keys()]) if (!before.has(text)) this.#compared.delete(text);
  }

  #block({ stmts, end }: Block): void {
    for (const stmt of stmts) this.#stmt(stmt);
    this.#end(end);
  }

  /** The blocks of a choice, and what each of them yields or hands on. */
  #end(end: End): readonly (readonly string[])[] {
    if (end.kind === "yield" || end.kind === "next") return [end.values.map((value) => this.#of(value))];
    const blocks = end.kind === "if" ? [end.then, end.else] : end.branches.map(({ body }) => body);
    return blocks.flatMap((block) => {
      let found: readonly (readonly string[])[] = [];
      this.#scope(() => {
        for (const stmt of block.stmts) this.#stmt(stmt);
        found = this.#end(block.end);
      });
      return found;
    });
  }

  #stmt(stmt: Stmt): void {
    switch (stmt.kind) {
      case "let":
        this.#let(stmt.result, stmt.op);
        return;
      case "choose":
        this.#results(stmt.results, this.#end(stmt.end));
        return;
      case "loop":
        this.#loop(stmt);
        return;
      case "for":
        this.#for(stmt);
        return;
      case "check":
      case "call":
      case "apply":
        return;
    }
  }

  /** What a choice gives, by what its ways yield. */
  #results(results: readonly Var[], ways: readonly (readonly string[])[]): void {
    results.forEach(({ name }, index) => {
      const [first = name, ...others] = ways.map((texts) => texts[index] ?? name);
      const isSame = others.every((text) => text === first);
      // Two of its results are as long if they are so on each way
      this.#classes.set(name, isSame ? first : this.#chosen([results[0]?.name ?? name, first, ...others]));
    });
  }

  /** What is in it may be choices in turn: their texts stay short. */
  #chosen(texts: readonly string[]): string {
    const key = JSON.stringify(texts);
    const known = this.#choices.get(key) ?? `choice ${String(this.#choices.size)}`;
    this.#choices.set(key, known);
    return known;
  }

  #let({ name }: Var, op: Operation): void {
    switch (op.kind) {
      case "copy":
        this.#classes.set(name, this.#of(op.value));
        return;
      case "length":
        this.#classes.set(name, this.#of(op.array));
        return;
      case "array":
        this.#classes.set(name, this.#of({ kind: "int", value: op.items.length }));
        return;
      case "field":
        this.#classes.set(name, this.#ofField(name, op));
        return;
      case "prim":
        if (op.op === "sameLength") this.#compare(name, op.args);
        return;
      default:
        return;
    }
  }

  /** Two lengths that are the same from now on, or the program has failed. */
  #compare(name: string, [left, right]: readonly Atom[]): void {
    if (left === undefined || right === undefined) return;
    const [one, other] = [this.#of(left), this.#of(right)];
    if (one !== other) this.#compared.set(other, one);
    this.#classes.set(name, one);
  }

  /** A leaf of an object: its other leaves that are leaves of the same array are as long. */
  #ofField(name: string, { object, con, index }: Operation & { readonly kind: "field" }): string {
    if (object.kind !== "var" || object.variable.rep.kind !== "object") return name;
    const { type } = object.variable.rep;
    if (type.kind !== "data") return name;
    const fields = this.#leaves.types.constructorsOf(type).find((each) => each.name === con)?.fields ?? [];
    const groups = fields.flatMap((field, place) => groupsOf(field, this.#leaves, `${con} ${String(place)}`));
    return `${object.variable.name} ${groups[index] ?? name}`;
  }

  #for(loop: For): void {
    const starts = loop.params.map((param, index) => this.#of(loop.init[index] ?? { kind: "var", variable: param }));
    // The loop around it may have been taken to keep lengths when it was here before
    if (starts.every((start) => start === starts[0])) this.#alike.add(loop.index.name);
    else this.#alike.delete(loop.index.name);
    for (const { name } of loop.params) if (!this.#dropped.has(name)) this.#kept.add(name);
    for (let isSettled = false; !isSettled;) {
      loop.params.forEach(({ name }, index) => {
        this.#classes.set(name, this.#kept.has(name) ? (starts[index] ?? name) : name);
      });
      isSettled = !this.#drop(loop);
    }
    loop.results.forEach(({ name }, index) => {
      const isKept = this.#kept.has(loop.params[index]?.name ?? "");
      this.#classes.set(name, isKept ? (starts[index] ?? name) : name);
    });
    for (const { name } of loop.arrays) this.#classes.set(name, this.#of(loop.count));
  }

  /** Goes through an iteration; whether a parameter turns out to change its length that has been taken to keep it. */
  #drop({ params, body }: For): boolean {
    const ownKept = (): number => params.filter(({ name }) => this.#kept.has(name)).length;
    const before = ownKept();
    this.#scope(() => {
      for (const stmt of body.stmts) this.#stmt(stmt);
      const iterations = this.#end(body.end);
      params.forEach((param, index) => {
        const own = this.#of({ kind: "var", variable: param });
        if (iterations.every((texts) => texts[index] === own)) return;
        this.#kept.delete(param.name);
        this.#dropped.add(param.name);
      });
    });
    return ownKept() < before;
  }

  /** Of a loop that leaves itself nothing is known but that its arrays are equally long. */
  #loop(loop: Loop): void {
    for (const { name } of [...loop.params, ...loop.results]) this.#classes.set(name, name);
    this.#scope(() => {
      this.#block(loop.body);
    });
    const [first] = loop.arrays;
    for (const { name } of loop.arrays) this.#classes.set(name, first?.name ?? name);
  }
}

/** By leaf of an entry's parameters the array that it is a leaf of. */
function leafGroups({ params }: Entry, leaves: Leaves): readonly string[] {
  const typesOf = (param: EntryParam): readonly Type[] =>
    param.kind === "named" ? [param.type] : param.items.flatMap(typesOf);
  return params.flatMap(typesOf).flatMap((type, index) => groupsOf(type, leaves, `argument ${String(index)}`));
}

/** By leaf of a type the way to the array that it is a leaf of, or to itself. */
function groupsOf(type: Type, leaves: Leaves, path: string): readonly string[] {
  const within = (parts: readonly Type[]): readonly string[] =>
    parts.flatMap((part, index) => groupsOf(part, leaves, `${path}.${String(index)}`));
  if (type.kind === "tuple") return within(type.items);
  if (type.kind === "data" && leaves.isSplit(type)) return within(leaves.types.constructorsOf(type)[0]?.fields ?? []);
  return leaves.of(type).map(() => path);
}
