// What the two sweeps of one procedure share: names, and how a value of the forward sweep gets to where the reverse sweep needs it.
//
//   kept         both sweeps are one function: the variable is there, or, defined in a branch, one in front of the branch
//   again        it is cheap: the reverse sweep computes it again
//   on the tape  the sweeps are two functions
//   in an array  it is defined in a loop: one element an iteration; the array is a variable defined before the loop, and gets there in turn

import { freeVariables, isRecurrent } from "../flat/free-variables.js";
import type { Type } from "../core/type.js";
import { InternalError } from "../internal-error.js";
import type { Atom, Block, End, Operation, Procedure, Rep, Stmt, Var } from "../flat/program.js";
import { boundWithin } from "../flat/traverse.js";
import { ownStores } from "./own-stores.js";
import { variablesOf, type Resolution } from "./resolved.js";
import { elementOf } from "./stores.js";
import type { Role } from "../typescript/called.js";
import { identifier, type Scope } from "../typescript/naming.js";
import { callOf, id, member, number } from "../typescript/build.js";
import { locateCode } from "../typescript/locate.js";
import type { TsExpr, TsStmt } from "../typescript/tree.js";
import { operationCost } from "../flat/costs.js";
import { loopsWithSizes } from "../flat/counts-as-sizes.js";
import { elementArray, runAgain } from "./rematerialised-operations.js";
import { hasCalls, hasEffects } from "./effects.js";
import { cellOf, switchOnTag, type TagCase } from "./code.js";
import { CarriedArrays } from "./carried-arrays.js";
import { carriedInPlace, type InPlace } from "./in-place.js";
import { LoopConflict, type LoopChoices } from "./loop-choices.js";
import type { ModuleContext } from "./module.js";
import type { Universe } from "./types.js";
import { asType, lowerOperation, type Place } from "./operations.js";
import { Recomputation } from "./rematerialisation.js";
import { loopsByIteration, ByIteration } from "./swept-by-iteration.js";
import { sliceAlone, sliceOf, type Slice } from "./rematerialised-loops.js";
import type { Strategy } from "./strategy.js";
import { popped, pushed } from "./tape-values.js";
import { Places, type BlockPlace, type Definition, type LoopPlace, type LoopStmt } from "./places.js";

/** What writes plain code, which one of the two sweeps runs again. */
type Writer = (context: ProcedureContext, block: Block) => readonly TsStmt[];

/** Whether both sweeps are one function, and whether the reverse sweep may run several times. */
export type Frame =
  | { readonly kind: "plain"; readonly universe: Universe }
  | { readonly kind: "joint"; readonly isRepeated: boolean; readonly writeAgain: Writer }
  | { readonly kind: "split"; readonly writeAgain: Writer };

/** What a loop saves for the reverse sweep. */
interface LoopSaves {
  readonly arrays: { readonly saved: Var; readonly of: Definition; readonly cursor: string | null }[];
  iterations: Var | null;
}

type For = LoopStmt & { readonly kind: "for" };

const noChoices: LoopChoices = { separate: new Set(), apart: new Set() };

export class ProcedureContext {
  readonly frame: Frame;
  readonly places: Places;
  readonly place: Place;
  readonly module: ModuleContext;
  readonly #scope: Scope;
  readonly #names = new Map<string, string>();
  readonly #cotangents = new Map<string, string>();
  readonly #strategies = new Map<Definition, Strategy>();
  readonly #saves = new Map<LoopStmt, LoopSaves>();
  readonly #recomputation: Recomputation;
  /** Variables that are another one all along, and the loop that carries them in place. */
  readonly #aliases = new Map<string, { readonly of: Var; readonly loop: LoopStmt; readonly isStore: boolean }>();
  readonly #choices: LoopChoices;
  /** The names of objects whose constructors have been tested. */
  readonly #tested = new Set<string>();
  readonly #body: Block;
  /** The loops whose counts are not negative, once somebody asks. */
  #withSizes: ReadonlySet<Stmt> | null = null;
  readonly #inPlace = new Map<LoopStmt, readonly InPlace[]>();
  readonly #stores: ReadonlySet<string>;
  readonly #own: ReadonlySet<string>;
  /** The names of those parameters that the reverse sweep is passed by its callers. */
  readonly #passed: ReadonlySet<string>;
  readonly carried: CarriedArrays;
  readonly iterations: ByIteration;
  /** Variables in front of branches: their names and reps. */
  readonly outside: { readonly name: string; readonly of: Definition }[] = [];

  /** `scope` hands out the names of the function that is written. */
  constructor(
    module: ModuleContext,
    procedure: Procedure,
    frame: Frame,
    scope: Scope = module.values.inner(),
    choices: LoopChoices = noChoices,
  ) {
    this.module = module;
    this.frame = frame;
    this.#scope = scope;
    this.#choices = choices;
    this.#body = procedure.body;
    const universe = frame.kind === "plain" ? frame.universe : "adjoint";
    this.place = {
      ...module.place,
      universe,
      name: (variable) => this.name(variable),
      closure: (code, captured) =>
        module.closures.made(
          code,
          captured.map((atom) => this.literalOrName(atom)),
          universe,
          (hint) => this.fresh(hint),
        ),
      isKnown: (object) => this.#tested.has(object.name),
    };
    this.iterations = new ByIteration(this.#loopsByIteration(procedure.body));
    this.places = new Places(procedure, () => this.fresh("iteration"), this.iterations.loops);
    const isAlias = (variable: Var): boolean => this.isAlias(variable);
    const isPassed = (param: Var): boolean => frame.kind === "split" && module.passedBack.isPassable(procedure, param);
    this.#passed = new Set(procedure.params.filter(isPassed).map((param) => param.name));
    // In a joint function iterations that may not come to a branch have no array in common, and what they save is part of one
    const buildsIn = ({ loop, runs }: BlockPlace): boolean =>
      frame.kind === "split" || (loop !== null && runs !== "sometimes");
    this.#recomputation = new Recomputation(
      this.places,
      (definition) => this.#isInScope(definition),
      isAlias,
      buildsIn,
    );
    for (const loop of this.places.loops()) this.#carryInPlace(loop);
    this.#stores = new Set(variablesOf(procedure).flatMap((variable) => this.storeOf(variable)?.name ?? []));
    const asked = { stores: this.#stores, isJoint: frame.kind === "joint", isGivenBack: module.isGivenBack };
    this.#own = frame.kind === "plain" ? new Set() : ownStores(procedure, asked);
    this.carried = new CarriedArrays(this);
  }

  /** Whether a store is the reverse sweep's own. */
  isOwn(store: Var): boolean {
    return this.#own.has(store.name) && (this.frame.kind === "joint" || this.places.definition(store).op !== null);
  }

  /** Whether something that cotangents are in outlives a run of the reverse sweep. */
  hasSlots(): boolean {
    const isSlot = ({ variable, op }: Definition): boolean =>
      this.#stores.has(variable.name) ? !this.isOwn(variable) : op?.kind === "closure" || op?.kind === "zeroStore";
    return this.places.definitions().some(isSlot);
  }

  #loopsByIteration(body: Block): ReadonlySet<LoopStmt> {
    // A pullback has no cotangents before it is called
    if (this.frame.kind !== "joint" || this.frame.isRepeated) return new Set();
    return loopsByIteration(body, this.module.active, this.#choices.apart);
  }

  #carryInPlace(loop: LoopStmt): void {
    const isCounting = loop.kind === "for" && !this.#choices.separate.has(loop);
    const able = isCounting ? carriedInPlace(loop, (param) => this.module.lengths.isKept(param)) : [];
    // Cotangents of an array with no place for them end there: those of the one before it begin anew
    const hasStore = (variable: Var): boolean => this.storeOf(variable) !== null;
    const found = this.frame.kind === "plain" ? able : able.filter(({ param, next }) => hasStore(param) === hasStore(next)); // prettier-ignore
    this.#inPlace.set(loop, found);
    for (const { param, next, result } of found) {
      for (const variable of [param, next]) {
        this.#aliases.set(variable.name, { of: result, loop, isStore: false });
        const [store, of] = [this.storeOf(variable), this.storeOf(result)];
        if (this.frame.kind !== "plain" && store !== null && of !== null)
          this.#aliases.set(store.name, { of, loop, isStore: true });
      }
    }
  }

  /** The arrays that a loop carries in place. */
  inPlace(loop: LoopStmt): readonly InPlace[] {
    return this.#inPlace.get(loop) ?? [];
  }

  /** Whether a variable is another one all along. */
  isAlias(variable: Var): boolean {
    return this.#aliases.has(variable.name);
  }

  name(given: Var): string {
    const variable = this.#aliases.get(given.name)?.of ?? given;
    const known = this.#names.get(variable.name);
    if (known !== undefined) return known;
    const name = this.module.nameIn(this.#scope, variable);
    this.#names.set(variable.name, name);
    return name;
  }

  /** What is written behind a test of an object's constructor. */
  behindTest<T>(object: Atom, write: () => T): T {
    if (object.kind !== "var" || this.#tested.has(object.variable.name)) return write();
    this.#tested.add(object.variable.name);
    const written = write();
    this.#tested.delete(object.variable.name);
    return written;
  }

  /** Gives a variable the name of one that is there. */
  alias(variable: Var, name: string): void {
    this.#names.set(variable.name, name);
  }

  fresh(hint: string): string {
    return this.#scope.fresh(hint);
  }

  /** One more name for what has one. */
  another(name: string): string {
    return this.#scope.another(name);
  }

  /** A name for what something is of a variable. */
  after(of: string, role: Role): string {
    return this.#scope.after(identifier(of), role);
  }

  /** A name for the cotangent of a loop's parameter. */
  carriedCotangent(param: Var): string {
    return this.after(param.name, "carried");
  }

  cotangentName(variable: Var): string {
    const known = this.#cotangents.get(variable.name);
    if (known !== undefined) return known;
    const name = this.after(this.name(variable), "cotangent");
    this.#cotangents.set(variable.name, name);
    return name;
  }

  isActive(variable: Var): boolean {
    return this.module.active.activity.has(variable);
  }

  /** Whether the cotangents of a loop's parameter, or of an array that is chosen, are carried back by the reverse sweep. */
  isCarriedBack(array: Var): boolean {
    return this.module.active.isCarriedBack(array);
  }

  /** Whether the reverse sweep makes the stores of the rows that a loop makes. */
  isMadeBack(array: Var): boolean {
    return this.module.active.isMadeBack(array);
  }

  storeOf(variable: Var): Var | null {
    return this.module.active.storeOf(variable);
  }

  /** A value of the forward sweep, in the reverse sweep. */
  need(atom: Atom): TsExpr {
    if (atom.kind !== "var") return this.#literal(atom);
    const alias = this.#aliases.get(atom.variable.name);
    // What an array has held that is carried in place
    if (alias?.isStore === false) throw new LoopConflict(alias.loop, "separate");
    if (alias !== undefined) return this.need({ kind: "var", variable: alias.of });
    const definition = this.places.definition(atom.variable);
    definition.block.needed.add(definition);
    return id(this.name(atom.variable));
  }

  /** An atom in the forward sweep. */
  literalOrName(atom: Atom): TsExpr {
    return this.#literal(atom);
  }

  #literal(atom: Atom): TsExpr {
    switch (atom.kind) {
      case "real":
      case "int":
        return number(atom.value);
      case "bool":
        return { kind: "boolean", value: atom.value };
      case "var":
        return id(this.name(atom.variable));
    }
  }

  /** What stands at the beginning of a block's reverse sweep: the variables defined in the block that it needs. */
  restored(block: BlockPlace): readonly TsStmt[] {
    const made: { readonly definition: Definition; readonly stmts: readonly TsStmt[]; readonly isPopped: boolean }[] =
      [];
    const isAgain = this.#computedAgain(block);
    const done = new Set<Definition>();
    for (let more = true; more;) {
      more = false;
      // Restoring one may need another
      for (const definition of block.needed) {
        if (done.has(definition)) continue;
        done.add(definition);
        more = true;
        const strategy: Strategy = isAgain(definition) ? { kind: "again" } : this.#decide(definition);
        this.#strategies.set(definition, strategy);
        const stmts = this.#restore(definition, strategy);
        locateCode(stmts, 0, definition.at);
        made.push({ definition, stmts, isPopped: strategy.kind === "tape" });
      }
    }
    const popped = made.filter(({ isPopped }) => isPopped).sort((a, b) => b.definition.order - a.definition.order);
    const others = made.filter(({ isPopped }) => !isPopped).sort((a, b) => a.definition.order - b.definition.order);
    return [...popped, ...others].flatMap(({ stmts }) => stmts);
  }

  /** How a variable gets to the reverse sweep; null where that does not need it. */
  strategy(variable: Var): Strategy | null {
    return this.#strategies.get(this.places.definition(variable)) ?? null;
  }

  /** What has been decided, for readers; to be called when both sweeps are written. */
  resolution(name: string, procedure: Procedure): Resolution {
    const strategies = [...this.#strategies].map(([definition, strategy]) => ({
      definition,
      strategy,
      name: this.name(definition.variable),
    }));
    const { active } = this.module;
    const inactive = variablesOf(procedure)
      .filter(
        (variable) =>
          (variable.rep.kind === "real" || active.leaves.hasStore(variable.rep)) && !this.isActive(variable),
      )
      .map((variable) => ({ variable, name: this.name(variable) }));
    const byIteration = this.iterations.indices().map((index) => this.name(index));
    return { name, strategies, byIteration, inactive };
  }

  /** What of a block is pushed on the tape, in this order. */
  pushed(block: BlockPlace): readonly Var[] {
    return [...block.needed]
      .filter((definition) => this.#strategies.get(definition)?.kind === "tape")
      .sort((a, b) => a.order - b.order)
      .map(({ variable }) => variable);
  }

  /** Which variables of a block are computed again though that is expensive by itself: what they are computed from is saved, or computed again, anyway. */
  #computedAgain(block: BlockPlace): (definition: Definition) => boolean {
    const isSaved = (definition: Definition): boolean => this.#isSaved(definition);
    const others = new Set([...block.needed].filter((definition) => !isSaved(definition)));
    const isGiven = (definition: Definition): boolean => others.has(definition) || this.#isNeededAround(definition, block); // prettier-ignore
    const alone = this.#recomputation.savedOf([...block.needed].filter(isSaved), isGiven);
    const sources = this.#recomputation.sourcesOf(alone, isGiven).filter(isSaved);
    for (const source of sources) source.block.needed.add(source);
    const needed = new Set([...block.needed].filter(isSaved));
    const saved = sources.length === 0 ? alone : this.#recomputation.savedOf([...needed], isGiven);
    const isThere = (definition: Definition): boolean => needed.has(definition) || isGiven(definition);
    return (definition) =>
      !saved.has(definition) && isSaved(definition) && this.#recomputation.isCheap(definition, isThere);
  }

  /** Whether a variable is saved if it is looked at by itself: on the tape, or in an array of a loop. */
  #isSaved(definition: Definition): boolean {
    const { block, origin, variable } = definition;
    if (block.loop === null && this.frame.kind !== "split") return false;
    if (this.#passed.has(variable.name)) return false;
    if (origin === "index" || origin === "captured" || origin === "saved" || this.isOwn(variable)) return false;
    const isElement = block.loop !== null && elementArray(block.loop.stmt, variable) !== null;
    return !isElement && !this.#recomputation.isCheap(definition);
  }

  /** Whether a variable is in scope in both sweeps. */
  #isInScope({ block, variable }: Definition): boolean {
    if (this.frame.kind === "joint") return block.loop === null && block.runs === "always";
    return this.#passed.has(variable.name);
  }

  /** Whether a variable of a block around this one, in the same loop, is needed anyway. */
  #isNeededAround(definition: Definition, { loop, parent }: BlockPlace): boolean {
    for (let around = parent; around !== null && around.loop === loop; around = around.parent) {
      if (around.needed.has(definition)) return true;
    }
    return false;
  }

  #decide(definition: Definition): Strategy {
    const { block, origin, variable, op } = definition;
    const inner = this.#rerunnable(definition);
    if (inner !== null) return { kind: "rerun", stmt: inner };
    if (origin === "index" || this.#passed.has(variable.name)) return { kind: "kept" };
    if (origin === "captured") return { kind: "again" };
    if (this.isOwn(variable)) return { kind: op === null || this.carried.isGiven(variable) ? "kept" : "again" };
    const isCheap = this.#recomputation.isCheap(definition);
    if (block.loop !== null) return isCheap ? { kind: "again" } : this.#ofRounds(definition, block.loop);
    if (this.frame.kind === "split") return isCheap ? { kind: "again" } : { kind: "tape" };
    if (block.runs === "always") return { kind: "kept" };
    if (isCheap) return { kind: "again" };
    const name = this.after(this.name(variable), "kept");
    this.outside.push({ name, of: definition });
    return { kind: "outside", name };
  }

  /** The loop whose saved array a variable is, where that loop stands in another one and is cheap to run again. */
  #rerunnable({ variable, block }: Definition): For | null {
    const stmt = this.#savedIn.get(variable.name);
    if (stmt?.kind !== "for" || block.loop === null || isRecurrent(stmt)) return null;
    const slice = this.#sliceOf(stmt);
    return slice === null ? null : stmt;
  }

  /** The part of a loop that computes all that it saves. */
  #sliceOf(stmt: For): Slice | null {
    const targets = this.#savesOf(stmt).arrays.map(({ of }) => of.variable);
    const isWhole = this.#savesOf(stmt).arrays.every(({ of }) => of.block === this.places.block(stmt.body));
    return isWhole ? sliceOf(stmt, targets, operationCost) : null;
  }

  readonly #savedIn = new Map<string, LoopStmt>();
  readonly #rerun = new Set<LoopStmt>();

  /** Runs part of a loop again, into the arrays that the reverse sweep of the loop reads. */
  #runAgain(stmt: For): readonly TsStmt[] {
    const slice = this.#sliceOf(stmt);
    if (slice === null || this.#rerun.has(stmt)) return [];
    this.#rerun.add(stmt);
    const inside = this.places.block(stmt.body);
    const again = (op: Operation): Operation => this.#recomputation.operation(op, inside);
    const size: Var = { name: this.#ownVar(this.fresh("size")), rep: { kind: "int" } };
    const { arrays } = this.#savesOf(stmt);
    return this.#runAlone(sliceAlone(stmt, slice, { saves: arrays, again, size: this.#isSize(stmt) ? null : size }));
  }

  /** What runs again what has not failed, with variables of the same names. */
  #runAlone(alone: Procedure): readonly TsStmt[] {
    const context = new ProcedureContext(this.module, alone, { kind: "plain", universe: "adjoint" }, this.#scope);
    const given = freeVariables(alone.body);
    for (const variable of given) this.need({ kind: "var", variable });
    for (const variable of [...given, ...boundWithin(alone.body)]) context.alias(variable, this.name(variable));
    if (this.frame.kind === "plain") throw new InternalError("adjoint", "plain code runs nothing again");
    return this.frame.writeAgain(context, alone.body);
  }

  /** Whether a loop does not save an array, since part of it is run again. */
  isRerun(saved: Var): boolean {
    return this.strategy(saved)?.kind === "rerun";
  }

  /** How a variable of each iteration of a loop is saved. */
  #ofRounds(definition: Definition, loop: LoopPlace): Strategy {
    const array = elementArray(loop.stmt, definition.variable);
    if (array !== null && !this.isAlias(array)) {
      this.need({ kind: "var", variable: array });
      return { kind: "element", array };
    }
    // Where the sweeps are two functions, these are called often, and an array for each loop would cost more than what is in it
    if (this.frame.kind === "split") return { kind: "tape" };
    const saves = this.#savesOf(loop.stmt);
    const isCounted = loop.stmt.kind === "for";
    const { variable, block } = definition;
    // Arrays that grow are ordinary ones
    const element: Rep = isCounted || variable.rep.kind !== "real" ? variable.rep : { kind: "int" };
    const saved: Var = {
      name: this.#ownVar(this.after(this.name(variable), "saved")),
      rep: { kind: "array", element },
    };
    this.places.define(saved, loop.outside, "saved");
    const cursor = isCounted || block.runs !== "sometimes" ? null : this.after(this.name(variable), "cursor");
    saves.arrays.push({ saved, of: definition, cursor });
    this.#savedIn.set(saved.name, loop.stmt);
    this.need({ kind: "var", variable: saved });
    return { kind: "array", saved, cursor };
  }

  /** The name of a variable that is not in the program, which may have one like it that is not written yet. */
  #ownVar(name: string): string {
    const own = `${name} (saved)`;
    this.#names.set(own, name);
    return own;
  }

  #savesOf(stmt: LoopStmt): LoopSaves {
    const known = this.#saves.get(stmt) ?? { arrays: [], iterations: null };
    this.#saves.set(stmt, known);
    return known;
  }

  #restore({ variable, block, op, stmt }: Definition, strategy: Strategy): readonly TsStmt[] {
    const restored = (init: TsExpr): readonly TsStmt[] => [{ kind: "const", target: this.name(variable), type: null, init }]; // prettier-ignore
    const type = this.module.types.of(variable.rep, "adjoint");
    switch (strategy.kind) {
      case "kept":
        return [];
      case "outside":
        return restored(asType(id(strategy.name), type));
      case "again": {
        if (stmt !== null) return this.#runAlone(runAgain(stmt, (inner, branch) => this.#recomputation.operation(inner, this.places.block(branch)))); // prettier-ignore
        if (op === null) return restored(this.module.closures.captured(variable));
        const isLength = op.kind === "length";
        const place: Place = { ...this.place, name: (other) => this.#neededName(other, isLength) };
        return restored(lowerOperation(this.#recomputation.operation(op, block), variable, place));
      }
      case "tape":
        return restored(popped(variable.rep, this.module));
      case "rerun":
        return this.#runAgain(strategy.stmt);
      case "element":
        return restored(cellOf(this.need({ kind: "var", variable: strategy.array }), id(this.#iteration(block))));
      case "array": {
        const saved = this.need({ kind: "var", variable: strategy.saved });
        if (strategy.cursor === null) return restored(cellOf(saved, id(this.#iteration(block))));
        const step: TsExpr = { kind: "assign", op: "-=", target: id(strategy.cursor), value: number(1) };
        return [{ kind: "expr", expr: step }, ...restored(cellOf(saved, id(strategy.cursor)))];
      }
    }
  }

  /** What makes the store of an array anew. */
  storeAgain(array: Var): TsExpr {
    const store = this.storeOf(array);
    const definition = store === null ? null : this.places.definition(store);
    if (definition?.op == null) throw new InternalError("adjoint", `nothing makes the store of ${array.name}`);
    const place: Place = { ...this.place, name: (other) => this.#neededName(other, false) };
    return lowerOperation(this.#recomputation.operation(definition.op, definition.block), definition.variable, place);
  }

  #neededName(variable: Var, isLength: boolean): string {
    // An array that is carried in place is as long in every iteration
    const alias = isLength ? this.#aliases.get(variable.name) : undefined;
    this.need({ kind: "var", variable: alias?.of ?? variable });
    return this.name(variable);
  }

  #iteration(block: BlockPlace): string {
    if (block.loop === null) throw new InternalError("adjoint", "a block outside of loops has no iteration");
    return this.iterationName(block.loop.stmt);
  }

  iterationName(stmt: LoopStmt): string {
    return stmt.kind === "for" ? this.name(stmt.index) : this.places.loop(stmt).iteration;
  }

  push(variable: Var): TsStmt {
    return pushed(this.name(variable), variable.rep, this.module);
  }

  /** The number of times that a loop has gone on. */
  iterationsOf(stmt: LoopStmt): Var {
    const saves = this.#savesOf(stmt);
    if (saves.iterations !== null) return saves.iterations;
    const iterations: Var = { name: this.#ownVar(this.fresh("iterations")), rep: { kind: "int" } };
    saves.iterations = iterations;
    this.places.define(iterations, this.places.loop(stmt).outside, "saved");
    return iterations;
  }

  /** How many iterations a loop has, as the size of an array: its count may be negative. */
  sizeOf(stmt: For, written: TsExpr): TsExpr {
    if (this.#isSize(stmt)) return written;
    if (written.kind === "number") return number(Math.max(written.value, 0));
    return callOf(member(id("Math"), "max"), written, number(0));
  }

  /** Whether the count of a loop is not negative. */
  #isSize(stmt: For): boolean {
    if (stmt.count.kind === "int") return stmt.count.value >= 0;
    this.#withSizes ??= loopsWithSizes(this.#body);
    return stmt.arrays.length > 0 || this.#withSizes.has(stmt);
  }

  /** Whether something of a block is what loops of it save that stand in front of a statement. */
  isSavedBefore({ variable, origin }: Definition, { stmts }: Block, end: Stmt): boolean {
    if (origin !== "saved") return false;
    return stmts.slice(0, stmts.indexOf(end)).some((stmt) => {
      if (stmt.kind !== "for" && stmt.kind !== "loop") return false;
      const { arrays, iterations } = this.#savesOf(stmt);
      return iterations?.name === variable.name || arrays.some(({ saved }) => saved.name === variable.name);
    });
  }

  /** What a loop saves. */
  savedBy(stmt: LoopStmt): LoopSaves {
    return this.#savesOf(stmt);
  }

  /** The read positions of a loop's arrays that have no element for some iterations. */
  cursors(stmt: LoopStmt): readonly TsStmt[] {
    return this.#savesOf(stmt).arrays.flatMap(
      ({ saved, cursor }): TsStmt[] =>
      cursor === null ? [] : [{ kind: "let", name: cursor, type: null, init: member(this.need({ kind: "var", variable: saved }), "length") }], // prettier-ignore
    );
  }

  /** `switch (object.tag) { .. }`, or the only case. */
  switchOn(object: TsExpr, type: Type, cases: readonly TagCase[]): readonly TsStmt[] {
    const all = type.kind === "data" ? this.module.types.leaves.types.constructorsOf(type) : [];
    return switchOnTag(object, cases, all.map(({ name }) => name)); // prettier-ignore
  }

  /** Whether slots are taken from again when the reverse sweep runs again, or is called again. */
  resetsSlots(store: Var): boolean {
    if (this.isAlias(store)) return true;
    if (this.isOwn(store) && this.places.definition(store).op !== null) return false;
    return this.frame.kind !== "joint" || this.frame.isRepeated;
  }

  /** Whether the reverse sweep of what ends so does more than contribute to what it yields: it changes slots, or takes from the tape. */
  hasEffects(end: End, block: Block | null = null): boolean {
    return hasEffects(end, block, this.#isActiveCall);
  }

  /** Whether functions that use the tape are called in a block. */
  hasCalls(block: Block): boolean {
    return hasCalls(block, this.#isActiveCall);
  }

  readonly #isActiveCall = (fn: string): boolean => this.module.active.procedures.has(fn);

  /** The type of the elements of an array, in this procedure's universe. */
  elementType(array: Var) {
    return this.module.types.of(elementOf(array.rep), this.place.universe);
  }
}
