import { expect, test } from "vitest";
import { compile } from "../driver/compile.js";

/** How a search gets from `i` to the next one, which may be one of two: by plain arithmetic, or by functions that check it. */
function stepOf(start: string, next: string, otherwise = next): string {
  const text = `def search (n : Z) (x : R) : R =
    let rec go i acc =
      if acc > 1e9 then toReal i * acc
      else if acc > 10 then go (${next}) (acc * acc + x)
      else go (${otherwise}) (acc * acc)
    in go (${start}) 2`;
  const result = compile({ name: "m.lam", text }, { stage: "adjoint", wrt: ["search.x"] });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  const value = result.value.code.slice(0, result.value.code.indexOf("searchVjp"));
  return /(?:addInt|subInt)\(/.test(value) ? "checked" : "plain";
}

test("a number that goes up or down by one from near zero stays among the safe integers, however many iterations there are", () => {
  expect(stepOf("0", "i + 1")).toBe("plain");
  expect(stepOf("0", "i - 1")).toBe("plain");
  expect(stepOf("mod n 1000", "i + 1")).toBe("plain");
  expect(stepOf("0", "i + 1", "i")).toBe("plain");
  expect(stepOf("0", "i - 1", "i")).toBe("plain");
});

test("one that may start far off, or goes faster, or up and down, need not", () => {
  expect(stepOf("n", "i + 1")).toBe("checked");
  expect(stepOf("n", "i - 1")).toBe("checked");
  expect(stepOf("0", "i + 2")).toBe("checked");
  expect(stepOf("0", "i - 2")).toBe("checked");
  expect(stepOf("0", "i + 2", "i + 1")).toBe("checked");
  expect(stepOf("0", "i - 2", "i - 1")).toBe("checked");
  expect(stepOf("0", "i + 1", "i - 1")).toBe("checked");
});

/** The gradient of a definition `f`. */
function gradientOf(text: string): string {
  const result = compile({ name: "m.lam", text }, { stage: "adjoint" });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  const { code } = result.value;
  return code.slice(code.indexOf("function fGrad"));
}

test("an integer that a choice or a loop hands on is between what its ways out hand on", () => {
  const firstIn = (limit: string): string => `def f (k : Z) (xs : [R]) : R =
    let n = length xs in
    let rec first i = if i == n then ${limit} else if xs ! i > 1 then i else first (i + 1) in
    toReal (first 0 + 1) * sum xs`;
  expect(gradientOf(firstIn("n"))).not.toContain("addInt(");
  expect(gradientOf(firstIn("if sum xs > 9 then 0 else 1"))).not.toContain("addInt(");
  expect(gradientOf(firstIn("k"))).toContain("addInt(");
});

test("loops that go on to the width of a product count their iterations", () => {
  const text = "def f (a : [[R]]) (b : [[R]]) : R = sum (map sum (matMul (matMul a b) (transpose a)))";
  const code = gradientOf(text);
  expect(code.slice(0, code.indexOf("function is"))).not.toContain("rounds");
});

test("a list that has been taken apart is not put together again", () => {
  const code = gradientOf(`
    def f (l : List R) : R = case l of { x :: y :: rest -> (y - x) ^ 2 + f (y :: rest); _ -> 0 }`);
  expect(code).toContain("lItems");
  // The gradient alone is a list
  expect(code.split("function listOf")[0]).not.toContain('tag: "Cons"');
  const swapped = gradientOf(`
    data Pair = Pair R R | None
    def f (p : Pair) (n : Z) : R = case p of { Pair x y -> if n > 0 then f (Pair y x) (n - 1) else x; None -> 0 }`);
  expect(swapped).toContain('tag: "Pair"');
});

test("an integer to which every iteration adds the same is computed from the number of iterations", () => {
  const code = gradientOf(`
    def f (l : List R) : R = listSum l / toReal (listLength l)`);
  expect(code).toContain("start / length");
  const weighed = gradientOf(`
    def f (xs : [R]) : R = let (_, s) = foldl (\\(k, s) x. (k + 1, s + toReal k * x ^ 2)) (0, 0.0) xs in s`);
  expect(weighed).toContain("s += i * (x * x)");
  const twice = gradientOf(`
    def f (xs : [R]) : R = let (k, s) = foldl (\\(k, s) x. (k + 2, s + x)) (3, 0.0) xs in s / toReal k`);
  expect(twice).toContain("k += 2");
});

test("rows that are all as long are read without checks of columns", () => {
  const grid = "build 3 (\\i. build n (\\j. x * toReal (i + j)))";
  const at = (index: string): string => `def f (n : Z) (x : R) : R = let g = ${grid} in sum (build n (\\j. ${index}))`;
  expect(gradientOf(at("g ! 1 ! j"))).not.toContain("outside(");
  expect(gradientOf(at("g ! mod j 3 ! (j + 1)"))).toContain("outside(");
  // Rows of different lengths
  const ragged = at("g ! 1 ! j").replace("build n (\\j. x", "build (n - i) (\\j. x");
  expect(gradientOf(ragged)).toContain("outside(");
});

test("rows keep their length while a loop carries them, where each iteration makes them as long", () => {
  const carried = (next: string): string => `def f (n : Z) (x : R) : R =
    let step u = ${next} in
    let last = iterate 4 step (build n (\\i. build n (\\j. x * toReal (i + j)))) in
    sum (build n (\\i. last ! i ! i))`;
  const [kept, longer] = ["map (\\row. map (\\y. y * y) row) u", "map (\\row. append row row) u"];
  expect(gradientOf(carried(kept))).not.toContain("outside(");
  expect(gradientOf(carried(longer))).toContain("outside(");
});

test("an index that is held between the first and the last one is in range", () => {
  const held = (index: string): string => `def f (xs : [R]) : R =
    let n = length xs in sum (build n (\\i. xs ! i * xs ! (${index})))`;
  expect(gradientOf(held("max 0 (min (n - 1) (i + 3))"))).not.toContain("outside(");
  expect(gradientOf(held("max 0 (i - 2)"))).not.toContain("outside(");
  expect(gradientOf(held("max (-1) (i - 2)"))).toContain("outside(");
  expect(gradientOf(held("max 1 (i - 2)"))).toContain("outside(");
});

test("behind a comparison a length is the one that is known in front of the loop, or the number", () => {
  const sumOf = (product: string): string => `def f (rows : [[R]]) (v : [R]) : R =
    let n = length v in sum (map (\\row. ${product}) rows) / toReal n`;
  expect(gradientOf(sumOf("dot row v"))).toMatch(/^ +sameLength\(row\.length, n,[^}]*for \(let j = 0; j < n;/m);
  expect(gradientOf(sumOf("dot row [1, 2]"))).toMatch(/^ +sameLength\(row\.length, 2,/m);
});
test("rows that are written out and equally long are known to be", () => {
  const rows = (last: string): string => `def f (v : [R]) : R = sum (map (\\row. dot row v) [[1, 2], ${last}])`;
  expect(gradientOf(rows("[3, 4]"))).toContain("sameLength(2,");
  expect(gradientOf(rows("[3, 4, 5]"))).not.toContain("sameLength(2,");
});

test("a part of a length is no more than that", () => {
  const code = gradientOf("def f (xs : [R]) : R = sum (slice 0 (div (length xs) 3) xs) * product (drop (div (length xs) 2) xs)"); // prettier-ignore
  expect(code.slice(0, code.indexOf("function is"))).not.toMatch(/outside\(|arraySize\(/);
});

test("a search by halves stays in range, and halves by a shift", () => {
  const search = (middle: string, end: string, up: string, down: string): string => `def f (xs : [R]) (t : R) : R =
    let rec go low high = if ${end} then low else let middle = ${middle} in if t < xs ! middle then go low ${down} else go ${up} high
    in toReal (go 0 (length xs - 1)) * sum xs * t`;
  const code = gradientOf(search("div (low + high) 2", "high - low <= 1", "middle", "middle"));
  expect(code).toContain("(low + high) >> 1");
  expect(code.slice(0, code.indexOf("function is"))).not.toMatch(/outside\(|Int\(/);
  expect(gradientOf(search("low + div (high - low) 3", "low >= high", "(middle + 1)", "middle"))).not.toContain(
    "outside(",
  );
  expect(gradientOf(search("low + div (high - low) 3", "low >= high", "(middle + 1)", "(middle - 1)"))).not.toContain(
    "outside(",
  );
  // A half of what is below zero, or beyond the array, is there, too
  expect(gradientOf(search("div (low + high) 2", "high - low <= 1", "(middle + 2)", "middle"))).toContain("subInt(");
  expect(gradientOf(search("div (low + high + 4) 2", "high - low <= 1", "middle", "middle"))).toContain("outside(");
  expect(gradientOf(search("div (low + high) 2 - 1", "high - low < 1", "(middle + 1)", "middle"))).toContain(
    "outside(",
  );
});

test("integers of more than 32 bits are not halved by a shift", () => {
  expect(gradientOf("def f (k : Z) (x : R) : R = toReal (div k 2) * x")).not.toContain(">>");
  expect(gradientOf("def f (k : Z) (x : R) : R = toReal (div (mod k 100 - 50) 4) * x")).toContain(">> 2");
  expect(gradientOf("def f (k : Z) (x : R) : R = toReal (div (mod k 100) 6) * x")).not.toContain(">>");
});
