// The words for a change that mends a mistake.

import type { LambdaParameters, PartAnnotation, Repair } from "../types/mistakes.js";
import type { Diagnostic } from "./diagnostic.js";
import { error } from "./error.js";
import { counted } from "./words.js";

export function repairHint({ kind, text }: Repair): string {
  switch (kind) {
    case "reordered":
      return `the arguments fit in this order: \`${text}\``;
    case "oneByOne":
      return `it takes its arguments one by one: \`${text}\``;
    case "oneTuple":
      return `one tuple is expected: \`${text}\``;
    case "tuples":
      return `tuples are expected: \`${text}\``;
    case "commas":
      return `commas stand between the parts: \`${text}\``;
    case "nested":
      return `an argument that is a call needs parentheses: \`${text}\``;
    case "product":
      return `a product is written with \`*\`: \`${text}\``;
    case "prefix":
    case "method":
      return `a function stands in front of its arguments: \`${text}\``;
    case "forLists":
      return `for lists it is \`${text}\``;
    case "forArrays":
      return `for arrays it is \`${text}\``;
    case "each":
      return `for every element of the array it is \`${text}\``;
    case "eachPair":
      return `for the elements of two arrays it is \`${text}\``;
    case "severalParameters":
      return `the function gets its arguments one after the other: \`${text}\``;
    case "tupleParameter":
      return `the function gets one tuple: \`${text}\``;
    case "turnedParameters":
      return `the function gets its arguments in the other order: \`${text}\``;
    case "indexToo":
      return `with the index it is \`mapi\`: \`${text}\``;
    case "buildTwice":
      return `an array of arrays is made by a \`build\` for each row: \`${text}\``;
    case "indexed":
      return `the array stands in front of its index: \`${text}\``;
    case "indexTwice":
      return `an element of an element is \`${text}\``;
    case "appended":
      return `\`::\` makes lists; an array with one more element is \`${text}\``;
    case "composed":
      return `a function is applied to what the other one gives: \`${text}\``;
    case "constant":
      return `a definition without parameters is no function: \`${text}\` is its value`;
    case "converted":
      return `\`toReal\` makes an R of a Z: \`${text}\``;
    case "divided":
      return `\`div\` divides integers: \`${text}\``;
    case "wrapped":
      return `the constructor seems to be missing: \`${text}\``;
    case "unit":
      return `a constructor has its field behind it, also where that is \`()\`: \`${text}\``;
    case "negative":
      return `this subtracts; with a negative argument it is \`${text}\``;
  }
}

export function explainLambdaParameters({ span, callee, has, wants, text }: LambdaParameters): Diagnostic {
  const what = callee === null ? "it gets" : `\`${callee}\` gives it`;
  const parts = has > wants ? `${has - wants} too many` : `${wants - has} too few`;
  return {
    code: "E0304",
    severity: "error",
    title: `this lambda has ${counted(has, "parameter")}, and ${what} ${counted(wants, "argument")}`,
    span,
    label: parts,
    related: [],
    notes: [],
    hint: text === null ? null : `write \`${text}\`${has < wants ? ", with names for what is used" : ""}`,
  };
}

export function explainPartAnnotation({ span, part, items, text }: PartAnnotation): Diagnostic {
  const whole = items === 2 ? "pair" : "tuple";
  const title = `this is the type of ${part === null ? "the last part" : `\`${part}\``} alone`;
  return error("E0316", title, span, `not the type of the ${whole}`, {
    hint: `the type of a ${whole} stands behind its parentheses${text === null ? "" : `: \`${text}\``}`,
  });
}
