// What becomes of the functions that a definition calls: its own recursion, and those of `let rec`.

import type * as Core from "../core/term.js";
import { subterms } from "../core/traverse.js";
import { components } from "../components.js";
import { InternalError } from "../internal-error.js";

/** What a known function becomes where it is called. */
export type Treatment =
  /** Its body stands where it is called. */
  | "inline"
  /** A loop stands where it is called. */
  | "loop"
  /** A procedure whose body is a loop. */
  | "loopProcedure"
  | "procedure";

/** A known function of a definition: the definition itself, or one of `let rec`. */
export interface Local {
  readonly fn: Core.Fn;
  readonly treatment: Treatment;
  /** For loops: which parameters change from round to iteration. */
  readonly changes: readonly boolean[];
  /** The names of the functions that are recursive together with this one; of their captured variables each of them gets all. */
  readonly group: readonly string[];
}

/** A function is written out at each of several calls if it is not larger than this. */
const smallSize = 12;
/** The same for one that is part of a loop: as a procedure it would undo the loop. */
const smallSizeInLoop = 200;
/** Functions that stand inside one another are nested at most as deep as this: passes recurse along them. */
const nestingLimit = 800;

interface Call {
  readonly args: readonly Core.Term[];
  /** The function whose body holds the call. */
  readonly owner: string;
  /** The function whose result is the call's; null where the call is an operand. */
  readonly tailOf: string | null;
  /** How deep the call stands in its owner. */
  readonly depth: number;
}

interface Known {
  readonly fn: Core.Fn;
  /** The function around it; null around the definition. */
  readonly around: string | null;
  readonly calls: Call[];
  readonly inside: string[];
  /** What of the definition is in its body, with the functions written out there; how deep it is nested. */
  size: number;
  depth: number;
  /** Whether it calls a function that it stands in. */
  callsAround: boolean;
  treatment: Treatment | null;
  changes: readonly boolean[];
  group: readonly string[];
}

/** The treatments of a definition and of its local functions, by name. */
export function treatFunctions(definition: Core.Fn): ReadonlyMap<string, Local> {
  const survey = new Survey(definition);
  for (const group of survey.groups) survey.treat(group);
  return survey.result();
}

interface Place {
  readonly term: Core.Term;
  readonly owner: string;
  readonly tailOf: string | null;
  readonly depth: number;
}

class Survey {
  /** Groups of `let rec`: those inside a function before the function's own, those that stand before others first. */
  readonly groups: (readonly string[])[] = [];
  readonly #known = new Map<string, Known>();
  /** `resultOf` of the functions that are written out. */
  readonly #results = new Map<string, string | null>();

  constructor(definition: Core.Fn) {
    this.#enter(definition, null);
    const { name, body } = definition;
    const waiting: (Place | readonly string[])[] = [[name], { term: body, owner: name, tailOf: name, depth: 1 }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if ("term" in next) waiting.push(...this.#visit(next));
      else this.groups.push(next);
    }
  }

  result(): ReadonlyMap<string, Local> {
    const locals = [...this.#known].map(([name, { fn, treatment, changes, group }]): readonly [string, Local] => [
      name,
      { fn, treatment: treatment ?? "procedure", changes, group },
    ]);
    return new Map(locals);
  }

  #enter(fn: Core.Fn, around: string | null): void {
    const changes = fn.params.map(() => true);
    const known: Known = { fn, around, calls: [], inside: [], size: 0, depth: 0, callsAround: false, treatment: null, changes, group: [fn.name] }; // prettier-ignore
    this.#known.set(fn.name, known);
    if (around !== null) this.#of(around).inside.push(fn.name);
  }

  #of(name: string): Known {
    const known = this.#known.get(name);
    if (known === undefined) throw new InternalError("flat", `${name} is not a function of the definition`);
    return known;
  }

  /** What is to be visited inside a term, the first to be visited last. */
  #visit({ term, owner, tailOf, depth }: Place): readonly (Place | readonly string[])[] {
    const known = this.#of(owner);
    known.size += 1;
    known.depth = Math.max(known.depth, depth);
    const operand = (part: Core.Term): Place => ({ term: part, owner, tailOf: null, depth: depth + 1 });
    const tail = (part: Core.Term): Place => ({ term: part, owner, tailOf, depth: depth + 1 });
    switch (term.kind) {
      case "let":
        return [{ term: term.body, owner, tailOf, depth }, operand(term.bound)];
      case "letRec": {
        for (const fn of term.functions) this.#enter(fn, owner);
        const bodies = term.functions.map((fn) => ({ term: fn.body, owner: fn.name, tailOf: fn.name, depth: 1 }));
        return [{ term: term.body, owner, tailOf, depth }, term.functions.map(({ name }) => name), ...bodies.reverse()];
      }
      case "if":
        return [tail(term.else), tail(term.then), operand(term.cond)];
      case "case":
        return [...term.branches.map(({ body }) => tail(body)).reverse(), operand(term.scrutinee)];
      case "call": {
        this.#known.get(term.fn)?.calls.push({ args: term.args, owner, tailOf, depth });
        if (this.#memberAround(owner, [term.fn]) !== null) {
          for (let at: string | null = owner; at !== null && at !== term.fn; at = this.#of(at).around) {
            this.#of(at).callsAround = true;
          }
        }
        return term.args.map(operand).reverse();
      }
      default:
        return subterms(term).map(operand).reverse();
    }
  }

  /** Decides on the functions of a group; those inside them, and those before, are decided on. */
  treat(group: readonly string[]): void {
    for (const name of group) this.#addInside(this.#of(name));
    const callers = new Map<string, Set<string>>(group.map((name) => [name, new Set()]));
    for (const name of group) {
      for (const call of this.#of(name).calls) {
        const caller = this.#memberAround(call.owner, group);
        if (caller !== null) callers.get(caller)?.add(name);
      }
    }
    for (const members of components(group, (name) => callers.get(name) ?? [])) this.#treatComponent(members);
  }

  /** The function of a group whose body a function stands in, at any depth. */
  #memberAround(name: string, group: readonly string[]): string | null {
    for (let at: string | null = name; at !== null; at = this.#of(at).around) if (group.includes(at)) return at;
    return null;
  }

  #treatComponent(members: readonly string[]): void {
    // Functions that call each other: one that is called in one place alone stands there
    const rest = new Set(members);
    for (let found = true; found && rest.size > 1;) {
      found = false;
      for (const name of rest) {
        const known = this.#of(name);
        const [call, second] = known.calls;
        if (rest.size === 1 || call === undefined || second !== undefined || !this.#fits(call, known)) continue;
        const caller = this.#memberWith(call.owner, members);
        if (caller === null || caller === name) continue;
        known.treatment = "inline";
        rest.delete(name);
        this.#grow(call, known);
        found = true;
      }
    }
    for (const name of rest) {
      const known = this.#of(name);
      if (rest.size === 1) this.#treatOne(known, members);
      else known.group = [...rest];
    }
  }

  /** The member of a component in whose code a function ends up; null where it is none. */
  #memberWith(name: string, members: readonly string[]): string | null {
    let at = this.#memberAround(name, members);
    while (at !== null && this.#of(at).treatment === "inline") {
      const [call] = this.#of(at).calls;
      at = call === undefined ? null : this.#memberAround(call.owner, members);
    }
    return at;
  }

  #treatOne(known: Known, members: readonly string[]): void {
    const { fn, calls, size, around } = known;
    const own = calls.filter((call) => this.#memberWith(call.owner, members) === fn.name);
    const outer = calls.filter((call) => !own.includes(call));
    const canStandThere = around !== null && outer.every((call) => this.#fits(call, known));
    const isWorthIt = outer.length === 1 || size <= smallSize;
    if (own.length === 0) {
      const isPartOfLoop = known.callsAround && size <= smallSizeInLoop;
      known.treatment = canStandThere && (isWorthIt || isPartOfLoop) ? "inline" : "procedure";
    } else if (own.every(({ tailOf }) => this.#resultOf(tailOf) === fn.name)) {
      known.changes = fn.params.map(({ name }, index) =>
        own.some(({ args }) => {
          const arg = args[index];
          return arg?.kind !== "var" || arg.name !== name;
        }),
      );
      known.treatment = canStandThere && isWorthIt ? "loop" : "loopProcedure";
    } else {
      known.treatment = "procedure";
    }
    if (known.treatment === "inline" || known.treatment === "loop") for (const call of outer) this.#grow(call, known);
  }

  /** The function that returns what a function returns: itself, or the one in whose tail positions it is written out. */
  #resultOf(name: string | null): string | null {
    if (name === null || this.#of(name).treatment !== "inline") return name;
    const known = this.#results.get(name);
    if (known !== undefined) return known;
    const results = new Set(this.#of(name).calls.map(({ tailOf }) => this.#resultOf(tailOf)));
    const [first = null] = results;
    const result = results.size === 1 ? first : null;
    this.#results.set(name, result);
    return result;
  }

  #fits(call: Call, known: Known): boolean {
    return call.depth + known.depth <= nestingLimit;
  }

  #addInside(known: Known): void {
    for (const name of known.inside) {
      const { treatment, size } = this.#of(name);
      if (treatment !== "inline" && treatment !== "loop") known.size += size;
    }
  }

  #grow(call: Call, known: Known): void {
    const owner = this.#of(call.owner);
    owner.size += known.size;
    owner.depth = Math.max(owner.depth, call.depth + known.depth);
  }
}
