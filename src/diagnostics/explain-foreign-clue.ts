import { unreachable } from "../internal-error.js";
import type { ForeignClue } from "../syntax/mistakes.js";
import type { ClueWords } from "./clue-words.js";

/** The words for a form of another language. */
export function explainForeignClue(clue: ForeignClue): ClueWords {
  switch (clue.kind) {
    case "slashComment":
      return {
        code: "E0120",
        title: "a comment begins with `--`",
        label: `\`${clue.text}\` begins none`,
        span: clue.span,
        hint: `write \`-- to the end of the line\`, or \`{- between braces -}\`${clue.mayDivide ? "; integers are divided by `div a b`" : ""}`,
      };
    case "tripleEquals":
      return {
        code: "E0120",
        title: "`===` is no operator",
        label: "one `=` too many",
        span: clue.span,
        hint: "write `a == b`, and `a /= b` for what differs",
      };
    case "doublePlus":
      return {
        code: "E0120",
        title: "`++` is no operator",
        label: "a second `+`",
        span: clue.span,
        hint: "arrays are joined by `append xs ys`; a variable never changes: `let y = x + 1 in t`",
      };
    case "assignment":
      return {
        code: "E0120",
        title: `\`${clue.text}\` is no operator`,
        label: "nothing is assigned",
        span: clue.span,
        hint: "a variable never changes: give the new value a name, `let y = x + 1 in t`",
      };
    case "arraySuffix":
      return {
        code: "E0122",
        title: "the type of an array has its brackets around the elements' type",
        label: "brackets with nothing between them",
        span: clue.span,
        hint: "write `[R]`, and `[[R]]` for an array of arrays",
      };
    case "guard":
      return {
        code: "E0120",
        title: "a definition has no guards",
        label: "expected `=`",
        hint: "write `def f x = if c then s else if d then t else u`",
      };
    case "unionType":
      return {
        code: "E0114",
        title: "a type has no alternatives",
        label: "no operator of types",
        hint: "declare what is one of several with its constructors: `data Shape = Circle R | Box R R`",
      };
    case "bareTuple":
      return {
        code: "E0101",
        title: "a tuple stands in parentheses",
        label: "a comma outside of parentheses",
        hint: "write `(x, y)`; arguments and indices have no commas: `f x y`, `a ! i ! j`",
      };
    case "mathConstant":
      return {
        code: "E0121",
        title: "there is no `Math` here",
        label: "not a name",
        span: clue.span,
        hint: "functions and numbers of `Math` stand by themselves: `sin x`, `pi`",
      };
    case "angleBrackets":
      return { code: "E0114", ...angleBrackets[clue.of] };
    case "leadingBar":
      return {
        code: "E0110",
        title: "a `|` stands between two constructors",
        label: "expected a constructor",
        hint: "delete the first `|`",
      };
    case "variantsOfAlias":
      return {
        code: "E0114",
        title: "`type` gives a type another name",
        label: "a type of several constructors is declared by `data`",
        hint: "write `data Shape = Circle R | Box R R`",
      };
    case "spreadElements":
      return {
        code: "E0122",
        title: "an array has no spread elements",
        label: "expected an element",
        hint: "write `append xs ys`, or `concat [xs, [y], zs]`",
      };
    case "arrayPattern":
      return {
        code: "E0118",
        title: "arrays are no patterns",
        label: "expected a pattern",
        hint: "a list is taken apart by `Nil` and `x :: rest`, an array is read by `length xs` and `xs ! i`",
      };
    case "bracePattern":
      return {
        code: "E0123",
        title: "the pattern of a record begins with its constructor",
        label: "expected a pattern",
        hint: "write `Camera { focal }` for the variable `focal`, or read fields by `c.focal`",
      };
    case "bodyBraces":
      return {
        code: "E0106",
        title: "a definition has `=` before its body",
        label: "expected `=`",
        hint: "write `def f (x : R) : R = t`, without braces",
      };
    case "lambdaColon":
      return {
        code: "E0121",
        title: "a lambda begins with `\\`",
        label: "not a word of this language",
        span: clue.span,
        hint: "write `\\x. x + 1`; with a type, `\\(x : R). x + 1`",
      };
    case "fromImport":
      return {
        code: "E0124",
        title: "an import names a file and some of its definitions",
        label: "not a word of this language",
        span: clue.span,
        hint: 'write `import "lib.lam" (f, g)`',
      };
    case "mutation":
      return {
        code: "E0120",
        title: "values do not change",
        label: "nothing is assigned",
        span: clue.span,
        hint: `give the new value a name, \`let ${clue.name}' = .. in ..\`; what a loop carries along is the state of a \`foldl\``,
      };
    case "nestedUpdate": {
      const { record, outer, inner } = clue;
      return {
        code: "E0123",
        title: "an update gives fields of the record itself",
        label: "expected `=` and the value of the field",
        hint: `write \`{ ${record} | ${outer} = { ${record}.${outer} | ${inner} = .. } }\``,
      };
    }
    case "severalItemTypes":
      return {
        code: "E0122",
        title: "the type of an array has one type, that of its elements",
        label: "expected `]`",
        hint: "write `[R]` for an array, `(R, R)` for a pair",
      };
    case "doBlock":
      return {
        code: "E0121",
        title: "there is no `do`",
        label: "not a word of this language",
        span: clue.span,
        hint: "a body is an expression: `let y = x in y`",
      };
    case "innerDef":
      return {
        code: "E0121",
        title: "a `def` stands at top level",
        label: "expected the body",
        span: clue.span,
        hint: "a local function is `let g y = .. in ..`",
      };
    case "bareParameters":
      return {
        code: "E0106",
        title: "a parameter with a type stands in parentheses",
        label: "expected parentheses around each parameter",
        span: clue.span,
        hint: `write \`${clue.names.map((name) => `(${name} : ..)`).join(" ")}\``,
      };
    case "absoluteBars":
      return {
        code: "E0120",
        title: "bars are no absolute value",
        label: "expected an expression",
        hint: "write `abs x`",
      };
    default:
      return unreachable(clue);
  }
}

const angleBrackets = {
  type: {
    title: "a type has its arguments behind a space",
    label: "no operator of types",
    hint: "write `List R`; the type of an array is `[R]`",
  },
  definition: {
    title: "type variables are not declared",
    label: "expected `=` or a parameter",
    hint: "a small name in an annotation is a type variable: `def f (x : a) : a = t`",
  },
  declaration: {
    title: "a type has its parameters behind a space",
    label: "expected `=` or a type parameter",
    hint: "write `data Tree a = Leaf | Node a (Tree a)`",
  },
} as const;
