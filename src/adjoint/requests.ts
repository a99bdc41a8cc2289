// The functions of a module that holds adjoint code: what they are called, and which of them something calls.

import { InternalError } from "../internal-error.js";
import type { Program } from "../flat/program.js";
import type { Scope } from "../typescript/naming.js";
import type { CallGraph, Version } from "./call-graph.js";

/** The names of what is emitted for a procedure. */
export interface FunctionNames {
  readonly plain: string;
  readonly forward: string;
  readonly reverse: string;
  /** The type of the objects that the code of a lambda makes. */
  readonly type: string;
}

/** A procedure that something calls: its plain version, or both sweeps. */
export interface Request {
  readonly name: string;
  readonly version: "plain" | "active";
}

export class Requests {
  readonly #graph: CallGraph;
  readonly #values: Scope;
  readonly #names = new Map<string, FunctionNames>();
  readonly #deepNames = new Map<string, string>();
  readonly #pending: Request[] = [];
  readonly #requested = new Set<string>();

  constructor(program: Program, graph: CallGraph, values: Scope, typeNames: Scope) {
    this.#graph = graph;
    this.#values = values;
    for (const { name } of program.procedures) {
      this.#names.set(name, {
        plain: values.fresh(name),
        forward: values.fresh(`${name}Forward`),
        reverse: values.fresh(`${name}Reverse`),
        type: typeNames.fresh(`${name}Closure`),
      });
    }
  }

  /** What a procedure is called, which is emitted from now on. */
  names(name: string, version: Request["version"]): FunctionNames {
    const key = `${version} ${name}`;
    if (!this.#requested.has(key)) {
      this.#requested.add(key);
      this.#pending.push({ name, version });
    }
    return this.#namesOf(name);
  }

  /** The name of a procedure's version for the heap; null where it has none. */
  deepName(version: Version, name: string): string | null {
    if (!this.#graph.hasDeep(version, name)) return null;
    const key = this.#graph.procedure(version, name);
    const known = this.#deepNames.get(key) ?? this.#values.fresh(`${this.#namesOf(name)[version]}Deep`);
    this.#deepNames.set(key, known);
    return known;
  }

  /** What has been asked for and not been taken; null where that is all. */
  next(): Request | null {
    return this.#pending.shift() ?? null;
  }

  #namesOf(name: string): FunctionNames {
    const names = this.#names.get(name);
    if (names === undefined) throw new InternalError("adjoint", `there is no procedure ${name}`);
    return names;
  }
}
