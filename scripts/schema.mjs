// Writes schema/config.json, the JSON schema of dualrev.config.json, of src/cli/project-schema.ts as it has been built. `--check` writes nothing and
// fails where the file is not what it should be.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { toJsonSchema } from "@valibot/to-json-schema";
import prettier from "prettier";
import { projectSchema } from "../build/cli/project-schema.js";

const file = fileURLToPath(new URL("../schema/config.json", import.meta.url));
const schema = toJsonSchema(projectSchema, { typeMode: "input" });
const text = await prettier.format(JSON.stringify({ ...schema, title: "A project of dualrev" }), {
  parser: "json",
  printWidth: 120,
});
if (!process.argv.includes("--check")) writeFileSync(file, text);
else if (readFileSync(file, "utf8") !== text) {
  console.error("schema/config.json is not up to date: npm run schema");
  process.exitCode = 1;
}
