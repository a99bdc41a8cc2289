// Jump threading on values.
//
// Of a number that is chosen among literals, a test of what it is says which choice was made: it is made of the tests of that.
//
//   at = if c then yield 0 else { d = ..; if d then yield 0 else yield 1 }; t = at == 0; r = if t then yield x else yield y
//     =>   t = if c then yield true else { d = ..; if d then yield true else yield false }; r = if t then yield x else yield y
//
// The element at the index of the largest is such a choice where the elements are written out.

import { Copy } from "./copy.js";
import { FlatNames } from "./naming.js";
import { bool, type Block, type End, type Program, type Stmt } from "./program.js";
import { isPureBlock } from "./pure.js";
import { allNames, endsOf, mapBlocks, mapEnds, sizeOf } from "./traverse.js";

/** Tests are made again where they are not longer than this. */
const longest = 6;

/** A choice, and the place of a number among its results. */
interface Chosen {
  readonly end: End;
  readonly place: number;
}

/** The program, with the same meaning. `names` are those of the program. */
export function knownChoices(program: Program, names = new FlatNames(allNames(program))): Program {
  const procedures = program.procedures.map((procedure) => {
    const tests = new Tests(names);
    const body = tests.block(procedure.body);
    return tests.changes === 0 ? procedure : { ...procedure, body };
  });
  return { ...program, procedures };
}

class Tests {
  readonly #chosen = new Map<string, Chosen>();
  changes = 0;

  constructor(private readonly names: FlatNames) {}

  block({ stmts, end }: Block): Block {
    return { stmts: stmts.map((stmt) => this.#stmt(stmt)), end: mapBlocks(end, (inner) => this.block(inner)) };
  }

  #stmt(stmt: Stmt): Stmt {
    switch (stmt.kind) {
      case "let":
        return this.#test(stmt);
      case "choose": {
        const next = { ...stmt, end: mapBlocks(stmt.end, (inner) => this.block(inner)) };
        for (const [place, { name, rep }] of next.results.entries())
          if (rep.kind === "int" && isAmongLiterals(next.end, place)) this.#chosen.set(name, { end: next.end, place });
        return next;
      }
      case "loop":
      case "for":
        return { ...stmt, body: this.block(stmt.body) };
      default:
        return stmt;
    }
  }

  /** `at == 0` as the choice that has made `at`. */
  #test(stmt: Stmt & { readonly kind: "let" }): Stmt {
    const { result, op } = stmt;
    if (op.kind !== "prim" || op.op !== "eqZ") return stmt;
    const [left, right] = op.args;
    const chosen = left?.kind === "var" ? this.#chosen.get(left.variable.name) : undefined;
    if (chosen === undefined || right?.kind !== "int") return stmt;
    this.changes += 1;
    const told = mapEnds({ stmts: [], end: chosen.end }, (end) => {
      const value = end.values[chosen.place];
      const isTaken = value?.kind === "int" && value.value === right.value;
      return { kind: "yield", values: [{ kind: "bool", value: isTaken }] };
    });
    return {
      kind: "choose",
      results: [{ ...result, rep: bool }],
      end: new Copy(this.names, new Map()).block(told).end,
    };
  }
}

function isAmongLiterals(end: End, place: number): boolean {
  const block: Block = { stmts: [], end };
  if (end.kind !== "if" || sizeOf(block) > longest || !isPureBlock(block)) return false;
  return [...endsOf(block)].every(({ values }) => values[place]?.kind === "int");
}
