// Forward substitution.
//
// Constants that are used once are written where they are used, when nothing in between changes what they read, and they are evaluated no more often
// there: not in the body of a loop or of a function further in. They stay where the line would become too long; the reader's own names, unless what they
// stand for is short.
//
//   const t = x * y; const u = t + 1; f[i] = u      f[i] = x * y + 1

import { inPlaceOf } from "../../location.js";
import { mapSame, sameItems, withParts } from "../../same.js";
import { mapParts, mapStmt, visitNames, withBody, type Rewriting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsProperty, TsStmt } from "../../typescript/tree.js";
import type { Bindings } from "../analysis/bindings.js";
import { elements, Memory, type Change, type Location } from "../analysis/memory.js";
import { isFresh, isTotal, isTotalCall, type Surroundings } from "../analysis/purity.js";
import { surveyed, type Survey } from "../analysis/survey.js";
import { nameWidth, widthOf } from "../analysis/width.js";

/** Statements of more columns, which the printer breaks, are hard to read. */
const columns = 100;
/** What a name of the source stands for is written in its place when it is no longer than this. */
const short = 24;

/** A constant that waits for its use. */
interface Pending {
  readonly name: string;
  readonly init: TsExpr;
  readonly stmt: TsStmt & { readonly kind: "const" };
  readonly width: number;
  readonly reads: readonly Location[];
  readonly nest: number;
  /** Where it stands if it is not moved. */
  readonly out: (TsStmt | null)[];
  readonly slot: number;
}

export function inlined(fn: TsFunction, bindings: Bindings, surroundings: Surroundings): TsFunction {
  const survey = surveyed(fn);
  const inliner = new Inliner(survey, new Memory(fn, surroundings), bindings, surroundings);
  return withBody(fn, inliner.body(fn.body));
}

class Inliner {
  readonly #survey: Survey;
  readonly #memory: Memory;
  readonly #bindings: Bindings;
  readonly #surroundings: Surroundings;
  readonly #pending = new Map<string, Pending>();
  /** By what they read: a region or a variable, and a property. */
  readonly #readers = new Map<string, Map<string, Set<Pending>>>();
  readonly #elementReaders = new Set<Pending>();
  #nest = 0;
  #nests = 0;
  #indent = 0;
  /** Columns left on the line that is written. */
  #buffer = columns;

  constructor(survey: Survey, memory: Memory, bindings: Bindings, surroundings: Surroundings) {
    this.#survey = survey;
    this.#memory = memory;
    this.#bindings = bindings;
    this.#surroundings = surroundings;
  }

  /** Statements that stand so many columns further in. */
  body(stmts: readonly TsStmt[], further = 2): readonly TsStmt[] {
    const out: (TsStmt | null)[] = [];
    this.#indent += further;
    for (const stmt of stmts) this.#stmt(stmt, out);
    this.#indent -= further;
    return sameItems(
      stmts,
      out.filter((stmt) => stmt !== null),
    );
  }

  #stmt(stmt: TsStmt, out: (TsStmt | null)[]): void {
    switch (stmt.kind) {
      case "const": {
        const { target, type } = stmt;
        const name = typeof target === "string" ? target : "";
        const init = this.#line(stmt.init, 9 + nameWidth(name));
        if (name === "" || type !== null || this.#survey.variables.get(name)?.reads !== 1 || !this.#isMovable(init)) {
          out.push(withParts(stmt, { init }));
          return;
        }
        const slot = out.push(null) - 1;
        this.#wait({
          name,
          init,
          stmt,
          width: widthOf(init),
          reads: this.#memory.reads(init),
          nest: this.#nest,
          out,
          slot,
        });
        return;
      }
      case "let":
        out.push(mapStmt(stmt, this.#after(7 + nameWidth(stmt.name))));
        return;
      case "expr":
        this.#readFirst(stmt);
        out.push(mapStmt(stmt, this.#after(1)));
        return;
      case "return":
        out.push(mapStmt(stmt, this.#after(8, true)));
        return;
      case "throw":
        out.push(mapStmt(stmt, this.#after(7)));
        return;
      case "if":
        out.push(this.#choice(stmt));
        return;
      case "switch": {
        const subject = this.#line(stmt.subject, 12);
        const cases = mapSame(stmt.cases, (one) => {
          const body = this.body(one.body);
          return body === one.body ? one : { test: one.test, body };
        });
        out.push(
          subject === stmt.subject && cases === stmt.cases
            ? stmt
            : inPlaceOf<TsStmt>({ kind: "switch", subject, cases }, stmt),
        );
        return;
      }
      case "block":
        out.push(mapStmt(stmt, this.#rewriting));
        return;
      case "for": {
        const from = this.#line(stmt.from, 40);
        out.push(this.#repeated((): TsStmt => {
          const test = this.#line(stmt.test, 40);
          const body = this.body(stmt.body);
          const step = this.#line(stmt.step, 40);
          const isSame = from === stmt.from && test === stmt.test && step === stmt.step && body === stmt.body;
          return isSame ? stmt : inPlaceOf<TsStmt>({ kind: "for", name: stmt.name, from, test, step, body }, stmt);
        })); // prettier-ignore
        return;
      }
      case "while":
        out.push(this.#repeated(() => mapStmt(stmt, this.#after(10))));
        return;
      default:
        out.push(this.#repeated(() => mapStmt(stmt, this.#rewriting)));
    }
  }

  /** A choice, whose `else if` stands no further in: in long chains there would be no room for their conditions. */
  #choice(stmt: TsStmt & { readonly kind: "if" }): TsStmt {
    const test = this.#line(stmt.test, 8);
    const then = this.body(stmt.then);
    const otherwise = this.body(stmt.else, isChained(stmt.else) ? 0 : 2);
    const isSame = test === stmt.test && then === stmt.then && otherwise === stmt.else;
    return isSame ? stmt : inPlaceOf<TsStmt>({ kind: "if", test, then, else: otherwise }, stmt);
  }

  #isMovable(init: TsExpr): boolean {
    return isTotal(init, this.#surroundings) || (init.kind === "new" && isFresh(init, this.#surroundings));
  }

  /** What may run any number of times takes nothing from outside. */
  #repeated<T>(body: () => T): T {
    const before = this.#nest;
    this.#nests++;
    this.#nest = this.#nests;
    const result = body();
    this.#nest = before;
    return result;
  }

  readonly #rewriting: Rewriting = {
    expr: (expr) => this.#expr(expr),
    block: (body) => this.body(body),
  };

  /** The parts of a statement whose expression begins after `used` columns. */
  #after(used: number, isWhole = false): Rewriting {
    return { expr: (expr) => this.#line(expr, used, isWhole), block: this.#rewriting.block };
  }

  /** An expression that begins after `used` columns. */
  #line(expr: TsExpr, used: number, isWhole = false): TsExpr {
    const before = this.#buffer;
    this.#buffer = columns - this.#indent - used - widthOf(expr);
    const result = isWhole ? this.#whole(expr) : this.#expr(expr);
    this.#buffer = before;
    return result;
  }

  /** All of what a statement assigns or returns: it needs no other name. */
  #whole(expr: TsExpr): TsExpr {
    return expr.kind === "id" ? this.#use(expr, true) : this.#expr(expr);
  }

  /** In the order of evaluation. */
  #expr(expr: TsExpr): TsExpr {
    switch (expr.kind) {
      case "id":
        return this.#use(expr, false);
      case "call": {
        const fn = this.#expr(expr.fn);
        // Arguments may stand on lines of their own
        const isPart = isTotalCall(expr.fn, this.#surroundings);
        const args = mapSame(expr.args, (arg) => (isPart ? this.#expr(arg) : this.#line(arg, 3)));
        if (this.#pending.size > 0) this.#change(this.#memory.called(fn, args));
        return withParts(expr, { fn, args });
      }
      case "assign": {
        const { op } = expr;
        const target = expr.target.kind === "id" ? expr.target : mapParts(expr.target, this.#rewriting);
        const value = this.#whole(expr.value);
        if (this.#pending.size > 0) this.#change(this.#memory.assigned({ kind: "assign", op, target, value }));
        return withParts(expr, { target, value });
      }
      case "arrow":
        return this.#repeated(() => mapParts(expr, this.#rewriting));
      case "object": {
        const inside = ({ name, value }: TsProperty): TsExpr => this.#line(value, 6 + name.length, true);
        return withParts(expr, { fields: mapSame(expr.fields, (field) => withParts(field, { value: inside(field) })) });
      }
      default:
        return mapParts(expr, this.#rewriting);
    }
  }

  #use(expr: TsExpr & { readonly kind: "id" }, isWhole: boolean): TsExpr {
    const pending = this.#pending.get(expr.name);
    if (pending === undefined) return expr;
    const extra = pending.width + 2 - nameWidth(expr.name);
    // An array is made where it is handed on
    const isAllowed = isWhole || pending.init.kind !== "new";
    const isWelcome = isWhole || pending.width <= short || this.#bindings.isTemporary(expr.name);
    if (pending.nest !== this.#nest || extra > this.#buffer || !isWelcome || !isAllowed) {
      this.#settle(pending);
      return expr;
    }
    this.#buffer -= extra;
    this.#forget(pending);
    return pending.init;
  }

  #wait(pending: Pending): void {
    this.#pending.set(pending.name, pending);
    if (pending.reads.some(({ key }) => key === elements)) this.#elementReaders.add(pending);
    for (const { of, key } of pending.reads) {
      const byKey = this.#readers.get(of) ?? new Map<string, Set<Pending>>();
      const readers = byKey.get(key) ?? new Set<Pending>();
      readers.add(pending);
      byKey.set(key, readers);
      this.#readers.set(of, byKey);
    }
  }

  #forget(pending: Pending): void {
    this.#pending.delete(pending.name);
    this.#elementReaders.delete(pending);
    for (const { of, key } of pending.reads) this.#readers.get(of)?.get(key)?.delete(pending);
  }

  /** Leaves a constant where it was. */
  #settle(pending: Pending): void {
    this.#forget(pending);
    const { name, init, stmt } = pending;
    pending.out[pending.slot] =
      init === stmt.init ? stmt : inPlaceOf<TsStmt>({ kind: "const", target: name, type: null, init }, stmt);
  }

  /** In a loop, all elements are read before any is written: V8 does not move reads over writes, and waits less so. */
  #readFirst(stmt: TsStmt): void {
    const isStore = stmt.kind === "expr" && stmt.expr.kind === "assign" && stmt.expr.target.kind === "index";
    if (!isStore || this.#nest === 0 || this.#elementReaders.size === 0) return;
    const used = new Set<string>();
    visitNames([stmt], (name) => used.add(name));
    const readers = [...this.#elementReaders].filter(({ nest }) => nest !== 0);
    if (readers.every(({ name }) => used.has(name))) return;
    for (const pending of readers) this.#settle(pending);
  }

  #change(changes: readonly Change[]): void {
    for (const { of, keys } of changes) {
      const byKey = this.#readers.get(of);
      if (byKey === undefined) continue;
      for (const key of keys ?? [...byKey.keys()]) {
        for (const pending of [...(byKey.get(key) ?? [])]) this.#settle(pending);
      }
    }
  }
}

/** Whether statements are another choice, but for constants in front of it. */
function isChained(stmts: readonly TsStmt[]): boolean {
  return stmts.at(-1)?.kind === "if" && stmts.slice(0, -1).every(({ kind }) => kind === "const");
}
