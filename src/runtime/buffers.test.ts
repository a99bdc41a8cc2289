// What stands between a caller's earlier gradient and the next one.

import { describe, expect, it } from "vitest";
import { noteFilled, refill } from "./buffers.js";

const floats = (...numbers: number[]): Float64Array => Float64Array.from(numbers);

describe("refill", () => {
  it("moves a gradient into the arrays at the same places where these have the lengths", () => {
    const earlier = { net: { rows: [floats(1, 2), floats(3), floats(4)], n: 0 }, x: floats(0) };
    const [first, second, third] = earlier.net.rows;
    const gradient = refill({ net: { rows: [floats(5, 6), floats(7, 8), floats(9)], n: 0 }, x: floats(1) }, earlier);
    expect(gradient).toEqual({ net: { rows: [floats(5, 6), floats(7, 8), floats(9)], n: 0 }, x: floats(1) });
    expect(gradient.net.rows.map((array) => [first, second, third].indexOf(array))).toEqual([0, -1, 2]);
    expect(gradient.x).toBe(earlier.x);
    expect(second).toEqual(floats(3));
  });

  it("uses an array that is there twice once", () => {
    const shared = floats(1);
    const gradient = refill({ x: floats(2), y: [floats(3), floats(4)] }, { x: shared, y: [shared, shared] });
    expect(gradient).toEqual({ x: floats(2), y: [floats(3), floats(4)] });
    expect([gradient.x, ...gradient.y].map((array) => array === shared)).toEqual([true, false, false]);
  });

  it("leaves parts that are the earlier gradient's as they are", () => {
    const list = { tag: "Cons", _0: 1, _1: { tag: "Nil" } };
    const gradient = refill({ list, x: floats(1) }, { list, x: floats(2) });
    expect(gradient).toEqual({ list, x: floats(1) });
    expect(gradient.list).toBe(list);
  });

  it("fills a part that is there twice once, at its first place", () => {
    const part = { row: floats(1) };
    const earlier = { x: { row: floats(0) }, y: { row: floats(0) } };
    const gradient = refill({ x: part, y: part }, earlier);
    expect([gradient.x, gradient.y.row]).toEqual([gradient.y, floats(1)]);
    expect(gradient.x.row).toBe(earlier.x.row);
    expect(earlier.y.row).toEqual(floats(0));
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
      expect(refill(gradient, earlier)).toBe(gradient);
      expect(gradient.x[0]).toBe(row);
    }
  });

  it("ends in an earlier gradient that contains itself", () => {
    const loop: { rest: unknown; x: Float64Array } = { rest: null, x: floats(1) };
    loop.rest = loop;
    expect(refill({ rest: { rest: null, x: floats(3) }, x: floats(2) }, loop).x).toEqual(floats(2));
  });

  it("goes down a million cells", () => {
    const list = (x: number): object => {
      let cells: object = { tag: "Nil" };
      for (let i = 0; i < 1e6; i++) cells = { tag: "Cons", _0: i === 0 ? floats(x) : x, _1: cells };
      return cells;
    };
    const gradient = list(2);
    expect(refill({ list: gradient }, { list: list(1) })).toEqual({ list: gradient });
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
