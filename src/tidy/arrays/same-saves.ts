// Value numbering of arrays.
//
// Two arrays in which the same is saved are one.
//
//   for (..) { .. tSaved[i] = t; .. uSaved[i] = t; .. }  .. tSaved[i] * uSaved[i] ..
//     =>
//   for (..) { .. tSaved[i] = t; .. }  .. tSaved[i] * tSaved[i] ..
//
// Where the arrays are rows, those of the rows are one, too.

import { keyOf } from "../../key.js";
import { sameItems } from "../../same.js";
import { id } from "../../typescript/build.js";
import { isName } from "../../typescript/facts.js";
import {
  mapBlocks,
  mapExpressions,
  mapParts,
  visitExpressions,
  visitParts,
  visitStmt,
  type Visiting,
} from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt, TsType } from "../../typescript/tree.js";
import { surveyed, type Survey } from "../analysis/survey.js";
import { commentOn } from "./row-offsets.js";

/** So many times arrays of arrays that have become one are looked at. */
const deepest = 3;

export function withoutSameSaves(fn: TsFunction): TsFunction {
  let current = fn;
  for (let depth = 0; depth < deepest; depth++) {
    const same = sameSaves(current);
    if (same.size === 0) return current;
    current = without(current, same);
  }
  return current;
}

/** An array that is made in a block, and set in one place. */
interface Saved {
  readonly name: string;
  readonly type: TsType;
  readonly stmt: TsStmt;
  readonly set: TsStmt;
}

/** By array the one that holds the same. */
function sameSaves(fn: TsFunction): ReadonlyMap<string, Saved & { readonly first: string }> {
  const uses = usesIn(fn);
  const same = new Map<string, Saved & { readonly first: string }>();
  const survey = surveyed(fn);
  const sets = new Map<TsStmt, readonly TsStmt[]>();
  for (const body of uses.blocks) for (const stmt of body) if (setBy(stmt) !== null) sets.set(stmt, body);
  for (const body of uses.blocks) {
    const groups = new Map<string, Saved[]>();
    for (const stmt of body) {
      const saved = savedBy(stmt, uses);
      if (saved === null || stmt.kind !== "const") continue;
      const set = setBy(saved.set);
      const key = keyOf([stmt.init, saved.type, set?.index, set?.value]);
      const others = groups.get(key);
      if (others === undefined) groups.set(key, [saved]);
      else others.push(saved);
    }
    for (const [first, ...others] of groups.values()) {
      if (first === undefined || others.length === 0 || !isOnlyRead(first.name, first.type, uses)) continue;
      const iteration = sets.get(first.set) ?? [];
      for (const other of others) {
        const isKept = sets.get(other.set) === iteration && isKeptBetween(first.set, other.set, iteration, survey);
        if (isKept && isOnlyRead(other.name, other.type, uses)) same.set(other.name, { ...other, first: first.name });
      }
    }
  }
  return same;
}

function savedBy(stmt: TsStmt, uses: Uses): Saved | null {
  if (stmt.kind !== "const" || typeof stmt.target !== "string" || stmt.init.kind !== "new") return null;
  const type: TsType | null = isName(stmt.init.fn, "Float64Array") ? numbers : stmt.type;
  const [set, ...others] = uses.of(stmt.target).sets;
  if (type === null || set === undefined || others.length > 0) return null;
  return setBy(set)?.value.kind === "id" ? { name: stmt.target, type, stmt, set } : null;
}

/** Whether what two statements of a block put into arrays, and where, is the same. */
function isKeptBetween(one: TsStmt, other: TsStmt, body: readonly TsStmt[], { variables }: Survey): boolean {
  const places = [body.indexOf(one), body.indexOf(other)].sort((a, b) => a - b);
  const between = body.slice(...places);
  const set = setBy(one);
  if (set === null || set.index.kind !== "id" || set.value.kind !== "id") return false;
  const assigned = new Set<string>();
  visitExpressions(between, (expr) => {
    if (expr.kind === "assign" && expr.target.kind === "id") assigned.add(expr.target.name);
  });
  return [set.index.name, set.value.name].every((name) => variables.get(name)?.writes === 0 || !assigned.has(name));
}

/** `array[index] = value`, a whole statement; null for others. */
function setBy(stmt: TsStmt): { readonly array: string; readonly index: TsExpr; readonly value: TsExpr } | null {
  if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.op !== "=") return null;
  const { target, value } = stmt.expr;
  if (target.kind !== "index" || target.object.kind !== "id") return null;
  return { array: target.object.name, index: target.index, value };
}

const numbers: TsType = { kind: "name", name: "Float64Array", args: [] };

/** What is done with an array. */
interface ArrayUses {
  readonly sets: TsStmt[];
  /** Constants that are elements of it, and arrays that it is put into. */
  readonly elements: string[];
  readonly holders: string[];
  others: number;
}

interface Uses {
  readonly of: (name: string) => ArrayUses;
  readonly blocks: readonly (readonly TsStmt[])[];
}

function usesIn(fn: TsFunction): Uses {
  const uses = new Map<string, ArrayUses>();
  const blocks: (readonly TsStmt[])[] = [];
  const of = (name: string): ArrayUses => {
    const known = uses.get(name) ?? { sets: [], elements: [], holders: [], others: 0 };
    uses.set(name, known);
    return known;
  };
  const visiting: Visiting = {
    expr: (expr) => {
      const isPart = expr.kind === "index" || (expr.kind === "member" && expr.name === "length");
      if (isPart && expr.object.kind === "id") {
        if (expr.kind === "index") visiting.expr(expr.index);
      } else if (expr.kind === "assign" && expr.target.kind === "index" && expr.target.object.kind === "id") {
        of(expr.target.object.name).others++;
        visiting.expr(expr.target.index);
        visiting.expr(expr.value);
      } else if (expr.kind === "id") of(expr.name).others++;
      else visitParts(expr, visiting);
    },
    block: (body) => {
      blocks.push(body);
      for (const stmt of body) {
        const set = setBy(stmt);
        if (set !== null) {
          of(set.array).sets.push(stmt);
          visiting.expr(set.index);
          if (set.value.kind === "id") of(set.value.name).holders.push(set.array);
          else visiting.expr(set.value);
          continue;
        }
        const init = stmt.kind === "const" && stmt.init.kind === "as" ? stmt.init.expr : stmt.kind === "const" ? stmt.init : null; // prettier-ignore
        if (
          stmt.kind === "const" &&
          typeof stmt.target === "string" &&
          init?.kind === "index" &&
          init.object.kind === "id"
        )
          // prettier-ignore
          of(init.object.name).elements.push(stmt.target);
        visitStmt(stmt, visiting);
      }
    },
  };
  visiting.block(fn.body);
  return { of, blocks };
}

/** Whether nothing but the one statement that sets its elements changes an array, nor what it holds; nobody else has it. */
function isOnlyRead(name: string, type: TsType, uses: Uses): boolean {
  const { others, elements, holders } = uses.of(name);
  const element = elementOf(type);
  if (others > 0 || element === null) return false;
  const isRead = isNumber(element) || elements.every((each) => uses.of(each).sets.length === 0 && isOnlyRead(each, element, uses)); // prettier-ignore
  return isRead && holders.every((holder) => isHolder(holder, type, uses));
}

/** Whether arrays of a type that are put into an array are only read there. */
function isHolder(holder: string, type: TsType, uses: Uses): boolean {
  return uses.of(holder).sets.length === 1 && isOnlyRead(holder, { kind: "array", element: type }, uses);
}

function elementOf(type: TsType): TsType | null {
  if (type.kind === "array") return type.element;
  if (type.kind !== "name") return null;
  if (type.name === "Float64Array") return { kind: "name", name: "number", args: [] };
  return type.name === "Array" ? (type.args[0] ?? null) : null;
}

function isNumber(type: TsType): boolean {
  return type.kind === "name" && (type.name === "number" || type.name === "boolean");
}

function without(fn: TsFunction, same: ReadonlyMap<string, Saved & { readonly first: string }>): TsFunction {
  const gone = new Set([...same.values()].flatMap(({ stmt, set }) => [stmt, set]));
  const names = new Map([...same].map(([name, { first }]) => [name, first]));
  const left = mapBlocks(fn, (body) => {
    if (!body.some((stmt) => gone.has(stmt))) return body;
    const comments = body.flatMap((stmt) => (gone.has(stmt) ? (commentOn(stmt, body) ?? []) : []));
    return body.filter((stmt) => !gone.has(stmt) && !comments.includes(stmt));
  });
  const renamed = withNames(left, names);
  // What was read of both is read once
  const firsts = new Set(names.values());
  const elements = new Map<string, string>();
  const once = mapBlocks(renamed, (body) => {
    const known = new Map<string, string>();
    const kept = body.filter((stmt) => {
      if (stmt.kind !== "const" || typeof stmt.target !== "string") {
        // There may be one that sets an element, or the index
        if (stmt.kind !== "let") known.clear();
        return true;
      }
      const { init } = stmt;
      if (init.kind !== "index" || init.object.kind !== "id" || init.index.kind !== "id" || !firsts.has(init.object.name)) return true; // prettier-ignore
      const key = keyOf(init);
      const other = known.get(key);
      if (other === undefined) known.set(key, stmt.target);
      else elements.set(stmt.target, other);
      return other === undefined;
    });
    return sameItems(body, kept);
  });
  return withNames(once, elements);
}

function withNames(fn: TsFunction, names: ReadonlyMap<string, string>): TsFunction {
  if (names.size === 0) return fn;
  return mapExpressions(fn, (expr, rewriting) => {
    const name = expr.kind === "id" ? names.get(expr.name) : undefined;
    return name === undefined ? mapParts(expr, rewriting) : id(name);
  });
}
