import { Script } from "node:vm";

const key = Symbol.for("dualrev.limited");
// Only a script can be stopped
const script = new Script('globalThis[Symbol.for("dualrev.limited")]()');

/** What runs a function for so many milliseconds at most: it throws an `Error` that says so where that is not enough. */
export function limitedTo(milliseconds: number): <T>(run: () => T) => T {
  return <T>(run: () => T): T => {
    const results: T[] = [];
    Reflect.set(globalThis, key, () => {
      results.push(run());
    });
    try {
      script.runInThisContext({ timeout: milliseconds });
    } finally {
      Reflect.deleteProperty(globalThis, key);
    }
    const [result] = results;
    if (results.length === 0 || result === undefined) throw new Error("it gives nothing");
    return result;
  };
}
