// What mistakes in derivatives say to the user.

import type { DerivativeMistake } from "../core/derivative.js";
import type { Span } from "../syntax/source.js";
import type { Diagnostic } from "./diagnostic.js";

export function explainDerivatives({ cycle, span }: DerivativeMistake, model: Span): Diagnostic {
  const names = cycle.map((name) => `\`${name}\``);
  return {
    code: "E0505",
    severity: "error",
    title: "a derivative is taken of a function that takes it again: its order depends on the run",
    span: span ?? model,
    label: "this derivative comes back to itself",
    related: [],
    notes: [`The cycle is ${names.join(" -> ")}.`, "The order of derivatives is fixed by the text of a program."],
    hint: "write out the orders that you need: `derivative (\\x. derivative f x)` is a second derivative",
  };
}
