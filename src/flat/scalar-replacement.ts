// Scalar replacement of aggregates.
//
// Small arrays that loops carry, as rotations and covariances are, are carried as their items; short loops over them are written out.
//
//   r1 = for i < n (r = [x, y]) { t = r ! 0; r2 = [t + h, t]; yield r2 }     =>     r10, r11 = for i < n (r0 = x, r1 = y) { yield r0 + h, r0 }
//
// What has a form (`forms.ts`) is taken apart where a loop, or a choice in there, hands it on, and put together behind that; reads of what is put together
// are reads of its parts. Where something needs the array itself all the same, it is left as it was.

import { atomOf, intAtom, letOf } from "./build.js";
import { withoutDeadCode } from "./dead-code.js";
import { Forms, type Form } from "./forms.js";
import { FlatNames } from "./naming.js";
import type { Atom, Block, Procedure, Program, Stmt, Var } from "./program.js";
import { refine } from "./refine.js";
import type { For, Loop } from "./rewrite-loops.js";
import { isShort, iterationsOf, type IterationLimits } from "./iterations.js";
import { allNames, allStmts, mapBlocks, operationsOf, sizeOf } from "./traverse.js";

/** Loops that are written out: three rows of three times three rows of three are some 250 statements. */
const limits: IterationLimits = { iterations: 6, statements: 1000 };

/** So often what needs an array itself is looked for. */
const mostAttempts = 4;

/** So often a procedure is gone through again: with arrays taken apart, more forms are known. */
const mostTimes = 4;

type Choose = Stmt & { readonly kind: "choose" };

/** The program, with the same meaning. `names` are those of the program. */
export function smallArrays(program: Program, names = new FlatNames(allNames(program))): Program {
  return { ...program, procedures: program.procedures.map((procedure) => withItemsCarried(procedure, names)) };
}

function withItemsCarried(procedure: Procedure, names: FlatNames): Procedure {
  let current = procedure;
  for (let time = 0; time < mostTimes; time++) {
    const next = withItemsCarriedOnce(current, names);
    if (next === null) break;
    current = next;
  }
  return current;
}

/** Null where no loop carries an array that nothing needs as a whole. */
function withItemsCarriedOnce(procedure: Procedure, names: FlatNames): Procedure | null {
  const forms = new Forms(procedure);
  const kept = new Set<string>();
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    // Names are taken only for what becomes of the program
    const trial = takenApart(procedure, forms, kept, names.trial());
    if (trial === null) return null;
    if (trial.whole.length === 0) return takenApart(procedure, forms, kept, names)?.procedure ?? null;
    for (const name of trial.whole) kept.add(name);
  }
  return null;
}

/** The procedure without arrays in loops, but for the `kept` ones, and the names of those that turn out to be needed; null where there are none. */
function takenApart(
  procedure: Procedure,
  forms: Forms,
  kept: ReadonlySet<string>,
  names: FlatNames,
): { readonly procedure: Procedure; readonly whole: readonly string[] } | null {
  const apart = new Apart(forms, kept, names);
  const body = apart.block(procedure.body, false);
  if (apart.taken.size === 0) return null;
  const next = withoutDeadCode(refine({ ...procedure, body }, names));
  return { procedure: next, whole: [...operationsOf(next.body).keys()].filter((name) => apart.taken.has(name)) };
}

class Apart {
  /** The arrays that iterations and choices in them hand on as their items. */
  readonly taken = new Set<string>();

  constructor(
    private readonly forms: Forms,
    private readonly kept: ReadonlySet<string>,
    private readonly names: FlatNames,
  ) {}

  /** `isInside`: in a loop that carries such arrays. */
  block({ stmts, end }: Block, isInside: boolean): Block {
    return {
      stmts: stmts.flatMap((stmt) => this.#stmt(stmt, isInside)),
      end: mapBlocks(end, (inner) => this.block(inner, isInside)),
    };
  }

  #stmt(stmt: Stmt, isInside: boolean): readonly Stmt[] {
    switch (stmt.kind) {
      case "let": {
        const form = stmt.op.kind === "length" ? this.forms.of(stmt.op.array) : null;
        return form === null ? [stmt] : [{ ...stmt, op: { kind: "copy", value: intAtom(form.items.length) } }];
      }
      case "check": {
        const form = stmt.check.kind === "inRange" ? this.forms.of(stmt.check.array) : null;
        return stmt.check.kind === "size" || form === null ? [stmt] : [{ ...stmt, check: { ...stmt.check, array: intAtom(form.items.length) } }]; // prettier-ignore
      }
      case "choose": {
        const choice = { ...stmt, end: mapBlocks(stmt.end, (inner) => this.block(inner, isInside)) };
        return isInside ? this.#choose(choice) : [choice];
      }
      case "loop":
      case "for": {
        const isCarrying = stmt.params.some((param) => this.#formOf(param) !== null);
        const inner = { ...stmt, body: this.block(stmt.body, isInside || isCarrying) };
        if (isInside && inner.kind === "for" && this.#concerns(stmt) && isShort(inner, limits))
          return iterationsOf(inner, this.names);
        return isCarrying && sizeOf(inner.body) <= limits.statements ? this.#loop(inner) : [inner];
      }
      default:
        return [stmt];
    }
  }

  /** The form in which a variable is handed on. */
  #formOf(variable: Var | undefined): Form | null {
    return variable === undefined || this.kept.has(variable.name) ? null : this.forms.of(atomOf(variable));
  }

  /** Whether a loop makes arrays that have forms, or reads elements of them at indices that are computed. */
  #concerns(loop: Loop | For): boolean {
    const hasForm = (array: Atom): boolean => this.forms.of(array) !== null;
    const isReading = (stmt: Stmt): boolean =>
      stmt.kind === "let" && stmt.op.kind === "cell" && stmt.op.index.kind === "var" && hasForm(stmt.op.array);
    return loop.arrays.some((array) => hasForm(atomOf(array))) || allStmts(loop.body).some(isReading); // prettier-ignore
  }

  #choose(choice: Choose): readonly Stmt[] {
    const forms = choice.results.map((result) => this.#formOf(result));
    if (forms.every((form) => form === null)) return [choice];
    const { stmts, end } = this.#ends({ stmts: [], end: choice.end }, () => forms);
    const results = this.#variables(choice.results, forms);
    this.#take(choice.results, forms);
    return [...stmts, { ...choice, end, results: results.all }, ...results.together];
  }

  #loop(loop: Loop | For): readonly Stmt[] {
    const forms = loop.params.map((param) => this.#formOf(param));
    const given = loop.kind === "for" ? forms : loop.results.map((result) => this.forms.of(atomOf(result)));
    const before: Stmt[] = [];
    const init = this.#values(loop.init, forms, before);
    const params = this.#variables(loop.params, forms);
    const results = this.#variables(loop.results, given);
    this.#take(loop.params, forms);
    const { stmts, end } = this.#ends(loop.body, (kind) => (kind === "next" ? forms : given));
    const body: Block = { stmts: [...params.together, ...stmts], end };
    return [...before, { ...loop, init, params: params.all, results: results.all, body }, ...results.together];
  }

  /** Those of some variables that have forms are handed on as their items. */
  #take(variables: readonly Var[], forms: readonly (Form | null)[]): void {
    for (const [place, { name }] of variables.entries()) if ((forms[place] ?? null) !== null) this.taken.add(name);
  }

  /** The block, which hands on the items of values that have forms. */
  #ends({ stmts, end }: Block, formsOf: (kind: "yield" | "next") => readonly (Form | null)[]): Block {
    if (end.kind !== "yield" && end.kind !== "next")
      return { stmts, end: mapBlocks(end, (inner) => this.#ends(inner, formsOf)) };
    const reads: Stmt[] = [];
    const values = this.#values(end.values, formsOf(end.kind), reads);
    return { stmts: [...stmts, ...reads], end: { ...end, values } };
  }

  /** Values, of those that have forms their items, which are read in `out`. */
  #values(values: readonly Atom[], forms: readonly (Form | null)[], out: Stmt[]): readonly Atom[] {
    return values.flatMap((value, place) => this.#items(value, forms[place] ?? null, out));
  }

  #items(value: Atom, form: Form | null, out: Stmt[]): readonly Atom[] {
    if (form === null) return [value];
    return form.items.flatMap((item, place) => {
      const read: Var = { name: this.names.fresh({ stem: this.names.temporary, suffix: "" }), rep: form.element };
      out.push(letOf(read, { kind: "cell", array: value, index: intAtom(place) }));
      return this.#items(atomOf(read), item, out);
    });
  }

  /** Variables, with those of the items in the place of each that has a form; and what puts it together. */
  #variables(
    variables: readonly Var[],
    forms: readonly (Form | null)[],
  ): { readonly all: readonly Var[]; readonly together: readonly Stmt[] } {
    const together: Stmt[] = [];
    const all = variables.flatMap((variable, place) => {
      const form = forms[place] ?? null;
      return form === null ? [variable] : this.#parts(variable, form, variable.name, "", together);
    });
    return { all, together };
  }

  /** The variables of the items of an array, which is put together in `out`; they are called after `stem`, and the place in it. */
  #parts(whole: Var, { element, items }: Form, stem: string, suffix: string, out: Stmt[]): readonly Var[] {
    const parts = items.map((item, place) => {
      const path = `${suffix}${String(place)}`;
      const part: Var = { name: this.names.fresh({ stem, suffix: path }), rep: element };
      return { part, leaves: item === null ? [part] : this.#parts(part, item, stem, path, out) };
    });
    out.push(letOf(whole, { kind: "array", element, items: parts.map(({ part }) => atomOf(part)) }));
    return parts.flatMap(({ leaves }) => leaves);
  }
}
