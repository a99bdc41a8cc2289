// An array that is not needed any more where another of its length is filled is that other one, too.
//
//   const x_ = new Float64Array(n);                               const x_ = saved;
//   for (i < n) x_[i] = share * saved[i];                         for (i < n) x_[i] = share * saved[i];
//
//   const b_ = new Float64Array(n); ..; b_.set(t_); ..            ..; const b_ = t_; ..

import { constant, id } from "../../typescript/traverse.js";
import type { TsFunction, TsStmt } from "../../typescript/tree.js";
import { ArrayLengths } from "./array-lengths.js";
import { mapBlocks } from "./blocks.js";
import { arrayMadeBy, countsByOne, elementsOf, filledFrom, isNewArray, roundsOf, type ArrayMade, type For } from "./counting.js"; // prettier-ignore
import type { Surroundings } from "./purity.js";
import { mentionsIn, setsEach } from "./reused-arrays.js";
import { usesIn } from "./uses.js";
import { visitNames } from "./walk.js";

export function withArraysShared(fn: TsFunction, surroundings: Surroundings): TsFunction {
  let lengths: ArrayLengths | null = null;
  const areSame = (left: ArrayMade, right: ArrayMade): boolean =>
    (lengths ??= new ArrayLengths(fn, surroundings)).areSame(left.size, right.size);

  /** Whether a loop sets each element of a new array, in rounds that do not use that of another one afterwards. */
  const fills = (loop: For, made: ArrayMade, earlier: ArrayMade): boolean => {
    const rounds = countsByOne(loop) ? roundsOf(loop) : null;
    const isWhole = rounds !== null && areSame({ ...made, size: rounds }, made) && setsEach(loop, made.array);
    const first = loop.body.findIndex((stmt) => mentionsIn([stmt], made.array));
    const setting = loop.body[first];
    const isLast = !mentionsIn(loop.body.slice(first + 1), earlier.array) && setting?.kind === "expr";
    return isWhole && isLast && [made.array, earlier.array].every((array) => elementsOf(loop, array) === namesIn(loop, array)); // prettier-ignore
  };

  const shared = (body: readonly TsStmt[]): readonly TsStmt[] => {
    const arrays = arraysIn(body);
    for (const made of arrays) {
      const begin = body.indexOf(made.stmt);
      // What is said of an array is said of its own memory
      if (!isNewArray(made.stmt.init) || body[begin - 1]?.kind === "comment") continue;
      const at = body.findIndex((stmt, index) => index > begin && mentionsIn([stmt], made.array));
      const filling = body[at];
      if (filling === undefined) continue;
      const isFree = (earlier: ArrayMade): boolean => {
        if (earlier === made || body.indexOf(earlier.stmt) > at || !mentionsIn([filling], earlier.array)) return false;
        const isCopied = filledFrom(filling, made.array) === earlier.array;
        const others = usesIn(earlier.array, body.slice(0, at + 1), surroundings).others;
        return (
          areSame(earlier, made) &&
          (isCopied || (filling.kind === "for" && fills(filling, made, earlier))) &&
          others === (isCopied ? 1 : 0) &&
          !mentionsIn(body.slice(at + 1), earlier.array)
        );
      };
      const found = arrays.find(isFree);
      if (found === undefined) continue;
      const same = constant(made.array, null, id(found.array));
      return shared(
        body.flatMap((stmt) => {
          if (stmt === made.stmt) return [];
          return stmt !== filling ? [stmt] : stmt.kind === "for" ? [same, stmt] : [same];
        }),
      );
    }
    return body;
  };
  return mapBlocks(fn, shared);
}

/** The arrays that statements make, or give another name. */
function arraysIn(body: readonly TsStmt[]): readonly ArrayMade[] {
  const arrays = new Map<string, ArrayMade>();
  for (const stmt of body) {
    const made = arrayMadeBy(stmt);
    if (made !== null) arrays.set(made.array, made);
    if (stmt.kind !== "const" || typeof stmt.target !== "string" || stmt.init.kind !== "id") continue;
    const same = arrays.get(stmt.init.name);
    if (same !== undefined) arrays.set(stmt.target, { stmt, array: stmt.target, size: same.size });
  }
  return [...arrays.values()];
}

function namesIn(stmt: TsStmt, array: string): number {
  let count = 0;
  visitNames([stmt], (name) => {
    if (name === array) count++;
  });
  return count;
}
