import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  {
    ignores: [
      "build/",
      "**/dist/",
      "packages/site/pages/",
      "packages/site/.vitepress/cache/",
      "**/*.lam.d.ts",
      "node_modules/",
      "fixtures/",
      "coverage/",
      "src/**/embedded.ts",
    ],
  },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ["eslint.config.js"] } } },
    rules: {
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/consistent-type-assertions": ["error", { assertionStyle: "never" }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-unnecessary-condition": ["error", { allowConstantLoopConditions: true }],
      "max-lines": ["error", { max: 500, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // Runtime fragments are what emitted modules contain: a few casts stand where the typing statement of a stage is stronger than TypeScript's.
    files: ["src/runtime/**/*.ts"],
    rules: { "@typescript-eslint/consistent-type-assertions": ["error", { assertionStyle: "as" }] },
  },
  {
    files: [
      "bin/**/*.js",
      "scripts/**/*.mjs",
      "test/commands/*.mjs",
      "packages/*/*.mjs",
      "packages/site/.vitepress/*.mjs",
    ],
    languageOptions: { globals: { Buffer: "readonly", console: "readonly", process: "readonly", URL: "readonly" } },
  },
);
