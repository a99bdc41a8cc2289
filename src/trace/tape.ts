// What one run has computed with reals that depend on the inputs, operation by operation, and the reverse sweep over that.

import { type OpName, primitive } from "../core/primitives.js";
import type { Entry, Program, Site } from "../core/term.js";
import {
  BudgetExceeded,
  Failure,
  Inputs,
  Machine,
  realsOf,
  type Domain,
  type Meaning,
  type RealLike,
} from "./machine.js";
import { Jobs, type Job } from "./jobs.js";
import { valueOf } from "../flat/primitive-values.js";
import { partialOf } from "./partials.js";

/** A real of a run: `id` counts inputs and operations from 0, in the order in which they came about; -1: it is finite, and depends on no input. */
export interface Traced extends RealLike {
  readonly id: number;
}

/** A real operand of an operation. */
export interface Operand extends Traced {
  readonly partial: number;
}

/** An input, or the value of an operation. */
export interface Node {
  readonly value: number;
  /** Null: an input. */
  readonly op: OpName | null;
  /** The operands that are reals, in order. */
  readonly operands: readonly Operand[];
  /** All operands, as numbers; of an input none. */
  readonly args: readonly (number | boolean)[];
  readonly site: Site | null;
  /** Of an input its path, `w[2]`; else the first variable that was bound to it, "" where there is none. */
  name: string;
}

/** A value that `debug "text"` shows. */
export interface ShownValue {
  readonly label: string;
  readonly site: Site | null;
  readonly meaning: Meaning<Traced>;
}

/** One run. */
export interface Run {
  readonly nodes: readonly Node[];
  readonly result: readonly Traced[];
  /** The last job, which knows those before it. */
  readonly last: Job;
}

/** What is told of values as they are shown, by the name of the variable. */
export interface Watch {
  readonly labels: ReadonlyMap<string, { readonly label: string; readonly site: Site | null }>;
  readonly onShown: (value: ShownValue) => void;
}

const nobody: Watch = { labels: new Map(), onShown: () => undefined };

/** Runs an entry with values as emitted modules take them. Throws `BudgetExceeded`, and `Failure` where the model fails. */
export function trace(
  program: Program,
  entry: Entry,
  args: Readonly<Record<string, unknown>>,
  budget: { readonly steps: number; readonly nodes: number },
  { labels, onShown }: Watch = nobody,
): Run {
  const nodes: Node[] = [];
  const jobs = new Jobs();
  const add = (node: Node): Traced => {
    if (nodes.length >= budget.nodes) throw new BudgetExceeded("too many operations");
    nodes.push(node);
    jobs.last.reals.push(nodes.length - 1);
    return { value: node.value, id: nodes.length - 1 };
  };
  const domain: Domain<Traced> = {
    inParallel: jobs.inParallel,
    literal: (value) => ({ value, id: -1 }),
    operation: (op, operands, site) => {
      const { params, result, partials } = primitive(op);
      const numbers = operands.map(scalarOf);
      const value = valueOf(op, numbers);
      if (result !== "R" || typeof value !== "number") return value;
      const reals = operands.flatMap((operand, i): readonly Operand[] => {
        const partial = partials[i] ?? null;
        if (params[i] !== "R" || partial === null || typeof operand !== "object" || !("id" in operand)) return [];
        return [{ value: operand.value, id: operand.id, partial: Number(partialOf(partial, numbers, value)) }];
      });
      // What is not finite is kept in any case, for explanations
      if (reals.every(({ id }) => id === -1) && Number.isFinite(value)) return { value, id: -1 };
      return add({ value, op, operands: reals, args: numbers, site, name: "" });
    },
  };
  const inputs = new Inputs<Traced>(program, (value, path) =>
    add({ value, op: null, operands: [], args: [], site: null, name: path }),
  );
  const written = new Map([...program.given.values()].flatMap((names) => [...names]));
  const machine = new Machine(
    program,
    domain,
    budget.steps,
    (name, meaning) => {
      const shown = labels.get(name);
      if (shown !== undefined) onShown({ ...shown, meaning });
      if (typeof meaning !== "object" || !("id" in meaning)) return;
      const node = nodes[meaning.id];
      if (node !== undefined && node.name === "") node.name = written.get(name) ?? "";
    },
    (name) => {
      throw new Failure(`what \`${program.externs.get(name)?.name ?? name}\` does is not in the model`, null);
    },
  );
  const value = machine.entry(
    entry,
    entry.params.map((param) => inputs.ofParam(param, args)),
  );
  return { nodes, result: realsOf(value), last: jobs.last };
}

function scalarOf(meaning: Meaning<Traced>): number | boolean {
  if (typeof meaning !== "object") return meaning;
  return "id" in meaning ? meaning.value : NaN;
}

/** One step of the reverse sweep: the cotangent of a node, and what its operands get of it. */
export interface ReverseStep {
  readonly id: number;
  readonly cotangent: number;
  /** By operand of the node. */
  readonly contributions: readonly number[];
}

/** The reverse sweep: the steps of the operations that get a cotangent other than 0, the last first, and the cotangents of all nodes. */
export function reverse(
  { nodes, result }: Run,
  cotangents: readonly number[],
): { readonly steps: readonly ReverseStep[]; readonly cotangents: Float64Array } {
  const sums = new Float64Array(nodes.length);
  for (const [i, { id }] of result.entries()) if (id >= 0) sums[id] = (sums[id] ?? 0) + (cotangents[i] ?? 0);
  const steps: ReverseStep[] = [];
  for (let id = nodes.length - 1; id >= 0; id--) {
    const cotangent = sums[id] ?? 0;
    const operands = nodes[id]?.operands ?? [];
    if (cotangent === 0 || operands.length === 0) continue;
    const contributions = operands.map(({ partial }) => (partial === 0 ? 0 : cotangent * partial));
    steps.push({ id, cotangent, contributions });
    for (const [i, operand] of operands.entries()) {
      if (operand.id >= 0) sums[operand.id] = (sums[operand.id] ?? 0) + (contributions[i] ?? 0);
    }
  }
  return { steps, cotangents: sums };
}
