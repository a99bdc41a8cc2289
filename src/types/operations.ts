// The types of the built-in operations, read off the table of primitives: where the variants at R and Z (and Bool) differ, the type is
// overloaded there.

import { type OverloadedName, type Scalar, overloadsOf, primitive } from "../core/primitives.js";
import { type Constraint, type Ty, boolTy, fnTys, intTy, realTy } from "./ty.js";
import type { Unifier } from "./unify.js";

/** A use of an operation: its parameters and result, and the type that decides which variant it is. */
export interface OperationUse {
  readonly params: readonly Ty[];
  readonly result: Ty;
  readonly operand: Ty;
}

const scalars: Readonly<Record<Scalar, Ty>> = { R: realTy, Z: intTy, B: boolTy };

interface Shape {
  readonly signature: readonly (Scalar | "operand")[];
  readonly constraint: Constraint;
  /** The operand type where there is one variant alone. */
  readonly only: Ty | null;
}

const shapes = new Map<OverloadedName, Shape>();

function shapeOf(name: OverloadedName): Shape {
  const known = shapes.get(name);
  if (known !== undefined) return known;
  const { R, Z, B } = overloadsOf(name);
  const variants = [R, Z, B].filter((variant) => variant !== undefined).map(primitive);
  const signatures = variants.map(({ params, result }) => [...params, result]);
  const [first = []] = signatures;
  const shape: Shape = {
    signature: first.map((type, i) => (signatures.every((other) => other[i] === type) ? type : "operand")),
    constraint: B === undefined ? "numeric" : "equality",
    only: variants.length > 1 ? null : R === undefined ? intTy : realTy,
  };
  shapes.set(name, shape);
  return shape;
}

/** The operation at an operand type that inference is to find. */
export function useOperation(name: OverloadedName, unifier: Unifier): OperationUse {
  const { constraint, only } = shapeOf(name);
  return operationAt(name, only ?? unifier.fresh(constraint));
}

/** The operation at a given operand type. */
export function operationAt(name: OverloadedName, operand: Ty): OperationUse {
  const types = shapeOf(name).signature.map((type) => (type === "operand" ? operand : scalars[type]));
  return { params: types.slice(0, -1), result: types[types.length - 1] ?? operand, operand };
}

/** The operation as a function. */
export function operationType({ params, result }: OperationUse): Ty {
  return fnTys(params, result);
}
