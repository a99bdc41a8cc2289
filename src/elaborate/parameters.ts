// Definitions whose value is a function, as functions of its parameters: `def f = \x. t` is `def f x = t`, and `def g = f` is `def g x = f x`.

import { isCheap } from "./instances.js";
import type { Binding, Expr, Pattern } from "../types/typed.js";

/** The definition with all the parameters that its type has; the same one where it has them, or work that is done once would be done at each call. */
export function withParameters(binding: Binding, paramsOf: (name: string) => number): Binding {
  let { params, body } = binding;
  while (body.type.kind === "fn") {
    if (body.kind === "lambda") {
      params = [...params, ...body.params];
      ({ body } = body);
    } else if (!isCheap(body, paramsOf)) {
      return binding;
    } else {
      const param = parameter(body.type.from, params, binding);
      params = [...params, param];
      body = { kind: "apply", fn: body, arg: { ...param }, type: body.type.to, span: body.span } satisfies Expr;
    }
  }
  return params === binding.params ? binding : { ...binding, params, result: body.type, body };
}

type Variable = Pattern & { readonly kind: "variable" };

/** A parameter that the author has given no name. */
function parameter(type: Pattern["type"], params: readonly Pattern[], { nameSpan: span }: Binding): Variable {
  const taken = new Set(params.flatMap(variablesOf));
  let position = params.length + 1;
  while (taken.has(`arg${String(position)}`)) position += 1;
  return { kind: "variable", name: `arg${String(position)}`, type, span };
}

function variablesOf(pattern: Pattern): readonly string[] {
  switch (pattern.kind) {
    case "variable":
      return [pattern.name];
    case "tuple":
      return pattern.items.flatMap(variablesOf);
    case "constructor":
      return pattern.args.flatMap(variablesOf);
    default:
      return [];
  }
}
