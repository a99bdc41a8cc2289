# Reference values of std/special.lam and std/probability.lam, and of their partial derivatives: computed with mpmath, with 60 digits or more, from definitions, series and
# published closed forms, then rounded. Derivatives are central differences of the values, with steps of 1e-25 of an argument.
# Writes test/references-special.json and test/references-probability.json: by function rows [arguments, [value, error], [partial, error] ..]; `error` is what an error of
# 4 units in the last place of each argument makes of the number, relative to it. Run: python3 scripts/references-std.py [special|probability], with Debian's python3-mpmath.

import json
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
    """I_x(a, b) by DLMF 8.17.8, for x below the mean."""
    with mp.workprec(bits + 60):
        at, sum_, next_, one = integer(x, bits), integer(a + b, bits), integer(a + 1, bits), 1 << bits
        total = fixed_sum(lambda n: ((sum_ + n * one) * at, (next_ + n * one) << bits), bits)
        return mp.exp(a * mp.log(x) + b * mp.log(y) - log_beta(a, b) - mp.log(a)) * total


def beta_inc(a, b, x):
    with mp.workprec(BITS + 60):
        y = 1 - x
        below = x * (a + b) <= a
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


def series_i(n, x):
    return mp.besseli(n, x)


def log_softmax(i):
    return lambda *xs: xs[i] - mp.log(mp.fsum(mp.exp(x) for x in xs))


def tails(center, width):
    return sorted({center + s * width for s in (-36, -20, -8, -3, -1, -0.3, -0.01, 0, 0.01, 0.3, 1, 3, 8, 20, 36)})


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
            xs = {a + s * spread for s in (-30, -5, -0.3, 0, 1, 4, 25, 36)}
        rows += [[a, x] for x in sorted(xs)]
    return rows


def points_beta():
    rows = []
    shapes = [1e-5, 0.01, 0.5, 1, 2.3, 9, 11, 40, 1e3]
    for a in shapes:
        for b in shapes:
            mean = a / (a + b)
            spread = (mean * (1 - mean) / (a + b + 1)) ** 0.5
            xs = {1e-300, 1e-8, 0.1, 0.5, 0.7, 0.96, 1 - 2**-30} | {mean + s * spread for s in (-20, -4, -0.5, 0.5, 4, 20)}
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


def partial(f, i, point):
    step = abs(point[i]) * mpf(10) ** -25
    ahead, behind = ([x + s * step if i == j else x for j, x in enumerate(point)] for s in (1, -1))
    return (f(*ahead) - f(*behind)) / (2 * step)


def reference(f, point):
    value = f(*point)
    if value == 0:
        return [0.0, 0.0]
    moved = [[x * (1 + FOUR_ULPS) if i == j else x for j, x in enumerate(point)] for i in range(len(point))]
    error = mp.fsum(abs(f(*at) - value) for at in moved) / abs(value)
    return [float(value), float(mp.nstr(error, 3))]


def row(task):
    table, name, arguments = task
    f = TABLES[table][name][0]
    point = [mpf(x) for x in arguments]
    partials = [reference(lambda *at, i=i: partial(f, i, at), point) for i in range(len(point))]
    return [arguments, reference(f, point), *partials]


def is_kept(found):
    """Without numbers that are subnormal or too large."""
    return all(v == 0 or 2.3e-308 < abs(v) < 1.7e308 for v, _ in found[1:2])


TABLES = {"special": SPECIAL}

if __name__ == "__main__":
    for table in sys.argv[1:] or TABLES:
        tasks = [(table, name, arguments) for name, (_, points) in TABLES[table].items() for arguments in points]
        with Pool(2) as pool:
            rows = pool.map(row, tasks, chunksize=4)
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
