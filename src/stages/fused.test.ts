// KR22 §8.7: a fused definition is one operation in the reverse stages of the papers.

import { describe, expect, test } from "vitest";
import { Passes } from "../driver/passes.js";
import { exportOf, functionOf, loadModule, propertyOf } from "../driver/evaluate.js";
import { transform } from "../driver/pipeline.js";
import { printTargetProgram } from "../target-calculus/print.js";
import { printModule } from "../typescript/print-module.js";
import { Model } from "../../test/support/model.js";
import { notationOf, stageNamed } from "./index.js";
import type { StageName } from "./stage.js";

const bodies = {
  "x * sin x": { type: "(x : R) : R", body: "x * sin x", args: [2] },
  "a bigger body": {
    type: "(x : R) (y : R) : R",
    body: "let z = exp (x * y) - tanh (x / y) in if z > 0 then z * sqrt z + x else log (1 + z * z)",
    args: [0.7, 1.3],
  },
  recursion: {
    type: "(x : R) (y : R) : R",
    body: "let rec go (n : Z) (acc : R) : R = if n == 0 then acc else go (n - 1) (acc * x + sin y) in go 100 1",
    args: [0.7, 1.3],
  },
} as const;

type Body = (typeof bodies)[keyof typeof bodies];

/** A call of f on operations, with and without `fused`. */
function modelOf({ type, body }: Body, isFused: boolean): Model {
  const names = [...type.matchAll(/\((\w) : R\)/g)].map(([, name]) => name);
  const text = `${isFused ? "fused " : ""}def f ${type} = ${body}\n\ndef loss ${type} = f ${names.map((name) => `(2 * ${name})`).join(" ")}`; // prettier-ignore
  return new Model({ name: "m.lam", text }, ["loss"]);
}

function loaded(model: Model, stage: StageName, exported: string): (...args: readonly number[]) => unknown {
  return exportOf(loadModule(`${printModule(model.emit(stage), "js")}\n${exported}`), "counted");
}

/** The cells of the tape, but for cell 0. */
function cells(model: Model, args: readonly number[]): unknown {
  return loaded(model, "tape", "export function counted(...args) { lossVjp(...args); return size - 1; }")(...args);
}

/** The bindings of `deltaLet`. */
function bindings(model: Model, args: readonly number[]): number {
  const all = "export function counted(...args) { lossVjp(...args); return deltaBinds; }";
  let count = 0;
  for (let bind = loaded(model, "delta-let", all)(...args); bind !== null; bind = propertyOf(bind, "older")) count += 1;
  return count;
}

describe("nodes", () => {
  // An input, and its product with 2, for each number
  test.each(Object.entries(bodies))("of %s: one", (_, body) => {
    const { args } = body;
    expect(cells(modelOf(body, true), args)).toBe(2 * args.length + 1);
    expect(bindings(modelOf(body, true), args)).toBe(args.length + 1);
  });

  test("without `fused` one for each operation", () => {
    const counted = Object.values(bodies).map((body) => [
      cells(modelOf(body, false), body.args),
      bindings(modelOf(body, false), body.args),
    ]);
    expect(counted).toEqual([
      [4, 3],
      [12, 10],
      [305, 302],
    ]);
  });

  test("of three numbers two cells of the tape, which hold two contributions each", () => {
    const model = new Model({ name: "m.lam", text: "fused def loss (x : R) (y : R) (z : R) : R = x * y * z + x * z" });
    expect(cells(model, [1, 2, 3])).toBe(5);
    expect(bindings(model, [1, 2, 3])).toBe(1);
  });
});

test.each(["primal", "tape", "delta-let", "adjoint"] as const)("values in %s have the same bits", (stage) => {
  for (const body of Object.values(bodies)) {
    const [fused, plain] = [true, false].map((isFused) => {
      const name = stage === "primal" ? "loss" : "lossVjp";
      const module = loadModule(printModule(modelOf(body, isFused).emit(stage), "js"));
      const given: unknown = functionOf(exportOf(module, name))(...body.args);
      return stage === "primal" ? given : propertyOf(given, "value");
    });
    expect(fused).toBe(plain);
  }
});

describe("the rule", () => {
  const printed = (stage: StageName): string => {
    const text = `
fused def f (x : R) : R = x * sin x
def g (x : R) (y : R) : R = f x + f y`;
    const { data, definitions } = transform(new Model({ name: "m.lam", text }, ["g"]).core, stageNamed(stage), new Passes(null)); // prettier-ignore
    const own = definitions.filter(({ name }) => name !== "g");
    return printTargetProgram({ data, definitions: own, wrappers: [] }, notationOf(stageNamed(stage)));
  };

  test("d1", () => {
    expect(printed("d1")).toMatchInlineSnapshot(`
      "D1[R] = (R, _R -o c)

      fPartials(x : R) : (R, R) =
        let part : R = sin(x) in
        let part1 : R = cos(x) in
        let part2 : R = x * part in
        let part3 : R = scale(part1, x) + part in
        (part2, part3)

      f(x : D1[R]) : D1[R] =
        let (x1, dx1) = x in
        let (y, p) = fPartials(x1) in
        (y, \\_(z : R). dx1 scale(z, p))
      "
    `);
  });

  test("d2", () => {
    expect(printed("d2")).toMatchInlineSnapshot(`
      "D2[R] = (R, (Z, _R -o Staged c))

      fPartials(x : R) : (R, R) =
        let part : R = sin(x) in
        let part1 : R = cos(x) in
        let part2 : R = x * part in
        let part3 : R = scale(part1, x) + part in
        (part2, part3)

      f(x : D2[R]) : Z -> (D2[R], Z) =
        \\i.
          let (x1, dx1) = x in
          let (y, p) = fPartials(x1) in
          ((y, (i, \\_(z : R). SCall(dx1, scale(z, p)))), i + 1)
      "
    `);
  });

  test("delta-let", () => {
    expect(printed("delta-let")).toMatchInlineSnapshot(`
      "D[R] = (R, Delta)

      fPartials(x : R) : (R, R) =
        let part : R = sin(x) in
        let part1 : R = cos(x) in
        let part2 : R = x * part in
        let part3 : R = scale(part1, x) + part in
        (part2, part3)

      f(x : D[R]) : M D[R] =
        let (x1, dx1) = x in
        let (y, p) = fPartials(x1) in
        do i : Z <- deltaLet(Scale(p, dx1));
        return (y, Var(i))
      "
    `);
  });

  test("contrib", () => {
    expect(printed("contrib")).toMatchInlineSnapshot(`
      "D[R] = (R, (Z, Contrib))

      fPartials(x : R) : (R, R) =
        let part : R = sin(x) in
        let part1 : R = cos(x) in
        let part2 : R = x * part in
        let part3 : R = scale(part1, x) + part in
        (part2, part3)

      f(x : D[R]) : Z -> (D[R], Z) =
        \\i.
          let (x1, dx1) = x in
          let (y, p) = fPartials(x1) in
          ((y, (i, contributions((p, dx1)))), i + 1)
      "
    `);
  });

  test("tape", () => {
    expect(printed("tape")).toMatchInlineSnapshot(`
      "D[R] = Node

      fPartials(x : R) : (R, R) =
        let part : R = sin(x) in
        let part1 : R = cos(x) in
        let part2 : R = x * part in
        let part3 : R = scale(part1, x) + part in
        (part2, part3)

      f(x : D[R]) : M D[R] =
        let x1 : R = value(x) in
        let (y, p) = fPartials(x1) in
        push1(y, p, x)
      "
    `);
  });

  test.each(["primal", "forward"] as const)("%s has its text", (stage) => {
    expect(printed(stage)).not.toContain("Partials");
  });
});

test("what partial derivatives are computed by is copied where it is transformed, too", () => {
  const text = `
def power (n : Z) : R = if n == 0 then 1 else 2 * power (n - 1)
def square (x : R) : R = if x > 0 then x * x else square (0 - x)
fused def f (x : R) (n : Z) : R = square x * power n
def g (x : R) (n : Z) : R = f x n * power n`;
  const { definitions } = transform(new Model({ name: "m.lam", text }, ["g"]).core, stageNamed("tape"), new Passes(null)); // prettier-ignore
  expect(definitions.map(({ name }) => name).sort()).toEqual([
    "f",
    "fPartials",
    "g",
    "power",
    "powerPlain",
    "squareDual",
  ]);
});
