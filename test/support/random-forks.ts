// Random programs that fork, of every shape: operations, forks in forks, folds whose steps fork, sums over the tasks of arrays.

import fc from "fast-check";

/** A program of two numbers: operations, forks, and folds whose steps fork. */
type Shape =
  | { readonly kind: "leaf"; readonly name: "x" | "y" }
  | { readonly kind: "operation"; readonly op: "+" | "*" | "-"; readonly left: Shape; readonly right: Shape }
  | { readonly kind: "fork"; readonly tasks: readonly Shape[] }
  | { readonly kind: "chain"; readonly steps: number; readonly left: Shape; readonly right: Shape }
  | { readonly kind: "array"; readonly tasks: number; readonly body: Shape };

const { shapes } = fc.letrec<{ shapes: Shape }>((tie) => ({
  shapes: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.record({ kind: fc.constant("leaf" as const), name: fc.constantFrom("x" as const, "y" as const) }),
    fc.record({ kind: fc.constant("operation" as const), op: fc.constantFrom("+" as const, "*" as const, "-" as const), left: tie("shapes"), right: tie("shapes") }), // prettier-ignore
    fc.record({ kind: fc.constant("fork" as const), tasks: fc.array(tie("shapes"), { minLength: 2, maxLength: 4 }) }),
    fc.record({ kind: fc.constant("chain" as const), steps: fc.integer({ min: 1, max: 9 }), left: tie("shapes"), right: tie("shapes") }), // prettier-ignore
    fc.record({ kind: fc.constant("array" as const), tasks: fc.integer({ min: 1, max: 9 }), body: tie("shapes") }),
  ),
}));

/** A shape as a term. */
function textOf(shape: Shape): string {
  switch (shape.kind) {
    case "leaf":
      return shape.name;
    case "operation":
      return `(${textOf(shape.left)} ${shape.op} ${textOf(shape.right)})`;
    case "fork": {
      const names = shape.tasks.map((_, index) => `t${index}`);
      return `(let (${names.join(", ")}) = ${shape.tasks.map(textOf).join(" |*| ")} in ${names.join(" * ")})`;
    }
    case "chain": {
      const step = `\\(x, y) _. (${textOf(shape.left)} |*| ${textOf(shape.right)})`;
      return `(let (x, y) = foldl (${step}) (x, y) (range 1 ${shape.steps}) in x + y)`;
    }
    case "array":
      return `(parSum (\\x. ${textOf(shape.body)}) (parMap (\\i. x * toReal i) (range 1 ${shape.tasks})))`;
  }
}

/** Programs `def f (x : R) (y : R) : R`. */
export const forkingPrograms: fc.Arbitrary<string> = shapes.map(
  (shape) => `def f (x : R) (y : R) : R = ${textOf(shape)}`,
);
