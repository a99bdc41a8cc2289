// The next iteration of a function that calls itself in tail position.

import type { Term } from "../../target-calculus/term.js";
import type { BodyWriter } from "./frame.js";
import { capitalised } from "../../typescript/naming.js";
import * as ts from "../../typescript/build.js";
import { isPure, reads } from "../../typescript/facts.js";
import type { TsExpr, TsStmt } from "../../typescript/tree.js";

/** What a loop's variable gets for the next iteration. */
export interface Assignment {
  readonly name: string;
  readonly value: TsExpr;
  readonly term: Term;
}

/** Assigns variables, all at once. */
export function assignAtOnce(all: readonly Assignment[], writer: BodyWriter, out: TsStmt[]): void {
  const save = (next: Assignment): Assignment => ({
    ...next,
    value: writer.named(next.value, `next${capitalised(next.name)}`, next.term, out),
  });
  let pending = all.filter(({ name, value }) => value.kind !== "id" || value.name !== name);
  if (pending.filter(({ value }) => !isPure(value)).length > 1) {
    pending = pending.map((next) => (isPure(next.value) ? next : save(next)));
  }
  while (pending.length > 0) {
    const free = pending.find((next) => pending.every((other) => other === next || !reads(other.value, next.name)));
    if (free === undefined) {
      const blocking = mostBlocking(pending);
      pending = pending.map((next) => (next === blocking ? save(next) : next));
    } else {
      out.push(ts.assigned(free.name, free.value));
      pending = pending.filter((other) => other !== free);
    }
  }
}

/** The one whose value reads the most of the others' variables: a saved one reads none. */
function mostBlocking(pending: readonly Assignment[]): Assignment | undefined {
  const blocked = (one: Assignment): number =>
    pending.filter((other) => other !== one && reads(one.value, other.name)).length;
  const [first, ...rest] = pending;
  return first && rest.reduce((most, one) => (blocked(one) > blocked(most) ? one : most), first);
}
