// The passes of the stage `adjoint`: their invariants hold after each of them on every fixture, each changes some fixture, and each may be left out.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { describe, expect, test } from "vitest";
import { propertyOf } from "../src/driver/evaluate.js";
import { testWeights } from "../src/driver/finite-differences.js";
import { assertForm } from "../src/driver/forms.js";
import { Passes } from "../src/driver/passes.js";
import { derivingFor } from "../src/driver/compile.js";
import { emit, toCore } from "../src/driver/pipeline.js";
import type { Load } from "../src/syntax/loaded-file.js";
import type { SourceFile } from "../src/syntax/source.js";
import { adjointPasses, passesToLeaveOut, passNamed } from "../src/driver/registry.js";
import { stageNamed } from "../src/driver/stages.js";
import { decodeArguments, realsOf, withReals } from "../src/driver/values.js";
import { propertyName } from "../src/emit/interface/public-names.js";
import { firstDifference } from "./support/compare.js";
import { fixtureNames, readFixture, type Case } from "./support/fixture.js";
import { Model } from "./support/model.js";

const groups =
  "paper authors gradbench gradients table1 models constructs primitives names errors-runtime imports derivatives".split(
    " ",
  );

const document = join(import.meta.dirname, "../docs/passes.md");

interface FixtureName {
  readonly group: string;
  readonly name: string;
}

/** By name of a pass the fixtures that it changes. */
const changed = new Map<string, FixtureName[]>();

test("names are unique, and a former one still means its pass", () => {
  const names = adjointPasses.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(passNamed("optimise")?.name).toBe("names");
  expect(passNamed("nothing")).toBeNull();
});

describe("invariants hold after each pass", () => {
  for (const group of groups) {
    test(group, { timeout: 180_000 }, () => {
      for (const name of fixtureNames(group)) {
        const { source, load } = readFixture(group, name);
        const fired = new Set<string>();
        const passes = new Passes(null, {
          check: assertForm,
          onResult: ({ pass, isChange }) => {
            if (isChange) fired.add(pass.name);
          },
        });
        expect(isEmitted(group, source, load, passes), name).toBe(true);
        for (const pass of fired) changed.set(pass, [...(changed.get(pass) ?? []), { group, name }]);
      }
    });
  }
});

/** Whether a module comes out; of the fixtures about derivatives one with all that there are. */
function isEmitted(group: string, source: SourceFile, load: Load | null, passes: Passes): boolean {
  const stage = stageNamed("adjoint");
  if (group !== "derivatives") return emit(new Model(source, null, load).core, stage, { wrt: new Map(), counted: false }, passes).ok; // prettier-ignore
  const { wanted, deriving } = derivingFor(source, stage.mode, { with: ["all"] });
  const core = toCore(source, null, passes, load, "plain", deriving.derive);
  return core.ok && emit(core.value, stage, { wrt: deriving.wrt, wanted, counted: false }, passes).ok;
}

describe("a pass changes some fixture, and may be left out", () => {
  for (const pass of passesToLeaveOut) {
    test(pass, { timeout: 180_000 }, () => {
      const found = changed.get(pass) ?? [];
      expect(found).not.toEqual([]);
      for (const { group, name } of some(found)) {
        const fixture = readFixture(group, name);
        const [all, without] = [new Set<string>(), new Set([pass])].map((left) => new Model(fixture.source, null, fixture.load, left)); // prettier-ignore
        if (all === undefined || without === undefined) throw new Error("two models");
        for (const item of fixture.cases) expect(problemOf(all, without, item), `${name}, ${item.entry}`).toBeNull();
      }
    });
  }
});

/** The shortest of some fixtures that say what they give at some arguments. */
function shortest(fixtures: readonly FixtureName[]): FixtureName | null {
  const read = fixtures.map(({ group, name }) => readFixture(group, name));
  const usable = read.filter(({ cases }) => cases.some(({ expected }) => expected.kind !== "error"));
  return usable.sort((one, other) => one.source.text.length - other.source.text.length)[0] ?? null;
}

/** Two of the fixtures that a pass changes: where each pass has its own, some forty in all. */
function some<T>(items: readonly T[]): readonly T[] {
  return [...new Set([...items.slice(0, 1), ...items.slice(Math.floor(items.length / 2)).slice(0, 1)])];
}

function problemOf(all: Model, without: Model, { entry, args, relative, scale }: Case): string | null {
  const [wanted, got] = [all, without].map((model) => outcome(model, entry, args));
  if (wanted === undefined || got === undefined || typeof wanted === "string" || typeof got === "string") {
    return wanted === got ? null : `${String(got)}, not ${String(wanted)}`;
  }
  const at = firstDifference(got, wanted, Math.max(relative, 1e-12), scale);
  return at === null ? null : `real ${at} of value and gradient is ${String(got[at])}, not ${String(wanted[at])}`;
}

/** The reals of an entry's value and of its pullback, or the message of an error. */
function outcome(model: Model, entry: string, args: unknown): readonly number[] | string {
  const decoded = decodeArguments(args, model.parameters(entry));
  if (!decoded.ok) throw new Error(`the arguments of ${entry} do not fit`);
  try {
    const run = model.run(entry, "adjoint", decoded.value);
    const reals = realsOf(run.value, model.result(entry));
    if (run.kind !== "reverse") return reals;
    const cotangent = withReals(run.value, model.result(entry), testWeights(reals.length), "cotangent");
    const pulled = run.pullback(cotangent);
    const gradient = model.parameters(entry).flatMap(({ name, type }) => realsOf(propertyOf(pulled, propertyName(name)), type)); // prettier-ignore
    return [...reals, ...gradient];
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

test("docs/passes.md lists them, each with a fixture that it changes", { timeout: 60_000 }, async () => {
  const items = adjointPasses.map(({ name, title, in: from, out }) => {
    const example = shortest(changed.get(name) ?? []);
    const form = from === out ? from : `${from} to ${out}`;
    return `- \`${name}\` (${form}): ${title}${example === null ? "" : ` – \`${example.group}/${example.name}\``}`;
  });
  const text = await format(
    `# Passes of the stage \`adjoint\`\n\nIn the order in which they first run, each with the form of program that it works on, and an example; written by \`test/passes.test.ts\`. \`dualrev compile fixtures/EXAMPLE.lam --dump PASS\` shows the program after a pass, of the examples in \`derivatives\` with \`--with all\`.\n\n${items.join("\n")}\n`,
    { parser: "markdown" },
  );
  if (process.env["DUALREV_UPDATE"] === undefined) expect(readFileSync(document, "utf8")).toBe(text);
  else writeFileSync(document, text);
});
