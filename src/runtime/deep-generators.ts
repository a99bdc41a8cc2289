// Recursion beyond the JavaScript stack, in adjoint code. A function that recurses is there twice: as it was written, with a parameter that counts the
// words of stack in use; and as a generator function, for when these reach the limit, which asks for each recursive call with `yield`. What is still
// to be done is then in generators, which are in the heap:
//
//   function sum(xs, depth) {                              function* sumDeep(xs) {
//     if (depth > stackLimit) {                              if (xs.tag === "Nil") return 0;
//       return runDeep(sumDeep(xs));                         const rest = yield sumDeep(xs._1);
//     }                                                      return xs._0 + rest;
//     if (xs.tag === "Nil") return 0;                      }
//     const rest = sum(xs._1, depth + 20);
//     return xs._0 + rest;
//   }

/** A computation that yields others, and goes on with what they return. Each has the type that whoever asks for it expects. */
export type Deep<T> = Generator<unknown, T, never>;

/** Words of stack (of eight bytes) that recursion may fill: less than half of what engines grant, for callers need some too. */
export const stackLimit = 50000;

/** The words of stack that are taken to be in use where nobody has counted them: half of what is left, so that functions may recurse a little. */
export let stackStart = stackLimit / 2;

/** So many computations may wait for others. */
const mostWaiting = 2 ** 22;

/** What a computation returns in the end. */
export function runDeep<T>(start: Deep<T>): T {
  const waiting: Deep<unknown>[] = [];
  const before = stackStart;
  stackStart += (stackLimit - stackStart) / 2;
  try {
    let running: Deep<unknown> = start;
    let given: unknown;
    for (;;) {
      const { done, value } = running.next(given as never);
      if (done !== true) {
        if (waiting.length === mostWaiting) throw new RangeError(`recursion is more than ${mostWaiting} calls deep`);
        waiting.push(running);
        running = value as Deep<unknown>;
        given = undefined;
        continue;
      }
      const caller = waiting.pop();
      if (caller === undefined) return value as T;
      running = caller;
      given = value;
    }
  } finally {
    stackStart = before;
  }
}
