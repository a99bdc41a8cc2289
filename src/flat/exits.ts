// What a loop does in its last round alone stands behind it: nothing of the rounds before is needed for its derivative then.
//
//   r = loop (i = 0) { x = ..; c = ..; if c then { y = f x; yield y } else { ..; next i' } }
//     =>   x' = loop (i = 0) { x = ..; c = ..; if c then { yield x } else { ..; next i' } }; r = f x'
//
// What only the last round uses of what every round computes goes with it, where that cannot fail.

import { atomOf, letOf } from "./build.js";
import { Copy } from "./copy.js";
import { withoutDeadCode } from "./dead-code.js";
import { freeVariables } from "./free-variables.js";
import { FlatNames } from "./naming.js";
import type { Atom, Block, Program, Stmt, Var } from "./program.js";
import { isPure } from "./pure.js";
import { refine } from "./refine.js";
import { allBlocks, allNames, atomsOf, boundBy, branchesOf, mapBlocks, operands } from "./traverse.js";

type Loop = Stmt & { readonly kind: "loop" };

/** The program, with the same meaning. `names` are those of the program. */
export function withExitsBehind(program: Program, names = new FlatNames(allNames(program))): Program {
  let changes = 0;
  const block = ({ stmts, end }: Block): Block => ({ stmts: stmts.flatMap(statement), end: mapBlocks(end, block) });
  const statement = (stmt: Stmt): readonly Stmt[] => {
    switch (stmt.kind) {
      case "choose":
        return [{ ...stmt, end: mapBlocks(stmt.end, block) }];
      case "for":
        return [{ ...stmt, body: block(stmt.body) }];
      case "loop": {
        const inner: Loop = { ...stmt, body: block(stmt.body) };
        const stmts = taken(inner, names);
        if (stmts !== null) changes += 1;
        return stmts ?? [inner];
      }
      default:
        return [stmt];
    }
  };
  const procedures = program.procedures.map((procedure) => {
    const before = changes;
    const next = { ...procedure, body: block(procedure.body) };
    return changes === before ? procedure : withoutDeadCode(refine(next, names));
  });
  return { ...program, procedures };
}

/** The loop, and behind it what it did in its last round; null where that is nothing, or where there are several ways out. */
function taken(loop: Loop, names: FlatNames): readonly Stmt[] | null {
  const [exit, ...others] = exitsOf(loop.body);
  if (exit === undefined || others.length > 0 || exit === loop.body) return null;
  if (exit.stmts.length === 0 && exit.end.kind === "yield") return null;
  const { body, behind } = sunk(loop.body, exit);
  const inside = boundInside(loop, behind);
  const needed = freeVariables(behind).filter(({ name }) => inside.has(name));
  const results = needed.map((variable): Var => ({ name: names.fresh({ stem: variable.name, suffix: "" }), rep: variable.rep })); // prettier-ignore
  const left: Block = { stmts: [], end: { kind: "yield", values: needed.map(atomOf) } };
  const atoms = new Map(results.map((result, index) => [needed[index]?.name ?? "", atomOf(result)]));
  const { stmts, end } = new Copy(null, atoms).block(behind);
  return [
    { ...loop, body: replaced(body, exit, left), results },
    ...stmts,
    ...(end.kind === "yield"
      ? end.values.flatMap((value, index) => loop.results.slice(index, index + 1).map((result) => letOf(result, { kind: "copy", value }))) // prettier-ignore
      : [{ kind: "choose", results: loop.results, end } as const]),
  ];
}

/** The outermost blocks behind which there is no next round. */
function exitsOf(block: Block): readonly Block[] {
  return goesOn(block) ? branchesOf(block.end).flatMap(exitsOf) : [block];
}

function goesOn({ end }: Block): boolean {
  return end.kind === "next" || branchesOf(end).some(goesOn);
}

/** The body of a loop without what only its exit uses, and the exit with that in front of it. */
function sunk(body: Block, exit: Block): { readonly body: Block; readonly behind: Block } {
  const uses = new Map<string, number>();
  const count = (atoms: readonly Atom[], by: number): void => {
    for (const atom of atoms)
      if (atom.kind === "var") uses.set(atom.variable.name, (uses.get(atom.variable.name) ?? 0) + by);
  };
  const own = new Set(allBlocks(exit));
  for (const inner of allBlocks(body)) if (!own.has(inner)) for (const atoms of usedBy(inner)) count(atoms, 1);
  const moved: Stmt[] = [];
  const without = (block: Block): Block => {
    if (block === exit || !leadsTo(block, exit)) return block;
    const end = mapBlocks(block.end, without);
    const stmts = block.stmts
      .toReversed()
      .filter((stmt) => {
        if (stmt.kind !== "let" || !isPure(stmt) || (uses.get(stmt.result.name) ?? 0) > 0) return true; // prettier-ignore
        count(operands(stmt.op), -1);
        moved.push(stmt);
        return false;
      })
      .toReversed();
    return { stmts, end };
  };
  const left = without(body);
  return { body: left, behind: { stmts: [...moved.toReversed(), ...exit.stmts], end: exit.end } };
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
function boundInside(loop: Loop, behind: Block): ReadonlySet<string> {
  const inside = new Set(loop.params.map(({ name }) => name));
  for (const { stmts } of allBlocks(loop.body)) for (const { name } of stmts.flatMap(boundBy)) inside.add(name);
  for (const { stmts } of allBlocks(behind)) for (const { name } of stmts.flatMap(boundBy)) inside.delete(name);
  return inside;
}

function replaced(block: Block, target: Block, by: Block): Block {
  if (block === target) return by;
  return leadsTo(block, target)
    ? { ...block, end: mapBlocks(block.end, (inner) => replaced(inner, target, by)) }
    : block;
}
