// Which numbers, and arrays of such, reach more than tests: a derivative may ask for their cotangents. Of one that is only ever compared, or carried by a loop for that,
// the cotangent is zero.

import type { Atom, Block, End, Operation, Rep, Stmt, Var } from "./program.js";

/** Where a value goes: to a variable, or to something that makes it useful. */
export type Use = Var | "useful";

type Call = Stmt & { readonly kind: "call" };

/** Whether values are numbers, or arrays of such: of others it is not asked whether they are useful. */
export function holdsReals(rep: Rep): boolean {
  return rep.kind === "real" || (rep.kind === "array" && holdsReals(rep.element));
}

/**
 * The names of the variables of a block that are numbers, or arrays of such, and are useful; `yielded` says where what it yields goes, by position. What `idle` calls are given is
 * not useful for that.
 */
export function usefulIn(
  block: Block,
  yielded: (position: number) => Use,
  isUsed: (call: Call, position: number) => boolean = () => true,
): ReadonlySet<string> {
  const flow = new Flow(isUsed);
  flow.block(block, { yields: yielded, next: () => "useful" });
  return flow.useful;
}

/** Where the values go that a block ends in. */
interface Ends {
  readonly yields: (position: number) => Use;
  readonly next: (position: number) => Use;
}

class Flow {
  readonly useful = new Set<string>();
  /** By the name of a variable those that it is made of. */
  readonly #sources = new Map<string, string[]>();
  readonly #isUsed: (call: Call, position: number) => boolean;

  constructor(isUsed: (call: Call, position: number) => boolean) {
    this.#isUsed = isUsed;
  }

  block({ stmts, end }: Block, ends: Ends): void {
    for (const stmt of stmts) this.#stmt(stmt);
    this.#end(end, ends);
  }

  #end(end: End, ends: Ends): void {
    switch (end.kind) {
      case "yield":
      case "next": {
        const to = end.kind === "yield" ? ends.yields : ends.next;
        end.values.forEach((value, position) => { this.#goes(value, to(position)); }); // prettier-ignore
        return;
      }
      case "if":
        this.block(end.then, ends);
        this.block(end.else, ends);
        return;
      case "switch":
        for (const { body } of end.branches) this.block(body, ends);
    }
  }

  #stmt(stmt: Stmt): void {
    switch (stmt.kind) {
      case "check":
        return;
      case "let":
        this.#let(stmt.result, stmt.op);
        return;
      case "choose":
        this.#end(stmt.end, { yields: into(stmt.results), next: into([]) });
        return;
      case "call":
        stmt.args.forEach((arg, position) => { if (this.#isUsed(stmt, position)) this.#goes(arg, "useful"); }); // prettier-ignore
        return;
      case "apply":
        for (const arg of stmt.args) this.#goes(arg, "useful");
        return;
      case "loop":
        stmt.init.forEach((value, place) => { this.#goes(value, into(stmt.params)(place)); }); // prettier-ignore
        this.block(stmt.body, { yields: into(stmt.results), next: into([...stmt.params, ...stmt.arrays]) });
        return;
      case "for":
        stmt.init.forEach((value, place) => { this.#goes(value, into(stmt.params)(place)); }); // prettier-ignore
        stmt.results.forEach((result, place) => { this.#goes({ kind: "var", variable: stmt.params[place] ?? result }, result); }); // prettier-ignore
        // What goes back from one iteration to the one before begins with what comes back from the last
        stmt.params.forEach((param, place) => { if (param.rep.kind === "array") this.#carriedBack(param, stmt.results[place]); }); // prettier-ignore
        this.block(stmt.body, { yields: into([...stmt.params, ...stmt.arrays]), next: into([]) });
    }
  }

  #let(result: Var, op: Operation): void {
    switch (op.kind) {
      case "copy":
        this.#goes(op.value, result);
        return;
      case "known":
        this.#goes(op.from, result);
        return;
      case "prim":
        if (result.rep.kind === "real" && op.op !== "stop") for (const arg of op.args) this.#goes(arg, result);
        return;
      case "object":
      case "objectStore":
        for (const arg of op.args) if (arg !== null) this.#goes(arg, "useful");
        return;
      case "array":
        for (const item of op.items) this.#goes(item, holdsReals(result.rep) ? result : "useful");
        return;
      case "cell":
        this.#goes(op.array, holdsReals(result.rep) ? result : "useful");
        return;
      case "closure":
        for (const value of op.captured) this.#goes(value, "useful");
        return;
      case "field":
      case "length":
      case "extern":
      case "realStore":
      case "zeroStore":
        return;
    }
  }

  #carriedBack(param: Var, result: Var | undefined): void {
    if (result !== undefined) this.#goes({ kind: "var", variable: result }, param);
  }

  #goes(value: Atom, to: Use): void {
    if (value.kind !== "var" || !holdsReals(value.variable.rep)) return;
    const { name } = value.variable;
    if (to === "useful" || this.useful.has(to.name)) {
      this.#mark(name);
      return;
    }
    const sources = this.#sources.get(to.name);
    if (sources === undefined) this.#sources.set(to.name, [name]);
    else sources.push(name);
  }

  #mark(name: string): void {
    const waiting = [name];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (this.useful.has(next)) continue;
      this.useful.add(next);
      waiting.push(...(this.#sources.get(next) ?? []));
    }
  }
}

/** Values go to variables, in order; those behind them, the elements of arrays, are useful. */
function into(variables: readonly Var[]): (position: number) => Use {
  return (position) => variables[position] ?? "useful";
}
