// Activity analysis: which variables hold something that the differentiated inputs can reach. What they cannot has no cotangent, no store, and no
// reverse code. A least fixed point over all procedures; the code of lambdas, which anyone may call, is taken to be called with active arguments.

import { InternalError } from "../internal-error.js";
import type { Leaves } from "../flat/leaves.js";
import { allStmts, boundBy, boundInside } from "../flat/traverse.js";
import { holdsReals, usefulIn } from "../flat/useful.js";
import type { Atom, Block, End, Operation, Procedure, Program, Rep, Stmt, Var } from "../flat/program.js";

/** A parameter's or result's activity, by position. */
interface Interface {
  readonly captured: boolean[];
  readonly params: boolean[];
  readonly results: boolean[];
}

type Call = Stmt & { readonly kind: "call" };

export class Activity {
  readonly #leaves: Leaves;
  readonly #procedures: ReadonlyMap<string, Procedure>;
  readonly #interfaces = new Map<string, Interface>();
  readonly #callers = new Map<string, Set<string>>();
  readonly #active = new Set<string>();
  readonly #pending = new Set<string>();
  /** How many times anything has been found active. */
  #revision = 0;
  readonly #silent: ReadonlyMap<string, readonly boolean[]>;

  /** `inputs`: for each entry's procedure, which of its parameters are differentiated. `silent`: by procedure the parameters whose cotangents are zero by a rule. */
  constructor(
    program: Program,
    leaves: Leaves,
    inputs: ReadonlyMap<string, readonly boolean[]>,
    silent: ReadonlyMap<string, readonly boolean[]> = new Map(),
  ) {
    this.#leaves = leaves;
    this.#silent = silent;
    this.#procedures = new Map(program.procedures.map((procedure) => [procedure.name, procedure]));
    for (const [name, active] of inputs) this.#enter(name, active);
    for (let next = this.#take(); next !== null; next = this.#take()) this.#analyse(next);
    for (const name of this.#interfaces.keys()) this.#dropUseless(this.#procedure(name));
  }

  /** The functions of the caller's whose arguments are active, and whose results would be. */
  readonly unruled = new Set<string>();

  /** Whether a variable is active. */
  has(variable: Var): boolean {
    return this.#active.has(variable.name);
  }

  hasAtom(atom: Atom): boolean {
    return atom.kind === "var" && this.has(atom.variable);
  }

  /** Whether a procedure is called with anything active, or holds it: such a procedure has adjoint code. */
  isActive(name: string): boolean {
    return this.#interfaces.has(name);
  }

  /** Whether a call is one of adjoint code: what it gives has cotangents, or it is given functions, which are called with them. */
  isActiveCall(call: Call): boolean {
    return call.results.some((result) => this.has(result)) || this.#isGivenClosures(call);
  }

  /** The procedures that have adjoint code. */
  procedures(): readonly string[] {
    return [...this.#interfaces.keys()];
  }

  results(name: string): readonly boolean[] {
    return this.#interface(name).results;
  }

  params(name: string): readonly boolean[] {
    return this.#interface(name).params;
  }

  captured(name: string): readonly boolean[] {
    return this.#interface(name).captured;
  }

  /** Whether values of a rep can be active at all. */
  canBeActive(rep: Rep): boolean {
    return rep.kind === "real" || rep.kind === "closure" || this.#leaves.hasStore(rep) || this.#holdsClosure(rep);
  }

  readonly #closureHolders = new Map<string, boolean>();

  #holdsClosure(rep: Rep): boolean {
    if (rep.kind === "closure") return true;
    if (rep.kind === "array") return this.#holdsClosure(rep.element);
    if (rep.kind !== "object" || rep.type.kind !== "data") return false;
    const key = JSON.stringify(rep.type);
    const known = this.#closureHolders.get(key);
    if (known !== undefined) return known;
    this.#closureHolders.set(key, false);
    const holds = this.#leaves.types
      .constructorsOf(rep.type)
      .some(({ fields }) => fields.some((field) => this.#leaves.of(field).some((leaf) => this.#holdsClosure(leaf))));
    this.#closureHolders.set(key, holds);
    return holds;
  }

  /** Functions are active, and so is what holds any: an empty tree of functions is not. */
  #isGivenClosures({ args }: Call): boolean {
    return args.some((arg) => arg.kind === "var" && this.has(arg.variable) && this.#holdsClosure(arg.variable.rep));
  }

  #take(): Procedure | null {
    const [next] = this.#pending;
    if (next === undefined) return null;
    this.#pending.delete(next);
    return this.#procedure(next);
  }

  #procedure(name: string): Procedure {
    const found = this.#procedures.get(name);
    if (found === undefined) throw new InternalError("activity", `there is no procedure ${name}`);
    return found;
  }

  #interface(name: string): Interface {
    const found = this.#interfaces.get(name);
    if (found === undefined) throw new InternalError("activity", `${name} has no adjoint code`);
    return found;
  }

  /** A procedure is called with these parameters active. */
  #enter(name: string, active: readonly boolean[]): Interface {
    const procedure = this.#procedure(name);
    let known = this.#interfaces.get(name);
    if (known === undefined) {
      const isLambda = procedure.kind === "lambda";
      known = {
        captured: procedure.captured.map(() => false),
        params: procedure.params.map(({ rep }) => isLambda && this.canBeActive(rep)),
        results: procedure.results.map((rep) => isLambda && this.canBeActive(rep)),
      };
      this.#interfaces.set(name, known);
      this.#pending.add(name);
    }
    active.forEach((isActive, index) => {
      if (!isActive || known.params[index] === true) return;
      known.params[index] = true;
      this.#pending.add(name);
    });
    return known;
  }

  #analyse(procedure: Procedure): void {
    const own = this.#interface(procedure.name);
    procedure.captured.forEach((variable, index) => { if (own.captured[index] === true) this.#activate(variable); }); // prettier-ignore
    procedure.params.forEach((variable, index) => { if (own.params[index] === true) this.#activate(variable); }); // prettier-ignore
    // Loops carry activity from one round to the next
    let revision: number;
    do {
      revision = this.#revision;
      const results = this.#block(procedure.body, procedure, null);
      results.forEach((isActive, index) => {
        if (!isActive || own.results[index] === true) return;
        own.results[index] = true;
        for (const caller of this.#callers.get(procedure.name) ?? []) this.#pending.add(caller);
      });
    } while (revision !== this.#revision);
  }

  /** What reaches nothing but tests has no cotangent, but for what is passed in: that is decided for all calls. */
  #dropUseless({ body }: Procedure): void {
    const calls = allStmts(body).filter((stmt) => stmt.kind === "call");
    const idle = new Set<Stmt>();
    for (;;) {
      const useful = usefulIn(
        body,
        () => "useful",
        (call, place) => !idle.has(call) && this.#silent.get(call.fn)?.[place] !== true,
      );
      const isUseless = ({ name, rep }: Var): boolean => holdsReals(rep) && !useful.has(name);
      const isIdle = (call: Call): boolean => call.results.every((result) => isUseless(result) || !this.has(result)) && !this.#isGivenClosures(call); // prettier-ignore
      const found = calls.filter((call) => !idle.has(call) && isIdle(call));
      for (const call of found) idle.add(call);
      if (found.length > 0) continue;
      for (const stmt of allStmts(body)) {
        if (stmt.kind === "apply" || (stmt.kind === "call" && !idle.has(stmt))) continue;
        for (const variable of [...boundBy(stmt), ...boundInside(stmt)])
          if (isUseless(variable)) this.#active.delete(variable.name);
      }
      return;
    }
  }

  #activate(variable: Var): void {
    if (this.#active.has(variable.name) || !this.canBeActive(variable.rep)) return;
    this.#active.add(variable.name);
    this.#revision += 1;
  }

  #activateAll(variables: readonly Var[], active: readonly boolean[]): void {
    variables.forEach((variable, index) => { if (active[index] === true) this.#activate(variable); }); // prettier-ignore
  }

  /** The activity of what a block yields; `params` is what the values of `next` go to: the parameters of the loop, then its arrays. */
  #block({ stmts, end }: Block, within: Procedure, params: readonly Var[] | null): readonly boolean[] {
    for (const stmt of stmts) this.#stmt(stmt, within);
    return this.#end(end, within, params);
  }

  #end(end: End, within: Procedure, params: readonly Var[] | null): readonly boolean[] {
    switch (end.kind) {
      case "yield":
        return end.values.map((value) => this.hasAtom(value));
      case "next":
        this.#activateAll(params ?? [], end.values.map((value) => this.hasAtom(value))); // prettier-ignore
        return [];
      case "if":
        return either(this.#block(end.then, within, params), this.#block(end.else, within, params));
      case "switch":
        return end.branches
          .map(({ body }) => this.#block(body, within, params))
          .reduce<readonly boolean[]>((all, some) => either(all, some), []);
    }
  }

  #stmt(stmt: Stmt, within: Procedure): void {
    switch (stmt.kind) {
      case "check":
        return;
      case "let":
        if (this.#operation(stmt.op, within)) this.#activate(stmt.result);
        return;
      case "choose":
        this.#activateAll(stmt.results, this.#end(stmt.end, within, null));
        return;
      case "call": {
        const active = stmt.args.map((arg, place) => this.hasAtom(arg) && this.#silent.get(stmt.fn)?.[place] !== true);
        const isConstant = this.#procedure(stmt.fn).kind === "constant";
        const holdsClosures = stmt.results.some(({ rep }) => this.#holdsClosure(rep));
        if (isConstant ? !holdsClosures : !active.includes(true) && !holdsClosures) return;
        if (!stmt.results.some(({ rep }) => this.canBeActive(rep)) && !this.#isGivenClosures(stmt)) return;
        this.#activateAll(stmt.results, this.#enter(stmt.fn, active).results);
        this.#called(stmt.fn, within);
        return;
      }
      case "apply":
        this.#activateAll(stmt.results, stmt.results.map(({ rep }) => this.canBeActive(rep))); // prettier-ignore
        return;
      case "loop": {
        this.#activateAll(stmt.params, stmt.init.map((value) => this.hasAtom(value))); // prettier-ignore
        this.#activateAll(stmt.results, this.#block(stmt.body, within, [...stmt.params, ...stmt.arrays]));
        return;
      }
      case "for": {
        this.#activateAll(stmt.params, stmt.init.map((value) => this.hasAtom(value))); // prettier-ignore
        const yields = this.#block(stmt.body, within, null);
        this.#activateAll(stmt.params, yields);
        this.#activateAll(stmt.results, stmt.params.map((param) => this.has(param))); // prettier-ignore
        this.#activateAll(stmt.arrays, yields.slice(stmt.params.length));
        return;
      }
    }
  }

  #operation(op: Operation, within: Procedure): boolean {
    switch (op.kind) {
      case "copy":
        return this.hasAtom(op.value);
      case "known":
        return this.hasAtom(op.from);
      case "prim":
        return op.op !== "stop" && op.args.some((arg) => this.hasAtom(arg));
      case "field":
        return this.hasAtom(op.object);
      case "cell":
        return this.hasAtom(op.array);
      case "length":
        return false;
      case "extern":
        if (op.args.some((arg) => this.hasAtom(arg)) && this.canBeActive(op.result)) this.unruled.add(op.fn);
        return false;
      case "object":
        return op.args.some((arg) => this.hasAtom(arg));
      case "array":
        return op.items.some((item) => this.hasAtom(item));
      // A closure is called with active arguments, whatever it holds
      case "closure": {
        const { captured } = this.#enter(op.code, []);
        op.captured.forEach((value, index) => {
          if (!this.hasAtom(value) || captured[index] === true) return;
          captured[index] = true;
          this.#pending.add(op.code);
        });
        this.#called(op.code, within);
        return true;
      }
      case "realStore":
      case "objectStore":
      case "zeroStore":
        return false;
    }
  }

  #called(callee: string, caller: Procedure): void {
    const callers = this.#callers.get(callee) ?? new Set();
    callers.add(caller.name);
    this.#callers.set(callee, callers);
  }
}

function either(a: readonly boolean[], b: readonly boolean[]): readonly boolean[] {
  const longer = a.length >= b.length ? a : b;
  return longer.map((_, index) => a[index] === true || b[index] === true);
}
