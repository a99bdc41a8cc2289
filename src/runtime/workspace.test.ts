import { expect, test } from "vitest";
import { collected } from "../../test/support/collected.js";
import { leaveWorkspace, numbersRead, roomier, takeWorkspace, zerosIn, type Workspace } from "./workspace.js";

const sizes = Array.from({ length: 60 }, (_, i) => [0, 3, 8, 9, 50, 512, 513, 5000, 20_000][i % 9] ?? 0);

/** Reads so many numbers, all `x`, as the functions do that read lists. */
function read(buffer: Workspace, length: number, x: number, workspace: Workspace | null): Float64Array {
  let { numbers, taken: start } = buffer;
  for (let steps = 0; steps < length; steps++) {
    if (start + steps === numbers.length) [numbers, start] = [roomier(numbers, start), 0];
    numbers[start + steps] = x;
  }
  return numbersRead(buffer, numbers, start, length, workspace);
}

test("what is read into a workspace, and zeros in it, have places of their own, in the second use of its memory, too", () => {
  for (let use = 0; use < 2; use++) {
    const workspace = takeWorkspace();
    const arrays = sizes.map((size, i) => {
      if (i % 3 === 0) return read(workspace, size, i, workspace);
      if (i % 3 === 1) return read(takeWorkspace(), size, i, workspace);
      const zeros = zerosIn(workspace, size);
      expect(zeros.every((x) => x === 0)).toBe(true);
      return zeros.fill(i);
    });
    expect(arrays.map(({ length }) => length)).toEqual(sizes);
    expect(arrays.every((array, i) => array.every((x) => x === i))).toBe(true);
    expect(leaveWorkspace(workspace, arrays)).toBe(arrays);
  }
});

test("so have large ones that are read into other memory first", () => {
  for (let use = 0; use < 3; use++) {
    const workspace = takeWorkspace();
    const arrays = [100_000, 50, 200_000, 3].map((size, i) => read(takeWorkspace(), size, i + 1, workspace));
    expect(arrays.every((array, i) => array.every((x) => x === i + 1))).toBe(true);
    leaveWorkspace(workspace, null);
  }
});

test("a workspace that is not left is nobody else's", () => {
  const [one, other] = [takeWorkspace(), takeWorkspace()];
  const [a, b] = [read(one, 100, 1, one), read(other, 100, 2, other)];
  expect([a.every((x) => x === 1), b.every((x) => x === 2)]).toEqual([true, true]);
});

test("numbers that are kept have memory that no later call is given", () => {
  const kept = sizes.map((size, i) => read(takeWorkspace(), size, i, null));
  for (let use = 0; use < 3; use++) {
    const workspace = takeWorkspace();
    for (const size of sizes) read(workspace, size, -1, workspace);
    leaveWorkspace(workspace, null);
  }
  expect(kept.map(({ length }) => length)).toEqual(sizes);
  expect(kept.every((array, i) => array.every((x) => x === i))).toBe(true);
});

test("large memory is used again until it is collected", async () => {
  const use = (): Float64Array => {
    const workspace = takeWorkspace();
    read(workspace, 100_000, 1, workspace);
    expect(zerosIn(workspace, 100_000).every((x) => x === 0)).toBe(true);
    return leaveWorkspace(workspace, workspace.numbers);
  };
  const usedTwice = (): WeakRef<Float64Array> => {
    const first = use();
    expect(use() === first).toBe(true);
    return new WeakRef(first);
  };
  const kept = usedTwice();
  await collected();
  expect(kept.deref() === undefined).toBe(true);
});
