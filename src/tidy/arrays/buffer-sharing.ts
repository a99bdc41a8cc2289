// Buffer sharing by live ranges, as registers are allocated by interference.
//
// An array that is not needed any more where another of its length is filled is that other one, too.
//
//   const x_ = new Float64Array(n);                               const x_ = saved;
//   for (i < n) x_[i] = share * saved[i];                         for (i < n) x_[i] = share * saved[i];
//
//   const b_ = new Float64Array(n); ..; b_.set(t_); ..            ..; const b_ = t_; ..

import { constant, id } from "../../typescript/build.js";
import { mapBlocks, replaced } from "../../typescript/traverse.js";
import type { TsFunction, TsStmt } from "../../typescript/tree.js";
import { ArrayLengths } from "../analysis/array-lengths.js";
import {
  arrayMadeBy,
  countsByOne,
  elementsOf,
  filledFrom,
  iterationsOf,
  setsEach,
  type ArrayMade,
  type For,
} from "../analysis/counting.js";
import { assignedFrom, mentionsIn, namesIn } from "../analysis/mentions.js";
import type { Surroundings } from "../analysis/purity.js";
import { usesIn } from "../analysis/uses.js";

/** `which`: whether only arrays share memory that are copied into and that an iteration hands on: the variable that it gives them to is their name. */
export function withArraysShared(
  fn: TsFunction,
  surroundings: Surroundings,
  which: "handed on" | "all" = "all",
): TsFunction {
  let lengths: ArrayLengths | null = null;
  const areSame = (left: ArrayMade, right: ArrayMade): boolean =>
    (lengths ??= new ArrayLengths(fn, surroundings)).areSame(left.size, right.size);

  /** Whether a loop sets each element of a new array, in iterations that do not use that of another one afterwards. */
  const fills = (loop: For, made: ArrayMade, earlier: ArrayMade): boolean => {
    const iterations = countsByOne(loop) ? iterationsOf(loop) : null;
    const isWhole = iterations !== null && areSame({ ...made, size: iterations }, made) && setsEach(loop, made.array);
    const first = loop.body.findIndex((stmt) => mentionsIn([stmt], made.array));
    const setting = loop.body[first];
    const isLast = !mentionsIn(loop.body.slice(first + 1), earlier.array) && setting?.kind === "expr";
    return isWhole && isLast && [made.array, earlier.array].every((array) => elementsOf(loop, array) === namesIn([loop], array)); // prettier-ignore
  };

  /** Of the arrays of a block the one whose memory `made` may have, with the statement that fills that. */
  const sharedBy = (
    made: ArrayMade,
    arrays: readonly ArrayMade[],
    body: readonly TsStmt[],
  ): { filling: TsStmt; earlier: ArrayMade } | null => {
    const begin = body.indexOf(made.stmt);
    // What is said of an array is said of its own memory
    if (body[begin - 1]?.kind === "comment") return null;
    const at = body.findIndex((stmt) => mentionsIn([stmt], made.array));
    const filling = body[at];
    if (filling === undefined) return null;
    if (which === "handed on" && !body.some((stmt) => assignedFrom(stmt, made.array) !== null)) return null;
    const isFree = (earlier: ArrayMade): boolean => {
      if (earlier.array === made.array || !mentionsIn([filling], earlier.array)) return false;
      const isCopied = filledFrom(filling, made.array) === earlier.array;
      return (
        areSame(earlier, made) &&
        (isCopied || (which === "all" && filling.kind === "for" && fills(filling, made, earlier))) &&
        !mentionsIn(body.slice(at + 1), earlier.array) &&
        usesIn(earlier.array, body.slice(0, at + 1), surroundings).others === (isCopied ? 1 : 0)
      );
    };
    const earlier = arrays.find(isFree);
    return earlier === undefined ? null : { filling, earlier };
  };

  const shared = (body: readonly TsStmt[]): readonly TsStmt[] => {
    const arrays = body.flatMap((stmt) => arrayMadeBy(stmt) ?? []);
    let current = body;
    for (const [index, made] of arrays.entries()) {
      const found = sharedBy(made, arrays, current);
      if (found === null) continue;
      const { filling, earlier } = found;
      const same = constant(made.array, null, id(earlier.array));
      current = replaced(current, (stmt) => {
        if (stmt === made.stmt) return [];
        return stmt !== filling ? stmt : stmt.kind === "for" ? [same, stmt] : same;
      });
      // From here on the memory has this name alone
      arrays[index] = { ...made, size: earlier.size };
    }
    return current;
  };
  return mapBlocks(fn, shared);
}
