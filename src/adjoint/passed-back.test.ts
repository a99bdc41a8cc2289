// What the reverse sweeps of recursive functions get from their callers.

import { expect, test } from "vitest";
import { firstDifference } from "../../test/support/compare.js";
import { codeOf, numbersOf, paramsOf, pushed } from "../../test/support/emitted-sweeps.js";
import { exportOf, functionOf, loadModule, propertyOf } from "../driver/evaluate.js";
import type { StageName } from "../driver/stages.js";

const tree = "data Tree = Leaf R | At Z | Node Tree Tree";
const value = `${tree}
def value (env : [R]) (t : Tree) : R =
  case t of { Leaf x -> x; At i -> env ! i; Node l r -> value env l + sin (value env r) }`;

test("what a function passes on as it is, and parts of it", () => {
  expect(paramsOf(value, "value", "Reverse")).toEqual(["t", "env_", "t_"]);
  expect(pushed(value, "value")).toEqual(["v"]);
});

test("what takes a few operations", () => {
  const walk = `def f (xs : [R]) (n : Z) : R = if n <= 0 then 1 else (xs ! n) ^ 2 * f xs (n - 1) + f xs (n - 2)`;
  expect(paramsOf(walk, "f", "Reverse")).toEqual(["xs", "n", "xs_"]);
  expect(pushed(walk, "f")).toEqual(["t1"]);
});

test("not what a call within the recursion would have to save", () => {
  const made = `${tree}
def f (env : [R]) (t : Tree) : R =
  case t of { Leaf x -> x * env ! 0; At i -> env ! i; Node l r -> f (map sin env) l + f (scanl (*) 1 env) r }`;
  expect(paramsOf(made, "f", "Reverse")).toEqual(["t", "env_", "t_"]);
  const real = `${tree}
def f (k : R) (t : Tree) : R = case t of { Leaf x -> k * x; At i -> k; Node l r -> let s = f k l in s * f (exp s) r }`;
  expect(paramsOf(real, "f", "Reverse")).toEqual(["t", "t_"]);
});

test("not what a list is walked to within the recursion", () => {
  const rose = `data Rose = Rose R (List Rose)
def f (r : Rose) : R = case r of { Rose x kids -> let rec go ks acc = case ks of { Nil -> acc; Cons k rest -> go rest (acc * f k) } in go kids x }`;
  expect(pushed(rose, "f")).not.toEqual([]);
});

/** Values and gradients of the entry `f` at some arguments. */
function gradient(text: string, stage: StageName, args: readonly unknown[]): unknown {
  return exportOf(loadModule(codeOf(text, stage)), "fGrad")(...args);
}

const leaf = (x: number): unknown => ({ tag: "Leaf", _0: x });
const at = (i: number): unknown => ({ tag: "At", _0: i });
const node = (l: unknown, r: unknown): unknown => ({ tag: "Node", _0: l, _1: r });

test.each(
  Object.entries({
    "for each example, in a loop of its own": `${value}
def f (t : Tree) (k : R) (xs : [R]) : R = sum (build 4 (\\i. value (map (\\x. k * x * toReal i) xs) t ^ 2))`,
    "of a value that is made": `${value}
def twice (t : Tree) : Tree = case t of { Leaf x -> Node (Leaf (2 * x)) (At 1); At i -> t; Node l r -> Node (twice r) (twice l) }
def f (t : Tree) (k : R) (xs : [R]) : R = k * value xs (twice t) + value xs t`,
    "by functions that call each other": `${tree}
def even (k : R) (n : Z) (xs : [R]) (t : Tree) : R =
  case t of { Leaf x -> x * k; At i -> xs ! i * toReal n; Node l r -> odd (k * 0.5) (n + 1) xs l * odd k n xs r }
def odd (k : R) (n : Z) (xs : [R]) (t : Tree) : R =
  case t of { Leaf x -> x; At i -> k * xs ! i; Node l r -> even k (2 * n) xs r + sin (even (k * k) n xs l) }
def f (t : Tree) (k : R) (xs : [R]) : R = even k 1 xs t`,
    "within functions that are values": `${tree}
def apply (g : R -> R) (n : Z) (x : R) : R = if n == 0 then x else apply (\\y. g (g y)) (n - 1) (g x)
def value (k : R) (xs : [R]) (t : Tree) : R =
  case t of { Leaf x -> x; At i -> xs ! i; Node l r -> apply (\\y. k * y * value (0.5 * k) xs l) 1 (value k xs r) }
def f (t : Tree) (k : R) (xs : [R]) : R = value k xs t`,
    "in a branch that may not be taken, with what is infinite there": `${value}
def f (t : Tree) (k : R) (xs : [R]) : R = if k > 0 then k * value xs t + (if k > 100 then value (map (\\x. x / 0) xs) t else 1) else 0`,
  }),
)("%s", (_, text) => {
  const t = node(node(leaf(0.3), at(1)), node(at(0), leaf(-0.8)));
  const args = [t, 0.7, new Float64Array([0.4, 1.1])];
  const [numbers, expected] = [numbersOf(gradient(text, "adjoint", args)), numbersOf(gradient(text, "tape", args))];
  expect(firstDifference(numbers, expected, 1e-12)).toBeNull();
});

test("a pullback does not look at what its caller has changed", () => {
  const text = `${tree}
def f (w : [R]) (t : Tree) : R = case t of { Leaf x -> x; At i -> w ! i; Node l r -> f w l * f w r }`;
  const vjp = exportOf(loadModule(codeOf(text, "adjoint")), "fVjp");
  const left = { tag: "At", _0: 0 };
  const t = { tag: "Node", _0: left, _1: leaf(3) };
  const pullback = functionOf(propertyOf(vjp(new Float64Array([2, 5]), t), "pullback"));
  const before = pullback(1);
  left._0 = 1;
  t._1 = at(1);
  expect(pullback(1)).toEqual(before);
  expect(before).toEqual({ w: new Float64Array([3, 0]), t: node({ tag: "At", _0: 0 }, leaf(2)) });
});
