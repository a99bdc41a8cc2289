// What programs pass to the library, looked at before it is used: in JavaScript nobody else does. A wrong option is a mistake of the program that calls, not
// of a model, and therefore a TypeError and no diagnostic.

import { didYouMean } from "../diagnostics/words.js";
import { derivedNames, isDerived } from "../emit/interface/public-names.js";
import { suggest } from "../types/suggest.js";
import { isStageName, stageNames } from "./stages.js";

/** What an option may be, in words, and whether a value is that; where it is one of some words, or a list of them, which these are. */
interface Rule {
  readonly wanted: string;
  readonly holds: (value: unknown) => boolean;
  readonly words?: readonly string[];
}

const isText = (value: unknown): value is string => typeof value === "string";

const stage: Rule = {
  wanted: `one of the stages ${stageNames.join(", ")}`,
  holds: (value) => isText(value) && isStageName(value),
  words: stageNames,
};
const names: Rule = { wanted: "an array of strings", holds: (value) => Array.isArray(value) && value.every(isText) };
const flag: Rule = { wanted: "true or false", holds: (value) => typeof value === "boolean" };
const callback: Rule = { wanted: "a function", holds: (value) => typeof value === "function" };

const forms: readonly string[] = [...derivedNames, "all"];

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
    wanted: `a list of ${forms.join(", ")}`,
    holds: (value) => Array.isArray(value) && value.every((each) => each === "all" || isDerived(each)),
    words: forms,
  },
  wrt: names,
} as const satisfies Readonly<Record<string, Rule>>;

export type OptionName = keyof typeof rules;

/** What the command line and projects call an option. */
const otherNames: ReadonlyMap<string, OptionName> = new Map([["entry", "entries"]]);

/**
 * Throws a TypeError that begins with the name of the function `called`, where what it was given is no model or no set of options with the names `known`.
 * An option that is undefined or null counts as left out.
 */
export function assertCall(called: string, source: unknown, options: unknown, known: readonly OptionName[]): void {
  const isModel = isObject(source) && isText(source["name"]) && isText(source["text"]);
  if (!isModel) throw new TypeError(`${called}: a model is an object with the strings name and text`);
  const problem = optionsProblem(options, known);
  if (problem !== null) throw new TypeError(`${called}: ${problem}`);
}

/**
 * What is wrong with options that have the names `known`, as far as the library knows options of these names, in words; null where nothing is. `others` are the names of those that
 * the caller looks at itself. An option that is undefined or null counts as left out.
 */
export function optionsProblem(
  options: unknown,
  known: readonly OptionName[],
  others: readonly string[] = [],
): string | null {
  if (!isObject(options)) return `the options must be an object, and are ${shown(options)}`;
  for (const [name, value] of Object.entries(options)) {
    if (others.includes(name)) continue;
    const option = known.find((other) => other === name);
    if (option === undefined) {
      const all = [...known, ...others].sort();
      const elsewhere = all.filter((other) => other === otherNames.get(name));
      const meant = didYouMean(elsewhere.length > 0 ? elsewhere : suggest(name, all));
      return `there is no option \`${name}\`${meant === null ? "; there" : `: ${meant} There`} are ${all.join(", ")}`;
    }
    const rule: Rule = rules[option];
    if (value === undefined || value === null || rule.holds(value)) continue;
    return `the option \`${name}\` must be ${rule.wanted}, and ${otherwise(value, rule.words ?? [])}`;
  }
  return null;
}

/** What a value is that should be one of `words`, if there are any, or a list of them. */
function otherwise(value: unknown, words: readonly string[]): string {
  const listed: readonly unknown[] = Array.isArray(value) && words.length > 0 ? value : [];
  const wrong = listed.find((each) => !isText(each) || !words.includes(each));
  if (wrong !== undefined) return `has ${withMeant(wrong, words)}`;
  return `is ${withMeant(value, words)}`;
}

function withMeant(value: unknown, words: readonly string[]): string {
  const meant = isText(value) ? didYouMean(suggest(value, words)) : null;
  return `${shown(value)}${meant === null ? "" : `: ${meant}`}`;
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

export function shown(value: unknown): string {
  if (isText(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return "an array of other values";
  return isObject(value) || typeof value === "function" ? `of the type ${typeof value}` : String(value);
}
