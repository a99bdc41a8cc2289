// Places as the protocol has them.

import type { Location, Position, Range, TextEdit as Edit } from "vscode-languageserver/node";
import type { TextEdit } from "../../editor/names.js";
import type { Span } from "../../syntax/source.js";
import type { Workspace } from "./workspace.js";

export class Ranges {
  constructor(readonly workspace: Workspace) {}

  of({ file, start, end }: Span): Range {
    const document = this.workspace.documentOf(file);
    return { start: document.positionAt(start), end: document.positionAt(end) };
  }

  position(file: string, offset: number): Position {
    return this.workspace.documentOf(file).positionAt(offset);
  }

  offset(file: string, position: Position): number {
    return this.workspace.documentOf(file).offsetAt(position);
  }

  location(span: Span): Location {
    return { uri: this.workspace.uriOf(span.file), range: this.of(span) };
  }

  edit({ span, text }: TextEdit): Edit {
    return { range: this.of(span), newText: text };
  }

  /** Changes of several files, by their addresses. */
  changes(edits: readonly TextEdit[]): Record<string, Edit[]> {
    const byFile = new Map<string, Edit[]>();
    for (const each of edits) {
      const uri = this.workspace.uriOf(each.span.file);
      byFile.set(uri, [...(byFile.get(uri) ?? []), this.edit(each)]);
    }
    return Object.fromEntries(byFile);
  }
}
