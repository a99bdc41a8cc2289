// What a source map says of the lines of a module.

import { originalPositionFor, sourceContentFor, TraceMap } from "@jridgewell/trace-mapping";
import ts from "typescript";

/** A line on which a statement of a function begins. */
export interface MappedLine {
  /** The function. */
  readonly within: string;
  readonly text: string;
  /** Whether it is from an expression, from the name of a definition, or from nowhere. */
  readonly kind: "expression" | "name" | "nowhere";
  /** Whether it is from the definition that the function is from, or one that this comes to; of one of the library also those that call it, with functions of theirs. */
  readonly isInside: boolean;
}

/** The lines of all functions but those of the runtime, which are from nowhere altogether. */
export function linesOf(code: string, map: string): readonly MappedLine[] {
  const trace = new TraceMap(map);
  const lines = code.split("\n");
  const tree = ts.createSourceFile("module.ts", code, ts.ScriptTarget.ES2022, true);
  const definitions = definitionsIn(trace);
  const lineOf = (node: ts.Node): number => tree.getLineAndCharacterOfPosition(node.getStart()).line;
  return tree.statements.flatMap((declaration): readonly MappedLine[] => {
    if (!ts.isFunctionDeclaration(declaration) || declaration.name === undefined) return [];
    const begun = new Set<number>();
    const visit = (node: ts.Node): void => {
      if (node !== declaration && ts.isStatement(node) && !ts.isBlock(node)) begun.add(lineOf(node));
      ts.forEachChild(node, visit);
    };
    visit(declaration);
    const at = (line: number): Place => {
      const text = lines[line] ?? "";
      return originalPositionFor(trace, { line: line + 1, column: text.length - text.trimStart().length });
    };
    const head = at(lineOf(declaration.name));
    const own = definitionAt(definitions, head);
    const around = own === null ? [] : own.source.startsWith("dualrev:") ? definitions.filter((each) => reachedFrom(each, definitions).has(own.name)) : [own]; // prettier-ignore
    const reached = new Set(around.flatMap((each) => [...reachedFrom(each, definitions)]));
    const found = [...begun].map((line) => ({ line, place: at(line) }));
    if (head.source === null && found.every(({ place }) => place.source === null)) return [];
    const within = declaration.name.text;
    return found.map(({ line, place }): MappedLine => {
      const isName = place.source === head.source && place.line === head.line && place.column === head.column;
      const kind = place.source === null ? "nowhere" : isName ? "name" : "expression";
      const definition = definitionAt(definitions, place);
      return { within, text: lines[line] ?? "", kind, isInside: definition !== null && reached.has(definition.name) };
    });
  });
}

/** Which share of the lines is mapped. */
export function sharesOf(code: string, map: string): { readonly mapped: number } {
  const lines = linesOf(code, map);
  return { mapped: lines.filter(({ kind }) => kind !== "nowhere").length / lines.length };
}

type Place = ReturnType<typeof originalPositionFor>;

/** A definition, or what is said of its derivative: the lines from where it begins. */
interface Definition {
  readonly name: string;
  readonly source: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

function definitionsIn(trace: TraceMap): readonly Definition[] {
  return trace.sources.flatMap((source): readonly Definition[] => {
    const lines = (source === null ? null : sourceContentFor(trace, source))?.split("\n") ?? [];
    const starts = lines.flatMap((line, index) => {
      const name = /^(?:fused )?(?:def|rule \w+) ([\w']+)/.exec(line)?.[1];
      return name === undefined ? [] : [{ name, index }];
    });
    return starts.map(({ name, index }, place) => {
      const to = starts[place + 1]?.index ?? lines.length;
      return { name, source: source ?? "", from: index + 1, to, text: lines.slice(index, to).join("\n") };
    });
  });
}

function definitionAt(definitions: readonly Definition[], { source, line }: Place): Definition | null {
  return definitions.find((each) => each.source === source && each.from <= line && line <= each.to) ?? null; // prettier-ignore
}

/** The names of a definition and of those that its text mentions, in turn. */
function reachedFrom({ name: start }: Definition, definitions: readonly Definition[]): ReadonlySet<string> {
  const reached = new Set([start]);
  for (const name of reached) {
    for (const { text } of definitions.filter((each) => each.name === name)) {
      const words = new Set(text.match(/[\w']+/g) ?? []);
      for (const other of definitions) if (words.has(other.name)) reached.add(other.name);
    }
  }
  return reached;
}
