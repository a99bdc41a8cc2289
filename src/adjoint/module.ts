// The functions of a module that holds adjoint code: of each procedure that is used the plain version, which computes values, and, where cotangents
// can reach it, its forward and its reverse sweep.

import { InternalError } from "../internal-error.js";
import type { Leaves } from "../flat/leaves.js";
import type { Atom, Procedure, Program, Rep, Var } from "../flat/program.js";
import type { Refer } from "../emit/lower/lower-operators.js";
import type { Scope } from "../typescript/naming.js";
import { assigned, binary, callOf, id, member, number, returned } from "../typescript/traverse.js";
import type { TsDeclaration, TsExpr, TsField, TsParam, TsProperty, TsStmt, TsType } from "../typescript/tree.js";
import { addTo } from "./cotangents.js";
import { ForwardSweep } from "./forward.js";
import { asType } from "./operations.js";
import { ProcedureContext } from "./procedure.js";
import { describeResolution } from "./resolved.js";
import { ReverseSweep } from "./reverse.js";
import { activeName, type ActiveProgram } from "./stores.js";
import type { AdjointTypes } from "./types.js";

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
  readonly #leaves: Leaves;
  readonly #procedures: ReadonlyMap<string, Procedure>;
  readonly #names = new Map<string, FunctionNames>();
  readonly #keys = new Map<string, ReadonlyMap<string, string>>();
  readonly #pending: { readonly name: string; readonly version: "plain" | "active" }[] = [];
  readonly #requested = new Set<string>();

  constructor({ program, active, leaves, types, values, typeNames, refer }: ModuleParts) {
    this.program = program;
    this.active = active;
    this.types = types;
    this.values = values;
    this.refer = refer;
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
  call(fn: string, args: readonly TsExpr[]): TsExpr {
    const active = this.active.procedures.get(fn);
    if (active === undefined) return callOf(id(this.#request(fn, "plain").plain), ...args);
    return callOf(id(this.#request(active.plain.name, "active").forward), id("tape"), ...args);
  }

  /** The function that is the reverse sweep of an active procedure. */
  reverseName(fn: string): string {
    return this.#request(this.#active(fn).plain.name, "active").reverse;
  }

  /** A function as a value: in plain code an arrow function, in adjoint code an object with both sweeps and its slots. */
  closure(code: string, captured: readonly Atom[], context: ProcedureContext): TsExpr {
    const values = captured.map((atom) => context.literalOrName(atom));
    if (context.place.universe === "plain") {
      const { params } = this.procedure(code);
      const names = params.map(({ name }) => context.fresh(name));
      const call = callOf(id(this.#request(code, "plain").plain), ...values, ...names.map(id));
      return { kind: "arrow", params: names.map((name) => ({ name, type: null })), result: null, body: call };
    }
    const { procedure, plain } = this.#active(code);
    const names = this.#request(plain.name, "active");
    const keys = this.#keysOf(code);
    const fields: TsProperty[] = [
      { name: "call", value: id(names.forward) },
      { name: "back", value: id(names.reverse) },
    ];
    procedure.captured.forEach((variable, index) => {
      fields.push({ name: keys.get(variable.name) ?? "", value: values[index] ?? number(0) });
      if (this.#hasSlot(variable)) fields.push({ name: slotKey(keys.get(variable.name) ?? ""), value: number(0) });
    });
    return asType({ kind: "object", fields }, { kind: "name", name: names.type, args: [] });
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
    for (const key of ["call", "back"]) scope.reserve(key);
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
    if (procedure.kind !== "constant") return [functionOf(plain, params, result, body)];
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
      functionOf(compute, [], result, body),
    ];
  }

  #param(variable: Var, context: ProcedureContext): TsParam {
    return { name: context.name(variable), type: this.types.of(variable.rep, context.place.universe), optional: false };
  }

  /** The forward and the reverse sweep of a procedure, as two functions. */
  #activePair(plain: Procedure): readonly TsDeclaration[] {
    const { procedure, activeResults } = this.#active(activeName(plain.name));
    const names = this.#request(plain.name, "active");
    this.refer("adjoint.Tape");
    const context = new ProcedureContext(this, procedure, { kind: "split" });
    const isLambda = plain.kind === "lambda";
    const params = procedure.params.map((variable) => this.#param(variable, context));
    const seeds = plain.results.map((rep, index) => (rep.kind === "real" && activeResults[index] === true ? context.fresh("result_") : null)); // prettier-ignore
    const reverse = this.#reverseBody(procedure, plain, context, seeds, isLambda);
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
      functionOf(names.forward, [...before, ...params], results, [...captured, ...forward]),
      functionOf(names.reverse, [...before, ...seedParams], reverseResult, reverse),
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
    for (const variable of procedure.captured) {
      const key = keys.get(variable.name) ?? "";
      fields.push({ name: key, type: this.types.of(variable.rep, "adjoint") });
      if (this.#hasSlot(variable))
        fields.push({ name: slotKey(key), type: { kind: "name", name: "number", args: [] } });
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

function slotKey(key: string): string {
  return `${key}_`;
}

function typeText(type: TsType): string {
  if (type.kind !== "name") throw new InternalError("adjoint", "the type of a function has no name");
  return type.name;
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
