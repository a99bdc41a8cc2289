// `fused def`: what such a definition takes and gives.

import { scalarsOf } from "../core/scalars.js";
import type { DataTypes } from "../core/type-parts.js";
import type { TypeMistake } from "./mistakes.js";
import type * as Typed from "./typed.js";

/** What is wrong with the types of a fused definition. */
export function fusedMistakes(binding: Typed.Binding, data: DataTypes): readonly TypeMistake[] {
  const { sourceName: name, nameSpan, params, result, typeParams, body } = binding;
  if (params.length === 0) return [{ kind: "fused", problem: "constant", name, span: nameSpan }];
  if (typeParams.length > 0) return [{ kind: "fused", problem: "polymorphic", name, span: nameSpan }];
  return [
    ...params.flatMap(({ type, span }): TypeMistake[] =>
      scalarsOf(type, data) === null ? [{ kind: "fusedType", part: "parameter", name, type, span }] : [],
    ),
    ...(result.kind === "real"
      ? []
      : [{ kind: "fusedType", part: "result", name, type: result, span: body.span } as const]),
  ];
}
