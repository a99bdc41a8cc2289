// Emitted JavaScript with something else in the place of parts of it.

import ts from "typescript";

/** The text of a module after `visited` of its nodes. */
export function rewritten(
  code: string,
  visited: (node: ts.Node, context: ts.TransformationContext) => ts.Node,
): string {
  const source = ts.createSourceFile("/rewritten.js", code, ts.ScriptTarget.ES2022, true);
  const { transformed } = ts.transform(source, [
    (context) => (file) => ts.visitNode(file, (node) => visited(node, context), ts.isSourceFile),
  ]);
  const [file] = transformed;
  return file === undefined ? code : ts.createPrinter().printFile(file);
}
