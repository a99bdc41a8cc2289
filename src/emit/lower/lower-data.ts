// Values of data types: objects, and how their fields are read.

import { InternalError } from "../../internal-error.js";
import type { Branch, Term } from "../../target-calculus/term.js";
import type { Type } from "../../target-calculus/type.js";
import type { BodyWriter } from "./frame.js";
import type { Layout, Layouts } from "../layouts.js";
import { isPath } from "./lower-arrays.js";
import { uncapitalised } from "../../typescript/naming.js";
import * as ts from "../../typescript/build.js";
import type { TsExpr, TsStmt } from "../../typescript/tree.js";

/** What a constructor makes of its fields. */
export function objectOf(type: Type, con: string, fields: readonly TsExpr[], layouts: Layouts): TsExpr {
  const data = type.kind === "sparse" ? type.of : type;
  if (data.kind !== "data") throw new InternalError("emit", `the constructor ${con} of what is not data`);
  const { isTagged, keys } = layouts.of(data.name, con);
  const properties = fields.map((value, index) => ({ name: keys[index] ?? "", value }));
  const tag = { name: "tag", value: ts.string(con) };
  return { kind: "object", fields: isTagged ? [tag, ...properties] : properties };
}

export function fieldOf(object: TsExpr, { keys }: Layout, index: number): TsExpr {
  return ts.member(object, keys[index] ?? "");
}

/** Reads the fields that a branch uses: those of a record where they stand, if that is one place. */
export function readFields(
  data: string,
  branch: Branch,
  scrutinee: TsExpr,
  { context, frame }: BodyWriter,
  out: TsStmt[],
): void {
  const { module, occurrences, typing, variables } = context;
  const layout = module.layouts.of(data, branch.con);
  branch.vars.forEach((variable, index) => {
    const { uses, captured, examined } = occurrences.of(variable);
    if (uses === 0) return;
    const field = fieldOf(scrutinee, layout, index);
    if (!layout.isTagged && uses === 1 && !captured && !examined) {
      variables.set(variable, field);
      return;
    }
    const name = frame.scope.fresh(variable);
    const type = frame.self === null ? null : module.types.lower(typing.variable(variable));
    out.push(ts.constant(name, type, field));
    variables.set(variable, ts.id(name));
  });
}

/** For a `case` of a record: what is done with its fields, once these are known; null for other data. */
export function openRecord(term: Term & { readonly kind: "case" }, writer: BodyWriter, out: TsStmt[]): Term | null {
  const [only] = term.branches;
  if (only === undefined || !writer.context.module.layouts.isRecord(term.data)) return null;
  const hint = uncapitalised(term.data);
  const record = writer.expression(term.scrutinee, out, hint);
  const path = isPath(record) ? record : writer.named(record, hint, term.scrutinee, out);
  readFields(term.data, only, path, writer, out);
  return only.body;
}
