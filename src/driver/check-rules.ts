// Rules against what they are rules for: the derivative that a rule gives, that of its definition's text, and finite differences of the value.

import { parseModule } from "../syntax/parse.js";
import type { RuleItem } from "../syntax/tree.js";
import type { SourceFile } from "../syntax/source.js";
import { answer, failure, type Answer } from "./answer.js";
import { largestOf } from "./finite-differences.js";
import { grad, type GradResult } from "./grad.js";
import type { RunOptions } from "./load-options.js";
import { assertCall } from "./options.js";
import { typeCheck, withEarlier } from "./pipeline.js";
import { Passes } from "./passes.js";

/** What a rule says otherwise than its definition's text, or than finite differences, as lines of text. */
export interface RuleCheck {
  readonly definition: string;
  readonly fromText: readonly string[];
  readonly fromDifferences: readonly string[];
}

/** Relative to the largest entry: two exact derivatives differ by rounding alone. */
const tolerance = 1e-9;

/**
 * Compares rules of a model, those of the file itself, at some arguments: `args` has by the name of each definition an object as `grad` takes it. A rule that is meant to
 * say something else than the derivative differs. A name without a rule is a failure (E0604).
 */
export function checkRules(
  source: SourceFile,
  args: Readonly<Record<string, unknown>>,
  options: RunOptions = {},
): Answer<readonly RuleCheck[]> {
  assertCall("checkRules", source, options, ["externs", "load"]);
  const load = options.load ?? null;
  const checked = typeCheck(source, new Passes(null), load);
  if (!checked.ok) return checked;
  const { items } = parseModule(source).value;
  const rules = items.filter((item): item is RuleItem => item.kind === "rule");
  // What is the caller's has no text
  const externs = new Set(items.flatMap((item) => (item.kind === "extern" ? [item.name.name] : [])));
  const found: RuleCheck[] = [];
  for (const [definition, given] of Object.entries(args)) {
    const rule = rules.find(({ name }) => name.name === definition);
    if (rule === undefined) return withEarlier(checked.diagnostics, noRule(source, definition, rules));
    const said = grad(source, definition, given, { ...options, check: true });
    if (!said.ok) return said;
    const text = externs.has(definition) ? said : grad(withoutRule(source, rule), definition, given, options);
    if (!text.ok) return text;
    found.push({
      definition,
      fromText: differencesOf(numbersOf(said.value), numbersOf(text.value)),
      fromDifferences: said.value.differences,
    });
  }
  return answer(found, checked.diagnostics);
}

/** The model with spaces in a rule's place: everything else stands where it stood. */
function withoutRule({ name, text }: SourceFile, { span }: RuleItem): SourceFile {
  const blank = text.slice(span.start, span.end).replace(/[^\r\n]/g, " ");
  return { name, text: text.slice(0, span.start) + blank + text.slice(span.end) };
}

type Entries = readonly (readonly [path: string, value: number])[];

/** The numbers of a gradient, or a Jacobian, each with the way to it. */
function numbersOf({ document }: GradResult): Entries {
  const all: [string, number][] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value === "number") all.push([path, value]);
    else if (Array.isArray(value) || value instanceof Float64Array)
      Array.from(value, (item: unknown, i) => { walk(item, `${path}[${i}]`); }); // prettier-ignore
    else if (typeof value === "object" && value !== null)
      for (const [key, part] of Object.entries(value)) walk(part, path === "" ? key : `${path}.${key}`);
  };
  walk("grad" in document ? document.grad : document.jacobian, "");
  return all;
}

function differencesOf(said: Entries, text: Entries): readonly string[] {
  const slack = tolerance * largestOf([...said, ...text].map(([, value]) => value));
  return said.flatMap(([path, value], i) => {
    const own = text[i]?.[1] ?? NaN;
    const isSame = Object.is(value, own) || Math.abs(value - own) <= slack;
    return isSame ? [] : [`${path}: the rule says ${value}, the text of the definition ${own}`];
  });
}

function noRule({ name: file }: SourceFile, definition: string, rules: readonly RuleItem[]): Answer<never> {
  return failure({
    code: "E0604",
    severity: "error",
    title: `there is no rule for \`${definition}\` in this file`,
    span: rules[0]?.name.span ?? { file, start: 0, end: 0 },
    label: rules.length === 0 ? "it has no rules" : "the first rule is here",
    related: [],
    notes: [],
    hint: null,
  });
}
