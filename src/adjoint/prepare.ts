// What comes before adjoint code is written: what is active in a flat program, and its stores made explicit.

import { Names } from "../core/names.js";
import type * as Source from "../core/term.js";
import { atomOf, yieldOf } from "../flat/build.js";
import { leavesOf, type WithRespectTo } from "../emit/interface/interface.js";
import { Leaves } from "../flat/leaves.js";
import type { NameFacts } from "../flat/naming.js";
import type { Block, Procedure, Program, Stmt, Var } from "../flat/program.js";
import { allNames, calleesIn, mapBlocks } from "../flat/traverse.js";
import { inPlaceOf } from "../location.js";
import { mapSame } from "../same.js";
import { identifier } from "../typescript/naming.js";
import { Activity } from "./activity.js";
import { pullbackCodes, pullbackParameters, silentParams, type PullbackCode } from "./pullback-functions.js";
import { elementOf, withStores, type ActiveProgram } from "./stores.js";

/** A flat program whose entries end in one yield, and the versions of its procedures that have adjoint code. */
export interface Prepared {
  readonly flat: Program;
  readonly active: ActiveProgram;
  /** The identifiers of variables, but for those that are called after others. */
  readonly variables: ReadonlySet<string>;
  readonly names: NameFacts;
  /** By the name of an entry the name of the one that computes its value, where that is another. */
  readonly values: ReadonlyMap<string, string>;
  /** The procedures that are emitted as a reverse pass over another one. */
  readonly pullbacks: ReadonlyMap<string, PullbackCode>;
  /** The functions of the caller's that are differentiated: they have no rule. */
  readonly unruled: ReadonlySet<string>;
}

/** What stores are made for. */
export interface StoreContext {
  /** The program as it was elaborated, with its interface. */
  readonly source: Source.Program;
  readonly wrt: WithRespectTo;
  readonly names: NameFacts;
  /** By the name of an entry that has a derivative the name of the one that computes its value, where that is another. */
  readonly values: ReadonlyMap<string, string>;
}

export function prepare(program: Program, { source, wrt, names, values }: StoreContext): Prepared {
  const flat = withSingleExits(program);
  const leaves = new Leaves(flat.data);
  const inputs = new Map([...wrt, ...pullbackParameters(source)]);
  const pullbacks = pullbackCodes(source, flat, leaves);
  const activity = new Activity(flat, leaves, differentiated(source, flat, leaves, inputs), silentParams(flat, pullbacks)); // prettier-ignore
  const taken = allNames(flat);
  const isRuled = (name: string): boolean => (pullbacks.get(name)?.reverse ?? null) !== null;
  const active = withStores(flat, { activity, leaves }, { taken, called: names.called }, isRuled);
  return {
    flat: { ...flat, procedures: [...flat.procedures, ...active.constants] },
    active,
    variables: new Set([...taken].filter((name) => !names.called.has(name)).map(identifier)),
    names,
    values,
    pullbacks,
    unruled: activity.unruled,
  };
}

/** The procedures of which there is a reverse sweep, and those that they call besides. */
export function preparedProcedures({ flat, active }: Prepared): readonly Procedure[] {
  const withStore = [...active.procedures.values()].map(({ procedure }) => procedure);
  const plain = new Map(flat.procedures.map((procedure) => [procedure.name, procedure]));
  const called = new Set<Procedure>();
  const visit = ({ body }: Procedure): void => {
    for (const name of calleesIn(body)) {
      const callee = plain.get(name);
      if (callee === undefined || called.has(callee)) continue;
      called.add(callee);
      visit(callee);
    }
  };
  withStore.forEach(visit);
  return [...withStore, ...called];
}

/** For each entry's procedure, which of its parameters are differentiated. */
function differentiated(
  program: Source.Program,
  flat: Program,
  leaves: Leaves,
  wrt: WithRespectTo,
): ReadonlyMap<string, readonly boolean[]> {
  const flatEntries = new Map(flat.entries.map((each) => [each.entry.name, each]));
  return new Map(
    program.entries
      .filter(({ params }) => params.length > 0)
      .map((entry) => {
        const names = wrt.get(entry.name);
        const { procedure = entry.name, arrays } = flatEntries.get(entry.name) ?? {};
        const byLeaf = leavesOf(entry.params).flatMap(({ leaf }) =>
          leaves.of(leaf.type).map(() => names?.includes(leaf.name) ?? true),
        );
        // Several arrays may stand for a list
        const active = byLeaf.flatMap((is, index) =>
          Array.from({ length: arrays?.params[index]?.suffixes.length ?? 1 }, () => is),
        );
        return [procedure, active];
      }),
  );
}

/**
 * Entries end in one yield: both sweeps of an entry are one function, which goes on after the forward sweep. So do counted loops that carry arrays: what becomes of
 * these is chosen in one place.
 */
function withSingleExits(program: Program): Program {
  const entries = new Set(program.entries.map(({ procedure }) => procedure));
  const names = new Names(allNames(program));
  const within = (block: Block): Block => ({ end: mapBlocks(block.end, within), stmts: mapSame(block.stmts, inside) });
  const inside = (stmt: Stmt): Stmt => {
    switch (stmt.kind) {
      case "choose":
        return { ...stmt, end: mapBlocks(stmt.end, within) };
      case "loop":
        return { ...stmt, body: within(stmt.body) };
      case "for": {
        const body = within(stmt.body);
        const carried = stmt.params.map(({ name, rep }): Var => ({ name, rep }));
        if (!carried.some(({ rep }) => rep.kind === "array")) return { ...stmt, body };
        const made = stmt.arrays.map(({ name, rep }): Var => ({ name, rep: elementOf(rep) }));
        return { ...stmt, body: singleExit(body, [...carried, ...made], names) };
      }
      default:
        return stmt;
    }
  };
  const procedures = program.procedures.map((procedure) => {
    const body = within(procedure.body);
    const results = procedure.results.map((rep): Var => ({ name: "result", rep }));
    return { ...procedure, body: entries.has(procedure.name) ? singleExit(body, results, names) : body };
  });
  return { ...program, procedures };
}

/** A block that ends in one yield, of `results` by other names. */
function singleExit(block: Block, results: readonly Var[], names: Names): Block {
  if (block.end.kind === "yield") return block;
  const variables = results.map(({ name, rep }): Var => ({ name: names.fresh(name), rep }));
  return yieldOf(
    [...block.stmts, inPlaceOf<Stmt>({ kind: "choose", results: variables, end: block.end }, block.end)],
    variables.map(atomOf),
  );
}
