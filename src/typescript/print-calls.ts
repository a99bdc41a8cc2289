// Calls: their arguments, and chains of members and calls.

import type { ArrowDocs } from "./print-arrows.js";
import type { Doc } from "./print-docs.js";
import type { Place } from "./print-place.js";
import type { Printer } from "./print-printer.js";
import type { Call } from "./print-shapes.js";
import type { TsExpr } from "./tree.js";
import { printArrow } from "./print-arrows.js";
import { breakParent, breaks, conditionalGroup, group, hardline, indent, join, label } from "./print-docs.js";
import { line, softline, trailingComma } from "./print-docs.js";
import { isBlock } from "./facts.js";
import { under } from "./print-place.js";
import { couldHug, isComposition, isHook, isNumberArray, isShortTail, isSimpleArgument } from "./print-shapes.js";

export function printNew(printer: Printer, expr: Extract<TsExpr, { kind: "new" }>, place: Place): Doc {
  return ["new ", printer.expression(expr.fn, under("new.fn", expr, place)), printArguments(printer, expr, place)];
}

export function printCall(printer: Printer, expr: Call, place: Place): Doc {
  if (isRequire(expr)) {
    const docs = expr.args.map((arg) => printer.expression(arg, under("call.arg", expr, place)));
    return ["require(", join(", ", docs), ")"];
  }
  if (expr.fn.kind === "member" || expr.fn.kind === "index") return printMemberChain(printer, expr, place);
  const fn = printer.expression(expr.fn, under("call.fn", expr, place));
  const doc: Doc = [fn, printArguments(printer, expr, place)];
  return expr.fn.kind === "call" ? group(doc) : doc;
}

/** prettier takes every function of this name for CommonJS. */
function isRequire(expr: Call): boolean {
  if (expr.fn.kind !== "id" || expr.fn.name !== "require") return false;
  return expr.args.length > 1 || expr.args[0]?.kind === "string";
}

type WithArgs = Extract<TsExpr, { kind: "call" | "new" }>;

/** An argument's document; a function's other layout is made on demand. */
interface Argument {
  readonly doc: Doc;
  readonly arrow: ArrowDocs | null;
}

function printArgument(printer: Printer, arg: TsExpr, place: Place): Argument {
  if (arg.kind !== "arrow") return { doc: printer.expression(arg, place), arrow: null };
  const arrow = printArrow(printer, arg, place, null);
  return { doc: arrow.normal, arrow };
}

function printArguments(printer: Printer, expr: WithArgs, place: Place): Doc {
  const { args } = expr;
  const role = expr.kind === "call" ? "call.arg" : "new.arg";
  const printed = args.map((arg) => printArgument(printer, arg, under(role, expr, place)));
  const [last] = printed.slice(-1);
  if (last === undefined) return "()";
  const docs = printed.map((one) => one.doc);
  if (isHook(args)) return ["(", join(", ", docs), ")"];
  const separated = docs.map((doc, index): Doc => (index === docs.length - 1 ? doc : [doc, ",", line]));
  const onePerLine = (): Doc =>
    group(["(", indent([line, ...separated]), trailingComma, line, ")"], { shouldBreak: true });
  if (isComposition(args)) return onePerLine();
  if (hugsFirst(args)) {
    const rest = separated.slice(1);
    const first = printed[0]?.arrow?.hugged(false) ?? null;
    if (rest.some(breaks) || first === null) return onePerLine();
    return choose(first, (doc) => ["(", doc, ", ", ...rest, ")"], onePerLine());
  }
  if (hugsLast(args)) {
    const before = separated.slice(0, -1);
    const hugged = last.arrow === null ? last.doc : last.arrow.hugged(true);
    if (before.some(breaks) || hugged === null) return onePerLine();
    return choose(hugged, (doc) => ["(", ...before, doc, ")"], onePerLine());
  }
  const all: Doc = ["(", indent([softline, ...separated]), trailingComma, softline, ")"];
  return isLongerCallee(expr, place) ? all : group(all, { shouldBreak: separated.some(breaks) });
}

/** All on one line; else only the hugged argument broken; else one argument on each line. */
function choose(hugged: Doc, around: (doc: Doc) => Doc, onePerLine: Doc): Doc {
  const opened = around(group(hugged, { shouldBreak: true }));
  if (breaks(hugged)) return [breakParent, conditionalGroup([opened, onePerLine])];
  return conditionalGroup([around(hugged), opened, onePerLine]);
}

function hugsLast(args: readonly TsExpr[]): boolean {
  const last = args.at(-1);
  const before = args.at(-2);
  if (last === undefined || !couldHug(last)) return false;
  if (before?.kind === last.kind) return false;
  if (args.length === 2 && before?.kind === "arrow" && last.kind === "array") return false;
  return !(args.length > 1 && isNumberArray(last));
}

function hugsFirst(args: readonly TsExpr[]): boolean {
  const [first, second] = args;
  if (args.length !== 2 || second === undefined) return false;
  if (first?.kind !== "arrow" || !isBlock(first.body)) return false;
  return second.kind !== "arrow" && second.kind !== "cond" && isShortTail(second) && !couldHug(second);
}

/** `f(a, b)(c)`: the first call has more arguments than the second. */
function isLongerCallee(expr: WithArgs, place: Place): boolean {
  const { parent } = place;
  if (expr.kind !== "call" || place.role !== "call.fn" || parent?.kind !== "call") return false;
  return parent.args.length > 0 && expr.args.length > parent.args.length;
}

/** `.name` or `[index]`. */
export function printLookup(printer: Printer, expr: Extract<TsExpr, { kind: "member" | "index" }>, place: Place): Doc {
  if (expr.kind === "member") return `.${expr.name}`;
  const index = printer.expression(expr.index, under("index.index", expr, place));
  const mark = expr.certain ? "!" : "";
  if (expr.index.kind === "number") return ["[", index, "]", mark];
  return [group(["[", indent([softline, index]), softline, "]"]), mark];
}

/** A part of `a.b(c).d`: the first is an expression, the others are what follows it. */
interface Link {
  readonly node: TsExpr;
  readonly place: Place;
}

/** The links of a call's chain, the first one first. */
function linksOf(expr: Call, place: Place): readonly Link[] {
  const links: Link[] = [{ node: expr, place }];
  let node: TsExpr = expr.fn;
  let at = under("call.fn", expr, place);
  for (;;) {
    links.push({ node, place: at });
    if (isLookup(node)) {
      at = under(node.kind === "member" ? "member" : "index.object", node, at);
      node = node.object;
    } else if (node.kind === "call" && (isLookup(node.fn) || node.fn.kind === "call")) {
      at = under("call.fn", node, at);
      node = node.fn;
    } else {
      return links.reverse();
    }
  }
}

function isLookup(expr: TsExpr): expr is Extract<TsExpr, { kind: "member" | "index" }> {
  return expr.kind === "member" || expr.kind === "index";
}

const isNumberIndex = (node: TsExpr): boolean => node.kind === "index" && node.index.kind === "number";

/** Links that stay together when the chain is broken: the head, then one group for each call. */
function groupLinks(links: readonly Link[]): readonly (readonly Link[])[] {
  const [first, ...others] = links;
  if (first === undefined) return [];
  const head = [first];
  let next = 0;
  const nodeAt = (index: number): TsExpr | undefined => others[index]?.node;
  const take = (into: Link[]): void => {
    const link = others[next];
    if (link !== undefined) into.push(link);
    next += 1;
  };
  for (let node = nodeAt(next); node !== undefined; node = nodeAt(next)) {
    if (node.kind !== "call" && !isNumberIndex(node)) break;
    take(head);
  }
  if (first.node.kind !== "call") {
    for (let after = nodeAt(next + 1); after !== undefined; after = nodeAt(next + 1)) {
      const node = nodeAt(next);
      if (node === undefined || !isLookup(node) || !isLookup(after)) break;
      take(head);
    }
  }
  const groups: Link[][] = [head];
  let current: Link[] = [];
  let called = false;
  for (let node = nodeAt(next); node !== undefined; node = nodeAt(next)) {
    if (called && isLookup(node) && !isNumberIndex(node)) {
      groups.push(current);
      current = [];
      called = false;
    }
    if (node.kind === "call") called = true;
    take(current);
  }
  if (current.length > 0) groups.push(current);
  return groups;
}

/** Whether the first call stays on the head's line: `Math.max(..)`, `it.f(..)` as a statement. */
function mergesFirst(groups: readonly (readonly Link[])[], isStatement: boolean): boolean {
  const [head, second] = groups;
  const start = second?.[0]?.node;
  if (head === undefined || start === undefined) return false;
  const isIndexed = start.kind === "index";
  const isFactory = (name: string): boolean => /^[A-Z]|^[$_]+$/.test(name);
  const last = head.at(-1)?.node;
  if (head.length === 1) {
    if (last?.kind !== "id") return false;
    return isFactory(last.name) || (isStatement && last.name.length <= 2) || isIndexed;
  }
  if (last?.kind === "member") return isFactory(last.name) || isIndexed;
  return last?.kind === "index" && last.index.kind === "id" && (isFactory(last.index.name) || isIndexed);
}

/** Whether a call is laid out as a chain that may break before its dots. */
export function isMemberChain(expr: TsExpr, isStatement: boolean): boolean {
  if (expr.kind !== "call" || !isLookup(expr.fn)) return false;
  const groups = groupLinks(linksOf(expr, { role: "statement", parent: null, up: null }));
  return groups.length > (mergesFirst(groups, isStatement) ? 3 : 2);
}

function printLink(printer: Printer, link: Link, isFirst: boolean): Doc {
  const { node, place } = link;
  if (isFirst) return printer.expression(node, place);
  if (node.kind === "call") return printArguments(printer, node, place);
  return isLookup(node) ? printLookup(printer, node, place) : "";
}

function printMemberChain(printer: Printer, expr: Call, place: Place): Doc {
  const links = linksOf(expr, place);
  const groups = groupLinks(links);
  const docs = groups.map((links_, index) =>
    links_.map((link, position) => printLink(printer, link, index === 0 && position === 0)),
  );
  const merges = mergesFirst(groups, place.role === "statement");
  if (groups.length <= (merges ? 3 : 2)) return isLongerCallee(expr, place) ? docs : group(docs);
  const kept = merges ? 2 : 1;
  const expanded: Doc = [docs.slice(0, kept), indent([hardline, join(hardline, docs.slice(kept))])];
  const calls = links.flatMap(({ node }) => (node.kind === "call" ? [node] : []));
  const isBusy = calls.length > 2 && calls.some((call) => call.args.some((arg) => !isSimpleArgument(arg)));
  if (isBusy || docs.slice(0, -1).some(breaks) || endsInFunctions(docs, groups, calls)) {
    return label("member-chain", group(expanded));
  }
  return label("member-chain", [breaks(docs) ? breakParent : "", conditionalGroup([docs, expanded])]);
}

/** The last call's arguments break, and a call before has a function among its arguments. */
function endsInFunctions(docs: readonly Doc[], groups: readonly (readonly Link[])[], calls: readonly Call[]): boolean {
  const lastDoc = docs.at(-1);
  if (groups.at(-1)?.at(-1)?.node.kind !== "call" || lastDoc === undefined || !breaks(lastDoc)) return false;
  return calls.slice(0, -1).some((call) => call.args.some((arg) => arg.kind === "arrow"));
}
