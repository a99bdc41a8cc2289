// Merging of exit tests (`zip` of two walks).
//
// Loops that end where the first of several counts ends have one test:
//
//   loop (i = 0, ..) c = i < m; if c then { x = ..; d = i < n; if d then B else E } else E
//     =>   least = min m n; loop (i = 0, ..) c = i < least; if c then { x = ..; B } else E
//
// The inner test may look ahead, `j = i + 1; d = j < n`: then `least` is that of m and n - 1.

import { atomOf, intAtom, letOf, sameAtom, yieldOf } from "./build.js";
import { freeVariables } from "./free-variables.js";
import type { FlatNames } from "./naming.js";
import { withLoopsRewritten, type Loop } from "./rewrite-loops.js";
import { int, type Atom, type Block, type End, type Operation, type Program, type Stmt, type Var } from "./program.js"; // prettier-ignore

/** The program, with the same meaning. `names` are those of the program. */
export function withJointExits(program: Program, names: FlatNames): Program {
  return withLoopsRewritten(program, (loop) => {
    if (loop.kind === "for") return null;
    const before: Stmt[] = [];
    let current = loop;
    for (let joint = joined(current, names); joint !== null; joint = joined(current, names)) {
      before.push(...joint.before);
      current = joint.loop;
    }
    return current === loop ? null : [...before, current];
  });
}

/** A test `at < limit` in front of a block. */
interface Test {
  readonly result: Var;
  readonly at: Atom;
  readonly limit: Atom;
  /** What stands beside it. */
  readonly others: readonly Stmt[];
  readonly then: Block;
  readonly otherwise: Block;
}

function joined(loop: Loop, names: FlatNames): { readonly before: readonly Stmt[]; readonly loop: Loop } | null {
  const outer = testOf(loop.body);
  const inner = outer === null ? null : testOf(outer.then);
  if (outer === null || inner === null) return null;
  const ahead = aheadOf(inner, outer);
  if (ahead === null) return null;
  if (!isSameExit(outer.otherwise, inner.otherwise) || !inner.others.every(isPure)) return null;
  if (isUsed(outer) || isUsed(inner)) return null;
  const inside = new Set([...loop.params, ...[...outer.others, ...inner.others].flatMap((stmt) => (stmt.kind === "let" ? [stmt.result] : []))].map(({ name }) => name)); // prettier-ignore
  if ([outer.limit, inner.limit].some((limit) => limit.kind === "var" && inside.has(limit.variable.name))) return null;
  const before: Stmt[] = [];
  const limit = limitOf(outer, inner, ahead, names, before);
  const test = letOf(outer.result, { kind: "prim", op: "ltZ", args: [outer.at, limit], site: null });
  const then: Block = { stmts: [...inner.others, ...inner.then.stmts], end: inner.then.end };
  const end: End = { kind: "if", cond: atomOf(outer.result), then, else: outer.otherwise };
  return { before, loop: { ...loop, body: { stmts: [...outer.others, test], end } } };
}

/** By how much the inner test looks ahead of the outer one; null where it is of something else. */
function aheadOf(inner: Test, outer: Test): number | null {
  if (sameAtom(inner.at, outer.at)) return 0;
  for (const stmt of [...outer.others, ...inner.others]) {
    if (stmt.kind !== "let" || !sameAtom(atomOf(stmt.result), inner.at)) continue;
    const { op } = stmt;
    if (op.kind !== "prim" || op.op !== "addZ" || op.site !== null) return null;
    const [base, by] = op.args;
    return base !== undefined && sameAtom(base, outer.at) && by?.kind === "int" && by.value > 0 ? by.value : null;
  }
  return null;
}

/** What both tests hold below; `out` receives what computes it. */
function limitOf(outer: Test, inner: Test, ahead: number, names: FlatNames, out: Stmt[]): Atom {
  const made = (stem: string, op: "minZ" | "subZ", left: Atom, right: Atom): Atom => {
    const result: Var = { name: names.fresh({ stem, suffix: "" }), rep: int };
    out.push(letOf(result, { kind: "prim", op, args: [left, right], site: null }));
    return atomOf(result);
  };
  const limit = ahead === 0 ? inner.limit : made("last", "subZ", inner.limit, intAtom(ahead));
  return sameAtom(outer.limit, inner.limit) ? limit : made("least", "minZ", outer.limit, limit);
}

function testOf({ stmts, end }: Block): Test | null {
  if (end.kind !== "if" || end.cond.kind !== "var") return null;
  const { name } = end.cond.variable;
  let found: { readonly result: Var; readonly op: Operation } | null = null;
  for (const stmt of stmts) if (stmt.kind === "let" && stmt.result.name === name) found = stmt;
  if (found?.op.kind !== "prim" || found.op.op !== "ltZ") return null;
  const [at, limit] = found.op.args;
  if (at === undefined || limit === undefined) return null;
  const others = stmts.filter((stmt) => stmt.kind !== "let" || stmt.result.name !== name);
  return { result: found.result, at, limit, others, then: end.then, otherwise: end.else };
}

/** Whether something else than the choice asks for the result of a test. */
function isUsed({ result, others, then, otherwise }: Test): boolean {
  return [yieldOf(others, []), then, otherwise].some((block) => freeVariables(block).some(({ name }) => name === result.name)); // prettier-ignore
}

function isPure(stmt: Stmt): boolean {
  return stmt.kind === "let" && (stmt.op.kind !== "prim" || stmt.op.site === null);
}

/** Whether two blocks that do nothing else end a loop with the same values. */
function isSameExit(a: Block, b: Block): boolean {
  if (a.stmts.length > 0 || b.stmts.length > 0 || a.end.kind !== "yield" || b.end.kind !== "yield") return false;
  const other = b.end.values;
  return a.end.values.every((value, index) => {
    const same = other[index];
    return same !== undefined && sameAtom(value, same);
  });
}
