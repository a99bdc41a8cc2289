// What is said where a type is not the expected one: which rule asks for it, what is expected and found, where in the two types the
// difference is, and what may help.

import { printType } from "../core/print-type.js";
import type { Type } from "../core/type.js";
import type { Difference, Mismatch, Reason, Subject } from "../types/mistakes.js";
import type { Diagnostic, RelatedPlace } from "./diagnostic.js";
import { counted, hasType, isNumber, ordinal } from "./words.js";

interface Story {
  readonly title: string;
  readonly label: string;
  readonly related: readonly RelatedPlace[];
}

export function explainMismatch(mistake: Mismatch): Diagnostic {
  const { span } = mistake;
  const { title, label, related } = tell(mistake);
  return {
    code: "E0301",
    severity: "error",
    title,
    span,
    label,
    related,
    notes: notesOf(mistake),
    hint: hintFor(mistake),
  };
}

/** The reason, without the tuples and arrays around it, and the parts of those from the inside out. */
function unwrap(reason: Reason): { readonly reason: Reason; readonly parts: readonly string[] } {
  const parts: string[] = [];
  let outer = reason;
  while (outer.kind === "component" || outer.kind === "item") {
    parts.push(`${outer.kind === "component" ? "component" : "element"} ${outer.position} of `);
    outer = outer.outer;
  }
  return { reason: outer, parts };
}

function tell(mistake: Mismatch): Story {
  const { reason, parts } = unwrap(mistake.reason);
  const found = hasType(mistake.found);
  const place = parts.join("");
  const story = (title: string, related: readonly RelatedPlace[] = [], label = found): Story => ({
    title,
    label,
    related,
  });
  switch (reason.kind) {
    case "argument": {
      const which =
        reason.given === 1 && reason.position === 1 ? "the argument" : `the ${ordinal(reason.position)} argument`;
      return story(`${place}${which} of ${calleeName(reason.callee)} has the wrong type`);
    }
    case "operand":
      return tellOperand(mistake, reason, story);
    case "condition":
      return story("the condition of an `if` must be a `Bool`");
    case "branches":
      return story(`the branches of this \`${reason.of}\` have different types`, [
        {
          span: reason.first,
          label: place === "" ? `this one ${hasType(mistake.expected)}` : "the first branch",
        },
      ]);
    case "annotation": {
      const related = [{ span: reason.span, label: "the annotation" }];
      if (mistake.subject.kind === "pattern") return story("this pattern does not fit its annotation", related);
      if (reason.name === null)
        return story(`${place === "" ? "this" : `${place}this`} is not of the type in its annotation`, related);
      return story(`${place}the result of \`${reason.name}\` is not of the type in its annotation`, related);
    }
    case "scrutinee":
      return story(
        "this pattern does not fit what is matched",
        [{ span: reason.span, label: "what is matched" }],
        patternLabel(mistake),
      );
    case "bound":
      return story(
        "this pattern does not fit what is bound to it",
        [{ span: reason.span, label: "what is bound" }],
        patternLabel(mistake),
      );
    case "boundPattern":
      return story("this does not fit the pattern that it is bound to", [{ span: reason.span, label: "the pattern" }]);
    case "field":
      return story(
        `the ${ordinal(reason.position)} field of \`${reason.constructor}\` has another type`,
        reason.declared === null ? [] : [{ span: reason.declared, label: "declared here" }],
        patternLabel(mistake),
      );
    case "namedField":
      return story(
        `${place}the field \`${reason.name}\` of \`${reason.constructor}\` has another type`,
        reason.declared === null ? [] : [{ span: reason.declared, label: "declared here" }],
        mistake.subject.kind === "pattern" ? patternLabel(mistake) : found,
      );
    case "element":
      return story("the elements of an array must have one type", [
        { span: reason.first, label: place === "" ? `this one ${hasType(reason.type)}` : "the first element" },
      ]);
    case "use":
      return story("this does not fit the place where it is used");
    case "parameter":
      return story("this parameter does not have the expected type");
    case "recursion":
      return story(`\`${reason.name}\` does not give what its own uses in its definition ask for`);
    case "called":
    case "component":
    case "item":
      return story("this has the wrong type");
  }
}

function patternLabel(mistake: Mismatch): string {
  return `matches values of type ${printType(mistake.found)}`;
}

function tellOperand(
  mistake: Mismatch,
  { operator, side, other }: Extract<Reason, { kind: "operand" }>,
  story: (title: string, related?: readonly RelatedPlace[], label?: string) => Story,
): Story {
  const { difference } = mistake;
  const sideName = side === "only" ? "the operand" : `the ${side} side`;
  if (operator === "!" && side === "left") return story("what stands left of `!` must be an array");
  if (operator === "!" && side === "right") return story("an index must be an integer");
  if (operator === "::" && side === "left") return story("this element does not fit into its list");
  if (difference.kind === "notNumber" && operator !== "::") {
    const works = difference.orBool
      ? `\`${operator}\` compares numbers and \`Bool\`s`
      : `\`${operator}\` works on numbers`;
    return story(works);
  }
  if (other !== null) {
    const related = [{ span: other.span, label: hasType(other.type) }];
    if (operator === "::") return story("`::` puts an element before a list of such elements", related);
    return story(`the two sides of \`${operator}\` have different types`, related);
  }
  if (operator === "/") return story("`/` divides real numbers");
  if (operator === "^" && side === "right") return story("the exponent of `^` must be an integer");
  if (operator === "::" && side === "right") return story("what stands right of `::` must be a list");
  return story(`${sideName} of \`${operator}\` has the wrong type`);
}

function calleeName(callee: Subject): string {
  return callee.kind === "name" || callee.kind === "call" ? `\`${callee.name}\`` : "this function";
}

function notesOf({ expected, found, difference }: Mismatch): readonly string[] {
  if (difference.kind === "notNumber") return [`expected a number\nfound    ${printType(difference.found)}`];
  const notes = [`expected ${printType(expected)}\nfound    ${printType(found)}`];
  const wanted = printType(difference.expected);
  const given = printType(difference.found);
  if (!isWhole(expected, found, difference) && difference.kind === "clash")
    notes.push(`they differ in a part: ${wanted} is expected where ${given} is found`);
  if (difference.kind === "rigid") {
    notes.push(
      `the type variable \`${difference.variable}\` of the annotation stands for every type, so it cannot be ${wanted === difference.variable ? given : wanted}`,
    );
  }
  if (isNumber(difference.expected) || isNumber(difference.found)) notes.push("`number` is R or Z");
  return notes;
}

/** The two types differ as wholes, not in a part. */
function isWhole(expected: Type, found: Type, difference: Difference): boolean {
  if (difference.kind === "notNumber") return printType(found) === printType(difference.found);
  return printType(expected) === printType(difference.expected) && printType(found) === printType(difference.found);
}

function hintFor(mistake: Mismatch): string | null {
  const { difference, found } = mistake;
  const { reason } = unwrap(mistake.reason);
  return (
    missingArguments(mistake) ??
    oneByOne(mistake, reason) ??
    listHint(mistake, reason) ??
    arrayHint(mistake, reason) ??
    (isPattern(reason) ? patternHint(mistake) : numberHint(mistake, reason)) ??
    tupleHint(difference, found) ??
    rigidHint(difference) ??
    (reason.kind === "argument" && reason.recursive
      ? `inside its own definition ${calleeName(reason.callee)} is used at one type alone`
      : null)
  );
}

/** Arrays and lists are easily taken for each other, and rows of a matrix for its items. */
function arrayHint({ expected, found, subject }: Mismatch, reason: Reason): string | null {
  if (reason.kind === "operand" && reason.operator === "!") {
    if (reason.side === "right" && found.kind === "tuple")
      return "an array of arrays has one index after the other: `a ! i ! j`";
    if (reason.side === "left" && isList(found))
      return "a list has no indices: take it apart with `case`, or use an array";
    if (reason.side === "left" && found.kind === "tuple")
      return "take a tuple apart by a pattern: `let (a, b) = pair in ..`";
    return null;
  }
  const isListForArray = expected.kind === "array" && isList(found);
  if (!isListForArray && !(found.kind === "array" && isList(expected))) return null;
  if (reason.kind === "operand" && reason.operator === "::")
    return "`::` makes lists: an array with one more element is `append [x] xs`";
  const name = reason.kind === "argument" && reason.callee.kind === "name" ? reason.callee.name : "";
  const other = isListForArray ? listFunctions.get(name) : arrayFunctions.get(name);
  if (other !== undefined) return `for ${isListForArray ? "lists" : "arrays"} it is \`${other}\``;
  if (subject.kind === "other" && found.kind === "array")
    return "a list is written `x :: y :: Nil`; `[x, y]` is an array";
  return "arrays, `[x, y]`, and lists, `x :: y :: Nil`, are different types";
}

function isList(type: Type): boolean {
  return type.kind === "data" && type.name === "List";
}

/** The prelude's functions on lists that have the same meaning on arrays, by the name of those. */
const listFunctions: ReadonlyMap<string, string> = new Map([
  ["map", "listMap"], ["zipWith", "listZipWith"], ["foldl", "listFoldl"], ["foldr", "listFoldr"], ["sum", "listSum"],
  ["product", "listProduct"], ["length", "listLength"], ["append", "listAppend"], ["reverse", "listReverse"],
  ["concat", "listConcat"], ["all", "listAll"], ["any", "listAny"],
]); // prettier-ignore
const arrayFunctions: ReadonlyMap<string, string> = new Map([...listFunctions].map(([array, list]) => [list, array]));

function isPattern(reason: Reason): boolean {
  return reason.kind === "scrutinee" || reason.kind === "bound" || reason.kind === "field";
}

function patternHint({ subject, expected }: Mismatch): string | null {
  if (subject.kind !== "literal" || (expected.kind !== "real" && !isNumber(expected))) return null;
  return Number.isNaN(Number(subject.text))
    ? null
    : "only integers can be matched: compare real numbers with `==` or `<`";
}

/** `x :: y` where `y` is no list but one more element. */
function listHint({ expected, found }: Mismatch, reason: Reason): string | null {
  if (reason.kind !== "operand" || reason.operator !== "::" || reason.side !== "right") return null;
  const [element] = expected.kind === "data" ? expected.args : [];
  return element !== undefined && printType(element) === printType(found)
    ? "a list ends in `Nil`: `x :: y :: Nil`"
    : null;
}

/** A function where its result is expected. */
function missingArguments({ expected, found, subject, difference }: Mismatch): string | null {
  const wanted = difference.kind === "notNumber" ? null : expected;
  if (found.kind !== "fn" || wanted?.kind === "fn" || wanted?.kind === "typeVar") return null;
  if (subject.kind !== "call" && subject.kind !== "name") return null;
  let missing = 0;
  let result: Type = found;
  while (result.kind === "fn") {
    missing += 1;
    result = result.to;
  }
  const more = subject.kind === "call" ? ` more` : "";
  return `\`${subject.name}\` still waits for ${missing === 1 ? `one${more} argument` : `${missing}${more} arguments`}, of type ${argumentTypes(found)}`;
}

function argumentTypes(type: Type): string {
  const types: string[] = [];
  for (let rest = type; rest.kind === "fn"; rest = rest.to) types.push(printType(rest.from));
  const last = types.pop() ?? "";
  return types.length === 0 ? last : `${types.join(", ")} and ${last}`;
}

/** `f (x, y)` for a function that takes its arguments one by one. */
function oneByOne({ found }: Mismatch, reason: Reason): string | null {
  if (reason.kind !== "argument" || found.kind !== "tuple" || reason.given !== 1 || found.items.length < 2) return null;
  let params = 0;
  for (let rest = reason.calleeType; rest.kind === "fn"; rest = rest.to) params += 1;
  if (params !== found.items.length) return null;
  const name = reason.callee.kind === "name" ? reason.callee.name : "f";
  const letters = Array.from({ length: params }, (_, i) => String.fromCharCode(97 + i));
  return `it takes its arguments one by one: \`${name} ${letters.join(" ")}\`, without commas`;
}

function numberHint(mistake: Mismatch, reason: Reason): string | null {
  const { difference, subject } = mistake;
  if (!isWhole(mistake.expected, mistake.found, difference)) return null;
  const { found } = difference;
  if (difference.kind === "notNumber") {
    return found.kind === "bool" && !difference.orBool ? "`if b then 1 else 0` makes a number of a `Bool`" : null;
  }
  const { expected } = difference;
  if (expected.kind === "real" && found.kind === "int") {
    if (reason.kind === "operand" && reason.operator === "/")
      return "`div` divides integers; `toReal` makes an R of a Z";
    return "`toReal` makes an R of a Z";
  }
  if (expected.kind === "int" && found.kind === "real") {
    if (reason.kind === "operand" && reason.operator === "^") return "`pow x y` takes an exponent of type R";
    if (subject.kind === "literal") {
      const value = Number(subject.text);
      if (Number.isInteger(value)) return `write \`${value}\`, without a point`;
    }
    return "`round`, `floor` or `truncate` makes a Z of an R";
  }
  if (expected.kind === "bool" && (found.kind === "real" || found.kind === "int" || isNumber(found))) {
    return reason.kind === "condition" ? "compare it with something, as in `x /= 0`" : null;
  }
  if (found.kind === "bool" && (expected.kind === "real" || expected.kind === "int" || isNumber(expected))) {
    return "`if b then 1 else 0` makes a number of a `Bool`";
  }
  return null;
}

function tupleHint(difference: Difference, found: Type): string | null {
  if (difference.kind !== "clash" || difference.found.kind !== "tuple" || difference.expected.kind !== "tuple")
    return null;
  const [wanted, given] = [difference.expected.items.length, difference.found.items.length];
  if (wanted === given) return null;
  const one = found === difference.found ? "this one" : "the one here";
  return `a tuple of ${counted(wanted, "component")} is expected, and ${one} has ${given}`;
}

function rigidHint(difference: Difference): string | null {
  if (difference.kind === "notNumber" && difference.found.kind === "typeVar") {
    return `\`${difference.found.name}\` stands for every type: leave its annotation off, or write R in its place`;
  }
  if (difference.kind !== "rigid") return null;
  const { expected, found, variable } = difference;
  const other = expected.kind === "typeVar" && expected.name === variable ? found : expected;
  if (other.kind === "typeVar")
    return `\`${variable}\` and \`${other.name}\` are different: where both are meant to be the same type, give them one name`;
  return `write ${printType(other)} in the annotation in place of \`${variable}\`, or leave the annotation off`;
}
