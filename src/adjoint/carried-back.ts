// Arrays whose cotangents the reverse sweep has for itself: the forward sweep has nothing of them, and nothing is saved. They are arrays of reals, of such
// arrays, and so on.
//
// The reverse sweep of a counted loop carries them itself, back from its last round to its first:
//
//   r = for i < n (y = u) { .. y ! i ..; [y1] = ..; y1 }
//
//   let y1_ = r_; for (i = n - 1 ..) { y_ = zeros; .. y_[i] += y1_[..] ..; y1_ = y_ }; u_ += y1_
//
// And it makes those of the rows that a loop makes all at once, when the loop is done:
//
//   [a] = for i < n { .. [row] = for ..; yield row }
//
//   a_ = zeros like a; .. for (i = n - 1 ..) { row_ = a_[i]; .. }
//
// That is so where an iteration only reads elements of y: nothing else holds the cotangents of y then. And not where an iteration may hand on an array from outside
// of it: it does so in one step, but all the cotangents would be carried back from one array to the other.

import { isRecurrent } from "../flat/free-variables.js";
import { atomOf } from "../flat/build.js";
import { isOfReals } from "../flat/list-types.js";
import type { Atom, Procedure, Stmt, Var } from "../flat/program.js";
import type { SameLengths } from "../flat/same-lengths.js";
import { allBlocks, atomsOf, boundBy, boundInside, endsOf, operands } from "../flat/traverse.js";

type For = Stmt & { readonly kind: "for" };

/** How many elements an array that a loop carries has: `atom` is bound in front of the loop. */
type Size = { readonly kind: "count"; readonly atom: Atom } | { readonly kind: "lengthOf"; readonly array: Var };

export class CarriedBack {
  /** The parameters of loops, by name. */
  readonly params: ReadonlySet<string>;
  /** The arrays of rows that loops make, by name. */
  readonly made: ReadonlySet<string>;
  readonly #lengths: SameLengths;
  /** The counts of the loops that make arrays. */
  readonly #counts: ReadonlyMap<string, Atom>;

  /** `hasStore`: whether an array has cotangents. `lengths`: which arrays of the program are equally long. */
  constructor(procedure: Procedure, hasStore: (variable: Var) => boolean, lengths: SameLengths) {
    const found = carriedBackIn(procedure, hasStore);
    this.params = found.params;
    this.made = found.made;
    const stmts = [...allBlocks(procedure.body)].flatMap((block) => block.stmts);
    this.#lengths = lengths;
    this.#counts = new Map(
      stmts.flatMap((stmt) =>
        stmt.kind === "for" ? stmt.arrays.map(({ name }): [string, Atom] => [name, stmt.count]) : [],
      ),
    );
  }

  /**
   * The sizes that parameter `index` of a loop has in one iteration or another, all known in front of the loop, and none of them twice; none where one must
   * look at it in each iteration.
   */
  sizesOf(loop: For, index: number): readonly Size[] {
    const { init, body, params } = loop;
    const { [index]: own } = params;
    if (body.end.kind !== "yield" || own === undefined || !isRealArray(own)) return [];
    const bound = boundIn(loop);
    const sizes: Size[] = [];
    const seen = new Set<number>();
    // What an iteration hands on may be another one of its parameters
    for (let at = index; !seen.has(at);) {
      seen.add(at);
      const [first, next] = [init[at], body.end.values[at]];
      if (first?.kind !== "var" || next?.kind !== "var") return [];
      sizes.push({ kind: "lengthOf", array: first.variable });
      const param = loop.params.findIndex(({ name }) => name === next.variable.name);
      if (param === -1) {
        const atom = this.#counts.get(next.variable.name);
        if (atom === undefined || bound.has(nameOf(atom))) return [];
        sizes.push({ kind: "count", atom });
        break;
      }
      at = param;
    }
    return this.#different(sizes);
  }

  /** One of each length, a count where there is one. */
  #different(sizes: readonly Size[]): readonly Size[] {
    const counts = sizes.filter((size) => size.kind === "count");
    const different = new Map<string, Size>();
    for (const size of [...counts, ...sizes]) {
      const text = this.#lengths.textOf(size.kind === "count" ? size.atom : atomOf(size.array));
      if (!different.has(text)) different.set(text, size);
    }
    return [...different.values()];
  }
}

/** By name, the parameters of loops that are carried back, and the arrays of rows that loops make whose stores the reverse sweep makes. */
interface Found {
  readonly params: Set<string>;
  readonly made: Set<string>;
}

function carriedBackIn(procedure: Procedure, hasStore: (variable: Var) => boolean): Found {
  const loops = [...allBlocks(procedure.body)].flatMap(({ stmts }) => stmts.filter((stmt) => stmt.kind === "for"));
  const found: Found = { params: new Set(), made: new Set() };
  for (const loop of loops) {
    loop.arrays.forEach((array, index) => {
      if (isRows(array) && hasStore(array) && rowOf(loop, index) !== null && !isRecurrent(loop))
        found.made.add(array.name);
    });
    loop.params.forEach((param, index) => {
      const isOne = isRealArray(param) || (isRows(param) && loop.body.end.kind === "yield");
      if (isOne && hasStore(param) && isMadeAnew(loop, index)) found.params.add(param.name);
    });
  }
  // What a loop in an iteration carries on is held where that loop does not carry it back
  for (let size = -1; size !== found.params.size + found.made.size;) {
    size = found.params.size + found.made.size;
    const held = heldIn(procedure, found);
    for (const loop of loops) {
      loop.arrays.forEach((array, index) => {
        const row = rowOf(loop, index);
        const isKnown = row !== null && (isRealArray(row) || found.made.has(row.name));
        if (held.has(array.name) || (row !== null && held.has(row.name)) || !isKnown) found.made.delete(array.name);
      });
      loop.params.forEach((param, index) => {
        const isLost = held.has(param.name) || (isRows(param) && !isRowsAnew(loop, index, held, found));
        if (isLost) found.params.delete(param.name);
      });
    }
  }
  return found;
}

/** The array that each iteration of a loop makes by a loop of its own, and adds to array `index`; null where it does otherwise. */
function rowOf({ params, body }: For, index: number): Var | null {
  const value = body.end.kind === "yield" ? body.end.values[params.length + index] : undefined;
  if (value?.kind !== "var") return null;
  const made = body.stmts.some((stmt) => stmt.kind === "for" && stmt.arrays.some(({ name }) => name === value.variable.name)); // prettier-ignore
  return made ? value.variable : null;
}

/** Whether each iteration hands on rows that a loop has made, or a parameter, and nothing holds the last ones. */
function isRowsAnew(
  { params, results, body }: For,
  index: number,
  held: ReadonlySet<string>,
  { made }: Found,
): boolean {
  const result = results[index];
  const value = body.end.kind === "yield" ? body.end.values[index] : undefined;
  const next = nameOf(value);
  return result !== undefined && !held.has(result.name) && (made.has(next) || params.some(({ name }) => name === next));
}

/** Whether each iteration hands on at an index what it has made, or what it has got there; or all iterations the same one of their parameters. */
function isMadeAnew({ params, body }: For, index: number): boolean {
  const made = new Set([...allBlocks(body)].flatMap(({ stmts }) => stmts.flatMap(boundBy)).map(({ name }) => name));
  const handed = body.end.kind === "yield" ? params : params.slice(index, index + 1);
  for (const { name } of handed) made.add(name);
  return [...endsOf(body)].every(({ values }) => values.slice(index, index + 1).every((value) => made.has(nameOf(value)))); // prettier-ignore
}

/** The variables that something else than a read of an element holds, given what is carried back. */
function heldIn(procedure: Procedure, { params, made }: Found): ReadonlySet<string> {
  const held = new Set<string>();
  /** By the name of a row the array that it is in. */
  const wholes = new Map<string, string>();
  const hold = (atom: Atom): void => {
    if (atom.kind === "var") held.add(atom.variable.name);
  };
  const isHeld = (stmt: For) => (_: Atom, index: number) => {
    const array = stmt.arrays[index - stmt.params.length];
    return array === undefined ? !params.has(stmt.params[index]?.name ?? "") : !made.has(array.name);
  };
  const visit = (stmt: Stmt): void => {
    switch (stmt.kind) {
      case "let":
        if (stmt.op.kind === "cell" && isRows(stmt.op.array)) wholes.set(stmt.result.name, nameOf(stmt.op.array));
        else if (stmt.op.kind !== "cell" && stmt.op.kind !== "length") operands(stmt.op).forEach(hold);
        return;
      case "for":
        stmt.init.filter(isHeld(stmt)).forEach(hold);
        return;
      case "check":
        return;
      default:
        atomsOf(stmt).forEach(hold);
    }
  };
  const bodies = new Map<unknown, For>();
  for (const block of allBlocks(procedure.body)) {
    for (const stmt of block.stmts) {
      visit(stmt);
      if (stmt.kind !== "for") continue;
      for (const end of endsOf(stmt.body)) bodies.set(end, stmt);
    }
    const { end } = block;
    if (end.kind !== "yield" && end.kind !== "next") continue;
    const loop = bodies.get(end);
    end.values.filter(loop === undefined ? () => true : isHeld(loop)).forEach(hold);
  }
  for (const start of [...held]) {
    for (let name = wholes.get(start); name !== undefined && !held.has(name); name = wholes.get(name)) held.add(name);
  }
  return held;
}

/** Whether a variable is an array of reals. */
function isRealArray({ rep }: Var): boolean {
  return rep.kind === "array" && rep.element.kind === "real";
}

/** Whether a value is an array of arrays of reals, or of such arrays in turn. */
function isRows(value: Atom | Var): boolean {
  const rep = "rep" in value ? value.rep : value.kind === "var" ? value.variable.rep : null;
  return rep?.kind === "array" && rep.element.kind === "array" && isOfReals(rep.element);
}

/** The names of what is bound in the iterations of a loop. */
function boundIn(loop: For): ReadonlySet<string> {
  const stmts = [...allBlocks(loop.body)].flatMap((block) => block.stmts);
  const variables = [loop, ...stmts].flatMap((stmt) => [...boundInside(stmt), ...(stmt === loop ? [] : boundBy(stmt))]);
  return new Set(variables.map(({ name }) => name));
}

/** What an atom is called; a literal by its value. */
function nameOf(atom: Atom | undefined): string {
  if (atom === undefined) return "";
  return atom.kind === "var" ? atom.variable.name : `${atom.kind} ${atom.value}`;
}
