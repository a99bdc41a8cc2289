// Models under prettier: the text is laid out by dualrev, and prettier has its lines.

import { format, sortDiagnostics, textOf, toJson, type Diagnostic, type SourceFile } from "dualrev";
import type { Doc, Parser, Printer, SupportLanguage } from "prettier";
import { builders } from "prettier/doc";

/** A model that parses, laid out. */
interface Model {
  readonly kind: "model";
  readonly formatted: string;
  readonly length: number;
}

/** Markdown finds the language of a listing by its name. */
export const languages: SupportLanguage[] = [
  { name: "lam", parsers: ["lam"], extensions: [".lam"], vscodeLanguageIds: ["lam"] },
];

export const parsers: Readonly<Record<"lam", Parser<Model>>> = {
  lam: {
    astFormat: "lam",
    parse: (text) => {
      // Prettier says in which file a mistake is
      const source = { name: "model.lam", text };
      const answer = format(source);
      if (!answer.ok) throw syntaxError(source, answer.diagnostics);
      return { kind: "model", formatted: answer.value, length: text.length };
    },
    locStart: () => 0,
    locEnd: ({ length }) => length,
  },
};

export const printers: Readonly<Record<"lam", Printer<Model>>> = {
  lam: {
    // Lines of prettier's: a listing may be indented, and line ends are an option
    print: ({ node }): Doc => {
      const lines = node.formatted.trimEnd().split("\n");
      const { hardline, join } = builders;
      return node.formatted === "" ? "" : [join(hardline, lines), hardline];
    },
  },
};

/** The first mistake of a model, with its place: prettier shows the lines. */
function syntaxError(source: SourceFile, diagnostics: readonly Diagnostic[]): SyntaxError {
  const [first] = sortDiagnostics(diagnostics).filter(({ severity }) => severity === "error");
  if (first === undefined) return new SyntaxError("this is no model");
  const { code, message, start, end, hint } = toJson(first, textOf(source));
  const text = hint === null ? `${code}: ${message}` : `${code}: ${message}: ${hint}`;
  return Object.assign(new SyntaxError(text), { loc: { start, end } });
}
