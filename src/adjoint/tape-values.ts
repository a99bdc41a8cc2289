// Values on the tape: numbers as they stand, truth values as numbers, everything else as an object.

import type { Rep } from "../flat/program.js";
import { binary, callOf, id, member, number } from "../typescript/build.js";
import type { TsExpr, TsStmt } from "../typescript/tree.js";
import type { ModuleContext } from "./module.js";
import { asType } from "./operations.js";

/** What puts the value of a variable on the tape. */
export function pushed(name: string, { kind }: Rep, { names }: ModuleContext): TsStmt {
  const isNumber = kind === "real" || kind === "int" || kind === "bool";
  const value: TsExpr = kind === "bool" ? { kind: "cond", test: id(name), then: number(1), else: number(0) } : id(name);
  return { kind: "expr", expr: callOf(member(id(names.tape), isNumber ? "pushNumber" : "pushValue"), value) };
}

/** A value of a kind, taken off the tape. */
export function popped(rep: Rep, { names, types }: ModuleContext): TsExpr {
  const pop = (method: string): TsExpr => callOf(member(id(names.tape), method));
  if (rep.kind === "real" || rep.kind === "int") return pop("popNumber");
  if (rep.kind === "bool") return binary("===", pop("popNumber"), number(1));
  return asType(pop("popValue"), types.of(rep, "adjoint"));
}
