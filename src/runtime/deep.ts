// Recursion beyond the JavaScript stack. A function that recurses is there twice: as it was written, with a parameter that counts the words
// of stack in use; and in a version for when these reach the limit, which keeps what is still to be done on stacks in the heap:
//
//   function sum(xs, depth) {                              function sumDeep(xs) {
//     if (depth > deepLimit) {                               for (;;) {
//       return enterDeep(depth, sumDeep, xs);                  if (xs.tag === "Nil") return 0;
//     }                                                        saveNumber(xs._0);
//     return xs.tag === "Nil"                                  resumeWith(sumResume);
//       ? 0                                                    xs = xs._1;
//       : xs._0 + sum(xs._1, depth + 20);                    }
//   }                                                      }
//
//                                                          function sumResume(rest) {
//                                                            const x = restoreNumber();
//                                                            return x + rest;
//                                                          }

/** Words of stack (of eight bytes) that recursion may fill: less than half of what engines grant, for callers need some too. */
export const deepLimit = 50000;

/** The depth from which functions that the deep version calls start: half of what is left, so that they may recurse a little too. */
export let deepDepth = deepLimit / 2;

/** So many calls may wait for others, and so many values of theirs: engines end the process where an array gets too large. */
const deepMost = 2 ** 23;

/** Stands for a value that `deepNext` will give. */
const pending: object = {};

/** What the trampoline calls next. */
let deepNext: () => unknown = () => undefined;

/** What is to be done with values to come, the next last. */
const deepFrames: ((value: never) => unknown)[] = [];

/** What these saved: numbers, and other values. */
let deepNumbers = new Float64Array(256);
let deepNumberCount = 0;
const deepValues: unknown[] = [];

/** Goes on in the deep version, which is told by an infinite depth where it runs already. */
export function enterDeep<A extends readonly unknown[], T>(depth: number, deep: (...args: A) => T, ...args: A): T {
  return depth === Infinity ? deep(...args) : runDeep(() => deep(...args));
}

/** Runs `start`, and all that it leaves to be done, to its value. */
function runDeep<T>(start: () => T): T {
  const base = deepFrames.length;
  const numberCount = deepNumberCount;
  const valueCount = deepValues.length;
  const before = deepDepth;
  deepDepth += (deepLimit - deepDepth) / 2;
  try {
    let value: unknown = start();
    for (;;) {
      while (value === pending) value = deepNext();
      const frame = deepFrames.length === base ? undefined : deepFrames.pop();
      if (frame === undefined) return value as T;
      value = frame(value as never);
    }
  } finally {
    deepFrames.length = base;
    deepNumberCount = numberCount;
    deepValues.length = valueCount;
    deepDepth = before;
  }
}

/** Has a tail call made by the trampoline. What it gives has the type that whoever resumes with it expects. */
export function jump(call: () => unknown): never {
  deepNext = call;
  return pending as never;
}

/** A value that is not the function's own, but what the frame that it has pushed last resumes with. */
export function deliver(value: unknown): never {
  return value as never;
}

function tooDeep(): RangeError {
  return new RangeError(`recursion is more than ${deepMost} calls deep`);
}

/** Has `resume` given the value of what comes next. */
export function resumeWith(resume: (value: never) => unknown): void {
  if (deepFrames.length === deepMost) throw tooDeep();
  deepFrames.push(resume);
}

export function saveNumber(value: number): void {
  if (deepNumberCount === deepNumbers.length) {
    const larger = new Float64Array(deepNumberCount * 2);
    larger.set(deepNumbers);
    deepNumbers = larger;
  }
  deepNumbers[deepNumberCount++] = value;
}

/** The number saved last. */
export function restoreNumber(): number {
  return deepNumbers[--deepNumberCount] as number;
}

export function saveValue(value: unknown): void {
  if (deepValues.length === 4 * deepMost) throw tooDeep();
  deepValues.push(value);
}

/** The value saved last. */
export function restoreValue(): unknown {
  return deepValues.pop();
}

/** The depth of a function that does not recurse itself, where it may have been called from the deep version. */
export function finiteDepth(depth: number): number {
  return depth === Infinity ? deepDepth : depth;
}
