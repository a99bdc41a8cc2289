// Types as messages show them: what is known at the time, with names for what is not.

import type { Type } from "../core/type.js";
import { type Ty, type TypeVariables, type Variable, prune, rigidName } from "./ty.js";

/** Larger types are cut in messages. */
const maxSize = 150;
const maxDepth = 30;

const cut: Type = { kind: "typeVar", name: ".." };

/** Shows several types of one message with the same names for the same variables. */
export class Snapshot {
  readonly #names = new Map<Variable, string>();
  readonly #annotated: readonly TypeVariables[];
  #size = 0;

  /** `annotated` are the variables of the definitions around the place: their names are not given to others. */
  constructor(annotated: readonly TypeVariables[] = []) {
    this.#annotated = [...annotated];
  }

  type(type: Ty): Type {
    this.#size = 0;
    return this.#type(type, 0);
  }

  #type(type: Ty, depth: number): Type {
    this.#size += 1;
    if (this.#size > maxSize || depth > maxDepth) return cut;
    const end = prune(type);
    switch (end.kind) {
      case "real":
      case "int":
      case "bool":
        return { kind: end.kind };
      case "tuple":
        return { kind: "tuple", items: end.items.map((item) => this.#type(item, depth + 1)) };
      case "fn":
        return { kind: "fn", from: this.#type(end.from, depth + 1), to: this.#type(end.to, depth + 1) };
      case "data":
        return { kind: "data", name: end.data.name, args: end.args.map((arg) => this.#type(arg, depth + 1)) };
      case "array":
        return { kind: "array", element: this.#type(end.element, depth + 1) };
      case "variable":
        return { kind: "typeVar", name: this.name(end) };
      case "hole":
        return { kind: "typeVar", name: "?" };
    }
  }

  /** `number` for a numeric variable, its name there for an annotated one, else a letter. */
  name(variable: Variable): string {
    if (variable.rigid !== null) {
      return rigidName(
        variable.rigid,
        this.#annotated.map(({ owner }) => owner),
      );
    }
    if (variable.constraint === "numeric") return "number";
    const known = this.#names.get(variable);
    if (known !== undefined) return known;
    const reserved = this.#annotated.flatMap(({ variables }) => [...variables.keys()]);
    const taken = new Set([...reserved, ...this.#names.values()]);
    let count = 0;
    while (taken.has(letterName(count))) count += 1;
    const name = letterName(count);
    this.#names.set(variable, name);
    return name;
  }
}

/** `a`, .., `z`, `a1`, .. */
export function letterName(index: number): string {
  const letter = String.fromCharCode(97 + (index % 26));
  return index < 26 ? letter : `${letter}${Math.floor(index / 26)}`;
}

/** One type alone. */
export function resolvedType(type: Ty): Type {
  return new Snapshot().type(type);
}
