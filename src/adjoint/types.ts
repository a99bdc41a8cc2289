// How adjoint code writes reps in TypeScript.
//
// An object's fields hold values as the exported interface has them (a pair is a tuple, a record an object), so that a list given by a caller is read
// in place; arrays of what is split are the exception: they are tuples of arrays. Stores have the shape of what they belong to.

import type { Type } from "../core/type.js";
import { classOf, type CallGraph } from "./call-graph.js";
import type { PublicTypes } from "../emit/interface/public-types.js";
import type { Shapes as TableShapes } from "../emit/interface/shape-table.js";
import type { Refer } from "../emit/lower/lower-operators.js";
import { InternalError } from "../internal-error.js";
import type { Leaves } from "../flat/leaves.js";
import type { Rep } from "../flat/program.js";
import type { Scope } from "../typescript/naming.js";
import { capitalised, identifier } from "../typescript/naming.js";
import { callOf, number, typeName } from "../typescript/build.js";
import type { TsDeclaration, TsExpr, TsField, TsParam, TsType } from "../typescript/tree.js";
import { unset } from "./code.js";
import { Conversions } from "./conversions.js";
import { depthParam } from "./deep-calls.js";
import { InsideShapes } from "./inside-shapes.js";
import { Shapes } from "./object-layouts.js";
import { elementOf } from "./stores.js";

type DataType = Type & { readonly kind: "data" };

const tsNumber = typeName("number");
const tsBoolean = typeName("boolean");
const tsNull: TsType = { kind: "literal", value: null };

export class AdjointTypes {
  readonly leaves: Leaves;
  readonly #public: PublicTypes;
  readonly #scope: Scope;
  readonly #refer: Refer;
  readonly #named = new Map<string, string>();
  readonly #declarations: TsDeclaration[] = [];

  readonly #graph: CallGraph;
  readonly shapes: Shapes;
  readonly conversions: Conversions;
  readonly #inside: InsideShapes | null;

  /**
   * `scope` hands out names of types, `refer` gives names of the runtime; `table` is the name of the table of conversions, `dataTypes` that of what
   * the interface looks at, null where the module has none.
   */
  constructor(
    leaves: Leaves,
    graph: CallGraph,
    types: PublicTypes,
    scope: Scope,
    refer: Refer,
    table: string,
    dataTypes: TableShapes | null,
  ) {
    this.leaves = leaves;
    this.#graph = graph;
    this.#public = types;
    this.#scope = scope;
    this.#refer = refer;
    this.shapes = new Shapes(leaves);
    this.conversions = new Conversions(this.shapes, table, refer);
    this.#inside = dataTypes === null ? null : new InsideShapes(this.shapes, dataTypes);
  }

  /** Whether values of the type hold arrays of numbers. */
  isWide(type: Type): boolean {
    return this.#public.isWide(type);
  }

  /** Calls a function of the runtime that goes by the shape of a leaf. */
  callOn(reference: string, rep: Rep, value: TsExpr): TsExpr {
    return callOf(this.#refer(reference), value, ...(this.#inside?.arguments(rep) ?? []));
  }

  /** The types that have been named. */
  declarations(): readonly TsDeclaration[] {
    return this.#declarations;
  }

  /** `universe`: whether closures are those of adjoint code or plain functions. */
  of(rep: Rep, universe: Universe): TsType {
    switch (rep.kind) {
      case "real":
      case "int":
        return tsNumber;
      case "bool":
        return tsBoolean;
      case "array":
        return arrayOf(rep.element, this.of(rep.element, universe));
      case "object":
        return this.#object(rep.type, universe);
      case "closure":
        return this.#closure(rep, universe);
      case "store":
        return this.store(rep.of);
    }
  }

  /** An array that is being filled. */
  filled(rep: Rep, universe: Universe): TsType {
    const element = elementOf(rep);
    return element.kind === "real" ? typeName("Float64Array") : typeName("Array", this.of(element, universe));
  }

  /** A type as the exported interface has it. */
  outside(type: Type, isCotangent: boolean): TsType {
    return isCotangent ? this.#public.cotangent(type) : this.#public.value(type);
  }

  /** A value of a type as a field of an object holds it. */
  field(type: Type, universe: Universe): TsType {
    if (type.kind === "tuple") {
      if (type.items.length === 0) return { kind: "literal", value: null };
      return { kind: "tuple", items: type.items.map((item) => this.field(item, universe)) };
    }
    if (type.kind === "data" && this.leaves.isSplit(type)) {
      return { kind: "object", fields: this.#fields(type, this.shapes.onlyConstructor(type), (field) => this.field(field, universe)) }; // prettier-ignore
    }
    const leaves = this.leaves.of(type).map((leaf) => this.of(leaf, universe));
    const [only] = leaves;
    return leaves.length === 1 && only !== undefined ? only : { kind: "tuple", items: leaves };
  }

  #fields(type: Type, con: string, write: (field: Type) => TsType): readonly TsField[] {
    const { keys, fields, isTagged } = this.shapes.record(type, con);
    const rest = fields.map((field, index) => ({ name: keys[index] ?? "", type: write(field) }));
    const tag: TsField = { name: "tag", type: { kind: "literal", value: con } };
    return isTagged ? [tag, ...rest] : rest;
  }

  #object(type: Type, universe: Universe): TsType {
    if (type.kind !== "data") throw new InternalError("adjoint", `an object of a ${type.kind} type`);
    if (this.shapes.isSame(type)) return this.#public.value(type);
    const key = `${universe} ${JSON.stringify(type)}`;
    return this.#union(key, `${this.#stem(type)}${universe === "plain" ? "Value" : "Inside"}`, type, (field) =>
      this.field(field, universe),
    );
  }

  /** Whether all objects of a type are made by one constructor. */
  isOnly(type: Type, con: string): boolean {
    return type.kind === "data" && this.leaves.types.constructorsOf(type).every(({ name }) => name === con);
  }

  /** The type of the objects that `con` has made, where there are others. */
  madeBy(type: Type, con: string, universe: Universe): TsType {
    if (type.kind !== "data") throw new InternalError("adjoint", `an object of a ${type.kind} type`);
    const isSame = this.shapes.isSame(type);
    const key = `${isSame ? "" : universe} ${con} ${JSON.stringify(type)}`;
    const known = this.#named.get(key);
    if (known !== undefined) return typeName(known);
    const name = this.#scope.fresh(`${this.#stem(type)}${capitalised(identifier(con))}`);
    this.#named.set(key, name);
    const fields = this.#fields(type, con, (field) => (isSame ? this.outside(field, false) : this.field(field, universe))); // prettier-ignore
    this.#declare(name, { kind: "object", fields });
    return typeName(name);
  }

  /** The type of the objects that `con` has made, as the interface has them, while they are linked to each other. */
  linkOf(type: Type, con: string): TsType {
    if (type.kind !== "data") throw new InternalError("adjoint", `a ${type.kind} type has no links`);
    const key = `link ${con} ${JSON.stringify(type)}`;
    const known = this.#named.get(key);
    if (known !== undefined) return typeName(known);
    const name = this.#scope.fresh(`${this.#stem(type)}Link`);
    this.#named.set(key, name);
    const fields = this.#fields(type, con, (field) => {
      const part = this.outside(field, false);
      return JSON.stringify(field) === JSON.stringify(type) ? { kind: "slot", type: part } : part;
    });
    this.#declare(name, { kind: "object", fields });
    return typeName(name);
  }

  #declare(name: string, type: TsType): void {
    this.#declarations.push({ kind: "type", doc: "", exported: false, name, typeParams: [], type });
  }

  /** The type of an object's store; of what `con` has made where that is given. */
  storeOf(type: Type, con: string): TsType {
    if (type.kind !== "data") throw new InternalError("adjoint", `a store of a ${type.kind} type`);
    this.store({ kind: "object", type });
    const name = this.#named.get(`store ${con} ${JSON.stringify(type)}`);
    if (name === undefined) throw new InternalError("adjoint", `there is no store of ${con}`);
    return typeName(name);
  }

  /** A value's cotangent as stores hold it, and as the exported interface gives it where values are the same there; its numbers may be assigned. */
  store(rep: Rep): TsType {
    switch (rep.kind) {
      case "real":
        return { kind: "slot", type: tsNumber };
      case "int":
        return { kind: "literal", value: 0 };
      case "bool":
        return tsBoolean;
      case "array":
        return arrayOf(rep.element, this.store(rep.element));
      case "object":
        return this.leaves.hasStore(rep) || !this.shapes.isSame(rep.type) ? this.#storeOfObject(rep.type) : this.outside(rep.type, true); // prettier-ignore
      case "closure":
      case "store":
        return tsNull;
    }
  }

  #storeOfObject(type: Type): TsType {
    if (type.kind !== "data") throw new InternalError("adjoint", `a store of a ${type.kind} type`);
    const key = `store ${JSON.stringify(type)}`;
    const known = this.#named.get(key);
    if (known !== undefined) return typeName(known);
    const stem = this.#stem(type);
    const name = this.#scope.fresh(`${stem}Store`);
    this.#named.set(key, name);
    const constructors = this.leaves.types.constructorsOf(type);
    const members = constructors.map(({ name: con }) => {
      const made = constructors.length === 1 ? name : this.#scope.fresh(`${stem}${capitalised(identifier(con))}Store`);
      this.#named.set(`store ${con} ${JSON.stringify(type)}`, made);
      return { con, made };
    });
    const declared = members.map(({ con, made }): TsDeclaration => {
      const fields = this.#fields(type, con, (field) => this.#storeField(field, type));
      return { kind: "type", doc: "", exported: false, name: made, typeParams: [], type: { kind: "object", fields } };
    });
    const union: TsType = { kind: "union", members: members.map(({ made }) => typeName(made)) };
    this.#declarations.push(...declared);
    if (constructors.length !== 1)
      this.#declarations.push({ kind: "type", doc: "", exported: false, name, typeParams: [], type: union });
    return typeName(name);
  }

  /** A field of the store of an object of type `owner`: stores of that type are linked to each other when all are there. */
  #storeField(type: Type, owner: Type): TsType {
    const isLink = JSON.stringify(type) === JSON.stringify(owner);
    const part = this.storePart(type);
    return isLink ? { kind: "slot", type: part } : part;
  }

  /** A part of the store of an object. */
  storePart(type: Type): TsType {
    if (type.kind === "tuple") {
      return type.items.length === 0
        ? tsNull
        : { kind: "tuple", items: type.items.map((item) => this.storePart(item)) };
    }
    if (type.kind === "data" && this.leaves.isSplit(type)) {
      return { kind: "object", fields: this.#fields(type, this.shapes.onlyConstructor(type), (field) => this.storePart(field)) }; // prettier-ignore
    }
    const leaves = this.leaves.of(type).map((leaf) => this.store(leaf));
    const [only] = leaves;
    return leaves.length === 1 && only !== undefined ? only : { kind: "tuple", items: leaves };
  }

  /** What stands in an object's store, of the slots and stores of its leaves; what is never read for those that have neither. */
  buildStore(type: Type, con: string, leaves: readonly (TsExpr | null)[]): TsExpr {
    const reps = this.leaves.fieldsOf(type, con).flat();
    return this.shapes.build(type, con, leaves.map((leaf, index) => leaf ?? unread(reps[index]))); // prettier-ignore
  }

  /** A function's type in adjoint code: an object with both sweeps. */
  #closure(rep: Rep & { readonly kind: "closure" }, universe: Universe): TsType {
    const [params, results] = [this.leaves.of(rep.from), this.leaves.of(rep.to)];
    const key = `${universe} closure ${classOf(rep, this.leaves)}`;
    const known = this.#named.get(key);
    if (known !== undefined) return typeName(known);
    const name = this.#scope.fresh(universe === "plain" ? "Fn" : "Closure");
    this.#named.set(key, name);
    const place = this.#declarations.length;
    const param = (hint: string, type: TsType) => ({ name: hint, type, optional: false });
    const plainParams = params.map((leaf, index) => param(`x${index}`, this.of(leaf, universe)));
    const type: TsType =
      universe === "plain"
        ? this.#plainClosure(this.#graph.unknown("plain", rep), plainParams, this.results(results, universe))
        : this.#adjointClosure(name, rep, param);
    this.#declarations.splice(place, 0, { kind: "type", doc: "", exported: false, name, typeParams: [], type });
    return typeName(name);
  }

  #plainClosure(node: string, params: readonly TsParam[], result: TsType): TsType {
    if (!this.#graph.isCyclic(node)) return this.#functionType(node, params, result);
    return { kind: "object", fields: this.#entries("call", node, params, result) };
  }

  /** How a function is called: where it may recurse, in two ways. */
  #entries(name: string, node: string, params: readonly TsParam[], result: TsType): readonly TsField[] {
    const onStack: TsField = { name, type: this.#functionType(node, params, result) };
    if (!this.#graph.isCyclic(node)) return [onStack];
    const deepType = typeName(this.#refer("deep-generators.Deep").name, result);
    const deep: TsType = { kind: "function", typeParams: [], params, result: deepType };
    return [onStack, { name: `${name}Deep`, type: deep }];
  }

  #functionType(node: string, params: readonly TsParam[], result: TsType): TsType {
    const depth: readonly TsParam[] = this.#graph.takesDepth(node) ? [depthParam("depth")] : [];
    return { kind: "function", typeParams: [], params: [...params, ...depth], result };
  }

  #adjointClosure(
    name: string,
    rep: Rep & { readonly kind: "closure" },
    param: (hint: string, type: TsType) => TsParam,
  ): TsType {
    const [params, results] = [this.leaves.of(rep.from), this.leaves.of(rep.to)];
    const before = [param("self", typeName(name)), param("saved", typeName(this.#refer("adjoint.SavedValues").name))];
    const withStores = (leaves: readonly Rep[]): readonly Rep[] => [...leaves, ...leaves.filter((leaf) => this.leaves.hasStore(leaf)).map((of): Rep => ({ kind: "store", of }))]; // prettier-ignore
    const values = withStores(params).map((leaf, index) => param(`x${index}`, this.of(leaf, "adjoint")));
    const reals = (leaves: readonly Rep[]): readonly Rep[] => leaves.filter(({ kind }) => kind === "real");
    const cotangents = reals(results).map((_, index) => param(`d${index}`, tsNumber));
    const [call, back] = [this.#graph.unknown("forward", rep), this.#graph.unknown("reverse", rep)];
    return {
      kind: "object",
      fields: [
        ...this.#entries("call", call, [...before, ...values], this.results(withStores(results), "adjoint")),
        ...this.#entries("back", back, [...before, ...cotangents], this.results(reals(params), "adjoint")),
      ],
    };
  }

  /** What a function with several results returns. */
  results(reps: readonly Rep[], universe: Universe): TsType {
    const types = reps.map((rep) => this.of(rep, universe));
    const [only] = types;
    if (types.length === 0) return typeName("void");
    return types.length === 1 && only !== undefined ? only : { kind: "tuple", items: types };
  }

  #union(key: string, hint: string, type: DataType, write: (field: Type) => TsType): TsType {
    const known = this.#named.get(key);
    if (known !== undefined) return typeName(known);
    const name = this.#scope.fresh(hint);
    this.#named.set(key, name);
    const members = this.leaves.types
      .constructorsOf(type)
      .map(({ name: con }): TsType => ({ kind: "object", fields: this.#fields(type, con, write) }));
    const [only] = members;
    const union: TsType = members.length === 1 && only !== undefined ? only : { kind: "union", members };
    this.#declarations.push({ kind: "type", doc: "", exported: false, name, typeParams: [], type: union });
    return typeName(name);
  }

  #stem(type: DataType): string {
    return this.#public.nameOf(type.name);
  }
}

function arrayOf(element: Rep, type: TsType): TsType {
  return element.kind === "real" ? typeName("Float64Array") : { kind: "array", element: type };
}

/** A part of a store that is never read; a number where others have one, which keeps their fields quick. */
function unread(rep: Rep | undefined): TsExpr {
  switch (rep?.kind) {
    case "real":
    case "int":
      return number(0);
    case "bool":
      return { kind: "boolean", value: false };
    case "closure":
      return { kind: "null" };
    default:
      return unset;
  }
}

/** Plain code computes values alone; adjoint code has both sweeps. */
export type Universe = "plain" | "adjoint";
