// What the notation of a stage means, for readers: of what a program really uses.

import type { Program, Term } from "../target-calculus/term.js";
import type { Type } from "../target-calculus/type.js";
import { eachSubterm } from "../target-calculus/traverse.js";
import { notationOf } from "./index.js";
import type { Stage } from "./stage.js";

/** A notation, and what it means. */
export interface LegendEntry {
  readonly symbol: string;
  readonly meaning: string;
}

/** What is found in a program. */
interface Found {
  readonly kinds: ReadonlySet<string>;
  readonly operations: ReadonlySet<string>;
  /** Names of the interface's types. */
  readonly opaque: ReadonlySet<string>;
  readonly hasLinear: boolean;
  readonly hasSparse: boolean;
  readonly zeros: ReadonlySet<string>;
  readonly pluses: ReadonlySet<string>;
}

/** The meaning of each operation of an interface. */
const operations: Readonly<Record<string, string>> = {
  onehot: "the gradient of the input's scalar with this number: 1 there, and 0 elsewhere",
  scale: "a gradient, multiplied by a number",
  OneHot: "the Delta of the input's scalar with this number",
  Var: "the Delta that is bound to this ID, or that of an input",
  Scale: "a Delta, multiplied by a number",
  Add: "the sum of two Deltas",
  deltaLet: "binds a Delta to the next ID, which it gives",
  startDelta: "begins with nothing bound",
  deltaState: "the next ID, and all that has been bound",
  runDelta: "a Delta inside all bindings",
  zeros: "zeros, as many as this",
  emptyMap: "no cotangents",
  eval: "adds a Delta, multiplied by a number, to cotangents",
  size: "the number of all IDs",
  SCall: "stages a call of the backpropagator of a dual number, with its argument; arguments for one ID are added up",
  SCotan: "staged calls with a cotangent of the input, and no calls",
  SOneHot: "adds a cotangent to that of the input's scalar with this number",
  SResolve: "makes the staged calls, from the highest ID down, and gives what has been collected",
  run: "makes arrays for calls and cotangents, makes the staged calls, and gives the cotangents: run (SAlloc .. >>= .. SResolve ..)",
  "0Staged": "no cotangents and no calls",
  zeroOf: "zeros in the shape of a value",
  fill: "a cotangent in which formal zeros have become zeros in the shape of the input",
  oneHot: "a cotangent of an array: one element, and formal zeros",
  update: "an array with one element replaced by what a function makes of it",
  lookup: "the cotangent collected under a number; 0 where there is none",
  index: "the cotangent collected under a number",
  contributions: "a backpropagator as data: the list of partial derivatives, each with the dual number that it goes to",
  start: "begins an empty tape",
  leaf: "puts an input or a literal on the tape",
  push1: "puts a value on the tape, with one partial derivative and the cell that it goes to",
  push2: "puts a value on the tape, with two partial derivatives and their cells",
  value: "the value in a cell of the tape",
  save: "the tape as it is",
  cotangents: "an array of zeros, a cotangent for each cell",
  scratch: "the same, kept from one gradient to the next",
  seed: "adds to the cotangent of a cell",
  sweep: "goes down the tape: each cell gives to others its cotangent times its partial derivatives",
  sweepCurrent: "the same, of the tape that has just been written",
  cotangentOf: "the cotangent of a cell",
  cotangentsOf: "the cotangents of the cells of an array",
};

/** What a stage's own types stand for. */
const types: Readonly<Record<string, string>> = {
  dS: "a gradient: a number for each scalar of the input",
  Delta: "a gradient as data",
  DeltaState: "the next ID, and the Deltas bound to those before it",
  DeltaMap: "cotangents by ID",
  "Array R": "cotangents by number",
  c: "what backpropagators give: a cotangent of the input of the whole program, whatever its type",
  "Staged c": "such a cotangent, with calls of backpropagators that are still to be made, by ID",
  Staged: "cotangents and calls that are still to be made, by ID",
  "Map Z R": "cotangents of the input's scalars by their numbers",
  "IO ()": "an action that changes arrays",
  "IArray R": "cotangents by number, which no longer change",
  Contrib: "a backpropagator as data",
  Node: "a cell of the tape: its index",
  Tape: "values, partial derivatives and cells, in the order in which they were computed",
  Cotangents: "a cotangent for each cell",
};

/** The notation that a stage's program uses, in the order in which a reader meets it. */
export function legendOf(stage: Stage, program: Program): readonly LegendEntry[] {
  const found = survey(stage, program);
  const { dual } = stage;
  const entries: (readonly [used: boolean, symbol: string, meaning: string])[] = [
    [dual !== null, dual?.name ?? "", "a dual number: a value, and what its derivative needs; of other types the same, part by part"],
    [found.hasLinear || mentionsLinear(dual?.type ?? null), "_R -o c", "a linear function from cotangents of R (the same numbers) to c: a sum becomes a sum, 0 becomes 0"],
    [found.hasSparse, "0 | S", "a cotangent of S, in which 0 may stand for zeros of any shape"],
    ...[...found.opaque].map((name) => [true, name, types[name] ?? ""] as const),
    [found.kinds.has("linLam"), "\\_(z : R). t", "a linear function of the cotangent z"],
    [found.kinds.has("partial"), "d1_(*)(x, y)(z)", "z times the partial derivative of x * y in its first operand, at x and y; 0 where z is 0"],
    [found.kinds.has("scaled"), "scale(z, p)", "z times p; 0 where either is"],
    [found.kinds.has("ratio"), "ratio(z, y)", "z divided by y; 0 where z is"],
    ...[...found.zeros].map((symbol) => [true, symbol, "the zero of what backpropagators give"] as const),
    ...[...found.pluses].map((symbol) => [true, `s ${symbol} t`, "their sum"] as const),
    [stage.monad === "state" && found.operations.has("genID"), "\\i. .. (t, i + 1)", "the next free ID is passed along: a computation takes it, and gives it back beside its result"],
    [stage.monad === "named" && found.kinds.has("bind"), "do x <- s; t", "first the computation s, whose result is x, then t; `return` is a computation that only has a result"],
    ...Object.entries(operations).map(([name, meaning]) => [found.operations.has(name), `${name}(..)`, meaning] as const),
    [program.wrappers.length > 0 && stage.mode === "reverse", "Wrap[f]", "what is called from outside: the value of f, and the map from a cotangent of it to one of the input"],
    [program.wrappers.length > 0 && stage.mode === "forward", "Wrap[f]", "what is called from outside: the value of f, and its derivative along a tangent"],
  ]; // prettier-ignore
  return entries.flatMap(([used, symbol, meaning]) => (used && meaning !== "" ? [{ symbol, meaning }] : []));
}

/** All that the definitions and wrappers of a program mention. */
function survey(stage: Stage, { definitions, wrappers }: Program): Found {
  const [kinds, names, opaque] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const [zeros, pluses] = [new Set<string>(), new Set<string>()];
  const { monoid } = notationOf(stage);
  let [hasLinear, hasSparse] = [false, false];
  const lookAt = (type: Type): void => {
    const waiting = [type];
    for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
      if (part.kind === "opaque") opaque.add(part.name);
      if (part.kind === "linear") hasLinear = true;
      if (part.kind === "sparse") hasSparse = true;
      waiting.push(...partsOf(part));
    }
  };
  if (stage.dual !== null) lookAt(stage.dual.type);
  const waiting: Term[] = [];
  for (const fn of [...definitions, ...wrappers.map((wrapper) => wrapper.fn)]) {
    for (const { type } of fn.params) lookAt(type);
    lookAt(fn.result);
    waiting.push(fn.body);
  }
  for (let term = waiting.pop(); term !== undefined; term = waiting.pop()) {
    kinds.add(term.kind === "op" && (term.op === "scaled" || term.op === "ratio") ? term.op : term.kind);
    if (term.kind === "ext") names.add(term.name);
    if (term.kind === "let" || term.kind === "lam" || term.kind === "linLam" || term.kind === "bind") lookAt(term.type);
    if (term.kind === "zero") zeros.add(monoid(term.type)?.zero ?? "0");
    if (term.kind === "plus") pluses.add(monoid(term.type)?.plus ?? "+");
    if (term.kind === "letRec") for (const fn of term.functions) for (const { type } of fn.params) lookAt(type);
    eachSubterm(term, (part) => waiting.push(part));
  }
  return { kinds, operations: names, opaque, hasLinear, hasSparse, zeros, pluses };
}

function mentionsLinear(type: Type | null): boolean {
  return type !== null && (type.kind === "linear" || partsOf(type).some(mentionsLinear));
}

/** The parts of a type of the target calculus. */
function partsOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case "tuple":
      return type.items;
    case "array":
      return [type.element];
    case "fn":
    case "linear":
      return [type.from, type.to];
    case "computation":
      return [type.result];
    case "sparse":
      return [type.of];
    case "data":
      return type.args;
    case "real":
    case "int":
    case "bool":
    case "typeVar":
    case "opaque":
      return [];
  }
}
