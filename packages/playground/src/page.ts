// What the views share: the model, the definition that is looked at, its arguments, and what is pointed at.

import type { Client } from "./client.js";
import type { Definition } from "./answers.js";
import type { Range } from "./lit.js";

export type Given = Readonly<Record<string, unknown>>;

/** What a link holds. */
export interface State {
  readonly text: string;
  readonly entry: string;
  readonly args: Given;
  readonly view: string;
  /** What views keep for themselves: which stages are shown, say. */
  readonly options: Readonly<Record<string, string>>;
}

export interface Page {
  readonly state: () => State;
  /** The exported definitions of the model as it was last without errors. */
  readonly definitions: () => readonly Definition[];
  readonly runner: Client;
  readonly setArgs: (args: Given) => void;
  readonly setOption: (name: string, value: string) => void;
  /** The same, where the view knows it already. */
  readonly keepOption: (name: string, value: string) => void;
  /** Lights a part of the model. `byKey`: it is scrolled to. */
  readonly lightModel: (ranges: readonly Range[], byKey: boolean) => void;
  readonly offsetOf: (line: number, column: number) => number;
  /** Whether a parameter of the definition is of type Z. */
  readonly isInteger: (parameter: string) => boolean;
  readonly say: (text: string) => void;
}

/** One of the views beside the model. */
export interface View {
  readonly name: string;
  readonly title: string;
  readonly element: HTMLElement;
  /** The model, the definition or its arguments have changed. It is shown. */
  readonly update: (page: Page) => Promise<void>;
  /** What is pointed at in the model. */
  readonly light: (offset: number | null, byKey: boolean) => void;
}
