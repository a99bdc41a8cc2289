// The reals of values one by one: how many there are, in which order, and values made of them.

import * as b from "../core/build.js";
import { countOf, scalarsOf } from "../core/scalars.js";
import type { Term } from "../core/term.js";
import type { Type } from "../core/type.js";
import { at, ByType, found, sumZ } from "./by-type.js";

/** Larger values make a loop. */
const mostWrittenOut = 32;

export class Numbers extends ByType {
  /** Zeros in the shape of a value; truth values are their own. */
  zero(type: Type, term: Term): Term {
    return this.mapped("zero", type, term, (real, int) => (real === null ? int : b.realLit(0)));
  }

  /** A value whose reals are constants as far as derivatives are concerned. */
  stopped(type: Type, term: Term): Term {
    if (!this.data.hasReal(type)) return term;
    return this.mapped("stopGradient", type, term, (real, int) => (real === null ? int : b.op("stop", [real], null)));
  }

  /** Zeros in the shape of a value, with the derivative of that: a direction, as far as reverse passes are concerned. */
  direction(type: Type, term: Term): Term {
    return this.mapped("direction", type, term, (real, int) => (real === null ? int : b.op("linked", [b.realLit(0), real], null))); // prettier-ignore
  }

  /** A value of a type without data types, each real of which has the derivative of one real. */
  linkedTo(type: Type, value: Term, from: Term): Term {
    return this.mapped("stopGradient", type, value, (real, int) => (real === null ? int : b.op("linked", [real, from], null))); // prettier-ignore
  }

  /** Each real by `real`; integers are zeros where `op` is "zero". */
  protected mapped(
    op: "zero" | "stopGradient" | "direction",
    type: Type,
    term: Term,
    real: (real: Term | null, other: Term) => Term,
  ): Term {
    switch (type.kind) {
      case "real":
        return real(term, term);
      case "int":
        return op === "stopGradient" ? term : b.intLit(0);
      case "tuple":
        return this.bind("x", type, term, (x) =>
          b.tuple(...type.items.map((item, i) => this.mapped(op, item, b.proj(i, x), real))),
        );
      case "array":
        return this.bind("xs", type, term, (xs) =>
          this.build(b.length(xs), type.element, (i) => this.mapped(op, type.element, b.indexOf(xs, i, null), real)),
        );
      case "data":
        return this.ofData(op, op, type, [], type, { x: term, others: [] }, (_, con, vars) =>
          b.con(
            con,
            type,
            this.fieldsOf(type, con).map((field, i) => this.mapped(op, field, at(vars, i), real)),
          ),
        );
      default:
        return term;
    }
  }

  /**
   * A value in the shape of `x`, which has in the place of each real what `along` gives for the tangent that is 1 there and 0 elsewhere: with a directional derivative
   * the gradient.
   */
  each(type: Type, x: Term, along: (tangent: Term) => Term): Term {
    switch (type.kind) {
      case "real":
        return along(b.realLit(1));
      case "tuple":
        return this.bind("x", type, x, (xs) =>
          b.tuple(
            ...type.items.map((item, i) =>
              this.each(item, b.proj(i, xs), (one) =>
                along(b.tuple(...type.items.map((other, j) => (i === j ? one : this.zero(other, b.proj(j, xs)))))),
              ),
            ),
          ),
        );
      case "array":
        if (!this.data.hasReal(type)) return this.zero(type, x);
        return this.bind("xs", type, x, (xs) =>
          this.build(b.length(xs), type.element, (i) =>
            this.each(type.element, b.indexOf(xs, i, null), (one) =>
              this.bind("one", type.element, one, (only) =>
                along(
                  this.build(b.length(xs), type.element, (j) =>
                    b.ifThenElse(b.op("eqZ", [i, j], null), only, this.zero(type.element, b.indexOf(xs, j, null))),
                  ),
                ),
              ),
            ),
          ),
        );
      case "data":
        if (!this.data.hasReal(type)) return this.zero(type, x);
        return this.bind("x", type, x, (value) => {
          const all = this.names.fresh("numbers");
          const numbers = this.build(this.count(type, value), b.real, (n) => along(this.unit(type, value, b.intLit(0), n))); // prettier-ignore
          const filled = this.#numbered("gather", type, value, b.intLit(0), b.variable(all), b.arrayType(b.real), numberOf); // prettier-ignore
          return b.letIn(all, b.arrayType(b.real), numbers, filled);
        });
      default:
        return this.zero(type, x);
    }
  }

  /** How many reals there are in a value. */
  count(type: Type, x: Term): Term {
    if (!this.data.hasReal(type)) return b.intLit(0);
    switch (type.kind) {
      case "real":
        return b.intLit(1);
      case "tuple":
        return this.bind("x", type, x, (xs) => sumZ(type.items.map((item, i) => this.count(item, b.proj(i, xs)))));
      case "array": {
        const size = this.sizeOf(type.element);
        return this.bind(
          "xs",
          type,
          x,
          (xs) =>
          size === 1 ? b.length(xs) : size !== null ? b.op("mulZ", [b.length(xs), b.intLit(size)], null) : this.sumOf(b.length(xs), b.int, "addZ", b.intLit(0), (i) => this.count(type.element, b.indexOf(xs, i, null))), // prettier-ignore
        );
      }
      case "data":
        return this.ofData("count", "count", type, [], b.int, { x, others: [] }, (_, con, vars) =>
          sumZ(this.fieldsOf(type, con).map((field, i) => this.count(field, at(vars, i)))),
        );
      default:
        return b.intLit(0);
    }
  }

  /** Zeros in the shape of `x`, of which the first is number `start`, and a one in the place of number `n`. */
  unit(type: Type, x: Term, start: Term, n: Term): Term {
    return this.#numbered("unit", type, x, start, n, b.int, (at_, given) =>
      b.ifThenElse(b.op("eqZ", [at_, given], null), b.realLit(1), b.realLit(0)),
    );
  }

  /** The numbers of an array, from place `start` on, in the shape of `x`. */
  filled(type: Type, x: Term, start: Term, numbers: Term): Term {
    return this.#numbered("fill", type, x, start, numbers, b.arrayType(b.real), (at_, given) => b.indexOf(given, at_, null)); // prettier-ignore
  }

  /** The reals of a value as one array, in order. */
  packed(type: Type, x: Term): Term {
    if (type.kind === "array" && type.element.kind === "real") return x;
    const size = this.sizeOf(type);
    if (size !== null && size <= mostWrittenOut) return this.ofReals([[type, x]], (reals) => b.array(b.real, reals));
    return this.bind("x", type, x, (value) =>
      this.build(this.count(type, value), b.real, (n) => this.#numberAt(type, value, n)),
    );
  }

  /** What is made of the reals of values, of types that have a known number of them. */
  ofReals(
    values: readonly (readonly [Type, Term])[],
    whole: (reals: readonly Term[]) => Term,
    before: readonly Term[] = [],
  ): Term {
    const [first, ...rest] = values;
    if (first === undefined) return whole(before);
    const [type, value] = first;
    if (!this.data.hasReal(type)) return this.ofReals(rest, whole, before);
    switch (type.kind) {
      case "tuple":
        return this.bind("x", type, value, (xs) =>
          this.ofReals([...type.items.map((item, i) => [item, b.proj(i, xs)] as const), ...rest], whole, before),
        );
      case "data":
        return this.caseOf(
          type,
          value,
          (con, vars) =>
          this.ofReals([...this.fieldsOf(type, con).map((field, i) => [field, at(vars, i)] as const), ...rest], whole, before), // prettier-ignore
        );
      default:
        return this.ofReals(rest, whole, [...before, value]);
    }
  }

  /** Real number `n` of a value. */
  #numberAt(type: Type, x: Term, n: Term): Term {
    switch (type.kind) {
      case "real":
        return x;
      case "tuple":
        return this.bind("x", type, x, (xs) =>
          this.#firstOf(
            type.items,
            type.items.map((_, i) => b.proj(i, xs)),
            n,
          ),
        );
      case "array": {
        if (type.element.kind === "real") return b.indexOf(x, n, null);
        const size = this.sizeOf(type.element);
        const place = (op: "divZ" | "modZ"): Term => b.op(op, [n, b.intLit(size ?? 1)], null);
        return this.bind(
          "xs",
          type,
          x,
          (xs) =>
          size === null ? this.#elementWith(type.element, xs, n) : this.#numberAt(type.element, b.indexOf(xs, place("divZ"), null), place("modZ")), // prettier-ignore
        );
      }
      case "data":
        return this.ofData("number", "number", type, [b.int], b.real, { x, others: [n] }, ([given], con, vars) =>
          this.#firstOf(this.fieldsOf(type, con), vars, found(given)),
        );
      default:
        return b.realLit(0);
    }
  }

  /** Number `n` of the numbers of several values, those of each after those before. */
  #firstOf(types: readonly Type[], values: readonly Term[], n: Term): Term {
    const last = types.findLastIndex((type) => this.data.hasReal(type));
    const from = (index: number, place: Term): Term => {
      const type = types[index];
      if (type === undefined) return b.realLit(0);
      const value = at(values, index);
      if (!this.data.hasReal(type)) return from(index + 1, place);
      if (index === last) return this.#numberAt(type, value, place);
      const rest = (size: Term): Term =>
        b.ifThenElse(
          b.op("ltZ", [place, size], null),
          this.#numberAt(type, value, place),
          this.bind("n", b.int, b.op("subZ", [place, size], null), (next) => from(index + 1, next)),
        );
      return this.bind("size", b.int, this.count(type, value), rest);
    };
    return from(0, n);
  }

  /** How many reals every value of a type has; null where they may have different numbers. */
  sizeOf(type: Type): number | null {
    const scalars = scalarsOf(type, this.data.types);
    return scalars === null ? null : countOf(scalars);
  }

  /** Number `n` of the numbers of an array's elements: `let rec go(i, n) = if n < count (xs ! i) then .. else go(i + 1, n - count (xs ! i)) in go(0, n)`. */
  #elementWith(element: Type, xs: Term, n: Term): Term {
    const [go, i, place] = [this.names.fresh("go"), this.names.fresh("i"), this.names.fresh("n")];
    const item = b.indexOf(xs, b.variable(i), null);
    const body = this.bind("size", b.int, this.count(element, item), (size) =>
      b.ifThenElse(
        b.op("ltZ", [b.variable(place), size], null),
        this.#numberAt(element, item, b.variable(place)),
        b.call(go, [b.op("addZ", [b.variable(i), b.intLit(1)], null), b.op("subZ", [b.variable(place), size], null)]),
      ),
    );
    const fn = b.fn(go, [b.param(i, b.int), b.param(place, b.int)], b.real, body);
    return b.letRec([fn], b.call(go, [b.intLit(0), n]));
  }

  #numbered(
    op: "unit" | "fill" | "gather",
    type: Type,
    x: Term,
    start: Term,
    given: Term,
    givenType: Type,
    real: (at: Term, given: Term) => Term,
  ): Term {
    const inner = (of: Type, value: Term, place: Term): Term =>
      this.#numbered(op, of, value, place, given, givenType, real);
    // What is filled in keeps its integers, a tangent or cotangent has zeros there
    if (!this.data.hasReal(type)) return op === "fill" ? x : this.zero(type, x);
    switch (type.kind) {
      case "real":
        return real(start, given);
      case "tuple":
        return this.bind("x", type, x, (xs) => this.#inOrder(type.items, type.items.map((_, i) => b.proj(i, xs)), start, inner, (items) => b.tuple(...items))); // prettier-ignore
      case "array":
        return this.bind("xs", type, x, (xs) =>
          this.build(b.length(xs), type.element, (i) => {
            const size = this.sizeOf(type.element);
            const before = size === 1 ? i : size !== null ? b.op("mulZ", [i, b.intLit(size)], null) : this.sumOf(i, b.int, "addZ", b.intLit(0), (j) => this.count(type.element, b.indexOf(xs, j, null))); // prettier-ignore
            return this.bind("at", b.int, b.op("addZ", [start, before], null), (place) =>
              inner(type.element, b.indexOf(xs, i, null), place),
            );
          }),
        );
      case "data":
        return this.ofData(
          op,
          op,
          type,
          [b.int, givenType],
          type,
          { x, others: [start, given] },
          ([from, all], con, vars) => {
            const fields = this.fieldsOf(type, con);
            const within = (of: Type, value: Term, place: Term): Term =>
              this.#numbered(op, of, value, place, found(all), givenType, real);
            return this.#inOrder(fields, vars, found(from), within, (items) => b.con(con, type, items));
          },
        );
      default:
        return x;
    }
  }

  /** Values of several types, the numbers of each after those before. */
  #inOrder(
    types: readonly Type[],
    values: readonly Term[],
    start: Term,
    inner: (type: Type, value: Term, place: Term) => Term,
    whole: (items: readonly Term[]) => Term,
  ): Term {
    const from = (index: number, place: Term, done: readonly Term[]): Term => {
      const type = types[index];
      if (type === undefined) return whole(done);
      const item = inner(type, at(values, index), place);
      const next = b.op("addZ", [place, this.count(type, at(values, index))], null);
      if (!this.data.hasReal(type) || index === types.length - 1) return from(index + 1, place, [...done, item]);
      return this.bind("at", b.int, next, (after) => from(index + 1, after, [...done, item]));
    };
    return from(0, start, []);
  }
}

function numberOf(at_: Term, numbers: Term): Term {
  return b.indexOf(numbers, at_, null);
}
