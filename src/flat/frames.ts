// The variables in scope while the code of one procedure is made.

import type { Type } from "../core/type.js";
import { InternalError } from "../internal-error.js";
import { atomOf, repOf } from "./build.js";
import type { FlatNames } from "./naming.js";
import type { Atom, Var } from "./program.js";

/** A value as its leaves. */
export interface Value {
  readonly type: Type;
  readonly atoms: readonly Atom[];
}

/** What is in scope, by name in the core program. The code of a lambda captures what it looks up from around it. */
export class Frame {
  readonly #values = new Map<string, Value>();
  readonly #inner = new Map<string, Var>();
  readonly captured: { readonly variable: Var; readonly from: Atom }[] = [];

  constructor(
    private readonly names: FlatNames,
    private readonly outer: Frame | null,
  ) {}

  bind(name: string, value: Value): void {
    this.#values.set(name, value);
  }

  lookUp(name: string): Value {
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    if (this.outer === null) throw new InternalError("flat", `${name} is not in scope`);
    const { type, atoms } = this.outer.lookUp(name);
    const value = { type, atoms: atoms.map((atom) => this.capture(atom)) };
    this.bind(name, value);
    return value;
  }

  /** An atom from around the procedure as one inside it. */
  capture(atom: Atom): Atom {
    if (atom.kind !== "var") return atom;
    const { name } = atom.variable;
    const known = this.#inner.get(name);
    if (known !== undefined) return atomOf(known);
    const variable: Var = { name: this.names.fresh({ stem: name, suffix: "" }), rep: repOf(atom) };
    this.#inner.set(name, variable);
    this.captured.push({ variable, from: atom });
    return atomOf(variable);
  }
}
