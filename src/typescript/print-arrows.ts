// Arrow functions: alone, in chains `(a) => (b) => ..`, and as arguments that keep their call's parentheses.

import type { Doc } from "./print-docs.js";
import type { Place } from "./print-place.js";
import type { Layout, Printer } from "./print-printer.js";
import type { Arrow } from "./print-shapes.js";
import type { TsArrowParam } from "./tree.js";
import { breaks, group, ifBreak, indent, indentIfBreak, join, line } from "./print-docs.js";
import { removeLines, softline, trailingComma } from "./print-docs.js";
import { isBlock } from "./facts.js";
import { under } from "./print-place.js";
import { isPlainConditional } from "./print-shapes.js";
import { parenthesized, printOnlyObjectParam, printType } from "./print-types.js";

/** `hugged`: as an argument that keeps its call's parentheses; null where the parameters do not fit that. The body is laid out once for both. */
export interface ArrowDocs {
  readonly normal: Doc;
  hugged(last: boolean): Doc | null;
}

export function printArrow(printer: Printer, expr: Arrow, place: Place, layout: Layout | null): ArrowDocs {
  const links: Arrow[] = [];
  let link: Arrow = expr;
  let at = place;
  for (;;) {
    links.push(link);
    at = under("arrow.body", link, at);
    if (isBlock(link.body) || link.body.kind !== "arrow") break;
    link = link.body;
  }
  const heads = links.map((one) => printHead(printer, one));
  const body = isBlock(link.body) ? group(printer.block(link.body, true)) : printer.expression(link.body, at);
  return {
    normal: printNormal(links, heads, body, place, layout),
    hugged: (last) => printHugged(links, heads, body, place, last),
  };
}

interface Head {
  readonly params: Doc;
  readonly result: Doc;
}

function printHead(printer: Printer, arrow: Arrow): Head {
  return {
    params: printArrowParams(printer, arrow.params),
    result: arrow.result === null ? "" : [": ", printType(printer, arrow.result, "arrowResult")],
  };
}

function printArrowParams(printer: Printer, params: readonly TsArrowParam[]): Doc {
  const [only] = params;
  if (params.length === 1 && only !== undefined) {
    const hugged = only.type === null ? null : printOnlyObjectParam(printer, only.name, only.type);
    if (hugged !== null) return hugged;
    if (isPattern(only)) return ["(", printArrowParam(printer, only), ")"];
  }
  return parenthesized(params.map((param) => printArrowParam(printer, param)));
}

function isPattern(param: TsArrowParam): boolean {
  return param.name.startsWith("[");
}

function printArrowParam(printer: Printer, param: TsArrowParam): Doc {
  const type: Doc = param.type === null ? "" : [": ", printType(printer, param.type, "annotation")];
  if (!isPattern(param)) return [param.name, type];
  const names = param.name.slice(1, -1).split(",");
  return [printPattern(names.map((name) => (name.trim() === "" ? null : name.trim()))), type];
}

/** `[a, , b]`; its last name is no hole. */
export function printPattern(names: readonly (string | null)[]): Doc {
  if (names.length === 0) return "[]";
  const inner = join(
    [",", line],
    names.map((name) => name ?? ""),
  );
  return group(["[", indent([softline, inner, trailingComma]), softline, "]"]);
}

function printNormal(
  links: readonly Arrow[],
  heads: readonly Head[],
  body: Doc,
  place: Place,
  layout: Layout | null,
): Doc {
  const tail = links.at(-1);
  if (tail === undefined) return body;
  const isChain = links.length > 1;
  const breaksHeads = isChain && links.some(hasRichHead);
  const isCallee = place.role === "call.fn" || place.role === "new.fn";
  const sameLine = staysOnLine(tail, breaksHeads);
  const id = Symbol("arrow-chain");
  const chain = printChain(heads, place, layout, breaksHeads);
  const indented = isChain && (isCallee || layout !== null);
  const broken = indented && (layout === "chain-tail-arrow-chain" || (isCallee && !sameLine));
  const bodyDoc = printBody(tail, body, sameLine, false);
  return group([
    group(indented ? indent([softline, chain]) : chain, { shouldBreak: broken, id }),
    " =>",
    isChain ? indentIfBreak(bodyDoc, { groupId: id }) : group(bodyDoc),
    isChain && isCallee ? ifBreak(softline, "", { groupId: id }) : "",
  ]);
}

function hasRichHead(arrow: Arrow): boolean {
  return (arrow.result !== null && arrow.params.length > 0) || arrow.params.some(isPattern);
}

function printChain(heads: readonly Head[], place: Place, layout: Layout | null, broken: boolean): Doc {
  const groups = heads.map(({ params, result }) => group([params, result]));
  const [first = "", ...rest] = groups;
  if (rest.length === 0) return first;
  const { role, parent } = place;
  if (role === "call.arg" || role === "new.arg" || parent?.kind === "binary") {
    return group([first, " =>", indent([line, join([" =>", line], rest)])], { shouldBreak: broken });
  }
  const joined = join([" =>", line], groups);
  const flush = role === "call.fn" || role === "new.fn" || layout !== null;
  return group(flush ? joined : indent(joined), { shouldBreak: broken });
}

/** Whether the body begins on the line of the arrow, whatever its length. */
function staysOnLine(tail: Arrow, breaksHeads: boolean): boolean {
  const { body } = tail;
  if (isBlock(body) || body.kind === "array" || body.kind === "object") return true;
  return !breaksHeads && isPlainConditional(body);
}

function printBody(arrow: Arrow, body: Doc, sameLine: boolean, last: boolean): Doc {
  const comma = last ? trailingComma : "";
  const end = last ? softline : "";
  if (!sameLine) return [indent([line, body]), comma, end];
  if (!isBlock(arrow.body) && isPlainConditional(arrow.body)) {
    return [" ", group([ifBreak("", "("), indent([softline, body]), ifBreak("", ")"), comma, end])];
  }
  return [" ", body];
}

function printHugged(
  links: readonly Arrow[],
  heads: readonly Head[],
  body: Doc,
  place: Place,
  last: boolean,
): Doc | null {
  const keepsLines = isCurriedCallback(links, place);
  let doc: Doc | null = null;
  for (const [index, arrow] of [...links.entries()].reverse()) {
    const { params, result } = heads[index] ?? { params: "", result: "" };
    if (breaks(result) || (!keepsLines && breaks(params))) return null;
    const flat = group([keepsLines ? params : removeLines(params), removeLines(result)]);
    const inner: Doc = doc === null ? printBody(arrow, body, staysOnLine(arrow, false), last) : [" ", doc];
    doc = group([flat, " =>", group(inner)]);
  }
  return doc;
}

/** `const f = g(a)((x) => { .. })`: the function's parameters may take lines of their own. */
function isCurriedCallback(links: readonly Arrow[], place: Place): boolean {
  const [only] = links;
  if (links.length !== 1 || only === undefined || !isBlock(only.body)) return false;
  const { parent, up } = place;
  if (parent?.kind !== "call" || parent.args.length !== 1 || parent.fn.kind !== "call") return false;
  const { fn } = parent.fn;
  const isPlain = fn.kind === "id" || (fn.kind === "member" && fn.object.kind === "id");
  return isPlain && up?.role === "const";
}
