// Where the variables of a procedure are defined: in which block, of which loop. The reverse sweep asks this when it needs a variable of the forward
// sweep again.

import { location, type Location } from "../location.js";
import { InternalError } from "../internal-error.js";
import type { OpName } from "../core/primitives.js";
import { branchesOf, goesOn } from "../flat/traverse.js";
import type { Atom, Block, End, Operation, Procedure, Stmt, Var } from "../flat/program.js";

export type LoopStmt = Stmt & { readonly kind: "loop" | "for" };

/** A statement that can define one variable by what it has inside. */
export type Sole = Stmt & { readonly kind: "choose" | "for" };

export interface BlockPlace {
  readonly parent: BlockPlace | null;
  /** The innermost loop around it. */
  readonly loop: LoopPlace | null;
  /** Whether it is run in each iteration of its loop, or by its procedure; where there is another iteration; or on some paths only. */
  readonly runs: "always" | "beforeNext" | "sometimes";
  /** Of what is defined in it, what the reverse sweep needs. */
  readonly needed: Set<Definition>;
}

export interface LoopPlace {
  readonly stmt: LoopStmt;
  readonly outside: BlockPlace;
  /** The number of the iteration: of a counted loop its index. */
  readonly iteration: string;
}

export interface Definition {
  readonly variable: Var;
  readonly block: BlockPlace;
  /** Definitions of a block in the order of the program. */
  readonly order: number;
  readonly origin: "parameter" | "captured" | "carried" | "index" | "result" | "saved";
  /** What defines it alone. */
  readonly op: Operation | null;
  /** The choice, or the loop without parameters, that defines it alone. */
  readonly stmt: Sole | null;
  /** Where the statement is from that defines it. */
  readonly at: Location | undefined;
}

/** The places of everything in a procedure. */
export class Places {
  readonly body: BlockPlace;
  readonly #blocks = new Map<Block, BlockPlace>();
  readonly #loops = new Map<LoopStmt, LoopPlace>();
  readonly #definitions = new Map<string, Definition>();
  /** What is computed by a function of one number, by the function and the number. */
  readonly #values = new Map<string, Definition[]>();
  #count = 0;
  #at: Location | undefined = undefined;

  /**
   * `freshIteration` names the number of an iteration where the program has no name for it; of a loop in `atOnce` both sweeps of an iteration are in one place, as if there
   * were no loop.
   */
  constructor(
    procedure: Procedure,
    freshIteration: () => string,
    private readonly atOnce: ReadonlySet<LoopStmt> = new Set(),
  ) {
    this.body = { parent: null, loop: null, runs: "always", needed: new Set() };
    for (const variable of procedure.captured) this.define(variable, this.body, "captured");
    for (const variable of procedure.params) this.define(variable, this.body, "parameter");
    this.#block(procedure.body, this.body, freshIteration);
  }

  block(block: Block): BlockPlace {
    return required(this.#blocks.get(block), "block");
  }

  loop(stmt: LoopStmt): LoopPlace {
    return required(this.#loops.get(stmt), "loop");
  }

  /** Every loop. */
  loops(): readonly LoopStmt[] {
    return [...this.#loops.keys()];
  }

  /** Everything that is defined. */
  definitions(): readonly Definition[] {
    return [...this.#definitions.values()];
  }

  definition(variable: Var): Definition {
    return required(this.#definitions.get(variable.name), variable.name);
  }

  define(
    variable: Var,
    block: BlockPlace,
    origin: Definition["origin"],
    op: Operation | null = null,
    stmt: Sole | null = null,
  ): Definition {
    const definition = { variable, block, order: this.#count++, origin, op, stmt, at: this.#at };
    this.#definitions.set(variable.name, definition);
    const key = op?.kind === "prim" ? valueKey(op.op, op.args) : null;
    if (key !== null) this.#values.set(key, [...(this.#values.get(key) ?? []), definition]);
    return definition;
  }

  /** A variable that is a function of a number, where it is there whenever a block has been run; null where there is none. */
  valueOf(op: OpName, arg: Atom, block: BlockPlace): Var | null {
    const found = this.#values.get(valueKey(op, [arg]) ?? "")?.find((definition) => isAround(definition.block, block));
    return found?.variable ?? null;
  }

  #block(block: Block, place: BlockPlace, freshIteration: () => string): void {
    this.#blocks.set(block, place);
    for (const stmt of block.stmts) this.#stmt(stmt, place, freshIteration);
    this.#end(block.end, place, freshIteration);
  }

  #end(end: End, place: BlockPlace, freshIteration: () => string): void {
    const bodies = branchesOf(end);
    const [next, ...others] = place.runs === "sometimes" ? [] : bodies.filter(goesOn);
    for (const body of bodies) {
      const runs = body === next && others.length === 0 ? "beforeNext" : "sometimes";
      this.#block(body, { parent: place, loop: place.loop, runs, needed: new Set() }, freshIteration);
    }
  }

  #stmt(stmt: Stmt, place: BlockPlace, freshIteration: () => string): void {
    const around = this.#at;
    this.#at = stmt[location] ?? around;
    this.#defined(stmt, place, freshIteration);
    this.#at = around;
  }

  #defined(stmt: Stmt, place: BlockPlace, freshIteration: () => string): void {
    const results = (variables: readonly Var[]): void => {
      for (const variable of variables) this.define(variable, place, "result");
    };
    switch (stmt.kind) {
      case "check":
        return;
      case "let":
        this.define(stmt.result, place, "result", stmt.op);
        return;
      case "choose":
        this.#end(stmt.end, place, freshIteration);
        if (stmt.results.length > 1) results(stmt.results);
        else for (const result of stmt.results) this.define(result, place, "result", null, stmt);
        return;
      case "call":
      case "apply":
        results(stmt.results);
        return;
      case "loop":
      case "for": {
        const iteration = stmt.kind === "for" ? stmt.index.name : freshIteration();
        const loop: LoopPlace = { stmt, outside: place, iteration };
        this.#loops.set(stmt, loop);
        const around = this.atOnce.has(stmt) ? place.loop : loop;
        const body: BlockPlace = { parent: place, loop: around, runs: "always", needed: new Set() };
        if (stmt.kind === "for") this.define(stmt.index, body, "index");
        for (const param of stmt.params) this.define(param, body, "carried");
        this.#block(stmt.body, body, freshIteration);
        if (stmt.kind === "loop" || stmt.params.length > 0 || stmt.arrays.length > 1)
          results([...stmt.results, ...stmt.arrays]);
        else for (const array of stmt.arrays) this.define(array, place, "result", null, stmt);
        return;
      }
    }
  }
}

/** The innermost block around one that is run whenever its procedure is, or an iteration of a loop that both sweeps go through at once. */
export function alwaysAround(block: BlockPlace): BlockPlace {
  return block.runs === "always" || block.parent === null ? block : alwaysAround(block.parent);
}

function valueKey(op: OpName, [arg, ...others]: readonly Atom[]): string | null {
  return arg?.kind === "var" && others.length === 0 ? `${op} ${arg.variable.name}` : null;
}

function isAround(outer: BlockPlace, inner: BlockPlace): boolean {
  for (let block: BlockPlace | null = inner; block !== null; block = block.parent) if (block === outer) return true;
  return false;
}

function required<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw new InternalError("adjoint", `${what} has no place`);
  return found;
}
