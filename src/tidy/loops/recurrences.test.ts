import { expect, test } from "vitest";
import { afterPass } from "../../../test/support/tidied.js";
import { nameOf } from "../../typescript/called.js";
import { withShortRecurrences } from "./recurrences.js";

const carried: ReadonlySet<string> = new Set(["x_", "y_", "r_"]);

type Pass = Parameters<typeof afterPass>[1];

const short: Pass = (fn, bindings) =>
  withShortRecurrences(fn, bindings, (name) => name.includes("#") && carried.has(nameOf(bindings.wanted(name))));

/** What a loop that carries `x_`, `y_` and `r_` does after a pass. */
const loopAfter = (body: string, pass = short): string =>
  afterPass(
    `function f(xs: Float64Array, a: number, b: number, z_: number): void {
    let x_ = 1;
    let y_ = 1;
    let r_ = 0;
    for (let i = xs.length - 1; i >= 0; i--) { ${body} }
  }`,
    pass,
  )
    .replace(/^[^]*for [^\n]*\n/, "")
    .replace(/\n {2}\}\n\}\s*$/, "")
    .replace(/^ {4}/gm, "");

test("one cotangent: the factors of its contributions are summed", () => {
  expect(loopAfter("const y = xs[i]!; const t_ = y_ * (1 - y); r_ += t_ * y; y_ = t_ * a - y_ * (a * y);"))
    .toMatchInlineSnapshot(`
      "const y = xs[i]!;
      const partial = 1 - y;
      const t_ = y_ * partial;
      r_ += t_ * y;
      y_ = y_ * (partial * a - a * y);"
    `);
});

test("a factor that has a name keeps it, and products are regrouped", () => {
  expect(loopAfter("const y = xs[i]!; const t_ = y_ * y; r_ += t_; y_ = t_ * a + y_;")).toMatchInlineSnapshot(`
    "const y = xs[i]!;
    const t_ = y_ * y;
    r_ += t_;
    y_ = y_ * (y * a + 1);"
  `);
  expect(loopAfter("y_ = a * y_ * b;")).toMatchInlineSnapshot(`"y_ = y_ * (a * b);"`);
  expect(loopAfter("y_ = -(y_ * a) * b;")).toMatchInlineSnapshot(`"y_ = -(y_ * (a * b));"`);
  expect(loopAfter("y_ = (a * y_) / b;")).toMatchInlineSnapshot(`"y_ = y_ * (a / b);"`);
});

test("several cotangents, in constants first", () => {
  expect(
    loopAfter(
      "const t_ = x_ * a; const s_ = y_ * a;" +
        "const x1_ = x_ + t_ * xs[i]! - t_ * b + s_ * b; y_ = y_ + s_ * xs[i]! - t_ * b; x_ = x1_;",
    ),
  ).toMatchInlineSnapshot(`
    "const t_ = x_ * a;
    const s_ = y_ * a;
    const x1_ = x_ * (1 + a * xs[i]! - a * b) + y_ * (a * b);
    y_ = y_ * (1 + a * xs[i]!) - x_ * (a * b);
    x_ = x1_;"
  `);
});

test("factors are computed where the products were", () => {
  expect(loopAfter("const t_ = y_ * z_; z_ += xs[i]!; r_ += t_; y_ = t_ * a + y_ * z_;")).toMatchInlineSnapshot(`
    "const partial = z_;
    const t_ = y_ * partial;
    z_ += xs[i]!;
    r_ += t_;
    y_ = y_ * (partial * a + z_);"
  `);
  expect(loopAfter("const t_ = y_ * xs[i]!; xs[i] = a; r_ += t_; y_ = t_ * a + y_ * b;")).toMatchInlineSnapshot(`
    "const partial = xs[i]!;
    const t_ = y_ * partial;
    xs[i] = a;
    r_ += t_;
    y_ = y_ * (partial * a + b);"
  `);
});

test("an iteration's next cotangent that another one has been given before", () => {
  // The second sum begins with the next x_, the constant was made with the last one
  expect(loopAfter("const t_ = x_ * a; x_ = y_ * b; y_ = t_ * b + x_ * a;")).toMatchInlineSnapshot(`
    "const t_ = x_ * a;
    x_ = y_ * b;
    y_ = t_ * b + x_ * a;"
  `);
});

test("what a cotangent does not come back to stays as it is", () => {
  expect(loopAfter("const t_ = y_ * a; r_ += t_ * b; y_ = t_;")).toMatchInlineSnapshot(`
    "const t_ = y_ * a;
    r_ += t_ * b;
    y_ = t_;"
  `);
});

test.each([
  ["the shortest form already", "y_ = y_ * a;"],
  ["not linear", "y_ = y_ * y_ * a + y_ * b;"],
  ["no cotangent", "z_ = z_ * a * b + z_ * a;"],
  ["a quotient by it", "y_ = a / y_ + y_ * a * b;"],
  ["a call, which takes longer", "y_ = y_ * Math.cos(a) * b;"],
  ["a test", "if (a > 0) y_ = y_ * a * b;"],
  ["an inner loop", "for (let j = 0; j < i; j++) r_ += a; y_ = y_ * a * b;"],
  ["set twice", "y_ = y_ * a * b; y_ = y_ * a * b;"],
])("not where it is %s", (_, body) => {
  expect(loopAfter(body)).toBe(loopAfter(body, (fn) => fn));
});
