// Stores made explicit: beside each active array or object a variable for its cotangents, made where the value is made and handed on where the value
// is handed on. From flat programs to flat programs; what follows saves and restores stores like any other variable.
//
//   x = cell(a, i)                 x = cell(a, i)         x_ = cell(a_, i)               where x has a store
//   x = C(r, t)                    x = C(r, t)            x_ = C_(0, t_)
//   x.. = f(a..)                   x.., x_.. = f!(a.., a_..)                              the active version of f
//   [y] = for ..                   [y] = for ..           y_ = realStore(n)              and an array of stores where the elements have stores
//   r = for (p = a) .. p'          r = for (p = a) .. p_ = realStore(m) .. p'   r_ = realStore(m)    where cotangents are carried back (carried-back.ts)
//   r = if c then a else b         r = if c then a else b                       r_ = zeroStore(r)    likewise
//
// A call's stores that only its reverse sweep is given (given-back.ts) are among its arguments, too.
//
// Where an active value may be one that is not, that one is given a store which nobody reads (unread-stores.ts).

import { InternalError } from "../internal-error.js";
import { location } from "../location.js";
import { letOf } from "../flat/build.js";
import type { Leaves } from "../flat/leaves.js";
import { FlatNames } from "../flat/naming.js";
import type { Atom, Block, End, Operation, Procedure, Program, Rep, Stmt, Var } from "../flat/program.js";
import { locateStmts } from "../flat/locate.js";
import { sameLengths, type SameLengths } from "../flat/same-lengths.js";
import type { Called } from "../typescript/called.js";
import type { Activity } from "./activity.js";
import { CarriedBack, type BackStores } from "./carried-back.js";
import { backStoresIn } from "./given-back.js";
import { UnreadStores } from "./unread-stores.js";

/** The version of a procedure that has adjoint code. */
export interface ActiveProcedure {
  /** With stores as further captured variables, parameters and results, in the order of those that they belong to. */
  readonly procedure: Procedure;
  /** The procedure without. */
  readonly plain: Procedure;
  /** Of the plain procedure's results, which are active. */
  readonly activeResults: readonly boolean[];
  /** By the places of parameters whether they are stores that only the reverse sweep is given. */
  readonly isGivenBack: readonly boolean[];
  /** Of the plain procedure's results, whose stores only the reverse sweep is given. */
  readonly isTakenBack: readonly boolean[];
}

export interface ActiveProgram {
  /** By their names, those of the plain ones with `!`. */
  readonly procedures: ReadonlyMap<string, ActiveProcedure>;
  /** The stores of constants, which are constants. */
  readonly constants: readonly Procedure[];
  readonly activity: Activity;
  readonly leaves: Leaves;
  /** What the names of stores mean, and those of other variables that are called after some. */
  readonly called: ReadonlyMap<string, Called>;
  /** The store of a variable; null where it has none. */
  storeOf(variable: Var): Var | null;
  /** Whether the cotangents of a loop's parameter, or of an array that is chosen, are carried back by the reverse sweep. */
  isCarriedBack(array: Var): boolean;
  /** Whether the reverse sweep makes the stores of the rows that a loop makes. */
  isMadeBack(array: Var): boolean;
}

/** The name of a procedure's active version. */
export function activeName(name: string): string {
  return `${name}!`;
}

/** The name of the procedure that a name is the active version of. */
export function plainName(name: string): string {
  return name.replace(/!$/, "");
}

/** `taken`: the names of the program, `called`: what some of them mean. `isRuled`: whether another procedure is the reverse sweep of one. */
export function withStores(
  program: Program,
  { activity, leaves }: Pick<ActiveProgram, "activity" | "leaves">,
  { taken, called }: { readonly taken: Iterable<string>; readonly called: ReadonlyMap<string, Called> },
  isRuled: (procedure: string) => boolean,
): ActiveProgram {
  const handed = new Set<string>();
  const lengths = sameLengths(program);
  for (;;) {
    const names = new FlatNames(taken, { called });
    const unread = new UnreadStores(program, handed, names);
    const maker = new StoreMaker(program, activity, leaves, names, unread, lengths, isRuled);
    const made = storesMade(program, maker, activity, leaves);
    // Those that hand on a store are handed one in turn
    const asked = unread.asked();
    if (asked.size === 0) return { ...made, constants: unread.constants(), called: names.called };
    for (const name of asked) handed.add(name);
  }
}

function storesMade(
  program: Program,
  maker: StoreMaker,
  activity: Activity,
  leaves: Leaves,
): Omit<ActiveProgram, "constants" | "called"> {
  const procedures = new Map<string, ActiveProcedure>();
  for (const plain of program.procedures) {
    if (activity.isActive(plain.name)) procedures.set(activeName(plain.name), maker.procedure(plain));
  }
  return {
    procedures,
    activity,
    leaves,
    storeOf: (variable) => maker.storeOf(variable),
    isCarriedBack: (array) => maker.isCarriedBack(array),
    isMadeBack: (array) => maker.isMadeBack(array),
  };
}

/** Which of the values that go to the next iteration, and of the elements that an iteration adds to arrays, are to be followed by their stores. */
interface Next {
  readonly carried: readonly boolean[];
  readonly isHanded: readonly boolean[];
}

/** How many elements an array has that a loop carries; where that is not exact, it has at most so many. */
interface CarriedSize {
  readonly atom: Atom;
  readonly isExact: boolean;
}

const noNext: Next = { carried: [], isHanded: [] };

type For = Stmt & { readonly kind: "for" };

class StoreMaker {
  readonly #activity: Activity;
  readonly #leaves: Leaves;
  readonly #names: FlatNames;
  readonly #unread: UnreadStores;
  readonly #procedures: ReadonlyMap<string, Procedure>;
  readonly #lengths: SameLengths;
  readonly #back: BackStores;
  readonly #stores = new Map<string, Var>();
  /** Objects that hold nothing, such as the end of a list: their stores are as plain. */
  readonly #empty = new Map<string, Operation & { readonly kind: "object" }>();
  /** By the names of what is carried back what is known of its procedure. */
  readonly #carriedBack = new Map<string, CarriedBack>();
  /** The arrays of rows whose stores the reverse sweep makes, by name. */
  readonly #madeBack = new Set<string>();

  constructor(
    program: Program,
    activity: Activity,
    leaves: Leaves,
    names: FlatNames,
    unread: UnreadStores,
    lengths: SameLengths,
    isRuled: (procedure: string) => boolean,
  ) {
    this.#activity = activity;
    this.#leaves = leaves;
    this.#names = names;
    this.#unread = unread;
    this.#lengths = lengths;
    this.#procedures = new Map(program.procedures.map((procedure) => [procedure.name, procedure]));
    const isSwept = (name: string): boolean => activity.isActive(name) && !isRuled(name);
    const activeResults = (name: string): readonly boolean[] => activity.results(name);
    this.#back = backStoresIn(program, { isSwept, hasStore: this.#hasStore, activeResults, lengths });
  }

  procedure(plain: Procedure): ActiveProcedure {
    const activeResults = this.#activity.results(plain.name);
    const back = this.#back;
    const carriedBack = new CarriedBack(plain, { hasStore: this.#hasStore, lengths: this.#lengths, back });
    for (const array of [...carriedBack.params, ...carriedBack.chosen]) this.#carriedBack.set(array, carriedBack);
    for (const array of carriedBack.made) this.#madeBack.add(array);
    const isTakenBack = plain.results.map((_, index) => back.isTakenBack(plain.name, index));
    const withStore = plain.results.map((rep, index) => activeResults[index] === true && this.#leaves.hasStore(rep) && isTakenBack[index] !== true); // prettier-ignore
    const procedure: Procedure = {
      ...plain,
      name: activeName(plain.name),
      captured: this.#withStores(plain.captured),
      params: this.#withStores(plain.params),
      results: [...plain.results, ...plain.results.filter((_, index) => withStore[index]).map(storeRep)],
      body: this.#block(plain.body, withStore),
    };
    const given = plain.params.filter((_, index) => back.isGivenBack(plain.name, index));
    const stores = new Set(this.#storesOf(given).map(({ name }) => name));
    return { procedure, plain, activeResults, isGivenBack: procedure.params.map(({ name }) => stores.has(name)), isTakenBack }; // prettier-ignore
  }

  readonly #hasStore = (variable: Var): boolean =>
    (this.#activity.has(variable) || this.#unread.isHanded(variable)) && this.#leaves.hasStore(variable.rep);

  storeOf(variable: Var): Var | null {
    if (!this.#hasStore(variable)) return null;
    const known = this.#stores.get(variable.name);
    if (known !== undefined) return known;
    const store = this.#madeFor(variable);
    this.#stores.set(variable.name, store);
    return store;
  }

  #madeFor({ name, rep }: Var): Var {
    return { name: this.#names.after(name, "cotangent"), rep: storeRep(rep) };
  }

  isCarriedBack(array: Var): boolean {
    return this.#carriedBack.has(array.name);
  }

  isMadeBack(array: Var): boolean {
    return this.#madeBack.has(array.name);
  }

  #procedure(name: string): Procedure {
    const found = this.#procedures.get(name);
    if (found === undefined) throw new InternalError("stores", `there is no procedure ${name}`);
    return found;
  }

  #withStores(variables: readonly Var[]): readonly Var[] {
    return [...variables, ...this.#storesOf(variables)];
  }

  #storesOf(variables: readonly Var[]): readonly Var[] {
    return variables.flatMap((variable) => this.storeOf(variable) ?? []);
  }

  /** The stores that values hand to the variables or positions that `wanted` says have one; new ones for values that have none. */
  #handed(values: readonly Atom[], wanted: readonly boolean[], stmts: Stmt[]): readonly Atom[] {
    return values.flatMap((value, index) => (wanted[index] === true ? [this.#storeFor(value, stmts)] : []));
  }

  #storeFor(value: Atom, stmts: Stmt[]): Atom {
    if (value.kind !== "var") throw new InternalError("stores", "a literal has no store");
    const store = this.storeOf(value.variable);
    if (store !== null) return { kind: "var", variable: store };
    const made = this.#empty.get(value.variable.name);
    if (made === undefined) return { kind: "var", variable: this.#unread.of(value.variable) };
    const fresh = this.#madeFor(value.variable);
    stmts.push(letOf(fresh, { kind: "objectStore", type: made.type, con: made.con, args: [] }));
    return { kind: "var", variable: fresh };
  }

  #haveStores(variables: readonly Var[]): readonly boolean[] {
    return variables.map((variable) => this.storeOf(variable) !== null);
  }

  /** `yields`: which of the values that the block yields are to be followed by their stores. */
  #block(block: Block, yields: readonly boolean[], next: Next = noNext): Block {
    return this.#written(block, (out) => this.#end(block.end, yields, next, out));
  }

  #written(block: Block, writeEnd: (out: Stmt[]) => End): Block {
    const out: Stmt[] = [];
    const end = this.#unread.within(block, out, () => {
      for (const stmt of block.stmts) this.#stmt(stmt, out);
      return writeEnd(out);
    });
    return { end, stmts: out };
  }

  #end(end: End, yields: readonly boolean[], next: Next, stmts: Stmt[]): End {
    switch (end.kind) {
      case "yield":
        return { ...end, values: [...end.values, ...this.#handed(end.values, yields, stmts)] };
      case "next":
        return { ...end, values: this.#iteration(end.values, next, stmts) };
      case "if":
        return { ...end, then: this.#block(end.then, yields, next), else: this.#block(end.else, yields, next) };
      case "switch":
        return {
          ...end,
          branches: end.branches.map(({ con, body }) => ({ con, body: this.#block(body, yields, next) })),
        };
    }
  }

  #stmt(stmt: Stmt, out: Stmt[]): void {
    const before = out.length;
    this.#withOwnStores(stmt, out);
    locateStmts(out, before, stmt[location]);
  }

  #withOwnStores(stmt: Stmt, out: Stmt[]): void {
    switch (stmt.kind) {
      case "check":
        out.push(stmt);
        return;
      case "let":
        this.#let(stmt, out);
        return;
      case "choose": {
        const [back, others] = [true, false].map((is) => stmt.results.filter((result) => this.isCarriedBack(result) === is)); // prettier-ignore
        const isHanded = stmt.results.map((result) => this.storeOf(result) !== null && !this.isCarriedBack(result));
        const end = this.#end(stmt.end, isHanded, noNext, out);
        out.push({ ...stmt, results: [...stmt.results, ...this.#storesOf(others ?? [])], end });
        for (const result of back ?? []) out.push(this.#carriedStore(result, null));
        return;
      }
      case "call":
        this.#call(stmt, out);
        return;
      case "apply": {
        const wanted = stmt.args.map((arg) => arg.kind === "var" && this.#leaves.hasStore(arg.variable.rep));
        const args = [...stmt.args, ...this.#handed(stmt.args, wanted, out)];
        out.push({ ...stmt, args, results: this.#withStores(stmt.results) });
        return;
      }
      case "loop":
        this.#loop(stmt, out);
        return;
      case "for":
        this.#for(stmt, out);
        return;
    }
  }

  #call(stmt: Stmt & { readonly kind: "call" }, out: Stmt[]): void {
    if (!this.#activity.isActiveCall(stmt)) {
      out.push(stmt);
      return;
    }
    const wanted = this.#haveStores(this.#procedure(stmt.fn).params);
    const args = [...stmt.args, ...this.#handed(stmt.args, wanted, out)];
    const isTaken = (_: Var, index: number): boolean => this.#back.isTakenBack(stmt.fn, index);
    const given = this.#storesOf(stmt.results.filter((result, index) => !isTaken(result, index)));
    out.push({ ...stmt, fn: activeName(stmt.fn), args, results: [...stmt.results, ...given] });
    for (const result of stmt.results.filter(isTaken)) out.push(this.#carriedStore(result, null));
  }

  #loop(stmt: Stmt & { readonly kind: "loop" }, out: Stmt[]): void {
    const next = this.#next(stmt);
    const init = [...stmt.init, ...this.#handed(stmt.init, next.carried, out)];
    const body = this.#block(stmt.body, this.#haveStores(stmt.results), next);
    const [params, results] = [this.#withStores(stmt.params), this.#withStores(stmt.results)];
    const { arrays, later } = this.#arrays(stmt.arrays, null);
    out.push({ ...stmt, params, init, body, results, arrays }, ...later);
  }

  #for(stmt: For, out: Stmt[]): void {
    const next = this.#next(stmt);
    const init = [...stmt.init, ...this.#handed(stmt.init, next.carried, out)];
    const inner = this.#forBody(stmt.body, next);
    const isBack = stmt.params.map((param) => this.isCarriedBack(param));
    const sizes = stmt.params.map((_, index) => (isBack[index] === true ? this.#sizeOf(stmt, index, out) : null));
    const storesOf = (arrays: readonly Var[], isFine: (size: CarriedSize) => boolean): readonly Stmt[] =>
      arrays.flatMap((array, index) => {
        const size = sizes[index] ?? null;
        return isBack[index] === true ? [this.#carriedStore(array, size !== null && isFine(size) ? size.atom : null)] : []; // prettier-ignore
      });
    const inIterations = storesOf(stmt.params, () => true);
    // In front of the stores of their rows
    const body: Block = { ...inner, stmts: [...inIterations, ...inner.stmts] };
    const isOn = (_: Var, index: number): boolean => isBack[index] !== true;
    const params = [...stmt.params, ...this.#storesOf(stmt.params.filter(isOn))];
    const results = [...stmt.results, ...this.#storesOf(stmt.results.filter(isOn))];
    const { arrays, later } = this.#arrays(stmt.arrays, stmt.count);
    out.push(
      { ...stmt, params, init, body, results, arrays },
      ...later,
      ...storesOf(stmt.results, ({ isExact }) => isExact),
    );
  }

  /** How large the stores of an array that a loop carries may be, as a number from in front of the loop; null where no such number is known. */
  #sizeOf(stmt: For, index: number, out: Stmt[]): CarriedSize | null {
    const sizes = this.#carriedBack.get(stmt.params[index]?.name ?? "")?.sizesOf(stmt, index) ?? [];
    const [first, ...others] = sizes.map((size) => (size.kind === "count" ? size.atom : this.#lengthOf(size.array, out))); // prettier-ignore
    if (first === undefined) return null;
    const atom = others.reduce((most, size): Atom => {
      const result: Var = { name: this.#names.own("size"), rep: { kind: "int" } };
      out.push(letOf(result, { kind: "prim", op: "maxZ", args: [most, size], site: null }));
      return { kind: "var", variable: result };
    }, first);
    return { atom, isExact: others.length === 0 };
  }

  /** What makes the store of an array that is carried back: in one iteration, behind the loop, or behind the choice. */
  #carriedStore(array: Var, size: Atom | null): Stmt {
    const store = this.storeOf(array);
    if (store === null) throw new InternalError("stores", "what is carried back has no store");
    if (size !== null) return storeMade(store, size);
    return letOf(store, { kind: "zeroStore", value: { kind: "var", variable: array } });
  }

  #lengthOf(array: Var, out: Stmt[]): Atom {
    const length: Var = { name: this.#names.own("size"), rep: { kind: "int" } };
    out.push(letOf(length, { kind: "length", array: { kind: "var", variable: array } }));
    return { kind: "var", variable: length };
  }

  #next(stmt: Stmt & { readonly kind: "loop" | "for" }): Next {
    const isHanded = stmt.arrays.map(
      (array) => this.storeOf(array) !== null && elementOf(array.rep).kind !== "real" && !this.isMadeBack(array),
    );
    const carried = stmt.params.map((param) => this.storeOf(param) !== null && !this.isCarriedBack(param));
    return { carried, isHanded };
  }

  /**
   * The arrays that a loop makes, with those of their elements' stores; and what makes the other stores when the loop is done: those of reals, and those of
   * rows where the reverse sweep has them for itself. `count`: how many elements there are, where that is known beforehand.
   */
  #arrays(
    arrays: readonly Var[],
    count: Atom | null,
  ): { readonly arrays: readonly Var[]; readonly later: readonly Stmt[] } {
    const stores: Var[] = [];
    const later: Stmt[] = [];
    for (const array of arrays) {
      const store = this.storeOf(array);
      if (store === null) continue;
      if (elementOf(array.rep).kind !== "real") {
        if (this.isMadeBack(array)) later.push(this.#carriedStore(array, null));
        else stores.push(store);
        continue;
      }
      if (count !== null) {
        later.push(storeMade(store, count));
        continue;
      }
      const size = this.#lengthOf(array, later);
      later.push(storeMade(store, size));
    }
    return { arrays: [...arrays, ...stores], later };
  }

  /** What an iteration hands on: the next values, their stores, the elements, and the stores of elements that have one. */
  #iteration(values: readonly Atom[], { carried, isHanded }: Next, stmts: Stmt[]): readonly Atom[] {
    const [next, elements] = [values.slice(0, carried.length), values.slice(carried.length)];
    const nextStores = this.#handed(next, carried, stmts);
    const elementStores = this.#handed(elements, isHanded, stmts);
    return [...next, ...nextStores, ...elements, ...elementStores];
  }

  #forBody(body: Block, next: Next): Block {
    return this.#written(body, (out) => this.#forEnd(body.end, next, out));
  }

  #forEnd(end: End, next: Next, stmts: Stmt[]): End {
    const inner = (block: Block): Block => this.#forBody(block, next);
    switch (end.kind) {
      case "yield":
        return { ...end, values: this.#iteration(end.values, next, stmts) };
      case "if":
        return { ...end, then: inner(end.then), else: inner(end.else) };
      case "switch":
        return { ...end, branches: end.branches.map(({ con, body }) => ({ con, body: inner(body) })) };
      case "next":
        throw new InternalError("stores", "a counted loop has no next iteration of its own");
    }
  }

  #let(stmt: Stmt & { readonly kind: "let" }, out: Stmt[]): void {
    const { result, op } = stmt;
    if (op.kind === "closure") {
      const captured = this.#activeCaptured(op, out);
      out.push({ ...stmt, op: { kind: "closure", code: activeName(op.code), captured } });
      return;
    }
    out.push(stmt);
    if (op.kind === "object" && op.args.length === 0) this.#empty.set(result.name, op);
    const store = this.storeOf(result);
    if (store !== null) out.push(letOf(store, this.#storeOperation(op, out)));
  }

  /** The captured values with their stores, as the active lambda's captured variables ask for. */
  #activeCaptured(op: Operation & { readonly kind: "closure" }, out: Stmt[]): readonly Atom[] {
    const wanted = this.#haveStores(this.#procedure(op.code).captured);
    return [...op.captured, ...this.#handed(op.captured, wanted, out)];
  }

  #storeOperation(op: Operation, out: Stmt[]): Operation {
    switch (op.kind) {
      case "copy":
        return { kind: "copy", value: this.#storeFor(op.value, out) };
      case "field":
        return { ...op, object: this.#storeFor(op.object, out) };
      case "cell":
        return { ...op, array: this.#storeFor(op.array, out) };
      case "array": {
        if (op.element.kind === "real") return { kind: "realStore", size: { kind: "int", value: op.items.length } };
        const items = op.items.map((item) => this.#storeFor(item, out));
        return { kind: "array", element: storeRep(op.element), items };
      }
      case "object": {
        const args = op.args.map((arg) =>
          arg.kind === "var" && this.#leaves.hasStore(arg.variable.rep) ? this.#storeFor(arg, out) : null,
        );
        return { kind: "objectStore", type: op.type, con: op.con, args };
      }
      case "prim":
      case "known":
      case "length":
      case "extern":
      case "closure":
      case "realStore":
      case "objectStore":
      case "zeroStore":
        throw new InternalError("stores", `the result of ${op.kind} has no store`);
    }
  }
}

/** What makes a store of zeros for as many reals as a number says. */
function storeMade(store: Var, size: Atom): Stmt {
  return letOf(store, { kind: "realStore", size });
}

function storeRep(rep: Rep): Rep {
  return { kind: "store", of: rep };
}

export function elementOf(rep: Rep): Rep {
  if (rep.kind === "array") return rep.element;
  if (rep.kind === "store" && rep.of.kind === "array") return storeRep(rep.of.element);
  throw new InternalError("adjoint", `a ${rep.kind} has no elements`);
}
