import type { Doc } from "prettier";
import { builders, printer } from "prettier/doc";
import { unreachable } from "../internal-error.js";
import { Comments, commentDoc } from "./format-comments.js";
import { printDefinition, printHead } from "./format-terms.js";
import { braced, bracketed, typeDoc, typeLevel } from "./format-types.js";
import { parseModule } from "./parse.js";
import type { SourceFile, Span } from "./source.js";
import { depthOf } from "./depth.js";
import type { Comment, ConstructorDecl, Item, Module } from "./tree.js";

const { group, indent, join, line, lineSuffix, lineSuffixBoundary, literalline } = builders;

export const lineWidth = 100;

/** Deeper items than this stay as they are: no one reads them, and the printer is recursive. */
const depthLimit = 500;

/** A comment may find its place only when the line that it ends is set: a second time settles it. */
const passLimit = 6;

/**
 * The module's text in the one layout. `module` must be what `source` parses to without mistakes. Keeps comments, single empty lines between
 * items and `let`s, new lines behind a definition's `=` and before the first branch, and the author's spellings; formatting the result again changes nothing.
 */
export function formatModule(source: SourceFile, module: Module): string {
  let text = formatOnce(source.text, module);
  if (module.comments.length === 0) return text;
  for (let pass = 1; pass < passLimit; pass += 1) {
    const again = formatOnce(text, parseModule({ name: source.name, text }).value);
    if (again === text) break;
    text = again;
  }
  return text;
}

/** An item, or a comment between items, already set. */
interface Block {
  readonly span: Span;
  /** Where its last comment ends, which may stand behind the item on the same line. */
  readonly end: number;
  readonly item: boolean;
  readonly printed: string;
}

function formatOnce(text: string, module: Module): string {
  const blocks: Block[] = [];
  let comments = [...module.comments];
  const outside = (until: number): void => {
    for (const { span, text: printed } of comments.filter((comment) => comment.span.end <= until)) {
      blocks.push({ span, end: span.end, item: false, printed: printed.replaceAll("\r\n", "\n") });
    }
    comments = comments.filter(({ span }) => span.end > until);
  };
  for (const item of module.items) {
    outside(item.span.start);
    const inside = comments.filter(({ span }) => span.end <= item.span.end);
    const trailing = trailingComments(text, item.span.end, comments.slice(inside.length));
    comments = comments.slice(inside.length + trailing.length);
    const end = trailing.at(-1)?.span.end ?? item.span.end;
    blocks.push({
      span: item.span,
      end,
      item: true,
      printed: set([itemDoc(text, item, inside), behindItem(trailing)]),
    });
  }
  outside(text.length);
  return blocks.map((block, i) => `${separator(text, blocks[i - 1], block)}${block.printed}\n`).join("");
}

function set(printed: Doc): string {
  return printer.printDocToString(printed, { printWidth: lineWidth, tabWidth: 2 }).formatted;
}

/** The comments that end the item's last line. */
function trailingComments(text: string, end: number, comments: readonly Comment[]): readonly Comment[] {
  const found: Comment[] = [];
  let from = end;
  for (const comment of comments) {
    if (text.slice(from, comment.span.start).trim() !== "" || text.slice(from, comment.span.start).includes("\n"))
      break;
    found.push(comment);
    from = comment.span.end;
  }
  return /^[ \t]*\r?(\n|$)/.test(text.slice(from)) ? found : [];
}

function behindItem(comments: readonly Comment[]): Doc {
  return comments.map((comment) => [lineSuffixBoundary, lineSuffix([" ", commentDoc(comment)])]);
}

/** Empty lines are kept, one for many. An item of several lines has one on both sides, but documentation stays with its item. */
function separator(text: string, previous: Block | undefined, block: Block): "" | "\n" {
  if (previous === undefined) return "";
  const kept = text.slice(previous.end, block.span.start).split("\n").length > 2;
  const several = [previous, block].some(({ item, printed }) => item && printed.includes("\n"));
  return kept || (several && previous.item) ? "\n" : "";
}

function itemDoc(text: string, item: Item, inside: readonly Comment[]): Doc {
  if (depthOf(item) > depthLimit) return join(literalline, text.slice(item.span.start, item.span.end).split(/\r?\n/));
  const comments = new Comments(text);
  const first = printItem(item, comments);
  if (inside.length === 0) return first;
  comments.place(inside);
  return printItem(item, comments);
}

function printItem(item: Item, comments: Comments): Doc {
  switch (item.kind) {
    case "def":
      return group([item.isFused ? "fused def " : "def ", printDefinition(item.binding, comments)]);
    case "extern": {
      const behind = comments.behind(item.result.span.end);
      return group([
        "extern def ",
        comments.before(item.name.span.start),
        printHead(item.name.name, item.params, comments),
        " : ",
        typeDoc(item.result, typeLevel.any, comments),
        behind,
        indent([line, "from ", comments.before(item.pathSpan.start), `"${item.path}"`]),
      ]);
    }
    case "rule": {
      const { mode, name, params, body, span } = item;
      const binding = {
        name: { name: `${mode} ${name.name}`, span: name.span },
        params,
        result: null,
        body,
        span,
      };
      return group(["rule ", printDefinition(binding, comments)]);
    }
    case "alias": {
      const head = printDeclarationHead("type", item, comments);
      return group([head, indent([line, typeDoc(item.type, typeLevel.any, comments)])]);
    }
    case "data": {
      const head = printDeclarationHead("data", item, comments);
      const [first, ...others] = item.constructors;
      const constructors = item.constructors.map((declared) => printConstructor(declared, comments));
      // The braces of a lone record open on the first line.
      if (first?.fieldNames != null && others.length === 0) return [head, " ", constructors];
      return group([head, indent([line, join([line, "| "], constructors)])]);
    }
    case "import": {
      const behind = comments.behind(item.pathSpan.end);
      const names = item.names.map(({ name, span }) => comments.around(span, () => name));
      return [
        "import ",
        comments.before(item.pathSpan.start),
        `"${item.path}" `,
        behind,
        bracketed(names, comments.beforeCloser(item.span.end - 1)),
      ];
    }
    default:
      return unreachable(item);
  }
}

function printConstructor(declared: ConstructorDecl, comments: Comments): Doc {
  return comments.around(declared.span, () => {
    const { name, fields, fieldNames, span } = declared;
    if (fieldNames === null) {
      return group([name.name, indent(fields.map((field) => [line, typeDoc(field, typeLevel.atomic, comments)]))]);
    }
    const expanded = comments.newLineBehind("{", name.span.end, fieldNames[0]?.span.start ?? span.end);
    const last = comments.beforeCloser(span.end - 1);
    const declarations = fields.map((field, i) => {
      const fieldName = fieldNames[i] ?? name;
      const before = comments.before(fieldName.span.start);
      const behind = comments.behind(field.span.end);
      const behindName = comments.behind(fieldName.span.end);
      const type = indent([line, typeDoc(field, typeLevel.any, comments)]);
      return [before, group([fieldName.name, " :", behindName, type]), behind];
    });
    return braced(`${name.name} `, declarations, last, expanded);
  });
}

function printDeclarationHead(
  keyword: string,
  item: Extract<Item, { kind: "data" | "alias" }>,
  comments: Comments,
): Doc {
  const names = [item.name, ...item.params];
  const behind = comments.behind(names.at(-1)?.span.end ?? item.name.span.end);
  const docs = names.map(({ name, span }) => comments.around(span, () => name));
  return [keyword, " ", join(" ", docs), " =", behind];
}
