// Full loop unrolling.
//
// Short loops over arrays that are written out are written out, too; then nothing needs the array, unless as a whole.
//
//   xs = [a, b]; s = for i < 2 (acc = 0) { x = xs ! i; acc1 = acc + exp x; yield acc1 }     =>     x = exp a; acc = 0 + x; x1 = exp b; s = acc + x1
//   xs ! at                                                                                =>     if at == 0 then a else b

import { atomOf, intAtom, letOf, yieldOf } from "./build.js";
import { FlatNames } from "./naming.js";
import { bool, type Atom, type Block, type Check, type Operation, type Procedure, type Program, type Stmt, type Var } from "./program.js"; // prettier-ignore
import { withLoopsRewritten, type For } from "./rewrite-loops.js";
import { isShort, iterationsOf, type IterationLimits } from "./iterations.js";
import { allBlocks, allNames, allStmts, atomsOf, blocksOf, boundBy, branchesOf, endsOf, mapBlocks } from "./traverse.js"; // prettier-ignore

/** Loops of no more iterations, and arrays of no more items. */
const mostIterations = 4;

const limits: IterationLimits = { iterations: mostIterations, statements: 48 };

type Items = Operation & { readonly kind: "array" };

/** The program, with the same meaning. `names` are those of the program. */
export function unroll(program: Program, names = new FlatNames(allNames(program))): Program {
  const written = new Set<string>();
  for (const { body } of program.procedures) {
    for (const stmt of allStmts(body))
      if (stmt.kind === "let" && stmt.op.kind === "array") written.add(stmt.result.name);
  }
  return withLoopsRewritten(program, (loop) => {
    // V8 makes an array of items that are written out more slowly than one that a loop fills
    if (loop.kind !== "for" || loop.arrays.length > 0 || !isShort(loop, limits) || !readsOneOf(written, loop))
      return null;
    return iterationsOf(loop, names);
  });
}

/** Whether each iteration of a loop reads another element of one of some arrays. */
function readsOneOf(arrays: ReadonlySet<string>, { index, body }: For): boolean {
  const stmts = allStmts(body);
  const changing = new Set([index, ...stmts.flatMap(boundBy)].map(({ name }) => name));
  return stmts.some((stmt) => {
    if (stmt.kind !== "let" || stmt.op.kind !== "cell" || stmt.op.array.kind !== "var") return false;
    const at = stmt.op.index;
    return arrays.has(stmt.op.array.variable.name) && at.kind === "var" && changing.has(at.variable.name);
  });
}

/** Elements of arrays that are written out, read at an index that is computed, are chosen among the items, if nothing but such reads uses the array. */
export function withElementsChosen(procedure: Procedure, names: FlatNames): Procedure {
  const arrays = readAlone(procedure);
  if (arrays.size === 0) return procedure;
  const values = new PossibleValues(procedure.body);
  const block = ({ stmts, end }: Block): Block => ({ stmts: stmts.flatMap(statement), end: mapBlocks(end, block) });
  const itemsOf = (array: Atom): Items | null =>
    array.kind === "var" ? (arrays.get(array.variable.name) ?? null) : null;
  const checked = (check: Check): Check | null => {
    const items = check.kind === "inRange" ? itemsOf(check.array)?.items : undefined;
    if (check.kind !== "inRange" || items === undefined) return check;
    const isInRange = values.of(check.index)?.every((value) => value >= 0 && value < items.length);
    // Of an array the check needs the length alone
    return isInRange === true ? null : { ...check, array: intAtom(items.length) };
  };
  const statement = (stmt: Stmt): readonly Stmt[] => {
    switch (stmt.kind) {
      case "let": {
        const array = stmt.op.kind === "cell" ? itemsOf(stmt.op.array) : null;
        if (stmt.op.kind !== "cell" || array === null || stmt.op.index.kind === "int") return [stmt];
        return chosen(stmt.result, stmt.op.index, array.items, names);
      }
      case "check": {
        const check = checked(stmt.check);
        return check === null ? [] : [{ ...stmt, check }];
      }
      case "choose":
        return [{ ...stmt, end: mapBlocks(stmt.end, block) }];
      case "loop":
      case "for":
        return [{ ...stmt, body: block(stmt.body) }];
      default:
        return [stmt];
    }
  };
  return { ...procedure, body: block(procedure.body) };
}

/** `result = if at == 0 then first else if at == 1 then second .. else last` */
function chosen(result: Var, at: Atom, items: readonly Atom[], names: FlatNames): readonly Stmt[] {
  const choice = (place: number): Block => {
    const [item, ...others] = items.slice(place);
    if (item === undefined) return yieldOf([], []);
    if (others.length === 0) return yieldOf([], [item]);
    const isHere: Var = { name: names.fresh({ stem: names.temporary, suffix: "" }), rep: bool };
    const test = letOf(isHere, { kind: "prim", op: "eqZ", args: [at, intAtom(place)], site: null });
    return {
      stmts: [test],
      end: { kind: "if", cond: atomOf(isHere), then: yieldOf([], [item]), else: choice(place + 1) },
    };
  };
  const { stmts, end } = choice(0);
  return [...stmts, { kind: "choose", results: [result], end }];
}

/** The arrays of few numbers that are written out, by name: those that are read at computed indices, and, but for those of one item, only where they are made, not in loops in there. */
function readAlone({ body }: Procedure): ReadonlyMap<string, Items> {
  const found = new Map<string, Items>();
  const computed = new Set<string>();
  const drop = (atom: Atom): void => {
    if (atom.kind === "var") found.delete(atom.variable.name);
  };
  /** `own`: the arrays that are made in the same iteration. */
  const visit = ({ stmts, end }: Block, own: Set<string>): void => {
    const use = (array: Atom, index: Atom): void => {
      if (array.kind !== "var" || (own.has(array.variable.name) && index.kind === "int")) return;
      // The only item takes no choice
      const isOnly = found.get(array.variable.name)?.items.length === 1;
      if (own.has(array.variable.name) || isOnly) computed.add(array.variable.name);
      else drop(array);
    };
    for (const stmt of stmts) {
      if (stmt.kind === "let" && stmt.op.kind === "array" && isFew(stmt.op)) {
        found.set(stmt.result.name, stmt.op);
        own.add(stmt.result.name);
      } else if (stmt.kind === "let" && stmt.op.kind === "cell") use(stmt.op.array, stmt.op.index);
      else if (stmt.kind !== "check" && !(stmt.kind === "let" && stmt.op.kind === "length"))
        atomsOf(stmt).forEach(drop);
      const isLoop = stmt.kind === "loop" || stmt.kind === "for";
      for (const inner of blocksOf(stmt)) visit(inner, isLoop ? new Set() : own);
    }
    if (end.kind === "yield" || end.kind === "next") end.values.forEach(drop);
    for (const inner of branchesOf(end)) visit(inner, own);
  };
  visit(body, new Set());
  return new Map([...found].filter(([name]) => computed.has(name)));
}

function isFew({ element, items }: Items): boolean {
  return element.kind === "real" && items.length > 0 && items.length <= mostIterations;
}

/** Which integers a variable may be, where choices between literals say so. */
class PossibleValues {
  readonly #sources = new Map<string, readonly Atom[]>();

  constructor(body: Block) {
    for (const { stmts } of allBlocks(body)) {
      for (const stmt of stmts) {
        if (stmt.kind !== "choose") continue;
        const ends = [...endsOf({ stmts: [], end: stmt.end })];
        for (const [index, { name }] of stmt.results.entries())
          this.#sources.set(
            name,
            ends.flatMap(({ values }) => values[index] ?? []),
          );
      }
    }
  }

  /** All of them; null where they are not known. */
  of(atom: Atom): readonly number[] | null {
    const seen = new Set<string>();
    const found = new Set<number>();
    const waiting = [atom];
    for (const next of waiting) {
      if (next.kind === "int") found.add(next.value);
      if (next.kind !== "var" || seen.has(next.variable.name)) continue;
      seen.add(next.variable.name);
      const sources = this.#sources.get(next.variable.name);
      if (sources === undefined) return null;
      waiting.push(...sources);
    }
    return [...found];
  }
}
