import { expect, test } from "vitest";
import { optimisedText } from "../../test/support/optimised.js";

test("what a loop carries is called as the function that it is passed to calls it", () => {
  // Too large to be copied to both calls
  const text = `
    def update (belief : R) (seen : R) : R = iterate 3 (\\y. sin (belief * y) + cos (seen * y) + exp (belief - seen) * log (2 + belief ^ 2) + sqrt (1 + seen ^ 2) + sin (belief + seen + y) * exp (sin (belief - y)) + cos (seen - belief * y) * log (3 + seen ^ 4) + exp (cos (belief * seen * y))) 1
    def f (xs : [R]) (ys : [R]) : R = foldl update (foldl update 0 xs) ys`;
  const optimised = optimisedText(text);
  expect(optimised).toContain("update(belief");
  expect(optimised).not.toContain("acc");
});

test("what a loop comes by is called as its result", () => {
  const text = "def f (xs : [R]) : R = let total = sum xs in total * total";
  expect(optimisedText(text)).toContain("if i == n then total else go(i + 1, total + xs ! i)");
});

test("what a loop begins with is not called as what it carries", () => {
  const text = "def f (n : Z) (x : R) : [R] = iterate n (\\row. map (\\x. x * x) row) (build n (\\i. x))";
  expect(optimisedText(text)).not.toContain("let row");
});
