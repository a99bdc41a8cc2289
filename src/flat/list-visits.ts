// Goes through a program and notes what is done with lists.

import { ListClasses } from "./list-classes.js";
import { Uses } from "./list-loops.js";
import type { ListType, ListTypes } from "./list-types.js";
import type { Atom, Block, End, Operation, Procedure, Program, Stmt, Var } from "./program.js";

type Loop = Stmt & { readonly kind: "loop" };
type For = Stmt & { readonly kind: "for" };
type ObjectOperation = Operation & { readonly kind: "object" };

/** Which lists of a program can be arrays. */
export function listClasses(program: Program, lists: ListTypes): ListClasses {
  // Parameters of procedures that are given places in lists
  const places = new Set<string>();
  for (;;) {
    const classes = new ListClasses(program, lists, { places });
    note(classes, program.procedures);
    if (classes.furtherPlaces.size === 0) {
      classes.settle();
      return classes;
    }
    for (const name of classes.furtherPlaces) places.add(name);
  }
}

/**
 * The same where what procedures do with lists matters to their callers, but not the other way round. `parts` are the procedures, those that call each
 * other together, behind what they call; `known` are their lists where all have them in common.
 */
export function listClassesOfCalls(
  program: Program,
  parts: readonly (readonly Procedure[])[],
  lists: ListTypes,
  { places, expensive }: ListClasses,
): ListClasses {
  const noted = new Set<string>();
  const classes = new ListClasses(program, lists, { places, expensive, noted });
  for (const part of parts) {
    note(classes, part);
    for (const { name } of part) noted.add(name);
  }
  return classes;
}

function note(classes: ListClasses, procedures: readonly Procedure[]): void {
  for (const procedure of procedures) {
    classes.enter(procedure);
    const visit = new Visit(classes, new Uses(procedure.body), (values) => {
      classes.yielded(procedure, values);
    });
    visit.block(procedure.body);
  }
}

type Yields = (values: readonly Atom[]) => void;

class Visit {
  constructor(
    private readonly classes: ListClasses,
    private readonly uses: Uses,
    private readonly yields: Yields,
    private readonly next: Yields = () => undefined,
  ) {}

  block({ stmts, end }: Block): void {
    for (const stmt of stmts) this.#stmt(stmt);
    this.end(end);
  }

  end(end: End): void {
    switch (end.kind) {
      case "yield":
        this.yields(end.values);
        return;
      case "next":
        this.next(end.values);
        return;
      case "if":
        this.block(end.then);
        this.block(end.else);
        return;
      case "switch":
        this.#switched(end.object);
        for (const { body } of end.branches) this.block(body);
    }
  }

  #switched(object: Atom): void {
    const along = this.classes.along(object);
    if (along === null) this.classes.bad(object);
    else this.classes.look(along);
  }

  #stmt(stmt: Stmt): void {
    const { classes } = this;
    switch (stmt.kind) {
      case "let":
        this.#let(stmt);
        return;
      case "check":
        return;
      case "choose":
        new Visit(classes, this.uses, this.#into(stmt.results), this.next).end(stmt.end);
        return;
      case "call":
        classes.called(stmt);
        return;
      case "apply":
        for (const arg of stmt.args) classes.bad(arg);
        for (const variable of stmt.results) classes.bad({ kind: "var", variable });
        return;
      case "loop":
        this.#loop(stmt);
        return;
      case "for":
        this.#for(stmt);
    }
  }

  #into(results: readonly Var[]): Yields {
    return (values) => {
      values.forEach((value, index) => {
        this.classes.same(results[index], value);
      });
    };
  }

  #let({ result, op }: Stmt & { readonly kind: "let" }): void {
    const { classes } = this;
    const self: Atom = { kind: "var", variable: result };
    switch (op.kind) {
      case "copy":
        classes.same(result, op.value);
        return;
      case "cell":
        if (classes.of(result) !== null) classes.part(op.array, self);
        return;
      case "array":
        for (const item of op.items) if (classes.of(result) !== null) classes.part(self, item);
        return;
      case "length":
        return;
      case "closure":
        classes.captured(op.code, op.captured);
        return;
      case "field": {
        const along = classes.along(op.object);
        if (along === null) {
          classes.bad(op.object);
          classes.bad(self);
        } else if (op.index === along.list.rest) {
          classes.step(result, along);
        } else {
          classes.field(along, op.index, result);
        }
        return;
      }
      case "object": {
        if (classes.isCell(result)) return;
        const list = classes.listOf(result.rep);
        if (list !== null) {
          this.#list(result, op, list);
          return;
        }
        for (const arg of op.args) classes.bad(arg);
        classes.bad(self);
        return;
      }
      default:
        classes.bad(self);
    }
  }

  /** A list is made: an empty one, or cells in front of one. */
  #list(result: Var, op: ObjectOperation, list: ListType): void {
    const { classes } = this;
    classes.of(result);
    const next = op.con === list.end ? undefined : op.args[list.rest];
    if (next === undefined) return;
    classes.endsWith(result, next);
    if (this.uses.isBehindCell(result, list)) return;
    const { cells, rest } = this.uses.cellsOf(op, list);
    for (const args of cells) this.#leaves(result, args, list);
    if (rest !== null) classes.longer(result, rest);
  }

  /** What a cell of a list holds. */
  #leaves(whole: Var, args: readonly Atom[], list: ListType): void {
    for (const { index, rep } of list.leaves)
      if (this.classes.holdsLists(rep)) this.classes.part({ kind: "var", variable: whole }, args[index], index);
  }

  #loop(stmt: Loop): void {
    const { classes } = this;
    const walks = new Set([...stmt.params.keys()].filter((index) => classes.walk(stmt, index, this.uses)));
    stmt.params.forEach((param, index) => {
      if (!walks.has(index)) classes.same(param, stmt.init[index]);
    });
    const next: Yields = (values) => {
      values.forEach((value, index) => {
        const array = stmt.arrays[index - stmt.params.length];
        if (array !== undefined) this.#element(array, value);
        else if (!walks.has(index)) classes.same(stmt.params[index], value);
      });
    };
    const yielded: (readonly Atom[])[] = [];
    new Visit(classes, this.uses, (values) => yielded.push(values), next).block(stmt.body);
    stmt.results.forEach((result, index) => {
      const values = yielded.flatMap((each) => each.slice(index, index + 1));
      if (!classes.found(result, values)) for (const value of values) classes.same(result, value);
    });
  }

  #for(stmt: For): void {
    const { classes } = this;
    const made = classes.make(stmt, this.uses);
    stmt.params.forEach((param, index) => {
      if (made?.position === index) return;
      classes.same(param, stmt.init[index]);
      const result = stmt.results[index];
      if (result !== undefined) classes.same(result, { kind: "var", variable: param });
    });
    const whole = made === null ? undefined : stmt.results[made.position];
    if (made !== null && whole !== undefined) {
      if (made.rest === null) classes.same(whole, stmt.init[made.position]);
      else {
        classes.endsWith(whole, made.rest);
        classes.longer(whole, made.rest);
      }
      this.#leaves(whole, made.args, made.list);
    }
    const yields: Yields = (values) => {
      values.forEach((value, index) => {
        const array = stmt.arrays[index - stmt.params.length];
        if (array !== undefined) this.#element(array, value);
        else if (made?.position !== index) classes.same(stmt.params[index], value);
      });
    };
    new Visit(classes, this.uses, yields).block(stmt.body);
  }

  #element(array: Var, value: Atom): void {
    if (this.classes.of(array) !== null) this.classes.part({ kind: "var", variable: array }, value);
  }
}
