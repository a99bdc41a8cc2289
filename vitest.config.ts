import { defineConfig } from "vitest/config";

// What goes through bin/ or reads documents needs the build; everything else runs from src/.
const built = ["test/cli.test.ts", "test/cli-imports.test.ts", "test/documents.test.ts"];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    setupFiles: "test/support/seed.ts",
    projects: [
      { extends: true, test: { name: "source", include: ["src/**/*.test.ts", "test/**/*.test.ts"], exclude: built } },
      { extends: true, test: { name: "built", include: built, globalSetup: "test/build.ts" } },
    ],
  },
});
