import { unreachable } from "../internal-error.js";
import type { BracketClue, FieldClue, Unexpected } from "../syntax/mistakes.js";
import type { ClueWords } from "./clue-words.js";

/** The words for a mistake with brackets, commas, `!` and dots. */
export function explainBracketClue(clue: BracketClue, mistake: Unexpected): ClueWords {
  switch (clue.kind) {
    case "trailingComma":
      return {
        code: "E0110",
        title: "a comma stands between two things",
        label: `something is missing between \`,\` and \`${mistake.text}\``,
        hint: "delete the last comma",
      };
    case "comprehension":
      return {
        code: "E0122",
        title: "arrays have no comprehensions",
        label: "expected `,` or `]`",
        hint: "write `map (\\x. t) xs`, or `build n (\\i. t)`",
      };
    case "rangeDots":
      return {
        code: "E0122",
        title: "arrays have no ranges with dots",
        label: "expected `,` or `]`",
        hint: "write `range a b`, or `build n (\\i. t)`",
      };
    case "notEqual":
      return {
        code: "E0120",
        title: "`not equal` is written `/=`",
        label: "`!` is the index of arrays",
        span: clue.span,
        hint: "write `a /= b`",
      };
    case "doubleBang":
      return {
        code: "E0120",
        title: "an element of an array is `a ! i`",
        label: "one `!` is enough",
        hint: "write `a ! i`",
      };
    case "negation":
      return {
        code: "E0120",
        title: "`!` stands between an array and an index",
        label: "no array stands before it",
        hint: "write `not b`; an index is `a ! i`",
      };
    case "section":
      return {
        code: "E0120",
        title: `\`${clue.operator}\` stands between two arguments`,
        label: clue.isLeft ? `nothing stands behind \`${clue.operator}\`` : "nothing stands before it",
        hint: `write \`\\x. ${clue.isLeft ? `y ${clue.operator} x` : `x ${clue.operator} y`}\` for a function of the one that is missing; \`(${clue.operator})\` takes both`,
      };
    case "accessor":
      return {
        code: "E0123",
        title: "a field is read from a record",
        label: "no record stands before the dot",
        hint: "write `\\r. r.x` for the function that reads the field `x`",
      };
    case "tupleIndex":
      return {
        code: "E0123",
        title: "components of tuples have no numbers",
        label: "expected the name of a field",
        hint: "take a tuple apart with a pattern, `let (x, y) = p in t`, or with `fst` and `snd`",
      };
    case "composition":
      return {
        code: "E0120",
        title: "`.` does not compose functions",
        label: "expected the name of a field",
        hint: "write `\\x. f (g x)`",
      };
    case "text":
      return {
        code: "E0124",
        title: "the language has no texts",
        label: null,
        hint: 'only the file of an import, and what `debug` calls a value, stand in quotes: `import "file.lam" (f)`; comments begin with `--`',
      };
    default:
      return unreachable(clue);
  }
}

/** The words for a mistake in the braces of a record. */
export function explainFieldClue(clue: FieldClue): ClueWords {
  const code = "E0123";
  switch (clue.kind) {
    case "missingOf":
      return {
        code: "E0101",
        title: "this `case` has no `of`",
        label: "expected `of` in front of the branches",
        span: clue.span,
        hint: "write `case s of { p -> t; q -> u }`",
      };
    case "missingThen":
      return {
        code: "E0101",
        title: "this `if` has no `then`",
        label: "expected `then` and an expression",
        span: clue.span,
        hint: "write `if c then s else t`, without braces",
      };
    case "noConstructor":
      return {
        code,
        title: "a record begins with its constructor",
        label: "expected `|`: braces without a constructor are an update",
        hint: "write `Camera { focal = 2 }` for a new record, `{ c | focal = 2 }` for an update of `c`",
      };
    case "bareBraces":
      return {
        code,
        title: "braces hold the fields of a record",
        label: "expected `|` and the fields of an update",
        hint: "group with parentheses; write `{ c | focal = 2 }` for an update of `c`",
      };
    case "emptyRecord":
      return {
        code,
        title: "a record has at least one field",
        label: "expected the name of a field",
        hint: "a constructor without fields stands alone, without braces",
      };
    case "recordBraces":
      return {
        code,
        title: "the fields of a record stand in braces",
        label: `a name with \`${clue.declares ? ":" : "="}\` inside parentheses`,
        hint: clue.declares
          ? `write \`${clue.name} { focal : R }\`, or the types alone: \`${clue.name} R R\``
          : `write \`${clue.name} { focal = 2 }\`, or the values alone in their order: \`${clue.name} r 2\``,
      };
    case "fieldType":
      return {
        code,
        title: clue.equals ? "the type of a field stands behind `:`" : "every field has a type of its own",
        label: "expected `:` and a type",
        hint: "write `data Point = Point { x : R, y : R }`",
      };
    case "fieldSign":
      return {
        code,
        title: "a field is given by `=`",
        label: "expected `=`",
        hint: "write `Camera { focal = 2 }`; only the declaration of the type has `:`",
      };
    case "fieldValue":
      return {
        code,
        title: "every field is given by `=`",
        label: "expected `=` and the value of the field",
        hint: "write `Camera { focal = focal }`; only in a pattern may a name stand alone",
      };
    case "missingComma":
      return {
        code: "E0110",
        title: `a comma is missing before \`${clue.name}\``,
        label: "the next field seems to begin here",
        span: clue.span,
        hint: "fields are separated by commas: `Camera { focal = 2, height = 1 }`",
      };
    case "update":
      return {
        code,
        title: "an update is written `{ c | focal = 2 }`",
        label: updateLabels[clue.form],
        hint: "write the record, `|`, and the fields with their new values, all in braces",
      };
    case "recordType":
      return {
        code,
        title: clue.name === null ? "a record's type has a name" : "a record begins with its constructor",
        label: clue.name === null ? "expected a type" : "expected a constructor",
        hint: `declare it with \`data ${clue.name ?? "Camera"} = ${clue.name ?? "Camera"} { focal : R, .. }\``,
      };
    default:
      return unreachable(clue);
  }
}

const updateLabels = {
  spread: "no dots before the record",
  with: "expected `|` in place of `with`",
  comma: "expected `|` behind the record",
  behind: "the record stands inside the braces",
} as const;
