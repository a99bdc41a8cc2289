// Reference values of the primitives on reals, of functions of the prelude on two of them, and of their partial derivatives, over the whole range of doubles: computed with 400 digits, then rounded.
// Writes test/references.json: by operation rows [arguments, value, ulps, [partial, ulps] ..]; `ulps` is the error that is allowed, in units in the last place: 4 of them,
// or what 4 in an argument make of the value. Run: node scripts/references.mjs

import { writeFileSync } from "node:fs";
import Decimal from "decimal.js";

Decimal.set({ precision: 400, toExpNeg: -9e15, toExpPos: 9e15 });

/** A double as it is, not as it is written in short. */
const exactly = (x) => new Decimal(Number.isInteger(x) ? String(BigInt(x)) : x.toPrecision(100));
const d = (x) => new Decimal(x);
const [zero, one, two] = [d(0), d(1), d(2)];
const pi = Decimal.acos(-1);
/** Beyond this exponentials are 0 or infinite in doubles. */
const far = 2000;

const exp = (x) => (x.abs().lt(far) ? x.exp() : x.gt(0) ? d(Infinity) : zero);
const sigmoid = (x) => one.div(one.plus(exp(x.neg())));
const power = (x, y) => {
  if (y.isZero()) return one;
  if (x.isZero()) return y.gt(0) ? zero : d(Infinity);
  const size = exp(x.abs().ln().times(y));
  return x.lt(0) && y.isInteger() && !y.mod(2).isZero() ? size.neg() : size;
};

/** B(2), B(4), .., by their recurrence. */
const bernoulli = (() => {
  const known = [one];
  for (let n = 1; n <= 120; n++) {
    let sum = zero;
    let binomial = one;
    for (let k = 0; k < n; k++) {
      sum = sum.plus(binomial.times(known[k]));
      binomial = binomial.times(n + 1 - k).div(k + 1);
    }
    known.push(sum.neg().div(n + 1));
  }
  return known.filter((_, n) => n % 2 === 0 && n > 0);
})();

const isPole = (x) => x.lte(0) && x.isInteger();

function lgamma(x) {
  if (isPole(x)) return d(Infinity);
  if (x.lt(0))
    return pi
      .div(Decimal.sin(pi.times(x.mod(2))).abs())
      .ln()
      .minus(lgamma(one.minus(x)));
  let shift = zero;
  let at = x;
  for (; at.lt(80); at = at.plus(1)) shift = shift.plus(at.ln());
  let sum = at.minus(0.5).times(at.ln()).minus(at).plus(pi.times(2).ln().div(2));
  bernoulli.slice(0, 40).forEach((b, i) => {
    const k = i + 1;
    sum = sum.plus(b.div(2 * k * (2 * k - 1)).div(at.pow(2 * k - 1)));
  });
  return sum.minus(shift);
}

function digamma(x) {
  if (isPole(x)) return d(NaN);
  if (x.lt(0)) return digamma(one.minus(x)).minus(pi.div(Decimal.tan(pi.times(x.mod(1)))));
  let shift = zero;
  let at = x;
  for (; at.lt(80); at = at.plus(1)) shift = shift.plus(one.div(at));
  let sum = at.ln().minus(one.div(at.times(2)));
  bernoulli.slice(0, 40).forEach((b, i) => {
    const k = i + 1;
    sum = sum.minus(b.div(2 * k).div(at.pow(2 * k)));
  });
  return sum.minus(shift);
}

/** The derivative of digamma of order n >= 1. */
function polygamma(n, x) {
  const sign = n % 2 === 1 ? 1 : -1;
  if (isPole(x)) return d(sign === 1 ? Infinity : NaN);
  if (x.lt(0)) {
    // By powers of the cotangent: its derivative of order n
    const angle = pi.times(x.mod(1));
    const cotangent = Decimal.cos(angle).div(Decimal.sin(angle));
    let slope = [zero, one];
    for (let order = 0; order < n; order++) {
      const next = slope.map((each, i) => each.times(-i)).slice(1);
      slope = [...next, zero, zero].map((each, i) => each.plus(i < 2 ? zero : next[i - 2]));
    }
    const value = slope.reduceRight((sum, each) => sum.times(cotangent).plus(each), zero);
    return polygamma(n, one.minus(x))
      .times(-sign)
      .minus(pi.pow(n + 1).times(value));
  }
  const factorial = (of) => Array.from({ length: of }, (_, i) => d(i + 1)).reduce((a, b) => a.times(b), one);
  let shift = zero;
  let at = x;
  for (; at.lt(80); at = at.plus(1)) shift = shift.plus(factorial(n).div(at.pow(n + 1)));
  let sum = factorial(n - 1)
    .div(at.pow(n))
    .plus(
      factorial(n)
        .div(at.pow(n + 1))
        .div(2),
    );
  bernoulli.slice(0, 40).forEach((b, i) => {
    const k = 2 * (i + 1);
    sum = sum.plus(
      b
        .times(factorial(k + n - 1))
        .div(factorial(k))
        .div(at.pow(k + n)),
    );
  });
  return sum.plus(shift).times(sign);
}

const where = (test, then) => (x, y) => (test(x, y) ? then(x, y) : d(NaN));
const inUnit = (x) => x.abs().lte(1);

/** By a continued fraction where 1 - erf has lost its digits. */
function erfc(x) {
  if (x.lt(4)) return one.minus(erf(x));
  if (x.gt(40)) return zero;
  let fraction = x;
  for (let k = 1500; k > 0; k--) fraction = x.plus(d(k).div(2).div(fraction));
  return exp(x.pow(2).neg()).div(fraction).div(pi.sqrt());
}

const length = (x, y) => x.pow(2).plus(y.pow(2)).sqrt();
const gaussian = (x) => (x.abs().gt(50) ? zero : exp(x.pow(2).neg()).times(2).div(pi.sqrt()));
const ln2 = two.ln();
const ln10 = d(10).ln();
const positive = (f) => where((x) => x.gte(0), f);
const cbrt = (x) => (x.isZero() ? zero : exp(x.abs().ln().div(3)).times(x.lt(0) ? -1 : 1));

function erf(x) {
  if (x.abs().gt(8)) return d(x.gt(0) ? 1 : -1);
  let [sum, term] = [x, x];
  for (let n = 1; term.abs().gt("1e-100"); n++) {
    term = term.times(x.pow(2)).div(n).neg();
    sum = sum.plus(term.div(2 * n + 1));
  }
  return sum.times(2).div(pi.sqrt());
}

/** By operation: the value, and its partial derivatives. */
const functions = {
  div: [(x, y) => x.div(y), (_, y) => one.div(y), (x, y) => x.div(y.pow(2)).neg()],
  sin: [(x) => x.sin(), (x) => x.cos()],
  cos: [(x) => x.cos(), (x) => x.sin().neg()],
  tan: [(x) => x.tan(), (x) => one.div(x.cos().pow(2))],
  asin: [where(inUnit, (x) => x.asin()), where(inUnit, (x) => one.div(one.minus(x.pow(2)).sqrt()))],
  acos: [where(inUnit, (x) => x.acos()), where(inUnit, (x) => one.div(one.minus(x.pow(2)).sqrt()).neg())],
  atan: [(x) => x.atan(), (x) => one.div(one.plus(x.pow(2)))],
  atan2: [
    (y, x) => Decimal.atan2(y, x),
    (y, x) => (y.isZero() && x.isZero() ? zero : x.div(x.pow(2).plus(y.pow(2)))),
    (y, x) => (y.isZero() && x.isZero() ? zero : y.div(x.pow(2).plus(y.pow(2))).neg()),
  ],
  sinh: [(x) => exp(x).minus(exp(x.neg())).div(2), (x) => exp(x).plus(exp(x.neg())).div(2)],
  cosh: [(x) => exp(x).plus(exp(x.neg())).div(2), (x) => exp(x).minus(exp(x.neg())).div(2)],
  tanh: [
    (x) => (x.abs().gt(far) ? d(x.gt(0) ? 1 : -1) : one.minus(two.div(exp(x.times(2)).plus(1)))),
    (x) => (x.abs().gt(far / 2) ? zero : d(4).div(exp(x).plus(exp(x.neg())).pow(2))),
  ],
  asinh: [
    (x) =>
      x
        .abs()
        .plus(x.pow(2).plus(1).sqrt())
        .ln()
        .times(x.lt(0) ? -1 : 1),
    (x) => one.div(x.pow(2).plus(1).sqrt()),
  ],
  acosh: [
    where(
      (x) => x.gte(1),
      (x) => x.plus(x.pow(2).minus(1).sqrt()).ln(),
    ),
    where(
      (x) => x.gte(1),
      (x) => (x.eq(1) ? d(Infinity) : one.div(x.pow(2).minus(1).sqrt())),
    ),
  ],
  atanh: [
    where(inUnit, (x) =>
      x.abs().eq(1) ? d(x.gt(0) ? Infinity : -Infinity) : one.plus(x).div(one.minus(x)).ln().div(2),
    ),
    where(inUnit, (x) => (x.abs().eq(1) ? d(Infinity) : one.div(one.minus(x.pow(2))))),
  ],
  exp: [exp, exp],
  expm1: [(x) => exp(x).minus(1), exp],
  exp2: [(x) => exp(x.times(ln2)), (x) => exp(x.times(ln2)).times(ln2)],
  log2: [positive((x) => (x.isZero() ? d(-Infinity) : x.ln().div(ln2))), positive((x) => one.div(x.times(ln2)))],
  log10: [positive((x) => (x.isZero() ? d(-Infinity) : x.ln().div(ln10))), positive((x) => one.div(x.times(ln10)))],
  cbrt: [cbrt, (x) => (x.isZero() ? d(Infinity) : one.div(cbrt(x).pow(2).times(3)))],
  hypot: [
    length,
    (x, y) => (x.isZero() ? zero : x.div(length(x, y))),
    (x, y) => (y.isZero() ? zero : y.div(length(x, y))),
  ],
  log: [
    where(
      (x) => x.gte(0),
      (x) => (x.isZero() ? d(-Infinity) : x.ln()),
    ),
    where(
      (x) => x.gte(0),
      (x) => one.div(x),
    ),
  ],
  log1p: [
    where(
      (x) => x.gte(-1),
      (x) => (x.eq(-1) ? d(-Infinity) : x.plus(1).ln()),
    ),
    where(
      (x) => x.gte(-1),
      (x) => one.div(x.plus(1)),
    ),
  ],
  sqrt: [
    where(
      (x) => x.gte(0),
      (x) => x.sqrt(),
    ),
    where(
      (x) => x.gte(0),
      (x) => one.div(x.sqrt().times(2)),
    ),
  ],
  pow: [
    where((x, y) => x.gte(0) || y.isInteger(), power),
    where(
      (x, y) => x.gte(0) || y.isInteger(),
      (x, y) => (y.isZero() ? zero : y.times(power(x, y.minus(1)))),
    ),
    where(
      (x) => x.gte(0),
      (x, y) => (x.isZero() ? (y.gt(0) ? zero : d(-Infinity)) : power(x, y).times(x.ln())),
    ),
  ],
  sigmoid: [sigmoid, (x) => sigmoid(x).times(sigmoid(x.neg()))],
  softplus: [(x) => (x.gt(far) ? x : exp(x).plus(1).ln()), sigmoid],
  lgamma: [lgamma, digamma],
  digamma: [digamma, (x) => polygamma(1, x)],
  trigamma: [(x) => polygamma(1, x), (x) => polygamma(2, x)],
  polygamma4: [(x) => polygamma(4, x), (x) => polygamma(5, x)],
  norm: [
    (x, y) => x.pow(2).plus(y.pow(2)).sqrt(),
    (x, y) => (x.isZero() ? zero : x.div(x.pow(2).plus(y.pow(2)).sqrt())),
    (x, y) => (y.isZero() ? zero : y.div(x.pow(2).plus(y.pow(2)).sqrt())),
  ],
  mean: [(x, y) => x.plus(y).div(2), () => d(0.5), () => d(0.5)],
  variance: [(x, y) => x.minus(y).div(2).pow(2), (x, y) => x.minus(y).div(2), (x, y) => y.minus(x).div(2)],
  logSumExp: [
    (x, y) => Decimal.max(x, y).plus(one.plus(exp(x.minus(y).abs().neg())).ln()),
    (x, y) => sigmoid(x.minus(y)),
    (x, y) => sigmoid(y.minus(x)),
  ],
  softmax: [
    (x, y) => sigmoid(x.minus(y)),
    (x, y) => sigmoid(x.minus(y)).times(sigmoid(y.minus(x))),
    (x, y) =>
      sigmoid(x.minus(y))
        .times(sigmoid(y.minus(x)))
        .neg(),
  ],
  erf: [erf, gaussian],
  erfc: [erfc, (x) => gaussian(x).neg()],
};

const sizes = [0, 5e-324, 1e-310, 3e-300, 1e-160, 1e-20, 0.1, 0.5, 1, 1.4616, 2, 3.7, 20, 360, 700, 1e10, 1e160, 3e300];
const reals = [...sizes.slice(1).map((x) => -x), ...sizes].sort((x, y) => x - y);
const few = [0, 5e-324, 1e-310, 3e-300, 1e-162, 1e-161, 0.5, 2, 1e160, 3e300];
const pairs = [...few.slice(1).map((x) => -x), ...few].flatMap((x) => few.map((y) => [x, y]));
const hasTwo = new Set(["div", "atan2", "pow", "hypot", "norm", "mean", "variance", "logSumExp", "softmax"]);
const unit = [-1, -0.9999999999999999, -0.5, -1e-8, 1e-8, 0.5, 0.9999999999999999, 1];
const points = (name) =>
  hasTwo.has(name) ? pairs : [...reals, ...(name.startsWith("a") && name.length === 4 ? unit : [])].map((x) => [x]);

/** The distance from a double to the next one. */
function ulp(x) {
  const size = Math.abs(x);
  if (size < 2 ** -1022) return 2 ** -1074;
  return Number.isFinite(size) ? 2 ** Math.max(Math.floor(Math.log2(size)) - 52, -1074) : Infinity;
}

const round = (x) => (x.isNaN() ? NaN : Number(x.toPrecision(40)));

/** An argument with an error of four units in the last place. */
const fourUlps = one.plus(two.pow(-51));

/** The function at a point, as a double, and the error that is allowed there. */
function reference(f, point) {
  const at = f(...point.map(exactly));
  const value = round(at);
  if (!Number.isFinite(value)) return [value, 0];
  const unitThere = ulp(value);
  const moved = point.map((x, i) => {
    const beside = f(...point.map((each, j) => (i === j ? exactly(each).times(fourUlps) : exactly(each))));
    const distance = beside.minus(at).abs();
    return distance.isFinite() ? Number(distance.div(unitThere).toPrecision(5)) : Infinity;
  });
  const allowed = Math.ceil(moved.reduce((sum, each) => sum + each, 4));
  return [value, allowed > 1e15 ? Infinity : allowed];
}

const text = (x) => (Object.is(x, -0) ? "0" : Number.isFinite(x) ? String(x) : JSON.stringify(String(x)));
const tuple = (parts) => `[${parts.join(",")}]`;
const rows = Object.entries(functions).map(([name, [value, ...partials]]) => {
  const of = points(name).map((point) =>
    tuple([tuple(point.map(text)), ...[value, ...partials].map((f) => tuple(reference(f, point).map(text)))]),
  );
  return `"${name}": ${tuple(of)}`;
});
writeFileSync(new URL("../test/references.json", import.meta.url), `{\n${rows.join(",\n")}\n}\n`);
