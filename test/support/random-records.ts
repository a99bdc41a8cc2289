// Random objects of data types: constructors with and without names for their fields; fields read and replaced by name.

import { chance, pick } from "./random-dice.js";
import { assemble, terms, type Maker, type Piece, type Production } from "./random-scope.js";
import { open, showing, term, tight, type Term } from "./random-terms.js";
import type { Constructor, Type, AppliedData } from "./random-types.js";
import * as T from "./random-types.js";

/** `Con s t`, or `Con { second = t, first = s }` where the fields have names. */
export function construct(maker: Maker, type: Type, { name, names }: Constructor, args: readonly Term[]): Term {
  const [head, tail] = args;
  if (name === "Cons" && head !== undefined && tail !== undefined)
    return term(type, [tight(head), " :: ", tight(tail)]);
  if (names !== null && chance(maker.dice, 0.6)) {
    const fields = args.map((arg, i) => [`${names[i] ?? ""} = `, open(arg)]);
    if (chance(maker.dice, 0.5)) fields.reverse();
    const pieces = fields.flatMap((field, i) => (i === 0 ? field : [", ", ...field]));
    return showing("record by name", term(type, [`${name} { `, ...pieces, " }"]));
  }
  return term(type, [name, ...args.flatMap((arg) => [" ", tight(arg)])], { atom: args.length === 0 });
}

export const constructor: Production = (maker, type, scope, fuel) => {
  if (type.kind !== "data") return null;
  const chosen = pick(maker.dice, maker.constructorsOf(type));
  return construct(maker, type, chosen, terms(maker, chosen.fields, scope, fuel));
};

/** The record constructor of a type, where it has one. */
function recordOf(maker: Maker, type: Type): { readonly names: readonly string[]; readonly of: Constructor } | null {
  const [only, ...others] = type.kind === "data" ? maker.constructorsOf(type) : [];
  return only?.names == null || others.length > 0 ? null : { names: only.names, of: only };
}

/** A field of a record, and its type. */
export function field(maker: Maker, record: Term, type: Type): readonly [Term, Type] | null {
  const found = recordOf(maker, type);
  if (found === null) return null;
  const at = maker.dice.int(0, found.names.length - 1);
  const of = found.of.fields[at];
  if (of === undefined) return null;
  return [showing("field", term(of, [tight(record), `.${found.names[at] ?? ""}`], { atom: true })), of];
}

/** The record types of the program. */
function records(maker: Maker): readonly AppliedData[] {
  return maker.declared
    .filter(({ constructors: [only, ...others] }) => only?.names != null && others.length === 0)
    .map(({ name, params }) => T.data(name, ...params.map(() => T.real)));
}

/** A field of the type, of any record that has one. */
export const fieldRead: Production = (maker, type, scope, fuel) => {
  const places = records(maker).flatMap((record) => {
    const found = recordOf(maker, record);
    return (found?.of.fields ?? []).flatMap((of, i) =>
      T.sameType(of, type) ? [{ record, name: found?.names[i] ?? "" }] : [],
    );
  });
  if (places.length === 0) return null;
  const { record, name } = pick(maker.dice, places);
  return showing("field", assemble(maker, type, [record, `.${name}`], scope, fuel));
};

/** `{ r | a = s, b = t }`. */
export const update: Production = (maker, type, scope, fuel) => {
  const found = recordOf(maker, type);
  if (found === null) return null;
  const { dice } = maker;
  const chosen = found.of.fields
    .map((of, i) => ({ of, name: found.names[i] ?? "" }))
    .filter(() => found.of.fields.length === 1 || chance(dice, 0.6));
  if (chosen.length === 0) return null;
  const pieces = chosen.flatMap(({ of, name }, i): readonly Piece[] => [
    `${i === 0 ? " | " : ", "}${name} = `,
    { of, under: [] },
  ]);
  const made = assemble(maker, type, ["{ ", { of: type, under: [] }, ...pieces, " }"], scope, fuel);
  return showing("record update", { ...made, atom: true });
};
