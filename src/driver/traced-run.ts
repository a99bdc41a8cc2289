// One run of a definition, followed operation by operation: what `--explain-nan`, `debug` and `steps --at` ask.

import type { Entry } from "../core/term.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { leavesOf } from "../emit/interface/interface.js";
import type { Load } from "../syntax/loaded-file.js";
import type { SourceFile } from "../syntax/source.js";
import { BudgetExceeded, Failure } from "../trace/machine.js";
import { trace, type Run, type Watch } from "../trace/tape.js";
import { answer, failure, type Answer } from "./answer.js";
import type { RunOptions } from "./load-options.js";
import { callable, type Callable } from "./callable.js";
import { Passes } from "./passes.js";
import { toCore, withEarlier } from "./pipeline.js";
import { readArguments, readCotangent } from "./run-failures.js";
import { realsOf } from "./values.js";

/** More than that is not followed. */
const budget = { steps: 50_000_000, nodes: 2_000_000 };

/** A definition with arguments that fit it. */
export class TracedCall {
  private constructor(
    readonly definition: Callable,
    private readonly source: SourceFile,
    private readonly values: readonly unknown[],
    private readonly load: Load | null,
  ) {}

  /** `args` is an object of plain values by parameter name. */
  static of(source: SourceFile, entry: string, args: unknown, options: RunOptions): Answer<TracedCall> {
    const { load = null, externs = null } = options;
    const found = callable(source, entry, "primal", { load, externs });
    if (!found.ok) return found;
    const given = readArguments(found.value, args);
    if (!given.ok) return withEarlier(found.diagnostics, given);
    return answer(new TracedCall(found.value, source, given.value, load), found.diagnostics);
  }

  /** Runs it; `onShown` is told of what `debug` shows, also before the model fails. */
  run(onShown: Watch["onShown"] = () => undefined): Answer<Run> {
    const { definition, source, values } = this;
    const core = toCore(source, [definition.entry.name], new Passes(null), this.load, "traced");
    if (!core.ok) return core;
    const { program, labels } = core.value;
    const entry = program.entries.find(({ name }) => name === definition.entry.name);
    if (entry === undefined) return failure(notFollowed(definition, "it is not there"));
    try {
      return answer(trace(program, entry, argumentsOf(entry, values), budget, { labels, onShown }), []);
    } catch (error) {
      if (error instanceof BudgetExceeded)
        return failure(notFollowed(definition, "it does more than two million operations", "try a smaller input"));
      if (error instanceof RangeError)
        return failure(notFollowed(definition, "it recurses too deeply", "try a smaller input"));
      if (error instanceof Failure) return failure(notFollowed(definition, error.what));
      throw error;
    }
  }

  /** The numbers of a cotangent of the result, a plain value; where it is undefined 1 for a number, and null for other results. */
  weights(cotangent: unknown): Answer<readonly number[] | null> {
    const { definition, values } = this;
    if (cotangent === undefined) return answer(definition.result.kind === "real" ? [1] : null, []);
    const read = readCotangent(definition, cotangent, definition.primal(...values));
    return read.ok ? answer(realsOf(read.value, definition.result), []) : read;
  }
}

function argumentsOf(entry: Entry, values: readonly unknown[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(leavesOf(entry.params).map(({ leaf }, i) => [leaf.name, values[i]]));
}

function notFollowed({ entry, span }: Callable, reason: string, hint: string | null = null): Diagnostic {
  return {
    code: "E0606",
    severity: "error",
    title: `\`${entry.name}\` cannot be followed operation by operation: ${reason}`,
    span,
    label: "",
    related: [],
    notes: [],
    hint,
  };
}
