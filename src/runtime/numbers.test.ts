import { describe, expect, test } from "vitest";
import * as numbers from "./numbers.js";

// Reference values: 50 decimal digits (mpmath), rounded to the nearest double.
const lgammaValues: readonly (readonly [number, number])[] = [
  [1e-300, 690.7755278982137],
  [1e-10, 23.025850929882736],
  [0.1, 2.252712651734206],
  [0.3, 1.0957979948180756],
  [0.49999, 0.5723845782717032],
  [0.5, 0.5723649429247001],
  [0.75, 0.20328095143129538],
  [0.999999, 5.772164873855652e-7],
  [1.0000001, -5.772155829918507e-8],
  [1.25, -0.09827183642181316],
  [1.4616, -0.12148629003589732],
  [1.5, -0.12078223763524522],
  [1.75, -0.08440112102048555],
  [1.9999999, -4.2278430309861296e-8],
  [2.0000001, 4.227843666532498e-8],
  [2.3, 0.15418945495963046],
  [2.5, 0.2846828704729192],
  [2.6, 0.35741186354897986],
  [3.0, 0.6931471805599453],
  [4.5, 2.4537365708424423],
  [7.999, 8.523145786158915],
  [8.0, 8.525161361065415],
  [8.5, 9.549267257300997],
  [12.3, 18.238983407092245],
  [50.0, 144.5657439463449],
  [171.5, 709.1431630309282],
  [100000.0, 1051287.7089736569],
  [1000000000000000.0, 3.3538776394910668e16],
  [1e300, 6.897755278982137e302],
  [-1e-300, 690.7755278982137],
  [-1e-12, 27.631021115929126],
  [-0.2, 1.7614975908339379],
  [-0.4999, 1.2655158171559169],
  [-0.5, 1.2655121234846454],
  [-0.75, 1.5757045971498584],
  [-1.5, 0.860047015376481],
  [-2.2, 0.7907186736757122],
  [-5.5, -4.517832174007741],
  [-20.3, -41.887292480135244],
  [-100.7, -365.61225576180533],
];
const digammaValues: readonly (readonly [number, number])[] = [
  [1e-300, -9.999999999999999e299],
  [1e-10, -10000000000.577215],
  [0.1, -10.423754940411076],
  [0.5, -1.9635100260214235],
  [1.0, -0.5772156649015329],
  [1.4, -0.06138454458511624],
  [1.5, 0.03648997397857652],
  [2.0, 0.42278433509846713],
  [3.7, 1.1671535393615113],
  [9.99, 2.250700372831201],
  [10.0, 2.251752589066721],
  [25.5, 3.2189424728839198],
  [1000000.0, 13.815510057964191],
  [1e300, 690.7755278982137],
  [-1e-10, 9999999999.422785],
  [-0.1, 9.245073050052948],
  [-0.5, 0.03648997397857652],
  [-0.9, -9.312643829299969],
  [-1.5, 0.7031566406452432],
  [-3.00001, 100001.25608695285],
  [-10.3, 4.662403493582087],
  [-100.7, 2.334602156719901],
];
const erfValues: readonly (readonly [number, number])[] = [
  [1e-300, 1.1283791670955126e-300],
  [1e-20, 1.1283791670955125e-20],
  [1e-5, 1.1283791670579e-5],
  [0.1, 0.1124629160182849],
  [0.5, 0.5204998778130465],
  [0.84, 0.7651427114549945],
  [0.9999999, 0.842700751438961],
  [1.0, 0.8427007929497149],
  [1.1, 0.8802050695740817],
  [1.5, 0.9661051464753108],
  [2.0, 0.9953222650189527],
  [2.7, 0.9998656672600594],
  [3.0, 0.9999779095030014],
  [3.5, 0.9999992569016276],
  [4.0, 0.9999999845827421],
  [5.0, 0.9999999999984626],
  [5.9, 0.9999999999999999],
  [6.1, 1.0],
  [30.0, 1.0],
];
const softplusValues: readonly (readonly [number, number])[] = [
  [-800.0, 0.0],
  [-700.0, 9.85967654375977e-305],
  [-40.0, 4.248354255291589e-18],
  [-1.0, 0.3132616875182228],
  [0.0, 0.6931471805599453],
  [1e-9, 0.6931471810599453],
  [1.0, 1.3132616875182228],
  [30.0, 30.000000000000092],
  [40.0, 40.0],
  [800.0, 800.0],
];
const sigmoidValues: readonly (readonly [number, number])[] = [
  [-745.0, 5e-324],
  [-700.0, 9.85967654375977e-305],
  [-40.0, 4.248354255291589e-18],
  [-1.0, 0.2689414213699951],
  [0.0, 0.5],
  [1e-9, 0.50000000025],
  [1.0, 0.7310585786300049],
  [30.0, 0.9999999999999064],
  [40.0, 1.0],
  [800.0, 1.0],
];

const relativeError = (actual: number, expected: number): number =>
  actual === expected ? 0 : Math.abs(actual - expected) / Math.max(Math.abs(expected), Number.MIN_VALUE);

describe("functions of reals agree with reference values", () => {
  test.each(lgammaValues)("lgamma %d", (x, expected) => {
    expect(relativeError(numbers.lgamma(x), expected)).toBeLessThan(x < 0 ? 5e-15 : 1.2e-15);
  });
  test.each(digammaValues)("digamma %d", (x, expected) => {
    expect(Math.abs(numbers.digamma(x) - expected) / Math.max(1, Math.abs(expected))).toBeLessThan(5e-15);
  });
  test.each(erfValues)("erf %d and its mirror image", (x, expected) => {
    expect(relativeError(numbers.erf(x), expected)).toBeLessThan(3e-16);
    expect(numbers.erf(-x)).toBe(-numbers.erf(x));
  });
  test.each(softplusValues)("softplus %d", (x, expected) => {
    expect(relativeError(numbers.softplus(x), expected)).toBeLessThan(1e-15);
  });
  test.each(sigmoidValues)("sigmoid %d", (x, expected) => {
    expect(relativeError(numbers.sigmoid(x), expected)).toBeLessThan(1e-15);
  });
});

describe("at poles, infinities and NaN", () => {
  test.each([0, -0, -1, -2, -1e20])("lgamma and digamma have a pole at %d", (x) => {
    expect(numbers.lgamma(x)).toBe(Infinity);
    expect(numbers.digamma(x)).toBeNaN();
  });

  test("infinities", () => {
    expect(numbers.lgamma(Infinity)).toBe(Infinity);
    expect(numbers.digamma(Infinity)).toBe(Infinity);
    expect([numbers.erf(Infinity), numbers.erf(-Infinity)]).toEqual([1, -1]);
    expect([numbers.sigmoid(Infinity), numbers.sigmoid(-Infinity)]).toEqual([1, 0]);
    expect([numbers.softplus(Infinity), numbers.softplus(-Infinity)]).toEqual([Infinity, 0]);
    expect([numbers.relu(Infinity), numbers.relu(-Infinity)]).toEqual([Infinity, 0]);
  });

  test.each([numbers.lgamma, numbers.digamma, numbers.erf, numbers.sigmoid, numbers.softplus, numbers.relu])(
    "%o keeps NaN",
    (f) => {
      expect(f(NaN)).toBeNaN();
    },
  );

  test("small arguments of erf stay exact", () => {
    expect(numbers.erf(0)).toBe(0);
    expect(numbers.erf(-0)).toBe(-0);
  });

  test("a zero cotangent contributes 0", () => {
    expect(numbers.scale(0, Infinity)).toBe(0);
    expect(numbers.scale(-0, NaN)).toBe(0);
    expect(numbers.scale(2, 3)).toBe(6);
    expect(numbers.scale(1, Infinity)).toBe(Infinity);
  });
});

describe("integers", () => {
  const site = "f (model.lam:3:5)";
  const max = Number.MAX_SAFE_INTEGER;

  test.each([
    [() => numbers.addInt(2, 3, site), 5],
    [() => numbers.subInt(2, 3, site), -1],
    [() => numbers.mulInt(-4, 3, site), -12],
    [() => numbers.mulInt(-4, 0, site), 0],
    [() => numbers.negInt(0), 0],
    [() => numbers.negInt(-7), 7],
    [() => numbers.powInt(-3, 3, site), -27],
    [() => numbers.powInt(0, 0, site), 1],
    [() => numbers.powInt(-1, max, site), -1],
    [() => numbers.powInt(2, 52, site), 2 ** 52],
    [() => numbers.powInt(3, 33, site), 3 ** 33],
    [() => numbers.divInt(7, 2, site), 3],
    [() => numbers.divInt(-7, 2, site), -4],
    [() => numbers.divInt(7, -2, site), -4],
    [() => numbers.divInt(-7, -2, site), 3],
    [() => numbers.divInt(0, -2, site), 0],
    [() => numbers.divInt(max, 10, site), 900719925474099],
    [() => numbers.divInt(-max, max - 1, site), -2],
    [() => numbers.modInt(7, 3, site), 1],
    [() => numbers.modInt(-7, 3, site), 2],
    [() => numbers.modInt(7, -3, site), -2],
    [() => numbers.modInt(-6, 3, site), 0],
    [() => numbers.modInt(max - 1, max, site), max - 1],
    [() => numbers.sameLength(3, 3, site), 3],
    [() => numbers.floorInt(-0.5, site), -1],
    [() => numbers.floorInt(-0, site), 0],
    [() => numbers.roundInt(2.5, site), 3],
    [() => numbers.roundInt(-0.4, site), 0],
    [() => numbers.truncateInt(-0.9, site), 0],
    [() => numbers.truncateInt(-2.9, site), -2],
  ])("%o", (compute, expected) => {
    expect(compute()).toBe(expected);
  });

  test.each([
    [() => numbers.addInt(max, 1, site), "9007199254740991 + 1 leaves the safe integers"],
    [() => numbers.subInt(-max, 1, site), "-9007199254740991 - 1 leaves the safe integers"],
    [() => numbers.mulInt(max, 2, site), "9007199254740991 * 2 leaves the safe integers"],
    [() => numbers.powInt(10, 16, site), "10 ^ 16 leaves the safe integers"],
    [() => numbers.powInt(2, max, site), "2 ^ 9007199254740991 leaves the safe integers"],
    [() => numbers.powInt(2, -1, site), "2 ^ -1: an integer has no negative power"],
    [() => numbers.divInt(5, 0, site), "div 5 0 divides by zero"],
    [() => numbers.modInt(5, 0, site), "mod 5 0 divides by zero"],
    [() => numbers.sameLength(3, 4, site), "the lengths 3 and 4 must be the same"],
    [() => numbers.floorInt(NaN, site), "floor NaN leaves the safe integers"],
    [() => numbers.roundInt(1e300, site), "round 1e+300 leaves the safe integers"],
    [() => numbers.truncateInt(-Infinity, site), "truncate -Infinity leaves the safe integers"],
  ])("%o fails", (compute, message) => {
    expect(compute).toThrow(new RangeError(`${site}: ${message}`));
  });
});

describe("exp", () => {
  const expValues: readonly (readonly [number, number])[] = [
    [-708, 3.307553003638408e-308],
    [-100.3, 2.7559000653565687e-44],
    [-20.7, 1.0235385977594162e-9],
    [-2.4126063752919436, 0.08958150700904702],
    [-1, 0.36787944117144233],
    [-0.3, 0.7408182206817179],
    [-1e-9, 0.999999999],
    [0.00001, 1.00001000005],
    [0.5, 1.6487212707001282],
    [0.7, 2.0137527074704766],
    [1, 2.718281828459045],
    [2.5, 12.182493960703473],
    [10.1, 24343.00942440838],
    [33.3, 289738526663660.5],
    [250.25, 4.810542947488507e108],
    [700, 1.0142320547350045e304],
    [709.78, 1.7928227943945155e308],
    [709.782712893384, 1.7976931348622732e308],
  ];

  test("is exact to 1.4 units in the last place", () => {
    for (const [x, value] of expValues) expect(Math.abs(numbers.exp(x) - value)).toBeLessThanOrEqual(1.4 * ulp(value));
    // Math.exp is exact to one
    for (let x = -708; x < 709; x += 0.0371) {
      expect(Math.abs(numbers.exp(x) - Math.exp(x))).toBeLessThanOrEqual(2 * ulp(Math.exp(x)));
    }
  });

  test("of zero, of what is not finite, and of what is too large or too small", () => {
    for (const x of [0, -0, 1e-300, -1e-300]) expect(numbers.exp(x)).toBe(1);
    expect(numbers.exp(NaN)).toBeNaN();
    for (const x of [709.7827128933841, 800, 1e300, Infinity]) expect(numbers.exp(x)).toBe(Infinity);
    for (const x of [-746, -1e300, -Infinity]) expect(numbers.exp(x)).toBe(0);
    for (const x of [-708.5, -730, -743, -744.5, -745.1, -745.2]) {
      expect(Math.abs(numbers.exp(x) - Math.exp(x))).toBeLessThanOrEqual(5e-324);
    }
  });
});

/** A unit in the last place of a normal number. */
function ulp(x: number): number {
  return 2 ** (Math.floor(Math.log2(x)) - 52);
}
