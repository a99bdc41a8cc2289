import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withoutDead } from "./dead.js";

const after = (text: string): string => afterPass(text, (fn) => withoutDead(fn, surroundings));

test("values, variables and arrays that are not read", () => {
  expect(
    after(`function f(x: Float64Array, n: number): number {
      const t = x.length;
      const x_ = new Float64Array(n);
      // t of each iteration, for the reverse sweep
      const saved: Array<number> = [];
      let unread = 0;
      let read = 0;
      for (let i = 0; i < n; i++) {
        x_[i]! += unread;
        saved.push(x[i]!);
        unread = unread + x[i]!;
        read = read + x[i]!;
      }
      return read;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array, n: number): number {
      let read = 0;
      for (let i = 0; i < n; i++) {
        read = read + x[i]!;
      }
      return read;
    }
    "
  `);
});

test("calls stay, and what they are given", () => {
  expect(
    after(`function f(x: number): number {
      const t = x * 2;
      const n = sameLength(t, x, "here");
      const kept = new Float64Array(3);
      g(kept);
      kept[0] = x;
      return x;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number): number {
      const t = x * 2;
      sameLength(t, x, "here");
      const kept = new Float64Array(3);
      g(kept);
      kept[0] = x;
      return x;
    }
    "
  `);
});

test("an array that something else refers to", () => {
  expect(
    after(`function f(x: number): Float64Array {
      const a = new Float64Array(3);
      const b = a;
      b[0] = x;
      a[1] = x;
      return b;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number): Float64Array {
      const a = new Float64Array(3);
      const b = a;
      b[0] = x;
      a[1] = x;
      return b;
    }
    "
  `);
});

test("what is left empty", () => {
  expect(
    after(`function f(x: number, c: boolean): number {
      let a = 0;
      const b = x > 2;
      if (c) {
        a = 1;
      }
      if (b) {
        a = 1;
      } else {
        g(x);
      }
      for (let i = 0; i < 3; i++) {
        if (c) {
          a = 2;
        } else {
          a = 3;
        }
      }
      return x;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number, c: boolean): number {
      const b = x > 2;
      if (!b) {
        g(x);
      }
      return x;
    }
    "
  `);
});

test("of the values that a call gives, those that are read", () => {
  expect(
    after(`function f(x: number): number {
      const [a, b, c] = g(x);
      const [d, e] = g(b);
      return b;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number): number {
      const [, b] = g(x);
      g(b);
      return b;
    }
    "
  `);
});

test("what computing values that are not read does", () => {
  expect(
    after(`function f(x: number, v: T): number {
      const a = (isGood(v) ? v : accept(v, "f: v")) as T;
      const b = isGood(v) ? v : x;
      const [c, d] = readList(v) ?? refuse(v);
      const e = g(x) as number;
      const h = tape.popValue() as readonly number[];
      const i = [x, k(x)];
      const l = { item: m(i) };
      let n = o(x);
      if (x > 0) {
        n = o(2);
      } else {
        n = 3;
      }
      return x;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number, v: T): number {
      if (!isGood(v)) {
        accept(v, "f: v");
      }
      isGood(v);
      readList(v) ?? refuse(v);
      g(x);
      tape.popValue();
      const i = [x, k(x)];
      m(i);
      o(x);
      if (x > 0) {
        o(2);
      }
      return x;
    }
    "
  `);
});

test("a buffer that numbers are put into, and nobody reads", () => {
  expect(
    after(`function f(x: Float64Array): number {
      let room: Float64Array = new Float64Array(8);
      let read: Float64Array = new Float64Array(8);
      let count = 0;
      while (x[count]! > 0) {
        if (count === room.length) {
          room = grown(room);
        }
        room[count] = x[count]! * 2;
        if (count === read.length) {
          read = grown(read);
        }
        read[count] = x[count]! * 3;
        count += 1;
      }
      return read[0]! + count;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array): number {
      let read: Float64Array = new Float64Array(8);
      let count = 0;
      while (x[count]! > 0) {
        if (count === read.length) {
          read = grown(read);
        }
        read[count] = x[count]! * 3;
        count += 1;
      }
      return read[0]! + count;
    }
    "
  `);
});
