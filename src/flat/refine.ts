// Value-range analysis: elimination of checks, recognition of counted loops.
//
// What flattening leaves plain is made precise, in one walk in the order of evaluation: loops that count become `for`, checks that always hold
// go, and so do the sites of operations that cannot fail; fields are read once, elements of arrays that are written out not at all, what is expensive is
// computed once, and an object is not put together again. Behind a comparison of lengths both are the one that is known further out.

import { isShown, primitive } from "../core/primitives.js";
import { keyOf } from "../key.js";
import { location } from "../location.js";
import { atomOf, intAtom, letOf, sameAtom } from "./build.js";
import { loopDepths, sourcesIn } from "./binding-sites.js";
import { Copy } from "./copy.js";
import { isDear } from "./costs.js";
import { trimmed, type Definitions } from "./counted.js";
import { countedInAnyWay } from "./counted-in-any-way.js";
import { assumeBounds, stepTo } from "./kept-bounds.js";
import { keptShapes, type Known } from "./kept-shapes.js";
import { locateStmts } from "./locate.js";
import { commonShape, minus, plus, shifted, times, type Linear } from "./linear.js";
import type { FlatNames } from "./naming.js";
import { int, type Atom, type Block, type End, type Operation, type Procedure, type Stmt, type Var } from "./program.js"; // prettier-ignore
import { isPure } from "./pure.js";
import { Ranges, type Interval } from "./ranges.js";
import type { SameLengths } from "./same-lengths.js";
import { steppingLengths } from "./stepping-lengths.js";
import { boundBy, endsOf, mapCheck, mapOperands, namesBoundIn, operationsOf } from "./traverse.js";

type Let = Stmt & { readonly kind: "let" };
type Choose = Stmt & { readonly kind: "choose" };
type Loop = Stmt & { readonly kind: "loop" };
type For = Stmt & { readonly kind: "for" };

/**
 * The procedure, with the same meaning. `lengths`: which arrays of the program are equally long; where they are given, lengths of arrays that loops carry are
 * computed in front of the loops, which hides from later passes that they are lengths.
 */
export function refine(procedure: Procedure, names: FlatNames, lengths: SameLengths | null = null): Procedure {
  return new Refiner(procedure, names, lengths).procedure();
}

class Refiner {
  readonly #definitions: Definitions;
  readonly #depths: Map<string, number>;
  /** By variable that a choice or a loop binds what may be handed on to it. */
  readonly #sources: ReadonlyMap<string, readonly Atom[]>;
  readonly #ranges: Ranges;
  /** What stands for variables that are gone. */
  readonly #renamed = new Map<string, Atom>();
  /** Variables whose operations cannot fail. */
  readonly #steps = new Set<string>();
  /** What operations have been computed, in scope, each with the variable that it is in; and in which order. */
  readonly #computed = new Map<string, Var>();
  readonly #order: string[] = [];
  /** The loops that have been run, in scope. */
  readonly #loops: For[] = [];
  readonly #shapes = new WeakMap<For, string>();
  /** What the blocks around hand on, the innermost last: for each way out that has been walked, between which numbers each of its integers is. */
  readonly #ways: (readonly Interval[])[][] = [];

  constructor(
    private readonly source: Procedure,
    private readonly names: FlatNames,
    private readonly lengths: SameLengths | null,
  ) {
    this.#ranges =
      lengths === null ? new Ranges() : new Ranges((variable) => lengths.textOf({ kind: "var", variable }));
    const definitions = operationsOf(source.body);
    this.#sources = sourcesIn(source.body);
    this.#depths = new Map(loopDepths(source));
    this.#definitions = definitions;
  }

  procedure(): Procedure {
    this.#noteIntegers([...this.source.captured, ...this.source.params]);
    return { ...this.source, body: this.#block(this.source.body) };
  }

  readonly #atom = (atom: Atom): Atom => (atom.kind === "var" ? (this.#renamed.get(atom.variable.name) ?? atom) : atom);

  readonly #atoms = (atoms: readonly Atom[]): readonly Atom[] => atoms.map(this.#atom);

  #block({ stmts, end }: Block): Block {
    return this.#ranges.within(() => {
      const [operations, loops] = [this.#order.length, this.#loops.length];
      const out: Stmt[] = [];
      for (const stmt of stmts) this.#stmt(stmt, out);
      const block: Block = { stmts: out, end: this.#end(this.#taken(end, out)) };
      for (const key of this.#order.splice(operations)) this.#computed.delete(key);
      this.#loops.length = loops;
      return block;
    });
  }

  /** The end of the branch that is taken in any case, its statements before it; the end itself where none is known to be. */
  #taken(end: End, out: Stmt[]): End {
    const cond = end.kind === "if" ? this.#atom(end.cond) : null;
    if (end.kind !== "if" || cond?.kind !== "bool") return end;
    const taken = cond.value ? end.then : end.else;
    for (const stmt of taken.stmts) this.#stmt(stmt, out);
    return this.#taken(taken.end, out);
  }

  #end(end: End): End {
    switch (end.kind) {
      case "yield": {
        const values = this.#atoms(end.values);
        this.#leave(values);
        return { ...end, values };
      }
      case "next":
        return { ...end, values: this.#atoms(end.values) };
      case "if": {
        const cond = this.#atom(end.cond);
        const branch = (block: Block, holds: boolean): Block =>
          this.#ranges.within(() => {
            this.#ranges.assumeCondition(cond, holds);
            return this.#block(block);
          });
        return { ...end, cond, then: branch(end.then, true), else: branch(end.else, false) };
      }
      case "switch": {
        const branches = end.branches.map(({ con, body }) => ({ con, body: this.#block(body) }));
        return { ...end, object: this.#atom(end.object), branches };
      }
    }
  }

  #stmt(stmt: Stmt, out: Stmt[]): void {
    const before = out.length;
    this.#refined(stmt, out);
    for (const made of out.slice(before)) if (made.kind !== "let") this.#noteIntegers(boundBy(made));
    locateStmts(out, before, stmt[location]);
  }

  #refined(stmt: Stmt, out: Stmt[]): void {
    switch (stmt.kind) {
      case "let": {
        const op = mapOperands(stmt.op, this.#atom);
        const same = op.kind === "copy" ? op.value : (this.#itemRead(op) ?? this.#takenApart(op));
        if (same !== null) this.#renamed.set(stmt.result.name, same);
        else if (!isOnce(op) || !this.#isComputed(op, stmt.result)) this.#let(stmt.result, op, out);
        return;
      }
      case "check": {
        const check = mapCheck(stmt.check, this.#atom);
        const needed = this.#ranges.neededBy(check);
        if (needed.every((form) => this.#ranges.proves(form))) return;
        out.push({ ...stmt, check });
        for (const form of needed) this.#ranges.assume(form);
        return;
      }
      case "choose": {
        const end = this.#taken(stmt.end, out);
        if (end.kind === "yield") {
          stmt.results.forEach((result, index) => {
            const value = end.values[index];
            if (value !== undefined) this.#renamed.set(result.name, this.#atom(value));
          });
          return;
        }
        this.#learning(stmt.results, () => {
          this.#choose({ ...stmt, end: this.#end(end) }, out);
        });
        return;
      }
      case "call":
        out.push({ ...stmt, args: this.#atoms(stmt.args) });
        return;
      case "apply":
        out.push({ ...stmt, fn: this.#atom(stmt.fn), args: this.#atoms(stmt.args) });
        return;
      case "loop":
        this.#loop(stmt, out);
        return;
      case "for":
        this.#add(this.#for(stmt, out), out);
        return;
    }
  }

  /** What comes to the same as one of these is it. */
  #noteIntegers(variables: readonly Var[]): void {
    for (const variable of variables) if (variable.rep.kind === "int") this.#ranges.known(atomOf(variable));
  }

  /** What `f` walks hands on the results, on one way or another: each integer is between the smallest and the largest that it may be on any of them. */
  #learning<T>(results: readonly Var[], f: () => T): T {
    const ways: (readonly Interval[])[] = [];
    this.#ways.push(ways);
    const walked = f();
    this.#ways.pop();
    this.#ranges.assumeOneOf(results, ways);
    return walked;
  }

  /** A way out of what is walked, which hands on the values. */
  #leave(values: readonly Atom[]): void {
    this.#ways.at(-1)?.push(this.#ranges.intervals(values));
  }

  /** The item that a read of an element gives where the array is written out, and the index; null elsewhere. */
  #itemRead(op: Operation): Atom | null {
    if (op.kind !== "cell" || op.array.kind !== "var" || op.index.kind !== "int") return null;
    const array = this.#definitions.get(op.array.variable.name);
    const item = array?.kind === "array" ? array.items[op.index.value] : undefined;
    return item === undefined ? null : this.#atom(item);
  }

  /** A loop, unless one that does the same has been run. Arrays that are cheap to make are not kept for that: each goes into the loop that reads it. */
  #add(loop: For, out: Stmt[]): void {
    const isShared = isPure(loop) && (loop.arrays.length === 0 || loop.body.stmts.some((stmt) => stmt.kind === "let" && isDear(stmt.op))); // prettier-ignore
    const same = isShared ? this.#loops.find((known) => this.#isAlike(known, loop)) : undefined;
    if (same === undefined) {
      if (isShared) this.#loops.push(loop);
      out.push(loop);
      return;
    }
    const known = boundBy(same);
    for (const [index, variable] of boundBy(loop).entries()) this.#rename(variable, known[index]);
  }

  /** Whether two loops do the same. Their texts, each as long as all that is in it, are compared only where the loops look alike from outside. */
  #isAlike(one: For, other: For): boolean {
    const isClose =
      one.params.length === other.params.length &&
      one.arrays.length === other.arrays.length &&
      one.body.stmts.length === other.body.stmts.length;
    return isClose && this.#shape(one) === this.#shape(other);
  }

  #shape(loop: For): string {
    const known = this.#shapes.get(loop) ?? shapeOf(loop);
    this.#shapes.set(loop, known);
    return known;
  }

  /** Whether what an operation gives has been computed; then its variable is the one that it is in. */
  #isComputed(op: Operation, variable: Var): boolean {
    if (op.kind === "prim" && isShown(op.op)) return false;
    const text = keyOf(op);
    const known = this.#computed.get(text);
    if (known !== undefined) {
      this.#rename(variable, known);
      return true;
    }
    this.#computed.set(text, variable);
    this.#order.push(text);
    return false;
  }

  #rename({ name }: Var, same: Var | undefined): void {
    if (same !== undefined) this.#renamed.set(name, this.#atom(atomOf(same)));
  }

  /** A choice, or where it is `a && b` or `a || b` of conditions that are cheap, both of them. */
  #choose(stmt: Choose, out: Stmt[]): void {
    const both = pairOf(stmt);
    if (both === null) {
      stmt.results.forEach((result, index) => {
        const cond = tellsWay(stmt.end, index);
        if (cond !== null) this.#renamed.set(result.name, cond);
      });
      out.push(stmt);
    } else for (const { result, op } of both) this.#let(result, op, out);
  }

  /** The object of which an operation puts all fields together again: the list `x :: xs` of a branch for `x :: xs`. */
  #takenApart(op: Operation): Atom | null {
    if (op.kind !== "object") return null;
    const fields = op.args.map((arg) => (arg.kind === "var" ? this.#definitions.get(arg.variable.name) : undefined));
    const [first] = fields;
    const whole = first?.kind === "field" ? this.#atom(first.object) : null;
    if (whole?.kind !== "var" || keyOf(whole.variable.rep) !== keyOf({ kind: "object", type: op.type })) return null;
    const isPart = (field: Operation | undefined, index: number): boolean =>
      field?.kind === "field" && field.con === op.con && field.index === index && sameAtom(this.#atom(field.object), whole); // prettier-ignore
    return fields.every(isPart) ? whole : null;
  }

  #let(result: Var, op: Operation, out: Stmt[]): void {
    const { name } = result;
    const isSafe = op.kind === "prim" && (this.#steps.has(name) || this.#ranges.isSafe(op));
    const isComparing = op.kind === "prim" && op.op === "sameLength" && !isSafe;
    const remainder = this.#remainder(op, out) ?? this.#shifted(op);
    this.#ranges.define(result, op);
    const isEarly = op.kind === "prim" && op.isEarly === true;
    const decided = isEarly ? null : this.#ranges.decided(op);
    if (decided !== null) {
      this.#renamed.set(name, { kind: "bool", value: decided });
      return;
    }
    // An integer that is known already; what is early may not be safe where another one would fail
    const same = result.rep.kind === "int" && !isComparing && !isEarly ? this.#ranges.known(atomOf(result)) : null;
    if (same !== null) this.#renamed.set(name, same);
    else out.push(letOf(result, remainder ?? (isSafe ? { ...op, site: null } : op)));
    if (isComparing && !isEarly) this.#compared(result, op.args);
  }

  /** Behind a comparison that holds both lengths are what it gives: a number, or one that is known in front of a loop, stands for it. */
  #compared(result: Var, args: readonly Atom[]): void {
    const depthOf = (atom: Atom): number =>
      atom.kind === "var" ? (this.#depths.get(atom.variable.name) ?? Infinity) : -1;
    const known = args.map((atom) => this.#ranges.known(atom) ?? atom);
    const depths = known.map(depthOf);
    const least = Math.min(...depths);
    const same = known[depths.indexOf(least)];
    if (same !== undefined && least < depthOf(atomOf(result))) this.#renamed.set(result.name, same);
    else this.#ranges.prefer(atomOf(result));
  }

  /** `mod` as the remainder of numbers that are not negative; null where they may be. */
  #remainder(op: Operation, out: Stmt[]): Operation | null {
    const [left, right] = op.kind === "prim" && op.op === "modZ" ? op.args : [];
    if (op.kind !== "prim" || left === undefined || right === undefined) return null;
    const dividend = this.#ranges.dividend(left, right);
    if (dividend === null) return null;
    if (dividend === "left") return { ...op, op: "remZ", site: null };
    const sum: Var = { name: this.names.fresh({ stem: this.names.temporary, suffix: "" }), rep: int };
    this.#let(sum, { kind: "prim", op: "addZ", args: [left, right], site: null }, out);
    return { ...op, op: "remZ", args: [this.#atom(atomOf(sum)), right], site: null };
  }

  /** `div` by a power of two of an integer of 32 bits; null where it is another. */
  #shifted(op: Operation): Operation | null {
    const [left, right] = op.kind === "prim" && op.op === "divZ" ? op.args : [];
    if (op.kind !== "prim" || left === undefined || right?.kind !== "int") return null;
    const places = Math.log2(right.value);
    const { low, high } = this.#ranges.interval(this.#ranges.form(left));
    const isSmall = low >= -(2 ** 31) && high < 2 ** 31;
    return isSmall && places > 0 && places < 32 && Number.isInteger(places) ? { ...op, op: "shrZ", args: [left, intAtom(places)], site: null } : null; // prettier-ignore
  }

  #loop(whole: Loop, out: Stmt[]): void {
    const loop = this.#trimmed(whole);
    const made = countedInAnyWay(loop, this.names, this.#known());
    if (made === null) {
      const init = this.#atoms(loop.init);
      this.#keepShapes({ ...loop, init }, out);
      this.#learning(loop.results, () => {
        this.#ranges.within(() => {
          assumeBounds(loop, init, this.#known());
          out.push({ ...loop, init, body: this.#block(loop.body) });
        });
      });
      return;
    }
    const { condition, after, exit } = made;
    for (const name of made.steps) this.#steps.add(name);
    for (const stmt of made.before) this.#stmt(stmt, out);
    this.#renamed.set(condition.name, { kind: "bool", value: !condition.value });
    this.#add(this.#for(this.#sized(made.loop, out), out), out);
    this.#renamed.set(condition.name, { kind: "bool", value: condition.value });
    // What the counter is behind the loop may turn out to be another variable
    for (const stmt of after) this.#stmt(stmt, out);
    for (const [name, atom] of made.renamed) this.#renamed.set(name, this.#atom(atom));
    for (const stmt of exit.stmts) this.#stmt(stmt, out);
    if (exit.end.kind === "yield") {
      this.#atoms(exit.end.values).forEach((value, index) => {
        const result = loop.results[index];
        if (result !== undefined) this.#renamed.set(result.name, value);
      });
      return;
    }
    this.#learning(loop.results, () => {
      out.push({ kind: "choose", results: loop.results, end: this.#end(exit.end) });
    });
  }

  #known(): Known {
    return { ranges: this.#ranges, definitions: this.#definitions, atom: this.#atom };
  }

  /** A loop that makes arrays, with a count that can be their size. */
  #sized(loop: For, out: Stmt[]): For {
    const count = this.#atom(loop.count);
    if (loop.arrays.length === 0 || this.#ranges.proves(this.#ranges.form(count))) return loop;
    const size: Var = { name: this.names.fresh({ stem: "count", suffix: "" }), rep: int };
    this.#let(size, { kind: "prim", op: "maxZ", args: [count, intAtom(0)], site: null }, out);
    return { ...loop, count: atomOf(size) };
  }

  /** A loop without what its iterations pass on as it is. */
  #trimmed<L extends Loop | For>(whole: L): L {
    const { loop, same } = trimmed(whole, (value, param, start) => this.#isHandedOn(value, param, start));
    for (const [name, start] of same) this.#renamed.set(name, this.#atom(start));
    return loop;
  }

  /**
   * Whether a value is a parameter's own, or what that starts as, whatever ways through choices and loops further in it takes. By the names that the source has: what
   * stands for a variable behind the loop that carries it is not what it is in that.
   */
  #isHandedOn(value: Atom, param: Var, start: Atom): boolean {
    const seen = new Set([param.name]);
    const waiting = [value];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (sameAtom(next, start)) continue;
      if (next.kind !== "var") return false;
      const { name } = next.variable;
      if (seen.has(name)) continue;
      seen.add(name);
      const sources = this.#sources.get(name);
      if (sources === undefined) return false;
      waiting.push(...sources);
    }
    return true;
  }

  /** The number that an integer is known to be, if it is. */
  #literal(atom: Atom): Atom {
    const { low, high } = this.#ranges.interval(this.#ranges.form(atom));
    return low === high ? intAtom(low) : atom;
  }

  #for(whole: For, out: Stmt[]): For {
    const loop = this.#trimmed(whole);
    const count = this.#literal(this.#atom(loop.count));
    const init = this.#atoms(loop.init);
    const form = this.#ranges.form(count);
    this.#keepShapes({ ...loop, init }, out);
    let steps: readonly (number | null)[] = [];
    const body = this.#learning(loop.results, () => {
      // What it hands on without any iterations
      this.#leave(init);
      return this.#ranges.within(() => {
        const index = this.#ranges.form(atomOf(loop.index));
        this.#ranges.assume(index);
        this.#ranges.assume(shifted(minus(form, index), -1));
        // What is computed from it and comes to the same is it
        this.#ranges.known(atomOf(loop.index));
        assumeBounds(loop, init, this.#known());
        this.#counting({ ...loop, init }, loop.params, index);
        steps = steppingLengths({ ...loop, init }, this.#known(), index);
        this.#stepping({ ...loop, init }, loop.params, index, steps);
        return this.#block(loop.body);
      });
    });
    if (this.#ranges.proves(form)) this.#stepping({ ...loop, init }, loop.results, form, steps);
    if (this.#ranges.proves(form)) this.#counting({ ...loop, init }, loop.results, form);
    const made: For = { ...loop, count, init, body };
    for (const [index, array] of loop.arrays.entries())
      this.#ranges.setShape(array, [form, ...this.#elements(made, index)]);
    return made;
  }

  /** The shape of every element of an array that a loop makes: what its iterations have in common, and does not depend on what is computed in them. */
  #elements(loop: For, place: number): readonly Linear[] {
    const array = loop.arrays[place];
    if (array?.rep.kind !== "array" || array.rep.element.kind !== "array") return [];
    const ends = [...endsOf(loop.body)].map(({ values }) => values[loop.params.length + place]);
    const shape = commonShape(ends.map((element) => (element === undefined ? [] : this.#ranges.shapeOf(element))));
    const own = namesBoundIn(loop);
    const end = shape.findIndex((length) => this.#ranges.mentions(length, own));
    return end === -1 ? shape : shape.slice(0, end);
  }

  /** Arrays that a loop carries keep their lengths, where it makes each as long as the one before: in iterations, these are those in front of the loop. */
  #keepShapes(loop: Loop | For, out: Stmt[]): void {
    const shapes = keptShapes(loop, this.#known());
    shapes.forEach((shape, index) => {
      const [param, array] = [loop.params[index], loop.init[index]];
      if (shape === null || shape.length === 0) return;
      if (this.lengths !== null && array !== undefined && param !== undefined) {
        const size: Var = { name: this.names.own("size"), rep: int };
        this.#depths.set(size.name, (this.#depths.get(param.name) ?? 1) - 1);
        this.#let(size, { kind: "length", array }, out);
      }
      const last = loop.kind === "for" ? [loop.results[index]] : [];
      for (const kept of [param, ...last]) if (kept !== undefined) this.#ranges.setShape(kept, shape);
    });
  }

  /** Variables for the parameters after so many iterations: those to which every iteration adds the same are this, and what there is for it. */
  #counting({ params, init, body }: For, variables: readonly Var[], iterations: Linear): void {
    const ends = [...endsOf(body)];
    params.forEach((param, index) => {
      const [start, variable] = [init[index], variables[index]];
      if (param.rep.kind !== "int" || start === undefined || variable === undefined) return;
      const [step, ...others] = ends.map(({ values }) => stepTo(values[index], param, this.#definitions));
      if (step === undefined || step === null || step === 0 || others.some((other) => other !== step)) return;
      this.#ranges.setForm(variable, plus(this.#ranges.form(start), times(iterations, step)));
      const same = this.#ranges.known(atomOf(variable));
      if (same !== null) this.#renamed.set(variable.name, same);
    });
  }

  /** How long arrays are after so many iterations, of which each takes so much off. */
  #stepping({ init }: For, variables: readonly Var[], iterations: Linear, steps: readonly (number | null)[]): void {
    steps.forEach((step, index) => {
      const [start, variable] = [init[index], variables[index]];
      if (step === null || start === undefined || variable === undefined) return;
      this.#ranges.setShape(variable, [minus(this.#ranges.lengthOf(start), times(iterations, step))]);
    });
  }
}

/** `a && b` and `a || b` are choices in programs; null for others, and where b is not a comparison of what is there. */
function pairOf({ results, end }: Choose): readonly Let[] | null {
  const [result, ...others] = results;
  if (result?.rep.kind !== "bool" || others.length > 0 || end.kind !== "if") return null;
  const isAnd = isLiteral(end.else, false);
  const { stmts, end: last } = isAnd ? end.then : end.else;
  if (!isAnd && !isLiteral(end.then, true)) return null;
  const lets = stmts.flatMap((stmt) => (stmt.kind === "let" && isPure(stmt) && isEager(stmt.op) ? [early(stmt)] : []));
  const [value] = last.kind === "yield" ? last.values : [];
  if (lets.length < stmts.length || lets.length > mostEager || value === undefined) return null;
  const op: Operation = { kind: "prim", op: isAnd ? "and" : "or", args: [end.cond, value], site: null };
  return [...lets, letOf(result, op)];
}

function early(stmt: Let): Let {
  return stmt.op.kind === "prim" ? { ...stmt, op: { ...stmt.op, isEarly: true } } : stmt;
}

/** Whether an operation may be done where it is not needed: not a read of an element, whose index may not be in range. */
function isEager(op: Operation): boolean {
  return op.kind === "length" || (op.kind === "prim" && !isDear(op));
}

/** So many operations are done where they might not be needed. */
const mostEager = 3;

function isLiteral({ stmts, end }: Block, value: boolean): boolean {
  const [only] = end.kind === "yield" ? end.values : [];
  return stmts.length === 0 && only?.kind === "bool" && only.value === value;
}

/** The condition of a choice that is what one of its results says: true on all ways behind it, false on all others. */
function tellsWay(end: End, index: number): Atom | null {
  if (end.kind !== "if") return null;
  const isAlways = (block: Block, value: boolean): boolean =>
    [...endsOf(block)].every(({ values }) => {
      const given = values[index];
      return given?.kind === "bool" && given.value === value;
    });
  return isAlways(end.then, true) && isAlways(end.else, false) ? end.cond : null;
}

/** Whether an operation is done once: a read, or one that costs more than to keep what it gives. */
function isOnce(op: Operation): boolean {
  return (
    op.kind === "field" || (op.kind === "prim" && op.site === null && primitive(op.op).result === "R" && isDear(op))
  );
}

/** A statement as text, whatever the names of what it binds. */
function shapeOf(stmt: Stmt): string {
  let count = 0;
  const names = { fresh: () => `#${(count += 1)}` };
  return keyOf(new Copy(names, new Map()).stmts([stmt]));
}
