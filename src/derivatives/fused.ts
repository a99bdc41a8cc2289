// KR22 §8.7: what stages of the papers have in the place of a fused definition's text (Fig. 14): its value, and its partial derivatives by forward mode, one direction
// for each number.
//
//   f(x : R, n : Z) : R = t   =>   fPartials(x : R, n : Z) : (R, R) = jvp (\y. f(y, n)) x 1

import * as b from "../core/build.js";
import { Names } from "../core/names.js";
import { countOf, scalarsOf, type Scalars } from "../core/scalars.js";
import type { Derivative, Entry, Fn, Param, Program, Term } from "../core/term.js";
import { allNames } from "../core/traverse.js";
import { DataTypes } from "../core/type-parts.js";
import { InternalError } from "../internal-error.js";
import { copyFn } from "../optimise/copy.js";
import { removeDeadCode } from "../optimise/dead-code.js";
import { withCommonWork } from "../optimise/passes.js";
import type { VariableNames } from "../optimise/variable-names.js";

/** The program with such a definition for each of those that are fused; none for those that take no number. */
export function withPartials(program: Program, fused: ReadonlySet<string>): Program {
  if (fused.size === 0) return program;
  const names = new Names(allNames(program));
  const data = new DataTypes(program.data);
  const derivatives = new Map(program.derivatives);
  const partials = new Map<string, string>();
  const made = program.definitions.flatMap((fn): Fn[] => {
    if (!fused.has(fn.name)) return [];
    const scalars = fn.params.map(({ type }) => required(scalarsOf(type, data)));
    if (scalars.every((each) => countOf(each) === 0)) return [];
    const derivative = names.fresh("jvp");
    derivatives.set(derivative, { kind: "jvp", from: b.real, to: b.real, span: null, site: null } satisfies Derivative);
    const of = partialsOf(fn, scalars, derivative, names);
    partials.set(fn.name, of.name);
    return [of];
  });
  return { ...program, definitions: [...program.definitions, ...made], derivatives, partials };
}

/** The program in which fused definitions are definitions like others. */
export function withoutPartials(program: Program): Program {
  return program.partials.size === 0 ? program : removeDeadCode({ ...program, partials: new Map() });
}

/** The same partial derivatives, with what their directions have in common computed once, where they are no recursion. */
export function withJointDirections(program: Program, names: VariableNames): Program {
  const { partials, definitions } = program;
  if (partials.size === 0) return program;
  const made = new Set(partials.values());
  const entries = definitions.filter(({ name }) => made.has(name)).map(entryOf);
  const alone = { ...program, entries, partials: new Map(), pullbacks: new Map(), checkpoints: new Map(), texts: new Map() }; // prettier-ignore
  const joint = new Map(withCommonWork(alone, names).definitions.map((fn) => [fn.name, fn]));
  const whole = definitions.map((fn) => (made.has(fn.name) ? copyFn(joint.get(fn.name) ?? fn, fn.name, names) : fn));
  return removeDeadCode({ ...program, definitions: whole });
}

function entryOf({ name, params, result }: Fn): Entry {
  const shown = params.map((param) => ({ kind: "named" as const, ...param }));
  return { name, doc: "", params: shown, result, resultAlias: "" };
}

function partialsOf(fn: Fn, scalars: readonly Scalars[], derivative: string, names: Names): Fn {
  const params: Param[] = [];
  const args = scalars.map((each, index) => flattened(each, fn.params[index]?.name ?? "x", params, names));
  const numbers = params.filter(({ type }) => type.kind === "real");
  const along = numbers.map(({ name }): Term => {
    const x = names.fresh(name);
    const at = (other: string): Term => b.variable(other === name ? x : other);
    const lambda = b.lam(x, b.real, b.call(fn.name, args.map((arg) => arg(at)))); // prettier-ignore
    return b.call(derivative, [lambda, b.variable(name), b.realLit(1)]);
  });
  const both = numbers.map(() => names.fresh("both"));
  const parts = [b.proj(0, b.variable(both[0] ?? "")), ...both.map((name) => b.proj(1, b.variable(name)))];
  const body = along.reduceRight<Term>(
    (rest, term, index) => b.letIn(both[index] ?? "", b.tupleType(b.real, b.real), term, rest),
    b.tuple(...parts),
  );
  return b.fn(names.fresh(`${fn.name}Partials`), params, b.tupleType(...parts.map(() => b.real)), body);
}

/** Adds a parameter for each scalar of a value; gives the value for what these are called. */
function flattened(
  scalars: Scalars,
  hint: string,
  params: Param[],
  names: Names,
): (at: (name: string) => Term) => Term {
  if (scalars.kind === "real" || scalars.kind === "discrete") {
    const name = names.fresh(hint);
    params.push(b.param(name, scalars.kind === "real" ? b.real : scalars.type));
    return (at) => at(name);
  }
  const parts = scalars.parts.map((part) => flattened(part, hint, params, names));
  return (at) => {
    const values = parts.map((part) => part(at));
    return scalars.kind === "tuple" ? b.tuple(...values) : b.con(scalars.con, scalars.type, values);
  };
}

function required(scalars: Scalars | null): Scalars {
  if (scalars === null) throw new InternalError("derivatives", "a fused definition takes what is not of scalars");
  return scalars;
}
