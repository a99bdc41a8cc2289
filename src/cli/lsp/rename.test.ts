// New names: what they would change the meaning of is refused, with the reason.

import { describe, expect, test } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";
import { withEdits } from "../../editor/new-name.js";
import { Answers } from "./answers.js";
import { Ranges } from "./ranges.js";
import { Workspace } from "./workspace.js";

const uriOf = (file: string): string => `file:///models/${file}`;

/** The files with a new name for what stands at a text of the first file; why not, where it cannot be given. */
function renamed(files: Readonly<Record<string, string>>, at: string, behind: number, name: string): unknown {
  const workspace = new Workspace();
  for (const [file, text] of Object.entries(files)) workspace.open(TextDocument.create(uriOf(file), "lam", 1, text));
  const answers = new Answers(workspace, new Ranges(workspace));
  const [[file, text] = ["", ""]] = Object.entries(files);
  expect(text).toContain(at);
  const position = answers.ranges.position(`/models/${file}`, text.indexOf(at) + behind);
  try {
    const { changes = {} } = answers.rename(uriOf(file), position, name);
    return Object.entries(files).map(([each, before]) => {
      const document = TextDocument.create(uriOf(each), "lam", 1, before);
      const edits = changes[uriOf(each)] ?? [];
      const spans = edits.map(({ range, newText }) => ({
        span: { file: each, start: document.offsetAt(range.start), end: document.offsetAt(range.end) },
        text: newText,
      }));
      return withEdits(before, spans);
    });
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}

const one = (text: string, at: string, behind: number, name: string): unknown => renamed({ "m.lam": text }, at, behind, name); // prettier-ignore

describe("is refused", () => {
  test("a local variable's name that would be taken for another one", () => {
    const nested = "def f (x : R) : R = let a = x in let b = 2 * x in a * b\n";
    expect(one(nested, "let b", 4, "a")).toMatchInlineSnapshot(
      `"there is another \`a\` (m.lam:1:25), and this one would be meant in its place at m.lam:1:51"`,
    );
    expect(one(nested, "let a", 4, "b")).toMatchInlineSnapshot(
      `"there is another \`b\` (m.lam:1:38), which would be meant at m.lam:1:51 in the place of this one"`,
    );
    expect(one(nested, "let a", 4, "x")).toMatchInlineSnapshot(
      `"there is another \`x\` (m.lam:1:8), and this one would be meant in its place at m.lam:1:46"`,
    );
    expect(one("def f (x : R) : R =\n  let g = \\y. x * y in\n  g 2\n", "\\y", 1, "x")).toMatchInlineSnapshot(
      `"there is another \`x\` (m.lam:1:8), and this one would be meant in its place at m.lam:2:15"`,
    );
  });

  test("that of another parameter, definition, type or field, used or not", () => {
    expect(one("def f (x : R) (y : R) : R = y\n", "x :", 0, "y")).toMatchInlineSnapshot(
      `"with \`y\`, line 1 of m.lam would be wrong: \`y\` is bound twice"`,
    );
    expect(one("def f (x : R) : R = x\n\ndef g (x : R) : R = 2 * f x\n", "g", 0, "f")).toMatchInlineSnapshot(
      `"with \`f\`, line 3 of m.lam would be wrong: the definition \`f\` is defined twice"`,
    );
    expect(one("def f (x : R) : R = x\n\ndef g (x : R) : R = 2 * f x\n", "f x", 0, "g")).toMatchInlineSnapshot(
      `"with \`g\`, line 3 of m.lam would be wrong: the definition \`g\` is defined twice"`,
    );
    expect(one("data A = A R\n\ndata B = B R\n\ndef f (A x : A) : R = x\n", "A =", 0, "B")).toMatchInlineSnapshot(
      `"with \`B\`, line 3 of m.lam would be wrong: the type \`B\` is defined twice"`,
    );
    expect(one("data P = P { x : R, y : R }\n\ndef f (p : P) : R = p.x\n", "x :", 0, "y")).toMatchInlineSnapshot(
      `"there is another \`y\` (m.lam:1:21), and this one would be meant in its place at m.lam:1:21"`,
    );
  });

  test("that of a definition that is used where it would be hidden", () => {
    expect(one("def f (xs : [R]) : R =\n  let total = 2 in\n  total * sum xs\n", "total", 0, "sum")).toMatchInlineSnapshot(`"there is another \`sum\` (<prelude>:139:5), and this one would be meant in its place at m.lam:3:11"`); // prettier-ignore
    expect(one("def total (xs : [R]) : R = 2\n\ndef f (xs : [R]) : R = sum xs\n", "total", 0, "sum")).toMatchInlineSnapshot(`"there is another \`sum\` (<prelude>:139:5), and this one would be meant in its place at m.lam:3:24"`); // prettier-ignore
    expect(one("def total (x : R) : R = 2\n\ndef f (x : R) : R = sin x\n", "total", 0, "sin")).toMatchInlineSnapshot(`"there is another \`sin\`, and this one would be meant in its place at m.lam:3:21"`); // prettier-ignore
    const lib = "def half (x : R) : R = x / 2\n";
    const use = 'import "lib.lam" (half)\n\ndef third (x : R) : R = half x / 1.5\n';
    expect(renamed({ "lib.lam": lib, "use.lam": use }, "half", 0, "third")).toMatchInlineSnapshot(
      `"there is another \`third\` (use.lam:3:5), which would be meant at use.lam:3:25 in the place of this one"`,
    );
    expect(one("def f (x : R) : R = x * z\n", "x :", 0, "z")).toMatchInlineSnapshot(
      `"there is a \`z\` that means nothing yet, and would mean this one"`,
    );
  });

  test("one of what is named where the file cannot be read", () => {
    const broken = "def half (x : R) : R = x / 2\n\ndef f (x : R) : R = half (x\n\ndef g (x : R) : R = half x\n";
    expect(one(broken, "half", 0, "halved")).toMatchInlineSnapshot(
      `"the file does not parse at m.lam:3:28, and names \`half\` there: mend it first"`,
    );
    expect(one(broken, "g (x", 0, "h")).toEqual([broken.replace("g (x", "h (x")]);
    expect(one(broken, "(x", 1, "y")).toEqual([broken.replace("half (x : R) : R = x", "half (y : R) : R = y")]);
  });
});

test("is given where all means the same", () => {
  const text = "data P = P { x : R, y : R }\n\ndef f (P { x } : P) : R = let y = x in sin y\n";
  expect(one(text, "{ x :", 2, "z")).toEqual([text.replace("{ x :", "{ z :").replace("{ x }", "{ z = x }")]);
  expect(one(text, "= x in", 2, "z")).toEqual([text.replace("{ x }", "{ x = z }").replace("= x in", "= z in")]);
  expect(one(text, "let y", 4, "sum")).toEqual([text.replace("let y", "let sum").replace("sin y", "sin sum")]);
  expect(one(text, "let y", 4, "y")).toEqual([text]);
  const lib = "def half (x : R) : R = x / 2\n\ndef wrong (x : R) : R = nothing x\n";
  const use = 'import "lib.lam" (half)\n\ndef third (x : R) : R = half x / 1.5\n';
  expect(renamed({ "lib.lam": lib, "use.lam": use }, "half", 0, "by2")).toEqual([lib, use].map((each) => each.replaceAll("half", "by2"))); // prettier-ignore
  const rule =
    "def sq (x : R) : R = x * x\n\ndef g (x : R) : R = sq x\n\nrule derivative g (x : R) (dx : R) = 2 * dx * sq 1 * x\n";
  expect(one(rule, "sq", 0, "square")).toEqual([rule.replaceAll("sq ", "square ")]);
});

describe("a data type with one constructor, of the same name, has one name", () => {
  const lib = "data Line = Line { slope : R }\n\ndef steep : Line = Line { slope = 2 }\n";
  const use =
    'import "lib.lam" (Line)\n\ndef f (Line { slope } : Line) : R = slope\n\ndef g (l : Line) : Line = { l | slope = 1 }\n';
  const both = [lib, use].map((text) => text.replaceAll("Line", "Ray"));

  test.each([
    ["by the type", "Line ="],
    ["by the constructor", "Line {"],
    ["where the type is used", "Line = Line { slope ="],
    ["where the constructor is used", "Line { slope ="],
  ])("%s", (_, at) => {
    expect(renamed({ "lib.lam": lib, "use.lam": use }, at, 0, "Ray")).toEqual(both);
  });

  test.each([
    ["an import", "Line)"],
    ["a pattern", "Line { slope }"],
    ["an annotation", "Line) : R"],
  ])("in another file, at %s", (_, at) => {
    expect(renamed({ "use.lam": use, "lib.lam": lib }, at, 0, "Ray")).toEqual(both.toReversed());
  });

  test("and is refused where either would be another", () => {
    const others = "data A = A R\n\ndata B = C R | D\n\ndef f (A x : A) : R = x\n";
    expect(one(others, "A =", 0, "C")).toMatchInlineSnapshot(
      `"with \`C\`, line 3 of m.lam would be wrong: the constructor \`C\` is defined twice"`,
    );
    expect(one(others, "A R", 0, "B")).toMatchInlineSnapshot(
      `"with \`B\`, line 3 of m.lam would be wrong: the type \`B\` is defined twice"`,
    );
  });

  test("others have names of their own", () => {
    const several = "data Shape = Shape R | Dot\n\ndef f (r : R) : Shape = Shape r\n";
    expect(one(several, "Shape =", 0, "Form")).toEqual([
      several.replace("Shape =", "Form =").replace(": Shape", ": Form"),
    ]);
    expect(one(several, "Shape R", 0, "Form")).toEqual([several.replace("= Shape R", "= Form R").replace("= Shape r", "= Form r")]); // prettier-ignore
    const other = "data Radius = Of R\n\ndef f (r : R) : Radius = Of r\n";
    expect(one(other, "Radius", 0, "Of")).toEqual([other.replaceAll("Radius", "Of")]);
  });
});
