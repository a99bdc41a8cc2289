/**
 * dualrev as a library: models in, modules and numbers out. Nothing here touches files or the console.
 *
 * Every function takes a model as `{ name, text }` and gives an `Answer`: either `{ ok: true, value, diagnostics }`, where the diagnostics are warnings,
 * or `{ ok: false, diagnostics }`. A mistake in a model, in its arguments or in what is asked of it is a diagnostic; nothing is thrown for it. What is thrown
 * is a `TypeError` for a call that the types do not allow (a model without text, an option that there is not), or an `InternalError`: a bug in dualrev.
 *
 * @example
 * ```ts
 * import { compile, renderDiagnostics, textOf } from "dualrev";
 *
 * const source = { name: "model.lam", text: "def f (x : R) : R = x * sin x" };
 * const result = compile(source);
 * if (result.ok) console.log(result.value.code);
 * else console.error(renderDiagnostics(result.diagnostics, textOf(source)));
 * ```
 *
 * What a model imports is loaded by the option `load`, a function from paths to texts, which `textOf` takes too: a model without it is one file.
 * @module
 */

export type { Answer } from "./driver/answer.js";
export type { SourceMapOptions } from "./driver/source-map.js";
export { check, type CheckResult } from "./driver/check.js";
export { checkRules, type RuleCheck } from "./driver/check-rules.js";
export { compile, type CompiledModule, type CompileOptions } from "./driver/compile.js";
export { compileAll, type CompiledModules, printRuntime } from "./driver/compile-all.js";
export { bisect, type BisectOptions, type BisectResult, type Guilty } from "./driver/bisect.js";
export { cost, printCosts, type CostOptions, type GradientBound, type StageCost } from "./driver/cost.js";
export { costOver, type CostSeries, type Sizes } from "./driver/cost-over.js";
export { drawSeries, drawSeriesSvg, printSeries } from "./driver/cost-chart.js";
export { dump, type DumpOptions } from "./driver/dump.js";
export { adjointPasses as passes, passNames } from "./driver/registry.js";
export type { IR, PassInfo } from "./pass.js";
export { explainNaN, type ExplainOptions } from "./driver/explain-nan.js";
export { format } from "./driver/format.js";
export { grad, type GradOptions, type GradResult } from "./driver/grad.js";
export type { Gradient } from "./driver/gradient.js";
export {
  hessian,
  hvp,
  jacobian,
  jvp,
  type Hessian,
  type Hvp,
  type Jacobian,
  type Jvp,
  type PointOptions,
  type PointResult,
} from "./driver/point-derivatives.js";
export { printJson } from "./driver/json.js";
export type { PassListener } from "./driver/passes.js";
export { load, type LoadedFunctions, type LoadModelOptions } from "./driver/load.js";
export { loadImports, type LoadLater } from "./driver/load-imports.js";
export { externFiles, type ExternModules } from "./driver/externs.js";
export { type LoadOptions, type RunOptions, textOf } from "./driver/load-options.js";
export { optionsProblem, type OptionName } from "./driver/options.js";
export { run } from "./driver/run.js";
export {
  printToldRun,
  toldRun,
  toldSteps,
  type ToldRun,
  type ToldRunOptions,
  type ToldStep,
} from "./driver/told-run.js";
export { drawJobs, drawRun, mostNodes } from "./driver/run-graph.js";
export { shownValues, type ShownOptions } from "./driver/shown-values.js";
export { signatures, type Signature } from "./driver/signatures.js";
export { steps, type Part, type Step, type StepsOptions } from "./driver/steps.js";
export { stepsPage, type StepsPageOptions } from "./driver/steps-page.js";
export type { Marked } from "./target-calculus/marked.js";
export type { Location } from "./location.js";

export type { Diagnostic, RelatedPlace } from "./diagnostics/diagnostic.js";
export {
  renderDiagnostics,
  sortDiagnostics,
  toJson,
  type JsonDiagnostic,
  type RenderOptions,
  type TextOf,
} from "./diagnostics/render.js";
export { InternalError } from "./internal-error.js";
export { defaultStage, isStageName, stageNames } from "./driver/stages.js";
export type { StageName } from "./driver/stages.js";
export type { Load, LoadedFile } from "./syntax/loaded-file.js";
export type { SourceFile, Span } from "./syntax/source.js";
export { version } from "./version.js";
