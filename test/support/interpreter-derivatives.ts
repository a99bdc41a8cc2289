// Programs with derivatives as they stand, before `src/derivatives` resolves them: every derivative runs its function on numbers that carry a tangent under a tag of its
// own, so that no perturbation is taken for another (Siskind & Pearlmutter 2008). Nothing of it is shared with `src/derivatives` but the table of partial derivatives.

import { primitive, type OpName, type Partial } from "../../src/core/primitives.js";
import type { Derivative, Entry, Program, Site } from "../../src/core/term.js";
import { valueOf, type Scalar } from "../../src/flat/primitive-values.js";
import * as machine from "../../src/trace/machine.js";
import type { Value } from "./random-arguments.js";

/** A real: a number, or a pair of two reals of lower tags. */
interface Tagged {
  readonly value: number;
  readonly pair: { readonly tag: number; readonly primal: Tagged; readonly tangent: Tagged } | null;
}

type Meaning = machine.Meaning<Tagged>;

/** The reals of a result, each with its derivative in the direction. */
export interface Directional {
  readonly values: readonly number[];
  readonly tangents: readonly number[];
}

/**
 * The value of an entry and its derivative, in the direction that has `direction` for the reals of the arguments, in order. Throws `BudgetExceeded`, and `Failure` where the
 * program fails.
 */
export function interpretDerivatives(
  program: Program,
  entry: Entry,
  args: Readonly<Record<string, Value>>,
  direction: readonly number[],
  budget: number,
): Directional {
  const outermost = 0;
  let count = 0;
  const inputs = new machine.Inputs<Tagged>(program, (value) => {
    const tangent = literal(direction[count++] ?? 0);
    return { value, pair: { tag: outermost, primal: literal(value), tangent } };
  });
  const meanings = entry.params.map((param) => inputs.ofParam(param, args));
  const derivatives = new Derivatives(program);
  const run = new machine.Machine(program, domain, budget, undefined, (name, given) => derivatives.call(name, given));
  const reals = machine.realsOf(run.entry(entry, meanings));
  return {
    values: reals.map(({ value }) => value),
    tangents: reals.map((real) => split(real, outermost).tangent.value),
  };
}

function literal(value: number): Tagged {
  return { value, pair: null };
}

/** A real as one that carries a tangent under a tag, which is no lower than its own. */
function split(real: Tagged, tag: number): { readonly primal: Tagged; readonly tangent: Tagged } {
  return real.pair?.tag === tag ? real.pair : { primal: real, tangent: literal(0) };
}

const domain: machine.Domain<Tagged> = { literal, operation };

/** An operation under the highest tag of its operands, by operations under lower ones. */
function operation(op: OpName, args: readonly Meaning[], site: Site | null): Meaning {
  const { params, partials, result } = primitive(op);
  const tag = Math.max(...args.map((arg) => (isReal(arg) ? (arg.pair?.tag ?? -1) : -1)));
  if (tag === -1 || result !== "R") {
    const value = valueOf(op, args.map(scalarOf), site?.definition ?? "");
    return typeof value === "number" && result === "R" ? literal(value) : value;
  }
  const primals = args.map((arg) => (isReal(arg) ? split(arg, tag).primal : arg));
  const primal = realIn(operation(op, primals, site));
  const tangents = params.flatMap((type, i): readonly Tagged[] => {
    const [arg, partial] = [args[i], partials[i] ?? null];
    if (type !== "R" || partial === null || arg === undefined || !isReal(arg)) return [];
    return [computed("scaled", split(arg, tag).tangent, partialAt(partial, primals, primal))];
  });
  const tangent = tangents.reduce((sum, each) => computed("add", sum, each), literal(0));
  return { value: primal.value, pair: { tag, primal, tangent } };
}

function computed(op: OpName, ...args: readonly Meaning[]): Tagged {
  return realIn(operation(op, args, null));
}

function partialAt(partial: Partial, args: readonly Meaning[], result: Tagged): Meaning {
  switch (partial.kind) {
    case "arg":
      return args[partial.index] ?? literal(NaN);
    case "result":
      return result;
    case "number":
      return literal(partial.value);
    case "op": {
      const { params } = primitive(partial.op);
      const given = partial.args.map((arg, i) => {
        const made = partialAt(arg, args, result);
        return params[i] === "Z" && isReal(made) ? made.value : made;
      });
      return operation(partial.op, given, null);
    }
    case "if":
      return partialAt(partialAt(partial.cond, args, result) === true ? partial.then : partial.else, args, result);
  }
}

function isReal(meaning: Meaning): meaning is Tagged {
  return typeof meaning === "object" && "pair" in meaning;
}

function realIn(meaning: Meaning): Tagged {
  if (!isReal(meaning)) throw new Error("not a real");
  return meaning;
}

function scalarOf(meaning: Meaning): Scalar {
  if (typeof meaning !== "object") return meaning;
  return realIn(meaning).value;
}

class Derivatives {
  #tags = 0;

  constructor(private readonly program: Program) {}

  call(name: string, args: readonly Meaning[]): Meaning {
    const derivative = this.program.derivatives.get(name);
    const [first, second, third] = args;
    if (derivative === undefined || first === undefined) throw new Error(`no definition ${name}`);
    switch (derivative.kind) {
      case "stop":
        return mapped(first, ({ value }) => literal(value), "same");
      case "jvp":
        return this.#jvp(first, given(second), given(third), derivative);
      case "vjp":
        return [apply(first, given(second)), { apply: (w) => this.#pullback(first, given(second), w) }];
      case "pullback":
        return this.#pullback(first, given(second), given(third));
      case "pack":
        return { elements: machine.realsOf(first), isNumbers: true };
      case "unpack": {
        const numbers = machine.realsOf(given(second)).values();
        return mapped(first, () => numbers.next().value ?? literal(NaN), "same");
      }
      case "checkpoint":
        return apply(first, given(second));
      // The rules of such programs are true ones
      case "tangentRule":
      case "functionRule":
      case "pullbackRule":
        return apply(first, given(third));
    }
  }

  #jvp(fn: Meaning, x: Meaning, dx: Meaning, { site }: Derivative): Meaning {
    const tangents = machine.realsOf(dx);
    // What holds no reals has no directions either
    if (machine.realsOf(x).length + tangents.length > 0 && !sameShape(x, dx))
      throw new machine.Failure("a tangent of another shape", site);
    const [primal, tangent] = this.#along(fn, x, tangents);
    return [primal, tangent];
  }

  /** The value and the tangent of a function, in the direction that has these reals. */
  #along(fn: Meaning, x: Meaning, tangents: readonly Tagged[]): readonly [Meaning, Meaning] {
    this.#tags += 1;
    const tag = this.#tags;
    const paired = mapped(x, (primal, i) => ({ value: primal.value, pair: { tag, primal, tangent: tangents[i] ?? literal(0) } }), "same"); // prettier-ignore
    const result = apply(fn, paired);
    const part = (of: "primal" | "tangent") =>
      mapped(result, (real) => split(real, tag)[of], of === "primal" ? "same" : "zero");
    return [part("primal"), part("tangent")];
  }

  /** One direction after the other. */
  #pullback(fn: Meaning, x: Meaning, w: Meaning): Meaning {
    const weights = machine.realsOf(w);
    const inputs = machine.realsOf(x);
    const partials = inputs.map((_, i) => {
      const unit = inputs.map((_other, k) => literal(k === i ? 1 : 0));
      const reals = machine.realsOf(this.#along(fn, x, unit)[1]);
      if (reals.length !== weights.length) throw new machine.Failure("a cotangent of another shape", null);
      return reals.reduce((sum, real, k) => computed("add", sum, computed("scaled", real, weights[k] ?? literal(0))), literal(0)); // prettier-ignore
    });
    return mapped(x, (_, i) => partials[i] ?? literal(0), "zero");
  }
}

function given(meaning: Meaning | undefined): Meaning {
  if (meaning === undefined) throw new Error("a derivative lacks an argument");
  return meaning;
}

function apply(fn: Meaning, arg: Meaning): Meaning {
  if (typeof fn !== "object" || !("apply" in fn)) throw new Error("not a function");
  return fn.apply(arg);
}

/** A first-order value with other reals; its integers are the same, or zero. */
function mapped(meaning: Meaning, real: (value: Tagged, index: number) => Tagged, integers: "same" | "zero"): Meaning {
  let count = 0;
  const go = (m: Meaning): Meaning => {
    if (typeof m === "number") return integers === "zero" ? 0 : m;
    if (typeof m !== "object") return m;
    if (machine.isTuple(m)) return m.map(go);
    if ("elements" in m) return { ...m, elements: m.elements.map(go) };
    if ("tag" in m) return { ...m, fields: m.fields.map(go) };
    if (isReal(m)) return real(m, count++);
    throw new Error("a function is not a first-order value");
  };
  return go(meaning);
}

/** Whether two values of one type differ in numbers and Booleans alone. */
function sameShape(a: Meaning, b: Meaning): boolean {
  if (typeof a !== "object" || typeof b !== "object") return true;
  if (machine.isTuple(a)) return machine.isTuple(b) && a.every((item, i) => sameShape(item, b[i] ?? 0));
  if ("elements" in a) return "elements" in b && a.elements.length === b.elements.length && a.elements.every((item, i) => sameShape(item, b.elements[i] ?? 0)); // prettier-ignore
  if ("fields" in a) return "fields" in b && a.tag === b.tag && a.fields.every((item, i) => sameShape(item, b.fields[i] ?? 0)); // prettier-ignore
  return true;
}
