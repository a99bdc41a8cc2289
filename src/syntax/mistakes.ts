import type { Expectation } from "./expectation.js";
import type { Open } from "./nesting.js";
import type { Span } from "./source.js";

/** What is wrong with a text as a text. `explain-syntax.ts` has the words. */
export type SyntaxMistake =
  /** Characters that begin no token. */
  | { readonly kind: "unknownCharacters"; readonly text: string; readonly span: Span }
  /** `span` is the `{-` that has no `-}`. */
  | { readonly kind: "unterminatedComment"; readonly span: Span }
  /** A number with a name right behind it, `2x`. */
  | { readonly kind: "gluedNumber"; readonly digits: string; readonly rest: string; readonly span: Span }
  /** `a < b < c`, with the two operators; `or` where the word stands between them, `a < b or c < d`. */
  | {
      readonly kind: "comparisonChain";
      readonly first: Span;
      readonly second: Span;
      readonly or: Span | null;
      readonly span: Span;
    }
  /** `a[i]`: `span` is the bracket. */
  | { readonly kind: "gluedBracket"; readonly span: Span }
  | { readonly kind: "nesting"; readonly limit: number; readonly span: Span }
  | Unexpected;

/** The first token that cannot go on what stands before it. */
export interface Unexpected {
  readonly kind: "unexpected";
  /** Its token's name in tokens.ts; "end" where the file or the item ends. */
  readonly found: string;
  /** As written; "" at the end. */
  readonly text: string;
  readonly wanted: Expectation;
  /** What is open at this place, innermost first. */
  readonly within: readonly Open[];
  readonly clue: Clue | null;
  readonly span: Span;
}

/** What the author probably meant. */
export type Clue =
  /** `=` where `==` is meant. */
  | { readonly kind: "comparison" }
  /** A definition without `def`. */
  | { readonly kind: "missingDef"; readonly name: string; readonly span: Span }
  /** `f :: R -> R`, a type in a line of its own. */
  | { readonly kind: "signature"; readonly name: string; readonly span: Span }
  /** A `let` in place of a `def`. */
  | { readonly kind: "letForDef" }
  /** `place` is where the `in` probably belongs; a `;` may stand there in its place. */
  | { readonly kind: "missingIn"; readonly place: Span | null; readonly hasSemicolon: boolean }
  /** `->` or `=>` behind the parameters of a lambda. */
  | { readonly kind: "lambdaArrow" }
  /** `x => x` or `x -> x` in parentheses, for a lambda. */
  | { readonly kind: "arrowFunction" }
  /** `=>` for `->`. */
  | { readonly kind: "fatArrow" }
  /** `place` is the branch that nothing separates from the one before. */
  | { readonly kind: "missingSemicolon"; readonly place: Span | null }
  /** `|` or `,` between branches. */
  | { readonly kind: "branchSeparator" }
  | { readonly kind: "reserved"; readonly word: string }
  | { readonly kind: "wantsUpper"; readonly name: string }
  | { readonly kind: "wantsLower"; readonly name: string }
  /** `.5` or `2.` */
  | { readonly kind: "point"; readonly text: string; readonly suggestion: string; readonly span: Span }
  /** A lambda, `let`, `if` or `case` as an argument without parentheses. */
  | { readonly kind: "bareArgument"; readonly word: string }
  /** `R * R` as a type. */
  | { readonly kind: "starType" }
  /** A closing bracket without its opening one; `open` is the other bracket that is open here, and is closed later where this one `isExtra`. */
  | {
      readonly kind: "stray";
      readonly open: { readonly bracket: string; readonly span: Span; readonly isExtra: boolean } | null;
    }
  /** `and` between bindings of a `let` without `rec`. */
  | { readonly kind: "andWithoutRec" }
  /** `let rec x = ..` */
  | { readonly kind: "recursiveValue" }
  /** `x : xs` where `x :: xs` is meant. */
  | { readonly kind: "colon" }
  /** A pattern that matches a real number. */
  | { readonly kind: "realPattern" }
  /** `**` for `^`. */
  | { readonly kind: "power" }
  /** `==` or `:=` in a binding. */
  | { readonly kind: "bindingSign" }
  /** `f(x : R) -> R`: the result's type behind an arrow. */
  | { readonly kind: "resultArrow" }
  /** A comma or semicolon where the language has none. */
  | { readonly kind: "separator"; readonly between: Separated }
  /** `\\x : R. t` or `let f x : ..` where the parameter needs parentheses. */
  | { readonly kind: "bareAscription" }
  /** `- >` with a space in between. */
  | { readonly kind: "splitArrow" }
  /** `x |> f` */
  | { readonly kind: "pipe" }
  /** `a and b` */
  | { readonly kind: "andOperator" }
  /** `where`, `elif` and other words of other languages, which are plain names here. */
  | { readonly kind: "foreignWord"; readonly word: string; readonly span: Span; readonly inItem: boolean }
  | BracketClue
  | BranchClue
  | BindingClue
  | FieldClue
  | ForeignClue
  /** An import of another form. */
  | { readonly kind: "importForm" | "externForm" };

export type Separated = "parameters" | "branches" | "definitions" | "fields" | "declared fields" | "elements";

/** In the pattern of a branch. */
export type BranchClue =
  /** `lit x` for the constructor `Lit`. */
  | {
      readonly kind: "smallConstructor";
      readonly name: string;
      readonly upper: string;
      readonly isDeclared: boolean;
      readonly span: Span;
    }
  /** `p : t` or `p = t` for `p -> t`. */
  | { readonly kind: "branchArrow" }
  /** `x if c -> t` and `x when c -> t` */
  | { readonly kind: "branchCondition" }
  /** `p | q -> t` */
  | { readonly kind: "severalPatterns" }
  /** `else -> t` */
  | { readonly kind: "elseBranch" }
  /** `Shape.Circle` */
  | { readonly kind: "qualified"; readonly name: string; readonly span: Span };

/** Where a name is bound, at a condition, or in front of a body. */
export type BindingClue =
  /** `a |*| b` as a pattern */
  | { readonly kind: "parallelPattern" }
  /** `=<` for `<=`. */
  | { readonly kind: "turnedSign"; readonly text: string; readonly meant: string; readonly span: Span }
  /** `let x = s, y = t in u`; `span` is the second name. */
  | { readonly kind: "severalBindings"; readonly span: Span }
  /** A line `y = t` in a body; `name` is null where more names stand in front of the `=`. */
  | { readonly kind: "bareBinding"; readonly name: string | null; readonly span: Span }
  /** `p.x = t` */
  | { readonly kind: "fieldAssignment"; readonly name: string }
  /** `if c: t` */
  | { readonly kind: "conditionColon" }
  /** `t if c else u` */
  | { readonly kind: "conditionBehind" }
  | { readonly kind: "letWithoutBody" }
  /** `span` is where the body seems to begin. */
  | { readonly kind: "missingEquals"; readonly span: Span }
  /** `data Shape = Circle of R` */
  | { readonly kind: "fieldsWithOf" }
  /** `def my-name`; `name` is one that could be. */
  | { readonly kind: "hyphen"; readonly name: string }
  /** `def f (x R)` */
  | { readonly kind: "parameterType"; readonly name: string; readonly type: string };

export type BracketClue =
  /** `(a, b, )` */
  | { readonly kind: "trailingComma" }
  /** `[x | x <- xs]` */
  | { readonly kind: "comprehension" }
  /** `[0..n]` */
  | { readonly kind: "rangeDots" }
  /** `a != b` */
  | { readonly kind: "notEqual"; readonly span: Span }
  /** `a !! i` */
  | { readonly kind: "doubleBang" }
  /** `!b` */
  | { readonly kind: "negation" }
  /** `(+ 1)` or `(x +)`: an operator with one of its arguments. */
  | { readonly kind: "section"; readonly operator: string; readonly isLeft: boolean }
  /** `(.focal)` as a function. */
  | { readonly kind: "accessor" }
  /** `p.0` */
  | { readonly kind: "tupleIndex" }
  /** `f . (g h)` */
  | { readonly kind: "composition" }
  /** `"text"` outside of an import. */
  | { readonly kind: "text" };

/** Forms of other languages. */
export type ForeignClue =
  /** `//` or `/*` */
  | {
      readonly kind: "slashComment";
      readonly text: string;
      readonly span: Span;
      /** Something stands in front that could be divided. */
      readonly mayDivide: boolean;
    }
  /** `a === b` */
  | { readonly kind: "tripleEquals"; readonly span: Span }
  /** `xs ++ ys` or `i++` */
  | { readonly kind: "doublePlus"; readonly span: Span }
  /** `x += 1`; `text` is the operator. */
  | { readonly kind: "assignment"; readonly text: string; readonly span: Span }
  /** `R[]` as a type */
  | { readonly kind: "arraySuffix"; readonly span: Span }
  /** `| c = t` in a definition */
  | { readonly kind: "guard" }
  /** `R | Z` as a type */
  | { readonly kind: "unionType" }
  /** `x, y` as an expression */
  | { readonly kind: "bareTuple" }
  /** `Math.PI` */
  | { readonly kind: "mathConstant"; readonly span: Span }
  /** `lambda x: t` */
  | { readonly kind: "lambdaColon"; readonly span: Span }
  /** `from "lib.lam" import f` */
  | { readonly kind: "fromImport"; readonly span: Span }
  /** `y := t` in a body */
  | { readonly kind: "mutation"; readonly name: string; readonly span: Span }
  /** `{ p | a.b = t }` */
  | { readonly kind: "nestedUpdate"; readonly record: string; readonly outer: string; readonly inner: string }
  /** `[R, Z]` as a type */
  | { readonly kind: "severalItemTypes" }
  /** `do { .. }` */
  | { readonly kind: "doBlock"; readonly span: Span }
  /** `def` in a body; `span` is where it stands. */
  | { readonly kind: "innerDef"; readonly span: Span }
  /** `def f x : R y : R = t` */
  | { readonly kind: "bareParameters"; readonly names: readonly string[]; readonly span: Span }
  /** `|x|` */
  | { readonly kind: "absoluteBars" }
  /** `List<R>`, `def f<a>`, `data Tree<a>` */
  | { readonly kind: "angleBrackets"; readonly of: "type" | "definition" | "declaration" }
  /** `data Shape = | Circle R` */
  | { readonly kind: "leadingBar" }
  /** `type Shape = Circle R | Box R R` */
  | { readonly kind: "variantsOfAlias" }
  /** `[x, ...xs]` */
  | { readonly kind: "spreadElements" }
  /** `[]` or `[x, y]` as a pattern */
  | { readonly kind: "arrayPattern" }
  /** `{ x, y }` as a pattern */
  | { readonly kind: "bracePattern" }
  /** `def f (x : R) : R { .. }` */
  | { readonly kind: "bodyBraces" };

export type FieldClue =
  /** `case x { .. }`; `span` is the brace. */
  | { readonly kind: "missingOf"; readonly span: Span }
  /** `{ focal = 2 }` */
  | { readonly kind: "noConstructor" }
  /** `{ x }` or `{}` */
  | { readonly kind: "bareBraces" }
  /** `if c { x }` */
  | { readonly kind: "missingThen"; readonly span: Span }
  /** `Camera {}` */
  | { readonly kind: "emptyRecord" }
  /** `Camera (focal = 2)`, or `data Camera = Camera (focal : R)` */
  | { readonly kind: "recordBraces"; readonly name: string; readonly declares: boolean }
  /** `data Camera = Camera { focal }`, or `{ focal = R }`. */
  | { readonly kind: "fieldType"; readonly equals: boolean }
  /** `Camera { focal : 2 }` */
  | { readonly kind: "fieldSign" }
  /** `Camera { focal }` or `Camera { focal 2 }` */
  | { readonly kind: "fieldValue" }
  /** `Camera { a = 1 b = 2 }`; `name` and `span` are those of the second field. */
  | { readonly kind: "missingComma"; readonly name: string; readonly span: Span }
  /** An update in the form of another language: `{ ...c, x = 1 }`, `{ c with x = 1 }`, `{ c, x = 1 }`, `c { x = 1 }`. */
  | { readonly kind: "update"; readonly form: "spread" | "with" | "comma" | "behind" }
  /** `data Camera = { focal : R }`, and braces elsewhere in types; `name` is that of the declared type. */
  | { readonly kind: "recordType"; readonly name: string | null };
