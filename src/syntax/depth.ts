import { fixities } from "./operators.js";
import type { Expr, FunctionBinding, Item, Pattern, TypeExpr } from "./tree.js";

type Node = Expr | Pattern | TypeExpr;

/** How deep the nodes of an item are nested, where the links of a chain (`a + b + c`, `a ! b ! c`, `a.b.c`, `a :: b :: c`, `let`s, `else if`) count as one level. */
export function depthOf(item: Item): number {
  let deepest = 0;
  const waiting: (readonly [Node, number])[] = roots(item).map((node) => [node, 1]);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [node, depth] = next;
    deepest = Math.max(deepest, depth);
    for (const child of children(node)) waiting.push([child, continues(node, child) ? depth : depth + 1]);
  }
  return deepest;
}

function roots(item: Item): readonly Node[] {
  switch (item.kind) {
    case "data":
      return item.constructors.flatMap(({ fields }) => fields);
    case "alias":
      return [item.type];
    case "def":
      return ofBinding(item.binding);
    case "extern":
      return [...item.params, item.result];
    case "rule":
      return [...item.params, item.body];
    case "import":
      return [];
  }
}

function ofBinding(binding: FunctionBinding): readonly Node[] {
  return [...binding.params, ...(binding.result === null ? [] : [binding.result]), binding.body];
}

function children(node: Node): readonly Node[] {
  switch (node.kind) {
    case "apply":
      return [node.fn, node.arg];
    case "binary":
      return [node.left, node.right];
    case "negate":
      return [node.expr];
    case "parallel":
    case "tuple":
      return node.items;
    case "ascribed":
      return "expr" in node ? [node.expr, node.type] : [node.pattern, node.type];
    case "lambda":
      return [...node.params, node.body];
    case "let":
      return [node.pattern, node.bound, node.body];
    case "letFunction":
      return [...node.bindings.flatMap(ofBinding), node.body];
    case "if":
      return [node.cond, node.then, node.else];
    case "case":
      return [node.scrutinee, ...node.branches.flatMap(({ pattern, body }) => [pattern, body])];
    case "constructor":
      return "args" in node ? node.args : [];
    case "named":
      return node.args;
    case "function":
      return [node.from, node.to];
    case "sum":
      return [node.left, node.right];
    case "array":
      return "items" in node ? node.items : [node.element];
    case "index":
      return [node.array, node.index];
    case "field":
      return [node.record];
    case "record":
      return node.fields.map((field) => ("value" in field ? field.value : field.pattern));
    case "update":
      return [node.record, ...node.fields.map(({ value }) => value)];
    default:
      return [];
  }
}

function continues(node: Node, child: Node): boolean {
  switch (node.kind) {
    case "apply":
      return child === node.fn && child.kind === "apply";
    case "binary": {
      const { precedence, associativity } = fixities[node.operator];
      const same = child.kind === "binary" && fixities[child.operator].precedence === precedence;
      return same && child === (associativity === "right" ? node.right : node.left);
    }
    case "index":
      return child === node.array && child.kind === "index";
    case "field":
      return child.kind === "field";
    case "let":
    case "letFunction":
      return child === node.body && (child.kind === "let" || child.kind === "letFunction");
    case "if":
      return child === node.else && child.kind === "if";
    case "constructor":
      return "args" in node && node.infix && child === node.args[1] && child.kind === "constructor";
    case "function":
      return child === node.to && child.kind === "function";
    case "sum":
      return child === node.left && child.kind === "sum";
    default:
      return false;
  }
}
