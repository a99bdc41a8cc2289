import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withResidualBlock } from "./residual-block.js";

const after = (text: string): string =>
  afterPass(text, (fn, bindings) => withResidualBlock(fn, bindings, surroundings));

test("arrays of lengths that the loop knows, and that its iterations keep, are parts of one", () => {
  expect(
    after(`function f(rows: readonly Float64Array[]): number {
      const n = rows.length;
      const ySaved: Array<Float64Array> = new Array(n);
      for (let i = 0; i < n; i++) {
        const row = rows[i]!;
        const m = row.length;
        const y = new Float64Array(m);
        for (let j = 0; j < m; j++) {
          y[j] = row[j]! * 2;
        }
        ySaved[i] = y;
      }
      let acc = 0;
      for (let i = n - 1; i >= 0; i--) {
        const y = ySaved[i]!;
        for (let j = 0; j < y.length; j++) {
          acc += y[j]!;
        }
      }
      return acc;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(rows: readonly Float64Array[]): number {
      const n = rows.length;
      const ySaved = new Int32Array(n);
      // Arrays that iterations keep, one after the other
      let saved = takeRoom();
      let savedEnd = 0;
      for (let i = 0; i < n; i++) {
        const row = rows[i]!;
        const m = row.length;
        const y = savedEnd + 1;
        savedEnd = y + m;
        saved = withRoom(saved, savedEnd);
        saved[y - 1] = m;
        for (let j = 0; j < m; j++) {
          saved[y + j] = row[j]! * 2;
        }
        ySaved[i] = y;
      }
      let acc = 0;
      for (let i = n - 1; i >= 0; i--) {
        const y = ySaved[i]!;
        const n = saved[y - 1]! >> 0;
        for (let j = 0; j < n; j++) {
          acc += saved[y + j]!;
        }
      }
      leaveRoom(saved, savedEnd);
      return acc;
    }
    "
  `);
});

test("rows of what they keep are told by where they begin; what a loop begins with is copied, a store of zeros is made for each row", () => {
  expect(
    after(`function f(start: readonly Float64Array[], n: number): number {
      const first = start.slice();
      const statesSaved: Array<readonly Float64Array[]> = new Array(n);
      let states: readonly Float64Array[] = start;
      for (let i = 0; i < n; i++) {
        statesSaved[i] = states;
        const count = states.length;
        const next: Array<Float64Array> = new Array(count);
        for (let j = 0; j < count; j++) {
          const state = states[j]!;
          const size = state.length + 1;
          const one = new Float64Array(size);
          one[0] = state[0]!;
          next[j] = one;
        }
        states = next;
      }
      let acc = 0;
      for (let i = n - 1; i >= 0; i--) {
        const states = statesSaved[i]!;
        const states_ = zeroRows(states);
        states_[0]![0]! += 1;
        acc += states[0]![0]! + states_[0]![0]!;
      }
      return acc + first.length;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(start: readonly Float64Array[], n: number): number {
      const first = start.slice();
      const statesSaved = new Int32Array(n);
      // Where the elements of kept arrays of arrays begin
      let places = takePlaces();
      let placesEnd = 0;
      // Arrays that iterations keep, one after the other
      let saved = takeRoom();
      let savedEnd = 0;
      let states = placesEnd + 1;
      placesEnd = states + start.length;
      places = withPlaces(places, placesEnd);
      places[states - 1] = start.length;
      for (let i = 0; i < start.length; i++) {
        const row = savedEnd + 1;
        savedEnd = row + start[i]!.length;
        saved = withRoom(saved, savedEnd);
        saved[row - 1] = start[i]!.length;
        saved.set(start[i]!, row);
        places[states + i] = row;
      }
      for (let i = 0; i < n; i++) {
        statesSaved[i] = states;
        const count = places[states - 1]!;
        const next = placesEnd + 1;
        placesEnd = next + count;
        places = withPlaces(places, placesEnd);
        places[next - 1] = count;
        for (let j = 0; j < count; j++) {
          const state = places[states + j]!;
          const n = saved[state - 1]!;
          const size = n + 1;
          const one = savedEnd + 1;
          savedEnd = one + size;
          saved = withRoom(saved, savedEnd);
          saved[one - 1] = size;
          saved[one] = saved[state]!;
          places[next + j] = one;
        }
        states = next;
      }
      let acc = 0;
      for (let i = n - 1; i >= 0; i--) {
        const states = statesSaved[i]!;
        const count = places[states - 1]!;
        const states_: Array<Float64Array> = new Array(count);
        for (let i = 0; i < count; i++) {
          states_[i] = workArray(saved[places[states + i]! - 1]!);
        }
        states_[0]![0]! += 1;
        acc += saved[places[states]!]! + states_[0]![0]!;
      }
      leavePlaces(places);
      leaveRoom(saved, savedEnd);
      return acc + first.length;
    }
    "
  `);
});

test("an array that somebody else looks at stays one, and so does one that is not kept", () => {
  const text = (last: string): string => `function f(rows: readonly Float64Array[]): unknown {
    const n = rows.length;
    const ySaved: Array<Float64Array> = new Array(n);
    for (let i = 0; i < n; i++) {
      const m = rows[i]!.length;
      const y = new Float64Array(m);
      y[0] = 1;
      ySaved[i] = y;
    }
    ${last}
  }`;
  expect(after(text("return ySaved[0]![0]!;"))).toContain("takeRoom");
  for (const last of ["return ySaved;", "return ySaved[0]!;", "return () => ySaved[0]![0]!;", "g(ySaved); return 0;"])
    expect(after(text(last))).not.toContain("takeRoom");
});

test("truth values are not kept among numbers", () => {
  const text = (value: string, use: string): string => `function f(rows: readonly Float64Array[]): number {
    const n = rows.length;
    const ySaved: Array<Array<boolean>> = new Array(n);
    for (let i = 0; i < n; i++) {
      const row = rows[i]!;
      const m = row.length;
      const y: Array<boolean> = new Array(m);
      const t = ${value};
      y[0] = t;
      ySaved[i] = y;
    }
    let acc = 0;
    if (${use}) {
      acc += 1;
    }
    return acc;
  }`;
  expect(after(text("row[0]! * 2", "ySaved[0]![0]! > 0"))).toContain("takeRoom");
  expect(after(text("row[0]! > 2", "ySaved[0]![0]!"))).not.toContain("takeRoom");
  expect(after(text("!(row[0]! > 2)", "!ySaved[0]![0]!"))).not.toContain("takeRoom");
});

test("a class that is written later by another name is no copy", () => {
  const text = (write: string): string => `function f(start: Float64Array, n: number): number {
    const ySaved: Array<Float64Array> = new Array(n);
    let y: Float64Array = start;
    for (let i = 0; i < n; i++) {
      ySaved[i] = y;
      const m = y.length;
      const y1 = new Float64Array(m);
      y1[0] = y[0]!;
      ${write}
      y = y1;
    }
    return ySaved[0]![0]!;
  }`;
  expect(after(text("y1[1] = 2;"))).toContain("saved.set(start, y)");
  expect(after(text("y[0] = 2;"))).not.toContain("takeRoom");
});

test("an array that holds kept ones and is not kept holds where they begin, or all stay", () => {
  const text = (last: string): string => `function f(rows: readonly Float64Array[]): unknown {
    const n = rows.length;
    const ySaved: Array<Float64Array> = new Array(n);
    let acc = 0;
    for (let i = 0; i < n; i++) {
      const m = rows[i]!.length;
      const y = new Float64Array(m);
      const both: readonly Float64Array[] = [y, y];
      ySaved[i] = both[i % 2]!;
      ${last}
    }
    return acc + ySaved[0]![0]!;
  }`;
  expect(after(text("acc += both.length;"))).toContain("const both = new Int32Array([y, y]);");
  expect(after(text("const both_ = zeroRows(both); acc += both_[0]![0]!;"))).toContain("takeRoom");
  expect(after(text("acc += g(both);"))).not.toContain("takeRoom");
});

test("a variable that need not be given an array is zero before", () => {
  const left = after(`function f(rows: readonly Float64Array[]): number {
    const n = rows.length;
    const ySaved: Array<Float64Array> = new Array(n);
    for (let i = 0; i < n; i++) {
      let y: Float64Array | undefined;
      if (i > 2) {
        const m = rows[i]!.length;
        const made = new Float64Array(m);
        y = made;
      }
      ySaved[i] = y as Float64Array;
    }
    return ySaved[3]![0]!;
  }`);
  expect(left).toContain("let y = 0;");
  expect(left).toContain("ySaved[i] = y;");
});

test("an array that holds arrays of kept ones holds them still, and not where they begin", () => {
  const text = after(`function f(n: number, which: number): number {
      const rows: Array<Float64Array> = new Array(n);
      for (let i = 0; i < n; i++) {
        const row = new Float64Array(i);
        rows[i] = row;
      }
      let kept = rows;
      while (kept.length > which) {
        const both = [kept, kept];
        kept = both[which]!;
      }
      return kept.length;
    }`);
  expect(text).toContain("const both = [kept, kept];");
  expect(text).toContain("const rows = new Int32Array(n);");
});

test("numbers that are read of arrays that are never made are in a block, too", () => {
  const text = after(`function f(n: number): number {
      const all: Array<Array<Float64Array>> = new Array(n);
      for (let i = 0; i < n; i++) {
        const none: Array<Float64Array> = [];
        all[i] = none;
      }
      let acc = 0;
      for (let i = 0; i < n; i++) {
        const rows = all[i]!;
        for (let j = 0; j < rows.length; j++) {
          acc += rows[j]![0]!;
        }
      }
      return acc;
    }`);
  for (const block of ["saved", "places"]) expect(text.match(new RegExp(`let ${block} = `, "g")), text).toHaveLength(1);
});

test("where sizes are known in front of the loops, counters tell where arrays begin, and those like them are parts of one as well", () => {
  const text = (size: string): string => `function f(rows: readonly Float64Array[], n: number, m: number): number {
  const k = rows.length;
  // y of each iteration, for the reverse sweep
  const ySaved: Array<Array<Float64Array>> = new Array(n);
  for (let i = 0; i < n; i++) {
    const row = new Array(m);
    ySaved[i] = row;
    for (let j = 0; j < m; j++) {
      const y = new Float64Array(${size});
      row[j] = y;
      for (let l = 0; l < ${size}; l++) {
        y[l] = i * rows[l]![j]!;
      }
    }
  }
  let acc = 0;
  for (let i = n - 1; i >= 0; i--) {
    const row = ySaved[i]!;
    for (let j = m - 1; j >= 0; j--) {
      const y = row[j]!;
      acc += y[i]! * y.length;
    }
  }
  return acc;
}
`;
  expect(after(text("k"))).toBe(`function f(rows: readonly Float64Array[], n: number, m: number): number {
  const k = rows.length;
  // y of each iteration, row by row
  const ySaved = new Float64Array(n * (m * k));
  for (let i = 0; i < n; i++) {
    const row = i * (m * k);
    for (let j = 0; j < m; j++) {
      const row1 = row + j * k;
      for (let l = 0; l < k; l++) {
        ySaved[row1 + l] = i * rows[l]![j]!;
      }
    }
  }
  let acc = 0;
  for (let i = n - 1; i >= 0; i--) {
    const row = i * (m * k);
    for (let j = m - 1; j >= 0; j--) {
      const row1 = row + j * k;
      acc += ySaved[row1 + i]! * k;
    }
  }
  return acc;
}
`);
  // Each iteration has a length of its own
  expect(after(text("i"))).toContain("Int32Array");
});

test("an array that some iterations make has a length where they make it", () => {
  const text = (test: string): string => `function f(rows: readonly Float64Array[], n: number): number {
  const k = rows.length;
  const size = k - 1;
  const ySaved: Array<Float64Array> = new Array(n);
  for (let i = 0; i < n; i++) {
    ${test}{
      const y = new Float64Array(size);
      ySaved[i] = y;
      y[0] = i;
    }
  }
  let acc = 0;
  for (let i = n - 1; i >= 0; i--) {
    ${test}{
      const y = ySaved[i]!;
      acc += y[0]!;
    }
  }
  return acc;
}
`;
  expect(after(text("if (k > 0) "))).not.toContain("n * size");
});

test("where an iteration makes an array of arrays for itself, sizes that are known in front of the inner loops tell where arrays begin", () => {
  const text = (kept: string): string => `function f(n: number, m: number, k: number): number {
      let acc = 0;
      let last = 0;
      for (let i = 0; i < n; i++) {
        const b: Array<Float64Array> = new Array(m);
        for (let j = 0; j < m; j++) {
          const row = new Float64Array(k);
          for (let l = 0; l < k; l++) {
            row[l] = i + l;
          }
          b[j] = row;
        }
        ${kept}
        acc += b[0]![1]!;
      }
      return acc + last;
    }`;
  expect(after(text("last += b.length;"))).toMatchInlineSnapshot(`
    "function f(n: number, m: number, k: number): number {
      let acc = 0;
      let last = 0;
      for (let i = 0; i < n; i++) {
        // b of each iteration, row by row
        const b = new Float64Array(m * k);
        for (let j = 0; j < m; j++) {
          const row = j * k;
          for (let l = 0; l < k; l++) {
            b[row + l] = i + l;
          }
        }
        last += m;
        acc += b[0 * k + 1]!;
      }
      return acc + last;
    }
    "
  `);
  expect(after(text("last += other(b);"))).toContain("new Array(m)");
});

test("what an array from elsewhere begins as is no copy where that is changed", () => {
  const text = (change: string): string => `function f(x: Float64Array, n: number): number {
      const start = g(x);
      const ySaved: Array<Float64Array> = new Array(n);
      let y: Float64Array = start;
      for (let i = 0; i < n; i++) {
        ySaved[i] = y;
        const y1 = new Float64Array(i);
        for (let j = 0; j < i; j++) {
          y1[j] = j;
        }
        y = y1;
      }
      ${change}
      let acc = 0;
      for (let i = n - 1; i >= 0; i--) {
        acc += ySaved[i]![0]!;
      }
      return acc;
    }`;
  expect(after(text(""))).toContain("saved.set(start,");
  expect(after(text("start[0] = 3;"))).not.toContain("saved.set(start,");
});

test("a row that has no name is a part, too", () => {
  const text = after(`function f(sizes: readonly number[]): number {
    const n = sizes.length;
    const all: Array<Array<Float64Array>> = new Array(n);
    for (let i = 0; i < n; i++) {
      const rows: Array<Float64Array> = new Array(n);
      for (let j = 0; j < n; j++) {
        const m = j + i;
        rows[j] = new Float64Array(m);
      }
      all[i] = rows;
    }
    let acc = 0;
    for (let i = n - 1; i >= 0; i--) {
      const rows = all[i]!;
      acc += rows[i]![0]!;
    }
    return acc;
  }`);
  expect(text).toMatch(/const row = savedEnd;\n[^]*places\[rows \+ j\] = row;/);
});
