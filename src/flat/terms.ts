// Terms as statements. A term is evaluated in order, along the bodies of bindings in a loop.

import type * as Core from "../core/term.js";
import { allTerms } from "../core/traverse.js";
import { scalarType, scanType } from "../core/build.js";
import { primitive } from "../core/primitives.js";
import { bool, int, real, type Type } from "../core/type.js";
import { InternalError } from "../internal-error.js";
import { inPlaceOf, locate, location, type Location } from "../location.js";
import { atomOf, intAtom, letOf, single } from "./build.js";
import { Captures } from "./captures.js";
import { Frame, type Value } from "./frames.js";
import type { Leaves } from "./leaves.js";
import { treatFunctions, type Local } from "./local-functions.js";
import {
  leafNames,
  namesInside,
  partNamesIn,
  type FlatNames,
  type Hint,
  type LeafName,
  type PartNames,
} from "./naming.js";
import * as rep from "./program.js";
import { Shapes } from "./leaf-shapes.js";
import { locateStmts, nameLast } from "./locate.js";
import type { Atom, Block, End, Operation, Procedure, Stmt, Var } from "./program.js";

/** What the definitions of a program have in common. */
export interface Setting {
  readonly leaves: Leaves;
  readonly names: FlatNames;
  readonly definitions: ReadonlyMap<string, Core.Fn>;
  readonly externs: Core.Program["externs"];
  readonly given: Core.Program["given"];
  readonly add: (procedure: Procedure) => void;
}

/** Adds the procedures of a definition. */
export function flattenDefinition(fn: Core.Fn, setting: Setting): void {
  new Flattener(fn, setting).definition();
}

/** Where code is added: the variables in scope, and the statements so far. */
interface Place {
  readonly frame: Frame;
  readonly out: Stmt[];
}

/** A local function as a procedure; `captured` says which leaves of which variables it gets besides. */
interface Lifted {
  readonly procedure: string;
  readonly captured: readonly { readonly name: string; readonly leaf: number }[];
}

/** The loop whose next iteration a block may ask for; null where there is none. */
type Tail = Local | null;

class Flattener {
  readonly #locals: ReadonlyMap<string, Local>;
  readonly #captures: Captures;
  readonly #lifted = new Map<string, Lifted>();
  readonly #used: ReadonlySet<string>;
  readonly #shapes: Shapes;
  readonly #partNames: PartNames;

  constructor(
    private readonly fn: Core.Fn,
    private readonly setting: Setting,
  ) {
    this.#locals = treatFunctions(fn);
    this.#shapes = new Shapes(setting.leaves, setting.names);
    this.#captures = new Captures(this.#locals, fn.name);
    const used = new Set<string>();
    for (const term of allTerms(fn.body)) if (term.kind === "var") used.add(term.name);
    this.#used = used;
    this.#partNames = partNamesIn(fn.body, (name) => this.#locals.get(name)?.fn, (name) => setting.definitions.get(name)); // prettier-ignore
  }

  definition(): void {
    const frame = new Frame(this.setting.names, null);
    const kind = this.fn.params.length === 0 ? "constant" : "function";
    this.#procedure(this.fn.name, this.#localOf(this.fn.name), frame, kind);
  }

  // Procedures

  #procedure(name: string, local: Local, frame: Frame, kind: "function" | "constant"): void {
    const { fn } = local;
    const params = fn.params.map((param) => this.#bindParam(param, frame));
    const captured = frame.captured.map(({ variable }) => variable);
    const body =
      local.treatment === "loopProcedure" ? this.#loopBlock(local, frame) : this.#block(fn.body, null, null, frame);
    const procedure: Procedure = {
      name,
      definition: this.fn.name,
      captured: [],
      params: [...params.flat(), ...captured],
      results: this.setting.leaves.of(fn.result),
      body: body.block,
      kind,
    };
    this.setting.add(locate(inPlaceOf(procedure, fn), this.fn[location]));
    if (frame.captured.length > captured.length) throw new InternalError("flat", `${name} captures too much`);
  }

  #loopBlock(local: Local, frame: Frame): { readonly block: Block } {
    const out: Stmt[] = [];
    const args = local.fn.params.map(({ name }) => frame.lookUp(name));
    const { atoms } = this.#loop(local, args, null, { frame, out });
    return { block: { stmts: out, end: { kind: "yield", values: atoms } } };
  }

  #bindParam({ name, type }: Core.Param, frame: Frame): readonly Var[] {
    const variables = this.#shapes.fresh(type, this.#namesOf(name, type));
    frame.bind(name, { type, atoms: variables.map(atomOf) });
    return variables;
  }

  #lambda(term: Core.Term & { readonly kind: "lam" }, hint: Hint | null, { frame, out }: Place): Value {
    const { names, leaves } = this.setting;
    const inner = new Frame(names, frame);
    const stem = hint?.names[0]?.stem ?? `${this.fn.name}Lambda`;
    const code = names.fresh({ stem: stem === names.temporary ? `${this.fn.name}Lambda` : `${stem}Code`, suffix: "" });
    const params = this.#bindParam({ name: term.param, type: term.type }, inner);
    const { block, type } = this.#block(term.body, null, null, inner);
    const procedure: Procedure = {
      name: code,
      definition: this.fn.name,
      captured: inner.captured.map(({ variable }) => variable),
      params,
      results: leaves.of(type),
      body: block,
      kind: "lambda",
    };
    this.setting.add(locate(inPlaceOf(procedure, term), this.fn[location]));
    const captured = inner.captured.map(({ from }) => from);
    return this.#let({ kind: "fn", from: term.type, to: type }, { kind: "closure", code, captured }, hint, out);
  }

  #declare(functions: readonly Core.Fn[], frame: Frame): void {
    const locals = functions.map(({ name }) => this.#localOf(name));
    const procedures = locals.filter(({ treatment }) => treatment === "procedure" || treatment === "loopProcedure");
    const frames = procedures.map((local) => {
      const inner = new Frame(this.setting.names, frame);
      this.#lifted.set(local.fn.name, this.#lift(local, inner));
      return inner;
    });
    procedures.forEach((local, index) => {
      const inner = frames[index];
      const procedure = this.#lifted.get(local.fn.name)?.procedure;
      if (inner !== undefined && procedure !== undefined) this.#procedure(procedure, local, inner, "function");
    });
  }

  #lift({ fn, group }: Local, inner: Frame): Lifted {
    const seen = new Set<string>();
    const captured = this.#captures.of(group).flatMap((name) =>
      inner.lookUp(name).atoms.flatMap((atom, leaf) => {
        if (atom.kind !== "var" || seen.has(atom.variable.name)) return [];
        seen.add(atom.variable.name);
        return [{ name, leaf }];
      }),
    );
    return { procedure: this.setting.names.fresh({ stem: this.#stemOf(fn.name), suffix: "" }), captured };
  }

  // Terms

  /** A block that yields a term's value, of which `hint` says what it is called, or asks for the next iteration of `tail`. */
  #block(term: Core.Term, tail: Tail, hint: Hint | null, frame: Frame): { readonly block: Block; readonly type: Type } {
    const out: Stmt[] = [];
    const { end, type } = this.#end(term, tail, hint, { frame, out });
    return { block: { stmts: out, end }, type };
  }

  #end(start: Core.Term, tail: Tail, hint: Hint | null, place: Place): { readonly end: End; readonly type: Type } {
    const term = this.#bindings(start, place);
    const before = place.out.length;
    const found = this.#unlocatedEnd(term, tail, hint, place);
    locateStmts(place.out, before, term[location]);
    return term[location] === undefined ? found : { ...found, end: inPlaceOf(found.end, term) };
  }

  /** The end that a term which binds nothing is. */
  #unlocatedEnd(
    term: Core.Term,
    tail: Tail,
    hint: Hint | null,
    place: Place,
  ): { readonly end: End; readonly type: Type } {
    if (term.kind === "if") {
      const cond = single(this.#value(term.cond, null, place).atoms);
      const then = this.#block(term.then, tail, hint, place.frame);
      const otherwise = this.#block(term.else, tail, hint, place.frame);
      return { end: { kind: "if", cond, then: then.block, else: otherwise.block }, type: then.type };
    }
    if (term.kind === "case") return this.#switch(term, tail, hint, place);
    if (term.kind === "call" && tail !== null && term.fn === tail.fn.name) {
      const args = this.#args(term.args, tail.fn.params, place);
      const values = args.flatMap(({ atoms }, index) => (tail.changes[index] === true ? atoms : []));
      return { end: { kind: "next", values }, type: tail.fn.result };
    }
    const { type, atoms } = this.#value(term, hint, place);
    return { end: { kind: "yield", values: atoms }, type };
  }

  #switch(
    term: Core.Term & { readonly kind: "case" },
    tail: Tail,
    hint: Hint | null,
    place: Place,
  ): { readonly end: End; readonly type: Type } {
    const scrutinee = this.#value(term.scrutinee, null, place);
    const { type } = scrutinee;
    const object = single(scrutinee.atoms);
    const made = term.branches.map((branch) => {
      const inner: Place = { frame: place.frame, out: [] };
      this.#bindFields(scrutinee, branch, inner);
      const { end, type: result } = this.#end(branch.body, tail, hint, inner);
      return { con: branch.con, body: { stmts: inner.out, end }, type: result };
    });
    const [{ type: result } = fail("a case without branches")] = made;
    return {
      end: { kind: "switch", object, type, branches: made.map(({ con, body }) => ({ con, body })) },
      type: result,
    };
  }

  /** The leaves of a term's value. `hint` says what new variables for them are called. */
  #value(start: Core.Term, hint: Hint | null, place: Place): Value {
    const term = this.#bindings(start, place);
    const before = place.out.length;
    const value = this.#unlocated(term, hint, place);
    locateStmts(place.out, before, term[location]);
    return value;
  }

  /** The leaves of the value of a term that binds nothing. */
  #unlocated(term: Core.Term, hint: Hint | null, place: Place): Value {
    const { leaves } = this.setting;
    switch (term.kind) {
      case "var":
        return place.frame.lookUp(term.name);
      case "real":
        return { type: real, atoms: [{ kind: "real", value: term.value }] };
      case "int":
        return { type: int, atoms: [intAtom(term.value)] };
      case "bool":
        return { type: bool, atoms: [{ kind: "bool", value: term.value }] };
      case "tuple":
      case "parallel": {
        const types = hint?.type.kind === "tuple" ? hint.type.items : [];
        const items = this.#parts(term.items, types, hint, place);
        return {
          type: { kind: "tuple", items: items.map(({ type }) => type) },
          atoms: items.flatMap(({ atoms }) => atoms),
        };
      }
      case "proj": {
        const tuple = this.#bindings(term.tuple, place);
        const { type, atoms } = this.#value(tuple, this.#componentHint(tuple, term.index, hint), place);
        if (type.kind !== "tuple") return fail("a projection of something else than a tuple");
        return this.#shapes.slice(type.items, atoms)[term.index] ?? fail("a projection out of a tuple");
      }
      case "lam":
        return this.#lambda(term, hint, place);
      case "app": {
        const fn = this.#value(term.fn, null, place);
        const arg = this.#value(term.arg, null, place);
        const { type } = fn;
        if (type.kind !== "fn") return fail("an application of something else than a function");
        const results = this.#shapes.results(type.to, hint);
        place.out.push({ kind: "apply", fn: single(fn.atoms), args: arg.atoms, results });
        return { type: type.to, atoms: results.map(atomOf) };
      }
      case "call":
        return this.#call(term, hint, place);
      case "op": {
        const args = term.args.map((arg) => single(this.#value(arg, null, place).atoms));
        const type = scalarType(primitive(term.op).result);
        const [first] = args;
        if (term.op === "neg" && first?.kind === "real") return { type, atoms: [{ ...first, value: -first.value }] };
        if (term.op === "negZ" && first?.kind === "int") return { type, atoms: [intAtom(0 - first.value)] };
        const [value, from] = args;
        if (term.op === "linked" && value !== undefined && from !== undefined) return this.#let(type, { kind: "known", value, from }, hint, place.out); // prettier-ignore
        const early = term.isGuarded === true ? ({ isEarly: true } as const) : {};
        return this.#let(type, { kind: "prim", op: term.op, args, site: term.site, ...early }, hint, place.out);
      }
      case "con": {
        const { type, name: con } = term;
        if (type.kind !== "data") return fail("a constructor of something else than data");
        if (!leaves.isSplit(type)) {
          const args = term.args.flatMap((arg) => this.#value(arg, null, place).atoms);
          return this.#let(type, { kind: "object", type, con, args }, hint, place.out);
        }
        const fields = this.#parts(term.args, this.#shapes.fieldTypes(type, con), hint, place);
        return { type, atoms: fields.flatMap(({ atoms }) => atoms) };
      }
      case "array": {
        const items = term.items.map((item) => this.#value(item, null, place).atoms);
        const type: Type = { kind: "array", element: term.element };
        const elements = leaves.of(term.element);
        if (elements.length === 0) return { type, atoms: [intAtom(items.length)] };
        const variables = this.#shapes.results(type, hint);
        variables.forEach((variable, leaf) => {
          const own = items.map((atoms) => atoms[leaf] ?? fail("an array's item without a leaf"));
          place.out.push(letOf(variable, { kind: "array", element: elements[leaf] ?? rep.real, items: own }));
        });
        return { type, atoms: variables.map(atomOf) };
      }
      case "build":
        return this.#for(term, { size: this.#size(term, place), init: [] }, hint, place);
      case "scan":
        return this.#scan(term, hint, place);
      case "index": {
        const { type, atoms } = this.#value(term.array, null, place);
        if (type.kind !== "array") return fail("an index into something else than an array");
        const [array = fail("an array without leaves")] = atoms;
        const index = single(this.#value(term.index, null, place).atoms);
        if (term.site !== null)
          place.out.push({ kind: "check", check: { kind: "inRange", index, array }, site: term.site });
        const variables = this.#shapes.results(type.element, hint);
        variables.forEach((variable, leaf) => {
          place.out.push(letOf(variable, { kind: "cell", array: atoms[leaf] ?? array, index }));
        });
        return { type: type.element, atoms: variables.map(atomOf) };
      }
      case "length": {
        const { type, atoms } = this.#value(term.array, null, place);
        const [array = fail("an array without leaves")] = atoms;
        // The array of values without leaves is its length
        if (type.kind === "array" && leaves.of(type.element).length === 0) return { type: int, atoms: [array] };
        return this.#let(int, { kind: "length", array }, hint, place.out);
      }
      case "if":
      case "case": {
        // Named first: what stands inside is seen in fewer places
        const named = hint === null ? null : this.#shapes.results(hint.type, hint);
        const { end, type } = this.#end(term, null, hint, place);
        const results = named ?? this.#shapes.results(type, null);
        place.out.push({ kind: "choose", results, end });
        return { type, atoms: results.map(atomOf) };
      }
      case "let":
      case "letRec":
        return fail("a binding that is not bound");
    }
  }

  /** Binds what a term binds where it begins; what is left of it does not begin with a binding. */
  #bindings(start: Core.Term, place: Place): Core.Term {
    let term = start;
    for (let next = this.#bind(term, place); next !== null; next = this.#bind(term, place)) term = next;
    return term;
  }

  #bind(term: Core.Term, place: Place): Core.Term | null {
    const { frame } = place;
    switch (term.kind) {
      case "let":
        this.#bindTo(term.name, term.type, term.bound, place, term[location]);
        return term.body;
      case "letRec":
        this.#declare(term.functions, frame);
        return term.body;
      case "app": {
        if (term.fn.kind === "lam") {
          this.#bindTo(term.fn.param, term.fn.type, term.arg, place);
          return term.fn.body;
        }
        const fn = this.#bind(term.fn, place);
        return fn === null ? null : { kind: "app", fn, arg: term.arg };
      }
      case "case": {
        const [branch, other] = term.branches;
        if (branch === undefined || other !== undefined) return null;
        this.#bindFields(this.#value(term.scrutinee, null, place), branch, place);
        return branch.body;
      }
      case "call": {
        const local = this.#locals.get(term.fn);
        if (local?.treatment !== "inline") return null;
        const { fn } = local;
        const args = this.#args(term.args, fn.params, place);
        fn.params.forEach(({ name }, index) => {
          const arg = args[index];
          if (arg !== undefined) frame.bind(name, arg);
        });
        return fn.body;
      }
      default:
        return null;
    }
  }

  #bindTo(name: string, type: Type, bound: Core.Term, place: Place, at?: Location): void {
    const before = place.out.length;
    place.frame.bind(name, this.#value(bound, this.#hintFor(name, type), place));
    nameLast(place.out, before, at);
  }

  /** Binds the variables of a branch that are used. */
  #bindFields({ type, atoms }: Value, { con, vars }: Core.Branch, { frame, out }: Place): void {
    const fields = this.#shapes.fieldTypes(type, con);
    if (type.kind === "data" && this.setting.leaves.isSplit(type)) {
      this.#shapes.slice(fields, atoms).forEach((value, position) => {
        frame.bind(vars[position] ?? "", value);
      });
      return;
    }
    const object = single(atoms);
    let first = 0;
    fields.forEach((field, position) => {
      const name = vars[position] ?? "";
      const start = first;
      first += this.setting.leaves.of(field).length;
      if (!this.#used.has(name)) return;
      const variables = this.#shapes.fresh(field, this.#namesOf(name, field));
      variables.forEach((variable, leaf) => {
        out.push(letOf(variable, { kind: "field", object, con, index: start + leaf }));
      });
      frame.bind(name, { type: field, atoms: variables.map(atomOf) });
    });
  }

  // Calls and loops

  #call(term: Core.Term & { readonly kind: "call" }, hint: Hint | null, place: Place): Value {
    const extern = this.setting.externs.get(term.fn);
    if (extern !== undefined) {
      const args = this.#args(term.args, extern.params, place).flatMap(({ atoms }) => atoms);
      const [result = fail("a function of the caller that gives nothing")] = this.setting.leaves.of(extern.result);
      return this.#let(extern.result, { kind: "extern", fn: term.fn, args, result }, hint, place.out);
    }
    const local = this.#locals.get(term.fn);
    const fn = this.#functionOf(term.fn);
    const values = this.#args(term.args, fn.params, place);
    if (local?.treatment === "loop") return this.#loop(local, values, hint, place);
    const { procedure, captured } = this.#lifted.get(term.fn) ?? { procedure: fn.name, captured: [] };
    const own = values.flatMap(({ atoms }) => atoms);
    const further = captured.map(
      ({ name, leaf }) => place.frame.lookUp(name).atoms[leaf] ?? fail(`${name} has no leaf ${leaf}`),
    );
    const results = this.#shapes.results(fn.result, hint);
    place.out.push({ kind: "call", fn: procedure, args: [...own, ...further], results });
    return { type: fn.result, atoms: results.map(atomOf) };
  }

  /** The arguments of a known function; new variables for them are called after its parameters. */
  #args(args: readonly Core.Term[], params: readonly Core.Param[], place: Place): readonly Value[] {
    return args.map((arg, index) => {
      const param = params[index];
      if (param === undefined) return fail("an argument without a parameter");
      return this.#value(arg, this.#hintFor(param.name, param.type), place);
    });
  }

  #loop(local: Local, args: readonly Value[], hint: Hint | null, { frame, out }: Place): Value {
    const { fn, changes } = local;
    const params: Var[] = [];
    const init: Atom[] = [];
    fn.params.forEach((param, index) => {
      const arg = args[index];
      if (arg === undefined) return;
      if (changes[index] !== true) {
        frame.bind(param.name, arg);
        return;
      }
      params.push(...this.#bindParam(param, frame));
      init.push(...arg.atoms);
    });
    const results = this.#shapes.results(fn.result, hint);
    const { block } = this.#block(fn.body, local, hint, frame);
    out.push({ kind: "loop", params, init, body: block, results, arrays: [] });
    return { type: fn.result, atoms: results.map(atomOf) };
  }

  #scan(term: Core.Term & { readonly kind: "scan" }, hint: Hint | null, place: Place): Value {
    const size = this.#size(term, place);
    const init = this.#value(term.start, this.#hintFor(term.carried, term.type), place).atoms;
    const type = scanType(term);
    const [ends, made] = type.items.map((item, at) => hint && { type: item, names: at === 0 ? hint.names.slice(0, init.length) : hint.names.slice(init.length) }); // prettier-ignore
    const results = this.#shapes.results(term.type, ends ?? null);
    return { type, atoms: [...results.map(atomOf), ...this.#for(term, { size, init }, made ?? null, place, results).atoms] }; // prettier-ignore
  }

  #size({ size }: Core.Term & { readonly kind: "build" | "scan" }, place: Place): Atom {
    return single(this.#value(size, null, place).atoms);
  }

  /** A loop that fills an array, and carries on what `init` is at the start. */
  #for(
    term: Core.Term & { readonly kind: "build" | "scan" },
    { size, init }: { readonly size: Atom; readonly init: readonly Atom[] },
    hint: Hint | null,
    place: Place,
    results: readonly Var[] = [],
  ): Value {
    if (term.site !== null) place.out.push({ kind: "check", check: { kind: "size", size }, site: term.site });
    // The parameter of `\_. t` has no name
    const stem = /^_\d*$/.test(term.index) ? "i" : this.#stemOf(term.index);
    const index: Var = { name: this.setting.names.fresh({ stem, suffix: "" }), rep: { kind: "int" } };
    place.frame.bind(term.index, { type: int, atoms: [atomOf(index)] });
    const params = term.kind === "scan" ? this.#bindParam({ name: term.carried, type: term.type }, place.frame) : [];
    const { block } = this.#block(term.body, null, term.kind === "scan" ? this.#shapes.pairHint(term.type, term.element, this.#namesOf(term.carried, term.type)) : null, place.frame); // prettier-ignore
    const type: Type = { kind: "array", element: term.element };
    const isLength = this.setting.leaves.of(term.element).length === 0;
    const arrays = isLength ? [] : this.#shapes.results(type, hint);
    place.out.push({ kind: "for", index, count: size, params, init, body: block, results, arrays });
    return { type, atoms: isLength ? [size] : arrays.map(atomOf) };
  }

  // Leaves

  #namesOf(name: string, type: Type): readonly LeafName[] {
    return namesInside(name, type, this.#partNames, this.setting.leaves).map(({ stem, suffix }) => {
      return { stem: this.#stemOf(stem), suffix };
    });
  }

  /** What the variables for a tuple are called of which one component has a name, where a call tells how many it has. */
  #componentHint(tuple: Core.Term, index: number, hint: Hint | null): Hint | null {
    const type = tuple.kind === "call" ? this.#functionOf(tuple.fn).result : tuple.kind === "scan" ? scanType(tuple) : null; // prettier-ignore
    if (hint === null || type?.kind !== "tuple") return null;
    const { leaves, names } = this.setting;
    return { type, names: type.items.flatMap((item, at) => at === index ? hint.names : leafNames(names.temporary, item, leaves)) }; // prettier-ignore
  }

  /** What a variable of the core program is called without the number that tells it apart there. */
  #stemOf(name: string): string {
    return this.setting.given.get(this.fn.name)?.get(name) ?? name.replace(/\d+$/, "");
  }

  /** What variables for a value are called that becomes a variable of the core program. */
  #hintFor(name: string, type: Type): Hint {
    return { type, names: this.#namesOf(name, type) };
  }

  /** Terms that make up one value, whose parts have these types where that is known. */
  #parts(terms: readonly Core.Term[], types: readonly Type[], hint: Hint | null, place: Place): readonly Value[] {
    let first = 0;
    return terms.map((term, index) => {
      const type = types[index];
      if (type === undefined || hint === null) return this.#value(term, null, place);
      const start = first;
      first += this.setting.leaves.of(type).length;
      return this.#value(term, { type, names: hint.names.slice(start, first) }, place);
    });
  }

  #let(type: Type, op: Operation, hint: Hint | null, out: Stmt[]): Value {
    const [variable = fail("an operation without a result")] = this.#shapes.results(type, hint);
    out.push(letOf(variable, op));
    return { type, atoms: [atomOf(variable)] };
  }

  #functionOf(name: string): Core.Fn {
    return this.#locals.get(name)?.fn ?? this.setting.definitions.get(name) ?? fail(`there is no function ${name}`);
  }

  #localOf(name: string): Local {
    return this.#locals.get(name) ?? fail(`there is no function ${name}`);
  }
}

function fail(message: string): never {
  throw new InternalError("flat", message);
}
