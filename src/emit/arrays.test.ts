import prettier from "prettier";
import { describe, expect, it } from "vitest";
import { typeErrors } from "../../test/support/typecheck.js";
import { compile } from "../driver/compile.js";
import { functionOf, loadModule, propertyOf } from "../driver/evaluate.js";
import { stageNamed, stageNames, type StageName } from "../driver/stages.js";

const model = `
data Vec3 = Vec3 { x : R, y : R, z : R }
--- What looks at it.
data Camera = Camera { position : Vec3, new : R, weights : [R], counts : [Z] }
data Shape = Circle { radius : R, tag : R } | Square R | Path [(R, R)]
data Tree = Tree R [Tree]
data Signal a = Signal R [a]
data Odd = Odd { __proto__ : R, constructor : [R] }
type Matrix = [[R]]

def scaled (xs : [R]) (s : R) : [R] = build (length xs) (\\i. s * xs ! i)
def sumTo (xs : [R]) (n : Z) : R = if n == 0 then 0 else xs ! (n - 1) + sumTo xs (n - 1)
def total (t : Tree) : R = case t of { Tree x kids -> x * x + sum (map total kids) }
def look (c : Camera) : R = c.position.x * c.new + dot c.weights c.weights
def turn (c : Camera) (new : R) : Camera = { c | new = new }
def area (s : Shape) : R = case s of { Circle { radius } -> radius * radius; Square a -> a * a; Path ps -> sum (map fst ps) }
def trace (m : Matrix) : R = sum (build (length m) (\\i. m ! i ! i))
def gain (s : Signal R) (on : [Bool]) : Signal R = case s of { Signal a xs -> Signal a (build (length xs) (\\i. if on ! i then a * xs ! i else 0)) }
def odd (o : Odd) : Odd = { o | __proto__ = 2 * o.__proto__ }
def closures (n : Z) (x : R) : R = let fs = build n (\\i. \\y. y * toReal i) in sum (build n (\\i. (fs ! i) x))
def blanks (n : Z) : [()] = build n (\\_. ())
def first (us : [()]) : () = us ! 0
def nested (n : Z) (x : R) : [[R]] = build n (\\i. build i (\\j. x ^ j))
def mixed (c : Camera) (v : [R], (m, w) : ([[R]], [[R]])) : R = c.new * sum v * sum (map sum m) + v ! 0 * sum (map sum w) * (m ! 1 ! 0)
`;

type Exports = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

function code(stage: StageName, target: "ts" | "js"): string {
  const result = compile({ name: "model.lam", text: model }, { stage, target, verify: true });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return result.value.code;
}

const loaded = (stage: StageName): Exports => Object.fromEntries(loadModule(code(stage, "js")).exports);
const primal = loaded("primal");
const tape = loaded("tape");

const call = (exports: Exports, name: string, ...args: readonly unknown[]): unknown => exports[name]?.(...args);
/** A part of a value, by the names of its properties. */
const at = (value: unknown, ...path: readonly string[]): unknown => path.reduce(propertyOf, value);
const floats = (...items: readonly number[]): Float64Array => Float64Array.of(...items);
const camera = { position: { x: 1, y: 2, z: 3 }, new: 4, weights: [1, 2], counts: [7] };

it.each(stageNames)(
  "modules with arrays and records are strict and laid out as by prettier: %s",
  async (stage) => {
    const text = code(stage, "ts");
    expect(typeErrors(text)).toEqual([]);
    expect(await prettier.format(text, { parser: "typescript" })).toBe(text);
  },
  60_000,
);

describe("the program", () => {
  const text = code("primal", "ts");
  const fn = (name: string): string => /^function .*?^}/ms.exec(text.slice(text.indexOf(`\nfunction ${name}(`) + 1))?.[0] ?? ""; // prettier-ignore

  it("fills arrays in loops", () => {
    expect(fn("scaledPrimal")).toMatchInlineSnapshot(`
      "function scaledPrimal(xs: Float64Array, s: number): Float64Array {
        const array = new Float64Array(xs.length);
        for (let i = 0; i < array.length; i++) {
          array[i] = s * (xs[i] ?? outside(xs, i, "scaled (model.lam:11:66)"));
        }
        return array;
      }"
    `);
    expect(fn("nestedPrimal")).toMatchInlineSnapshot(`
      "function nestedPrimal(n: number, x: number): readonly Float64Array[] {
        const array: Array<Float64Array> = new Array(
          arraySize(n, "nested (model.lam:23:38)"),
        );
        for (let i = 0; i < array.length; i++) {
          const array1 = new Float64Array(arraySize(i, "nested (model.lam:23:51)"));
          for (let j = 0; j < array1.length; j++) {
            array1[j] = Math.pow(x, j);
          }
          array[i] = array1;
        }
        return array;
      }"
    `);
    expect(fn("closuresPrimal")).toMatchInlineSnapshot(`
      "function closuresPrimal(n: number, x: number): number {
        const fs: Array<(arg: number) => number> = new Array(
          arraySize(n, "closures (model.lam:20:45)"),
        );
        for (let i = 0; i < fs.length; i++) {
          fs[i] = (y: number) => y * i;
        }
        const xs = new Float64Array(arraySize(n, "closures (model.lam:20:83)"));
        for (let i1 = 0; i1 < xs.length; i1++) {
          xs[i1] = (fs[i1] ?? outside(fs, i1, "closures (model.lam:20:97)"))(x);
        }
        return sum(xs);
      }"
    `);
  });

  it("reads fields where they are used", () => {
    expect(fn("lookPrimal")).toMatchInlineSnapshot(`
      "function lookPrimal(c: Camera): number {
        const xs = c.weights;
        const ys = c.weights;
        return (
          c.position.x * c.new +
          sumOfProducts(
            sameLength(xs.length, ys.length, "look (model.lam:14:52): dot"),
            xs,
            ys,
          )
        );
      }"
    `);
  });

  it("computes", () => {
    expect(call(primal, "scaled", [1, 2], 3)).toEqual(floats(3, 6));
    expect(call(primal, "nested", 3, 2)).toEqual([floats(), floats(1), floats(1, 2)]);
    expect(call(primal, "closures", 4, 10)).toBe(60);
    expect(call(primal, "first", call(primal, "blanks", 2))).toBe(null);
    expect(call(primal, "area", { tag: "Circle", radius: 3, tag_: 0 })).toBe(9);
    expect(call(primal, "gain", { tag: "Signal", _0: 2, _1: [1, 2] }, [true, false])).toEqual({ tag: "Signal", _0: 2, _1: floats(2, 0) }); // prettier-ignore
  });

  it.each([
    ["scaled", "trace", [[[1], [1]]], /^trace \(model.lam:\d+:\d+\): index 1 is outside an array of length 1$/],
    ["an index below", "sumTo", [[1], -1], /^sumTo \(model.lam:\d+:\d+\): index -2 is outside an array of length 1$/],
    ["a size below 0", "blanks", [-1], /^blanks \(model.lam:\d+:\d+\): an array cannot have the size -1$/],
    ["a size that is too large", "blanks", [2 ** 40], /an array cannot have the size 1099511627776$/],
    ["an array of units", "first", [[]], /index 0 is outside an array of length 0$/],
  ])("fails with a place: %s", (_, name, args, message) => {
    for (const exports of [primal, tape]) expect(() => call(exports, name, ...args)).toThrow(message);
  });

  it("recurses through arrays as deep as memory allows", () => {
    let tree: unknown = { tag: "Tree", _0: 1, _1: [] };
    for (let i = 1; i < 100_000; i += 1) tree = { tag: "Tree", _0: 1, _1: [tree] };
    expect(call(primal, "total", tree)).toBe(100_000);
    let count = 0;
    let part = at(call(tape, "totalGrad", tree), "grad", "t");
    for (; part !== undefined; part = at(part, "_1", "0")) {
      expect(at(part, "_0")).toBe(2);
      count += 1;
    }
    expect(count).toBe(100_000);
  });
});

describe("the interface", () => {
  const text = code("tape", "ts");
  const declaration = (name: string): string => {
    const start = text.search(new RegExp(`^export (type|function) ${name}\\b`, "m"));
    const ends = [";\n\n", " {\n  const", " {\n  check"].map((mark) => text.indexOf(mark, start));
    return start === -1 ? "" : text.slice(start, Math.min(...ends.filter((end) => end !== -1)));
  };

  it("declares what is returned and what is accepted", () => {
    const beside = ["Camera", "CameraInput", "CameraCotangent", "Odd", "OddInput", "Matrix", "MatrixInput"];
    expect(beside.filter((name) => declaration(name) === "")).toEqual([]);
    expect(declaration("ShapeInput") + declaration("SignalInput")).toBe("");
    expect(declaration("CameraCotangentInput")).toMatchInlineSnapshot(`
      "export type CameraCotangentInput = {
        readonly position: Vec3;
        readonly new: number;
        readonly weights: ArrayLike<number>;
        readonly counts: readonly 0[];
      }"
    `);
    expect(declaration("Shape")).toMatchInlineSnapshot(`
      "export type Shape =
        | { readonly tag: "Circle"; readonly radius: number; readonly tag_: number }
        | { readonly tag: "Square"; readonly _0: number }
        | {
            readonly tag: "Path";
            readonly _0: readonly (readonly [number, number])[];
          }"
    `);
    expect(declaration("Signal")).toMatchInlineSnapshot(`
      "export type Signal<_A, As> = {
        readonly tag: "Signal";
        readonly _0: number;
        readonly _1: As;
      }"
    `);
    expect(declaration("Odd")).toMatchInlineSnapshot(`
      "export type Odd = {
        readonly __proto__: number;
        readonly constructor: Float64Array;
      }"
    `);
    expect(declaration("gainVjp")).toMatchInlineSnapshot(`
      "export function gainVjp(
        s: Signal<number, ArrayLike<number>>,
        on: readonly boolean[],
      ): {
        readonly value: Signal<number, Float64Array>;
        readonly pullback: (cotangent: Signal<number, ArrayLike<number>>) => {
          readonly s: Signal<number, Float64Array>;
          readonly on: readonly boolean[];
        };
      }"
    `);
    expect(declaration("lookGrad")).toMatchInlineSnapshot(`
      "export function lookGrad(
        c: CameraInput,
        buffers?: { readonly c: CameraCotangent },
      ): { readonly value: number; readonly grad: { readonly c: CameraCotangent } }"
    `);
  });

  it.each([
    ["scaled", [[1, undefined, 3], 1], "scaled: xs[1] must be a number, got undefined"],
    ["scaled", [["1"], 1], 'scaled: xs[0] must be a number, got "1"'],
    ["scaled", ["123", 1], 'scaled: xs must be an array of numbers, got "123"'],
    ["scaled", [{ length: -1 }, 1], "scaled: xs must be an array of numbers, got an object"],
    ["trace", [[[1], floats(1), 3]], "trace: m[2] must be an array of numbers, got 3"],
    ["trace", [floats(1, 2)], "trace: m must be an array, got a Float64Array of length 2"],
    ["look", [{ ...camera, counts: [1.5] }], "look: c.counts[0] must be an integer between -(2 ** 53 - 1) and 2 ** 53 - 1, got 1.5"], // prettier-ignore
    ["look", [{ ...camera, position: { x: 1, y: 2 } }], "look: c.position.z must be a number, got undefined"],
    ["look", [[]], "look: c must be an object with position, new, weights, counts, got an array of length 0"],
    ["odd", [{ constructor: [] }], "odd: o.__proto__ must be a number, got undefined"],
    ["area", [{ tag: "Path", _0: [[1, 2], [1]] }], "area: s._0[1] must be an array of length 2, got an array of length 1"], // prettier-ignore
  ])("checks: %s %j", (name, args, message) => {
    expect(() => call(primal, name, ...args)).toThrow(message);
  });

  it("sees arrays that contain themselves", () => {
    const tree: { tag: string; _0: number; _1: unknown[] } = { tag: "Tree", _0: 1, _1: [] };
    tree._1.push(tree);
    expect(() => call(primal, "total", tree)).toThrow(/contains itself/);
  });

  it("takes any array-like, and gives what is nobody else's", () => {
    const weights = floats(1, 2);
    const given = { ...camera, weights };
    const turned = call(primal, "turn", given, 9);
    expect(turned).toEqual({ ...given, new: 9 });
    expect(at(turned, "weights")).not.toBe(weights);
    expect(at(turned, "position")).not.toBe(given.position);
    expect(call(primal, "scaled", { length: 2, 0: 1, 1: 2 }, 2)).toEqual(floats(2, 4));
    expect(call(primal, "scaled", Int32Array.of(1, 2), 2)).toEqual(floats(2, 4));
    const odd = call(primal, "odd", JSON.parse('{ "__proto__": 2, "constructor": [1] }'));
    expect(odd).toBeInstanceOf(Object);
    expect(typeof odd === "object" && odd !== null && Object.entries(odd)).toEqual([["__proto__", 4], ["constructor", floats(1)]]); // prettier-ignore
  });

  it("keeps nothing of the arguments that could change", () => {
    const xs = floats(1, 2);
    const result = call(tape, "scaledVjp", xs, 3);
    const value = at(result, "value");
    const pullback = functionOf(at(result, "pullback"));
    xs[0] = 100;
    if (value instanceof Float64Array) value[0] = 100;
    expect(pullback([1, 10])).toEqual({ xs: floats(3, 30), s: 21 });
    expect(() => pullback([1])).toThrow("scaledVjp: cotangent must be an array of length 2, as in the value, got an array of length 1"); // prettier-ignore
  });

  it("fills the buffers of an earlier gradient again", () => {
    const grad = at(call(tape, "lookGrad", camera), "grad");
    expect(at(grad, "c")).toEqual({ position: { x: 4, y: 0, z: 0 }, new: 1, weights: floats(2, 4), counts: [0] });
    const second = call(tape, "lookGrad", { ...camera, weights: floats(5, 6) }, grad);
    expect(at(second, "grad", "c", "weights")).toBe(at(grad, "c", "weights"));
    expect(at(grad, "c", "weights")).toEqual(floats(10, 12));
    const third = call(tape, "lookGrad", { ...camera, weights: [1] }, grad);
    expect(at(third, "grad", "c", "weights")).toEqual(floats(2));
    expect(at(grad, "c", "weights")).toEqual(floats(10, 12));
  });

  it.each(stageNames.filter((stage) => stageNamed(stage).mode === "reverse"))(
    "lets arguments change between a value and its pullback: %s",
    (stage) => {
      const exports = loaded(stage);
      const args = () => ({ s: { tag: "Signal", _0: 2, _1: floats(3, 4) }, on: [true, false] });
      const [kept, changed] = [args(), args()];
      const cotangent = { tag: "Signal", _0: 1, _1: [10, 100] };
      const pullbackOf = ({ s, on }: typeof kept) => functionOf(at(call(exports, "gainVjp", s, on), "pullback"));
      const [expected, pullback] = [pullbackOf(kept)(cotangent), pullbackOf(changed)];
      changed.s._0 = 100;
      changed.s._1.fill(100);
      changed.on.fill(true);
      expect(pullback(cotangent)).toEqual(expected);
      const result = pullback(cotangent);
      expect(at(result, "on")).not.toBe(changed.on);
    },
  );

  it("copies no argument that a pullback does not read", () => {
    const text = code("tape", "ts");
    expect(text).toContain('acceptNumbers(xs, "scaledVjp: xs")');
    expect(text).not.toContain("copyValue(t,");
    expect(text).toContain("copyValue(on, ");
  });

  const reverse = stageNames.filter((stage) => stageNamed(stage).mode === "reverse");

  it.each(reverse)("fills any arrays that fit, but for those that have memory of an argument: %s", (stage) => {
    const exports = loaded(stage);
    const args = { c: camera, v: floats(1, 2), m: [floats(3, 4), floats(5)], w: [[1], [2]] };
    const values = Object.values(args);
    const fresh = at(call(exports, "mixedGrad", ...values), "grad");
    const buffers = { c: camera, v: args.v, m: [args.v, args.m[1]], w: [floats(0), floats(0, 0)] };
    const again = at(call(exports, "mixedGrad", ...values, buffers), "grad");
    expect(again).toEqual(fresh);
    expect(args.v).toEqual(floats(1, 2));
    expect(at(again, "v")).not.toBe(args.v);
    expect(at(again, "m", "0")).not.toBe(args.v);
    expect(at(again, "w", "0")).toBe(buffers.w[0]);
    expect(at(again, "w", "1")).not.toBe(buffers.w[1]);
  });
});
