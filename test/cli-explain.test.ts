// `dualrev grad --explain-nan`: which operation makes something that is not finite.

import { afterEach, describe, expect, test } from "vitest";
import { Folder } from "./command-line.js";

const model = `def entropy (ps : [R]) : R = 0 - sum (map (\\p. p * log p) ps)
def ratio (x : R) : R = sqrt (x * x) / x
def root (x : R) : R = if x > 1 then exp x else sqrt x
def level (xs : [R]) : R = log (mean xs)
def safe (x : R) : R = let y = exp (x * 1000) in 1 / (1 + y)
def both (x : R) : (R, R) = (x, sqrt x)
def product (x : R) (y : R) : R = (x * 1e200) * (y * 1e200)
def deep (n : Z) (x : R) : R = if n == 0 then sqrt x else x + deep (n - 1) x
`;

describe("--explain-nan", () => {
  const folders: Folder[] = [];
  afterEach(() => {
    for (const used of folders.splice(0)) used.remove();
  });
  const explained = async (entry: string, args: object, ...more: readonly string[]): Promise<readonly string[]> => {
    const at = new Folder({ "m.lam": model });
    folders.push(at);
    const { code, out, err } = await at.run(["grad", "m.lam", entry, JSON.stringify(args), "--explain-nan", ...more]);
    expect(code).toBe(0);
    expect(out).toContain('"value"');
    // Titles, and what stands under the places
    return err.split("\n").flatMap((line) => /^warning.*|^all .*|\^+ .*|--> .*/.exec(line)?.[0] ?? []);
  };

  test("names the operation whose value is not finite, also one of the prelude", async () => {
    expect(await explained("entropy", { ps: [0.5, 0] })).toEqual([
      "warning[W0601]: the first value that is NaN is that of `*`",
      "--> m.lam:1:50",
      "^ 0 * -Infinity = NaN",
      "warning[W0602]: the first partial derivative that is not finite is that of `*`",
      "--> m.lam:1:50",
      "^ 0 * -Infinity = NaN: the partial derivative in operand 1 at 0 is -Infinity (cotangent -1)",
      "warning[W0601]: the first value that is not finite is that of `log`",
      "--> m.lam:1:52",
      "^^^ log 0 = -Infinity",
    ]);
    expect(await explained("ratio", { x: 0 })).toEqual([
      "warning[W0601]: the first value that is not finite is that of `/`",
      "--> m.lam:2:38",
      "^ 0 / 0 = NaN",
      "warning[W0602]: the first partial derivative that is not finite is that of `/`",
      "--> m.lam:2:38",
      "^ 0 / 0 = NaN: the partial derivative in operand 1 at 0 is Infinity (cotangent 1)",
    ]);
    expect((await explained("level", { xs: [] }))[1]).toMatch(/^--> <prelude>:\d+:\d+$/);
    expect(await explained("safe", { x: 1 })).toContain("^^^ exp 1000 = Infinity");
  });

  test("names the operation whose partial derivative is not finite, for each number of the result", async () => {
    const root = [
      "warning[W0602]: the first partial derivative that is not finite is that of `sqrt`",
      "^^^^ sqrt 0 = 0: the partial derivative at 0 is Infinity (cotangent 1)",
    ];
    expect(await explained("root", { x: 0 })).toEqual([root[0], "--> m.lam:3:49", root[1]]);
    expect(await explained("both", { x: 0 })).toEqual([root[0], "--> m.lam:6:33", root[1]]);
    expect(await explained("both", { x: 0 }, "--cotangent", "[1, 0]")).toEqual([
      "all values and cotangents on the way are finite",
    ]);
    expect(await explained("product", { x: 1e-300, y: 1 })).toEqual([
      "warning[W0602]: the first cotangent that is not finite comes from `*`",
      "--> m.lam:7:38",
      "^ 1e-300 * 1e+200 = 1e-100: the partial derivative in operand 1 at 1e-300 is 1e+200 (cotangent 1e+200)",
    ]);
  });

  test("says where a run is too long or too deep to be followed", async () => {
    const at = new Folder({ "m.lam": model });
    folders.push(at);
    const args = '{"n": 100000, "x": 1}';
    const { code, err } = await at.run(["grad", "m.lam", "deep", args, "--explain-nan"]);
    expect([code, err]).toEqual([1, expect.stringContaining("`deep` cannot be followed operation by operation")]);
  });
});

describe("debug", () => {
  const text = `def step (x : R) : R = debug "step" (x * 2)
def f (x : R) (xs : [R]) : R =
  let y = debug "y" (sin x) in
  y * step x + sum (map (debug "item") xs) + debug "whole" (sum xs)
def bad (xs : [R]) : R = debug "first" (xs ! 0) + xs ! 7
def pair (x : R) : (R, Bool) = debug "pair" (x * x, x > 0)
`;
  const folders: Folder[] = [];
  afterEach(() => {
    for (const used of folders.splice(0)) used.remove();
  });
  const run = async (...args: readonly string[]) => {
    const at = new Folder({ "m.lam": text });
    folders.push(at);
    return at.run(args);
  };

  test("shows values and derivatives, in the order in which they are known", async () => {
    const { code, out, err } = await run("grad", "m.lam", "f", '{"x": 1, "xs": [1, 2]}');
    expect([code, out]).toEqual([
      0,
      '{ "value": 7.6829419696157935, "grad": { "x": 2.7635465813520725, "xs": [2, 2] } }\n',
    ]);
    expect(err.split("\n")).toEqual([
      'debug m.lam:3:11 "y": 0.841471',
      'debug m.lam:1:24 "step": 2',
      'debug m.lam:4:25 "item": 1',
      'debug m.lam:4:25 "item": 2',
      'debug m.lam:4:46 "whole": 3',
      'debug m.lam:4:46 "whole", derivative: 1',
      'debug m.lam:4:25 "item", derivative: 2',
      'debug m.lam:4:25 "item", derivative: 2',
      'debug m.lam:1:24 "step", derivative: 0.841471',
      'debug m.lam:3:11 "y", derivative: 2',
      "",
    ]);
    const pair = await run("grad", "m.lam", "pair", '{"x": 3}', "--cotangent", "[2, true]");
    expect(pair.err).toBe('debug m.lam:6:32 "pair": [9, true]\ndebug m.lam:6:32 "pair", derivative: [2, true]\n');
  });

  test("shows what a run has come to that fails, and nothing in emitted modules", async () => {
    const { code, err } = await run("run", "m.lam", "bad", '{"xs": [1, 2]}');
    expect(code).toBe(1);
    expect(err).toMatch(/^debug m\.lam:5:26 "first": 1\nerror\[E0601\]/);
    const { out } = await run("compile", "m.lam", "--entry", "f", "--with", "grad");
    expect(out).not.toMatch(/debug|step/);
  });
});
