// What is no longer reachable is collected before a test looks at memory.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** After a collection: what has been looked at is not collected before the end of what runs. */
export async function collected(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  await new Promise((resolve) => setImmediate(resolve));
  if (typeof collect !== "function") throw new Error("nothing collects");
  Reflect.apply(collect, undefined, []);
}
