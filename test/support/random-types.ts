// The types of random programs.

/** `data` covers the prelude's `List`, the sum `+`, and the data types that a random program declares. */
export type Type =
  | { readonly kind: "real" | "integer" | "boolean" }
  | { readonly kind: "tuple"; readonly items: readonly Type[] }
  | { readonly kind: "function"; readonly from: Type; readonly to: Type }
  | ArrayType
  | AppliedData
  | { readonly kind: "variable"; readonly name: string };

export interface ArrayType {
  readonly kind: "array";
  readonly element: Type;
}

export interface AppliedData {
  readonly kind: "data";
  readonly name: string;
  readonly args: readonly Type[];
}

/** `names` of the fields, where they have names; no two data types of a program have one in common. */
export interface Constructor {
  readonly name: string;
  readonly fields: readonly Type[];
  readonly names: readonly string[] | null;
}

/** The first constructor holds nothing recursive. `inner`: holds functions, so that it cannot be in an entry's interface. */
export interface DataType {
  readonly name: string;
  readonly params: readonly string[];
  readonly constructors: readonly Constructor[];
  readonly inner: boolean;
}

export const real: Type = { kind: "real" };
export const integer: Type = { kind: "integer" };
export const boolean: Type = { kind: "boolean" };
export const tuple = (...items: readonly Type[]): Type => ({ kind: "tuple", items });
export const fn = (from: Type, to: Type): Type => ({ kind: "function", from, to });
export const data = (name: string, ...args: readonly Type[]): AppliedData => ({ kind: "data", name, args });
export const arrayOf = (element: Type): ArrayType => ({ kind: "array", element });
export const listOf = (element: Type): AppliedData => data("List", element);
export const variable = (name: string): Type => ({ kind: "variable", name });

export const listType: DataType = {
  name: "List",
  params: ["a"],
  constructors: [
    { name: "Nil", fields: [], names: null },
    { name: "Cons", fields: [variable("a"), listOf(variable("a"))], names: null },
  ],
  inner: false,
};

export const sumType: DataType = {
  name: "+",
  params: ["a", "b"],
  constructors: [
    { name: "inl", fields: [variable("a")], names: null },
    { name: "inr", fields: [variable("b")], names: null },
  ],
  inner: false,
};

export const treeType: DataType = {
  name: "Tree",
  params: ["a"],
  constructors: [
    { name: "Leaf", fields: [], names: null },
    { name: "Node", fields: [data("Tree", variable("a")), variable("a"), data("Tree", variable("a"))], names: null },
  ],
  inner: false,
};

/** As it stands in a program. */
export function printType(type: Type): string {
  switch (type.kind) {
    case "real":
      return "R";
    case "integer":
      return "Z";
    case "boolean":
      return "Bool";
    case "variable":
      return type.name;
    case "tuple":
      return `(${type.items.map(printType).join(", ")})`;
    case "function":
      return `(${printType(type.from)} -> ${printType(type.to)})`;
    case "array":
      return `[${printType(type.element)}]`;
    case "data":
      if (type.name === "+") return `(${type.args.map(printType).join(" + ")})`;
      return type.args.length === 0 ? type.name : `(${[type.name, ...type.args.map(printType)].join(" ")})`;
  }
}

export function sameType(a: Type, b: Type): boolean {
  return a === b || printType(a) === printType(b);
}

/** The constructors of a data type at its arguments. */
export function constructorsAt(declaration: DataType, args: readonly Type[]): readonly Constructor[] {
  const at = new Map(declaration.params.map((param, i) => [param, args[i] ?? real]));
  return declaration.constructors.map(({ name, fields, names }) => ({
    name,
    fields: fields.map((f) => substitute(f, at)),
    names,
  }));
}

function substitute(type: Type, at: ReadonlyMap<string, Type>): Type {
  switch (type.kind) {
    case "variable":
      return at.get(type.name) ?? type;
    case "tuple":
      return { ...type, items: type.items.map((item) => substitute(item, at)) };
    case "function":
      return fn(substitute(type.from, at), substitute(type.to, at));
    case "array":
      return arrayOf(substitute(type.element, at));
    case "data":
      return { ...type, args: type.args.map((arg) => substitute(arg, at)) };
    default:
      return type;
  }
}
