// Computations of a stage whose tasks a scheduler may interrupt: generator functions, which are asked for the values of others by `yield*`.
//
//   do x <- f a; g x             const x = yield* f(a);
//                                return yield* g(x);
//
//   f a |*| g b                  function* left() { .. }
//                                function* right() { .. }
//                                yield* forkOf(left, right)
//
//   build n (\i. f i), of tasks  function* task(i) { .. }
//                                yield* forkEach(n, task)
//
// In other stages computations are evaluated where they stand. There tasks run in order, and are functions only where the longest path is counted.

import type { Param, Term } from "../../target-calculus/term.js";
import { int } from "../../core/type.js";
import * as ts from "../../typescript/build.js";
import type { TsExpr, TsStmt } from "../../typescript/tree.js";
import type { BodyWriter, FunctionLowering, Task } from "./frame.js";
import { lowerSize } from "./lower-arrays.js";

type Parallel = Term & { readonly kind: "parallel" };
type Build = Term & { readonly kind: "build" };

/** The value of a call: in a stage of tasks, of a computation. */
export function delegated(term: Term, call: TsExpr, { context }: Pick<BodyWriter, "context">): TsExpr {
  return isTask(term, { context }) ? { kind: "yield", value: call, delegates: true } : call;
}

/** Whether a term is a computation that is a generator of its own where it is not evaluated at once. */
export function isTask(term: Term, { context }: Pick<BodyWriter, "context">): boolean {
  return context.module.stage.tasks !== undefined && context.typing.isComputation(term);
}

/** A computation that has not begun: the name of a generator function, declared in `out`. */
export function taskOf(
  task: Omit<Task, "name">,
  hint: string,
  writer: BodyWriter,
  functions: FunctionLowering,
  out: TsStmt[],
): TsExpr {
  const name = writer.frame.scope.fresh(hint);
  out.push({ kind: "function", fn: functions.generator({ ...task, name }, writer.context, writer.frame) });
  return ts.id(name);
}

/** Tasks that fork and join; null where they are evaluated in order. */
export function lowerParallel(
  term: Parallel,
  writer: BodyWriter,
  functions: FunctionLowering,
  out: TsStmt[],
): TsExpr | null {
  const { module } = writer.context;
  const { tasks } = module.stage;
  if (tasks !== undefined && isTask(term, writer)) {
    const hints = term.items.length === 2 ? ["left", "right"] : ["task"];
    const forked = term.items.map((body, index) =>
      taskOf({ params: [], body, isLambda: false }, hints[index] ?? "task", writer, functions, out),
    );
    return { kind: "yield", value: ts.callOf(module.refer(tasks.fork), ...forked), delegates: true };
  }
  if (!countsSpan(writer)) return null;
  const forked = term.items.map((item) => functions.thunk(item, writer.context, writer.frame));
  const made = ts.callOf(module.refer("cost.countFork"), ...forked);
  return { kind: "as", expr: made, type: module.types.lower(writer.context.typing.of(term)) };
}

/** An array whose elements are tasks that fork and join; null where they are evaluated in order. */
export function lowerParallelBuild(
  term: Build,
  writer: BodyWriter,
  functions: FunctionLowering,
  out: TsStmt[],
): TsExpr | null {
  const { module } = writer.context;
  const { tasks } = module.stage;
  const isForked = tasks !== undefined && isTask(term, writer);
  // What is impossible is not there to be run
  const isRun = term.inParallel === true && term.body.kind !== "impossible";
  if (!isRun || !(isForked || countsSpan(writer))) return null;
  const size = lowerSize(term.size, writer.expression(term.size, out, "size"), term.site, module.refer);
  const param: Param = { name: term.index, type: int };
  if (isForked) {
    const task = taskOf({ params: [param], body: term.body, isLambda: false }, "task", writer, functions, out);
    return { kind: "yield", value: ts.callOf(module.refer(tasks.forkEach), size, task), delegates: true };
  }
  // Not `lam`: that an element is computed is no call of a function
  const each = functions.lambda(
    { kind: "linLam", param: term.index, type: int, body: term.body },
    writer.context,
    writer.frame,
  );
  const made = ts.callOf(module.refer("cost.countForks"), size, each);
  if (term.element.kind === "real") return ts.callOf(ts.member(ts.id("Float64Array"), "from"), made);
  return { kind: "as", expr: made, type: module.types.lower(writer.context.typing.of(term)) };
}

/** Whether the longest path of the program is counted: of the value alone. */
export function countsSpan({ context: { module } }: BodyWriter): boolean {
  return module.counted && module.stage.mode === "primal";
}
