// Recursion beyond the JavaScript stack, through the emitted text.

import { execFileSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { emitSource, load } from "../../../test/support/emit-program.js";
import { typeErrors, withoutTypes } from "../../../test/support/typecheck.js";

const source = `
def upto (n : Z) (acc : List R) : List R = if n == 0 then acc else upto (n - 1) (Cons (toReal n) acc)

def sum' (xs : List R) : R = case xs of { Nil -> 0; Cons x rest -> x + sum' rest }
def direct (n : Z) : R = sum' (upto n Nil)

def up (n : Z) : R = if n == 0 then 0 else 1 + down (n - 1)
def down (n : Z) : R = if n == 0 then 0 else 2 + up (n - 1)

def even (n : Z) : Bool = if n == 0 then true else odd (n - 1)
def odd (n : Z) : Bool = if n == 0 then false else even (n - 1)

def sumK (xs : List R) (k : R -> R) : R = case xs of { Nil -> k 0; Cons x rest -> sumK rest (\\s. k (x + s)) }
def continuations (n : Z) : R = sumK (upto n Nil) (\\x. x)

data Fun = Fun (R -> R)
def compose (n : Z) (f : Fun) : Fun =
  if n == 0 then f else case f of { Fun g -> compose (n - 1) (Fun (\\x. 1 + g x)) }
def closures (n : Z) : R = case compose n (Fun (\\y. y)) of { Fun g -> g 0.5 }

def apply' (f : R -> R) (n : Z) : R = if n == 0 then 0 else f (toReal n) + apply' f (n - 1)
def inside (n : Z) : R = apply' (\\y. sum' (upto 20 Nil) - 209 * y / y) n

def local (n : Z) : R = let k = 2.5 in let rec go m = if m == 0 then k else go (m - 1) + k in go n

def join (n : Z) : R =
  if n == 0 then 1 else
  let a = (if n > 5 then join (n - 1) else 2.0) in
  case inl a of { inl x -> x + 1; inr y -> join 0 + y }

def boxes (n : Z) : (R, Bool) = if n == 0 then (0, false) else let (r, b) = boxes (n - 1) in (r + 1, if b then false else true)

def failing (n : Z) : Z = if n == 0 then div 1 0 else 1 + failing (n - 1)
`;

type Functions = Awaited<ReturnType<typeof load>>;

const million = 1_000_000;

describe.each(["primal", "forward"] as const)("%s", (stage) => {
  const { text } = emitSource(source, { stage });
  let module: Functions;
  beforeAll(async () => {
    module = await load(text);
  });
  const run = (name: string, ...args: readonly unknown[]): unknown => {
    const value = module[name]?.(...args, 0);
    return stage === "forward" && Array.isArray(value) ? value[0] : value;
  };

  it("compiles under the strict settings", () => {
    expect(typeErrors(text)).toEqual([]);
  });

  it.each([
    ["direct", (million * (million + 1)) / 2],
    ["up", 1.5 * million],
    ["continuations", (million * (million + 1)) / 2],
    ["closures", million + 0.5],
    ["inside", million],
    ["local", 2.5 * (million + 1)],
    ["join", million - 5 + 3],
  ])("%s runs a million deep", (name, expected) => {
    expect(run(name, million)).toBe(expected);
  });

  it("makes tail calls between functions", () => {
    expect(run("even", million + 1)).toBe(false);
  });

  it("goes on after an error far down", () => {
    expect(() => run("failing", million)).toThrow("failing (model.lam");
    expect(run("direct", 100_000)).toBe(5_000_050_000);
  });
});

it("passes values of other types than its own result", async () => {
  const module = await load(emitSource(source).text);
  expect(module["boxes"]?.(million + 1, 0)).toEqual([million + 1, true]);
});

it("fits the default stack in every tier, also under a caller that has used a good part of it", () => {
  const text = withoutTypes(emitSource(source).text);
  const script = `${text}
    function below(frames) { return frames === 0 ? direct(30000) + closures(30000) + inside(30000) + up(30000, 0) : below(frames - 1); }
    for (let round = 0; round < 3; round++) below(3000);
    console.log(below(3000));`;
  // Newer engines have no option that optimises everything at once
  const isNew = Number.parseInt(process.versions.v8) >= 14;
  const optimised = isNew ? "--invocation-count-for-turbofan=1" : "--always-turbofan";
  for (const flags of [[], ["--no-opt", "--no-sparkplug"], ["--always-sparkplug"], [optimised]]) {
    const output = execFileSync(process.execPath, [...flags, "--input-type=module", "-e", script], {
      encoding: "utf8",
    });
    expect(output.trim()).toBe(String(450_015_000 + 30_000.5 + 30_000 + 45_000));
  }
});

it("leaves functions that do not recurse as they are", () => {
  const { own } = emitSource(`
    def square (x : R) : R = x * x
    def loop (n : Z) (x : R) : R = if n == 0 then x else loop (n - 1) (square x)
  `);
  expect(own).not.toMatch(/depth|Deep/);
});

it("keeps the tape million deep too", async () => {
  const module = await load(emitSource(source, { stage: "tape" }).text);
  const result = module["localReverse"]?.(million, 0);
  expect(Array.isArray(result) ? result[0] : result).toBe(2.5 * (million + 1));
});
