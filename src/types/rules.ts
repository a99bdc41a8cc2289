// Functions of the caller, and rules: a definition with one is its text and the rule under a built-in function, which every later phase takes for one.
//
//   def f p q = s
//   rule derivative f x y dx dy = t     =>   def f p q = rule derivative (\(p, q). s) (\(x, y) (dx, dy) _. t) (p, q)
//   rule pullback f x y w = t           =>   def f p q = rule pullback (\(p, q). s) (\(x, y) w _. t) (p, q)
//
// With `given z` the last parameter is z, in the place of `_`.

import { argumentOf, together } from "./arguments.js";
import { definitionOfExtern } from "./externs.js";
import type * as Tree from "../syntax/tree.js";
import type { RuleProblem, TypeMistake } from "./mistakes.js";

/** The definitions of a file, those with rules in the form above. */
export function definitionsWithRules(file: Tree.Module, mistakes: TypeMistake[]): readonly Tree.DefItem[] {
  const items = file.items.map((item) => (item.kind === "extern" ? definitionOfExtern(item, mistakes) : item));
  const rules = new Map<string, Tree.RuleItem>();
  for (const item of items) {
    if (item.kind !== "rule") continue;
    const { name } = item.name;
    const earlier = rules.get(name);
    const fail = (problem: RuleProblem): unknown => mistakes.push({ kind: "rule", problem, name, mode: item.mode, span: item.name.span, other: null }); // prettier-ignore
    const definition = items.find((each) => each.kind === "def" && each.binding.name.name === name);
    if (definition?.kind !== "def") fail("missing");
    else if (earlier !== undefined)
      mistakes.push({ kind: "rule", problem: "twice", name, mode: item.mode, span: item.name.span, other: earlier.name.span }); // prettier-ignore
    else if (definition.isFused) fail("fused");
    else if (definition.binding.params.length === 0) fail("constant");
    else if (definition.binding.params.some((pattern) => argumentOf(pattern) === null)) fail("pattern");
    else if (partsOf(item).params.length !== paramsOf(item, definition.binding.params.length)) fail("params");
    else rules.set(name, item);
  }
  return items.flatMap((item): Tree.DefItem[] => {
    if (item.kind !== "def") return [];
    const rule = rules.get(item.binding.name.name);
    return [rule === undefined ? item : { ...item, binding: withRule(item.binding, rule) }];
  });
}

/** How many parameters a rule has for a definition with `count`. */
function paramsOf({ mode }: Tree.RuleItem, count: number): number {
  return mode === "derivative" ? 2 * count : count + 1;
}

/** The parameters of a rule, and what its definition's result is called in it, which is null where it is not asked for. */
function partsOf({ params }: Tree.RuleItem): {
  readonly params: readonly Tree.Pattern[];
  readonly given: Tree.Pattern | null;
} {
  const [word, given] = params.slice(-2);
  if (word?.kind !== "variable" || word.name.name !== "given" || given === undefined) return { params, given: null };
  return { params: params.slice(0, -2), given };
}

function withRule(binding: Tree.FunctionBinding, rule: Tree.RuleItem): Tree.FunctionBinding {
  const { span } = rule.name;
  const count = binding.params.length;
  const own = (patterns: readonly Tree.Pattern[]): Tree.Pattern => together(patterns, (items): Tree.Pattern => ({ kind: "tuple", items, span })); // prettier-ignore
  const lambda = (params: readonly Tree.Pattern[], body: Tree.Expr): Tree.Expr => ({ kind: "lambda", params, body, spelling: "ascii", span: body.span }); // prettier-ignore
  // Names stand for what binds them: each place has its own
  const text = lambda([own(structuredClone(binding.params))], binding.body);
  const { params, given: result } = partsOf(rule);
  const said = lambda([own(params.slice(0, count)), own(params.slice(count)), result ?? { kind: "wildcard", span }], rule.body); // prettier-ignore
  const args = binding.params.flatMap((pattern) => argumentOf(pattern) ?? []);
  const at = together(args, (items): Tree.Expr => ({ kind: "tuple", items, span }));
  const name: Tree.Ident = { name: `rule ${rule.mode}`, span };
  const apply = (fn: Tree.Expr, arg: Tree.Expr): Tree.Expr => ({ kind: "apply", fn, arg, span });
  return { ...binding, body: [text, said, at].reduce(apply, { kind: "variable", name, span }) };
}
