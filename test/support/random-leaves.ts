// Random terms without much to them, and reals made of whatever a variable holds.

import { chance, pick } from "./random-dice.js";
import { cover } from "./random-patterns.js";
import { named, type Maker, type Scope } from "./random-scope.js";
import { lambda } from "./random-functions.js";
import { conditional, caseOf } from "./random-control.js";
import { construct, field } from "./random-records.js";
import { atom, open, showing, term, tight, type Binder, type Term } from "./random-terms.js";
import * as T from "./random-types.js";
import type { Type } from "./random-types.js";

/** The least term of a type. */
export function simplest(maker: Maker, type: Type): Term {
  switch (type.kind) {
    case "real":
    case "variable":
      return atom(type, "1.5");
    case "integer":
      return atom(type, "1");
    case "boolean":
      return atom(type, "true");
    case "tuple":
      return tupleOf(type, type.items.map((item) => simplest(maker, item))); // prettier-ignore
    case "function":
      return term(type, ["\\_. ", open(simplest(maker, type.to))]);
    case "array":
      return atom(type, "[]");
    case "data": {
      const [first] = maker.constructorsOf(type);
      if (first === undefined) throw new Error(`no constructor of ${type.name}`);
      const fields = first.fields.map((of) => simplest(maker, of));
      const args = fields.flatMap((of) => [" ", tight(of)]);
      return term(type, [first.name, ...args], { atom: fields.length === 0 });
    }
  }
}

/** A tuple of terms. */
export function tupleOf(type: Type, items: readonly Term[]): Term {
  const pieces = items.flatMap((item, i) => (i === 0 ? [open(item)] : [", ", open(item)]));
  return term(type, ["(", ...pieces, ")"], { atom: true });
}

/** A variable or a literal of a type, or an object with little in it, at most `depth` levels. */
export function leaf(maker: Maker, type: Type, scope: Scope, depth: number): Term {
  const { dice } = maker;
  if (type.kind === "real" && depth > 0 && scope.variables.length > 0 && chance(dice, 0.9)) {
    // Late variables more often than early ones: they are what has not been used yet. Those that hold reals carry derivatives.
    const holding = scope.variables.filter((binder) => holdsReals(maker, binder.type));
    const all = holding.length > 0 && chance(dice, 0.9) ? holding : scope.variables;
    return maker.realOf(pick(dice, chance(dice, 0.5) ? all.slice(-3) : all), scope, depth);
  }
  const candidates = scope.variables.filter((binder) => T.sameType(binder.type, type));
  if (candidates.length > 0 && chance(dice, 0.85)) return named(pick(dice, candidates));
  switch (type.kind) {
    case "real":
      return atom(type, pick(dice, ["0.5", "1", "2.0", "0.75", "(-1.25)", "3", "1e-1", "pi"]));
    case "integer":
      return atom(type, pick(dice, ["0", "1", "2", "3", "(-1)", "(-2)"]));
    case "boolean":
      return atom(type, pick(dice, ["true", "false"]));
    case "tuple":
      return tupleOf(type, type.items.map((item) => leaf(maker, item, scope, depth))); // prettier-ignore
    case "function":
      // Below, functions that take functions would have no end
      return depth > 0 ? lambda(maker, type, scope, 1) : simplest(maker, type);
    case "array": {
      const items = Array.from({ length: depth > 0 ? dice.int(0, 3) : 0 }, () => leaf(maker, type.element, scope, depth - 1)); // prettier-ignore
      const pieces = items.flatMap((item, i) => (i === 0 ? [open(item)] : [", ", open(item)]));
      return showing(items.length === 0 ? "empty array" : "array literal", term(type, ["[", ...pieces, "]"], { atom: true })); // prettier-ignore
    }
    case "data": {
      const all = maker.constructorsOf(type);
      const constructor = pick(dice, depth > 0 ? all : all.slice(0, 1));
      return construct(maker, type, constructor, constructor.fields.map((of) => leaf(maker, of, scope, depth - 1))); // prettier-ignore
    }
    case "variable":
      return simplest(maker, type);
  }
}

/** A real made of whatever a variable holds. */
export function realOf(maker: Maker, binder: Binder, scope: Scope, depth: number): Term {
  const { type } = binder;
  const from = named(binder);
  const inner = (binders: readonly Binder[]): Scope => {
    const holding = binders.filter((one) => holdsReals(maker, one.type));
    return { ...scope, variables: holding.length > 0 ? holding : [...scope.variables.slice(-1), ...binders] };
  };
  switch (type.kind) {
    case "real":
      return from;
    case "integer":
      return term(T.real, ["toReal ", tight(from)]);
    case "boolean":
      return conditional(T.real, from, leaf(maker, T.real, scope, depth - 1), leaf(maker, T.real, scope, depth - 1));
    case "function": {
      if (type.to.kind === "real" && depth > 0)
        return showing("variable applied", term(T.real, [tight(from), " ", tight(leaf(maker, type.from, scope, depth - 2))])); // prettier-ignore
      return leaf(maker, T.real, scope, 0);
    }
    case "array": {
      if (type.element.kind === "real") return showing("prelude sum", term(T.real, ["sum ", tight(from)]));
      const item = maker.fresh(type.element);
      const each = realOf(maker, item, inner([item]), depth - 1);
      return showing("sum over an array", term(T.real, [`sum (map (\\${item.name}. `, open(each, item), ") ", tight(from), ")"])); // prettier-ignore
    }
    case "data":
      if (depth > 0 && chance(maker.dice, 0.6)) {
        const [made, path] = field(maker, from, type) ?? [];
        if (made !== undefined && path !== undefined) return path.kind === "real" ? made : throughLet(maker, made, path, scope, depth - 1); // prettier-ignore
      }
      break;
    case "tuple":
      break;
    case "variable":
      return leaf(maker, T.real, scope, 0);
  }
  if (T.sameType(type, T.listOf(T.real))) return term(T.real, ["listSum ", tight(from)]);
  return caseOf(T.real, from, cover(maker, type, 1), ({ binders }) =>
    leaf(maker, T.real, inner([...binders, ...binders]), depth - 1),
  );
}

function throughLet(maker: Maker, bound: Term, type: Type, scope: Scope, depth: number): Term {
  const binder = maker.fresh(type);
  const within = { ...scope, variables: [...scope.variables.slice(-1), binder] };
  return term(T.real, [`let ${binder.name} = `, open(bound), " in ", open(realOf(maker, binder, within, depth), binder)]); // prettier-ignore
}

/** Whether values of a type may hold reals, as far as can be seen without looking into recursive types. */
export function holdsReals(maker: Maker, type: Type, within: readonly string[] = []): boolean {
  switch (type.kind) {
    case "real":
      return true;
    case "tuple":
      return type.items.some((item) => holdsReals(maker, item, within));
    case "array":
      return holdsReals(maker, type.element, within);
    case "function":
      return holdsReals(maker, type.to, within);
    case "data":
      return (
        !within.includes(type.name) &&
        maker
          .constructorsOf(type)
          .some(({ fields }) => fields.some((of) => holdsReals(maker, of, [...within, type.name])))
      );
    default:
      return false;
  }
}
