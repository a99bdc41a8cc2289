// What `--with all` exports, on the fixtures: each function against the others, and second derivatives against differences of first ones.

import { describe, expect, test } from "vitest";
import { exportOf, functionOf, loadModule, propertyOf } from "../src/driver/evaluate.js";
import { compile } from "../src/driver/compile.js";
import { decodeArguments, realsOf, withReals } from "../src/driver/values.js";
import { derivedName, propertyName } from "../src/emit/interface/public-names.js";
import { DualData } from "../src/derivatives/dual-data.js";
import { leavesOf } from "../src/emit/interface/interface.js";
import { fixtureNames, readFixture, type Case } from "./support/fixture.js";
import { Model } from "./support/model.js";

/** Rules that say something else than the derivative: what is done twice need not commute then. */
const untrue: ReadonlySet<string> = new Set(["gated", "product", "along"]);

/** Larger points take long: a Hessian has as many passes as numbers. */
const mostNumbers = 24;

const stages = ["adjoint", "tape"] as const;

for (const group of ["gradients", "models", "derivatives", "paper", "authors"]) {
  describe(group, () => {
    // Of the models every fifth: each takes seconds
    for (const name of fixtureNames(group).filter((_, i) => group !== "models" || i % 5 === 0)) {
      test(name, { timeout: 120_000 }, () => {
        const fixture = readFixture(group, name);
        const model = new Model(fixture.source, null, fixture.load);
        // The papers' stages run the same definitions
        for (const stage of group === "derivatives" ? stages : stages.slice(0, 1)) {
          const compiled = compile(fixture.source, {
            with: ["all"],
            target: "js",
            stage,
            load: fixture.load,
            verify: true,
          });
          if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
          const module = loadModule(compiled.value.code);
          for (const item of fixture.cases) {
            const derived = (form: Parameters<typeof derivedName>[1]) =>
              module.exports.get(derivedName(item.entry, form));
            if (item.expected.kind === "error" || derived("jvp") === undefined) continue;
            const exact = group === "derivatives" ? 1e-14 : 0;
            const problems = problemsOf(model, item, exact, (form) => exportOf(module, derivedName(item.entry, form)));
            expect(problems, `${item.entry}, stage ${stage}`).toEqual([]);
          }
        }
      });
    }
  });
}

/** A sparse matrix as rows of all columns, and whether the columns of each of its rows ascend. */
function denseOf(matrix: unknown): { readonly dense: readonly number[]; readonly isOrdered: boolean } {
  const [rows, columns] = [numberOf(propertyOf(matrix, "rows")), numberOf(propertyOf(matrix, "columns"))];
  const part = (name: string): readonly number[] => numbersOf(propertyOf(matrix, name));
  const [rowStart, column, values] = [part("rowStart"), part("column"), part("values")];
  const dense = new Float64Array(rows * columns);
  let isOrdered = rowStart.length === rows + 1 && rowStart[rows] === column.length && values.length === column.length;
  for (let row = 0; row < rows; row++) {
    for (let k = rowStart[row] ?? 0; k < (rowStart[row + 1] ?? 0); k++) {
      const at = column[k] ?? -1;
      if (at < 0 || at >= columns || (k > (rowStart[row] ?? 0) && at <= (column[k - 1] ?? 0))) isOrdered = false;
      dense[row * columns + at] = values[k] ?? NaN;
    }
  }
  return { dense: [...dense], isOrdered };
}

/** The arrays of numbers in a value, in their order. */
function arraysIn(value: unknown): readonly Float64Array[] {
  if (value instanceof Float64Array) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(arraysIn) : [];
}

type Exports = (form: Parameters<typeof derivedName>[1]) => ReturnType<typeof exportOf>;

// `exact`: what values may differ by, where a derivative is a part of them
function problemsOf(model: Model, item: Case, exact: number, derived: Exports): readonly string[] {
  const params = model.parameters(item.entry);
  const type = model.result(item.entry);
  const decoded = decodeArguments(item.args, params);
  if (!decoded.ok) throw new Error("the arguments do not fit");
  const args = decoded.value;
  const flat = (values: readonly unknown[]): number[] => params.flatMap((param, i) => realsOf(values[i], param.type));
  const like = (numbers: readonly number[], as: "value" | "cotangent"): readonly unknown[] => {
    let next = 0;
    return params.map((param, i) => {
      const count = realsOf(args[i], param.type).length;
      return withReals(args[i], param.type, numbers.slice(next, (next += count)), as);
    });
  };
  const data = new DualData(model.core.program.data);
  const active = leavesOf(model.entry(item.entry).params).flatMap(({ leaf }, i) =>
    data.hasReal(leaf.type) ? [i] : [],
  );
  const byName = (of: unknown): readonly number[] =>
    flat(params.map(({ name }, i) => (active.includes(i) ? propertyOf(of, propertyName(name)) : args[i])));
  const at = flat(args);
  if (at.length === 0 || at.length > mostNumbers) return [];
  const tangents = (numbers: readonly number[]): readonly unknown[] => active.map((i) => like(numbers, "cotangent")[i]);
  const problems: string[] = [];
  const check = (what: string, found: readonly number[], expected: readonly number[], tolerance: number): void => {
    const size = Math.max(1e-6, ...expected.map(Math.abs).filter(Number.isFinite));
    const isFit = found.length === expected.length && found.every((x, i) => Object.is(x, expected[i]) || Math.abs(x - (expected[i] ?? NaN)) <= tolerance * size); // prettier-ignore
    if (!isFit) problems.push(`${what}: ${found.join(", ")}, not ${expected.join(", ")}`);
  };
  /** Runs with the result of an earlier call, in whose arrays something else is: the same arrays, and the numbers that were in them. */
  const refilled = (form: "jacobian" | "hvp" | "hessian", given: readonly unknown[]): void => {
    const first = derived(form)(...given);
    const expected = structuredClone(first);
    const arrays = arraysIn(first);
    for (const array of arrays) array.fill(NaN);
    const again = derived(form)(...given, first);
    const found = arraysIn(again);
    if (found.length !== arrays.length || found.some((array, i) => array !== arrays[i]))
      problems.push(`${form}: other arrays than those of the result that it is given`);
    check(`${form} in an earlier result`, found.flatMap((array) => [...array]), arraysIn(expected).flatMap((array) => [...array]), 0); // prettier-ignore
  };
  const vjp = derived("vjp")(...args);
  const value = propertyOf(vjp, "value");
  const reals = realsOf(value, type);
  const weights = reals.map((_, i) => 1 + ((i * 7) % 5) / 4);
  const direction = at.map((_, i) => 0.5 + ((i * 5) % 7) / 8);
  const pullback = functionOf(propertyOf(vjp, "pullback"));
  const pull = (): readonly number[] | null =>
    byNameOrZero(pullback(withReals(value, type, weights, "cotangent")), byName);
  const pulled = pull();
  if (pulled === null) return [];
  check("a second run of the pullback", pull() ?? [], pulled, 0);
  const jvp = derived("jvp")(...args, ...tangents(direction));
  check("value of jvp", realsOf(propertyOf(jvp, "value"), type), reals, exact);
  const tangent = realsOf(propertyOf(jvp, "tangent"), type);
  check("jvp against vjp", [dot(tangent, weights)], [dot(pulled, direction)], 1e-9);
  const jacobian = derived("jacobian")(...args);
  check("value of jacobian", realsOf(propertyOf(jacobian, "value"), type), reals, exact);
  const entries = numbersOf(propertyOf(jacobian, "jacobian"));
  check("size of jacobian", [numberOf(propertyOf(jacobian, "rows")), numberOf(propertyOf(jacobian, "columns"))], [reals.length, at.length], 0); // prettier-ignore
  const along = reals.map((_, row) => dot(entries.slice(row * at.length, (row + 1) * at.length), direction));
  check("jacobian against jvp", along, tangent, 1e-9);
  refilled("jacobian", args);
  const found = derived("jacobian")(...args, { sparse: true });
  if (propertyOf(found, "rowStart") !== undefined) {
    check("value of sparse jacobian", realsOf(propertyOf(found, "value"), type), reals, exact);
    const { dense, isOrdered } = denseOf(found);
    check("sparse jacobian", dense, entries, 1e-12);
    if (!isOrdered) problems.push("columns of the sparse jacobian are not in order");
  }
  if (type.kind !== "real" || untrue.has(item.entry)) return problems;
  const grad = derived("grad");
  const gradient = byName(propertyOf(grad(...args), "grad"));
  const hvp = derived("hvp")(...args, ...tangents(direction));
  check("value of hvp", [numberOf(propertyOf(hvp, "value"))], reals, 0);
  check("gradient of hvp", byName(propertyOf(hvp, "grad")), gradient, 1e-9);
  const h = 1e-4;
  const moved = (by: number): readonly number[] => byName(propertyOf(grad(...like(at.map((x, i) => x + by * (direction[i] ?? 0)), "value")), "grad")); // prettier-ignore
  const [p1, m1, p2, m2] = [moved(h), moved(-h), moved(2 * h), moved(-2 * h)];
  const differences = at.map((_, i) => (8 * ((p1[i] ?? 0) - (m1[i] ?? 0)) - ((p2[i] ?? 0) - (m2[i] ?? 0))) / (12 * h));
  const second = byName(propertyOf(hvp, "hvp"));
  const coarse = at.map((_, i) => ((p2[i] ?? 0) - (m2[i] ?? 0)) / (4 * h));
  // At kinks differences say nothing
  const isSmooth = differences.every(
    (x, i) => Math.abs(x - (coarse[i] ?? NaN)) <= 1e-3 * Math.max(1, ...differences.map(Math.abs)),
  );
  if (isSmooth) check("hvp against differences", second, differences, 1e-5);
  const hessian = derived("hessian")(...args);
  const all = numbersOf(propertyOf(hessian, "hessian"));
  check("hessian against hvp", at.map((_, row) => dot(all.slice(row * at.length, (row + 1) * at.length), direction)), second, 1e-8); // prettier-ignore
  check("symmetry", all, all.map((_, k) => all[(k % at.length) * at.length + Math.floor(k / at.length)] ?? NaN), 1e-8); // prettier-ignore
  refilled("hvp", [...args, ...tangents(direction)]);
  refilled("hessian", args);
  const flattened = derived("flat")(...args);
  const start = numbersOf(propertyOf(flattened, "start"));
  check("start", start, at, 0);
  const into = new Float64Array(at.length);
  check("flat value", [numberOf(functionOf(propertyOf(flattened, "value"))(start)), numberOf(functionOf(propertyOf(flattened, "valueGrad"))(start, into))], [...reals, ...reals], 0); // prettier-ignore
  check("flat gradient", [...into], gradient, 0);
  const linear = derived("linearize")(...args);
  check(
    "pushforward",
    realsOf(functionOf(propertyOf(linear, "pushforward"))(...tangents(direction)), type),
    tangent,
    0,
  );
  return problems;
}

function byNameOrZero(gradient: unknown, byName: (of: unknown) => readonly number[]): readonly number[] | null {
  const found = byName(gradient);
  return found.every(Number.isFinite) ? found : null;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : NaN;
}

function numbersOf(value: unknown): readonly number[] {
  return value instanceof Float64Array || value instanceof Int32Array ? Array.from(value, Number) : [];
}
