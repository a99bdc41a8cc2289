// Interleave_T : (T, d) -> Z -> (D[T], Z), of SV25 Figs. 8 and 9: the backpropagator of the whole, d, becomes that of each scalar. In
// Fig. 8 d takes a cotangent of T, in Fig. 9 an update T -> T; what differs comes in as `Injections`.

import type { Names } from "../core/names.js";
import * as b from "../target-calculus/build.js";
import type { DataTypes } from "../target-calculus/data.js";
import type { Fn, Term } from "../target-calculus/term.js";
import type { Type } from "../target-calculus/type.js";
import { isDiscrete, mapArray, nameIt } from "./arrays.js";
import type { DualTypes } from "./dual-types.js";
import { TypeIndexed } from "./type-indexed.js";
import type { DataType } from "./type-indexed.js";
import { undefinedAt } from "./unsupported.js";

/** What the backpropagator of a whole takes, and how what a component has to say becomes that. */
export interface Injections {
  /** The argument type of d at a type. */
  readonly domain: (type: Type) => Type;
  /** `_R -o m` from `domain R -o m`. */
  readonly leaf: (d: Term) => Term;
  /** From component `index` (`part : domain` of its type) into the tuple. */
  readonly intoTuple: (items: readonly Type[], index: number, part: Term) => Term;
  /** From the element at `index` of an array of `element`s. */
  readonly intoArray: (element: Type, index: Term, part: Term) => Term;
  /** From field `index` into a value made by `con`. */
  readonly intoData: (type: DataType, con: string, index: number, part: Term) => Term;
}

export class InterleaveStaged {
  readonly #data: DataTypes;
  readonly #types: DualTypes;
  readonly #m: Type;
  readonly #names: Names;
  readonly #inject: Injections;
  readonly #members: TypeIndexed;

  /** `m` is the monoid of staged calls. */
  constructor(data: DataTypes, types: DualTypes, m: Type, names: Names, inject: Injections) {
    this.#data = data;
    this.#types = types;
    this.#m = m;
    this.#names = names;
    this.#inject = inject;
    this.#members = new TypeIndexed("interleave", names, (name, type) => this.#atData(name, type));
  }

  get functions(): readonly Fn[] {
    return this.#members.functions;
  }

  /** Interleave_type (x, d) : M D[type]; `x` is an atom or a projection of one. */
  at(type: Type, x: Term, d: Term): Term {
    switch (type.kind) {
      // R = \(x, d). \i. ((x, (i, d)), i + 1)
      case "real": {
        const i = this.#names.fresh("i");
        const tagged = b.tuple(b.variable(i), this.#inject.leaf(d));
        return b.bind(i, b.int, b.ext("genID"), b.ret(b.tuple(x, tagged)));
      }
      case "int":
      case "bool":
        return b.ret(x);
      // (S, T) = \((x, y), d). \i. let (x', i') = Interleave_S (x, d into the left) i
      //                           in let (y', i'') = Interleave_T (y, d into the right) i' in ((x', y'), i'')
      case "tuple": {
        const shared = this.#names.fresh(`d${b.nameOf(x, "x")}`);
        const parts = type.items.map((item, i) => {
          const into = (part: Term): Term => this.#inject.intoTuple(type.items, i, part);
          return { item, term: this.at(item, b.proj(i, x), this.component(item, b.variable(shared), into)) };
        });
        return b.letIn(
          shared,
          b.linear(this.#inject.domain(type), this.#m),
          d,
          this.#inOrder(parts, (items) => b.tuple(...items)),
        );
      }
      // [T] = \(x, d). build (length x) (\i. Interleave_T (x ! i, d into element i)), one element after the other
      case "array": {
        if (isDiscrete(type)) return b.ret(x);
        const { element } = type;
        const shared = this.#names.fresh(`d${b.nameOf(x, "x")}`);
        const elements = nameIt(x, type, this.#names, (xs) =>
          mapArray(xs, element, this.#types.of(element), this.#names, (item, i) => {
            const into = (part: Term): Term => this.#inject.intoArray(element, i, part);
            return this.at(element, item, this.component(element, b.variable(shared), into));
          }),
        );
        return b.letIn(shared, b.linear(this.#inject.domain(type), this.#m), d, elements);
      }
      case "data":
        return b.call(this.#members.at(type), x, d);
      default:
        return undefinedAt("Interleave", type);
    }
  }

  /** `\_z. d (z into the whole)`: the backpropagator of a component. */
  component(type: Type, d: Term, into: (part: Term) => Term): Term {
    const z = this.#names.fresh("z");
    return b.linLam(z, this.#inject.domain(type), b.app(d, into(b.variable(z))));
  }

  // S + T = \(inl x, d). \i. let (x', i') = Interleave_S (x, d into inl) i in (inl x', i'); likewise inr, and every constructor
  #atData(name: string, type: DataType): Fn {
    const [x, d] = [this.#names.fresh("x"), this.#names.fresh("dx")];
    const branches = this.#data.constructorsOf(type).map(({ name: con, fields }) => {
      const vars = fields.map(() => this.#names.fresh("x"));
      const parts = fields.map((item, i) => {
        const into = (part: Term): Term => this.#inject.intoData(type, con, i, part);
        return { item, term: this.at(item, b.variable(vars[i] ?? x), this.component(item, b.variable(d), into)) };
      });
      return { con, vars, body: this.#inOrder(parts, (items) => b.con(con, this.#types.of(type), items)) };
    });
    return b.fn(
      name,
      [b.param(x, type), b.param(d, b.linear(this.#inject.domain(type), this.#m))],
      b.computation(this.#types.of(type)),
      b.caseOf(b.variable(x), type.name, branches),
    );
  }

  #inOrder(
    parts: readonly { readonly item: Type; readonly term: Term }[],
    whole: (items: readonly Term[]) => Term,
  ): Term {
    const named = parts.map((part) => ({ ...part, name: this.#names.fresh("x") }));
    return named.reduceRight(
      (rest, { name, item, term }) => b.bind(name, this.#types.of(item), term, rest),
      b.ret(whole(named.map(({ name }) => b.variable(name)))),
    );
  }
}
