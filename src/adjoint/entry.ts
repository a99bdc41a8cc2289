// The exported derivatives of a definition: both sweeps of its procedure in one function, between the boundary on the way in and on the way out. Values
// of the forward sweep are there when the reverse sweep needs them; only what loops and recursive functions compute is saved.

import type { Site } from "../core/term.js";
import type { Type } from "../core/type.js";
import type { Atom, Block, Procedure, Rep, Var } from "../flat/program.js";
import { InternalError } from "../internal-error.js";
import type { Scope } from "../typescript/naming.js";
import { callOf, id, member, number, string } from "../typescript/build.js";
import type { TsExpr, TsStmt } from "../typescript/tree.js";
import { areLengths, cloneOf, putTogether, takeApart, type BoundarySetting } from "./boundary.js";
import { cellOf, countingUp } from "./code.js";
import { addTo } from "./cotangents.js";
import { addEarlierResult, earlierArraysCall } from "./earlier-gradients.js";
import { EarlierLists, type Earlier } from "./earlier-lists.js";
import { widthOf, withArrays, withLists, type ListLeaves } from "./entry-lists.js";
import { ForwardSweep, statementsOf } from "./forward.js";
import type { ModuleContext } from "./module.js";
import { asType, siteText, zeroStoreOf } from "./operations.js";
import { choosing, type LoopChoices } from "./loop-choices.js";
import { ProcedureContext } from "./procedure.js";
import { describeResolution } from "./resolved.js";
import { ReverseSweep } from "./reverse.js";
import { withSumsLast } from "./sums.js";
import { activeName, type ActiveProcedure } from "./stores.js";
import type { Mirrors } from "./shadow-constructors.js";

/** A parameter of an exported function. */
export interface EntryInput {
  readonly type: Type;
  readonly value: TsExpr;
  /** The arrays that it has been read into where it is a list; null where it is used as it is. */
  readonly items: readonly TsExpr[] | null;
  /** Whether its cotangent is asked for. */
  readonly isActive: boolean;
  readonly hint: string;
}

export interface GradientCode {
  readonly stmts: readonly TsStmt[];
  readonly value: TsExpr;
  /** By parameter; null where none is asked for. */
  readonly cotangents: readonly (TsExpr | null)[];
}

export interface VjpCode {
  readonly stmts: readonly TsStmt[];
  readonly value: TsExpr;
  /** The body of the pullback, given its argument. */
  readonly pullback: (cotangent: TsExpr) => { readonly stmts: readonly TsStmt[]; readonly cotangents: readonly (TsExpr | null)[] }; // prettier-ignore
}

export interface EntryRequest {
  readonly procedure: string;
  readonly inputs: readonly EntryInput[];
  readonly result: Type;
  /** Makes stores for arguments, takes out what is in them, and copies values. */
  readonly mirrors: { readonly zeros: Mirrors; readonly takes: Mirrors; readonly copies: Mirrors };
  /** The names of the exported function. */
  readonly scope: Scope;
  /** Where lists are arrays inside. */
  readonly lists: { readonly params: ListLeaves; readonly results: ListLeaves };
  /** What an error names where a cotangent has another shape than the result; left out where that cannot be. */
  readonly cotangentSite?: Site | null;
  /** Whether each input is a leaf as adjoint code has it, whose cotangent is given so, too. */
  readonly isInside?: true;
  /** Of a gradient: where lists of an earlier one may be filled again. */
  readonly earlier: Earlier | null;
}

/** The value of an entry, by plain code: the procedure's own where nothing else calls it. `buffers`: the parameter that an earlier result is passed for. */
export function emitValue(
  module: ModuleContext,
  { procedure: name, inputs, result, mirrors, scope, lists }: EntryRequest,
  buffers: string | null,
): { readonly stmts: readonly TsStmt[]; readonly value: TsExpr } {
  const setting = settingOf(module, mirrors, scope);
  const stmts: TsStmt[] = [];
  const procedure = module.procedure(name);
  const leaves = leavesOfInputs(inputs, lists.params, procedure.params, module, setting, stmts);
  const { end } = procedure.body;
  const { graph } = module.calls;
  const isSole = procedure.kind === "function" && !graph.isCalled(graph.procedure("plain", name));
  const isInlined = isSole && end.kind === "yield";
  const earlier = (given: readonly TsExpr[]): void => {
    if (buffers !== null) addEarlierResult(stmts, buffers, result, inputs, given, module.types, module.refer);
  };
  const values = isInlined
    ? inlined(module, procedure, end.values, leaves, scope, stmts, earlier)
    : called(module, procedure, leaves, scope, stmts);
  const isNew = isInlined ? end.values.map((value) => isNewArray(value, procedure.body)) : [];
  const parts = outward(values, procedure.results, lists.results, module, setting, isNew);
  const value = putTogether(result, parts, "value", stmts, setting);
  return { value, stmts: module.calls.outside(stmts) };
}

/** The results of a call. */
function called(
  module: ModuleContext,
  { name, results }: Procedure,
  leaves: readonly TsExpr[],
  scope: Scope,
  out: TsStmt[],
): readonly TsExpr[] {
  const names = results.map(() => scope.fresh("value"));
  const call = module.call(name, leaves);
  const [only] = names;
  if (only === undefined) out.push({ kind: "expr", expr: call });
  else out.push({ kind: "const", target: names.length === 1 ? only : names, type: null, init: call });
  return names.map(id);
}

/** The results of a body that ends in a yield, whose statements go to `out`, behind what is said of its parameters. */
function inlined(
  module: ModuleContext,
  procedure: Procedure,
  results: readonly Atom[],
  leaves: readonly TsExpr[],
  scope: Scope,
  out: TsStmt[],
  earlier: (leaves: readonly TsExpr[]) => void,
): readonly TsExpr[] {
  const context = new ProcedureContext(module, procedure, { kind: "plain", universe: "plain" }, scope);
  procedure.params.forEach((param, index) => {
    bindParam(param, leaves[index], context, out);
  });
  earlier(procedure.params.map((param) => id(context.name(param))));
  out.push(...new ForwardSweep(context).statements(procedure.body));
  return results.map((value) => context.literalOrName(value));
}

/** Whether what a body yields is an array of numbers that a loop in it makes, yielded once: memory that nothing else has. */
function isNewArray(value: Atom, { stmts, end }: Block): boolean {
  if (value.kind !== "var" || end.kind !== "yield") return false;
  const { variable } = value;
  if (variable.rep.kind !== "array" || !["real", "int"].includes(variable.rep.element.kind)) return false;
  const uses = end.values.filter((other) => other.kind === "var" && other.variable.name === variable.name);
  return uses.length === 1 && stmts.some((stmt) => stmt.kind === "for" && stmt.arrays.some(({ name }) => name === variable.name)); // prettier-ignore
}

/** Lets a parameter be what is passed for it. */
function bindParam(param: Var, leaf: TsExpr | undefined, context: ProcedureContext, out: TsStmt[]): void {
  if (leaf?.kind === "id") context.alias(param, leaf.name);
  else if (leaf !== undefined) out.push({ kind: "const", target: context.name(param), type: null, init: leaf });
}

/** Value and gradient of an entry whose result is one real. */
export function emitGradient(module: ModuleContext, request: EntryRequest): GradientCode {
  const active = module.activeProcedure(activeName(request.procedure));
  const { procedure } = active;
  const early = { ...active, procedure: { ...procedure, body: withSumsLast(procedure.body, module.active) } };
  const { entry, reverse } = choosing((choices) => {
    const attempt = new JointEntry(module, early, { ...request, scope: request.scope.inner() }, false, choices);
    return { entry: attempt, reverse: attempt.reverse(() => [number(1)], []) };
  });
  const forward = entry.forward();
  return { stmts: [...forward.stmts, ...reverse.stmts], value: forward.value, cotangents: reverse.cotangents };
}

/** Cotangents of an entry's arguments, of those of its result's leaves. */
export function emitCotangents(
  module: ModuleContext,
  request: EntryRequest,
  seeds: readonly TsExpr[],
): { readonly stmts: readonly TsStmt[]; readonly cotangents: readonly (TsExpr | null)[] } {
  const active = module.activeProcedure(activeName(request.procedure));
  const { entry, reverse } = choosing((choices) => {
    const attempt = new JointEntry(module, active, { ...request, scope: request.scope.inner() }, false, choices);
    return { entry: attempt, reverse: attempt.reverse(() => seeds, []) };
  });
  return { stmts: [...entry.sweep(), ...reverse.stmts], cotangents: reverse.cotangents };
}

/** Value and pullback of an entry. */
export function emitVjp(module: ModuleContext, request: EntryRequest): VjpCode {
  const cotangent = request.scope.fresh("given");
  const active = module.activeProcedure(activeName(request.procedure));
  const { entry, reverse } = choosing((choices) => {
    const scope = request.scope.inner();
    const before: TsStmt[] = [];
    const setting = settingOf(module, request.mirrors, scope);
    const given = takeApart(request.result, id(cotangent), "given", before, setting);
    const seeds = withArrays(given, request.lists.results, [], module, setting.scope, before);
    const attempt = new JointEntry(module, active, { ...request, scope }, true, choices);
    return { entry: attempt, reverse: attempt.reverse(() => seeds, before) };
  });
  const forward = entry.forward();
  return {
    stmts: forward.stmts,
    value: forward.value,
    pullback: (given) => ({
      stmts: [{ kind: "const", target: cotangent, type: null, init: given }, ...reverse.stmts],
      cotangents: reverse.cotangents,
    }),
  };
}

class JointEntry {
  readonly #module: ModuleContext;
  readonly #request: EntryRequest;
  readonly #isRepeated: boolean;
  readonly #plain: Procedure;
  readonly #procedure: Procedure;
  readonly #context: ProcedureContext;
  readonly #setting: BoundarySetting;
  /** The leaves of the arguments, and what makes them. */
  readonly #leaves: readonly TsExpr[];
  readonly #before: TsStmt[] = [];
  /** The slots that outlive a run of the pullback belong to one run at a time. */
  readonly #turn: string | null;
  /** Whether each run of the pullback takes the same off the tape again. */
  readonly #rewinds: boolean;

  constructor(
    module: ModuleContext,
    active: ActiveProcedure,
    request: EntryRequest,
    isRepeated: boolean,
    choices: LoopChoices,
  ) {
    this.#module = module;
    this.#request = request;
    this.#isRepeated = isRepeated;
    this.#plain = active.plain;
    this.#procedure = active.procedure;
    this.#context = new ProcedureContext(
      module,
      this.#procedure,
      { kind: "joint", isRepeated, writeAgain: statementsOf },
      request.scope,
      choices,
    );
    this.#setting = settingOf(module, request.mirrors, request.scope);
    this.#leaves = leavesOfInputs(
      request.inputs,
      request.lists.params,
      this.#plain.params,
      module,
      this.#setting,
      this.#before,
    );
    const usesTape = this.#context.hasCalls(this.#procedure.body);
    this.#rewinds = usesTape && isRepeated;
    if (usesTape) this.#before.push({ kind: "const", target: module.names.tape, type: null, init: { kind: "new", fn: module.refer("adjoint.SavedValues"), args: [] } }); // prettier-ignore
    this.#turn = isRepeated && (usesTape || this.#context.hasSlots()) ? request.scope.fresh("turn") : null;
    this.#bindInputs();
  }

  #bindInputs(): void {
    const count = this.#plain.params.length;
    const { inputs, earlier } = this.#request;
    const params = this.#procedure.params.slice(0, count);
    params.forEach((param, index) => {
      bindParam(param, this.#leaves[index], this.#context, this.#before);
    });
    if (earlier !== null) {
      const leaves = params.map((param) => id(this.#context.name(param)));
      const call = earlierArraysCall(earlier.buffers, inputs, leaves, this.#module.types, this.#module.refer);
      if (call !== null) this.#before.push(call);
    }
    for (const store of this.#procedure.params.slice(count))
      if (!this.#context.isOwn(store)) this.#before.push(this.#zeroStore(store));
  }

  /** The stores of arguments that only the reverse sweep uses. */
  #ownStores(): readonly TsStmt[] {
    const stores = this.#procedure.params.slice(this.#plain.params.length);
    const isMade = (store: Var): boolean => this.#context.isOwn(store) && !this.#context.carried.isGiven(store);
    return stores.filter(isMade).map((store) => this.#zeroStore(store));
  }

  #zeroStore(store: Var): TsStmt {
    const of = this.#plain.params.find((param) => this.#context.storeOf(param)?.name === store.name);
    if (of === undefined) throw new InternalError("adjoint", "a store belongs to no parameter");
    const init = zeroStoreOf(of.rep, id(this.#context.name(of)), this.#setting);
    return { kind: "const", target: this.#context.name(store), type: null, init };
  }

  #results(): readonly Atom[] {
    const { end } = this.#procedure.body;
    if (end.kind !== "yield") throw new InternalError("adjoint", "a body does not end in a yield");
    return end.values.slice(0, this.#plain.results.length);
  }

  /** `seeds`: the leaves of the cotangent. */
  reverse(
    seeds: () => readonly TsExpr[],
    before: readonly TsStmt[],
  ): { readonly stmts: readonly TsStmt[]; readonly cotangents: readonly (TsExpr | null)[] } {
    const reals = new Map<Var, TsExpr>();
    const stmts = new ReverseSweep(this.#context).body(
      this.#procedure.body,
      (_, cotangents) => {
        const given = seeds();
        this.#results().forEach((value, index) => {
          const seed = given[index];
          if (seed === undefined || value.kind !== "var") return;
          const { rep } = value.variable;
          cotangents.stmts.push(...this.#fitting(rep, () => this.#context.need(value), seed));
          if (!this.#context.isActive(value.variable)) return;
          if (rep.kind === "real") cotangents.add(value.variable, seed);
          const store = this.#context.storeOf(value.variable);
          if (store === null) return;
          cotangents.stmts.push(this.#addToStore(rep, this.#context.need({ kind: "var", variable: store }), seed));
        });
      },
      (cotangents) => {
        for (const param of this.#plain.params) {
          const taken = param.rep.kind === "real" && this.#context.isActive(param) ? cotangents.take(param) : null;
          reals.set(param, taken ?? number(0));
        }
      },
    );
    const early = this.#context.iterations.startOf(this.#context.places.body);
    const own = this.#ownStores();
    early?.unshift(...own);
    const out: TsStmt[] = [
      ...before,
      ...this.#turnCall("take"),
      ...this.#tapeCall("rewind"),
      ...(early === null ? own : []),
      ...stmts,
    ];
    const earlier = new EarlierLists(this.#module, this.#request.earlier, this.#request.scope);
    let [place, leaf] = [0, 0];
    const cotangents = this.#request.inputs.map(({ type, isActive, hint }) => {
      const isLength = areLengths(type, this.#setting);
      const lists = this.#request.lists.params.slice(leaf, leaf + isLength.length);
      const widths = isLength.map((_, index) => widthOf(lists, index));
      const params = this.#plain.params.slice(place, place + widths.reduce((sum, width) => sum + width, 0));
      place += params.length;
      leaf += isLength.length;
      if (!isActive) return null;
      // Of integers in lists the cotangents are zeros, of truth values they themselves: only their number is needed, or all of them
      const isAsGiven = widths.flatMap((width, index) =>
        Array.from({ length: width }, () => isLength[index] === true || (lists[index] ?? null) !== null),
      );
      const parts = params.map((param, at) =>
        isAsGiven[at] === true && !this.#setting.leaves.hasStore(param.rep)
          ? id(this.#context.name(param))
          : this.#cotangentOf(param, reals),
      );
      const [only] = parts;
      if (this.#request.isInside === true && only !== undefined) return only;
      const own = earlier.withLists(type, hint, parts, lists);
      return putTogether(type, own, hint, out, { ...this.#setting, isCotangent: true });
    });
    out.push(...earlier.statements(), ...this.#turnCall("end"));
    return { stmts: this.#module.calls.outside(out), cotangents };
  }

  #turnCall(method: "take" | "end"): readonly TsStmt[] {
    return this.#turn === null ? [] : [{ kind: "expr", expr: callOf(member(id(this.#turn), method)) }];
  }

  #tapeCall(method: "keep" | "rewind"): readonly TsStmt[] {
    return this.#rewinds ? [{ kind: "expr", expr: callOf(member(id(this.#module.names.tape), method)) }] : [];
  }

  /** The cotangent of a leaf of the arguments, which nobody else has. */
  #cotangentOf(param: Var, reals: ReadonlyMap<Var, TsExpr>): TsExpr {
    const { types } = this.#setting;
    if (param.rep.kind === "real") return reals.get(param) ?? number(0);
    if (param.rep.kind === "int") return number(0);
    const value = id(this.#context.name(param));
    if (param.rep.kind === "bool") return value;
    return types.conversions.withLengths(param.rep, this.#storeTaken(param, value), value);
  }

  /** What is in the store of an array or object, in memory of its own. */
  #storeTaken(param: Var, value: TsExpr): TsExpr {
    const { refer, types } = this.#setting;
    const store = this.#context.storeOf(param);
    if (store === null) return zeroStoreOf(param.rep, value, this.#setting);
    const name = id(this.#context.name(store));
    if (!this.#isRepeated || this.#context.isOwn(store)) return name;
    const own = this.#request.mirrors.takes.call(param.rep, name);
    return own ?? asType(callOf(refer("adjoint.takeStore"), name), types.of(store.rep, "adjoint"));
  }

  /** Fails where a cotangent is longer or shorter than its value, or a row of it. */
  #fitting(rep: Rep, valueOf: () => TsExpr, cotangent: TsExpr): readonly TsStmt[] {
    const site = this.#request.cotangentSite ?? null;
    if (site === null || rep.kind !== "array") return [];
    const value = valueOf();
    const fit = callOf(this.#setting.refer("numbers.sameLength"), member(value, "length"), member(cotangent, "length"), string(siteText(site))); // prettier-ignore
    const index = this.#request.scope.fresh("i");
    const rows = this.#fitting(rep.element, () => cellOf(value, id(index)), cellOf(cotangent, id(index)));
    return [{ kind: "expr", expr: fit }, ...(rows.length === 0 ? [] : [countingUp(index, member(value, "length"), rows)])]; // prettier-ignore
  }

  #addToStore(rep: Rep, store: TsExpr, cotangent: TsExpr): TsStmt {
    if (rep.kind === "array" && rep.element.kind === "real" && store.kind === "id") {
      const index = this.#request.scope.fresh("i");
      const add = addTo(cellOf(store, id(index)), cellOf(cotangent, id(index)));
      return countingUp(index, member(cotangent.kind === "id" ? cotangent : store, "length"), [add]);
    }
    return { kind: "expr", expr: callOf(this.#setting.refer("adjoint.addToStore"), store, cotangent) };
  }

  /** The forward sweep alone; to be called when the reverse sweep is written: it says what to save. */
  sweep(): TsStmt[] {
    const resolution = () => this.#context.resolution(this.#request.procedure, this.#procedure);
    this.#module.noteSweeps(() => describeResolution(resolution()));
    return [...this.#before, ...new ForwardSweep(this.#context).statements(this.#procedure.body)];
  }

  /** The same, and the value. */
  forward(): { readonly stmts: readonly TsStmt[]; readonly value: TsExpr } {
    const stmts = this.sweep();
    stmts.push(...this.#tapeCall("keep"));
    if (this.#turn !== null) {
      const init: TsExpr = { kind: "new", fn: this.#setting.refer("adjoint.Turn"), args: [] };
      stmts.push({ kind: "const", target: this.#turn, type: null, init });
    }
    const results = this.#results().map((value) => this.#context.literalOrName(value));
    const parts = outward(results, this.#plain.results, this.#request.lists.results, this.#module, this.#setting);
    const value = putTogether(this.#request.result, parts, "value", stmts, this.#setting);
    return { value, stmts: this.#module.calls.outside(stmts) };
  }
}

/** The leaves of a result, which share no memory with what stays inside; `isNew`: those that do not anyway. */
function outward(
  values: readonly TsExpr[],
  reps: readonly Rep[],
  lists: ListLeaves,
  module: ModuleContext,
  setting: BoundarySetting,
  isNew: readonly boolean[] = [],
): TsExpr[] {
  let place = 0;
  const isMade = lists.flatMap((list) =>
    Array.from({ length: list?.suffixes.length ?? 1 }, () => list !== null && !list.hasArrays),
  );
  const own = values.map((value) => {
    const index = place++;
    return isMade[index] === true || isNew[index] === true ? value : cloneOf(repAt(reps, index), value, setting);
  });
  return withLists(own, lists, "list", module);
}

/** What the procedure is called with, in place of the arguments; `out` receives the statements that make it. */
function leavesOfInputs(
  inputs: readonly EntryInput[],
  lists: ListLeaves,
  params: readonly Var[],
  module: ModuleContext,
  setting: BoundarySetting,
  out: TsStmt[],
): readonly TsExpr[] {
  let [leaf, place] = [0, 0];
  return inputs.flatMap(({ type, value, items, hint }) => {
    const leaves = items === null ? takeApart(type, value, hint, out, setting) : [value];
    const own = lists.slice(leaf, (leaf += leaves.length));
    const made = items ?? withArrays(leaves, own, params.slice(place), module, setting.scope, out);
    place += made.length;
    return made;
  });
}

function settingOf(module: ModuleContext, { zeros, copies }: EntryRequest["mirrors"], scope: Scope): BoundarySetting {
  const { types, refer } = module;
  return { types, leaves: types.leaves, zeros, copies, refer, scope, isCotangent: false };
}

function repAt(reps: readonly Rep[], index: number): Rep {
  const rep = reps[index];
  if (rep === undefined) throw new InternalError("adjoint", "a result is missing");
  return rep;
}
