// The option `marks` of `steps`: which sub-term of the model stands where.

import { expect, test } from "vitest";
import { steps, type Step } from "./steps.js";

const text = "def f (x : R) (y : R) : R =\n  let z = x * y in\n  z * sin z\n";
const source = { name: "model.lam", text };

function stepsWith(marks: boolean): readonly Step[] {
  const found = steps(source, { entries: ["f"], marks });
  if (!found.ok) throw new Error("no steps");
  return found.value;
}

const marked = stepsWith(true);

test("without it nothing is marked; with it the texts are the same", () => {
  const plain = stepsWith(false);
  expect(plain.flatMap(({ parts, functions }) => [...parts.flatMap(({ marks }) => marks), ...functions.flatMap(({ lines }) => lines)])).toEqual([]); // prettier-ignore
  expect(marked.map(({ term, typescript }) => [term, typescript])).toEqual(plain.map(({ term, typescript }) => [term, typescript])); // prettier-ignore
});

test("the program itself is marked term by term, the outer before the inner", () => {
  const [{ parts } = { parts: [] }] = marked;
  const found = parts.flatMap((part) => part.marks.map(({ kind, start, end, at }) => [kind, part.text.slice(start, end), text.slice(at.start, at.end)])); // prettier-ignore
  expect(found.map(([, own, from]) => [own, from])).toContainEqual(["sin(z)", "sin z"]);
  for (const [, own = "", from = ""] of found) expect([own, from]).toEqual([own, expect.stringMatching(/\S/)]);
  for (const { marks } of parts)
    for (const [i, outer] of marks.entries())
      for (const inner of marks.slice(i + 1))
        expect(inner.start >= outer.end || (outer.start <= inner.start && inner.end <= outer.end)).toBe(true);
});

test("in every stage of the papers something is from each sub-term of the model", () => {
  for (const { stage, parts } of marked.filter((step) => step.stage !== "adjoint")) {
    const from = new Set(parts.flatMap(({ marks }) => marks.map(({ at }) => text.slice(at.start, at.end))));
    for (const part of ["x * y", "z * sin z", "sin z"]) expect([stage, from.has(part)]).toEqual([stage, true]);
    for (const part of parts)
      for (const { start, end } of part.marks) expect([stage, part.text.slice(start, end)]).toEqual([stage, expect.stringMatching(/^\S(?:[^]*\S)?$/)]); // prettier-ignore
  }
});

test("each line of a function that is from the model has its place, or none", () => {
  for (const { stage, functions } of marked) {
    const mapped = functions.filter(({ lines }) => lines.length > 0);
    expect([stage, mapped.length > 0]).toEqual([stage, true]);
    for (const { name, text: code, lines } of mapped)
      expect([stage, name, lines.length]).toEqual([stage, name, code.split("\n").length]);
  }
  const adjoint = marked.find(({ stage }) => stage === "adjoint")?.functions ?? [];
  const sines = adjoint.flatMap(({ text: code, lines }) => code.split("\n").flatMap((line, i) => (line.includes("Math.sin(") ? [lines[i]] : []))); // prettier-ignore
  expect(sines.length).toBeGreaterThan(0);
  for (const at of sines) expect(text.slice(at?.start, at?.end)).toContain("sin z");
});
