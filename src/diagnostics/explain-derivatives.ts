// What mistakes in derivatives say to the user.

import type { DerivativeMistake, NotLinearReason } from "../core/derivative.js";
import { primitive } from "../core/primitives.js";
import type { Span } from "../syntax/source.js";
import type { Diagnostic } from "./diagnostic.js";

/** `place`: where the operation is that a rule is not linear for. */
export function explainDerivatives(mistake: DerivativeMistake, model: Span, place: Span | null): Diagnostic {
  const error = (code: string, title: string, label: string, notes: readonly string[], hint: string): Diagnostic => ({
    code,
    severity: "error",
    title,
    span: (mistake.kind === "unruledExtern" ? mistake.extern.span : mistake.span) ?? model,
    label,
    related: place === null ? [] : [{ span: place, label: "here" }],
    notes,
    hint,
  });
  if (mistake.kind === "unruledExtern") {
    const { name, params } = mistake.extern;
    const said = params.map((param) => param.name).join(" ");
    const tangents = params.map((param) => `d${param.name}`).join(" ");
    return error("E0509", `\`${name}\` is differentiated, and has no rule`, "what it computes is not in the model", [
      "Its arguments depend on what a derivative is taken by.",
    ], `say what its derivative is, \`rule derivative ${name} ${said} ${tangents} = ..\` or \`rule pullback ${name} ${said} w = ..\`, or put \`stopGradient\` around it`); // prettier-ignore
  }
  if (mistake.kind === "notLinear") {
    const what = mistake.of === "tangents" ? "tangents" : "cotangent";
    return error("E0508", `this rule is not linear in its ${what}: ${becausePhrase(mistake.because)}`, "the rule is for this", [
      "A derivative is linear: twice the tangent gives twice the result.",
    ], "sums of them, and products of one of them with what does not depend on them, are linear"); // prettier-ignore
  }
  if (mistake.kind === "ownRule")
    return error(
      "E0505",
      mistake.at === "functions"
        ? "a rule for a function that takes functions uses that function again: its order has no end"
        : `a rule uses what it is for at its ${mistake.at}: a reverse pass through it has no end`,
      "the rule is for this",
      [],
      mistake.at === "functions"
        ? "what the function gives is there as `given y`: `rule derivative f g x dg dx given y = ..`"
        : "put what both need into a definition without a rule",
    );
  const names = mistake.cycle.map((name) => `\`${name}\``);
  return error(
    "E0505",
    "a derivative is taken of a function that takes it again: its order depends on the run",
    "this derivative comes back to itself",
    [`The cycle is ${names.join(" -> ")}.`, "The order of derivatives is fixed by the text of a program."],
    "write out the orders that you need: `derivative (\\x. derivative f x)` is a second derivative",
  );
}

/** As half a sentence, in which `they` are the tangents, or the cotangent. */
function becausePhrase(reason: NotLinearReason): string {
  switch (reason.kind) {
    case "operation":
      return `\`${primitive(reason.op).notation}\` is applied to them`;
    case "product":
      return "two of them are multiplied";
    case "divisor":
      return "they divide something";
    case "point":
      return "a derivative is taken at them";
    case "affine":
      return "something that does not vanish with them is added to them, or stands beside them";
    case "constant":
      return "what it gives does not vanish where they do";
    case "size":
      return "the size of an array depends on them";
    case "index":
      return "an index depends on them";
    case "condition":
      return "a condition depends on them";
    case "constructor":
      return "a `case` looks at a value of them that has several constructors";
    case "function":
      return "an unknown function is applied";
  }
}
