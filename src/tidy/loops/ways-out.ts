// What all ways out of a loop do last stands behind it once.
//
//   for (;;) { if (c) { r = i; break; } A; if (d) { r = i; break; } B }     =>     for (;;) { if (c) { break; } A; if (d) { break; } B } r = i;

import { keyOf } from "../../key.js";
import { replaced, visitNames, visitStatements } from "../../typescript/traverse.js";
import type { TsStmt } from "../../typescript/tree.js";

/** Statements with this done to the loops among them, but not to those in others. */
export function withWaysOutJoined(body: readonly TsStmt[]): readonly TsStmt[] {
  return replaced(body, (stmt) => {
    if (stmt.kind !== "loop") return stmt;
    const ways = waysOut(stmt.body, stmt.label, true);
    const last = lastOfAll(ways, declaredIn(stmt.body));
    if (ways.length < 2 || last.length === 0) return stmt;
    const shorter = new Set(ways);
    return [{ ...stmt, body: without(stmt.body, shorter, last.length) }, ...last];
  });
}

/** The blocks that end with a jump out of a loop. `isOwn`: whether that is the innermost around them. */
function waysOut(block: readonly TsStmt[], label: string | null, isOwn: boolean): readonly (readonly TsStmt[])[] {
  const last = block.at(-1);
  const isOut = last?.kind === "break" && (last.label === null ? isOwn : last.label === label);
  return [...(isOut ? [block] : []), ...block.flatMap((stmt) => waysInside(stmt, label, isOwn))];
}

function waysInside(stmt: TsStmt, label: string | null, isOwn: boolean): readonly (readonly TsStmt[])[] {
  switch (stmt.kind) {
    case "if":
      return [...waysOut(stmt.then, label, isOwn), ...waysOut(stmt.else, label, isOwn)];
    case "switch":
      return stmt.cases.flatMap(({ body }) => waysOut(body, label, false));
    case "loop":
    case "while":
    case "for":
      return waysOut(stmt.body, label, false);
    case "try":
      return [...waysOut(stmt.body, label, isOwn), ...waysOut(stmt.handler, label, isOwn)];
    case "block":
      return waysOut(stmt.body, label, isOwn);
    default:
      return [];
  }
}

/** The assignments in front of all the jumps, which need nothing that is declared in the loop. */
function lastOfAll(ways: readonly (readonly TsStmt[])[], inside: ReadonlySet<string>): readonly TsStmt[] {
  const [first = [], ...others] = ways.map((way) => way.slice(0, -1));
  const last: TsStmt[] = [];
  for (let back = 1; back <= first.length; back++) {
    const stmt = first.at(-back);
    if (stmt?.kind !== "expr" || stmt.expr.kind !== "assign" || mentions(stmt, inside)) break;
    const key = keyOf(stmt);
    if (!others.every((way) => keyOf(way.at(-back) ?? null) === key)) break;
    last.unshift(stmt);
  }
  return last;
}

function mentions(stmt: TsStmt, names: ReadonlySet<string>): boolean {
  let found = false;
  visitNames([stmt], (name) => (found ||= names.has(name)));
  return found;
}

function declaredIn(body: readonly TsStmt[]): ReadonlySet<string> {
  const names = new Set<string>();
  visitStatements(body, (stmt) => {
    if (stmt.kind === "let" || stmt.kind === "for") names.add(stmt.name);
    if (stmt.kind !== "const") return;
    for (const name of typeof stmt.target === "string" ? [stmt.target] : stmt.target)
      if (name !== null) names.add(name);
  });
  return names;
}

/** Statements without the last `count` in front of the jump that ends some blocks of them. */
function without(body: readonly TsStmt[], blocks: ReadonlySet<readonly TsStmt[]>, count: number): readonly TsStmt[] {
  const kept = blocks.has(body) ? [...body.slice(0, -1 - count), ...body.slice(-1)] : body;
  const inner = (block: readonly TsStmt[]): readonly TsStmt[] => without(block, blocks, count);
  return kept.map((stmt): TsStmt => {
    switch (stmt.kind) {
      case "if":
        return { ...stmt, then: inner(stmt.then), else: inner(stmt.else) };
      case "switch":
        return { ...stmt, cases: stmt.cases.map((one) => ({ ...one, body: inner(one.body) })) };
      case "loop":
      case "while":
      case "for":
      case "block":
        return { ...stmt, body: inner(stmt.body) };
      case "try":
        return { ...stmt, body: inner(stmt.body), handler: inner(stmt.handler) };
      default:
        return stmt;
    }
  });
}
