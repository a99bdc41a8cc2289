// Diagnostics while one types: of the file that has changed, then of those that import it; what comes in between goes first.

import { DiagnosticSeverity, DiagnosticTag, type Diagnostic as Shown } from "vscode-languageserver/node";
import { sortDiagnostics } from "../../diagnostics/render.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { Span } from "../../syntax/source.js";
import type { Documentation } from "./documentation.js";
import type { Ranges } from "./ranges.js";
import type { Workspace } from "./workspace.js";

/** How long nothing is typed before a file is checked. */
const pause = 10;

export interface Publish {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: Shown[];
}

export class Checks {
  /** By file that was checked, what was found in which file. */
  readonly #found = new Map<string, ReadonlyMap<string, readonly Diagnostic[]>>();
  readonly #todo = new Set<string>();
  #timer: NodeJS.Timeout | null = null;

  constructor(
    readonly workspace: Workspace,
    readonly ranges: Ranges,
    readonly documentation: Documentation,
    readonly publish: (published: Publish) => void,
    readonly onError: (error: unknown) => void,
  ) {}

  /** Checks a file soon, and those that import it. */
  changed(name: string): void {
    if (this.workspace.isLibrary(name)) return;
    this.#todo.delete(name);
    const others = [...this.#todo];
    this.#todo.clear();
    for (const each of [name, ...others]) this.#todo.add(each);
    this.#wait(pause);
  }

  closed(name: string): void {
    this.#todo.delete(name);
    this.#tell(name, new Map());
    for (const file of this.workspace.importersOf(name)) this.changed(file);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#todo.clear();
  }

  #wait(milliseconds: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      const [next] = this.#todo;
      if (next === undefined) return;
      this.#todo.delete(next);
      try {
        this.#check(next);
      } catch (error) {
        this.onError(error);
      }
      // What has come in since is read before the next one
      if (this.#todo.size > 0) this.#wait(0);
    }, milliseconds);
  }

  #check(name: string): void {
    const isFirst = !this.#isImporter.delete(name);
    const byFile = new Map<string, Diagnostic[]>([[name, []]]);
    for (const diagnostic of sortDiagnostics(this.workspace.analysisOf(name)?.diagnostics() ?? [])) {
      const { file } = diagnostic.span;
      byFile.set(file, [...(byFile.get(file) ?? []), diagnostic]);
    }
    this.#tell(name, byFile);
    if (!isFirst) return;
    for (const file of this.workspace.importersOf(name)) {
      if (this.#todo.has(file)) continue;
      this.#isImporter.add(file);
      this.#todo.add(file);
    }
  }

  /** The files that are to be checked for what they import. */
  readonly #isImporter = new Set<string>();

  #tell(name: string, found: ReadonlyMap<string, readonly Diagnostic[]>): void {
    const before = this.#found.get(name);
    if (found.size === 0) this.#found.delete(name);
    else this.#found.set(name, found);
    for (const file of new Set([...(before?.keys() ?? []), ...found.keys()])) this.#publishFor(file);
  }

  /** What was found in a file: when it was checked, else when files were that import it. */
  #publishFor(file: string): void {
    if (this.workspace.isLibrary(file)) return;
    const own = this.#found.get(file)?.get(file);
    const others = [...this.#found.values()].flatMap((found) => found.get(file) ?? []);
    const all = new Map((own ?? others).map((each) => [JSON.stringify(each), each]));
    const version = this.workspace.versionOf(file);
    const diagnostics = [...all.values()].map((each) => this.#shown(each));
    this.publish({ uri: this.workspace.uriOf(file), ...(version === null ? {} : { version }), diagnostics });
  }

  #shown({ code, severity, title, span, label, related, notes, hint }: Diagnostic): Shown {
    const page = this.documentation.pageOf(code);
    const rest = [...(label === "" ? [] : [label]), ...notes, ...(hint === null ? [] : [`hint: ${hint}`])];
    return {
      range: this.ranges.of(span),
      severity: severity === "error" ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
      code,
      ...(page === null ? {} : { codeDescription: { href: page } }),
      source: "dualrev",
      message: [title, ...rest].join("\n"),
      ...(/^W010[13]$/.test(code) ? { tags: [DiagnosticTag.Unnecessary] } : {}),
      relatedInformation: related.map((place) => ({ location: this.#location(place.span), message: place.label })),
    };
  }

  #location(span: Span) {
    return { uri: this.workspace.uriOf(span.file), range: this.ranges.of(span) };
  }
}
