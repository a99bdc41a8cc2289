import { basename } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { defineConfig } from "vitest/config";

const all = ["src/**/*.test.ts", "test/**/*.test.ts"];

// What goes through bin/ or reads documents needs the build; everything else runs from src/.
const built = [
  "test/bundler-messages.test.ts",
  "test/bundlers.test.ts",
  "test/packages.test.ts",
  "test/cli.test.ts",
  "test/cli-*.test.ts",
  "test/documents.test.ts",
  "test/externs.test.ts",
  "test/package.test.ts",
  "test/prettier-plugin.test.ts",
  "test/site.test.ts",
  "test/playground.test.ts",
  "test/vscode-following.test.ts",
];

/** What takes longest, in this order: the others fill the time of the second worker up to the end. */
const long = [
  "fixtures.test.ts",
  "emitted.test.ts",
  "passes.test.ts",
  "derived.test.ts",
  "fixtures-large.test.ts",
  "flat.test.ts",
  "golden.test.ts",
  "documents.test.ts",
  "site.test.ts",
  "properties.test.ts",
  "playground.test.ts",
];

/** The long files first, whatever their size, which the base class goes by on a machine where they have not run before. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = long.indexOf(basename(moduleId));
      return at === -1 ? long.length : at;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

export default defineConfig({
  test: {
    testTimeout: 60_000,
    setupFiles: "test/support/seed.ts",
    // Vitest would leave one core idle, half the machine where there are two
    maxWorkers: "100%",
    // The compiler makes trees that are soon done with: with more room for young ones the collector takes a tenth of the time less
    execArgv: ["--max-semi-space-size=128"],
    // Files share no state that they change: one worker keeps the compiler, TypeScript and prettier loaded, and their code warm
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: "source", include: all, exclude: built } },
      { extends: true, test: { name: "built", include: built, globalSetup: "test/build.ts" } },
    ],
  },
});
