// Arrays of arrays, of which all sizes are known in front of the loops that make them:
//
//   const ySaved = new Array(n);
//   for (let i = 0; i < n; i++) {
//     const row = new Array(m);
//     ySaved[i] = row;
//     for (let j = 0; j < m; j++) { const y = new Float64Array(k); row[j] = y; .. }
//   }
//
// Counters and sizes tell where each of the arrays would begin if all of them were parts of one.

import { isName, isSameExpr } from "../../typescript/facts.js";
import { visitExpressions, visitParts, visitStmt, type Visiting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { heldBy, type ArrayClass, type ArrayClasses } from "./array-classes.js";
import { sizesOf } from "./array-sizes.js";
import { isLocal, namesOf } from "./bindings.js";
import { countsUpTo, type For } from "./counting.js";
import { jumps } from "./mentions.js";
import { isCallOf, type Surroundings } from "./purity.js";
import { surveyed } from "./survey.js";

/** What is made in front of the outermost loop, in it, .., in the innermost one. */
export interface RegularNest {
  readonly loops: readonly For[];
  /** One more than there are loops: the last one is of numbers. */
  readonly levels: readonly Level[];
  /** Whether a size may turn out to be none when the loops run. */
  readonly isTested: boolean;
  /** Of a nest of two levels, stores of zeros that are like it. */
  readonly likes: readonly Like[];
}

/** A constant that is a store of zeros for rows. */
export interface Like {
  readonly array: ArrayClass;
  readonly name: string;
  readonly stmt: TsStmt;
}

export interface Level {
  readonly array: ArrayClass;
  readonly name: string;
  readonly size: TsExpr;
}

/** An element of an array that is set. */
interface Write {
  readonly array: TsExpr;
  readonly index: TsExpr;
  readonly value: TsExpr;
  readonly loops: readonly (For | null)[];
}

export function regularNests(
  fn: TsFunction,
  classes: ArrayClasses,
  surroundings: Surroundings,
): readonly RegularNest[] {
  const isSize = sizesOf(fn, surroundings);
  const all = classes.all();
  const holders = new Map<ArrayClass, readonly ArrayClass[]>();
  for (const each of all) if (each.isArray) holders.set(heldBy(each), [...(holders.get(heldBy(each)) ?? []), each]);
  const variables = classes.variables();
  const places = placesIn(fn);
  const writes = new Map<ArrayClass, readonly Write[]>();
  for (const write of places.writes) {
    const array = classes.reference(write.array);
    if (array !== null) writes.set(array, [...(writes.get(array) ?? []), write]);
  }

  const levelOf = (array: ArrayClass, how: "arrays" | "numbers"): (Level & { readonly stmt: TsStmt }) | null => {
    const [maker, ...others] = array.makers;
    if (maker === undefined || others.length > 0 || maker.how.kind !== how) return null;
    const { stmt } = maker;
    if (!array.isArray || array.isExposed || array.isUnknown) return null;
    if (stmt.kind !== "const" || typeof stmt.target !== "string") return null;
    return { array, name: stmt.target, size: maker.how.size, stmt };
  };

  /** What holds an array in the loop at a depth; null where that is not all that is known of it. */
  const holderOf = (held: Level, loops: readonly (For | null)[], depth: number): ReturnType<typeof levelOf> => {
    const [holder, ...others] = holders.get(held.array) ?? [];
    const level = holder === undefined || others.length > 0 ? null : levelOf(holder, "arrays");
    if (holder === undefined || level === null || !isSame(places.loopsOf(level.stmt), loops.slice(0, depth)))
      return null;
    const [write, ...more] = writes.get(holder) ?? [];
    const isKept =
      write !== undefined && more.length === 0 && isSame(write.loops, loops.slice(0, depth + 1)) &&
      isName(write.array, level.name) && isName(write.index, loops[depth]?.name ?? "") && isName(write.value, held.name); // prettier-ignore
    return isKept ? level : null;
  };

  const nestOf = (array: ArrayClass): RegularNest | null => {
    const last = heldBy(array).isOfNumbers ? levelOf(array, "numbers") : null;
    if (last === null) return null;
    const around = places.loopsOf(last.stmt);
    const levels = [last];
    // As far out as arrays are held by others: further out each iteration has arrays of its own
    for (let inner = last; levels.length <= around.length && holders.has(inner.array);) {
      const level = holderOf(inner, around, around.length - levels.length);
      if (level === null) return null;
      levels.unshift(level);
      inner = level;
    }
    const loops = around.slice(around.length + 1 - levels.length);
    const [[loop], [first = last]] = [loops, levels];
    if (loop == null || !loops.every((each) => each !== null)) return null;
    const isNear = (each: ArrayClass): boolean =>
      (variables.get(each) ?? []).every((name) => places.isNear(loop, name));
    // What an iteration need not make may have a size that is none where it is not made
    const isMade = ({ size }: Level, depth: number): boolean => isSize(size) || loops.slice(0, depth).every((each, at) => places.isInEach(each, loops[at + 1] ?? last.stmt)); // prettier-ignore
    if (!levels.every(isMade)) return null;
    const isSettled = levels.every(({ array: each, size }) => isNear(each) && mentioned(size).every((name) => places.isKnown(loop, name))); // prettier-ignore
    if (!isSettled || !places.isKnown(loop, first.name)) return null;
    const likes = levels.length === 2 ? likesOf(first.array).filter(({ array: each }) => isNear(each) && isNear(heldBy(each))) : []; // prettier-ignore
    return { loops, levels, likes, isTested: levels.some(({ size }) => isTestedIn(loop, size)) };
  };

  /** Whether the iterations of a loop test that a number is the size of an array. */
  const isTestedIn = (loop: For, size: TsExpr): boolean => {
    let isTested = false;
    visitExpressions(loop.body, (expr) => {
      isTested ||= isCallOf(expr, "arrays.arraySize", surroundings) && isSameExpr(expr.args[0], size);
    });
    return isTested;
  };

  /** The stores of zeros for the rows of an array. */
  const likesOf = (rows: ArrayClass): readonly Like[] =>
    [...all].flatMap((array): readonly Like[] => {
      const [maker, ...others] = array.makers;
      if (maker?.how.kind !== "like" || others.length > 0 || classes.reference(maker.how.rows) !== rows) return [];
      const [held, { stmt }] = [heldBy(array), maker];
      if (array.isExposed || array.isUnknown || held.isExposed || held.isUnknown) return [];
      const isOnly = held.makers.length === 1 && held.makers[0]?.stmt === stmt;
      return isOnly && stmt.kind === "const" && typeof stmt.target === "string" ? [{ array, name: stmt.target, stmt }] : []; // prettier-ignore
    });

  return [...all].flatMap((array) => nestOf(array) ?? []);
}

function isSame(some: readonly (For | null)[], others: readonly (For | null)[]): boolean {
  return some.length === others.length && some.every((loop, depth) => loop === others[depth]);
}

/** The variables of the function that an expression names. */
function mentioned(expr: TsExpr): readonly string[] {
  const names: string[] = [];
  visitExpressions([{ kind: "expr", expr }], (part) => {
    if (part.kind === "id" && isLocal(part.name)) names.push(part.name);
  });
  return names;
}

interface Places {
  readonly writes: readonly Write[];
  /** The loops around a statement, the outermost first; null for one that does not count up from zero. */
  readonly loopsOf: (stmt: TsStmt) => readonly (For | null)[];
  /** Whether a variable is a constant that is known in front of a loop which no other one is around. */
  readonly isKnown: (loop: For, name: string) => boolean;
  /** Whether every iteration of a loop comes to a statement. */
  readonly isInEach: (loop: For | null | undefined, stmt: TsStmt) => boolean;
  /** Whether a variable is declared in the block of a loop, or in one inside. */
  readonly isNear: (loop: For, name: string) => boolean;
}

/** Where something stands: in which blocks, the outermost first, and in which order. */
interface Place {
  readonly blocks: readonly (readonly TsStmt[])[];
  readonly order: number;
}

function placesIn(fn: TsFunction): Places {
  const { variables } = surveyed(fn);
  const writes: Write[] = [];
  const around = new Map<TsStmt, readonly (For | null)[]>();
  const placeOf = new Map<TsStmt, Place>();
  const declared = new Map<string, Place>();
  let blocks: Place["blocks"] = [];
  let loops: readonly (For | null)[] = [];
  let order = 0;

  const inside = (loop: For | null, visit: () => void): void => {
    const outer = loops;
    loops = [...loops, loop];
    visit();
    loops = outer;
  };
  const statement = (stmt: TsStmt): void => {
    const place: Place = { blocks, order: (order += 1) };
    placeOf.set(stmt, place);
    around.set(stmt, loops);
    const names = stmt.kind === "const" ? namesOf(stmt.target) : stmt.kind === "let" ? [stmt.name] : [];
    for (const name of names) declared.set(name, place);
    const isLoop = stmt.kind === "for" || stmt.kind === "while" || stmt.kind === "loop";
    const isCounting = stmt.kind === "for" && countsUpTo(stmt) !== null && variables.get(stmt.name)?.writes === 1;
    if (!isLoop) visitStmt(stmt, visiting);
    else inside(isCounting ? stmt : null, () => { visitStmt(stmt, visiting); }); // prettier-ignore
  };
  const visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind === "assign" && expr.target.kind === "index")
        writes.push({ array: expr.target.object, index: expr.target.index, value: expr.value, loops });
      if (expr.kind === "arrow")
        inside(null, () => { visitParts(expr, visiting); }); // prettier-ignore
      else visitParts(expr, visiting);
    },
    block: (body) => {
      const outer = blocks;
      blocks = [...blocks, body];
      body.forEach(statement);
      blocks = outer;
    },
  };
  visiting.block(fn.body);
  return {
    writes,
    loopsOf: (stmt) => around.get(stmt) ?? [],
    isKnown: (loop, name) => {
      const [variable, place, here] = [variables.get(name), declared.get(name), placeOf.get(loop)];
      if (variable?.writes !== 0 || here === undefined) return false;
      // Parameters are declared by no statement
      if (place === undefined) return variable.kind === "param";
      return place.order < here.order && place.blocks.every((block, depth) => here.blocks[depth] === block);
    },
    isInEach: (loop, stmt) => loop != null && placeOf.get(stmt)?.blocks.at(-1) === loop.body && !jumps(loop.body),
    isNear: (loop, name) => {
      const block = placeOf.get(loop)?.blocks.at(-1);
      return block !== undefined && declared.get(name)?.blocks.includes(block) === true;
    },
  };
}
