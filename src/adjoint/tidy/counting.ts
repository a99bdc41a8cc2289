// Loops that count.

import type { TsExpr, TsStmt } from "../../typescript/tree.js";

export type For = TsStmt & { readonly kind: "for" };

export function isName(expr: TsExpr, name: string): boolean {
  return expr.kind === "id" && expr.name === name;
}

export function isNumber(expr: TsExpr, value: number): boolean {
  return expr.kind === "number" && expr.value === value;
}

/** What a loop begins with that counts down to zero by one; null where it does not. */
export function countsDownFrom({ name, from, test, step }: For): TsExpr | null {
  const isDown =
    test.kind === "binary" && test.op === ">=" && isName(test.left, name) && isNumber(test.right, 0) &&
    step.kind === "assign" && step.op === "-=" && isName(step.target, name) && isNumber(step.value, 1); // prettier-ignore
  return isDown ? from : null;
}

/** What a loop counts to that counts from zero by one: the number of its rounds; null where it does not. */
export function countsUpTo({ name, from, test, step }: For): TsExpr | null {
  const isUp =
    isNumber(from, 0) && test.kind === "binary" && test.op === "<" && isName(test.left, name) &&
    step.kind === "assign" && step.op === "+=" && isName(step.target, name) && isNumber(step.value, 1); // prettier-ignore
  return isUp ? test.right : null;
}
