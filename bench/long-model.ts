// Models of any length that look like what people write: records, data types, arrays, recursion, closures, chains of lets, and definitions
// that use earlier ones. No two blocks are alike: operators, constants, callees and lengths of chains are drawn from a fixed sequence.

type Draw = (choices: number) => number;

/** A model of about `lines` lines, always the same. */
export function longModel(lines: number): string {
  let state = 1;
  const draw: Draw = (choices) => {
    state = (1664525 * state + 1013904223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * choices);
  };
  const text: string[] = [];
  for (let k = 0; text.length < lines; k++) {
    const block = blocks[k % blocks.length];
    if (block !== undefined) text.push(...block(k, draw).split("\n"), "");
  }
  return text.join("\n");
}

/** A scalar expression over some variables, all of whose operations are smooth. */
function scalar(names: readonly string[], depth: number, draw: Draw): string {
  if (depth === 0) return draw(4) === 0 ? `${draw(90) / 10 + 0.1}` : (names[draw(names.length)] ?? "1");
  const sub = (): string => scalar(names, depth - 1, draw);
  const forms = [
    () => `(${sub()} + ${sub()})`,
    () => `${sub()} * ${sub()}`,
    () => `(${sub()} - ${sub()})`,
    () => `${["sin", "cos", "tanh", "sigmoid", "softplus"][draw(5)] ?? "sin"} (${sub()})`,
    () => `${sub()} / (1 + (${sub()}) ^ 2)`,
    () => `sqrt (1 + (${sub()}) ^ 2)`,
  ];
  return (forms[draw(forms.length)] ?? sub)();
}

/** A chain of lets, each over the names before it, and the last name. */
function chain(names: readonly string[], length: number, draw: Draw): string {
  const known = [...names];
  const lets = Array.from({ length }, (_, i) => {
    const line = `  let t${i} = ${scalar(known.slice(-4), 2, draw)} in`;
    known.push(`t${i}`);
    return line;
  });
  return [...lets, `  ${known.slice(-3).join(" + ")}`].join("\n");
}

/** The index of an earlier block of a kind, or of this one's iteration where there is none. */
function earlier(k: number, kind: number, draw: Draw): number {
  const iterations = Math.floor(k / blocks.length);
  const back = Math.min(iterations, draw(3));
  return (iterations - back) * blocks.length + kind;
}

const blocks: readonly ((k: number, draw: Draw) => string)[] = [
  // 0: a record, and functions of it
  (k, draw) => `--- Parameters of part ${k}.
data Part${k} = Part${k} { gain : R, bias : R, decay : R, weights : [R] }

--- What part ${k} answers to an input at a time.
def response${k} (p : Part${k}) (x : R) (t : R) : R =
  let rate = softplus p.decay in
  let drive = p.gain * x + p.bias in
  let shape = ${scalar(["rate", "drive", "t"], 3, draw)} in
  drive * exp (-rate * t) + shape * dot p.weights (map (\\w. w * x) p.weights)

def slower${k} (p : Part${k}) : Part${k} = { p | decay = p.decay * 0.${draw(9) + 1}, bias = ${scalar(["p.gain", "p.bias"], 1, draw)} }`,
  // 1: a chain of lets
  (k, draw) => `--- A formula of part ${k}.
def formula${k} (x : R) (y : R) (z : R) : R =
${chain(["x", "y", "z"], 6 + draw(10), draw)}`,
  // 2: a data type, and a function by cases
  (k, draw) => `data Shape${k} = Point${k} | Disc${k} R | Box${k} R R | Join${k} Shape${k} Shape${k}

def area${k} (shape : Shape${k}) : R =
  case shape of {
    Point${k} -> 0;
    Disc${k} r -> pi * r ^ 2;
    Box${k} w h -> ${scalar(["w", "h"], 2, draw)};
    Join${k} a b -> area${k} a + 0.${draw(9) + 1} * area${k} b
  }`,
  // 3: arrays
  (k, draw) => `--- A loss over observations, with a penalty.
def loss${k} (theta : [R]) (xs : [R]) (ys : [R]) : R =
  let predict x = ${scalar(["x", "theta ! 0", "theta ! 1"], 3, draw)} in
  let residuals = zipWith (\\x y. predict x - y) xs ys in
  let penalty = sum (map (\\w. w ^ 2) theta) in
  0.5 * dot residuals residuals + ${draw(90) / 100 + 0.01} * penalty`,
  // 4: a simulation of tuples
  (k, draw) => `def simulate${k} (steps : Z) (x : R) (v : R) : (R, R) =
  let dt = 0.0${draw(9) + 1} in
  let step (p, q) =
    let a = ${scalar(["p", "q"], 3, draw)} in
    (p + dt * q, q + dt * a)
  in
  iterate steps step (x, v)

def energy${k} (steps : Z) (x : R) (v : R) : R =
  let (p, q) = simulate${k} steps x v in
  0.5 * q ^ 2 + formula${earlier(k, 1, draw)} p q ${draw(20) / 10}`,
  // 5: matrices
  (k, draw) => `def layer${k} (w : [[R]]) (b : [R]) (x : [R]) : [R] =
  map (\\z. ${scalar(["z"], 2, draw)}) (zipWith (+) (matVec w x) b)

def score${k} (w : [[R]]) (b : [R]) (x : [R]) (k : Z) : R =
  let p = softmax (layer${k} w b x) in
  log (p ! mod k (length p) + 1e-9) + mean (map (\\q. ${scalar(["q"], 2, draw)}) p)`,
  // 6: closures, and functions of functions
  (k, draw) => `def twice${k} (f : R -> R) (x : R) : R = f (f x)

def blend${k} (a : R) (b : R) : R =
  let inner = \\x. ${scalar(["x", "a"], 2, draw)} in
  let outer = \\x. if x > ${draw(30) / 10} then inner x else ${scalar(["x", "b"], 2, draw)} in
  twice${k} outer a + twice${k} (\\x. outer (inner x)) b`,
  // 7: lists and local recursion
  (k, draw) => `def horner${k} (coefficients : List R) (x : R) : R =
  case coefficients of {
    Nil -> 0;
    c :: rest -> c + x * horner${k} rest (${scalar(["x"], 1, draw)})
  }

def series${k} (x : R) (n : Z) : R =
  let rec go i term acc =
    if i > n then acc else go (i + 1) (term * x / toReal i) (acc + ${scalar(["term", "x"], 1, draw)})
  in
  go 1 1 0 + horner${k} (x :: ${draw(9)}.5 :: Nil) x`,
  // 8: what brings earlier parts together
  (k, draw) => `--- The objective of round ${Math.floor(k / blocks.length)}.
def objective${k} (p : Part${earlier(k, 0, draw)}) (theta : [R]) (xs : [R]) : R =
  let ys = map (\\x. formula${earlier(k, 1, draw)} x (x * ${draw(9) + 1}) ${draw(9)}) xs in
  let shift = blend${earlier(k, 6, draw)} (theta ! 0) (theta ! 1) in
  let fit = loss${earlier(k, 3, draw)} theta xs ys in
  let (a, b) = simulate${earlier(k, 4, draw)} 10 shift 0 in
  fit + a * b + series${earlier(k, 7, draw)} shift 5 + sum p.weights`,
];
