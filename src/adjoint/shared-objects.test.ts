import { expect, test } from "vitest";
import { compile } from "../driver/compile.js";

function codeOf(text: string, entries: readonly string[]): string {
  const compiled = compile({ name: "model.lam", text }, { stage: "adjoint", target: "js", entries });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  return compiled.value.code;
}

const model = `data Hit = Miss | Hit R
def meet (x : R) (y : R) : Hit = if y > 0 then (if x * y > 1 then Hit (x * y) else Miss) else Miss
def first (x : R) (ys : [R]) : Hit = foldl (\\best y. case best of { Miss -> meet x y; _ -> best }) Miss ys
def f (x : R) (ys : [R]) : R = case first x ys of { Miss -> 0; Hit d -> d }
`;

test("what stays in the module is made once", () => {
  const code = codeOf(model, ["f"]);
  expect(code.match(/\{ tag: "Miss" \}/g)).toHaveLength(1);
  expect(code).toContain('const miss = { tag: "Miss" };');
});

test("what callers get is theirs", () => {
  expect(codeOf(model, ["first"])).not.toContain("miss");
  const both = codeOf(model, ["f", "first"]);
  expect(both).toContain('const miss = { tag: "Miss" };');
  const first = both.slice(both.indexOf("export function first("), both.indexOf("export function firstVjp("));
  expect(first).toContain('{ tag: "Miss" }');
  expect(first).not.toContain("miss");
});

test("a name that functions have no other use for", () => {
  const code = codeOf(
    model.replace("def f (x : R) (ys", "def f (miss : R) (ys").replace("first x ys", "first miss ys"),
    ["f"],
  );
  expect(code).toMatch(/const miss\d = \{ tag: "Miss" \};/);
});
