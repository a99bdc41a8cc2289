// Parameters that reverse sweeps of procedures get from their callers, stores among them, in place of taking them off the tape: what a call has been given
// the reverse sweep of the caller gives it again.
//
//   f(e, e_) = .. f(e.left, e_.left) ..          f reverse(e, e_, result_) { .. f reverse(e.left, e_.left, ..) .. }
//
// Within recursion a caller passes what it has at hand: what it is passed itself, or computes of that in a few operations. A caller from outside saves what
// it passes, if need be: once for all the calls below it, where each of these would have saved it. Functions that are called as values take all they need off
// the tape.

import { InternalError } from "../internal-error.js";
import { cheapEnough, operationCost } from "../flat/costs.js";
import type { Atom, Procedure, Stmt, Var } from "../flat/program.js";
import { allBlocks, allStmts, operands } from "../flat/traverse.js";
import type { CallGraph } from "./call-graph.js";
import { Places } from "./places.js";
import type { ActiveProcedure, ActiveProgram } from "./stores.js";

type Call = Stmt & { readonly kind: "call" };

/** By the names of active procedures some of their parameters' names. */
type Parameters = ReadonlyMap<string, ReadonlySet<string>>;

export class PassedBack {
  /** The procedures that are called by name. */
  readonly #passable: Parameters;
  readonly #wanted: Parameters;

  private constructor(passable: Parameters, wanted: Parameters) {
    this.#passable = passable;
    this.#wanted = wanted;
  }

  /**
   * `neededBy`: of which variables the reverse sweep of a procedure makes use, when all reverse sweeps are passed something. It is asked again about the
   * callers of a procedure that turns out to need more: what they pass to it they need, too.
   */
  static of(
    active: ActiveProgram,
    graph: CallGraph,
    neededBy: (passed: PassedBack) => (procedure: ActiveProcedure) => (param: Var) => boolean,
  ): PassedBack {
    const passable = passableIn(active, graph);
    const wanted = new Map([...passable.keys()].map((name) => [name, new Set<string>()]));
    const passed = new PassedBack(passable, wanted);
    if (passable.size === 0) return passed;
    const needed = neededBy(passed);
    const callers = callersOf(active, passable);
    const waiting = new Set(passable.keys());
    for (const name of waiting) {
      waiting.delete(name);
      const procedure = active.procedures.get(name);
      const found = wanted.get(name);
      if (procedure === undefined || found === undefined)
        throw new InternalError("passed-back", `${name} has no adjoint code`);
      const before = found.size;
      const isNeeded = needed(procedure);
      for (const param of procedure.procedure.params)
        if (passable.get(name)?.has(param.name) === true && isNeeded(param)) found.add(param.name);
      if (found.size > before) for (const caller of callers.get(name) ?? []) waiting.add(caller);
    }
    return passed;
  }

  /** Whether callers of a procedure can pass a parameter to its reverse sweep. */
  isPassable(procedure: Procedure, param: Var): boolean {
    return this.#passable.get(procedure.name)?.has(param.name) === true;
  }

  /** The places of those parameters that callers pass to the reverse sweep of a procedure, since it needs them. */
  places({ name, params }: Procedure): readonly number[] {
    return params.flatMap((param, index) => (this.#wanted.get(name)?.has(param.name) === true ? [index] : []));
  }

  /** What a call passes for them. */
  argumentsOf({ args }: Call, procedure: Procedure): readonly Atom[] {
    return this.places(procedure).flatMap((index) => args[index] ?? []);
  }
}

/** By procedure those that call it, as far as they are passed something themselves. */
function callersOf(active: ActiveProgram, passable: Parameters): ReadonlyMap<string, ReadonlySet<string>> {
  const callers = new Map<string, Set<string>>();
  for (const name of passable.keys()) {
    const body = active.procedures.get(name)?.procedure.body;
    for (const { stmts } of body === undefined ? [] : allBlocks(body)) {
      for (const stmt of stmts)
        if (stmt.kind === "call") callers.set(stmt.fn, (callers.get(stmt.fn) ?? new Set()).add(name));
    }
  }
  return callers;
}

/** What all callers can pass. */
function passableIn(active: ActiveProgram, graph: CallGraph): Parameters {
  const passable = new Map<string, Set<string>>();
  for (const [name, { procedure, plain }] of active.procedures) {
    if (plain.kind !== "function" || !graph.isCalled(graph.procedure("reverse", plain.name))) continue;
    passable.set(name, new Set(procedure.params.map((param) => param.name)));
  }
  const calls = passable.size === 0 ? [] : callsWithin(active, graph);
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    for (const { caller, places, stmt, callee } of calls) {
      const given = passable.get(caller.name) ?? new Set();
      const params = passable.get(stmt.fn);
      const isGivenBack = active.procedures.get(stmt.fn)?.isGivenBack;
      callee.params.forEach(({ name }, index) => {
        const arg = stmt.args[index];
        if (params?.has(name) !== true || isGivenBack?.[index] === true) return;
        if (arg !== undefined && (isAtHand(arg, places, given) || isShapeNeeded(arg, places, active))) return;
        params.delete(name);
        isSettled = false;
      });
    }
  }
  return passable;
}

/** A call by which a procedure comes back to itself. */
interface InnerCall {
  readonly caller: Procedure;
  readonly places: Places;
  readonly callee: Procedure;
  readonly stmt: Call;
}

function callsWithin(active: ActiveProgram, graph: CallGraph): readonly InnerCall[] {
  return [...active.procedures.values()].flatMap(({ procedure: caller, plain }) => {
    const node = graph.procedure("reverse", plain.name);
    if (!graph.isCyclic(node)) return [];
    const places = new Places(caller, () => "");
    return allStmts(caller.body).flatMap((stmt): InnerCall[] => {
      const callee = stmt.kind === "call" ? active.procedures.get(stmt.fn) : undefined;
      if (stmt.kind !== "call" || callee === undefined) return [];
      const isInner = graph.isRecursive(node, graph.procedure("reverse", callee.plain.name));
      return isInner ? [{ caller, places, callee: callee.procedure, stmt }] : [];
    });
  });
}

/** Whether a reverse sweep needs an array in any case: it makes the store, of the same shape. */
function isShapeNeeded(atom: Atom, places: Places, active: ActiveProgram): boolean {
  const store = atom.kind === "var" ? active.storeOf(atom.variable) : null;
  return store !== null && places.definition(store).op?.kind === "zeroStore";
}

/** Whether a reverse sweep that is given some parameters has a value without saving anything. */
function isAtHand(atom: Atom, places: Places, given: ReadonlySet<string>): boolean {
  let left = cheapEnough;
  const isThere = (value: Atom): boolean => {
    if (value.kind !== "var") return true;
    const { variable, origin, op } = places.definition(value.variable);
    if (origin === "index") return true;
    if (origin === "parameter") return given.has(variable.name);
    left -= op === null ? 1 : Math.max(operationCost(op), 1);
    return left >= 0 && (origin === "captured" || (op !== null && operands(op).every(isThere)));
  };
  return isThere(atom);
}
