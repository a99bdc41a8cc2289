// The functions of a module that holds adjoint code: of each procedure that is used the plain version, which computes values, and, where cotangents
// can reach it, its forward and its reverse sweep.

import { InternalError } from "../internal-error.js";
import type { Leaves } from "../flat/leaves.js";
import type { Atom, Procedure, Program, Rep, Stmt, Var } from "../flat/program.js";
import type { Refer } from "../emit/lower/lower-operators.js";
import type { Scope } from "../typescript/naming.js";
import { assigned, binary, callOf, id, member, number, returned } from "../typescript/build.js";
import type { TsDeclaration, TsExpr, TsField, TsParam, TsProperty, TsStmt, TsType } from "../typescript/tree.js";
import { addTo } from "./cotangents.js";
import type { CallGraph, Version } from "./call-graph.js";
import { DeepCalls, depthName } from "./deep-calls.js";
import { ForwardSweep } from "./forward.js";
import { asType } from "./operations.js";
import { separatingLoops } from "./in-place.js";
import { ProcedureContext } from "./procedure.js";
import { describeResolution } from "./resolved.js";
import { ReverseSweep } from "./reverse.js";
import { activeName, type ActiveProgram } from "./stores.js";
import type { AdjointTypes, Universe } from "./types.js";

/** The names of what is emitted for a procedure. */
interface FunctionNames {
  readonly plain: string;
  readonly forward: string;
  readonly reverse: string;
  /** The type of the objects that the code of a lambda makes. */
  readonly type: string;
}

export interface ModuleParts {
  readonly program: Program;
  readonly active: ActiveProgram;
  readonly leaves: Leaves;
  readonly types: AdjointTypes;
  readonly graph: CallGraph;
  /** The values and types of the module. */
  readonly values: Scope;
  readonly typeNames: Scope;
  readonly refer: Refer;
}

export class ModuleContext {
  readonly program: Program;
  readonly active: ActiveProgram;
  readonly types: AdjointTypes;
  readonly values: Scope;
  readonly refer: Refer;
  readonly calls: DeepCalls;
  readonly #leaves: Leaves;
  readonly #procedures: ReadonlyMap<string, Procedure>;
  readonly #names = new Map<string, FunctionNames>();
  readonly #keys = new Map<string, ReadonlyMap<string, string>>();
  readonly #pending: { readonly name: string; readonly version: "plain" | "active" }[] = [];
  readonly #requested = new Set<string>();

  constructor({ program, active, leaves, types, graph, values, typeNames, refer }: ModuleParts) {
    this.program = program;
    this.active = active;
    this.types = types;
    this.values = values;
    this.refer = refer;
    this.calls = new DeepCalls(graph, refer);
    this.#leaves = leaves;
    this.#procedures = new Map(program.procedures.map((procedure) => [procedure.name, procedure]));
    for (const { name } of program.procedures) {
      this.#names.set(name, {
        plain: values.fresh(name),
        forward: values.fresh(`${name}Forward`),
        reverse: values.fresh(`${name}Reverse`),
        type: typeNames.fresh(`${name}Closure`),
      });
    }
  }

  procedure(name: string): Procedure {
    const found = this.#procedures.get(name);
    if (found === undefined) throw new InternalError("adjoint", `there is no procedure ${name}`);
    return found;
  }

  /** A call of a procedure, in its active version where the name is that of one. */
  call(fn: string, args: readonly TsExpr[], universe: Universe = "plain"): TsExpr {
    const active = this.active.procedures.get(fn);
    if (active === undefined) {
      const { params, results } = this.procedure(fn);
      const given = args.map((arg, index) => (this.#isShared(params[index]?.rep, universe) ? arg : asType(arg, never)));
      const call = this.#call("plain", fn, given, this.types.results(results, "plain"));
      if (results.every((rep) => this.#isShared(rep, universe))) return call;
      return asType(asType(call, unknown), this.types.results(results, universe));
    }
    const result = this.types.results(active.procedure.results, "adjoint");
    return this.#call("forward", active.plain.name, [id("tape"), ...args], result);
  }

  /** Whether plain code has values of a rep as a universe has them. Where it has not, values that it hands on or takes hold no functions. */
  #isShared(rep: Rep | undefined, universe: Universe): boolean {
    if (rep === undefined || universe === "plain") return true;
    return JSON.stringify(this.types.of(rep, "plain")) === JSON.stringify(this.types.of(rep, universe));
  }

  /** A call of the reverse sweep of an active procedure, which gives this many cotangents. */
  callBack(fn: string, seeds: readonly TsExpr[], cotangents: number): TsExpr {
    return this.#call("reverse", this.#active(fn).plain.name, [id("tape"), ...seeds], numbers(cotangents));
  }

  #call(version: Version, name: string, args: readonly TsExpr[], result: TsType): TsExpr {
    const fn = id(this.#request(name, version === "plain" ? "plain" : "active")[version]);
    return this.calls.call({ node: this.calls.graph.procedure(version, name), fn, deep: id(this.#deepName(version, name) ?? ""), result }, args); // prettier-ignore
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
      const all = [callee, id("tape"), ...args];
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
    return this.calls.call(target, [callee, id("tape"), ...seeds]);
  }

  readonly #deepNames = new Map<string, string>();

  /** The name of a procedure's version for the heap; null where it has none. */
  #deepName(version: Version, name: string): string | null {
    if (!this.calls.graph.hasDeep(version, name)) return null;
    const key = this.calls.graph.procedure(version, name);
    const known = this.#deepNames.get(key) ?? this.values.fresh(`${this.#namesOf(name)[version]}Deep`);
    this.#deepNames.set(key, known);
    return known;
  }

  /** A function as a value: in plain code an arrow function, in adjoint code an object with both sweeps and its slots. */
  closure(code: string, captured: readonly Atom[], context: ProcedureContext): TsExpr {
    const values = captured.map((atom) => context.literalOrName(atom));
    if (context.place.universe === "plain") {
      if (captured.length > 0) return callOf(id(this.#maker(code)), ...values);
      return this.#plainFunction(code, [], this.procedure(code).params.map(({ name }) => context.fresh(name))); // prettier-ignore
    }
    const { procedure, plain } = this.#active(code);
    const names = this.#request(plain.name, "active");
    const keys = this.#keysOf(code);
    const fields: TsProperty[] = [
      { name: "call", value: id(names.forward) },
      { name: "back", value: id(names.reverse) },
    ];
    const deep = { callDeep: this.#deepName("forward", plain.name), backDeep: this.#deepName("reverse", plain.name) };
    for (const [name, value] of Object.entries(deep)) if (value !== null) fields.push({ name, value: id(value) });
    procedure.captured.forEach((variable, index) => {
      fields.push({ name: keys.get(variable.name) ?? "", value: values[index] ?? number(0) });
      if (this.#hasSlot(variable)) fields.push({ name: slotKey(keys.get(variable.name) ?? ""), value: number(0) });
    });
    return asType({ kind: "object", fields }, { kind: "name", name: names.type, args: [] });
  }

  readonly #makers = new Map<string, string>();

  /** The function that makes a lambda's functions in plain code, given what they capture: variables around them may change. */
  #maker(code: string): string {
    const known = this.#makers.get(code) ?? this.values.fresh(`${this.#request(code, "plain").plain}Function`);
    this.#makers.set(code, known);
    return known;
  }

  /** What makes a lambda's functions, where they capture anything. */
  #makerOf({ name, captured, params }: Procedure): readonly TsDeclaration[] {
    const maker = this.#makers.get(name);
    if (maker === undefined) return [];
    const scope = this.values.inner();
    scope.reserve(depthName);
    const own = captured.map((variable): TsParam => ({ name: scope.fresh(variable.name), type: this.types.of(variable.rep, "plain"), optional: false })); // prettier-ignore
    const result = this.types.of(this.#closureRep(this.procedure(name)), "plain");
    const made = this.#plainFunction(name, own.map((param) => id(param.name)), params.map((param) => scope.fresh(param.name))); // prettier-ignore
    return [functionOf(maker, own, result, [returned(made)])];
  }

  /** In plain code: an arrow function, or, where the function may recurse, an object with two of them. */
  #plainFunction(code: string, captured: readonly TsExpr[], params: readonly string[]): TsExpr {
    const { graph } = this.calls;
    const arrow = (names: readonly string[], body: TsExpr): TsExpr => ({
      kind: "arrow",
      params: names.map((name) => ({ name, type: null })),
      result: null,
      body,
    });
    const args = [...captured, ...params.map(id)];
    const { plain } = this.#request(code, "plain");
    const takesDepth = graph.takesDepth(graph.procedure("plain", code));
    const depth = takesDepth ? [depthName] : [];
    const call = arrow([...params, ...depth], callOf(id(plain), ...args, ...depth.map(id)));
    const deep = this.#deepName("plain", code);
    if (deep === null) return call;
    const fields = [
      { name: "call", value: call },
      { name: "callDeep", value: arrow(params, callOf(id(deep), ...args)) },
    ];
    return { kind: "object", fields };
  }

  /** The slot of a captured real. */
  closureSlot(code: string, index: number, closure: TsExpr): TsExpr {
    const { procedure, plain } = this.#active(code);
    const variable = procedure.captured[index];
    if (variable === undefined) throw new InternalError("adjoint", `${code} captures no ${index}`);
    const object = asType(closure, { kind: "name", name: this.#request(plain.name, "active").type, args: [] });
    return member(object, slotKey(this.#keysOf(code).get(variable.name) ?? ""));
  }

  /** The leaves of an unknown function's argument, without stores. */
  plainParams(fn: Atom): readonly Rep[] {
    if (fn.kind !== "var" || fn.variable.rep.kind !== "closure")
      throw new InternalError("adjoint", "what is applied is no function");
    return this.#leaves.of(fn.variable.rep.from);
  }

  readonly #resolutions: {
    readonly name: string;
    readonly procedure: Procedure;
    readonly context: ProcedureContext;
  }[] = [];

  /** Tells of sweeps that are being written, under the name that readers know them by. */
  noteSweeps(name: string, procedure: Procedure, context: ProcedureContext): void {
    this.#resolutions.push({ name, procedure, context });
  }

  /** What has been resolved in each of the sweeps; to be called when all are written. */
  resolved(): readonly string[] {
    return this.#resolutions.map(({ name, procedure, context }) =>
      describeResolution(context.resolution(name, procedure)),
    );
  }

  /** All functions asked for so far, and those that they ask for. */
  declarations(): readonly TsDeclaration[] {
    const declarations: TsDeclaration[] = [];
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      const procedure = this.procedure(next.name);
      declarations.push(...(next.version === "plain" ? this.#plain(procedure) : this.#activePair(procedure)));
    }
    return declarations;
  }

  #request(name: string, version: "plain" | "active"): FunctionNames {
    const key = `${version} ${name}`;
    if (!this.#requested.has(key)) {
      this.#requested.add(key);
      this.#pending.push({ name, version });
    }
    return this.#namesOf(name);
  }

  #namesOf(name: string): FunctionNames {
    const names = this.#names.get(name);
    if (names === undefined) throw new InternalError("adjoint", `there is no procedure ${name}`);
    return names;
  }

  #active(fn: string) {
    const found = this.active.procedures.get(fn);
    if (found === undefined) throw new InternalError("adjoint", `${fn} has no adjoint code`);
    return found;
  }

  #hasSlot(variable: Var): boolean {
    return variable.rep.kind === "real" && this.active.activity.has(variable);
  }

  /** The properties of a closure that hold its captured variables. */
  #keysOf(code: string): ReadonlyMap<string, string> {
    const known = this.#keys.get(code);
    if (known !== undefined) return known;
    const scope = this.values.inner();
    for (const key of ["call", "back", "callDeep", "backDeep"]) scope.reserve(key);
    const keys = new Map(this.#active(code).procedure.captured.map(({ name }) => [name, scope.fresh(name)]));
    this.#keys.set(code, keys);
    return keys;
  }

  #plain(procedure: Procedure): readonly TsDeclaration[] {
    const context = new ProcedureContext(this, procedure, { kind: "plain" });
    const body = new ForwardSweep(context).returning(procedure.body);
    const params = [...procedure.captured, ...procedure.params].map((variable) => this.#param(variable, context));
    const result = this.types.results(procedure.results, "plain");
    const { plain } = this.#request(procedure.name, "plain");
    const functions = this.#functions("plain", procedure.name, plain, params, result, body);
    if (procedure.kind !== "constant") return [...this.#makerOf(procedure), ...functions];
    const memo = this.values.fresh(`${plain}Value`);
    const compute = this.values.fresh(`${plain}Compute`);
    const type: TsType = { kind: "union", members: [result, { kind: "name", name: "undefined", args: [] }] };
    const test = binary("===", id(memo), { kind: "undefined" });
    return [
      { kind: "statement", doc: "", stmt: { kind: "let", name: memo, type, init: null } },
      functionOf(plain, [], result, [
        { kind: "if", test, then: [assigned(memo, callOf(id(compute)))], else: [] },
        returned(id(memo)),
      ]),
      functionOf(compute, [], result, this.calls.anywhere(body)),
    ];
  }

  #functions(
    version: Version,
    procedure: string,
    name: string,
    params: readonly TsParam[],
    result: TsType,
    body: readonly TsStmt[],
  ): readonly TsDeclaration[] {
    const node = this.calls.graph.procedure(version, procedure);
    return this.calls.functions({ node, name, params, result, body, deep: this.#deepName(version, procedure) });
  }

  #param(variable: Var, context: ProcedureContext): TsParam {
    return { name: context.name(variable), type: this.types.of(variable.rep, context.place.universe), optional: false };
  }

  /** The forward and the reverse sweep of a procedure, as two functions. */
  #activePair(plain: Procedure): readonly TsDeclaration[] {
    const { procedure, activeResults } = this.#active(activeName(plain.name));
    const names = this.#request(plain.name, "active");
    this.refer("adjoint.Tape");
    const isLambda = plain.kind === "lambda";
    const { context, params, seeds, reverse } = separatingLoops((separate) => {
      const context = new ProcedureContext(this, procedure, { kind: "split" }, this.values.inner(), separate);
      const params = procedure.params.map((variable) => this.#param(variable, context));
      const seeds = plain.results.map((rep, index) => (rep.kind === "real" && activeResults[index] === true ? context.fresh("result_") : null)); // prettier-ignore
      return { context, params, seeds, reverse: this.#reverseBody(procedure, plain, context, seeds, isLambda) };
    });
    this.noteSweeps(plain.name, procedure, context);
    const forward = new ForwardSweep(context).returning(procedure.body);
    const captured = isLambda
      ? procedure.captured.map((variable): TsStmt => this.#restoreCaptured(variable, context))
      : [];
    const before = [
      ...(isLambda ? [this.#selfParam(plain)] : []),
      { name: "tape", type: { kind: "name", name: "Tape", args: [] }, optional: false } as const,
    ];
    const seedParams = seeds.flatMap((name): TsParam[] => (name === null ? [] : [realParam(name)]));
    const results = this.types.results(procedure.results, "adjoint");
    const cotangents = plain.params.filter((param) => param.rep.kind === "real" && this.active.activity.has(param));
    const reverseResult = this.types.results(cotangents.map(({ rep }) => rep), "adjoint"); // prettier-ignore
    return [
      ...(isLambda ? [this.#closureType(procedure, plain, names)] : []),
      ...this.#functions("forward", plain.name, names.forward, [...before, ...params], results, [...captured, ...forward]), // prettier-ignore
      ...this.#functions("reverse", plain.name, names.reverse, [...before, ...seedParams], reverseResult, reverse),
    ];
  }

  #reverseBody(
    procedure: Procedure,
    plain: Procedure,
    context: ProcedureContext,
    seeds: readonly (string | null)[],
    isLambda: boolean,
  ): readonly TsStmt[] {
    const returns: TsStmt[] = [];
    const body = new ReverseSweep(context).body(
      procedure.body,
      (values, cotangents) => {
        values.forEach((value, index) => {
          const seed = seeds[index] ?? null;
          const isReal = value.kind === "var" && value.variable.rep.kind === "real" && context.isActive(value.variable);
          if (seed !== null && isReal) cotangents.add(value.variable, id(seed));
        });
      },
      (cotangents) => {
        const reals = plain.params.filter((param) => param.rep.kind === "real" && context.isActive(param));
        const exprs = reals.map((param) => cotangents.take(param) ?? number(0));
        if (isLambda) {
          for (const variable of plain.captured) {
            const sum = this.#hasSlot(variable) ? cotangents.takeSum(variable) : null;
            if (sum !== null) cotangents.stmts.push(addTo(this.#capturedPlace(plain, variable, true), sum));
          }
        }
        const [only] = exprs;
        if (only !== undefined) returns.push(returned(exprs.length === 1 ? only : { kind: "array", items: exprs }));
      },
    );
    return [...body, ...returns];
  }

  #selfParam(plain: Procedure): TsParam {
    return { name: "self", type: this.types.of(this.#closureRep(plain), "adjoint"), optional: false };
  }

  /** The type of functions that a lambda's closures have: told by its parameters and results. */
  #closureRep(plain: Procedure): Rep {
    const rep = this.#closureReps.get(plain.name);
    if (rep === undefined) throw new InternalError("adjoint", `nothing makes a closure of ${plain.name}`);
    return rep;
  }

  readonly #closureReps = new Map<string, Rep>();

  /** Tells the type of the functions that a lambda's code makes. */
  noteClosure(code: string, rep: Rep): void {
    this.#closureReps.set(code, rep);
  }

  #closureType(procedure: Procedure, plain: Procedure, names: FunctionNames): TsDeclaration {
    const keys = this.#keysOf(procedure.name);
    const base = this.types.of(this.#closureRep(plain), "adjoint");
    const sweep = (name: string): TsField => ({ name, type: { kind: "name", name: `${typeText(base)}["${name}"]`, args: [] } }); // prettier-ignore
    const fields: TsField[] = [sweep("call"), sweep("back")];
    if (this.#deepName("forward", plain.name) !== null) fields.push(sweep("callDeep"));
    if (this.#deepName("reverse", plain.name) !== null) fields.push(sweep("backDeep"));
    for (const variable of procedure.captured) {
      const key = keys.get(variable.name) ?? "";
      fields.push({ name: key, type: this.types.of(variable.rep, "adjoint") });
      if (this.#hasSlot(variable))
        fields.push({ name: slotKey(key), type: { kind: "slot", type: { kind: "name", name: "number", args: [] } } });
    }
    const doc = `The function \`${plain.name}\` with what it captures, and slots for the cotangents of that.`;
    return { kind: "type", doc, exported: false, name: names.type, typeParams: [], type: { kind: "object", fields } };
  }

  #restoreCaptured(variable: Var, context: ProcedureContext): TsStmt {
    const plain = this.#owner(variable);
    return {
      kind: "const",
      target: context.name(variable),
      type: null,
      init: this.#capturedPlace(plain, variable, false),
    };
  }

  /** A captured variable, read from `self`. */
  capturedField(variable: Var): TsExpr {
    return this.#capturedPlace(this.#owner(variable), variable, false);
  }

  #capturedPlace(plain: Procedure, variable: Var, isSlot: boolean): TsExpr {
    const { type } = this.#request(plain.name, "active");
    const key = this.#keysOf(activeName(plain.name)).get(variable.name) ?? "";
    return member(asType(id("self"), { kind: "name", name: type, args: [] }), isSlot ? slotKey(key) : key);
  }

  readonly #owners = new Map<string, Procedure>();

  /** The lambda that captures a variable. */
  #owner(variable: Var): Procedure {
    if (this.#owners.size === 0) {
      for (const { plain, procedure } of this.active.procedures.values()) {
        for (const { name } of procedure.captured) this.#owners.set(name, plain);
      }
    }
    const owner = this.#owners.get(variable.name);
    if (owner === undefined) throw new InternalError("adjoint", `nothing captures ${variable.name}`);
    return owner;
  }
}

const never: TsType = { kind: "name", name: "never", args: [] };
const unknown: TsType = { kind: "name", name: "unknown", args: [] };

function slotKey(key: string): string {
  return `${key}_`;
}

function typeText(type: TsType): string {
  if (type.kind !== "name") throw new InternalError("adjoint", "the type of a function has no name");
  return type.name;
}

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

function realParam(name: string): TsParam {
  return { name, type: { kind: "name", name: "number", args: [] }, optional: false };
}

export function functionOf(
  name: string,
  params: readonly TsParam[],
  result: TsType,
  body: readonly TsStmt[],
): TsDeclaration {
  return { kind: "function", doc: "", exported: false, fn: { name, typeParams: [], params, result, body } };
}
