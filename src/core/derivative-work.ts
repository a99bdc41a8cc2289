// What the derivative of an operation takes, by its row: its value, each partial derivative, the product with a direction or a cotangent, and the sum of these.
//
//   *   jvp  x * y, dx * y + x * dy                     4
//       vjp  x * y, x_ += c * y, y_ += c * x            5

import { isQuotient, primitive, type LiteralValue, type Literals, type OpName, type Partial } from "./primitives.js";

/** Operations on numbers, those of the value among them: an upper bound, since what they share is counted each time. */
export interface DerivativeWork {
  readonly jvp: number;
  readonly vjp: number;
}

/** Of one call of an operation. Arguments that are literals have no derivative, and decide what a partial derivative is. */
export function derivativeWork(op: OpName, literals: Literals): DerivativeWork {
  if (isQuotient(op)) return ofQuotient(literals);
  const { partials } = primitive(op);
  const products = partials.flatMap((partial, index) => {
    const isConstant = partial === null || (literals[index] ?? null) !== null;
    const product = isConstant ? null : productOf(partial, literals);
    return product === null ? [] : [product];
  });
  const work = products.reduce((sum, product) => sum + product.work, 0);
  const isNegated = products.some(({ negation }) => negation !== "none");
  const negations = products.filter(({ negation }) => negation === "ofFactor").length;
  return {
    // A negation and a sum are a difference
    jvp: 1 + work + Math.max(products.length - 1, isNegated ? 1 : 0),
    vjp: 1 + work + negations + products.length,
  };
}

// (dx - r dy) / y, and t = c / y, x_ += t, y_ -= t * r
function ofQuotient([x = null, y = null]: Literals): DerivativeWork {
  if (y !== null) return { jvp: 2, vjp: 3 };
  return x === null ? { jvp: 4, vjp: 5 } : { jvp: 4, vjp: 4 };
}

interface Product {
  readonly work: number;
  /** A negated cotangent is subtracted; a factor is negated first. */
  readonly negation: "none" | "ofCotangent" | "ofFactor";
}

/** A partial derivative times a number; null where that is 0. */
function productOf(partial: Partial, literals: Literals): Product | null {
  if (partial.kind === "if") {
    const test = valueOf(partial.cond, literals);
    if (test.known !== null) return productOf(test.known === true ? partial.then : partial.else, literals);
    const branches = [partial.then, partial.else].map((part) => productOf(part, literals)?.work ?? 0);
    return { work: test.work + Math.max(...branches), negation: "none" };
  }
  if (partial.kind === "op" && partial.op === "neg" && partial.args[0] !== undefined) {
    const inner = productOf(partial.args[0], literals);
    return inner === null ? null : { work: inner.work, negation: "ofFactor" };
  }
  const [first, second] = partial.kind === "op" && partial.op === "div" ? partial.args : [];
  // Divided by it
  if (first?.kind === "number" && first.value === 1 && second !== undefined)
    return { work: valueOf(second, literals).work + 1, negation: "none" };
  const { work, known } = valueOf(partial, literals);
  if (known === 0) return null;
  if (known === 1 || known === -1) return { work: 0, negation: known === 1 ? "none" : "ofCotangent" };
  return { work: work + 1, negation: "none" };
}

interface Value {
  readonly work: number;
  /** Null where the run decides. */
  readonly known: LiteralValue | null;
}

function valueOf(partial: Partial, literals: Literals): Value {
  switch (partial.kind) {
    case "arg":
      return { work: 0, known: literals[partial.index] ?? null };
    case "result":
      return { work: 0, known: null };
    case "number":
      return { work: 0, known: partial.value };
    case "op": {
      const { onLiterals, typescript } = primitive(partial.op);
      const args = partial.args.map((arg) => valueOf(arg, literals));
      const [x, y] = args.map(({ known }) => (typeof known === "number" ? known : NaN));
      const isKnown = args.every(({ known }) => typeof known === "number");
      const known = isKnown ? (onLiterals?.(x ?? NaN, y ?? NaN) ?? NaN) : NaN;
      if (!Number.isNaN(known)) return { work: 0, known };
      const own = typescript.kind === "same" ? 0 : 1;
      return { work: args.reduce((sum, arg) => sum + arg.work, own), known: null };
    }
    case "if": {
      const test = valueOf(partial.cond, literals);
      const [then, otherwise] = [valueOf(partial.then, literals), valueOf(partial.else, literals)];
      if (test.known !== null) return test.known === true ? then : otherwise;
      return { work: test.work + Math.max(then.work, otherwise.work), known: null };
    }
  }
}
