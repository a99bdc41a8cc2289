// Where numbers stop being finite in a run: the first operation of the forward sweep, and the first of the reverse sweep.

import type { Site } from "../core/term.js";
import { reverse, type Node, type Run } from "./tape.js";
import { notationOf, operationText, shownOperand } from "./words.js";

/** An operation that makes something that is not finite of what is. */
export interface Culprit {
  readonly sweep: "forward" | "reverse";
  readonly site: Site | null;
  /** `log 0 = -Infinity`. */
  readonly operation: string;
  /** What is not finite, as a sentence. */
  readonly problem: string;
  readonly label: string;
}

/** The first operation whose value is not finite while its operands are; null where there is none. `isNaNOnly`: infinities are passed over. */
export function firstInValues({ nodes }: Run, isNaNOnly: boolean): Culprit | null {
  const isWrong = (value: number): boolean => (isNaNOnly ? Number.isNaN(value) : !Number.isFinite(value));
  const node = nodes.find(
    ({ op, value, args }) =>
      op !== null && isWrong(value) && !args.some((arg) => typeof arg === "number" && isWrong(arg)),
  );
  if (node === undefined) return null;
  const operation = printOperation(node);
  return { sweep: "forward", site: node.site, operation, problem: `the first value that is ${isNaNOnly ? "NaN" : "not finite"} is that of \`${notationOf(node)}\``, label: operation }; // prettier-ignore
}

/** The first step of the reverse sweep that makes a cotangent that is not finite of finite ones; null where there is none. */
export function firstInCotangents(run: Run, weights: readonly number[]): Culprit | null {
  const { steps } = reverse(run, weights);
  const sums = new Map<number, number>();
  for (const { id, cotangent, contributions } of steps) {
    const node = run.nodes[id];
    // What is NaN already is explained by the forward sweep
    if (node === undefined || !Number.isFinite(cotangent) || node.args.some((arg) => Number.isNaN(arg))) continue;
    const operation = printOperation(node);
    for (const [i, operand] of node.operands.entries()) {
      const contribution = contributions[i] ?? 0;
      const before = sums.get(operand.id) ?? 0;
      if (Number.isFinite(contribution) && Number.isFinite(before + contribution)) {
        sums.set(operand.id, before + contribution);
        continue;
      }
      const place = node.operands.length > 1 ? `in operand ${i + 1} ` : "";
      const label = `${operation}: the partial derivative ${place}at ${operand.value} is ${operand.partial} (cotangent ${cotangent})`;
      const what = Number.isFinite(operand.partial) ? "cotangent that is not finite comes from" : "partial derivative that is not finite is that of"; // prettier-ignore
      return {
        sweep: "reverse",
        site: node.site,
        operation,
        problem: `the first ${what} \`${notationOf(node)}\``,
        label,
      };
    }
  }
  return null;
}

/** `2 * 3 = 6`: the operation with its numbers. */
function printOperation(node: Node): string {
  return `${operationText(node, shownOperand)} = ${shownOperand(node.value)}`;
}
