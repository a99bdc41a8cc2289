// Lays out declarations: a statement at a time, since no layout depends on what stands on other lines than those of the same statement.

import type { Doc } from "./print-docs.js";
import type { Target } from "./print-normal.js";
import type { Place } from "./print-place.js";
import type { Printer } from "./print-printer.js";
import type { TsExpr, TsStmt } from "./tree.js";
import { hardline, indent, printDoc } from "./print-docs.js";
import { printExpression } from "./print-expressions.js";
import { flatBlocks, flatStatement } from "./print-flat.js";
import { printComment } from "./print-literals.js";
import { normalExpr } from "./print-normal.js";
import { ObjectBreaks } from "./print-printer.js";
import { printStatement } from "./print-statements.js";

/** What a declaration or a statement looks like, as a document of prettier's. */
export type Print = (printer: Printer) => Doc;

/** Lines of text, and for each the statement that it is part of, the innermost one; null for a line around all statements. */
export interface Lines {
  readonly text: string;
  readonly stmts: readonly (TsStmt | null)[];
}

/** The text of a declaration, in lines of at most `width` columns where that can be. */
export function layOut(print: Print, target: Target, width: number): Lines {
  const writer = new Writer(target, width);
  writer.document(print, 0);
  return { text: writer.lines.join("\n"), stmts: writer.stmts };
}

class Writer {
  readonly lines: string[] = [];
  readonly stmts: (TsStmt | null)[] = [];
  /** What is being written. */
  #stmt: TsStmt | null = null;
  readonly #target: Target;
  readonly #width: number;

  constructor(target: Target, width: number) {
    this.#target = target;
    this.#width = width;
  }

  #line(text: string, margin: number): void {
    this.lines.push(text === "" ? "" : " ".repeat(margin) + text);
    this.stmts.push(this.#stmt);
  }

  document(print: Print, margin: number): void {
    const { text, blocks } = laidOut(print, this.#target, this.#width - margin);
    for (const line of text.split("\n")) {
      const block = blocks.size === 0 ? undefined : blocks.get(line.trimStart());
      if (block === undefined) this.#line(line, margin);
      else this.#statements(block, margin + line.length - line.trimStart().length);
    }
  }

  #statements(statements: readonly TsStmt[], margin: number): void {
    const around = this.#stmt;
    for (const statement of statements) {
      this.#stmt = statement;
      if (statement.kind === "comment") for (const line of printComment(statement.text)) this.#line(line, margin);
      else if (!this.#flat(statement, margin) && !this.#blocks(statement, margin)) {
        this.document((printer) => printStatement(printer, statement), margin);
      }
    }
    this.#stmt = around;
  }

  /** Writes a statement if it fits on a line. */
  #flat(statement: TsStmt, margin: number): boolean {
    const text = flatStatement(statement, this.#target);
    if (text === null || !this.#fits(text, margin)) return false;
    this.#line(text, margin);
    return true;
  }

  /** Writes a statement that is made of blocks if each of their heads fits on a line. */
  #blocks(statement: TsStmt, margin: number): boolean {
    const blocks = flatBlocks(statement, this.#target);
    if (blocks?.every(({ head }) => this.#fits(head, margin)) !== true) return false;
    for (const { stmt, head, body } of blocks) {
      this.#stmt = stmt;
      this.#line(head, margin);
      this.#statements(body, margin + 2);
    }
    this.#line("}", margin);
    return true;
  }

  #fits(text: string, margin: number): boolean {
    return text.length <= this.#width - margin && narrow.test(text);
  }
}

/** Characters that all take one column. */
const narrow = /^[\x20-\x7e]*$/;

/** A text, and the statements that stand where it has lines with nothing but a mark. */
interface LaidOut {
  readonly text: string;
  readonly blocks: ReadonlyMap<string, readonly TsStmt[]>;
}

/** Lays a document out until just the objects are broken that prettier would find broken. */
function laidOut(print: Print, target: Target, width: number): LaidOut {
  let broken: ReadonlySet<number> = new Set();
  for (;;) {
    const printer = new TreePrinter(target, new ObjectBreaks(broken));
    const text = printDoc(print(printer), width);
    const found = ObjectBreaks.brokenIn(text);
    if ([...found].every((id) => broken.has(id)))
      return { text: ObjectBreaks.withoutMarks(text), blocks: printer.blocks };
    broken = new Set([...broken, ...found]);
  }
}

/** Begins the mark of a block, which stands on a line of its own. */
const blockMark = "\u0002";

class TreePrinter implements Printer {
  /** By mark. */
  readonly blocks = new Map<string, readonly TsStmt[]>();

  constructor(
    readonly target: Target,
    readonly objects: ObjectBreaks,
  ) {}

  expression(expr: TsExpr, place: Place): Doc {
    return printExpression(this, expr, place);
  }

  statementExpression(expr: TsExpr, place: Place): Doc {
    return printExpression(this, normalExpr(expr, this.target), place);
  }

  block(statements: readonly TsStmt[], emptyOnOneLine: boolean): Doc {
    if (statements.length === 0) return emptyOnOneLine ? "{}" : ["{", hardline, "}"];
    const mark = `${blockMark}${this.blocks.size}`;
    this.blocks.set(mark, statements);
    return ["{", indent([hardline, mark]), hardline, "}"];
  }
}
