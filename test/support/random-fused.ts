// Which definitions of random programs may be fused.

import type { Maker } from "./random-scope.js";
import type { Type } from "./random-types.js";

/** Whether it gives a real, and takes scalars, each in a place of its own. */
export function mayBeFused(maker: Maker, params: readonly Type[], result: Type): boolean {
  return result.kind === "real" && params.every((type) => isOfScalars(maker, type, []));
}

function isOfScalars(maker: Maker, type: Type, above: readonly string[]): boolean {
  if (type.kind === "real" || isDiscrete(maker, type, [])) return true;
  if (type.kind === "tuple") return type.items.every((item) => isOfScalars(maker, item, above));
  if (type.kind !== "data" || above.includes(type.name)) return false;
  const constructors = maker.constructorsOf(type);
  const inside = [...above, type.name];
  return constructors.length === 1 && constructors.every(({ fields }) => fields.every((field) => isOfScalars(maker, field, inside))); // prettier-ignore
}

function isDiscrete(maker: Maker, type: Type, above: readonly string[]): boolean {
  switch (type.kind) {
    case "integer":
    case "boolean":
      return true;
    case "tuple":
      return type.items.every((item) => isDiscrete(maker, item, above));
    case "array":
      return isDiscrete(maker, type.element, above);
    case "data": {
      if (!type.args.every((arg) => isDiscrete(maker, arg, above))) return false;
      const inside = [...above, type.name];
      return above.includes(type.name) || maker.constructorsOf(type).every(({ fields }) => fields.every((field) => isDiscrete(maker, field, inside))); // prettier-ignore
    }
    default:
      return false;
  }
}

/** Operations that random programs use, as functions of reals. */
const operations = new Map<string, 1 | 2>([
  ...["sin", "cos", "tan", "atan", "tanh", "exp", "log", "sqrt", "cbrt", "erf", "sigmoid", "softplus", "relu", "lgamma"].map((name) => [name, 1] as const),
  ...["hypot", "atan2"].map((name) => [name, 2] as const),
]); // prettier-ignore

/** The program as text with fused definitions in the place of its operations, each a product besides; null where it has none of these. */
export function printWithFused(text: string): string | null {
  const used = [...operations].filter(([name]) => new RegExp(`\\b${name}\\b`).test(text));
  if (used.length === 0) return null;
  const renamed = used.reduce((all, [name]) => all.replace(new RegExp(`\\b${name}\\b`, "g"), `${name}Fused`), text);
  const definitions = used.map(([name, count]) => {
    const params = ["x", "y"].slice(0, count);
    const head = params.map((param) => `(${param} : R)`).join(" ");
    return `fused def ${name}Fused ${head} : R = 2 * ${name} ${params.join(" ")} * 0.5`;
  });
  return `${definitions.join("\n\n")}\n\n${renamed}`;
}
