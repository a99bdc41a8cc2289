// Random terms that differentiate: `jvp`, `vjp` and what the prelude makes of them, of lambdas that capture and of other functions, inside of each other too; and
// `stopGradient`.

import { chance, pick, weighted } from "./random-dice.js";
import { holdsReals } from "./random-leaves.js";
import { body, extend, named, share, type Maker, type Production, type Scope } from "./random-scope.js";
import { open, showing, term, tight, type Binder, type Term } from "./random-terms.js";
import * as T from "./random-types.js";
import type { Type } from "./random-types.js";

/** What derivatives may be taken from and to. */
function isFirstOrder(maker: Maker, type: Type): boolean {
  switch (type.kind) {
    case "real":
    case "integer":
    case "boolean":
      return true;
    case "tuple":
      return type.items.every((item) => isFirstOrder(maker, item));
    case "array":
      return isFirstOrder(maker, type.element);
    case "data":
      return !maker.declared.some(({ name, inner }) => inner && name === type.name) && type.args.every((arg) => isFirstOrder(maker, arg)); // prettier-ignore
    case "function":
    case "variable":
      return false;
  }
}

/** A type to differentiate by, mostly one that holds reals. */
function domain(maker: Maker): Type {
  const { dice } = maker;
  if (chance(dice, 0.5)) return pick(dice, [T.real, T.real, T.tuple(T.real, T.real), T.arrayOf(T.real)]);
  const made = maker.randomType(2, false);
  return holdsReals(maker, made) || chance(dice, 0.1) ? made : T.real;
}

/** A function to differentiate: mostly a lambda whose body uses its parameter, and captures what is in scope. */
function differentiated(maker: Maker, from: Type, to: Type, scope: Scope, fuel: number): Term {
  const { dice } = maker;
  const type = T.fn(from, to);
  if (fuel > 3 && chance(dice, 0.2)) return maker.term(type, scope, fuel);
  const param = maker.fresh(from);
  const within = extend(scope, [param, param]);
  const whole = body(maker, to, within, fuel, [param]);
  if (to.kind !== "real") return term(type, [`\\${param.name}. `, open(whole, param)]);
  // Linear functions have derivatives that show little
  const curved = term(to, [pick(dice, ["sin ", "1.5 * ", "exp (0.3 * sin ", "tanh "]), tight(whole)]);
  const closed = curved.texts[0]?.startsWith("exp") === true ? term(to, [curved.texts[0], tight(whole), ")"]) : curved;
  const times = chance(dice, 0.5) ? term(to, [tight(closed), " * ", tight(maker.realOf(param, within, 2))]) : closed;
  return term(type, [`\\${param.name}. `, open(times, param)]);
}

/** A point and a direction of its shape, as two arguments; `around` binds what they share. */
function pointAndDirection(
  maker: Maker,
  type: Type,
  scope: Scope,
  fuel: number,
): readonly [at: Term, along: Term, bind: Binder | null, bound: Term | null] {
  // prettier-ignore
  if (type.kind === "real") {
    const half = share(maker, fuel, 2);
    return [maker.term(type, scope, half), chance(maker.dice, 0.4) ? maker.leaf(type, scope) : maker.term(type, scope, half), null, null]; // prettier-ignore
  }
  const shared = maker.fresh(type);
  const again = named(shared);
  const along = chance(maker.dice, 0.2) ? term(type, ["stopGradient ", tight(again)]) : again;
  return [again, along, shared, maker.term(type, scope, fuel)];
}

/** `name f x dx`, where x and dx may be one variable that is bound before. */
function directional(
  maker: Maker,
  type: Type,
  name: string,
  fn: Term,
  at: Type,
  scope: Scope,
  fuel: number,
  wrap: string,
): Term {
  // prettier-ignore
  const [x, dx, shared, bound] = pointAndDirection(maker, at, scope, fuel);
  const call = term(type, [`${wrap}${name} `, tight(fn), " ", tight(x), " ", tight(dx), wrap === "" ? "" : ")"]);
  return shared === null || bound === null ? call : term(type, [`let ${shared.name} = `, open(bound), " in ", open(call, shared)]); // prettier-ignore
}

/** A Jacobian or Hessian, as a matrix. */
function matrix(maker: Maker, scope: Scope, fuel: number): readonly [construct: string, Term] {
  const vector = T.arrayOf(T.real);
  const [name, to] = chance(maker.dice, 0.6) ? (["jacobian", vector] as const) : (["hessian", T.real] as const);
  const fn = differentiated(maker, vector, to, scope, share(maker, fuel, 2));
  const at = maker.term(vector, scope, share(maker, fuel, 3));
  return [name, term(T.arrayOf(vector), [`${name} `, tight(fn), " ", tight(at)])];
}

/** What terms that differentiate show: each must occur. */
export const derivativeConstructs: readonly string[] = [
  "derivative", "jvp", "jvp as a pair", "grad", "hvp", "number of a gradient", "vjp", "stopGradient", "jacobian", "hessian", "pack", "unpack",
]; // prettier-ignore

/** A derivative that has the type, or of which the type is made. */
export const derivative: Production = (maker, type, scope, fuel) => {
  const { dice } = maker;
  if (fuel < 4 || !isFirstOrder(maker, type)) return null;
  const half = share(maker, fuel, 2);
  const rest = share(maker, fuel, 3);
  const isReal = type.kind === "real";
  const holds = isReal || holdsReals(maker, type);
  const from = domain(maker);
  const [component = T.real, other] = type.kind === "tuple" ? type.items : [];
  const isPair = other !== undefined && T.sameType(type, T.tuple(component, component));
  const isVector = T.sameType(type, T.arrayOf(T.real));
  const isMatrix = T.sameType(type, T.arrayOf(T.arrayOf(T.real)));
  const [construct, made] = weighted<readonly [string, Term]>(dice, [
    [isReal ? 6 : 0, () => ["derivative", term(type, ["derivative ", tight(differentiated(maker, T.real, T.real, scope, half)), " ", tight(maker.term(T.real, scope, rest))])]],
    [2, () => ["jvp", directional(maker, type, "jvp", differentiated(maker, from, type, scope, half), from, scope, rest, pick(dice, ["snd (", "snd (", "fst ("]))]],
    [isPair ? 3 : 0, () => ["jvp as a pair", directional(maker, type, "jvp", differentiated(maker, from, component, scope, half), from, scope, rest, "")]],
    [holds ? 3 : 0, () => ["grad", term(type, ["grad ", tight(differentiated(maker, type, T.real, scope, half)), " ", tight(maker.term(type, scope, rest))])]],
    [holds ? 1 : 0, () => ["hvp", directional(maker, type, "hvp", differentiated(maker, type, T.real, scope, half), type, scope, rest, "")]],
    [isReal ? 3 : 0, () => {
      const gradient = maker.fresh(from);
      const bound = term(from, ["grad ", tight(differentiated(maker, from, T.real, scope, half)), " ", tight(maker.term(from, scope, rest))]);
      const of = maker.realOf(gradient, { ...scope, variables: [...scope.variables.slice(-1), gradient] }, 2);
      return ["number of a gradient", term(type, [`let ${gradient.name} = `, open(bound), " in ", open(of, gradient)])];
    }],
    // The value is a cotangent of its own shape; of a pullback that is called twice
    [holds ? 2 : 0, () => {
      const to = chance(dice, 0.5) ? T.real : domain(maker);
      const [value, back] = [maker.fresh(to), maker.fresh(T.fn(to, type))];
      const bound = term(T.tuple(to, back.type), ["vjp ", tight(differentiated(maker, type, to, scope, half)), " ", tight(maker.term(type, scope, rest))]);
      const pulled = (w: Term): Term => term(type, [`${back.name} `, tight(w)], { uses: [back.name] });
      const weight = to.kind === "real" && chance(dice, 0.4) ? maker.leaf(to, extend(scope, [value])) : named(value);
      const twice = isReal && chance(dice, 0.4) ? term(type, [tight(pulled(weight)), " * ", tight(pulled(named(value)))]) : pulled(weight);
      return ["vjp", term(type, [`let (${value.name}, ${back.name}) = `, open(bound), " in ", open(twice, value, back)])];
    }],
    [holds ? 2 : 0, () => ["stopGradient", term(type, ["stopGradient ", tight(maker.term(type, scope, fuel - 2))])]],
    [isReal ? 2 : 0, () => {
      const x = maker.leaf(T.real, scope);
      return ["stopGradient", term(type, [tight(x), " * stopGradient ", tight(maker.term(type, scope, half))])];
    }],
    [isReal ? 2 : 0, () => {
      const to = domain(maker);
      const pair = maker.fresh(T.tuple(to, to));
      const bound = directional(maker, pair.type, "jvp", differentiated(maker, from, to, scope, half), from, scope, rest, "");
      const of = maker.realOf(pair, { ...scope, variables: [...scope.variables.slice(-1), pair] }, 2);
      return ["jvp as a pair", term(type, [`let ${pair.name} = `, open(bound), " in ", open(of, pair)])];
    }],
    [isVector ? 6 : 0, () => ["pack", term(type, ["pack ", tight(maker.term(from, scope, fuel - 2))])]],
    [holds ? 2 : 0, () => {
      const like = maker.fresh(type);
      const change = pick(dice, ["\\a. 0.5 * a", "\\a. sin a", "\\a. a * a", "sin"]);
      const made = term(type, [`unpack ${like.name} (map (${change}) (pack ${like.name}))`], { uses: [like.name] });
      return ["unpack", term(type, [`let ${like.name} = `, open(maker.term(type, scope, fuel - 3)), " in ", open(made, like)])];
    }],
    [isMatrix ? 8 : 0, () => matrix(maker, scope, fuel)],
    [isReal ? 2 : 0, () => {
      const [of, made] = matrix(maker, scope, fuel - 1);
      return [of, term(type, ["sum (map sum ", tight(made), ")"])];
    }],
  ]); // prettier-ignore
  return showing(construct, made);
};
