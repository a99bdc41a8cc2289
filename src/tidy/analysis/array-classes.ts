// Which variables of a function may refer to the same arrays: classes of variables, found by unification, each with the class of what its arrays hold.

import { isMath } from "../../typescript/facts.js";
import { visitNames } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt, TsType } from "../../typescript/tree.js";
import { isLocal, namesOf } from "./bindings.js";
import { isNumberCall, type Surroundings } from "./purity.js";

type Definition = TsStmt & { readonly kind: "const" | "let" };
type Index = TsExpr & { readonly kind: "index" };

/** What makes an array, and how: of zeros or without elements, of some items, as a store of zeros for rows that are like others, or as a copy. */
export interface Maker {
  readonly stmt: Definition;
  /** In how many loops it stands. */
  readonly depth: number;
  readonly how:
    | { readonly kind: "numbers" | "arrays"; readonly size: TsExpr }
    | { readonly kind: "items"; readonly items: readonly TsExpr[] }
    | { readonly kind: "like"; readonly rows: TsExpr }
    /** Of something from elsewhere: it begins with that, and nothing of its class is written after it has been made. */
    | { readonly kind: "copy"; readonly of: TsExpr };
}

const arithmetic: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%", "**", ">>"]);
const truths: ReadonlySet<string> = new Set(["&&", "||", "===", "!=="]);

/** Variables, and elements of arrays, of which no two of different classes refer to the same array. */
export class ArrayClass {
  /** Whether something is done with it that is done with arrays alone. */
  isArray = false;
  /** Whether something computes with it. */
  isNumber = false;
  /** Whether it may come from elsewhere. */
  isUnknown = false;
  /** Whether something else than the function's own statements looks at it. */
  isExposed = false;
  /** Whether the length of one is asked for. */
  isMeasured = false;
  /** Whether something writes an element by another name than that of the constant that an array has been made as. */
  isWrittenLater = false;
  readonly makers: Maker[] = [];
  parent: ArrayClass | null = null;
  held: ArrayClass | null = null;

  /** Whether there is nothing but numbers; truth values are none. */
  get isOfNumbers(): boolean {
    return !this.isArray && (this.isNumber || !this.isUnknown);
  }
}

export class ArrayClasses {
  readonly #classes = new Map<string, ArrayClass>();
  readonly #surroundings: Surroundings;
  readonly #isNumber: (expr: TsExpr) => boolean;
  /** Constants that arrays are made as. */
  readonly #made = new Set<string>();
  /** Parameters, and constants that are parts of objects. */
  readonly #foreign = new Set<string>();

  /** `isNumber`: whether an expression is known to be a number. */
  constructor(fn: TsFunction, surroundings: Surroundings, isNumber: (expr: TsExpr) => boolean) {
    this.#surroundings = surroundings;
    this.#isNumber = isNumber;
    for (const { name, type } of fn.params) if (!isNumberType(type)) this.#param(name);
    this.#block(fn.body, 0);
    for (const each of this.all()) if (each.makers.some(({ how }) => how.kind === "copy" && this.#isWritten(how.of))) this.#expose(each); // prettier-ignore
    for (const each of this.all()) if (each.isExposed || each.isUnknown) this.#exposeHeld(each);
  }

  #param(name: string): void {
    this.#expose(this.of(name));
    this.#foreign.add(name);
  }

  /** The class of a variable. */
  of(name: string): ArrayClass {
    const known = this.#classes.get(name) ?? new ArrayClass();
    this.#classes.set(name, known);
    return rootOf(known);
  }

  /** The class of what an expression refers to; null where that is no variable, nor an element of one. */
  reference(expr: TsExpr): ArrayClass | null {
    if (expr.kind === "id") return isLocal(expr.name) ? this.of(expr.name) : null;
    if (expr.kind === "as") return this.reference(expr.expr);
    if (expr.kind !== "index") return null;
    const object = this.reference(expr.object);
    return object === null ? null : heldBy(object);
  }

  /** The variables by class. */
  variables(): ReadonlyMap<ArrayClass, readonly string[]> {
    const found = new Map<ArrayClass, string[]>();
    for (const name of this.#classes.keys()) found.set(this.of(name), [...(found.get(this.of(name)) ?? []), name]);
    return found;
  }

  all(): ReadonlySet<ArrayClass> {
    const found = new Set<ArrayClass>();
    for (const each of this.#classes.values())
      for (let at: ArrayClass | null = rootOf(each); at !== null && !found.has(at); at = at.held && rootOf(at.held))
        found.add(at);
    return found;
  }

  #block(stmts: readonly TsStmt[], depth: number): void {
    for (const stmt of stmts) this.#stmt(stmt, depth);
  }

  #stmt(stmt: TsStmt, depth: number): void {
    switch (stmt.kind) {
      case "const":
        if (typeof stmt.target === "string") {
          this.#define(stmt, stmt.target, stmt.init, depth);
          return;
        }
        for (const name of namesOf(stmt.target)) this.#expose(this.of(name));
        this.#visit(stmt.init);
        return;
      case "let":
        if (stmt.init !== null) this.#define(stmt, stmt.name, stmt.init, depth);
        return;
      case "expr":
        this.#visit(stmt.expr);
        return;
      case "return":
        if (stmt.value !== null) this.#visit(stmt.value);
        return;
      case "throw":
        this.#visit(stmt.value);
        return;
      case "if":
        this.#test(stmt.test);
        this.#block(stmt.then, depth);
        this.#block(stmt.else, depth);
        return;
      case "for":
        this.of(stmt.name).isNumber = true;
        for (const part of [stmt.from, stmt.test, stmt.step]) this.#compute(part);
        this.#block(stmt.body, depth + 1);
        return;
      case "while":
        this.#test(stmt.test);
        this.#block(stmt.body, depth + 1);
        return;
      case "loop":
        this.#block(stmt.body, depth + 1);
        return;
      case "switch":
        this.#test(stmt.subject);
        for (const { body } of stmt.cases) this.#block(body, depth);
        return;
      case "try":
        this.#expose(this.of(stmt.param));
        this.#block(stmt.body, depth);
        this.#block(stmt.handler, depth);
        return;
      case "block":
        this.#block(stmt.body, depth);
        return;
      case "function":
        this.#exposeNames([stmt]);
        return;
      case "break":
      case "continue":
      case "comment":
        return;
    }
  }

  #define(stmt: Definition, name: string, init: TsExpr, depth: number): void {
    const own = this.of(name);
    const how = this.#how(init);
    if (how === null) {
      if (stmt.kind === "const" && this.#isForeign(init)) this.#foreign.add(name);
      if (stmt.kind === "let" && depth === 0 && init.kind === "id" && this.#foreign.has(init.name))
        own.makers.push({ stmt, depth, how: { kind: "copy", of: init } });
      else this.#flow(own, init);
      return;
    }
    own.isArray = true;
    own.makers.push({ stmt, depth, how });
    if (stmt.kind === "const") this.#made.add(name);
    const held = heldBy(own);
    switch (how.kind) {
      case "copy":
        return;
      case "numbers":
        held.isNumber = true;
        this.#compute(how.size);
        return;
      case "arrays":
        this.#compute(how.size);
        return;
      case "items":
        for (const item of how.items) this.#flow(heldBy(this.of(name)), item);
        return;
      case "like": {
        const [rows, store] = [this.reference(how.rows), heldBy(own)];
        if (rows !== null) for (const each of [rows, heldBy(rows)]) [each.isArray, each.isMeasured] = [true, true];
        store.isArray = true;
        heldBy(store).isNumber = true;
        store.makers.push({ stmt, depth, how });
      }
    }
  }

  /** Whether an array that may be copied, or what it holds, is changed: then a copy of it is another one. */
  #isWritten(of: TsExpr): boolean {
    const array = this.reference(of);
    return array !== null && (array.isWrittenLater || heldBy(array).isWrittenLater);
  }

  /** Whether an expression gives what the function has been given, part of it, or what another function gives. */
  #isForeign(expr: TsExpr): boolean {
    switch (expr.kind) {
      case "as":
        return this.#isForeign(expr.expr);
      case "cond":
        return this.#isForeign(expr.then) && this.#isForeign(expr.else);
      case "id":
        return this.#foreign.has(expr.name);
      case "call":
        return true;
      default:
        return isPart(expr);
    }
  }

  /** How an expression makes an array; null where it does something else. */
  #how(init: TsExpr): Maker["how"] | null {
    if (init.kind === "array") return { kind: "items", items: init.items };
    if ((init.kind !== "new" && init.kind !== "call") || init.fn.kind !== "id") return null;
    const [first, ...others] = init.args;
    if (first === undefined || others.length > 0) return null;
    if (init.kind === "call") {
      const isStore = this.#surroundings.reference(init.fn.name) === "adjoint.zeroRows";
      return isStore && this.reference(first) !== null ? { kind: "like", rows: first } : null;
    }
    if (init.fn.name === "Array") return { kind: "arrays", size: first };
    if (init.fn.name !== "Float64Array") return null;
    if (first.kind === "array") return { kind: "items", items: first.items };
    return this.#isNumber(first) ? { kind: "numbers", size: first } : null;
  }

  /** What a variable or an element is given. */
  #flow(target: ArrayClass, value: TsExpr): void {
    if (value.kind === "as") {
      this.#flow(target, value.expr);
      return;
    }
    if (value.kind === "cond") {
      this.#test(value.test);
      this.#flow(target, value.then);
      this.#flow(rootOf(target), value.else);
      return;
    }
    if (value.kind === "id" || value.kind === "index") {
      const source = this.#used(value);
      if (source !== null) unify(target, source);
      else target.isUnknown = true;
      return;
    }
    this.#visit(value);
    if (this.#givesNumber(value)) target.isNumber = true;
    else target.isUnknown = true;
  }

  #givesNumber(expr: TsExpr): boolean {
    switch (expr.kind) {
      case "number":
        return true;
      case "unary":
        return expr.op === "-";
      case "binary":
        return arithmetic.has(expr.op);
      case "member":
        return expr.name === "length";
      case "call":
        return isNumberCall(expr.fn, this.#surroundings);
      default:
        return false;
    }
  }

  /** A variable or an element, and what is read to have it. */
  #used(expr: TsExpr): ArrayClass | null {
    if (expr.kind === "as") return this.#used(expr.expr);
    if (expr.kind !== "index") return this.reference(expr);
    return this.#element(expr);
  }

  #element({ object, index }: Index): ArrayClass | null {
    this.#compute(index);
    const array = this.#used(object);
    if (array === null) {
      this.#visit(object);
      return null;
    }
    array.isArray = true;
    return heldBy(array);
  }

  /** An expression that may give a truth value. */
  #test(expr: TsExpr): void {
    const used = expr.kind === "id" || expr.kind === "index" ? this.#used(expr) : null;
    if (used === null) this.#visit(expr);
  }

  /** An expression that gives a number. */
  #compute(expr: TsExpr): void {
    const used = expr.kind === "id" || expr.kind === "index" ? this.#used(expr) : null;
    if (used === null) this.#visit(expr);
    else used.isNumber = true;
  }

  #visit(expr: TsExpr): void {
    switch (expr.kind) {
      case "id":
        if (isLocal(expr.name)) this.#expose(this.of(expr.name));
        return;
      case "index": {
        const element = this.#element(expr);
        if (element !== null) this.#expose(element);
        return;
      }
      case "member": {
        const object = expr.name === "length" ? this.#used(expr.object) : null;
        if (object === null) {
          this.#visit(expr.object);
          return;
        }
        [object.isArray, object.isMeasured] = [true, true];
        return;
      }
      case "binary": {
        for (const part of [expr.left, expr.right]) {
          if (expr.op === "??") this.#visit(part);
          else if (truths.has(expr.op)) this.#test(part);
          else this.#compute(part);
        }
        return;
      }
      case "unary":
        if (expr.op === "!") this.#test(expr.arg);
        else this.#compute(expr.arg);
        return;
      case "cond":
        this.#test(expr.test);
        this.#visit(expr.then);
        this.#visit(expr.else);
        return;
      case "call":
        this.#call(expr.fn, expr.args);
        return;
      case "assign":
        this.#assign(expr.op, expr.target, expr.value);
        return;
      case "new":
        for (const arg of expr.args) this.#visit(arg);
        return;
      case "array":
        for (const item of expr.items) this.#visit(item);
        return;
      case "object":
        for (const { value } of expr.fields) this.#visit(value);
        return;
      case "as":
        this.#visit(expr.expr);
        return;
      case "yield":
        this.#visit(expr.value);
        return;
      case "arrow":
        this.#exposeNames([{ kind: "expr", expr }]);
        return;
      case "number":
      case "string":
      case "boolean":
      case "null":
      case "undefined":
        return;
    }
  }

  #call(fn: TsExpr, args: readonly TsExpr[]): void {
    const [first, ...others] = args;
    const isFailure = fn.kind === "id" && this.#surroundings.reference(fn.name) === "arrays.outside";
    const isFill = isZeroing(fn, args);
    const measured = isFailure && first !== undefined ? first : isFill && fn.kind === "member" ? fn.object : null;
    if (measured !== null) {
      if (isFill) this.#write(measured);
      this.#visit({ kind: "member", object: measured, name: "length" });
      for (const arg of others) this.#compute(arg);
      return;
    }
    if (fn.kind !== "id" && !isMath(fn)) this.#visit(fn);
    const isOfNumbers = isNumberCall(fn, this.#surroundings);
    for (const arg of args) {
      if (isOfNumbers) this.#compute(arg);
      else this.#visit(arg);
    }
  }

  #assign(op: "=" | "+=" | "-=" | "??=", target: TsExpr, value: TsExpr): void {
    const used = target.kind === "id" || target.kind === "index" ? this.#used(target) : null;
    if (used === null) this.#visit(target);
    if (used === null) {
      this.#visit(value);
      return;
    }
    if (target.kind === "index") this.#write(target.object);
    if (op === "=") {
      this.#flow(used, value);
      return;
    }
    if (op === "??=") used.isUnknown = true;
    else used.isNumber = true;
    this.#compute(value);
  }

  /** Notes that an element of an array is written. */
  #write(array: TsExpr): void {
    const written = array.kind === "id" && this.#made.has(array.name) ? null : this.reference(array);
    if (written !== null) written.isWrittenLater = true;
  }

  #exposeNames(stmts: readonly TsStmt[]): void {
    visitNames(stmts, (name) => {
      if (isLocal(name)) this.#expose(this.of(name));
    });
  }

  #expose(each: ArrayClass): void {
    [each.isExposed, each.isUnknown] = [true, true];
  }

  /** Who looks at an array may look at what it holds. */
  #exposeHeld(array: ArrayClass): void {
    for (let at = array.held; at !== null && !rootOf(at).isExposed; at = rootOf(at).held) this.#expose(rootOf(at));
  }
}

/** Whether an expression is a part of an object, or makes one. */
function isPart(expr: TsExpr): boolean {
  if (expr.kind === "member") return expr.name !== "length";
  if (expr.kind === "as") return isPart(expr.expr);
  return expr.kind === "cond" && isCopyOrPart(expr.then) && isCopyOrPart(expr.else);
}

/** `x.a`, or `x.a.slice()`. */
function isCopyOrPart(expr: TsExpr): boolean {
  if (expr.kind !== "call" || expr.fn.kind !== "member") return isPart(expr);
  return expr.fn.name === "slice" && isPart(expr.fn.object);
}

/** Whether a call sets all elements of an array to zero. */
export function isZeroing(fn: TsExpr, args: readonly TsExpr[]): boolean {
  const [value, ...others] = args;
  return fn.kind === "member" && fn.name === "fill" && value?.kind === "number" && value.value === 0 && others.length === 0; // prettier-ignore
}

function isNumberType(type: TsType): boolean {
  return type.kind === "name" && type.name === "number";
}

function rootOf(each: ArrayClass): ArrayClass {
  let root = each;
  while (root.parent !== null) root = root.parent;
  for (let at = each; at.parent !== null;) {
    const next: ArrayClass = at.parent;
    at.parent = root;
    at = next;
  }
  return root;
}

/** The class of what arrays of a class hold. */
export function heldBy(array: ArrayClass): ArrayClass {
  array.held ??= new ArrayClass();
  return rootOf(array.held);
}

function unify(one: ArrayClass, other: ArrayClass): void {
  const [a, b] = [rootOf(one), rootOf(other)];
  if (a === b) return;
  b.parent = a;
  for (const fact of ["isArray", "isNumber", "isUnknown", "isExposed", "isMeasured", "isWrittenLater"] as const)
    a[fact] ||= b[fact];
  a.makers.push(...b.makers);
  const [held, others] = [a.held, b.held];
  a.held ??= b.held;
  if (held !== null && others !== null) unify(held, others);
}
