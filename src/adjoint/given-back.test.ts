// Stores of arrays that functions are given, or give: only reverse sweeps have them.

import { expect, test } from "vitest";
import { compile } from "../driver/compile.js";

const tree = "data Tree = Leaf R | Node Tree Tree\n";

/** The two sweeps of the function `up` of a model with trees. */
function sweepsOf(definitions: string): { readonly forward: string; readonly reverse: string } {
  const text = `${tree}\n${definitions}\n\ndef loss (n : Z) (t : Tree) (xs : [R]) : R = sum (map sum (up n t xs))\n`;
  const compiled = compile({ name: "m.lam", text }, { entries: ["loss"], with: ["grad"], target: "js" });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  const textOf = (name: string): string => new RegExp(`^function ${name}\\([^]*?^}$`, "m").exec(compiled.value.code)?.[0] ?? ""; // prettier-ignore
  return { forward: textOf("upForward"), reverse: textOf("upReverse") };
}

test("an array that is given is what the forward sweep gives alone", () => {
  const { forward, reverse } = sweepsOf(`
def up (n : Z) (t : Tree) (xs : [R]) : [[R]] = case t of {
  Leaf x -> build n (\\i. map (\\y. y * x + toReal i) xs);
  Node l r -> zipWith (zipWith (\\x y. sin x * y)) (up n l xs) (up n r xs) }`);
  expect(forward).not.toMatch(/_\b.*= (new|zero|work)|return \[/);
  expect(reverse).toMatch(/^function upReverse\(.*, result_/);
});

test("but not where it may be an argument: there the cotangents would be copied", () => {
  const { forward } = sweepsOf(`
def up (n : Z) (t : Tree) (xs : [R]) : [[R]] = case t of {
  Leaf x -> if x > 0 then [xs] else [map (\\y. y * x) xs];
  Node l r -> zipWith (zipWith (\\x y. sin x * y)) (up n l xs) (up n r xs) }`);
  expect(forward).toContain("return [");
});

test("nor where its rows are one array", () => {
  const { forward } = sweepsOf(`
def up (n : Z) (t : Tree) (xs : [R]) : [[R]] = case t of {
  Leaf x -> build n (\\i. map (\\y. y * x) xs);
  Node l r -> zipWith (zipWith (\\x y. sin x * y)) (up n l xs) (up n r xs) }`);
  expect(forward).toContain("return [");
});
