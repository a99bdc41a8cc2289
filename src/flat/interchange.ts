// Loop interchange, of loops that carry arrays (`map f . map g = map (f . g)`, iterated).
//
// A loop whose iterations make arrays from those of the iteration before, element by element, is a loop over the elements, each of which goes through all iterations
// by itself (`iterate n (map step) xs` is `map (iterate n step) xs`): what it goes through is a few variables, not arrays.
//
//   [r] = for i < n (y = x) { m = length y; [z] = for k < m { p = y ! k; ..; yield q }; yield z }
//     =>   m = length x; [r] = for k < m { a = x ! k; s = for i < n (p = a) { ..; yield q }; yield s }

import { atomOf, isScalar, isVariable, letOf, yieldOf } from "./build.js";
import { Copy } from "./copy.js";
import { FlatNames } from "./naming.js";
import type { Atom, Block, Program, Rep, Stmt, Var } from "./program.js";
import { isPureBlock } from "./pure.js";
import { withLoopsRewritten, type For } from "./rewrite-loops.js";
import { sameLengths } from "./same-lengths.js";
import { allBlocks, allNames, atomsOf, mapBlocks } from "./traverse.js";

type Let = Stmt & { readonly kind: "let" };

/** The program, with the same meaning. `names` are those of the program. */
export function interchange(program: Program, names = new FlatNames(allNames(program))): Program {
  const lengths = sameLengths(program);
  return withLoopsRewritten(program, (loop) =>
    loop.kind === "for" ? interchanged(loop, lengths.areAlike(loop), names) : null,
  );
}

/** A loop over the elements in place of one over iterations; null where elements are not made each from its own alone. */
function interchanged(iterations: For, areAlike: boolean, names: FlatNames): readonly Stmt[] | null {
  const { params, init, body, results, arrays, count, index } = iterations;
  const maker = body.stmts.at(-1);
  const lengths = body.stmts.slice(0, -1).filter((stmt): stmt is Let => stmt.kind === "let");
  if (maker?.kind !== "for" || maker.params.length > 0 || arrays.length > 0 || params.length === 0) return null;
  if (lengths.length !== body.stmts.length - 1 || !lengths.every(({ op }) => isLengthOfOne(op, params))) return null;
  // Of arrays of different lengths, the first iteration makes arrays of one
  if (!areAlike || !lengths.some(({ result }) => isVariable(maker.count, result)) || !isPureBlock(maker.body))
    return null;
  const { end } = body;
  const isHandedOn = end.kind === "yield" && params.every((_, place) => isSame(end.values[place], maker.arrays[place]));
  if (!isHandedOn || maker.arrays.length !== params.length || !params.every(({ rep }) => isScalar(elementOf(rep)))) return null; // prettier-ignore

  const elements = new Map<string, Atom>();
  const own: Var[] = params.map(({ name, rep }) => ({ name: names.fresh({ stem: name, suffix: "" }), rep: elementOf(rep) })); // prettier-ignore
  const step = withoutReads(maker, params, own, elements);
  if (mentions(step, params)) return null;

  const like = (variable: Var, rep: Rep): Var => ({ name: names.fresh({ stem: variable.name, suffix: "" }), rep });
  const starts = params.map((param) => like(param, elementOf(param.rep)));
  const last = results.map((result) => like(result, elementOf(result.rep)));
  const copied = new Copy(null, elements).block(step);
  const inner: For = { kind: "for", index, count, params: own, init: starts.map(atomOf), body: yielding(copied, own, names), results: last, arrays: [] }; // prettier-ignore
  const reads = starts.map((start, place) => letOf(start, { kind: "cell", array: init[place] ?? atomOf(start), index: atomOf(maker.index) })); // prettier-ignore
  const outside = new Copy(null, new Map(params.map((param, place) => [param.name, init[place] ?? atomOf(param)])));
  return [...outside.stmts(lengths), { ...maker, body: yieldOf([...reads, inner], last.map(atomOf)), arrays: results }];
}

/** A block that ends in what another one yields. */
function yielding({ stmts, end }: Block, like: readonly Var[], names: FlatNames): Block {
  if (end.kind === "yield") return { stmts, end };
  const chosen = like.map(({ name, rep }): Var => ({ name: names.fresh({ stem: name, suffix: "" }), rep }));
  return yieldOf([...stmts, { kind: "choose", results: chosen, end }], chosen.map(atomOf));
}

/** The body of a loop without what reads its own elements of arrays; `elements` gets what takes the place of these. */
function withoutReads(
  { index, body }: For,
  arrays: readonly Var[],
  own: readonly Var[],
  elements: Map<string, Atom>,
): Block {
  const isRead = (stmt: Stmt): boolean => {
    if (stmt.kind !== "let" || stmt.op.kind !== "cell" || !isVariable(stmt.op.index, index)) return false;
    const { array } = stmt.op;
    const element = own[arrays.findIndex((other) => isVariable(array, other))];
    if (element !== undefined) elements.set(stmt.result.name, atomOf(element));
    return element !== undefined;
  };
  const block = ({ stmts, end }: Block): Block => ({
    stmts: stmts.filter((stmt) => !isRead(stmt)).map(statement),
    end: mapBlocks(end, block),
  });
  const statement = (stmt: Stmt): Stmt => {
    if (stmt.kind === "choose") return { ...stmt, end: mapBlocks(stmt.end, block) };
    return stmt.kind === "for" || stmt.kind === "loop" ? { ...stmt, body: block(stmt.body) } : stmt;
  };
  return block(body);
}

function mentions(root: Block, variables: readonly Var[]): boolean {
  const isOne = (atom: Atom): boolean => variables.some((variable) => isVariable(atom, variable));
  for (const { stmts, end } of allBlocks(root)) {
    if (stmts.some((stmt) => atomsOf(stmt).some(isOne))) return true;
    if ((end.kind === "yield" || end.kind === "next") && end.values.some(isOne)) return true;
  }
  return false;
}

function isLengthOfOne(op: Let["op"], params: readonly Var[]): boolean {
  return op.kind === "length" && params.some((param) => isVariable(op.array, param));
}

function isSame(atom: Atom | undefined, variable: Var | undefined): boolean {
  return variable !== undefined && isVariable(atom, variable);
}

function elementOf(rep: Rep): Rep {
  return rep.kind === "array" ? rep.element : rep;
}
