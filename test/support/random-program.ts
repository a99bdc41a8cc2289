// Random well-typed `.lam` programs with arguments for their entry, as a fast-check arbitrary that shrinks term by term.

import fc from "fast-check";
import { catalogue } from "./random-catalogue.js";
import { extend, Generator, topScope, type Scope } from "./random-generate.js";
import { freeNames, open, printTerm, smallerTerms, term, tight, type Binder, type Term } from "./random-terms.js";
import * as T from "./random-types.js";
import type { DataType, Dice, Type } from "./random-types.js";

/** A value as emitted modules take and give it. */
export type Value =
  number | boolean | null | Float64Array | readonly Value[] | { readonly [key: string]: Value | string };

interface Definition {
  readonly name: string;
  /** `annotated`: the text says the types. */
  readonly params: readonly Binder[];
  readonly annotated: boolean;
  readonly result: Type;
  readonly body: Term;
}

interface Parts {
  readonly declared: readonly DataType[];
  readonly definitions: readonly Definition[];
  /** Called `entry`. */
  readonly entry: Definition;
  readonly args: Readonly<Record<string, Value>>;
}

export class RandomProgram implements Parts {
  readonly declared: readonly DataType[];
  readonly definitions: readonly Definition[];
  readonly entry: Definition;
  readonly args: Readonly<Record<string, Value>>;

  constructor({ declared, definitions, entry, args }: Parts) {
    this.declared = declared;
    this.definitions = definitions;
    this.entry = entry;
    this.args = args;
  }

  with(changed: Partial<Parts>): RandomProgram {
    return new RandomProgram({
      declared: this.declared,
      definitions: this.definitions,
      entry: this.entry,
      args: this.args,
      ...changed,
    });
  }

  /** How fast-check shows it. */
  [fc.toStringMethod](): string {
    return `${printProgram(this)}\nentry ${JSON.stringify(this.args)}`;
  }
}

/** The program as text; definitions and data types that it does not need are left out. */
export function printProgram(program: RandomProgram): string {
  const needed = neededNames(program);
  const shared = catalogue
    .filter((p) => needed.has(p.name))
    .map((p) => `def ${p.name} ${p.params} = ${p.body(p.name)}`);
  const own = [...program.definitions, program.entry].filter((d) => needed.has(d.name)).map(printDefinition);
  const rest = [...shared, ...own].join("\n\n");
  const types: string[] = [];
  // Later data types may mention earlier ones, and those of one group each other.
  for (const declared of [...program.declared].reverse()) {
    const others = program.declared.filter((d) => d !== declared && mentions(rest, d)).map(printDataType);
    if (mentions([rest, ...types, ...others].join("\n"), declared)) types.unshift(printDataType(declared));
  }
  return [...types, rest].join("\n\n") + "\n";
}

/** The entry and the definitions that it reaches. */
function neededNames({ definitions, entry }: RandomProgram): ReadonlySet<string> {
  const needed = new Set([entry.name, ...freeNames(entry.body)]);
  for (const name of needed) {
    const definition = definitions.find((d) => d.name === name);
    if (definition !== undefined) for (const used of freeNames(definition.body)) needed.add(used);
  }
  return needed;
}

function printDataType({ name, params, constructors }: DataType): string {
  const fields = (types: readonly Type[]): string => types.map((type) => ` ${T.printType(type)}`).join("");
  return `data ${[name, ...params].join(" ")} = ${constructors.map((c) => c.name + fields(c.fields)).join(" | ")}`;
}

function printDefinition({ name, params, annotated, result, body }: Definition): string {
  const heads = params.map((p) => (annotated ? `(${p.name} : ${T.printType(p.type)})` : p.name));
  return `def ${[name, ...heads].join(" ")}${annotated ? ` : ${T.printType(result)}` : ""} =\n  ${printTerm(body)}`;
}

/** Random programs; `fuel` bounds the size of each definition. */
export function randomPrograms(fuel = 60): fc.Arbitrary<RandomProgram> {
  return new ProgramArbitrary(fuel);
}

class ProgramArbitrary extends fc.Arbitrary<RandomProgram> {
  constructor(private readonly fuel: number) {
    super();
  }

  override generate(random: fc.Random): fc.Value<RandomProgram> {
    const dice: Dice = {
      int: (low, high) => random.nextInt(low, high),
      fraction: () => random.nextInt(0, 2 ** 30 - 1) / 2 ** 30,
    };
    return new fc.Value(randomProgram(dice, this.fuel), undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is RandomProgram {
    return value instanceof RandomProgram;
  }

  override shrink(program: RandomProgram): fc.Stream<fc.Value<RandomProgram>> {
    return fc.stream(smallerPrograms(program)).map((smaller) => new fc.Value(smaller, undefined));
  }
}

function randomProgram(dice: Dice, fuel: number): RandomProgram {
  const declared = T.randomDataTypes(dice);
  const generator = new Generator(dice, declared);
  const definitions: Definition[] = [];
  let scope: Scope = topScope;
  const count = dice.int(0, 2);
  for (let k = 0; k < count; k += 1) {
    const made = randomDefinitions(dice, generator, scope, `help${k}`, Math.floor(fuel / 2));
    definitions.push(...made);
    scope = extend(scope, made.map((d) => ({ name: d.name, type: d.params.reduceRight((to, p) => T.fn(p.type, to), d.result) }))); // prettier-ignore
  }
  const params = Array.from({ length: dice.int(1, 3) }, (_, k) => generator.fresh(k === 0 ? T.pick(dice, [T.real, T.tuple(T.real, T.real), T.listOf(T.real), generator.randomType(2, false)]) : generator.randomType(2, false))); // prettier-ignore
  const result = T.chance(dice, 0.6) ? T.real : generator.randomType(2, false);
  const body = entryBody(generator, result, params, extend(scope, params), fuel);
  const entry: Definition = { name: "entry", params, annotated: true, result, body };
  const values = new Values(dice, generator);
  const args = Object.fromEntries(params.map((p) => [p.name, values.random(p.type, 3)]));
  return new RandomProgram({ declared, definitions, entry, args });
}

/** Where the result is a real, it depends on every parameter that holds one. */
function entryBody(generator: Generator, result: Type, params: readonly Binder[], scope: Scope, fuel: number): Term {
  const whole = generator.term(result, scope, fuel);
  if (result.kind !== "real") return whole;
  return params.reduce((sum, param, i) => {
    const all = { ...scope, variables: [...scope.variables.slice(-1), param] };
    return term(T.real, [tight(sum), i === 0 ? " * " : " + ", tight(generator.realOf(param, all, 2))]);
  }, whole);
}

/** One helper, or two that call each other; with a counter of at most 3 where they are recursive. */
function randomDefinitions(
  dice: Dice,
  generator: Generator,
  scope: Scope,
  name: string,
  fuel: number,
): readonly Definition[] {
  const result = generator.randomType(2, true);
  const params = Array.from({ length: dice.int(1, 2) }, () => generator.fresh(generator.randomType(2, true)));
  const annotated = T.chance(dice, 0.5);
  const inner = extend(scope, params);
  if (T.chance(dice, 0.5)) return [{ name, params, annotated, result, body: generator.term(result, inner, fuel) }];
  const names = T.chance(dice, 0.5) ? [name] : [name, `${name}Other`];
  return names.map((own, i): Definition => {
    const renamed = params.map((p) => generator.fresh(p.type));
    const n = generator.fresh(T.integer);
    const next = names[(i + 1) % names.length] ?? own;
    const before = generator.fresh(result);
    const at = extend(scope, renamed);
    const args = renamed.flatMap((p) => [" ", { ...open(generator.term(p.type, at, 4)), tight: true }]);
    const step = generator.term(result, extend(at, [n, before]), fuel);
    const body = term(result, [
      `if ${n.name} <= 0 || ${n.name} > 3 then `, open(generator.term(result, at, Math.floor(fuel / 3))),
      ` else let ${before.name} = ${next} (${n.name} - 1)`, ...args, " in ", open(step, n, before),
    ], { uses: [next] }); // prettier-ignore
    return { name: own, params: [n, ...renamed], annotated, result, body };
  });
}

/** Random arguments, pairwise different reals that literals do not meet. */
class Values {
  #count = 0;

  constructor(
    private readonly dice: Dice,
    private readonly generator: Generator,
  ) {}

  random(type: Type, depth: number): Value {
    const { dice } = this;
    switch (type.kind) {
      case "real":
        this.#count += 1;
        return Math.round((dice.fraction() * 4 - 2) * 64) / 64 + 0.0013 * this.#count + 0.0004;
      case "integer":
        return dice.int(-3, 5);
      case "boolean":
        return T.chance(dice, 0.5);
      case "tuple":
        return type.items.length === 0 ? null : type.items.map((item) => this.random(item, depth));
      case "data": {
        const constructors = this.generator.constructorsOf(type);
        // More often a later constructor, which holds more
        const likely =
          constructors.length > 1 && type.name !== "+" && T.chance(dice, 0.7) ? constructors.slice(1) : constructors;
        const { name, fields } = T.pick(dice, depth > 0 ? likely : constructors.slice(0, 1));
        const entries = fields.map((field, i) => [`_${i}`, this.random(field, depth - 1)] as const);
        return { tag: name, ...Object.fromEntries(entries) };
      }
      case "function":
      case "variable":
        throw new Error("an entry's parameter is first-order");
    }
  }
}

function* smallerPrograms(program: RandomProgram): IterableIterator<RandomProgram> {
  const generator = new Generator({ int: (low) => low, fraction: () => 0 }, program.declared);
  const simplest = (type: Type): Term => generator.simplest(type);
  const { entry, definitions, args } = program;
  for (const body of smallerTerms(entry.body, entry.params, simplest))
    yield program.with({ entry: { ...entry, body } });
  const needed = neededNames(program);
  for (const [i, definition] of definitions.entries()) {
    if (!needed.has(definition.name)) continue;
    for (const body of smallerTerms(definition.body, definition.params, simplest)) {
      yield program.with({ definitions: definitions.map((d, k) => (k === i ? { ...definition, body } : d)) });
    }
  }
  for (const [name, value] of Object.entries(args)) {
    for (const smaller of smallerValues(value)) yield program.with({ args: { ...args, [name]: smaller } });
  }
  const used = freeNames(entry.body);
  for (const param of entry.params) {
    if (entry.params.length === 1 || used.has(param.name)) continue;
    const left = Object.fromEntries(Object.entries(args).filter(([name]) => name !== param.name));
    yield program.with({ entry: { ...entry, params: entry.params.filter((p) => p !== param) }, args: left });
  }
}

function mentions(text: string, declared: DataType): boolean {
  return [declared.name, ...declared.constructors.map((c) => c.name)].some((name) =>
    new RegExp(`\\b${name}\\b`).test(text),
  );
}

/** Shorter lists and smaller trees: a field in the place of its parent where both belong to one data type. */
function* smallerValues(value: Value): Iterable<Value> {
  if (value === null || typeof value !== "object" || value instanceof Float64Array) return;
  const isList = (v: Value): v is readonly Value[] => Array.isArray(v);
  const fields: readonly (readonly [string, Value | string])[] = isList(value)
    ? value.map((item, i) => [String(i), item] as const)
    : Object.entries(value);
  const rebuild = (key: string, item: Value): Value =>
    isList(value) ? value.map((old, i) => (String(i) === key ? item : old)) : { ...value, [key]: item };
  for (const [key, field] of fields) {
    if (typeof field === "string") continue;
    if (!isList(value) && isRecursive(value, field)) yield field;
    for (const smaller of smallerValues(field)) yield rebuild(key, smaller);
  }
}

/** Whether a field is of the type of the value it stands in, as far as `List` and `Tree` go. */
function isRecursive(value: Value, field: Value): boolean {
  const family = (v: Value): string | undefined => {
    if (v === null || typeof v !== "object" || !("tag" in v)) return undefined;
    const tag = v["tag"];
    if (tag === "Cons" || tag === "Nil") return "List";
    return tag === "Node" || tag === "Leaf" ? "Tree" : undefined;
  };
  const own = family(value);
  return own !== undefined && own === family(field);
}
