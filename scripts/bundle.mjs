// Writes dist/command.js: the command line as one module, which starts in a third of the time that its thousand files take (most of them are
// lodash's, which the parser uses). What the command line needs besides is imported as it is installed.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

await build({
  absWorkingDir: root,
  entryPoints: ["dist/cli/main.js"],
  outfile: "dist/command.js",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  // The other form of jsonc-parser looks for its parts when it runs
  mainFields: ["module", "main"],
  external: ["commander", "picocolors", "prettier"],
  logLevel: "warning",
});
