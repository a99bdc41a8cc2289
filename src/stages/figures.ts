// What stands beside the terms in the papers' figures: the interface box that a stage assumes, in the notation of the terms, and where dualrev
// departs from the figure.

import type { StageName } from "./stage.js";

export interface Figure {
  /** The definitions in the box; none where the stage assumes nothing. */
  readonly box: readonly string[];
  /** One sentence for each departure. */
  readonly departures: readonly string[];
}

const ids = ["genID = \\i. (i, i + 1)"];

const constants = "The backpropagator of a constant gives 0c: it is left out, with the sums in which it stands.";
const zeroVectors = "`zeros` is left out of sums.";
const redexes =
  "Redexes that the rules make, as `let x = y in t` and `fst (s, t)`, are reduced, as SV25 §5.3 does in its examples.";
const wrapped = "Wrap is printed with Interleave and Deinterleave of the actual types put in, and run from ID 0.";
const integers = "The cotangent of an integer is 0.";
const formalZeros =
  "A cotangent of the input may be a formal zero, `0 | S`, and Wrap fills zeros in by the shape of the input: a type with sums has no static zero (footnote 30).";

const cayley = [
  "SCall (i, f) x (c, m) = (c, m with i -> (f, x + x') where m has i -> (f, x'), else with i -> (f, x))",
  "SResolve (grad, m) = if m is empty then grad",
  "                     else let i = highest key of m; (f, a) = m[i]; m' = m without i in SResolve (f a (grad, m'))",
];

const seeded =
  "The figure multiplies the inputs by the cotangent; Wrap gives the value first, and multiplies what the result carries.";
const dotted =
  "Wrap makes the Delta of the dot product of result and cotangent directly, without the bindings and Zeros that a transformed product would have.";

const deltaBox = [
  "eval x Zero um = um",
  "eval x (Scale y u) um = eval (x * y) u um",
  "eval x (Add u1 u2) um = eval x u2 (eval x u1 um)",
];
const letBox = [
  "Delta = Zero | Scale R Delta | Add Delta Delta | Var DeltaId | Let DeltaId Delta Delta",
  "DeltaState = (DeltaId, [(DeltaId, Delta)]), the newest binding first",
  "deltaLet u = \\(i, binds). (i, (i + 1, (i, u) : binds))",
  "runDelta (_, binds) u = u in a Let for each of binds, the newest innermost",
  ...deltaBox,
  "eval x (Var uid) um = addDelta uid x um",
  "eval x (Let uid u1 u2) um = let um2 = eval x u2 um in",
  "                            case lookup uid um2 of Nothing -> um2; Just y -> eval y u1 (delete uid um2)",
];
const looped =
  "`eval` is a loop with a stack of what is still to be evaluated, since Deltas are as deep as programs are long; a zero factor ends a path.";

const figures: { readonly [S in StageName]: Figure } = {
  primal: { box: [], departures: [] },
  forward: { box: [], departures: ["A zero tangent contributes 0, whatever the partial derivative is."] },
  "delta-vector": {
    box: ["dS = a number for each scalar of the input, the zeros at the end left out"],
    departures: [zeroVectors, redexes, seeded, wrapped, integers],
  },
  delta: {
    box: [
      "Delta = Zero | OneHot Z | Scale R Delta | Add Delta Delta",
      ...deltaBox,
      "eval x (OneHot n) um = addAt n x um",
    ],
    departures: [redexes, dotted, looped, wrapped, integers],
  },
  "delta-let": {
    box: [...letBox, "DeltaMap = Map DeltaId R"],
    departures: [redexes, dotted, looped, wrapped, integers],
  },
  "delta-let-array": {
    box: [...letBox, "Array R: lookup reads, addDelta adds in place, and nothing is deleted"],
    departures: [redexes, dotted, looped, wrapped, integers],
  },
  d1: { box: [], departures: [constants, redexes, formalZeros] },
  d2: {
    box: [
      "Staged c = (c, Map Z (_R -o Staged c, _R))",
      "0Staged = (0c, {})",
      "(c, m) +Staged (c', m') = (c +c c', m union m'), where arguments of equal keys are added",
      "SCotan c = (c, {})",
      "SCall (i, f) x = (0c, {i -> (f, x)})",
      "SResolve (grad, m) = if m is empty then grad",
      "                     else let i = highest key of m; (f, a) = m[i]; m' = m without i in SResolve (f a +Staged (grad, m'))",
      ...ids,
    ],
    departures: [redexes, formalZeros, wrapped],
  },
  d3: {
    box: ["Staged c = (c, Map Z (_R -o (Staged c -> Staged c), _R))", "SCotan f (c, m) = (f c, m)", ...cayley, ...ids],
    departures: [redexes, wrapped],
  },
  "d3-map": {
    box: [
      "Staged = (Map Z _R, Map Z (_R -o (Staged -> Staged), _R))",
      "SOneHot i a (c, m) = (c with i -> c[i] + a, m)",
      ...cayley,
      ...ids,
    ],
    departures: [redexes, wrapped, integers],
  },
  d4: {
    box: [
      "Staged c = (Array _R, Array (_R -o (Staged c -> IO ()), _R))",
      "SAlloc i_inp i_out = the collector, i_inp zeros, and the staging array, i_out times (zero backpropagator, 0)",
      "SCall (i, f) a (c, m) = m[i] := (f, a + a') where m[i] = (_, a')",
      "SOneHot i a (c, m) = c[i] := c[i] + a",
      "SResolve i_out (c, m) = for i = i_out - 1 down to 0: let (f, a) = m[i] in f a (c, m); then freeze c",
      ...ids,
    ],
    departures: [redexes, wrapped, integers],
  },
  "d4-one-array": {
    box: [
      "Staged c = Array (_R -o (Staged c -> IO ()), _R)",
      "SCall (i, f) a m = m[i] := (f, a + a') where m[i] = (_, a')",
      "SResolve m = for each i from the highest down: let (f, a) = m[i] in f a m; what has come to the inputs is the gradient",
      ...ids,
    ],
    departures: [redexes, wrapped, integers],
  },
  parallel: {
    box: [
      "CID = (JID, Z), M a = Ref JID -> JobDescr -> IO (JobDescr, a)",
      "JobDescr = (History, JID, Z), History = Start | Fork JobDescr [JobDescr]",
      "genID = \\ref (h, j, n). return ((h, j, n + 1), (j, n))",
      "s |*| t = \\ref jd. run s and t in parallel, each in a fresh job from Start on, to jd1 and jd2; go on in a fresh job after Fork jd [jd1, jd2]",
      "Staged c = (Array _R, Array (Array (_R -o (Staged c -> IO ()), _R))), the outer index of the second the job",
      "SCall ((j, i), f) a (c, m) = m[j][i] := (f, a + a') where m[j][i] = (_, a'), atomic",
      "SOneHot (_, i) a (c, m) = c[i] := c[i] + a, atomic",
      "SResolve (h, j, n) = for i = n - 1 down to 0: let (f, a) = m[j][i] in f a (c, m);",
      "                     of h = Fork jd jds: SResolve each of jds in parallel, then SResolve jd",
    ],
    departures: [redexes, wrapped, integers],
  },
  contrib: {
    box: [
      "Contrib = [(_R, (Z, Contrib))]",
      "SCall (i, cb) a = cell i := (cb, a + a') where cell i is (_, a')",
      "SResolve = for i from the highest down: for each (a, (j, cb)) in the list of cell i:",
      "             the cotangent of cell j += a * that of cell i; the list of cell j := cb",
      ...ids,
    ],
    departures: [redexes, wrapped, integers],
  },
  tape: {
    box: [
      "tape[i] = [(a, j), ..]",
      "sweep = for i from the highest down: for each (a, j) in tape[i]: the cotangent of j += a * that of i",
    ],
    departures: [
      redexes,
      "A literal operand has no cell, and an operation on constants alone is a leaf.",
      "The value stands on the tape, too, so that a dual number is an index, and not a pair; the gradient is rebuilt from the input's dual value.",
    ],
  },
};

/** What stands beside the terms of a stage's figure. */
export function figureOf(stage: StageName): Figure {
  return figures[stage];
}
