// Source maps (version 3): from the lines of an emitted module to the model, and to what it imports.
//
// A line of a function is from what its statement computes, the value of an expression or its derivative; one that only goes with it (a brace, the check of an argument) from
// the statement around it, or from the name of the definition. What is the runtime's is from nowhere, or from the module itself where that has a name.

import { addSegment, GenMapping, setIgnore, setSourceContent, toEncodedMap } from "@jridgewell/gen-mapping";
import { location, type Located, type Location } from "../location.js";
import { standardName } from "../syntax/loaded-file.js";
import type { SourceFile } from "../syntax/source.js";
import { locationOf } from "../typescript/locate.js";
import type { PrintedLine, PrintedLines } from "../typescript/print-module.js";
import type { TsFunction, TsStmt } from "../typescript/tree.js";
import { standardFiles } from "./standard-files.js";

/** What a map is called, and what it calls files. */
export interface SourceMapOptions {
  /** The name of the module's file, without folders: it ends with a comment that its map is beside it, by that name and `.map`. Left out: there is no such comment. */
  readonly file?: string;
  /** What the map calls a file of the program, which has the name that diagnostics show; left out: by that name. It is not asked about files of `std/`. */
  readonly sourceName?: (file: string) => string;
  /**
   * What the map calls the module itself: a source with its text, to be ignored by debuggers, which lines are from that no file of the program has. Left out: these are mapped to nothing,
   * which bundlers drop, so that lines of the runtime look like the line of the model before them.
   */
  readonly moduleName?: string;
}

/** The text of the map of a printed module. `files`: what the program is made of. */
export function sourceMapOf(printed: PrintedLines, files: readonly SourceFile[], options: SourceMapOptions): string {
  const { file = null, moduleName } = options;
  const map = new GenMapping({ file });
  const byName = new Map(files.map((file) => [file.name, new MappedFile(file, options)]));
  const texts = printed.text.split("\n");
  const known = new WeakMap<TsStmt, Location | null>();
  let isMapped = false;
  for (const [row, line] of printed.lines.entries()) {
    const text = texts[row] ?? "";
    if (text === "") continue;
    for (const { column, at, name } of segmentsOf(text, line, known)) {
      const file = at === null ? undefined : byName.get(at.file);
      if (file === undefined && moduleName !== undefined) {
        addSegment(map, row, column, moduleName, row, column);
        setSourceContent(map, moduleName, printed.text);
        setIgnore(map, moduleName);
        continue;
      }
      // A segment without a source ends what has been mapped before: there are readers, Node among them, for which a mapping goes on over the lines that follow
      if (at === null || file === undefined) {
        if (isMapped) addSegment(map, row, column);
        isMapped = false;
        continue;
      }
      isMapped = true;
      const place = file.positionAt(at.start);
      if (name === null) addSegment(map, row, column, file.source, place.line, place.column);
      else addSegment(map, row, column, file.source, place.line, place.column, name);
      setSourceContent(map, file.source, file.text);
    }
  }
  const encoded = toEncodedMap(map);
  // Node 20 reads a segment without a source as one where no separator follows
  return JSON.stringify(
    isMapped || moduleName !== undefined ? encoded : { ...encoded, mappings: `${encoded.mappings};` },
  );
}

/** What a module ends with whose map is beside it. */
export function mapComment(file: string): string {
  // Not in one piece: tools that look for such a comment would find this one
  return ["//# source", `MappingURL=${file.split("/").map(encodeURIComponent).join("/")}.map\n`].join("");
}

interface Segment {
  readonly column: number;
  readonly at: { readonly file: string; readonly start: number } | null;
  readonly name: string | null;
}

function segmentsOf(
  text: string,
  { stmt, fn }: PrintedLine,
  known: WeakMap<TsStmt, Location | null>,
): readonly Segment[] {
  const column = text.length - text.trimStart().length;
  const at = (stmt === null ? null : knownLocation(stmt, known)) ?? fn?.[location] ?? null;
  const whole: Segment = { column, at, name: null };
  if (at === null) return [{ ...whole, column: 0 }];
  const named = stmt === null ? declared(text, fn) : bound(text, stmt, at);
  return named === null ? [whole] : [whole, named];
}

function knownLocation(stmt: TsStmt, known: WeakMap<TsStmt, Location | null>): Location | null {
  const before = known.get(stmt);
  if (before !== undefined) return before;
  const found = locationOf(stmt) ?? null;
  known.set(stmt, found);
  return found;
}

/** The name of a function, where its definition has it. */
function declared(text: string, fn: (TsFunction & Located) | null): Segment | null {
  const at = fn === null ? undefined : fn[location];
  const name = at === undefined ? null : at.variable;
  const column = /^(?:export )?function\*? /.exec(text)?.[0].length ?? null;
  return name === null || column === null ? null : { column, at: name, name: name.name };
}

/** The variable that a statement declares, where it is the author's: others of the same statement are called otherwise. */
function bound(text: string, stmt: TsStmt, { variable }: Location): Segment | null {
  if (variable === null) return null;
  const found = /^\s*(?:const|let) ([\p{ID_Start}$_][\p{ID_Continue}$]*)/u.exec(text);
  const name = found?.[1];
  if (found === null || name === undefined || (stmt.kind !== "const" && stmt.kind !== "let")) return null;
  if (stem(name) !== stem(variable.name)) return null;
  return { column: found[0].length - name.length, at: variable, name: variable.name };
}

/** A name without the number that tells it apart from others. */
function stem(name: string): string {
  return name.replace(/\d+$/, "");
}

/** A file of the program in a map. */
class MappedFile {
  readonly source: string;
  readonly text: string;
  readonly #starts: number[] = [0];

  constructor({ name, text }: SourceFile, { sourceName }: SourceMapOptions) {
    const standard = [...standardFiles.keys()].find((path) => standardName(path) === name);
    this.source = standard === undefined ? (sourceName?.(name) ?? name) : `dualrev:///${standard}`;
    this.text = text;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) this.#starts.push(end + 1);
  }

  /** Both counted from 0. */
  positionAt(offset: number): { readonly line: number; readonly column: number } {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? Infinity) <= offset) low = middle;
      else high = middle;
    }
    return { line: low, column: offset - (this.#starts[low] ?? 0) };
  }
}
