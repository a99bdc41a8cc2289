// Random well-typed `.lam` programs with arguments for their entry.

import fc from "fast-check";
import { sharing } from "./sharing.js";
import { catalogue } from "./random-catalogue.js";
import { RandomArguments, type Value } from "./random-arguments.js";
import { randomDataTypes } from "./random-declarations.js";
import { chance, pick, type Dice } from "./random-dice.js";
import { mayBeFused } from "./random-fused.js";
import { Generator } from "./random-generate.js";
import { holdsReals, tupleOf } from "./random-leaves.js";
import { body, extend, named, topScope, type Scope } from "./random-scope.js";
import {
  constructsIn,
  freeNames,
  open,
  printTerm,
  showing,
  term,
  tight,
  type Binder,
  type Term,
} from "./random-terms.js";
import * as T from "./random-types.js";
import type { DataType, Type } from "./random-types.js";

/** A definition of a random program. */
export interface Definition {
  readonly name: string;
  /** `annotated`: the text says the types. */
  readonly params: readonly Binder[];
  readonly annotated: boolean;
  readonly result: Type;
  readonly body: Term;
  readonly isFused: boolean;
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
  const mentioned = new Set(program.declared.filter((declared) => mentions(rest, declared)));
  // Data types mention others, in any order
  for (const declared of mentioned) {
    for (const other of program.declared) if (mentions(printDataType(declared), other)) mentioned.add(other);
  }
  const types = program.declared.filter((declared) => mentioned.has(declared)).map(printDataType);
  return [...types, rest].join("\n\n") + "\n";
}

/** The constructs that a program shows, as often as they stand in its text. */
export function constructsOf(program: RandomProgram): readonly string[] {
  const needed = neededNames(program);
  const bodies = [...program.definitions.filter((d) => needed.has(d.name)), program.entry].map((d) => d.body);
  const patterns = printProgram(program).includes(" { ") && / [A-Z]\w* \{ \w+ = \w+[^}]*\} ->/.test(printProgram(program)); // prettier-ignore
  return [
    ...bodies.flatMap((body) => [...constructsIn(body)]),
    ...(patterns ? ["record pattern"] : []),
    ...(sharing([], program.args) === null ? [] : ["alias in the arguments"]),
  ];
}

/** The entry and the definitions that it reaches. */
export function neededNames({ definitions, entry }: RandomProgram): ReadonlySet<string> {
  const needed = new Set([entry.name, ...freeNames(entry.body)]);
  for (const name of needed) {
    const definition = definitions.find((d) => d.name === name);
    if (definition !== undefined) for (const used of freeNames(definition.body)) needed.add(used);
  }
  return needed;
}

function printDataType({ name, params, constructors }: DataType): string {
  const printed = constructors.map((constructor) => {
    const { names } = constructor;
    const fields = constructor.fields.map(T.printType);
    if (names === null) return [constructor.name, ...fields].join(" ");
    return `${constructor.name} { ${fields.map((field, i) => `${names[i] ?? ""} : ${field}`).join(", ")} }`;
  });
  return `data ${[name, ...params].join(" ")} = ${printed.join(" | ")}`;
}

export function printDefinition({ name, params, annotated, result, body, isFused }: Definition): string {
  const isTyped = annotated || isFused;
  const heads = params.map((p) => (isTyped ? `(${p.name} : ${T.printType(p.type)})` : p.name));
  return `${isFused ? "fused " : ""}def ${[name, ...heads].join(" ")}${isTyped ? ` : ${T.printType(result)}` : ""} =\n  ${printTerm(body)}`;
}

/** A program from random choices; `fuel` bounds the size of each definition. One with derivatives does not fail on purpose. */
export function randomProgram(dice: Dice, fuel: number, derivatives = false): RandomProgram {
  const declared = randomDataTypes(dice);
  const generator = new Generator(dice, declared, chance(dice, derivatives ? 0 : 0.12), derivatives);
  const definitions: Definition[] = [];
  let scope: Scope = topScope;
  const count = dice.int(0, 2);
  for (let k = 0; k < count; k += 1) {
    const made = randomDefinitions(dice, generator, scope, `help${k}`, Math.floor(fuel / 2));
    definitions.push(...made.map((each) => ({ ...each, isFused: isFused(generator, each) })));
    scope = extend(scope, made.map((d) => ({ name: d.name, type: d.params.reduceRight((to, p) => T.fn(p.type, to), d.result) }))); // prettier-ignore
  }
  const params = Array.from({ length: dice.int(1, 3) }, (_, k) => generator.fresh(k === 0 ? pick(dice, [T.real, T.tuple(T.real, T.real), T.listOf(T.real), T.arrayOf(T.real), T.arrayOf(T.arrayOf(T.real)), generator.randomType(2, false)]) : generator.randomType(2, false))); // prettier-ignore
  const own = chance(dice, 0.7) ? T.real : resultType(dice, generator);
  const whole = entryBody(generator, own, params, extend(scope, params), fuel);
  const entryTerm = chance(dice, 0.1) ? besideParameter(whole, pick(dice, params)) : whole;
  const result = entryTerm.type;
  const entry: Definition = { name: "entry", params, annotated: true, result, body: entryTerm, isFused: false };
  const values = new RandomArguments(dice, generator);
  const args = Object.fromEntries(params.map((p) => [p.name, values.random(p.type, 3)]));
  return new RandomProgram({ declared, definitions, entry: { ...entry, isFused: isFused(generator, entry) }, args });
}

/** Most results that are no real hold some. */
function resultType(dice: Dice, generator: Generator): Type {
  const types = Array.from({ length: 3 }, () => generator.randomType(2, false));
  const [first = T.real] = types;
  return chance(dice, 0.1) ? first : (types.find((type) => holdsReals(generator, type)) ?? T.real);
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

/** A result that also gives a parameter back, as it is. */
function besideParameter(whole: Term, param: Binder): Term {
  const both = T.tuple(whole.type, param.type);
  return showing("parameter given back", tupleOf(both, [whole, named(param)]));
}

/** Every other one that may be fused. */
function isFused(generator: Generator, { params, result, body: own }: Definition): boolean {
  const types = params.map(({ type }) => type);
  return mayBeFused(generator, types, result) && printTerm(own).length % 2 === 0;
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
  const annotated = chance(dice, 0.5);
  const inner = extend(scope, params);
  if (chance(dice, 0.5))
    return [{ name, params, annotated, result, body: body(generator, result, inner, fuel, params), isFused: false }];
  const names = chance(dice, 0.5) ? [name] : [name, `${name}Other`];
  return names.map((called, i): Definition => {
    const renamed = params.map((p) => generator.fresh(p.type));
    const n = generator.fresh(T.integer);
    const next = names[(i + 1) % names.length] ?? called;
    const before = generator.fresh(result);
    const at = extend(scope, renamed);
    const args = renamed.flatMap((p) => [" ", { ...open(generator.term(p.type, at, 4)), tight: true }]);
    const step = body(generator, result, extend(at, [n, before]), fuel, [before, ...renamed]);
    const own = term(result, [
      `if ${n.name} <= 0 || ${n.name} > 3 then `, open(generator.term(result, at, Math.floor(fuel / 3))),
      ` else let ${before.name} = ${next} (${n.name} - 1)`, ...args, " in ", open(step, n, before),
    ], { uses: [next] }); // prettier-ignore
    return { name: called, params: [n, ...renamed], annotated, result, body: own, isFused: false };
  });
}

function mentions(text: string, declared: DataType): boolean {
  const names = declared.constructors.flatMap((c) => [c.name, ...(c.names ?? [])]);
  return [declared.name, ...names].some((name) => new RegExp(`\\b${name}\\b`).test(text));
}
