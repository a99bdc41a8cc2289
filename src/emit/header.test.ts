import { expect, test } from "vitest";
import { compile, type CompileOptions } from "../driver/compile.js";

const source = {
  name: "m.lam",
  text: `def path (a : R) (n : Z) : [R] = build n (\\i. a * toReal i)
def loss (a : R) (n : Z) : R = sum (path a n)
def half : R = 0.5`,
};

/** What the header says of derivatives. */
function header(options: CompileOptions): readonly string[] {
  const answer = compile(source, options);
  return answer.ok ? answer.value.code.split("\n").filter((line) => /^\/\/ (Diff|Const)/.test(line)) : ["no module"];
}

test("the header names the definitions that the module has a derivative of", () => {
  const both = "// Differentiated with respect to: path (a, n), loss (a, n)";
  const one = "// Differentiated with respect to: loss (a, n)";
  const constants = "// Constants, without derivatives: half";
  expect(header({})).toEqual([both, constants]);
  expect(header({ wrt: ["path.a", "loss.a"] })).toEqual(["// Differentiated with respect to: path (a), loss (a)", constants]); // prettier-ignore
  expect(header({ with: ["grad"] })).toEqual([one, constants]);
  expect(header({ with: ["grad"], stage: "tape" })).toEqual([one, constants]);
  expect(header({ with: ["hvp"] })).toEqual([one, constants]);
  expect(header({ with: ["flat"] })).toEqual([one, constants]);
  expect(header({ with: ["hessian", "jacobian"] })).toEqual([both, constants]);
  expect(header({ with: ["linearize"] })).toEqual([both, constants]);
  expect(header({ with: ["grad"], stage: "forward" })).toEqual([both, constants]);
  expect(header({ with: ["grad"], entries: ["path"] })).toEqual([]);
  expect(header({ stage: "primal" })).toEqual([]);
});
