// The reverse sweep of a procedure, statement by statement from the last to the first (SV25 §10: each assignment is the call `SCall d (a * z)` of a
// resolved backpropagator, each slot a cell of the staging array).
//
//   y = op(x1, ..)        xk_ += d_k op(x1, ..) * y_
//   y = a ! i             a_[i] += y_
//   y = C(x, ..)          x_ += y_.x; y_.x = 0                          what is made takes from its slots, and leaves them at zero
//   y.. = f(x..)          x_.. += f reverse(y_..)
//   y.. = if c ..         if (c) { .. } else { .. }                     of the branch that was taken
//   y.. = for ..          the iterations from the last to the first; in any order where what they hand on is a sum, or has no cotangent

import { isScalar } from "../flat/build.js";
import { isShown, primitive, type OpName } from "../core/primitives.js";
import { InternalError } from "../internal-error.js";
import { location, type Location } from "../location.js";
import { isRecurrent } from "../flat/free-variables.js";
import type { Atom, Block, End, Stmt, Var } from "../flat/program.js";
import { assign, binary, callOf, id, number, string } from "../typescript/build.js";
import { locateCode, locatedExpr } from "../typescript/locate.js";
import type { TsExpr, TsStmt } from "../typescript/tree.js";
import { addTo, Cotangents } from "./cotangents.js";
import { decidedByIteration } from "./decided.js";
import { mentionsIn } from "../tidy/analysis/mentions.js";
import { assignAll, branching, cellOf, countingDown, countingUp } from "./code.js";
import {
  derivativeOf,
  isSquare,
  leafOf,
  needsOf,
  partialOf,
  siteText,
  timesDerivative,
  timesTwice,
  type Primitive,
} from "./operations.js";
import { HandedCotangents, type Assignment } from "./handed-cotangents.js";
import type { ProcedureContext } from "./procedure.js";
import { reverseCall } from "./reverse-call.js";
import { expectThere } from "./swept-by-iteration.js";
import { LoopConflict } from "./loop-choices.js";
import { elementOf } from "./stores.js";
import { unlessZero } from "./untaken.js";

/** What a block's end contributes: given what it yields, or hands to the next iteration. */
interface Delivery {
  readonly yields: (values: readonly Atom[], cotangents: Cotangents) => void;
  readonly next: (values: readonly Atom[], cotangents: Cotangents) => void;
  /** In the body of a loop: whether this is its last iteration, in which it takes a way out; null elsewhere. */
  readonly isLast: TsExpr | null;
  /** What stands behind the reverse sweep of a branch that yields. */
  readonly behind: () => readonly TsStmt[];
}

export class ReverseSweep {
  readonly #context: ProcedureContext;
  readonly #handed: HandedCotangents;
  /** Where the statement is from that is swept. */
  #at: Location | undefined = undefined;

  constructor(context: ProcedureContext) {
    this.#context = context;
    this.#handed = new HandedCotangents(context);
  }

  /** The reverse sweep of the procedure's body. `yields` contributes the results' cotangents; `finish` is called when all is done. */
  body(block: Block, yields: Delivery["yields"], finish: (cotangents: Cotangents) => void): readonly TsStmt[] {
    const next = (): void => { throw new InternalError("adjoint", "a body goes on to no next iteration"); }; // prettier-ignore
    return this.#block(block, { yields, next, isLast: null, behind: nothing }, finish).stmts;
  }

  #block(block: Block, delivery: Delivery, finish: (cotangents: Cotangents) => void): Cotangents {
    const context = this.#context;
    const place = context.places.block(block);
    const cotangents = new Cotangents(place, context.places, (variable) => context.cotangentName(variable));
    this.#end(block.end, delivery, cotangents);
    for (const stmt of block.stmts.toReversed()) this.#stmt(stmt, cotangents);
    finish(cotangents);
    cotangents.flush();
    const start = context.iterations.startOf(place) ?? cotangents.stmts;
    start.unshift(...context.restored(place));
    expectThere(block, context);
    return cotangents;
  }

  #end(end: End, delivery: Delivery, cotangents: Cotangents): void {
    switch (end.kind) {
      case "yield":
        delivery.yields(end.values, cotangents);
        return;
      case "next":
        delivery.next(end.values, cotangents);
        return;
      case "if": {
        const [then, otherwise] = [this.#branch(end.then, delivery), this.#branch(end.else, delivery)];
        if (then.stmts.length === 0 && otherwise.stmts.length === 0) return;
        cotangents.open([...then.touched, ...otherwise.touched]);
        const decided = decidedByIteration([{ body: end.then, stmts: then.stmts }, { body: end.else, stmts: otherwise.stmts }], delivery.isLast); // prettier-ignore
        cotangents.stmts.push(...(decided ?? [branching(this.#need(end.cond), then.stmts, otherwise.stmts)]));
        return;
      }
      case "switch": {
        const branches = end.branches.map(({ con, body }) => ({ con, body, branch: this.#context.behindTest(end.object, () => this.#branch(body, delivery)) })); // prettier-ignore
        if (branches.every(({ branch }) => branch.stmts.length === 0)) return;
        cotangents.open(branches.flatMap(({ branch }) => [...branch.touched]));
        // What looks at the object besides has to know of what type it is
        const decided = this.#isLookedAt(end.object) ? null : decidedByIteration(branches.map(({ body, branch }) => ({ body, stmts: branch.stmts })), delivery.isLast); // prettier-ignore
        if (decided !== null) {
          cotangents.stmts.push(...decided);
          return;
        }
        const object = this.#tagged(end.object);
        const cases = branches
          .filter(({ branch }) => branch.stmts.length > 0)
          .map(({ con, branch }) => ({ con, body: branch.stmts }));
        cotangents.stmts.push(...this.#context.switchOn(object, end.type, cases));
        return;
      }
    }
  }

  /** Whether the reverse sweep needs an object, so far: for more than to know its constructor. */
  #isLookedAt(object: Atom): boolean {
    if (object.kind !== "var") return false;
    const definition = this.#context.places.definition(object.variable);
    return definition.block.needed.has(definition);
  }

  /** What tells which constructor made an object: its store, where that is needed and the object is not. */
  #tagged(object: Atom): TsExpr {
    const store = object.kind === "var" ? this.#context.storeOf(object.variable) : null;
    const isEnough = store !== null && this.#isLookedAt({ kind: "var", variable: store }) && !this.#isLookedAt(object);
    return this.#need(isEnough ? { kind: "var", variable: store } : object);
  }

  #branch(block: Block, delivery: Delivery): Cotangents {
    const branch = this.#block(block, delivery, () => undefined);
    if (block.end.kind === "yield") branch.stmts.push(...delivery.behind());
    return branch;
  }

  #stmt(stmt: Stmt, cotangents: Cotangents): void {
    const [around, before] = [this.#at, cotangents.stmts.length];
    this.#at = stmt[location] ?? around;
    this.#unlocated(stmt, cotangents);
    locateCode(cotangents.stmts, before, this.#at);
    this.#at = around;
  }

  #unlocated(stmt: Stmt, cotangents: Cotangents): void {
    switch (stmt.kind) {
      case "check":
        return;
      case "let":
        this.#let(stmt, cotangents);
        return;
      case "choose":
        this.#choose(stmt, cotangents);
        return;
      case "call":
      case "apply":
        this.#call(stmt, cotangents);
        return;
      case "for":
        this.#for(stmt, cotangents);
        return;
      case "loop":
        this.#loop(stmt, cotangents);
        return;
    }
  }

  #let({ result, op }: Stmt & { readonly kind: "let" }, cotangents: Cotangents): void {
    switch (op.kind) {
      case "copy": {
        const cotangent = this.#taken(result, cotangents);
        if (cotangent !== null) this.#contribute(op.value, cotangent, cotangents);
        return;
      }
      case "known": {
        const cotangent = this.#taken(result, cotangents);
        if (cotangent !== null) this.#contribute(op.from, cotangent, cotangents);
        return;
      }
      case "prim":
        this.#prim(result, op, cotangents);
        return;
      case "cell": {
        const cotangent = this.#taken(result, cotangents, false);
        if (cotangent === null) return;
        const cell: TsExpr = cellOf(this.#store(op.array), this.#need(op.index));
        cotangents.stmts.push(addTo(cell, cotangent));
        return;
      }
      case "field": {
        const cotangent = this.#taken(result, cotangents, false);
        if (cotangent === null || op.object.kind !== "var") return;
        const store = this.#context.storeOf(op.object.variable);
        if (store === null) throw new InternalError("adjoint", `${op.object.variable.name} has no store`);
        this.#need({ kind: "var", variable: store });
        const slot = leafOf({ kind: "var", variable: store }, op.con, op.index, this.#context.place);
        cotangents.stmts.push(addTo(slot, cotangent));
        return;
      }
      case "object": {
        const store = this.#context.storeOf(result);
        if (store === null) return;
        const stored: Atom = { kind: "var", variable: store };
        this.#takeSlots(op.args, (index) => leafOf(stored, op.con, index, this.#context.place), store, cotangents);
        return;
      }
      case "array": {
        const store = this.#context.storeOf(result);
        if (store === null || op.element.kind !== "real") return;
        const stored: Atom = { kind: "var", variable: store };
        const slot = (index: number): TsExpr => cellOf(this.#need(stored), number(index));
        this.#takeSlots(op.items, slot, store, cotangents);
        return;
      }
      case "closure": {
        const self: Atom = { kind: "var", variable: result };
        const slot = (index: number): TsExpr => this.#context.module.closures.slot(op.code, index, this.#need(self));
        this.#takeSlots(op.captured, slot, result, cotangents);
        return;
      }
      case "length":
      case "extern":
      case "realStore":
      case "objectStore":
      case "zeroStore":
        return;
    }
  }

  /** What is made of active reals takes their cotangents from its slots. */
  #takeSlots(values: readonly Atom[], slot: (index: number) => TsExpr, owner: Var, cotangents: Cotangents): void {
    values.forEach((value, index) => {
      if (value.kind !== "var" || value.variable.rep.kind !== "real" || !this.#context.isActive(value.variable)) return;
      this.#need({ kind: "var", variable: owner });
      const [name, place] = [this.#context.after(value.variable.name, "cotangent"), slot(index)];
      cotangents.stmts.push({ kind: "const", target: name, type: null, init: place });
      if (this.#context.resetsSlots(owner))
        cotangents.stmts.push({ kind: "expr", expr: { kind: "assign", op: "=", target: place, value: number(0) } });
      this.#contribute(value, id(name), cotangents);
    });
  }

  #prim(result: Var, op: Primitive, cotangents: Cotangents): void {
    const active = op.args.flatMap((arg, index) =>
      arg.kind === "var" && this.#context.isActive(arg.variable) && primitive(op.op).params[index] === "R"
        ? [index]
        : [],
    );
    const cotangent = this.#taken(result, cotangents, true);
    if (cotangent === null) return;
    if (isShown(op.op)) this.#show(op, cotangent, cotangents);
    const [only] = op.args;
    const isGuarded = (index: number): boolean => op.isEarly === true || op.overflowing?.includes(index) === true;
    const derivative = isGuarded(0) ? null : this.#derivative(result, op.op, op.args);
    if (derivative !== null && only !== undefined && active.length > 0) {
      const value = this.#need({ kind: "var", variable: derivative.variable });
      this.#contribute(only, timesDerivative(value, derivative.isNegative, cotangent), cotangents);
      return;
    }
    if (only !== undefined && active.length > 0 && isSquare(op)) {
      const { refer } = this.#context.place;
      this.#contribute(only, timesTwice(this.#need(only), cotangent, isGuarded(0) ? refer : null), cotangents);
      return;
    }
    for (const index of active) {
      const { args: used, result: usesResult } = needsOf(op.op, index);
      const args = op.args.map((arg, place) => (used.has(place) ? this.#need(arg) : number(0)));
      const value = usesResult ? this.#need({ kind: "var", variable: result }) : number(0);
      const contribution = partialOf(op.op, index, args, value, cotangent, this.#context.place.refer, isGuarded(index));
      const arg = op.args[index];
      if (contribution !== null && arg !== undefined) this.#contribute(arg, contribution, cotangents);
    }
  }

  /** Shows the derivative in a number that is shown: in an element of an array that at `index`. */
  #show({ args: [, index], site }: Primitive, cotangent: TsExpr, cotangents: Cotangents): void {
    const { refer } = this.#context.place;
    const label = string(siteText(site));
    const expr =
      index === undefined
        ? callOf(refer("debug.showDerivative"), cotangent, label)
        : callOf(refer("debug.showDerivativeAt"), cotangent, this.#need(index), label);
    cotangents.stmts.push({ kind: "expr", expr });
  }

  /** The derivative of a function, where the program has computed it: of the sine of an angle the cosine. */
  #derivative(
    result: Var,
    op: OpName,
    [arg]: readonly Atom[],
  ): { readonly variable: Var; readonly isNegative: boolean } | null {
    const { places } = this.#context;
    const found = derivativeOf(op);
    if (found === null || arg === undefined) return null;
    const variable = places.valueOf(found.op, arg, places.definition(result).block);
    return variable === null ? null : { variable, isNegative: found.isNegative };
  }

  #choose(stmt: Stmt & { readonly kind: "choose" }, cotangents: Cotangents): void {
    const { carried } = this.#context;
    const seeds = stmt.results.map((result) => this.#taken(result, cotangents));
    const sources = stmt.results.map((result) => (carried.isChosenBack(result) ? this.#handed.storeIn(result) : null));
    if ([...seeds, ...sources].every((each) => each === null) && !this.#context.hasEffects(stmt.end)) return;
    const params = this.#handed.paramsOf(stmt, sources, cotangents);
    const seeding = this.#seeding(seeds);
    let nexts: readonly Assignment[] = [];
    const yields: Delivery["yields"] = (values, inner) => {
      seeding(values, inner);
      nexts = this.#handed.choice(values, sources, params, inner);
    };
    const behind = (): readonly TsStmt[] => {
      for (const each of params) carried.rename(each, each.name);
      return assignAll(nexts, (name) => this.#context.another(name));
    };
    this.#end(stmt.end, { yields, next: noNext, isLast: null, behind }, cotangents);
  }

  /** Contributes cotangents to what is yielded. */
  #seeding(seeds: readonly (TsExpr | null)[]): Delivery["yields"] {
    return (values, inner) => {
      values.forEach((value, index) => {
        const seed = seeds[index] ?? null;
        if (seed !== null) this.#contribute(value, seed, inner);
      });
    };
  }

  #call(stmt: Stmt & { readonly kind: "call" | "apply" }, cotangents: Cotangents): void {
    const call = reverseCall(this.#context.module, stmt, {
      seed: (result) => this.#taken(result, cotangents) ?? number(0),
      storeIn: (result) => this.#handed.storeTaken(result),
      need: (atom) => this.#need(atom),
    });
    if (call === null) return;
    const reals = call.args;
    const names = reals.map((arg) => (arg !== null && this.#isActive(arg) ? this.#context.after(arg.kind === "var" ? arg.variable.name : "x", "cotangent") : null)); // prettier-ignore
    const [only] = names;
    while (names.at(-1) === null) names.pop();
    if (names.length === 0) cotangents.stmts.push({ kind: "expr", expr: call.expr });
    else if (reals.length === 1)
      cotangents.stmts.push({ kind: "const", target: only ?? "", type: null, init: call.expr });
    else cotangents.stmts.push({ kind: "const", target: names, type: null, init: call.expr });
    reals.forEach((arg, index) => {
      const name = names[index] ?? null;
      if (arg !== null && name !== null) this.#contribute(arg, id(name), cotangents);
    });
  }

  #for(stmt: Stmt & { readonly kind: "for" }, cotangents: Cotangents): void {
    const context = this.#context;
    const results = stmt.results.map((result) => this.#taken(result, cotangents));
    const arrays = stmt.arrays.filter((array) => context.isActive(array));
    if (results.every((result) => result === null) && arrays.length === 0 && !context.hasEffects(stmt.body.end, stmt.body)) return; // prettier-ignore
    const isAtOnce = context.iterations.loops.has(stmt);
    const carried = stmt.params.map((param) => (this.#isActiveReal(param) ? context.carriedCotangent(param) : null));
    const iteration = context.place.name(stmt.index);
    const back = context.carried.of(stmt);
    const yields = (values: readonly Atom[], inner: Cotangents): void => {
      for (const { name, index } of back) this.#handed.give(values[index], id(name), inner);
      values.forEach((value, index) => {
        const name = carried[index] ?? null;
        if (name !== null) this.#contribute(value, id(name), inner);
        const array = stmt.arrays[index - stmt.params.length];
        if (array !== undefined) this.#element(array, id(iteration), value, inner);
      });
    };
    const nexts: Assignment[] = [];
    const inner = this.#block(stmt.body, { yields, next: noNext, isLast: null, behind: nothing }, (body) => {
      nexts.push(...this.#carriedOn(stmt.params, carried, body));
      for (const { name, param } of back) {
        const value = this.#handed.storeIn(param);
        if (value.kind !== "id" || value.name !== name) nexts.push({ target: name, value });
      }
    });
    const effects = [...inner.stmts, ...assignAll(nexts, (name) => context.another(name))];
    if (effects.length === 0 && !isAtOnce) {
      this.#pass(stmt.init, carried, results, cotangents);
      // Iterations hand each array on as it is
      for (const { init, result } of back) this.#handed.passStore(init, result, cotangents);
      return;
    }
    if (isAtOnce) cotangents.openEmpty(inner.touched);
    else cotangents.open(inner.touched);
    this.#declare(carried, results, cotangents);
    for (const each of back) this.#handed.receiveLast(each, cotangents);
    if (isAtOnce) {
      // Cotangents are not the same in each iteration
      if (nexts.length + back.length > 0) throw new LoopConflict(stmt, "apart");
      const touched = [...inner.touched].map((variable) => context.cotangentName(variable));
      locateCode(cotangents.stmts, 0, this.#at);
      context.iterations.write(stmt, cotangents.block, cotangents.stmts.splice(0), effects, touched);
      this.#pass(stmt.init, carried, carried.map((name) => (name === null ? null : id(name))), cotangents); // prettier-ignore
      return;
    }
    const count = this.#need(stmt.count);
    const usesTape = mentionsIn(effects, context.module.names.tape);
    const isOrdered =
      nexts.length + back.length > 0 || !stmt.params.every(({ rep }) => isScalar(rep)) || usesTape || isRecurrent(stmt);
    const loop = isOrdered ? countingDown(iteration, count, effects) : countingUp(iteration, count, effects);
    const isSummed = arrays.length === 0 && stmt.params.every(({ rep }) => isScalar(rep)) && !usesTape;
    const isLinear = isSummed && !context.hasEffects(stmt.body.end, stmt.body);
    const isRepeated = context.places.loop(stmt).outside.loop !== null;
    cotangents.stmts.push(isLinear && isRepeated ? unlessZero(results, loop, cotangents.stmts) : loop);
    this.#pass(stmt.init, carried, carried.map((name) => (name === null ? null : id(name))), cotangents); // prettier-ignore
    const isExact = back.every((each) => each.isExact);
    for (const each of back) this.#handed.handBack(each, isExact, cotangents);
    for (const { result, init } of context.inPlace(stmt)) this.#handed.passStore(init, result, cotangents);
  }

  /** The cotangent of an element of an array that a loop makes. */
  #element(array: Var, index: TsExpr, value: Atom, cotangents: Cotangents): void {
    const store = this.#context.storeOf(array);
    if (store === null) return;
    if (this.#context.isMadeBack(array)) this.#handed.giveRow(store, index, value, cotangents);
    if (elementOf(array.rep).kind !== "real") return;
    const isActive = value.kind === "var" && this.#context.isActive(value.variable);
    const isReset = this.#context.resetsSlots(store);
    if (!isActive && !isReset) return;
    const cell: TsExpr = cellOf(this.#need({ kind: "var", variable: store }), index);
    const reset = isReset ? [assign(cell, number(0))] : [];
    if (!isActive) {
      cotangents.stmts.push(...reset);
      return;
    }
    const name = this.#context.after(value.variable.name, "cotangent");
    cotangents.stmts.push({ kind: "const", target: name, type: null, init: cell }, ...reset);
    this.#contribute(value, id(name), cotangents);
  }

  #loop(stmt: Stmt & { readonly kind: "loop" }, cotangents: Cotangents): void {
    const context = this.#context;
    const results = stmt.results.map((result) => this.#taken(result, cotangents));
    const isUsed = results.some((result) => result !== null) || stmt.arrays.some((array) => context.isActive(array));
    if (!isUsed && !context.hasEffects(stmt.body.end, stmt.body)) return;
    const carried = stmt.params.map((param) => (this.#isActiveReal(param) ? context.carriedCotangent(param) : null));
    const iteration = context.iterationName(stmt);
    const iterations = this.#need({ kind: "var", variable: context.iterationsOf(stmt) });
    const nexts: Assignment[] = [];
    const inner = this.#block(
      stmt.body,
      {
        yields: this.#seeding(results),
        next: (values, body) => {
          values.forEach((value, index) => {
            const name = carried[index] ?? null;
            if (name !== null) this.#contribute(value, id(name), body);
            const array = stmt.arrays[index - stmt.params.length];
            if (array !== undefined) this.#element(array, id(iteration), value, body);
          });
        },
        isLast: binary("===", id(iteration), iterations),
        behind: nothing,
      },
      (body) => {
        nexts.push(...this.#carriedOn(stmt.params, carried, body, true));
      },
    );
    cotangents.open(inner.touched);
    this.#declare(carried, carried.map(() => number(0)), cotangents); // prettier-ignore
    cotangents.stmts.push(...context.cursors(stmt));
    const body = [...inner.stmts, ...assignAll(nexts, (name) => context.another(name))];
    cotangents.stmts.push(countingDown(iteration, binary("+", iterations, number(1)), body));
    this.#pass(stmt.init, carried, carried.map((name) => (name === null ? null : id(name))), cotangents); // prettier-ignore
  }

  /** What the carried cotangents become at the end of an iteration, which is its beginning in the program. */
  #carriedOn(
    params: readonly Var[],
    carried: readonly (string | null)[],
    body: Cotangents,
    always = false,
  ): readonly Assignment[] {
    return params.flatMap((param, index): Assignment[] => {
      const target = carried[index] ?? null;
      if (target === null) return [];
      const value = body.takeSum(param) ?? number(0);
      return !always && value.kind === "id" && value.name === target ? [] : [{ target, value }];
    });
  }

  #declare(carried: readonly (string | null)[], init: readonly (TsExpr | null)[], cotangents: Cotangents): void {
    carried.forEach((name, index) => {
      if (name !== null) cotangents.stmts.push({ kind: "let", name, type: null, init: init[index] ?? number(0) });
    });
  }

  #pass(
    init: readonly Atom[],
    carried: readonly (string | null)[],
    values: readonly (TsExpr | null)[],
    cotangents: Cotangents,
  ): void {
    init.forEach((atom, index) => {
      const value = values[index] ?? null;
      if ((carried[index] ?? null) !== null && value !== null) this.#contribute(atom, value, cotangents);
    });
  }

  #contribute(to: Atom, contribution: TsExpr, cotangents: Cotangents): void {
    if (to.kind === "var" && this.#isActiveReal(to.variable))
      cotangents.add(to.variable, locatedExpr(contribution, this.#at));
  }

  /** The cotangent of a real variable where its definition is reached; null where it is zero. */
  #taken(variable: Var, cotangents: Cotangents, isAtom = true): TsExpr | null {
    if (!this.#isActiveReal(variable)) return null;
    return isAtom ? cotangents.take(variable) : cotangents.takeSum(variable);
  }

  #isActive(atom: Atom): boolean {
    return atom.kind === "var" && this.#isActiveReal(atom.variable);
  }

  #isActiveReal(variable: Var): boolean {
    return variable.rep.kind === "real" && this.#context.isActive(variable);
  }

  #store(array: Atom): TsExpr {
    if (array.kind !== "var") throw new InternalError("adjoint", "a literal has no store");
    return this.#handed.storeIn(array.variable);
  }

  /** A value of the forward sweep. */
  #need(atom: Atom): TsExpr {
    return this.#context.need(atom);
  }
}

function nothing(): readonly TsStmt[] {
  return [];
}

function noNext(): never {
  throw new InternalError("adjoint", "there is no next iteration here");
}
