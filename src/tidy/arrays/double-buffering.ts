// Double buffering.
//
// Where each iteration of a loop makes an array out of the one before, and nothing keeps that, two arrays change places.
//
//   let y = x;                     for (..) { const y1 = new Float64Array(n); .. y1[i] = f(y, i) ..; y = y1; }
//     =>
//   let y = x.slice(); let spare = new Float64Array(n);
//   for (..) { const y1 = spare; .. y1[i] = f(y, i) ..; spare = y; y = y1; }
//
// So do arrays that get shorter with the loop's counter: of both a part is used.
//
// Where x is something else's, and stays as it is, two spare arrays take turns. Loops around make these once.
//
// Where it differs in some elements alone, those are changed in its place (element-updates.ts), in arrays of rows, too. Three arrays change places for `before = now; now = now1`.
//
// So it is where the iterations of one branch make an array, and those of others leave y as it is. But x, of which no iteration may come to make something, is
// copied in front of the loop only where that happens once in a call from outside. Elsewhere y is copied before it is first changed in its place:
//
//   let y = x;
//   for (..) if (..) { if (y === x) y = x.slice(); y[i] = .. }

import { assigned, binary, callOf, id, member, number, typeName } from "../../typescript/build.js";
import { isName, isSameExpr } from "../../typescript/facts.js";
import { mapBlocks, replaced, visitExpressions, withBody } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import type { Bindings } from "../analysis/bindings.js";
import { branchesIn, mapBranches } from "../analysis/branches.js";
import { arrayMadeBy, countsByOne, fillingOf, tableMadeBy, type ArrayMade } from "../analysis/counting.js";
import { isLoop, type Loop } from "../analysis/loops.js";
import { assignedFrom, assigns, declares, jumps, namesIn } from "../analysis/mentions.js";
import type { Surroundings } from "../analysis/purity.js";
import { alwaysOfSize, lengthsIn, oneMoreIn, sizesOf } from "../analysis/array-sizes.js";
import { surveyed } from "../analysis/survey.js";
import { partsIn } from "../analysis/parts.js";
import { usesIn, type Uses } from "../analysis/uses.js";
import { updatedInPlace } from "./element-updates.js";

type IsOneMore = (size: TsExpr, iterations: TsExpr) => boolean;
type Let = TsStmt & { readonly kind: "let" };

/** An array that iterations make, and the variables that it is handed to from round to iteration. */
interface Chain {
  readonly made: ArrayMade;
  /** How long it is at most: in all iterations, but where it gets shorter. */
  readonly most: TsExpr;
  /** Where each variable is assigned to, the first one first. */
  readonly handed: readonly { readonly name: string; readonly stmt: TsStmt }[];
}

/** How a variable begins, and how it does where its array is its own; null where that is not there before it is needed, or the loop stands in others. */
interface Start {
  readonly from: Let;
  readonly to: Let | null;
}

/** Where an array is made: a loop, the block of its body, or of a branch of it, and whether the loop runs once in a call from outside. */
interface Around {
  readonly loop: Loop;
  readonly block: readonly TsStmt[];
  readonly isOnce: boolean;
}

/** What does without a new array in each iteration: the statements of the block, how variables begin, and what is made in front of the loop. */
interface How {
  readonly inside: readonly TsStmt[];
  readonly begun: ReadonlyMap<TsStmt, TsStmt>;
  readonly spares: readonly TsStmt[];
}

export function withArraysSwapped(
  fn: TsFunction,
  bindings: Bindings,
  surroundings: Surroundings,
  isExported: boolean,
): TsFunction {
  const { variables } = surveyed(fn);
  const usesOf = (array: string, stmts: readonly TsStmt[]): Uses => usesIn(array, stmts, surroundings);
  const lengths = lengthsIn(fn);
  const isAlways = alwaysOfSize(fn, surroundings);
  const isSize = sizesOf(fn, surroundings);
  const isOneMore = oneMoreIn(fn);

  /** The chain that begins with what a statement of a block of a loop makes, where nothing but reads and writes of elements is done with its arrays. */
  const chainOf = (stmt: TsStmt, block: readonly TsStmt[], loop: Loop): Chain | null => {
    const made = arrayOrTableMadeBy(stmt);
    if (made === null) return null;
    const isVarying = made.size.kind === "id" && declares(loop, made.size.name);
    const most = isVarying ? startOf(made.size, loop) : made.size;
    // What it begins with has been made, where that is as long
    if (most === null || !(isVarying || isSize(most))) return null;
    const handed: { name: string; stmt: TsStmt }[] = [];
    for (let name = made.array; ;) {
      const next = block.find((stmt) => assignedFrom(stmt, name) !== null);
      const target = next === undefined ? null : assignedFrom(next, name);
      if (usesOf(name, loop.body).others !== (next === undefined ? 0 : 1)) return null;
      if (next === undefined || target === null) break;
      // The old value is handed on before the new one comes
      const before = handed.at(-1)?.stmt;
      if (before !== undefined && block.indexOf(next) > block.indexOf(before)) return null;
      // Nor is a chain that comes back to one of its names
      if (variables.get(target)?.writes !== 1) return null;
      handed.push({ name: target, stmt: next });
      name = target;
    }
    const [first, last] = [handed.at(-1), handed[0]].map((each) =>
      each === undefined ? -1 : block.indexOf(each.stmt),
    );
    // An iteration that goes on elsewhere in between leaves two names for one array
    if (first === undefined || last === undefined || jumps(block.slice(first, last))) return null;
    if (isVarying && !haveElementsAlone(new Set([made.array, ...handed.map(({ name: each }) => each)]))) return null;
    return handed.length === 0 ? null : { made, most, handed };
  };

  /** What a size begins with that gets less with the counter of a loop, `const size = start - i - 1`; null where it is another one. */
  const startOf = (size: TsExpr, loop: Loop): TsExpr | null => {
    if (loop.kind !== "for" || !countsByOne(loop) || loop.from.kind !== "number" || loop.from.value < 0) return null;
    const definition = loop.body.find(
      (stmt) => stmt.kind === "const" && typeof stmt.target === "string" && isName(size, stmt.target),
    );
    let at = definition?.kind === "const" ? definition.init : size;
    let isLess = false;
    while (at.kind === "binary" && at.op === "-") {
      if (isName(at.right, loop.name)) isLess = true;
      else if (at.right.kind !== "number" || at.right.value < 0) return null;
      at = at.left;
    }
    return isLess && at.kind === "id" && !declares(loop, at.name) && variables.get(at.name)?.writes === 0 ? at : null;
  };

  /** Whether a function uses nothing of some arrays but elements, and hands them to each other alone. */
  const haveElementsAlone = (arrays: ReadonlySet<string>): boolean => {
    const isOne = (expr: TsExpr): boolean => expr.kind === "id" && arrays.has(expr.name);
    let left = [...arrays].reduce((sum, array) => sum + namesIn(fn.body, array), 0);
    visitExpressions(fn.body, (expr) => {
      if (expr.kind === "index" && isOne(expr.object)) left -= 1;
      if (expr.kind === "assign" && expr.op === "=" && isOne(expr.target) && isOne(expr.value)) left -= 2;
    });
    return left === 0;
  };

  /** A variable that begins with an array of some size; null where it may not. */
  const own = (name: string, size: TsExpr, before: readonly TsStmt[]): Start | null => {
    const from = before.find((stmt): stmt is Let => stmt.kind === "let" && stmt.name === name);
    if (from?.init == null) return null;
    const uses = usesOf(name, before);
    if (uses.others > 0) return null;
    const { init } = from;
    if (init.kind === "new")
      return isSameExpr(init.args[0], size) && init.args.length === 1 ? { from, to: from } : null;
    if (init.kind !== "id") return null;
    const maker = before.map(arrayOrTableMadeBy).find((made) => made?.array === init.name);
    const isOfSize = isSameExpr(maker?.size, size) || (size.kind === "id" && lengths.get(size.name) === init.name);
    if (!isOfSize) return isAlways(init.name, size) ? { from, to: null } : null;
    // Nobody else looks at one that has been made for it
    const isGiven =
      maker != null &&
      usesOf(init.name, before).others === 1 &&
      namesIn(before.slice(before.indexOf(maker.stmt) + 1), init.name) === variables.get(init.name)?.reads;
    if (isGiven) return { from, to: from };
    // One that is filled later cannot be copied yet
    const isFilled = partsIn(before.slice(before.indexOf(from)))(init.name).writes === 0;
    return { from, to: isFilled ? { ...from, init: callOf(member(init, "slice")) } : null };
  };

  /** What makes a variable's array its own before the first change of it in a loop, `if (y === x) y = x.slice()`; nothing where x may be another one by then. */
  const copiedFirst = (from: Let | undefined, loop: Loop): readonly TsStmt[] => {
    if (from?.init?.kind !== "id" || declares(loop, from.init.name)) return [];
    const { init, name } = from;
    if (assigns(loop.body, init.name)) return [];
    const copied = assigned(name, callOf(member(init, "slice")));
    return [{ kind: "if", test: binary("===", id(name), init), then: [copied], else: [] }];
  };

  /** By what makes a spare array those that it changes places with. */
  const spareOf = new Map<TsStmt, Chain>();

  /** Spare arrays that iterations make, in front of their loops, where nothing of one iteration is there in the next. */
  const sparesInFront = (body: readonly TsStmt[]): readonly TsStmt[] =>
    replaced(body, (loop) => {
      if (!isLoop(loop)) return loop;
      const isLeft = (stmt: TsStmt): boolean => {
        const chain = spareOf.get(stmt);
        if (chain === undefined || (chain.most.kind === "id" && declares(loop, chain.most.name))) return false;
        return chain.handed.every(({ name }) => usesOf(name, loop.body).others === 0);
      };
      const left = loop.body.filter(isLeft);
      return left.length === 0 ? loop : [...left, { ...loop, body: loop.body.filter((stmt) => !left.includes(stmt)) }];
    });

  /** A chain whose array is changed in its place (element-updates.ts); null where other elements differ, too, or it would have to be copied and cannot be. */
  const inPlace = ({ made, handed }: Chain, starts: readonly Start[], { loop, block, isOnce }: Around): How | null => {
    const [[only, ...more], [start]] = [handed, starts];
    const updated = only === undefined || more.length > 0 ? null : updatedInPlace(block, made, only, surroundings);
    if (start === undefined || updated === null) return null;
    // In loops around, a copy for a branch would be made again and again
    const begins = start.to === start.from || isOnce || block === loop.body ? start.to : null;
    const copying = begins === null ? copiedFirst(start.from, loop) : [];
    if (begins === null && copying.length === 0) return null;
    const begun = new Map([[start.from, asMutable(begins ?? start.from)]]);
    return { inside: [...copying, ...updated], begun, spares: [] };
  };

  /** A chain whose arrays change places with a spare one, or with two that take turns, where what the loop begins with is something else's. */
  const inTurn = (chain: Chain, starts: readonly Start[], { loop, block, isOnce }: Around): How | null => {
    // Rows that take turns are row-buffering's
    if (arrayMadeBy(chain.made.stmt) === null) return null;
    const isOne = chain.handed.length === 1;
    // In loops around, a copy would be made again and again
    const mayCopy = isOnce || (block === loop.body && !isOne);
    const isLate = starts.some(({ from, to }) => to === null || (to !== from && !mayCopy));
    if (isLate && !isOne) return null;
    const names = Array.from({ length: isLate ? 2 : 1 }, () => bindings.fresh("spare"));
    const spares = names.map((name): Let => ({ kind: "let", name, type: typeName("Float64Array"), init: { kind: "new", fn: id("Float64Array"), args: [chain.most] } })); // prettier-ignore
    for (const each of spares) spareOf.set(each, chain);
    const begun = new Map(isLate ? [] : starts.map(({ from, to }) => [from, to ?? from]));
    return { inside: withSpares(block, chain, names, isOneMore), begun, spares };
  };

  const howOf = (stmt: TsStmt, before: readonly TsStmt[], around: Around): How | null => {
    const chain = chainOf(stmt, around.block, around.loop);
    const starts = chain?.handed.flatMap(({ name }) => own(name, chain.most, before) ?? []);
    if (chain === null || starts?.length !== chain.handed.length) return null;
    return inPlace(chain, starts, around) ?? inTurn(chain, starts, around);
  };

  const swappedIn = (body: readonly TsStmt[], isOnce: boolean): readonly TsStmt[] => {
    let out = sparesInFront(body);
    for (const given of out) {
      if (!isLoop(given)) continue;
      let loop = given;
      for (const stmt of [...branchesIn(loop.body)].flat()) {
        const block = [...branchesIn(loop.body)].find((each) => each.includes(stmt)) ?? [];
        const how = howOf(stmt, out.slice(0, out.indexOf(loop)), { loop, block, isOnce });
        if (how === null) continue;
        const current = loop;
        const swapped: Loop = { ...loop, body: mapBranches(loop.body, (each) => (each === block ? how.inside : each)) };
        out = out.flatMap((each) => (each === current ? [...how.spares, swapped] : [how.begun.get(each) ?? each]));
        loop = swapped;
      }
    }
    return out;
  };

  const outside = isExported ? withBody(fn, swappedIn(fn.body, true)) : fn;
  return mapBlocks(outside, (body) => swappedIn(body, false));
}

/** A variable whose array of rows may be changed, to TypeScript, too. */
function asMutable(stmt: Let): Let {
  if (stmt.type?.kind !== "array" || stmt.init === null) return stmt;
  const type = typeName("Array", stmt.type.element);
  return { ...stmt, type, init: stmt.init.kind === "id" ? { kind: "as", expr: stmt.init, type } : stmt.init };
}

function arrayOrTableMadeBy(stmt: TsStmt): ArrayMade | null {
  return arrayMadeBy(stmt) ?? tableMadeBy(stmt);
}

/**
 * A block of a loop that takes a spare array in place of a new one, and leaves behind the one before; or of two, where what the loop begins with is another one's, those take
 * turns.
 */
function withSpares(
  block: readonly TsStmt[],
  { made, handed }: Chain,
  [spare = "", other]: readonly string[],
  isOneMore: IsOneMore,
): readonly TsStmt[] {
  const last = handed.at(-1);
  const init = isFilledFirst(block, made, isOneMore) ? id(spare) : callOf(member(id(spare), "fill"), number(0));
  return block.flatMap((stmt): readonly TsStmt[] => {
    if (stmt === made.stmt) return [{ ...made.stmt, init }];
    if (last === undefined || stmt !== last.stmt) return [stmt];
    if (other === undefined) return [assigned(spare, id(last.name)), stmt];
    return [assigned(spare, id(other)), assigned(other, id(made.array)), stmt];
  });
}

/** Whether all elements of an array are set before anything else is done with it. */
function isFilledFirst(block: readonly TsStmt[], { stmt, array, size }: ArrayMade, isOneMore: IsOneMore): boolean {
  const filling = fillingOf(
    block.filter((each) => each !== stmt),
    array,
  );
  if (filling === null) return false;
  return isSameExpr(filling.iterations, size) || (filling.isOneMore && isOneMore(size, filling.iterations));
}
