// Closures that leave the place where they are made, inside data, arrays and other closures, and are called later; and values that are reached
// by several paths.

import { weighted } from "./random-dice.js";
import { assemble, type Piece, type Production } from "./random-scope.js";
import { showing, type Binder } from "./random-terms.js";
import * as T from "./random-types.js";
import type { Type } from "./random-types.js";

const operand = (of: Type, ...under: readonly Binder[]): Piece => ({ of, under, tight: true });
const whole = (of: Type, ...under: readonly Binder[]): Piece => ({ of, under });

export const escapingClosure: Production = (maker, type, scope, fuel) => {
  const from = maker.randomType(1, false);
  const step = T.fn(type, type);
  const captured = maker.fresh(maker.randomType(1, false));
  const [i, x, acc] = [maker.fresh(T.integer), maker.fresh(type), maker.fresh(type)];
  const [f, g, fs] = [maker.fresh(step), maker.fresh(step), maker.fresh(T.arrayOf(step))];
  const start = maker.fresh(from);
  const [construct, pieces] = weighted<readonly [string, readonly Piece[]]>(maker.dice, [
    [2, () => ["array of closures", [
      `let ${fs.name} = build ${maker.dice.int(0, 3)} (\\${i.name}. \\${x.name}. `, whole(type, i, x),
      `) in foldl (\\${acc.name} ${f.name}. ${f.name} ${acc.name}) `, operand(type, fs), ` ${fs.name}`,
    ]]],
    [1, () => ["list of closures", [
      `listFoldr (\\${f.name} ${acc.name}. ${f.name} ${acc.name}) `, operand(type), " (", T.fn(type, type), ` :: (let ${captured.name} = `,
      whole(captured.type), ` in \\${x.name}. `, whole(type, x, captured), ") :: Nil)",
    ]]],
    [1, () => ["composed closures", [
      `iterate ${maker.dice.int(0, 3)} (\\${g.name} ${x.name}. `, { of: type, under: [x, g] }, `) (\\${acc.name}. ${acc.name}) `, operand(type),
    ]]],
    [2, () => ["closure returned from a branch", [
      `let ${captured.name} = `, whole(captured.type), ` in (if `, whole(T.boolean), ` then \\${start.name}. `, whole(type, start, captured),
      " else ", T.fn(from, type), ") ", operand(from),
    ]]],
    [1, () => ["closure in a pair", [
      `let (${f.name}, ${x.name}) = (let ${captured.name} = `, whole(captured.type), ` in (\\${acc.name}. `, whole(type, acc, captured), ", ",
      whole(type, captured), `)) in ${f.name} (${f.name} ${x.name})`,
    ]]],
    [1, () => ["closure from a loop", [
      `let ${f.name} = foldl (\\${g.name} ${captured.name} ${acc.name}. `, { of: type, under: [acc, captured, g] },
      `) (\\${x.name}. ${x.name}) `, operand(T.arrayOf(captured.type)), ` in ${f.name} `, operand(type),
    ]]],
  ]); // prettier-ignore
  return showing(construct, assemble(maker, type, pieces, scope, fuel));
};

/** One value in several places of a structure, and in closures. */
export const alias: Production = (maker, type, scope, fuel) => {
  const shared = maker.fresh(maker.randomType(2, false));
  const of = shared.type;
  const [pair, array, fn] = [maker.fresh(T.tuple(of, of)), maker.fresh(T.arrayOf(of)), maker.fresh(T.fn(T.real, of))];
  const nested = maker.fresh(T.tuple(T.arrayOf(of), T.fn(T.integer, of)));
  const bind = `let ${shared.name} = `;
  const v = shared.name;
  const [construct, pieces] = weighted<readonly [string, readonly Piece[]]>(maker.dice, [
    [1, () => ["alias in a tuple", [bind, whole(of), ` in let ${pair.name} = (${v}, ${v}) in `, whole(type, shared, pair)]]],
    [1, () => ["alias in an array", [bind, whole(of), ` in let ${array.name} = [${v}, ${v}, `, whole(of, shared), "] in ", whole(type, array, shared)]]],
    [1, () => ["alias in a closure", [bind, whole(of), ` in let ${fn.name} = \\_. ${v} in `, whole(type, fn, shared)]]],
    [1, () => ["alias in data and a closure", [bind, whole(of), ` in let ${nested.name} = (replicate 2 ${v}, \\_. ${v}) in `, whole(type, nested, shared)]]],
    [1, () => ["argument used twice", ["(\\s. (s, s)) ", operand(of)]]],
  ]); // prettier-ignore
  if (construct !== "argument used twice") return showing(construct, assemble(maker, type, pieces, scope, fuel));
  const both = assemble(maker, T.tuple(of, of), pieces, scope, fuel / 2);
  const let2: readonly Piece[] = [`let ${pair.name} = `, both, " in ", whole(type, pair)];
  return showing(construct, assemble(maker, type, let2, scope, fuel / 2));
};
