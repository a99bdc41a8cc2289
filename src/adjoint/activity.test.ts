// What has no cotangent.

import { expect, test } from "vitest";
import { compile } from "../driver/compile.js";

function gradientOf(text: string): string {
  const compiled = compile({ name: "model.lam", text }, { stage: "adjoint", target: "js", entries: ["f"] });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  return compiled.value.code.slice(compiled.value.code.indexOf("export function fGrad"));
}

test("what a loop carries for its tests alone", () => {
  const body = (next: string): string =>
    gradientOf(
      `def f (xs : [R]) : R = let (s, _) = foldl (\\(s, last) x. (if x > last then s * x else s + x, ${next})) (1, 0) xs in s`,
    );
  expect(body("x + last / 2")).not.toContain("last_");
  expect(body("x + last * s / 2")).not.toContain("last_");
});

test("not so what reaches a number", () => {
  const code = gradientOf(
    "def f (xs : [R]) : R = let (s, last) = foldl (\\(s, last) x. (if x > last then s * x else s + x, x + last / 2)) (1, 0) xs in s + last",
  );
  expect(code).toContain("last_");
});

const tree = `data Tree = Leaf R | Gate R Tree Tree
def size (t : Tree) : Z = case t of { Leaf _ -> 1; Gate _ l r -> size l + size r }
def total (t : Tree) : R = case t of { Leaf x -> x; Gate x l r -> x * total l + total r }
`;

test("calls that give nothing that has a cotangent are those of plain code", () => {
  const counted = gradientOf(`${tree}def f (t : Tree) : R = total t / toReal (size t)`);
  expect(counted).toContain("totalReverse");
  expect(counted).not.toMatch(/sizeForward|sizeReverse/);
  const tested = gradientOf(
    `${tree}def f (t : Tree) (x : R) : R = if total t > total (Leaf (2 * x)) then x ^ 2 else x`,
  );
  expect(tested).not.toMatch(/totalForward|totalReverse/);
});

test("not so calls that are given functions", () => {
  const code = gradientOf(
    `data Tree = Leaf | Gate (R -> R) Tree Tree
     def count (t : Tree) (x : R) : Z = case t of { Leaf -> 0; Gate g l r -> (if g x > 0 then 1 else 0) + count l x + count r x }
     def f (x : R) : R = x * toReal (count (Gate (\\y. x * y) (Gate (\\y. x + y) Leaf Leaf) Leaf) x)`,
  );
  expect(code).toContain("countForward");
});

test("calls with an empty tree of functions are those of plain code", () => {
  const code = gradientOf(`data Tree a = Leaf | Node (Tree a) a (Tree a)
def holds (z : Bool) (t : Tree (Bool -> R)) : Bool = case t of { Leaf -> z; Node l _ r -> holds (holds z l) r }
def f (x : R) : R = if holds false Leaf then x else x * 2`);
  expect(code).not.toMatch(/holdsForward|holdsReverse/);
});
