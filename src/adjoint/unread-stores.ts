// Stores that nobody reads: those of inactive values where an active one may stand. They collect what goes nowhere, so that one store is enough for all
// iterations of a loop, for all calls of a procedure, and for all runs of a pullback. To make one takes as long as the value is large: a store is made once
// for a value, as far as that can be said, and not wherever the value is used.
//
//   r.. = for .. { .. if c then y, y_ else x, zero store of x }       x_ = zero store of x; r.. = for .. { .. if c then y, y_ else x, x_ }
//   f(x) = .. zero store of x                                         f(x, x_) = .. x_                    and so on to where x is made
//   t = table(); zero store of t                                      tableStore()                        where table is a constant

import type { FlatNames } from "../flat/naming.js";
import { InternalError } from "../internal-error.js";
import { letOf } from "../flat/build.js";
import type { Block, Operation, Procedure, Program, Stmt, Var } from "../flat/program.js";
import { allBlocks, boundBy, boundInside } from "../flat/traverse.js";

/** Where a variable comes from. */
interface Origin {
  /** Where it is bound. */
  readonly block: Block;
  /** Whether it is a value that something else has made, whose store can be handed on with it. */
  readonly isHanded: boolean;
  /** The constant that it is a result of. */
  readonly constant: { readonly procedure: Procedure; readonly index: number } | null;
}

/** A block that is being written. */
interface OpenBlock {
  readonly block: Block;
  readonly out: Stmt[];
  /** By the name of a value its store, which this block has made. */
  readonly made: Map<string, Var>;
}

export class UnreadStores {
  readonly #names: FlatNames;
  readonly #handed: ReadonlySet<string>;
  readonly #origins = new Map<string, Origin>();
  /** The bodies of loops. */
  readonly #bodies = new Set<Block>();
  /** The names of what each iteration of a loop begins with. */
  readonly #ofRounds = new Set<string>();
  /** The bodies of procedures, and the names of those procedures that others call, or hold. */
  readonly #procedures = new Map<Block, string>();
  readonly #called = new Set<string>();
  readonly #open: OpenBlock[] = [];
  readonly #asked = new Set<string>();
  /** By constant and result. */
  readonly #constants = new Map<string, Procedure>();

  /** `handed`: the names of inactive variables that have a store as active ones have. */
  constructor(program: Program, handed: ReadonlySet<string>, names: FlatNames) {
    this.#names = names;
    this.#handed = handed;
    const constants = new Map(program.procedures.flatMap((each) => (each.kind === "constant" ? [[each.name, each]] : []))); // prettier-ignore
    for (const { name, captured, params, body } of program.procedures) {
      this.#procedures.set(body, name);
      for (const variable of [...captured, ...params]) this.#bind(variable, { block: body, isHanded: true, constant: null }); // prettier-ignore
      for (const block of allBlocks(body)) for (const stmt of block.stmts) this.#note(stmt, block, constants);
    }
  }

  /** Whether a variable has a store though it may be inactive. */
  isHanded(variable: Var): boolean {
    return this.#handed.has(variable.name);
  }

  /** The inactive variables, by name, that are to be handed their stores, but have not been. */
  asked(): ReadonlySet<string> {
    return this.#asked;
  }

  /** The stores of constants, constants themselves. */
  constants(): readonly Procedure[] {
    return [...this.#constants.values()];
  }

  /** Writes a block, whose statements go to `out`. */
  within<T>(block: Block, out: Stmt[], write: () => T): T {
    this.#open.push({ block, out, made: new Map() });
    const written = write();
    this.#open.pop();
    return written;
  }

  /** A store for an inactive value, which is there in the innermost open block. */
  of(value: Var): Var {
    const known = this.#open.map(({ made }) => made.get(value.name)).find((store) => store !== undefined);
    if (known !== undefined) return known;
    const origin = this.#origins.get(value.name);
    if (origin === undefined) throw new InternalError("stores", `${value.name} comes from nowhere`);
    if (origin.isHanded) this.#asked.add(value.name);
    const { out, made } = this.#placeFor(origin.block);
    const result = this.#storeVar(value);
    made.set(value.name, result);
    if (origin.constant === null || !this.#isRepeated()) {
      out.push(letOf(result, zeros(value)));
    } else {
      const { name } = this.#constantFor(origin.constant.procedure, origin.constant.index);
      out.push({ kind: "call", fn: name, args: [], results: [result] });
    }
    return result;
  }

  /** The open block that makes the store of a value which `block` binds: the one around the outermost loop that the value comes to from outside. */
  #placeFor(block: Block): OpenBlock {
    const home = this.#open.findIndex((each) => each.block === block);
    const iterations = this.#open.findIndex((each, index) => index > home && this.#bodies.has(each.block));
    const place = this.#open.at(iterations === -1 ? -1 : iterations - 1);
    if (home === -1 || place === undefined) throw new InternalError("stores", "a value is used where it is not there");
    return place;
  }

  /** Whether what is being written may run several times while an exported function runs. */
  #isRepeated(): boolean {
    const [body] = this.#open;
    const name = body === undefined ? undefined : this.#procedures.get(body.block);
    return name === undefined || this.#called.has(name) || this.#open.some(({ block }) => this.#bodies.has(block));
  }

  /** The constant that is the store of a result of another one. */
  #constantFor(procedure: Procedure, index: number): Procedure {
    const key = `${procedure.name} ${index}`;
    const known = this.#constants.get(key);
    if (known !== undefined) return known;
    const values = procedure.results.map((rep): Var => ({ name: this.#names.own("value"), rep }));
    const value = values[index];
    if (value === undefined) throw new InternalError("stores", `${procedure.name} has no result ${index}`);
    const store = this.#storeVar(value);
    const made: Procedure = {
      name: this.#names.fresh({ stem: `${procedure.name}Store`, suffix: "" }),
      definition: procedure.definition,
      captured: [],
      params: [],
      results: [store.rep],
      body: {
        stmts: [{ kind: "call", fn: procedure.name, args: [], results: values }, letOf(store, zeros(value))],
        end: { kind: "yield", values: [{ kind: "var", variable: store }] },
      },
      kind: "constant",
    };
    this.#constants.set(key, made);
    return made;
  }

  #storeVar(value: Var): Var {
    return { name: this.#names.after(value.name, "cotangent"), rep: { kind: "store", of: value.rep } };
  }

  #bind(variable: Var, origin: Origin): void {
    this.#origins.set(variable.name, origin);
  }

  #note(stmt: Stmt, block: Block, constants: ReadonlyMap<string, Procedure>): void {
    if (stmt.kind === "call") this.#called.add(stmt.fn);
    if (stmt.kind === "let" && stmt.op.kind === "closure") this.#called.add(stmt.op.code);
    const procedure = stmt.kind === "call" ? constants.get(stmt.fn) : undefined;
    const isHanded = stmt.kind === "choose" || (stmt.kind === "let" && this.#isPart(stmt.op));
    boundBy(stmt).forEach((variable, index) => {
      this.#bind(variable, { block, isHanded, constant: procedure === undefined ? null : { procedure, index } });
    });
    if (stmt.kind !== "loop" && stmt.kind !== "for") return;
    this.#bodies.add(stmt.body);
    for (const variable of boundInside(stmt)) {
      this.#ofRounds.add(variable.name);
      this.#bind(variable, { block: stmt.body, isHanded: false, constant: null });
    }
  }

  /** Whether an operation gives what another value holds. A loop comes to each element in its turn: there are as many stores as elements anyway. */
  #isPart(op: Operation): boolean {
    if (op.kind === "cell") return op.index.kind !== "var" || !this.#ofRounds.has(op.index.variable.name);
    return op.kind === "copy" || op.kind === "field";
  }
}

function zeros(value: Var): Operation {
  return { kind: "zeroStore", value: { kind: "var", variable: value } };
}
