// Source terms and programs in the notation of SV25 Fig. 4.

import { builders } from "prettier/doc";
import { dataDoc, fit, functionDoc, letHead, letRecHead, place, render, sharedDoc, type Doc, type Layout, type Place } from "./layout.js"; // prettier-ignore
import { printType } from "./print-type.js";
import type { Fn, Program, SourceCalculus, Term } from "./term.js";
import { allTerms } from "./traverse.js";
import type { Type } from "./type.js";

const { group, hardline, indent, join, line } = builders;

/** A term, without a line break at the end. */
export function printSourceTerm(term: Term): string {
  return render(layoutFor([], [term]).term(term, place.any));
}

/** Data types, then definitions, with blank lines between. */
export function printProgram(program: Program): string {
  const { data, definitions } = program;
  const layout = layoutFor(
    definitions,
    definitions.map((fn) => fn.body),
  );
  const docs = [...data.map((decl) => dataDoc(decl, printType)), ...definitions.map((fn) => functionDoc(fn, layout))];
  return docs.length === 0 ? "" : render([join([hardline, hardline], docs), hardline]);
}

function layoutFor(functions: readonly Fn[], terms: readonly Term[]): Layout<SourceCalculus> {
  const types = variableTypes(functions, terms);
  const layout: Layout<SourceCalculus> = {
    term: (term, at) => termDoc(term, at, layout),
    type: printType,
    width: (tuple) => {
      if (tuple.kind === "tuple") return tuple.items.length;
      const type = tuple.kind === "var" ? types.get(tuple.name) : undefined;
      return type?.kind === "tuple" ? type.items.length : null;
    },
  };
  return layout;
}

function termDoc(start: Term, at: Place, layout: Layout<SourceCalculus>): Doc {
  const lines: Doc[] = [];
  let term = start;
  while (term.kind === "let" || term.kind === "letRec") {
    const head =
      term.kind === "let" ? letHead(term.name, term.type, term.bound, layout) : letRecHead(term.functions, layout);
    lines.push(head, hardline);
    term = term.body;
  }
  if (lines.length > 0) return fit(place.any, at, [...lines, lastDoc(term, place.any, layout)]);
  return lastDoc(term, at, layout);
}

/** A term that is not a `let`; the heads of nested lambdas stand side by side. */
function lastDoc(term: Term, at: Place, layout: Layout<SourceCalculus>): Doc {
  if (term.kind !== "lam") return sharedDoc(term, at, layout);
  const heads: Doc[] = [];
  let body: Term = term;
  for (; body.kind === "lam"; body = body.body) heads.push(`\\(${body.param} : ${printType(body.type)}).`);
  return fit(place.any, at, group([group(join(line, heads)), indent([line, layout.term(body, place.any)])]));
}

/** The types that binders state. */
function variableTypes(functions: readonly Fn[], terms: readonly Term[]): ReadonlyMap<string, Type> {
  const types = new Map<string, Type>();
  const enter = (fn: Fn): void => {
    for (const { name, type } of fn.params) types.set(name, type);
  };
  functions.forEach(enter);
  for (const root of terms) {
    for (const term of allTerms(root)) {
      if (term.kind === "let") types.set(term.name, term.type);
      if (term.kind === "lam") types.set(term.param, term.type);
      if (term.kind === "letRec") term.functions.forEach(enter);
    }
  }
  return types;
}
