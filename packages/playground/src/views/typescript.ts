// The emitted module, lit against the model by its source map.

import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { isStageName, stages } from "../stage-names.js";
import { CodeView } from "../code-view.js";
import { button, el, problem, select } from "../dom.js";
import { typescript } from "../languages.js";
import type { Page, View } from "../page.js";

export function typescriptView(): View {
  let page: Page | null = null;
  /** Of each line of the module the offset in the model that it is from; null where it is from none. */
  let origins: readonly (number | null)[] = [];
  const code = new CodeView("Emitted TypeScript", typescript, (offset, byKey) => {
    if (page === null) return;
    const line = offset === null ? -1 : code.lineAt(offset);
    const origin = origins[line] ?? null;
    code.light(origin === null ? [] : linesFrom(origin));
    page.lightModel(origin === null ? [] : [wordAt(page.state().text, origin)], byKey);
  });
  const linesFrom = (origin: number) => origins.flatMap((each, i) => (each === origin ? [code.lineRange(i)] : []));
  let shownEntry: string | null = null;
  const bar = el("div", { class: "bar" });
  const body = el("div", { class: "fill" });
  return {
    name: "typescript",
    title: "TypeScript",
    element: el("div", { class: "view" }, bar, body),
    update: async (given) => {
      page = given;
      const { text, entry, options } = given.state();
      const stage = options["stage"] ?? "adjoint";
      bar.replaceChildren(
        select("Stage", stages, stage, (value) => {
          given.setOption("stage", value);
        }),
        button("Copy module", () => {
          void navigator.clipboard.writeText(code.text).then(() => {
            given.say("The module is in the clipboard");
          });
        }),
      );
      const found = await given.runner.ask("compile", { text, stage: isStageName(stage) ? stage : "adjoint" });
      if (!found.ok) {
        body.replaceChildren(problem(found.text));
        return;
      }
      const map = found.value.map === null ? null : new TraceMap(found.value.map);
      const lines = found.value.code.split("\n");
      origins = lines.map((line, i) => {
        if (map === null) return null;
        const column = line.length - line.trimStart().length;
        const { source, line: row, column: at } = originalPositionFor(map, { line: i + 1, column });
        return source === "model.lam" ? given.offsetOf(row, at + 1) : null;
      });
      body.replaceChildren(code.element);
      code.show(found.value.code);
      if (shownEntry !== null && shownEntry !== entry) code.showLine(`export function ${entry}`);
      shownEntry = entry;
    },
    light: (offset, byKey) => {
      if (offset === null || page === null) {
        code.light([]);
        return;
      }
      // What begins nearest before, on the same line
      const { text } = page.state();
      const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
      const before = origins.filter((origin) => origin !== null && origin <= offset && origin >= lineStart);
      const nearest = before.reduce<number>((most, origin) => Math.max(most, origin ?? -1), -1);
      code.light(nearest < 0 ? [] : linesFrom(nearest), byKey);
    },
  };
}

/** What begins at a place: to the end of its line. */
function wordAt(text: string, start: number): { readonly start: number; readonly end: number } {
  const lineEnd = text.indexOf("\n", start);
  const line = text.slice(start, lineEnd === -1 ? text.length : lineEnd);
  const length = /^(?:[^()]|\([^()]*\))*?(?= in$| then\b| else\b|\)|$)/.exec(line.trimEnd())?.[0].length ?? line.length;
  return { start, end: start + Math.max(length, 1) };
}
