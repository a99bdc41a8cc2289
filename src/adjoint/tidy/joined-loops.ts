// A loop that saves values of its rounds, and one behind it that reads them, round by round, are one loop, which needs nothing saved.
//
//   for (i < n) { s[i] = p; p = p * t }  for (j < n) { x_[j] += d * s[j] }
//     =>
//   for (i < n) { x_[i] += d * p; p = p * t }

import { mapSame, sameItems } from "../../same.js";
import { id } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { mapBlocks } from "./blocks.js";
import type { Bindings } from "./bindings.js";
import { countsUpTo, isName, type For } from "./counting.js";
import { Memory, type Change, type Location } from "./memory.js";
import { isFresh, isTotal, isTotalCall, type Surroundings } from "./purity.js";
import { surveyed, type Variable } from "./survey.js";
import { mapParts, mapStmt, visitParts, visitStmt, type Rewriting, type Visiting } from "./walk.js";

export function withJoinedLoops(fn: TsFunction, bindings: Bindings, surroundings: Surroundings): TsFunction {
  const { variables } = surveyed(fn);
  const joining = new Joining(variables, new Memory(fn, variables, surroundings), bindings, surroundings);
  return mapBlocks(fn, (body) => joining.block(body));
}

class Joining {
  constructor(
    private readonly variables: ReadonlyMap<string, Variable>,
    private readonly memory: Memory,
    private readonly bindings: Bindings,
    private readonly surroundings: Surroundings,
  ) {}

  block(body: readonly TsStmt[]): readonly TsStmt[] {
    const out = [...body];
    for (let at = 0; at < out.length; at++) {
      const first = out[at];
      if (first === undefined || !isUpwards(first)) continue;
      let next = at + 1;
      for (let stmt = out[next]; stmt !== undefined && this.#isPassed(stmt); stmt = out[next]) next++;
      const second = out[next];
      const joined = second === undefined || !isUpwards(second) ? null : this.#joined(first, second, out.slice(at + 1, next)); // prettier-ignore
      if (joined === null) continue;
      out.splice(at, next - at + 1, ...out.slice(at + 1, next), joined);
      at--;
    }
    return sameItems(body, out);
  }

  #mentions(name: string): number {
    const variable = this.variables.get(name);
    return variable === undefined ? 0 : variable.reads + variable.writes;
  }

  /** Whether a statement between two loops may be made one in front of them, as far as it alone says so. */
  #isPassed(stmt: TsStmt): boolean {
    if (stmt.kind === "comment") return true;
    if (stmt.kind !== "const" && stmt.kind !== "let") return false;
    return stmt.init === null || isTotal(stmt.init, this.surroundings) || isFresh(stmt.init, this.surroundings);
  }

  #joined(first: For, second: For, between: readonly TsStmt[]): TsStmt | null {
    if (!this.#isSameCount(first, second)) return null;
    const saved = savesOf(first).filter(({ array }) => this.#mentions(array) === 1 + readsOf(second, array));
    if (saved.length === 0) return null;
    const arrays = new Set(saved.map(({ array }) => array));
    const [own, other] = [this.#touched(first.body, arrays), this.#touched(second.body, arrays)];
    const before = this.#touched(between, arrays);
    if (own === null || other === null || before === null) return null;
    if (conflict(own.changes, other) || conflict(other.changes, own) || conflict(own.changes, before)) return null;
    return this.#merged(first, second, saved);
  }

  #isSameCount(first: For, second: For): boolean {
    const [count, other] = [boundOf(first), boundOf(second)];
    if (count === null || other === null || JSON.stringify(count) !== JSON.stringify(other)) return false;
    const name = count.kind === "member" ? count.object : count;
    return name.kind === "number" || (name.kind === "id" && this.variables.get(name.name)?.writes === 0);
  }

  /** What statements read and change, elements of some arrays left out; null where they do more than that. */
  #touched(body: readonly TsStmt[], without: ReadonlySet<string>): Touched | null {
    const [reads, changes]: [Location[], Change[]] = [[], []];
    const other: (TsExpr | TsStmt)[] = [];
    const isSaved = (expr: TsExpr): boolean => expr.kind === "index" && expr.object.kind === "id" && without.has(expr.object.name); // prettier-ignore
    const visiting: Visiting = {
      expr: (expr) => {
        if (expr.kind === "arrow" || expr.kind === "yield") other.push(expr);
        if (expr.kind === "call" && !isTotalCall(expr.fn, this.surroundings)) other.push(expr);
        if (expr.kind === "new" && !isFresh(expr, this.surroundings)) other.push(expr);
        if (expr.kind === "assign") {
          if (!isSaved(expr.target)) changes.push(...this.memory.assigned(expr.target));
          if (expr.target.kind !== "id") visitParts(expr.target, visiting);
          if (expr.op !== "=") visiting.expr(expr.target);
          visiting.expr(expr.value);
          return;
        }
        if (!isSaved(expr) && (expr.kind === "id" || expr.kind === "index" || expr.kind === "member")) {
          reads.push(...this.memory.reads(expr));
        }
        visitParts(expr, visiting);
      },
      block: (stmts) => {
        for (const stmt of stmts) {
          if (!plainStatements.has(stmt.kind)) other.push(stmt);
          visitStmt(stmt, visiting);
        }
      },
    };
    visiting.block(body);
    return other.length === 0 ? { reads, changes } : null;
  }

  #merged(first: For, second: For, saved: readonly Save[]): TsStmt {
    const names = new Map(
      saved.map(({ array }) => [array, this.bindings.fresh(this.bindings.wanted(array).replace(/Saved$/, ""))]),
    );
    const rewriting: Rewriting = {
      expr: (expr) => {
        const name = expr.kind === "index" && expr.object.kind === "id" ? names.get(expr.object.name) : undefined;
        if (name !== undefined) return id(name);
        if (expr.kind === "id" && expr.name === second.name) return id(first.name);
        return mapParts(expr, rewriting);
      },
      block: (body) => mapSame(body, (stmt) => mapStmt(stmt, rewriting)),
    };
    const last = Math.max(...saved.map(({ place }) => place));
    const body = first.body.flatMap((stmt, place): readonly TsStmt[] => {
      const save = saved.find((one) => one.place === place);
      const name = save === undefined ? undefined : names.get(save.array);
      const kept: TsStmt = save === undefined || name === undefined ? stmt : { kind: "const", target: name, type: null, init: save.value }; // prettier-ignore
      return place === last ? [kept, ...rewriting.block(second.body)] : [kept];
    });
    return { ...first, body };
  }
}

const plainStatements: ReadonlySet<string> = new Set(["const", "let", "expr", "if", "for", "comment"]);

interface Touched {
  readonly reads: readonly Location[];
  readonly changes: readonly Change[];
}

/** Whether something that is read or changed is changed here. */
function conflict(changes: readonly Change[], { reads, changes: others }: Touched): boolean {
  return changes.some(
    ({ of, keys }) =>
      reads.some((read) => read.of === of && (keys === null || keys.has(read.key))) ||
      others.some((other) => other.of === of),
  );
}

/** `array[i] = value` at a place in a loop's body. */
interface Save {
  readonly array: string;
  readonly value: TsExpr;
  readonly place: number;
}

function savesOf({ name, body }: For): readonly Save[] {
  return body.flatMap((stmt, place): readonly Save[] => {
    if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.op !== "=") return [];
    const { target, value } = stmt.expr;
    if (target.kind !== "index" || target.object.kind !== "id" || !isName(target.index, name)) return [];
    return [{ array: target.object.name, value, place }];
  });
}

/** How often a loop reads an array, where it does so only at its index; infinitely often otherwise. */
function readsOf({ name, body }: For, array: string): number {
  let [elements, all] = [0, 0];
  const visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind === "index" && isName(expr.object, array) && isName(expr.index, name)) elements++;
      if (expr.kind === "assign" && expr.target.kind === "index" && isName(expr.target.object, array)) all = Infinity;
      if (isName(expr, array)) all++;
      visitParts(expr, visiting);
    },
    block: (stmts) => {
      for (const stmt of stmts) visitStmt(stmt, visiting);
    },
  };
  visiting.block(body);
  return elements === all && all > 0 ? all : Infinity;
}

/** Whether a statement is a loop that counts upwards, to what may be known to stay the same. */
function isUpwards(stmt: TsStmt): stmt is For {
  return stmt.kind === "for" && boundOf(stmt) !== null;
}

function boundOf(loop: For): TsExpr | null {
  const count = countsUpTo(loop);
  const isKept = count?.kind === "number" || count?.kind === "id" || (count?.kind === "member" && count.name === "length"); // prettier-ignore
  return isKept ? count : null;
}
