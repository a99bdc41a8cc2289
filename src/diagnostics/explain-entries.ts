// What elaboration's mistakes say to the user.

import type { EntryMistake, EntryPart, TypeStep } from "../elaborate/mistakes.js";
import { printType } from "../core/print-type.js";
import type { LeftOut } from "../emit/left-out.js";
import { unreachable } from "../internal-error.js";
import { suggest } from "../types/suggest.js";
import type { Diagnostic } from "./diagnostic.js";

/** The diagnostic for a mistake in what is exported, or for a program that grows out of bounds. */
export function explainEntries(mistake: EntryMistake): Diagnostic {
  const error = (
    code: string,
    title: string,
    label: string,
    notes: readonly string[],
    hint: string | null,
  ): Diagnostic => ({
    code,
    severity: "error",
    title,
    span: mistake.span,
    label,
    related: [],
    notes,
    hint,
  });
  switch (mistake.kind) {
    case "unknownEntry": {
      const [likely] = suggest(mistake.name, mistake.known);
      const known = mistake.known.length === 0 ? "The file has no definitions." : `There are ${list(mistake.known)}.`;
      return error(
        "E0501",
        `there is no definition \`${mistake.name}\``,
        "",
        [known],
        likely === undefined ? null : `did you mean \`${likely}\`?`,
      );
    }
    case "polymorphicEntry":
      return error(
        "E0502",
        `\`${mistake.name}\` is polymorphic: it cannot be called from outside the model`,
        `has the type ${printType(mistake.type)}`,
        [
          `What is called from outside works at one type, but nothing says what ${list(mistake.typeVars)} ${mistake.typeVars.length > 1 ? "stand" : "stands"} for.`,
        ],
        `annotate its parameters, or write a definition that uses \`${mistake.name}\` at the types that you need`,
      );
    case "notFirstOrder": {
      const { partSpan, name, type } = mistake;
      const diagnostic = error(
        "E0503",
        `\`${name}\` cannot be called from outside the model: ${partPhrase(mistake.part, "`")} ${mistake.path.length === 0 ? "is" : "holds"} a function`,
        `${partSpan === null ? "gives a value of type" : "has the type"} ${printType(type)}`,
        mistake.path.length === 0
          ? []
          : [`The function, ${printType(mistake.function)}, is ${pathPhrase(mistake.path)}.`],
        `\`${name}\` may use functions inside, but what goes in and comes out must be made of numbers, tuples, arrays and data`,
      );
      return partSpan === null ? diagnostic : { ...diagnostic, span: partSpan };
    }
    case "nestedTooDeeply":
      return error(
        "E0701",
        `\`${mistake.name}\` is nested too deeply`,
        `stands more than ${mistake.limit} levels deep`,
        [
          "Chains of `let`, of arithmetic and of `::` may be of any length; other nesting, also by `&&` and `||`, has this limit.",
        ],
        "give an inner part a name, with `let` or a `def` of its own",
      );
    case "derivativeOfFunctions": {
      const { name, part, type, path } = mistake;
      const what = part === "argument" ? "takes" : "gives";
      return error(
        "E0504",
        `\`${name}\` differentiates functions of numbers, tuples, arrays and data: this one ${what} ${path.length === 0 ? "a function" : "a value that holds one"}`,
        `${part === "argument" ? "the argument" : "the result"} has the type ${printType(type)}`,
        path.length === 0 ? [] : [`The function, ${printType(mistake.function)}, is ${pathPhrase(path)}.`],
        "a function may use others that it captures; pass those outside of what is differentiated",
      );
    }
    case "tooMuchCode":
      return error(
        "E0702",
        "the program becomes too large",
        "the limit is reached here",
        [
          `With a copy of each polymorphic definition for each of its types it has more than ${mistake.limit} expressions.`,
        ],
        "export fewer definitions at once, or use polymorphic definitions at fewer types",
      );
    case "typeTooLarge":
      return error(
        "E0703",
        "a type becomes too large",
        `has a type of more than ${mistake.limit} parts`,
        [`This is in the definition of \`${mistake.name}\`. Pairs of pairs of pairs double in size with each level.`],
        "put the parts into a data type, whose name stays short",
      );
    case "tooManyInstances":
      return error(
        "E0704",
        `\`${mistake.name}\` is used at too many types`,
        "one copy too many would be made of this",
        [
          `A polymorphic definition is copied for each type that it is used at, and a program may make ${mistake.limit} such copies.`,
          "Definitions that each use the one before at two types double the copies with each step.",
        ],
        "annotate some of these definitions, so that they have one type",
      );
    case "caseTooLarge":
      return error(
        "E0705",
        "this `case` is too large to compile",
        `needs more than ${mistake.limit} tests`,
        [`This is in the definition of \`${mistake.name}\`.`],
        "match in several steps, on fewer values at a time",
      );
    default:
      return unreachable(mistake);
  }
}

/** Why a definition is not among the exports that were not asked for by name. */
export function explainLeftOut(mistake: EntryMistake): LeftOut {
  return { name: "name" in mistake ? mistake.name : "", reason: reasonLeftOut(mistake) };
}

function reasonLeftOut(mistake: EntryMistake): string {
  switch (mistake.kind) {
    case "polymorphicEntry":
      return `is polymorphic: ${printType(mistake.type)}`;
    case "notFirstOrder":
      return mistake.path.length === 0
        ? `${partPhrase(mistake.part, "")} is a function: ${printType(mistake.function)}`
        : `${partPhrase(mistake.part, "")} holds a function, ${pathPhrase(mistake.path)}: ${printType(mistake.function)}`;
    default:
      return "cannot be exported";
  }
}

/** `component 2 of field 1 of Layer`, from the inside out. */
function pathPhrase(path: readonly TypeStep[]): string {
  const steps = path.map((step) => {
    switch (step.kind) {
      case "component":
        return `component ${step.index}`;
      case "element":
        return "an element";
      case "field":
        return `field ${step.name ?? step.index} of ${step.constructor}`;
    }
  });
  return steps.reverse().join(" of ");
}

function partPhrase(part: EntryPart, quote: string): string {
  if (part.kind === "result") return "its result";
  return part.name === null ? `its parameter ${part.position}` : `its parameter ${quote}${part.name}${quote}`;
}

/** At most eight names. */
function list(names: readonly string[]): string {
  const shown = names.slice(0, 8).map((name) => `\`${name}\``);
  return names.length > shown.length ? `${shown.join(", ")} and ${names.length - shown.length} more` : shown.join(", ");
}
