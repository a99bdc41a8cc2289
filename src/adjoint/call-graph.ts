// Which functions of a module recurse, other than in loops: they may need more of the stack than JavaScript has. There is a node for each version of a
// procedure, and one for all unknown functions of a type; a cycle of calls is a strongly connected component.

import type { Leaves } from "../flat/leaves.js";
import type { Block, Program, Rep } from "../flat/program.js";
import { allStmts } from "../flat/traverse.js";
import { InternalError } from "../internal-error.js";
import { components } from "../components.js";
import type { PullbackCode } from "./pullback-functions.js";
import { plainName, type ActiveProgram } from "./stores.js";

/** The functions that a procedure is emitted as: plain code, and the two sweeps of adjoint code. */
export type Version = "plain" | "forward" | "reverse";

type ClosureRep = Rep & { readonly kind: "closure" };

export class CallGraph {
  readonly #leaves: Leaves;
  readonly #edges = new Map<string, Set<string>>();
  readonly #cycles = new Map<string, number>();
  readonly #called = new Set<string>();
  readonly #takesDepth = new Set<string>();
  /** Constants, and pullbacks that are emitted as sweeps: what they call starts anew, whatever stack is in use. */
  readonly #anew: ReadonlySet<string>;
  /** The class of functions that each lambda's code belongs to. */
  readonly #classes = new Map<string, string>();

  constructor(program: Program, active: ActiveProgram, pullbacks: ReadonlyMap<string, PullbackCode>) {
    this.#leaves = active.leaves;
    const isSwept = (name: string): boolean => (pullbacks.get(name)?.of ?? null) !== null;
    this.#anew = new Set(program.procedures.flatMap(({ kind, name }) => (kind === "constant" || isSwept(name) ? [name] : []))); // prettier-ignore
    for (const { name, body } of program.procedures) if (!isSwept(name)) this.#walk(body, name, "plain");
    for (const { procedure, plain } of active.procedures.values()) {
      this.#walk(procedure.body, plain.name, "forward");
      this.#walk(procedure.body, plain.name, "reverse");
    }
    this.#findCycles();
    this.#findBetween();
  }

  /** A version of a procedure. */
  procedure(version: Version, name: string): string {
    return `${version} ${name}`;
  }

  /** The unknown functions of a type. */
  unknown(version: Version, rep: Rep): string {
    return this.#unknown(version, this.classOf(rep));
  }

  /** What tells function types apart that are called in one way. */
  classOf(rep: Rep): string {
    if (rep.kind !== "closure") throw new InternalError("adjoint", `a ${rep.kind} is no function`);
    return classOf(rep, this.#leaves);
  }

  /** Whether what is called counts the words of stack in use: it recurses, or it is called by something that does and calls something that does. */
  takesDepth(node: string): boolean {
    return this.#takesDepth.has(node);
  }

  /** Whether any function of the module calls it; the exported ones aside. */
  isCalled(node: string): boolean {
    return this.#called.has(node);
  }

  isCyclic(node: string): boolean {
    return this.#cycles.has(node);
  }

  /** Whether both take part in one cycle of calls. */
  isRecursive(caller: string, callee: string): boolean {
    const cycle = this.#cycles.get(caller);
    return cycle !== undefined && this.#cycles.get(callee) === cycle;
  }

  /** Whether the code of a lambda, or another procedure, has a version for the heap: it recurses, or may be called by what does as an unknown function. */
  hasDeep(version: Version, name: string): boolean {
    if (this.isCyclic(this.procedure(version, name))) return true;
    const found = this.#classes.get(name);
    return found !== undefined && this.isCyclic(this.#unknown(version, found));
  }

  #unknown(version: Version, key: string): string {
    return `${version} -> ${key}`;
  }

  #walk(body: Block, name: string, version: Version): void {
    const from = this.procedure(version, name);
    for (const stmt of allStmts(body)) {
      if (stmt.kind === "apply" && stmt.fn.kind === "var") this.#edge(from, this.unknown(version, stmt.fn.variable.rep)); // prettier-ignore
      if (stmt.kind === "call") {
        const callee = plainName(stmt.fn);
        const isActive = callee !== stmt.fn;
        if (isActive) this.#edge(from, this.procedure(version, callee));
        // Reverse sweeps compute no values
        else if (version !== "reverse" && this.#anew.has(callee)) this.#called.add(this.procedure("plain", callee));
        else if (version !== "reverse") this.#edge(from, this.procedure("plain", callee));
      }
      if (stmt.kind === "let" && stmt.op.kind === "closure") {
        const code = plainName(stmt.op.code);
        this.#classes.set(code, this.classOf(stmt.result.rep));
        this.#edge(this.unknown(version, stmt.result.rep), this.procedure(version, code));
      }
    }
  }

  #edge(from: string, to: string): void {
    this.#called.add(to);
    const targets = this.#edges.get(from);
    if (targets === undefined) this.#edges.set(from, new Set([to]));
    else targets.add(to);
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
    const reversed = new Map<string, Set<string>>();
    for (const [from, targets] of this.#edges) {
      for (const to of targets) {
        const sources = reversed.get(to) ?? new Set();
        reversed.set(to, sources.add(from));
      }
    }
    const below = reachable(this.#cycles.keys(), this.#edges);
    const above = reachable(this.#cycles.keys(), reversed);
    for (const node of below) if (above.has(node)) this.#takesDepth.add(node);
  }
}

/** What tells function types apart: the leaves of what they take and of what they give. */
export function classOf({ from, to }: ClosureRep, leaves: Leaves): string {
  return JSON.stringify([leaves.of(from), leaves.of(to)]);
}

function reachable(starts: Iterable<string>, edges: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const seen = new Set(starts);
  for (const node of seen) for (const to of edges.get(node) ?? []) seen.add(to);
  return seen;
}
