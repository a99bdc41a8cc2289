// Colours of models, terms of the papers, and TypeScript.

import { HighlightStyle, StreamLanguage, syntaxHighlighting, type StreamParser } from "@codemirror/language";
import { tags } from "@lezer/highlight";

interface Words {
  readonly keywords: ReadonlySet<string>;
  readonly comment: string;
}

function parser({ keywords, comment }: Words): StreamParser<{ inBlock: boolean }> {
  return {
    startState: () => ({ inBlock: false }),
    languageData: { commentTokens: { line: comment } },
    token: (stream, state) => {
      if (state.inBlock || (comment === "//" && stream.match("/*"))) {
        state.inBlock = !stream.match(/^.*?\*\//);
        if (state.inBlock) stream.skipToEnd();
        return "comment";
      }
      if (stream.match(comment)) {
        stream.skipToEnd();
        return "comment";
      }
      if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
      if (stream.match(/^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return "number";
      const word = stream.match(/^[\p{L}_$][\p{L}\p{M}\p{Nd}_$']*/u);
      if (word !== null && typeof word === "object") {
        const [name] = word;
        if (keywords.has(name)) return "keyword";
        return /^\p{Lu}/u.test(name) ? "typeName" : "variableName";
      }
      if (stream.match(/^[-+*/^<>=!|&:\\.]+/)) return "operator";
      stream.next();
      return null;
    },
  };
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

export const model = StreamLanguage.define(
  parser({
    keywords: words("def data type import let rec and in if then else case of True False fused extern rule derivative pullback from inl inr do"), // prettier-ignore
    comment: "--",
  }),
);

export const typescript = StreamLanguage.define(
  parser({
    keywords: words("export function const let return if else for while do switch case break continue new throw type interface readonly import from of in true false null undefined number boolean string void typeof default class this"), // prettier-ignore
    comment: "//",
  }),
);

/** With the colours of the page, for both themes. */
export const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.keyword, class: "t-keyword" },
    { tag: tags.comment, class: "t-comment" },
    { tag: tags.string, class: "t-string" },
    { tag: tags.number, class: "t-number" },
    { tag: tags.typeName, class: "t-type" },
    { tag: tags.operator, class: "t-operator" },
  ]),
);
