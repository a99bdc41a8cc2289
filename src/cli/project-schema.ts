// What a project file may say; the schema for editors is made of it (scripts/schema.mjs).

import { derivedNames } from "../emit/interface/public-names.js";
import * as v from "valibot";
import { stageNames } from "../driver/stages.js";

const wantedDerivatives = `must be a list of ${[...derivedNames, "all"].join(", ")}`;

const names = "must be a list of strings";
const list = v.array(v.string(names), names);

const settings = {
  entry: v.optional(
    v.pipe(list, v.description("The definitions to export: all that can be where left out."), v.examples([["loss"]])),
  ),
  wrt: v.optional(
    v.pipe(
      list,
      v.description("Parameters to differentiate with respect to, as definition.parameter: all where left out."),
      v.examples([["loss.weights"]]),
    ),
  ),
  with: v.optional(
    v.pipe(
      v.array(v.picklist([...derivedNames, "all"], wantedDerivatives), wantedDerivatives),
      v.description("What is exported beside values: vjp and grad where left out."),
    ),
  ),
  stage: v.optional(
    v.pipe(
      v.picklist([...stageNames], `must be one of ${stageNames.join(", ")}`),
      v.description("The transformation that makes the derivative: adjoint where left out."),
    ),
  ),
  target: v.optional(
    v.pipe(
      v.picklist(["ts", "js"], 'must be "ts" or "js"'),
      v.description("What is written: TypeScript, or JavaScript with a .d.ts beside it."),
    ),
  ),
  sourceMap: v.optional(
    v.pipe(
      v.boolean("must be true or false"),
      v.description("Whether a source map is written beside each module, as model.grad.ts.map."),
    ),
  ),
  outDir: v.optional(
    v.pipe(
      v.string("must be a string"),
      v.description(
        "The folder for the modules, which keeps the folders that the pattern of a model leaves open: beside each model where left out.",
      ),
    ),
  ),
};

const globs = v.pipe(
  list,
  v.minLength(1, "must name at least one model"),
  v.description("Models, as patterns relative to this file; `!` before a pattern leaves models out."),
  v.examples([["models/**/*.lam", "!models/shared/**"]]),
);

const overrideSettings = { models: globs, ...settings };

const override = v.pipe(
  v.strictObject(overrideSettings, "must be an object"),
  v.description("Settings for some of the models."),
);

const projectSettings = {
  $schema: v.optional(v.string("must be a string")),
  models: globs,
  ...settings,
  runtime: v.optional(
    v.pipe(
      v.string("must be a string"),
      v.description(
        "A module for what all others use of the runtime, which they then import: each has its own where left out.",
      ),
      v.examples(["gen/runtime.ts"]),
    ),
  ),
  overrides: v.optional(
    v.pipe(
      v.array(override, "must be a list of objects"),
      v.description("Other settings for some of the models; the last that mentions a model holds."),
    ),
  ),
};

export const projectSchema = v.strictObject(projectSettings, "must be an object");

/** The names of the settings of a project, and of an override. */
export const projectNames: readonly string[] = Object.keys(projectSettings);
export const overrideNames: readonly string[] = Object.keys(overrideSettings);

export type ProjectSettings = v.InferOutput<typeof projectSchema>;
