import { describe, expect, it } from "vitest";
import { renderDiagnostics } from "../../diagnostics/render.js";
import { compile } from "../../driver/compile.js";
import type { StageName } from "../../stages/stage.js";

/** What a model's user is told, without colours. */
function told(text: string, stage: StageName = "tape"): string {
  const result = compile({ name: "m.lam", text }, { stage });
  return result.diagnostics
    .map(({ code, title, label, span, related }) => {
      const at = (part: { readonly start: number; readonly end: number }): string => text.slice(part.start, part.end);
      const others = related.map((place) => `  ${at(place.span)}: ${place.label}`);
      return [`${code} ${title}`, `  ${at(span)}: ${label}`, ...others].join("\n");
    })
    .join("\n");
}

describe("names of functions", () => {
  it("clash with a gradient of the user's own", () => {
    expect(told("def f (x : R) : R = x\ndef fGrad (x : R) : R = x")).toMatchInlineSnapshot(`
      "E0511 two exported functions would both be called \`fGrad\`
        fGrad: the definition \`fGrad\`
        f: the gradient of \`f\`, \`fGrad\`"
    `);
  });

  it("clash where they are spelled alike in TypeScript", () => {
    expect(told("def sum' (x : R) : R = x\ndef sumPrime (x : R) : R = 1.0", "primal")).toMatchInlineSnapshot(`
      "E0511 two exported functions would both be called \`sumPrime\`
        sumPrime: the definition \`sumPrime\`
        sum': the definition \`sum'\`, \`sumPrime\` in TypeScript"
    `);
  });

  it("clash only in a stage that exports both", () => {
    const text = "def f (x : R) : R = x\ndef fJvp (x : R) : R = x";
    expect(told(text)).toBe("");
    expect(told(text, "forward")).toMatchInlineSnapshot(`
      "E0511 two exported functions would both be called \`fJvp\`
        fJvp: the definition \`fJvp\`
        f: the directional derivative of \`f\`, \`fJvp\`"
    `);
  });

  it("do not clash with what is not exported", () => {
    expect(told("def f (x : R) : (R, R) = (x, x)\ndef fGrad (x : R) : R = x")).toBe("");
  });
});

it("names of types clash with those of cotangents", () => {
  const text = "data A = A R Z\ndata ACotangent = B R\ndef f (x : A) (y : ACotangent) : R = 1.0";
  expect(told(text)).toMatchInlineSnapshot(`
    "E0511 two exported types would both be called \`ACotangent\`
      A: the type of the cotangents of \`A\`, \`ACotangent\`
      ACotangent: the data type \`ACotangent\`"
  `);
});

it("names of parameters clash within a definition", () => {
  expect(told("def f (x', y) (xPrime : R) : R = x' + y")).toMatchInlineSnapshot(`
    "E0512 two parameters of \`f\` would both be called \`xPrime\`
      xPrime: the parameter \`xPrime\`
      x': the parameter \`x'\`, \`xPrime\` in TypeScript"
  `);
  expect(told("def f (x : R) (x : R) : R = x")).toMatchInlineSnapshot(`
    "E0205 \`x\` is bound twice
      x: again here
      x: first here"
  `);
});

it("the diagnostic shows both places", () => {
  const text = "def f (x : R) : R = x\ndef fGrad (x : R) : R = 1.0\n";
  const { diagnostics } = compile({ name: "m.lam", text });
  expect(renderDiagnostics(diagnostics, () => text, { colors: false, limit: 10 })).toMatchInlineSnapshot(`
    "error[E0511]: two exported functions would both be called \`fGrad\`
     --> m.lam:2:5
      |
    1 | def f (x : R) : R = x
      |     - the gradient of \`f\`, \`fGrad\`
    2 | def fGrad (x : R) : R = 1.0
      |     ^^^^^ the definition \`fGrad\`
      |
      = hint: rename one of the two, or say with \`--entry\` which definitions the module is to export

    1 error
    "
  `);
});
