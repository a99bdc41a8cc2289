import { describe, expect, test } from "vitest";
import { surroundings } from "../../../test/support/tidied.js";
import { functionsIn } from "../../../test/support/typescript-tree.js";
import { number } from "../../typescript/build.js";
import { visitParts, visitStmt, type Visiting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction } from "../../typescript/tree.js";
import { Bindings, separated } from "./bindings.js";
import { Memory, type Change, type Location } from "./memory.js";

/** The arguments of the calls of `look` in a function: what is asked about. */
function asked(fn: TsFunction): readonly TsExpr[] {
  const found: TsExpr[] = [];
  const visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind === "call" && expr.fn.kind === "id" && expr.fn.name === "look") found.push(...expr.args);
      else visitParts(expr, visiting);
    },
    block: (body) => {
      for (const stmt of body) visitStmt(stmt, visiting);
    },
  };
  visiting.block(fn.body);
  return found;
}

/** Whether what the last `look` is given, an assignment or a call, may change what the first one is given. */
function mayChange(body: string, params = "xs: Float64Array, ys: Float64Array, n: number"): boolean {
  const [fn] = functionsIn(`function f(${params}): number { ${body} }`).map((each) => separated(each, new Bindings()));
  if (fn === undefined) throw new Error(body);
  const [read, change] = asked(fn);
  if (read === undefined || change === undefined) throw new Error(body);
  const memory = new Memory(fn, surroundings);
  const isAssigned = change.kind !== "call" && change.kind !== "assign";
  const assigned = isAssigned ? ({ kind: "assign", op: "=", target: change, value: number(0) } as const) : change;
  const changes = assigned.kind === "call" ? memory.called(assigned.fn, assigned.args) : memory.assigned(assigned);
  return memory.reads(read).some((location) => changes.some((one) => isOne(one, location)));
}

function isOne(change: Change, { of, key }: Location): boolean {
  return change.of === of && (change.keys === null || change.keys.has(key));
}

describe("two names may stand for the same", () => {
  test.each([
    "look(xs[0]!); look(ys[0]!);",
    "const a = xs; look(a[0]!); look(xs[1]!);",
    "let a = zerosLike(n); a = xs; look(a[0]!); look(xs[1]!);",
    "const a = n > 0 ? xs : zerosLike(n); look(a[0]!); look(xs[1]!);",
    "const a = n > 0 ? zerosLike(n) : xs; look(a[0]!); look(xs[1]!);",
    "const [a, b] = [xs, n]; look(a[0]!); look(xs[1]!);",
    "const a = g(xs); look(a[0]!); look(xs[1]!);",
    "const a = { b: xs }; look(a.b[0]!); look(xs[1]!);",
    "const a: Array<Float64Array> = []; a.push(xs); look(a[0]![0]!); look(xs[1]!);",
    "const a = xs.subarray(1); look(a[0]!); look(xs[1]!);",
    "let m = n; m = 2; look(m); look(m);",
    "const a = readList(xs, xs) ?? ys; const b = a; look(a[0]!); look(b[1]!);",
    "const a = xs[0] ?? ys; look(a[0]!); look(xs[1]!);",
    "const o = { a: listOf(xs), b: xs }; look(o.b[0]!); look(xs[1]!);",
  ])("%s", (body) => {
    expect(mayChange(body)).toBe(true);
  });
});

describe("two names stand for two things", () => {
  test.each([
    "const a = new Float64Array(n); look(a[0]!); look(xs[0]!);",
    "const a = zerosLike(n); const b = zerosLike(n); look(a[0]!); look(b[0]!);",
    "const a = new Float64Array(1); const t = xs[0]!; a[0] = t; look(a[0]!); look(xs[1]!);",
    "const a = new Float64Array(1); const t = n > 0 ? xs[0]! : xs[1]!; g(t); const u = [t]; look(a[0]!); look(u[0]!);",
    "look(xs.length); look(xs[0]!);",
    "let m = n; let k = m; look(m); look(k);",
    "const w = takeWorkspace(); const a = readList(xs, w) ?? g(xs); const b = readList(xs, w) ?? g(xs); look(a[0]!); look(b[0]!);",
    "const w = takeWorkspace(); const a = zerosIn(w, n); const b = zerosIn(w, n); look(a[0]!); look(b[0]!);",
    "const w = takeWorkspace(); const [a, b] = readList(xs, w) ?? g(xs); look(a[0]!); look(b[0]!);",
    "const a = new Float64Array(n); const b = listOf(a); look(b._0); look(a[0]!);",
  ])("%s", (body) => {
    expect(mayChange(body)).toBe(false);
  });
});

describe("calls change", () => {
  test.each([
    ["look(xs[0]!); look(g(xs));", true],
    ["look(xs[0]!); look(g(n));", false],
    ["look(xs[0]!); look(Math.exp(xs[0]!));", false],
    ["look(xs[0]!); look(scale(n, n));", false],
    ["look(xs[0]!); look(takeStore(xs));", true],
    ["look(xs[0]!); look(xs.fill(0));", true],
    ["look(xs[0]!); look(xs.slice());", false],
    ["look(xs[0]!); look(listOf(xs));", false],
    ["look(xs[0]!); look(leaveWorkspace(ys, listOf(xs)));", false],
    ["const a: Array<number> = []; look(a[0]!); look(a.push(n));", true],
    ["const a: Array<number> = []; look(a.length); look(a.push(n));", true],
    ["const a: Array<number> = []; look(xs[0]!); look(a.push(n));", false],
    ["const o = g(xs); look(o.slot_); look(g(xs));", true],
    ["const o = g(xs); look(o.other); look(g(xs));", false],
    ["const o = g(xs); look(o.other); look(takeStore(xs));", true],
  ])("%s", (body, isChanged) => {
    expect(mayChange(body)).toBe(isChanged);
  });
});

describe("components of tuples are no elements", () => {
  test.each([
    ["look(o.pair[0]); look(o.pair[0] += n);", true],
    ["look(o.pair[0]); look(o.pair[0] = n);", true],
    ["look(o.pair[0]); look(o.pair[1] = n);", false],
    ["look(o.pair[0]); look(rows[n]![0]! += n);", false],
    ["look(o.pair[0]); look(takeStore(o));", true],
    ["look(rows[0]!); look(o.pair[0] += n);", false],
    // What is set may be an element: there TypeScript is told nothing
    ["look(rows[0]!); look(o.pair[0] = n);", true],
    ["look(rows[0]!); look(rows[0] = o);", true],
  ])("%s", (body, isChanged) => {
    expect(mayChange(`const o = g(n); const rows = [o]; ${body}`)).toBe(isChanged);
  });
});

test("parameters that are numbers are no memory", () => {
  expect(mayChange("look(t); look(s[0]!);", "s: Float64Array, t: number")).toBe(false);
  expect(mayChange("look(a[0]!); look(g(t));", "a: Array<Float64Array>, t: Array<number>")).toBe(true);
});
