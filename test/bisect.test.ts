// A mistake planted in the output of any pass is named by `bisect`, where it changes a number.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { earlyModuleSchedule, lateModuleSchedule, storePass } from "../src/adjoint/passes.js";
import { bisect, type Guilty } from "../src/driver/bisect.js";
import { flatSchedule, flattenPass } from "../src/flat/passes.js";
import type { Program } from "../src/flat/program.js";
import { coreSchedule } from "../src/optimise/passes.js";
import { passesOf, type Lowering, type Pass } from "../src/pass.js";
import { functionSchedule } from "../src/tidy/passes.js";
import { sweepsPass } from "../src/tidy/tidy.js";
import { limitedTo } from "../src/cli/limited.js";
import { InternalError } from "../src/internal-error.js";
import { readFixture, type Case, type Fixture } from "./support/fixture.js";
import { Model } from "./support/model.js";
import { mistakes, planted, plantedInStores, type Mistake } from "./support/planted.js";

/** By pass a fixture that it changes: docs/passes.md. */
const examples: ReadonlyMap<string, string> = new Map(
  [
    ...readFileSync(join(import.meta.dirname, "../docs/passes.md"), "utf8").matchAll(
      /^- `(\S+)` \(.* – `(\S+\/\S+)`$/gm,
    ),
  ].map(([, pass = "", example = ""]) => [pass, example] as const),
);

afterEach(() => {
  vi.restoreAllMocks();
});

/** How many of the planted mistakes were named. */
let named = 0;

/** All mistakes in all passes are for a longer search. */
const all = Number(process.env["DUALREV_RUNS"] ?? 100) > 100;

/** A small case of a pass's example. */
function exampleOf(pass: string): { readonly fixture: Fixture; readonly item: Case } {
  const [group = "", name = ""] = (examples.get(pass) ?? "").split("/");
  const fixture = readFixture(group, name);
  const size = ({ args }: Case): number => sizeOf(args);
  const usable = fixture.cases.filter(({ expected }) => expected.kind !== "error").sort((a, b) => size(a) - size(b));
  // Where there are few numbers, a mistake often changes none
  const item = usable.findLast((one) => size(one) <= 60) ?? usable[0];
  if (item === undefined) throw new Error(`${pass}: the example ${group}/${name} has no case`);
  return { fixture, item };
}

/** How many values there are in a JSON document, which may be a list of a million cells. */
function sizeOf(document: unknown): number {
  let count = 0;
  const waiting: unknown[] = [document];
  while (waiting.length > 0) {
    const value = waiting.pop();
    count += 1;
    if (typeof value === "object" && value !== null) for (const part of Object.values(value)) waiting.push(part);
  }
  return count;
}

/** Each mistake that can be made in what a pass gives on its example, or the first one. */
function testMistakes(pass: string, plant: (mistake: Mistake) => { readonly isPlanted: () => boolean }): void {
  test(pass, { timeout: 300_000 }, () => {
    const { fixture, item } = exampleOf(pass);
    for (const [, mistake] of mistakes) {
      const { isPlanted } = plant(mistake);
      try {
        new Model(fixture.source, [item.entry], fixture.load).emit("adjoint");
      } catch (error) {
        // As a mistake may make an invariant of a later pass fail
        if (!(error instanceof InternalError)) throw error;
      }
      if (!isPlanted()) continue;
      const result = bisect(fixture.source, item.entry, item.args, { load: fixture.load, limited: limitedTo(250) });
      const guilty = result.ok ? (result.value.guilty?.pass ?? null) : null;
      expect([null, pass]).toContain(guilty);
      if (guilty === null) continue;
      named += 1;
      if (!all) return;
    }
  });
}

function testPass<T extends object, Context>(pass: Pass<T, Context>): void {
  const run = pass.run.bind(pass);
  testMistakes(pass.name, (mistake) => {
    let count = 0;
    vi.spyOn(pass, "run").mockImplementation((before, context) => {
      const after = run(before, context);
      const wrong = after === before ? null : planted(after, mistake);
      if (wrong !== null) count += 1;
      return wrong ?? after;
    });
    return { isPlanted: () => count > 0 };
  });
}

function testLowering<In, Out extends object, Context>(
  pass: Lowering<In, Out, Context>,
  plant: (program: Out, mistake: Mistake) => Out | null,
): void {
  const run = pass.run.bind(pass);
  testMistakes(pass.name, (mistake) => {
    let count = 0;
    vi.spyOn(pass, "run").mockImplementation((program, context) => {
      const out = run(program, context);
      const wrong = plant(out, mistake);
      if (wrong !== null) count += 1;
      return wrong ?? out;
    });
    return { isPlanted: () => count > 0 };
  });
}

describe("a mistake in the output of", () => {
  for (const pass of passesOf(coreSchedule)) testPass(pass);
  testLowering(flattenPass, planted);
  for (const pass of passesOf(flatSchedule)) testPass(pass);
  testLowering(storePass, plantedInStores);
  for (const pass of passesOf(earlyModuleSchedule)) testPass(pass);
  testLowering(sweepsPass, planted);
  for (const pass of passesOf(functionSchedule)) testPass(pass);
  for (const pass of passesOf(lateModuleSchedule)) testPass(pass);
});

/** What is said of `x, y, z -> (exp x, y * z)` at a point where a flat pass does something else with a program. */
function saidOf(name: string, x: number, run: (program: Program) => Program): Guilty | null {
  const pass = [...passesOf(flatSchedule)].find((each) => each.name === name);
  if (pass === undefined) throw new Error(`there is no pass ${name}`);
  vi.spyOn(pass, "run").mockImplementation((program) => run(program));
  const text = "def f (x : R) (y : R) (z : R) : (R, R) = (exp x, y * z)";
  const result = bisect({ name: "m.lam", text }, "f", { x, y: 2, z: 3 });
  return result.ok ? result.value.guilty : null;
}

test("a pass is named whose program breaks an invariant, and one that throws", () => {
  const withoutFirst = (program: Program): Program => ({
    ...program,
    procedures: program.procedures.map((each) => ({
      ...each,
      body: { ...each.body, stmts: each.body.stmts.slice(1) },
    })),
  });
  const broken = saidOf("interchange", 1, withoutFirst);
  expect(broken?.pass).toBe("interchange");
  expect(broken?.problem).toMatch(/^what it has made breaks an invariant: .* is not in scope/);
  const boom = saidOf("unroll", 1, () => { throw new Error("boom"); }); // prettier-ignore
  expect(boom).toEqual({ pass: "unroll", within: null, problem: "boom" });
});

test("a number that is small beside another one is compared by itself", () => {
  const divide = (node: object): boolean => Reflect.get(node, "op") === "mul" && Reflect.set(node, "op", "div");
  const wrong = saidOf("interchange", 25, (program) => planted(program, divide) ?? program);
  expect(wrong?.pass).toBe("interchange");
});

test("half of them change a number of the example", () => {
  expect(named).toBeGreaterThan(40);
});
