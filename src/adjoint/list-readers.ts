// Functions that read lists: for each list type that is arrays inside, and for arrays of such lists, one that checks a value and makes the arrays, all in
// one. It gives null for what is no such value, which is looked at again for the message.

import type { Type } from "../core/type.js";
import { assign, binary, callOf, constant, id, member, not, number, returned, string } from "../typescript/build.js";
import { isOfReals } from "../flat/list-types.js";
import type { Rep } from "../flat/program.js";
import type { Scope } from "../typescript/naming.js";
import type { TsDeclaration, TsExpr, TsStmt, TsType } from "../typescript/tree.js";
import { chainWalk, type ChainWalk } from "./chain-walk.js";
import { cellOf, countingUp } from "./code.js";
import { ListFunctions, type ListFunctionCode } from "./list-functions.js";
import { ListLayouts, soleOf, type ArrayType, type Item, type ListOrArrays } from "./list-layouts.js";
import { follow } from "./operations.js";
import { all } from "./quick-tests.js";
import type { DataType, ValueSetting } from "./value-types.js";

/** An array that stands for a list, or one of several. */
interface Column {
  readonly name: string;
  readonly rep: Rep;
  /** Where it is of reals: what they are read into. */
  readonly buffer: Buffer | null;
}

/** A workspace, from its free part on. */
interface Buffer {
  readonly name: string;
  /** The variable that has the place of the first number; null where all of it is free. */
  readonly start: string | null;
  /** What makes it. */
  readonly init: TsExpr;
}

const nothing: TsExpr = { kind: "null" };

export class ListReaders {
  readonly functions: ListFunctions<ListOrArrays>;
  readonly #setting: ValueSetting;
  readonly #lists: ListLayouts;

  constructor(setting: ValueSetting) {
    this.#setting = setting;
    this.#lists = new ListLayouts(setting);
    this.functions = new ListFunctions(setting, "read", (type) => this.#lists.hasOrHolds(type));
  }

  /** The arrays that stand for what there is a function for, in a workspace, or in memory of their own where that is null; null where the value is none. */
  call(type: Type, value: TsExpr, workspace: TsExpr): TsExpr {
    return callOf(this.functions.use(type), value, ...(this.usesWorkspace(type) ? [workspace] : []));
  }

  /** Whether a list, or an array of them, holds reals. */
  usesWorkspace(type: Type): boolean {
    return this.#lists.columns(type).some(isOfReals);
  }

  declarations(): readonly TsDeclaration[] {
    return this.functions.declarations((type, scope) => this.#code(type, scope));
  }

  #code(type: ListOrArrays, scope: Scope): ListFunctionCode {
    const [list, workspace] = [scope.fresh(type.kind === "array" ? "lists" : "list"), scope.fresh("workspace")];
    const given = this.#setting.outside.input(type);
    const ofWorkspace = (): TsType => ({ kind: "union", members: [{ kind: "name", name: this.#setting.refer("workspace.Workspace").name, args: [] }, { kind: "literal", value: null }] }); // prettier-ignore
    const columns = this.#lists.columns(type).map((column) => this.#setting.types.of(column, "adjoint"));
    const arrays: TsType = soleOf(columns) ?? { kind: "tuple", items: columns };
    return {
      params: [
        { name: list, type: given, optional: false },
        ...(this.usesWorkspace(type) ? [{ name: workspace, type: ofWorkspace(), optional: false }] : []),
      ],
      result: { kind: "union", members: [arrays, { kind: "literal", value: null }] },
      body:
        type.kind === "array"
          ? this.#ofArray(type, id(list), id(workspace), scope)
          : this.#ofList(type, list, given, id(workspace), scope),
    };
  }

  /** Reads element by element. */
  #ofArray(type: ArrayType, lists: TsExpr, workspace: TsExpr, scope: Scope): readonly TsStmt[] {
    const names = this.#lists.names(type);
    const columns = this.#lists.columns(type).map((rep, index): Column => ({ name: scope.fresh(names[index] ?? "items"), rep, buffer: null })); // prettier-ignore
    const at = scope.fresh("i");
    const targets = columns.map(({ name }) => slotOf(name, id(at)));
    const reading: TsStmt[] = [];
    this.#readInto(targets, type.element, cellOf(lists, id(at)), workspace, scope, reading);
    return [
      stopsUnless(callOf(this.#setting.refer("values.isArray"), lists)),
      ...columns.flatMap((column) => this.#newArray(column)),
      countingUp(at, member(lists, "length"), reading),
      returned(together(columns.map(({ name }) => id(name)))),
    ];
  }

  /** Looks at each cell and reads it: numbers into memory that grows as needed, what goes into arrays of its own when their length is known. */
  #ofList(type: DataType, list: string, given: TsType, workspace: TsExpr, scope: Scope): readonly TsStmt[] {
    const chain = this.#lists.chain(type);
    const reps = this.#lists.columns(type);
    const names = this.#lists.names(type);
    const isSole = reps.filter((rep) => !isOfFlags(rep)).length === 1;
    const columns = reps.map((rep, index): Column => ({ name: scope.fresh(names[index] ?? "items"), rep, buffer: isOfNumbers(rep) ? this.#buffer(workspace, isSole, scope) : null })); // prettier-ignore
    const [early, late] = [columns.filter(({ rep }) => !isOfFlags(rep)), columns.filter(({ rep }) => isOfFlags(rep))];
    const test = (rest: TsExpr): TsExpr => this.#lists.isOf(chain.cell, rest);
    const at = (rest: TsExpr, steps: TsExpr): readonly TsStmt[] => {
      // V8 takes what is read right behind the test of a tag for what either constructor may have there, and makes an object for each number: so not there
      const out: TsStmt[] = [
        ...this.#lists.fetchingRows(chain, rest, steps),
        ...columns.flatMap((column) => this.#makeBuffer(column, steps)),
      ];
      const tests: TsExpr[] = [];
      const items = this.#lists.items(type, rest, tests);
      if (tests.length > 0) out.push(stopsUnless(all(tests)));
      const targets = early.map(({ name, buffer }) => slotOf(name, placeOf(buffer, steps)));
      for (const item of items) if (!isFlag(item)) this.#readItem(item, targets, workspace, scope, out);
      return out;
    };
    const walk = chainWalk(list, chain.next, given, { test, at }, returned(nothing), scope);
    const isEnd = this.#lists.isOf(chain.end, walk.rest);
    const results = columns.map((column) => this.#result(column, walk.steps, workspace));
    return [
      ...early.flatMap((column) => this.#newArray(column)),
      ...walk.stmts,
      stopsUnless(isEnd),
      ...(late.length === 0 ? [] : this.#readFlags(type, late, id(list), walk, scope)),
      returned(together(results)),
    ];
  }

  /** Reads integers and truth values of a list, once it is known how many there are: ordinary arrays that grow would take longer than a second walk. */
  #readFlags(
    type: DataType,
    columns: readonly Column[],
    list: TsExpr,
    { rest, steps }: ChainWalk,
    scope: Scope,
  ): readonly TsStmt[] {
    const { cell, next } = this.#lists.chain(type);
    const at = scope.fresh("at");
    const items = this.#lists.items(type, rest, null).filter(isFlag);
    const arrays = columns.map(({ name, rep }) =>
      constant(name, this.#setting.types.filled(rep, "adjoint"), { kind: "new", fn: id("Array"), args: [steps] }),
    );
    const walk = countingUp(at, steps, [
      stopsUnless(binary("===", member(rest, "tag"), string(cell.name))),
      ...columns.flatMap(({ name }, index) => items.slice(index, index + 1).map(({ value }) => assign(slotOf(name, id(at)), value))), // prettier-ignore
      assign(rest, member(rest, next)),
    ]);
    return [...arrays, assign(rest, list), walk];
  }

  /** What numbers are read into: the workspace where they are all that is read, one for them alone otherwise. */
  #buffer(workspace: TsExpr, isSole: boolean, scope: Scope): Buffer {
    const own = callOf(this.#setting.refer("workspace.takeWorkspace"));
    return {
      name: scope.fresh("buffer"),
      start: isSole ? scope.fresh("start") : null,
      init: isSole ? { kind: "binary", op: "??", left: workspace, right: own } : own,
    };
  }

  #newArray({ name, rep, buffer }: Column): readonly TsStmt[] {
    if (buffer === null)
      return [constant(name, this.#setting.types.filled(rep, "adjoint"), { kind: "array", items: [] })];
    return [
      constant(buffer.name, null, buffer.init),
      ...(buffer.start === null
        ? []
        : [{ kind: "let", name: buffer.start, type: null, init: member(id(buffer.name), "taken") } as const]),
      { kind: "let", name, type: null, init: member(id(buffer.name), "numbers") },
    ];
  }

  #makeBuffer({ name, buffer }: Column, steps: TsExpr): readonly TsStmt[] {
    if (buffer === null) return [];
    const isFull = binary("===", placeOf(buffer, steps), member(id(name), "length"));
    const grow = assign(id(name), callOf(this.#setting.refer("workspace.roomier"), id(name), startOf(buffer)));
    const atStart = buffer.start === null ? [] : [assign(id(buffer.start), number(0))];
    return [{ kind: "if", test: isFull, then: [grow, ...atStart], else: [] }];
  }

  #result({ name, buffer }: Column, steps: TsExpr, workspace: TsExpr): TsExpr {
    if (buffer === null) return id(name);
    const read = this.#setting.refer("workspace.numbersRead");
    return callOf(read, id(buffer.name), id(name), startOf(buffer), steps, workspace);
  }

  /** Puts an item where it belongs: at the next targets, which are taken. */
  #readItem({ type, value }: Item, targets: TsExpr[], workspace: TsExpr, scope: Scope, out: TsStmt[]): void {
    if (type.kind !== "data") out.push(...targets.splice(0, 1).map((target) => assign(target, value)));
    else this.#readInto(targets.splice(0, this.#lists.columns(type).length), type, value, workspace, scope, out);
  }

  /** Puts the arrays that stand for a value where they belong. */
  #readInto(
    targets: readonly TsExpr[],
    type: Type,
    value: TsExpr,
    workspace: TsExpr,
    scope: Scope,
    out: TsStmt[],
  ): void {
    const inner = scope.fresh("items");
    out.push(constant(inner, null, this.call(type, value, workspace)));
    out.push({ kind: "if", test: binary("===", id(inner), nothing), then: [returned(nothing)], else: [] });
    const isSole = targets.length === 1;
    out.push(...targets.map((target, index) => assign(target, isSole ? id(inner) : follow(id(inner), [index]))));
  }
}

function stopsUnless(test: TsExpr): TsStmt {
  return { kind: "if", test: not(test), then: [returned(nothing)], else: [] };
}

function together(columns: readonly TsExpr[]): TsExpr {
  return soleOf(columns) ?? { kind: "array", items: columns };
}

/** Where an element is put. */
function slotOf(array: string, index: TsExpr): TsExpr {
  return { kind: "index", object: id(array), index, certain: false };
}

function startOf({ start }: Buffer): TsExpr {
  return start === null ? number(0) : id(start);
}

/** Where the number at some step belongs. */
function placeOf(buffer: Buffer | null, steps: TsExpr): TsExpr {
  return buffer === null || buffer.start === null ? steps : binary("+", startOf(buffer), steps);
}

/** Whether an array is one of integers or truth values. */
function isOfFlags(rep: Rep): boolean {
  return rep.kind === "array" && (rep.element.kind === "int" || rep.element.kind === "bool");
}

function isFlag({ type }: Item): boolean {
  return type.kind === "int" || type.kind === "bool";
}

function isOfNumbers(rep: Rep): boolean {
  return rep.kind === "array" && rep.element.kind === "real";
}
