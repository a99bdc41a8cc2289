// Where the stores are made that nobody reads.

import { describe, expect, test } from "vitest";
import { dump } from "../driver/dump.js";

/** The lines of a model with stores that make such a store, with the procedure that each is in. */
function made(text: string, ...wrt: readonly string[]): readonly string[] {
  const dumped = dump({ name: "model.lam", text }, "stores", { wrt });
  if (!dumped.ok) throw new Error(JSON.stringify(dumped.diagnostics));
  let procedure = "";
  return dumped.value.split("\n").flatMap((line) => {
    const [, name] = /^\w+ (\w+!?)[([]/.exec(line) ?? [];
    procedure = name ?? procedure;
    return /= zero store|Store\(\)$/.test(line) ? [`${procedure}:${line}`] : [];
  });
}

describe("of a parameter", () => {
  const iteration = "let r = if y > s then c else ys in s * 0.5 + r ! 0 * r ! 1";

  test("it is a parameter, too", () => {
    expect(made(`def f (c : [R]) (ys : [R]) : R = foldl (\\s y. ${iteration}) 0 ys`, "f.ys")).toEqual([]);
  });

  test("also of what another function is given", () => {
    const text = `
      def walk (c : [R]) (ys : [R]) (n : Z) (x : R) : R =
        let r = if x > 0 then c else ys in
        if n > 0 then walk c r (n - 1) (x - r ! 0) * walk c ys (n - 2) (x + r ! 1) else r ! 0 * x
      def f (ys : [R]) (n : Z) (x : R) : R = walk (build n (\\i. sin (toReal i))) ys n x`;
    const [only, ...others] = made(text, "f.ys", "f.x", "walk.ys", "walk.x");
    expect(only).toMatch(/^f!: {2}\w+ = zero store of \w+$/);
    expect(others).toEqual([]);
  });

  test("also where a function captures it, or takes it from what it is given", () => {
    const captured = `
      def f (c : [R]) (ys : [R]) : R =
        let fs = map (\\y. if y > 0 then \\(t : [R]). (if t ! 0 > y then c else t) ! 0 * y else \\t. t ! 1) ys in
        foldl (\\s g. s * 0.5 + g ys) 0 fs`;
    expect(made(captured, "f.ys")).toEqual([]);
    const row = iteration.replace("then c", "then c ! 1");
    expect(made(`def f (c : [[R]]) (ys : [R]) : R = foldl (\\s y. ${row}) 0 ys`, "f.ys")).toEqual([]);
  });
});

test("of what is made in front of a loop they are made there", () => {
  const text = `
    def f (ys : [R]) : R =
      let c = build (length ys) (\\i. sin (toReal i)) in
      foldl (\\s y. (if y > s then c else ys) ! 0 * s + c ! 1) 0 ys`;
  const [only, ...others] = made(text);
  expect(only).toMatch(/^f!: {2}\w+ = zero store of \w+$/);
  expect(others).toEqual([]);
});

test("of a constant they are a constant where they are used again and again", () => {
  const table = "def table : [R] = build 9 (\\i. sin (toReal i))\n";
  const inLoop = `${table}def f (ys : [R]) : R = foldl (\\s y. (if y > s then table else ys) ! 0 * s + 1) 0 ys`;
  expect(made(inLoop).map((line) => line.replace(/^(\S+?:) +/, "$1"))).toEqual([
    expect.stringMatching(/^f!:\w+ = tableStore\(\)$/),
    "tableStore:value_ = zero store of value",
  ]);
  const once = `${table}def f (ys : [R]) : R = let t = if sum ys > 0 then table else ys in t ! 0 * t ! 1`;
  expect(made(once)).toEqual([expect.stringMatching(/^f!: +\w+ = zero store of \w+$/)]);
});
