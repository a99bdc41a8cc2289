// Loops that recurse: where the body of `build` or `sum` calls functions of the cycle that it stands in, the deep version has to
// leave off inside the loop. So such a loop becomes a local function that calls itself:
//
//   build n (\i. sum (kids ! i))    becomes  let rec fill(i, array) =
//                                              if i < length array then let item = sum (kids ! i) in fill(i + 1, store(array, i, item))
//                                              else array
//                                            in fill(0, build n (\_. impossible))

import { Names } from "../../core/names.js";
import * as b from "../../target-calculus/build.js";
import type { Fn, Program, Term } from "../../target-calculus/term.js";
import { mapSubterms } from "../../target-calculus/traverse.js";
import { allBinders, eachTerm } from "./binders.js";
import type { Convention } from "./convention.js";
import { DeepCalls } from "./deep-normal.js";
import { functionsOf } from "./program-typing.js";
import type { ProgramTyping } from "./program-typing.js";
import { plainType } from "./typing.js";
import type { Typing } from "./typing.js";

type Loop = Term & { readonly kind: "build" | "sum" };

/** Writes loops that recurse as functions; the program itself where there are none. */
export function openLoops(program: Program, convention: Convention, typing: ProgramTyping): Program {
  const all = functionsOf(program);
  if (!all.some(hasLoop)) return program;
  const functions = new Map(all.map((fn) => [fn.name, fn]));
  const names = new Names(all.flatMap((fn) => [fn.name, ...allBinders(fn)]));
  const opened = new Set<string>();
  const open = (fn: Fn): Fn => {
    if (!hasLoop(fn)) return fn;
    const opening = new Opening(fn.name, convention, names, functions, typing.of(fn));
    const body = opening.term(fn.body, convention.cycleOf(fn));
    if (!opening.isChanged) return fn;
    opened.add(fn.name);
    return { ...fn, body };
  };
  const definitions = program.definitions.map(open);
  const wrappers = program.wrappers.map((wrapper) => ({
    ...wrapper,
    fn: open(wrapper.fn),
    gradient: wrapper.gradient === null ? null : open(wrapper.gradient),
  }));
  return opened.size > 0 ? { ...program, definitions, wrappers } : program;
}

function hasLoop(fn: Fn): boolean {
  let found = false;
  eachTerm(fn.body, ({ kind }) => {
    found ||= kind === "build" || kind === "sum";
  });
  return found;
}

class Opening {
  isChanged = false;
  readonly #owner: string;
  readonly #convention: Convention;
  readonly #names: Names;
  readonly #functions: ReadonlyMap<string, Fn>;
  readonly #locals = new Map<string, Fn>();
  readonly #calls = new Map<number, DeepCalls>();
  readonly #typing: Typing;

  constructor(owner: string, convention: Convention, names: Names, functions: ReadonlyMap<string, Fn>, typing: Typing) {
    this.#owner = owner;
    this.#convention = convention;
    this.#names = names;
    this.#functions = functions;
    this.#typing = typing;
  }

  /** Opens the loops of a term that stands in a function of a cycle. */
  term(term: Term, cycle: number | null): Term {
    const inside = (part: Term): Term => this.term(part, cycle);
    switch (term.kind) {
      case "lam":
      case "linLam":
        return { ...term, body: this.term(term.body, this.#convention.lambdaCycleOf(term)) };
      case "app":
        // A redex: its body is evaluated here
        if (term.fn.kind !== "lam" && term.fn.kind !== "linLam") break;
        return { ...term, fn: { ...term.fn, body: inside(term.fn.body) }, arg: inside(term.arg) };
      case "letRec": {
        for (const fn of term.functions) this.#locals.set(fn.name, fn);
        const functions = term.functions.map((fn): Fn => ({
          ...fn,
          body: this.term(fn.body, this.#convention.cycleOf(fn)),
        }));
        return { ...term, functions, body: inside(term.body) };
      }
      case "build":
      case "sum": {
        if (cycle === null || !this.#deepCalls(cycle).in(term.body)) break;
        this.isChanged = true;
        return this.#opened({ ...term, size: inside(term.size), body: inside(term.body) });
      }
      default:
    }
    return mapSubterms(term, inside);
  }

  #opened(loop: Loop): Term {
    const fill = this.#names.fresh(`${this.#owner}${loop.kind === "build" ? "Fill" : "Each"}`);
    const item = this.#names.fresh("item");
    const i = b.variable(loop.index);
    // No index comes near the end of the safe integers
    const next = b.op("add", [i, { kind: "int", value: 1 }], null);
    const [size, array] = [this.#names.fresh("size"), this.#names.fresh("array")];
    const upTo = (end: Term, then: Term, otherwise: Term): Term => ({ kind: "if", cond: b.op("ltZ", [i, end], null), then, else: otherwise }); // prettier-ignore
    if (loop.kind === "sum" && loop.type.kind !== "computation") {
      const [{ type }, total] = [loop, this.#names.fresh("total")];
      const more = b.letIn(
        item,
        type,
        loop.body,
        b.call(fill, next, b.plus(type, b.variable(total), b.variable(item))),
      );
      const params = [b.param(loop.index, b.int), b.param(total, type)];
      const each = b.fn(fill, params, type, upTo(b.variable(size), more, b.variable(total)));
      const body = b.call(fill, { kind: "int", value: 0 }, b.zero(type));
      return b.letIn(size, b.int, loop.size, { kind: "letRec", functions: [each], body });
    }
    if (loop.kind === "sum") {
      const body = upTo(b.variable(size), b.letIn(item, b.unitType, loop.body, b.call(fill, next)), b.tuple());
      const each = b.fn(fill, [b.param(loop.index, b.int)], b.unitType, body);
      return b.letIn(size, b.int, loop.size, {
        kind: "letRec",
        functions: [each],
        body: b.call(fill, { kind: "int", value: 0 }),
      });
    }
    const element = plainType(loop.element);
    const type = b.arrayType(element);
    const store = b.ext(element.kind === "real" ? "storeNumber" : "storeItem", b.variable(array), i, b.variable(item));
    const iteration = b.letIn(item, element, loop.body, b.call(fill, next, store));
    const body = upTo(b.length(b.variable(array)), iteration, b.variable(array));
    const empty: Term = { ...loop, index: this.#names.fresh("i"), body: b.impossible(element) };
    return {
      kind: "letRec",
      functions: [b.fn(fill, [b.param(loop.index, b.int), b.param(array, type)], type, body)],
      body: b.call(fill, { kind: "int", value: 0 }, empty),
    };
  }

  #deepCalls(cycle: number): DeepCalls {
    const known = this.#calls.get(cycle);
    if (known !== undefined) return known;
    const calls = new DeepCalls((term) => {
      if (term.kind === "call") {
        const callee = this.#locals.get(term.fn) ?? this.#functions.get(term.fn);
        return callee !== undefined && this.#convention.cycleOf(callee) === cycle;
      }
      if (term.kind !== "app" || term.fn.kind === "lam" || term.fn.kind === "linLam") return false;
      const type = this.#typing.of(term.fn);
      return (type.kind === "fn" || type.kind === "linear") && this.#convention.typeCycleOf(type) === cycle;
    });
    this.#calls.set(cycle, calls);
    return calls;
  }
}
