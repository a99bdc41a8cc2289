// Procedure inlining.
//
// Calls replaced by what they call: a procedure that is called once moves to where it is called, or is copied where it is an entry, too; a small one is
// copied. Both sweeps of adjoint code then stand in one function, and what is kept for the reverse sweep stays in variables. Loops that do not count are
// not put into other ones: what they save would have to be saved for each iteration. In a counted loop, both sweeps of an iteration often become one.
//
//   l = double(m)        where  double(x) = t = x * 2; yield t
//     =>   l = m * 2

import { components } from "../components.js";
import { inPlaceOf, location } from "../location.js";
import { letOf } from "./build.js";
import { Copy } from "./copy.js";
import { locateStmts } from "./locate.js";
import { FlatNames, isTemporary } from "./naming.js";
import type { Atom, Block, FlatEntry, Procedure, Program, Stmt } from "./program.js";
import { allNames, allStmts, calleesIn, mapBlocks, sizeOf } from "./traverse.js";

/** A procedure of at most this many statements may be copied. */
const small = 60;
/** No procedure gets larger than this: engines compile long functions late, or not at all. */
const largest = 600;
/** By how many statements copies let a program grow, at least; a larger program may double. */
const slack = 400;

type Call = Stmt & { readonly kind: "call" };

/** Where a call stands. */
interface Place {
  /** How much its procedure may still grow. */
  readonly buffer: number;
  /** Whether it is in a loop that does not count. */
  readonly isInOpenLoop: boolean;
}

/** The program, with the same meaning. `names` are those of the program. Constants and procedures that recurse stay, and so do entries. */
export function inlineProcedures(program: Program, names = new FlatNames(allNames(program))): Program {
  const procedures = new Inlining(program, names).procedures();
  return { ...program, procedures: reachable({ ...program, procedures }) };
}

class Inlining {
  /** Procedures whose calls have been looked at. */
  readonly #done = new Map<string, Procedure>();
  /** How often each procedure is called, or made a function of. */
  readonly #uses = new Map<string, number>();
  readonly #entries: ReadonlySet<string>;
  readonly #opaque: ReadonlySet<string>;
  readonly #recursive = new Set<string>();
  readonly #order: readonly Procedure[];
  /** How much the program may still grow. */
  #buffer: number;

  constructor(
    private readonly program: Program,
    private readonly names: FlatNames,
  ) {
    const byName = new Map(program.procedures.map((procedure) => [procedure.name, procedure]));
    const callees = (name: string): readonly string[] => usesOf(byName.get(name));
    const order: Procedure[] = [];
    for (const component of components([...byName.keys()], callees)) {
      for (const name of component) {
        const procedure = byName.get(name);
        if (procedure !== undefined) order.push(procedure);
        if (component.length > 1 || callees(name).includes(name)) this.#recursive.add(name);
      }
    }
    for (const procedure of program.procedures) {
      for (const name of usesOf(procedure)) this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1);
    }
    const size = program.procedures.reduce((sum, { body }) => sum + sizeOf(body), 0);
    this.#order = order;
    this.#entries = new Set(program.entries.flatMap(usedBy));
    this.#opaque = new Set(program.entries.flatMap((entry) => (entry.entry.isOpaque === true ? usedBy(entry) : [])));
    this.#buffer = Math.max(slack, size);
  }

  procedures(): readonly Procedure[] {
    // Callees first: what is inlined has been through this
    for (const procedure of this.#order) this.#done.set(procedure.name, this.#procedure(procedure));
    return this.program.procedures.map((procedure) => this.#done.get(procedure.name) ?? procedure);
  }

  #procedure(procedure: Procedure): Procedure {
    const caller = new Caller(sizeOf(procedure.body), (call, place) => this.#inlined(call, place));
    const body = caller.block(procedure.body);
    return caller.hasChanged ? { ...procedure, body } : procedure;
  }

  /** The body of what is called, for this call; null where it stays a call. */
  #inlined(call: Call, { buffer, isInOpenLoop }: Place): Block | null {
    const callee = this.#done.get(call.fn);
    if (callee?.kind !== "function" || this.#recursive.has(call.fn) || this.#opaque.has(call.fn)) return null;
    const size = sizeOf(callee.body);
    if (size > buffer || (isInOpenLoop && hasOpenLoop(callee.body))) return null;
    const isCalledOnce = this.#uses.get(call.fn) === 1;
    const isMoved = isCalledOnce && !this.#entries.has(call.fn);
    if (!isMoved) {
      if ((size > small && !isCalledOnce) || size > this.#buffer) return null;
      this.#buffer -= size;
    }
    return bodyFor(
      call,
      callee,
      this.names,
      isMoved ? (stem) => stem : (stem) => this.names.fresh({ stem, suffix: "" }),
    );
  }
}

/** A callee's body with the arguments of a call in place of the parameters. What it yields is called as the results of the call are. */
function bodyFor(
  call: Call,
  { params, body }: Procedure,
  { temporary }: FlatNames,
  fresh: (stem: string) => string,
): Block {
  const args = new Map<string, Atom>();
  params.forEach(({ name }, index) => {
    const arg = call.args[index];
    if (arg !== undefined) args.set(name, arg);
  });
  const wanted = new Map<string, string>();
  if (body.end.kind === "yield") {
    body.end.values.forEach((value, index) => {
      const result = call.results[index];
      if (value.kind === "var" && result !== undefined && !isTemporary(result.name, temporary)) wanted.set(value.variable.name, result.name); // prettier-ignore
    });
  }
  return new Copy({ fresh: ({ stem }) => wanted.get(stem) ?? fresh(stem) }, args).block(body);
}

function hasOpenLoop(body: Block): boolean {
  return allStmts(body).some(({ kind }) => kind === "loop");
}

/** Goes through a procedure and puts bodies in place of calls. */
class Caller {
  hasChanged = false;
  #buffer: number;
  #openLoops = 0;

  constructor(
    size: number,
    private readonly inlined: (call: Call, place: Place) => Block | null,
  ) {
    this.#buffer = largest - size;
  }

  block({ stmts, end }: Block): Block {
    return { stmts: stmts.flatMap((stmt) => this.#stmt(stmt)), end: mapBlocks(end, (inner) => this.block(inner)) };
  }

  #stmt(stmt: Stmt): readonly Stmt[] {
    switch (stmt.kind) {
      case "call":
        return this.#call(stmt);
      case "choose":
        return [{ ...stmt, end: mapBlocks(stmt.end, (inner) => this.block(inner)) }];
      case "loop":
        return [{ ...stmt, body: this.#openIteration(stmt.body) }];
      case "for":
        return [{ ...stmt, body: this.block(stmt.body) }];
      default:
        return [stmt];
    }
  }

  #openIteration(body: Block): Block {
    this.#openLoops += 1;
    const iteration = this.block(body);
    this.#openLoops -= 1;
    return iteration;
  }

  #call(call: Call): readonly Stmt[] {
    const body = this.inlined(call, { buffer: this.#buffer, isInOpenLoop: this.#openLoops > 0 });
    if (body === null) return [call];
    this.hasChanged = true;
    this.#buffer -= sizeOf(body);
    const { stmts, end } = body;
    locateStmts(stmts, 0, call[location]);
    if (end.kind !== "yield") return [...stmts, inPlaceOf<Stmt>({ kind: "choose", results: call.results, end }, call)];
    const copies = call.results.flatMap((result, index): readonly Stmt[] => {
      const value = end.values[index];
      const isThere = value === undefined || (value.kind === "var" && value.variable.name === result.name);
      return isThere ? [] : [inPlaceOf(letOf(result, { kind: "copy", value }), call)];
    });
    return [...stmts, ...copies];
  }
}

/** The procedures that an entry uses. */
function usedBy({ procedure, arrays }: FlatEntry): readonly string[] {
  const conversions = [...(arrays?.params ?? []), ...(arrays?.results ?? [])].filter((each) => each !== null);
  return [procedure, ...conversions.flatMap((each) => [each.arrays, each.list, each.cotangents])];
}

/** The procedures that the entries use. */
function reachable({ procedures, entries }: Program): readonly Procedure[] {
  const byName = new Map(procedures.map((procedure) => [procedure.name, procedure]));
  const reached = new Set(entries.flatMap(usedBy));
  for (const name of reached) for (const used of usesOf(byName.get(name))) reached.add(used);
  return procedures.filter(({ name }) => reached.has(name));
}

/** The procedures that a procedure calls, and those that it makes functions of, as often as it does. */
function usesOf(procedure: Procedure | undefined): readonly string[] {
  return procedure === undefined ? [] : calleesIn(procedure.body);
}
