// Where the variables of a procedure are bound.

import type { Atom, Block, Procedure, Var } from "./program.js";
import { allBlocks, blocksOf, boundBy, boundInside, branchesOf, endsOf } from "./traverse.js";

/** By variable that a choice or a loop binds what may be handed on to it. */
export function sourcesIn(body: Block): ReadonlyMap<string, readonly Atom[]> {
  const sources = new Map<string, readonly Atom[]>();
  const note = (variables: readonly Var[], ways: readonly (readonly Atom[])[]): void => {
    for (const [index, { name }] of variables.entries())
      sources.set(
        name,
        ways.flatMap((way) => way[index] ?? []),
      );
  };
  for (const { stmts } of allBlocks(body)) {
    for (const stmt of stmts) {
      if (stmt.kind === "choose") note(stmt.results, [...endsOf({ stmts: [], end: stmt.end })].map(({ values }) => values)); // prettier-ignore
      if (stmt.kind !== "loop" && stmt.kind !== "for") continue;
      const ends = [...endsOf(stmt.body)];
      const of = (kind: "next" | "yield") => ends.filter((end) => end.kind === kind).map(({ values }) => values);
      const iterations = [stmt.init, ...of(stmt.kind === "for" ? "yield" : "next")];
      note(stmt.params, iterations);
      note(stmt.results, stmt.kind === "for" ? iterations : of("yield"));
    }
  }
  return sources;
}

/** By variable the number of loops that it is bound in. */
export function loopDepths({ captured, params, body }: Procedure): ReadonlyMap<string, number> {
  const depths = new Map([...captured, ...params].map(({ name }) => [name, 0]));
  const waiting: { readonly block: Block; readonly depth: number }[] = [{ block: body, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { block, depth } = next;
    for (const branch of branchesOf(block.end)) waiting.push({ block: branch, depth });
    for (const stmt of block.stmts) {
      const inside = stmt.kind === "loop" || stmt.kind === "for" ? depth + 1 : depth;
      for (const { name } of boundBy(stmt)) depths.set(name, depth);
      for (const { name } of boundInside(stmt)) depths.set(name, inside);
      for (const block of blocksOf(stmt)) waiting.push({ block, depth: inside });
    }
  }
  return depths;
}
