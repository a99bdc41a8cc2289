// What the stages make of the fixtures of some groups: each stage's term in the paper's notation and its module; of `adjoint` both sweeps, which are there
// as TypeScript alone.

import { describe, test } from "vitest";
import { steps } from "../src/driver/steps.js";
import { printModule } from "../src/typescript/print-module.js";
import { isTransformation, stageNamed, stageNames } from "../src/driver/stages.js";
import { fixtureNames, readFixture } from "./support/fixture.js";
import { Goldens } from "./support/golden.js";
import { Model } from "./support/model.js";

/** Of constructs those that show one rule of the figures each are there in every stage; of others `adjoint` is, and a hash of what the other stages give. */
const inEveryStage: ReadonlySet<string> = new Set([
  "branch-not-taken", "case-integer", "case-nested", "closure-captures", "data-polymorphic", "if", "lambda", "let-function",
  "let-rec", "let-rec-mutual", "parallel", "sharing", "sum-in", "sum-out", "tuple",
]); // prettier-ignore
/** Those of KR22 are shown as terms, where sharing is all that there is to see. */
const withDeltas = "sharing";
const deltaStages: ReadonlySet<string> = new Set(["delta-vector", "delta", "delta-let", "delta-let-array"]);

for (const group of ["paper", "authors", "constructs", "gradients"]) {
  describe(group, () => {
    const goldens = new Goldens(group);
    test.each(fixtureNames(group))("%s", (name) => {
      const { source } = readFixture(group, name);
      const shown = steps(source);
      if (!shown.ok) throw new Error(`${group}/${name} does not compile`);
      const model = new Model(source);
      const isWhole = group !== "constructs" || inEveryStage.has(name);
      for (const { stage, term, typescript } of shown.value) {
        if (!isTransformation(stageNamed(stage))) {
          goldens.whole(name, `${stage}.ts`, typescript);
          continue;
        }
        if (group === "gradients") continue;
        if (deltaStages.has(stage)) {
          // With an array it is the same but for two lines
          if (name === withDeltas && stage !== "delta-let-array") goldens.whole(name, `${stage}.txt`, term);
          continue;
        }
        // Of programs that do not fork D5 is D4 in another monad
        if (stage === "parallel" && !/\|\*\|/.test(source.text)) continue;
        // Every module ends in the parts of the runtime that it uses; whole modules are shown for the paper's own programs.
        // Of D5 without the runtime, which takes three times as many lines as the program
        const code = group === "paper" && stage !== "parallel" ? printModule(model.emit(stage), "ts") : typescript;
        if (isWhole) {
          goldens.whole(name, `${stage}.txt`, term);
          goldens.whole(name, `${stage}.ts`, code);
        } else {
          goldens.hash(
            name,
            stage,
            `${term}\n${code}`,
            `node bin/dualrev.js steps fixtures/${group}/${name}.lam --only ${stage}`,
          );
        }
      }
    });
    test("nothing else is kept", () => {
      goldens.finish();
    });
  });
}

test("every stage is shown", () => {
  const shown = steps(readFixture("paper", "fig1").source);
  if (!shown.ok || shown.value.map(({ stage }) => stage).join() !== stageNames.join())
    throw new Error("a stage is missing");
});
