// Random arrays and what is done with them. Indices are in range but where the program may fail.

import { chance, pick, weighted } from "./random-dice.js";
import { preludeCalls } from "./random-prelude.js";
import { assemble, extend, named, share, type Maker, type Piece, type Production, type Scope } from "./random-scope.js";
import { showing, type Binder } from "./random-terms.js";
import * as T from "./random-types.js";
import type { Type } from "./random-types.js";

const operand = (of: Type, ...under: readonly Binder[]): Piece => ({ of, under, tight: true });
const whole = (of: Type, ...under: readonly Binder[]): Piece => ({ of, under });

export const arrayOfItsType: Production = (maker, type, scope, fuel) => {
  if (type.kind !== "array") return null;
  const { dice } = maker;
  const [i, n] = [maker.fresh(T.integer), maker.fresh(T.integer)];
  const other = T.arrayOf(maker.randomType(1, true));
  const item = whole(type.element);
  const state = maker.fresh(maker.randomType(1, true));
  const at = (size: readonly Piece[], body: Piece = whole(type.element, i)): readonly Piece[] => ["build ", ...size, ` (\\${i.name}. `, body, ")"]; // prettier-ignore
  const [construct, pieces] = weighted<readonly [string, readonly Piece[]]>(dice, [
    [1, () => ["empty array", ["[]"]]],
    [2, () => ["array literal", ["[", item, "]"]]],
    [3, () => ["array literal", ["[", item, ", ", item, "]"]]],
    [1, () => ["array literal", ["[", item, ", ", item, ", ", item, "]"]]],
    [3, () => ["build", at([String(dice.int(1, 3))])]],
    [1, () => ["build of size zero", at(["0"])]],
    [2, () => ["build", at(["(mod ", T.integer, " 4)"])]],
    [2, () => ["build as long as another", at(["(length ", other, ")"])]],
    [2, () => ["build with a state", ["snd (buildScan (mod ", T.integer, " 4) ", state.type, ` (\\${i.name} ${state.name}. (`, whole(state.type, i, state), ", ", whole(type.element, i, state), ")))"]]],
    // Ragged where the elements are arrays: their lengths depend on the index
    [3, () => ["ragged arrays", at([String(dice.int(2, 3))], ragged(maker, type.element, i, scope, fuel) ?? whole(type.element, i))]],
    [maker.mayFail ? 4 : 0, () => ["build that may fail", at([`(let ${n.name} = `, T.integer, ` in min 4 (${n.name} - 1))`])]],
  ]); // prettier-ignore
  const made = assemble(maker, type, pieces, scope, fuel);
  const isRagged = construct !== "ragged arrays" || type.element.kind === "array";
  return showing(isRagged ? construct : "build", { ...made, atom: pieces[0] === "[" || pieces[0] === "[]" });
};

/** A row whose length is an outer index. */
function ragged(maker: Maker, row: Type, outer: Binder, scope: Scope, fuel: number): Piece | null {
  if (row.kind !== "array") return null;
  const j = maker.fresh(T.integer);
  return assemble(maker, row, [`build ${outer.name} (\\${j.name}. `, whole(row.element, j), ")"], extend(scope, [outer]), share(maker, fuel, 1), [outer.name]); // prettier-ignore
}

/** `a ! i`: guarded, or with an index that is in range by how it is made; rarely neither. */
export const index: Production = (maker, type, scope, fuel) => {
  const { dice } = maker;
  const array = T.arrayOf(type);
  const xs = maker.fresh(array);
  const i = maker.fresh(T.integer);
  const [construct, pieces] = weighted<readonly [string, readonly Piece[]]>(dice, [
    [4, () => ["index", [`let ${xs.name} = `, whole(array), ` in if length ${xs.name} == 0 then `, operand(type), ` else ${xs.name} ! mod `, operand(T.integer, xs), ` (length ${xs.name})`]]],
    [2, () => ["index", ["[", whole(type), ", ", whole(type), "] ! mod ", T.integer, " 2"]]],
    [2, () => ["index of a build", [`(build 3 (\\${i.name}. `, whole(type, i), ")) ! mod ", T.integer, " 3"]]],
    [1, () => ["index of a row", ["[[", whole(type), "], [", whole(type), ", ", whole(type), "]] ! 1 ! mod ", T.integer, " 2"]]],
    [maker.mayFail ? 3 : 0, () => ["index that may fail", [array, " ! ", T.integer]]],
  ]); // prettier-ignore
  return showing(construct, assemble(maker, type, pieces, scope, fuel));
};

export const length: Production = (maker, type, scope, fuel) => {
  if (type.kind !== "integer") return null;
  return showing("length", assemble(maker, type, ["length ", T.arrayOf(maker.randomType(1, true))], scope, fuel));
};

export const prelude: Production = (maker, type, scope, fuel) => {
  const calls = Object.entries(preludeCalls).flatMap(([name, call]) => {
    const pieces = call(type, () => maker.randomType(1, true));
    return pieces === null ? [] : [{ name, pieces }];
  });
  if (calls.length === 0) return null;
  const { name, pieces } = pick(maker.dice, calls);
  return showing(`prelude ${name}`, assemble(maker, type, pieces, scope, fuel));
};

/** An array with elements of a type that is as long as `xs`. */
function asLong(maker: Maker, element: Type, xs: Binder): readonly Piece[] {
  const { dice } = maker;
  const i = maker.fresh(T.integer);
  const own = xs.type.kind === "array" ? xs.type.element : T.real;
  const item = maker.fresh(own);
  const pieces: (readonly Piece[])[] = [
    [`(build (length ${xs.name}) (\\${i.name}. `, whole(element, i, xs), "))"],
    [`(map (\\${item.name}. `, whole(element, item), `) ${xs.name})`],
  ];
  if (T.sameType(own, element)) pieces.push([xs.name], [`(reverse ${xs.name})`], [`(slice 0 (length ${xs.name}) ${xs.name})`]); // prettier-ignore
  return pick(dice, pieces);
}

/** Functions of arrays that must have one length: they have, but where the program may fail. */
export const pairedArrays: Production = (maker, type, scope, fuel) => {
  const { dice } = maker;
  const makes = paired(maker, type);
  if (makes.length === 0) return null;
  const [name, elements, before, after] = pick(dice, makes);
  const [first, ...others] = elements;
  if (first === undefined) return null;
  const xs = maker.fresh(T.arrayOf(first));
  const careless = maker.mayFail && chance(dice, 0.3);
  const rest = others.flatMap((element): readonly Piece[] => [
    " ",
    ...(careless ? [T.arrayOf(element)] : asLong(maker, element, xs)),
  ]);
  const pieces: readonly Piece[] = [`let ${xs.name} = `, whole(xs.type), " in ", ...before, ` ${xs.name}`, ...rest, after]; // prettier-ignore
  return showing(careless ? "lengths that may differ" : `prelude ${name}`, assemble(maker, type, pieces, scope, fuel)); // prettier-ignore
};

/** A name, the types of the arrays' elements, and the text before and after the arrays. */
type Paired = readonly [name: string, elements: readonly Type[], before: readonly Piece[], after: string];

function paired(maker: Maker, type: Type): readonly Paired[] {
  const any = (): Type => maker.randomType(1, true);
  const found: Paired[] = [];
  if (type.kind === "real") {
    found.push(["dot", [T.real, T.real], ["dot"], ""]);
    found.push(["zip", [T.real, T.real], ["(\\u v. sum (map (\\(a, b). a * b) (zip u v)))"], ""]);
    found.push(["matVec", [T.real, T.real], ["(\\u v. sum (matVec (outer u v) v))"], ""]);
  }
  if (type.kind !== "array") return found;
  const { element } = type;
  const [a, b, c] = [any(), any(), any()];
  found.push(["zipWith", [a, b], ["zipWith ", T.fn(a, T.fn(b, element))], ""]);
  found.push(["zipWith3", [a, b, c], ["zipWith3 ", T.fn(a, T.fn(b, T.fn(c, element)))], ""]);
  found.push(["slice", [element], [`(\\ys. slice (min 1 (length ys)) (length ys) ys)`], ""]);
  if (element.kind === "tuple" && element.items.length === 2) found.push(["zip", element.items, ["zip"], ""]);
  if (element.kind === "real") found.push(["matVec", [T.real, T.real], ["(\\u v. matVec (outer u v) v)"], ""]);
  if (T.sameType(element, T.arrayOf(T.real))) found.push(["matMul", [T.real, T.real], ["(\\u v. matMul (outer u v) (outer v u))"], ""]); // prettier-ignore
  return found;
}

/** A loop along an array with a tail call. */
export const loopAlong: Production = (maker, type, scope, fuel) => {
  const element = maker.randomType(1, true);
  const xs = maker.fresh(T.arrayOf(element));
  const [self, i] = [maker.fresh(T.fn(T.integer, type)), maker.fresh(T.integer)];
  const [acc, item] = [maker.fresh(type), maker.fresh(element)];
  const pieces: readonly Piece[] = [
    `let ${xs.name} = `, whole(xs.type),
    ` in let rec ${self.name} ${i.name} ${acc.name} = if ${i.name} >= length ${xs.name} then ${acc.name} else let ${item.name} = ${xs.name} ! ${i.name} in ${self.name} (${i.name} + 1) `,
    operand(type, item, acc), ` in ${self.name} 0 `, operand(type),
  ]; // prettier-ignore
  return showing("loop along an array", assemble(maker, type, pieces, scope, fuel));
};

/** Elements of records, tuples or functions, taken one by one. */
export const variableIndexed: Production = (maker, type, scope, fuel) => {
  const arrays = scope.variables.filter((b) => b.type.kind === "array" && T.sameType(b.type.element, type));
  if (arrays.length === 0) return null;
  const xs = pick(maker.dice, arrays);
  const guard: readonly Piece[] = ["if length ", named(xs), " == 0 then ", operand(type), " else ", named(xs), " ! mod ", T.integer, " (length ", named(xs), ")"]; // prettier-ignore
  return showing("index", assemble(maker, type, guard, scope, fuel));
};
