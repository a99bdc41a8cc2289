import { expect, test } from "vitest";
import type { Diagnostic } from "./diagnostic.js";
import { displayWidth, layOutLine } from "./line-layout.js";
import { renderDiagnostic, renderDiagnostics, sortDiagnostics, toJson } from "./render.js";

/** A diagnostic about the part of `text` between two `‹ ›` marks; further pairs are related places. */
function marked(text: string): { readonly text: string; readonly diagnostic: Diagnostic } {
  const spans: { start: number; end: number }[] = [];
  let plain = "";
  for (const char of text) {
    if (char === "‹") spans.push({ start: plain.length, end: plain.length });
    else if (char === "›") {
      const open = spans.findLast((span) => span.end === span.start);
      if (open !== undefined) open.end = plain.length;
    } else plain += char;
  }
  const [first = { start: 0, end: 0 }, ...rest] = spans;
  const diagnostic: Diagnostic = {
    code: "E0301",
    severity: "error",
    title: "This does not fit",
    span: { file: "m.lam", ...first },
    label: "here",
    related: rest.map((span, i) => ({ span: { file: "m.lam", ...span }, label: `place ${i + 1}` })),
    notes: [],
    hint: null,
  };
  return { text: plain, diagnostic };
}

function render(text: string, change: Partial<Diagnostic> = {}): string {
  const { text: plain, diagnostic } = marked(text);
  const textOf = (file: string) => (file === "m.lam" ? plain : null);
  return `\n${renderDiagnostic({ ...diagnostic, ...change }, textOf, false)}`;
}

test("a span in one line, with notes and a hint", () => {
  const notes = ["expected R\nfound    Bool"];
  expect(render("def f x =\n  x + ‹true›\n", { notes, hint: "write a number" })).toMatchInlineSnapshot(`
    "
    error[E0301]: This does not fit
     --> m.lam:2:7
      |
    2 |   x + true
      |       ^^^^ here
      |
      = note: expected R
              found    Bool
      = hint: write a number
    "
  `);
});

test("related places in the same line, the last label beside its underline", () => {
  expect(render("def ‹f› (‹x› : R) = ‹g›\n")).toMatchInlineSnapshot(`
    "
    error[E0301]: This does not fit
     --> m.lam:1:5
      |
    1 | def f (x : R) = g
      |     ^  -        - place 2
      |     |  |
      |     |  place 1
      |     here
    "
  `);
});

test("related places before and after, with a gap", () => {
  const text = "def ‹a› = ‹b›\n\n\n\n\n\n\n\n\ndef ‹b› = 1\n\ndef ‹c› = 2\n";
  expect(render(text)).toMatchInlineSnapshot(`
    "
    error[E0301]: This does not fit
      --> m.lam:1:5
       |
     1 | def a = b
       |     ^   - place 1
       |     |
       |     here
    ...
    10 | def b = 1
       |     - place 2
    11 |
    12 | def c = 2
       |     - place 3
    "
  `);
});

test("overlapping places get rows of their own", () => {
  expect(render("‹f (‹x + y›)›\n")).toMatchInlineSnapshot(`
    "
    error[E0301]: This does not fit
     --> m.lam:1:1
      |
    1 | f (x + y)
      | ^^^^^^^^^ here
      |    ----- place 1
    "
  `);
});

test("a span of several lines, from the start of a line and from its middle", () => {
  expect(render("def f x =\n  ‹case x of {\n    A -> 1\n  }›\n")).toMatchInlineSnapshot(`
    "
    error[E0301]: This does not fit
     --> m.lam:2:3
      |
    2 | /   case x of {
    3 | |     A -> 1
    4 | |   }
      | |___^ here
    "
  `);
  expect(render("def f x = ‹case x of {\n  A -> 1\n}›\n")).toMatchInlineSnapshot(`
    "
    error[E0301]: This does not fit
     --> m.lam:1:11
      |
    1 |   def f x = case x of {
      |  ___________^
    2 | |   A -> 1
    3 | | }
      | |_^ here
    "
  `);
});

test("a long span is shown at both ends", () => {
  const body = Array.from({ length: 20 }, (_, i) => `  | ${i}`).join("\n");
  const text = render(`‹begin\n${body}\nend›\n`);
  expect(text).toContain("...");
  expect(text.split("\n").length).toBeLessThan(16);
});

test("the end of the file is shown behind its last word", () => {
  expect(render("def f =\n\n\n‹›")).toMatchInlineSnapshot(`
    "
    error[E0301]: This does not fit
     --> m.lam:1:8
      |
    1 | def f =
      |        ^ here
    "
  `);
  expect(render("‹›")).toContain("m.lam:1:1");
});

test("tabs, wide and combining characters and CRLF do not move underlines", () => {
  const frame = ["    日本 + e\u0301 + y", "               ^ here"];
  const text = render("def f =\r\n\t日本 + e\u0301 + ‹y›\r\n");
  expect(text).toContain(` --> m.lam:2:12\n  |\n2 | ${frame.join("\n  | ")}\n`);
  expect(displayWidth("日本")).toBe(4);
  expect(displayWidth("e\u0301")).toBe(1);
  expect(displayWidth("👩‍👩‍👧")).toBe(2);
});

test("control and reordering characters are made visible", () => {
  expect(layOutLine("a\u001b[31mb\u202ec", 0).text).toBe("a\ufffd[31mb\ufffdc");
});

test("a long line is cut around the span", () => {
  const text = render(`${"a".repeat(5000)} + ‹b› + ${"c".repeat(5000)}`);
  const [, , , source = "", underline = ""] = text.split("\n").slice(1);
  expect(source.length).toBeLessThan(200);
  expect(source.charAt(underline.indexOf("^"))).toBe("b");
});

test("a related place in another file", () => {
  const related = [{ span: { file: "other.lam", start: 0, end: 1 }, label: "there" }];
  expect(render("‹x›", { related })).toContain("::: other.lam");
});

test("many diagnostics are sorted, told once, limited and counted", () => {
  const { diagnostic } = marked("‹x›");
  const at = (start: number): Diagnostic => ({ ...diagnostic, span: { file: "m.lam", start, end: start + 1 } });
  expect(sortDiagnostics([at(2), at(0), at(2)]).map((d) => d.span.start)).toEqual([0, 2]);
  const many = Array.from({ length: 25 }, (_, i) => at(i));
  const text = renderDiagnostics(many, () => "x".repeat(30), { colors: false, limit: 20 });
  expect(text.match(/^error\[/gm)).toHaveLength(20);
  expect(text).toContain("25 errors; 5 more not shown");
  expect(renderDiagnostics([], () => null, { colors: true, limit: 20 })).toBe("");
});

test("colours only when asked for", () => {
  const { text, diagnostic } = marked("‹x›");
  expect(renderDiagnostic(diagnostic, () => text, true)).toContain("\u001b[31m");
  expect(renderDiagnostic(diagnostic, () => text, false)).not.toContain("\u001b");
});

test("JSON has lines, columns and offsets", () => {
  const { text, diagnostic } = marked("def f =\n  ‹x›\n");
  expect(toJson(diagnostic, () => text)).toMatchObject({
    code: "E0301",
    severity: "error",
    message: "This does not fit",
    file: "m.lam",
    start: { line: 2, column: 3, offset: 10 },
    end: { line: 2, column: 4, offset: 11 },
  });
});
