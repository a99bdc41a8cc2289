// Data declarations over the types of a calculus, and the fields of their constructors at given arguments.

import { InternalError } from "../internal-error.js";
import { sumDecl, type ConstructorF, type DataDeclF, type Type } from "./type.js";

/** All declarations by name, the built-in sum included; `T`: the types of a calculus, among them those of the source. */
export class Declarations<T> {
  readonly #decls: ReadonlyMap<string, DataDeclF<T | Type>>;

  constructor(
    decls: readonly DataDeclF<T>[],
    /** Replaces type variables. */
    private readonly substitute: (type: T | Type, at: ReadonlyMap<string, T>) => T,
  ) {
    this.#decls = new Map<string, DataDeclF<T | Type>>([sumDecl, ...decls].map((decl) => [decl.name, decl]));
  }

  decl(name: string): DataDeclF<T | Type> {
    const decl = this.#decls.get(name);
    if (decl === undefined) throw new InternalError("data", `there is no data type ${name}`);
    return decl;
  }

  /** The constructors of a data type applied to its arguments, with the fields' types at those arguments. */
  constructorsOf(type: { readonly name: string; readonly args: readonly T[] }): readonly ConstructorF<T>[] {
    const { name: data, params, constructors } = this.decl(type.name);
    if (params.length !== type.args.length)
      throw new InternalError("data", `${data} has ${params.length} parameters, not ${type.args.length}`);
    const at = new Map(type.args.map((arg, index) => [params[index] ?? "", arg]));
    return constructors.map(({ name, fields, fieldNames }) => ({
      name,
      fields: fields.map((field) => this.substitute(field, at)),
      fieldNames,
    }));
  }
}
