/**
 * What an editor asks about a model, without a language server: `dualrev/editor`, browser-safe as `dualrev` is. Places are UTF-16 offsets in the text.
 * @module
 */

import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { analyse, type Analysis } from "../driver/analyse.js";
import type { SourceFile, Span } from "../syntax/source.js";
import { completionsAt } from "./completion.js";
import { wordBefore } from "./cursor.js";
import { hoverAt } from "./hover.js";
import { quickFixesIn } from "./quick-fixes.js";
import { sampleArguments } from "./sample-arguments.js";
import { semanticTokensOf } from "./semantic-tokens.js";
import { signatureHelpAt } from "./signature-help.js";

/** What is known of the name at a place. */
export interface Hover {
  readonly span: Span;
  /** In the notation of the language. */
  readonly code: string;
  /** The exported function in TypeScript; null where it is none. */
  readonly typescript: string | null;
  readonly doc: string;
  /** Why a definition of the file is not exported; null where it is. */
  readonly notExported: string | null;
}

/** What can be written at a place. */
export interface Completion {
  readonly name: string;
  readonly kind: string;
  /** Its type, as far as it is known. */
  readonly detail: string;
  readonly doc: string;
  /** The order in which they are shown, the nearest first. */
  readonly rank: number;
}

/** The parameters of the call around a place. */
export interface SignatureHelp {
  readonly label: string;
  /** Where each parameter stands in it. */
  readonly parameters: readonly { readonly start: number; readonly end: number }[];
  readonly active: number;
  readonly doc: string;
}

/** A change that mends a diagnostic. */
export interface QuickFix {
  readonly title: string;
  readonly diagnostic: Diagnostic;
  readonly edits: readonly { readonly span: Span; readonly text: string }[];
}

/** What a name is, for colours. */
export interface Token {
  readonly span: Span;
  readonly kind: string;
}

/** A model of one file, which may import `std/`, as it is in an editor, also with mistakes. */
export class EditedModel {
  readonly #source: SourceFile;
  readonly #analysis: Analysis;

  constructor(source: SourceFile) {
    this.#source = source;
    this.#analysis = analyse(source, null);
  }

  /** All that `check` finds. */
  diagnostics(): readonly Diagnostic[] {
    return this.#analysis.diagnostics();
  }

  hover(offset: number): Hover | null {
    return hoverAt(this.#analysis, offset);
  }

  /** What can stand at a place, and where the word begins that it completes. */
  completions(offset: number): { readonly from: number; readonly options: readonly Completion[] } {
    const around = { reanalyse: this.#reanalyse, files: [], textOf: () => null };
    const from = offset - wordBefore(this.#source.text, offset).length;
    return { from, options: completionsAt(this.#analysis, offset, around) };
  }

  signatureHelp(offset: number): SignatureHelp | null {
    return signatureHelpAt(this.#source.text, offset, this.#reanalyse);
  }

  /** The fixes of the diagnostics that touch a range. */
  quickFixes(range: { readonly start: number; readonly end: number }): readonly QuickFix[] {
    return quickFixesIn(this.#analysis, range);
  }

  tokens(): readonly Token[] {
    return semanticTokensOf(this.#analysis);
  }

  /** Arguments of the right types to begin with, by parameter name; null for what is not exported. */
  sampleArguments(definition: string): Readonly<Record<string, unknown>> | null {
    return sampleArguments(this.#analysis, definition);
  }

  readonly #reanalyse = (text: string): Analysis => analyse({ ...this.#source, text }, null);
}
