// Linear functions into one component of a whole: `\_z. (z, 0)` and `\_z. (0, z)`, for any number of components.

import type { Names } from "../core/names.js";
import * as b from "../target-calculus/build.js";
import type { Term } from "../target-calculus/term.js";
import type { Type } from "../target-calculus/type.js";

/** For each component the linear lambda that puts its argument there, and formal zeros elsewhere. */
export function oneHots(
  components: readonly Type[],
  names: Names,
  whole: (items: readonly Term[]) => Term,
): readonly Term[] {
  return components.map((component, index) => {
    const z = names.fresh("z");
    const items = components.map((other, i) => (i === index ? b.variable(z) : b.zero(b.sparse(other))));
    return b.linLam(z, b.sparse(component), whole(items));
  });
}
