// Types of the target calculus in the papers' notation.

import { sameType } from "./data.js";
import type { Type } from "./type.js";

/** A type that is printed by a name of its own: `D2[R]`. */
export interface Abbreviation {
  readonly name: string;
  readonly type: Type;
}

/** How types are written. */
export interface TypeNotation {
  readonly monad: MonadNotation;
  readonly dual: Abbreviation | null;
}

/** How the stage's monad is written: as state passing (SV25 Figs. 8 to 10) or by its name. */
export type MonadNotation = "state" | "named";

/** Where a type stands: anywhere, left of an arrow, in a sum, or as an argument. */
type Place = "any" | "operand" | "summand" | "argument";

export function printTargetType(type: Type, notation: TypeNotation): string {
  return print(type, "any", notation);
}

function print(type: Type, place: Place, notation: TypeNotation): string {
  if (notation.dual !== null && sameType(type, notation.dual.type)) return notation.dual.name;
  const part = (inner: Type, at: Place): string => print(inner, at, notation);
  const within = (text: string, needed: boolean): string => (needed ? `(${text})` : text);
  switch (type.kind) {
    case "real":
      return "R";
    case "int":
      return "Z";
    case "bool":
      return "Bool";
    case "typeVar":
      return type.name;
    case "opaque":
      return within(type.name, place === "argument" && type.name.includes(" "));
    case "tuple":
      return `(${type.items.map((item) => part(item, "any")).join(", ")})`;
    case "array":
      return `[${part(type.element, "any")}]`;
    case "fn":
      return within(`${part(type.from, "operand")} -> ${part(type.to, "any")}`, place !== "any");
    case "linear": {
      const to = part(type.to, type.to.kind === "fn" ? "operand" : "any");
      return within(`${underlined(part(type.from, "operand"))} -o ${to}`, place !== "any");
    }
    case "computation":
      return notation.monad === "state"
        ? within(`Z -> (${part(type.result, "any")}, Z)`, place !== "any")
        : within(`M ${part(type.result, "argument")}`, place === "argument");
    case "sparse":
      return within(`0 | ${part(type.of, "summand")}`, place !== "any");
    case "data": {
      const [left, right] = type.args;
      if (type.name === "+" && left !== undefined && right !== undefined) {
        return within(
          `${part(left, "summand")} + ${part(right, "summand")}`,
          place === "argument" || place === "summand",
        );
      }
      const text = [type.name, ...type.args.map((arg) => part(arg, "argument"))].join(" ");
      return within(text, place === "argument" && type.args.length > 0);
    }
  }
}

/** A cotangent type, `_R`. */
function underlined(text: string): string {
  return /^\w+$/.test(text) ? `_${text}` : text;
}
