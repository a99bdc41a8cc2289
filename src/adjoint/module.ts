// What the sweeps of a module share: its procedures, how they are called, and what has been resolved in them.

import { InternalError } from "../internal-error.js";
import type { Leaves } from "../flat/leaves.js";
import type { Atom, Procedure, Program, Rep, Stmt, Var } from "../flat/program.js";
import { sameLengths, type SameLengths } from "../flat/same-lengths.js";
import type { Refer } from "../emit/lower/lower-operators.js";
import { identifier, type Scope } from "../typescript/naming.js";
import { id, member } from "../typescript/build.js";
import type { TsExpr, TsType } from "../typescript/tree.js";
import type { CallGraph, Version } from "./call-graph.js";
import { Closures } from "./closures.js";
import { DeepCalls } from "./deep-calls.js";
import type { InnerNames } from "./inner-names.js";
import { asType, type Place, type ZeroStores } from "./operations.js";
import type { PassedBack } from "./passed-back.js";
import type { Prepared } from "./prepare.js";
import { Requests } from "./requests.js";
import type { ActiveProcedure, ActiveProgram } from "./stores.js";
import type { AdjointTypes, Universe } from "./types.js";

export interface ModuleParts {
  readonly program: Program;
  readonly active: ActiveProgram;
  readonly leaves: Leaves;
  readonly types: AdjointTypes;
  /** Makes stores for arguments and their parts. */
  readonly zeros: ZeroStores;
  readonly graph: CallGraph;
  /** The values and types of the module. */
  readonly values: Scope;
  readonly typeNames: Scope;
  readonly names: InnerNames;
  readonly refer: Refer;
  readonly passedBack: PassedBack;
  readonly pullbacks: Prepared["pullbacks"];
  /** What calls the functions of the caller's. */
  readonly externs: ReadonlyMap<string, string>;
}

export class ModuleContext {
  readonly program: Program;
  readonly active: ActiveProgram;
  readonly types: AdjointTypes;
  readonly zeros: ZeroStores;
  readonly values: Scope;
  readonly names: InnerNames;
  readonly refer: Refer;
  readonly calls: DeepCalls;
  readonly requests: Requests;
  readonly closures: Closures;
  readonly pullbacks: Prepared["pullbacks"];
  /** What operations need of the module. */
  readonly place: Pick<Place, "types" | "zeros" | "refer" | "extern">;
  readonly lengths: SameLengths;
  readonly passedBack: PassedBack;
  /** The functions that are both sweeps of a pullback. */
  readonly pullbackNames = new Set<string>();
  readonly #leaves: Leaves;
  readonly #procedures: ReadonlyMap<string, Procedure>;
  readonly #resolved: (() => string)[] = [];

  constructor({
    program,
    active,
    leaves,
    types,
    zeros,
    graph,
    values,
    typeNames,
    names,
    refer,
    passedBack,
    pullbacks,
    externs,
  }: ModuleParts) {
    this.program = program;
    this.active = active;
    this.types = types;
    this.zeros = zeros;
    this.values = values;
    this.names = names;
    this.refer = refer;
    this.calls = new DeepCalls(graph, names.depth, refer);
    this.requests = new Requests(program, graph, values, typeNames);
    this.closures = new Closures({
      active,
      types,
      graph,
      requests: this.requests,
      values,
      names,
      procedure: (name) => this.procedure(name),
      activeProcedure: (name) => this.activeProcedure(name),
    });
    this.lengths = sameLengths(program);
    this.passedBack = passedBack;
    this.pullbacks = pullbacks;
    this.place = { types, zeros, refer, extern: (fn) => id(externs.get(fn) ?? fn) };
    this.#leaves = leaves;
    this.#procedures = new Map(program.procedures.map((procedure) => [procedure.name, procedure]));
  }

  procedure(name: string): Procedure {
    const found = this.#procedures.get(name);
    if (found === undefined) throw new InternalError("adjoint", `there is no procedure ${name}`);
    return found;
  }

  /** An identifier for a variable of a procedure. */
  nameIn(scope: Scope, variable: Var): string {
    const called = this.active.called.get(variable.name);
    return called === undefined ? scope.fresh(variable.name) : scope.named({ ...called, of: identifier(called.of) });
  }

  activeProcedure(name: string): ActiveProcedure {
    const found = this.active.procedures.get(name);
    if (found === undefined) throw new InternalError("adjoint", `${name} has no adjoint code`);
    return found;
  }

  /** Whether only the reverse sweep of what is called is given an argument. */
  readonly isGivenBack = ({ fn }: Stmt & { readonly kind: "call" }, index: number): boolean =>
    this.active.procedures.get(fn)?.isGivenBack[index] === true;

  /** The functions that make lists of arrays of numbers alone: what they make shares no memory with these. */
  listMakers(): readonly string[] {
    const conversions = this.program.entries.flatMap(({ arrays }) => [...(arrays?.params ?? []), ...(arrays?.results ?? [])]); // prettier-ignore
    return conversions.flatMap((conversion) => {
      if (conversion === null || conversion.hasArrays) return [];
      return [conversion.list, conversion.cotangents].map((name) => this.requests.names(name, "plain").plain);
    });
  }

  /** A call of a procedure, in its active version where the name is that of one. */
  call(fn: string, args: readonly TsExpr[], universe: Universe = "plain"): TsExpr {
    const active = this.active.procedures.get(fn);
    if (active === undefined) {
      const { params, results } = this.procedure(fn);
      const given = args.map((arg, index) => (this.#isShared(params[index]?.rep, universe) ? arg : asType(arg, never)));
      const call = this.#call("plain", this.pullbacks.get(fn)?.text ?? fn, given, this.types.results(results, "plain"));
      if (results.every((rep) => this.#isShared(rep, universe))) return call;
      return asType(asType(call, unknown), this.types.results(results, universe));
    }
    const result = this.types.results(active.procedure.results, "adjoint");
    return this.#call("forward", active.plain.name, [id(this.names.tape), ...args], result);
  }

  /** Whether plain code has values of a rep as a universe has them. Where it has not, values that it hands on or takes hold no functions. */
  #isShared(rep: Rep | undefined, universe: Universe): boolean {
    if (rep === undefined || universe === "plain") return true;
    return JSON.stringify(this.types.of(rep, "plain")) === JSON.stringify(this.types.of(rep, universe));
  }

  /** A call of the reverse sweep of an active procedure, which gives this many cotangents. */
  callBack(fn: string, args: readonly TsExpr[], cotangents: number): TsExpr {
    return this.#call(
      "reverse",
      this.activeProcedure(fn).plain.name,
      [id(this.names.tape), ...args],
      numbers(cotangents),
    );
  }

  #call(version: Version, name: string, args: readonly TsExpr[], result: TsType): TsExpr {
    const fn = id(this.requests.names(name, version === "plain" ? "plain" : "active")[version]);
    return this.calls.call({ node: this.calls.graph.procedure(version, name), fn, deep: id(this.requests.deepName(version, name) ?? ""), result }, args); // prettier-ignore
  }

  /** A call of an unknown function. */
  apply(
    { fn, results }: Stmt & { readonly kind: "apply" },
    callee: TsExpr,
    args: readonly TsExpr[],
    universe: Universe,
  ): TsExpr {
    // prettier-ignore
    const result = this.types.results(results.map(({ rep }) => rep), universe); // prettier-ignore
    const version = universe === "plain" ? "plain" : "forward";
    const node = this.calls.graph.unknown(version, repOf(fn));
    if (version === "forward") {
      const all = [callee, id(this.names.tape), ...args];
      return this.calls.call({ node, fn: member(callee, "call"), deep: member(callee, "callDeep"), result }, all);
    }
    const called = this.calls.graph.isCyclic(node) ? member(callee, "call") : callee;
    return this.calls.call({ node, fn: called, deep: member(callee, "callDeep"), result }, args);
  }

  /** A call of the reverse sweep of an unknown function, which gives this many cotangents. */
  applyBack(
    { fn }: Stmt & { readonly kind: "apply" },
    callee: TsExpr,
    seeds: readonly TsExpr[],
    cotangents: number,
  ): TsExpr {
    // prettier-ignore
    const node = this.calls.graph.unknown("reverse", repOf(fn));
    const target = { node, fn: member(callee, "back"), deep: member(callee, "backDeep"), result: numbers(cotangents) };
    return this.calls.call(target, [callee, id(this.names.tape), ...seeds]);
  }

  /** The leaves of an unknown function's argument, without stores. */
  plainParams(fn: Atom): readonly Rep[] {
    if (fn.kind !== "var" || fn.variable.rep.kind !== "closure")
      throw new InternalError("adjoint", "what is applied is no function");
    return this.#leaves.of(fn.variable.rep.from);
  }

  /** Tells of sweeps that are being written what has been resolved in them; asked when all are written. */
  noteSweeps(describe: () => string): void {
    this.#resolved.push(describe);
  }

  /** What has been resolved in each of the sweeps; to be called when all are written. */
  resolved(): readonly string[] {
    return this.#resolved.map((describe) => describe());
  }
}

const never: TsType = { kind: "name", name: "never", args: [] };
const unknown: TsType = { kind: "name", name: "unknown", args: [] };

/** What reverse sweeps give: as many cotangents. */
function numbers(count: number): TsType {
  const one: TsType = { kind: "name", name: "number", args: [] };
  if (count === 0) return { kind: "name", name: "void", args: [] };
  return count === 1 ? one : { kind: "tuple", items: Array.from({ length: count }, () => one) };
}

function repOf(fn: Atom): Rep {
  if (fn.kind !== "var") throw new InternalError("adjoint", "what is applied is no function");
  return fn.variable.rep;
}
