import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryText, propertyRuns } from "../../test/support/arbitrary-tree.js";
import { explainSyntax } from "../diagnostics/explain-syntax.js";
import { formatModule } from "./format.js";
import { nestingLimit, parseModule } from "./parse.js";
import type { Expr, FieldValue, Item, Module, Pattern, TypeExpr } from "./tree.js";

function parse(text: string): Module {
  const { value, mistakes } = parseModule({ name: "test.lam", text });
  expect(mistakes, text).toEqual([]);
  return value;
}

function body(text: string): Expr {
  const [item] = parse(`def it = ${text}`).items;
  if (item?.kind !== "def") throw new Error("no definition");
  return item.binding.body;
}

/** Fully parenthesised, so that a test shows the tree on one line. */
function showType(type: TypeExpr): string {
  switch (type.kind) {
    case "named":
      return [type.name.name, ...type.args.map(showType)].join(" ").replace(/^(.* .*)$/, "($1)");
    case "variable":
      return type.name.name;
    case "tuple":
      return `(${type.items.map(showType).join(", ")})`;
    case "function":
      return `(${showType(type.from)} -> ${showType(type.to)})`;
    case "sum":
      return `(${showType(type.left)} + ${showType(type.right)})`;
    case "array":
      return `[${showType(type.element)}]`;
  }
}

function showPattern(pattern: Pattern): string {
  switch (pattern.kind) {
    case "variable":
      return pattern.name.name;
    case "wildcard":
      return "_";
    case "integer":
      return pattern.text;
    case "boolean":
      return String(pattern.value);
    case "tuple":
      return `(${pattern.items.map(showPattern).join(", ")})`;
    case "record":
      return `${pattern.name.name} { ${pattern.fields.map((field) => `${field.name.name} = ${showPattern(field.pattern)}`).join(", ")} }`;
    case "constructor":
      return [pattern.name.name, ...pattern.args.map(showPattern)].join(" ").replace(/^(.* .*)$/, "($1)");
    case "ascribed":
      return `(${showPattern(pattern.pattern)} : ${showType(pattern.type)})`;
  }
}

function show(expr: Expr): string {
  switch (expr.kind) {
    case "variable":
    case "constructor":
      return expr.name.name;
    case "real":
    case "number":
      return expr.text;
    case "boolean":
      return String(expr.value);
    case "operator":
      return `(${expr.operator})`;
    case "tuple":
      return `(${expr.items.map(show).join(", ")})`;
    case "lambda":
      return `(\\${expr.params.map(showPattern).join(" ")}. ${show(expr.body)})`;
    case "apply":
      return `(${show(expr.fn)} ${show(expr.arg)})`;
    case "let":
      return `(let ${showPattern(expr.pattern)} = ${show(expr.bound)} in ${show(expr.body)})`;
    case "letFunction": {
      const bindings = expr.bindings.map(({ name, params, result, body }) =>
        [name.name, ...params.map(showPattern), result === null ? "=" : `: ${showType(result)} =`, show(body)].join(
          " ",
        ),
      );
      return `(let ${expr.recursive ? "rec " : ""}${bindings.join(" and ")} in ${show(expr.body)})`;
    }
    case "if":
      return `(if ${show(expr.cond)} then ${show(expr.then)} else ${show(expr.else)})`;
    case "case": {
      const branches = expr.branches.map(({ pattern, body }) => `${showPattern(pattern)} -> ${show(body)}`);
      return `(case ${show(expr.scrutinee)} of { ${branches.join("; ")} })`;
    }
    case "ascribed":
      return `(${show(expr.expr)} : ${showType(expr.type)})`;
    case "binary":
      return `(${show(expr.left)} ${expr.operator} ${show(expr.right)})`;
    case "array":
      return `[${expr.items.map(show).join(", ")}]`;
    case "index":
      return `(${show(expr.array)} ! ${show(expr.index)})`;
    case "field":
      return `${show(expr.record)}.${expr.name.name}`;
    case "record":
      return `${expr.name.name} { ${showFields(expr.fields)} }`;
    case "update":
      return `{ ${show(expr.record)} | ${showFields(expr.fields)} }`;
    case "parallel":
      return `(${expr.items.map(show).join(" |*| ")})`;
    case "negate":
      return `(-${show(expr.expr)})`;
  }
}

function showFields(fields: readonly FieldValue[]): string {
  return fields.map(({ name, value }) => `${name.name} = ${show(value)}`).join(", ");
}

function nameOf(item: Item): string {
  if (item.kind === "import") return item.path;
  return item.kind === "def" ? item.binding.name.name : item.name.name;
}

function typeOf(text: string): string {
  const [item] = parse(`type It = ${text}`).items;
  return item?.kind === "alias" ? showType(item.type) : "";
}

describe("expressions", () => {
  test.each([
    ["a + b - c * d / e", "((a + b) - ((c * d) / e))"],
    ["-x ^ 2", "(-(x ^ 2))"],
    ["-x * y", "((-x) * y)"],
    ["x ^ -y * z", "((x ^ (-y)) * z)"],
    ["a ^ b ^ c", "(a ^ (b ^ c))"],
    ["f -x", "(f - x)"],
    ["f (-x)", "(f (-x))"],
    ["a + -b + c", "((a + (-b)) + c)"],
    ["- - x", "(-(-x))"],
    ["1 :: 2 :: Nil", "(1 :: (2 :: Nil))"],
    ["a + b :: c", "((a + b) :: c)"],
    ["a :: b == c", "((a :: b) == c)"],
    ["a < b && c >= d || e /= f", "(((a < b) && (c >= d)) || (e /= f))"],
    ["a || b && c", "(a || (b && c))"],
    ["a |*| b || c |*| d", "(a |*| (b || c) |*| d)"],
    ["(a |*| b) |*| c", "((a |*| b) |*| c)"],
    ["f x y z", "(((f x) y) z)"],
    ["f (g x) (h y)", "((f (g x)) (h y))"],
    ["\\x y. x + y", "(\\x y. (x + y))"],
    ["x + \\y. y * 2", "(x + (\\y. (y * 2)))"],
    ["x * let y = 1 in y + 2", "(x * (let y = 1 in (y + 2)))"],
    ["-let y = 1 in y + 2", "(-(let y = 1 in (y + 2)))"],
    ["if a then b else c + d", "(if a then b else (c + d))"],
    ["if a then b else if c then d else e", "(if a then b else (if c then d else e))"],
    ["case x of { A -> 1 } + 2", "((case x of { A -> 1 }) + 2)"],
    ["(3 : R)", "(3 : R)"],
    ["(\\(x : R, y : R). x : (R, R) -> R)", "((\\((x : R), (y : R)). x) : ((R, R) -> R))"],
    ["((((x))))", "x"],
    ["()", "()"],
    ["(a, b, c)", "(a, b, c)"],
    ["listMap (*) (-) (::)", "(((listMap (*)) (-)) (::))"],
    ["inl (inr ())", "(inl (inr ()))"],
    ["fst p + snd p", "((fst p) + (snd p))"],
    ["x' + _y + é", "((x' + _y) + é)"],
    ["2.5e-3 + 1e6 + 7", "((2.5e-3 + 1e6) + 7)"],
    ["λx. x", "(\\x. x)"],
    ["[1, a + b, [x], []]", "[1, (a + b), [x], []]"],
    ["f [1] [2, 3]", "((f [1]) [2, 3])"],
    ["a ! i ! j", "((a ! i) ! j)"],
    ["f a ! g i ^ 2 ^ b ! 0", "(((f a) ! (g i)) ^ (2 ^ (b ! 0)))"],
    ["-a ! -i ! j", "(-(a ! (-(i ! j))))"],
    ["a ! \\x. x ! y", "(a ! (\\x. (x ! y)))"],
    ["foldl (!) a", "((foldl !) a)"],
    ["f c.position.x y.z", "((f c.position.x) y.z)"],
    ["(f c).x ! i.j", "((f c).x ! i.j)"],
    ["[a].x", "[a].x"],
    ["\\x.x.y", "(\\x. x.y)"],
    ["\\(x, y) z. z.a", "(\\(x, y) z. z.a)"],
    ["f Camera { focal = 2 + 1, rotation = r } x", "((f Camera { focal = (2 + 1), rotation = r }) x)"],
    ["A { x = B { y = 1 }.y }.x", "A { x = B { y = 1 }.y }.x"],
    ["f { c | focal = \\x. x, r = { d.e | f = 1 } }", "(f { c | focal = (\\x. x), r = { d.e | f = 1 } })"],
    ["{ if a then b else c | x = 1 }", "{ (if a then b else c) | x = 1 }"],
    [
      "case Nil of { Camera { focal = 1, x = A y, r } -> r }",
      "(case Nil of { Camera { focal = 1, x = (A y), r = r } -> r })",
    ],
    ["\\Camera { x = (Some y :: z) } A w. w", "(\\Camera { x = (Cons (Some y) z) } A w. w)"],
    ["case x of { Cons A { x } b :: c -> x }", "(case x of { (Cons (Cons A { x = x } b) c) -> x })"],
    ["a × b ≤ c ∧ d ≠ e ∨ f ⋆ g", "(((((a * b) <= c) && (d /= e)) || f) |*| g)"],
  ])("%s", (text, tree) => {
    expect(show(body(text))).toBe(tree);
  });

  test("a lowercase name with patterns behind it is a function", () => {
    expect(show(body("let f x y = x in f"))).toBe("(let f x y = x in f)");
    expect(body("let f x = x in f").kind).toBe("letFunction");
    expect(body("let f : R = 1 in f").kind).toBe("let");
    expect(show(body("let f (x : R) : R = x in f"))).toBe("(let f (x : R) : R = x in f)");
    expect(show(body("let (x, Pair y _) = p in x"))).toBe("(let (x, (Pair y _)) = p in x)");
    expect(show(body("let rec f x = g x and g y = f y in f"))).toBe("(let rec f x = (g x) and g y = (f y) in f)");
  });

  test("branches, with or without a last semicolon", () => {
    const tree = "(case x of { (Cons (Cons a) 1) -> 1; (Cons a (Cons b c)) -> 2; (inl (-1, true, _)) -> 3 })";
    expect(show(body("case x of { Cons (Cons a) 1 -> 1; a :: b :: c -> 2; inl (-1, true, _) -> 3 }"))).toBe(tree);
    expect(show(body("case x of { Cons (Cons a) 1 -> 1; a :: b :: c → 2; inl (-1, true, _) -> 3; }"))).toBe(tree);
  });

  test("names are in normal form C", () => {
    expect(show(body("e\u0301"))).toBe("é");
  });

  test("the spelling is remembered", () => {
    expect(body("a × b")).toMatchObject({ operator: "*", spelling: "unicode" });
    expect(body("a * b")).toMatchObject({ operator: "*", spelling: "ascii" });
    expect(body("λx. x")).toMatchObject({ spelling: "unicode" });
  });
});

describe("types", () => {
  test.each([
    ["R -> R -> R", "(R -> (R -> R))"],
    ["R + Z + Bool", "((R + Z) + Bool)"],
    ["R + Z -> Bool", "((R + Z) -> Bool)"],
    ["ℝ × ℤ × Bool + ()", "((R, Z, Bool) + ())"],
    ["(R × R) × R", "((R, R), R)"],
    ["List (List a) × Tree a b", "((List (List a)), (Tree a b))"],
    ["[[R]]", "[[R]]"],
    ["(R)", "R"],
  ])("%s", (text, tree) => {
    expect(typeOf(text)).toBe(tree);
  });
});

describe("items", () => {
  test("data, type and def, with documentation", () => {
    const text = `
      -- no documentation
      --- A list,
      --- of anything.
      data List a = Nil | Cons a (List a)

      --- far above

      type V = (R, R)
      --- last
      def f (x : R, y : R) : R = x -- end`;
    const { items, comments } = parse(text);
    expect(items.map(({ kind }) => kind)).toEqual(["data", "alias", "def"]);
    expect(items.map((item) => item.kind !== "import" && item.kind !== "rule" && item.doc)).toEqual([
      "A list,\nof anything.",
      "",
      "last",
    ]);
    expect(comments.map(({ kind }) => kind)).toEqual(["line", "doc", "doc", "doc", "doc", "line"]);
    const [list] = items;
    expect(
      list?.kind === "data" && list.constructors.map(({ name, fields }) => [name.name, ...fields.map(showType)]),
    ).toEqual([["Nil"], ["Cons", "a", "(List a)"]]);
  });

  test("records and imports", () => {
    const text = `--- A camera.
      data Camera = Camera { rotation : Vec3, focal : R -> R } | None
      import "../lib/shapes.lam" (area, Shape)`;
    const [camera, shapes] = parse(text).items;
    if (camera?.kind !== "data" || shapes?.kind !== "import") throw new Error("other items");
    expect(camera.constructors.map(({ fieldNames }) => fieldNames?.map(({ name }) => name) ?? null)).toEqual([
      ["rotation", "focal"],
      null,
    ]);
    expect(camera.constructors[0]?.fields.map(showType)).toEqual(["Vec3", "(R -> R)"]);
    expect(shapes).toMatchObject({ path: "../lib/shapes.lam", names: [{ name: "area" }, { name: "Shape" }] });
    expect(text.slice(shapes.pathSpan.start, shapes.pathSpan.end)).toBe('"../lib/shapes.lam"');
    expect(text.slice(shapes.span.start)).toBe('import "../lib/shapes.lam" (area, Shape)');
  });

  test("spans lead back to the text", () => {
    const text = "def f x = (x + 1) * 2";
    const [item] = parse(text).items;
    const at = ({ span }: { span: { start: number; end: number } }): string => text.slice(span.start, span.end);
    if (item?.kind !== "def" || item.binding.body.kind !== "binary") throw new Error("another tree");
    expect(at(item)).toBe(text);
    expect(at(item.binding.name)).toBe("f");
    expect(at(item.binding.body)).toBe("(x + 1) * 2");
    expect(at(item.binding.body.left)).toBe("(x + 1)");
    expect(text[item.binding.body.operatorSpan.start]).toBe("*");
  });
});

describe("recovery", () => {
  test("every item's mistake is reported, and the other items are there", () => {
    const text = "def a = 1 +\ndef b = 2\ndata t = T\ndef c = )\ntype V = R\ndef d = (1\n";
    const { value, mistakes } = parseModule({ name: "test.lam", text });
    expect(mistakes.map(({ span }) => text.slice(0, span.start).split("\n").length)).toEqual([1, 3, 4, 6]);
    expect(value.items.map(nameOf)).toEqual(["b", "V"]);
  });

  test("fields that are called like the words of the language do not begin an item", () => {
    const text =
      "data Shape = Shape { type : Z }\ndef f x = x.data\ndef g x = { x | import = 1 }\ndef h = [1,\ndef k = 2";
    const { mistakes } = parseModule({ name: "test.lam", text });
    const codes = mistakes.map((mistake) => explainSyntax(mistake)).map(({ code, span }) => `${code} ${span.start}`);
    expect(codes).toEqual(["E0111 21", "E0111 44", "E0111 65", "E0101 89"]);
  });

  test("several mistakes in one definition", () => {
    const text = `def f x =
      let a = (1 + in
      let b = case x of {
        A -> * 2;
        B -> 3;
        C y z -> if y z;
        D -> ) } in
      a + b +`;
    const { mistakes } = parseModule({ name: "test.lam", text });
    expect(mistakes.map(({ span }) => text.slice(0, span.start).split("\n").length)).toEqual([2, 4, 6, 7, 8]);
  });
});

describe("limits", () => {
  const parseTimed = (text: string): readonly string[] =>
    parseModule({ name: "test.lam", text }).mistakes.map((mistake) => explainSyntax(mistake).code);

  test("nesting up to the limit is read, deeper nesting is a mistake", () => {
    const nests: readonly ((depth: number) => string)[] = [
      (n) => `def f = ${"(".repeat(n)}x${")".repeat(n)}`,
      (n) => `def f : ${"(".repeat(n)}R${")".repeat(n)} = x`,
      (n) => `def f : ${"[".repeat(n)}R${"]".repeat(n)} = x`,
      (n) => `def f = ${"[".repeat(n)}x${"]".repeat(n)}`,
      (n) => `def f = ${"A { x = ".repeat(n)}x${" }".repeat(n)}`,
      (n) => `def f = ${"{ ".repeat(n)}x${" | x = 1 }".repeat(n)}`,
      (n) => `def f (${"A { x = ".repeat(n)}x${" }".repeat(n)}) = x`,
      (n) => `def f ${"(".repeat(n)}x${")".repeat(n)} = x`,
      (n) => `def f = ${"let x = ".repeat(n)}x${" in x".repeat(n)}`,
      (n) => `def f = ${"if ".repeat(n)}x${" then x else x".repeat(n)}`,
      (n) => `def f = ${"case ".repeat(n)}x${" of { A -> 1 }".repeat(n)}`,
    ];
    for (const nest of nests) {
      expect(parseTimed(nest(nestingLimit / 2)), nest(2)).toEqual([]);
      expect(parseTimed(nest(100_000)), nest(2)).toEqual(["E0701"]);
    }
    expect(parseTimed(nests[0]?.(nestingLimit - 1) ?? "")).toEqual([]);
    expect(parseTimed(`def f = ${"(".repeat(100_000)}`)).toEqual(["E0701"]);
    expect(parseTimed(`def f = ${"(\\x. ".repeat(100_000)}`)).toEqual(["E0701"]);
  });

  test("chains have no limit", () => {
    const n = 10_000;
    for (const text of [
      `${"1 :: ".repeat(n)}Nil`,
      `${"a + ".repeat(n)}a`,
      `${"let x = 1 in ".repeat(n)}x`,
      `${"\\x. ".repeat(n)}x`,
      `${"a |*| ".repeat(n)}a`,
      `f${" x".repeat(n)}`,
      `${"if a then b else ".repeat(n)}c`,
      `(${"1, ".repeat(n)}1)`,
      `[${"1, ".repeat(n)}1]`,
      `a${" ! 1".repeat(n)}`,
      `a${".x".repeat(n)}`,
    ])
      // prettier-ignore
      parse(`def f = ${text}`);
  });
});

describe("any text", () => {
  const survives = (text: string): void => {
    const source = { name: "test.lam", text };
    const { value, mistakes } = parseModule(source);
    for (const mistake of mistakes) {
      const { title, label, span } = explainSyntax(mistake);
      expect(title.length * label.length).toBeGreaterThan(0);
      expect(span.start >= 0 && span.end <= text.length && span.start <= span.end).toBe(true);
    }
    if (mistakes.length === 0) formatModule(source, value);
  };

  test("random tokens and characters are read without a crash", () => {
    fc.assert(fc.property(arbitraryText, survives), { numRuns: propertyRuns });
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), survives), { numRuns: propertyRuns });
  });

  test("a large text that makes no sense takes no long time", () => {
    const n = 50_000;
    for (const text of [
      '"'.repeat(n),
      "# ".repeat(n),
      "2x ".repeat(n),
      "{-".repeat(n),
      "λ".repeat(n),
      "\0".repeat(n),
      "def f = a" + " < a".repeat(n),
      `def f = case x of { A -> ) ${"; B -> 1 )".repeat(n)}`,
      `def a = f ${"x y\n".repeat(n)} = 2`,
      `def a = let x = ${"x y ".repeat(n)}`,
    ])
      // prettier-ignore
      survives(text);
  });

  test("a program with characters changed, removed or put in is read without a crash", () => {
    const program = `--- doc
data List a = Nil | Cons a (List a)
def f (x : R, y : R) : R = let rec g z = case z of { Nil -> 0; a :: b -> a + g b } and h = \\k. k in
  if x < 2.5 && true then -x ^ 2 else fst (g (x :: Nil) |*| {- c -} h y) -- end
`;
    const edit = fc.record({
      at: fc.nat(program.length),
      remove: fc.nat(5),
      insert: fc.oneof(
        fc.constantFrom("(", ")", "{", "}", "let ", " in ", "=", "--", "{-", "case ", " of ", ";", "\\", "def "),
        fc.string({ maxLength: 2 }),
      ),
    });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 5 }), (edits) => {
        survives(
          edits.reduce((text, { at, remove, insert }) => text.slice(0, at) + insert + text.slice(at + remove), program),
        );
      }),
      { numRuns: propertyRuns },
    );
  });
});
