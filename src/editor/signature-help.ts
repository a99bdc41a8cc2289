// The parameters of the function whose arguments are being written.

import type { Analysis } from "../driver/analyse.js";
import type * as Tree from "../syntax/tree.js";
import type { FunctionSymbol } from "../types/scope.js";
import { cursorAt, type Reanalyse } from "./cursor.js";
import { builtInUseType, documentationOf, functionType, shownType } from "./types.js";
import { fnTys } from "../types/ty.js";

export interface SignatureHelp {
  /** `f : R -> Z -> R`, or with the names of the parameters. */
  readonly label: string;
  /** Where each parameter stands in it. */
  readonly parameters: readonly { readonly start: number; readonly end: number }[];
  readonly active: number;
  readonly doc: string;
}

/** Of the innermost call in whose arguments the cursor is, or behind which it is. */
export function signatureHelpAt(text: string, offset: number, reanalyse: Reanalyse): SignatureHelp | null {
  const cursor = cursorAt(text, offset, reanalyse);
  if (cursor === null) return null;
  const { analysis, path } = cursor;
  for (let i = path.length - 1; i > 0; i -= 1) {
    const [call, part] = [path[i - 1], path[i]];
    if (call?.kind !== "apply" || call.arg !== part) continue;
    let fn: Tree.Expr = call.fn;
    let active = 0;
    for (; fn.kind === "apply"; fn = fn.fn) active += 1;
    const found = signature(analysis, fn);
    return found === null ? null : { ...found, active };
  }
  return null;
}

function signature(analysis: Analysis, fn: Tree.Expr): Omit<SignatureHelp, "active"> | null {
  const { program } = analysis;
  if (fn.kind === "constructor") {
    const info = program?.cx.constructors.get(fn);
    if (info === undefined) return null;
    const type = shownType(fnTys(info.fields, { kind: "data", data: info.data, args: info.data.params.map(({ variable }) => variable) })); // prettier-ignore
    return { ...labelled(info.name, type, info.fieldNames?.map(({ name }) => name) ?? []), doc: info.data.doc };
  }
  if (fn.kind !== "variable") return null;
  const { name } = fn.name;
  const use = program?.scope.uses.get(fn);
  if (use === undefined) return null;
  if (use.kind !== "function") return { ...labelled(name, builtInUseType(use), []), doc: "" };
  const doc = documentationOf({ kind: "function", symbol: use });
  return { ...labelled(name, functionType(analysis, use), parameterNames(use)), doc };
}

function parameterNames({ definition }: FunctionSymbol): readonly string[] {
  const params = definition?.item.binding.params ?? [];
  return params.map((param) => {
    const inner = param.kind === "ascribed" ? param.pattern : param;
    return inner.kind === "variable" ? inner.name.name : "";
  });
}

/** `f (x : R) (n : Z) : R`; without the name of a parameter its type stands there alone. */
function labelled(name: string, type: string, names: readonly string[]): Omit<SignatureHelp, "active" | "doc"> {
  const parts = argumentsOf(type);
  const result = parts.pop() ?? type;
  let label = name;
  const parameters = parts.map((part, i) => {
    const start = label.length + 1;
    const named = names[i] ?? "";
    label +=
      named === ""
        ? ` (${part.replace(/^\((.*->.*)\)$/, "$1")})`
        : ` (${named} : ${part.replace(/^\((.*->.*)\)$/, "$1")})`;
    return { start, end: label.length };
  });
  return { label: `${label} : ${result}`, parameters };
}

/** The parts of a type between its outermost arrows. */
function argumentsOf(type: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < type.length; i += 1) {
    if (/[([]/.test(type[i] ?? "")) depth += 1;
    else if (/[)\]]/.test(type[i] ?? "")) depth -= 1;
    else if (depth === 0 && type.startsWith(" -> ", i)) {
      parts.push(type.slice(from, i));
      from = i + 4;
    }
  }
  return [...parts, type.slice(from)];
}
