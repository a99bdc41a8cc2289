// Dead-store elimination, of elements.
//
// An element that is set to zero and added to is set to what is added.
//
//   x_[i] = 0; .. x_[i] += e                .. x_[i] = e

import { sameItems } from "../../same.js";
import { mapBlocks } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { Memory } from "../analysis/memory.js";
import { isTotal, type Surroundings } from "../analysis/purity.js";
import { surveyed } from "../analysis/survey.js";

export function withCellsSetOnce(fn: TsFunction, surroundings: Surroundings): TsFunction {
  const memory = new Memory(fn, surroundings);

  const isZeroed = (stmt: TsStmt): boolean => {
    if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.op !== "=") return false;
    const { target, value } = stmt.expr;
    return target.kind === "index" && value.kind === "number" && value.value === 0;
  };

  const block = (body: readonly TsStmt[]): readonly TsStmt[] => {
    if (!body.some(isZeroed)) return body;
    const out: (TsStmt | null)[] = [];
    /** By region: the cell that has been set to zero, while nothing else has been done with the region. */
    const open = new Map<string, { readonly slot: number; readonly cell: string }>();
    for (const stmt of body) {
      const expr = stmt.kind === "const" ? stmt.init : stmt.kind === "expr" ? stmt.expr : null;
      const assigned = expr?.kind === "assign" ? expr : null;
      const value = assigned?.value ?? expr;
      if (value === null || !isTotal(value, surroundings) || (stmt.kind === "expr" && assigned === null)) {
        open.clear();
        out.push(stmt);
        continue;
      }
      for (const { of } of memory.reads(value)) open.delete(of);
      const region = assigned?.target.kind === "index" && isSettled(assigned.target) ? memory.assigned(assigned)[0]?.of : undefined; // prettier-ignore
      if (assigned === null || region === undefined) {
        if (assigned !== null) for (const { of } of memory.assigned(assigned)) open.delete(of);
        if (assigned !== null && assigned.target.kind !== "id")
          for (const { of } of memory.reads(assigned.target)) open.delete(of);
        out.push(stmt);
        continue;
      }
      const cell = JSON.stringify(
        assigned.target.kind === "index" ? [assigned.target.object, assigned.target.index] : null,
      );
      const zeroed = open.get(region);
      open.delete(region);
      if (assigned.op === "+=" && zeroed?.cell === cell) {
        out[zeroed.slot] = null;
        out.push({ kind: "expr", expr: { ...assigned, op: "=" } });
        continue;
      }
      const slot = out.push(stmt) - 1;
      if (assigned.op === "=" && assigned.value.kind === "number" && assigned.value.value === 0) {
        open.set(region, { slot, cell });
      }
    }
    return sameItems(
      body,
      out.filter((stmt) => stmt !== null),
    );
  };

  /** `a[i]` of what does not change. */
  const isSettled = (target: TsExpr & { readonly kind: "index" }): boolean =>
    [target.object, target.index].every((part) => part.kind === "number" || (part.kind === "id" && isKept(part.name)));

  /** Whether a variable keeps its value within a block: nothing but the step of a loop assigns to it. */
  const isKept = (name: string): boolean => {
    const variable = surveyed(fn).variables.get(name);
    return variable !== undefined && (variable.writes === 0 || (variable.writes === 1 && variable.lastWrite < 0));
  };

  return mapBlocks(fn, block);
}
