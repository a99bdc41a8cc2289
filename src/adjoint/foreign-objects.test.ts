// Objects of callers that have more than their types tell of: links back, methods, fields of other types. Nothing of it is looked at, copied, or changed.

import { describe, expect, test } from "vitest";
import { compile } from "../driver/compile.js";
import { exportOf, functionOf, loadModule, propertyOf, type LoadedModule } from "../driver/evaluate.js";

const program = `
data S = A R | B R
data T = L | N T Z
data Tree = Leaf R | Node Tree R Tree
data Box = Box (Tree, [R]) T | Empty
data Held = Held (R -> R) Tree | Free Tree
data Path = Path { points: [(R, R)], inside: Tree } | NoPath

def keep (s : S) : S = s
def other (t : T) (x : R) : R = x * x
def count (t : T) : Z = case t of { L -> 0; N rest n -> n + count rest }
def same (t : T) (x : R) : (T, R) = (t, x * toReal (count t))
def tree (t : Tree) : R = case t of { Leaf x -> x * x; Node l x r -> tree l * x + tree r }
def mirrored (t : Tree) : Tree = case t of { Leaf x -> Leaf x; Node l x r -> Node (mirrored r) (2 * x) l }
def either (t : Tree) (u : Tree) (b : Bool) : R =
  let pair = if b then Box (t, [1]) L else Box (u, [2]) L
  in case pair of { Box p rest -> tree (fst p) * sum (snd p); Empty -> 0 }
def nested (b : Box) : R = case b of { Box p rest -> tree (fst p) * sum (snd p); Empty -> 0 }
def path (p : Path) : (R, Path) =
  case p of { Path { points, inside } -> (tree inside * sum (map (\\q. fst q * snd q) points), p); NoPath -> (0, p) }
def folded (ts : List Tree) : R = case ts of { Nil -> 0; t :: rest -> tree t * 2 + folded rest }
def applied (t : Tree) (x : R) : R =
  let f = if x > 0 then (\\y. tree t * y, t) else (\\y. y, Leaf x)
  in fst f x + tree (snd f)
def use (h : Held) : R = case h of { Held f t -> f (tree t); Free t -> tree t }
def held (ts : List Tree) (x : R) : R = case ts of { Nil -> x; t :: rest ->
  let h = if held rest x > 0 then Held (\\y. y * tree t) t else Free t in use h * use (if x > 1 then h else Free t) }
`;

function load(): LoadedModule {
  const result = compile({ name: "model.lam", text: program }, { stage: "adjoint", target: "js" });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return loadModule(result.value.code);
}

const module = load();

interface Fields {
  [key: string]: unknown;
}

const plain = (tag: string, ...fields: readonly unknown[]): Fields =>
  Object.fromEntries([["tag", tag], ...fields.map((field, i) => [`_${i}`, field] as const)]);

/** An object that refers to itself, to the one that holds it, and to one that it must not be taken for. */
function linked(tag: string, ...fields: readonly unknown[]): Fields {
  const made = plain(tag, ...fields);
  for (const field of fields) if (typeof field === "object" && field !== null) Object.assign(field, { parent: made });
  return Object.assign(made, { self: made, back: () => 0, more: [1, { deep: 2 }], when: new Date(0) });
}

/** An object whose fields are computed by its class. */
class Computed {
  readonly #fields: Fields;
  constructor(tag: string, ...fields: readonly unknown[]) {
    this.#fields = plain(tag, ...fields);
  }
  get tag(): unknown {
    return this.#fields["tag"];
  }
  get _0(): unknown {
    return this.#fields["_0"];
  }
  get _1(): unknown {
    return this.#fields["_1"];
  }
  get _2(): unknown {
    return this.#fields["_2"];
  }
  back(): void {
    this.#fields["_0"] = NaN;
  }
}

type Make = (tag: string, ...fields: readonly unknown[]) => unknown;

const chain = (make: Make): unknown => make("N", make("N", make("L"), 3), 4);
const tree = (make: Make, depth = 2): unknown => {
  let made = make("Leaf", 2);
  for (let i = 0; i < depth; i++) made = make("Node", made, i % 3, make("Leaf", 3));
  return made;
};
const box = (make: Make): unknown => make("Box", [tree(make), [1, 2]], chain(make));
const path = (make: Make): unknown => Object.assign(Object(make("Path")), { points: [[1, 2]], inside: tree(make) });

const calls: Readonly<Record<string, (make: Make) => readonly unknown[]>> = {
  keep: (make) => [make("A", 1)],
  other: (make) => [chain(make), 3],
  same: (make) => [chain(make), 3],
  tree: (make) => [tree(make)],
  mirrored: (make) => [tree(make)],
  either: (make) => [tree(make), tree(make), true],
  nested: (make) => [box(make)],
  folded: (make) => [make("Cons", tree(make), make("Cons", tree(make), make("Nil")))],
  held: (make) => [make("Cons", tree(make), make("Cons", tree(make), make("Nil"))), 2],
  applied: (make) => [tree(make), 2],
};

/** What all functions of a definition give; a pullback is given a value as its own cotangent, with zeros for integers. */
function outcomes(name: string, args: () => readonly unknown[]): unknown {
  const isScalar = typeof exportOf(module, name)(...args()) === "number";
  const made = exportOf(module, `${name}Vjp`)(...args());
  const pull = functionOf(propertyOf(made, "pullback"));
  const cotangent = name === "same" ? [plain("N", plain("N", plain("L"), 0), 0), 1] : propertyOf(made, "value");
  return [
    exportOf(module, name)(...args()),
    isScalar ? exportOf(module, `${name}Grad`)(...args()) : null,
    propertyOf(made, "value"),
    pull(cotangent),
    pull(cotangent),
  ];
}

describe.each(Object.entries(calls))("%s", (name, args) => {
  const expected = outcomes(name, () => args(plain));

  test("objects with links, methods and other fields", () => {
    expect(outcomes(name, () => args(linked))).toEqual(expected);
  });

  test("objects of classes", () => {
    expect(outcomes(name, () => args((...given) => new Computed(...given)))).toEqual(expected);
  });
});

test.each(["path", "nested"])("%s: of a type that is held in another form, or deep", (name) => {
  const make = name === "path" ? path : box;
  const args = (with_: Make): readonly unknown[] => [make(with_)];
  const run = (given: Make): unknown => {
    const made = exportOf(module, `${name}Vjp`)(...args(given));
    const value = propertyOf(made, "value");
    return [value, functionOf(propertyOf(made, "pullback"))(value)];
  };
  expect(run(linked)).toEqual(run(plain));
});

test("trees that are deeper than functions of the module recurse", () => {
  for (const name of ["tree", "mirrored"])
    expect(outcomes(name, () => [tree(linked, 1000)])).toEqual(outcomes(name, () => [tree(plain, 1000)]));
});

test("results share nothing with arguments, nor pullbacks with what their callers have", () => {
  const given = tree(plain);
  const expected = outcomes("mirrored", () => [tree(plain)]);
  const made = exportOf(module, "mirroredVjp")(given);
  const value = propertyOf(made, "value");
  for (const node of [given, value]) Object.assign(Object(node), { _0: plain("Leaf", NaN), _1: NaN });
  const pull = functionOf(propertyOf(made, "pullback"));
  const cotangent = exportOf(module, "mirrored")(tree(plain));
  expect([pull(cotangent), pull(cotangent)]).toEqual(Array.isArray(expected) ? expected.slice(3) : null);
  const shared = plain("A", 1);
  expect(exportOf(module, "keep")(shared)).not.toBe(shared);
});
