// The forward sweep of a procedure: its statements in order, and beside them what saves values for the reverse sweep. In plain code there is nothing to
// save.

import { InternalError } from "../internal-error.js";
import { location } from "../location.js";
import { isScalar, isVariable } from "../flat/build.js";
import type { Atom, Block, End, Stmt, Var } from "../flat/program.js";
import { assign, binary, callOf, id, member, number, simplifiedConditional } from "../typescript/build.js";
import { locateCode, locatedCode } from "../typescript/locate.js";
import type { TsExpr, TsStmt, TsType } from "../typescript/tree.js";
import { assignAll, countingUp } from "./code.js";
import { atomExpr, lowerCheck, lowerOperation, realArray, siteText } from "./operations.js";
import { alwaysAround, type BlockPlace, type LoopStmt } from "./places.js";
import { elementOf, plainName } from "./stores.js";
import type { ProcedureContext } from "./procedure.js";

/** How many elements an array that grows has room for at first: so many V8 makes in a tenth of the time that more take. */
const firstBuffer = 8;
/** So many numbers are saved in one array: half a gigabyte. */
const mostNumbers = 2 ** 26;
/** So many objects, with what they hold. */
const mostObjects = 2 ** 24;

/** What is done at the ends of a block. */
interface Delivery {
  readonly yields: (values: readonly Atom[]) => readonly TsStmt[];
  readonly next: (values: readonly Atom[]) => readonly TsStmt[];
}

/** A choice whose branches do what its block's end would do. */
interface Handing {
  readonly stmt: Stmt & { readonly kind: "choose" };
  readonly delivery: (outer: Delivery) => Delivery;
}

/** A body that ends in a yield, without the yield. */
export function statementsOf(context: ProcedureContext, block: Block): readonly TsStmt[] {
  return new ForwardSweep(context).statements(block);
}

export class ForwardSweep {
  readonly #context: ProcedureContext;

  constructor(context: ProcedureContext) {
    this.#context = context;
  }

  /** A body, whose ends return its values. */
  returning(block: Block): readonly TsStmt[] {
    const yields = (values: readonly Atom[]): readonly TsStmt[] => [{ kind: "return", value: this.#tuple(values) }];
    return this.#block(block, { yields, next: noNext }, []);
  }

  /** A body that ends in a yield, without the yield. */
  statements(block: Block): readonly TsStmt[] {
    // What it would yield is asked for by name
    const stmts = this.#block(block, { yields: () => [], next: noNext }, [], null);
    return [...this.#outside(this.#context.places.body), ...stmts];
  }

  /** The variables in front of a block's branches. */
  #outside(block: BlockPlace): readonly TsStmt[] {
    return this.#context.outside
      .filter(({ of }) => alwaysAround(of.block) === block)
      .map(({ name, of: { variable } }): TsStmt => {
        const { rep } = variable;
        const type = this.#context.module.types.of(rep, this.#context.place.universe);
        const isNumber = rep.kind === "real" || rep.kind === "int";
        if (isNumber) return { kind: "let", name, type: null, init: number(0) };
        const undefinedType: TsType = { kind: "name", name: "undefined", args: [] };
        return { kind: "let", name, type: { kind: "union", members: [type, undefinedType] }, init: null };
      });
  }

  #tuple(values: readonly Atom[]): TsExpr | null {
    const exprs = values.map((value) => this.#atom(value));
    const [only] = exprs;
    if (exprs.length <= 1) return only ?? null;
    return { kind: "array", items: exprs };
  }

  /** `after`: what is pushed on the tape after the block's own values, on every way out. */
  #block(
    block: Block,
    delivery: Delivery,
    after: readonly TsStmt[],
    choice: Handing | null = this.#handedOn(block),
  ): readonly TsStmt[] {
    const stmts: TsStmt[] = [];
    for (const stmt of block.stmts) if (stmt !== choice?.stmt) this.#stmt(stmt, stmts);
    const pushed = this.#context.pushed(this.#context.places.block(block));
    const pushes = [...pushed.map((variable) => this.#context.push(variable)), ...after];
    stmts.push(...this.#end(choice?.stmt.end ?? block.end, choice?.delivery(delivery) ?? delivery, pushes));
    return stmts;
  }

  /** The choice that a block ends with, where arrays are chosen for what comes next alone: its branches hand them on themselves. */
  #handedOn({ stmts, end }: Block): Handing | null {
    const { frame } = this.#context;
    const isNothing = (stmt: Stmt): boolean => frame.kind !== "plain" && stmt.kind === "let" && this.#context.isOwn(stmt.result); // prettier-ignore
    const last = stmts.findLast((stmt) => !isNothing(stmt));
    if (last?.kind !== "choose" || end.kind !== "yield" || last.results.every(({ rep }) => isScalar(rep))) return null;
    if (frame.kind !== "plain" && last.results.some((result) => this.#context.strategy(result) !== null)) return null;
    const delivery = ({ yields, next }: Delivery): Delivery => ({
      yields: (chosen) =>
        yields(
          end.values.map((value) => chosen[last.results.findIndex((result) => isVariable(value, result))] ?? value),
        ),
      next,
    });
    return { stmt: last, delivery };
  }

  #end(end: End, delivery: Delivery, pushes: readonly TsStmt[]): readonly TsStmt[] {
    switch (end.kind) {
      case "yield":
        return locatedCode([...pushes, ...delivery.yields(end.values)], end[location]);
      case "next":
        return locatedCode([...pushes, ...delivery.next(end.values)], end[location]);
      case "if": {
        const then = this.#block(end.then, delivery, pushes);
        const otherwise = this.#block(end.else, delivery, pushes);
        return locatedCode([{ kind: "if", test: this.#atom(end.cond), then, else: otherwise }], end[location]);
      }
      case "switch": {
        const branches = end.branches.map(({ con, body }) => ({ con, body: this.#context.behindTest(end.object, () => this.#block(body, delivery, pushes)) })); // prettier-ignore
        return locatedCode(this.#context.switchOn(this.#atom(end.object), end.type, branches), end[location]);
      }
    }
  }

  #stmt(stmt: Stmt, out: TsStmt[]): void {
    const before = out.length;
    this.#unlocated(stmt, out);
    locateCode(out, before, stmt[location]);
  }

  #unlocated(stmt: Stmt, out: TsStmt[]): void {
    switch (stmt.kind) {
      case "check":
        out.push(lowerCheck(stmt.check, siteText(stmt.site), this.#context.place));
        return;
      case "let": {
        const { result, op } = stmt;
        if (this.#context.isAlias(result)) return;
        if (this.#context.frame.kind !== "plain" && this.#context.isOwn(result)) return;
        if (op.kind === "closure") this.#context.module.closures.note(plainName(op.code), result.rep);
        const init = lowerOperation(op, result, this.#context.place);
        const isTyped = op.kind === "object" || op.kind === "closure" || op.kind === "objectStore" || (op.kind === "array" && op.element.kind !== "real"); // prettier-ignore
        out.push(this.#constant(result, init, isTyped));
        this.#saved([result], out);
        return;
      }
      case "choose":
        this.#choose(stmt, out);
        return;
      case "call":
      case "apply":
        this.#call(stmt, out);
        return;
      case "loop":
        this.#loop(stmt, out);
        return;
      case "for":
        this.#for(stmt, out);
        return;
    }
  }

  #constant(variable: Var, init: TsExpr, isTyped: boolean): TsStmt {
    return { kind: "const", target: this.#name(variable), type: isTyped ? this.#type(variable) : null, init };
  }

  #choose({ results, end }: Stmt & { readonly kind: "choose" }, out: TsStmt[]): void {
    const targets = results.map((result) => this.#name(result));
    const yields = (values: readonly Atom[]): readonly TsStmt[] =>
      values.flatMap((value, index) => assign(id(targets[index] ?? ""), this.#atom(value)));
    const stmts = this.#end(end, { yields, next: noNext }, []);
    const [only] = results;
    const conditional = results.length === 1 ? conditionalOf(stmts) : null;
    if (only !== undefined && conditional !== null) {
      out.push(this.#constant(only, conditional, false));
    } else {
      for (const result of results)
        out.push({ kind: "let", name: this.#name(result), type: this.#type(result), init: null });
      out.push(...stmts);
    }
    this.#saved(results, out);
  }

  #call(stmt: Stmt & { readonly kind: "call" | "apply" }, out: TsStmt[]): void {
    const { module } = this.#context;
    const given = stmt.kind === "call" ? stmt.args.filter((_, index) => !module.isGivenBack(stmt, index)) : stmt.args;
    const args = given.map((arg) => this.#atom(arg));
    const init =
      stmt.kind === "call" ? module.call(stmt.fn, args, this.#context.place.universe) : this.#apply(stmt, args);
    const names = stmt.results.map((result) => this.#name(result));
    const [only] = names;
    if (only === undefined) out.push({ kind: "expr", expr: init });
    else out.push({ kind: "const", target: names.length === 1 ? only : names, type: null, init });
    this.#saved(stmt.results, out);
  }

  #apply(stmt: Stmt & { readonly kind: "apply" }, args: readonly TsExpr[]): TsExpr {
    return this.#context.module.apply(stmt, this.#atom(stmt.fn), args, this.#context.place.universe);
  }

  #for(stmt: Stmt & { readonly kind: "for" }, out: TsStmt[]): void {
    const count = this.#atom(stmt.count);
    const { iterations, places } = this.#context;
    const place = places.loop(stmt).outside;
    if (iterations.firstIn(place) === stmt) out.push(...(iterations.startOf(place) ?? []));
    const back = iterations.back(stmt, place) ?? [];
    for (const array of stmt.arrays) {
      if (this.#context.isAlias(array)) continue;
      const element = this.#context.elementType(array);
      const isReal = array.rep.kind === "array" && array.rep.element.kind === "real";
      const size: TsExpr = isReal ? realArray(count) : { kind: "new", fn: id("Array"), args: [count] };
      const type: TsType | null = isReal ? null : { kind: "name", name: "Array", args: [element] };
      out.push({ kind: "const", target: this.#name(array), type, init: size });
    }
    this.#savesBefore(stmt, this.#context.sizeOf(stmt, count), out);
    this.#initial(stmt, out);
    const index = this.#name(stmt.index);
    const element = (value: Atom, place: number): TsStmt => {
      const array = stmt.arrays[place];
      if (array === undefined) throw new InternalError("adjoint", "a loop yields more than it has arrays for");
      return assign(
        { kind: "index", object: id(this.#name(array)), index: id(index), certain: false },
        this.#atom(value),
      );
    };
    // What an iteration begins with is an element before it goes on
    const given = this.#givenElements(stmt);
    const yields = (values: readonly Atom[]): readonly TsStmt[] => {
      const elements = values.slice(stmt.params.length);
      const stores = elements.flatMap((value, place) => (given.has(place) ? [] : [element(value, place)]));
      return [...stores, ...back, ...this.#carry(stmt.params, values.slice(0, stmt.params.length))];
    };
    const start = [...given].map(([place, value]) => element(value, place));
    this.#saved(stmt.params.filter((param) => !this.#context.isAlias(param)), start); // prettier-ignore
    const inner = this.#block(stmt.body, { yields, next: noNext }, []);
    const outside = iterations.loops.has(stmt) ? this.#outside(places.block(stmt.body)) : [];
    out.push(countingUp(index, count, [...start, ...outside, ...inner]));
    stmt.results.forEach((result, place) => {
      const param = stmt.params[place];
      if (param !== undefined && !this.#context.isAlias(param))
        out.push(this.#constant(result, id(this.#name(param)), false));
    });
    this.#saved([...stmt.results, ...stmt.arrays], out);
  }

  /** By the places of arrays that a loop makes their elements, where these are numbers that each iteration begins with. */
  #givenElements({ params, body }: Stmt & { readonly kind: "for" }): ReadonlyMap<number, Atom> {
    const elements = body.end.kind === "yield" ? body.end.values.slice(params.length) : [];
    const isGiven = (value: Atom): boolean => params.some((param) => isScalar(param.rep) && isVariable(value, param));
    return new Map(elements.flatMap((value, place): [number, Atom][] => (isGiven(value) ? [[place, value]] : [])));
  }

  #loop(stmt: Stmt & { readonly kind: "loop" }, out: TsStmt[]): void {
    const { iterations } = this.#context.savedBy(stmt);
    this.#savesBefore(stmt, null, out);
    if (iterations !== null) out.push({ kind: "let", name: this.#name(iterations), type: null, init: number(0) });
    this.#initial(stmt, out);
    for (const result of stmt.results) out.push({ kind: "let", name: this.#name(result), type: this.#type(result), init: null }); // prettier-ignore
    const label = isInSwitch(stmt.body.end) ? this.#context.fresh("loop") : null;
    const yields = (values: readonly Atom[]): readonly TsStmt[] => [
      ...values.map((value, index) => {
        const result = stmt.results[index];
        if (result === undefined) throw new InternalError("adjoint", "a loop yields more than it has results for");
        return assign(id(this.#name(result)), this.#atom(value));
      }),
      { kind: "break", label },
    ];
    const counted = iterations === null ? [] : this.#counted(iterations, stmt);
    const growing = this.#growing(stmt.arrays, out);
    const next = (values: readonly Atom[]): readonly TsStmt[] => [
      ...growing.add(values.slice(stmt.params.length).map((value) => this.#atom(value))),
      ...this.#carry(stmt.params, values),
      ...counted,
    ];
    const start: TsStmt[] = [];
    this.#saved(stmt.params, start);
    out.push({ kind: "loop", label, body: [...start, ...this.#block(stmt.body, { yields, next }, [])] });
    out.push(...growing.end);
    this.#saved([...stmt.results, ...stmt.arrays], out);
    if (iterations !== null) this.#saved([iterations], out);
  }

  /** Counts an iteration, of which there may not be more than can be saved. */
  #counted(iterations: Var, stmt: LoopStmt): readonly TsStmt[] {
    const count = id(this.#name(iterations));
    const savesObjects = this.#context.savedBy(stmt).arrays.some(({ saved }) => !isScalar(elementOf(saved.rep)));
    const most = number(savesObjects ? mostObjects : mostNumbers);
    return [
      this.#unless(binary("===", count, most), count),
      { kind: "expr", expr: { kind: "assign", op: "+=", target: count, value: number(1) } },
    ];
  }

  /** Ends in an error where there is more to save than fits into memory. */
  #unless(test: TsExpr, count: TsExpr): TsStmt {
    const end = callOf(this.#context.place.refer("limits.endless"), count);
    return { kind: "if", test, then: [{ kind: "expr", expr: end }], else: [] };
  }

  /** Arrays that get an element in each iteration; those of reals have room for more. */
  #growing(
    arrays: readonly Var[],
    out: TsStmt[],
  ): { readonly add: (values: readonly TsExpr[]) => readonly TsStmt[]; readonly end: readonly TsStmt[] } {
    const buffers = arrays.map((array) => {
      const isReal = array.rep.kind === "array" && array.rep.element.kind === "real";
      return isReal ? this.#context.fresh(`${this.#name(array)}Buffer`) : null;
    });
    const count = buffers.some((buffer) => buffer !== null) ? this.#context.fresh("count") : "";
    const typed: TsType = { kind: "name", name: "Float64Array", args: [] };
    arrays.forEach((array, index) => {
      const buffer = buffers[index] ?? null;
      const type: TsType = { kind: "name", name: "Array", args: [this.#context.elementType(array)] };
      if (buffer === null)
        out.push({ kind: "const", target: this.#name(array), type, init: { kind: "array", items: [] } });
      else out.push({ kind: "let", name: buffer, type: typed, init: realArray(number(firstBuffer)) });
    });
    if (count !== "") out.push({ kind: "let", name: count, type: null, init: number(0) });
    const add = (values: readonly TsExpr[]): readonly TsStmt[] => [
      ...values.flatMap((value, index): readonly TsStmt[] => {
        const [array, buffer = null] = [arrays[index], buffers[index]];
        if (array === undefined) return [];
        if (buffer === null) return [{ kind: "expr", expr: callOf(member(id(this.#name(array)), "push"), value) }];
        const grown = assign(id(buffer), callOf(this.#context.place.refer("adjoint.grown"), id(buffer)));
        return [
          { kind: "if", test: binary("===", id(count), member(id(buffer), "length")), then: [grown], else: [] },
          assign({ kind: "index", object: id(buffer), index: id(count), certain: false }, value),
        ];
      }),
      ...(count === "" ? [] : [{ kind: "expr", expr: { kind: "assign", op: "+=", target: id(count), value: number(1) } } as const]), // prettier-ignore
    ];
    const end = arrays.flatMap((array, index): readonly TsStmt[] => {
      const buffer = buffers[index] ?? null;
      if (buffer === null) return [];
      const init = callOf(member(id(buffer), "subarray"), number(0), id(count));
      return [{ kind: "const", target: this.#name(array), type: null, init }];
    });
    return { add, end };
  }

  #initial(stmt: LoopStmt, out: TsStmt[]): void {
    for (const { result, init } of this.#context.inPlace(stmt)) {
      const copy = callOf(member(this.#atom(init), "slice"));
      const isDearer = stmt.kind === "for" && this.#isDearer(stmt, init);
      const own = isDearer ? simplifiedConditional(binary(">", this.#atom(stmt.count), number(0)), copy, this.#atom(init)) : copy; // prettier-ignore
      out.push(this.#constant(result, own, false));
    }
    stmt.params.forEach((param, index) => {
      const init = stmt.init[index];
      if (init === undefined) throw new InternalError("adjoint", "a loop lacks an initial value");
      if (this.#context.isAlias(param)) return;
      const isNumber = param.rep.kind === "real" || param.rep.kind === "int";
      out.push({
        kind: "let",
        name: this.#name(param),
        type: isNumber ? null : this.#type(param),
        init: this.#atom(init),
      });
    });
  }

  /** Whether to copy what a loop in plain code begins with may take longer than all else in an iteration around it, since it may have no iterations. */
  #isDearer(stmt: LoopStmt & { readonly kind: "for" }, init: Atom): boolean {
    const { frame, places } = this.#context;
    const { loop } = places.loop(stmt).outside;
    if (frame.kind !== "plain" || loop === null || stmt.count.kind !== "var" || init.kind !== "var") return false;
    const { block, origin, op, stmt: sole } = places.definition(init.variable);
    const isMade = origin === "result" && sole?.kind !== "choose" && (op === null || op.kind === "array");
    return block.loop !== loop || !isMade;
  }

  #carry(params: readonly Var[], values: readonly Atom[]): readonly TsStmt[] {
    const assignments = params.flatMap((param, index) => {
      const value = values[index];
      if (value === undefined) throw new InternalError("adjoint", "a loop lacks a next value");
      return this.#context.isAlias(param) ? [] : [{ target: this.#name(param), value: this.#atom(value) }];
    });
    return assignAll(assignments, (name) => this.#context.another(name));
  }

  /** Whether the count of a loop is anything but the size of an array. */
  #mayBeEndless({ count, arrays }: LoopStmt & { readonly kind: "for" }): boolean {
    if (count.kind !== "var" || arrays.length > 0) return false;
    const { op } = this.#context.places.definition(count.variable);
    return !(op?.kind === "length" || (op?.kind === "prim" && op.op === "sameLength"));
  }

  /** The arrays that a loop saves values in. */
  #savesBefore(stmt: LoopStmt, size: TsExpr | null, out: TsStmt[]): void {
    const arrays = this.#context.savedBy(stmt).arrays.filter(({ saved }) => !this.#context.isRerun(saved));
    if (arrays.length > 0 && stmt.kind === "for" && this.#mayBeEndless(stmt)) {
      const count = this.#atom(stmt.count);
      out.push(this.#unless(binary(">", count, number(mostNumbers)), count));
    }
    for (const { saved } of arrays) {
      const type = this.#context.module.types.filled(saved.rep, this.#context.place.universe);
      const isReal = type.kind === "name" && type.name === "Float64Array";
      const empty: TsExpr = { kind: "array", items: [] };
      const init: TsExpr = size === null ? empty : isReal ? realArray(size) : { kind: "new", fn: id("Array"), args: [size] }; // prettier-ignore
      out.push({ kind: "comment", on: "saved", text: "each iteration, for the reverse sweep" });
      out.push({ kind: "const", target: this.#name(saved), type: isReal ? null : type, init });
      this.#saved([saved], out);
    }
  }

  /** What saves variables that have just been defined. */
  #saved(variables: readonly Var[], out: TsStmt[]): void {
    for (const variable of variables) {
      const strategy = this.#context.frame.kind === "plain" ? null : this.#context.strategy(variable);
      if (strategy?.kind === "outside") out.push(assign(id(strategy.name), id(this.#name(variable))));
      if (strategy?.kind !== "array" || this.#context.isRerun(strategy.saved)) continue;
      const { loop } = this.#context.places.definition(variable).block;
      const array = id(this.#name(strategy.saved));
      const value = id(this.#name(variable));
      if (loop?.stmt.kind === "for")
        out.push(assign({ kind: "index", object: array, index: id(this.#name(loop.stmt.index)), certain: false }, value)); // prettier-ignore
      else out.push({ kind: "expr", expr: callOf(member(array, "push"), value) });
    }
  }

  #atom(atom: Atom): TsExpr {
    return atomExpr(atom, this.#context.place);
  }

  #name(variable: Var): string {
    return this.#context.name(variable);
  }

  #type(variable: Var): TsType {
    return this.#context.module.types.of(variable.rep, this.#context.place.universe);
  }
}

function noNext(): never {
  throw new InternalError("adjoint", "there is no next iteration here");
}

/** `if (c) x = a; else x = b` as an expression; null where more is done. */
function conditionalOf(stmts: readonly TsStmt[]): TsExpr | null {
  const [only] = stmts;
  if (stmts.length !== 1 || only === undefined) return null;
  if (only.kind === "expr" && only.expr.kind === "assign" && only.expr.op === "=") return only.expr.value;
  if (only.kind !== "if") return null;
  const [then, otherwise] = [conditionalOf(only.then), conditionalOf(only.else)];
  return then === null || otherwise === null ? null : simplifiedConditional(only.test, then, otherwise);
}

/** Whether an end has a `switch` statement around others, in which `break` would mean something else. */
function isInSwitch(end: End): boolean {
  switch (end.kind) {
    case "yield":
    case "next":
      return false;
    case "if":
      return isInSwitch(end.then.end) || isInSwitch(end.else.end);
    case "switch":
      return end.branches.length > 2 || end.branches.some(({ body }) => isInSwitch(body.end));
  }
}
