// Types as the language writes them.

import type { Type } from "./type.js";

/** How tightly the place of a type binds: anything, beside an arrow or in a sum, or as an argument. */
type Place = "any" | "operand" | "summand" | "argument";

/** A type as one line of text: `(R, List Z) -> a + Bool`. */
export function printType(type: Type): string {
  return print(type, "any");
}

function print(type: Type, place: Place): string {
  const parenthesised = (text: string, needed: boolean): string => (needed ? `(${text})` : text);
  switch (type.kind) {
    case "real":
      return "R";
    case "int":
      return "Z";
    case "bool":
      return "Bool";
    case "typeVar":
      return type.name;
    case "tuple":
      return `(${type.items.map((item) => print(item, "any")).join(", ")})`;
    case "fn":
      return parenthesised(`${print(type.from, "operand")} -> ${print(type.to, "any")}`, place !== "any");
    case "data": {
      const [left, right] = type.args;
      if (type.name === "+" && left !== undefined && right !== undefined) {
        const text = `${print(left, "summand")} + ${print(right, "summand")}`;
        return parenthesised(text, place === "argument" || place === "summand");
      }
      const text = [type.name, ...type.args.map((arg) => print(arg, "argument"))].join(" ");
      return parenthesised(text, place === "argument" && type.args.length > 0);
    }
  }
}
