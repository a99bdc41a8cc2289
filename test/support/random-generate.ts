// Random well-typed terms, built from their type downwards.

import { catalogue, type Polymorphic } from "./random-catalogue.js";
import { atom, open, term, tight, type Binder, type Hole, type Term } from "./random-terms.js";
import * as T from "./random-types.js";
import type { DataType, Dice, Type } from "./random-types.js";

/** What a term may use: variables, and polymorphic functions under the names they have here. */
export interface Scope {
  readonly variables: readonly Binder[];
  readonly polymorphic: readonly { readonly name: string; readonly what: Polymorphic }[];
}

export const topScope: Scope = {
  variables: [],
  polymorphic: catalogue.map((what) => ({ name: what.name, what })),
};

interface Pattern {
  readonly text: string;
  readonly binders: readonly Binder[];
  readonly atom: boolean;
}

/** Smooth functions on all of R that neither grow nor shrink fast: the text around the holes `_`. */
const smoothFunctions: readonly string[] = [
  "sin _", "cos _", "tanh _", "atan _", "sigmoid _", "softplus _", "erf _", "-_", "_ * _", "_ + _", "_ - _", "_ * _", "_ + _", "_ * sin _", "_ * cos _ + _", "tanh _ * _ - _",
  "log (1 + _ ^ 2)", "log1p (_ ^ 2)", "sqrt (1 + _ ^ 2)", "_ / (1 + _ ^ 2)", "exp (sin _)", "expm1 (tanh _)", "tan (0.7 * sin _)",
  "asin (0.9 * sin _)", "acos (0.9 * cos _)", "atan2 _ (2 + sin _)", "sinh (tanh _)", "cosh (tanh _)", "pow (1.5 + sin _) (tanh _)",
  "lgamma (1.5 + sigmoid _)", "_ ^ 2", "(1.5 + cos _) ^ 3", "(2 + sin _) ^ (-1)", "(\\s. s * s - s) _",
  // With kinks: the interpreter says how far away the nearest is.
  "abs _", "relu _", "min _ _", "max _ _", "_ * sign _",
]; // prettier-ignore

const singularTexts: readonly string[] = [
  "1 / (_ - _)", "log (_ - _)", "sqrt (_ - _)", "pow (_ - _) 0.5", "asin (1 + _ - _)", "lgamma (_ - _)", "(_ - _) ^ (-2)",
]; // prettier-ignore

export class Generator {
  #count = 0;

  constructor(
    private readonly dice: Dice,
    private readonly declared: readonly DataType[],
  ) {}

  /** A name of its own, after the kind of its type. */
  fresh(type: Type): Binder {
    const stems: Readonly<Record<Type["kind"], string>> = {
      real: "x",
      integer: "n",
      boolean: "b",
      tuple: "p",
      function: "f",
      data: "v",
      variable: "a",
    };
    this.#count += 1;
    return { name: `${stems[type.kind]}${this.#count}`, type };
  }

  randomType(depth: number, functions: boolean): Type {
    return T.randomType(this.dice, depth, this.declared, functions);
  }

  constructorsOf(type: T.AppliedData): readonly T.Constructor[] {
    const known = [...this.declared, T.listType, T.sumType].find((declaration) => declaration.name === type.name);
    if (known === undefined) throw new Error(`no data type ${type.name}`);
    return T.constructorsAt(known, type.args);
  }

  /** The least term of a type. */
  simplest(type: Type): Term {
    switch (type.kind) {
      case "real":
      case "variable":
        return atom(type, "1.5");
      case "integer":
        return atom(type, "1");
      case "boolean":
        return atom(type, "true");
      case "tuple":
        return this.tuple(type, type.items.map((item) => this.simplest(item))); // prettier-ignore
      case "function":
        return term(type, ["\\_. ", open(this.simplest(type.to))]);
      case "data": {
        const [first] = this.constructorsOf(type);
        if (first === undefined) throw new Error(`no constructor of ${type.name}`);
        return this.construct(type, first.name, first.fields.map((field) => this.simplest(field))); // prettier-ignore
      }
    }
  }

  /** A term of the given type, of about `fuel` nodes. */
  term(type: Type, scope: Scope, fuel: number): Term {
    if (fuel <= 1) return this.leaf(type, scope);
    const { dice } = this;
    return T.weighted<Term>(dice, [
      [2, () => this.leaf(type, scope)],
      [type.kind === "function" ? 24 : 16, () => this.ofItsType(type, scope, fuel)],
      [3, () => this.let(type, scope, fuel)],
      [1, () => this.letPolymorphic(type, scope, fuel)],
      [1, () => this.applyLambda(type, scope, fuel)],
      [3, () => this.applyVariable(type, scope, fuel)],
      [3, () => this.applyPolymorphic(type, scope, fuel)],
      [2, () => this.conditional(type, scope, fuel)],
      [4, () => this.case(type, scope, fuel)],
      [2, () => this.projection(type, scope, fuel)],
      [2, () => this.loop(type, scope, fuel)],
      [3, () => this.recursion(type, scope, fuel)],
      [1, () => this.unused(type, scope, fuel)],
      [1, () => this.parallel(type, scope, fuel)],
    ]);
  }

  /** A term without much to it; `depth` bounds how far data is built. */
  private leaf(type: Type, scope: Scope, depth = 2): Term {
    const { dice } = this;
    if (type.kind === "real" && depth > 0 && scope.variables.length > 0 && T.chance(dice, 0.9)) {
      // Late variables more often than early ones: they are what has not been used yet.
      const late = T.chance(dice, 0.5) ? scope.variables.slice(-3) : scope.variables;
      return this.realOf(T.pick(dice, late), scope, depth);
    }
    const candidates = scope.variables.filter((binder) => T.sameType(binder.type, type));
    if (candidates.length > 0 && T.chance(dice, 0.85)) {
      const { name } = T.pick(dice, candidates);
      return atom(type, name, [name]);
    }
    switch (type.kind) {
      case "real":
        return atom(type, T.pick(dice, ["0.5", "1", "2.0", "0.75", "(-1.25)", "3", "1e-1", "pi"]));
      case "integer":
        return atom(type, T.pick(dice, ["0", "1", "2", "3", "(-1)", "(-2)"]));
      case "boolean":
        return atom(type, T.pick(dice, ["true", "false"]));
      case "tuple":
        return this.tuple(type, type.items.map((item) => this.leaf(item, scope, depth))); // prettier-ignore
      case "function":
        return this.lambda(type, scope, 1);
      case "data": {
        const { name, fields } = T.pick(
          dice,
          depth > 0 ? this.constructorsOf(type) : this.constructorsOf(type).slice(0, 1),
        );
        return this.construct(type, name, fields.map((field) => this.leaf(field, scope, depth - 1))); // prettier-ignore
      }
      case "variable":
        return this.simplest(type);
    }
  }

  /** A real made of whatever a variable holds. */
  realOf({ name, type }: Binder, scope: Scope, depth: number): Term {
    const from = atom(type, name, [name]);
    switch (type.kind) {
      case "real":
        return from;
      case "integer":
        return term(T.real, ["toReal ", tight(from)]);
      case "boolean": {
        const [yes, no] = [this.leaf(T.real, scope, depth - 1), this.leaf(T.real, scope, depth - 1)];
        return term(T.real, ["if ", open(from), " then ", open(yes), " else ", open(no)]);
      }
      case "function": {
        if (type.to.kind !== "real" || depth <= 0) return this.leaf(T.real, scope, 0);
        return term(T.real, [tight(from), " ", tight(this.leaf(type.from, scope, depth - 2))]);
      }
      case "tuple":
      case "data": {
        if (T.sameType(type, T.listOf(T.real))) return term(T.real, ["listSum ", tight(from)]);
        return this.caseOf(T.real, from, this.cover(type, 1), ({ binders }) => {
          const inner = { ...scope, variables: [...scope.variables.slice(-1), ...binders, ...binders] };
          return this.leaf(T.real, inner, depth - 1);
        });
      }
      case "variable":
        return this.leaf(T.real, scope, 0);
    }
  }

  private ofItsType(type: Type, scope: Scope, fuel: number): Term {
    const { dice } = this;
    switch (type.kind) {
      case "real":
      case "variable":
        return T.weighted(dice, [
          [12, () => this.fill(T.real, T.pick(dice, smoothFunctions), T.real, scope, fuel)],
          [1, () => this.fill(T.real, "toReal _", T.integer, scope, fuel)],
          [1, () => this.fill(T.real, "listSum _", T.listOf(T.real), scope, fuel)],
          [1, () => this.power(scope, fuel)],
        ]);
      case "integer": {
        const [text, from] = T.pick<readonly [string, Type]>(dice, [
          ["mod (_ + _) 7", T.integer], ["mod (_ * _ - _) 5", T.integer], ["abs _", T.integer], ["min _ _", T.integer],
          ["max _ _", T.integer], ["div _ 3", T.integer], ["mod (-_) 4", T.integer], ["mod _ 3 ^ 2", T.integer],
          ["floor (3 * tanh _)", T.real], ["round (3 * sin _)", T.real], ["truncate (3 * cos _)", T.real],
        ]); // prettier-ignore
        return this.fill(T.integer, text, from, scope, fuel);
      }
      case "boolean":
        return this.condition(scope, fuel);
      case "tuple":
        return this.tuple(type, this.terms(type.items, scope, fuel));
      case "function":
        return T.chance(dice, 0.9) ? this.lambda(type, scope, fuel) : this.builtin(type, scope, fuel);
      case "data": {
        const { name, fields } = T.pick(dice, this.constructorsOf(type));
        return this.construct(type, name, this.terms(fields, scope, fuel));
      }
    }
  }

  private terms(types: readonly Type[], scope: Scope, fuel: number): readonly Term[] {
    return types.map((type) => this.term(type, scope, this.share(fuel, types.length)));
  }

  private share(fuel: number, among: number): number {
    return Math.max(0, Math.floor(((fuel - 1) / Math.max(1, among)) * (0.6 + 0.8 * this.dice.fraction())));
  }

  /** `text` with a term of type `from` at each `_`. */
  private fill(type: Type, text: string, from: Type, scope: Scope, fuel: number): Term {
    const texts = text.split("_");
    return term(type, texts.flatMap((piece, i) =>
      i === 0 ? [piece] : [tight(this.term(from, scope, this.share(fuel, texts.length - 1))), piece],
    )); // prettier-ignore
  }

  private power(scope: Scope, fuel: number): Term {
    const base = this.term(T.real, scope, this.share(fuel, 2));
    const exponent = this.term(T.integer, scope, this.share(fuel, 2));
    return term(T.real, ["(1.5 + sin ", tight(base), ") ^ mod ", tight(exponent), " 4"]);
  }

  private condition(scope: Scope, fuel: number): Term {
    const { dice } = this;
    const compare = T.pick(dice, ["<", "<=", ">", ">=", "==", "/="]);
    return T.weighted(dice, [
      [3, () => this.fill(T.boolean, `_ ${T.pick(dice, ["<", "<=", ">", ">="])} _`, T.real, scope, fuel)],
      [3, () => this.fill(T.boolean, `_ ${compare} _`, T.integer, scope, fuel)],
      [2, () => this.fill(T.boolean, `_ ${T.pick(dice, ["&&", "||", "==", "/="])} _`, T.boolean, scope, fuel)],
    ]);
  }

  private tuple(type: Type, items: readonly Term[]): Term {
    const pieces = items.flatMap((item, i) => (i === 0 ? [open(item)] : [", ", open(item)]));
    return term(type, ["(", ...pieces, ")"], { atom: true });
  }

  private construct(type: Type, name: string, args: readonly Term[]): Term {
    const [head, tail] = args;
    if (name === "Cons" && head !== undefined && tail !== undefined)
      return term(type, [tight(head), " :: ", tight(tail)]);
    return term(type, [name, ...args.flatMap((arg) => [" ", tight(arg)])], { atom: args.length === 0 });
  }

  private lambda(type: Type & { kind: "function" }, scope: Scope, fuel: number): Term {
    const pattern = this.irrefutable(type.from, 1);
    const text = T.chance(this.dice, 0.3) ? `(${pattern.text} : ${T.printType(type.from)})` : pattern.text;
    return term(type, [
      `\\${text}. `,
      open(this.term(type.to, extend(scope, pattern.binders), fuel - 1), ...pattern.binders),
    ]);
  }

  /** A primitive or a constructor as a value, where the type has one. */
  private builtin(type: Type & { kind: "function" }, scope: Scope, fuel: number): Term {
    const at: Readonly<Record<string, readonly string[]>> = {
      "(R -> R)": ["sin", "cos", "tanh"],
      "(R -> (R -> R))": ["(+)", "(-)", "(*)"],
      "(Z -> R)": ["toReal"],
      [`(${T.printType(T.tuple(T.real, T.real))} -> R)`]: ["fst", "snd"],
    };
    const names = at[T.printType(type)] ?? [];
    return names.length === 0 ? this.lambda(type, scope, fuel) : atom(type, T.pick(this.dice, names));
  }

  private let(type: Type, scope: Scope, fuel: number): Term {
    const bound = this.term(this.randomType(2, true), scope, this.share(fuel, 2));
    const pattern = this.irrefutable(bound.type, 2);
    return this.letIn(type, pattern, bound, extend(scope, pattern.binders), this.share(fuel, 2));
  }

  private letIn(type: Type, pattern: Pattern, bound: Term, scope: Scope, fuel: number): Term {
    return term(type, [
      `let ${pattern.text} = `,
      open(bound),
      " in ",
      open(this.term(type, scope, fuel), ...pattern.binders),
    ]);
  }

  private letPolymorphic(type: Type, scope: Scope, fuel: number): Term {
    const what = T.pick(this.dice, catalogue);
    const name = this.fresh(T.fn(T.real, T.real)).name;
    const inner = {
      ...scope,
      polymorphic: [...scope.polymorphic.filter((p) => !p.what.recursive), { name, what }, { name, what }],
    };
    const head = `let ${what.recursive ? "rec " : ""}${name} ${what.params} = ${what.body(name)} in `;
    return term(type, [head, open(this.term(type, inner, fuel - 2), { name, type: T.variable("polymorphic") })]);
  }

  private applyLambda(type: Type, scope: Scope, fuel: number): Term {
    const from = this.randomType(2, true);
    const fn = this.term(T.fn(from, type), scope, this.share(fuel, 2));
    return term(type, [tight(fn), " ", tight(this.term(from, scope, this.share(fuel, 2)))]);
  }

  /** A variable or definition applied to as many arguments as give the type. */
  private applyVariable(type: Type, scope: Scope, fuel: number): Term {
    const usable = scope.variables.flatMap((binder) => {
      const args: Type[] = [];
      let at = binder.type;
      while (at.kind === "function") {
        args.push(at.from);
        at = at.to;
        if (T.sameType(at, type)) return [{ name: binder.name, args: [...args] }];
      }
      return [];
    });
    if (usable.length === 0) return this.ofItsType(type, scope, fuel);
    const { name, args } = T.pick(this.dice, usable);
    return this.apply(type, name, this.terms(args, scope, fuel));
  }

  private applyPolymorphic(type: Type, scope: Scope, fuel: number): Term {
    const { name, what } = T.pick(this.dice, scope.polymorphic);
    const any = (): Type => this.randomType(1, true);
    const args = what.args(type, any);
    if (args !== null) return this.apply(type, name, this.terms(args, scope, fuel));
    return this.ofItsType(type, scope, fuel);
  }

  private apply(type: Type, name: string, args: readonly Term[]): Term {
    return term(type, [name, ...args.flatMap((arg) => [" ", tight(arg)])], { uses: [name], atom: args.length === 0 });
  }

  private conditional(type: Type, scope: Scope, fuel: number): Term {
    const share = (): number => this.share(fuel, 3);
    const [yes, no] = [this.term(type, scope, share()), this.term(type, scope, share())];
    return term(type, ["if ", open(this.term(T.boolean, scope, share())), " then ", open(yes), " else ", open(no)]);
  }

  private case(type: Type, scope: Scope, fuel: number): Term {
    const scrutinee = this.term(this.randomType(2, false), scope, this.share(fuel, 2));
    const patterns = this.cover(scrutinee.type, 2);
    return this.caseOf(type, scrutinee, patterns, (pattern) =>
      this.term(type, extend(scope, pattern.binders), this.share(fuel, 1 + patterns.length)),
    );
  }

  private caseOf(type: Type, scrutinee: Term, patterns: readonly Pattern[], body: (pattern: Pattern) => Term): Term {
    const branches = patterns.flatMap((pattern, i) => [
      `${i === 0 ? "" : "; "}${pattern.text} -> `,
      open(body(pattern), ...pattern.binders),
    ]);
    return term(type, ["case ", open(scrutinee), " of { ", ...branches, " }"]);
  }

  private projection(type: Type, scope: Scope, fuel: number): Term {
    const other = this.randomType(1, true);
    const first = T.chance(this.dice, 0.5);
    const pair = first ? T.tuple(type, other) : T.tuple(other, type);
    return term(type, [first ? "fst " : "snd ", tight(this.term(pair, scope, fuel - 1))]);
  }

  /** A local recursion with a counter that is at most 3. */
  private loop(type: Type, scope: Scope, fuel: number): Term {
    const { dice } = this;
    const [self, other] = [this.fresh(T.fn(T.integer, type)), this.fresh(T.fn(T.integer, type))];
    const [n, m] = [this.fresh(T.integer), this.fresh(T.integer)];
    const [acc, old] = [this.fresh(type), this.fresh(type)];
    const part = (...binders: readonly Binder[]): Hole =>
      open(this.term(type, extend(scope, binders), this.share(fuel, 3)), ...binders);
    const count: readonly (string | Hole)[] = T.chance(dice, 0.6)
      ? [String(dice.int(0, 3))]
      : ["(min 3 ", tight(this.term(T.integer, scope, 2)), ")"];
    const end = (piece: Hole): Hole => ({ ...piece, tight: true });
    return T.weighted(dice, [
      [2, () => term(type, [
        `let rec ${self.name} ${n.name} ${acc.name} = if ${n.name} <= 0 then ${acc.name} else ${self.name} (${n.name} - 1) `,
        end(part(n, acc)), ` in ${self.name} `, ...count, " ", end(part()),
      ])],
      [2, () => term(type, [
        `let rec ${self.name} ${n.name} = if ${n.name} <= 0 then `, part(), ` else let ${acc.name} = ${self.name} (${n.name} - 1) in `,
        part(n, acc), ` in ${self.name} `, ...count,
      ])],
      [1, () => term(type, [
        `let rec ${self.name} ${n.name} ${acc.name} = if ${n.name} <= 0 then ${acc.name} else ${other.name} (${n.name} - 1) `,
        end(part(n, acc)), ` and ${other.name} ${m.name} ${old.name} = if ${m.name} <= 0 then `, part(old),
        ` else ${self.name} (${m.name} - 1) `, end(part(m, old)), ` in ${self.name} `, ...count, " ", end(part()),
      ])],
    ]); // prettier-ignore
  }

  /** A local recursion over the structure of a value. */
  private recursion(type: Type, scope: Scope, fuel: number): Term {
    const over = T.pick(this.dice, [
      T.listOf(T.real),
      T.listOf(this.randomType(1, true)),
      T.data("Tree", T.real),
      ...this.ownTypes(),
    ]);
    const self = this.fresh(T.fn(over, type));
    const param = this.fresh(over);
    const branches = this.constructorsOf(over).map(({ name, fields }) => {
      const binders = fields.map((field) => this.fresh(field));
      const results = binders
        .filter((binder) => T.sameType(binder.type, over))
        .map((binder) => ({ from: binder.name, to: this.fresh(type) }));
      return { name, binders, results };
    });
    const pieces = branches.flatMap(({ name, binders, results }, i) => {
      const pattern = constructorPattern(name, binders.map((b) => ({ text: b.name, binders: [b], atom: true }))); // prettier-ignore
      const bound = [...binders, ...results.map((r) => r.to)];
      const calls = results.map((r) => `let ${r.to.name} = ${self.name} ${r.from} in `).join("");
      const body = this.term(type, extend(scope, bound), this.share(fuel, 1 + branches.length));
      return [`${i === 0 ? "" : "; "}${pattern.text} -> ${calls}`, open(body, ...bound)];
    });
    return term(type, [
      `let rec ${self.name} ${param.name} = case ${param.name} of { `, ...pieces, ` } in ${self.name} `,
      tight(this.term(over, scope, this.share(fuel, 2))),
    ]); // prettier-ignore
  }

  private ownTypes(): readonly T.AppliedData[] {
    return this.declared.map((d) => ({ kind: "data", name: d.name, args: d.params.map(() => T.real) }));
  }

  /** A value with an infinite partial derivative that does not reach the result. */
  private unused(type: Type, scope: Scope, fuel: number): Term {
    const x = this.leaf(T.real, scope);
    const pieces = T.pick(this.dice, singularTexts).split("_");
    const singular = term(
      T.real,
      pieces.flatMap((piece, i) => (i === 0 ? [piece] : [tight(x), piece])),
    );
    const rest = this.term(type, scope, fuel - 4);
    return T.weighted(this.dice, [
      [1, () => term(type, [`let ${this.fresh(T.real).name} = `, open(singular), " in ", open(rest)])],
      [1, () => term(type, ["snd (", open(singular), ", ", open(rest), ")"])],
      [
        type.kind === "real" ? 2 : 0,
        () => term(type, ["if ", tight(x), " ^ 2 >= 0 then ", open(rest), " else ", open(singular)]),
      ],
    ]);
  }

  private parallel(type: Type, scope: Scope, fuel: number): Term {
    const items = Array.from({ length: this.dice.int(2, 3) }, () => this.randomType(1, true));
    const tasks = items.map((item) => this.term(item, scope, this.share(fuel, items.length + 1)));
    const bound = term(T.tuple(...items), tasks.flatMap((task, i) => (i === 0 ? [tight(task)] : [" |*| ", tight(task)]))); // prettier-ignore
    const pattern = this.irrefutable(bound.type, 1);
    return this.letIn(type, pattern, bound, extend(scope, pattern.binders), this.share(fuel, 2));
  }

  /** A pattern that always matches. */
  private irrefutable(type: Type, depth: number): Pattern {
    if (type.kind === "tuple" && depth > 0 && T.chance(this.dice, 0.6)) {
      return tuplePattern(type.items.map((item) => this.irrefutable(item, depth - 1)));
    }
    if (T.chance(this.dice, 0.05)) return { text: "_", binders: [], atom: true };
    const binder = this.fresh(type);
    return { text: binder.name, binders: [binder], atom: true };
  }

  /** Patterns that together match every value of a type. */
  private cover(type: Type, depth: number): readonly Pattern[] {
    if (depth === 0) return [this.irrefutable(type, 1)];
    switch (type.kind) {
      case "boolean":
        return [{ text: "true", binders: [], atom: true }, T.chance(this.dice, 0.5) ? { text: "false", binders: [], atom: true } : this.irrefutable(type, 0)]; // prettier-ignore
      case "integer":
        return [...["0", "-1", "2"].slice(0, this.dice.int(1, 3)).map((text) => ({ text, binders: [], atom: text !== "-1" })), this.irrefutable(type, 0)]; // prettier-ignore
      case "tuple":
        return this.coverOne(type.items, depth).map(tuplePattern);
      case "data":
        return this.constructorsOf(type).flatMap(({ name, fields }) =>
          this.coverOne(fields, depth - 1).map((args) => constructorPattern(name, args)),
        );
      default:
        return [this.irrefutable(type, 0)];
    }
  }

  /** Rows of patterns that cover one of the columns in depth. */
  private coverOne(types: readonly Type[], depth: number): readonly (readonly Pattern[])[] {
    if (types.length === 0 || depth === 0) return [types.map((type) => this.irrefutable(type, 0))];
    const deep = this.dice.int(0, types.length - 1);
    return this.cover(types[deep] ?? T.real, depth).map((pattern) =>
      types.map((type, i) => (i === deep ? pattern : this.irrefutable(type, 0))),
    );
  }
}

export function extend(scope: Scope, binders: readonly Binder[]): Scope {
  return { ...scope, variables: [...scope.variables, ...binders] };
}

function tuplePattern(items: readonly Pattern[]): Pattern {
  return { text: `(${items.map((p) => p.text).join(", ")})`, binders: items.flatMap((p) => p.binders), atom: true };
}

function constructorPattern(name: string, args: readonly Pattern[]): Pattern {
  const texts = args.map((p) => (p.atom ? p.text : `(${p.text})`));
  const text = name === "Cons" ? texts.join(" :: ") : [name, ...texts].join(" ");
  return { text, binders: args.flatMap((p) => p.binders), atom: args.length === 0 };
}
