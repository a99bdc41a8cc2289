// What a module exports beside values and gradients: definitions of the program, written with derivatives as a model would, that are resolved and compiled like it.
//
//   lossJvp(x, dx)      = jvp loss x dx                                          as { value, tangent }
//   lossHvp(x, dx)      = vjp (\(x, dx, s). let (y, dy) = jvp loss x dx in dy + s * stopGradient y) (x, dx, 0) 1
//                       the cotangent of x is the Hessian times dx, that of dx the gradient, that of s the value
//   lossJacobian(x)     one pass for each number of x, or for each of the result where these are fewer
//   lossHessian(x)      `lossHvp` for each number of x

import * as b from "../core/build.js";
import { Names } from "../core/names.js";
import type { Derivative, Entry, EntryParam, Fn, Program, Site, Term } from "../core/term.js";
import { allNames } from "../core/traverse.js";
import type { DataDecl, Type } from "../core/type.js";
import { InternalError } from "../internal-error.js";
import { DualData } from "./dual-data.js";
import { copyTerm } from "../optimise/copy.js";
import { withBindings } from "../optimise/rewrite.js";
import { pointOf } from "./point.js";
import { rowsOf, type Rows } from "./rows.js";
import { Values } from "./values.js";

export type DerivedForm = "jvp" | "hvp" | "jacobian" | "hessian" | "pack" | "unpack";

/** Those that take an earlier result. */
const refilled: ReadonlySet<DerivedForm> = new Set(["hvp", "jacobian", "hessian"]);

/** A function to export. */
export interface DerivedRequest {
  readonly entry: Entry;
  readonly form: DerivedForm;
  /** What it is called, and what the type of its result is. */
  readonly name: string;
  readonly resultName: string;
  /** The parameters that derivatives are taken for. */
  readonly active: readonly string[];
  readonly doc: string;
  /** That of a Jacobian whose result is made element by element. */
  readonly rowsDoc: string;
  readonly site: Site;
}

/** The program with such functions as further entries, which have no derivatives of their own. */
export function withDerived(program: Program, requests: readonly DerivedRequest[]): Program {
  return requests.length === 0 ? program : new DerivedDefinitions(program, requests).program();
}

type Leaf = EntryParam & { readonly kind: "named" };

class DerivedDefinitions {
  readonly #program: Program;
  readonly #requests: readonly DerivedRequest[];
  readonly #names: Names;
  readonly #dual: DualData;
  readonly #values: Values;
  readonly #definitions: Fn[] = [];
  readonly #data: DataDecl[] = [];
  readonly #derivatives: Map<string, Derivative>;
  readonly #typeNames: Names;

  constructor(program: Program, requests: readonly DerivedRequest[]) {
    this.#program = program;
    this.#requests = requests;
    this.#names = new Names([...allNames(program), ...requests.map(({ name }) => name)]);
    this.#typeNames = new Names(program.data.map(({ name }) => name));
    this.#dual = new DualData(program.data);
    this.#values = new Values(this.#dual, this.#names, (fn) => this.#definitions.push(fn));
    this.#derivatives = new Map(program.derivatives);
  }

  program(): Program {
    const entries = this.#requests.map((request) => this.#entry(request));
    return {
      ...this.#program,
      data: [...this.#program.data, ...this.#data],
      definitions: [...this.#program.definitions, ...this.#definitions],
      entries: [...this.#program.entries, ...entries],
      derivatives: this.#derivatives,
    };
  }

  #entry(request: DerivedRequest): Entry {
    const { name } = request;
    const doc = request.form === "jacobian" && this.#rowsOf(request) !== null ? request.rowsDoc : request.doc;
    const { params, result, body } = this.#definition(request);
    this.#definitions.push(b.fn(name, params.map(({ inner, type }) => b.param(inner, type)), result, body)); // prettier-ignore
    const named = params.map(({ name: shown, type }): EntryParam => ({ kind: "named", name: shown, type }));
    const entry: Entry = { name, doc, params: named, result, resultAlias: "", isValueOnly: true };
    return refilled.has(request.form) ? { ...entry, isRefilled: true } : entry;
  }

  #definition(request: DerivedRequest): {
    readonly params: readonly { readonly name: string; readonly inner: string; readonly type: Type }[];
    readonly result: Type;
    readonly body: Term;
  } {
    const { entry, form, active, site } = request;
    const leaves = entry.params.flatMap(leavesOf).map((leaf) => ({ ...leaf, inner: this.#names.fresh(leaf.name) }));
    const chosen = leaves.filter(({ name }) => active.includes(name));
    const point = pointOf(chosen.map(({ type }) => type));
    const { type: from } = point;
    const at = point.of(chosen.map(({ inner }) => b.variable(inner)));
    /** `loss` as a function of what is differentiated. */
    const loss = (value: Term): Term => {
      const values = new Map(leaves.map(({ name, inner }) => [name, b.variable(inner)]));
      chosen.forEach(({ name }, index) => values.set(name, point.part(value, index)));
      const pack = (param: EntryParam): Term => (param.kind === "tuple" ? b.tuple(...param.items.map(pack)) : required(values.get(param.name))); // prettier-ignore
      return b.call(entry.name, entry.params.map(pack));
    };
    const fn = (): Term => this.#lambda(from, loss);
    const { result: to } = entry;
    const shown = new Names(leaves.map(({ name }) => name));
    const tangents = chosen.map(({ name, type }) => ({
      name: shown.fresh(`d${name}`),
      inner: this.#names.fresh(`d${name}`),
      type,
    }));
    const along = point.of(tangents.map(({ inner }) => b.variable(inner)));
    const record = (wish: string, fields: readonly (readonly [string, Type])[]): DataDecl => {
      // The model may have such a type
      const name = this.#typeNames.fresh(wish);
      const decl: DataDecl = { name, params: [], constructors: [{ name, fields: fields.map(([, type]) => type), fieldNames: fields.map(([field]) => field) }], doc: "" }; // prettier-ignore
      this.#data.push(decl);
      return decl;
    };
    const make = (decl: DataDecl, ...args: readonly Term[]): Term => b.con(decl.name, b.dataType(decl.name), args);
    const byParameter = (): DataDecl => record(`${request.resultName}Gradient`, chosen.map(({ name, type }) => [name, type])); // prettier-ignore
    const gradientOf = (decl: DataDecl, whole: Term): Term => make(decl, ...chosen.map((_, i) => point.part(whole, i))); // prettier-ignore
    switch (form) {
      case "jvp": {
        const decl = record(request.resultName, [["value", to], ["tangent", to]]); // prettier-ignore
        const both = b.tupleType(to, to);
        const body = this.#let(both, b.call(this.#derivative("jvp", from, to, site), [fn(), at, along]), (r) => make(decl, b.proj(0, r), b.proj(1, r))); // prettier-ignore
        return { params: [...leaves, ...tangents], result: b.dataType(decl.name), body };
      }
      case "hvp": {
        const gradient = byParameter();
        const type = b.dataType(gradient.name);
        const decl = record(request.resultName, [["value", to], ["grad", type], ["hvp", type]]); // prettier-ignore
        const body = this.#let(b.tupleType(from, from, b.real), this.#hvp(fn, from, at, along, site), (r) =>
          make(decl, b.proj(2, r), gradientOf(gradient, b.proj(1, r)), gradientOf(gradient, b.proj(0, r))),
        );
        return { params: [...leaves, ...tangents], result: b.dataType(decl.name), body };
      }
      case "jacobian": {
        const numbers = b.arrayType(b.real);
        const made = this.#rowsOf(request);
        const elements = made === null ? null : this.#elements(made, entry, from, leaves, (value) => new Map(chosen.map(({ name }, index) => [name, point.part(value, index)]))); // prettier-ignore
        const decl = record(request.resultName, [["value", to], ["rows", b.int], ["columns", b.int], ["jacobian", numbers]]); // prettier-ignore
        const body = this.#let(to, loss(at), (value) =>
          this.#let(b.int, this.#values.count(to, value), (rows) =>
            this.#let(from, at, (x) =>
              this.#let(b.int, this.#values.count(from, x), (columns) =>
                make(
                  decl,
                  value,
                  rows,
                  columns,
                  this.#jacobian(fn, elements, { from, to, x, value, rows, columns, site }),
                ),
              ),
            ),
          ),
        );
        return { params: leaves, result: b.dataType(decl.name), body };
      }
      case "hessian": {
        const gradient = byParameter();
        const numbers = b.arrayType(b.real);
        const decl = record(request.resultName, [["value", to], ["grad", b.dataType(gradient.name)], ["size", b.int], ["hessian", numbers]]); // prettier-ignore
        const body = this.#let(from, at, (x) =>
          this.#let(b.int, this.#values.count(from, x), (size) => {
            const row = (i: Term): Term => this.#values.packed(from, b.proj(0, this.#hvp(fn, from, x, this.#values.unit(from, x, b.intLit(0), i), site))); // prettier-ignore
            const grad = b.call(this.#derivative("pullback", from, to, site), [fn(), x, b.realLit(1)]);
            return make(decl, loss(x), gradientOf(gradient, grad), size, this.#matrix(size, size, row));
          }),
        );
        return { params: leaves, result: b.dataType(decl.name), body };
      }
      case "pack":
        return { params: chosen, result: b.arrayType(b.real), body: this.#values.packed(from, at) };
      case "unpack": {
        const gradient = record(request.resultName, chosen.map(({ name, type }) => [name, type])); // prettier-ignore
        const [vector, like] = [this.#names.fresh("vector"), this.#names.fresh("like")];
        const params = [
          { name: "vector", inner: vector, type: b.arrayType(b.real) },
          { name: "like", inner: like, type: b.dataType(gradient.name) },
        ];
        const body = b.caseOf(b.variable(like), gradient.name, [
          {
            con: gradient.name,
            vars: chosen.map(({ inner }) => inner),
            body: this.#let(from, at, (x) => {
              const size = b.op("sameLength", [this.#values.count(from, x), b.length(b.variable(vector))], site);
              return this.#let(
                b.int,
                size,
                () =>
                this.#let(from, this.#values.filled(from, x, b.intLit(0), b.variable(vector)), (whole) => gradientOf(gradient, whole)), // prettier-ignore
              );
            }),
          },
        ]);
        return { params, result: b.dataType(gradient.name), body };
      }
    }
  }

  // \(x, dx, s). let (y, dy) = jvp f x dx in dy + s * y
  /** The Hessian times a vector, the gradient, and the value: the cotangents of x, of dx, and of a number that the value is taken times. */
  #hvp(fn: () => Term, from: Type, x: Term, dx: Term, site: Site): Term {
    const point = b.tupleType(from, from, b.real);
    const slope = this.#lambda(point, (p) =>
      this.#let(
        b.tupleType(b.real, b.real),
        b.call(this.#derivative("jvp", from, b.real, site), [fn(), b.proj(0, p), b.proj(1, p)]),
        (both) => {
          const value = b.call(this.#derivative("stop", b.real, b.real, site), [b.proj(0, both)]);
          return b.op("add", [b.proj(1, both), b.op("mul", [b.proj(2, p), value], null)], null);
        },
      ),
    );
    return b.call(this.#derivative("pullback", point, b.real, site), [
      slope,
      b.tuple(x, dx, b.realLit(0)),
      b.realLit(1),
    ]);
  }

  /** What a definition gives, element by element, each of so many numbers. */
  #rowsOf({ entry, active }: DerivedRequest): { readonly fn: Fn; readonly rows: Rows; readonly width: number } | null {
    const fn = this.#program.definitions.find(({ name }) => name === entry.name);
    if (fn === undefined) return null;
    const isActive = (param: EntryParam): boolean => leavesOf(param).some(({ name }) => active.includes(name));
    const rows = rowsOf(fn, entry.params.map(isActive), this.#dual);
    const width = rows === null ? null : this.#values.sizeOf(rows.element);
    return rows === null || width === null || width === 0 ? null : { fn, rows, width };
  }

  /** The elements as functions of what is differentiated, one for each index; `around` has what they have in common. */
  #elements(
    { fn, rows, width }: { readonly fn: Fn; readonly rows: Rows; readonly width: number },
    { params }: Entry,
    from: Type,
    leaves: readonly (Leaf & { readonly inner: string })[],
    partsOf: (value: Term) => ReadonlyMap<string, Term>,
  ): Elements {
    const own = new Map(leaves.map(({ name, inner }) => [name, b.variable(inner)]));
    const given = (param: EntryParam, values: ReadonlyMap<string, Term>): Term => (param.kind === "tuple" ? b.tuple(...param.items.map((item) => given(item, values))) : required(values.get(param.name))); // prettier-ignore
    const bound = (values: ReadonlyMap<string, Term>, body: Term): Term =>
      fn.params.reduceRight((rest, { name, type }, index) => b.letIn(name, type, given(required(params[index]), values), rest), body); // prettier-ignore
    const point = this.#names.fresh("x");
    const body = bound(new Map([...own, ...partsOf(b.variable(point))]), rows.body);
    return {
      width,
      element: rows.element,
      around: (inside) => bound(own, withBindings(rows.outside, inside)),
      at: (index) => copyTerm(b.lam(point, from, b.letIn(rows.index, b.int, index, body)), this.#names),
    };
  }

  // One pass: row r is the gradient of number r mod width of element r div width
  #jacobianByElement({ width, element, around, at }: Elements, { from, x, value, rows, columns, site }: Shape): Term {
    const place = (op: "divZ" | "modZ", r: Term): Term => (width > 1 ? b.op(op, [r, b.intLit(width)], null) : op === "divZ" ? r : b.intLit(0)); // prettier-ignore
    const row = (r: Term): Term =>
      this.#let(b.int, place("divZ", r), (i) =>
        this.#let(element, b.indexOf(value, i, null), (item) => {
          const unit = this.#values.unit(element, item, b.intLit(0), place("modZ", r));
          return this.#values.packed(from, b.call(this.#derivative("pullback", from, element, site), [at(i), x, unit]));
        }),
      );
    return around(this.#matrix(rows, columns, row));
  }

  #jacobian(fn: () => Term, elements: Elements | null, shape: Shape): Term {
    if (elements !== null) return this.#jacobianByElement(elements, shape);
    const { from, to, x, value, rows, columns, site } = shape;
    const numbers = b.arrayType(b.real);
    const byRow = this.#matrix(rows, columns, (i) => this.#values.packed(from, b.call(this.#derivative("pullback", from, to, site), [fn(), x, this.#values.unit(to, value, b.intLit(0), i)]))); // prettier-ignore
    const column = (j: Term): Term => this.#values.packed(to, b.proj(1, b.call(this.#derivative("jvp", from, to, site), [fn(), x, this.#values.unit(from, x, b.intLit(0), j)]))); // prettier-ignore
    const j = this.#names.fresh("j");
    const byColumn = this.#let(b.arrayType(numbers), b.build(columns, j, numbers, column(b.variable(j)), null), (all) => this.#flat(rows, columns, (r, c) => b.indexOf(b.indexOf(all, c, null), r, null))); // prettier-ignore
    return b.ifThenElse(b.op("leZ", [columns, rows], null), byColumn, byRow);
  }

  /** A matrix in one array, row by row. */
  #matrix(rows: Term, columns: Term, row: (index: Term) => Term): Term {
    const numbers = b.arrayType(b.real);
    const i = this.#names.fresh("i");
    return this.#let(b.arrayType(numbers), b.build(rows, i, numbers, row(b.variable(i)), null), (all) =>
      this.#flat(rows, columns, (r, c) => b.indexOf(b.indexOf(all, r, null), c, null)),
    );
  }

  #flat(rows: Term, columns: Term, cell: (row: Term, column: Term) => Term): Term {
    const k = this.#names.fresh("k");
    const size = b.op("mulZ", [rows, columns], null);
    const place = (op: "divZ" | "modZ"): Term => b.op(op, [b.variable(k), columns], null);
    return b.build(size, k, b.real, cell(place("divZ"), place("modZ")), null);
  }

  #derivative(kind: Derivative["kind"], from: Type, to: Type, site: Site): string {
    const name = this.#names.fresh(kind);
    this.#derivatives.set(name, { kind, from, to, span: null, site });
    return name;
  }

  #lambda(type: Type, body: (value: Term) => Term): Term {
    const name = this.#names.fresh("x");
    return b.lam(name, type, body(b.variable(name)));
  }

  #let(type: Type, bound: Term, body: (value: Term) => Term): Term {
    const name = this.#names.fresh("y");
    return b.letIn(name, type, bound, body(b.variable(name)));
  }
}

/** The elements of a result, each of `width` numbers: functions of what is differentiated, where `around` binds what they have in common. */
interface Elements {
  readonly width: number;
  readonly element: Type;
  readonly around: (inside: Term) => Term;
  readonly at: (index: Term) => Term;
}

/** Where a Jacobian is taken. */
interface Shape {
  readonly from: Type;
  readonly to: Type;
  readonly x: Term;
  readonly value: Term;
  readonly rows: Term;
  readonly columns: Term;
  readonly site: Site;
}

function leavesOf(param: EntryParam): readonly Leaf[] {
  return param.kind === "named" ? [param] : param.items.flatMap(leavesOf);
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new InternalError("derivatives", "a parameter is missing");
  return value;
}
