// The page: the model on the left, a view of it on the right.

import "./style.css";
import "./editor.css";
import "./pictures.css";
import type { Diagnostic } from "dualrev";
import type { Definition } from "./answers.js";
import { Client, Stopped, Superseded } from "./client.js";
import { button, el, problem, select } from "./dom.js";
import { Editor } from "./editor.js";
import { examples } from "./examples.js";
import { packed, unpacked } from "./link.js";
import type { Given, Page, State, View } from "./page.js";
import { nextTheme, themeButton } from "./theme.js";
import { sameShape } from "./values.js";
import { costView } from "./views/cost.js";
import { graphView } from "./views/graph.js";
import { runView } from "./views/run.js";
import { stagesView } from "./views/stages.js";
import { typescriptView } from "./views/typescript.js";

/** What a run, a compilation, or a count may take, in milliseconds; `?limit=` says otherwise. */
const limit = Number(new URLSearchParams(location.search).get("limit") ?? 10_000);
/** Letters in a row are checked once. */
const pause = 250;

/** Inside of another page there is a model already, and little room. */
const isInside = window.parent !== window;

/** The address of the page with its state, without what a page around it has asked for. */
function address(): string {
  const own = new URL(location.href);
  own.searchParams.delete("theme");
  return own.href;
}

function found(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return element;
}

class Playground {
  #state: State;
  #definitions: readonly Definition[] = [];
  readonly #views: readonly View[] = [typescriptView(), runView(), stagesView(), graphView(), costView()];
  /** Two workers: one may be busy with a model that does not end while the other answers to what is typed. */
  readonly #typist = new Client(limit);
  readonly #runner = new Client(limit);
  readonly #editor: Editor;
  readonly #page: Page;
  readonly #status = el("p", { class: "status", role: "status" });
  readonly #definition = el("div");
  readonly #panel = el("div", { class: "panel", role: "tabpanel", id: "panel", "aria-labelledby": "tab-typescript" });
  readonly #tabs: readonly HTMLButtonElement[];
  #typing: ReturnType<typeof setTimeout> | null = null;
  #turn = 0;
  /** The first mistake of the model, where it has been found to have one. */
  #mistake: Diagnostic | null = null;
  /** The view that has something to show. */
  #filled: View | null = null;

  constructor(state: State) {
    this.#state = state;
    this.#editor = new Editor(state.text, this.#typist, {
      onChange: (text) => {
        this.#state = { ...this.#state, text };
        if (this.#typing !== null) clearTimeout(this.#typing);
        // What is said and shown is for the text before, until this one has been checked
        this.#status.setAttribute("aria-busy", "true");
        this.#typing = setTimeout(() => void this.#check(), pause);
      },
      onPointed: (offset, byKey) => {
        this.#view.light(offset, byKey);
      },
    });
    this.#page = {
      state: () => this.#state,
      definitions: () => this.#definitions,
      runner: this.#runner,
      setArgs: (args) => {
        this.#change({ args });
      },
      setOption: (name, value) => {
        this.#change({ options: { ...this.#state.options, [name]: value } });
      },
      keepOption: (name, value) => {
        this.#state = { ...this.#state, options: { ...this.#state.options, [name]: value } };
        this.#keepLink();
      },
      lightModel: (ranges, byKey) => {
        this.#editor.light(ranges, byKey);
      },
      offsetOf: (line, column) => this.#editor.offsetOf(line, column),
      isInteger: (parameter) => {
        const shown = this.#definitions.find(({ name }) => name === this.#state.entry);
        const index = Object.keys(shown?.sample ?? {}).indexOf(parameter);
        return shown?.type.split(" -> ")[index] === "Z";
      },
      say: (text) => {
        this.#say(text);
      },
    };
    this.#tabs = this.#views.map(
      ({ name, title }) =>
      el("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "panel", click: () => { this.#show(name); } }, title), // prettier-ignore
    );
    this.#layOut();
    this.#typist.start();
    this.#show(state.view);
    void this.#check();
  }

  get #view(): View {
    const view = this.#views.find(({ name }) => name === this.#state.view) ?? this.#views[0];
    if (view === undefined) throw new Error("no view");
    return view;
  }

  #layOut(): void {
    const example = select("Example", [{ value: "", text: "Choose.." }, ...examples.map(({ name }) => ({ value: name, text: name }))], "", (name) => { this.#choose(name); }); // prettier-ignore
    const share = button("Copy link", () => {
      void this.#copyLink();
    });
    const title = el("h1", {}, "dualrev ", el("span", {}, "playground"));
    const alone = button("Open in a tab", () => window.open(address()));
    const bar = isInside ? [this.#definition, share, alone] : [example, this.#definition, share, themeButton()];
    found("head").replaceChildren(...(isInside ? [] : [title]), el("div", { class: "bar" }, ...bar));
    const tablist = el("div", { class: "tabs", role: "tablist", "aria-label": "Views", keydown: (event) => { this.#moveTab(event); } }, ...this.#tabs); // prettier-ignore
    found("main").replaceChildren(
      el("section", { class: "model", "aria-label": "Model" }, this.#editor.view.dom, this.#status),
      el("section", { class: "views", "aria-label": "What the model becomes" }, tablist, this.#panel),
    );
  }

  #moveTab(event: Event): void {
    if (!(event instanceof KeyboardEvent)) return;
    const at = this.#views.indexOf(this.#view);
    const last = this.#views.length - 1;
    const next = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key]; // prettier-ignore
    const view = next === undefined ? undefined : this.#views[next];
    if (next === undefined || view === undefined) return;
    event.preventDefault();
    this.#show(view.name);
    this.#tabs[next]?.focus();
  }

  #say(text: string): void {
    this.#status.textContent = text;
  }

  /** Counts what is wrong, with a button to the first. */
  #sayWrong(all: readonly Diagnostic[], what: string): void {
    const [first] = all;
    if (first === undefined) return;
    const count = `${all.length} ${all.length === 1 ? what : `${what}s`}`;
    const show = (): void => {
      this.#editor.showMistake(first.span);
    };
    this.#status.replaceChildren(button(`${count}, line ${this.#lineOf(first)}: ${first.title}`, show));
  }

  #lineOf({ span }: Diagnostic): number {
    return this.#state.text.slice(0, span.start).split("\n").length;
  }

  /** A model with a mistake has no views; what there was of the model before stays, pale. */
  #tellMistake(mistake: Diagnostic): void {
    if (this.#runner.isBusy) this.#runner.stop();
    const old = this.#filled === this.#view ? this.#view.element : null;
    const isOld = old === null ? "." : "; what is below is of the model before.";
    const told = el("p", { class: "mistake" }, `The model has a mistake on line ${this.#lineOf(mistake)}${isOld}`);
    this.#panel.replaceChildren(told, ...(old === null ? [] : [old]));
    this.#panel.removeAttribute("aria-busy");
    this.#panel.classList.add("stale");
  }

  #show(name: string): void {
    this.#state = { ...this.#state, view: this.#views.some((view) => view.name === name) ? name : "typescript" };
    this.#views.forEach((view, i) => {
      const isShown = view === this.#view;
      this.#tabs[i]?.setAttribute("aria-selected", String(isShown));
      this.#tabs[i]?.setAttribute("tabindex", isShown ? "0" : "-1");
    });
    this.#panel.setAttribute("aria-labelledby", `tab-${this.#state.view}`);
    this.#editor.light([]);
    this.#filled = null;
    void this.#update();
  }

  #choose(name: string): void {
    const example = examples.find((each) => each.name === name);
    if (example === undefined) return;
    const { entry, args, text, options = {} } = example;
    this.#state = { ...this.#state, entry, args, text, options };
    this.#editor.text = text;
  }

  #change(part: Partial<State>): void {
    this.#state = { ...this.#state, ...part };
    this.#keepLink();
    void this.#update();
  }

  /** Checks the model, and where it has no errors, shows what there is to show. */
  async #check(): Promise<void> {
    const turn = ++this.#turn;
    const { text } = this.#state;
    this.#keepLink();
    try {
      const { diagnostics, tokens } = await this.#typist.ask("analyse", { text });
      if (turn !== this.#turn) return;
      this.#editor.showTokens(tokens);
      this.#editor.showDiagnostics(diagnostics);
      const errors = diagnostics.filter(({ severity }) => severity === "error");
      if (errors.length > 0) this.#sayWrong(errors, "error");
      else if (diagnostics.length > 0) this.#sayWrong(diagnostics, "warning");
      else this.#say("No errors");
      this.#mistake = errors[0] ?? null;
      if (this.#mistake !== null) {
        this.#status.removeAttribute("aria-busy");
        this.#tellMistake(this.#mistake);
        return;
      }
      const definitions = await this.#typist.ask("definitions", { text });
      if (turn !== this.#turn) return;
      this.#status.removeAttribute("aria-busy");
      if (!definitions.ok) {
        this.#panel.replaceChildren(problem(definitions.text));
        return;
      }
      this.#define(definitions.value);
      await this.#update();
    } catch (error) {
      if (error instanceof Superseded) return;
      this.#status.removeAttribute("aria-busy");
      this.#say(error instanceof Error ? error.message : String(error));
    }
  }

  /** Keeps the definition and its arguments where they still fit. */
  #define(definitions: readonly Definition[]): void {
    this.#definitions = definitions;
    const { entry, args } = this.#state;
    const kept = definitions.find(({ name }) => name === entry) ?? definitions.at(-1);
    const fits = kept !== undefined && kept.name === entry && sameShape(args, kept.sample);
    this.#state = { ...this.#state, entry: kept?.name ?? "", args: fits ? args : (kept?.sample ?? {}) };
    const options = definitions.map(({ name, type }) => ({ value: name, text: `${name} : ${type}` }));
    this.#definition.replaceChildren(
      select("Definition", options, kept?.name ?? "", (name) => {
        const sample: Given = definitions.find((each) => each.name === name)?.sample ?? {};
        this.#editor.showDefinition(name);
        this.#change({ entry: name, args: sample });
      }),
    );
  }

  async #update(): Promise<void> {
    const view = this.#view;
    if (this.#mistake !== null) {
      this.#tellMistake(this.#mistake);
      return;
    }
    if (this.#definitions.length === 0) {
      this.#panel.replaceChildren(el("p", { class: "empty" }, this.#turn < 2 ? "The compiler is loading.." : "There is nothing to show: the model exports no definition.")); // prettier-ignore
      return;
    }
    // What runs is for what was asked before
    if (this.#runner.isBusy) this.#runner.stop();
    this.#panel.replaceChildren(view.element);
    this.#panel.setAttribute("aria-busy", "true");
    try {
      await view.update(this.#page);
      this.#panel.classList.remove("stale");
      this.#filled = view;
    } catch (error) {
      if (error instanceof Superseded) return;
      const text = error instanceof Error ? error.message : String(error);
      const more = error instanceof Stopped ? "\nDoes the model end for these arguments?" : "";
      this.#panel.classList.remove("stale");
      const told = problem(text + more);
      // The arguments stay, so that others can be given
      const isAbove = view.name === "run";
      const shown = el("div", { class: isAbove ? "view told-above" : "view" }, told, button("Try again", () => { void this.#update(); })); // prettier-ignore
      if (view === this.#view) this.#panel.replaceChildren(shown, ...(isAbove ? [view.element] : []));
    }
    if (view === this.#view) this.#panel.removeAttribute("aria-busy");
  }

  /** The address says all, so that a page that is loaded again is as before. */
  #keepLink(): void {
    void packed(this.#state).then((text) => {
      history.replaceState(null, "", `#${text}`);
    });
  }

  async #copyLink(): Promise<void> {
    history.replaceState(null, "", `#${await packed(this.#state)}`);
    try {
      await navigator.clipboard.writeText(address());
      this.#say("The link is in the clipboard");
    } catch {
      this.#say("The link is in the address bar");
    }
  }

  /** Another address in the same page. */
  async open(): Promise<void> {
    const given = await stateOf(location.hash);
    if (given.text === this.#state.text && given.view === this.#state.view) return;
    this.#state = given;
    this.#editor.text = given.text;
    this.#show(given.view);
  }
}

async function stateOf(hash: string): Promise<State> {
  const [first] = examples;
  const start: State = { text: first?.text ?? "", entry: first?.entry ?? "", args: first?.args ?? {}, view: "stages", options: first?.options ?? {} }; // prettier-ignore
  return hash.length < 2 ? start : { ...start, ...(await unpacked(hash.slice(1))) };
}

nextTheme(null);
const playground = new Playground(await stateOf(location.hash));
addEventListener("hashchange", () => void playground.open());
