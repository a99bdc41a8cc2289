// Interleave_T : T -> Z -> ((D[T], K -> T), Z), of SV25 Fig. 10 and of §8: the input's scalars are numbered, and beside the dual value
// comes the function that rebuilds a cotangent of T from the finished collector K, by those numbers.

import type { Names } from "../core/names.js";
import * as b from "../target-calculus/build.js";
import type { DataTypes } from "../target-calculus/data.js";
import type { Fn, Term } from "../target-calculus/term.js";
import type { Type } from "../target-calculus/type.js";
import { mapArray, nameIt, partOfEach } from "./arrays.js";
import type { DualTypes } from "./dual-types.js";
import { TypeIndexed } from "./type-indexed.js";
import type { DataType } from "./type-indexed.js";
import { undefinedAt } from "./unsupported.js";

/** What a stage makes of the input's scalars. */
export interface InputRules {
  /** `K`. */
  readonly collector: Type;
  /** The type of the numbers of scalars; left out: Z. */
  readonly id?: Type;
  /** The second half of D[R] for input number `i`. */
  readonly tagged: (i: Term) => Term;
  /** `a[i]`. */
  readonly read: (a: Term, i: Term) => Term;
}

export class InterleaveRebuild {
  readonly #data: DataTypes;
  readonly #types: DualTypes;
  readonly #names: Names;
  readonly #rules: InputRules;
  readonly #members: TypeIndexed;

  constructor(data: DataTypes, types: DualTypes, names: Names, rules: InputRules) {
    this.#data = data;
    this.#types = types;
    this.#names = names;
    this.#rules = rules;
    this.#members = new TypeIndexed("interleave", names, (name, type) => this.#atData(name, type));
  }

  get functions(): readonly Fn[] {
    return this.#members.functions;
  }

  /** (D[type], K -> type). */
  result(type: Type): Type {
    return b.tupleType(this.#types.of(type), this.rebuildType(type));
  }

  /** K -> type. */
  rebuildType(type: Type): Type {
    return b.fnType(this.#rules.collector, type);
  }

  /** Interleave_type x : M (D[type], K -> type); `x` is an atom or a projection of one. */
  at(type: Type, x: Term): Term {
    switch (type.kind) {
      // R = \x. \i. (((x, (i, SOneHot i)), \a. a[i]), i + 1)
      case "real": {
        const i = this.#names.fresh("i");
        const dual = b.tuple(x, this.#rules.tagged(b.variable(i)));
        return b.bind(
          i,
          this.#rules.id ?? b.int,
          b.ext("genID"),
          b.ret(
            b.tuple(
              dual,
              this.#rebuild((a) => this.#rules.read(a, b.variable(i))),
            ),
          ),
        );
      }
      // Z = \n. \i. ((n, \a. 0), i)      Departs from SV25 Fig. 10, which rebuilds n: the cotangent of an integer is zero in every stage
      case "int":
        return b.ret(
          b.tuple(
            x,
            this.#rebuild(() => b.zero(b.int)),
          ),
        );
      case "bool":
        return b.ret(
          b.tuple(
            x,
            this.#rebuild(() => x),
          ),
        );
      // (S, T) = \(x, y). \i. let ((x', f1), i') = Interleave_S x i in let ((y', f2), i'') = Interleave_T y i'
      //                      in (((x', y'), \a. (f1 a, f2 a)), i'')
      case "tuple":
        return this.#parts(
          type.items.map((item, i) => ({ item, x: b.proj(i, x) })),
          (items) => b.tuple(...items),
          (items) => b.tuple(...items),
        );
      case "array":
        return nameIt(x, type, this.#names, (xs) => this.#atArray(type.element, xs));
      case "data":
        return b.call(this.#members.at(type), x);
      default:
        return undefinedAt("Interleave", type);
    }
  }

  // [T] = \x. \i. let (ps, i') = build (length x) (\k. Interleave_T (x ! k)) i
  //               in ((build (length ps) (\k. fst (ps ! k)), \a. build (length ps) (\k. snd (ps ! k) a)), i')
  #atArray(element: Type, x: Term): Term {
    const ps = b.variable(this.#names.fresh("ps"));
    const pairs = mapArray(x, element, this.result(element), this.#names, (item) => this.at(element, item));
    const rebuild = this.#rebuild((a) => {
      const k = this.#names.fresh("k");
      const each = b.app(b.proj(1, b.indexOf(ps, b.variable(k))), a);
      return b.build(b.length(ps), k, element, each);
    });
    const duals = partOfEach(ps, 0, this.#types.of(element), this.#names);
    const both = b.ret(b.tuple(duals, rebuild));
    return b.bind(b.nameOf(ps, "ps"), b.arrayType(this.result(element)), pairs, both);
  }

  #atData(name: string, type: DataType): Fn {
    const x = this.#names.fresh("x");
    const branches = this.#data.constructorsOf(type).map(({ name: con, fields }) => {
      const vars = fields.map(() => this.#names.fresh("x"));
      const body = this.#parts(
        fields.map((item, i) => ({ item, x: b.variable(vars[i] ?? x) })),
        (items) => b.con(con, this.#types.of(type), items),
        (items) => b.con(con, type, items),
      );
      return { con, vars, body };
    });
    const result = b.computation(this.result(type));
    return b.fn(name, [b.param(x, type)], result, b.caseOf(b.variable(x), type.name, branches));
  }

  #parts(
    components: readonly { readonly item: Type; readonly x: Term }[],
    dual: (items: readonly Term[]) => Term,
    value: (items: readonly Term[]) => Term,
  ): Term {
    const parts = components.map(({ item, x }) => ({
      item,
      bound: this.at(item, x),
      both: this.#names.fresh("p"),
      dual: b.param(this.#names.fresh("x"), this.#types.of(item)),
      rebuild: b.param(this.#names.fresh("f"), this.rebuildType(item)),
    }));
    const rebuild = this.#rebuild((a) => value(parts.map((part) => b.app(b.variable(part.rebuild.name), a))));
    return parts.reduceRight(
      (rest, part) =>
        b.bind(
          part.both,
          this.result(part.item),
          part.bound,
          b.letTuple([part.dual, part.rebuild], b.variable(part.both), rest),
        ),
      b.ret(b.tuple(dual(parts.map((part) => b.variable(part.dual.name))), rebuild)),
    );
  }

  #rebuild(body: (a: Term) => Term): Term {
    const a = this.#names.fresh("a");
    return b.lam(a, this.#rules.collector, body(b.variable(a)));
  }
}
