// Functions as values: in plain code an arrow function, in adjoint code an object with both sweeps, what it captures, and slots for the cotangents of that.

import { InternalError } from "../internal-error.js";
import type { Procedure, Rep, Var } from "../flat/program.js";
import { callOf, id, member, number, returned } from "../typescript/build.js";
import type { Scope } from "../typescript/naming.js";
import type { TsDeclaration, TsExpr, TsField, TsParam, TsProperty, TsType } from "../typescript/tree.js";
import type { CallGraph } from "./call-graph.js";
import { functionOf } from "./code.js";
import type { InnerNames } from "./inner-names.js";
import { asType } from "./operations.js";
import type { Requests } from "./requests.js";
import { activeName, type ActiveProcedure, type ActiveProgram } from "./stores.js";
import type { AdjointTypes, Universe } from "./types.js";

export interface ClosureParts {
  readonly active: ActiveProgram;
  readonly types: AdjointTypes;
  readonly graph: CallGraph;
  readonly requests: Requests;
  readonly values: Scope;
  readonly names: InnerNames;
  procedure(name: string): Procedure;
  activeProcedure(name: string): ActiveProcedure;
}

export class Closures {
  readonly #parts: ClosureParts;
  readonly #keys = new Map<string, ReadonlyMap<string, string>>();
  readonly #makers = new Map<string, string>();
  readonly #reps = new Map<string, Rep>();
  /** By captured variable the lambda that captures it. */
  readonly #owners: ReadonlyMap<string, Procedure>;

  constructor(parts: ClosureParts) {
    this.#parts = parts;
    const owners = new Map<string, Procedure>();
    for (const { plain, procedure } of parts.active.procedures.values()) {
      for (const { name } of procedure.captured) owners.set(name, plain);
    }
    this.#owners = owners;
  }

  /** A function that captures these values; `fresh` names what is around it. */
  made(code: string, values: readonly TsExpr[], universe: Universe, fresh: (hint: string) => string): TsExpr {
    const { requests } = this.#parts;
    if (universe === "plain") {
      if (values.length > 0) return callOf(id(this.#maker(code)), ...values);
      return this.#plainFunction(code, [], this.#parts.procedure(code).params.map(({ name }) => fresh(name))); // prettier-ignore
    }
    const { procedure, plain } = this.#parts.activeProcedure(code);
    const names = requests.names(plain.name, "active");
    const keys = this.#keysOf(code);
    const fields: TsProperty[] = [
      { name: "call", value: id(names.forward) },
      { name: "back", value: id(names.reverse) },
    ];
    const deep = {
      callDeep: requests.deepName("forward", plain.name),
      backDeep: requests.deepName("reverse", plain.name),
    };
    for (const [name, value] of Object.entries(deep)) if (value !== null) fields.push({ name, value: id(value) });
    procedure.captured.forEach((variable, index) => {
      fields.push({ name: keys.get(variable.name) ?? "", value: values[index] ?? number(0) });
      if (this.hasSlot(variable)) fields.push({ name: slotKey(keys.get(variable.name) ?? ""), value: number(0) });
    });
    return asType({ kind: "object", fields }, { kind: "name", name: names.type, args: [] });
  }

  /** What makes a lambda's functions in plain code, where they capture anything: variables around them may change. */
  maker({ name, captured, params }: Procedure): readonly TsDeclaration[] {
    const maker = this.#makers.get(name);
    if (maker === undefined) return [];
    const { types, values } = this.#parts;
    const scope = values.inner();
    const own = captured.map((variable): TsParam => ({ name: scope.fresh(variable.name), type: types.of(variable.rep, "plain"), optional: false })); // prettier-ignore
    const result = types.of(this.#rep(this.#parts.procedure(name)), "plain");
    const made = this.#plainFunction(name, own.map((param) => id(param.name)), params.map((param) => scope.fresh(param.name))); // prettier-ignore
    return [functionOf(maker, own, result, [returned(made)])];
  }

  /** Tells the type of the functions that a lambda's code makes. */
  note(code: string, rep: Rep): void {
    this.#reps.set(code, rep);
  }

  /** The type of the objects that a lambda makes in adjoint code. */
  type(procedure: Procedure, plain: Procedure): TsDeclaration {
    const { requests, types } = this.#parts;
    const keys = this.#keysOf(procedure.name);
    const base = types.of(this.#rep(plain), "adjoint");
    const sweep = (name: string): TsField => ({ name, type: { kind: "name", name: `${typeText(base)}["${name}"]`, args: [] } }); // prettier-ignore
    const fields: TsField[] = [sweep("call"), sweep("back")];
    if (requests.deepName("forward", plain.name) !== null) fields.push(sweep("callDeep"));
    if (requests.deepName("reverse", plain.name) !== null) fields.push(sweep("backDeep"));
    for (const variable of procedure.captured) {
      const key = keys.get(variable.name) ?? "";
      fields.push({ name: key, type: types.of(variable.rep, "adjoint") });
      if (this.hasSlot(variable))
        fields.push({ name: slotKey(key), type: { kind: "slot", type: { kind: "name", name: "number", args: [] } } });
    }
    const doc = `The function \`${plain.name}\` with what it captures, and slots for the cotangents of that.`;
    const { type: name } = requests.names(plain.name, "active");
    return { kind: "type", doc, exported: false, name, typeParams: [], type: { kind: "object", fields } };
  }

  /** The parameter of a lambda's sweeps that is the object itself. */
  selfParam(plain: Procedure): TsParam {
    return { name: this.#parts.names.self, type: this.#parts.types.of(this.#rep(plain), "adjoint"), optional: false };
  }

  /** A captured variable, read from `self`. */
  captured(variable: Var): TsExpr {
    return this.#place(variable, (key) => key);
  }

  /** The slot of a captured variable, in `self`. */
  capturedSlot(variable: Var): TsExpr {
    return this.#place(variable, slotKey);
  }

  /** The slot of what a function has captured, by its place. */
  slot(code: string, index: number, closure: TsExpr): TsExpr {
    const { procedure, plain } = this.#parts.activeProcedure(code);
    const variable = procedure.captured[index];
    if (variable === undefined) throw new InternalError("adjoint", `${code} captures no ${index}`);
    const { type } = this.#parts.requests.names(plain.name, "active");
    const object = asType(closure, { kind: "name", name: type, args: [] });
    return member(object, slotKey(this.#keysOf(code).get(variable.name) ?? ""));
  }

  /** Whether objects have a slot for a captured variable. */
  hasSlot(variable: Var): boolean {
    return variable.rep.kind === "real" && this.#parts.active.activity.has(variable);
  }

  #place(variable: Var, keyFor: (key: string) => string): TsExpr {
    const owner = this.#owners.get(variable.name);
    if (owner === undefined) throw new InternalError("adjoint", `nothing captures ${variable.name}`);
    const { type } = this.#parts.requests.names(owner.name, "active");
    const key = this.#keysOf(activeName(owner.name)).get(variable.name) ?? "";
    return member(asType(id(this.#parts.names.self), { kind: "name", name: type, args: [] }), keyFor(key));
  }

  /** The function that makes a lambda's functions in plain code. */
  #maker(code: string): string {
    const { requests, values } = this.#parts;
    const known = this.#makers.get(code) ?? values.fresh(`${requests.names(code, "plain").plain}Function`);
    this.#makers.set(code, known);
    return known;
  }

  /** In plain code: an arrow function, or, where the function may recurse, an object with two of them. */
  #plainFunction(code: string, captured: readonly TsExpr[], params: readonly string[]): TsExpr {
    const { graph, requests } = this.#parts;
    const arrow = (names: readonly string[], body: TsExpr): TsExpr => ({
      kind: "arrow",
      params: names.map((name) => ({ name, type: null })),
      result: null,
      body,
    });
    const args = [...captured, ...params.map(id)];
    const { plain } = requests.names(code, "plain");
    const takesDepth = graph.takesDepth(graph.procedure("plain", code));
    const depth = takesDepth ? [this.#parts.names.depth] : [];
    const call = arrow([...params, ...depth], callOf(id(plain), ...args, ...depth.map(id)));
    const deep = requests.deepName("plain", code);
    if (deep === null) return call;
    const fields = [
      { name: "call", value: call },
      { name: "callDeep", value: arrow(params, callOf(id(deep), ...args)) },
    ];
    return { kind: "object", fields };
  }

  /** The properties of an object that hold its captured variables. */
  #keysOf(code: string): ReadonlyMap<string, string> {
    const known = this.#keys.get(code);
    if (known !== undefined) return known;
    const scope = this.#parts.values.inner();
    for (const key of ["call", "back", "callDeep", "backDeep"]) scope.reserve(key);
    const keys = new Map(
      this.#parts.activeProcedure(code).procedure.captured.map(({ name }) => [name, scope.fresh(name)]),
    );
    this.#keys.set(code, keys);
    return keys;
  }

  /** The type of functions that a lambda's code makes: told by its parameters and results. */
  #rep(plain: Procedure): Rep {
    const rep = this.#reps.get(plain.name);
    if (rep === undefined) throw new InternalError("adjoint", `nothing makes a closure of ${plain.name}`);
    return rep;
  }
}

function slotKey(key: string): string {
  return `${key}_`;
}

function typeText(type: TsType): string {
  if (type.kind !== "name") throw new InternalError("adjoint", "the type of a function has no name");
  return type.name;
}
