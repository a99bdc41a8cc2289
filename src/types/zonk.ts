// Types once inference is over: every variable is decided. One that a binding in scope quantifies keeps its name; of the others the numeric
// ones, and those that are compared, are R, and the rest, of which no value can exist, are `()`.

import type { Type } from "../core/type.js";
import { bool, int, real, unit } from "../core/type.js";
import { type DataInfo, type Ty, type Variable, prune } from "./ty.js";

/** Nodes of one type, counted as a tree, and its depth: what the passes that follow are built for. */
const maxSize = 2_000;
const maxDepth = 200;

interface Zonked {
  readonly type: Type;
  readonly size: number;
  readonly depth: number;
}

const scalar = (type: Type): Zonked => ({ type, size: 1, depth: 1 });
const zonkedReal = scalar(real);
const zonkedInt = scalar(int);
const zonkedBool = scalar(bool);
const zonkedUnit = scalar(unit);

type Compound = Extract<Ty, { kind: "fn" | "tuple" | "data" | "array" }>;

export class Zonker {
  readonly #names = new Map<Variable, string>();
  #known = new Map<Ty, Zonked | null>();
  /** The data types met so far. */
  readonly data = new Set<DataInfo>();

  /** Does `work` with names for quantified variables. */
  quantified<T>(names: readonly (readonly [Variable, string])[], work: () => T): T {
    if (names.length === 0) return work();
    for (const [variable, name] of names) this.#names.set(variable, name);
    this.#known = new Map();
    const result = work();
    for (const [variable] of names) this.#names.delete(variable);
    this.#known = new Map();
    return result;
  }

  /** The type; null where it is too large. */
  zonk(type: Ty): Type | null {
    return this.#zonk(type, 0)?.type ?? null;
  }

  #zonk(type: Ty, level: number): Zonked | null {
    const end = prune(type);
    switch (end.kind) {
      case "real":
        return zonkedReal;
      case "int":
        return zonkedInt;
      case "bool":
        return zonkedBool;
      case "hole":
        return zonkedUnit;
      case "variable": {
        const name = this.#names.get(end);
        if (name !== undefined) return scalar({ kind: "typeVar", name });
        return end.constraint === "any" ? zonkedUnit : zonkedReal;
      }
      case "fn":
      case "tuple":
      case "data":
      case "array": {
        if (level > maxDepth) return null;
        const known = this.#known.get(end);
        if (known !== undefined) return known;
        const result = this.#compound(end, level + 1);
        this.#known.set(end, result);
        return result;
      }
    }
  }

  #compound(type: Compound, level: number): Zonked | null {
    const parts = partsOf(type);
    const zonked: Zonked[] = [];
    let size = 1;
    let depth = 0;
    for (const part of parts) {
      const result = this.#zonk(part, level);
      if (result === null) return null;
      zonked.push(result);
      size += result.size;
      depth = Math.max(depth, result.depth);
    }
    if (size > maxSize || depth >= maxDepth) return null;
    const [first = zonkedUnit, second = zonkedUnit] = zonked;
    const items = zonked.map((part) => part.type);
    switch (type.kind) {
      case "fn":
        return { type: { kind: "fn", from: first.type, to: second.type }, size, depth: depth + 1 };
      case "tuple":
        return { type: items.length === 0 ? unit : { kind: "tuple", items }, size, depth: depth + 1 };
      case "data":
        this.data.add(type.data);
        return { type: { kind: "data", name: type.data.unique, args: items }, size, depth: depth + 1 };
      case "array":
        return { type: { kind: "array", element: first.type }, size, depth: depth + 1 };
    }
  }
}

function partsOf(type: Compound): readonly Ty[] {
  switch (type.kind) {
    case "fn":
      return [type.from, type.to];
    case "tuple":
      return type.items;
    case "data":
      return type.args;
    case "array":
      return [type.element];
  }
}
