// Functions that call themselves whatever they are given: the base case is missing.

import { partsOf } from "../syntax/edit.js";
import type * as Tree from "../syntax/tree.js";
import type { Suspicion } from "./mistakes.js";

/** The functions of a definition, itself and local ones, of which every evaluation calls them again. */
export function endlessIn({ binding }: Tree.DefItem): readonly Suspicion[] {
  const found: Suspicion[] = [];
  const look = (each: Tree.FunctionBinding): void => {
    const { name, span } = each.name;
    const hides = each.params.some((param) => binds(param, name));
    if (each.params.length > 0 && !hides && calls(each.body, { name, params: each.params.length }))
      found.push({ kind: "endlessRecursion", name, span });
  };
  look(binding);
  const waiting: Tree.Expr[] = [binding.body];
  for (let expr = waiting.pop(); expr !== undefined; expr = waiting.pop()) {
    if (expr.kind === "letFunction" && expr.recursive) expr.bindings.forEach(look);
    waiting.push(...partsOf(expr));
  }
  return found;
}

/** A function by its name; with fewer arguments than parameters it is handed on, as `map (f x)` does, and not called. */
interface Callee {
  readonly name: string;
  readonly params: number;
}

/** Whether evaluating an expression calls the function in any case. What is evaluated only perhaps does not count. */
function calls(start: Tree.Expr, callee: Callee): boolean {
  const { name } = callee;
  const waiting: Tree.Expr[] = [start];
  for (let expr = waiting.pop(); expr !== undefined; expr = waiting.pop()) {
    switch (expr.kind) {
      case "apply": {
        let fn: Tree.Expr = expr;
        let args = 0;
        for (; fn.kind === "apply"; fn = fn.fn) {
          waiting.push(fn.arg);
          args += 1;
        }
        if (fn.kind === "variable" && fn.name.name === name && args >= callee.params) return true;
        waiting.push(fn);
        break;
      }
      case "if":
        // Where one way calls it, the other decides: chains of `else` are long
        waiting.push(expr.cond);
        if (calls(expr.then, callee)) waiting.push(expr.else);
        break;
      case "case":
        if (
          expr.branches.length > 0 &&
          expr.branches.every(({ pattern, body }) => !binds(pattern, name) && calls(body, callee))
        )
          return true;
        waiting.push(expr.scrutinee);
        break;
      case "binary":
        waiting.push(expr.left);
        if (expr.operator !== "&&" && expr.operator !== "||") waiting.push(expr.right);
        break;
      case "let":
        waiting.push(expr.bound);
        if (!binds(expr.pattern, name)) waiting.push(expr.body);
        break;
      case "letFunction":
        if (!expr.bindings.some((each) => each.name.name === name)) waiting.push(expr.body);
        break;
      // What a function does is done when it is called
      case "lambda":
        break;
      default:
        waiting.push(...partsOf(expr));
    }
  }
  return false;
}

function binds(pattern: Tree.Pattern, name: string): boolean {
  switch (pattern.kind) {
    case "variable":
      return pattern.name.name === name;
    case "tuple":
      return pattern.items.some((item) => binds(item, name));
    case "constructor":
      return pattern.args.some((arg) => binds(arg, name));
    case "record":
      return pattern.fields.some((field) => binds(field.pattern, name));
    case "ascribed":
      return binds(pattern.pattern, name);
    case "wildcard":
    case "integer":
    case "boolean":
      return false;
  }
}
