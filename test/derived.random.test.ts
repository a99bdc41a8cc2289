// What `--with all` exports of random programs: as `adjoint` computes it, against the same definitions run by `tape`. `DUALREV_RUNS` says how many.

import fc from "fast-check";
import { expect, test } from "vitest";
import { DualData } from "../src/derivatives/dual-data.js";
import { compile } from "../src/driver/compile.js";
import { loadModule } from "../src/driver/evaluate.js";
import { realsOf, withReals } from "../src/driver/values.js";
import { leavesOf } from "../src/emit/interface/interface.js";
import { derivedName } from "../src/emit/interface/public-names.js";
import { firstDifference } from "./support/compare.js";
import { Model } from "./support/model.js";
import { printProgram, type RandomProgram } from "./support/random-program.js";
import { randomPrograms } from "./support/random-shrink.js";

/** Each is compiled twice, with all that there is. */
const runs = Number(process.env["DUALREV_RUNS"] ?? 10);

/** The size of a definition: a Hessian is several times as large, and has as many passes as there are numbers. */
const fuel = 16;

const forms = ["jvp", "hvp", "jacobian", "hessian"] as const;

test("adjoint code gives what the definitions of derivatives do", { timeout: 10_000 * Math.max(6, runs) }, () => {
  let compared = 0;
  fc.assert(
    fc.property(randomPrograms(fuel), (program) => {
      const found = numbersOfForms(program);
      fc.pre(found !== null);
      for (const { form, got, wanted } of found) {
        if (!wanted.every(Number.isFinite)) continue;
        const at = firstDifference(got, wanted, 1e-8, 1e-6);
        if (at !== null) throw new Error(`${form}: number ${String(at)} is ${String(got[at])}, not ${String(wanted[at])}\n${printProgram(program)}`); // prettier-ignore
        compared += 1;
      }
    }),
    { numRuns: runs },
  );
  expect(compared).toBeGreaterThan(runs);
});

interface Found {
  readonly form: string;
  readonly got: readonly number[];
  readonly wanted: readonly number[];
}

/** The numbers that a program's derivatives consist of; null where it has none at its arguments. */
function numbersOfForms(program: RandomProgram): readonly Found[] | null {
  const source = { name: "random.lam", text: printProgram(program) };
  const modules = (["adjoint", "tape"] as const).map((stage) =>
    compile(source, { with: ["all"], entries: ["entry"], target: "js", stage, verify: true }),
  );
  const [own, other] = modules.map((each) => (each.ok ? loadModule(each.value.code) : null));
  if (own === null || other === null || own === undefined || other === undefined) return null;
  const model = new Model(source, ["entry"]);
  const params = model.parameters("entry");
  const args = params.map(({ name }) => program.args[name]);
  const data = new DualData(model.core.program.data);
  const active = leavesOf(model.entry("entry").params).map(({ leaf }) => data.hasReal(leaf.type));
  const tangents = params.flatMap(({ type }, i) => {
    const reals = realsOf(args[i], type);
    return active[i] === true ? [withReals(args[i], type, reals.map((_, k) => 0.5 + ((k * 5) % 7) / 8), "cotangent")] : []; // prettier-ignore
  });
  const found = forms.flatMap((form): Found[] => {
    const name = derivedName("entry", form);
    const given = form === "jvp" || form === "hvp" ? [...args, ...tangents] : args;
    const [got, wanted] = [own, other].map((module) => {
      const fn = module.exports.get(name);
      return typeof fn === "function" ? outcome(() => numbersIn(Reflect.apply(fn, undefined, given))) : null;
    });
    if (typeof got === "string" && typeof wanted === "string") return [];
    if (typeof got === "string" || typeof wanted === "string") throw new Error(`${form}: ${String(got)}, not ${String(wanted)}`); // prettier-ignore
    return got && wanted ? [{ form, got, wanted }] : [];
  });
  return found.length === 0 ? null : found;
}

function outcome<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

/** All numbers of a value, in order. */
function numbersIn(value: unknown): readonly number[] {
  if (typeof value === "number") return [value];
  if (value instanceof Float64Array) return [...value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}
