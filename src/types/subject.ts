import type * as Tree from "../syntax/tree.js";
import type { Subject } from "./mistakes.js";

/** How a message calls an expression. */
export function subjectOf(expr: Tree.Expr): Subject {
  switch (expr.kind) {
    case "variable":
    case "constructor":
      return { kind: "name", name: expr.name.name };
    case "real":
    case "number":
      return { kind: "literal", text: expr.text };
    case "boolean":
      return { kind: "literal", text: String(expr.value) };
    case "tuple":
    case "parallel":
      return { kind: "tuple", items: expr.items.length };
    case "lambda":
      return { kind: "lambda" };
    case "operator":
    case "binary":
      return { kind: "operator", operator: expr.operator };
    case "index":
      return { kind: "operator", operator: "!" };
    case "field": {
      // `a.b.c ..` may be long
      const fields: string[] = [];
      let record: Tree.Expr = expr;
      for (; record.kind === "field"; record = record.record) fields.push(record.name.name);
      const of = subjectOf(record);
      return of.kind === "name" ? { kind: "name", name: [of.name, ...fields.reverse()].join(".") } : { kind: "other" };
    }
    case "negate":
      return { kind: "operator", operator: "-" };
    case "apply": {
      let args = 0;
      let fn: Tree.Expr = expr;
      while (fn.kind === "apply") {
        args += 1;
        fn = fn.fn;
      }
      const callee = subjectOf(fn);
      return callee.kind === "name" ? { kind: "call", name: callee.name, args } : { kind: "other" };
    }
    case "ascribed":
      return subjectOf(expr.expr);
    case "array":
    case "record":
    case "update":
    case "let":
    case "letFunction":
    case "if":
    case "case":
      return { kind: "other" };
  }
}
