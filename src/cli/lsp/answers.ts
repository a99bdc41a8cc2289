// What the editor asks about a file, answered by src/editor.

import {
  CodeActionKind,
  CompletionItemKind,
  DocumentHighlightKind,
  FoldingRangeKind,
  InlayHintKind,
  MarkupKind,
  SemanticTokensBuilder,
  SymbolKind,
  type CodeAction,
  type CodeLens,
  type CompletionItem,
  type Diagnostic as ShownDiagnostic,
  type DocumentHighlight,
  type DocumentSymbol as Symbol,
  type FoldingRange,
  type Hover,
  type InlayHint,
  type Location,
  type Position,
  type Range,
  type SemanticTokens,
  type SignatureHelp,
  type SymbolInformation,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver/node";
import type { Analysis } from "../../driver/analyse.js";
import { format } from "../../driver/format.js";
import { completionsAt, type Completion } from "../../editor/completion.js";
import { wordBefore } from "../../editor/cursor.js";
import { definitionOf, nameOf, type Entity } from "../../editor/entities.js";
import { foldsOf } from "../../editor/folding.js";
import { hoverAt } from "../../editor/hover.js";
import { inlayHintsOf } from "../../editor/inlay-hints.js";
import { lensesOf } from "../../editor/lenses.js";
import { definitionAt, entityAt, referencesIn, renamedTogether, renameIn, renameProblem, type TextEdit as NameEdit } from "../../editor/names.js"; // prettier-ignore
import { meaningChanged, unreadName, withEdits } from "../../editor/new-name.js";
import { occurrenceAt } from "../../editor/occurrences.js";
import { quickFixesIn } from "../../editor/quick-fixes.js";
import { semanticTokensOf, tokenKinds, tokenModifiers } from "../../editor/semantic-tokens.js";
import { signatureHelpAt } from "../../editor/signature-help.js";
import { symbolsOf, type DocumentSymbol } from "../../editor/symbols.js";
import type { Ranges } from "./ranges.js";
import type { Workspace } from "./workspace.js";

/** Symbols of a workspace that are shown at most. */
const mostSymbols = 500;

/** What is asked cannot be done, for a reason that the user is told. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}

export class Answers {
  constructor(
    readonly workspace: Workspace,
    readonly ranges: Ranges,
  ) {}

  #at(uri: string, position: Position): { readonly analysis: Analysis; readonly offset: number } | null {
    const name = this.workspace.nameOf(uri);
    const analysis = this.workspace.analysisOf(name);
    return analysis === null ? null : { analysis, offset: this.ranges.offset(name, position) };
  }

  #of(uri: string): Analysis | null {
    return this.workspace.analysisOf(this.workspace.nameOf(uri));
  }

  hover(uri: string, position: Position): Hover | null {
    const at = this.#at(uri, position);
    const found = at === null ? null : hoverAt(at.analysis, at.offset);
    if (found === null) return null;
    const { code, doc, typescript, notExported, span } = found;
    const block = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;
    const parts = [
      block("lam", code),
      ...(doc === "" ? [] : [doc]),
      ...(typescript === null ? [] : [`Exported:\n${block("ts", typescript)}`]),
      ...(notExported === null ? [] : [`Not exported: it ${notExported}`]),
    ];
    return { contents: { kind: MarkupKind.Markdown, value: parts.join("\n\n") }, range: this.ranges.of(span) };
  }

  definition(uri: string, position: Position): Location | null {
    const at = this.#at(uri, position);
    const span = at === null ? null : definitionAt(at.analysis, at.offset);
    return span === null || this.workspace.textOf(span.file) === null ? null : this.ranges.location(span);
  }

  references(uri: string, position: Position, withDefinition: boolean): Location[] {
    const at = this.#at(uri, position);
    const entity = at === null ? null : entityAt(at.analysis, at.offset);
    if (at === null || entity === null) return [];
    return this.#filesWith(at.analysis.source.name, entity).flatMap((file) => {
      const analysis = this.workspace.analysisOf(file);
      const found = analysis === null ? [] : referencesIn(analysis, entity);
      return found.filter((each) => withDefinition || !each.isDefinition).map(({ span }) => this.ranges.location(span));
    });
  }

  highlights(uri: string, position: Position): DocumentHighlight[] {
    const at = this.#at(uri, position);
    const entity = at === null ? null : entityAt(at.analysis, at.offset);
    if (at === null || entity === null) return [];
    return referencesIn(at.analysis, entity).map(({ span, isDefinition }) => ({
      range: this.ranges.of(span),
      kind: isDefinition ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
    }));
  }

  /** The files in which an entity can have a name. */
  #filesWith(asked: string, entity: Entity): readonly string[] {
    const file = definitionOf(entity)?.file ?? asked;
    if (entity.kind === "local" || entity.kind === "typeVariable") return [file];
    if (this.workspace.isLibrary(file)) return [...new Set([file, asked, ...this.workspace.models])];
    return [...new Set([file, asked, ...this.workspace.importersOf(file)])];
  }

  prepareRename(uri: string, position: Position): { range: Range; placeholder: string } {
    const at = this.#at(uri, position);
    const found = at === null ? null : occurrenceAt(at.analysis, at.offset);
    if (found === null) throw new Refusal("there is no name here");
    const problem = renameProblem(found.entity, nameOf(found.entity), (file) => this.workspace.isLibrary(file));
    if (problem !== null) throw new Refusal(problem);
    return { range: this.ranges.of(found.span), placeholder: nameOf(found.entity) };
  }

  rename(uri: string, position: Position, newName: string): WorkspaceEdit {
    const at = this.#at(uri, position);
    const entity = at === null ? null : entityAt(at.analysis, at.offset);
    if (at === null || entity === null) throw new Refusal("there is no name of yours here");
    const problem = renameProblem(entity, newName, (file) => this.workspace.isLibrary(file));
    if (problem !== null) throw new Refusal(problem);
    const analyses = this.#filesWith(at.analysis.source.name, entity).flatMap((file) => this.workspace.analysisOf(file) ?? []); // prettier-ignore
    const keys = renamedTogether(at.analysis, entity);
    const edits = analyses.flatMap((analysis) => renameIn(analysis, keys, newName));
    const refused = this.#lostMeaning(analyses, edits, entity, keys, newName);
    if (refused !== null) throw new Refusal(refused);
    return { changes: this.ranges.changes(edits) };
  }

  /** Why changes would not only give an entity another name. `analyses` are of the files that may name it. */
  #lostMeaning(
    analyses: readonly Analysis[],
    edits: readonly NameEdit[],
    entity: Entity,
    keys: ReadonlySet<string>,
    newName: string,
  ): string | null {
    const edited = new Set(edits.map(({ span }) => span.file));
    const texts = new Map([...edited].map((file) => [file, withEdits(this.workspace.textOf(file) ?? "", edits.filter(({ span }) => span.file === file))])); // prettier-ignore
    for (const before of analyses) {
      const after = this.workspace.analysedWith(before.source.name, texts);
      const reason = unreadName(before, entity) ?? meaningChanged({ before, after, edited }, keys, newName);
      if (reason !== null) return reason;
    }
    return null;
  }

  documentSymbols(uri: string): Symbol[] {
    const analysis = this.#of(uri);
    return analysis === null ? [] : symbolsOf(analysis).map((symbol) => this.#symbol(symbol));
  }

  #symbol({ name, kind, detail, span, nameSpan, children }: DocumentSymbol): Symbol {
    return {
      name,
      detail,
      kind: symbolKinds[kind],
      range: this.ranges.of(span),
      selectionRange: this.ranges.of(nameSpan),
      children: children.map((child) => this.#symbol(child)),
    };
  }

  /** The definitions and types of all models whose names have the letters of the query in their order. */
  workspaceSymbols(query: string): SymbolInformation[] {
    const letters = Array.from(query.toLowerCase());
    const fits = (name: string): boolean => {
      let at = 0;
      for (const letter of name.toLowerCase()) if (letter === letters[at]) at += 1;
      return at >= letters.length;
    };
    return this.workspace.models
      .flatMap((file) => {
        const tree = this.workspace.treeOf(file);
        if (tree === null) return [];
        const name = file;
        const bare = {
          tree,
          program: null,
          source: { name, text: "" },
          typed: { data: [], aliases: [], file, imported: [], groups: [] },
        };
        return symbolsOf(bare).flatMap((symbol) => [
          symbol,
          ...symbol.children.filter(({ kind }) => kind === "constructor"),
        ]);
      })
      .filter(({ name, kind }) => kind !== "rule" && fits(name))
      .slice(0, mostSymbols)
      .map(({ name, kind, nameSpan }) => ({ name, kind: symbolKinds[kind], location: this.ranges.location(nameSpan) }));
  }

  completion(uri: string, position: Position): CompletionItem[] {
    const at = this.#at(uri, position);
    if (at === null) return [];
    const { name, text } = at.analysis.source;
    const found = completionsAt(at.analysis, at.offset, {
      reanalyse: this.workspace.reanalysed(name),
      files: this.workspace.models,
      textOf: (file) => this.workspace.textOf(file),
    });
    const start = at.offset - wordBefore(text, at.offset).length;
    const range = { start: this.ranges.position(name, start), end: position };
    return found.map((each) => completionItem(each, range));
  }

  signatureHelp(uri: string, position: Position): SignatureHelp | null {
    const name = this.workspace.nameOf(uri);
    const text = this.workspace.textOf(name);
    if (text === null) return null;
    const found = signatureHelpAt(text, this.ranges.offset(name, position), this.workspace.reanalysed(name));
    if (found === null) return null;
    const { label, parameters, active, doc } = found;
    return {
      signatures: [
        {
          label,
          parameters: parameters.map(({ start, end }) => ({ label: [start, end] })),
          ...(doc === "" ? {} : { documentation: { kind: MarkupKind.Markdown, value: doc } }),
        },
      ],
      activeSignature: 0,
      activeParameter: active,
    };
  }

  semanticTokens(uri: string): SemanticTokens {
    const analysis = this.#of(uri);
    const builder = new SemanticTokensBuilder();
    for (const { span, kind, modifiers } of analysis === null ? [] : semanticTokensOf(analysis)) {
      const { line, character } = this.ranges.of(span).start;
      const bits = modifiers.reduce((sum, each) => sum | (1 << tokenModifiers.indexOf(each)), 0);
      builder.push(line, character, span.end - span.start, tokenKinds.indexOf(kind), bits);
    }
    return builder.build();
  }

  folding(uri: string): FoldingRange[] {
    const analysis = this.#of(uri);
    return (analysis === null ? [] : foldsOf(analysis)).map(({ span, kind }) => {
      const { start, end } = this.ranges.of(span);
      const range = { startLine: start.line, endLine: end.line };
      if (kind === "item") return range;
      return { ...range, kind: kind === "imports" ? FoldingRangeKind.Imports : FoldingRangeKind.Comment };
    });
  }

  inlayHints(uri: string, { start, end }: Range): InlayHint[] {
    const name = this.workspace.nameOf(uri);
    const analysis = this.workspace.analysisOf(name);
    if (analysis === null) return [];
    const range = { start: this.ranges.offset(name, start), end: this.ranges.offset(name, end) };
    return inlayHintsOf(analysis, range).map(({ offset, text }) => ({
      position: this.ranges.position(name, offset),
      label: text,
      kind: InlayHintKind.Type,
    }));
  }

  codeLenses(uri: string): CodeLens[] {
    const analysis = this.#of(uri);
    return (analysis === null ? [] : lensesOf(analysis)).flatMap(({ span, definition, isConstant }) => {
      const range = this.ranges.of(span);
      const lens = (title: string, command: string): CodeLens => ({ range, command: { title, command, arguments: [uri, definition] } }); // prettier-ignore
      const gradient = isConstant ? [] : [lens("gradient", "dualrev.showGradient"), lens("steps", "dualrev.showSteps")];
      return [...gradient, lens("run", "dualrev.run")];
    });
  }

  codeActions(uri: string, { start, end }: Range, shown: readonly ShownDiagnostic[]): CodeAction[] {
    const name = this.workspace.nameOf(uri);
    const analysis = this.workspace.analysisOf(name);
    if (analysis === null) return [];
    const range = { start: this.ranges.offset(name, start), end: this.ranges.offset(name, end) };
    return quickFixesIn(analysis, range).map(({ title, diagnostic, edits, isPreferred }) => {
      const at = this.ranges.of(diagnostic.span).start;
      const mended = shown.filter(({ code, range: { start: from } }) => code === diagnostic.code && from.line === at.line && from.character === at.character); // prettier-ignore
      return {
        title,
        kind: CodeActionKind.QuickFix,
        isPreferred,
        diagnostics: mended,
        edit: { changes: this.ranges.changes(edits) },
      };
    });
  }

  formatting(uri: string): TextEdit[] {
    const name = this.workspace.nameOf(uri);
    const text = this.workspace.textOf(name);
    if (text === null) return [];
    const found = format({ name, text });
    if (!found.ok) return [];
    return this.#replaced(name, text, found.value, 0, text.length);
  }

  /** Formats the item above, once an empty line is behind it. */
  formattingOnType(uri: string, { line }: Position): TextEdit[] {
    const name = this.workspace.nameOf(uri);
    const text = this.workspace.textOf(name);
    if (text === null || line < 2) return [];
    const at = this.ranges.offset(name, { line: line - 1, character: 0 });
    if (text.slice(at, this.ranges.offset(name, { line, character: 0 })).trim() !== "") return [];
    const item = this.workspace.treeOf(name)?.items.findLast(({ span }) => span.end <= at);
    if (item === undefined || text.slice(item.span.end, at).trim() !== "") return [];
    const { start, end } = item.span;
    const found = format({ name, text: text.slice(start, end) });
    return found.ok ? this.#replaced(name, text, found.value.trimEnd(), start, end) : [];
  }

  /** One change, of no more than what differs. */
  #replaced(file: string, text: string, wanted: string, from: number, to: number): TextEdit[] {
    const old = text.slice(from, to);
    if (old === wanted) return [];
    const shorter = Math.min(old.length, wanted.length);
    let same = 0;
    while (same < shorter && old[same] === wanted[same]) same += 1;
    let end = 0;
    while (end < shorter - same && old[old.length - 1 - end] === wanted[wanted.length - 1 - end]) end += 1;
    const span = { file, start: from + same, end: to - end };
    return [this.ranges.edit({ span, text: wanted.slice(same, wanted.length - end) })];
  }
}

const symbolKinds: Readonly<Record<DocumentSymbol["kind"], SymbolKind>> = {
  function: SymbolKind.Function,
  constant: SymbolKind.Constant,
  record: SymbolKind.Struct,
  data: SymbolKind.Enum,
  alias: SymbolKind.Interface,
  constructor: SymbolKind.EnumMember,
  field: SymbolKind.Field,
  rule: SymbolKind.Method,
};

const completionKinds: Readonly<Record<Completion["kind"], CompletionItemKind>> = {
  variable: CompletionItemKind.Variable,
  function: CompletionItemKind.Function,
  constructor: CompletionItemKind.EnumMember,
  type: CompletionItemKind.Struct,
  field: CompletionItemKind.Field,
  keyword: CompletionItemKind.Keyword,
  file: CompletionItemKind.File,
};

function completionItem({ name, kind, detail, doc, rank }: Completion, range: Range): CompletionItem {
  return {
    label: name,
    kind: completionKinds[kind],
    ...(detail === "" ? {} : { detail }),
    ...(doc === "" ? {} : { documentation: { kind: MarkupKind.Markdown, value: doc } }),
    sortText: `${rank}${name}`,
    // The path of an import is completed as a whole by the client
    ...(kind === "file" ? {} : { textEdit: { range, newText: name } }),
  };
}
