import { unreachable } from "../internal-error.js";
import type { BindingClue, BranchClue } from "../syntax/mistakes.js";
import type { ClueWords } from "./clue-words.js";

/** The words for a mistake in the pattern of a branch. */
export function explainBranchClue(clue: BranchClue): ClueWords {
  switch (clue.kind) {
    case "smallConstructor":
      return {
        code: "E0112",
        title: `\`${clue.name}\` must begin with a capital letter`,
        label: "a constructor, with patterns behind it",
        span: clue.span,
        hint: clue.isDeclared
          ? `the constructor is \`${clue.upper}\``
          : `constructors begin with a capital letter: \`${clue.upper}\``,
      };
    case "branchArrow":
      return {
        code: "E0109",
        title: "a branch has `->` between its pattern and its body",
        label: "expected `->`",
        hint: "write `p -> t`",
      };
    case "branchCondition":
      return {
        code: "E0120",
        title: "a branch has no condition",
        label: "expected `->`",
        hint: "write `p -> if c then s else t`",
      };
    case "severalPatterns":
      return {
        code: "E0110",
        title: "a branch has one pattern",
        label: "expected `->`",
        hint: "write a branch for each: `p -> t; q -> t`",
      };
    case "elseBranch":
      return {
        code: "E0111",
        title: "the branch for all others has the pattern `_`",
        label: "`else` belongs to an `if`",
        hint: "write `_ -> t`",
      };
    case "qualified":
      return {
        code: "E0121",
        title: "a constructor stands without the name of its type",
        label: "not needed",
        span: clue.span,
        hint: `write \`${clue.name}\``,
      };
    default:
      return unreachable(clue);
  }
}

/** The words for a mistake where a name is bound, at a condition, or in front of a body. */
export function explainBindingClue(clue: BindingClue): ClueWords {
  switch (clue.kind) {
    case "parallelPattern":
      return {
        code: "E0118",
        title: "the pattern of a pair is `(a, b)`",
        label: "makes a pair, and takes none apart",
        hint: "write `(a, b)`, also for a pair that `|*|` made",
      };
    case "turnedSign":
      return {
        code: "E0120",
        title: `\`${clue.text}\` is written \`${clue.meant}\``,
        label: "no operator",
        span: clue.span,
        hint: `write \`a ${clue.meant} b\``,
      };
    case "severalBindings":
      return {
        code: "E0108",
        title: "every name has a `let` of its own",
        label: "a second name",
        span: clue.span,
        hint: "write `let x = s in let y = t in u`",
      };
    case "bareBinding":
      return {
        code: "E0106",
        title: `${clue.name === null ? "a name" : `\`${clue.name}\``} is bound by \`let\``,
        label: "a name in front of `=`",
        span: clue.span,
        hint: `write \`let ${clue.name ?? "x"} = s in t\`; to compare, \`==\``,
      };
    case "fieldAssignment":
      return {
        code: "E0106",
        title: "nothing is assigned: a value never changes",
        label: "a definition's `=` inside an expression",
        hint: `\`{ r | ${clue.name} = s }\` is the record \`r\` with another \`${clue.name}\`; to compare, write \`==\``,
      };
    case "conditionColon":
      return {
        code: "E0117",
        title: "a condition has `then` behind it",
        label: "expected `then`",
        hint: "write `if c then s else t`",
      };
    case "conditionBehind":
      return {
        code: "E0101",
        title: "a condition stands in front",
        label: "the condition seems to begin here",
        hint: "write `if c then s else t`",
      };
    case "letWithoutBody":
      return {
        code: "E0108",
        title: "nothing stands behind this `in`",
        label: "expected an expression",
        hint: "behind `in` stands the expression that uses what is bound: `let p = s in t`",
      };
    case "missingEquals":
      return {
        code: "E0106",
        title: "a definition has `=` before its body",
        label: "the body seems to begin here",
        span: clue.span,
        hint: "write `def f (x : R) : R = t`",
      };
    case "fieldsWithOf":
      return {
        code: "E0114",
        title: "the fields of a constructor stand right behind it",
        label: "`of` belongs to a `case`",
        hint: "write `data Shape = Circle R | Box R R`",
      };
    case "hyphen":
      return {
        code: "E0112",
        title: "a name has no `-` in it",
        label: "a minus sign",
        hint: `choose another name, for example \`${clue.name}\``,
      };
    case "parameterType":
      return {
        code: "E0117",
        title: "a type stands behind `:`",
        label: "expected `:`",
        hint: `write \`(${clue.name} : ${clue.type})\``,
      };
    default:
      return unreachable(clue);
  }
}
