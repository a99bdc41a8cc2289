// Jacobians of results that are made element by element: one pass, with the numbers of the general way.

import { expect, test } from "vitest";
import { grad, jacobian } from "../src/index.js";
import { compile } from "../src/driver/compile.js";

const model = `data Camera = Camera { focus : R, shift : (R, R) }

def projected (camera : Camera) (points : [(R, R, R)]) : [(R, R)] =
  let (u, v) = camera.shift in
  map (\\(x, y, z). (camera.focus * x / z + u, camera.focus * y / z + v)) points

def residuals (w : [R]) (xs : [R]) (ys : [R]) : [R] =
  let at x = w ! 0 * exp (-(w ! 1) * x) in
  zipWith (\\x y. at x - y) xs ys

def normalised (w : [R]) : [R] =
  let total = sum w in
  map (\\x. x / total) w

def squares (w : [R]) : [R] = map (\\x. x ^ 2) w

def guarded (w : [R]) (xs : [R]) : [R] = map (\\x. if x > 0 then w ! 0 * x else fail "x must be positive") xs
`;
const source = { name: "m.lam", text: model };

/** The Jacobian row by row, a reverse pass for each. */
function rowsOf(entry: string, args: unknown): readonly number[] {
  const result = grad(source, entry, args);
  if (!result.ok || !("jacobian" in result.value.document)) throw new Error("no jacobian");
  const numbers = (value: unknown): readonly number[] =>
    typeof value === "number" ? [value] : typeof value === "object" && value !== null ? Object.values(value).flatMap(numbers) : []; // prettier-ignore
  return result.value.document.jacobian.flatMap(numbers);
}

test.each([
  [
    "projected",
    {
      camera: { focus: 2, shift: [0.5, -1] },
      points: [
        [1, 2, 4],
        [3, -1, 2],
      ],
    },
    true,
  ],
  ["residuals", { w: [2, 0.5], xs: [0, 1, 2], ys: [2, 1, 1] }, true],
  ["normalised", { w: [1, 2, 5] }, false],
  ["squares", { w: [1, 2, 5] }, true],
  ["squares", { w: [] }, true],
] as const)("%s", (entry, args, isOnePass) => {
  const result = jacobian(source, entry, args, { check: true });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  expect(result.value.differences).toEqual([]);
  const found = Array.from(result.value.document.jacobian);
  for (const [i, expected] of rowsOf(entry, args).entries()) expect(found[i]).toBeCloseTo(expected, 12);
  expect(found).toHaveLength(rowsOf(entry, args).length);
  const compiled = compile(source, { entries: [entry], with: ["jacobian"] });
  if (!compiled.ok) throw new Error("does not compile");
  expect(compiled.value.code.includes("In one pass:")).toBe(isOnePass);
});

test("an element that fails says so", () => {
  const result = jacobian(source, "guarded", { w: [1], xs: [1, 0] });
  expect(result.ok).toBe(false);
  expect(result.diagnostics.map(({ title }) => title)).toEqual(["run-time error in `guarded`: x must be positive"]);
});
