import type { Entry } from "../core/term.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { leavesOf } from "../emit/interface/interface.js";
import type { SourceFile } from "../syntax/source.js";
import { BudgetExceeded, Failure } from "../trace/machine.js";
import { trace, type Run, type Watch } from "../trace/tape.js";
import { answer, failure, type Answer } from "./answer.js";
import type { Callable } from "./callable.js";
import type { LoadOptions } from "./load-options.js";
import { Passes } from "./passes.js";
import { toCore } from "./pipeline.js";

/** More than that is not followed. */
const budget = { steps: 50_000_000, nodes: 2_000_000 };

/** One run of a definition, followed operation by operation; `onShown` is told of what `debug` shows, also before the model fails. */
export function tracedRun(
  source: SourceFile,
  definition: Callable,
  values: readonly unknown[],
  load: LoadOptions["load"],
  onShown: Watch["onShown"] = () => undefined,
): Answer<Run> {
  const core = toCore(source, [definition.entry.name], new Passes(null), load ?? null, true);
  if (!core.ok) return core;
  const { program, labels } = core.value;
  const entry = program.entries.find(({ name }) => name === definition.entry.name);
  if (entry === undefined) return failure(notFollowed(definition, "it is not there"));
  try {
    return answer(trace(program, entry, argumentsOf(entry, values), budget, { labels, onShown }), []);
  } catch (error) {
    if (error instanceof BudgetExceeded)
      return failure(notFollowed(definition, "it does more than two million operations"));
    if (error instanceof RangeError) return failure(notFollowed(definition, "it recurses too deeply"));
    if (error instanceof Failure) return failure(notFollowed(definition, error.what));
    throw error;
  }
}

function argumentsOf(entry: Entry, values: readonly unknown[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(leavesOf(entry.params).map(({ leaf }, i) => [leaf.name, values[i]]));
}

function notFollowed({ entry, span }: Callable, reason: string): Diagnostic {
  return {
    code: "E0606",
    severity: "error",
    title: `\`${entry.name}\` cannot be followed operation by operation: ${reason}`,
    span,
    label: "",
    related: [],
    notes: [],
    hint: "try a smaller input",
  };
}
