// Pullbacks of the stage adjoint work in slots and on a tape that they keep from call to call: whatever happens in one call, the next one is right, or
// says why it cannot be.

import { describe, expect, test } from "vitest";
import { compile } from "../src/driver/compile.js";
import { exportOf, functionOf, loadModule, propertyOf, type EmittedFunction } from "../src/driver/evaluate.js";

const model = `data Camera = Camera { at : [R], zoom : R }
data Chain = End | Link R Chain | Fork Chain Chain

def scaled (xs : [R]) (k : R) : [R] = map (\\x. x * x * k) xs

def seen (c : Camera) (xs : List R) : ([R], R) = (map (\\x. x * c.zoom) c.at, c.zoom * listSum (listMap (\\x. x * x) xs))

-- Not a list, which would be an array inside, and have no slots that outlive a run
def squares (c : Chain) (k : R) : Chain =
  case c of {
    End -> End;
    Link x rest -> Link (x * x * k) (squares rest (k + x));
    Fork left right -> Fork (squares left k) (squares right k)
  }

def thrice (x : R) (fs : [R]) : R = let g = \\y. y * x in sum (map (\\f. g f * f) fs)
`;

function emitted(): ReadonlyMap<string, EmittedFunction> {
  const compiled = compile({ name: "model.lam", text: model }, { stage: "adjoint", target: "js" });
  if (!compiled.ok) throw new Error("the model does not compile");
  return loadModule(compiled.value.code).exports;
}

const exports = emitted();

/** The pullback of a definition at arguments. */
function pullbackOf(name: string, ...args: readonly unknown[]): EmittedFunction {
  const vjp = exportOf({ exports, counters: null }, `${name}Vjp`);
  return functionOf(propertyOf(vjp(...args), "pullback"));
}

const chain = (...items: readonly number[]): unknown =>
  items.reduceRight<unknown>((rest, item) => ({ tag: "Link", _0: item, _1: rest }), { tag: "End" });

const list = (...items: readonly number[]): unknown =>
  items.reduceRight<unknown>((rest, item) => ({ tag: "Cons", _0: item, _1: rest }), { tag: "Nil" });

/** A chain whose first field is what a function gives. */
const chainWith = (first: () => number, rest: unknown): unknown => ({
  tag: "Link",
  get _0() {
    return first();
  },
  _1: rest,
});

/** What squares (Link 2 (Link 3 End)) 1 gives for (1, 1): values 4 and 9 * 3. */
const gradientOfSquares = { c: chain(4 + 9, 18), k: 4 + 9 };

describe("a pullback", () => {
  test("gives the same again, whatever was done to what it gave", () => {
    const pullback = pullbackOf("scaled", [1, 2, 3], 2);
    const expected = { xs: Float64Array.of(4, 8, 12), k: 14 };
    for (let i = 0; i < 3; i += 1) {
      const gradient = pullback(Float64Array.of(1, 1, 1));
      expect(gradient).toEqual(expected);
      const xs = propertyOf(gradient, "xs");
      if (xs instanceof Float64Array) xs.fill(7);
    }
  });

  test("is linear in the cotangent, from call to call", () => {
    const pullback = pullbackOf("squares", chain(2, 3), 1);
    expect(pullback(chain(1, 0))).toEqual({ c: chain(4, 0), k: 4 });
    expect(pullback(chain(0, 1))).toEqual({ c: chain(9, 18), k: 9 });
    expect(pullback(chain(1, 1))).toEqual(gradientOfSquares);
    expect(pullback(chain(0, 0))).toEqual({ c: chain(0, 0), k: 0 });
  });

  test("does not see what its caller does to the arguments", () => {
    const at = Float64Array.of(1, 2);
    const camera = { at, zoom: 3 };
    const cell = { tag: "Cons", _0: 5, _1: list(6) };
    const pullback = pullbackOf("seen", camera, cell);
    const cotangent = [Float64Array.of(1, 1), 1];
    const expected = { c: { at: Float64Array.of(3, 3), zoom: 1 + 2 + 25 + 36 }, xs: list(30, 36) };
    expect(pullback(cotangent)).toEqual(expected);
    at.fill(100);
    camera.zoom = 100;
    cell._0 = 100;
    cell._1 = list();
    expect(pullback(cotangent)).toEqual(expected);
  });

  test("does not see what its caller does to the value", () => {
    const vjp = exportOf({ exports, counters: null }, "squaresVjp")(chain(2, 3), 1);
    const value = propertyOf(vjp, "value");
    if (typeof value === "object" && value !== null) Object.assign(value, { tag: "End" });
    expect(functionOf(propertyOf(vjp, "pullback"))(chain(1, 1))).toEqual(gradientOfSquares);
  });

  test("can be called in turn with others of the same function", () => {
    const first = pullbackOf("squares", chain(2, 3), 1);
    const second = pullbackOf("squares", chain(1), 2);
    const third = pullbackOf("squares", chain(2, 3), 1);
    for (let i = 0; i < 2; i += 1) {
      expect(first(chain(1, 1))).toEqual(gradientOfSquares);
      expect(second(chain(1))).toEqual({ c: chain(4), k: 1 });
      expect(third(chain(1, 1))).toEqual(gradientOfSquares);
    }
  });

  test("of functions that hold slots can be called in turn with others", () => {
    const pullbacks = [2, 3].map((x) => ({ x, pullback: pullbackOf("thrice", x, [1, 2]) }));
    for (const { x, pullback } of [...pullbacks, ...pullbacks.toReversed()]) {
      expect(pullback(1)).toEqual({ x: 5, fs: Float64Array.of(2 * x, 4 * x) });
    }
  });
});

describe("a pullback that goes wrong", () => {
  test("checks the cotangent before it changes anything", () => {
    const pullback = pullbackOf("squares", chain(2, 3), 1);
    expect(() => pullback(chain(1))).toThrow(/squaresVjp: cotangent/);
    expect(() => pullback(chain(1, NaN, 1))).toThrow(/squaresVjp: cotangent/);
    expect(() => pullback(undefined)).toThrow(TypeError);
    expect(pullback(chain(1, 1))).toEqual(gradientOfSquares);
    const scaled = pullbackOf("scaled", [1, 2, 3], 2);
    expect(() => scaled([1, 1])).toThrow(/scaledVjp: cotangent must be an array of length 3/);
    expect(scaled([1, 1, 1])).toEqual({ xs: Float64Array.of(4, 8, 12), k: 14 });
  });

  test("throws where it is entered again from a getter of the cotangent", () => {
    const pullback = pullbackOf("squares", chain(2, 3), 1);
    const again = (): number => {
      pullback(chain(1, 1));
      return 1;
    };
    expect(() => pullback(chainWith(again, chain(1)))).toThrow("this pullback is running already");
    expect(() => pullback(chain(1, 1))).toThrow("has failed; take a new one");
  });

  test("may be entered from the cotangent of another one", () => {
    const [outer, inner] = [pullbackOf("squares", chain(2, 3), 1), pullbackOf("squares", chain(2, 3), 1)];
    const other = (): number => {
      expect(inner(chain(1, 1))).toEqual(gradientOfSquares);
      return 1;
    };
    expect(outer(chainWith(other, chain(1)))).toEqual(gradientOfSquares);
  });

  test("starts anew after a getter has thrown while the cotangent was checked", () => {
    const pullback = pullbackOf("squares", chain(2, 3), 1);
    const failing = (): number => {
      throw new Error("not now");
    };
    expect(() => pullback(chainWith(failing, chain(1)))).toThrow("not now");
    expect(pullback(chain(1, 1))).toEqual(gradientOfSquares);
  });

  test("says so ever after, where it has thrown half-way", () => {
    const pullback = pullbackOf("squares", chain(2, 3), 1);
    let reads = 0;
    const failing = (): number => {
      reads += 1;
      if (reads > 1) throw new Error("not twice");
      return 1;
    };
    expect(() => pullback(chainWith(failing, chain(1)))).toThrow("not twice");
    expect(() => pullback(chain(1, 1))).toThrow("has failed; take a new one");
    expect(pullbackOf("squares", chain(2, 3), 1)(chain(1, 1))).toEqual(gradientOfSquares);
  });

  test("is right or says so after the stack has overflown", () => {
    const long = Array.from({ length: 3000 }, () => 1e-3);
    const ones = chain(...long.map(() => 1));
    const expected = pullbackOf("squares", chain(...long), 1)(ones);
    const pullback = pullbackOf("squares", chain(...long), 1);
    const onLittleStack = (): boolean => {
      try {
        return onLittleStack();
      } catch {
        try {
          pullback(ones);
          return true;
        } catch {
          return false;
        }
      }
    };
    onLittleStack();
    let result: unknown = null;
    try {
      result = pullback(ones);
    } catch (error) {
      expect(String(error)).toContain("has failed; take a new one");
    }
    // As text: vitest compares in depth by recursion
    if (result !== null) expect(JSON.stringify(result)).toBe(JSON.stringify(expected));
  });
});
