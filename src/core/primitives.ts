// The primitive operations. Overloading is resolved to these before any stage runs. All that the compiler knows of one stands in its row of
// `primitives/table.ts`.

import type { AnyRow, Literals, PartialBy, Scalar } from "./primitives/row.js";
import { isShown, table, type IntegerOp, type OpName, type SourceName } from "./primitives/table.js";

export type { Law, LiteralValue, Literals, Scalar, Singularity, Spelling } from "./primitives/row.js";
export { isShown } from "./primitives/table.js";
export type { IntegerOp, OpName } from "./primitives/table.js";

/** A partial derivative, in terms of the operation's arguments and its result. */
export type Partial = PartialBy<OpName>;

/** What the table says of one operation. */
export type Primitive = AnyRow<OpName>;

/** The row of an operation. */
export function primitive(name: OpName): Primitive {
  return table[name];
}

/** Every operation, in the order of the table. */
export const opNames: readonly OpName[] = Object.keys(table).filter((name): name is OpName => name in table);

/** Whether an operation computes an integer from integers. */
export function isIntegerOp(op: OpName): op is IntegerOp {
  const { params, result } = table[op];
  return result === "Z" && params.every((param) => param === "Z") && !isShown(op);
}

/** Whether an operation divides: its derivative is (dx - r dy) / y, with r for its result. */
export function isQuotient(op: OpName): boolean {
  return op === "div" || op === "ratio";
}

/** How two operands compare. */
export type Relation = "eq" | "ne" | "lt" | "le" | "gt" | "ge";

const relations: ReadonlyMap<string, Relation> = new Map([
  ["===", "eq"], ["!==", "ne"], ["<", "lt"], ["<=", "le"], [">", "gt"], [">=", "ge"],
]); // prettier-ignore

/** What a comparison of two operands of a type tells; null of other operations. */
export function relationOf(op: OpName, operands: Scalar): Relation | null {
  const { typescript, params, result } = table[op];
  if (result !== "B" || params[0] !== operands || typescript.kind !== "infix") return null;
  return relations.get(typescript.operator) ?? null;
}

/** What it costs to compute an operation again, in additions. */
export function costOf(op: OpName, literals: Literals): number {
  const { cost } = table[op];
  return typeof cost === "number" ? cost : cost(literals);
}

/** What programs can name: a built-in function or an operator. It stands for several operations where it is overloaded. */
export type OverloadedName = SourceName;

type Overloads = { readonly [S in Scalar]?: OpName };

/** The operations that a name stands for, by the type of their first parameter. */
const overloads: ReadonlyMap<string, Overloads> = (() => {
  const found = new Map<string, Overloads>();
  for (const name of opNames) {
    const { source, params } = table[name];
    const [operand = "R"] = params;
    if (source !== null) found.set(source, { ...found.get(source), [operand]: name });
  }
  return found;
})();

/** Every name of a built-in function or operator, in the order of the table. */
export const overloadedNames: readonly OverloadedName[] = [...overloads.keys()].filter(isOverloadedName);

/** The operations that a name stands for, by operand type. */
export function overloadsOf(name: OverloadedName): Overloads {
  return overloads.get(name) ?? {};
}

/** Whether a source name is a built-in function or operator. */
export function isOverloadedName(name: string): name is OverloadedName {
  return overloads.has(name);
}
