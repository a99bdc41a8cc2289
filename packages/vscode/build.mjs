// Writes dist/: the extension as one file, and the grammar of the repository.

import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL(".", import.meta.url));
const dist = join(root, "dist");

rmSync(dist, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: ["src/extension.ts"],
  outfile: join(dist, "extension.cjs"),
  bundle: true,
  minify: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  logLevel: "warning",
});
copyFileSync(join(root, "../../grammar/lam.tmLanguage.json"), join(dist, "lam.tmLanguage.json"));
