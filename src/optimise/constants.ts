// Operations on literals, and operations that give back an operand: exactly what they give at run time, for infinities, NaN and -0 too.

import { primitive, type Law, type OpName } from "../core/primitives.js";
import type { Term } from "../core/term.js";

type Operation = Term & { readonly kind: "op" };

/** What an operation is equal to that is simpler; null where nothing is known. */
export function foldOperation(term: Operation): Term | null {
  return foldLiterals(term) ?? foldIdentity(term);
}

function foldLiterals({ op, args }: Operation): Term | null {
  const numbers: number[] = [];
  for (const arg of args) {
    if (arg.kind === "bool") numbers.push(Number(arg.value));
    else if (arg.kind === "real" || arg.kind === "int") numbers.push(arg.value);
    else return null;
  }
  const { onLiterals, result } = primitive(op);
  const [x = NaN, y = NaN] = numbers;
  const value = onLiterals?.(x, y) ?? NaN;
  if (typeof value === "boolean") return { kind: "bool", value };
  // What is not an integer in the range of Z fails at run time
  if (result === "Z") return Number.isSafeInteger(value) ? { kind: "int", value: value + 0 } : null;
  // A literal is finite, and has no sign of zero
  return Number.isFinite(value) && !Object.is(value, -0) ? { kind: "real", value } : null;
}

function foldIdentity({ op, args }: Operation): Term | null {
  const [x, y] = args;
  if (x === undefined) return null;
  for (const law of primitive(op).laws) {
    const found = lawful(op, law, x, y);
    if (found !== null) return found;
  }
  return null;
}

/** What an operation is equal to by a law; null where the law says nothing of it. */
function lawful(op: OpName, law: Law, x: Term, y: Term | undefined): Term | null {
  switch (law.kind) {
    case "unit":
      if (law.at === "left") return isNumber(x, law.unit) ? (y ?? null) : null;
      return isNumber(y, law.unit) ? x : null;
    case "involution":
      return x.kind === "op" && x.op === op ? (x.args[0] ?? null) : null;
    case "idempotent":
      return isSameAtom(x, y) ? x : null;
    case "constant":
      return isSameAtom(x, y) ? { kind: "bool", value: law.value } : null;
  }
}

/** A literal; 0 is not -0. */
function isNumber(term: Term | undefined, value: number): boolean {
  return (term?.kind === "real" || term?.kind === "int") && Object.is(term.value, value);
}

/** Whether two terms are the same variable, or the length of one. */
function isSameAtom(left: Term, right: Term | undefined): boolean {
  if (left.kind === "length") return right?.kind === "length" && isSameAtom(left.array, right.array);
  return left.kind === "var" && right?.kind === "var" && left.name === right.name;
}
