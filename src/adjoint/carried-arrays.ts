// How the reverse sweep of a loop carries back the cotangents of arrays (carried-back.ts): in variables, which are the stores of what iterations hand on, and
// of what the loop begins with, wherever these have none of their own to begin with.

import type { Atom, Stmt, Var } from "../flat/program.js";
import { endsOf } from "../flat/traverse.js";
import type { BlockPlace, Places } from "./places.js";
import { elementOf } from "./stores.js";

type For = Stmt & { readonly kind: "for" };

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
  /** Where some iterations hand on the parameter as it is: a variable for its store, which is then the one that they have got. Null elsewhere. */
  readonly own: string | null;
}

/** What carried arrays ask of the procedure that they are in. */
export interface StoreNames {
  readonly places: Places;
  /** Whether the cotangents of a loop's parameter are carried back by the reverse sweep. */
  isCarriedBack(param: Var): boolean;
  isAlias(variable: Var): boolean;
  /** Whether only the reverse sweep uses a store. */
  isOwn(store: Var): boolean;
  storeOf(array: Var): Var | null;
  name(variable: Var): string;
  fresh(hint: string): string;
  /** Makes a variable that is there another one. */
  alias(variable: Var, name: string): void;
}

export class CarriedArrays {
  readonly #context: StoreNames;
  /** Stores that are such variables. */
  readonly #given = new Set<string>();

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
      const name = wanted === null || names.has(wanted) ? this.#context.fresh(`${this.#context.name(param)}_`) : wanted;
      names.add(name);
      const made = this.#context.storeOf(result);
      // The stores of rows are as the rows are, in each iteration
      const isExact =
        made !== null &&
        (elementOf(result.rep).kind !== "real" || this.#context.places.definition(made).op?.kind === "realStore");
      return [{ index, param, init, result, isExact, name, own: this.#own(loop, param, index) }];
    });
  }

  /** A variable for the store of a parameter that some iterations, not all, hand on as it is. */
  #own(loop: For, param: Var, index: number): string | null {
    if (loop.body.end.kind === "yield" || ![...endsOf(loop.body)].some(({ values }) => isVar(values[index], param))) return null; // prettier-ignore
    const name = this.#context.fresh(`${this.#context.name(param)}_`);
    return this.give(param, name, this.#context.places.block(loop.body)) ? name : null;
  }

  /** Makes a variable that is there the store of an array; false where that has one in any case. */
  give(array: Var, name: string, block: BlockPlace): boolean {
    const store = this.#context.storeOf(array);
    if (store === null || !this.#isGivable(store, block)) return false;
    this.#given.add(store.name);
    this.#context.alias(store, name);
    return true;
  }

  /** The same, where nothing has used the store yet. */
  giveUnused(array: Var, name: string, block: BlockPlace): boolean {
    const store = this.#context.storeOf(array);
    if (store === null || block.needed.has(this.#context.places.definition(store))) return false;
    return this.give(array, name, block);
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
