// Recursion that takes elements off an array: adjoint code counts it and copies nothing, fails where the program does, and agrees with the tape.

import { expect, test } from "vitest";
import { compile, grad, load } from "../src/index.js";

const lists = [
  { x: 0.5, m: [], v: [] },
  { x: 0.5, m: [[]], v: [2] },
  { x: 0.5, m: [[1, 2], [3]], v: [2, 3] },
  { x: 0.5, m: [[3, 1, 2], [1, 4, 1], [2, 0.5, 5]], v: [2, 3, 4] }, // prettier-ignore
];

function outcome(text: string, args: Readonly<Record<string, unknown>>, stage: "adjoint" | "tape"): unknown {
  const result = grad({ name: "m.lam", text }, "f", args, { stage });
  // Of two errors of an iteration the stages may tell the one or the other
  return result.ok ? result.value : "an error";
}

const recursion = (of: string, type: string, test: string, end: string, first: string, rest: string): string =>
  `def go (v : ${type}) (x : R) : R = if ${test} then ${end} else ${first} + x * go (${rest}) x
def f (m : [[R]]) (v : [R]) (x : R) : R = go ${of} x
`;

test.each([
  ["v", "[R]", "length v == 0", "x", "v ! 0", "slice 1 (length v) v"],
  ["v", "[R]", "0 >= length v", "x", "v ! (length v - 1)", "slice 0 (length v - 1) v"],
  ["v", "[R]", "length v == 1", "v ! 0", "v ! 0", "slice 1 (length v) v"],
  ["v", "[R]", "length v == 1", "v ! 0", "v ! (length v - 1)", "build (length v - 1) (\\i. v ! i * v ! (i + 1))"],
  ["m", "[[R]]", "length v < 1", "x", "sum (v ! 0)", "map (map sin) (slice 1 (length v) v)"],
  ["m", "[[R]]", "length v == 1", "v ! 0 ! 0", "v ! 0 ! 0", "map (\\r. slice 1 (length r) r) (slice 1 (length v) v)"],
  ["m", "[[R]]", "length v <= 1", "sum (map sum v)", "sum (v ! 0)", "slice 1 (length v - 1) v"],
  ["v", "[R]", "length v == 1", "v ! 0", "x", "build (length v - 1) (\\i. v ! i * v ! (i + 1))"],
])("of %s, %s, until %s", (...of) => {
  const text = recursion(...of);
  for (const args of lists)
    expect(outcome(text, args, "adjoint"), JSON.stringify(args)).toEqual(outcome(text, args, "tape"));
});

const closed = { ...lists[3], v: [2, 3, 5, 6, 7] };

test.each([
  // An array with one element comes to no iteration, whatever that would look for
  "def go (v : [R]) (x : R) : R = if length v == 1 then v ! 0 else v ! 1 + x * go (slice 1 (length v) v) x",
  "def go (v : [R]) (x : R) : R = if length v == 1 then v ! 0 else v ! (length v - 2) + x * go (slice 1 (length v) v) x",
  "def go (v : [R]) (x : R) : R = if length v == 1 then v ! 0 else sum (build (length v - 2) toReal) + x * go (slice 1 (length v) v) x",
  // A test by what a choice or a loop gives
  "def loop (i : Z) (s : R) (xs : [R]) : R = let n = (if s > 1 then length xs else 2) in if i >= n then s else loop (i + 1) (0.5 * s * s + sin s) xs\ndef go (xs : [R]) (x : R) : R = loop 0 x xs",
  "def loop (i : Z) (s : R) (xs : [R]) : R = let n = foldl (\\a y. if y > s then a + 1 else a) 0 xs in if i >= n then s else loop (i + 1) (0.5 * s * s + sin s) xs\ndef go (xs : [R]) (x : R) : R = loop 0 x xs",
  // Parts whose elements are not one behind the other
  "def go (v : [R]) (x : R) : R = if length v <= 2 then x else v ! 0 + x * go (build (length v - 1) (\\j. v ! (j + (if j > 0 then 1 else 0)))) x",
  "def go (v : [R]) (x : R) : R = if length v <= 2 then x else v ! 0 + x * go (build (length v - 1) (\\j. v ! (j + foldl (\\a i. a + i) 0 (range 0 0)))) x",
])("%s", (definitions) => {
  const text = `${definitions}\ndef f (m : [[R]]) (v : [R]) (x : R) : R = go v x + sum (map sum m)\n`;
  expect(outcome(text, closed, "tape")).not.toBe("an error");
  for (const args of [...lists, closed])
    expect(outcome(text, args, "adjoint"), JSON.stringify(args)).toEqual(outcome(text, args, "tape"));
});

test("an array in which an iteration finds nothing is told where it looks for it", () => {
  const first = grad({ name: "m.lam", text: recursion("v", "[R]", "length v == 1", "v ! 0", "v ! 0", "slice 1 (length v) v") }, "f", { m: [], v: [], x: 1 }); // prettier-ignore
  expect(first.diagnostics.map(({ title }) => title)).toEqual(["run-time error in `go`: index 0 is outside an array of length 0"]); // prettier-ignore
  const last = grad({ name: "m.lam", text: recursion("v", "[R]", "length v == 1", "v ! 0", "v ! (length v - 1)", "slice 0 (length v - 1) v") }, "f", { m: [], v: [], x: 1 }); // prettier-ignore
  expect(last.diagnostics.map(({ title }) => title)).toEqual(["run-time error in `go`: index -1 is outside an array of length 0"]); // prettier-ignore
});

/** The value and the gradient of `f` in adjoint code. */
function codeOf(text: string): string {
  const result = compile({ name: "m.lam", text }, { stage: "adjoint", entries: ["f"], with: ["grad"] });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  const { code } = result.value;
  return code.slice(code.indexOf("export function f("), code.indexOf("\nfunction "));
}

test("what is the length of an array until none is left is the number of iterations", () => {
  const rest = "map (map sin) (slice 1 (length v) v)";
  for (const until of ["length v == 0", "length v < 1", "length v == 1"]) {
    const code = codeOf(recursion("m", "[[R]]", until, "x", "sum (v ! 0)", rest));
    expect(code).toContain("function fGrad");
    expect(code, until).not.toContain("for (;;)");
  }
  // What fails first for an empty array may be its size
  expect(codeOf(recursion("m", "[[R]]", "length v == 1", "x", "x", rest))).not.toContain("for (;;)");
  // An empty array never has one element, nor fails here: it goes on without end
  const endless = "build (max 0 (length v - 1)) (\\i. map sin (v ! i))";
  expect(codeOf(recursion("m", "[[R]]", "length v == 1", "x", "x", endless))).toContain("for (;;)");
});

test("a part of an array that is handed on is not copied", () => {
  const code = codeOf(recursion("v", "[R]", "length v == 0", "x", "v ! 0", "slice 1 (length v) v"));
  expect(code.slice(0, code.indexOf("fGrad"))).not.toContain("new Float64Array");
});

test("nor is one of records", () => {
  const text = `data P = P { x : R, y : R }
def go (ps : [P]) : R = if length ps < 2 then 0 else (ps ! 0).x * (ps ! 1).y + go (drop 1 ps)
def f (ps : [P]) : R = go ps
`;
  expect(codeOf(text)).not.toMatch(/ps[XY]_?\d+ = (?:workArray|new Float64Array)/);
});

interface Gradients {
  readonly fGrad: (m: readonly Float64Array[]) => { readonly grad: { readonly m: readonly Float64Array[] } };
}

test.each([
  "foldl (\\s _. map (map sin) s) m m",
  "foldl (\\s _. map (map sin) (slice 1 (length s) s)) m (slice 1 (length m) m)",
])("gradients share no memory with each other: %s", (rows) => {
  const { fGrad } = load<Gradients>(`def f (m : [[R]]) : R = sum (map sum (${rows}))\n`);
  const m = [0, 1, 2].map((k) => Float64Array.from({ length: 20 }, (_, i) => 0.1 * k + 0.02 * i));
  const [one, two] = [fGrad(m).grad.m, fGrad(m).grad.m];
  const buffers = new Set(one.map(({ buffer }) => buffer));
  expect(two.filter(({ buffer }) => buffers.has(buffer))).toEqual([]);
  expect(one).toEqual(two);
});

test("what is left when an array is used up has its own length where it is another variable's, too", () => {
  const text = `def f (xs : [R]) (ys : [R]) : R =
  let rec go v = if length v < 1 then sum (iterate 3 (\\y. v) xs) else 0.4 * v ! 0 + go (map (\\x. 0.4 * x) (slice 1 (length v) v)) in
  go ys
`;
  const { f } = load<{ f: (xs: Float64Array, ys: Float64Array) => number }>(text);
  expect(f(Float64Array.of(1), Float64Array.of(0.5, 2))).toBeCloseTo(0.4 * 0.5 + 0.4 * 0.4 * 2, 14);
});
