// The type translation that all stages share: homomorphic but at R and at `->`, where the stage's figure says what it does. Data types
// whose fields mention R or `->` themselves (SV25 §11 leaves them out) get a dual copy of their declaration; `List R` only changes its argument.

import type * as Core from "../core/type.js";
import type { Names } from "../core/names.js";
import { mapType, sameType } from "../target-calculus/data.js";
import type { DataDecl, Type } from "../target-calculus/type.js";

/** What a figure says of types. */
export interface TypeRules {
  /** `D[R]`. */
  readonly real: Type;
  /** `D[s -> t]`, from `D[s]` and `D[t]`. */
  readonly arrow: (from: Type, to: Type) => Type;
}

/** `D[-]` on types and data declarations. */
export class DualTypes {
  readonly #rules: TypeRules;
  readonly #dualName = new Map<string, string>();
  /** The dual copies: of the declarations that the translation changes. */
  readonly declarations: readonly DataDecl[];

  constructor(data: readonly Core.DataDecl[], rules: TypeRules, suffix: string, names: Names) {
    this.#rules = rules;
    for (const decl of changedDeclarations(data, (type) => this.of(type), this.#dualName)) {
      this.#dualName.set(decl.name, names.fresh(`${decl.name}${suffix}`));
    }
    this.declarations = data
      .filter((decl) => this.#dualName.has(decl.name))
      .map(({ name, params, constructors, doc }) => ({
        name: this.dataName(name),
        params,
        constructors: constructors.map((c) => ({ ...c, fields: c.fields.map((field) => this.of(field)) })),
        doc,
      }));
  }

  /** `D[type]`. */
  readonly of = (type: Type): Type => {
    switch (type.kind) {
      case "real":
        return this.#rules.real;
      case "fn":
        return this.#rules.arrow(this.of(type.from), this.of(type.to));
      case "data":
        return { kind: "data", name: this.dataName(type.name), args: type.args.map(this.of) };
      default:
        return mapType(type, this.of);
    }
  };

  /** The name of the declaration that `D[-]` makes of a declaration. */
  dataName(name: string): string {
    return this.#dualName.get(name) ?? name;
  }
}

/** Declarations with a field that the translation changes, found to a fixed point: a change in one may change those that use it. */
function changedDeclarations(
  data: readonly Core.DataDecl[],
  translate: (type: Type) => Type,
  renamed: Map<string, string>,
): readonly Core.DataDecl[] {
  for (;;) {
    const found = data.filter(
      (decl) =>
        !renamed.has(decl.name) &&
        decl.constructors.some((c) => c.fields.some((field) => !sameType(translate(field), field))),
    );
    if (found.length === 0) break;
    for (const decl of found) renamed.set(decl.name, `${decl.name}'`);
  }
  return data.filter((decl) => renamed.has(decl.name));
}
