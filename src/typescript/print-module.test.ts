import prettier from "prettier";
import { describe, expect, test } from "vitest";
import type { TsBinaryOp, TsDeclaration, TsExpr, TsModule, TsStmt, TsType } from "./tree.js";
import { printDeclarationFile, printModule, printToRun } from "./print-module.js";

// Abbreviations for trees
const id = (name: string): TsExpr => ({ kind: "id", name });
const number = (value: number): TsExpr => ({ kind: "number", value });
const text = (value: string): TsExpr => ({ kind: "string", value });
const call = (fn: TsExpr, ...args: readonly TsExpr[]): TsExpr => ({ kind: "call", fn, args });
const member = (object: TsExpr, name: string): TsExpr => ({ kind: "member", object, name });
const minus = (arg: TsExpr): TsExpr => ({ kind: "unary", op: "-", arg });
const binary = (left: TsExpr, op: TsBinaryOp, right: TsExpr): TsExpr => ({ kind: "binary", op, left, right });
const arrow = (params: readonly string[], body: TsExpr | readonly TsStmt[]): TsExpr => ({
  kind: "arrow",
  params: params.map((name) => ({ name, type: null })),
  result: null,
  body,
});
const record = (fields: Readonly<Record<string, TsExpr>>): TsExpr => ({
  kind: "object",
  fields: Object.entries(fields).map(([name, value]) => ({ name, value })),
});
const named = (name: string, ...args: readonly TsType[]): TsType => ({ kind: "name", name, args });
const literal = (value: string): TsType => ({ kind: "literal", value });
const fields = (types: Readonly<Record<string, TsType>>): TsType => ({
  kind: "object",
  fields: Object.entries(types).map(([name, type]) => ({ name, type })),
});
const constant = (name: string, init: TsExpr): TsStmt => ({ kind: "const", target: name, type: null, init });
const give = (value: TsExpr): TsStmt => ({ kind: "return", value });
const R = named("number");

const moduleOf = (...declarations: readonly TsDeclaration[]): TsModule => ({ header: [], declarations });
const statement = (stmt: TsStmt): TsModule => moduleOf({ kind: "statement", doc: "", stmt });

/** The text of a statement, which prettier leaves alone, as it does in a block. */
async function print(stmt: TsStmt, target: "ts" | "js" = "ts"): Promise<string> {
  await printSettled({ kind: "block", body: [stmt] }, target);
  return printSettled(stmt, target);
}

async function printSettled(stmt: TsStmt, target: "ts" | "js"): Promise<string> {
  const printed = printModule(statement(stmt), target);
  expect(await prettier.format(printed, { parser: target === "ts" ? "typescript" : "babel" })).toBe(printed);
  return printed.trimEnd();
}

const expression = (expr: TsExpr, target: "ts" | "js" = "ts"): Promise<string> => print(constant("z", expr), target);

describe("operators", () => {
  const a = id("a");
  const b = id("b");
  const c = id("c");

  test.each<[TsExpr, string]>([
    [binary(binary(a, "+", b), "*", c), "(a + b) * c"],
    [binary(a, "-", binary(b, "-", c)), "a - (b - c)"],
    [binary(binary(a, "-", b), "+", c), "a - b + c"],
    [binary(binary(a, "*", b), "/", c), "(a * b) / c"],
    [binary(binary(a, "%", b), "*", c), "(a % b) * c"],
    [binary(binary(a, "%", b), "+", c), "(a % b) + c"],
    [binary(binary(a, "+", b), ">>", c), "(a + b) >> c"],
    [binary(binary(a, ">>", b), ">>", c), "(a >> b) >> c"],
    [binary(binary(a, ">>", b), "+", c), "(a >> b) + c"],
    [binary(binary(a, ">>", b), "<", c), "a >> b < c"],
    [binary(binary(a, "*", b), "*", c), "a * b * c"],
    [binary(minus(a), "**", b), "(-a) ** b"],
    [binary(number(-2), "**", b), "(-2) ** b"],
    [binary(binary(a, "**", b), "**", c), "(a ** b) ** c"],
    [binary(a, "**", binary(b, "**", c)), "a ** (b ** c)"],
    [binary(binary(a, "&&", b), "||", c), "(a && b) || c"],
    [binary(a, "&&", binary(b, "&&", c)), "a && b && c"],
    [binary(binary(a, "??", b), "||", c), "(a ?? b) || c"],
    [binary(binary(a, "===", b), "===", c), "(a === b) === c"],
    [minus(minus(a)), "-(-a)"],
    [minus(number(-1)), "-(-1)"],
    [minus(binary(a, "+", b)), "-(a + b)"],
    [{ kind: "cond", test: a, then: b, else: { kind: "cond", test: b, then: a, else: c } }, "a ? b : b ? a : c"],
    [call(arrow(["x"], id("x")), a), "((x) => x)(a)"],
    [member(number(1), "toFixed"), "(1).toFixed"],
    [member(a, "not a name"), 'a["not a name"]'],
    [{ kind: "new", fn: call(a), args: [b] }, "new (a())(b)"],
    [{ kind: "as", expr: binary(a, "+", b), type: R }, "(a + b) as number"],
    [arrow([], record({ a })), "() => ({ a })"],
    [arrow([], { kind: "assign", op: "=", target: a, value: b }), "() => (a = b)"],
    [call(id("f"), binary(a, "<", b), binary(c, ">", binary(a, "===", b))), "f(a < b, (a === b) < c)"],
    [call(id("f"), binary(a, "<", b), binary(call(id("g")), ">", minus(call(id("h"))))), "f(a < b, g() > -h())"],
  ])("%j", async (expr, expected) => {
    expect(await expression(expr)).toBe(`const z = ${expected};`);
  });
});

describe("literals", () => {
  test.each<[TsExpr, string]>([
    [number(0), "0"],
    [number(-0), "-0"],
    [number(1e21), "1e21"],
    [number(1.5e-7), "1.5e-7"],
    [number(-Infinity), "-Infinity"],
    [number(NaN), "NaN"],
    [text("it's"), '"it\'s"'],
    [text('say "so"'), "'say \"so\"'"],
    [text("back\\slash\nline\u2028\u0000"), '"back\\\\slash\\nline\\u2028\\u0000"'],
    [text("\ud800 ö 😀"), '"\\ud800 ö 😀"'],
    [record({ a: number(1), "a-b": number(2), "1": number(3), ö: number(4) }), '{ "1": 3, a: 1, "a-b": 2, ö: 4 }'],
  ])("%j", async (expr, expected) => {
    expect(await expression(expr)).toBe(`const z = ${expected};`);
  });

  test("numeric names have no quotes in JavaScript", async () => {
    expect(await expression(record({ "1": number(3), "01": number(4) }), "js")).toBe('const z = { 1: 3, "01": 4 };');
  });

  test("__proto__ is an own property", async () => {
    const fields = [{ name: "__proto__", value: id("__proto__") }];
    expect(await expression({ kind: "object", fields })).toBe('const z = { ["__proto__"]: __proto__ };');
  });
});

describe("layouts", () => {
  test("functions as arguments", async () => {
    const deep = call(id("sumDeep"), member(id("xs"), "_1"));
    const then = binary(member(id("xs"), "_0"), "+", call(id("scaleTheRest"), id("rest"), id("accumulated")));
    expect(await print(give(call(id("suspend"), arrow([], deep), arrow(["rest"], then))))).toMatchInlineSnapshot(`
      "return suspend(
        () => sumDeep(xs._1),
        (rest) => xs._0 + scaleTheRest(rest, accumulated),
      );"
    `);
    expect(await print(give(call(id("bind"), id("m"), arrow(["x"], [give(id("x"))]))))).toMatchInlineSnapshot(`
      "return bind(m, (x) => {
        return x;
      });"
    `);
    const bound = call(
      id("bind"),
      call(id("compute"), id("input")),
      arrow(["x"], call(id("finish"), id("x"), text("and a long text to break it"))),
    );
    expect(await print(constant("result", bound))).toMatchInlineSnapshot(`
      "const result = bind(compute(input), (x) =>
        finish(x, "and a long text to break it"),
      );"
    `);
  });

  test("operations, conditionals and chains", async () => {
    const long = (name: string): TsExpr => id(`${name}IsALongNameForAValue`);
    const sum = binary(binary(long("first"), "*", long("second")), "+", binary(long("third"), "*", long("fourth")));
    expect(await print(give(sum))).toMatchInlineSnapshot(`
      "return (
        firstIsALongNameForAValue * secondIsALongNameForAValue +
        thirdIsALongNameForAValue * fourthIsALongNameForAValue
      );"
    `);
    const test_ = binary(long("first"), ">", number(0));
    expect(await print(constant("sum", { kind: "cond", test: test_, then: sum, else: long("other") })))
      .toMatchInlineSnapshot(`
      "const sum =
        firstIsALongNameForAValue > 0
          ? firstIsALongNameForAValue * secondIsALongNameForAValue +
            thirdIsALongNameForAValue * fourthIsALongNameForAValue
          : otherIsALongNameForAValue;"
    `);
    const curried = arrow(["first"], arrow(["second"], arrow(["third"], sum)));
    expect(await print(constant("curried", curried))).toMatchInlineSnapshot(`
      "const curried = (first) => (second) => (third) =>
        firstIsALongNameForAValue * secondIsALongNameForAValue +
        thirdIsALongNameForAValue * fourthIsALongNameForAValue;"
    `);
    const map = (xs: TsExpr): TsExpr => call(member(xs, "map"), arrow(["x"], binary(id("x"), "*", number(2))));
    expect(await print(constant("doubled", map(map(map(id("values"))))))).toMatchInlineSnapshot(`
      "const doubled = values
        .map((x) => x * 2)
        .map((x) => x * 2)
        .map((x) => x * 2);"
    `);
  });

  test("arrays fill lines with numbers, and rows of a matrix have lines of their own", async () => {
    const numbers = Array.from({ length: 20 }, (_, i) => number(i * 1.25 - 3));
    expect(await expression({ kind: "array", items: numbers })).toMatchInlineSnapshot(`
      "const z = [
        -3, -1.75, -0.5, 0.75, 2, 3.25, 4.5, 5.75, 7, 8.25, 9.5, 10.75, 12, 13.25,
        14.5, 15.75, 17, 18.25, 19.5, 20.75,
      ];"
    `);
    const row: TsExpr = { kind: "array", items: [number(1), id("x")] };
    expect(await expression({ kind: "array", items: [row, row] })).toMatchInlineSnapshot(`
      "const z = [
        [1, x],
        [1, x],
      ];"
    `);
  });

  test("objects that break keep what is around them broken", async () => {
    const entry = (name: string): TsExpr => record({ name: text(name), value: id(`${name}OfAVeryLongNameIndeed`) });
    const chain = call(
      member(call(member(call(member(id("things"), "first"), id("a")), "second"), id("b")), "third"),
      entry("parameter"),
    );
    expect(await print(constant("result", chain))).toMatchInlineSnapshot(`
      "const result = things
        .first(a)
        .second(b)
        .third({ name: "parameter", value: parameterOfAVeryLongNameIndeed });"
    `);
  });
});

describe("statements", () => {
  test("control flow", async () => {
    const step: TsExpr = { kind: "assign", op: "+=", target: id("i"), value: number(1) };
    const body: readonly TsStmt[] = [
      { kind: "comment", text: "Two lines\nof comment" },
      {
        kind: "if",
        test: id("a"),
        then: [give(number(1))],
        else: [{ kind: "if", test: id("b"), then: [], else: [give(number(2))] }],
      },
      {
        kind: "for",
        name: "i",
        from: number(0),
        test: binary(id("i"), "<", id("n")),
        step,
        body: [{ kind: "continue", label: null }],
      },
      { kind: "while", test: id("more"), body: [] },
      {
        kind: "switch",
        subject: member(id("xs"), "tag"),
        cases: [
          { test: text("Nil"), body: [give(number(0))] },
          { test: null, body: [] },
        ],
      },
      { kind: "try", body: [], param: "error", handler: [{ kind: "throw", value: id("error") }] },
      { kind: "const", target: ["a", null, "b", null], type: null, init: id("pair") },
      { kind: "let", name: "later", type: R, init: null },
      { kind: "break", label: "again" },
    ];
    expect(await print({ kind: "loop", label: "again", body })).toMatchInlineSnapshot(`
      "again: for (;;) {
        // Two lines
        // of comment
        if (a) {
          return 1;
        } else if (b) {
        } else {
          return 2;
        }
        for (let i = 0; i < n; i++) {
          continue;
        }
        while (more) {}
        switch (xs.tag) {
          case "Nil": {
            return 0;
          }
          default: {
          }
        }
        try {
        } catch (error) {
          throw error;
        }
        const [a, , b] = pair;
        let later: number;
        break again;
      }"
    `);
  });
});

describe("modules", () => {
  const list: TsType = {
    kind: "union",
    members: [
      fields({ tag: literal("Nil") }),
      fields({ tag: literal("Cons"), _0: named("Element"), _1: named("List", named("Element")) }),
    ],
  };
  const module: TsModule = {
    header: ["// @generated by dualrev 0.1.0 (stage tape) from model.lam", "/* eslint-disable */"],
    declarations: [
      { kind: "type", doc: "A list.", exported: true, name: "List", typeParams: ["Element"], type: list },
      { kind: "type", doc: "", exported: false, name: "Pair", typeParams: [], type: { kind: "tuple", items: [R, R] } },
      { kind: "type", doc: "", exported: false, name: "Unused", typeParams: [], type: R },
      {
        kind: "fragment",
        ts: "function relu(x: number): number {\n  return Math.max(x, 0);\n}",
        js: "function relu(x) {\n  return Math.max(x, 0);\n}",
        reference: "numbers.relu",
        name: "relu",
        isDirect: true,
      },
      {
        kind: "function",
        doc: "The sum.\n\nIt is not a tail call, */ at all.",
        exported: true,
        fn: {
          name: "sum",
          typeParams: [],
          params: [
            { name: "xs", type: named("List", R), optional: false },
            { name: "start", type: named("Pair"), optional: true },
          ],
          result: R,
          body: [
            { kind: "const", target: "zero", type: R, init: { kind: "as", expr: number(0), type: R } },
            give(id("zero")),
          ],
        },
      },
    ],
  };

  test("TypeScript", async () => {
    const printed = printModule(module, "ts");
    expect(await prettier.format(printed, { parser: "typescript" })).toBe(printed);
    expect(printed).toMatchInlineSnapshot(`
      "// @generated by dualrev 0.1.0 (stage tape) from model.lam
      /* eslint-disable */

      /** A list. */
      export type List<Element> =
        | { readonly tag: "Nil" }
        | { readonly tag: "Cons"; readonly _0: Element; readonly _1: List<Element> };

      type Pair = readonly [number, number];

      type Unused = number;

      function relu(x: number): number {
        return Math.max(x, 0);
      }

      /**
       * The sum.
       *
       * It is not a tail call, *\\/ at all.
       */
      export function sum(xs: List<number>, start?: Pair): number {
        const zero: number = 0 as number;
        return zero;
      }
      "
    `);
  });

  test("JavaScript", async () => {
    const printed = printModule(module, "js");
    expect(await prettier.format(printed, { parser: "babel" })).toBe(printed);
    expect(printed).toMatchInlineSnapshot(`
      "// @generated by dualrev 0.1.0 (stage tape) from model.lam
      /* eslint-disable */

      function relu(x) {
        return Math.max(x, 0);
      }

      /**
       * The sum.
       *
       * It is not a tail call, *\\/ at all.
       */
      export function sum(xs, start) {
        const zero = 0;
        return zero;
      }
      "
    `);
  });

  test("declarations hold what the exported functions mention", async () => {
    const printed = printDeclarationFile(module);
    expect(await prettier.format(printed, { parser: "typescript" })).toBe(printed);
    expect(printed).toMatchInlineSnapshot(`
      "// @generated by dualrev 0.1.0 (stage tape) from model.lam
      /* eslint-disable */

      /** A list. */
      export type List<Element> =
        | { readonly tag: "Nil" }
        | { readonly tag: "Cons"; readonly _0: Element; readonly _1: List<Element> };

      type Pair = readonly [number, number];

      /**
       * The sum.
       *
       * It is not a tail call, *\\/ at all.
       */
      export declare function sum(xs: List<number>, start?: Pair): number;

      export {};
      "
    `);
  });
});

test("declarations leave out types that are called as a type parameter", () => {
  const named = (name: string): TsType => ({ kind: "name", name, args: [] });
  const box: TsDeclaration = {
    kind: "type",
    doc: "",
    exported: true,
    name: "Box",
    typeParams: ["Dual"],
    type: named("Dual"),
  };
  const dual: TsDeclaration = {
    kind: "type",
    doc: "",
    exported: false,
    name: "Dual",
    typeParams: [],
    type: named("number"),
  };
  expect(printDeclarationFile(moduleOf(box, dual))).not.toContain("number");
});

describe("size", () => {
  const chain = (operators: readonly TsBinaryOp[], count: number): TsExpr => {
    let sum = id("x0");
    for (let i = 1; i < count; i++) sum = binary(sum, operators[i % operators.length] ?? "+", id(`x${i}`));
    return sum;
  };

  test.each<[string, readonly TsBinaryOp[]]>([
    ["one operator", ["+"]],
    ["operators that need parentheses", ["*", "/"]],
    ["logical operators", ["&&", "||"]],
  ])("a chain of 20000 operands: %s", (_, operators) => {
    expect(printModule(statement(give(chain(operators, 20_000))), "ts").length).toBeGreaterThan(160_000);
  });

  test("to be run at once, on one line", () => {
    expect(printToRun(statement(give(chain(["+"], 100)))).split("\n")).toHaveLength(2);
  });

  test("20000 operands that lean to the right", () => {
    let all = id("x0");
    for (let i = 1; i < 20_000; i++) all = binary(id(`x${i}`), "&&", all);
    expect(printModule(statement(give(all)), "ts")).toMatch(/^return \(\n {2}x19999 &&\n/);
  });

  test("20000 statements, and as many branches", () => {
    const statements = Array.from({ length: 20_000 }, (_, i) => constant(`x${i}`, call(id("f"), number(i))));
    expect(printModule(statement({ kind: "block", body: statements }), "ts").split("\n")).toHaveLength(20_003);
    let branches: TsStmt = give(number(0));
    for (let i = 0; i < 20_000; i++) branches = { kind: "if", test: id(`x${i}`), then: [], else: [branches] };
    expect(printModule(statement(branches), "ts")).toContain("} else if (x0) {");
  });
});
