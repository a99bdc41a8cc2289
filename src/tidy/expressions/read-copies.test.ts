import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withoutReadCopies, withoutReturnedCopies } from "./read-copies.js";

const after = (text: string): string => afterPass(text, (fn) => withoutReadCopies(fn, surroundings));

test("what is filled from an array, and read", () => {
  expect(
    after(`function f(given: Float64Array): (x: Float64Array) => number {
      return (x) => {
        const y = x.slice();
        const y_ = new Float64Array(3);
        y_.set(y);
        return y_[0]! + y_.length;
      };
    }`),
  ).toMatchInlineSnapshot(`
    "function f(given: Float64Array): (x: Float64Array) => number {
      return (x) => {
        const y = x.slice();
        return y[0]! + y.length;
      };
    }
    "
  `);
});

test("a value that is kept for how long it is, and given away as a copy", () => {
  expect(
    after(`function f(n: number): Result {
      const y = new Float64Array(n);
      for (let i = 0; i < n; i++) y[i] = i;
      const kept = y.slice();
      return {
        value: kept.slice(),
        pullback: (cotangent) => {
          const given = acceptNumbersLike(cotangent, "f: cotangent", kept);
          const y_ = new Float64Array(n);
          y_.set(given);
          return { n: y_[0]! * y[1]! };
        },
      };
    }`),
  ).toMatchInlineSnapshot(`
    "function f(n: number): Result {
      const y = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        y[i] = i;
      }
      return {
        value: y.slice(),
        pullback: (cotangent) => {
          const given = acceptNumbersLike(cotangent, "f: cotangent", y);
          return { n: given[0]! * y[1]! };
        },
      };
    }
    "
  `);
});

test("not where the array changes later, or where either may be changed elsewhere", () => {
  const isKept = (text: string): boolean =>
    after(`function f(n: number): unknown { const y = new Float64Array(n); ${text} }`).includes("slice");
  expect(isKept("const x = y.slice(); return x[0]!;")).toBe(false);
  expect(isKept("const x = y.slice(); y[0] = 1; return x[0]!;")).toBe(true);
  expect(isKept("const x = y.slice(); return () => { y[0]! += 1; return x[0]!; };")).toBe(true);
  expect(isKept("const g = () => { y[0]! += 1; }; const x = y.slice(); g(); return x[0]!;")).toBe(true);
  expect(isKept("const x = y.slice(); y.set(x); return x[0]!;")).toBe(true);
  expect(isKept("const x = y.slice(); x[0] = 1; return y[0]!;")).toBe(true);
  expect(isKept("const x = y.slice(); return x;")).toBe(true);
  expect(isKept("const x = y.slice(); return [y, x[0]!];")).toBe(true);
  expect(isKept("const x = y.slice(); change(y); return x[0]!;")).toBe(true);
});

test("a copy that is copied at once, and of which the length alone is asked for later", () => {
  const isKept = (result: string, back = "return acceptNumbersLike(c, s, kept);"): boolean =>
    after(`function f(n: number, xs: Float64Array): unknown {
      let y: Float64Array;
      if (n > 1) { y = xs; } else { y = new Float64Array(n); }
      const kept = y.slice();
      return ${result.replace("BACK", `(c) => { ${back} }`)};
    }`).includes("kept");
  expect(isKept("{ value: kept.slice(), pullback: BACK }")).toBe(false);
  expect(isKept("{ value: kept.slice(), pullback: BACK }", "return kept.length + y[0]!;")).toBe(false);
  expect(isKept("{ value: kept.slice(), pullback: BACK }", "return kept[0]!;")).toBe(true);
  expect(isKept("{ value: kept.slice(), pullback: BACK }", "y = xs; return kept.length;")).toBe(true);
  expect(isKept("{ other: change(y), value: kept.slice(), pullback: BACK }")).toBe(true);
  expect(isKept("{ value: kept, pullback: BACK }")).toBe(true);
});

test("an array of its own is returned as it is, where nobody else looks at it later", () => {
  const returned = (text: string): string => afterPass(text, (fn) => withoutReturnedCopies(fn, surroundings));
  const made = (end: string): string => `function f(n: number): Result {
    const y = new Float64Array(n);
    for (let i = 0; i < n; i++) y[i] = i;
    ${end}
  }`; // prettier-ignore
  expect(returned(made("return { value: y.slice() };"))).toContain("{ value: y }");
  expect(returned(made("return { value: y.slice(), other: y.slice() };"))).toContain("y.slice(), other: y.slice()");
  expect(returned(made("return { value: y.slice(), first: () => y[0]! };"))).toContain("value: y.slice()");
  expect(returned(made("return { value: y.slice(), size: () => y.length };"))).toContain("value: y.slice()");
  expect(returned(made("keep(y); return { value: y.slice() };"))).toContain("value: y.slice()");
});
