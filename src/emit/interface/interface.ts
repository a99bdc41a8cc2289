// The exported functions of an emitted module: they check arguments, call the stage's wrappers, and lay out the results.
//
//   loss(x, y)                  the value
//   lossVjp(x, y)               in a reverse stage: { value, pullback }
//   lossGrad(x, y)              in a reverse stage, where the result is R: { value, grad }
//   lossJvp(x, y, dx, dy)       in a forward stage: { value, tangent }

import type { Entry, EntryParam } from "../../core/term.js";
import type { Type } from "../../core/type.js";
import { InternalError } from "../../internal-error.js";
import { inPlaceOf } from "../../location.js";
import { shape } from "../../stages/interface.js";
import { Scope } from "../../typescript/naming.js";
import { member, not } from "../../typescript/build.js";
import { EarlierResults } from "./earlier.js";
import { quickTest } from "./quick-test.js";
import { readAtOnce } from "./read-at-once.js";
import { hasSeveralForms, hasUnrealPart, isScalar, isTreeOf } from "./ownership.js";
import { derivedName, exportedName, hasValueAlone, propertyName } from "./public-names.js";
import { leavesOf, namesOf, type PublicParam } from "./parameters.js";
import { runtimeNames, runtimeReference, type RuntimeName } from "./runtime-names.js";
import type { Call, DerivedCalls, InlineCode, InlineInput, Interface, InterfaceRequest } from "./request.js";
import type { TsDeclaration, TsExpr, TsField, TsParam, TsProperty, TsStmt, TsType } from "../../typescript/tree.js";
import { needsType } from "../../typescript/facts.js";
import * as ts from "../../typescript/build.js";

export { leavesOf };
export type { Call, DerivedCalls, Interface, WithRespectTo } from "./request.js";

/** The interface of a module. */
export function emitInterface(request: InterfaceRequest): Interface {
  const references = new Set<string>();
  const functions = request.entries.flatMap((entry) => {
    const declarations = new EntryEmitter(entry, request, references).declarations();
    for (const each of declarations) if ("fn" in each) inPlaceOf(each.fn, entry);
    return declarations;
  });
  return { functions, references };
}

/** Whether an argument is only read while a function runs, or kept for later. */
type Use = "read" | "keep";

class EntryEmitter {
  readonly #entry: Entry;
  readonly #request: InterfaceRequest;
  readonly #references: Set<string>;
  readonly #names: Scope;
  readonly #params: readonly PublicParam[];
  readonly #active: readonly PublicParam[];
  readonly #earlier: EarlierResults;

  constructor(entry: Entry, request: InterfaceRequest, references: Set<string>) {
    this.#entry = entry;
    this.#request = request;
    this.#references = references;
    const taken = [...runtimeNames, ...request.renamed.values.values(), request.shapes.name, ...request.callees];
    this.#names = request.inline?.scope() ?? Scope.values(taken);
    const wrt = request.wrt.get(entry.name);
    const leaves = leavesOf(entry.params);
    const names = leaves.map(({ leaf }) => this.#names.fresh(leaf.name));
    const tangents = leaves.map(({ leaf }) => this.#names.fresh(`d${leaf.name}`));
    const accepted = (name: string, type: Type): string =>
      request.types.isWide(type) && !this.#isBare ? this.#names.fresh(name) : name;
    this.#params = leaves.map(({ leaf, path }, index) => {
      const [name = leaf.name, tangent = leaf.name] = [names[index], tangents[index]];
      return {
        key: propertyName(leaf.name),
        name,
        tangent,
        accepted: accepted(name, leaf.type),
        acceptedTangent: accepted(tangent, leaf.type),
        type: leaf.type,
        items: this.#itemsOf(name, index),
        active: wrt === undefined || wrt.includes(leaf.name),
        path,
      };
    });
    this.#active = this.#params.filter(({ active }) => active);
    this.#earlier = new EarlierResults(entry, request, this.#params, (name, args) => this.#runtime(name, args));
  }

  /** Where a parameter is a list that is read into arrays, those. */
  #itemsOf(name: string, index: number): PublicParam["items"] {
    const list = this.#isBare ? null : (this.#request.inline?.list(this.#entry, index, name) ?? null);
    if (list === null) return null;
    return { ...list, names: list.names.map((array) => this.#names.fresh(array)) };
  }

  get #isBare(): boolean {
    return this.#request.inline?.isBare ?? false;
  }

  declarations(): readonly TsDeclaration[] {
    const { derived, inline } = this.#request;
    if (inline !== null) return this.#inline(inline);
    const functions = [this.#value()];
    if (derived === null || hasValueAlone(this.#entry)) return functions;
    if (derived.stage.mode === "forward") functions.push(this.#jvp());
    if (derived.stage.mode === "reverse") {
      const { wanted } = this.#request;
      if (wanted.has("vjp")) functions.push(this.#vjp());
      if (this.#entry.result.kind === "real" && wanted.has("grad")) functions.push(this.#grad());
    }
    return functions;
  }

  #inline(inline: InlineCode): readonly TsDeclaration[] {
    const isScalarValued = this.#entry.result.kind === "real";
    if (inline.isBare && !hasValueAlone(this.#entry))
      return [isScalarValued ? this.#inlineGradient(inline) : this.#inlineVjp(inline)];
    const functions = [this.#inlineValue(inline)];
    if (hasValueAlone(this.#entry)) return functions;
    const { wanted } = this.#request;
    if (wanted.has("vjp")) functions.push(this.#inlineVjp(inline));
    if (isScalarValued && wanted.has("grad")) functions.push(this.#inlineGradient(inline));
    return functions;
  }

  #inlineValue(inline: InlineCode): TsDeclaration {
    const name = exportedName(this.#entry);
    const scope = this.#names.inner();
    const workspace = this.#workspace(scope);
    const buffers = this.#isBare ? null : this.#earlier.ofResult(scope);
    const { stmts, value } = inline.value(this.#entry, this.#inlineInputs([], "read"), scope, buffers);
    const result = this.#earlier.result(value, buffers);
    const body = [...this.#checks(this.#entry.calledAs ?? name, "read", workspace), ...stmts, this.#returned(result, workspace)]; // prettier-ignore
    return this.#declareValue(name, buffers, body);
  }

  #inlineGradient(inline: InlineCode): TsDeclaration {
    const name = derivedName(this.#entry.name, "grad");
    const scope = this.#names.inner();
    const buffers = this.#isBare ? null : this.#earlier.ofGradient(scope);
    const workspace = this.#workspace(scope);
    const { stmts, value, cotangents } = inline.gradient(this.#entry, this.#inlineInputs([], "read"), scope, buffers);
    const grad = this.#earlier.gradient(this.#inlineCotangents(cotangents), buffers);
    const result = ts.object([
      { name: "value", value },
      { name: "grad", value: grad },
    ]);
    const body = [...this.#checks(name, "read", workspace), ...stmts, this.#returned(result, workspace)];
    return this.#declareGradient(name, buffers, body);
  }

  #inlineVjp(inline: InlineCode): TsDeclaration {
    const name = derivedName(this.#entry.name, "vjp");
    const scope = this.#names.inner();
    const { result } = this.#entry;
    const [given, cotangent] = [scope.fresh("value"), scope.fresh("cotangent")];
    const accepted = this.#request.types.isWide(result) && !this.#isBare ? scope.fresh(cotangent) : cotangent;
    const before: TsStmt[] = [];
    const inputs = this.#inlineInputs(before, "keep");
    const { stmts, value, pullback } = inline.vjp(this.#entry, inputs, scope);
    const { stmts: reverse, cotangents } = pullback(ts.id(accepted));
    // What the caller gets may be changed by the time that a cotangent is compared with it
    const isKept = hasSeveralForms(result, this.#request.data);
    const model = isKept ? this.#owned(ts.id(given), result) : ts.id(given);
    const checks = this.#check(cotangent, accepted, result, `${name}: cotangent`, isKept ? ts.id(given) : null, "read");
    const valueType = needsType(value) ? this.#request.types.value(result) : null;
    const body: TsStmt[] = [
      ...this.#checks(name, "keep"),
      ...before,
      ...stmts,
      { kind: "const", target: given, type: valueType, init: value },
      ts.returned(
        ts.object([
          { name: "value", value: model },
          {
            name: "pullback",
            value: ts.arrow([cotangent], [...checks, ...reverse, ts.returned(this.#inlineCotangents(cotangents))]),
          },
        ]),
      ),
    ];
    const cotangentParam = { name: "cotangent", type: this.#request.types.cotangentInput(result), optional: false };
    const type = ts.objectType([
      { name: "value", type: this.#resultType() },
      { name: "pullback", type: ts.functionType([cotangentParam], this.#cotangentsType()) },
    ]);
    const text = `Value of \`${this.#entry.name}\`, and the map from a cotangent of the value to cotangents of ${this.#activeNames()}; call it any number of times.`;
    return this.#declare(name, text, this.#parameters(), type, body);
  }

  #inlineCotangents(cotangents: readonly (TsExpr | null)[]): TsExpr {
    return ts.object(
      this.#params.flatMap((param, index): TsProperty[] => {
        const value = cotangents[index] ?? null;
        return value === null ? [] : [{ name: param.key, value }];
      }),
    );
  }

  /** The checked arguments; those that are kept for a pullback are copied, by statements that go to \`before\`. */
  #inlineInputs(before: TsStmt[], use: Use): readonly InlineInput[] {
    return this.#params.map(({ accepted, type, items, active, key }) => {
      const value = ts.id(accepted);
      const input = { type, value, items: items?.names.map(ts.id) ?? null, isActive: active, hint: key };
      if (
        use === "read" ||
        items !== null ||
        this.#request.types.isWide(type) ||
        isTreeOf(type, this.#request.data, ["real", "int", "bool"])
      )
        return input;
      const kept = this.#names.fresh(`${accepted}Kept`);
      const copy = this.#copy(value, type);
      before.push(ts.constant(kept, needsType(copy) ? this.#request.types.value(type) : null, copy));
      return { ...input, value: ts.id(kept) };
    });
  }

  #value(): TsDeclaration {
    const name = exportedName(this.#entry);
    const value = of(this.#request.primal, this.#entry)(this.#coreArguments(this.#plain));
    const buffers = this.#earlier.ofResult(this.#names.inner());
    const result = this.#earlier.result(this.#owned(value, this.#entry.result), buffers);
    return this.#declareValue(name, buffers, [
      ...this.#checks(this.#entry.calledAs ?? name, "read"),
      ts.returned(result),
    ]);
  }

  #declareValue(name: string, buffers: string | null, body: TsStmt[]): TsDeclaration {
    if (buffers === null) return this.#declare(name, "", this.#parameters(), this.#resultType(), body);
    const params = [...this.#parameters(), { name: buffers, type: this.#resultType(), optional: true }];
    return this.#declare(name, this.#earlier.resultText(buffers), params, this.#resultType(), body);
  }

  #vjp(): TsDeclaration {
    const name = derivedName(this.#entry.name, "vjp");
    const scope = this.#names.inner();
    const { result } = this.#entry;
    const [value, pullback, cotangent] = ["value", "pullback", "cotangent"].map((hint) => scope.fresh(hint));
    if (value === undefined || pullback === undefined || cotangent === undefined) return noName();
    // The value is kept where it says what a cotangent must look like
    const isKept = hasSeveralForms(result, this.#request.data);
    const given = isKept ? this.#owned(ts.id(value), result) : this.#unshared(ts.id(value), result);
    const accepted = this.#request.types.isWide(result) ? scope.fresh(cotangent) : cotangent;
    const checks = this.#check(cotangent, accepted, result, `${name}: cotangent`, isKept ? ts.id(value) : null, "read");
    const derived = this.#derived();
    const run = this.#guarded(derived.pullback(ts.id(pullback), this.#read(ts.id(accepted), result)));
    const { before, args } = this.#runArguments(this.#kept, scope);
    const body = [
      ...this.#checks(name, "keep"),
      ...before,
      ts.constant([value, pullback], null, this.#guarded(derived.wrapper(args))),
      ts.returned(
        ts.object([
          { name: "value", value: given },
          { name: "pullback", value: ts.arrow([cotangent], [...checks, ...this.#cotangents(run)]) },
        ]),
      ),
    ];
    const cotangentParam = { name: "cotangent", type: this.#request.types.cotangentInput(result), optional: false };
    const type = ts.objectType([
      { name: "value", type: this.#resultType() },
      { name: "pullback", type: ts.functionType([cotangentParam], this.#cotangentsType()) },
    ]);
    const text = `Value of \`${this.#entry.name}\`, and the map from a cotangent of the value to cotangents of ${this.#activeNames()}; call it any number of times.`;
    return this.#declare(name, text, this.#parameters(), type, body);
  }

  #grad(): TsDeclaration {
    const name = derivedName(this.#entry.name, "grad");
    const scope = this.#names.inner();
    const [value, pullback] = ["value", "pullback"].map((hint) => scope.fresh(hint));
    if (value === undefined || pullback === undefined) return noName();
    const buffers = this.#earlier.ofGradient(scope);
    const derived = this.#derived();
    const { before, args } = this.#runArguments(this.#shaped, scope);
    const finish = (grad: TsExpr): TsExpr =>
      ts.object([
        { name: "value", value: ts.id(value) },
        { name: "grad", value: this.#earlier.gradient(grad, buffers) },
      ]);
    const viaPullback = (): readonly TsStmt[] => [
      ts.constant([value, pullback], null, this.#guarded(derived.wrapper(args))),
      ...this.#cotangents(this.#guarded(derived.pullback(ts.id(pullback), ts.number(1))), finish),
    ];
    const directly = (call: Call): readonly TsStmt[] => {
      const gradient = scope.fresh("gradient");
      return [
        ts.constant([value, gradient], null, this.#guarded(call(args))),
        ...this.#cotangents(ts.id(gradient), finish),
      ];
    };
    const body = [
      ...this.#checks(name, "read"),
      ...before,
      ...(derived.gradient === null ? viaPullback() : directly(derived.gradient)),
    ];
    return this.#declareGradient(name, buffers, body);
  }

  #declareGradient(name: string, buffers: string | null, body: TsStmt[]): TsDeclaration {
    const type = ts.objectType([
      { name: "value", type: this.#resultType() },
      { name: "grad", type: this.#cotangentsType() },
    ]);
    const text = `Value of \`${this.#entry.name}\`, and its gradient with respect to ${this.#activeNames()}.`;
    if (buffers === null) return this.#declare(name, text, this.#parameters(), type, body);
    const params = [...this.#parameters(), { name: buffers, type: this.#cotangentsType(), optional: true }];
    return this.#declare(name, `${text} ${this.#earlier.gradientText(buffers)}`, params, type, body);
  }

  #jvp(): TsDeclaration {
    const name = derivedName(this.#entry.name, "jvp");
    const scope = this.#names.inner();
    const { result } = this.#entry;
    const [value, tangent] = ["value", "tangent"].map((hint) => scope.fresh(hint));
    if (value === undefined || tangent === undefined) return noName();
    const tangents = this.#active.map((param) => ({
      name: param.tangent,
      type: this.#request.types.cotangentInput(param.type),
      optional: false,
    }));
    const checks = this.#active.flatMap(({ tangent: given, acceptedTangent, type: of, key, accepted }) =>
      this.#check(given, acceptedTangent, of, `${name}: d${key}`, ts.id(accepted), "read"),
    );
    const args = [...this.#coreArguments(this.#plain), ...this.#coreArguments((_, __, param) => this.#tangent(param))];
    const body = [
      ...this.#checks(name, "read"),
      ...checks,
      ...this.#reset(),
      ts.constant([value, tangent], null, this.#guarded(this.#derived().wrapper(args))),
      ts.returned(
        ts.object([
          { name: "value", value: this.#unshared(ts.id(value), result) },
          { name: "tangent", value: this.#asCotangent(this.#unshared(ts.id(tangent), result), result) },
        ]),
      ),
    ];
    const type = ts.objectType([
      { name: "value", type: this.#resultType() },
      { name: "tangent", type: this.#request.types.cotangent(result) },
    ]);
    const along = namesOf(this.#active, "d");
    const text = `Value of \`${this.#entry.name}\`, and its directional derivative along ${along}.`;
    return this.#declare(name, text, [...this.#parameters(), ...tangents], type, body);
  }

  #declare(name: string, text: string, params: readonly TsParam[], result: TsType, body: TsStmt[]): TsDeclaration {
    const fallback = text === "" ? `The value of \`${this.#entry.name}\`.` : text;
    const doc = this.#entry.doc === "" ? fallback : text === "" ? this.#entry.doc : `${this.#entry.doc}\n\n${text}`;
    return { kind: "function", doc, exported: true, fn: { name, typeParams: [], params, result, body } };
  }

  #parameters(): readonly TsParam[] {
    const { types } = this.#request;
    return this.#params.map(({ name, type }) => ({ name, type: types.input(type), optional: false }));
  }

  #resultType(): TsType {
    return this.#request.types.result(this.#entry.result, this.#entry.resultAlias);
  }

  #cotangentsType(): TsType {
    const field = ({ key, type }: PublicParam): TsField => ({ name: key, type: this.#request.types.cotangent(type) });
    return ts.objectType(this.#active.map(field));
  }

  #activeNames(): string {
    return namesOf(this.#active);
  }

  // Arguments

  /** Checks the arguments; those that are kept for a pullback are copied where that is done at once. */
  #checks(name: string, use: Use, workspace: string | null = null): readonly TsStmt[] {
    const taken = workspace === null ? [] : [ts.constant(workspace, null, this.#runtime("takeWorkspace", []))];
    const checks = this.#params.flatMap(({ name: given, accepted, type, items, key }) => {
      const path = `${name}: ${key}`;
      if (items === null) return this.#check(given, accepted, type, path, null, this.#isRead(type) ? "read" : use);
      const refused = this.#runtime("refuse", [ts.id(given), ...this.#request.shapes.arguments(type), ts.string(path)]);
      const [only] = items.names;
      const target = items.names.length === 1 && only !== undefined ? only : items.names;
      const read = items.read(workspace === null ? { kind: "null" } : ts.id(workspace));
      return [ts.constant(target, null, { kind: "binary", op: "??", left: read, right: refused })];
    });
    return [...taken, ...checks];
  }

  /** The workspace of a function that needs its arguments while it runs, where it reads lists of numbers. */
  #workspace(scope: Scope): string | null {
    return this.#params.some(({ items }) => items?.usesWorkspace === true) ? scope.fresh("workspace") : null;
  }

  #returned(result: TsExpr, workspace: string | null): TsStmt {
    return ts.returned(workspace === null ? result : this.#runtime("leaveWorkspace", [ts.id(workspace), result]));
  }

  /** Whether an argument is only read while a function runs even where there is a pullback: the stage copies it anyway. */
  #isRead(type: Type): boolean {
    return (this.#request.derived?.stage.ownsInput ?? false) && !hasUnrealPart(type, this.#request.data);
  }

  /** Statements that throw unless a value has the type, or fits as a cotangent of `like`; where more is accepted, they make `accepted` of it. */
  #check(given: string, accepted: string, type: Type, path: string, like: TsExpr | null, use: Use): readonly TsStmt[] {
    if (this.#isBare) return [];
    const [value, name] = [ts.id(given), ts.string(path)];
    if (type.kind === "real") return [ts.effect(this.#runtime("checkNumber", [value, name]))];
    if (type.kind === "int" && like === null) return [ts.effect(this.#runtime("checkInteger", [value, name]))];
    if (type.kind === "bool" && like === null) return [ts.effect(this.#runtime("checkBoolean", [value, name]))];
    const model = like === null ? [] : [like];
    const { types } = this.#request;
    if (!types.isWide(type)) {
      const check = ts.effect(
        this.#acceptFunction(type, value, name, like) ??
          this.#runtime("checkValue", [value, ...this.#request.shapes.arguments(type), name, ...model]),
      );
      const { inline, data } = this.#request;
      const test = inline === null ? null : (quickTest(type, value, data, (fn, args) => this.#runtime(fn, args)) ?? this.#quickTest(type, value, like)); // prettier-ignore
      return [test === null ? check : { kind: "if", test: not(test), then: [check], else: [] }];
    }
    if (type.kind === "array" && type.element.kind === "real") {
      const accept = use === "keep" ? "acceptNumbersCopy" : like === null ? "acceptNumbers" : "acceptNumbersLike";
      return [ts.constant(accepted, null, this.#runtime(accept, [value, name, ...model]))];
    }
    const accept = use === "keep" ? "acceptCopy" : "acceptValue";
    const own = this.#acceptFunction(type, value, name, like);
    const test = use === "keep" ? null : this.#quickTest(type, value, like);
    if (own !== null && test === null) return [ts.constant(accepted, null, own)];
    const init = own ?? this.#runtime(accept, [value, ...this.#request.shapes.arguments(type), name, ...model]);
    const made = like === null ? types.value(type) : types.cotangent(type);
    const expr: TsExpr = test === null ? init : { kind: "cond", test, then: value, else: init };
    return [ts.constant(accepted, null, { kind: "as", expr, type: made })];
  }

  /** Accepts an argument by a function for its type alone; null where there is none. */
  #acceptFunction(type: Type, value: TsExpr, name: TsExpr, like: TsExpr | null): TsExpr | null {
    return like === null ? (this.#request.inline?.accept(type, value, name) ?? null) : null;
  }

  /** The test that a value is what its type says; none of what has to be like another value. */
  #quickTest(type: Type, value: TsExpr, like: TsExpr | null): TsExpr | null {
    return like === null ? (this.#request.inline?.test(type, value) ?? null) : null;
  }

  /** The parameters as the core definition takes them. */
  #coreArguments(argument: (value: TsExpr, type: Type, param: PublicParam) => TsExpr): readonly TsExpr[] {
    const leaves = this.#params[Symbol.iterator]();
    const pack = (param: EntryParam): TsExpr => {
      if (param.kind === "tuple") return param.items.length === 0 ? { kind: "null" } : ts.array(param.items.map(pack));
      const leaf = leaves.next().value;
      return leaf === undefined ? noName() : argument(ts.id(leaf.accepted), leaf.type, leaf);
    };
    return this.#entry.params.map(pack);
  }

  /** The arguments of a run, which begins with the reset of constants: what has to be read before that is. */
  #runArguments(
    argument: (value: TsExpr, type: Type) => TsExpr,
    scope: Scope,
  ): { readonly before: readonly TsStmt[]; readonly args: readonly TsExpr[] } {
    const reset = this.#reset();
    const read: TsStmt[] = [];
    const args = this.#coreArguments((value, type, { name }) => {
      const own = argument(value, type);
      if (own === value || reset.length === 0) return own;
      const target = scope.fresh(name);
      read.push(ts.constant(target, this.#request.types.value(type), own));
      return ts.id(target);
    });
    return { before: [...read, ...reset], args };
  }

  readonly #plain = (value: TsExpr): TsExpr => value;

  readonly #read = (value: TsExpr, type: Type): TsExpr => readAtOnce(type, value, this.#request.data);

  /** An argument whose shape the stage may take: that of a copy by its type, as objects and arrays of callers' classes hold more than it says. */
  readonly #shaped = (value: TsExpr, type: Type): TsExpr => {
    const takesShape = this.#request.derived?.stage.operations.has(shape.name) ?? false;
    const isPlain =
      isTreeOf(type, this.#request.data, ["real", "int", "bool"]) || (type.kind === "array" && isScalar(type.element));
    return takesShape && !isPlain ? this.#copy(value, type) : this.#read(value, type);
  };

  /** The tangent of a parameter; zero where no derivative is taken for it. */
  #tangent(param: PublicParam): TsExpr {
    if (param.active) return ts.id(param.acceptedTangent);
    if (param.type.kind === "real" || param.type.kind === "int") return ts.number(0);
    if (isScalar(param.type)) return ts.id(param.accepted);
    const zero: TsExpr = { kind: "boolean", value: true };
    return this.#runtime("copyValue", [ts.id(param.accepted), ...this.#request.shapes.arguments(param.type), zero]);
  }

  /** Constants of a derived program belong to one run: they hold its IDs. */
  #reset(): readonly TsStmt[] {
    const reset = this.#request.derived?.reset ?? null;
    return reset === null ? [] : [ts.effect(ts.callOf(ts.id(reset)))];
  }

  #derived(): DerivedCalls {
    const { derived } = this.#request;
    if (derived === null) throw new InternalError("interface", "a primal module has no derivatives");
    return of(derived.wrappers, this.#entry);
  }

  /** A computation whose overflow of the JavaScript stack is explained, in a stage that lives on it. */
  #guarded(computation: TsExpr): TsExpr {
    const { derived } = this.#request;
    if (derived === null || derived.isShallow) return computation;
    const place = [ts.string(this.#entry.name), ts.string(derived.stage.name)];
    return this.#runtime("withinStack", [...place, ts.arrow([], computation)]);
  }

  // Results

  /** Returns what a pullback gives, by parameter. */
  #cotangents(run: TsExpr, finish: (grad: TsExpr) => TsExpr = (grad) => grad): readonly TsStmt[] {
    const { params } = this.#entry;
    const [only] = params;
    const isSingle = params.length === 1;
    const field = (param: PublicParam, value: TsExpr): TsProperty => ({
      name: param.key,
      value: this.#asCotangent(this.#unshared(value, param.type), param.type),
    });
    if (isSingle && only?.kind === "named") {
      return [ts.returned(finish(ts.object(this.#active.map((param) => field(param, run)))))];
    }
    const items = isSingle && only?.kind === "tuple" ? only.items : params;
    if (items.every((item) => item.kind === "named")) {
      const target = this.#params.map((param) => (param.active ? param.tangent : null));
      while (target.at(-1) === null) target.pop();
      const fields = this.#active.map((param) => field(param, ts.id(param.tangent)));
      return [ts.constant(target, null, run), ts.returned(finish(ts.object(fields)))];
    }
    const all = this.#names.inner().fresh("cotangents");
    const fields = this.#active.map((param) => {
      const path = isSingle ? param.path.slice(1) : param.path;
      return field(
        param,
        path.reduce<TsExpr>((object, index) => ts.index(object, index), ts.id(all)),
      );
    });
    return [ts.constant(all, null, run), ts.returned(finish(ts.object(fields)))];
  }

  /** A value that callers may keep and change: a copy, but of scalars. */
  readonly #owned = (value: TsExpr, type: Type): TsExpr => (isScalar(type) ? value : this.#copy(value, type));

  /** An argument that a pullback keeps. */
  readonly #kept = (value: TsExpr, type: Type): TsExpr => {
    if (this.#isRead(type)) return this.#read(value, type);
    return this.#request.types.isWide(type) ? value : this.#owned(value, type);
  };

  /** What a derived stage has rebuilt: a copy of it only where parts without a real may have stayed as they were. */
  #unshared(value: TsExpr, type: Type): TsExpr {
    return hasUnrealPart(type, this.#request.data) ? this.#copy(value, type) : value;
  }

  #copy(value: TsExpr, type: Type): TsExpr {
    if (type.kind === "array" && type.element.kind === "real") return ts.callOf(member(value, "slice"));
    const own = value.kind === "id" ? (this.#request.inline?.copy(type, value.name) ?? null) : null;
    return own ?? this.#runtime("copyValue", [value, ...this.#request.shapes.arguments(type)]);
  }

  #asCotangent(value: TsExpr, type: Type): TsExpr {
    const { types } = this.#request;
    const isSame = JSON.stringify(types.value(type)) === JSON.stringify(types.cotangent(type));
    return isSame ? value : { kind: "as", expr: value, type: types.cotangent(type) };
  }

  #runtime(name: RuntimeName, args: readonly TsExpr[]): TsExpr {
    this.#references.add(runtimeReference(name));
    return ts.callOf(ts.id(this.#request.renamed.values.get(name) ?? name), ...args);
  }
}

function of<T>(calls: ReadonlyMap<string, T>, entry: Entry): T {
  const found = calls.get(entry.name);
  if (found === undefined) throw new InternalError("interface", `there is no wrapper of ${entry.name}`);
  return found;
}

function noName(): never {
  throw new InternalError("interface", "a name is missing");
}
