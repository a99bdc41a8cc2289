import { describe, expect, it } from "vitest";
import {
  acceptArray,
  acceptNumber,
  acceptNumbers,
  acceptNumbersCopy,
  acceptValue,
  checkBoolean,
  checkInteger,
  checkNumber,
  checkRecord,
  checkTag,
  checkTuple,
  checkValue,
  copyValue,
  isRecord,
  isTuple,
  setField,
  withinStack,
  type ShapeTable,
} from "./values.js";

const table: ShapeTable = {
  "List<number>": { Nil: [], Cons: ["_0", "number", "_1", "List<number>"] },
  Tree: { Leaf: [], Node: ["_0", "Tree", "_1", "integer", "_2", "Tree"] },
  Wide: { Wide: ["_0", "number", "_1", ["number", "boolean"], "_2", "null", "_3", "List<number>"] },
};

interface Cell {
  tag: string;
  _0?: unknown;
  _1?: unknown;
}

const nil: Cell = { tag: "Nil" };
const list = (...items: readonly unknown[]): Cell =>
  items.reduceRight<Cell>((rest, item) => ({ tag: "Cons", _0: item, _1: rest }), nil);
const ones = (length: number, end: unknown = nil): unknown => {
  let cells = end;
  for (let i = 0; i < length; i += 1) cells = { tag: "Cons", _0: 1, _1: cells };
  return cells;
};
const leaf = { tag: "Leaf" };
const wide = { tag: "Wide", _0: 1, _1: [2, true], _2: null, _3: list(3) };

describe("checkValue", () => {
  const check = (value: unknown, shape: Parameters<typeof checkValue>[1]) => (): void => {
    checkValue(value, shape, table, "f: x");
  };

  it.each([
    [1, "number"],
    [NaN, "number"],
    [-3, "integer"],
    [null, "null"],
    [false, "boolean"],
    [list(1, 2), "List<number>"],
    [
      [1, [2, 3]],
      ["number", ["number", "integer"]],
    ],
    [wide, "Wide"],
    [{ tag: "Node", _0: { tag: "Node", _0: leaf, _1: 1, _2: leaf }, _1: 2, _2: leaf }, "Tree"],
  ])("accepts %j as %j", (value, shape) => {
    expect(check(value, shape)).not.toThrow();
  });

  it.each([
    [undefined, "number", "f: x must be a number, got undefined"],
    ["1", "number", 'f: x must be a number, got "1"'],
    [{}, "boolean", "f: x must be a boolean, got an object"],
    [0, "null", "f: x must be null, got 0"],
    [1n, "integer", "f: x must be an integer, got a bigint"],
    [list(1, "2"), "List<number>", 'f: x._1._0 must be a number, got "2"'],
    [list(1, null), "List<number>", "f: x._1._0 must be a number, got null"],
    [{ tag: "Cons", _0: 1 }, "List<number>", 'f: x._1 must be an object with tag "Nil" or "Cons", got undefined'],
    [{ tag: "Con" }, "List<number>", 'f: x must be an object with tag "Nil" or "Cons", got an object with tag "Con"'],
    [{ tag: "constructor" }, "List<number>", 'f: x must be an object with tag "Nil" or "Cons", got an object with tag "constructor"'], // prettier-ignore
    [[1, 2, 3], ["number", "number"], "f: x must be an array of length 2, got an array of length 3"],
    [[1, undefined, 3], ["number", "number", "number"], "f: x[1] must be a number, got undefined"],
    [{ ...wide, _1: [2, 0] }, "Wide", "f: x._1[1] must be a boolean, got 0"],
    [{ tag: "Node", _0: leaf, _1: 1, _2: { tag: "Node", _0: leaf, _1: 1, _2: 7 } }, "Tree", 'f: x._2._2 must be an object with tag "Leaf" or "Node", got 7'], // prettier-ignore
  ])("says what is wrong, case %#", (value, shape, message) => {
    expect(check(value, shape)).toThrow(new TypeError(message));
  });

  it.each([1.5, Infinity, NaN, 2 ** 53])("says that %d is no integer", (value) => {
    const message = `f: x[0] must be an integer between -(2 ** 53 - 1) and 2 ** 53 - 1, got ${value}`;
    expect(check([value], ["integer"])).toThrow(new RangeError(message));
  });

  it("shortens the path into a long list", () => {
    expect(check(ones(100_000, "end"), "List<number>")).toThrow(
      'f: x._1._1._1._1 (99992 steps) ._1._1._1._1 must be an object with tag "Nil" or "Cons", got "end"',
    );
  });

  it("goes as deep as the value, on any side", () => {
    let left: unknown = leaf;
    let right: unknown = leaf;
    for (let i = 0; i < 200_000; i += 1) {
      left = { tag: "Node", _0: left, _1: i, _2: leaf };
      right = { tag: "Node", _0: leaf, _1: i, _2: right };
    }
    expect(check(left, "Tree")).not.toThrow();
    expect(check(right, "Tree")).not.toThrow();
    expect(check(ones(1_000_000), "List<number>")).not.toThrow();
  });

  it("counts a shared part once for each path", () => {
    const shared = { tag: "Node", _0: leaf, _1: 1, _2: leaf };
    let twice: unknown = shared;
    for (let i = 0; i < 12; i += 1) twice = { tag: "Node", _0: twice, _1: i, _2: twice };
    expect(check(twice, "Tree")).not.toThrow();
  });

  it.each([1, 2, 3, 10, 1000])("finds a cycle of %d cells behind a path", (length) => {
    for (const before of [0, 1, 5, 37]) {
      const last: Cell = { tag: "Cons", _0: 1 };
      const cycle = ones(length - 1, last);
      last._1 = cycle;
      expect(check(ones(before, cycle), "List<number>")).toThrow(RangeError);
      expect(check(ones(before, cycle), "List<number>")).toThrow(/^f: x.* contains itself$/);
    }
  });

  it("finds a cycle beside finite parts", () => {
    let small: unknown = leaf;
    for (let i = 0; i < 20; i += 1) small = { tag: "Node", _0: small, _1: i, _2: leaf };
    const root: { tag: string; _0: unknown; _1: number; _2: unknown } = { tag: "Node", _0: small, _1: 0, _2: leaf };
    root._2 = { tag: "Node", _0: small, _1: 1, _2: { tag: "Node", _0: small, _1: 2, _2: root } };
    expect(check(root, "Tree")).toThrow(/contains itself/);
  });
});

describe("checkValue of a cotangent", () => {
  const value = [1, 2, true, list(1, 2)];
  const shape = ["number", "integer", "boolean", "List<number>"];
  const check = (cotangent: unknown) => (): void => {
    checkValue(cotangent, shape, table, "f: cotangent", value);
  };

  it("accepts what has the value's form", () => {
    expect(check([5, 0, true, list(0, -1)])).not.toThrow();
  });

  it.each([
    [[5, 1, true, list(1, 2)], "f: cotangent[1] must be 0, since an integer has no derivative, got 1"],
    [[5, 0, false, list(1, 2)], "f: cotangent[2] must be true, as in the value, got false"],
    [[5, 0, true, list(1)], 'f: cotangent[3]._1 must be an object with tag "Cons", as in the value, got an object with tag "Nil"'], // prettier-ignore
    [[5, 0, true, list(1, 2, 3)], 'f: cotangent[3]._1._1 must be an object with tag "Nil", as in the value, got an object with tag "Cons"'], // prettier-ignore
    [[5, 0, true, list(1, "2")], 'f: cotangent[3]._1._0 must be a number, got "2"'],
    [[5, 0, true], "f: cotangent must be an array of length 4, as in the value, got an array of length 3"],
  ])("says what is wrong, case %#", (cotangent, message) => {
    expect(check(cotangent)).toThrow(new TypeError(message));
  });

  it("has an end also where the cotangent has none", () => {
    const endless = list(1, 2);
    endless._1 = endless;
    expect(check([1, 0, true, endless])).toThrow();
  });
});

describe("copyValue", () => {
  const value = [wide, list(1, 2), 3];
  const shape = ["Wide", "List<number>", "number"];

  it("copies everything", () => {
    const copy = copyValue(value, shape, table);
    expect(copy).toEqual(value);
    expect(objectsIn(copy).some((object) => objectsIn(value).includes(object))).toBe(false);
  });

  it("can put zeros for numbers", () => {
    expect(copyValue([1, true, list(1, 2)], ["number", "boolean", "List<number>"], table, true)).toEqual([
      0,
      true,
      list(0, 0),
    ]);
    expect(copyValue(5, "number", table, true)).toBe(0);
  });

  it("leaves fields out that are not the value's", () => {
    expect(copyValue({ tag: "Nil", _0: 1, more: 2 }, "List<number>", table)).toEqual({ tag: "Nil" });
  });

  it("keeps the author's names of fields, those too that are like the names of places", () => {
    const copied = (fields: Record<string, number>): unknown => {
      const named: ShapeTable = { T: { C: Object.keys(fields).flatMap((name) => [name, "number"]), D: [] } };
      return copyValue({ tag: "C", ...fields }, "T", named);
    };
    const rows = [{ x: 1 }, { x: 1, _1: 2 }, { _0: 1, y: 2 }, { x: 1, _1: 2, _2: 3 }, { _0: 1, y: 2, _2: 3 }, { _0: 1, _1: 2, z: 3 }]; // prettier-ignore
    for (const fields of rows) expect(copied(fields)).toEqual({ tag: "C", ...fields });
  });

  it("copies a list of a million cells", () => {
    const copy = copyValue(ones(1_000_000), "List<number>", table);
    expect(() => {
      checkValue(copy, "List<number>", table, "copy");
    }).not.toThrow();
  });
});

it("scalars have checks of their own", () => {
  expect(() => {
    checkNumber(undefined, "f: x");
  }).toThrow(new TypeError("f: x must be a number, got undefined"));
  expect(() => {
    checkInteger(0.5, "f: n");
  }).toThrow(new RangeError("f: n must be an integer between -(2 ** 53 - 1) and 2 ** 53 - 1, got 0.5"));
  expect(() => {
    checkBoolean(1, "f: b");
  }).toThrow(new TypeError("f: b must be a boolean, got 1"));
});

describe("objects and tuples", () => {
  const refused = (check: (value: unknown) => void, expected: string): void => {
    for (const [value, text] of [
      [null, "null"],
      [undefined, "undefined"],
      ["ab", '"ab"'],
      [[1], "an array of length 1"],
    ] as const)
      expect(() => {
        check(value);
      }).toThrow(new TypeError(`f: x must be ${expected}, got ${text}`));
  };

  it("a tuple is an array of its length", () => {
    const check = (value: unknown): void => {
      checkTuple(value, "f: x", 2);
    };
    check([1, 2]);
    refused(check, "an array of length 2");
    expect([isTuple([1, 2], 2), isTuple([1, 2, 3], 2), isTuple({ length: 2 }, 2)]).toEqual([true, false, false]);
  });

  it("a record is an object, but no array", () => {
    const check = (value: unknown): void => {
      checkRecord(value, "f: x", "an object with a");
    };
    check({ a: 1 });
    refused(check, "an object with a");
    expect([isRecord({}), isRecord([]), isRecord(null), isRecord("ab")]).toEqual([true, false, false, false]);
  });

  it("data has one of the tags", () => {
    const check = (value: unknown): void => {
      checkTag(value, "f: x", ["A", "B"], "an A or a B");
    };
    check({ tag: "B" });
    refused(check, "an A or a B");
    for (const tag of [undefined, 0, "C", "toString"]) expect(() => { check({ tag }); }).toThrow(/^f: x must be an A or a B/); // prettier-ignore
  });

  it.each([
    [6, "an object with a, b, c, d, e, f"],
    [7, "an object with a, b, c, d, e, f, .."],
  ])("of a record with %d fields six are named", (count, expected) => {
    const fields = ["a", "b", "c", "d", "e", "f", "g"].slice(0, count).flatMap((name) => [name, "number"]);
    const check = (): void => {
      checkValue(1, "R", { R: fields }, "f: x");
    };
    expect(check).toThrow(new TypeError(`f: x must be ${expected}, got 1`));
  });

  it("a field may be called __proto__, and is one like others", () => {
    const object = {};
    setField(object, "__proto__", 1);
    expect(Object.getOwnPropertyDescriptor(object, "__proto__")).toEqual({ value: 1, writable: true, enumerable: true, configurable: true }); // prettier-ignore
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
  });
});

describe("withinStack", () => {
  const endless = (n: number): number => 1 + endless(n + 1);

  it("explains the overflow of the JavaScript stack", () => {
    expect(() => withinStack("f", "d1", () => endless(0))).toThrow(
      "f: recursion is deeper than the JavaScript stack in stage d1; stages primal, tape and adjoint have no such limit",
    );
  });

  it("passes results and other errors on", () => {
    expect(withinStack("f", "d1", () => 3)).toBe(3);
    expect(() =>
      withinStack("f", "d1", () => {
        throw new RangeError("model.lam:1:1: division by zero");
      }),
    ).toThrow(new RangeError("model.lam:1:1: division by zero"));
  });
});

describe("arrays of callers' classes", () => {
  class Matrix extends Float64Array {
    constructor(
      readonly rows: number,
      columns: number,
    ) {
      super(rows * columns);
    }
    override slice(): never {
      throw new Error("not to be called");
    }
  }
  class Backwards extends Array<number> {
    constructor(...items: readonly number[]) {
      super();
      if (items.length === 1) throw new Error("not to be called");
      this.push(...items);
    }
    override *[Symbol.iterator](): ArrayIterator<number> {
      for (let i = this.length - 1; i >= 0; i--) yield this[i] ?? NaN;
    }
  }

  it("are converted by index, into plain ones", () => {
    const matrix = new Matrix(1, 2).fill(4);
    for (const numbers of [acceptNumbers(matrix, "x"), acceptNumbersCopy(matrix, "x")]) {
      expect(numbers).toEqual(Float64Array.of(4, 4));
      expect([numbers.constructor, numbers.buffer === matrix.buffer]).toEqual([Float64Array, false]);
    }
    expect(acceptNumbers(new Backwards(1, 2), "x")).toEqual(Float64Array.of(1, 2));
    expect(acceptNumbers(new BigInt64Array(0) as never, "x")).toEqual(new Float64Array(0));
    const items = acceptValue([new Backwards(1, 2), matrix], [["number", "number"], "numbers"], {}, "x");
    expect(items).toEqual([[1, 2], Float64Array.of(4, 4)]);
    const copy = copyValue({ value: new Backwards(1, 2) }, "Row", { Row: ["value", { each: "number" }] });
    expect(Object.getPrototypeOf(copy.value)).toBe(Array.prototype);
    expect(acceptArray(new Backwards(1, 2), "x", acceptNumber)).toEqual([1, 2]);
  });

  it("ends at the length that an array has at first, whatever its items do to it", () => {
    const items: { readonly x: number }[] = [];
    const item = {
      get x(): number {
        if (items.length < 1000) items.push(item);
        return 5;
      },
    };
    items.push(item);
    expect(acceptArray(items, "items", ({ x }) => x)).toEqual([5]);
  });

  it("are told from Float64Arrays, which need no copy", () => {
    const isReady = (value: unknown): boolean => checkValue(value, "numbers", {}, "x");
    expect([Float64Array.of(1), [1], new Matrix(1, 1)].map(isReady)).toEqual([true, false, false]);
  });

  it("are refused where they are none", () => {
    for (const [value, text] of [
      [null, "null"],
      [undefined, "undefined"],
      ["", '""'],
      ["12", '"12"'],
      [{}, "an object"],
      [{ length: -1 }, "an object"],
      [{ length: 0.5 }, "an object"],
      [{ length: 2 ** 32, 0: 1 }, "an object"],
    ] as const)
      expect(() => acceptNumbers(value as never, "x")).toThrow(new TypeError(`x must be an array of numbers, got ${text}`)); // prettier-ignore
    expect(() => acceptNumbers(new BigInt64Array(1) as never, "x")).toThrow(/^x\[0\] must be a number, got/);
  });
});

/** Every object that a value consists of. */
function objectsIn(value: unknown): readonly object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}
