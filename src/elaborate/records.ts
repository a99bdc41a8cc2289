// Records: reading and replacing fields is a case with one branch.

import { InternalError } from "../internal-error.js";
import type { Expr } from "../types/typed.js";
import * as b from "../core/build.js";
import type { Scope } from "./instances.js";
import { Variable } from "./scope.js";
import type { Session } from "./session.js";
import type { Term } from "../core/term.js";
import type { Type } from "../core/type.js";

type FieldExpr = Expr & { readonly kind: "field" };
type UpdateExpr = Expr & { readonly kind: "update" };

/** `record.field` is `case record of { C .. field .. -> field }`. */
export function readField(expr: FieldExpr, record: Term, scope: Scope, session: Session): Term {
  const fields = fieldVariables(expr, scope, session);
  const field = fields[expr.index];
  if (field === undefined) throw new InternalError("elaborate", `${expr.constructor} has no field ${expr.index}`);
  return takenApart(expr, record, fields, field.use());
}

/** `{ record | field = value }` is `case record of { C x y .. -> C x value .. }`, the values evaluated as they are written. */
export function updateFields(
  expr: UpdateExpr,
  record: Term,
  value: (expr: Expr) => Term,
  scope: Scope,
  session: Session,
): Term {
  const type = session.instantiate(expr.type, scope.types, scope.definition, expr.span);
  const fields = fieldVariables(expr, scope, session);
  const indices = expr.fields.map(({ index }) => index);
  const inOrder = indices.every((index, position) => position === 0 || index > (indices[position - 1] ?? 0));
  const wraps: ((body: Term) => Term)[] = [];
  const replaced = new Map(
    expr.fields.map(({ index, value: written }) => {
      const term = value(written);
      const field = fields[index];
      if (inOrder || b.isValue(term) || field === undefined) return [index, term] as const;
      const name = scope.names.named(field.hint);
      wraps.push((body) => b.letIn(name, field.type, term, body));
      return [index, b.variable(name)] as const;
    }),
  );
  const args = fields.map((field, index) => replaced.get(index) ?? field.use());
  return takenApart(expr, record, fields, b.wrapAll(wraps, b.con(expr.constructor, type, args)));
}

function takenApart(expr: FieldExpr | UpdateExpr, record: Term, fields: readonly Variable[], body: Term): Term {
  return b.caseOf(record, expr.data, [{ con: expr.constructor, vars: fields.map((field) => field.binder()), body }]);
}

/** A variable for each field of the record, called like it. */
function fieldVariables({ record, constructor }: FieldExpr | UpdateExpr, scope: Scope, session: Session): Variable[] {
  const type = session.instantiate(record.type, scope.types, scope.definition, record.span);
  const declared = type.kind === "data" ? session.data.constructorsOf(type) : [];
  const found = declared.find(({ name }) => name === constructor);
  if (found === undefined) throw new InternalError("elaborate", `there is no constructor ${constructor}`);
  return found.fields.map((field: Type, index) => Variable.field(field, found.fieldNames?.[index], scope.names));
}
