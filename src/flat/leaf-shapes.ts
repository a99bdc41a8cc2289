// What values of a type are made of, and variables for it.

import { tupleType } from "../core/build.js";
import type { Type } from "../core/type.js";
import { InternalError } from "../internal-error.js";
import type { Value } from "./frames.js";
import type { Leaves } from "./leaves.js";
import { leafNames, type FlatNames, type Hint, type LeafName } from "./naming.js";
import type { Atom, Var } from "./program.js";

export class Shapes {
  constructor(
    private readonly leaves: Leaves,
    private readonly names: FlatNames,
  ) {}

  /** The values of the parts of a value, by their types. */
  slice(types: readonly Type[], atoms: readonly Atom[]): readonly Value[] {
    let first = 0;
    return types.map((type) => {
      const start = first;
      first += this.leaves.of(type).length;
      return { type, atoms: atoms.slice(start, first) };
    });
  }

  /** The types of the fields of a constructor. */
  fieldTypes(type: Type, con: string): readonly Type[] {
    if (type.kind !== "data") throw new InternalError("flat", "a case on something else than data");
    const constructor = this.leaves.types.constructorsOf(type).find(({ name }) => name === con);
    if (constructor === undefined) throw new InternalError("flat", `${type.name} has no constructor ${con}`);
    return constructor.fields;
  }

  /** New variables for the leaves of a value, called as the hint says. */
  results(type: Type, hint: Hint | null): readonly Var[] {
    return this.fresh(type, hint?.names ?? leafNames(this.names.temporary, type, this.leaves));
  }

  /** What variables for a pair are called of which the first component has names. */
  pairHint(first: Type, second: Type, names: readonly LeafName[]): Hint {
    return {
      type: tupleType(first, second),
      names: [...names, ...leafNames(this.names.temporary, second, this.leaves)],
    };
  }

  /** New variables with these names, or names like them. */
  fresh(type: Type, names: readonly LeafName[]): readonly Var[] {
    return this.leaves.of(type).map((rep, index) => ({
      name: this.names.fresh(names[index] ?? { stem: this.names.temporary, suffix: "" }),
      rep,
    }));
  }
}
