// `dualrev/editor`: what a page asks about a model that is being written.

import { expect, test } from "vitest";
import { EditedModel } from "./index.js";

const text = `import "std/solve.lam" (root)

--- The area of a circle.
def area (r : R) : R = pi * r ^ 2

def twice f a = f (f a)

def loss (xs : [R]) (r : R) : R = area r + sum xs
`;

const edited = (written = text): EditedModel => new EditedModel({ name: "model.lam", text: written });

const containing = (part: string): unknown => expect.stringContaining(part);

/** The text of a place. */
const at = ({ start, end }: { readonly start: number; readonly end: number }): string => text.slice(start, end);

test("diagnostics, warnings among them", () => {
  expect(edited().diagnostics().map(({ code, span }) => [code, at(span)])).toEqual([["W0102", "twice"], ["W0103", "root"]]); // prettier-ignore
  expect(edited("def f (x : R) : R = y").diagnostics().map(({ code }) => code)).toEqual(["E0201"]); // prettier-ignore
  expect(edited("def f (").diagnostics().length).toBeGreaterThan(0);
});

test("what a name is", () => {
  expect(edited().hover(text.indexOf("area r"))).toMatchObject({
    code: "def area : R -> R",
    doc: "The area of a circle.",
    typescript: containing("function area(r: number): number"),
    notExported: null,
  });
  expect(edited().hover(text.indexOf("twice"))).toMatchObject({
    typescript: null,
    notExported: containing("polymorphic"),
  });
  expect(edited().hover(0)).toBeNull();
});

test("what can be written, also where the text is no model yet", () => {
  const written = text.replace("area r + sum xs", "are");
  const offset = written.indexOf("= are") + "= are".length;
  const { from, options } = edited(written).completions(offset);
  expect(written.slice(from, offset)).toBe("are");
  expect(options.find(({ name }) => name === "area")).toMatchObject({ detail: "R -> R", doc: "The area of a circle." });
  const called = text.replace("area r + sum xs", "area ");
  expect(edited(called).signatureHelp(called.indexOf("= area ") + "= area ".length)).toMatchObject({
    label: "area (r : R) : R",
    active: 0,
  });
});

test("changes that mend a mistake", () => {
  const wrong = text.replace("area r", "aera r");
  const fixes = edited(wrong).quickFixes({ start: 0, end: wrong.length });
  const fix = fixes.find(({ diagnostic }) => diagnostic.code === "E0201");
  const mended = (fix?.edits ?? []).reduce((now, { span, text: by }) => now.slice(0, span.start) + by + now.slice(span.end), wrong); // prettier-ignore
  expect(mended).toBe(text);
});

test("colours for names, and arguments to begin with", () => {
  const kinds = new Map(edited().tokens().map(({ span, kind }) => [at(span), kind])); // prettier-ignore
  expect([kinds.get("area"), kinds.get("xs")]).toEqual(["function", "parameter"]);
  expect(Object.keys(edited().sampleArguments("loss") ?? {})).toEqual(["xs", "r"]);
  const matrix = edited("def f (a : [[R]]) (n : [[Z]]) : R = a ! 0 ! 0 * toReal (n ! 0 ! 0)\n");
  expect(matrix.sampleArguments("f")).toEqual({ a: [[2, 1], [1, 3]], n: [[1, 1], [1, 1]] }); // prettier-ignore
  const list = edited("data List a = Nil | Cons a (List a)\ndef f (l : List R) (xs : [R]) : R = sum xs\n");
  const items = { tag: "Cons", _0: 1, _1: { tag: "Cons", _0: 0.8, _1: { tag: "Nil" } } };
  expect(list.sampleArguments("f")).toEqual({ l: items, xs: [1.2, 0.9] });
  expect([edited().sampleArguments("twice"), edited().sampleArguments("nothing")]).toEqual([null, null]);
});
