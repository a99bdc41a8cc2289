import { expect, test } from "vitest";
import * as b from "./build.js";
import { printSourceTerm } from "./print.js";
import { printType } from "./print-type.js";
import type { Term } from "./term.js";
import type { Type } from "./type.js";

const x = b.variable("x");
const y = b.variable("y");
const add = (left: Term, right: Term) => b.op("add", [left, right], null);
const mul = (left: Term, right: Term) => b.op("mul", [left, right], null);
const neg = (term: Term) => b.op("neg", [term], null);

test.each<[Term, string]>([
  [mul(add(x, y), x), "(x + y) * x"],
  [add(mul(x, y), x), "x * y + x"],
  [add(x, add(x, y)), "x + (x + y)"],
  [add(add(x, x), y), "x + x + y"],
  [b.op("sub", [x, b.op("sub", [x, y], null)], null), "x - (x - y)"],
  [neg(b.op("powInt", [x, b.intLit(2)], null)), "-x ^ 2"],
  [b.op("powInt", [neg(x), b.intLit(-2)], null), "(-x) ^ (-2)"],
  [neg(neg(x)), "-(-x)"],
  [mul(neg(x), b.realLit(-1)), "-x * -1.0"],
  [b.op("sin", [b.app(x, y)], null), "sin(x y)"],
  [b.app(b.app(x, y), b.app(y, x)), "x y (y x)"],
  [b.proj(0, b.proj(1, x)), "fst (snd x)"],
  [b.proj(2, x), "x.2"],
  [b.app(b.lam("z", b.fnType(b.real, b.real), b.variable("z")), x), "(\\(z : R -> R). z) x"],
  [b.con("Cons", b.dataType("List", b.real), [neg(x), b.con("Nil", b.dataType("List", b.real), [])]), "Cons (-x) Nil"],
  [b.parallel(x, b.parallel(x, y)), "x |*| (x |*| y)"],
  [b.op("lt", [add(x, y), x], null), "x + y < x"],
  [b.array(b.real, [add(x, y), y]), "[x + y, y]"],
  [mul(b.indexOf(b.indexOf(x, b.intLit(0), null), add(y, y), null), x), "x ! 0 ! (y + y) * x"],
  [b.op("powInt", [b.indexOf(b.app(x, y), b.app(y, x), null), b.intLit(2)], null), "x y ! y x ^ 2"],
  [b.indexOf(x, b.indexOf(y, y, null), null), "x ! (y ! y)"],
  [b.app(b.length(b.build(b.app(x, y), "i", b.real, x, null)), y), "length (build (x y) (\\i. x)) y"],
  [{ ...b.build(x, "i", b.real, y, null), inParallel: true as const }, "parBuild x (\\i. y)"],
  [b.tuple(), "()"],
  [b.tuple(b.realLit(0.001), b.realLit(1e21), b.intLit(3), b.boolLit(false)), "(0.001, 1e+21, 3, false)"],
  [b.call("f", [add(x, y), y]), "f(x + y, y)"],
  [add(b.ifThenElse(x, x, y), y), "(if x then x else y) + y"],
])("%#", (term, text) => {
  expect(printSourceTerm(term)).toBe(text);
});

test("tuples that are known to be wide are projected by number", () => {
  const type = b.tupleType(b.real, b.real, b.real);
  expect(printSourceTerm(b.lam("t", type, b.proj(0, b.variable("t"))))).toBe("\\(t : (R, R, R)). t.0");
});

test("long terms are broken at 80 columns", () => {
  const long = b.call("function", [mul(add(x, y), add(x, y)), mul(add(x, y), add(x, y)), mul(add(x, y), add(x, y)), x]);
  const term = b.letIn(
    "z",
    b.real,
    add(long, x),
    b.ifThenElse(b.op("lt", [long, x], null), add(long, x), b.variable("z")),
  );
  expect(printSourceTerm(term)).toMatchInlineSnapshot(`
    "let z : R =
      function((x + y) * (x + y), (x + y) * (x + y), (x + y) * (x + y), x) + x
    in
    if function((x + y) * (x + y), (x + y) * (x + y), (x + y) * (x + y), x) < x
    then function((x + y) * (x + y), (x + y) * (x + y), (x + y) * (x + y), x) + x
    else z"
  `);
});

test.each<[Type, string]>([
  [b.fnType(b.fnType(b.real, b.int), b.fnType(b.bool, b.unit)), "(R -> Z) -> Bool -> ()"],
  [b.dataType("+", b.dataType("+", b.real, b.int), b.fnType(b.real, b.real)), "R + Z + (R -> R)"],
  [b.dataType("List", b.dataType("List", b.tupleType(b.real, b.dataType("T")))), "List (List (R, T))"],
  [b.dataType("Map", b.dataType("+", b.real, b.int), b.dataType("T")), "Map (R + Z) T"],
  [b.fnType(b.dataType("+", b.real, b.int), b.typeVar("a")), "R + Z -> a"],
])("%#", (type, text) => {
  expect(printType(type)).toBe(text);
});
