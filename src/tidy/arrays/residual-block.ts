// Region allocation of residuals.
//
// Arrays that iterations keep for the reverse sweep, of lengths that are known in the loop only, are parts of one array that grows, and no objects: an array is where it
// begins. V8 takes longer to make an array of a few numbers, and to keep it, than to compute them.
//
//   const ySaved = new Array(n);
//   for (let i = 0; i < n; i++) { const m = rows[i].length; const y = new Float64Array(m); .. y[j] = e ..; ySaved[i] = y; }
//   ..
//   const y = ySaved[i]; .. y[j] .. y.length ..
//     =>
//   let saved = takeRoom(); let savedEnd = 0;
//   const ySaved = new Int32Array(n);
//   for (let i = 0; i < n; i++) {
//     const m = rows[i].length;
//     const y = savedEnd + 1; savedEnd = y + m; saved = withRoom(saved, savedEnd); saved[y - 1] = m;
//     .. saved[y + j] = e ..; ySaved[i] = y;
//   }
//   ..
//   const y = ySaved[i]; const n = saved[y - 1]; .. saved[y + j] .. n ..
//   leaveRoom(saved, savedEnd);
//
// Arrays of arrays are parts of a second one, of integers: where their elements begin. The length stands in front where somebody asks for it. An array from elsewhere that a
// loop begins with is copied. Where all sizes are known in front of the loops, nothing has to be written down: an array of its own holds the arrays of one kind, and counters
// and sizes tell where each of them begins.
//
//   const ySaved = new Float64Array(n * m);
//   for (let i = 0; i < n; i++) { const row = i * m; .. ySaved[row + j] = e .. }
//
// Nothing is given back before the function ends: so these are arrays that are kept until then in any case. Where an iteration makes an array of arrays for itself, of sizes
// that are known by then, these are parts of one of its own, which others make once in front of the loop.

import { InternalError } from "../../internal-error.js";
import {
  assign,
  assigned,
  binary,
  callOf,
  constant,
  effect,
  id,
  lengthAlone,
  member,
  number,
  objectType,
  typeName,
} from "../../typescript/build.js";
import { calledPlainly } from "../../typescript/called.js";
import { isName } from "../../typescript/facts.js";
import {
  mapBlocks,
  mapParts,
  mapStmt,
  replaced,
  visitExpressions,
  visitNames,
  visitStatements,
  withBody,
  type Rewriting,
} from "../../typescript/traverse.js";
import { locatedCode, locationOf } from "../../typescript/locate.js";
import { location } from "../../location.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { ArrayClasses, heldBy, isZeroing, type ArrayClass, type Maker } from "../analysis/array-classes.js";
import { regularNests, type RegularNest } from "../analysis/regular-nests.js";
import type { Bindings } from "../analysis/bindings.js";
import { counting, isNewArray } from "../analysis/counting.js";
import { mentionsIn } from "../analysis/mentions.js";
import { isCallOf, type Surroundings } from "../analysis/purity.js";
import { surveyed } from "../analysis/survey.js";
import { numbersIn, workArrayMaker } from "./arena.js";
import { plus, withoutTwins } from "./row-offsets.js";
import { RowPlan, type Rows } from "./row-plan.js";

type Definition = TsStmt & { readonly kind: "const" | "let" };

/** The functions of the runtime that give a block, make it longer, and take it back. */
const blockFunctions = {
  numbers: { take: "adjoint.takeRoom", enlarge: "adjoint.withRoom", leave: "adjoint.leaveRoom" },
  places: { take: "adjoint.takePlaces", enlarge: "adjoint.withPlaces", leave: "adjoint.leavePlaces" },
} as const;

export const blockMakers = Object.values(blockFunctions).flatMap((each) => Object.values(each));

export function withResidualBlock(given: TsFunction, bindings: Bindings, surroundings: Surroundings): TsFunction {
  if (blockMakers.some((maker) => surroundings.nameOf(maker) === null)) return given;
  const fn = withNamedRows(given, bindings);
  const classes = new ArrayClasses(fn, surroundings, numbersIn(fn, surroundings));
  const nests = regularNests(fn, classes, surroundings);
  const regular = new Set(nests.flatMap(({ levels }) => levels.map(({ array }) => array)));
  const parts = partsOf(classes, regular);
  if (parts.size === 0 && nests.length === 0) return given;
  return new Blocks(fn, bindings, surroundings, classes, parts, nests).rewritten();
}

/** A function in which a row that is made as the element of an array, `rows[i] = new Float64Array(n)`, has a name. */
function withNamedRows(fn: TsFunction, bindings: Bindings): TsFunction {
  return mapBlocks(fn, (body) =>
    replaced(body, (stmt) => {
      if (stmt.kind !== "expr" || stmt.expr.kind !== "assign") return stmt;
      if (stmt.expr.target.kind !== "index" || !isNewArray(stmt.expr.value)) return stmt;
      const row = bindings.fresh("row");
      const made = constant(row, null, stmt.expr.value);
      return locatedCode([made, { ...stmt, expr: { ...stmt.expr, value: id(row) } }], locationOf(stmt));
    }),
  );
}

/** Where the arrays of a class are: arrays of their own, which hold where others begin, or parts of a block. */
type Home = "own" | "numbers" | "places";

/**
 * The classes of arrays that are kept from iterations to the end of the function, and those of the arrays that hold them: all of these have to hold where arrays begin, or
 * none does.
 */
function partsOf(classes: ArrayClasses, regular: ReadonlySet<ArrayClass>): ReadonlyMap<ArrayClass, Home> {
  const all = new Set([...classes.all()].filter((array) => !regular.has(array)));
  const isHeld = new Set([...all].map(heldBy));
  const blocked = new Set<ArrayClass>();
  for (;;) {
    const found = keptAmong(all, blocked);
    const before = blocked.size;
    for (const array of all) {
      const home = found.get(heldBy(array));
      if (found.has(array) || home === undefined || home === "own") continue;
      const isPlain = array.makers.every(({ how }) => how.kind === "arrays" || how.kind === "items");
      if (isPlain && !isHeld.has(array) && canMove(array, blocked)) found.set(array, "own");
      else blocked.add(heldBy(array));
    }
    if (blocked.size === before) return found;
  }
}

/** The classes that iterations keep in arrays outside of loops, and what these hold. */
function keptAmong(all: ReadonlySet<ArrayClass>, blocked: ReadonlySet<ArrayClass>): Map<ArrayClass, Home> {
  const found = new Map<ArrayClass, Home>();
  const keep = (array: ArrayClass): void => {
    if (found.has(array) && found.get(array) !== "own") return;
    const held = heldBy(array);
    found.set(array, held.isOfNumbers ? "numbers" : "places");
    if (!held.isOfNumbers) keep(held);
  };
  for (const array of all) {
    const held = heldBy(array);
    const isOutside = array.makers.every(({ depth, how }) => depth === 0 && how.kind === "arrays");
    if (!isOutside || array.makers.length === 0 || held.isOfNumbers || !canMove(array, blocked)) continue;
    if (!held.makers.some(({ depth }) => depth > 0)) continue;
    if (!found.has(array)) found.set(array, "own");
    keep(held);
  }
  return found;
}

/** Whether arrays, and what they hold, are looked at by statements of the function alone, which can look at a block instead. */
function canMove(array: ArrayClass, blocked: ReadonlySet<ArrayClass>, above: readonly ArrayClass[] = []): boolean {
  if (!array.isArray || array.isExposed || array.isUnknown || above.includes(array) || blocked.has(array)) return false;
  const held = heldBy(array);
  const isCopied = array.makers.some(({ how }) => how.kind === "copy");
  // A copy is as good as what it is of, as long as nobody changes either; only numbers, and rows of them, are copied
  const isGood = held.isOfNumbers || (!held.isWrittenLater && heldBy(held).isOfNumbers);
  if (isCopied && (array.isWrittenLater || !isGood)) return false;
  return held.isOfNumbers || canMove(held, blocked, [...above, array]);
}

/** A block, and where its part that is in use ends. */
interface Block {
  readonly array: string;
  readonly end: string;
  readonly functions: (typeof blockFunctions)[keyof typeof blockFunctions];
  readonly comment: string;
}

class Blocks {
  readonly #rows: RowPlan;
  /** Variables that say where a row begins. */
  readonly #indices = new Set<string>();
  readonly #blocks: Readonly<Record<"numbers" | "places", Block>>;
  readonly #used = new Set<Block>();
  /** By constant its length. */
  readonly #sizes = new Map<string, TsExpr>();
  /** Variables whose length is asked for, the arrays of error messages left out. */
  readonly #measured: ReadonlySet<string>;
  /** Variables that are, or whose lengths are, what loops count up to, or what is divided. */
  readonly #counts: ReadonlySet<string>;
  readonly #rewriting: Rewriting = {
    expr: (expr) => this.#expr(expr),
    block: (body) =>
      body.flatMap((stmt, at) => {
        const next = body[at + 1];
        const isGone = stmt.kind === "comment" && next !== undefined && this.#isHolder(next);
        return isGone ? [] : [...this.#rows.inFrontOf(stmt), ...locatedCode(this.#stmt(stmt), stmt[location])];
      }),
  };

  constructor(
    private readonly fn: TsFunction,
    private readonly bindings: Bindings,
    private readonly surroundings: Surroundings,
    private readonly classes: ArrayClasses,
    private readonly homes: ReadonlyMap<ArrayClass, Home>,
    nests: readonly RegularNest[],
  ) {
    this.#rows = new RowPlan(nests, bindings);
    const blockOf = (kind: keyof typeof blockFunctions, name: string, comment: string): Block => ({
      array: bindings.fresh(name),
      end: bindings.fresh(`${name}End`),
      functions: blockFunctions[kind],
      comment,
    });
    this.#blocks = {
      numbers: blockOf("numbers", "saved", "Arrays that iterations keep, one after the other"),
      places: blockOf("places", "places", "Where the elements of kept arrays of arrays begin"),
    };
    const measured = new Set<string>();
    visitExpressions(fn.body, (expr) => {
      if (expr.kind === "member" && expr.name === "length" && expr.object.kind === "id") measured.add(expr.object.name);
    });
    this.#measured = measured;
    this.#counts = countsIn(fn);
    const { variables } = surveyed(fn);
    const isSettled = (size: TsExpr): boolean => size.kind === "number" || (size.kind === "id" && variables.get(size.name)?.writes === 0); // prettier-ignore
    for (const { makers } of homes.keys())
      for (const { stmt, how } of makers) {
        const size = how.kind === "items" ? number(how.items.length) : "size" in how ? how.size : null;
        if (size !== null && isSettled(size) && stmt.kind === "const" && typeof stmt.target === "string")
          this.#sizes.set(stmt.target, size);
      }
  }

  rewritten(): TsFunction {
    const body = this.#rewriting.block(this.fn.body);
    const fn = this.#used.size === 0 ? withBody(this.fn, body) : this.#withBlocks(body);
    return withoutTwins(fn, this.#indices);
  }

  /** Whether a statement makes an array that holds others, which are parts of one. */
  #isHolder(stmt: TsStmt): boolean {
    const array = stmt.kind === "const" && typeof stmt.target === "string" ? this.classes.of(stmt.target) : null;
    return array !== null && this.#rows.of(array) !== null;
  }

  #rowsOf(expr: TsExpr): Rows | null {
    const found = this.classes.reference(expr);
    return found === null ? null : this.#rows.of(found);
  }

  /** A variable that is an array of a nest, as where that begins. */
  #row(stmt: Definition, name: string, { store, begin }: Rows): readonly TsStmt[] {
    if (name === store) return this.#rows.inPlaceOf(stmt);
    const isMade = this.classes.of(name).makers.some((maker) => maker.stmt === stmt);
    this.bindings.rename(name, calledPlainly("row"));
    if (stmt.kind === "const") {
      this.#indices.add(name);
      return [constant(name, null, isMade && begin !== null ? begin : this.#expr(stmt.init))];
    }
    return [stmt.init === null ? this.#later(stmt, "numbers") : { ...stmt, type: null, init: this.#expr(stmt.init) }];
  }

  /** A variable that is given something later: that may be read where TypeScript does not see that it has been. */
  #later(stmt: Definition & { readonly kind: "let" }, home: Home): TsStmt {
    const isOptional = stmt.type?.kind === "union";
    if (home !== "own") return { ...stmt, type: isOptional ? null : typeName("number"), init: isOptional ? number(0) : null }; // prettier-ignore
    if (!isOptional) return { ...stmt, type: typeName("Int32Array") };
    return { ...stmt, type: null, init: { kind: "new", fn: id("Int32Array"), args: [number(0)] } };
  }

  #withBlocks(body: readonly TsStmt[]): TsFunction {
    const blocks = [...this.#used];
    const using = body.flatMap((stmt, at) => (blocks.some(({ array, end }) => mentionsIn([stmt], array) || mentionsIn([stmt], end)) ? [at] : [])); // prettier-ignore
    const [first, last] = [Math.min(...using), Math.max(...using)];
    const begun = blocks.flatMap(({ array, end, functions, comment }): readonly TsStmt[] => [
      { kind: "comment", text: comment },
      { kind: "let", name: array, type: null, init: this.#callOf(functions.take) },
      { kind: "let", name: end, type: null, init: number(0) },
    ]);
    const left = blocks.map(({ array, end, functions }) => effect(this.#callOf(functions.leave, id(array), ...(functions === blockFunctions.numbers ? [id(end)] : [])))); // prettier-ignore
    // Where the last use returns something, the block is the collector's
    const leaving = body[last]?.kind === "return" ? [] : left;
    const [before, between, behind] = [body.slice(0, first), body.slice(first, last + 1), body.slice(last + 1)];
    const at = between[0] === undefined ? undefined : locationOf(between[0]);
    return withBody(this.fn, [...before, ...locatedCode(begun, at), ...between, ...locatedCode(leaving, at), ...behind]); // prettier-ignore
  }

  #callOf(reference: string, ...args: readonly TsExpr[]): TsExpr {
    const name = this.surroundings.nameOf(reference);
    if (name === null) throw new InternalError("tidy", `there is no ${reference}`);
    return callOf(id(name), ...args);
  }

  /** The block that something is written of: also where nothing is ever put into it, and what is read stands in a loop that does not run. */
  #block(home: "numbers" | "places"): Block {
    const block = this.#blocks[home];
    this.#used.add(block);
    return block;
  }

  /** Where what an expression refers to is; null where it has stayed as it was. */
  #homeOf(expr: TsExpr): Home | null {
    const found = this.classes.reference(expr);
    return found === null ? null : (this.homes.get(found) ?? null);
  }

  #stmt(stmt: TsStmt): readonly TsStmt[] {
    if (stmt.kind === "const" || stmt.kind === "let") {
      const name = stmt.kind === "let" ? stmt.name : stmt.target;
      const array = typeof name === "string" ? this.classes.of(name) : null;
      const rows = array === null ? null : this.#rows.of(array);
      if (rows !== null && typeof name === "string") return this.#row(stmt, name, rows);
      const home = array === null ? undefined : this.homes.get(array);
      const maker = array?.makers.find((each) => each.stmt === stmt);
      if (typeof name !== "string") return [mapStmt(stmt, this.#rewriting)];
      if (home === undefined && maker?.how.kind === "like" && this.#isMoved(maker.how.rows))
        return this.#likeKept(stmt, name, maker.how.rows);
      if (home === undefined) return [this.#plain(stmt)];
      if (maker !== undefined) return this.#made(name, home, maker);
      if (stmt.kind === "const") return [constant(name, null, this.#expr(stmt.init)), ...this.#measuring(name, home)];
      if (stmt.init === null) return [this.#later(stmt, home)];
      return [{ ...stmt, type: null, init: this.#expr(stmt.init) }];
    }
    // A row begins where it does, whoever holds it
    const kept = stmt.kind === "expr" && stmt.expr.kind === "assign" ? stmt.expr.target : null;
    if (kept?.kind === "index" && this.#rowsOf(kept) !== null) return [];
    return [mapStmt(stmt, this.#rewriting)];
  }

  #made(name: string, home: Home, { stmt, how }: Maker): readonly TsStmt[] {
    const isLet = stmt.kind === "let";
    if (home === "own") return [this.#own(stmt, name, how)];
    if (how.kind === "like") return this.#like(name, home, how.rows, isLet);
    if (how.kind === "copy") return this.#copy(name, home, how.of);
    if (how.kind === "items") {
      const items = how.items.map((item, place) => assign(this.#itemOf(name, home, number(place)), this.#expr(item)));
      return [...this.#taken(name, home, number(how.items.length), isLet), ...items];
    }
    return this.#taken(name, home, this.#expr(how.size), isLet);
  }

  /** An array by itself that holds where others begin. */
  #own(stmt: Definition, name: string, how: Maker["how"]): TsStmt {
    const args = how.kind === "items" ? [{ kind: "array", items: how.items.map((item) => this.#expr(item)) } as const] : []; // prettier-ignore
    const init: TsExpr = {
      kind: "new",
      fn: id("Int32Array"),
      args: how.kind === "arrays" ? [this.#expr(how.size)] : args,
    };
    return stmt.kind === "let" ? { ...stmt, type: null, init } : constant(name, null, init);
  }

  /** A constant that is no array. */
  #plain(stmt: Definition): TsStmt {
    const { init } = stmt;
    const isLength = init?.kind === "member" && init.name === "length";
    if (stmt.kind === "let" || !isLength || !this.#isMoved(init.object)) return mapStmt(stmt, this.#rewriting);
    return { ...stmt, init: this.#integer(this.#expr(init), typeof stmt.target === "string" ? stmt.target : "") };
  }

  /** The length that a variable is, or has. Read among numbers, what counts is told to be an integer: to V8 `%` of others is a call, and takes ten times as long. */
  #integer(length: TsExpr, of: string): TsExpr {
    const isRead = length.kind === "index" && isName(length.object, this.#blocks.numbers.array);
    return isRead && this.#counts.has(of) ? binary(">>", length, number(0)) : length;
  }

  /** The length of a constant that is asked for, as a constant. */
  #measuring(name: string, home: Home): readonly TsStmt[] {
    if (home === "own" || !this.#measured.has(name)) return [];
    const length = this.bindings.fresh("n");
    this.#sizes.set(name, id(length));
    return [constant(length, null, this.#integer(this.#lengthAt(name, home), name))];
  }

  /** Takes a part of a block. */
  #taken(
    name: string,
    home: "numbers" | "places",
    size: TsExpr,
    isLet: boolean,
    { isMeasured } = this.classes.of(name),
  ): readonly TsStmt[] {
    const { array, end, functions } = this.#block(home);
    const start = isMeasured ? binary("+", id(end), number(1)) : id(end);
    const length = isMeasured ? [assign({ ...this.#lengthAt(name, home), certain: false }, size)] : [];
    return [
      isLet ? { kind: "let", name, type: null, init: start } : constant(name, null, start),
      assigned(end, binary("+", id(name), size)),
      assigned(array, this.#callOf(functions.enlarge, id(array), id(end))),
      ...length,
    ];
  }

  /** A store of zeros for rows that are kept, which is not kept itself: parts of larger arrays, of its own where others than the function look at it. */
  #likeKept(stmt: Definition, name: string, rows: TsExpr): readonly TsStmt[] {
    const row = this.bindings.fresh("i");
    const count = this.bindings.fresh("count");
    const length = this.#lengthOf({ kind: "index", object: rows, index: id(row), certain: true });
    const array = this.classes.of(name);
    const isSeen = array.isExposed || heldBy(array).isExposed;
    const filled = isSeen ? this.bindings.fresh("lengths") : name;
    const item = isSeen ? lengthAlone(length) : this.#callOf(workArrayMaker, length);
    const init: TsExpr = { kind: "new", fn: id("Array"), args: [id(count)] };
    const type = typeName("Array", typeName("Float64Array"));
    const shape = typeName("Array", objectType([{ name: "length", type: typeName("number") }]));
    const made = (definition: TsExpr): TsStmt =>
      stmt.kind === "let" ? { ...stmt, type, init: definition } : constant(name, type, definition);
    return [
      constant(count, null, this.#lengthOf(rows)),
      isSeen ? constant(filled, shape, init) : made(init),
      {
        kind: "for",
        name: row,
        ...counting(row, id(count), "up"),
        body: [assign({ kind: "index", object: id(filled), index: id(row), certain: false }, item)],
      },
      ...(isSeen ? [made(this.#callOf("adjoint.zeroRows", id(filled)))] : []),
    ];
  }

  /** A store of zeros for rows of numbers. */
  #like(name: string, home: "numbers" | "places", rows: TsExpr, isLet: boolean): readonly TsStmt[] {
    const [row, store] = [this.bindings.fresh("i"), this.bindings.fresh("row")];
    const count = this.bindings.fresh("count");
    const ofRow: TsExpr = { kind: "index", object: rows, index: id(row), certain: true };
    const body = [
      ...this.#taken(store, "numbers", this.#lengthOf(ofRow), false, heldBy(this.classes.of(name))),
      assign(this.#itemOf(name, home, id(row)), id(store)),
    ];
    return [
      constant(count, null, this.#lengthOf(rows)),
      ...this.#taken(name, home, id(count), isLet),
      { kind: "for", name: row, ...counting(row, id(count), "up"), body },
    ];
  }

  /** A copy of an array of numbers, or of rows of them, that is from elsewhere. */
  #copy(name: string, home: "numbers" | "places", of: TsExpr): readonly TsStmt[] {
    const copied = (row: TsExpr, to: string): TsStmt => effect(callOf(member(id(this.#block("numbers").array), "set"), row, id(to))); // prettier-ignore
    const taken = this.#taken(name, home, member(of, "length"), true);
    if (home === "numbers") return [...taken, copied(of, name)];
    const [row, store] = [this.bindings.fresh("i"), this.bindings.fresh("row")];
    const ofRow: TsExpr = { kind: "index", object: of, index: id(row), certain: true };
    const body = [
      ...this.#taken(store, "numbers", member(ofRow, "length"), false, heldBy(this.classes.of(name))),
      copied(ofRow, store),
      assign(this.#itemOf(name, home, id(row)), id(store)),
    ];
    return [...taken, { kind: "for", name: row, ...counting(row, member(of, "length"), "up"), body }];
  }

  #itemOf(name: string, home: "numbers" | "places", at: TsExpr): TsExpr {
    return { kind: "index", object: id(this.#block(home).array), index: plus(id(name), at), certain: false };
  }

  #lengthAt(name: string, home: "numbers" | "places"): TsExpr & { readonly kind: "index" } {
    const { array } = this.#block(home);
    return { kind: "index", object: id(array), index: binary("-", id(name), number(1)), certain: true };
  }

  /** The length of what an expression refers to. */
  #lengthOf(expr: TsExpr): TsExpr {
    const rows = this.#rowsOf(expr);
    if (rows !== null) return rows.size;
    const home = this.#homeOf(expr);
    const known = expr.kind === "id" ? this.#sizes.get(expr.name) : undefined;
    if (known !== undefined && home !== null) return known;
    const where = this.#expr(expr);
    if (home === null || home === "own") return member(where, "length");
    const { array } = this.#block(home);
    return { kind: "index", object: id(array), index: binary("-", where, number(1)), certain: true };
  }

  #expr(expr: TsExpr): TsExpr {
    if (expr.kind === "as" && this.#isMoved(expr)) return this.#expr(expr.expr);
    if (expr.kind === "member" && expr.name === "length" && this.#isMoved(expr.object))
      return this.#lengthOf(expr.object);
    if (expr.kind === "index") return this.#element(expr);
    if (expr.kind === "assign" && expr.target.kind === "index") {
      const target = this.#element(expr.target);
      return { ...expr, target, value: this.#expr(expr.value) };
    }
    if (expr.kind === "assign" && expr.target.kind === "id") return { ...expr, value: this.#expr(expr.value) };
    if (expr.kind === "call") return this.#call(expr);
    // Where the array that holds all others begins
    if (expr.kind === "id" && this.#rowsOf(expr)?.isWhole === true) return number(0);
    return mapParts(expr, this.#rewriting);
  }

  #isMoved(expr: TsExpr): boolean {
    return this.#homeOf(expr) !== null || this.#rowsOf(expr) !== null;
  }

  #element(expr: TsExpr & { readonly kind: "index" }): TsExpr {
    const rows = this.#rowsOf(expr.object);
    if (rows !== null) return this.#elementOfRow(expr, rows);
    const home = this.#homeOf(expr.object);
    if (home === null || home === "own") return mapParts(expr, this.#rewriting);
    const { array } = this.#block(home);
    const at = plus(this.#expr(expr.object), this.#expr(expr.index));
    return { kind: "index", object: id(array), index: at, certain: expr.certain };
  }

  /** An element of an array of a nest: a number, or where a row begins. */
  #elementOfRow(
    { object, index, certain }: TsExpr & { readonly kind: "index" },
    { store, stride, isWhole }: Rows,
  ): TsExpr {
    const where = isWhole ? null : this.#expr(object);
    if (this.#rowsOf({ kind: "index", object, index, certain }) === null) {
      const at = where === null ? this.#expr(index) : plus(where, this.#expr(index));
      return { kind: "index", object: id(store), index: at, certain };
    }
    const distance = binary("*", this.#expr(index), stride);
    return where === null ? distance : binary("+", where, distance);
  }

  #call(expr: TsExpr & { readonly kind: "call" }): TsExpr {
    const { fn, args } = expr;
    const [first, ...others] = args;
    if (fn.kind === "member" && isZeroing(fn, args)) {
      const rows = this.#rowsOf(fn.object);
      const home = this.#homeOf(fn.object);
      if (rows === null && (home === null || home === "own")) return mapParts(expr, this.#rewriting);
      const where = this.#expr(fn.object);
      const array = rows?.store ?? this.#block(home === "places" ? home : "numbers").array;
      return callOf(member(id(array), "fill"), number(0), where, binary("+", where, this.#lengthOf(fn.object)));
    }
    const isFailure = isCallOf(expr, "arrays.outside", this.surroundings);
    if (!isFailure || first === undefined || !this.#isMoved(first)) return mapParts(expr, this.#rewriting);
    return { ...expr, args: [lengthAlone(this.#lengthOf(first)), ...others.map((arg) => this.#expr(arg))] };
  }
}

/** The variables that are, or whose lengths are, what the loops of a function count up to, or what is divided. */
function countsIn(fn: TsFunction): ReadonlySet<string> {
  const counts = new Set<string>();
  const note = (expr: TsExpr): void => {
    visitNames([effect(expr)], (name) => counts.add(name));
  };
  const lengths: { readonly name: string; readonly init: TsExpr }[] = [];
  visitStatements(fn.body, (stmt) => {
    if (stmt.kind === "for") note(stmt.test);
    if (
      stmt.kind === "const" &&
      typeof stmt.target === "string" &&
      (stmt.init.kind === "member" || stmt.init.kind === "id")
    )
      lengths.push({ name: stmt.target, init: stmt.init });
  });
  visitExpressions(fn.body, (expr) => {
    if (expr.kind === "binary" && expr.op === "%") note(expr);
  });
  for (const { name, init } of lengths.reverse()) if (counts.has(name)) note(init);
  return counts;
}
