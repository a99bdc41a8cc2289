// Types of the target calculus in the papers' notation.

import { sameType } from "./data.js";
import { respelt, type Spelling } from "./spelling.js";
import type { Type } from "./type.js";

/** A type that is printed by a name of its own: `D2[R]`. */
export interface Abbreviation {
  readonly name: string;
  readonly type: Type;
}

/** How types are written. */
export interface TypeNotation {
  readonly spelling: Spelling;
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
  if (notation.dual !== null && sameType(type, notation.dual.type))
    return respelt(notation.dual.name, notation.spelling);
  const part = (inner: Type, at: Place): string => print(inner, at, notation);
  const within = (text: string, needed: boolean): string => (needed ? `(${text})` : text);
  switch (type.kind) {
    case "real":
      return notation.spelling.real;
    case "int":
      return notation.spelling.int;
    case "bool":
      return "Bool";
    case "typeVar":
      return type.name;
    case "opaque":
      return within(respelt(type.name, notation.spelling), place === "argument" && type.name.includes(" "));
    case "tuple":
      return `(${type.items.map((item) => part(item, "any")).join(", ")})`;
    case "array":
      return `[${part(type.element, "any")}]`;
    case "fn":
      return within(
        `${part(type.from, "operand")} ${notation.spelling.arrow} ${part(type.to, "any")}`,
        place !== "any",
      );
    case "linear": {
      const to = part(type.to, type.to.kind === "fn" ? "operand" : "any");
      return within(
        `${cotangentOf(part(type.from, "operand"), notation)} ${notation.spelling.linearArrow} ${to}`,
        place !== "any",
      );
    }
    case "computation":
      return notation.monad === "state"
        ? within(
            `${notation.spelling.int} ${notation.spelling.arrow} (${part(type.result, "any")}, ${notation.spelling.int})`,
            place !== "any",
          )
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
function cotangentOf(text: string, { spelling }: TypeNotation): string {
  return /^[\p{ID_Start}_][\p{ID_Continue}']*$/u.test(text) ? spelling.cotangent(text) : text;
}
