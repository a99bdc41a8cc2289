// Mistakes planted in the output of a pass: at the first place where each can be made.

import type { Prepared } from "../../src/adjoint/prepare.js";

/** A mistake, made in a part of a program; whether it could be made there. */
export type Mistake = (node: object) => boolean;

/** Those that compilers of derivatives make: by what they are called. */
export const mistakes: ReadonlyMap<string, Mistake> = new Map<string, Mistake>([
  ["a flipped sign", (node) => changes(node, { op: "add" }, "op", "sub") || changes(node, { kind: "binary", op: "+" }, "op", "-") || changes(node, { op: "sub" }, "op", "add") || changes(node, { op: "mul" }, "op", "div")],
  ["an index off by one", (node) => changes(node, { op: "subZ" }, "op", "addZ") || isIndex(node)],
  ["a dropped accumulation", (node) => changes(node, { kind: "assign", op: "+=" }, "op", "=")],
  ["a dropped zeroing", (node) => Array.isArray(node) && withoutOne(node, isZeroing)],
]); // prettier-ignore

/** The output of a pass with a mistake; null where it cannot be made. */
export function planted<T extends object>(program: T, mistake: Mistake): T | null {
  const copy = structuredClone(program);
  return make(copy, mistake) ? copy : null;
}

/** The same of a program with stores, which has more than its procedures. */
export function plantedInStores(prepared: Prepared, mistake: Mistake): Prepared | null {
  const procedures = structuredClone(prepared.active.procedures);
  if (!make([...procedures.values()].map(({ procedure }) => procedure), mistake)) return null; // prettier-ignore
  return { ...prepared, active: { ...prepared.active, procedures } };
}

function make(root: object, mistake: Mistake): boolean {
  const waiting: object[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (mistake(node)) return true;
    const parts: readonly unknown[] = Object.values(node);
    for (const part of [...parts].reverse()) if (typeof part === "object" && part !== null) waiting.push(part);
  }
  return false;
}

function changes(node: object, wanted: Readonly<Record<string, string>>, key: string, value: string): boolean {
  if (!Object.entries(wanted).every(([name, text]) => Reflect.get(node, name) === text)) return false;
  return Reflect.set(node, key, value);
}

/** `a[i]` of TypeScript becomes `a[i + 1]`. */
function isIndex(node: object): boolean {
  if (Reflect.get(node, "kind") !== "index" || !("certain" in node)) return false;
  const left: unknown = Reflect.get(node, "index");
  return Reflect.set(node, "index", { kind: "binary", op: "+", left, right: { kind: "number", value: 1 } });
}

function withoutOne(list: unknown[], isWanted: (item: unknown) => boolean): boolean {
  const place = list.findIndex(isWanted);
  if (place !== -1) list.splice(place, 1);
  return place !== -1;
}

/** The statement `x = 0`. */
function isZeroing(item: unknown): boolean {
  const at = (value: unknown, key: string): unknown =>
    typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  const expr = at(item, "expr");
  return at(item, "kind") === "expr" && at(expr, "op") === "=" && at(at(expr, "value"), "value") === 0;
}
