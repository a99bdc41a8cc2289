import type { Entry } from "../core/term.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { leavesOf, type WithRespectTo } from "../emit/interface/interface.js";
import { suggest } from "../types/suggest.js";
import { answer, type Answer } from "./answer.js";

/** Parameters written as `loss.x`, by definition; each must be a parameter of one of the entries. */
export function withRespectTo(
  wanted: readonly string[],
  entries: readonly Entry[],
  file: string,
): Answer<WithRespectTo> {
  const found = new Map<string, string[]>();
  const diagnostics: Diagnostic[] = [];
  for (const text of wanted) {
    const dot = text.indexOf(".");
    if (dot === -1) {
      const title = `\`${text}\` names no parameter: one is written as \`definition.parameter\``;
      diagnostics.push(mistake("E0513", title, file, text, entries.flatMap(qualifiedParameters)));
      continue;
    }
    const [definition, parameter] = [text.slice(0, dot), text.slice(dot + 1)];
    const entry = entries.find(({ name }) => name === definition);
    const parameters = entry === undefined ? [] : parametersOf(entry);
    if (entry === undefined) {
      const title = `\`${text}\` is a parameter of no exported definition`;
      diagnostics.push(mistake("E0513", title, file, definition, entries.map(({ name }) => name))); // prettier-ignore
    } else if (!parameters.includes(parameter)) {
      const title = `\`${definition}\` has no parameter \`${parameter}\` to differentiate with respect to`;
      diagnostics.push(mistake("E0514", title, file, parameter, parameters));
    } else {
      found.set(definition, [...(found.get(definition) ?? []), parameter]);
    }
  }
  return answer(found, diagnostics);
}

function parametersOf({ params }: Entry): readonly string[] {
  return leavesOf(params).map(({ leaf }) => leaf.name);
}

function qualifiedParameters(entry: Entry): readonly string[] {
  return parametersOf(entry).map((parameter) => `${entry.name}.${parameter}`);
}

function mistake(code: string, title: string, file: string, name: string, known: readonly string[]): Diagnostic {
  const [similar] = suggest(name, known);
  const there = known.length === 0 ? "there are none" : `there are ${known.map((other) => `\`${other}\``).join(", ")}`;
  return {
    code,
    severity: "error",
    title,
    span: { file, start: 0, end: 0 },
    label: "",
    related: [],
    notes: [there],
    hint: similar === undefined ? null : `did you mean \`${similar}\`?`,
  };
}
