// One run of a definition and of its derivative, told step by step as the staged stages take it (SV25 §5, Fig. 6): every real that is computed gets the next
// ID, with a staged call for each operand; resolving goes through the IDs from the highest down, each time with the sum of what has come.

import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { SourceFile } from "../syntax/source.js";
import { operationText, shownNumber } from "../trace/words.js";
import { jobsUpTo } from "../trace/jobs.js";
import { reverse, type Node, type Run } from "../trace/tape.js";
import { answer, failure, type Answer } from "./answer.js";
import { assertCall, assertEntry } from "./options.js";
import type { RunOptions } from "./load-options.js";
import { indented, table } from "./table.js";
import { TracedCall } from "./traced-run.js";

export interface ToldRunOptions extends RunOptions {
  /** The cotangent of the result, as for `grad`; 1 for a number where left out. */
  readonly cotangent?: unknown;
}

/** A run, with its derivative. */
export interface ToldRun {
  readonly entry: string;
  readonly run: Run;
  /** What each real of the result gets. */
  readonly weights: readonly number[];
}

/** Runs a definition once and remembers every operation on reals; `args` as for `run`. */
export function toldRun(
  source: SourceFile,
  entry: string,
  args: unknown,
  options: ToldRunOptions = {},
): Answer<ToldRun> {
  assertCall("toldRun", source, options, ["cotangent", "externs", "load"]);
  assertEntry("toldRun", entry);
  const call = TracedCall.of(source, entry, args, options);
  if (!call.ok) return call;
  const run = call.value.run();
  if (!run.ok) return run;
  const weights = call.value.weights(options.cotangent);
  if (!weights.ok) return weights;
  if (weights.value === null) return failure(noCotangent(entry, call.value.definition.span));
  return answer({ entry, run: run.value, weights: weights.value }, call.diagnostics);
}

/** One step of a run, as data: of the forward pass, or of resolving. */
export interface ToldStep {
  readonly phase: "forward" | "resolve";
  readonly id: number;
  /** The operation, or the path of an input. */
  readonly title: string;
  /** What it computes, or the sum of what has come to it. */
  readonly value: number;
  /** Forward: a staged call for each operand, with its partial derivative. Resolving: the calls, with what each hands on. */
  readonly calls: readonly { readonly id: number; readonly partial: number; readonly gives: number | null }[];
  /** Where it stands, as `model.lam:2:13`; null for inputs. */
  readonly position: string | null;
}

/** The steps of a run in their order, the forward pass first; and what each real of the result gets before resolving begins. */
export function toldSteps({ run, weights }: ToldRun): {
  readonly steps: readonly ToldStep[];
  readonly start: readonly { readonly id: number; readonly gives: number }[];
} {
  const { nodes, result } = run;
  const step = (
    phase: ToldStep["phase"],
    id: number,
    value: number,
    gives: (i: number) => number | null,
  ): ToldStep => ({
    phase,
    id,
    title: titleOf(nodes, id),
    value,
    calls: (nodes[id]?.operands ?? []).flatMap((operand, i) => operand.id < 0 ? [] : [{ id: operand.id, partial: operand.partial, gives: gives(i) }]), // prettier-ignore
    position: nodes[id]?.site?.position ?? null,
  });
  const forward = nodes.map(({ value }, id) => step("forward", id, value, () => null));
  const resolving = reverse(run, weights).steps.map(({ id, cotangent, contributions }) =>
    step("resolve", id, cotangent, (i) => contributions[i] ?? 0),
  );
  const start = result.flatMap(({ id }, i) => (id < 0 ? [] : [{ id, gives: weights[i] ?? 0 }]));
  return { steps: [...forward, ...resolving], start };
}

/** What is told of a run where there is more. */
const most = 200;

/** A table with a line for each of a list, as far as it is told. */
type Cut = <T>(all: readonly T[], line: (each: T, index: number) => readonly string[]) => string;

/** The run as text. */
export function printToldRun({ entry, run, weights }: ToldRun): string {
  const { nodes, result } = run;
  const { steps, cotangents } = reverse(run, weights);
  const inputs = nodes.filter(({ op }) => op === null).length;
  const cut: Cut = (all, lines) => {
    const rows = all.slice(0, most).map(lines);
    const more = all.length > most ? `  .. and ${all.length - most} more\n` : "";
    return indented(table(rows, () => "left")) + more;
  };
  const forward = cut(nodes, (node, id) => [
    `#${id}`,
    `${titleOf(nodes, id)} = ${shownNumber(node.value)}`,
    node.operands
      .filter((operand) => operand.id >= 0)
      .map((operand) => `SCall #${operand.id} by ${shownNumber(operand.partial)}`)
      .join(", "),
  ]);
  const resolving = cut(steps, ({ id, cotangent, contributions }) => {
    const given = (nodes[id]?.operands ?? []).flatMap((operand, i) =>
      operand.id < 0
        ? []
        : [
            `#${operand.id} gets ${shownNumber(cotangent)} * ${shownNumber(operand.partial)} = ${shownNumber(contributions[i] ?? 0)}`,
          ],
    );
    return [`#${id}`, `has ${shownNumber(cotangent)}`, given.join(", ")];
  });
  const start = result.flatMap(({ id }, i) => (id < 0 ? [] : [`#${id} gets ${shownNumber(weights[i] ?? 0)}`]));
  const gradient = cut(
    nodes.slice(0, inputs),
    (_, id) => [`#${id}`, nameOf(nodes, id), shownNumber(cotangents[id] ?? 0)], // prettier-ignore
  );
  const idle = nodes.length - inputs - steps.length;
  return [
    `== ${entry}: ${inputs} inputs, ${nodes.length - inputs} operations on reals that depend on them`,
    "",
    "Forward: each real gets the next ID, and a staged call for each operand, by its partial derivative",
    "(what depends on no input gets none here; D2 gives it an ID whose backpropagator does nothing)",
    "",
    forward,
    ...(run.last.history === null ? [] : [jobsText(run, cut)]),
    `Start: ${start.length === 0 ? "the result depends on no input" : start.join(", ")}`,
    "",
    "Resolve, from the highest ID down: each ID has the sum of what has come when its turn comes",
    "",
    resolving + (idle === 0 ? "" : `  ${idle} more get nothing, and are not called\n`),
    "Gradient: what has come to the inputs",
    "",
    gradient,
  ].join("\n");
}

/** The graph of jobs: what was before a fork, its tasks, further to the right, and what follows their join. */
function jobsText({ nodes, last }: Run, cut: Cut): string {
  const rows = cut(jobsUpTo(last), ({ job, depth }) => [
    `${"  ".repeat(depth)}job ${job.id}`,
    job.reals.map((id, place) => `(${job.id}, ${place}) = ${nameOf(nodes, id)}`).join(", "),
  ]);
  return [
    "Jobs: a fork starts one for each task, further to the right; what follows their join is another. Number i of job j has the ID (j, i),",
    "and tasks beside each other are resolved at the same time",
    "",
    rows,
  ].join("\n");
}

/** The operation behind a real, on names, numbers and what is shown of operands without a name; the path of an input. */
export function titleOf(nodes: readonly Node[], id: number, shown: (id: number) => string = numbered): string {
  const node = nodes[id];
  if (node === undefined || node.op === null) return nameOf(nodes, id, shown);
  const reals = [...node.operands];
  const text = operationText(node, (arg) => {
    const [operand] = reals;
    if (operand === undefined || !Object.is(operand.value, arg)) return shownNumber(Number(arg));
    reals.shift();
    return operand.id < 0 ? shownNumber(operand.value) : nameOf(nodes, operand.id, shown);
  });
  return node.name === "" ? text : `${node.name} = ${text}`;
}

/** A variable's name, or what is shown of one without. */
function nameOf(nodes: readonly Node[], id: number, shown = numbered): string {
  const name = nodes[id]?.name ?? "";
  return name === "" ? shown(id) : name;
}

function numbered(id: number): string {
  return `#${id}`;
}

function noCotangent(entry: string, span: Diagnostic["span"]): Diagnostic {
  return {
    code: "E0604",
    severity: "error",
    title: `the result of \`${entry}\` is not a number: what is resolved begins with a cotangent`,
    span,
    label: "",
    related: [],
    notes: [],
    hint: "say which, with --cotangent",
  };
}
