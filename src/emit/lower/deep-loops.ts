// Loops that recurse: where the body of `build` or `sum` calls functions of the cycle that it stands in, the deep version has to
// leave off inside the loop. So such a loop becomes a local function that calls itself:
//
//   build n (\i. sum (kids ! i))    becomes  let rec fill(i, array) =
//                                              if i < length array then let item = sum (kids ! i) in fill(i + 1, store(array, i, item))
//                                              else array
//                                            in fill(0, build n (\_. impossible))

import { Names } from "../../core/names.js";
import * as b from "../../target-calculus/build.js";
import type { Fn, Param, Program, Term } from "../../target-calculus/term.js";
import type { Type } from "../../target-calculus/type.js";
import { mapSubterms } from "../../target-calculus/traverse.js";
import { allBinders, eachTerm } from "./binders.js";
import type { Convention } from "./convention.js";
import { DeepCalls } from "./deep-normal.js";
import { functionsOf } from "./program-typing.js";
import type { ProgramTyping } from "./program-typing.js";
import { plainType } from "./typing.js";
import type { Typing } from "./typing.js";

type Loop = Term & { readonly kind: "build" | "scan" | "sum" };

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
    found ||= kind === "build" || kind === "scan" || kind === "sum";
  });
  return found;
}

/** What a loop's function takes along. */
interface State {
  readonly param: Param;
  readonly start: Term;
  readonly next: Term;
}

interface Shape {
  /** Of what an iteration gives. */
  readonly type: Type;
  readonly state: readonly State[];
  readonly result: Type;
  /** The name of the size, where it is needed beside the array. */
  readonly size: string | null;
  readonly end: Term;
  readonly otherwise: Term;
}

const zero: Term = { kind: "int", value: 0 };

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
      case "scan":
      case "sum": {
        if (cycle === null || !this.#deepCalls(cycle).in(term.body)) break;
        this.isChanged = true;
        const parts = { size: inside(term.size), body: inside(term.body) };
        return this.#opened(term.kind === "scan" ? { ...term, ...parts, start: inside(term.start) } : { ...term, ...parts }); // prettier-ignore
      }
      default:
    }
    return mapSubterms(term, inside);
  }

  #opened(loop: Loop): Term {
    const fill = this.#names.fresh(`${this.#owner}${loop.kind === "sum" ? "Each" : "Fill"}`);
    const item = this.#names.fresh("item");
    const { type, state, result, size, end, otherwise } = this.#shape(loop, b.variable(item));
    const i = b.variable(loop.index);
    // No index comes near the end of the safe integers
    const next = b.call(fill, b.op("add", [i, { kind: "int", value: 1 }], null), ...state.map((part) => part.next));
    const then = b.letIn(item, type, loop.body, next);
    const body: Term = { kind: "if", cond: b.op("ltZ", [i, end], null), then, else: otherwise };
    const params = [b.param(loop.index, b.int), ...state.map(({ param }) => param)];
    const start = b.call(fill, zero, ...state.map((part) => part.start));
    const opened: Term = { kind: "letRec", functions: [b.fn(fill, params, result, body)], body: start };
    return size === null ? opened : b.letIn(size, b.int, loop.size, opened);
  }

  /** What becomes of a loop of which `item` is what an iteration gives. */
  #shape(loop: Loop, item: Term): Shape {
    if (loop.kind === "sum") {
      const size = this.#names.fresh("size");
      const end = b.variable(size);
      if (loop.type.kind === "computation") return { type: b.unitType, state: [], result: b.unitType, size, end, otherwise: b.tuple() }; // prettier-ignore
      const { type } = loop;
      const param = b.param(this.#names.fresh("total"), type);
      const total = b.variable(param.name);
      return { type, state: [{ param, start: b.zero(type), next: b.plus(type, total, item) }], result: type, size, end, otherwise: total }; // prettier-ignore
    }
    const element = plainType(loop.element);
    const [array, size] = [b.param(this.#names.fresh("array"), b.arrayType(element)), loop.kind === "scan" ? this.#names.fresh("size") : null]; // prettier-ignore
    const made = b.variable(array.name);
    const empty: Term = {
      kind: "build",
      size: size === null ? loop.size : b.variable(size),
      index: this.#names.fresh("i"),
      element,
      body: b.impossible(element),
      site: loop.site,
    };
    const filling = (value: Term): State => {
      const store = element.kind === "real" ? "storeNumber" : "storeItem";
      return { param: array, start: empty, next: b.ext(store, made, b.variable(loop.index), value) };
    };
    const end = b.length(made);
    if (loop.kind === "build") return { type: element, state: [filling(item)], result: array.type, size, end, otherwise: made }; // prettier-ignore
    const carried = b.param(loop.carried, plainType(loop.type));
    return {
      type: b.tupleType(carried.type, element),
      state: [{ param: carried, start: loop.start, next: b.proj(0, item) }, filling(b.proj(1, item))],
      result: b.tupleType(carried.type, array.type),
      size,
      end,
      otherwise: b.tuple(b.variable(carried.name), made),
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
