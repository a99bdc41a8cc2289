// Which functions take part in cycles of calls, and which can lie between them on the stack.
//
// Nodes are known functions (definitions and local ones), lambdas, and types of functions: a call of an unknown function is a call of its
// type, and a type calls every lambda that has it. A tail call of a function to itself is a loop, and makes no edge.

import type { Fn, Program, Term } from "../../target-calculus/term.js";
import { eachSubterm } from "../../target-calculus/traverse.js";
import type { Type } from "../../target-calculus/type.js";
import { components } from "../../components.js";
import type { Convention, FunctionType, Lambda } from "./convention.js";
import { FunctionTypes } from "./function-types.js";
import { functionsOf } from "./program-typing.js";
import type { ProgramTyping } from "./program-typing.js";
import type { Typing } from "./typing.js";

/** A known function, a lambda, or a class of function types. */
type Node = Fn | Lambda | string;

/** The calls of a program, and the convention that they ask for. */
export class CallGraph implements Convention {
  readonly isOpen = false;
  readonly #edges = new Map<Node, Set<Node>>();
  readonly #types: FunctionTypes;
  readonly #cycles = new Map<Node, number>();
  readonly #takesDepth = new Set<Node>();

  constructor(program: Program, typing: ProgramTyping) {
    this.#types = new FunctionTypes(program.data);
    const all = functionsOf(program);
    const functions = new Map(all.map((fn) => [fn.name, fn]));
    for (const fn of all) new Walk(fn, typing.of(fn), functions, this.#types, this.#edges);
    this.#findCycles();
    this.#findBetween();
  }

  /** Whether any function recurses, other than in loops. */
  get hasCycles(): boolean {
    return this.#cycles.size > 0;
  }

  takesDepth(fn: Fn): boolean {
    return this.#takesDepth.has(fn);
  }

  typeTakesDepth(type: FunctionType): boolean {
    return this.#takesDepth.has(this.#types.classOf(type));
  }

  lambdaTakesDepth(lambda: Lambda): boolean {
    return this.#takesDepth.has(lambda);
  }

  cycleOf(fn: Fn): number | null {
    return this.#cycles.get(fn) ?? null;
  }

  lambdaCycleOf(lambda: Lambda): number | null {
    return this.#cycles.get(lambda) ?? null;
  }

  typeCycleOf(type: FunctionType): number | null {
    return this.#cycles.get(this.#types.classOf(type)) ?? null;
  }

  #findCycles(): void {
    components([...this.#edges.keys()], (node) => this.#edges.get(node) ?? []).forEach((component, index) => {
      const [only] = component;
      const isCycle = component.length > 1 || (only !== undefined && this.#edges.get(only)?.has(only) === true);
      if (isCycle) for (const node of component) this.#cycles.set(node, index);
    });
  }

  /** The depth is carried by what recurses, and by what that can call on the way to something that recurses. */
  #findBetween(): void {
    const reversed = new Map<Node, Set<Node>>();
    for (const [from, targets] of this.#edges) {
      for (const to of targets) addEdge(reversed, to, from);
    }
    const below = reachable(this.#cycles.keys(), this.#edges);
    const above = reachable(this.#cycles.keys(), reversed);
    for (const node of below) if (above.has(node)) this.#takesDepth.add(node);
  }
}

/** Adds the calls of one definition and all functions in it. */
class Walk {
  readonly #typing: Typing;
  readonly #functions: ReadonlyMap<string, Fn>;
  readonly #locals = new Map<string, Fn>();
  readonly #types: FunctionTypes;
  readonly #edges: Map<Node, Set<Node>>;

  constructor(
    definition: Fn,
    typing: Typing,
    functions: ReadonlyMap<string, Fn>,
    types: FunctionTypes,
    edges: Map<Node, Set<Node>>,
  ) {
    this.#typing = typing;
    this.#functions = functions;
    this.#types = types;
    this.#edges = edges;
    this.#walk(definition.body, definition, true);
  }

  #call(from: Node, to: Node): void {
    addEdge(this.#edges, from, to);
  }

  #walk(start: Term, node: Fn | Lambda, inTailPosition: boolean): void {
    let term = start;
    for (;;) {
      switch (term.kind) {
        case "let":
        case "bind":
        case "letTuple":
          this.#walk(term.bound, node, false);
          term = term.body;
          continue;
        case "letRec":
          for (const fn of term.functions) this.#locals.set(fn.name, fn);
          for (const fn of term.functions) this.#walk(fn.body, fn, true);
          term = term.body;
          continue;
        case "return":
          term = term.value;
          continue;
        case "if":
          this.#walk(term.cond, node, false);
          this.#walk(term.then, node, inTailPosition);
          term = term.else;
          continue;
        case "case":
          this.#walk(term.scrutinee, node, false);
          for (const { body } of term.branches) this.#walk(body, node, inTailPosition);
          return;
        case "lam":
        case "linLam":
          this.#call(this.#types.classOf(this.#functionType(term)), term);
          this.#walk(term.body, term, true);
          return;
        case "app":
          this.#walk(term.arg, node, false);
          if (isLambda(term.fn)) {
            term = term.fn.body;
            continue;
          }
          this.#walk(term.fn, node, false);
          this.#call(node, this.#types.classOf(this.#functionType(term.fn)));
          return;
        case "call": {
          const callee = this.#locals.get(term.fn) ?? this.#functions.get(term.fn);
          if (callee !== undefined && !(inTailPosition && callee === node)) this.#call(node, callee);
          break;
        }
        default:
      }
      eachSubterm(term, (part) => {
        this.#walk(part, node, false);
      });
      return;
    }
  }

  #functionType(term: Term): FunctionType {
    const type: Type = this.#typing.of(term);
    return type.kind === "fn" || type.kind === "linear" ? type : { kind: "fn", from: type, to: type };
  }
}

function isLambda(term: Term): term is Lambda {
  return term.kind === "lam" || term.kind === "linLam";
}

function addEdge(edges: Map<Node, Set<Node>>, from: Node, to: Node): void {
  const targets = edges.get(from);
  if (targets === undefined) edges.set(from, new Set([to]));
  else targets.add(to);
}

function reachable(starts: Iterable<Node>, edges: ReadonlyMap<Node, ReadonlySet<Node>>): Set<Node> {
  const seen = new Set(starts);
  const pending = [...seen];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (const to of edges.get(node) ?? []) {
      if (seen.has(to)) continue;
      seen.add(to);
      pending.push(to);
    }
  }
  return seen;
}
