// Procedure cloning.
//
// Procedures for lists that can be arrays beside the same procedures for those that cannot: what one caller does with its lists does not matter to others.
//
//   a = total(numbers); b = total(stack)     =>     a = total(numbers); b = total1(stack)     where  total1 = total

import { components } from "../components.js";
import { Copy } from "./copy.js";
import { Leaves } from "./leaves.js";
import type { ListClasses } from "./list-classes.js";
import type { ListGroup } from "./list-sets.js";
import { ListTypes } from "./list-types.js";
import { listClasses, listClassesOfCalls } from "./list-visits.js";
import { FlatNames } from "./naming.js";
import type { Block, Procedure, Program, Stmt } from "./program.js";
import { allNames, allStmts, mapBlocks } from "./traverse.js";

/** So many versions of a procedure at most: others that are asked for are the first one, and no lists of it that differ there are arrays. */
const most = 4;

/** The program, with the same meaning. `names` are those of the program. */
export function listVersions(program: Program, names = new FlatNames(allNames(program))): Program {
  const lists = new ListTypes(new Leaves(program.data));
  const classes = listClasses(program, lists);
  if (!classes.hasOthers()) return program;
  const parts = recursiveParts(program.procedures);
  return new Versions(program, parts, listClassesOfCalls(program, parts, lists, classes), names).program();
}

/** Procedures that call each other, and the code of lambdas with those that make them: each part after those that it calls. */
function recursiveParts(procedures: readonly Procedure[]): readonly (readonly Procedure[])[] {
  const byName = new Map(procedures.map((procedure) => [procedure.name, procedure]));
  const edges = new Map(procedures.map(({ name }) => [name, new Set<string>()]));
  for (const { name, body } of procedures) {
    for (const stmt of allStmts(body)) {
      if (stmt.kind === "call") edges.get(name)?.add(stmt.fn);
      if (stmt.kind !== "let" || stmt.op.kind !== "closure") continue;
      edges.get(name)?.add(stmt.op.code);
      edges.get(stmt.op.code)?.add(name);
    }
  }
  const parts = components([...byName.keys()], (name) => edges.get(name) ?? []);
  return parts.map((part) => part.flatMap((name) => byName.get(name) ?? []));
}

/** Procedures that call each other, where `others` of their groups of lists are arrays and stay lists the other way round. */
interface Version {
  readonly part: readonly Procedure[];
  readonly others: ReadonlySet<ListGroup>;
  /** By procedure, what it is called in this version. */
  readonly names: ReadonlyMap<string, string>;
}

class Versions {
  readonly #parts = new Map<string, readonly Procedure[]>();
  readonly #versions = new Map<readonly Procedure[], Version[]>();
  readonly #pending: Version[] = [];

  constructor(
    private readonly original: Program,
    parts: readonly (readonly Procedure[])[],
    private readonly classes: ListClasses,
    private readonly names: FlatNames,
  ) {
    for (const part of parts) for (const { name } of part) this.#parts.set(name, part);
  }

  program(): Program {
    for (const { procedure } of this.original.entries) this.#version(procedure, new Set());
    const made = new Map(this.original.procedures.map(({ name }): [string, Procedure[]] => [name, []]));
    for (let version = this.#pending.shift(); version !== undefined; version = this.#pending.shift())
      for (const procedure of version.part) made.get(procedure.name)?.push(this.#procedure(procedure, version));
    const isOne = [...this.#versions.values()].every(({ length }) => length === 1);
    return isOne ? this.original : { ...this.original, procedures: [...made.values()].flat() };
  }

  #version(procedure: string, others: ReadonlySet<ListGroup>): Version | null {
    const part = this.#parts.get(procedure);
    if (part === undefined) return null;
    const versions = this.#versions.get(part) ?? [];
    const [first] = versions;
    const known = versions.find((version) => isSame(version.others, others));
    if (known !== undefined) return known;
    if (first !== undefined && versions.length === most) return first;
    const nameOf = (name: string): string =>
      first === undefined ? name : this.names.fresh({ stem: name, suffix: "" });
    const made = { part, others, names: new Map(part.map(({ name }) => [name, nameOf(name)])) };
    this.#versions.set(part, [...versions, made]);
    this.#pending.push(made);
    return made;
  }

  #procedure(procedure: Procedure, version: Version): Procedure {
    const body = this.#block(procedure.body, version);
    const name = version.names.get(procedure.name) ?? procedure.name;
    if (name === procedure.name) return { ...procedure, body };
    const copy = new Copy(this.names, new Map());
    const [captured, params] = [procedure.captured.map(copy.bind), procedure.params.map(copy.bind)];
    return { ...procedure, name, captured, params, body: copy.block(body) };
  }

  #block({ stmts, end }: Block, version: Version): Block {
    return {
      stmts: stmts.map((stmt) => this.#stmt(stmt, version)),
      end: mapBlocks(end, (inner) => this.#block(inner, version)),
    };
  }

  #stmt(stmt: Stmt, version: Version): Stmt {
    switch (stmt.kind) {
      case "call":
        return { ...stmt, fn: this.#called(stmt, version) };
      case "let": {
        const { op } = stmt;
        return op.kind === "closure" ? { ...stmt, op: { ...op, code: version.names.get(op.code) ?? op.code } } : stmt;
      }
      case "choose":
        return { ...stmt, end: mapBlocks(stmt.end, (inner) => this.#block(inner, version)) };
      case "loop":
      case "for":
        return { ...stmt, body: this.#block(stmt.body, version) };
      default:
        return stmt;
    }
  }

  /** The procedure of the version that a call asks for. */
  #called(call: Stmt & { readonly kind: "call" }, version: Version): string {
    const own = version.names.get(call.fn);
    if (own !== undefined) return own;
    const isArrays = (group: ListGroup): boolean => group.isArrays !== version.others.has(group);
    const wanted = [...this.classes.groupsOf(call, isArrays)];
    const others = new Set(wanted.flatMap(([group, isWanted]) => (group.isArrays === isWanted ? [] : [group])));
    return this.#version(call.fn, others)?.names.get(call.fn) ?? call.fn;
  }
}

function isSame(some: ReadonlySet<ListGroup>, others: ReadonlySet<ListGroup>): boolean {
  return some.size === others.size && [...some].every((each) => others.has(each));
}
