// The model, as it is written.

import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import {
  type Action,
  closeLintPanel,
  type Diagnostic as Shown,
  diagnosticCount,
  lintGutter,
  lintKeymap,
  openLintPanel,
  setDiagnostics,
} from "@codemirror/lint";
import { EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
  type Tooltip,
} from "@codemirror/view";
import type { Diagnostic } from "dualrev";
import type { Hover, Token } from "dualrev/editor";
import type { Client } from "./client.js";
import { el } from "./dom.js";
import { colours, model } from "./languages.js";
import { lightIn, pointed, type Range, scrollToLine } from "./lit.js";

export interface EditorEvents {
  readonly onChange: (text: string) => void;
  readonly onPointed: (offset: number | null, byKey: boolean) => void;
}

const setTokens = StateEffect.define<readonly Token[]>();

const tokens = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (before, { changes, effects, newDoc }) => {
    let now = before.map(changes);
    for (const effect of effects)
      if (effect.is(setTokens)) {
        const all = effect.value.filter(({ span }) => span.end <= newDoc.length && span.start < span.end);
        now = Decoration.set(
          all.map(({ span, kind }) => Decoration.mark({ class: `n-${kind}` }).range(span.start, span.end)),
          true,
        );
      }
    return now;
  },
  provide: (self) => EditorView.decorations.from(self),
});

/** CodeMirror's kinds, which have icons. */
const kinds: Readonly<Record<string, string>> = { field: "property", constructor: "enum", file: "text" };

export class Editor {
  readonly view: EditorView;
  readonly #client: Client;

  constructor(text: string, client: Client, { onChange, onPointed }: EditorEvents) {
    this.#client = client;
    this.view = new EditorView({
      state: EditorState.create({
        doc: text,
        extensions: [
          EditorView.contentAttributes.of({ "aria-label": "Model", tabindex: "0" }),
          lineNumbers(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          EditorView.lineWrapping,
          bracketMatching(),
          closeBrackets(),
          indentUnit.of("  "),
          model,
          colours,
          tokens,
          lintGutter(),
          autocompletion({ override: [this.#complete], activateOnTypingDelay: 150 }),
          hoverTooltip(this.#hover),
          pointed(onPointed),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onChange(update.state.doc.toString());
          }),
          // The list of mistakes is not opened where there are none
          Prec.high(keymap.of([{ key: "Mod-Shift-m", run: ({ state }) => diagnosticCount(state) === 0 }])),
          keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]), // prettier-ignore
        ],
      }),
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set text(text: string) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  light(ranges: readonly Range[], isSeen = false): void {
    lightIn(this.view, ranges, isSeen);
  }

  /** The start of a place that is told as line and column, both from 1. */
  offsetOf(line: number, column: number): number {
    const { doc } = this.view.state;
    return line < 1 || line > doc.lines ? 0 : Math.min(doc.line(line).from + column - 1, doc.length);
  }

  showTokens(found: readonly Token[]): void {
    this.view.dispatch({ effects: setTokens.of(found) });
  }

  showDiagnostics(diagnostics: readonly Diagnostic[]): void {
    const { state } = this.view;
    const { length } = state.doc;
    const own = diagnostics.map((diagnostic): Shown => {
      const { span, severity, title, label, notes, hint, code } = diagnostic;
      const from = Math.min(span.start, length);
      const to = Math.min(Math.max(span.end, from), length);
      const more = [label, ...notes, hint ?? ""].filter((text) => text !== "" && text !== title);
      return { from, to, severity, source: code, message: [title, ...more].join("\n"), actions: [this.#fix(from, to)] };
    });
    this.view.dispatch(setDiagnostics(state, own));
    if (own.length === 0) closeLintPanel(this.view);
  }

  /** Puts the cursor at a place, with the list of mistakes open and its keys at hand. */
  showMistake({ start }: Range): void {
    const anchor = Math.min(start, this.view.state.doc.length);
    this.view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    openLintPanel(this.view);
  }

  /** Scrolls to a definition, where there is one of this name. */
  showDefinition(name: string): void {
    scrollToLine(this.view, `def ${name}`);
  }

  /** What the compiler has tried, if anything. */
  #fix(from: number, to: number): Action {
    return {
      name: "Mend",
      apply: (view) => {
        void this.#client
          .ask("fixes", { text: this.text, start: from, end: to })
          .then(([first]) => {
            if (first === undefined) return;
            view.dispatch({ changes: first.edits.map(({ span, text }) => ({ from: span.start, to: span.end, insert: text })) }); // prettier-ignore
          })
          .catch(() => undefined);
      },
    };
  }

  readonly #complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const word = context.matchBefore(/[\p{L}\p{Nd}_']+|\./u);
    if (word === null && !context.explicit) return null;
    const found = await this.#client.ask("complete", { text: this.text, offset: context.pos }).catch(() => null);
    if (found === null) return null;
    return {
      from: found.from,
      options: found.options.map(({ name, kind, detail, doc, rank }) => ({
        label: name,
        type: kinds[kind] ?? kind,
        boost: -rank,
        ...(detail === "" ? {} : { detail }),
        ...(doc === "" ? {} : { info: doc }),
      })),
      validFor: /^[\p{L}\p{Nd}_']*$/u,
    };
  };

  readonly #hover = async (_: EditorView, offset: number): Promise<Tooltip | null> => {
    const found = await this.#client.ask("hover", { text: this.text, offset }).catch(() => null);
    if (found === null) return null;
    const { span } = found;
    return { pos: span.start, end: span.end, above: true, create: () => ({ dom: hoverOf(found) }) };
  };
}

function hoverOf({ code, doc, typescript, notExported }: Hover): HTMLElement {
  return el(
    "div",
    { class: "hover" },
    el("pre", {}, code),
    doc === "" ? null : el("p", {}, doc),
    typescript === null ? null : el("pre", {}, typescript),
    notExported === null ? null : el("p", {}, `Not exported: it ${notExported}`),
  );
}
