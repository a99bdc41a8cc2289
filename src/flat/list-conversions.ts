// Procedures that make arrays from a list, and the list from them, for lists that come from outside or go there; also for arrays of such lists.

import { atomOf, intAtom, letOf } from "./build.js";
import type { Type } from "../core/type.js";
import { InternalError } from "../internal-error.js";
import type { ListType, ListTypes } from "./list-types.js";
import type { FlatNames } from "./naming.js";
import { int, type ArraysForList, type Atom, type Block, type Procedure, type Rep, type Stmt, type Var } from "./program.js"; // prettier-ignore

/** What makes lists. */
type Maker = "list" | "cotangents";

type ArrayRep = Rep & { readonly kind: "array" };

export class ListConversions {
  readonly procedures: Procedure[] = [];
  readonly #known = new Map<string, ArraysForList>();

  constructor(
    private readonly lists: ListTypes,
    private readonly names: FlatNames,
  ) {}

  /** Those for a list type, or for arrays of one. */
  of(rep: Rep): ArraysForList {
    const key = JSON.stringify(rep);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const suffixes = this.lists.suffixes(rep);
    const list = this.#name("listOf");
    const made: ArraysForList = {
      type: typeOf(rep),
      arrays: this.#name("itemsOf"),
      list,
      cotangents: this.lists.holdsIntegers(rep) ? this.#name("cotangentsOf") : list,
      suffixes: suffixes.map((suffix) => (suffix === "" ? "Items" : suffix)),
      hasArrays: this.#hasArrays(rep),
    };
    this.#known.set(key, made);
    this.procedures.push(...this.#all(made, rep));
    return made;
  }

  #all(made: ArraysForList, rep: Rep): readonly Procedure[] {
    const makers: readonly Maker[] = made.cotangents === made.list ? ["list"] : ["list", "cotangents"];
    if (rep.kind === "array") {
      const each = makers.map((maker) => this.#each(made, maker, rep));
      return [this.#arraysOfEach(made.arrays, rep), ...each];
    }
    const list = this.lists.of(rep);
    if (list === null) throw new InternalError("flat", "arrays cannot stand for what is no list");
    return [this.#arrays(made.arrays, rep, list), ...makers.map((maker) => this.#list(made, maker, rep, list))];
  }

  #hasArrays(rep: Rep): boolean {
    if (rep.kind === "array") return !this.lists.holdsLists(rep) || this.#hasArrays(rep.element);
    return this.lists.of(rep)?.leaves.some((leaf) => this.#hasArrays(leaf.rep)) ?? false;
  }

  /** The cells are counted first: arrays that grow cost more than a second walk. */
  #arrays(name: string, rep: Rep, list: ListType): Procedure {
    const [whole, rest, next] = [this.#fresh("list", rep), this.#fresh("rest", rep), this.#fresh("next", rep)];
    const arrays = this.#items(rep);
    const stmts: Stmt[] = [];
    const elements = list.leaves.flatMap((leaf) => {
      const item = this.#fresh("item", leaf.rep);
      stmts.push(letOf(item, { kind: "field", object: atomOf(rest), con: list.cell, index: leaf.index }));
      if (!this.lists.holdsLists(leaf.rep)) return [atomOf(item)];
      return this.#called(this.of(leaf.rep).arrays, [atomOf(item)], this.lists.columns(leaf.rep), stmts);
    });
    stmts.push(letOf(next, { kind: "field", object: atomOf(rest), con: list.cell, index: list.rest }));
    const [count, counting] = this.#counting(whole, rep, list);
    const loop: Stmt = {
      kind: "for",
      index: this.#fresh("at", int),
      count: atomOf(count),
      params: [rest],
      init: [atomOf(whole)],
      body: { stmts, end: { kind: "yield", values: [atomOf(next), ...elements] } },
      results: [this.#fresh("end", rep)],
      arrays,
    };
    return this.#procedure(name, [whole], [counting, loop], arrays);
  }

  /** How many cells a list has, and the loop that counts them. */
  #counting(whole: Var, rep: Rep, list: ListType): readonly [Var, Stmt] {
    const [cells, rest] = [this.#fresh("cells", rep), this.#fresh("rest", rep)];
    const [count, more] = [this.#fresh("count", int), this.#fresh("count", int)];
    const size: Var = { name: this.names.own("size"), rep: int };
    const stmts: Stmt[] = [
      letOf(rest, { kind: "field", object: atomOf(cells), con: list.cell, index: list.rest }),
      letOf(more, { kind: "prim", op: "addZ", args: [atomOf(count), intAtom(1)], site: null }),
    ];
    const bodies = new Map<string, Block>([
      [list.end, { stmts: [], end: { kind: "yield", values: [atomOf(count)] } }],
      [list.cell, { stmts, end: { kind: "next", values: [atomOf(rest), atomOf(more)] } }],
    ]);
    const loop: Stmt = {
      kind: "loop",
      params: [cells, count],
      init: [atomOf(whole), intAtom(0)],
      results: [size],
      arrays: [],
      body: { stmts: [], end: this.#switch(cells, list, bodies) },
    };
    return [size, loop];
  }

  #switch(object: Var, { type }: ListType, bodies: ReadonlyMap<string, Block>): Block["end"] {
    const constructors = this.lists.constructorsOf(type);
    const branches = constructors.map((con) => ({ con, body: bodies.get(con) ?? missing() }));
    return { kind: "switch", object: atomOf(object), type, branches };
  }

  /** A list, or its cotangents: integers have none. */
  #list(own: ArraysForList, maker: Maker, rep: Rep, list: ListType): Procedure {
    const arrays = this.#items(rep);
    const [first] = arrays;
    if (first === undefined) throw new InternalError("flat", "no arrays stand for a list");
    const [count, last, end] = [this.#fresh("count", int), this.#fresh("last", int), this.#fresh("end", rep)];
    const [up, at] = [this.#fresh("up", int), this.#fresh("at", int)];
    const [rest, cell, result] = [this.#fresh("rest", rep), this.#fresh("cell", rep), this.#fresh("list", rep)];
    const stmts: Stmt[] = [letOf(at, { kind: "prim", op: "subZ", args: [atomOf(last), atomOf(up)], site: null })];
    const args: Atom[] = [];
    let column = 0;
    for (const leaf of list.leaves) {
      const items = this.lists.columns(leaf.rep).map((element): Atom => {
        const array = arrays[column++] ?? first;
        if (maker === "cotangents" && leaf.rep.kind === "int") return intAtom(0);
        const item = this.#fresh("item", element);
        stmts.push(letOf(item, { kind: "cell", array: atomOf(array), index: atomOf(at) }));
        return atomOf(item);
      });
      const [made] = this.lists.holdsLists(leaf.rep)
        ? this.#called(this.of(leaf.rep)[maker], items, [leaf.rep], stmts)
        : items;
      args[leaf.index] = made ?? missing();
    }
    args[list.rest] = atomOf(rest);
    stmts.push(letOf(cell, { kind: "object", type: list.type, con: list.cell, args }));
    const before: Stmt[] = [
      letOf(count, { kind: "length", array: atomOf(first) }),
      letOf(last, { kind: "prim", op: "subZ", args: [atomOf(count), intAtom(1)], site: null }),
      letOf(end, { kind: "object", type: list.type, con: list.end, args: [] }),
    ];
    const loop: Stmt = {
      kind: "for",
      index: up,
      count: atomOf(count),
      params: [rest],
      init: [atomOf(end)],
      body: { stmts, end: { kind: "yield", values: [atomOf(cell)] } },
      results: [result],
      arrays: [],
    };
    return this.#procedure(own[maker], arrays, [...before, loop], [result]);
  }

  /** Arrays of the arrays that stand for the elements of an array. */
  #arraysOfEach(name: string, rep: ArrayRep): Procedure {
    const whole = this.#fresh("lists", rep);
    const arrays = this.#items(rep);
    const loop = this.#overElements([whole], arrays, (items, out) =>
      this.#called(this.of(rep.element).arrays, items, this.lists.columns(rep.element), out),
    );
    return this.#procedure(name, [whole], loop, arrays);
  }

  /** An array of what such arrays stand for. */
  #each(own: ArraysForList, maker: Maker, rep: ArrayRep): Procedure {
    const [whole, arrays] = [this.#fresh("lists", rep), this.#items(rep)];
    const loop = this.#overElements(arrays, [whole], (items, out) =>
      this.#called(this.of(rep.element)[maker], items, [rep.element], out),
    );
    return this.#procedure(own[maker], arrays, loop, [whole]);
  }

  /** A loop over arrays of one length that makes others. */
  #overElements(
    given: readonly Var[],
    made: readonly Var[],
    of: (items: readonly Atom[], out: Stmt[]) => readonly Atom[],
  ): readonly Stmt[] {
    const [first] = given;
    if (first === undefined) throw new InternalError("flat", "no arrays stand for a list");
    const [count, at] = [this.#fresh("count", int), this.#fresh("at", int)];
    const stmts: Stmt[] = [];
    const items = given.map((array): Atom => {
      const item = this.#fresh("item", elementOf(array));
      stmts.push(letOf(item, { kind: "cell", array: atomOf(array), index: atomOf(at) }));
      return atomOf(item);
    });
    const values = of(items, stmts);
    const body: Block = { stmts, end: { kind: "yield", values } };
    return [
      letOf(count, { kind: "length", array: atomOf(first) }),
      { kind: "for", index: at, count: atomOf(count), params: [], init: [], body, results: [], arrays: made },
    ];
  }

  #called(fn: string, args: readonly Atom[], reps: readonly Rep[], out: Stmt[]): readonly Atom[] {
    const results = reps.map((rep) => this.#fresh("items", rep));
    out.push({ kind: "call", fn, args, results });
    return results.map(atomOf);
  }

  #procedure(name: string, params: readonly Var[], stmts: readonly Stmt[], values: readonly Var[]): Procedure {
    const results = values.map(({ rep }) => rep);
    const body: Block = { stmts, end: { kind: "yield", values: values.map(atomOf) } };
    return { name, definition: name, captured: [], params, results, body, kind: "function" };
  }

  /** The arrays that stand for a list, or for an array of them. */
  #items(rep: Rep): readonly Var[] {
    const suffixes = this.lists.suffixes(rep);
    return this.lists.columns(rep).map((column, index) => {
      const name = this.names.fresh({ stem: "items", suffix: suffixes[index] ?? "" });
      return { name, rep: column };
    });
  }

  #name(stem: string): string {
    return this.names.fresh({ stem, suffix: "" });
  }

  #fresh(stem: string, rep: Rep): Var {
    return { name: this.#name(stem), rep };
  }
}

function elementOf({ rep }: Var): Rep {
  return rep.kind === "array" ? rep.element : missing();
}

function typeOf(rep: Rep): Type {
  if (rep.kind === "array") return { kind: "array", element: typeOf(rep.element) };
  return rep.kind === "object" ? rep.type : missing();
}

function missing(): never {
  throw new InternalError("flat", "a list lacks a part");
}
