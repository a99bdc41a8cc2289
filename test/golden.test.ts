// What the stages make of the fixtures of some groups: each stage's term in the paper's notation and its module; of `adjoint` both sweeps, which are there
// as TypeScript alone.

import { describe, test } from "vitest";
import { steps } from "../src/driver/steps.js";
import { printModule } from "../src/typescript/print-module.js";
import { isTransformation, stageNamed, stageNames } from "../src/driver/stages.js";
import { fixtureNames, fixturesFolder, readFixture } from "./support/fixture.js";
import { expectGolden } from "./support/golden.js";
import { Model } from "./support/model.js";

for (const group of ["paper", "authors", "constructs", "gradients"]) {
  describe(group, () => {
    test.each(fixtureNames(group))("%s", (name) => {
      const { source } = readFixture(group, name);
      const shown = steps(source);
      if (!shown.ok) throw new Error(`${group}/${name} does not compile`);
      const model = new Model(source);
      for (const { stage, term, typescript } of shown.value) {
        const file = `${fixturesFolder}${group}/${name}.golden/${stage}`;
        if (!isTransformation(stageNamed(stage))) {
          expectGolden(`${file}.ts`, typescript);
          continue;
        }
        if (group === "gradients") continue;
        expectGolden(`${file}.txt`, term);
        // Every module ends in the parts of the runtime that it uses; whole modules are shown for the paper's own programs.
        const whole = group === "paper" ? printModule(model.emit(stage), "ts") : typescript;
        expectGolden(`${file}.ts`, whole);
      }
    });
  });
}

test("every stage is shown", () => {
  const shown = steps(readFixture("paper", "fig1").source);
  if (!shown.ok || shown.value.map(({ stage }) => stage).join() !== stageNames.join())
    throw new Error("a stage is missing");
});
