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

const jobs = `def both (xs : [R]) : R = let (a, b) = sum xs |*| xs ! 0 * xs ! 1 in a * b
def each (xs : [R]) : R = sum (parMap (\\x. x * x) xs)
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

  test("bisect compares the passes of adjoint", async () => {
    const at = folder();
    const found = await at.run(["bisect", "m.lam", "f", '{"x": 3, "y": 4}']);
    expect([found.code, found.err]).toEqual([0, ""]);
    expect(found.out).toMatch(/^f: value and gradient are the same after each of \d+ runs of passes\n$/);
    expect((await at.run(["bisect", "m.lam", "g", "{}"])).code).toBe(1);
    expect((await at.run(["bisect", "m.lam", "f", '{"x": 3}'])).code).toBe(1);
    expect((await at.run(["bisect", "m.lam"])).code).toBe(2);
  });

  test("cost explains its columns", async () => {
    const at = folder();
    const { out } = await at.run(["cost", "m.lam", "f", '{"x": 3, "y": 4}']);
    expect(out).toMatch(/^backprop\. {2,}calls of backpropagators/m);
    expect((await at.run(["cost", "--help"])).out).toContain("zeros and sums of cotangents");
    const short = await at.run(["cost", "m.lam", "f", '{"x": 3, "y": 4}', "--no-legend"]);
    expect(out.startsWith(short.out)).toBe(true);
    expect(short.out).not.toContain("calls of backpropagators");
    expect(short.out).toMatch(/^adjoint( +\d+){7} +\d+\.\d\d$/m);
    expect(short.out).toMatch(/^adjoint: \d+ primitives, [\d.]+ times the \d+ of the value in the same module$/m);
  });

  test("cost --over fits growth, and draws", async () => {
    const at = folder();
    const args = ["cost", "m.lam", "power", '{"n": 1, "x": 2}', "--over", "n=1,2,4,8,12,16", "--svg", "power.svg"];
    const { code, out, err } = await at.run(args);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^g +d1 .* 524348 +exponential$/m);
    expect(out.match(/^[a-p] .* linear$/gm)).toHaveLength(14);
    expect(out).toContain("work over n, both axes logarithmic\n524348 |");
    const picture = readFileSync(at.at("power.svg"), "utf8");
    expect(picture).toContain("d1: exponential");
    expect(picture.match(/<polyline/g)).toHaveLength(16);
    const pairs = await at.run(["cost", "m.lam", "pairs", '{"xs": [1, 2]}', "--over", "xs=1,2,4,8,16", "--json"]);
    expect(JSON.parse(pairs.out)).toContainEqual(expect.objectContaining({ stage: "tape", growth: "quadratic" }));
    const fewArgs = ["cost", "m.lam", "f", '{"x": 1, "y": 2}', "--over", "x=1,2,4", "--svg", "few.svg"];
    expect((await at.run(fewArgs)).out).toContain("not enough sizes");
    // The counts are from 3 to 52: one power of ten, and what is between
    const few = readFileSync(at.at("few.svg"), "utf8");
    expect(Array.from(few.matchAll(/text-anchor="end">(\d+)</g), ([, tick]) => tick)).toEqual(["5", "10", "20", "50"]);
  });

  test("cost --over says what it cannot do", async () => {
    const over = (...more: readonly string[]) => failure("cost", "m.lam", "power", '{"n": 1, "x": 2}', ...more);
    expect(await over("--over", "n=1,b")).toContain("it is written n=1,2,4");
    expect(await over("--over", "n")).toContain("it is written n=1,2,4");
    expect(await over("--over", "n,=1,2")).toContain("it is written n=1,2,4");
    expect(await over("--over", "m=1,2")).toBe("error: --over m: the arguments have no m\n");
    expect(await over("--svg", "a.svg")).toContain("it needs --over");
    expect(await failure("cost", "m.lam", "pairs", '{"xs": []}', "--over", "xs=1,2")).toContain(
      "nor an array with elements",
    );
    expect(await failure("cost", "m.lam", "pairs", '{"xs": [1]}', "--over", "xs=1,999999999")).toBe(
      "error: --over xs: an array gets up to 10000000 elements, and not 999999999\n",
    );
  });

  test("cost ends where the model does not", async () => {
    const at = new Folder({ "m.lam": "def f (n : Z) (x : R) : R = f (n + 1) x\n" });
    folders.push(at);
    const { code, out } = await at.run(["cost", "m.lam", "f", '{"n": 0, "x": 1}', "--no-legend"]);
    expect([code, out]).toEqual([0, expect.stringMatching(/^primal .* stopped: too much work$/m)]);
    expect(out.split("\n")).toHaveLength(3);
  });

  test("steps --at tells one run, with IDs, staged calls and what is resolved", async () => {
    const at = folder();
    const args = ["steps", "m.lam", "--entry", "f", "--at", '{"x": 3, "y": 4}', "--svg", "f.svg"];
    const { code, out } = await at.run(args);
    expect([code, out]).toEqual([
      0,
      `== f: 2 inputs, 2 operations on reals that depend on them

Forward: each real gets the next ID, and a staged call for each operand, by its partial derivative
(what depends on no input gets none here; D2 gives it an ID whose backpropagator does nothing)

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

  test("steps --only parallel draws jobs, of long ones the first lines", async () => {
    const at = new Folder({ "jobs.lam": jobs });
    folders.push(at);
    const draw = (entry: string, n: number): ReturnType<Folder["run"]> =>
      at.run(["steps", "jobs.lam", "--only", "parallel", "--entry", entry, "--at", `{"xs": [${Array.from({ length: n }, () => 2).join(", ")}]}`, "--svg", "jobs.svg"]); // prettier-ignore
    expect((await draw("both", 200)).code).toBe(0);
    const picture = readFileSync(at.at("jobs.svg"), "utf8");
    expect(picture.match(/<rect/g)).toHaveLength(4);
    expect(picture).toContain(".. and 189 more");
    const { code, err } = await draw("each", 100);
    expect([code, err]).toEqual([2, expect.stringContaining("--svg draws up to 80 jobs: this run has more")]);
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

describe("the stages of a model", () => {
  const folders: Folder[] = [];
  afterEach(() => {
    for (const used of folders.splice(0)) used.remove();
  });
  const shown = async (text: string, ...args: readonly string[]) => {
    const at = new Folder({ "m.lam": text });
    folders.push(at);
    const finished = await at.run(["steps", "m.lam", ...args]);
    expect(finished.code).toBe(0);
    return finished;
  };
  const f = "def f = \\(x : R, y : R). let z = x + y in x * z\n";

  test("explain their notation once, with the interface of the figure and what departs from it", async () => {
    const { out } = await shown(f);
    expect(out.match(/^d1_\(\*\)\(x, y\)\(z\) {2}z times the partial derivative/gm)).toHaveLength(1);
    expect(out).toContain("SCall (i, f) x = (0c, {i -> (f, x)})");
    expect(out).toMatch(/^function sResolve\(staged: Staged\): Sparse \{/m);
    expect(out.match(/Redexes that the rules make/g)).toHaveLength(1);
    expect(out).not.toContain("push1(..)");
    const bare = await shown(f, "--no-legend", "--no-typescript", "--no-wrap");
    expect(bare.out).not.toMatch(/^function \w+\(.*[{,]$|^Wrap|-- Notation|Departs/m);
    expect(bare.out.split("\n").length).toBeLessThan(380);
  });

  test("have the Wrap of the figure: IDs from 0, one result, names that belong together", async () => {
    const { out } = await shown(f, "--only", "D2", "--no-typescript", "--no-legend");
    expect(out).toContain(`Wrap[f](pair : (R, R)) : (R, _R -o (R, R)) =
  let zero : (R, R) = zeroOf(pair) in
  let dpair : (0 | (R, R)) -o Staged c = \\_(z : 0 | (R, R)). SCotan(z) in
  let i = 0 in
  let x : D2[R] = (fst pair, (i, \\_(z1 : R). dpair (z1, 0))) in
  let i1 = i + 1 in
  let x1 : D2[R] = (snd pair, (i1, \\_(z2 : R). dpair (0, z2))) in
  let pair1 : (D2[R], D2[R]) = (x, x1) in
  let y : D2[R] = fst (f(pair1) (i1 + 1)) in
  let y1 : R = fst y in
  let dy1 : _R -o Staged c = snd (snd y) in
  (y1, \\_(z3 : R). fill(zero, SResolve(dy1 z3)))
`);
    expect(out).toContain("  \\i.\n    let x : D2[R] = fst pair in");
  });

  test("are written as the paper does where the model is", async () => {
    const { out } = await shown("def f (x : ℝ) : ℝ = x * x\n", "--only", "d1", "--no-typescript");
    expect(out).toContain("(x1 * x2, λ̲(z : ℝ). dx1 (∂₁(*)(x1, x2)(z)) +c dx2 (∂₂(*)(x1, x2)(z)))");
    const ascii = await shown("def f (x : ℝ) : ℝ = x * x\n", "--only", "d1", "--no-typescript", "--no-unicode");
    expect(ascii.out).toContain("\\_(z : R). dx1 (d1_(*)(x1, x2)(z))");
  });

  test("are of one definition, name what has not changed, and go by --wrt", async () => {
    const two =
      "def g (n : Z) : Z = n + 1\ndef h (x : R) : R = x\ndef f (x : R) (y : R) (n : Z) : R = x * y * toReal (g n)\n";
    const { out, err } = await shown(two, "--from", "d1");
    expect(err).toBe("note: this is f, with what it uses; --entry shows others: g, h\n");
    expect(out).not.toContain("Wrap[h]");
    const maps = await shown(two, "--from", "d3", "--to", "d3-map", "--no-legend");
    expect(maps.out).toMatch(/^As above: D3\[R\]|^As above: .*f/m);
    const deep =
      "def a (x : R) : R = if x > 9 then x else a (x * x)\ndef b (x : R) : R = a x + 1\ndef c (x : R) : R = b x * 2\n";
    const near = await shown(deep, "--only", "d1", "--no-legend");
    expect(near.out).toContain("Called from these, and shown by --all: a\n");
    expect(near.out).not.toMatch(/^a\(|^function aD1\(/m);
    expect((await shown(deep, "--only", "d1", "--no-legend", "--all")).out).toMatch(/^a\([^]*^function aD1\(/m);
    const wrt = await shown(two, "--only", "adjoint", "--wrt", "f.y", "--no-legend");
    expect(wrt.out).toContain("readonly grad: { readonly y: number }");
  });
});
