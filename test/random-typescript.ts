// Random trees of emitted modules, for the printer's properties.

import fc from "fast-check";
import type { TsDeclaration, TsExpr, TsFunction, TsModule, TsParam, TsStmt, TsType } from "../src/typescript/tree.js";

const words = [
  "x",
  "y",
  "i",
  "xs",
  "fn",
  "grad",
  "value",
  "rest",
  "cotangent",
  "backpropagator",
  "sumDeep",
  "Math",
  "Nil",
  "$",
  "_0",
];

/** Short and long, of one word or many. */
const name: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...words) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.constantFrom("loss", "Vector", "Accumulated", "at", "Step", "Matrix"), { minLength: 2, maxLength: 6 })
      .map((parts) => `v${parts.join("")}`),
  },
);

const key = fc.oneof(
  { weight: 9, arbitrary: name },
  {
    weight: 1,
    arbitrary: fc.constantFrom("__proto__", "constructor", "a-b", "1", "1.5", "01", "it's", 'say "so"', "ö", ""),
  },
);

const text = fc.oneof(
  fc.constantFrom(
    "",
    "tag",
    "f (model.lam:3:5)",
    "it's",
    'say "so"',
    "back\\slash",
    "new\nline",
    "\u2028",
    "a longer text that takes a while to read",
  ),
  fc.string({ maxLength: 12, unit: "binary" }),
);

const number = fc.oneof(
  fc.integer({ min: -3, max: 1000 }),
  fc.double(),
  fc.constantFrom(NaN, Infinity, -Infinity, -0, 1e21, 1e-7, 5e-324, 0.1),
);

const few = <T>(arbitrary: fc.Arbitrary<T>, maxLength = 3): fc.Arbitrary<T[]> => fc.array(arbitrary, { maxLength });
const some = <T>(arbitrary: fc.Arbitrary<T>, maxLength = 3): fc.Arbitrary<T[]> =>
  fc.array(arbitrary, { minLength: 1, maxLength });

const { type } = fc.letrec<{ type: TsType }>((tie) => ({
  type: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<TsType>(
      { kind: "name", name: "number", args: [] },
      { kind: "name", name: "boolean", args: [] },
      { kind: "name", name: "Float64Array", args: [] },
      { kind: "name", name: "BackpropagatorOfALongName", args: [] },
      { kind: "literal", value: null },
      { kind: "literal", value: "Cons" },
      { kind: "literal", value: -1 },
      { kind: "literal", value: true },
    ),
    fc.record({
      kind: fc.constant("name" as const),
      name: fc.constantFrom("List", "Map", "Staged"),
      args: some(tie("type"), 2),
    }),
    fc.record({ kind: fc.constant("tuple" as const), items: few(tie("type")) }),
    fc.record({
      kind: fc.constant("tuple" as const),
      items: some(fc.record({ kind: fc.constant("slot" as const), type: tie("type") }), 3),
    }),
    fc.record({ kind: fc.constant("array" as const), element: tie("type") }),
    fc.record({ kind: fc.constant("object" as const), fields: few(fc.record({ name: key, type: tie("type") })) }),
    fc.record({ kind: fc.constant("union" as const), members: some(tie("type"), 4) }),
    fc.record({
      kind: fc.constant("function" as const),
      typeParams: few(fc.constantFrom("A", "B"), 1),
      params: few(fc.record({ name, type: tie("type"), optional: fc.constant(false) })),
      result: tie("type"),
    }),
  ),
}));

const params: fc.Arbitrary<TsParam[]> = few(fc.record({ name, type, optional: fc.constant(false) }), 4);

const typeParams = fc.uniqueArray(fc.constantFrom("A", "B", "State"), { maxLength: 2 });

const pattern = fc.array(fc.option(name), { maxLength: 4 });

const assignable: fc.Arbitrary<TsExpr> = fc.oneof(
  name.map((id): TsExpr => ({ kind: "id", name: id })),
  fc.record({
    kind: fc.constant("member" as const),
    object: name.map((id): TsExpr => ({ kind: "id", name: id })),
    name,
  }),
  fc.record({
    kind: fc.constant("index" as const),
    object: name.map((id): TsExpr => ({ kind: "id", name: id })),
    index: name.map((id): TsExpr => ({ kind: "id", name: id })),
    certain: fc.constant(false),
  }),
);

const operators = ["+", "-", "*", "/", "%", "**", "===", "!==", "<", "<=", ">", ">=", "&&", "||", "??"] as const;

// A type alias, since fast-check wants an index signature
type Trees = {
  expr: TsExpr;
  stmt: TsStmt;
  body: TsStmt[];
};

export const { expr, stmt, body } = fc.letrec<Trees>((tie) => {
  const below = tie("expr");
  const arrowParams = few(fc.record({ name, type: fc.option(type) }));
  const exprs: fc.Arbitrary<TsExpr> = fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    {
      weight: 3,
      arbitrary: fc.oneof(
        name.map((id): TsExpr => ({ kind: "id", name: id })),
        number.map((value): TsExpr => ({ kind: "number", value })),
        text.map((value): TsExpr => ({ kind: "string", value })),
        fc.boolean().map((value): TsExpr => ({ kind: "boolean", value })),
        fc.constantFrom<TsExpr>({ kind: "null" }, { kind: "undefined" }),
      ),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("binary" as const),
        op: fc.constantFrom(...operators),
        left: below,
        right: below,
      }),
    },
    fc.record({ kind: fc.constant("unary" as const), op: fc.constantFrom("-" as const, "!" as const), arg: below }),
    fc.record({ kind: fc.constant("cond" as const), test: below, then: below, else: below }),
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("call" as const), fn: below, args: few(below) }) },
    fc.record({ kind: fc.constant("new" as const), fn: below, args: few(below) }),
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("member" as const), object: below, name }) },
    fc.record({ kind: fc.constant("index" as const), object: below, index: below, certain: fc.constant(false) }),
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("arrow" as const),
        params: arrowParams,
        result: fc.option(type),
        body: fc.oneof(below, below, tie("body")),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("object" as const),
        fields: few(fc.record({ name: key, value: below })),
      }),
    },
    fc.record({
      kind: fc.constant("array" as const),
      items: fc.oneof(
        few(below, 4),
        few(
          number.map((value): TsExpr => ({ kind: "number", value })),
          30,
        ),
      ),
    }),
    fc.record({ kind: fc.constant("as" as const), expr: below, type }),
    fc.record({
      kind: fc.constant("assign" as const),
      op: fc.constantFrom("=" as const, "+=" as const, "-=" as const, "??=" as const),
      target: assignable,
      value: below,
    }),
  );
  const block = tie("body");
  const statements: fc.Arbitrary<TsStmt> = fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("return" as const), value: fc.option(below) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("const" as const),
        target: fc.oneof({ arbitrary: name, weight: 3 }, { arbitrary: pattern, weight: 1 }),
        type: fc.option(type),
        init: below,
      }),
    },
    fc.record({ kind: fc.constant("let" as const), name, type: fc.option(type), init: fc.option(below) }),
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("expr" as const), expr: below }) },
    fc.record({ kind: fc.constant("if" as const), test: below, then: block, else: block }),
    fc.record({ kind: fc.constant("loop" as const), label: fc.option(fc.nat().map((n) => `again${n}`)), body: block }),
    fc.record({ kind: fc.constant("while" as const), test: below, body: block }),
    fc.record({ kind: fc.constant("for" as const), name, from: below, test: below, step: below, body: block }),
    fc.record({
      kind: fc.constant("switch" as const),
      subject: below,
      cases: few(fc.record({ test: text.map((value): TsExpr | null => ({ kind: "string", value })), body: block })),
    }),
    fc.record({ kind: fc.constant("throw" as const), value: below }),
    fc.record({ kind: fc.constant("try" as const), body: block, param: fc.constantFrom("error", ""), handler: block }),
    fc.record({ kind: fc.constant("block" as const), body: block }),
    fc.record({
      kind: fc.constant("function" as const),
      fn: fc.record({ name, typeParams, params, result: type, body: block }),
    }),
    fc.record({ kind: fc.constant("comment" as const), text: fc.constantFrom("", "what and why", "two\nlines") }),
  );
  return { expr: exprs, stmt: statements, body: few(tie("stmt")) };
});

const fn: fc.Arbitrary<TsFunction> = fc.record({ name, typeParams, params, result: type, body: few(stmt, 4) });

const declaration: fc.Arbitrary<TsDeclaration> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("function" as const),
      doc: fc.constantFrom("", "One line.", "Two\n\nparagraphs."),
      exported: fc.boolean(),
      fn,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("type" as const),
      doc: fc.constantFrom("", "A type."),
      exported: fc.boolean(),
      name,
      typeParams,
      type,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("statement" as const), doc: fc.constantFrom("", "A constant."), stmt }),
  },
);

export const randomModule: fc.Arbitrary<TsModule> = fc.record({
  header: few(fc.constantFrom("// @generated by dualrev", "/* eslint-disable */", "plain")),
  declarations: some(declaration, 3),
});
