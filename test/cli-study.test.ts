// What a student asks of a model: how costs grow (`cost --over`), and what one run does (`steps --at`).

import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { Folder } from "./command-line.js";

const model = `def power (n : Z) (x : R) : R = if n == 0 then x else let y = power (n - 1) x in y + y
def pairs (xs : [R]) : R = sum (map (\\x. sum (map (\\y. x * y) xs)) xs)
def f (x : R) (y : R) : R = let z = x + y in x * z
def both (x : R) : (R, R) = (2 * x, 3.0)
def many (xs : [R]) : R = sum (map exp xs)
`;

describe("costs over sizes, and runs step by step", () => {
  const folders: Folder[] = [];
  const folder = (): Folder => {
    const made = new Folder({ "m.lam": model });
    folders.push(made);
    return made;
  };
  afterEach(() => {
    for (const used of folders.splice(0)) used.remove();
  });
  const failure = async (...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await folder().run(args);
    expect([code, out]).toEqual([2, ""]);
    return err;
  };

  test("cost explains its columns", async () => {
    const at = folder();
    const { out } = await at.run(["cost", "m.lam", "f", '{"x": 3, "y": 4}']);
    expect(out).toMatch(/^backprop\. {2,}calls of backpropagators/m);
    expect((await at.run(["cost", "--help"])).out).toContain("zeros and sums of cotangents");
    const short = await at.run(["cost", "m.lam", "f", '{"x": 3, "y": 4}', "--no-legend"]);
    expect(out.startsWith(short.out)).toBe(true);
    expect(short.out).not.toContain("calls of backpropagators");
  });

  test("cost --over fits growth, and draws", async () => {
    const at = folder();
    const args = ["cost", "m.lam", "power", '{"n": 1, "x": 2}', "--over", "n=1,2,4,8,12,16", "--svg", "power.svg"];
    const { code, out, err } = await at.run(args);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^c +d1 .* 524348 +exponential$/m);
    expect(out.match(/^[a-j] .* linear$/gm)).toHaveLength(9);
    expect(out).toContain("work over n, both axes logarithmic\n524348 |");
    const picture = readFileSync(at.at("power.svg"), "utf8");
    expect(picture).toContain("d1: exponential");
    expect(picture.match(/<polyline/g)).toHaveLength(10);
    const pairs = await at.run(["cost", "m.lam", "pairs", '{"xs": [1, 2]}', "--over", "xs=1,2,4,8,16", "--json"]);
    expect(JSON.parse(pairs.out)).toContainEqual(expect.objectContaining({ stage: "tape", growth: "quadratic" }));
    const few = await at.run(["cost", "m.lam", "pairs", '{"xs": [1, 2]}', "--over", "xs=1,2,4"]);
    expect(few.out).toContain("not enough sizes");
  });

  test("cost --over says what it cannot do", async () => {
    const over = (...more: readonly string[]) => failure("cost", "m.lam", "power", '{"n": 1, "x": 2}', ...more);
    expect(await over("--over", "n=1,b")).toContain("it is written n=1,2,4");
    expect(await over("--over", "n")).toContain("it is written n=1,2,4");
    expect(await over("--over", "m=1,2")).toBe("error: --over m: the arguments have no m\n");
    expect(await over("--svg", "a.svg")).toContain("it needs --over");
    expect(await failure("cost", "m.lam", "pairs", '{"xs": []}', "--over", "xs=1,2")).toContain(
      "nor an array with elements",
    );
  });

  test("steps --at tells one run, with IDs, staged calls and what is resolved", async () => {
    const at = folder();
    const args = ["steps", "m.lam", "--entry", "f", "--at", '{"x": 3, "y": 4}', "--svg", "f.svg"];
    const { code, out } = await at.run(args);
    expect([code, out]).toEqual([
      0,
      `== f: 2 inputs, 2 operations on reals that depend on them

Forward: each real gets the next ID, and a staged call for each operand, by its partial derivative

  #0  x = 3
  #1  y = 4
  #2  z = x + y = 7  SCall #0 by 1, SCall #1 by 1
  #3  x * z = 21     SCall #0 by 7, SCall #2 by 3

Start: #3 gets 1

Resolve, from the highest ID down: each ID has the sum of what has come when its turn comes

  #3  has 1  #0 gets 1 * 7 = 7, #2 gets 1 * 3 = 3
  #2  has 3  #0 gets 3 * 1 = 3, #1 gets 3 * 1 = 3

Gradient: what has come to the inputs

  #0  x  10
  #1  y  3
`,
    ]);
    const picture = readFileSync(at.at("f.svg"), "utf8");
    expect(picture.match(/<rect/g)).toHaveLength(4);
    expect(picture.match(/class="call"/g)).toHaveLength(4);
    const both = await at.run(["steps", "m.lam", "--entry", "both", "--at", '{"x": 1}', "--cotangent", "[1, 1]"]);
    expect(both.out).toContain("#0  x  2");
  });

  test("steps --at says what it cannot do", async () => {
    expect(await failure("steps", "m.lam", "--at", '{"x": 1}')).toContain("name it with --entry");
    expect(await failure("steps", "m.lam", "--entry", "f", "--svg", "f.svg")).toContain("they need --at");
    expect(await failure("steps", "m.lam", "--entry", "f", "--at", "{}", "--from", "d1")).toContain(
      "--from does not go",
    );
    const xs = JSON.stringify({ xs: Array.from({ length: 60 }, () => 1) });
    expect(await failure("steps", "m.lam", "--entry", "many", "--at", xs, "--svg", "many.svg")).toContain(
      "--svg draws up to 80 dual numbers: this run has 180",
    );
    const { code, err } = await folder().run(["steps", "m.lam", "--entry", "both", "--at", '{"x": 1}']);
    expect([code, err]).toEqual([1, expect.stringContaining("say which, with --cotangent")]);
  });
});
