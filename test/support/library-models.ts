// Programs of several files, for the tests of files compiled apart.

interface Call {
  readonly entry: string;
  readonly args: readonly unknown[];
  /** What follows the arguments in forward mode. */
  readonly direction: readonly unknown[];
}

interface Program {
  readonly files: Readonly<Record<string, string>>;
  readonly calls: readonly Call[];
}

const xy = { args: [0.7, 1.3], direction: [1, 0.5] };

/** Functions, data with functions, constants, names that clash, rules, derivatives and fused definitions across two files. */
export const functions: Program = {
  files: {
    "lib.lam": `def g : R = 9.81 * 2.0
data Shape = Circle { radius : R } | Square R
data Stack a = Empty | Push a (Stack a)
data Layer = Layer { apply : R -> R, scale : R }

--- A Circle or Square.
def area (s : Shape) : R = case s of { Circle r -> g * helper r; Square a -> helper a }
def helper (x : R) : R = x * x
def twice (f : R -> R) (x : R) : R = f (f x)
def apply (f : R -> R) (x : R) : R = 1.0 + f x
def hold a = \\(x : R). a * x
def pick (n : Z) (a : R) : R -> R = if n > 0 then \\x. a * sum n x else \\x. x
def sum (n : Z) (x : R) : R = if n == 0 then 0.0 else x + sum (n - 1) x
def sumTo (n : Z) (f : R -> R) (x : R) : R = if n == 0 then 0.0 else f x + sumTo (n - 1) f x
def run (l : Layer) (x : R) : R = l.scale * l.apply x
def layer (a : R) : Layer = Layer { apply = \\x. a * x + sum 2 a, scale = a }
def sizeOf s = case s of { Empty -> 0; Push _ r -> 1 + sizeOf r }
def sq' x = x * x * x
def sqPrime (f : R -> R) : R = f 1.0
def norm (xs : [R]) : R = dot xs xs
def scaled (a : R) (xs : [R]) : [R] = map (\\x. a * x) xs
def clipped (x : R) : R = max 0.0 x
rule derivative clipped x dx = 2.0 * dx
fused def soft (x : R) (y : R) : R = x * sin y / (1.0 + x * x)
def slope (x : R) : R = derivative helper x
`,
    "app.lam": `import "lib.lam" (area, apply, twice, Shape, hold, pick, sumTo, run, layer, Layer, sq', sqPrime, g, sizeOf, Stack, norm, scaled, clipped, soft, slope)

def helper (x : R) : R = x + 1.0
def shapes (x : R) (y : R) : R = helper x * area (Circle y) + area (Square x)
def higher (x : R) (y : R) : R = twice (\\z. sin z * y) x + hold x y + sumTo 3 (hold x) y + pick 2 x y + pick 0 x y
def layers (x : R) (y : R) : R = run (layer x) y + run (Layer { apply = \\z. z * x, scale = y }) x
def names (x : R) (y : R) : R = sq' x + sqPrime (\\z. z * y) + g * x + toReal (sq' 2 + sizeOf (Push x Empty))
def arrays (x : R) (y : R) : R = norm (scaled x [x, y, 2.0])
def special (x : R) (y : R) : R = clipped (x * y) + soft x y + slope x + derivative (\\z. soft z y) x + grad area' [x, y] ! 1
def area' (xs : [R]) : R = area (Circle (xs ! 0)) * xs ! 1
def deep (n : Z) (x : R) : R = sumTo n (\\z. z * x) x
def later (n : Z) (k : R -> R) (x : R) : R = if n == 0 then k x else later (n - 1) (\\v. k v + x) x
def continued (n : Z) (x : R) : R = later n (pick 2 (3.0 * x)) x
def nested (n : Z) (x : R) : R = if n == 0 then x else twice (\\z. nested (n - 1) z) x
def across (n : Z) (x : R) : R = if n == 0 then x else apply (\\z. across (n - 1) z) x
`,
  },
  calls: ["shapes", "higher", "layers", "names", "arrays", "special"].map((entry) => ({ entry, ...xy })),
};

/** Three levels, in folders. */
export const levels: Program = {
  files: {
    "base.lam": `data Vec = Vec { x : R, y : R }
def unit : R = cos 1.0
def times (a : R) (b : R) : R = unit * a * b
`,
    "lib/mid.lam": `import "../base.lam" (Vec, times)
def dot2 (a : Vec) (b : Vec) : R = times a.x b.x + times a.y b.y
def both f x = (f x, f x)
`,
    "app.lam": `import "lib/mid.lam" (dot2, both)
import "base.lam" (Vec, times)
def loss (v : Vec) (k : R) : R = times k (dot2 v v) + let (p, q) = both (times k) v.x in p * q
`,
  },
  calls: [{ entry: "loss", args: [{ x: 1, y: 2 }, 10], direction: [{ x: 1, y: 0 }, 0.5] }],
};

/** A file with another text of its definitions, one of which is no constant number any more. */
export const recompiled = {
  files: {
    "lib.lam": "def c : R = 2.0\ndef f (x : R) : R = c * x\n",
    "app.lam": 'import "lib.lam" (f, c)\ndef loss (x : R) : R = f (f x) + c\n',
  },
  changed: {
    "lib.lam":
      "def c : R = if f 1.0 == 1.0 then 3.0 else 0.0\ndef f (x : R) : R = if x > 100.0 then f (x / 2.0) else x * x\n",
  },
  args: [3],
  direction: [1],
  before: { value: 14, grad: { value: 14, grad: { x: 4 } }, jvp: { value: 14, tangent: 4 } },
  after: { value: 84, grad: { value: 84, grad: { x: 108 } }, jvp: { value: 84, tangent: 108 } },
} as const;
