// The types of the source calculus (SV25 Fig. 4 and §11), and how the target calculus extends them (SV25 Fig. 5).
//
//   t ::= R | Z | Bool | (t1, .., tn) | t -> t | D t1 .. tn | [t] | a
//
// `()` is the tuple of no components; the sum `a + b` is the data type `+` with the constructors `inl` and `inr`; variables occur only
// in the fields of data declarations, since definitions are monomorphic from here on.

/** What a calculus has for terms and types: ties the knot of the shapes that source and target share. */
export interface Calculus {
  readonly term: unknown;
  readonly type: unknown;
}

/** The shape shared by source and target types. */
export type TypeF<K extends Calculus> =
  | { readonly kind: "real" }
  | { readonly kind: "int" }
  | { readonly kind: "bool" }
  | { readonly kind: "tuple"; readonly items: readonly K["type"][] }
  | { readonly kind: "fn"; readonly from: K["type"]; readonly to: K["type"] }
  | { readonly kind: "data"; readonly name: string; readonly args: readonly K["type"][] }
  /** Arrays of any length, known at run time alone. */
  | { readonly kind: "array"; readonly element: K["type"] }
  | { readonly kind: "typeVar"; readonly name: string };

/** The source calculus' types; its terms stand in `term.ts`. */
export interface SourceTypes extends Calculus {
  readonly type: Type;
}

export type Type = TypeF<SourceTypes>;

/** `data D a1 .. an = C1 t.. | ..`, over source or target types. */
export interface DataDeclF<T> {
  readonly name: string;
  readonly params: readonly string[];
  readonly constructors: readonly ConstructorF<T>[];
  readonly doc: string;
}

export interface ConstructorF<T> {
  readonly name: string;
  readonly fields: readonly T[];
  /** The fields' names in a record, `Camera { focal : R }`; null where they have none. */
  readonly fieldNames: readonly string[] | null;
}

export type DataDecl = DataDeclF<Type>;

/** The sum `a + b` as a data type. */
export const sumDecl: DataDecl = {
  name: "+",
  params: ["a", "b"],
  constructors: [
    { name: "inl", fields: [{ kind: "typeVar", name: "a" }], fieldNames: null },
    { name: "inr", fields: [{ kind: "typeVar", name: "b" }], fieldNames: null },
  ],
  doc: "",
};

export const real: { readonly kind: "real" } = { kind: "real" };
export const int: { readonly kind: "int" } = { kind: "int" };
export const bool: { readonly kind: "bool" } = { kind: "bool" };
export const unit: { readonly kind: "tuple"; readonly items: readonly [] } = { kind: "tuple", items: [] };
