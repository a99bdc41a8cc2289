import fc from "fast-check";
import type {
  BinaryOperator,
  Branch,
  Expr,
  FieldValue,
  FunctionBinding,
  Ident,
  Item,
  Pattern,
  Spelling,
  TypeExpr,
} from "../../src/syntax/tree.js";
import type { Span } from "../../src/syntax/source.js";

/** How many random cases a property tries. */
export const propertyRuns = Number(process.env["DUALREV_RUNS"] ?? 200);

const span: Span = { file: "random.lam", start: 0, end: 0 };

function ident(...names: string[]): fc.Arbitrary<Ident> {
  return fc.constantFrom(...names).map((name) => ({ name, span }));
}

const lower = ident("x", "y", "f", "x'", "_under", "fst", "é", "lets", "inner", "αβ");
const upper = ident("Nil", "Cons", "Tree", "R'", "Ωmega");
const spelling = fc.constantFrom<Spelling>("ascii", "unicode");
const unicodeOperators: readonly BinaryOperator[] = ["*", "/=", "<=", ">=", "&&", "||"];
const operator = fc
  .record({
    operator: fc.constantFrom<BinaryOperator>(
      "+",
      "-",
      "*",
      "/",
      "^",
      "::",
      "==",
      "/=",
      "<",
      "<=",
      ">",
      ">=",
      "&&",
      "||", // prettier-ignore
    ),
    spelling,
  })
  .map((made) => (unicodeOperators.includes(made.operator) ? made : { ...made, spelling: "ascii" as const }));

export const arbitraryType: fc.Arbitrary<TypeExpr> = fc.letrec<{ type: TypeExpr }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    lower.map((name): TypeExpr => ({ kind: "variable", name, span })),
    fc
      .record({ name: ident("R", "Z"), spelling })
      .map((made): TypeExpr => ({ kind: "named", args: [], span, ...made })),
    fc
      .record({ name: upper, args: fc.array(tie("type"), { maxLength: 3 }) })
      .map((made): TypeExpr => ({ kind: "named", spelling: "ascii", span, ...made })),
    fc
      .record({ items: fc.array(tie("type"), { maxLength: 4 }), spelling })
      .filter(({ items }) => items.length !== 1)
      .map(({ items, spelling }): TypeExpr => ({
        kind: "tuple",
        items,
        spelling: items.length === 0 ? "ascii" : spelling,
        span,
      })),
    fc
      .record({ from: tie("type"), to: tie("type"), spelling })
      .map((made): TypeExpr => ({ kind: "function", span, ...made })),
    fc.record({ left: tie("type"), right: tie("type") }).map((made): TypeExpr => ({ kind: "sum", span, ...made })),
    tie("type").map((element): TypeExpr => ({ kind: "array", element, span })),
  ),
})).type;

export const arbitraryPattern: fc.Arbitrary<Pattern> = fc.letrec<{ pattern: Pattern }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    lower.map((name): Pattern => ({ kind: "variable", name, span })),
    fc.constant<Pattern>({ kind: "wildcard", span }),
    fc.constantFrom("0", "12", "-3").map((text): Pattern => ({ kind: "integer", text, span })),
    fc.boolean().map((value): Pattern => ({ kind: "boolean", value, span })),
    fc
      .array(tie("pattern"), { maxLength: 3 })
      .filter((items) => items.length !== 1)
      .map((items): Pattern => ({ kind: "tuple", items, span })),
    fc
      .record({ name: fc.oneof(upper, ident("inl", "inr")), args: fc.array(tie("pattern"), { maxLength: 3 }) })
      .map((made): Pattern => ({ kind: "constructor", infix: false, span, ...made })),
    fc
      .tuple(tie("pattern"), tie("pattern"))
      .map((args): Pattern => ({ kind: "constructor", name: { name: "Cons", span }, args, infix: true, span })),
    fc
      .record({
        name: upper,
        fields: fc.array(fc.record({ name: lower, pattern: tie("pattern") }), { minLength: 1, maxLength: 3 }),
      })
      .map((made): Pattern => ({ kind: "record", span, ...made })),
    fc
      .record({ pattern: tie("pattern"), type: arbitraryType })
      .map((made): Pattern => ({ kind: "ascribed", span, ...made })),
  ),
})).pattern;

/** `case` branches are not ascribed without parentheses, and a `let` of a lone ascription has none: both are the printer's business. */
export const arbitraryExpr: fc.Arbitrary<Expr> = fc.letrec<{
  expr: Expr;
  binding: FunctionBinding;
  branch: Branch;
  fields: FieldValue[];
}>((tie) => ({
  binding: fc
    .record({
      name: lower,
      params: fc.array(arbitraryPattern, { minLength: 1, maxLength: 3 }),
      result: fc.option(arbitraryType, { nil: null }),
      body: tie("expr"),
    })
    .map((made) => ({ ...made, span })),
  fields: fc.array(fc.record({ name: lower, value: tie("expr") }), { minLength: 1, maxLength: 3 }),
  branch: fc.record({ pattern: arbitraryPattern, body: tie("expr"), spelling }).map((made) => ({ ...made, span })),
  expr: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof({ weight: 5, arbitrary: lower }, ident("!")).map((name): Expr => ({ kind: "variable", name, span })),
    fc.oneof(upper, ident("inl", "inr")).map((name): Expr => ({ kind: "constructor", name, span })),
    fc.constantFrom("1.5", "1e-3", "2.0E+10").map((text): Expr => ({ kind: "real", text, span })),
    fc.constantFrom("0", "42").map((text): Expr => ({ kind: "number", text, span })),
    fc.boolean().map((value): Expr => ({ kind: "boolean", value, span })),
    operator.map((made): Expr => ({ kind: "operator", span, ...made })),
    fc
      .array(tie("expr"), { maxLength: 3 })
      .filter((items) => items.length !== 1)
      .map((items): Expr => ({ kind: "tuple", items, span })),
    fc
      .record({ params: fc.array(arbitraryPattern, { minLength: 1, maxLength: 2 }), body: tie("expr"), spelling })
      .map((made): Expr => ({ kind: "lambda", span, ...made })),
    fc.record({ fn: tie("expr"), arg: tie("expr") }).map((made): Expr => ({ kind: "apply", span, ...made })),
    fc
      .record({ pattern: arbitraryPattern, bound: tie("expr"), body: tie("expr") })
      .map((made): Expr => ({ kind: "let", span, ...made })),
    fc
      .record({ binding: tie("binding"), body: tie("expr") })
      .map(({ binding, body }): Expr => ({ kind: "letFunction", recursive: false, bindings: [binding], body, span })),
    fc
      .record({ bindings: fc.array(tie("binding"), { minLength: 1, maxLength: 2 }), body: tie("expr") })
      .map((made): Expr => ({ kind: "letFunction", recursive: true, span, ...made })),
    fc
      .record({ cond: tie("expr"), then: tie("expr"), else: tie("expr") })
      .map((made): Expr => ({ kind: "if", span, ...made })),
    fc
      .record({ scrutinee: tie("expr"), branches: fc.array(tie("branch"), { minLength: 1, maxLength: 3 }) })
      .map((made): Expr => ({ kind: "case", span, ...made })),
    fc.record({ expr: tie("expr"), type: arbitraryType }).map((made): Expr => ({ kind: "ascribed", span, ...made })),
    fc
      .record({ how: operator, left: tie("expr"), right: tie("expr") })
      .map(({ how, left, right }): Expr => ({ kind: "binary", ...how, left, right, operatorSpan: span, span })),
    fc
      .record({ items: fc.array(tie("expr"), { minLength: 2, maxLength: 3 }), spelling })
      .map((made): Expr => ({ kind: "parallel", span, ...made })),
    tie("expr").map((expr): Expr => ({ kind: "negate", expr, span })),
    fc.array(tie("expr"), { maxLength: 3 }).map((items): Expr => ({ kind: "array", items, span })),
    fc
      .record({ array: tie("expr"), index: tie("expr") })
      .map((made): Expr => ({ kind: "index", ...made, operatorSpan: span, span })),
    fc.record({ record: tie("expr"), name: lower }).map((made): Expr => ({ kind: "field", ...made, span })),
    fc.record({ name: upper, fields: tie("fields") }).map((made): Expr => ({ kind: "record", ...made, span })),
    fc.record({ record: tie("expr"), fields: tie("fields") }).map((made): Expr => ({ kind: "update", ...made, span })),
  ),
})).expr;

export const arbitraryItem: fc.Arbitrary<Item> = fc.oneof(
  fc
    .record({
      isFused: fc.boolean(),
      name: lower,
      params: fc.array(arbitraryPattern, { maxLength: 3 }),
      result: fc.option(arbitraryType, { nil: null }),
      body: arbitraryExpr,
    })
    .map(({ isFused, ...binding }): Item => ({ kind: "def", isFused, binding: { ...binding, span }, doc: "", span })),
  fc
    .record({
      name: upper,
      params: fc.array(lower, { maxLength: 2 }),
      constructors: fc.array(
        fc
          .record({
            name: upper,
            fields: fc.array(arbitraryType, { maxLength: 3 }),
            fieldNames: fc.infiniteStream(lower),
            named: fc.boolean(),
          })
          .map(({ name, fields, fieldNames, named }) => ({
            name,
            fields,
            fieldNames: named && fields.length > 0 ? [...fieldNames.take(fields.length)] : null,
          })),
        { minLength: 1, maxLength: 3 },
      ),
    })
    .map(({ constructors, ...made }): Item => ({
      kind: "data",
      ...made,
      constructors: constructors.map((declared) => ({ ...declared, span })),
      doc: "",
      span,
    })),
  fc
    .record({ name: upper, params: fc.array(lower, { maxLength: 2 }), type: arbitraryType })
    .map((made): Item => ({ kind: "alias", ...made, doc: "", span })),
  fc
    .record({
      path: fc.constantFrom("a.lam", "../lib/b c.lam", "", "é--{-"),
      names: fc.array(fc.oneof(lower, upper), { minLength: 1, maxLength: 4 }),
    })
    .map((made): Item => ({ kind: "import", ...made, pathSpan: span, span })),
);

/** Texts made to look like programs: real tokens in a random order, and characters of all kinds. */
export const arbitraryText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(...fragments()) },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
    ),
    { maxLength: 80 },
  )
  .map((parts) => parts.join(" "));

function fragments(): string[] {
  return [
    "def", "data", "type", "import", "let", "rec", "and", "in", "if", "then", "else", "case", "of", "true", "false", "inl", "inr",
    "x", "f", "T", "Nil", "1", "2.5", ".5", "1e", "_", "!", '"a.lam"', ".x", "Nil {", "(", ")", "[", "]", "{", "}", "=", "==", "->", "→", "|", "|*|", "||", "&&",
    "<", "<=", "::", ":", ",", ";", ".", "\\", "λ", "+", "-", "*", "×", "/", "^", "--", "--- doc\n", "{-", "-}", "\n", "\t", "'", "\"", "“",
  ]; // prettier-ignore
}
