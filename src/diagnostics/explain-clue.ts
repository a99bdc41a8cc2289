import { unreachable } from "../internal-error.js";
import type { Clue, Separated, Unexpected } from "../syntax/mistakes.js";
import type { ClueWords } from "./clue-words.js";
import { explainBindingClue, explainBranchClue } from "./explain-binding-clue.js";
import { explainBracketClue, explainFieldClue } from "./explain-field-clue.js";
import { explainForeignClue } from "./explain-foreign-clue.js";

/** The words for the most likely reason. */
export function explainClue(clue: Clue, mistake: Unexpected): ClueWords {
  switch (clue.kind) {
    case "comparison":
      return {
        code: "E0106",
        title: "`=` defines, it does not compare",
        label: "a definition's `=` inside an expression",
        hint: "write `==` to compare",
      };
    case "missingDef":
      return {
        code: "E0107",
        title: `the definition of \`${clue.name}\` has no \`def\``,
        label: `\`${clue.name}\` looks like the beginning of a definition`,
        span: clue.span,
        hint: `write \`def ${clue.name} ..\`; every definition at top level begins with \`def\``,
      };
    case "signature":
      return {
        code: "E0107",
        title: "a definition has its types within it",
        label: `no line of its own says the type of \`${clue.name}\``,
        span: clue.span,
        hint: `write \`def ${clue.name} (x : R) : R = t\`; types may be left off`,
      };
    case "letForDef":
      return {
        code: "E0107",
        title: "`let` stands inside a definition",
        label: "not inside a definition",
        hint: "at top level write `def` in place of `let` (and no `in`)",
      };
    case "missingIn":
      return {
        code: "E0108",
        title: "this `let` has no `in`",
        label: clue.place === null ? "expected `in`" : "the body of the `let` seems to begin here",
        ...(clue.place === null ? {} : { span: clue.place }),
        hint: clue.hasSemicolon
          ? "write `in` in place of the `;`: `let p = s in t`"
          : "every `let p = s` is followed by `in` and the expression that uses it: `let p = s in t`",
      };
    case "lambdaArrow":
      return {
        code: "E0109",
        title: "a lambda has a point behind its parameters",
        label: "expected `.`",
        hint: "write `\\x y. t`, or `λx y. t`",
      };
    case "arrowFunction":
      return {
        code: "E0109",
        title: "a function without a name begins with `\\`",
        label: "the parameters of a function seem to end here",
        hint: "write `(\\x. t)`, or `(\\x y. t)` with two parameters",
      };
    case "fatArrow":
      return {
        code: "E0109",
        title: "`=>` is written `->`",
        label: "expected `->`",
        hint: "write `->`, as in `p -> t`",
      };
    case "missingSemicolon":
      return {
        code: "E0110",
        title: "a `;` is missing between two branches",
        label: clue.place === null ? "the `->` of a second branch" : "a new branch seems to begin here",
        ...(clue.place === null ? {} : { span: clue.place }),
        hint: "branches are separated by `;`, as in `case s of { p -> t; q -> u }`",
      };
    case "branchSeparator":
      return {
        code: "E0110",
        title: "branches are separated by `;`",
        label: `\`${mistake.text}\` separates no branches`,
        hint: "write `case s of { p -> t; q -> u }`",
      };
    case "reserved":
      return {
        code: "E0111",
        title: `\`${clue.word}\` is a word of the language`,
        label: "a name was expected here",
        hint: `choose another name, for example \`${clue.word}'\` or \`${clue.word}1\``,
      };
    case "wantsUpper": {
      const upper = clue.name.charAt(0).toUpperCase() + clue.name.slice(1);
      return {
        code: "E0112",
        title: `\`${clue.name}\` must begin with a capital letter`,
        label: "the name of a type or a constructor",
        hint: `types and constructors begin with a capital letter: \`${upper}\``,
      };
    }
    case "wantsLower": {
      const isAllCaps = clue.name === clue.name.toUpperCase();
      const lower = isAllCaps ? clue.name.toLowerCase() : clue.name.charAt(0).toLowerCase() + clue.name.slice(1);
      return {
        code: "E0112",
        title: `\`${clue.name}\` must begin with a small letter`,
        label: "the name of a definition, a variable, a field or a type variable",
        hint: `only types and constructors begin with a capital letter: \`${lower}\``,
      };
    }
    case "point":
      return {
        code: "E0104",
        title: clue.text.startsWith(".") ? "a number cannot begin with a point" : "a number cannot end with a point",
        label: "not a number",
        span: clue.span,
        hint: `write \`${clue.suggestion}\``,
      };
    case "bareArgument":
      return {
        code: "E0113",
        title: `${clue.word === "\\" || clue.word === "λ" ? "a lambda" : `\`${clue.word}\``} as an argument needs parentheses`,
        label: "only after an operator can it stand without them",
        hint:
          clue.word === "let" || clue.word === "if" || clue.word === "case"
            ? `write \`f (${clue.word} ..)\``
            : "write `f (\\x. t)`",
      };
    case "starType":
      return {
        code: "E0114",
        title: "`*` is no operator of types",
        label: "a tuple of types is meant",
        hint: "write `(R, R)` or `R × R` for the type of pairs",
      };
    case "stray":
      return explainStray(mistake.text, clue);
    case "andWithoutRec":
      return {
        code: "E0116",
        title: "`and` joins the functions of a `let rec`",
        label: "this `let` is not recursive",
        hint: "write `let rec f x = s and g y = t in u`, or two `let`s one after the other",
      };
    case "recursiveValue":
      return {
        code: "E0116",
        title: "`let rec` defines functions only",
        label: "expected a parameter",
        hint: "give it a parameter, or leave out `rec`",
      };
    case "colon":
      return {
        code: "E0117",
        title: "`:` gives a type, and only inside parentheses",
        label: "not inside parentheses, and not behind a pattern",
        hint: "write `(t : T)` to state a type, `x :: xs` to put an element in front of a list",
      };
    case "realPattern":
      return {
        code: "E0118",
        title: "real numbers are no patterns",
        label: "expected a pattern",
        hint: "only integers and `true`, `false` can be matched; compare real numbers with `if x == 0.5 then .. else ..`",
      };
    case "power":
      return {
        code: "E0120",
        title: "`**` is no operator",
        label: "expected an expression",
        hint: "a power is `x ^ n`",
      };
    case "bindingSign":
      return {
        code: "E0106",
        title: "a name is bound with a single `=`",
        label: "expected `=`",
        hint: "write `=`: `let x = s in t`, `def f x = t`",
      };
    case "resultArrow":
      return {
        code: "E0109",
        title: "the type of a result stands behind `:`",
        label: "expected `:` or `=`",
        hint: "write `def f (x : R) (y : R) : R = t`",
      };
    case "separator":
      return explainSeparator(mistake.text, clue.between);
    case "bareAscription":
      return {
        code: "E0117",
        title: "a parameter with a type needs parentheses",
        label: "expected `.` or a parameter",
        hint: "write `\\(x : R). t`",
      };
    case "splitArrow":
      return {
        code: "E0109",
        title: "an arrow is one sign",
        label: "expected `->`",
        hint: "write `->` without a space",
      };
    case "pipe":
      return {
        code: "E0120",
        title: "`|>` is no operator",
        label: "expected an operator or an argument",
        hint: "a function stands in front of its argument: `sum (map f xs)`",
      };
    case "andOperator":
      return {
        code: "E0120",
        title: "`and` joins the functions of a `let rec`",
        label: "not a condition's",
        hint: "write `a && b` where both must hold; `||` is for one of them",
      };
    case "foreignWord":
      return {
        code: "E0121",
        title: clue.word === "where" ? "there is no `where`" : `\`${clue.word}\` is an ordinary name here`,
        label: "not a word of this language",
        span: clue.span,
        hint:
          (clue.inItem ? null : itemHints.get(clue.word)) ??
          foreignHints.get(clue.word) ??
          "see docs/language.md for the words that there are",
      };
    case "trailingComma":
    case "comprehension":
    case "rangeDots":
    case "notEqual":
    case "doubleBang":
    case "negation":
    case "section":
    case "accessor":
    case "tupleIndex":
    case "composition":
    case "text":
      return explainBracketClue(clue, mistake);
    case "smallConstructor":
    case "branchArrow":
    case "branchCondition":
    case "severalPatterns":
    case "elseBranch":
    case "qualified":
      return explainBranchClue(clue);
    case "parallelPattern":
    case "turnedSign":
    case "severalBindings":
    case "bareBinding":
    case "fieldAssignment":
    case "conditionColon":
    case "conditionBehind":
    case "letWithoutBody":
    case "missingEquals":
    case "fieldsWithOf":
    case "hyphen":
    case "parameterType":
      return explainBindingClue(clue);
    case "slashComment":
    case "tripleEquals":
    case "doublePlus":
    case "assignment":
    case "arraySuffix":
    case "guard":
    case "unionType":
    case "bareTuple":
    case "mathConstant":
    case "angleBrackets":
    case "variantsOfAlias":
    case "spreadElements":
    case "arrayPattern":
    case "leadingBar":
    case "bracePattern":
    case "bodyBraces":
    case "lambdaColon":
    case "fromImport":
    case "mutation":
    case "nestedUpdate":
    case "severalItemTypes":
    case "doBlock":
    case "innerDef":
    case "bareParameters":
    case "absoluteBars":
      return explainForeignClue(clue);
    case "importForm":
      return {
        code: "E0124",
        title: "an import names a file and some of its definitions",
        label: null,
        hint: 'write `import "file.lam" (f, g)`',
      };
    case "externForm":
      return {
        code: "E0124",
        title: "an `extern def` names a function, its types, and the file that it is from",
        label: null,
        hint: 'write `extern def f (x : R) (ys : [R]) : R from "./functions.js"`',
      };
    case "missingOf":
    case "noConstructor":
    case "missingThen":
    case "bareBraces":
    case "emptyRecord":
    case "recordBraces":
    case "fieldType":
    case "fieldSign":
    case "fieldValue":
    case "missingComma":
    case "update":
    case "recordType":
      return explainFieldClue(clue);
    default:
      return unreachable(clue);
  }
}

const bindingHint = "write `let x = s in t`, outside of definitions `def x = t`";

const loopHint = "loops are functions: `map`, `build`, `foldl` and `iterate`, or a local function that calls itself";

const recordHint = "a record is declared by `data Point = Point { x : R, y : R }`";

const itemHint = "a definition begins with `def`: `def f x = t`";

/** Where a definition should begin. */
const itemHints: ReadonlyMap<string, string> = new Map(
  ["fun", "fn", "function", "const", "var"].map((word) => [word, itemHint]),
);

const foreignHints: ReadonlyMap<string, string> = new Map([
  ["where", "definitions stand in front of what uses them: `let y = .. in ..`"],
  ["elif", "write `else if`"],
  ["elseif", "write `else if`"],
  ["match", "write `case s of { p -> t; q -> u }`"],
  ["with", "write `case s of { p -> t; q -> u }`"],
  ["switch", "write `case s of { p -> t; q -> u }`"],
  ["lambda", "a lambda is `\\x. t`"],
  ["interface", recordHint],
  ["class", recordHint],
  ["struct", recordHint],
  ["record", recordHint],
  ["enum", "declare what is one of several with its constructors: `data Shape = Circle R | Box R R`"],
  ["fun", "a lambda is `\\x. t`"],
  ["fn", "a lambda is `\\x. t`"],
  ["function", "a lambda is `\\x. t`, a definition `def f x = t`"],
  ["return", "the value of a definition is its body, without `return`"],
  ["export", "delete it: every definition of a model is exported, or those that `--entry` names"],
  ["const", bindingHint],
  ["for", loopHint],
  ["while", loopHint],
  ["var", bindingHint],
]);

function explainStray(text: string, { open }: Clue & { readonly kind: "stray" }): ClueWords {
  if (open === null || open.isExtra) {
    const opener = { ")": "(", "]": "[" }[text] ?? "{";
    return {
      code: "E0115",
      title: `this \`${text}\` closes nothing`,
      label: open === null ? "no bracket is open here" : `no \`${opener}\` is open inside of this \`${open.bracket}\``,
      hint: "delete it, or add the opening bracket",
    };
  }
  const closer = { "(": ")", "[": "]" }[open.bracket] ?? "}";
  return {
    code: "E0115",
    title: `\`${text}\` does not close \`${open.bracket}\``,
    label: `expected \`${closer}\``,
    hint: `write \`${closer}\``,
  };
}

const commaExamples = {
  fields: "Camera { focal = 2, height = 1 }",
  "declared fields": "data Camera = Camera { focal : R, height : R }",
  elements: "[x, y, z]",
} as const;

function explainSeparator(text: string, between: Separated): ClueWords {
  switch (between) {
    case "fields":
    case "declared fields":
    case "elements": {
      const parts = between === "elements" ? "elements" : "fields";
      return {
        code: "E0110",
        title: `${parts} are separated by commas`,
        label: `\`${text}\` separates no ${parts}`,
        hint: `write \`${commaExamples[between]}\``,
      };
    }
    case "parameters":
      return {
        code: "E0110",
        title: "nothing but space stands between parameters",
        label: `\`${text}\` is not needed`,
        hint: "write `f x y`, or `f (x, y)` for one parameter that is a pair",
      };
    case "branches":
      return {
        code: "E0110",
        title: "one `;` is enough between branches",
        label: "expected a branch or `}`",
        hint: "write `case s of { p -> t; q -> u }`",
      };
    case "definitions":
      return {
        code: "E0110",
        title: "nothing ends a definition",
        label: `\`${text}\` is not needed`,
        hint: `delete the \`${text}\`: a definition ends where the next begins`,
      };
  }
}
