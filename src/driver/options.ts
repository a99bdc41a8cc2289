// What programs pass to the library, looked at before it is used: in JavaScript nobody else does. A wrong option is a mistake of the program that calls, not
// of a model, and therefore a TypeError and no diagnostic.

import { derivedNames, isDerived } from "../emit/interface/public-names.js";
import { passNamed, passNames } from "./registry.js";
import { isStageName, stageNames } from "./stages.js";

/** What an option may be, in words, and whether a value is that. */
interface Rule {
  readonly wanted: string;
  readonly holds: (value: unknown) => boolean;
}

const isText = (value: unknown): value is string => typeof value === "string";

const stage: Rule = {
  wanted: `one of the stages ${stageNames.join(", ")}`,
  holds: (value) => isText(value) && isStageName(value),
};
const names: Rule = { wanted: "an array of strings", holds: (value) => Array.isArray(value) && value.every(isText) };
const flag: Rule = { wanted: "true or false", holds: (value) => typeof value === "boolean" };
const callback: Rule = { wanted: "a function", holds: (value) => typeof value === "function" };

/** Every option of the library. */
const rules = {
  budget: { wanted: "a positive number", holds: (value) => typeof value === "number" && value > 0 },
  check: flag,
  command: { wanted: "a string", holds: isText },
  cotangent: { wanted: "a plain value", holds: () => true },
  debug: flag,
  derivatives: flag,
  entries: names,
  externPath: callback,
  externs: { wanted: "what files export, by their paths", holds: isObject },
  from: stage,
  library: flag,
  limited: callback,
  load: callback,
  modulePath: callback,
  name: { wanted: "a string", holds: isText },
  onPass: callback,
  runtime: { wanted: "the name of a module", holds: (value) => isText(value) && value !== "" },
  sourceMap: {
    wanted: "true, false, or an object with the name of a file, what files are called, and the module",
    holds: (value) =>
      typeof value === "boolean" ||
      (isObject(value) &&
        ["file", "moduleName"].every(
          (name) => value[name] === undefined || (isText(value[name]) && value[name] !== ""),
        ) &&
        (value["sourceName"] === undefined || callback.holds(value["sourceName"]))),
  },
  stage,
  threads: {
    wanted: "the name of a module that ends in .worker.js or .worker.mjs",
    holds: (value) => isText(value) && /\.worker\.m?js$/.test(value),
  },
  target: { wanted: '"ts" or "js"', holds: (value) => value === "ts" || value === "js" },
  to: stage,
  verify: flag,
  unicode: flag,
  marks: flag,
  with: {
    wanted: `a list of ${[...derivedNames, "all"].join(", ")}`,
    holds: (value) => Array.isArray(value) && value.every((each) => each === "all" || isDerived(each)),
  },
  wrt: names,
} as const satisfies Readonly<Record<string, Rule>>;

export type OptionName = keyof typeof rules;

/**
 * Throws a TypeError that begins with the name of the function `called`, where what it was given is no model or no set of options with the names `known`.
 * An option that is undefined or null counts as left out.
 */
export function assertCall(called: string, source: unknown, options: unknown, known: readonly OptionName[]): void {
  const isModel = isObject(source) && isText(source["name"]) && isText(source["text"]);
  if (!isModel) throw new TypeError(`${called}: a model is an object with the strings name and text`);
  if (!isObject(options)) throw new TypeError(`${called}: the options must be an object, and are ${shown(options)}`);
  for (const [name, value] of Object.entries(options)) {
    const option = known.find((other) => other === name);
    if (option === undefined) {
      throw new TypeError(`${called}: there is no option ${name}; there are ${known.join(", ")}`);
    }
    const { wanted, holds } = rules[option];
    if (value === undefined || value === null || holds(value)) continue;
    throw new TypeError(`${called}: the option ${name} must be ${wanted}, and is ${shown(value)}`);
  }
}

/** Throws a TypeError where the first argument of `called` is no list of models; what the models are is looked at one by one. */
export function assertModels(called: string, sources: unknown): void {
  if (!Array.isArray(sources)) throw new TypeError(`${called}: the models must be an array, and are ${shown(sources)}`);
}

/** Throws a TypeError where the second argument of `called` is no definition's name. */
export function assertEntry(called: string, entry: unknown): void {
  if (!isText(entry)) throw new TypeError(`${called}: the definition must be a string, and is ${shown(entry)}`);
}

/** Throws a TypeError where the first argument of `called` is no text of a model. */
export function assertText(called: string, text: unknown): void {
  if (!isText(text)) throw new TypeError(`${called}: the text of the model must be a string, and is ${shown(text)}`);
}

/** Throws a TypeError where the second argument of `called` is no pass. */
export function assertPass(called: string, pass: unknown): void {
  if (isText(pass) && passNamed(pass) !== null) return;
  throw new TypeError(`${called}: the pass must be one of ${passNames.join(", ")}, and is ${shown(pass)}`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function shown(value: unknown): string {
  if (isText(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return "an array of other values";
  return isObject(value) || typeof value === "function" ? `of the type ${typeof value}` : String(value);
}
