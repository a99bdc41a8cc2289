import { expect, test } from "vitest";
import { mergedRows } from "./compressed.js";

const floats = (...numbers: number[]): Float64Array => Float64Array.from(numbers);

test("columns ascend, each is there once, and those that are not read are left out", () => {
  const given = {
    rows: 3,
    rowStart: [0, 4, 4, 7],
    column: [5, 2, 5, 0, -1, 3, 1],
    values: floats(1, 2, 3, 4, 5, 6, 7),
    columns: 6,
  };
  expect(mergedRows(given)).toEqual({
    rows: 3,
    rowStart: Int32Array.of(0, 3, 3, 5),
    column: Int32Array.of(0, 2, 5, 1, 3),
    values: floats(4, 2, 4, 7, 6),
    columns: 6,
  });
});

test("a matrix in order stays as it is, also without rows", () => {
  const given = {
    rows: 2,
    rowStart: Int32Array.of(0, 1, 3),
    column: Int32Array.of(1, 0, 2),
    values: floats(0, -0, NaN),
  };
  const { rowStart, column, values } = given;
  expect(mergedRows(given)).toEqual(given);
  expect(mergedRows(given).column).toBe(column);
  expect([[...rowStart], [...column], [...values]]).toEqual([[0, 1, 3], [1, 0, 2], [0, -0, NaN]]); // prettier-ignore
  const empty = { rows: 0, rowStart: [0], column: [], values: floats() };
  expect(mergedRows(empty)).toEqual({ rows: 0, rowStart: Int32Array.of(0), column: Int32Array.of(), values: floats() });
});
