// What derivatives do with values by their types: pair a value with a tangent, take the parts of pairs, and go over the reals one by one. What does so with values of
// a data type is a definition of its own, made once.

import * as b from "../core/build.js";
import type { Names } from "../core/names.js";
import type { Fn, Site, Term } from "../core/term.js";
import type { Type } from "../core/type.js";
import { InternalError } from "../internal-error.js";
import { dualType, fullActivity, ofElement, ofItem, sameActivity, type Activity } from "./activity.js";
import type { DualData } from "./dual-data.js";

type DataType = Type & { readonly kind: "data" };

/** What is given to the definition for a data type. */
interface Operands {
  readonly x: Term;
  readonly others: readonly Term[];
}

export class Values {
  readonly #data: DualData;
  readonly #names: Names;
  readonly #define: (fn: Fn) => void;
  readonly #made = new Map<string, string>();

  constructor(data: DualData, names: Names, define: (fn: Fn) => void) {
    this.#data = data;
    this.#names = names;
    this.#define = define;
  }

  /** Gives a term a name, where it may not be written twice. */
  bind(hint: string, type: Type, term: Term, rest: (atom: Term) => Term): Term {
    if (isPath(term)) return rest(term);
    const name = this.#names.fresh(hint);
    return b.letIn(name, type, term, rest(b.variable(name)));
  }

  /** The same tangent of a value: (x, dx) with all reals in pairs; fails at `site` where their shapes differ. */
  zip(type: Type, x: Term, dx: Term, site: Site | null): Term {
    if (!this.#data.hasReal(type)) return x;
    switch (type.kind) {
      case "real":
        return b.tuple(x, dx);
      case "tuple":
        return this.bind("x", type, x, (xs) =>
          this.bind("dx", type, dx, (dxs) =>
            b.tuple(...type.items.map((item, i) => this.zip(item, b.proj(i, xs), b.proj(i, dxs), site))),
          ),
        );
      case "array": {
        const element = dualType(type.element, fullActivity(type.element, this.#data), this.#data);
        return this.bind("xs", type, x, (xs) =>
          this.bind("dxs", type, dx, (dxs) => {
            const size = b.op("sameLength", [b.length(xs), b.length(dxs)], site);
            return this.#build(size, element, (i) =>
              this.zip(type.element, b.indexOf(xs, i, null), b.indexOf(dxs, i, null), site),
            );
          }),
        );
      }
      case "data": {
        const dual = this.#data.dual(type);
        return this.#ofData(
          `zip ${JSON.stringify(site)}`,
          "zip",
          type,
          [type],
          dual,
          { x, others: [dx] },
          ([other], con, vars) =>
            this.#case(type, found(other), (otherCon, otherVars) => {
              const fields = this.#fields(type, con);
              if (otherCon === con)
              return b.con(con, dual, fields.map((field, i) => this.zip(field, at(vars, i), at(otherVars, i), site))); // prettier-ignore
              const lifted = b.con(con, dual, fields.map((field, i) => this.lift(field, "passive", fullActivity(field, this.#data), at(vars, i)))); // prettier-ignore
              const [own, given] = [this.#place(type, con), this.#place(type, otherCon)];
              return b.letIn(this.#names.fresh("same"), b.int, b.op("sameLength", [own, given], site), lifted);
            }),
        );
      }
      default:
        return x;
    }
  }

  /** A value as one of more activity: the tangents are zero. */
  lift(type: Type, from: Activity, to: Activity, term: Term): Term {
    if (sameActivity(from, to)) return term;
    switch (type.kind) {
      case "real":
        return b.tuple(term, b.realLit(0));
      case "tuple":
        if (term.kind === "tuple") return b.tuple(...type.items.map((item, i) => this.lift(item, ofItem(from, i), ofItem(to, i), at(term.items, i)))); // prettier-ignore
        return this.bind("x", dualType(type, from, this.#data), term, (x) =>
          b.tuple(...type.items.map((item, i) => this.lift(item, ofItem(from, i), ofItem(to, i), b.proj(i, x)))),
        );
      case "array":
        return this.bind("xs", dualType(type, from, this.#data), term, (xs) =>
          this.#build(b.length(xs), dualType(type.element, ofElement(to), this.#data), (i) =>
            this.lift(type.element, ofElement(from), ofElement(to), b.indexOf(xs, i, null)),
          ),
        );
      case "data": {
        const dual = this.#data.dual(type);
        return this.#ofData(
          "lift",
          "lift",
          type,
          [],
          dual,
          { x: term, others: [] },
          (_, con, vars) =>
          b.con(con, dual, this.#fields(type, con).map((field, i) => this.lift(field, "passive", fullActivity(field, this.#data), at(vars, i)))), // prettier-ignore
        );
      }
      default:
        return term;
    }
  }

  /** The values in a dual value. */
  primal(type: Type, activity: Activity, term: Term): Term {
    return this.#half(0, type, activity, term);
  }

  /** The tangents in a dual value: zeros where it is passive, at integers too; truth values are their own. */
  tangent(type: Type, activity: Activity, term: Term): Term {
    return activity === "passive" ? this.zero(type, term) : this.#half(1, type, activity, term);
  }

  #half(half: 0 | 1, type: Type, activity: Activity, term: Term): Term {
    const part = (of: Type, its: Activity, value: Term): Term =>
      half === 0 ? this.primal(of, its, value) : this.tangent(of, its, value);
    if (activity === "passive") return term;
    switch (type.kind) {
      case "real":
        return b.proj(half, term);
      case "tuple":
        return this.bind("x", dualType(type, activity, this.#data), term, (x) =>
          b.tuple(...type.items.map((item, i) => part(item, ofItem(activity, i), b.proj(i, x)))),
        );
      case "array":
        return this.bind("xs", dualType(type, activity, this.#data), term, (xs) =>
          this.#build(b.length(xs), type.element, (i) =>
            part(type.element, ofElement(activity), b.indexOf(xs, i, null)),
          ),
        );
      case "data": {
        const name = half === 0 ? "primal" : "tangent";
        return this.#ofData(
          name,
          name,
          this.#data.dual(type),
          [],
          type,
          { x: term, others: [] },
          (_, con, vars) =>
          b.con(con, type, this.#fields(type, con).map((field, i) => part(field, fullActivity(field, this.#data), at(vars, i)))), // prettier-ignore
        );
      }
      default:
        return term;
    }
  }

  /** Zeros in the shape of a value; truth values are their own. */
  zero(type: Type, term: Term): Term {
    return this.#map("zero", type, term, (real, int) => (real === null ? int : b.realLit(0)));
  }

  /** A value whose reals are constants as far as derivatives are concerned. */
  stopped(type: Type, term: Term): Term {
    if (!this.#data.hasReal(type)) return term;
    return this.#map("stopGradient", type, term, (real, int) => (real === null ? int : b.op("stop", [real], null)));
  }

  /** Each real by `real`; integers are zeros where `op` is "zero". */
  #map(op: "zero" | "stopGradient", type: Type, term: Term, real: (real: Term | null, other: Term) => Term): Term {
    switch (type.kind) {
      case "real":
        return real(term, term);
      case "int":
        return op === "zero" ? b.intLit(0) : term;
      case "tuple":
        return this.bind("x", type, term, (x) =>
          b.tuple(...type.items.map((item, i) => this.#map(op, item, b.proj(i, x), real))),
        );
      case "array":
        return this.bind("xs", type, term, (xs) =>
          this.#build(b.length(xs), type.element, (i) => this.#map(op, type.element, b.indexOf(xs, i, null), real)),
        );
      case "data":
        return this.#ofData(op, op, type, [], type, { x: term, others: [] }, (_, con, vars) =>
          b.con(
            con,
            type,
            this.#fields(type, con).map((field, i) => this.#map(op, field, at(vars, i), real)),
          ),
        );
      default:
        return term;
    }
  }

  /** The sum of the products of all reals of two values of one shape. */
  dot(type: Type, x: Term, y: Term): Term {
    if (!this.#data.hasReal(type)) return b.realLit(0);
    switch (type.kind) {
      case "real":
        return b.op("scaled", [x, y], null);
      case "tuple":
        return this.bind("x", type, x, (xs) =>
          this.bind("y", type, y, (ys) =>
            sum(type.items.map((item, i) => this.dot(item, b.proj(i, xs), b.proj(i, ys)))),
          ),
        );
      case "array":
        return this.bind(
          "xs",
          type,
          x,
          (xs) =>
          this.bind("ys", type, y, (ys) => this.#sum(b.length(xs), b.real, "add", b.realLit(0), (i) => this.dot(type.element, b.indexOf(xs, i, null), b.indexOf(ys, i, null)))), // prettier-ignore
        );
      case "data":
        return this.#ofData("dot", "dot", type, [type], b.real, { x, others: [y] }, ([other], con, vars) =>
          this.#case(type, found(other), (otherCon, otherVars) =>
            otherCon === con
              ? sum(this.#fields(type, con).map((field, i) => this.dot(field, at(vars, i), at(otherVars, i))))
              : b.realLit(0),
          ),
        );
      default:
        return b.realLit(0);
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
        if (!this.#data.hasReal(type)) return this.zero(type, x);
        return this.bind("xs", type, x, (xs) =>
          this.#build(b.length(xs), type.element, (i) =>
            this.each(type.element, b.indexOf(xs, i, null), (one) =>
              this.bind("one", type.element, one, (only) =>
                along(
                  this.#build(b.length(xs), type.element, (j) =>
                    b.ifThenElse(b.op("eqZ", [i, j], null), only, this.zero(type.element, b.indexOf(xs, j, null))),
                  ),
                ),
              ),
            ),
          ),
        );
      case "data":
        if (!this.#data.hasReal(type)) return this.zero(type, x);
        return this.bind("x", type, x, (value) => {
          const all = this.#names.fresh("numbers");
          const numbers = this.#build(this.count(type, value), b.real, (n) => along(this.unit(type, value, b.intLit(0), n))); // prettier-ignore
          const filled = this.filled(type, value, b.intLit(0), b.variable(all));
          return b.letIn(all, b.arrayType(b.real), numbers, filled);
        });
      default:
        return this.zero(type, x);
    }
  }

  /** How many reals there are in a value. */
  count(type: Type, x: Term): Term {
    if (!this.#data.hasReal(type)) return b.intLit(0);
    switch (type.kind) {
      case "real":
        return b.intLit(1);
      case "tuple":
        return this.bind("x", type, x, (xs) => sumZ(type.items.map((item, i) => this.count(item, b.proj(i, xs)))));
      case "array":
        return this.bind(
          "xs",
          type,
          x,
          (xs) =>
          type.element.kind === "real" ? b.length(xs) : this.#sum(b.length(xs), b.int, "addZ", b.intLit(0), (i) => this.count(type.element, b.indexOf(xs, i, null))), // prettier-ignore
        );
      case "data":
        return this.#ofData("count", "count", type, [], b.int, { x, others: [] }, (_, con, vars) =>
          sumZ(this.#fields(type, con).map((field, i) => this.count(field, at(vars, i)))),
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
    if (type.kind === "real") return b.array(b.real, [x]);
    return this.bind("x", type, x, (value) =>
      this.#build(this.count(type, value), b.real, (n) => this.#numberAt(type, value, n)),
    );
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
        return this.bind("xs", type, x, (xs) => this.#elementWith(type.element, xs, n));
      }
      case "data":
        return this.#ofData("number", "number", type, [b.int], b.real, { x, others: [n] }, ([given], con, vars) =>
          this.#firstOf(this.#fields(type, con), vars, found(given)),
        );
      default:
        return b.realLit(0);
    }
  }

  /** Number `n` of the numbers of several values, those of each after those before. */
  #firstOf(types: readonly Type[], values: readonly Term[], n: Term): Term {
    const last = types.findLastIndex((type) => this.#data.hasReal(type));
    const from = (index: number, place: Term): Term => {
      const type = types[index];
      if (type === undefined) return b.realLit(0);
      const value = at(values, index);
      if (!this.#data.hasReal(type)) return from(index + 1, place);
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

  /** Number `n` of the numbers of an array's elements: `let rec go(i, n) = if n < count (xs ! i) then .. else go(i + 1, n - count (xs ! i)) in go(0, n)`. */
  #elementWith(element: Type, xs: Term, n: Term): Term {
    const [go, i, place] = [this.#names.fresh("go"), this.#names.fresh("i"), this.#names.fresh("n")];
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
    op: "unit" | "fill",
    type: Type,
    x: Term,
    start: Term,
    given: Term,
    givenType: Type,
    real: (at: Term, given: Term) => Term,
  ): Term {
    const inner = (of: Type, value: Term, place: Term): Term =>
      this.#numbered(op, of, value, place, given, givenType, real);
    if (!this.#data.hasReal(type)) return this.zero(type, x);
    switch (type.kind) {
      case "real":
        return real(start, given);
      case "tuple":
        return this.bind("x", type, x, (xs) => this.#inOrder(type.items, type.items.map((_, i) => b.proj(i, xs)), start, inner, (items) => b.tuple(...items))); // prettier-ignore
      case "array":
        return this.bind("xs", type, x, (xs) =>
          this.#build(b.length(xs), type.element, (i) => {
            const before = type.element.kind === "real" ? i : this.#sum(i, b.int, "addZ", b.intLit(0), (j) => this.count(type.element, b.indexOf(xs, j, null))); // prettier-ignore
            return this.bind("at", b.int, b.op("addZ", [start, before], null), (place) =>
              inner(type.element, b.indexOf(xs, i, null), place),
            );
          }),
        );
      case "data":
        return this.#ofData(
          op,
          op,
          type,
          [b.int, givenType],
          type,
          { x, others: [start, given] },
          ([from, all], con, vars) => {
            const fields = this.#fields(type, con);
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
      if (!this.#data.hasReal(type) || index === types.length - 1) return from(index + 1, place, [...done, item]);
      return this.bind("at", b.int, next, (after) => from(index + 1, after, [...done, item]));
    };
    return from(0, start, []);
  }

  #build(size: Term, element: Type, body: (index: Term) => Term): Term {
    const i = this.#names.fresh("i");
    return b.build(size, i, element, body(b.variable(i)), null);
  }

  /** `let rec go(i, acc) = if i == n then acc else go(i + 1, acc + each i) in go(0, 0)`. */
  #sum(size: Term, type: Type, plus: "add" | "addZ", zero: Term, each: (index: Term) => Term): Term {
    const [go, i, acc] = [this.#names.fresh("go"), this.#names.fresh("i"), this.#names.fresh("acc")];
    return this.bind("n", b.int, size, (n) => {
      const next = b.call(go, [
        b.op("addZ", [b.variable(i), b.intLit(1)], null),
        b.op(plus, [b.variable(acc), each(b.variable(i))], null),
      ]);
      const body = b.ifThenElse(b.op("eqZ", [b.variable(i), n], null), b.variable(acc), next);
      const fn = b.fn(go, [b.param(i, b.int), b.param(acc, type)], type, body);
      return b.letRec([fn], b.call(go, [b.intLit(0), zero]));
    });
  }

  /** A call of the definition that does something with values of a data type. */
  #ofData(
    key: string,
    hint: string,
    type: DataType,
    others: readonly Type[],
    result: Type,
    operands: Operands,
    branch: (others: readonly Term[], con: string, vars: readonly Term[]) => Term,
  ): Term {
    const whole = `${key} ${JSON.stringify(type)}`;
    let name = this.#made.get(whole);
    if (name === undefined) {
      name = this.#names.fresh(`${hint}${type.name === "+" ? "Sum" : type.name}`);
      this.#made.set(whole, name);
      const x = this.#names.fresh("x");
      const params = others.map((other) => b.param(this.#names.fresh("y"), other));
      const body = this.#case(type, b.variable(x), (con, vars) => branch(params.map((each) => b.variable(each.name)), con, vars)); // prettier-ignore
      this.#define(b.fn(name, [b.param(x, type), ...params], result, body));
    }
    return b.call(name, [operands.x, ...operands.others]);
  }

  #case(type: DataType, scrutinee: Term, branch: (con: string, vars: readonly Term[]) => Term): Term {
    const branches = this.#data.types.constructorsOf(type).map(({ name, fields }) => {
      const vars = fields.map(() => this.#names.fresh("x"));
      return { con: name, vars, body: branch(name, vars.map(b.variable)) };
    });
    return b.caseOf(scrutinee, type.name, branches);
  }

  #fields(type: DataType, con: string): readonly Type[] {
    return found(this.#data.types.constructorsOf(type).find(({ name }) => name === con)).fields;
  }

  #place(type: DataType, con: string): Term {
    return b.intLit(this.#data.types.constructorsOf(type).findIndex(({ name }) => name === con));
  }
}

/** Whether a term is a variable, or a literal, or a component of one. */
function isPath(term: Term): boolean {
  return b.isAtom(term) || (term.kind === "proj" && isPath(term.tuple));
}

function sum(terms: readonly Term[]): Term {
  return terms.length === 0 ? b.realLit(0) : terms.reduce((left, right) => (isZero(right) ? left : isZero(left) ? right : b.op("add", [left, right], null))); // prettier-ignore
}

function sumZ(terms: readonly Term[]): Term {
  return terms.length === 0 ? b.intLit(0) : terms.reduce((left, right) => (isZero(right) ? left : isZero(left) ? right : b.op("addZ", [left, right], null))); // prettier-ignore
}

function isZero(term: Term): boolean {
  return (term.kind === "real" || term.kind === "int") && term.value === 0;
}

function at(terms: readonly Term[], index: number): Term {
  return found(terms[index]);
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new InternalError("derivatives", "a part of a value is missing");
  return value;
}
