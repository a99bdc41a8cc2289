// Changes that mend what a diagnostic tells: those that the compiler has tried before it gave them as a hint.

import type { Analysis } from "../driver/analyse.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type * as Tree from "../syntax/tree.js";
import type { Span } from "../syntax/source.js";
import { type Change, placeOf, type TypeMistake } from "../types/mistakes.js";
import type { TextEdit } from "./names.js";

export interface QuickFix {
  readonly title: string;
  /** What it mends. */
  readonly diagnostic: Diagnostic;
  readonly edits: readonly TextEdit[];
  /** Whether the compiler has tried it, and nothing else was wrong then. */
  readonly isPreferred: boolean;
}

/** The fixes of the diagnostics of the file that touch a range. */
export function quickFixesIn(analysis: Analysis, range: Pick<Span, "start" | "end">): readonly QuickFix[] {
  const mistakes = analysis.mistakes();
  return analysis
    .diagnostics()
    .filter(({ span }) => span.file === analysis.source.name && span.start <= range.end && span.end >= range.start)
    .flatMap((diagnostic) => {
      const same = mistakes.filter((mistake) => {
        const place = placeOf(mistake);
        return (
          place?.file === diagnostic.span.file &&
          place.start === diagnostic.span.start &&
          place.end === diagnostic.span.end
        );
      });
      return [...same.flatMap((mistake) => ofMistake(analysis, mistake)), ...ofWarning(analysis, diagnostic)].map(
        (fix) => ({ ...fix, diagnostic }),
      );
    });
}

type Fix = Omit<QuickFix, "diagnostic">;

function ofMistake(analysis: Analysis, mistake: TypeMistake): readonly Fix[] {
  if ("repair" in mistake && mistake.repair !== null) {
    const { change, text } = mistake.repair;
    const edits = [{ span: change.span, text: fitting(analysis.source.text, change) }];
    return [{ title: `Change to \`${text}\``, edits, isPreferred: true }];
  }
  if (mistake.kind === "mismatch" && mistake.expected.kind === "real" && mistake.found.kind === "int") {
    const { span } = mistake;
    const text = `(toReal ${fitting(analysis.source.text, { span, text: analysis.source.text.slice(span.start, span.end) })})`;
    return [{ title: `Change to \`${text.slice(1, -1)}\``, edits: [{ span, text }], isPreferred: true }];
  }
  if (mistake.kind === "unbound" && mistake.clue?.kind === "import") return ofImport(analysis, mistake.name, mistake.clue.path); // prettier-ignore
  const suggestions = "suggestions" in mistake ? mistake.suggestions : [];
  if (!("span" in mistake) || !("name" in mistake)) return [];
  const { span } = mistake;
  return suggestions.map((name) => ({
    title: `Change to \`${name}\``,
    edits: [{ span, text: name }],
    isPreferred: suggestions.length === 1,
  }));
}

/** What is put in the place of one argument has parentheses. */
function fitting(text: string, { span, text: changed }: Change): string {
  const old = text.slice(span.start, span.end);
  if (old === changed) return /^[\p{L}\p{N}_'.]+$|^\(/u.test(old) ? old : `(${old})`;
  const isOne = (code: string): boolean => /^[\p{L}\p{N}_'.]+$/u.test(code) || /^\([^()]*\)$|^\[[^[\]]*\]$/.test(code);
  return isOne(changed) || (!isOne(old) && !old.startsWith("(")) ? changed : `(${changed})`;
}

function ofImport({ tree }: Analysis, name: string, path: string): readonly Fix[] {
  const item = tree.items.find((each): each is Tree.ImportItem => each.kind === "import" && each.path === path);
  const last = item?.names.at(-1);
  if (last === undefined) return [];
  const at = { ...last.span, start: last.span.end };
  return [{ title: `Import \`${name}\` from "${path}"`, edits: [{ span: at, text: `, ${name}` }], isPreferred: true }];
}

function ofWarning({ source, tree }: Analysis, { code, span }: Diagnostic): readonly Fix[] {
  const name = source.text.slice(span.start, span.end);
  if (code === "W0101" && /^\p{L}/u.test(name)) {
    const before = source.text.slice(0, span.start);
    // A field that stands for a variable of its name has to go on being that field
    if (/[{,]\s*$/.test(before) && /^\s*[},]/.test(source.text.slice(span.end)) && before.lastIndexOf("{") > before.lastIndexOf("(")) return []; // prettier-ignore
    return [{ title: `Call it \`_${name}\``, edits: [{ span, text: `_${name}` }], isPreferred: false }];
  }
  if (code !== "W0103") return [];
  const item = tree.items.find((each): each is Tree.ImportItem => each.kind === "import" && each.names.some((one) => one.span.start === span.start)); // prettier-ignore
  if (item === undefined) return [];
  const rest = item.names.filter((one) => one.span.start !== span.start).map((one) => one.name);
  const title = `Leave \`${name}\` out of the import`;
  if (rest.length === 0) return [{ title, edits: [{ span: item.span, text: "" }], isPreferred: true }];
  const [first, last] = [item.names[0], item.names.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [
    { title, edits: [{ span: { ...first.span, end: last.span.end }, text: rest.join(", ") }], isPreferred: true },
  ];
}
