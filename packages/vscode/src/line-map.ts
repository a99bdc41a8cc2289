// Which lines of an emitted module belong to which lines of its models, by the module's source map.

import { eachMapping, TraceMap } from "@jridgewell/trace-mapping";

/** A line of a file, counted from 0. */
export interface Line {
  /** The address of the file. */
  readonly file: string;
  readonly line: number;
}

export class LineMap {
  /** By line of the module, what it begins with is from. */
  readonly #origins = new Map<number, Line>();

  /** `map`: the text of a source map, whose sources are addresses; `address` gives them as the editor writes them. */
  constructor(map: string, address: (source: string) => string = (source) => source) {
    eachMapping(new TraceMap(map), ({ generatedLine, source, originalLine }) => {
      if (source === null || this.#origins.has(generatedLine - 1)) return;
      this.#origins.set(generatedLine - 1, { file: address(source), line: originalLine - 1 });
    });
  }

  /** What a line of the module is from; null where that is nothing of a model. */
  origin(line: number): Line | null {
    return this.#origins.get(line) ?? null;
  }

  /** The lines of the module that are from a line of a model. */
  emitted({ file, line }: Line): readonly number[] {
    return [...this.#origins].filter(([, at]) => at.file === file && at.line === line).map(([emitted]) => emitted);
  }
}
