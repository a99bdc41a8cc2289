// SV25 §10.3: taping in the forward pass: each operation writes its contributions to a growing array as soon as it runs, tape[i] = [(a, j), ..].
// Checked after this pass: G |- t : T implies D[G] |- D[t] : M D[T], with D[R] = Node, the monad M being that of the growing tape.
//
// Departs from SV25 §10.3: D[R] is (R, Z) there; here the value too stands on the tape, so that a dual number is its index and no scalar
// needs an object. A literal operand of an operation gets no cell. The input's shape is kept by its dual value, from which the gradient
// is rebuilt, instead of by a function.

import type * as Source from "../core/term.js";
import type { Names } from "../core/names.js";
import * as b from "../target-calculus/build.js";
import { reduceProgram } from "../target-calculus/reduce.js";
import type { Program, Term } from "../target-calculus/term.js";
import { DualTypes } from "./dual-types.js";
import { interfaceOf, named } from "./interface.js";
import { Monadic } from "./monadic.js";
import type { MonadicRules } from "./monadic.js";
import type { Operand } from "./operands.js";
import type { Stage } from "./stage.js";
import { cotangents, done, node, record, wrapTape } from "./tape-wrap.js";

/** What an argument is to the rule: its value, and its cell where it has one. */
interface Argument {
  readonly value: Term;
  readonly cell: Term | null;
  readonly wrap: (rest: Term) => Term;
}

function tapeRules(names: Names): MonadicRules {
  const argument = ({ kind, term, type }: Operand): Argument => {
    const whole = (rest: Term): Term => rest;
    if (kind === "literal") return { value: term, cell: null, wrap: whole };
    if (kind === "discrete") {
      if (b.isAtom(term)) return { value: term, cell: null, wrap: whole };
      const n = names.fresh("n");
      return { value: b.variable(n), cell: null, wrap: (rest) => b.letIn(n, type, term, rest) };
    }
    const x = names.fresh(b.nameOf(term, "x"));
    const read = (cell: Term, rest: Term): Term => b.letIn(x, b.real, b.ext("value", cell), rest);
    if (b.isAtom(term)) return { value: b.variable(x), cell: term, wrap: (rest) => read(term, rest) };
    const i = b.variable(names.fresh("i"));
    return { value: b.variable(x), cell: i, wrap: (rest) => b.letIn(b.nameOf(i, "i"), node, term, read(i, rest)) };
  };

  return {
    // D[r] = a new cell without contributions
    literal: (value) => b.ext("leaf", b.realLit(value)),

    // D[op(t1..tn)] = do i1 <- D[t1]; ..; in <- D[tn]; a new cell: op(x1..xn), [(d1_op(x1..xn)(1), i1), .., (dn_op(x1..xn)(1), in)]
    operation: (operation, operands) => {
      const args = operands.map(argument);
      const values = args.map(({ value }) => value);
      const push = operation.at(values, names, ({ result, partials }) => {
        const contributions = partials.flatMap(({ index, times }) => {
          const cell = args[index]?.cell ?? null;
          return cell === null ? [] : [{ partial: times(b.realLit(1)), cell }];
        });
        return pushed(result, contributions, names);
      });
      return args.reduceRight((rest, { wrap }) => wrap(rest), push);
    },

    primal: (dual) => b.ext("value", dual),
    keepsLiterals: true,
    forks: false,
  };
}

interface Contribution {
  readonly partial: Term;
  readonly cell: Term;
}

/** A new cell with contributions; where there are more than two, the last ones are those of a cell of its own, which is passed all that this one gets. */
function pushed(value: Term, contributions: readonly Contribution[], names: Names): Term {
  const [first, ...others] = contributions;
  if (first !== undefined && others.length > 1) {
    const rest = names.fresh("rest");
    const both = [first, { partial: b.realLit(1), cell: b.variable(rest) }];
    return b.bind(rest, node, pushed(value, others, names), pushed(value, both, names));
  }
  const args = contributions.flatMap(({ partial, cell: to }) => [partial, to]);
  return b.ext(["leaf", "push1", "push2"][contributions.length] ?? "leaf", value, ...args);
}

function transform(program: Source.Program, names: Names): Program {
  const types = new DualTypes(program.data, { real: node, arrow: b.effectful }, "Tape", names);
  const monadic = new Monadic(program, types, tapeRules(names), names);
  const definitions = program.definitions.map(monadic.definition);
  const { functions, wrappers } = wrapTape(program, types, names);
  return reduceProgram({
    data: [...program.data, ...types.declarations],
    definitions: [...definitions, ...functions],
    wrappers,
  });
}

const cell = b.computation(node);

export const tape: Stage = {
  name: "tape",
  title: "Taping in the forward pass (SV25 §10.3)",
  change:
    "Contributions are written to a growing array while the program runs, instead of being carried by its values: what is left of a dual " +
    "number is the index of its cell, and the reverse pass is one loop down the array.",
  mode: "reverse",
  suffix: "Tape",
  ofInput: null,
  deep: true,
  ownsInput: true,
  operations: interfaceOf([
    { name: "start", params: [], result: done, runtime: "tape.startTape" },
    { name: "leaf", params: [b.real], result: cell, runtime: "tape.leaf" },
    { name: "push1", params: [b.real, b.real, node], result: cell, runtime: "tape.push1" },
    { name: "push2", params: [b.real, b.real, node, b.real, node], result: cell, runtime: "tape.push2" },
    { name: "value", params: [node], result: b.real, runtime: "tape.valueOf" },
    { name: "save", params: [], result: b.computation(record), runtime: "tape.saveTape" },
    { name: "cotangents", params: [record], result: b.computation(cotangents), runtime: "tape.cotangentsFor" },
    { name: "scratch", params: [], result: b.computation(cotangents), runtime: "tape.currentCotangents" },
    { name: "seed", params: [cotangents, node, b.real], result: done, runtime: "tape.seed" },
    { name: "sweep", params: [record, cotangents], result: done, runtime: "tape.sweep" },
    { name: "sweepCurrent", params: [cotangents], result: done, runtime: "tape.sweepCurrent" },
    { name: "cotangentOf", params: [cotangents, node], result: b.real, runtime: "tape.cotangentOf" },
    {
      name: "cotangentsOf",
      params: [cotangents, b.arrayType(node)],
      result: b.arrayType(b.real),
      runtime: "tape.cotangentsOf",
    },
  ]),
  opaqueTypes: new Map([
    ["Node", { type: named("number"), runtime: null }],
    ["Tape", { type: named("Tape"), runtime: "tape.Tape" }],
    ["Cotangents", { type: named("Float64Array"), runtime: null }],
  ]),
  monoids: [],
  monad: "named",
  dual: { name: "D[R]", type: node },
  transform,
};
