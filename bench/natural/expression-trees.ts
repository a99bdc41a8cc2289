// Expressions on rows of data by hand: the tree becomes a tape once, which is run forwards and backwards for each row.

import { matrix, rowsOf, vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

type Expr =
  | { readonly tag: "Constant"; readonly _0: number }
  | { readonly tag: "Column"; readonly _0: number }
  | { readonly tag: "Add"; readonly _0: Expr; readonly _1: Expr }
  | { readonly tag: "Subtract"; readonly _0: Expr; readonly _1: Expr }
  | { readonly tag: "Multiply"; readonly _0: Expr; readonly _1: Expr }
  | { readonly tag: "Divide"; readonly _0: Expr; readonly _1: Expr }
  | { readonly tag: "Sine"; readonly _0: Expr }
  | { readonly tag: "Exponential"; readonly _0: Expr };

/** What is done, on which places of the tape, or with which column; a place's value, where it is constant. */
interface Tape {
  readonly operations: number[];
  readonly lefts: number[];
  readonly rights: number[];
  readonly values: number[];
}

const operations = ["Constant", "Column", "Add", "Subtract", "Multiply", "Divide", "Sine", "Exponential"];

/** Writes an expression behind what is on the tape, its parts first; its place. */
function write(e: Expr, tape: Tape): number {
  const left = e.tag === "Constant" ? 0 : e.tag === "Column" ? e._0 : write(e._0, tape);
  const right = "_1" in e ? write(e._1, tape) : 0;
  tape.operations.push(operations.indexOf(e.tag));
  tape.lefts.push(left);
  tape.rights.push(right);
  return tape.values.push(e.tag === "Constant" ? e._0 : 0) - 1;
}

/** The tape in arrays of numbers. */
class Program {
  readonly operations: Int32Array;
  readonly lefts: Int32Array;
  readonly rights: Int32Array;
  readonly values: Float64Array;

  constructor(e: Expr) {
    const tape: Tape = { operations: [], lefts: [], rights: [], values: [] };
    write(e, tape);
    this.operations = Int32Array.from(tape.operations);
    this.lefts = Int32Array.from(tape.lefts);
    this.rights = Int32Array.from(tape.rights);
    this.values = Float64Array.from(tape.values);
  }
}

/** The values of all places where the columns are `row`; gives the last. */
function run({ operations, lefts, rights, values }: Program, row: Float64Array): number {
  for (let i = 0; i < operations.length; i++) {
    const left = lefts[i] ?? 0;
    const right = rights[i] ?? 0;
    switch (operations[i] ?? 0) {
      case 1:
        values[i] = row[left] ?? 0;
        break;
      case 2:
        values[i] = (values[left] ?? 0) + (values[right] ?? 0);
        break;
      case 3:
        values[i] = (values[left] ?? 0) - (values[right] ?? 0);
        break;
      case 4:
        values[i] = (values[left] ?? 0) * (values[right] ?? 0);
        break;
      case 5:
        values[i] = (values[left] ?? 0) / (values[right] ?? 0);
        break;
      case 6:
        values[i] = Math.sin(values[left] ?? 0);
        break;
      case 7:
        values[i] = Math.exp(values[left] ?? 0);
        break;
    }
  }
  return values[operations.length - 1] ?? 0;
}

/** Cotangents of all places: those of constants are added up, all others are of this row; the columns' go to `row_`. */
function runBack(program: Program, values_: Float64Array, row_: Float64Array): void {
  const { operations, lefts, rights, values } = program;
  for (let i = operations.length - 1; i >= 0; i--) {
    const a = lefts[i] ?? 0;
    const b = rights[i] ?? 0;
    const v_ = values_[i] ?? 0;
    switch (operations[i] ?? 0) {
      case 1:
        row_[a] = (row_[a] ?? 0) + v_;
        break;
      case 2:
        add(values_, program, a, v_);
        add(values_, program, b, v_);
        break;
      case 3:
        add(values_, program, a, v_);
        add(values_, program, b, -v_);
        break;
      case 4:
        add(values_, program, a, v_ * (values[b] ?? 0));
        add(values_, program, b, v_ * (values[a] ?? 0));
        break;
      case 5: {
        const share = v_ / (values[b] ?? 0);
        add(values_, program, a, share);
        add(values_, program, b, -share * (values[i] ?? 0));
        break;
      }
      case 6:
        add(values_, program, a, v_ * Math.cos(values[a] ?? 0));
        break;
      case 7:
        add(values_, program, a, v_ * (values[i] ?? 0));
        break;
    }
  }
}

/** A place has one use, so its cotangent is what this use gives it; constants have one in each row. */
function add(values_: Float64Array, { operations }: Program, place: number, by: number): void {
  values_[place] = operations[place] === 0 ? (values_[place] ?? 0) + by : by;
}

/** The tree of the constants' cotangents, which stand on the tape in the order of `write`. */
function gradientOf(e: Expr, values_: Float64Array, places: { next: number }): Expr {
  if (e.tag === "Constant") return { tag: e.tag, _0: values_[places.next++] ?? 0 };
  if (e.tag === "Column") {
    places.next++;
    return { tag: e.tag, _0: 0 };
  }
  const first = gradientOf(e._0, values_, places);
  if (e.tag === "Sine" || e.tag === "Exponential") {
    places.next++;
    return { tag: e.tag, _0: first };
  }
  const second = gradientOf(e._1, values_, places);
  places.next++;
  return { tag: e.tag, _0: first, _1: second };
}

function loss(e: Expr, rows: readonly Float64Array[], targets: Float64Array): number {
  const program = new Program(e);
  let total = 0;
  rows.forEach((row, i) => {
    const error = run(program, row) - (targets[i] ?? 0);
    total += error * error;
  });
  return total / rows.length;
}

function lossGradient(e: Expr, rows: readonly Float64Array[], targets: Float64Array) {
  const program = new Program(e);
  const count = rows.length;
  const columns = rows[0]?.length ?? 0;
  const rows_ = rowsOf(new Float64Array(count * columns), count, columns);
  const targets_ = new Float64Array(count);
  const values_ = new Float64Array(program.values.length);
  const last = values_.length - 1;
  let total = 0;
  rows.forEach((row, i) => {
    const error = run(program, row) - (targets[i] ?? 0);
    total += error * error;
    const error_ = (2 * error) / count;
    targets_[i] = -error_;
    add(values_, program, last, error_);
    runBack(program, values_, rows_[i] ?? row);
  });
  return {
    value: total / count,
    grad: { e: gradientOf(e, values_, { next: 0 }), rows: rows_, targets: targets_ },
  };
}

const constant = (c: number): Expr => ({ tag: "Constant", _0: c });
const column = (i: number): Expr => ({ tag: "Column", _0: i });
const sum = (a: Expr, b: Expr): Expr => ({ tag: "Add", _0: a, _1: b });
const difference = (a: Expr, b: Expr): Expr => ({ tag: "Subtract", _0: a, _1: b });
const product = (a: Expr, b: Expr): Expr => ({ tag: "Multiply", _0: a, _1: b });
const quotient = (a: Expr, b: Expr): Expr => ({ tag: "Divide", _0: a, _1: b });
const sine = (a: Expr): Expr => ({ tag: "Sine", _0: a });
const exponential = (a: Expr): Expr => ({ tag: "Exponential", _0: a });

/** 1.3 sin (0.7 x + y z) + exp (-0.4 z z) / (2.5 + x y) - (0.6 y + 0.2) (x - 0.9 z). */
const formula = difference(
  sum(
    product(constant(1.3), sine(sum(product(constant(0.7), column(0)), product(column(1), column(2))))),
    quotient(
      exponential(product(constant(-0.4), product(column(2), column(2)))),
      sum(constant(2.5), product(column(0), column(1))),
    ),
  ),
  product(
    sum(product(constant(0.6), column(1)), constant(0.2)),
    difference(column(0), product(constant(0.9), column(2))),
  ),
);

/** One expression of 33 nodes on rows of three columns. */
function ofSize(count: number): Sized {
  return {
    entry: "loss",
    args: [formula, matrix(count, 3, 170), vec(count, 171)],
    elements: count * 33,
    primal: loss,
    gradient: lossGradient,
  };
}

export const workloads = natural("expression-trees", [100, 1000, 10000], ofSize);
