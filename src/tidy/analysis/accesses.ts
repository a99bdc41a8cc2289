// What statements read and change, told apart by what a loop around them does to its own elements: those at its index.

import { isName } from "../../typescript/facts.js";
import { visitParts, visitStmt, type Visiting } from "../../typescript/traverse.js";
import type { TsExpr, TsStmt } from "../../typescript/tree.js";
import { namesOf } from "./bindings.js";
import type { For } from "./counting.js";
import type { Memory } from "./memory.js";
import { isFresh, isNumberCall, isTotalCall, type Surroundings } from "./purity.js";

/** A variable, or some properties of a region (all of them where `keys` is null), that is read or changed. */
interface Access {
  readonly of: string;
  readonly keys: ReadonlySet<string> | null;
  readonly isChange: boolean;
  /** Why no other round has it; null where one may. */
  readonly own: Own | null;
}

/** It is an element at the index of the loop, of any array; or that of an array of `OwnArrays`. */
type Own = "index" | keyof OwnArrays;

export interface Accesses {
  readonly all: readonly Access[];
  /** The names that are mentioned. */
  readonly names: ReadonlySet<string>;
  readonly declared: ReadonlySet<string>;
  /** Whether they may end in an error. */
  readonly mayFail: boolean;
}

/** Arrays that no other round of a loop has; and those that may also be arrays from before it, which the loop does not change under these names. */
export interface OwnArrays {
  readonly made: ReadonlySet<string>;
  readonly shown: ReadonlySet<string>;
  /** Arrays in which each round puts one of those at its index. */
  readonly saved: ReadonlySet<string>;
}

const noArrays: OwnArrays = { made: new Set(), shown: new Set(), saved: new Set() };

const plainStatements: ReadonlySet<string> = new Set([
  "const", "let", "expr", "if", "switch", "for", "while", "loop", "comment",
]); // prettier-ignore

/** What statements read and change; null where they do more than that. `loop` is the one that they are the body of, `own` its arrays. */
export function accessesOf(
  stmts: readonly TsStmt[],
  loop: For | null,
  memory: Memory,
  surroundings: Surroundings,
  own: OwnArrays = noArrays,
): Accesses | null {
  const all: Access[] = [];
  const [names, declared] = [new Set<string>(), new Set<string>()];
  let [isPlain, mayFail] = [true, false];
  const ownOf = (expr: TsExpr): Own | null => {
    if ((expr.kind !== "index" && expr.kind !== "member") || expr.object.kind !== "id") return null;
    if (own.made.has(expr.object.name)) return "made";
    const isAtIndex = loop !== null && expr.kind === "index" && isName(expr.index, loop.name);
    if (isAtIndex) return own.saved.has(expr.object.name) ? "saved" : "index";
    return own.shown.has(expr.object.name) ? "shown" : null;
  };
  const read = (expr: TsExpr): void => {
    const location = memory.read(expr);
    if (location !== null) all.push({ of: location.of, keys: new Set([location.key]), isChange: false, own: ownOf(expr) }); // prettier-ignore
  };
  /** What makes an array may read all of what it is given: sizes, or arrays that it copies or is as long as. */
  const made = (expr: TsExpr, args: readonly TsExpr[]): void => {
    if (!isFresh(expr, surroundings)) isPlain = false;
    for (const array of args) read({ kind: "index", object: array, index: array, certain: true });
  };
  /** The loops and `switch` statements around what is looked at, and their labels. */
  const around: { readonly kind: TsStmt["kind"]; readonly label: string | null }[] = [];
  const staysInside = (stmt: TsStmt & { readonly kind: "break" | "continue" }): boolean =>
    stmt.label === null
      ? around.some(({ kind }) => stmt.kind === "break" || kind !== "switch")
      : around.some(({ label }) => label === stmt.label);
  const visiting: Visiting = {
    expr: (expr) => {
      switch (expr.kind) {
        case "assign":
          for (const { of, keys } of memory.assigned(expr.target)) all.push({ of, keys, isChange: true, own: ownOf(expr.target) }); // prettier-ignore
          if (expr.op !== "=") read(expr.target);
          if (expr.target.kind === "id") names.add(expr.target.name);
          else visitParts(expr.target, visiting);
          visiting.expr(expr.value);
          return;
        case "arrow":
        case "yield":
          isPlain = false;
          return;
        case "call":
          if (isNumberCall(expr.fn, surroundings)) mayFail ||= !isTotalCall(expr.fn, surroundings);
          else if (expr.fn.kind === "member" && expr.fn.name === "push") {
            for (const { of, keys } of memory.called(expr.fn, expr.args)) all.push({ of, keys, isChange: true, own: ownOf(expr.fn) }); // prettier-ignore
          } else made(expr, expr.args);
          break;
        case "new":
          made(expr, expr.args);
          break;
        case "id":
          names.add(expr.name);
          break;
        default:
      }
      read(expr);
      visitParts(expr, visiting);
    },
    block: (body) => {
      for (const stmt of body) {
        if (stmt.kind === "break" || stmt.kind === "continue") {
          if (!staysInside(stmt)) isPlain = false;
          continue;
        }
        if (!plainStatements.has(stmt.kind)) isPlain = false;
        if (stmt.kind === "const") for (const name of namesOf(stmt.target)) declared.add(name);
        if (stmt.kind === "let" || stmt.kind === "for") declared.add(stmt.name);
        const isLeft = stmt.kind === "for" || stmt.kind === "while" || stmt.kind === "loop" || stmt.kind === "switch";
        if (isLeft) around.push({ kind: stmt.kind, label: stmt.kind === "loop" ? stmt.label : null });
        visitStmt(stmt, visiting);
        if (isLeft) around.pop();
      }
    },
  };
  visiting.block(stmts);
  return isPlain ? { all, names, declared, mayFail } : null;
}

/** Whether what two rounds have for themselves cannot be the same. An array that is shown may be from before the loop, where each round may have an element. */
function areApart(one: Own | null, other: Own | null): boolean {
  if (one === null || other === null) return false;
  return !((one === "index" && other === "shown") || (one === "shown" && other === "index"));
}

/** Whether it matters which of two comes first; of two loops, which of two rounds of different numbers does. */
export function conflict(some: Accesses, others: Accesses): boolean {
  return some.all.some((one) =>
    others.all.some(
      (other) =>
        one.of === other.of &&
        (one.isChange || other.isChange) &&
        !areApart(one.own, other.own) &&
        (one.keys === null || other.keys === null || [...one.keys].some((key) => other.keys?.has(key) === true)),
    ),
  );
}
