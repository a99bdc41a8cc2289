// The monoids of the target calculus: their units and operations by type.

import { InternalError } from "../../internal-error.js";
import type { Stage } from "../../stages/stage.js";
import type { Type } from "../../target-calculus/type.js";
import type { Refer } from "./lower-operators.js";
import { binary, callOf, number } from "../../typescript/build.js";
import type { TsExpr } from "../../typescript/tree.js";
import { typeKey } from "./typing.js";

interface MonoidText {
  zero(type: Type): TsExpr;
  plus(type: Type, left: TsExpr, right: TsExpr): TsExpr;
  /** `term` is a function of the index. */
  sum(type: Type, size: TsExpr, term: TsExpr): TsExpr;
}

/** Zero and plus at any type for which the stage, or the calculus itself, has them. */
export function monoidsOf(stage: Stage, refer: Refer): MonoidText {
  const find = (type: Type) => {
    const key = typeKey(type);
    const monoid = stage.monoids.find((candidate) => typeKey(candidate.type) === key);
    return (
      monoid ?? (type.kind === "sparse" ? { zero: "sparse.none", plus: "sparse.plus", sum: "sparse.sumOf" } : null)
    );
  };
  return {
    zero(type) {
      const monoid = find(type);
      if (monoid !== null) return refer(monoid.zero);
      switch (type.kind) {
        case "real":
        case "int":
          return number(0);
        case "tuple":
          return type.items.length === 0
            ? { kind: "null" }
            : { kind: "array", items: type.items.map((item) => this.zero(item)) };
        default:
          throw new InternalError("emit", "no zero at this type", typeKey(type));
      }
    },
    plus(type, left, right) {
      const monoid = find(type);
      if (monoid !== null) return callOf(refer(monoid.plus), left, right);
      if (type.kind === "real" || type.kind === "int") return binary("+", left, right);
      throw new InternalError("emit", "no plus at this type", typeKey(type));
    },
    sum(type, size, term) {
      const monoid = find(type);
      if (monoid === null) throw new InternalError("emit", "no sum at this type", typeKey(type));
      return callOf(refer(monoid.sum), size, term);
    },
  };
}
