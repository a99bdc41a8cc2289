// What is said about imports.

import type { TypeMistake } from "../types/mistakes.js";
import type { Diagnostic } from "./diagnostic.js";
import { error } from "./error.js";
import { didYouMean } from "./words.js";

type Of<K extends TypeMistake["kind"]> = Extract<TypeMistake, { readonly kind: K }>;

export function explainMissingFile({ path, span }: Of<"missingFile">): Diagnostic {
  return error("E0209", `there is no file \`${path}\``, span, "not found", {
    hint: "a path is relative to the file with the import, and ends in `.lam`",
  });
}

export function explainImportCycle({ cycle }: Of<"importCycle">): Diagnostic {
  const [first, ...rest] = cycle;
  const span = first?.span ?? { file: "", start: 0, end: 0 };
  const files = [...cycle, ...(first === undefined ? [] : [first])].map(({ name }) => `\`${name}\``);
  const title = rest.length === 0 ? "this file imports itself" : "these files import each other";
  return error("E0210", title, span, rest.length === 0 ? "is this file" : "begins a cycle", {
    related: rest.map((each) => ({ span: each.span, label: `imports \`${each.name}\`` })),
    notes: rest.length === 0 ? [] : [`The cycle is ${files.join(" -> ")}.`],
    hint:
      rest.length === 0
        ? "a file sees its own definitions without an import"
        : "put what both need into a third file, which imports neither",
  });
}

export function explainUnknownImport(mistake: Of<"unknownImport">): Diagnostic {
  const { name, span, path, suggestions, constructorOf, elsewhere } = mistake;
  const hints = {
    import: `\`${path}\` imports it itself: import it from where it is defined`,
    prelude: "it is in the prelude, which needs no import",
  };
  const hint =
    constructorOf !== null
      ? `it is a constructor, and comes with its data type: import \`${constructorOf}\``
      : elsewhere !== null
        ? hints[elsewhere]
        : didYouMean(suggestions);
  return error("E0211", `\`${path}\` does not define \`${name}\``, span, "not defined there", { hint });
}

export function explainImportClash({ name, span, defined }: Of<"importClash">): Diagnostic {
  return error("E0212", `\`${name}\` is imported, and defined here as well`, span, "imported here", {
    related: [{ span: defined, label: "defined here" }],
    hint: "rename one of them, or leave it out of the import",
  });
}
