// Types as the language writes them.

import type { Type } from "./type.js";

/** Where a type stands: nothing is asked of it, left of an arrow, a part of a sum, an argument of a data type. */
type Place = "free" | "from" | "addend" | "argument";

/** The type in the notation of the source, with as few parentheses as that needs. */
export function printType(type: Type): string {
  return print(type, "free");
}

function print(type: Type, place: Place): string {
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
      return `(${type.items.map((item) => print(item, "free")).join(", ")})`;
    case "fn":
      return parenthesised(`${print(type.from, "from")} -> ${print(type.to, "free")}`, place !== "free");
    case "array":
      return `[${print(type.element, "free")}]`;
    case "data": {
      const { name, args } = type;
      if (name !== "+") {
        const words = [name, ...args.map((arg) => print(arg, "argument"))];
        return parenthesised(words.join(" "), args.length > 0 && place === "argument");
      }
      const [left, right] = args;
      if (left === undefined || right === undefined) return name;
      // Sums are written from the left: `a + b + c` is `(a + b) + c`
      const isSum = left.kind === "data" && left.name === "+";
      const text = `${print(left, isSum ? "free" : "addend")} + ${print(right, "addend")}`;
      return parenthesised(text, place === "addend" || place === "argument");
    }
  }
}

function parenthesised(text: string, needed: boolean): string {
  return needed ? `(${text})` : text;
}
