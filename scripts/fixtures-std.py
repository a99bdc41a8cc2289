"""Writes the numbers of fixtures/std/*.json: closed forms, and textbook definitions of methods, with 60 digits by mpmath (https://mpmath.org, python3-mpmath in Debian);
derivatives are difference quotients of these. Nothing here knows dualrev.

    python3 scripts/fixtures-std.py
"""

import json
import math
import os
import re

import mpmath as mp

mp.mp.dps = 60
folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../fixtures/std")


def numbers(value):
    """The reals of a value, in order; integers, as arguments, have none."""
    if isinstance(value, (list, tuple)):
        return [x for part in value for x in numbers(part)]
    return [] if isinstance(value, int) else [value]


def refilled(value, reals):
    if isinstance(value, (list, tuple)):
        return [refilled(part, reals) for part in value]
    return value if isinstance(value, int) else reals.pop(0)


def exact(value):
    if isinstance(value, (list, tuple)):
        return [exact(part) for part in value]
    return value if isinstance(value, int) else mp.mpf(value)


def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return 0 if isinstance(value, int) else float(value)


def case(entry, args, f, **options):
    """`args` by name; an int is an integer of the model."""
    values = list(args.values())
    at = exact(values)
    result = f(*at)
    step = mp.mpf(10) ** -18

    def moved(i, h):
        reals = numbers(at)
        reals[i] += h
        return numbers(f(*refilled(at, reals)))

    # Differences of order 4
    columns = []
    for i in range(len(numbers(at))):
        a, b, c, d = (moved(i, k * step) for k in (-2, -1, 1, 2))
        columns.append([(p - 8 * q + 8 * r - s) / (12 * step) for p, q, r, s in zip(a, b, c, d)])
    count = len(numbers(result))
    rows = [
        dict(zip(args, plain(refilled(at, [column[k] for column in columns])))) for k in range(count)
    ]
    found = {"entry": entry, "args": args, "value": plain(result)}
    if isinstance(result, (list, tuple)):
        found["jacobian"] = rows
    else:
        found["grad"] = rows[0]
    return {**found, **options}


def line_and_column(text, at):
    line = text.count("\n", 0, at) + 1
    return f"{line}:{at - text.rfind(chr(10), 0, at)}"


def failing(entry, args, error, **options):
    """In an error `LINE` stands for where the file of the library fails with that text, or where the entry calls the function that fails."""
    called = re.fullmatch(r"\w+ \((\w+\.lam):LINE\): (\w+): .*", error)
    if called:
        with open(os.path.join(folder, called[1])) as file:
            text = file.read()
        call = re.compile(rf"\b{called[2]}\b").search(text, text.index(f"def {entry} ")).start()
        error = error.replace("LINE", line_and_column(text, call))
    found = re.fullmatch(r"\w+ \((std/.*):LINE\): (.*)", error)
    if found:
        with open(os.path.join(folder, "../../src/prelude", found[1])) as file:
            text = file.read()
        call = re.search(r'fail(?:At)?\s+"' + re.escape(found[2]) + '"', text).start()
        error = error.replace("LINE", line_and_column(text, call))
    return {"entry": entry, "args": args, "error": error, **options}


def write(name, cases, **shared):
    lines = ",\n".join("    " + json.dumps(item) for item in cases)
    rest = "".join(f',\n  "{key}": {json.dumps(value)}' for key, value in shared.items())
    with open(os.path.join(folder, name + ".json"), "w") as file:
        file.write(f'{{\n  "cases": [\n{lines}\n  ]{rest}\n}}\n')


# Differential equations


def rk4(f, steps, start, end, y):
    h = (end - start) / steps
    for i in range(steps):
        t = start + i * h
        moved = lambda c, k: [a + c * h * b for a, b in zip(y, k)]
        k1 = f(t, y)
        k2 = f(t + h / 2, moved(mp.mpf(1) / 2, k1))
        k3 = f(t + h / 2, moved(mp.mpf(1) / 2, k2))
        k4 = f(t + h, moved(1, k3))
        y = [a + h * (b + 2 * c + 2 * d + e) / 6 for a, b, c, d, e in zip(y, k1, k2, k3, k4)]
    return y


def forced_by_rk4(k, start, end, y):
    return rk4(lambda t, y: [t - k * y[0]], 3, start, end, [y])[0]


def forced(k, start, end, y):
    """y' = t - k y"""
    line = lambda t: t / k - 1 / k**2
    return line(end) + (y - line(start)) * mp.exp(-k * (end - start))


def swing_by_rk4(stiffness, end, at):
    f = lambda t, y: [y[1], -stiffness * y[0]]
    middle = rk4(f, 2, mp.mpf(0), end / 2, [at, mp.mpf(0)])
    return [at, middle[0], rk4(f, 2, end / 2, end, middle)[0]]


def swing(stiffness, end, at):
    place = lambda t: at * mp.cos(mp.sqrt(stiffness) * t)
    return [at, place(end / 2), place(end / 2), place(end)]


def curvature(k, end):
    return mp.diff(lambda k: forced(k, mp.mpf(0), end, mp.mpf(1)), k, 2)


reversed_calls = {"d1": "calls backpropagators of what is shared once more for each use", "delta": "goes through what is shared once more for each use"}


def logistic_curvature(y, end):
    q = mp.exp(-end)
    return 2 * q * (1 - q) / (1 - y * (1 - q)) ** 3


adaptive = {"relative": 1e-9, "except": reversed_calls}
args = {"k": 0.7, "from": 0.5, "to": 2.0, "y": 1.5}
write(
    "ode",
    [
        case("fixedSteps", args, forced_by_rk4),
        case("fixedSteps", {**args, "to": -0.5}, forced_by_rk4),
        case("fixedSteps", {**args, "to": 0.5}, forced_by_rk4),
        case("fixedStepsAgain", args, forced_by_rk4),
        case("swing", {"stiffness": 2.0, "to": 1.0, "at": 0.7}, swing_by_rk4),
        failing("noSteps", {"y": 1}, "atLeastOne (std/ode.lam:LINE): rk4 makes at least one step"),
        case("adaptive", args, forced, **adaptive),
        case("adaptive", {**args, "to": -0.5}, forced, **adaptive),
        case("adaptive", {**args, "to": 0.5}, forced, **adaptive),
        case("adaptiveAgain", args, forced, **adaptive),
        case("curvature", {"k": 0.7, "to": 1.0}, curvature, **adaptive),
        case("adaptiveSwing", {"stiffness": 2.0, "to": 1.0, "at": 0.7}, swing, **adaptive),
        case("onTheWay", {"at": 0.0, "k": 0.7}, lambda at, k: forced(k, mp.mpf(0), mp.mpf(1), mp.mpf(1)), **adaptive),
        case("onTheWay", {"at": 1.0, "k": 0.7}, lambda at, k: forced(k, mp.mpf(0), mp.mpf(1), mp.mpf(1)), **adaptive),
        case(
            "decays",
            {"rates": [0.5, 1.0, 0.25], "to": 0.5},
            lambda rates, end: sum(mp.exp(-rate * end) for rate in rates),
            **adaptive,
        ),
        case("blowUp", {"y": 1.0, "to": 0.5}, lambda y, t: 1 / (1 / y - t), relative=1e-7, **{"except": reversed_calls}),
        *(case("atRest", {"y": 0.0, "to": to}, lambda y, t: y * mp.exp(-t), **{**adaptive, "relative": 1e-6}) for to in (1.0, 10.0, 100.0)),
        *(case("epidemic", {"infected": 0.0, "to": to}, lambda i, t: i * mp.exp(t / 10), **{**adaptive, "relative": 1e-6}) for to in (1.0, 10.0, 100.0)),
        case("shaken", {"y": 0.0, "to": 3.0}, lambda y, t: y * mp.exp(mp.sin(100 * t) / 10), **{**adaptive, "relative": 1e-6}),
        # y' = -y + y ^ 2 makes y q / (1 - y (1 - q)) of y, where q = exp (-t)
        case("secondSlope", {"y": 0.0, "to": 3.0}, logistic_curvature, **{**adaptive, "relative": 1e-6}),
        failing("blowUp", {"y": 1, "to": 2}, "shorter (std/ode.lam:LINE): dopri5 can go no further: its steps get too small, or its numbers are not finite"),
        failing(
            "stiff",
            {"k": 1e9},
            "counted (std/ode.lam:LINE): dopri5 comes to no end in 100000 steps",
            only={"stages": ["primal", "forward", "adjoint"], "because": "a hundred thousand steps"},
        ),
        failing("endless", {"to": "Infinity"}, "continued (std/ode.lam:LINE): dopri5 goes from one finite time to another"),
        failing(
            "noTolerance",
            {"tolerance": -1},
            "scaledError (std/ode.lam:LINE): dopri5 has tolerances that are not negative, one of them positive",
        ),
    ],
)

# Curves


def piece_of(xs, x):
    i = 0
    while i < len(xs) - 2 and xs[i + 1] <= x:
        i += 1
    return i


def lines(xs, ys, x):
    i = piece_of(xs, x)
    return ys[i] + (ys[i + 1] - ys[i]) / (xs[i + 1] - xs[i]) * (x - xs[i])


def natural(xs, ys, x):
    """By the second derivatives at the nodes; straight on outside."""
    n = len(xs)
    h = [b - a for a, b in zip(xs, xs[1:])]
    a, b = mp.zeros(n), mp.zeros(n, 1)
    a[0, 0] = a[n - 1, n - 1] = 1
    for i in range(1, n - 1):
        a[i, i - 1], a[i, i], a[i, i + 1] = h[i - 1] / 6, (h[i - 1] + h[i]) / 3, h[i] / 6
        b[i] = (ys[i + 1] - ys[i]) / h[i] - (ys[i] - ys[i - 1]) / h[i - 1]
    m = mp.lu_solve(a, b)
    if x < xs[0]:
        return ys[0] + ((ys[1] - ys[0]) / h[0] - h[0] / 6 * m[1]) * (x - xs[0])
    if x > xs[-1]:
        return ys[-1] + ((ys[-1] - ys[-2]) / h[-1] + h[-1] / 6 * m[n - 2]) * (x - xs[-1])
    i = piece_of(xs, x)
    p, q = (xs[i + 1] - x) / h[i], (x - xs[i]) / h[i]
    return p * ys[i] + q * ys[i + 1] + ((p**3 - p) * m[i] + (q**3 - q) * m[i + 1]) * h[i] ** 2 / 6


def pchip(xs, ys, x):
    n = len(xs)
    h = [b - a for a, b in zip(xs, xs[1:])]
    d = [(b - a) / c for a, b, c in zip(ys, ys[1:], h)]
    m = [mp.mpf(0)] * n
    for i in range(1, n - 1):
        if d[i - 1] * d[i] > 0:
            v, w = 2 * h[i] + h[i - 1], h[i] + 2 * h[i - 1]
            m[i] = (v + w) / (v / d[i - 1] + w / d[i])

    def end(h0, h1, d0, d1):
        slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1)
        if slope * d0 <= 0:
            return mp.mpf(0)
        return 3 * d0 if d0 * d1 < 0 and abs(slope) > 3 * abs(d0) else slope

    m[0], m[-1] = end(h[0], h[1], d[0], d[1]), end(h[-1], h[-2], d[-1], d[-2])
    if x < xs[0]:
        return ys[0] + m[0] * (x - xs[0])
    if x > xs[-1]:
        return ys[-1] + m[-1] * (x - xs[-1])
    i = piece_of(xs, x)
    t = (x - xs[i]) / h[i]
    return (
        (1 + 2 * t) * (1 - t) ** 2 * ys[i]
        + t * (1 - t) ** 2 * h[i] * m[i]
        + t**2 * (3 - 2 * t) * ys[i + 1]
        + t**2 * (t - 1) * h[i] * m[i + 1]
    )


def tridiagonal(below, diagonal, above, b):
    n = len(b)
    a = mp.zeros(n)
    for i in range(n):
        a[i, i] = diagonal[i]
        if i > 0:
            a[i, i - 1], a[i - 1, i] = below[i - 1], above[i - 1]
    return mp.lu_solve(a, mp.matrix(b))


def solved(below, diagonal, above, b):
    x = tridiagonal(below, diagonal, above, b)
    return sum((i + 1) * x[i] for i in range(len(b)))


def solved_twice(below, diagonal, above, b):
    """d (w . a^-1 b) / d a_ii is - v_i x_i, where v solves the transposed equations."""
    x = tridiagonal(below, diagonal, above, b)
    v = tridiagonal(above, diagonal, below, [mp.mpf(i + 1) for i in range(len(b))])
    return -sum(v[i] * x[i] for i in range(len(b)))


xs, ys = [0.0, 1.0, 3.0, 3.5, 5.0, 6.25], [1.0, 2.0, 4.5, 3.0, 2.5, 3.75]
matrix = {"below": [1.0, 2.0], "diagonal": [4.0, 5.0, 6.0], "above": [0.5, 1.5], "b": [1.0, 2.0, 3.0]}
at = lambda x: {"xs": xs, "ys": ys, "x": x}
place = "beyond (std/interpolation.lam:LINE): this is outside of the nodes of an interpolation"
write(
    "interpolation",
    [case("lines", at(x), lines) for x in (2.0, 0.25, 6.0, -1.0, 8.0)]
    + [case("spline", at(x), natural, **{"except": reversed_calls}) for x in (2.0, 0.25, 4.0, -1.0, 8.0)]
    + [case("monotone", at(x), pchip) for x in (2.0, 0.25, 6.0, 4.0, -1.0, 8.0)]
    + [
        case("held", at(-1.0), lambda xs, ys, x: ys[0]),
        case("held", at(8.0), lambda xs, ys, x: ys[-1]),
        case("held", at(2.0), natural, **{"except": reversed_calls}),
        case("spline", {"xs": [0.0, 2.0], "ys": [1.0, 4.0], "x": 0.5}, lines),
        case("monotone", {"xs": [0.0, 2.0], "ys": [1.0, 4.0], "x": 0.5}, lines),
        case("slope", at(2.0), lambda xs, ys, x: mp.diff(lambda x: natural(xs, ys, x), x), **{"except": reversed_calls}),
        failing("inside", at(6.5), place),
        failing("inside", at(-0.5), place),
        failing("lines", {"xs": [0, 2, 2], "ys": [1, 2, 3], "x": 1}, "increasing (std/interpolation.lam:LINE): the nodes of an interpolation must increase"),
        failing("lines", {"xs": [0, "NaN", 2], "ys": [1, 2, 3], "x": 1}, "increasing (std/interpolation.lam:LINE): the nodes of an interpolation must increase"),
        failing("lines", {"xs": [0], "ys": [1], "x": 1}, "increasing (std/interpolation.lam:LINE): an interpolation has two nodes at least"),
        case("solved", matrix, solved),
        case("solvedTwice", matrix, solved_twice),
        case("solved", {"below": [], "diagonal": [4.0], "above": [], "b": [1.0]}, solved),
        failing("solved", {"below": [1], "diagonal": [1, 1], "above": [1], "b": [1, 2]}, "notZero (std/solve.lam:LINE): a pivot of a tridiagonal matrix is 0: it is singular, or wants other rows first"),
    ],
)

# Integrals


def legendre_rule(n):
    xs = sorted(mp.polyroots(mp.taylor(lambda x: mp.legendre(n, x), 0, n)[::-1], maxsteps=500, extraprec=300)) if n > 1 else [mp.mpf(0)]
    xs = [mp.re(x) for x in xs]
    xs.sort()
    ws = [2 / ((1 - x * x) * mp.diff(lambda x: mp.legendre(n, x), x) ** 2) for x in xs]
    return xs, ws


def hermite_rule(n):
    xs = sorted(mp.re(x) for x in mp.polyroots(mp.taylor(lambda x: mp.hermite(n, x), 0, n)[::-1], maxsteps=500, extraprec=300)) if n > 1 else [mp.mpf(0)]
    ws = [mp.mpf(2) ** (n - 1) * mp.factorial(n) * mp.sqrt(mp.pi) / (n * mp.hermite(n - 1, x)) ** 2 for x in xs]
    return xs, ws


def constant(entry, n, values):
    return {"entry": entry, "args": {"n": n}, "value": plain([mp.mpf(x) + 0 for x in values]), "jacobian": [{"n": 0}] * len(values), "relative": 1e-15}


def growth(k, start, end):
    return (mp.exp(k * end) - mp.exp(k * start)) / k


def root_integral(k, start, end):
    return (mp.sqrt(end + k) ** 3 - mp.sqrt(start + k) ** 3) * 2 / 3


limits = {"from": -0.5, "to": 1.5}
rules = [
    constant(entry, n, rule(n)[part])
    for n in (1, 2, 7, 12)
    for entry, rule, part in (
        ("nodes", legendre_rule, 0),
        ("weights", legendre_rule, 1),
        ("hermiteNodes", hermite_rule, 0),
        ("hermiteWeights", hermite_rule, 1),
    )
]
write(
    "quadrature",
    rules
    + [
        case("growth", {"k": 0.7, **limits}, growth),
        case("growth", {"k": 0.7, "from": 1.5, "to": -0.5}, growth),
        case("powers", {"k": 0.7, **limits}, lambda k, a, b: k * (b**13 - a**13) / 13 + (b * b - a * a) / 2),
        case("waves", {"k": 0.7}, lambda k: mp.sqrt(mp.pi) * mp.exp(-k * k / 4)),
        case("logNormal", {"center": 0.25, "deviation": 0.5}, lambda m, s: mp.exp(m + s * s / 2)),
        case("root", {"k": 0.25, "from": 0.0, "to": 1.5}, root_integral),
        case("root", {"k": 0.25, "from": 1.5, "to": 0.5}, root_integral),
        case("root", {"k": 0.25, "from": 0.5, "to": 0.5}, root_integral),
        case("bell", {"width": 1.5}, lambda width: width * mp.sqrt(mp.pi)),
        case("tail", {"k": 0.5, "from": 0.25}, lambda k, a: mp.exp(-k * a) / k),
        case("head", {"k": 0.5, "to": 0.25}, lambda k, b: mp.exp(k * b) / k),
        case("mixed", {"k": 0.5, "to": 1.5}, lambda k, b: b * mp.exp(k * b), relative=1e-11),
        failing(
            "endless",
            {"k": 1},
            "refined (std/quadrature.lam:LINE): an integral does not come to its tolerance with 2000 panels",
            only={"stages": ["primal", "forward", "adjoint"], "because": "2000 panels, searched 2000 times"},
        ),
        failing("tooMany", {"n": 0}, "nodesUpTo (std/quadrature.lam:LINE): a rule of Gauss has no such number of nodes"),
        failing("tooMany", {"n": 513}, "nodesUpTo (std/quadrature.lam:LINE): a rule of Gauss has no such number of nodes"),
    ],
)

# Fourier transforms


def dft(re, im, sign=-1):
    n = len(re)
    turn = [mp.expjpi(mp.mpf(sign * 2 * k) / n) for k in range(n)]
    zs = [mp.mpc(x, y) for x, y in zip(re, im)]
    return [sum((zs[j] * turn[j * k % n] for j in range(n)), mp.mpc(0)) for k in range(n)]


def transform(re, im):
    zs = dft(re, im)
    return [[mp.re(z) for z in zs], [mp.im(z) for z in zs]]


def loss_of(zs):
    return sum(((k + 1) * mp.re(z) ** 2 * mp.im(z) + mp.re(z) for k, z in enumerate(zs)), mp.mpf(0))


def loss(re, im):
    return loss_of(dft(re, im))


def inverse_loss(re, im):
    return loss_of([z / len(re) for z in dft(re, im, 1)])


def spectrum(xs):
    zs = dft(xs, [0] * len(xs))
    return sum((k + 1) * abs(z) ** 4 for k, z in enumerate(zs[: len(xs) // 2 + 1]))


def slopes(re, im):
    """By the chain rule: the derivative of element k along element j is a turn."""
    n, zs = len(re), dft(re, im)
    found = []
    for j in range(n):
        total = mp.mpf(0)
        for k, z in enumerate(zs):
            d = mp.expjpi(mp.mpf(-2 * j * k) / n)
            total += (k + 1) * (2 * mp.re(z) * mp.re(d) * mp.im(z) + mp.re(z) ** 2 * mp.im(d)) + mp.re(d)
        found.append(total)
    return found


def steepness(re, im):
    return sum(x * x for x in slopes(re, im))


def along(re, im):
    return sum(x * y for x, y in zip(slopes(re, im), im))


def signal(n):
    return {
        "re": [round(math.sin(1 + 2.3 * j), 3) for j in range(n)],
        "im": [round(math.cos(0.7 * j * j), 3) for j in range(n)],
    }


no_d1 = {"except": reversed_calls}
write(
    "fourier",
    [case("transform", signal(n), transform) for n in (1, 2, 3, 4, 6)]
    + [case("loss", signal(n), loss, **(no_d1 if n > 4 else {})) for n in (1, 2, 3, 4, 5, 6, 8, 12)]
    + [case("loss", signal(53), loss, only={"stages": ["primal", "forward", "adjoint"], "because": "some 10^5 numbers"})]
    + [case("inverseLoss", signal(n), inverse_loss, **no_d1) for n in (6, 8)]
    + [case("spectrum", {"xs": signal(n)["re"]}, spectrum, **no_d1) for n in (5, 6)]
    + [case("steepness", signal(n), steepness, relative=1e-11, **no_d1) for n in (3, 6, 8)]
    + [case("along", signal(n), along, relative=1e-11, **no_d1) for n in (3, 6, 8)],
)

# Special functions, as far as stages and orders of derivatives go; scripts/references-std.py has the numbers of each


def mixed_special(a, x):
    quantile = mp.sqrt(2) * mp.erfinv(2 * mp.gammainc(a, 0, x, regularized=True) - 1)
    return quantile + mp.betainc(a, x, 0, mp.mpf(3) / 10, regularized=True) + mp.besseli(0, x) * mp.besselj(1, a)


def tails(x):
    return mp.log(mp.erfc(-x / mp.sqrt(2)) / 2)


write(
    "special",
    [
        case("mixed", {"a": 1.5, "x": 0.75}, mixed_special, **no_d1),
        case("mixed", {"a": 2.0, "x": 3.25}, mixed_special, **no_d1),
        case("bend", {"a": 1.5, "x": 0.75}, lambda a, x: mp.diff(lambda x: mixed_special(a, x), x, 2), relative=1e-11, **no_d1),
        case("tail", {"x": -40.0}, tails),
        case("tail", {"x": 2.0}, tails),
        case("steep", {"x": -9.0}, lambda x: mp.diff(tails, x), relative=1e-11),
    ],
)

# Linear algebra


def matrix(rows):
    return mp.matrix(rows)


def inner(a, b):
    return mp.fsum(a[i, j] * b[i, j] for i in range(a.rows) for j in range(a.cols))


def dot(x, y):
    return mp.fsum(p * q for p, q in zip(x, y))


def system(a, b):
    x = list(mp.lu_solve(matrix(a), matrix(b)))
    return dot(x, x) + mp.log(abs(mp.det(matrix(a))))


def along_itself(f):
    """The derivative of f in a matrix along that matrix."""
    return lambda a, b: mp.diff(lambda t: f([[x * t for x in row] for row in a], b), 1)


def triangles(a, b):
    n = len(b)
    lower = matrix([[a[i][j] if j <= i else 0 for j in range(n)] for i in range(n)])
    upper = matrix([[a[i][j] if j >= i else 0 for j in range(n)] for i in range(n)])
    return dot(mp.lu_solve(lower, matrix(b)), mp.lu_solve(upper, matrix(b)))


def symmetric(a):
    return (matrix(a) + matrix(a).T) / 2


def quadratic(a, b):
    s = symmetric(a)
    return dot(b, mp.lu_solve(s, matrix(b))) + mp.log(mp.det(s))


def orthogonal(a, c):
    m, n = len(a), len(a[0])
    columns = []
    r = mp.matrix(n, n)
    for j in range(n):
        v = [a[i][j] for i in range(m)]
        for i, unit in enumerate(columns):
            r[i, j] = dot(unit, v)
            v = [x - r[i, j] * y for x, y in zip(v, unit)]
        r[j, j] = mp.sqrt(dot(v, v))
        columns.append([x / r[j, j] for x in v])
    return inner(matrix(c), matrix(columns).T) + inner(r, r) * r[0, 1]


def nearest(a, b):
    m = matrix(a)
    x = mp.lu_solve(m.T * m, m.T * matrix(b))
    return dot(x, x)


def spectrum(a, c):
    values, vectors = mp.eigsy(symmetric(a))
    return mp.fsum((k + 1) * values[k] * dot(vectors[:, k], c) ** 2 for k in range(len(c)))


def singular(a, c, d):
    m = matrix(a)
    u, s, v = mp.svd_r(m)
    return mp.fsum((k + 1) * s[k] * dot(u[:, k], c) * dot(v[k, :], d) for k in range(len(s)))


square = [[0.1, 2.0, 3.0], [4.0, 1.0, -1.0], [1.0, 0.5, 2.0]]
definite = [[4.0, 1.0, 0.5], [0.5, 3.0, -1.0], [0.25, -0.5, 2.0]]
tall = [[1.0, 0.5], [-1.0, 2.0], [0.5, 0.25]]
b = [1.0, 2.0, -1.0]
few = {"relative": 1e-11, **no_d1}
some = {"relative": 1e-11, "only": {"stages": ["primal", "forward", "delta-let", "d4", "tape", "adjoint"], "because": "the others take a second each"}}
write(
    "linalg",
    [
        case("system", {"a": square, "b": b}, system, **no_d1),
        case("system", {"a": [[-2.0]], "b": [3.0]}, system),
        case("steepness", {"a": square, "b": b}, along_itself(system), **some),
        case("inverses", {"a": square, "c": definite}, lambda a, c: inner(matrix(c), mp.inverse(matrix(a))), **no_d1),
        case("triangles", {"a": definite, "b": b}, triangles, **no_d1),
        case("positive", {"a": definite, "b": b}, lambda a, b: quadratic(a, b) + inner(matrix(a), mp.cholesky(symmetric(a))), **no_d1),
        case("bend", {"a": definite, "b": b}, along_itself(quadratic), **some),
        case("orthogonal", {"a": tall, "c": [[1.0, -2.0], [0.5, 1.0], [3.0, 0.25]]}, orthogonal, **no_d1),
        case("nearest", {"a": tall, "b": b}, nearest, **no_d1),
        case("spectrum", {"a": definite, "c": b}, spectrum, **some),
        case("singular", {"a": tall, "c": b, "d": [0.5, 2.0]}, singular, **some),
        case("singular", {"a": [list(row) for row in zip(*tall)], "c": [0.5, 2.0], "d": b}, singular, **some),
        case("exponential", {"a": square, "c": definite}, lambda a, c: inner(matrix(c), mp.expm(matrix(a))), **some),
        case("exponential", {"a": [[40.0, 1.0], [0.0, 3.0]], "c": [[1.0, 2.0], [0.5, 1.0]]}, lambda a, c: inner(matrix(c), mp.expm(matrix(a))), **some),
        case("plain", {"xs": [2.0, -3.0]}, lambda xs: dot(xs, xs) + mp.fsum(xs)),
        failing("system", {"a": [[1.0, 2.0], [2.0, 4.0]], "b": [1.0, 1.0]}, "system (linalg.lam:LINE): solve: the matrix is singular at pivot 1"),
        failing("positive", {"a": [[1.0, 2.0], [2.0, 1.0]], "b": [1.0, 1.0]}, "positive (linalg.lam:LINE): solvePositive: the matrix is not positive definite at pivot 1"),
        failing("triangles", {"a": [[1.0], [2.0, 1.0]], "b": [1.0, 1.0]}, "triangles (linalg.lam:LINE): solveLower: the matrix is not square: see row 0"),
        failing("nearest", {"a": [[1.0, 2.0], [2.0, 4.0], [1.0, 2.0]], "b": b}, "nearest (linalg.lam:LINE): leastSquares: a column depends on those before it: column 1"),
    ],
)
