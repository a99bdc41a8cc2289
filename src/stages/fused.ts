// KR22 §8.7: a fused definition is one operation, whose partial derivatives another definition gives (Fig. 14):
//
//   D[f(x1, .., xn) = t] = f(x1, .., xn) = the rule for an operation of the scalars in x1, .., xn
//
// Departs from KR22 Fig. 15: the partial derivatives are those of forward mode, one direction for each number, and not of `eval`, fused: they are a program without
// Deltas to begin with, for every stage alike.

import type { Names } from "../core/names.js";
import { scalarsOf, type Scalars } from "../core/scalars.js";
import type * as Source from "../core/term.js";
import { DataTypes } from "../core/type-parts.js";
import { InternalError } from "../internal-error.js";
import * as b from "../target-calculus/build.js";
import type { Term } from "../target-calculus/term.js";
import type { DualTypes } from "./dual-types.js";
import type { Operand } from "./operands.js";
import { fusedOperation, type Operation } from "./operation.js";

export class FusedDefinitions {
  readonly #partials: Source.Program["partials"];
  readonly #data: DataTypes;
  readonly #types: DualTypes;
  readonly #names: Names;

  constructor({ partials, data }: Source.Program, types: DualTypes, names: Names) {
    this.#partials = partials;
    this.#data = new DataTypes(data);
    this.#types = types;
    this.#names = names;
  }

  /** The body of D[f]; null where the definition is not fused. */
  body({ name, params }: Source.Fn, rule: (operation: Operation, operands: readonly Operand[]) => Term): Term | null {
    const partials = this.#partials.get(name);
    if (partials === undefined) return null;
    const operands: Operand[] = [];
    const wraps = params.flatMap((param) => this.#taken(this.#scalars(param), b.variable(param.name), operands));
    const reals = operands.flatMap(({ kind }, index) => (kind === "dual" ? [index] : []));
    return wraps.reduceRight((rest, wrap) => wrap(rest), rule(fusedOperation(partials, reals), operands));
  }

  /** Adds the scalars in a dual value to the operands; gives what binds them, outermost first. */
  #taken(scalars: Scalars, dual: Term, operands: Operand[]): readonly ((rest: Term) => Term)[] {
    if (scalars.kind === "real" || scalars.kind === "discrete") {
      const isReal = scalars.kind === "real";
      operands.push({ kind: isReal ? "dual" : "discrete", term: dual, type: isReal ? b.real : scalars.type });
      return [];
    }
    const vars = scalars.parts.map(() => this.#names.fresh(b.nameOf(dual, "x")));
    const inner = scalars.parts.flatMap((part, index) => this.#taken(part, b.variable(vars[index] ?? ""), operands));
    if (scalars.kind === "tuple") {
      const items = vars.map((name, index) => b.param(name, this.#types.of(scalars.types[index] ?? b.unitType)));
      return [(rest) => b.letTuple(items, dual, rest), ...inner];
    }
    const data = this.#types.dataName(scalars.type.name);
    return [(rest) => b.caseOf(dual, data, [{ con: scalars.con, vars, body: rest }]), ...inner];
  }

  #scalars({ name, type }: Source.Param): Scalars {
    const scalars = scalarsOf(type, this.#data);
    if (scalars === null) throw new InternalError("stages", `the parameter ${name} of a fused definition is not of scalars`); // prettier-ignore
    return scalars;
  }
}
