// Numbers of std/ at the ends of the range of numbers. Those of distributions were computed with mpmath from the densities and from a series of the distribution function, with 700
// and 60 digits; derivatives are central differences of these.

import { beforeAll, describe, expect, test } from "vitest";
import { compile } from "../src/driver/compile.js";
import { grad } from "../src/index.js";
import { exportOf, functionOf, loadModule, propertyOf } from "../src/driver/evaluate.js";
import { numbersOf } from "./support/std-references.js";

const text = `import "std/probability.lam" (studentTCdf, gammaLogPdf, inverseGammaLogPdf, betaLogPdf, weibullLogPdf)
import "std/special.lam" (erfcx, logNormalCdf, besselI0, besselI1)

def studentT (x : R) (df : R) : R = studentTCdf x df 0 1
def mixed (x : R) (df : R) : R = derivative (\\s. derivative (\\y. studentTCdf y s 0 1) x) df
def mixedBack (x : R) (df : R) : R = derivative (\\y. derivative (\\s. studentTCdf y s 0 1) df) x
def gamma (x : R) (a : R) (b : R) : R = gammaLogPdf x a b
def inverseGamma (x : R) (a : R) (b : R) : R = inverseGammaLogPdf x a b
def beta (x : R) (a : R) (b : R) : R = betaLogPdf x a b
def weibull (x : R) (a : R) (b : R) : R = weibullLogPdf x a b
def scaledErfc (x : R) : R = erfcx x
def logNormal (x : R) : R = logNormalCdf x
def i0 (x : R) : R = besselI0 x
def i1 (x : R) : R = besselI1 x
`;
const entries = [...text.matchAll(/^def (\w+)/gm)].map((found) => found[1] ?? "");

/** The function, its arguments, the value, and partial derivatives; undefined ones are not looked at. */
const rows: readonly [string, readonly number[], number, ...(number | undefined)[]][] = [
  ["studentT", [0, 3], 0.5, 0.3675525969478614, 0],
  ["studentT", [1e-170, 3], 0.5, 0.3675525969478614, 9.732981649988489e-173],
  ["studentT", [1e-9, 3], 0.5000000003675527, undefined, 9.73298164998849e-12],
  ["studentT", [1.1e-8, 3], 0.5000000040430785, undefined, 1.0706279814987337e-10],
  ["studentT", [1e160, 3], 1, 0, 0],
  ["studentT", [-1e160, 1], 3.1830988618379067e-161, undefined, -1.1720821516364768e-158],
  ["studentT", [-1e200, 0.01], 0.0048526328575587, undefined, -2.2467914099830226],
  ["studentT", [1e200, 0.01], 1 - 0.0048526328575587, undefined, 2.2467914099830226],
  ["studentT", [-1e60, 0.3], 3.4950072338385643e-19, undefined, -4.8498504009388655e-17],
  ["studentT", [-1e49, 0.3], 6.973456224221713e-16, undefined, -7.910456339890686e-14],
  ["studentT", [Infinity, 3], 1, 0, 0],
  ["studentT", [-Infinity, 3], 0, 0, 0],
  ["studentT", [-1, 1e300], 0.15865525393145705, 0.24197072451914337, 0],
  ["studentT", [-1e10, 1e300], 0, 0, 0],
  ["gamma", [1e-300, 1e9, 1], -710498793034.9419, undefined, -711.4987937346601, 1e9],
  ["gamma", [1e-320, 1, 1], 0, -1, -736.2500252260724, 1],
  ["gamma", [1e-320, 0.5, 1], 367.84125550256226, undefined, -734.8637308649525, 0.5],
  ["gamma", [1e-320, 20, 1], -14039.057461115704, undefined, -739.797764883216, 20],
  ["gamma", [1e-200, 20, 1e-200], -17999.503609540756, 1.9e201, -924.0045611898604, 2e201],
  ["gamma", [1e-200, 2, 1e-200], -1381.5510557964274, 1e200, -921.4568215327167, 2e200],
  ["gamma", [Infinity, 2, 1], -Infinity, 0, 0, 0],
  ["gamma", [1e300, 2, 1e300], -Infinity],
  ["inverseGamma", [1e-310, 2, 1], -Infinity],
  ["inverseGamma", [1e300, 2, 1e-300], -3453.8776394910683, -3e-300, -1381.973840131526, 2e300],
  ["inverseGamma", [Infinity, 2, 1], -Infinity],
  ["beta", [1e-300, 1e9, 1], -690775527186.715, undefined, -690.7755278972137, 21.300481502347942],
  ["beta", [1e-320, 0.5, 1], 367.720473264927, undefined, -734.8272408909739, 0.6137056388801094],
  ["beta", [1e-320, 0.5, 12], 369.0732951686248, undefined, -732.3785352136775, 0.04253397129910003],
  ["beta", [1e-320, 20, 30], -13965.748756136527, undefined, -735.8957752097882, 0.5175515407423673],
  ["beta", [1e-300, 1e9, 1e9], -689389232837.2222, undefined, -690.0823807174038, 0.6931471808099453],
  ["weibull", [1e-300, 1e9, 1], -690775527186.715, undefined, -690.7755278972137, -1e9],
  ["weibull", [1e-320, 1, 1], 0, -1, -735.8272408909739, -1],
  ["weibull", [1e-300, 2, 1e300], -2071.633436514081, 1e300, -1381.0510557964274, -2e-300],
  ["weibull", [Infinity, 2, 1], -Infinity, 0, 0, 0],
  ["weibull", [1e300, 2, 1e-300], -Infinity],
  ["scaledErfc", [NaN], NaN, NaN],
  ["scaledErfc", [Infinity], 0, 0],
  ["scaledErfc", [-Infinity], Infinity, -Infinity],
  ["logNormal", [NaN], NaN, NaN],
  ["logNormal", [-Infinity], -Infinity, Infinity],
  ["i0", [Infinity], Infinity, Infinity],
  ["i0", [-Infinity], Infinity, -Infinity],
  ["i0", [NaN], NaN],
  ["i1", [Infinity], Infinity, Infinity],
  ["i1", [-Infinity], -Infinity, Infinity],
];

/** Equal, or as close as rounding of the arguments allows. */
function isNear(found: number, expected: number): boolean {
  return Object.is(found, expected) || Math.abs(found - expected) <= 1e-12 * Math.abs(expected) + 1e-290;
}

describe("at the ends of the range of numbers", () => {
  let module: ReturnType<typeof loadModule>;

  beforeAll(() => {
    const compiled = compile({ name: "extremes.lam", text }, { target: "js", entries });
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
    module = loadModule(compiled.value.code);
  }, 300_000);

  test.each(rows)("%s %j", (name, args, value, ...partials) => {
    const result = functionOf(exportOf(module, `${name}Grad`))(...args);
    const found = [propertyOf(result, "value"), propertyOf(result, "grad")].flatMap(numbersOf);
    [value, ...partials].forEach((expected, i) => {
      const at = JSON.stringify([found.map(String), i, String(expected)]);
      if (expected !== undefined) expect(isNear(found[i] ?? NaN, expected), at).toBe(true);
    });
  });

  test("Student's t distribution: the second derivatives at the location are equal", () => {
    // The derivative of the density at 0 in the degrees of freedom
    for (const name of ["mixed", "mixedBack"]) {
      expect(functionOf(exportOf(module, name))(0, 3)).toBeCloseTo(0.00973298164998849, 12);
    }
  });
});

describe("minimise", () => {
  const start = 'import "std/solve.lam" (minimise)\n\n';

  test.each([
    ["minimise (\\x. log (-1 - x * x) + a) a", "what is to be least is not finite"],
    ["minimise (\\_. 0 / 0) a", "what is to be least is not finite"],
    ["minimise (\\x. if x == 1 then x else 0 / 0) a", "this does not come to a minimum"],
  ])("%s", (body, message) => {
    const result = grad({ name: "m.lam", text: `${start}def f (a : R) : R = ${body}\n` }, "f", { a: 1 });
    expect(result.ok).toBe(false);
    expect(JSON.stringify(result.diagnostics)).toContain(message);
  });
});
