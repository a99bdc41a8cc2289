// Branch merging (jump threading).
//
// Two choices by one test are one, where what stands between them can come before or behind: what the first one kept for the second is a constant of the branch.
//
//   if (c) { t = f(x); kept = t; y = t; } else y = 0;
//   sum += y;
//   if (c) { x_ += d * kept; }
//     =>
//   if (c) { t = f(x); y = t; x_ += d * t; } else y = 0;
//   sum += y;

import { keyOf } from "../../key.js";
import { mapSame, sameItems } from "../../same.js";
import { constant, id } from "../../typescript/build.js";
import { withoutLast } from "../../typescript/called.js";
import { isName } from "../../typescript/facts.js";
import { mapBlocks, mapParts, mapStmt, visitExpressions, type Rewriting } from "../../typescript/traverse.js";
import type { TsCase, TsExpr, TsFunction, TsStmt, TsType } from "../../typescript/tree.js";
import { AccessReader, Accesses, conflict } from "../analysis/accesses.js";
import type { Bindings } from "../analysis/bindings.js";
import { Constants } from "../analysis/constants.js";
import { Memory, type Location } from "../analysis/memory.js";
import { namesIn } from "../analysis/mentions.js";
import { isTotal, type Surroundings } from "../analysis/purity.js";

type Switch = TsStmt & { readonly kind: "switch" };
type Choice = TsStmt & { readonly kind: "if" | "switch" };

/** So many statements may stand between two choices. */
const farthest = 8;

export function withSameTestsJoined(fn: TsFunction, bindings: Bindings, surroundings: Surroundings): TsFunction {
  const memory = new Memory(fn, surroundings);
  const joining = new Joining(memory, new AccessReader(memory, surroundings, true), bindings, surroundings);
  return mapBlocks(fn, (body) => joining.block(body));
}

class Joining {
  constructor(
    private readonly memory: Memory,
    private readonly reader: AccessReader,
    private readonly bindings: Bindings,
    private readonly surroundings: Surroundings,
  ) {}

  /** `isInside`: whether it is a branch of two that have been joined, so that choices are statements whatever they do. */
  block(body: readonly TsStmt[], isInside = false): readonly TsStmt[] {
    if (body.filter(isChoice).length < 2) return body;
    const keys = new Map<TsStmt, string>();
    for (const stmt of body) if (isChoice(stmt)) keys.set(stmt, keyOf(testOf(stmt)));
    if (new Set(keys.values()).size === keys.size) return body;
    let out = [...body];
    for (let at = 0; at < out.length; at++) {
      for (let first = out[at]; first !== undefined && isChoice(first);) {
        const key = keys.get(first);
        const next = out.findIndex((stmt, place) => place > at && keys.get(stmt) === key);
        const second = out[next];
        if (key === undefined || second === undefined || !isChoice(second) || next - at > farthest) break;
        // Others are conditionals, or can be
        if (!isInside && isShort(first) && isShort(second)) break;
        const around = this.#moved(first, second, out.slice(at + 1, next));
        const joined = around === null ? null : joinedOf(first, second, this.#behind);
        if (around === null || joined === null) break;
        const [before, after] = [
          [...out.slice(0, at), ...around.before],
          [...around.after, ...out.slice(next + 1)],
        ];
        const sunk = withDeclarationsInside(joined, before, after, this.bindings);
        keys.set(sunk.choice, key);
        out = [...sunk.before, sunk.choice, ...after];
        at = sunk.before.length;
        first = sunk.choice;
      }
    }
    return sameItems(body, out);
  }

  /** What stands between two choices, in front of the first and behind the second; null where neither is right for a statement, or the test may change. */
  #moved(first: Choice, second: Choice, between: readonly TsStmt[]): Around | null {
    const test = testOf(first);
    if (!isTotal(test, this.surroundings)) return null;
    const [ofFirst, ofSecond] = [this.reader.ofOne(first), this.reader.ofOne(second)];
    if (ofFirst === null || ofSecond === null) return null;
    const [before, after]: [TsStmt[], TsStmt[]] = [[], []];
    const moved = new Accesses([]);
    const changed = new Accesses([]);
    changed.add(ofFirst);
    for (const stmt of between) {
      const accesses = stmt.kind === "comment" ? null : this.reader.ofOne(stmt);
      if (accesses === null) return null;
      changed.add(accesses);
      const isFree = (passed: Accesses): boolean => !conflict(accesses, passed) && !mentions(accesses, passed);
      if (!accesses.mayFail && isFree(ofFirst) && isFree(moved)) before.push(stmt);
      else if (accesses.mayFail || conflict(accesses, ofSecond) || mentions(ofSecond, accesses)) return null;
      else {
        after.push(stmt);
        moved.add(accesses);
      }
    }
    if (this.memory.reads(test).some(({ of, key }) => changed.changes(of, key))) return null;
    // Nothing that came before an error comes behind it
    if (ofSecond.mayFail && after.length > 0) return null;
    return { before, after };
  }

  /** Statements as they stand behind others, whose constants take the place of what they compute again. */
  readonly #behind: Behind = (stmts, others) => {
    const passed = this.reader.of(others);
    if (passed === null || stmts.length === 0 || others.length === 0) return this.block([...others, ...stmts], true);
    const constants = new Constants(this.memory, this.surroundings);
    constants.add(others);
    const renamed = new Map<string, string>();
    const rewriting: Rewriting = {
      expr: (expr) => {
        if (expr.kind === "id") return id(renamed.get(expr.name) ?? expr.name);
        const rewritten = mapParts(expr, rewriting);
        return (isStep(rewritten) ? known(rewritten) : null) ?? rewritten;
      },
      block: (body) => mapSame(body, (stmt) => mapStmt(stmt, rewriting)),
    };
    /** What the statement that is looked at reads is what it was behind the others, in all of its blocks. */
    let isKept: (read: Location) => boolean = () => false;
    const known = (expr: TsExpr): TsExpr | null => {
      const same = constants.with(keyOf(expr), isKept);
      return same === undefined ? null : id(same);
    };
    const added = stmts.flatMap((stmt): readonly TsStmt[] => {
      const accesses = this.reader.ofOne(stmt);
      if (accesses !== null && stmt.kind !== "const" && stmt.kind !== "expr") passed.add(accesses);
      isKept = ({ of, key }) => accesses !== null && !passed.changes(of, key);
      const rewritten = mapStmt(stmt, rewriting);
      if (accesses !== null) passed.add(accesses);
      if (rewritten.kind !== "const" || typeof rewritten.target !== "string") return [rewritten];
      const same = isAlready(stmt, rewritten.init) ? rewritten.init : known(rewritten.init);
      if (same?.kind !== "id") return [rewritten];
      renamed.set(rewritten.target, same.name);
      return [];
    });
    return this.block([...others, ...added], true);
  };
}

type Behind = (stmts: readonly TsStmt[], others: readonly TsStmt[]) => readonly TsStmt[];

/** Whether an expression is one operation, as most constants are when they are looked at first. */
function isStep(expr: TsExpr): boolean {
  if (expr.kind === "binary") return isOperand(expr.left) && isOperand(expr.right);
  return expr.kind === "call" && expr.args.every(isOperand);
}

function isOperand({ kind }: TsExpr): boolean {
  return kind === "id" || kind === "number";
}

/** Whether the value of a constant, which was an operation, is another constant by now. */
function isAlready(stmt: TsStmt, init: TsExpr): boolean {
  return stmt.kind === "const" && stmt.init.kind !== "id" && init.kind === "id";
}

interface Around {
  readonly before: readonly TsStmt[];
  readonly after: readonly TsStmt[];
}

function isChoice(stmt: TsStmt): stmt is Choice {
  return stmt.kind === "if" || stmt.kind === "switch";
}

function mentions({ names }: Accesses, { declared }: Accesses): boolean {
  return [...names].some((name) => declared.has(name));
}

/** What is tested, as it is written without `!`. */
function testOf(stmt: Choice): TsExpr {
  return stmt.kind === "switch" ? stmt.subject : isNegated(stmt.test) ? opposite(stmt.test) : stmt.test;
}

function isNegated(test: TsExpr): boolean {
  return (test.kind === "unary" && test.op === "!") || (test.kind === "binary" && test.op === "!==");
}

function opposite(test: TsExpr): TsExpr {
  if (test.kind === "unary") return test.arg;
  return test.kind === "binary" ? { ...test, op: "===" } : test;
}

function joinedOf(first: Choice, second: Choice, behind: Behind): Choice | null {
  if (first.kind === "switch") return second.kind === "switch" ? joinedCases(first, second, behind) : null;
  if (second.kind === "switch") return null;
  const isSame = isNegated(first.test) === isNegated(second.test);
  const [then, otherwise] = isSame ? [second.then, second.else] : [second.else, second.then];
  return { ...first, then: behind(then, first.then), else: behind(otherwise, first.else) };
}

/** Two switches that have a case for each constructor, or none where they do nothing; null where one has a default. */
function joinedCases(first: Switch, second: Switch, behind: Behind): Choice | null {
  const others = new Map<string, TsCase>();
  for (const one of second.cases) others.set(keyOf(one.test), one);
  const cases: TsCase[] = [];
  for (const one of first.cases) {
    const other = others.get(keyOf(one.test));
    others.delete(keyOf(one.test));
    if (one.test === null) return null;
    if (other === undefined) cases.push(one);
    else {
      const last = one.body.at(-1);
      if (last?.kind !== "break" || last.label !== null) return null;
      cases.push({ test: one.test, body: behind(other.body, one.body.slice(0, -1)) });
    }
  }
  return others.size === 0 ? { ...first, cases } : null;
}

/** Whether no branch of a choice does more than to set a variable. */
function isShort(choice: Choice): boolean {
  return choice.kind === "if" && branchesOf(choice).every((body) => body.length <= 1 && !body.some(isMore));
}

/** Whether a statement cannot be part of a conditional: an element is not changed where nothing is added to it. */
function isMore(stmt: TsStmt): boolean {
  return isChoice(stmt) || (stmt.kind === "expr" && stmt.expr.kind === "assign" && stmt.expr.target.kind !== "id");
}

function branchesOf(choice: Choice): readonly (readonly TsStmt[])[] {
  return choice.kind === "if" ? [choice.then, choice.else] : choice.cases.map(({ body }) => body);
}

type Declaration = TsStmt & { readonly kind: "let" };

/** A choice with the declarations from before it of variables that one of its branches alone has. */
function withDeclarationsInside(
  joined: Choice,
  before: readonly TsStmt[],
  after: readonly TsStmt[],
  bindings: Bindings,
): { readonly before: readonly TsStmt[]; readonly choice: Choice } {
  const around = [...before, ...after];
  const isFree = (stmt: TsStmt): stmt is Declaration =>
    stmt.kind === "let" && (stmt.init === null || isLiteral(stmt.init)) && namesIn(around, stmt.name) === namesIn([stmt], stmt.name); // prettier-ignore
  const { choice, inside } = withDeclarations(joined, before.filter(isFree), bindings);
  return { before: before.filter((stmt) => !inside.has(stmt)), choice };
}

function isLiteral({ kind }: TsExpr): boolean {
  return kind === "number" || kind === "boolean";
}

/** A choice with those of some declarations `inside` whose variables one of its branches alone has. */
function withDeclarations(
  choice: Choice,
  declarations: readonly Declaration[],
  bindings: Bindings,
): { readonly choice: Choice; readonly inside: ReadonlySet<TsStmt> } {
  const inside = new Set<TsStmt>();
  const byBranch = new Map<readonly TsStmt[], Declaration[]>();
  for (const declaration of declarations) {
    const { name } = declaration;
    const [user, ...others] = branchesOf(choice).filter((body) => namesIn(body, name) > 0);
    if (user === undefined || others.length > 0 || namesIn(user, name) !== namesIn([choice], name)) continue;
    inside.add(declaration);
    byBranch.set(user, [...(byBranch.get(user) ?? []), declaration]);
  }
  if (inside.size === 0) return { choice, inside };
  const branch = (body: readonly TsStmt[]): readonly TsStmt[] => declaredIn(body, byBranch.get(body) ?? [], bindings);
  if (choice.kind === "if") return { choice: { ...choice, then: branch(choice.then), else: branch(choice.else) }, inside }; // prettier-ignore
  return { choice: { ...choice, cases: choice.cases.map((one) => ({ ...one, body: branch(one.body) })) }, inside };
}

/** Statements with declarations where they are needed: as constants, if they are some. */
function declaredIn(
  body: readonly TsStmt[],
  declarations: readonly Declaration[],
  bindings: Bindings,
): readonly TsStmt[] {
  const byChoice = new Map<TsStmt, Declaration[]>();
  for (const declaration of declarations) {
    const [only, ...others] = body.filter((stmt) => namesIn([stmt], declaration.name) > 0);
    if (only !== undefined && others.length === 0) byChoice.set(only, [...(byChoice.get(only) ?? []), declaration]);
  }
  const further = new Set<TsStmt>();
  let out = mapSame(body, (stmt) => {
    const own = byChoice.get(stmt);
    if (own === undefined || !isChoice(stmt)) return stmt;
    const { choice, inside } = withDeclarations(stmt, own, bindings);
    for (const declaration of inside) further.add(declaration);
    return choice;
  });
  for (const declaration of declarations) {
    const { name, type } = declaration;
    if (further.has(declaration)) continue;
    const set = setOnce(out, name);
    if (set !== null) bindings.rename(name, withoutLast(bindings.wanted(name), "kept"));
    out = set === null ? [declaration, ...out] : set.map((stmt) => withoutCasts(stmt, name, withoutUndefined(type)));
  }
  return out;
}

/** Statements in which a variable is a constant that they set before they do anything else with it; null where it is none. */
function setOnce(stmts: readonly TsStmt[], name: string): readonly TsStmt[] | null {
  const first = stmts.find((stmt) => namesIn([stmt], name) > 0);
  if (first?.kind !== "expr" || first.expr.kind !== "assign" || first.expr.op !== "=") return null;
  const { target, value } = first.expr;
  if (!isName(target, name) || value.kind !== "id" || value.name === name) return null;
  let writes = 0;
  visitExpressions(stmts, (expr) => {
    if (expr.kind === "assign" && isName(expr.target, name)) writes++;
  });
  return writes > 1 ? null : stmts.map((stmt) => (stmt === first ? constant(name, null, value) : stmt));
}

/** A statement in which a variable is not said to be of the type that it has. */
function withoutCasts(stmt: TsStmt, name: string, type: TsType | null): TsStmt {
  const rewriting: Rewriting = {
    expr: (expr) => {
      const isCast = expr.kind === "as" && expr.expr.kind === "id" && expr.expr.name === name;
      return isCast && keyOf(expr.type) === keyOf(type) ? expr.expr : mapParts(expr, rewriting);
    },
    block: (body) => mapSame(body, (inner) => mapStmt(inner, rewriting)),
  };
  return mapStmt(stmt, rewriting);
}

function withoutUndefined(type: TsType | null): TsType | null {
  if (type?.kind !== "union") return type;
  const [only, ...others] = type.members.filter((member) => member.kind !== "name" || member.name !== "undefined");
  return only === undefined || others.length > 0 ? type : only;
}
