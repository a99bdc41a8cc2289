// Functions that call themselves whatever they are given: the base case is missing.

import { partsOf } from "../syntax/edit.js";
import type * as Tree from "../syntax/tree.js";
import type { Suspicion } from "./mistakes.js";

/** The functions of a definition, itself and local ones, of which every evaluation calls them again. */
export function endlessIn({ binding }: Tree.DefItem): readonly Suspicion[] {
  const found: Suspicion[] = [];
  const look = (each: Tree.FunctionBinding): void => {
    const { name, span } = each.name;
    if (each.params.length > 0 && calls(each.body, name)) found.push({ kind: "endlessRecursion", name, span });
  };
  look(binding);
  const waiting: Tree.Expr[] = [binding.body];
  for (let expr = waiting.pop(); expr !== undefined; expr = waiting.pop()) {
    if (expr.kind === "letFunction" && expr.recursive) expr.bindings.forEach(look);
    waiting.push(...partsOf(expr));
  }
  return found;
}

/** Whether evaluating an expression calls the function in any case. What is evaluated only perhaps does not count. */
function calls(start: Tree.Expr, name: string): boolean {
  const waiting: Tree.Expr[] = [start];
  for (let expr = waiting.pop(); expr !== undefined; expr = waiting.pop()) {
    switch (expr.kind) {
      case "apply": {
        let fn = expr.fn;
        while (fn.kind === "apply") fn = fn.fn;
        if (fn.kind === "variable" && fn.name.name === name) return true;
        waiting.push(expr.arg, expr.fn);
        break;
      }
      case "if":
        if (calls(expr.then, name) && calls(expr.else, name)) return true;
        waiting.push(expr.cond);
        break;
      case "case":
        if (
          expr.branches.length > 0 &&
          expr.branches.every(({ pattern, body }) => !binds(pattern, name) && calls(body, name))
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
