import { describe, expect, it } from "vitest";
import { emitSource, emitTarget, load } from "../../../test/support/emit-program.js";
import { typeErrors } from "../../../test/support/typecheck.js";
import type { OpName } from "../../core/primitives.js";
import { stageNamed } from "../../stages/index.js";
import * as b from "../../target-calculus/build.js";
import type { Fn, Param, Program, Term } from "../../target-calculus/term.js";
import type { Type } from "../../target-calculus/type.js";

/** The functions of a program in `primal`, checked by TypeScript. */
function primal(source: string): string {
  const { own, text } = emitSource(source);
  expect(typeErrors(text)).toEqual([]);
  return own;
}

function programOf(...definitions: readonly Fn[]): Program {
  return { data: [], definitions, wrappers: [] };
}

const x = b.variable("x");
const y = b.variable("y");
const z = b.variable("z");
const real2named = (first: string, second: string): readonly Param[] => [
  b.param(first, b.real),
  b.param(second, b.real),
];
const real2 = real2named("x", "y");

function functionOf(body: Term, params = real2, result: Type = b.real): Program {
  return programOf(b.fn("f", params, result, body));
}

describe("what is emitted reads as if written by hand", () => {
  it("arithmetic, and names", () => {
    expect(primal("def f (x : R, y : R) : R = let z' = x + y in x * z'")).toMatchInlineSnapshot(`
      "function f(pair: readonly [number, number]): number {
        const x = pair[0];
        const y = pair[1];
        const zPrime = x + y;
        return x * zPrime;
      }
      "
    `);
  });

  it("pairs of constructors, with one branch for all that do not go together", () => {
    const { text } = emitSource("data D = A R | B R | C R | E R  def f (d : D) : D = d", { stage: "forward" });
    expect(typeErrors(text)).toEqual([]);
    expect(text.match(/return impossible\(\);/g)).toHaveLength(4);
  });

  it("conditionals, where they are small", () => {
    expect(
      primal(`
        def clamp (x : R) : R = if x < 0 then 0 else if x > 1 && x < 2 then 1 else x
        def both (x : R) (y : R) : R =
          if x < y then (let s = sin x in let c = cos y in s * c + s) else (let t = tan x in t * t)
      `),
    ).toMatchInlineSnapshot(`
      "function clamp(x: number): number {
        if (x < 0) {
          return 0;
        }
        return x > 1 && x < 2 ? 1 : x;
      }

      function both(x: number, y: number): number {
        if (x < y) {
          const s = Math.sin(x);
          const c = Math.cos(y);
          return s * c + s;
        }
        const t = Math.tan(x);
        return t * t;
      }
      "
    `);
  });

  it("data types and cases", () => {
    expect(
      primal(`
        data Shape = Circle R | Box R R | Empty
        def area (s : Shape) : R = case s of { Circle r -> pi * r ^ 2; Box w h -> w * h; Empty -> 0 }
        def width (s : Shape) : R = let w = (case s of { Circle r -> 2 * r; Box w h -> w; Empty -> 0 }) in w + 1
        def swap (p : R + (R, R)) : (R, R) + R = case p of { inl a -> inr a; inr (a, b) -> inl (b, a) }
      `),
    ).toMatchInlineSnapshot(`
      "type Sum<A, B> =
        | { readonly tag: "inl"; readonly _0: A }
        | { readonly tag: "inr"; readonly _0: B };

      type Shape =
        | { readonly tag: "Circle"; readonly _0: number }
        | { readonly tag: "Box"; readonly _0: number; readonly _1: number }
        | { readonly tag: "Empty" };

      const pi = 3.141592653589793;

      function area(s: Shape): number {
        switch (s.tag) {
          case "Circle": {
            const r = s._0;
            return pi * (r * r);
          }
          case "Box": {
            const w = s._0;
            const h = s._1;
            return w * h;
          }
          case "Empty": {
            return 0;
          }
        }
      }

      function width(s: Shape): number {
        let w1: number;
        switch (s.tag) {
          case "Circle": {
            const r = s._0;
            w1 = 2 * r;
            break;
          }
          case "Box": {
            const w = s._0;
            w1 = w;
            break;
          }
          case "Empty": {
            w1 = 0;
            break;
          }
        }
        return w1 + 1;
      }

      function swap(
        p: Sum<number, readonly [number, number]>,
      ): Sum<readonly [number, number], number> {
        switch (p.tag) {
          case "inl": {
            const a = p._0;
            return { tag: "inr", _0: a };
          }
          case "inr": {
            const pair = p._0;
            const a1 = pair[0];
            const b = pair[1];
            return { tag: "inl", _0: [b, a1] };
          }
        }
      }
      "
    `);
  });

  it("loops, whose closures capture the values of their iteration", async () => {
    const source = `
      def fib (n : Z) (a : R) (b : R) : R = if n == 0 then a else fib (n - 1) b (a + b)
      def collect (n : Z) (k : R -> R) : R = if n == 0 then k 0 else collect (n - 1) (\\s. k s + toReal n)
      def sumTo (n : Z) : R = collect n (\\s. s)
    `;
    expect(primal(source)).toMatchInlineSnapshot(`
      "function fib(n: number, a: number, b: number): number {
        for (;;) {
          if (n === 0) {
            return a;
          }
          n = subInt(n, 1, "fib (model.lam:71)");
          const nextA = b;
          b = a + b;
          a = nextA;
        }
      }

      function collect(
        nextN: number,
        nextK: (arg: number, depth: number) => number,
      ): number {
        for (;;) {
          const n = nextN;
          const k = nextK;
          if (n === 0) {
            return k(0, 0);
          }
          nextK = (s: number, depth: number) => collectClosure(n, k, s, depth + 16);
          nextN = subInt(n, 1, "collect (model.lam:166)");
        }
      }

      function sumTo(n: number): number {
        return collect(n, (s: number) => s);
      }

      function collectClosure(
        n: number,
        k: (arg: number, depth: number) => number,
        s: number,
        depth: number,
      ): number {
        if (depth > deepLimit) {
          return enterDeep(depth, collectClosureDeep, n, k, s);
        }
        return k(s, depth + 17) + n;
      }

      function collectClosureDeep(
        n: number,
        k: (arg: number, depth: number) => number,
        s: number,
      ): number {
        saveNumber(n);
        resumeWith(collectClosureResume);
        return jump(() => k(s, Infinity));
      }

      function collectClosureResume(value: number): number {
        const n = restoreNumber();
        return value + n;
      }
      "
    `);
    const module = await load(emitSource(source).text);
    expect([module["fib"]?.(10, 0, 1), module["sumTo"]?.(10)]).toEqual([55, 55]);
  });

  it("constants: values where they are arithmetic, else computed once", () => {
    expect(
      primal(`
        def g : R = -9.81
        def fall : R = g / 2
        def table : List R = Cons (sin g) Nil
        def use (t : R) : R = case table of { Nil -> t; Cons x r -> fall * t + x }
      `),
    ).toMatchInlineSnapshot(`
      "type List<A> =
        | { readonly tag: "Nil" }
        | { readonly tag: "Cons"; readonly _0: A; readonly _1: List<A> };

      const g = -9.81;

      const fall = g / 2;

      let tableValue: List<number> | undefined;

      function table(): List<number> {
        return (tableValue ??= { tag: "Cons", _0: Math.sin(g), _1: { tag: "Nil" } });
      }

      function use(t: number): number {
        const list = table();
        switch (list.tag) {
          case "Nil": {
            return t;
          }
          case "Cons": {
            const x = list._0;
            return fall * t + x;
          }
        }
      }
      "
    `);
  });

  it("recursion, with its second version", () => {
    expect(primal("def depth (n : Z) : R = if n == 0 then 0 else 1 + depth (n - 1)")).toMatchInlineSnapshot(`
      "function depth(n: number, depth1: number): number {
        if (depth1 > deepLimit) {
          return enterDeep(depth1, depthDeep, n);
        }
        return n === 0
          ? 0
          : 1 + depth(subInt(n, 1, "depth (model.lam:56)"), depth1 + 19);
      }

      function depthDeep(n: number): number {
        for (;;) {
          if (n === 0) {
            return 0;
          }
          resumeWith(depthResume);
          n = subInt(n, 1, "depth (model.lam:56)");
        }
      }

      function depthResume(value: number): number {
        return 1 + value;
      }
      "
    `);
  });
});

describe("names", () => {
  it("come out right where they are reserved, global, or odd", async () => {
    const source = `
      data Map = Constructor R | ToString R
      def constructor (__proto__ : R) (class : R) : R = __proto__ - class
      def arguments (eval : R) (undefined : R) : R = let await = eval + undefined in let naN' = await in naN' * constructor eval 1
      def valueOf (limit : R) : R = (\\scale. scale + relu limit) 2
      def f' (θ : R) : R = θ
      def toString (m : Map) : R = case m of { Constructor x -> x; ToString y -> -y }
    `;
    const { text } = emitSource(source);
    expect(typeErrors(text)).toEqual([]);
    const module = await load(text);
    expect(module["constructor"]?.(5, 3)).toBe(2);
    expect(module["arguments_"]?.(2, 3)).toBe(5);
    expect(module["valueOf"]?.(2)).toBe(4);
    expect(module["fPrime"]?.(2)).toBe(2);
    expect(module["toString"]?.({ tag: "ToString", _0: 3 })).toBe(-3);
  });
});

describe("constructs of the target calculus", () => {
  const stage = stageNamed("primal");
  const check = (program: Program): string => {
    const { own, text } = emitTarget(program, stage);
    expect(typeErrors(text)).toEqual([]);
    return own;
  };

  const sin = (of: Term): Term => b.op("sin", [of], null);
  const mul = (left: Term, right: Term): Term => b.op("mul", [left, right], null);
  const partial = (op: OpName, index: number, args: readonly Term[], cotangent: Term): Term => ({
    kind: "partial",
    op,
    index,
    args,
    result: x,
    cotangent,
  });

  it.each<[what: string, body: Term, expected: string]>([
    ["the monad", b.bind("z", b.real, b.ret(sin(x)), b.ret(z)), "const z = Math.sin(x);\n  return z;"],
    [
      "a tuple taken apart",
      b.letTuple(real2named("a", "b"), b.tuple(x, y), b.variable("b")),
      "const b = y;\n  return b;",
    ],
    ["a component of a literal", b.proj(1, b.tuple(x, y)), "return y;"],
    ["a partial derivative of 1", partial("add", 0, [x, y], y), "return y;"],
    ["of -1", partial("sub", 1, [x, y], y), "return -y;"],
    ["of a product", partial("mul", 0, [x, y], x), "return scale(x, y);"],
    ["with a cotangent of 1", partial("log", 0, [x], b.realLit(1)), "return 1 / x;"],
    ["that may be infinite", partial("log", 0, [x], y), "return ratio(y, x);"],
    ["of relu", partial("relu", 0, [x], y), "return x > 0 ? y : 0;"],
    ["of cos", partial("cos", 0, [x], y), "return scale(y, -Math.sin(x));"],
    ["zero", b.zero(b.real), "return 0;"],
    ["plus", b.plus(b.real, x, y), "return x + y;"],
    ["impossible", b.impossible(b.real), "return impossible();"],
    ["the parallel tuple", b.proj(0, { kind: "parallel", items: [x, y] }), "return x;"],
    ["a redex", b.app(b.linLam("z", b.real, mul(z, z)), sin(x)), "const z = Math.sin(x);\n  return z * z;"],
  ])("%s", (_, body, expected) => {
    expect(check(functionOf(body))).toContain(expected);
  });

  it("evaluates first to last where an argument needs statements", () => {
    const large = (of: Term): Term => b.letIn("t", b.real, sin(of), mul(b.variable("t"), b.variable("t")));
    const program = programOf(
      b.fn("g", [b.param("a", b.real)], b.real, b.variable("a")),
      b.fn("f", real2, b.real, b.op("add", [b.call("g", x), large(y)], null)),
    );
    expect(check(program)).toContain("const x1 = g(x);\n  const t = Math.sin(y);\n  return x1 + t * t;");
  });
});

describe("counting", () => {
  it("counts operations, calls and iterations", async () => {
    const source = "def power (n : Z) (x : R) (y : R) : R = if n == 0 then y else power (n - 1) x (x * y)";
    const { text } = emitSource(source, { counted: true });
    expect(typeErrors(text)).toEqual([]);
    const module = await load(`${text}\nexport const read = () => cost;`);
    module["power"]?.(10, 2, 1);
    expect(module["read"]?.()).toMatchObject({ primitives: 31, functionCalls: 11, backpropagators: 0 });
  });

  it("counts the calls of backpropagators", async () => {
    const { text } = emitSource("def f (x : R) : R = x * x * x", { stage: "d1", counted: true });
    const module = await load(`${text}
      export const read = () => ({ ...cost });
      export const run = (x) => (fReverse(x)[1](1), cost);
    `);
    const before = module["read"]?.();
    const run = module["run"]?.(2);
    expect([before, run]).toMatchObject([{ backpropagators: 0 }, { backpropagators: 4 }]);
  });
});
