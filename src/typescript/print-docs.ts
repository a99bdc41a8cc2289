// prettier's document builders, and the questions that its layout rules ask of documents.

import { builders, printer, utils } from "prettier/doc";

export type Doc = builders.Doc;

export const { align, breakParent, conditionalGroup, fill, group, hardline, ifBreak, indent } = builders;
export const { indentIfBreak, join, label, line, softline } = builders;
export const { canBreak, removeLines } = utils;

/** A comma that stands where the enclosing group is broken. */
export const trailingComma: Doc = ifBreak(",");

/** Columns of a line. */
export const lineWidth = 80;

export function printDoc(doc: Doc, width: number): string {
  return printer.printDocToString(doc, { printWidth: width, tabWidth: 2 }).formatted;
}

const known = new WeakMap<object, boolean>();

/** Whether a document cannot be laid out flat. Answers are kept, so that asking at each level of a tree stays linear. */
export function breaks(doc: Doc): boolean {
  if (typeof doc === "string") return false;
  let found = known.get(doc) ?? false;
  if (known.has(doc)) return found;
  utils.traverseDoc(doc, (part) => {
    if (found || typeof part === "string") return false;
    const answer = known.get(part) ?? forcesBreak(part);
    if (answer) found = true;
    return !found && !known.has(part);
  });
  known.set(doc, found);
  return found;
}

function forcesBreak(doc: Exclude<Doc, string>): boolean {
  if (Array.isArray(doc)) return false;
  if (doc.type === "group") return doc.break;
  return doc.type === "break-parent" || (doc.type === "line" && doc.hard === true);
}
