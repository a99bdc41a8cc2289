// Memory that a call of an exported function works in, and the next one again. No caller of the module is given any of it: a caller might transfer it.

import { noNumbers, workArray } from "./adjoint.js";

/** Memory for numbers. Of those in use, no other call has any; a call that fails leaves its workspace to the collector. */
export interface Workspace {
  numbers: Float64Array;
  /** How many of them are in use: the first ones. */
  taken: number;
}

/** Larger memory is kept no longer than until it is collected: half a megabyte. */
const largestSpare = 65536;

/** Memory that no call works in. */
const spare: Float64Array[] = [];

let largeSpare: WeakRef<Float64Array> | null = null;

export function takeWorkspace(): Workspace {
  return { numbers: spare.pop() ?? new Float64Array(1024), taken: 0 };
}

/** Ends the use of a workspace; gives what has been made by then, which is none of its memory. */
export function leaveWorkspace<T>({ numbers }: Workspace, made: T): T {
  if (numbers.length <= largestSpare) spare.push(numbers);
  else largeSpare = new WeakRef(numbers);
  return made;
}

/** Memory for so many numbers, or more, in which there may be some. */
function memoryFor(length: number): Float64Array {
  const large = largeSpare?.deref();
  if (large === undefined || large.length < length) return new Float64Array(length);
  largeSpare = null;
  return large;
}

/** Memory with twice the buffer, or more; the numbers that have been read from `start` on stand at its start. */
export function roomier(numbers: Float64Array, start: number): Float64Array {
  const larger = memoryFor(2 * numbers.length);
  larger.set(start === 0 ? numbers : numbers.subarray(start));
  return larger;
}

/**
 * The numbers read into `numbers`, the memory of `buffer` or what it has grown to, from `start` on: in their place, if that is the workspace; otherwise
 * elsewhere in it; without one, in memory that outlives the call.
 */
export function numbersRead(
  buffer: Workspace,
  numbers: Float64Array,
  start: number,
  length: number,
  workspace: Workspace | null,
): Float64Array {
  const end = start + length;
  buffer.numbers = numbers;
  if (buffer === workspace && length > 8) {
    buffer.taken = end;
    return new Float64Array(numbers.buffer, 8 * start, length);
  }
  const own = workspace === null ? workArray(length) : zerosIn(workspace, length);
  if (length > 512) own.set(numbers.subarray(start, end));
  else for (let i = 0; i < length; i++) own[i] = numbers[start + i] as number;
  // Not before: the workspace might have been given its memory
  if (buffer !== workspace) leaveWorkspace(buffer, null);
  return own;
}

/** An array of zeros. Up to 8 numbers V8 makes fast, but not none. */
export function zerosIn(workspace: Workspace, length: number): Float64Array {
  if (length === 0) return noNumbers;
  if (length <= 8) return new Float64Array(length);
  if (workspace.taken + length > workspace.numbers.length) {
    workspace.numbers = memoryFor(2 * Math.max(length, workspace.numbers.length));
    workspace.taken = 0;
  }
  const start = 8 * workspace.taken;
  workspace.taken += length;
  return new Float64Array(workspace.numbers.buffer, start, length).fill(0);
}
