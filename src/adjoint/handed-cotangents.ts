// What the reverse sweep does with the cotangents of whole arrays that it has for itself (carried-back.ts): where an array is another one later on in the program,
// the store of the one is that of the other. Where that one has got a store already, one is added to the other.

import { InternalError } from "../internal-error.js";
import type { Atom, Stmt, Var } from "../flat/program.js";
import { callOf, id, member, number } from "../typescript/build.js";
import type { TsExpr, TsStmt, TsType } from "../typescript/tree.js";
import { isVar, type CarriedArray, type ChosenParam } from "./carried-arrays.js";
import { cellOf } from "./code.js";
import { asType } from "./operations.js";
import { addArray, type Cotangents } from "./cotangents.js";
import type { ProcedureContext } from "./procedure.js";

export interface Assignment {
  readonly target: string;
  readonly value: TsExpr;
}

export class HandedCotangents {
  readonly #context: ProcedureContext;

  constructor(context: ProcedureContext) {
    this.#context = context;
  }

  /** The store of an active array. */
  storeIn(array: Var): TsExpr {
    const store = this.#context.storeOf(array);
    if (store === null) throw new InternalError("adjoint", "an active array has no store");
    return this.#context.need({ kind: "var", variable: store });
  }

  /** What an array has got; a store that outlives this run of the reverse sweep is left empty. */
  storeTaken(array: Var): TsExpr {
    const source = this.storeIn(array);
    if (!this.#resets(array)) return source;
    const { refer } = this.#context.module;
    return asType(callOf(refer("adjoint.takeStore"), source), this.#storeType(array));
  }

  /** What an array has got that is `value`: of an iteration from the one behind it, of a branch from what is chosen. */
  give(value: Atom | undefined, source: TsExpr, cotangents: Cotangents): void {
    if (value?.kind !== "var" || this.#context.storeOf(value.variable) === null) return;
    const isGiven = source.kind === "id" && this.#context.carried.give(value.variable, source.name, cotangents.block);
    if (!isGiven) this.#addTo(value, source, cotangents);
  }

  /** What the row that an iteration makes has got is a row of what all have got. */
  giveRow(store: Var, index: TsExpr, row: Atom, cotangents: Cotangents): void {
    if (row.kind !== "var") return;
    const name = this.#context.after(row.variable.name, "cotangent");
    const init = cellOf(this.#context.need({ kind: "var", variable: store }), index);
    cotangents.stmts.push({ kind: "const", target: name, type: null, init });
    this.give(row, id(name), cotangents);
  }

  /** The parameters whose stores a choice gives; `sources`: the stores of what is chosen, where the reverse sweep has them for itself. */
  paramsOf(
    stmt: Stmt & { readonly kind: "choose" },
    sources: readonly (TsExpr | null)[],
    cotangents: Cotangents,
  ): readonly ChosenParam[] {
    const names = new Set(sources.flatMap((source) => (source?.kind === "id" ? [source.name] : [])));
    const params = this.#context.carried.paramsOf(stmt, names);
    for (const { name, isThere, param } of params)
      if (!isThere) cotangents.stmts.push({ kind: "let", name, type: this.#storeType(param), init: null });
    return params;
  }

  /**
   * What the arrays that are chosen have got is what the ones in the branch that was taken have got. Gives what is assigned to the variables of parameters behind the
   * branch, in which each may still be what another one becomes.
   */
  choice(
    values: readonly Atom[],
    sources: readonly (TsExpr | null)[],
    params: readonly ChosenParam[],
    cotangents: Cotangents,
  ): readonly Assignment[] {
    const { carried } = this.#context;
    const left = [...sources];
    const nexts = params.map((each): Assignment => {
      const place = values.findIndex((value, index) => isVar(value, each.param) && left[index]?.kind === "id");
      const source = left[place] ?? null;
      const name = source?.kind === "id" ? source.name : this.#context.another(each.name);
      if (place === -1)
        cotangents.stmts.push({ kind: "const", target: name, type: null, init: this.#context.storeAgain(each.param) });
      else left[place] = null;
      carried.rename(each, name);
      return { target: each.name, value: id(name) };
    });
    left.forEach((source, index) => {
      if (source !== null) this.give(values[index], source, cotangents);
    });
    return nexts;
  }

  /** What the last iteration receives is what the result has got. */
  receiveLast({ name, param, result }: CarriedArray, cotangents: Cotangents): void {
    const source = this.storeIn(result);
    const isKept = this.#resets(result);
    cotangents.stmts.push({
      kind: "let",
      name,
      type: this.#storeType(param),
      init: isKept ? callOf(member(source, "slice")) : source,
    });
    if (isKept) cotangents.stmts.push(emptied(source));
  }

  /**
   * What the first iteration has contributed to is what the first array has got, if anything. `isExact`: where arrays change places, each variable is as long
   * as the arrays whose cotangents it has.
   */
  handBack({ init, name }: CarriedArray, isExact: boolean, cotangents: Cotangents): void {
    const isGiven =
      isExact && init.kind === "var" && this.#context.carried.giveUnused(init.variable, name, cotangents.block);
    if (!isGiven) this.#addTo(init, id(name), cotangents);
  }

  /** What the array that a loop gives has got is what the one has got that it begins with, if that has cotangents. */
  passStore(init: Atom, result: Var, cotangents: Cotangents): void {
    if (this.#context.storeOf(result) === null) return;
    const source = this.storeIn(result);
    this.#addTo(init, source, cotangents);
    if (this.#resets(result)) cotangents.stmts.push(emptied(source));
  }

  /** Adds what is in the store of an array to that of another one, where that has one. */
  #addTo(array: Atom, source: TsExpr, cotangents: Cotangents): void {
    if (array.kind !== "var" || this.#context.storeOf(array.variable) === null) return;
    const target = this.storeIn(array.variable);
    cotangents.stmts.push(addArray(target, source, array.variable.rep, (hint) => this.#context.fresh(hint)));
  }

  #storeType({ rep }: Var): TsType {
    return this.#context.module.types.of({ kind: "store", of: rep }, "adjoint");
  }

  #resets(array: Var): boolean {
    const store = this.#context.storeOf(array);
    return store !== null && this.#context.resetsSlots(store);
  }
}

/** Sets all elements of an array to zero. */
function emptied(array: TsExpr): TsStmt {
  return { kind: "expr", expr: callOf(member(array, "fill"), number(0)) };
}
