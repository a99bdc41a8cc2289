// Models to begin with, with arguments for the definition that is shown first.

export interface Example {
  readonly name: string;
  readonly text: string;
  readonly entry: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What views begin with. */
  readonly options?: Readonly<Record<string, string>>;
}

export const examples: readonly Example[] = [
  {
    name: "A product and a sine",
    entry: "f",
    text: `def f (x : R) (y : R) : R =
  let z = x * y in
  z * sin z
`,
    args: { x: 1.5, y: 2 },
  },
  {
    name: "Shared sub-terms (SV25 Fig. 2)",
    entry: "f",
    text: `-- Each step uses y twice. D1 calls its
-- backpropagator twice, and those below it
-- four times: see Cost. D2 stages the calls
-- and makes each once: see Run graph.
def f (n : Z) (x : R) : R =
  iterate n (\\y. 0.5 * y * sin y) x
`,
    args: { n: 3, x: 2 },
  },
  {
    name: "Rosenbrock's valley",
    entry: "loss",
    text: `--- A narrow curved valley with its lowest point at (1, 1).
def loss (x : R) (y : R) : R =
  (1 - x) ^ 2 + 100 * (y - x ^ 2) ^ 2
`,
    args: { x: -1.2, y: 1 },
    options: { rate: "0.001", steps: "200" },
  },
  {
    name: "A line through points",
    entry: "loss",
    text: `data Line = Line { slope : R, intercept : R }

def at (line : Line) (x : R) : R = line.slope * x + line.intercept

--- The mean square of what the line is off.
def loss (line : Line) (xs : [R]) (ys : [R]) : R =
  mean (zipWith (\\x y. (at line x - y) ^ 2) xs ys)
`,
    options: { rate: "0.1" },
    args: { line: { slope: 0, intercept: 0 }, xs: [0, 1, 2, 3], ys: [1, 2.9, 5.1, 7] },
  },
  {
    name: "Logistic regression",
    entry: "loss",
    text: `--- What was measured, and whether the event happened.
data Observation = Observation { features : [R], happened : Bool }

data Model = Model { bias : R, weights : [R] }

def logOdds (model : Model) (features : [R]) : R = model.bias + dot model.weights features

--- The probability that the event happens.
def probability (model : Model) (features : [R]) : R = sigmoid (logOdds model features)

--- The negative log-likelihood of what was observed.
def loss (model : Model) (observations : [Observation]) : R =
  let surprise seen =
    let z = logOdds model seen.features in
    softplus (if seen.happened then -z else z)
  in
  sum (map surprise observations)
`,
    args: {
      model: { bias: 0, weights: [0.5] },
      observations: [
        { features: [-1.5], happened: false },
        { features: [0.2], happened: true },
        { features: [0.4], happened: false },
        { features: [1.8], happened: true },
      ],
    },
  },
  {
    name: "Censored remissions (Weibull)",
    entry: "loss",
    text: `-- Weibull regression with censoring (Freireich et al. 1963; Venables & Ripley, 13.2), of a few patients.
import "std/probability.lam" (weibullLogPdf)

data Observation = Observation { weeks : R, isEnd : Bool, isControl : R }

--- Of intercept, effect of being in the control group, and logarithm of the scale.
def loss (p : [R]) (patients : [Observation]) : R =
  let shape = exp (-p ! 2) in
  let density o =
    let mean = exp (p ! 0 + p ! 1 * o.isControl) in
    if o.isEnd then weibullLogPdf o.weeks shape mean else -pow (o.weeks / mean) shape
  in
  -sum (map density patients)
`,
    options: { over: "patients" },
    args: {
      p: [3, -1, 0],
      patients: [
        { weeks: 6, isEnd: true, isControl: 0 },
        { weeks: 17, isEnd: false, isControl: 0 },
        { weeks: 23, isEnd: true, isControl: 0 },
        { weeks: 1, isEnd: true, isControl: 1 },
        { weeks: 8, isEnd: true, isControl: 1 },
        { weeks: 15, isEnd: true, isControl: 1 },
      ],
    },
  },
  {
    name: "A pendulum",
    entry: "miss",
    text: `data State = State { angle : R, speed : R }

def step (h : R) (length : R) (s : State) : State =
  let speed = s.speed - h * 9.81 / length * sin s.angle in
  State { angle = s.angle + h * speed, speed = speed }

--- How far a pendulum of this length, let go at this angle, is from hanging down after a second.
def miss (length : R) (angle : R) (steps : Z) : R =
  let s = iterate steps (step (1 / toReal steps) length) (State { angle = angle, speed = 0 }) in
  s.angle ^ 2
`,
    args: { length: 2, angle: 0.5, steps: 10 },
  },
  {
    name: "Tasks that fork (SV25 §12)",
    entry: "f",
    text: `--- The two halves can be evaluated, and resolved, at the same time.
def f (x : R) (y : R) : R =
  let (a, b) = (x * sin y) |*| (y * exp x) in
  a * b
`,
    args: { x: 0.5, y: 2 },
  },
];
