// What expressions read that may change, and what changes it. Objects and arrays are told apart by regions: two variables are of one region when what
// they refer to may share memory. Within a region, properties are told apart by their names; elements are the property "[]".

import { isBlock, isMath } from "../../typescript/facts.js";
import { visitNames, visitParts, visitStmt, type Visiting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt, TsType } from "../../typescript/tree.js";
import { isLocal, namesOf } from "./bindings.js";
import {
  isChangingCall,
  isCopyingCall,
  isFillingCall,
  isLastCall,
  isReadingCall,
  type Surroundings,
} from "./purity.js";
import { surveyed } from "./survey.js";

/** A variable (`key` ""), or a property of a region. */
export interface Location {
  readonly of: string;
  readonly key: string;
}

/** What a statement changes: a location, or some properties of a region; all of them where `keys` is null. */
export interface Change {
  readonly of: string;
  readonly keys: ReadonlySet<string> | null;
}

/** The property that elements are. */
export const elements = "[]";

/** The property that is read by an index: a component of a tuple, or an element. Of these TypeScript is told that they are there, which it knows of those. */
function keyOfIndex({ index, certain }: TsExpr & { readonly kind: "index" }): string {
  return index.kind === "number" && !certain ? `[${index.value}]` : elements;
}

/** The properties one of which an assignment changes. */
export function keysAssigned({ op, target }: Assignment): readonly string[] {
  if (target.kind === "member") return [target.name];
  if (target.kind !== "index") return [];
  const key = keyOfIndex(target);
  // What is assigned need not be there
  return op === "=" && key !== elements ? [key, elements] : [key];
}

const tapeKeys: ReadonlySet<string> = new Set(["count", "valueCount"]);
const tapeMethods: ReadonlySet<string> = new Set(["pushNumber", "popNumber", "pushValue", "popValue"]);
const pushKeys: ReadonlySet<string> = new Set([elements, "length"]);
const variableKeys: ReadonlySet<string> = new Set([""]);
/** What makes arrays in which nothing is what it is given: functions of the runtime, and those of a module for its types. */
const makers: ReadonlySet<string> = new Set(["adjoint.zeroRows", "adjoint.workRows", "adjoint.zeroStore", "workspace.numbersRead", "workspace.zerosIn"]); // prettier-ignore
/** Operators whose operands are numbers. */
const arithmetic: ReadonlySet<string> = new Set(["-", "*", "/", "%", ">>", "<", "<=", ">", ">="]);

type Assignment = TsExpr & { readonly kind: "assign" };
type Definition = TsStmt & { readonly kind: "const" | "let" };
/** What may make variables refer to the same. */
type Flow = Definition | { readonly kind: "expr"; readonly expr: Assignment | (TsExpr & { readonly kind: "call" }) };

export class Memory {
  readonly #surroundings: Surroundings;
  readonly #parents = new Map<string, string>();
  /** Variables that hold numbers, and arrays whose elements are numbers. */
  readonly #numbers = new Set<string>();
  readonly #numberArrays = new Set<string>();
  readonly #fn: TsFunction;
  /** The function is not read before regions are asked for: many functions have none. */
  #isRead = false;
  #links = 0;

  constructor(fn: TsFunction, surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.#fn = fn;
  }

  /** How often two regions have become one: what is asked may show that they are, and what has been answered before may be out of date then. */
  get links(): number {
    return this.#links;
  }

  #read(): void {
    if (this.#isRead) return;
    this.#isRead = true;
    const fn = this.#fn;
    for (const { name, type } of fn.params) this.#noteType(name, type);
    const flows = this.#learn(fn.body);
    // What has been found of a variable at its uses is known of its definition now
    for (const flow of flows) if (flow.kind !== "expr") this.#noteDefinition(flow);
    const [first] = fn.params;
    // Callers may pass one object twice
    for (const { name } of fn.params) if (first !== undefined) this.#link(name, first.name);
    for (const flow of flows) this.#linkAll(flow);
  }

  /** Whether the elements of an array are known to be numbers. */
  holdsNumbers(name: string): boolean {
    this.#read();
    return this.#numberArrays.has(name);
  }

  /** What an expression reads that may change. */
  reads(expr: TsExpr): readonly Location[] {
    const found: Location[] = [];
    const visiting: Visiting = {
      expr: (part) => {
        const read = this.read(part);
        if (read !== null) found.push(read);
        visitParts(part, visiting);
      },
      block: () => undefined,
    };
    visiting.expr(expr);
    return found;
  }

  /** The same of an expression by itself, without its parts. */
  read(expr: TsExpr): Location | null {
    if (expr.kind === "id") return this.#mayChange(expr.name) ? { of: expr.name, key: "" } : null;
    if (expr.kind !== "member" && expr.kind !== "index") return null;
    this.#read();
    const region = this.#regionOf(expr.object);
    return region === null ? null : { of: region, key: expr.kind === "member" ? expr.name : keyOfIndex(expr) };
  }

  /** Variables that are not those of the function are taken to. */
  #mayChange(name: string): boolean {
    return (surveyed(this.#fn).variables.get(name)?.writes ?? 0) > 0 || !isLocal(name);
  }

  /** What an assignment changes, when its value is there. */
  assigned(assignment: Assignment): readonly Change[] {
    const { target } = assignment;
    if (target.kind === "id") return [{ of: target.name, keys: variableKeys }];
    if (target.kind !== "member" && target.kind !== "index") return [];
    this.#read();
    const region = this.#regionOf(target.object);
    return region === null ? [] : [{ of: region, keys: new Set(keysAssigned(assignment)) }];
  }

  /** What a call changes, when its arguments are there. */
  called(fn: TsExpr, args: readonly TsExpr[]): readonly Change[] {
    if (isReadingCall(fn, this.#surroundings)) return [];
    const method = fn.kind === "member" ? fn.name : null;
    if (method === "slice") return [];
    this.#read();
    const changes: Change[] = [];
    const change = (part: TsExpr, keys: Change["keys"]): void => {
      const region = this.#regionOf(part);
      if (region !== null) changes.push({ of: region, keys });
    };
    if (fn.kind === "member" && tapeMethods.has(fn.name)) {
      change(fn.object, tapeKeys);
      return changes;
    }
    if (fn.kind === "member" && (method === "push" || method === "fill")) {
      change(fn.object, pushKeys);
      return changes;
    }
    const keys = isChangingCall(fn, this.#surroundings) ? null : this.#surroundings.written;
    for (const part of [fn, ...args]) change(part, keys);
    return changes;
  }

  /** The regions of what is called, and of what it is given. */
  given(fn: TsExpr, args: readonly TsExpr[]): readonly string[] {
    this.#read();
    return [fn, ...args].map((part) => this.#regionOf(part)).filter((region) => region !== null);
  }

  /** The region of what an expression refers to; null where that is a number, or nothing that can change. */
  #regionOf(expr: TsExpr): string | null {
    switch (expr.kind) {
      case "id":
        return this.#numbers.has(expr.name) ? null : this.#find(expr.name);
      case "member":
        return expr.name === "length" ? null : this.#regionOf(expr.object);
      case "index":
        return this.#isNumber(expr) ? null : this.#regionOf(expr.object);
      case "as":
        return this.#regionOf(expr.expr);
      case "yield":
        return this.#regionOf(expr.value);
      case "cond":
        return this.#joined([expr.then, expr.else]);
      case "binary":
        return expr.op === "??" || expr.op === "&&" || expr.op === "||" ? this.#joined([expr.left, expr.right]) : null;
      case "call":
        return isMath(expr.fn) || isCopyingCall(expr.fn, this.#surroundings) || isFillingCall(expr.fn, this.#surroundings) ? null : this.#joined([expr.fn, ...expr.args]); // prettier-ignore
      case "array":
        return this.#joined(expr.items);
      case "object":
        return this.#joined(expr.fields.map(({ value }) => value));
      case "assign":
        return this.#regionOf(expr.value);
      case "arrow": {
        const names: TsExpr[] = [];
        const body: readonly TsStmt[] = isBlock(expr.body) ? expr.body : [{ kind: "expr", expr: expr.body }];
        visitNames(body, (name) => names.push({ kind: "id", name }));
        return this.#joined(names);
      }
      case "new":
      case "number":
      case "string":
      case "boolean":
      case "null":
      case "undefined":
      case "unary":
        return null;
    }
  }

  /** One region for all of some values. */
  #joined(parts: readonly TsExpr[]): string | null {
    let region: string | null = null;
    for (const part of parts) {
      if (part.kind === "id" && !isLocal(part.name)) continue;
      const other = this.#regionOf(part);
      if (other === null) continue;
      if (region !== null) this.#link(region, other);
      region = this.#find(other);
    }
    return region;
  }

  #isNumber(expr: TsExpr): boolean {
    switch (expr.kind) {
      case "number":
      case "boolean":
      case "string":
      case "unary":
        return true;
      case "binary":
        return expr.op !== "??" && expr.op !== "&&" && expr.op !== "||";
      case "id":
        return this.#numbers.has(expr.name);
      case "member":
        return expr.name === "length";
      case "index":
        return this.#isNumberArray(expr.object);
      case "call":
        return isMath(expr.fn);
      case "cond":
        return this.#isNumber(expr.then) && this.#isNumber(expr.else);
      case "as":
        return isNumberType(expr.type) || this.#isNumber(expr.expr);
      default:
        return false;
    }
  }

  #isNumberArray(expr: TsExpr): boolean {
    if (expr.kind === "id") return this.#numberArrays.has(expr.name);
    if (expr.kind === "as") return isNumberArrayType(expr.type) || this.#isNumberArray(expr.expr);
    return expr.kind === "new" && expr.fn.kind === "id" && expr.fn.name === "Float64Array";
  }

  #noteType(name: string, type: TsType | null): void {
    if (type === null) return;
    if (isNumberType(type)) this.#numbers.add(name);
    if (isNumberArrayType(type)) this.#numberArrays.add(name);
  }

  /** A value that is computed with is a number. */
  #noteNumber(expr: TsExpr): void {
    if (expr.kind === "id") this.#numbers.add(expr.name);
    if (expr.kind === "index" && expr.object.kind === "id") this.#numberArrays.add(expr.object.name);
  }

  #noteValue(name: string, type: TsType | null, init: TsExpr): void {
    this.#noteType(name, type);
    if (this.#isNumber(init)) this.#numbers.add(name);
    else if (this.#isNumberArray(init)) this.#numberArrays.add(name);
    if (this.#numbers.has(name)) this.#noteNumber(init);
  }

  /** Notes which variables hold numbers; gives what may make variables refer to the same, what is run first in front. */
  #learn(stmts: readonly TsStmt[]): readonly Flow[] {
    const flows: Flow[] = [];
    const visiting: Visiting = {
      expr: (expr) => {
        this.#noteOperands(expr);
        visitParts(expr, visiting);
        if (expr.kind === "assign" || expr.kind === "call") flows.push({ kind: "expr", expr });
      },
      block: (body) => {
        for (const stmt of body) {
          // Nothing in the function calls a function that it returns
          visitStmt(stmt, visiting);
          if (stmt.kind !== "const" && stmt.kind !== "let") continue;
          this.#noteDefinition(stmt);
          flows.push(stmt);
        }
      },
    };
    visiting.block(stmts);
    return flows;
  }

  #noteOperands(expr: TsExpr): void {
    switch (expr.kind) {
      case "binary":
        if (!arithmetic.has(expr.op)) return;
        this.#noteNumber(expr.left);
        this.#noteNumber(expr.right);
        return;
      case "unary":
        this.#noteNumber(expr.arg);
        return;
      case "index":
        this.#noteNumber(expr.index);
        return;
      case "call":
        if (isMath(expr.fn)) for (const arg of expr.args) this.#noteNumber(arg);
        return;
      case "assign":
        if (expr.op === "=") return;
        this.#noteNumber(expr.target);
        this.#noteNumber(expr.value);
        return;
      default:
    }
  }

  #noteDefinition(stmt: Definition): void {
    const name = stmt.kind === "let" ? stmt.name : stmt.target;
    if (typeof name !== "string") return;
    if (stmt.init === null) this.#noteType(name, stmt.type);
    else this.#noteValue(name, stmt.type, stmt.init);
  }

  #linkAll(flow: Flow): void {
    if (flow.kind === "expr") this.#linkParts(flow.expr);
    else if (flow.kind === "const") for (const name of namesOf(flow.target)) this.#linkValue(name, flow.init);
    else if (flow.init !== null) this.#linkValue(flow.name, flow.init);
  }

  #linkValue(name: string, value: TsExpr): void {
    const region = this.#numbers.has(name) || this.#isSeparate(value) ? null : this.#regionOf(value);
    if (region !== null) this.#link(name, region);
  }

  #linkParts(expr: TsExpr): void {
    if (expr.kind === "assign" && isOfReference(expr) && !this.#isNumber(expr.value))
      this.#joined([expr.target, expr.value]);
    // What is called may keep what it is given in something else that it is given
    if (expr.kind !== "call") return;
    if ([isReadingCall, isLastCall, isFillingCall].some((keepsNothing) => keepsNothing(expr.fn, this.#surroundings))) return; // prettier-ignore
    this.#joined(expr.fn.kind === "member" ? [expr.fn.object, ...expr.args] : expr.args);
  }

  /** Whether a value shares no memory with what it is made of: a copy, or a store that holds numbers alone; behind `??` stands what fails. */
  #isSeparate(value: TsExpr): boolean {
    if (value.kind === "binary" && value.op === "??") return this.#isSeparate(value.left);
    if (value.kind === "call" && value.fn.kind === "member" && value.fn.name === "slice") return true;
    if (value.kind === "call" && value.fn.kind === "id" && makers.has(this.#surroundings.reference(value.fn.name) ?? "")) return true; // prettier-ignore
    if (value.kind !== "as" || value.expr.kind !== "call" || value.expr.fn.kind !== "id") return false;
    return this.#surroundings.reference(value.expr.fn.name) === "adjoint.zerosLike" && holdsNumbersAlone(value.type);
  }

  #find(name: string): string {
    let root = name;
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root)) root = parent;
    for (let at = name; at !== root;) {
      const next = this.#parents.get(at) ?? root;
      this.#parents.set(at, root);
      at = next;
    }
    return root;
  }

  #link(name: string, other: string): void {
    const [a, b] = [this.#find(name), this.#find(other)];
    if (a === b) return;
    this.#parents.set(a, b);
    this.#links++;
  }
}

/** Whether what an assignment assigns may be an object: a sum is none. */
function isOfReference({ op }: Assignment): boolean {
  return op === "=" || op === "??=";
}

function isNumberType(type: TsType): boolean {
  if (type.kind === "literal") return typeof type.value === "number";
  return type.kind === "name" && (type.name === "number" || type.name === "boolean");
}

function isNumberArrayType(type: TsType): boolean {
  if (type.kind === "array") return isNumberType(type.element);
  return type.kind === "name" && (type.name === "Float64Array" || (type.name === "Array" && type.args.every(isNumberType) && type.args.length === 1)); // prettier-ignore
}

function holdsNumbersAlone(type: TsType): boolean {
  if (type.kind === "tuple") return type.items.every(holdsNumbersAlone);
  if (type.kind === "array") return holdsNumbersAlone(type.element);
  return isNumberType(type) || isNumberArrayType(type) || (type.kind === "name" && type.name === "Array" && type.args.every(holdsNumbersAlone)); // prettier-ignore
}
