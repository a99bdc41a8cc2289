// Values of emitted modules as leaves of flat programs, and back; iterative, as values may be lists of a million cells.

import type { DataDecl, Type } from "../core/type.js";
import { Layouts } from "../emit/layouts.js";
import { Leaves } from "./leaves.js";

/** What a flat variable holds. */
export type FlatValue = number | boolean | Elements | Built | Closure;

export interface Elements {
  readonly kind: "array";
  readonly items: FlatValue[];
}

export interface Built {
  readonly kind: "object";
  readonly con: string;
  readonly fields: FlatValue[];
}

export interface Closure {
  readonly kind: "closure";
  readonly code: string;
  readonly captured: readonly FlatValue[];
}

interface Incoming {
  readonly value: unknown;
  readonly type: Type;
  /** Takes leaf `leaf` of the value. */
  readonly set: (leaf: number, value: FlatValue) => void;
}

interface Outgoing {
  readonly leaves: readonly FlatValue[];
  readonly type: Type;
  readonly fill: (value: unknown) => void;
}

export class FlatValues {
  readonly #leaves: Leaves;
  readonly #layouts: Layouts;

  constructor(data: readonly DataDecl[]) {
    this.#leaves = new Leaves(data);
    this.#layouts = new Layouts(data);
  }

  /** How many leaves a value of a type has. */
  countOf(type: Type): number {
    return this.#leaves.of(type).length;
  }

  /** The leaves of a value as emitted modules take it. */
  taken(value: unknown, type: Type): readonly FlatValue[] {
    const result: FlatValue[] = [];
    const waiting: Incoming[] = [{ value, type, set: (leaf, part) => (result[leaf] = part) }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) this.#take(next, waiting);
    return result;
  }

  /** The value that emitted modules give for leaves. */
  given(leaves: readonly FlatValue[], type: Type): unknown {
    let result: unknown;
    const waiting: Outgoing[] = [{ leaves, type, fill: (value) => (result = value) }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) this.#give(next, waiting);
    return result;
  }

  #take({ value, type, set }: Incoming, waiting: Incoming[]): void {
    switch (type.kind) {
      case "real":
      case "int":
      case "bool":
        if (typeof value !== "number" && typeof value !== "boolean") throw new Error("not a scalar");
        set(0, value);
        return;
      case "tuple":
        this.#takeParts(type.items, (index) => part(value, index), set, waiting);
        return;
      case "array": {
        if (!(Array.isArray(value) || value instanceof Float64Array)) throw new Error("not an array");
        const length = value.length;
        const reps = this.#leaves.of(type.element);
        if (reps.length === 0) set(0, length);
        const arrays = reps.map((): Elements => ({ kind: "array", items: Array.from({ length }, () => 0) }));
        arrays.forEach((array, leaf) => {
          set(leaf, array);
        });
        for (let i = 0; i < length; i += 1) {
          const setItem = (leaf: number, item: FlatValue): void => {
            const array = arrays[leaf];
            if (array !== undefined) array.items[i] = item;
          };
          waiting.push({ value: part(value, i), type: type.element, set: setItem });
        }
        return;
      }
      case "data": {
        const tag = part(value, "tag");
        const constructors = this.#leaves.types.constructorsOf(type);
        const isRecord = this.#layouts.isRecord(type.name);
        const made = isRecord ? constructors[0] : constructors.find(({ name }) => name === tag);
        if (made === undefined) throw new Error(`no constructor ${String(tag)}`);
        const { keys } = this.#layouts.of(type.name, made.name);
        const field = (index: number): unknown => part(value, keys[index] ?? "");
        if (this.#leaves.isSplit(type)) {
          this.#takeParts(made.fields, field, set, waiting);
          return;
        }
        const built: Built = { kind: "object", con: made.name, fields: [] };
        set(0, built);
        this.#takeParts(made.fields, field, (leaf, item) => (built.fields[leaf] = item), waiting);
        return;
      }
      default:
        throw new Error("not a first-order type");
    }
  }

  #takeParts(
    types: readonly Type[],
    of: (index: number) => unknown,
    set: (leaf: number, value: FlatValue) => void,
    waiting: Incoming[],
  ): void {
    let first = 0;
    types.forEach((type, index) => {
      const start = first;
      first += this.#leaves.of(type).length;
      waiting.push({
        value: of(index),
        type,
        set: (leaf, item) => {
          set(start + leaf, item);
        },
      });
    });
  }

  #give({ leaves, type, fill }: Outgoing, waiting: Outgoing[]): void {
    const [first] = leaves;
    switch (type.kind) {
      case "real":
      case "int":
      case "bool":
        fill(first);
        return;
      case "tuple": {
        if (type.items.length === 0) {
          fill(null);
          return;
        }
        const items: unknown[] = [];
        this.#giveParts(type.items, leaves, (index, value) => (items[index] = value), waiting);
        fill(items);
        return;
      }
      case "array": {
        const count = this.#leaves.of(type.element).length;
        const length = count === 0 ? Number(first) : elementsOf(first).length;
        const items: unknown[] = type.element.kind === "real" ? [] : Array.from({ length }, () => null);
        if (type.element.kind === "real") {
          fill(Float64Array.from(elementsOf(first), Number));
          return;
        }
        fill(items);
        const arrays = count === 0 ? [] : leaves.map(elementsOf);
        for (let i = 0; i < length; i += 1) {
          const own = arrays.map((array) => array[i] ?? 0);
          waiting.push({ leaves: own, type: type.element, fill: (value) => (items[i] = value) });
        }
        return;
      }
      case "data": {
        const isSplit = this.#leaves.isSplit(type);
        const con = isSplit ? this.#leaves.types.constructorsOf(type)[0]?.name : builtOf(first).con;
        const constructor = this.#leaves.types.constructorsOf(type).find(({ name }) => name === con);
        if (constructor === undefined) throw new Error("no constructor");
        const { keys, isTagged } = this.#layouts.of(type.name, constructor.name);
        const object: Record<string, unknown> = isTagged ? { tag: constructor.name } : {};
        const set = (index: number, value: unknown): void => {
          Object.defineProperty(object, keys[index] ?? "", { value, writable: true, enumerable: true, configurable: true }); // prettier-ignore
        };
        keys.forEach((_, index) => {
          set(index, null);
        });
        this.#giveParts(constructor.fields, isSplit ? leaves : builtOf(first).fields, set, waiting);
        fill(object);
        return;
      }
      default:
        throw new Error("not a first-order type");
    }
  }

  #giveParts(
    types: readonly Type[],
    leaves: readonly FlatValue[],
    set: (index: number, value: unknown) => void,
    waiting: Outgoing[],
  ): void {
    let first = 0;
    types.forEach((type, index) => {
      const start = first;
      first += this.#leaves.of(type).length;
      waiting.push({
        leaves: leaves.slice(start, first),
        type,
        fill: (value) => {
          set(index, value);
        },
      });
    });
  }
}

export function elementsOf(value: FlatValue | undefined): readonly FlatValue[] {
  if (typeof value !== "object" || value.kind !== "array") throw new Error("not an array");
  return value.items;
}

export function builtOf(value: FlatValue | undefined): Built {
  if (typeof value !== "object" || value.kind !== "object") throw new Error("not an object");
  return value;
}

function part(value: unknown, key: string | number): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
