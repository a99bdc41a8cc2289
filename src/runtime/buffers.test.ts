// What stands between a caller's earlier gradient and the next one.

import { describe, expect, it } from "vitest";
import { earlierArrays, noteFilled, refill } from "./buffers.js";

const floats = (...numbers: number[]): Float64Array => Float64Array.from(numbers);

describe("refill", () => {
  it("moves a gradient into the arrays at the same places where these have the lengths", () => {
    const earlier = { net: { rows: [floats(1, 2), floats(3), floats(4)], n: 0 }, x: floats(0) };
    const [first, second, third] = earlier.net.rows;
    const gradient = refill(
      { net: { rows: [floats(5, 6), floats(7, 8), floats(9)], n: 0 }, x: floats(1) },
      earlier,
      [],
    );
    expect(gradient).toEqual({ net: { rows: [floats(5, 6), floats(7, 8), floats(9)], n: 0 }, x: floats(1) });
    expect(gradient.net.rows.map((array) => [first, second, third].indexOf(array))).toEqual([0, -1, 2]);
    expect(gradient.x).toBe(earlier.x);
    expect(second).toEqual(floats(3));
  });

  it("uses an array that is there twice once", () => {
    const shared = floats(1);
    const gradient = refill({ x: floats(2), y: [floats(3), floats(4)] }, { x: shared, y: [shared, shared] }, []);
    expect(gradient).toEqual({ x: floats(2), y: [floats(3), floats(4)] });
    expect([gradient.x, ...gradient.y].map((array) => array === shared)).toEqual([true, false, false]);
  });

  it("leaves parts that are the earlier gradient's as they are", () => {
    const list = { tag: "Cons", _0: 1, _1: { tag: "Nil" } };
    const gradient = refill({ list, x: floats(1) }, { list, x: floats(2) }, []);
    expect(gradient).toEqual({ list, x: floats(1) });
    expect(gradient.list).toBe(list);
  });

  it("fills a part that is there twice once, at one of its places", () => {
    const part = { row: floats(1) };
    const earlier = { x: { row: floats(0) }, y: { row: floats(0) } };
    const rows = [earlier.x.row, earlier.y.row];
    const gradient = refill({ x: part, y: part }, earlier, []);
    expect([gradient.x, gradient.y.row]).toEqual([gradient.y, floats(1)]);
    expect(rows.filter((row) => row === gradient.x.row)).toHaveLength(1);
    expect(rows.filter(([number]) => number === 0)).toHaveLength(1);
  });

  it("looks at the parameters that hold arrays alone, where it is told which", () => {
    const earlier = { x: floats(0), y: floats(0), z: { row: floats(0) } };
    const gradient = refill({ x: floats(1), y: floats(2), z: { row: floats(3) } }, earlier, [], "y", "z");
    expect(gradient).toEqual({ x: floats(1), y: floats(2), z: { row: floats(3) } });
    expect([gradient.x === earlier.x, gradient.y === earlier.y, gradient.z.row === earlier.z.row]).toEqual([false, true, true]); // prettier-ignore
  });

  it("leaves arrays that have memory of an argument as they are", () => {
    const memory = new ArrayBuffer(32);
    const [first, second, third] = [new Float64Array(memory, 0, 1), new Float64Array(memory, 8, 1), floats(3)];
    const given = [1, { rows: [{ x: first }, null] }];
    const gradient = refill({ rows: [floats(5), floats(6), floats(7)] }, { rows: [first, second, third] }, given);
    expect(gradient.rows).toEqual([floats(5), floats(6), floats(7)]);
    expect([first, second, gradient.rows[2] === third]).toEqual([floats(0), floats(0), true]);
  });

  it("leaves a gradient as it is without an earlier one, or with one that has nothing at its places", () => {
    const gradient = { x: [floats(1)] };
    const [row] = gradient.x;
    for (const earlier of [
      undefined,
      {},
      { x: floats(1) },
      { x: null },
      { x: [{}] },
      { x: [[1]] },
      { y: [floats(1)] },
    ]) {
      expect(refill(gradient, earlier, [])).toBe(gradient);
      expect(gradient.x[0]).toBe(row);
    }
  });

  it("ends in an earlier gradient that contains itself", () => {
    const loop: { rest: unknown; x: Float64Array } = { rest: null, x: floats(1) };
    loop.rest = loop;
    expect(refill({ rest: { rest: null, x: floats(3) }, x: floats(2) }, loop, []).x).toEqual(floats(2));
  });

  it("goes down a million cells", () => {
    const list = (x: number): object => {
      let cells: object = { tag: "Nil" };
      for (let i = 0; i < 1e6; i++) cells = { tag: "Cons", _0: i === 0 ? floats(x) : x, _1: cells };
      return cells;
    };
    const gradient = list(2);
    expect(refill({ list: gradient }, { list: list(1) }, [])).toEqual({ list: gradient });
  });
});

it("views of one memory are filled as far as they do not overlap each other, or what is in place already", () => {
  const all = new Float64Array(8);
  const [a, b, c] = [all.subarray(0, 2), all.subarray(1, 3), all.subarray(4, 6)];
  const fresh = { a: Float64Array.of(1, 2), b: Float64Array.of(3, 4), c: Float64Array.of(5, 6) };
  const found = refill(fresh, { a, b, c }, []);
  expect(found).toEqual({ a: Float64Array.of(1, 2), b: Float64Array.of(3, 4), c: Float64Array.of(5, 6) });
  expect([found.a === a, found.b === b, found.c === c]).toEqual([true, false, true]);
  const value = all.subarray(0, 2);
  const inPlace = refill({ value: Float64Array.of(7, 8), jacobian: all }, { value, jacobian: all }, []);
  expect(inPlace.value).toEqual(Float64Array.of(7, 8));
  expect(all).toEqual(Float64Array.of(1, 2, 0, 0, 5, 6, 0, 0));
});

describe("earlierArrays", () => {
  const like = { x: floats(1, 2), net: { rows: [floats(1), floats(), floats(3, 4)], bias: floats(5) } };
  const parts = ({ x, net }: typeof like): readonly Float64Array[] => [x, ...net.rows, net.bias];
  const taken = (earlier: unknown, ...read: Float64Array[]): readonly Float64Array[] | null => {
    const found = earlierArrays(earlier, like, ...read);
    return found === null ? null : parts(found);
  };
  const lengths = parts(like).map(({ length }) => length);
  const isSame = (found: readonly Float64Array[] | null, given: readonly unknown[]): readonly boolean[] | undefined =>
    found?.map((array, i) => array === given[i]);
  const earlier = (): typeof like => ({
    x: floats(0, 0),
    net: { rows: [floats(0), floats(), floats(0, 0)], bias: floats(0) },
  });

  it("are those at the same places, as they are", () => {
    const given = earlier();
    given.x.fill(7);
    const found = taken(given);
    expect(isSame(found, parts(given))).toEqual([true, true, true, true, true]);
    expect(given.x).toEqual(floats(7, 7));
    expect(earlierArrays(given, like)?.net.rows).not.toBe(given.net.rows);
  });

  it("are new where there are none, and where these have other lengths or classes", () => {
    class Own extends Float64Array {}
    const others: readonly unknown[] = [undefined, null, 1, "x", {}, { x: 1, net: null }, { x: [0, 0], net: [] }];
    for (const other of others) expect(taken(other)?.map(({ length }) => length)).toEqual(lengths);
    const given = { x: new Own(2), net: { rows: [floats(0, 0), floats()], bias: new Float32Array(1) } };
    const found = taken(given);
    expect(isSame(found, [given.x, ...given.net.rows, null, given.net.bias])).toEqual([false, false, true, false, false]); // prettier-ignore
    expect(found?.map(({ length }) => length)).toEqual(lengths);
  });

  it("share no memory with each other", () => {
    const [all, twice] = [new Float64Array(8), floats(0)];
    const parts = { x: all.subarray(0, 2), rows: [all.subarray(1, 2), all.subarray(2, 2), all.subarray(3, 5)] };
    const { x, rows } = parts;
    const given = { x, net: { rows, bias: twice } };
    // The first row overlaps x
    expect(isSame(taken(given), [x, ...rows, twice])).toEqual([true, false, true, true, true]);
    const again = { x, net: { rows: [twice, floats(), x], bias: twice } };
    expect(isSame(taken(again), [x, ...again.net.rows, twice])).toEqual([true, true, true, false, false]);
  });

  it("may be parts of one array, such as all parameters of a model", () => {
    const all = new Float64Array(6);
    const rows = [all.subarray(2, 3), all.subarray(3, 3), all.subarray(3, 5)];
    const given = { x: all.subarray(0, 2), net: { rows, bias: all.subarray(5) } };
    expect(isSame(taken(given), parts(given))).toEqual([true, true, true, true, true]);
  });

  it("are not used where one has memory of what is read meanwhile", () => {
    const given = earlier();
    const { x, net } = given;
    expect(taken(given, floats(1))).not.toBeNull();
    expect(taken(given, x)).toBeNull();
    expect(taken(given, floats(1), new Float64Array(net.bias.buffer))).toBeNull();
    expect(taken({ ...given, x: like.x })).toBeNull();
    expect(taken({ ...given, net: { rows: [like.net.bias], bias: floats(0) } })).toBeNull();
  });

  it("are new where others may change their memory, or it is gone", () => {
    const [gone, { net }] = [new Float64Array(new ArrayBuffer(16)), earlier()];
    structuredClone(gone, { transfer: [gone.buffer] });
    const of = (x: Float64Array): boolean | undefined => isSame(taken({ x, net }), [x, ...net.rows, net.bias])?.[0];
    expect(of(gone)).toBe(false);
    expect(of(new Float64Array(new SharedArrayBuffer(16)))).toBe(false);
    expect(of(new Float64Array(new ArrayBuffer(16)))).toBe(true);
  });

  it("are looked at once, and never are proxies", () => {
    const [x, other, { net }] = [floats(0, 0), floats(0), earlier()];
    let looks = 0;
    const given = {
      get x() {
        looks++;
        return looks === 1 ? x : other;
      },
      net: Object.freeze({ rows: Object.freeze(net.rows), bias: new Proxy(net.bias, { get: (array, key) => Reflect.get(array, key) as unknown }) }), // prettier-ignore
    };
    const found = taken(given);
    expect(isSame(found, [x, ...net.rows, net.bias])).toEqual([true, true, true, true, false]);
    expect(looks).toBe(1);
    expect(isSame(found, [x, ...net.rows, given.net.bias])?.[4]).toBe(false);
  });
});

describe("noteFilled", () => {
  it("lets each last cell be that of one list, and a list have no cells", () => {
    const filled = new Set();
    const [one, other] = [{}, {}];
    expect([null, one, other, null, one].map((last) => noteFilled(last, filled))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });
});
