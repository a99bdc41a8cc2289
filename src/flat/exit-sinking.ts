// Exit sinking: code sinking (of compilers for imperative languages) out of a loop.
//
// What a loop does in its last iteration alone stands behind it: nothing of the iterations before is needed for its derivative then.
//
//   r = loop (i = 0) { x = ..; c = ..; if c then { y = f x; yield y } else { ..; next i' } }
//     =>   x' = loop (i = 0) { x = ..; c = ..; if c then { yield x } else { ..; next i' } }; r = f x'
//
// What only the last iteration uses of what every iteration computes goes with it, where that cannot fail. Where there are several ways out, the loop says which it went:
//
//   r = loop (i = 0) { ..; if c then { y = f i; yield y } else { ..; if d then { z = g i; yield z } else { ..; next i' } } }
//     =>   way, j = loop (i = 0) { ..; if c then yield 0, i else { ..; if d then yield 1, i else { ..; next i' } } }
//          r = if way == 0 then { y = f j; yield y } else { z = g j; yield z }

import { InternalError } from "../internal-error.js";
import { atomOf, intAtom, letOf, yieldOf } from "./build.js";
import { Copy } from "./copy.js";
import { freeVariables } from "./free-variables.js";
import { FlatNames } from "./naming.js";
import {
  bool,
  int,
  type Atom,
  type Block,
  type Operation,
  type Program,
  type Rep,
  type Stmt,
  type Var,
} from "./program.js";
import { isPure } from "./pure.js";
import { withLoopsRewritten, type Loop } from "./rewrite-loops.js";
import { allBlocks, allNames, allStmts, atomsOf, boundBy, branchesOf, goesOn, mapBlocks, operands } from "./traverse.js"; // prettier-ignore

type Let = Stmt & { readonly kind: "let" };

/** The program, with the same meaning. `names` are those of the program. */
export function withExitsBehind(program: Program, names = new FlatNames(allNames(program))): Program {
  return withLoopsRewritten(program, (loop) => (loop.kind === "loop" ? taken(loop, names) : null));
}

/** A way out of a loop: the block that is left of it there, and what is done behind the loop. */
interface Way {
  readonly exit: Block;
  readonly behind: Block;
}

/** The loop, and behind it what it did in its last iteration; null where that is nothing, or cannot be told apart. */
function taken(loop: Loop, names: FlatNames): readonly Stmt[] | null {
  const exits = exitsOf(loop.body);
  if (exits.includes(loop.body) || exits.every(isTrivial)) return null;
  // What a recursion makes in each iteration is needed in any case
  if (exits.length > (loop.arrays.length === 0 ? mostWays : 1)) return null;
  let { body } = loop;
  const ways = exits.map((exit): Way => {
    const parts = sunk(body, exit, names);
    ({ body } = parts);
    return { exit, behind: parts.behind };
  });
  const inside = boundInside(loop, ways);
  const needed = new Map(ways.flatMap(({ behind }) => freeVariables(behind)).filter(({ name }) => inside.has(name)).map((variable) => [variable.name, variable])); // prettier-ignore
  const like = (stem: string, rep: Rep): Var => ({ name: names.fresh({ stem, suffix: "" }), rep });
  const results = new Map([...needed.values()].map((variable) => [variable.name, like(variable.name, variable.rep)]));
  const way = like("way", int);
  const isSole = ways.length === 1;
  for (const [place, { exit }] of ways.entries()) {
    const scope = scopeOf(loop, body, exit);
    const values = [...needed.values()].map((variable) => valueAt(variable, scope));
    if (values.includes(null)) return null;
    const told = isSole ? [] : [intAtom(place)];
    body = replaced(body, exit, yieldOf([], [...told, ...values.filter((value) => value !== null)]));
  }
  const copy = new Copy(null, new Map([...results].map(([name, result]) => [name, atomOf(result)])));
  const left: Loop = { ...loop, body, results: [...(isSole ? [] : [way]), ...results.values()] };
  const blocks = ways.map(({ behind }) => copy.block(behind));
  return [left, ...inPlace(chosen(way, blocks, names), loop.results)];
}

/** Loops with more ways out stay as they are. */
const mostWays = 4;

function isTrivial({ stmts, end }: Block): boolean {
  return stmts.length === 0 && end.kind === "yield";
}

/** A variable where it is in scope, a number that nobody asks for where it is not; null where cotangents might come back to that. */
function valueAt(variable: Var, scope: readonly Var[]): Atom | null {
  const { name, rep } = variable;
  if (scope.some((other) => other.name === name)) return atomOf(variable);
  if (rep.kind === "int") return intAtom(0);
  return rep.kind === "bool" ? { kind: "bool", value: false } : null;
}

/** What a loop binds in front of one of the ways out. */
function scopeOf(loop: Loop, body: Block, exit: Block): readonly Var[] {
  const scope = [...loop.params];
  for (let block = body; block !== exit;) {
    scope.push(...block.stmts.flatMap(boundBy));
    const next = branchesOf(block.end).find((branch) => leadsTo(branch, exit));
    if (next === undefined) break;
    block = next;
  }
  return scope;
}

/** Statements that do what a block does, and bind what it yields. */
function inPlace({ stmts, end }: Block, results: readonly Var[]): readonly Stmt[] {
  if (end.kind !== "yield") return [...stmts, { kind: "choose", results, end }];
  const copies = end.values.flatMap((value, index) => results.slice(index, index + 1).map((result) => letOf(result, { kind: "copy", value }))); // prettier-ignore
  return [...stmts, ...copies];
}

/** The block of the way that a loop went: of several, `way` is the number. */
function chosen(way: Var, [first, ...others]: readonly Block[], names: FlatNames, place = 0): Block {
  if (first === undefined) throw new InternalError("exit-sinking", "a loop has no way out");
  if (others.length === 0) return first;
  const isThis: Var = { name: names.fresh({ stem: "isThis", suffix: "" }), rep: bool };
  const test = letOf(isThis, { kind: "prim", op: "eqZ", args: [atomOf(way), intAtom(place)], site: null });
  return { stmts: [test], end: { kind: "if", cond: atomOf(isThis), then: first, else: chosen(way, others, names, place + 1) } }; // prettier-ignore
}

/** The outermost blocks behind which there is no next iteration. */
function exitsOf(block: Block): readonly Block[] {
  return goesOn(block) ? branchesOf(block.end).flatMap(exitsOf) : [block];
}

/** The body of a loop without what only its exit uses, and the exit with that in front of it; what is merely read is read again. */
function sunk(body: Block, exit: Block, names: FlatNames): { readonly body: Block; readonly behind: Block } {
  const own = new Set(allBlocks(exit));
  const elsewhere = new Uses();
  for (const block of allBlocks(body))
    if (!own.has(block)) for (const atoms of usedBy(block)) elsewhere.count(atoms, 1);
  const inside = new Uses();
  for (const block of own) for (const atoms of usedBy(block)) inside.count(atoms, 1);
  const moved: Let[] = [];
  const again = new Map<string, Atom>();
  const isKept = (stmt: Stmt): boolean => {
    if (stmt.kind !== "let" || !isPure(stmt)) return true;
    const { result, op } = stmt;
    const isUsed = elsewhere.has(result);
    if (isUsed && !(inside.has(result) && isRead(op))) return true;
    const copy: Var = isUsed ? { name: names.fresh({ stem: result.name, suffix: "" }), rep: result.rep } : result;
    if (isUsed) again.set(result.name, atomOf(copy));
    else elsewhere.count(operands(op), -1);
    inside.count(operands(op), 1);
    moved.push({ ...stmt, result: copy });
    return isUsed;
  };
  const without = (block: Block): Block => {
    if (block === exit || !leadsTo(block, exit)) return block;
    const end = mapBlocks(block.end, without);
    return { stmts: block.stmts.toReversed().filter(isKept).toReversed(), end };
  };
  const left = without(body);
  const behind = new Copy(null, again).block({ stmts: [...moved.toReversed(), ...exit.stmts], end: exit.end });
  return { body: left, behind };
}

/** Whether an operation reads what is there: that is as good as a variable. */
function isRead({ kind }: Operation): boolean {
  return kind === "field" || kind === "cell" || kind === "length";
}

/** How often variables are used. */
class Uses {
  readonly #counts = new Map<string, number>();

  count(atoms: readonly Atom[], by: number): void {
    for (const atom of atoms) {
      if (atom.kind !== "var") continue;
      const { name } = atom.variable;
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + by);
    }
  }

  has({ name }: Var): boolean {
    return (this.#counts.get(name) ?? 0) > 0;
  }
}

function leadsTo(block: Block, target: Block): boolean {
  return block === target || branchesOf(block.end).some((branch) => leadsTo(branch, target));
}

/** The atoms that a block uses, but for those in blocks that it holds. */
function* usedBy({ stmts, end }: Block): Generator<readonly Atom[]> {
  for (const stmt of stmts) {
    yield atomsOf(stmt);
    if (stmt.kind === "choose") yield* usedBy({ stmts: [], end: stmt.end });
  }
  if (end.kind === "if") yield [end.cond];
  else if (end.kind === "switch") yield [end.object];
  else yield end.values;
}

/** The names that a loop binds, but for those that are bound behind it from now on. */
function boundInside(loop: Loop, ways: readonly Way[]): ReadonlySet<string> {
  const inside = new Set(loop.params.map(({ name }) => name));
  for (const { name } of allStmts(loop.body).flatMap(boundBy)) inside.add(name);
  for (const { behind } of ways) for (const { name } of allStmts(behind).flatMap(boundBy)) inside.delete(name);
  return inside;
}

function replaced(block: Block, target: Block, by: Block): Block {
  if (block === target) return by;
  return leadsTo(block, target)
    ? { ...block, end: mapBlocks(block.end, (inner) => replaced(inner, target, by)) }
    : block;
}
