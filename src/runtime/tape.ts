// The tape of SV25 §10.3: for each cell its value and up to two contributions, (partial derivative, cell that it is passed on to). Cell 0 is
// no scalar's: contributions that are absent go there, with a partial of 0.

import { cost } from "./cost.js";
import { endless } from "./limits.js";

/** A finished tape: cell i passes partials[2i] times its cotangent on to parents[2i], and partials[2i + 1] to parents[2i + 1]. */
export interface Tape {
  readonly size: number;
  readonly partials: Float64Array;
  readonly parents: Int32Array;
}

let capacity = 1024;
let size = 1;
let values = new Float64Array(capacity);
let partials = new Float64Array(2 * capacity);
let parents = new Int32Array(2 * capacity);
let scratch = new Float64Array(capacity);

/** Starts a tape, over whatever an earlier run left. */
export function startTape(): void {
  size = 1;
}

function growTape(): void {
  if (capacity === 2 ** 25) endless(capacity);
  capacity *= 2;
  const grown = new Float64Array(capacity);
  grown.set(values);
  values = grown;
  const grownPartials = new Float64Array(2 * capacity);
  grownPartials.set(partials);
  partials = grownPartials;
  const grownParents = new Int32Array(2 * capacity);
  grownParents.set(parents);
  parents = grownParents;
}

/** A cell without contributions: of an input or a literal. */
export function leaf(value: number): number {
  return push2(value, 0, 0, 0, 0);
}

/** A cell with one contribution. */
export function push1(value: number, partial: number, parent: number): number {
  return push2(value, partial, parent, 0, 0);
}

/** A cell with two contributions. */
export function push2(value: number, partial1: number, parent1: number, partial2: number, parent2: number): number {
  cost.arrayOperations += 1; // cost
  if (size === capacity) growTape();
  const cell = size;
  const at = 2 * cell;
  values[cell] = value;
  partials[at] = partial1;
  parents[at] = parent1;
  partials[at + 1] = partial2;
  parents[at + 1] = parent2;
  size = cell + 1;
  return cell;
}

/** The value of a cell of the current tape. */
export function valueOf(cell: number): number {
  return values[cell] as number;
}

/** A copy of the current tape, for a pullback to keep. */
export function saveTape(): Tape {
  return { size, partials: partials.slice(0, 2 * size), parents: parents.slice(0, 2 * size) };
}

/** Zero cotangents for all cells of a saved tape, as `zeroCotangents` has them. */
export function cotangentsFor(tape: Tape): Float64Array {
  return zeroCotangents(tape.size);
}

/** Zero cotangents for all cells of the current tape, as `zeroCotangents` has them. */
export function currentCotangents(): Float64Array {
  return zeroCotangents(size);
}

/** Zeros in memory that the next sweep uses again: none outlives the gradient that is read off it. */
function zeroCotangents(cells: number): Float64Array {
  cost.arrayOperations += cells; // cost
  if (scratch.length < cells) scratch = new Float64Array(2 * cells);
  else scratch.fill(0, 0, cells);
  return scratch;
}

/** Adds to the cotangent of a cell. */
export function seed(cotangents: Float64Array, cell: number, addend: number): null {
  cost.arrayOperations += 1; // cost
  (cotangents[cell] as number) += addend;
  return null;
}

/** The cotangent of a cell. */
export function cotangentOf(cotangents: Float64Array, cell: number): number {
  return cotangents[cell] as number;
}

/** The cotangents of cells. */
export function cotangentsOf(cotangents: Float64Array, cells: readonly number[]): Float64Array {
  const found = new Float64Array(cells.length);
  for (let i = 0; i < found.length; i++) found[i] = cotangents[cells[i] as number] as number;
  return found;
}

/** Passes cotangents on, from the last cell down. */
export function sweep(tape: Tape, cotangents: Float64Array): void {
  sweepCells(tape.size, tape.partials, tape.parents, cotangents);
}

/** The same for the current tape. */
export function sweepCurrent(cotangents: Float64Array): void {
  sweepCells(size, partials, parents, cotangents);
}

/** A zero cotangent contributes nothing, whatever the partials are; nor does a zero partial, whatever the cotangent is. */
function sweepCells(size: number, partials: Float64Array, parents: Int32Array, cotangents: Float64Array): void {
  for (let cell = size - 1; cell > 0; cell--) {
    cost.arrayOperations += 1; // cost
    const cotangent = cotangents[cell] as number;
    if (cotangent === 0) continue;
    const at = 2 * cell;
    const partial1 = partials[at] as number;
    if (partial1 !== 0) (cotangents[parents[at] as number] as number) += cotangent * partial1;
    const partial2 = partials[at + 1] as number;
    if (partial2 !== 0) (cotangents[parents[at + 1] as number] as number) += cotangent * partial2;
  }
}
