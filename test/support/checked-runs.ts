// Runs of emitted code with its memory checked, after all passes or after some of them.

import { exportOf, functionOf, propertyOf, type LoadedModule } from "../../src/driver/evaluate.js";
import { testWeights } from "../../src/driver/finite-differences.js";
import { Passes } from "../../src/driver/passes.js";
import { emit } from "../../src/driver/pipeline.js";
import { stageNamed } from "../../src/driver/stages.js";
import { realsOf, withReals } from "../../src/driver/values.js";
import { derivedName } from "../../src/emit/interface/public-names.js";
import { isOverEmitted } from "../../src/pass.js";
import { printToRun } from "../../src/typescript/print-module.js";
import { loadChecked } from "./checked-memory.js";
import { firstDifference } from "./compare.js";
import type { Model } from "./model.js";

/** A module of the stage `adjoint`, after a part of the passes over what is emitted; 1: all of them. */
export class CheckedRuns {
  #made: LoadedModule | null = null;

  constructor(
    private readonly model: Model,
    private readonly part = 1,
  ) {}

  /**
   * What is wrong with how a definition uses its memory: accesses that fail, calls that change what an earlier one gave or that depend on it, other numbers than the
   * unchecked module's; null where nothing is. `named`: its arguments by parameter.
   */
  problemOf(entry: string, named: Readonly<Record<string, unknown>>): string | null {
    const args = this.model.parameters(entry).map(({ name }) => named[name]);
    if (args.length === 0) return null;
    const module = this.#module();
    const vjp = exportOf(module, derivedName(entry, "vjp"));
    const calls = [() => this.#pulled(vjp, entry, args)];
    if (this.model.hasGradient(entry, "adjoint")) {
      const grad = exportOf(module, derivedName(entry, "grad"));
      calls.push(() => grad(...args));
    }
    for (const call of calls) {
      const first = call();
      const told = JSON.stringify(first);
      if (JSON.stringify(call()) !== told) return `a second call gives something else than ${told}`;
      if (JSON.stringify(first) !== told) return `a second call changes what the first one gave, ${told}`;
    }
    return this.#differenceOf(entry, args, module);
  }

  /** Value and gradient by a pullback that is called twice. */
  #pulled(vjp: ReturnType<typeof exportOf>, entry: string, args: readonly unknown[]): unknown {
    const made = vjp(...args);
    const [value, pullback] = [propertyOf(made, "value"), functionOf(propertyOf(made, "pullback"))];
    const type = this.model.result(entry);
    const cotangent = withReals(value, type, testWeights(realsOf(value, type).length), "cotangent");
    return [value, pullback(cotangent), pullback(cotangent)];
  }

  #differenceOf(entry: string, args: readonly unknown[], module: LoadedModule): string | null {
    const [checked, plain] = [module, this.model.module("adjoint")].map((each) => {
      const pulled = this.#pulled(exportOf(each, derivedName(entry, "vjp")), entry, args);
      return numbersIn(pulled);
    }); // prettier-ignore
    if (checked === undefined || plain === undefined) return null;
    const difference = firstDifference(checked, plain, 1e-7, 1);
    return difference === null ? null : `other numbers than unchecked, ${difference}`;
  }

  #module(): LoadedModule {
    if (this.#made !== null) return this.#made;
    const limit = this.part === 1 ? Infinity : Math.round(this.part * this.#emitted(Infinity).runs);
    this.#made = loadChecked(this.#emitted(limit).code);
    return this.#made;
  }

  #emitted(limit: number): { readonly code: string; readonly runs: number } {
    let runs = 0;
    const passes = new Passes(null, { runs: (pass) => !isOverEmitted(pass) || runs++ < limit });
    const emitted = emit(this.model.core, stageNamed("adjoint"), { wrt: new Map(), counted: false }, passes);
    if (!emitted.ok) throw new Error("it does not compile");
    return { code: printToRun(emitted.value), runs };
  }
}

function numbersIn(value: unknown): readonly number[] {
  if (typeof value === "number") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(numbersIn);
}
