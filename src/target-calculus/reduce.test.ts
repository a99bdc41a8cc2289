import { describe, expect, test } from "vitest";
import * as b from "./build.js";
import { plainNotation, printTerm } from "./print.js";
import { reduceProgram } from "./reduce.js";
import type { Term } from "./term.js";

function reduce(body: Term): string {
  const definition = b.fn("f", [], b.real, body);
  const [reduced] = reduceProgram({ data: [], definitions: [definition], wrappers: [] }).definitions;
  return reduced === undefined ? "" : printTerm(reduced.body, plainNotation);
}

const v = b.variable;
const c = b.opaque("c");
const d = b.linear(b.real, c);

describe("administrative reductions", () => {
  test("atoms are put in place of their names", () => {
    expect(reduce(b.letIn("x", b.real, v("y"), b.op("add", [v("x"), v("x")], null)))).toBe("y + y");
  });

  test("work is not repeated", () => {
    const work = b.op("sin", [v("y")], null);
    expect(reduce(b.letIn("x", b.real, work, b.op("add", [v("x"), v("x")], null)))).toBe(
      "let x : R = sin(y) in\nx + x",
    );
  });

  test("a known tuple is taken apart", () => {
    const pair = b.letTuple([b.param("x", b.real), b.param("dx", d)], b.tuple(v("y"), v("dy")), b.app(v("dx"), v("x")));
    expect(reduce(pair)).toBe("dy y");
  });

  test("a loop's body is not once", () => {
    const lambda = b.linLam("z", b.real, b.app(v("d"), v("z")));
    const calls = b.sumOver(c, v("n"), "k", b.app(v("e"), b.indexOf(v("w"), v("k"))));
    expect(reduce(b.letIn("e", d, lambda, calls))).toBe("let e : _R -o c = \\_(z : R). d z in\nsum n (\\k. e (w ! k))");
    const work = b.op("sin", [v("y")], null);
    const each = b.build(v("n"), "k", b.real, b.op("add", [v("z"), v("z1")], null));
    expect(reduce(b.app(b.linLam("z", b.real, each), work))).toBe("(\\_(z : R). build n (\\k. z + z1)) sin(y)");
    expect(reduce(b.app(b.linLam("z", b.real, each), b.proj(0, v("y"))))).toBe("build n (\\k. fst y + z1)");
  });

  test("the laws of the monad", () => {
    const inner = b.bind("a", b.real, b.ext("m"), b.ret(v("a")));
    const term = b.bind("x", b.real, inner, b.bind("y", b.real, b.ext("n", v("x")), b.ret(v("y"))));
    expect(reduce(term)).toBe("do x : R <- m;\nn(x)");
  });

  test("bindings are taken out of what is bound", () => {
    const inner = b.letIn("a", b.real, b.op("sin", [v("y")], null), b.op("add", [v("a"), v("a")], null));
    expect(reduce(b.letIn("x", b.real, inner, b.op("mul", [v("x"), v("x")], null)))).toBe(
      "let a : R = sin(y) in\nlet x : R = a + a in\nx * x",
    );
  });

  test("a linear lambda that is called once is called on the spot", () => {
    const back = b.linLam("z", b.real, b.app(v("dy"), v("z")));
    expect(reduce(b.letIn("dx", d, back, b.linLam("w", b.real, b.app(v("dx"), v("w")))))).toBe("\\_(w : R). dy w");
  });

  test("a linear lambda that is called twice is not copied", () => {
    const back = b.linLam("z", b.real, b.app(v("dy"), v("z")));
    const twice = b.plus(c, b.app(v("dx"), v("w")), b.app(v("dx"), v("w")));
    expect(reduce(b.letIn("dx", d, back, b.linLam("w", b.real, twice)))).toContain("dx w + dx w");
  });

  test("zeros are left out of sums", () => {
    expect(reduce(b.plus(c, b.zero(c), b.app(v("dy"), v("w"))))).toBe("dy w");
  });
});
