// KR22 §5 and Fig. 12: the reverse modes and what they cost.

import { describe, expect, test } from "vitest";
import { costOver } from "../driver/cost-over.js";
import { exportOf, functionOf, loadModule, propertyOf } from "../driver/evaluate.js";
import { grad } from "../driver/grad.js";
import { printModule } from "../typescript/print-module.js";
import { Model } from "../../test/support/model.js";
import type { StageName } from "./stage.js";

const deltaStages: readonly StageName[] = ["delta-vector", "delta", "delta-let", "delta-let-array"];

describe("Fig. 12: a vector rotated by a quaternion", () => {
  const rotation = {
    name: "rotation.lam",
    text: `
data Vec3 = Vec3 { x : R, y : R, z : R }
data Quaternion = Quaternion { x : R, y : R, z : R, w : R }
def dot (p : Vec3) (q : Vec3) : R = p.x * q.x + p.y * q.y + p.z * q.z
def plus (p : Vec3) (q : Vec3) : Vec3 = Vec3 (p.x + q.x) (p.y + q.y) (p.z + q.z)
def scale (k : R) (v : Vec3) : Vec3 = Vec3 (k * v.x) (k * v.y) (k * v.z)
def cross (a : Vec3) (b : Vec3) : Vec3 =
  Vec3 (a.y * b.z - a.z * b.y) (a.z * b.x - a.x * b.z) (a.x * b.y - a.y * b.x)
def rotate (v : Vec3) (q : Quaternion) : Vec3 =
  let u = Vec3 q.x q.y q.z in
  let s = q.w in
  plus (plus (scale (2 * dot u v) u) (scale (s * s - dot u u) v)) (scale (2 * s) (cross u v))
def first (q : Quaternion) (v : Vec3) : R = (rotate v q).x
`,
  };
  const q = { x: 1.1, y: 2.2, z: 3.3, w: 4.4 };
  const v = { x: 5.5, y: 6.6, z: 7.7 };

  test.each(deltaStages)("the gradient in %s", (stage) => {
    const answer = grad(rotation, "first", { q, v }, { stage });
    const gradient = answer.ok ? propertyOf(answer.value.document, "grad") : null;
    const fields = [
      ["q", "x", "y", "z", "w"],
      ["v", "x", "y", "z"],
    ] as const;
    const numbers = fields.flatMap(([name, ...parts]) =>
      parts.map((part) => Number(Number(propertyOf(propertyOf(gradient, name), part)).toFixed(10))),
    );
    expect(numbers).toEqual([91.96, 58.08, -77.44, 38.72, 4.84, -24.2, 26.62]);
  });

  test("the Deltas of delta-let", () => {
    const code = `${printModule(new Model(rotation, ["first"]).emit("delta-let"), "js")}\nexport function gathered() { return deltaBinds; }\n`;
    const module = loadModule(code);
    exportOf(module, "firstVjp")({ tag: "Quaternion", ...q }, { tag: "Vec3", ...v });
    // The result is the Var of the newest binding
    const nodes = { Let: 0, Add: 0, Scale: 0, Var: 1, Zero: 0 };
    for (let bind = exportOf(module, "gathered")(); bind !== null; bind = propertyOf(bind, "older")) {
      nodes.Let += 1;
      count(propertyOf(bind, "delta"), nodes);
    }
    // As Fig. 9 has it: no binding for a literal
    expect(nodes).toEqual({ Let: 38, Add: 38, Scale: 52, Var: 75, Zero: 2 });
    // As Fig. 12 is printed: each of the two literals is bound, and is a Var where it is used
    const literals = nodes.Zero;
    expect({ ...nodes, Let: nodes.Let + literals, Var: nodes.Var + literals }).toEqual({
      Let: 40,
      Add: 38,
      Scale: 52,
      Var: 77,
      Zero: 2,
    });
  });

  function count(delta: unknown, nodes: Record<string, number>): void {
    const kind = String(propertyOf(delta, "kind"));
    nodes[kind] = (nodes[kind] ?? 0) + 1;
    for (const part of { Scale: ["delta"], Add: ["left", "right"] }[kind] ?? []) count(propertyOf(delta, part), nodes);
  }
});

describe("cost", () => {
  const growthOf = (text: string, args: object, name: string, values: readonly number[]): object => {
    const answer = costOver({ name: "m.lam", text }, "f", args, { names: [name], values });
    if (!answer.ok) throw new Error(JSON.stringify(answer.diagnostics));
    return Object.fromEntries(answer.value.map(({ stage, growth }) => [stage, growth]));
  };

  test("delta loses the sharing of §5.3", () => {
    const text = "def f (n : Z) (x : R) : R = if n == 0 then x else f (n - 1) (x + x)";
    expect(growthOf(text, { x: 1 }, "n", [4, 6, 8, 10, 12, 14])).toMatchObject({
      "delta-vector": "linear",
      delta: "exponential",
      "delta-let": "linear",
      "delta-let-array": "linear",
    });
  });

  test("delta-vector is quadratic in the inputs", () => {
    const text = "def f (xs : [R]) : R = sum (map (\\x. x * x) xs)";
    expect(growthOf(text, { xs: [1, 2, 3] }, "xs", [20, 40, 80, 160, 320])).toMatchObject({
      "delta-vector": "quadratic",
      delta: "linear",
      "delta-let": "linear",
      "delta-let-array": "linear",
    });
  });
});

describe("long and deep programs", () => {
  const long = "def f (n : Z) (x : R) : R = if n == 0 then x else f (n - 1) (1 + x)";
  const deep = "def f (n : Z) (x : R) : R = if n == 0 then x else 1 + f (n - 1) x";

  test.each(deltaStages)("%s", (stage) => {
    for (const text of [long, deep]) {
      const module = loadModule(printModule(new Model({ name: "m.lam", text }, ["f"]).emit(stage), "js"));
      const pair = exportOf(module, "fVjp")(200_000, 3);
      expect(propertyOf(pair, "value")).toBe(200_003);
      expect(functionOf(propertyOf(pair, "pullback"))(1)).toMatchObject({ x: 1 });
    }
  });
});
