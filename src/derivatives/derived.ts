// What a module exports beside values and gradients: definitions of the program, written with derivatives as a model would, that are resolved and compiled like it.
//
//   lossJvp(x, dx)      = jvp loss x dx                                          as { value, tangent }
//   lossHvp(x, dx)      = vjp (\(x, dx, s). let (y, dy) = jvp loss x dx in dy + s * stopGradient y) (x, dx, 0) 1
//                       the cotangent of x is the Hessian times dx, that of dx the gradient, that of s the value
//   lossJacobian(x)     one pass for each number of x, or for each of the result where these are fewer
//   lossSparseJacobian(x)   for results that are made element by element: of each row the columns of what the element reads
//   lossHessian(x)      `lossHvp` for each number of x

import * as b from "../core/build.js";
import { Names } from "../core/names.js";
import type { Derivative, Entry, EntryParam, Fn, Program, Site, Term } from "../core/term.js";
import { allNames } from "../core/traverse.js";
import type { DataDecl, Type } from "../core/type.js";
import { InternalError } from "../internal-error.js";
import { at } from "./by-type.js";
import { DualData } from "./dual-data.js";
import { copyTerm } from "../optimise/copy.js";
import { rewriteUp, withBindings } from "../optimise/rewrite.js";
import { pointOf } from "./point.js";
import { rowsOf, type Rows } from "./rows.js";
import { sparseElement, type Part } from "./sparse-element.js";
import { Values } from "./values.js";

export type DerivedForm = "jvp" | "hvp" | "jacobian" | "sparseJacobian" | "hessian" | "pack" | "unpack";

/** So many numbers of a row are written out one by one. */
const mostWrittenOut = 64;

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
    const doc = request.form === "jacobian" && this.#rowsOf(request) !== null ? request.rowsDoc : request.doc;
    const definition = this.#definition(request);
    if (definition === null) return null;
    const { params, result, body } = definition;
    this.#definitions.push(b.fn(name, params.map(({ inner, type }) => b.param(inner, type)), result, body)); // prettier-ignore
    const named = params.map(({ name: shown, type }): EntryParam => ({ kind: "named", name: shown, type }));
    const entry: Entry = { name, doc, params: named, result, resultAlias: "", isValueOnly: true };
    if (request.form === "sparseJacobian") return { ...entry, isMerged: true };
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
      case "sparseJacobian": {
        const made = this.#rowsOf(request);
        const elements = made === null ? null : this.#sparseElements(made, entry, leaves, chosen);
        if (elements === null) return null;
        const [numbers, places] = [b.arrayType(b.real), b.arrayType(b.int)];
        const decl = record(request.resultName, [["value", to], ["rows", b.int], ["columns", b.int], ["rowStart", places], ["column", places], ["values", numbers]]); // prettier-ignore
        const body = this.#let(to, loss(at), (value) =>
          this.#let(b.int, this.#values.count(to, value), (rows) =>
            this.#let(b.int, this.#values.count(from, at), (columns) =>
              elements.around(
                this.#compressed(elements, value, rows, site, (...parts) => make(decl, value, rows, columns, ...parts)),
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
            return make(decl, loss(x), gradientOf(gradient, grad), size, this.#matrix(b.real, size, size, row));
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
    if (rows === null || width === null || width === 0) return null;
    // What fails does so where the value is computed
    return { fn, rows: { ...rows, body: withoutSites(rows.body) }, width };
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

  /** The elements as functions of what each of them reads; null where that does not show. */
  #sparseElements(
    { fn, rows, width }: { readonly fn: Fn; readonly rows: Rows; readonly width: number },
    { params }: Entry,
    leaves: readonly (Leaf & { readonly inner: string })[],
    chosen: readonly (Leaf & { readonly inner: string })[],
  ): SparseElements | null {
    const starts = chosen.map(({ name, inner, type }) => ({ name, start: this.#names.fresh("start"), size: this.#values.count(type, b.variable(inner)) })); // prettier-ignore
    const partOf = (param: EntryParam): Part | null => {
      if (param.kind === "tuple") return { kind: "tuple", items: param.items.map(partOf) };
      const own = starts.find(({ name }) => name === param.name);
      return own === undefined ? null : { kind: "part", type: param.type, start: b.variable(own.start) };
    };
    const parts = new Map(fn.params.flatMap(({ name }, index) => {
      const param = params[index];
      const part = param === undefined ? null : partOf(param);
      return part === null ? [] : [[name, part] as const];
    })); // prettier-ignore
    const found = sparseElement(rows.body, parts, { data: this.#dual, names: this.#names, values: this.#values });
    if (found === null) return null;
    const { reads, body } = found;
    const point = pointOf(reads.map(({ type }) => type));
    const own = new Map(leaves.map(({ name, inner }) => [name, b.variable(inner)]));
    const given = (param: EntryParam): Term => (param.kind === "tuple" ? b.tuple(...param.items.map(given)) : required(own.get(param.name))); // prettier-ignore
    const around = (inside: Term): Term => {
      const bound = fn.params.reduceRight((rest, { name, type }, index) => b.letIn(name, type, given(required(params[index])), rest), withBindings(rows.outside, inside)); // prettier-ignore
      return starts.reduceRight((rest, { start }, index) => {
        const before = starts[index - 1];
        const place = before === undefined ? b.intLit(0) : b.op("addZ", [b.variable(before.start), before.size], null);
        return b.letIn(start, b.int, place, rest);
      }, bound);
    };
    const atIndex = (index: Term, term: Term): Term => copyTerm(b.letIn(rows.index, b.int, index, term), this.#names);
    const z = this.#names.fresh("z");
    const taken = reads.reduceRight((rest, { variable, type }, i) => b.letIn(variable, type, point.part(b.variable(z), i), rest), body); // prettier-ignore
    return {
      width,
      element: rows.element,
      around,
      from: point.type,
      at: (index) => copyTerm(b.lam(z, point.type, b.letIn(rows.index, b.int, index, taken)), this.#names),
      point: (index) => point.of(reads.map(({ value }) => atIndex(index, value))),
      places: (index) => reads.map(({ start, size, isAlways }) => ({ start: atIndex(index, start), size, isAlways })),
    };
  }

  /** The places at which rows begin, and columns and numbers one row after the other: those of each read after those of the ones before. */
  #compressed(
    elements: SparseElements,
    value: Term,
    rows: Term,
    site: Site,
    whole: (...parts: readonly Term[]) => Term,
  ): Term {
    const { width, at, point, places } = elements;
    const count = places(b.intLit(0)).reduce((sum, each) => sum + each.size, 0);
    const size = b.intLit(count);
    const columns = (i: Term): Term =>
      places(i).reduceRight<(done: readonly Term[]) => Term>(
        (rest, { start, size: own, isAlways }) =>
          (done) =>
            this.#let(b.int, start, (first) => {
              const all = Array.from({ length: own }, (_, k) => (k === 0 ? first : b.op("addZ", [first, b.intLit(k)], null))); // prettier-ignore
              const isRead = b.op("leZ", [b.intLit(0), first], null);
              return rest([...done, ...all.map((each, k) => (isAlways || k === 0 ? each : b.ifThenElse(isRead, each, b.intLit(-1))))]); // prettier-ignore
            }),
        (done) => b.array(b.int, Array.from({ length: width }, () => done).flat()),
      )([]);
    const r = this.#names.fresh("r");
    const starts = b.build(b.op("addZ", [rows, b.intLit(1)], null), r, b.int, b.op("mulZ", [b.variable(r), size], null), null); // prettier-ignore
    const numbers = (i: Term): Term => this.#gradients(elements, i, at(i), point(i), value, site);
    const inRow = b.intLit(width * count);
    return this.#let(b.arrayType(b.real), this.#matrix(b.real, b.length(value), inRow, numbers), (values) =>
      whole(starts, this.#matrix(b.int, b.length(value), inRow, columns), values),
    );
  }

  /** The gradients of all numbers of an element, one after the other. */
  #gradients({ width, element, from }: SizedElements, i: Term, fn: Term, x: Term, value: Term, site: Site): Term {
    return this.#let(element, b.indexOf(value, i, null), (item) =>
      this.#let(from, x, (point) => {
        const parts = Array.from({ length: width }, (_, n): readonly [Type, Term] => {
          const unit = this.#values.unit(element, item, b.intLit(0), b.intLit(n));
          const own = copyTerm(fn, this.#names);
          return [from, b.call(this.#derivative("pullback", from, element, site), [own, point, unit])];
        });
        return this.#values.ofReals(parts, (reals) => b.array(b.real, reals));
      }),
    );
  }

  // One pass: row r is the gradient of number r mod width of element r div width
  #jacobianByElement(elements: Elements, { from, x, value, rows, columns, site }: Shape): Term {
    const { width, element, around, at } = elements;
    const size = this.#values.sizeOf(from);
    if (size !== null && size * width <= mostWrittenOut)
      return around(this.#matrix(b.real, b.length(value), b.intLit(size * width), (i) => this.#gradients({ ...elements, from }, i, at(i), x, value, site))); // prettier-ignore
    const place = (op: "divZ" | "modZ", r: Term): Term => (width > 1 ? b.op(op, [r, b.intLit(width)], null) : op === "divZ" ? r : b.intLit(0)); // prettier-ignore
    const row = (r: Term): Term =>
      this.#let(b.int, place("divZ", r), (i) =>
        this.#let(element, b.indexOf(value, i, null), (item) => {
          const unit = this.#values.unit(element, item, b.intLit(0), place("modZ", r));
          return this.#values.packed(from, b.call(this.#derivative("pullback", from, element, site), [at(i), x, unit]));
        }),
      );
    return around(this.#matrix(b.real, rows, columns, row));
  }

  #jacobian(fn: () => Term, elements: Elements | null, shape: Shape): Term {
    if (elements !== null) return this.#jacobianByElement(elements, shape);
    const { from, to, x, value, rows, columns, site } = shape;
    const written = this.#writtenOut(fn, shape);
    if (written !== null) return written;
    const numbers = b.arrayType(b.real);
    const byRow = this.#matrix(b.real, rows, columns, (i) => this.#values.packed(from, b.call(this.#derivative("pullback", from, to, site), [fn(), x, this.#values.unit(to, value, b.intLit(0), i)]))); // prettier-ignore
    const column = (j: Term): Term => this.#values.packed(to, b.proj(1, b.call(this.#derivative("jvp", from, to, site), [fn(), x, this.#values.unit(from, x, b.intLit(0), j)]))); // prettier-ignore
    const j = this.#names.fresh("j");
    const byColumn = this.#let(b.arrayType(numbers), b.build(columns, j, numbers, column(b.variable(j)), null), (all) => this.#flat(b.real, rows, columns, (r, c) => b.indexOf(b.indexOf(all, c, null), r, null))); // prettier-ignore
    return b.ifThenElse(b.op("leZ", [columns, rows], null), byColumn, byRow);
  }

  /** A Jacobian of few numbers, one by one; null where it has more, or nobody knows how many. */
  #writtenOut(fn: () => Term, { from, to, x, value, site }: Shape): Term | null {
    const [rows, columns] = [this.#values.sizeOf(to), this.#values.sizeOf(from)];
    if (rows === null || columns === null || rows * columns > mostWrittenOut) return null;
    const zero = b.intLit(0);
    if (rows <= columns) {
      const parts = Array.from({ length: rows }, (_, i): readonly [Type, Term] => [from, b.call(this.#derivative("pullback", from, to, site), [fn(), x, this.#values.unit(to, value, zero, b.intLit(i))])]); // prettier-ignore
      return this.#values.ofReals(parts, (reals) => b.array(b.real, reals));
    }
    const parts = Array.from({ length: columns }, (_, j): readonly [Type, Term] => [to, b.proj(1, b.call(this.#derivative("jvp", from, to, site), [fn(), x, this.#values.unit(from, x, zero, b.intLit(j))]))]); // prettier-ignore
    return this.#values.ofReals(parts, (reals) => b.array(b.real, reals.map((_, k) => at(reals, (k % columns) * rows + Math.floor(k / columns))))); // prettier-ignore
  }

  /** A matrix in one array, row by row. */
  #matrix(type: Type, rows: Term, columns: Term, row: (index: Term) => Term): Term {
    const line = b.arrayType(type);
    const i = this.#names.fresh("i");
    return this.#let(b.arrayType(line), b.build(rows, i, line, row(b.variable(i)), null), (all) =>
      this.#flat(type, rows, columns, (r, c) => b.indexOf(b.indexOf(all, r, null), c, null)),
    );
  }

  #flat(type: Type, rows: Term, columns: Term, cell: (row: Term, column: Term) => Term): Term {
    const k = this.#names.fresh("k");
    const size = b.op("mulZ", [rows, columns], null);
    const place = (op: "divZ" | "modZ"): Term => b.op(op, [b.variable(k), columns], null);
    return b.build(size, k, type, cell(place("divZ"), place("modZ")), null);
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

/** Elements as functions of a type that has a known number of reals. */
interface SizedElements extends Elements {
  readonly from: Type;
}

/** The elements of a result as functions of what each of them reads. */
interface SparseElements extends SizedElements {
  readonly point: (index: Term) => Term;
  /** Its columns: from a place on, so many. */
  readonly places: (
    index: Term,
  ) => readonly { readonly start: Term; readonly size: number; readonly isAlways: boolean }[];
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

/** Operations that are of integers, and of lengths: without a place, they are what they are where nothing fails. */
const unfailing: ReadonlySet<string> = new Set(["addZ", "subZ", "mulZ", "sameLength"]);

/** A term that has been computed before: nothing in it is out of bounds. */
function withoutSites(term: Term): Term {
  return rewriteUp(term, (part) => {
    const isChecked = part.kind === "index" || part.kind === "build" || (part.kind === "op" && unfailing.has(part.op));
    return isChecked ? { ...part, site: null } : part;
  });
}

function leavesOf(param: EntryParam): readonly Leaf[] {
  return param.kind === "named" ? [param] : param.items.flatMap(leavesOf);
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new InternalError("derivatives", "a parameter is missing");
  return value;
}
