// Random well-typed programs through the lowering: every stage's output compiles under the strict settings, and the version of functions for
// when the JavaScript stack is used up gives what the other gives.

import fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "../src/driver/compile.js";
import { stageNames } from "../src/stages/index.js";
import { emitSource, load } from "./support/emit-program.js";
import { printProgram, type RandomProgram } from "./support/random-program.js";
import { randomPrograms } from "./support/random-shrink.js";
import { typeErrors, typeErrorsIn } from "./support/typecheck.js";

const runs = Number(process.env["DUALREV_RUNS"] ?? 5);
const timeout = 60_000 + runs * 10_000;

/** So many programs are checked by TypeScript at once: all of a long run would take more memory than there is. */
const atOnce = 20;

function sampled(seed: number, numRuns = runs): readonly RandomProgram[] {
  return fc.sample(randomPrograms(80), { numRuns, seed });
}

/** The errors in what some programs are emitted as, a few programs at a time; `emit` gives the files of one. */
function errorsIn<E>(
  programs: readonly RandomProgram[],
  emit: (program: RandomProgram, index: number) => Readonly<Record<string, string>>,
  check: (files: Readonly<Record<string, string>>) => readonly E[],
): readonly E[] {
  const errors: E[] = [];
  for (let from = 0; from < programs.length; from += atOnce) {
    const files: Record<string, string> = {};
    programs.slice(from, from + atOnce).forEach((program, index) => Object.assign(files, emit(program, from + index)));
    errors.push(...check(files));
  }
  return errors;
}

/** A program in every stage. */
function inAllStages(options: { readonly counted?: boolean }) {
  return (program: RandomProgram, index: number): Readonly<Record<string, string>> =>
    Object.fromEntries(
      stageNames.map((stage) => [
        `/${stage}${index}.ts`,
        emitSource(printProgram(program), { stage, ...options }).text,
      ]),
    );
}

test(
  "every stage's output compiles under the strict settings",
  () => {
    expect(errorsIn(sampled(1), inAllStages({}), (files) => typeErrors("export {};", files))).toEqual([]);
  },
  timeout,
);

test(
  "adjoint modules compile under the strict settings, and declare nothing that is not read",
  () => {
    const emit = (program: RandomProgram, index: number): Readonly<Record<string, string>> => {
      const compiled = compile({ name: "model.lam", text: printProgram(program) }, { stage: "adjoint" });
      if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
      return { [`/adjoint${index}.ts`]: compiled.value.code };
    };
    expect(errorsIn(sampled(4, 20 + runs), emit, (files) => typeErrorsIn(files, true))).toEqual([]);
  },
  timeout,
);

test(
  "counting changes no type",
  () => {
    expect(errorsIn(sampled(2), inAllStages({ counted: true }), (files) => typeErrors("export {};", files))).toEqual(
      [],
    );
  },
  timeout,
);

test(
  "both versions of functions that recurse agree",
  async () => {
    let compared = 0;
    for (const program of sampled(3)) {
      for (const stage of ["primal", "tape"] as const) {
        const { text } = emitSource(printProgram(program), { stage });
        if (!text.includes("const deepLimit = 50000;")) continue;
        compared += 1;
        const shallow = await outcome(text, program);
        for (const limit of [-1, 60, 200]) {
          const deep = await outcome(text.replace("const deepLimit = 50000;", `const deepLimit = ${limit};`), program);
          expect(deep, `${stage} with a limit of ${limit}:\n${text}`).toEqual(shallow);
        }
      }
    }
    expect(compared).toBeGreaterThan(runs / 20);
  },
  timeout,
);

/** The value, and in a reverse stage what the pullback makes of it; or the error. */
async function outcome(text: string, program: RandomProgram): Promise<unknown> {
  const module = await load(text);
  const args = program.entry.params.map(({ name }) => program.args[name]);
  try {
    const result = (module["entryReverse"] ?? module["entry"])?.(...args, 0);
    return isPair(result) ? [result[0], result[1](result[0], 0)] : result;
  } catch (error) {
    return String(error);
  }
}

function isPair(result: unknown): result is readonly [unknown, (...args: readonly unknown[]) => unknown] {
  return Array.isArray(result) && typeof result[1] === "function";
}
