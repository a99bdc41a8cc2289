// Models in plain style, each with arguments: what `test/cliffs.test.ts` rewrites. Each defines `loss`; `flags` are true and `size` is positive, for changes that ask for them.

export interface PlainModel {
  readonly name: string;
  readonly text: string;
  readonly args: readonly unknown[];
}

/** So many numbers between -1 and 1, always the same. */
function numbers(count: number, seed: number): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => Math.sin(12.9898 * (i + 1) + 78.233 * seed));
}

function rows(count: number, width: number, seed: number): readonly Float64Array[] {
  return Array.from({ length: count }, (_, i) => numbers(width, seed + i / 8));
}

const listOf = (xs: Float64Array): unknown =>
  xs.reduceRight<unknown>((rest, x) => ({ tag: "Cons", _0: x, _1: rest }), { tag: "Nil" });

function treeOf(xs: Float64Array, at: number): unknown {
  const x = xs[at] ?? 0;
  const [left, right] = [2 * at + 1, 2 * at + 2];
  return right < xs.length
    ? { tag: "Node", _0: x, _1: treeOf(xs, left), _2: treeOf(xs, right) }
    : { tag: "Leaf", _0: x };
}

const times = 40;
const flags: readonly boolean[] = Array.from({ length: times }, () => true);

export const plainModels: readonly PlainModel[] = [
  {
    name: "recurrent",
    text: `
def step (w : [[R]]) (h : [R]) (x : R) : [R] =
  map (\\row. tanh (dot row h + x)) w

def loss (w : [[R]]) (start : [R]) (xs : [R]) (flags : [Bool]) (size : Z) : R =
  sum (foldl (step w) start xs)
`,
    args: [rows(6, 6, 1), numbers(6, 2), numbers(times, 3), flags, 5],
  },
  {
    name: "smoothing",
    text: `
def loss (a : R) (b : R) (xs : [R]) (flags : [Bool]) (size : Z) : R =
  let visit (level, slope, total) x =
    let guess = level + slope in
    let wrong = x - guess in
    (guess + a * wrong, slope + b * wrong, total + wrong ^ 2)
  in
  let (_, _, total) = foldl visit (xs ! 0, 0, 0) xs in
  total / toReal (length xs)
`,
    args: [0.3, 0.1, numbers(times, 3), flags, 5],
  },
  {
    name: "logistic",
    text: `
def score (w : [R]) (b : R) (row : [R]) : R = dot w row + b

def penalty (w : [R]) : R = sum (map (\\x. x ^ 2) w)

def loss (w : [R]) (b : R) (xs : [[R]]) (ys : [R]) (flags : [Bool]) (size : Z) : R =
  let scores = map (score w b) xs in
  let losses = zipWith (\\s y. softplus s - y * s) scores ys in
  mean losses + 0.01 * penalty w
`,
    args: [numbers(6, 1), 0.2, rows(times, 6, 2), numbers(times, 3), flags, 5],
  },
  {
    name: "layers",
    text: `
data Layer = Layer { weights : [[R]], bias : [R] }

def apply (layer : Layer) (x : [R]) : [R] =
  zipWith (\\row b. tanh (dot row x + b)) layer.weights layer.bias

def errorOf (a : Layer) (b : Layer) (x : [R]) (y : R) : R =
  let hidden = apply a x in
  let out = apply b hidden in
  (out ! 0 - y) ^ 2

def loss (a : Layer) (b : Layer) (xs : [[R]]) (ys : [R]) (flags : [Bool]) (size : Z) : R =
  sum (zipWith (errorOf a b) xs ys) / toReal (length xs)
`,
    args: [
      { weights: rows(5, 4, 1), bias: numbers(5, 2) },
      { weights: rows(2, 5, 3), bias: numbers(2, 4) },
      rows(times, 4, 5),
      numbers(times, 6),
      flags,
      5,
    ],
  },
  {
    name: "chain",
    text: `
def energy (k : R) (at : R) (rest : List R) : R =
  case rest of {
    Nil -> 0;
    Cons x more ->
      let stretch = x - at in
      0.5 * k * stretch ^ 2 + energy k x more
  }

def loss (k : R) (xs : List R) (flags : [Bool]) (size : Z) : R = energy k 0 xs
`,
    args: [1.5, listOf(numbers(times, 1)), flags, 5],
  },
  {
    name: "pendulum",
    text: `
def slope (k : R) (angle : R, speed : R) : (R, R) = (speed, -(k * sin angle))

def ahead (h : R) (a : R, b : R) (da : R, db : R) : (R, R) = (a + h * da, b + h * db)

def step (k : R) (h : R) (s : (R, R)) : (R, R) =
  let k1 = slope k s in
  let k2 = slope k (ahead (h / 2) s k1) in
  let k3 = slope k (ahead (h / 2) s k2) in
  let k4 = slope k (ahead h s k3) in
  ahead (h / 6) (ahead (h / 3) (ahead (h / 3) (ahead (h / 6) s k1) k2) k3) k4

def loss (k : R) (angle : R) (xs : [R]) (flags : [Bool]) (size : Z) : R =
  let visit (s, total) x =
    let next = step k 0.1 s in
    (next, total + (fst next - x) ^ 2)
  in
  snd (foldl visit ((angle, 0), 0) xs)
`,
    args: [1.5, 0.4, numbers(times, 1), flags, 5],
  },
  {
    name: "heat",
    text: `
def step (c : R) (u : [R]) : [R] =
  let n = length u in
  build n (\\i.
    if i == 0 || i == n - 1 then
      u ! i
    else
      let left = u ! (i - 1) in
      let right = u ! (i + 1) in
      u ! i + c * (left - 2 * u ! i + right))

def loss (c : R) (u : [R]) (seen : [R]) (flags : [Bool]) (size : Z) : R =
  let final = iterate size (step c) u in
  sum (zipWith (\\x y. (x - y) ^ 2) final seen)
`,
    args: [0.2, numbers(20, 1), numbers(20, 2), flags, 15],
  },
  {
    name: "clusters",
    text: `
def squares (x : [R]) (m : [R]) : R = sum (zipWith (\\a b. (a - b) ^ 2) x m)

def likelihood (means : [[R]]) (scale : R) (x : [R]) : R =
  let nearness = map (\\m. -(squares x m) / scale) means in
  logSumExp nearness

def loss (means : [[R]]) (spread : R) (xs : [[R]]) (flags : [Bool]) (size : Z) : R =
  let scale = exp spread in
  -(sum (map (likelihood means scale) xs))
`,
    args: [rows(4, 3, 1), 0.3, rows(times, 3, 2), flags, 5],
  },
  {
    name: "bodies",
    text: `
data Body = Body { mass : R, at : [R] }

def distance (a : Body) (b : Body) : R =
  sqrt (sum (zipWith (\\x y. (x - y) ^ 2) a.at b.at) + 0.01)

def loss (bodies : [Body]) (flags : [Bool]) (size : Z) : R =
  let pull a b = a.mass * b.mass / distance a b in
  let energy a = sum (map (pull a) bodies) in
  -0.5 * sum (map energy bodies)
`,
    args: [rows(8, 3, 1).map((at, i) => ({ mass: 1 + i / 8, at })), flags, 5],
  },
  {
    name: "states",
    text: `
data Belief = Belief { known : [R], total : R }

def normal (m : R) (x : R) : R = exp (-0.5 * (x - m) ^ 2)

def visit (moves : [[R]]) (means : [R]) (b : Belief) (x : R) : Belief =
  let moved = matVec moves b.known in
  let joint = zipWith (\\p m. p * normal m x) moved means in
  let all = sum joint in
  Belief { known = map (\\p. p / all) joint, total = b.total - log all }

def loss (moves : [[R]]) (means : [R]) (xs : [R]) (flags : [Bool]) (size : Z) : R =
  let start = Belief { known = map (\\_. 0.25) means, total = 0 } in
  (foldl (visit moves means) start xs).total
`,
    args: [rows(4, 4, 1).map((row) => row.map((x) => x * x + 0.1)), numbers(4, 2), numbers(times, 3), flags, 5],
  },
  {
    name: "orbit",
    text: `
def plus (a : [R]) (b : [R]) : [R] = zipWith (+) a b

def times (k : R) (a : [R]) : [R] = map (\\x. k * x) a

def pull (k : R) (at : [R]) : [R] =
  let r = sqrt (dot at at + 0.01) in
  times (-(k / r ^ 3)) at

def step (k : R) (h : R) (at : [R], v : [R]) : ([R], [R]) =
  let middle = plus v (times (h / 2) (pull k at)) in
  let next = plus at (times h middle) in
  (next, plus middle (times (h / 2) (pull k next)))

def loss (k : R) (at : [R]) (v : [R]) (xs : [R]) (flags : [Bool]) (size : Z) : R =
  let visit (s, total) x =
    let (next, speed) = step k 0.05 s in
    ((next, speed), total + (next ! 0 - x) ^ 2)
  in
  snd (foldl visit ((at, v), 0) xs)
`,
    args: [1.2, numbers(3, 1), numbers(3, 2), numbers(times, 3), flags, 5],
  },
  {
    name: "covariance",
    text: `
def plus (a : [[R]]) (b : [[R]]) : [[R]] = zipWith (zipWith (+)) a b

def scaled (k : R) (a : [[R]]) : [[R]] = map (map (\\x. k * x)) a

def step (move : [[R]]) (noise : [[R]]) (p : [[R]]) (x : [R]) : [[R]] =
  let moved = plus (matMul (matMul move p) (transpose move)) noise in
  let seen = matVec moved x in
  let s = dot x seen + 1 in
  plus moved (scaled (-1 / s) (outer seen seen))

def loss (move : [[R]]) (noise : [[R]]) (xs : [[R]]) (flags : [Bool]) (size : Z) : R =
  let last = foldl (step move noise) noise xs in
  sum (mapi (\\i row. row ! i) last)
`,
    args: [rows(3, 3, 1), rows(3, 3, 2).map((row) => row.map((x) => x * x)), rows(times, 3, 3), flags, 5],
  },
  {
    name: "gravity",
    text: `
data Body = Body { mass : R, at : (R, R), v : (R, R) }

def pull (a : Body) (b : Body) : (R, R) =
  let (ax, ay) = a.at in
  let (bx, by) = b.at in
  let (dx, dy) = (bx - ax, by - ay) in
  let r = sqrt (dx * dx + dy * dy + 0.05) in
  let k = b.mass / r ^ 3 in
  (k * dx, k * dy)

def moved (h : R) (bodies : [Body]) (a : Body) : Body =
  let pulls = map (pull a) bodies in
  let fx = sum (map fst pulls) in
  let fy = sum (map snd pulls) in
  let (vx, vy) = a.v in
  let v = (vx + h * fx, vy + h * fy) in
  let (x, y) = a.at in
  { a | at = (x + h * fst v, y + h * snd v), v = v }

def loss (bodies : [Body]) (xs : [R]) (flags : [Bool]) (size : Z) : R =
  let visit (all, total) x =
    let next = map (moved 0.02 all) all in
    (next, total + (fst (next ! 0).at - x) ^ 2)
  in
  snd (foldl visit (bodies, 0) xs)
`,
    args: [
      rows(5, 5, 1).map(([m = 0, x = 0, y = 0, vx = 0, vy = 0]) => ({ mass: 1 + m / 2, at: [x, y], v: [vx, vy] })),
      numbers(times, 3),
      flags,
      5,
    ],
  },
  {
    name: "gated",
    text: `
data Gate = Gate { input : [[R]], state : [[R]], bias : [R] }

data Cell = Cell { hidden : [R], memory : [R] }

def plus (a : [R]) (b : [R]) : [R] = zipWith (+) a b

def linear (g : Gate) (h : [R]) (x : [R]) : [R] =
  plus (plus (matVec g.input x) (matVec g.state h)) g.bias

def step (forget : Gate) (update : Gate) (c : Cell) (x : [R]) : Cell =
  let f = map sigmoid (linear forget c.hidden x) in
  let u = map tanh (linear update c.hidden x) in
  let memory = plus (zipWith (*) f c.memory) (zipWith (\\a b. (1 - a) * b) f u) in
  Cell { hidden = map tanh memory, memory = memory }

def loss (forget : Gate) (update : Gate) (xs : [[R]]) (flags : [Bool]) (size : Z) : R =
  let zero = map (\\_. 0) forget.bias in
  let last = foldl (step forget update) (Cell { hidden = zero, memory = zero }) xs in
  sum last.hidden
`,
    args: [
      { input: rows(4, 3, 1), state: rows(4, 4, 2), bias: numbers(4, 3) },
      { input: rows(4, 3, 4), state: rows(4, 4, 5), bias: numbers(4, 6) },
      rows(times, 3, 7),
      flags,
      5,
    ],
  },
  {
    name: "newton",
    text: `
def root (a : R) (x : R) (left : Z) : R =
  let wrong = x * x - a in
  if left == 0 || abs wrong < 1e-12 then
    x
  else
    root a (x - wrong / (2 * x)) (left - 1)

def loss (xs : [R]) (flags : [Bool]) (size : Z) : R =
  sum (map (\\x. root (1 + x * x) 1 20) xs)
`,
    args: [numbers(times, 1), flags, 5],
  },
  {
    name: "tree",
    text: `
data Tree = Leaf R | Node R Tree Tree

def total (k : R) (t : Tree) : R =
  case t of {
    Leaf x -> k * x;
    Node x l r -> tanh (k * x + total k l * total k r)
  }

def loss (k : R) (t : Tree) (flags : [Bool]) (size : Z) : R = total k t
`,
    args: [0.7, treeOf(numbers(31, 1), 0), flags, 5],
  },
  {
    name: "listed",
    text: `
def loss (k : R) (xs : List R) (flags : [Bool]) (size : Z) : R =
  let steps = listMap (\\x. k * x + x ^ 2) xs in
  let kept = listZipWith (\\a b. a * sin b) steps xs in
  listSum kept + listFoldl (\\a x. 0.5 * a + x) 0 steps
`,
    args: [0.7, listOf(numbers(times, 1)), flags, 5],
  },
  {
    name: "waves",
    text: `
def step (c : R) (before : [R], u : [R]) : ([R], [R]) =
  let n = length u in
  let next =
    mapi
      (\\i x.
        let left = if i == 0 then 0 else u ! (i - 1) in
        let right = if i == n - 1 then 0 else u ! (i + 1) in
        2 * x - before ! i + c * (left - 2 * x + right))
      u
  in
  (u, next)

def loss (c : R) (start : [R]) (xs : [R]) (flags : [Bool]) (size : Z) : R =
  let (_, total) =
    foldl
      (\\(s, total) x.
        let next = step c s in
        (next, total + (snd next ! 3 - x) ^ 2))
      ((start, start), 0)
      xs
  in
  total
`,
    args: [0.1, numbers(12, 1), numbers(times, 2), flags, 5],
  },
];
