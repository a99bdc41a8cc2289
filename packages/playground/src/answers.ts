// What the worker does for the page. Everything here is data that can be sent: no functions, no symbols.

import {
  compile,
  costOver,
  type CostSeries,
  type Diagnostic,
  drawRun,
  drawSeriesSvg,
  grad,
  renderDiagnostics,
  run,
  type Signature,
  signatures,
  type StageName,
  type Step,
  steps,
  textOf,
  toldRun,
  type ToldStep,
  toldSteps,
} from "dualrev";
import {
  EditedModel,
  type Completion,
  type Hover,
  type QuickFix,
  type SignatureHelp,
  type Token,
} from "dualrev/editor";
import { numbersOf, valueAt, withNumberAt, type Path } from "./values.js";

/** What is asked for, or what to tell the user of why there is none. */
export type Told<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly text: string };

/** An exported definition, and arguments to begin with. */
export interface Definition {
  readonly name: string;
  readonly type: string;
  readonly doc: string;
  readonly sample: Readonly<Record<string, unknown>>;
}

export interface Computed {
  readonly value: unknown;
  /** By parameter; null where the definition gives no single number, or has no gradient. */
  readonly gradient: unknown;
  /** Of a result with several numbers: a gradient for each. */
  readonly jacobian: unknown;
  /** Where finite differences say otherwise. */
  readonly differences: readonly string[];
  /** Why there is a value alone; null where there is a gradient. */
  readonly reason: string | null;
}

/** One step of gradient descent. */
export interface Descended {
  readonly value: number;
  readonly args: Readonly<Record<string, unknown>>;
}

const file = "model.lam";

type Given = Readonly<Record<string, unknown>>;

let edited: { readonly text: string; readonly model: EditedModel } | null = null;

function modelOf(text: string): EditedModel {
  if (edited?.text !== text) edited = { text, model: new EditedModel({ name: file, text }) };
  return edited.model;
}

function told<T>(
  text: string,
  answer:
    { readonly ok: true; readonly value: T } | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] },
): Told<T> {
  if (answer.ok) return answer;
  return { ok: false, text: renderDiagnostics(answer.diagnostics, textOf({ name: file, text })) };
}

function numberFrom(value: unknown): number {
  return typeof value === "number" ? value : NaN;
}

/** The value at a point, where it is one number. */
function valueOf(text: string, entry: string, args: Given): number {
  const found = run({ name: file, text }, entry, args);
  return found.ok ? numberFrom(found.value) : NaN;
}

export const answers = {
  analyse: ({
    text,
  }: {
    text: string;
  }): { readonly diagnostics: readonly Diagnostic[]; readonly tokens: readonly Token[] } => {
    const model = modelOf(text);
    return { diagnostics: model.diagnostics(), tokens: model.tokens() };
  },
  hover: ({ text, offset }: { text: string; offset: number }): Hover | null => modelOf(text).hover(offset),
  complete: ({
    text,
    offset,
  }: {
    text: string;
    offset: number;
  }): { readonly from: number; readonly options: readonly Completion[] } => modelOf(text).completions(offset),
  parameters: ({ text, offset }: { text: string; offset: number }): SignatureHelp | null =>
    modelOf(text).signatureHelp(offset),
  fixes: ({ text, start, end }: { text: string; start: number; end: number }): readonly QuickFix[] =>
    modelOf(text).quickFixes({ start, end }),

  definitions: ({ text }: { text: string }): Told<readonly Definition[]> => {
    const found = signatures({ name: file, text });
    if (!found.ok) return told<never>(text, found);
    const shown = ({ name, type, doc }: Signature): readonly Definition[] => {
      const sample = modelOf(text).sampleArguments(name);
      return sample === null ? [] : [{ name, type, doc, sample }];
    };
    return { ok: true, value: found.value.filter(({ exported }) => exported).flatMap(shown) };
  },

  compile: ({
    text,
    stage,
  }: {
    text: string;
    stage: StageName;
  }): Told<{ readonly code: string; readonly map: string | null }> => {
    const found = told(text, compile({ name: file, text }, { stage, sourceMap: true }));
    return found.ok ? { ok: true, value: { code: found.value.code, map: found.value.map } } : found;
  },

  steps: ({ text, entry }: { text: string; entry: string }): Told<readonly Step[]> =>
    told(text, steps({ name: file, text }, { entries: [entry], marks: true })),

  compute: ({ text, entry, args }: { text: string; entry: string; args: Given }): Told<Computed> => {
    const found = grad({ name: file, text }, entry, args, { check: true });
    if (found.ok) {
      const { document, differences } = found.value;
      const [gradient, jacobian] = "grad" in document ? [document.grad, null] : [null, document.jacobian];
      return { ok: true, value: { value: document.value, gradient, jacobian, differences, reason: null } };
    }
    const value = told(text, run({ name: file, text }, entry, args));
    if (!value.ok) return value;
    const reason = found.diagnostics[0]?.title ?? "";
    return { ok: true, value: { value: value.value, gradient: null, jacobian: null, differences: [], reason } };
  },

  tell: ({
    text,
    entry,
    args,
  }: {
    text: string;
    entry: string;
    args: Given;
  }): Told<{
    readonly picture: string | null;
    readonly steps: readonly ToldStep[];
    readonly start: readonly { readonly id: number; readonly gives: number }[];
  }> => {
    const found = told(text, toldRun({ name: file, text }, entry, args));
    return found.ok ? { ok: true, value: { picture: drawRun(found.value), ...toldSteps(found.value) } } : found;
  },

  cost: ({
    text,
    entry,
    args,
    names,
    square,
    values,
  }: {
    text: string;
    entry: string;
    args: Given;
    names: readonly string[];
    /** Those of them that stay square matrices. */
    square: readonly string[];
    values: readonly number[];
  }): Told<{ readonly chart: string; readonly series: readonly CostSeries[] }> => {
    const over = (sizes: readonly number[]): ReturnType<typeof costOver> => costOver({ name: file, text }, entry, args, { names, square, values: sizes }, { budget: 3e6 }); // prettier-ignore
    const found = told(text, over(values));
    if (!found.ok) {
      const failing = values.find((value) => !over([value]).ok);
      return { ok: false, text: `With n = ${failing ?? 0} for ${names.join(", ")}, \`${entry}\` does not come to its end:\n\n${found.text}` }; // prettier-ignore
    }
    const work = found.value.filter((series) => series.of === "work");
    return {
      ok: true,
      value: { series: work, chart: drawSeriesSvg(work, names.join(", "), `${entry}: counted work of each stage`) },
    };
  },

  /** Values along a direction, a number for each number of the parameters. */
  along: ({
    text,
    entry,
    args,
    paths,
    direction,
    ts,
  }: {
    text: string;
    entry: string;
    args: Given;
    paths: readonly Path[];
    direction: readonly number[];
    ts: readonly number[];
  }): readonly number[] => ts.map((t) => valueOf(text, entry, moved(args, paths, direction, t))),

  /** Values on a grid over two numbers, row by row. */
  grid: ({
    text,
    entry,
    args,
    paths,
    xs,
    ys,
  }: {
    text: string;
    entry: string;
    args: Given;
    paths: readonly [Path, Path];
    xs: readonly number[];
    ys: readonly number[];
  }): readonly (readonly number[])[] =>
    ys.map((y) => xs.map((x) => valueOf(text, entry, withNumberAt(withNumberAt(args, paths[0], x), paths[1], y)))),

  /** Gradient descent on some parameters; the first is where it begins. */
  descend: ({
    text,
    entry,
    args,
    parameters,
    rate,
    count,
  }: {
    text: string;
    entry: string;
    args: Given;
    parameters: readonly string[];
    rate: number;
    count: number;
  }): Told<readonly Descended[]> => {
    const path: Descended[] = [];
    let at = args;
    for (let i = 0; i <= count; i++) {
      const found = told(text, grad({ name: file, text }, entry, at));
      if (!found.ok) return path.length === 0 ? found : { ok: true, value: path };
      const { document } = found.value;
      if (!("grad" in document)) return { ok: false, text: `\`${entry}\` gives no single number` };
      const value = numberFrom(document.value);
      path.push({ value, args: at });
      if (!Number.isFinite(value)) break;
      const gradient = document.grad;
      const paths = numbersOf(at).filter(([first]) => typeof first === "string" && parameters.includes(first));
      const slopes = paths.map((each) => numberFrom(valueAt(gradient, each)));
      // What is no real has no slope
      at = moved(
        at,
        paths,
        slopes.map((slope) => (Number.isNaN(slope) ? 0 : slope)),
        -rate,
      );
    }
    return { ok: true, value: path };
  },
};

function moved(args: Given, paths: readonly Path[], direction: readonly number[], t: number): Given {
  return paths.reduce((all, path, i) => {
    const step = direction[i] ?? 0;
    return step === 0 ? all : withNumberAt(all, path, numberFrom(valueAt(args, path)) + t * step);
  }, args);
}

export type Answers = typeof answers;
