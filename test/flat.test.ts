// Flat programs mean what their core programs mean: on every fixture, and on random programs.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeArguments, decodeValue, realsOf, withReals, type Decoded } from "../src/driver/values.js";
import { assertFlat } from "../src/flat/check.js";
import { flatten, namesFor } from "../src/flat/flatten.js";
import { optimiseFlat } from "../src/flat/passes.js";
import type { Program } from "../src/flat/program.js";
import { optimise } from "../src/optimise/passes.js";
import { firstDifference } from "./support/compare.js";
import { fixtureNames, readFixture, type Case } from "./support/fixture.js";
import { runFlat } from "../src/flat/interpreter.js";
import { BudgetExceeded, Failure, interpret, plain } from "./support/interpreter.js";
import { DoesNotCompile, Model, sameValue } from "./support/model.js";
import { printProgram } from "./support/random-program.js";
import { randomPrograms } from "./support/random-shrink.js";

// Not `deep`: a million levels of recursion take the interpreter too long
const groups = [
  "paper", "authors", "gradbench", "gradients", "models", "parallel", "table1", "constructs", "derivatives", "primitives", "names", "errors-runtime",
]; // prettier-ignore

const depth = Number(process.env["DUALREV_RUNS"] ?? 50);

for (const group of groups) {
  describe(group, () => {
    for (const name of fixtureNames(group)) {
      test(
        name,
        () => {
          const fixture = readFixture(group, name);
          const model = new Model(fixture.source);
          for (const flat of flattened(model)) {
            for (const item of fixture.cases) expect(problemOf(model, flat, item), item.entry).toBeNull();
          }
        },
        180_000,
      );
    }
  });
}

/** The flat programs of a core program and of its optimised form, after each pass that changes something. */
function flattened(model: Model): readonly Program[] {
  const { program } = model.core;
  return [program, optimise(program)].flatMap((core) => {
    const names = namesFor(core);
    const found = [flatten(core, names)];
    for (const flat of found.slice(0, 1)) {
      optimiseFlat(flat, names, (_, before, run) => {
        const after = run();
        if (after !== before) found.push(after);
        return after;
      });
    }
    for (const flat of found) assertFlat(flat);
    return found;
  });
}

function problemOf(model: Model, flat: Program, { entry, args, expected, relative, scale }: Case): string | null {
  const values = decoded(decodeArguments(args, model.parameters(entry)));
  const run = (): unknown => runFlat(flat, model.entry(entry), values, model.entry(entry).result);
  if (expected.kind === "error") return problemOfError(run, expected.message);
  return differenceOf(run(), decoded(decodeValue(expected.value, model.result(entry), "value")), model, entry, relative, scale); // prettier-ignore
}

function problemOfError(run: () => unknown, message: string): string | null {
  try {
    run();
  } catch (error) {
    if (!(error instanceof RangeError)) return String(error);
    return error.message === message ? null : `the error is "${error.message}", not "${message}"`;
  }
  return "no error";
}

function differenceOf(
  got: unknown,
  wanted: unknown,
  model: Model,
  entry: string,
  relative: number,
  scale: number,
): string | null {
  const type = model.result(entry);
  const reals = realsOf(wanted, type);
  const at = firstDifference(realsOf(got, type), reals, relative, scale);
  if (at !== null) return `real ${at} is ${String(realsOf(got, type)[at])}, not ${String(reals[at])}`;
  return sameValue(withReals(got, type, reals, "value"), wanted) ? null : "another shape";
}

function decoded<T>(result: Decoded<T>): T {
  if (result.ok) return result.value;
  const { path, expected, found } = result.mistake;
  throw new Error(`${path}: expected ${expected}, found ${found}`);
}

test(
  "random programs have the same values and fail alike",
  () => {
    fc.assert(
      fc.property(randomPrograms(), (program) => {
        const problem = problemOfText(printProgram(program), program.args);
        if (problem !== null) throw new Error(problem);
      }),
      { numRuns: depth },
    );
  },
  10_000 * Math.max(6, depth),
);

function problemOfText(text: string, args: Parameters<typeof interpret>[2]): string | null {
  const entry = "entry";
  let model: Model;
  try {
    model = new Model({ name: "random.lam", text }, [entry]);
  } catch (error) {
    if (error instanceof DoesNotCompile) fc.pre(false);
    throw error;
  }
  const values = model.parameters(entry).map(({ name }) => args[name]);
  const runs = flattened(model).map((flat) => (): unknown => runFlat(flat, model.entry(entry), values, model.entry(entry).result)); // prettier-ignore
  const firstOf = (problem: (run: () => unknown) => string | null): string | null =>
    runs.map(problem).find((found) => found !== null) ?? null;
  try {
    const meant = interpret(model.core.program, model.entry(entry), args, 50_000);
    return firstOf((run) => differenceOf(run(), plain(meant.value), model, entry, 1e-12, 0));
  } catch (error) {
    if (error instanceof BudgetExceeded) return null;
    if (!(error instanceof Failure)) throw error;
  }
  // It fails: with the error that the primal program fails with
  try {
    model.run(entry, "primal", values);
  } catch (error) {
    if (error instanceof RangeError) return firstOf((run) => problemOfError(run, error.message));
    throw error;
  }
  return "the interpreter fails, the primal program does not";
}
