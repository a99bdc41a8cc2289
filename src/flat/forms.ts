// The forms of arrays: how many items they have, and which forms those have, where the program says so.

import type { Atom, Block, Operation, Procedure, Rep, Stmt, Var } from "./program.js";
import { branchesOf, endsOf } from "./traverse.js";

/** Of an array of few items: what each is, an array that has a form itself, or else null. */
export interface Form {
  readonly element: Rep;
  readonly items: readonly (Form | null)[];
}

/** An array with a form holds so many numbers at most: a matrix of four rows of four. */
const mostLeaves = 16;

/** How many variables hold the items of a value of a form. */
export function leavesOf(form: Form | null): number {
  return form === null ? 1 : form.items.reduce((sum, item) => sum + leavesOf(item), 0);
}

/** The form that each array of a procedure has wherever it is bound: that of an array which a loop carries is the same in all its iterations. */
export class Forms {
  readonly #forms = new Map<string, Form | null>();
  #isChanged = true;

  constructor({ body }: Procedure) {
    // A loop's parameters have the forms that they start with, until an iteration hands on another one
    while (this.#isChanged) {
      this.#isChanged = false;
      this.#block(body);
    }
  }

  of(atom: Atom): Form | null {
    return atom.kind === "var" ? (this.#forms.get(atom.variable.name) ?? null) : null;
  }

  #block({ stmts, end }: Block): void {
    for (const stmt of stmts) this.#stmt(stmt);
    for (const inner of branchesOf(end)) this.#block(inner);
  }

  #stmt(stmt: Stmt): void {
    switch (stmt.kind) {
      case "let":
        this.#bind(stmt.result, this.#made(stmt.op));
        return;
      case "choose": {
        const choice: Block = { stmts: [], end: stmt.end };
        this.#block(choice);
        for (const { values } of endsOf(choice)) this.#bindAll(stmt.results, values);
        return;
      }
      case "loop":
        this.#bindAll(stmt.params, stmt.init);
        this.#block(stmt.body);
        for (const { kind, values } of endsOf(stmt.body))
          this.#bindAll(kind === "next" ? stmt.params : stmt.results, values);
        return;
      case "for": {
        this.#bindAll(stmt.params, stmt.init);
        this.#block(stmt.body);
        for (const { values } of endsOf(stmt.body)) {
          this.#bindAll(stmt.params, values);
          for (const [place, array] of stmt.arrays.entries())
            this.#bind(array, this.#filled(array, stmt.count, values[stmt.params.length + place]));
        }
        for (const [place, param] of stmt.params.entries()) {
          const result = stmt.results[place];
          if (result !== undefined) this.#bindAll([result], [{ kind: "var", variable: param }]);
        }
        return;
      }
      default:
        return;
    }
  }

  #bindAll(variables: readonly Var[], values: readonly Atom[]): void {
    for (const [place, variable] of variables.entries()) {
      const value = values[place];
      if (value !== undefined) this.#bind(variable, this.of(value));
    }
  }

  /** One of the values of a variable has the form. */
  #bind({ name, rep }: Var, form: Form | null): void {
    if (rep.kind !== "array") return;
    const before = this.#forms.get(name);
    const after = before === undefined ? form : common(before, form);
    if (before === after) return;
    this.#forms.set(name, after);
    this.#isChanged = true;
  }

  /** The form of what an operation gives; null where it is none, or not known. */
  #made(op: Operation): Form | null {
    switch (op.kind) {
      case "copy":
        return this.of(op.value);
      case "array":
        return op.items.length > mostLeaves ? null : limited({ element: op.element, items: op.items.map((item) => this.of(item)) }); // prettier-ignore
      case "cell": {
        const items = this.of(op.array)?.items ?? [];
        if (op.index.kind === "int") return items[op.index.value] ?? null;
        const [first = null, ...others] = items;
        return others.reduce(common, first);
      }
      default:
        return null;
    }
  }

  /** The form of an array that so many iterations fill with elements like one. */
  #filled({ rep }: Var, count: Atom, element: Atom | undefined): Form | null {
    if (rep.kind !== "array" || element === undefined || count.kind !== "int" || count.value > mostLeaves) return null;
    return limited({
      element: rep.element,
      items: Array<Form | null>(Math.max(0, count.value)).fill(this.of(element)),
    });
  }
}

function limited(form: Form): Form | null {
  return form.items.length > 0 && leavesOf(form) <= mostLeaves ? form : null;
}

/** What is known of a value that has one of two forms. */
function common(one: Form | null, other: Form | null): Form | null {
  if (one === null || other?.items.length !== one.items.length) return null;
  const items = one.items.map((item, place) => common(item, other.items[place] ?? null));
  return items.every((item, place) => item === one.items[place]) ? one : { ...one, items };
}
