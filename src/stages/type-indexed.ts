// Families of functions indexed by a type, as Interleave and Deinterleave are: at a data type each is a recursive definition, made
// when it is first asked for.

import type { Names } from "../core/names.js";
import type { Fn } from "../target-calculus/term.js";
import type { Type } from "../target-calculus/type.js";

export type DataType = Type & { readonly kind: "data" };

export class TypeIndexed {
  readonly #names = new Map<string, string>();
  readonly #functions = new Map<string, Fn>();
  readonly #label: string;
  readonly #fresh: Names;
  readonly #make: (name: string, type: DataType) => Fn;

  /** `make` gives the member at a data type under the given name; it may ask for further members, itself too. */
  constructor(label: string, fresh: Names, make: (name: string, type: DataType) => Fn) {
    this.#label = label;
    this.#fresh = fresh;
    this.#make = make;
  }

  /** The name of the member at a data type. */
  at(type: DataType): string {
    const key = JSON.stringify(type);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = this.#fresh.fresh(`${this.#label}${typeLabel(type)}`);
    this.#names.set(key, name);
    this.#functions.set(key, this.#make(name, type));
    return name;
  }

  /** All members asked for so far. */
  get functions(): readonly Fn[] {
    return [...this.#functions.values()];
  }
}

/** A data type in letters: `ListR`. */
function typeLabel(type: Type): string {
  switch (type.kind) {
    case "real":
      return "R";
    case "int":
      return "Z";
    case "bool":
      return "Bool";
    case "data":
      return `${type.name === "+" ? "Sum" : type.name}${type.args.map(typeLabel).join("")}`;
    case "array":
      return `Array${typeLabel(type.element)}`;
    case "tuple":
      return type.items.length === 0 ? "Unit" : type.items.map(typeLabel).join("");
    default:
      return "";
  }
}
