// Deinterleave_T : D[T] -> (T, _T -o c), of SV25 Figs. 7, 8, 9 and 10 alike: they differ in D[R] and in the monoid `c`.

import type { Names } from "../core/names.js";
import * as b from "../target-calculus/build.js";
import type { DataTypes } from "../target-calculus/data.js";
import type { Fn, Term } from "../target-calculus/term.js";
import type { Type } from "../target-calculus/type.js";
import { isDiscrete, mapArray, nameIt, partOfEach } from "./arrays.js";
import type { DualTypes } from "./dual-types.js";
import { TypeIndexed } from "./type-indexed.js";
import type { DataType } from "./type-indexed.js";
import { undefinedAt } from "./unsupported.js";

/** How a stage splits its scalars. */
export interface SplitRules {
  /** `c`. */
  readonly codomain: Type;
  /** Deinterleave_R x, a term of type (R, _R -o c); `x` is an atom. */
  readonly real: (x: Term) => Term;
}

export class Deinterleave {
  readonly #data: DataTypes;
  readonly #types: DualTypes;
  readonly #names: Names;
  readonly #rules: SplitRules;
  readonly #members: TypeIndexed;

  constructor(data: DataTypes, types: DualTypes, names: Names, rules: SplitRules) {
    this.#data = data;
    this.#types = types;
    this.#names = names;
    this.#rules = rules;
    this.#members = new TypeIndexed("deinterleave", names, (name, type) => this.#atData(name, type));
  }

  get functions(): readonly Fn[] {
    return this.#members.functions;
  }

  /** Deinterleave_type x; `x` is an atom or a projection of one. */
  at(type: Type, x: Term): Term {
    const { codomain } = this.#rules;
    switch (type.kind) {
      case "real":
        return this.#rules.real(x);
      // Z = \n. (n, \_z. 0)
      case "int":
      case "bool":
        return b.tuple(x, b.linLam(this.#names.fresh("z"), type, b.zero(codomain)));
      // (S, T) = \(x, y). let (x1, x2) = Deinterleave_S x in let (y1, y2) = Deinterleave_T y
      //                   in ((x1, y1), \_z. x2 (fst z) + y2 (snd z))
      case "tuple": {
        const z = this.#names.fresh("z");
        const parts = type.items.map((item, i) => this.#part(item, b.proj(i, x), b.proj(i, b.variable(z))));
        const back = b.linLam(
          z,
          type,
          b.sum(
            codomain,
            parts.flatMap((part) => part.contribution),
          ),
        );
        return bindParts(parts, codomain, b.tuple(b.tuple(...parts.map((part) => b.variable(part.value))), back));
      }
      case "array":
        return nameIt(x, this.#types.of(type), this.#names, (xs) => this.#atArray(type.element, xs));
      case "data":
        return b.call(this.#members.at(type), x);
      default:
        return undefinedAt("Deinterleave", type);
    }
  }

  // [T] = \x. let ps = build (length x) (\i. Deinterleave_T (x ! i))
  //           in (build (length ps) (\i. fst (ps ! i)), \_z. sum (length ps) (\i. snd (ps ! i) (z ! i)))
  #atArray(element: Type, x: Term): Term {
    const { codomain } = this.#rules;
    const [ps, z, k] = [this.#names.fresh("ps"), this.#names.fresh("z"), this.#names.fresh("k")];
    const pair = b.tupleType(element, b.linear(element, codomain));
    const pairs = mapArray(x, this.#types.of(element), pair, this.#names, (dual) => this.at(element, dual));
    const [each, i] = [b.indexOf(b.variable(ps), b.variable(k)), b.variable(k)];
    const calls = b.app(b.proj(1, each), b.indexOf(b.variable(z), i));
    const total = b.sumOver(codomain, b.length(b.variable(ps)), k, calls);
    const back = b.linLam(z, b.arrayType(element), isDiscrete(element) ? b.zero(codomain) : total);
    const values = partOfEach(b.variable(ps), 0, element, this.#names);
    return isDiscrete(element) ? b.tuple(x, back) : b.letIn(ps, b.arrayType(pair), pairs, b.tuple(values, back));
  }

  // S + T = \(inl x). let (y, d) = Deinterleave_S x in (inl y, \_z. case z of inl w -> d w); likewise inr, and every constructor
  #atData(name: string, type: DataType): Fn {
    const { codomain } = this.#rules;
    const x = this.#names.fresh("x");
    const constructors = this.#data.constructorsOf(type);
    const branches = constructors.map(({ name: con, fields }) => {
      const z = this.#names.fresh("z");
      const vars = fields.map(() => this.#names.fresh("x"));
      const ws = fields.map(() => this.#names.fresh("w"));
      const parts = fields.map((field, i) => this.#part(field, b.variable(vars[i] ?? x), b.variable(ws[i] ?? z)));
      const back = b.caseOf(
        b.variable(z),
        type.name,
        constructors.map((other) =>
          other.name === con
            ? {
                con,
                vars: ws,
                body: b.sum(
                  codomain,
                  parts.flatMap((part) => part.contribution),
                ),
              }
            : { con: other.name, vars: other.fields.map(() => this.#names.fresh("w")), body: b.impossible(codomain) },
        ),
      );
      const value = b.con(
        con,
        type,
        parts.map((part) => b.variable(part.value)),
      );
      return { con, vars, body: bindParts(parts, codomain, b.tuple(value, b.linLam(z, type, back))) };
    });
    return b.fn(
      name,
      [b.param(x, this.#types.of(type))],
      b.tupleType(type, b.linear(type, codomain)),
      b.caseOf(b.variable(x), this.#types.dataName(type.name), branches),
    );
  }

  #part(type: Type, x: Term, cotangent: Term): Part {
    const [value, back] = [this.#names.fresh("x"), this.#names.fresh("d")];
    const contribution = isDiscrete(type) ? [] : [b.app(b.variable(back), cotangent)];
    return { value, back, type, bound: this.at(type, x), contribution };
  }
}

interface Part {
  readonly value: string;
  readonly back: string;
  readonly type: Type;
  readonly bound: Term;
  /** None at a type without cotangent. */
  readonly contribution: readonly Term[];
}

function bindParts(parts: readonly Part[], codomain: Type, body: Term): Term {
  return parts.reduceRight((rest, { value, back, type, bound }) => {
    const vars = [b.param(value, type), b.param(back, b.linear(type, codomain))];
    return b.letTuple(vars, bound, rest);
  }, body);
}
