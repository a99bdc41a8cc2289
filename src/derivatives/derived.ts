// What a module exports beside values and gradients: definitions of the program, written with derivatives as a model would, that are resolved and compiled like it.
//
//   lossJvp(x, dx)      = jvp loss x dx                                          as { value, tangent }
//   lossHvp(x, dx)      = vjp (\(x, dx, s). let (y, dy) = jvp loss x dx in dy + s * stopGradient y) (x, dx, 0) 1
//                       the cotangent of x is the Hessian times dx, that of dx the gradient, that of s the value
//   lossJacobian(x)     one pass for each number of x, or for each of the result where these are fewer
//   lossSparseJacobian(x)   for results that are made element by element: of each row the columns of what the element reads
//   lossHessian(x)      `lossHvp` for each number of x

import { locateAll } from "../core/locate.js";
import { inPlaceOf, location } from "../location.js";
import * as b from "../core/build.js";
import { Names } from "../core/names.js";
import type { Derivative, Entry, EntryParam, Fn, Program, Site, Term } from "../core/term.js";
import { allNames } from "../core/traverse.js";
import type { DataDecl, Type } from "../core/type.js";
import { found } from "./by-type.js";
import { DualData } from "./dual-data.js";
import { ElementFunctions, leavesOf } from "./elements.js";
import { Jacobians, mostTogether } from "./jacobians.js";
import { pointOf } from "./point.js";
import { Values } from "./values.js";

export type DerivedForm = "jvp" | "hvp" | "jacobian" | "sparseJacobian" | "hessian" | "pack" | "unpack";

/** Those that take an earlier result. */
const refilled: ReadonlySet<DerivedForm> = new Set(["hvp", "jacobian", "hessian"]);

/** A function to export. */
export interface DerivedRequest {
  readonly entry: Entry;
  readonly form: DerivedForm;
  /** What it is called, and what the type of its result is. */
  readonly name: string;
  /** What errors call it. */
  readonly calledAs: string;
  readonly resultName: string;
  /** The parameters that derivatives are taken for. */
  readonly active: readonly string[];
  readonly doc: string;
  /** That of a Jacobian whose result is made element by element. */
  readonly rowsDoc: string;
  readonly site: Site;
}

export interface WithDerived {
  readonly program: Program;
  /** The definitions that are made element by element, where the elements do not show what they read. */
  readonly denseOnly: readonly string[];
}

/** The program with such functions as further entries, which have no derivatives of their own. */
export function withDerived(program: Program, requests: readonly DerivedRequest[]): WithDerived {
  return requests.length === 0 ? { program, denseOnly: [] } : new DerivedDefinitions(program, requests).derived();
}

class DerivedDefinitions {
  readonly #program: Program;
  readonly #requests: readonly DerivedRequest[];
  readonly #names: Names;
  readonly #dual: DualData;
  readonly #values: Values;
  readonly #definitions: Fn[] = [];
  readonly #denseOnly: string[] = [];
  readonly #data: DataDecl[] = [];
  readonly #derivatives: Map<string, Derivative>;
  readonly #typeNames: Names;
  readonly #elements: ElementFunctions;
  readonly #jacobians: Jacobians;

  constructor(program: Program, requests: readonly DerivedRequest[]) {
    this.#program = program;
    this.#requests = requests;
    this.#names = new Names([...allNames(program), ...requests.map(({ name }) => name)]);
    this.#typeNames = new Names(program.data.map(({ name }) => name));
    this.#dual = new DualData(program.data);
    this.#values = new Values(this.#dual, this.#names, (fn) => this.#definitions.push(fn));
    this.#derivatives = new Map(program.derivatives);
    this.#elements = new ElementFunctions(program, this.#names, this.#dual, this.#values);
    this.#jacobians = new Jacobians({
      names: this.#names,
      values: this.#values,
      derivative: (...of) => this.#derivative(...of),
    });
  }

  derived(): WithDerived {
    return { program: this.#whole(), denseOnly: this.#denseOnly };
  }

  #whole(): Program {
    const entries = this.#requests.flatMap((request) => this.#entry(request) ?? []);
    return {
      ...this.#program,
      data: [...this.#program.data, ...this.#data],
      definitions: [...this.#program.definitions, ...this.#definitions],
      entries: [...this.#program.entries, ...entries],
      derivatives: this.#derivatives,
    };
  }

  /** Null where the derivative has no such form. */
  #entry(request: DerivedRequest): Entry | null {
    const { name } = request;
    const doc =
      request.form === "jacobian" && this.#elements.madeByElement(request.entry, request.active) !== null
        ? request.rowsDoc
        : request.doc;
    const definition = this.#definition(request);
    if (definition === null) return null;
    const { params, result, body } = definition;
    const fn = b.fn(name, params.map(({ inner, type }) => b.param(inner, type)), result, locateAll(body, request.entry[location])); // prettier-ignore
    this.#definitions.push(inPlaceOf(fn, request.entry));
    const named = params.map(({ name: shown, type }): EntryParam => ({ kind: "named", name: shown, type }));
    const entry = inPlaceOf<Entry>({ name, doc, params: named, result, resultAlias: "", isValueOnly: true }, request.entry); // prettier-ignore
    if (request.form === "sparseJacobian") return { ...entry, isMerged: true, calledAs: request.calledAs };
    return refilled.has(request.form) ? { ...entry, isRefilled: true } : entry;
  }

  #definition(request: DerivedRequest): {
    readonly params: readonly { readonly name: string; readonly inner: string; readonly type: Type }[];
    readonly result: Type;
    readonly body: Term;
  } | null {
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
      const pack = (param: EntryParam): Term => (param.kind === "tuple" ? b.tuple(...param.items.map(pack)) : found(values.get(param.name))); // prettier-ignore
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
        const made = this.#elements.madeByElement(entry, active);
        const elements = made === null ? null : this.#elements.ofPoint(made, from, leaves, (value) => new Map(chosen.map(({ name }, index) => [name, point.part(value, index)]))); // prettier-ignore
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
                  this.#jacobians.dense(fn, elements, { from, to, x, value, rows, columns, site }),
                ),
              ),
            ),
          ),
        );
        return { params: leaves, result: b.dataType(decl.name), body };
      }
      case "sparseJacobian": {
        const made = this.#elements.madeByElement(entry, active);
        const elements = made === null ? null : this.#elements.ofReads(made, leaves, chosen);
        if (elements === null && made !== null) this.#denseOnly.push(entry.name);
        if (elements === null) return null;
        const [numbers, places] = [b.arrayType(b.real), b.arrayType(b.int)];
        const decl = record(request.resultName, [["value", to], ["rows", b.int], ["columns", b.int], ["rowStart", places], ["column", places], ["values", numbers]]); // prettier-ignore
        const body = this.#let(to, loss(at), (value) =>
          this.#let(b.int, this.#values.count(to, value), (rows) =>
            this.#let(b.int, this.#values.count(from, at), (columns) =>
              elements.around(
                this.#jacobians.compressed(elements, value, rows, site, (...parts) =>
                  make(decl, value, rows, columns, ...parts),
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
        const both = b.tupleType(from, from, b.real);
        const along = (x: Term, i: Term): Term => this.#hvp(fn, from, x, this.#values.unit(from, x, b.intLit(0), i), site); // prettier-ignore
        const count = this.#values.sizeOf(from);
        const body = this.#let(from, at, (x) => {
          if (count !== null && count > 0 && count <= mostTogether)
            return this.#values.bindAll("along", both, Array.from({ length: count }, (_, i) => along(x, b.intLit(i))), ([first, ...others]) => // prettier-ignore
              make(decl, b.proj(2, found(first)), gradientOf(gradient, b.proj(1, found(first))), b.intLit(count), this.#values.ofReals([found(first), ...others].map((each) => [from, b.proj(0, each)] as const), (reals) => b.array(b.real, reals)))); // prettier-ignore
          return this.#let(b.int, this.#values.count(from, x), (size) => {
            const row = (i: Term): Term => this.#values.packed(from, b.proj(0, along(x, i)));
            const grad = b.call(this.#derivative("pullback", from, to, site), [fn(), x, b.realLit(1)]);
            return this.#let(from, grad, (whole) => make(decl, loss(x), gradientOf(gradient, whole), size, this.#jacobians.matrix(b.real, size, size, row))); // prettier-ignore
          });
        });
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
