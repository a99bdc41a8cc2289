import { assertProgram } from "../../src/core/check.js";
import { elaborateProgram, type Elaborated } from "../../src/elaborate/elaborate.js";
import type { EntryMistake } from "../../src/elaborate/mistakes.js";
import { printProgram } from "../../src/core/print.js";
import type { Outcome } from "../../src/outcome.js";
import { preludeText } from "../../src/prelude/embedded.js";
import { standardFiles } from "../../src/driver/standard-files.js";
import { loadProgram } from "../../src/syntax/load.js";
import { parseModule } from "../../src/syntax/parse.js";
import { positionAt } from "../../src/syntax/source.js";
import { inferModule } from "../../src/types/infer.js";

/** What elaboration makes of a text that has no mistakes before that. */
export function elaborateText(
  text: string,
  entries: readonly string[] | null = null,
): Outcome<Elaborated, EntryMistake> {
  const own = loadProgram({ name: "model.lam", text }, null, standardFiles);
  const [{ tree }] = own.value.files;
  const prelude = parseModule({ name: "<prelude>", text: preludeText });
  const typed = inferModule(tree, prelude.value, own.value.imported);
  const earlier = [...own.mistakes, ...typed.mistakes];
  if (earlier.length > 0) throw new Error(`the text has mistakes: ${JSON.stringify(earlier)}`);
  return elaborateProgram(typed.value, {
    entries,
    prelude: "<prelude>",
    position: ({ file, start }) => {
      const from = own.value.files.find(({ name }) => name === file);
      const { line, column } = positionAt(from?.text ?? preludeText, start);
      return `${file}:${line}:${column}`;
    },
  });
}

/** The core program of a text, checked and printed. */
export function coreText(text: string): string {
  const { value, mistakes } = elaborateText(text);
  if (mistakes.length > 0) throw new Error(`the text has mistakes: ${JSON.stringify(mistakes)}`);
  assertProgram(value.program);
  return printProgram(value.program);
}
