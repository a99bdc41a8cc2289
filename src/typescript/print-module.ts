// Prints the tree of an emitted module so that prettier, with its default options, leaves the text alone.

import { lineWidth, type Doc } from "./print-docs.js";
import type { Target } from "./print-normal.js";
import type { Printer } from "./print-printer.js";
import type { TsFunction, TsDeclaration, TsModule, TsStmt, TsType } from "./tree.js";
import { layOutAssignment } from "./print-assignments.js";
import { layOut, type Lines } from "./print-layout.js";
import { printDocComment, printHeaderLine, printString } from "./print-literals.js";
import { normalType } from "./print-normal.js";
import { printFunction, printSignature, printStatement } from "./print-statements.js";
import { isBreakableUnion, printType, printTypeParams } from "./print-types.js";
import { typePartsOf } from "./traverse.js";

/** The text of a module. JavaScript has neither types nor what declares them. */
export function printModule(module: TsModule, target: Target): string {
  return printInLines(module, target, lineWidth);
}

/** The JavaScript of a module that is run at once: its lines are as long as they come, since laying them out takes longer than all the rest. */
export function printToRun(module: TsModule): string {
  return printInLines(module, "js", Infinity);
}

/** The same, and what its lines are. */
export function printToRunLines(module: TsModule): PrintedLines {
  return linesOf(module, "js", Infinity);
}

/** A text, and by line what the line is part of. */
export interface PrintedLines {
  readonly text: string;
  readonly lines: readonly PrintedLine[];
}

/** What a line is part of: the innermost statement, if any, of a function, if any. */
export interface PrintedLine {
  readonly stmt: TsStmt | null;
  readonly fn: TsFunction | null;
}

/** The text of a module as `printModule` gives it, and what its lines are. */
export function printModuleLines(module: TsModule, target: Target): PrintedLines {
  return linesOf(module, target, lineWidth);
}

function linesOf(module: TsModule, target: Target, width: number): PrintedLines {
  const printed = module.declarations.map((declaration) => {
    const fn = "fn" in declaration ? declaration.fn : null;
    return { fn, ...printDeclaration(declaration, target, width) };
  });
  const all = [{ fn: null, text: printHeader(module), stmts: [] }, ...printed];
  const lines = all
    .filter(({ text }) => text !== "")
    .flatMap(({ fn, text, stmts }): PrintedLine[] => {
      const count = text.split("\n").length;
      // Comments and overloads stand in front
      const before = count - stmts.length;
      const own = Array.from({ length: count }, (_, index): PrintedLine => ({ fn: index < before ? null : fn, stmt: stmts[index - before] ?? null })); // prettier-ignore
      return [...own, { fn: null, stmt: null }];
    });
  return { text: joinDeclarations(all.map(({ text }) => text)), lines };
}

function printInLines(module: TsModule, target: Target, width: number): string {
  const texts = module.declarations.map((declaration) => printDeclaration(declaration, target, width).text);
  return joinDeclarations([printHeader(module), ...texts]);
}

/** The declarations of a JavaScript module: its exported functions and types, and the other types that these mention. */
export function printDeclarationFile(module: TsModule): string {
  const kept = new Set(mentionedTypes(module.declarations));
  const texts: string[] = [];
  let hidden = false;
  for (const declaration of module.declarations) {
    if (declaration.kind === "function" && declaration.exported) {
      const { doc, fn, overloads = [fn] } = declaration;
      texts.push(withDoc(doc, overloads.map((each) => printOverload({ ...fn, ...each }, "export declare ", lineWidth)).join("\n"))); // prettier-ignore
    } else if (declaration.kind === "type" && (declaration.exported || kept.has(declaration.name))) {
      hidden ||= !declaration.exported;
      texts.push(printDeclaration(declaration, "ts", lineWidth).text);
    }
  }
  // Without this, every declaration of the file would count as exported
  if (hidden) texts.push("export {};");
  return joinDeclarations([printHeader(module), ...texts]);
}

function printHeader(module: TsModule): string {
  return module.header.map(printHeaderLine).join("\n");
}

function joinDeclarations(texts: readonly string[]): string {
  const present = texts.filter((text) => text !== "");
  return present.length === 0 ? "" : `${present.join("\n\n")}\n`;
}

function printDeclaration(declaration: TsDeclaration, target: Target, width: number): Lines {
  switch (declaration.kind) {
    case "function": {
      const { doc, exported, fn, overloads = [] } = declaration;
      const { text, stmts } = layOut((printer) => [exportMark(exported), printFunction(printer, fn)], target, width);
      const seen = target === "ts" ? overloads.map((each) => printOverload({ ...fn, ...each }, exportMark(exported), width)) : []; // prettier-ignore
      return { text: withDoc(doc, [...seen, text].join("\n")), stmts };
    }
    case "generator": {
      const { text, stmts } = layOut((printer) => printFunction(printer, declaration.fn), target, width);
      return { text: withDoc(declaration.doc, text), stmts };
    }
    case "statement": {
      const { text, stmts } = layOut((printer) => printStatement(printer, declaration.stmt), target, width);
      return { text: withDoc(declaration.doc, text), stmts: stmts.map(() => declaration.stmt) };
    }
    default:
      return { text: printWithoutCode(declaration, target), stmts: [] };
  }
}

/** A declaration that holds no statements of the tree. */
function printWithoutCode(
  declaration: Exclude<TsDeclaration, { readonly kind: "function" | "generator" | "statement" }>,
  target: Target,
): string {
  switch (declaration.kind) {
    case "type":
      return target === "js" ? "" : withDoc(declaration.doc, printTypeAlias(declaration));
    case "import": {
      const names = declaration.names.filter(({ isType }) => target === "ts" || !isType);
      const printed = names.map(
        ({ name, as, isType }) => `${isType ? "type " : ""}${name}${as === name ? "" : ` as ${as}`}`,
      );
      return names.length === 0 ? "" : printNames("import", printed, ` from ${printString(declaration.from)}`);
    }
    case "export": {
      const names = declaration.names.filter(({ isType }) => target === "ts" || !isType);
      return printNames(
        "export",
        names.map(({ name, isType }) => `${isType ? "type " : ""}${name}`),
        "",
      );
    }
    case "fragment":
      return (target === "js" ? declaration.js : declaration.ts).trim();
  }
}

/** `export function f(x: A): B;`. */
export function printOverload(fn: TsFunction, mark: string, width: number): string {
  return layOut((printer: Printer): Doc => [mark, printSignature(printer, fn), ";"], "ts", width).text;
}

/** `import { a, b } from "c";`: on one line where that is short enough, else each name on its own. */
function printNames(word: string, names: readonly string[], end: string): string {
  const line = `${word} { ${names.join(", ")} }${end};`;
  if (line.length <= 80 || names.length === 1) return line;
  return [`${word} {`, ...names.map((name) => `  ${name},`), `}${end};`].join("\n");
}

function withDoc(doc: string, text: string): string {
  const comment = printDocComment(doc);
  return comment === "" ? text : `${comment}\n${text}`;
}

function exportMark(exported: boolean): string {
  return exported ? "export " : "";
}

function printTypeAlias(declaration: Extract<TsDeclaration, { kind: "type" }>): string {
  const { exported, name, typeParams } = declaration;
  const type = normalType(declaration.type);
  return layOut(
    (printer) => {
      const left: Doc = [exportMark(exported), "type ", name, printTypeParams(typeParams)];
      const layout = isBreakableUnion(type) ? "break-after-operator" : "fluid";
      const role = layout === "fluid" ? "annotation" : "alias";
      return [layOutAssignment(layout, left, " =", printType(printer, type, role)), ";"];
    },
    "ts",
    lineWidth,
  ).text;
}

/** A type, and the type parameters of the declaration that it stands in, which are no types of the module. */
interface Mention {
  readonly type: TsType;
  readonly params: readonly string[];
}

/** The names of types that exported declarations mention, directly or through other types of the module. */
export function mentionedTypes(declarations: readonly TsDeclaration[]): Iterable<string> {
  const types = new Map<string, Mention>();
  const waiting: Mention[] = [];
  for (const declaration of declarations) {
    if (declaration.kind === "type") {
      const { name, type, typeParams: params, exported } = declaration;
      types.set(name, { type, params });
      if (exported) waiting.push({ type, params });
    } else if (declaration.kind === "function" && declaration.exported) {
      const { params, result, typeParams } = declaration.fn;
      waiting.push(...[...params.map((param) => param.type), result].map((type) => ({ type, params: typeParams })));
    }
  }
  const names = new Set<string>();
  for (let mention = waiting.pop(); mention !== undefined; mention = waiting.pop()) {
    const { type, params } = mention;
    if (type.kind === "name" && !names.has(type.name) && !params.includes(type.name)) {
      names.add(type.name);
      const declared = types.get(type.name);
      if (declared !== undefined) waiting.push(declared);
    }
    waiting.push(...typePartsOf(type).map((part) => ({ type: part, params })));
  }
  return names;
}
