// Loops whose head does something before it tests whether to go on: each way does that for itself, so that the loop can be one that counts.
//
//   loop (p = a).. { H; c = ..; if c then E else { B; next .. } }     =>     loop (p = a).. { c = ..; if c then { H; E } else { H; B; next .. } }

import { Copy } from "./copy.js";
import type { FlatNames } from "./naming.js";
import type { Block, End, Stmt } from "./program.js";
import { isPure } from "./pure.js";
import { atomsOf, boundBy, endsOf, sizeOf } from "./traverse.js";

type Loop = Stmt & { readonly kind: "loop" };

/** How large a head may be that is there twice, by `sizeOf`. */
const most = 50;

/** The loop with its head in both branches; null where nothing stands in front of the test that could be there, or it is large. */
export function withHeadInside(loop: Loop, names: FlatNames): Loop | null {
  const { stmts, end } = loop.body;
  if (end.kind !== "if" || end.cond.kind !== "var") return null;
  const needed = new Set([end.cond.variable.name]);
  const test: Stmt[] = [];
  const head: Stmt[] = [];
  for (const stmt of stmts.toReversed()) {
    const isNeeded = stmt.kind === "let" && needed.has(stmt.result.name);
    if (isNeeded) for (const atom of atomsOf(stmt)) if (atom.kind === "var") needed.add(atom.variable.name);
    (isNeeded ? test : head).unshift(stmt);
  }
  // What a choice, a loop or a call gives stays where it is, and so does a test that needs it
  if (head.some((stmt) => boundBy(stmt).some(({ name }) => needed.has(name)))) return null;
  if (head.length === 0 || !test.every(isPure) || sizeOf({ stmts: head, end: { kind: "yield", values: [] } }) > most) return null; // prettier-ignore
  const endsLoop = (block: Block): boolean => [...endsOf(block)].every(({ kind }) => kind === "yield");
  if (endsLoop(end.then) === endsLoop(end.else)) return null;
  const inside = (block: Block): Block => {
    const whole: Block = { stmts: [...head, ...block.stmts], end: block.end };
    return endsLoop(block) ? new Copy(names, new Map()).block(whole) : whole;
  };
  const branches: End = { ...end, then: inside(end.then), else: inside(end.else) };
  return { ...loop, body: { stmts: test, end: branches } };
}
