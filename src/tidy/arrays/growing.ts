// Merging of bounds checks.
//
// Buffers that get numbers at the same places are made larger together.
//
//   if (c) {                                                      if (count === a.length) {
//     if (count === a.length) a = grown(a);                         a = grown(a);
//     a[count] = x;                                                 b = grown(b);
//     if (count === b.length) b = grown(b);                       }
//     b[count] = y;                                               if (c) {
//   } else {                                              =>        a[count] = x;
//     if (count === a.length) a = grown(a);                         b[count] = y;
//     a[count] = y;                                               } else {
//     if (count === b.length) b = grown(b);                         a[count] = y;
//     b[count] = x;                                                 b[count] = x;
//   }                                                             }

import { isName, reads } from "../../typescript/facts.js";
import { mapBlocks, replaced, visitStatements } from "../../typescript/traverse.js";
import type { TsFunction, TsStmt } from "../../typescript/tree.js";
import { arrayMadeBy } from "../analysis/counting.js";
import { ownGrowthIn } from "../analysis/growths.js";
import { mentionsIn } from "../analysis/mentions.js";
import type { Surroundings } from "../analysis/purity.js";
import { surveyed } from "../analysis/survey.js";

export function withBuffersGrownTogether(fn: TsFunction, surroundings: Surroundings): TsFunction {
  return together(beforeBranches(fn, surroundings), surroundings);
}

/** A buffer that is made larger when it is full. */
type OwnGrowth = NonNullable<ReturnType<typeof ownGrowthIn>>;

/** What both branches of a choice make larger is made so in front of it. */
function beforeBranches(fn: TsFunction, surroundings: Surroundings): TsFunction {
  return mapBlocks(fn, (body) =>
    replaced(body, (stmt) => {
      if (stmt.kind !== "if" || stmt.else.length === 0) return stmt;
      const others = firstGrowths(stmt.else, surroundings);
      const common = firstGrowths(stmt.then, surroundings).flatMap((growth) => {
        const other = others.find(({ buffer, count }) => buffer === growth.buffer && count === growth.count);
        return other === undefined || reads(stmt.test, growth.buffer) ? [] : [[growth.stmt, other.stmt] as const];
      });
      if (common.length === 0) return stmt;
      const gone = new Set<TsStmt>(common.flat());
      const without = (stmts: readonly TsStmt[]): readonly TsStmt[] => stmts.filter((inner) => !gone.has(inner));
      return [...common.map(([first]) => first), { ...stmt, then: without(stmt.then), else: without(stmt.else) }];
    }),
  );
}

/** The growths of a block in front of which nothing is done with the buffer, or the count changed. */
function firstGrowths(body: readonly TsStmt[], surroundings: Surroundings): readonly OwnGrowth[] {
  return body.flatMap((stmt, index) => {
    const growth = ownGrowthIn(stmt, surroundings);
    const before = body.slice(0, index);
    return growth === null || mentionsIn(before, growth.buffer) || isAssigned(before, growth.count) ? [] : [growth];
  });
}

function isAssigned(stmts: readonly TsStmt[], name: string): boolean {
  let found = false;
  visitStatements(stmts, (stmt) => {
    if (stmt.kind === "expr" && stmt.expr.kind === "assign" && isName(stmt.expr.target, name)) found = true;
  });
  return found;
}

/** Where a buffer is made larger. */
interface Place {
  readonly growth: OwnGrowth;
  /** The number of the statement, and that of the first one in the block that makes a buffer larger at the same count. */
  readonly at: number;
  readonly first: number;
}

function together(fn: TsFunction, surroundings: Surroundings): TsFunction {
  const { variables } = surveyed(fn);
  const { places, origins } = placesIn(fn, surroundings);
  /** By where they are made, and made larger: buffers that are alike. */
  const alike = new Map<string, (readonly Place[])[]>();
  for (const [buffer, all] of places) {
    const origin = origins.get(buffer);
    if (origin === undefined || variables.get(buffer)?.writes !== all.length) continue;
    const key = JSON.stringify([origin, all.map(({ first }) => first)]);
    alike.set(key, [...(alike.get(key) ?? []), all]);
  }
  const next = new Map<TsStmt, readonly TsStmt[]>();
  for (const buffers of alike.values()) {
    const [buffer = [], ...others] = buffers;
    if (others.length === 0) continue;
    buffer.forEach((_, index) => {
      const joined = buffers.flatMap((all) => all.slice(index, index + 1)).sort((a, b) => a.at - b.at);
      const then = joined.flatMap(({ growth }) => growth.stmt.then);
      joined.forEach(({ growth: { stmt } }, place) => next.set(stmt, place === 0 ? [{ ...stmt, then }] : []));
    });
  }
  if (next.size === 0) return fn;
  return mapBlocks(fn, (body) => replaced(body, (stmt) => next.get(stmt) ?? stmt));
}

/** By buffer where it is made larger, in order, and in which block it is made for how many numbers. */
function placesIn(
  fn: TsFunction,
  surroundings: Surroundings,
): { readonly places: ReadonlyMap<string, readonly Place[]>; readonly origins: ReadonlyMap<string, string> } {
  const places = new Map<string, Place[]>();
  const origins = new Map<string, string>();
  let [blocks, count] = [0, 0];
  mapBlocks(fn, (body) => {
    const block = blocks++;
    let open: Place[] = [];
    for (const stmt of body) {
      const size = stmt.kind === "let" ? sizeOf(stmt) : null;
      if (stmt.kind === "let" && size !== null) origins.set(stmt.name, `${block} ${size}`);
      const growth = ownGrowthIn(stmt, surroundings);
      if (growth === null) {
        open = open.filter((place) => !isAssigned([stmt], place.growth.count));
        continue;
      }
      const at = count++;
      const first = open.find((place) => place.growth.count === growth.count)?.at ?? at;
      const place: Place = { growth, at, first };
      open.push(place);
      places.set(growth.buffer, [...(places.get(growth.buffer) ?? []), place]);
    }
    return body;
  });
  return { places, origins };
}

/** How many numbers a new array has room for, where that is a literal. */
function sizeOf({ name, init }: TsStmt & { readonly kind: "let" }): number | null {
  const size = init === null ? undefined : arrayMadeBy({ kind: "const", target: name, type: null, init })?.size;
  return size?.kind === "number" ? size.value : null;
}
