// Stages for a terminal: each notation is explained, each departure told and each text shown where it is met first.

import type pc from "picocolors";
import { farDefinitions } from "../driver/far-definitions.js";
import type { Step } from "../driver/steps.js";

const ruleWidth = 80;

export interface StepOptions {
  readonly legend: boolean;
  readonly typescript: boolean;
  readonly wrap: boolean;
  /** Whether all that the definitions use is shown, and not only what they call themselves. */
  readonly all: boolean;
  /** The definitions that were asked for; null: all that can be exported. */
  readonly roots: readonly string[] | null;
}

type Section = readonly string[];

interface Named {
  readonly name: string;
  readonly text: string;
}

export class StepPrinter {
  readonly #options: StepOptions;
  readonly #colors: ReturnType<typeof pc.createColors>;
  /** Notation with its meaning, and departures. */
  readonly #told = new Set<string>();
  /** By name, the text of a definition, and of a function, in the stage before. */
  readonly #parts = new Map<string, string>();
  readonly #functions = new Map<string, string>();

  constructor(options: StepOptions, colors: ReturnType<typeof pc.createColors>) {
    this.#options = options;
    this.#colors = colors;
  }

  print(steps: readonly Step[]): string {
    return steps.map((step) => this.#step(step)).join("\n");
  }

  /** A stage: what it does, what the notation means, the program, and its TypeScript. */
  #step(step: Step): string {
    const { wrap: hasWrappers, all, legend, typescript } = this.#options;
    const hidden = all ? new Set<string>() : farDefinitions(step, this.#options.roots);
    const parts = step.parts.filter(({ kind, name }) => (hasWrappers || kind !== "wrapper") && !hidden.has(name));
    const functions = step.functions.filter(
      ({ isWrapper, definition }) => (hasWrappers || !isWrapper) && !hidden.has(definition ?? ""),
    );
    const sections: Section[] = [
      [this.#colors.bold(`== ${step.stage}: ${step.title} `.padEnd(ruleWidth, "="))],
      this.#prose(step.change),
      ...(legend ? [...this.#departures(step), ...this.#legend(step)] : []),
      ...newTexts(parts, this.#parts),
      ...(hidden.size === 0
        ? []
        : [wrap(`Called from these, and shown by --all: ${[...hidden].join(", ")}`, ruleWidth)]),
      ...this.#resolved(step),
    ];
    if (typescript) {
      sections.push(...this.#sweeps(step));
      sections.push([this.#rule("TypeScript")], ...newTexts(functions, this.#functions));
      const fragments = legend ? newTexts(step.box.typescript, this.#functions) : [];
      if (fragments.length > 0) sections.push([this.#rule("TypeScript of the interface")], ...fragments);
    }
    return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
  }

  #rule(words: string): string {
    return this.#colors.dim(`-- ${words} `.padEnd(ruleWidth, "-"));
  }

  #prose(text: string): Section {
    return wrap(text, ruleWidth).map((line) => this.#colors.italic(line));
  }

  #departures({ departures }: Step): readonly Section[] {
    const fresh = departures.filter((text) => this.#isFresh(text));
    return fresh.length === 0 ? [] : [fresh.flatMap((text) => this.#prose(`Departs from the figure: ${text}`))];
  }

  #legend({ legend, box }: Step): readonly Section[] {
    const entries = legend.filter(({ symbol, meaning }) => this.#isFresh(`${symbol} ${meaning}`));
    const width = Math.max(0, ...entries.map(({ symbol }) => symbol.length));
    const lines = entries.flatMap(({ symbol, meaning }) =>
      wrap(meaning, ruleWidth - width - 2).map((line, i) => `${(i === 0 ? symbol : "").padEnd(width)}  ${line}`),
    );
    const sections = [
      ...(lines.length === 0 ? [] : [[this.#rule("Notation"), "", ...lines]]),
      ...(box.term === "" ? [] : [[this.#rule("The interface of the figure"), "", box.term]]),
    ];
    return sections.length === 0 ? [] : [...sections, [this.#rule("The program")]];
  }

  /** Whether something is told for the first time, which it then is. */
  #isFresh(text: string): boolean {
    const isFresh = !this.#told.has(text);
    this.#told.add(text);
    return isFresh;
  }

  #sweeps({ sweeps }: Step): readonly Section[] {
    if (sweeps.length === 0) return [];
    return [[this.#rule("Both sweeps at first")], ...sweeps.map(({ text }) => [text])];
  }

  #resolved({ resolved }: Step): readonly Section[] {
    if (resolved.length === 0) return [];
    const lines = resolved.flatMap((text) =>
      wrap(text, ruleWidth - 2).map((line, index) => (index === 0 ? line : `  ${line}`)),
    );
    return [[this.#rule("Resolved at compile time")], this.#prose(resolvedNote), lines];
  }
}

/** What is saved is decided before the code is tidied: a reader who looks for it below may find less. */
const resolvedNote =
  "By the names above, as both sweeps are written at first. Where their loops are then joined, or one value tells another, the TypeScript saves less.";

/** The texts that are not what the stage before has under their names; the others are named. */
function newTexts(parts: readonly Named[], before: Map<string, string>): readonly Section[] {
  const same = parts.filter(({ name, text }) => name !== "" && before.get(name) === text);
  const texts = parts.filter((part) => !same.includes(part)).map(({ text }) => [text]);
  for (const { name, text } of parts) before.set(name, text);
  return same.length === 0 ? texts : [...texts, [`As above: ${same.map(({ name }) => name).join(", ")}`]];
}

/** A text in lines of at most so many columns, broken at spaces. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
