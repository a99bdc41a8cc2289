// What is said about imports.

import { unreachable } from "../internal-error.js";
import type { FileMistake } from "../syntax/load.js";
import type { SyntaxMistake } from "../syntax/mistakes.js";
import type { TypeMistake } from "../types/mistakes.js";
import type { Diagnostic } from "./diagnostic.js";
import { error } from "./error.js";
import { explainSyntax } from "./explain-syntax.js";
import { didYouMean } from "./words.js";

type Of<K extends TypeMistake["kind"]> = Extract<TypeMistake, { readonly kind: K }>;

/** The diagnostic for a mistake that is found while a program's files are read. */
export function explainLoading(mistake: SyntaxMistake | FileMistake): Diagnostic {
  return "path" in mistake ? explainFile(mistake) : explainSyntax(mistake);
}

function explainFile(mistake: FileMistake): Diagnostic {
  const { path, span } = mistake;
  switch (mistake.kind) {
    case "missingFile":
      if (path === "") return error("E0209", "this import names no file", span, "an empty path");
      return error("E0209", `there is no file \`${path}\``, span, "not found", {
        notes: mistake.file === path ? [] : [`It would be \`${mistake.file}\`.`],
        hint: missingFileHint(path, mistake.meant),
      });
    case "noStandardFile":
      return error("E0209", `there is no file \`${path}\``, span, "not found", {
        notes: [`Paths that begin with \`std/\` are those of files that come with dualrev: ${mistake.files.map((file) => `\`${file}\``).join(", ")}.`],
        hint: `your own file is \`./${path}\``,
      }); // prettier-ignore
    case "unreadableFile":
      return error("E0213", `\`${path}\` cannot be read`, span, mistake.reason);
    case "noLoader":
      return error("E0209", `there is no file \`${path}\``, span, "no other file can be read here", {
        hint: "give the option `load`, a function from paths to texts",
      });
    case "tooManyFiles":
      return error("E0706", "the program has too many files", span, "one file too many", {
        notes: [`A program has at most ${mistake.limit} files.`],
      });
    default:
      return unreachable(mistake);
  }
}

function missingFileHint(path: string, meant: string | null): string {
  if (meant !== null) return `did you mean \`${meant}\`?`;
  if (path.includes("\\")) return "`/` stands between folders";
  return "a path is relative to the file with the import, and ends in `.lam`";
}

export function explainImportCycle({ cycle }: Of<"importCycle">): Diagnostic {
  const [first, ...rest] = cycle;
  const span = first?.span ?? { file: "", start: 0, end: 0 };
  const files = [...cycle.slice(-1), ...cycle].map(({ name }) => `\`${name}\``);
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
