// The typings of all definitions of a program, each made once.

import type { Stage } from "../../stages/stage.js";
import { DataTypes, mapType } from "../../target-calculus/data.js";
import type { Fn, Operation, Program } from "../../target-calculus/term.js";
import type { Type } from "../../target-calculus/type.js";
import { withLoops } from "./loop-operations.js";
import { Typing } from "./typing.js";

export class ProgramTyping {
  readonly #data: DataTypes;
  readonly #functions: ReadonlyMap<string, Fn>;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #operationsAt: ReadonlyMap<Fn, ReadonlyMap<string, Operation>>;
  readonly #typings = new Map<Fn, Typing>();

  /**
   * `imported`: functions of other modules. `earlier`: typings of the same program before it was changed; those of functions that are as they were still hold.
   */
  constructor(program: Program, stage: Stage, imported: readonly Fn[], earlier: ProgramTyping | null = null) {
    this.#data = new DataTypes(program.data);
    this.#functions = new Map([...functionsOf(program), ...imported].map((fn) => [fn.name, fn]));
    this.#operations = withLoops(stage.operations);
    this.#operationsAt = new Map(
      program.wrappers.map(({ fn, collector }) => [fn, operationsAt(this.#operations, stage, collector)]),
    );
    if (earlier !== null) for (const [fn, typing] of earlier.#typings) this.#typings.set(fn, typing);
  }

  of(fn: Fn): Typing {
    const known = this.#typings.get(fn);
    if (known !== undefined) return known;
    const operations = this.#operationsAt.get(fn) ?? this.#operations;
    const typing = new Typing(fn, { data: this.#data, functions: this.#functions, operations });
    this.#typings.set(fn, typing);
    return typing;
  }
}

/** All definitions and wrappers of a program. */
export function functionsOf({ definitions, wrappers }: Program): readonly Fn[] {
  return [...definitions, ...wrappers.flatMap(({ fn, gradient }) => (gradient === null ? [fn] : [fn, gradient]))];
}

/** The stage's operations as a wrapper uses them: `c`, where it has no type of its own in TypeScript, is what it stands for there. */
function operationsAt(
  operations: ReadonlyMap<string, Operation>,
  { opaqueTypes }: Stage,
  collector: Type | null,
): ReadonlyMap<string, Operation> {
  if (collector === null || opaqueTypes.has("c")) return operations;
  const concrete = (type: Type): Type =>
    type.kind === "opaque" && type.name === "c" ? collector : mapType(type, concrete);
  return new Map(
    [...operations].map(([name, operation]) => [name, { ...operation, result: concrete(operation.result) }]),
  );
}
