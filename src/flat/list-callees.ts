// Procedures that are given places in lists: the arrays that stand for a list, and the number of a cell. What an entry calls is given whole lists, and has one
// in front where other calls give places:
//
//   function f(l : List R) = .. f(rest) ..     =>     function f(l : [R]) = f1(l, 0)        function f1(l : [R], at : Z) = .. f1(l, at + 1) ..

import { atomOf, intAtom, yieldOf } from "./build.js";
import type { ListClasses } from "./list-classes.js";
import type { FlatNames } from "./naming.js";
import type { Atom, Procedure, Program, Stmt, Var } from "./program.js";

export class ListCallees {
  readonly #procedures: ReadonlyMap<string, Procedure>;
  /** What procedures are called that have another one in front. */
  readonly #inner: ReadonlyMap<string, string>;

  constructor(
    { procedures, entries }: Program,
    private readonly classes: ListClasses,
    private readonly names: FlatNames,
  ) {
    this.#procedures = new Map(procedures.map((procedure) => [procedure.name, procedure]));
    const ofEntries = new Set(entries.map(({ procedure }) => procedure));
    const isGivenPlaces = ({ params }: Procedure): boolean => params.some((param) => classes.isPlace(param));
    const moved = procedures.filter((procedure) => ofEntries.has(procedure.name) && isGivenPlaces(procedure));
    this.#inner = new Map(moved.map(({ name }) => [name, names.fresh({ stem: name, suffix: "" })]));
  }

  /** What a procedure is called where that is not by an entry. */
  nameOf(procedure: string): string {
    return this.#inner.get(procedure) ?? procedure;
  }

  /** Whether a procedure is given places for one of its parameters. */
  isPlace(procedure: string, index: number): boolean {
    const param = this.#procedures.get(procedure)?.params[index];
    return param !== undefined && this.classes.isPlace(param);
  }

  /** A procedure, with what stands in front of it, if that is needed. `numbers`: the parameters that are numbers of cells. */
  withFront(procedure: Procedure, numbers: ReadonlySet<string>): readonly Procedure[] {
    const name = this.nameOf(procedure.name);
    return name === procedure.name ? [procedure] : [this.#front(procedure, name, numbers), { ...procedure, name }];
  }

  #front(procedure: Procedure, fn: string, numbers: ReadonlySet<string>): Procedure {
    const like = ({ name, rep }: Var): Var => ({ name: this.names.fresh({ stem: name, suffix: "" }), rep });
    const params = new Map(procedure.params.flatMap((param) => (numbers.has(param.name) ? [] : [[param.name, like(param)]]))); // prettier-ignore
    const args = procedure.params.map(({ name }): Atom => {
      const param = params.get(name);
      return param === undefined ? intAtom(0) : atomOf(param);
    });
    const results = procedure.results.map((rep) => like({ name: "result", rep }));
    const call: Stmt = { kind: "call", fn, args, results };
    return { ...procedure, params: [...params.values()], body: yieldOf([call], results.map(atomOf)) };
  }
}
