// Pullbacks that a model takes itself: the definition that goes one direction after the other is only what is meant; emitted are both sweeps of what is
// differentiated, in one function. Of duals the pullback of (x, dx) gives (dx_, x_): numbers of a block are the other way round (core/term.ts, `Pullback`).

import * as b from "../core/build.js";
import type * as Source from "../core/term.js";
import type { Type } from "../core/type.js";
import { Names } from "../core/names.js";
import type { Leaves } from "../flat/leaves.js";
import type { Procedure, Program, Rep, Var } from "../flat/program.js";
import { ZeroResults } from "../flat/zero-results.js";
import { InternalError } from "../internal-error.js";

/** How a procedure computes a cotangent by a reverse pass over another one. */
export interface PullbackCode {
  /** The procedure that is differentiated; null where it is emitted as its text says. */
  readonly of: string | null;
  /** By result of that the place of its cotangent among the last parameters. */
  readonly seeds: readonly number[];
  /** By result the place of the parameter whose cotangent it is. */
  readonly results: readonly number[];
  /** What errors name whose cotangent has another shape than the result; null where that cannot be. */
  readonly site: Source.Site | null;
  /** The procedure that gives the cotangents of its parameters; null where the text is differentiated. */
  readonly reverse: string | null;
  /** Whether that takes the results, too, between the parameters and their cotangents. */
  readonly isGiven: boolean;
  /** The procedure that plain code calls in its place; null where there is none. */
  readonly text: string | null;
}

/** A program in which pullbacks, and what they are of, are entries: passes leave their interfaces as they are. */
export function withPullbackEntries(program: Source.Program): Source.Program {
  const internal = [...program.pullbacks].flatMap(([name, { of, reverse }]) => (reverse === null ? [name, of] : [name, of, reverse])); // prettier-ignore
  for (const [name, { reverse, text }] of program.checkpoints)
    internal.push(name, reverse, ...(text === null ? [] : [text]));
  const known = new Set(program.entries.map(({ name }) => name));
  const entries = [...new Set(internal)].filter((name) => !known.has(name)).map((name) => entryOf(program, name));
  if (entries.length === 0) return program;
  const definitions = program.definitions.map((fn) => {
    const value = program.checkpoints.get(fn.name)?.value ?? null;
    return value === null
      ? fn
      : {
          ...fn,
          body: b.call(
            value,
            fn.params.map((param) => b.variable(param.name)),
          ),
        };
  });
  return { ...program, definitions, entries: [...program.entries, ...entries] };
}

function entryOf({ definitions, pullbacks, checkpoints }: Source.Program, name: string): Source.Entry {
  const fn = definitions.find((each) => each.name === name);
  if (fn === undefined) throw new InternalError("adjoint", `there is no definition ${name}`);
  const names = new Names([]);
  const params = fn.params.map((param) => ({
    kind: "named" as const,
    name: names.fresh(param.name),
    type: param.type,
  }));
  const entry = { name, doc: "", params, result: fn.result, resultAlias: "" };
  const isText = [...checkpoints.values()].some(({ text }) => text === name);
  return pullbacks.has(name) || checkpoints.has(name) || isText ? { ...entry, isOpaque: true } : entry;
}

/** With respect to which of their parameters these entries are differentiated: what a pullback is of to its first. */
export function pullbackParameters(program: Source.Program): readonly (readonly [string, readonly string[]])[] {
  const of = new Set([...program.pullbacks.values()].map((pullback) => pullback.of));
  const reverses = new Set([...[...program.pullbacks.values()].map(({ reverse }) => reverse), ...[...program.checkpoints].flatMap(([name, { reverse, text }]) => [name, reverse, text])]); // prettier-ignore
  return program.entries.flatMap(({ name, params: [first], isValueOnly }): (readonly [string, readonly string[]])[] => {
    if (program.pullbacks.has(name) || reverses.has(name) || isValueOnly === true) return [[name, []]];
    return of.has(name) && first?.kind === "named" ? [[name, [first.name]]] : [];
  });
}

/** By procedure how it is emitted, of those pullbacks whose leaves are those of what they are of. */
export function pullbackCodes(
  source: Source.Program,
  flat: Program,
  leaves: Leaves,
): ReadonlyMap<string, PullbackCode> {
  const definitions = new Map(source.definitions.map((fn) => [fn.name, fn]));
  const codes = new Map<string, PullbackCode>();
  for (const [name, { of, level, reverse, site }] of source.pullbacks) {
    const [fn, whole] = [definitions.get(name), definitions.get(of)];
    const [own, other] = [procedureOf(flat, name), procedureOf(flat, of)];
    const [first] = fn?.params ?? [];
    if (whole === undefined || first === undefined || own === null || other === null) continue;
    // What has constructors may have others
    if (site !== null && other.results.some(holdsObject)) continue;
    const seeds = flipped(whole.result, level, leaves);
    const results = flipped(first.type, level, leaves);
    if (seeds === null || results === null || leaves.holdsLengths(first.type)) continue;
    const given = [...other.params.map(({ rep }) => rep), ...other.results];
    const isFit = sameReps(own.params.map(({ rep }) => rep), given) && sameReps(own.results, other.params.slice(0, results.length).map(({ rep }) => rep)); // prettier-ignore
    if (!isFit || seeds.length !== other.results.length || results.length !== own.results.length) continue;
    const back = reverse === null ? null : procedureOf(flat, reverse);
    codes.set(own.name, { of: other.name, seeds, results, site, reverse: back !== null && isReverseOf(back, own, false) ? back.name : null, isGiven: false, text: null }); // prettier-ignore
  }
  for (const [name, { reverse, isGiven, value, text }] of source.checkpoints) {
    const [own, back] = [procedureOf(flat, name), procedureOf(flat, reverse)];
    if (own === null || back === null || !isReverseOf(back, own, isGiven)) {
      // Its text may be differentiated instead, but not that of its value alone
      if (value === null || own === null) continue;
      throw new InternalError("adjoint", `the reverse pass of ${name} does not fit it`);
    }
    codes.set(own.name, {
      of: null,
      seeds: [],
      results: own.results.map((_, index) => index),
      site: null,
      reverse: back.name,
      isGiven,
      text: textOf(own, text === null ? null : procedureOf(flat, text)),
    });
  }
  return codes;
}

/** By procedure that has a reverse pass of its own, the parameters that this gives nothing: whatever they are given, their cotangents are zero. */
export function silentParams(
  flat: Program,
  pullbacks: ReadonlyMap<string, PullbackCode>,
): ReadonlyMap<string, readonly boolean[]> {
  const zero = new ZeroResults(flat);
  return new Map([...pullbacks].flatMap(([name, { reverse }]) => (reverse === null ? [] : [[name, zero.of(reverse)]])));
}

function textOf({ params, results }: Procedure, text: Procedure | null): string | null {
  if (text === null) return null;
  const isFit = sameReps(text.params.map(({ rep }) => rep), params.map(({ rep }) => rep)) && sameReps(text.results, results); // prettier-ignore
  return isFit ? text.name : null;
}

/** Whether a procedure takes what a pullback takes and gives, and gives what that takes: numbers and arrays of such, whose stores are values. */
function isReverseOf(reverse: Procedure, { params, results }: Procedure, isGiven: boolean): boolean {
  const given = params.map(({ rep }) => rep);
  const isPlain = (rep: Rep): boolean => (rep.kind === "array" ? isPlain(rep.element) : ["real", "int", "bool"].includes(rep.kind)); // prettier-ignore
  return [...given, ...results].every(isPlain) && sameReps(reverse.params.map(({ rep }) => rep), [...given, ...(isGiven ? results : []), ...results]) && sameReps(reverse.results, given); // prettier-ignore
}

/** The procedure of an entry whose leaves are those of its type; null where arrays stand for lists. */
function procedureOf({ entries, procedures }: Program, name: string): Procedure | null {
  const entry = entries.find((each) => each.entry.name === name);
  if (entry === undefined || entry.arrays !== undefined) return null;
  return procedures.find((procedure) => procedure.name === entry.procedure) ?? null;
}

function holdsObject(rep: Rep): boolean {
  return rep.kind === "object" || (rep.kind === "array" && holdsObject(rep.element));
}

function sameReps(a: readonly Rep[], b: readonly Rep[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The leaves of a type with the numbers of each block in reverse order, 2^level of which stand for one; null where they are in objects. */
function flipped(type: Type, level: number, leaves: Leaves): readonly number[] | null {
  if (level === 0) return leaves.of(type).map((_, index) => index);
  const order: number[] = [];
  const visit = (part: Type): boolean => {
    const start = order.length;
    if (isBlock(part, level)) {
      for (let i = 2 ** level - 1; i >= 0; i--) order.push(start + i);
      return true;
    }
    switch (part.kind) {
      case "tuple":
        return part.items.every(visit);
      case "array":
        return visit(part.element);
      case "int":
      case "bool":
        order.push(start);
        return true;
      case "data": {
        const [constructor] = leaves.types.constructorsOf(part);
        return leaves.isSplit(part) && constructor !== undefined && constructor.fields.every(visit);
      }
      default:
        return false;
    }
  };
  return visit(type) && order.length === leaves.of(type).length ? order : null;
}

/** Whether a type is that of pairs of pairs .. of reals, of as many levels. */
function isBlock(type: Type, level: number): boolean {
  if (level === 0) return type.kind === "real";
  return type.kind === "tuple" && type.items.length === 2 && type.items.every((item) => isBlock(item, level - 1));
}

/** The type of a leaf. */
export function typeOfLeaf({ rep }: Var): Type {
  const of = (part: Rep): Type => {
    switch (part.kind) {
      case "array":
        return { kind: "array", element: of(part.element) };
      case "object":
        return part.type;
      case "real":
      case "int":
      case "bool":
        return part;
      case "closure":
      case "store":
        throw new InternalError("adjoint", `a pullback of a ${part.kind}`);
    }
  };
  return of(rep);
}
