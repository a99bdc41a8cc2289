// Recursion beyond the JavaScript stack. A function that recurses is there twice: as it was written, with a parameter that counts the words
// of stack in use; and in continuation-passing style, for when these reach the limit. The second version lives on a stack in the heap:
//
//   function sum(xs, depth) {                              function sumDeep(xs) {
//     if (depth > deepLimit)                                 return xs.tag === "Nil"
//       return enterDeep(depth, sumDeep, xs);                  ? 0
//     return xs.tag === "Nil"                                  : suspend(
//       ? 0                                                        () => sumDeep(xs._1),
//       : xs._0 + sum(xs._1, depth + 20);                          (rest) => xs._0 + rest,
//   }                                                            );
//                                                          }

/** Words of stack (of eight bytes) that recursion may fill: less than half of what engines grant, for callers need some too. */
export const deepLimit = 50000;

/** The depth from which functions that the deep version calls start: half of what is left, so that they may recurse a little too. */
export let deepDepth = deepLimit / 2;

/** What takes the place of a value while `deepNext` and what it leads to has yet to be run. */
const pending: object = {};

/** What the trampoline does next. */
let deepNext: () => unknown = () => undefined;

/** What is to be done with values to come, the next last. */
const deepFrames: ((value: unknown) => unknown)[] = [];

/** Goes on in the deep version, which is told so by an infinite depth where it runs already. */
export function enterDeep<A extends readonly unknown[], T>(depth: number, deep: (...args: A) => T, ...args: A): T {
  return depth === Infinity ? deep(...args) : runDeep(() => deep(...args));
}

/** Runs `start`, and all that it suspends, to its value. */
function runDeep<T>(start: () => T): T {
  const bottom = deepFrames.length;
  const before = deepDepth;
  deepDepth += (deepLimit - deepDepth) / 2;
  try {
    let value: unknown = start();
    for (;;) {
      while (value === pending) value = deepNext();
      const frame = deepFrames.length === bottom ? undefined : deepFrames.pop();
      if (frame === undefined) return value as T;
      value = frame(value);
    }
  } finally {
    deepFrames.length = bottom;
    deepDepth = before;
  }
}

/** Has `call` made by the trampoline, and `resume` given its value. */
export function suspend<T, U>(call: () => T, resume: (value: T) => U): U {
  deepFrames.push(resume as (value: unknown) => unknown);
  deepNext = call;
  return pending as U;
}

/** Has a tail call made by the trampoline. */
export function jump<T>(call: () => T): T {
  deepNext = call;
  return pending as T;
}

/** Has `resume` given the value of what comes next. */
export function resumeWith(resume: (value: never) => unknown): void {
  deepFrames.push(resume as (value: unknown) => unknown);
}

/** The depth of a function that does not recurse itself, where it may have been called from the deep version. */
export function finiteDepth(depth: number): number {
  return depth === Infinity ? deepDepth : depth;
}
