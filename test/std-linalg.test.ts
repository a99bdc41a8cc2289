// std/linalg.lam on matrices of several sizes, and on those that are hard: factors make the matrix again, and gradients go along a direction as differences do.

import { describe, expect, test } from "vitest";
import { compile } from "../src/driver/compile.js";
import { exportOf, loadModule, propertyOf, type EmittedFunction } from "../src/driver/evaluate.js";
import { numbersOf, partsOf } from "./support/std-references.js";

const text = `import "std/linalg.lam" (
  cholesky, diag, eigenvalues, eigSymmetric, expm, inverse, leastSquares, logDet, logDetPositive, qr, solve, singularValues, solvePositive, svd
)

def inner (a : [[R]]) (b : [[R]]) : R = sum (zipWith dot a b)
def system (a : [[R]]) (b : [R]) : [R] = solve a b
def systems (a : [[R]]) (b : [R]) (c : [[R]]) : R = dot b (solve a b) + logDet a + inner c (inverse a)
def positive (a : [[R]]) (b : [R]) (c : [[R]]) : R = dot b (solvePositive a b) + logDetPositive a + inner c (cholesky a)
def again (a : [[R]]) : [[R]] = let l = cholesky a in matMul l (transpose l)
def upright (a : [[R]]) : ([[R]], [[R]]) = let (q, r) = qr a in (matMul q r, matMul (transpose q) q)
def orthogonal (a : [[R]]) (c : [[R]]) : R = let (q, r) = qr a in inner c q + inner c r
def nearest (a : [[R]]) (b : [R]) : [R] = leastSquares a b
def eigen (a : [[R]]) : ([R], [[R]], [[R]]) =
  let (values, v) = eigSymmetric a in (values, matMul (matMul v (diag values)) (transpose v), matMul (transpose v) v)
def exponentialOf (a : [[R]]) : R =
  let (values, v) = eigSymmetric a in inner a (matMul (matMul v (diag (map exp values))) (transpose v))
def exponential (a : [[R]]) (c : [[R]]) : R = inner c (expm a)
def exponentialsOf (a : [[R]]) : [[R]] = expm a
def singular (a : [[R]]) : ([[R]], [[R]], [[R]], [R]) =
  let (u, s, v) = svd a in
  (matMul (matMul u (diag s)) (transpose v), matMul (transpose u) u, matMul (transpose v) v, s)
def nuclear (a : [[R]]) : R = sum (singularValues a)
def vectors (a : [[R]]) (c : [[R]]) : R = let (u, s, v) = svd a in inner c (matMul (matMul u (diag (map (\\x. x * x) s))) (transpose v))
def entropy (a : [[R]]) : R = sum (map (\\x. x * log x) (eigenvalues a))
def curved (a : [[R]]) : R = let g = grad entropy a in inner g g
`;

const compiled = compile({ name: "linalg.lam", text }, { target: "js" });
if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
const module = loadModule(compiled.value.code);
const named = (name: string): EmittedFunction => exportOf(module, name);

type Matrix = readonly (readonly number[])[];

/** Numbers between -1 and 1 that look like any. */
function someMatrix(rows: number, columns: number, seed = 1): Matrix {
  return matrixOf(rows, columns, (i, j) => {
    const x = 43758.5453 * Math.sin(12.9898 * (i + seed) + 78.233 * (j + 1));
    return 2 * (x - Math.floor(x)) - 1;
  });
}

function matrixOf(rows: number, columns: number, element: (i: number, j: number) => number): Matrix {
  return Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => element(i, j)));
}

function unit(n: number): Matrix {
  return matrixOf(n, n, (i, j) => (i === j ? 1 : 0));
}

/** A symmetric positive definite matrix. */
function definite(n: number): Matrix {
  const a = someMatrix(n, n);
  const at = (i: number, j: number): number => a[i]?.[j] ?? NaN;
  return matrixOf(n, n, (i, j) => (i === j ? n : 0) + 0.5 * (at(i, j) + at(j, i)));
}

/** The largest difference of two values' numbers, relative to the largest number. */
function distance(one: unknown, other: unknown): number {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  expect(a.length).toBe(b.length);
  const size = Math.max(1e-300, ...b.map(Math.abs));
  return Math.max(0, ...a.map((x, i) => Math.abs(x - (b[i] ?? NaN)))) / size;
}

/** The relative difference of what the gradient in a matrix says along a direction, and a difference of order 4 does. */
function gradientError(name: string, a: Matrix, ...others: readonly unknown[]): number {
  const step = 1e-3;
  const direction = someMatrix(a.length, a[0]?.length ?? 0, 3);
  const moved = (t: number): number => {
    const at = a.map((row, i) => row.map((x, j) => x + t * step * (direction[i]?.[j] ?? 0)));
    return numbersOf(named(name)(at, ...others))[0] ?? NaN;
  };
  const expected = (moved(-2) - 8 * moved(-1) + 8 * moved(1) - moved(2)) / (12 * step);
  const gradient = numbersOf(propertyOf(propertyOf(named(`${name}Grad`)(a, ...others), "grad"), "a"));
  const found = direction.flat().reduce((sum, d, i) => sum + d * (gradient[i] ?? NaN), 0);
  return Math.abs(found - expected) / Math.max(1, Math.abs(expected));
}

describe.each([1, 2, 7, 30])("matrices of %i rows", (n) => {
  const a = definite(n);
  const general = someMatrix(n, n);
  const tall = someMatrix(n + 3, n);
  const [b] = someMatrix(1, n, 2);

  test("systems", () => {
    const x = numbersOf(named("system")(general, b));
    const product = general.map((row) => row.reduce((sum, y, j) => sum + y * (x[j] ?? NaN), 0));
    expect(distance(product, b)).toBeLessThan(1e-10);
    expect(gradientError("systems", a, b, general)).toBeLessThan(1e-8);
  });

  test("positive definite matrices", () => {
    expect(distance(named("again")(a), a)).toBeLessThan(1e-14);
    expect(gradientError("positive", a, b, general)).toBeLessThan(1e-8);
  });

  test("orthogonal factors", () => {
    expect(distance(named("upright")(tall), [tall, unit(n)])).toBeLessThan(1e-13);
    expect(gradientError("orthogonal", a, general)).toBeLessThan(1e-8);
  });

  test("eigenvalues and singular values", () => {
    const [values, product, units] = partsOf(named("eigen")(a));
    expect(distance([product, units], [a, unit(n)])).toBeLessThan(1e-13 * n);
    expect(numbersOf(values)).toEqual([...numbersOf(values)].sort((x, y) => x - y));
    for (const matrix of [tall, tall[0]?.map((_, j) => tall.map((row) => row[j] ?? NaN)) ?? []]) {
      const [again, u, v] = partsOf(named("singular")(matrix));
      expect(distance([again, u, v], [matrix, unit(n), unit(n)])).toBeLessThan(1e-13 * n);
    }
    expect(gradientError("nuclear", tall)).toBeLessThan(1e-7);
    expect(gradientError("vectors", tall, tall)).toBeLessThan(1e-6);
    expect(gradientError("entropy", a)).toBeLessThan(1e-8);
    if (n < 30) expect(gradientError("curved", a)).toBeLessThan(1e-8);
  });

  test("exponentials", () => {
    expect(gradientError("exponential", a.map((row) => row.map((x) => x / n)), general)).toBeLessThan(1e-8); // prettier-ignore
    expect(gradientError("exponentialOf", a.map((row) => row.map((x) => x / n)))).toBeLessThan(1e-8); // prettier-ignore
  });
});

describe("hard matrices", () => {
  test("eigenvalues that are equal: a function of all of them has a gradient, vectors have none", () => {
    expect(gradientError("entropy", unit(3))).toBeLessThan(1e-9);
    expect(() => named("exponentialOfGrad")(unit(3))).toThrow(
      "where eigenvalues are equal (the function eigenvalues has one, of first order only), as the next one is to number 0",
    );
    expect(() => named("curvedGrad")(unit(3))).toThrow(
      "where eigenvalues are equal (the function eigenvalues has one, of first order only)",
    );
  });

  test("a matrix that has no full rank has orthogonal singular vectors, and a gradient of zero where there is none", () => {
    const flat = matrixOf(4, 3, (i, j) => (i + 1) * (j + 1));
    const [again, u, v, s] = partsOf(named("singular")(flat));
    expect(distance([again, u, v], [flat, unit(3), unit(3)])).toBeLessThan(1e-13);
    expect(numbersOf(s)[1]).toBeLessThan(1e-13);
    expect(() => named("vectorsGrad")(flat, flat)).toThrow(
      "where singular values are equal (the function singularValues has one), as the next one is to number 1",
    );
    expect(() => named("vectorsGrad")([[1, 1], [1, 1]], unit(2))).toThrow("where singular values are zero (the function singularValues has one), as is number 1"); // prettier-ignore
    expect(distance(named("singular")(matrixOf(2, 2, () => 0)), [matrixOf(2, 2, () => 0), unit(2), unit(2), [0, 0]])).toBe(0); // prettier-ignore
  });

  test.each([1e300, 1e-300])("of elements near %d", (scale) => {
    const scaled = (matrix: Matrix): Matrix => matrix.map((row) => row.map((x) => x * scale));
    const [again] = partsOf(named("singular")(scaled(someMatrix(5, 5))));
    expect(distance(again, scaled(someMatrix(5, 5)))).toBeLessThan(1e-13);
    expect(distance(partsOf(named("upright")(scaled(someMatrix(7, 5))))[0], scaled(someMatrix(7, 5)))).toBeLessThan(1e-13); // prettier-ignore
    const [, product] = partsOf(named("eigen")(scaled(definite(5))));
    expect(distance(product, scaled(definite(5)))).toBeLessThan(1e-13);
  });

  test("exponentials of what is nothing, or not in scale", () => {
    expect(numbersOf(named("exponentialsOf")(matrixOf(2, 2, () => 0)))).toEqual([1, 0, 0, 1]);
    expect(numbersOf(named("exponentialsOf")([[0, 1e15], [0, 0]]))).toEqual([1, 1e15, 0, 1]); // prettier-ignore
    expect(numbersOf(named("exponentialsOf")(matrixOf(2, 2, () => 1e308)))[0]).toBeNaN();
  });

  test("nothing", () => {
    expect(named("systems")([], [], [])).toBe(0);
    expect(named("positive")([], [], [])).toBe(0);
    expect(named("nuclear")([])).toBe(0);
    expect(named("exponential")([], [])).toBe(0);
  });

  test.each([
    [
      "system",
      [
        [
          [0, 0],
          [0, 0],
        ],
        [1, 1],
      ],
      "solve: the matrix is singular at pivot 0",
    ],
    [
      "system",
      [
        [
          [1, 0],
          [0, 1],
        ],
        [1],
      ],
      "solve: the lengths 2 and 1 must be the same",
    ],
    [
      "again",
      [
        [
          [1, 2],
          [2, 4],
        ],
      ],
      "cholesky: the matrix is not positive definite at pivot 1",
    ],
    ["again", [[[NaN]]], "cholesky: a number of the matrix is infinite or NaN: see row 0"],
    ["upright", [[[1], [Infinity]]], "qr: a number of the matrix is infinite or NaN: see row 1"],
    [
      "upright",
      [
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
      ],
      "qr: a column depends on those before it: column 2",
    ],
    ["upright", [[[1, 2], [4]]], "qr: the rows have different lengths: see row 1"],
    ["eigen", [[[1, 2]]], "eigSymmetric: the matrix is not square: see row 0"],
    ["exponential", [[[1, 2]], []], "expm: the matrix is not square: see row 0"],
  ] as const)("%s of %j fails: %s", (name, args, message) => {
    expect(() => named(name)(...args)).toThrow(message);
  });
});
