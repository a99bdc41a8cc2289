// Random functions and what is done with them: bound, applied, passed on.

import { catalogue } from "./random-catalogue.js";
import { chance, pick } from "./random-dice.js";
import { irrefutable } from "./random-patterns.js";
import { assemble, body, extend, share, terms, type Maker, type Production, type Scope } from "./random-scope.js";
import { atom, open, showing, term, tight, type Term } from "./random-terms.js";
import * as T from "./random-types.js";
import type { Type } from "./random-types.js";

export function lambda(maker: Maker, type: Type & { kind: "function" }, scope: Scope, fuel: number): Term {
  const pattern = irrefutable(maker, type.from, 1);
  const text = chance(maker.dice, 0.3) ? `(${pattern.text} : ${T.printType(type.from)})` : pattern.text;
  // A constructor's pattern, which is more than one word, needs parentheses
  const isWord = pattern.atom || text.startsWith("(");
  const inner = body(maker, type.to, extend(scope, pattern.binders), fuel - 1, pattern.binders);
  return term(type, [`\\${isWord ? text : `(${text})`}. `, open(inner, ...pattern.binders)]);
}

/** A primitive, a definition of the prelude or a constructor as a value, where the type has one. */
const builtins: Readonly<Record<string, readonly string[]>> = {
  "(R -> R)": ["sin", "cos", "tanh"],
  "(R -> (R -> R))": ["(+)", "(-)", "(*)", "max"],
  "(Z -> R)": ["toReal"],
  "((R, R) -> R)": ["fst", "snd"],
  "([R] -> R)": ["sum", "mean", "norm"],
  "([R] -> Z)": ["length"],
  "([R] -> [R])": ["reverse", "softmax"],
  "([R] -> ([R] -> [R]))": ["append"],
};

export const functionOfItsType: Production = (maker, type, scope, fuel) => {
  if (type.kind !== "function") return null;
  const names = chance(maker.dice, 0.9) ? [] : (builtins[T.printType(type)] ?? []);
  return names.length === 0
    ? lambda(maker, type, scope, fuel)
    : showing("builtin as a value", atom(type, pick(maker.dice, names)));
};

export const letIn: Production = (maker, type, scope, fuel) => {
  const bound = maker.term(maker.randomType(2, true), scope, share(maker, fuel, 2));
  const pattern = irrefutable(maker, bound.type, 2);
  const inner = body(maker, type, extend(scope, pattern.binders), share(maker, fuel, 2), pattern.binders);
  return term(type, [`let ${pattern.text} = `, open(bound), " in ", open(inner, ...pattern.binders)]);
};

export const letPolymorphic: Production = (maker, type, scope, fuel) => {
  const what = pick(maker.dice, catalogue);
  const name = maker.fresh(T.fn(T.real, T.real)).name;
  const inner = {
    ...scope,
    polymorphic: [...scope.polymorphic.filter((p) => !p.what.recursive), { name, what }, { name, what }],
  };
  const head = `let ${what.recursive ? "rec " : ""}${name} ${what.params} = ${what.body(name)} in `;
  return term(type, [head, open(maker.term(type, inner, fuel - 2), { name, type: T.variable("polymorphic") })]);
};

export const applyLambda: Production = (maker, type, scope, fuel) => {
  const from = maker.randomType(2, true);
  return assemble(maker, type, [T.fn(from, type), " ", from], scope, fuel);
};

/** A variable or definition applied to as many arguments as give the type. */
export const applyVariable: Production = (maker, type, scope, fuel) => {
  const usable = scope.variables.flatMap((binder) => {
    const args: Type[] = [];
    let at = binder.type;
    while (at.kind === "function") {
      args.push(at.from);
      at = at.to;
      if (T.sameType(at, type)) return [{ name: binder.name, args: [...args] }];
    }
    return [];
  });
  if (usable.length === 0) return null;
  const { name, args } = pick(maker.dice, usable);
  return showing("variable applied", apply(type, name, terms(maker, args, scope, fuel)));
};

export const applyPolymorphic: Production = (maker, type, scope, fuel) => {
  const { name, what } = pick(maker.dice, scope.polymorphic);
  const args = what.args(type, () => maker.randomType(1, true));
  return args === null ? null : apply(type, name, terms(maker, args, scope, fuel));
};

function apply(type: Type, name: string, args: readonly Term[]): Term {
  return term(type, [name, ...args.flatMap((arg) => [" ", tight(arg)])], { uses: [name], atom: args.length === 0 });
}
