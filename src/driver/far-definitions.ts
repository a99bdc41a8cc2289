// Which definitions of a stage are shown where not all are.

import type { Step } from "./steps.js";

/** The definitions that neither are to be shown nor are called by one that is; `roots` are those that were asked for, null: all that can be exported. */
export function farDefinitions({ parts }: Step, roots: readonly string[] | null): ReadonlySet<string> {
  const definitions = parts.filter(({ kind, name }) => kind === "definition" && name !== "");
  const wrapped = parts.filter(({ kind }) => kind === "wrapper").flatMap(({ calls }) => calls);
  const shown = roots ?? wrapped;
  const called = definitions.filter(({ name }) => shown.includes(name)).flatMap(({ calls }) => calls);
  const near = new Set([...shown, ...wrapped, ...called]);
  return new Set(definitions.map(({ name }) => name).filter((name) => !near.has(name)));
}
