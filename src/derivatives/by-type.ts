// What is written by the types of values: structure by structure, with a definition for each data type, made once.

import * as b from "../core/build.js";
import type { Names } from "../core/names.js";
import type { Fn, Term } from "../core/term.js";
import type { Type } from "../core/type.js";
import { InternalError } from "../internal-error.js";
import type { DualData } from "./dual-data.js";

export type DataType = Type & { readonly kind: "data" };

/** What is given to the definition for a data type. */
interface Operands {
  readonly x: Term;
  readonly others: readonly Term[];
}

export class ByType {
  protected readonly data: DualData;
  protected readonly names: Names;
  readonly #define: (fn: Fn) => void;
  readonly #made = new Map<string, string>();

  constructor(data: DualData, names: Names, define: (fn: Fn) => void) {
    this.data = data;
    this.names = names;
    this.#define = define;
  }

  /** Gives a term a name, where it may not be written twice. */
  bind(hint: string, type: Type, term: Term, rest: (atom: Term) => Term): Term {
    if (isPath(term)) return rest(term);
    const name = this.names.fresh(hint);
    return b.letIn(name, type, term, rest(b.variable(name)));
  }

  /** The same of several terms of one type, each behind those before. */
  bindAll(
    hint: string,
    type: Type,
    terms: readonly Term[],
    rest: (atoms: readonly Term[]) => Term,
    before: readonly Term[] = [],
  ): Term {
    const [first, ...others] = terms;
    if (first === undefined) return rest(before);
    return this.bind(hint, type, first, (atom) => this.bindAll(hint, type, others, rest, [...before, atom]));
  }

  protected build(size: Term, element: Type, body: (index: Term) => Term): Term {
    const i = this.names.fresh("i");
    return b.build(size, i, element, body(b.variable(i)), null);
  }

  /** `let rec go(i, acc) = if i == n then acc else go(i + 1, acc + each i) in go(0, 0)`. */
  protected sumOf(size: Term, type: Type, plus: "add" | "addZ", zero: Term, each: (index: Term) => Term): Term {
    const [go, i, acc] = [this.names.fresh("go"), this.names.fresh("i"), this.names.fresh("acc")];
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
  protected ofData(
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
      name = this.names.fresh(`${hint}${type.name === "+" ? "Sum" : type.name}`);
      this.#made.set(whole, name);
      const x = this.names.fresh("x");
      const params = others.map((other) => b.param(this.names.fresh("y"), other));
      const body = this.caseOf(type, b.variable(x), (con, vars) => branch(params.map((each) => b.variable(each.name)), con, vars)); // prettier-ignore
      this.#define(b.fn(name, [b.param(x, type), ...params], result, body));
    }
    return b.call(name, [operands.x, ...operands.others]);
  }

  protected caseOf(type: DataType, scrutinee: Term, branch: (con: string, vars: readonly Term[]) => Term): Term {
    const branches = this.data.types.constructorsOf(type).map(({ name, fields }) => {
      const vars = fields.map(() => this.names.fresh("x"));
      return { con: name, vars, body: branch(name, vars.map(b.variable)) };
    });
    return b.caseOf(scrutinee, type.name, branches);
  }

  protected fieldsOf(type: DataType, con: string): readonly Type[] {
    return found(this.data.types.constructorsOf(type).find(({ name }) => name === con)).fields;
  }

  protected placeOf(type: DataType, con: string): Term {
    return b.intLit(this.data.types.constructorsOf(type).findIndex(({ name }) => name === con));
  }
}

/** Whether a term is a variable, or a literal, or a component of one. */
export function isPath(term: Term): boolean {
  return b.isAtom(term) || (term.kind === "proj" && isPath(term.tuple));
}

export function sum(terms: readonly Term[]): Term {
  return terms.length === 0 ? b.realLit(0) : terms.reduce((left, right) => (isZero(right) ? left : isZero(left) ? right : b.op("add", [left, right], null))); // prettier-ignore
}

export function sumZ(terms: readonly Term[]): Term {
  return terms.length === 0 ? b.intLit(0) : terms.reduce((left, right) => (isZero(right) ? left : isZero(left) ? right : b.op("addZ", [left, right], null))); // prettier-ignore
}

export function isZero(term: Term): boolean {
  return (term.kind === "real" || term.kind === "int") && term.value === 0;
}

export function at(terms: readonly Term[], index: number): Term {
  return found(terms[index]);
}

export function found<T>(value: T | undefined): T {
  if (value === undefined) throw new InternalError("derivatives", "a part of a value is missing");
  return value;
}
