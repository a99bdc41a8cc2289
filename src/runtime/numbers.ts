// Primitive operations that JavaScript lacks, on reals and on integers.

/** A partial derivative times a cotangent, or a tangent; where either is 0 nothing is passed on, also where the other one is infinite or NaN. */
export function scale(cotangent: number, partial: number): number {
  const product = cotangent * partial;
  return product === product ? product : undefinedProduct(cotangent, partial);
}

/** A cotangent, or a tangent, divided by a number: 0 where it is 0, or the other one infinite, whatever the other is. */
export function ratio(cotangent: number, divisor: number): number {
  const quotient = cotangent / divisor;
  return quotient === quotient ? quotient : undefinedQuotient(cotangent, divisor);
}

/** A quotient that is NaN, but 0 where it is that of 0, or by what is infinite. */
function undefinedQuotient(x: number, y: number): number {
  return x === 0 || Math.abs(y) === Infinity ? 0 : NaN;
}

/** A product that is NaN, but 0 where a factor is. */
function undefinedProduct(x: number, y: number): number {
  return x === 0 || y === 0 ? 0 : NaN;
}

/** The derivative of tanh. */
export function tanhSlope(x: number): number {
  const inverse = 1 / Math.cosh(x);
  return inverse * inverse;
}

/** Whether a number in a value is NaN: in arrays, objects, and what is in those. */
export function holdsNaN(value: unknown): boolean {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (next !== next) return true;
    if (next instanceof Float64Array) {
      for (let i = 0; i < next.length; i++) if (next[i] !== next[i]) return true;
    } else if (next instanceof Int32Array) {
      continue;
    } else if (Array.isArray(next)) {
      for (let i = 0; i < next.length; i++) {
        const part: unknown = next[i];
        if (part !== part) return true;
        if (typeof part === "object") waiting.push(part);
      }
    } else if (typeof next === "object" && next !== null) {
      for (const part of Object.values(next)) waiting.push(part);
    }
  }
  return false;
}

/** a / (x² + y²), also where the squares overflow or underflow; 0 at the origin. */
export function overSquares(a: number, x: number, y: number): number {
  const squares = x * x + y * y;
  if (squares > 1e-290 && squares < Infinity) return a / squares;
  const length = Math.hypot(x, y);
  return length === 0 || length === Infinity ? 0 : a / length / length;
}

/** The length of (x, y), also where the squares overflow or underflow. */
export function hypot(x: number, y: number): number {
  const squares = x * x + y * y;
  if (squares > 1e-290 && squares < Infinity) return Math.sqrt(squares);
  if (Math.abs(x) === Infinity || Math.abs(y) === Infinity) return Infinity;
  const unit = scaleOf(squares);
  return Math.sqrt(x * unit * (x * unit) + y * unit * (y * unit)) / unit;
}

/** A power of two by which numbers become moderate whose squares overflow or underflow. */
function scaleOf(squares: number): number {
  return squares > 1 ? 2 ** -600 : 2 ** 600;
}

/** a / (length of (x, y)), also where the squares overflow or underflow; 0 at the origin. What is infinite is 1 there, and what is not 0. */
export function overLength(a: number, x: number, y: number): number {
  const squares = x * x + y * y;
  if (squares > 1e-290 && squares < Infinity) return a / Math.sqrt(squares);
  if (x === 0 && y === 0) return 0;
  if (Math.abs(x) === Infinity || Math.abs(y) === Infinity) {
    const [first, second, third] = [a, x, y].map((each) => (Math.abs(each) === Infinity ? Math.sign(each) : 0));
    return overLength(first as number, second as number, third as number);
  }
  const unit = scaleOf(squares);
  const length = Math.sqrt(x * unit * (x * unit) + y * unit * (y * unit));
  return unit > 1 ? (a * unit) / length : (a / length) * unit;
}

/** The derivative of x^y in x, also where x^(y - 1) alone overflows; 0 at y = 0. */
export function powSlope(x: number, y: number): number {
  if (y === 0) return 0;
  const slope = y * Math.pow(x, y - 1);
  return x === 0 || Number.isFinite(slope) ? slope : (y * Math.pow(x, y)) / x;
}

/** The derivative of x^y in y, of which x^y is `power`, also where that is subnormal; 0 where it is 0. */
export function powRate(x: number, y: number, power: number): number {
  if (Math.abs(power) > 1e-290) return power * Math.log(x);
  const root = x === 0 ? 0 : Math.pow(x, y / 2);
  return root === 0 && x >= 0 ? 0 : root * Math.log(x) * root;
}

export function relu(x: number): number {
  return Math.max(x, 0);
}

/** 2^x. */
export function exp2(x: number): number {
  return Math.pow(2, x);
}

/** x^(1 / 512). Engines differ in the last digit of powers, not of square roots. */
function root512(x: number): number {
  for (let k = 0; k < 9; k++) x = Math.sqrt(x);
  return x;
}

/** 2^(i / 512) at i below 512, then 2^(i - 1051): from 2^-539 to 2^512. */
const powersOfTwo = /* @__PURE__ */ Float64Array.from({ length: 1564 }, (_, i) =>
  i < 512 ? root512(2 ** i) : 2 ** (i - 1051),
);

// V8 puts these few operations into a loop, where it would call `Math.exp`.

/** e^x to 1.4 units in the last place, for loops: the power of a multiple of ln(2) / 512 is in the table, that of the rest the sum of five terms. */
export function exp(x: number): number {
  const y = Math.min(Math.max(x, -746), 710);
  const i = Math.floor(y * 738.66 + 0.5);
  // ln(2) / 512 in two parts, the first so short that products with it are exact
  const rest = y - i * 0.001353803086658445 - i * 3.72698228373e-13;
  const root = powersOfTwo[i & 511] as number;
  // In two steps: 2^1024 and 2^-1075 are no doubles
  const half = i >> 10;
  const first = powersOfTwo[half + 1051] as number;
  const second = powersOfTwo[(i >> 9) - half + 1051] as number;
  return (root + root * (rest + rest * rest * (0.5 + rest * (1 / 6 + rest * (1 / 24))))) * first * second;
}

/** 1 / (1 + exp(-x)), without overflow. */
export function sigmoid(x: number): number {
  if (x >= 0) return 1 / (1 + exp(-x));
  const power = exp(x);
  return power / (1 + power);
}

/** log(1 + exp(x)), without overflow and cancellation. */
export function softplus(x: number): number {
  return Math.max(x, 0) + Math.log1p(exp(-Math.abs(x)));
}

/** c[0] + c[1] x + c[2] x^2 + .. */
function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (let i = coefficients.length - 1; i >= 0; i--) {
    sum = sum * x + (coefficients[i] ?? 0);
  }
  return sum;
}

/** The logarithm of |gamma(x)|; Infinity at the poles 0, -1, -2, .. */
export function lgamma(x: number): number {
  if (Math.abs(x) < 0.5) return lgammaNearOne(x) - Math.log(Math.abs(x));
  if (x < 0) {
    const sine = Math.sin(Math.PI * (x - Math.round(x)));
    return Math.log(Math.PI / Math.abs(sine)) - lgamma(1 - x);
  }
  if (x < 1.5) return lgammaNearOne(x - 1);
  if (x < 8) {
    let product = 1;
    while (x > 2.5) {
      x -= 1;
      product *= x;
    }
    return lgammaNearTwo(x - 2) + Math.log(product);
  }
  if (x === Infinity) return Infinity;
  // Stirling's series; the last number is (log(2 pi) - 1) / 2
  const tail = polynomial(stirlingCoefficients, 1 / (x * x)) / x;
  return (x - 0.5) * (Math.log(x) - 1) + 0.4189385332046727 + tail;
}

function lgammaNearOne(x: number): number {
  return lgammaNearTwo(x) - Math.log1p(x);
}

/** lgamma(2 + x) for |x| <= 0.5, with a small relative error: the zero of lgamma at 2 is split off. */
function lgammaNearTwo(x: number): number {
  return x * polynomial(zetaCoefficients, x);
}

/** 1 - Euler's constant, then (-1)^k (zeta(k) - 1) / k from k = 2. */
const zetaCoefficients: readonly number[] = [
  0.42278433509846713, 0.3224670334241132, -0.0673523010531981, 0.020580808427784546, -0.007385551028673986,
  0.0028905103307415234, -0.001192753911703261, 0.0005096695247430425, -0.00022315475845357939, 9.945751278180853e-5,
  -4.492623673813314e-5, 2.050721277567069e-5, -9.439488275268397e-6, 4.374866789907488e-6, -2.039215753801366e-6,
  9.55141213040742e-7, -4.492469198764566e-7, 2.1207184805554665e-7, -1.0043224823968099e-7, 4.7698101693639804e-8,
  -2.2711094608943164e-8, 1.0838659214896955e-8, -5.183475041970047e-9, 2.4836745438024785e-9, -1.1921401405860912e-9,
  5.731367241678862e-10,
];

/** B(2k) / (2k (2k - 1)) from k = 1, with B the Bernoulli numbers. */
const stirlingCoefficients: readonly number[] = [
  1 / 12,
  -1 / 360,
  1 / 1260,
  -1 / 1680,
  1 / 1188,
  -691 / 360360,
  1 / 156,
  -3617 / 122400,
];

/** The derivative of lgamma; NaN at the poles 0, -1, -2, .. */
export function digamma(x: number): number {
  if (x <= 0) {
    const fraction = x - Math.round(x);
    if (fraction === 0) return NaN;
    return digamma(1 - x) - Math.PI * cotangentOfPi(fraction);
  }
  let sum = 0;
  while (x < 10) {
    sum -= 1 / x;
    x += 1;
  }
  if (x === Infinity) return Infinity;
  const square = 1 / (x * x);
  return sum + Math.log(x) - 0.5 / x - square * polynomial(bernoulliCoefficients, square);
}

/** B(2k) / 2k from k = 1, with B the Bernoulli numbers. */
const bernoulliCoefficients: readonly number[] = [1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12];

/** The derivative of digamma of order n; Infinity at the poles 0, -1, -2, .. where it is so on both sides, NaN where it is not, and for n below 0 or above 1000. */
export function polygamma(n: number, x: number): number {
  if (!(n >= 1 && n <= 1000)) return n === 0 ? digamma(x) : NaN;
  const sign = n % 2 === 1 ? 1 : -1;
  if (x <= 0) {
    const fraction = x - Math.round(x);
    if (fraction === 0) return sign === 1 ? Infinity : NaN;
    return -sign * polygamma(n, 1 - x) - Math.PI ** (n + 1) * cotangentSlope(n, cotangentOfPi(fraction));
  }
  if (x === Infinity) return 0;
  // From the smallest term on: of the series at a large number, then of n! / (x + k)^(n + 1)
  const steps = Math.max(0, Math.ceil(n + 16 - x));
  const large = x + steps;
  const square = 1 / (large * large);
  let factor = (n + 1) * square;
  let tail = 0;
  for (let k = 0; k < bernoulliCoefficients.length; k++) {
    tail += factor * (bernoulliCoefficients[k] as number);
    const order = 2 * k + 2;
    factor *= (((n + order) * (n + order + 1)) / (order * (order + 1))) * square;
  }
  let sum = scaledFactorial(n, large) * (1 / n + (0.5 / large + tail));
  for (let k = steps - 1; k >= 0; k--) sum += scaledFactorial(n, x + k) / (x + k);
  return sign * sum;
}

/** cot (pi x) for |x| <= 1/2, also close to its zeros. */
function cotangentOfPi(x: number): number {
  const size = Math.abs(x);
  const value = size < 0.25 ? 1 / Math.tan(Math.PI * size) : Math.tan(Math.PI * (0.5 - size));
  return x < 0 ? -value : value;
}

/** n! / x^n, by factors in an order in which products stay of moderate size. */
function scaledFactorial(n: number, x: number): number {
  let product = 1;
  let low = 1;
  let high = n;
  while (low <= high) {
    if (product > 1) {
      product *= low / x;
      low += 1;
    } else {
      product *= high / x;
      high -= 1;
    }
  }
  return product;
}

// Its coefficients all have one sign: nothing cancels.

/** The derivative of the cotangent of order n, by its value: with every derivative comes a factor -(1 + cot²). */
function cotangentSlope(n: number, cotangent: number): number {
  // By powers of the cotangent: of every second one
  let coefficients = [0, 1];
  for (let order = 0; order < n; order++) {
    const slope = coefficients.map((each, power) => power * each).slice(1);
    coefficients = [...slope, 0, 0].map((each, power) => -each - (power < 2 ? 0 : (slope[power - 2] as number)));
  }
  const isOdd = n % 2 === 0;
  // Zero times what is infinite is no number
  const square = Math.min(cotangent * cotangent, Number.MAX_VALUE);
  const value = polynomial(
    coefficients.filter((_, power) => (power % 2 === 1) === isOdd),
    square,
  );
  return isOdd ? cotangent * value : value;
}

/** The error function. */
export function erf(x: number): number {
  const size = Math.abs(x);
  if (size < 1) return x * polynomial(erfCoefficients, x * x);
  return size > 6 ? Math.sign(x) : Math.sign(x) * (1 - tailOfErf(size));
}

/** 1 - erf(x), with a small relative error also where it is next to nothing. */
export function erfc(x: number): number {
  if (x < 0.5) return 1 - erf(x);
  return x > 28 ? 0 : tailOfErf(x);
}

/** erfc(x) for 1/2 <= x <= 28. */
function tailOfErf(x: number): number {
  const factor =
    x > 6 ? polynomial(tailCoefficients, 1 / (x * x)) / x : polynomial(erfcCoefficients, (x - 3) / (x + 3));
  // The square of the first part of x is exact
  const high = Math.fround(x);
  return Math.exp(-high * high) * Math.exp((high - x) * (high + x)) * factor;
}

/** Chebyshev fit of erf(x) / x in x^2 for |x| < 1; its error is below 1e-17. */
const erfCoefficients: readonly number[] = [
  1.1283791670955126, -0.37612638903183543, 0.11283791670945006, -0.02686617064323777, 0.0052239776071164225,
  -0.0008548325975389692, 0.00012055294904839707, -1.492473690741966e-5, 1.6447424703317362e-6, -1.6208483801871705e-7,
  1.3720064546777686e-8, -7.795898827002142e-10,
];

/** Chebyshev fit of exp(x^2) erfc(x) in (x - 3) / (x + 3) for 1/2 <= x <= 6; its error is below 1e-16. */
const erfcCoefficients: readonly number[] = [
  0.17900115118138996, -0.3262335600430372, 0.24560380171233076, -0.1501159365007787, 0.07166583719799015,
  -0.024392499318548342, 0.0042691363324091555, 0.0007077464342375863, -0.0005970619441667181, 4.5255389427945674e-5,
  6.405661974985294e-5, -1.286138015170453e-5, -7.979920959642397e-6, 2.1232010246675066e-6, 1.2662050525874465e-6,
  -2.865947992568429e-7, -2.6483771062920433e-7, -3.1063210479128355e-8, 7.59341884953446e-9,
];

/** Chebyshev fit of x exp(x^2) erfc(x) in 1 / x^2 for 6 <= x; its error is near 1e-17. */
const tailCoefficients: readonly number[] = [
  0.5641895835477563, -0.28209479177385105, 0.4231421876215437, -1.0578554468499726, 3.7024876063761933,
  -16.660096988181703, 91.51417736327535, -586.9115191209945, 4054.3906595796225, -25006.23066866484, 92075.12002292661,
];

// To write a number takes longer than to compute with it: only what fails does.

/** Throws the error of what was computed at `site`. */
function unsafeInt(computed: string, site: string): never {
  throw new RangeError(`${site}: ${computed} leaves the safe integers`);
}

export function addInt(x: number, y: number, site: string): number {
  const sum = x + y;
  return Number.isSafeInteger(sum) ? sum : unsafeInt(`${x} + ${y}`, site);
}

export function subInt(x: number, y: number, site: string): number {
  const difference = x - y;
  return Number.isSafeInteger(difference) ? difference : unsafeInt(`${x} - ${y}`, site);
}

export function mulInt(x: number, y: number, site: string): number {
  const product = x * y + 0;
  return Number.isSafeInteger(product) ? product : unsafeInt(`${x} * ${y}`, site);
}

export function negInt(x: number): number {
  return 0 - x;
}

/** x ^ n by repeated squaring. */
export function powInt(x: number, n: number, site: string): number {
  if (n < 0) throw new RangeError(`${site}: ${x} ^ ${n}: an integer has no negative power`);
  let power = 1;
  let square = x;
  for (let rest = n; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) power = power * square + 0;
    if (rest > 1) square *= square;
    if (!Number.isSafeInteger(power) || !Number.isSafeInteger(square)) unsafeInt(`${x} ^ ${n}`, site);
  }
  return power;
}

/** The quotient, rounded down. The rounding of x / y cannot reach the next integer: x is below 2^53. */
export function divInt(x: number, y: number, site: string): number {
  if (y === 0) throw new RangeError(`${site}: div ${x} 0 divides by zero`);
  return Math.floor(x / y) + 0;
}

/** x - y * div x y: it has the sign of y. */
export function modInt(x: number, y: number, site: string): number {
  if (y === 0) throw new RangeError(`${site}: mod ${x} 0 divides by zero`);
  const remainder = x % y;
  return remainder !== 0 && remainder < 0 !== y < 0 ? remainder + y : remainder + 0;
}

/** The length of two arrays that must have the same. */
export function sameLength(x: number, y: number, site: string): number {
  if (x !== y) throw new RangeError(`${site}: the lengths ${x} and ${y} must be the same`);
  return x;
}

/** Ends the evaluation for the reason that its author says. It gives a number as far as types go: what follows it may be needed for its own. */
export function fail(reason: string): number {
  throw new RangeError(reason);
}

/** The same, with the integer that its author gives at the end of the reason. */
export function failAt(at: number, reason: string): number {
  throw new RangeError(`${reason} ${at}`);
}

/** That in the place of a truth value. */
export function failBooleanAt(at: number, reason: string): boolean {
  throw new RangeError(`${reason} ${at}`);
}

/** `fail` in the place of a truth value. */
export function failBoolean(reason: string): boolean {
  throw new RangeError(reason);
}

export function floorInt(x: number, site: string): number {
  const n = Math.floor(x) + 0;
  return Number.isSafeInteger(n) ? n : unsafeInt(`floor ${x}`, site);
}

/** Halves are rounded up. */
export function roundInt(x: number, site: string): number {
  const n = Math.round(x) + 0;
  return Number.isSafeInteger(n) ? n : unsafeInt(`round ${x}`, site);
}

export function truncateInt(x: number, site: string): number {
  const n = Math.trunc(x) + 0;
  return Number.isSafeInteger(n) ? n : unsafeInt(`truncate ${x}`, site);
}
