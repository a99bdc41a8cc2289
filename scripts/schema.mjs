// Writes schema/config.json, the JSON schema of dualrev.config.json, of src/cli/project-schema.ts as it has been built.

import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { toJsonSchema } from "@valibot/to-json-schema";
import { projectSchema } from "../build/cli/project-schema.js";

const folder = fileURLToPath(new URL("../schema/", import.meta.url));
mkdirSync(folder, { recursive: true });
const schema = { ...toJsonSchema(projectSchema, { typeMode: "input" }), title: "A project of dualrev" };
writeFileSync(`${folder}config.json`, `${JSON.stringify(schema, null, 2)}\n`);
