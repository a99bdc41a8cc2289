// Classes of function types: what unknown calls are told apart by. Types that a generic data declaration gives one spelling in TypeScript
// (`a -> a` in `data Box a = Box (a -> a)`) are in one class, as are linear functions and the others.

import type { DataDecl, Type } from "../../target-calculus/type.js";
import type { FunctionType } from "./convention.js";
import { typeKey } from "./typing.js";

export class FunctionTypes {
  readonly #patterns: readonly FunctionType[];
  readonly #classes = new Map<string, string>();
  /** The class that each pattern belongs to, by the pattern's place. */
  readonly #patternClasses: number[];

  constructor(data: readonly DataDecl[]) {
    const fields = data.flatMap((decl) => decl.constructors.flatMap((constructor) => constructor.fields));
    this.#patterns = fields.flatMap((field) => functionTypesIn(erased(field))).filter(isOpen);
    this.#patternClasses = this.#patterns.map((_, index) => index);
    // Patterns that have an instance in common are one class
    this.#patterns.forEach((pattern, index) => {
      this.#patterns.forEach((other, place) => {
        if (place < index && overlap(pattern, other)) this.#merge(index, place);
      });
    });
  }

  /** The class of a type, closed or as it stands in a data declaration. */
  classOf(type: FunctionType): string {
    const plain = erased(type);
    const key = typeKey(plain);
    const known = this.#classes.get(key);
    if (known !== undefined) return known;
    const place = this.#patterns.findIndex((pattern) =>
      isOpen(plain) ? typeKey(pattern) === key : isInstance(plain, pattern, new Map()),
    );
    const found = place < 0 ? key : `pattern ${this.#patternClasses[place] ?? place}`;
    this.#classes.set(key, found);
    return found;
  }

  #merge(index: number, place: number): void {
    const [from, to] = [this.#patternClasses[index], this.#patternClasses[place]];
    this.#patternClasses.forEach((value, i) => {
      if (value === from && to !== undefined) this.#patternClasses[i] = to;
    });
  }
}

/** A type as TypeScript tells it from others: without linear functions, and without computations. */
function erased(type: FunctionType): FunctionType;
function erased(type: Type): Type;
function erased(type: Type): Type {
  switch (type.kind) {
    case "fn":
    case "linear":
      return { kind: "fn", from: erased(type.from), to: erased(type.to) };
    case "computation":
      return erased(type.result);
    case "tuple":
      return { kind: "tuple", items: type.items.map(erased) };
    case "data":
      return { kind: "data", name: type.name, args: type.args.map(erased) };
    case "array":
      return { kind: "array", element: erased(type.element) };
    default:
      return type;
  }
}

function functionTypesIn(type: Type): readonly FunctionType[] {
  switch (type.kind) {
    case "fn":
    case "linear":
      return [type, ...functionTypesIn(type.from), ...functionTypesIn(type.to)];
    case "tuple":
      return type.items.flatMap(functionTypesIn);
    case "data":
      return type.args.flatMap(functionTypesIn);
    case "array":
      return functionTypesIn(type.element);
    default:
      return [];
  }
}

function isOpen(type: Type): boolean {
  switch (type.kind) {
    case "typeVar":
      return true;
    case "fn":
    case "linear":
      return isOpen(type.from) || isOpen(type.to);
    case "tuple":
      return type.items.some(isOpen);
    case "data":
      return type.args.some(isOpen);
    case "array":
      return isOpen(type.element);
    default:
      return false;
  }
}

/** Whether a closed type is what a pattern becomes when its variables are replaced. */
function isInstance(type: Type, pattern: Type, at: Map<string, string>): boolean {
  const all = (types: readonly Type[], patterns: readonly Type[]): boolean =>
    types.length === patterns.length &&
    types.every((part, index) => {
      const other = patterns[index];
      return other !== undefined && isInstance(part, other, at);
    });
  if (pattern.kind === "typeVar") {
    const key = typeKey(type);
    const before = at.get(pattern.name) ?? key;
    at.set(pattern.name, before);
    return before === key;
  }
  if (pattern.kind === "fn") return type.kind === "fn" && all([type.from, type.to], [pattern.from, pattern.to]);
  if (pattern.kind === "tuple") return type.kind === "tuple" && all(type.items, pattern.items);
  if (pattern.kind === "array") return type.kind === "array" && all([type.element], [pattern.element]);
  if (pattern.kind === "data")
    return type.kind === "data" && type.name === pattern.name && all(type.args, pattern.args);
  return typeKey(type) === typeKey(pattern);
}

/** Whether two types may have an instance in common; variables stand for anything, each time anew. */
function overlap(a: Type, b: Type): boolean {
  if (a.kind === "typeVar" || b.kind === "typeVar") return true;
  if (a.kind === "fn" && b.kind === "fn") return overlap(a.from, b.from) && overlap(a.to, b.to);
  if (a.kind === "tuple" && b.kind === "tuple") return overlapAll(a.items, b.items);
  if (a.kind === "array" && b.kind === "array") return overlap(a.element, b.element);
  if (a.kind === "data" && b.kind === "data") return a.name === b.name && overlapAll(a.args, b.args);
  return typeKey(a) === typeKey(b);
}

function overlapAll(as: readonly Type[], bs: readonly Type[]): boolean {
  return (
    as.length === bs.length &&
    as.every((a, index) => {
      const b = bs[index];
      return b !== undefined && overlap(a, b);
    })
  );
}
