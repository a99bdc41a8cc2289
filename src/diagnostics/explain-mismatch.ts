// What is said where a type is not the expected one: which rule asks for it, what is expected and found, and where in the two
// types the difference is.

import { printType } from "../core/print-type.js";
import type { Mismatch, Reason } from "../types/mistakes.js";
import type { Diagnostic, RelatedPlace } from "./diagnostic.js";
import { calleeName, hintFor, isWhole, unwrap } from "./mismatch-hints.js";
import { hasType, isNumber, ordinal } from "./words.js";

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
    case "tupleLambda":
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
  if (difference.kind === "clash" && wanted === given) {
    notes.push(`these are two data types with the name \`${wanted}\`, declared in different files`);
  }
  if (isNumber(difference.expected) || isNumber(difference.found)) notes.push("`number` is R or Z");
  return notes;
}
