// What a configuration gives the plugin, looked at before it is used.

import { optionsProblem, type CompileOptions } from "dualrev";

/** What a model is compiled with: the options of `dualrev compile` that say what a module exports. */
export type ModelOptions = Pick<CompileOptions, "debug" | "entries" | "stage" | "with" | "wrt">;

export interface Options extends ModelOptions {
  /** Whether the types of each model are written beside it, as `model.lam.d.ts`; true where left out. */
  readonly declarations?: boolean;
  /** Further options of single models, by their file's path; undefined where there are none. */
  readonly of?: (file: string) => ModelOptions | undefined;
}

/** Options with what stands for those that are left out. */
export interface Settings {
  readonly declarations: boolean;
  /** The options of the model in a file, or what is wrong with what `of` gives for it. */
  readonly optionsOf: (file: string) => Chosen;
}

export type Chosen =
  { readonly options: ModelOptions; readonly problem: null } | { readonly options: null; readonly problem: string };

const names = ["debug", "entries", "stage", "with", "wrt"] as const;

/** Throws a TypeError for options that there are not. */
export function settingsOf(given: Options = {}): Settings {
  const problem = optionsProblem(given, names, ["declarations", "of"]) ?? ownProblem(given);
  if (problem !== null) throw new TypeError(`dualrev: ${problem}`);
  const { declarations, of, ...shared } = given;
  return {
    declarations: declarations ?? true,
    optionsOf: (file) => {
      const further = of?.(file) ?? {};
      const wrong = optionsProblem(further, names);
      if (wrong === null) return { options: { ...shared, ...further }, problem: null };
      return { options: null, problem: `of("${file}"): ${wrong}` };
    },
  };
}

function ownProblem({ declarations, of }: { readonly [name in keyof Options]: unknown }): string | null {
  if (declarations !== undefined && declarations !== null && typeof declarations !== "boolean")
    return `the option \`declarations\` must be true or false, and is ${shown(declarations)}`;
  if (of !== undefined && of !== null && typeof of !== "function")
    return `the option \`of\` must be a function from a model's path to its options, and is ${shown(of)}`;
  return null;
}

function shown(value: unknown): string {
  return typeof value === "object" ? `of the type object` : JSON.stringify(value);
}
