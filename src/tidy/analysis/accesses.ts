// What statements read and change, told apart by what a loop around them does to its own elements: those at its index.

import { visitParts, visitStmt, type Visiting } from "../../typescript/traverse.js";
import type { TsExpr, TsStmt } from "../../typescript/tree.js";
import { isLocal, namesOf } from "./bindings.js";
import { iterationsOf, type For } from "./counting.js";
import type { Change, Memory } from "./memory.js";
import { isFresh, isNumberCall, isTotalCall, type Surroundings } from "./purity.js";

/** A variable, or a property of a region (any of them where `key` is null), that is read or changed. */
interface Access {
  readonly of: string;
  readonly key: string | null;
  readonly isChange: boolean;
  /** The variable whose element or property it is, and the one that is the index; null where there is none. */
  readonly object: string | null;
  readonly index: string | null;
}

/** Why no other iteration of a loop has what is accessed: it is an element at the index of the loop, of any array; or that of an array of `OwnArrays`. */
type Own = "index" | keyof OwnArrays;

/** Arrays that no other iteration of a loop has; and those that may also be arrays from before it, which the loop does not change under these names. */
export interface OwnArrays {
  readonly made: ReadonlySet<string>;
  readonly shown: ReadonlySet<string>;
  /** Arrays in which each iteration puts one of those at its index. */
  readonly saved: ReadonlySet<string>;
  /** Arrays that no iteration has: they are from before the loops, and are none of those above. */
  readonly old: ReadonlySet<string>;
}

export const noArrays: OwnArrays = { made: new Set(), shown: new Set(), saved: new Set(), old: new Set() };

const plainStatements: ReadonlySet<string> = new Set([
  "const", "let", "expr", "if", "switch", "for", "while", "loop", "comment",
]); // prettier-ignore

/** What statements read and change. Much of it is asked of few statements alone, and gathered when it is. */
export class Accesses {
  readonly #parts: StatementAccesses[];
  #names: Set<string> | null = null;
  #declared: Set<string> | null = null;
  #places: Places | null = null;
  #byRegion: Map<string, Access[]> | null = null;

  constructor(parts: readonly StatementAccesses[]) {
    this.#parts = [...parts];
  }

  /** Adds what other statements read and change. */
  add(others: Accesses): void {
    this.#parts.push(...others.#parts);
    for (const { all, names, declared } of others.#parts) {
      if (this.#names !== null) for (const name of names) this.#names.add(name);
      if (this.#declared !== null) for (const name of declared) this.#declared.add(name);
      if (this.#places !== null) note(all, this.#places);
      if (this.#byRegion !== null) group(all, this.#byRegion);
    }
  }

  get all(): readonly Access[] {
    return this.#parts.flatMap(({ all }) => all);
  }

  of(region: string): readonly Access[] {
    this.#byRegion ??= group(this.all, new Map());
    return this.#byRegion.get(region) ?? [];
  }

  /** The names that are mentioned. */
  get names(): ReadonlySet<string> {
    this.#names ??= new Set(this.#parts.flatMap(({ names }) => [...names]));
    return this.#names;
  }

  get declared(): ReadonlySet<string> {
    this.#declared ??= new Set(this.#parts.flatMap(({ declared }) => declared));
    return this.#declared;
  }

  /** The arrays of which they read or write elements. */
  get arrays(): readonly string[] {
    return this.#parts.flatMap(({ arrays }) => [...arrays]);
  }

  hasElementsOf(array: string): boolean {
    return this.#parts.some(({ arrays }) => arrays.has(array));
  }

  /** Whether they declare what may hold arrays that they make. */
  get mayHoldArrays(): boolean {
    return this.#parts.some(({ mayHoldArrays }) => mayHoldArrays);
  }

  /** Whether they may end in an error. */
  get mayFail(): boolean {
    return this.#parts.some(({ mayFail }) => mayFail);
  }

  /** Whether they change a variable, or a property of a region: any where `key` is null. */
  changes(of: string, key: string | null): boolean {
    return has(this.#located().changes, of, key);
  }

  reads(of: string, key: string | null): boolean {
    return has(this.#located().reads, of, key);
  }

  #located(): Places {
    this.#places ??= note(this.all, { reads: new Map(), changes: new Map() });
    return this.#places;
  }
}

/** By region, the properties that are read and those that are changed. */
interface Places {
  readonly reads: Map<string, Set<string | null>>;
  readonly changes: Map<string, Set<string | null>>;
}

function group(all: readonly Access[], byRegion: Map<string, Access[]>): Map<string, Access[]> {
  for (const access of all) {
    const known = byRegion.get(access.of);
    if (known === undefined) byRegion.set(access.of, [access]);
    else known.push(access);
  }
  return byRegion;
}

function note(all: readonly Access[], places: Places): Places {
  for (const { of, key, isChange } of all) {
    const known = isChange ? places.changes : places.reads;
    const keys = known.get(of);
    if (keys === undefined) known.set(of, new Set([key]));
    else keys.add(key);
  }
  return places;
}

function has(places: Places["reads"], of: string, key: string | null): boolean {
  const keys = places.get(of);
  return keys !== undefined && (key === null || keys.has(key) || keys.has(null));
}

/** What one statement reads and changes. */
interface StatementAccesses {
  readonly all: readonly Access[];
  readonly names: ReadonlySet<string>;
  readonly declared: readonly string[];
  readonly arrays: ReadonlySet<string>;
  readonly mayHoldArrays: boolean;
  readonly mayFail: boolean;
}

/** Whether an expression makes an array. */
export function isArrayMade({ kind }: TsExpr): boolean {
  return kind === "new" || kind === "array";
}

/** Finds what statements read and change; a statement is read once, however often it is asked for. */
export class AccessReader {
  #known = new WeakMap<TsStmt, { readonly part: StatementAccesses; readonly alone: Accesses } | null>();
  /** How many regions the memory had joined when they were found. */
  #links = 0;

  constructor(
    private readonly memory: Memory,
    private readonly surroundings: Surroundings,
    /** Whether calls of any function are taken to read all of what they are given, to change what some function changes, and to fail. */
    private readonly withCalls = false,
  ) {}

  /** What statements read and change; null where they do more than that. */
  of(stmts: readonly TsStmt[]): Accesses | null {
    const parts: StatementAccesses[] = [];
    for (const stmt of stmts) {
      const found = this.#statement(stmt);
      if (found === null) return null;
      parts.push(found.part);
    }
    // To read a statement may join regions, which those before it are to know
    return stmts.length === 0 || this.memory.links === this.#links ? new Accesses(parts) : this.of(stmts);
  }

  /** The same of one statement; it is kept, so that nothing is to be added to it. */
  ofOne(stmt: TsStmt): Accesses | null {
    return this.#statement(stmt)?.alone ?? null;
  }

  #statement(stmt: TsStmt): { readonly part: StatementAccesses; readonly alone: Accesses } | null {
    if (this.memory.links !== this.#links) {
      this.#links = this.memory.links;
      this.#known = new WeakMap();
    }
    const known = this.#known.get(stmt);
    if (known !== undefined) return known;
    const part = readStatement(stmt, this.memory, this.surroundings, this.withCalls);
    const found = part === null ? null : { part, alone: new Accesses([part]) };
    this.#known.set(stmt, found);
    return found;
  }
}

/** What a statement reads and changes; null where it does more than that. */
function readStatement(
  statement: TsStmt,
  memory: Memory,
  surroundings: Surroundings,
  withCalls: boolean,
): StatementAccesses | null {
  const all: Access[] = [];
  const [names, arrays] = [new Set<string>(), new Set<string>()];
  const declared: string[] = [];
  let [isPlain, mayFail, mayHoldArrays] = [true, false, false];
  const add = (
    location: { readonly of: string; readonly key: string | null },
    expr: TsExpr,
    isChange: boolean,
  ): void => {
    const isPart = expr.kind === "index" || expr.kind === "member";
    const object = isPart && expr.object.kind === "id" ? expr.object.name : null;
    const index = expr.kind === "index" && expr.index.kind === "id" ? expr.index.name : null;
    all.push({ of: location.of, key: location.key, isChange, object, index });
  };
  const change = ({ of, keys }: Change, target: TsExpr): void => {
    for (const key of keys ?? [null]) add({ of, key }, target, true);
  };
  const read = (expr: TsExpr): void => {
    const location = memory.read(expr);
    if (location !== null) add(location, expr, false);
  };
  const noteArray = (expr: TsExpr): void => {
    if (expr.kind === "index" && expr.object.kind === "id") arrays.add(expr.object.name);
  };
  /** What makes an array may read all of what it is given: sizes, or arrays that it copies or is as long as. */
  const made = (expr: TsExpr, args: readonly TsExpr[]): void => {
    if (!isFresh(expr, surroundings)) isPlain = false;
    for (const array of args) read({ kind: "index", object: array, index: array, certain: true });
  };
  /** What is called may be any function but one that is written here, which has variables in common with what is around it. */
  const called = (fn: TsExpr, args: readonly TsExpr[]): void => {
    mayFail = true;
    for (const region of memory.given(fn, args)) add({ of: region, key: null }, fn, false);
    for (const changed of memory.called(fn, args)) change(changed, fn);
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
          for (const changed of memory.assigned(expr)) change(changed, expr.target);
          noteArray(expr.target);
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
            for (const changed of memory.called(expr.fn, expr.args)) change(changed, expr.fn);
          } else if (withCalls && !isFresh(expr, surroundings) && isElsewhere(expr.fn)) called(expr.fn, expr.args);
          else made(expr, expr.args);
          break;
        case "new":
          made(expr, expr.args);
          break;
        case "id":
          names.add(expr.name);
          break;
        default:
      }
      noteArray(expr);
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
        if (stmt.kind === "let" || (stmt.kind === "const" && isArrayMade(stmt.init))) mayHoldArrays = true;
        if (stmt.kind === "const") declared.push(...namesOf(stmt.target));
        if (stmt.kind === "let" || stmt.kind === "for") declared.push(stmt.name);
        const isLeft = stmt.kind === "for" || stmt.kind === "while" || stmt.kind === "loop" || stmt.kind === "switch";
        if (isLeft) around.push({ kind: stmt.kind, label: stmt.kind === "loop" ? stmt.label : null });
        visitStmt(stmt, visiting);
        if (isLeft) around.pop();
      }
    },
  };
  visiting.block([statement]);
  return isPlain ? { all, names, declared, arrays, mayHoldArrays, mayFail } : null;
}

/** Whether a function is one of the module or the runtime, or what an object holds. */
function isElsewhere(fn: TsExpr): boolean {
  return fn.kind === "member" || (fn.kind === "id" && !isLocal(fn.name));
}

/** Whether one of two accesses of a region may change what the other one reads or changes. */
function meet(one: Access, other: Access): boolean {
  return (one.isChange || other.isChange) && (one.key === null || other.key === null || one.key === other.key);
}

/**
 * Whether what two iterations have for themselves cannot be the same. An array that is shown may be from before the loop, where each iteration may have an element; what is
 * old is apart from what iterations make alone.
 */
function areApart(one: Own | null, other: Own | null): boolean {
  if (one === null || other === null) return false;
  if (one === "old" || other === "old") return isOfRounds(one) || isOfRounds(other);
  return !((one === "index" && other === "shown") || (one === "shown" && other === "index"));
}

/** Whether it matters which of two comes first. */
export function conflict(some: Accesses, others: Accesses): boolean {
  return some.all.some(({ of, key, isChange }) => others.changes(of, key) || (isChange && others.reads(of, key)));
}

function isOfRounds(own: Own | null): boolean {
  return own === "made" || own === "saved";
}

/** Whether it matters whether a statement comes before a loop or behind it. */
export function conflictsWithIterations(some: Accesses, { loop, accesses }: Iterations, own: OwnArrays): boolean {
  const iterations = iterationsOf(loop);
  return some.all.some((one) => {
    const isOld = one.object !== null && own.old.has(one.object);
    // No iteration has the element behind the last one
    const isBehind = iterations?.kind === "id" && one.index === iterations.name;
    return accesses.of(one.of).some((other) => {
      const isApart = (isOld && isOfRounds(ownOf(other, loop, own))) || (isBehind && other.index === loop.name);
      return meet(one, other) && !isApart;
    });
  });
}

/** A loop, and what its body reads and changes. */
export interface Iterations {
  readonly loop: For;
  readonly accesses: Accesses;
}

/** Whether it matters which of two iterations of different numbers comes first, of two loops that have such arrays. */
export function iterationsConflict(some: Iterations, others: Iterations, own: OwnArrays): boolean {
  return others.accesses.all.some((other) => {
    const ofOther = ownOf(other, others.loop, own);
    return some.accesses.of(other.of).some((one) => meet(one, other) && !areApart(ownOf(one, some.loop, own), ofOther));
  });
}

/** Why no other iteration has what is accessed; null where one may. */
function ownOf({ object, index }: Access, loop: For, own: OwnArrays): Own | null {
  if (object === null) return null;
  if (own.made.has(object)) return "made";
  if (index === loop.name) return own.saved.has(object) ? "saved" : "index";
  if (own.shown.has(object)) return "shown";
  return own.old.has(object) ? "old" : null;
}
