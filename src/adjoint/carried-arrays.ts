// How the reverse sweep of a loop carries back the cotangents of arrays (carried-back.ts): in variables, which are the stores of what iterations hand on, and
// of what the loop begins with, wherever these have none of their own to begin with.

import type { Atom, Stmt, Var } from "../flat/program.js";
import { endsOf } from "../flat/traverse.js";
import type { Role } from "../typescript/called.js";
import type { BlockPlace, Places } from "./places.js";
import { wholeOf } from "./own-stores.js";
import { elementOf } from "./stores.js";

type For = Stmt & { readonly kind: "for" };
type Choose = Stmt & { readonly kind: "choose" };

/** An array whose cotangents the reverse sweep of a loop carries back, in a variable of its own. */
export interface CarriedArray {
  /** Its place among the parameters. */
  readonly index: number;
  readonly param: Var;
  readonly init: Atom;
  readonly result: Var;
  /** Whether the array is as long in every iteration. */
  readonly isExact: boolean;
  /** The variable: at the beginning of an iteration, which is its end in the program, it has the cotangents of what the iteration hands on. */
  readonly name: string;
}

/** A parameter of a loop that some branches of a choice hand on as it is. */
export interface ChosenParam {
  readonly param: Var;
  /** In front of the choice the variable of its store; in each branch that is what `give` says. */
  readonly name: string;
  /** Whether that is one that has been there, for what the choice has handed on. */
  readonly isThere: boolean;
}

/** What carried arrays ask of the procedure that they are in. */
export interface StoreNames {
  readonly places: Places;
  /** Whether the cotangents of a loop's parameter, or of an array that is chosen, are carried back by the reverse sweep. */
  isCarriedBack(array: Var): boolean;
  isAlias(variable: Var): boolean;
  /** Whether only the reverse sweep uses a store. */
  isOwn(store: Var): boolean;
  storeOf(array: Var): Var | null;
  name(variable: Var): string;
  after(of: string, role: Role): string;
  /** Makes a variable that is there another one. */
  alias(variable: Var, name: string): void;
}

export class CarriedArrays {
  readonly #context: StoreNames;
  /** Stores that are such variables. */
  readonly #given = new Set<string>();
  /** By the names of parameters of loops those variables. */
  readonly #variables = new Map<string, string>();

  constructor(context: StoreNames) {
    this.#context = context;
  }

  /** The arrays whose cotangents the reverse sweep of a loop carries back, in one variable each. */
  of(loop: For): readonly CarriedArray[] {
    const { end } = loop.body;
    const names = new Set<string>();
    return loop.params.flatMap((param, index) => {
      const [init, result] = [loop.init[index], loop.results[index]];
      if (init === undefined || result === undefined) return [];
      if (!this.#context.isCarriedBack(param) || this.#context.isAlias(param)) return [];
      const next = end.kind === "yield" ? end.values[index] : undefined;
      const store = next?.kind === "var" ? this.#context.storeOf(next.variable) : null;
      const wanted =
        store !== null && this.#isGivable(store, this.#context.places.block(loop.body))
          ? this.#context.name(store)
          : null;
      const name =
        wanted === null || names.has(wanted) ? this.#context.after(this.#context.name(param), "cotangent") : wanted;
      names.add(name);
      this.#variables.set(param.name, name);
      const made = this.#context.storeOf(result);
      // The stores of rows are as the rows are, in each iteration
      const isExact =
        made !== null &&
        (elementOf(result.rep).kind !== "real" || this.#context.places.definition(made).op?.kind === "realStore");
      return [{ index, param, init, result, isExact, name }];
    });
  }

  /**
   * The parameters of a loop that a choice may hand on, where the reverse sweep can have their stores in variables; `sources`: those that it has for what
   * is chosen.
   */
  paramsOf({ results, end }: Choose, sources: ReadonlySet<string>): readonly ChosenParam[] {
    const places = [...results.keys()].filter((index) => this.isChosenBack(results[index]));
    const params = new Map<string, Var>();
    for (const { values } of endsOf({ stmts: [], end })) {
      for (const value of places.map((index) => values[index])) {
        if (value?.kind !== "var") continue;
        if (this.#context.places.definition(value.variable).origin === "carried")
          params.set(value.variable.name, value.variable);
      }
    }
    return [...params.values()].flatMap((param) => {
      const carried = this.#variables.get(param.name);
      const isThere = carried !== undefined && sources.has(carried);
      const name = isThere ? carried : this.#context.after(this.#context.name(param), "cotangent");
      const { block } = this.#context.places.definition(param);
      return this.giveUnused(param, name, block) ? [{ param, name, isThere }] : [];
    });
  }

  /** Lets the store of a parameter be another variable for a while. */
  rename({ param }: ChosenParam, name: string): void {
    const store = this.#context.storeOf(param);
    if (store !== null) this.#context.alias(store, name);
  }

  /** Whether the reverse sweep has the cotangents of an array that is chosen for itself. */
  isChosenBack(result: Var | undefined): boolean {
    return result !== undefined && this.#context.isCarriedBack(result);
  }

  /** Makes a variable that is there the store of an array; false where that has one in any case. */
  give(array: Var, name: string, block: BlockPlace): boolean {
    const store = this.#context.storeOf(array);
    if (store === null || !this.#isGivable(store, block)) return false;
    this.#given.add(store.name);
    this.#context.alias(store, name);
    return true;
  }

  /** The same, where nothing has used the store yet, or part of it. */
  giveUnused(array: Var, name: string, block: BlockPlace): boolean {
    const store = this.#context.storeOf(array);
    if (store === null || [...block.needed].some(({ variable }) => this.#isPart(variable, store))) return false;
    return this.give(array, name, block);
  }

  #isPart(part: Var, store: Var): boolean {
    if (part.name === store.name) return true;
    const { op } = this.#context.places.definition(part);
    const whole = op === null ? null : wholeOf(op);
    return whole !== null && this.#isPart(whole, store);
  }

  /** Whether a variable is one that is there. */
  isGiven(store: Var): boolean {
    return this.#given.has(store.name);
  }

  /** Whether nothing but the reverse sweep of a block needs a store, which the block makes and has not been given. */
  #isGivable(store: Var, block: BlockPlace): boolean {
    const { op, block: own } = this.#context.places.definition(store);
    // What is part of another store stays that
    const isWhole = op === null || op.kind === "realStore" || op.kind === "zeroStore";
    return isWhole && own === block && this.#context.isOwn(store) && !this.#given.has(store.name);
  }
}

/** Whether a value is a variable. */
export function isVar(value: Atom | undefined, { name }: Var): boolean {
  return value?.kind === "var" && value.variable.name === name;
}
