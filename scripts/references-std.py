# Reference values of std/special.lam and std/probability.lam, and of their partial derivatives: computed with mpmath, with 60 digits or more, from definitions, series and
# published closed forms, then rounded. Derivatives are central differences of the values, with steps of 1e-25 of an argument.
# Writes test/references-special.json and test/references-probability.json: by function rows [arguments, [value, error], [partial, error] ..]; `error` is what an error of
# 4 units in the last place of each argument makes of the number, relative to it. Run: python3 scripts/references-std.py [special|probability], with Debian's python3-mpmath.

import json
import math
import pathlib
import sys
from multiprocessing import Pool

from mpmath import mp, mpf

mp.dps = 80
FOUR_ULPS = mpf(2) ** -51
BITS = 330


def fixed_sum(factor, bits):
    """1 + factor(0) + factor(0) factor(1) + .., where factors are fractions of integers, with so many bits behind the point."""
    one = 1 << bits
    term = total = one
    n = 0
    while term > 0:
        numerator, denominator = factor(n)
        term = term * numerator // denominator
        total += term
        n += 1
    return mpf(total) / one


def integer(x, bits):
    return int(mp.floor(mpf(x) * mpf(2) ** bits))


def gamma_lower(a, x, bits=BITS):
    """P(a, x) by DLMF 8.11.4."""
    with mp.workprec(bits + 60):
        top, bottom, one = integer(x, bits), integer(a, bits), 1 << bits
        total = fixed_sum(lambda n: (top, bottom + (n + 1) * one), bits)
        return mp.exp(a * mp.log(x) - x - mp.loggamma(a + 1)) * total


def gamma_p(a, x):
    return +gamma_lower(a, x)


def gamma_q(a, x):
    """1 - P(a, x), with as many more bits as are lost."""
    small = max(mpf(0), x - a - a * mp.log(x / a)) / mp.log(2) if x > a else mpf(0)
    lost = int(small) + 20 + max(0, int(-mp.log(a, 2)))
    bits = BITS + lost
    with mp.workprec(bits + 60):
        result = 1 - gamma_lower(a, x, bits)
    return +result


def beta_lower(a, b, x, y, bits=BITS):
    """I_x(a, b) by DLMF 8.17.8."""
    with mp.workprec(bits + 60):
        at, sum_, next_, one = integer(x, bits), integer(a + b, bits), integer(a + 1, bits), 1 << bits
        total = fixed_sum(lambda n: ((sum_ + n * one) * at, (next_ + n * one) << bits), bits)
        return mp.exp(a * mp.log(x) + b * mp.log(y) - log_beta(a, b) - mp.log(a)) * total


def beta_inc(a, b, x):
    with mp.workprec(BITS + 60):
        y = 1 - x
        # Terms are positive: on either side of the mean; millions next to x = 1, where there are digits enough for what cancels
        below = x * 2 <= 1 or (b > 1 and x * (a + b) <= a and y > 1e-3)
        result = beta_lower(a, b, x, y) if below else 1 - beta_lower(b, a, y, x)
    return +result


def log_beta(a, b):
    return mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)


def erfcx(x):
    if x > 1e4:
        # DLMF 7.12.1
        total = term = 1 / (x * mp.sqrt(mp.pi))
        for k in range(1, 40):
            term = -term * (2 * k - 1) / (2 * x * x)
            total += term
        return total
    return mp.exp(x * x) * mp.erfc(x)


def normal_cdf(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2


def log_normal_cdf(x):
    if x > 5:
        return mp.log1p(-mp.erfc(x / mp.sqrt(2)) / 2)
    return mp.log(erfcx(-x / mp.sqrt(2)) / 2) - x * x / 2


def normal_quantile(p):
    """By Newton's method on the logarithm of the smaller tail."""
    flip = p > mpf(1) / 2
    target = mp.log(1 - p if flip else p)
    x = -mp.sqrt(-2 * target)
    if target > -1:
        x = (mp.exp(target) - mpf(1) / 2) * mp.sqrt(2 * mp.pi)
    for _ in range(200):
        value = log_normal_cdf(x)
        slope = mp.exp(-x * x / 2 - value) / mp.sqrt(2 * mp.pi)
        step = (value - target) / slope
        x -= step
        if abs(step) < abs(x) * mpf(10) ** -(mp.dps - 6) or x == 0:
            break
    return -x if flip else x


def log_softmax(i):
    return lambda *xs: xs[i] - mp.log(mp.fsum(mp.exp(x) for x in xs))


def tails(center, width):
    return sorted({center + s * width for s in (-36, -12, -3, -0.3, 0, 0.01, 0.6, 3, 12, 36)})


SIGNED = [-1e5, -300, -38.4, -37.5, -30, -26.5, -12.3, -5, -3.9, -1.5, -1, -0.4, -1e-5, -1e-300]
POSITIVE = [1e-300, 1e-20, 1e-5, 0.3, 0.6, 0.99, 1.01, 1.3, 1.99, 2.01, 3.1, 4.99, 5.01, 7.7, 12, 24.9, 25.1, 29.9, 30.1, 37, 80, 300, 695]
LARGE = [1e3, 1e5, 1e8, 1e15]


def points_gamma():
    rows = []
    for a in [1e-10, 1e-3, 0.1, 0.5, 0.99, 1, 1.3, 2.5, 9.9, 10.1, 50, 1e3, 3e4, 99999, 100001, 1e6]:
        spread = a**0.5
        xs = {1e-300, 1e-10, 0.01, 0.4, 0.59, 0.61, 1, 1.49, 1.51, 3, 20, 300, 690} if a < 20 else set()
        if a >= 10:
            xs |= {x for x in tails(a, spread) if x > 0}
            xs |= {a * 0.45, a * 0.61, a * 1.39, a * 1.41, a + 0.49, a + 0.51} if a < 3e4 else set()
        if a >= 99999:
            xs = {a + s * spread for s in (-30, -5, -0.3, 0, 4, 36)}
        rows += [[a, x] for x in sorted(xs)]
    return rows


def points_beta():
    rows = []
    shapes = [1e-3, 0.5, 2, 11, 1e3]
    for a in shapes:
        for b in shapes:
            mean = a / (a + b)
            spread = (mean * (1 - mean) / (a + b + 1)) ** 0.5
            xs = {1e-300, 1e-8, 0.1, 0.49, 0.96, 1 - 2**-30} | {mean + s * spread for s in (-20, -4, -0.5, 0.5, 4)}
            rows += [[a, b, x] for x in sorted(xs) if 0 < x < 1]
    for a, b in [(1e6, 1e6), (1e6, 3), (2.5, 1e6), (1e6, 2e4), (0.3, 1e5), (1e5, 0.3), (30, 1e6)]:
        mean = a / (a + b)
        spread = (mean * (1 - mean) / (a + b + 1)) ** 0.5
        rows += [[a, b, x] for x in sorted({mean + s * spread for s in (-20, -3, -0.3, 0.4, 3)}) if 0 < x < 1]
    return rows


def one(xs):
    return [[x] for x in xs]


SPECIAL = {
    "log1mExp": (lambda x: mp.log(-mp.expm1(x)), one([-1e-300, -1e-10, -0.1, -0.69, -0.7, -2, -30, -600])),
    "xlogx": (lambda x: x * mp.log(x), one(POSITIVE + LARGE)),
    "xlogy": (lambda x, y: x * mp.log(y), [[x, y] for x in (-3.3, 1e-10, 2, 1e10) for y in (1e-300, 0.4, 1.7, 1e200)]),
    "logSoftmax0": (log_softmax(0), [[-1, 2, 0.5], [30, 2, 0], [-800, 3, 1], [1e-3, 1e-3, 1e-3]]),
    "erfcx": (erfcx, one([x for x in SIGNED if x > -26.6] + POSITIVE + LARGE)),
    "normalCdf": (normal_cdf, one([x for x in SIGNED if x > -38.6] + [x for x in POSITIVE if x < 38])),
    "logNormalCdf": (log_normal_cdf, one(SIGNED + [x for x in POSITIVE if x < 37.5])),
    "normalQuantile": (
        normal_quantile,
        one([1e-300, 1e-100, 1e-20, 1e-11, 1.4e-11, 1e-5, 0.01, 0.0749, 0.0751, 0.3, 0.49999, 0.51, 0.8, 0.9251, 0.99999, 1 - 2**-50]),
    ),
    "trigamma": (lambda x: mp.psi(1, x), one([-3.3, -0.1, 1e-150, 1e-5, 0.5, 3, 9.9, 1e5, 1e100])),
    "lbeta": (log_beta, [[a, b] for a in (1e-300, 1e-8, 0.3, 1, 2, 9.9, 10.1, 300, 1e6, 1e12) for b in (1e-8, 0.7, 1.5, 9.8, 10.2, 1e4, 1e9)]),
    "gammaP": (gamma_p, points_gamma()),
    "gammaQ": (gamma_q, points_gamma()),
    "betaInc": (beta_inc, points_beta()),
    "besselJ0": (lambda x: mp.besselj(0, x), one(POSITIVE + [-4, 2.404825557695773, 8.653727912911013, 1000, 1e5])),
    "besselJ1": (lambda x: mp.besselj(1, x), one(POSITIVE + [-4, 3.8317059702075125, 1000, 1e5])),
    "besselI0": (lambda x: mp.besseli(0, x), one(POSITIVE + [-4, -40])),
    "besselI1": (lambda x: mp.besseli(1, x), one(POSITIVE + [-4, -40])),
    "besselI0Scaled": (lambda x: mp.exp(-abs(x)) * mp.besseli(0, x), one(POSITIVE + LARGE + [-4, -40])),
    "besselI1Scaled": (lambda x: mp.exp(-abs(x)) * mp.besseli(1, x), one(POSITIVE + LARGE + [-4, -40])),
    "expInt": (mp.e1, one(POSITIVE)),
}


# Distributions, by their densities as published


def log_normal(x, mean, sd):
    return -((x - mean) ** 2) / (2 * sd**2) - mp.log(sd * mp.sqrt(2 * mp.pi))


def lower(rows):
    return mp.matrix([[row[j] if j <= i else mpf(0) for j in range(len(rows))] for i, row in enumerate(rows)])


def determinant_and_inverse(rows):
    matrix = lower(rows) * lower(rows).T
    return matrix, mp.det(matrix), mp.inverse(matrix)


def multivariate_normal(x, mean, rows):
    _, det, inverse = determinant_and_inverse(rows)
    d = mp.matrix([a - b for a, b in zip(x, mean)])
    return -(d.T * inverse * d)[0] / 2 - mp.log(det) / 2 - len(x) * mp.log(2 * mp.pi) / 2


def wishart(w, df, scale):
    p = len(w)
    matrix, det, _ = determinant_and_inverse(w)
    _, scale_det, inverse = determinant_and_inverse(scale)
    product = inverse * matrix
    trace = mp.fsum(product[i, i] for i in range(p))
    multigamma = p * (p - 1) * mp.log(mp.pi) / 4 + mp.fsum(mp.loggamma(df / 2 - mpf(j) / 2) for j in range(p))
    return (df - p - 1) * mp.log(det) / 2 - trace / 2 - df * p * mp.log(2) / 2 - df * mp.log(scale_det) / 2 - multigamma


def student_t(x, df, location, scale):
    z = (x - location) / scale
    constant = mp.loggamma((df + 1) / 2) - mp.loggamma(df / 2) - mp.log(df * mp.pi) / 2 - mp.log(scale)
    return constant - (df + 1) / 2 * mp.log1p(z * z / df)


def student_t_cdf(x, df, location, scale):
    z = (x - location) / scale
    tail = beta_inc(df / 2, mpf(1) / 2, df / (df + z * z)) / 2
    return tail if z < 0 else 1 - tail


def log_choose(n, k):
    return mp.loggamma(n + 1) - mp.loggamma(k + 1) - mp.loggamma(n - k + 1)


def negative_binomial(k, mean, dispersion):
    total = mean + dispersion
    return log_choose(k + dispersion - 1, k) + k * mp.log(mean / total) + dispersion * mp.log(dispersion / total)


def cauchy_cdf(x, location, scale):
    return mp.atan2(1, (location - x) / scale) / mp.pi


def dirichlet(x, alpha):
    return (
        mp.loggamma(mp.fsum(alpha))
        - mp.fsum(mp.loggamma(a) for a in alpha)
        + mp.fsum((a - 1) * mp.log(t) for t, a in zip(x, alpha))
    )


def laplace_cdf(x, location, scale):
    z = (x - location) / scale
    return mp.exp(z) / 2 if z < 0 else 1 - mp.exp(-z) / 2


def beta_density(x, a, b):
    return (a - 1) * mp.log(x) + (b - 1) * mp.log(1 - x) - log_beta(a, b)


def log_softmax_at(k, logits):
    return logits[k] - mp.log(mp.fsum(mp.exp(x) for x in logits))


# Transforms as the Stan Reference Manual defines them, with determinants of Jacobians by differences


def determinant(f, y):
    """log |det| of the Jacobian of a function of numbers that gives as many."""
    step = mpf(10) ** -20
    columns = []
    for i in range(len(y)):
        ahead, behind = ([x + s * step if i == j else x for j, x in enumerate(y)] for s in (1, -1))
        columns.append([(p - q) / (2 * step) for p, q in zip(f(ahead), f(behind))])
    return mp.log(abs(mp.det(mp.matrix(columns))))


def logistic(y):
    return 1 / (1 + mp.exp(-y))


def simplex(y):
    parts, rest = [], mpf(1)
    for k, at in enumerate(y):
        parts.append(rest * logistic(at + mp.log(mpf(1) / (len(y) - k))))
        rest -= parts[-1]
    return [*parts, rest]


def ordered(y):
    return [y[0] + mp.fsum(mp.exp(t) for t in y[1 : i + 1]) for i in range(len(y))]


def correlation(n, y):
    numbers, rows = iter(y), []
    for i in range(n):
        row = []
        for _ in range(i):
            row.append(mp.tanh(next(numbers)) * mp.sqrt(1 - mp.fsum(t * t for t in row)))
        row.append(mp.sqrt(1 - mp.fsum(t * t for t in row)))
        rows.append(row + [mpf(0)] * (n - 1 - i))
    return rows


def seen(values):
    """One number of all that a transform gives."""
    return mp.fsum((i + 1) * x for i, x in enumerate(values))


def seen_correlation(n, y):
    below = lambda at: [x for i, row in enumerate(correlation(n, at)) for x in row[:i]]
    return seen([x for row in correlation(n, y) for x in row]) + determinant(below, y)


PLACES = [-3.7, -0.2, 0.9, 30.5]
L3 = [[1.3, 0.0, 0.0], [0.4, 0.7, 0.0], [-0.6, 0.2, 2.1]]
K3 = [[0.8, 0.0, 0.0], [-0.3, 1.9, 0.0], [0.5, 0.1, 0.6]]
SHAPES = [0.02, 0.7, 1.0, 3.4, 12.5, 3000.0]

PROBABILITY = {
    "normalLogPdf": (log_normal, [[x, 0.3, sd] for x in PLACES for sd in (0.01, 2.0, 1e5)]),
    "multivariateNormalCholeskyLogPdf": (multivariate_normal, [[[0.5, -1.0, 2.0], [0.1, 0.2, 0.3], L3], [[3.0], [1.0], [[0.5]]]]),
    "studentTLogPdf": (student_t, [[x, df, 0.3, sd] for x in (*PLACES, 1e200) for df in (0.3, 1.0, 4.5, 1e4) for sd in (0.1, 2.0)]),
    "studentTCdf": (student_t_cdf, [[x, df, 0.3, 2.0] for x in PLACES for df in (0.3, 1.0, 4.5, 1e3)]),
    "laplaceLogPdf": (lambda x, m, s: -abs(x - m) / s - mp.log(2 * s), [[x, 0.3, s] for x in PLACES for s in (0.1, 2.0)]),
    "laplaceCdf": (laplace_cdf, [[x, 0.3, s] for x in PLACES for s in (0.4, 2.0)]),
    "laplaceQuantile": (lambda p, m, s: m + s * (mp.log(2 * p) if p < 0.5 else -mp.log(2 - 2 * p)), [[p, 0.3, 2.0] for p in (1e-10, 0.2, 0.7, 0.99)]),
    "logisticLogPdf": (
        lambda x, m, s: -(x - m) / s - 2 * mp.log(1 + mp.exp(-(x - m) / s)) - mp.log(s),
        [[x, 0.3, s] for x in PLACES for s in (0.1, 2.0)],
    ),
    "logisticCdf": (lambda x, m, s: logistic((x - m) / s), [[x, 0.3, s] for x in PLACES for s in (0.1, 2.0)]),
    "logisticQuantile": (lambda p, m, s: m + s * mp.log(p / (1 - p)), [[p, 0.3, 2.0] for p in (1e-10, 0.2, 0.7, 0.99)]),
    "cauchyLogPdf": (lambda x, m, s: -mp.log(mp.pi * s * (1 + ((x - m) / s) ** 2)), [[x, 0.3, s] for x in (*PLACES, 1e200) for s in (0.1, 2.0)]),
    "cauchyCdf": (cauchy_cdf, [[x, 0.3, s] for x in (*PLACES, -1e8) for s in (0.1, 2.0)]),
    "cauchyQuantile": (lambda p, m, s: m + s * mp.tan(mp.pi * (p - mpf(1) / 2)), [[p, 0.3, 2.0] for p in (1e-10, 0.2, 0.7, 0.99)]),
    "lognormalLogPdf": (lambda x, m, s: log_normal(mp.log(x), m, s) - mp.log(x), [[x, 0.3, s] for x in (1e-10, 0.7, 30.0) for s in (0.1, 2.0)]),
    "lognormalCdf": (lambda x, m, s: normal_cdf((mp.log(x) - m) / s), [[x, 0.3, 2.0] for x in (1e-10, 0.7, 30.0)]),
    "lognormalQuantile": (lambda p, m, s: mp.exp(m + s * normal_quantile(p)), [[p, 0.3, 2.0] for p in (1e-10, 0.2, 0.7, 0.99)]),
    "gammaLogPdf": (
        lambda x, a, b: a * mp.log(b) + (a - 1) * mp.log(x) - b * x - mp.loggamma(a),
        [[x * a / b, a, b] for x in (1e-8, 0.6, 0.99, 1.2, 5.0) for a in (*SHAPES, 1e6) for b in (0.3, 20.0)],
    ),
    "gammaCdf": (lambda x, a, b: gamma_p(a, b * x), [[x * a / b, a, b] for x in (0.6, 1.2) for a in SHAPES for b in (0.3,)]),
    "inverseGammaLogPdf": (
        lambda x, a, b: a * mp.log(b) - (a + 1) * mp.log(x) - b / x - mp.loggamma(a),
        [[x * b / a, a, b] for x in (1e-2, 0.6, 0.99, 1.2, 5.0) for a in SHAPES for b in (0.3, 20.0)],
    ),
    "inverseGammaCdf": (lambda x, a, b: gamma_q(a, b / x), [[x * b / a, a, b] for x in (0.6, 1.2) for a in SHAPES for b in (0.3,)]),
    "exponentialLogPdf": (lambda x, b: mp.log(b) - b * x, [[x, b] for x in (1e-8, 0.6, 30.0) for b in (0.3, 20.0)]),
    "exponentialCdf": (lambda x, b: -mp.expm1(-b * x), [[x, b] for x in (1e-8, 0.6, 3.0) for b in (0.3, 5.0)]),
    "exponentialQuantile": (lambda p, b: -mp.log1p(-p) / b, [[p, 0.3] for p in (1e-10, 0.2, 0.7, 0.99)]),
    "weibullLogPdf": (
        lambda x, k, s: mp.log(k / s) + (k - 1) * mp.log(x / s) - (x / s) ** k,
        [[x, k, s] for x in (1e-8, 0.6, 3.0) for k in (0.3, 1.0, 5.0) for s in (0.4, 2.0)],
    ),
    "weibullCdf": (lambda x, k, s: -mp.expm1(-((x / s) ** k)), [[x, k, 2.0] for x in (1e-8, 0.6, 3.0) for k in (0.3, 1.0, 5.0)]),
    "weibullQuantile": (lambda p, k, s: s * (-mp.log1p(-p)) ** (1 / k), [[p, k, 2.0] for p in (1e-10, 0.2, 0.99) for k in (0.3, 5.0)]),
    "betaLogPdf": (beta_density, [[x, a, b] for x in (1e-8, 0.3, 0.97) for a in SHAPES for b in (0.4, 1.0, 40.0, 1e5)]),
    "betaCdf": (lambda x, a, b: beta_inc(a, b, x), [[x, a, b] for x in (0.3, 0.7) for a in (0.7, 12.5) for b in (0.4, 40.0)]),
    "dirichletLogPdf": (dirichlet, [[[0.25, 0.125, 0.625], [0.4, 1.0, 20.0]], [[1e-8, 1 - 1e-8], [2.0, 0.5]]]),
    "vonMisesLogPdf": (
        lambda x, m, k: k * mp.cos(x - m) - mp.log(2 * mp.pi * mp.besseli(0, k)),
        [[x, 0.3, k] for x in (-3.0, 0.2, 1.0, 20.0) for k in (1e-8, 0.7, 25.0, 1e3)],
    ),
    "poissonLogPmf": (lambda k, b: k * mp.log(b) - b - mp.loggamma(k + 1), [[k, b] for k in (0, 1, 7, 300, 10**6) for b in (0.3, 20.0, 1.01e6)]),
    "poissonCdf": (lambda k, b: gamma_q(mpf(k + 1), b), [[k, b] for k in (0, 1, 7, 300) for b in (0.3, 20.0, 280.0)]),
    "binomialLogPmf": (
        lambda k, n, p: log_choose(mpf(n), mpf(k)) + k * mp.log(p) + (n - k) * mp.log(1 - p),
        [[k, n, p] for k, n in ((0, 0), (0, 5), (5, 5), (2, 9), (40, 100), (123456, 10**6)) for p in (1e-8, 0.4, 0.97)],
    ),
    "binomialCdf": (
        lambda k, n, p: beta_inc(mpf(n - k), mpf(k + 1), 1 - p),
        [[k, n, p] for k, n in ((0, 5), (2, 9), (40, 100)) for p in (1e-8, 0.4, 0.97)],
    ),
    "negativeBinomialLogPmf": (negative_binomial, [[k, m, d] for k in (0, 1, 9, 1000) for m in (0.3, 20.0, 900.0) for d in (0.2, 3.0, 1e5)]),
    "negativeBinomialCdf": (
        lambda k, m, d: beta_inc(d, mpf(k + 1), d / (m + d)),
        [[k, m, d] for k in (0, 3, 30) for m in (0.3, 20.0) for d in (0.2, 3.0, 500.0)],
    ),
    "categoricalLogPmf": (lambda k, p: mp.log(p[k]), [[k, [0.25, 0.125, 0.625]] for k in (0, 2)]),
    "categoricalLogitLogPmf": (log_softmax_at, [[k, [-1.0, 700.0, 3.0]] for k in (0, 1)]),
    "wishartCholeskyLogPdf": (wishart, [[L3, 4.5, K3], [[[2.0]], 0.7, [[0.5]]], [[row[:2] for row in K3[:2]], 300.0, [row[:2] for row in L3[:2]]]]),
    "positiveTransform": (lambda y: seen([mp.exp(y)]) + determinant(lambda v: [mp.exp(v[0])], [y]), [[y] for y in (-5.0, 2.0)]),
    "lowerBoundTransform": (lambda a, y: seen([a + mp.exp(y)]) + determinant(lambda v: [a + mp.exp(v[0])], [y]), [[1.5, y] for y in (-5.0, 2.0)]),
    "upperBoundTransform": (lambda b, y: seen([b - mp.exp(y)]) + determinant(lambda v: [b - mp.exp(v[0])], [y]), [[1.5, y] for y in (-5.0, 2.0)]),
    "intervalTransform": (
        lambda a, b, y: seen([a + (b - a) * logistic(y)]) + determinant(lambda v: [a + (b - a) * logistic(v[0])], [y]),
        [[-0.5, 2.5, y] for y in (-40.0, -5.0, 0.1, 2.0)],
    ),
    "simplexTransform": (lambda y: seen(simplex(y)) + determinant(lambda v: simplex(v)[:-1], y), [[[0.3, -2.0, 5.0]], [[0.7]]]),
    "orderedTransform": (lambda y: seen(ordered(y)) + determinant(ordered, y), [[[0.3, -2.0, 5.0]], [[0.7]]]),
    "correlationCholeskyTransform": (seen_correlation, [[3, [0.3, -2.0, 1.5]], [4, [0.3, -2.0, 1.5, 0.01, 3.0, -0.4]], [2, [9.0]]]),
}


def numbers(data):
    """The reals of arguments, in order: no integers."""
    return [x for part in data for x in numbers(part)] if isinstance(data, list) else [] if isinstance(data, int) else [data]


def rebuilt(data, source):
    if isinstance(data, list):
        return [rebuilt(part, source) for part in data]
    return data if isinstance(data, int) else next(source)


def of_numbers(f, arguments):
    """The function of the reals of its arguments alone."""
    return lambda *at: f(*rebuilt(arguments, iter(at)))


def partial(f, i, point):
    step = (abs(point[i]) or 1) * mpf(10) ** -25
    ahead, behind = ([x + s * step if i == j else x for j, x in enumerate(point)] for s in (1, -1))
    return (f(*ahead) - f(*behind)) / (2 * step)


def reference(f, point, least=0, nothing=0.0):
    """The function at a point, and the error; `nothing` where it is not above `least`: it is 0, or has no digits."""
    value = f(*point)
    if abs(value) <= least:
        return [nothing, 0.0]
    moved = [[x * (1 + FOUR_ULPS) if i == j else x for j, x in enumerate(point)] for i in range(len(point))]
    error = mp.fsum(abs(f(*at) - value) for at in moved) / abs(value)
    return [float(value), float(mp.nstr(error, 3))]


def row(task):
    table, name, arguments = task
    f = of_numbers(TABLES[table][name][0], arguments)
    point = [mpf(x) for x in numbers(arguments)]
    value = abs(f(*point))
    # Steps of next to nothing change nothing: NaN, which says nothing of the partial derivative
    partials = [
        reference(lambda *at, i=i: partial(f, i, at), point, mpf(10) ** -40 * value / (abs(x) or 1), math.nan if 0 < abs(x) < 1e-40 else 0.0)
        for i, x in enumerate(point)
    ]
    return [arguments, reference(f, point), *partials]


def is_kept(found):
    """Without numbers that are subnormal or too large."""
    return all(v == 0 or 2.3e-308 < abs(v) < 1.7e308 for v, _ in found[1:2])


TABLES = {"special": SPECIAL, "probability": PROBABILITY}

if __name__ == "__main__":
    for table in sys.argv[1:] or TABLES:
        tasks = [(table, name, [float(x) for x in arguments] if table == "special" else arguments) for name, (_, points) in TABLES[table].items() for arguments in points]
        with Pool(2) as pool:
            rows = []
            for found in pool.imap(row, tasks):
                rows.append(found)
                print(f"{len(rows)} of {len(tasks)}", end="\r", file=sys.stderr)
        by_name = {}
        for (_, name, _), found in zip(tasks, rows):
            if is_kept(found):
                by_name.setdefault(name, []).append(found)
        text = ",\n".join(
            f'"{name}": [\n' + ",\n".join(json.dumps(r, separators=(",", ":")) for r in found) + "\n]" for name, found in by_name.items()
        )
        text = text.replace("Infinity", '"Infinity"').replace('-"Infinity"', '"-Infinity"').replace("NaN", '"NaN"')
        path = pathlib.Path(__file__).parent.parent / "test" / f"references-{table}.json"
        path.write_text("{\n" + text + "\n}\n")
