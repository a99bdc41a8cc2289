import { describe, expect, it } from "vitest";
import { bool, int, real, unit, type DataDecl, type Type } from "../core/type.js";
import { grad } from "./grad.js";
import { printJson } from "./json.js";
import { decodeArguments, decodeValue, oneHotCotangent, realsOf, scalarLeaves, withReals } from "./values.js";
import { ValueTypes } from "./value-types.js";

const a: Type = { kind: "typeVar", name: "a" };
const listDecl: DataDecl = {
  name: "List",
  params: ["a"],
  constructors: [
    { name: "Nil", fields: [], fieldNames: null },
    { name: "Cons", fields: [a, { kind: "data", name: "List", args: [a] }], fieldNames: null },
  ],
  doc: "",
};
const listOf = (element: Type): Type => ({ kind: "data", name: "List", args: [element] });
const arrayOf = (element: Type): Type => ({ kind: "array", element });
const tuple = (...items: readonly Type[]): Type => ({ kind: "tuple", items });
const types = new ValueTypes([listDecl]);

/** A list as a JSON document. */
function list(...items: readonly unknown[]): unknown {
  return items.reduceRight<unknown>((rest, item) => ({ tag: "Cons", _0: item, _1: rest }), { tag: "Nil" });
}

const mixed = types.of(tuple(listOf(tuple(real, int)), bool, unit, real));
const value = [list([1.5, 2], [2.5, 3]), true, null, 4.5];

describe("decodeValue", () => {
  it("takes values as they are", () => {
    expect(decodeValue(value, mixed, "x")).toEqual({ ok: true, value });
  });

  it("reads the numbers that JSON lacks", () => {
    const decoded = decodeValue(["NaN", "-Infinity", 1], types.of(tuple(real, real, real)), "x");
    expect(decoded).toEqual({ ok: true, value: [NaN, -Infinity, 1] });
  });

  it.each([
    [[list([1.5, 2.5]), true, null, 1], "x[0]._0[1]", "an integer", "2.5"],
    [[list([1.5]), true, null, 1], "x[0]._0", "an array of 2", "one of 1"],
    [[{ tag: "Con" }, true, null, 1], "x[0]", 'an object with "tag": "Nil" or "Cons"', '"tag": "Con"'],
    [[{ tag: "Cons", _0: [1, 1] }, true, null, 1], "x[0]", '"_1" beside "tag": "Cons"', "none"],
    [[{ tag: "Nil", _0: 1 }, true, null, 1], "x[0]", 'the fields of "Nil" alone', 'also "_0"'],
    [[[], true, null, 1], "x[0]", 'an object with "tag": "Nil" or "Cons"', "an array of 0"],
    [[list(), 1, null, 1], "x[1]", "true or false", "1"],
    [[list(), true, NaN, 1], "x[2]", "null", "NaN"],
    [[list(), true, 0, 1], "x[2]", "null", "0"],
    [[list(), true, null, "1"], "x[3]", 'a number ("NaN", "Infinity" and "-Infinity" are numbers too)', '"1"'],
  ])("says where %j is wrong", (document, path, expected, found) => {
    expect(decodeValue(document, mixed, "x")).toEqual({ ok: false, mistake: { path, expected, found } });
  });

  it("takes typed arrays for arrays, and says what else a program has passed", () => {
    const numbers = { ok: true, value: Float64Array.of(1, 2) };
    expect(decodeValue(Float32Array.of(1, 2), types.of(arrayOf(real)), "x")).toEqual(numbers);
    expect(decodeValue(Int32Array.of(1, 2), types.of(arrayOf(int)), "x")).toEqual({ ok: true, value: [1, 2] });
    const found = (document: unknown, type: Type) => {
      const decoded = decodeValue(document, types.of(type), "x");
      return decoded.ok ? null : decoded.mistake.found;
    };
    expect(found(1n, int)).toBe("1");
    expect(found(BigInt64Array.of(1n), arrayOf(real))).toBe("1");
    expect(found(() => 1, real)).toBe("a function");
    expect(found(new DataView(new ArrayBuffer(8)), arrayOf(real))).toBe("an object");
    expect(decodeValue(2 ** 53, types.of(int), "x")).toMatchObject({
      mistake: { expected: "an integer of at most 2^53 - 1 in magnitude", found: "9007199254740992" },
    });
  });

  it("does not take what objects inherit for a constructor or a field", () => {
    expect(decodeValue({ tag: "constructor" }, types.of(listOf(real)), "x").ok).toBe(false);
  });
});

describe("arrays and records", () => {
  const camera: DataDecl = {
    name: "Camera",
    params: [],
    constructors: [
      { name: "Camera", fields: [real, arrayOf(real), arrayOf(int)], fieldNames: ["focal", "ws", "__proto__"] },
    ],
    doc: "",
  };
  const of = new ValueTypes([camera]).of({ kind: "data", name: "Camera", args: [] });
  const document = (text: string): unknown => JSON.parse(text);
  const written = '{ "focal": 2, "ws": [1, "NaN"], "__proto__": [3] }';

  it("are read and printed as objects and arrays", () => {
    const decoded = decodeValue(document(written), of, "c");
    if (!decoded.ok) throw new Error(JSON.stringify(decoded.mistake));
    expect(decoded.value).toHaveProperty("ws", Float64Array.of(1, NaN));
    expect(printJson(decoded.value)).toBe(written);
    expect(scalarLeaves(decoded.value, of, "c").map(({ path }) => path)).toEqual(["c.focal", "c.ws[0]", "c.ws[1]"]);
    expect(printJson(oneHotCotangent(decoded.value, of, 1))).toBe('{ "focal": 0, "ws": [1, 0], "__proto__": [0] }');
  });

  it.each([
    ["[]", "c", 'an object with "focal", "ws", "__proto__"', "an array of 0"],
    ['{ "focal": 1, "ws": [] }', "c", 'an object with "focal", "ws", "__proto__"', 'no "__proto__"'],
    [
      '{ "focal": 1, "ws": [], "__proto__": [], "tag": "Camera" }',
      "c",
      '"focal", "ws", "__proto__" alone',
      'also "tag"',
    ],
    [
      '{ "focal": 1, "ws": [0, null], "__proto__": [] }',
      "c.ws[1]",
      'a number ("NaN", "Infinity" and "-Infinity" are numbers too)',
      "null",
    ],
    ['{ "focal": 1, "ws": {}, "__proto__": [] }', "c.ws", "an array", "an object"],
    ['{ "focal": 1, "ws": [], "__proto__": [1, 2.5] }', "c.__proto__[1]", "an integer", "2.5"],
  ])("that are %s are refused", (text, path, expected, found) => {
    expect(decodeValue(document(text), of, "c")).toEqual({ ok: false, mistake: { path, expected, found } });
  });
});

describe("decodeArguments", () => {
  const params = [
    { name: "x", type: types.of(real) },
    { name: "__proto__", type: types.of(real) },
  ];

  it("orders them as the parameters", () => {
    const document: unknown = JSON.parse('{"__proto__": 2, "x": 1}');
    expect(decodeArguments(document, params)).toEqual({ ok: true, value: [1, 2] });
  });

  it.each([
    [[1, 2], "an array of 2"],
    [{ x: 1 }, 'no "__proto__"'],
    [JSON.parse('{"__proto__": 2, "x": 1, "y": 3}'), 'also "y"'],
  ])("rejects %j", (document: unknown, found) => {
    expect(decodeArguments(document, params)).toMatchObject({ ok: false, mistake: { found } });
  });

  it("tells how a name of the model is spelled in documents", () => {
    const text = "data P = P { a' : R }\ndata Q = Q { b' : R } | No\ndef f (x' : R) (p : P) (q : Q) : R = x' * p.a'";
    const notes = (args: unknown): unknown =>
      grad({ name: "m.lam", text }, "f", args).diagnostics.flatMap((each) => each.notes);
    expect(notes({ "x'": 1, p: { aPrime: 1 }, q: { tag: "No" } })).toEqual([
      `at the arguments\nexpected an object with "xPrime", "p", "q"\nfound    "x'", which is called "xPrime" in documents`,
    ]);
    expect(notes({ xPrime: 1, p: { "a'": 1 }, q: { tag: "No" } })).toEqual([
      `at p\nexpected an object with "aPrime"\nfound    "a'", which is called "aPrime" in documents`,
    ]);
    expect(notes({ xPrime: 1, p: { aPrime: 1 }, q: { tag: "Q", "b'": 1 } })).toEqual([
      `at q\nexpected "bPrime" beside "tag": "Q"\nfound    "b'", which is called "bPrime" in documents`,
    ]);
    expect(notes({ xPrime: 1, p: { aPrime: 1 }, q: { tag: "Q", bPrime: 1 } })).toEqual([]);
  });
});

describe("real numbers of a value", () => {
  it("are listed in order, with their paths", () => {
    expect(scalarLeaves(value, mixed, "x")).toEqual([
      { path: "x[0]._0[0]", value: 1.5 },
      { path: "x[0]._1._0[0]", value: 2.5 },
      { path: "x[3]", value: 4.5 },
    ]);
  });

  it("can be replaced", () => {
    expect(withReals(value, mixed, [1, 2, 3], "value")).toEqual([list([1, 2], [2, 3]), true, null, 3]);
    expect(withReals(value, mixed, [1, 2, 3], "cotangent")).toEqual([list([1, 0], [2, 0]), true, null, 3]);
    expect(oneHotCotangent(value, mixed, 1)).toEqual([list([0, 0], [1, 0]), true, null, 0]);
  });
});

describe("printJson", () => {
  it("keeps short values on a line", () => {
    expect(printJson({ value: [1, -0, NaN, -Infinity, true, null], empty: [{}, []] })).toBe(
      '{ "value": [1, -0, "NaN", "-Infinity", true, null], "empty": [{}, []] }',
    );
  });

  it("breaks long ones", () => {
    expect(printJson({ value: 1, grad: { x: Array.from({ length: 40 }, (_, i) => i), y: 2 } })).toBe(
      `{
  "value": 1,
  "grad": {
    "x": [
${Array.from({ length: 40 }, (_, i) => `      ${i}`).join(",\n")}
    ],
    "y": 2
  }
}`,
    );
  });
});

it("values may be a list of a million cells", () => {
  const type = types.of(listOf(real));
  const long = Array.from({ length: 1_000_000 }, (_, i) => i);
  const decoded = decodeValue(list(...long.slice(0, 1000)), type, "xs");
  expect(decoded.ok).toBe(true);
  let document: unknown = { tag: "Nil" };
  for (const item of long) document = { tag: "Cons", _0: item, _1: document };
  const read = decodeValue(document, type, "xs");
  if (!read.ok) throw new Error("not decoded");
  expect(realsOf(read.value, type)).toHaveLength(1_000_000);
  expect(JSON.parse(printJson(withReals(read.value, type, long, "value")))).toMatchObject({ tag: "Cons", _0: 0 });
});
