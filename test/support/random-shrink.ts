// Random programs as a fast-check arbitrary that shrinks term by term.

import fc from "fast-check";
import { smallerValues } from "./random-arguments.js";
import type { Dice } from "./random-dice.js";
import { Generator } from "./random-generate.js";
import { simplest } from "./random-leaves.js";
import { neededNames, randomProgram, RandomProgram } from "./random-program.js";
import { freeNames, smallerTerms, type Term } from "./random-terms.js";
import type { Type } from "./random-types.js";

/** Random programs; `fuel` bounds the size of each definition. */
export function randomPrograms(fuel = 60): fc.Arbitrary<RandomProgram> {
  return new ProgramArbitrary(fuel, false);
}

/** The same with terms that differentiate. */
export function randomDerivatives(fuel: number): fc.Arbitrary<RandomProgram> {
  return new ProgramArbitrary(fuel, true);
}

class ProgramArbitrary extends fc.Arbitrary<RandomProgram> {
  constructor(
    private readonly fuel: number,
    private readonly derivatives: boolean,
  ) {
    super();
  }

  override generate(random: fc.Random): fc.Value<RandomProgram> {
    const dice: Dice = {
      int: (low, high) => random.nextInt(low, high),
      fraction: () => random.nextInt(0, 2 ** 30 - 1) / 2 ** 30,
    };
    return new fc.Value(randomProgram(dice, this.fuel, this.derivatives), undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is RandomProgram {
    return value instanceof RandomProgram;
  }

  override shrink(program: RandomProgram): fc.Stream<fc.Value<RandomProgram>> {
    return fc.stream(smallerPrograms(program)).map((smaller) => new fc.Value(smaller, undefined));
  }
}

function* smallerPrograms(program: RandomProgram): IterableIterator<RandomProgram> {
  const generator = new Generator({ int: (low) => low, fraction: () => 0 }, program.declared);
  const least = (type: Type): Term => simplest(generator, type);
  const { entry, definitions, args } = program;
  for (const body of smallerTerms(entry.body, entry.params, least)) yield program.with({ entry: { ...entry, body } });
  const needed = neededNames(program);
  for (const [i, definition] of definitions.entries()) {
    if (!needed.has(definition.name)) continue;
    if (definition.isFused) yield program.with({ definitions: definitions.map((d, k) => (k === i ? { ...d, isFused: false } : d)) }); // prettier-ignore
    for (const body of smallerTerms(definition.body, definition.params, least)) {
      yield program.with({ definitions: definitions.map((d, k) => (k === i ? { ...definition, body } : d)) });
    }
  }
  for (const { name, type } of entry.params) {
    for (const smaller of smallerValues(generator, args[name] ?? null, type)) yield program.with({ args: { ...args, [name]: smaller } }); // prettier-ignore
  }
  const used = freeNames(entry.body);
  for (const param of entry.params) {
    if (entry.params.length === 1 || used.has(param.name)) continue;
    const left = Object.fromEntries(Object.entries(args).filter(([name]) => name !== param.name));
    yield program.with({ entry: { ...entry, params: entry.params.filter((p) => p !== param) }, args: left });
  }
}
