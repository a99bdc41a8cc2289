// Random arguments of random types: from TypeScript to JSON and back, through emitted modules, and what does not fit.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Type } from "../src/core/type.js";
import { printJson } from "../src/driver/json.js";
import { run } from "../src/driver/run.js";
import { ValueTypes, type ValueType } from "../src/driver/value-types.js";
import { decodeValue, realsOf, withReals } from "../src/driver/values.js";
import { fits, mutations } from "./support/arbitrary-documents.js";
import { allNumbers, valuesOf } from "./support/arbitrary-values.js";
import { declarations, firstOrderTypes, identityModel } from "./support/first-order-types.js";
import { Model } from "./support/model.js";

const runs = Number(process.env["DUALREV_RUNS"] ?? 50);
const timeout = 60_000 + 2000 * runs;
const types = new ValueTypes(declarations);

interface Sample {
  readonly type: Type;
  readonly of: ValueType;
  readonly value: unknown;
}

const samples: fc.Arbitrary<Sample> = firstOrderTypes.chain((type) => {
  const of = types.of(type);
  return valuesOf(of, 4, allNumbers).map((value) => ({ type, of, value }));
});

/** A value and a document that comes from its own by a few changes. */
const mutated = samples.chain((sample) => {
  const document: unknown = JSON.parse(printJson(sample.value));
  return mutations(document).map((changed) => ({ ...sample, document: changed }));
});

describe("random values of random types", () => {
  it("are the same after printing and reading", () => {
    fc.assert(
      fc.property(samples, ({ of, value }) => {
        expect(decodeValue(JSON.parse(printJson(value)), of, "x")).toEqual({ ok: true, value });
      }),
      { numRuns: 4 * runs },
    );
  });

  it("are made of their real numbers", () => {
    fc.assert(
      fc.property(samples, ({ of, value }) => {
        const reals = realsOf(value, of);
        expect(withReals(value, of, reals, "value")).toEqual(value);
        const other = reals.map((_, i) => i + 0.5);
        expect(realsOf(withReals(value, of, other, "cotangent"), of)).toEqual(other);
      }),
      { numRuns: 4 * runs },
    );
  });

  it(
    "come back from a model that gives its argument back, as JSON",
    () => {
      fc.assert(
        fc.property(samples, fc.boolean(), ({ type, of, value }, alias) => {
          const source = { name: "same.lam", text: identityModel(type, alias) };
          const document: unknown = JSON.parse(printJson({ x: value }));
          const answer = run(source, "same", document);
          if (!answer.ok) throw new Error(JSON.stringify(answer.diagnostics));
          expect(answer.value).toEqual(value);
          expect(decodeValue(JSON.parse(printJson(answer.value)), of, "x")).toEqual({ ok: true, value });
        }),
        { numRuns: runs },
      );
    },
    timeout,
  );

  it(
    "come back from emitted modules in memory of their own, and so do cotangents",
    () => {
      fc.assert(
        fc.property(samples, ({ type, of, value }) => {
          const model = new Model({ name: "same.lam", text: identityModel(type, false) }, ["same"]);
          for (const stage of ["primal", "tape", "forward"] as const) {
            const given = withReals(value, of, realsOf(value, of), "value");
            const result = model.run("same", stage, [given]);
            expect(result.value).toEqual(value);
            expect(sharedParts(result.value, given)).toEqual([]);
            if (result.kind !== "reverse") continue;
            // 0.5, 1.5, ..: of an identity, the gradient is the cotangent
            const weights = realsOf(value, of).map((_, i) => i + 0.5);
            const cotangent = withReals(value, of, weights, "cotangent");
            const gradient = model.pullBack("same", result, [given], cotangent);
            expect(gradient).toEqual(weights);
            expect(given).toEqual(value);
          }
        }),
        { numRuns: runs },
      );
    },
    timeout,
  );
});

describe("documents that nearly fit", () => {
  it("are read, or the place is named", () => {
    const seen = { fitting: 0, not: 0 };
    fc.assert(
      fc.property(mutated, ({ of, document }) => {
        const decoded = decodeValue(document, of, "x");
        expect(decoded.ok).toBe(fits(document, of));
        seen[decoded.ok ? "fitting" : "not"] += 1;
        if (decoded.ok) return;
        const { path, expected, found } = decoded.mistake;
        expect(path).toMatch(/^x(?:[.[ ]|$)/);
        expect(expected).not.toBe("");
        expect(found).not.toBe("");
        expect(found).not.toBe(expected);
      }),
      { numRuns: 20 * runs },
    );
    expect(seen.fitting).toBeGreaterThan(runs / 4);
    expect(seen.not).toBeGreaterThan(5 * runs);
  });

  it(
    "are diagnostics of `run`",
    () => {
      fc.assert(
        fc.property(mutated, ({ type, of, document }) => {
          const answer = run({ name: "same.lam", text: identityModel(type, false) }, "same", { x: document });
          expect(answer.ok).toBe(document !== undefined && fits(document, of));
          if (answer.ok) return;
          const [first, ...others] = answer.diagnostics;
          expect(others).toEqual([]);
          expect(first?.code).toBe("E0602");
          expect(first?.notes.join()).toMatch(/^at .+\nexpected .+\nfound {4}.+$/);
        }),
        { numRuns: runs },
      );
    },
    timeout,
  );

  it(
    "are TypeErrors and RangeErrors of emitted modules that name the path",
    () => {
      fc.assert(
        fc.property(mutated, ({ type, of, document }) => {
          const model = new Model({ name: "same.lam", text: identityModel(type, false) }, ["same"]);
          for (const stage of ["primal", "tape", "forward"] as const) {
            const error = errorOf(() => model.run("same", stage, [document]));
            if (error === null) continue;
            const isExpected = error instanceof TypeError || error instanceof RangeError;
            expect(isExpected).toBe(true);
            if (!isExpected) continue;
            expect(error.message).toMatch(/^same(?:Vjp)?: x.* must be .+, got .+$/);
          }
          // Further fields and array-likes are let through, and "NaN" is no number here
          if (fits(document, of) && !JSON.stringify(document).includes('"NaN"') && !JSON.stringify(document).includes("Infinity")) {
            expect(errorOf(() => model.run("same", "primal", [document]))).toBeNull();
          }
        }),
        { numRuns: runs },
      );
    },
    timeout,
  ); // prettier-ignore
});

/** The objects that two values have in common, as paths. */
function sharedParts(left: unknown, right: unknown): readonly string[] {
  const parts = new Set<unknown>();
  walk(right, "", (part) => parts.add(part));
  const shared: string[] = [];
  walk(left, "", (part, path) => {
    if (parts.has(part)) shared.push(path);
  });
  return shared;
}

function walk(value: unknown, path: string, visit: (part: object, path: string) => void): void {
  if (typeof value !== "object" || value === null) return;
  visit(value, path);
  if (value instanceof Float64Array) return;
  for (const [key, part] of Object.entries(value)) walk(part, `${path}.${key}`, visit);
}

function errorOf(call: () => unknown): unknown {
  try {
    call();
    return null;
  } catch (error) {
    return error;
  }
}
