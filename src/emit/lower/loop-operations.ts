// The operations that opened loops (deep-loops.ts) use, whatever the stage.

import * as b from "../../target-calculus/build.js";
import type { Operation } from "../../target-calculus/term.js";
import type { Type } from "../../target-calculus/type.js";

const storing = (name: string, element: Type): Operation => ({
  name,
  params: [b.arrayType(element), b.int, element],
  rest: null,
  result: b.computation(b.arrayType(element)),
  runtime: `arrays.${name}`,
});

export const loopOperations: ReadonlyMap<string, Operation> = new Map(
  [storing("storeNumber", b.real), storing("storeItem", { kind: "typeVar", name: "a" })].map((operation) => [
    operation.name,
    operation,
  ]),
);

/** The operations of a stage, and those that opened loops use. */
export function withLoops(stage: ReadonlyMap<string, Operation>): ReadonlyMap<string, Operation> {
  return new Map([...stage, ...loopOperations]);
}
