// Recursion to iteration with an explicit stack of what is live across the call.
//
// Procedures that call themselves at most once become two loops, so that they recurse as deep as memory allows:
//
//   sum l = switch l { Nil -> yield 0; Cons -> x = ..; xs = ..; t = sum(xs); r = x + t; yield r }
//     =>   end, [xSaved] = loop (l = l0) switch l { Nil -> yield 0; Cons -> x = ..; xs = ..; next xs, x }
//          result = for k < length xSaved (t = end) { x = xSaved ! (length xSaved - 1 - k); r = x + t; yield r }
//
// The first goes down and saves what is needed after the call, the second comes up again with the results.

import { keyOf } from "../key.js";
import { atomOf, intAtom, letOf, sameAtom } from "./build.js";
import { freeVariables } from "./free-variables.js";
import { descend, type Site } from "./levels.js";
import { mergedRecursion } from "./mutual-recursion.js";
import { Copy } from "./copy.js";
import { FlatNames } from "./naming.js";
import { bool, int, type Atom, type Block, type Operation, type Procedure, type Program, type Rep, type Stmt, type Var } from "./program.js"; // prettier-ignore
import { allNames, mapEnds } from "./traverse.js";

/** The program, with the same meaning. `names` are those of the program. */
export function linearRecursion(program: Program, names = new FlatNames(allNames(program))): Program {
  const merged = mergedRecursion(program, names);
  const procedures = program.procedures.map((procedure) => {
    const together = merged.get(procedure.name);
    return unroll(together ?? procedure, names) ?? procedure;
  });
  return { ...program, procedures };
}

/** A procedure as two loops; null where it does not call itself, or not in this way. */
function unroll(procedure: Procedure, names: FlatNames): Procedure | null {
  const levels = descend(procedure, names);
  if (levels === null || levels.sites.length === 0) return null;
  return new Unrolling(procedure, levels.sites, names).procedure(levels.down);
}

/** An array in which each level saves a value. */
interface Column {
  readonly name: string;
  readonly rep: Rep;
}

/** What is saved at a call: a variable for each column, null where the column is another call's. */
type Row = readonly (Var | null)[];

/** Calls after which the same is done, with values of their own. */
interface Kind {
  readonly sites: readonly Site[];
  /** What each of them saves, in the same order. */
  readonly saved: ReadonlyMap<Site, readonly Var[]>;
}

class Unrolling {
  /** Parameters that no call changes. */
  readonly #fixed: ReadonlySet<string>;
  readonly #before: Stmt[] = [];
  readonly #kinds: readonly Kind[];

  constructor(
    private readonly source: Procedure,
    private readonly sites: readonly Site[],
    private readonly names: FlatNames,
  ) {
    const fixed = source.params.filter((param, index) =>
      sites.every(({ args }) => {
        const arg = args[index];
        return arg !== undefined && sameAtom(arg, atomOf(param));
      }),
    );
    this.#fixed = new Set(fixed.map(({ name }) => name));
    this.#kinds = this.#kindsOf(sites);
  }

  procedure(down: Block): Procedure | null {
    const { params } = this.source;
    const outer = params.map((param) => (this.#fixed.has(param.name) ? param : this.#fresh(param.name, param.rep)));
    const isVarying = (_: unknown, index: number): boolean => !this.#fixed.has(params[index]?.name ?? "");
    const inner = params.filter(isVarying);
    const init = outer.filter(isVarying).map(atomOf);

    const { columns, rows } = this.#table();
    const fillers = columns.map((column) => this.#filler(column));
    if ([...rows.values()].some((row) => row.some((saved, at) => saved === null && fillers[at] === null))) return null;
    const needsTag = this.#kinds.length > 1 && this.sites.some(({ isTail }) => !isTail);
    const nexts = new Map(
      this.#kinds.flatMap(({ sites }, kind) =>
        sites.map((site) => {
          const saved = (rows.get(site) ?? []).map((variable, at) =>
            variable === null ? (fillers[at] ?? intAtom(0)) : atomOf(variable),
          );
          return [site.end, [...site.args.filter(isVarying), ...saved, ...(needsTag ? [this.#tag(kind)] : [])]];
        }),
      ),
    );

    const isLoop = this.sites.every(({ isTail }) => isTail);
    const counts = !isLoop && columns.length === 0 && !needsTag;
    // Where nothing is saved, the levels are counted
    const depth = this.#fresh("depth", int);
    const deeper = this.#fresh("depth", int);
    const body = mapEnds(down, (end) => {
      const values = nexts.get(end);
      if (values === undefined) return counts ? { kind: "yield", values: [...end.values, atomOf(depth)] } : end;
      return { kind: "next", values: counts ? [...values, atomOf(deeper)] : values };
    });
    const step: Operation = { kind: "prim", op: "addZ", args: [atomOf(depth), intAtom(1)], site: null };
    const arrays = columns.map(({ name, rep }) => this.#array(name, rep));
    const tags = needsTag ? [this.#array("call", this.#tagRep())] : [];
    const ends = this.source.results.map((rep) => this.#fresh("end", rep));
    const iterations = counts ? [this.#fresh("depth", int)] : [];
    const stmts: Stmt[] = [
      ...this.#before,
      {
        kind: "loop",
        params: counts ? [...inner, depth] : inner,
        init: counts ? [...init, intAtom(0)] : init,
        body: counts ? { stmts: [letOf(deeper, step), ...body.stmts], end: body.end } : body,
        results: [...ends, ...iterations],
        arrays: [...arrays, ...tags],
      },
    ];
    const results = isLoop ? ends : this.#up(ends, [...arrays, ...tags], iterations, rows, stmts);
    return { ...this.source, params: outer, body: { stmts, end: { kind: "yield", values: results.map(atomOf) } } };
  }

  /** The way up; the results. */
  #up(
    ends: readonly Var[],
    arrays: readonly Var[],
    iterations: readonly Var[],
    rows: ReadonlyMap<Site, Row>,
    out: Stmt[],
  ): readonly Var[] {
    const [firstArray] = arrays;
    let [count] = iterations;
    if (count === undefined) {
      count = this.#fresh("depth", int);
      if (firstArray !== undefined) out.push(letOf(count, { kind: "length", array: atomOf(firstArray) }));
    }
    const last = this.#fresh("last", int);
    out.push(letOf(last, { kind: "prim", op: "subZ", args: [atomOf(count), intAtom(1)], site: null }));
    const [index, level] = [this.#fresh("up", int), this.#fresh("level", int)];
    const place = letOf(level, { kind: "prim", op: "subZ", args: [atomOf(last), atomOf(index)], site: null });
    const params = ends.map(({ rep }, at) => this.#fresh(this.sites[0]?.results[at]?.name ?? "end", rep));
    const branches = this.#kinds.flatMap(({ sites: [site] }) =>
      site === undefined ? [] : [this.#branch(site, rows.get(site) ?? [], arrays, level, params)],
    );
    const body = this.#choice(branches, arrays.at(-1), level);
    const results = ends.map(({ rep }) => this.#fresh("result", rep));
    const loop: Stmt = {
      kind: "for",
      index,
      count: atomOf(count),
      params,
      init: ends.map(atomOf),
      body: { stmts: [place, ...body.stmts], end: body.end },
      results,
      arrays: [],
    };
    out.push(loop);
    return results;
  }

  /** What is done after a call, with what was saved before it. */
  #branch(site: Site, row: Row, arrays: readonly Var[], level: Var, params: readonly Var[]): Block {
    const known = new Map<string, Atom>();
    const cells: Stmt[] = [];
    row.forEach((saved, at) => {
      const array = arrays[at];
      if (saved === null || array === undefined) return;
      const read = this.#fresh(saved.name, saved.rep);
      known.set(saved.name, atomOf(read));
      cells.push(letOf(read, { kind: "cell", array: atomOf(array), index: atomOf(level) }));
    });
    site.results.forEach(({ name }, at) => {
      const param = params[at];
      if (param !== undefined) known.set(name, atomOf(param));
    });
    const { stmts, end } = new Copy(null, known).block(site.after);
    return { stmts: [...cells, ...stmts], end };
  }

  /** The branch of the call that was made at a level. */
  #choice(branches: readonly Block[], tags: Var | undefined, level: Var): Block {
    const [first, second, ...others] = branches;
    if (first === undefined || second === undefined || tags === undefined)
      return first ?? { stmts: [], end: { kind: "yield", values: [] } };
    const tag = this.#fresh("call", this.#tagRep());
    const read = letOf(tag, { kind: "cell", array: atomOf(tags), index: atomOf(level) });
    if (others.length === 0)
      return { stmts: [read], end: { kind: "if", cond: atomOf(tag), then: first, else: second } };
    const choice = branches.slice(0, -1).reduceRight<Block>(
      (rest, branch) => {
        const is = this.#fresh("isCall", bool);
        const at = branches.indexOf(branch);
        const test = letOf(is, { kind: "prim", op: "eqZ", args: [atomOf(tag), intAtom(at)], site: null });
        return { stmts: [test], end: { kind: "if", cond: atomOf(is), then: branch, else: rest } };
      },
      branches.at(-1) ?? first,
    );
    return { stmts: [read, ...choice.stmts], end: choice.end };
  }

  #kindsOf(sites: readonly Site[]): readonly Kind[] {
    const kinds = new Map<string, { readonly sites: Site[]; readonly saved: Map<Site, readonly Var[]> }>();
    for (const site of sites) {
      const given = new Set(site.results.map(({ name }) => name));
      const saved = [...freeVariables(site.after)].filter(({ name }) => !given.has(name) && !this.#fixed.has(name));
      const key = withoutNames(site, saved);
      const kind = kinds.get(key) ?? { sites: [], saved: new Map<Site, readonly Var[]>() };
      kind.sites.push(site);
      kind.saved.set(site, saved);
      kinds.set(key, kind);
    }
    return [...kinds.values()];
  }

  /** The columns, and which of them each call saves its variables in. */
  #table(): { readonly columns: readonly Column[]; readonly rows: ReadonlyMap<Site, Row> } {
    const columns: (Column & { readonly key: string })[] = [];
    const placed = new Map<Site, ReadonlyMap<number, Var>>();
    for (const { sites, saved } of this.#kinds) {
      const [first] = sites;
      const taken: number[] = [];
      for (const { name, rep } of (first === undefined ? undefined : saved.get(first)) ?? []) {
        const key = keyOf(rep);
        const free = columns.findIndex((column, at) => column.key === key && !taken.includes(at));
        if (free === -1) columns.push({ name, rep, key });
        taken.push(free === -1 ? columns.length - 1 : free);
      }
      for (const [site, variables] of saved)
        placed.set(site, new Map(variables.flatMap((variable, at) => taken.slice(at, at + 1).map((column) => [column, variable])))); // prettier-ignore
    }
    const rowOf = (places: ReadonlyMap<number, Var>): Row => columns.map((_, at) => places.get(at) ?? null);
    return { columns, rows: new Map([...placed].map(([site, places]) => [site, rowOf(places)])) };
  }

  /** What a call saves that needs a column less than others; null where there is nothing of that kind. */
  #filler({ rep }: Column): Atom | null {
    switch (rep.kind) {
      case "real":
        return { kind: "real", value: 0 };
      case "int":
        return intAtom(0);
      case "bool":
        return { kind: "bool", value: false };
      default: {
        const param = this.source.params.find((one) => keyOf(one.rep) === keyOf(rep));
        if (param !== undefined) return atomOf(param);
        if (rep.kind !== "array") return null;
        const empty = this.#fresh("none", rep);
        this.#before.push(letOf(empty, { kind: "array", element: rep.element, items: [] }));
        return atomOf(empty);
      }
    }
  }

  #tagRep(): Rep {
    return this.#kinds.length === 2 ? bool : int;
  }

  #tag(kind: number): Atom {
    return this.#kinds.length === 2 ? { kind: "bool", value: kind === 0 } : intAtom(kind);
  }

  #array(name: string, element: Rep): Var {
    return { name: this.names.after(name, "saved"), rep: { kind: "array", element } };
  }

  #fresh(stem: string, rep: Rep): Var {
    return { name: this.names.fresh({ stem, suffix: "" }), rep };
  }
}

/** What is done after a call, in a form that is the same for calls after which the same is done with others of the `saved` values. */
function withoutNames({ after, results }: Site, saved: readonly Var[]): string {
  let count = 0;
  const fresh = (): string => `#${count++}`;
  const instead = ({ rep }: Var): Atom => atomOf({ name: fresh(), rep });
  const atoms = new Map([...results, ...saved].map((variable) => [variable.name, instead(variable)]));
  return keyOf(new Copy({ fresh }, atoms).block(after));
}
